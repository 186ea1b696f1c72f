"""SciPy's spectra and responses of filters, said in Fourier transforms and polynomials; and what of its filters has a
formula."""

import numpy as np
from scipy import linalg, ndimage, signal

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import definition, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import one_sided_weights, starts_of_segments

zero(helpers.starts_of_segments, helpers.one_sided_weights)


@known.rule(helpers.starts_of_segments)
def starts_kind(args, kwargs):
    """A list of a length that is not known."""
    return Array(np.dtype(np.int64), (known.dims.fresh(),))


@known.rule(helpers.one_sided_weights)
def weights_kind(args, kwargs):
    """A list of a length that is not known."""
    return Array(known.F8, (known.dims.fresh(),))


# -- spectra -----------------------------------------------------------------------------------------------------------


def only_last_axis(axis):
    if axis != -1:
        raise NoDerivative("only axis=-1 has a rule", "move the axes with np.moveaxis first")


def only_one_sided(x, return_onesided):
    if not return_onesided or np.iscomplexobj(x):
        raise NoDerivative("only one-sided spectra of real signals have a rule", "use np.fft")


def only_means(x, axis, return_onesided, average):
    only_last_axis(axis)
    only_one_sided(x, return_onesided)
    if average != "mean":
        raise NoDerivative("only average='mean' has a rule", "take the segments of a spectrogram")


def length_of(window, nperseg, n):
    """How long a segment is."""
    if not isinstance(window, (str, tuple)):
        return len(window)
    return min(256 if nperseg is None else nperseg, n)


def taper(window, nperseg):
    return signal.get_window(window, nperseg) if isinstance(window, (str, tuple)) else window


def segments(x, nperseg, noverlap):
    """The segments of a signal, side by side on a new axis before the last."""
    return x[..., starts_of_segments(x.shape[-1], nperseg, noverlap)[:, None] + np.arange(nperseg)]


def levelled(x, detrend):
    """A segment without its mean, or without its trend."""
    if detrend is False:
        return x
    if detrend == "constant":
        return x - np.mean(x, axis=-1, keepdims=True)
    if detrend == "linear":
        return signal.detrend(x)
    raise NoDerivative("detrend must be 'constant', 'linear' or False", "take the trend off before")


def scale_of(w, fs, scaling):
    return 1.0 / (fs * np.sum(w * w)) if scaling == "density" else 1.0 / np.sum(w) ** 2


def transforms(x, w, nperseg, noverlap, nfft, detrend):
    """The Fourier transforms of the segments."""
    overlap = nperseg // 2 if noverlap is None else noverlap
    return np.fft.rfft(w * levelled(segments(x, nperseg, overlap), detrend), nperseg if nfft is None else nfft)


def estimate(products, w, n, fs, scaling):
    """Frequencies, and the spectrum by the mean over the segments."""
    return np.fft.rfftfreq(n, 1.0 / fs), scale_of(w, fs, scaling) * one_sided_weights(n) * np.mean(products, axis=-2)


