"""Generation-time functions for the rules of SciPy's signals, images, distances, interpolants and sparse matrices."""

from __future__ import annotations

import importlib
import inspect

import gast
import numpy as np
from s2sad.templates._macros import (
    _call,
    _is_default,
    _several,
    call_helper,
    flipped,
    is_static,
    maybe_complex,
    nonzero,
)

from s2sad.kinds.kind import Array, List, Tuple
from s2sad.runtime import helpers
from s2sad.transform.expand import ZERO, macro
from s2sad.transform.fit import smaller
from s2sad.transform.operand import Operand

# -- calls -------------------------------------------------------------------------------------------------------------


@macro
def sp(context, path, *args, **kwargs):
    """A call of a function of SciPy's, `sp("signal.lfilter", b, a, x)`, without arguments that are at defaults."""
    from s2sad.transform.fit import as_literal

    if any(a is ZERO for a in (*args, *kwargs.values())):
        return ZERO
    module, name = path.rsplit(".", 1)
    function = getattr(importlib.import_module(f"scipy.{module}"), name)
    parameters = list(inspect.signature(function).parameters.values())
    given = dict(zip((p.name for p in parameters), args, strict=False)) | kwargs
    positional, keywords, gap = [], [], False
    for p in parameters:
        if p.name not in given or (p.default is not p.empty and _is_default(given[p.name], p.default)):
            gap = True
        elif gap or p.kind is p.KEYWORD_ONLY:
            keywords.append(gast.keyword(p.name, as_literal(given[p.name])))
        else:
            positional.append(as_literal(given[p.name]))
    return context.operand(gast.Call(context.function_expr(function), positional, keywords))


# -- signals -----------------------------------------------------------------------------------------------------------


@macro
def real_signals(context, *signals):
    """Refuse complex signals."""
    for x in signals:
        if isinstance(x, Operand) and maybe_complex(context, x) and not isinstance(x.kind, (List, Tuple)):
            raise context.refuse("complex signals have no rule", "take real and imaginary parts apart")


@macro
def literal_mode(context, mode, *others):
    """Refuse a mode that is not known when code is generated, or not one of those named."""
    if not isinstance(mode, str):
        raise context.unknown("the mode")
    if others and mode not in others:
        raise context.refuse(f"mode {mode!r} has no rule", f"modes with a rule: {', '.join(others)}")


@macro
def whole(context, g, in1, in2, mode, late=False):
    """The cotangent of a convolution put into that of the full convolution."""
    literal_mode(context, mode, "full", "same", "valid")
    if g is ZERO or mode == "full":
        return g
    shape = None
    if in1.shape is not None and in2.shape is not None and in1.ndim == in2.ndim:
        shape = tuple(m + n - 1 for m, n in zip(in1.shape, in2.shape, strict=True))
    call = _call(context, helpers.whole_convolution, g, in1, in2, mode, *([True] if late and mode == "same" else []))
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
        raise context.refuse("the boundary must be known when code is generated", "'fill', 'wrap' or 'symm'")
    if boundary == "fill" and not (is_static(fillvalue) and fillvalue == 0):
        raise context.refuse("a fillvalue other than 0 has no rule", "pad the image with np.pad")


@macro
def filtered_back(context, g, b, a, x, zi, axis):
    """The adjoints of a signal and of the state that a filter starts from."""
    y, z = (Operand(e, k) for e, k in zip(context.y.expr.elts, context.y.kind.items, strict=True))
    parts = [context.quote("np.zeros_like(v)", v=v) if p is ZERO else p for p, v in zip(g, (y, z), strict=True)]
    call = _call(context, helpers.lfilter_back, *parts, b, a, *([] if axis == -1 else [axis]))
    return _several(context, call, ("gx", "gz"), (x, zi))


@macro
def sections_back(context, g, sos, x, zi, axis):
    """The adjoints of a signal and of the states that a cascade of filters starts from."""
    y, z = (Operand(e, k) for e, k in zip(context.y.expr.elts, context.y.kind.items, strict=True))
    parts = [context.quote("np.zeros_like(v)", v=v) if p is ZERO else p for p, v in zip(g, (y, z), strict=True)]
    call = _call(context, helpers.sosfilt_back, *parts, sos, *([] if axis == -1 else [axis]))
    return _several(context, call, ("gx", "gz"), (x, zi))


