"""What a call does beyond returning a value: its effects, what it writes through, what its result may share."""

from __future__ import annotations

import cmath
import math
import operator
import sys
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import (
    BUILTINS,
    CHANGE_FIRST,
    CHANGERS,
    MAYBE_VIEW,
    METHOD_OUT,
    METHODS,
    NUMPY,
    OWN,
    PASSES,
    PURE,
    SELF,
    UNKNOWN,
    VIEWING_HELPERS,
    Call,
    always_copies,
    dotted,
    einsum_views,
    is_true,
    keyword,
    out_position,
    parameter_names,
    words,
)
from s2sad.analysis.returns import returns_new
from s2sad.core import Expr, Facts
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number, Object, Static, Text
from s2sad.kinds.pure import is_distribution, is_pure
from s2sad.knowledge.registry import functional, helper_like, lookup
from s2sad.runtime import helpers

#: kinds of values that have no code of the user's in them
_NO_CODE = (Array, Number, Static, Text)
_CONVENTION: dict[str, Any] = {"np": np, "numpy": np, "math": math, "cmath": cmath, "operator": operator}
_IN_PLACE_OPERATORS = set(
    words(
        "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat setitem delitem call"
    )
)


class Calls:
    """Looks calls up, remembering what each dotted name stood for."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.globals = facts.globals
        self.kinds = facts.kinds
        self._known: dict[tuple[str, ...], Call | None] = {}
        self._values: dict[tuple[str, ...], Any] = {}

    def is_module(self, name: str) -> bool:
        """Is the name a module's?"""
        if name in self.globals:
            return isinstance(self.globals[name], ModuleType)
        return name in _CONVENTION and name not in self.kinds

    def of(self, node: Expr) -> tuple[Call, bool]:
        """What is known of a call, and whether it is a method call (with a receiver)."""
        func = node.func
        path = dotted(func)
        is_method = path is None or (len(path) > 1 and not self._global(path[0]))
        if getattr(node, "pure", False):
            return PASSES, is_method
        if getattr(node, "function", None) is not None:  # a function of the generated module
            return function_call(node), False
        if getattr(node, "writes", None) is not None:  # a summary of a function with source
            return Call(writes=tuple(node.writes), shares="all"), is_method
        if is_method:
            if type(func) is not gast.Attribute:
                return UNKNOWN, False
            info = METHODS.get(func.attr, UNKNOWN)
            if func.attr in CHANGERS:
                info = info._replace(writes=(SELF,))
            kind = self.kinds.get(func.value.id) if type(func.value) is gast.Name else None
            if isinstance(kind, Object):
                has_rule = lookup(getattr(kind.cls, func.attr, None)) is not None  # (so it changes nothing)
                info = UNKNOWN if has_rule else UNKNOWN._replace(writes=(SELF,))
            if func.attr == "astype" and not always_copies(node):
                info = MAYBE_VIEW
            if len(node.args) > METHOD_OUT.get(func.attr, 99):  # out= by position
                info = Call(writes=(METHOD_OUT[func.attr],), shares="all")
            return info, True
        assert path is not None
        if path in self._known:
            known = self._known[path]
        else:
            known = self._known[path] = self._resolve(path)
        if known is None:
            solved = functional(self._values.get(path)) is not None and self._hands_over_pure(node)
            return PASSES if solved else UNKNOWN, False
        last = path[-1]
        if len(node.args) > 1:  # out= by position
            position = out_position(self._values.get(path))
            if len(node.args) > position:
                known = Call(writes=tuple(range(position, len(node.args))), shares="all")
        by_position = len(node.args) > 1
        if last == "array" and keyword(node, "copy") is not None:
            known = PURE if is_true(keyword(node, "copy")) else MAYBE_VIEW
        elif last == "nan_to_num" and (by_position or keyword(node, "copy") is not None):
            known = Call(writes=(0,), shares="first")
        elif last == "diff" and (by_position or keyword(node, "n") is not None):
            known = MAYBE_VIEW  # n=0 gives the argument back
        elif last in ("polyder", "polyint") and (by_position or keyword(node, "m") is not None):
            known = MAYBE_VIEW  # so does m=0
        elif (last == "einsum" and not einsum_views(node)) or (
            last in ("asarray", "reshape", "astype") and is_true(keyword(node, "copy"))
        ):
            known = PURE
        elif keyword(node, "output") is not None or (by_position and len(node.args) > self._output(path)):
            return UNKNOWN, False  # scipy.ndimage writes there
        elif any(k.arg and k.arg.startswith("overwrite_") for k in node.keywords):
            known = Call(writes=tuple(range(len(node.args))), shares="all")
        return known, False

    def _hands_over_pure(self, node: Expr) -> bool:
        """Is a solver given functions that were written out here, and that do nothing but compute?"""
        given = [*node.args, *(k.value for k in node.keywords)]
        if any(k.arg == "callback" for k in node.keywords):
            return False
        if any(type(a) is gast.Attribute and not isinstance(infer(a, self.facts), _NO_CODE) for a in given):
            return False
        values = [self.globals[a.id] for a in given if type(a) is gast.Name and a.id in self.globals]
        functions = [v for v in values if callable(v)]
        return bool(functions) and all(getattr(v, "__s2sad_pure__", False) for v in functions)

    def _output(self, path: tuple[str, ...]) -> int:
        """At which position a function of scipy.ndimage takes `output`."""
        value = self._values.get(path)
        if not (getattr(value, "__module__", None) or "").startswith("scipy.ndimage"):
            return 99
        names = parameter_names(value)
        return names.index("output") if "output" in names else 99

    def overwritten(self, node: Expr) -> list[Expr]:
        """What a call stores through: arguments, the receiver, `out=`; all it is given, where the callee is a stranger.

        >>> from s2sad.core import quote, text
        >>> calls = Calls(Facts())
        >>> [text(e) for e in calls.overwritten(quote("np.put(u, 0, v)"))]
        ['u']
        >>> [text(e) for e in calls.overwritten(quote("rng.random(out=u)"))]
        ['u']
        """
        values = [a.value if isinstance(a, gast.Starred) else a for a in node.args]
        named = [k.value for k in node.keywords]
        receiver = [node.func.value] if isinstance(node.func, gast.Attribute) else []
        if getattr(node, "stranger", False):
            return [*receiver, *values, *named]
        known, is_method = self.of(node)
        found = [values[k] for k in known.writes if 0 <= k < len(values)]
        if SELF in known.writes and is_method:
            found += receiver
        if receiver and node.func.attr == "shuffle":  # of a random generator
            found += values[:1]
        return found + [k.value for k in node.keywords if k.arg == "out" or (k.arg or "").startswith("overwrite_")]

    def _global(self, name: str) -> bool:
        if name in self.globals:
            value = self.globals[name]
            return isinstance(value, ModuleType | type | np.ufunc) or is_distribution(value)
        return name in _CONVENTION and name not in self.kinds

    def _resolve(self, path: tuple[str, ...]) -> Call | None:
        root = path[0]
        if root in self.globals:
            value = self.globals[root]
        elif root in _CONVENTION and root not in self.kinds:
            value = _CONVENTION[root]
        elif len(path) == 1 and root in BUILTINS and root not in self.kinds:
            return BUILTINS[root]
        else:
            return None
        for part in path[1:-1]:
            value = getattr(value, part, None)
        last = path[-1]
        owner: Any = None
        if len(path) > 1:
            owner = value
            value = getattr(value, last, None)
        elif isinstance(getattr(value, "__self__", None), np.ufunc):  # a method of one under a name of its own
            owner, last = value.__self__, value.__name__
        self._values[path] = value
        if isinstance(owner, np.ufunc):  # np.add.at, np.add.reduce
            return Call(writes=(0,)) if last == "at" else PURE
        if isinstance(value, np.ufunc):
            return PURE
        if value is None:
            return None
        module = getattr(value, "__module__", None) or ""
        name = getattr(value, "__name__", last)
        if isinstance(owner, ModuleType) and owner.__name__.startswith("numpy"):
            module, name = owner.__name__, last
        if module == "builtins":
            return BUILTINS.get(name)
        if module in ("math", "cmath", "_operator", "operator"):
            in_place = name in _IN_PLACE_OPERATORS and name != "call"
            return UNKNOWN._replace(writes=(0,)) if in_place else UNKNOWN if name == "call" else PASSES
        if name in CHANGE_FIRST and module.split(".")[0] in sys.stdlib_module_names:
            return UNKNOWN._replace(writes=(0,), stows=True)
        if module.split(".")[0] == "numpy":
            parts = [p for p in module.split(".")[1:] if not p.startswith("_") and p not in ("core", "lib")]
            key = ".".join([*parts, name])
            if key.startswith("ma."):
                return UNKNOWN
            if isinstance(value, type):
                return PASSES
            if key in NUMPY:
                return NUMPY[key]
            if name in NUMPY and not key.startswith(("random", "linalg", "fft")):
                return NUMPY[name]
            return OWN if "random" in module else PURE
        if is_distribution(owner):
            return PURE if is_pure(value) else None
        if module.split(".")[0] == "scipy":
            part = module.split(".")[1] if "." in module else ""
            pure = part in ("special", "linalg", "fft", "signal", "spatial", "stats") and is_pure(value)
            pure = pure or (part in ("ndimage", "interpolate", "integrate", "optimize") and _computes(value))
            return PASSES if pure else None
        if isinstance(value, FunctionType) and helper_like(value) is not None:
            if returns_new(value, ours=True):
                return PURE
            return MAYBE_VIEW if name in VIEWING_HELPERS and helpers.is_helper(value) else PASSES
        return None


