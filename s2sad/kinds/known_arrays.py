"""Kinds of arrays that are made, joined, reshaped, and whose lengths depend on values."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.example import by_example
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Kind,
    List,
    ListOf,
    Number,
    Object,
    Records,
    Static,
    Tuple,
    Unknown,
)
from s2sad.kinds.known import (
    F8,
    argument,
    as_shape,
    class_of,
    dtype_argument,
    dtype_of,
    elementwise,
    int_value,
    is_none,
    known_lengths,
    literal,
    number,
    of_dtype,
    range_length,
    rule,
    shape_of,
)
from s2sad.runtime import helpers

# -- creation ----------------------------------------------------------------------------------------------------------


@rule(np.zeros, np.ones, np.empty, np.ndarray)
def _zeros(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = as_shape(argument(args, kwargs, 0, "shape"))
    wanted = argument(args, kwargs, 1, "dtype")
    dtype = F8 if is_none(wanted) else dtype_argument(wanted)
    return of_dtype(dtype, shape)


@rule(np.loadtxt, np.genfromtxt, np.fromiter, np.frombuffer)
def _read_in(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    wanted = argument(args, kwargs, 1, "dtype")
    dtype = F8 if wanted is None else dtype_argument(wanted)
    parts = {"unpack", "names", "usecols", "converters", "usemask"} & kwargs.keys()
    return of_dtype(dtype, None) if not parts else Unknown()


@rule(np.full)
def _full(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = as_shape(argument(args, kwargs, 0, "shape"))
    value = argument(args, kwargs, 1, "fill_value")
    wanted = argument(args, kwargs, 2, "dtype")
    dtype = dtype_argument(wanted) if not is_none(wanted) else (dtype_of(value) if value is not None else None)
    return of_dtype(dtype, shape)


@rule(np.zeros_like, np.ones_like, np.empty_like, np.full_like)
def _like(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return None
    given = kwargs.get("dtype", args[2] if target is np.full_like and len(args) > 2 else None)
    if target is not np.full_like and len(args) > 1:
        given = args[1]
    dtype = dtype_of(args[0]) if is_none(given) else dtype_argument(given)
    shape = as_shape(kwargs["shape"]) if not is_none(kwargs.get("shape")) else shape_of(args[0])
    if isinstance(args[0], Records) and is_none(given):
        return args[0]
    return of_dtype(dtype, shape)


@rule(np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.atleast_1d, np.copy, np.require)
def _asarray(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args or (len(args) > 1 and target is np.atleast_1d) or "ndmin" in kwargs:
        return None
    wanted = argument(args, kwargs, 1, "dtype") if target is not np.copy else None
    dtype = dtype_of(args[0]) if is_none(wanted) else dtype_argument(wanted)
    if isinstance(args[0], Records) and is_none(wanted):
        return args[0]
    if dtype is not None and dtype.kind not in "fciub":
        return Records(dtype)
    if dtype is None or isinstance(args[0], (Unknown, Object, Dict)):
        return Unknown()
    shape = shape_of(args[0])
    if shape == () and target in (np.atleast_1d, np.ascontiguousarray):
        shape = (dims.ONE,)
    return Array(dtype, shape)


@rule(np.arange)
def _arange(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or any(name != "dtype" for name in kwargs):
        return None
    bounds = [number(a) for a in args[:3]]
    types = [dtype_of(b) for b in bounds]
    wanted = argument(args, kwargs, 3, "dtype")
    if not is_none(wanted):
        dtype = dtype_argument(wanted)
    else:
        dtype = None if any(t is None for t in types) else np.result_type(*[t for t in types if t is not None])
    if dtype is None:
        return Unknown()
    values = [int_value(b) for b in bounds]
    if None in values:
        return Array(dtype, (dims.fresh(),))
    known = [v for v in values if v is not None]
    return Array(dtype, (range_length(known),))


# -- joining and reshaping ---------------------------------------------------------------------------------------------


@rule(np.concatenate)
def _concatenate(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or not isinstance(args[0], (Tuple, List)) or any(name != "axis" for name in kwargs):
        return None
    try:
        axis = literal(argument(args, kwargs, 1, "axis"), 0)
    except LookupError:
        return None
    types = [dtype_of(item) for item in args[0].items]
    shapes = [shape_of(item) for item in args[0].items]
    if not types or any(t is None for t in types) or axis is None:
        return None
    dtype = np.result_type(*[t for t in types if t is not None])
    if None in shapes:
        return Array(dtype, None)
    known = [s for s in shapes if s is not None]
    rank = len(known[0])
    if any(len(s) != rank for s in known) or not -rank <= axis < rank:
        return Unknown()
    axis %= rank
    total = dims.ZERO
    for s in known:
        total = total + s[axis]
    rest = list(known[0])
    for s in known[1:]:
        rest = [a if a.known else b for a, b in zip(rest, s, strict=True)]
    rest[axis] = total
    return Array(dtype, tuple(rest))


@rule(np.sum, np.mean, np.prod, np.max, np.min)
def _reduction(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    """Along an axis, the lengths of the others, however long this one is."""
    array = args[0] if args else None
    if not isinstance(array, Array) or array.shape is None or len(array.shape) < 2 or len(args) + len(kwargs) != 2:
        return None
    try:
        axis = literal(argument(args, kwargs, 1, "axis"))
    except LookupError:
        return None
    if type(axis) is not int or not -len(array.shape) <= axis < len(array.shape):
        return None
    rest = [d for k, d in enumerate(array.shape) if k != axis % len(array.shape)]
    return Array(target(np.ones((1, 1), array.dtype), axis=0).dtype, tuple(rest), mixed=array.mixed)


@rule(np.stack)
def _stack(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or any(name != "axis" for name in kwargs):
        return None
    shape, dtype = shape_of(args[0]), dtype_of(args[0])
    try:
        axis = literal(argument(args, kwargs, 1, "axis"), 0)
    except LookupError:
        return None
    if dtype is None or not isinstance(args[0], (Tuple, List, ListOf)):
        return None
    if shape is None:
        return Array(dtype, None)
    rest = list(shape[1:])
    if not -len(shape) <= axis < len(shape):
        return Unknown()
    rest.insert(axis % len(shape), shape[0])
    return Array(dtype, tuple(rest))


@rule(np.reshape, np.ndarray.reshape)
def _reshape(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return None
    wanted = args[1] if len(args) > 1 else kwargs.get("shape", kwargs.get("newshape"))
    if target is np.ndarray.reshape and len(args) > 2:
        wanted = Tuple(tuple(args[1:]))
    dtype, shape = dtype_of(args[0]), as_shape(wanted)
    if dtype is None:
        return None
    if shape is None:
        return Array(dtype, None)
    old = shape_of(args[0])
    minus = [i for i, d in enumerate(shape) if dims.at_most(d, -1)]
    if minus:
        rest = dims.product_of(d for i, d in enumerate(shape) if i != minus[0])
        if old is None or len(minus) > 1:
            length = dims.fresh()
        else:
            # it divides, or the primal raises
            length = dims.floordiv(dims.product_of(old), rest) if rest != dims.ZERO else dims.ZERO
        shape = tuple(length if i == minus[0] else d for i, d in enumerate(shape))
    else:
        shape = tuple(_reshaped(d, i, shape, old) for i, d in enumerate(shape))
    return (_of_scalar(args[0]) if shape == () else None) or Array(dtype, shape)


def _reshaped(dim: Dim, position: int, shape: tuple[Dim, ...], old: tuple[Dim, ...] | None) -> Dim:
    """The length that an int in a new shape stands for: an int that is not known to be positive may be -1."""
    if dims.at_least(dim, 0) or shape.count(dim) > 1:  # -1 can stand only once
        return dim
    if old is None:
        return dims.fresh()
    rest = dims.product_of(d for i, d in enumerate(shape) if i != position)
    total = dims.product_of(old)
    if dims.product(dim, rest) == total:
        return dim
    name = f"({dim}) if not -1 else ({total}) // ({rest})"
    return dims.define(name, lambda d, t, r: d if d >= 0 else t // r if r else 0, (dim, total, rest), 0)


@rule(np.squeeze, np.ndarray.squeeze)
def _squeeze(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Without an axis, the rank depends on which lengths are 1."""
    shape, dtype = (shape_of(args[0]), dtype_of(args[0])) if args else (None, None)
    if dtype is None or not is_none(argument(args, kwargs, 1, "axis")):
        return None
    if shape is None or not all(d.known or dims.at_least(d, 2) for d in shape):
        return Array(dtype, None)
    return _of_scalar(args[0]) or Array(dtype, tuple(d for d in shape if d != dims.ONE))


