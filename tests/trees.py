"""The code of the project, each file parsed once for all tests that look at it."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

ROOT = Path(__file__).parent.parent


@functools.cache
def tree_of(file: Path) -> ast.Module:
    """The tree of a file, which is not to be changed.

    >>> isinstance(tree_of(ROOT / "s2sad" / "core.py").body[0], ast.Expr)
    True
    """
    return ast.parse(file.read_text(encoding="utf-8"))
