"""Derivatives composed of others: the rows or columns of a Jacobian, the Hessian, the Hessian times a vector."""

from __future__ import annotations

import inspect
import itertools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sad.derivative import Grad, Jvp, Vjp
from s2sad.face import Derivative
from s2sad.foreign import written_function
from s2sad.frontend.diagnostics import BadArgument, at_the_callers_line
from s2sad.frontend.target import Wrt, part_of, public_signature, target_of
from s2sad.runtime.structures import is_differentiable, leaves, map_leaves, unit_values
from s2sad.store import Generated


class Jacobian(Derivative[..., Any]):
    """All derivatives of all elements of the result, row by row (reverse) or column by column (forward)."""

    operator = "jacobian"

    def _setup(self, method: bool = False) -> None:
        super()._setup(method)
        self._mode = self._options.get("mode")
        if self._mode not in (None, "forward", "reverse"):
            raise BadArgument(f"mode={self._mode!r} is unknown.", 'write mode="forward", mode="reverse" or mode=None.')
        primal = self._inner_primal()
        wrt: Wrt = self._names[0] if self._single else self._names
        strong = self._strong_zero
        in_reverse = self._mode != "forward"
        self._vjp = Vjp(primal, wrt, strong_zero=strong, **self._compiling) if in_reverse else None
        self._jvp = Jvp(primal, wrt, strong_zero=strong, **self._compiling)

    def _inner_primal(self) -> Any:
        return self.primal

    @at_the_callers_line
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._follow()
        point = self._point(args, kwargs)
        mode = self._mode
        if self._vjp is not None:
            if mode is None and sum(np.size(v) for _, v in leaves(point) if is_differentiable(v)) <= 1:
                return self._forward(point, args, kwargs)
            value, pullback = self._vjp(*args, **kwargs)
            if mode == "reverse" or _count(value) <= _count(point):
                return self._reverse(point, value, pullback)
        return self._forward(point, args, kwargs)

    def _point(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        bound = self._bind(args, kwargs)
        values = tuple(part_of(bound.arguments, name) for name in self._names)
        for path, leaf in leaves(values):
            self._refuse_complex(leaf, f"the argument {path}")
        return values[0] if self._single else values

    def _refuse_complex(self, leaf: Any, what: str) -> None:
        if np.iscomplexobj(leaf):
            raise self._bad(
                f"{self.operator} of a complex function is not one matrix ({what} is complex).", "use vjp or jvp."
            )

    def _reverse(self, point: Any, value: Any, pullback: Callable[[Any], Any]) -> Any:
        rows = _Blocks(value, point)
        for path, leaf in leaves(value):
            self._refuse_complex(leaf, f"the result{path}")
        for unit, number, index in unit_values(value):
            for other, part in enumerate(leaf for _, leaf in leaves(pullback(unit))):
                rows.set(number, other, index, (), part)
        return rows.result()

    def _forward(self, point: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        columns = None
        for unit, number, index in unit_values(point):
            value, tangent = self._jvp(*args, unit, **kwargs)
            if columns is None:
                for path, leaf in leaves(value):
                    self._refuse_complex(leaf, f"the result{path}")
                columns = _Blocks(value, point)
            for other, part in enumerate(leaf for _, leaf in leaves(tangent)):
                columns.set(other, number, (), index, part)
        if columns is None:  # no elements at all: the result's shapes are still needed
            value, _ = self._jvp(*args, map_leaves(lambda v: v, point), **kwargs)
            columns = _Blocks(value, point)
        return columns.result()

    def _generated(self) -> Generated:
        if self._vjp is not None and (self._vjp._store.last is not None or self._jvp._store.last is None):
            return self._vjp._generated()
        return self._jvp._generated()

    def specialize(self, /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        return self.__call__


def _count(value: Any) -> int:
    return sum(int(np.size(v)) for _, v in leaves(value) if is_differentiable(v))


class _Blocks:
    """The blocks of a Jacobian, one for each leaf of the result and each leaf of the point."""

    def __init__(self, value: Any, point: Any) -> None:
        self.value, self.point = value, point
        self.blocks: list[list[Any]] = [[self._empty(v, p) for _, p in leaves(point)] for _, v in leaves(value)]

    @staticmethod
    def _empty(value: Any, point: Any) -> Any:
        if not is_differentiable(value) or not is_differentiable(point):
            return None
        return np.zeros(np.shape(value) + np.shape(point), dtype=np.result_type(value, point))

    def set(self, row: int, column: int, index: tuple[int, ...], at: tuple[int, ...], part: Any) -> None:
        """Put a part of a row or column in its place."""
        block = self.blocks[row][column]
        if block is None:
            return
        if at or not np.ndim(part) or np.ndim(block) == len(index):
            block[(*index, *(slice(None),) * (np.ndim(block) - len(index) - len(at)), *at)] = part
        else:
            block[index] = part

    def result(self) -> Any:
        """The blocks in the structure of the result, each of the structure of the point."""
        rows = iter(self.blocks)

        def row(v: Any) -> Any:
            columns: Iterator[Any] = iter(next(rows))
            return map_leaves(
                lambda point: _scalar(next(columns), type(v) is float and type(point) is float), self.point
            )

        return map_leaves(row, self.value)


def _scalar(block: Any, plain: bool) -> Any:
    """A block without axes as a number: a Python float where a Python float was derived for one."""
    if block is None or block.ndim:
        return block
    return block.item() if plain else block[()]


class Hessian(Jacobian):
    """The Jacobian of the gradient, forward over reverse."""

    operator = "hessian"

    def _setup(self, method: bool = False) -> None:
        self._options["mode"] = "forward"
        Jacobian._setup(self, method)
        self._options.pop("mode")

    def _inner_primal(self) -> Any:
        wrt: Wrt = self._names[0] if self._single else self._names
        return Grad(self.primal, wrt, strong_zero=self._strong_zero)


class Hvp(Derivative[..., Any]):
    """The Hessian times a vector, forward over reverse, without the Hessian."""

    operator = "hvp"
    extra = "v"

    def _setup(self, method: bool = False) -> None:
        super()._setup(method)
        wrt: Wrt = self._names[0] if self._single else self._names
        strong = self._strong_zero
        self._jvp = Jvp(Grad(self.primal, wrt, strong_zero=strong), wrt, strong_zero=strong, **self._compiling)

    @at_the_callers_line
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._follow()
        if "v" in kwargs and "v" not in self._target.signature.parameters:
            kwargs = dict(kwargs)
            args = (*args, kwargs.pop("v"))
        self._check_last("vector", args, kwargs)
        return self._jvp(*args, **kwargs)[1]

    def hessp(self, x: Any, p: Any, /, *args: Any) -> Any:
        """The Hessian at x times p, in the order of scipy.optimize.minimize: the vector before the other arguments.

        >>> from s2sad import hvp
        >>> hvp(lambda x, a: a * x**3).hessp(2.0, 1.0, 5.0)
        60.0
        """
        return self(x, *args, p)

    def _generated(self) -> Generated:
        return self._jvp._generated()

    def specialize(self, /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        function = self._jvp.specialize(*args, **kwargs)
        return lambda *a, **k: function(*a, **k)[1]


class ElementwiseGrad(Derivative[..., Any]):
    """The gradient of the sum of the results: each element's own derivative, where f works element by element."""

    operator = "elementwise_grad"

    def _setup(self, method: bool = False) -> None:
        super()._setup(method)
        wrt: Wrt = self._names[0] if self._single else self._names
        self._sum = self.as_gradient() if self._compiling else None
        self._vjp = Vjp(self.primal, wrt, strong_zero=self._strong_zero)

    @at_the_callers_line
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._follow()
        if self._sum is not None:
            return self._sum(*args, **kwargs)
        value, pullback = self._vjp(*args, **kwargs)
        return pullback(map_leaves(_ones_like, value))

    def as_gradient(self) -> Derivative[..., Any]:
        return Grad(sum_of(self.primal), self._wrt, strong_zero=self._strong_zero, **self._compiling)

    def _generated(self) -> Generated:
        return self._vjp._generated() if self._sum is None else self._sum._generated()

    def specialize(self, /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        return self.__call__


def _ones_like(value: Any) -> Any:
    if not is_differentiable(value):
        return value
    return np.ones_like(value) if isinstance(value, np.ndarray) else type(value)(1.0)


#: sums are numbered: each has a file of its own in tracebacks
_counter = itertools.count()


def sum_of(primal: Any) -> types.FunctionType:
    """The function whose gradient is the elementwise gradient of a function.

    >>> import numpy as np
    >>> print(inspect.getsource(sum_of(np.sqrt)), end="")
    def sum_of_sqrt(x):
        return np.sum(sqrt(x))
    """
    target = target_of(primal)
    parameters = list(public_signature(target).parameters.values())
    called = target.function.__name__ if target.function.__name__.isidentifier() else "f"
    while any(called == p.name for p in parameters):
        called += "_"
    heads = [p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None) for p in parameters]
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    named = (inspect.Parameter.KEYWORD_ONLY,)
    passed = (f"{p.name}={p.name}" if p.kind in named else stars.get(p.kind, "") + p.name for p in parameters)
    file = f"<s2sad sums {called} {next(_counter)}>"
    head, body = str(inspect.Signature(heads))[1:-1], f"np.sum({called}({', '.join(passed)}))"
    function = written_function(f"sum_of_{called}", head, body, file, {"__name__": __name__, "np": np, called: primal})
    with_default = [p for p in parameters if p.default is not p.empty]
    function.__kwdefaults__ = {p.name: p.default for p in with_default if p.kind in named}
    function.__defaults__ = tuple(p.default for p in with_default if p.kind not in named)
    return function
