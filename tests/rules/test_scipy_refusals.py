"""What the rules of SciPy leave out is refused when code is generated, with the way out."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import fft, interpolate, linalg, ndimage, signal, sparse, stats
from scipy.sparse.linalg import spsolve
from scipy.spatial import distance

import s2sad
from s2sad.frontend.diagnostics import DerivationError
from tests.numeric import check_forward, check_reverse

X = np.linspace(0.1, 1.3, 12)
IMAGE = np.outer(X, X[::-1])
SOS = np.array([[0.3, 0.2, 0.1, 1.0, -0.4, 0.1]])


def weights_with_state(b):
    return np.sum(signal.lfilter(b, [1.0, -0.4], IMAGE, zi=np.zeros((len(IMAGE), 1)))[0])


def gust(x):
    return np.sum(signal.filtfilt([1.0, 0.2], [1.0, -0.3], x, method="gust"))


def filled(x):
    return np.sum(signal.convolve2d(x, IMAGE[:3, :3], "same", "fill", 2.0))


def running_median(x):
    return np.sum(signal.order_filter(x, np.ones(3), 1))


def several_modes(x):
    return np.sum(ndimage.gaussian_filter(x, 1.0, mode=["wrap", "nearest"]))


def in_single(x):
    return np.sum(ndimage.gaussian_filter(x, 1.0, output=np.float32))


def width(s):
    return np.sum(ndimage.gaussian_filter(IMAGE, s))


def magnification(z):
    return np.sum(ndimage.zoom(IMAGE, z))


def biased(x):
    return np.sum(fft.fht(x, 0.1, 0.5, bias=0.2))


def weighted(x):
    return distance.euclidean(x, X, w=X)


def nearest(y):
    return np.sum(interpolate.interp1d(X, y, kind="zero")(X))


def other_axis(y):
    return np.sum(interpolate.BSpline(np.arange(12.0), y, 3, axis=1)(X))


def asymmetric_window(s):
    return np.sum(signal.windows.gaussian(7, s, sym=False))


def dense_matrix(a):
    return np.sum(spsolve(a, X))


def sparse_power(x):
    return np.sum((sparse.csr_array(IMAGE) // x).sum())


def without_nan(x):
    return stats.circmean(x, nan_policy="omit") + stats.tmean(x, nan_policy="omit")


def truncated_inverse(a):
    return np.sum(linalg.pinvh(a @ a.T, rtol=0.1))


@pytest.mark.parametrize(
    ("f", "argument", "words"),
    [
        (without_nan, X, "nan_policy"),
        (truncated_inverse, IMAGE, "rtol"),
        (weights_with_state, np.array([0.3, 0.2]), "only one signal has a rule"),
        (gust, X, "Gustafsson"),
        (filled, IMAGE, "fillvalue"),
        (running_median, X, "neither a derivative rule"),
        (several_modes, IMAGE, "filter along each axis|mode must be known"),
        (in_single, IMAGE, "output"),
        (width, 1.5, "argument sigma"),
        (magnification, 1.5, "argument zoom"),
        (biased, X, "bias"),
        (weighted, X, "scale the vectors"),
        (nearest, X, "this kind has no rule"),
        (other_axis, IMAGE[:, :8], "np.moveaxis"),
        (asymmetric_window, 1.5, "sym=False"),
        (dense_matrix, IMAGE, "argument A"),
        (sparse_power, X, "no derivative rule for csr_array"),
    ],
    ids=lambda v: v.__name__ if callable(v) else "",
)
def test_refused(f, argument, words):
    with pytest.raises(DerivationError, match=words):
        s2sad.grad(f)(argument)


def into(x):
    out = np.zeros_like(x)
    ndimage.gaussian_filter(x, 1.0, output=out)
    ndimage.sobel(out, 0, out)
    return np.sum(out**2)


def test_results_that_are_written_into_an_array():
    check_reverse(into, (IMAGE,), 0)
    check_forward(into, (IMAGE,), 0)


def eroded(x):
    out = np.zeros_like(IMAGE)
    ndimage.grey_erosion(IMAGE, size=3, output=out)
    return np.sum(x * out)


def test_constant_results_that_are_written_into_an_array():
    check_reverse(eroded, (IMAGE,), 0)
