"""Methods of numbers, arrays, texts and containers."""

from __future__ import annotations

import collections
import itertools
import operator
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import METHOD_OUT, METHODS
from s2sad.core import Expr, atom_key, clone, load, walk
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Callable, Dim, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import in_parts, is_float_kind
from s2sad.knowledge import registry
from s2sad.normal import above
from s2sad.normal.above import call_value, inline_library
from s2sad.normal.calls import library
from s2sad.normal.calls.passive import call_node, handed_on
from s2sad.normal.calls.primitives import by_definition, by_options, changed_elsewhere, multi_output, stored
from s2sad.normal.calls.questions import hashable, refreshed
from s2sad.normal.calls.tables import KEEPS, MUTATORS, TAKES
from s2sad.normal.changing import check_originals, container_changed, list_changes
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.atoms import nested
from s2sad.normal.expressions.attributes import attribute, like_deque, no_attribute
from s2sad.normal.expressions.comparisons import check_quiet
from s2sad.normal.expressions.operation import check_labels, operation
from s2sad.normal.expressions.subscripts import flat_places
from s2sad.normal.handlers import BUILTINS
from s2sad.normal.iteration.asking import allocate, is_static_iterable, kept_iterator
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.turning import check_turned
from s2sad.normal.learning import follow_objects, make_dynamic, resize, run_time_dict, unroll_a_loop
from s2sad.normal.memory import changes_in_passing, leaf_of, look_into, root_of, subscript_value
from s2sad.normal.names import hold
from s2sad.normal.run import CHANGES_ITS_OWN, PUTS_IN, Run
from s2sad.normal.statements.augmented import set_method
from s2sad.normal.statements.stores import owner_of_dict, ref_of, set_plainly, store_into
from s2sad.normal.values.abstract import (
    DictObj,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_known_a,
    is_none,
)
from s2sad.normal.values.classes import static
from s2sad.normal.values.facts import global_name, infer_kind, is_varied, kind_of, settled_kind
from s2sad.normal.values.lists_of_the_run import list_append, new_list
from s2sad.normal.values.making import constant, expression
from s2sad.normal.values.questions import is_standard
from s2sad.normal.values.structure import numpy_call
from s2sad.normal.words import NO
from s2sad.normal.writing import anchor, define, fresh, write


def check_taken(run: Run, function: Any, given: int) -> None:
    """Refuse a builtin with fewer arguments than it takes, or with more."""
    least, most = TAKES.get(function, (0, given))
    if not least <= given <= most:
        error = TypeError(f"{function.__name__} takes from {least} to {most} arguments, not {given}")
        run.refuse(str(error), ways.CORRECT, raises=error)


def group(run: Run, owner: Leaf, name: str) -> None:
    """A list in a dict at run time takes active values: start again with a dict of lists that is followed."""
    names = [n for n in walk(owner.expr) if isinstance(n, gast.Name)]
    for key in [n.id for n in names] + [root_of(run, atom_key(owner.expr))]:
        site = run.lists.table_of.get(key)
        if site is not None and name in ("append", "extend") and site not in run.decisions.grouped:
            run.decisions.tables.discard(site)
            run.decisions.unfit.add(site)
            run.decisions.grouped.add(site)
            raise Restart


@above.call_method.answer
def call_method(run: Run, function: Method, args: list[Value], kwargs: dict[str, Value]) -> Value:
    inner, owner = function.function, function.owner
    if is_known_a(inner, tuple):
        name = inner.value[1]
        if name in KEEPS:
            args = [kept_iterator(run, v) for v in args]
        if name == "__setitem__" and len(args) == 2:
            return call_value(run, Known(operator.setitem), [owner, *args], kwargs)
        if isinstance(owner, Partial):
            return frozen_method(run, owner, name, args, kwargs)
        if isinstance(owner, Leaf):
            if name == "shuffle" and args:
                changed_elsewhere(run, args)
            return leaf_method(run, owner, name, args, kwargs)
        if inner.value[0] == "slice":
            callee = gast.Attribute(expression(run, owner), name, gast.Load())
            call = gast.Call(callee, [expression(run, v) for v in args], [])
            return hold(run, Leaf(call, TupleKind((Number(int),) * 3), nested=True), "bounds")
        if isinstance(owner, Known):
            return set_method(run, owner, name, args)
        return container_method(run, owner, name, args, kwargs)
    if isinstance(owner, Tup) and hasattr(owner.cls, "_fields") and isinstance(inner, Known):
        fields = owner.cls._fields
        if inner.value is owner.cls._replace:  # type: ignore[attr-defined]
            parts = {**dict(zip(fields, owner.items, strict=True)), **{k: hold(run, v) for k, v in kwargs.items()}}
            return Tup(tuple(parts.values()), owner.cls)
        if inner.value is owner.cls._asdict:  # type: ignore[attr-defined]
            return allocate(run, DictObj(dict(zip(fields, owner.items, strict=True)), run.site(run.node)))
    if isinstance(owner, Tup) and isinstance(inner, Known) and inner.is_one_of(tuple.index, tuple.count):
        values, given = [static(v) for v in owner.items], [static(v) for v in args]
        if NO not in values and NO not in given:
            found = inner.value(tuple(values), *given)
            return Leaf(gast.Constant(found, None), Number(int, Dim.of(found)), const=found)
    return call_value(run, inner, [owner, *args], kwargs)


