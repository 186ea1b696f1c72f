"""Calls of functions that have rules."""

from __future__ import annotations

import types
from collections.abc import Callable as Function
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import out_position, parameter_names
from s2sad.core import Expr, atom_key, clone, load
from s2sad.frontend import ways
from s2sad.kinds.calls import call_kind
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.normal.above import call_value, inline_library, store_into
from s2sad.normal.calls.passive import source_of, touches
from s2sad.normal.calls.questions import (
    WRITES_WHILE_IT_READS,
    has_no_call,
    hashable,
    ints_among_floats,
    module_path,
    narrower,
    of_numbers,
    output_position,
    takes_arrays,
    values_held_by,
)
from s2sad.normal.calls.tables import EXTREMES, IN_PLACE, JOINS, OF_MATRICES, OF_SEVERAL
from s2sad.normal.expressions.attributes import attribute
from s2sad.normal.expressions.choices import choose
from s2sad.normal.expressions.operation import operation
from s2sad.normal.expressions.operators import list_as_array, nested_numbers_as_array, numpy_function
from s2sad.normal.expressions.subscripts import subscript
from s2sad.normal.handlers import PRIMITIVE_MUTATORS
from s2sad.normal.learning import make_dynamic, resize
from s2sad.normal.memory import memory_root, memory_roots, root_of, subscript_value
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, DictObj, Known, Leaf, ListObj, Maybe, Ref, Tup, Value, is_none
from s2sad.normal.values.classes import static
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.joined import cases_of
from s2sad.normal.values.lists_of_the_run import learn_item, new_list
from s2sad.normal.values.making import expression
from s2sad.normal.values.structure import numpy_call
from s2sad.normal.words import NO
from s2sad.normal.writing import anchor


def refuse_ints_among_floats(run: Run, function: Value, name: str) -> None:
    """Refuse a function some of whose results are ints: if the first is, NumPy cuts all others to ints."""
    if isinstance(function, Known) and not function.is_a(types.FunctionType):
        return
    source = function.source if isinstance(function, Closure) else None
    if isinstance(function, Known):
        source = source_of(run, function.value)
    if source is not None and ints_among_floats(source.tree):
        run.refuse(
            f"{name} of a function with ints among its results: NumPy gives all the type of the first",
            "write them as floats: 0.0 for 0",
        )


def primitive(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value], owner_text: Any = None) -> Value:
    target = function.value
    out: Value | None = kwargs.pop("out", None) or taken_output(run, target, args, kwargs)
    if isinstance(target, np.ufunc) and len(args) == target.nin + 1 and target.nout == 1:
        *args, out = args
    if is_none(out):
        out = None
    if isinstance(target, np.ufunc):
        check_ufunc(run, target, args, kwargs, out)
    mutator = PRIMITIVE_MUTATORS.get(target)
    if mutator is not None:
        return mutator(run, function, args, kwargs)  # type: ignore[no-any-return]
    args, kwargs = lists_as_arrays(run, target, args, kwargs)
    several = out if isinstance(out, Tup) and isinstance(target, np.ufunc) and target.nout > 1 else None
    mask = kwargs.get("where")
    if isinstance(target, np.ufunc) and mask is not None and any(is_varied(run, v) for v in args):
        return where_ufunc(run, function, args, kwargs, out)
    if isinstance(out, Tup):
        out = out.items[0]
    if isinstance(target, np.ufunc) and mask is not None and out is not None:
        if kwargs.keys() == {"where"} and has_shape(run, out):
            return where_ufunc(run, function, args, kwargs, out)
        out = hold(run, out, "out")
        scratch = hold(run, numpy_call(run, np.copy, [out]))
        chosen = operation(
            run,
            target,
            lambda exprs, named: gast.Call(
                expression(run, function), exprs, [gast.keyword(k, v) for k, v in named.items()]
            ),
            args,
            {**kwargs, "out": scratch},
        )
        return stored(run, out, gast.Constant(Ellipsis, None), chosen)
    if out is not None:
        out = hold(run, out, "out")
        if target in WRITES_WHILE_IT_READS:
            check_output(run, target, args, out)
    if (getattr(target, "__module__", None) or "").startswith("numpy.linalg") or target in OF_MATRICES:
        args = [nested_numbers_as_array(run, v) for v in args]
    callee = expression(run, function)

    def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
        return gast.Call(clone(callee), exprs, [gast.keyword(k, v) for k, v in named.items()])

    result = by_definition(run, target, args, kwargs)
    if result is None:
        result = multi_output(run, target, build, args, kwargs)
    if out is not None and several is not None and isinstance(result, Tup):
        parts = zip(several.items, result.items, strict=True)
        return Tup(
            tuple(
                value if static(own) is None else stored(run, own, gast.Constant(Ellipsis, None), value)
                for own, value in parts
            )
        )
    if out is not None:
        if isinstance(out, Tup):
            out = out.items[0]
        if isinstance(target, np.ufunc) and "casting" not in kwargs:
            check_cast(run, result, out)
        return stored(run, out, gast.Constant(Ellipsis, None), result)
    return result


