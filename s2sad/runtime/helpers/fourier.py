"""Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np


def fft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.fft(x, n, axis, norm), whose adjoint is g.

    >>> fft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([1., 1.])
    """
    m = np.shape(x)[axis]
    out = np.moveaxis(np.fft.fft(g, None, axis, norm), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def ifft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ifft(x, n, axis, norm), whose adjoint is g.

    >>> ifft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([0.5, 0.5])
    """
    m = np.shape(x)[axis]
    out = np.moveaxis(np.fft.ifft(g, None, axis, norm), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def rfft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.rfft(x, n, axis, norm), whose adjoint is g.

    >>> rfft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([1., 1.])
    """
    m = np.shape(x)[axis]
    size = m if n is None else n
    out = np.moveaxis(np.real(np.fft.fft(g, size, axis, norm)), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def irfft_back(g: Any, x: Any, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.irfft(x, n, axis, norm), whose adjoint is g.

    >>> irfft_back(np.array([1.0, 0.0]), np.zeros(2, dtype=complex))
    array([0.5-0.j, 0.5-0.j])
    """
    size, m = np.shape(g)[axis], np.shape(x)[axis]
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.conj(np.fft.rfft(g, None, axis, other)), axis, -1)  # type: ignore[arg-type]
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = out[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def hfft_back(g: Any, x: Any, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.hfft(x, n, axis, norm), whose adjoint is g.

    >>> hfft_back(np.array([1.0, 0.0]), np.zeros(2, dtype=complex))
    array([1.+0.j, 1.+0.j])
    """
    size, m = np.shape(g)[axis], np.shape(x)[axis]
    out = np.moveaxis(np.fft.rfft(g, None, axis, norm), axis, -1)
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = out[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def ihfft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ihfft(x, n, axis, norm), whose adjoint is g.

    >>> ihfft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([0.5, 0.5])
    """
    m = np.shape(x)[axis]
    size = m if n is None else n
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.real(np.fft.fft(np.conj(g), size, axis, other)), axis, -1)[..., :m]  # type: ignore[arg-type]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def fftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.fftn(x, s, axes, norm), whose adjoint is g.

    >>> fftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[1., 1.]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    out = np.fft.fftn(g, None, axes, norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def ifftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ifftn(x, s, axes, norm), whose adjoint is g.

    >>> ifftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[0.5, 0.5]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    out = np.fft.ifftn(g, None, axes, norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def rfftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.rfftn(x, s, axes, norm), whose adjoint is g.

    >>> rfftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[1., 1.]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    last = axes[-1]
    size = np.shape(x)[last] if s is None else s[-1]
    out = (
        np.fft.fft(np.fft.fftn(g, None, axes[:-1], norm), size, last, norm)
        if len(axes) > 1
        else np.fft.fft(g, size, last, norm)
    )
    out = np.real(out)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out


def irfftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.irfftn(x, s, axes, norm), whose adjoint is g.

    >>> irfftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2), dtype=complex)).real
    array([[0.5, 0.5]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    last = axes[-1]
    size = np.shape(g)[last]
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.conj(np.fft.rfft(g, None, last, other)), last, -1)  # type: ignore[arg-type]
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = np.moveaxis(out, -1, last)
    if len(axes) > 1:
        out = np.fft.ifftn(out, None, axes[:-1], norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out
