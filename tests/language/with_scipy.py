"""Lists where SciPy makes arrays of them."""

import numpy as np

from tests.language.corpus import program

try:
    import scipy.interpolate
    import scipy.signal
    import scipy.special
except ImportError:
    scipy = None

if scipy is not None:

    @program("packages", args=lambda: ([0.4, 0.9, 0.2, 1.3], [1.0, 0.3]))
    def filtered_lists(signal, taps):
        y = scipy.signal.lfilter(taps, [1.0, -0.4], signal)
        z = scipy.signal.lfilter(taps, 1.0, [v * v for v in signal])
        spline = scipy.interpolate.CubicSpline([0.0, 1.0, 2.0, 3.0], signal)
        return np.sum(y**2) + np.sum(z * scipy.special.erf(signal)) + float(spline(1.4))
