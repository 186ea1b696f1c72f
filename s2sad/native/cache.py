"""Where the text of compiled derivatives is kept, so that Numba keeps what it compiled beside it."""

from __future__ import annotations

import hashlib
import pickle
import platform

from s2sad.runtime.cache import cache_directory, put
from s2sad.version import __version__


def kept_file(text: str, name: str) -> str:
    """A file with the text of the derivative `name`, in the cache: named after its content and what compiles it.

    What Numba kept beside it and a full disk or a halt has cut off goes, so that Numba makes it anew.
    """
    import numba
    import numpy as np

    made_by = (__version__, numba.__version__, np.__version__, platform.python_version(), text)
    digest = hashlib.sha256("\0".join(made_by).encode()).hexdigest()[:24]
    path = cache_directory() / f"{name}_{digest}.py"
    content = text.encode()
    if not path.exists() or path.stat().st_size != len(content):
        put(path, content)
    for kept in path.parent.glob(f"__pycache__/{path.stem}.*.nb[ic]"):
        if not kept.read_bytes().endswith(pickle.STOP):
            kept.unlink(missing_ok=True)
    return str(path)
