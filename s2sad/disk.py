"""Derivatives that are kept on disk: the first call of a later process runs what an earlier one has derived.

A file holds what was derived for one function, request and signature: the compiled module, and in words (those of
`runtime.anchors`) what its names stand for and everything that the derivation looked at: the conditions under which it
is right, the text and the code of each function that it read, which packages these are from. A later process looks at
all of that again. Where it sees something else, or a part of it cannot be put into words, nothing is taken from the
file, and the function is derived. The name of the file says what does not change in one process: the function's own
code, the request, the signature, and which s2sad, Python and NumPy these are.

Functions with rules of the user's are not kept: nothing says here what such rules are.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import linecache
import marshal
import os
import platform
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from s2sad.frontend.source import source_file, text_of
from s2sad.knowledge import tables
from s2sad.native.cache import kept_file
from s2sad.runtime.anchors import Anchors, Unsaid, Words, again, code_digest, of_condition, package_state
from s2sad.runtime.cache import cache_directory, is_off, put
from s2sad.runtime.conditions import Condition, IsNumber
from s2sad.runtime.load import in_python, is_in_file, loaded, run
from s2sad.store import About, Generated

#: how many derivations are kept for one signature, of what is looked up in several states, and how many files
SEVERAL, FILES = 4, 4000


#: a derivation that was found on disk and is right now: the generated function, its conditions, and what else is known
Kept = tuple[types.FunctionType, tuple[Condition, ...], About]


def is_kept() -> bool:
    """Are derivations kept?"""
    return not is_off() and tables.changes()[2] == 0


def path_of(own: types.FunctionType, asked: Any, signature: Any) -> Path | None:
    """The file for a function, what is asked for and the signature of a call; None where they cannot be put into words.

    Args:
        own: the function.
        asked: the request: what is told apart by its text.
        signature: as `kinds.bind.signature_key` gives it.
    """
    try:
        key = Anchors(own).key(signature)
    except Unsaid:
        return None
    code = own.__module__, own.__qualname__, code_digest(own.__code__)
    digest = hashlib.sha256(repr((_made_by(), code, repr(asked), key)).encode()).hexdigest()[:24]
    name = own.__name__ if own.__name__.isidentifier() else "function"
    return cache_directory() / f"{name}_{digest}.s2sad"


@functools.cache
def _made_by() -> Words:
    """What derives, and what runs that."""
    home = os.path.dirname(os.path.abspath(__file__))
    places = home, os.path.join(os.path.dirname(home), "templates")  # (of a checkout; else they are in s2sad)
    states = sorted(state for place in places if os.path.isdir(place) for state in _files(place))
    python = sys.version, sys.flags.optimize, platform.machine()
    return hashlib.sha256(repr(states).encode()).hexdigest(), python, np.__version__


def _files(folder: str) -> Iterator[Words]:
    """The modules in a folder and below it, with what says that they are as they were."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            elif entry.name.endswith(".py"):
                found = entry.stat()
                yield entry.name, found.st_mtime_ns, found.st_size


# --- to disk


def keep(path: Path, own: types.FunctionType, made: Generated, conditions: tuple[Condition, ...], about: About) -> bool:
    """Keep a derivation; False where it cannot be put into words, or the disk does not take it.

    Args:
        path: the file (`path_of`).
        own: the function that was derived.
        made: what was derived.
        conditions: those of the derivation.
        about: what else there is to know of it.
    """
    try:
        record = _record(own, made, conditions, about)
    except Unsaid:
        return False
    try:
        _prune(path.parent)
        others = [r for r in _read(path) if r[:-1] != record[:-1]]
        content = marshal.dumps((record, *others)[:SEVERAL])
        put(path, hashlib.sha256(content).digest() + content)
    except (OSError, ValueError):  # a disk that is full or not ours; what marshal does not take
        return False
    return True


def _record(own: types.FunctionType, made: Generated, conditions: tuple[Condition, ...], about: About) -> Words:
    here = Anchors(own)
    looks = list(_in_words(conditions, here))
    read = tuple((here.said(f), len(text.splitlines()), _digest(text)) for f, text in made.texts.items())
    used = _names_in(made.code) - {c.co_name for c in made.code.co_consts if isinstance(c, types.CodeType)}
    said = tuple((n, here.said(v)) for n, v in made.derived.facts.globals.items() if n in used)
    told = here.data((about.detail, about.at, about.prepare, about.tangents, about.given))
    return tuple(looks), read, said, told, _whole(here), made.derived.name, made.text, about.doc, made.code


