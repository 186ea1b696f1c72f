"""Reverse mode: the backward sweep of a function in core Python.

The sweep is written in terms of the primal's own names, as if every value were still there: which of them are, which
are computed again and which are taped is decided afterwards (`s2sad.analysis.record`). Reads of memory that some
statement overwrites are marked by placeholder names, one for each reading statement.

`sweep.Sweep` is its state. What each statement comes to is registered by its type in the modules that are imported
here.
"""

from __future__ import annotations

from s2sad.transform import assignments, branches, lists, loops, stores
from s2sad.transform.sweep import Sweep

__all__ = ["Sweep", "assignments", "branches", "lists", "loops", "stores"]