def hands_back(function: Any) -> bool:
    """Is it a run-time helper, or a copy of one in generated code, whose result may be its first argument, or a view?

    >>> hands_back(helpers.unbroadcast), hands_back(helpers.spectral), hands_back(len)
    (True, False, False)
    """
    return getattr(function, "__name__", "") in VIEWING_HELPERS and helper_like(function) is not None


def _computes(function: Any) -> bool:
    """Is it a function of SciPy that does nothing but compute: that is given no function of the user's, which could do
    anything, and no arrays for its results?"""
    if not isinstance(function, FunctionType) or not is_pure(function) or function.__name__.endswith("_callback"):
        return False
    names = parameter_names(function)
    return bool(names) and not _NOT_ONLY_COMPUTED.intersection(names)


_NOT_ONLY_COMPUTED = frozenset(
    words("f fun func function fprime grad jac mapping derivative derivative2 callback fcn method distances indices")
)


def function_call(node: Expr) -> Call:
    """A call of a core function or of its derivative, from what is known of the function."""
    function = node.function
    effect = function.effect
    if effect == "raises":  # what raises is done again by the backward sweep, or has to stay
        effect = "none" if getattr(node, "repeated", False) else "own"
    tapes = getattr(node, "tapes", ())
    return Call(effect, tapes, "all" if function.shares else "nothing", stows=bool(tapes) and function.stows)
