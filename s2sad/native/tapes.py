"""Tapes as arrays, where a loop records numbers and as many at each turn: no list that grows, no tuples.

tape = []
for i in range(n):                    tape = np.empty((n, 2))
    tape.append((t, u))               for i in range(n):
    ...                        ->         tape[i, 0] = t
for i in reversed(range(n)):              tape[i, 1] = u
    t, u = tape.pop()                     ...
    ...                               for i in reversed(range(n)):
                                          t = tape[i, 0]
                                          u = tape[i, 1]
                                          ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    blocks_of,
    clone,
    global_name,
    is_constant,
    is_operation,
    load,
    names_bound,
    quote,
    text,
    walk,
)
from s2sad.kinds.dims import certain_lower
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Kind, Number
from s2sad.kinds.known import int_value
from s2sad.native.kinds_here import called, follow, own_lists

#: loops one inside the other, outermost first, and the statement in the innermost one
Nest = tuple[list[Any], Any]
#: a length, and what makes an index of a loop
Place = tuple[Expr, Callable[[Any], Expr]]
#: what a number is kept as
_KEPT = (float, np.float64, int, np.int64, bool, np.bool_, np.float32, complex, np.complex128)


def with_tapes_as_arrays(body: list[Stmt], facts: Facts) -> set[str]:
    """Make arrays of a function's tapes, in place; the names of these, which are read and written inside of themselves.

    A tape becomes one where one statement appends to it and one takes from it, at each turn of loops over ranges of
    which nobody leaves and which come back in reverse; ranges inside of others are equally long at each turn.

    >>> from s2sad.core import Names, quote_statements
    >>> from s2sad.kinds.kind import Array, Dim
    >>> body = quote_statements('''
    ... tape = []
    ... for i in range(1, len(x)):
    ...     tape.append((s, i))
    ...     s = s * x[i]
    ... for i in reversed(range(1, len(x))):
    ...     s, j = tape.pop()
    ...     bx[j] = bs * s
    ... ''')
    >>> kinds = {"s": Number(float), "x": Array(np.dtype(float), (Dim.symbol("n"),))}
    >>> facts = Facts(kinds=kinds, taken=Names(["tape"]), globals={"np": np})
    >>> sorted(with_tapes_as_arrays(body, facts))
    ['tape', 'tape_1']
    >>> print(text(body))
    tape = np.empty(len(x))
    tape_1 = np.empty(len(x), dtype=np.int64)
    for i in range(1, len(x)):
        tape[i] = s
        tape_1[i] = i
        s = s * x[i]
    for i in reversed(range(1, len(x))):
        s = tape[i]
        j = tape_1[i]
        bx[j] = bs * s
    """
    kinds: dict[int, dict[str, Kind]] = {}
    names = own_lists(body)
    if names:
        follow(body, facts, lambda statement, here: kinds.__setitem__(id(statement), dict(here.kinds)))
    made = set[str]()
    for name in sorted(names):
        uses = [n for s in body for n in walk(s) if isinstance(n, gast.Name) and n.id == name]
        if len(uses) == 3:
            _Tape(name, facts, kinds, made).look(body)
    return made


class _Tape:
    def __init__(self, name: str, facts: Facts, kinds: dict[int, dict[str, Kind]], made: set[str]) -> None:
        self.name, self.facts, self.kinds, self.made = name, facts, kinds, made

    def look(self, block: list[Any]) -> None:
        """Look for the block in which the tape is made, and make arrays of it."""
        for place, statement in enumerate(block):
            if _makes(statement, self.name):
                rest = block[place + 1 :]
                kept, taken = self.nest(rest, "append"), self.nest(rest, "pop")
                if kept is not None and taken is not None and self.is_reverse(kept[0], taken[0]):
                    self.replace(block, kept, taken)
                return
            for inner in blocks_of(statement):
                self.look(inner)

    def nest(self, block: list[Any], method: str) -> Nest | None:
        """The loops around the statement that calls the method, all of which are over ranges that come to their end."""
        for statement in block:
            if isinstance(statement, gast.For) and not statement.orelse:
                found = self.nest(statement.body, method)
                if found is not None:
                    target: Any = statement.target
                    own = isinstance(target, gast.Name) and target.id not in names_bound(statement.body)
                    return ([statement, *found[0]], found[1]) if own and not _is_left(statement.body) else None
            value = statement.value if isinstance(statement, (gast.Expr, gast.Assign)) else None
            func = value.func if isinstance(value, gast.Call) else None
            if isinstance(func, gast.Attribute) and func.attr == method and getattr(func.value, "id", "") == self.name:
                return [], statement
        return None

    def is_reverse(self, loops: list[Any], back: list[Any]) -> bool:
        """Do the second loops run through what the first ones do, last to first? Are their lengths known before?"""
        again = [loop.iter for loop in back]
        if not loops or not all(
            isinstance(turns, gast.Call) and called(turns.func, self.facts) is reversed for turns in again
        ):
            return False
        ranges = [loop.iter for loop in loops]
        changed = names_bound(loops[0].body) | {loop.target.id for loop in loops}
        return [text(turns.args[0]) for turns in again] == [text(turns) for turns in ranges] and all(
            isinstance(turns, gast.Call) and called(turns.func, self.facts) is range
            and all(map(_is_plain, turns.args)) and (k == 0 or not changed & _names(turns))
            for k, turns in enumerate(ranges)
        )  # fmt: skip

    def replace(self, block: list[Any], kept: Nest, taken: Nest) -> None:
        """Make arrays, one for each dtype, where what is recorded is numbers."""
        (loops, append), (back, pop) = kept, taken
        here = replace(self.facts, kinds=self.kinds.get(id(append), {}))
        values = _parts(append.value.args[0])
        targets = _parts(pop.targets[0]) if isinstance(pop, gast.Assign) else []
        kinds = [infer(value, here) for value in values]
        numbers = [kind for kind in kinds if isinstance(kind, Number) and _is_kept(kind)]
        places = [place for loop in loops if (place := _place(loop, here)) is not None]
        turns = {loop.target.id for loop in back}
        if len(places) < len(loops) or not len(numbers) == len(values) == len(targets):
            return
        if not all(isinstance(target, gast.Name) and target.id not in turns for target in targets):
            return
        arrays: dict[str, list[int]] = {}
        for k, kind in enumerate(numbers):
            arrays.setdefault(np.dtype(kind.type).name, []).append(k)
        made, at = list[Stmt](), dict[int, tuple[str, list[Expr]]]()
        for dtype, parts in arrays.items():
            name = self.facts.fresh(self.name) if made else self.name
            made.append(assign(name, self.empty([length for length, _ in places], len(parts), dtype)))
            at.update((part, (name, [gast.Constant(k, None)] * (len(parts) > 1))) for k, part in enumerate(parts))
            self.made.add(name)

        def element(k: int, nest: list[Any], context: Any) -> Any:
            index = [*(index(loop) for (_, index), loop in zip(places, nest, strict=True)), *at[k][1]]
            return gast.Subscript(
                load(at[k][0]), index[0] if len(index) == 1 else gast.Tuple(index, gast.Load()), context
            )

        writes = [assign(element(k, loops, gast.Store()), value) for k, value in enumerate(values)]
        _put(loops[-1].body, append, writes)
        _put(back[-1].body, pop, [assign(t, element(k, back, gast.Load())) for k, t in enumerate(targets)])
        _put(block, next(s for s in block if _makes(s, self.name)), [])
        _put(block, loops[0], [*made, loops[0]])

    def empty(self, lengths: list[Expr], parts: int, dtype: str) -> Expr:
        np_ = load(global_name(np, "np", self.facts))
        lengths = [clone(n) for n in lengths] + ([] if parts == 1 else [gast.Constant(parts, None)])
        shape = lengths[0] if len(lengths) == 1 else gast.Tuple(lengths, gast.Load())
        made: Any = quote("np.empty(shape)", np=np_, shape=shape)
        if dtype != "float64":
            made.keywords.append(gast.keyword("dtype", quote(f"np.{dtype}" + "_" * (dtype == "bool"), np=np_)))
        return made


def _place(loop: Any, facts: Facts) -> Place | None:
    """How many places an array has for the turns of a loop over a range, and what makes its index of a loop like it.

    None: there would be many that nothing stands in.
    """
    given = loop.iter.args
    start, stop = given[:2] if len(given) > 1 else [gast.Constant(0, None), given[0]]
    step = text(given[2]) if len(given) > 2 else "1"
    if step not in ("1", "-1"):
        return None
    low, high = (start, stop) if step == "1" else (_one_more(stop), _one_more(start))
    least = int_value(infer(low, facts))
    if least is not None and least.known and 0 <= least.const <= 2:
        length, index = high, lambda one: load(one.target.id)
    else:
        length, index = quote("high - low", high=high, low=low), lambda one: quote("i - low", i=one.target.id, low=low)
    least = int_value(infer(length, facts))
    is_natural = least is not None and (certain_lower(least) or -1) >= 0
    return length if is_natural or _is_length(length) else quote("max(n, 0)", n=length), index


def _one_more(node: Any) -> Expr:
    if is_operation(node, gast.Sub) and is_constant(node.right, 1):
        return clone(node.left)
    return gast.Constant(0, None) if text(node) == "-1" else quote("n + 1", n=node)


def _is_length(node: Any) -> bool:
    """Is it the length of something, which is no negative number?"""
    if isinstance(node, gast.Subscript):
        return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
    return isinstance(node, gast.Call) and getattr(node.func, "id", None) == "len"


def _is_plain(node: Any) -> bool:
    """Can it be computed once more? It is made of names, lengths and constants."""
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, (gast.Add, gast.Sub, gast.Mult)) and _is_plain(node.left) and _is_plain(node.right)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.USub) and _is_plain(node.operand)
    if isinstance(node, gast.Call):
        return _is_length(node) and isinstance(node.args[0], gast.Name)
    return isinstance(node, (gast.Name, gast.Constant)) or _is_length(node)


def _is_left(body: list[Any]) -> bool:
    """May a turn of the loop end in its middle, but for what is raised?"""
    return any(isinstance(n, (gast.Break, gast.Continue, gast.Return)) for s in body for n in walk(s))


def _names(node: Any) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, gast.Name)}


def _parts(node: Any) -> list[Any]:
    return list(node.elts) if isinstance(node, gast.Tuple) else [node]


def _is_kept(kind: Number) -> bool:
    """Has it one dtype at each turn? (A float that may be an int is a float in a kernel.)"""
    if kind.type not in _KEPT:
        return False
    own = np.dtype(kind.type)
    return all(np.dtype(t) == own or (t is int and own == np.float64) for t in kind.of_types())


def _makes(statement: Any, name: str) -> bool:
    return isinstance(statement, gast.Assign) and getattr(statement.targets[0], "id", None) == name


def _put(block: list[Any], old: Any, new: list[Any]) -> None:
    place = next(k for k, statement in enumerate(block) if statement is old)
    for statement in new[:1]:
        statement.__dict__.update({k: v for k, v in old.__dict__.items() if k in ("origin", "comment")})
    block[place : place + 1] = new
