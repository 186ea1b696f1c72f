"""The contributions of one call to the adjoints of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.zeros import WHOLE
from s2sad.core import Expr, Facts, Stmt, names_read
from s2sad.expansion.binding import bind
from s2sad.expansion.care import NO_CARE, Care, Mask
from s2sad.expansion.context import Context
from s2sad.expansion.contributions import as_large_as_result
from s2sad.expansion.fit import Product
from s2sad.expansion.infinite_slopes import is_risky, safe
from s2sad.expansion.lookup import argument_name, refuse_complex, rule_of
from s2sad.expansion.operand import Key, Operand
from s2sad.expansion.partials import merged, partials
from s2sad.expansion.refusal import NoDerivative
from s2sad.expansion.running import Run
from s2sad.expansion.selections import Selections
from s2sad.expansion.zero import ZERO, is_zero
from s2sad.frontend import ways
from s2sad.kinds.kind import List, Tuple
from s2sad.knowledge.rule import Template


@dataclass
class Expansion:
    """What the adjoint of a call comes to: statements for intermediate values, then one contribution an active key."""

    statements: list[Stmt] = field(default_factory=list)
    contributions: list[tuple[Key, Operand]] = field(default_factory=list)


def adjoint(
    target: Any,
    y: Operand,
    args: Sequence[Operand],
    kwargs: dict[str, Operand],
    cotangent: Operand,
    active: set[Key],
    facts: Facts,
    mask: Mask | None = None,
    care: Care = NO_CARE,
) -> Expansion:
    """The contributions of one call to the adjoints of its active arguments.

    Args:
        target: the function that is called, an `operator` function for operators.
        y: the result; for several results a Tuple of Names.
        args: the positional arguments.
        kwargs: the keyword arguments.
        cotangent: the adjoint of y, which may be lazily broadcast (smaller than y, as its kind says); for several
            results a Tuple whose missing parts are None.
        active: the arguments, or items `(0, 2)` of list arguments, that contributions are wanted for.
        facts: what is known of the names; new temps and globals are entered.
        mask: where the cotangent counts, of an elementwise function. Elsewhere it is zero, whatever the slope is there.
        care: which products have to be safe from slopes that do not exist.

    Returns:
        The expansion. An active argument may have no contribution when its derivative is zero.

    Raises:
        NoDerivative: there is no rule for this call.
    """
    rule = rule_of(target)
    if rule.zero or not active:
        return Expansion()
    refuse_complex(rule, [*args, *kwargs.values()])
    context = Context(rule, y, args, kwargs, active, facts)
    if isinstance(cotangent.kind, List) and isinstance(cotangent.expr, gast.Tuple):
        cotangent = Operand(cotangent.expr, Tuple(cotangent.kind.items))
    context.cotangent = cotangent
    context.care = care
    if rule.partials is not None:
        expansion = _of_partials(context, rule.partials, mask)
    else:
        template = rule.linear or rule.adjoint
        if template is None:
            raise NoDerivative(f"{rule.name} has no reverse rule", ways.RULE)
        expansion = _of_template(context, template)
    if care.leaves_out or care.infinite or care.strong:
        selections = Selections(context)
        expansion.statements = selections.statements()
        expansion.contributions = [
            (k, Operand(selections.selected(v.expr), v.kind)) for k, v in expansion.contributions
        ]
    return expansion


def _of_partials(context: Context, template: Template, mask: Mask | None) -> Expansion:
    run = Run(context)
    g = context.cotangent
    assert g is not None
    for part, partial in merged(partials(run, template)):
        if partial is ZERO or is_zero(partial):
            continue
        product = Product.of(partial, context.facts).times(g, context.facts, context.y.kind)
        if mask is not None and not (context.y.is_scalar and _stays_zero(context, mask, partial)):
            masked = mask.applied(product.expr(), context.np, context.y.is_scalar)
            run.contributions.fit(part, Operand(masked, context.y.kind), context.y)
        elif is_risky(context, partial, context.care.level()) and not isinstance(g.expr, gast.Constant):
            g = context.local("g", g)
            product = Product.of(partial, context.facts).times(g, context.facts, context.y.kind)
            run.contributions.fit(part, safe(context, product.expr(), g), context.y)
        else:
            run.contributions.fit(part, as_large_as_result(context, product, g), context.y)
    return Expansion(context.statements, run.contributions.made)


def _stays_zero(context: Context, mask: Mask, partial: Expr) -> bool:
    """Is a cotangent that is zero outside of a mask by itself still so after a product that is no risk?"""
    zeroed = mask.zeroed or mask.raw.text in names_read(mask.condition)
    return zeroed and not is_risky(context, partial, WHOLE)


def _of_template(context: Context, template: Template) -> Expansion:
    run = Run(context)
    bind(context, template)
    if "permutes" in template.options and _permuted(run):
        return Expansion(context.statements, run.contributions.made)
    run.run(template.body)
    for key in context.active - run.contributions.covered:
        raise context.refuse(f"it has no derivative with respect to {argument_name(context, key)}")
    return Expansion(context.statements, run.contributions.made)


def _permuted(run: Run) -> bool:
    """A scalar cotangent of a result that is the argument rearranged: it is the argument's cotangent as well."""
    context = run.context
    g = context.cotangent
    active = [p for p in context.env.values() if context.is_active(p)]
    if g is None or not g.is_scalar or len(active) != 1 or len(context.active) != 1 or active[0].shape is None:
        return False
    if context.y.shape is None:
        return False
    run.contributions.fit(active[0], g, active[0])
    return True
