"""What generated code calls where an expression does not say it, by subject.

Each helper needs numpy alone: its source is copied into the module that uses it.
"""

from typing import Any

from s2sad.runtime.helpers.differences import *  # noqa: F403
from s2sad.runtime.helpers.distances import *  # noqa: F403
from s2sad.runtime.helpers.eigen import *  # noqa: F403
from s2sad.runtime.helpers.fourier import *  # noqa: F403
from s2sad.runtime.helpers.images import *  # noqa: F403
from s2sad.runtime.helpers.interpolants import *  # noqa: F403
from s2sad.runtime.helpers.linalg import *  # noqa: F403
from s2sad.runtime.helpers.multiplying import *  # noqa: F403
from s2sad.runtime.helpers.numbers import *  # noqa: F403
from s2sad.runtime.helpers.ordering import *  # noqa: F403
from s2sad.runtime.helpers.rearranging import *  # noqa: F403
from s2sad.runtime.helpers.scipy_linalg import *  # noqa: F403
from s2sad.runtime.helpers.signals import *  # noqa: F403
from s2sad.runtime.helpers.sparse import *  # noqa: F403
from s2sad.runtime.helpers.special import *  # noqa: F403
from s2sad.runtime.helpers.values import *  # noqa: F403


def is_helper(function: Any) -> bool:
    """Is a function one of these (and no copy in a generated module)?

    >>> is_helper(unbroadcast), is_helper(print)
    (True, False)
    """
    return (getattr(function, "__module__", None) or "").startswith(f"{__name__}.")
