"""Structural zeros: whose adjoints and tangents are zero in places because a piece was left out.

What a mask, an index, `np.triu`, a store or a branch leaves out of a value has a zero adjoint there, whatever the
slopes are on the way on: where one of these is infinite the product has to be 0, not nan. This says for which values
that may happen; `s2sad.analysis.ranges` says which slopes may be infinite. Only where both meet is a product made safe.

    t = np.sqrt(s)          WHOLE   all of it may be left out: what a branch, or np.where of a number, reads
    u = t[1:]               PARTS   elements of it may be left out
    for i in ...: t[i]      SWEPT   elements are read one by one, perhaps all of them
                            FULL    nothing is left out
"""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.analysis.ranges import called_name, finite
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    atom_key,
    blocks_of,
    clone,
    is_constant,
    is_operation,
    items_of,
    leaves,
    load,
    names_bound,
    names_read,
    replace_names,
    walk,
)
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Static
from s2sad.knowledge import registry
from s2sad.knowledge.rule import Rule
from s2sad.normal.calls.functions import CoreFunction

WHOLE, PARTS, SWEPT, FULL = range(4)

#: a place: the branches around a statement, with the sides of them
Path = tuple[tuple[int, int], ...]
#: for core functions, by argument or result: a level, and whether it may be infinite
Inside = dict[CoreFunction, list[tuple[int, bool]]]


@dataclass
class _Use:
    """What a value gets from the adjoints of what was made of it."""

    path: Path
    #: the keys whose adjoints these are; None: the result of the function
    results: tuple[str, ...] | None
    most: int = FULL
    #: is it a piece of an array (an item of a display, what was stored)?
    piece: bool = False
    #: may the slope be infinite?
    steep: bool = False
    #: are the results the items of an array or a list: `a, b = y`?
    apart: bool = False


@dataclass
class Zeros:
    """Levels of keys; what is not there is FULL."""

    adjoints: dict[str, int] = field(default_factory=dict)
    tangents: dict[str, int] = field(default_factory=dict)
    #: for each core function that is called, the levels of the adjoints of its results (of the tangents of its
    #: arguments), and whether these may be infinite
    calls: dict[CoreFunction, list[tuple[int, bool]]] = field(default_factory=dict)
    #: keys whose adjoints may be infinite
    infinite: set[str] = field(default_factory=set)
    #: is what is left out perhaps nan, and any slope with it?
    of_nan: bool = False


def structural_zeros(
    body: list[Stmt],
    facts: Facts,
    results: dict[str, int],
    infinite: Iterable[str] = (),
    inside: Inside | None = None,
) -> Zeros:
    """The levels of the adjoints of a body's values.

    Args:
        results: the atoms of the result, with the levels of their cotangents.
        infinite: those whose cotangents may be infinite.
        inside: what core functions leave out of their arguments, whose adjoints may be infinite.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> x = Array(np.dtype(float), None)
    >>> facts = Facts(kinds={"s": x, "t": x, "u": x}, varied={"s", "t", "u"})
    >>> first, second = statements("t = np.sqrt(s)\\nu = t[1:]")
    >>> first.apply = np.sqrt, [first.value.args[0]], {}
    >>> second.apply = operator.getitem, [second.value.value], {}
    >>> structural_zeros([first, second], facts, {"u": FULL}).adjoints
    {'s': 1, 't': 1}
    """
    return _Reverse(facts, results, set(infinite), inside or {}).run(body)


