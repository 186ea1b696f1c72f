"""How the facts about memory are found: one reading of the statements, in which names become classes of one memory, and
what writes is noted where it stands.

    y = x[1:]       ->    x and y are one memory
    y[0] = 0.0      ->    a store through y
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.analysis.effects import Effects
from s2sad.analysis.memory import CONTAINERS, LIST_MUTATORS, Memory, Place, Store, copied, names_read, own_parts
from s2sad.core import Expr, Facts, Stmt, atom_key, blocks_of, children, leaves, load, walk, walk_names
from s2sad.kinds.bind import STANDARD
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Object, Static, Text, Tuple, Unknown

#: expressions that may be, or hold, what stands in them
_HOLDERS = (gast.Dict, gast.Tuple, gast.Set, gast.DictComp, gast.BoolOp, gast.IfExp, gast.Call, gast.GeneratorExp)
#: functions that look at the items of what they are given, and hold these
_OF_ITEMS = frozenset(("list", "tuple", "sorted", "set", "frozenset", "reversed"))


def analyse(body: list[Stmt], facts: Facts, alias: dict[str, str], effects: Effects | None = None) -> Memory:
    """The memory facts of a function in core Python.

    Args:
        effects: what is known of the statements already.
    """
    memory = Memory(facts, alias)
    if effects is not None and not memory.effects.parts:
        memory.effects = effects
    for name, root in alias.items():
        memory.union(name, root)
    _Scan(memory).scan(body)
    memory.overwritten = {memory.find(s.key) for s in memory.stores}
    return memory


class _Scan:
    """One reading of the statements of a function."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.facts = memory, memory.facts

    def scan(self, body: list[Stmt], loops: tuple[Any, ...] = (), blocks: tuple[int, ...] = ()) -> None:
        blocks = (*blocks, id(body))
        for statement in body:
            place = Place(len(self.memory.places), loops, statement, blocks)
            self.memory.places[id(statement)] = place
            self.note_reads(statement, place)
            self.note(statement, place)
            inner = (*loops, statement) if isinstance(statement, (gast.For, gast.While)) else loops
            if isinstance(statement, gast.For):
                self.memory.definitions.setdefault(statement.target.id, []).append(Place(place.order, inner, statement))
            for block in blocks_of(statement):
                self.scan(block, inner, blocks)

    def note_reads(self, statement: Stmt, place: Place) -> None:
        loops = (*place.loops, statement) if isinstance(statement, gast.While) else place.loops
        names = names_read(statement)
        if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
            names = names | {statement.target.id}
        for name in names:
            for loop in loops:
                self.memory.first_reads.setdefault((name, id(loop)), place.order)

    def note(self, statement: Stmt, place: Place) -> None:
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if getattr(statement, "rebinds", None) is not None:
                self.memory.rebindings.append(Store(place, statement.rebinds, None))
            if isinstance(target, gast.Name):
                self.memory.definitions.setdefault(target.id, []).append(place)
                key = copied(statement.value)
                held = self.memory.has_memory(target.id)
                if key is not None and (key.isidentifier() or key in self.facts.kinds) and held:
                    self.memory.union(target.id, key)
                elif held and not isinstance(statement.value, gast.Constant):
                    root = self.memory.alias.get(target.id)
                    if root is not None:
                        self.memory.union(target.id, root)
            elif isinstance(target, gast.Tuple):
                for part in walk_names(target):
                    self.memory.definitions.setdefault(part.id, []).append(place)
            elif isinstance(target, gast.Subscript):
                self.memory.stores.append(Store(place, atom_key(target.value), target.slice))
            self.note_items(statement)
        elif isinstance(statement, gast.AugAssign):
            target = statement.target
            if isinstance(target, gast.Subscript):
                self.memory.stores.append(Store(place, atom_key(target.value), target.slice))
            else:
                self.memory.stores.append(Store(place, atom_key(target), None))
        self.note_shared(statement)
        self.note_calls(statement, place)
        self.note_overwritten(statement, place)

    def note_shared(self, statement: Stmt) -> None:
        """The arrays one of which, or a view of it, a name is bound to: `y = u if c else f(v)`."""
        if getattr(statement, "apply", None) is not None:  # a core function, of which more is known (see note_calls)
            return
        for name, shared in self.memory.effects.of(statement).defines:
            if self.may_hold(name):
                for held in filter(self.may_hold, shared):
                    self.memory.union(name, held)

    def note_items(self, statement: Any) -> None:
        """Lists that go into a list of lists, or are taken out of it, are the same lists."""
        target, value = statement.targets[0], statement.value
        if isinstance(target, gast.Subscript):
            self.put_items(target.value, value)
        else:
            made = value.left if isinstance(value, gast.BinOp) else value  # [row] * n
            for item in made.elts if isinstance(made, gast.List) else ():
                self.put_items(target, item)
            if isinstance(value, gast.ListComp):
                self.put_items(target, value.elt)
            elif isinstance(value, _HOLDERS) and isinstance(target, gast.Name) and self.memory.is_container(target):
                for key in self.held_by(value):
                    self.hold(target.id, self.facts.kinds.get(target.id, Unknown()), key)
        source = value.value if isinstance(value, gast.Attribute) else list_read(value)
        if source is None:
            return
        for part, name in leaves(target):
            if not isinstance(name, gast.Name):
                continue
            held = self.memory.is_list(name) or self.memory.is_container(name)
            if not held and (self.memory.is_list(source) or not self.memory.is_array(name.id)):
                continue
            if self.memory.is_list(source):
                self.memory.union(name.id, self.memory.items(atom_key(source), part))
            else:  # of what is not known, all that it holds is one
                for key in self.memory.keys(source):
                    if held or self.memory.is_container(load(key)):
                        self.memory.union(name.id, key)

    def put_items(self, outer: Expr, item: Expr) -> None:
        if not self.memory.is_list(outer):
            for key in self.memory.keys(outer) if self.memory.is_container(outer) else ():
                for inner in self.held_by(item):
                    self.memory.union(inner, key)
            return
        key = atom_key(outer)
        for part, inner in leaves(item):
            if self.memory.is_list(inner) or (isinstance(inner, gast.Name) and self.memory.is_container(inner)):
                self.memory.union(atom_key(inner), self.memory.items(key, part))
                if isinstance(item, gast.List):  # which may be read as a list of lists, too
                    self.memory.union(atom_key(inner), self.memory.items(key))
            elif isinstance(inner, _HOLDERS):
                kind = part_kind(getattr(self.facts.kinds[key], "item", Unknown()), part)
                for held in self.held_by(inner):
                    if not self.memory.is_array(held):  # (see `s2sad.analysis.aliasing`)
                        self.hold(self.memory.items(key, part), kind, held)

    def held_by(self, value: Expr, arrays: bool = True) -> Iterator[str]:
        """The containers and arrays that the value of an expression may be, or hold."""
        if isinstance(value, gast.Call) and getattr(value, "new", False):
            return
        arrays = arrays and not (isinstance(value, gast.Call) and self.looks_only(value))
        of_items = isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in _OF_ITEMS
        for child in children(value) if isinstance(value, _HOLDERS) else (value,):
            if isinstance(child, (gast.Compare, gast.Constant)) or self.makes_items(child):
                continue
            key = copied(child)
            kind = self.facts.kinds.get(key) if key is not None else None
            if of_items and isinstance(kind, ListOf) and isinstance(kind.item, (Number, Array)):
                continue
            if isinstance(child, _HOLDERS):
                yield from self.held_by(child, arrays)
                continue
            for found in self.memory.keys(child):
                if self.memory.is_container(load(found)) or (arrays and self.memory.is_array(found)):
                    yield found

    def makes_items(self, expr: Expr) -> bool:
        """Is it a comprehension whose items are new: `[np.zeros_like(v) for v in u]`?"""
        item = expr.elt if isinstance(expr, (gast.ListComp, gast.SetComp, gast.GeneratorExp)) else None
        of_numpy = isinstance(item, gast.Call) and self.looks_only(item)
        return of_numpy or isinstance(item, (gast.BinOp, gast.UnaryOp, gast.Constant, gast.Compare))

    def looks_only(self, call: Any) -> bool:
        """Is it a call that keeps no arrays, or of which it is known otherwise whose memory it hands out?"""
        root = call.func
        while isinstance(root, (gast.Attribute, gast.Subscript, gast.Call)):
            root = root.func if isinstance(root, gast.Call) else root.value
        function = self.facts.globals.get(root.id) if isinstance(root, gast.Name) else None
        home = str(getattr(function, "__module__", None) or getattr(function, "__name__", ""))
        return function is not None and home.split(".")[0] not in sys.stdlib_module_names

    def may_hold(self, key: str) -> bool:
        """May it be, or hold, an array? (Of lists of the run more is known: see note_items.)"""
        kind = self.facts.kinds.get(key)
        if isinstance(kind, Object):
            home = kind.cls.__module__.partition(".")[0]
            return issubclass(kind.cls, CONTAINERS) or home not in (*STANDARD, "scipy")
        return isinstance(kind, (Array, Unknown, List, Tuple, Dict))

    def hold(self, outer: str, kind: Kind, key: str) -> None:
        """A container of some kind may be another one, or hold it."""
        own = self.facts.kinds.get(key)
        if not isinstance(kind, ListOf) or not isinstance(own, ListOf) or depth(own) >= depth(kind):
            self.memory.union(key, outer)
        for part, inner in parts_of(kind.item) if isinstance(kind, ListOf) else ():
            if not isinstance(inner, (Number, Array, Text, Static)):
                self.hold(self.memory.items(outer, part), inner, key)

    def note_calls(self, statement: Stmt, place: Place) -> None:
        value = getattr(statement, "value", None) if isinstance(statement, (gast.Expr, gast.Assign)) else None
        if not isinstance(value, gast.Call):
            return
        if getattr(value, "function", None) is not None:  # a core function changes the lists that it is known to
            self.memory.stores.extend(Store(place, key, None) for key in getattr(statement, "written", ()))
            for key, path in getattr(statement, "drained", ()):
                self.memory.stores.append(Store(place, self.memory.within(key, path), None))
            for target in walk_names(statement.targets) if isinstance(statement, gast.Assign) else ():
                for key in getattr(statement, "may_share", ()):
                    if self.memory.has_memory(target.id):
                        self.memory.union(target.id, key)
            return
        func = value.func
        if (
            isinstance(func, gast.Attribute)
            and func.attr in LIST_MUTATORS
            and isinstance(func.value, (gast.Name, gast.Subscript, gast.Attribute))
        ):
            self.memory.stores.append(Store(place, atom_key(func.value), None))
            if func.attr in ("append", "insert") and value.args:
                self.put_items(func.value, value.args[-1])
        scatter = getattr(statement, "scatter", None)
        if scatter is not None:
            self.memory.stores.append(Store(place, atom_key(scatter[0]), scatter[1]))
        elif isinstance(statement, gast.Expr) and isinstance(func, gast.Name):
            for argument in value.args:
                for name in walk_names(argument):
                    kind = self.facts.kinds.get(name.id)
                    if isinstance(kind, (Array, ListOf)) and func.id not in ("print", "len", "repr", "str"):
                        self.memory.stores.append(Store(place, name.id, None))

    def note_overwritten(self, statement: Stmt, place: Place) -> None:
        """What calls that stay as they are store through: `np.put(u, 0, 1.0)`, `rng.random(out=u)`."""
        if isinstance(statement, (gast.Try, gast.FunctionDef)):
            return
        found, made = [], []
        for n in (n for part in own_parts(statement) for n in walk(part)):
            if type(n) is gast.Call:
                found.append(n)
            if getattr(n, "makes_item", False):  # by reading a defaultdict
                made.append(n.value)
        self.memory.stores += [Store(place, key, None) for table in made for key in self.memory.keys(table)]
        known = {s.key for s in self.memory.stores if s.place is place} if found else set()
        for call in found:
            if getattr(call, "function", None) is not None:  # see note_calls
                continue
            for given in self.memory.calls.overwritten(call):
                for key in self.memory.keys(given):
                    if isinstance(self.facts.kinds.get(key), Object):
                        self.memory.object_changes.append(key)
                    if key not in known and self.memory.has_memory(key):
                        known.add(key)
                        self.memory.stores.append(Store(place, key, None))


def part_kind(kind: Kind, part: tuple[int, ...]) -> Kind:
    """The kind of one part of the items of a list."""
    for i in part:
        kind = kind.items[i] if isinstance(kind, (Tuple, List)) and i < len(kind.items) else Unknown()
    return kind


def list_read(value: Expr) -> Expr | None:
    """The list that an expression takes an item of."""
    if isinstance(value, gast.Subscript) and not isinstance(value.slice, gast.Slice):
        return value.value
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "pop":
        return value.func.value
    return None


def depth(kind: Kind) -> int:
    """How many lists stand in each other.

    >>> depth(ListOf(ListOf(Number(float))))
    2
    """
    return 1 + depth(kind.item) if isinstance(kind, ListOf) else 0


def parts_of(kind: Kind) -> Iterator[tuple[tuple[int, ...], Kind]]:
    """The parts of the items of a list, by the indices that lead there.

    >>> [part for part, _ in parts_of(Tuple((Number(int), Tuple((Number(float), Number(int))))))]
    [(0,), (1, 0), (1, 1)]
    """
    if not isinstance(kind, (Tuple, List)):
        yield (), kind
        return
    for i, item in enumerate(kind.items):
        yield from (((i, *part), inner) for part, inner in parts_of(item))