@macro
def only_without(context, value, default, what, way_out=""):
    """Refuse an argument that is not at its default."""
    if value is not default and not (is_static(value) and type(value) is type(default) and value == default):
        raise context.refuse(f"{what} has no rule", way_out)


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
def call_again_on(context, *args):
    """The function itself on other arguments."""
    from s2sad.transform.fit import as_literal

    if any(a is ZERO for a in args):
        return ZERO
    return context.operand(context.call_expr([as_literal(a) for a in args], []))


@macro
def whole_part(context, g, index, like):
    """One of several cotangents; zeros where there is none."""
    part = context.quote("g[i]", g=g, i=index) if isinstance(g, Operand) else g[index]
    return context.quote("np.zeros_like(x)", x=like) if part is ZERO else part


# -- images ------------------------------------------------------------------------------------------------------------

#: the modes of ndimage, by the names that np.pad has for them
PADDING = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge",
    "wrap": "wrap", "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


@macro
def image(context, mode, output, cval=0.0, axes=None):
    """Refuse what no rule of an image filter knows."""
    literal_mode(context, mode, *PADDING)
    only_without(context, output, None, "output", "convert the result with astype")
    only_without(context, axes, None, "axes", "filter along each axis")
    if context.is_active(cval):
        raise context.refuse("no derivative with respect to cval", "pad the image with np.pad")


@macro
def open_ended(context, mode):
    """Does the boundary condition leave the transpose of a filter a filter? Zeros do, and going round."""
    return PADDING[mode] in ("constant", "wrap")


@macro
def evenly(context, mode):
    """Does the boundary condition leave a symmetric filter symmetric?"""
    return PADDING[mode] in ("constant", "wrap", "symmetric")


@macro
def widths_along(context, x, axis, reach):
    """Widths for np.pad: `reach` at both ends of one axis, or of all."""
    if axis is None or x.ndim == 1:
        return reach
    if not is_static(axis) or x.ndim is None:
        raise context.unknown("the axis")
    pairs = [gast.Tuple([gast.Constant(0, None)] * 2, gast.Load())] * x.ndim
    from s2sad.transform.fit import as_literal

    pairs[axis % x.ndim] = gast.Tuple([as_literal(reach), as_literal(reach)], gast.Load())
    return context.operand(gast.Tuple(pairs, gast.Load()))


@macro
def widened(context, g, widths):
    """Zeros around a cotangent."""
    return context.quote("np.pad(g, w)", g=g, w=widths)


@macro
def folded(context, g, x, widths, mode):
    """What lies behind the boundaries of an image, added to where it was taken from."""
    return call_helper(context, "pad_back", x, g, x, widths, PADDING[mode])


@macro
def reach_of(context, weights, origin=0):
    """How far the weights of a filter reach."""
    if weights.ndim == 1 and is_static(origin):
        return context.quote("len(w) // 2 + r" if origin else "len(w) // 2", w=weights, r=abs(origin) if origin else 0)
    if is_static(origin) and not origin:
        return context.quote("[(n // 2, n // 2) for n in w.shape]", w=weights)
    return context.quote("[(n // 2 + abs(o), n // 2 + abs(o)) for n in w.shape]", w=weights, o=origin)


def _may_be_lazy(context):
    """May the cotangent be a broadcast number?"""
    g, y = context.cotangent, context.y
    return y.shape is None or (g is not None and smaller(g.kind, y.kind))


@macro
def filter_back(context, name, g, x, weights, axis, mode, origin):
    """The transpose of a correlation is the convolution with the same weights, and the other way round."""
    one_origin(context, origin)
    path = f"ndimage.{name}"
    along = {} if axis is None else {"axis": axis}
    if open_ended(context, mode):
        if axis is None and _may_be_lazy(context):
            g = context.quote("np.array(g)", g=g)  # ndimage misreads arrays that are one number broadcast
        return sp(context, path, g, weights, mode=mode, origin=origin, **along)
    reach = reach_of(context, weights, origin)
    widths = context.local("widths", _operand(context, widths_along(context, x, axis, reach)))
    wide = sp(context, path, widened(context, g, widths), weights, mode="constant", origin=origin, **along)
    return folded(context, wide, x, widths, mode)


