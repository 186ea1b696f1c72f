"""SciPy's images: filters, windows, splines on a grid."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import as_operand, is_static, literal_mode, rank_of_image
from s2sad.templates.macros.calls import call_helper, only_without, sp

from s2sad.expansion.fit import smaller
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array

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
    from s2sad.expansion.fit import as_literal

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
    widths = context.local("widths", as_operand(widths_along(context, x, axis, reach)))
    wide = sp(context, path, widened(context, g, widths), weights, mode="constant", origin=origin, **along)
    return folded(context, wide, x, widths, mode)


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


@macro
def for_each_axis(context, value, like, x):
    """A number for each axis, or one for all, in a shape that broadcasts against coordinates."""
    if value is ZERO:
        return ZERO
    if is_static(like) and not isinstance(like, (tuple, list)):
        return value
    if isinstance(like, Operand) and like.is_scalar:
        return value
    return context.quote("np.reshape(v, s)", v=value, s=(-1, *[1] * rank_of_image(context, x)))


@macro
def shifted_grid(context, x, shift):
    """Where the elements of a shifted image are read."""
    return context.quote("np.indices(x.shape) - s", x=x, s=for_each_axis(context, shift, shift, x))


@macro
def zoomed_grid(context, x, y):
    """Where the elements of a zoomed image are read."""
    if rank_of_image(context, x) == 1:
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
    axes = tuple(range(1, rank_of_image(context, x) + 1))
    return context.quote("np.tensordot(t, np.indices(y.shape), (a, a))", t=t, y=y, a=axes)


@macro
def shift_back(context, t, x, shift):
    """The adjoint of what was added to coordinates."""
    if isinstance(shift, Operand) and shift.is_scalar:
        return context.quote("np.sum(t)", t=t)
    axes = tuple(range(1, rank_of_image(context, x) + 1))
    return context.quote("np.sum(t, axis=a)", t=t, a=axes if len(axes) > 1 else 1)


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
    rank = rank_of_image(context, x)
    if isinstance(size, (tuple, list)) and axis is None:
        return tuple(size)
    if not is_static(size) or not isinstance(size, int):
        raise context.unknown("the size")
    return (size,) * rank if axis is None else tuple(size if k == axis % rank else 1 for k in range(rank))
