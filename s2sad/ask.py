"""What has to be known of parameters of which nothing is said, and how to say it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from s2sad.core import is_operation, walk
from s2sad.frontend.diagnostics import BadArgument, DerivationError, error_at
from s2sad.frontend.source import FunctionSource
from s2sad.kinds.kind import Kind, Unknown
from s2sad.kinds.spec import SpecError, parse_kinds

#: attributes of arrays that numbers of NumPy have, too
_OF_ARRAYS = frozenset(("shape", "ndim", "size", "dtype", "T", "real", "imag", "sum", "mean", "max", "min", "copy"))


def unknown(kinds: dict[str, Kind]) -> list[str]:
    """The parameters of which nothing is known."""
    return [name for name, kind in kinds.items() if type(kind) is Unknown]


def check_general(source: FunctionSource, names: list[str], wrt: tuple[str, ...]) -> None:
    """Refuse code in its general form, which is right for numbers and arrays of floats, where a function uses a
    parameter otherwise, or overwrites it: what is then copied, and how, depends on what it is.

    Args:
        names: the parameters of which nothing is known.

    Raises:
        DerivationError: at that use.
    """
    for node in walk(source.tree):
        if isinstance(node, gast.AugAssign):
            name = _root(node.target)
        elif isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            name = _root(node)
        elif _is_part(node) and node.value.id in wrt:
            name = node.value.id
        else:
            continue
        if name in names:
            way = f"say what {name} is by an annotation, or call the derivative: it is derived for what it is given"
            raise error_at(node, source, f"what this does depends on what {name} is", way)


def _root(node: Any) -> str:
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""


def _is_part(node: Any) -> bool:
    """Is it `p["key"]` or `p.attribute`, which arrays do not have?"""
    if not isinstance(node, (gast.Subscript, gast.Attribute)) or not isinstance(node.value, gast.Name):
        return False
    if isinstance(node, gast.Attribute):
        return node.attr not in _OF_ARRAYS
    return isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str)


def asked(
    error: DerivationError, source: FunctionSource, names: list[str], derive: Callable[[dict[str, Kind]], Any]
) -> DerivationError | None:
    """The question for what is not known, where an answer to it would do; None where the error has another cause.

    Args:
        error: what the derivation ended in.
        names: the parameters of which nothing is known.
        derive: derives with kinds for these.
    """
    for example in _examples(source, names):
        try:
            derive(parse_kinds(example))
        except (DerivationError, SpecError):
            continue
        told = f"Nothing is known of {'the parameters ' if len(names) > 1 else 'the parameter '}{', '.join(names)}"
        return BadArgument(
            f"{told}: {error.reason}",
            f'say what is passed, by annotations or, for instance, with --args "{example}".',
            file=error.file,
            line=error.line,
            text=error.text,
            start=error.start,
            end=error.end,
        )
    return None


def _examples(source: FunctionSource, names: list[str]) -> Iterator[str]:
    """What the parameters may be, the likeliest first, as --args has it."""
    uses = {name: _Use() for name in names}
    for node in walk(source.tree):
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id in uses:
            key = node.slice.value if isinstance(node.slice, gast.Constant) else None
            if isinstance(key, str):
                uses[node.value.id].keys.setdefault(key, False)
            else:
                uses[node.value.id].array = True
        if isinstance(node, gast.Subscript):
            for part in walk(node.slice):
                if isinstance(part, gast.Name) and part.id in uses:
                    uses[part.id].whole = True
        elif isinstance(node, gast.Attribute) and _root(node.value) in uses:
            uses[_root(node.value)].array = True
        elif is_operation(node, gast.MatMult):
            for part in (node.left, node.right):
                if _is_part(part) and part.value.id in uses and isinstance(part, gast.Subscript):
                    uses[part.value.id].keys[part.slice.value] = True
                elif _root(part) in uses:
                    uses[_root(part)].array = uses[_root(part)].matrix = True
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("len", "range"):
            for part in node.args:
                if isinstance(part, gast.Name) and part.id in uses:
                    use = uses[part.id]
                    use.array, use.whole = node.func.id == "len", node.func.id == "range"
        elif isinstance(node, gast.For) and isinstance(node.iter, gast.Name) and node.iter.id in uses:
            uses[node.iter.id].array = True
    done = set()
    matrices = any(any(use.keys.values()) or use.matrix for use in uses.values())
    for number, array in sorted(_FORMS, key=lambda form: matrices and "," not in form[1]):
        text = ", ".join(f"{name}: {use.said(number, array)}" for name, use in uses.items())
        if text not in done:
            done.add(text)
            yield text


#: numbers, and what is indexed, measured or multiplied as a matrix
_FORMS = (
    ("float", "f8[n]"),
    ("float", "f8[n, n]"),
    ("f8[n]", "f8[n]"),
    ("f8[n, n]", "f8[n, n]"),
    ("f8[n]", "f8[n, n]"),
)


class _Use:
    """How a function uses a parameter."""

    def __init__(self) -> None:
        #: of a dict, and whether what it holds there is multiplied as a matrix
        self.keys: dict[str, bool] = {}
        self.array = self.whole = self.matrix = False

    def said(self, number: str, array: str) -> str:
        if self.keys:
            parts = (
                f"{key if key.isidentifier() else repr(key)}: {array if matrix else number}"
                for key, matrix in self.keys.items()
            )
            return "{" + ", ".join(parts) + "}"
        return array if self.array else "int" if self.whole else number
