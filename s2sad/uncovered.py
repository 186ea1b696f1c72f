"""Public functions of NumPy, SciPy and Python's numeric modules that have no derivative, by the reason.

A reason starts with "no derivative" (integers, indices, yes or no, what is fixed by integers), "not numeric" (types,
texts, settings) or "not yet". What is listed nowhere, and has no rule, is "not yet". Names that only some versions of
a module have are listed too.
"""

from __future__ import annotations

REASONS: dict[str, dict[str, str]] = {
    "numpy": {
        "not numeric: types": """
            bool bool_ bool8 byte bytes_ bytes0 cdouble cfloat character chararray clongdouble clongfloat complex128
            complex192 complex256 complex64 complex_ complexfloating csingle datetime64 double dtype dtypes flexible
            float128 float16 float32 float64 float96 float_ floating generic half inexact int0 int16 int32 int64 int8
            int_ intc integer intp long longcomplex longdouble longfloat longlong matrix memmap ndarray number object0
            object_ recarray record short signedinteger single singlecomplex str0 str_ string_ timedelta64 ubyte uint
            uint0 uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unicode_ unsignedinteger ushort void void0
            ufunc errstate printoptions finfo iinfo busdaycalendar flatiter ndenumerate ndindex nditer nested_iters
            broadcast DataSource RankWarning VisibleDeprecationWarning ComplexWarning AxisError TooHardError
            ModuleDeprecationWarning""",
        "not numeric: text and files": """
            array2string array_repr array_str base_repr binary_repr datetime_as_string format_float_positional
            format_float_scientific frombuffer fromfile fromregex fromstring genfromtxt load loadtxt save savetxt savez
            savez_compressed recfromcsv recfromtxt from_dlpack disp""",
        "not numeric: questions about types, shapes and memory": """
            broadcast_shapes can_cast common_type cast datetime_data einsum_path find_common_type isdtype isfortran
            isnat issctype issubclass_ issubsctype iterable may_share_memory maximum_sctype min_scalar_type mintypecode
            obj2sctype promote_types sctype2char shares_memory typename byte_bounds format_parser""",
        "not numeric: settings and information": """
            get_include get_printoptions getbufsize geterr geterrcall geterrobj info set_numeric_ops set_printoptions
            set_string_function setbufsize seterr seterrcall seterrobj show_config show_runtime test who lookfor source
            deprecate deprecate_with_doc add_docstring add_newdoc add_newdoc_ufunc tracemalloc_domain safe_eval
            compare_chararrays get_array_wrap""",
        "not numeric: makes functions of objects": "frompyfunc",
        "not numeric: makes np.matrix": "asmatrix bmat mat",
        "no derivative: integers, dates and bits": """
            bitwise_count busday_count busday_offset is_busday packbits unpackbits""",
        "not numeric: other names, gone from newer versions": """
            asfarray alltrue sometrue product cumproduct msort round_ in1d row_stack fastCopyAndTranspose asscalar
            rank""",
    },
    "numpy.linalg": {"not numeric: types": "LinAlgError", "not numeric: settings and information": "test"},
    "numpy.fft": {"not numeric: settings and information": "test"},
    "numpy.random.Generator": {
        "no derivative: draws with no argument that could vary": """
            bytes integers random standard_cauchy standard_exponential standard_normal permutation permuted shuffle
            choice spawn bit_generator hypergeometric multivariate_hypergeometric multinomial logseries zipf""",
        "no derivative: drawn by rejection in their shape parameters": """
            beta chisquare dirichlet f noncentral_chisquare noncentral_f standard_gamma standard_t wald""",
    },
    "numpy.ndarray": {
        "not numeric: questions about types, shapes and memory": """
            base ctypes data device dtype flags itemsize nbytes strides""",
        "not numeric: text and files": "dump dumps tobytes tofile tostring",
        "not numeric: another meaning of the same memory": """
            byteswap getfield setfield setflags view newbyteorder to_device""",
        "no derivative: it changes the shape of the array itself (np.resize makes another)": "resize",
        "not numeric: gone from newer versions": "itemset",
        "no derivative: an index": "argpartition",
    },
    "statistics": {
        "not numeric: types": """
            Counter Decimal Fraction LinearRegression StatisticsError defaultdict namedtuple groupby""",
        "not numeric: what the module imports": """
            attrgetter bisect_left bisect_right count hypot itemgetter mul random repeat reduce seed sub add truediv
            sqrt sumprod exp log fabs tau erf erfc fsum acos asin atan cos cosh sin sinh tan tanh isfinite isinf pi
            ceil floor acosh asinh cbrt swap cdf invcdf""",
        "no derivative: a choice by equality": "mode multimode",
    },
    "scipy.special": {
        "not numeric: settings and warnings": "geterr seterr errstate SpecialFunctionWarning SpecialFunctionError test",
        "no derivative: rounded": "round",
        "no derivative: of integers alone": """
            ai_zeros bei_zeros beip_zeros ber_zeros bernoulli berp_zeros bi_zeros erf_zeros euler factorial factorial2
            factorialk fresnel_zeros fresnelc_zeros fresnels_zeros jnjnp_zeros kei_zeros keip_zeros kelvin_zeros
            ker_zeros kerp_zeros jn_zeros jnp_zeros yn_zeros ynp_zeros jnyn_zeros stirling2 y0_zeros y1_zeros y1p_zeros
            legendre chebyt chebyu chebyc chebys laguerre hermite hermitenorm sh_legendre sh_chebyt sh_chebyu
            roots_legendre roots_chebyt roots_chebyu roots_chebyc roots_chebys roots_laguerre roots_hermite
            roots_hermitenorm roots_sh_legendre roots_sh_chebyt roots_sh_chebyu p_roots t_roots u_roots c_roots s_roots
            l_roots h_roots he_roots ps_roots ts_roots us_roots""",
    },
    "scipy.linalg": {
        "not numeric: types, and functions of BLAS and LAPACK by name": """
            LinAlgError LinAlgWarning find_best_blas_type get_blas_funcs get_lapack_funcs test""",
        "no derivative: yes or no, or a count": "ishermitian issymmetric bandwidth",
        "no derivative: of integers alone": "hadamard helmert hilbert invhilbert invpascal pascal dft",
    },
    "scipy.stats": {
        "not numeric: types and warnings": """
            BootstrapMethod CensoredData ConstantInputWarning DegenerateDataWarning FitError MonteCarloMethod
            NearConstantInputWarning PermutationMethod rv_continuous rv_discrete rv_histogram Covariance test""",
        "not numeric: plots": "boxcox_normplot ppcc_plot probplot yeojohnson_normplot",
        "no derivative: ranks, counts and choices": """
            rankdata percentileofscore cumfreq relfreq mode find_repeats tiecorrect""",
        "no derivative: draws": """
            random_correlation random_table ortho_group special_ortho_group unitary_group uniform_direction""",
    },
    "scipy.fft": {
        "not numeric: settings": """
            set_backend skip_backend set_global_backend register_backend get_workers set_workers test""",
    },
    "scipy.integrate": {
        "not numeric: warnings": "IntegrationWarning ODEintWarning AccuracyWarning test",
        "no derivative: of integers alone": "newton_cotes lebedev_rule",
    },
    "scipy.optimize": {
        "not numeric: types, warnings and information": """
            Bounds HessianUpdateStrategy LinearConstraint NoConvergence NonlinearConstraint OptimizeResult
            OptimizeWarning RootResults linprog_verbose_callback show_options test""",
        "no derivative: permutations and integers": "linear_sum_assignment quadratic_assignment milp",
    },
    "scipy.signal": {
        "not numeric: warnings and choices of method": "BadCoefficients choose_conv_method test",
        "no derivative: yes or no, orders and indices": """
            check_COLA check_NOLA find_peaks_cwt buttord cheb1ord cheb2ord ellipord""",
    },
    "scipy.signal.windows": {},
    "scipy.ndimage": {"not numeric: settings and information": "test"},
    "scipy.spatial": {
        "not numeric: types, errors and plots": """
            QhullError Rectangle convex_hull_plot_2d delaunay_plot_2d voronoi_plot_2d test""",
        "no derivative: indices": "ConvexHull Delaunay HalfspaceIntersection tsearch",
    },
    "scipy.spatial.distance": {},
    "scipy.interpolate": {"not numeric: settings and information": "test"},
    "scipy.sparse": {
        "not numeric: types, files, and questions about them": """
            SparseEfficiencyWarning SparseWarning get_index_dtype issparse isspmatrix isspmatrix_bsr isspmatrix_coo
            isspmatrix_csc isspmatrix_csr isspmatrix_dia isspmatrix_dok isspmatrix_lil load_npz save_npz
            safely_cast_index_arrays sparray spmatrix test""",
        "no derivative: draws and constants": "rand random random_array eye eye_array identity",
    },
    "scipy.sparse.linalg": {
        "not numeric: types, warnings and settings": """
            ArpackError ArpackNoConvergence MatrixRankWarning use_solver test""",
        "no derivative: yes or no, or a count": "is_sptriangular spbandwidth",
    },
    "scipy.sparse.csgraph": {
        "not numeric: errors": "NegativeCycleError test",
        "no derivative: indices and counts": """
            connected_components breadth_first_order depth_first_order breadth_first_tree depth_first_tree
            reverse_cuthill_mckee maximum_flow maximum_bipartite_matching min_weight_full_bipartite_matching
            structural_rank reconstruct_path""",
    },
    "scipy.cluster.vq": {
        "not numeric: errors": "ClusterError",
        "no derivative: indices": "vq",
    },
}