def _operand(context, value):
    from s2sad.transform.expand import literal

    return value if isinstance(value, Operand) else literal(value)


@macro
def one_origin(context, origin):
    """Refuse origins that are not one known number."""
    if not is_static(origin) or not isinstance(origin, int):
        raise context.unknown("the origin (one number)")


@macro
def kernel_weights_back(context, g, x, weights, axis, mode, origin, cval, convolved):
    """The adjoint of the weights of a filter."""
    if PADDING[mode] == "constant":
        only_without(context, cval, 0.0, "cval together with derivatives of the weights", "pad the image with np.pad")
    return call_helper(context, "kernel_back", weights, g, x, weights, PADDING[mode], origin, axis, convolved)


@macro
def by_numpy_mode(context, mode):
    """The mode of an image filter that stands for one of np.pad."""
    return {"symmetric": "reflect", "reflect": "mirror", "edge": "nearest"}.get(mode, mode)


@macro
def along_axis(context, axis, path):
    """The name of a filter, or of the one along an axis."""
    return path if axis is None else path + "1d"


@macro
def filtered_image(context, x, weights, axis, mode, origin, convolved):
    """convolve, correlate, or the same along an axis."""
    name = ("convolve" if convolved else "correlate") + ("" if axis is None else "1d")
    along = {} if axis is None else {"axis": axis}
    return sp(context, f"ndimage.{name}", x, weights, mode=by_numpy_mode(context, mode), origin=origin, **along)


@macro
def call_again_with(context, *args, **kwargs):
    """The function itself on other arguments, without those that are at their defaults."""
    module, name = context.rule.name.removeprefix("scipy.").rsplit(".", 1)
    return sp(context, f"{module}.{name}", *args, **kwargs)


@macro
def literal_order(context, order):
    """Refuse orders of derivatives that are not one known number."""
    if not is_static(order) or not isinstance(order, int):
        raise context.refuse("the order must be one number, known when code is generated", "filter along each axis")


@macro
def gaussian_reach(context, sigma, truncate, radius):
    """The radius of a Gaussian filter, as ndimage has it."""
    if radius is not None:
        if isinstance(radius, (tuple, list)) or (isinstance(radius, Operand) and not radius.is_scalar):
            raise context.refuse("radii for each axis have no rule", "filter along each axis")
        return radius
    if isinstance(sigma, (tuple, list)) or (isinstance(sigma, Operand) and not sigma.is_scalar):
        return context.quote("[(int(t * s + 0.5), int(t * s + 0.5)) for s in sigmas]", t=truncate, sigmas=sigma)
    if is_static(sigma) and is_static(truncate):
        return int(truncate * float(sigma) + 0.5)
    return context.quote("int(t * s + 0.5)", t=truncate, s=sigma)


@macro
def signed(context, value, order):
    """Minus for an odd order."""
    return value if value is ZERO or order % 2 == 0 else context.quote("-v", v=value)


@macro
def window(context, size, origin):
    """Refuse windows that are not known."""
    if not is_static(size) or not isinstance(size, int):
        raise context.refuse("the size must be one number, known when code is generated", "filter along each axis")
    one_origin(context, origin)


@macro
def centred(context, size, origin):
    """Is a window symmetric?"""
    return size % 2 == 1 and origin == 0


@macro
def mirrored(context, size, origin):
    """The origin of the reversed window."""
    return -origin if size % 2 else -1 - origin


# -- distances ---------------------------------------------------------------------------------------------------------

