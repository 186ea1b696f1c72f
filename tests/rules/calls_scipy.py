"""Calls of SciPy as users write them, in whole programs: what their documentation shows, and seldom used arguments.

`CALLS` lists expressions over the names of `VALUES`, as tests/rules/calls.py does for NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.rules.calls import VALUES as OF_NUMPY

_rng = np.random.default_rng(3)


def _distinct(*shape: int) -> Any:
    """Numbers in (0.2, 1.8) of which no two are near."""
    n = int(np.prod(shape))
    return _rng.permutation(np.linspace(0.2, 1.8, n) + 0.01 * _rng.normal(size=n)).reshape(shape)


VALUES: dict[str, Any] = {
    **OF_NUMPY,
    "zz": _rng.normal(size=5) + 1j * _rng.normal(size=5), "e0": np.zeros(0), "f6": _distinct(6),
    "lead": np.cumsum(_distinct(6)), "pts": _rng.normal(size=(6, 2)), "qs": _rng.normal(size=(4, 2)),
    "img": 2.0 * _distinct(6, 7) - 2.0, "sig": _rng.normal(size=12),
    "csig": _rng.normal(size=12) + 1j * _rng.normal(size=12),
    "S2": _rng.normal(size=(3, 3)) + 1j * _rng.normal(size=(3, 3)) + 3.0 * np.eye(3), "ia": np.arange(1, 6),
}  # fmt: skip

CALLS: list[str] = [
    line.strip()
    for line in """
    # special
    special.logsumexp(A, axis=1)
    special.logsumexp(A, axis=1, keepdims=True)
    special.logsumexp(A, axis=(0, 1))
    special.logsumexp(A, b=C)
    special.logsumexp(A, axis=0, b=h)
    special.logsumexp(A, b=N, return_sign=True)[0]
    special.logsumexp(z)
    special.loggamma(z)
    special.rgamma(z)
    special.logsumexp(A, 1, C, True)
    special.softmax(A, axis=1)
    special.softmax(A)
    special.softmax(A, axis=(0, 1))
    special.log_softmax(A, axis=0)
    special.log_softmax(A)
    special.kl_div(x, y)
    special.kl_div(A, h)
    special.logsumexp(A, axis=1, b=N, return_sign=True)[0]
    special.logsumexp(A, return_sign=True)[0]
    special.logsumexp(x, b=y)
    # linalg
    linalg.solve(G, h)
    linalg.solve(P, h, assume_a="pos")
    linalg.solve(P, h, assume_a="sym")
    linalg.solve(S2, z[:3])
    linalg.solve(np.triu(G), h, assume_a="upper triangular")
    linalg.solve(np.tril(G), h, assume_a="lower triangular")
    linalg.solve(np.diag(h), x[:4], assume_a="diagonal")
    linalg.solve(np.diag(h) + np.diag(0.1 * p, 1) + np.diag(0.1 * q, -1), x[:4], assume_a="tridiagonal")
    linalg.solve(P, h, assume_a="pos", lower=True)
    linalg.solve(G, h, transposed=True)
    linalg.solve(G, B)
    linalg.solve_triangular(np.tril(G), h, lower=True)
    linalg.solve_triangular(G, h, lower=True)
    linalg.solve_triangular(G, B, trans=1)
    linalg.solve_triangular(G, B, trans="T", lower=True)
    linalg.solve_triangular(G, h, unit_diagonal=True)
    linalg.cho_solve(linalg.cho_factor(P, lower=True), B)
    linalg.cho_solve((linalg.cholesky(P, lower=True), True), h)
    linalg.cho_solve((linalg.cholesky(P), False), h)
    linalg.cho_solve((linalg.cholesky(P), False), 1.0 * h, overwrite_b=True)
    linalg.cho_solve((linalg.cholesky(P, lower=True), True), 1.0 * h, True, False)
    linalg.cholesky(P)
    linalg.cholesky(P, lower=True)
    linalg.lu_solve(linalg.lu_factor(G), h)
    linalg.lu_solve(linalg.lu_factor(G), B, trans=1)
    linalg.lu_factor(G)[0]
    linalg.lu(G)[1]
    linalg.lu(G)[2]
    linalg.lu(G)
    linalg.lu(G, permute_l=True)[0]
    linalg.expm(S)
    linalg.expm(U)
    linalg.expm(S2)
    linalg.expm_frechet(S, D)[1]
    linalg.logm(P)
    linalg.logm(S2)
    linalg.sqrtm(P)
    linalg.sqrtm(S2)
    linalg.solve_sylvester(G, S, B)
    linalg.solve_sylvester(S2, S2 + 1, S2 * 2)
    linalg.solve_continuous_lyapunov(G, P)
    linalg.solve_discrete_lyapunov(G / 9, P)
    linalg.solve_lyapunov(G, P)
    linalg.block_diag(A, S, h)
    linalg.block_diag(s, p)
    linalg.toeplitz(h)
    linalg.toeplitz(h, x)
    linalg.toeplitz(z)
    linalg.toeplitz(z, zz)
    linalg.hankel(h)
    linalg.hankel(h, x)
    linalg.circulant(h)
    linalg.companion(np.append(1.0, h))
    linalg.convolution_matrix(h, 5)
    linalg.convolution_matrix(h, 5, mode="same")
    linalg.leslie(h, p)
    linalg.fiedler(h)
    linalg.khatri_rao(A, C)
    linalg.det(G)
    linalg.det(U)
    linalg.det(S2)
    linalg.inv(G)
    linalg.inv(U)
    linalg.inv(S2)
    linalg.pinv(A)
    linalg.pinvh(P)
    linalg.lstsq(B, h)[0]
    linalg.lstsq(B, h, lapack_driver="gelsy")[0]
    linalg.lstsq(A, p)[0]
    linalg.norm(A)
    linalg.norm(A, 1)
    linalg.norm(A, ord="nuc")
    linalg.norm(T, axis=(0, 1))
    linalg.norm(x, 3)
    linalg.eigh(P)[0]
    linalg.eigh(P)[1] ** 2
    linalg.eigh(P, G @ G.T)[0]
    linalg.eigh(P, G @ G.T)[1] ** 2
    linalg.eigh(P, G @ G.T, type=2)[0]
    linalg.eigh(P, G @ G.T, type=3)[0]
    linalg.eigh(P, G @ G.T, type=2)[1] ** 2
    linalg.eigh(P, G @ G.T, type=3)[1] ** 2
    linalg.eigh(P, subset_by_index=[1, 2])[0]
    linalg.eigh(P, subset_by_index=[1, 2])[1] ** 2
    linalg.eigh(P, G @ G.T, subset_by_index=[1, 2])[0]
    linalg.eigh(P, G @ G.T, subset_by_index=[1, 2])[1] ** 2
    linalg.eigh(P, subset_by_value=(0.0, 3.0))[0]
    linalg.eigh(P, eigvals_only=True)
    linalg.eigh(P, G @ G.T, eigvals_only=True)
    linalg.eigh(P, lower=False)[0]
    linalg.eigvalsh(P)
    linalg.eigvalsh(P, G @ G.T)
    linalg.eigvalsh(P, G @ G.T, type=2)
    linalg.eigvalsh(P, G @ G.T, type=3)
    linalg.eigvalsh(P, subset_by_index=[0, 1])
    linalg.eigvalsh(P, G @ G.T, subset_by_index=[0, 1])
    linalg.eigvalsh(P, driver="ev")
    linalg.eigvalsh(H + H.conj().T)
    linalg.eig(np.diag(p) + 0.01 * S)[0]
    linalg.eig(D)[0]
    np.abs(linalg.eig(D)[1]) ** 2
    linalg.eigvals(D)
    linalg.svd(A, full_matrices=False)[1]
    linalg.svd(A, full_matrices=False)[0] ** 2
    linalg.svd(A, compute_uv=False)
    linalg.svd(Z, compute_uv=False)
    linalg.svdvals(A)
    linalg.svdvals(Z)
    linalg.polar(S)[0]
    linalg.polar(S)[1]
    linalg.polar(B)
    linalg.polar(A)
    linalg.polar(S, side="left")[1]
    linalg.qr(B, mode="economic")[0]
    linalg.qr(B, mode="economic")[1]
    linalg.qr(B, mode="r")[0]
    linalg.qr(B, pivoting=True, mode="economic")[1]
    linalg.rq(S)[0]
    linalg.rq(S)[1]
    linalg.qr_multiply(B, G)[0]
    linalg.orth(B)
    linalg.orth(A)
    np.abs(linalg.orth(B)) ** 2
    linalg.solve_banded((1, 1), A[:, :4], h)
    linalg.solve_toeplitz(h + np.array([4.0, 0, 0, 0]), x[:4])
    linalg.solve_toeplitz((h + np.array([4.0, 0, 0, 0]), h), x[:4])
    linalg.solve_circulant(h + np.array([4.0, 0, 0, 0]), x[:4])
    linalg.matmul_toeplitz(h, x[:4])
    linalg.matmul_toeplitz((h, h), A.T)
    linalg.sinm(S)
    linalg.cosm(S)
    linalg.tanm(S / 4)
    linalg.sinhm(S)
    linalg.coshm(S)
    linalg.tanhm(S)
    linalg.fractional_matrix_power(P, 0.5)
    linalg.fractional_matrix_power(P, -0.3)
    linalg.orthogonal_procrustes(B, G[:, :3])[1]
    linalg.bandwidth(A)[0] * s
    linalg.dft(4).real @ h
    linalg.hilbert(3) @ p
    linalg.orth(B[:, :2] @ A[:2])
    linalg.eig(np.diag(p) + 0.01 * S)[1] ** 2
    linalg.eigh(P, G @ G.T, type=2, lower=False)[1]
    linalg.eigh(P, G @ G.T, type=3)[1]
    linalg.eigh(P, subset_by_index=[1, 2])[1]
    linalg.eigh(P, subset_by_index=(1, 3), eigvals_only=True)
    linalg.eigh(P, G @ G.T, subset_by_index=[1, 2])[1]
    linalg.eigh(P, subset_by_value=(0.0, 3.0))[1]
    linalg.eigh(P, G @ G.T)[1]
    linalg.solve(G, h, check_finite=False)
    linalg.solve(S, z[:3])
    linalg.solve(S2, S)
    linalg.solve_triangular(S2, z[:3], trans=1)
    linalg.solve_triangular(S2, z[:3], lower=True)
    linalg.solve_triangular(S, z[:3], lower=True)
    linalg.solve_triangular(S2, S)
    linalg.sinm(S2)
    linalg.solve_sylvester(S, S2 + 1, S2 * 2)
    linalg.solve_sylvester(S, S + 1, S2 * 2)
    linalg.eigvalsh(H + H.conj().T, lower=False)
    linalg.eigh(H + H.conj().T, eigvals_only=True)
    # stats
    stats.multivariate_normal.logpdf(p, q, P[:3, :3])
    stats.multivariate_normal.logpdf(S, mean=p, cov=P[:3, :3])
    stats.multivariate_normal.pdf(p, q, P[:3, :3])
    stats.multivariate_normal.logpdf(p)
    stats.multivariate_normal.logpdf(p, cov=s)
    stats.multivariate_normal.logpdf(p, mean=q, cov=q)
    stats.multivariate_normal(q, P[:3, :3]).logpdf(p)
    stats.dirichlet.logpdf(np.array([0.2, 0.3, 0.5]), p)
    stats.dirichlet.pdf(np.array([0.2, 0.3, 0.5]), p)
    stats.dirichlet.logpdf(p / np.sum(p), q)
    stats.circmean(A, axis=0, keepdims=True)
    stats.circvar(A, axis=1, keepdims=True)
    stats.circstd(A, keepdims=True)
    ndimage.map_coordinates(img, pts.T * 1.3 + 2.5, order=3, mode="nearest", prefilter=False)
    # signal
    signal.convolve(sig, p)
    signal.convolve(sig, p, mode="same")
    signal.convolve(sig, p, "valid", method="direct")
    signal.convolve(sig, p, method="fft")
    signal.convolve(img, S)
    signal.convolve(img, S, "same")
    signal.convolve(csig, p)
    signal.convolve2d(img, S)
    signal.convolve2d(img, S, mode="same", boundary="wrap")
    signal.convolve2d(img, S, mode="same", boundary="symm")
    signal.correlate2d(img, S, mode="same")
    signal.fftconvolve(sig, p)
    signal.fftconvolve(sig, p, mode="same")
    signal.fftconvolve(sig, p, mode="valid")
    signal.fftconvolve(A, C, axes=1)
    signal.fftconvolve(A, C, mode="same", axes=0)
    signal.fftconvolve(img, S, mode="same")
    signal.fftconvolve(csig, z)
    signal.oaconvolve(sig, p)
    signal.correlate(sig, p)
    signal.correlate(sig, p, mode="same")
    signal.correlate(sig, p, mode="valid", method="fft")
    signal.correlate(csig, z)
    signal.correlate(img, S, "same")
    signal.lfilter(p, q, sig)
    signal.lfilter(p, q, img, axis=0)
    signal.lfilter(p, [1.0, 0.5], sig)
    signal.lfilter(p, 1.0, sig)
    signal.lfilter(p, [1.0, 0.5], sig, zi=x[:2])[0]
    signal.lfilter(p, [1.0, 0.5], sig, zi=x[:2])[1]
    signal.lfilter(p, [1.0, 0.5], csig)
    signal.lfilter_zi(p, [1.0, 0.5, 0.1])
    signal.filtfilt([0.3, 0.2], [1.0, -0.4], np.tile(sig, 2))
    signal.filtfilt([0.3, 0.2], [1.0, -0.4], np.tile(sig, 2), padtype=None)
    signal.sosfilt(np.array([[1.0, 0.2, 0.1, 1.0, 0.3, 0.1]]), sig)
    signal.sosfiltfilt(np.array([[1.0, 0.2, 0.1, 1.0, 0.3, 0.1]]), np.tile(sig, 2))
    signal.hilbert(sig)
    signal.hilbert(sig, N=16)
    signal.hilbert(img, axis=0)
    signal.detrend(sig)
    signal.detrend(sig, type="constant")
    signal.detrend(img, axis=0)
    signal.detrend(sig, bp=[4])
    signal.savgol_filter(sig, 5, 2)
    signal.savgol_filter(sig, 5, 2, deriv=1, delta=0.5)
    signal.savgol_filter(sig, 5, 2, deriv=1, delta=s)
    signal.savgol_filter(sig, 5, 2, mode="wrap")
    signal.savgol_filter(img, 5, 2, axis=0)
    signal.savgol_coeffs(5, 2, deriv=1, delta=s)
    signal.medfilt(sig, 3)
    signal.wiener(sig, 3)
    signal.resample(sig, 8)
    signal.resample_poly(sig, 2, 3)
    signal.decimate(np.tile(sig, 4), 2)
    signal.upfirdn(p, sig, 2, 3)
    signal.welch(np.tile(sig, 4), nperseg=16)[1]
    signal.periodogram(sig)[1]
    signal.stft(np.tile(sig, 4), nperseg=16)[2]
    signal.istft(np.outer(z[:3], csig), nperseg=4)[1]
    signal.spectrogram(np.tile(sig, 4), nperseg=16)[2]
    signal.csd(np.tile(sig, 4), np.tile(sig[::-1], 4), nperseg=16)[1]
    signal.coherence(np.tile(sig, 4), np.tile(sig[::-1], 4) + np.arange(48), nperseg=16)[1]
    signal.freqz(p, [1.0, 0.5], worN=8)[1]
    signal.freqz(p, q, worN=8)[1]
    signal.freqs(p, q, [1.0, 2.0])[1]
    signal.sosfreqz(np.array([[s, 0.2, t, 1.0, r, 0.1]]), worN=8)[1]
    signal.firwin(5, 0.3)[0] * s
    signal.butter(3, 0.3)[0] * s
    signal.chirp(x, s, t, r)
    signal.square(x) * x
    signal.unit_impulse(5) * x
    signal.windows.gaussian(7, s)
    signal.windows.kaiser(7, s)
    signal.windows.hann(5) * x
    signal.windows.general_gaussian(7, s, t)
    signal.windows.tukey(7, s)
    signal.windows.exponential(7, tau=s)
    signal.windows.general_cosine(7, [s, t])
    signal.windows.general_hamming(7, s)
    signal.get_window("hann", 5) * x
    signal.find_peaks(sig)[0] * s
    signal.argrelmax(sig)[0] * s
    signal.zpk2tf(p, q, s)[0]
    signal.max_len_seq(3)[0] * s
    signal.fftconvolve(A, C[:, :2], mode="valid", axes=[1])
    signal.fftconvolve(A, h[None], axes=1)
    signal.fftconvolve(Z, Z, axes=1)
    signal.oaconvolve(A, C, axes=1)
    signal.fftconvolve(e0, x)
    signal.correlate(csig, z, mode="same")
    signal.correlate(csig, p, mode="valid")
    signal.correlate(p, csig, mode="valid")
    signal.sosfilt(np.array([[s, 0.2, t, 1.0, r, 0.1]]), sig)
    signal.sosfilt(np.array([[s, 0.2, t, 1.0, r, 0.1], [t, s, 0.1, 1.0, 0.1, s / 4]]), img, axis=0)
    signal.hilbert(sig, 15)
    signal.hilbert(img, N=4, axis=0)
    signal.savgol_filter(sig, 5, 2, deriv=1, delta=s, mode="wrap")
    # ndimage
    ndimage.convolve(img, S)
    ndimage.convolve(img, S, mode="wrap", origin=1)
    ndimage.convolve(img, S, mode="nearest")
    ndimage.convolve(img, S, mode="mirror")
    ndimage.convolve(sig, p)
    ndimage.convolve1d(img, p, axis=0)
    ndimage.correlate(img, S)
    ndimage.correlate1d(img, p, axis=1, mode="wrap")
    ndimage.gaussian_filter(img, 1.0)
    ndimage.gaussian_filter(img, 1.0, mode="constant", cval=1.0)
    ndimage.gaussian_filter1d(img, 1.0, axis=0, order=1)
    ndimage.uniform_filter(img, 3)
    ndimage.uniform_filter(img)
    ndimage.uniform_filter1d(img, 3, axis=0)
    ndimage.map_coordinates(img, np.array([[1.3, 2.2], [0.7, 3.1]]))
    ndimage.map_coordinates(img, pts.T * 0.3 + 2.5)
    ndimage.map_coordinates(img, pts.T * 0.3 + 2.5, order=1)
    ndimage.map_coordinates(img, pts.T * 0.3 + 2.5, order=2, mode="nearest")
    ndimage.map_coordinates(img, pts.T * 0.3 + 2.5, order=3, mode="mirror", prefilter=False)
    ndimage.map_coordinates(img, pts.T * 0.3 + 2.5, order=0)
    ndimage.shift(img, 1.3)
    ndimage.shift(img, (0.4, s))
    ndimage.shift(img, s, order=1)
    ndimage.shift(img, (0.4, -0.7), mode="nearest", order=2)
    ndimage.shift(sig, s, mode="wrap")
    ndimage.shift(sig, s, mode="grid-wrap")
    ndimage.zoom(img, 2)
    ndimage.zoom(img, (1.5, 2.0), order=1)
    ndimage.zoom(img, 0.5)
    ndimage.rotate(img, 30.0)
    ndimage.rotate(img, 30.0, reshape=False, order=1)
    ndimage.affine_transform(img, np.array([[0.9, 0.1], [-0.1, 0.8]]), offset=(0.3, 0.4))
    ndimage.affine_transform(img, np.eye(2) * s + 0.1, offset=0.2)
    ndimage.spline_filter1d(sig)
    ndimage.laplace(img)
    ndimage.sobel(img, axis=0)
    ndimage.prewitt(img)
    ndimage.gaussian_laplace(img, 1.0)
    ndimage.gaussian_gradient_magnitude(img, 1.0)
    ndimage.median_filter(img, 3)
    ndimage.maximum_filter(img, 3)
    ndimage.minimum_filter(img, size=(3, 2))
    ndimage.rank_filter(img, 2, size=3)
    ndimage.percentile_filter(img, 30, size=3)
    ndimage.grey_dilation(img, 3)
    ndimage.center_of_mass(np.abs(img))
    ndimage.fourier_gaussian(img, 1.0)
    ndimage.distance_transform_edt(img > 0) * s
    ndimage.label(img > 0)[0] * s
    # interpolate
    interpolate.CubicSpline(grid, x)(0.7)
    interpolate.CubicSpline(grid, x)(y)
    interpolate.CubicSpline(lead[:5], x)(y + 0.5)
    interpolate.CubicSpline(grid, x, bc_type="natural")(y)
    interpolate.CubicSpline(grid, x, bc_type="clamped")(y)
    interpolate.CubicSpline(grid, x, bc_type=((1, 0.3), (2, 0.1)))(y)
    interpolate.CubicSpline(grid, x, bc_type=((1, s), (2, t)))(y)
    interpolate.CubicSpline(grid, x)(y, 1)
    interpolate.CubicSpline(grid, x).derivative()(y)
    interpolate.CubicSpline(grid, x).integrate(0.1, s)
    interpolate.CubicSpline(grid, x).antiderivative()(s)
    interpolate.CubicSpline(grid, x).c[0]
    interpolate.CubicSpline(grid, np.outer(x, p))(s)
    interpolate.CubicSpline(grid, np.outer(p, x), axis=1)(y)
    interpolate.CubicSpline(grid, x, extrapolate=True)(y + 2)
    interpolate.PchipInterpolator(grid, x)(y)
    interpolate.PchipInterpolator(lead[:5], x)(y + 0.5)
    interpolate.PchipInterpolator(grid, x)(s)
    interpolate.PchipInterpolator(grid, np.outer(x, p))(y)
    interpolate.PchipInterpolator(grid, x).derivative()(y)
    interpolate.pchip_interpolate(grid, x, y)
    interpolate.Akima1DInterpolator(grid, x)(y)
    interpolate.CubicHermiteSpline(grid, x, w)(y)
    interpolate.make_interp_spline(grid, x)(y)
    interpolate.make_interp_spline(grid, x, k=1)(y)
    interpolate.make_interp_spline(grid, x, k=2)(y)
    interpolate.make_interp_spline(lead[:5], x)(y + 0.5)
    interpolate.make_interp_spline(grid, np.outer(x, p))(s)
    interpolate.make_interp_spline(grid, x).c
    interpolate.interp1d(grid, x)(y)
    interpolate.interp1d(grid, x)(s)
    interpolate.interp1d(lead[:5], x)(y / 2 + lead[0])
    interpolate.interp1d(grid, x, kind="cubic")(y)
    interpolate.interp1d(grid, x, kind="quadratic")(y)
    interpolate.interp1d(grid, x, kind="nearest")(y)
    interpolate.interp1d(grid, x, kind="previous")(y)
    interpolate.interp1d(grid, x, kind="slinear")(y)
    interpolate.interp1d(grid, x, kind=3)(y)
    interpolate.interp1d(grid, x, bounds_error=False, fill_value="extrapolate")(y + 1)
    interpolate.interp1d(grid, x, bounds_error=False, fill_value=0.5)(y + 1)
    interpolate.interp1d(grid, x, bounds_error=False, fill_value=(s, t))(y + 1)
    interpolate.interp1d(grid, np.outer(p, x))(y)
    interpolate.interp1d(grid, np.outer(x, p), axis=0)(y)
    interpolate.BSpline(np.array([0.0, 0, 0, 0, 1, 2, 2, 2, 2]), x, 3)(y)
    interpolate.BSpline(np.array([0.0, 0, 0, 0, 1, 2, 2, 2, 2]), x, 3).derivative()(y)
    interpolate.PPoly(np.outer(p, h), grid)(y)
    interpolate.RegularGridInterpolator((p.cumsum() * 0 + np.arange(3.0), np.arange(4.0)), A)(pts * 0.2 + 1)
    interpolate.RegularGridInterpolator((np.arange(3.0), np.arange(4.0)), A)(pts * 0.2 + 1)
    interpolate.interpn((np.arange(3.0), np.arange(4.0)), A, pts * 0.2 + 1)
    interpolate.RBFInterpolator(pts, f6)(qs)
    interpolate.NearestNDInterpolator(pts, f6)(qs)
    interpolate.make_interp_spline(grid, x, bc_type="natural")(y)
    interpolate.make_interp_spline(grid, x, bc_type="clamped")(y, 1)
    interpolate.make_interp_spline(lead[:5], x, bc_type="natural")(y + 0.5)
    interpolate.make_interp_spline(grid, x).derivative()(y)
    interpolate.make_interp_spline(grid, x).derivative(2)(s)
    interpolate.make_interp_spline(grid, x, k=2).derivative()(y)
    interpolate.make_interp_spline(grid, np.outer(x, p)).derivative()(y)
    interpolate.make_interp_spline(grid, x).integrate(0.1, s)
    interpolate.splev(y, (np.array([0.0, 0, 0, 0, 1, 2, 2, 2, 2]), x, 3))
    interpolate.splev(y, (np.array([0.0, 0, 0, 0, 1, 2, 2, 2, 2]), x, 3), der=1)
    # integrate
    integrate.trapezoid(x)
    integrate.trapezoid(A, C, axis=0)
    integrate.trapezoid(x, dx=s)
    integrate.simpson(x)
    integrate.simpson(x, x=lead[:5])
    integrate.simpson(A, axis=0, dx=s)
    integrate.simpson(h, x=lead[:4])
    integrate.cumulative_trapezoid(x)
    integrate.cumulative_trapezoid(A, initial=0)
    integrate.cumulative_trapezoid(x, lead[:5], initial=0)
    integrate.cumulative_trapezoid(A, p, axis=0)
    integrate.cumulative_simpson(x)
    integrate.cumulative_simpson(x, x=lead[:5], initial=s)
    integrate.cumulative_simpson(A, dx=s, axis=0)
    integrate.romb(x)
    integrate.fixed_quad(lambda v: v ** 2 * s, 0.0, t)[0]
    integrate.trapezoid(A, dx=s, axis=0)
    integrate.nquad(lambda a, b: a * b * s + np.exp(a * t), [(0.0, s), (0.0, 1.0)])[0]
    integrate.nquad(lambda a, b: a * b * s + math.exp(a * t), [lambda b: (0.0, b * t), (0.0, s)])[0]
    integrate.dblquad(lambda a, b: a * b * s, 0.0, 1.0, 0.0, t)[0]
    # sparse
    sparse.csr_array(A) @ h
    sparse.csc_array(A) @ B
    (sparse.csr_array(A).T @ p)
    sparse.csr_array(A).sum()
    sparse.csr_array(A).sum(axis=1)
    sparse.csr_array(A).toarray()
    sparse.csr_array((h, np.array([0, 2, 1, 2]), np.array([0, 2, 3, 4])), shape=(3, 3)) @ p
    sparse.csc_array((h, np.array([0, 2, 1, 2]), np.array([0, 2, 3, 4])), shape=(3, 3)) @ p
    sparse.coo_array((h, (np.array([0, 2, 1, 2]), np.array([0, 0, 1, 2]))), shape=(3, 3)) @ p
    sparse.coo_array((h, (np.array([0, 2, 1, 2]), np.array([0, 0, 1, 2]))), shape=(3, 3)).toarray()
    sparse.linalg.spsolve(sparse.csc_array(G), h)
    # fft
    fft.fft(x)
    fft.fft(x, n=8, norm="ortho")
    fft.ifft(z)
    fft.rfft(x)
    fft.irfft(z)
    fft.irfft(z, n=7)
    fft.hfft(z)
    fft.ihfft(x)
    fft.fft2(A)
    fft.ifft2(Z)
    fft.fftn(T, axes=(0, 2))
    fft.ifftn(T, s=3, axes=1)
    fft.ifftn(Z)
    fft.rfft2(A)
    fft.irfft2(Z)
    fft.rfftn(T)
    fft.irfftn(Z, s=(3, 5))
    fft.hfft2(Z)
    fft.ihfft2(A)
    fft.hfftn(Z)
    fft.ihfftn(A)
    fft.dct(x)
    fft.dct(x, type=1)
    fft.dct(x, 3, norm="ortho")
    fft.dct(x, 4)
    fft.idct(x, type=2, norm="ortho")
    fft.dst(x)
    fft.dst(x, type=1)
    fft.idst(x, type=3)
    fft.dctn(A)
    fft.idctn(A)
    fft.dstn(A, type=3)
    fft.idstn(A)
    fft.fftshift(A)
    fft.ifftshift(x)
    fft.fftfreq(5, s)
    fft.rfftfreq(5, s)
    fft.fht(x, 0.1, 0.5)
    fft.ifht(x, 0.1, 0.5)
    fft.next_fast_len(7) * s
    fft.hfftn(Z, s=(3, 5), norm="ortho")
    fft.ihfftn(T, axes=(0, 2), norm="forward")
    # spatial
    spatial.distance.cdist(pts, qs)
    spatial.distance.cdist(pts, qs, "sqeuclidean")
    spatial.distance.cdist(pts, qs, metric="cityblock")
    spatial.distance.cdist(pts, qs, "chebyshev")
    spatial.distance.cdist(pts, qs, "minkowski", p=3)
    spatial.distance.cdist(pts, qs, "minkowski", p=3, w=h[:2])
    spatial.distance.cdist(pts, qs, "cosine")
    spatial.distance.cdist(pts, qs, "canberra")
    spatial.distance.cdist(pts, qs, "braycurtis")
    spatial.distance.cdist(pts, qs, "seuclidean", V=h[:2])
    spatial.distance.cdist(pts, qs, "mahalanobis", VI=P[:2, :2])
    spatial.distance.cdist(pts, qs, "seuclidean")
    spatial.distance.cdist(pts, qs, "mahalanobis")
    spatial.distance.cdist(pts, qs, "euclidean", w=h[:2])
    spatial.distance.pdist(pts)
    spatial.distance.pdist(pts, "sqeuclidean")
    spatial.distance.pdist(pts, "cosine")
    spatial.distance.pdist(pts, "minkowski", p=1.5)
    spatial.distance.pdist(pts, "cityblock")
    spatial.distance.pdist(pts, "mahalanobis")
    spatial.distance.pdist(pts, "seuclidean")
    spatial.distance.squareform(spatial.distance.pdist(pts))
    spatial.distance.euclidean(x, y)
    spatial.distance.sqeuclidean(x, y)
    spatial.distance.cosine(x, y)
    spatial.distance.mahalanobis(p, q, S @ S.T)
    spatial.distance.minkowski(x, y, 3)
    spatial.distance.correlation(x, y)
    spatial.distance.jensenshannon(x, y)
    spatial.distance.cdist(np.abs(pts), np.abs(qs), "jensenshannon")
    spatial.distance.cdist(pts, qs, "cosine", w=h[:2])
    spatial.distance.cdist(pts, qs, "cityblock", w=h[:2])
    spatial.distance.pdist(pts, "mahalanobis", VI=P[:2, :2])
    spatial.distance.pdist(pts, "sqeuclidean", w=h[:2])
    spatial.distance.pdist(np.abs(pts), "jensenshannon")
    spatial.distance.pdist(pts, "minkowski", p=3, w=h[:2])
    spatial.distance.pdist(pts, "minkowski", p=s + 2)
    # optimize
    optimize.lsq_linear(B, h).x
    optimize.nnls(B, h)[0]
    optimize.brentq(lambda v: v ** 3 - s, 0.0, 2.0)
    optimize.newton(lambda v: v ** 3 - s, 1.0)
    optimize.root_scalar(lambda v: v ** 3 - s, bracket=(0.0, 2.0)).root
    optimize.root(lambda v: v ** 3 - x, np.ones(5)).x
    optimize.fixed_point(lambda v: np.cos(s * v), 0.5)
    optimize.minimize_scalar(lambda v: (v - s) ** 2 + v ** 4).x
    optimize.least_squares(lambda v: v ** 3 + v - p, np.ones(3)).x
    optimize.lsq_linear(B, h, bounds=(-0.2, 0.5), method="bvls").x
    optimize.lsq_linear(B, h, bounds=(-0.2, s)).x
    optimize.lsq_linear(B, h).cost
    """.splitlines()
    if line.strip() and not line.strip().startswith("#")
]
