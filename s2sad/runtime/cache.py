"""The directory in which derivatives are kept for later processes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

#: what S2SAD_CACHE says to have nothing kept
OFF = frozenset(("0", "off", "no", "false"))


def cache_directory() -> Path:
    """S2SAD_CACHE, or s2sad in the user's directory for caches."""
    named = os.environ.get("S2SAD_CACHE", "")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named).expanduser() if named and not is_off() else Path(base).expanduser() / "s2sad"


def is_off() -> bool:
    """Is nothing to be kept of what need not be kept?"""
    return os.environ.get("S2SAD_CACHE", "").lower() in OFF


def put(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, so that another process finds all of it or nothing.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
