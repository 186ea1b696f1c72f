"""The rule of a function, and why there is none for a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2sad.expansion.context import Context
from s2sad.expansion.operand import Key, Operand, Part
from s2sad.expansion.refusal import NoDerivative
from s2sad.frontend import ways
from s2sad.knowledge import registry
from s2sad.knowledge.names import public_name
from s2sad.knowledge.rule import Rule


def rule_of(target: Any) -> Rule:
    rule = registry.lookup(target)
    if rule is None:
        raise NoDerivative(f"{public_name(target)} has no derivative rule", ways.RULE)
    return rule


def refuse_complex(rule: Rule, args: Sequence[Operand]) -> None:
    """Densities and probabilities are of real numbers, whatever their formulas make of complex ones."""
    if rule.name.startswith("scipy.stats.") and any(a.is_complex for a in args):
        raise NoDerivative(f"{rule.name} of complex numbers has no rule", "take np.real of them")


def is_elementwise(target: Any) -> bool:
    """Is the rule of a function a partial derivative for each argument?"""
    rule = registry.lookup(target)
    return rule is not None and rule.partials is not None


def argument_name(context: Context, key: Key) -> str:
    for name, value in context.env.items():
        if isinstance(value, Part) and value.key == key[: len(value.key)]:
            return f"its argument {name}"
    return f"its argument {key[0]}"
