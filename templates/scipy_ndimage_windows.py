"""SciPy's images: the element of a window that comes at some place in their order; morphology."""

import numpy as np
from scipy import ndimage

from s2sad.rules import adjoint, d, definition, linear, tangent, zero
from s2sad.runtime import helpers

# -- the element of a window that comes at some place in their order ---------------------------------------------------


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
