"""Calls of functions with source, written out."""

from __future__ import annotations

import operator
import types
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.binding import bound_names
from s2sad.frontend import ways
from s2sad.kinds.kind import Number, Static
from s2sad.normal import above
from s2sad.normal.above import call_value, run_body
from s2sad.normal.calls.core_calls import count, recursive_call
from s2sad.normal.calls.tables import DEPTH
from s2sad.normal.desugar import generators
from s2sad.normal.expressions.atoms import Nested
from s2sad.normal.expressions.operators import binary
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.asking import allocate, follows_in_passing, kept_iterator, lazy
from s2sad.normal.iteration.turning import as_iterator
from s2sad.normal.iteration.watch import reads
from s2sad.normal.iteration.watching import noting_draws, watch_lazy
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, DictObj, Known, Lazy, Leaf, Method, Partial, Tup, Value
from s2sad.normal.values.classes import class_of, instance_of
from s2sad.normal.values.facts import kind_of
from s2sad.normal.words import BINARY_METHOD
from s2sad.runtime.identity import class_entry


@above.inline.answer
def inline(run: Run, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
    tree = function.source.tree
    if isinstance(tree, gast.AsyncFunctionDef):
        refuse_generator(run)
    if generators.is_generator(tree):
        return drained(run, function, args, kwargs)
    key = id(function.source.tree)
    variables = bind(run, function, args, kwargs)
    done = recursive_call(run, function, variables)
    if done is not None:
        return done
    if len(run.call_path) > DEPTH:
        run.refuse("calls are nested too deeply to be written out", ways.LOOP, concrete=True)
    frame = Frame(run.next_id(), function.source, function.frame)
    frame.caller, frame.call_node, frame.function = run.frame, run.node, function
    frame.proven = run.frame.proven
    frame.site = run.site_of_call(run.node)
    run.frames[frame.id] = frame
    outer_frame, outer_node, outer_origin, outer_path = run.frame, run.node, run.origin, run.call_path
    outer_loops, run.loops = run.loops, []
    outer_passive = run.passive
    if follows_in_passing(run):
        run.passive = 0
    call_site = (key, getattr(run.node, "lineno", 0), getattr(run.node, "col_offset", 0))
    run.call_path = (*outer_path, call_site)
    block, written = run.block, run.budget
    try:
        if key in run.calls.memoized:
            check_cache_keys(run, [*args, *kwargs.values()])
        enter(run, frame, variables)
        result = run_body(run, tree.body)
        check_cached(run, key, result)
        count(run, function, frame, written - run.budget)
    finally:
        run.block = block
        run.frame, run.node, run.origin, run.call_path = outer_frame, outer_node, outer_origin, outer_path
        run.loops = outer_loops
        run.passive = outer_passive
    return result


def check_cache_keys(run: Run, given: list[Value]) -> None:
    """A cache takes two objects for one where their class says that they are equal."""
    for value in given:
        cls = class_of(run, value) if instance_of(run, value) is not None else None
        if cls is not None and isinstance(class_entry(cls, "__eq__"), types.FunctionType):
            run.refuse(
                f"a cached function is given an object of class {cls.__name__}, which says itself what equals it",
                ways.NOT_CACHED,
            )


def check_cached(run: Run, tree: int, result: Value) -> None:
    """A cached function gives one and the same list or array to all who call it."""
    if tree in run.calls.cached and not isinstance(kind_of(run, result), (Number, Static)):
        run.refuse("what a cached function gave may be changed in place: the next call gives it again", ways.NOT_CACHED)


def refuse_generator(run: Run) -> NoReturn:
    run.refuse("generators and async functions are not differentiated", "return a list or an array")


def drained(run: Run, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """What a generator yields, as a list: where nobody can tell that it runs at once.

    That is, it has no effects, and what it reads does not change until it is used up.
    """
    made = generators.as_list_maker(function.source.tree)
    if made is None:
        refuse_generator(run)
    source = function.source if made is function.source.tree else Nested(function.source, made)
    maker, given = replace(function, source=source), [*args, *kwargs.values()]
    if not generators.is_plain(function.source.tree) or not all(is_constant(run, v) for v in given):
        return as_iterator(run, *watch_lazy(run, lambda: inline(run, maker, args, kwargs), *given))
    for name in generators.read_from_outside(function.source.tree):
        frame = run.frames.get(function.frame) if function.frame is not None else None
        while frame is not None and name not in run.state.frames.get(frame.id, {}):
            frame = run.frames[frame.parent] if frame.parent is not None else None
        if frame is None:
            continue  # a global or a builtin
        value = run.state.frames[frame.id][name]
        callables = (Closure, Known, Partial, Method)
        if not (isinstance(value, callables) or is_constant(run, value)):
            refuse_generator(run)
        if generators.times_bound(frame.source.tree, name) > 1:
            refuse_generator(run)
    result, changes = noting_draws(run, lambda: inline(run, maker, args, kwargs))
    if changes:
        refuse_generator(run)
    return lazy(run, iter, [hold(run, result)], {})


def is_constant(run: Run, value: Value) -> bool:
    """Is a value one that cannot be changed?"""
    if isinstance(value, Tup):
        return all(is_constant(run, v) for v in value.items)
    if isinstance(value, Known):
        plain = (int, float, complex, str, bytes, type(None), np.dtype)
        return isinstance(value.value, plain) or callable(value.value)
    if isinstance(value, Leaf):
        return isinstance(value.kind, (Number, Static))
    return False


@above.enter.answer
def enter(run: Run, frame: Frame, variables: dict[str, Value]) -> None:
    tree = frame.source.tree
    frame.bound, frame.nonlocals, frame.globals_declared = bound_names(tree)
    run.state.frames[frame.id] = {name: hold(run, value, name) for name, value in variables.items()}
    frame.arguments = dict(run.state.frames[frame.id])
    frame.branches, frame.turning = run.branches, len(run.turns.turning)
    run.frame = frame


def bind(run: Run, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """Arguments to parameters, as Python binds them."""
    spec = function.source.tree.args
    name = function.source.tree.name
    positional = [a.id for a in [*spec.posonlyargs, *spec.args]]
    out: dict[str, Value] = {}
    for parameter, value in zip(positional, args, strict=False):
        out[parameter] = value
    extra = args[len(positional) :]
    if extra and spec.vararg is None:
        reason = f"{name}() takes {len(positional)} positional arguments but {len(args)} are given"
        run.refuse(reason, ways.CORRECT)
    if spec.vararg is not None:
        out[spec.vararg.id] = Tup(tuple(extra))
    keyword_only = [a.id for a in spec.kwonlyargs]
    rest: dict[Any, Value] = {}
    accepted = {a.id for a in spec.args} | set(keyword_only)
    for key, value in kwargs.items():
        if key in accepted:
            if key in out:
                run.refuse(f"{name}() gets several values for {key!r}", ways.CORRECT)
            out[key] = value
        elif spec.kwarg is not None:
            rest[key] = value
        else:
            run.refuse(f"{name}() has no parameter {key!r}", ways.CORRECT)
    if spec.kwarg is not None:
        out[spec.kwarg.id] = allocate(run, DictObj(rest, run.site(run.node)))
    for parameter, default in zip(reversed(positional), reversed(function.defaults), strict=False):
        out.setdefault(parameter, default)
    for parameter, kw_default in zip(keyword_only, function.kw_defaults, strict=False):
        if kw_default is not None:
            out.setdefault(parameter, kw_default)
    for parameter, value in out.items():
        if isinstance(value, Lazy) and not getattr(function.source, "library", False):
            out[parameter] = kept_iterator(run, value) if reads(function.source.tree, parameter) > 1 else value
        elif isinstance(value, Tup) and not getattr(function.source, "library", False):
            out[parameter] = kept_iterator(run, value)
    missing = [p for p in [*positional, *keyword_only] if p not in out]
    if missing:
        run.refuse(f"{name}() lacks the argument {missing[0]!r}", ways.CORRECT)
    return out


def method_of_float(run: Run, name: str, numbers: list[Value]) -> Value | None:
    """A method that a class built on float has from there, float.__add__(self, x); None where it is no operator."""
    if not all(isinstance(kind_of(run, v), Number) for v in numbers):
        return None
    if name in ("__float__", "__pos__"):
        return numbers[0]
    for op, own in BINARY_METHOD.items():
        if name in (f"__{own}__", f"__r{own}__") and len(numbers) == 2:
            return binary(run, op, *(numbers if name == f"__{own}__" else numbers[::-1]))
    functions = {"__neg__": operator.neg, "__abs__": abs, "__round__": round}
    return call_value(run, Known(functions[name]), numbers, {}) if name in functions else None
