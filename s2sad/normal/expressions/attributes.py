"""Attributes."""

from __future__ import annotations

import collections
import inspect
import sys
import types
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.core import Stmt, atom_key, clone, load, quote, walk
from s2sad.frontend import ways
from s2sad.frontend.names import is_installed
from s2sad.kinds.kind import Array, Number, Object, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.labelled import is_labelled
from s2sad.kinds.pure import is_distribution
from s2sad.knowledge import registry
from s2sad.normal import above
from s2sad.normal.above import call_value, operation, subscript
from s2sad.normal.changing import container_changed
from s2sad.normal.expressions.atoms import evaluate, number_within
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import allocate
from s2sad.normal.joining import may_lack
from s2sad.normal.names import hold
from s2sad.normal.run import PUTS_IN, Run
from s2sad.normal.values.abstract import (
    Closure,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Super,
    Tup,
    Value,
    contents,
    is_known_a,
)
from s2sad.normal.values.classes import (
    asks_an_object,
    class_of,
    descriptor_method,
    find_method,
    is_ruled,
    is_user_object,
    names_an_object,
    perhaps_list,
    refuse_class_between,
)
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, infer_kind, is_varied, sets_of_the_run
from s2sad.normal.values.making import all_attributes, check_attribute_name, constant, expression
from s2sad.normal.values.questions import FLAGS, FROZEN, computes_itself, is_standard, possible_classes, tuple_of
from s2sad.normal.values.tables import CHANGES_KEYS, Table
from s2sad.normal.words import COMPARE_METHOD, NO, OUTER, SET_CHANGES
from s2sad.normal.writing import fresh, is_exception
from s2sad.runtime.decide import Look
from s2sad.runtime.guards import is_own
from s2sad.runtime.identity import class_entry


def limit_of(run: Run, lst: Value) -> Value | None:
    """The length limit of a deque that is a list at run time."""
    return run.lists.limits.get(atom_key(lst.expr)) if isinstance(lst, Leaf) and not lst.nested else None


def no_limit(run: Run, lst: Value) -> None:
    if limit_of(run, lst) is not None:
        run.refuse("a deque with a length limit is repeated", ways.LOOP)


def like_deque(run: Run, made: Value, of: ListObj) -> Value:
    """A new list as what another one is: a deque, with its length limit."""
    obj = run.state.heap[made.id] if isinstance(made, Ref) else None
    if isinstance(obj, ListObj):
        obj.limit, obj.cls = of.limit, of.cls
    elif isinstance(made, Leaf) and of.limit is not None:
        run.lists.limits[atom_key(made.expr)] = constant(run, of.limit)
    return made


def check_stand_in(run: Run, cls: type) -> None:
    """What a rule's own class stands in for has a name of its own: no rule says what is asked of it here."""
    if hasattr(cls, "stands_for"):
        run.refuse(f"{cls.stands_for} has no rule for this", ways.DENSE)


def runs_over(run: Run, table: Instance) -> bool:
    """Is a statement inside a loop over a dict? There it gets no new keys: Python would raise an exception."""
    held = table.attributes["held"]
    return isinstance(held, Leaf) and atom_key(held.expr) in run.lists.tables_run_over


def number_compared(run: Run, value: Value) -> Value:
    """As `number_within`, where the class does not say itself what comparisons mean."""
    own = any(find_method(run, value, m) for m in (*COMPARE_METHOD.values(), "__ne__"))
    return value if own else number_within(run, value)


def may_run_code(run: Run, node: Any) -> bool:
    """May computing an expression do something: does it call a function, or ask an object of the user's for an item
    or a property, for what an operator means, or whether it is true?

    What the variables of a comprehension stand for is not known yet: there any object that is named may be asked.
    """
    nodes = list(walk(node))
    if any(isinstance(n, (gast.Call, gast.NamedExpr)) or asks_an_object(run, n) for n in nodes):
        return True
    return any(isinstance(n, gast.comprehension) for n in nodes) and names_an_object(run, node)


@lowers(gast.Attribute)
def attribute_expression(run: Run, node: Any) -> Value:
    block, written = run.block, len(run.block)
    base = evaluate(run, node.value)
    if isinstance(node.value, gast.Call) and node.attr in ("items", "keys", "values", "most_common", "total"):
        counts = counts_of_literals(run, base, block[written:])
        if counts is not None:  # nobody else has it, so it is as it was made
            del block[written:]
            return Known(getattr(counts, node.attr))
    return attribute(run, base, node.attr)


