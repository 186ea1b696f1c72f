"""Names that may share memory where it matters: found when the code is generated, and refused.

Views of one array are followed exactly. A name that is one array on one path and another on the other, while one of
them is overwritten and read under another name afterwards, is told apart by what the run keeps of it
(`s2sad.analysis.choices`), if it can be. An array that is overwritten while a run-time list holds it cannot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import gast

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.binding import targets
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.liveness import live_after
from s2sad.analysis.memory import LIST_MUTATORS, Memory, Store, copied, own_parts
from s2sad.analysis.memory_scan import list_read
from s2sad.analysis.overlap import reads_too_late
from s2sad.analysis.rows import shared_rows
from s2sad.core import (
    Expr,
    Stmt,
    atom_key,
    clone,
    leaves,
    load,
    names_bound,
    names_read,
    reads_any,
    target_of,
    text,
    walk,
    walk_names,
)
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, Remedy, error_at
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Object, Tuple, Unknown
from s2sad.kinds.query import is_float_kind

WAY_OUT = "make a copy with .copy() before one of them is overwritten"
HELD_TWICE = "goes into a list, may be changed there, and is used here, too"


@dataclass(frozen=True)
class Undecided:
    """Two names that may be one array, where that matters: `name` is stored through, and `other` is read afterwards."""

    name: str
    other: str
    error: DerivationError


def check_aliases(body: list[Stmt], memory: Memory, core: Any, live: set[str]) -> list[Undecided]:
    """Refuse programs in which a store may or may not be seen through another name.

    Args:
        body: the function in core Python.
        memory: its memory facts.
        core: where the statements come from, for the message.
        live: names read after the last statement.

    Returns:
        the names that are one array or another, which only the run knows.

    Raises:
        DerivationError: at the store.
    """
    after = _After(body, memory, live)
    _check_activity(body, memory, core, after)
    _check_reshaped(body, memory, core)
    _check_rows(body, memory, core)
    looked_at = memory.rebindings
    if looked_at:
        memory = memory.with_rebindings()
    check = _Check(body, memory, core, after)
    if memory.stores:
        check.run(body)
    _forget(looked_at)
    return check.undecided


def check_rebindings(body: list[Stmt], memory: Memory, core: Any, live: set[str]) -> None:
    """The same for augmented assignments that bind a name anew and for calls that stay, alone: forward mode follows all
    real stores.

    Raises:
        DerivationError: at the assignment.
    """
    after = _After(body, memory, live)
    _check_activity(body, memory, core, after)
    _check_reshaped(body, memory, core)
    _check_rows(body, memory, core)
    if memory.rebindings:
        _Check(body, memory.with_rebindings(alone=True), core, after).run(body)
        _forget(memory.rebindings)


def _check_rows(body: list[Stmt], memory: Memory, core: Any) -> None:
    """Refuse rows that get active values while they are in another list, too."""
    found = shared_rows(body, memory)
    if found is not None:
        statement, key = found
        reason = f"{_shown(key, memory, core, 'this list')} {HELD_TWICE}"
        error = error_at(statement, core.source, reason, ways.COPY_LIST)
        error.remedy = Remedy(concrete=True, held=True)
        raise error


def _forget(rebindings: list[Store]) -> None:
    """What is left are assignments like any others."""
    for store in rebindings:
        store.place.statement.rebinds = None


class _After:
    """What is read after each statement, found out when somebody asks.

    Attributes:
        end: names read after the last statement.
    """

    def __init__(self, body: list[Stmt], memory: Memory, end: set[str]) -> None:
        self.body, self.facts, self.end = body, memory.facts, end

    @cached_property
    def names(self) -> Mapping[int, set[str]]:
        """The names that are read."""
        return live_after(self.body, self.facts, self.end)

    @cached_property
    def contents(self) -> dict[int, set[str]]:
        """The names of which more than the shape is read: stores do not change that."""
        copy = [without_shapes(clone(s), self.facts.kinds) for s in self.body]
        after = live_after(copy, self.facts, self.end)
        pairs = [p for old, new in zip(self.body, copy, strict=True) for p in zip(walk(old), walk(new), strict=True)]
        return {id(old): after[id(new)] for old, new in pairs if id(new) in after}

    def read(self, statement: Stmt) -> set[str]:
        """The names that are read after a statement."""
        return self.names.get(id(statement), set())


def _check_activity(body: list[Stmt], memory: Memory, core: Any, after: _After) -> None:
    """Refuse names that are taken to be inactive, but may be memory in which active values are stored.

        w = u if c else v        # u and v are inactive here
        u[0] = x
        y = w[0]                 # is this x?

    Raises:
        DerivationError: at the store.
    """
    facts = memory.facts
    stored = [
        store
        for store in memory.stores
        if isinstance(store.place.statement, (gast.Assign, gast.AugAssign, gast.Expr))
        and not isinstance(facts.kinds.get(store.key), ListOf)  # what a list gets is no change of what it holds already
        and store.key in facts.varied
        and reads_any(_stored(store.place.statement), facts.varied)
    ]
    if not stored:
        return
    effects = memory.effects
    statements = [s for top in body for s in nested(top)]
    reach, direct, _ = bases_of([effects.of(s) for s in statements], effects)
    varied = facts.varied | {key.split("[")[0].split(".")[0] for key in facts.varied}  # parts of arguments have keys
    comprehensions = [n for s in body for n in walk(s) if isinstance(n, gast.comprehension)]
    varied |= {n.id for c in comprehensions for n in walk_names(c.target)} - set(memory.definitions)
    # what is not looked into may hand back what it is given, and what it has kept
    unknown = [s for s in statements if isinstance(s, gast.Assign) and getattr(s.value, "kept", False)]
    links = _broken_links(statements, effects, memory, varied)
    for store in stored:
        root, statement = memory.find(store.key), store.place.statement
        bases = direct.get(store.key) or reach.get(store.key, frozenset((store.key,)))
        behind = after.read(statement)
        for name in sorted(behind.union(*(effects.parts_of(n) for n in behind))):
            kind = facts.kinds.get(name)
            if kind is None or isinstance(kind, Number) or not is_float_kind(kind):
                continue
            roots = reach.get(name, frozenset((name,)))
            if not bases & roots:
                continue
            # what is stored is seen by such a name at once
            one = name == store.key or (len(bases) == 1 and bases == roots)
            if name in varied and (one or not _taken_as_constant(name, store, statements, memory, varied)):
                continue
            raise _stored_elsewhere(statement, name, store.key, memory, core, bases | roots)
        alive = behind - {store.key}
        seen = any(bases & reach.get(other, frozenset((other,))) for other in alive if other in facts.kinds)
        for name in links if seen else ():
            roots = reach.get(name, frozenset((name,)))
            if bases & roots:
                raise _stored_elsewhere(statement, name, store.key, memory, core, bases | roots)
        asked = {text(s.value.func) for s in unknown if any(memory.find(n) == root for n in names_bound(s))}
        for call in unknown:
            again = text(call.value.func) in asked and not names_bound(call) & varied
            if again or any(memory.find(n.id) == root for n in walk_names(call.value) if memory.has_memory(n.id)):
                reason = "what this call returns may be memory that others hold, and active values are stored there"
                raise error_at(call, core.source, reason, ways.COPY)


def _stored_elsewhere(
    statement: Stmt, name: str, key: str, memory: Memory, core: Any, shared: frozenset[str]
) -> Exception:
    first, other = _shown(name, memory, core, "another array"), _shown(key, memory, core)
    other = f"what another {other} holds" if other == first else other
    reason = f"{first} may be the same memory as {other}, in which active values are stored here"
    error = error_at(statement, core.source, reason, WAY_OUT)
    user_name, temps = memory.facts.user_name, memory.facts.temps
    shown_as = {n: _stem(user_name.get(n, n), n in temps) for n in shared}
    error.remedy = Remedy(shared=shared, shown_as=shown_as)
    return error


def _stem(name: str, temp: bool) -> str:
    """What a name was made of: t_2 -> t for one of the compiler's own."""
    return re.sub(r"_\d+$", "", name) if temp else name


