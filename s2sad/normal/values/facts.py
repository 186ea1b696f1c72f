"""What is known of a value: its kind, and whether it depends on the wrt arguments."""

from __future__ import annotations

import collections
import functools
from typing import Any

import gast

from s2sad.core import Expr, atom_key, clone, load, walk
from s2sad.kinds.infer import binary_kind, infer
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Callable, Dict, Kind, List, ListOf, Object, Static, Tuple, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import expression
from s2sad.normal.decisions import Restart
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    NOT_KNOWN,
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
    contents,
)
from s2sad.normal.values.questions import free_names, mentions_set
from s2sad.normal.words import OF_ITEMS
from s2sad.runtime.decide import Look


def kind_of(run: Run, value: Value) -> Kind:
    if isinstance(value, Leaf):
        return value.kind
    if isinstance(value, Known):
        return Callable(value.itself) if value.can_be_called else Static(value.ask(Look.KIND))
    if isinstance(value, Tup):
        cls = tuple if value.cls is Keys else value.cls
        return Tuple(tuple(kind_of_part(run, v) for v in value.items), cls)
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, ListObj):
            return List(tuple(kind_of_part(run, v) for v in obj.items))
        if isinstance(obj, DictObj) and obj.factory is not None and not is_varied(run, value):
            return Object(obj.cls)
        if isinstance(obj, DictObj):
            return Dict(tuple((k, kind_of_part(run, v)) for k, v in obj.items.items()), obj.cls)
        return Object(obj.cls, tuple((k, kind_of_part(run, v)) for k, v in obj.attributes.items()))
    if isinstance(value, Maybe):
        return kind_of(run, value.value)
    if isinstance(value, (Closure, Method, Partial)):
        owner = value.owner if isinstance(value, Method) else None
        unknown = isinstance(owner, Leaf) and isinstance(owner.kind, (Unknown, Object))
        return Unknown() if unknown else Callable(None)  # it may be any attribute
    return Unknown()


def kind_of_part(run: Run, value: Value) -> Kind:
    """The kind of a part of a container: of what may be None, both."""
    return whole_kind(run, value) if isinstance(value, Maybe) else kind_of(run, value)


def deque_of(run: Run, items: Expr, limit: int | None) -> Expr:
    """The text that makes a deque with items that are known one by one."""
    makes = load(global_name(run, "deque", collections.deque))
    return gast.Call(makes, [items, *([] if limit is None else [gast.Constant(limit, None)])], [])


def defaultdict_of(run: Run, factory: Value, display: Any) -> Expr:
    """The text that makes a defaultdict with the items of a dict."""
    makes = load(global_name(run, "defaultdict", collections.defaultdict))
    return gast.Call(makes, [expression(run, factory), *([display] if display.keys else [])], [])


def whole_kind(run: Run, value: Value) -> Kind:
    """The kind of what a call returned that stays a call: parts that may be None are of the kind of both."""
    if isinstance(value, Maybe):
        return join_kinds(kind_of(run, value.value), Static(None), run.symbol)
    if isinstance(value, Tup):
        return Tuple(tuple(whole_kind(run, v) for v in value.items), tuple if value.cls is Keys else value.cls)
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, Instance):
        return Object(obj.cls, tuple((k, whole_kind(run, v)) for k, v in obj.attributes.items()))
    return kind_in_run(run, value)


def kind_in_run(run: Run, value: Value) -> Kind:
    """The kind of a value that stands in a container of the run, or is what a call returns: that of a defaultdict
    tells that reading it may change it."""
    if isinstance(value, Leaf) and run.lists.table_of.get(atom_key(value.expr)) in run.decisions.defaulting:
        return Object(collections.defaultdict)
    return settled_kind(run, kind_of(run, value))


def is_flat(run: Run, value: Value) -> bool:
    """Is it what `array.flat` gives? What is stored into it goes into the array, but its slices are copies."""
    if not isinstance(value, Leaf):
        return False
    if isinstance(value.expr, gast.Name):
        return value.expr.id in run.memory.flats
    return getattr(value.expr, "flat", False) is True


def is_varied_memory(run: Run, leaf: Leaf) -> bool:
    """Has anything active been stored in the memory of a leaf? One that stands in no variable, such as what a loop
    runs over, does not learn of it otherwise."""
    if not isinstance(leaf.kind, (Array, ListOf)) or not is_float_kind(leaf.kind):
        return False
    key = atom_key(leaf.expr)
    while key not in run.facts.varied:
        if key not in run.alias:
            return False
        key = run.alias[key]
    return True