def check_cast(run: Run, result: Value, out: Value) -> None:
    """A universal function writes no floats into an array of ints, and no complex numbers into one of floats."""
    kind = kind_of(run, out)
    given = dtype_of(kind_of(run, result))
    own = kind.dtype if isinstance(kind, Array) and not kind.mixed else None
    if given is not None and own is not None and not np.can_cast(given, own, "same_kind"):
        wrong = TypeError(f"numbers of {given.name} do not go into an array of {own.name}")
        run.refuse(wrong.args[0], "give it an array for them", raises=wrong)


def check_output(run: Run, target: Any, args: list[Value], out: Value) -> None:
    """Refuse results that are written into what is read: `np.concatenate([u[1:], u[:1]], out=u)`."""
    roots: set[str | None] = set()
    for value in args:
        parts = list(values_held_by(run.state.heap[value.id])) if isinstance(value, Ref) else [value]
        parts = [p for v in parts for p in (v.items if isinstance(v, Tup) else (v,))]
        roots |= {memory_root(run, p.expr) for p in parts if isinstance(p, Leaf)}
    root = memory_root(run, out.expr) if isinstance(out, Leaf) else None
    if root is not None and root_of(run, root) in {root_of(run, r) for r in roots if r is not None}:
        name = target.__name__
        reason = f"np.{name} writes its result into an array that it still reads"
        run.refuse(reason, f"u[...] = np.{name}(...), without out")


def check_ufunc(run: Run, ufunc: Any, args: list[Value], kwargs: dict[str, Value], out: Value | None) -> None:
    """Refuse forms in which a universal function is not what its rule says."""
    if ufunc.nout > 1 and len(args) > ufunc.nin:
        run.refuse(f"np.{ufunc.__name__} with arrays for its results", "give them as out=, or assign the results")
    if ufunc not in (np.maximum, np.minimum, np.fmax, np.fmin) or "dtype" not in kwargs:
        return
    dtype = static(kwargs["dtype"])
    kinds = [k.dtype for k in (kind_of(run, v) for v in args) if isinstance(k, Array)]
    if dtype is not None and (dtype is NO or any(np.dtype(dtype).itemsize < k.itemsize for k in kinds)):
        run.refuse(
            f"np.{ufunc.__name__} with a dtype that rounds its arguments: what is larger cannot be told",
            "convert the arguments first: x.astype(...)",
        )