def _broken_links(statements: list[Stmt], effects: Effects, memory: Memory, varied: set[str]) -> list[str]:
    """The names without a tangent whose memory goes to names that have one: it is a new one there, and nobody else's.

    b = a if c else 5.0      # a is inactive until a store
    u = b                    # du = 0.0: it is not da

    Where the memory was made for this one name (`b = np.zeros(3)`, then `u = b`), it has no other tangent.
    """
    given = [(s, name, shared) for s in statements for name, shared in effects.of(s).defines]
    taken = Counter(other for _, _, shared in given for other in shared)
    made = {name: s for s, name, shared in given if not shared and len(memory.definitions.get(name, [])) == 1}

    def of_its_own(name: str, at: Stmt) -> bool:
        first, then = (memory.places.get(id(s)) for s in (made.get(name), at))
        return taken[name] == 1 and first is not None and then is not None and first.loops == then.loops

    found: dict[str, None] = {}
    for statement, name, shared in given:
        chosen = isinstance(getattr(statement, "value", None), gast.IfExp)
        if name in varied and chosen:  # of arrays that are inactive where they are chosen: it has a tangent of its own
            found.update((n, None) for n in sorted(shared) if n in effects.kinds and is_float_kind(effects.kinds[n]))
        elif name in varied:
            floats = (n for n in sorted(shared - varied) if n in effects.kinds and is_float_kind(effects.kinds[n]))
            found.update((n, None) for n in floats if not of_its_own(n, statement))
    return list(found)


