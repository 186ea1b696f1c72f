"""How the compiler says no: file and line, the source line, a caret, the reason and the way out."""

from __future__ import annotations

import contextlib
import functools
import os
import traceback
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol, TypeVar

from s2sad.frontend import ways
from s2sad.frontend.installed import is_installed_file


class Source(Protocol):
    """The function that is derived, where a place is looked up (`frontend.source.FunctionSource`)."""

    tree: Any
    file: str
    first_line: int

    def line(self, number: int) -> str: ...


@dataclass(frozen=True)
class Remedy:
    """What may help where something was refused: how the derivation goes on, or a `try` that is being lowered."""

    #: to know lengths and ints; to know how arrays lie in memory; to follow recursions as core functions
    concrete: bool = False
    layout: bool = False
    recursion: bool = False
    #: to choose between the arrays of a short list item by item
    held: bool = False
    #: to let these arrays be active from where they are made: names of core Python, and what the user calls them
    shared: Collection[str] = ()
    shown_as: Mapping[str, str] = field(default_factory=dict)
    #: the exception that the program raises at the place for certain; is it the store that raises, when its value has
    #: been computed? and how many branches and loops were open
    raises: BaseException | None = None
    storing: bool = False
    level: tuple[int, int] = (0, 0)


class DerivationError(Exception):
    """A function or construct that cannot be derived. `str(error)` is the whole block that a user reads.

    Args:
        reason: what is wrong, in one or two sentences.
        way_out: what to write instead.
        file, line: the place; `line` counts from 1. Both may be missing.
        text: the source line itself.
        start, end: the construct's columns in `text`, in characters.
    """

    #: did loops stay loops that could be written out turn by turn? Then the derivation tries that, too
    loops_kept = False
    #: what may help
    remedy = Remedy()

    def __init__(
        self,
        reason: str,
        way_out: str = "",
        *,
        file: str = "",
        line: int = 0,
        text: str = "",
        start: int = 0,
        end: int = 0,
    ) -> None:
        self.reason, self.way_out = reason, way_out
        self.file, self.line, self.text = file, line, text
        self.start, self.end = start, end
        super().__init__(self.render())

    def render(self) -> str:
        """The block: place, line, caret, reason, way out; what is not known is left out."""
        out = []
        if self.file:
            out.append(f"{self.file}:{self.line}" if self.line else self.file)
        if self.text.strip():
            shown = self.text.rstrip()
            indent = len(shown) - len(shown.lstrip())
            out.append("    " + shown[indent:])
            if self.end > self.start:
                out.append("    " + _caret(shown, indent, self.start, self.end))
        out.append(self.reason)
        if self.way_out:
            out.append(f"Way out: {self.way_out}")
        return "\n".join(out)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(self.__dict__))


def shortened(error: DerivationError) -> DerivationError:
    """An error that is about to leave the compiler, without the frames of the compiler: `raise shortened(e) from None`.

    With S2SAD_DEBUG in the environment they are shown, and what caused the error, too.
    """
    if os.environ.get("S2SAD_DEBUG"):
        raise error
    return error.with_traceback(None)


F = TypeVar("F", bound=Callable[..., Any])


def at_the_callers_line(function: F) -> F:
    """A function whose tracebacks begin at the line that calls it: those of its errors that are diagnostics."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except DerivationError as error:
            __tracebackhide__ = not os.environ.get("S2SAD_DEBUG")  # IPython and pytest leave this frame out
            raise shortened(error) from None

    return called  # type: ignore[return-value]


class NoSource(DerivationError):
    """The function has no source that could be read."""


class BadArgument(DerivationError, TypeError):
    """An operator was given what it cannot take: a wrong wrt, an argument of the wrong kind, a wrong shape."""


class Raised(DerivationError):
    """The user's own code raised an error when it ran: an import, a function under `s2sad check`, its inputs."""


class Defect(DerivationError):
    """The compiler itself failed, at a construct that it should have derived or refused."""


#: what the compiler's own mistakes raise; errors of the system (a full disk, an interrupt) are none
_MISTAKES = (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, MemoryError, NameError)
MISTAKES = (*_MISTAKES, RuntimeError, StopIteration, SyntaxError, TypeError, ValueError)


def _rebuild(cls: type[DerivationError], state: dict[str, Any]) -> DerivationError:
    error = cls.__new__(cls)
    error.__dict__.update(state)
    error.args = (error.render(),)
    return error


