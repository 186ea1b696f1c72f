"""Collections of garbage while something is derived: seldom, for trees are large, and hardly any of them is garbage."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

#: how many objects are made between two collections of the youngest
OBJECTS = 50_000

_lock = threading.Lock()
#: how many derivations are going on, and the thresholds outside of them
_going_on = 0
_outside = gc.get_threshold()


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage more seldom. What the user has switched off, or made more seldom than this, stays as it is.

    >>> before = gc.get_threshold()
    >>> with seldom_collected(): gc.get_threshold()[0] >= OBJECTS
    True
    >>> gc.get_threshold() == before
    True
    """
    global _going_on, _outside
    with _lock:
        if not _going_on:
            _outside = gc.get_threshold()
            if 0 < _outside[0] < OBJECTS:
                gc.set_threshold(OBJECTS, *_outside[1:])
        _going_on += 1
    try:
        yield
    finally:
        with _lock:
            _going_on -= 1
            if not _going_on and gc.get_threshold()[0] == OBJECTS:  # (else somebody has changed it meanwhile)
                gc.set_threshold(*_outside)
