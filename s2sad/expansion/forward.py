"""The tangent of the result of one call."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, assign, clone, load, names_read, quote
from s2sad.expansion.binding import bind, derived_in, derived_names
from s2sad.expansion.care import NO_CARE, Care
from s2sad.expansion.context import Context
from s2sad.expansion.fit import Product, narrowed, perhaps_smaller, smaller
from s2sad.expansion.infinite_slopes import is_risky, safe, without_raising
from s2sad.expansion.lookup import argument_name, refuse_complex, rule_of
from s2sad.expansion.operand import Key, Operand, Part, shape_of
from s2sad.expansion.partials import merged, partials
from s2sad.expansion.refusal import NoDerivative
from s2sad.expansion.running import Run, is_reason
from s2sad.expansion.selections import Selections
from s2sad.expansion.zero import ZERO, add, is_zero
from s2sad.frontend import ways
from s2sad.kinds.kind import Tuple, Unknown
from s2sad.knowledge.rule import Template

#: elementwise functions that give real numbers for complex ones
_REAL_VALUED = (np.absolute, np.angle, abs, operator.abs)


def tangent(
    target: Any,
    y: Operand,
    args: Sequence[Operand],
    kwargs: dict[str, Operand],
    tangents: dict[Key, Operand],
    facts: Facts,
    care: Care = NO_CARE,
) -> tuple[list[Stmt], Operand]:
    """The tangent of the result of one call.

    Args:
        target, y, args, kwargs, facts, care: as for `adjoint`.
        tangents: the tangents of the arguments that vary, by key.

    Returns:
        Statements for intermediate values, and the tangent, which has the shape of y. For several results it is a
        Tuple whose parts that do not vary are None; for one that has no rule it holds the reason, a NoDerivative.

    Raises:
        NoDerivative: there is no rule for this call.
    """
    rule = rule_of(target)
    refuse_complex(rule, [*args, *kwargs.values()])
    context = Context(rule, y, args, kwargs, set(tangents), facts)
    context.tangents, context.care = tangents, care
    if rule.zero:
        return [], context.full_zero()
    if rule.partials is not None:
        statements, made = _of_partials(context, rule.partials)
    elif rule.linear is not None:
        statements, made = _of_linear(context, rule.linear)
    elif rule.tangent is not None:
        statements, made = _of_template(context, rule.tangent)
    else:
        raise NoDerivative(f"{rule.name} has no forward rule", ways.RULE)
    if care.leaves_out or care.infinite or care.strong:
        selections = Selections(context)
        statements = selections.statements()
        made = Operand(selections.selected(made.expr), made.kind)
    return statements, made


def _of_partials(context: Context, template: Template) -> tuple[list[Stmt], Operand]:
    total: Expr | None = None
    constant: set[Key] = set()
    for part, partial in merged(partials(Run(context), template)):
        if partial is ZERO or is_zero(partial):
            constant.add(part.key)
            continue
        g = context.tangents[part.key]
        product = Product.of(partial, context.facts).times(g, context.facts, context.y.kind).expr()
        if context.care.dropped:
            product = without_raising(context, product)
        if is_risky(context, partial, context.care.level(part.key)) and not isinstance(g.expr, gast.Constant):
            product = safe(context, product, g).expr
        total = add(total, product)
    if total is None:
        return context.statements, context.full_zero()
    return context.statements, _finished(context, context.operand(total), constant)


def _of_linear(context: Context, template: Template) -> tuple[list[Stmt], Operand]:
    """The function itself on the tangents: for several active arguments the sum over them (it is multilinear),
    where items of one list argument vary together."""
    bind(context, template)
    silent = _constant_in(context, template)
    groups: dict[Any, set[Key]] = {}
    for key in context.active:
        if key[:1] not in silent:
            groups.setdefault(key[0], set()).add(key)
    _linear_in(context, template)
    Run(context).run(list(itertools.takewhile(_only_refuses, template.body)))
    total: Expr | None = None
    for first in sorted(groups, key=lambda k: (isinstance(k, str), k)):
        total = add(total, _on_tangents(context, groups[first]))
    if total is None:
        return context.statements, context.full_zero()
    if isinstance(context.y.kind, Tuple) and isinstance(context.y.expr, gast.Tuple):
        return context.statements, Operand(_unpacked(context, total), context.y.kind)
    return context.statements, _finished(context, context.operand(total))


def _constant_in(context: Context, template: Template) -> set[Key]:
    """The arguments that only say where things go: those with `d[x] = 0.0`."""
    return {
        value.key
        for node in template.body
        if isinstance(node, gast.Assign) and is_zero(node.value)
        for name in derived_in(node)
        if isinstance(value := context.env.get(name), Part)
    }


def _linear_in(context: Context, template: Template) -> None:
    """Refuse arguments in which the function is not said to be linear."""
    names = {
        n
        for n, v in context.env.items()
        if context.is_active(v) or (isinstance(v, list) and any(context.is_active(i) for i in v))
    }
    for name in names:
        if name not in derived_names(template):
            raise context.refuse(f"it has no derivative with respect to its argument {name}")


def _on_tangents(context: Context, keys: set[Key]) -> Expr:
    args = [_with_tangents(context, a, keys) for a in context.args]
    keywords = [gast.keyword(k, _with_tangents(context, a, keys)) for k, a in context.kwargs.items()]
    return context.call_expr(args, keywords)


def _with_tangents(context: Context, part: Part, keys: set[Key]) -> Expr:
    if part.key in keys:
        return clone(context.tangents[part.key].expr)
    if any(key[: len(part.key)] == part.key for key in keys):
        items = part.items()
        if items is None:
            raise context.unknown("the items of a list argument")
        elts = []
        for item in items:
            if any(key[: len(item.key)] == item.key for key in keys):
                elts.append(_with_tangents(context, item, keys))
            else:
                elts.append(context.zeros_like(item).expr)
        return (
            type(part.expr)(elts, gast.Load())
            if isinstance(part.expr, (gast.List, gast.Tuple))
            else gast.List(elts, gast.Load())
        )
    return clone(part.expr)


def _of_template(context: Context, template: Template) -> tuple[list[Stmt], Operand]:
    bind(context, template)
    run = Run(context)
    run.run(template.body)
    if run.result is None:
        raise context.refuse("its forward rule gives no d[y] for this call")
    unread = {k for k in context.active if not any(k[: len(r)] == r for r in context.read | run.contributions.covered)}
    for key in unread:
        raise context.refuse(f"it has no derivative with respect to {argument_name(context, key)}")
    result = run.result
    if result is ZERO:
        return context.statements, context.full_zero()
    if isinstance(result, list):
        elts = [gast.Constant(r, None) if r is None or is_reason(r) else r for r in result]
        return context.statements, Operand(gast.Tuple(elts, gast.Load()), context.y.kind)
    if (
        isinstance(context.y.kind, Tuple)
        and not isinstance(result, gast.Tuple)
        and isinstance(context.y.expr, gast.Tuple)
    ):
        result = _unpacked(context, result)
    return context.statements, _finished(context, context.operand(result))


def _unpacked(context: Context, result: Expr) -> Expr:
    """Names for the parts of a tangent that one call returns."""
    assert isinstance(context.y.kind, Tuple)
    names = [context.facts.fresh("t") for _ in context.y.kind.items]
    context.facts.kinds.update(zip(names, context.y.kind.items, strict=True))
    pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
    context.statements.append(assign(pattern, result))
    return gast.Tuple([load(n) for n in names], gast.Load())


def _finished(context: Context, value: Operand, constant: AbstractSet[Key] = frozenset()) -> Operand:
    """A tangent at the size of the result, and real where that is. `constant`: arguments whose partials are zero."""
    real = context.y.dtype.kind == "f" if context.y.dtype is not None else context.rule.target in _REAL_VALUED
    if real and value.is_complex:
        value = context.quote("x.real", x=value)
    elif real and value.dtype is None and context.rule.target in _REAL_VALUED:
        value = context.quote("np.real(x)", x=value)
    if isinstance(value.kind, Unknown) or (shape_of(value.kind) is None and not isinstance(value.kind, Tuple)):
        return _broadcast_unknown(context, value, constant)
    if shape_of(context.y.kind) is None:
        return _broadcast_unknown(context, value, constant)
    if perhaps_smaller(value.kind, context.y.kind) and not smaller(value.kind, context.y.kind):
        return narrowed(_broadcast_unknown(context, value, constant), context.y)
    return narrowed(context.broadcast(value, context.y.kind), context.y)


def _broadcast_unknown(context: Context, value: Operand, constant: AbstractSet[Key]) -> Operand:
    """A tangent made as large as a result, where it is not certain that it is so already."""
    if context.template is None or isinstance(context.y.kind, Tuple):
        return Operand(value.expr, context.y.kind)
    if context.rule.partials is None and "broadcasts" not in context.template.options:
        return Operand(value.expr, context.y.kind)
    # an array that neither varies nor occurs in the expression may still have made the result larger
    there = names_read(value.expr)
    silent = [
        p
        for p in context.args
        if shape_of(p.kind) != ()
        and (not context.is_active(p) or p.key in constant)
        and not (isinstance(p.expr, gast.Name) and p.expr.id in there)
    ]
    if not silent or names_read(context.y.expr) <= there:
        return Operand(value.expr, context.y.kind)
    expr = quote("np.broadcast_to(t, np.shape(y))", np=context.np, t=value.expr, y=context.y.expr)
    return Operand(expr, context.y.kind)


def _only_refuses(statement: Any) -> bool:
    """Is a statement of a template there to refuse calls?"""
    if isinstance(statement, gast.If):
        return all(isinstance(s, gast.Raise) for s in statement.body) and not statement.orelse
    return isinstance(statement, gast.Expr)
