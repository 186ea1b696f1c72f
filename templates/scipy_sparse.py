"""SciPy's sparse matrices. One with active entries is written out as its entries and where they stand; one of constants
stays the object that it is, and its transpose is `A.T`."""

import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from s2sad.kinds import known
from s2sad.kinds.kind import Array, Number, Object, Tuple
from s2sad.rules import adjoint, d, definition, linear, tangent
from s2sad.runtime import helpers
from s2sad.runtime.helpers import sparse_product, sparse_solution

# -- what matrices with active entries are -----------------------------------------------------------------------------


class Entries:
    """A sparse matrix: entries that stand in rows and columns; those at the same place add up."""

    def __init__(self, data, row, col, shape):
        self.data = data
        self.row = row
        self.col = col
        self.shape = shape
        self.ndim = 2

    def __matmul__(self, other):
        return sparse_product(self.data, self.row, self.col, self.shape, other)

    def __rmatmul__(self, other):
        return sparse_product(self.data, self.col, self.row, (self.shape[1], self.shape[0]), other.T).T

    def dot(self, other):
        return self @ other

    @property
    def T(self):
        return Entries(self.data, self.col, self.row, (self.shape[1], self.shape[0]))

    def transpose(self):
        return self.T

    def with_data(self, data):
        return Entries(data, self.row, self.col, self.shape)

    def multiply(self, other):
        if np.ndim(other) == 2:
            return self.with_data(self.data * other[self.row, self.col])
        if np.ndim(other) == 1:
            return self.with_data(self.data * other[self.col])
        return self.with_data(self.data * other)

    def __mul__(self, other):
        return self.multiply(other)

    def __rmul__(self, other):
        return self.multiply(other)

    def __truediv__(self, other):
        return self.multiply(1.0 / other)

    def __neg__(self):
        return self.with_data(-self.data)

    def __add__(self, other):
        return Entries(
            np.concatenate([self.data, other.data]),
            np.concatenate([self.row, other.row]),
            np.concatenate([self.col, other.col]),
            self.shape,
        )

    def __sub__(self, other):
        return self + -other

    def sum(self, axis=None):
        if axis is None:
            return np.sum(self.data)
        if axis == 0:
            return np.bincount(self.col, self.data, self.shape[1])
        return np.bincount(self.row, self.data, self.shape[0])

    def toarray(self):
        out = np.zeros(self.shape)
        np.add.at(out, (self.row, self.col), self.data)
        return out

    def todense(self):
        return self.toarray()

    def tocsr(self):
        return self

    def tocsc(self):
        return self

    def tocoo(self):
        return self

    def copy(self):
        return self

    def of_spsolve(self, b):
        return sparse_solution(self.data, self.row, self.col, self.shape, b)


def from_dense(values):
    """A sparse matrix of what is not 0 in a matrix."""
    row, col = np.nonzero(values)
    return Entries(values[row, col], row, col, values.shape)


def at_places(arg1, shape):
    """What all formats are made of: a matrix, sparse or dense, or entries and their rows and columns."""
    if isinstance(arg1, Entries):
        return arg1
    if not isinstance(arg1, tuple):
        return from_dense(arg1)
    data, places = arg1
    row, col = places
    return Entries(data, row, col, (np.max(row) + 1, np.max(col) + 1) if shape is None else shape)


@definition(sparse.csr_array)
def csr_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """In the entries."""
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        return at_places(arg1, shape)
    data, indices, indptr = arg1
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return Entries(data, row, indices, (len(indptr) - 1, np.max(indices) + 1) if shape is None else shape)


@definition(sparse.csc_array)
def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """In the entries."""
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        return at_places(arg1, shape)
    data, indices, indptr = arg1
    col = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return Entries(data, indices, col, (np.max(indices) + 1, len(indptr) - 1) if shape is None else shape)


@definition(sparse.coo_array)
def coo_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """In the entries."""
    return at_places(arg1, shape)


# -- the rules of what they are made of --------------------------------------------------------------------------------


@linear(helpers.sparse_product)
def sparse_product_rule(y, data, row, col, shape, x):
    d[data] = shaped_as(at_entries(d[y], row, x, col), data)
    d[x] = shaped_as(call_helper_again("sparse_product", data, col, row, reversed_shape(shape), d[y]), x)


@adjoint(helpers.sparse_solution)
def sparse_solution_rule(y, data, row, col, shape, b):
    t = call_helper_again("sparse_solution", data, col, row, reversed_shape(shape), d[y])
    d[data] = shaped_as(-at_entries(t, row, y, col), data)
    d[b] = t


