"""SciPy's signals: modes, boundaries, filters."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import is_static, literal_mode, maybe_complex
from s2sad.templates.macros.calls import call_helper, call_of, several_results, sp
from s2sad.templates.macros.shapes import flipped

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.refusal import WRITE_OUT
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, List, Tuple
from s2sad.runtime import helpers

# -- signals -----------------------------------------------------------------------------------------------------------


@macro
def real_signals(context, *signals):
    """Refuse complex signals."""
    for x in signals:
        if isinstance(x, Operand) and maybe_complex(context, x) and not isinstance(x.kind, (List, Tuple)):
            raise context.refuse("complex signals have no rule", "take real and imaginary parts apart")


@macro
def whole(context, g, in1, in2, mode, late=False):
    """The cotangent of a convolution put into that of the full convolution."""
    literal_mode(context, mode, "full", "same", "valid")
    if g is ZERO or mode == "full":
        return g
    shape = None
    if in1.shape is not None and in2.shape is not None and in1.ndim == in2.ndim:
        shape = tuple(m + n - 1 for m, n in zip(in1.shape, in2.shape, strict=True))
    call = call_of(context, helpers.whole_convolution, g, in1, in2, mode, *([True] if late and mode == "same" else []))
    return Operand(call, Array(context.y.dtype, shape) if context.y.dtype is not None else context.y.kind)


@macro
def extended_by_boundary(context, in1, in2, boundary):
    """The first argument of convolve2d as its boundary condition continues it."""
    return context.quote("np.pad(a, w, m)", a=in1, w=_reach(context, in2), m=_PAD[boundary])


@macro
def boundary_back(context, g, in1, in2, boundary):
    """The cotangent of a continued image, folded back."""
    return call_helper(context, "pad_back", in1, g, in1, _reach(context, in2), _PAD[boundary])


_PAD = {"wrap": "wrap", "symm": "symmetric"}


def _reach(context, kernel):
    return context.quote("[(n - 1, n - 1) for n in k.shape]", k=kernel)


@macro
def only_plain_boundary(context, boundary, fillvalue):
    """Refuse boundaries that are not known, and filled with anything but zeros."""
    if boundary not in ("fill", "wrap", "symm"):
        raise context.refuse("the boundary must be known when code is generated", WRITE_OUT)
    if boundary == "fill" and not (is_static(fillvalue) and fillvalue == 0):
        raise context.refuse("a fillvalue other than 0 has no rule", "pad the image with np.pad")


@macro
def filtered_back(context, g, b, a, x, zi, axis):
    """The adjoints of a signal and of the state that a filter starts from."""
    y, z = (Operand(e, k) for e, k in zip(context.y.expr.elts, context.y.kind.items, strict=True))
    parts = [context.quote("np.zeros_like(v)", v=v) if p is ZERO else p for p, v in zip(g, (y, z), strict=True)]
    call = call_of(context, helpers.lfilter_back, *parts, b, a, *([] if axis == -1 else [axis]))
    return several_results(context, call, ("gx", "gz"), (x, zi))


@macro
def sections_back(context, g, sos, x, zi, axis):
    """The adjoints of a signal and of the states that a cascade of filters starts from."""
    y, z = (Operand(e, k) for e, k in zip(context.y.expr.elts, context.y.kind.items, strict=True))
    parts = [context.quote("np.zeros_like(v)", v=v) if p is ZERO else p for p, v in zip(g, (y, z), strict=True)]
    call = call_of(context, helpers.sosfilt_back, *parts, sos, *([] if axis == -1 else [axis]))
    return several_results(context, call, ("gx", "gz"), (x, zi))


@macro
def reversed_along(context, g, axis):
    """np.flip along one axis."""
    return ZERO if g is ZERO else flipped(context, g, axis)


@macro
def length_along(context, x, axis):
    """The length of an axis."""
    if x.ndim == 1:
        return context.quote("len(x)", x=x)
    return context.quote("x.shape[i]", x=x, i=axis)


@macro
def whole_part(context, g, index, like):
    """One of several cotangents; zeros where there is none."""
    part = context.quote("g[i]", g=g, i=index) if isinstance(g, Operand) else g[index]
    return context.quote("np.zeros_like(x)", x=like) if part is ZERO else part


# -- transforms --------------------------------------------------------------------------------------------------------


@macro
def several(context, axes):
    """What SciPy takes as an int, or as several, as several."""
    return (axes,) if is_static(axes) and isinstance(axes, int) else axes


@macro
def trigonometric_transpose(context, g, x, type, s, axes, norm):
    """The transpose of a cosine or sine transform: its inverse where it is orthogonal."""
    name = context.rule.target.__name__
    if norm == "ortho" and not _is_orthogonal(name.removesuffix("n"), type):
        raise context.refuse('with norm="ortho" it is not orthogonal in this version of SciPy')
    if norm == "ortho" and s is None:
        return sp(context, "fft." + (name[1:] if name[0] == "i" else "i" + name), g, type, None, axes, norm)
    return call_helper(context, "trigonometric_back", x, g, x, name.removesuffix("n"), type, s, axes, norm)


def _is_orthogonal(name, type):
    """Is a transform with norm="ortho" orthogonal? (Sine transforms of SciPy 1.11 are not.)"""
    import scipy.fft

    matrix = getattr(scipy.fft, name)(np.eye(3), type=type, norm="ortho")
    return np.allclose(matrix @ matrix.T, np.eye(3))


@macro
def trigonometric_again(context, g, name, type, s, axes, norm):
    """A cosine or sine transform by its name: along one axis, or several."""
    if isinstance(axes, int):
        return sp(context, f"fft.{name}", g, type, s, axes, norm)
    return sp(context, f"fft.{name}n", g, type, s, axes, norm)


# -- sparse matrices ---------------------------------------------------------------------------------------------------


@macro
def named_window(context, window):
    """Refuse a filter given as an array."""
    if isinstance(window, (Operand, list)):
        raise context.refuse("the window must be known when code is generated", "use upfirdn with a filter of your own")
