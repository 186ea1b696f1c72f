"""SciPy's sparse matrices. One with active entries is written out as its entries and where they stand; one of constants
stays the object that it is, and its transpose is `A.T`."""

import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from s2sad.kinds import known
from s2sad.kinds.kind import Array, Number, Object, Tuple
from s2sad.rules import adjoint, d, definition, linear, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import pairs_that_meet, sparse_product, sparse_solution

# -- what matrices with active entries are -----------------------------------------------------------------------------


class Entries:
    """A sparse matrix: entries that stand in rows and columns; those at the same place add up. SciPy may keep them in
    another order, so they have other names."""

    #: what it stands in for, where something has no rule
    stands_for = "a sparse array with active entries"
    #: NumPy leaves its operators to it, as to those of SciPy
    __array_priority__ = 10.1

    def __init__(self, data, row, col, shape):
        self.values = data
        self.rows = row
        self.columns = col
        self.shape = shape
        self.ndim = 2

    def __matmul__(self, other):
        if isinstance(other, SPARSE):
            return times(self, entries_of(other))
        return sparse_product(self.values, self.rows, self.columns, self.shape, other)

    def __rmatmul__(self, other):
        if isinstance(other, SPARSE):
            return times(entries_of(other), self)
        return sparse_product(self.values, self.columns, self.rows, (self.shape[1], self.shape[0]), other.T).T

    def dot(self, other):
        return self @ other

    @property
    def T(self):
        return Entries(self.values, self.columns, self.rows, (self.shape[1], self.shape[0]))

    def transpose(self):
        return self.T

    def with_data(self, data):
        return Entries(data, self.rows, self.columns, self.shape)

    def multiply(self, other):
        if np.ndim(other) == 2:
            return self.with_data(self.values * other[self.rows, self.columns])
        if np.ndim(other) == 1:
            return self.with_data(self.values * other[self.columns])
        return self.with_data(self.values * other)

    def __mul__(self, other):
        return self.multiply(other)

    def __rmul__(self, other):
        return self.multiply(other)

    def __truediv__(self, other):
        return self.multiply(1.0 / other)

    def __neg__(self):
        return self.with_data(-self.values)

    def __add__(self, other):
        other = entries_of(other)
        return Entries(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.columns, other.columns]),
            self.shape,
        )

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + -entries_of(other)

    def __rsub__(self, other):
        return entries_of(other) + -self

    def sum(self, axis=None):
        if axis is None:
            return np.sum(self.values)
        if axis == 0:
            return np.bincount(self.columns, self.values, self.shape[1])
        return np.bincount(self.rows, self.values, self.shape[0])

    def mean(self, axis=None):
        return self.sum(axis) / (self.shape[0] * self.shape[1] if axis is None else self.shape[axis])

    def diagonal(self, k=0):
        if k != 0:
            raise NoDerivative("only the main diagonal has a rule", "take it of the dense matrix")
        on = self.rows == self.columns
        return np.bincount(self.rows[on], self.values[on], min(self.shape))

    def trace(self, offset=0):
        return np.sum(self.diagonal(offset))

    def toarray(self):
        out = np.zeros(self.shape)
        np.add.at(out, (self.rows, self.columns), self.values)
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

    def plain(self):
        return self

    def of_spsolve(self, b):
        return sparse_solution(self.values, self.rows, self.columns, self.shape, b)


class Given(Entries):
    """A sparse matrix whose entries are in the order in which they were given: in SciPy's order."""

    @property
    def data(self):
        return self.values

    @property
    def row(self):
        return self.rows

    @property
    def col(self):
        return self.columns

    def plain(self):
        return Entries(self.values, self.rows, self.columns, self.shape)

    def tocsr(self):
        return self.plain()

    def tocsc(self):
        return self.plain()

    def tocoo(self):
        return self.plain()


#: the classes of matrices whose entries can be taken apart
SPARSE = (Entries, sparse.sparray, sparse.spmatrix)


def entries_of(matrix):
    """A matrix as its entries."""
    if isinstance(matrix, Entries):
        return matrix
    places = matrix.tocoo()
    return Entries(places.data, places.row, places.col, places.shape)


def times(a, b):
    """The product of two sparse matrices: a sum over the pairs of entries that meet."""
    first, second = pairs_that_meet(a.columns, b.rows)
    return Entries(a.values[first] * b.values[second], a.rows[first], b.columns[second], (a.shape[0], b.shape[1]))


def from_dense(values):
    """A sparse matrix of what is not 0 in a matrix."""
    row, col = np.nonzero(values)
    return Entries(values[row, col], row, col, values.shape)