class _Reverse:
    def __init__(self, facts: Facts, results: dict[str, int], infinite: set[str], inside: Inside) -> None:
        self.facts, self.results, self.infinite, self.inside = facts, results, infinite, inside
        self.uses: dict[str, list[_Use]] = {}
        self.made: dict[str, Path] = {}
        self.stored: set[str] = set()
        self.calls: list[tuple[CoreFunction, tuple[str, ...]]] = []
        self.counters: set[str] = set()
        #: those of loops that begin later than with the first item
        self.late: set[str] = set()
        #: how many loops are around the statement
        self.loops = 0
        #: what is put into lists, and stored over the whole of arrays
        self.filled: list[tuple[str, Expr, Path]] = []
        #: the lists that something is put into
        self.lists: set[str] = set()
        #: arrays and lists of which parts are overwritten, or thrown away
        self.patched: set[str] = set()
        #: the lists that give up items, and what these become
        self.popped: list[tuple[str, tuple[str, ...]]] = []

    def run(self, body: list[Stmt]) -> Zeros:
        self.block(body, ())
        self.patched |= {held for held, keys in self.popped if not any(k in self.uses for k in keys)}
        for base, value, path in self.filled:
            self.piece_of(base, value, path, PARTS if base in self.patched else FULL)
        for key in (*self.results, *(k for k in self.lists if k not in self.made)):  # the caller reads its lists
            self.use(key, _Use((), None))
        levels = dict.fromkeys(self.uses, WHOLE)
        backwards = list(self.uses)[::-1]  # a level hangs on those of what is made later
        changed = True
        while changed:
            changed = False
            for key in backwards:
                new = self.level(key, levels)
                if new > levels[key]:
                    levels[key], changed = new, True
        for key in self.stored:
            if key in levels:
                levels[key] = min(levels[key], PARTS)
        changed = True
        while changed:
            changed = False
            for key in backwards:
                if key not in self.infinite and any(map(self.is_steep, self.uses[key])):
                    self.infinite.add(key)
                    changed = True
        found = Zeros(adjoints={k: v for k, v in levels.items() if v < FULL}, infinite=self.infinite)
        found.of_nan = any(map(_looks_for_nan, body))
        for function, keys in self.calls:
            now = [(levels.get(k, FULL), k in self.infinite) for k in keys]
            found.calls[function] = joined(found.calls.get(function), now)
        return found

    def is_steep(self, use: _Use) -> bool:
        return use.steep or any(key in self.infinite for key in use.results or ())

    def level(self, key: str, levels: dict[str, int]) -> int:
        at = self.made.get(key, ())
        return self.at(at, [(use.path, self.of(key, use, levels)) for use in self.uses[key]])

    def at(self, path: Path, found: list[tuple[Path, int]]) -> int:
        """The level that uses give to a value that is made at a place."""
        best = WHOLE
        inner: dict[int, list[tuple[Path, int]]] = {}
        for place, level in found:
            if place == path[: len(place)]:
                best = max(best, level)
            elif place[: len(path)] == path:
                inner.setdefault(place[len(path)][0], []).append((place, level))
            # else: the use is in a branch beside that of the definition, in another turn of a loop
        for branch, uses in inner.items():
            best = max(best, min(self.at((*path, (branch, side)), uses) for side in (0, 1)))
        return best

    def of(self, key: str, use: _Use, levels: dict[str, int]) -> int:
        if use.results is None:
            level = self.results.get(key, FULL)
        else:
            found = [levels.get(k, WHOLE) for k in use.results]
            level = max(found, default=WHOLE)
            if use.apart and level > WHOLE:
                level = max(PARTS, min(found))
            if not use.piece and any(k in self.stored for k in use.results):
                level = min(level, PARTS)  # what was there before the store
        kinds = self.facts.kinds
        of_list = any(isinstance(kinds.get(k), ListOf) for k in use.results or ())
        if use.piece and (of_list or is_number(kinds.get(key))):
            level = min(level, use.most)
            return {PARTS: WHOLE, SWEPT: FULL}.get(level, level)
        return min(level, use.most)

    # --- uses

    def use(self, key: str, use: _Use) -> None:
        self.uses.setdefault(key, []).append(use)

    def block(self, body: list[Stmt], path: Path) -> None:
        for statement in body:
            if isinstance(statement, gast.If):
                self.block(statement.body, (*path, (id(statement), 0)))
                self.block(statement.orelse, (*path, (id(statement), 1)))
                continue
            if isinstance(statement, gast.For):
                counters = names_bound([gast.Assign([statement.target], gast.Constant(0, None), None)])
                self.counters |= counters
                if _begins_late(statement.iter):
                    self.late |= counters
            turns = isinstance(statement, (gast.For, gast.While))
            self.loops += turns
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(statement, name, None)
                if isinstance(inner, list) and inner and isinstance(inner[0], gast.stmt):
                    self.block(inner, path)
            for handler in getattr(statement, "handlers", None) or ():
                self.block(handler.body, path)
            self.loops -= turns
            self.statement(statement, path)

    def statement(self, node: Stmt, path: Path) -> None:
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Subscript):
                self.store(target, node.value, path, gone=True)
                return
            keys = tuple(e.id for _, e in leaves(target)) if isinstance(target, gast.Tuple) else (target.id,)
            for key in keys:
                self.made[key] = _common(self.made.get(key, path), path)
            self.assign(node, keys, path)
        elif isinstance(node, gast.AugAssign):
            self.store(node.target, node.value, path, gone=False)
        elif isinstance(node, gast.Expr):
            scatter = getattr(node, "scatter", None)
            application = getattr(node, "apply", None)
            if scatter is not None:
                self.piece_of(atom_key(scatter[0]), scatter[2], path)
            elif application is not None and isinstance(application[0], CoreFunction):
                self.assign(node, (), path)
            elif (held := list_of_method(node.value, self.facts)) is not None:
                self.lists.add(held)
                self.filled += [(held, value, path) for value in node.value.args]
                if node.value.func.attr in ("pop", "clear", "remove"):
                    self.popped.append((held, ()))

    def store(self, target: Expr, value: Expr, path: Path, gone: bool) -> None:
        base = atom_key(target.value if isinstance(target, gast.Subscript) else target)
        of_list = isinstance(self.facts.kinds.get(base), ListOf)
        if of_list:
            self.lists.add(base)
        if gone:
            self.stored.add(base)
            if is_everything(target.slice):
                self.filled.append((base, value, path))
                return
            if not (of_list and self.sweeps(target.slice)):
                self.patched.add(base)
        self.piece_of(base, value, path)

    def piece_of(self, base: str, value: Expr, path: Path, most: int = FULL) -> None:
        for key in self.active(value):
            self.use(key, _Use(path, (base,), most, piece=True))

    def is_list(self, base: Expr) -> bool:
        return isinstance(self.facts.kinds.get(_key(base)), ListOf)

    def everything(self, value: Expr, path: Path) -> None:
        """What is not followed leaves nothing out."""
        for node in walk(value):
            if isinstance(node, (gast.Name, gast.Subscript, gast.Attribute)):
                key = atom_key(node)
                if key in self.facts.varied:
                    self.use(key, _Use(path, None))

    def active(self, value: Expr) -> Iterator[str]:
        if isinstance(value, (gast.Tuple, gast.List)):
            for item in value.elts:
                yield from self.active(item)
        elif not isinstance(value, gast.Constant) and atom_key(value) in self.facts.varied:
            yield atom_key(value)

    def assign(self, node: Any, keys: tuple[str, ...], path: Path) -> None:
        application = getattr(node, "apply", None)
        if application is None:
            self.copied(node, keys, path)
            return
        function, args, kwargs = application
        if keys and not any(k in self.facts.varied for k in keys):
            return
        if function is operator.getitem:
            self.item(args[0], node.value.slice, keys, path)
            return
        if isinstance(function, CoreFunction):
            self.calls.append((function, keys))
        kinds = self.facts.kinds
        rule = None if isinstance(function, CoreFunction) else registry.lookup(function)
        most = PARTS if leaves_out(rule, args, kwargs, self.facts) else FULL
        steep = rule is not None and is_steep(rule, keys, args, self.facts)
        inside = self.inside.get(function, []) if isinstance(function, CoreFunction) else []
        for position, arg in enumerate((*args, *kwargs.values())):
            if position < len(inside):
                most, steep = inside[position]
            display = isinstance(arg, (gast.Tuple, gast.List))
            for key in self.active(arg):
                own = kinds.get(key)
                elements = WHOLE if most < FULL and is_number(own) else most
                if isinstance(own, ListOf) and isinstance(function, CoreFunction):
                    self.use(key, _Use(path, None))
                else:
                    self.use(key, _Use(path, keys, elements, display, steep))

    def copied(self, node: Any, keys: tuple[str, ...], path: Path) -> None:
        value = node.value
        held = list_of_method(value, self.facts)
        if held is not None:
            self.popped.append((held, keys))
        keys = tuple(k for k in keys if k in self.facts.varied)
        if not keys:
            return
        simple = isinstance(value, (gast.Name, gast.Attribute, gast.Subscript)) and atom_key(value) in self.facts.kinds
        if simple:
            if atom_key(value) in self.facts.varied:
                self.use(atom_key(value), _Use(path, keys, apart=True))
        elif isinstance(value, gast.Subscript) and isinstance(self.facts.kinds.get(_key(value.value)), (Array, ListOf)):
            self.item(value.value, value.slice, keys, path)
        elif isinstance(value, gast.List) or (isinstance(value, gast.BinOp) and self.is_list(node.targets[0])):
            for part in (value.left, value.right) if isinstance(value, gast.BinOp) else (value,):
                for key in self.active(part):
                    self.use(key, _Use(path, keys, piece=isinstance(part, gast.List)))
        elif held is not None:  # it gives up an item
            self.use(held, _Use(path, keys, SWEPT if self.loops else PARTS, apart=True))
        elif not isinstance(value, gast.Call):  # what a call makes that has no derivative, such as np.zeros_like(y)
            self.everything(value, path)

    def item(self, base: Expr, index: Expr, keys: tuple[str, ...], path: Path) -> None:
        key = atom_key(base)
        if key not in self.facts.varied:
            return
        if self.is_list(base):
            most = SWEPT if self.sweeps_list(index) else PARTS
        else:
            most = FULL if is_everything(index) else SWEPT if self.sweeps(index) else PARTS
        self.use(key, _Use(path, keys, most, apart=True))

    def sweeps_list(self, index: Expr) -> bool:
        """Are all items of a list read in turn: by a counter that begins with the first, or `[i - 1]`, or as the last
        one of a list that grows?"""
        if isinstance(index, gast.Name):
            return index.id in self.counters - self.late
        return (self.loops > 0 and gast.unparse(index) == "-1") or self.sweeps(index)

    def sweeps(self, index: Expr) -> bool:
        """Is it an index by the counters of loops, such as `[i - 1, j]` or `[i, :]`?"""
        parts = items_of(index)
        counted = False
        for part in parts:
            names = {n.id for n in walk(part) if isinstance(n, gast.Name)}
            if names and not names & self.counters and not isinstance(part, gast.Slice):
                return False
            counted = counted or bool(names & self.counters)
        return counted


