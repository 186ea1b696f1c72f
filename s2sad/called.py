"""The backward sweep of a function that is called: alone, or the second of a pair that shares a tape."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from s2sad.analysis.aliasing import check_aliases
from s2sad.analysis.binding import free_names as _free
from s2sad.analysis.binding import surely_bound
from s2sad.analysis.choices import follow_choices
from s2sad.analysis.effects import Effects
from s2sad.analysis.halving import check_halving
from s2sad.analysis.layout import memory_of
from s2sad.analysis.masks import count_selected
from s2sad.analysis.memory import Memory
from s2sad.analysis.old_items import name_old_shapes
from s2sad.analysis.ranges import note_ranges
from s2sad.analysis.record import record
from s2sad.analysis.shift import drop_shifts
from s2sad.analysis.starts import note_starts
from s2sad.core import (
    Expr,
    Stmt,
    assign,
    clone,
    load,
    names_bound,
    quote,
    walk_names,
)
from s2sad.entry import (
    name_lengths,
)
from s2sad.expansion.fit import numpy_name
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import error_at
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Unknown
from s2sad.normal.calls.effect_of import effect_of
from s2sad.normal.calls.functions import CoreFunction, functions_in
from s2sad.normal.values.abstract import Leaf, Tup
from s2sad.pairs import PAIR, Functions, copy_of, definition, reached, unwritten
from s2sad.request import Request
from s2sad.reverse import Reverse
from s2sad.tidy import tidy
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.common import share_kept
from s2sad.tidy.deadcode import eliminate
from s2sad.tidy.unset import give_start
from s2sad.transform.adjoint import Sweep
from s2sad.transform.branches import name_of_test
from s2sad.transform.gather import gather_additions, known_shapes
from s2sad.transform.sweep import Adj, Again
from s2sad.weave import (
    clone_as_target,
    comment_blocks,
    computes_again,
    fuse_last_branch,
    is_straight,
    popped,
)


def backward_of(function: CoreFunction, functions: Functions) -> None:
    """Make the backward sweep of a core function; `functions` learns whether the arguments are enough for it."""
    _FunctionReverse(function, functions).make()


class _FunctionReverse(Reverse):
    """The backward sweep of a core function being put together."""

    def __init__(self, function: CoreFunction, functions: Functions) -> None:
        parameters = [p.name for p in function.passed]
        wrt = tuple(parameters[i] for i in function.active)
        kinds = {p.name: p.kind for p in function.passed}
        core = copy_of(function)
        core.facts.taken |= functions.program.names
        request = Request("grad", wrt, len(wrt) == 1, strong_zero=functions.strong_zero, inner=functions.inner)
        super().__init__(core, request, parameters, kinds, functions.within(core.facts))
        self.callee, self.module = function, functions

    def analysed(self, body: list[Stmt], live: set[str]) -> Memory:
        """The memory facts, with what happens to lists when the function has returned."""
        memory = memory_of(body, self.facts, self.core.run.alias, self.parameters, live)
        for i, path in sorted(self.module.changed.get(self.callee, ()), key=str):
            memory.change_later(self.parameters[i], path)
        return memory

    def make(self) -> None:
        core, facts, parameters = self.core, self.facts, self.parameters
        live = {n.id for n in walk_names(core.value)}
        body = self.eliminated(core.body, live, unwritten(self.callee))
        drop_shifts(body, facts, live, core.run.alias)
        name_old_shapes(body, facts, lambda: numpy_name(facts))
        memory = self.analysed(body, live)
        if name_lengths(body, memory, facts):
            memory = self.analysed(body, live)
        count_selected(body, memory, facts)
        check_halving(body, facts, core, live)
        aliases = partial(check_aliases, body, core=core, live=live)
        undecided = aliases(memory)
        if undecided:
            look = partial(self.analysed, body, live)
            memory = follow_choices(body, memory, undecided, parameters, live, look, aliases)
        note_starts(body, memory, facts, live)
        note_ranges(body, memory, facts)
        self.functions.note_zeros(body, facts)
        tapes = self.functions.tapes_for(body)
        kept = self.functions.keeping({self.callee}) if self.keeps else []
        for f in kept:  # it is handed tapes also for calls that need none here
            tapes.setdefault(f, facts.tape())
        own = [tapes[f] for f in kept]
        sweep, grads = self.function_sweep(body, memory, tapes)
        backward = gather_additions(sweep.out, facts)
        known_shapes(backward, facts, parameters, body)
        names = {n.id for g in grads for n in walk_names(g)}
        backward = eliminate(backward, facts, live_out={*names, *parameters, *own, *self.lists.values()})
        recorded = record(body, backward, sweep, memory, facts)
        self.functions.pair_up(recorded.forward, recorded.backward, memory, tapes, given=own)
        result: Expr = grads[0] if self.request.single else gast.Tuple(grads, gast.Load())
        result = result if grads else gast.Constant(None, None)
        if self.keeps:
            self.make_pair(recorded.forward, recorded.backward, result, own)
        else:
            self.make_alone(recorded.forward, recorded.backward, result)

    @property
    def keeps(self) -> bool:
        return self.module.modes[self.callee] == PAIR

    def function_sweep(self, body: list[Stmt], memory: Any, tapes: dict[Any, str]) -> tuple[Sweep, list[Expr]]:
        """The backward sweep, from the cotangents of the results to those of the active arguments."""
        facts = self.facts
        assert isinstance(self.core.result, Tup)
        results = [v for v in self.core.result.items if isinstance(v, Leaf) and v.varied]
        self.cotangents = [facts.fresh("g", temp=False) for v in results]
        held = [self.callee.passed[i] for i in self.callee.active_lists]
        self.lists = {p.name: facts.fresh(facts.mirrored("b", p.name), temp=False) for p in held}
        facts.kinds.update({self.lists[p.name]: p.kind for p in held})
        sweep = Sweep(facts, memory, self.core.source, body=body, parameters=frozenset(self.parameters))
        sweep.strong_zero, sweep.inner = self.request.strong_zero, self.request.inner
        sweep.functions, sweep.tapes = self.functions, tapes
        sweep.shadows.update(self.lists)
        sweep.handed_in = frozenset(self.lists)
        sweep.kept_whole = self.keeps
        sweep.zeros = self.module.zeros_in(self.callee, body, facts)
        checkpoint = sweep.checkpoint()
        for _ in range(len(facts.kinds) + 1):
            sweep.restore(checkpoint)
            sweep.out, sweep.adjoints = [], {n: Adj(load(b), facts.kinds[n], True) for n, b in self.lists.items()}
            try:
                for leaf, name in zip(results, self.cotangents, strict=True):
                    facts.kinds[name] = leaf.kind
                    self.seed(sweep, [(leaf.expr, load(name), leaf.kind)])
                grads = None if self.keeps else self.apart(sweep, body)
                if grads is not None:
                    return sweep, grads
                sweep.block(body)
                return sweep, self.gradients(sweep)
            except Again:
                continue
        raise error_at(None, self.core.source, "the lists of this function do not settle", ways.ONE_FORM)

    def gradients(self, sweep: Sweep) -> list[Expr]:
        sweep.statement, sweep.origin = None, None
        wrt = [self.callee.passed[i] for i in self.callee.active]
        return [self.gradient(Leaf(load(p.name), p.kind, True), sweep) for p in wrt]

    def apart(self, sweep: Sweep, body: list[Stmt]) -> list[Expr] | None:
        """The cotangents of the arguments, where the two sides of a last branch are swept back to the start apart.

        That is where they depend on different values: then neither computes the zeros of the other.

            u = x * x                            bu = g; bx = bu * 2.0 * x
            if c: r = u        ->     if c: ...
            else: r = f(x)            else: bx = f_bwd(x, g)
        """
        last, before = body[-1] if body else None, body[:-1]
        if not isinstance(last, gast.If) or not all(map(is_straight, before)):
            return None
        checkpoint, start = sweep.checkpoint(), dict(sweep.adjoints)
        defined, sides, wanted = names_bound(before), [], []
        for side in (last.body, last.orelse):
            sweep.adjoints, sweep.out = dict(start), []
            sweep.block(side)
            held = {
                k for k, a in sweep.adjoints.items() if not (isinstance(a.expr, gast.Constant) and not a.expr.value)
            }
            wanted.append(held & defined)
            sweep.block(before)
            grads = self.gradients(sweep)
            sides.append((sweep.out, grads))
        sweep.out, sweep.adjoints = [], start
        if wanted[0] == wanted[1]:
            sweep.restore(checkpoint)
            return None
        found: list[Expr] = []
        for k, p in enumerate([self.callee.passed[i] for i in self.callee.active]):
            stem = self.facts.mirrored("b", p.name)
            name = self.facts.fresh(stem)
            self.facts.user_name[name] = stem
            self.facts.kinds[name] = p.kind
            for block, grads in sides:
                copy = assign(name, grads[k])
                copy.origin = copy.grad_of = None
                block.append(copy)
            found.append(load(name))
        sweep.statement, sweep.origin = last, getattr(last, "origin", None)
        statement = gast.If(load(name_of_test(sweep, last)), sides[0][0], sides[1][0])
        sweep.write(statement)
        statement.origin, statement.forward = None, last
        return found

    def make_alone(self, forward: list[Stmt], backward: list[Stmt], result: Expr) -> None:
        """One function that starts from the arguments."""
        facts, functions = self.facts, self.module
        if self.callee.kept:
            read = _free([*backward, gast.Return(result)])
            needed = eliminate(clone(forward), facts, live_out=read, owned=self.parameters, parameters=self.parameters)
            if computes_again(needed, facts):
                functions.modes[self.callee] = PAIR
                return
        whole = fuse_last_branch(forward, backward)
        parameters = [*self.parameters, *self.cotangents, *self.lists.values()]
        left = eliminate([*whole, gast.Return(result)], facts, live_out=(), owned=parameters, parameters=parameters)
        again = {f for f in functions_in(left, bases=True) if self.callee in reached({f})}
        if again or effect_of(left, facts) in ("own", "unknown"):
            functions.modes[self.callee] = PAIR
            return
        given, self.parameters = self.parameters, parameters
        name, inner = functions.name(self.callee, "bwd"), self.finished(whole, set(), result)
        read = _free(inner)
        functions.reads[self.callee] = [i for i, p in enumerate(given) if p in read]
        parameters = [p for p in parameters if p in read or p not in given]
        functions.made[name] = (definition(name, parameters, inner), facts)

    def finished(self, body: list[Stmt], live: set[str], result: Expr) -> list[Stmt]:
        facts, effects = self.facts, Effects(self.facts)
        body = [*body, gast.Return(result)]
        comment_blocks(body)
        owned = [p for p in self.parameters if p not in self.lists.values()]
        body = self.eliminated(body, (), owned, effects=effects)
        return tidy(body, facts, live_out=(), owned=(), parameters=self.parameters, effects=effects)

    def absent(self, kind: Kind) -> Expr:
        """What is kept for a value on the paths where it does not exist; nobody reads it."""
        if isinstance(kind, Array) and kind.shape is not None:
            shape = gast.Tuple([gast.Constant(0, None)] * len(kind.shape), gast.Load())
            np_ = Sweep(self.facts, None, self.core.source).numpy()  # type: ignore[arg-type]
            return quote(f"{np_}.zeros(s)", s=gast.Constant(0, None) if len(kind.shape) == 1 else shape)
        if isinstance(kind, ListOf):
            return gast.List([], gast.Load())
        return gast.Constant(0.0 if isinstance(kind, Number) else None, None)

    def make_pair(self, forward: list[Stmt], backward: list[Stmt], result: Expr, tapes: list[str]) -> None:
        """A function that computes the result and keeps what the backward sweep reads, and that sweep."""
        core, facts, functions = self.core, self.facts, self.module
        inner = [*backward, gast.Return(result)]
        free = _free(inner)
        bound = names_bound(forward)
        kept = [n for n in [*self.parameters, *sorted(bound - set(self.parameters))] if n in free and n not in tapes]
        kept = [n for n in kept if n in bound or n in self.parameters]
        sure = surely_bound(forward) | set(self.parameters)
        for name in kept:
            if name not in sure:  # a path that is not taken must not leave it unbound
                forward.insert(0, assign(name, self.absent(facts.kinds.get(name, Unknown()))))
        comment_blocks(inner)
        own = functions.own_tape(self.callee, self.functions, tapes)
        parameters = [*self.parameters, *tapes]
        live = {*kept, *tapes, *(n.id for n in walk_names(core.value))}
        outer = self.eliminated(forward, live, unwritten(self.callee), parameters)
        outer, names, _ = share_kept(outer, facts, kept, {n.id for n in walk_names(core.value)}, parameters)
        inner = renamed(inner, names)
        kept = list(dict.fromkeys(names.get(n, n) for n in kept))
        live = live - names.keys() | set(names.values())
        of_outer = facts.apart()
        outer = tidy(outer, of_outer, live_out=live, owned=(), parameters=parameters)
        item: Expr = load(kept[0]) if len(kept) == 1 else gast.Tuple([load(n) for n in kept], gast.Load())
        push = [gast.Expr(quote("t.append(x)", t=own, x=item))] if kept else []
        name = functions.name(self.callee, "fwd")
        outer = give_start([*outer, *push], of_outer, parameters=parameters)
        made = definition(name, parameters, [*outer, gast.Return(clone(core.value))])
        functions.made[name] = (made, of_outer)
        pop = [assign(clone_as_target(item), quote("t.pop()", t=own))] if kept else []
        if functions.repeated:  # the entry stays what it was
            pop += [assign(n, quote("x.copy()", x=n)) for n in kept if n in popped(inner, facts)]
        parameters = [*self.cotangents, *self.lists.values(), *tapes]
        inner = tidy([*pop, *inner], facts, live_out=(), owned=(), parameters=parameters)
        name = functions.name(self.callee, "bwd")
        functions.made[name] = (definition(name, parameters, inner), facts)
