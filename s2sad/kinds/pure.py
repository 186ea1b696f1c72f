"""Which functions may be run at derivation: those of NumPy, SciPy and the standard library that have no effect."""

from __future__ import annotations

import builtins
import cmath
import math
import operator
import statistics
from functools import lru_cache
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_BUILTINS = frozenset(
    getattr(builtins, name)
    for name in words(
        "abs all any bool complex dict divmod enumerate float int len list max min pow range reversed round"
    " set slice sorted str sum tuple zip isinstance issubclass repr chr ord format type"
    )
)
_MODULES = (math, cmath, operator, statistics)
_IMPURE_NUMPY = words(
    "save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap seterr seterrcall setbufsize"
    " set_printoptions printoptions errstate show_config show_runtime info test frompyfunc vectorize apply_along_axis"
    " apply_over_axes piecewise fromfunction fromiter array2string array_repr array_str format_float_positional"
    " lookfor source who deprecate disp get_include open_memmap nditer ndenumerate ndindex broadcast poly1d matrix mat"
    " bmat char rec recarray chararray DataSource require from_dlpack as_strided add_newdoc add_docstring"
)
_IMPURE_SCIPY = ("io", "datasets", "sparse", "odr")
_IMPURE_PARTS = (
    "numpy.random", "numpy.testing", "numpy.ctypeslib", "numpy.ma", "numpy.f2py", "numpy.distutils", "numpy.lib.format",
    "numpy.lib._npyio", "numpy.lib._format", "numpy._core._ufunc_config", "numpy.lib._datasource",
)  # fmt: skip
_DISTRIBUTION = words("pdf logpdf cdf logcdf sf logsf ppf isf pmf logpmf mean var std entropy stats moment")
_METHODS = words(
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod cumsum"
    " diagonal dot flatten item max mean min nonzero prod ptp put ravel repeat reshape round searchsorted sort"
    " squeeze std sum swapaxes take tolist trace transpose var view fill partition resize __abs__ __complex__ __float__"
    " __int__ __len__ __neg__ __pos__ __invert__"
)


def is_distribution(value: Any) -> bool:
    """Is it one of the distributions of scipy.stats, which are called with parameters?"""
    cls = type(value)
    return (cls.__module__ or "").startswith("scipy.stats.") and cls.__name__.endswith("_gen") and hasattr(value, "rvs")


@lru_cache(maxsize=4096)
def _pure(target: Any) -> bool:
    if isinstance(target, ModuleType):
        return False
    if isinstance(target, np.ufunc):
        return getattr(target, "types", [""]) != ["O->O"] and (
            getattr(np, target.__name__, None) is target or _scipy_ufunc(target)
        )
    if isinstance(target, type):
        return target in _BUILTINS or issubclass(target, np.generic) or target is np.dtype
    if target in _BUILTINS:
        return True
    name = getattr(target, "__name__", "")
    owner = getattr(target, "__objclass__", None)
    if owner is not None:
        if owner is np.ndarray or (isinstance(owner, type) and issubclass(owner, np.generic)):
            return name in _METHODS
        return owner in (str, float, int, complex)
    instance = getattr(target, "__self__", None)
    if instance is not None and not isinstance(instance, ModuleType):
        module = type(instance).__module__
        if isinstance(instance, np.ufunc):
            return _pure(instance) and name != "at"
        return module.startswith("scipy.stats") and name in _DISTRIBUTION
    module = getattr(target, "__module__", None) or ""
    if module == "_operator" and name.strip("_") in _CHANGES:
        return False
    if any(module == m.__name__ for m in _MODULES) or (module == "_operator"):
        return any(getattr(m, name, None) is target for m in _MODULES)
    if module == "numpy" or module.startswith("numpy."):
        return (
            not module.startswith(_IMPURE_PARTS)
            and name not in _IMPURE_NUMPY
            and not name.startswith("_")
        )
    if module.startswith("scipy."):
        return not any(module.startswith(("scipy." + m, "scipy._lib")) for m in _IMPURE_SCIPY)
    return isinstance(target, BuiltinFunctionType) and any(getattr(m, name, None) is target for m in _MODULES)


#: functions of `operator` that change what they are given, or call it
_IN_PLACE = "add and concat floordiv lshift matmul mod mul or pow rshift sub truediv xor"
_CHANGES = frozenset(("setitem", "delitem", "call", *(f"i{name}" for name in _IN_PLACE.split())))


def _scipy_ufunc(target: Any) -> bool:
    import sys

    special = sys.modules.get("scipy.special")
    return special is not None and getattr(special, target.__name__, None) is target


def is_pure(target: Any) -> bool:
    """May `target` be run at derivation, any number of times, without anybody noticing?

    >>> import numpy as np
    >>> is_pure(np.sum), is_pure(np.random.normal), is_pure(print)
    (True, False, False)
    """
    try:
        return _pure(target)
    except TypeError:  # not hashable
        return False