def leaves_out(rule: Rule | None, args: list[Expr], kwargs: dict[str, Expr], facts: Facts) -> bool:
    """May a call leave elements of an argument out? Also a product with a mask does, and counts that may be 0."""
    if rule is None:
        return False
    if rule.name in ("operator.mul", "np.multiply") and any(is_mask(facts.kinds.get(_key(a))) for a in args):
        return True
    if rule.counts is not None:
        name, position = rule.counts
        given = kwargs.get(name, args[position] if position < len(args) else gast.Constant(1, None))
        return not all(_is_count(atom, facts) for atom in _atoms(given))
    return "where" in kwargs or rule.selects


def _is_count(atom: Expr, facts: Facts) -> bool:
    """Is it a number, and not a literal 0?"""
    from s2sad.kinds.infer import infer

    return atom.value != 0 if isinstance(atom, gast.Constant) else is_number(infer(atom, facts))


def is_mask(kind: Kind | None) -> bool:
    """Is it a bool, or an array of bools?"""
    if isinstance(kind, Array):
        return kind.dtype is not None and kind.dtype.kind == "b"
    return isinstance(kind, Number) and kind.type in (bool, np.bool_)


def joined(one: list[tuple[int, bool]] | None, other: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """What two callers say of the adjoints of a function's results."""
    if one is None:
        return other
    return [(min(a, b), s or t) for (a, s), (b, t) in zip(one, other, strict=True)]


def is_steep(rule: Rule, keys: Iterable[str], args: list[Expr], facts: Facts) -> bool:
    """May a slope that a rule gives be infinite, for these arguments?"""
    template = rule.partials or rule.adjoint
    if template is None:
        return False
    key = next(iter(keys), None)
    parts = {template.result: load(key)} if key is not None else {}
    parts |= {p.name: arg for p, arg in zip(template.parameters, args, strict=False)}
    number = all(is_number(facts.kinds.get(k)) for k in keys)
    return not all(finite(replace_names(clone(value), parts), facts, numbers=number) for value in template.values)


def list_of_method(call: Expr, facts: Facts) -> str | None:
    """The list of which a method is called, such as `append` or `pop`."""
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    key = _key(call.func.value)
    return key if isinstance(facts.kinds.get(key), ListOf) else None


def _looks_for_nan(statement: Stmt) -> bool:
    """Does a function ask which of its values are nan, or is one called that leaves these out?"""
    names = (getattr(n.func, "attr", "") for n in walk(statement) if isinstance(n, gast.Call))
    return any(name.startswith("nan") or name in ("isnan", "isfinite") for name in names)


def _begins_late(header: Expr) -> bool:
    """Does a loop begin with a later item than the first: `range(1, n)`?"""
    if not isinstance(header, gast.Call) or getattr(header.func, "id", None) != "range" or len(header.args) < 2:
        return False
    return not (isinstance(header.args[0], gast.Constant) and header.args[0].value == 0)


def _key(atom: Expr) -> str:
    return atom_key(atom) if isinstance(atom, (gast.Name, gast.Subscript, gast.Attribute)) else ""


def _common(a: Path, b: Path) -> Path:
    return tuple(x for x, y in zip(a, b, strict=False) if x == y) if a != b else a


def is_number(kind: Kind | None) -> bool:
    return isinstance(kind, Static) or (kind is not None and kind.rank == 0)


def is_everything(index: Expr) -> bool:
    """Does an index take all of an array: `[...]`, `[:, None]`, `[::-1]`?"""
    for part in items_of(index):
        if isinstance(part, gast.Slice):
            step = part.step
            turned = isinstance(step, gast.UnaryOp) and getattr(step.operand, "value", None) == 1
            if part.lower is not None or part.upper is not None or not (step is None or turned):
                return False
        elif not is_constant(part, None, ...):
            return False
    return True


def tangent_zeros(
    body: list[Stmt], facts: Facts, given: dict[str, tuple[int, bool]], inside: Inside | None = None
) -> Zeros:
    """The levels of the tangents of a body's values: what is constant in places has a zero tangent there.

    Args:
        given: for parameters, the levels of their tangents, and whether these may be infinite.
        inside: what core functions leave constant in their results, whose tangents may be infinite.
    """
    return _Forward(facts, given, inside or {}).run(body)


class _Forward:
    def __init__(self, facts: Facts, given: dict[str, tuple[int, bool]], inside: Inside) -> None:
        self.facts, self.inside = facts, inside
        self.levels = {name: level for name, (level, _) in given.items()}
        self.infinite = {name for name, (_, infinite) in given.items() if infinite}
        self.calls: list[tuple[CoreFunction, list[Expr]]] = []
        self.made: dict[str, list[tuple[Path, Any]]] = {}
        #: what is put into lists
        self.put: dict[str, list[Expr]] = {}

    def run(self, body: list[Stmt]) -> Zeros:
        self.collect(body, ())
        changed = True
        while changed:
            changed = False
            for key, definitions in self.made.items():
                new = self.level(key, definitions)
                if new < self.levels.get(key, FULL):
                    self.levels[key], changed = new, True
        changed = True
        while changed:
            found = {k for k, made in self.made.items() if any(self.is_infinite(s) for _, s in made)}
            found |= {k for k, values in self.put.items() if any(_key(v) in self.infinite for v in values)}
            changed = not found <= self.infinite
            self.infinite |= found
        zeros = Zeros(tangents={k: v for k, v in self.levels.items() if v < FULL}, infinite=self.infinite)
        for function, args in self.calls:
            now = [
                (self.levels.get(k, FULL) if k in self.facts.varied else WHOLE, k in self.infinite)
                for k in map(_key, args)
            ]
            zeros.calls[function] = joined(zeros.calls.get(function), now)
        return zeros

    def is_infinite(self, node: Any) -> bool:
        """May the tangent of what a statement makes be infinite?"""
        infinite = self.infinite
        application = getattr(node, "apply", None)
        if application is None:
            return any(_key(n) in infinite for n in walk(node.value))
        function, args, kwargs = application
        if any(_key(a) in infinite for arg in (*args, *kwargs.values()) for a in _atoms(arg)):
            return True
        if isinstance(function, CoreFunction):
            return any(steep for _, steep in self.inside.get(function, []))
        rule = None if function is operator.getitem else registry.lookup(function)
        target = node.targets[0]
        keys = [target.id] if isinstance(target, gast.Name) else []
        return rule is not None and is_steep(rule, keys, args, self.facts)

    def collect(self, body: list[Stmt], path: Path) -> None:
        for statement in body:
            if isinstance(statement, gast.If):
                self.collect(statement.body, (*path, (id(statement), 0)))
                self.collect(statement.orelse, (*path, (id(statement), 1)))
                continue
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(statement, name, None)
                if isinstance(inner, list) and inner and isinstance(inner[0], gast.stmt):
                    self.collect(inner, path)
            for handler in getattr(statement, "handlers", None) or ():
                self.collect(handler.body, path)
            application = getattr(statement, "apply", None)
            held = list_of_method(statement.value, self.facts) if isinstance(statement, gast.Expr) else None
            if held is not None:
                self.put.setdefault(held, []).extend(v for arg in statement.value.args for v in _atoms(arg))
            if application is not None and isinstance(application[0], CoreFunction):
                self.calls.append((application[0], application[1]))
            if isinstance(statement, gast.Assign):
                target = statement.targets[0]
                names = [e.id for _, e in leaves(target)] if isinstance(target, gast.Tuple) else []
                names = names or [atom_key(target.value if isinstance(target, gast.Subscript) else target)]
                for name in names:
                    if name in self.facts.varied:
                        self.made.setdefault(name, []).append((path, statement))

    def level(self, key: str, definitions: list[tuple[Path, Any]]) -> int:
        number = is_number(self.facts.kinds.get(key))
        levels = []
        for path, statement in definitions:
            level = self.of(statement)
            if level is None:  # constant: a number with which a loop begins is replaced before it matters
                beside = [p for p, s in definitions if s is not statement]
                started = number and any(len(p) <= len(path) and p == path[: len(p)] for p in beside)
                level = FULL if started and not path else WHOLE
            store = isinstance(statement.targets[0], gast.Subscript)
            levels.append(
                level if number else max(level, PARTS) if level < FULL and (store or len(definitions) > 1) else level
            )
        return min(levels, default=FULL)

    def of(self, node: Any) -> int | None:
        """The level of what a statement makes; None for a constant."""
        application = getattr(node, "apply", None)
        varied = self.facts.varied
        if application is None:
            keys = [k for k in map(_key, walk(node.value)) if k in varied]
            return max((self.levels.get(k, FULL) for k in keys), default=None)
        function, args, kwargs = application
        made_by_rule = not isinstance(function, CoreFunction) and function is not operator.getitem
        rule = registry.lookup(function) if made_by_rule else None
        kinds = self.facts.kinds
        found: list[int] = []
        most = PARTS if leaves_out(rule, args, kwargs, self.facts) else FULL
        for arg in (*args, *kwargs.values()):
            display = isinstance(arg, (gast.Tuple, gast.List))
            for atom in _atoms(arg):
                key = _key(atom)
                if key in varied:
                    level = self.levels.get(key, FULL)
                    found.append(min(level, most))
                elif display:
                    found.append(PARTS)
            if display and PARTS in found:
                found = [PARTS]
        if not found:
            return None
        level = max(found)
        if isinstance(function, CoreFunction):
            level = min([level, *(own for own, _ in self.inside.get(function, []))])
        made = node.targets[0]
        if isinstance(made, gast.Name) and is_number(kinds.get(made.id)) and level in (PARTS, SWEPT):
            level = WHOLE
        return level


#: functions whose results are zero in places, and those that keep the zeros of what they are given first
_MAKES_ZEROS = {"zeros", "zeros_like", "triu", "tril", "diag", "diagflat", "eye", "identity", "pad", "from_diagonal"}
_KEEPS_ZEROS = {
    *("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "broadcast_to", "expand_dims", "squeeze", "copy"),
    *("flip", "roll", "sum", "concatenate", "stack", "vstack", "hstack", "tile", "repeat", "astype", "array"),
    *("asarray", "tensordot", "dot", "matmul", "outer", "kron", "multiply", "diagonal", "unbroadcast"),
    "expand_reduced",
}


def zero_in_places(body: list[Stmt]) -> set[str]:
    """The values of a derivative that are zero where its function left something out.

    >>> from s2sad.core import statements
    >>> body = statements("g = np.zeros(3)\\ng[1:] = 1.0\\nh = 2.0 * g[:, None]\\nk = h + 1.0")
    >>> sorted(zero_in_places(body))
    ['g', 'h']
    """
    made: dict[str, list[Expr]] = {}
    _bindings(body, made)
    found: set[str] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        found |= {name for name, values in made.items() if any(has_zeros(value, found) for value in values)}
    return found


def _bindings(body: list[Stmt], made: dict[str, list[Expr]]) -> None:
    """The values that names are bound to."""
    for statement in body:
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            made.setdefault(statement.targets[0].id, []).append(statement.value)
        for block in blocks_of(statement):
            _bindings(block, made)


#: functions that sum elements of what they are given
_SUMS = {"sum", "mean", "trace", "cumsum", "unbroadcast", "product_with_zeros"}
_SUMS |= {"matmul", "dot", "vdot", "inner", "tensordot", "einsum"}


def summed(body: list[Stmt]) -> set[str]:
    """The names of values that are summed over, by themselves or as factors and terms of others.

    >>> from s2sad.core import statements
    >>> sorted(summed(statements("a = g * y\\nb = a * h\\nc = b.sum()\\nd = f(c)")))
    ['a', 'b', 'g', 'h', 'y']
    """
    made: dict[str, list[Expr]] = {}
    _bindings(body, made)
    found: set[str] = set()
    for value in (v for values in made.values() for v in values):
        product = is_operation(value, gast.MatMult)
        if product or (isinstance(value, gast.Call) and called_name(value) in _SUMS):
            found |= set(names_read(value))
    before = -1
    while len(found) > before:
        before = len(found)
        for name in found & set(made):
            for value in made[name]:
                if not isinstance(value, gast.Call) or called_name(value) in _KEEPS_ZEROS:
                    found |= set(names_read(value))
    return found


def has_zeros(expr: Expr, known: Container[str]) -> bool:
    """Is a value zero in places, for the names of those that are?"""
    if isinstance(expr, gast.Name):
        return expr.id in known
    if isinstance(expr, (gast.Attribute, gast.Subscript)):
        return has_zeros(expr.value, known)
    if isinstance(expr, gast.UnaryOp):
        return has_zeros(expr.operand, known)
    if isinstance(expr, gast.BinOp):
        left, right = has_zeros(expr.left, known), has_zeros(expr.right, known)
        if isinstance(expr.op, (gast.Mult, gast.MatMult)):
            return left or right
        return left if isinstance(expr.op, gast.Div) else left and right and isinstance(expr.op, (gast.Add, gast.Sub))
    if isinstance(expr, (gast.Tuple, gast.List)):
        return any(has_zeros(item, known) for item in expr.elts)
    if not isinstance(expr, gast.Call):
        return False
    name = called_name(expr)
    if name in _MAKES_ZEROS or name.endswith("_back"):
        return True
    if name in ("where", "einsum"):
        return any(has_zeros(arg, known) or _is_zero(arg) for arg in expr.args[1:])
    method = isinstance(expr.func, gast.Attribute) and has_zeros(expr.func.value, known)
    return name in _KEEPS_ZEROS and (method or any(has_zeros(arg, known) for arg in expr.args))


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, gast.Constant) and type(expr.value) is float and expr.value == 0.0


def _atoms(arg: Expr) -> Iterator[Expr]:
    if isinstance(arg, (gast.Tuple, gast.List)):
        for item in arg.elts:
            yield from _atoms(item)
    else:
        yield arg
