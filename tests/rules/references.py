"""Which reference each rule that is not elementwise is held against, in higher precision (`tests.rules.exact`)."""

from __future__ import annotations

TABLE = {
    # the function itself, whose text computes with the numbers of mpmath that an array of objects holds
    "itself": """
        math.prod max min np.add.accumulate np.add.outer np.add.reduce np.add.reduceat np.amax np.amin np.append
        np.array np.array_split np.asanyarray np.asarray np.asarray_chkfinite np.ascontiguousarray np.asfortranarray
        np.atleast_1d np.atleast_2d np.atleast_3d np.average np.broadcast_arrays np.broadcast_to np.choose np.clip
        np.column_stack np.compress np.concatenate np.conjugate np.convolve np.copy np.correlate np.cross np.cumprod
        np.cumsum np.cumulative_prod np.cumulative_sum np.delete np.diag np.diagflat np.diagonal np.diff np.dot
        np.dsplit np.dstack np.ediff1d np.einsum np.expand_dims np.extract np.fft.fftshift np.fft.ifftshift np.flip
        np.fliplr np.flipud np.fmax np.fmin np.full_like np.geomspace np.hsplit np.hstack np.inner np.insert np.kron
        np.lib.stride_tricks.sliding_window_view np.linalg.cross np.linalg.diagonal np.linalg.matmul
        np.linalg.matrix_transpose np.linalg.outer np.linalg.tensordot np.linalg.trace np.linalg.vecdot np.linspace
        np.logspace np.matmul np.matrix_transpose np.matvec np.max np.maximum np.maximum.reduce np.mean np.median
        np.meshgrid np.min np.minimum np.minimum.reduce np.moveaxis np.multiply.accumulate np.multiply.outer
        np.multiply.reduce np.nan_to_num np.nancumprod np.nancumsum np.nanmax np.nanmean np.nanmin np.nanprod
        np.nanstd np.nansum np.nanvar np.ndarray.clip np.ndarray.compress np.ndarray.flatten np.ndarray.reshape
        np.ndarray.transpose np.outer np.pad np.partition np.percentile np.polyadd np.polyder np.polyint np.polymul
        np.polysub np.polyval np.prod np.ptp np.ravel np.repeat np.require np.reshape np.resize np.roll np.rollaxis
        np.rot90 np.select np.sort np.split np.squeeze np.stack np.std np.subtract.outer np.sum np.swapaxes np.take
        np.take_along_axis np.tensordot np.tile np.trace np.transpose np.trapezoid np.tril np.trim_zeros np.triu
        np.unique np.vander np.var np.vdot np.vecdot np.vecmat np.vsplit np.vstack np.where operator.matmul
        s2sad.runtime.helpers.deconvolved s2sad.runtime.helpers.diag_back s2sad.runtime.helpers.diff_back
        s2sad.runtime.helpers.dot_left s2sad.runtime.helpers.dot_right s2sad.runtime.helpers.expand_reduced
        s2sad.runtime.helpers.fft_back s2sad.runtime.helpers.fftn_back s2sad.runtime.helpers.from_diagonal
        s2sad.runtime.helpers.gradient_back s2sad.runtime.helpers.hfft_back s2sad.runtime.helpers.ifft_back
        s2sad.runtime.helpers.ifftn_back s2sad.runtime.helpers.ihfft_back s2sad.runtime.helpers.insert_back
        s2sad.runtime.helpers.insert_values_back s2sad.runtime.helpers.irfft_back s2sad.runtime.helpers.irfftn_back
        s2sad.runtime.helpers.matmul_left s2sad.runtime.helpers.matmul_right s2sad.runtime.helpers.pad_back
        s2sad.runtime.helpers.partition_back s2sad.runtime.helpers.partition_tangent
        s2sad.runtime.helpers.quantiles_back s2sad.runtime.helpers.reduceat_back s2sad.runtime.helpers.repeat_back
        s2sad.runtime.helpers.rfft_back s2sad.runtime.helpers.rfftn_back s2sad.runtime.helpers.singular
        s2sad.runtime.helpers.sliding_windows_back s2sad.runtime.helpers.sort_back s2sad.runtime.helpers.sort_tangent
        s2sad.runtime.helpers.spectral s2sad.runtime.helpers.take_along_back s2sad.runtime.helpers.take_back
        s2sad.runtime.helpers.through_zero s2sad.runtime.helpers.tile_back s2sad.runtime.helpers.unbroadcast
        s2sad.runtime.helpers.unique_back
        scipy.fft.fftshift scipy.fft.ifftshift scipy.integrate.trapezoid sum
    """,
    # what it is, written down for numbers of mpmath: exact_arrays.py, exact_matrices.py
    "formula": """
        np.float64 np.longdouble
        cmath.phase cmath.polar cmath.rect complex divmod float math.dist math.frexp math.fsum math.hypot math.modf
        np.angle np.bincount np.corrcoef np.cov np.divmod np.fft.fft np.fft.fft2 np.fft.fftn np.fft.hfft np.fft.ifft
        np.fft.ifft2 np.fft.ifftn np.fft.ihfft np.fft.irfft np.fft.irfft2 np.fft.irfftn np.fft.rfft np.fft.rfft2
        np.fft.rfftn np.frexp np.full np.gradient np.histogram np.imag np.interp np.linalg.cholesky np.linalg.cond
        np.linalg.det np.linalg.eig np.linalg.eigh np.linalg.eigvals np.linalg.eigvalsh np.linalg.inv np.linalg.lstsq
        np.linalg.matrix_norm np.linalg.matrix_power np.linalg.multi_dot np.linalg.norm np.linalg.pinv np.linalg.qr
        np.linalg.slogdet np.linalg.solve np.linalg.svd np.linalg.svdvals np.linalg.tensorinv np.linalg.tensorsolve
        np.linalg.vector_norm np.modf np.ndarray.astype np.ndarray.item np.polydiv np.polyfit
        np.polynomial.polynomial.polydiv np.quantile np.real np.real_if_close np.roots s2sad.runtime.helpers.cofactors
        s2sad.runtime.helpers.divided_differences
        scipy.fft.fft scipy.fft.fft2 scipy.fft.fftn scipy.fft.hfft scipy.fft.hfft2 scipy.fft.hfftn scipy.fft.ifft
        scipy.fft.ifft2 scipy.fft.ifftn scipy.fft.ihfft scipy.fft.ihfft2 scipy.fft.ihfftn scipy.fft.irfft
        scipy.fft.irfft2 scipy.fft.irfftn scipy.fft.rfft scipy.fft.rfft2 scipy.fft.rfftn scipy.integrate.simpson
        scipy.linalg.cho_solve scipy.linalg.cho_solve_banded scipy.linalg.cholesky scipy.linalg.coshm
        scipy.linalg.cosm scipy.linalg.det scipy.linalg.eig scipy.linalg.eigh scipy.linalg.eigvals
        scipy.linalg.eigvalsh scipy.linalg.expm scipy.linalg.fractional_matrix_power scipy.linalg.inv
        scipy.linalg.logm scipy.linalg.lstsq scipy.linalg.lu scipy.linalg.lu_factor scipy.linalg.matmul_toeplitz
        scipy.linalg.norm scipy.linalg.orthogonal_procrustes scipy.linalg.pinv scipy.linalg.polar scipy.linalg.qr
        scipy.linalg.signm scipy.linalg.sinhm scipy.linalg.sinm scipy.linalg.solve scipy.linalg.solve_banded
        scipy.linalg.solve_circulant scipy.linalg.solve_continuous_are scipy.linalg.solve_continuous_lyapunov
        scipy.linalg.solve_discrete_are scipy.linalg.solve_discrete_lyapunov scipy.linalg.solve_sylvester
        scipy.linalg.solve_toeplitz scipy.linalg.solve_triangular scipy.linalg.solveh_banded scipy.linalg.sqrtm
        scipy.linalg.svd scipy.linalg.svdvals scipy.linalg.tanhm scipy.linalg.tanm scipy.optimize.nnls
        scipy.signal.convolve scipy.signal.correlate scipy.signal.hilbert scipy.signal.lfilter
        scipy.signal.savgol_coeffs scipy.signal.sosfilt scipy.spatial.distance.braycurtis
        scipy.spatial.distance.canberra scipy.spatial.distance.cdist scipy.spatial.distance.chebyshev
        scipy.spatial.distance.cityblock scipy.spatial.distance.correlation scipy.spatial.distance.cosine
        scipy.spatial.distance.euclidean scipy.spatial.distance.jensenshannon scipy.spatial.distance.mahalanobis
        scipy.spatial.distance.minkowski scipy.spatial.distance.pdist scipy.spatial.distance.seuclidean
        scipy.spatial.distance.sqeuclidean scipy.special.airy scipy.special.ellipj scipy.special.fresnel
        scipy.special.log_softmax scipy.special.logsumexp scipy.special.multigammaln scipy.special.shichi
        scipy.special.sici scipy.special.softmax scipy.stats.t.mean statistics.fmean statistics.mean statistics.pstdev
        statistics.pvariance statistics.stdev statistics.variance
    """,
    # the rule's own definition, of numbers of mpmath (that it is the function, its value says)
    "definition": """
        scipy.integrate.cumulative_simpson scipy.integrate.cumulative_trapezoid scipy.integrate.romb
        scipy.linalg.block_diag scipy.linalg.cho_factor scipy.linalg.circulant scipy.linalg.companion
        scipy.linalg.convolution_matrix scipy.linalg.expm_frechet scipy.linalg.fiedler scipy.linalg.hankel
        scipy.linalg.khatri_rao scipy.linalg.leslie scipy.linalg.lu_solve scipy.linalg.orth scipy.linalg.pinvh
        scipy.linalg.qr_multiply scipy.linalg.rq scipy.linalg.toeplitz scipy.signal.chirp scipy.signal.freqs
        scipy.signal.freqz scipy.signal.freqz_sos scipy.signal.group_delay scipy.signal.lfilter_zi
        scipy.signal.sosfilt_zi scipy.signal.sosfreqz scipy.signal.wiener scipy.signal.windows.exponential
        scipy.signal.windows.gaussian scipy.signal.windows.general_cosine scipy.signal.windows.general_gaussian
        scipy.signal.windows.general_hamming scipy.signal.windows.kaiser scipy.signal.windows.tukey
        scipy.signal.zpk2tf scipy.stats.beta.entropy scipy.stats.beta.mean scipy.stats.beta.std scipy.stats.beta.var
        scipy.stats.binom.mean scipy.stats.binom.std scipy.stats.binom.var scipy.stats.boxcox scipy.stats.boxcox_llf
        scipy.stats.cauchy.entropy scipy.stats.chi2.entropy scipy.stats.chi2.mean scipy.stats.chi2.std
        scipy.stats.chi2.var scipy.stats.circmean scipy.stats.circstd scipy.stats.circvar
        scipy.stats.dirichlet.entropy scipy.stats.dirichlet.logpdf scipy.stats.dirichlet.mean
        scipy.stats.dirichlet.pdf scipy.stats.dirichlet.var scipy.stats.entropy scipy.stats.expon.entropy
        scipy.stats.expon.mean scipy.stats.expon.std scipy.stats.expon.var scipy.stats.gamma.entropy
        scipy.stats.gamma.mean scipy.stats.gamma.std scipy.stats.gamma.var scipy.stats.gmean scipy.stats.gstd
        scipy.stats.gzscore scipy.stats.hmean scipy.stats.iqr scipy.stats.kurtosis scipy.stats.laplace.entropy
        scipy.stats.laplace.mean scipy.stats.laplace.std scipy.stats.laplace.var scipy.stats.linregress
        scipy.stats.logistic.entropy scipy.stats.logistic.mean scipy.stats.logistic.std scipy.stats.logistic.var
        scipy.stats.lognorm.entropy scipy.stats.lognorm.mean scipy.stats.lognorm.std scipy.stats.lognorm.var
        scipy.stats.moment scipy.stats.multivariate_normal.entropy scipy.stats.multivariate_normal.logpdf
        scipy.stats.multivariate_normal.pdf scipy.stats.nbinom.mean scipy.stats.nbinom.std scipy.stats.nbinom.var
        scipy.stats.norm.entropy scipy.stats.norm.mean scipy.stats.norm.std scipy.stats.norm.var
        scipy.stats.pareto.entropy scipy.stats.pareto.mean scipy.stats.pareto.std scipy.stats.pareto.var
        scipy.stats.pearsonr scipy.stats.pmean scipy.stats.poisson.mean scipy.stats.poisson.std
        scipy.stats.poisson.var scipy.stats.sem scipy.stats.skew scipy.stats.t.entropy scipy.stats.t.std
        scipy.stats.t.var scipy.stats.tmean scipy.stats.trim_mean scipy.stats.tstd scipy.stats.tvar
        scipy.stats.uniform.entropy scipy.stats.uniform.mean scipy.stats.uniform.std scipy.stats.uniform.var
        scipy.stats.variation scipy.stats.weibull_min.entropy scipy.stats.weibull_min.mean scipy.stats.weibull_min.std
        scipy.stats.weibull_min.var scipy.stats.yeojohnson scipy.stats.zmap scipy.stats.zscore
    """,
    # linear in each argument, or linear in pieces: differences of NumPy's widest floats, of any step
    "pieces": """
        s2sad.runtime.helpers.quantile_back s2sad.runtime.helpers.quantile_tangent
        s2sad.runtime.helpers.quantiles_tangent s2sad.runtime.helpers.unique_tangent scipy.fft.dct scipy.fft.dctn
        scipy.fft.dst scipy.fft.dstn scipy.fft.fht scipy.fft.idct scipy.fft.idctn scipy.fft.idst scipy.fft.idstn
        scipy.fft.ifht scipy.ndimage.black_tophat scipy.ndimage.convolve scipy.ndimage.convolve1d
        scipy.ndimage.correlate scipy.ndimage.correlate1d scipy.ndimage.fourier_ellipsoid
        scipy.ndimage.fourier_gaussian scipy.ndimage.fourier_uniform scipy.ndimage.gaussian_filter
        scipy.ndimage.gaussian_filter1d scipy.ndimage.gaussian_laplace scipy.ndimage.grey_closing
        scipy.ndimage.grey_dilation scipy.ndimage.grey_erosion scipy.ndimage.grey_opening scipy.ndimage.laplace
        scipy.ndimage.maximum_filter scipy.ndimage.maximum_filter1d scipy.ndimage.median_filter
        scipy.ndimage.minimum_filter scipy.ndimage.minimum_filter1d scipy.ndimage.morphological_gradient
        scipy.ndimage.morphological_laplace scipy.ndimage.percentile_filter scipy.ndimage.prewitt
        scipy.ndimage.rank_filter scipy.ndimage.sobel scipy.ndimage.spline_filter1d scipy.ndimage.uniform_filter
        scipy.ndimage.uniform_filter1d scipy.ndimage.white_tophat scipy.signal.convolve2d scipy.signal.correlate2d
        scipy.signal.decimate scipy.signal.detrend scipy.signal.fftconvolve scipy.signal.istft scipy.signal.medfilt
        scipy.signal.medfilt2d scipy.signal.oaconvolve scipy.signal.resample scipy.signal.resample_poly
        scipy.signal.sosfiltfilt scipy.signal.stft scipy.signal.upfirdn scipy.spatial.distance.squareform
        scipy.stats.median_abs_deviation
    """,
    # computed in double precision alone: Richardson's differences of those
    "smooth": """
        scipy.ndimage.affine_transform scipy.ndimage.center_of_mass scipy.ndimage.fourier_shift
        scipy.ndimage.gaussian_gradient_magnitude scipy.ndimage.map_coordinates scipy.ndimage.rotate
        scipy.ndimage.shift scipy.ndimage.zoom scipy.signal.coherence scipy.signal.csd scipy.signal.filtfilt
        scipy.signal.periodogram scipy.signal.savgol_filter scipy.signal.spectrogram scipy.signal.welch
    """,
}

#: the reference of each rule, by name
WAYS = {name: way for way, names in TABLE.items() for name in names.split()}
