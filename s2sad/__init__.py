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
from s2sad.version import __version__ as __version__

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
