"""Lists of the run, backwards: shadow lists, with the adjoints of the items."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.headers import is_range
from s2sad.core import Expr, Stmt, assign, atom_key, clone, is_constant, leaves, load, quote, same_pattern, text
from s2sad.expansion.care import Mask
from s2sad.expansion.operand import Operand
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import in_parts
from s2sad.transform.bound import where_bound
from s2sad.transform.sweep import Adj, Again, Sweep, Taken, contributes
from s2sad.transform.values import (
    as_target,
    carries_nothing,
    copied_list,
    display,
    is_point,
    is_smaller,
    is_zero,
    leaf_kinds,
    load_target,
    same_shape,
    zero_number,
    zeros_of,
)


@contributes(ListOf)
def contribute_list(sweep: Sweep, key: str, value: Operand, sole: bool) -> None:
    """Add to the adjoint of a list, item by item."""
    kind = sweep.facts.kinds[key]
    assert isinstance(kind, ListOf)
    taken = taken_from(sweep, key)
    if taken is not None and taken.stands:
        add_items(sweep, kind, list_shadow(sweep, load(key)), value.expr)
        return
    if key not in sweep.shadows:  # what was appended or popped after this has to be followed
        sweep.shadows.add(key)
        raise Again
    held = sweep.adjoints.get(key)
    if held is not None and key in sweep.handed_in:
        add_items(sweep, kind, held.expr, value.expr)
    elif held is not None:
        sweep.hold(key, sum_of(sweep, kind, held.expr, value.expr), kind, True)
    elif not isinstance(value.kind, ListOf):
        sweep.hold(key, as_items(sweep, value.expr, kind), kind, True)
    elif isinstance(value.expr, gast.Name):
        sweep.adjoints[key] = Adj(value.expr, kind, sole)
    else:
        sweep.hold(key, value.expr, kind, sole or isinstance(value.expr, (gast.BinOp, gast.Call)))


def as_items(sweep: Sweep, value: Expr, kind: ListOf) -> Expr:
    """The adjoint of an array that was made of a list, as a list."""
    if isinstance(kind.item, ListOf):
        return quote("[rows for v in g]", rows=as_items(sweep, quote("v"), kind.item), g=value)
    if isinstance(kind.item, Number) and kind.item.type in (float, complex):
        return quote("g.tolist()", g=value)
    return quote("list(g)", g=value)


def add_items(sweep: Sweep, kind: ListOf, place: Expr, value: Expr) -> None:
    """Add one adjoint of a list to another in place, item by item."""
    if not isinstance(place, gast.Name):
        name = sweep.facts.fresh("g")
        sweep.facts.kinds[name] = kind
        sweep.write(assign(name, place))
        place = load(name)
    if not isinstance(value, gast.Name):
        name = sweep.facts.fresh("g")
        sweep.facts.kinds[name] = kind
        sweep.write(assign(name, value))
        value = load(name)
    k = sweep.facts.fresh("k", temp=False)
    sweep.facts.kinds[k] = Number(int)
    mine, theirs = (gast.Subscript(clone(e), load(k), gast.Load()) for e in (place, value))
    if isinstance(kind.item, Number):
        body: list[Stmt] = [gast.AugAssign(as_target(mine), gast.Add(), theirs)]
    elif isinstance(kind.item, ListOf):
        outer, sweep.out = sweep.out, []
        add_items(sweep, kind.item, mine, theirs)
        body, sweep.out = sweep.out, outer
    else:
        body = [assign(as_target(mine), sum_of(sweep, kind.item, mine, theirs))]
    sweep.write(gast.For(load_target(k), quote("range(len(x))", x=place), body, [], None))


def sum_of(sweep: Sweep, kind: Kind, a: Expr, b: Expr) -> Expr:
    """The sum of two adjoints in the structure of a list or of one of its items."""
    if not isinstance(kind, (ListOf, TupleKind, ListKind)):
        return gast.BinOp(clone(a), gast.Add(), clone(b))
    numbers = iter(range(1000))
    if isinstance(kind, ListOf):
        first, second, total = item_sum(sweep, kind.item, numbers)
        return quote(f"[{total} for {first}, {second} in zip(a, b)]", a=a, b=b)
    parts = []
    for k, part in enumerate(kind.items):
        one, other = (gast.Subscript(clone(e), gast.Constant(k, None), gast.Load()) for e in (a, b))
        parts.append(gast.Constant(None, None) if carries_nothing(part) else sum_of(sweep, part, one, other))
    return (gast.List if isinstance(kind, ListKind) else gast.Tuple)(parts, gast.Load())


def item_sum(sweep: Sweep, kind: Kind, numbers: Any) -> tuple[str, str, str]:
    """Targets that take two items apart, and the text of their sum."""
    k = next(numbers)
    a, b = f"v{k}", f"w{k}"
    if carries_nothing(kind):
        return a, b, "None"
    if isinstance(kind, (Number, Array)) or type(kind) is Unknown:
        return a, b, f"{a} + {b}"
    if isinstance(kind, (TupleKind, ListKind)) and kind.items:
        columns = zip(*(item_sum(sweep, part, numbers) for part in kind.items), strict=True)
        one, other, both = (", ".join(x) + "," * (len(x) == 1) for x in columns)
        return f"({one})", f"({other})", f"({both})" if isinstance(kind, TupleKind) else f"[{both}]"
    if isinstance(kind, ListOf):
        first, second, total = item_sum(sweep, kind.item, numbers)
        return a, b, f"[{total} for {first}, {second} in zip({a}, {b})]"
    raise sweep.refuse("this list holds active values of different kinds", ways.LIST_EACH)


def taken_from(sweep: Sweep, key: str) -> Taken | None:
    """Of which run-time list a name is an item, where it was read by an index."""
    if key not in sweep.taken:
        sweep.taken[key] = find_taken(sweep, key)
    return sweep.taken[key]


def find_taken(sweep: Sweep, key: str) -> Taken | None:
    places = sweep.memory.definitions.get(key, []) if sweep.memory is not None else []
    if len(places) != 1 or not isinstance(sweep.facts.kinds.get(key), ListOf):
        return None
    statement = places[0].statement
    value = statement.value if isinstance(statement, gast.Assign) else None
    if not isinstance(value, gast.Subscript) or sweep.is_atom(value) or isinstance(value.slice, gast.Slice):
        return None
    if not isinstance(sweep.facts.kinds.get(atom_key(value.value)), ListOf):
        return None
    target = statement.targets[0]
    part = next(path for path, e in leaves(target) if e.id == key)
    outer = atom_key(value.value)
    stands = not sweep.memory.moved_before_use(key, outer, counts_from_start(sweep, value.slice))
    return Taken(value.value, value.slice, part, stands)


def counts_from_start(sweep: Sweep, index: Expr) -> bool:
    """Is an index certain not to count from the end of a list?"""
    if isinstance(index, gast.Constant):
        return isinstance(index.value, int) and index.value >= 0
    found = sweep.memory.definitions.get(index.id, []) if isinstance(index, gast.Name) else []
    if len(found) != 1 or not isinstance(found[0].statement, gast.For) or not is_range(found[0].statement.iter):
        return False
    bounds = found[0].statement.iter
    bounds = bounds.args[0] if bounds.func.id == "reversed" else bounds
    known = [a.value if isinstance(a, gast.Constant) else None for a in bounds.args]
    if len(known) == 3 and (known[2] is None or known[2] < 0):
        return False
    return len(known) == 1 or (known[0] is not None and known[0] >= 0)


def in_step(sweep: Sweep, base: Expr) -> bool:
    """Has a list an adjoint by now, in which its changes have to be followed?"""
    key = atom_key(base)
    taken = taken_from(sweep, key)
    if taken is not None:
        if key not in sweep.shadows and not in_step(sweep, taken.outer):
            return False
        if not taken.stands:
            raise sweep.refuse(
                "a list that is an item of a list is changed, and which item that is changes, too",
                ways.ONE_ARRAY,
                concrete=True,
            )
        return True
    if key in sweep.shadows:
        return True
    if key in sweep.facts.varied and sweep.adjoints.get(key) is not None:
        sweep.shadows.add(key)
        raise Again
    return False


def list_shadow(sweep: Sweep, base: Expr) -> Expr:
    """The list of the adjoints of a list's items."""
    key = atom_key(base)
    taken = taken_from(sweep, key)
    if taken is not None and taken.stands:  # the adjoint of an item of a list of lists is that item of its adjoint
        return taken.within(list_shadow(sweep, taken.outer))
    if key not in sweep.shadows:
        sweep.shadows.add(key)
        raise Again
    held = sweep.adjoints.get(key)
    kind = sweep.facts.kinds[key]
    assert isinstance(kind, ListOf)
    if held is not None and not (held.owned and isinstance(held.expr, gast.Name)):  # the caller's cotangent
        name = sweep.name_for(key)
        sweep.facts.kinds[name] = kind
        sweep.write(assign(name, copied_list(kind, held.expr)))
        sweep.adjoints[key] = held = Adj(load(name), kind, True)
    if held is not None:
        return clone(held.expr)
    name = sweep.name_for(key)
    sweep.facts.kinds[name] = kind
    zeros = zeros_list(sweep, clone(base), kind)
    in_front = isinstance(sweep.statement, (gast.For, gast.While))
    sweep.write(assign(name, where_bound(sweep, key, zeros, sweep.statement) if in_front else zeros))
    sweep.adjoints[key] = Adj(load(name), kind, True)
    return load(name)


