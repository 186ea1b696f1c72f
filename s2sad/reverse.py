"""The reverse-mode derivative of a function: its two sweeps, and how they come together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

import gast

from s2sad.analysis.aliasing import check_aliases
from s2sad.analysis.binding import free_names as _free
from s2sad.analysis.binding import surely_bound
from s2sad.analysis.choices import follow_choices
from s2sad.analysis.effects import Effects
from s2sad.analysis.halving import check_halving
from s2sad.analysis.layout import guards, memory_of
from s2sad.analysis.masks import count_selected
from s2sad.analysis.memory_scan import analyse
from s2sad.analysis.old_items import name_old_shapes
from s2sad.analysis.ranges import note_ranges
from s2sad.analysis.record import record
from s2sad.analysis.shift import drop_shifts
from s2sad.analysis.starts import note_starts
from s2sad.analysis.zeros import FULL
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    as_parameters,
    assign,
    atom_key,
    clone,
    load,
    names_bound,
    quote,
    quote_statements,
    replace_names,
    walk,
    walk_names,
    without_number,
)
from s2sad.entry import copies_on_entry, entry_copies, name_lengths, part_at, replace_paths, with_parts_named
from s2sad.expansion.fit import helper, numpy_name
from s2sad.expansion.operand import Operand
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import BadArgument, error_at
from s2sad.frontend.names import check_hidden
from s2sad.kinds import known
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Either, Kind, ListOf, Number, Unknown
from s2sad.kinds.query import is_complex, is_float_kind, leaves
from s2sad.normal.lowered import Core
from s2sad.normal.memory import resolve
from s2sad.normal.values.abstract import DictObj, Instance, Keys, Known, Leaf, ListObj, Maybe, Ref, Tup, Value, contents
from s2sad.normal.values.facts import global_name, infer_kind, kind_of
from s2sad.normal.values.making import expression
from s2sad.pairs import Functions, checked
from s2sad.request import Derived, Request
from s2sad.tidy import tidy
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.common import reading_kept, share_kept
from s2sad.tidy.deadcode import eliminate
from s2sad.tidy.number import number
from s2sad.tidy.own import own_results, own_value
from s2sad.tidy.parts import checked_counts
from s2sad.tidy.rebuild import with_fields
from s2sad.tidy.returned import call_it_result, put_in_return
from s2sad.transform.adjoint import Sweep
from s2sad.transform.gather import gather_additions, known_shapes
from s2sad.transform.lists import zeros_list
from s2sad.transform.sweep import Adj, Again
from s2sad.transform.values import is_fresh, typed_zero
from s2sad.weave import (
    TOTALS,
    comment_blocks,
    definitions_in,
    fuse_last_branch,
    joined_unbound,
    may_be_int,
    popped,
    return_node,
)


class Reverse:
    """One reverse-mode derivative being put together."""

    def __init__(
        self, core: Core, request: Request, parameters: list[str], kinds: dict[str, Kind], functions: Functions
    ) -> None:
        self.core, self.request, self.parameters, self.kinds = core, request, parameters, kinds
        self.facts: Facts = core.facts
        self.facts.taken.update(parameters)
        self.stages: dict[str, Any] = {}
        self.decisions: list[tuple[str, str, str]] = []
        self.functions = functions

    def function(self, swept: Callable[[Facts], None]) -> Derived:
        """The derivative; `swept` as for `s2sad.derive.derive`."""
        core, facts = self.core, self.facts
        result = self.checked_result()
        value = expression(core.run, core.result if self.request.aux else result)
        live = {n.id for n in walk_names(value)}
        body = self.eliminated(core.body, live)
        unset = sorted(n for n in _free(body) if n in facts.user_name and n not in self.parameters)
        start = [assign(n, gast.Constant(None, None)) for n in unset]  # joined on paths where it has no value yet
        normal = [*start, *clone(body), gast.Return(clone(value))]
        self.stages["normal"] = self.definition(core.source.tree.name, normal)
        drop_shifts(body, facts, live, core.run.alias)
        name_old_shapes(body, facts, lambda: numpy_name(facts))
        wrt = core.wrt
        memory = memory_of(body, facts, core.run.alias, self.parameters, live)
        if name_lengths(body, memory, facts):
            memory = analyse(body, facts, core.run.alias)
        count_selected(body, memory, facts)
        check_halving(body, facts, core, live)
        aliases = partial(check_aliases, body, core=core, live=live)
        undecided = aliases(memory)
        if undecided:
            look = partial(analyse, body, facts, core.run.alias)
            memory = follow_choices(body, memory, undecided, self.parameters, live, look, aliases)
        note_starts(body, memory, facts, live)
        note_ranges(body, memory, facts)
        self.functions.note_zeros(body, facts)
        results = {atom_key(atom): FULL for atom, _, _ in self.seeds(result, load("g"))}
        self.zeros = self.functions.prepare(body, results)
        sweep, grads = self.sweep(body, memory, result, wrt)
        if not self.functions.modes:
            swept(facts)
        name = f"{self.request.result}_{core.source.tree.name}"
        grad_names = {n.id for g in grads for n in walk_names(g)}
        backward = gather_additions(sweep.out, facts)
        known_shapes(backward, facts, self.parameters, body)
        backward = eliminate(backward, facts, live_out=grad_names | set(self.parameters))
        recorded = record(body, backward, sweep, memory, facts)
        self.decisions = recorded.decisions
        self.functions.pair_up(recorded.forward, recorded.backward, memory, sweep.tapes)
        if self.request.result == "vjp":
            return self.pullback_form(name, recorded.forward, recorded.backward, value, grads)
        if self.may_be_array(result):
            assert isinstance(result, Leaf)
            text = "grad needs a scalar result, and this one is an array: use vjp or jacobian"
            check = f"if {numpy_name(facts)}.ndim(x): raise TypeError({text!r})"
            recorded.forward += quote_statements(check, x=clone(result.expr))
        if self.may_turn_complex(result):
            assert isinstance(result, Leaf)
            text = "grad needs a real result, and this one is complex for these values: take np.real, np.imag or np.abs"
            check = f"if {numpy_name(facts)}.iscomplexobj(x): raise TypeError({text!r})"
            recorded.forward += quote_statements(check, x=clone(result.expr))
        result_expr: Expr = grads[0] if self.request.single else gast.Tuple(grads, gast.Load())
        if self.request.result == "value_and_grad":
            whole_kind = kind_of(core.run, core.result if self.request.aux else result)
            value = self.kept_value(value, whole_kind, recorded.forward, recorded.backward)
            result_expr = gast.Tuple([value, result_expr], gast.Load())
        elif self.request.aux:
            assert isinstance(core.result, Tup)
            kind = kind_of(core.run, core.result.items[1])
            other = self.kept_value(value.elts[1], kind, recorded.forward, recorded.backward)
            result_expr = gast.Tuple([result_expr, other], gast.Load())
        whole = fuse_last_branch(recorded.forward, recorded.backward)
        self.stages["adjoint"] = self.definition(name, [*clone(whole), gast.Return(clone(result_expr))])
        whole = self.finished(whole, {n.id for n in walk_names(result_expr)}, result_expr)
        if self.request.result == "value_and_grad":
            whole = own_results(whole, facts, self.parameters, [whole_kind, None])
        elif self.request.aux:
            whole = own_results(whole, facts, self.parameters, [None, kind])
        made = self.definition(name, whole)
        check_hidden(made, self.core.source)
        return self.derived(name, made)

    def eliminated(
        self,
        body: list[Stmt],
        live: Iterable[str],
        owned: Collection[str] | None = None,
        parameters: list[str] | None = None,
        effects: Effects | None = None,
    ) -> list[Stmt]:
        """The statements without those that nothing depends on, but with what may raise in them."""
        facts, given = self.facts, parameters or self.parameters
        return checked(body, facts, given, live, given if owned is None else owned, effects)

    def derived(self, name: str, made: Any, facts: Facts | None = None) -> Derived:
        """
        Args:
            facts: what is known of the names in the function, not counting functions inside.
        """
        made.body[:0] = guards(self.facts)
        functions, support = self.functions.with_needed(made, facts or self.facts), self.functions.support()
        lines = self.functions.lines
        return Derived(
            name, functions, self.facts, stages=self.stages, decisions=self.decisions, lines=lines, support=support
        )

    def kept_value(self, value: Expr, kind: Kind, forward: list[Stmt], backward: list[Stmt]) -> Expr:
        """The result under a name that the backward sweep leaves alone."""
        bound = names_bound(backward)
        if not any(n.id in bound for n in walk_names(value)):
            return value
        name = self.facts.fresh("value")
        self.facts.kinds[name] = kind
        forward.append(assign(name, value))
        return load(name)

    # --- the result and its adjoint

    def checked_result(self) -> Value:
        result = self.core.result
        if self.request.result == "vjp":
            return result
        if self.request.aux:
            if not isinstance(result, Tup) or len(result.items) != 2:
                raise error_at(
                    return_node(self.core.source.tree),
                    self.core.source,
                    "with has_aux=True a function has to return a pair: the value, and what is handed on as it is",
                    "return value, other",
                    BadArgument,
                )
            result = result.items[0]
        leaf = result if isinstance(result, Leaf) else None
        if isinstance(result, Known) and isinstance(result.value, (int, float)) and not isinstance(result.value, bool):
            return result
        kind = leaf.kind if leaf is not None else None
        tree = self.core.source.tree
        if leaf is None or kind is None or isinstance(kind, ListOf):
            pair = isinstance(result, Tup) and len(result.items) == 2
            aux = "has_aux=True where the second part is to be handed on as it is, " if pair else ""
            raise error_at(
                return_node(tree),
                self.core.source,
                f"grad needs a scalar result, and this function returns {_shape_words(result)}",
                f"return one number, or use {aux}vjp or jacobian",
                BadArgument,
            )
        if isinstance(kind, Array) and kind.shape not in ((), None):
            one = all(d == Dim.of(1) for d in kind.shape or ())
            shape = f" of shape ({', '.join('1' for _ in kind.shape or ())}{',' * (len(kind.shape or ()) == 1)})"
            index = ", ".join("0" for _ in kind.shape or ())
            raise error_at(
                return_node(tree),
                self.core.source,
                f"grad needs a scalar result, and this function returns an array{shape if one else ''}",
                f"return its only number: write [{index}] behind it"
                if one
                else "return one number (np.sum, np.mean, ...), or use elementwise_grad, vjp or jacobian",
                BadArgument,
            )
        if not is_float_kind(kind) or isinstance(leaf.expr, gast.JoinedStr):
            raise error_at(
                return_node(tree),
                self.core.source,
                "the result is not a float, so it has no derivative",
                "return a float",
                BadArgument,
            )
        return result

    def may_be_array(self, result: Value) -> bool:
        """May the result be an array, as far as is known? Arrays have no gradient."""
        if not isinstance(result, Leaf):
            return False
        return not self.is_scalar(result.expr, definitions_in(self.core.body))

    def is_scalar(self, expr: Expr, made: dict[str, list[Expr]], inside: frozenset[str] = frozenset()) -> bool:
        """Is an expression a number, by its kind or by what it is made of?

        Args:
            made: what names are bound to.
            inside: the names that are looked into.
        """
        kind = infer_kind(self.core.run, expr)
        if kind.rank == 0:
            return True
        if isinstance(expr, gast.Name):
            held = made.get(expr.id, [])
            if expr.id in inside or expr.id in self.parameters:
                return expr.id in inside
            return bool(held) and all(self.is_scalar(e, made, inside | {expr.id}) for e in held)
        if isinstance(expr, gast.BinOp):
            return self.is_scalar(expr.left, made, inside) and self.is_scalar(expr.right, made, inside)
        if isinstance(expr, gast.UnaryOp):
            return self.is_scalar(expr.operand, made, inside)
        if not isinstance(expr, gast.Call) or len(expr.args) != 1 or expr.keywords:
            return False
        found = resolve(self.core.run, expr.func)
        return any(found is total for total in TOTALS)

    def may_turn_complex(self, result: Value) -> bool:
        """May the result of real arguments be complex for some values, as that of np.emath.sqrt?"""
        if not isinstance(result, Leaf) or not isinstance(infer_kind(self.core.run, result.expr), Unknown):
            return False
        ends = [end for kind in self.kinds.values() for end in leaves(kind)]
        if any(isinstance(end, Unknown) or ((dtype := known.dtype_of(end)) and dtype.kind == "c") for end in ends):
            return False
        calls = [n for s in self.core.body for n in walk(s) if isinstance(n, gast.Call)]
        return any(known.is_value_typed(resolve(self.core.run, call.func)) for call in calls)

    def seeds(self, value: Value, cotangent: Expr | None) -> list[tuple[Expr, Expr, Kind]]:
        """Pairs of a result's atom and the expression of its cotangent."""
        if isinstance(value, Leaf):
            if not value.varied or isinstance(value.expr, gast.Constant):
                return []
            seed = gast.Constant(1.0, None) if cotangent is None else cotangent
            return [(value.expr, seed, Number(float) if cotangent is None else value.kind)]
        if isinstance(value, Tup):
            return [s for i, v in enumerate(value.items) for s in self.seeds(v, part_at(cotangent, i))]
        if isinstance(value, Ref):
            obj = self.core.state.heap[value.id]
            out = []
            for key, part in contents(obj).items():
                where = (
                    gast.Attribute(clone(cotangent), key, gast.Load())
                    if isinstance(obj, Instance)
                    else part_at(cotangent, key)
                )
                out.extend(self.seeds(part, where))
            return out
        assert not isinstance(value, Maybe), "what may be None has been presented"
        return []

    def sweep(self, body: list[Stmt], memory: Any, result: Value, wrt: dict[str, Value]) -> tuple[Sweep, list[Expr]]:
        facts = self.facts
        sweep = Sweep(facts, memory, self.core.source, body=body, parameters=frozenset(self.parameters))
        sweep.strong_zero, sweep.inner = self.request.strong_zero, self.request.inner
        sweep.functions, sweep.tapes = self.functions, self.functions.tapes_for(body)
        checkpoint = sweep.checkpoint()
        sweep.zeros = self.zeros
        self.cotangent = "g"
        for _ in range(len(facts.kinds) + 1):  # each pass learns of one more list
            sweep.restore(checkpoint)
            sweep.out, sweep.adjoints = [], {}
            seed: Expr | None = None
            if self.request.result == "vjp":
                self.cotangent = facts.fresh(self.cotangent_stem(result), temp=False)
                facts.kinds[self.cotangent] = kind_of(self.core.run, result)
                seed = load(self.cotangent)
            try:
                self.seed(sweep, self.seeds(result, seed))
                sweep.block(body)
                sweep.statement, sweep.origin = None, None
                grads = []
                for name in self.request.wrt:
                    grads.append(self.gradient(wrt[name], sweep))
                    if isinstance(wrt[name], Leaf):  # one array given twice: its gradient is told once
                        sweep.adjoints.pop(atom_key(wrt[name].expr), None)  # type: ignore[attr-defined]
                return sweep, grads
            except Again:
                continue
        raise error_at(None, self.core.source, "the lists of this function do not settle", ways.ONE_FORM)

    def seed(self, sweep: Sweep, seeds: list[tuple[Expr, Expr, Kind]]) -> None:
        """Where the backward sweep begins."""
        for atom, expr, kind in seeds:
            key = atom_key(atom)
            if sweep.shadow(key) is not None:
                sweep.contribute(atom, Operand(expr, kind))
            elif key in sweep.adjoints:
                held = sweep.adjoints[key]
                total = gast.BinOp(clone(held.expr), gast.Add(), expr)
                sweep.adjoints[key] = Adj(total, kind, False)
            else:
                sweep.adjoints[key] = Adj(expr, kind, False)

    def cotangent_stem(self, result: Value) -> str:
        if isinstance(result, Leaf) and isinstance(result.expr, gast.Name) and result.expr.id not in self.facts.temps:
            return self.facts.mirrored("b", str(self.facts.user_name.get(result.expr.id, result.expr.id)))
        return "g"

    def gradient(self, value: Value, sweep: Sweep) -> Expr:
        """The derivative with respect to an argument, in the argument's own structure."""
        if isinstance(value, Leaf):
            return self.leaf_gradient(value, sweep)
        if isinstance(value, Tup):
            items = [self.gradient(v, sweep) for v in value.items]
            if value.cls in (tuple, Keys):
                return gast.Tuple(items, gast.Load())
            return gast.Call(load(global_name(self.core.run, value.cls.__name__, value.cls)), items, [])
        if isinstance(value, Ref):
            obj = self.core.run.memory.template_heap[value.id]
            parts = {k: self.gradient(v, sweep) for k, v in contents(obj).items()}
            if isinstance(obj, ListObj):
                return gast.List(list(parts.values()), gast.Load())
            if isinstance(obj, DictObj):
                return gast.Dict([gast.Constant(k, None) for k in parts], list(parts.values()))
            from s2sad.runtime import helpers

            name = helper(helpers.like, self.facts)
            return gast.Call(load(name), [clone(obj.expr)], [gast.keyword(k, v) for k, v in parts.items()])
        return expression(self.core.run, value)

    def leaf_gradient(self, value: Leaf, sweep: Sweep) -> Expr:
        key = atom_key(value.expr)
        kind = value.kind
        held = sweep.adjoints.get(key)
        np_ = sweep.numpy
        if not is_float_kind(kind):
            return clone(value.expr)
        if isinstance(kind, ListOf):
            if held is not None:
                return clone(held.expr)
            return zeros_list(sweep, clone(value.expr), kind)
        zero = held is None or (isinstance(held.expr, gast.Constant) and held.expr.value == 0.0)
        if isinstance(kind, Number):
            if held is None or zero:
                return typed_zero(kind, np_)
            found = infer(held.expr, self.facts)
            if is_complex(kind) and not (isinstance(found, Number) and is_complex(found)):
                made = "complex(x)" if kind.type is complex else f"{np_()}.{kind.type.__name__}(x)"
                return quote(made, x=held.expr)
            if may_be_int(held.expr, definitions_in([*sweep.body, *sweep.out]), self.facts):
                whole = is_complex(kind)
                return quote("complex(x)" if whole else "float(x)", x=held.expr)
            return clone(held.expr)
        if isinstance(kind, Unknown) and not isinstance(kind, Either):
            from s2sad.runtime import helpers

            total = gast.Constant(0.0, None) if held is None or zero else held.expr
            return quote("f(g, x)", f=helper(helpers.as_gradient, self.facts), g=total, x=value.expr)
        if zero:
            return quote(f"{np_()}.zeros_like(x)", x=value.expr)
        assert held is not None
        assert isinstance(kind, Array)
        if not (isinstance(held.kind, Array) and held.kind.shape == kind.shape and kind.shape is not None):
            return quote(f"{np_()}.full_like(x, g)", x=value.expr, g=held.expr)
        if held.kind.dtype != kind.dtype or held.kind.mixed:
            return quote("g.astype(x.dtype)", g=held.expr, x=value.expr)
        if not held.owned and not is_fresh(held.expr):
            return quote("g.copy()", g=held.expr)
        return clone(held.expr)

    # --- the finished text

    def finished(self, body: list[Stmt], live: set[str], result: Expr) -> list[Stmt]:
        facts, effects = self.facts, Effects(self.facts)
        body = [*body, gast.Return(result)]
        comment_blocks(body)
        body = self.eliminated(body, (), effects=effects)
        body = copies_on_entry(body, self.parameters, self.core, facts, effects)
        return tidy(body, facts, live_out=(), owned=(), parameters=self.parameters, effects=effects)

    def definition(self, name: str, body: list[Stmt], arguments: Any = None) -> Any:
        tree = self.core.source.tree
        arguments = clone(tree.args) if arguments is None else arguments
        return gast.FunctionDef(name, arguments, body, [], None, None)

    def pullback_form(
        self, name: str, forward: list[Stmt], backward: list[Stmt], value: Expr, grads: list[Expr]
    ) -> Derived:
        """`return value, pullback`: the backward sweep is a function of the cotangent that may be called many times."""
        facts = self.facts
        result: Expr = grads[0] if self.request.single else gast.Tuple(grads, gast.Load())
        inner = [*backward, gast.Return(result)]
        tapes = (popped(inner, facts) | self.functions.tapes_read(inner)) & names_bound(forward)
        clash = names_bound(inner) & (names_bound(forward) | set(self.parameters))
        free = _free(inner)
        start: list[Stmt] = []
        renames: dict[str, Any] = {}
        for old in sorted(clash | tapes):
            new = facts.fresh(without_number(old), temp=False)
            facts.kinds[new] = facts.kinds.get(old, Unknown())
            facts.user_name[new] = new
            renames[old] = load(new)
            if old in tapes:
                start.append(assign(new, quote("x.copy()", x=old)))
            elif old in free:
                start.append(assign(new, load(old)))
        inner = [replace_names(s, renames) for s in inner]
        inner = [*start, *inner]
        sure = surely_bound(forward) | set(self.parameters)
        for old in sorted((clash & free | tapes) - sure):  # a path that is not taken must not leave it unbound
            forward.insert(0, assign(old, gast.List([], gast.Load()) if old in tapes else gast.Constant(None, None)))
        comment_blocks(inner)
        keep = _free(inner) | {n.id for n in walk_names(value)}
        unbound = sorted(joined_unbound(forward, self.parameters))
        outer = self.eliminated([*(assign(n, gast.Constant(None, None)) for n in unbound), *forward], keep)
        copies, parts = entry_copies(outer, self.parameters, self.core, facts)
        outer = [*copies, *with_parts_named(outer, parts)]
        inner = with_parts_named(inner, parts)
        value = replace_paths(clone(value), parts)
        keep |= set(parts.values())
        outer, names, calls = share_kept(outer, facts, keep, {n.id for n in walk_names(value)}, self.parameters)
        inner = reading_kept(renamed(inner, names), calls, facts, _free(inner))
        keep = _free(inner) | {names.get(n.id, n.id) for n in walk_names(value)} | set(parts.values())
        of_outer = facts.apart()
        outer = tidy(outer, of_outer, live_out=keep, owned=(), parameters=self.parameters)
        value = own_value(value, kind_of(self.core.run, self.core.result), outer, of_outer, self.parameters)
        counts = checked_counts(outer, of_outer)
        inner = self.tidied_inside(inner, names_bound(outer) | set(self.parameters), counts)
        read = _free(inner) | {n.id for n in walk_names(value)}
        if not keep <= read:
            outer = eliminate(outer, of_outer, live_out=read, parameters=self.parameters)
        pullback = facts.fresh("pullback", temp=False)
        outer, done = put_in_return(outer, value, load(pullback), of_outer, _free(inner), self.parameters)
        outer, inner, done = self.numbered(outer, inner, done, of_outer)
        inside = gast.FunctionDef(pullback, as_parameters([self.cotangent]), inner, [], None, None)
        whole = self.definition(name, [*outer, inside, done])
        check_hidden(whole, self.core.source)
        return self.derived(name, whole, of_outer)

    def numbered(
        self, outer: list[Stmt], inner: list[Stmt], done: Any, of_outer: Facts
    ) -> tuple[list[Stmt], list[Stmt], Stmt]:
        """The statements, those of the pullback and the return with numbers that run from 1 on."""
        value, pullback = done.value.elts
        outer, inner, value = call_it_result(outer, inner, value, of_outer, self.facts)
        done = with_fields(done, value=gast.Tuple([value, pullback], gast.Load()))
        fixed, count = names_bound(inner) | {pullback.id}, len(outer)
        whole = number([*outer, *inner, done], of_outer, fixed, self.parameters, others=[self.facts])
        outer, inner, done = whole[:count], whole[count:-1], whole[-1]
        return outer, number(inner, self.facts, names_bound(outer), [*self.parameters, self.cotangent]), done

    def tidied_inside(self, inner: list[Stmt], outside: set[str], counts: dict[Dim, int]) -> list[Stmt]:
        """Tidy the body of a nested function: no name of the enclosing one may become local to it."""
        facts = self.facts
        renames: dict[str, Any] = {}
        for name in sorted(names_bound(inner) & outside):
            new = facts.fresh(without_number(name))
            facts.kinds[new] = facts.kinds.get(name, Unknown())
            renames[name] = load(new)
        inner = [replace_names(s, renames) for s in inner]
        for name in names_bound(inner):
            shown = facts.user_name.get(name)
            if shown in outside:
                facts.user_name.pop(name)
        taken = {name: object() for name in outside if name not in facts.globals}  # (somebody else's)
        facts.globals.update(taken)
        try:
            return tidy(inner, facts, live_out=(), owned=(), counts=counts)
        finally:
            for name in taken:
                facts.globals.pop(name, None)


def _shape_words(value: Value) -> str:
    if isinstance(value, Tup):
        return f"a tuple of {len(value.items)}"
    if isinstance(value, Known):
        return repr(value.value)
    return "a container"
