"""Classes of values: which it is, what its methods are, whether it may run code of the user's."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.quiet import restless_in
from s2sad.core import atom_key, walk
from s2sad.kinds.bind import own_meaning
from s2sad.kinds.kind import Array, Dict, List, ListOf, Number, Object, Static
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.above import class_attribute
from s2sad.normal.frames import Frame
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    NOT_KNOWN,
    Choice,
    Closure,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    contents,
    is_known_a,
)
from s2sad.normal.values.questions import is_standard
from s2sad.normal.values.tables import Group, Table
from s2sad.normal.words import NO
from s2sad.runtime.conditions import is_inert
from s2sad.runtime.decide import Look, Seen
from s2sad.runtime.identity import class_entry


def perhaps_list(run: Run, value: Value) -> bool:
    """Is a value at run time, or known, a list, or may it be one?"""
    value = value.value if isinstance(value, Maybe) else value
    if isinstance(value, Leaf):
        of_lists = isinstance(value.kind, (ListOf, List, Dict, Object))
        return of_lists or (not value.nested and atom_key(value.expr) in run.lists.may_be_lists)
    return is_known_a(value, list, tuple)


def refuse_unknown_class(run: Run) -> None:
    """Refuse to say the class of what the run keeps in a list, where it may be another sequence."""
    if run.lists.deques_made or run.lists.tuples_made:
        refuse_class_between(run, "deque" if run.lists.deques_made else "tuple")


def refuse_class_between(run: Run, other: str) -> NoReturn:
    """Refuse to say whether what may be another sequence is a list."""
    run.refuse(f"the class of what may be a list or a {other}", "use lists alone, or ask for nothing")


def has_own_operators(value: Any) -> bool:
    """Is it a number, or a member of an enum, whose class says itself what operators mean?

    >>> class Steps(int):
    ...     def __add__(self, other):
    ...         return 100 * other
    >>> has_own_operators(Steps(1)), has_own_operators(1)
    (True, False)
    """
    if own_meaning(type(value)):
        return True
    own = [vars(base) for base in type(value).__mro__ if not is_standard(base)] if isinstance(value, enum.Enum) else []
    defined = [held[name] for held in own for name in OPERATORS if name in held]
    return any(isinstance(f, types.FunctionType) and f.__module__ != "enum" for f in defined)


def is_ruled(cls: type, name: str) -> bool:
    """Does the class of the user's say by a property or another descriptor what reading an attribute gives, whatever
    the object holds under that name?

    >>> class Doubled:
    ...     v = property(lambda self: 2.0 * self.__dict__["v"])
    >>> is_ruled(Doubled, "v"), is_ruled(Doubled, "w")
    (True, False)
    """
    found = class_entry(cls, name)
    return isinstance(found, property) or descriptor_method(found, "__set__") is not None


def descriptor_method(found: Any, name: str) -> types.FunctionType | None:
    """`__get__` or `__set__` of an attribute of a class, where it is written in Python."""
    method = getattr(type(found), name, None)
    return method if isinstance(method, types.FunctionType) else None


_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"]
#: the methods of operators
OPERATORS = [f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")] + ["__neg__", "__pos__", "__abs__"]


def is_plain_dataclass(obj: Instance) -> bool:
    """Is an object what its class makes of its attributes, without more?"""
    if not dataclasses.is_dataclass(obj.cls) or hasattr(obj.cls, "__post_init__"):
        return False
    return {f.name for f in dataclasses.fields(obj.cls) if f.init} == set(obj.attributes)


def static(value: Value) -> Any:
    """The Python object that a value is known to be, looked at, or _NO.

    _NO, too, where the class of an object says itself what it is equal to, say: code of the user's is not run here.
    """
    if isinstance(value, Known):
        return value.value if value.is_inert else NO
    if isinstance(value, Leaf):
        if value.const is not NOT_KNOWN:
            return value.number
        if isinstance(value.kind, Static):
            return value.kind.value
        if isinstance(value.kind, Number) and value.kind.value is not None and value.kind.value.known:
            return value.kind.value.const
    if isinstance(value, Tup):
        items = [static(v) for v in value.items]
        return NO if any(v is NO for v in items) else tuple(items)
    return NO


def discrete(value: Value) -> Any:
    """What `static` says, but for floats that may be others at the next call: these are not looked at."""
    return NO if isinstance(value, Leaf) and isinstance(value.const, Seen) else static(value)


def itself(value: Value) -> Any:
    """The Python object that a value is known to be, of which nothing but its identity is looked at, or _NO."""
    return value.itself if isinstance(value, Known) else static(value)


def find_frame(run: Run, name: str) -> int | None:
    """The frame whose variable a name is, or None for a global."""
    frame: Frame | None = run.frame
    while frame is not None:
        if name not in frame.globals_declared and (
            name in run.state.frames[frame.id] or (name in frame.bound and name not in frame.nonlocals)
        ):
            return frame.id
        frame = run.frames[frame.parent] if frame.parent is not None else None
    return None


def instance_of(run: Run, value: Value) -> Instance | Known | None:
    """The object behind a value whose class is the user's."""
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        return obj if isinstance(obj, Instance) else None
    if isinstance(value, Known) and is_user_object(value):
        return value
    return None


