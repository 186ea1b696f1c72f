"""Functions that rearrange, join, split and repeat elements, and those that make arrays."""

import numpy as np

from s2sad.rules import adjoint, attributes, d, definition, linear, methods, shares_memory, tangent, zero

# -- the same elements in another arrangement --------------------------------------------------------------------------


@linear(np.reshape, permutes=True, aliases={"newshape": "shape"}, newer=("copy",))
def reshape(y, a, shape, order="C", *, copy=None):
    d[a] = reshaped(d[y], a, order)


@linear(np.ndarray.reshape, permutes=True)
def reshape(y, self, *shape, order="C", copy=None):
    d[self] = reshaped(d[y], self, order)


@linear(np.ravel, permutes=True)
def ravel(y, a, order="C"):
    d[a] = reshaped(d[y], a, order)


@linear(np.ndarray.flatten, permutes=True)
def flatten(y, self, order="C"):
    d[self] = reshaped(d[y], self, order)


@linear(np.squeeze, permutes=True)
def squeeze(y, a, axis=None):
    d[a] = reshaped(d[y], a, "C")


@linear(np.expand_dims, permutes=True)
def expand_dims(y, a, axis):
    d[a] = reshaped(d[y], a, "C")


@linear(np.transpose, permutes=True)
def transpose(y, a, axes=None):
    d[a] = transposed_back(d[y], a, axes)


@linear(np.ndarray.transpose, permutes=True)
def transpose(y, self, *axes):
    d[self] = transposed_back(d[y], self, axes)


if hasattr(np, "matrix_transpose"):

    @linear(np.matrix_transpose, np.linalg.matrix_transpose, permutes=True)
    def matrix_transpose(y, x, /):
        d[x] = mT(d[y])

    attributes(mT=np.matrix_transpose)
    shares_memory(np.matrix_transpose)
    shares_memory(np.linalg.matrix_transpose)


@linear(np.swapaxes, permutes=True)
def swapaxes(y, a, axis1, axis2):
    d[a] = swapped(d[y], a, axis1, axis2)


@linear(np.moveaxis, permutes=True)
def moveaxis(y, a, source, destination):
    d[a] = np.moveaxis(d[y], destination, source)


@linear(np.rollaxis, permutes=True)
def rollaxis(y, a, axis, start=0):
    d[a] = rolled_back(d[y], a, axis, start)


@linear(np.flip, permutes=True)
def flip(y, m, axis=None):
    d[m] = flipped(d[y], axis)


@linear(np.flipud, permutes=True)
def flipud(y, m):
    d[m] = np.flipud(d[y])


@linear(np.fliplr, permutes=True)
def fliplr(y, m):
    d[m] = np.fliplr(d[y])


@linear(np.rot90, permutes=True)
def rot90(y, m, k=1, axes=(0, 1)):
    d[m] = np.rot90(d[y], -k, axes)


@linear(np.roll, permutes=True)
def roll(y, a, shift, axis=None):
    d[a] = rolled(d[y], shift, axis)


@linear(np.atleast_1d, permutes=True)
def atleast_1d(y, *arys):
    for a in arys:
        d[a] = reshaped(d[y], a, "C")


@linear(np.atleast_2d, permutes=True)
def atleast_2d(y, *arys):
    for a in arys:
        d[a] = reshaped(d[y], a, "C")


@linear(np.atleast_3d, permutes=True)
def atleast_3d(y, *arys):
    for a in arys:
        d[a] = reshaped(d[y], a, "C")


# -- copies and conversions --------------------------------------------------------------------------------------------


@linear(np.copy, permutes=True)
def copy(y, a, order="K", subok=False):
    d[a] = d[y]


@linear(np.array, lazy=True)
def array(y, object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0):
    d[object] = items_of(d[y], object, ndmin)


@linear(np.asarray, lazy=True)
def asarray(y, a, dtype=None, order=None):
    d[a] = items_of(d[y], a)


