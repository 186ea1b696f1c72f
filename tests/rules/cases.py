"""The calls on which each rule is tested, by the name of its function."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.versions import since

_rng = np.random.default_rng(7)


def a(*shape: int, low: float = 0.2, high: float = 0.9) -> Any:
    """Distinct numbers in an interval; signs too where it holds 0."""
    values = np.linspace(low, high, int(np.prod(shape)) if shape else 1)
    values = _rng.permutation(values)
    return values.reshape(shape) if shape else float(values[0] if low != 0.2 else _rng.uniform(low, high))


def s(*shape: int) -> Any:
    """Distinct numbers with signs, none near 0."""
    values = _rng.uniform(0.25, 1.9, shape)
    signs = _rng.choice([-1.0, 1.0], np.shape(values))
    return values * signs if shape else float(values * signs)


def c(*shape: int) -> Any:
    """Complex numbers."""
    return s(*shape) + 1j * a(*shape)


def spd(n: int, *batch: int) -> Any:
    """Symmetric positive definite matrices."""
    m = _rng.normal(size=(*batch, n, n))
    return m @ np.swapaxes(m, -1, -2) + n * np.eye(n)


class Case:
    """A call: positional and keyword arguments, and options of the check."""

    def __init__(self, *args: Any, _: dict[str, Any] | None = None, **kwargs: Any) -> None:
        self.args, self.kwargs, self.options = args, kwargs, _ or {}

    def __repr__(self) -> str:
        return f"K(*{self.args}, **{self.kwargs})"


K = Case
CASES: dict[str, list[Case]] = {}


def on(*names: str) -> Any:
    """Set the cases of functions: on("np.sum", ...)[K(...), ...]."""

    class Setter:
        def __getitem__(self, cases: Any) -> None:
            for name in names:
                CASES.setdefault(name, []).extend(cases if isinstance(cases, tuple) else (cases,))

    return Setter()


# -- elementwise: made from the rule's number of arguments ---------------------------------------------------------------

#: where a function is defined, and smooth
DOMAIN: dict[str, tuple[float, float]] = {
    "np.arccosh": (1.2, 2.5), "math.acosh": (1.2, 2.5), "np.cbrt": (-2.0, -0.5),
}  # fmt: skip

QUOTIENT = ("operator.mod", "np.remainder", "np.fmod", "divmod", "np.divmod", "math.fmod")

EXTREMA = ("np.maximum", "np.minimum", "np.fmax", "np.fmin")


def unary(name: str) -> list[Case]:
    low, high = DOMAIN.get(name, (0.2, 0.9))
    first = [K(a(low=low, high=high))]
    if name.startswith("cmath."):
        return [K(complex(0.4, 0.3)), K(complex(1.4, -0.3)), K(complex(-1.4, 0.3)), K(complex(-1.4, -0.3))]
    if name.startswith("math."):
        return first
    cases = [
        *first,
        *(K(a(*shape, low=low, high=high)) for shape in [(3,), (2, 3), (2, 1, 3), (1,), (0,)]),
        K(np.array(0.5 * (low + high))),
    ]
    function = getattr(np, name.removeprefix("np."), None)
    if isinstance(function, np.ufunc) and "D->D" in function.types:
        cases += [K(c(3)), K(-c(3)), K(np.conj(c(2, 2)))]
    return cases


def binary(name: str) -> list[Case]:
    if name.startswith("math."):
        return [K(1.3, 0.7), K(0.4, 2.2)]
    shapes = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (2, 3)),
        ((2, 1), (1, 3)),
        ((2, 3), (2, 1)),
        ((1, 3), (2, 3)),
        ((2, 3, 2), (3, 1)),
        ((1,), (3,)),
        ((1, 1), (2, 3)),
        ((4, 2, 3), (2, 1)),
        ((2, 1, 3), (4, 1)),
        ((0, 3), (3,)),
    ]
    if name in QUOTIENT:  # quotients between 2 and 3: no jumps
        cases = [K(a(*p, low=2.6, high=2.9), a(*q, low=1.0, high=1.2)) for p, q in shapes]
        return [K(2.7, 1.1), K(a(3, low=2.6, high=2.9), 1.1), K(2.7, a(2, 3, low=1.0, high=1.2)), *cases]
    if name in EXTREMA:  # no ties, nor near
        cases = [K(np.round(a(*p), 1), np.round(a(*q), 1) + 0.05) for p, q in shapes]
        return [K(0.7, 0.4), K(np.round(a(3), 1), 0.55), K(0.55, np.round(a(2, 3), 1)), *cases]
    cases = [K(a(*p), 0.1 + a(*q)) for p, q in shapes]
    return [K(0.7, 0.4), K(a(3), 1.5), K(0.5, a(2, 3)), *cases]


on("np.nan_to_num")[
    K(a(2, 3)),
    K(a(3)),
    K(0.4),
]
on("np.where")[
    K(np.array([True, False, True]), a(3), a(3)),
    K(np.array([[True], [False]]), a(3), a(2, 1)),
    K(np.array([True, False]), 0.5, a(2)),
    K(np.array([[True, False]]), a(2), 2.0),
    K(True, 0.5, 0.7),
]
_reduction = [
    K(a(3)),
    K(a(2, 3)),
    K(a(2, 3), axis=0),
    K(a(2, 3), axis=1),
    K(a(2, 3), axis=-1, keepdims=True),
    K(a(2, 3), keepdims=True),
    K(a(2, 3, 4), axis=1),
    K(a(2, 3, 4), axis=(0, 2)),
    K(a(2, 3, 4), axis=(-1, 0), keepdims=True),
    K(a(2, 3, 4), axis=(0, 1)),
    K(a(2, 3), 1),
    K(a(1, 3), axis=0),
]
on("np.sum", "np.mean")[(*_reduction, K(np.array(0.5)), K(a(0, 3), axis=1, _={"empty": True}))]
on("operator.matmul", "np.matmul", "operator.imatmul")[
    K(a(3), a(3)),
    K(a(2, 3), a(3)),
    K(a(2), a(2, 3)),
    K(a(2, 3), a(3, 4)),
    K(a(5, 2, 3), a(3)),
    K(a(2), a(4, 2, 3)),
    K(a(5, 2, 3), a(3, 4)),
    K(a(2, 3), a(5, 3, 4)),
    K(a(5, 2, 3), a(5, 3, 4)),
    K(a(1, 2, 3), a(5, 3, 4)),
    K(a(6, 1, 2, 3), a(5, 3, 4)),
    K(c(2, 3), c(3, 2)),
]


# -- products ------------------------------------------------------------------------------------------------------------

on("np.dot")[
    K(a(3), a(3)),
    K(a(2, 3), a(3)),
    K(a(2), a(2, 3)),
    K(a(2, 3), a(3, 4)),
    K(a(5, 2, 3), a(3)),
    K(a(2), a(4, 2, 3)),
    K(a(5, 2, 3), a(3, 4)),
    K(a(2, 3), a(5, 3, 4)),
    K(a(5, 2, 3), a(6, 3, 4)),
    K(2.0, a(2, 3)),
    K(a(2, 3), 2.0),
    K(2.0, 3.0),
]
on("np.inner")[
    tuple(
        K(*x, _={"known_only": True})
        for x in [
            (a(3), a(3)),
            (a(2, 3), a(3)),
            (a(3), a(2, 3)),
            (a(2, 3), a(4, 3)),
            (a(5, 2, 3), a(4, 3)),
            (2.0, a(3)),
        ]
    )
]
on("np.vdot")[K(a(3), a(3)), K(a(2, 3), a(2, 3)), K(c(3), c(3)), K(c(3), a(3))]
on("np.outer")[K(a(3), a(4)), K(a(2, 3), a(4)), K(a(3), a(2, 2)), K(2.0, a(3))]
on("np.tensordot")[
    tuple(
        K(*x[:2], **x[2], _={"known_only": True})
        for x in [
            (a(2, 3), a(3, 4), {"axes": 1}),
            (a(2, 3, 4), a(3, 4, 5), {}),
            (a(2, 3, 4), a(4, 3, 5), {"axes": ((1, 2), (1, 0))}),
            (a(2, 3), a(2, 3), {}),
            (a(2), a(3), {"axes": 0}),
            (a(2, 3, 4), a(5, 4, 2), {"axes": ([0, -1], [2, 1])}),
            (a(2, 3), a(3, 2), {"axes": ((0, 1), (1, 0))}),
            (a(2, 3), a(4, 3), {"axes": (1, 1)}),
        ]
    )
]
on("np.kron")[K(a(2, 3), a(3, 2)), K(a(3), a(2)), K(a(2), a(2, 3)), K(a(2, 2, 2), a(3, 2)), K(a(2, 3), a(2))]
on("np.cross")[
    tuple(
        K(*x[:2], **(x[2] if len(x) > 2 else {}), _={"known_only": True})
        for x in [
            (a(3), a(3)),
            (a(2, 3), a(3)),
            (a(3), a(4, 3)),
            (a(2, 3), a(2, 3)),
            (a(3, 2), a(3, 2), {"axis": 0}),
            (a(3, 2), a(2, 3), {"axisa": 0}),
            (a(2, 3), a(3), {"axisa": 1}),
            (a(1, 3), a(4, 3)),
        ]
    )
]
on("np.einsum")[
    tuple(
        K(*x, _={"known_only": True})
        for x in [
            ("ij,jk->ik", a(2, 3), a(3, 4)),
            ("ij,jk", a(2, 3), a(3, 4)),
            ("i,i", a(3), a(3)),
            ("i,i->", a(3), a(3)),
            ("ii", a(3, 3)),
            ("ii->i", a(3, 3)),
            ("ij->", a(2, 3)),
            ("ij->j", a(2, 3)),
            ("ij->ji", a(2, 3)),
            ("...ij,...jk->...ik", a(5, 2, 3), a(5, 3, 4)),
            ("...ij,...jk->...ik", a(2, 3), a(5, 3, 4)),
            ("...i,...i", a(5, 3), a(3)),
            ("i...->...", a(3, 2)),
            ("i,j,k->ijk", a(2), a(3), a(4)),
            ("ijk,k,j->i", a(2, 3, 4), a(4), a(3)),
            ("iij,j->i", a(3, 3, 2), a(2)),
            ("b i, i j -> b j", a(4, 2), a(2, 3)),
            ("ij,kl->ik", a(2, 3), a(4, 5)),
            ("i,->i", a(3), 2.0),
            ("ij,ij->ij", a(2, 3), a(1, 3)),
            ("bij,bij->b", a(2, 3, 4), a(2, 3, 4)),
            ("i,i->i", a(3), a(3)),
            ("ij,jk->ik", c(2, 3), c(3, 2)),
        ]
    )
]
on("np.trace")[
    K(a(3, 3)),
    K(a(2, 3)),
    K(a(3, 3), offset=1),
    K(a(2, 3, 4)),
    K(a(2, 3, 4), axis1=1, axis2=2),
    K(a(2, 3, 4), offset=-1, axis1=0, axis2=2),
]
on("np.diag")[K(a(3)), K(a(3, 3)), K(a(3), k=1), K(a(3, 3), k=-1), K(a(2, 3)), K(a(2, 4), k=1)]
on("np.diagflat")[K(a(3)), K(a(2, 2)), K(a(2), k=1)]
on("np.diagonal")[
    K(a(3, 3)), K(a(2, 3)), K(a(3, 3), offset=1), K(a(2, 3, 4)), K(a(2, 3, 4), offset=-1, axis1=2, axis2=0)
]
on("np.tril", "np.triu")[K(a(3, 3)), K(a(2, 3), k=1), K(a(2, 3, 3), k=-1), K(a(3), _={"known_only": True})]
on("np.convolve", "np.correlate")[
    K(a(5), a(3)),
    K(a(3), a(5)),
    K(a(5), a(3), "same"),
    K(a(5), a(2), "same"),
    K(a(3), a(6), "same"),
    K(a(6), a(3), mode="same"),
    K(a(5), a(3), "valid"),
    K(a(5), a(3), "full"),
    K(a(2), a(5), "valid"),
    K(a(2), a(5), "full"),
    K(a(3), a(5), "same"),
    K(a(4), a(4), "same"),
]
on("np.vecdot")[K(a(3), a(3)), K(a(2, 3), a(3)), K(a(2, 1, 3), a(4, 3)), K(c(2, 3), c(3))]

# -- reductions ----------------------------------------------------------------------------------------------------------

_nan = a(2, 3)
_nan[0, 1] = np.nan
_zero = a(2, 3)
_zero[0, 1] = _zero[1, 1] = 0.0
on("np.max", "np.min", "np.amax", "np.amin", "np.prod", "np.var", "np.std", "np.ptp")[tuple(_reduction)]
on("np.prod")[K(_zero), K(_zero, axis=0), K(_zero, axis=1), K(np.array([0.0, 0.0, 1.0]))]
on("np.var", "np.std")[K(a(4), ddof=1), K(a(2, 3), axis=1, ddof=1, keepdims=True)]
on("np.nansum", "np.nanmean", "np.nanvar", "np.nanstd", "np.nanprod", "np.nanmax", "np.nanmin")[
    K(a(3)), K(a(2, 3), axis=1), K(_nan, _={"nan": True}), K(_nan, axis=0, _={"nan": True})
]
on("np.average")[
    tuple(
        K(*x[:1], **x[1], _={"known_only": True})
        for x in [
            (a(3), {}),
            (a(2, 3), {"axis": 1}),
            (a(3), {"weights": a(3)}),
            (a(2, 3), {"weights": a(3), "axis": 1}),
            (a(2, 3), {"weights": a(2), "axis": 0}),
            (a(2, 3), {"weights": a(2, 3)}),
            (a(2, 3), {"weights": a(2, 3), "axis": 1, "keepdims": True}),
        ]
    )
]
on("np.cumsum", "np.nancumsum", "np.cumprod")[
    K(a(4)), K(a(2, 3)), K(a(2, 3), axis=0), K(a(2, 3), axis=-1), K(a(2, 3, 2), 1)
]
on("np.cumprod")[K(_zero), K(_zero, axis=1)]
on("np.cumulative_sum", "np.cumulative_prod")[K(a(4)), K(a(2, 3), axis=0)]
on("np.diff")[K(a(5)), K(a(5), 2), K(a(2, 4)), K(a(4, 2), axis=0), K(a(4, 3), n=2, axis=0)]
on("np.ediff1d")[K(a(5)), K(a(2, 3))]
on("np.trapezoid")[
    K(a(5)),
    K(a(2, 4)),
    K(a(4, 2), dx=0.5, axis=0),
    K(a(4), np.array([0.0, 0.3, 0.9, 1.1])),
    K(a(4, 2), np.array([0.0, 0.3, 0.9, 1.1]), axis=0),
    K(a(2, 4), np.sort(a(2, 4))),
]
on("np.sort")[K(a(5)), K(a(2, 3)), K(a(3, 2), axis=0), K(a(2, 3), axis=None)]
on("np.median")[K(a(5)), K(a(4)), K(a(2, 3)), K(a(2, 4), axis=1), K(a(2, 4, 3), axis=(0, 2), keepdims=True)]
on("np.quantile")[
    K(a(5), q=0.3, _={"inactive": ("q",)}),
    K(a(2, 4), q=np.array([0.25, 0.6]), axis=1, _={"inactive": ("q",)}),
    K(a(2, 4), q=1.0, keepdims=True, _={"inactive": ("q",)}),
]
on("np.percentile")[
    K(a(5), q=30, _={"inactive": ("q",)}), K(a(2, 4), q=np.array([25.0, 60.0]), axis=1, _={"inactive": ("q",)})
]


# -- shapes --------------------------------------------------------------------------------------------------------------


def known(*cases: Case) -> tuple[Case, ...]:
    """Cases whose ranks must be known."""
    for case in cases:
        case.options["known_only"] = True
    return cases


on("np.broadcast_to")[K(a(3), (2, 3)), K(a(2, 1), (2, 3)), K(2.0, (2, 3)), K(a(1, 3), shape=(4, 2, 3))]
on("np.reshape")[
    K(a(2, 3), (3, 2)), K(a(6), (2, 3)), K(a(2, 3), -1), K(a(2, 3), (6,), order="F"), K(np.array(0.4), (1, 1))
]
on("np.ndarray.reshape")[K(a(2, 3), 3, 2), K(a(6), (2, 3)), K(a(2, 3), -1), K(a(2, 3), 6, order="F")]
on("np.ravel", "np.ndarray.flatten")[K(a(2, 3)), K(a(3)), K(a(2, 3), order="F"), K(np.array(0.3))]
on("np.squeeze")[K(a(2, 1, 3)), K(a(1, 3), axis=0)]
on("np.expand_dims")[K(a(3), 0), K(a(2, 3), axis=-1), K(a(2, 3), (0, 2)), K(0.5, 0)]
on("np.transpose")[K(a(2, 3)), K(a(2, 3, 4)), K(a(2, 3, 4), (1, 2, 0)), K(a(3)), K(a(2, 3, 4), axes=(-1, 0, 1))]
on("np.ndarray.transpose")[K(a(2, 3)), K(a(2, 3, 4), 1, 2, 0), K(a(2, 3, 4), (1, 2, 0))]
on("np.swapaxes")[K(a(2, 3), 0, 1), K(a(2, 3, 4), 0, -1)]
on("np.moveaxis")[K(a(2, 3, 4), 0, -1), K(a(2, 3, 4), (0, 1), (1, 2))]
on("np.rollaxis")[known(K(a(2, 3, 4), 2), K(a(2, 3, 4), 0, 3), K(a(2, 3, 4), 1, 0))]
on("np.flip")[K(a(3)), K(a(2, 3)), K(a(2, 3), 1), K(a(2, 3, 2), axis=(0, 2))]
on("np.flipud")[K(a(3)), K(a(2, 3))]
on("np.fliplr")[K(a(2, 3)),]
on("np.rot90")[K(a(2, 3)), K(a(2, 3), 2), K(a(2, 3, 4), 3, (1, 2))]
on("np.roll")[K(a(4), 1), K(a(2, 3), -2), K(a(2, 3), 1, axis=1), K(a(2, 3), (1, 2), axis=(0, 1))]
on("np.atleast_1d", "np.atleast_2d", "np.atleast_3d")[K(0.5), K(a(3)), K(a(2, 3))]
on("np.copy")[K(a(2, 3)),]
on("np.array", "np.asarray", "np.asanyarray")[
    K(a(2, 3)), K([0.3, 0.4]), K([[0.3, 0.4], [0.5, 0.6]]), K([a(3), a(3)]), K(0.4), K((0.5, 1, 0.7))
]
on("np.array")[K(a(3), ndmin=2), K([[a(2), a(2)]])]
on("np.ascontiguousarray", "np.asfortranarray")[K(a(2, 3))]
on("np.ndarray.astype")[K(a(2, 3), float)]
on("np.ndarray.item")[known(K(np.array(0.5)), K(a(1)), K(a(1, 1)))]
on("float")[K(0.5)]
on("np.float64", "np.longdouble")[K(0.5), K(a(3)), K(a(2, 3))]
on("np.full")[K((2, 3), 0.5), K(3, fill_value=0.5), K((2, 3), a(3))]
on("np.full_like")[K(a(2, 3), 0.5)]
on("np.conjugate")[K(a(3)), K(c(3)), K(c(2, 2))]
on("np.real", "np.imag")[K(a(3)), K(c(3)), K(c(2, 2))]
on("np.angle")[K(c(3)), K(c(2, 2), deg=True)]
on("divmod", "np.divmod")[K(2.7, 1.1)]
on("np.divmod")[
    K(a(3, low=2.6, high=2.9), 1.1),
    K(2.7, a(3, low=1.0, high=1.2)),
    K(a(2, 3, low=2.6, high=2.9), a(3, low=1.0, high=1.2)),
]
on("np.concatenate")[
    K([a(2), a(3)]),
    K([a(2, 3), a(1, 3)]),
    K([a(2, 3), a(2, 1)], axis=1),
    K((a(2, 3), np.ones((2, 2), int), a(2, 1)), -1),
    K([a(2, 3), a(2)], axis=None),
    K([a(2)]),
    K([a(2), a(3), a(4)], 0),
]
for case in CASES["np.concatenate"][3:4]:
    case.options["known_only"] = True
on("np.stack")[K([a(2), a(2)]), K([a(2, 3), a(2, 3)], axis=1), K((a(2), a(2)), 1)]
on("np.stack")[known(K((a(2), a(2)), axis=-1))]
on("np.vstack")[known(K([a(3), a(3)]), K([a(3), a(2, 3)]), K([a(2, 3), a(1, 3)]), K([0.5, 0.6]))]
on("np.hstack")[known(K([a(3), a(2)]), K([a(2, 3), a(2, 1)]), K([0.5, 0.6]), K([a(2), 0.6]))]
on("np.column_stack")[known(K([a(3), a(3)]), K([a(3), a(3, 2)]), K([a(3, 1), a(3, 2)]))]
on("np.dstack")[known(K([a(3), a(3)]), K([a(2, 3), a(2, 3, 2)]))]
on("np.append")[K(a(3), a(2)), K(a(2, 3), a(2)), K(a(2, 3), a(1, 3), axis=0), K(a(3), 0.5)]
on("np.split", "np.array_split")[K(a(4), 2), K(a(5), [1, 3]), K(a(2, 4), 2, axis=1)]
on("np.array_split")[K(a(5), 2)]
on("np.hsplit")[known(K(a(4), 2), K(a(2, 4), 2))]
on("np.vsplit")[K(a(4, 2), 2)]
on("np.dsplit")[K(a(2, 2, 4), 2)]
on("np.meshgrid")[
    known(K(a(2), a(3)), K(a(2), a(3), indexing="ij"), K(a(2), a(3), a(4)), K(a(3)), K(a(2), a(3), sparse=True))
]
on("np.broadcast_arrays")[known(K(a(2, 1), a(3)), K(a(3), 0.5))]
on("np.repeat")[
    K(a(3), 2), K(a(2, 3), 2), K(a(2, 3), 2, axis=1), K(a(2, 3), np.array([1, 2]), axis=0), K(a(2, 3), 3, 0), K(0.5, 3)
]
on("np.lib.stride_tricks.sliding_window_view")[
    K(a(5), 3), K(a(3, 4), 2, axis=1), K(a(3, 4), (2, 3)), K(a(3, 4), (2, 2), (1, 0)), K(a(2, 4, 3), 2, -2)
]
on("np.tile")[K(a(3), 2), K(a(2, 3), (2, 1)), K(a(3), (2, 2)), K(a(2, 3), 2), K(a(2, 1, 3), (2, 3)), K(0.5, 3)]
on("np.pad")[
    K(a(3), 1),
    K(a(2, 3), ((1, 0), (2, 1))),
    K(a(3), (1, 2), "edge"),
    K(a(2, 3), 1, mode="reflect"),
    K(a(4), 3, mode="wrap"),
    K(a(4), 3, mode="symmetric"),
    K(a(3), 1, constant_values=2),
]
on("np.take")[
    K(a(4), np.array([0, 2, 2])),
    K(a(2, 3), np.array([[0, 5], [1, 1]])),
    K(a(2, 3), np.array([0, 0, 2]), axis=1),
    K(a(2, 3), 1, axis=0),
    K(a(2, 3), np.array([0, -1]), axis=-1),
]
on("np.take_along_axis")[
    K(a(2, 3), np.array([[0, 0], [2, 1]]), axis=1),
    K(a(2, 3), np.array([[0, 1, 1]]), 0),
    K(a(2, 3), np.array([0, 4, 4]), None),
]
on("np.compress")[K(np.array([True, False, True]), a(3)), K(np.array([True, False, True]), a(2, 3), axis=1)]
on("np.ndarray.compress")[K(a(3), np.array([True, False, True]))]
on("np.extract")[K(np.array([[True, False, True]]), a(1, 3))]
on("np.delete")[K(a(4), 1), K(a(2, 3), np.array([0, 2]), axis=1)]
on("np.resize")[K(a(3), (2, 4)), K(a(2, 3), (4,))]
on("np.trim_zeros")[K(np.array([0.0, 0.5, 0.7, 0.0]), _={"fixed_zeros": True})]
on("np.choose")[K(np.array([0, 1, 0]), [a(3), a(3)]), K(np.array([0, 1, 0]), [a(3), 0.5])]
on("np.select")[
    known(
        K([np.array([True, False, False]), np.array([True, True, False])], [a(3), a(3)]),
        K([np.array([True, False, False])], [a(3)], default=0.5),
        K([np.array([True, False, False])], [a(3)], 0.5),
    )
]


# -- linear algebra ------------------------------------------------------------------------------------------------------


def general(n: int, *batch: int) -> Any:
    """Well-conditioned matrices."""
    return _rng.normal(size=(*batch, n, n)) + 3.0 * np.eye(n)


def rect(*shape: int) -> Any:
    return _rng.normal(size=shape)


on("np.linalg.solve")[
    known(
        K(general(3), a(3)),
        K(general(3), a(3, 2)),
        K(general(3, 4), a(4, 3, 2)),
        K(general(3), a(4, 3, 2)),
        *([K(general(3, 4), a(3))] if since("numpy", "2.0") else ()),
        K(general(2, 1), a(5, 2, 3)),
    )
]
on("np.linalg.inv", "np.linalg.det", "np.linalg.slogdet")[K(general(3)), K(general(2, 4)), K(general(1))]
on("np.linalg.pinv")[K(rect(3, 2)), K(rect(2, 4)), K(general(3)), K(rect(2, 4, 3))]
on("np.linalg.cholesky")[K(spd(3)), K(spd(2, 4)), K(spd(70, 2))]  # one block of columns, and several
on("np.linalg.eigh")[K(spd(3)), K(spd(2, 4)), K(spd(3), "U")]
on("np.linalg.eigvalsh")[K(spd(3)), K(spd(2, 4)), K(spd(3), "U")]
on("np.linalg.eigvals")[
    K(np.triu(rect(3, 3)) + 0.1 * rect(3, 3) + np.diag([1.0, 3.0, 6.0])), K(np.array([[1.0, 2.0], [-2.0, 1.5]]))
]
on("np.linalg.eig")[
    K(np.array([[1.0, 2.0], [-2.0, 1.5]]), _={"skip": (1,), "no_forward": True}),
    K(np.array([[1.0, 0.4], [0.2, 2.5]])),
    K(0.3 * rect(2, 3, 3) + np.diag([1.0, 4.0, 8.0]), _={"skip": (1,)}),
]
on("np.linalg.svd")[
    known(
        K(rect(3, 2), full_matrices=False),
        K(rect(2, 3), full_matrices=False),
        K(rect(3, 3)),
        K(rect(2, 4, 3), full_matrices=False),
        K(rect(3, 2), compute_uv=False),
    )
]
on("np.linalg.qr")[K(rect(3, 3)), K(rect(4, 2)), K(rect(2, 4, 3)), K(rect(3, 2), mode="r")]
on("np.linalg.lstsq")[known(K(rect(4, 2), a(4), _={"skip": (1, 3)}), K(rect(4, 2), a(4, 3), _={"skip": (1, 3)}))]
on("np.linalg.norm")[
    K(s(3)),
    K(s(2, 3)),
    K(s(2, 3), axis=1),
    K(s(2, 3), axis=0, keepdims=True),
    K(s(2, 3, 4), axis=(0, 2)),
    K(s(3), keepdims=True),
    K(c(3)),
    K(s(2, 3), 1, axis=1),
    K(s(2, 3), np.inf, axis=0),
    K(s(2, 3), 3, 1),
    K(s(2, 3), 2, axis=1),
    K(s(2, 3), -np.inf, 1, True),
    K(c(2, 3), 3, 1),
]
on("np.linalg.norm")[
    known(
        K(s(3), 1),
        K(s(3), np.inf),
        K(s(3), -np.inf),
        K(s(3), 2),
        K(s(3), 3),
        K(s(3), 2.5, _={"inactive": (1,)}),
        K(s(3), ord=-1),
        K(s(2, 3), "fro"),
        K(s(2, 3), "nuc"),
        K(s(2, 3), 2),
        K(s(3, 2), -2),
        K(s(2, 3), 1),
        K(s(2, 3), np.inf),
        K(s(2, 3), -1),
        K(s(2, 3), -np.inf),
        K(s(4, 2, 3), 1, axis=(1, 2)),
        K(s(4, 2, 3), np.inf, axis=(-2, -1), keepdims=True),
        K(s(4, 2, 3), 2, axis=(1, 2)),
        K(s(4, 2, 3), "nuc", axis=(1, 2)),
        K(s(2, 4, 3), "fro", axis=(0, 2)),
    )
]
on("np.linalg.vector_norm")[K(s(3)), K(s(2, 3)), K(s(2, 3), axis=1, ord=3), K(s(2, 3), axis=0, keepdims=True)]
on("np.linalg.matrix_norm")[known(K(s(2, 3)), K(s(2, 3), ord=1), K(s(4, 2, 3), ord=2))]
on("np.linalg.svdvals")[K(rect(3, 2)), K(rect(2, 3, 3))]
on("np.linalg.cond")[K(general(3)), K(rect(3, 2)), K(general(2, 2))]
on("np.linalg.matrix_power")[
    K(general(3), 3), K(general(2), 0), K(general(2), 1), K(general(2), -2), K(general(2, 2), 2)
]
on("np.linalg.multi_dot")[
    known(
        K([rect(2, 3), rect(3, 4), rect(4, 2)]),
        K([rect(3), rect(3, 4), rect(4)]),
        K([rect(2, 3), rect(3, 2)]),
        K([rect(2, 3), rect(3, 3), rect(3)]),
        K([rect(3), rect(3, 2), rect(2, 2)]),
    )
]
on("np.linalg.tensorsolve")[K(general(6).reshape(2, 3, 6), a(2, 3)), K(general(4).reshape(2, 2, 2, 2), a(2, 2))]
on("np.linalg.tensorinv")[K(general(6).reshape(2, 3, 6)), K(general(4).reshape(4, 2, 2), ind=1)]


# -- the rest of math, builtins, statistics ------------------------------------------------------------------------------

on("cmath.log")[K(complex(0.4, 0.3)), K(complex(0.4, 0.3), 2)]
on("math.log")[K(0.5), K(0.5, 2), K(0.5, 1.7)]
on("math.hypot")[K(0.5, 0.7), K(0.5), K(0.5, 0.7, -0.3)]
on("math.dist")[known(K([0.5, 0.7], [0.1, 0.9]), K((0.5, 0.7, 0.2), (0.1, 0.9, 0.3)))]
on("math.fsum", "sum", "statistics.mean", "statistics.fmean")[known(K([0.5, 0.7, 0.2]))]
on("sum")[known(K([a(3), a(3)]), K([0.5, 0.2], 0.7))]
on("math.prod")[known(K([0.5, 0.7, 0.2]), K([0.5, 0.7], start=1.5))]
on("math.sumprod")[known(K([0.5, 0.7], [0.2, 0.3]))]
on("math.fma")[K(0.5, 0.7, 0.2)]
on("math.ldexp")[K(0.5, 3)]
on("math.modf")[K(2.3)]
on("math.frexp")[K(2.3)]
on("np.frexp", "np.modf")[K(2.3), K(a(3) + 1.2)]
on("np.ldexp")[K(0.5, 3), K(a(3), np.array([1, 2, 3]))]
on("math.remainder")[K(2.3, 1.0)]
on("statistics.variance", "statistics.stdev", "statistics.pvariance", "statistics.pstdev")[known(K([0.5, 0.7, 0.1]))]
on("statistics.median")[known(K([0.5, 0.7, 0.1]))]
on("max", "min")[known(K(0.5, 0.7), K(0.7, 0.5, 0.6), K([0.5, 0.7]))]
on("pow")[K(0.5, 2), K(0.5, 0.7), K(a(3), 1.5)]
on("complex")[K(0.5, 0.7), K(0.5)]
on("np.clip")[
    K(s(6), -0.5, 0.7, _={"inactive": (1, 2)}),
    K(a(5), np.array(0.35), np.array(0.65)),
    K(a(2, 3), 0.31, None),
    K(a(4), None, 0.77),
    K(a(2, 3), a(3) - 0.013, 0.77),
    K(0.5, 0.6, 0.7),
]
on("np.ndarray.clip")[K(a(5), 0.31, 0.77)]
on("np.interp")[
    K(a(4), np.array([0.0, 0.33, 0.61, 1.0]), a(4)),
    K(0.5, np.array([0.0, 0.33, 0.61, 1.0]), a(4)),
    K(np.array([-0.5, 0.5, 1.5]), np.array([0.0, 0.33, 1.0]), a(3)),
]
on("np.gradient")[
    known(
        K(a(5)),
        K(a(5), 0.5, _={"inactive": (1,)}),
        K(a(4, 3), axis=0),
        K(a(5), np.array([0.0, 0.2, 0.5, 0.9, 1.0]), _={"inactive": (1,)}),
        K(a(5), edge_order=2),
    )
]
on("np.polyval")[K(a(3), a(4)), K(a(3), 0.7)]
on("np.polyder")[K(a(4)),]
on("np.vander")[K(a(3)), K(a(3), 2), K(a(3), 4, increasing=True)]
on("np.cov")[known(K(s(3, 5)), K(s(5)), K(s(5, 3), rowvar=False), K(s(3, 5), ddof=0))]
on("np.corrcoef")[known(K(s(3, 5)))]
on("np.bincount")[K(np.array([0, 2, 2, 1]), a(4)), K(np.array([0, 2, 2, 1]), weights=a(4), minlength=5)]
on("np.unwrap")[K(a(5)), K(np.array([0.1, 6.0, 0.5, 3.0]))]
on("np.linspace")[K(0.5, 0.9, 4), K(0.5, a(2), 3), K(0.1, 0.9, 5, False)]
on("np.logspace", "np.geomspace")[K(0.5, 0.9, 4)]
on("np.i0")[K(0.5), K(a(3))]
on("np.heaviside")[K(s(3), 0.5)]
on("np.unique")[K(a(4)), K(a(2, 3))]
on("np.partition")[K(a(5), 2), K(a(2, 4), 1, axis=1), K(a(4, 3), [1, -1], axis=0), K(a(2, 3), 2, axis=None)]
on("np.insert")[
    K(a(3), 1, 0.5), K(a(3), 1, a(1)), K(a(3), 1, a(2)), K(a(3), np.array([0, 2]), a(2)), K(a(4), -1, 0.5),
    K(a(4), 0, 0.5), K(a(4), 4, 0.5), K(a(4), -2, a(2)), K(a(2, 3), 2, 0.5), K(a(2, 3), -2, a(1), axis=1),
    K(a(2, 3), 1, 0.5, axis=-1), K(a(2, 3, 2), 1, a(2, 2), 1), K(a(2, 3, 2), -1, a(2), 1), K(a(3), [1, -1], 0.5),
    K(a(2, 3), np.array(1), a(3), 0), K(a(4), np.array(-1), 0.5),
    *known(K(a(2, 3), 1, a(3), axis=0), K(a(2, 3), 1, a(2, 3), axis=0)),
]  # fmt: skip
on("np.round", "np.around")[K(s(3), 1)]

# -- fft -----------------------------------------------------------------------------------------------------------------

on("np.fft.fft", "np.fft.ifft", "np.fft.rfft", "np.fft.irfft", "np.fft.hfft", "np.fft.ihfft")[
    K(a(4)), K(a(5)), K(a(4), 6), K(a(5), 3), K(a(2, 4), axis=0), K(a(2, 4), norm="ortho"), K(a(2, 5), norm="forward")
]
on("np.fft.fft", "np.fft.ifft", "np.fft.irfft", "np.fft.hfft")[K(c(4)), K(c(5), 7), K(c(3, 2), axis=0)]
on(
    "np.fft.fft2",
    "np.fft.ifft2",
    "np.fft.fftn",
    "np.fft.ifftn",
    "np.fft.rfft2",
    "np.fft.irfft2",
    "np.fft.rfftn",
    "np.fft.irfftn",
)[
    K(a(3, 4)),
    K(a(2, 3, 4), axes=(1, 2)),
    K(a(3, 4), (4, 5), (0, 1)),
    K(a(3, 5), s=(2, 4), axes=(0, 1)),
    K(a(3, 4), norm="ortho"),
]
on("np.fft.fftn", "np.fft.ifft2", "np.fft.irfft2")[K(c(3, 4)),]
on("np.fft.fftshift", "np.fft.ifftshift")[K(a(5)), K(a(2, 3)), K(a(2, 3), axes=1)]


# -- helpers -------------------------------------------------------------------------------------------------------------


def helper(name: str) -> Any:
    return on("s2sad.runtime.helpers." + name)


_at = np.array([0, 2, 2])
helper("deconvolved")[K(s(4), s(3)), K(s(3), np.array([2.0, 0.5j])), K(s(2), s(3)), K(s(4), s(1))]
helper("unbroadcast")[K(a(2, 3), a(3)), K(a(2, 3), a(2, 1)), K(a(3), 0.5), K(np.array(0.7), a(1))]
helper("expand_reduced")[K(a(2), a(2, 3), 1), K(a(2, 1), a(2, 3), 1, True), K(0.5, a(2, 3), None)]
helper("through_zero")[
    K(a(3), np.array([0.0, 1.0, 0.0]), a(3), _={"inactive": (1, 2)}),
    K(a(3), np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]), a(2, 1), _={"inactive": (1, 2)}),
    K(0.5, 0.0, 2.0, _={"inactive": (1, 2)}),
]  # fmt: skip
helper("take_back")[K(a(3), a(4), _at), K(a(2, 3), a(2, 4), _at, 1)]
helper("take_along_back")[K(a(2, 2), a(2, 3), np.array([[0, 0], [2, 1]]), 1),]
helper("repeat_back")[K(a(4), a(2), 2), K(a(2, 6), a(2, 3), 2, 1)]
helper("sliding_windows_back")[K(a(3, 2), a(4), 2), K(a(4, 2, 2), a(4, 3), 2, 1), K(a(2, 3, 3, 2), a(4, 4), (3, 2))]
helper("tile_back")[K(a(4), a(2), 2),]
helper("pad_back")[K(a(5), a(3), 1), K(a(5), a(3), 1, "edge")]
helper("diff_back")[K(a(4)), K(a(3, 4), 2, 0)]
helper("gradient_back")[K(a(5)), K(a(5), 0.5, 0, 2, _={"inactive": (1,)})]
helper("from_diagonal")[K(a(3), a(3, 3)), K(a(2), a(3, 3), 1)]
helper("diag_back")[K(a(3), a(3, 3)), K(a(3, 3), a(3))]
_rows = a(3, 6)
for _name in ("partition_back", "partition_tangent"):
    helper(_name)[
        K(a(6), _rows[0], np.partition(_rows[0], 2), 2, _={"inactive": (1, 2)}),
        K(a(3, 6), _rows, np.partition(_rows, 1, 0), 1, 0, _={"inactive": (1, 2)}),
    ]  # fmt: skip
helper("sort_back")[K(a(4), a(4)), K(a(2, 3), a(2, 3), 0)]
helper("sort_tangent")[K(a(4), a(4)), K(a(2, 3), a(2, 3), 0)]
helper("quantile_back")[K(0.7, a(4), 0.3, _={"inactive": (2,)}), K(a(2), a(2, 3), 0.5, 1, _={"inactive": (2,)})]
# where the determinant is said to be 0 all goes by the singular values of the first argument
helper("cofactors")[
    K(a(3, 3), 0.0, _={"inactive": (1,)}), K(a(2, 2), 0.0, _={"inactive": (1,)}),
    *known(K(a(2, 3, 3), np.zeros(2), _={"inactive": (1,)})),
]  # fmt: skip
helper("spectral")[
    K(a(3), spd(3)), K(a(4, 2), spd(2, 4)), K(a(3), spd(3), "U"),
    *known(K(a(3), spd(3) + 0.1j * np.array([[0.0, 1.0, -2.0], [-1.0, 0.0, 3.0], [2.0, -3.0, 0.0]]))),
]  # fmt: skip
helper("divided_differences")[
    K(a(3), np.array([0.5, 1.3, 2.0]), a(3)), K(a(2, 3), np.array([[0.5, 1.3, 2.0], [-1.0, 0.1, 4.0]]), a(2, 3)),
]  # fmt: skip
helper("singular")[
    *known(K(a(3), c(3, 4)), K(a(2), c(4, 2)), K(np.ones(3), c(3, 3)), K(a(2, 2), c(2, 2, 3))),
]
helper("quantiles_back")[K(a(1), a(4), [0.3], _={"inactive": (2,)}), K(a(2, 2), a(2, 3), [0.5, 1.0], 1, _={"inactive": (2,)})]
helper("quantiles_tangent")[K(a(4), a(4), [0.3, 0.7], _={"inactive": (2,)}),]
helper("quantile_tangent")[K(a(4), a(4), 0.3, _={"inactive": (2,)}),]
for _name, _left in (("matmul_left", True), ("matmul_right", False), ("dot_left", True), ("dot_right", False)):
    helper(_name)[K(a(2), a(2, 3), a(3)), K(a(2, 4), a(2, 3), a(3, 4)), K(0.5, a(3), a(3)), K(a(4), a(3), a(3, 4))]
helper("fft_back")[K(c(4), a(4)), K(c(4), c(4)), K(c(5), a(4), 5)]
helper("ifft_back")[K(c(4), a(4)), K(c(4), c(4))]
helper("rfft_back")[K(c(3), a(4)), K(c(3), a(5))]
helper("irfft_back")[K(a(4), c(3)), K(a(5), c(3))]
helper("hfft_back")[K(a(4), c(3)), K(a(5), c(3))]
helper("ihfft_back")[K(c(3), a(4)), K(c(3), a(5))]
helper("fftn_back")[K(c(3, 4), c(3, 4)), K(c(4, 5), a(3, 4), (4, 5), (0, 1))]
helper("ifftn_back")[K(c(3, 4), c(3, 4)), K(c(4, 5), a(3, 4), (4, 5), (0, 1))]
helper("rfftn_back")[K(c(3, 3), a(3, 4)), K(c(2, 3, 3), a(2, 3, 5), None, (1, 2))]
helper("irfftn_back")[K(a(3, 4), c(3, 3)), K(a(2, 3, 4), c(2, 3, 3), None, (1, 2))]
helper("bessel_i1")[K(0.5), K(a(3))]
helper("unique_back")[K(a(4), a(4)),]
helper("unique_tangent")[K(a(4), a(4)),]
helper("insert_back")[K(a(4), a(3), 1), K(a(2, 3), a(2, 2), 1, 1)]
helper("insert_values_back")[K(a(4), a(3), 1, 0.5, _={"inactive": (3,)}),]

on("np.matrix_transpose", "np.linalg.matrix_transpose")[K(a(2, 3)), K(a(4, 2, 3))]
on("np.linalg.matmul")[K(a(2, 3), a(3, 4)), K(a(5, 2, 3), a(3, 4))]
on("np.linalg.outer")[K(a(3), a(4)),]

# -- methods of universal functions, and others ---------------------------------------------------------------------------

on("np.add.reduce", "np.multiply.reduce", "np.maximum.reduce", "np.minimum.reduce")[
    K(a(4)), *known(K(a(2, 3)), K(a(2, 3), 1), K(a(2, 3), axis=1, keepdims=True), K(a(2, 3), axis=None))
]
on("np.add.accumulate", "np.multiply.accumulate")[K(a(4)), *known(K(a(2, 3), 1))]
on("np.add.outer", "np.subtract.outer", "np.multiply.outer")[known(K(a(3), a(2)), K(a(3), a(2, 2)), K(a(2, 2), a(3)))]
on("np.add.reduceat")[
    K(a(6), np.array([0, 2, 3])), K(a(6), np.array([1, 4])), K(a(6), np.array([0, 3, 1, 4])),
    *known(K(a(2, 4), np.array([0, 2]), axis=1), K(a(4, 2), np.array([0, 0, 3]))),
]  # fmt: skip
helper("reduceat_back")[K(a(2), a(5), np.array([1, 3])), K(a(3), a(5), np.array([2, 1, 3]))]
on("np.linalg.cross")[known(K(a(3), a(3)), K(a(2, 3), a(2, 3)))]
on("np.linalg.diagonal")[known(K(a(3, 3)), K(a(2, 3, 3)), K(a(3, 3), offset=1))]
on("np.linalg.trace")[known(K(a(3, 3)), K(a(2, 3, 3)))]
on("np.linalg.tensordot")[known(K(a(2, 3), a(3, 4), axes=1), K(a(2, 3), a(2, 3)))]
on("np.linalg.vecdot")[known(K(a(3), a(3)), K(a(2, 3), a(3)))]
on("np.matvec")[
    known(
        K(a(2, 3), a(3)),
    )
]
on("np.vecmat")[
    known(
        K(a(3), a(3, 2)),
    )
]
on("np.nancumprod")[K(a(4)), K(np.array([0.5, np.nan, 0.7])), *known(K(a(2, 3), 1))]
on("np.polymul")[known(K(a(3), a(2)), K(a(2), a(4)))]
on("np.roots")[K(np.array([1.0, -6.0, 11.0, -6.0])), K(np.array([1.0, 0.4, 2.0]))]
on("np.real_if_close")[K(a(3)),]
on("np.asarray_chkfinite", "np.require")[K(a(2, 3)),]
on("math.nextafter")[K(0.5, 2.0),]
on("np.polyadd", "np.polysub")[K(a(3), a(2)), K(a(2), a(4)), K(a(3), a(3))]
on("np.polyint")[K(a(3)),]
# numbers that float32 divides without rounding: what rounding leaves is no leading zero of the remainder to NumPy
_u = np.array([1.5, -0.75, 2.25, 0.5, -1.25, 0.75, 1.75])
_v = np.array([-2.0, 0.5, 1.5])
on("np.polydiv")[
    K(_u, _v), K(_u[:3], _v), K(_u[:2], _v), K(_u[:5], _v[:1]), K(_u + 0.5j * _u[::-1], _v), K(_u[:5], np.array([2.0, 0.5 + 1.5j, 0.25j])),
    K(_u[:4] - 0.25j, np.array([2.0, 0.5 - 0.5j])), K(_u[:5].tolist(), _v[:2]),
]
on("np.polynomial.polynomial.polydiv")[
    K(_u, _v[::-1]), K(_u[:3], _v[::-1]), K(_u[:2], _v[::-1]), K(_u[:5], _v[:1]), K(_u + 0.5j * _u[::-1], _v[::-1]),
    K(_u[:5], np.array([0.5 + 1.5j, 0.25j, 2.0])), K(_u[:5].tolist(), _v[1::-1]),
]
on("np.polyfit")[K(np.linspace(0.0, 1.0, 6), a(6), 2, _={"inactive": (0,)}),]
on("np.histogram")[
    K(np.array([0.1, 0.5, 0.55, 0.9]), 3, weights=a(4), _={"inactive": (0,), "skip": (1,)}),
    K(np.array([0.1, 0.5, 0.55, 1.9]), 3, (0, 1), weights=a(4), _={"inactive": (0,), "skip": (1,)}),
]
on("cmath.phase", "cmath.polar")[K(complex(0.4, 0.3)), K(complex(-1.4, 0.3))]
on("cmath.rect")[K(0.7, 0.4),]

_mask = np.array([[True, False, True], [False, True, True]])
on("np.sum")[
    known(
        K(a(2, 3), where=_mask),
        K(a(2, 3), axis=1, where=_mask),
        K(a(2, 3), axis=0, keepdims=True, where=_mask),
        K(a(2, 3), where=_mask[0]),
    )
]