def _taken_as_constant(name: str, store: Store, statements: list[Stmt], memory: Memory, varied: set[str]) -> bool:
    """Is a value taken out of an array behind a store, as one that does not vary? The array may become active later.

    b[0] = x                 # b may be w
    t = w[0]                 # a constant?
    w[2] = w[3] ** 2.0       # of constants?
    w **= 2.0
    w[1] = x
    v = w[::2]
    s = v.copy()             # of a view, which is active as soon as w is
    """
    facts, loops = memory.facts, {id(loop) for loop in store.place.loops}
    same = _with_views(name, statements, memory)
    for statement in statements:
        place = memory.places.get(id(statement))
        if place is None or statement is store.place.statement:
            continue
        if place.order < store.place.order and not loops & {id(loop) for loop in place.loops}:
            continue
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            target = statement.value.func
        else:
            continue
        made = [n.id for n in walk_names(target) if n.id in facts.kinds]
        read = names_read(without_shapes(clone(statement.value), facts.kinds))
        floats = [n for n in made if is_float_kind(facts.kinds[n])]
        if floats and not varied & set(made) and same & read:
            return True
        if isinstance(target, gast.Subscript) and same & read and not _is_atom(statement.value, varied):
            return True
        if isinstance(statement, gast.AugAssign) and _of_constants(statement, same, made, read, varied):
            return True
    return False


def _with_views(name: str, statements: list[Stmt], memory: Memory) -> set[str]:
    """The name of an array, those of its views, and those that are it or another; of a container the name alone."""
    kinds = memory.facts.kinds
    given = [pair for s in statements for pair in memory.effects.of(s).defines if isinstance(kinds.get(name), Array)]
    views = [(n, shared) for n, shared in given if isinstance(kinds.get(n), Array)]
    found, count = {name}, 0
    while count != len(found):
        count = len(found)
        found |= {view for view, shared in views if shared & found}
    return found


def _is_atom(value: Expr, varied: set[str]) -> bool:
    """Is it an active value as core Python has it: a name or a part of one? (Other expressions are inactive.)"""
    return isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)) and atom_key(value) in varied


def _of_constants(statement: Any, same: set[str], made: list[str], read: set[str], varied: set[str]) -> bool:
    """Does `w op= value` stand in core Python as one of inactive values? `w *= c` and `w /= c` are right even so."""
    if isinstance(statement.op, (gast.Add, gast.Sub)):
        return bool(same & read) and not _is_atom(statement.value, varied)
    linear = isinstance(statement.op, (gast.Mult, gast.Div)) and not read & varied
    return bool(same & read) or (bool(same.intersection(made)) and not linear)


def _stored(statement: Any) -> Any:
    """What a statement stores: the value of an assignment, what np.add.at adds, what a function is given."""
    if isinstance(statement, gast.Expr) and getattr(statement, "scatter", None) is not None:
        return statement.value.args[1:]
    return statement.value


def _check_reshaped(body: list[Stmt], memory: Memory, core: Any) -> None:
    """Refuse `A.shape = s` where the same array may have another name: A is the name of a new array since then.

    Raises:
        DerivationError: where the other name may come from.
    """
    run = getattr(core, "run", None)
    reshaped = run.memory.reshaped if run is not None else {}
    if not reshaped:
        return
    effects = Effects(memory.facts)
    statements = [s for top in body for s in nested(top)]
    defined = Counter(name for s in statements for name in targets(s))
    for key, new in reshaped.items():
        behind = False
        for statement in statements if new in defined else ():  # else it was in code that nobody reaches
            if new in targets(statement):
                behind, alone = True, defined[new] == defined[key] == 1
            elif key in targets(statement):
                alone = _makes_object(statement, effects)
            else:
                alone = key not in _read_itself(statement) or (not behind and _lets_go(statement, key, effects))
            if not alone:
                reason = "the shape of an array is changed in place, which may have another name"
                raise error_at(statement, core.source, reason, "use reshape")


def _read_itself(statement: Any) -> set[str]:
    """The names that a statement reads, without the statements in it."""
    if isinstance(statement, gast.For):
        return names_read(statement.iter)
    if isinstance(statement, (gast.If, gast.While)):
        return names_read(statement.test)
    if isinstance(statement, (gast.With, gast.Try)):
        return names_read(getattr(statement, "items", []))
    return names_read(statement)


