"""Which versions of the packages are here: the lowest that are allowed lack what some tests are about."""

from __future__ import annotations

from importlib.metadata import version


def since(package: str, wanted: str) -> bool:
    """Is a package here in this version or a later one?

    >>> since("numpy", "1.20"), since("numpy", "99.0")
    (True, False)
    """
    return _numbers(version(package)) >= _numbers(wanted)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])
