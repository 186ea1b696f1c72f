"""Roots and fixed points, by the implicit function theorem."""

import gast
import numpy as np
from s2sad.templates.macros.functions import (
    active_items,
    along_vector,
    call_of_function,
    function_of,
    further_items,
    gradients_of,
    is_scalar_unknown,
    jacobian_of,
    listed_contributions,
    parameters_of,
    tangent_of_call,
    tangents_of_items,
)
from s2sad.templates.macros.integrals import core_of

from s2sad.analysis.crossings import jump
from s2sad.analysis.forms import Atom
from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds import known
from s2sad.kinds.kind import Array, Number, Unknown
from s2sad.runtime import helpers


def result_of(function):
    """The kind of what a lifted function returns."""
    return getattr(function, "__s2sad_result__", Unknown())


def jump_of(function, kinds):
    """Where a function may jump as its first parameter goes anywhere; empty where it does so nowhere."""
    traits = {n: Atom(along=i == 0, moved=True) for i, n in enumerate(parameters_of(function))}
    core = core_of(function, kinds)
    return "what it computes" if core is None else jump(*core, traits, core_of)


def regular_jacobian(context, function, operands, jacobian, bounds=None):
    """The Jacobian where the theorem holds: where the equations may jump, the run looks whether x solves them."""
    x = operands[0]
    if not jump_of(function, [o.kind for o in operands]):
        return jacobian if x.is_scalar else Operand(call_of_function(context, helpers.regular, jacobian), jacobian.kind)
    residual = Operand(call_of_function(context, function, *operands), x.kind)
    if bounds is not None:
        residual = context.quote("r * f", r=residual, f=bounds.free(operands))
    return Operand(call_of_function(context, helpers.regular, jacobian, x, residual), jacobian.kind)


def root_adjoint(context, function, x, args, g, shift=None, bounds=None):
    """The adjoints of args in f(x, *args) = 0 (with shift: in f(x, *args) = x) by the implicit function theorem.

    With bounds: of the unknowns and equations that are on none, the others stay on theirs.
    """
    items = further_items(context, args)
    wrt = active_items(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    operands = [Operand(as_literal(x), x.kind), *items]
    if is_scalar_unknown(context, x):
        slope, *parts = gradients_of(context, function, operands, (0, *(i + 1 for i in wrt)))
        slope = slope if shift else regular_jacobian(context, function, operands, slope)
        text = "g / (1.0 - s)" if shift else "-g / s"
        factor = context.local("t", Operand(context.quote(text, g=g, s=slope).expr, Number(np.float64)))
        found = {
            i: Operand(context.quote("t * b", t=factor, b=b).expr, items[i].kind)
            for i, b in zip(wrt, parts, strict=True)
        }
        return listed_contributions(items, found)
    t = multipliers_of(context, function, operands, g, shift, bounds)
    if bounds is not None:
        t = context.local("t", Operand(context.quote("t * f", t=t, f=bounds.free(operands)).expr, x.kind))
    along = along_vector(function, True)
    parts = gradients_of(context, along, [*operands, t], tuple(i + 1 for i in wrt))
    return listed_contributions(items, dict(zip(wrt, parts, strict=True)))


def multipliers_of(context, function, operands, g, shift=None, bounds=None):
    """What the equations count for in the adjoints of all that they depend on, in those of the bounds turned round."""
    if "#multipliers" not in context.env:
        text = "np.linalg.solve(m.T, g)" if shift else "np.linalg.solve(m.T, -g)"
        matrix = _of_equations(context, function, operands, shift, bounds)
        t = context.quote(text, m=matrix, g=g)
        context.env["#multipliers"] = context.local("t", Operand(t.expr, operands[0].kind))
    return context.env["#multipliers"]


def _of_equations(context, function, operands, shift, bounds):
    """The Jacobian of f (with shift: of x - f) where it is regular; of an unknown on a bound, that it stays there."""
    x = operands[0]
    jacobian = jacobian_of(function, [o.kind for o in operands])
    matrix = Operand(call_of_function(context, jacobian, *operands), square_array(x))
    if shift:
        matrix = Operand(context.quote("np.eye(x.size) - m", x=x, m=matrix).expr, matrix.kind)
        return Operand(call_of_function(context, helpers.regular, matrix), matrix.kind)
    if bounds is not None:
        matrix = context.local("m", matrix)
        free = bounds.free(operands, function, matrix)
        within = context.quote("np.where(f[:, None], m, np.eye(x.size))", x=x, m=matrix, f=free)
        matrix = Operand(within.expr, matrix.kind)
    return regular_jacobian(context, function, operands, matrix, bounds)


def square_array(x):
    return Array(np.dtype(float), None if x.shape is None else (x.shape[0], x.shape[0]))


def root_forward(context, function, x, args, shift=None, bounds=None):
    """The tangent of x in f(x, *args) = 0 (with shift: in f(x, *args) = x; with bounds: between these)."""
    items = further_items(context, args)
    wrt, tangents = tangents_of_items(context, items)
    operands = [Operand(as_literal(x), x.kind), *items]
    moved = ZERO if bounds is None else bounds.tangent()
    if not wrt and moved is ZERO:
        return ZERO
    right = Operand(gast.Constant(0.0, None), Number(float))
    if wrt:
        right = Operand(tangent_of_call(context, function, operands, tuple(i + 1 for i in wrt), tangents), x.kind)
        if not x.is_scalar and known.shape_of(result_of(function)) == ():  # one equation, as a number
            right = context.quote("np.array([r])", r=right)
    if is_scalar_unknown(context, x):
        (slope,) = gradients_of(context, function, operands, (0,))
        slope = slope if shift else regular_jacobian(context, function, operands, slope)
        text = "r / (1.0 - s)" if shift else "-r / s"
        return Operand(context.quote(text, r=right, s=slope).expr, Number(np.float64))
    matrix = _of_equations(context, function, operands, shift, bounds)
    if bounds is None:
        text = "np.linalg.solve(m, r)" if shift else "-np.linalg.solve(m, r)"
        return Operand(context.quote(text, m=matrix, r=right).expr, x.kind)
    free = bounds.free(operands)
    right = context.quote("-r * f", r=right, f=free) if moved is ZERO else bounds.on_them("-r" if wrt else "r", right)
    return Operand(context.quote("np.linalg.solve(m, r)", m=matrix, r=right).expr, x.kind)


@macro
def root_back(context, f, x, args, g):
    """The adjoints of args where f(x, *args) = 0."""
    return root_adjoint(context, function_of(context, f), x, args, g)


@macro
def root_tangent(context, f, x, args, dargs):
    """The tangent of x where f(x, *args) = 0."""
    return root_forward(context, function_of(context, f), x, args)


@macro
def fixed_back(context, f, x, args, g):
    """The adjoints of args where f(x, *args) = x."""
    return root_adjoint(context, function_of(context, f), x, args, g, True)


@macro
def fixed_tangent(context, f, x, args, dargs):
    """The tangent of x where f(x, *args) = x."""
    return root_forward(context, function_of(context, f), x, args, True)
