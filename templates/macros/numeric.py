"""Differences, gradients, sequences, covariances, insertion."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import fitted, is_static, maybe_complex
from s2sad.templates.macros.calls import call_helper, call_of
from s2sad.templates.macros.linalg import narrow
from s2sad.templates.macros.shapes import reshaped

from s2sad.expansion.fit import fit
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array
from s2sad.runtime import helpers

# -- reductions by helpers ---------------------------------------------------------------------------------------------


@macro
def diff_adjoint(context, g, x, n=1, axis=-1):
    """The adjoint of np.diff; with the length of x where x may be shorter than n."""
    if g is ZERO:
        return ZERO
    if type(n) is int and n == 1 and x.ndim is not None and is_static(axis) and x.dtype in (float, complex):
        along = "" if axis in (-1, x.ndim - 1) else f"axis={axis}, "
        return context.quote(f"-np.diff(g, {along}prepend=0.0, append=0.0)", g=g)
    g = g if g.dtype == x.dtype else narrow(context, x, g)
    if n == 1 and (x.ndim == 1 or (x.ndim is not None and is_static(axis))):
        return call_helper(context, "diff_back", x, g, n, axis)
    return call_helper(context, "diff_back", x, g, n, axis, context.quote("np.shape(x)[i]", x=x, i=axis))


@macro
def ediff1d_adjoint(context, g, x):
    """The adjoint of np.ediff1d."""
    if x.ndim == 1:
        return call_helper(context, "diff_back", x, g)
    size = context.quote("np.size(x)", x=x)
    return reshaped(context, call_helper(context, "diff_back", context.y, g, 1, -1, size), x)


@macro
def trapezoid_call(context, values, x, dx, axis):
    """np.trapezoid"""
    if values is ZERO or x is ZERO or dx is ZERO:
        return ZERO
    name = "trapezoid" if hasattr(np, "trapezoid") else "trapz"
    text = f"np.{name}(v"
    if x is not None:
        text += ", x"
    elif dx != 1.0:
        text += ", dx=h"
    if axis != -1:
        text += ", axis=i"
    return context.quote(text + ")", v=values, x=x, h=dx, i=axis)


# -- numeric -----------------------------------------------------------------------------------------------------------


@macro
def plain_windows(context, writeable):
    """Refuse windows that are to be stored into."""
    if writeable is not False:
        raise context.refuse("windows to store into have no rule", "store into the array itself")


@macro
def simple_linspace(context, retstep, axis):
    """Refuse the extras of np.linspace, which have a definition."""
    if retstep is not False or axis != 0:
        raise context.refuse("retstep and axis have no rule", "call it for each, one after the other")


@macro
def linspace_call(context, start, stop, num, endpoint):
    """np.linspace"""
    text = "np.linspace(a, b, n)" if endpoint is True else "np.linspace(a, b, n, e)"
    return context.quote(text, a=start, b=stop, n=num, e=endpoint)


@macro
def sequence_end(context, t, g, x):
    """The adjoint of an end of a sequence: the weights times the cotangent, summed."""
    if not context.is_active(x):
        return ZERO
    if x.is_scalar and context.y.ndim == 1:
        return context.quote("t @ g", t=t, g=g)
    value = context.quote("np.tensordot(t, g, 1)", t=t, g=g)
    if x.shape is not None and context.y.shape is not None:
        return fit(
            Operand(value.expr, Array(context.y.dtype, context.y.shape[1:])),
            Array(context.y.dtype, context.y.shape[1:]),
            x,
            context.facts,
            context.sources,
        )
    return Operand(call_of(context, helpers.unbroadcast, value, x), x.kind)


@macro
def gradient_call(context, df, f, varargs, axis, edge_order):
    """np.gradient"""
    _gradient_axis(context, f, varargs, axis)
    parts = {"f": df, "i": axis, "o": edge_order}
    text = "np.gradient(f"
    if varargs:
        text += ", h"
        parts["h"] = varargs[0]
    if axis is not None:
        text += ", axis=i"
    if edge_order != 1:
        text += ", edge_order=o"
    return context.quote(text + ")", **parts)


def _gradient_axis(context, f, varargs, axis):
    """The one axis along which it is taken: several, and spacings that vary, have a definition."""
    if len(varargs) > 1 or (axis is None and f.ndim != 1) or isinstance(axis, (tuple, list)):
        raise context.refuse("gradients along several axes have no rule", "call it for each, one after the other")
    if any(context.is_active(v) for v in varargs):
        raise context.refuse("the spacing has no rule", "call it for each, one after the other")
    return 0 if axis is None else axis


@macro
def gradient_back(context, g, f, varargs, axis, edge_order):
    """The adjoint of np.gradient."""
    along = _gradient_axis(context, f, varargs, axis)
    return call_helper(context, "gradient_back", f, g, varargs[0] if varargs else 1.0, along, edge_order)


@macro
def cov_ddof(context, bias, ddof):
    """The degrees of freedom that np.cov takes off. Weights and a second set of variables have a definition."""
    if any(context.env.get(name) is not None for name in ("fweights", "aweights", "y")):
        raise context.refuse("weights and other variables have no rule", "call it for each, one after the other")
    return ddof if ddof is not None else int(bias == 0)


@macro
def insert_places(context, a, obj, values, axis):
    """Where np.insert puts values: an index for each, also where several are put before one index."""
    several = isinstance(values, Operand) and values.ndim and values.ndim == (1 if axis is None else a.ndim)
    if not several or not (isinstance(obj, int) or (isinstance(obj, Operand) and obj.ndim == 0)):
        return obj
    if axis not in (None, 0):
        raise context.refuse("several slices before one index", "give the index once for each: [i] * n")
    return context.quote("np.full(len(v), i)", v=values, i=obj)


@macro
def without_inserted(context, g, a, places, values, axis):
    """The adjoint of a in np.insert: what stands before the value and behind it."""
    at, index = _one_place(a, places, values, axis)
    if at is None:
        return call_helper(context, "insert_back", a, g, a, places, axis)
    before, behind = (":, " * at + part for part in (f":{index}", f"{index + 1}:"))
    if index == 0:
        return context.quote(f"g[{behind}]", g=g)
    joined = f"np.concatenate((g[{before}], g[{behind}])" + (f", axis={at})" if at else ")")
    return Operand(context.quote(joined, g=g).expr, a.kind)


@macro
def at_inserted(context, g, a, places, values, axis):
    """The adjoint of the values in np.insert: what stands in their place."""
    at, index = _one_place(a, places, values, axis)
    if at is None:
        return call_helper(context, "insert_values_back", values, g, a, places, values, axis)
    slot = context.quote(f"g[{':, ' * at}{index}]", g=g)
    if slot.is_complex and not maybe_complex(context, values):
        slot = context.quote("v.real", v=slot)
    return fitted(context, slot, slot, values)


def _one_place(a, places, values, axis):
    """The axis and the index at which np.insert puts one value or slice, where that is known; else Nones."""
    rank = values.ndim if isinstance(values, Operand) else np.ndim(values)
    if isinstance(places, bool) or not isinstance(places, int) or a.ndim is None or rank is None:
        return None, None
    if not is_static(axis) or rank >= a.ndim or (axis is None and a.ndim != 1):
        return None, None
    return (axis or 0) % a.ndim, places if places >= 0 else places - 1


@macro
def zeros_inserted(context, g, x, obj, axis):
    """As many zeros as np.insert put into x to give the shape of g: at one index there may be several."""
    if isinstance(obj, (list, tuple)) or (isinstance(obj, Operand) and obj.ndim):
        return 0.0
    if axis is None or x.ndim == 1:
        return context.quote("np.zeros(np.size(g) - np.size(x))", g=g, x=x)
    count = "np.zeros((np.shape(g)[i] - np.shape(x)[i],) + (1,) * (np.ndim(g) - 1))"
    return context.quote(count, g=g, x=x, i=axis)


@macro
def insert_call(context, a, obj, values, axis):
    """np.insert"""
    if isinstance(obj, slice):  # no literal of its own
        obj = context.quote("slice(a, b, c)", a=obj.start, b=obj.stop, c=obj.step)
    return context.quote(
        "np.insert(a, o, v)" if axis is None else "np.insert(a, o, v, axis=i)", a=a, o=obj, v=values, i=axis
    )


@macro
def only_vector(context, v):
    """Refuse stacks of vectors, and complex ones."""
    if v.ndim != 1 or maybe_complex(context, v):
        raise context.refuse("only one real vector has a rule", "use @ or np.einsum")
    return True
