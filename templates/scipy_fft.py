"""SciPy's Fourier transforms: NumPy's under another name, and cosine and sine transforms."""

from scipy import fft as sfft

from s2sad.rules import d, linear


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
    d[x] = helper("fftn_back", x, d[y], x, s, axes, norm)


@linear(sfft.ifftn)
def ifftn(y, x, s=None, axes=None, norm=None):
    d[x] = helper("ifftn_back", x, d[y], x, s, axes, norm)


@linear(sfft.fft2)
def fft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = helper("fftn_back", x, d[y], x, s, axes, norm)


@linear(sfft.ifft2)
def ifft2(y, x, s=None, axes=(-2, -1), norm=None):
    d[x] = helper("ifftn_back", x, d[y], x, s, axes, norm)


@linear(sfft.fftshift, permutes=True)
def fftshift(y, x, axes=None):
    d[x] = sfft.ifftshift(d[y], axes)


@linear(sfft.ifftshift, permutes=True)
def ifftshift(y, x, axes=None):
    d[x] = sfft.fftshift(d[y], axes)


@linear(sfft.dct)
def dct(y, x, type=2, n=None, axis=-1, norm=None):
    """With norm="ortho", where the inverse is the transpose."""
    orthonormal(norm, n)
    d[x] = sfft.idct(d[y], type, None, axis, norm)


@linear(sfft.idct)
def idct(y, x, type=2, n=None, axis=-1, norm=None):
    """With norm="ortho", where the inverse is the transpose."""
    orthonormal(norm, n)
    d[x] = sfft.dct(d[y], type, None, axis, norm)


@linear(sfft.dst)
def dst(y, x, type=2, n=None, axis=-1, norm=None):
    """With norm="ortho", where the inverse is the transpose."""
    orthonormal(norm, n)
    d[x] = sfft.idst(d[y], type, None, axis, norm)


@linear(sfft.idst)
def idst(y, x, type=2, n=None, axis=-1, norm=None):
    """With norm="ortho", where the inverse is the transpose."""
    orthonormal(norm, n)
    d[x] = sfft.dst(d[y], type, None, axis, norm)
