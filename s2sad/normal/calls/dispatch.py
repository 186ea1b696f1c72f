"""What a call of a value does, by the value that is called."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import inspect
import logging
import operator
import re
import types
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import hands_back
from s2sad.analysis.known_calls import CHANGE_FIRST
from s2sad.analysis.quiet import quiet
from s2sad.core import Expr, clone, load
from s2sad.frontend import ways
from s2sad.kinds.bind import STANDARD
from s2sad.kinds.kind import Array, Callable, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.labelled import foreign_library, labelled_by
from s2sad.kinds.pure import is_distribution
from s2sad.kinds.query import is_float_kind
from s2sad.kinds.trial import raised
from s2sad.knowledge import registry
from s2sad.normal import above
from s2sad.normal.calls import functionals, library
from s2sad.normal.calls.lifted import DerivativeOf
from s2sad.normal.calls.methods import call_method, check_taken, leaf_method
from s2sad.normal.calls.objects import call_derivative, fill_fields, hands_over, inline_library, instantiate
from s2sad.normal.calls.passive import (
    call_node,
    handed_on,
    holds_arrays,
    looked_into,
    may_be_changed,
    opaque,
    passive_call,
    touches,
    write_out,
)
from s2sad.normal.calls.primitives import (
    by_definition,
    by_options,
    changed_elsewhere,
    is_defined_here,
    lying_otherwise,
    multi_output,
    primitive,
    refuse_ints_among_floats,
    shape_of,
    stored,
    taken_output,
)
from s2sad.normal.calls.questions import (
    REDUCTIONS,
    from_library,
    hashable,
    is_container,
    is_generated,
    is_plain_data,
    is_pure_call,
    mutates,
    of_compiler,
    takes_numbers,
    wrapped_by,
)
from s2sad.normal.calls.tables import (
    CHANGES_A_LIST,
    EARLY,
    LOOKS_AT,
    MUTATORS,
    OF_ARRAYS,
    OF_NUMBERS,
    RUN_THROUGH,
    SPECIAL_METHODS,
    TAKES_ITERATORS,
    UNROLLED_TABLE,
)
from s2sad.normal.calls.written_out import check_cache_keys, inline, method_of_float
from s2sad.normal.changing import list_changes
from s2sad.normal.expressions.atoms import number_within
from s2sad.normal.expressions.attributes import attribute, class_attribute
from s2sad.normal.expressions.choices import choose
from s2sad.normal.expressions.operation import no_rule
from s2sad.normal.expressions.operators import list_as_array
from s2sad.normal.expressions.subscripts import textual
from s2sad.normal.handlers import BUILTINS
from s2sad.normal.iteration.asking import is_asked, iterators_of, what_is_left
from s2sad.normal.iteration.watch import IN_TURNS, Changes
from s2sad.normal.iteration.watching import noting_draws, without_changes
from s2sad.normal.learning import follow_objects, look_through
from s2sad.normal.memory import memory_root, subscript_value
from s2sad.normal.names import hold
from s2sad.normal.run import PUTS_IN, Run
from s2sad.normal.values.abstract import (
    Choice,
    Closure,
    DictObj,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_it,
    is_known_a,
    is_none,
)
from s2sad.normal.values.classes import (
    find_method,
    has_methods,
    instance_of,
    perhaps_list,
    refuse_unknown_class,
    static,
)
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, infer_kind, is_varied, kind_of
from s2sad.normal.values.joined import changed_globals
from s2sad.normal.values.lists_of_the_run import new_list
from s2sad.normal.values.making import constant, expression, shown_value
from s2sad.normal.values.questions import is_standard, leaves_of
from s2sad.normal.values.structure import numpy_call
from s2sad.normal.values.tables import CHANGED_GROUP, Group, Table, items_of
from s2sad.normal.words import NO, OUTER, WRITES_TO_GLOBALS
from s2sad.normal.writing import check_not_read_back, define, there, write
from s2sad.runtime.decide import Look, decide
from s2sad.runtime.identity import held_attribute


def active_list_as_array(run: Run, value: Value) -> Value:
    """A list of active numbers, or of equally many in each row, as the array that a function makes of it first."""
    is_list = isinstance(value, Leaf) and isinstance(value.kind, ListOf) and isinstance(value.kind.item, Number)
    if isinstance(value, Ref) and isinstance(run.state.heap[value.id], ListObj):
        kind = kind_of(run, value)
        items = kind.items if isinstance(kind, ListKind) else ()
        rows = {len(k.items) if isinstance(k, ListKind | TupleKind) else 0 for k in items}
        is_list = len(rows) == 1 and all(isinstance(leaf, Number | Static) for leaf in leaves_of(kind))
    return list_as_array(run, value) if is_list and not run.passive and is_varied(run, value) else value


@above.call_value.answer
def call_value(run: Run, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if isinstance(function, Method):
        return call_method(run, function, args, kwargs)
    if isinstance(function, Partial) and isinstance(getter := static(function.function), tuple):
        return got(run, getter[1], function.args, args[0], dict(function.kwargs))
    if isinstance(function, Partial):
        made = call_value(run, function.function, [*function.args, *args], {**dict(function.kwargs), **kwargs})
        written_out = is_it(function.function, library.vectorized, library.vectorized_in_double)
        return lying_otherwise(run, made) if written_out else made
    if isinstance(function, Closure):
        return inline(run, function, args, kwargs)
    if isinstance(function, Choice):
        first, second = function.first, function.second
        if is_none(first):
            error = gast.Call(load("TypeError"), [gast.Constant("'NoneType' object is not callable", None)], [])
            write(run, gast.If(clone(function.test.expr), [gast.Raise(error, None)], []))
            return call_value(run, second, args, kwargs)
        held = [hold(run, v) for v in args]
        return choose(
            run,
            clone(function.test.expr),
            lambda: call_value(run, first, held, kwargs),
            lambda: call_value(run, second, held, kwargs),
        )
    owner = held_attribute(function.value, "__self__") if isinstance(function, Known) else None
    if type(owner) in OUTER and function.value.__name__ in MUTATORS | PUTS_IN:  # type: ignore[attr-defined]
        active = any(is_varied(run, v) for v in [*args, *kwargs.values()])
        if active or id(owner) not in run.outside.outer_filled:
            run.outside.outer_filled[id(owner)] = (owner, active, run.frame, run.node)
    if isinstance(function, (Ref, Tup)):
        method = find_method(run, function, "__call__")
        if method is not None:
            return call_value(run, method, args, kwargs)
    if isinstance(function, Known):
        if args and held_attribute(function.value, "__name__") in CHANGE_FIRST:
            list_changes(run, args[0])
            changed = run.state.heap[args[0].id] if isinstance(args[0], Ref) else None
            if isinstance(changed, Instance) and changed.cls is Group:
                run.refuse(*CHANGED_GROUP)
        return call_known(run, function, args, kwargs)
    if isinstance(function, Leaf):
        if isinstance(function.kind, (Number, Array)):
            error = TypeError("a number or an array is not callable")
            run.refuse(str(error), ways.CORRECT, raises=error)
        if isinstance(function.kind, Object) and registry.lookup(function.kind.cls.__call__) is not None:
            return object_call(run, function, args, kwargs)
        if function.varied and not run.passive:
            run.refuse("an object that is computed from active values is called", ways.FUNCTION)
        if any(is_varied(run, v) for v in [*args, *kwargs.values()]) and not run.passive:
            look_through(run, function.expr)  # what chose it may say which it is
            run.refuse(
                "a function that is not known at derivation is called with active arguments",
                "call it by its name, or pass it as an argument of the derived function",
            )
        return opaque(run, function, args, kwargs)
    run.refuse("this value cannot be called", "call a function by its name")


def own_memory(run: Run, value: Value) -> Value:
    """An array that nothing else holds: what a helper is given that may hand it back, of which no rule tells."""
    if not isinstance(value, Leaf) or not isinstance(value.kind, (Array, Unknown)):
        return value
    return value if memory_root(run, value.expr) is None else hold(run, numpy_call(run, np.copy, [value]))


def call_known(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    value = function.value
    if hashable(value) and value in LOOKS_AT:
        if value in (type, hasattr, getattr) and any(isinstance(v, Maybe) and perhaps_list(run, v) for v in args):
            refuse_unknown_class(run)
        args, kwargs = [shown_value(run, v) for v in args], {k: shown_value(run, v) for k, v in kwargs.items()}
    elif isinstance(value, np.ufunc) or (hashable(value) and value in OF_NUMBERS):
        for given in args:
            there(run, given)
    runs_through = hashable(value) and value in RUN_THROUGH
    if runs_through or not isinstance(value, (types.FunctionType, type)) or from_library(value):
        args = [as_list(run, v, runs_through) for v in args]
        if hashable(value) and value in EARLY and args and is_asked(run, args[0]):
            return inline_library(run, EARLY[value], args, {})
        if not (hashable(value) and value in TAKES_ITERATORS):
            followed = set().union(*(iterators_of(run, v) for v in args))
            of_iterators = followed or any(isinstance(v, Lazy) for v in args)
            if of_iterators and (value is copy.copy or value is copy.deepcopy):
                run.refuse("a copy of an iterator, which goes on beside it", "ask for a second iterator")
            args, changes = taken_from(run, args) if followed else ([what_is_left(run, v) for v in args], None)
            kwargs = {k: what_is_left(run, v) for k, v in kwargs.items()}
            if changes is not None and hands_over(run, args, kwargs):  # which is called in turns with the items
                if changes.names or changes.keys or changes.calls or changes.refs - followed:
                    run.refuse(*IN_TURNS)
                return without_changes(run, lambda: call_known(run, function, args, kwargs))
    if args and hashable(value) and value in CHANGES_A_LIST:
        changed_elsewhere(run, args)
    if args and isinstance(value, types.FunctionType) and hands_back(value):
        args = [own_memory(run, args[0]), *args[1:]]
    if is_get_of_known_key(function, args) and not kwargs:
        return got_from_known(run, function, args)
    special = SPECIAL_METHODS.get(value) if args and hashable(value) else None
    if special is not None and has_methods(run, args[0]) and not (value is next and len(args) == 2):
        method = find_method(run, args[0], special)
        if method is not None:
            return call_value(run, method, args[1:], kwargs)
    if takes_numbers(value):
        args, kwargs = [number_within(run, v) for v in args], {k: number_within(run, v) for k, v in kwargs.items()}
    library = foreign_library(value)
    if library and not run.passive and any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        name = held_attribute(value, "__name__")
        ours = f"np.{name}" if name and hasattr(np, name) else "what is like it"
        run.refuse(f"{name} of {library} computes with arrays of its own", f"write it with NumPy: {ours}")
    if labelled_by(value) is not None and not any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        node = call_node(run, expression(run, function), args, kwargs)
        return define(run, "t", node, infer_kind(run, node))
    handler = BUILTINS.get(value) if hashable(value) else None
    if handler is not None:
        check_taken(run, value, len(args) + len(kwargs))
        done = handler(run, function, args, kwargs)
        if done is not NotImplemented:
            return done  # type: ignore[no-any-return]
    if isinstance(value, (types.MethodDescriptorType, types.WrapperDescriptorType)) and args:
        # np.ndarray.sort(u), list.append(items, x)
        first, home = args[0], value.__objclass__
        held = run.state.heap[first.id] if isinstance(first, Ref) else None
        if home is float:
            args = [number_within(run, v) for v in args]
            done = method_of_float(run, value.__name__, args)
            if done is not None:
                return done
        if home is np.ndarray and isinstance(first, Leaf) and isinstance(first.kind, Array):
            return leaf_method(run, first, value.__name__, args[1:], kwargs)
        a_list = isinstance(held, ListObj) or (isinstance(first, Leaf) and isinstance(first.kind, ListOf))
        a_set = is_known_a(first, set, frozenset)
        if home in (list, dict, set, collections.deque) and (a_list or a_set or isinstance(held, DictObj)):
            return call_value(run, attribute(run, first, value.__name__), args[1:], kwargs)
    if isinstance(value, functools.partial):
        bound = [from_python(run, v, expression(run, Known(v))) for v in value.args]
        named = {k: from_python(run, v, expression(run, Known(v))) for k, v in value.keywords.items()}
        return call_value(run, Known(value.func), [*bound, *args], {**named, **kwargs})
    if is_distribution(value):
        return Partial(function, tuple(hold(run, v) for v in args), tuple((k, hold(run, v)) for k, v in kwargs.items()))
    stand_in = instance_of(run, args[0]) if args else None
    if isinstance(stand_in, Instance) and from_library(value):
        # what stands for an object of a library says itself what the functions of the library do with it
        own = class_attribute(run, stand_in.cls, f"of_{getattr(value, '__name__', '')}", args[0])
        if own is not None:
            return call_value(run, own, args[1:], kwargs)
    folded = folded_call(run, value, args, kwargs)
    if folded is None and not args and not kwargs:
        folded = view_of_table(run, function)
    if folded is not None:
        return folded
    namespace = namespace_of_arrays(run, value, args, kwargs)
    if namespace is not None:
        return namespace
    rule = registry.lookup(value) if hashable(value) else None
    ufunc = held_attribute(value, "__self__")
    if ufunc is not None and isinstance(ufunc, np.ufunc):
        done = ufunc_method(run, function, ufunc, rule, args, kwargs)
        if done is not None:
            return done
    if rule is not None and isinstance(value, type) and rule.definition is not None:
        made = by_definition(run, value, args, kwargs)
        return made if made is not None else instantiate(run, function, args, kwargs)
    if rule is not None:
        spec = registry.functional(value)
        if spec is not None and (is_defined_here(run, args, kwargs) or hands_over(run, args, kwargs)):
            return functionals.call(run, function, spec, args, kwargs)
        apart = by_options(run, value, args, kwargs, lambda a, named: call_known(run, function, a, named))
        if apart is not None:
            return apart
        if (getattr(value, "__module__", None) or "").startswith(OF_ARRAYS):
            args = [active_list_as_array(run, v) for v in args]
            kwargs = {k: active_list_as_array(run, v) for k, v in kwargs.items()}
        return primitive(run, function, args, kwargs)
    if isinstance(value, np.vectorize):
        if value.otypes not in (None, "", "d"):
            run.refuse("np.vectorize with these otypes", "leave them out: floats follow")
        made = vectorized(run, Known(value.pyfunc), value.signature, given=bool(value.otypes))
        return call_value(run, made, args, kwargs)
    if isinstance(value, type):
        return instantiate(run, function, args, kwargs)
    if held_attribute(value, "primal") is not None and held_attribute(value, "specialize") is not None:
        return call_derivative(run, value, args, kwargs)
    if isinstance(value, DerivativeOf):
        called = value.call(run, args, kwargs)
        if called is None:
            name = held_attribute(value.operator, "__name__")
            run.refuse(f"{name} of a function that is made here", ways.DERIVATIVE_OF_LOCAL)
        return called
    if held_attribute(value, "__module__") == "s2sad.api":
        known = [static(v) for v in (*args, *kwargs.values())]
        if args and isinstance(args[0], Closure) and NO not in known[1:] and not run.passive:
            options = tuple(zip(kwargs, known[len(args) :], strict=True))
            return Known(DerivativeOf(value, args[0], tuple(known[1 : len(args)]), options))
        if NO in known:
            run.refuse(
                f"{value.__name__} of a function that is made here",
                ways.DERIVATIVE_OF_LOCAL,
            )
        return Known(value(*known[: len(args)], **dict(zip(kwargs, known[len(args) :], strict=True))))
    if isinstance(value, types.MethodType) and from_library(value.__func__):
        if registry.lookup(value.__func__) is not None and isinstance(function.expr, gast.Attribute):
            instance = Leaf(clone(function.expr.value), Callable(value.__self__))
            return leaf_method(run, instance, value.__name__, args, kwargs)
        return library_call(run, function, args, kwargs)
    if isinstance(value, types.MethodType):
        owner = from_python(run, value.__self__, expression(run, Known(value.__self__)))
        return call_value(run, Known(value.__func__), [owner, *args], kwargs)
    if isinstance(value, types.FunctionType) and not from_library(value):
        if hasattr(value, "__wrapped__") and value.__code__.co_filename == contextlib.__file__:
            check_manager_given(run, [*args, *kwargs.values()])
        return call_function(run, function, args, kwargs)
    wrapped = wrapped_by(value)
    if wrapped is not None and not touches(run, args, kwargs):
        handed = [*args, *kwargs.values()]
        settled = isinstance(wrapped, types.FunctionType) and all(static(v) is not NO for v in handed)
        active = any(is_varied(run, v) for v in handed)
        if (not active or run.passive) and not (settled and quiet(wrapped)):
            return opaque(run, function, args, kwargs)
    if isinstance(wrapped, types.FunctionType) and not from_library(wrapped):
        if isinstance(value, functools._lru_cache_wrapper):
            check_cache_keys(run, [*args, *kwargs.values()])
        return call_value(run, Known(wrapped), args, kwargs)
    if not callable(value):
        run.refuse(f"a {type(value).__name__} is not callable", ways.CORRECT)
    if isinstance(getattr(value, "__self__", None), str):  # "...".format(x): text carries no derivative
        return opaque(run, function, args, kwargs)
    if is_standard(type(value)) and hashable(value) and registry.lookup(type(value).__call__) is not None:
        definition = registry.lookup(type(value).__call__).definition  # type: ignore[union-attr]
        if definition is not None and is_defined_here(run, args, kwargs):
            return inline_library(run, definition.function, [function, *args], kwargs)
        return object_call(run, Leaf(expression(run, function), Callable(value)), args, kwargs)
    if from_library(value) and not isinstance(value, type):
        return library_call(run, function, args, kwargs)
    method = find_method(run, function, "__call__")
    if method is not None:
        return call_value(run, method, args, kwargs)
    if not run.passive and any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        node = gast.Call(expression(run, function), [expression(run, v) for v in args], [])
        kind = infer_kind(run, node)
        if (is_float_kind(kind) and not isinstance(kind, Unknown)) or isinstance(kind, Unknown):
            run.refuse(*no_rule(run, value))
    return opaque(run, function, args, kwargs)


def is_get_of_known_key(function: Known, args: list[Value]) -> bool:
    """Is a dict that is known asked for a key that is known: `TABLE.get("a", default)`?"""
    value = function.value
    method = isinstance(value, types.BuiltinMethodType) and type(value.__self__) is dict and value.__name__ == "get"
    return method and 1 <= len(args) <= 2 and static(args[0]) is not NO


def got_from_known(run: Run, function: Known, args: list[Value]) -> Value:
    """What it holds there is as known as `TABLE["a"]` is."""
    owner = Known(function.value.__self__, function.expr.value if isinstance(function.expr, gast.Attribute) else None)
    return inline_library(run, library.got, [owner, *args, *([Known(None)] if len(args) < 2 else [])], {})


def keep_check(run: Run, function: Known, args: list[Value]) -> None:
    """A line that raises when a call does that is followed without being in the run: `range(0, n, step)`."""
    if run.text_only or not all(textual(run, v) for v in args):
        return
    kinds = [Callable(function.value), *(kind_of(run, v) for v in args)]
    if raised(f"_0({', '.join(f'_{k + 1}' for k in range(len(args)))})", kinds, [(None, None)] * len(kinds)):
        write(run, gast.Expr(call_node(run, expression(run, function), args, {})))


def taken_from(run: Run, iterators: list[Value]) -> tuple[list[Value], Changes]:
    """What is left of iterators that are followed item by item, and what taking it has changed."""
    return noting_draws(run, lambda: [what_is_left(run, v) for v in iterators])


def as_list(run: Run, value: Value, runs_through: bool) -> Value:
    """What a function gets that is given a dict whose keys only the run knows, or a list that is in one."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if not isinstance(obj, Instance):
        return value
    if obj.cls is Group:
        return inline_library(run, items_of, [value], {})
    return obj.attributes["names"] if runs_through and issubclass(obj.cls, Table) else value