@above.is_varied.answer
def is_varied(run: Run, value: Value) -> bool:
    if isinstance(value, Leaf):
        return value.varied or (not value.nested and is_varied_memory(run, value))
    if isinstance(value, Maybe):
        return is_varied(run, value.value)
    if isinstance(value, Tup):
        return any(is_varied(run, v) for v in value.items)
    if isinstance(value, Ref):
        if value.id in run.calls.asked_of:
            return False  # it holds itself: what else it holds is being asked
        run.calls.asked_of.add(value.id)
        try:
            return any(is_varied(run, v) for v in contents(run.state.heap[value.id]).values())
        finally:
            run.calls.asked_of.discard(value.id)
    if isinstance(value, Method):
        return is_varied(run, value.owner) or is_varied(run, value.function)
    if isinstance(value, (Partial, Lazy)):
        return any(is_varied(run, v) for v in value.args) or any(is_varied(run, v) for _, v in value.kwargs)
    if isinstance(value, Closure) and any(
        d is not None and is_varied(run, d) for d in (*value.defaults, *value.kw_defaults)
    ):
        return True
    if isinstance(value, Closure) and value.frame is not None:
        free = free_names(value.source.tree)
        frame: int | None = value.frame
        while frame is not None:
            for name, held in run.state.frames.get(frame, {}).items():
                if name in free and not isinstance(held, Closure) and is_varied(run, held):
                    return True
            frame = run.frames[frame].parent
    return False


def global_name(run: Run, name: str, value: Any) -> str:
    """The name under which generated code reads an object of the user's module."""
    known = run.facts.globals
    if name in known and known[name] is value:
        return name
    for other, held in known.items():
        if held is value and not isinstance(value, (int, float, str, tuple)):
            return other
    import builtins

    if getattr(builtins, name, NOT_KNOWN) is value:
        run.facts.taken.add(name)
        return name
    name = run.facts.fresh(name if name.isidentifier() else "constant", temp=False)
    known[name] = value
    return name


def infer_kind(run: Run, expr: Expr) -> Kind:
    """The kind of an expression; comprehensions and calls of users' functions in it carry their own."""
    return settled_kind(run, inferred(run, expr))


def infer_binary(run: Run, node: Any, left: Value, right: Value) -> Kind:
    """The kind of an operation that is left as it is; that of operands which were is known already."""
    kinds = []
    for value, expr in ((left, node.left), (right, node.right)):
        found = run.calls.nested_kinds.get(id(value.expr)) if type(value) is Leaf else None
        kinds.append(inferred(run, expr) if found is None else found[1])
    kind = binary_kind(type(node.op), *kinds)
    run.calls.nested_kinds[id(node)] = node, kind
    return settled_kind(run, kind)


def settled_kind(run: Run, kind: Kind) -> Kind:
    """A kind without lengths of lists and dicts, where some of these change that were not taken apart."""
    return of_any_length(run, kind) if run.decisions.lists_change else kind


def sets_of_the_run(run: Run) -> None:
    """Start again with sets that are not known at derivation."""
    if not run.decisions.sets_change:
        run.decisions.sets_change = True
        known = run.decisions.dynamic
        for site in [site for site, kind in known.items() if mentions_set(kind)]:
            del known[site]  # (it is learnt again)
        raise Restart


def keep_in_one(run: Run) -> None:
    """Start again with lists and dicts of any length, where they are not taken apart."""
    if not run.decisions.lists_change:
        run.decisions.lists_change = True
        known = run.decisions.dynamic
        known.update({site: of_any_length(run, kind) for site, kind in known.items() if kind is not None})
        raise Restart


def of_any_length(run: Run, kind: Kind) -> Kind:
    """The lists and dicts in a kind as ones that may grow."""
    if isinstance(kind, List):
        parts = [of_any_length(run, k) for k in kind.items]
        return ListOf(functools.reduce(lambda a, b: join_kinds(a, b, run.symbol), parts) if parts else Unknown())
    if isinstance(kind, ListOf):
        return ListOf(of_any_length(run, kind.item))
    if isinstance(kind, Tuple):
        return Tuple(tuple(of_any_length(run, v) for v in kind.items), kind.cls)
    return Unknown() if isinstance(kind, Dict) else kind


def inferred(run: Run, expr: Expr) -> Kind:
    for node in walk(expr):
        if type(node) in OF_ITEMS or "found_kind" in node.__dict__:
            break
    else:
        return infer(expr, run.facts)
    kinds: dict[str, Kind] = {}
    stand_in = _without_comprehensions(clone(expr), kinds)
    run.facts.kinds.update(kinds)
    try:
        return infer(stand_in, run.facts)
    finally:
        for name in kinds:
            del run.facts.kinds[name]


def _without_comprehensions(node: Any, kinds: dict[str, Kind]) -> Any:
    """The tree with names in the place of comprehensions; notes the kinds of the names."""
    if isinstance(node, (gast.ListComp, gast.GeneratorExp)) or hasattr(node, "found_kind"):
        name = f"comprehension {len(kinds)}"
        kinds[name] = getattr(node, "found_kind", None) or getattr(node, "kind", None) or Unknown()
        return load(name)
    if isinstance(node, list):
        return [_without_comprehensions(n, kinds) for n in node]
    if isinstance(node, gast.AST):
        for field_name in node._fields:
            part = getattr(node, field_name, None)
            if isinstance(part, (gast.AST, list)):
                setattr(node, field_name, _without_comprehensions(part, kinds))
    return node
