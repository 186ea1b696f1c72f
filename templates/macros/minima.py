"""Minima, between bounds and without, and least squares: roots of a slope."""

import gast
import numpy as np
from s2sad.templates.macros.basics import parts_of
from s2sad.templates.macros.functions import (
    active_items,
    call_of_function,
    derivative_of,
    function_of,
    further_items,
    gradients_of,
    jacobian_of,
    listed_contributions,
    new_name,
    parameters_of,
    tangent_of_call,
    tangents_of_items,
    written,
)
from s2sad.templates.macros.initial_values import at_both_ends, ends_of
from s2sad.templates.macros.integrals import no_rule
from s2sad.templates.macros.roots import (
    jump_of,
    multipliers_of,
    regular_jacobian,
    result_of,
    root_adjoint,
    root_forward,
    square_array,
)

from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.kinds import known
from s2sad.kinds.dims import ONE
from s2sad.kinds.kind import Array, List, ListOf, Number, Tuple

# -- minima ------------------------------------------------------------------------------------------------------------


def _slope(context, f, x, args):
    """The gradient of an objective with respect to the unknown, as a function."""
    function = function_of(context, f) if isinstance(f, Operand) else f
    return derivative_of(function, "grad", (0,), [x.kind, *(i.kind for i in further_items(context, args))])


@macro
def minimum_back(context, f, x, args, g, bounds=None, method=None):
    """The adjoints of args at a minimum: where the gradient is 0, in the unknowns that are on no bound."""
    return root_adjoint(context, _slope(context, f, x, args), x, args, g, bounds=_bounds(context, x, bounds, method))


@macro
def minimum_bounds_back(context, f, x, args, g, bounds, method):
    """The adjoints of the bounds of a minimum that is on some."""
    bounds = _bounds(context, x, bounds, method)
    return _bounds_of_minimum_back(context, _slope(context, f, x, args), x, args, g, bounds)


def _bounds_of_minimum_back(context, slope, x, args, g, bounds):
    if g is ZERO or not bounds.varied:
        return ZERO
    operands = [Operand(as_literal(x), x.kind), *further_items(context, args)]
    t = multipliers_of(context, slope, operands, g, bounds=bounds)
    return bounds.adjoint("-t", t=t)


@macro
def minimum_tangent(context, f, x, args, dargs, bounds=None, dbounds=None, method=None):
    """The tangent of the place of a minimum."""
    return root_forward(context, _slope(context, f, x, args), x, args, bounds=_bounds(context, x, bounds, method))


def _bounds(context, x, bounds, method):
    """The bounds of minimize; None where there are none."""
    if bounds is None:
        return None
    if method not in (None, *_BOUNDED):
        raise context.refuse(f"the method {method} keeps no bounds", "leave it out")
    if "#bounds" not in context.env:
        context.env["#bounds"] = _Bounds(context, x, bounds, method in (None, "L-BFGS-B"), pairs=True)
    return context.env["#bounds"]


#: the methods of minimize that keep bounds; the first ends on them, the others near them
_BOUNDED = ("L-BFGS-B", "TNC", "SLSQP", "Powell", "Nelder-Mead", "trust-constr", "COBYLA", "COBYQA")


