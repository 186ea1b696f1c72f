"""Array statements as loops: chains of them become one loop over elements, without arrays in between.

    t = u[2:] - u[:-2]              for i in range(len(u) - 2):
    y = k * t                 ->        total = plus(total, (k * (u[i + 2] - u[i])) ** 2)
    total = np.sum(y**2)

The statements of a block that work on elements are collected into runs. In a run, an array that nobody else reads is
never made; what is left are sinks (arrays and numbers that somebody reads, stores), each with its loops. Sinks whose
loops are equally long share them as far as no statement reads what another one writes at another turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import Roots, roots
from s2sad.analysis.effects import Effects
from s2sad.analysis.liveness import live_after
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    blocks_of,
    clone,
    load,
    names_bound,
    names_read,
    quote,
    replace_names,
    text,
    walk,
    walk_names,
)
from s2sad.kinds.dims import at_least
from s2sad.kinds.kind import Array, Dim, Kind, Number
from s2sad.native.kinds_here import called, follow
from s2sad.native.mathematics import VECTORS, has_vectors
from s2sad.native.nests import (
    CHEAP,
    LOGICAL,
    REDUCTIONS,
    Access,
    Action,
    Level,
    Nest,
    Stays,
    has_half,
)
from s2sad.native.parts import Parts, Run
from s2sad.native.subset import Subset

#: so many operations are done again rather than to keep what they give
CHEAPER = 5


def with_fused_loops(
    body: list[Stmt], subset: Subset, parameters: list[str], raises: bool = False, parallel: bool = False
) -> list[Stmt]:
    """The statements of a function, with those on arrays as loops over elements.

    Args:
        body: the statements.
        subset: makes the functions that loops call; its facts say what is known of the names.
        parameters: the names of the function's parameters.
        raises: does a division of numbers by zero raise? One of arrays does not.
        parallel: may loops whose turns are independent run on several threads (`numba.prange`)?

    >>> from s2sad.core import quote_statements
    >>> x = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> subset = Subset(Facts(kinds={"x": x, "k": Number(float)}, globals={"np": np}))
    >>> body = quote_statements("t = x[1:] - x[:-1]\\nx[1:] = k * t * t\\nreturn x")
    >>> print("\\n".join(map(text, with_fused_loops(body, subset, ["x", "k"]))))
    t = x[1:] - x[:-1]
    for i in range(len(x) - 1):
        x[i + 1] = k * t[i] * t[i]
    return x
    """
    facts = subset.facts
    kinds: dict[int, dict[str, Kind]] = {}
    follow(body, facts, lambda statement, here: kinds.__setitem__(id(statement), dict(here.kinds)))
    live = live_after(body, facts)
    memory = roots(body, facts, parameters=parameters)
    return _Fusion(facts, subset, kinds, live, memory, raises, parallel, bound=set(parameters)).block(body)


@dataclass
class _Fusion:
    facts: Facts
    subset: Subset
    kinds: dict[int, dict[str, Kind]]
    live: Mapping[int, set[str]]
    memory: Roots
    raises: bool
    parallel: bool
    #: the variables of loops, by depth, which all of a function's share
    turns: list[str] = field(default_factory=list)
    run: list[Action] = field(default_factory=list)
    #: the names of the numbers in loops
    given: set[str] = field(default_factory=set)
    #: what is known of names that were made on the way
    extra: dict[str, Kind] = field(default_factory=dict)
    #: the names that are bound for certain where the run begins
    bound: set[str] = field(default_factory=set)
    #: arrays that this block has made, and of which there is no other name so far
    own: set[str] = field(default_factory=set)

    def block(self, body: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for statement in body:
            for inner in blocks_of(statement):
                outer = self.run, self.bound, self.own
                bound = names_bound(statement.target) if isinstance(statement, gast.For) else set()
                made = {a.name for a in self.run}
                self.run, self.bound, self.own = [], self.bound | bound | made, set()
                inner[:] = self.block(inner) or [gast.Pass()]
                self.run, self.bound, self.own = outer
            first = partial(self.size, run=self.run, place=0)
            around = Run(self.run, self.facts, self.subset, self.kinds, self.extra, first, self.meet)
            parts = Parts(around, statement).of()
            for k, part in enumerate(parts):
                is_action = isinstance(part, Action)
                if self.clashes(part) if is_action else not self.may_go_first(part):
                    out += self.flush(self.live_at(statement) | self.read_by(parts[k:]))
                self.note(part.statement if is_action else part)
                if is_action:
                    self.run.append(part)
                else:
                    out.append(part)
                    self.bound |= _bound_by(part)
        out += self.flush(self.live_at(body[-1]) if body else set())
        return self.without_names(out)

    def note(self, statement: Any) -> None:
        """Follow which arrays have one name only."""
        effect = Effects(self.facts).of(statement)
        for name, shared in () if isinstance(statement, gast.AugAssign) else effect.defines:
            self.own -= shared
            self.own.discard(name)
            value = statement.value if isinstance(statement, gast.Assign) else None
            if value is not None and not shared and isinstance(value, (gast.Call, gast.BinOp)):
                self.own.add(name)
        for _, kept, _ in effect.keeps:
            self.own -= kept
        if not isinstance(statement, (gast.Assign, gast.AugAssign, gast.Expr)):
            self.own.clear()

    def without_names(self, body: list[Stmt]) -> list[Stmt]:
        """Put what got a name of its own for nothing back where it is read: what is read in no loop."""
        uses: dict[str, int] = {}
        for node in (n for s in body for n in walk_names(s)):
            if isinstance(node.ctx, gast.Load):
                uses[node.id] = uses.get(node.id, 0) + 1
        out: list[Stmt] = []
        held: dict[str, Stmt] = {}
        for statement in body:
            if isinstance(statement, (gast.Assign, gast.AugAssign, gast.Return)) and held:
                back = {n: held.pop(n) for n in sorted(names_read(statement) & set(held))}
                if back:
                    comment = next((v.comment for v in back.values() if "comment" in v.__dict__), None)
                    statement.value = replace_names(statement.value, {n: v.value for n, v in back.items()})
                    if comment is not None:
                        statement.comment = comment
            name = statement.targets[0].id if _is_plain(statement) else None
            if name in self.extra and uses.get(name) == 1:
                held[name] = statement
                continue
            if held and name not in self.extra:
                out += held.values()
                held = {}
            out.append(statement)
        return [*out, *held.values()]

    def live_at(self, statement: Stmt | None) -> set[str]:
        return set() if statement is None else set(self.live.get(id(statement), ()))

    def read_by(self, parts: list[Any]) -> set[str]:
        found: set[str] = set()
        for part in parts:
            statement = part.statement if isinstance(part, Action) else part
            found |= names_read(statement)
            if isinstance(statement, gast.AugAssign):
                found |= {n.id for n in walk_names(statement.target)}
        return found

    def meet(self, a: str, b: str) -> bool:
        """May two names share memory?"""
        if a == b or a in self.own or b in self.own:
            return a == b
        return bool(self.bases(a) & self.bases(b))

    def bases(self, name: str) -> frozenset[str]:
        return self.memory.get(name, frozenset((name,)))

    def clashes(self, new: Action) -> bool:
        """Does it bind a name that the run reads or binds?"""
        if new.does in ("store", "scatter"):
            return False
        return any(new.name == a.name or new.name in names_read(a.statement) for a in self.run)

    def may_go_first(self, statement: Stmt) -> bool:
        """Does a statement do the same in front of the run?"""
        if not self.run:
            return True
        if not isinstance(statement, gast.Assign):
            return False
        effect = Effects(self.facts).of(statement)
        if effect.own or effect.unknown or effect.stores or effect.deep_stores or effect.keeps or effect.effects:
            return False
        made = {a.name for a in self.run if a.does not in ("store", "scatter")}
        written = {a.name for a in self.run if a.does in ("store", "scatter")}
        if made & set(effect.reads) or any(self.meet(n, w) for n in effect.contents for w in written):
            return False
        read = {n for a in self.run for n in names_read(a.statement)} | made | written
        return not read & effect.binds

    # a run

    def flush(self, live: set[str]) -> list[Stmt]:
        """The statements for the run, after which the names are read."""
        run, self.run = self.run, []
        if not run:
            return []
        return self.loops(run, live)

    def loops(self, run: list[Action], live: set[str]) -> list[Stmt]:
        """The statements for a run; where it can not be in loops as a whole, for its halves."""
        try:
            return self.as_loops(run, live)
        except Stays:
            if len(run) == 1:
                self.bound.add(run[0].name)
                return [run[0].statement]
        half = len(run) // 2
        later: list[Any] = run[half:]
        return [*self.loops(run[:half], live | self.read_by(later)), *self.loops(later, live)]

    def as_loops(self, run: list[Action], live: set[str]) -> list[Stmt]:
        escapes = live & {a.name for a in run}
        for action in run:
            action.virtual = action.does == "view" or (action.does == "define" and action.name not in escapes)
        for action in run:
            if action.does in ("store", "scatter"):
                self.make(run, self.stored_into(run, action))
        views = [a for a in run if a.does == "view" and a.name in escapes]
        for view in views:
            for base in names_read(view.value):
                self.make(run, base)
        while True:
            alone = self.each_alone(run)
            if alone is None:
                continue
            groups = self.grouped(run, alone)
            twice = self.costly_twice(run, groups, alone)
            if not twice:
                break
            for place in twice:
                run[place].virtual = False
        out = [clone(v.statement) for v in views if not names_read(v.value) & {a.name for a in run}]
        for group in groups:
            out += self.nest_of(run, group)
        self.bound |= {a.name for a in run if not a.virtual} | {v.name for v in views}
        return out + [v.statement for v in views if names_read(v.value) & {a.name for a in run}]

    def stored_into(self, run: list[Action], action: Action) -> str:
        """The array that a store changes, behind the views of the run."""
        name = action.name
        for view in reversed(run):
            if view.does == "view" and view.name == name:
                base: Any = view.value
                while not isinstance(base, gast.Name):
                    base = base.value
                if action.does == "scatter":
                    raise Stays
                name = base.id
        return name

    def make(self, run: list[Action], name: str) -> None:
        for action in run:
            if action.name == name and action.does == "define":
                action.virtual = False
            elif action.name == name and action.does == "view":
                raise Stays

    def each_alone(self, run: list[Action]) -> dict[int, Nest] | None:
        """The loops of each sink by itself, their variables named by depth. None: an array has to be made."""
        alone: dict[int, Nest] = {}
        sinks = [k for k, a in enumerate(run) if not a.virtual]
        for place in sinks:
            nest = self.nest(run, lambda depth, mark: f"@{mark}{depth}", place)
            nest.add(place, 0)
            alone[place] = nest
            for read in nest.reads:
                between = [w for k in sinks if read.by < k < place for w in alone[k].writes]
                clash = any(self.meet(w.name, read.name) for w in between)
                turns = {n.turn for n in nest.path()}
                clash |= any(self.meet(w.name, read.name) and not _same_place(w, read, turns)
                             for w in nest.writes)  # fmt: skip
                if clash:
                    if read.by == place or not run[read.by].virtual or run[read.by].does == "view":
                        raise Stays
                    run[read.by].virtual = False
                    return None
        return alone

    def nest(self, run: list[Action], turn: Any, place: int) -> Nest:
        def size(dim: Dim) -> Expr:
            return self.size(dim, run, place)

        return Nest(run, self.facts, turn, size, self.function, self.raises, self.given, self.meet)

    def grouped(self, run: list[Action], alone: dict[int, Nest]) -> list[list[tuple[int, int]]]:
        """The sinks that share loops, in order, each with how many of them it has in common with the one before."""
        groups: list[list[tuple[int, int]]] = []
        for place in alone:
            for group in reversed(groups):
                shared = self.shared(run, alone, group, place)
                if shared:
                    group.append((place, shared))
                    break
                if any(self.depend(alone[other], alone[place]) for other, _ in group):
                    groups.append([(place, 0)])
                    break
            else:
                groups.append([(place, 0)])
        return groups

    def shared(self, run: list[Action], alone: dict[int, Nest], group: list[tuple[int, int]], place: int) -> int:
        last = run[group[-1][0]].space
        space = run[place].space
        depth = 0
        while depth < min(len(last), len(space)) and last[depth] == space[depth]:
            depth += 1
        if not any(self.touched(alone[other]) & self.touched(alone[place]) for other, _ in group):
            return 0
        whole = max(len(last), len(space))
        while depth:
            common = depth
            if depth < whole and not any(self.goes_on(alone[other], alone[place]) for other, _ in group):
                return 0
            for k in range(len(group) - 1, -1, -1):
                if not self.agree(alone[group[k][0]], alone[place], {f"@{d}" for d in range(common)}):
                    break
                common = min(common, group[k][1])
            else:
                return depth
            depth -= 1
        return 0

    def touched(self, nest: Nest) -> set[str]:
        return {a.name for a in (*nest.reads, *nest.writes)} | set(nest.pulled)

    def goes_on(self, first: Nest, second: Nest) -> bool:
        """Does the second read what the first writes, or are both made of the same numbers?"""
        written = {w.name for w in first.writes}
        return bool(written & {r.name for r in second.reads} or set(first.pulled) & set(second.pulled))

    def depend(self, first: Nest, second: Nest) -> bool:
        """Does the second read or write what the first writes, or write what it reads?"""
        totals = {first.run[p.position].name for p in (first,) if first.run[p.position].does == "total"}
        if totals & second.numbers:
            return True
        pairs = [(w, a) for w in first.writes for a in (*second.reads, *second.writes)]
        pairs += [(r, w) for r in first.reads for w in second.writes]
        return any(self.meet(a.name, b.name) for a, b in pairs)

    def agree(self, first: Nest, second: Nest, turns: set[str]) -> bool:
        """May they share the loops over these turns? Where they touch the same memory, they do so in the same turn."""
        if {first.run[first.position].name} & second.numbers:
            return False
        own = [w.name for w in (*first.writes, *second.writes) if w.added]
        read = {r.name for r in (*first.reads, *second.reads)}
        pairs = [(w, a) for w in first.writes for a in (*second.reads, *second.writes)]
        pairs += [(w, r) for r in first.reads for w in second.writes]
        for a, b in pairs:
            if not self.meet(a.name, b.name) or _same_place(a, b, turns):
                continue
            if a.added and b.added and a.name == b.name and a.name in own and a.name not in read and _anywhere(a, b):
                continue
            return False
        return True

    def costly_twice(self, run: list[Action], groups: list[list[tuple[int, int]]], alone: dict[int, Nest]) -> list[int]:
        """The virtual arrays that more than one nest would compute, and that cost more than to be kept."""
        found = []
        for place, action in enumerate(run):
            if action.virtual and action.does == "define":
                count = 0
                for group in groups:
                    met = False
                    for p, shared in group:
                        if action.name in alone[p].pulled:
                            count += alone[p].pulled[action.name] - (met and shared >= len(action.space))
                            met = True
                deeper = any(_is_repeated(alone[p], action) for group in groups for p, _ in group)
                if (count > 1 or deeper) and self.cost(run, action) > CHEAPER:
                    found.append(place)
        return found[:1]

    def cost(self, run: list[Action], action: Action) -> int:
        """How many operations an element takes, with those of the virtual arrays that it is made of."""
        parts = names_read(action.value) - {action.name}
        return _operations(action) + sum(self.cost(run, a) for a in run if a.virtual and a.name in parts)

    def nest_of(self, run: list[Action], group: list[tuple[int, int]]) -> list[Stmt]:
        first = run[group[0][0]]
        nest = self.nest(run, self.turn, group[0][0])
        for place, shared in group:
            nest.add(place, shared)
        is_alone = len(group) == 1 and first.does == "define" and not nest.pulled and not _has_loop(first)
        if is_alone and not self.parallel:
            return [first.statement]
        if self.parallel and nest.has_independent_turns():
            next(p for p in nest.root.body if isinstance(p, Level)).prange = self.subset.prange()
        loops = nest.root.statements()
        for name in ("origin", "comment"):
            if name in first.statement.__dict__ and loops:
                setattr(loops[0], name, first.statement.__dict__[name])
        return [*nest.before, *loops, *nest.after]

    def turn(self, depth: int, mark: str) -> str:
        while len(self.turns) <= depth:
            self.turns.append(self.facts.fresh("ijklmnopq"[len(self.turns)]))
        return self.turns[depth]

    def size(self, dim: Dim, run: list[Action], place: int) -> Expr:
        """The length of an axis as an expression over what is there in front of the run."""
        if dim.known:
            return gast.Constant(dim.const, None)
        made = {a.name for a in run if a.does not in ("store", "scatter")}
        kinds = {n: k for n, k in {**run[0].here.kinds, **self.extra}.items() if n in self.bound and n not in made}
        near = [n for a in run[place : place + 1] for n in sorted(names_read(a.value)) if n in kinds]
        names = dict.fromkeys([*near, *sorted(kinds)])
        best: Expr | None = None
        for name in names:
            kind = kinds[name]
            if isinstance(kind, Number) and kind.value is not None and kind.value == dim and name not in near:
                return load(name)
            shape = kind.shape or () if isinstance(kind, Array) else ()
            for axis, length in enumerate(shape):
                found = quote("len(x)", x=name) if len(shape) == 1 else quote("x.shape[k]", x=name, k=axis)
                if length == dim:
                    return found
                more = dim - length
                if more.known and best is None and at_least(dim, 0):
                    best = _added(found, more.const)
        if best is None:
            best = self.sum_of(dim, [(n, kinds[n]) for n in names])
        if best is None:
            raise Stays
        return best

    def sum_of(self, dim: Dim, kinds: list[tuple[str, Kind]]) -> Expr | None:
        """A length as a sum of ints and lengths; None: it is none of those that have a name."""
        found: Expr | None = None
        for symbol, factor in sorted(dim.terms, key=lambda term: -term[1]):
            numbers = [(n, k.value) for n, k in kinds if isinstance(k, Number) and k.value is not None]
            lengths = [(f"{n}.shape[{axis}]", d) for n, k in kinds if isinstance(k, Array)
                       for axis, d in enumerate(k.shape or ())]  # fmt: skip
            term = next((e for e, d in [*numbers, *lengths] if d == Dim.symbol(symbol)), None)
            if term is None or abs(factor) != 1 or (found is None and factor < 0) or not at_least(dim, 0):
                return None
            sign = gast.Add() if factor > 0 else gast.Sub()
            found = quote(term) if found is None else gast.BinOp(found, sign, quote(term))
        return None if found is None else _added(found, dim.const)

    def function(self, function: Any) -> Expr | None:
        """The function that loops call for one of NumPy's, or for "plus"; None: itself."""
        if isinstance(function, str):
            return None if self.parallel else self.subset.plus()  # (Numba knows a sum of threads by +=)
        return None if function not in VECTORS or has_vectors() else self.subset.vector(function)