def _makes_object(statement: Any, effects: Effects) -> bool:
    """Is what a statement binds an array that it makes (of new memory, or a view)?"""
    value = statement.value
    if isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return True
    if isinstance(value, gast.Subscript):
        return isinstance(effects.facts.kinds.get(atom_key(value.value)), Array)
    rank = _rank(effects.facts.kinds.get(targets(statement)[0]))
    if isinstance(value, gast.Call) and isinstance(value.func, (gast.Attribute, gast.Name)):
        word = value.func.attr if isinstance(value.func, gast.Attribute) else value.func.id
        if word.startswith("atleast_") and value.args and isinstance(value.args[0], gast.Name):
            given = _rank(effects.facts.kinds.get(value.args[0].id))
            return rank is not None and given is not None and given < rank
        return not any(shared for _, shared in effects.of(statement).defines)
    return False


def _rank(kind: Any) -> int | None:
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None


def _lets_go(statement: Stmt, key: str, effects: Effects) -> bool:
    """Is an array read by a statement, and not given to anybody who may keep it?"""
    if isinstance(statement, (gast.For, gast.While, gast.If, gast.With)):
        return not isinstance(statement, (gast.For, gast.With))
    effect = effects.of(statement)
    if effect.keeps:
        return False
    value = getattr(statement, "value", None)
    view = isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) and value.value.id == key
    return view or not any(key in shared for _, shared in effect.defines)


def _shown(key: str, memory: Memory, core: Any, otherwise: str = "this array") -> str:
    """How a message calls a name: as the user does, where the user has a name for it."""
    name = memory.facts.user_name.get(key, key)
    written = {n.id for n in walk_names(core.source.tree)}
    return name if name in written or not name.isidentifier() else otherwise


