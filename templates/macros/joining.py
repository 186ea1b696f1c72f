"""Joining (of nested lists too), splitting, repeating, padding, taking and choosing."""

from __future__ import annotations

import gast
import numpy as np
from s2sad.templates.macros.basics import (
    as_array,
    as_operand,
    is_grown,
    is_static,
    known_items,
    matrix_cotangent,
    maybe_complex,
    of_rank,
)
from s2sad.templates.macros.calls import call_of
from s2sad.templates.macros.shapes import converted, reshaped

from s2sad.expansion.fit import fit, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, List, ListOf, Number, Tuple, Unknown
from s2sad.kinds.known import shape_of
from s2sad.runtime import helpers

# -- rearranging -------------------------------------------------------------------------------------------------------


@macro
def items_of(context, g, x, ndmin=0):
    """The cotangent of np.array(x, ndmin=ndmin): g itself, or its items when x is a nest of lists."""
    if g is ZERO:
        return ZERO
    g = literal(g) if is_static(g) else g
    items = x.items() if isinstance(x, Part) else None
    if items is None:
        if isinstance(x.kind, (Array, Number, Unknown)):
            value = converted(context, g, x)
            if context.y.ndim is not None and x.ndim is not None and context.y.ndim > x.ndim and not g.is_scalar:
                return reshaped(context, g, x)
            return value
        if isinstance(x.kind, ListOf):  # the adjoint of a run-time list is added to item by item
            return rows_back(context, g, x, "g", 0)
        raise context.unknown("its argument is a list whose items")
    g = as_operand(g)
    full = g if g.is_scalar else context.broadcast(g, context.y.kind)
    if full.is_scalar and context.y.ndim:
        return [_nested(context, None, item, full) for item in items]
    in_front: tuple[int, ...] = ()  # indices of the axes of length 1 that ndmin put in front
    if not (is_static(ndmin) and ndmin < 2):
        rank = _rank_of_nest(x)
        if rank is None or context.y.ndim is None:
            raise context.unknown("the rank of its items, to which ndmin adds,")
        in_front = (0,) * (context.y.ndim - rank)
    return [_nested(context, full, item, None, (*in_front, i)) for i, item in enumerate(items)]


def _rank_of_nest(item):
    """The rank of the array that a nested list becomes; None where it is not known."""
    parts = item.items()
    if not parts:
        return item.ndim if parts is None else 1
    inner = _rank_of_nest(parts[0])
    return None if inner is None else 1 + inner


def _nested(context, g, item, scalar, index=()):
    """The cotangent of one item of a nested list."""
    inner = item.items()
    if inner is None:
        if scalar is not None:
            return scalar
        text = f"g[{', '.join(map(str, index))}]"
        return context.quote(text, g=g)
    return [_nested(context, g, part, scalar, (*index, i)) for i, part in enumerate(inner)]


# -- joining and splitting ---------------------------------------------------------------------------------------------


def _sliced(context, g, axis, part):
    """g[:, ..., part] with `part` (a node, slice or index) at an axis."""
    from s2sad.expansion.fit import as_literal

    items = [gast.Slice(None, None, None) for _ in range(axis)] + [part]
    index = items[0] if axis == 0 else gast.Tuple(items, gast.Load())
    expr = gast.Subscript(as_literal(g), index, gast.Load())
    return context.operand(expr)


def _offset(total, length):
    """The sum of two lengths as an expression: numbers are added now."""
    if total is None:
        return length
    if isinstance(total, gast.Constant) and isinstance(length, gast.Constant):
        return gast.Constant(total.value + length.value, None)
    return gast.BinOp(total, gast.Add(), length)


def _length(context, x, axis):
    """The length of x along an axis, as an expression."""
    from s2sad.core import clone

    if axis == 0 and x.ndim is None and isinstance(x, Part) and x.items() is not None:
        return gast.Constant(len(x.items()), None)
    dim = x.shape[axis] if x.ndim is not None else None
    if dim is not None and dim.known:
        return gast.Constant(dim.const, None)
    if x.ndim == 1:
        return context.quote("x.size", x=x).expr
    return clone(context.quote("np.shape(x)[i]" if not isinstance(x.kind, Array) else "x.shape[i]", x=x, i=axis).expr)