def zeros_list(sweep: Sweep, base: Expr, kind: ListOf, key: str | None = None) -> Expr:
    """Zeros in the structure of a list that may be None on a path where it has no value; `key` is its own name."""
    if isinstance(kind.item, Number) or is_point(kind.item):
        zeros = quote(f"[{zero_number(kind.item)}] * len(x)", x=base)
    else:
        names, zero = zero_item(sweep, kind.item, iter(range(1000)))
        zeros = quote(f"[{zero} for {names} in x]", x=base)
    places = sweep.memory.definitions.get(key or atom_key(base), ())
    made = [getattr(place.statement, "value", None) for place in places]
    if any(is_constant(value, None) for value in made):
        return quote("[] if x is None else zeros", x=base, zeros=zeros)
    return zeros


def zero_item(sweep: Sweep, kind: Kind, numbers: Any) -> tuple[str, str]:
    """A target that takes an item apart, and the text of zeros in its structure."""
    name = f"v{next(numbers)}"
    if carries_nothing(kind):
        return name, "None"
    if isinstance(kind, Number) or is_point(kind):
        return name, zero_number(kind)
    if isinstance(kind, (Array, Unknown)):
        return name, f"{sweep.numpy()}.zeros_like({name})"
    if isinstance(kind, TupleKind):
        parts = [zero_item(sweep, k, numbers) for k in kind.items]
        return f"({', '.join(p for p, _ in parts)},)", f"({', '.join(z for _, z in parts)},)"
    if isinstance(kind, ListKind) and kind.items:
        parts = [zero_item(sweep, k, numbers) for k in kind.items]
        return f"({', '.join(p for p, _ in parts)},)", f"[{', '.join(z for _, z in parts)}]"
    if isinstance(kind, ListOf):
        if isinstance(kind.item, Number):
            return name, f"[{zero_number(kind.item)}] * len({name})"
        inner, zero = zero_item(sweep, kind.item, numbers)
        return name, f"[{zero} for {inner} in {name}]"
    raise sweep.refuse("this list holds active values of different kinds", ways.LIST_EACH)


