"""How a person says it, where Python has a shorter phrase: loops over items, adjoints that start as the same number;
and what the functions that are called are there for.

The last step before printing, of what is not compiled: kernels are made of the plain forms.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import gast

from s2sad.analysis.effects import nested
from s2sad.analysis.scope import Scope
from s2sad.core import Facts, Stmt, load, names_bound, quote, walk_names
from s2sad.emit.gathered import argument_of, gathered, of_one_line, reads_outside
from s2sad.kinds.kind import Array, List, ListOf, Tuple
from s2sad.request import Derived
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields
from s2sad.tidy.renest import LINE


def phrased(derived: Derived) -> Derived:
    """A derivation with its functions in the words of a person; the same one where nothing changes."""
    *others, main = derived.functions
    main = with_fields(main, body=over_items(main.body, derived.facts))
    functions = [with_fields(f, body=gathered(f.body, derived.facts)) for f in (*others, main)]
    functions = [with_fields(f, body=started_together(f.body)) for f in functions]
    functions = [told(f, derived.lines) for f in functions]
    same = all(new is old for new, old in zip(functions, derived.functions, strict=True))
    return derived if same else replace(derived, functions=functions)


def told(function: Any, lines: dict[str, str]) -> Any:
    """A function with its line as its docstring, where it has one and room for it.

    >>> from s2sad.core import statements, text
    >>> print(text([told(statements("def f_bwd(x, g): return g * x")[0], {"f_bwd": "Grad of f: The loss."})]))
    def f_bwd(x, g):
        \"\"\"Grad of f: The loss.\"\"\"
        return g * x
    """
    line = lines.get(function.name, "")
    if not line or len(line) > LINE - 10 or not line.isprintable():
        return function
    return with_fields(function, body=[gast.Expr(gast.Constant(line, None)), *function.body])


def over_items(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements of a function with loops over items where the position is asked for nothing else.

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> facts = Facts(kinds={"x": Array(np.dtype(float), (Dim.symbol("n"),))})
    >>> loop = "for k in reversed(range(len(x))):\\n  v = x[k]\\n  s += v * v"
    >>> print(text(over_items(statements(loop), facts)))
    for v in reversed(x):
        s += v * v
    """
    loops = [s for top in body for s in nested(top) if type(s) is gast.For]
    found = {id(s): _by_position(s, facts) for s in loops}
    if not any(found.values()):
        return _in_functions(body, facts)
    scope = Scope(body, facts)
    made = {}
    for loop in loops:
        turns = found.get(id(loop))
        if turns is not None and (phrase := _phrase(loop, turns, body, scope)) is not None:
            made[id(loop)] = *phrase, turns.takes

    def visit(block: list[Stmt]) -> list[Stmt]:
        out = []
        for s in block:
            new: Any = with_blocks(s, visit)
            if id(s) in made:
                target, items, takes = made[id(s)]
                rest = [part for part, old in zip(new.body, s.body, strict=True) if not any(old is t for t in takes)]
                new = with_fields(new, target=target, iter=items, body=rest)
            out.append(new)
        return out

    return _in_functions(visit(body), facts)