#: the derivative of a distance y of a from b with respect to a; q is a parameter
_DISTANCES = {
    "euclidean": "(a - b) / n",
    "sqeuclidean": "2.0 * (a - b)",
    "cityblock": "np.sign(a - b)",
    "chebyshev": "np.sign(a - b) * (np.abs(a - b) == y) / np.sum(np.abs(a - b) == y, axis=-1, keepdims=True)",
    "minkowski": "np.sign(a - b) * (np.abs(a - b) / n) ** (q - 1)",
    "canberra": "(np.sign(a - b) - np.abs(a - b) / m * np.sign(a)) / m",
    "braycurtis": "(np.sign(a - b) - y * np.sign(a + b)) / np.sum(np.abs(a + b), axis=-1, keepdims=True)",
    "cosine": "((1.0 - y) * a / s - b / r) / s",
    "correlation": "((1.0 - y) * a / s - b / r) / s",
    "seuclidean": "(a - b) / (q * n)",
    "mahalanobis": "(a - b) @ (q + q.T) / (2.0 * n)",
    "jensenshannon": "(t - np.sum(a * t) / s) / s",
}


@macro
def name_of_distance(context):
    """The name of the distance that is asked for."""
    return context.rule.name.rsplit(".", 1)[-1]


@macro
def known_metric(context, metric, v, vi):
    """Refuse metrics that are not known, or that take their parameters from the data."""
    if metric not in _DISTANCES or metric == "jensenshannon":
        names = ", ".join(m for m in _DISTANCES if m != "jensenshannon")
        raise context.refuse("the metric must be one of those with a rule", names)
    if (metric == "seuclidean" and v is None) or (metric == "mahalanobis" and vi is None):
        raise context.refuse("V and VI must be given")
    if any(context.is_active(q) for q in (v, vi)):
        raise context.refuse("it has no derivative with respect to V and VI", "scale the vectors")


@macro
def metric_parameter(context, metric, p, v, vi):
    """The parameter that belongs to a metric."""
    return {"minkowski": p, "seuclidean": v, "mahalanobis": vi}.get(metric)


@macro
def one_vector(context, p):
    """Refuse stacks of vectors."""
    if p.ndim != 1:
        raise context.refuse("only vectors have a rule")


@macro
def slope_of_distance(context, name, a, b, y, q=None):
    """The derivative of a distance y of a from b with respect to a."""
    text = _DISTANCES[name]
    vectors = a.ndim == 1 and b.ndim == 1
    if vectors:
        text = text.replace(", axis=-1, keepdims=True", "")
    parts = {"a": a, "b": b, "y": y, "q": q}
    if name == "minkowski" and is_static(q) and q == 2:
        text = _DISTANCES["euclidean"]
    if name == "chebyshev" and np.dtype(float) not in (a.dtype, b.dtype):  # SciPy subtracts in float64
        apart = context.quote("np.abs(a - b)", a=a, b=b)
        farthest = "np.max(d)" if vectors else "np.max(d, axis=-1, keepdims=True)"
        parts["y"] = context.local("farthest", context.quote(farthest, d=apart))
    if "n" in _names(text):
        parts["n"] = context.local("n", nonzero(context, _operand(context, y)))
    if name == "canberra":
        total = context.quote("np.abs(a) + np.abs(b)", a=a, b=b)
        parts["m"] = context.local("m", nonzero(context, total))
    if name == "correlation":
        for v in "ab":
            mean = "v - np.mean(v)" if vectors else "v - np.mean(v, axis=-1, keepdims=True)"
            parts[v] = context.local(v, context.quote(mean, v=parts[v]))
    if name in ("cosine", "correlation"):
        for v, length in (("a", "s"), ("b", "r")):
            size = "np.linalg.norm(v)" if vectors else "np.linalg.norm(v, axis=-1, keepdims=True)"
            parts[length] = context.local(length, context.quote(size, v=parts[v]))
    if name == "jensenshannon":
        parts["s"] = context.local("s", context.quote("np.sum(a)", a=a))
        ratio = context.quote("np.log(2.0 * a / s / (a / s + b / np.sum(b)))", a=a, s=parts["s"], b=b)
        n = nonzero(context, _operand(context, y))
        parts["t"] = context.local("t", context.quote("r / (4.0 * n)", r=ratio, n=n))
    return context.quote(text, **{k: v for k, v in parts.items() if k in _names(text)})


def _names(text):
    return {n.id for n in gast.walk(gast.parse(text)) if isinstance(n, gast.Name)}


@macro
def as_rows(context, x):
    """Vectors that broadcast against all of another set."""
    return context.quote("x[:, None]", x=x)


