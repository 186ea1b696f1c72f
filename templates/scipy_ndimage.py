"""SciPy's image filters and interpolation. The transpose of a correlation is a convolution; what a boundary condition
put around the image is folded back to where it was taken from."""

import numpy as np
from scipy import ndimage

from s2sad.kinds import dims, known
from s2sad.kinds.kind import Array, Dim, Number, Static
from s2sad.rules import adjoint, d, definition, linear, tangent, zero
from s2sad.runtime import helpers


@adjoint(ndimage.correlate, newer=("axes",))
def correlate(y, input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image(mode, output, cval, axes)
    d[input] = filter_back("convolve", d[y], input, weights, None, mode, origin)
    d[weights] = kernel_weights_back(d[y], input, weights, None, mode, origin, cval, False)


@tangent(ndimage.correlate, newer=("axes",))
def correlate(y, input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    d[y] = sp("ndimage.correlate", d[input], weights, mode=mode, origin=origin) + sp(
        "ndimage.correlate", input, d[weights], mode=mode, cval=cval, origin=origin
    )


@adjoint(ndimage.convolve, newer=("axes",))
def convolve(y, input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image(mode, output, cval, axes)
    d[input] = filter_back("correlate", d[y], input, weights, None, mode, origin)
    d[weights] = kernel_weights_back(d[y], input, weights, None, mode, origin, cval, True)


@tangent(ndimage.convolve, newer=("axes",))
def convolve(y, input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    d[y] = sp("ndimage.convolve", d[input], weights, mode=mode, origin=origin) + sp(
        "ndimage.convolve", input, d[weights], mode=mode, cval=cval, origin=origin
    )


@adjoint(ndimage.correlate1d)
def correlate1d(y, input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    image(mode, output, cval)
    d[input] = filter_back("convolve1d", d[y], input, weights, axis, mode, origin)
    d[weights] = kernel_weights_back(d[y], input, weights, axis, mode, origin, cval, False)


@tangent(ndimage.correlate1d)
def correlate1d(y, input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    d[y] = sp("ndimage.correlate1d", d[input], weights, axis, mode=mode, origin=origin) + sp(
        "ndimage.correlate1d", input, d[weights], axis, mode=mode, cval=cval, origin=origin
    )


@adjoint(ndimage.convolve1d)
def convolve1d(y, input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    image(mode, output, cval)
    d[input] = filter_back("correlate1d", d[y], input, weights, axis, mode, origin)
    d[weights] = kernel_weights_back(d[y], input, weights, axis, mode, origin, cval, True)


@tangent(ndimage.convolve1d)
def convolve1d(y, input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    d[y] = sp("ndimage.convolve1d", d[input], weights, axis, mode=mode, origin=origin) + sp(
        "ndimage.convolve1d", input, d[weights], axis, mode=mode, cval=cval, origin=origin
    )


@linear(helpers.kernel_back)
def kernel_back(y, g, x, weights, mode, origin=0, axis=None, convolved=False):
    d[g] = filtered_image(x, d[y], axis, mode, origin, convolved)
    d[x] = filter_back(
        along_axis(axis, "correlate" if convolved else "convolve"), g, x, d[y], axis, by_numpy_mode(mode), origin
    )
    d[weights] = 0.0


@adjoint(ndimage.gaussian_filter1d)
def gaussian_filter1d(
    y, input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    """Symmetric for an even order, antisymmetric for an odd one. In the image."""
    image(mode, output, cval)
    literal_order(order)
    if evenly(mode) and order % 2 == 0:
        d[input] = sp("ndimage.gaussian_filter1d", d[y], sigma, axis, order, None, mode, 0.0, truncate, radius=radius)
    elif open_ended(mode):
        d[input] = -sp("ndimage.gaussian_filter1d", d[y], sigma, axis, order, None, mode, 0.0, truncate, radius=radius)
    else:
        widths = widths_along(input, axis, gaussian_reach(sigma, truncate, radius))
        wide = sp(
            "ndimage.gaussian_filter1d", widened(d[y], widths), sigma, axis, order, None, "constant", 0.0, truncate,
            radius=radius,
        )  # fmt: skip
        d[input] = folded(signed(wide, order), input, widths, mode)


@tangent(ndimage.gaussian_filter1d)
def gaussian_filter1d(
    y, input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    d[y] = sp("ndimage.gaussian_filter1d", d[input], sigma, axis, order, None, mode, 0.0, truncate, radius=radius)


@adjoint(ndimage.gaussian_filter)
def gaussian_filter(
    y, input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):
    """Symmetric for an even order, antisymmetric for an odd one. In the image."""
    image(mode, output, cval, axes)
    literal_order(order)
    if evenly(mode) and order % 2 == 0:
        d[input] = sp("ndimage.gaussian_filter", d[y], sigma, order, None, mode, 0.0, truncate, radius=radius)
    elif open_ended(mode):
        d[input] = signed(
            sp("ndimage.gaussian_filter", d[y], sigma, order, None, mode, 0.0, truncate, radius=radius),
            order * input.ndim,
        )
    else:
        widths = gaussian_reach(sigma, truncate, radius)
        wide = sp(
            "ndimage.gaussian_filter", widened(d[y], widths), sigma, order, None, "constant", 0.0, truncate,
            radius=radius,
        )  # fmt: skip
        d[input] = folded(signed(wide, order * input.ndim), input, widths, mode)


@tangent(ndimage.gaussian_filter)
def gaussian_filter(
    y, input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):
    image(mode, output, cval, axes)
    d[y] = sp("ndimage.gaussian_filter", d[input], sigma, order, None, mode, 0.0, truncate, radius=radius)


@adjoint(ndimage.gaussian_laplace)
def gaussian_laplace(y, input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None):
    """Symmetric. In the image."""
    image(mode, output, cval, axes)
    if evenly(mode):
        d[input] = sp("ndimage.gaussian_laplace", d[y], sigma, mode=mode)
    else:
        widths = gaussian_reach(sigma, 4.0, None)
        wide = sp("ndimage.gaussian_laplace", widened(d[y], widths), sigma, mode="constant")
        d[input] = folded(wide, input, widths, mode)


@tangent(ndimage.gaussian_laplace)
def gaussian_laplace(y, input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None):
    image(mode, output, cval, axes)
    d[y] = sp("ndimage.gaussian_laplace", d[input], sigma, mode=mode)


@adjoint(ndimage.uniform_filter1d)
def uniform_filter1d(y, input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    image(mode, output, cval)
    window(size, origin)
    if open_ended(mode) or (evenly(mode) and centred(size, origin)):
        d[input] = sp("ndimage.uniform_filter1d", d[y], size, axis, mode=mode, origin=mirrored(size, origin))
    else:
        widths = widths_along(input, axis, size // 2 + abs(origin))
        wide = sp(
            "ndimage.uniform_filter1d", widened(d[y], widths), size, axis, mode="constant",
            origin=mirrored(size, origin),
        )  # fmt: skip
        d[input] = folded(wide, input, widths, mode)


@tangent(ndimage.uniform_filter1d)
def uniform_filter1d(y, input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    d[y] = sp("ndimage.uniform_filter1d", d[input], size, axis, mode=mode, origin=origin)


@adjoint(ndimage.uniform_filter)
def uniform_filter(y, input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image(mode, output, cval, axes)
    window(size, origin)
    if open_ended(mode) or (evenly(mode) and centred(size, origin)):
        d[input] = sp("ndimage.uniform_filter", d[y], size, mode=mode, origin=mirrored(size, origin))
    else:
        wide = sp(
            "ndimage.uniform_filter", widened(d[y], size // 2 + abs(origin)), size, mode="constant",
            origin=mirrored(size, origin),
        )  # fmt: skip
        d[input] = folded(wide, input, size // 2 + abs(origin), mode)


@tangent(ndimage.uniform_filter)
def uniform_filter(y, input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image(mode, output, cval, axes)
    d[y] = sp("ndimage.uniform_filter", d[input], size, mode=mode, origin=origin)


@adjoint(ndimage.sobel, ndimage.prewitt)
def sobel(y, input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Antisymmetric along the axis, symmetric along the others."""
    image(mode, output, cval)
    if open_ended(mode):
        d[input] = -call_again_with(d[y], axis, mode=mode)
    else:
        d[input] = -folded(call_again_with(widened(d[y], 1), axis, mode="constant"), input, 1, mode)


@tangent(ndimage.sobel, ndimage.prewitt)
def sobel(y, input, axis=-1, output=None, mode="reflect", cval=0.0):
    d[y] = call_again_with(d[input], axis, mode=mode)


@adjoint(ndimage.laplace, newer=("axes",))
def laplace(y, input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """Symmetric."""
    image(mode, output, cval, axes)
    if evenly(mode):
        d[input] = sp("ndimage.laplace", d[y], mode=mode)
    else:
        d[input] = folded(sp("ndimage.laplace", widened(d[y], 1), mode="constant"), input, 1, mode)


@tangent(ndimage.laplace, newer=("axes",))
def laplace(y, input, output=None, mode="reflect", cval=0.0, *, axes=None):
    image(mode, output, cval, axes)
    d[y] = sp("ndimage.laplace", d[input], mode=mode)


@linear(ndimage.fourier_gaussian)
def fourier_gaussian(y, input, sigma, n=-1, axis=-1, output=None):
    """A product with a fixed array: its own transpose. In the image, as all of these."""
    only_without(output, None, "output")
    d[input] = sp("ndimage.fourier_gaussian", d[y], sigma, n, axis)


@linear(ndimage.fourier_uniform)
def fourier_uniform(y, input, size, n=-1, axis=-1, output=None):
    only_without(output, None, "output")
    d[input] = sp("ndimage.fourier_uniform", d[y], size, n, axis)


@linear(ndimage.fourier_ellipsoid)
def fourier_ellipsoid(y, input, size, n=-1, axis=-1, output=None):
    only_without(output, None, "output")
    d[input] = sp("ndimage.fourier_ellipsoid", d[y], size, n, axis)


@linear(ndimage.fourier_shift)
def fourier_shift(y, input, shift, n=-1, axis=-1, output=None):
    only_without(output, None, "output")
    d[input] = sp("ndimage.fourier_shift", d[y], shift, n, axis)


# -- interpolation: a spline through the image -------------------------------------------------------------------------


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


# -- the element of a window that comes at some place in their order --------------------------------------------------


@adjoint(ndimage.maximum_filter, ndimage.minimum_filter)
def extreme_filter(y, input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Equal elements share evenly."""
    plain_window(mode, output, cval, axes, footprint, origin)
    d[input] = helper("extremes_back", input, d[y], input, y, sizes_of(size, input), numpy_mode(mode), takes_largest())


@tangent(ndimage.maximum_filter, ndimage.minimum_filter)
def extreme_filter(y, input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    plain_window(mode, output, cval, axes, footprint, origin)
    d[y] = helper("extremes_tangent", y, d[input], input, y, sizes_of(size, input), numpy_mode(mode), takes_largest())


@adjoint(ndimage.maximum_filter1d, ndimage.minimum_filter1d)
def extreme_filter1d(y, input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Equal elements share evenly."""
    plain_window(mode, output, cval, None, None, origin)
    sizes = sizes_of(size, input, axis)
    d[input] = helper("extremes_back", input, d[y], input, y, sizes, numpy_mode(mode), takes_largest())


@tangent(ndimage.maximum_filter1d, ndimage.minimum_filter1d)
def extreme_filter1d(y, input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    plain_window(mode, output, cval, None, None, origin)
    sizes = sizes_of(size, input, axis)
    d[y] = helper("extremes_tangent", y, d[input], input, y, sizes, numpy_mode(mode), takes_largest())


@linear(helpers.extremes_back)
def extremes_back(y, g, x, values, sizes, mode, largest=True):
    d[g] = call_helper_again("extremes_tangent", d[y], x, values, sizes, mode, largest)
    d[x] = 0.0
    d[values] = 0.0


@linear(helpers.extremes_tangent)
def extremes_tangent(y, dx, x, values, sizes, mode, largest=True):
    d[dx] = call_helper_again("extremes_back", d[y], x, values, sizes, mode, largest)
    d[x] = 0.0
    d[values] = 0.0


@adjoint(ndimage.median_filter)
def median_filter(y, input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Equal elements share evenly."""
    plain_window(mode, output, cval, axes, footprint, origin)
    d[input] = helper("ranked_back", input, d[y], input, y, sizes_of(size, input), numpy_mode(mode))


@tangent(ndimage.median_filter)
def median_filter(y, input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    plain_window(mode, output, cval, axes, footprint, origin)
    d[y] = helper("ranked_tangent", y, d[input], input, y, sizes_of(size, input), numpy_mode(mode))


@adjoint(ndimage.percentile_filter)
def percentile_filter(
    y, input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Equal elements share evenly."""
    plain_window(mode, output, cval, axes, footprint, origin)
    d[input] = helper("ranked_back", input, d[y], input, y, sizes_of(size, input), numpy_mode(mode))


@tangent(ndimage.percentile_filter)
def percentile_filter(
    y, input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    plain_window(mode, output, cval, axes, footprint, origin)
    d[y] = helper("ranked_tangent", y, d[input], input, y, sizes_of(size, input), numpy_mode(mode))


@adjoint(ndimage.rank_filter)
def rank_filter(
    y, input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Equal elements share evenly."""
    plain_window(mode, output, cval, axes, footprint, origin)
    d[input] = helper("ranked_back", input, d[y], input, y, sizes_of(size, input), numpy_mode(mode))


@tangent(ndimage.rank_filter)
def rank_filter(
    y, input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    plain_window(mode, output, cval, axes, footprint, origin)
    d[y] = helper("ranked_tangent", y, d[input], input, y, sizes_of(size, input), numpy_mode(mode))


@linear(helpers.ranked_back)
def ranked_back(y, g, x, values, sizes, mode):
    d[g] = call_helper_again("ranked_tangent", d[y], x, values, sizes, mode)
    d[x] = 0.0
    d[values] = 0.0


@linear(helpers.ranked_tangent)
def ranked_tangent(y, dx, x, values, sizes, mode):
    d[dx] = call_helper_again("ranked_back", d[y], x, values, sizes, mode)
    d[x] = 0.0
    d[values] = 0.0


zero(ndimage.label, ndimage.find_objects, ndimage.binary_erosion, ndimage.binary_dilation, ndimage.binary_opening)
zero(ndimage.binary_closing, ndimage.binary_fill_holes, ndimage.binary_hit_or_miss, ndimage.binary_propagation)
zero(ndimage.distance_transform_cdt)
zero(ndimage.generate_binary_structure, ndimage.iterate_structure, ndimage.histogram, ndimage.maximum_position)
zero(ndimage.minimum_position, ndimage.value_indices, ndimage.watershed_ift)


# -- morphology with flat structures: minima and maxima in windows -----------------------------------------------------


def flat_structure(size, footprint, structure, shifted=False):
    """Only rectangles, given by their size; those of even size would shift a dilation."""
    if size is None or footprint is not None or structure is not None:
        raise NoDerivative("only a flat structure given by its size has a rule", "give size")
    for n in (size,) if isinstance(size, int) else size:
        if shifted and n % 2 == 0:
            raise NoDerivative("dilation with an even size has no rule", "give an odd size")


@definition(ndimage.grey_erosion)
def grey_erosion(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """Equal elements share evenly."""
    flat_structure(size, footprint, structure)
    return ndimage.minimum_filter(input, size, None, output, mode, cval, origin)


@definition(ndimage.grey_dilation)
def grey_dilation(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """Equal elements share evenly. Of odd sizes."""
    flat_structure(size, footprint, structure, True)
    return ndimage.maximum_filter(input, size, None, output, mode, cval, origin)


@definition(ndimage.grey_opening)
def grey_opening(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    flat_structure(size, footprint, structure, True)
    least = ndimage.minimum_filter(input, size, None, output, mode, cval, origin)
    return ndimage.maximum_filter(least, size, None, output, mode, cval, origin)


@definition(ndimage.grey_closing)
def grey_closing(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    flat_structure(size, footprint, structure, True)
    largest = ndimage.maximum_filter(input, size, None, output, mode, cval, origin)
    return ndimage.minimum_filter(largest, size, None, output, mode, cval, origin)


@definition(ndimage.morphological_gradient)
def morphological_gradient(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    largest = ndimage.grey_dilation(input, size, footprint, structure, output, mode, cval, origin)
    return largest - ndimage.grey_erosion(input, size, footprint, structure, output, mode, cval, origin)


@definition(ndimage.morphological_laplace)
def morphological_laplace(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    largest = ndimage.grey_dilation(input, size, footprint, structure, output, mode, cval, origin)
    least = ndimage.grey_erosion(input, size, footprint, structure, output, mode, cval, origin)
    return largest + least - 2.0 * input


@definition(ndimage.white_tophat)
def white_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    return input - ndimage.grey_opening(input, size, footprint, structure, output, mode, cval, origin)


@definition(ndimage.black_tophat)
def black_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """As grey_dilation."""
    return ndimage.grey_closing(input, size, footprint, structure, output, mode, cval, origin) - input


def smoothed(input, sigma, orders, mode, cval):
    """A Gaussian filter along each axis, or its derivative of an order."""
    widths = sigma if isinstance(sigma, (tuple, list)) else (sigma, sigma, sigma)
    y = ndimage.gaussian_filter1d(input, widths[0], 0, orders[0], mode=mode, cval=cval)
    y = ndimage.gaussian_filter1d(y, widths[1], 1, orders[1], mode=mode, cval=cval)
    return ndimage.gaussian_filter1d(y, widths[2], 2, orders[2], mode=mode, cval=cval) if len(orders) > 2 else y


@definition(ndimage.gaussian_gradient_magnitude)
def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0):
    """0 where the magnitude is 0. Of images and volumes."""
    if output is not None or input.ndim not in (2, 3):
        raise NoDerivative("output and other than two or three axes have no rule", "use ndimage.gaussian_filter1d")
    if np.asarray(input).dtype.kind in "biu":
        raise NoDerivative("of an image of ints it gives ints, which have none", "make it floats: image.astype(float)")
    if input.ndim == 2:
        return np.hypot(smoothed(input, sigma, (1, 0), mode, cval), smoothed(input, sigma, (0, 1), mode, cval))
    first = np.hypot(smoothed(input, sigma, (1, 0, 0), mode, cval), smoothed(input, sigma, (0, 1, 0), mode, cval))
    return np.hypot(first, smoothed(input, sigma, (0, 0, 1), mode, cval))
