"""Fourier transforms. A transform is a symmetric matrix, its own transpose; padding and cropping are undone."""

import numpy as np

from s2sad.rules import d, linear


@linear(np.fft.fft)
def fft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("fft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.ifft)
def ifft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("ifft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.rfft)
def rfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("rfft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.irfft)
def irfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = real_like(helper("irfft_back", a, d[y], a, axis, norm), a)


@linear(np.fft.hfft)
def hfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = real_like(helper("hfft_back", a, d[y], a, axis, norm), a)


@linear(np.fft.ihfft)
def ihfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("ihfft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.fftn)
def fftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("fftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.fft2)
def fft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("fftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.ifftn)
def ifftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("ifftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.ifft2)
def ifft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("ifftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.rfftn)
def rfftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("rfftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.rfft2)
def rfft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("rfftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.irfftn)
def irfftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = real_like(helper("irfftn_back", a, d[y], a, s, axes, norm), a)


@linear(np.fft.irfft2)
def irfft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = real_like(helper("irfftn_back", a, d[y], a, s, axes, norm), a)


@linear(np.fft.fftshift, permutes=True)
def fftshift(y, x, axes=None):
    d[x] = np.fft.ifftshift(d[y], axes)


@linear(np.fft.ifftshift, permutes=True)
def ifftshift(y, x, axes=None):
    d[x] = np.fft.fftshift(d[y], axes)
