"""SciPy's images: interpolation by a spline through the image."""

import numpy as np
from scipy import ndimage

from s2sad.kinds import dims, known
from s2sad.kinds.kind import Array, Dim, Number, Static
from s2sad.rules import adjoint, d, definition, linear, tangent
from s2sad.runtime import helpers


@linear(ndimage.spline_filter1d)
def spline_filter1d(y, input, order=3, axis=-1, output=float, mode="mirror"):
    """Symmetric, but for weights of a half at the ends where these are mirrored."""
    image(mode, None)
    d[input] = helper("spline_filter_back", input, d[y], order, axis, mode)


@linear(helpers.spline_filter_back)
def spline_filter_back(y, g, order, axis, mode):
    d[g] = sp("ndimage.spline_filter1d", d[y], order, axis, mode=mode)


@adjoint(ndimage.map_coordinates)
def map_coordinates(y, input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Unser 1999. The slope of a spline is a spline of one order less.

    Cost: in the coordinates too: the weights of the splines and of their slopes take some dozen passes of NumPy over
    the points, which SciPy's one pass in C does without.
    """
    grid_image(mode, output, cval)
    d[input] = helper("interpolation_back", input, d[y], input, coordinates, order, mode, prefilter)
    d[coordinates] = d[y] * slopes_at(input, coordinates, order, mode, prefilter)


@tangent(ndimage.map_coordinates)
def map_coordinates(y, input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    grid_image(mode, output, cval)
    d[y] = sp("ndimage.map_coordinates", d[input], coordinates, order=order, mode=mode, prefilter=prefilter) + np.sum(
        slopes_at(input, coordinates, order, mode, prefilter) * d[coordinates], axis=0
    )


@known.rule(
    helpers.interpolation_back, helpers.interpolation_slopes, helpers.interpolation_slopes_back,
    helpers.interpolation_curvature,
)  # fmt: skip
def interpolation_kind(args, kwargs):
    """The shape of the image, or of the coordinates, whose adjoint it is."""
    return Array(known.F8, args[1].shape) if isinstance(args[1], Array) else None


@adjoint(helpers.interpolation_back)
def interpolation_back(y, g, x, coordinates, order=3, mode="constant", prefilter=True):
    d[g] = sp("ndimage.map_coordinates", d[y], coordinates, order=order, mode=mode, prefilter=prefilter)
    d[coordinates] = g * slopes_at(d[y], coordinates, order, mode, prefilter)
    d[x] = 0.0


@tangent(helpers.interpolation_back)
def interpolation_back(y, g, x, coordinates, order=3, mode="constant", prefilter=True):
    d[y] = call_helper_again("interpolation_back", d[g], x, coordinates, order, mode, prefilter) + call_helper_again(
        "interpolation_slopes_back", g * d[coordinates], x, coordinates, order, mode, prefilter
    )
    d[x] = 0.0


@adjoint(helpers.interpolation_slopes)
def interpolation_slopes(y, x, coordinates, order=3, mode="constant", prefilter=True):
    d[x] = helper("interpolation_slopes_back", x, d[y], x, coordinates, order, mode, prefilter)
    d[coordinates] = helper("interpolation_curvature", coordinates, x, coordinates, d[y], order, mode, prefilter)


@tangent(helpers.interpolation_slopes)
def interpolation_slopes(y, x, coordinates, order=3, mode="constant", prefilter=True):
    d[y] = call_helper_again("interpolation_slopes", d[x], coordinates, order, mode, prefilter) + call_helper_again(
        "interpolation_curvature", x, coordinates, d[coordinates], order, mode, prefilter
    )


@adjoint(helpers.interpolation_slopes_back)
def interpolation_slopes_back(y, g, x, coordinates, order=3, mode="constant", prefilter=True):
    d[g] = slopes_at(d[y], coordinates, order, mode, prefilter)
    d[coordinates] = call_helper_again("interpolation_curvature", d[y], coordinates, g, order, mode, prefilter)
    d[x] = 0.0


@tangent(helpers.interpolation_slopes_back)
def interpolation_slopes_back(y, g, x, coordinates, order=3, mode="constant", prefilter=True):
    """Not in the coordinates: that would be a third derivative."""
    d[y] = call_helper_again("interpolation_slopes_back", d[g], x, coordinates, order, mode, prefilter)
    d[x] = 0.0


@adjoint(ndimage.shift)
def shift(y, input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Unser 1999, as map_coordinates. On a grid that is a product of one matrix an axis."""
    grid_image(mode, output, cval)
    d[input] = helper("shifted_image_back", input, d[y], input, shift, order, mode, prefilter)
    slopes = call_helper_again("shifted_image_slopes", input, shift, order, mode, prefilter)
    d[shift] = -shift_back(d[y] * slopes, input, shift)


@tangent(ndimage.shift)
def shift(y, input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    grid_image(mode, output, cval)
    slopes = call_helper_again("shifted_image_slopes", input, shift, order, mode, prefilter)
    d[y] = sp("ndimage.shift", d[input], shift, order=order, mode=mode, prefilter=prefilter) - np.sum(
        slopes * for_each_axis(d[shift], shift, input), axis=0
    )


@known.rule(helpers.shifted_image_back, helpers.zoomed_image_back)
def of_the_image(args, kwargs):
    """The shape of the image whose adjoint it is."""
    return Array(known.F8, args[1].shape) if isinstance(args[1], Array) else None


@known.rule(helpers.shifted_image_slopes)
def for_each_of_the_axes(args, kwargs):
    """An image for each axis."""
    shape = args[0].shape if isinstance(args[0], Array) else None
    return None if shape is None else Array(known.F8, (Dim.of(len(shape)), *shape))


@adjoint(helpers.shifted_image_back)
def shifted_image_back(y, g, x, shift, order=3, mode="constant", prefilter=True):
    d[g] = sp("ndimage.shift", d[y], shift, order=order, mode=mode, prefilter=prefilter)
    slopes = call_helper_again("shifted_image_slopes", d[y], shift, order, mode, prefilter)
    d[shift] = -shift_back(g * slopes, x, shift)
    d[x] = 0.0


@tangent(helpers.shifted_image_back)
def shifted_image_back(y, g, x, shift, order=3, mode="constant", prefilter=True):
    at = shifted_grid(x, shift)
    t = g * for_each_axis(d[shift], shift, x)
    d[y] = call_helper_again("shifted_image_back", d[g], x, shift, order, mode, prefilter) - call_helper_again(
        "interpolation_slopes_back", t, x, at, order, mode, prefilter
    )
    d[x] = 0.0


@adjoint(helpers.shifted_image_slopes)
def shifted_image_slopes(y, x, shift, order=3, mode="constant", prefilter=True):
    at = shifted_grid(x, shift)
    d[x] = helper("interpolation_slopes_back", x, d[y], x, at, order, mode, prefilter)
    d[shift] = -shift_back(call_helper_again("interpolation_curvature", x, at, d[y], order, mode, prefilter), x, shift)


@tangent(helpers.shifted_image_slopes)
def shifted_image_slopes(y, x, shift, order=3, mode="constant", prefilter=True):
    at = shifted_grid(x, shift)
    t = for_each_axis(d[shift], shift, x)
    d[y] = call_helper_again("shifted_image_slopes", d[x], shift, order, mode, prefilter) - call_helper_again(
        "interpolation_curvature", x, at, t, order, mode, prefilter
    )


@known.rule(ndimage.affine_transform)
def affine_kind(args, kwargs):
    """The shape that is asked for, or that of the image."""
    shape = known.argument(args, kwargs, 3, "output_shape")
    if not isinstance(args[0], Array) or not known.is_none(known.argument(args, kwargs, 4, "output")):
        return None
    if known.is_none(shape) or args[0].shape is None:
        return args[0]
    return Array(args[0].dtype, known.as_shape(shape) or tuple(dims.fresh() for _ in args[0].shape))


@adjoint(ndimage.affine_transform)
def affine_transform(
    y, input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    """With a square matrix of as many rows as the image has axes; in it and in the offset too.

    Cost: in the matrix too: as map_coordinates.
    """
    grid_image(mode, output, cval)
    square_matrix(matrix)
    at = affine_grid(input, y, matrix, offset)
    d[input] = helper("interpolation_back", input, d[y], input, at, order, mode, prefilter)
    t = d[y] * slopes_at(input, at, order, mode, prefilter)
    d[matrix] = affine_back(t, input, y)
    d[offset] = shift_back(t, input, offset)


@tangent(ndimage.affine_transform)
def affine_transform(
    y, input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    grid_image(mode, output, cval)
    square_matrix(matrix)
    t = slopes_at(input, affine_grid(input, y, matrix, offset), order, mode, prefilter)
    d[y] = (
        sp(
            "ndimage.affine_transform",
            d[input],
            matrix,
            offset,
            output_shape,
            order=order,
            mode=mode,
            prefilter=prefilter,
        )
        + np.sum(t * np.tensordot(d[matrix], np.indices(y.shape), 1), axis=0)
        + np.sum(t * for_each_axis(d[offset], offset, input), axis=0)
    )


@known.rule(ndimage.zoom)
def zoom_kind(args, kwargs):
    """Lengths times the factors, rounded."""
    factor, output = known.argument(args, kwargs, 1, "zoom"), known.argument(args, kwargs, 2, "output")
    if not isinstance(args[0], Array) or args[0].shape is None or not known.is_none(output):
        return None
    whole = known.int_value(factor) if isinstance(factor, (Number, Static)) else None
    times = whole.const if whole is not None and whole.known else None
    return Array(args[0].dtype, tuple(dims.fresh() if times is None else n * times for n in args[0].shape))


@adjoint(ndimage.zoom)
def zoom(y, input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """In the image."""
    grid_image(mode, output, cval)
    only_without(grid_mode, False, "grid_mode")
    d[input] = helper("zoomed_image_back", input, d[y], input, order, mode, prefilter)


@linear(helpers.zoomed_image_back)
def zoomed_image_back(y, g, x, order=3, mode="constant", prefilter=True):
    d[g] = sp("ndimage.map_coordinates", d[y], zoomed_grid(x, g), order=order, mode=mode, prefilter=prefilter)
    d[x] = 0.0


@tangent(ndimage.zoom)
def zoom(y, input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    grid_image(mode, output, cval)
    d[y] = sp("ndimage.zoom", d[input], zoom, order=order, mode=mode, prefilter=prefilter)


@definition(ndimage.rotate)
def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Of a matrix, in the angle too; the shape of the result is constant.

    Cost: in the angle too: as map_coordinates.
    """
    if output is not None or (axes != (1, 0) and axes != (0, 1)):
        raise NoDerivative("output and axes have no rule", "convert the result, and rotate one matrix")
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    matrix = np.array([[c, s], [-s, c]])
    before = np.array(input.shape)
    size = before
    if reshape:
        n, m = input.shape
        corners = np.array([[0.0, 0.0, n, n], [0.0, m, 0.0, m]])
        size = (np.ptp(matrix @ corners, axis=1) + 0.5).astype(int)
    offset = (before - 1) / 2 - matrix @ ((size - 1) / 2)
    shape = (int(size[0]), int(size[1]))
    return ndimage.affine_transform(
        input, matrix, offset, shape, order=order, mode=mode, cval=cval, prefilter=prefilter
    )


@definition(ndimage.center_of_mass)
def center_of_mass(input, labels=None, index=None):
    """Of the whole image."""
    if labels is not None:
        raise NoDerivative("labels have no rule", "use np.bincount")
    total = np.sum(input)
    grid = np.indices(input.shape)
    return tuple([np.sum(input * grid[k]) / total for k in range(input.ndim)])