def _added(expr: Expr, const: int) -> Expr:
    if not const:
        return expr
    return gast.BinOp(expr, gast.Add() if const > 0 else gast.Sub(), gast.Constant(abs(const), None))


def _same_place(a: Access, b: Access, turns: set[str]) -> bool:
    """Do two accesses touch the same element in the same turn, and another one in each other turn?"""
    if a.name != b.name or len(a.index) != len(b.index):
        return False
    fixed = set()
    for i, j in zip(a.index, b.index, strict=True):
        named = {t for t in turns if t in i or t in j}
        if named and i != j:
            return False
        if i == j and len(named) == 1 and (i in turns or i.rpartition(" ")[0] in {f"{t} +" for t in turns}):
            fixed |= named
        elif named:
            return False
    return fixed == turns


def _anywhere(a: Access, b: Access) -> bool:
    """Are these places that only the run knows, so that no order of additions is better than another?"""
    return any("[" in i for i in (*a.index, *b.index))


def _operations(action: Action) -> int:
    """The operations of an element, where a division or a function counts as many."""
    count = 0
    for node in walk(action.value):
        if isinstance(node, gast.Call):
            function = called(node.func, action.here)
            count += 1 if any(function is f for f in (*CHEAP, *LOGICAL, np.where, np.outer)) else 10
        if isinstance(node, gast.BinOp):
            dear = isinstance(node.op, gast.Div) or (
                isinstance(node.op, gast.Pow) and text(node.right) not in ("2", "2.0", "3")
            )
            count += 10 if dear else 1
    return count


