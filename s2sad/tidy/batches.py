"""A loop of the backward sweep whose turns have nothing to do with each other is one operation on all of its rows.

Where each turn comes to a row (a column, an element) of its own, and adds to what all turns share, the turns are a
batch: `bx[i] += g[i] * w[i]` for each i is `bx += g * w`, `bA[:, j] += s[j] * q` adds an outer product, and what every
turn adds to the same place is a product or a sum (the same terms, in another order). So an expert writes them. What the
user's function computes keeps its bits, and an index that is a slice now is one that is known to be inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import surely_bound
from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.liveness import Liveness
from s2sad.analysis.nests import affine, turns
from s2sad.analysis.scope import Scope
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    blocks_of,
    clone,
    is_operation,
    items_of,
    load,
    names_bound,
    names_read,
    quote,
    replace_names,
    store,
    text,
    walk,
    walk_names,
    without_number,
)
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.tidy.rebuild import is_users, with_blocks, with_expressions, with_fields
from s2sad.tidy.turns import ELEMENTWISE, NoBatch, Place, Turns, Value, apart, number_of


def batches_at_once(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with operations on all rows in the place of loops of the derivative's over rows.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements
    >>> n, m, j = Dim.symbol("n.0"), Dim.symbol("m.0"), Dim.symbol("j$")
    >>> matrix, vector, row = (Array(np.dtype(float), shape) for shape in ((n, m), (n,), (m,)))
    >>> facts = Facts(kinds={"A": matrix, "bA": matrix, "q": vector, "bq": vector, "g": Number(np.float64)})
    >>> facts.kinds |= {"j": Number(int, j), "s": row}
    >>> facts.globals["np"] = np
    >>> turn = "g = -s[j]; bq += g * A[:, j]; bA[:, j] += g * q"
    >>> loop = statements(f"bA = np.ones_like(A)\\nfor j in reversed(range(A.shape[1])): {turn}\\nreturn bA, bq")
    >>> print(text(batches_at_once(loop, facts, parameters=["A", "q", "bq", "s"])))
    bA = np.ones_like(A)
    g = -s
    bq += A @ g
    bA += np.outer(q, g)
    return (bA, bq)
    """
    if facts.laid_out or facts.identities or not any(_may_be(s) for top in body for s in nested(top)):
        return body
    scope = Scope(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _Batches(body, scope, live_out).written()


def _may_be(s: Any) -> bool:
    return type(s) is gast.For and not is_users(s) and not s.orelse and all(type(t) in _SIMPLE for t in s.body)


_SIMPLE = (gast.Assign, gast.AugAssign)
_LEAVES = (gast.Break, gast.Continue, gast.Return)


class _Batches:
    """
    Attributes:
        ranges: what is known of the variables of the loops around the statement that is looked at.
        before: the names that certainly have a value before each of the loops, and what is known of those of loops.
        instead: what comes in the place of loops and statements of the forward sweep.
    """

    def __init__(self, body: list[Stmt], scope: Scope, live_out: Iterable[str]) -> None:
        self.body, self.scope, self.facts, self.live_out = body, scope, scope.facts, set(live_out)
        self.names = [n for top in body for n in walk_names(top)]
        self.uses = Counter(n.id for n in self.names)
        self.read_behind = _read_behind(body, frozenset())
        self.stored = 0
        for top in body:
            self.stored |= scope.deep(top)[2]
        self.ranges: dict[str, Number] = {}
        self.before: dict[int, tuple[set[str], dict[str, Number]]] = {}
        self.instead: dict[int, list[Stmt]] = {}

    @cached_property
    def liveness(self) -> Liveness:
        return Liveness(self.body, self.scope)

    def written(self) -> list[Stmt]:
        body = self.block(self.body, self.scope.parameters | set(self.facts.globals))
        return self.exchanged(body) if self.instead else body

    def exchanged(self, statements: list[Stmt]) -> list[Stmt]:
        return [t for s in statements for t in self.instead.get(id(s)) or [with_blocks(s, self.exchanged)]]

    def block(self, statements: list[Stmt], bound: set[str]) -> list[Stmt]:
        """The statements of a block, before which some names are certainly bound; the same list, if none changes."""
        out: list[Stmt] = []
        bound = set(bound)
        for s in statements:
            if type(s) is gast.For:
                self.before[id(s)] = set(bound), dict(self.ranges)
            if _may_be(s):
                out += self.loop(s, bound)
            else:
                out.append(self.within(s, bound))
            bound |= surely_bound([s])
        same = len(out) == len(statements) and all(a is b for a, b in zip(out, statements, strict=True))
        return statements if same else out

    def within(self, s: Any, bound: set[str]) -> Stmt:
        """A statement with batches in its blocks."""
        known = turns(s)
        if known is None or s.target.id in names_bound(s.body):
            bound = bound | names_bound(s.target) if type(s) is gast.For else bound
            return with_blocks(s, lambda block: self.block(block, bound))
        name = s.target.id
        with self.knowing({name: _range(known, f"{name}@", self.facts)}):
            return with_blocks(s, lambda block: self.block(block, bound | {name}))

    @contextmanager
    def knowing(self, ranges: dict[str, Number]) -> Iterator[None]:
        """The variables of the loops around have these values. (A variable of several loops has those of all.)"""
        kinds, before = self.facts.kinds, self.ranges
        outside = {name: kinds[name] for name in ranges if name in kinds}
        self.ranges = before | ranges
        kinds.update(ranges)
        try:
            yield
        finally:
            self.ranges = before
            for name in ranges:
                kinds.pop(name)
            kinds.update(outside)

    def common(self, first: Any, second: Any) -> set[str]:
        """The variables of the loops around one loop which are those of loops around another one, too."""
        return set.intersection(*({t for t in _around(self.body, s)} for s in (first, second)))

    def loop(self, s: Any, bound: set[str]) -> list[Stmt]:
        try:
            return _Loop(self, s, bound, {}, s).written()
        except NoBatch:
            pass
        try:
            return _Taped(self, s, bound).written()
        except NoBatch:
            return [s]


class _Loop(Turns):
    """One loop, and what its statements are for all turns at once.

    Args:
        owner: what is known of the function.
        values: what names are that come from a tape.
        original: the loop as it stands in the function.
    """

    def __init__(self, owner: _Batches, loop: Any, bound: set[str], values: dict[str, Value], original: Any) -> None:
        super().__init__(owner.scope, loop, bound)
        self.loop = original
        if any(is_users(s) for s in self.body):
            raise NoBatch
        self.values |= values
        self.made: list[Stmt] = []
        stores = [s.targets[0] if type(s) is gast.Assign else s.target for s in self.body]
        #: numbers and arrays that all turns add to; names that are given a value in each turn; arrays that change
        self.totals, self.own = set[str](), set[str]()
        for s in self.body:
            if (name := _target(s)) is not None and name not in self.own | self.totals:
                (self.totals if type(s) is gast.AugAssign or _is_sum(s, self.facts) else self.own).add(name)
        self.stored = {t.value.id for t in stores if type(t) is gast.Subscript and type(t.value) is gast.Name}
        self.stored |= {t for t in self.totals if isinstance(self.facts.kinds.get(t), Array)}
        self.check_names(owner)
        self.check_places()
        #: on which axis of matrices the turns count most often
        axes = Counter(self.axis_of(n) for s in self.body for n in self.accesses(s) if type(n) is gast.Subscript)
        self.usual = int(axes[1] > axes[0])

    def axis_of(self, node: Any) -> int | None:
        """On which axis of a matrix the turns count."""
        kind = self.facts.kinds.get(node.value.id)
        if not isinstance(kind, Array) or len(kind.shape or ()) != 2:
            return None
        return next((k for k, part in enumerate(items_of(node.slice)) if self.mentions(part)), None)

    def check_names(self, owner: _Batches) -> None:
        """Is what a turn names its own, are totals only added to, and does all else stay as it is?"""
        within = [n for s in self.body for n in walk_names(s)]
        within_uses = Counter(n.id for n in within)
        if any(owner.liveness.live_after(self.loop, name) for name in self.own) or self.own & self.scope.captured:
            raise NoBatch
        for name in self.totals:
            adding = [s for s in self.body if _target(s) == name]
            if within_uses[name] != sum(1 if type(s) is gast.AugAssign else 2 for s in adding):
                raise NoBatch
        if self.variable in owner.live_out | owner.read_behind | self.scope.captured:
            raise NoBatch
        others = {n.id for n in within} - self.own - {self.variable}
        if (others | self.own) & self.scope.captured:
            raise NoBatch
        for name in self.stored:
            bases = self.scope.bases(name)
            if not bases or bases & self.scope.bases(WORLD):
                raise NoBatch
            if any(n != name and bases & self.scope.bases(n) for n in others):
                raise NoBatch

    def changing(self) -> set[str]:
        return self.stored

    def check_places(self) -> None:
        """Does no turn come to what another one stores into?"""
        adds = {id(s.target) for s in self.body if type(s) is gast.AugAssign and type(s.op) in (gast.Add, gast.Sub)}
        written = {id(s.targets[0] if type(s) is gast.Assign else s.target) for s in self.body}
        places: dict[str, list[tuple[Any, Place]]] = {}
        for s in self.body:
            for node in self.accesses(s):
                name = node.id if type(node) is gast.Name else node.value.id
                if name in self.stored:
                    places.setdefault(name, []).append((node, self.place(node)))
                    if places[name][-1][1].own is None and id(node) in written - adds:
                        raise NoBatch
        for found in places.values():
            for k, (a, at) in enumerate(found):
                for b, to in found[:k]:
                    if id(a) not in written and id(b) not in written:
                        continue
                    if {id(a), id(b)} <= adds and at.own is None and to.own is None:
                        continue
                    alike = at.own is not None and at.own == to.own
                    if not alike and not apart(at, to):
                        raise NoBatch

    # --- statements
    def written(self) -> list[Stmt]:
        for k, s in enumerate(self.body):
            target = s.targets[0] if type(s) is gast.Assign else s.target
            if type(s) is gast.Assign and len(s.targets) > 1:
                raise NoBatch
            if type(target) is gast.Name:
                self.made.append(self.named(s, target, self.body[k + 1 :]))
            elif type(target) is gast.Subscript:
                self.made.append(self.placed(s, target))
            else:
                raise NoBatch
        return self.made

    def named(self, s: Any, target: Any, behind: list[Any]) -> Stmt:
        if target.id in self.totals:
            if target.id not in self.bound:
                raise NoBatch
            return self.summed(s, target)
        if type(s) is gast.AugAssign:
            if self.values[target.id].rank:
                return self.in_place(s)
            v = self.value(gast.BinOp(load(target.id), s.op, s.value), self.usual)
        elif _is_int(self.facts.kinds.get(target.id)):
            v = self.picked(s.value)
        else:
            v = self.value(s.value, self.usual)
        if v.axis is None:  # (it is the same name, of the same value)
            self.values[target.id] = v._replace(tree=load(target.id))
            return _like(s, assign(target.id, v.tree))
        if not v.rank and type(v.tree) in (gast.Subscript, gast.Name) and self.is_stored(s.value, behind):
            v = v._replace(tree=quote("x.copy()", x=v.tree))  # (elements were no view of the array)
        name = self.facts.fresh(without_number(target.id), temp=target.id in self.facts.temps)
        self.facts.kinds[name] = infer(v.tree, self.facts)
        self.values[target.id] = v._replace(tree=load(name))
        return _like(s, assign(name, v.tree))

    def scattered(self, s: Any, target: Any, index: Any) -> Stmt:
        """What the turns add to the rows that they pick."""
        if type(s) is not gast.AugAssign or type(s.op) not in (gast.Add, gast.Sub):
            raise NoBatch
        shape = self.vector_or_matrix(target.value.id).shape or ()
        row = infer(target, self.facts)
        v, at = self.value(s.value, 0), self.picked(index)
        rank = len(shape) - 1
        if rank > 1 or len(items_of(target.slice)) > 1 or v.rank > rank or v.axis is None:
            raise NoBatch
        if v.rank and (not isinstance(row, Array) or row.shape != (v.length,)):
            raise NoBatch
        add = "add" if type(s.op) is gast.Add else "subtract"
        values = self.spread(v, rank, 0).tree
        call = quote(f"np.{add}.at(x, i, v)", np=self.numpy(), x=load(target.value.id), i=at.tree, v=values)
        return _like(s, gast.Expr(call))

    def in_place(self, s: Any) -> Stmt:
        """`g *= e` of vectors, which are views of nothing else in the loop."""
        g = self.values[s.target.id]
        bases = self.scope.bases(s.target.id)
        others = {n.id for t in self.body for n in walk_names(t)} - {s.target.id, self.variable}
        if type(s.op) not in ELEMENTWISE or any(bases & self.scope.bases(n) for n in others) or g.axis is None:
            raise NoBatch
        v = self.value(s.value, g.axis)
        if v.rank and v.length != g.length:
            raise NoBatch
        name: Any = g.tree
        return _like(s, gast.AugAssign(store(name.id), s.op, self.spread(v, 1, g.axis).tree))

    def is_stored(self, node: Any, behind: list[Any]) -> bool:
        """May a statement store into what was read?"""
        if type(node) is not gast.Subscript:
            return True
        targets = [t.targets[0] if type(t) is gast.Assign else t.target for t in behind]
        same = [t for t in targets if type(t) is gast.Subscript and t.value.id == node.value.id]
        return any(not apart(self.place(t), self.place(node)) for t in same) or node.value.id in self.totals

    def summed(self, s: Any, target: Any) -> Stmt:
        """What all turns add to the same number or array."""
        if type(s) is gast.AugAssign:
            if type(s.op) not in (gast.Add, gast.Sub):
                raise NoBatch
            self.check_rank(s.target, s.value)
            return _like(s, gast.AugAssign(clone(s.target), s.op, self.total(s.value)))
        total = _replaced_first(s.value, self.total)
        return _like(s, assign(target.id, total))

    def check_rank(self, target: Any, value: Any) -> None:
        """Is what is added as long as what it is added to?"""
        before, self.matrices = self.matrices, -len(walk(value))  # (it is not computed like this)
        to, of = infer(target, self.facts), self.value(value)
        self.matrices = before
        shape = to.shape if isinstance(to, Array) else ()
        if shape is None or len(shape) > 1 or (of.rank and (not shape or of.length != shape[0])):
            raise NoBatch

    def placed(self, s: Any, target: Any) -> Stmt:
        index = items_of(target.slice)[0]
        if self.mentions(index) and (affine(index) or ("",))[0] != self.variable:
            return self.scattered(s, target, index)
        to = self.subscript(with_fields(target, ctx=gast.Load()), None)
        if to.axis is None:
            if type(s) is not gast.AugAssign:
                raise NoBatch
            return self.summed(s, target)
        if type(s) is gast.AugAssign and type(s.op) not in ELEMENTWISE:
            raise NoBatch
        v = self.value(s.value, to.axis if to.rank else None)
        if v.rank > to.rank or (v.rank and v.length != to.length):
            raise NoBatch
        v = self.spread(v, to.rank, to.axis)
        where: Any = to.tree
        if type(s) is gast.AugAssign:
            place = store(where.id) if type(where) is gast.Name else with_fields(where, ctx=gast.Store())
            return _like(s, gast.AugAssign(place, s.op, v.tree))
        place = quote("x[:]", x=where) if type(where) is gast.Name else where
        return _like(s, gast.Assign([with_fields(place, ctx=gast.Store())], v.tree, None))


class _Taped:
    """A loop that takes from a tape what a loop of the forward sweep put there: what that is in all turns is put there
    at once, before the loop, where it stands there already; what is made of arguments alone is made again."""

    def __init__(self, owner: _Batches, loop: Any, bound: set[str]) -> None:
        self.owner, self.facts, self.loop, self.bound = owner, owner.facts, loop, bound
        pops = [n for s in loop.body for n in walk(s) if (tape := _called(n, "pop")) and tape in self.facts.tapes]
        if len(pops) != 1 or owner.uses[_called(pops[0], "pop")] != 3:
            raise NoBatch
        self.pop, self.tape = pops[0], _called(pops[0], "pop")
        around, self.pushing, self.push = self.found()
        if id(self.pushing) in owner.instead or any(type(n) in _LEAVES for n in walk(self.pushing)):
            raise NoBatch
        self.numbers = False
        self.on_top = around is owner.body and any(loop is s for s in owner.body)

    def found(self) -> tuple[list[Stmt], Any, Any]:
        """The loop of the forward sweep, its block, and the statement that puts values on the tape."""
        for block in _blocks(self.owner.body):
            for s in block:
                if type(s) is gast.For and id(s) in self.owner.before:
                    for t in s.body:
                        if type(t) is gast.Expr and _called(t.value, "append") == self.tape:
                            same = text(self.loop.iter) == f"reversed({text(s.iter)})"
                            if same and text(s.target) == text(self.loop.target) and not s.orelse:
                                return block, s, t
        raise NoBatch

    def written(self) -> list[Stmt]:
        item = self.push.value.args[0]
        parts = item.elts if type(item) is gast.Tuple else [item]
        s: Any = next(s for s in self.loop.body if any(n is self.pop for n in walk(s)))
        if s.value is self.pop and type(s) is gast.Assign:
            targets = items_of(s.targets[0])
            body = [t for t in self.loop.body if t is not s]
        else:
            name = self.facts.fresh("t", temp=False)
            self.facts.kinds[name] = infer(item, self.facts)
            targets = [load(name)]
            new = _replaced(s, self.pop, load(name))
            body = [new if t is s else t for t in self.loop.body]
        if len(targets) != len(parts) or not all(type(n) is gast.Name for n in (*targets, *parts)):
            raise NoBatch
        bound, ranges = self.owner.before[id(self.pushing)]
        with self.owner.knowing(ranges):
            kept = _Kept(self.owner, self.pushing, bound)
            found = {part.id: self.made_again(part.id) or self.of(kept, part.id, len(parts)) for part in parts}
        again: list[Stmt] = []
        made: dict[str, tuple[str, Expr]] = {}
        values: dict[str, Value] = {}
        for target, part in zip(targets, parts, strict=True):
            name, what = self.facts.fresh("t"), found[part.id]
            if type(what) is Value:
                self.facts.kinds[name] = infer(what.tree, self.facts)
                made[target.id] = name, what.tree
                values[target.id] = what._replace(tree=load(name))
            else:
                self.facts.kinds[name] = infer(what, self.facts)
                again.append(assign(name, clone(what)))
                body = [replace_names(clone(t), {target.id: load(name)}) for t in body]
        loop = with_fields(self.loop, body=[*again, *body])
        done = _Loop(self.owner, loop, self.bound | {n for n, _ in made.values()}, values, self.loop).written()
        if not self.numbers:
            self.exchange(kept, list(made.values()))
        if self.numbers:
            (name, value), *_ = made.values()
            return [assign(name, value), *done]
        if not made or self.on_top:
            return done
        names = [store(n) for n, _ in made.values()]
        target = names[0] if len(names) == 1 else gast.Tuple(names, gast.Store())
        return [gast.Assign([target], quote(f"{self.tape}.pop()"), None), *done]

    def of(self, kept: _Kept, name: str, parts: int) -> Value:
        """What a name is in all turns: before the first one, or as numbers that stand on the tape behind the last."""
        try:
            return kept.of(name)
        except NoBatch:
            kind, known = self.facts.kinds.get(name), turns(self.pushing)
            number = isinstance(kind, Number) and {kind.type, *kind.of_types()} <= {float, np.float64}
            if not self.on_top or not number or parts > 1 or known is None:
                raise
            self.numbers = True
            tape = f"np.array({self.tape})" + ("[::-1]" if known.backwards else "")
            return Value(quote(tape, np=kept.numpy()), 0, 0)

    def made_again(self, name: str) -> Expr | None:
        """What a name is in the loop of the forward sweep, if it is made of what is the same throughout the call."""
        defined = [s for s in self.pushing.body if _target(s) == name]
        s: Any = defined[0] if len(defined) == 1 and type(defined[0]) is gast.Assign else None
        if s is None or self.owner.uses[name] < 2 or type(s.value) is gast.Call:
            return None
        loops = {self.loop.target.id, *self.owner.common(self.pushing, self.loop)}
        for n in walk(s.value):
            if type(n) is gast.Name and n.id not in loops:
                bound = sum(m.id == n.id and type(m.ctx) is not gast.Load for m in self.owner.names)
                stays = n.id in self.facts.globals or (n.id in self.owner.scope.parameters and not bound)
                if not stays or self.owner.stored & self.owner.scope.memory(n.id):
                    return None
            elif type(n) is gast.Call or is_operation(n, gast.MatMult):
                return None
        value: Expr = s.value
        return value

    def exchange(self, kept: _Kept, made: list[tuple[str, Expr]]) -> None:
        """The forward sweep keeps what it keeps before its loop."""
        body = [kept.lighter(s, self.owner) for s in self.pushing.body if s is not self.push]
        before: list[Stmt] = [assign(name, value) for name, value in made]
        if made and not self.on_top:
            values = [value for _, value in made]
            item = values[0] if len(values) == 1 else gast.Tuple(values, gast.Load())
            before = [gast.Expr(quote(f"{self.tape}.append(x)", x=item))]
        if not made or self.on_top:
            tape = next(s for b in _blocks(self.owner.body) for s in b if _target(s) == self.tape)
            self.owner.instead[id(tape)] = [gast.Pass()]
        self.owner.instead[id(self.pushing)] = [*before, with_fields(self.pushing, body=body or [gast.Pass()])]


class _Kept(Turns):
    """What a loop of the forward sweep keeps of each turn, before it."""

    def __init__(self, owner: _Batches, loop: Any, bound: set[str]) -> None:
        super().__init__(owner.scope, loop, bound)
        self.loop = loop
        self.copies: set[str] = set()

    def changing(self) -> set[str]:
        return set()

    def of(self, name: str) -> Value:
        """What a name is in all turns, before the first one."""
        defined = [k for k, s in enumerate(self.body) if type(s) in _SIMPLE and name in names_bound([s])]
        s: Any = self.body[defined[0]] if len(defined) == 1 else None
        if type(s) is not gast.Assign or _target(s) != name:
            raise NoBatch
        if sum(name in names_bound([t]) for t in self.body) != 1:
            raise NoBatch
        for node in self.accesses(s.value):
            self.check_stays(node, defined[0])
        found = self.value(s.value)
        if found.axis is None:
            raise NoBatch
        if type(s.value) is gast.Call and type(s.value.func) is gast.Attribute:
            self.copies.add(name)
        elif type(found.tree) in (gast.Subscript, gast.Name):
            found = found._replace(tree=quote("x.copy()", x=found.tree))
        return found

    def check_stays(self, node: Any, at: int) -> None:
        """Is what is read in a statement not stored into by an earlier turn, or earlier in the same one?"""
        name = node.id if type(node) is gast.Name else node.value.id
        memory = self.scope.memory(name)
        if name in self.scope.captured or name == self.variable or not isinstance(self.facts.kinds.get(name), Array):
            return
        for k, top in enumerate(self.body):
            for s in nested(top):
                if not self.scope.masks(s).store & memory:
                    continue
                target: Any = s.target if type(s) is gast.AugAssign else getattr(s, "targets", [None])[0]
                if type(target) is not gast.Subscript or type(target.value) is not gast.Name or target.value.id != name:
                    raise NoBatch
                here, there = self.place(node), self.place(target)
                if not apart(here, there) and (here.own is None or here.own != there.own or k < at or s is not top):
                    raise NoBatch

    def lighter(self, s: Any, owner: _Batches) -> Stmt:
        """A statement of the loop, which does not copy what is kept already where nobody needs the copy."""
        name = _target(s)
        if name not in self.copies or type(s) is not gast.Assign:
            return s
        of: Any = s.value.func.value
        base = of.value.id if type(of) is gast.Subscript and type(of.value) is gast.Name else None
        at = self.body.index(s)
        memory = 0 if base is None else self.scope.memory(base)
        stores = [k for k, t in enumerate(self.body) if k > at and self.scope.deep(t)[2] & memory]
        last = min(stores, default=len(self.body))
        reads = [k for k, t in enumerate(self.body) if name in names_read([t])]
        inside = not owner.liveness.live_after(self.loop, name)
        simple = last == len(self.body) or type(self.body[last]) in _SIMPLE
        if base is None or not inside or not simple or any(k > last for k in reads):
            return s
        return with_fields(s, value=of)


def _is_sum(s: Any, facts: Facts) -> bool:
    """Is it `total = total + e`, of numbers?"""
    name = _target(s) if type(s) is gast.Assign else None
    return name is not None and isinstance(facts.kinds.get(name), Number) and _first_term(s.value) == name


def _is_int(kind: Any) -> bool:
    return isinstance(kind, Number) and kind.type in (int, np.int64)


def _like(s: Any, new: Any) -> Stmt:
    """A new statement in the place of one, with its marks."""
    for name, mark in s.__dict__.items():
        if name not in s._fields:
            setattr(new, name, mark)
    made: Stmt = new
    return made


def _called(node: Any, method: str) -> str | None:
    """The name whose method is called."""
    path = dotted(node.func) if type(node) is gast.Call else None
    return path[0] if path is not None and path[1:] == (method,) else None


def _blocks(statements: list[Stmt]) -> Iterable[list[Stmt]]:
    yield statements
    for s in statements:
        for block in blocks_of(s):
            yield from _blocks(block)


def _around(statements: list[Stmt], loop: Any) -> set[str]:
    """The variables of the loops around a loop."""
    for s in statements:
        if any(t is loop for t in nested(s)) and s is not loop:
            own = {s.target.id} if type(s) is gast.For and type(s.target) is gast.Name else set()
            return own.union(*(_around(block, loop) for block in blocks_of(s)))
    return set()


def _replaced(node: Any, old: Any, new: Any) -> Any:
    """The tree with another one in the place of a part of it."""
    if node is old:
        return new
    return with_expressions(node, lambda inner: _replaced(inner, old, new))


def _read_behind(node: Any, loops: frozenset[str]) -> set[str]:
    """The names that are read where no loop is around that gives them a value."""
    if isinstance(node, list):
        return {name for part in node for name in _read_behind(part, loops)}
    if type(node) is gast.For:
        inside = loops | names_bound(node.target)
        return _read_behind(node.iter, loops) | _read_behind(node.body, inside) | _read_behind(node.orelse, loops)
    blocks = [part for block in blocks_of(node) for part in block] if isinstance(node, gast.stmt) else []
    if blocks:
        own = {n for part in gast.iter_child_nodes(node) if not isinstance(part, gast.stmt) for n in names_read(part)}
        return (own - loops) | _read_behind(blocks, loops)
    return names_read(node) - loops


def _target(s: Any) -> str | None:
    target: Any = s.targets[0] if type(s) is gast.Assign else getattr(s, "target", None)
    return target.id if type(target) is gast.Name else None


def _first_term(node: Any) -> str | None:
    """The name that a sum begins with."""
    if type(node) is not gast.BinOp or type(node.op) not in (gast.Add, gast.Sub):
        return None
    return node.left.id if type(node.left) is gast.Name else _first_term(node.left)


def _replaced_first(node: Any, change: Callable[[Any], Expr]) -> Expr:
    """A sum that begins with a name, its other terms changed."""
    left = node.left if type(node.left) is gast.Name else _replaced_first(node.left, change)
    return gast.BinOp(left, node.op, change(node.right))


def _range(known: Any, name: str, facts: Facts) -> Number:
    """The kind of the variable of a loop: in both sweeps, it is the same number."""
    low, high = number_of(known.low, facts), number_of(known.high, facts)
    if low is None or high is None:
        return Number(int)
    return Number(int, dims.among(Dim.symbol(name), low + known.above_low, high + known.above_high))