def _pieces(context, g, parts, axis):
    """The parts of g along an axis, as long as those that were joined."""
    from s2sad.core import clone

    out, start = [], None
    for i, x in enumerate(parts):
        length = _length(context, x, axis) if x.ndim != 0 else gast.Constant(1, None)
        stop = _offset(clone(start) if start is not None else None, clone(length))
        last = i == len(parts) - 1
        piece = gast.Slice(clone(start) if start is not None else None, None if last else clone(stop), None)
        if context.is_active(x):
            if x.ndim == 0:
                piece = clone(start) if start is not None else gast.Constant(0, None)
            value = g if len(parts) == 1 and x.ndim != 0 else _sliced(context, g, axis, piece)
            out.append(_own_part(context, value, x))
        else:
            out.append(ZERO)
        start = stop
    return out


def _own_part(context, value, x):
    """The part of a cotangent that is x's: real where x is and as wide as x, whatever it was joined with."""
    dtype = context.y.dtype
    if context.y.is_complex and not maybe_complex(context, x):
        value = context.quote("np.real(v)", v=value)
        dtype = np.empty(0, dtype).real.dtype
    both = isinstance(x.kind, Array) and x.kind.shape and dtype is not None and x.dtype is not None
    if both and dtype.kind == x.dtype.kind and dtype != x.dtype:
        value = context.quote("v.astype(x.dtype)", v=value, x=x)
    return Operand(value.expr, x.kind)


def _all_scalars(context, g, parts):
    return [g if context.is_active(x) else ZERO for x in parts]


def rows_back(context, g, items, text, axis):
    """The adjoint of an array that has an item of a list in each place along an axis; `text`: its rows, of g."""
    g = as_operand(g)
    if g.is_scalar and context.y.ndim == 1:
        return Operand(context.quote("[g] * len(y)", g=g, y=context.y).expr, items.kind)
    g = context.broadcast(g, context.y.kind)
    if axis:
        return context.quote(f"np.moveaxis(g, {axis}, 0)", g=g)
    return context.quote(text, g=g)


def pieces_back(context, g, items, axis):
    """The adjoint of the items of a list that were put one behind the other along an axis."""
    g = context.broadcast(as_operand(g), context.y.kind)
    length, along = ("len(v)", "") if axis == 0 else (f"v.shape[{axis}]", f", axis={axis}")
    text = f"np.split(g, np.cumsum([{length} for v in items])[:-1]{along})"
    return Operand(context.quote(text, g=g, items=items).expr, items.kind)


def _grown_back(context, g, items, how, axis=0):
    """The adjoint of a list that was given to np.stack, np.concatenate, np.vstack, np.hstack, ...."""
    if not isinstance(axis, int):
        raise context.unknown("the axis")
    rank = shape_of(items.kind.item)
    rank = None if rank is None else len(rank)
    if how == "stack":
        return rows_back(context, g, items, *(("g.T", 0) if rank == 1 and axis in (1, -1) else ("g", axis)))
    if how == "concatenate":
        return pieces_back(context, g, items, axis)
    if rank is None:
        raise context.unknown("the ranks of the arrays")
    own = {"v": 2, "h": 1, "c": 2, "d": 3}[how]  # items of a lesser rank get one new axis or more
    if rank >= own:
        return pieces_back(context, g, items, {"v": 0, "h": min(rank - 1, 1), "c": 1, "d": 2}[how])
    if how == "d":
        return rows_back(context, g, items, *({0: ("g[0, 0]", 0), 1: ("g[0].T", 0), 2: ("g", 2)}[rank]))
    text = {("v", 0): "g[:, 0]", ("v", 1): "g", ("h", 0): "g", ("c", 0): "g[0]", ("c", 1): "g.T"}
    return rows_back(context, g, items, text[how, rank], 0)


@macro
def concatenate_back(context, g, arrays, axis):
    """The parts of the adjoint of np.concatenate."""
    if is_grown(arrays):
        return _grown_back(context, g, arrays, "concatenate", axis)
    items = known_items(context, arrays)
    g = matrix_cotangent(context, as_operand(g))
    if g.is_scalar and all(x.ndim is not None or x.items() is not None for x in items):
        return _all_scalars(context, g, items)
    g = context.broadcast(g, context.y.kind)
    if axis is None:
        pieces, start = [], None

        for x in items:
            size = context.quote("np.size(x)", x=x).expr
            stop = _offset(start, size)
            piece = _sliced(context, g, 0, gast.Slice(start, stop, None))
            pieces.append(_own_part(context, reshaped(context, piece, x), x) if context.is_active(x) else ZERO)
            start = stop
        return pieces
    if not is_static(axis):
        raise context.unknown("the axis")
    rank = next((x.ndim for x in items if x.ndim is not None), None)
    if axis < 0:
        if rank is None:
            raise context.unknown("with a negative axis the rank")
        axis += rank
    return _pieces(context, g, items, axis)


