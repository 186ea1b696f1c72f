"""Which versions of the packages are here: the lowest that are allowed lack what some tests are about."""

from __future__ import annotations

import functools
from importlib.metadata import version


def since(package: str, wanted: str) -> bool:
    """Is a package here in this version or a later one?

    >>> since("numpy", "1.20"), since("numpy", "99.0")
    (True, False)
    """
    return _numbers(_here(package)) >= _numbers(wanted)


_here = functools.cache(version)  # it reads and parses a file


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])
