"""What a call does beyond returning a value: its effects, what it writes through, what its result may share."""

from __future__ import annotations

import builtins
import cmath
import inspect
import math
import operator
import sys
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import gast
import numpy as np

from s2sad.core import Expr, Facts
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number, Object, Static, Text
from s2sad.kinds.pure import is_distribution, is_pure
from s2sad.knowledge.registry import functional, helper_like, lookup
from s2sad.runtime import helpers

SELF = -1  # the receiver of a method call, among argument positions
#: kinds of values that have no code of the user's in them
_NO_CODE = (Array, Number, Static, Text)


class Call(NamedTuple):
    """What is known of a call.

    effect:  "none"; "own" (prints, draws random numbers: kept and kept in order, but it touches no memory of ours);
             "unknown" (may read, overwrite and keep whatever it can reach)
    writes:  positions of the arguments it stores through (SELF: the receiver)
    shares:  whose memory the result may share: "nothing", "first" (argument or receiver), "all" arguments
    looks:   does it read the contents of its first argument or receiver? np.zeros_like(A) does not
    keeps:   does it put its arguments into the receiver (list.append)?
    stows:   does it put its arguments into what it stores through?
    """

    effect: str = "none"
    writes: tuple[int, ...] = ()
    shares: str = "nothing"
    looks: bool = True
    keeps: bool = False
    stows: bool = False


def words(text: str) -> list[str]:
    return text.split()


PURE = Call()
VIEW = Call(shares="first", looks=False)  # never copies
MAYBE_VIEW = Call(shares="first")
PASSES = Call(shares="all")
SHAPE_ONLY = Call(looks=False)
OWN = Call(effect="own")
UNKNOWN = Call(effect="unknown", shares="all")

NUMPY: dict[str, Call] = (
    {
        name: VIEW
        for name in words(
            "transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to flip flipud fliplr rot90 "
            "matrix_transpose permute_dims as_strided sliding_window_view "
            "split array_split hsplit vsplit dsplit unstack trim_zeros linalg.diagonal linalg.matrix_transpose"
        )
    }
    | {
        name: MAYBE_VIEW
        for name in words(
            "reshape ravel asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite asfarray require real "
            "imag diagonal diag real_if_close astype linalg.matrix_power asmatrix mat matrix frombuffer "
            "squeeze from_dlpack"
        )
    }
    | {
        name: PASSES
        for name in words(
            "broadcast_arrays einsum meshgrid ix_ atleast_1d atleast_2d atleast_3d nditer ndenumerate "
            "histogram histogram_bin_edges"  # hand back the edges they are given
        )
    }
    | {
        name: SHAPE_ONLY
        for name in words(
            "zeros_like ones_like empty_like full_like shape ndim size isscalar iscomplexobj isrealobj result_type"
        )
    }
    | {
        "copyto": Call(writes=(0,)),
        "put": Call(writes=(0,)),
        "place": Call(writes=(0,)),
        "putmask": Call(writes=(0,)),
        "fill_diagonal": Call(writes=(0,)),
        "put_along_axis": Call(writes=(0,)),
        "random.shuffle": Call(effect="own", writes=(0,)),
    }
    | {
        name: OWN
        for name in words(
            "seterr seterrcall setbufsize set_printoptions save savez savez_compressed savetxt load loadtxt "
            "genfromtxt fromfile info show_config"
        )
    }
    | {name: UNKNOWN for name in words("vectorize apply_along_axis apply_over_axes piecewise fromfunction frompyfunc")}
)

BUILTINS: dict[str, Call] = (
    {
        name: PURE
        for name in words(
            "abs float int complex bool str repr round divmod pow isinstance issubclass hasattr range any all "
            "bin hex oct chr ord hash id type callable format ascii bytes bytearray object"
        )
    }
    | {
        name: PASSES
        for name in words(
            "max min sum tuple list dict set frozenset zip enumerate reversed sorted iter slice getattr vars super "
            "memoryview"
        )
    }
    | {"len": SHAPE_ONLY, "print": OWN, "input": OWN}
)
BUILTINS["slice"] = PURE
for _name, _value in vars(builtins).items():
    if isinstance(_value, type) and issubclass(_value, BaseException):
        BUILTINS[_name] = PURE

