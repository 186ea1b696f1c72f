"""The operators. Each takes a function and returns its derivative; without a function, it is a decorator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, overload

from s2sad.derivative import Grad, Jvp, ValueAndGrad, Vjp
from s2sad.face import Derivative
from s2sad.frontend.diagnostics import BadArgument, at_the_callers_line
from s2sad.frontend.target import Wrt, is_callable_target
from s2sad.jacobian import ElementwiseGrad, Hessian, Hvp, Jacobian
from s2sad.runtime.marks import stop_gradient

__all__ = [
    "Derivative",
    "elementwise_grad",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

# What type checkers see: a derivative has the parameters of its function. Forward mode takes a tangent behind them,
# which no type can say, so that its parameters are open. A tuple in wrt gives a tuple.
P = ParamSpec("P")
T = TypeVar("T")
_One = int | str
_Several = tuple[int | str, ...] | list[int | str]
_Tuple = tuple[Any, ...]
_Mode = Literal["forward", "reverse"] | None


class _Compiling(TypedDict, total=False):
    compile: Literal["numba"] | None
    compile_options: Mapping[str, Any] | None


class _Gradient(Protocol):
    def __call__(self, f: Callable[P, Any], /) -> Derivative[P, Any]: ...


class _Gradients(Protocol):
    def __call__(self, f: Callable[P, Any], /) -> Derivative[P, _Tuple]: ...


class _Hessians(Protocol):
    def __call__(self, f: Callable[P, Any], /) -> Derivative[P, tuple[_Tuple, ...]]: ...


class _ValueAndGradient(Protocol):
    def __call__(self, f: Callable[P, T], /) -> Derivative[P, tuple[T, Any]]: ...


class _ValueAndGradients(Protocol):
    def __call__(self, f: Callable[P, T], /) -> Derivative[P, tuple[T, _Tuple]]: ...


class _Pullback(Protocol):
    def __call__(self, f: Callable[P, T], /) -> Derivative[P, tuple[T, Callable[[Any], Any]]]: ...


class _Pullbacks(Protocol):
    def __call__(self, f: Callable[P, T], /) -> Derivative[P, tuple[T, Callable[[Any], _Tuple]]]: ...


class _Tangent(Protocol):
    def __call__(self, f: Callable[P, T], /) -> Derivative[..., tuple[T, T]]: ...


class _Product(Protocol):
    def __call__(self, f: Callable[P, Any], /) -> Derivative[..., Any]: ...


class _Products(Protocol):
    def __call__(self, f: Callable[P, Any], /) -> Derivative[..., _Tuple]: ...


#: what other libraries call it, and what it is here
_CALLED_OTHERWISE = {
    "argnums": "wrt", "argnum": "wrt", "argnames": "wrt", "arg": "wrt", "inputs": "wrt", "wrt_names": "wrt",
}  # fmt: skip


def _operator(
    cls: type[Derivative[..., Any]], f: Any, wrt: Wrt, others: dict[str, Any] | None = None, **options: Any
) -> Any:
    """An operator as a function or as a decorator: with a function, its derivative; without one, a decorator."""
    for name, value in (others or {}).items():
        way = "see help(s2sad.grad) for what there is."
        if name in _CALLED_OTHERWISE:
            way = f"write wrt={value!r}: a position, a name, or a tuple of them."
        elif name == "has_aux":
            way = "grad and value_and_grad take it; for others, return the value alone."
        elif name in ("holomorphic", "allow_int"):
            way = "leave it out: see help(s2sad.grad) for complex arguments and ints."
        raise BadArgument(f"{cls.operator} has no parameter {name}.", way)
    if f is None:
        return at_the_callers_line(lambda function: _operator(cls, function, wrt, **options))
    if not is_callable_target(f):
        raise BadArgument(
            f"{cls.operator} was given {f!r}, which is not a function.",
            f"write {cls.operator}(f, wrt=...), or @{cls.operator}(wrt=...) above a function.",
        )
    return cls(f, wrt, **options)


@overload
def grad(
    f: Callable[P, Any],
    wrt: _One = 0,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    **compiling: Unpack[_Compiling],
) -> Derivative[P, Any]: ...
@overload
def grad(
    f: Callable[P, Any],
    wrt: _Several,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    **compiling: Unpack[_Compiling],
) -> Derivative[P, _Tuple]: ...
@overload
def grad(
    f: None = None, wrt: _One = 0, *, strong_zero: bool = False, has_aux: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradient: ...
@overload
def grad(
    f: None = None, *, wrt: _Several, strong_zero: bool = False, has_aux: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradients: ...
@at_the_callers_line
def grad(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The gradient of a function with a scalar result: `grad(f)(*args)`.

    Nothing is derived yet. The first call derives for the kinds of its arguments (number types, dtypes, ranks); further
    calls with the same kinds run what was generated.

    Args:
        f: the function. Without it, a decorator: `@grad`, `@grad(wrt=("W", "b"))`.
        wrt: with respect to which parameter: its position, its name, or a tuple or list of them. Positions count the
            parameters that a caller passes, so not a method's self; negative ones count from the end.
        strong_zero: is zero times anything zero? A derivative that is zero because a mask, an index, a store, a branch
            or a constant left a piece out stays zero in any case, also where a slope on the way is infinite. With
            True, so does one that happens to be zero: `d * slope` is 0 wherever d is, be the slope inf or nan. (Sums of
            products, `A @ d` and the like, are NumPy's own.)
        has_aux: f returns a pair (value, other); then the derivative returns (derivative of the value, other).
        compile: "numba" compiles the derivative with Numba (the extra `numba`): kernels over numbers and arrays of
            float64, int64, bool and complex128; dicts, tuples and objects of such are taken apart in front of them.
        compile_options: how to compile, a dict: boundscheck (True unless it says False), error_model ("python" or
            "numpy"), fastmath, parallel, cache. A call of a compiled derivative may hand in the array that the gradient
            goes into: `grad(f, compile="numba")(x, out=bx)`.

    Returns:
        a Derivative with the signature of f. It returns the derivative for one parameter, or a tuple for a tuple. The
        derivative of a container has the same structure.

    Raises:
        DerivationError: f cannot be derived; the error names the line and what to write instead.
        BadArgument: (a DerivationError and TypeError) wrt does not fit, or an argument has no derivative.

    An int that is given for a wrt number counts as a float. Results keep their dtype. Ties of max, min and sort share
    evenly; abs has slope 0 at 0.

    Complex arguments: for z = x + iy and a real f, the gradient is df/dx - i df/dy, as the derivative of a holomorphic
    function is f'. A change dz changes f by the real part of gradient * dz; steepest ascent is along its conjugate, so
    `z - step * np.conj(grad(f)(z))` descends. Of a complex result, it is the real part that is differentiated;
    a result that only the values make complex (np.emath.sqrt(-2.0)) is a TypeError.

    >>> def f(x, y):
    ...     return x * x * y
    >>> grad(f, wrt=("x", "y"))(3.0, 2.0)
    (12.0, 9.0)
    >>> complex(grad(lambda z: abs(z) ** 2)(1 + 2j))
    (2-4j)
    >>> import math
    >>> grad(lambda x: 0.0 * math.sqrt(x), strong_zero=True)(0.0)
    0.0
    """
    return _operator(
        Grad, f, wrt, others, strong_zero=strong_zero, **_aux(has_aux), **_compiling(compile, compile_options)
    )


