"""What NumPy and SciPy copy is a copy, and what they hand out again is no copy: each program overwrites one of the two."""

from __future__ import annotations

import pathlib

import pytest

from tests.language.test_held import verdict

PROGRAM = """
import numpy as np
{imports}


def f(x, n):
    a = x.copy()
    m = np.outer(x, x)
    s = 0.0
    {body}
    return float(s + np.sum(a * np.arange(1.5, 4.0)) + np.sum(m[0]) * x[1])
"""
#: slices of array.flat are copies; what is stored into it goes into the array
FLAT = (
    "b = a.flat[:]; a[0] = 5.0; s = b[0]",
    "b = m.flat[1:4]; b *= 3.0; s = b[0]",
    "b = m.flat; m[0, 0] = 5.0; s = b[0] + np.sum(b[1:3])",
    "b = m.flat; c = b[1:3]; c *= 2.0; s = c[0]",
    "b = m.flat if x[0] > 0.0 else (2.0 * m).flat; c = b[1:3]; m[0, 1] = 5.0; s = np.sum(c)",
    "b = m.flat if x[0] > 0.0 else a; c = b[1:3]; b[1] = 5.0; s = np.sum(c)",
    "b = None\nfor i in range(n):\n    b = m.flat\nc = b[1:3]; m[0, 1] = 5.0; s = np.sum(c)",
    "h = []\nfor i in range(n):\n    h.append(m.flat)\nc = h[1][1:3]; m[0, 1] = 5.0; s = np.sum(c)",
    "b = m.T.flat[1:4]; m[0, 1] = 5.0; s = np.sum(b)",
    "m.flat[1:4] += x; m.flat[n] = x[1]",
)
#: the classes of np.polynomial have coefficients of their own
POLYNOMIALS = tuple(
    f"p = np.polynomial.{name}(a); {change}; s = p(0.3) + p.coef[0]"
    for name in ("Polynomial", "Chebyshev", "Hermite", "HermiteE", "Legendre", "Laguerre")
    for change in ("a[0] = 5.0", "p.coef[0] = 4.0", "a *= 2.0")
) + (
    "p = np.polynomial.Polynomial(a); q = p.deriv(0); q.coef[0] = x[1]; s = p(0.3)",
    "p = np.poly1d(a); a[0] = x[1]; s = p(0.3)",
)
#: np.ix_ makes views of what it is given
OPEN_MESHES = (
    "s = np.ix_(x)[0][1]",
    "u, v = np.ix_(x, x[1:])\ns = np.sum(u * v ** 2)",
    "u, v = np.ix_(a, [1, 2])\na[0] = x[1]\ns = np.sum(u * v)",
    "u, v = np.ix_(a, a)\nu[0] = 2.0\ns = np.sum(u * v)",
    "u, v = np.ix_(x, [True, False, True])\ns = np.sum(u * v)",
    "i = [2, 0, 1]\nfor k in range(n):\n    m[:] = m[np.ix_(i, [2, 0, 1])]\n    i[k] = 1",
)
#: conversions that copy, that do not, and that may
CONVERSIONS = (
    *(f"b = {call}; a *= 1.5; s = np.sum(b)" for call in (
        "a.astype(float, copy=True)", "a.astype(float, copy=n > 2)", "a.astype(float, copy=n > 5)",
        "a.astype(float, copy=False)", "a.astype(float, 'F', copy=False)", "a.astype(float, 'K', 'unsafe', True, True)",
        "a.astype(float, 'K', 'unsafe', True, False)", "a.astype(complex, copy=False).real",
        "np.ascontiguousarray(a, complex).real", "np.asfortranarray(a, dtype=complex).real", "np.asfortranarray(a)",
    )),
    "b = m.T.astype(float, 'C', copy=False); m *= 1.5; s = b[0, 1]",
)  # fmt: skip
#: a vector is a row of points: one of them, or in one dimension as many as it has numbers
POINTS = (
    "s = RegularGridInterpolator((np.arange(3.0),), x)([1.3])[0]",
    "s = np.sum(RegularGridInterpolator((np.arange(3.0),), x)(x) * x)",
    "s = RegularGridInterpolator((np.arange(3.0), np.arange(3.0)), m)([x[0], 1.3])[0]",
    "s = interpn((np.arange(3.0), np.arange(3.0)), m, [x[0], 1.3])[0]",
)


@pytest.mark.parametrize("body", [*FLAT, *POLYNOMIALS, *OPEN_MESHES, *CONVERSIONS])
def test_overwritten(body: str, tmp_path: pathlib.Path) -> None:
    assert verdict(program(body), tmp_path / "copies.py") in ("right", "refused")


@pytest.mark.parametrize("body", POINTS)
def test_points(body: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("scipy")
    text = program(body, "from scipy.interpolate import RegularGridInterpolator, interpn")
    assert verdict(text, tmp_path / "copies.py") in ("right", "refused")


def program(body: str, imports: str = "") -> str:
    return PROGRAM.replace("{imports}", imports).replace("{body}", body.replace("\n", "\n    "))
