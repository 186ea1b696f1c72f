"""Where the text of compiled derivatives is kept, so that Numba keeps what it compiled beside it."""

from __future__ import annotations

import hashlib
import platform

from s2sad.runtime.cache import cache_directory, put
from s2sad.version import __version__


def kept_file(text: str, name: str) -> str:
    """A file with the text of the derivative `name`, in the cache: named after its content and what compiles it."""
    import numba
    import numpy as np

    made_by = (__version__, numba.__version__, np.__version__, platform.python_version(), text)
    digest = hashlib.sha256("\0".join(made_by).encode()).hexdigest()[:24]
    path = cache_directory() / f"{name}_{digest}.py"
    if not path.exists():
        put(path, text.encode())
    return str(path)
