"""Sparse matrices: of constants, and with active entries; at first and second order."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix
from scipy.sparse.linalg import splu, spsolve

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.frontend.diagnostics import DerivationError
from tests.numeric import check_forward, check_reverse, check_second
from tests.rules.programs import total_of

DENSE = np.array([[2.1, 0.0, 0.4, 0.0], [0.0, 1.7, 0.0, -0.3], [0.6, 0.0, 2.4, 0.0], [0.0, 0.8, 0.1, 3.0]])
ROWS = csr_array(DENSE)
COLUMNS = csc_array(DENSE)
WIDE = csr_array(DENSE[:3])
PLACES = ROWS.tocoo().row, ROWS.tocoo().col
DATA = ROWS.data.copy()
X = np.array([0.3, -0.7, 1.2, 0.5])
XS = np.stack([X, X[::-1] ** 2], axis=1)


# constants


def product(x):
    return WIDE @ x


def product_of_argument(x, a):
    return a @ x


def from_the_left(x):
    return x @ ROWS


def rows_from_the_left(x):
    return x.T @ ROWS


def dot(x, a):
    return a.dot(x) * (a.T @ x)


def transposed(x):
    return WIDE.T @ x[:3]


def solution(b, a):
    return spsolve(a, b)


def factors(b):
    lu = splu(COLUMNS)
    return lu.solve(b) + lu.solve(b, "T")


def built_here(x, data):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    return a @ x


# active entries


def of_entries(data, x):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    return a @ x


def without_shape(data, x):
    a = csr_array((data, ROWS.indices, ROWS.indptr))
    return a @ x


def by_columns(data, x):
    a = csc_array((data, COLUMNS.indices, COLUMNS.indptr), shape=(4, 4))
    return x @ a


def by_places(data, x):
    a = coo_array((data, PLACES), shape=(4, 4))
    return (a.T @ x) * a.dot(x)


def scaled(data, x):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    b = 2.0 * a - a.T / 3.0 + a.multiply(DENSE)
    return b @ x


def sums(data):
    a = coo_array((data, PLACES), shape=(4, 4))
    return a.sum(axis=0) * a.sum(axis=1) * a.sum()


def means(data):
    a = csc_array((data, COLUMNS.indices, COLUMNS.indptr), shape=(4, 4))
    return a.mean(axis=0) * a.diagonal() + a.mean() * a.trace() + a.data[:4] ** 2


def of_products(data, x):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    return (a @ a) @ x + (a @ ROWS) @ x + (COLUMNS @ a) @ x


def with_constants(data, x):
    a = coo_array((data, PLACES), shape=(4, 4))
    return (a + sparse.eye_array(4) - ROWS) @ x + (ROWS - a / 2.0) @ x + x @ (COLUMNS + a)


def operators_of_constants(x):
    return (2.0 * ROWS) @ x + (ROWS + COLUMNS.T) @ x + (ROWS @ COLUMNS) @ x + (ROWS / 3.0 - ROWS.tocsc()) @ x


def factor(p, x):
    return (p * ROWS + ROWS.T / p) @ x + spsolve(sparse.eye_array(4, format="csc") + p * COLUMNS, x)


def dense(data):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    return a.toarray() @ X


def system(data, b):
    a = csr_array((data, ROWS.indices, ROWS.indptr), shape=(4, 4))
    return spsolve(a.tocsc(), b)


def heat(c):
    """An implicit step of a heat equation with conductivities c."""
    row = np.array([0, 1, 2, 3, 0, 1, 2, 1, 2, 3])
    col = np.array([0, 1, 2, 3, 1, 2, 3, 0, 1, 2])
    a = csc_array((np.concatenate([1.0 + c, -0.3 * c[:-1], -0.3 * c[1:]]), (row, col)), shape=(4, 4))
    u = X
    for _ in range(2):
        u = spsolve(a, u)
    return u


CASES = {
    "product": (product, (X,), (0,)),
    "product of rows": (product, (XS,), (0,)),
    "argument": (product_of_argument, (X, WIDE), (0,)),
    "from the left": (from_the_left, (X,), (0,)),
    "rows from the left": (rows_from_the_left, (XS,), (0,)),
    "dot": (dot, (X, ROWS), (0,)),
    "transposed": (transposed, (X,), (0,)),
    "solution": (solution, (X, COLUMNS), (0,)),
    "factors": (factors, (X,), (0,)),
    "built here": (built_here, (X, DATA), (0,)),
    "entries": (of_entries, (DATA, X), (0, 1)),
    "entries times rows": (of_entries, (DATA, XS), (0, 1)),
    "without shape": (without_shape, (DATA, X), (0, 1)),
    "columns": (by_columns, (COLUMNS.data.copy(), X), (0, 1)),
    "places": (by_places, (DATA, X), (0, 1)),
    "scaled": (scaled, (DATA, X), (0, 1)),
    "sums": (sums, (DATA,), (0,)),
    "means": (means, (COLUMNS.data.copy(),), (0,)),
    "products": (of_products, (DATA, X), (0, 1)),
    "with constants": (with_constants, (DATA, X), (0, 1)),
    "operators of constants": (operators_of_constants, (X,), (0,)),
    "factor": (factor, (0.7, X), (0, 1)),
    "dense": (dense, (DATA,), (0,)),
    "system": (system, (DATA, X), (0, 1)),
    "system of several sides": (system, (DATA, XS), (0, 1)),
    "heat": (heat, (X + 1.0,), (0,)),
}


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name):
    f, args, wrt = CASES[name]
    total = total_of(f, len(args))
    check_reverse(total, args, wrt)
    check_forward(total, args, wrt)


@pytest.mark.parametrize("name", CASES)
def test_second_order(name):
    f, args, wrt = CASES[name]
    check_second(total_of(f, len(args)), args, wrt)


def squares(x, a):
    return np.sum((a @ x) ** 2)


def old_product(x):
    a = csr_matrix(DENSE)
    return np.sum(a * x)


def test_the_gradient_of_a_product_is_two_products():
    derivative = s2sad.grad(squares)
    derivative(X, ROWS)
    assert "A.T" not in derivative.source and "a.T @ (2.0 * (a @ x))" in derivative.source


def test_an_operator_without_a_rule_is_refused():
    with pytest.raises(DerivationError, match="no derivative rule for csr_matrix"):
        s2sad.grad(old_product)(X)


def reordered(data):
    return np.sum(coo_array((data, PLACES), shape=(4, 4)).tocsc().data ** 3)


def row_of(data):
    return np.sum(coo_array((data, PLACES), shape=(4, 4))[1] @ X)


@pytest.mark.parametrize("f", [reordered, row_of])
def test_what_depends_on_the_format_is_refused(f):
    with pytest.raises(DerivationError, match="a sparse array with active entries has no rule for this"):
        s2sad.grad(f)(DATA)


def test_every_rule_is_tested_here():
    tested = "coo_array csc_array csr_array linalg.spsolve csr_array.dot csr_array.__matmul__ csr_array.__rmatmul__"
    tested += " csr_array.__mul__ csr_array.__rmul__ csr_array.__truediv__"
    import_optional()
    registered = {r.name.removeprefix("scipy.sparse.") for r in rules.registry() if "scipy.sparse" in r.name}
    assert registered == set(tested.split())
    assert sparse.csr_array.dot is sparse.csc_array.dot
