"""Calls of functions that have rules, backwards: contributions to their arguments, under a mask where one is known."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.analysis.raising import may_raise
from s2sad.analysis.zeros import FULL, leaves_out
from s2sad.core import Expr, assign, atom_key, clone, leaves, load, quote, target_of, text, walk_names
from s2sad.expansion import reverse
from s2sad.expansion.care import Care, Mask
from s2sad.expansion.lookup import is_elementwise
from s2sad.expansion.operand import Operand
from s2sad.expansion.refusal import NoDerivative
from s2sad.frontend import ways
from s2sad.kinds.kind import Kind, Number, Unknown
from s2sad.knowledge import registry
from s2sad.normal.calls.functions import CoreFunction
from s2sad.transform.sweep import Sweep
from s2sad.transform.values import is_fresh, is_scalar, same_shape

#: functions whose cotangents are zero for certain where a mask says so
MASKS: set[Any] = {
    *(np.where, np.nan_to_num, np.select, np.choose, np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanvar, np.nanstd),
    *(np.nanprod, np.nancumsum, np.nancumprod),
}


def reverse_call(
    sweep: Sweep,
    node: Any,
    y: Expr,
    y_kind: Kind,
    cotangent: Operand,
    function: Any,
    args: list[Expr],
    kwargs: dict[str, Expr],
    sole: bool,
    mask: Mask | None = None,
) -> None:
    facts = sweep.facts
    origins: dict[Any, Expr] = {}
    active: set[Any] = set()

    for position, given in [*enumerate(args), *kwargs.items()]:
        for path, arg in leaves(given):
            if not isinstance(arg, gast.Constant) and atom_key(arg) in facts.varied:
                origins[position, *path] = arg
                active.add((position, *path))
    operands = [sweep.operand(a, node, function) for a in args]
    named = {k: sweep.operand(a, node, function) for k, a in kwargs.items()}
    result = Operand(sweep.at(y, node, after=True), y_kind)
    same = same_shape(cotangent.kind, y_kind) or (is_scalar(cotangent.kind) and is_scalar(y_kind))
    plain = mask is not None and same and is_elementwise(function) and not sweep.strong_zero
    if plain and not leaves_out(registry.lookup(function), args, {}, facts):
        assert mask is not None
        cotangent = mask.raw
    else:
        mask = None
    try:
        expansion = reverse.adjoint(
            function, result, operands, named, cotangent, active, facts, mask, care_of(sweep, y)
        )
    except NoDerivative as error:
        raise sweep.refuse(error.reason, error.way_out or ways.RULE) from None
    for statement in expansion.statements:
        sweep.write(statement)
        target = target_of(statement)
        if isinstance(target, gast.Name) and target.id not in facts.kinds:
            facts.kinds[target.id] = sweep.kind(statement.value)
    names = [n.id for _, v in expansion.contributions for n in walk_names(v.expr)]
    own = {
        s.targets[0].id
        for s in expansion.statements
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and is_fresh(s.value)
    }
    if sole and isinstance(cotangent.expr, gast.Name):
        own.add(cotangent.expr.id)
    for key, value in joined(sweep, expansion.contributions, origins):
        bare = isinstance(value.expr, gast.Name)
        under = mask is not None or function in MASKS or is_safe(sweep, value.expr)
        if under and not sweep.strong_zero:
            contribute_masked(sweep, origins[key], value)
            continue
        sweep.contribute(origins[key], value, sole=bare and names.count(value.expr.id) == 1 and value.expr.id in own)


def care_of(sweep: Sweep, y: Expr) -> Care:
    """What products with the adjoint of a result have to look out for."""
    keys = [e.id for _, e in leaves(y)] if isinstance(y, gast.Tuple) else [atom_key(y)]
    level = min(sweep.zeros.adjoints.get(key, FULL) for key in keys)
    infinite = not sweep.zeros.infinite.isdisjoint(keys)
    return Care({None: level}, infinite, sweep.strong_zero, of_nan=sweep.zeros.of_nan, inner=sweep.inner)


def is_safe(sweep: Sweep, value: Expr) -> bool:
    """Is it a product that is zero where its cotangent is?"""
    return Mask.of(value, sweep.kind_of) is not None


def contribute_masked(sweep: Sweep, atom: Expr, value: Operand) -> None:
    """A contribution that is zero outside of a mask: the slopes of the next functions go under the mask."""
    mask = Mask.of(value.expr, sweep.kind_of)
    key = atom_key(atom)
    before = mask_of(sweep, key)
    alike = mask is not None and before is not None and before.same(mask)
    if mask is not None and before is not None and before.opposite(mask) and key in sweep.adjoints:
        one, other = (mask.raw, before.raw) if before.inverted else (before.raw, mask.raw)
        both = quote(f"{sweep.numpy()}.where(c, a, b)", c=mask.condition, a=one.expr, b=other.expr)
        if same_shape(sweep.kind(both), sweep.facts.kinds.get(key, Unknown())):
            del sweep.adjoints[key]
            sweep.contribute(atom, Operand(both, sweep.kind(both)))
            return
    if mask is not None and before is not None and not alike and key in sweep.adjoints:
        sweep.contribute(atom, value)
        if key in sweep.adjoints and same_shape(value.kind, sweep.facts.kinds.get(key, Unknown())):
            held = sweep.adjoints[key]
            condition = before.either(mask, load(sweep.numpy()))
            sweep.masks[key] = held, Mask(condition, False, Operand(clone(held.expr), held.kind))
        return
    alone = key not in sweep.adjoints or alike
    own = sweep.facts.kinds.get(key, Unknown())
    number = is_scalar(own) and is_scalar(value.kind) and mask is not None and is_scalar(sweep.kind(mask.condition))
    if mask is None or not alone or not (number or same_shape(value.kind, own)):
        sweep.contribute(atom, value)
        return
    raw = mask.raw
    if alike and before is not None:
        del sweep.adjoints[key]
        total = gast.BinOp(clone(before.raw.expr), gast.Add(), clone(raw.expr))
        raw = Operand(total, sweep.kind_of(total))
    zeroed = mask.zeroed and raw is mask.raw
    if not isinstance(raw.expr, (gast.Name, gast.Constant)):
        name = sweep.facts.fresh("g")
        sweep.facts.kinds[name] = raw.kind
        zeroed = number and isinstance(raw.kind, Number) and not sweep.inner  # (slopes have slopes of their own)
        raises = zeroed or (number and may_raise(raw.expr, sweep.facts))
        sweep.write(assign(name, mask.applied(raw.expr, load(sweep.numpy()), number) if raises else raw.expr))
        raw = Operand(load(name), raw.kind)
        mask = Mask(mask.condition, mask.inverted, raw, zeroed)
    masked = clone(raw.expr) if zeroed else mask.applied(clone(raw.expr), load(sweep.numpy()), number)
    kind = own if isinstance(own, Number) else Number(np.float64) if number else value.kind
    sweep.contribute(atom, Operand(masked, kind))
    if key in sweep.adjoints:
        sweep.masks[key] = (sweep.adjoints[key], mask)


def mask_of(sweep: Sweep, key: str) -> Mask | None:
    """The mask that makes an adjoint zero, if the adjoint is still the one that it was found of."""
    found = sweep.masks.get(key)
    return found[1] if found is not None and found[0] is sweep.adjoints.get(key) else None


def joined(
    sweep: Sweep, contributions: list[tuple[Any, Operand]], origins: dict[Any, Expr]
) -> list[tuple[Any, Operand]]:
    """Contributions of one call, those that go to the same value (`x * x`, `w @ w`) added up."""
    out: dict[str, tuple[Any, Operand]] = {}
    for key, value in contributions:
        name = atom_key(origins[key])
        if name not in out:
            out[name] = (key, value)
            continue
        first = out[name][1]
        if text(first.expr) == text(value.expr):
            total: Expr = gast.BinOp(gast.Constant(2.0, None), gast.Mult(), clone(value.expr))
        else:
            total = gast.BinOp(clone(first.expr), gast.Add(), clone(value.expr))
        out[name] = (out[name][0], Operand(total, sweep.kind(total)))
    return list(out.values())


def is_function_call(node: Any) -> bool:
    """Is a statement a call of a core function with something active?"""
    application = getattr(node, "apply", None)
    return application is not None and isinstance(application[0], CoreFunction)
