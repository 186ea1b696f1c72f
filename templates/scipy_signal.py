"""SciPy's signal processing. Filters are linear: the transpose of one that runs forward in time runs backward."""

import numpy as np
from scipy import signal

from s2sad.kinds import dims, known
from s2sad.kinds.kind import Array, Static, Tuple
from s2sad.rules import adjoint, d, definition, linear, tangent, zero
from s2sad.runtime import helpers


@known.rule(signal.convolve, signal.fftconvolve, signal.oaconvolve, signal.correlate,
            signal.convolve2d, signal.correlate2d)  # fmt: skip
def convolution_kind(args, kwargs):
    """Lengths in mode "valid", where an example would need to know which of the two is longer."""
    mode = known.argument(args, kwargs, 2, "mode")
    if len(args) < 2 or not isinstance(mode, Static) or mode.value != "valid":
        return None
    first, second = (known.shape_of(k) for k in args[:2])
    types = [known.dtype_of(k) for k in args[:2]]
    if first is None or second is None or len(first) != len(second) or not all(t and t.kind in "fc" for t in types):
        return None
    return Array(np.result_type(*types), tuple(_valid_length(m, n) for m, n in zip(first, second, strict=True)))


def _valid_length(m, n):
    if dims.at_least(m - n, 0):
        return m - n + 1
    return n - m + 1 if dims.at_least(n - m, 0) else dims.fresh()


def _filtered(args, kwargs, signal_at, zi_at=None):
    """The kind of the signal; with zi two results, the signal and the state."""
    if len(args) <= signal_at or any(known.dtype_of(k) != known.F8 for k in args[: signal_at + 1]):
        return None
    zi = None if zi_at is None else known.argument(args, kwargs, zi_at, "zi")
    if known.is_none(zi):
        return args[signal_at]
    return Tuple((args[signal_at], zi)) if isinstance(zi, Array) else None


known.RULES[signal.lfilter] = lambda args, kwargs: _filtered(args, kwargs, 2, 4)
known.RULES[signal.sosfilt] = lambda args, kwargs: _filtered(args, kwargs, 1, 3)
known.RULES[signal.filtfilt] = lambda args, kwargs: _filtered(args, kwargs, 2)
known.RULES[signal.sosfiltfilt] = lambda args, kwargs: _filtered(args, kwargs, 1)
known.RULES[helpers.lfilter_back] = known.RULES[helpers.sosfilt_back] = lambda args, kwargs: Tuple(tuple(args[:2]))


@known.rule(helpers.whole_convolution, helpers.part_of_convolution)
def whole_kind(args, kwargs, target):
    """The shape of the full convolution, and back."""
    whole, first, second = args[:3]
    m, n = known.shape_of(first), known.shape_of(second)
    if not isinstance(whole, Array) or m is None or n is None or len(m) != len(n):
        return None
    if target is helpers.whole_convolution:
        return Array(whole.dtype, tuple(i + j - 1 for i, j in zip(m, n, strict=True)))
    if isinstance(args[3], Static) and args[3].value == "valid":
        return Array(whole.dtype, tuple(_valid_length(i, j) for i, j in zip(m, n, strict=True)))
    return Array(whole.dtype, m)


@linear(signal.convolve)
def convolve(y, in1, in2, mode="full", method="auto"):
    """The transpose is the correlation with the other signal."""
    if of_two_signals(in1, in2) and method != "direct":
        d[in1] = helper("convolution_back", in1, whole(d[y], in1, in2, mode), in1, in2, mode, method)
        d[in2] = helper("convolution_back", in2, whole(d[y], in1, in2, mode), in2, in1, mode, method)
    elif maybe_complex(in1) or maybe_complex(in2):
        d[in1] = sp("signal.convolve", whole(d[y], in1, in2, mode), np.flip(in2), "valid", method)
        d[in2] = sp("signal.convolve", whole(d[y], in1, in2, mode), np.flip(in1), "valid", method)
    else:
        d[in1] = sp("signal.correlate", whole(d[y], in1, in2, mode), in2, "valid", method)
        d[in2] = sp("signal.correlate", whole(d[y], in1, in2, mode), in1, "valid", method)


@linear(helpers.convolution_back)
def convolution_back(y, g, x, other, mode="full", method="auto"):
    d[g] = sp("signal.convolve", d[y], other, "full", method)
    d[other] = call_helper_again("convolution_back", g, other, d[y], mode, method)
    d[x] = 0.0