class _Check:
    def __init__(self, body: list[Stmt], memory: Memory, core: Any, after: _After) -> None:
        self.memory, self.core, self.body, self.after = memory, core, body, after
        self.reads: _Reads | None = None
        self.chosen = self.chosen_items()
        self.pairs: dict[str, set[str]] = {}
        self.undecided: list[Undecided] = []
        #: what each statement stores through
        self.stores: dict[int, list[str]] = {}
        for store in memory.stores:
            self.stores.setdefault(id(store.place.statement), []).append(store.key)
        self.views: dict[str, set[str]] = {}
        for name in memory.alias:
            self.views.setdefault(self.base(name), set()).add(name)

    def base(self, key: str) -> str:
        """The name that a view was taken of."""
        seen = set()
        while key in self.memory.alias and key not in seen:
            seen.add(key)
            places = self.memory.definitions.get(key, [])
            if len(places) != 1 or getattr(places[0].statement, "copy", False):
                break
            key = self.memory.alias[key]
        return key

    def refuse(self, statement: Stmt, reason: str, way_out: str = WAY_OUT, held: bool = False) -> NoReturn:
        """Raise the error. `held`: it is due to a list, of which more may be known where its loop is written out."""
        error = error_at(statement, self.core.source, reason, way_out)
        error.remedy = Remedy(concrete=held or way_out is not WAY_OUT, held=held)
        raise error

    def run(self, body: list[Stmt]) -> None:
        for statement in body:
            self.step(statement)

    def step(self, statement: Stmt) -> None:
        self.check_lists(statement)
        self.check_result(statement)
        self.check_overlap(statement)
        for key in self.stores.get(id(statement), ()):
            self.check_store(statement, key)
        if getattr(statement, "rebinds", None) is not None:
            self.check_rebinding(statement, statement.rebinds)
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            self.bind(statement.targets[0].id, statement)
        elif isinstance(statement, gast.If):
            before = self.copy()
            self.run(statement.body)
            taken, self.pairs = self.pairs, before
            self.run(statement.orelse)
            self.merge(taken)
        elif isinstance(statement, (gast.For, gast.While)):
            for _ in range(8):
                before = self.copy()
                self.run(statement.body)
                self.merge(before)
                if self.pairs == before:
                    break
        elif isinstance(statement, gast.With):
            self.run(statement.body)

    def copy(self) -> dict[str, set[str]]:
        return {k: set(v) for k, v in self.pairs.items()}

    def merge(self, other: dict[str, set[str]]) -> None:
        for key, names in other.items():
            self.pairs.setdefault(key, set()).update(names)

    def bind(self, name: str, statement: Stmt) -> None:
        followed = self.memory.has_memory(name) and (name not in self.memory.alias or getattr(statement, "copy", False))
        if not followed and not isinstance(statement.value, gast.Name):
            return
        source = copied(statement.value)
        source = None if source is None else self.base(source)
        if source == name and self.memory.has_memory(name):
            return  # a view of what it was: the same memory
        for other in self.pairs.pop(name, set()):
            self.pairs.get(other, set()).discard(name)
        if source is None or not self.memory.has_memory(name):
            return
        partners = {source, *self.pairs.get(source, set())} - {name}
        self.pairs[name] = set(partners)
        for partner in partners:
            self.pairs.setdefault(partner, set()).add(name)

    def chosen_items(self) -> set[str]:
        """The names that are one item of a list of lists or another, or were that in an earlier turn."""
        items, copies = set(), {}
        for name, places in self.memory.definitions.items():
            if not isinstance(self.memory.facts.kinds.get(name), ListOf):
                continue
            values = [getattr(p.statement, "value", None) for p in places]
            if any(isinstance(v, gast.Subscript) for v in values):
                items.add(name)
            copies[name] = {v.id for v in values if isinstance(v, gast.Name)}
        found: set[str] = set()
        count = -1
        while count != len(found):
            count = len(found)
            found |= {name for name, sources in copies.items() if sources & (items | found)}
        return found

    def check_chosen(self, statement: Stmt, key: str) -> None:
        """A list of a list of lists is changed: no name may be this item or another one then."""
        if not self.chosen or key not in self.memory.facts.varied:
            return
        root, live = self.memory.find(key), self.after.read(statement)
        if any(n == key or (n in live and self.memory.find(n) == root) for n in self.chosen):
            self.refuse(
                statement,
                "a list is changed that is one item of a list of lists or another, or may be such a list",
                ways.COPY_LIST,
            )

    def check_resized(self, statement: Stmt, key: str) -> None:
        """A list gets longer or shorter that may have another name, and is not read by its own any more: what is read
        of it by the other has the length of then in the reverse sweep.

        e = u if c else []
        t = u[0]
        e.append(x)              # u, too?
        """
        called = statement.value if isinstance(statement, gast.Expr) else None
        func = called.func if isinstance(called, gast.Call) else None
        grown = isinstance(func, gast.Attribute) and func.attr in LIST_MUTATORS
        kind = self.memory.facts.kinds.get(key)
        renewed = isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Subscript)
        if not isinstance(kind, ListOf) or not (grown or (renewed and isinstance(kind.item, (ListOf, List)))):
            return
        base, order = self.base(key), self.memory.places[id(statement)].order
        if {key, base} & self.after.read(statement):
            return  # it is read afterwards, so that its adjoint is there, and follows
        for name, source, first, last in self.chosen_lists:
            other = source if name == base else name if source == base else None
            if other is None or other not in self.pairs.get(base, ()) or other not in self.memory.facts.varied:
                continue
            if any(read < order and not first <= read <= last for read in self.lists_read.get(other, ())):
                self.refuse(
                    statement,
                    f"{self.shown(key, 'this list')} gets longer or shorter, or a list in it does, and may be the same "
                    f"list as {self.shown(other, 'another')}, of which items are read",
                    ways.COPY_LIST,
                )

    @cached_property
    def chosen_lists(self) -> list[tuple[str, str, int, int]]:
        """Names that are a list on a path of a branch: the name, the list, and where the other path begins and ends."""
        found: list[tuple[str, str, int, int]] = []
        for branch in (s for top in self.body for s in nested(top) if isinstance(s, gast.If)):
            for block, other in ((branch.body, branch.orelse), (branch.orelse, branch.body)):
                orders = [self.memory.places[id(s)].order for top in other for s in nested(top)] or [-1]
                for copy in (s for s in block if isinstance(s, gast.Assign)):
                    if isinstance(copy.value, gast.Name) and self.is_list(copy.targets[0]):
                        found.append((atom_key(copy.targets[0]), copy.value.id, min(orders), max(orders)))
        return found

    @cached_property
    def lists_read(self) -> dict[str, list[int]]:
        """Where something of a name is read: not where it is copied, or a method changes it."""
        found: dict[str, list[int]] = {}
        for statement in (s for top in self.body for s in nested(top)):
            value = getattr(statement, "value", None)
            if isinstance(statement, gast.Assign) and isinstance(value, gast.Name):
                continue
            changed = value.func if isinstance(statement, gast.Expr) and isinstance(value, gast.Call) else None
            owner = changed.value if isinstance(changed, gast.Attribute) and changed.attr in LIST_MUTATORS else None
            for n in (n for part in own_parts(statement) for n in walk_names(part)):
                if n is not owner and isinstance(n.ctx, gast.Load):
                    found.setdefault(n.id, []).append(self.memory.places[id(statement)].order)
        return found

    def check_store(self, statement: Stmt, key: str) -> None:
        self.check_chosen(statement, key)
        self.check_resized(statement, key)
        for place in self.memory.definitions.get(key, []):  # of a list of lists: that is changed, too
            value = getattr(place.statement, "value", None)
            if self.is_list(load(key)) and isinstance(value, gast.Subscript) and self.is_list(value.value):
                self.check_store(statement, atom_key(value.value))
        base = self.base(key)
        # (where neither has an adjoint, what is read of them is copied where they may be overwritten)
        others = [n for n in sorted(self.pairs.get(base, ())) if {base, n} & self.memory.facts.varied]
        live = self.after.read(statement) - self.bound_by(statement) if others else set()
        contents = live & self.after.contents.get(id(statement), set()) if others else set()
        for other in others:
            names = {other, *self.views.get(other, ())}
            parts = {name for name in names if name not in live and self.part_is_read(name, contents, statement)}
            if parts or (names & live and names & contents):
                mine, theirs = self.shown(key), self.shown(other, "another one")
                if mine == theirs:
                    theirs = f"what another {theirs} held"
                it = "that one" if theirs == "another one" else theirs
                reason = f"{mine} may be the same array as {theirs} here, and {it} is used afterwards"
                if any(store.place.statement is statement for store in self.memory.rebindings):
                    self.refuse(statement, reason)  # it is no store, and nothing that stands beside a name makes it one
                found = Undecided(base, other, error_at(statement, self.core.source, reason, WAY_OUT))
                if not any((found.name, found.other) == (one.name, one.other) for one in self.undecided):
                    self.undecided.append(found)

    def part_is_read(self, key: str, live: set[str], statement: Stmt) -> bool:
        """Is a part of an argument, such as p[0], read after a statement?"""
        root = key.split("[")[0].split(".")[0]
        if root == key or root not in live or key not in self.memory.facts.kinds:
            return False
        here = self.memory.places[id(statement)]
        loops = {id(loop) for loop in here.loops}
        later = (
            p.statement
            for p in self.memory.places.values()
            if p.order > here.order or loops & {id(loop) for loop in p.loops}
        )
        return root in self.after.end or any({key, root} & atoms_read(s, self.memory.facts.kinds) for s in later)

    def check_overlap(self, statement: Stmt) -> None:
        """`u[::2] = u[:3]`: NumPy has overwritten u[2] when it reads it."""
        target = target_of(statement)
        base = target.value if isinstance(target, gast.Subscript) else None
        active = base is not None and atom_key(base) in self.memory.facts.varied
        if active and reads_too_late(statement, self.memory):
            self.refuse(
                statement,
                "a view of an array is stored into it, and NumPy may overwrite its elements before it reads them",
                ways.COPY,
            )

    def check_rebinding(self, statement: Stmt, key: str) -> None:
        """`a += b` that binds a anew: nobody may read what a held, or a view of it, as it was."""
        live = self.after.read(statement) - self.bound_by(statement)
        base = self.base(key)
        root = self.memory.find(key)
        held = any(root in self.memory.classes(name)[1:] for name in live)  # by a list
        held = held or any(self.memory.may_be_held(n) and self.memory.find(n) == root for n in live)
        bases, kinds = self.reach.get(key, frozenset((key,))), self.memory.facts.kinds
        same = self.memory.members.get(root, [key])
        values = [getattr(p.statement, "value", None) for n in same for p in self.memory.definitions.get(n, ())]
        taken = any(list_read(v) is not None for v in values)  # out of a list: it may be any array that is in there
        forms = (ListOf, List, Tuple, Dict, Object, *((Array,) if taken else ()))
        held = held or any(bases & self.reach.get(n, frozenset()) for n in live if isinstance(kinds.get(n), forms))
        if held or {key, base, *self.views.get(base, ())} & live:
            self.refuse(
                statement,
                f"whether {self.shown(key)} is changed in place or becomes another, only the run knows, and what it "
                "was before is used afterwards",
                ways.NEW_VALUE,
            )

    @cached_property
    def reach(self) -> dict[str, frozenset[str]]:
        """The memory that each name reaches, what is in lists included."""
        effects = Effects(self.memory.facts)
        return bases_of([effects.of(s) for top in self.body for s in nested(top)], effects)[0]

    def bound_by(self, statement: Stmt) -> set[str]:
        """The name that an augmented assignment binds anew."""
        return {statement.targets[0].id} if getattr(statement, "rebinds", None) is not None else set()

    def shown(self, key: str, otherwise: str = "this array") -> str:
        return _shown(key, self.memory, self.core, otherwise)

    def check_lists(self, statement: Stmt) -> None:
        value = getattr(statement, "value", None)
        called = value.func if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) else None
        grows = called is not None and called.attr in ("append", "insert", "extend") and self.is_list(called.value)
        if isinstance(statement, gast.Expr) and called is not None and grows:
            *_, item = statement.value.args
            self.check_lists_held(statement, item, called.value)
            parts = [part for _, part in leaves(item)]
            for position, part in enumerate(parts):
                if not self.for_its_shape(atom_key(called.value), len(parts), position):
                    self.check_held(statement, part)
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if isinstance(target, gast.Subscript) and self.is_list(target.value):
                self.check_held(statement, value)
                self.check_lists_held(statement, value, target.value)
            if isinstance(value, gast.List) and isinstance(target, gast.Name) and self.is_list(target):
                self.check_held(statement, value)
                self.check_lists_held(statement, value, target)
            if isinstance(target, gast.Name) and self.is_list(target):
                self.check_repeated(statement, target, value)
            taken = (
                value.func.value
                if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "pop"
                else (value.value if isinstance(value, gast.Subscript) else None)
            )
            if taken is not None and self.is_list(taken):
                names = [n.id for _, n in leaves(target) if isinstance(n, gast.Name)]
                for name in names:
                    if self.is_followed(name) and self.memory.is_overwritten(name):
                        self.refuse(statement, f"{self.shown(name)} is taken from a list and overwritten", held=True)

    def check_lists_held(self, statement: Stmt, item: Expr, into: Expr) -> None:
        """A list that goes into a list of lists may be changed there only where nobody else has it.

        One that is not active counts, too, where the other is: active values may be put into it there.
        """
        back = self.memory.put_back(statement)
        if back:
            item = gast.Tuple([e for path, e in leaves(item) if path not in back], gast.Load())
        varied = self.memory.facts.varied
        found = [one for one in lists_in(item, self.is_list) if {atom_key(one), atom_key(into)} & varied]
        place = self.memory.places[id(statement)]
        for one in found:
            key = atom_key(one)
            if not self.memory.overwritten_after(key, None, place):
                continue
            if sum(1 for other in found if atom_key(other) == key) > 1 or not self.given_away(statement, key):
                self.refuse(
                    statement,
                    f"{self.shown(key, 'this list')} {HELD_TWICE}",
                    ways.COPY_LIST,
                )

    def given_away(self, statement: Stmt, key: str) -> bool:
        """Is a list that goes somewhere else one that was made here, and that nobody reads by another name?"""
        made = self.memory.definitions.get(key, [])
        if not made or any(isinstance(getattr(p.statement, "value", None), gast.Subscript) for p in made):
            return False
        live = self.after.read(statement)
        return not any(name in live for name in (key, *self.pairs.get(self.base(key), ())))

    def check_result(self, statement: Stmt) -> None:
        """A list that a recursive function returns may be one that it was given: then neither is changed later."""
        for key in getattr(statement, "may_share", ()):
            for name in walk_names(statement.targets):
                both = self.is_list(name) and self.is_list(load(key)) and name.id in self.memory.facts.varied
                if both and self.memory.overwritten_after(name.id, None, self.memory.places[id(statement)]):
                    self.refuse(
                        statement,
                        "a recursive function returns a list that it may have been given, and the list is changed",
                        ways.COPY_LIST,
                    )

    def check_repeated(self, statement: Stmt, target: Any, value: Expr) -> None:
        """`[row] * n` and `[row for ...]` hold one list many times."""
        item = value.left if isinstance(value, gast.BinOp) else value.elt if isinstance(value, gast.ListComp) else None
        inner = item.elts if isinstance(value, gast.BinOp) and isinstance(item, gast.List) else ()
        displayed = any(isinstance(n, (gast.List, gast.Dict, gast.Set)) for part in inner for n in walk(part))
        if item is None or not (displayed or lists_in(item, self.is_list)):
            return
        place = self.memory.places[id(statement)]
        if self.memory.overwritten_after(target.id, None, place):
            self.refuse(statement, "one list is held many times here, and changed", ways.COPY_LIST)

    def for_its_shape(self, key: str, count: int, position: int) -> bool:
        """Is all that is ever read of a part of a list's items its shape and dtype? Those do not change."""
        if self.reads is None:
            self.reads = _Reads(self.body)
        names = self.reads.taken.get((key, count), {}).get(position)
        whole = self.reads.other_uses.get(key, 0) == 0 and (key, count) in self.reads.taken
        return whole and names is not None and all(not self.reads.contents.get(name) for name in names)

    def is_list(self, expr: Expr) -> bool:
        if not isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):
            return False
        return isinstance(self.memory.facts.kinds.get(atom_key(expr)), ListOf)

    def is_followed(self, key: str) -> bool:
        """Is it an array, or may it be an active one? (Of other containers `Memory` knows all stores to be of one.)"""
        kind = self.memory.facts.kinds.get(key)
        return isinstance(kind, Array) or (isinstance(kind, Unknown) and key in self.memory.facts.varied)

    def check_held(self, statement: Stmt, value: Expr) -> None:
        if isinstance(value, (gast.Tuple, gast.List)):
            for part in value.elts:
                self.check_held(statement, part)
            return
        if not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)):
            return
        key = atom_key(value)
        if not self.is_followed(key) or not self.memory.is_overwritten(key):
            return
        place = self.memory.places[id(statement)]
        if self.memory.overwritten_after(key, None, place):
            self.refuse(statement, f"{self.shown(key)} is overwritten while a list holds it", held=True)