@definition(signal.welch)
def welch(
    x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """Of real signals, one-sided, averaged by the mean."""
    only_means(x, axis, return_onesided, average)
    length = length_of(window, nperseg, x.shape[-1])
    w = taper(window, length)
    z = transforms(x, w, length, noverlap, nfft, detrend)
    return estimate(np.real(z) ** 2 + np.imag(z) ** 2, w, length if nfft is None else nfft, fs, scaling)


@definition(signal.csd)
def csd(
    x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """Of real signals of one length, one-sided, averaged by the mean."""
    only_means(x, axis, return_onesided, average)
    length = length_of(window, nperseg, x.shape[-1])
    w = taper(window, length)
    first = transforms(x, w, length, noverlap, nfft, detrend)
    second = transforms(y, w, length, noverlap, nfft, detrend)
    return estimate(np.conj(first) * second, w, length if nfft is None else nfft, fs, scaling)


@definition(signal.coherence)
def coherence(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1):
    """Of real signals of one length."""
    f, first = welch(x, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, second = welch(y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, both = csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    return f, (np.real(both) ** 2 + np.imag(both) ** 2) / first / second


@definition(signal.periodogram)
def periodogram(
    x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1
):
    """Of real signals, one-sided; nfft not below the length of the signal."""
    return welch(x, fs, window, x.shape[-1], 0, nfft, detrend, return_onesided, scaling, axis)


@definition(signal.spectrogram)
def spectrogram(
    x, fs=1.0, window=("tukey", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant",
    return_onesided=True, scaling="density", axis=-1, mode="psd",
):  # fmt: skip
    """Of real signals, one-sided; of modes "psd" and "complex"."""
    only_last_axis(axis)
    only_one_sided(x, return_onesided)
    length = length_of(window, nperseg, x.shape[-1])
    overlap = length // 8 if noverlap is None else noverlap
    w = taper(window, length)
    n = length if nfft is None else nfft
    z = np.swapaxes(transforms(x, w, length, overlap, nfft, detrend), -1, -2)
    times = (starts_of_segments(x.shape[-1], length, overlap) + length / 2) / fs
    if mode == "complex":
        return np.fft.rfftfreq(n, 1.0 / fs), times, np.sqrt(scale_of(w, fs, scaling)) * z
    if mode != "psd":
        raise NoDerivative("of the modes psd and complex have a rule", "take np.abs or np.angle of mode='complex'")
    power = np.real(z) ** 2 + np.imag(z) ** 2
    return np.fft.rfftfreq(n, 1.0 / fs), times, scale_of(w, fs, scaling) * one_sided_weights(n)[:, None] * power


@definition(signal.stft)
def stft(
    x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True,
    boundary="zeros", padded=True, axis=-1, scaling="spectrum",
):  # fmt: skip
    """Of real signals, one-sided, with zeros at the ends or nothing."""
    only_last_axis(axis)
    only_one_sided(x, return_onesided)
    if boundary is not None and boundary != "zeros":
        raise NoDerivative("of the boundaries only 'zeros' and None have a rule", "extend the signal with np.pad")
    length = length_of(window, nperseg, x.shape[-1])
    overlap = length // 2 if noverlap is None else noverlap
    w = taper(window, length)
    n = length if nfft is None else nfft
    before = 0 if boundary is None else length // 2
    count = x.shape[-1] + 2 * before
    behind = before + (-(count - length) % (length - overlap)) % length if padded else before
    wide = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(before, behind)])
    z = np.swapaxes(transforms(wide, w, length, overlap, nfft, detrend), -1, -2)
    times = (starts_of_segments(wide.shape[-1], length, overlap) + (length / 2 if boundary is None else 0.0)) / fs
    root = 1.0 / np.sum(w) if scaling == "spectrum" else 1.0 / np.sqrt(fs * np.sum(w * w))
    return np.fft.rfftfreq(n, 1.0 / fs), times, root * z


@definition(signal.istft)
def istft(
    Zxx, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True,
    time_axis=-1, freq_axis=-2, scaling="spectrum",
):  # fmt: skip
    """Of one one-sided transform, by overlapping sums."""
    if not input_onesided or time_axis != -1 or freq_axis != -2 or Zxx.ndim != 2:
        raise NoDerivative("only one one-sided transform has a rule", "call it for each, one after the other")
    length = 2 * (Zxx.shape[0] - 1) if nperseg is None else nperseg
    n = length if nfft is None else nfft
    step = length - (length // 2 if noverlap is None else noverlap)
    w = taper(window, length)
    parts = np.fft.irfft(Zxx, n, axis=0)[:length] * w[:, None]
    scale = np.sum(w) if scaling == "spectrum" else np.sqrt(fs * np.sum(w * w))
    count, total = Zxx.shape[1], length + (Zxx.shape[1] - 1) * step
    place = np.ravel(np.arange(length)[:, None] + step * np.arange(count))
    norm = np.bincount(place, np.repeat(w * w, count), total)
    x = scale * np.bincount(place, np.ravel(parts), total) / np.where(norm > 1e-10, norm, 1.0)
    if boundary:
        x = x[length // 2 : total - length // 2]
    return np.arange(len(x)) / fs, x


# -- responses of filters ----------------------------------------------------------------------------------------------


def frequencies(worN, whole, fs, include_nyquist):
    """Angular frequencies."""
    if worN is None:
        worN = 512
    if isinstance(worN, int):
        end = 2.0 * np.pi if whole else np.pi
        return np.linspace(0.0, end, worN, endpoint=include_nyquist and not whole)
    return 2.0 * np.pi * worN / fs


def series(c, z):
    """A polynomial with coefficients from the lowest power on."""
    return z[:, None] ** np.arange(len(c)) @ c


@definition(signal.freqz)
def freqz(b, a=1, worN=512, whole=False, plot=None, fs=2 * np.pi, include_nyquist=False):
    """In the coefficients and the frequencies."""
    w = frequencies(worN, whole, fs, include_nyquist)
    z = np.exp(-1j * w)
    h = series(b, z)
    if isinstance(a, (int, float)):
        return w * fs / (2.0 * np.pi), h / a
    return w * fs / (2.0 * np.pi), h / series(a, z)


@definition(*{getattr(signal, name) for name in ("sosfreqz", "freqz_sos") if hasattr(signal, name)})
def sosfreqz(sos, worN=512, whole=False, fs=2 * np.pi):
    """In the coefficients and the frequencies."""
    w = frequencies(worN, whole, fs, False)
    powers = np.exp(-1j * w)[:, None] ** np.arange(3)
    return w * fs / (2.0 * np.pi), np.prod((powers @ sos[:, :3].T) / (powers @ sos[:, 3:].T), axis=1)


@definition(signal.freqs)
def freqs(b, a, worN=200, plot=None):
    """At given frequencies."""
    if worN is None or isinstance(worN, int):
        raise NoDerivative("the frequencies that it chooses have no rule", "give an array as worN")
    return worN, np.polyval(b, 1j * worN) / np.polyval(a, 1j * worN)


@definition(signal.group_delay)
def group_delay(system, w=512, whole=False, fs=2 * np.pi):
    """Where the response is not 0."""
    b, a = system
    if np.iscomplexobj(b) or np.iscomplexobj(a):
        raise NoDerivative("complex filters have no rule", "differentiate the phase of scipy.signal.freqz")
    angles = frequencies(w, whole, fs, False)
    c = np.convolve(b, a[::-1])
    z = np.exp(-1j * angles)
    return angles * fs / (2.0 * np.pi), np.real(series(c * np.arange(len(c)), z) / series(c, z)) - len(a) + 1.0


@definition(signal.zpk2tf)
def zpk2tf(z, p, k):
    return k * np.poly(z), np.poly(p)


# -- filters in their coefficients -------------------------------------------------------------------------------------


def widened(c, n):
    """Coefficients with zeros behind them."""
    return np.concatenate([c, np.zeros(n - len(c))])


@definition(signal.lfilter_zi)
def lfilter_zi(b, a):
    n = max(len(a), len(b))
    below, above = widened(a / a[0], n), widened(b / a[0], n)
    steps = above[1:] - below[1:] * above[0]
    first = np.sum(steps) / np.sum(below)
    return np.cumsum(below)[:-1] * first - np.concatenate([np.zeros(1), np.cumsum(steps)[:-1]])


@definition(signal.sosfilt_zi)
def sosfilt_zi(sos):
    b, a = sos[:, :3] / sos[:, 3:4], sos[:, 3:] / sos[:, 3:4]
    steps = b[:, 1:] - a[:, 1:] * b[:, :1]
    first = np.sum(steps, axis=1) / np.sum(a, axis=1)
    gains = np.cumprod(np.sum(b, axis=1) / np.sum(a, axis=1))
    scale = np.concatenate([np.ones(1), gains[:-1]])
    return scale[:, None] * np.stack([first, (1.0 + a[:, 1]) * first - steps[:, 0]], axis=1)


def _seldom_filter(call):
    if call.is_complex("x"):
        return not (call.is_complex("b") or call.is_complex("a") or call.given("zi"))
    return call.given("zi") and (call.varied("b") or call.varied("a"))


@definition(signal.lfilter, when=_seldom_filter)
def lfilter(b, a, x, axis=-1, zi=None):
    """Of complex signals the real and the imaginary part apart."""
    if np.iscomplexobj(x):
        return signal.lfilter(b, a, np.real(x), axis) + 1j * signal.lfilter(b, a, np.imag(x), axis)
    if x.ndim != 1:
        raise NoDerivative(
            "with zi and in the coefficients only one signal has a rule", "call it for each, one after the other"
        )
    n = max(len(a), len(b))
    below, above = widened(a, n), widened(b, n)
    y = signal.lfilter(b, a, x) + signal.lfilter(a[:1], a, widened(zi[: len(x)], len(x)))
    last_x, last_y = widened(x[::-1][: n - 1], n - 1), widened(y[::-1][: n - 1], n - 1)
    state = (linalg.hankel(above[1:]) @ last_x - linalg.hankel(below[1:]) @ last_y) / a[0]
    return y, state + widened(zi[len(x) :], n - 1)  # of what it started with, what has not left it


@definition(signal.filtfilt, active=("b", "a"))
def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """Cost: in the coefficients: each of four filters, the two ways and the states that they start from, has two
    more in reverse, and a product of shifted signals for each coefficient.
    """
    if method != "pad" or padtype != "odd" or x.ndim != 1:
        raise NoDerivative(
            "in the coefficients only one signal with the defaults has a rule", "call lfilter forwards and backwards"
        )
    edge = 3 * max(len(a), len(b)) if padlen is None else padlen
    wide = np.concatenate([2.0 * x[0] - x[1 : edge + 1][::-1], x, 2.0 * x[-1] - x[-edge - 1 : -1][::-1]])
    zi = signal.lfilter_zi(b, a)
    y, _ = signal.lfilter(b, a, wide, zi=zi * wide[0])
    z, _ = signal.lfilter(b, a, y[::-1], zi=zi * y[-1])
    return z[::-1][edge : len(z) - edge]


@definition(signal.medfilt2d)
def medfilt2d(input, kernel_size=3):
    """Equal elements share evenly."""
    return ndimage.median_filter(input, kernel_size, mode="constant")


@definition(signal.medfilt)
def medfilt(volume, kernel_size=None):
    """Equal elements share evenly."""
    return ndimage.median_filter(volume, 3 if kernel_size is None else kernel_size, mode="constant")


@definition(signal.wiener)
def wiener(im, mysize=None, noise=None):
    """Where the local variance is that of the noise, the derivative of one side."""
    if mysize is not None and not isinstance(mysize, int):
        raise NoDerivative("only one width for all axes has a rule", "give an int as mysize")
    width = 3 if mysize is None else mysize
    ones = np.ones((width,) * im.ndim) / width**im.ndim
    mean = signal.correlate(im, ones, "same")
    variance = signal.correlate(im**2, ones, "same") - mean**2
    level = np.mean(variance) if noise is None else noise
    flat = variance < level
    return np.where(flat, mean, mean + (im - mean) * (1.0 - level / np.where(flat, 1.0, variance)))
