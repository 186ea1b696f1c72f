"""Linear algebra in its seldom used forms, said with the functions that have rules."""

import numpy as np

from s2sad.rules import definition

_LAST = (-2, -1)


@definition(np.linalg.cholesky, given=("upper",))
def cholesky(a, /, *, upper=False):
    """The upper triangle of a is read, and gets the cotangent."""
    if not upper:
        return np.linalg.cholesky(a)
    return np.conj(np.swapaxes(np.linalg.cholesky(np.conj(np.swapaxes(a, -1, -2))), -1, -2))


@definition(np.linalg.tensorsolve, given=("axes",))
def tensorsolve(a, b, axes=None):
    if axes is None:
        return np.linalg.tensorsolve(a, b)
    order = [k for k in range(np.ndim(a)) if k not in axes] + list(axes)
    return np.linalg.tensorsolve(np.transpose(a, order), b)


def _other_condition(call):
    return call.given("p") and call.static("p") != 2


@definition(np.linalg.cond, when=_other_condition)
def cond(x, p=None):
    if p == -2:
        s = np.linalg.svd(x, compute_uv=False)
        return (s[..., -1] / s[..., 0])[()]
    return np.linalg.norm(x, p, axis=_LAST) * np.linalg.norm(np.linalg.inv(x), p, axis=_LAST)


def _lengths(x, ord, axis, keepdims):
    """The vector norm of any order, along one or several axes, of anything with absolute values."""
    a = np.abs(x)
    if ord == np.inf:
        return np.max(a, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(a, axis=axis, keepdims=keepdims)
    return np.sum(a**ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _other_norm(call):
    """Norms that the templates do not say: of unknown order; of matrices that are complex or not on the last axes."""
    ord, axis = call.static("ord"), call.static("axis")
    matrix = (axis is None and call.rank("x") == 2) or (isinstance(axis, tuple) and len(axis) == 2)
    if ord is None or axis is Ellipsis:
        return False
    if ord is Ellipsis:
        return not matrix
    if not matrix or ord in ("fro", "f"):
        return False
    rank = call.rank("x")
    last = axis is None or (rank is not None and tuple(k % rank for k in axis) == (rank - 2, rank - 1))
    return not last or call.is_complex("x")


@definition(np.linalg.norm, when=_other_norm, active=("ord",))
def norm(x, ord=None, axis=None, keepdims=False):
    if (np.ndim(x) != 2 and axis is None) or isinstance(axis, int):
        return _lengths(x, ord, axis, keepdims)
    if keepdims:
        y = np.linalg.norm(np.moveaxis(x, _LAST if axis is None else axis, _LAST), ord, axis=_LAST)
        return np.expand_dims(y, (0, 1) if axis is None else tuple([k % np.ndim(x) for k in axis]))
    if axis is not None:
        x = np.moveaxis(x, axis, _LAST)
    if np.isrealobj(x):
        return np.linalg.norm(x, ord, axis=_LAST)
    if ord == 1:
        return np.max(np.sum(np.abs(x), axis=-2), axis=-1)
    if ord == -1:
        return np.min(np.sum(np.abs(x), axis=-2), axis=-1)
    if ord == "nuc":
        return np.sum(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == 2:
        return np.max(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == -2:
        return np.min(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == np.inf:
        return np.max(np.sum(np.abs(x), axis=-1), axis=-1)
    return np.min(np.sum(np.abs(x), axis=-1), axis=-1)


def _several_axes(call):
    axis = call.static("axis")
    order = call.static("ord")
    return order != 2 and (order is Ellipsis or (axis is None and call.rank("x") != 1) or isinstance(axis, tuple))


if hasattr(np.linalg, "vector_norm"):

    @definition(np.linalg.vector_norm, when=_several_axes, active=("ord",))
    def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
        return _lengths(x, ord, axis, keepdims)

    def _complex_norm(call):
        return call.is_complex("x") and call.static("ord") not in ("fro", "f")

    @definition(np.linalg.matrix_norm, when=_complex_norm)
    def matrix_norm(x, /, *, keepdims=False, ord="fro"):
        return np.linalg.norm(x, ord, axis=_LAST, keepdims=keepdims)