def _special_convolution(call):
    shapes = [known.shape_of(call.kind(name)) or () for name in ("in1", "in2")]
    return call.given("axes") or any(n.known and n.const == 0 for shape in shapes for n in shape)


@definition(signal.fftconvolve, signal.oaconvolve, when=_special_convolution)
def fftconvolve(in1, in2, mode="full", axes=None):
    """Along some of the axes: by Fourier transforms."""
    if axes is None:
        return np.zeros(0)  # of nothing
    along = (axes,) if isinstance(axes, int) else tuple(axes)
    lengths = tuple([np.shape(in1)[k] + np.shape(in2)[k] - 1 for k in along])
    if np.iscomplexobj(in1) or np.iscomplexobj(in2):
        y = np.fft.ifftn(np.fft.fftn(in1, lengths, along) * np.fft.fftn(in2, lengths, along), lengths, along)
    else:
        y = np.fft.irfftn(np.fft.rfftn(in1, lengths, along) * np.fft.rfftn(in2, lengths, along), lengths, along)
    if mode == "full":
        return y
    for k, whole in zip(along, lengths, strict=True):
        m, n = np.shape(in1)[k], np.shape(in2)[k]
        count = m if mode == "same" else max(m, n) - min(m, n) + 1
        y = np.take(y, np.arange((whole - count) // 2, (whole - count) // 2 + count), axis=k)
    return y


@linear(signal.fftconvolve)
def fftconvolve(y, in1, in2, mode="full", axes=None):
    """Along all axes."""
    if of_two_signals(in1, in2):
        d[in1] = helper("convolution_back", in1, whole(d[y], in1, in2, mode), in1, in2, mode, "fft")
        d[in2] = helper("convolution_back", in2, whole(d[y], in1, in2, mode), in2, in1, mode, "fft")
    else:
        d[in1] = call_again_on(whole(d[y], in1, in2, mode), np.flip(in2), "valid")
        d[in2] = call_again_on(whole(d[y], in1, in2, mode), np.flip(in1), "valid")


@linear(signal.oaconvolve)
def oaconvolve(y, in1, in2, mode="full", axes=None):
    """Along all axes."""
    d[in1] = call_again_on(whole(d[y], in1, in2, mode), np.flip(in2), "valid")
    d[in2] = call_again_on(whole(d[y], in1, in2, mode), np.flip(in1), "valid")


@definition(signal.correlate, when=lambda call: call.is_complex("in1") or call.is_complex("in2"))
def correlate(in1, in2, mode="full", method="auto"):
    return signal.convolve(in1, np.conj(np.flip(in2)), mode, method)


@linear(signal.correlate)
def correlate(y, in1, in2, mode="full", method="auto"):
    """The transpose is the convolution with the second signal. Real signals."""
    real_signals(in1, in2)
    if of_two_signals(in1, in2) and method != "direct":
        d[in1] = helper("convolution_back", in1, whole(d[y], in1, in2, mode), in1, np.flip(in2), mode, method)
        d[in2] = np.flip(helper("convolution_back", in2, whole(d[y], in1, in2, mode), in2, in1, mode, method))
    else:
        d[in1] = sp("signal.convolve", whole(d[y], in1, in2, mode), in2, "valid", method)
        d[in2] = np.flip(sp("signal.correlate", whole(d[y], in1, in2, mode), in1, "valid", method))


@linear(signal.convolve2d)
def convolve2d(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The transpose is the correlation with the other image; what lies behind a boundary is folded back."""
    real_signals(in1, in2)
    only_plain_boundary(boundary, fillvalue)
    if boundary == "fill" or mode == "valid":
        d[in1] = signal.correlate2d(whole(d[y], in1, in2, mode), in2, "valid")
        d[in2] = signal.correlate2d(whole(d[y], in1, in2, mode), in1, "valid")
    else:
        d[in1] = boundary_back(signal.correlate2d(whole(d[y], in1, in2, mode), in2), in1, in2, boundary)
        d[in2] = np.flip(
            signal.correlate2d(extended_by_boundary(in1, in2, boundary), whole(d[y], in1, in2, mode), "valid")
        )


@linear(signal.correlate2d)
def correlate2d(y, in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The transpose is the convolution with the second image; what lies behind a boundary is folded back."""
    real_signals(in1, in2)
    only_plain_boundary(boundary, fillvalue)
    if boundary == "fill" or mode == "valid":
        d[in1] = signal.convolve2d(whole(d[y], in1, in2, mode, True), in2, "valid")
        d[in2] = np.flip(signal.correlate2d(whole(d[y], in1, in2, mode, True), in1, "valid"))
    else:
        d[in1] = boundary_back(signal.convolve2d(whole(d[y], in1, in2, mode, True), in2), in1, in2, boundary)
        d[in2] = signal.correlate2d(
            extended_by_boundary(in1, in2, boundary), whole(d[y], in1, in2, mode, True), "valid"
        )


@adjoint(signal.lfilter)
def lfilter(y, b, a, x, axis=-1, zi=None):
    """The filter run backward in time. With zi only in the signal and the state."""
    real_signals(x, b, a)
    if zi is None:
        if active(a) or active(b):
            w = reversed_along(sp("signal.lfilter", [1.0], a, reversed_along(d[y], axis), axis), axis)
            d[b] = helper("lagged_products", b, w, x, b, axis)
            d[a] = -helper("lagged_products", a, w, y, a, axis)
        d[x] = reversed_along(sp("signal.lfilter", b, a, reversed_along(d[y], axis), axis), axis)
    else:
        gx, gz = filtered_back(d[y], b, a, x, zi, axis)
        d[x] = gx
        d[zi] = gz


@tangent(signal.lfilter)
def lfilter(y, b, a, x, axis=-1, zi=None):
    real_signals(x, b, a)
    if zi is None:
        d[y] = (
            sp("signal.lfilter", d[b], a, x, axis)
            + sp("signal.lfilter", b, a, d[x], axis)
            - sp("signal.lfilter", d[a], a, y, axis)
        )
    else:
        d[y] = sp("signal.lfilter", b, a, zeros_for(d[x], x), axis, zeros_for(d[zi], zi))


@linear(helpers.lagged_products)
def lagged_products(y, w, x, b, axis=-1):
    d[w] = sp("signal.lfilter", d[y], [1.0], x, axis)
    d[x] = reversed_along(sp("signal.lfilter", d[y], [1.0], reversed_along(w, axis), axis), axis)
    d[b] = 0.0


@definition(signal.sosfilt, active=("sos",))
def sosfilt(sos, x, axis=-1, zi=None):
    """In the coefficients: filter by filter."""
    if zi is not None:
        raise NoDerivative(
            "with zi it has no derivative with respect to the coefficients", "call lfilter for each section"
        )
    y = x
    for k in range(np.shape(sos)[0]):
        y = signal.lfilter(sos[k, :3], sos[k, 3:], y, axis)
    return y


@adjoint(signal.sosfilt)
def sosfilt(y, sos, x, axis=-1, zi=None):
    """The cascade run backward in time. In the signal and the state."""
    real_signals(x, sos)
    if zi is None:
        d[x] = reversed_along(sp("signal.sosfilt", sos, reversed_along(d[y], axis), axis), axis)
    else:
        gx, gz = sections_back(d[y], sos, x, zi, axis)
        d[x] = in_single_too(gx, x)
        d[zi] = in_single_too(gz, zi)


@tangent(signal.sosfilt)
def sosfilt(y, sos, x, axis=-1, zi=None):
    if zi is None:
        d[y] = sp("signal.sosfilt", sos, d[x], axis)
    else:
        d[y] = sp("signal.sosfilt", sos, zeros_for(d[x], x), axis, zeros_for(d[zi], zi))


@adjoint(helpers.lfilter_back)
def lfilter_back(y, g, gz, b, a, axis=-1):
    t, tz = sp("signal.lfilter", b, a, whole_part(d[y], 0, g), axis, whole_part(d[y], 1, gz))
    d[g] = t
    d[gz] = tz


@tangent(helpers.lfilter_back)
def lfilter_back(y, g, gz, b, a, axis=-1):
    d[y] = call_helper_again("lfilter_back", zeros_for(d[g], g), zeros_for(d[gz], gz), b, a, axis)


@adjoint(helpers.sosfilt_back)
def sosfilt_back(y, g, gz, sos, axis=-1):
    t, tz = sp("signal.sosfilt", sos, whole_part(d[y], 0, g), axis, whole_part(d[y], 1, gz))
    d[g] = t
    d[gz] = tz


@tangent(helpers.sosfilt_back)
def sosfilt_back(y, g, gz, sos, axis=-1):
    d[y] = call_helper_again("sosfilt_back", zeros_for(d[g], g), zeros_for(d[gz], gz), sos, axis)


@linear(signal.filtfilt)
def filtfilt(y, b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """In the signal."""
    real_signals(x)
    only_without(method, "pad", "Gustafsson's method", "use method='pad'")
    d[x] = in_single_too(helper("filtfilt_back", x, d[y], b, a, axis, padtype, padlen), x)


@linear(helpers.filtfilt_back)
def filtfilt_back(y, g, b, a, axis=-1, padtype="odd", padlen=None):
    d[g] = sp("signal.filtfilt", b, a, d[y], axis, padtype, padlen)


@linear(signal.sosfiltfilt)
def sosfiltfilt(y, sos, x, axis=-1, padtype="odd", padlen=None):
    """In the signal."""
    real_signals(x)
    d[x] = in_single_too(helper("sosfiltfilt_back", x, d[y], sos, axis, padtype, padlen), x)


@linear(helpers.sosfiltfilt_back)
def sosfiltfilt_back(y, g, sos, axis=-1, padtype="odd", padlen=None):
    d[g] = sp("signal.sosfiltfilt", sos, d[y], axis, padtype, padlen)


@definition(signal.hilbert, given=("N",))
def hilbert(x, N=None, axis=-1):
    """Of the signal cut, or continued by zeros: the positive frequencies twice."""
    n = np.shape(x)[axis] if N is None else N
    k = np.arange(n)
    twice = 1.0 * (k == 0) + 2.0 * ((k > 0) & (2 * k < n)) + 1.0 * ((k > 0) & (2 * k == n))
    spectrum = np.moveaxis(np.fft.fft(x, n, axis), axis, -1)
    return np.moveaxis(np.fft.ifft(spectrum * twice), -1, axis)


@adjoint(signal.hilbert)
def hilbert(y, x, N=None, axis=-1):
    """The imaginary part is antisymmetric. Without N."""
    d[x] = np.real(d[y]) + np.imag(sp("signal.hilbert", np.imag(d[y]), axis=axis))


@tangent(signal.hilbert)
def hilbert(y, x, N=None, axis=-1):
    d[y] = sp("signal.hilbert", d[x], axis=axis)


@linear(signal.detrend)
def detrend(y, data, axis=-1, type="linear", bp=0, overwrite_data=False):
    """An orthogonal projection: its own transpose."""
    real_signals(data)
    only_without(overwrite_data, False, "overwrite_data")
    d[data] = sp("signal.detrend", d[y], axis, type, bp)


@definition(signal.savgol_filter, active=("delta",))
def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """In delta: a derivative is so many times smaller."""
    return signal.savgol_filter(x, window_length, polyorder, deriv, 1.0, axis, mode, cval) * delta**-deriv


@definition(signal.savgol_coeffs)
def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    """In delta."""
    return signal.savgol_coeffs(window_length, polyorder, deriv, pos=pos, use=use) * delta**-deriv


@adjoint(signal.savgol_filter)
def savgol_filter(y, x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """A correlation; in mode "interp" with polynomials at the ends. In the signal."""
    literal_mode(mode, "interp", "mirror", "constant", "nearest", "wrap")
    if mode == "interp":
        d[x] = helper("savgol_back", x, d[y], window_length, polyorder, deriv, delta, axis)
    else:
        weights = sp("signal.savgol_coeffs", window_length, polyorder, deriv=deriv, delta=delta)
        d[x] = filter_back("correlate1d", d[y], x, weights, axis, mode, 0)


@tangent(signal.savgol_filter)
def savgol_filter(y, x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    d[y] = sp("signal.savgol_filter", d[x], window_length, polyorder, deriv, delta, axis, mode)


@linear(helpers.savgol_back)
def savgol_back(y, g, window_length, polyorder, deriv=0, delta=1.0, axis=-1):
    d[g] = sp("signal.savgol_filter", d[y], window_length, polyorder, deriv, delta, axis)


@linear(signal.resample)
def resample(y, x, num, t=None, axis=0, window=None, domain="time"):
    """In the frequencies: without t and window."""
    real_signals(x)
    only_without(t, None, "t")
    only_without(window, None, "window", "filter the signal")
    only_without(domain, "time", "domain='freq'")
    d[x] = np.fft.irfft(np.fft.rfft(d[y], axis=axis), length_along(x, axis), axis)


@linear(signal.resample_poly)
def resample_poly(y, x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    """With zeros around the signal, and a window by its name."""
    real_signals(x)
    only_without(padtype, "constant", "a padtype other than 'constant'")
    only_without(cval, None, "cval")
    named_window(window)
    d[x] = helper("resample_poly_back", x, d[y], x, up, down, axis, window)


@linear(helpers.resample_poly_back)
def resample_poly_back(y, g, x, up, down, axis=0, window=("kaiser", 5.0)):
    d[g] = sp("signal.resample_poly", d[y], up, down, axis, window)
    d[x] = 0.0


@linear(signal.upfirdn)
def upfirdn(y, h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """Up and down change places, and the filter is reversed.

    Cost: in both about five: in the filter a product in NumPy for each of its coefficients, beside one compiled loop.
    """
    real_signals(h, x)
    only_without(mode, "constant", "a mode other than 'constant'")
    only_without(cval, 0, "cval")
    d[x] = helper("upfirdn_back", x, d[y], h, x, up, down, axis)
    d[h] = helper("upfirdn_filter_back", h, d[y], h, x, up, down, axis)


@linear(helpers.upfirdn_back)
def upfirdn_back(y, g, h, x, up=1, down=1, axis=-1):
    d[g] = sp("signal.upfirdn", h, d[y], up, down, axis)
    d[h] = call_helper_again("upfirdn_filter_back", g, h, d[y], up, down, axis)
    d[x] = 0.0


@linear(helpers.upfirdn_filter_back)
def upfirdn_filter_back(y, g, h, x, up=1, down=1, axis=-1):
    d[g] = sp("signal.upfirdn", d[y], x, up, down, axis)
    d[x] = call_helper_again("upfirdn_back", g, d[y], x, up, down, axis)
    d[h] = 0.0


@linear(signal.decimate)
def decimate(y, x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """With the filters that run over all samples: ftype="iir"."""
    real_signals(x)
    only_without(ftype, "iir", "ftype other than 'iir'", "filter the signal and take every q-th sample")
    d[x] = in_single_too(helper("decimate_back", x, d[y], x, q, n, axis, zero_phase), x)


@linear(helpers.decimate_back)
def decimate_back(y, g, x, q, n=None, axis=-1, zero_phase=True):
    d[g] = sp("signal.decimate", d[y], q, n, axis=axis, zero_phase=zero_phase)
    d[x] = 0.0


@linear(helpers.whole_convolution)
def whole_convolution(y, g, in1, in2, mode, late=False):
    d[g] = call_helper_again("part_of_convolution", d[y], in1, in2, mode, late)
    d[in1] = 0.0
    d[in2] = 0.0


@linear(helpers.part_of_convolution)
def part_of_convolution(y, full, in1, in2, mode, late=False):
    d[full] = call_helper_again("whole_convolution", d[y], in1, in2, mode, late)
    d[in1] = 0.0
    d[in2] = 0.0


@definition(signal.chirp)
def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    """Real; with two frequencies that are not the same."""
    if complex:
        raise NoDerivative("only real chirps have a rule", "write it with np.exp")
    return np.cos(2.0 * np.pi * cycles(t, f0, t1, f1, method, vertex_zero) + np.deg2rad(phi))


def cycles(t, f0, t1, f1, method, vertex_zero):
    """The integral of the frequency."""
    if method in ("linear", "lin", "li"):
        return t * (f0 + 0.5 * (f1 - f0) * t / t1)
    if method in ("quadratic", "quad", "q"):
        bend = (f1 - f0) / t1**2
        return f0 * t + bend * t**3 / 3.0 if vertex_zero else f1 * t + bend * ((t1 - t) ** 3 - t1**3) / 3.0
    if method in ("logarithmic", "log", "lo"):
        return t1 / np.log(f1 / f0) * f0 * ((f1 / f0) ** (t / t1) - 1.0)
    pole = f1 * t1 / (f1 - f0)
    return -pole * f0 * np.log(np.abs(1.0 - t / pole))


@definition(signal.find_peaks, given=("height", "threshold", "prominence", "width"))
def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None):
    """The peaks are indices; what is found out about them has no rule."""
    raise NoDerivative("scipy.signal.find_peaks with properties", "find the peaks, and choose among them by x[peaks]")


zero(signal.correlation_lags, signal.find_peaks, signal.argrelextrema, signal.argrelmax, signal.argrelmin)
zero(signal.unit_impulse, signal.max_len_seq, signal.square)
zero(signal.windows.boxcar, signal.windows.triang, signal.windows.parzen, signal.windows.bohman, signal.windows.cosine)
zero(signal.windows.blackman, signal.windows.nuttall, signal.windows.blackmanharris, signal.windows.flattop)
zero(signal.windows.bartlett, signal.windows.hann, signal.windows.hamming, signal.windows.barthann)
zero(signal.windows.lanczos)
