"""Objects: how they are made, calls of what was derived."""

from __future__ import annotations

import dataclasses
import operator
import types
from typing import Any

import numpy as np

from s2sad.core import copy_statement, load
from s2sad.frontend import ways
from s2sad.kinds.bind import own_meaning
from s2sad.kinds.kind import Number, Object, Unknown
from s2sad.normal import above
from s2sad.normal.above import call_value, inline
from s2sad.normal.calls.functionals import inline_function
from s2sad.normal.calls.passive import arrays_held, call_node, handed_on, holds_arrays, opaque, source_of
from s2sad.normal.calls.questions import is_container, is_generated
from s2sad.normal.calls.tables import CLASS_VARIABLE, INIT_VARIABLE
from s2sad.normal.expressions.attributes import attribute, class_attribute
from s2sad.normal.expressions.operation import no_rule
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.asking import allocate, items_listed, kept_iterator
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, Instance, Known, Lazy, Leaf, Method, Partial, Ref, Super, Tup, Value
from s2sad.normal.values.classes import find_method, instance_of, static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.making import constant, expression
from s2sad.normal.values.questions import is_standard, own_new
from s2sad.normal.words import NO
from s2sad.normal.writing import define, write
from s2sad.runtime.guards import guards_of
from s2sad.runtime.identity import Itself, class_entry