def atoms_read(statement: Any, kinds: Collection[str]) -> set[str]:
    """The names and the parts of names, such as p[0], that a statement reads; not the p of p[0].

    >>> from s2sad.core import statements
    >>> sorted(atoms_read(statements("y = p[0][1] * q[2] + f(p)")[0], {"p", "p[0]", "q"}))
    ['f', 'p', 'p[0]', 'q']
    """
    found: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, (gast.Subscript, gast.Attribute)) and atom_key(node) in kinds:
            found.add(atom_key(node))
            return
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            found.add(node.id)
        for child in gast.iter_child_nodes(node):
            visit(child)

    visit(statement)
    return found


def lists_in(item: Expr, is_list: Any) -> list[Expr]:
    """The run-time lists that an item is made of."""
    if isinstance(item, (gast.Tuple, gast.List)):
        return [one for e in item.elts for one in lists_in(e, is_list)]
    return [item] if is_list(item) else []


class _Reads:
    """What is read of the items of run-time lists that are only grown by append and emptied by pop.

    Attributes:
        taken: for (list, parts of an item) the names that pop gives each part.
        other_uses: how often a list is used in other ways.
        contents: how often more than the shape of a name's value is read.
    """

    def __init__(self, body: list[Stmt]) -> None:
        self.taken: dict[tuple[str, int], dict[int, set[str]]] = {}
        self.other_uses: dict[str, int] = {}
        self.contents: dict[str, int] = {}
        for statement in body:
            self.visit(statement)

    def visit(self, node: Any) -> None:
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Call):
            key = _method_of_name(node.value, "pop")
            if key is not None and not node.value.args:
                target = node.targets[0]
                parts = [part for _, part in leaves(target)]
                table = self.taken.setdefault((key, len(parts)), {})
                for position, part in enumerate(parts):
                    table.setdefault(position, set()).add(part.id if isinstance(part, gast.Name) else "")
                return
        starts = isinstance(node, gast.Assign) and isinstance(node.value, gast.List)
        if starts and isinstance(node.targets[0], gast.Name):
            for part in node.value.elts:
                self.visit(part)
            return
        called = isinstance(node, gast.Expr) and isinstance(node.value, gast.Call)
        if called and _method_of_name(node.value, "append") is not None:
            for argument in node.value.args:
                self.visit(argument)
            return
        if isinstance(node, gast.Call):
            name = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "")
            if name in _OF_SHAPE and node.args and isinstance(node.args[0], gast.Name):
                for argument in [*node.args[1:], *(k.value for k in node.keywords)]:
                    self.visit(argument)
                return
        sized = isinstance(node, gast.Attribute) and node.attr in _SHAPE
        if sized and isinstance(node.value, gast.Name):
            return
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Load):
                self.contents[node.id] = self.contents.get(node.id, 0) + 1
            self.other_uses[node.id] = self.other_uses.get(node.id, 0) + 1
            return
        for child in gast.iter_child_nodes(node):
            self.visit(child)


