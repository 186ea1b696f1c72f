"""The `else` of a loop, where lowering has put a flag for it and nothing else needs the flag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import gast

from s2sad.core import Stmt, blocks_of, walk_names
from s2sad.tidy.rebuild import with_blocks, with_fields


def restore_else(body: list[Stmt], live_out: Iterable[str] = ()) -> list[Stmt]:
    """The statements with `else` at loops instead of a flag that only says whether a loop ran to its end.

    Args:
        body: the statements.
        live_out: the names that are read behind them.

    >>> from s2sad.core import statements, text
    >>> loop = "done = True\\nfor k in x:\\n  if c(k):\\n    done = False\\n    break\\n"
    >>> print(text(restore_else(statements(loop + "if done:\\n  raise ValueError(x)"))))
    for k in x:
        if c(k):
            break
    else:
        raise ValueError(x)
    """
    uses = Counter([*(n.id for n in walk_names(body)), *live_out]) if _has_break(body) else Counter[str]()
    return _block(body, uses) if uses else body


def _block(body: list[Stmt], uses: Counter[str]) -> list[Stmt]:
    result = list(body)
    for k, (loop, test) in enumerate(pairwise(body)):
        if type(loop) not in (gast.For, gast.While) or loop.orelse or type(test) is not gast.If or test.orelse:
            continue
        flag = test.test.id if type(test.test) is gast.Name else ""
        start = next((s for s in body[:k] if _sets(s, flag, True)), None)
        if start is None:
            continue
        breaks = _blocks_with_break(loop.body)
        stops = [s for block in breaks for s in block if _sets(s, flag, False)]
        if len(stops) != len(breaks) or uses[flag] != len(stops) + 2:
            continue
        result[result.index(start)] = result[result.index(test)] = None
        result[result.index(loop)] = with_fields(loop, body=_without(loop.body, flag), orelse=test.body)
    return [with_blocks(s, lambda block: _block(block, uses)) for s in result if s is not None]


def _sets(s: Any, flag: str, value: bool) -> bool:
    return (
        type(s) is gast.Assign
        and len(s.targets) == 1
        and type(s.targets[0]) is gast.Name
        and s.targets[0].id == flag
        and type(s.value) is gast.Constant
        and s.value.value is value
    )


def _has_break(body: list[Stmt]) -> bool:
    return any(type(s) is gast.Break or any(map(_has_break, blocks_of(s))) for s in body)


def _blocks_with_break(body: list[Stmt]) -> list[list[Stmt]]:
    """The blocks of a loop's body that end with its break."""
    found = [body] if any(type(s) is gast.Break for s in body) else []
    for s in body:
        for block in blocks_of(s) if type(s) not in (gast.FunctionDef, gast.ClassDef) else ():
            if type(s) not in (gast.For, gast.While) or block is s.orelse:
                found += _blocks_with_break(block)
    return found


def _without(body: list[Stmt], flag: str) -> list[Stmt]:
    return [with_blocks(s, lambda block: _without(block, flag)) for s in body if not _sets(s, flag, False)]
