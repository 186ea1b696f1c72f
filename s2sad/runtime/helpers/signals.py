"""SciPy's integrals over samples, and its signals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# -- SciPy's integrals -------------------------------------------------------------------------------------------------


def simpson_weights(n: int) -> Any:
    """What Simpson's rule multiplies n samples at distance 1 with (Cartwright's in the last interval for even n).

    >>> 3.0 * simpson_weights(5)
    array([1., 4., 2., 4., 1.])
    """
    if n < 3:
        return np.full(n, 0.5 * (n - 1))
    w = np.zeros(n)
    m = n - 1 if n % 2 == 0 else n
    w[: m - 2 : 2] += 1.0 / 3.0
    w[1 : m - 1 : 2] += 4.0 / 3.0
    w[2:m:2] += 1.0 / 3.0
    if n % 2 == 0:
        w[-3:] += np.array([-1.0, 8.0, 5.0]) / 12.0
    return w


def simpson_weights_at(x: Any) -> Any:
    """What Simpson's rule multiplies samples at the points x with.

    >>> 3.0 * simpson_weights_at(np.arange(5.0))
    array([1., 4., 2., 4., 1.])
    """
    n = len(x)
    h = np.diff(x)
    w = np.zeros(n)
    if n < 3:
        w += 0.5 * np.sum(h)
        return w
    i = 2 * np.arange((n - 1) // 2)  # the first points of whole pairs of intervals
    h0, h1 = h[i], h[i + 1]
    both = h0 + h1
    w[i] += both * (2.0 - h1 / h0) / 6.0
    w[i + 1] += both**3 / (6.0 * h0 * h1)
    w[i + 2] += both * (2.0 - h0 / h1) / 6.0
    if n % 2 == 0:
        a, b = h[n - 3], h[n - 2]
        w[n - 1] += (2.0 * b**2 + 3.0 * a * b) / (6.0 * (a + b))
        w[n - 2] += (b**2 + 3.0 * a * b) / (6.0 * a)
        w[n - 3] -= b**3 / (6.0 * a * (a + b))
    return w


# -- SciPy's signals ---------------------------------------------------------------------------------------------------


def starts_of_segments(n: int, length: int, overlap: int) -> Any:
    """Where the overlapping segments of a signal of n samples begin.

    >>> starts_of_segments(9, 4, 2)
    array([0, 2, 4])
    """
    return np.arange(0, n - length + 1, length - overlap)


def one_sided_weights(n: int) -> Any:
    """How often the frequencies of a one-sided spectrum of n samples are there in the whole one.

    >>> one_sided_weights(4), one_sided_weights(5)
    (array([1., 2., 1.]), array([1., 2., 2.]))
    """
    weights = np.full(n // 2 + 1, 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    return weights


def whole_convolution(g: Any, in1: Any, in2: Any, mode: str, late: bool = False) -> Any:
    """Part of a convolution of in1 and in2 put into the place that it has in the full convolution.

    In mode "same" `late` says that of two middles the later one is taken.

    >>> whole_convolution(np.array([1.0, 2.0]), np.zeros(2), np.zeros(3), "same")
    array([0., 1., 2., 0.])
    """
    shapes = list(zip(np.shape(in1), np.shape(in2)))  # noqa: B905
    out = np.zeros([m + n - 1 for m, n in shapes], dtype=np.result_type(np.asarray(g), 1.0))
    starts = [min(m, n) - 1 if mode == "valid" else (n - 1 + late) // 2 for m, n in shapes]
    out[tuple(slice(s, s + n) for s, n in zip(starts, np.shape(g)))] = g  # noqa: B905
    return out


def part_of_convolution(full: Any, in1: Any, in2: Any, mode: str, late: bool = False) -> Any:
    """The part of a full convolution of in1 and in2 that a mode asks for.

    >>> part_of_convolution(np.arange(4.0), np.zeros(2), np.zeros(3), "same")
    array([1., 2.])
    """
    shapes = list(zip(np.shape(in1), np.shape(in2)))  # noqa: B905
    if mode == "valid":
        return full[tuple(slice(min(m, n) - 1, max(m, n)) for m, n in shapes)]
    return full[tuple(slice((n - 1 + late) // 2, (n - 1 + late) // 2 + m) for m, n in shapes)]


def convolution_back(g: Any, x: Any, other: Any, mode: str = "full", method: str = "auto") -> Any:
    """The adjoint of x in scipy.signal.convolve(x, other, mode, method) from that of the full convolution, g.

    >>> convolution_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), np.array([4.0, 5.0]))
    array([14., 23.])
    """
    from scipy import fft, signal

    if not np.size(g):
        return np.zeros_like(x)
    if method == "auto":
        method = signal.choose_conv_method(x, other, mode) if np.ndim(x) else "direct"
    if method == "direct" or np.ndim(x) == 0:
        out = signal.convolve(g, np.flip(other), "valid", "direct")
    else:
        # at the length of g what goes round the transforms does not reach the places of x
        real = not (np.iscomplexobj(g) or np.iscomplexobj(other))
        lengths = [fft.next_fast_len(n, real) for n in np.shape(g)]
        if real:
            out = fft.irfftn(fft.rfftn(g, lengths) * np.conj(fft.rfftn(other, lengths)), lengths)
        else:
            out = fft.ifftn(fft.fftn(g, lengths) * np.conj(fft.fftn(np.conj(other), lengths)))
        out = out[tuple([slice(n) for n in np.shape(x)])]
    return out if np.iscomplexobj(x) else np.real(out)


def lagged_products(w: Any, x: Any, b: Any, axis: int = -1) -> Any:
    """For each k below the length of b the sum of w[n] * x[n - k]: the adjoint of b in a filter.

    >>> lagged_products(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]), np.zeros(2))
    array([32., 23.])
    """
    w, x = np.moveaxis(w, axis, -1), np.moveaxis(x, axis, -1)
    n = np.shape(x)[-1]
    if np.ndim(x) == 1 and n and np.size(b):
        return np.correlate(np.concatenate([w, np.zeros(np.size(b) - 1, dtype=w.dtype)]), x, "valid")
    return np.array([np.vdot(w[..., k:], x[..., : max(n - k, 0)]) for k in range(np.size(b))])


def lfilter_back(g: Any, gz: Any, b: Any, a: Any, axis: int = -1) -> Any:
    """The adjoints of x and zi in y, zf = scipy.signal.lfilter(b, a, x, axis, zi): the filter run backward in time.

    >>> lfilter_back(np.array([1.0, 1.0]), np.array([0.0]), [1.0], [1.0, -0.5])
    (array([1.5, 1. ]), array([1.5]))
    """
    from scipy.signal import lfilter

    n = np.shape(g)[axis]
    b, a = np.atleast_1d(b) / np.atleast_1d(a)[0], np.atleast_1d(a) / np.atleast_1d(a)[0]
    # the final state is what the filter would go on with: behind the signal, with the denominator taken off
    tail = np.flip(lfilter(a, [1.0], np.flip(gz, axis), axis), axis)
    w = np.flip(lfilter([1.0], a, np.flip(np.concatenate([g, tail], axis), axis), axis), axis)
    x = np.flip(lfilter(b, [1.0], np.flip(w, axis), axis), axis)
    return np.take(x, np.arange(n), axis), np.take(w, np.arange(np.shape(gz)[axis]), axis)


def sosfilt_back(g: Any, gz: Any, sos: Any, axis: int = -1) -> Any:
    """The adjoints of x and zi in y, zf = scipy.signal.sosfilt(sos, x, axis, zi).

    >>> sosfilt_back(np.array([1.0, 1.0]), np.zeros((1, 2)), [[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]])
    (array([1.5, 1. ]), array([[1.5, 1. ]]))
    """
    states = np.zeros_like(gz)
    for k in reversed(range(len(sos))):
        g, states[k] = lfilter_back(g, gz[k], sos[k][:3], sos[k][3:], axis)
    return g, states


def odd_extension_back(g: Any, n: int, padtype: Any) -> Any:
    """The adjoint of a signal that was continued by n samples at both ends of its last axis, as filtfilt does."""
    if n == 0 or padtype is None:
        return g
    out = g[..., n:-n].copy()
    left, right = g[..., n - 1 :: -1], g[..., : -n - 1 : -1]
    sign = -1.0 if padtype == "odd" else 1.0
    if padtype == "constant":
        out[..., 0] += np.sum(left, axis=-1)
        out[..., -1] += np.sum(right, axis=-1)
        return out
    if padtype == "odd":
        out[..., 0] += 2.0 * np.sum(left, axis=-1)
        out[..., -1] += 2.0 * np.sum(right, axis=-1)
    out[..., 1 : n + 1] += sign * left
    out[..., -n - 1 : -1] += sign * right
    return out


def filtfilt_back(g: Any, b: Any, a: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """The adjoint of x in scipy.signal.filtfilt(b, a, x, axis, padtype, padlen), whose adjoint is g."""
    from scipy.signal import lfilter_zi

    b, a = np.atleast_1d(b), np.atleast_1d(a)
    pad = (3 * max(len(a), len(b)) if padlen is None else padlen) if padtype is not None else 0
    zi = lfilter_zi(b, a)
    g = np.moveaxis(g, axis, -1)
    g = np.concatenate([np.zeros((*g.shape[:-1], pad)), g, np.zeros((*g.shape[:-1], pad))], -1)
    for _ in range(2):
        g, states = lfilter_back(np.flip(g, -1), np.zeros((*g.shape[:-1], len(zi))), b, a)
        g[..., 0] += states @ zi
    return np.moveaxis(odd_extension_back(g, pad, padtype), -1, axis)


def sosfiltfilt_back(g: Any, sos: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """The adjoint of x in scipy.signal.sosfiltfilt(sos, x, axis, padtype, padlen), whose adjoint is g."""
    from scipy.signal import sosfilt_zi

    sos = np.atleast_2d(sos)
    edge = 2 * len(sos) + 1 - min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0))
    pad = int(3 * edge if padlen is None else padlen) if padtype is not None else 0
    zi = sosfilt_zi(sos)
    g = np.moveaxis(g, axis, -1)
    g = np.concatenate([np.zeros((*g.shape[:-1], pad)), g, np.zeros((*g.shape[:-1], pad))], -1)
    for _ in range(2):
        g, states = sosfilt_back(np.flip(g, -1), np.zeros((len(sos), *g.shape[:-1], 2)), sos)
        g[..., 0] += np.einsum("s...k,sk->...", states, zi)
    return np.moveaxis(odd_extension_back(g, pad, padtype), -1, axis)


def decimate_back(g: Any, x: Any, q: int, n: Any = None, axis: int = -1, zero_phase: bool = True) -> Any:
    """The adjoint of x in scipy.signal.decimate(x, q, n, axis=axis, zero_phase=zero_phase), whose adjoint is g."""
    from scipy.signal import cheby1, sosfilt

    sos = cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")
    out = np.zeros_like(x)
    out[(slice(None),) * (axis % np.ndim(x)) + (slice(None, None, q),)] = g
    if zero_phase:
        return sosfiltfilt_back(out, sos, axis)
    return np.flip(sosfilt(sos, np.flip(out, axis), axis), axis)


def resample_poly_back(
    g: Any, x: Any, up: int, down: int, axis: int = 0, window: Any = ("kaiser", 5.0)
) -> Any:
    """The adjoint of x in scipy.signal.resample_poly(x, up, down, axis, window), whose adjoint is g."""
    from scipy.signal import firwin

    up, down = up // math.gcd(up, down), down // math.gcd(up, down)
    if up == down:
        return g
    half = 10 * max(up, down)
    h = up * firwin(2 * half + 1, 1.0 / max(up, down), window=window)
    before = down - half % down
    h = np.concatenate([np.zeros(before), h])
    g = np.moveaxis(g, axis, -1)
    start = (half + before) // down
    g = np.concatenate([np.zeros((*g.shape[:-1], start)), g], -1)
    moved = np.empty((*g.shape[:-1], np.shape(x)[axis]))
    return np.moveaxis(upfirdn_back(g, h, moved, up, down), -1, axis)


def savgol_back(
    g: Any, window_length: int, polyorder: int, deriv: int = 0, delta: float = 1.0, axis: int = -1
) -> Any:
    """The adjoint of x in scipy.signal.savgol_filter(x, ...) in mode "interp", whose adjoint is g."""
    from scipy.ndimage import correlate1d
    from scipy.signal import savgol_coeffs, savgol_filter

    half = window_length // 2
    g = np.moveaxis(g, axis, 0)
    middle = g * 1.0
    middle[:half] = middle[len(middle) - half :] = 0.0
    weights = savgol_coeffs(window_length, polyorder, deriv=deriv, delta=delta)
    out = correlate1d(middle, weights, 0, mode="constant")
    # at the ends a polynomial is fitted to the first and the last samples
    fit = savgol_filter(np.eye(window_length), window_length, polyorder, deriv, delta, 0)
    out[:window_length] += np.tensordot(fit[:half], g[:half], (0, 0))
    out[len(out) - window_length :] += np.tensordot(fit[window_length - half :], g[len(g) - half :], (0, 0))
    return np.moveaxis(out, 0, axis)


def kernel_back(
    g: Any, x: Any, weights: Any, mode: str, origin: Any = 0, axis: Any = None, convolved: bool = False
) -> Any:
    """The adjoint of the weights in scipy.ndimage.correlate (or convolve), or along an axis, whose adjoint is g.

    `mode` is that of np.pad.

    >>> kernel_back(np.array([1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0]), np.zeros(3), "constant")
    array([0., 1., 2.])
    """
    rank = np.ndim(x)
    axes = range(rank) if axis is None else [axis % rank]
    sizes = dict(zip(axes, np.shape(weights)))  # noqa: B905
    origins = dict(zip(axes, np.broadcast_to(origin, len(sizes)).tolist()))  # noqa: B905
    widths = [(sizes[a] // 2 + abs(origins[a]) + 1,) * 2 if a in sizes else (0, 0) for a in range(rank)]
    wide = np.pad(x, widths, mode)  # type: ignore[call-overload]
    out = np.zeros(np.shape(weights))
    for place in np.ndindex(*np.shape(weights)):
        # correlate reads x[i + k - size // 2 - origin], convolve x[i - (k - size // 2 - origin)]
        starts = dict(zip(axes, place))  # noqa: B905
        index = []
        for a in range(rank):
            shift = 0
            if a in sizes:
                shift = starts[a] - sizes[a] // 2 - origins[a]
                shift = -shift if convolved else shift
            index.append(slice(widths[a][0] + shift, widths[a][0] + shift + np.shape(x)[a]))
        out[place] = np.einsum(g, range(rank), wide[tuple(index)], range(rank), ())
    return out


def upfirdn_back(g: Any, h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1) -> Any:
    """The adjoint of x in scipy.signal.upfirdn(h, x, up, down, axis), whose adjoint is g."""
    from scipy.signal import upfirdn

    # x[j] is at j * up + len(h) - 1: zeros before the filter make that a multiple of up
    late = -(len(h) - 1) % up
    moved = np.moveaxis(upfirdn(np.concatenate([np.zeros(late), np.flip(h)]), g, down, up, axis), axis, -1)
    start, n = (len(h) - 1 + late) // up, np.shape(x)[axis]
    part = moved[..., start : start + n]
    out = np.zeros((*part.shape[:-1], n), part.dtype)
    out[..., : part.shape[-1]] = part
    return np.moveaxis(out, -1, axis)


def upfirdn_filter_back(g: Any, h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1) -> Any:
    """The adjoint of h in scipy.signal.upfirdn(h, x, up, down, axis), whose adjoint is g."""
    g, x = np.moveaxis(g, axis, -1), np.moveaxis(x, axis, -1)
    common = math.gcd(up, down)
    every, each = up // common, down // common
    out = np.zeros(len(h))
    product = np.dot if g.ndim == 1 else np.vdot
    for k in range(0, len(h), common):  # h[k] meets x[j] where n * down = j * up + k: every so often
        n = k // common * pow(each, -1, every) % every
        n += max(0, -(-(k - n * down) // (down * every))) * every
        j = (n * down - k) // up
        some, others = g[..., n::every], x[..., j::each]
        count = min(some.shape[-1], others.shape[-1])
        out[k] = product(some[..., :count], others[..., :count])
    return out


def positive_sylvester(p: Any, right: Any) -> Any:
    """The solution s of p @ s + s @ p = right, for a symmetric p with positive eigenvalues.

    >>> positive_sylvester(np.diag([1.0, 3.0]), np.ones((2, 2))).round(12)
    array([[0.5       , 0.25      ],
           [0.25      , 0.16666667]])
    """
    w, v = np.linalg.eigh(p)
    return v @ (v.T @ right @ v / (w[:, None] + w)) @ v.T


def gauss_rule(n: int) -> Any:
    """The n nodes and weights of Gauss between -1 and 1 that scipy.integrate.fixed_quad has and keeps.

    >>> gauss_rule(2)[0].round(6), gauss_rule(2)[1].round(6)
    (array([-0.57735,  0.57735]), array([1., 1.]))
    """
    from scipy.integrate import fixed_quad

    nodes = []

    def each(x: Any) -> Any:
        nodes.append(x)
        return np.eye(len(x))

    weights = fixed_quad(each, -1.0, 1.0, n=n)[0]
    return nodes[0], weights


def romberg_weights(n: int) -> Any:
    """The weights that Romberg's method gives to n = 2**k + 1 values: those of trapezoidal rules of all widths, each
    eliminating the next power of the width.

    >>> romberg_weights(3) * 3.0
    array([1., 4., 1.])
    """
    rules = []
    width = 1
    while width < n:
        rule = np.zeros(n)
        rule[::width] = width
        rule[0] = rule[-1] = 0.5 * width
        rules.append(rule)
        width *= 2
    power = 4.0
    while len(rules) > 1:
        rules = [rules[k] + (rules[k] - rules[k + 1]) / (power - 1.0) for k in range(len(rules) - 1)]
        power *= 4.0
    return rules[0]


def trigonometric_back(
    g: Any, x: Any, name: str, type: int = 2, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """The adjoint of x in a cosine or sine transform of scipy.fft (dct, idst, ... along axes), whose adjoint is g.

    >>> trigonometric_back(np.array([1.0, 0.0]), np.zeros(2), "dct")
    array([2., 2.])
    """
    from scipy import fft

    if axes is None:
        axes = tuple(range(np.ndim(x)))[-len(s) if s is not None else 0 :]
    inverse = name.startswith("i")
    plain = getattr(fft, name.lstrip("i"))
    # the inverse of type 2 is type 3, but for a factor
    kind = {2: 3, 3: 2}.get(type, type) if inverse else type
    transposed = {2: 3, 3: 2}.get(kind, kind)
    for axis in np.atleast_1d(axes).tolist():
        g = np.moveaxis(g, axis, -1)
        n, m = g.shape[-1], np.shape(x)[axis]
        ends = np.ones(n)
        if plain is fft.dct:
            if kind == 1:
                ends[1:-1] = 2.0
            ends[0] = 2.0 if kind in (2, 3) else ends[0]
        elif kind in (2, 3):
            ends[-1] = 2.0
        if norm == "ortho":
            g = plain(g, transposed, norm=norm)
        elif kind == 1:
            g = ends * plain(g / ends, 1)
        else:
            g = plain(g * ends, 3) if kind == 2 else plain(g, transposed) / ends
        size = n + (kind == 1) * (-1 if plain is fft.dct else 1)
        if norm != "ortho" and (norm == "forward") != inverse:
            g = g / (2 * size)
        if m < n:
            g = g[..., :m]
        elif m > n:
            g = np.concatenate([g, np.zeros((*g.shape[:-1], m - n))], axis=-1)
        g = np.moveaxis(g, -1, axis)
    return g