def at_places(arg1, shape):
    """What all formats are made of: a matrix, sparse or dense, or entries and their rows and columns."""
    if isinstance(arg1, Entries):
        return arg1.plain()
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
    return Given(data, row, indices, (len(indptr) - 1, np.max(indices) + 1) if shape is None else shape)


@definition(sparse.csc_array)
def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """In the entries."""
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        return at_places(arg1, shape)
    data, indices, indptr = arg1
    col = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return Given(data, indices, col, (np.max(indices) + 1, len(indptr) - 1) if shape is None else shape)


@definition(sparse.coo_array)
def coo_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """In the entries."""
    if not isinstance(arg1, tuple):
        return at_places(arg1, shape)
    data, places = arg1
    row, col = places
    return Given(data, row, col, (np.max(row) + 1, np.max(col) + 1) if shape is None else shape)


@definition(sparse.csr_array.__mul__, sparse.csr_array.__rmul__)
def mul(self, other):
    """In a number that the matrix is multiplied with."""
    return entries_of(self).multiply(other)


@definition(sparse.csr_array.__truediv__)
def truediv(self, other):
    """In a number that the matrix is divided by."""
    return entries_of(self) / other


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


zero(helpers.pairs_that_meet)


@known.rule(helpers.pairs_that_meet)
def pairs_kind(args, kwargs):
    """Two lists of places, of a length that is not known."""
    return Tuple((Array(np.dtype(np.intp), (known.dims.fresh(),)),) * 2)


def _shape(kind):
    """The numbers of rows and columns of a matrix, or None."""
    if not isinstance(kind, Object):
        return None
    shape = dict(kind.attributes).get("_shape")
    return known.as_shape(shape) if isinstance(shape, Tuple) else None


@known.rule(sparse.csr_array.__matmul__, sparse.csr_array.dot)
def matmul_kind(args, kwargs):
    shape, other = _shape(args[0]), known.shape_of(args[1])
    if isinstance(args[1], Object) and issubclass(args[1].cls, (sparse.sparray, sparse.spmatrix)):
        right = _shape(args[1])
        return _of_shape(sparse.csr_array, (shape[0], right[1]) if shape and right else None)
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


def _of_shape(cls, shape, own=()):
    """A matrix of a class and a shape."""
    if shape is None:
        return Object(cls, tuple(own))
    return Object(cls, (("_shape", Tuple(tuple(Number(int, n) for n in shape))), *own))


@known.rule(sparse.csr_array.tocoo, sparse.csc_array.tocoo, sparse.coo_array.tocoo, sparse.dia_array.tocoo)
def coo_kind(args, kwargs):
    """A matrix by its entries."""
    n, shape = known.dims.fresh(), _shape(args[0])
    places = Array(np.dtype(np.int32), (n,))
    own = [("data", Array(known.F8, (n,))), ("row", places), ("col", places)]
    if shape is not None:
        own.append(("shape", Tuple(tuple(Number(int, m) for m in shape))))
    return _of_shape(sparse.coo_array, shape, own)


@known.rule(sparse.csr_array.tocsr, sparse.csr_array.tocsc, sparse.csc_array.tocsr, sparse.csc_array.tocsc,
            sparse.coo_array.tocsr, sparse.coo_array.tocsc, sparse.dia_array.tocsr, sparse.dia_array.tocsc)  # fmt: skip
def other_format_kind(args, kwargs, target):
    """The same matrix in another format."""
    return _of_shape(getattr(sparse, target.__name__[2:] + "_array"), _shape(args[0]))


@known.rule(sparse.csr_array.__mul__, sparse.csr_array.__rmul__, sparse.csr_array.__truediv__)
def scaled_kind(args, kwargs):
    """A matrix again, where the other factor is a number."""
    if isinstance(args[0], Object) and known.shape_of(args[1]) == ():
        return Object(args[0].cls, args[0].attributes)
    return None


@known.rule(sparse.csr_array.__add__, sparse.csr_array.__radd__, sparse.csr_array.__sub__, sparse.csr_array.__rsub__)
def sum_kind(args, kwargs):
    """A matrix again, where both are; of which format decides the first."""
    if all(isinstance(k, Object) and issubclass(k.cls, (sparse.sparray, sparse.spmatrix)) for k in args):
        return _of_shape(sparse.csr_array, _shape(args[0]))
    return None


if hasattr(sparse, "eye_array"):

    @known.rule(sparse.eye_array)
    def eye_kind(args, kwargs, target):
        """A matrix with ones on a diagonal."""
        rows = known.int_value(known.argument(args, kwargs, 0, "m"))
        columns = known.argument(args, kwargs, 1, "n")
        if rows is None or columns is not None:
            return Object(sparse.dia_array)
        return _of_shape(sparse.dia_array, (rows, rows))


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
