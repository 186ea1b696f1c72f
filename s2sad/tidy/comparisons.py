"""Of arrays that the backward sweep only compares, the tape keeps what the comparisons say.

That is a byte an element instead of eight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.analysis.effects import nested
from s2sad.core import Facts, Stmt, blocks_of, clone, load, replace_names, text, walk
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array
from s2sad.tidy.rebuild import with_blocks, with_fields


def keep_comparisons(body: list[Stmt], facts: Facts) -> list[Stmt]:
    r"""The statements with comparisons on the tapes instead of the arrays that are compared.

    Args:
        body: the statements of one function.
        facts: what is known of its names.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> row = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> facts = Facts(kinds={"a": row, "y": row, "g": row}, tapes={"tape"})
    >>> loops = "for i in range(n):\n  a = f(i)\n  tape.append((a, y))\nfor i in range(n):\n  a, y = tape.pop()\n  "
    >>> before = statements(f"tape = []\n{loops}g *= (a > 0.0) * y")
    >>> print(text(keep_comparisons(before, facts)))
    tape = []
    for i in range(n):
        a = f(i)
        tape.append((y, a > 0.0))
    for i in range(n):
        y, mask = tape.pop()
        g *= mask * y
    """
    if not facts.tapes or facts.laid_out:
        return body
    nodes = [n for top in body for n in walk(top)]
    if not any(type(n) is gast.Compare and _is_array(infer(n, facts)) for n in nodes):
        return body
    uses = Counter(n.id for n in nodes if type(n) is gast.Name and n.id in facts.tapes)
    for tape, count in uses.items():
        if count == 3:  # where it is made, one statement that puts something on it, and one that takes it
            body = _of_tape(body, tape, facts)
    return body


def _of_tape(body: list[Stmt], tape: str, facts: Facts) -> list[Stmt]:
    push = next((s for top in body for s in nested(top) if _is_push(s, tape)), None)
    found = next(_pops(body, tape), None)
    if push is None or found is None:
        return body
    block, at = found
    pop: Any = block[at]
    item = push.value.args[0]
    names, parts = ([pop.targets[0]], [item]) if type(pop.targets[0]) is gast.Name else (pop.targets[0].elts, item.elts)
    given = {n.id: p for n, p in zip(names, parts, strict=True)}
    if len(given) != len(names) or any(type(p) is not gast.Name for p in parts):
        return body
    behind = block[at + 1 :]
    found_here = [n for s in behind for n in walk(s) if _is_comparison(n, given, facts)]
    within = Counter(name for node in found_here for name in _names(node))
    last = _from(body, block)
    bare = {n for n in within if within[n] == _reads(behind, n) == _reads(last, n)}
    made = {_key(node): node for node in found_here if bare & set(_names(node))}
    changed = any(_is_changed(behind, name) for node in made.values() for name in _names(node))
    if not made or changed or len(made) > 4 * len(bare):
        return body
    masks = {key: facts.fresh("mask", temp=False) for key in made}
    for key, node in made.items():
        facts.kinds[masks[key]] = infer(node, facts)
    kept = [(n, p) for n, p in zip(names, parts, strict=True) if n.id not in bare]
    values = [p for _, p in kept] + [replace_names(clone(node), given) for node in made.values()]
    targets = [n for n, _ in kept] + [gast.Name(name, gast.Store(), None, None) for name in masks.values()]
    if len(values) == 1:
        new_item, new_target = values[0], targets[0]
    else:
        new_item, new_target = gast.Tuple(values, gast.Load()), gast.Tuple(targets, gast.Store())
    call = with_fields(push.value, args=[new_item])
    new = {id(push): with_fields(push, value=call), id(pop): with_fields(pop, targets=[new_target])}
    inside = {id(s) for s in behind}
    return _rewritten(body, new, inside, masks)


def _rewritten(body: list[Stmt], new: dict[int, Stmt], inside: set[int], masks: dict[str, str]) -> list[Stmt]:
    def block(statements: list[Stmt]) -> list[Stmt]:
        return [
            new[id(s)] if id(s) in new else _with_masks(s, masks) if id(s) in inside else with_blocks(s, block)
            for s in statements
        ]

    return block(body)


def _with_masks(statement: Any, masks: dict[str, str]) -> Any:
    """A statement with the names of comparisons in their place."""
    if not any(type(n) is gast.Compare and _key(n) in masks for n in walk(statement)):
        return statement
    new = clone(statement)

    def named(value: Any) -> Any:
        return load(masks[_key(value)]) if type(value) is gast.Compare and _key(value) in masks else value

    for node in list(walk(new)):
        for field, value in list(gast.iter_fields(node)):
            setattr(node, field, [named(v) for v in value] if isinstance(value, list) else named(value))
    return new


def _is_comparison(node: Any, given: dict[str, Any], facts: Facts) -> bool:
    """Is it an array of bools that comes of comparing what the tape gives back with each other, or with constants?"""
    if type(node) is not gast.Compare or len(node.ops) != 1:
        return False
    sides = (node.left, *node.comparators)
    if not all(type(s) is gast.Constant or (type(s) is gast.Name and s.id in given) for s in sides):
        return False
    arrays = [facts.kinds.get(s.id) for s in sides if type(s) is gast.Name]
    return _is_array(infer(node, facts)) and all(isinstance(k, Array) and k.shape for k in arrays)


def _is_array(kind: Any) -> bool:
    """Is it an array of bools?"""
    return isinstance(kind, Array) and kind.dtype == bool


def _key(node: Any) -> str:
    """What comparisons have in common that say the same: `a == b` and `b == a`."""
    sides = [text(node.left), *map(text, node.comparators)]
    return f"{type(node.ops[0]).__name__} {sorted(sides) if type(node.ops[0]) in (gast.Eq, gast.NotEq) else sides}"


def _names(node: Any) -> list[str]:
    return [n.id for n in walk(node) if type(n) is gast.Name]


def _reads(statements: list[Stmt], name: str) -> int:
    return sum(type(n) is gast.Name and n.id == name and type(n.ctx) is gast.Load for s in statements for n in walk(s))


def _is_changed(statements: list[Stmt], name: str) -> bool:
    """Is a name bound, or a part of its array stored to?"""
    stored = (n for s in statements for n in walk(s) if type(getattr(n, "ctx", None)) is gast.Store)
    return any(name in _names(n) for n in stored)


def _from(body: list[Stmt], block: list[Stmt]) -> list[Stmt]:
    """The statements of a function from that on in which a block is."""
    first = block[0]
    at = next(k for k, top in enumerate(body) if any(s is first for s in nested(top)))
    return body[at:]


def _is_push(s: Any, tape: str) -> bool:
    return type(s) is gast.Expr and _is_call(s.value, tape, "append") and len(s.value.args) == 1


def _is_call(node: Any, tape: str, method: str) -> bool:
    """Is it a call of a method of the tape?"""
    called: Any = node.func if type(node) is gast.Call else None
    return type(called) is gast.Attribute and called.attr == method and getattr(called.value, "id", "") == tape


def _pops(block: list[Stmt], tape: str) -> Iterator[tuple[list[Stmt], int]]:
    """Where a tape gives names their values: the block, and the place in it."""
    for k, s in enumerate(block):
        if type(s) is gast.Assign and len(s.targets) == 1 and _is_call(s.value, tape, "pop") and not s.value.args:
            yield block, k
        for inner in blocks_of(s):
            yield from _pops(inner, tape)