def _names_in(code: types.CodeType) -> set[str]:
    """The names that code, and the code in it, looks up."""
    inner = (_names_in(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*inner)


def _in_words(conditions: tuple[Condition, ...], here: Anchors) -> Iterator[tuple[int, Words, Words]]:
    """The conditions, each with its number: first those from which the way leads to what others are about.

    Raises:
        Unsaid: one cannot be put into words.
    """
    left = list(enumerate(conditions))
    while left:
        later = []
        for number, condition in left:
            mark = here.mark()
            try:
                words = of_condition(condition, here)
            except Unsaid as error:
                here.back(mark)
                later.append((number, condition))
                reason = error
                continue
            yield number, *words
        if len(later) == len(left):
            raise reason
        left = later


def _whole(here: Anchors) -> Words:
    """What the words rest on: which functions, packages and memory these are.

    Raises:
        Unsaid: arrays share memory.
    """
    arrays = here.arrays
    if any(np.may_share_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i]):
        raise Unsaid("arrays in one memory")
    functions = tuple((here.said(f), code_digest(f.__code__)) for f in here.functions)
    return functions, tuple(map(package_state, sorted(here.packages)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _prune(directory: Path) -> None:
    """Remove the older half where there are very many files."""
    if not directory.is_dir() or len(names := os.listdir(directory)) < FILES:
        return
    aged = []
    for name in names:
        with contextlib.suppress(OSError):
            if name.endswith(".s2sad"):
                aged.append(((directory / name).stat().st_mtime_ns, name))
    for _, name in sorted(aged)[: FILES // 2]:
        with contextlib.suppress(OSError):
            (directory / name).unlink()


# --- from disk


def find(path: Path, own: types.FunctionType, at: Any) -> Kept | None:
    """What was derived for a call like this one in an earlier process, if all is as it was there.

    Args:
        path: the file (`path_of`).
        own: the function.
        at: gives the call's arguments in a detail (`store.Detail.of`).
    """
    for record in _read(path):
        with contextlib.suppress(Exception):  # whatever is not as it was: the function is derived
            return _as_it_was(record, own, at)
    return None


def _read(path: Path) -> tuple[Words, ...]:
    try:
        content = path.read_bytes()
    except OSError:
        return ()
    digest, rest = content[:32], content[32:]
    if hashlib.sha256(rest).digest() != digest or (hasattr(os, "getuid") and path.stat().st_uid != os.getuid()):
        return ()
    found: tuple[Words, ...] = marshal.loads(rest)
    return found


class _Changed(Exception):
    """Something is not what it was."""


def _as_it_was(record: Words, own: types.FunctionType, at: Any) -> Kept:
    """
    Raises:
        Exception: it is not.
    """
    looks, read, said, told, whole, name, text, doc, code = record
    here = Anchors(own)
    numbered: dict[int, Condition] = {}
    handed_over: list[tuple[int, Words]] = []
    for number, looked, seen in looks:
        condition = again(looked, here, {})
        if of_condition(condition, here) != (looked, seen):
            raise _Changed(looked)
        numbered[number] = condition
        if isinstance(condition, IsNumber):
            handed_over.append((number, looked))
    for words, count, digest in read:
        function = here.at(words)
        lines = linecache.getlines(source_file(function), function.__globals__)
        if here.said(function) != words or _digest(text_of(function, lines, count)) != digest:
            raise _Changed(words)
    values = {n: _imported(words, here) for n, words in said}
    about = here.made(told)
    detail, was_at, prepare, tangents, given = about
    if at(detail) != was_at or any(here.said(values[n]) != words for n, words in said):
        raise _Changed(name)
    if here.data(about) != told or _whole(here) != whole:
        raise _Changed(name)
    kept = kept_file(text, name) if is_in_file(code) else None  # Numba has what it compiled beside it
    function = run(loaded(code, text, name, kept), name, values, own)
    for number, looked in handed_over:
        numbered[number] = condition = again(looked, here, in_python(function).__globals__)
        assert isinstance(condition, IsNumber)
        condition.hand_over()
    conditions = tuple(numbered[k] for k in sorted(numbered))
    return function, conditions, About(detail, was_at, prepare, tangents, doc, given)


def _imported(words: Words, here: Anchors) -> Any:
    """What a name of generated code stands for; modules of packages that are there are loaded for it."""
    if words[0] in ("module", "import") and words[1] not in sys.modules:
        importlib.import_module(words[1])
    return here.plain(words)