def reverse_append(sweep: Sweep, node: Any, call: Any) -> None:
    if not in_step(sweep, call.func.value):
        return
    buffer = list_shadow(sweep, call.func.value)
    *place, item = call.args
    pop = gast.Call(gast.Attribute(buffer, "pop", gast.Load()), clone(place), [])
    key = atom_key(call.func.value)
    kind = sweep.facts.kinds[key]
    assert isinstance(kind, ListOf)
    parts: list[tuple[Expr, str]] = []
    sweep.write(assign(parts_of(sweep, item, kind.item, parts, True), pop))
    for position, (part, name) in enumerate(parts):
        own = sweep.facts.kinds[name]
        sweep.contribute(part, Operand(load(name), own), sole=isinstance(own, ListOf))
        held = sweep.adjoints.get(atom_key(part)) if not isinstance(part, gast.Constant) else None
        if (key, position) in sweep.masked and held is not None and text(held.expr) == name:
            # what a mask made zero stays zero, whatever the slopes are
            nonzero = gast.Compare(load(name), [gast.NotEq()], [gast.Constant(0.0, None)])
            sweep.masks[atom_key(part)] = held, Mask(nonzero, False, Operand(load(name), own))


def parts_of(sweep: Sweep, item: Expr, kind: Kind, parts: list[tuple[Expr, str]], whole: bool = False) -> Expr:
    """A target that takes the adjoint of an item apart as the item was put together, with a name for each part."""
    kinds: tuple[Kind, ...] | None = None
    if isinstance(item, (gast.Tuple, gast.List)):
        kinds = kind.items if in_parts(kind) else None
        kinds = (kind.item,) * len(item.elts) if isinstance(kind, ListOf) else kinds
    if kinds is not None:
        made = [parts_of(sweep, e, k, parts) for e, k in zip(item.elts, kinds, strict=True)]
        return gast.Tuple(made, gast.Store())
    name = sweep.facts.fresh("g")
    sweep.facts.kinds[name] = sweep.kind_of(item) if whole else kind
    parts.append((item, name))
    return gast.Name(name, gast.Store(), None, None)


