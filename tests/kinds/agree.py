"""Does a kind describe a value?"""

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Callable, Dict, List, ListOf, Number, Object, Static, Tuple, Unknown


class Sizes(dict):
    """The values of base symbols; a symbol that has none takes the value it is first held against."""

    def length(self, dim, actual, where):
        unknown = [s for s in dims.base_symbols([dim]) if s not in self]
        if unknown:
            if dim.terms == ((unknown[0], 1),) and dim.const == 0:
                self[unknown[0]] = actual
            else:
                return  # a function of something that only the program knows
        assert dims.value(dim, self) == actual, f"{where}: {dim} is {dims.value(dim, self)}, not {actual}"
        low = dims.lower(dim)
        assert low is None or low <= actual, f"{where}: {dim} is said to be at least {low}, and is {actual}"


def bind(kind, value, sizes):
    """Give the symbols of an argument's kind their values."""
    if isinstance(kind, Array):
        for dim, n in zip(kind.shape, value.shape, strict=True):
            if dim.terms:
                sizes[dim.terms[0][0]] = n
    elif isinstance(kind, Number) and kind.value is not None and kind.value.terms:
        sizes[kind.value.terms[0][0]] = value
    elif isinstance(kind, (Tuple, List)):
        for k, v in zip(kind.items, value, strict=True):
            bind(k, v, sizes)
    elif isinstance(kind, Dict):
        for key, k in kind.items:
            bind(k, value[key], sizes)


def agree(kind, value, sizes, where=""):
    """Raise AssertionError unless `value` is of the kind."""
    if isinstance(kind, Unknown):
        return
    if isinstance(kind, Number):
        assert type(value) is kind.type, f"{where}: {type(value)} is not {kind.type}"
        if kind.value is not None:
            sizes.length(kind.value, value, where)
    elif isinstance(kind, Array):
        scalar = kind.shape is None and isinstance(value, np.generic)
        assert type(value) is np.ndarray or scalar, f"{where}: {type(value)} is no array"
        assert value.dtype == kind.dtype, f"{where}: {value.dtype} is not {kind.dtype}"
        if kind.shape is not None:
            assert value.ndim == len(kind.shape), f"{where}: rank {value.ndim}, not {len(kind.shape)}"
            for dim, n in zip(kind.shape, value.shape, strict=True):
                sizes.length(dim, n, where)
    elif isinstance(kind, Static):
        assert type(value) is type(kind.value) and value == kind.value, f"{where}: {value!r} is not {kind.value!r}"
    elif isinstance(kind, Callable):
        assert value is kind.value
    elif isinstance(kind, (Tuple, List)):
        assert isinstance(value, (list, tuple)) or hasattr(value, "__iter__")
        value = list(value)
        assert len(value) == len(kind.items), f"{where}: {len(value)} items, not {len(kind.items)}"
        for i, (k, v) in enumerate(zip(kind.items, value, strict=True)):
            agree(k, v, sizes, f"{where}[{i}]")
    elif isinstance(kind, ListOf):
        for v in value:
            agree(kind.item, v, sizes, where)
    elif isinstance(kind, Dict):
        assert list(value) == [k for k, _ in kind.items]
        for key, k in kind.items:
            agree(k, value[key], sizes, where)
    elif isinstance(kind, Object):
        assert isinstance(value, kind.cls), f"{where}: {type(value)} is no {kind.cls}"