@above.instantiate.answer
def instantiate(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    cls = function.value
    if isinstance(type(cls).__call__, types.FunctionType) and not is_standard(type(cls)):
        run.refuse("the metaclass of this class says what a call of it means", ways.FUNCTION)
    maker = own_new(cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        if maker is not None:
            run.refuse("a namedtuple with a __new__ of its own", ways.FUNCTION)
        if own := own_meaning(cls):
            run.refuse(f"a namedtuple with a {own} of its own", ways.FUNCTION)
        items = dict(zip(cls._fields, args, strict=False)) | kwargs
        for name, default in getattr(cls, "_field_defaults", {}).items():
            items.setdefault(name, from_python(run, default, expression(run, Known(default))))
        return Tup(tuple(hold(run, items[f]) for f in cls._fields), cls)
    if cls in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
        named = tuple((k, hold(run, v)) for k, v in kwargs.items())
        return Partial(Known(("getter", cls)), tuple(hold(run, v) for v in args), named)
    if cls in (np.finfo, np.iinfo, np.dtype, slice):
        known = [static(v) for v in args]
        if NO not in known and not kwargs:
            try:
                made = cls(*known)
            except Exception as error:
                run.refuse(f"this raises {type(error).__name__}: {error}", ways.CORRECT, raises=error)
            return Known(made, call_node(run, expression(run, function), args, kwargs))
        if cls is slice and not kwargs:
            return Lazy(slice, tuple(hold(run, v) for v in args))
    if issubclass(cls, BaseException) or is_standard(cls):
        if (
            any(is_varied(run, v) for v in [*args, *kwargs.values()])
            and not run.passive
            and not issubclass(cls, BaseException)
        ):
            run.refuse(*no_rule(run, cls))
        if run.text_only or run.passive:
            return opaque(run, function, args, kwargs)
        if issubclass(cls, BaseException):
            return exception(run, function, args, kwargs)
        call = call_node(run, expression(run, function), args, kwargs)
        kind = infer_kind(run, call)
        handed_on(run, call, kind)
        run.memory.in_objects |= {name for v in [*args, *kwargs.values()] for name in arrays_held(run, v)}
        holds = isinstance(kind, Unknown) and hasattr(cls, "__setitem__") and not issubclass(cls, np.ndarray)
        return define(run, "t", call, Object(cls) if holds else kind)
    if maker is not None:
        made = inline_function(run, maker, [function, *args], kwargs)
        held = run.state.heap[made.id] if isinstance(made, Ref) else None
        if not isinstance(held, Instance) or not issubclass(held.cls, cls):
            return made  # no __init__ then
        assert isinstance(made, Ref)
        ref = made
    elif issubclass(cls, float):
        made = call_value(run, attribute(run, function, "__new__"), [function, *args], kwargs)
        assert isinstance(made, Ref)
        ref = made
    else:
        ref = allocate(run, Instance(cls, {}, run.site(run.node)))
    if cls is types.SimpleNamespace:
        obj = run.state.heap[ref.id]
        assert isinstance(obj, Instance)
        obj.attributes.update({k: hold(run, kept_iterator(run, v)) for k, v in kwargs.items()})
        return ref
    if class_entry(cls, "__dataclass_fields__") is not None and is_generated(cls.__dict__.get("__init__")):
        fill_fields(run, cls, ref, args, kwargs)
        return ref
    init = class_entry(cls, "__init__")
    if isinstance(init, types.FunctionType):
        inline_function(run, init, [ref, *args], kwargs)
    elif (args or kwargs) and maker is None and not issubclass(cls, float):
        run.refuse(f"objects of class {cls.__name__} cannot be built here", ways.METHOD)
    return ref


def exception(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """An exception that is made by hand: what it is made of can be read from it, and what containers hold may
    become active later."""
    made = opaque(run, function, args, kwargs)
    values = [*args, *kwargs.values()]
    if not any(is_varied(run, v) or is_container(v) or holds_arrays(run, v) for v in values):
        return made
    held = run.facts.fresh("exception", temp=False)
    run.facts.kinds[held] = Unknown()
    run.facts.varied.add(held)
    run.names.caught.add(held)
    write(run, copy_statement(held, expression(run, made), run.origin))
    return Leaf(load(held), Unknown(), True)


def fill_fields(run: Run, cls: Any, ref: Ref, args: list[Value], kwargs: dict[str, Value]) -> None:
    """What the __init__ that `dataclass` makes for a class does."""
    declared = [f for f in cls.__dataclass_fields__.values() if f._field_type is not CLASS_VARIABLE]
    init = cls.__init__
    parameters, values = init.__code__.co_varnames[: init.__code__.co_argcount], init.__defaults__ or ()
    defaults = dict(zip(parameters[len(parameters) - len(values) :], values, strict=True))
    defaults |= init.__kwdefaults__ or {}
    given = dict(zip((f.name for f in declared if f.init and not f.kw_only), args, strict=False)) | kwargs
    obj = run.state.heap[ref.id]
    assert isinstance(obj, Instance)
    only_given: list[Value] = []  # to __post_init__
    for f in declared:
        value: Value | None = None
        if f.name in given:
            value = hold(run, kept_iterator(run, given[f.name]))
        elif f.default_factory is not dataclasses.MISSING:
            value = hold(run, call_value(run, Known(f.default_factory), [], {}))
        elif f.default is not dataclasses.MISSING:
            default = defaults.get(f.name, f.default)
            value = from_python(run, default, expression(run, Known(default)))
        if f._field_type is INIT_VARIABLE and value is not None:
            only_given.append(value)
        elif value is not None:
            obj.attributes[f.name] = value
    post = class_attribute(run, obj.cls, "__post_init__", ref)
    if post is not None:
        call_value(run, post, only_given, {})


@above.inline_library.answer
def inline_library(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Write out a function of `s2sad.normal.calls.library`, or the definition of a rule."""
    source = source_of(run, function)
    source.library = True
    args = [items_listed(run, v) if isinstance(v, Leaf) else v for v in args]
    defaults = tuple(default_value(run, v) for v in function.__defaults__ or ())
    named = function.__kwdefaults__ or {}
    keywords = tuple(default_value(run, named[a.id]) if a.id in named else None for a in source.tree.args.kwonlyargs)
    return inline(run, Closure(source, None, function, defaults, keywords), args, kwargs)


def hands_over(run: Run, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Is one of the arguments a function, or an object to call, that was made here?"""
    return any(isinstance(v, (Closure, Method, Partial, Ref)) for v in [*args, *kwargs.values()])


def default_value(run: Run, value: Any) -> Value:
    """The default of a parameter."""
    plain = isinstance(value, (bool, int, float, complex, str, type(None), Leaf))
    return constant(run, value) if plain else from_python(run, value, expression(run, Known(value)))


def super_object(run: Run, args: list[Value]) -> Value:
    if len(args) == 2 and isinstance(args[0], Known):
        return Super(args[0].value, args[1])
    frame: Frame | None = run.frame
    while frame is not None:
        cls = (getattr(frame.source, "closure", None) or {}).get("__class__")
        spec = frame.source.tree.args
        parameters = [a.id for a in [*spec.posonlyargs, *spec.args]]
        if cls is not None and parameters and parameters[0] in run.state.frames.get(frame.id, {}):
            return Super(cls, run.state.frames[frame.id][parameters[0]])
        frame = run.frames[frame.parent] if frame.parent is not None else None
    run.refuse("super() outside of a method", ways.PARENT)


@above.call_derivative.answer
def call_derivative(run: Run, derivative: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A Derivative called inside the function: its generated code is what is differentiated.

    Where it takes an int for a float, so does what is generated for it.
    """
    if isinstance(derivative, types.MethodType):
        run.refuse(
            f"{derivative.__name__} is a derivative and a method",
            "let it be a function that is given what it reads of the object, and call grad of that",
        )
    derivative = derivative.as_gradient().inside()
    plain = getattr(derivative, "operator", "") in ("grad", "value_and_grad") and not derivative._target.prefix
    if not plain or derivative._target.keywords:
        run.refuse(
            f"{getattr(derivative, 'operator', 'a derivative')} is called here",
            "call grad or value_and_grad of a function that is not bound to arguments",
        )
    try:
        bound = derivative.__signature__.bind(*args, **kwargs)
    except TypeError as error:
        run.refuse(f"the arguments do not fit {derivative!r}: {error}", ways.CORRECT, raises=error)
    for name in derivative.wrt:
        value = bound.arguments.get(name)
        if value is not None and isinstance(kind := kind_of(run, value), Number) and issubclass(kind.type, int):
            bound.arguments[name] = call_value(run, Known(float), [value], {})
    kinds = {name: kind_of(run, value) for name, value in bound.arguments.items()}
    hidden = derivative._hidden(args, kwargs)
    known, function = derivative.kinds_ahead(kinds), derivative._target.function
    key = Itself(function), derivative._what_is_asked(), tuple(known.items()), hidden
    made = run.program.derivatives.get(key)
    if made is None:
        made = run.program.derivatives[key] = derivative.derive_for(known, hidden)
    if made.derived.changes_arguments:
        given = [v for v in (*bound.args, *bound.kwargs.values()) if is_container(v) or holds_arrays(run, v)]
        if len(given) + len(hidden) > 1 or guards_of(function)[1]:
            run.refuse(
                f"{derivative.__name__} changes what it is given, and {derivative.operator} of it is called here: "
                "two of the arrays and containers that it sees may be one",
                f"let {derivative.__name__} change a copy of its own",
            )
    return inline_function(run, made.function, list(bound.args), dict(bound.kwargs))


@above.by_its_iter.answer
def by_its_iter(run: Run, value: Value, looked_into: bool = False) -> Value:
    """What an object's __iter__ gives; other values as they are. `looked_into`: it is no call that stays one."""
    method = find_method(run, value, "__iter__") if instance_of(run, value) is not None else None
    if method is None:
        return value
    run.iterators.asked_by_loop += 1  # nobody else gets the iterator
    try:
        inner = method.function if looked_into and isinstance(method, Method) else None
        if isinstance(inner, Known) and inner.is_a(types.FunctionType):
            found = inline_function(run, inner.value, [value], {})
        else:
            found = call_value(run, method, [], {})
    finally:
        run.iterators.asked_by_loop -= 1
    if isinstance(found, Ref) and find_method(run, found, "__next__") is not None:
        run.refuse("an iterator with a __next__ of its own", "give it a method that returns a list")
    return found
