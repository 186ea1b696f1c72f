"""SciPy's image filters. The transpose of a correlation is a convolution; what a boundary condition put around an image
is folded back to where it was taken from."""

from scipy import ndimage

from s2sad.rules import adjoint, d, linear, tangent
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