def _of_scalar(kind: Kind) -> Number | None:
    """A NumPy scalar that a function gives back as one: methods of its own do what is asked for."""
    return kind if isinstance(kind, Number) and issubclass(kind.type, np.generic) else None


@rule(np.cov, np.corrcoef)
def _cov(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The covariance of a single row is a 0-d array."""
    if any(isinstance(k, Number) for k in args):
        return None
    known_shape = args and len(args) == 1 and isinstance(args[0], Array) and args[0].shape is not None
    if known_shape and all(d.known or dims.at_least(d, 2) for d in args[0].shape):  # type: ignore[attr-defined]
        return None
    return Array(F8, None)


@rule(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def _ravel(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args:
        return None
    dtype, shape = dtype_of(args[0]), shape_of(args[0])
    if dtype is None:
        return None
    return Array(dtype, (dims.fresh() if shape is None else dims.product_of(shape),))


@rule(np.convolve, np.correlate)
def _convolve(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    mode = literal(argument(args, kwargs, 2, "mode"), "full" if target is np.convolve else "valid")
    shapes = [shape_of(a) for a in args[:2]]
    types = [dtype_of(a) for a in args[:2]]
    if mode not in ("full", "same", "valid") or not all(s is not None and len(s) == 1 for s in shapes):
        return None
    (n,), (m,) = (s for s in shapes if s is not None)
    longest = dims.maximum(n, m)
    # neither is empty, or NumPy raises
    lengths = {"full": n + m - 1, "same": longest, "valid": longest - dims.minimum(n, m) + 1}
    dtype = np.result_type(*[t for t in types if t is not None])
    return None if any(t is None for t in types) else Array(dtype, (lengths[mode],))


@rule(np.polydiv, np.polynomial.polynomial.polydiv)
def _polydiv(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    u, v = (*args, *kwargs.values())
    if not (isinstance(u, Array) and isinstance(v, Array)):
        return Tuple((Unknown(), Unknown()))
    dtype = np.result_type(u.dtype, v.dtype, np.float32 if u.dtype.kind in "fc" else np.float64)
    return Tuple((Array(dtype, (dims.fresh(),)), Array(dtype, (dims.fresh(),))))


@rule(np.lib.stride_tricks.sliding_window_view)
def _windows(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, given = args[0], argument(args, kwargs, 1, "window_shape")
    axis = literal(argument(args, kwargs, 2, "axis"))
    if not isinstance(base, Array) or base.shape is None or given is None:
        return None
    parts = given.items if isinstance(given, (Tuple, List)) else (given,)
    window = [n for part in parts if (n := int_value(part)) is not None]
    axes = range(len(base.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(window) != len(axes):
        return Array(base.dtype, None)
    shape = list(base.shape)
    for k, n in zip(axes, window, strict=True):
        shape[k] = shape[k] - n + 1
    return Array(base.dtype, (*shape, *window))


@rule(np.broadcast_to)
def _broadcast_to(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    dtype = dtype_of(args[0]) if args else None
    return None if dtype is None else Array(dtype, as_shape(argument(args, kwargs, 1, "shape")))


@rule(np.where)
def _where(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 1:
        shape = shape_of(args[0])
        if shape is None:
            return Unknown()
        count = dims.fresh()
        return Tuple(tuple(Array(np.dtype(np.intp), (count,)) for _ in shape))
    if len(args) == 3:
        shapes = [shape_of(a) for a in args]
        types = [dtype_of(a) for a in args[1:]]
        if any(t is None for t in types):
            return None
        # Python scalars are weak: let NumPy say
        example = [np.ones(1, a.dtype) if isinstance(a, Array) else a for a in args[1:]]
        values = [e if isinstance(e, np.ndarray) else np.ones(1, t) if not isinstance(e, Number) else e.type(1)
                  for e, t in zip(example, types, strict=True)]  # fmt: skip
        dtype = np.where(np.ones(1, bool), *values).dtype
        joint: tuple[Dim, ...] | None = ()
        for s in shapes:
            joint = None if s is None or joint is None else dims.broadcast_shapes(joint, s)
        return Array(dtype, joint)
    return None


# -- lengths that depend on values -------------------------------------------------------------------------------------


@rule(np.delete)
def _delete(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, taken = args[0], argument(args, kwargs, 1, "obj")
    axis = literal(argument(args, kwargs, 2, "axis"))
    one = isinstance(taken, (Number, Static)) and int_value(taken) is not None
    if one and isinstance(base, Array) and base.shape and (axis is not None or len(base.shape) == 1):
        shape = list(base.shape)
        shape[axis or 0] = shape[axis or 0] - 1  # an index outside is an error
        return Array(base.dtype, tuple(shape))
    return _counted(args, kwargs, np.delete)


@rule(np.insert)
def _insert(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, place, new = args[0], argument(args, kwargs, 1, "obj"), argument(args, kwargs, 2, "values")
    axis, shape = literal(argument(args, kwargs, 3, "axis")), None if new is None else shape_of(new)
    one = isinstance(place, (Number, Static)) and int_value(place) is not None and isinstance(axis, (int, type(None)))
    if one and isinstance(base, Array) and base.shape and shape is not None and len(shape) < len(base.shape):
        lengths = list(base.shape)
        if axis is not None or len(lengths) == 1:
            lengths[axis or 0] = lengths[axis or 0] + 1
            return Array(base.dtype, tuple(lengths))
    return _counted(args, kwargs, np.insert)


@rule(np.repeat, np.ndarray.repeat, np.tile, np.pad, np.resize,
      np.block, np.polyint, np.polyder)  # fmt: skip
def _counted(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    """Lengths depend on the values of the second argument: fine where these are known."""
    exact = target is np.block or all(known_lengths(kind) for kind in (*args[1:2], *kwargs.values()))
    return by_example(target, args, kwargs, lengths=exact)


@rule(np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit)
def _split(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    base, sections = args[0], int_value(argument(args, kwargs, 1, "indices_or_sections"))
    if target is not np.array_split and sections and sections.known and isinstance(base, Array) and base.shape:
        axis = literal(argument(args, kwargs, 2, "axis"), 0)
        if target is not np.split:
            axis = 0 if target is np.vsplit or len(base.shape) == 1 else 1 if target is np.hsplit else 2
        shape = list(base.shape)
        shape[axis] = dims.floordiv(shape[axis], sections)
        return List((Array(base.dtype, tuple(shape)),) * sections.const)
    return _counted(args, kwargs, target)


@rule(np.cross, *([np.linalg.cross] if hasattr(np.linalg, "cross") else []))
def _cross(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Vectors of three; by example the lengths would not be three."""
    if len(args) == 2 and not kwargs:
        return elementwise(np.multiply, args) if _vectors_of_three(args) else None
    try:
        axis = literal(argument(args, kwargs, 5, "axis"))
        axes = [literal(argument(args, kwargs, 2 + i, n), -1) for i, n in enumerate(("axisa", "axisb", "axisc"))]
    except LookupError:
        return None
    axes = [axis] * 3 if axis is not None else axes
    parts = []
    for kind, i in zip(args[:2], axes, strict=False):
        shape = shape_of(kind)
        if not shape or not -len(shape) <= i < len(shape) or (shape[i].known and shape[i].const != 3):
            return None
        parts.append(tuple(d for k, d in enumerate(shape) if k != i % len(shape)))
    rest = dims.broadcast_shapes(*parts)
    dtypes = [dtype_of(k) for k in args[:2]]
    if rest is None or any(d is None for d in dtypes):
        return None
    at = axes[2] % (len(rest) + 1)
    dtype = np.result_type(*[d for d in dtypes if d is not None])
    return Array(dtype, (*rest[:at], Dim.of(3), *rest[at:]))


def _vectors_of_three(args: list[Kind]) -> bool:
    shapes = [shape_of(k) for k in args]
    return all(s is not None and s and not (s[-1].known and s[-1].const != 3) for s in shapes)


@rule(np.linspace, np.logspace, np.geomspace)
def _linspace(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) > 5 or not set(kwargs) <= {"num", "endpoint", "base", "start", "stop"}:
        return None
    num = argument(args, kwargs, 2, "num")
    length = Dim.of(50) if num is None else int_value(num)
    ends = [argument(args, kwargs, i, n) for i, n in enumerate(("start", "stop"))]
    if length is None or any(e is None for e in ends):
        return None
    both = elementwise(np.add, [e for e in ends if e is not None])
    shape, dtype = (shape_of(both), dtype_of(both)) if both is not None else (None, None)
    if shape is None or dtype is None:
        return None
    return Array(np.result_type(dtype, np.float64) if dtype.kind != "c" else dtype, (length, *shape))


@rule(np.linalg.solve)
def _solve(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """As long as the right-hand sides, also where the lengths of the matrix have other symbols."""
    if len(args) != 2 or kwargs:
        return None
    a, b = args
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.shape is None or b.shape is None:
        return None
    if len(a.shape) != 2 or len(b.shape) not in (1, 2) or a.dtype.kind not in "fc" or b.dtype.kind not in "fc":
        return None
    return Array(np.result_type(a.dtype, b.dtype), b.shape)


@rule(np.eye, np.identity)
def _eye(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    rows = as_shape(argument(args, kwargs, 0, "N" if target is np.eye else "n"))
    columns = argument(args, kwargs, 1, "M") if target is np.eye else None
    wanted = kwargs.get("dtype", args[3] if target is np.eye and len(args) > 3 else None)
    dtype = F8 if is_none(wanted) else dtype_argument(wanted)
    second = rows if is_none(columns) else as_shape(columns)
    return Array(dtype, rows + second) if rows and second and dtype is not None else Unknown()


@rule(np.histogram)
def _histogram(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    bins = argument(args, kwargs, 1, "bins")
    if isinstance(bins, Array) and bins.shape is not None and len(bins.shape) == 1:
        weights, density = argument(args, kwargs, 4, "weights"), argument(args, kwargs, 3, "density")
        if not is_none(density) and literal(density, None) is not False:
            return Tuple((Array(F8, (bins.shape[0] - dims.ONE,)), bins))
        dtype = np.dtype(int) if weights is None or is_none(weights) else dtype_of(weights)
        return None if dtype is None else Tuple((Array(dtype, (bins.shape[0] - dims.ONE,)), bins))
    return by_example(np.histogram, args, kwargs, lengths=bins is None or int_value(bins) is not None)


@rule(np.partition, np.argpartition)
def _partition(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    """As if sorted: a small example need not have a kth element."""
    axis = argument(args, kwargs, 2, "axis")
    like = np.sort if target is np.partition else np.argsort
    return by_example(like, args[:1], {} if axis is None else {"axis": axis})


@rule(np.take)
def _take(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """With zeros for indices that are written out: a small example need not have such elements."""
    if len(args) < 2 or not isinstance(args[1], (List, Tuple, Number)):
        return None
    return by_example(np.take, [args[0], _zero_indices(args[1]), *args[2:]], kwargs)


def _zero_indices(kind: Kind) -> Kind:
    if isinstance(kind, (List, Tuple)):
        return List(tuple(map(_zero_indices, kind.items)))
    return Number(int, Dim.of(0)) if kind.whole else kind


@rule(np.digitize)
def _digitize(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if args else None
    if shape is None:
        return None
    return Array(np.dtype(np.intp), shape) if shape else Number(np.intp)


@rule(np.argmax, np.argmin)
def _argmax(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Of whatever array: without an axis it is one number."""
    return Number(np.int64) if len(args) == 1 and not kwargs and isinstance(args[0], Unknown) else None


@rule(np.finfo, np.iinfo)
def _finfo(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    dtype = dtype_argument(args[0]) or dtype_of(args[0])
    return Unknown() if dtype is None else Static(target(dtype))


@rule(type)
def _type(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    cls = class_of(args[0]) if len(args) == 1 else None
    several = len(args) == 1 and isinstance(args[0], Number) and bool(args[0].types)
    return Unknown() if cls is None or several else Callable(cls)


@rule(str, repr, format)
def _str(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Object(str)


# -- helpers of generated code -----------------------------------------------------------------------------------------


@rule(helpers.unbroadcast)
def _unbroadcast(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The shape of the second argument, and real where that is."""
    g, x = (dtype_of(k) for k in args)
    shape = shape_of(args[1])
    if g is None or x is None or shape is None:
        return Unknown()
    dtype = g if x.kind == "c" or g.kind != "c" else np.real(np.zeros(1, g)).dtype
    return Array(dtype, shape) if shape else Number(dtype.type)