def counts_of_literals(run: Run, made: Value, block: list[Stmt]) -> collections.Counter[Any] | None:
    """What `Counter(["a", "b"])` has counted, where literals stand in it alone; `block` has given it its name."""
    call = made.expr if isinstance(made, Leaf) else None
    if len(block) == 1 and isinstance(call, gast.Name) and isinstance(block[0], gast.Assign):
        call = block[0].value if atom_key(block[0].targets[0]) == call.id else None
    elif block:
        return None
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Name) or len(call.args) != 1 or call.keywords:
        return None
    (given,) = call.args
    if run.facts.globals.get(call.func.id) is not collections.Counter or not isinstance(given, (gast.List, gast.Tuple)):
        return None
    literal = all(isinstance(item, gast.Constant) for item in given.elts)
    return collections.Counter(item.value for item in given.elts) if literal else None


def check_reads(run: Run, cls: type, installed: bool = False) -> None:
    """The attributes of an object are what it holds, and what its class has; those of the objects that are there
    already may also be what an installed package says."""
    own = cls.__getattribute__
    if isinstance(own, types.FunctionType) and not (installed and is_installed(own)):
        reason = f"the class {cls.__name__} says itself what reading an attribute means"
        run.refuse(reason, "pass the numbers that it holds instead")


def check_computed(run: Run, owner: Known, name: str) -> None:
    """Refuse an attribute of an object or a module that code of the user's computes where it is read."""
    if owner.is_a(types.ModuleType):
        own = owner.ask(Look.HOLDS, "__getattr__") and is_own(owner.itself)
        computed = own and not owner.ask(Look.HOLDS, name)
    else:
        computed = computes_itself(inspect.getattr_static(owner.itself, name, None))
    if computed:
        run.refuse("an attribute of a global that is computed where it is read", ways.FUNCTION)