class _Bounds:
    """Bounds of unknowns, and which unknowns are on them."""

    def __init__(self, context, x, bounds, exact, pairs):
        """exact: what is on a bound is there to the last bit; pairs: a pair for each unknown, not a pair of arrays."""
        self.context, self.x, self.bounds, self.exact, self.pairs = context, x, bounds, exact, pairs
        self.varied = isinstance(bounds, Part) and context.is_active(bounds)
        self.sides = None

    def free(self, operands, slope=None, matrix=None):
        """Which unknowns are on no bound: with the Hessian, where it is asked for first."""
        if self.sides is None:
            self.sides = self._sides(operands, slope, matrix)
        return self.sides[0]

    def _sides(self, operands, slope, matrix):
        """Unknowns on no bound, on their lower, on their upper: there the slope, carried on to it, still points out."""
        context, names = self.context, {"x": self.x}
        names["l"], names["u"] = self._ends()
        at_low, at_high = "x <= l", "x >= u"
        if not self.exact:
            names["r"] = context.local("r", Operand(call_of_function(context, slope, *operands), self.x.kind))
            names["h"] = context.local("h", Operand(context.quote("np.diag(m)", m=matrix).expr, self.x.kind))
            at_low, at_high = "(r > 0.0) & (r > h * (x - l))", "(r < 0.0) & (r < h * (x - u))"
            if jump_of(slope, [o.kind for o in operands]):  # at a kink the slope does not say how far it is
                at_low += " & (x - l <= 1e-3 * (1.0 + np.abs(x)))"
                at_high += " & (u - x <= 1e-3 * (1.0 + np.abs(x)))"
        if not self.varied:
            free = context.quote(f"~(({at_low}) | ({at_high}))", **names)
            return context.local("free", free), None, None
        low = context.local("at_low", context.quote(at_low, **names))
        high = context.local("at_high", context.quote(at_high, **names))
        return context.local("free", context.quote("~(l | h)", l=low, h=high)), low, high

    def _ends(self):
        """The lower and the upper bounds."""
        context, bounds = self.context, self.bounds
        if isinstance(bounds, Operand) and not isinstance(bounds.kind, (Array, List, ListOf, Tuple)):
            return [context.quote(f"b.{name}", b=bounds) for name in ("lb", "ub")]
        if self.pairs:  # None is nan then
            number = gast.Name("float", gast.Load(), None, None)
            both = context.local("limits", context.quote("np.array(b, dtype=float).T", b=bounds, float=number))
            return [context.quote(f"b[{i}]", b=both) for i in (0, 1)]
        return [self._array(end) for end in self._pair(bounds)]

    def _pair(self, bounds):
        items = bounds.items() if isinstance(bounds, Part) else bounds if isinstance(bounds, (tuple, list)) else None
        if items is None:
            return [self.context.quote(f"b[{i}]", b=bounds) for i in (0, 1)]
        return items

    def _array(self, end):
        if not isinstance(end, Operand) or isinstance(end.kind, (List, ListOf, Tuple)):
            return self.context.quote("np.array(b)", b=end)
        return end

    def tangent(self):
        """The tangents of the lower and of the upper bounds, of all unknowns."""
        if not self.varied:
            return ZERO
        both = self._tangent_of(self.bounds)
        if not self.pairs:
            items = self.bounds.items()
            if items is None:
                both = self.context.local("dlimits", both)
                return [self.context.quote(f"b[{i}]", b=both) for i in (0, 1)]
            return [self._tangent_of(item) for item in items]
        both = self.context.local("dlimits", self.context.quote("b.T" if both.ndim == 2 else "np.array(b).T", b=both))
        return [self.context.quote(f"b[{i}]", b=both) for i in (0, 1)]

    def _tangent_of(self, part):
        """The tangent of a bound, or of a display of them, with zeros for what does not vary."""
        context = self.context
        if isinstance(part, Part) and part.key in context.tangents:
            return context.tangents[part.key]
        items = part.items() if isinstance(part, Part) else None
        if items is None:
            zero = not isinstance(part, Part) or part.ndim in (0, None)
            return Operand(gast.Constant(0.0, None), Number(float)) if zero else context.zeros_like(part)
        return Operand(gast.List([self._tangent_of(i).expr for i in items], gast.Load()), part.kind)

    def on_them(self, text, right):
        """The right side of the equations: what it is for the unknowns that are free, the tangents of the bounds."""
        _, low, high = self.sides
        dlow, dhigh = self.tangent()
        text = f"np.where(a, c, np.where(b, e, {text}))"
        return self.context.quote(text, a=low, b=high, c=self._row(dlow), e=self._row(dhigh), r=right)

    def _row(self, tangent):
        return self.context.quote("np.array(t)", t=tangent) if isinstance(tangent.expr, gast.List) else tangent

    def adjoint(self, text, **parts):
        """Contributions to the bounds, in the form that they are given in, from those of the unknowns on them."""
        context = self.context
        _, low, high = self.sides
        rows = [
            context.local(n, context.quote(f"np.where(c, {text}, 0.0)", c=c, **parts))
            for n, c in (("blow", low), ("bhigh", high))
        ]
        rows = [Operand(r.expr, self.x.kind) for r in rows]
        items = self.bounds.items()
        if not self.pairs:
            if items is None:
                return Operand(context.quote("np.array([a, b])", a=rows[0], b=rows[1]).expr, self.bounds.kind)
            return [self._fitted(item, row) for item, row in zip(items, rows, strict=True)]
        if items is None:
            return Operand(context.quote("np.stack((a, b), axis=1)", a=rows[0], b=rows[1]).expr, self.bounds.kind)
        return [self._of_pair(pair, [context.quote(f"r[{i}]", r=r) for r in rows]) for i, pair in enumerate(items)]

    def _of_pair(self, pair, ends):
        if pair.items() is not None:
            return [Operand(e.expr, Number(np.float64)) for e in ends]
        return Operand(self.context.quote("np.array([a, b])", a=ends[0], b=ends[1]).expr, pair.kind)

    def _fitted(self, end, row):
        """What a row comes to for a number that stands for all unknowns, or for a list of numbers."""
        items = end.items()
        if items is not None:
            return [Operand(self.context.quote(f"r[{i}]", r=row).expr, Number(np.float64)) for i in range(len(items))]
        return Operand(self.context.quote("np.sum(r)", r=row).expr, end.kind) if end.ndim == 0 else row


