"""What Numba says about a kernel, said where the user wrote it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.core import Origin
from s2sad.frontend.diagnostics import DerivationError
from s2sad.request import Derived

#: what Numba's messages say, and what a user understands of it
_SAID = (
    (r"Unknown attribute '(\w+)' of type Module\((?:<module ')?([\w.]+)", r"Numba has no \2.\1"),
    (r"Unknown attribute '(\w+)' of type (?:Function\()?<ufunc '(\w+)'>", r"Numba has no np.\2.\1"),
    (r"Unknown attribute '(\w+)' of type array", r"Numba has no attribute or method \1 of arrays"),
    (r"Use of unsupported NumPy function '([\w.]+)'", r"Numba has no \1"),
    (r"[Cc]annot unify (.+?) and (.+?) for '([\w.]+)'", r"\3 is a \1 on one path and a \2 on another"),
    (r"No implementation of function Function\((?:<built-in function |<function |<ufunc ')?([\w.]+)[^)]*\) found",
     r"Numba has no \1 for these arguments"),
    (r"Untyped global name '(\w+)'", r"\1 is nothing that Numba compiles"),
)  # fmt: skip


def fault(said: str, derived: Derived, text: str, file: str) -> DerivationError:
    """An error of Numba's as one of ours. `file` is where the text stands."""
    said = re.sub(r"\x1b\[[0-9;]*m", "", said)
    reason = next((m.expand(words) for pattern, words in _SAID if (m := re.search(pattern, said))), "")
    if not reason:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith(("Failed in", "During", "File"))), "it says no")
        reason = f"Numba cannot compile this: {reason}"
    lines_named = [int(n) for n in re.findall(f'File "{re.escape(file)}", line (\\d+)', said)]
    origin = next((o for n in reversed(lines_named) if (o := origin_at(text, derived, n)) is not None), None)
    way = "write it with what Numba has (https://numba.readthedocs.io, supported NumPy features), or leave compile out."
    if origin is None:
        return DerivationError(f"{reason.rstrip('.')}.", way)
    return DerivationError(f"{reason.rstrip('.')}.", way, file=origin.file, line=origin.line, text=origin.text)


def origin_at(text: str, derived: Derived, line: int) -> Origin | None:
    """Where the statement on a line of the text comes from."""
    trees = {f.name: f for f in derived.functions}
    found = None
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef) and function.name in trees and function.lineno <= line:
            for printed, node in zip(_statements(function.body), _statements(trees[function.name].body), strict=False):
                if printed.lineno <= line <= (printed.end_lineno or printed.lineno):
                    found = node.__dict__.get("origin") or found
    return found


def _statements(body: list[Any]) -> Iterator[Any]:
    for node in body:
        yield node
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list) and not isinstance(node, (ast.Lambda, gast.Lambda)):
                yield from _statements(inner)
        for handler in getattr(node, "handlers", ()):
            yield from _statements(handler.body)