def _in_functions(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The same in the functions inside."""
    return [with_fields(s, body=over_items(s.body, facts)) if type(s) is gast.FunctionDef else s for s in body]


@dataclass
class _Turns:
    """A loop over all positions of arrays or lists, and the statements that take their items."""

    bases: list[Any]
    takes: list[Any]
    backwards: bool


def _by_position(loop: Any, facts: Facts) -> _Turns | None:
    """What a loop over all positions of an array or a list runs over, or of several as long as the shortest of them;
    None where not all of them give an item."""
    if type(loop.target) is not gast.Name:
        return None
    backwards = argument_of(loop.iter, "reversed")
    turns = argument_of(loop.iter if backwards is None else backwards, "range")
    least = type(turns) is gast.Call and type(turns.func) is gast.Name and turns.func.id == "min"
    bases = [argument_of(n, "len") for n in (turns.args if least else [turns])]
    if not all(_gives_items(base, facts) for base in bases) or (least and backwards is not None):
        return None
    takes = [_take_of(loop, base.id) for base in bases]
    if None in takes or len({t.targets[0].id for t in takes}) < len(takes) or len(loop.body) <= len(takes):
        return None
    return _Turns(bases, takes, backwards is not None)


def _gives_items(base: Any, facts: Facts) -> bool:
    kind = facts.kinds.get(base.id) if type(base) is gast.Name else None
    table = type(base) is gast.Name and kind is None and type(facts.globals.get(base.id)) in (list, tuple)
    return table or isinstance(kind, (Array, List, ListOf)) or (isinstance(kind, Tuple) and kind.cls is tuple)


def _take_of(loop: Any, base: str) -> Any:
    """The statement of a loop that takes the item of a turn."""
    for s in loop.body:
        value: Any = s.value if type(s) is gast.Assign else None
        if type(value) is gast.Subscript and type(value.slice) is gast.Name and value.slice.id == loop.target.id:
            plain = type(value.value) is gast.Name and value.value.id == base and len(s.targets) == 1
            if plain and type(s.targets[0]) is gast.Name and not s.__dict__.get("comment"):
                return s
    return None


def _phrase(loop: Any, turns: _Turns, body: list[Stmt], scope: Scope) -> tuple[Any, Any] | None:
    """The target of a loop over items, and what it runs over; None where it has to go by position."""
    if not all(_may_be_taken(loop, take, scope) for take in turns.takes):
        return None
    item: Any = turns.takes[0].targets[0]
    items: Any = turns.bases[0]
    if len(turns.takes) > 1:
        item = gast.Tuple([take.targets[0] for take in turns.takes], gast.Store())
        items = gast.Call(load("zip"), turns.bases, [])
    if _asks_nothing_else(loop, turns.takes, body):
        return item, quote("reversed(x)", x=items) if turns.backwards else items
    if turns.backwards or not all(of_one_line(loop, take) for take in turns.takes):
        return None  # (the user's own loop by position stays one)
    return gast.Tuple([loop.target, item], gast.Store()), gast.Call(load("enumerate"), [items], [])


def _may_be_taken(loop: Any, take: Any, scope: Scope) -> bool:
    """May an item be taken as the turn starts, and stays what is run over?"""
    position, item = loop.target.id, take.targets[0].id
    base = take.value.value.id
    if base in names_bound(loop) or position == item:
        return False
    memory = scope.memory(base)
    if any(scope.deep(s)[2] & memory for s in loop.body):
        return False
    return item not in {n.id for s in loop.body[: loop.body.index(take)] for n in walk_names(s)}


def _asks_nothing_else(loop: Any, takes: list[Any], body: list[Stmt]) -> bool:
    """Is the position read for the items alone?"""
    position = loop.target.id
    for s in loop.body:
        if any(s is take for take in takes):
            continue
        names = {type(n.ctx) for n in walk_names(s) if n.id == position}
        if gast.Load in names or (names and type(s) is not gast.Assign):
            return False
        if names:
            break  # it is the name of something else from here on
    return not reads_outside(body, position, loop)


def started_together(body: list[Stmt]) -> list[Stmt]:
    """The statements with numbers of the derivative that start as the same constant, in one place, as one statement.

    >>> from s2sad.core import statements, text
    >>> print(text(started_together(statements("ba = 0.0\\nbu = zeros(n)\\nbb = 0.0\\nbc = 1.0\\nba += bc"))))
    ba = bb = 0.0
    bu = zeros(n)
    bc = 1.0
    ba += bc
    """
    out: list[Any] = []
    for s in body:
        at = _start_of(out, s)
        if at is None:
            out.append(with_blocks(s, started_together))
        else:
            out[at] = with_fields(out[at], targets=[*out[at].targets, *s.targets])
    return out


def _start_of(before: Collection[Any], s: Any) -> int | None:
    """Where the same number is given to another name, if nothing but such starts stands in between."""
    if not _starts(s) or type(s.value) is not gast.Constant or s.__dict__.get("comment"):
        return None
    name, value = s.targets[0].id, s.value.value
    if type(value) is not float:
        return None
    for at, other in reversed(list(enumerate(before))):
        if not _starts(other) or any(n.id == name for n in walk_names(other)):
            return None
        if type(other.value) is gast.Constant and repr(other.value.value) == repr(value):
            return int(at)
    return None


def _starts(s: Any) -> bool:
    """Does the derivative give a name its first value here, as far as that can be seen?"""
    return type(s) is gast.Assign and all(type(t) is gast.Name for t in s.targets) and not is_users(s)