def reverse_pop(sweep: Sweep, node: Any, keys: list[str]) -> None:
    base = node.value.func.value
    key = atom_key(base)
    held = [sweep.adjoints.pop(k, None) for k in keys]
    if key not in sweep.facts.varied:
        return
    if not in_step(sweep, base) and all(h is None for h in held):
        return
    buffer = list_shadow(sweep, base)
    for k, h in zip(keys, held, strict=True):
        changed = isinstance(sweep.facts.kinds.get(k), ListOf) and sweep.memory.is_overwritten(k)
        if h is None and changed and k in sweep.facts.varied and k not in sweep.shadows:
            sweep.shadows.add(k)
            raise Again
    for position, k in enumerate(keys):
        if sweep.masks.pop(k, None) is not None:
            sweep.masked.add((key, position))
    parts = [
        zero_of(sweep, k, node, after=True) if h is None else shaped(sweep, h, k)
        for h, k in zip(held, keys, strict=True)
    ]
    kind = sweep.facts.kinds[key]
    assert isinstance(kind, ListOf)
    item = display(kind.item, parts)
    place = clone(node.value.args)
    name = "insert" if place else "append"
    sweep.write(gast.Expr(gast.Call(gast.Attribute(buffer, name, gast.Load()), [*place, item], [])))


def shaped(sweep: Sweep, held: Adj, key: str) -> Expr:
    kind = sweep.facts.kinds.get(key, Unknown())
    if isinstance(kind, Array) and not (isinstance(held.kind, Array) and same_shape(held.kind, kind)):
        return quote(f"{sweep.numpy()}.full_like(x, g)", x=key, g=held.expr)
    if isinstance(kind, Either) and is_smaller(held.kind, kind.array) and not is_zero(held.expr):
        return sweep.as_large(key, held.expr, held.kind)
    if isinstance(kind, ListOf) and not held.owned:
        return copied_list(kind, held.expr)
    return clone(held.expr)


def zero_of(sweep: Sweep, key: str, node: Any = None, after: bool = False) -> Expr:
    """Zero in the form of a value; a list has the length that it has before or after a statement."""
    kind = sweep.facts.kinds.get(key, Unknown())
    if carries_nothing(kind):
        return gast.Constant(None, None)
    if isinstance(kind, Number):
        return gast.Constant(0.0, None)
    if isinstance(kind, ListOf):
        return zeros_list(sweep, quote(key) if node is None else sweep.at(quote(key), node, after), kind, key)
    return zeros_of(sweep.numpy(), key, kind)