def attribute(run: Run, base: Value, name: str) -> Value:
    base = tuple_of(base)
    if not (isinstance(base, Ref) and name in contents(run.state.heap[base.id])):
        check_attribute_name(run, name)
    if isinstance(base, Known) and base.cls in OUTER and name in PUTS_IN and hasattr(base.cls, name):
        expr = clone(base.expr) if base.expr is not None else expression(run, base)
        return Known(base.ask(Look.ATTRIBUTE, name)[0], gast.Attribute(expr, name, gast.Load()))
    kind = base.kind if isinstance(base, Leaf) else None
    fields = getattr(kind.cls, "_fields", ()) if isinstance(kind, TupleKind) else ()
    if isinstance(base, Leaf) and name in fields:  # in a run-time list it is a tuple
        return subscript(run, base, gast.copy_location(gast.Constant(fields.index(name), None), run.node))
    if name == "__class__" and isinstance(base, (Leaf, Maybe)) and perhaps_list(run, base):
        return call_value(run, Known(type), [base], {})
    if isinstance(base, Leaf):
        return leaf_attribute(run, base, name)
    frozen = frozen_distribution(run, base)
    if frozen is not None and callable(getattr(frozen.function.value, name, None)):  # type: ignore[attr-defined]
        return Method(Known(("distribution", name)), frozen)
    if isinstance(base, Known):
        if base.is_a(frozenset) and name == "pop":
            sets_of_the_run(run)
        if base.is_a(frozenset) and name in SET_CHANGES:
            return Method(Known(("set", name)), base)
        if base.is_a(slice) and name == "indices":
            return Method(Known(("slice", name)), base)
        check_reads(run, base.cls, installed=True)
        check_computed(run, base, name)
        if is_user_object(base) and inspect.getattr_static(base.itself, name, NO) is NO:
            getter = find_method(run, base, "__getattr__")
            if getter is not None and not base.ask(Look.HOLDS, name):
                return call_value(run, getter, [Known(name)], {})
        try:
            value, place = base.ask(Look.ATTRIBUTE, name)
        except AttributeError:
            no_attribute(run, base.cls.__name__, name)
        changed = run.state.frames.get(-id(getattr(base.itself, "__dict__", None)), {}).get(name)
        if base.is_a(types.ModuleType) and changed is not None:
            return changed
        expr = gast.Attribute(expression(run, base), name, gast.Load())
        if is_user_object(base):
            method = find_method(run, base, name)
            if method is not None:
                return method
        return from_python(run, value, expr, place=place)
    if isinstance(base, Tup):
        fields = getattr(base.cls, "_fields", ())
        if name in fields:
            return base.items[fields.index(name)]
        if base.cls is not tuple:
            method = class_attribute(run, base.cls, name, base)
            if method is not None:
                return method
        if base.cls is tuple and not hasattr(tuple, name):
            no_attribute(run, "tuple", name)
        return Method(Known(getattr(base.cls, name, None)), base)
    if isinstance(base, Ref):
        obj = run.state.heap[base.id]
        if isinstance(obj, Instance):
            check_reads(run, obj.cls)
            if name in obj.partial and run.attempts:
                may_lack(run, name)
            ruled = is_ruled(obj.cls, name)
            if name in obj.attributes and not ruled:
                return obj.attributes[name]
            if name == "__class__":
                return Known(obj.cls)
            if name == "__dict__":
                all_attributes(run, obj)
                made = allocate(run, DictObj(dict(obj.attributes), ("__dict__", run.site(run.node))))
                run.state.stands_for(made.id, [base.id])  # a change of the object is a change of it
                return made
            if obj.stale and not hasattr(class_entry(obj.cls, name), "__get__"):
                fresh(run, obj)  # (an attribute that hides the class's own may have been set under another name)
            found = class_attribute(run, obj.cls, name, base)
            if found is not None:
                return found
            getter = None if name.startswith("__") else class_attribute(run, obj.cls, "__getattr__", base)
            if getter is not None and name not in obj.partial and not obj.foreign:
                return call_value(run, getter, [Known(name)], {})
            missing = AttributeError(f"{obj.cls.__name__!r} object has no attribute {name!r}")
            if is_standard(obj.cls):
                there = ", ".join(n for n in obj.attributes if not n.startswith("_"))
                run.refuse(
                    f"what the attribute {name!r} of this result is, is not known here",
                    f"use what is known of it: {there}" if there else ways.WRITE_OUT,
                )
            check_stand_in(run, obj.cls)
            run.refuse(
                f"objects of class {obj.cls.__name__} have no attribute {name!r} here",
                "set it in __init__",
                raises=None if hasattr(obj.cls, "__getattr__") or obj.foreign else missing,
            )
        if name == "maxlen" and isinstance(obj, ListObj) and obj.cls is collections.deque:
            return Known(None) if obj.limit is None else from_python(run, obj.limit, gast.Constant(obj.limit, None))
        if name == "__class__":
            return Known(obj.cls)
        cls = obj.cls if isinstance(obj, (ListObj, DictObj)) else None
        if cls in (list, dict) and not hasattr(cls, name):
            if cls is list and hasattr(collections.deque, name):  # (of what the run keeps, the class is not)
                refuse_class_between(run, "deque")
            no_attribute(run, cls.__name__, name)
        return Method(Known(("container", name)), base)
    if isinstance(base, Super):
        return inherited(run, base, name)
    cut = bounds_of(run, base) if isinstance(base, Lazy) else None
    if cut is not None and name in ("start", "stop", "step"):
        return cut[("start", "stop", "step").index(name)]
    if cut is not None and name == "indices":
        return Method(Known(("slice", name)), base)
    if isinstance(base, (Closure, Method)):
        if name == "__name__" and isinstance(base, Closure):
            return Known(base.source.tree.name)
        if isinstance(base, Closure) and name in run.calls.set_on.get(base, {}):
            return Known(run.calls.set_on[base][name])
        run.refuse(f"attribute {name!r} of a function", "pass the value in another way")
    run.refuse(f"attribute {name!r} of this value is not known", ways.ARGUMENT)


def frozen_distribution(run: Run, base: Value) -> Partial | None:
    """A distribution of scipy.stats with its parameters: made here (`stats.norm(mu, sigma)`), or found."""
    if isinstance(base, Partial):
        return base if isinstance(base.function, Known) and is_distribution(base.function.value) else None
    if not isinstance(base, Known) or base.cls.__name__ not in FROZEN:
        return None
    owner = base.value
    distribution = getattr(sys.modules["scipy.stats"], owner.dist.name, None)
    if distribution is None:
        return None
    expr = expression(run, base)
    args = (from_python(run, v, quote("d.args[i]", d=expr, i=i)) for i, v in enumerate(owner.args))
    named = {k: quote("d.kwds[k]", d=expr, k=gast.Constant(k, None)) for k in owner.kwds}
    kwds = ((k, from_python(run, v, named[k])) for k, v in owner.kwds.items())
    function = Known(distribution, load(global_name(run, owner.dist.name, distribution)))
    return Partial(function, tuple(args), tuple(kwds))