def check_manager_given(run: Run, values: Iterable[Value]) -> None:
    """What a context manager that is not followed is given must be nothing that it could change, or depend on."""
    for given in values:
        memory = isinstance(given, Leaf) and isinstance(given.kind, (Array, ListOf))
        if memory or is_varied(run, given) or (isinstance(given, Ref) and holds_arrays(run, given)):
            run.refuse(
                "a context manager that is given active values, or arrays, is not followed",
                "write a class with __enter__ and __exit__, or the statements themselves",
            )


def object_call(run: Run, owner: Leaf, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call of an object of a library whose class says what the derivative of a call is."""
    cls = owner.kind.cls if isinstance(owner.kind, Object) else type(owner.kind.value)  # type: ignore[attr-defined]

    def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
        return gast.Call(exprs[0], exprs[1:], [gast.keyword(k, v) for k, v in named.items()])

    return multi_output(run, cls.__call__, build, [hold(run, owner), *args], kwargs)


def got(run: Run, getter: type, given: tuple[Value, ...], value: Value, named: dict[str, Value]) -> Value:
    """operator.itemgetter(...)(value) and its like."""
    if getter is operator.methodcaller:
        return call_value(run, attribute(run, value, str(static(given[0]))), list(given[1:]), named)
    found: list[Value] = []
    for part in given:
        if getter is operator.itemgetter:
            found.append(subscript_value(run, value, part))
            continue
        one = value
        for name in str(static(part)).split("."):
            one = attribute(run, one, name)
        found.append(one)
    return found[0] if len(found) == 1 else Tup(tuple(hold(run, v) for v in found))


def view_of_table(run: Run, function: Known) -> Value | None:
    """`TABLE.items()` and the like of a dict that is there already: its items one by one."""
    table: Any = held_attribute(function.value, "__self__")
    name = getattr(function.value, "__name__", "")
    if type(table) not in (dict, collections.OrderedDict, types.MappingProxyType) or len(table) > UNROLLED_TABLE:
        return None
    if name not in ("items", "keys", "values") or not all(is_plain_data(k) for k in decide(table, Look.KEYS)):
        return None
    whole = Known(table, function.expr.value if isinstance(function.expr, gast.Attribute) else None)
    keys = [constant(run, k) for k in table]
    if name == "keys":
        return Tup(tuple(keys), Keys)
    values = [hold(run, subscript_value(run, whole, k)) for k in keys]
    return Tup(tuple(values if name == "values" else (Tup(pair) for pair in zip(keys, values, strict=True))))


def namespace_of_arrays(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """array_namespace(x, y) of the array API standard: the module that has the functions for arrays of these
    classes, which depends on nothing but them.

    (And the one function of that module which is written on top of NumPy's internals.)
    """
    home = (held_attribute(function, "__module__") or "").split(".")
    name = held_attribute(function, "__name__")
    if name == "solve" and home[-3:] == ["array_api_compat", "numpy", "linalg"] and np.__version__[0] != "1":
        module = gast.Attribute(load(global_name(run, "np", np)), "linalg", gast.Load())
        own = Known(np.linalg.solve, gast.Attribute(module, name, gast.Load()))
        return call_value(run, own, args, kwargs)  # what NumPy's is since 2.0
    if name != "array_namespace" or not any("array_api" in part for part in home):
        return None
    examples, named = [], {k: static(v) for k, v in kwargs.items()}
    for value in args:
        kind = kind_of(run, value) if isinstance(value, Leaf) else None
        given = np.empty(0) if isinstance(kind, Array) else 0.0 if isinstance(kind, Number) else static(value)
        examples.append(given)
    if any(v is NO for v in [*examples, *named.values()]):
        return None
    try:
        found = function(*examples, **named)
    except (TypeError, ValueError):
        return None
    return Known(found) if isinstance(found, types.ModuleType) else None


def folded_call(run: Run, method: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """A function whose result is known where its arguments are: a method of a string, of the description of a
    function, or of a count of literals."""
    owner = held_attribute(method, "__self__")
    of_text = isinstance(method, types.BuiltinMethodType) and isinstance(owner, (str, bytes))
    described = (types.MappingProxyType, inspect.Signature, collections.Counter)
    of_function = method is inspect.signature or isinstance(owner, described)
    if not of_text and not of_function:
        return None
    if method is inspect.signature and len(args) == 1 and isinstance(args[0], Leaf) and not args[0].nested:
        look_through(run, args[0].expr)
        follow_objects(run)
    known = [static(v) for v in args]
    named = {k: static(v) for k, v in kwargs.items()}
    if any(v is NO for v in [*known, *named.values()]) or (of_text and named):
        return None
    decide(owner, Look.ALL)
    if of_function:
        try:
            result = method(*known, **named)
        except Exception:
            return None
        if isinstance(owner, collections.Counter):
            return with_constants(run, result) if isinstance(result, Iterable) else constant(run, result)
        views = (collections.abc.KeysView, collections.abc.ValuesView)
        return Known(tuple(result) if isinstance(result, views) else result)
    try:
        found = method(*known)
    except Exception as error:
        run.refuse(f"this raises {type(error).__name__}: {error}", ways.CORRECT, raises=error)
    if isinstance(found, list):
        return new_list(run, [constant(run, v) for v in found])
    return constant(run, found)


def with_constants(run: Run, items: Iterable[Any]) -> Tup:
    """Known items, and pairs of such, as what a loop takes one by one."""
    return Tup(tuple(with_constants(run, v) if isinstance(v, tuple) else constant(run, v) for v in items))


def ufunc_method(
    run: Run, function: Known, ufunc: Any, rule: Any, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """np.hypot.outer, np.maximum.accumulate, np.multiply.at and the like, where something is active."""

    name = function.value.__name__
    if run.passive or not any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        if name != "at":
            return None
        write(run, gast.Expr(call_node(run, expression(run, function), args, kwargs)))
        return Known(None)
    if name != "at":
        args = [list_as_array(run, v, True, True) if is_varied(run, v) else v for v in args]
    extreme = ufunc in (np.maximum, np.minimum, np.fmax, np.fmin)
    if "out" in kwargs and static(kwargs["out"]) is None:
        kwargs.pop("out")
    seldom = {"where", "initial", "out"} & set(kwargs)
    if name in ("reduce", "accumulate") and len(args) > 2:
        run.refuse(f"np.{ufunc.__name__}.{name} with so many arguments", "give them by name")
    if name == "reduce" and ufunc in REDUCTIONS and (seldom or rule is None):
        axis = args[1] if len(args) > 1 else kwargs.pop("axis", constant(run, 0))
        dtype = kwargs.pop("dtype", None)
        if dtype is not None and ufunc in (np.add, np.multiply):
            kwargs["dtype"] = dtype
        elif dtype is not None and static(dtype) not in (None, float, np.float64, "d"):
            run.refuse(f"np.{ufunc.__name__}.reduce with this dtype", "leave it out")
        return call_value(run, Known(REDUCTIONS[ufunc]), [args[0]], {"axis": axis, **kwargs})
    if rule is not None:
        return None
    if seldom or ufunc.nout != 1 or ufunc.nin > 2 or (name == "reduce" and ufunc in (np.power, np.arctan2)):
        run.refuse(f"np.{ufunc.__name__}.{name} in this form", "write it with np.where and a loop")
    if name == "at":
        written: Any = library.ufunc_at if ufunc.nin == 1 else library.ufunc_at_values
        args = [args[0], places_of_at(run, ufunc, args[1]), *(list_as_array(run, v) for v in args[2:])]
    else:
        written = {
            "outer": library.outer_of,
            "reduce": library.ufunc_reduce,
            "accumulate": library.running_extreme if extreme else library.ufunc_accumulate,
            "reduceat": library.ufunc_reduceat,
        }[name]
    return inline_library(run, written, [Known(ufunc, name_of_ufunc(run, ufunc)), *args], kwargs)


def name_of_ufunc(run: Run, ufunc: Any) -> Expr | None:
    """np.hypot, where it is one of NumPy's own."""
    own = str(ufunc.__name__)
    numpy = getattr(np, own, None) is ufunc
    return gast.Attribute(load(global_name(run, "np", np)), own, gast.Load()) if numpy else None


def places_of_at(run: Run, ufunc: Any, indices: Value) -> Value:
    """The indices of ufunc.at as positions along the first axis."""
    held = hold(run, indices)
    if isinstance(held, Tup) or (shape_of(run, held) is not None and len(shape_of(run, held)) != 1):
        run.refuse(f"np.{ufunc.__name__}.at with indices of several dimensions", ways.LOOP)
    array = hold(run, list_as_array(run, held))
    kind = kind_of(run, array)
    if not isinstance(kind, Array) or kind.dtype is None:
        run.refuse(f"np.{ufunc.__name__}.at with indices whose type is not known", "make them an array of ints")
    return numpy_call(run, np.flatnonzero, [array]) if kind.dtype == np.dtype(bool) else array


def vectorized(run: Run, function: Value, signature: Any, given: bool = False) -> Value:
    """What np.vectorize makes of a function; is the dtype of the results given?"""

    if not given:
        refuse_ints_among_floats(run, function, "np.vectorize")
    if signature is None:
        return Partial(Known(library.vectorized_in_double if given else library.vectorized), (function,), ())
    inputs = str(signature).replace(" ", "").split("->")[0]
    cores = tuple(len([n for n in part.split(",") if n]) for part in re.findall(r"\(([^()]*)\)", inputs))
    if cores == (1,):
        return Partial(Known(library.vectorized_rows), (function,), ())
    return Partial(Known(library.vectorized_cores), (function, Known(cores)), ())


def library_call(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call into NumPy or the standard library without a rule: done once, at its place."""
    out = taken_output(run, function.value, args, kwargs)
    if out is not None:
        return stored(run, out, gast.Constant(Ellipsis, None), library_call(run, function, args, kwargs))
    module = (getattr(function.value, "__module__", "") or "").split(".")[0]
    if function.value is logging.getLogger and not kwargs and all(static(a) is not NO for a in args):
        given = [gast.Constant(static(a), None) for a in args]
        return Known(logging.getLogger(*map(static, args)), gast.Call(expression(run, function), given, []))
    if module in ("logging", "warnings"):
        write(run, gast.Expr(call_node(run, expression(run, function), args, kwargs)))
        return Known(None)
    if not run.passive and any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        kind = infer_kind(run, call_node(run, expression(run, function), args, kwargs))
        if is_float_kind(kind):
            run.refuse(*no_rule(run, function.value))
    if module not in STANDARD and module != "scipy" and changed_globals(run):
        run.refuse(*WRITES_TO_GLOBALS)
    call = call_node(run, expression(run, function), args, kwargs)
    kind = infer_kind(run, call)
    check_not_read_back(run, call, kind)
    handed_on(run, call, kind)
    run.lost = run.lost or any(is_varied(run, v) for v in [*args, *kwargs.values()])
    if run.text_only or is_pure_call(function.value):
        return Leaf(call, kind, nested=True)
    return define(run, "t", call, kind)


def call_function(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A function of the user's: written out, or called as it is where nothing active goes in."""
    value = function.value
    if args and isinstance(args[0], Ref) and value.__name__ == "__init__" and is_generated(value):
        obj = run.state.heap[args[0].id]
        order = obj.cls.__mro__ if isinstance(obj, Instance) else ()
        for owner in order:
            if vars(owner).get("__init__") is value:  # super().__init__(...) of a dataclass
                fill_fields(run, owner, args[0], args[1:], kwargs)
                return Known(None)
    if of_compiler(value):
        return inline_library(run, value, args, kwargs)  # a part of a definition
    if "**" in kwargs:
        return passive_call(run, function, args, kwargs)
    varied = any(is_varied(run, v) for v in [*args, *kwargs.values()])
    sees = value in run.calls.class_frames  # a method of a class that is defined here sees variables
    if (run.passive or not varied) and not (sees or touches(run, args, kwargs) or mutates(value)):
        through = run.site(run.node) in run.decisions.looked_through
        if through or run.calls.through or changed_globals(run) or run.site(run.node) in run.decisions.looked_into:
            if run.text_only:
                run.refuse(*WRITES_TO_GLOBALS)
            run.calls.through += through
            try:
                return write_out(run, function, args, kwargs)
            finally:
                run.calls.through -= through
        if not (run.calls.trials or run.text_only):
            run.outside.called_outside.append((value, run.frame, run.node))
        changes = may_be_changed(run, value, [*args, *kwargs.values()])
        written_out = looked_into(run, function, args, kwargs, changes)
        if written_out is None and changes and any(map(is_container, [*args, *kwargs.values()])):
            reason = f"{value.__name__} may change what it is given, and is not followed"
            run.refuse(reason, ways.COPY_LIST, concrete=True)
        return passive_call(run, function, args, kwargs, changes) if written_out is None else written_out
    return write_out(run, function, args, kwargs)


def stays_call(run: Run, function: Any) -> bool:
    """Does a call of a function stay one, on the way to a raise, whatever it is given?"""
    plain = isinstance(function, types.FunctionType) and not (from_library(function) or of_compiler(function))
    return bool(run.raising) and plain and function not in run.calls.class_frames and registry.lookup(function) is None