_STORE = Call(writes=(SELF,))
METHODS: dict[str, Call] = (
    {
        name: PURE
        for name in words(
            "sum mean prod max min std var argmax argmin argsort cumsum cumprod copy astype dot all any nonzero "
            "round clip repeat take compress choose trace item tolist tobytes searchsorted ptp "
            "startswith endswith split rsplit join strip lstrip rstrip lower upper replace find index count format "
            "isdigit is_integer bit_length hex as_integer_ratio encode decode title capitalize zfill"
        )
    }
    | {
        name: MAYBE_VIEW
        for name in words(
            "reshape ravel view diagonal get keys values items conj conjugate union intersection difference "
            "__getitem__ newbyteorder getfield"
        )
    }
    | {name: VIEW for name in words("transpose swapaxes squeeze")}
    | {
        "append": Call(writes=(SELF,), keeps=True, looks=False),
        "extend": Call(writes=(SELF,), keeps=True, looks=False),
        "insert": Call(writes=(SELF,), keeps=True, looks=False),
        "add": Call(writes=(SELF,), keeps=True, looks=False),
        "update": Call(writes=(SELF,), keeps=True, looks=False),
        "setdefault": Call(writes=(SELF,), keeps=True, shares="first"),
        "pop": Call(writes=(SELF,), shares="first"),
        "popitem": Call(writes=(SELF,), shares="first"),
        "remove": _STORE,
        "discard": _STORE,
        "clear": Call(writes=(SELF,), looks=False),
        "reverse": _STORE,
        "sort": _STORE,
        "fill": Call(writes=(SELF,), looks=False),
        "put": Call(writes=(SELF,), looks=False),
        "itemset": Call(writes=(SELF,), looks=False),
        "partition": _STORE,
        "setfield": _STORE,
        "resize": _STORE,
        "byteswap": _STORE,
        "setflat": _STORE,
        "__setitem__": Call(writes=(SELF,), keeps=True),
        "__delitem__": _STORE,
    }
    | {
        f"__i{name}__": Call(writes=(SELF,), shares="all", keeps=True)
        for name in words("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift")
    }
)
METHODS["flatten"] = PURE

#: methods that change their receiver, beside those of METHODS
_CHANGERS = frozenset(words(
    "popleft appendleft extendleft rotate difference_update intersection_update symmetric_difference_update "
    "setflags setflat move_to_end send throw close write sort shuffle"
))

#: functions of the standard library that change their first argument
CHANGE_FIRST = frozenset(words(
    "setattr delattr next setitem delitem heapify heappush heappop heapreplace heappushpop insort insort_left "
    "insort_right shuffle iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift "
    "iconcat"
))

#: at which position methods of arrays take `out`
METHOD_OUT = {
    **dict.fromkeys(words("max min argmax argmin dot choose round all any ptp"), 1),
    **dict.fromkeys(words("sum mean prod std var cumsum cumprod clip take compress"), 2),
    "trace": 4,
}

_CONVENTION: dict[str, Any] = {"np": np, "numpy": np, "math": math, "cmath": cmath, "operator": operator}
_IN_PLACE_OPERATORS = set(
    words(
        "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat setitem delitem call"
    )
)


def changes_receiver(name: str) -> bool:
    """Does a method of this name, of an array or of a container, change its receiver?"""
    known = METHODS.get(name)
    return name in _CHANGERS or (known is not None and bool(known.writes))


def dotted(node: Expr) -> tuple[str, ...] | None:
    """The parts of a dotted name, or None.

    >>> import gast
    >>> dotted(gast.parse("np.linalg.solve").body[0].value)
    ('np', 'linalg', 'solve')
    """
    parts: list[str] = []
    while type(node) is gast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not gast.Name:
        return None
    parts.append(node.id)
    return tuple(reversed(parts))


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
            if func.attr in _CHANGERS:
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
        if last == "array" and _keyword(node, "copy") is not None:
            known = PURE if _is_true(_keyword(node, "copy")) else MAYBE_VIEW
        elif last == "nan_to_num" and (by_position or _keyword(node, "copy") is not None):
            known = Call(writes=(0,), shares="first")
        elif last == "diff" and (by_position or _keyword(node, "n") is not None):
            known = MAYBE_VIEW  # n=0 gives the argument back
        elif last in ("polyder", "polyint") and (by_position or _keyword(node, "m") is not None):
            known = MAYBE_VIEW  # so does m=0
        elif (last == "einsum" and not einsum_views(node)) or (
            last in ("asarray", "reshape", "astype") and _is_true(_keyword(node, "copy"))
        ):
            known = PURE
        elif _keyword(node, "output") is not None or (by_position and len(node.args) > self._output(path)):
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
            from s2sad.analysis.returns import returns_new

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


_NOT_ONLY_COMPUTED = frozenset(words(
    "f fun func function fprime grad jac mapping derivative derivative2 callback fcn method distances indices"
))


