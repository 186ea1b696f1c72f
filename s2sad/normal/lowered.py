"""A function that has been lowered to core Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from s2sad.core import Facts, Stmt
from s2sad.normal.values.abstract import State, Value


@dataclass
class Core:
    """A function in core Python.

    `result` is the abstract value that the last statements left; `parameters` are the parameter names.
    """

    body: list[Stmt]
    result: Value
    state: State
    facts: Facts
    wrt: dict[str, Value]
    source: Any
    run: Any = None
    #: the result as one expression, of a core function
    value: Any = None
    #: the same function with all calls written out, where some are kept
    written_out: Core | None = None


def fill_empty(block: list[Stmt]) -> None:
    """Blocks that stayed empty get a `pass`; until now they were kept, since later joins write into them."""
    for statement in block:
        body = getattr(statement, "body", None)
        if isinstance(body, list):
            if not body:
                body.append(gast.Pass())
            fill_empty(body)
        orelse = getattr(statement, "orelse", None)
        if isinstance(orelse, list):
            fill_empty(orelse)