@macro
def stack_back(context, g, arrays, axis):
    """The parts of the adjoint of np.stack."""
    if is_grown(arrays):
        return _grown_back(context, g, arrays, "stack", axis)
    items = known_items(context, arrays)
    g = matrix_cotangent(context, as_operand(g))
    if g.is_scalar and all(x.ndim is not None or x.items() is not None for x in items):
        return _all_scalars(context, g, items)
    g = context.broadcast(g, context.y.kind)
    if axis < 0:
        if items[0].ndim is None:
            raise context.unknown("with a negative axis the rank")
        axis += items[0].ndim + 1
    out = []
    for i, x in enumerate(items):
        value = _sliced(context, g, axis, gast.Constant(i, None)) if context.is_active(x) else ZERO
        out.append(value if value is ZERO else _own_part(context, value, x))
    return out


@macro
def joined_back(context, g, arrays, how):
    """The parts of the adjoint of np.vstack, hstack, dstack and column_stack."""
    if is_grown(arrays):
        return _grown_back(context, g, arrays, how)
    items = known_items(context, arrays)
    g = matrix_cotangent(context, as_operand(g))
    ranks = [x.ndim for x in items]
    if None in ranks:
        raise context.unknown("the ranks of the arrays")
    if g.is_scalar:
        return _all_scalars(context, g, items)
    if how == "h":
        return _pieces(context, g, items, 0 if max(ranks) <= 1 else 1)
    axis = {"v": 0, "c": 1, "d": 2}[how]
    if how in "vc" and all(r <= 1 for r in ranks):
        out = []
        for i, x in enumerate(items):
            value = _sliced(context, g, axis, gast.Constant(i, None)) if context.is_active(x) else ZERO
            if value is not ZERO and x.ndim == 0:
                value = context.quote("v[0]", v=value)
            out.append(value if value is ZERO else _own_part(context, value, x))
        return out

    out, start = [], gast.Constant(0, None)
    for x in items:
        flat = x.ndim <= {"v": 1, "c": 1, "d": 2}[how]
        length = gast.Constant(1, None) if flat else _length(context, x, axis)
        stop = _offset(start, length)
        if not context.is_active(x):
            out.append(ZERO)
        elif flat and how in "vc":
            out.append(_own_part(context, _sliced(context, g, axis, start), x))
        else:
            piece = _sliced(context, g, axis, gast.Slice(start, stop, None))
            out.append(_own_part(context, reshaped(context, piece, x) if flat else piece, x))
        start = stop
    return out


@macro
def split_back(context, g, a, axis):
    """The parts of the cotangent of np.split joined; a part without one is zero."""
    if not isinstance(g, (list, tuple)):
        raise context.unknown("the number of its results")
    parts = context.y.kind.items if isinstance(context.y.kind, (Tuple, List)) else [None] * len(g)
    from s2sad.expansion.fit import as_literal

    exprs = []
    names = context.y.expr.elts if isinstance(context.y.expr, (gast.Tuple, gast.List)) else None
    for i, piece in enumerate(g):
        if piece is ZERO:
            if names is None:
                raise context.refuse("its results must be unpacked", ways.UNPACK)
            exprs.append(context.quote("np.zeros_like(y)", y=Operand(names[i], parts[i])).expr)
        else:
            exprs.append(as_literal(piece))
    if all(p is ZERO for p in g):
        return ZERO
    call = context.quote(
        "np.concatenate(p)" if axis == 0 else "np.concatenate(p, axis=i)", p=gast.List(exprs, gast.Load()), i=axis
    )
    return Operand(call.expr, a.kind)


@macro
def split_axis(context, a, how):
    """The axis of np.hsplit, vsplit, dsplit."""
    return {"h": 0 if a.ndim == 1 else 1, "v": 0, "d": 2}[how]


# -- repeating, padding, taking ----------------------------------------------------------------------------------------


@macro
def tile_back(context, g, a, reps):
    """The adjoint of np.tile: the copies added."""
    counts = reps if is_static(reps) else None
    if counts is not None and not isinstance(counts, (tuple, list)):
        counts = (counts,)
    if counts is None or a.ndim is None:
        return Operand(call_of(context, helpers.tile_back, g, a, reps), a.kind)
    if a.is_scalar:
        return context.quote("np.sum(g)", g=g)
    rank = max(len(counts), a.ndim)
    counts = (1,) * (rank - len(counts)) + tuple(counts)

    shape, axes = [], []
    for i, times in enumerate(counts):
        own = i - (rank - a.ndim)
        if times != 1 or own < 0:
            axes.append(len(shape))
            shape.append(gast.Constant(times, None))
        if own >= 0:
            shape.append(_length(context, a, own))
    if not axes:
        return g
    value = context.quote(
        "np.sum(g.reshape(s), axis=i)",
        g=g,
        s=gast.Tuple(shape, gast.Load()),
        i=axes[0] if len(axes) == 1 else tuple(axes),
    )
    return Operand(value.expr, a.kind)


