"""Fourier transforms. A transform is a symmetric matrix, its own transpose; padding and cropping are undone."""

import numpy as np

from s2sad.rules import d, linear


@linear(np.fft.fft, newer=("out",))
def fft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("fft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.ifft, newer=("out",))
def ifft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("ifft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.rfft, newer=("out",))
def rfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("rfft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.irfft, newer=("out",))
def irfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = real_like(helper("irfft_back", a, d[y], a, axis, norm), a)


@linear(np.fft.hfft, newer=("out",))
def hfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = real_like(helper("hfft_back", a, d[y], a, axis, norm), a)


@linear(np.fft.ihfft, newer=("out",))
def ihfft(y, a, n=None, axis=-1, norm=None, out=None):
    d[a] = helper("ihfft_back", a, d[y], a, n, axis, norm)


@linear(np.fft.fftn, newer=("out",))
def fftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("fftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.fft2, newer=("out",))
def fft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("fftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.ifftn, newer=("out",))
def ifftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("ifftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.ifft2, newer=("out",))
def ifft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("ifftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.rfftn, newer=("out",))
def rfftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = helper("rfftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.rfft2, newer=("out",))
def rfft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = helper("rfftn_back", a, d[y], a, s, axes, norm)


@linear(np.fft.irfftn, newer=("out",))
def irfftn(y, a, s=None, axes=None, norm=None, out=None):
    d[a] = real_like(helper("irfftn_back", a, d[y], a, s, axes, norm), a)


@linear(np.fft.irfft2, newer=("out",))
def irfft2(y, a, s=None, axes=(-2, -1), norm=None, out=None):
    d[a] = real_like(helper("irfftn_back", a, d[y], a, s, axes, norm), a)


@linear(np.fft.fftshift, permutes=True)
def fftshift(y, x, axes=None):
    d[x] = np.fft.ifftshift(d[y], axes)


@linear(np.fft.ifftshift, permutes=True)
def ifftshift(y, x, axes=None):
    d[x] = np.fft.fftshift(d[y], axes)
