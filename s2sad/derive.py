"""From a function, kinds and a request to the trees of its derivative."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
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
from s2sad.analysis.memory import Memory
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
from s2sad.entry import (
    as_float,
    as_parameters,
    changed_arguments,
    check_hidden_state,
    copies_on_entry,
    entry_copies,
    name_lengths,
    part_at,
    replace_paths,
    with_parts_named,
    with_shared_arguments,
)
from s2sad.expansion.fit import helper, numpy_name
from s2sad.expansion.operand import Operand
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import BadArgument, DerivationError, error_at
from s2sad.frontend.names import check_hidden
from s2sad.frontend.source import FunctionSource, function_tree
from s2sad.kinds import known
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Either, Kind, ListOf, Number, Unknown
from s2sad.kinds.query import is_complex, is_float_kind, leaves
from s2sad.normal.functions import CoreFunction, functions_in, noting_loops
from s2sad.normal.lower import Core, Learnt, lower_function
from s2sad.normal.recursion import effect_of
from s2sad.normal.values import DictObj, Instance, Keys, Known, Leaf, ListObj, Maybe, Ref, Tup, Value, contents
from s2sad.pairs import PAIR, Functions, checked, copy_of, definition, reached, unwritten
from s2sad.request import Derived, Request
from s2sad.runtime.garbage import seldom_collected
from s2sad.tidy import tidy
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.common import reading_kept, share_kept
from s2sad.tidy.deadcode import eliminate
from s2sad.tidy.own import own_results, own_value
from s2sad.tidy.unset import give_start
from s2sad.transform.adjoint import Sweep
from s2sad.transform.branches import name_of_test
from s2sad.transform.gather import gather_additions, known_shapes
from s2sad.transform.lists import zeros_list
from s2sad.transform.sweep import Adj, Again
from s2sad.transform.values import is_fresh, typed_zero
from s2sad.weave import (
    TOTALS,
    clone_as_target,
    comment_blocks,
    computes_again,
    definitions_in,
    fuse_last_branch,
    is_straight,
    joined_unbound,
    may_be_int,
    popped,
    return_node,
)


def derive(
    fn: types.FunctionType,
    request: Request,
    kinds: dict[str, Kind],
    aliases: tuple[Any, ...] = (),
    recursion: str = "follow",
    hidden: frozenset[str] = frozenset(),
) -> Derived:
    """The derivative of a function for arguments of the given kinds.

    Args:
        fn: the primal, a function with source.
        request: which derivative.
        kinds: the kind of each parameter, in order.
        aliases: pairs of parameters that share memory, as `kinds.bind.overlaps` gives them.
        recursion: what to do about recursions that have no end when they are written out
            (`normal.functions.Program.policy`).
        hidden: the parameters that the caller does not pass: they are bound, or have their defaults.

    Raises:
        DerivationError: the function cannot be derived; the error names the line and the way out.
    """
    kinds = {name: as_float(kind) if name in request.wrt else kind for name, kind in kinds.items()}
    asked = _Asked(fn, request, kinds, aliases, recursion, hidden)
    with seldom_collected():
        try:
            return _derived(asked, False)
        except DerivationError as error:
            if not error.loops_kept:
                raise
        return _derived(asked, True)  # more is known of each turn then


@dataclass(frozen=True)
class _Asked:
    """What `derive` is asked for."""

    fn: types.FunctionType
    request: Request
    kinds: dict[str, Kind]
    aliases: tuple[Any, ...]
    recursion: str
    hidden: frozenset[str]


def _derived(asked: _Asked, turns_apart: bool) -> Derived:
    """The derivative, with one more try where another view of the arguments or of the lists may help."""
    source, learnt = function_tree(asked.fn), Learnt()
    try:
        return _derive(asked, source, turns_apart, learnt=learnt)
    except DerivationError as error:
        view = _View()
        again: DerivationError | None = error
        while again is not None and (more := view.after(again, asked)) != view:
            view = more  # with an adjoint of its own, an array may be anybody's memory
            try:
                return _derive(asked, source, turns_apart, view, learnt)
            except DerivationError as found:
                again = found
        if not getattr(error, "held", False):
            raise
        with contextlib.suppress(DerivationError):  # what a list holds is known where its loop is written out
            return _derive(asked, source, turns_apart, _View(lists_apart=True))
        raise


@dataclass(frozen=True)
class _View:
    """How the arguments and the lists are looked at.

    Attributes:
        lists_apart: are loops in which lists grow written out?
        lists_chosen: is an array that a variable index takes out of a short list followed by a branch for each item?
        beside: arguments that are active, too, while their gradient is not asked for.
        arrays: variables whose arrays are active from where they are made.
    """

    lists_apart: bool = False
    lists_chosen: bool = False
    beside: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()

    def after(self, error: DerivationError, asked: _Asked) -> _View:
        """The view that may do where this one met an error: what may be memory in which active values are stored is
        active; what is taken out of a short list that holds it is known by a branch for each item."""
        shared: Collection[str] = getattr(error, "shared", ())
        kinds = asked.kinds
        arguments = {n for n in shared if isinstance(k := kinds.get(n), Array) and k.dtype.kind in "fc"}
        named: dict[str, str] = getattr(error, "shown_as", {})
        stems = {named[n] for n in shared if n in named}
        beside = self.beside | arguments - {*asked.request.wrt}
        chosen = self.lists_chosen or getattr(error, "held", False)
        return replace(self, lists_chosen=chosen, beside=beside, arrays=self.arrays | stems)


def _derive(
    asked: _Asked, source: FunctionSource, turns_apart: bool, view: _View = _View(), learnt: Learnt | None = None
) -> Derived:
    beside = tuple(sorted(view.beside))
    wrt = (*asked.request.wrt, *beside)
    core = lower_function(
        source,
        asked.kinds,
        wrt,
        recursion=asked.recursion,
        turns_apart=turns_apart,
        learnt=learnt,
        lists_apart=view.lists_apart,
        lists_chosen=view.lists_chosen,
        active_arrays=view.arrays,
    )
    with noting_loops(core.lowering.program):
        if asked.aliases:
            core = with_shared_arguments(core, source, asked.kinds, wrt, asked.aliases, asked.recursion)
        check_hidden_state(core, asked.hidden)
        if core.written_out is not None:
            try:
                return _made(core, asked, beside)
            except DerivationError as error:  # of what stays a call, some things are not known
                core.lowering.program.keeping.check_defect(error)
            core = core.written_out
        return _made(core, asked, beside)


def _made(core: Core, asked: _Asked, beside: tuple[str, ...]) -> Derived:
    """The derivative of a function in core Python."""
    parameters = list(asked.kinds)
    if asked.request.result == "jvp":
        from s2sad.transform.tangent import tangent_function

        made = tangent_function(core, asked.request, parameters, beside)
    else:
        made = _Reverse(core, asked.request, parameters, asked.kinds).function()
    made.changes_arguments = bool(changed_arguments(core, parameters))
    return made


class _Reverse:
    """One reverse-mode derivative being put together."""

    def __init__(self, core: Core, request: Request, parameters: list[str], kinds: dict[str, Kind]) -> None:
        self.core, self.request, self.parameters, self.kinds = core, request, parameters, kinds
        self.facts: Facts = core.facts
        self.facts.taken.update(parameters)
        self.stages: dict[str, Any] = {}
        self.decisions: list[tuple[str, str, str]] = []
        self.functions = Functions(core.lowering.program, self.facts, repeated=request.result == "vjp")
        self.functions.strong_zero = request.strong_zero
        self.functions.again = request.again
        self.functions.inner = request.inner

    def function(self) -> Derived:
        core, facts = self.core, self.facts
        result = self.checked_result()
        value = core.lowering.expression(core.result if self.request.aux else result)
        live = {n.id for n in walk_names(value)}
        body = self.eliminated(core.body, live)
        unset = sorted(n for n in _free(body) if n in facts.user_name and n not in self.parameters)
        start = [assign(n, gast.Constant(None, None)) for n in unset]  # joined on paths where it has no value yet
        normal = [*start, *clone(body), gast.Return(clone(value))]
        self.stages["normal"] = self.definition(core.source.tree.name, normal)
        drop_shifts(body, facts, live, core.lowering.alias)
        name_old_shapes(body, facts, lambda: numpy_name(facts))
        wrt = core.wrt
        memory = memory_of(body, facts, core.lowering.alias, self.parameters, live)
        if name_lengths(body, memory, facts):
            memory = analyse(body, facts, core.lowering.alias)
        count_selected(body, memory, facts)
        check_halving(body, facts, core, live)
        aliases = partial(check_aliases, body, core=core, live=live)
        undecided = aliases(memory)
        if undecided:
            look = partial(analyse, body, facts, core.lowering.alias)
            memory = follow_choices(body, memory, undecided, self.parameters, look, aliases)
        note_starts(body, memory, facts, live)
        note_ranges(body, memory, facts)
        self.functions.note_zeros(body, facts)
        results = {atom_key(atom): FULL for atom, _, _ in self.seeds(result, load("g"))}
        self.zeros = self.functions.prepare(body, results)
        sweep, grads = self.sweep(body, memory, result, wrt)
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
            whole_kind = core.lowering.kind(core.result if self.request.aux else result)
            value = self.kept_value(value, whole_kind, recorded.forward, recorded.backward)
            result_expr = gast.Tuple([value, result_expr], gast.Load())
        elif self.request.aux:
            assert isinstance(core.result, Tup)
            kind = core.lowering.kind(core.result.items[1])
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
        definitions = definitions_in(self.core.body)

        def is_scalar(expr: Expr, inside: frozenset[str] = frozenset()) -> bool:
            kind = self.core.lowering.infer(expr)
            if isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape == ()):
                return True
            if isinstance(expr, gast.Name):
                held = definitions.get(expr.id, [])
                if expr.id in inside or expr.id in self.parameters:
                    return expr.id in inside
                return bool(held) and all(is_scalar(e, inside | {expr.id}) for e in held)
            if isinstance(expr, gast.BinOp):
                return is_scalar(expr.left, inside) and is_scalar(expr.right, inside)
            if isinstance(expr, gast.UnaryOp):
                return is_scalar(expr.operand, inside)
            return isinstance(expr, gast.Call) and len(expr.args) == 1 and not expr.keywords and is_total(expr.func)

        def is_total(func: Expr) -> bool:
            found = self.core.lowering.resolve(func)
            return any(found is total for total in TOTALS)

        return not is_scalar(result.expr)

    def may_turn_complex(self, result: Value) -> bool:
        """May the result of real arguments be complex for some values, as that of np.emath.sqrt?"""
        if not isinstance(result, Leaf) or not isinstance(self.core.lowering.infer(result.expr), Unknown):
            return False
        ends = [end for kind in self.kinds.values() for end in leaves(kind)]
        if any(isinstance(end, Unknown) or ((dtype := known.dtype_of(end)) and dtype.kind == "c") for end in ends):
            return False
        calls = [n for s in self.core.body for n in walk(s) if isinstance(n, gast.Call)]
        return any(known.is_value_typed(self.core.lowering.resolve(call.func)) for call in calls)

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
                facts.kinds[self.cotangent] = self.core.lowering.kind(result)
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
            return gast.Call(load(self.core.lowering.global_name(value.cls.__name__, value.cls)), items, [])
        if isinstance(value, Ref):
            obj = self.core.lowering.template_heap[value.id]
            parts = {k: self.gradient(v, sweep) for k, v in contents(obj).items()}
            if isinstance(obj, ListObj):
                return gast.List(list(parts.values()), gast.Load())
            if isinstance(obj, DictObj):
                return gast.Dict([gast.Constant(k, None) for k in parts], list(parts.values()))
            from s2sad.runtime import helpers

            name = helper(helpers.like, self.facts)
            return gast.Call(load(name), [clone(obj.expr)], [gast.keyword(k, v) for k, v in parts.items()])
        return self.core.lowering.expression(value)

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
        body = copies_on_entry(body, self.parameters, self.core, facts)
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
        value = own_value(value, self.core.lowering.kind(self.core.result), outer, of_outer, self.parameters)
        inner = self.tidied_inside(inner, names_bound(outer) | set(self.parameters))
        read = _free(inner) | {n.id for n in walk_names(value)}
        if not keep <= read:
            outer = eliminate(outer, of_outer, live_out=read, parameters=self.parameters)
        pullback = facts.fresh("pullback", temp=False)
        inside = gast.FunctionDef(pullback, as_parameters([self.cotangent]), inner, [], None, None)
        done = gast.Return(gast.Tuple([value, load(pullback)], gast.Load()))
        whole = self.definition(name, [*outer, inside, done])
        check_hidden(whole, self.core.source)
        return self.derived(name, whole, of_outer)

    def tidied_inside(self, inner: list[Stmt], outside: set[str]) -> list[Stmt]:
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
            return tidy(inner, facts, live_out=(), owned=())
        finally:
            for name in taken:
                facts.globals.pop(name, None)


def backward_of(function: CoreFunction, functions: Functions) -> None:
    """Make the backward sweep of a core function; `functions` learns whether the arguments are enough for it."""
    _FunctionReverse(function, functions).make()


class _FunctionReverse(_Reverse):
    """The backward sweep of a core function being put together."""

    def __init__(self, function: CoreFunction, functions: Functions) -> None:
        parameters = [p.name for p in function.passed]
        wrt = tuple(parameters[i] for i in function.active)
        kinds = {p.name: p.kind for p in function.passed}
        super().__init__(
            copy_of(function),
            Request("grad", wrt, len(wrt) == 1, strong_zero=functions.strong_zero, inner=functions.inner),
            parameters,
            kinds,
        )
        self.facts.taken |= functions.program.names
        self.callee, self.module = function, functions
        self.functions = functions.within(self.facts)

    def analysed(self, body: list[Stmt], live: set[str]) -> Memory:
        """The memory facts, with what happens to lists when the function has returned."""
        memory = memory_of(body, self.facts, self.core.lowering.alias, self.parameters, live)
        for i, path in sorted(self.module.changed.get(self.callee, ()), key=str):
            memory.change_later(self.parameters[i], path)
        return memory

    def make(self) -> None:
        core, facts, parameters = self.core, self.facts, self.parameters
        live = {n.id for n in walk_names(core.value)}
        body = self.eliminated(core.body, live, unwritten(self.callee))
        drop_shifts(body, facts, live, core.lowering.alias)
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
            memory = follow_choices(body, memory, undecided, parameters, look, aliases)
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


def _shape_words(value: Value) -> str:
    if isinstance(value, Tup):
        return f"a tuple of {len(value.items)}"
    if isinstance(value, Known):
        return repr(value.value)
    return "a container"