@macro
def repeat_back(context, g, a, repeats, axis):
    """The adjoint of np.repeat: the copies added."""
    axis = None if a.ndim == 0 else axis
    if is_static(repeats) and isinstance(repeats, int) and a.ndim is not None and is_static(axis):
        if a.is_scalar:
            return context.quote("np.sum(g)", g=g)
        if axis is None and a.ndim != 1:
            flat = context.quote("g.reshape(a.size, n)", g=g, a=a, n=repeats)
            return reshaped(context, _summed_copies(context, flat, 2, 1, repeats), a)
        at = 0 if axis is None else axis % a.ndim
        shape = [_length(context, a, i) for i in range(a.ndim)]
        shape.insert(at + 1, gast.Constant(repeats, None))
        parts = context.quote("g.reshape(s)", g=g, s=gast.Tuple(shape, gast.Load()))
        return Operand(_summed_copies(context, parts, a.ndim + 1, at + 1, repeats).expr, a.kind)
    return Operand(call_of(context, helpers.repeat_back, g, a, repeats, *([] if axis is None else [axis])), a.kind)


def _summed_copies(context, x, rank, axis, length):
    """x summed over an axis of a known length. np.sum begins anew for each of its rows, which is most of its work where
    they are short; np.einsum does not."""
    if length >= 32:
        return context.quote("np.sum(x, axis=a)", x=x, a=axis)
    letters = "ijklmnopqrstuvwxyz"[:rank]
    return context.quote("np.einsum(s, x)", s=f"{letters}->{letters.replace(letters[axis], '')}", x=x)


@macro
def pad_back(context, g, array, pad_width, mode):
    """The adjoint of np.pad."""
    if not is_static(mode):
        raise context.unknown("the mode")
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        raise context.refuse(f"mode {mode!r} has no rule")
    if mode == "constant" and is_static(pad_width) and array.ndim:
        pairs = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
        items = []
        for before, after in pairs:
            if not before and not after:
                items.append(gast.Slice(None, None, None))
                continue
            lower = gast.Constant(before, None) if before else None
            upper = gast.UnaryOp(gast.USub(), gast.Constant(after, None)) if after else None
            items.append(gast.Slice(lower, upper, None))
        while len(items) > 1 and items[-1].lower is items[-1].upper is None:
            items.pop()
        index = items[0] if len(items) == 1 else gast.Tuple(items, gast.Load())
        return Operand(context.quote("g[i]", g=g, i=index).expr, array.kind)
    return Operand(call_of(context, helpers.pad_back, g, array, pad_width, mode), array.kind)


@macro
def take_back(context, g, a, indices, axis):
    """The adjoint of np.take: scattered, adding where an index repeats."""
    return Operand(call_of(context, helpers.take_back, g, a, indices, *([] if axis is None else [axis])), a.kind)


@macro
def clip_part(context, g, a, low, high, which):
    """The adjoints of np.clip(a, low, high); at a bound both share evenly."""
    if g is ZERO:
        return ZERO
    x, b, c = a, low, high
    has_low, has_high = low is not None, high is not None
    if which == "a":
        inner = {"b": "np.where(x == b, 0.5 * g, g * (x > b))", "c": "np.where(x == c, 0.5 * g, g * (x < c))"}
        if context.y.dtype == np.dtype(float) and not context.y.is_scalar:
            inner = {"b": "g * ((x > b) + 0.5 * (x == b))", "c": "g * ((x < c) + 0.5 * (x == c))"}
        value = as_operand(g)
        if has_low:
            value = context.quote(inner["b"], x=x, b=b, g=value)
        if has_high:
            if has_low:
                value = context.local("g", value)
            value = context.quote(inner["c"], x=x, c=c, g=value)
        return value
    if which == "low":
        if high is None:
            return context.quote("np.where(x == b, 0.5 * g, g * (x < b))", x=x, b=b, g=g)
        return context.quote("np.where(b >= c, 0.0, np.where(x == b, 0.5 * g, g * (x < b)))", x=x, b=b, c=c, g=g)
    if low is None:
        return context.quote("np.where(x == c, 0.5 * g, g * (x > c))", x=x, c=c, g=g)
    return context.quote("np.where(np.maximum(x, b) == c, 0.5 * g, g * (np.maximum(x, b) > c))", x=x, b=b, c=c, g=g)