@overload
def value_and_grad(
    f: Callable[P, T],
    wrt: _One = 0,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    **compiling: Unpack[_Compiling],
) -> Derivative[P, tuple[T, Any]]: ...
@overload
def value_and_grad(
    f: Callable[P, T],
    wrt: _Several,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    **compiling: Unpack[_Compiling],
) -> Derivative[P, tuple[T, _Tuple]]: ...
@overload
def value_and_grad(
    f: None = None, wrt: _One = 0, *, strong_zero: bool = False, has_aux: bool = False, **compiling: Unpack[_Compiling]
) -> _ValueAndGradient: ...
@overload
def value_and_grad(
    f: None = None, *, wrt: _Several, strong_zero: bool = False, has_aux: bool = False, **compiling: Unpack[_Compiling]
) -> _ValueAndGradients: ...
@at_the_callers_line
def value_and_grad(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    has_aux: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The value and the gradient, in one run: `value_and_grad(f)(*args)` returns (value, derivative). See `grad`.

    With has_aux, f returns a pair, and this ((value, other), derivative of the value).

    >>> value_and_grad(lambda x: (x * x, "other"), has_aux=True)(3.0)
    ((9.0, 'other'), 6.0)
    """
    return _operator(
        ValueAndGrad, f, wrt, others, strong_zero=strong_zero, **_aux(has_aux), **_compiling(compile, compile_options)
    )


def _compiling(compile: str | None, options: Mapping[str, Any] | None) -> dict[str, Any]:
    given = {"compile": compile, "compile_options": options}
    return {name: value for name, value in given.items() if value is not None}


def _aux(has_aux: bool) -> dict[str, Any]:
    return {"has_aux": True} if has_aux else {}


@overload
def vjp(
    f: Callable[P, T], wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, tuple[T, Callable[[Any], Any]]]: ...
@overload
def vjp(
    f: Callable[P, T], wrt: _Several, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, tuple[T, Callable[[Any], _Tuple]]]: ...
@overload
def vjp(f: None = None, wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]) -> _Pullback: ...
@overload
def vjp(f: None = None, *, wrt: _Several, strong_zero: bool = False, **compiling: Unpack[_Compiling]) -> _Pullbacks: ...
@at_the_callers_line
def vjp(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The value and the pullback: `vjp(f)(*args)` returns (value, pullback).

    `pullback(cotangent)` takes what a change of the result is weighted with (it has the result's structure and shapes)
    and returns the derivative with respect to wrt. It may be called many times, as long as nobody overwrites what it
    reads: the arrays that went in, the value that came out, and the globals, the captured variables and the attributes
    that f reads. Overwrite copies of them.
    For complex results, cotangents are gradients in the convention that `grad` states; `strong_zero` is as for `grad`.
    """
    return _operator(Vjp, f, wrt, others, strong_zero=strong_zero, **_compiling(compile, compile_options))


@overload
def jvp(
    f: Callable[P, T], wrt: Wrt = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[..., tuple[T, T]]: ...
@overload
def jvp(f: None = None, wrt: Wrt = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]) -> _Tangent: ...
@at_the_callers_line
def jvp(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The value and its tangent, in forward mode: `jvp(f)(*args, tangent)` returns (value, tangent of the value).

    `tangent` is the direction in which the wrt argument moves; a tuple, where wrt is one.

    >>> jvp(lambda x: x * x)(3.0, 1.0)
    (9.0, 6.0)
    """
    return _operator(Jvp, f, wrt, others, strong_zero=strong_zero, **_compiling(compile, compile_options))


@overload
def jacobian(
    f: Callable[P, Any], wrt: Wrt = 0, mode: _Mode = None, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, Any]: ...
@overload
def jacobian(
    f: None = None, wrt: Wrt = 0, mode: _Mode = None, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradient: ...
@at_the_callers_line
def jacobian(
    f: Any = None,
    wrt: Wrt = 0,
    mode: _Mode = None,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """All first derivatives: `jacobian(f)(*args)`, of shape result.shape + argument.shape.

    Args:
        mode: "reverse" pulls back one cotangent for each element of the result, "forward" pushes one tangent for each
            element of the argument; None takes what is fewer.

    Returns:
        a Derivative. Where the result is a container, it returns one of the same structure, and in it, for each part,
        the derivative in the structure of wrt.
    """
    return _operator(
        Jacobian, f, wrt, others, strong_zero=strong_zero, mode=mode, **_compiling(compile, compile_options)
    )


@overload
def hessian(
    f: Callable[P, Any], wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, Any]: ...
@overload
def hessian(
    f: Callable[P, Any], wrt: _Several, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, tuple[_Tuple, ...]]: ...
@overload
def hessian(
    f: None = None, wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradient: ...
@overload
def hessian(
    f: None = None, *, wrt: _Several, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> _Hessians: ...
@at_the_callers_line
def hessian(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """All second derivatives of a function with a scalar result: `hessian(f)(*args)`.

    Forward over reverse. For one argument of shape s the result has shape s + s; for a tuple it is a tuple of tuples.
    """
    return _operator(Hessian, f, wrt, others, strong_zero=strong_zero, **_compiling(compile, compile_options))


@overload
def hvp(
    f: Callable[P, Any], wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[..., Any]: ...
@overload
def hvp(
    f: Callable[P, Any], wrt: _Several, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[..., _Tuple]: ...
@overload
def hvp(f: None = None, wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]) -> _Product: ...
@overload
def hvp(f: None = None, *, wrt: _Several, strong_zero: bool = False, **compiling: Unpack[_Compiling]) -> _Products: ...
@at_the_callers_line
def hvp(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The Hessian times a vector, at the price of a few gradients: `hvp(f)(*args, v)`; `v` mirrors wrt.

    `hvp(f).hessp(x, v, *args)` takes them in the order of `scipy.optimize.minimize(..., hessp=hvp(f).hessp)`.
    """
    return _operator(Hvp, f, wrt, others, strong_zero=strong_zero, **_compiling(compile, compile_options))


@overload
def elementwise_grad(
    f: Callable[P, T], wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, Any]: ...
@overload
def elementwise_grad(
    f: Callable[P, T], wrt: _Several, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> Derivative[P, _Tuple]: ...
@overload
def elementwise_grad(
    f: None = None, wrt: _One = 0, *, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradient: ...
@overload
def elementwise_grad(
    f: None = None, *, wrt: _Several, strong_zero: bool = False, **compiling: Unpack[_Compiling]
) -> _Gradients: ...
@at_the_callers_line
def elementwise_grad(
    f: Any = None,
    wrt: Wrt = 0,
    *,
    strong_zero: bool = False,
    compile: str | None = None,
    compile_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Any:
    """The derivative of a function that works element by element, at each element: `elementwise_grad(f)(x)`.

    It is the gradient of the sum of the results: for a function whose elements depend on each other, take `jacobian`.

    >>> import numpy as np
    >>> elementwise_grad(lambda x: x * x)(np.array([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """
    return _operator(ElementwiseGrad, f, wrt, others, strong_zero=strong_zero, **_compiling(compile, compile_options))