def has_methods(run: Run, value: Value) -> bool:
    """May the class of a value, which is the user's, say what operators mean?"""
    return instance_of(run, value) is not None or (isinstance(value, Tup) and value.cls not in (tuple, Keys))


def asks_an_object(run: Run, node: Any) -> bool:
    """Does the outermost operation of an expression run a method of an object's class?"""
    if isinstance(node, gast.Attribute):
        owner = as_it_stands(run, node.value)
        cls = class_of(run, owner) if owner is not None and instance_of(run, owner) is not None else None
        ruled = cls is not None and (is_ruled(cls, node.attr) or _finds_attributes(cls))
        return ruled or (owner is None and names_an_object(run, node.value))
    for part in _asked_by(node):
        owner = as_it_stands(run, part)
        if has_methods(run, owner) if owner is not None else names_an_object(run, part):
            return True
    return False


def as_it_stands(run: Run, node: Any) -> Value | None:
    """What a name, or a plain attribute of an object that has one, holds; None for all other expressions."""
    if isinstance(node, gast.Name):
        frame = find_frame(run, node.id)
        return run.state.frames[frame].get(node.id) if frame is not None else None
    if isinstance(node, gast.Attribute):
        owner = as_it_stands(run, node.value)
        obj = instance_of(run, owner) if owner is not None else None
        if isinstance(obj, Instance) and not is_ruled(obj.cls, node.attr):
            return obj.attributes.get(node.attr)
    return None


def names_an_object(run: Run, node: Any) -> bool:
    """Does an expression name an object of the user's, or what holds one?"""
    for part in walk(node):
        held = as_it_stands(run, part) if isinstance(part, gast.Name) else None
        if isinstance(part, gast.Name) and find_frame(run, part.id) is None:
            outer = run.frame.source.globals.get(part.id)
            if not is_inert(outer) and restless_in([outer]) is not None:
                return True
        if held is not None and any(has_methods(run, v) for v in (held, *within(run, held, set()))):
            return True
    return False


def is_derived_from(run: Run, value: Value, other: Value) -> bool:
    """Is the class of a value built on another's? Then Python asks it first what an operator of both means."""
    if not (has_methods(run, value) and has_methods(run, other)):
        return False
    cls, base = class_of(run, value), class_of(run, other)
    return cls is not None and base is not None and cls is not base and issubclass(cls, base)


def knows(run: Run, left: Value, right: Value) -> bool:
    """Does a number of Python's say what an operator means with what is right of it? With an int of a class of the
    user's a float does, and the class is not asked."""
    kind, cls = left.kind if isinstance(left, Leaf) else None, class_of(run, right)
    if cls is None or not isinstance(kind, Number) or kind.types:
        return False
    above = {bool: (int,), float: (int,), complex: (int, float)}.get(kind.type, ())
    return issubclass(cls, above)


def class_method(run: Run, value: Value, name: str) -> Any:
    cls = class_of(run, value)
    return None if cls is None else class_entry(cls, name)


