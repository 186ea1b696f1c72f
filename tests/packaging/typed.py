"""What a type checker makes of the operators; `test_types.py` hands this file to mypy, nothing imports it."""

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from s2sad import Derivative, elementwise_grad, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

Vector = NDArray[np.float64]


def loss(w: Vector, b: float, steps: int = 3) -> float:
    return float(w @ w) * b * steps


w = np.ones(3)

# one parameter: the derivative has the parameters of the function
assert_type(grad(loss)(w, 2.0), Any)
assert_type(value_and_grad(loss, "w")(w, 2.0, steps=1), tuple[float, Any])
assert_type(vjp(loss)(w, 2.0), tuple[float, Callable[[Any], Any]])
assert_type(hessian(loss, wrt="w")(w, 2.0), Any)
assert_type(jacobian(loss, wrt=("w", "b"), mode="reverse")(w, 2.0), Any)

# a tuple: a tuple comes back
assert_type(grad(loss, wrt=("w", "b"))(w, 2.0), tuple[Any, ...])
assert_type(value_and_grad(loss, (0, 1))(w, b=2.0), tuple[float, tuple[Any, ...]])
assert_type(vjp(loss, wrt=("w",))(w, 2.0)[1](1.0), tuple[Any, ...])
assert_type(hessian(loss, wrt=("w", "b"))(w, 2.0), tuple[tuple[Any, ...], ...])
assert_type(hvp(loss, wrt=("w", "b"))(w, 2.0, (w, 1.0)), tuple[Any, ...])

assert_type(elementwise_grad(loss, wrt=["w", -2])(w, 2.0), tuple[Any, ...])

# forward mode takes a tangent besides
assert_type(jvp(loss)(w, 2.0, 3, w), tuple[float, float])

# higher order, and what else a derivative has
assert_type(grad(grad(loss, "b"), "b")(w, 2.0), Any)
assert_type(grad(loss).source, str)
assert_type(grad(loss).specialize(w, 2.0)(w, 2.0, steps=1), Any)


# as decorators, with and without options, of functions and of methods
@grad
def slope(x: float, k: int = 1) -> float:
    return x**k


@value_and_grad(wrt=("x", "y"))
def both(x: float, y: float) -> float:
    return x * y


class Spring:
    k = 2.0

    @grad
    def force(self, x: float) -> float:
        return self.k * x**2


assert_type(slope(2.0, k=3), Any)
assert_type(both(1.0, y=2.0), tuple[float, tuple[Any, ...]])
assert_type(Spring().force(1.0), Any)


def passed_on(derivative: Derivative[[float], float]) -> float:
    return derivative(1.0)


# what does not fit is found
grad(loss)(w)  # type: ignore[call-arg]
grad(loss)(w, "two")  # type: ignore[arg-type]
grad(loss, wrt=1.5)  # type: ignore[call-overload]
value_and_grad(loss)(w, 2.0, power=2)  # type: ignore[call-arg]
slope("two")  # type: ignore[arg-type]
both(1.0)  # type: ignore[call-arg]
Spring().force()  # type: ignore[call-arg]
