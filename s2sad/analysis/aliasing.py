"""Names that may share memory where it matters: found when the code is generated, and refused.

Views of one array are followed exactly. What cannot be followed is a name that is one array on one path and another
on the other, while one of them is overwritten and both are read afterwards.
"""

from __future__ import annotations

from typing import Any

from s2sad.analysis.memory import Memory
from s2sad.core import Stmt


def check_aliases(body: list[Stmt], memory: Memory, core: Any, live: set[str]) -> None:
    """Refuse programs in which a store may or may not be seen through another name.

    Raises:
        DerivationError: at the store.
    """
