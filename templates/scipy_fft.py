"""SciPy's Fourier transforms: NumPy's under another name, and cosine and sine transforms."""

import numpy as np
from scipy import fft as sfft

from s2sad.rules import d, definition, linear, zero
from s2sad.runtime import helpers


@linear(sfft.fft)
def fft(y, x, n=None, axis=-1, norm=None):
    d[x] = helper("fft_back", x, d[y], x, n, axis, norm)


@linear(sfft.ifft)
def ifft(y, x, n=None, axis=-1, norm=None):
    d[x] = helper("ifft_back", x, d[y], x, n, axis, norm)


@linear(sfft.rfft)
def rfft(y, x, n=None, axis=-1, norm=None):
    d[x] = helper("rfft_back", x, d[y], x, n, axis, norm)


@linear(sfft.irfft)
def irfft(y, x, n=None, axis=-1, norm=None):
    d[x] = real_like(helper("irfft_back", x, d[y], x, axis, norm), x)


@linear(sfft.fftn)
def fftn(y, x, s=None, axes=None, norm=None):
    d[x] = helper("fftn_back", x, d[y], x, several(s), several(axes), norm)


@linear(sfft.ifftn)
def ifftn(y, x, s=None, axes=None, norm=None):
    d[x] = helper("ifftn_back", x, d[y], x, several(s), several(axes), norm)


@linear(sfft.fft2)
def fft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = helper("fftn_back", x, d[y], x, several(s), several(axes), norm)


@linear(sfft.ifft2)
def ifft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = helper("ifftn_back", x, d[y], x, several(s), several(axes), norm)


if sfft.fftshift.__module__.startswith("scipy"):  # else they are NumPy's

    @linear(sfft.fftshift, permutes=True)
    def fftshift(y, x, axes=None):
        d[x] = sfft.ifftshift(d[y], axes)

    @linear(sfft.ifftshift, permutes=True)
    def ifftshift(y, x, axes=None):
        d[x] = sfft.fftshift(d[y], axes)


@linear(sfft.dct, sfft.idct, sfft.dst, sfft.idst)
def trigonometric(y, x, type=2, n=None, axis=-1, norm=None):
    """With norm="ortho" the inverse is the transpose."""
    d[x] = trigonometric_transpose(d[y], x, type, n, axis, norm)


@linear(sfft.dctn, sfft.idctn, sfft.dstn, sfft.idstn)
def trigonometric_of_several(y, x, type=2, s=None, axes=None, norm=None):
    """With norm="ortho" the inverse is the transpose."""
    d[x] = trigonometric_transpose(d[y], x, type, s, axes, norm)


@linear(helpers.trigonometric_back)
def trigonometric_back(y, g, x, name, type=2, s=None, axes=None, norm=None):
    d[g] = trigonometric_again(d[y], name, type, s, axes, norm)
    d[x] = 0.0


def other_way(norm):
    """The normalisation of the transform in the other direction."""
    if norm == "ortho":
        return norm
    return "backward" if norm == "forward" else "forward"


@definition(sfft.hfftn)
def hfftn(x, s=None, axes=None, norm=None):
    return sfft.irfftn(np.conj(x), s, axes, norm=other_way(norm))


@definition(sfft.hfft2)
def hfft2(x, s=None, axes=(-2, -1), norm=None):
    return sfft.irfftn(np.conj(x), s, axes, norm=other_way(norm))


@definition(sfft.ihfftn)
def ihfftn(x, s=None, axes=None, norm=None):
    return np.conj(sfft.rfftn(x, s, axes, norm=other_way(norm)))


@definition(sfft.ihfft2)
def ihfft2(x, s=None, axes=(-2, -1), norm=None):
    return np.conj(sfft.rfftn(x, s, axes, norm=other_way(norm)))


@linear(sfft.hfft)
def hfft(y, x, n=None, axis=-1, norm=None):
    d[x] = real_like(helper("hfft_back", x, d[y], x, axis, norm), x)


@linear(sfft.ihfft)
def ihfft(y, x, n=None, axis=-1, norm=None):
    d[x] = helper("ihfft_back", x, d[y], x, n, axis, norm)


@linear(sfft.rfftn)
def rfftn(y, x, s=None, axes=None, norm=None):
    d[x] = helper("rfftn_back", x, d[y], x, several(s), several(axes), norm)


@linear(sfft.irfftn)
def irfftn(y, x, s=None, axes=None, norm=None):
    d[x] = real_like(helper("irfftn_back", x, d[y], x, several(s), several(axes), norm), x)


@linear(sfft.rfft2)
def rfft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = helper("rfftn_back", x, d[y], x, several(s), several(axes), norm)


@linear(sfft.irfft2)
def irfft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = real_like(helper("irfftn_back", x, d[y], x, several(s), several(axes), norm), x)


@linear(sfft.fht)
def fht(y, a, dln, mu, offset=0.0, bias=0.0):
    """A circulant matrix read backward: symmetric. Without bias."""
    only_without(bias, 0.0, "bias")
    d[a] = sp("fft.fht", d[y], dln, mu, offset)


@linear(sfft.ifht)
def ifht(y, A, dln, mu, offset=0.0, bias=0.0):
    """A circulant matrix read backward: symmetric. Without bias."""
    only_without(bias, 0.0, "bias")
    d[A] = sp("fft.ifht", d[y], dln, mu, offset)


if sfft.fftfreq.__module__.startswith("scipy"):

    @definition(sfft.fftfreq, active=("d",))
    def fftfreq(n, d=1.0):
        return sfft.fftfreq(n) / d

    @definition(sfft.rfftfreq, active=("d",))
    def rfftfreq(n, d=1.0):
        return sfft.rfftfreq(n) / d

    zero(sfft.fftfreq, sfft.rfftfreq)

zero(sfft.next_fast_len)
if hasattr(sfft, "prev_fast_len"):
    zero(sfft.prev_fast_len)