def _is_repeated(nest: Nest, action: Action) -> bool:
    """Would an array be computed again for each turn of a loop that its elements do not depend on?"""
    return action.name in nest.pulled and any(
        key[0] == action.name and any(f"@{d}" not in " ".join(key[1]) for d in range(level.depth))
        for key, (_, level) in nest.made.items()
    )


def _has_loop(action: Action) -> bool:
    """Does an expression call what is better called in a loop, or what Numba makes an array of its own of?"""
    nodes = list(walk(action.value))
    calls = [called(n.func, action.here) for n in nodes if isinstance(n, gast.Call)]
    if any(f is np.outer or f is np.where for f in calls):
        return True
    if any((f in VECTORS and not has_vectors()) or f in REDUCTIONS for f in calls if callable(f)):
        return True
    return any(isinstance(n, gast.BinOp) and isinstance(n.op, gast.Pow) and has_half(n.right) for n in nodes)


def _bound_by(statement: Any) -> set[str]:
    """The names that a statement binds, whatever happens."""
    if isinstance(statement, (gast.Assign, gast.AugAssign)):
        return {n.id for n in walk_names(statement) if isinstance(n.ctx, gast.Store)}
    return set()


def _is_plain(statement: Any) -> bool:
    return isinstance(statement, gast.Assign) and len(statement.targets) == 1 and isinstance(
        statement.targets[0], gast.Name)  # fmt: skip
