"""Where the text of compiled derivatives is kept, so that Numba keeps what it compiled beside it."""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
from pathlib import Path

from s2sad.request import Derived
from s2sad.version import version


def cache_directory() -> Path:
    """S2SAD_CACHE, or s2sad in the user's directory for caches."""
    named = os.environ.get("S2SAD_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named).expanduser() if named else Path(base).expanduser() / "s2sad"


def kept_file(text: str, derived: Derived) -> str:
    """A file with a derivative's text, in the cache: named after what is in it and after all that compiles it.

    Written beside its place and moved there, so that another process finds all of it or nothing.
    """
    import numba
    import numpy as np

    made_by = (version(), numba.__version__, np.__version__, platform.python_version(), text)
    digest = hashlib.sha256("\0".join(made_by).encode()).hexdigest()[:24]
    path = cache_directory() / f"{derived.name}_{digest}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(draft, path)
    return str(path)