def by_options(
    run: Run,
    target: Any,
    args: list[Value],
    kwargs: dict[str, Value],
    call: Function[[list[Value], dict[str, Value]], Value],
) -> Value | None:
    """A call with an option of which the run says the value, as one call for each value that it may have.

    None where there is no such option. What is on or off is True or False in the call.

    y = np.angle(z, deg=c)        if c: y = np.angle(z, deg=True)
                                  else: y = np.angle(z, deg=False)
    """
    rule = registry.lookup(target)
    if rule is None or rule.zero or rule.partials or not is_defined_here(run, args, kwargs):
        return None
    parameters = (rule.definition or rule.templates[0]).parameters
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    everything: list[tuple[int | str, Value]] = [*enumerate(args), *kwargs.items()]
    for place, value in everything:
        name = place if isinstance(place, str) else places[place] if place < len(places) else ""
        cases = cases_of_option(run, value, defaults[name]) if name in defaults else []
        if not cases:
            continue
        held, named = [hold(run, v) for v in args], {k: hold(run, v) for k, v in kwargs.items()}

        def given(case: Value, place: Any = place, held: list[Value] = held, named: Any = named) -> Value:
            if isinstance(place, str):
                return call(held, {**named, place: case})
            return call([*held[:place], case, *held[place + 1 :]], named)

        def one_of(cases: list[tuple[Expr | None, Value]], given: Any = given) -> Value:
            (test, first), *others = cases
            return choose(run, test, lambda: given(first), lambda: one_of(others)) if others else given(first)

        return one_of(cases)
    return None


def cases_of_option(run: Run, value: Value, default: Any) -> list[tuple[Expr | None, Value]]:
    """The values that an option may have, and how each is asked for (the last is what is left).

    None at all where the call is made with the value that is given.
    """
    if isinstance(value, Maybe):
        return [(expression(run, value.none), Known(None)), (None, value.value)]
    known = static(value)
    if isinstance(default, bool) and isinstance(known, (int, np.bool_)) and not isinstance(known, bool):
        return [(None, Known(bool(known)))]
    if not isinstance(value, Leaf) or value.varied:
        return []
    if isinstance(value.kind, Number) and value.kind.type in (bool, np.bool_):
        on_or_off = default is None or isinstance(default, bool)
        return [(expression(run, value), Known(True)), (None, Known(False))] if on_or_off else []
    if not isinstance(value.kind, Unknown) or not cases_of(run, value):
        return []

    def asked(case: Any) -> Expr:
        op = gast.Is() if case is None else gast.Eq()
        return gast.Compare(expression(run, value), [op], [gast.Constant(case, None)])

    *some, last = cases_of(run, value)
    return [*((asked(case), Known(case)) for case in some), (None, Known(last))]


def where_ufunc(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value], out: Value | None) -> Value:
    """`f(x, out=y, where=mask)`: y[mask] = f(x[mask])."""
    mask = kwargs.pop("where")
    known = static(mask)
    mask = Known(bool(known)) if isinstance(known, (bool, int)) else hold(run, mask, "mask")
    if isinstance(out, Tup):
        out = out.items[0]
    if out is None or kwargs or not has_shape(run, out):
        run.refuse(
            f"{function.value.__name__} with where, and without an array for the result",
            "give it out=, or write out[mask] = f(x[mask])",
        )
    out = hold(run, out, "out")
    kind = kind_of(run, out)
    assert isinstance(kind, Array)
    shape = gast.Attribute(expression(run, out), "shape", gast.Load())

    def spread(value: Value) -> Value:
        """The value in the shape of the result."""
        own = kind_of(run, value)
        assert isinstance(kind, Array)
        if isinstance(own, Array) and own.shape == kind.shape:
            return value
        return hold(run, numpy_call(run, np.broadcast_to, [value, Leaf(shape, infer_kind(run, shape), nested=True)]))

    mask = spread(mask)
    parts = [
        v if isinstance(kind_of(run, v), Number) else hold(run, subscript_value(run, spread(hold(run, v)), mask))
        for v in args
    ]
    return stored(run, out, expression(run, mask), primitive(run, function, parts, {}))


def has_shape(run: Run, value: Value) -> bool:
    """Is it an array whose lengths are known (as symbols)?"""
    kind = kind_of(run, value)
    return isinstance(kind, Array) and kind.shape is not None


