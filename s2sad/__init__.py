"""Source-to-source automatic differentiation for Python and NumPy."""

from s2sad.api import (
    Derivative,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)
from s2sad.frontend.diagnostics import BadArgument, DerivationError, NoSource

__version__ = "0.1.0"

__all__ = [
    "BadArgument",
    "DerivationError",
    "Derivative",
    "NoSource",
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
