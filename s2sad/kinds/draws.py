"""Kinds of random draws, which are never run."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.kinds import dims, known
from s2sad.kinds.dims import broadcast_shapes
from s2sad.kinds.kind import Array, Dim, Either, Kind, Number, Object, Tuple
from s2sad.kinds.known import UNKNOWN
from s2sad.kinds.pure import words

_DRAWS = words(
    "normal uniform random standard_normal random_sample ranf sample exponential standard_exponential gamma beta"
    " laplace lognormal logistic gumbel chisquare standard_t standard_gamma standard_cauchy weibull pareto power"
    " rayleigh vonmises wald triangular f noncentral_chisquare noncentral_f"
)
_INT_DRAWS = words("integers randint poisson binomial geometric negative_binomial hypergeometric")
_SIZE_ONLY = words("random standard_normal random_sample ranf sample standard_exponential standard_cauchy")
_ONE_PARAMETER = words(
    "exponential poisson rayleigh weibull pareto power chisquare standard_t standard_gamma geometric"
)

_GENERATORS = (np.random.Generator, np.random.RandomState)


def draw(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    owner = getattr(target, "__self__", None)
    if not isinstance(owner, (np.random.Generator, np.random.RandomState)):
        if target in (np.random.default_rng, np.random.Generator):
            return Object(np.random.Generator)
        if target is np.random.RandomState:
            return Object(np.random.RandomState)
        if args and any(getattr(c, getattr(target, "__name__", ""), None) is target for c in _GENERATORS):
            return draw_kind(target.__name__, args[1:], kwargs) or UNKNOWN
        return None
    return draw_kind(target.__name__, args, kwargs)


def draw_kind(name: str, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The kind of a random draw; nothing is drawn."""
    if name in ("rand", "randn"):
        shape = known.as_shape(Tuple(tuple(args)))
        return Number(float) if shape == () else (Array(known.F8, shape) if shape is not None else None)
    if name in ("permutation", "choice"):
        return _of_items(name, args, kwargs)
    if name in _SIZE_ONLY:
        size = known.argument(args, kwargs, 0, "size")
        parameters: list[Kind] = []
    elif name in _DRAWS or name in _INT_DRAWS:
        size = kwargs.get("size") or (args[2] if len(args) > 2 else None)
        parameters = [*args[:2], *(v for k, v in kwargs.items() if k not in ("size", "dtype", "endpoint"))]
        if len(args) == 2 and "size" not in kwargs and name in _ONE_PARAMETER:
            parameters, size = parameters[:1], args[1]
    else:
        return None
    if "dtype" in kwargs:
        return None
    dtype = known.F8 if name in _DRAWS else np.dtype(np.int64)
    if not known.is_none(size):
        shape = known.as_shape(size)
        return Array(dtype, shape)
    total: tuple[Dim, ...] | None = ()
    for parameter in parameters:
        shape = known.shape_of(parameter)
        total = None if shape is None or total is None else broadcast_shapes(total, shape)
    if total == ():
        return Number(float if name in _DRAWS else int)
    return Array(dtype, total)


def _of_items(name: str, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The kind of a permutation, or of a choice, of the numbers below an int or the items of an array."""
    source = known.argument(args, kwargs, 0, "x" if name == "permutation" else "a")
    size = known.argument(args, kwargs, 1, "size") if name == "choice" else None
    if "axis" in kwargs or isinstance(source, Either):
        return None
    if isinstance(source, Number) and source.whole:
        items = Array(np.dtype(np.int64), (source.value if source.value is not None else dims.fresh(),))
    elif isinstance(source, Array) and source.shape:
        items = Array(source.dtype, source.shape)
    else:
        return None
    if name == "permutation":
        return items
    if len(items.shape or ()) != 1:
        return None
    if size is None or known.is_none(size):
        return Number(int if isinstance(source, Number) else items.dtype.type)
    shape = known.as_shape(size)
    return None if shape is None else Array(items.dtype, shape)