def _width(text: str) -> int:
    """Columns that a text takes on a terminal.

    >>> _width("ab"), _width("数")
    (2, 2)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _caret(line: str, indent: int, start: int, end: int) -> str:
    """The line of carets under line[start:end], for a line shown without its indentation. Tabs are kept as tabs.

    >>> _caret("  y = f(x)", 2, 6, 10)
    '    ^^^^'
    """
    start, end = max(start, indent), min(max(end, start + 1), len(line))
    pad = "".join("\t" if c == "\t" else " " * _width(c) for c in line[indent:start])
    return pad + "^" * max(1, _width(line[start:end]))


def _column(line: str, offset: int) -> int:
    """A column in characters for a column in UTF-8 bytes, which is what Python's trees hold.

    >>> _column("é = x", 5)
    4
    """
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))


def error_at(
    node: Any,
    source: Source | None,
    reason: str,
    way_out: str,
    kind: type[DerivationError] = DerivationError,
) -> DerivationError:
    """The error for a construct.

    Args:
        node: a tree with a position; or one with an `origin`; or None for the function as a whole.
        source: the function it is from; None where only the node's origin is known.
    """
    line: Any = getattr(node, "lineno", None)
    origin = getattr(node, "origin", None)
    if line is None and origin is not None:
        text = (source.line(origin.line) if source is not None and source.file == origin.file else "") or origin.text
        text = text.splitlines()[0] if text else ""
        body = text.rstrip()
        return kind(
            reason,
            way_out,
            file=origin.file,
            line=origin.line,
            text=body,
            start=len(body) - len(body.lstrip()),
            end=len(body),
        )
    if source is None:
        return kind(reason, way_out)
    if line is None:
        node = source.tree
        line = getattr(node, "lineno", source.first_line)
    text = source.line(line)
    start = _column(text, getattr(node, "col_offset", 0) or 0)
    end_line, end_offset = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    named = f"def {getattr(node, 'name', '')}"
    if text[start:].startswith(named):  # a function as a whole: its name stands for it
        end = start + len(named)
    elif end_line == line and end_offset is not None:
        end = _column(text, end_offset)
    else:
        end = len(text.split("#")[0].rstrip()) if "'" not in text and '"' not in text else len(text.rstrip())
    return kind(reason, way_out, file=source.file, line=line, text=text, start=start, end=end)


def defect_at(node: Any, source: Source | None, error: Exception) -> Defect:
    """What the user reads when the compiler itself fails at a construct."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f", in {'/'.join(PurePath(frames[-1].filename).parts[-3:])}:{frames[-1].lineno}" if frames else ""
    message = (str(error).strip().splitlines() or ["no message"])[0][:200]
    reason = f"This is a defect of s2sad, not of your function: {type(error).__name__}: {message}{place}"
    way_out = "report it with the function and this block; S2SAD_DEBUG=1 shows the whole traceback."
    made = error_at(node, source, reason, way_out, Defect)
    assert isinstance(made, Defect)
    return made


def raised_by(error: BaseException, what: str, way_out: str, kind: type[DerivationError] = Raised) -> DerivationError:
    """What the user reads when their own code raises: at the line of theirs that was running.

    Args:
        what: what raised, as the reason begins: "loss raised", "model.py fails when it is imported:".
    """
    reason = f"{what} {type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError) and error.filename:
        return kind(
            reason,
            way_out,
            file=error.filename,
            line=error.lineno or 0,
            text=(error.text or "").rstrip("\n"),
            start=max((error.offset or 1) - 1, 0),
            end=max((error.end_offset or 0) - 1, error.offset or 1),
        )
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_inside(f.filename)]
    if not frames:
        return kind(reason, way_out)
    own = [f for f in frames if not is_installed_file(f.filename)]
    last = (own or frames)[-1]
    text = last.line or ""
    return kind(reason, way_out, file=last.filename, line=last.lineno or 0, text=text, start=0, end=len(text))


def _is_inside(file: str) -> bool:
    """Is it the compiler's own file, one of generated code, or of Python's imports?"""
    return file.startswith((_HERE, "<s2sad ")) or "importlib" in file


_HERE = str(PurePath(__file__).parent.parent) + os.sep


@contextlib.contextmanager
def defects_at(
    place: Callable[[], tuple[Any, Source | None]], mistake: Callable[[], str | None] = lambda: None
) -> Iterator[None]:
    """Errors of the compiler itself become diagnostics, for the construct that it is then at.

    With S2SAD_DEBUG in the environment they stay what they are. `mistake` says what is wrong with the construct
    itself, if it is.
    """
    try:
        yield
    except (DerivationError, RecursionError):  # what a stack is too short for is done again on a deep one
        raise
    except MISTAKES as error:
        reason = mistake()
        if reason is not None:
            raise error_at(*place(), reason, ways.CORRECT) from error
        if os.environ.get("S2SAD_DEBUG"):
            raise
        raise defect_at(*place(), error) from error
