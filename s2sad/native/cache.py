"""Where the text of compiled derivatives is kept, so that Numba keeps what it compiled beside it."""

from __future__ import annotations

import hashlib
import platform

from s2sad.request import Derived
from s2sad.runtime.cache import cache_directory, put
from s2sad.version import version


def kept_file(text: str, derived: Derived) -> str:
    """A file with a derivative's text, in the cache: named after what is in it and after all that compiles it."""
    import numba
    import numpy as np

    made_by = (version(), numba.__version__, np.__version__, platform.python_version(), text)
    digest = hashlib.sha256("\0".join(made_by).encode()).hexdigest()[:24]
    path = cache_directory() / f"{derived.name}_{digest}.py"
    if not path.exists():
        put(path, text.encode())
    return str(path)