def function_call(node: Expr) -> Call:
    """A call of a core function or of its derivative, from what is known of the function."""
    function = node.function
    effect = function.effect
    if effect == "raises":  # what raises is done again by the backward sweep, or has to stay
        effect = "none" if getattr(node, "repeated", False) else "own"
    tapes = getattr(node, "tapes", ())
    return Call(effect, tapes, "all" if function.shares else "nothing", stows=bool(tapes) and function.stows)


def out_position(function: Any) -> int:
    """At which position a NumPy function takes `out`; a large number when at none."""
    if isinstance(function, np.ufunc):
        return int(function.nin)
    of_ufunc = isinstance(getattr(function, "__self__", None), np.ufunc)
    if not callable(function) or not (of_ufunc or (getattr(function, "__module__", None) or "").startswith("numpy")):
        return 99  # it may have no hash
    return _named_out(function)


@lru_cache(maxsize=1024)
def _named_out(function: Any) -> int:
    names = parameter_names(function)
    return names.index("out") if "out" in names else 99


def parameter_names(function: Any) -> list[str]:
    """The names of the parameters that a NumPy function takes by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        known = {
            "dot": "a b out",
            "concatenate": "arrays axis out",
            "reduce": "array axis dtype out keepdims initial where",
            "accumulate": "array axis dtype out",
            "reduceat": "array indices axis dtype out",
        }
        return known.get(getattr(function, "__name__", ""), "").split()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def always_copies(call: Expr) -> bool:
    """Is a call an `astype` that makes a new array whatever the dtype is?

    >>> from s2sad.core import quote
    >>> always_copies(quote("x.astype(float)")), always_copies(quote("x.astype(float, copy=False)"))
    (True, False)
    """
    func = call.func
    if not (isinstance(func, gast.Attribute) and func.attr == "astype"):
        return False
    given = [k.value for k in call.keywords if k.arg in ("copy", None)] + call.args[4:]
    return all(map(_is_true, given))


#: Helpers of generated code that may give their first argument, or a view of it. A rule's `view_of` says more: that
#: what is stored into the result is stored into the argument. Nothing is stored through what these give, but what they
#: give changes where the argument does.
VIEWING_HELPERS = frozenset(words("""
    diag_back diff_back expand_reduced odd_extension_back pad_back part_of_convolution partition_tangent
    resample_poly_back shared_by_equals shared_with_kth spline_coefficients spline_coefficients_back
    trigonometric_back trim_zeros_tangent unbroadcast
"""))
#: the last names of functions and methods that may hand out memory of their arguments
_HANDS_OUT = {
    name.rpartition(".")[2]
    for table in (NUMPY, METHODS)
    for name, known in table.items()
    if known.shares != "nothing" and name not in ("conj", "conjugate")
} | {*VIEWING_HELPERS, "interpolating_coefficients", "__array__"}
_HANDS_OUT |= {"getdata", "memoryview", "ndarray", "recarray", "broadcast", "poly1d"}


def makes_new(expr: Expr) -> bool:
    """Is the value of a call of NumPy or of a run-time helper certain to be memory that nothing else holds?

    >>> from s2sad.core import quote
    >>> [makes_new(quote(t)) for t in ("np.sin(x)", "x.T.reshape(3)", "np.diff(x, 0)", "np.einsum('ij,j', a, b)")]
    [True, False, False, True]
    """
    func = expr.func
    name = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", "")
    if any(k.arg in ("out", None) or (k.arg == "copy" and not _is_true(k.value)) for k in expr.keywords):
        return False
    target = getattr(np, name, None)
    if len(expr.args) > out_position(target) or (isinstance(target, type) and issubclass(target, np.generic)):
        return False  # np.float64(x) is x, for an array of float64
    if name == "einsum":
        return not einsum_views(expr)
    if name in ("conj", "conjugate"):  # of a real array, the method gives the array itself
        return bool(expr.args)
    if name in ("diff", "polyder", "polyint", "nan_to_num"):
        return len(expr.args) < 2 and not expr.keywords
    return name not in _HANDS_OUT or always_copies(expr)


def _is_true(node: Expr | None) -> bool:
    return isinstance(node, gast.Constant) and node.value is True


def einsum_views(node: Expr) -> bool:
    """May np.einsum give a view? So it does where it only permutes the axes of its one operand, or takes diagonals."""
    if len(node.args) != 2 or not isinstance(node.args[0], gast.Constant) or not isinstance(node.args[0].value, str):
        return len(node.args) < 3 or not isinstance(node.args[0], gast.Constant)
    given, arrow, out = node.args[0].value.replace(" ", "").partition("->")
    if not arrow:
        out = "".join(c for c in given if given.count(c) == 1)
    return set(given) <= set(out)


def _keyword(node: Expr, name: str) -> Expr | None:
    return next((k.value for k in node.keywords if k.arg == name), None)