def frozen_method(run: Run, owner: Partial, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`stats.norm(mu, sigma).pdf(x)` is `stats.norm.pdf(x, mu, sigma)`."""
    distribution = owner.function.value  # type: ignore[attr-defined]
    first = [kwargs.pop(k) for k in ("x", "k", "q") if k in kwargs and not args]
    args = [*first, *args]
    split = 0 if name in ("mean", "var", "std", "median", "entropy", "stats", "support", "rvs", "fit") else 1
    expr = gast.Attribute(expression(run, owner.function), name, gast.Load())
    given = [*args[:split], *owner.args]
    if name == "rvs":  # size and random_state follow the parameters, which may be fewer than there are
        kwargs = {**dict(zip(("size", "random_state"), args, strict=False)), **kwargs}
    else:
        given += args[split:]
    return call_value(run, Known(getattr(distribution, name), expr), given, {**dict(owner.kwargs), **kwargs})


def leaf_method(run: Run, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    kind = owner.kind
    if name in MUTATORS | CHANGES_ITS_OWN:
        check_originals(run, owner)
    if name in CHANGES_ITS_OWN:
        list_changes(run, owner)
    if isinstance(kind, ListOf):
        return dynamic_method(run, owner, name, args, kwargs)
    sorts = name == "sort" and type(kind) is Unknown and not owner.varied  # it may be a list
    queues = name == "put" and type(kind) is Unknown and len(args) + len(kwargs) == 1  # an array takes two
    mutator = name in ("fill", "sort", "put", "partition", "itemset", "resize") and not sorts and not queues
    if isinstance(kind, (Array, Unknown)) and mutator:
        return array_mutator(run, owner, name, args, kwargs)
    if name == "__array_namespace__" and isinstance(kind, Array) and hasattr(np.ndarray, name):
        return Known(np, load(global_name(run, "np", np)))
    if name in ("item", "tolist") and isinstance(kind, (Array, Unknown)) and owner.varied and not run.passive:
        found = as_python(run, owner, name, args)
        if found is not None:
            return found
    target = registry.method(Object(type(kind.value)) if isinstance(kind, Callable) else kind, name)
    if target is not None:
        held = hold(run, owner)

        def again(args: list[Value], named: dict[str, Value]) -> Value:
            return call_value(run, attribute(run, args[0], name), args[1:], named)

        apart = by_options(run, target, [held, *args], kwargs, again)
        if apart is not None:
            return apart

        def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
            return gast.Call(
                gast.Attribute(exprs[0], name, gast.Load()),
                exprs[1:],
                [gast.keyword(k, v) for k, v in named.items()],
            )

        out = kwargs.pop("out", None)
        position = METHOD_OUT.get(name, 99)
        if out is None and len(args) > position and isinstance(kind, (Array, Unknown)):
            if len(args) > position + 1:
                run.refuse(f"{name} with so many arguments", "give them by name")
            *args, out = args
        if out is not None:
            out = hold(run, out)
        result = by_definition(run, target, [held, *args], kwargs)
        if result is None:
            result = multi_output(run, target, build, [held, *args], kwargs)
        if out is not None and not is_none(out):
            return stored(run, out, gast.Constant(Ellipsis, None), result)
        return result
    if name == "__getitem__" and args:
        return subscript_value(run, hold(run, owner), hold(run, args[0]))
    if isinstance(kind, Number) and kind.type in (bool, int, float, complex) and not hasattr(kind.type, name):
        no_attribute(run, kind.type.__name__, name)
    if name == "copy" and isinstance(kind, Number) and issubclass(kind.type, np.generic) and not args:
        return owner
    if owner.varied and not run.passive:
        call = gast.Call(
            gast.Attribute(expression(run, owner), name, gast.Load()), [expression(run, v) for v in args], []
        )
        if is_float_kind(infer_kind(run, call)):
            run.refuse(f"the method {name!r} has no derivative rule", ways.SAME_IN_NUMPY)
    of_users = isinstance(kind, Object) and not is_standard(kind.cls)
    stranger = of_users or (isinstance(kind, Unknown) and name not in METHODS)
    if any(is_varied(run, v) for v in [*args, *kwargs.values()]) and not run.passive:
        check_labels(run, owner)
        look_into(run, owner.expr)
        group(run, owner, name)
        if stranger:
            follow_objects(run)
        run.refuse(
            f"the method {name!r} of an object that is not known takes an active argument",
            ways.WRITE_OUT,
        )
    if name in CHANGES_ITS_OWN and (run.lost or any(is_varied(run, v) for v in [*args, *kwargs.values()])):
        if run.text_only:
            run.refuse("active values go into a container in an expression of this form", ways.LOOP)
        changes_in_passing(run)
    called = gast.Attribute(expression(run, owner), name, gast.Load())
    outer = run.calls.keeping
    run.calls.keeping += name in MUTATORS | PUTS_IN
    try:
        call = call_node(run, called, args, kwargs, owner, stranger)
    finally:
        run.calls.keeping = outer
    inferred = infer_kind(run, call)
    handed_on(run, call, inferred)
    if name in CHANGES_ITS_OWN and not run.text_only:  # at once, whatever becomes of what it returns
        if isinstance(inferred, Static) and inferred.value is None:
            write(run, gast.Expr(call))
            return Known(None)
        return define(run, "t", call, inferred)
    if (isinstance(inferred, Unknown) and not run.passive) or (isinstance(kind, Object) and not run.text_only):
        return define(run, "t", call, inferred)
    active = False
    if run.text_only and isinstance(inferred, Unknown) and name != "keys":
        active = any(is_varied(run, v) for v in (owner, *args, *kwargs.values()))
    return Leaf(call, inferred, active, nested=True)


def container_method(run: Run, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    assert isinstance(owner, (Ref, Tup))
    if isinstance(owner, Tup):
        run.refuse(f"the tuple method {name!r}", ways.LIST)
    obj = run.state.heap[owner.id]
    fresh(run, obj)
    if isinstance(obj, ListObj):
        return list_method(run, owner, obj, name, args, kwargs)
    if isinstance(obj, DictObj):
        return dict_method(run, obj, name, args, kwargs)
    run.refuse(f"objects of class {obj.cls.__name__} have no method {name!r}", ways.METHOD)


def list_method(run: Run, owner: Ref, obj: ListObj, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if kwargs and name != "sort":
        run.refuse(f"the list method {name!r} with arguments by name", "give them in order")
    if obj.cls in (list, collections.deque):
        check_taken(run, getattr(list, name, None), len(args))
    held = [hold(run, v) for v in args]
    most = len(obj.items) + 10**6 if obj.limit is None else obj.limit
    if name == "append":
        obj.items.append(held[0])
        del obj.items[: max(0, len(obj.items) - most)]
    elif name == "appendleft":
        obj.items.insert(0, held[0])
        del obj.items[most:]
    elif name == "extendleft":
        for item in iterate_static(run, args[0]):
            obj.items.insert(0, hold(run, item))
        del obj.items[most:]
    elif name == "rotate" and isinstance(turns := static(args[0]) if args else 1, int):
        check_turned(run, owner)
        order = collections.deque(obj.items)
        order.rotate(turns)
        obj.items[:] = order
    elif name == "popleft":
        if not obj.items:
            make_dynamic(run, obj)
        container_changed(run, obj)
        return obj.items.pop(0)
    elif name == "__getitem__":
        return subscript_value(run, owner, held[0])
    elif name == "sort":
        ordered = call_value(run, Known(sorted), [owner, *args], kwargs)
        assert isinstance(owner, Ref)
        now = run.state.heap[owner.id]  # comparing the items may have branched
        assert isinstance(now, ListObj)
        obj = now
        made = run.state.heap[ordered.id] if isinstance(ordered, Ref) else None
        if not isinstance(made, ListObj):
            make_dynamic(run, obj)
        obj.items[:] = made.items
    elif name == "extend":
        if not is_static_iterable(run, args[0]):
            make_dynamic(run, obj)
        obj.items.extend(hold(run, v) for v in iterate_static(run, args[0]))
        del obj.items[: max(0, len(obj.items) - most)]
    elif name in ("insert", "pop"):
        position = static(args[0]) if args else -1
        if isinstance(position, (float, complex, str, bytes, tuple)):
            error = TypeError(f"{type(position).__name__!r} object cannot be interpreted as an integer")
            run.refuse("a position that is no int", ways.CORRECT, raises=error)
        if not isinstance(position, int):
            make_dynamic(run, obj)
        if name == "insert":
            if obj.limit is not None:
                run.refuse("insert into a deque with a length limit", "use append or appendleft")
            obj.items.insert(position, held[1])
        else:
            if not -len(obj.items) <= position < len(obj.items):
                make_dynamic(run, obj)
            container_changed(run, obj)
            return obj.items.pop(position)
    elif name == "remove":
        known, wanted = [static(v) for v in obj.items], static(args[0])
        if wanted is NO or wanted not in known or any(v is NO for v in known):
            make_dynamic(run, obj)
        del obj.items[known.index(wanted)]
    elif name == "reverse":
        obj.items.reverse()
    elif name == "clear":
        obj.items.clear()
    elif name == "copy":
        return like_deque(run, new_list(run, list(obj.items), owner), obj)
    elif name in ("index", "count"):
        items, given = [static(v) for v in obj.items], [static(v) for v in args]
        if NO in items or NO in given:
            check_quiet(run, [*obj.items, *args])
            return nested(run, call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), args, kwargs))
        try:
            found = getattr(items, name)(*given)
        except ValueError as error:
            run.refuse(str(error), ways.ASK, raises=error)
        return Leaf(gast.Constant(found, None), Number(int, Dim.of(found)), const=found)
    else:
        run.refuse(f"the list method {name!r} on a list of active values", "build a new list")
    container_changed(run, obj)
    return Known(None)


@above.dict_method.answer
def dict_method(run: Run, obj: DictObj, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if obj.cls is dict and not kwargs:
        check_taken(run, getattr(dict, name, None), len(args))
    owner = owner_of_dict(run, obj) if name in MUTATORS else None
    if owner is not None and name != "update":
        run.refuse("the __dict__ of an object is changed", ways.ASSIGN)
    if name == "keys":
        return Tup(tuple(constant(run, k) for k in obj.items), Keys)
    if name in ("values", "items"):
        return Lazy(getattr(dict, name), (ref_of(run, obj),))
    if name == "copy" and obj.factory is None and issubclass(obj.cls, collections.defaultdict):  # the caller's
        if any(is_varied(run, v) for v in obj.items.values()) or obj.expr is None:
            run.refuse("a copy of a defaultdict of active values", "write dict(...) of it")
        copies = gast.Attribute(clone(obj.expr), "copy", gast.Load())
        return define(run, "table", gast.Call(copies, [], []), Unknown())
    if name == "copy":
        return allocate(run, obj.like(dict(obj.items), run.site(run.node)))
    if name == "__getitem__":
        return subscript_value(run, ref_of(run, obj), args[0])
    if name in ("get", "pop", "setdefault", "move_to_end"):  # (of an OrderedDict, by name as well)
        args = [*args, *(kwargs[k] for k in ("key", "default", "last") if k in kwargs)]
    elif kwargs and name not in ("update", "popitem"):
        run.refuse(f"the dict method {name!r} with arguments by name", "give them in order")
    if name == "move_to_end":
        return moved_to_end(run, obj, args)
    if name == "clear":
        obj.items.clear()
        container_changed(run, obj)
        return Known(None)
    if name in ("get", "pop", "setdefault"):
        key = static(args[0])
        if key is NO:
            run_time_dict(run, obj)
            run.refuse("a key that is not known at derivation", ways.KEYS, concrete=True)
        if not hashable(key):
            error = TypeError(f"unhashable type: '{type(key).__name__}'")
            run.refuse(f"{type(key).__name__} objects are no keys", ways.KEYS, raises=error)
        default = hold(run, args[1]) if len(args) > 1 else Known(None)
        if name == "pop":
            if key not in obj.items and len(args) < 2:
                run.refuse(f"there is no item {key!r} here", ways.ASK, raises=KeyError(key))
            container_changed(run, obj)
            return obj.items.pop(key, default)
        if name == "setdefault" and key not in obj.items:
            obj.items[key] = default
            container_changed(run, obj)
        return obj.items.get(key, default)
    if name == "popitem" and obj.items:
        container_changed(run, obj)
        last = static(next(iter([*args, *kwargs.values()]), Known(True)))
        if not isinstance(last, (bool, int)):
            run.refuse("popitem from an end that is not known at derivation", "write True or False")
        key = list(obj.items)[-1 if last else 0]
        value = obj.items.pop(key)
        return Tup((constant(run, key), value))
    if name == "update":
        for value in args:
            pairs = value if isinstance(value, Known) or is_static_iterable(run, value) else None
            made = BUILTINS[dict](run, Known(dict), [value], {}) if pairs is not None else None
            other = run.state.heap[made.id] if isinstance(made, Ref) else None
            if not isinstance(other, DictObj):
                run_time_dict(run, obj)
                run.refuse("update with something that is not a dict with known keys", ways.ONE_BY_ONE)
            obj.items.update(other.items)
        obj.items.update({k: hold(run, kept_iterator(run, v)) for k, v in kwargs.items()})
        if owner is not None:
            set_plainly(run, owner, obj.items)
            return Known(None)
        container_changed(run, obj)
        return Known(None)
    run.refuse(f"the dict method {name!r} on a dict of active values", "use items, keys, values, get, pop or update")


def moved_to_end(run: Run, obj: DictObj, args: list[Value]) -> Value:
    """items.move_to_end(key, last)"""
    key, last = static(args[0]), static(args[1]) if len(args) > 1 else True
    if key not in obj.items or not isinstance(last, (bool, int)):
        run.refuse("move_to_end of what is not known at derivation", ways.KEYS, concrete=True)
    item = {key: obj.items.pop(key)}
    obj.items = {**obj.items, **item} if last else {**item, **obj.items}
    container_changed(run, obj)
    return Known(None)


@above.dynamic_method.answer
def dynamic_method(run: Run, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    assert isinstance(owner.kind, ListOf)
    if name in MUTATORS or name in ("popleft", "appendleft", "extendleft", "rotate"):
        resize(run, owner)
        run.memory.lists_changed.append(atom_key(owner.expr))
    if name == "rotate":
        check_turned(run, owner)
    if name in MUTATORS:
        run.lists.growing.update(dict.fromkeys(run.turns.turning))
        if run.decisions.lists_apart:
            unroll_a_loop(run)
    if kwargs and name != "sort":
        run.refuse(f"the list method {name!r} with arguments by name", "give them in order")
    limit = run.lists.limits.get(atom_key(owner.expr))
    if limit is not None and name in ("append", "appendleft", "extend", "extendleft", "insert"):
        ends = {"append": library.appended_within, "appendleft": library.put_first_within}
        within = {**ends, "extend": library.extended_within}.get(name)
        if within is None:
            run.refuse(f"the method {name!r} of a deque with a length limit", "use append or appendleft")
        plain, run.lists.limits = run.lists.limits, {}
        try:
            inline_library(run, within, [owner, args[0], limit], {})
        finally:
            run.lists.limits = plain
        return Known(None)
    if name == "append":
        list_append(run, owner, hold(run, args[0]))
        return Known(None)
    if name == "__getitem__":
        return subscript_value(run, owner, hold(run, args[0]))
    if name in ("pop", "popleft"):
        at_end = name == "pop" and (not args or static(args[0]) == -1)
        place = [] if at_end else [place_in(run, owner, constant(run, 0) if name == "popleft" else args[0])]
        return list_item(run, owner, gast.Call(gast.Attribute(expression(run, owner), "pop", gast.Load()), place, []))
    if name == "extend":
        if is_static_iterable(run, args[0]):
            for item in iterate_static(run, args[0]):
                list_append(run, owner, hold(run, item))
        else:
            inline_library(run, library.extended, [owner, args[0]], {})
        return Known(None)
    if name == "appendleft":
        list_append(run, owner, hold(run, args[0]), gast.Constant(0, None))
        return Known(None)
    if name == "insert":
        list_append(run, owner, hold(run, args[1]), place_in(run, owner, args[0], beyond=True))
        return Known(None)
    if name == "reverse" and not args:
        write(run, gast.Expr(call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), [], {})))
        return Known(None)
    if name == "rotate":
        inline_library(run, library.rotated, [owner, *args], {})
        return Known(None)
    if name == "copy" and limit is not None:
        made = inline_library(run, library.list_of, [owner], {})
        run.lists.limits[atom_key(leaf_of(run, made).expr)] = limit
        return made
    if owner.varied and not run.passive and name in ("sort", "clear", "copy"):
        if name == "sort":
            ordered = call_value(run, Known(sorted), [owner], kwargs)
            inline_library(run, library.overwritten_by, [owner, ordered], {})
            return Known(None)
        if name == "clear":
            inline_library(run, library.cleared, [owner], {})
            return Known(None)
        return inline_library(run, library.list_of, [owner], {})
    if name == "copy" and not owner.varied:
        return Leaf(
            call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), args, kwargs),
            owner.kind,
            nested=True,
        )
    if name in ("index", "count") and owner.varied and not run.passive:
        call = call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), args, kwargs)
        return define(run, "i", call, Number(int))
    if name == "remove" and owner.varied and not run.passive:
        dynamic_method(run, owner, "pop", [dynamic_method(run, owner, "index", args, {})], {})
        return Known(None)
    taken = name in MUTATORS and any(is_varied(run, v) for v in [*args, *kwargs.values()])
    if (owner.varied or taken) and not run.passive:
        run.refuse(
            f"the list method {name!r} on a list that grows in a loop and holds active values",
            ways.APPEND_POP,
        )
    call = call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), args, kwargs)
    if name in MUTATORS:
        write(run, gast.Expr(call))
        return Known(None)
    return Leaf(call, infer_kind(run, call), nested=True)


def place_in(run: Run, owner: Leaf, place: Value, beyond: bool = False) -> Expr:
    """A position in a run-time list, counted from the start: so that what happens there can be undone."""
    leaf = leaf_of(run, place)
    known = static(place)
    if isinstance(known, int) and (known == 0 or (known > 0 and not beyond)):
        return expression(run, leaf)
    count = gast.Call(load("len"), [expression(run, owner)], [])
    if beyond:
        inside = gast.Call(load("min"), [expression(run, leaf), count], [])
        if not (isinstance(known, int) and known > 0):
            here = anchor(run, leaf, "i").expr
            inside = gast.IfExp(
                gast.Compare(clone(here), [gast.GtE()], [gast.Constant(0, None)]),
                gast.Call(load("min"), [clone(here), count], []),
                gast.Call(load("max"), [gast.BinOp(clone(here), gast.Add(), clone(count)), gast.Constant(0, None)], []),
            )
        return define(run, "i", inside, Number(int)).expr
    places = gast.Call(load("range"), [count], [])  # which raises where there is no such place, as the list does
    return define(run, "i", gast.Subscript(places, expression(run, leaf), gast.Load()), Number(int)).expr


@above.list_item.answer
def list_item(run: Run, owner: Leaf, read: Expr) -> Value:
    """An item taken from a run-time list; tuples come apart into their parts."""
    assert isinstance(owner.kind, ListOf)
    kind = settled_kind(run, refreshed(owner.kind.item, run))
    varied = owner.varied and is_float_kind(kind)
    several = (TupleKind, ListKind)
    flat = isinstance(kind, several) and not any(isinstance(k, several) and is_float_kind(k) for k in kind.items)
    if flat or (varied and in_parts(kind)):
        target, value = taken_apart(run, kind, owner, varied, itertools.count())
        write(run, gast.Assign([target], read, None))
        return value
    item = define(run, "item", read, kind, varied=varied)
    run.lists.list_items.add(atom_key(item.expr))
    if isinstance(kind, ListOf):
        run.lists.part_of[atom_key(item.expr)] = (atom_key(owner.expr), ())
    return item


def taken_apart(
    run: Run, kind: Any, owner: Leaf, varied: bool, numbers: Iterator[int], path: tuple[int, ...] = ()
) -> tuple[Expr, Value]:
    """A target that takes an item of a run-time list apart, and the item, made of the target's names.

    Args:
        kind: of the item, or of a part of it that has parts itself.
        owner: the list.
        varied: is the list active?
        numbers: of the names.
        path: the indices that lead from the item to that part.
    """
    targets: list[Any] = []
    parts: list[Value] = []
    for i, k in enumerate(kind.items):
        part_varied = varied and is_float_kind(k)
        if varied and in_parts(k):
            target, value = taken_apart(run, k, owner, varied, numbers, (*path, i))
            targets.append(target)
            parts.append(value)
            continue
        name = run.facts.fresh(f"item_{next(numbers)}")
        run.facts.kinds[name] = k
        if part_varied:
            run.facts.varied.add(name)
        targets.append(gast.Name(name, gast.Store(), None, None))
        parts.append(Leaf(load(name), k, part_varied))
        if isinstance(k, ListOf):
            run.lists.part_of[name] = (atom_key(owner.expr), (*path, i))
    target = gast.Tuple(targets, gast.Store())
    if isinstance(kind, ListKind):
        made = allocate(run, ListObj(parts, None, held=True))
        run.memory.copied.add(made.id)  # of what the list of the run holds
        return target, made
    return target, Tup(tuple(parts), kind.cls)


def as_python(run: Run, owner: Leaf, name: str, args: list[Value]) -> Value | None:
    """The methods item and tolist of an array of active values: indexing, and a list of the items."""
    shape = owner.kind.shape if isinstance(owner.kind, Array) else None
    floats = isinstance(owner.kind, Array) and owner.kind.dtype.kind == "f" and not owner.kind.mixed

    def plain(item: Value) -> Value:
        return hold(run, call_value(run, Known(float), [item], {})) if floats else item

    if name == "item" and args and shape is None and isinstance(kind_of(run, args[0]), Number):
        if len(args) == 1:
            return plain(subscript_value(run, hold(run, numpy_call(run, np.ravel, [owner])), args[0]))
        return plain(subscript_value(run, hold(run, owner), Tup(tuple(hold(run, v) for v in args))))
    if name == "item" and args and shape is not None:
        if len(args) == 1 and isinstance(args[0], Tup):
            args = list(args[0].items)
        if len(args) == len(shape):
            place = args[0] if len(args) == 1 else Tup(tuple(hold(run, v) for v in args))
            return plain(subscript_value(run, hold(run, owner), place))
        if len(args) == 1:
            return plain(subscript_value(run, hold(run, owner), flat_places(run, owner, args[0])))
    if name == "tolist" and shape:
        held = hold(run, owner)
        rows = len(shape) > 1
        if is_static_iterable(run, held) or (shape[0].known and shape[0].const <= 16):
            items = [hold(run, v) for v in iterate_static(run, held)]
            if rows:
                return new_list(run, [leaf_method(run, leaf_of(run, v), "tolist", [], {}) for v in items])
            return new_list(run, [plain(v) for v in items])
        items_of = library.lists_of if rows else library.floats_of if floats else library.rows_of
        return inline_library(run, items_of, [held], {})
    return None


def array_mutator(run: Run, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if name == "resize" and isinstance(owner.kind, Array):
        run.refuse("the method resize changes the shape of an array in place", ways.NEW_VALUE)
    if name == "fill":
        store_into(run, owner, gast.Constant(Ellipsis, None), args[0])
        return Known(None)
    if name == "put" and len(args) == 2 and not kwargs:
        return call_value(run, Known(np.put), [owner, *args], {})
    if name == "sort":
        target = np.sort
        result = operation(
            run,
            target,
            lambda exprs, named: gast.Call(
                gast.Attribute(load(global_name(run, "np", np)), "sort", gast.Load()),
                exprs,
                [gast.keyword(k, v) for k, v in named.items()],
            ),
            [owner, *args],
            kwargs,
        )
        store_into(run, owner, gast.Constant(Ellipsis, None), result)
        return Known(None)
    if name == "partition" and owner.varied:
        store_into(
            run, owner, gast.Constant(Ellipsis, None), call_value(run, Known(np.partition), [owner, *args], kwargs)
        )
        return Known(None)
    if name == "put":
        return call_value(run, Known(np.put), [owner, *args], kwargs)
    if owner.varied or any(is_varied(run, v) for v in args):
        run.refuse(f"the array method {name!r} on active data", ways.STORE)
    write(run, gast.Expr(call_node(run, gast.Attribute(expression(run, owner), name, gast.Load()), args, kwargs)))
    return Known(None)
