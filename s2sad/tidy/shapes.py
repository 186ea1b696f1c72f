"""The shape of an array that nothing else is read of, taken from another array that has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from s2sad.analysis.effects import nested
from s2sad.core import Expr, Facts, Stmt, clone, quote, walk, walk_names
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array, Dim
from s2sad.tidy.rebuild import is_users


def shapes_elsewhere(body: list[Stmt], facts: Facts, parameters: Collection[str]) -> list[Stmt]:
    """The statements of a derivative with `other.size` for `a.size` where that is all that is read of a.

    So a is not computed for its shape alone.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        parameters: the names that come in bound.

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.dims import Dim
    >>> vector = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> body = statements("a = np.sin(x)\\nb = g / a.size")
    >>> print(text(shapes_elsewhere(body, Facts(kinds={"a": vector, "x": vector}), ["x"])))
    a = np.sin(x)
    b = g / x.size

    Zeros like an array that no other has the shape of are told their lengths.

    >>> matrix = Array(np.dtype(float), (Dim.symbol("n"), Dim.symbol("n")))
    >>> body = statements("a = np.outer(x, x)\\nb = np.zeros_like(a)")
    >>> print(text(shapes_elsewhere(body, Facts(kinds={"a": matrix, "x": vector}), ["x"])))
    a = np.outer(x, x)
    b = np.zeros((x.shape[0], x.shape[0]))
    """
    places = [list(_questions([top])) for top in body]
    asked = Counter(q.name.id for found in places for q in found)
    if not asked:
        return body
    reads: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for n in walk_names(body):
        (reads if type(n.ctx) is gast.Load else bound)[n.id] += 1
    alone = [name for name, count in asked.items() if reads[name] == count and bound[name] == 1]
    if not alone:
        return body
    users = {q.name.id for top in body for s in nested(top) if is_users(s) for q in _questions([s])}
    given = [p for p in sorted(parameters) if not bound[p]]
    turns = _turns(body)
    changed: dict[str, str] = {}
    lengths: dict[str, dict[int, tuple[str, int]]] = {}
    zeros: dict[str, list[Expr]] = {}
    for name in alone:
        kind = facts.kinds.get(name)
        if name in users or not isinstance(kind, Array) or not kind.shape:
            continue
        questions = [q for found in places for q in found if q.name.id == name]
        typed = any(q.typed for q in questions)
        if typed and facts.laid_out:
            continue
        others = [o for o in (*given, *_before(body, name, bound)) if o in parameters or reads[o] > asked[o]]
        arrays = [(o, k) for o in others if isinstance(k := facts.kinds.get(o), Array) and k.shape]
        arrays = [(o, k) for o, k in arrays if o in given or _lasts(kind, turns.get(name), turns.get(o))]
        alike = [o for o, k in arrays if k.shape == kind.shape and (not typed or k.dtype == kind.dtype)]
        axes = {0 if q.length and len(kind.shape) == 1 else q.axis for q in questions}
        if alike:
            changed[name] = alike[0]
        elif all(q.call is not None for q in questions) and kind.dtype == np.dtype(float):
            told = [_length(d, arrays) for d in kind.shape]
            if None not in told:
                zeros[name] = told
        elif None not in axes:
            shape = kind.shape
            same = {
                axis: next(((o, b) for o, k in arrays for b, d in enumerate(k.shape or ()) if d == shape[axis]), None)
                for axis in axes
                if axis is not None and axis < len(shape)
            }
            if len(same) == len(axes) and None not in same.values():
                lengths[name] = same  # type: ignore[assignment]
    if not (changed or lengths or zeros):
        return body
    result = []
    for top, found in zip(body, places, strict=True):
        if any(q.name.id in changed or q.name.id in lengths or q.name.id in zeros for q in found):
            top = clone(top)
            for q in list(_questions([top])):
                if q.name.id in changed:
                    q.name.id = changed[q.name.id]
                elif q.name.id in zeros:
                    told = [clone(e) for e in zeros[q.name.id]]
                    q.call.func.attr = q.call.func.attr.removesuffix("_like")
                    q.call.args = [told[0] if len(told) == 1 else gast.Tuple(told, gast.Load())]
                elif q.name.id in lengths and q.index is not None:
                    q.name.id, q.index.value = lengths[q.name.id][q.index.value]
                elif q.name.id in lengths:
                    other, axis = lengths[q.name.id][0]
                    top = _put(top, q.node, quote(f"{other}.shape[{axis}]"))
        result.append(top)
    return result


def _turns(body: list[Stmt]) -> dict[str, int]:
    """How many loops stand before the statement that binds a name, for names that are bound outside of loops."""
    found: dict[str, int] = {}
    loops = 0
    for top in body:
        inner = [s for s in nested(top) if type(s) in (gast.For, gast.While)]
        loops += bool(inner)
        if not inner:
            found.update((n.id, loops) for n in walk_names([top]) if type(n.ctx) is gast.Store)
    return found


def _lasts(kind: Array, turn: int | None, other: int | None) -> bool:
    """Are lengths that two names share by their kinds those of the same time?

    The length of what a loop carries is told by one symbol, and is another one in each turn and behind the loop.
    """
    return (turn is not None and turn == other) or all(is_fixed(d) for d in kind.shape or ())


def _length(dim: Dim, arrays: list[tuple[str, Array]]) -> Expr | None:
    """A length, as a number or as that of an axis of one of these arrays."""
    if dim.known:
        return gast.Constant(dim.const, None)
    for name, kind in arrays:
        for axis, d in enumerate(kind.shape or ()):
            if d == dim:
                return quote(f"{name}.shape[{axis}]")
    return None


class _Question(NamedTuple):
    """A place where the shape of an array is asked for."""

    name: Any
    #: the dtype, too?
    typed: bool = False
    #: the length of this axis alone, and the number that says so
    axis: int | None = None
    index: Any = None
    #: the call of np.zeros_like or np.ones_like
    call: Any = None
    #: the expression that is the length of an array of one axis
    length: bool = False
    node: Any = None


def _questions(body: list[Stmt]) -> Iterator[_Question]:
    """`a.size`, `a.shape`, `a.shape[0]`, `len(a)`, `np.zeros_like(a)` and `np.ones_like(a)`."""
    inside: set[int] = set()
    for node in (n for s in body for n in walk(s)):
        if type(node) is gast.Subscript and _is_shape(node.value) and type(node.slice) is gast.Constant:
            if type(node.slice.value) is int and node.slice.value >= 0:
                inside.add(id(node.value))
                yield _Question(node.value.value, False, node.slice.value, node.slice)
        elif type(node) is gast.Attribute and type(node.value) is gast.Name and id(node) not in inside:
            if node.attr in ("shape", "size"):
                yield _Question(node.value, length=node.attr == "size", node=node)
        elif type(node) is gast.Call and len(node.args) == 1 and not node.keywords and type(node.args[0]) is gast.Name:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            typed = name in ("zeros_like", "ones_like")
            if name == "len" or ((typed or name == "shape") and type(node.func) is gast.Attribute):
                yield _Question(node.args[0], typed, length=name == "len", node=node, call=node if typed else None)


def _put(tree: Any, old: Any, new: Any) -> Any:
    """The tree with a node replaced."""
    if tree is old:
        return new
    if isinstance(tree, list):
        return [_put(t, old, new) for t in tree]
    if isinstance(tree, gast.AST):
        for field in tree._fields:
            value = getattr(tree, field, None)
            if isinstance(value, gast.AST | list):
                setattr(tree, field, _put(value, old, new))
    return tree


def _is_shape(node: Any) -> bool:
    return type(node) is gast.Attribute and node.attr == "shape" and type(node.value) is gast.Name


def _before(body: list[Stmt], name: str, bound: Counter[str]) -> list[str]:
    """The names that are bound once, before a name is, at the top of the function."""
    found: list[str] = []
    for statement in body:
        target: Any = statement.targets[0] if type(statement) is gast.Assign and len(statement.targets) == 1 else None
        if type(target) is not gast.Name:
            if any(n.id == name and not isinstance(n.ctx, gast.Load) for n in walk_names(statement)):
                break
            continue
        if target.id == name:
            break
        if bound[target.id] == 1:
            found.append(target.id)
    return found