def stored(run: Run, out: Value, index: Expr, value: Value) -> Value:
    """Store into an array, and the array as it is known then."""
    held = hold(run, out, "out")
    store_into(run, held, index, value)
    if isinstance(held, Leaf) and atom_key(held.expr) in run.facts.varied and not held.varied:
        return Leaf(held.expr, held.kind, True)
    return held


def taken_output(run: Run, target: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The array that a function of NumPy or scipy.ndimage is to write its result into, where that is given by its
    position; it is taken off the arguments."""
    if target is np.nan_to_num and args:
        copy = args.pop(1) if len(args) > 1 else kwargs.pop("copy", Known(True))
        for name, value in zip(("nan", "posinf", "neginf"), args[1:], strict=False):
            kwargs[name] = value
        del args[1:]
        if static(copy) is NO:
            run.refuse("nan_to_num whose copy is not known", "give copy=True or copy=False", concrete=True)
        return None if static(copy) else args[0]
    if not hashable(target):
        return None
    position = out_position(target)
    if len(args) > position and not isinstance(target, np.ufunc):
        names = parameter_names(target)
        if len(args) > len(names):
            run.refuse(f"{target.__name__} with so many arguments", "give them by name")
        kwargs.update(zip(names[position + 1 :], args[position + 1 :], strict=False))
        given_out = args[position]
        del args[position:]
        return given_out
    if not (getattr(target, "__module__", None) or "").startswith("scipy.ndimage"):
        return None
    position = output_position(target)
    given = args[position] if 0 <= position < len(args) else kwargs.get("output")
    if not isinstance(given, Leaf) or not isinstance(given.kind, (Array, Unknown)):
        return None
    if 0 <= position < len(args):
        args[position] = Known(None)
    else:
        del kwargs["output"]
    return given


def shape_of(run: Run, value: Value) -> Any:
    """The shape of a number or an array, where it is known."""
    kind = kind_of(run, value)
    return () if isinstance(kind, Number) else kind.shape if isinstance(kind, Array) else None


def by_definition(run: Run, target: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """A call of a function that is defined by others: their statements in its place. None where it is not so."""
    rule = registry.lookup(target)
    found = rule.definition if rule is not None else None
    here = target in IN_PLACE or is_defined_here(run, args, kwargs)
    if found is None or not (here or has_no_call(target)):
        return None
    if found.condition is not None and not is_for(run, found, args, kwargs):
        return None
    if target is np.apply_along_axis and (args or "func1d" in kwargs):
        refuse_ints_among_floats(run, args[0] if args else kwargs["func1d"], "np.apply_along_axis")
    args, kwargs = lists_as_arrays(run, target, args, kwargs)
    known = {p.name: p for p in found.parameters}
    if not any(p.kind == p.VAR_KEYWORD for p in found.parameters):
        harmless = ("casting", "order", "subok", "kind", "stable", "optimize", "device", "like", "dtype")
        kwargs = {k: v for k, v in kwargs.items() if k in known or k not in harmless}
    meant = call_kind(target, [kind_of(run, v) for v in args], {k: kind_of(run, v) for k, v in kwargs.items()})
    result = lying_otherwise(run, inline_library(run, found.function, args, kwargs))
    made = result.kind if isinstance(result, Leaf) else None
    # (what a definition computes may be more precise than what NumPy gives)
    if isinstance(made, Array) and isinstance(meant, Array) and narrower(meant.dtype, made.dtype):
        return call_value(run, attribute(run, result, "astype"), [numpy_function(run, meant.dtype.name)], {})
    if isinstance(made, Number) and isinstance(meant, Number) and narrower(meant.type, made.type):
        return call_value(run, numpy_function(run, np.dtype(meant.type).name), [result], {})
    if isinstance(meant, Number) and isinstance(made, Array) and made.shape == ():
        # the function gives the number in it, which nobody else can change
        return subscript(run, hold(run, result), gast.Tuple([], gast.Load()))
    return result


def lying_otherwise(run: Run, result: Value) -> Value:
    """What is written out in the place of a call, as an array that may lie in memory otherwise than NumPy's."""
    kind = result.kind if isinstance(result, Leaf) else None
    if isinstance(kind, Array) and (kind.shape is None or len(kind.shape) > 1):
        result = anchor(run, result)
        if isinstance(result.expr, gast.Name):
            run.facts.unlike.add(result.expr.id)
    return result


def lists_as_arrays(
    run: Run, target: Any, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """Arguments, of which some are active, as the arrays that a function makes of them itself.

    Those that are not active may be axes or sizes: they stay as they are where they hold ints.
    """
    if not any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        return args, kwargs
    if not takes_arrays(target):
        if module_path(target)[0] != "numpy" or (hashable(target) and target in JOINS):
            return args, kwargs

        def grown(value: Value) -> Value:
            lists = isinstance(value, Leaf) and isinstance(value.kind, ListOf) and value.varied
            lists = lists or (target in EXTREMES and is_varied(run, value) and not of_numbers(kind_of(run, value)))
            return list_as_array(run, value, True, True) if lists else value

        return [grown(v) for v in args], {name: grown(v) for name, v in kwargs.items()}
    elementwise, rule = isinstance(target, np.ufunc), registry.lookup(target)
    of_scipy = module_path(target)[0] == "scipy"
    all_floats = (rule is not None and rule.definition is not None) or of_scipy
    # in SciPy tuples have meanings of their own, and lists may be of several arrays
    whole = not of_scipy or (rule is not None and rule.is_broadcast)

    def made(value: Value, name: str = "") -> Value:
        if name in OF_SEVERAL and not of_scipy:
            return value
        if not is_varied(run, value) and not elementwise:
            kind = kind_of(run, value) if all_floats and isinstance(value, Ref) else None
            if not isinstance(kind, ListKind) or not any(map(is_float_kind, kind.items)):
                return value
        return list_as_array(run, value, not of_scipy, whole)

    listed = any(isinstance(v, (Tup, Ref)) for v in args) and not isinstance(target, np.ufunc)
    names = [*(parameter_names(target) if listed else ()), *[""] * len(args)]
    parts = [made(v, name) for name, v in zip(names, args, strict=False)]
    return parts, {name: made(v, name) for name, v in kwargs.items()}


def is_for(run: Run, definition: Any, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Is a call one of those that a definition is for?"""
    known, condition = Arguments(run, definition, args, kwargs), definition.condition
    return (
        any(known.given(n) for n in condition.given)
        or any(known.varied(n) for n in condition.active)
        or (condition.when is not None and condition.when(known))
    )


def multi_output(run: Run, target: Any, build: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A primitive that returns a tuple gets one name for each part."""
    result = operation(run, target, build, args, kwargs)
    kind = result.kind
    if not isinstance(kind, TupleKind) and not (isinstance(kind, ListKind) and result.varied):
        return result
    if result.nested and run.passive:
        return result
    if result.nested:
        result = anchor(run, result)
    return results_of(run, result, kind)


def told_apart(run: Run, value: Value, count: int) -> Value:
    """What is unpacked into so many names: the results, where a rule is of a function with several whose kinds are
    not known."""
    if not isinstance(value, Leaf) or type(value.kind) is not Unknown or not value.varied or not run.block:
        return value
    call = run.block[-1]
    application = getattr(call, "apply", None)
    if application is None or atom_key(value.expr) != getattr(call.targets[0], "id", None):
        return value
    rule = registry.lookup(application[0])
    if rule is None or not any(template.of_several for template in rule.templates):
        return value
    return results_of(run, value, TupleKind((Unknown(),) * count))


def results_of(run: Run, result: Leaf, kind: TupleKind | ListKind) -> Value:
    """What the call in the last statement returns, with one name for each part."""
    statement = run.block[-1]
    name = atom_key(result.expr)
    root = run.alias.pop(name, None)
    roots = memory_roots(run, statement.value) if root is not None else []
    if len(roots) != len(kind.items):  # else each part shares with its own argument
        roots = [root] * len(kind.items)
    parts: list[Value] = []
    targets: list[Expr] = []
    for i, item in enumerate(kind.items):
        part = run.facts.fresh(f"{name}_{i}")
        run.facts.kinds[part] = item
        varied = result.varied and is_float_kind(item)
        if varied:
            run.facts.varied.add(part)
        shared = roots[i]
        if shared is not None and not isinstance(item, Number):
            run.alias[part] = shared
        targets.append(gast.Name(part, gast.Store(), None, None))
        parts.append(Leaf(load(part), item, varied))
    statement.targets = [gast.Tuple(targets, gast.Store())]
    if isinstance(kind, ListKind):
        return new_list(run, parts)
    return Tup(tuple(parts), kind.cls)


def changed_elsewhere(run: Run, args: list[Value]) -> None:
    """A function of the library changes the list that it is given: that has to be one at run time."""
    owner, rest = args[0], args[1:]
    obj = run.state.heap[owner.id] if isinstance(owner, Ref) else None
    if isinstance(obj, ListObj):
        make_dynamic(run, obj)
    if isinstance(obj, DictObj):
        run.refuse("a dict is changed by a function of the library", ways.ONE_BY_ONE)
    if isinstance(owner, Leaf) and isinstance(owner.kind, ListOf):
        if owner.varied and not run.passive:
            run.refuse(
                "a list of active values is changed by a function of the library",
                "use methods of lists: x = items.pop(items.index(min(items))), say",
            )
        resize(run, owner)
        run.memory.lists_changed.append(atom_key(owner.expr))
        if rest:
            learn_item(run, owner, rest[-1])


def is_defined_here(run: Run, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Is a call of a function with a definition written out? Where something active goes in, or a closure."""
    varied = any(is_varied(run, v) for v in [*args, *kwargs.values()])
    return (varied and not run.passive) or touches(run, args, kwargs)


class Arguments:
    """What is known of the arguments of a call, by the names of the parameters: for `definition(when=...)`."""

    def __init__(self, run: Run, definition: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
        parameters = definition.parameters
        self.run, self.parameters = run, {p.name: p for p in parameters}
        at = next((i for i, p in enumerate(parameters) if p.kind == p.VAR_POSITIONAL), None)
        self.named = {p.name: v for p, v in zip(parameters[:at], args, strict=False)} | kwargs
        if at is not None:
            self.named[parameters[at].name] = Tup(tuple(args[at:]))

    def given(self, name: str) -> bool:
        """Is it given, and not what it would be anyway?"""
        if name not in self.named:
            return False
        known, default = static(self.named[name]), self.parameters[name].default
        same = type(known) is type(default) and isinstance(known, (int, float, str)) and known == default
        return known is not default and not same

    def varied(self, name: str) -> bool:
        return name in self.named and is_varied(self.run, self.named[name])

    def static(self, name: str) -> Any:
        """Its value where that is known at derivation (its default where it is not given), else Ellipsis."""
        if name not in self.named:
            return self.parameters[name].default
        known = static(self.named[name])
        return Ellipsis if known is NO else known

    def kind(self, name: str) -> Kind:
        """Its kind; that of None where it is not given."""
        return kind_of(self.run, self.named[name]) if name in self.named else Static(None)

    def rank(self, name: str) -> int | None:
        """Its number of dimensions, where that is known."""
        kind = self.kind(name)
        if isinstance(kind, Number):
            return 0
        return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None

    def is_complex(self, name: str) -> bool:
        kind = self.kind(name)
        if isinstance(kind, Number):
            return kind.type is complex or issubclass(kind.type, np.complexfloating)
        return isinstance(kind, Array) and kind.dtype.kind == "c"
