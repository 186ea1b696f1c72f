"""Lists where SciPy makes arrays of them."""

import numpy as np

from tests.language.corpus import program

try:
    import scipy.integrate
    import scipy.interpolate
    import scipy.ndimage
    import scipy.optimize
    import scipy.signal
    import scipy.spatial.distance
    import scipy.special
    import scipy.stats
except ImportError:
    scipy = None

if scipy is not None:

    @program("packages", args=lambda: ([0.4, 0.9, 0.2, 1.3], [1.0, 0.3]))
    def filtered_lists(signal, taps):
        y = scipy.signal.lfilter(taps, [1.0, -0.4], signal)
        z = scipy.signal.lfilter(taps, 1.0, [v * v for v in signal])
        spline = scipy.interpolate.CubicSpline([0.0, 1.0, 2.0, 3.0], signal)
        return np.sum(y**2) + np.sum(z * scipy.special.erf(signal)) + float(spline(1.4))

    @program("packages", args=lambda: (1.0, 1.5, 0.3), wrt=(0, 1, 2))
    def arguments_of_a_solver_in_a_list(v, a, b):
        def excess(x, p, q):
            return x**3 - p - q * x

        (v, *rest), start = (v, a, b), 2.0
        x = scipy.optimize.newton(lambda x, *p: excess(x, *p) - v, x0=start, args=rest)
        y = scipy.optimize.brentq(lambda x, *p: excess(x, *p) - v, 0.9, 3.0, args=tuple(rest))
        return x * y**2

    @program("packages, arrays of computed parts", args=lambda: (np.array([[0.4, 0.9, 0.2, 1.3, 0.7, 0.1]]).T,))
    def smoothed_columns(x):
        y = scipy.signal.savgol_filter(np.hstack((x, 2.0 * x)), 5, 2, deriv=1, axis=0)
        return np.sum(np.c_[np.sin(y[:, 0]), y] ** 2)

    @program("packages", args=lambda: (0.47, np.array([0.3, 0.92, 0.55, 0.7, 0.2])), wrt=(0, 1))
    def whole_numbers_as_points(p, y):
        x = np.arange(5)
        total = scipy.interpolate.CubicSpline(x, y)(p + 1) + scipy.interpolate.PchipInterpolator(list(x), y)(p)
        total += scipy.interpolate.interp1d(range(5), y)(p) * scipy.interpolate.Akima1DInterpolator(x, y)(2 * p)
        return total + scipy.interpolate.interp1d([0, 1, 2], [1.0, 2.0, 5.0])(p)

    @program("packages", args=lambda: (0.47,))
    def lists_that_become_arrays(p):
        row = [p, 1.0, 2.0]
        total = scipy.integrate.cumulative_trapezoid(row, x=[0, 1, 3])[-1] + scipy.integrate.romb(row)
        total += scipy.integrate.simpson(row, dx=2) * scipy.stats.gaussian_kde(row)(0.5)[0]
        total += scipy.spatial.distance.cosine(row, [1, 2, 3]) * scipy.spatial.distance.cdist([row], [[1, 2, 3]])[0, 0]
        return total + scipy.interpolate.interp1d([0, 1, 2], row)(0.5) * scipy.spatial.distance.pdist([row, [1, 2, 3]])[0]

    @program("refusals", args=lambda: (0.37,), refused=True)
    def magnitude_of_an_image_of_ints(width):
        image = (np.arange(20).reshape(4, 5) * 7) % 11 * 3
        return scipy.ndimage.gaussian_gradient_magnitude(image, width).sum() * width

    @program("same array twice", args=lambda: (np.array([0.7, 1.1, 0.4]), np.array([0.2, 0.5, 0.9])), wrt=(0, 1))
    def resampled_at_the_same_rate(x, w):
        s = np.sum(x**3)
        z = scipy.signal.resample_poly(x, 1, 1) + w
        return np.sum(z * z) + s
