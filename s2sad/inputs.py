"""Arguments from an example: a function of the user's that returns them (`--inputs`)."""

from __future__ import annotations

from typing import Any

from s2sad.face import Derivative
from s2sad.frontend.diagnostics import BadArgument, DerivationError, raised_by
from s2sad.frontend.locate import locate
from s2sad.frontend.target import public_signature


def example_arguments(example: str, target: str, derivative: Derivative[..., Any]) -> dict[str, Any]:
    """The arguments that an example function returns, by the names of the target's parameters.

    Args:
        example: FILE:function or package.module:function; a name alone is that of a function beside the target.
        target: what the arguments are for.

    Raises:
        NotFound: there is no such function.
        Raised: it raises.
        BadArgument: what it returns are no arguments of the target.
    """
    place = example if ":" in example else f"{target.rpartition(':')[0]}:{example}"
    try:
        given = locate(place)()
    except (DerivationError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit among them
        raise raised_by(error, f"The example function {example} raises", "correct it.") from error
    signature = public_signature(derivative._target)  # without the tangent of forward mode
    names = ", ".join(signature.parameters)
    way = f"return a tuple in the order of the parameters ({names}), or a dict by their names."
    if given is None:
        raise BadArgument(f"The example function {example} returns nothing.", way)
    try:
        if isinstance(given, dict):
            bound = signature.bind_partial(**given)
        else:
            bound = signature.bind(*(given if isinstance(given, tuple) else (given,)))
    except TypeError as error:
        reason = f"The example function {example} does not return the arguments of {target}: {error}."
        raise BadArgument(reason, way) from None
    return dict(bound.arguments)
