"""Locks of the compiler, and how deep a stack it works on."""

from __future__ import annotations

import contextlib
import contextvars
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

#: deep stacks are, too: each takes back the limit that it set
_deep = threading.RLock()
#: derivation is one at a time: the compiler's own caches are shared
_deriving = threading.RLock()
#: the registry of rules
rules = threading.RLock()
#: what was read of source files
sources = threading.RLock()

#: of this thread: how many derivations it is in, one inside the other; is its stack deep?
_here = threading.local()

#: what a deep stack holds: frames of Python, and bytes for what C needs of them. Only what is used takes memory.
FRAMES, BYTES = 100_000, 1 << 29


def _acquire() -> None:
    # in the order in which they are taken one inside the other
    for lock in (_deep, _deriving, rules, sources):
        lock.acquire()


def _release() -> None:
    for lock in (sources, rules, _deriving, _deep):
        lock.release()


if hasattr(os, "register_at_fork"):
    # A process that is made while another thread derives begins when that is done: nobody would release the lock in it.
    os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


@contextlib.contextmanager
def deriving() -> Iterator[None]:
    """A derivation. One inside another, of the same thread, is part of it."""
    with _deriving:
        _here.inside = getattr(_here, "inside", 0) + 1
        try:
            yield
        finally:
            _here.inside -= 1


def deeper(work: Callable[[], T], too_deep: Callable[[], Exception]) -> T:
    """Do some work that ended in a RecursionError again, on a deep stack: in a thread of its own, in the same context.

    Trees are walked by functions that call themselves, here as in gast, astor and Python's own compiler; a sum of 300
    terms is 300 nodes deep. What ran into the error as part of another derivation raises it: that is done again whole.

    Args:
        work: must be called in the handler of the RecursionError.
        too_deep: makes the error where a deep stack does not do, either.

    >>> def depth(n):
    ...     return n and 1 + depth(n - 1)
    >>> deeper(lambda: depth(5000), RuntimeError)
    5000
    """
    if getattr(_here, "inside", 0) or getattr(_here, "deep", False):
        raise
    outcome: list[Any] = []
    context = contextvars.copy_context()

    def run() -> None:
        _here.deep = True
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, FRAMES))
        try:
            outcome.extend((True, context.run(work)))
        except BaseException as error:
            outcome.extend((False, error))
        finally:
            sys.setrecursionlimit(limit)

    with _deep:
        usual = threading.stack_size(BYTES)
        try:
            thread = threading.Thread(target=run, name="s2sad", daemon=True)
            thread.start()
        finally:
            threading.stack_size(usual)
        try:
            thread.join()
        except BaseException:  # an interrupt: nothing goes on behind the caller's back
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
            thread.join()
            raise
    done, result = outcome
    if done:
        return result  # type: ignore[no-any-return]
    if isinstance(result, RecursionError):
        raise too_deep() from None
    raise result