def leaf_attribute(run: Run, base: Leaf, name: str) -> Value:
    kind = base.kind
    check_exception(run, base)
    if name == "maxlen" and (limit := limit_of(run, base)) is not None:
        return limit
    if isinstance(kind, Object) and is_labelled(kind.cls) and not callable(getattr(kind.cls, name, None)):
        expr = gast.Attribute(expression(run, base), name, gast.Load())
        return Leaf(expr, infer_kind(run, expr), nested=True)
    plain = kind.type if isinstance(kind, Number) and not kind.types else object
    if run.attempts and plain in (bool, int, float, complex) and not hasattr(plain, name):
        no_attribute(run, plain.__name__, name)
    if name in ("shape", "size", "ndim", "dtype", "itemsize", "nbytes"):
        expr = gast.Attribute(expression(run, base), name, gast.Load())
        if name == "dtype" and isinstance(kind, Array) and not kind.mixed:
            return Known(kind.dtype, expr)
        found = infer_kind(run, expr)
        if isinstance(found, TupleKind):
            return (
                Tup(
                    tuple(
                        Leaf(gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()), k, nested=True)
                        for i, k in enumerate(found.items)
                    )
                )
                if unpacking_shape(run)
                else Leaf(expr, found, nested=True)
            )
        if name == "ndim" and isinstance(found, Number) and found.value is not None and found.value.known:
            return Leaf(expr, found, const=found.value.const, nested=True)
        return Leaf(expr, found, nested=True)
    if isinstance(kind, Array) and name == "device" and hasattr(np.ndarray, name):
        return Known("cpu")  # NumPy has no other
    if isinstance(kind, Array) and name == "flags":
        return Leaf(gast.Attribute(expression(run, base), name, gast.Load()), Object(FLAGS), nested=True)
    if isinstance(kind, Object) and kind.cls is FLAGS:
        return Leaf(gast.Attribute(expression(run, base), name, gast.Load()), Number(bool), nested=True)
    if isinstance(kind, Array) and name == "flat":
        made = call_method_named(run, base, "ravel")
        if isinstance(made, Leaf):
            call = run.block[-1].value if isinstance(made.expr, gast.Name) else made.expr
            call.flat = True  # it never is a copy
            if isinstance(made.expr, gast.Name):
                run.memory.flats.add(made.expr.id)
        return made
    if isinstance(kind, (Array, Unknown, Number)) and registry.is_attribute(name):
        target = registry.method(kind, name)
        if target is not None:
            return operation(run, target, lambda args, _: gast.Attribute(args[0], name, gast.Load()), [hold(run, base)])
    if isinstance(kind, Object) and isinstance(getattr(kind.cls, name, None), property):
        expr = gast.Attribute(expression(run, base), name, gast.Load())
        return Leaf(expr, infer_kind(run, expr), nested=True)
    if name == "data" and isinstance(kind, Array) and not is_varied(run, base):  # the same memory
        return call_value(run, Known(memoryview), [hold(run, base)], {})
    own = getattr(np.ndarray if isinstance(kind, (Array, Unknown)) else plain, name, None)
    if isinstance(own, types.GetSetDescriptorType) and base.varied and not run.passive:
        run.refuse(f"the attribute {name!r} has no derivative rule", ways.SAME_IN_NUMPY)
    if isinstance(own, types.GetSetDescriptorType) and isinstance(kind, (Array, Number)):  # `base` may be None
        expr = gast.Attribute(expression(run, base), name, gast.Load())
        return Leaf(expr, infer_kind(run, expr), nested=True)
    classes = possible_classes(kind)
    if classes and not any(hasattr(cls, name) for cls in classes):
        no_attribute(run, classes[0].__name__, name)
    if isinstance(kind, Unknown) and base.varied and not run.passive and not hasattr(np.ndarray, name):
        run.refuse(f"the attribute {name!r} of an active value whose kind is not known", "pass the value itself")
    return Method(Known(("method", name)), base)


def check_exception(run: Run, value: Value) -> None:
    """What an exception holds is not followed: where it may be active, it must not be read."""
    if not run.passive and is_exception(run, value) and is_varied(run, value):
        run.refuse("what an exception carries may be active, and is not followed", ways.RETURN)


