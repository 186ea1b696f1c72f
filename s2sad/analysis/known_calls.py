"""What calls are known to do to memory, by the name of what is called: read, overwrite, share, keep."""

from __future__ import annotations

import builtins
import inspect
from functools import lru_cache
from typing import Any, NamedTuple

import gast
import numpy as np

from s2sad.core import Expr, is_constant

SELF = -1  # the receiver of a method call, among argument positions


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
CHANGERS = frozenset(words(
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


def changes_receiver(name: str) -> bool:
    """Does a method of this name, of an array or of a container, change its receiver?"""
    known = METHODS.get(name)
    return name in CHANGERS or (known is not None and bool(known.writes))


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
    return all(map(is_true, given))


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
    if any(k.arg in ("out", None) or (k.arg == "copy" and not is_true(k.value)) for k in expr.keywords):
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


def is_true(node: Expr | None) -> bool:
    return is_constant(node, True)


def einsum_views(node: Expr) -> bool:
    """May np.einsum give a view? So it does where it only permutes the axes of its one operand, or takes diagonals."""
    if len(node.args) != 2 or not isinstance(node.args[0], gast.Constant) or not isinstance(node.args[0].value, str):
        return len(node.args) < 3 or not isinstance(node.args[0], gast.Constant)
    given, arrow, out = node.args[0].value.replace(" ", "").partition("->")
    if not arrow:
        out = "".join(c for c in given if given.count(c) == 1)
    return set(given) <= set(out)


def keyword(node: Expr, name: str) -> Expr | None:
    return next((k.value for k in node.keywords if k.arg == name), None)