def without_shapes(node: Any, kinds: dict[str, Kind] | None = None) -> Any:
    """A tree without the names of which only the shape or the dtype is read. The length of what may be a list, a set or
    a dict (by its kind) is no shape: it changes.

    >>> text(without_shapes(gast.parse("b = np.zeros_like(a) + a.shape[0] * a[1]")))
    'b = np.zeros_like(0) + 0 .shape[0] * a[1]'
    """
    for n in walk(node):
        if isinstance(n, gast.Call) and n.args and isinstance(n.args[0], gast.Name):
            name = n.func.attr if isinstance(n.func, gast.Attribute) else getattr(n.func, "id", "")
            grows = name == "len" and isinstance((kinds or {}).get(n.args[0].id), (Unknown, ListOf))
            if name in _OF_SHAPE and not grows:
                n.args[0] = gast.Constant(0, None)
        elif isinstance(n, gast.Attribute) and isinstance(n.value, gast.Name) and n.attr in _SHAPE:
            n.value = gast.Constant(0, None)
    return node


#: attributes that say no more of an array than its shape and dtype, and functions that read no more of their first
#: argument
_SHAPE = ("shape", "dtype", "ndim", "size")
_OF_SHAPE = {"zeros_like", "ones_like", "empty_like", "full_like", "len", "shape", "ndim", "size"}


def _method_of_name(call: Any, method: str) -> str | None:
    """The name whose method of this name is called."""
    func = call.func
    owned = isinstance(func, gast.Attribute) and func.attr == method and isinstance(func.value, gast.Name)
    return str(func.value.id) if owned else None