@tangent(helpers.sparse_solution)
def sparse_solution_rule(y, data, row, col, shape, b):
    right = d[b] - call_helper_again("sparse_product", d[data], row, col, shape, y)
    d[y] = call_helper_again("sparse_solution", data, row, col, shape, right)


@known.rule(helpers.sparse_product)
def product_of_entries_kind(args, kwargs):
    """As many rows as the matrix, and columns as the other factor."""
    x = known.shape_of(args[4])
    rows = known.as_shape(args[3])
    return None if x is None or rows is None else Array(known.F8, (rows[0], *x[1:]))


@known.rule(helpers.sparse_solution)
def solution_kind(args, kwargs):
    return args[4] if isinstance(args[4], Array) else None


# -- matrices of constants ---------------------------------------------------------------------------------------------


@adjoint(sparse.csr_array.__matmul__, sparse.csr_array.dot)
def matmul(y, self, other):
    """In the dense factor."""
    d[other] = shaped_as(self.T @ d[y], other)


@tangent(sparse.csr_array.__matmul__, sparse.csr_array.dot)
def matmul(y, self, other):
    d[y] = self @ d[other]


@adjoint(sparse.csr_array.__rmatmul__)
def rmatmul(y, self, other):
    """In the dense factor."""
    d[other] = shaped_as(d[y] @ self.T, other)


@tangent(sparse.csr_array.__rmatmul__)
def rmatmul(y, self, other):
    d[y] = d[other] @ self


@linear(sparse_linalg.spsolve)
def spsolve(y, A, b):
    """In the right-hand side; with a matrix of active entries in these too."""
    d[b] = sparse_linalg.spsolve(self_transposed(A), d[y])


@adjoint(sparse_linalg.SuperLU.solve)
def solve(y, self, rhs, trans="N"):
    """In the right-hand side."""
    d[rhs] = self.solve(d[y], other_trans(trans))


@tangent(sparse_linalg.SuperLU.solve)
def solve(y, self, rhs, trans="N"):
    d[y] = self.solve(d[rhs], trans)


def _shape(kind):
    """The numbers of rows and columns of a matrix, or None."""
    if not isinstance(kind, Object):
        return None
    shape = dict(kind.attributes).get("_shape")
    return known.as_shape(shape) if isinstance(shape, Tuple) else None


@known.rule(sparse.csr_array.__matmul__, sparse.csr_array.dot)
def matmul_kind(args, kwargs):
    shape, other = _shape(args[0]), known.shape_of(args[1])
    return Array(known.F8, (shape[0], *other[1:])) if shape and other else None


@known.rule(sparse.csr_array.__rmatmul__)
def rmatmul_kind(args, kwargs):
    shape, other = _shape(args[0]), known.shape_of(args[1])
    return Array(known.F8, (*other[:-1], shape[1])) if shape and other else None


@known.rule(
    sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix
)
def matrix_kind(args, kwargs, target):
    """A matrix, of the shape that is given."""
    shape = known.argument(args, kwargs, 1, "shape")
    if isinstance(shape, Tuple) and len(shape.items) == 2:
        return Object(target, (("_shape", shape),))
    first = known.shape_of(args[0]) if args and isinstance(args[0], Array) else None
    if first is None or len(first) != 2:
        return Object(target)
    return Object(target, (("_shape", Tuple(tuple(Number(int, n) for n in first))),))


@known.rule(sparse.csr_array.T, sparse.csr_array.transpose)
def transposed_kind(args, kwargs):
    """A matrix with rows and columns exchanged."""
    base = args[0]
    if not isinstance(base, Object):
        return None
    shape = _shape(base)
    swapped = {sparse.csr_array: sparse.csc_array, sparse.csc_array: sparse.csr_array}.get(base.cls, base.cls)
    attributes = () if shape is None else (("_shape", Tuple(tuple(dict(base.attributes)["_shape"].items[::-1]))),)
    return Object(swapped, attributes)


@known.rule(sparse_linalg.spsolve)
def spsolve_kind(args, kwargs):
    return args[1] if isinstance(args[1], Array) else None


@known.rule(sparse_linalg.SuperLU.solve)
def solve_kind(args, kwargs):
    return args[1] if isinstance(args[1], Array) else None


@known.rule(sparse_linalg.splu)
def splu_kind(args, kwargs):
    return Object(sparse_linalg.SuperLU)