@macro
def append_call(context, a, b, axis):
    """np.append"""
    return context.quote("np.append(a, b)" if axis is None else "np.append(a, b, axis=i)", a=a, b=b, i=axis)


@macro
def pad_call(context, dx, pad_width, mode):
    """np.pad, with zeros for constants"""
    if dx is ZERO:
        return ZERO
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        raise context.refuse(f"mode {mode!r} has no rule")
    return context.quote("np.pad(x, w)" if mode == "constant" else "np.pad(x, w, m)", x=dx, w=pad_width, m=mode)


@macro
def meshgrid_back(context, g, i, arrays, x, sparse, indexing):
    """The adjoint of one vector of np.meshgrid: its grid summed along the others."""
    of_rank(context, x, 0, 1)
    if g is ZERO or not context.is_active(x):
        return ZERO
    n = len(arrays)
    own = {0: 1, 1: 0}.get(i, i) if indexing == "xy" and n > 1 else i
    others = tuple(k for k in range(n) if k != own)
    if sparse:
        return reshaped(context, as_operand(g), x)
    if not others:
        return g
    value = context.quote("np.sum(g, axis=i)", g=g, i=others[0] if len(others) == 1 else others)
    return value if x.ndim == 1 else reshaped(context, value, x)


@macro
def unbroadcast_part(context, g, i, x):
    """The adjoint of one array of np.broadcast_arrays."""
    if g is ZERO or not context.is_active(x):
        return ZERO
    kinds = context.y.kind.items if isinstance(context.y.kind, Tuple) else ()
    virtual = kinds[i] if i < len(kinds) else g.kind
    return fit(g, virtual, x, context.facts, context.sources)


@macro
def choose_back(context, g, a, choices):
    """The adjoints of the arrays that np.choose chooses from."""
    a = as_array(context, a)
    if isinstance(choices.kind, Array):
        wide = context.quote("g[None]", g=context.broadcast(as_operand(g), context.y.kind))
        at = context.quote("a[None]", a=a)
        return Operand(call_of(context, helpers.take_along_back, wide, choices, at, 0), choices.kind)
    out = []
    for i, x in enumerate(known_items(context, choices)):
        if context.is_active(x):
            plain = isinstance(a, Operand) and isinstance(a.kind, (Array, Number))
            index = a if plain else context.quote("np.asarray(a)", a=a)
            value = context.quote("np.where(a == i, g, 0.0)", a=index, i=i, g=g)
            out.append(fit(Operand(value.expr, context.y.kind), context.y.kind, x, context.facts, context.sources))
        else:
            out.append(ZERO)
    return out


@macro
def select_back(context, g, conditions, choices):
    """The adjoints of the arrays that np.select chooses from."""
    tests, out = known_items(context, conditions), []
    for i, x in enumerate(known_items(context, choices)):
        if not context.is_active(x):
            out.append(ZERO)
            continue
        test = tests[i]
        for earlier in tests[:i]:
            test = context.quote("t & ~e", t=test, e=earlier)
        value = context.quote("np.where(t, g, 0.0)", t=test, g=g)
        out.append(fit(Operand(value.expr, context.y.kind), context.y.kind, x, context.facts, context.sources))
    return out


@macro
def select_default_back(context, g, conditions, default):
    """The adjoint of the default of np.select."""
    if not context.is_active(default):
        return ZERO
    test = None
    for t in known_items(context, conditions):
        test = t if test is None else context.quote("a | b", a=test, b=t)
    value = context.quote("np.where(t, 0.0, g)", t=test, g=g)
    return fit(Operand(value.expr, context.y.kind), context.y.kind, default, context.facts, context.sources)


@macro
def select_tangent(context, tangents, conditions, choices, default):
    """np.select on the tangents."""
    items = known_items(context, choices)
    from s2sad.expansion.fit import as_literal

    if tangents is ZERO:
        tangents = gast.List([as_literal(context.zeros_like(x)) for x in items], gast.Load())
    call = "np.select(c, t)" if default is ZERO else "np.select(c, t, e)"
    conditions = gast.List([as_literal(c) for c in known_items(context, conditions)], gast.Load())
    return context.quote(call, c=conditions, t=tangents, e=0 if default is ZERO else default)