#: what is followed when a program is lowered, without a rule of its own
FOLLOWED = {
    "numpy.ndarray": "fill flat partition put sort",
    "operator": "attrgetter delitem itemgetter methodcaller",
}

#: what to write in place of functions that are asked for now and then, and have no rule
INSTEAD: dict[str, str] = {
    "pandas": "compute with plain arrays: what has labels carries no derivative",
    "xarray": "compute with plain arrays: what has labels carries no derivative",
    "scipy.linalg.schur": "take np.linalg.eigvals for the eigenvalues, and eigh where the matrix is symmetric",
    "scipy.linalg.qz": "take scipy.linalg.eigh(a, b), or the eigenvalues of np.linalg.solve(b, a)",
    "scipy.linalg.ordqz": "take scipy.linalg.eigh(a, b), or the eigenvalues of np.linalg.solve(b, a)",
    "scipy.linalg.hessenberg": "leave it out: np.linalg.eigvals, scipy.linalg.expm and solve take the matrix as it is",
    "scipy.linalg.ldl": "take np.linalg.cholesky where the matrix is positive definite, np.linalg.slogdet for its"
    " determinant, np.linalg.solve for systems",
    "scipy.linalg.null_space": "its basis is arbitrary: take the projector np.eye(n) - np.linalg.pinv(a) @ a",
    "scipy.linalg.cossin": "take np.linalg.svd of the blocks",
    "scipy.linalg.matrix_balance": "leave it out: np.linalg.eig balances as well",
    "scipy.linalg.funm": "take scipy.linalg.expm, logm, sqrtm, cosm, sinm, or fractional_matrix_power",
    "scipy.spatial.transform.Rotation": "write the matrix of the rotation out, or take scipy.linalg.expm of a skew"
    " matrix",
    "scipy.spatial.transform.Slerp": "write it out: scipy.linalg.expm(t * scipy.linalg.logm(r))",
    "scipy.spatial.KDTree": "find the neighbours apart from it, and compute their distances with an index",
    "scipy.spatial.cKDTree": "find the neighbours apart from it, and compute their distances with an index",
    "scipy.optimize.Bounds": "give them as they are: bounds=[(low, high), ...] to minimize, (low, high) to others",
    "scipy.integrate.solve_bvp": "take scipy.optimize.root of the equations at the points of a grid",
    "scipy.integrate.ode": "take scipy.integrate.solve_ivp",
    "scipy.integrate.complex_ode": "take scipy.integrate.solve_ivp of the real and the imaginary part",
    "scipy.interpolate.UnivariateSpline": "take make_interp_spline, or CubicSpline",
    "scipy.interpolate.InterpolatedUnivariateSpline": "take make_interp_spline, or CubicSpline",
    "scipy.interpolate.RectBivariateSpline": "take RegularGridInterpolator, or make_interp_spline along each axis",
    "scipy.interpolate.splrep": "take make_interp_spline",
    "scipy.interpolate.Rbf": "take RBFInterpolator",
    "scipy.sparse.csr_matrix": "take csr_array (its * is element by element: write @ for products)",
    "scipy.sparse.csc_matrix": "take csc_array (its * is element by element: write @ for products)",
    "scipy.sparse.coo_matrix": "take coo_array (its * is element by element: write @ for products)",
    "scipy.sparse.diags": "take coo_array((values, (rows, columns))), or np.diag",
    "scipy.sparse.diags_array": "take coo_array((values, (rows, columns))), or np.diag",
    "scipy.sparse.linalg.splu": "take scipy.sparse.linalg.spsolve",
    "scipy.sparse.linalg.factorized": "take scipy.sparse.linalg.spsolve",
    "scipy.sparse.linalg.cg": "take scipy.sparse.linalg.spsolve, or np.linalg.solve",
    "scipy.sparse.linalg.gmres": "take scipy.sparse.linalg.spsolve, or np.linalg.solve",
    "scipy.sparse.linalg.eigsh": "take np.linalg.eigvalsh of the dense matrix",
    "scipy.sparse.linalg.svds": "take np.linalg.svdvals of the dense matrix",
}


def reason_of(name: str) -> str:
    """Why a function that is called so has no derivative, in words; "" where nothing is said of it.

    >>> reason_of("np.savetxt"), reason_of("np.sin")
    ('text and files', '')
    """
    module, _, own = name.replace("np.", "numpy.", 1).rpartition(".")
    for reason, names in REASONS.get(module, {}).items():
        if own in names.split():
            return reason.partition(": ")[2]
    return ""
