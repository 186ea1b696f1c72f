"""What `compile=` says: which compiler, and how it is to compile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2sad.frontend.diagnostics import BadArgument

#: the oldest Numba with what the kernels use (exceptions with values, `np.ndindex` over a part of the axes)
OLDEST = (0, 60)


@dataclass(frozen=True)
class Compile:
    """How a derivative is compiled.

    Attributes:
        boundscheck: is an index outside of its array an IndexError, as in NumPy? (Without, it reads other memory.)
        error_model: "python" raises ZeroDivisionError for numbers, "numpy" gives inf or nan; None: as the primal's
            own numbers do.
        fastmath: may arithmetic be regrouped and zeros lose their sign? (Nan and inf stay what they are.)
        parallel: may loops over arrays whose turns are independent run on several threads?
        cache: are compiled kernels kept on disk for the next process?
        into: are the arrays of the result handed in? (No option: a call says it, with `out=`.)
    """

    boundscheck: bool = True
    error_model: str | None = None
    fastmath: bool = False
    parallel: bool = False
    cache: bool = False
    into: bool = False


#: what a user may say
NAMES = tuple(name for name in Compile.__dataclass_fields__ if name != "into")


def compile_options(compile: Any, options: Mapping[str, Any] | None) -> Compile | None:
    """The options as one record; None where nothing is to be compiled.

    Raises:
        BadArgument: another compiler than "numba", an option that there is not, or Numba is not there.

    >>> compile_options("numba", {"fastmath": True}).fastmath, compile_options(None, None)
    (True, None)
    """
    if compile is None:
        if options:
            raise BadArgument("compile_options are given, but not compile.", 'write compile="numba" beside them.')
        return None
    if compile != "numba":
        raise BadArgument(f"compile={compile!r} is unknown.", 'write compile="numba", or leave it out for NumPy code.')
    if not isinstance(options, Mapping | None):
        raise BadArgument(f"compile_options is {options!r}.", 'write a dict, as {"fastmath": True}.')
    given = dict(options or {})
    for name, value in given.items():
        expected = {"error_model": (None, "python", "numpy")}.get(name, (False, True))
        if name not in NAMES:
            there = ", ".join(NAMES)
            raise BadArgument(f"compile_options has no entry {name!r}.", f"there are {there}.")
        if not any(value is one or (isinstance(value, str) and value == one) for one in expected):
            raise BadArgument(
                f"compile_options[{name!r}] is {value!r}.", f"write one of {', '.join(map(repr, expected))}."
            )
    check_numba()
    return Compile(**given)


def check_numba() -> None:
    """Is Numba there, and new enough?

    Raises:
        BadArgument: it is not.
    """
    try:
        import numba
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "numba":
            reason, way = "which is not installed.", 'install it: pip install "s2sad[numba]".'
        else:
            reason, way = f"which cannot be imported: {error}", "install one that fits: pip install -U numba."
        raise BadArgument(f'compile="numba" needs Numba, {reason}', way) from None
    version = re.match(r"(\d+)\.(\d+)", numba.__version__)  # (one without is made from a checkout)
    if version is not None and tuple(map(int, version.groups())) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise BadArgument(
            f'compile="numba" needs Numba {oldest} or later; {numba.__version__} is installed.',
            f'install a later one: pip install "numba>={oldest}".',
        )
