"""The tables of what is registered, and how often they were changed."""

from __future__ import annotations

from typing import Any

from s2sad.knowledge.rule import Functional, Rule

#: the rule of each function
rules: dict[Any, Rule] = {}
#: the position of the argument whose memory the result of a function may share
views: dict[Any, int] = {}
#: the functions that methods and attributes of ndarray stand for
methods: dict[str, Any] = {}
attributes: dict[str, Any] = {}
#: functions whose calls have an effect beside their result
effects: set[Any] = set()
#: how solvers call the functions that they are given
functionals: dict[Any, Functional] = {}
#: are the templates that come with s2sad being loaded?
loading = False
#: how often rules were registered or taken back by others: a derivation is right for those that it found
_changes = 0


def changes() -> tuple[dict[str, Any], str, int]:
    """Where it is counted how often rules were registered or taken back, not counting those that come with s2sad."""
    return globals(), "_changes", _changes


def note_change() -> None:
    """A rule was registered or taken back: it counts, unless it comes with s2sad."""
    global _changes
    if not loading:
        _changes += 1