@linear(np.asanyarray, lazy=True)
def asanyarray(y, a, dtype=None, order=None):
    d[a] = items_of(d[y], a)


@linear(np.asarray_chkfinite, lazy=True)
def asarray_chkfinite(y, a, dtype=None, order=None):
    d[a] = items_of(d[y], a)


@linear(np.require, lazy=True)
def require(y, a, dtype=None, requirements=None):
    d[a] = items_of(d[y], a)


@linear(np.ascontiguousarray, lazy=True)
def ascontiguousarray(y, a, dtype=None):
    d[a] = items_of(d[y], a)


@linear(np.asfortranarray, lazy=True)
def asfortranarray(y, a, dtype=None):
    d[a] = items_of(d[y], a)


@linear(np.ndarray.astype)
def astype(y, self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """The cotangent has the type of the argument. An integer result has no derivative: it is refused."""
    d[self] = converted(d[y], self)


@linear(np.ndarray.item)
def item(y, self, *args):
    d[self] = item_back(d[y], self, args)


#: NumPy's types, called: np.float64(x)
NUMBERS = [np.float64, np.float32, np.float16, np.longdouble]


if not np.__version__.startswith("1."):  # (before, they are said to take a real and an imaginary part)
    NUMBERS += [np.complex128, np.complex64]


WHOLE = [np.bool_, *sorted({np.dtype(code).type for code in np.typecodes["AllInteger"]}, key=lambda t: t.__name__)]


@linear(float)
def float_(y, x):
    d[x] = d[y]


@linear(*NUMBERS)
def number(y, x=0, /):
    d[x] = converted(d[y], x)


@linear(np.broadcast_to, broadcasts=True)
def broadcast_to(y, array, shape, subok=False):
    d[array] = d[y]


@linear(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(y, x, window_shape, axis=None, *, subok=False, writeable=False):
    """What is stored into it is not followed: it is a view whose elements lie over each other."""
    plain_windows(writeable)
    d[x] = helper("sliding_windows_back", x, d[y], x, window_shape, axis)


shares_memory(np.lib.stride_tricks.sliding_window_view)


@linear(np.full, lazy=True)
def full(y, shape, fill_value, dtype=None, order="C"):
    d[fill_value] = fitted(d[y], y, fill_value)


@adjoint(np.full_like, lazy=True)
def full_like(y, a, fill_value, dtype=None, order="K", subok=True, shape=None):
    d[fill_value] = fitted(d[y], y, fill_value)
    d[a] = 0.0


@tangent(np.full_like)
def full_like(y, a, fill_value, dtype=None, order="K", subok=True, shape=None):
    d[y] = np.full_like(y, d[fill_value])
    d[a] = 0.0


# -- joining and splitting ---------------------------------------------------------------------------------------------


@linear(np.concatenate, lazy=True)
def concatenate(y, arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    d[arrays] = concatenate_back(d[y], arrays, axis)


@linear(np.stack, lazy=True)
def stack(y, arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    d[arrays] = stack_back(d[y], arrays, axis)


@linear(np.vstack, lazy=True)
def vstack(y, tup, *, dtype=None, casting="same_kind"):
    d[tup] = joined_back(d[y], tup, "v")


@linear(np.hstack, lazy=True)
def hstack(y, tup, *, dtype=None, casting="same_kind"):
    d[tup] = joined_back(d[y], tup, "h")


@linear(np.dstack, lazy=True)
def dstack(y, tup):
    d[tup] = joined_back(d[y], tup, "d")


@linear(np.column_stack, lazy=True)
def column_stack(y, tup):
    d[tup] = joined_back(d[y], tup, "c")


@adjoint(np.append, lazy=True)
def append(y, arr, values, axis=None):
    parts = concatenate_back(d[y], listed(arr, values), axis)
    d[arr] = item(parts, 0)
    d[values] = item(parts, 1)


@tangent(np.append)
def append(y, arr, values, axis=None):
    d[y] = append_call(zeros_for(d[arr], arr), zeros_for(d[values], values), axis)


@linear(np.split, selects=True)
def split(y, ary, indices_or_sections, axis=0):
    d[ary] = split_back(d[y], ary, axis)


@linear(np.array_split, selects=True)
def array_split(y, ary, indices_or_sections, axis=0):
    d[ary] = split_back(d[y], ary, axis)


@linear(np.hsplit, selects=True)
def hsplit(y, ary, indices_or_sections):
    d[ary] = split_back(d[y], ary, split_axis(ary, "h"))


@linear(np.vsplit, selects=True)
def vsplit(y, ary, indices_or_sections):
    d[ary] = split_back(d[y], ary, 0)


@linear(np.dsplit, selects=True)
def dsplit(y, ary, indices_or_sections):
    d[ary] = split_back(d[y], ary, 2)


@adjoint(np.meshgrid)
def meshgrid(y, *xi, copy=True, sparse=False, indexing="xy"):
    for i, x in enumerate(xi):
        d[x] = meshgrid_back(d[y[i]], i, xi, x, sparse, indexing)


@tangent(np.meshgrid)
def meshgrid(y, *xi, copy=True, sparse=False, indexing="xy"):
    d[y] = call_again(d[xi])


@adjoint(np.broadcast_arrays)
def broadcast_arrays(y, *args, subok=False):
    for i, x in enumerate(args):
        d[x] = unbroadcast_part(d[y[i]], i, x)


@tangent(np.broadcast_arrays)
def broadcast_arrays(y, *args, subok=False):
    d[y] = call_again(d[args])


# -- repeating, padding, taking ----------------------------------------------------------------------------------------


@linear(np.repeat, counts=True)
def repeat(y, a, repeats, axis=None):
    """The sum of the copies."""
    d[a] = repeat_back(d[y], a, repeats, axis)


@linear(np.tile)
def tile(y, A, reps):
    d[A] = tile_back(d[y], A, reps)


@adjoint(np.pad)
def pad(y, array, pad_width, mode="constant", *, constant_values=0):
    d[array] = pad_back(d[y], array, pad_width, mode)


@tangent(np.pad)
def pad(y, array, pad_width, mode="constant", *, constant_values=0):
    d[y] = pad_call(d[array], pad_width, mode)


@linear(np.take, selects=True)
def take(y, a, indices, axis=None, out=None, mode="raise"):
    d[a] = take_back(d[y], a, indices, axis)


@linear(np.take_along_axis, selects=True)
def take_along_axis(y, arr, indices, axis=-1):
    d[arr] = helper("take_along_back", arr, d[y], arr, indices, axis)


@linear(np.compress, selects=True)
def compress(y, condition, a, axis=None, out=None):
    d[a] = take_back(d[y], a, np.flatnonzero(condition), axis)


@linear(np.ndarray.compress, selects=True)
def compress(y, self, condition, axis=None, out=None):
    d[self] = take_back(d[y], self, np.flatnonzero(condition), axis)


@linear(np.extract, selects=True)
def extract(y, condition, arr):
    d[arr] = take_back(d[y], arr, np.flatnonzero(condition), None)


@linear(np.delete, selects=True)
def delete(y, arr, obj, axis=None):
    d[arr] = helper("delete_back", arr, d[y], arr, obj, axis)


@linear(np.resize, selects=True)
def resize(y, a, new_shape):
    d[a] = helper("resize_back", a, d[y], a)


@adjoint(np.trim_zeros, selects=True)
def trim_zeros(y, filt, trim="fb"):
    of_rank(filt, 1, 1)
    d[filt] = helper("trim_zeros_back", filt, d[y], filt, trim)


@tangent(np.trim_zeros, selects=True)
def trim_zeros(y, filt, trim="fb"):
    of_rank(filt, 1, 1)
    d[y] = helper("trim_zeros_tangent", y, d[filt], filt, trim)


@adjoint(np.choose, selects=True)
def choose(y, a, choices, out=None, mode="raise"):
    d[choices] = choose_back(d[y], a, choices)


@tangent(np.choose, selects=True)
def choose(y, a, choices, out=None, mode="raise"):
    d[y] = np.choose(a, d[choices])


@adjoint(np.select, selects=True)
def select(y, condlist, choicelist, default=0):
    """The choice that is not taken contributes nothing, be it nan."""
    d[choicelist] = select_back(d[y], condlist, choicelist)
    d[default] = select_default_back(d[y], condlist, default)


@tangent(np.select, selects=True)
def select(y, condlist, choicelist, default=0):
    d[y] = select_tangent(d[choicelist], condlist, choicelist, d[default])


# -- methods and attributes of arrays ----------------------------------------------------------------------------------

shares_memory(np.reshape)
shares_memory(np.ndarray.reshape)
shares_memory(np.ravel)
shares_memory(np.squeeze)
shares_memory(np.expand_dims)
shares_memory(np.transpose)
shares_memory(np.ndarray.transpose)
shares_memory(np.swapaxes)
shares_memory(np.moveaxis)
shares_memory(np.rollaxis)
shares_memory(np.flip)
shares_memory(np.flipud)
shares_memory(np.fliplr)
shares_memory(np.rot90)
shares_memory(np.atleast_1d)
shares_memory(np.atleast_2d)
shares_memory(np.atleast_3d)
shares_memory(np.asarray)
shares_memory(np.asanyarray)
shares_memory(np.asarray_chkfinite)
shares_memory(np.require)
shares_memory(np.ascontiguousarray)
shares_memory(np.asfortranarray)
shares_memory(np.broadcast_to)
shares_memory(np.real)
shares_memory(np.imag)
shares_memory(np.diagonal)
shares_memory(np.diag)
shares_memory(np.split)
shares_memory(np.array_split)

methods(
    sum=np.sum, mean=np.mean, prod=np.prod, max=np.max, min=np.min, var=np.var, std=np.std, cumsum=np.cumsum,
    cumprod=np.cumprod, ptp=np.ptp, argmax=np.argmax, argmin=np.argmin, argsort=np.argsort, any=np.any, all=np.all,
    reshape=np.ndarray.reshape, ravel=np.ravel, flatten=np.ndarray.flatten, transpose=np.ndarray.transpose,
    swapaxes=np.swapaxes, squeeze=np.squeeze, repeat=np.repeat, take=np.take, clip=np.clip, dot=np.dot,
    trace=np.trace, diagonal=np.diagonal, round=np.round, copy=np.copy, astype=np.ndarray.astype, item=np.ndarray.item,
    conj=np.conjugate, conjugate=np.conjugate, nonzero=np.nonzero, searchsorted=np.searchsorted, choose=np.choose,
    compress=np.ndarray.compress, tolist=np.ndarray.tolist, __abs__=np.absolute, __neg__=np.negative,
)  # fmt: skip
attributes(T=np.transpose, real=np.real, imag=np.imag, shape=np.shape, size=np.size, ndim=np.ndim)

zero(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.eye, np.identity, np.arange, np.tri)
zero(np.shape, np.size, np.ndim, np.result_type, np.indices, np.iscomplexobj, np.isrealobj)
zero(np.argmax, np.argmin, np.argsort, np.argwhere, np.nonzero, np.flatnonzero, np.searchsorted, np.count_nonzero)
zero(np.any, np.all, np.tril_indices, np.triu_indices, np.diag_indices, np.unravel_index, np.ravel_multi_index)
zero(*WHOLE)
zero(len, bool, int, round, isinstance, range, str, repr, print, id, hash, type)


# -- sequences ---------------------------------------------------------------------------------------------------------


if hasattr(np, "astype"):

    @definition(np.astype)
    def astype(x, dtype, /, *, copy=True, device=None):
        return x.astype(dtype, copy=copy)