@macro
def least_of_bounds_back(context, f, x, args, g, bounds, method):
    """The adjoints of the bounds in the value of a minimum: the slope there."""
    bounds = _bounds(context, x, bounds, method)
    if g is ZERO or not bounds.varied:
        return ZERO
    operands = [x, *further_items(context, args)]
    r = _slope_between(context, f, operands, args, bounds)
    return bounds.adjoint("g * r", g=g, r=r)


@macro
def least_of_bounds_tangent(context, f, x, args, bounds, dbounds, method):
    """What the bounds add to the tangent of the value of a minimum."""
    bounds = _bounds(context, x, bounds, method)
    if not bounds.varied:
        return ZERO
    operands = [x, *further_items(context, args)]
    r = _slope_between(context, f, operands, args, bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    return Operand(context.quote("r @ d", r=r, d=bounds.on_them("r", zero)).expr, context.y.kind)


def _slope_between(context, f, operands, args, bounds):
    """The slope of the objective at a minimum, and which unknowns are on bounds."""
    slope = _slope(context, f, operands[0], args)
    matrix = None
    if not bounds.exact:
        call = call_of_function(context, jacobian_of(slope, [o.kind for o in operands]), *operands)
        matrix = Operand(call, square_array(operands[0]))
    bounds.free(operands, slope, matrix)
    return context.local("r", Operand(call_of_function(context, slope, *operands), operands[0].kind))


def _smooth_minimum(context, function, operands, wrt):
    """Refuse the value of a minimum whose derivative in args may jump where the unknown meets something."""
    kinds = [o.kind for o in operands]
    found = jump_of(derivative_of(function, "grad", tuple(i + 1 for i in wrt), kinds), kinds)
    if found:
        words = f"the minimum may lie on a kink of the objective that moves with active values (`{found}`)"
        raise context.refuse(words, "compute the value at the attribute x, where the run looks whether it does")


@macro
def envelope_back(context, f, x, args, g):
    """The adjoints of args in the value of a minimum: by themselves, since the slope in x is 0."""
    items = further_items(context, args)
    wrt = active_items(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    _smooth_minimum(context, function_of(context, f), [x, *items], wrt)
    parts = gradients_of(context, function_of(context, f), [x, *items], tuple(i + 1 for i in wrt))
    found = {i: Operand(context.quote("g * b", g=g, b=b).expr, items[i].kind) for i, b in zip(wrt, parts, strict=True)}
    return listed_contributions(items, found)


@macro
def envelope_tangent(context, f, x, args, dargs):
    """The tangent of the value of a minimum."""
    items = further_items(context, args)
    wrt, tangents = tangents_of_items(context, items)
    if not wrt:
        return ZERO
    _smooth_minimum(context, function_of(context, f), [x, *items], wrt)
    call = tangent_of_call(context, function_of(context, f), [x, *items], tuple(i + 1 for i in wrt), tangents)
    return Operand(call, context.y.kind)


# -- minima between bounds: on one, the place moves with it ------------------------------------------------------------


def _between(context, function, x, items, bounds, wrt=()):
    """The slope of the objective at a minimum and its derivatives in the unknown and in some of args, and whether the
    minimum is on the lower bound, or the upper: there the slope, carried on to the bound, still points out."""
    if "#between" not in context.env:
        slope = _slope(context, function, x, items)
        r = context.local("r", Operand(call_of_function(context, slope, x, *items), Number(np.float64)))
        bend, *parts = gradients_of(context, slope, [x, *items], (0, *(i + 1 for i in wrt)))
        (low, _), (high, _) = ends_of(context, bounds)
        names = {"r": r, "s": bend, "x": x}
        at_low, at_high = "r > 0.0 and r + s * (b - x) > 0.0", "r < 0.0 and r + s * (b - x) < 0.0"
        if jump_of(slope, [x.kind, *(i.kind for i in items)]):  # at a kink the slope does not say how far it is
            at_low, at_high = (f"{at} and abs(x - b) <= 1e-3 * (1.0 + abs(x))" for at in (at_low, at_high))
        at_low = context.local("at_low", context.quote(at_low, b=low, **names))
        at_high = context.local("at_high", context.quote(at_high, b=high, **names))
        bend = regular_jacobian(context, slope, [x, *items], bend)
        context.env["#between"] = r, bend, dict(zip(wrt, parts, strict=True)), at_low, at_high
    return context.env["#between"]


def _only_where(context, text, condition, **parts):
    value = context.quote(f"{text} if c else 0.0", c=condition, **parts)
    return Operand(value.expr, Number(np.float64))


@macro
def bounded_back(context, f, x, args, g, bounds):
    """The adjoints of args at a minimum of one unknown, which is on no bound."""
    items = further_items(context, args)
    wrt = active_items(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    _, bend, parts, at_low, at_high = _between(context, f, x, items, bounds, wrt)
    free = context.quote("not (l or h)", l=at_low, h=at_high)
    factor = context.local("t", _only_where(context, "-g / s", free, g=g, s=bend))
    found = {i: Operand(context.quote("t * b", t=factor, b=b).expr, items[i].kind) for i, b in parts.items()}
    return listed_contributions(items, found)


@macro
def bounds_back(context, f, x, args, g, bounds):
    """The adjoints of the bounds of a minimum that is on one."""
    if g is ZERO or not _wants_bounds(context, bounds):
        return ZERO
    _, _, _, at_low, at_high = _between(context, f, x, further_items(context, args), bounds)
    ends = [_only_where(context, "g", at, g=g) for at in (at_low, at_high)]
    return at_both_ends(context, bounds, *ends)


def _wants_bounds(context, bounds):
    return isinstance(bounds, Part) and any(varied for _, varied in ends_of(context, bounds))


def _tangents_of_ends(context, bounds):
    """The tangents of a pair."""
    if not _wants_bounds(context, bounds):
        return ZERO, ZERO
    if bounds.items() is not None:
        return [context.tangents[e.key] if varied else ZERO for e, varied in ends_of(context, bounds)]
    whole = context.tangents[bounds.key]
    return context.quote("s[0]", s=whole), context.quote("s[1]", s=whole)


@macro
def bounded_tangent(context, f, x, args, dargs, bounds, dbounds):
    """The tangent of the place of a minimum between bounds."""
    items = further_items(context, args)
    wrt, tangents = tangents_of_items(context, items)
    _, bend, _, at_low, at_high = _between(context, f, x, items, bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    low, high = (zero if t is ZERO else t for t in _tangents_of_ends(context, bounds))
    change = zero
    if wrt:
        slope = _slope(context, f, x, items)
        right = tangent_of_call(context, slope, [x, *items], tuple(i + 1 for i in wrt), tangents)
        change = context.quote("-r / s", r=right, s=bend)
    value = context.quote("b if l else (c if h else d)", b=low, l=at_low, c=high, h=at_high, d=change)
    return Operand(value.expr, Number(np.float64))


@macro
def least_bounds_back(context, f, x, args, g, bounds):
    """The adjoints of the bounds in the value of a minimum: where it is on one, the slope there."""
    if g is ZERO or not _wants_bounds(context, bounds):
        return ZERO
    r, _, _, at_low, at_high = _between(context, f, x, further_items(context, args), bounds)
    ends = [_only_where(context, "g * r", at, g=g, r=r) for at in (at_low, at_high)]
    return at_both_ends(context, bounds, *ends)


@macro
def least_bounds_tangent(context, f, x, args, bounds, dbounds):
    """What the bounds add to the tangent of the value of a minimum."""
    if not _wants_bounds(context, bounds):
        return ZERO
    r, _, _, at_low, at_high = _between(context, f, x, further_items(context, args), bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    low, high = (zero if t is ZERO else t for t in _tangents_of_ends(context, bounds))
    value = context.quote("r * (b if l else (c if h else 0.0))", r=r, b=low, l=at_low, c=high, h=at_high)
    return Operand(value.expr, Number(np.float64))


# -- least squares: minima of half the sum of squares ------------------------------------------------------------------


def _half_square(function):
    """Half the sum of the squares of what a function returns."""
    names = parameters_of(function)
    r, own = new_name("r", names), function.__name__
    body = [f"{r} = {own}({', '.join(names)})", f"return 0.5 * np.sum({r} * {r})"]
    return written(function, f"misfit_{own}", names, body, **{own: function})


def _least_squares(context, f, x, args, bounds):
    """The slope of the misfit, and the bounds."""
    if bounds is not None and "#bounds" not in context.env:
        context.env["#bounds"] = _Bounds(context, x, bounds, exact=False, pairs=False)
    return _slope(context, _half_square(function_of(context, f)), x, args), context.env.get("#bounds")


@macro
def least_squares_back(context, f, x, args, g, bounds):
    """The adjoints of args at a minimum of the sum of squares."""
    slope, bounds = _least_squares(context, f, x, args, bounds)
    return root_adjoint(context, slope, x, args, g, bounds=bounds)


@macro
def least_squares_bounds_back(context, f, x, args, g, bounds):
    """The adjoints of the bounds of a minimum of the sum of squares that is on some."""
    slope, bounds = _least_squares(context, f, x, args, bounds)
    return _bounds_of_minimum_back(context, slope, x, args, g, bounds)


@macro
def least_squares_tangent(context, f, x, args, dargs, bounds, dbounds):
    """The tangent of the place of a minimum of the sum of squares."""
    slope, bounds = _least_squares(context, f, x, args, bounds)
    return root_forward(context, slope, x, args, bounds=bounds)


def _fit(context, f, x, xdata, ydata, sigma):
    """The slope of the misfit of a curve, and the data that it depends on."""
    model = function_of(context, f)
    data = [xdata, ydata] + ([] if sigma is None else [sigma])
    if sigma is not None and sigma.ndim != 1:
        raise context.refuse("sigma must be a vector", "scale the function and the data")
    names = ["p", "xdata", "ydata"] + ([] if sigma is None else ["sigma"])
    count = model.__code__.co_argcount - 1
    own = new_name(model.__name__, names)
    difference = f"{own}({', '.join(['xdata', *(f'p[{i}]' for i in range(count))])}) - ydata"
    text = f"r = {difference}" if sigma is None else f"r = ({difference}) / sigma"
    misfit = written(model, f"misfit_{model.__name__}", names, [text, "return 0.5 * np.sum(r * r)"], **{own: model})
    return _slope(context, misfit, x, data), data


@macro
def fit_back(context, f, x, xdata, ydata, sigma, g):
    """The adjoints of the data (xdata, ydata, sigma) in the parameters of a fitted curve."""
    if "#fit" not in context.env:
        slope, data = _fit(context, f, x, xdata, ydata, sigma)
        context.env["#fit"] = [*root_adjoint(context, slope, x, data, g), ZERO]
    return context.env["#fit"]


@macro
def fit_tangent(context, f, x, xdata, ydata, sigma, *tangents):
    """The tangent of the parameters of a fitted curve."""
    slope, data = _fit(context, f, x, xdata, ydata, sigma)
    return [root_forward(context, slope, x, data), no_rule(context)]


# -- special functions -------------------------------------------------------------------------------------------------


@macro
def nnls_tangent(context, factors, free, a, b, y, da, db):
    """The tangent of the solution."""
    x = parts_of(context, y)[0]
    q, r = (context.local(name, context.quote(f"f[{k}]", f=factors)) for k, name in enumerate("qr"))
    shift = context.quote("da @ x", da=da, x=x)
    moved = db if da is ZERO else context.quote("-s", s=shift) if db is ZERO else context.quote("v - s", v=db, s=shift)
    right = context.quote("q.T @ m", q=q, m=moved)
    if da is not ZERO:
        bent = "np.linalg.solve(r.T, da[:, free].T @ (b - a @ x))"
        right = context.quote("s + t", s=right, t=context.quote(bent, r=r, da=da, free=free, b=b, a=a, x=x))
    within = context.quote("np.linalg.solve(r, s)", r=r, s=right)
    right = context.quote("np.eye(np.size(x))[:, free] @ s", x=x, free=free, s=within)
    # at the minimum the norm does not move with the solution
    left = context.quote("((b - a @ x) / rest) @ m", a=a, x=x, b=b, m=moved, rest=parts_of(context, y)[1])
    return [right, left]


# -- solutions of equations, in the sense of least squares where there are more equations than unknowns ----------------


def _is_overdetermined(context, f, x, method):
    """May there be more equations than unknowns? Of the methods of root, one is for these."""
    if method != "lm":
        return False
    given, unknowns = (known.shape_of(k) for k in (result_of(function_of(context, f)), x.kind))
    return given is None or unknowns is None or (given or (ONE,)) != (unknowns or (ONE,))


@macro
def solution_back(context, f, x, args, g, method):
    """The adjoints of args where f(x, *args) = 0, or as near to 0 as it gets."""
    function = function_of(context, f)
    if _is_overdetermined(context, f, x, method):
        function = _slope(context, _half_square(function), x, args)
    return root_adjoint(context, function, x, args, g)


@macro
def solution_tangent(context, f, x, args, dargs, method):
    """The tangent of x where f(x, *args) = 0, or as near to 0 as it gets."""
    function = function_of(context, f)
    if _is_overdetermined(context, f, x, method):
        function = _slope(context, _half_square(function), x, args)
    return root_forward(context, function, x, args)
