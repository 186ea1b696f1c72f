"""Tables and series with labels (pandas, xarray): what is known of them, and what a plain array is made from them by.

Their operators go by labels, their reductions leave out what is missing: no rule of an array holds for them. So they
carry no derivative, and are used as they stand until a column is taken out as an array: `df["x"].to_numpy()`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dim, Kind, List, Number, Object, Static, Tuple, Unknown
from s2sad.runtime.identity import held_attribute

#: the packages whose objects are used as they stand, and how an array is made of one
LABELLED = {"pandas": ".to_numpy()", "xarray": ".to_numpy()", "polars": ".to_numpy()"}
#: arrays that are no arrays of NumPy, and how to make one of them
FOREIGN = {
    "torch": "{}.detach().cpu().numpy()", "jax": "np.asarray({})", "jaxlib": "np.asarray({})",
    "dask": "{}.compute()", "tensorflow": "{}.numpy()", "cupy": "{}.get()", "mlx": "np.asarray({})",
}  # fmt: skip
#: what reads all of them as an array
_WHOLE = ("values", "to_numpy", "array")
#: methods of a series that give a number
_NUMBERS = frozenset(["sum", "mean", "prod", "min", "max", "std", "var", "median", "sem", "item"])
#: methods of a table or a series that give some of its rows, or all of them in another order
_OF_ROWS = frozenset(
    ["copy", "head", "tail", "query", "dropna", "sort_values", "sort_index", "sample", "drop_duplicates"]
)
#: methods of a series that tell yes or no of each value
_MASKS = frozenset(["isin", "between", "isna", "isnull", "notna", "notnull", "eq", "ne", "lt", "le", "gt", "ge"])
_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
#: attributes that are no labelled data
_PLAIN = frozenset(["shape", "size", "ndim", "empty", "name", "columns", "index", "dtype", "dtypes"])


def _package(cls: type, packages: dict[str, str]) -> str:
    """Which of these packages a class, or a class that it is built on, is from."""
    named = (base.__module__.partition(".")[0] for base in cls.__mro__ if isinstance(base.__module__, str))
    return next((name for name in named if name in packages), "")


def is_labelled(cls: type) -> bool:
    """Is it a class of tables or series with labels?

    >>> is_labelled(dict), is_labelled(np.ndarray)
    (False, False)
    """
    return bool(_package(cls, LABELLED))


def labelled_by(function: Any) -> Object | None:
    """The kind of what a function of such a package gives: it may be labelled. None for all other functions."""
    package = str(getattr(function, "__module__", None) or "").partition(".")[0]
    module = sys.modules.get(package) if package in LABELLED else None
    if module is None:
        return None
    return Object(getattr(module, "DataFrame", None) or module.Dataset)


def foreign_array(value: Any) -> str:
    """How an array of NumPy is made of an array of another library, with {} for its name; "" for all other values."""
    package = _package(type(value), FOREIGN)
    return FOREIGN[package] if package and hasattr(value, "shape") else ""


def foreign_library(function: Any) -> str:
    """The library of such arrays that a function is from; "" for all other functions.

    >>> foreign_library(np.sum)
    ''
    """
    package = str(held_attribute(function, "__module__") or "").partition(".")[0]
    return package if package in FOREIGN else ""


def labelled_kind(value: Any, length: Callable[[int, int], Dim]) -> Object:
    """The kind of a table or a series: its class, and what its columns are as arrays."""
    cls = type(value)
    columns = _columns(value)
    if columns is None:
        dtype = _dtype(value)
        known = () if dtype is None else (("values", Array(dtype, (length(len(value), 0),))),)
        return Object(cls, known)
    series = type(value[columns[0][0]]) if columns else cls
    rows = length(len(value), 0)
    held = ((f"[{name!r}]", () if dtype is None else (("values", Array(dtype, (rows,))),)) for name, dtype in columns)
    found: list[tuple[str, Kind]] = [(name, Object(series, values)) for name, values in held]
    if columns and all(dtype is not None for _, dtype in columns):
        common = np.result_type(*[dtype for _, dtype in columns if dtype is not None])
        found.append(("values", Array(common, (rows, length(len(columns), 1)))))
    return Object(cls, tuple(found))


def labelled_key(value: Any, lengths: dict[int, int]) -> Hashable:
    """What code for a table or a series is kept under."""
    columns = _columns(value)
    size = lengths.setdefault(len(value), len(lengths)) if hasattr(value, "__len__") else None
    if columns is None:
        return type(value), _dtype(value), size
    return type(value), tuple(columns), size, lengths.setdefault(len(columns), len(lengths))


def _columns(value: Any) -> list[tuple[Any, np.dtype[Any] | None]] | None:
    """The names of a table's columns with the dtypes of their arrays, where they are names and each is there once."""
    columns = getattr(value, "columns", None)
    dtypes = getattr(value, "dtypes", None)
    if columns is None or dtypes is None or getattr(value, "ndim", 0) != 2:
        return None
    names = list(columns)
    if len(set(names)) < len(names) or not all(isinstance(n, (str, int)) for n in names):
        return []
    return [(name, _numeric(dtype)) for name, dtype in zip(names, list(dtypes), strict=True)]


