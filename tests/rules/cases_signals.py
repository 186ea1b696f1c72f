"""The calls on which the rules of SciPy's signals, images and distances are tested; see test_scipy.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.rules.cases import K, a, c, spd

CASES: dict[str, list[Any]] = {}

#: denominators of stable filters
_den = np.array([1.3, -0.5, 0.2])
_sos = np.array([[0.3, 0.2, 0.1, 1.0, -0.4, 0.1], [0.5, -0.2, 0.0, 1.0, 0.3, 0.0]])

_symmetric = a(4, 4) * (1.0 - np.eye(4))
_symmetric = _symmetric + _symmetric.T

_convolutions = [
    K(a(5), a(3)),
    K(a(3), a(5)),
    K(a(5), a(3), "same"),
    K(a(5), a(4), "same"),
    K(a(3), a(6), mode="same"),
    K(a(5), a(3), "valid"),
    K(a(3), a(6), "valid"),
    K(a(4, 5), a(3, 2)),
    K(a(4, 5), a(3, 2), "same"),
    K(a(4, 5), a(3, 2), mode="valid"),
]
_by_method = [
    K(a(5), a(3), method="fft"), K(a(4, 3), a(2, 2), "same", "fft"), K(a(3), a(6), "valid", "fft"),
    K(a(5), a(3), method="direct"), K(a(4, 3), a(2, 2), "same", "direct"),
]  # fmt: skip
CASES["scipy.signal.convolve"] = [
    *_convolutions, K(c(4), c(3)), K(a(4), c(3), "same"), *_by_method, K(c(4), c(3), "same", "fft"),
    K(a(4), c(3), "valid", "fft"), K(c(4, 3), a(2, 2), "full", "fft"), K(c(4), c(3), "same", "direct"),
]  # fmt: skip
CASES["scipy.signal.fftconvolve"] = [*_convolutions, K(c(4), c(3)), K(a(4), c(3), "same"), K(c(4, 3), a(2, 2))]
CASES["scipy.signal.oaconvolve"] = [*_convolutions, K(c(4), c(3))]
CASES["scipy.signal.correlate"] = [*_convolutions, *_by_method]
CASES["scipy.signal.convolve2d"] = CASES["scipy.signal.correlate2d"] = [
    K(a(4, 5), a(3, 2)),
    K(a(4, 5), a(2, 3), "same"),
    K(a(4, 5), a(3, 3), "valid"),
    K(a(4, 5), a(3, 2), boundary="wrap"),
    K(a(4, 5), a(3, 2), "same", "wrap"),
    K(a(4, 5), a(2, 3), "same", "symm"),
    K(a(4, 5), a(3, 3), "full", "symm"),
    K(a(4, 5), a(3, 2), "valid", "symm"),
]
CASES["scipy.signal.lfilter"] = [
    K(a(2), _den, a(6)),
    K(a(4), _den, a(6)),
    K(a(3), np.array([2.0]), a(5)),
    K([0.3, 0.2], [1.0, -0.4], a(5)),
    K([0.3], [1.0, -0.4], a(2, 5), _={"inactive": (0, 1)}),
    K(a(2), _den, a(5, 2), 0),
    K(a(2), _den, a(2, 5), axis=1),
    K(np.array([0.5, 0.2, 0.1]), _den, a(6), zi=a(2), _={"inactive": (0, 1)}),
    K(np.array([0.5, 0.2, 0.1]), _den, a(3, 6), zi=a(3, 2), _={"inactive": (0, 1)}),
    K(np.array([0.5, 0.2, 0.1]), _den, a(1), zi=a(2), _={"inactive": (0, 1)}),
]
CASES["scipy.signal.sosfilt"] = [
    K(_sos, a(6), _={"inactive": (0,)}),
    K(_sos, a(5, 2), 0, _={"inactive": (0,)}),
    K(_sos, a(6), zi=a(2, 2), _={"inactive": (0,)}),
    K(_sos, a(3, 6), zi=a(2, 3, 2), _={"inactive": (0,)}),
]
CASES["scipy.signal.filtfilt"] = [
    K(a(2), _den, a(12), _={"inactive": (0, 1)}),
    K(a(3), _den, a(2, 12), padtype="even", _={"inactive": (0, 1)}),
    K(a(3), _den, a(12), padtype="constant", padlen=4, _={"inactive": (0, 1)}),
    K(a(3), _den, a(12, 2), 0, None, _={"inactive": (0, 1)}),
]
CASES["scipy.signal.sosfiltfilt"] = [
    K(_sos, a(18), _={"inactive": (0,)}),
    K(_sos, a(18, 2), 0, "even", _={"inactive": (0,)}),
    K(_sos, a(2, 18), padlen=3, _={"inactive": (0,)}),
]
CASES["scipy.signal.hilbert"] = [K(a(6)), K(a(5)), K(a(2, 6)), K(a(6, 2), axis=0)]
CASES["scipy.signal.detrend"] = [
    K(a(6)), K(a(2, 6), type="constant"), K(a(6, 2), 0), K(a(7), bp=[3])
]  # fmt: skip
CASES["scipy.signal.savgol_filter"] = [
    K(a(9), 5, 2),
    K(a(2, 9), 5, 3, deriv=1, delta=0.5, _={"inactive": ("delta",)}),
    K(a(9, 2), 4, 2, axis=0),
    K(a(9), 5, 2, mode="nearest"),
    K(a(9), 5, 2, mode="mirror"),
    K(a(9), 5, 2, 1, mode="wrap"),
    K(a(9), 4, 2, mode="constant"),
]
CASES["scipy.signal.resample"] = [K(a(6), 9), K(a(6), 4), K(a(5), 8), K(a(7, 2), 3), K(a(2, 6), 3, axis=1), K(a(5), 5)]
CASES["scipy.signal.upfirdn"] = [
    K(a(3), a(6)), K(a(5), a(6), 3, 2), K(a(4), a(2, 6), 2, 3), K(a(4), a(6, 2), up=2, axis=0), K(a(2), a(4), 3, 1)
]  # fmt: skip
CASES["scipy.signal.decimate"] = [K(a(60), 2), K(a(2, 60), 3, 4), K(a(60, 2), 2, axis=0, zero_phase=False)]
CASES["scipy.signal.resample_poly"] = [
    K(a(20), 3, 2), K(a(21), 2, 3), K(a(20, 2), 1, 4, window="hamming"), K(a(2, 12), 4, 2, axis=1), K(a(5), 2, 2)
]  # fmt: skip
CASES["scipy.signal.chirp"] = [K(a(4), 1.2, 2.0, 3.1), K(a(4), 1.2, 2.0, 3.1, phi=20.0)]
CASES["scipy.signal.windows.gaussian"] = [K(7, 1.3)]
CASES["scipy.signal.windows.general_gaussian"] = [K(6, 1.2, 2.3)]
CASES["scipy.signal.windows.general_hamming"] = [K(6, 0.6)]
CASES["scipy.signal.windows.kaiser"] = [K(6, 2.2)]

CASES["scipy.signal.chirp"] += [
    K(a(4), 1.2, 2.0, 3.1, method=m) for m in ("quadratic", "logarithmic", "hyperbolic")
] + [K(a(4), 1.2, 2.0, 3.1, "quadratic", vertex_zero=False)]  # fmt: skip
CASES["scipy.signal.windows.tukey"] = [K(8, 0.45)]
CASES["scipy.signal.windows.exponential"] = [K(8, tau=2.3), K(7, None, 1.2)]
CASES["scipy.signal.windows.general_cosine"] = [K(8, a(3))]

CASES["scipy.signal.welch"] = [
    K(a(20), nperseg=8), K(a(2, 20), 2.0, "hamming", 8, 2, 16, False, scaling="spectrum"), K(a(20), window=a(6)),
    K(a(20), nperseg=7, detrend="linear"),
]  # fmt: skip
CASES["scipy.signal.csd"] = [K(a(20), a(20), nperseg=8), K(a(20), a(20), 2.0, nperseg=7, detrend=False, nfft=9)]
CASES["scipy.signal.coherence"] = [K(a(20), a(20), nperseg=8)]
CASES["scipy.signal.periodogram"] = [K(a(12)), K(a(2, 11), 2.0, "hann", detrend="linear", scaling="spectrum")]
CASES["scipy.signal.spectrogram"] = [K(a(20), nperseg=8), K(a(20), 2.0, "hann", 8, 4, mode="complex")]
CASES["scipy.signal.stft"] = [
    K(a(20), nperseg=8), K(a(2, 19), 2.0, "hamming", 6, 2, boundary=None), K(a(21), nperseg=8, padded=False),
    K(a(20), nperseg=8, detrend="constant", scaling="psd"),
]  # fmt: skip
CASES["scipy.signal.istft"] = [K(c(5, 4)), K(c(5, 4), 2.0, noverlap=6, scaling="psd"), K(c(5, 4), boundary=False)]
CASES["scipy.signal.freqz"] = [K(a(3), worN=5), K(a(3), _den, 4, True), K(a(2), _den, a(4), fs=3.0)]
for _name in ("sosfreqz", "freqz_sos"):
    CASES["scipy.signal." + _name] = [K(_sos, a(3), _={"inactive": (0,)})]
CASES["scipy.signal.freqs"] = [K(a(3), _den, a(4))]
CASES["scipy.signal.group_delay"] = [K((a(3), _den), 5)]
CASES["scipy.signal.zpk2tf"] = [K(a(3), a(2), 1.4)]
CASES["scipy.signal.lfilter_zi"] = [K(a(3), _den), K(a(2), _den), K(a(4), _den)]
CASES["scipy.signal.sosfilt_zi"] = [K(_sos)]
CASES["scipy.signal.lfilter"] += [K(a(3), _den, a(6), zi=a(2)), K(a(2), _den, a(6), zi=a(2)),
    K(a(4), _den, a(2), zi=a(3)), K(a(4), _den, a(1), zi=a(3)), K(a(3), _den, a(2), zi=a(2))]  # fmt: skip
CASES["scipy.signal.filtfilt"] += [K(a(2), _den, a(12)), K(a(3), _den, a(14), padlen=5)]
CASES["scipy.signal.medfilt"] = [K(a(7), 3), K(a(8)), K(a(5, 6), 3)]
CASES["scipy.signal.medfilt2d"] = [K(a(5, 6)), K(a(5, 6), 5)]
CASES["scipy.signal.wiener"] = [K(a(9)), K(a(5, 6), 3, 0.02)]

# -- images ------------------------------------------------------------------------------------------------------------

MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant")
for _name in ("correlate", "convolve"):
    CASES["scipy.ndimage." + _name] = [
        *(K(a(5, 6), a(3, 2), mode=m) for m in MODES),
        K(a(6), a(3)),
        K(a(3), a(6)),
        K(a(6), a(4), origin=1),
        K(a(5, 6), a(3, 4), mode="wrap", origin=-1),
        K(a(3, 4, 3), a(2, 3, 2), mode="mirror"),
        K(a(5), a(3), mode="constant", cval=1.5, _={"inactive": (1, "cval")}),
    ]
    CASES["scipy.ndimage." + _name + "1d"] = [
        *(K(a(5, 6), a(3), 0, mode=m) for m in MODES),
        K(a(6), a(3)),
        K(a(6), a(4), origin=1),
        K(a(2, 6), a(4), axis=1, mode="nearest", origin=-1),
        K(a(5), np.array([0.3, 0.4]), mode="constant", cval=1.5, _={"inactive": (1, "cval")}),
    ]
_sigma = {"_": {"inactive": (1, "cval", "truncate")}}
CASES["scipy.ndimage.gaussian_filter1d"] = [
    *(K(a(5, 6), 0.8, 0, mode=m, **_sigma) for m in MODES),
    *(K(a(7), 0.8, order=1, mode=m, **_sigma) for m in MODES),
    K(a(7), 0.8, order=2, **_sigma),
    K(a(7), 1.2, -1, 0, None, "nearest", 0.0, 3.0, _={"inactive": (1, 6, 7)}),
    K(a(7), 1.2, radius=2, **_sigma),
    K(a(7), 1.2, mode="constant", cval=2.0, **_sigma),
]
CASES["scipy.ndimage.gaussian_filter"] = [
    *(K(a(5, 6), 0.8, mode=m, **_sigma) for m in MODES),
    *(K(a(5, 6), 0.8, order=1, mode=m, **_sigma) for m in MODES),
    K(a(5, 6), (0.8, 1.3), mode="nearest", _={"inactive": (1,)}),
    K(a(5), 0.8, 1, mode="nearest", truncate=2.0, **_sigma),
]
CASES["scipy.ndimage.gaussian_laplace"] = [K(a(5, 6), 0.8, mode=m, **_sigma) for m in MODES]
CASES["scipy.ndimage.uniform_filter1d"] = [
    *(K(a(5, 6), 3, 0, mode=m) for m in MODES),
    *(K(a(6), 4, mode=m, origin=1) for m in MODES),
    K(a(5), 3, mode="constant", cval=2.0, _={"inactive": ("cval",)}),
]
CASES["scipy.ndimage.uniform_filter"] = [
    *(K(a(5, 6), 3, mode=m) for m in MODES), *(K(a(5, 6), 4, mode=m) for m in MODES), K(a(5, 6))
]  # fmt: skip
for _name in (
    "grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "morphological_laplace",
    "white_tophat", "black_tophat",
):  # fmt: skip
    CASES["scipy.ndimage." + _name] = [K(a(5, 6), 3), *(K(a(5, 6), (1, 3), mode=m) for m in MODES), K(a(7), 3)]
CASES["scipy.ndimage.grey_erosion"].append(K(a(5, 6), 2))
CASES["scipy.ndimage.gaussian_gradient_magnitude"] = [
    *(K(a(5, 6), 0.8, mode=m, **_sigma) for m in MODES), K(a(5, 6), (0.8, 1.3), _={"inactive": (1,)}),
    K(a(4, 3, 2), 0.8, **_sigma),
]  # fmt: skip
for _name in ("sobel", "prewitt"):
    CASES["scipy.ndimage." + _name] = [*(K(a(5, 6), mode=m) for m in MODES), K(a(5, 6), 0), K(a(5, 6), axis=0)]
CASES["scipy.ndimage.laplace"] = [*(K(a(5, 6), mode=m) for m in MODES), K(a(6))]
CASES["scipy.ndimage.fourier_gaussian"] = [K(c(5, 6), 0.8, _={"inactive": (1,)}), K(c(5), 0.8, _={"inactive": (1,)})]
CASES["scipy.ndimage.fourier_shift"] = [K(c(5, 6), 0.8, _={"inactive": (1,)})]
CASES["scipy.ndimage.fourier_uniform"] = CASES["scipy.ndimage.fourier_ellipsoid"] = [K(c(5, 6), 2), K(c(5, 6), (2, 3))]

_image, _points = a(23), np.array([[0.3, 4.7, 11.2, 21.6, -0.4, -2.6, 22.7, 25.3, 8.0]])
_square = np.array([[0.3, 2.7, 4.2, -0.4, 5.3, -1.8], [2.3, 0.6, 3.1, 4.4, 6.2, 5.7]])
CASES["scipy.ndimage.spline_filter1d"] = [
    K(a(6)), K(a(4, 5), 2, 0), K(a(24), mode="reflect"), K(a(6), 5, mode="grid-wrap"), K(a(6), mode="constant"),
    *(K(a(4, 3), n, 0, mode=m) for n in (3, 5) for m in ("reflect", "grid-mirror", "nearest")),
    K(a(45), 5, mode="reflect"),
]  # fmt: skip
CASES["scipy.ndimage.map_coordinates"] = [
    *(K(_image, _points + 0.07, order=1, mode=m) for m in MODES),
    *(K(_image, _points + 0.07, order=2, mode=m) for m in MODES),
    *(K(_image, _points, mode=m) for m in MODES),
    *(K(a(4), _points[:, 4:6], order=n, mode="nearest", prefilter=False) for n in (2, 3, 4, 5)),
    K(a(4, 3), _square[:, :3], order=5, mode="reflect"),
    K(a(5, 6), _square),
    K(a(5, 6), _square, order=1, mode="nearest"),
    K(a(5, 6), _square, order=4, mode="mirror", prefilter=False),
    K(a(5, 6), _square, order=5, mode="grid-wrap"),
    K(a(5, 6), [np.array([1.3, 2.2]), np.array([2.4, 0.8])], order=3),
    K(a(4, 3, 4), np.array([[[1.2, 0.4]], [[0.7, 1.3]], [[2.2, 0.9]]]), order=2),
    K(a(5), np.array([[0.4, 7.0]]), order=1, mode="constant", cval=2.0, _={"inactive": ("cval",)}),
]
CASES["scipy.ndimage.shift"] = [
    *(K(a(6), 1.3, order=1, mode=m) for m in MODES),
    *(K(a(5, 6), np.array([0.3, -1.2]), order=2, mode=m) for m in ("mirror", "grid-wrap")),
    K(a(5, 6), 0.4),
    K(a(5, 6), (1.2, -0.6), _={"inactive": (1,)}),
    *(K(_image, 2.3137, order=n, mode=m) for n in (2, 3) for m in MODES),
    K(a(5, 6), np.array([0.3137, -2.2]), order=3, mode="nearest", prefilter=False),
    K(a(4, 5), np.array([0.3137, -2.2]), order=4, mode="grid-mirror"),
    K(a(5, 6), np.array([0.3137, -8.0]), order=1, mode="nearest"),
    K(a(5, 6), np.array([0.4137, -1.7]), order=4, mode="wrap", prefilter=False),
    K(a(3, 4, 3), np.array([0.3137, -0.2271, 1.4]), order=2, mode="mirror"),
    K(a(3, 4, 3), 0.4137, order=3, mode="grid-wrap"),
    K(a(5, 6), 0.4, order=0, _={"inactive": (1,)}),
]
_map = np.array([[0.913, 0.237], [-0.121, 1.077]])
CASES["scipy.ndimage.affine_transform"] = [
    K(a(5, 6), _map, _={"inactive": (1,)}),
    K(a(5, 6), _map, np.array([0.3137, -0.4271]), order=5, mode="mirror"),
    K(a(5, 6), _map, 0.3137, (4, 3), order=5, mode="grid-wrap"),
    K(a(5, 6), _map, -1.3137, order=3, mode="nearest", prefilter=False),
]
CASES["scipy.ndimage.zoom"] = [
    K(a(5), 2), K(a(4, 5), 1.5, order=1, _={"inactive": (1,)}), K(a(4, 5), (2, 1), order=2, mode="mirror"),
    K(a(7), 0.5, _={"inactive": (1,)}),
    *(K(_image, 2, order=n, mode=m) for n in (2, 3) for m in MODES), K(a(4, 3), 2, order=3, mode="reflect"),
    K(a(3, 4, 3), 2, order=1, mode="reflect"), K(a(3, 4, 3), (1, 2, 3), order=2, mode="grid-wrap"),
    K(a(4, 5), (2, 3), order=5, mode="wrap", prefilter=False), K(a(4, 5), 2, order=0),
]  # fmt: skip

for _name in ("maximum", "minimum", "median"):
    CASES[f"scipy.ndimage.{_name}_filter"] = [
        K(a(7), 3), K(a(5, 6), 3, mode="mirror"), K(a(5, 6), 2, mode="nearest"), K(a(5, 6), (1, 3), mode="wrap"),
        K(1.0 + a(6), 3, mode="constant"),
    ]  # fmt: skip
for _name in ("maximum", "minimum"):
    CASES[f"scipy.ndimage.{_name}_filter1d"] = [K(a(7), 3), K(a(4, 5), 4, 0, mode="wrap"), K(a(4, 5), 3, axis=1)]
CASES["scipy.ndimage.percentile_filter"] = [K(a(7), 30, 3), K(a(5, 6), 70, size=3)]
CASES["scipy.ndimage.rank_filter"] = [K(a(7), 1, 3), K(a(5, 6), -2, size=3)]
CASES["scipy.ndimage.rotate"] = [
    K(a(5, 6), 17.3, reshape=False, order=5, mode="mirror"), K(a(5, 6), 17.3, order=5, mode="grid-wrap"),
    K(a(5, 6), 17.3, _={"inactive": (1,)}), K(a(5, 6), 17.3, mode="nearest", prefilter=False),
]  # fmt: skip
CASES["scipy.ndimage.center_of_mass"] = [K(a(5)), K(a(4, 5))]

# -- distances ---------------------------------------------------------------------------------------------------------

_D = "scipy.spatial.distance."
#: no two elements are near each other, nor near each other's negative: there are kinks
_first = np.array([[0.3, -1.2, 0.7], [1.1, 0.4, -0.5], [-0.8, 0.9, 1.6], [2.0, -0.65, 0.15]])
_second = np.array([[0.55, 0.2, -1.1], [-1.5, 1.3, 0.35]])
for _name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation"):
    CASES[_D + _name] = [K(_first[0], _second[0]), K(_first[3], _second[1])]
CASES[_D + "jensenshannon"] = [K(a(4), a(4))]
CASES[_D + "minkowski"] = [K(a(4), 1.0 + a(4)), K(a(4), -a(4), 3), K(a(4), 1.0 + a(4), p=2.5, _={"inactive": ("p",)})]
CASES[_D + "seuclidean"] = [K(_first[0], _second[0], a(3))]
CASES[_D + "mahalanobis"] = [K(_first[0], _second[0], spd(3)), K(_first[0], _second[0], spd(3) + 0.1 * a(3, 3))]
_metrics = ("sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation")
CASES[_D + "cdist"] = [
    K(_first, _second),
    *(K(_first, _second, m) for m in _metrics),
    K(_first, _second, "minkowski"),
    K(_first, _second, "minkowski", p=3),
    K(_first, _second, "seuclidean", V=a(3), _={"inactive": ("V",)}),
    K(_first, _second, "mahalanobis", VI=spd(3), _={"inactive": ("VI",)}),
]
CASES[_D + "pdist"] = [
    K(_first),
    *(K(_first, m) for m in _metrics),
    K(_first, "minkowski", p=3),
    K(_first, "seuclidean", V=a(3), _={"inactive": ("V",)}),
    K(_first, "mahalanobis", VI=spd(3), _={"inactive": ("VI",)}),
]
CASES[_D + "squareform"] = [K(a(6)), K(_symmetric, checks=False)]

for _case in (case for cases in CASES.values() for case in cases):
    _case.options["known_only"] = True