def find_method(run: Run, value: Value, name: str) -> Value | None:
    import types

    cls: type
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if not isinstance(obj, Instance):
            return None
        cls = obj.cls
    elif isinstance(value, Tup):
        cls = value.cls
    elif isinstance(value, Known):
        cls = value.cls
        if value.ask(Look.HOLDS, name):
            return None
    else:
        return None
    found = class_entry(cls, name)
    if issubclass(type(found), (types.FunctionType, property, staticmethod, classmethod)):
        return class_attribute(run, cls, name, value)
    return None


def _asked_by(node: Any) -> list[Any]:
    """The operands whose classes may say what an operation means, or which are asked whether they are true.

    >>> operations = [gast.parse(t).body[0].value for t in ("a + b", "a < b < c", "a[b]", "b if a else c")]
    >>> [[part.id for part in _asked_by(operation)] for operation in operations]
    [['a', 'b'], ['a', 'b', 'c'], ['a'], ['a']]
    """
    if isinstance(node, gast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, gast.BoolOp):
        return list(node.values)
    return [getattr(node, field) for field in _ASKED.get(type(node), ())]


_ASKED = {
    gast.BinOp: ("left", "right"),
    gast.UnaryOp: ("operand",),
    gast.Subscript: ("value",),
    gast.IfExp: ("test",),
    gast.Starred: ("value",),
    gast.FormattedValue: ("value",),
}


def _finds_attributes(cls: type) -> bool:
    """Has a class methods of its own that say what an attribute is?"""
    own = (class_entry(cls, name) for name in ("__getattr__", "__getattribute__"))
    return any(isinstance(method, types.FunctionType) for method in own)


def is_user_object(value: Known) -> bool:
    return hasattr(value.itself, "__dict__") and not callable_builtin(value.itself) and not is_standard(value.cls)


def callable_builtin(value: Any) -> bool:
    import types

    plain = isinstance(value, (types.FunctionType, types.ModuleType, type, types.BuiltinFunctionType))
    return plain or inspect.getattr_static(value, "primal", None) is not None  # (its __getattr__ is not asked)


def class_of(run: Run, value: Value) -> type | None:
    if isinstance(value, Tup):
        return type({}.keys()) if value.cls is Keys else value.cls
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, Instance) and issubclass(obj.cls, Table):
            return static(obj.attributes["like"])  # type: ignore[no-any-return]
        return list if obj.cls is Group else obj.cls
    if isinstance(value, Known):
        return value.cls
    if isinstance(value, Partial):
        return functools.partial
    if isinstance(value, Closure):
        return types.FunctionType
    if isinstance(value, Method):
        return types.MethodType
    if isinstance(value, Leaf):
        if isinstance(value.kind, Number):
            return value.kind.type
        if isinstance(value.kind, Array):
            return np.ndarray
        if isinstance(value.kind, ListOf):
            if not run.lists.deques_made and atom_key(value.expr) in run.lists.tuples:
                return tuple
            refuse_unknown_class(run)
            return list
        if isinstance(value.kind, TupleKind):
            return value.kind.cls
    if perhaps_list(run, value):
        refuse_unknown_class(run)
    return None


def within(run: Run, value: Value, seen: set[int]) -> Iterator[Value]:
    """A value and what it holds; containers once each."""
    if isinstance(value, Ref):
        if value.id in seen or value.id not in run.state.heap:
            return
        seen.add(value.id)
        yield value
        parts: tuple[Value, ...] = tuple(contents(run.state.heap[value.id]).values())
    elif isinstance(value, Tup):
        parts = value.items
    elif isinstance(value, (Lazy, Partial)):
        parts = (*value.args, *(v for _, v in value.kwargs))
        parts = (*parts, value.function) if isinstance(value, Partial) else parts
    elif isinstance(value, Closure):
        yield value
        parts = (*value.defaults, *(v for v in value.kw_defaults if v is not None))
    elif isinstance(value, Choice):
        parts = (value.first, value.second)
    elif isinstance(value, Method):
        parts = (value.owner,)
    elif isinstance(value, Maybe):
        parts = (value.value,)
    else:
        yield value
        return
    for part in parts:
        yield from within(run, part, seen)