def _dtype(value: Any) -> np.dtype[Any] | None:
    return _numeric(getattr(value, "dtype", None)) if getattr(value, "ndim", 0) == 1 else None


def _numeric(dtype: Any) -> np.dtype[Any] | None:
    return dtype if isinstance(dtype, np.dtype) and dtype.kind in "fciub" else None


def anything_of(kind: Object) -> Object:
    """The kind of what a table or a series gives for a question whose answer is not known: labelled, too."""
    return Object(kind.cls)


def part_kind(kind: Object, index: Kind) -> Kind:
    """The kind of `df["name"]`, `df[["a", "b"]]`, `df[mask]`, `row["name"]` and `series.iloc[2]`."""
    if index.whole:
        return next((k for key, k in kind.attributes if key == "item"), anything_of(kind))
    if isinstance(index, List):
        return _columns_kind(kind, [name.value if isinstance(name, Static) else None for name in index.items])
    if isinstance(index, Object) and is_labelled(index.cls):
        whole = whole_kind(index)
        mask = isinstance(whole, Array) and whole.dtype == bool and len(whole.shape or ()) == 1
        return _other_rows(kind) if mask else anything_of(kind)
    return column_kind(kind, index.value if isinstance(index, Static) else None)


def _columns_kind(kind: Object, names: list[Any]) -> Object:
    """The kind of a table with some of the columns of another."""
    found = [(f"[{name!r}]", column_kind(kind, name)) for name in names]
    arrays = [whole_kind(column) for _, column in found if isinstance(column, Object)]
    known = [(a.dtype, a.shape[0]) for a in arrays if isinstance(a, Array) and a.shape]
    if not names or len(known) < len(names) or len({key for key, _ in found}) < len(names):
        return anything_of(kind)
    common = np.result_type(*[dtype for dtype, _ in known])
    return Object(kind.cls, (*found, ("values", Array(common, (known[0][1], Dim.of(len(names)))))))


def _other_rows(kind: Object) -> Object:
    """The kind of a table or a series of some of the rows of another."""
    rows = dims.fresh()

    def changed(key: str, part: Kind) -> Kind:
        if key == "values" and isinstance(part, Array) and part.shape is not None:
            return Array(part.dtype, (rows, *part.shape[1:]))
        if key.startswith("[") and isinstance(part, Object):
            return Object(part.cls, tuple((k, changed(k, p)) for k, p in part.attributes))
        return part

    return Object(kind.cls, tuple((key, changed(key, part)) for key, part in kind.attributes))


def column_kind(kind: Object, name: Any) -> Kind:
    """The kind of `df.name`."""
    return next((k for key, k in kind.attributes if key == f"[{name!r}]"), anything_of(kind))


