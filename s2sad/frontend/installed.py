"""Which code is installed, rather than the user's own."""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache

#: where installed code lives: functions from there are called, not copied
_INSTALLED = tuple(
    os.path.join(os.path.realpath(p), "")
    for p in {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    if p
)


@lru_cache(maxsize=1024)
def is_installed_file(file: str) -> bool:
    """Does a file belong to Python's library or to an installed package?"""
    if file.startswith("<frozen"):
        return True
    path = os.path.realpath(file)
    parts = path.replace("\\", "/").split("/")
    return path.startswith(_INSTALLED) or "site-packages" in parts or "dist-packages" in parts