@macro
def deeper(context, y):
    """Distances that broadcast against the elements of the vectors."""
    return context.quote("y[..., None]", y=y)


@macro
def rows_at(context, x, index):
    """The vectors of pairs."""
    return context.quote("x[i]", x=x, i=index)


@macro
def euclidean_weights(context, g, y, metric):
    """g over the distances, 0 where these are; twice g for squared distances."""
    if g is ZERO:
        return ZERO
    if metric == "sqeuclidean":
        return context.quote("2.0 * g", g=g)
    return context.quote("g / n", g=g, n=nonzero(context, y))


@macro
def scaled_back(context, g, metric, v, vi):
    """The adjoint of vectors from that of the vectors whose Euclidean distances are taken."""
    if metric == "seuclidean":
        return context.quote("g / v", g=g, v=v)
    if metric == "mahalanobis":
        return context.quote("0.5 * g @ (v + v.T)", g=g, v=vi)
    return g


@macro
def plain_minkowski(context, metric, p):
    """Is this the Euclidean distance by its other name?"""
    return metric == "minkowski" and is_static(p) and p == 2


@macro
def centred_rows(context, x, metric):
    """The vectors of which a correlation is the cosine."""
    return context.quote("x - np.mean(x, axis=1, keepdims=True)", x=x) if metric == "correlation" else x


@macro
def distances_back(context, g, y, a, b, metric, p):
    """The adjoints of two sets of vectors, of a metric that goes element by element."""
    parts = (g, y, a, b, p) if metric == "minkowski" else (g, a, b) if metric in _OF_PAIRS else (g, y, a, b)
    call = _call(context, getattr(helpers, f"{metric}_back"), *parts)
    return _several(context, call, ("ga", "gb"), (a, b))


#: metrics whose derivatives do without the distances
_OF_PAIRS = ("cityblock", "canberra")


@macro
def all_pairs(context, g, x):
    """The square matrix of what is given for each pair once."""
    call = sp(context, "spatial.distance.squareform", g)
    return Operand(call.expr, Array(context.y.dtype, (x.shape[0], x.shape[0])) if x.shape else call.kind)


@macro
def squareform_back(context, g, x):
    """The adjoint of squareform."""
    if x.ndim == 1:
        wide = context.quote("g + g.T", g=g)
        return Operand(sp(context, "spatial.distance.squareform", wide, checks=False).expr, x.kind)
    if x.ndim == 2:
        return Operand(context.quote("np.triu(m)", m=sp(context, "spatial.distance.squareform", g)).expr, x.kind)
    raise context.unknown("the rank")


# -- transforms --------------------------------------------------------------------------------------------------------


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


# -- splines on a grid -------------------------------------------------------------------------------------------------


@macro
def grid_image(context, mode, output, cval):
    """Refuse what no rule of an interpolated image knows."""
    image(context, mode, output, cval)
    if mode == "grid-constant" and not (is_static(cval) and cval == 0):
        raise context.refuse("cval in mode 'grid-constant' has no rule", "take it off the image, and add it again")


@macro
def slopes_at(context, x, coordinates, order, mode, prefilter):
    """The derivatives of an interpolated image along its axes."""
    call = call_helper(context, "interpolation_slopes", x, x, coordinates, order, mode, prefilter)
    if call is ZERO:
        return ZERO
    kind = coordinates.kind if isinstance(coordinates, Operand) else None
    return Operand(call.expr, kind) if isinstance(kind, Array) else context.operand(call.expr)


def _rank(context, x):
    if x.ndim is None:
        raise context.unknown("the rank of the image")
    return x.ndim


@macro
def for_each_axis(context, value, like, x):
    """A number for each axis, or one for all, in a shape that broadcasts against coordinates."""
    if value is ZERO:
        return ZERO
    if is_static(like) and not isinstance(like, (tuple, list)):
        return value
    if isinstance(like, Operand) and like.is_scalar:
        return value
    return context.quote("np.reshape(v, s)", v=value, s=(-1, *[1] * _rank(context, x)))


@macro
def shifted_grid(context, x, shift):
    """Where the elements of a shifted image are read."""
    return context.quote("np.indices(x.shape) - s", x=x, s=for_each_axis(context, shift, shift, x))