def reverse_tuple_item(sweep: Sweep, node: Any, keys: list[str]) -> None:
    base, index = node.value.value, sweep.index_at(node.value.slice, node)
    key = atom_key(base)
    held = [sweep.adjoints.pop(k, None) for k in keys]
    if all(h is None for h in held) or key not in sweep.facts.varied:
        return
    for k, h in zip(keys, held, strict=True):
        if h is not None:
            check_unchanged(sweep, k, node)
    buffer = list_shadow(sweep, base)
    names = []
    for k in keys:
        name = sweep.facts.fresh("g")
        sweep.facts.kinds[name] = sweep.facts.kinds[k]
        names.append(name)
    read = gast.Subscript(clone(buffer), clone(index), gast.Load())
    sweep.write(assign(same_pattern(node.targets[0], names), read))
    parts: list[Expr] = []
    for name, own in zip(names, held, strict=True):
        part = sweep.facts.kinds[name]
        if own is not None and isinstance(part, ListOf):
            add_items(sweep, part, load(name), own.expr)
        parts.append(
            load(name) if own is None or isinstance(part, ListOf) else sum_of(sweep, part, load(name), own.expr)
        )
    whole = sweep.facts.kinds[key]
    assert isinstance(whole, ListOf)
    sweep.write(assign(gast.Subscript(buffer, clone(index), gast.Store()), display(whole.item, parts)))


def check_unchanged(sweep: Sweep, key: str, node: Any) -> None:
    """An item of a list of lists has an adjoint of its own only where nobody changes the item afterwards."""
    if not isinstance(sweep.facts.kinds.get(key), ListOf):
        return
    if sweep.memory.overwritten_after(key, None, sweep.memory.places[id(node)]):
        raise sweep.refuse(
            "a list that is an item of a list is changed after it is read",
            ways.ONE_ARRAY,
            concrete=True,
        )


def reverse_list_store(sweep: Sweep, node: Any, target: Any) -> None:
    if not in_step(sweep, target.value):
        return
    buffer = list_shadow(sweep, target.value)
    kind = sweep.facts.kinds[atom_key(target.value)]
    assert isinstance(kind, ListOf)
    kinds = list(leaf_kinds(kind.item))
    names = [sweep.facts.fresh("g") for _ in kinds]
    sweep.facts.kinds.update(zip(names, kinds, strict=True))
    taken = same_pattern(display(kind.item, [load(n) for n in names]), names)
    index = sweep.index_at(target.slice, node)
    read = gast.Subscript(clone(buffer), clone(index), gast.Load())
    sweep.write(assign(taken, read))
    found = leaves(node.value) if in_parts(kind.item) else [((), node.value)]
    stood = sweep.memory.put_back(node)
    back = {k for k, (path, _) in enumerate(found) if path in stood}
    shapes = getattr(node, "old_shapes", {})
    old = [shapes.get(path) for path, _ in leaves(display(kind.item, [load(n) for n in names]))]
    zeros = [load(n) if i in back else zero_like(sweep, n, kinds[i], old[i]) for i, n in enumerate(names)]
    sweep.write(assign(gast.Subscript(buffer, clone(index), gast.Store()), display(kind.item, zeros)))
    parts = [part for _, part in found]
    if len(parts) != len(names):
        sweep.contribute(node.value, Operand(read, kind.item))
        return
    for position, (part, name, own) in enumerate(zip(parts, names, kinds, strict=True)):
        if sweep.active_atoms(part) and position not in back:
            sweep.contribute(part, Operand(load(name), own))


def zero_like(sweep: Sweep, name: str, kind: Kind, shape: str | None = None) -> Expr:
    """Zero in the form of an adjoint that has a name, or of this shape."""
    if carries_nothing(kind):
        return gast.Constant(None, None)
    if isinstance(kind, Number):
        return gast.Constant(0.0, None)
    if isinstance(kind, (Array, Unknown)) and shape is not None:
        return quote(f"{sweep.numpy()}.zeros_like(g, shape=s)", g=name, s=shape)
    if isinstance(kind, (Array, Unknown)):
        return quote(f"{sweep.numpy()}.zeros_like(g)", g=name)
    if isinstance(kind, ListOf):
        raise sweep.refuse("a list of active values is stored into a list of lists", ways.ONE_ARRAY, concrete=True)
    raise sweep.refuse("this list holds active values of different kinds", ways.LIST_EACH)
