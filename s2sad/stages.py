"""The stages of a derivation as text: each is a module that stands alone and runs."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import clone, walk_names
from s2sad.emit.module import module_text
from s2sad.frontend.diagnostics import BadArgument
from s2sad.request import Derived
from s2sad.store import Generated

#: what --stage takes: core Python, and what the two differentiators make of it, before it is tidied
STAGES = ("normal", "adjoint", "tangent")


def stage_of(generated: Generated, stage: str) -> Derived:
    """A stage as a derivation of its own, which can be printed and loaded like the finished one.

    Raises:
        BadArgument: the derivation does not go through this stage.
    """
    found = generated.derived.stages
    if stage not in found:
        raise BadArgument(
            f"This derivative has no stage {stage}; it has: {', '.join(found) or 'none'}.",
            "the stages of reverse mode are normal and adjoint, those of forward mode normal and tangent.",
        )
    tree = clone(found[stage])
    fill(tree)
    derived = generated.derived
    return Derived(tree.name, [*needed(tree, derived.support), tree], derived.facts)


def needed(tree: Any, functions: list[Any]) -> list[Any]:
    """Those of the functions that a function calls, directly or not."""
    names = {n.id for n in walk_names(tree)}
    while True:
        found = [f for f in functions if f.name in names]
        more = {n.id for f in found for n in walk_names(f)} - names
        if not more:
            return found
        names |= more


def stage_text(generated: Generated, stage: str) -> str:
    """The text of a stage."""
    return module_text(stage_of(generated, stage))


def fill(tree: Any) -> None:
    """Put `pass` where a block is empty: core Python may have such blocks, the language may not.

        if a:            if a:
        (nothing)   ->       pass

    >>> tree = gast.parse("if a: b")
    >>> tree.body[0].body = []
    >>> fill(tree)
    >>> gast.unparse(tree).split()
    ['if', 'a:', 'pass']
    """
    for node in gast.walk(tree):
        if isinstance(node, (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler, gast.FunctionDef)):
            node.body = node.body or [gast.Pass()]