@macro
def zoomed_grid(context, x, y):
    """Where the elements of a zoomed image are read."""
    if _rank(context, x) == 1:
        return context.quote("np.linspace(0, len(x) - 1, len(y))[None]", x=x, y=y)
    text = 'np.meshgrid(*[np.linspace(0, n - 1, m) for n, m in zip(x.shape, y.shape)], indexing="ij")'
    return context.quote(text, x=x, y=y, zip=gast.Name("zip", gast.Load(), None, None))


@macro
def square_matrix(context, matrix):
    """Refuse scalings of the axes given as a vector."""
    if not isinstance(matrix, Operand) or matrix.ndim != 2:
        raise context.refuse("the matrix must be a matrix", "use np.diag")


@macro
def affine_grid(context, x, y, matrix, offset):
    """Where the elements of a transformed image are read."""
    grid = context.quote("np.tensordot(m, np.indices(y.shape), 1)", m=matrix, y=y)
    if is_static(offset) and not isinstance(offset, (tuple, list)) and offset == 0:
        return grid
    return context.quote("g + o", g=grid, o=for_each_axis(context, offset, offset, x))


@macro
def affine_back(context, t, x, y):
    """The adjoint of the matrix of a transformation of coordinates."""
    axes = tuple(range(1, _rank(context, x) + 1))
    return context.quote("np.tensordot(t, np.indices(y.shape), (a, a))", t=t, y=y, a=axes)


@macro
def shift_back(context, t, x, shift):
    """The adjoint of what was added to coordinates."""
    if isinstance(shift, Operand) and shift.is_scalar:
        return context.quote("np.sum(t)", t=t)
    axes = tuple(range(1, _rank(context, x) + 1))
    return context.quote("np.sum(t, axis=a)", t=t, a=axes if len(axes) > 1 else 1)


# -- interpolants ------------------------------------------------------------------------------------------------------


def _behind(context, t, rank):
    """How many axes values have behind those of the points."""
    if rank is None or t.ndim is None:
        raise context.unknown("the ranks")
    return rank - t.ndim


@macro
def to_points(context, value, t, c=None, first=2):
    """A product for each value, summed over the values at a point."""
    if value is ZERO or not context.is_active(t):
        return ZERO
    more = _behind(context, t, context.y.ndim) if c is None else c.ndim - first
    if more:
        value = context.quote("np.sum(v, axis=a)", v=value, a=tuple(range(-more, 0)) if more > 1 else -1)
    return Operand(_operand(context, value).expr, t.kind)


@macro
def from_points(context, dt, t, c=None, first=2):
    """A number for each point in a shape that broadcasts against the values at it."""
    if dt is ZERO:
        return ZERO
    more = _behind(context, t, context.y.ndim) if c is None else c.ndim - first
    return context.quote("np.reshape(v, np.shape(v) + m)", v=dt, m=(1,) * more) if more else dt


@macro
def plain_ends(context, *ends):
    """Refuse boundary conditions without a rule."""
    if any(e not in ("not-a-knot", "natural", "clamped") for e in ends):
        raise context.refuse("of the boundary conditions only 'not-a-knot', 'natural' and 'clamped' have a rule")


@macro
def evaluated(context, spline, x, nu, extrapolate, more=0):
    """An interpolant at points."""
    from s2sad.transform.fit import as_literal

    if not is_static(nu):
        raise context.unknown("nu")
    args = [as_literal(x)]
    if nu + more or extrapolate is not None:
        args.append(as_literal(nu + more))
    if extrapolate is not None:
        args.append(as_literal(extrapolate))
    return Operand(gast.Call(spline.expr, args, []), context.y.kind)


@macro
def integrand(context, spline, x, extrapolate):
    """What an interpolant adds to its integral at a limit: splines that are not extrapolated are zero outside."""
    from scipy.interpolate import PPoly

    value = evaluated(context, spline, x, 0, extrapolate)
    known = getattr(spline.kind, "value", None)
    if issubclass(getattr(spline.kind, "cls", type(known)), PPoly):
        return value
    if extrapolate is None and known is not None:
        extrapolate = known.extrapolate
    goes_on = extrapolate is not None and is_static(extrapolate) and extrapolate is not False
    return value if goes_on else context.quote("np.nan_to_num(v)", v=value)