def no_attribute(run: Run, cls: str, name: str) -> NoReturn:
    missing = AttributeError(f"{cls!r} object has no attribute {name!r}")
    run.refuse(f"{cls} has no attribute {name!r}", ways.CORRECT, raises=missing)


def call_method_named(run: Run, base: Value, name: str) -> Value:
    return call_value(run, Method(Known(("method", name)), hold(run, base)), [], {})


def unpacking_shape(run: Run) -> bool:
    return False


@above.class_attribute.answer
def class_attribute(run: Run, cls: type, name: str, owner: Value) -> Value | None:
    """A method, property or class variable, found through the class as Python does."""
    found = class_entry(cls, name, NO)
    if found is NO and is_known_a(owner, type):
        found = inspect.getattr_static(cls, name, NO)  # of the metaclass
    if found is NO:
        return None
    if isinstance(found, types.MemberDescriptorType) and isinstance(owner, Ref):
        return None  # a slot that is not set
    if name in CHANGES_KEYS and isinstance(owner, Ref) and issubclass(cls, Table):
        table = run.state.heap[owner.id]
        if isinstance(table, Instance) and runs_over(run, table):
            run.refuse("a dict gets or loses a key while a loop runs over it", "run over a list of its keys")
    return bound_attribute(run, found, cls, name, owner)


def inherited(run: Run, base: Super, name: str) -> Value:
    """An attribute of super(): the first one behind the class in the order of its bases."""
    owner_cls = class_of(run, base.owner)
    if is_known_a(base.owner, type):
        owner_cls = base.owner.value
    order = list(owner_cls.__mro__) if owner_cls is not None else []
    if base.cls not in order:
        run.refuse("super() of an object of another class", ways.PARENT)
    for cls in order[order.index(base.cls) + 1 :]:
        if name in cls.__dict__:
            found = bound_attribute(run, cls.__dict__[name], cls, name, base.owner)
            assert found is not None
            return found
    run.refuse(f"the parent classes have no attribute {name!r}", ways.CORRECT)


def bound_attribute(run: Run, found: Any, cls: type, name: str, owner: Value) -> Value | None:
    """What reading an attribute that was found in a class gives."""
    import functools
    import types

    if isinstance(found, types.FunctionType):
        return Method(Known(found), owner)
    if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType)):
        return Method(Known(found), owner)
    if isinstance(found, staticmethod):
        return Known(found.__func__)
    if isinstance(found, classmethod):
        return Method(Known(found.__func__), Known(cls))
    if isinstance(found, property):
        return call_value(run, Known(found.fget), [owner], {})
    if isinstance(found, functools.cached_property):
        value = hold(run, call_value(run, Known(found.func), [owner], {}), name)
        if isinstance(owner, Ref):
            obj = run.state.heap[owner.id]
            assert isinstance(obj, Instance)
            obj.attributes[name] = value
            container_changed(run, obj)
        return value
    of_class = is_known_a(owner, type)
    if isinstance(found, functools._lru_cache_wrapper) and not of_class:
        run.refuse(
            "a method that keeps its results (functools.cache, lru_cache): the object may change between calls",
            ways.NOT_CACHED,
        )
    if descriptor_method(found, "__get__") is not None:
        return call_value(run, Known(descriptor_method(found, "__get__")), [Known(found), owner, Known(cls)], {})
    if isinstance(found, types.GetSetDescriptorType) and not of_class:  # C code says it, of the object
        expr = gast.Attribute(expression(run, owner), name, gast.Load())
        return Leaf(expr, infer_kind(run, expr), nested=True)
    plain, place = Known(cls).ask(Look.ATTRIBUTE, name)
    expr = gast.Attribute(load(global_name(run, cls.__name__, cls)), name, gast.Load())
    if callable(plain) and hasattr(plain, "primal"):
        return Method(Known(plain), owner)
    return from_python(run, plain, expr, place=place)


def bounds_of(run: Run, value: Value) -> tuple[Value, Value, Value] | None:
    """Start, stop and step of a slice."""
    if is_known_a(value, slice):
        cut = value.value
        first, last, step = (from_python(run, p, gast.Constant(p, None)) for p in (cut.start, cut.stop, cut.step))
        return first, last, step
    if not isinstance(value, Lazy) or value.function is not slice:
        return None
    none, given = Known(None), value.args
    if len(given) == 1:
        return none, given[0], none
    return given[0], given[1], given[2] if len(given) > 2 else none