def items_of_labelled(kind: Object, method: str) -> Kind:
    """The kind of what a loop gets from what a method of a table gives."""
    if method == "itertuples":
        return Unknown()  # tuples of numbers and names
    if method == "groupby":
        return Tuple((Unknown(), _other_rows(kind)))
    if method == "iterrows":
        cells = tuple((key, Unknown()) for key, _ in kind.attributes if key.startswith("["))
        return Tuple((Unknown(), Object(kind.cls, cells)))
    return anything_of(kind)


def length_of_labelled(kind: Object) -> Number:
    """The kind of `len(df)`."""
    rows = [whole_kind(kind), *(whole_kind(k) for _, k in kind.attributes if isinstance(k, Object))]
    known = next((a.shape[0] for a in rows if isinstance(a, Array) and a.shape), None)
    return Number(int) if known is None else Number(int, known)


def computed_kind(target: Any, args: list[Kind], of_arrays: Callable[[Any, list[Kind]], Kind]) -> Object | None:
    """The kind of what an operator gives for a series and a number, or for two masks; None where it is not known.

    `of_arrays` tells what it gives for arrays. Series that are compared have the same labels; others may have not.
    """
    series = next((k for k in args if isinstance(k, Object)), None)
    if series is None or hasattr(series.cls, "columns"):
        return None
    arrays = [a for a in (whole_kind(k) for k in args if isinstance(k, Object) and is_labelled(k.cls)) if a is not None]
    others = [k for k in args if isinstance(k, (Number, Static))]
    if target in _COMPARISONS:
        return _mask(series)
    if not arrays or len(arrays) + len(others) < len(args):
        return None
    found = of_arrays(target, [whole_kind(k) or k if isinstance(k, Object) else k for k in args])
    if not isinstance(found, Array) or found.shape is None or len(found.shape) != 1:
        return None
    return Object(series.cls, (("values", Array(found.dtype, found.shape if len(arrays) == 1 else (dims.fresh(),))),))


def _mask(series: Object) -> Object:
    """The kind of what tells yes or no of each value of a series."""
    whole = whole_kind(series)
    shape = whole.shape if isinstance(whole, Array) and whole.shape is not None else (dims.fresh(),)
    return Object(series.cls, (("values", Array(np.dtype(bool), shape)),))


def whole_kind(kind: Object) -> Kind | None:
    """The kind of `.values` and `.to_numpy()`, where it is known."""
    return next((k for key, k in kind.attributes if key == "values"), None)


def method_of_labelled(kind: Object, name: str, plain: bool) -> Kind | None:
    """The kind of what a method gives; None where nothing labelled comes out, and nothing is known of it.

    `plain`: it is called without arguments.
    """
    if name in _WHOLE:
        return whole_kind(kind) if plain else None
    whole = whole_kind(kind)
    if name in _NUMBERS and plain and isinstance(whole, Array) and whole.rank == 1:
        return Number(np.float64) if whole.dtype.kind == "f" and whole.dtype.itemsize == 8 else None
    if name in _MASKS and not hasattr(kind.cls, "columns"):
        return _mask(kind)
    if name in _OF_ROWS:
        rows = _other_rows(kind)
        if plain or not hasattr(kind.cls, "columns"):
            return rows
        return Object(kind.cls, tuple((k, p) for k, p in rows.attributes if k != "values"))  # it may leave columns out
    return None if name in ("tolist", "to_list") else anything_of(kind)


def attribute_of_labelled(kind: Object, name: str) -> Kind | None:
    """The kind of an attribute; None where it is nothing labelled, and nothing is known of it."""
    if name in _WHOLE:
        return whole_kind(kind)
    if any(key == f"[{name!r}]" for key, _ in kind.attributes):
        return column_kind(kind, name)
    whole = whole_kind(kind)
    if name in ("iloc", "iat") and isinstance(whole, Array) and whole.rank == 1:
        return Object(kind.cls, (("item", Number(whole.dtype.type)),))
    return None if name in _PLAIN else anything_of(kind)
