"""Where the text of a function may be: the file, or what else keeps what was run, and what travels with a pickle."""

from __future__ import annotations

import linecache
import os
import stat
import sys
import types
from collections.abc import Iterator
from typing import Any

#: how far back the history of the interactive prompt is searched, in lines
_HISTORY = 2000


def texts(file: str, function: types.FunctionType) -> Iterator[tuple[str, list[str]]]:
    """What may be the lines that a function was compiled from, with their file. The caller tells which it is.

    Args:
        file: the name its code was compiled under.
        function: the function; its module may know how to get its text.
    """
    known = linecache.getlines(file, function.__globals__)
    yield file, known
    linecache.checkcache(file)
    again = linecache.getlines(file, function.__globals__)
    if again is not known:
        yield file, again
    if file == "<string>":
        yield file, _command(sys.orig_argv).splitlines(keepends=True)
    elif file == "<stdin>":
        yield file, _piped()
        yield from ((file, lines) for lines in _typed(function.__code__.co_name))
    elif file.startswith(("<timed exec", "<magic-")):
        yield from ((file, lines) for lines in _cells())
    yield from _brought


def _command(arguments: list[str]) -> str:
    """What `python -c` was given, of all the arguments that Python was started with.

    >>> _command(["python", "-W", "error", "-Ic", "print(1)", "-c", "x"]), _command(["python", "file.py", "-c", "x"])
    ('print(1)', '')
    """
    rest = iter(arguments[1:])
    for option in rest:
        if not option.startswith("-") or option == "-":
            break
        if option.startswith("--"):
            if option == "--check-hash-based-pycs":
                next(rest, "")
            continue
        for i, letter in enumerate(option[1:], 2):
            if letter == "c":
                return option[i:] or next(rest, "")
            if letter == "m":
                return ""
            if letter in "WX":
                if not option[i:]:
                    next(rest, "")
                break
    return ""


def _piped() -> list[str]:
    """The script that `python < script.py` runs: a file can be read once more, a pipe can not."""
    try:
        number = sys.__stdin__.fileno()  # type: ignore[union-attr]
        found = os.fstat(number)
        text = os.pread(number, found.st_size, 0) if stat.S_ISREG(found.st_mode) else b""
        return text.decode().splitlines(keepends=True)
    except (AttributeError, OSError, ValueError):  # there is none, or no text in it
        return []


def _typed(name: str) -> Iterator[list[str]]:
    """What was typed at the prompt of a Python that keeps no source itself, the latest statement first."""
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    lines = [f"{readline.get_history_item(i) or ''}\n" for i in range(max(1, count - _HISTORY), count + 1)]
    for i in reversed(range(len(lines))):
        if name == "<lambda>":
            yield [lines[i]]
        elif lines[i].startswith(("def ", "@")):
            yield lines[i:]


def _cells() -> Iterator[list[str]]:
    """The cells of a notebook under `%%time` and the like, which run them without keeping them; the latest first."""
    interactive: Any = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    if shell is None:
        return
    for cell in reversed(shell.history_manager.input_hist_raw):
        head, _, body = cell.lstrip().partition("\n")
        if head.startswith("%%"):
            yield shell.transform_cell(body).splitlines(keepends=True)


#: texts that came with pickles, whose functions have lost the name of their file
_brought: list[tuple[str, list[str]]] = []


def bring(file: str, lines: list[str]) -> None:
    """Let functions that came with a pickle find a text that came with them."""
    if (file, lines) not in _brought:
        _brought.append((file, lines))