@macro
def off_the_knots(context, spline, ext, nu):
    """What the slope of a spline is off its knots: 0 where the spline stays at its value at the end (ext=3); its
    derivatives do not."""
    if nu != 0:
        return ext
    if ext is None:
        return context.quote("1 if s.ext == 3 else s.ext", s=spline)
    if is_static(ext):
        return 1 if ext in (3, "const") else ext
    return context.quote("1 if e in (3, 'const') else e", e=ext)


@macro
def surface(context, spline, x, y, dx, dy, axis):
    """A derivative of a surface at points, the last one along an axis: 0 off the knots, where the surface is level."""
    slope = context.quote("s.ev(x, y, dx=i, dy=j)", s=spline, x=x, y=y, i=dx, j=dy)
    text = "np.where((s.tck[k][0] <= t) & (t <= s.tck[k][-1]), d, 0.0)"
    return Operand(context.quote(text, s=spline, k=axis, t=(x, y)[axis], d=slope).expr, context.y.kind)


@macro
def one_point(context, x, y):
    """Refuse a grid."""
    if not all(not isinstance(v, Operand) or v.is_scalar for v in (x, y)):
        raise context.refuse("only one point has a rule", "call it for each, one after the other")


# -- sparse matrices ---------------------------------------------------------------------------------------------------


@macro
def at_entries(context, left, row, right, col):
    """The product of two dense factors at the places of the entries of a sparse matrix."""
    if left is ZERO:
        return ZERO
    if right.ndim is None:
        raise context.unknown("the ranks")
    if right.ndim == 1:
        return context.quote("a[i] * b[j]", a=left, i=row, b=right, j=col)
    return context.quote("np.sum(a[i] * b[j], axis=1)", a=left, i=row, b=right, j=col)


@macro
def reversed_shape(context, shape):
    """The shape of the transposed matrix."""
    if isinstance(shape, Operand) and isinstance(shape.expr, gast.Tuple):
        return Operand(gast.Tuple(shape.expr.elts[::-1], gast.Load()), Tuple(shape.kind.items[::-1]))
    return tuple(shape[::-1]) if is_static(shape) else context.quote("s[::-1]", s=shape)


@macro
def self_transposed(context, matrix):
    """The transposed matrix."""
    return context.quote("a.T", a=matrix)


@macro
def other_trans(context, trans):
    """The trans argument of the transposed system."""
    if trans not in ("N", "T"):
        raise context.unknown("trans ('N' or 'T')")
    return "T" if trans == "N" else "N"


@macro
def shaped_as(context, value, x):
    """A contribution whose shape is that of the argument, though their lengths have different names."""
    return ZERO if value is ZERO else Operand(_operand(context, value).expr, x.kind)


@macro
def named_window(context, window):
    """Refuse a filter given as an array."""
    if isinstance(window, (Operand, list)):
        raise context.refuse("the window must be known when code is generated", "use upfirdn with a filter of your own")


# -- windows over images -----------------------------------------------------------------------------------------------


@macro
def plain_window(context, mode, output, cval, axes, footprint, origin):
    """Refuse what no rule of a rank filter knows."""
    image(context, mode, output, cval, axes)
    only_without(context, footprint, None, "footprint")
    only_without(context, origin, 0, "an origin")
    if PADDING[mode] == "constant":
        only_without(context, cval, 0.0, "cval", "pad the image with np.pad")


@macro
def numpy_mode(context, mode):
    """The name that np.pad has for a mode."""
    return PADDING[mode]


@macro
def takes_largest(context):
    """Is the filter one of maxima, rather than of minima?"""
    return context.rule.target.__name__.startswith("maximum")


@macro
def sizes_of(context, size, x, axis=None):
    """The size of a window along each axis."""
    rank = _rank(context, x)
    if isinstance(size, (tuple, list)) and axis is None:
        return tuple(size)
    if not is_static(size) or not isinstance(size, int):
        raise context.unknown("the size")
    return (size,) * rank if axis is None else tuple(size if k == axis % rank else 1 for k in range(rank))
