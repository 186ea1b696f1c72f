"""Reads and writes of items, backwards: adjoint memory at the same place."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.analysis.layout import not_known
from s2sad.core import Expr, assign, atom_key, clone, is_constant, items_of, load, quote
from s2sad.expansion.fit import fit, helper
from s2sad.expansion.lookup import is_elementwise
from s2sad.expansion.operand import Operand
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.dims import ONE
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import shape_of
from s2sad.transform.lists import add_items, list_shadow, reverse_list_store, sum_of
from s2sad.transform.sweep import Adj, Sweep, reverses
from s2sad.transform.values import index_value, is_zero, place_in, same_array, same_shape, without_new_axes


def indexed_by_arrays(sweep: Sweep, index: Expr) -> bool:
    """Does an index pick elements by integer arrays or lists, so that one may be picked twice?"""
    for part in items_of(index):
        if isinstance(part, (gast.Slice, gast.Constant)):
            continue
        kind = sweep.kind_of(part)
        if isinstance(kind, Array):
            if kind.dtype.kind != "b":
                if kind.shape == ():
                    continue
                return True
        elif isinstance(kind, (ListKind, ListOf)):
            items = kind.items if isinstance(kind, ListKind) else (kind.item,)
            if any(not (isinstance(k, Static) or (isinstance(k, Number) and k.type is bool)) for k in items):
                return True
        elif isinstance(kind, (Unknown, TupleKind)):
            return True
    return False


def reverse_getitem(sweep: Sweep, node: Any, key: str, base: Expr, held: Adj) -> None:
    base_key = atom_key(base)
    if base_key not in sweep.facts.varied:
        return
    index = sweep.index_at(node.value.slice, node)
    kind = sweep.facts.kinds.get(base_key, Unknown())
    if isinstance(kind, ListOf):
        buffer = list_shadow(sweep, base)
        target = gast.Subscript(buffer, clone(index), gast.Store())
        if isinstance(kind.item, Number):
            sweep.write(gast.AugAssign(target, gast.Add(), clone(held.expr)))
        else:
            read = gast.Subscript(clone(buffer), clone(index), gast.Load())
            if isinstance(kind.item, ListOf):
                add_items(sweep, kind.item, read, held.expr)
            else:
                sweep.write(assign(target, sum_of(sweep, kind.item, read, held.expr)))
        return
    if isinstance(kind, Number):  # a NumPy number under a mask: an array of it, or of nothing
        total = quote(f"{sweep.numpy()}.sum(g)", g=held.expr)
        sweep.contribute(base, Operand(total, Number(np.float64)))
        return
    if sweep.is_broadcast(base_key):
        g = sweep.zeros_of(base_key)
        add_at(sweep, load(g), index, held.expr, turned=False)
        sweep.through_broadcast(base_key, Operand(load(g), kind))
        return
    shadow = sweep.shadow(base_key)
    if shadow is None and not sweep.is_turned(base_key):
        back = without_new_axes(index)
        full = infer(node.value, sweep.facts)
        if back is not None and isinstance(held.kind, Array) and same_shape(held.kind, full):
            value = gast.Subscript(clone(held.expr), back, gast.Load())
            sweep.contribute(base, Operand(value, sweep.kind(value)))
            return
    buffer = shadow if shadow is not None else sweep.buffer(base_key)
    add_at(sweep, buffer, index, held.expr, turned=sweep.is_turned(base_key))


def add_at(sweep: Sweep, buffer: Expr, index: Expr, value: Expr, *, turned: bool) -> None:
    """Add to a part of adjoint memory, or subtract; repeated indices accumulate."""
    if indexed_by_arrays(sweep, index):
        way = "subtract" if turned else "add"
        where = index_value(index)
        value = spread(sweep, buffer, index, value)
        sweep.write(gast.Expr(quote(f"{sweep.numpy()}.{way}.at(b, i, g)", b=buffer, i=where, g=value)))
        return
    place = gast.Subscript(clone(buffer), clone(index), gast.Store())
    sweep.write(gast.AugAssign(place, gast.Sub() if turned else gast.Add(), clone(value)))


def spread(sweep: Sweep, buffer: Expr, index: Expr, value: Expr) -> Expr:
    """What is added at some positions, an item for each of them where NumPy asks for that.

    Into an array with one axis, `np.add.at` (of NumPy 2.4) adds a row to a matrix of positions as if it were as long as
    the matrix has elements: it reads what lies behind the row.
    """
    parts = items_of(index)
    parts = [p for p in parts if not is_constant(p, ...)]
    if len(parts) != 1:
        return value
    kind, shape = sweep.kind_of(parts[0]), shape_of(sweep.kind(value))
    base, at = shape_of(sweep.kind(buffer)), shape_of(kind)
    one_axis = (base is None or len(base) == 1) and (shape is None or (len(shape) == 1 and shape[0] != ONE))
    if not one_axis or (at is not None and len(at) == 1) or (shape is not None and shape == at):
        return value
    like = parts[0] if isinstance(kind, Array) else gast.Subscript(buffer, index_value(index), gast.Load())
    return quote(f"{sweep.numpy()}.broadcast_to(g, x.shape)", g=value, x=clone(like))


def reverse_store(sweep: Sweep, node: Any, target: Any) -> None:
    base_key = atom_key(target.value)
    kind = sweep.facts.kinds.get(base_key, Unknown())
    if isinstance(kind, ListOf):
        reverse_list_store(sweep, node, target)
        return
    if overwrites_all(sweep, base_key, target.slice, node.value):
        reverse_overwrite(sweep, node, base_key)
        return
    buffer = store_buffer(sweep, base_key)
    if buffer is None:
        return
    index = sweep.index_at(target.slice, node)
    read = place_in(buffer, index)
    cotangent = taken_out(sweep, target.value, index, read) if sweep.active_atoms(node.value) else None
    write = clone(read)
    write.ctx = gast.Store()
    zeroing = assign(write, gast.Constant(0.0, None))
    zeroing.zeroing = True
    sweep.write(zeroing)
    if cotangent is not None:  # behind the zeroing: what was stored may come from the same memory
        distribute(sweep, node.value, cotangent, node)


def overwrites_all(sweep: Sweep, key: str, index: Expr, value: Expr) -> bool:
    """Does a store overwrite a whole array that is no view with another, `y[...] = t`?"""
    whole = is_constant(index, ...)
    if not whole or key in sweep.memory.alias or isinstance(value, (gast.Tuple, gast.List)):
        return False
    if key in sweep.memory.choices:
        return False
    held, full = sweep.adjoints.get(key), sweep.facts.kinds.get(key, Unknown())
    if same_array(full, sweep.kind(value)):
        return True
    return held is not None and same_array(full, held.kind) and isinstance(sweep.kind(value), Number)


def reverse_overwrite(sweep: Sweep, node: Any, key: str) -> None:
    """What the array held is gone: its adjoint is that of the value, and what it held before gets a new one."""
    held = sweep.adjoints.pop(key, None)
    sweep.masks.pop(key, None)
    if held is None or is_zero(held.expr) or not sweep.active_atoms(node.value):
        return
    cotangent = Operand(held.expr, held.kind)
    if isinstance(sweep.kind(node.value), Number):
        cotangent = fit(cotangent, held.kind, sweep.operand(node.value, node), sweep.facts)
    sweep.contribute(node.value, cotangent, sole=held.owned)


def store_buffer(sweep: Sweep, key: str) -> Expr | None:
    """The adjoint memory that a store reads; None where nothing depends on what was stored."""
    base = stored_base(sweep, key)
    if not is_needed(sweep, base):
        return None
    if base not in sweep.memory.choices:
        sweep.buffer(base)
    shadow = sweep.shadow(key)
    return shadow if shadow is not None else sweep.buffer(key)


def is_needed(sweep: Sweep, base: str) -> bool:
    """Has a name an adjoint by now, or what it may be?"""
    choice = sweep.memory.choices.get(base)
    if choice is not None:
        return any(is_needed(sweep, stored_base(sweep, home)) for home in choice.homes)
    held = sweep.adjoints.get(base)
    return held is not None and not is_zero(held.expr)


def stored_base(sweep: Sweep, key: str) -> str:
    """The name of which another is a view, that is stored through."""
    base = key
    places = sweep.memory.definitions.get(base, [])
    while base in sweep.memory.alias and len(places) == 1 and not getattr(places[0].statement, "copy", False):
        if not sweep.memory.overwritten_after(base, None, places[0]):
            break
        view = sweep.view_parts(places[0].statement, base)
        if view is None:
            raise not_known(sweep.statement, sweep.source)
        base = view[0]
        places = sweep.memory.definitions.get(base, [])
    return base


def taken_out(
    sweep: Sweep, base: Expr, index: Expr, read: Expr, *, negative: bool = False, scatter: bool = False
) -> Operand:
    """The adjoint of the place where something was stored, as a value of its own.

    Args:
        base, index: where it was stored.
        read: that place in the adjoint memory.
        negative: for what was subtracted.
        scatter: did repeated indices accumulate?
    """
    region = sweep.kind(gast.Subscript(clone(base), clone(index), gast.Load()))
    value: Expr = read
    by_arrays = indexed_by_arrays(sweep, index)
    if by_arrays and not scatter:
        from s2sad.runtime import helpers

        name = helper(helpers.stored_cotangent, sweep.facts)
        value = gast.Call(load(name), [clone(read.value), index_value(index)], [])
    if negative != sweep.is_turned(atom_key(base)):
        value = gast.UnaryOp(gast.USub(), value)
    elif not by_arrays and not isinstance(region, Number):
        value = gast.Call(gast.Attribute(read, "copy", gast.Load()), [], [])
    g = sweep.facts.fresh("g")
    sweep.facts.kinds[g] = region
    sweep.write(assign(g, value))
    return Operand(load(g), region)


def distribute(sweep: Sweep, value: Expr, cotangent: Operand, node: Any) -> None:
    """Contribute the cotangent of a stored value to its atoms, undoing the broadcast of the store."""
    if not sweep.active_atoms(value):
        return
    if isinstance(value, (gast.Tuple, gast.List)):
        distribute_items(sweep, value, of_display(sweep, value, cotangent, node), node)
        return
    stands = sweep.operand(value, node)
    if shape_of(stands.kind) != shape_of(cotangent.kind):  # then it may be asked for its shape, in the run
        stands = Operand(sweep.at(giving_shape(sweep, value), node), stands.kind)
    fitted = fit(cotangent, cotangent.kind, stands, sweep.facts)
    if isinstance(stands.kind, ListOf):  # what was stored out of a list is an array
        fitted = Operand(fitted.expr, Unknown())
    sweep.contribute(value, fitted, sole=isinstance(fitted.expr, gast.Name) and not isinstance(cotangent.kind, Number))


def giving_shape(sweep: Sweep, value: Expr) -> Expr:
    """The array that an elementwise function of it and of numbers has the shape and dtype of: x of `t = 2.0 * x`.

    It stands before t does: where the shape is all that is asked, t is not kept.
    """
    definitions, memory = sweep.memory.definitions, sweep.memory
    while isinstance(value, gast.Name):
        places = definitions.get(value.id, [])
        application = getattr(places[0].statement, "apply", None) if len(places) == 1 else None
        if application is None or application[2] or not is_elementwise(application[0]):
            break
        arrays = [a for a in application[1] if not isinstance(kind_of_atom(a, sweep.facts), Number)]
        if len(arrays) != 1 or not isinstance(arrays[0], gast.Name):
            break
        name = arrays[0].id
        kind, own = sweep.facts.kinds.get(name), sweep.facts.kinds.get(value.id)
        same = isinstance(kind, Array) and isinstance(own, Array) and kind.dtype == own.dtype
        if not same or len(definitions.get(name, [])) > 1 or memory.is_overwritten(name):
            break
        value = arrays[0]
    return value


def distribute_items(sweep: Sweep, value: Any, cotangent: Operand, node: Any) -> None:
    """The same for the items of a display, of which the cotangent has the shape."""
    shape, have = shape_of(kind_of_atom(value, sweep.facts)), shape_of(cotangent.kind)
    left_out = shape is not None and have is not None and len(have) < len(shape)  # the display has one item
    for i, part in enumerate(value.elts):
        if sweep.active_atoms(part):
            item = gast.Subscript(clone(cotangent.expr), gast.Constant(i, None), gast.Load())
            of_part = cotangent if left_out else Operand(item, sweep.kind(item))
            whole = isinstance(part, (gast.Tuple, gast.List))
            (distribute_items if whole else distribute)(sweep, part, of_part, node)


def of_display(sweep: Sweep, value: Expr, cotangent: Operand, node: Any) -> Operand:
    """The cotangent of a display that was stored: the store may have broadcast it, `a[:] = [s, t]` to many rows."""
    region = cotangent.kind
    shape = shape_of(kind_of_atom(value, sweep.facts))
    kind = Array(region.dtype, shape) if isinstance(region, Array) else Unknown()
    fitted = fit(cotangent, region, Operand(sweep.at(value, node), kind), sweep.facts)
    if isinstance(fitted.expr, gast.Name):
        return fitted
    name = sweep.facts.fresh("g")  # its items are taken one by one
    sweep.facts.kinds[name] = fitted.kind
    sweep.write(assign(name, fitted.expr))
    return Operand(load(name), fitted.kind)


@reverses(gast.AugAssign)
def reverse_AugAssign(sweep: Sweep, node: Any) -> None:
    target = node.target
    if isinstance(target, gast.Name):
        target = gast.Subscript(load(target.id), gast.Constant(Ellipsis, None), gast.Load())
    key = atom_key(target.value)
    buffer = store_buffer(sweep, key)
    if buffer is None:
        return
    if not sweep.active_atoms(node.value):
        if isinstance(node.op, (gast.Mult, gast.Div)):
            # to the lowering it was no active value yet: another name of its memory may have made it one
            place = gast.Subscript(clone(buffer), sweep.index_at(target.slice, node), gast.Store())
            sweep.write(gast.AugAssign(place, type(node.op)(), clone(node.value)))
        return
    index = sweep.index_at(target.slice, node)
    read = place_in(buffer, index)
    negative = isinstance(node.op, gast.Sub)
    distribute(sweep, node.value, taken_out(sweep, target.value, index, read, negative=negative), node)
