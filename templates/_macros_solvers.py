"""Generation-time functions for rules of solvers, which take functions: the derivatives of these are derived here,
become functions of the generated module, and are called by what the rules write."""

import linecache
import re
from itertools import count

import gast
import numpy as np

from s2sad.analysis.crossings import jump
from s2sad.analysis.forms import Atom
from s2sad.core import assign, load
from s2sad.kinds import dims
from s2sad.kinds.kind import Array, List, ListOf, Number, Tuple
from s2sad.runtime import helpers
from s2sad.transform.expand import ZERO, Operand, macro
from s2sad.transform.fit import as_literal
from s2sad.transform.operand import Part

_numbers = count(1)


# -- functions made of a function -------------------------------------------------------------------------------------


def _parameters(function):
    return list(function.__code__.co_varnames[: function.__code__.co_argcount])


def _remembered(function, key, make):
    """What was made of a function before: rules are expanded more than once."""
    made = function.__dict__.setdefault("__s2sad_solver__", {})
    if key not in made:
        made[key] = make()
    return made[key]


def _derivative(function, result, wrt, kinds):
    """The derivative of a function with respect to the parameters at some positions, as a function."""
    from s2sad.derive import derive
    from s2sad.emit.module import module_text
    from s2sad.request import Request
    from s2sad.runtime.load import load as compiled

    names = _parameters(function)

    def make():
        request = Request(result, tuple(names[i] for i in wrt), len(wrt) == 1)
        derived = derive(function, request, dict(zip(names, kinds, strict=True)))
        return compiled(module_text(derived), derived)

    return _remembered(function, (result, wrt, tuple(kinds)), make)


def _written(function, name, parameters, body, **used):
    """A function with the given text that uses others; they go by their own names in it."""
    text = f"def {name}({', '.join(parameters)}):\n" + "".join(f"    {line}\n" for line in body)

    def make():
        file = f"<s2sad {name} {next(_numbers)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"np": np, "__name__": "s2sad_generated", **used}
        exec(compile(text, file, "exec"), scope)
        return scope[name]

    return _remembered(function, (text, tuple(id(u) for u in used.values())), make)


def _new(name, taken):
    while name in taken:
        name += "_"
    return name


def _along(function, vector):
    """The sum of a function's results times weights: its gradient is the transposed Jacobian times the weights."""
    names = _parameters(function)
    weights = _new("w", names)
    own = function.__name__
    product = f"np.sum({weights} * {own}({', '.join(names)}))" if vector else f"{weights} * {own}({', '.join(names)})"
    return _written(function, f"{own}_along", [*names, weights], [f"return {product}"], **{own: function})


def _jacobian(function, kinds):
    """The Jacobian of a function with respect to its first parameter, a vector, column by column."""
    names = _parameters(function)
    tangent = _derivative(function, "jvp", (0,), kinds)
    columns, step, k = (_new(n, names) for n in ("columns", "e", "k"))
    x, own = names[0], tangent.__name__
    body = [
        f"{columns} = np.zeros(({x}.size, {x}.size))",
        f"for {k} in range({x}.size):",
        f"    {step} = np.zeros({x}.size)",
        f"    {step}[{k}] = 1.0",
        f"    {columns}[:, {k}] = {own}({', '.join([*names, step])})[1]",
        f"return {columns}",
    ]
    return _written(function, f"jacobian_{function.__name__}", names, body, **{own: tangent})


# -- calls of them -----------------------------------------------------------------------------------------------------


def function_of(context, f):
    """The function that a solver is given."""
    function = getattr(f.kind, "value", None) if isinstance(f, Operand) else f
    if not hasattr(function, "__code__"):
        raise context.unknown("the function that it is given")
    return function


def _items(context, args):
    """The arguments behind those that the solver makes."""
    if isinstance(args, list):
        return args
    if not isinstance(args, Part):
        return []
    items = args.items()
    if items is None:
        raise context.unknown("the length of the tuple args")
    return items


def _active(context, items):
    return tuple(i for i, item in enumerate(items) if context.is_active(item))


def _call(context, function, *operands):
    """A call of a function of the module."""
    return gast.Call(load(context.name_of(function, function.__name__)), [as_literal(o) for o in operands], [])


def _several(context, call, stems, kinds):
    """Names for the parts of what a call returns."""
    names = [context.facts.fresh(stem) for stem in stems]
    context.facts.kinds.update(zip(names, kinds, strict=True))
    if len(names) == 1:
        context.statements.append(assign(names[0], call))
    else:
        pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
        context.statements.append(assign(pattern, call))
    return [Operand(load(n), k) for n, k in zip(names, kinds, strict=True)]


def _gradients(context, function, operands, wrt):
    """The gradient of a function at operands, a part for each position in wrt."""
    kinds = [o.kind for o in operands]
    gradient = _derivative(function, "grad", wrt, kinds)
    stems = ["slope" if i == 0 else "b" + _parameters(function)[i] for i in wrt]
    return _several(context, _call(context, gradient, *operands), stems, [kinds[i] for i in wrt])


def _tangent(context, function, operands, wrt, tangents):
    """The tangent of a function's result."""
    jvp = _derivative(function, "jvp", wrt, [o.kind for o in operands])
    call = gast.Subscript(_call(context, jvp, *operands, *tangents), gast.Constant(1, None), gast.Load())
    return call


def _tangents(context, items):
    wrt = _active(context, items)
    return wrt, [context.tangents[items[i].key] for i in wrt]


def _is_scalar(context, x):
    if x.ndim is None or x.ndim > 1:
        raise context.unknown("the rank of the unknown (0 or 1)")
    return x.ndim == 0


def _listed(items, found):
    """A contribution for each item."""
    return [found.get(i, ZERO) for i in range(len(items))]


# -- roots -------------------------------------------------------------------------------------------------------------


def _jump_of(function, kinds):
    """Where a function may jump as its first parameter goes anywhere; empty where it does so nowhere."""
    traits = {n: Atom(along=i == 0, moved=True) for i, n in enumerate(_parameters(function))}
    core = _core(function, kinds)
    return "what it computes" if core is None else jump(*core, traits, _core)


def _regular(context, function, operands, jacobian, bounds=None):
    """The Jacobian where the theorem holds: where the equations may jump, the run looks whether x solves them."""
    x = operands[0]
    if not _jump_of(function, [o.kind for o in operands]):
        return jacobian if x.is_scalar else Operand(_call(context, helpers.regular, jacobian), jacobian.kind)
    residual = Operand(_call(context, function, *operands), x.kind)
    if bounds is not None:
        residual = context.quote("r * f", r=residual, f=bounds.free(operands))
    return Operand(_call(context, helpers.regular, jacobian, x, residual), jacobian.kind)


def root_adjoint(context, function, x, args, g, shift=None, bounds=None):
    """The adjoints of args in f(x, *args) = 0 (with shift: in f(x, *args) = x) by the implicit function theorem.

    With bounds: of the unknowns and equations that are on none, the others stay on theirs.
    """
    items = _items(context, args)
    wrt = _active(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    operands = [Operand(as_literal(x), x.kind), *items]
    if _is_scalar(context, x):
        slope, *parts = _gradients(context, function, operands, (0, *(i + 1 for i in wrt)))
        slope = slope if shift else _regular(context, function, operands, slope)
        text = "g / (1.0 - s)" if shift else "-g / s"
        factor = context.local("t", Operand(context.quote(text, g=g, s=slope).expr, Number(np.float64)))
        found = {
            i: Operand(context.quote("t * b", t=factor, b=b).expr, items[i].kind)
            for i, b in zip(wrt, parts, strict=True)
        }
        return _listed(items, found)
    t = _multipliers(context, function, operands, g, shift, bounds)
    if bounds is not None:
        t = context.local("t", Operand(context.quote("t * f", t=t, f=bounds.free(operands)).expr, x.kind))
    along = _along(function, True)
    parts = _gradients(context, along, [*operands, t], tuple(i + 1 for i in wrt))
    return _listed(items, dict(zip(wrt, parts, strict=True)))


def _multipliers(context, function, operands, g, shift=None, bounds=None):
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
    matrix = Operand(_call(context, _jacobian(function, [o.kind for o in operands]), *operands), _square(x))
    if shift:
        matrix = Operand(context.quote("np.eye(x.size) - m", x=x, m=matrix).expr, matrix.kind)
        return Operand(_call(context, helpers.regular, matrix), matrix.kind)
    if bounds is not None:
        matrix = context.local("m", matrix)
        free = bounds.free(operands, function, matrix)
        within = context.quote("np.where(f[:, None], m, np.eye(x.size))", x=x, m=matrix, f=free)
        matrix = Operand(within.expr, matrix.kind)
    return _regular(context, function, operands, matrix, bounds)


def _square(x):
    return Array(np.dtype(float), None if x.shape is None else (x.shape[0], x.shape[0]))


def root_forward(context, function, x, args, shift=None, bounds=None):
    """The tangent of x in f(x, *args) = 0 (with shift: in f(x, *args) = x; with bounds: between these)."""
    items = _items(context, args)
    wrt, tangents = _tangents(context, items)
    operands = [Operand(as_literal(x), x.kind), *items]
    moved = ZERO if bounds is None else bounds.tangent()
    if not wrt and moved is ZERO:
        return ZERO
    right = Operand(gast.Constant(0.0, None), Number(float))
    if wrt:
        right = Operand(_tangent(context, function, operands, tuple(i + 1 for i in wrt), tangents), x.kind)
    if _is_scalar(context, x):
        (slope,) = _gradients(context, function, operands, (0,))
        slope = slope if shift else _regular(context, function, operands, slope)
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


# -- minima ------------------------------------------------------------------------------------------------------------


def _slope(context, f, x, args):
    """The gradient of an objective with respect to the unknown, as a function."""
    function = function_of(context, f) if isinstance(f, Operand) else f
    return _derivative(function, "grad", (0,), [x.kind, *(i.kind for i in _items(context, args))])


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
    operands = [Operand(as_literal(x), x.kind), *_items(context, args)]
    t = _multipliers(context, slope, operands, g, bounds=bounds)
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
            names["r"] = context.local("r", Operand(_call(context, slope, *operands), self.x.kind))
            names["h"] = context.local("h", Operand(context.quote("np.diag(m)", m=matrix).expr, self.x.kind))
            at_low, at_high = "(r > 0.0) & (r > h * (x - l))", "(r < 0.0) & (r < h * (x - u))"
            if _jump_of(slope, [o.kind for o in operands]):  # at a kink the slope does not say how far it is
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
    operands = [x, *_items(context, args)]
    r = _slope_between(context, f, operands, args, bounds)
    return bounds.adjoint("g * r", g=g, r=r)


@macro
def least_of_bounds_tangent(context, f, x, args, bounds, dbounds, method):
    """What the bounds add to the tangent of the value of a minimum."""
    bounds = _bounds(context, x, bounds, method)
    if not bounds.varied:
        return ZERO
    operands = [x, *_items(context, args)]
    r = _slope_between(context, f, operands, args, bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    return Operand(context.quote("r @ d", r=r, d=bounds.on_them("r", zero)).expr, context.y.kind)


def _slope_between(context, f, operands, args, bounds):
    """The slope of the objective at a minimum, and which unknowns are on bounds."""
    slope = _slope(context, f, operands[0], args)
    matrix = None
    if not bounds.exact:
        call = _call(context, _jacobian(slope, [o.kind for o in operands]), *operands)
        matrix = Operand(call, _square(operands[0]))
    bounds.free(operands, slope, matrix)
    return context.local("r", Operand(_call(context, slope, *operands), operands[0].kind))


def _smooth_minimum(context, function, operands, wrt):
    """Refuse the value of a minimum whose derivative in args may jump where the unknown meets something."""
    kinds = [o.kind for o in operands]
    found = _jump_of(_derivative(function, "grad", tuple(i + 1 for i in wrt), kinds), kinds)
    if found:
        words = f"the minimum may lie on a kink of the objective that moves with active values (`{found}`)"
        raise context.refuse(words, "compute the value at the attribute x, where the run looks whether it does")


@macro
def envelope_back(context, f, x, args, g):
    """The adjoints of args in the value of a minimum: by themselves, since the slope in x is 0."""
    items = _items(context, args)
    wrt = _active(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    _smooth_minimum(context, function_of(context, f), [x, *items], wrt)
    parts = _gradients(context, function_of(context, f), [x, *items], tuple(i + 1 for i in wrt))
    found = {i: Operand(context.quote("g * b", g=g, b=b).expr, items[i].kind) for i, b in zip(wrt, parts, strict=True)}
    return _listed(items, found)


@macro
def envelope_tangent(context, f, x, args, dargs):
    """The tangent of the value of a minimum."""
    items = _items(context, args)
    wrt, tangents = _tangents(context, items)
    if not wrt:
        return ZERO
    _smooth_minimum(context, function_of(context, f), [x, *items], wrt)
    call = _tangent(context, function_of(context, f), [x, *items], tuple(i + 1 for i in wrt), tangents)
    return Operand(call, context.y.kind)


# -- minima between bounds: on one, the place moves with it ------------------------------------------------------------


def _between(context, function, x, items, bounds, wrt=()):
    """The slope of the objective at a minimum and its derivatives in the unknown and in some of args, and whether the
    minimum is on the lower bound, or the upper: there the slope, carried on to the bound, still points out."""
    if "#between" not in context.env:
        slope = _slope(context, function, x, items)
        r = context.local("r", Operand(_call(context, slope, x, *items), Number(np.float64)))
        bend, *parts = _gradients(context, slope, [x, *items], (0, *(i + 1 for i in wrt)))
        (low, _), (high, _) = _ends_of(context, bounds)
        names = {"r": r, "s": bend, "x": x}
        at_low, at_high = "r > 0.0 and r + s * (b - x) > 0.0", "r < 0.0 and r + s * (b - x) < 0.0"
        if _jump_of(slope, [x.kind, *(i.kind for i in items)]):  # at a kink the slope does not say how far it is
            at_low, at_high = (f"{at} and abs(x - b) <= 1e-3 * (1.0 + abs(x))" for at in (at_low, at_high))
        at_low = context.local("at_low", context.quote(at_low, b=low, **names))
        at_high = context.local("at_high", context.quote(at_high, b=high, **names))
        bend = _regular(context, slope, [x, *items], bend)
        context.env["#between"] = r, bend, dict(zip(wrt, parts, strict=True)), at_low, at_high
    return context.env["#between"]


def _only_where(context, text, condition, **parts):
    value = context.quote(f"{text} if c else 0.0", c=condition, **parts)
    return Operand(value.expr, Number(np.float64))


@macro
def bounded_back(context, f, x, args, g, bounds):
    """The adjoints of args at a minimum of one unknown, which is on no bound."""
    items = _items(context, args)
    wrt = _active(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    _, bend, parts, at_low, at_high = _between(context, f, x, items, bounds, wrt)
    free = context.quote("not (l or h)", l=at_low, h=at_high)
    factor = context.local("t", _only_where(context, "-g / s", free, g=g, s=bend))
    found = {i: Operand(context.quote("t * b", t=factor, b=b).expr, items[i].kind) for i, b in parts.items()}
    return _listed(items, found)


@macro
def bounds_back(context, f, x, args, g, bounds):
    """The adjoints of the bounds of a minimum that is on one."""
    if g is ZERO or not _wants_bounds(context, bounds):
        return ZERO
    _, _, _, at_low, at_high = _between(context, f, x, _items(context, args), bounds)
    ends = [_only_where(context, "g", at, g=g) for at in (at_low, at_high)]
    return _at_both_ends(context, bounds, *ends)


def _wants_bounds(context, bounds):
    return isinstance(bounds, Part) and any(varied for _, varied in _ends_of(context, bounds))


def _tangents_of_ends(context, bounds):
    """The tangents of a pair."""
    if not _wants_bounds(context, bounds):
        return ZERO, ZERO
    if bounds.items() is not None:
        return [context.tangents[e.key] if varied else ZERO for e, varied in _ends_of(context, bounds)]
    whole = context.tangents[bounds.key]
    return context.quote("s[0]", s=whole), context.quote("s[1]", s=whole)


@macro
def bounded_tangent(context, f, x, args, dargs, bounds, dbounds):
    """The tangent of the place of a minimum between bounds."""
    items = _items(context, args)
    wrt, tangents = _tangents(context, items)
    _, bend, _, at_low, at_high = _between(context, f, x, items, bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    low, high = (zero if t is ZERO else t for t in _tangents_of_ends(context, bounds))
    change = zero
    if wrt:
        slope = _slope(context, f, x, items)
        right = _tangent(context, slope, [x, *items], tuple(i + 1 for i in wrt), tangents)
        change = context.quote("-r / s", r=right, s=bend)
    value = context.quote("b if l else (c if h else d)", b=low, l=at_low, c=high, h=at_high, d=change)
    return Operand(value.expr, Number(np.float64))


@macro
def least_bounds_back(context, f, x, args, g, bounds):
    """The adjoints of the bounds in the value of a minimum: where it is on one, the slope there."""
    if g is ZERO or not _wants_bounds(context, bounds):
        return ZERO
    r, _, _, at_low, at_high = _between(context, f, x, _items(context, args), bounds)
    ends = [_only_where(context, "g * r", at, g=g, r=r) for at in (at_low, at_high)]
    return _at_both_ends(context, bounds, *ends)


@macro
def least_bounds_tangent(context, f, x, args, bounds, dbounds):
    """What the bounds add to the tangent of the value of a minimum."""
    if not _wants_bounds(context, bounds):
        return ZERO
    r, _, _, at_low, at_high = _between(context, f, x, _items(context, args), bounds)
    zero = Operand(gast.Constant(0.0, None), Number(float))
    low, high = (zero if t is ZERO else t for t in _tangents_of_ends(context, bounds))
    value = context.quote("r * (b if l else (c if h else 0.0))", r=r, b=low, l=at_low, c=high, h=at_high)
    return Operand(value.expr, Number(np.float64))


# -- least squares: minima of half the sum of squares ------------------------------------------------------------------


def _half_square(function):
    """Half the sum of the squares of what a function returns."""
    names = _parameters(function)
    r, own = _new("r", names), function.__name__
    body = [f"{r} = {own}({', '.join(names)})", f"return 0.5 * np.sum({r} * {r})"]
    return _written(function, f"misfit_{own}", names, body, **{own: function})


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
    own = _new(model.__name__, names)
    difference = f"{own}({', '.join(['xdata', *(f'p[{i}]' for i in range(count))])}) - ydata"
    text = f"r = {difference}" if sigma is None else f"r = ({difference}) / sigma"
    misfit = _written(model, f"misfit_{model.__name__}", names, [text, "return 0.5 * np.sum(r * r)"], **{own: model})
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


@macro
def part_of(context, parts, i):
    """One of several."""
    return parts[i]


# -- jumps -------------------------------------------------------------------------------------------------------------


def _core(function, kinds):
    """A function in core Python, and what it returns; None where the kinds of its parameters are not known."""
    from s2sad.frontend.source import function_tree
    from s2sad.normal.lower import lower_function

    names = _parameters(function)
    if any(kind is None for kind in kinds):
        return None

    def make():
        varied = tuple(n for n, k in zip(names, kinds, strict=True) if _is_float(k))
        core = lower_function(function_tree(function), dict(zip(names, kinds, strict=True)), varied)
        return core, core.lowering.expression(core.result)

    return _remembered(function, ("core", tuple(kinds)), make)


def _is_float(kind):
    if isinstance(kind, Number):
        return issubclass(kind.type, float | np.floating)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "f"


def _smooth(context, function, kinds, along, moved, words, way_out, places=()):
    """Refuse a function that may jump at a place that moves: the derivative has a term there.

    along, moved: the positions of the parameters that it is integrated over, and of those that vary; places: of those
    that are places at which it may jump.
    """
    names = _parameters(function)
    traits = {n: Atom(i in along, i in moved) for i, n in enumerate(names)}
    found = jump(*_core(function, kinds), traits, _core, [names[i] for i in places])
    if found:
        moving = f"{words} may jump at a place that moves with active values (`{found}`), and the derivative has a term"
        raise context.refuse(f"{moving} there that this leaves out", way_out)


def _smooth_integrand(context, function, kinds, wrt, places=()):
    way_out = "integrate up to the place and on from there, each piece by its own formula, added up, or give the place "
    way_out += "a name, compare with it, and hand it to quad, points=[place]; write a kink "
    moved = {i + 1 for i in wrt}
    _smooth(context, function, kinds, {0}, moved, "the integrand", way_out + KINK, [i + 1 for i in places])


def _places(context, function, kinds, wrt, items, points):
    """Which of args are places at which an integrand jumps: active ones that are among the points."""
    if not isinstance(points, Part):
        return []
    known = {point.text for point in points.items() or ()}
    found = [i for i in wrt if items[i].text in known and items[i].ndim == 0]
    traits = {n: Atom(i == 0, i - 1 in wrt) for i, n in enumerate(_parameters(function))}
    return found if found and jump(*_core(function, kinds), traits, _core) else []


def _step_at(context, function, place, a, b, items):
    """What an integral gains as a place at which the integrand jumps moves up: the value below it minus that above."""
    names = {}
    for name, end in (("f", "-np.inf"), ("h", "np.inf")):
        beside = context.quote(f"np.nextafter(p, {end})", p=place)
        names[name] = Operand(_call(context, function, beside, *items), place.kind)
    if not isinstance(a, Operand) and not isinstance(b, Operand):
        step = context.quote("f - h" if a <= b else "h - f", **names)
        return context.quote("s if a < p < b else 0.0", s=step, p=place, a=min(a, b), b=max(a, b))
    names |= {n: gast.Name(n, gast.Load(), None, None) for n in ("min", "max")}
    names["s"] = context.quote("np.sign(b - a)", a=a, b=b)
    return context.quote("s * (f - h) if min(a, b) < p < max(a, b) else 0.0", a=a, b=b, p=place, **names)


KINK = "with max, min, abs or np.clip"


def _smooth_rates(context, function, y0, items, at, from_moving_time):
    """Refuse rates that may jump at a time or a state that moves."""
    wrt = _active(context, items)
    if not (wrt or from_moving_time or (isinstance(y0, Part) and context.is_active(y0))):
        return
    kinds = [*_lead(y0, at), *(i.kind for i in items)]
    way_out = "solve up to there (a terminal event of solve_ivp ends at it) and on, by a formula each; write a kink "
    _smooth(context, function, kinds, {0, 1}, {at, *(i + 2 for i in wrt)}, "the right-hand side", way_out + KINK)


def _lead(y0, at):
    """The kinds of the state and the time, in the order of the right-hand side."""
    flat = Array(np.dtype(float), y0.shape if isinstance(y0, Operand) and y0.ndim == 1 else _length_of(y0))
    return [flat, Number(np.float64)] if at == 0 else [Number(np.float64), flat]


# -- integrals ---------------------------------------------------------------------------------------------------------


def _integral(context, function, a, b, args, options, kind):
    """The value of the integral of a function."""
    vector = not (isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape == ()))
    module = context.global_expr("integrate")
    keywords = [gast.keyword("args", gast.Tuple([as_literal(i) for i in args], gast.Load()))] if args else []
    keywords += [gast.keyword(k, as_literal(v)) for k, v in options.items() if not vector or k in ("epsabs", "epsrel")]
    solver = gast.Attribute(module, "quad_vec" if vector else "quad", gast.Load())
    name = load(context.name_of(function, function.__name__))
    call = gast.Call(solver, [name, as_literal(a), as_literal(b)], keywords)
    return Operand(gast.Subscript(call, gast.Constant(0, None), gast.Load()), kind)


def _at(context, function, x, items):
    return Operand(_call(context, function, x, *items), context.y.kind.items[0])


def _options(context, **given):
    out = {}
    for name, value in given.items():
        if isinstance(value, Operand):
            raise context.unknown(f"the argument {name}")
        if value is not None:
            out[name] = value
    return out


@macro
def integral_limit_back(context, f, limit, args, g):
    """The integrand at a limit, times the cotangent."""
    if not context.is_active(limit) or g is ZERO:
        return ZERO
    value = _at(context, function_of(context, f), limit, _items(context, args))
    product = context.quote("g * f", g=g, f=value)
    if context.y.kind.items[0] != limit.kind and not isinstance(context.y.kind.items[0], Number):
        product = context.quote("np.sum(p)", p=product)
    return Operand(product.expr, limit.kind)


@macro
def integral_back(context, f, a, b, args, g, epsabs=None, epsrel=None, limit=None, points=None):
    """The adjoints of args: the integrals of the derivatives (Leibniz' rule)."""
    items = _items(context, args)
    wrt = _active(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    function = function_of(context, f)
    options = _options(context, epsabs=epsabs, epsrel=epsrel, limit=limit)
    value = context.y.kind.items[0]
    vector = not isinstance(value, Number)
    x = Operand(gast.Constant(0.0, None), Number(float))
    rest = items
    if vector:
        weights = context.local("g", Operand(as_literal(g), value))
        function, rest = _along(function, True), [*items, weights]
    kinds = [x.kind, *(i.kind for i in rest)]
    places = _places(context, function, kinds, wrt, items, points)
    _smooth_integrand(context, function_of(context, f), kinds[: len(items) + 1], wrt, places)
    options |= {} if points is None else {"points": points}
    found = {}
    for i in wrt:
        derivative = _derivative(function, "grad", (i + 1,), kinds)
        part = _integral(context, derivative, a, b, rest, options, items[i].kind)
        if i in places:
            part = context.quote("p + s", p=part, s=_step_at(context, function, items[i], a, b, items))
        found[i] = part if vector else Operand(context.quote("g * p", g=g, p=part).expr, items[i].kind)
    return _listed(items, found)


@macro
def integral_tangent(context, f, a, b, args, da, db, dargs, epsabs=None, epsrel=None, limit=None, points=None):
    """The tangent of an integral."""
    from s2sad.transform.expand import _add

    function = function_of(context, f)
    items = _items(context, args)
    options = _options(context, epsabs=epsabs, epsrel=epsrel, limit=limit)
    value = context.y.kind.items[0]
    total = None
    for limit_, tangent, text in ((b, db, "f * t"), (a, da, "-f * t")):
        if tangent is not ZERO:
            total = _add(total, context.quote(text, f=_at(context, function, limit_, items), t=tangent).expr)
    wrt, tangents = _tangents(context, items)
    if wrt:
        x = Operand(gast.Constant(0.0, None), Number(float))
        names = _parameters(function)
        kinds = [x.kind, *(i.kind for i in items)]
        places = _places(context, function, kinds, wrt, items, points)
        _smooth_integrand(context, function, kinds, wrt, places)
        options |= {} if points is None else {"points": points}
        for i in places:
            step = _step_at(context, function, items[i], a, b, items)
            total = _add(total, context.quote("t * s", t=tangents[wrt.index(i)], s=step).expr)
        jvp = _derivative(function, "jvp", tuple(i + 1 for i in wrt), kinds)
        own = jvp.__name__
        parameters = [*names, *(_new("d" + names[i + 1], names) for i in wrt)]
        body = [f"return {own}({', '.join(parameters)})[1]"]
        change = _written(function, f"change_of_{function.__name__}", parameters, body, **{own: jvp})
        part = _integral(context, change, a, b, [*items, *tangents], options, value)
        total = _add(total, as_literal(part))
    return [ZERO if total is None else Operand(total, value), no_rule(context)]


@macro
def no_influence(context, items):
    """The adjoints of a bracket."""
    return [ZERO] * len(_items(context, items)) if isinstance(items, Part) else ZERO


def no_rule(context):
    """Why the second part of the result, such as an estimated error, has no derivative."""
    words = "only the first part of what it returns has a rule"
    return context.refuse(words, f"read that alone: {context.rule.name}(...)[0]")


@macro
def only_value(context, g):
    """Refuse a cotangent of the second part of the result, such as an estimated error."""
    if g[1] is not ZERO:
        raise no_rule(context)


# -- differential equations --------------------------------------------------------------------------------------------


def _display(names):
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def _tolerances(context, **given):
    return "".join(f", {k}={v!r}" for k, v in _options(context, **given).items())


def _sizes(names, kinds, sign="+"):
    """The numbers of parameters in all, as text."""
    numbers = sum(isinstance(k, Number) for k in kinds)
    parts = [f"{n}.size" for n, k in zip(names, kinds, strict=True) if not isinstance(k, Number)]
    return f" {sign} ".join([*parts, *([str(numbers)] if numbers or not parts else [])])


def _one_rate(function, kinds, at):
    """Does the right-hand side of one equation return a number, where others return an array or a list?"""
    from s2sad.frontend.source import function_tree
    from s2sad.normal.lower import lower_function

    names = _parameters(function)

    def make():
        core = lower_function(function_tree(function), dict(zip(names, kinds, strict=True)), (names[at],))
        return isinstance(core.lowering.kind(core.result), Number)

    return _remembered(function, ("number", tuple(kinds)), make)


def _adjoint_rates(context, function, kinds, wrt, at):
    """The right-hand side of the equation for the solution, its adjoint, and the adjoints of parameters."""
    names = _parameters(function)
    along = _along(function, True)
    gradient = _derivative(along, "grad", (at, *wrt), [*kinds, kinds[at]])
    s, w, n = (_new(x, names) for x in ("s", "w", "n"))
    y = names[at]
    own = [_new("b" + names[i], names) for i in (at, *wrt)]
    outer = [s if i == at else x for i, x in enumerate(names)]
    ravelled = "".join(f", -np.ravel({b})" for b in own[1:])
    rate = f"{function.__name__}({', '.join(names)})"
    rate = f"[{rate}]" if _one_rate(function, kinds, at) else rate
    body = [
        f"{n} = ({s}.size - {_sizes([names[i] for i in wrt], [kinds[i] for i in wrt], '-')}) // 2"
        if wrt
        else f"{n} = {s}.size // 2",
        f"{y}, {w} = {s}[:{n}], {s}[{n} : 2 * {n}]",
        f"{', '.join(own)} = {gradient.__name__}({', '.join([*names, w])})",
        f"return np.concatenate(({rate}, -{own[0]}{ravelled}))",
    ]
    return _written(
        function,
        f"adjoint_{function.__name__}",
        outer,
        body,
        **{function.__name__: function, gradient.__name__: gradient},
    )


def _tangent_rates(context, function, kinds, wrt, at):
    """The right-hand side of the equation for the solution and its tangent."""
    names = _parameters(function)
    jvp = _derivative(function, "jvp", (at, *wrt), kinds)
    s, n = _new("s", names), _new("n", names)
    extra = [_new("d" + names[i], names) for i in wrt]
    outer = [s if i == at else x for i, x in enumerate(names)]
    inner = [f"{s}[:{n}]" if i == at else x for i, x in enumerate(names)]
    join = "array" if _one_rate(function, kinds, at) else "concatenate"
    body = [
        f"{n} = {s}.size // 2",
        f"return np.{join}({jvp.__name__}({', '.join([*inner, f'{s}[{n}:]', *extra])}))",
    ]
    return _written(function, f"tangent_{function.__name__}", [*outer, *extra], body, **{jvp.__name__: jvp})


def _backward(context, function, kinds, wrt, at, step, name):
    """The function that solves the adjoint equation backward over the times: the adjoints of y0 and of parameters."""
    import scipy.integrate as integrate

    rates = _adjoint_rates(context, function, kinds, wrt, at)
    names = [x for i, x in enumerate(_parameters(function)) if i > 1]
    ys, t, g, s, w, q, n, k = (_new(x, names) for x in ("ys", "t", "g", "s", "w", "q", "n", "k"))
    active = [_parameters(function)[i] for i in wrt]
    last = f", {q}" if wrt else ""
    start = _new("start", names)
    body = [
        f"{n} = {ys}.shape[1]",
        f"{w} = {g}[-1]",
        *([f"{q} = np.zeros({_sizes(active, [kinds[i] for i in wrt])})"] if wrt else []),
        f"for {k} in reversed(range(1, len({t}))):",
        f"    {start} = np.concatenate(({ys}[{k}], {w}{last}))",
        "    " + step.format(s=s, start=start, t=t, k=k, rates=rates.__name__, args=_display(names)),
        f"    {w} = {s}[{n} : 2 * {n}] + {g}[{k} - 1]",
        *([f"    {q} = {s}[2 * {n} :]"] if wrt else []),
    ]
    results = [w]
    at_ = "0"
    for i, x in zip(wrt, active, strict=True):
        scalar = isinstance(kinds[i], Number)
        end = f"{at_} + 1" if scalar else f"{at_} + {x}.size"
        end = end.removeprefix("0 + ")
        results.append(f"{q}[{at_}]" if scalar else f"np.reshape({q}[{at_} : {end}], {x}.shape)")
        at_ = end
    body.append(f"return {', '.join(results)}")
    return _written(
        function,
        f"{function.__name__}_{name}",
        [ys, t, g, *names],
        body,
        **{rates.__name__: rates, "integrate": integrate},
    )


def _solved_back(context, y, rows, f, y0, t, args, g, at, step, name):
    """The adjoints of the start and of args, once for both."""
    items = _items(context, args)
    if g is ZERO:
        return [ZERO] * (1 + len(items))
    known = context.env.get("#solved")
    if known is not None:
        return known
    function = function_of(context, f)
    wrt = tuple(i + 2 for i in _active(context, items))
    state = Array(np.dtype(float), None if rows.shape is None else (rows.shape[1],))
    lead = [state, Number(np.float64)] if at == 0 else [Number(np.float64), state]
    kinds = [*lead, *(i.kind for i in items)]
    back = _backward(context, function, kinds, wrt, at, step, name)
    names = _parameters(function)
    call = _call(context, back, rows, t, g, *items)
    parts = _several(context, call, ["by0", *("b" + names[i] for i in wrt)], [state, *(kinds[i] for i in wrt)])
    found = {i - 2: Operand(p.expr, items[i - 2].kind) for i, p in zip(wrt, parts[1:], strict=True)}
    start = Operand(as_literal(parts[0]), state)
    context.env["#start"] = start
    if isinstance(y0, Part) and y0.ndim == 0:
        start = Operand(context.quote("p[0]", p=parts[0]).expr, y0.kind)
    context.env["#solved"] = [start, *_listed(items, found)]
    return context.env["#solved"]


# The derivative of the state in its time is the right-hand side there; in the time of the start it is, before the
# solution is carried on, minus that.


def _beside(function, text):
    """The parameters and the lines of a function whose text has its own parameters first; its own names give way to
    those of the parameters of the right-hand side."""
    rest = _parameters(function)[2:]
    for own in ("ys", "t", "g", "w", "k", "bt", "dt", "dys"):
        text = re.sub(rf"\b{own}\b", _new(own, rest), text)
    first, *body = text.splitlines()
    return [*first.split(", "), *rest], body


def _with_rates(function, at, name, text):
    """A function that calls the right-hand side at the times of a solution: RATE(k) of the k-th state and time."""
    order = "ys[{0}], t[{0}]" if at == 0 else "t[{0}], ys[{0}]"
    rest = "".join(f", {n}" for n in _parameters(function)[2:])
    parameters, body = _beside(function, re.sub(r"RATE\((-?\w+)\)", lambda m: f"RATE({order.format(m[1])})", text))
    own = function.__name__
    body = [re.sub(r"RATE\((.*?\], .*?\])\)", lambda m: f"{own}({m[1]}{rest})", line) for line in body]
    return _written(function, f"{own}_{name}", parameters, body, **{own: function})


def _at_times(function, at):
    """The function that gives the adjoints of the times, from those of the states and of the start."""
    text = """ys, t, g, w
bt = np.zeros(len(t))
for k in range(len(t)):
    bt[k] = np.sum(g[k] * RATE(k))
bt[0] -= np.sum(w * RATE(0))
return bt"""
    return _with_rates(function, at, "at_times", text)


def _drift(function, at):
    """The function that gives the tangents of the states from those of their times."""
    text = """ys, t, dt
dys = np.empty_like(ys)
for k in range(len(t)):
    dys[k] = RATE(k)
return dys * dt[:, None]"""
    return _with_rates(function, at, "drift", text)


def _row_of_tangents(context, t):
    """The tangent of times that are an array, or a list or tuple of numbers."""
    if t.items() is None:
        whole = context.tangents[t.key]
        return whole if isinstance(t.kind, Array) else context.quote("np.array(t)", t=whole)
    zero = gast.Constant(0.0, None)
    parts = [as_literal(context.tangents[i.key]) if context.is_active(i) else zero for i in t.items()]
    row = gast.List(parts, gast.Load())
    return context.quote("np.array(r)", r=Operand(row, t.kind))


def _is_varied_time(context, t):
    return isinstance(t, Part) and context.is_active(t)


def _start_moved(context, function, dy0, first, at, items, dt0):
    """The tangent of the start where its time varies as well."""
    if dt0 is ZERO:
        return dy0
    state, time = first
    lead = [state, time] if at == 0 else [time, state]
    rate = Operand(_call(context, function, *lead, *items), state.kind)
    moved = context.quote("-t * np.atleast_1d(f)", t=dt0, f=rate)  # a rate of one state may be a number
    return moved if dy0 is ZERO else context.quote("d + m", d=dy0, m=moved)


def _odeint_step(context, rtol, atol, tfirst):
    options = _tolerances(context, rtol=rtol, atol=atol) + (", tfirst=True" if tfirst else "")
    return "{s} = integrate.odeint({rates}, {start}, {t}[{k} - 1 : {k} + 1][::-1], args={args}" + options + ")[-1]"


def _times_in_array(context, t):
    """Times in an array, where those in a list or a tuple vary."""
    if not _is_varied_time(context, t) or isinstance(t.kind, Array):
        return t
    if "#times" not in context.env:
        made = context.quote("np.array(t)", t=t)
        context.env["#times"] = context.local("times", Operand(made.expr, Array(np.dtype(float), None)))
    return context.env["#times"]


def _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    step = _odeint_step(context, rtol, atol, tfirst)
    at = 1 if tfirst else 0
    _smooth_rates(context, function_of(context, func), y0, _items(context, args), at, _is_varied_time(context, t))
    t = _times_in_array(context, t)
    return _solved_back(context, y, y, func, y0, t, args, g, at, step, "back")


@macro
def odeint_start_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoint of the start."""
    return _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)[0] if _wanted(context, y0) else ZERO


@macro
def odeint_args_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoints of args."""
    return _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)[1:]


@macro
def odeint_times_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoints of the times."""
    if not _is_varied_time(context, t):
        return ZERO
    at = 1 if tfirst else 0
    _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)
    function = function_of(context, func)
    times = _times_in_array(context, t)
    call = _call(context, _at_times(function, at), y, times, g, context.env["#start"], *_items(context, args))
    return Operand(call, t.kind)


def _wanted(context, part):
    return isinstance(part, Part) and context.is_active(part)


def _start_of(context, y0, dy0):
    """The start of the equation for the solution and its tangent."""
    text = "y" if isinstance(y0, Operand) and y0.ndim == 1 else "np.atleast_1d(y)"
    flat = context.quote(text, y=y0)
    change = context.quote("np.zeros_like(y)", y=flat) if dy0 is ZERO else context.quote(text, y=dy0)
    return context.quote("np.concatenate((y, d))", y=flat, d=change)


def _length_of(y0):
    """The shape of a start that is no vector, as one."""
    from s2sad.kinds.kind import Dim
    from s2sad.kinds.known import shape_of

    shape = shape_of(y0.kind) if isinstance(y0, Operand) else None
    return (Dim.of(1),) if shape == () else shape


def _forward(context, f, y0, args, at):
    function = function_of(context, f)
    items = _items(context, args)
    wrt, tangents = _tangents(context, items)
    kinds = [*_lead(y0, at), *(i.kind for i in items)]
    rates = _tangent_rates(context, function, kinds, tuple(i + 2 for i in wrt), at)
    name = load(context.name_of(rates, rates.__name__))
    return name, gast.Tuple([as_literal(o) for o in (*items, *tangents)], gast.Load())


@macro
def odeint_tangent(context, func, y0, t, args, dy0, dt, dargs, rtol, atol, tfirst):
    """The tangent of a solution."""
    function, at, drift = function_of(context, func), 1 if tfirst else 0, None
    _smooth_rates(context, function, y0, _items(context, args), at, dt is not ZERO)
    if dt is not ZERO:
        dt = context.local("dt", _row_of_tangents(context, t))
        items = _items(context, args)
        first = context.quote("y[0]", y=context.y), context.quote("t[0]", t=t)
        dy0 = _start_moved(context, function, dy0, first, at, items, context.quote("dt[0]", dt=dt))
        drift = Operand(_call(context, _drift(function, at), context.y, t, dt, *items), context.y.kind)
    rates, rest = _forward(context, func, y0, args, 1 if tfirst else 0)
    options = _tolerances(context, rtol=rtol, atol=atol) + (", tfirst=True" if tfirst else "")
    more = ", args=r" if rest.elts else ""
    text = f"m.odeint(f, s, t{more}{options})[:, y.shape[1] :]"
    module = context.global_expr("integrate")
    value = context.quote(text, m=module, f=rates, s=_start_of(context, y0, dy0), t=t, r=rest, y=context.y)
    if drift is not None:
        value = context.quote("v + d", v=value, d=drift)
    return Operand(value.expr, context.y.kind)


# Where an event g(t, y, *args) = 0 occurs, dt = -(g_y dy + g_p dp) / (g_t + g_y f), and the state there changes by
# dy + f dt, where dy is its tangent at a time that stays.


@macro
def event_that_ends(context, events, t_eval):
    """The event that may end the run at a time that varies; None where there is none, or where it is not asked for."""
    if events is None:
        return None
    items = events.items()
    ends = [e for e in ([events] if items is None else items) if getattr(function_of(context, e), "terminal", False)]
    if len(ends) > 1:
        raise context.refuse("several events may end the run", "make one of them, of the product of their values")
    if ends and _is_varied_time(context, t_eval):
        words = "an event may end the run before the times that are asked for, which vary"
        raise context.refuse(words, "leave t_eval out, or have no terminal event")
    return ends[0] if ends and t_eval is None else None


def _event_back(function, event, kinds, wrt):
    """The function that gives the adjoints of the states at an event, at times that stay, and of parameters."""
    names = _parameters(event)
    gradient = _derivative(event, "grad", (0, 1, *wrt), kinds)
    rest = names[2:]
    ts, ys, gt, gy, rows, rate, w, k = (_new(n, rest) for n in ("ts", "ys", "gt", "gy", "rows", "rate", "w", "k"))
    own = [_new("b" + names[i], rest) for i in (0, 1, *wrt)]
    totals = [_new(f"b{names[i]}_all", rest) for i in wrt]
    at = ", ".join([f"{ts}[{k}]", f"{ys}[{k}]", *rest])
    body = [
        f"{rows} = np.empty_like({gy})",
        *(
            f"{t} = 0.0" if isinstance(kinds[i], Number) else f"{t} = np.zeros_like({names[i]})"
            for t, i in zip(totals, wrt, strict=True)
        ),
        f"for {k} in range(len({ts})):",
        f"    {rate} = np.asarray({function.__name__}({at}))",
        f"    {', '.join(own)} = {gradient.__name__}({at})",
        f"    {w} = -({gt}[{k}] + np.sum({gy}[{k}] * {rate})) / ({own[0]} + np.sum({own[1]} * {rate}))",
        f"    {rows}[{k}] = {gy}[{k}] + {w} * {own[1]}",
        *(f"    {t} = {t} + {w} * {b}" for t, b in zip(totals, own[2:], strict=True)),
        f"return {', '.join([rows, *totals])}",
    ]
    used = {function.__name__: function, gradient.__name__: gradient}
    return _written(event, f"{event.__name__}_back", [ts, ys, gt, gy, *rest], body, **used)


def _event_moved(function, event, kinds, wrt):
    """The function that gives the tangents of the times of an event, from those of the states at times that stay."""
    names = _parameters(event)
    change = _derivative(event, "jvp", (1, *wrt), kinds)
    flow = _written(
        event, f"{event.__name__}_flow", names, [f"return {event.__name__}({', '.join(names)})"],
        **{event.__name__: event},
    )  # fmt: skip
    along = _derivative(flow, "jvp", (0, 1), kinds)
    rest = names[2:]
    ts, ys, vs, dts, rate, k = (_new(n, rest) for n in ("ts", "ys", "vs", "dts", "rate", "k"))
    extra = [_new("d" + names[i], rest) for i in wrt]
    at = ", ".join([f"{ts}[{k}]", f"{ys}[{k}]", *rest])
    body = [
        f"{dts} = np.empty(len({ts}))",
        f"for {k} in range(len({ts})):",
        f"    {rate} = np.asarray({function.__name__}({at}))",
        f"    {dts}[{k}] = -{change.__name__}({', '.join([at, f'{vs}[{k}]', *extra])})[1]",
        f"    {dts}[{k}] /= {along.__name__}({at}, 1.0, {rate})[1]",
        f"return {dts}",
    ]
    used = {function.__name__: function, change.__name__: change, along.__name__: along}
    return _written(event, f"{event.__name__}_moved", [ts, ys, vs, *rest, *extra], body, **used)


def _pulled(context, function, event, ts, ys, gt, gy, items):
    """The adjoints of the states at an event, at times that stay, and of the parameters by the event itself."""
    if "#event" not in context.env:
        event = function_of(context, event)
        wrt = tuple(i + 2 for i in _active(context, items))
        kinds = [*_event_kinds(ys), *(i.kind for i in items)]
        call = _call(context, _event_back(function, event, kinds, wrt), ts, ys, gt, gy, *items)
        rows, *parts = _several(context, call, ["rows", *(f"b{i}" for i in wrt)], [ys.kind, *(kinds[i] for i in wrt)])
        context.env["#event"] = rows, {i - 2: p for i, p in zip(wrt, parts, strict=True)}
    return context.env["#event"]


def _event_kinds(ys):
    state = Array(np.dtype(float), None if ys.shape is None else ys.shape[1:])
    return [Number(np.float64), state]


def _with_event(context, items, solved):
    """The adjoints of args by the solution, and by the event."""
    found = context.env["#event"][1]
    return [
        Operand(context.quote("a + b", a=s, b=found[i]).expr, items[i].kind)
        if i in found and s is not ZERO
        else found.get(i, s)
        for i, s in enumerate(solved)
    ]


def _rows_at_events(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoints of the start and of args in the times and states at which an event occurs."""
    function, items = function_of(context, fun), _items(context, () if args is None else args)
    if "#solved" not in context.env:
        moving = _ends_of(context, t_span)[0][1]
        _smooth_rates(context, function, y0, items, 1, moving)
        _smooth_event(context, event, ys, items)
        gt = context.quote("np.zeros(len(t))", t=ts) if gt is None or gt is ZERO else gt
        gy = context.quote("np.zeros_like(y)", y=ys) if gy is None or gy is ZERO else gy
        rows, _ = _pulled(context, function, event, ts, ys, gt, gy, items)
        start = context.quote("np.atleast_2d(s)", s=y0)
        start = context.local("start", Operand(start.expr, Array(np.dtype(float), None)))
        whole = context.quote("np.vstack((s, y))", s=start, y=ys)
        times = context.quote("np.append(s, t)", s=_first_time(context, t_span), t=ts)
        turned = context.quote("np.vstack((np.zeros_like(s), r))", s=start, r=rows)
        whole = Operand(whole.expr, Array(np.dtype(float), None if ys.shape is None else (ys.shape[0], ys.shape[1])))
        whole, times, turned = (context.local(n, x) for n, x in (("ys", whole), ("ts", times), ("gs", turned)))
        context.env["#rows"] = whole, times, turned
    whole, times, turned = context.env["#rows"]
    step = "{s} = integrate.solve_ivp({rates}, ({t}[{k}], {t}[{k} - 1]), {start}, args={args}"
    step += _ivp_options(context, method, rtol, atol) + ").y[:, -1] if {t}[{k}] != {t}[{k} - 1] else {start}"
    args = () if args is None else args
    return _solved_back(context, whole, whole, fun, y0, times, args, turned, 1, step, "back_at_events")


def _smooth_event(context, event, ys, items):
    """Refuse an event whose value may jump at a time or a state that moves."""
    function = function_of(context, event)
    kinds = [*_event_kinds(ys), *(i.kind for i in items)]
    moved = {1, *(i + 2 for i in _active(context, items))}
    _smooth(context, function, kinds, {0, 1}, moved, "the event", "let it go through zero; write a kink " + KINK)


def _states_at(context, ts, ys, y0):
    """The states at which an event occurs, a row each, where there may be none."""
    made = context.quote("np.reshape(y, (len(t), np.size(s)))", y=ys, t=ts, s=y0)
    return context.local("ys", Operand(made.expr, Array(np.dtype(float), ys.shape)))


def _is_asked(g):
    return g is not None and g is not ZERO


def _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    if "#solved" not in context.env:
        ys = _states_at(context, ts, ys, y0)
    return _rows_at_events(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)


@macro
def event_start_back(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoint of the start in the times, or the states, at which an event occurs."""
    if not _wanted(context, y0) or not (_is_asked(gt) or _is_asked(gy)):
        return ZERO
    return _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)[0]


@macro
def event_args_back(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoints of args."""
    items = _items(context, () if args is None else args)
    if not _active(context, items) or not (_is_asked(gt) or _is_asked(gy)):
        return [ZERO] * len(items)
    solved = _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)
    return _with_event(context, items, solved[1:])


@macro
def event_span_back(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoints of the ends of the interval: of the start alone."""
    if not _is_varied_time(context, t_span):
        return ZERO
    if not _ends_of(context, t_span)[0][1] or not (_is_asked(gt) or _is_asked(gy)):
        return _at_both_ends(context, t_span, ZERO, ZERO)
    _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)
    return _at_both_ends(context, t_span, _by_the_start(context, fun, args), ZERO)


def _by_the_start(context, fun, args):
    """The adjoint of the first time, where the solution begins."""
    rows, ts, gs = context.env["#rows"]
    lead = context.quote("t[0]", t=ts), context.quote("r[0]", r=rows)
    items = _items(context, () if args is None else args)
    rate = Operand(_call(context, function_of(context, fun), *lead, *items), lead[1].kind)
    return context.quote("np.sum((g[0] - w) * f)", g=gs, w=context.env["#start"], f=rate)


def _tangents_at(context, ts, ys, fun, t_span, y0, args, dy0, dspan, method, rtol, atol):
    """The tangents of the states at times that stay, a row each."""
    start, varied = _ends_of(context, t_span)[0]
    items = _items(context, () if args is None else args)
    _smooth_rates(context, function_of(context, fun), y0, items, 1, varied)
    if varied:
        whole = t_span.items() is None
        moved = context.quote("s[0]", s=context.tangents[t_span.key]) if whole else context.tangents[start.key]
        state = y0 if isinstance(y0, Operand) and y0.ndim == 1 else context.quote("np.atleast_1d(y)", y=y0)
        dy0 = _start_moved(context, function_of(context, fun), dy0, (state, start), 1, items, moved)
    rates, rest = _forward(context, fun, y0, () if args is None else args, 1)
    more = ", args=r" if rest.elts else ""
    text = f"m.solve_ivp(f, (a, t[-1]), s, t_eval=t{more}{_ivp_options(context, method, rtol, atol)}).y[y.shape[1] :].T"
    module, begin = context.global_expr("integrate"), _first_time(context, t_span)
    value = context.quote(text, m=module, f=rates, a=begin, s=_start_of(context, y0, dy0), t=ts, r=rest, y=ys)
    value = context.quote("v if len(t) else np.zeros_like(y)", v=value, t=ts, y=ys)
    return context.local("vs", Operand(value.expr, Array(np.dtype(float), ys.shape)))


def _moved_events(context, ts, ys, vs, fun, args, event):
    """The tangents of the times of an event."""
    function, items = function_of(context, fun), _items(context, () if args is None else args)
    _smooth_event(context, event, ys, items)
    wrt, tangents = _tangents(context, items)
    kinds = [*_event_kinds(ys), *(i.kind for i in items)]
    moved = _event_moved(function, function_of(context, event), kinds, tuple(i + 2 for i in wrt))
    return context.local("dts", Operand(_call(context, moved, ts, ys, vs, *items, *tangents), ts.kind))


@macro
def event_times_tangent(context, ts, ys, fun, t_span, y0, args, dy0, dargs, dspan, method, rtol, atol, event):
    """The tangents of the times of an event."""
    ys = _states_at(context, ts, ys, y0)
    vs = _tangents_at(context, ts, ys, fun, t_span, y0, args, dy0, dspan, method, rtol, atol)
    return _moved_events(context, ts, ys, vs, fun, args, event)


@macro
def event_states_tangent(context, ts, ys, fun, t_span, y0, args, dy0, dargs, dspan, method, rtol, atol, event):
    """The tangents of the states at which an event occurs."""
    ys = _states_at(context, ts, ys, y0)
    vs = _tangents_at(context, ts, ys, fun, t_span, y0, args, dy0, dspan, method, rtol, atol)
    dts = _moved_events(context, ts, ys, vs, fun, args, event)
    items = _items(context, () if args is None else args)
    drift = Operand(_call(context, _drift(function_of(context, fun), 1), ys, ts, dts, *items), ys.kind)
    return Operand(context.quote("v + d", v=vs, d=drift).expr, ys.kind)


# The attributes t and y of a run that a terminal event has ended: their last items are those of the event.


def _at_the_end(context, t, y, t_span):
    """The time and the state at which an event has ended the run: rows of one, or of none."""
    if "#end" not in context.env:
        known = {"t": t, "y": y, "e": _ends_of(context, t_span)[1][0]}
        length = None if y.shape is None else y.shape[0]
        state = Array(np.dtype(float), None if length is None else (dims.fresh(), length))
        ended = context.local("ended", context.quote("t[-1] != e", **known))
        ts = context.quote("t[-1:] if c else t[:0]", c=ended, **known)
        ys = context.quote("y[:, -1:].T if c else y[:, :0].T", c=ended, **known)
        kind = Array(np.dtype(float), (dims.fresh(),))
        ts, ys = context.local("te", Operand(ts.expr, kind)), context.local("ye", Operand(ys.expr, state))
        context.env["#end"] = ended, ts, ys
    return context.env["#end"]


def _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    ended, ts, ys = _at_the_end(context, t, states, t_span)
    gt = context.quote("g[-1:] if c else g[:0]", g=g, c=ended)
    return _rows_at_events(context, ts, ys, fun, t_span, y0, args, gt, None, method, rtol, atol, event)


@macro
def last_time_start_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    """The adjoint of the start in the times, of which the last is that of an event."""
    if not _wanted(context, y0) or g is ZERO:
        return ZERO
    return _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)[0]


@macro
def last_time_args_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    """The adjoints of args."""
    items = _items(context, () if args is None else args)
    if not _active(context, items) or g is ZERO:
        return [ZERO] * len(items)
    solved = _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)
    return _with_event(context, items, solved[1:])


@macro
def last_time_span_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    """The adjoints of the ends of the interval: the last counts where no event came before it."""
    if not _is_varied_time(context, t_span):
        return ZERO
    if g is ZERO:
        return _at_both_ends(context, t_span, ZERO, ZERO)
    (_, from_first), _ = _ends_of(context, t_span)
    first = context.quote("g[0]", g=g)
    if from_first:
        _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)
        first = context.quote("a + b", a=first, b=_by_the_start(context, fun, args))
    ended, _, _ = _at_the_end(context, t, states, t_span)
    return _at_both_ends(context, t_span, first, context.quote("0.0 if c else g[-1]", c=ended, g=g))


def _times_moved(context, t, t_span, ended, dts):
    """The tangents of the times of a run, of which the last may be that of an event."""
    dt = context.quote("np.zeros(len(t))", t=t)
    if _is_varied_time(context, t_span):
        dt = times_tangent(context, t, t_span, None)
    return context.quote("np.append(d[:-1], s) if c else d", d=context.local("dt", dt), s=dts, c=ended)


@macro
def last_time_tangent(context, t, states, fun, t_span, y0, args, dy0, dargs, dspan, method, rtol, atol, event):
    """The tangents of the times of a run that an event may have ended."""
    ended, ts, ys = _at_the_end(context, t, states, t_span)
    vs = _tangents_at(context, ts, ys, fun, t_span, y0, args, dy0, dspan, method, rtol, atol)
    dts = _moved_events(context, ts, ys, vs, fun, args, event)
    return Operand(_times_moved(context, t, t_span, ended, dts).expr, t.kind)


def _ivp_options(context, method, rtol, atol):
    if not isinstance(method, str):
        raise context.unknown("the method (a string)")
    return ("" if method == "RK45" else f", method={method!r}") + _tolerances(context, rtol=rtol, atol=atol)


def _first_time(context, t_span):
    """Where an equation starts."""
    if isinstance(t_span, (tuple, list)):
        return t_span[0]
    items = t_span.items() if isinstance(t_span, Part) else None
    return items[0] if items else context.quote("s[0]", s=t_span)


def _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event=None):
    options = _ivp_options(context, method, rtol, atol)
    step = "{s} = integrate.solve_ivp({rates}, ({t}[{k}], {t}[{k} - 1]), {start}, args={args}" + options + ").y[:, -1]"
    if t_eval is not None:  # the first time may be the start, or lie behind it
        step += " if {t}[{k}] != {t}[{k} - 1] else {start}"
    args = () if args is None else args
    moving = _ends_of(context, t_span)[0][1]
    _smooth_rates(context, function_of(context, fun), y0, _items(context, args), 1, moving)
    turned = ZERO if g is ZERO else context.quote("g.T", g=g)
    length = None if y.shape is None else y.shape[0]
    rows = Operand(context.quote("y.T", y=y).expr, Array(np.dtype(float), None if length is None else y.shape[::-1]))
    if t_eval is not None and "#solved" not in context.env:  # the solution is asked for at times behind the start
        shape = None if length is None else (dims.fresh(), length)
        rows = Operand(context.quote("np.vstack((s, y.T))", s=y0, y=y).expr, Array(np.dtype(float), shape))
        t = context.quote("np.append(s, t)", s=_first_time(context, t_span), t=t)
        if turned is not ZERO:
            turned = context.quote("np.vstack((np.zeros(y.shape[0]), g))", y=y, g=turned)
    if event is not None and "#solved" not in context.env and turned is not ZERO:
        _smooth_event(context, event, rows, _items(context, args))
        ended, ts, ys = _at_the_end(context, t, y, t_span)
        gy = context.quote("g[:, -1:].T if c else g[:, :0].T", g=g, c=ended)
        still = context.quote("np.zeros(len(t))", t=ts)
        at_end, _ = _pulled(context, function_of(context, fun), event, ts, ys, still, gy, _items(context, args))
        turned = context.quote("np.vstack((g[: len(t) - len(s)], r))", g=turned, t=t, s=ts, r=at_end)
        turned = context.local("gs", Operand(turned.expr, rows.kind))
    if "#solved" not in context.env:
        if t_eval is not None and turned is not ZERO and any(_is_varied_time(context, x) for x in (t_span, t_eval)):
            rows, t, turned = (context.local(n, x) for n, x in (("ys", rows), ("ts", t), ("gs", turned)))
        context.env["#rows"] = rows, t, turned
    return _solved_back(context, y, rows, fun, y0, t, args, turned, 1, step, "back")


@macro
def solve_ivp_start_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoint of the start."""
    if not _wanted(context, y0):
        return ZERO
    return _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)[0]


@macro
def solve_ivp_args_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoints of args."""
    solved = _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)
    if event is None or g is ZERO:
        return solved[1:]
    return _with_event(context, _items(context, () if args is None else args), solved[1:])


def _ends_of(context, t_span):
    """The first and the last time, and whether each varies."""
    if isinstance(t_span, (tuple, list)):
        return [(t, False) for t in t_span]
    items = t_span.items() if isinstance(t_span, Part) else None
    if items is not None:
        return [(item, context.is_active(item)) for item in items]
    varied = _is_varied_time(context, t_span)
    return [(context.quote("s[0]", s=t_span), varied), (context.quote("s[1]", s=t_span), varied)]


def _at_both_ends(context, t_span, first, last):
    """Contributions to the ends of the interval, in the form that it is given in."""
    if t_span.items() is not None:
        return [
            value if varied else ZERO
            for value, (_, varied) in zip((first, last), _ends_of(context, t_span), strict=True)
        ]
    zero = Operand(gast.Constant(0.0, None), Number(float))
    parts = [zero if p is ZERO else p for p in (first, last)]
    return Operand(context.quote("np.array([a, b])", a=parts[0], b=parts[1]).expr, t_span.kind)


@macro
def solve_ivp_span_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoints of the ends of the interval; the times in between that the solver chooses are constants."""
    if not _is_varied_time(context, t_span):
        return ZERO
    if g is ZERO:
        return _at_both_ends(context, t_span, ZERO, ZERO)
    function, items = function_of(context, fun), _items(context, () if args is None else args)
    first, last = ZERO, ZERO
    (_, from_first), (_, to_last) = _ends_of(context, t_span)
    if from_first:
        _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)
        rows, ts, gs = context.env["#rows"]
        lead = context.quote("t[0]", t=ts), context.quote("r[0]", r=rows)
        rate = Operand(_call(context, function, *lead, *items), lead[1].kind)
        first = context.quote("np.sum((g[0] - w) * f)", g=gs, w=context.env["#start"], f=rate)
    if to_last and t_eval is None:
        lead = context.quote("t[-1]", t=t), context.quote("y[:, -1]", y=y)
        rate = Operand(_call(context, function, *lead, *items), lead[1].kind)
        last = context.quote("np.sum(g[:, -1] * f)", g=g, f=rate)
        if event is not None:
            last = context.quote("0.0 if c else s", c=_at_the_end(context, t, y, t_span)[0], s=last)
    return _at_both_ends(context, t_span, first, last)


@macro
def solve_ivp_times_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol):
    """The adjoints of the times that are asked for."""
    if not _is_varied_time(context, t_eval) or g is ZERO:
        return ZERO
    function, items = function_of(context, fun), _items(context, () if args is None else args)
    _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol)
    rows, ts, gs = context.env["#rows"]
    call = _call(context, _at_times(function, 1), rows, ts, gs, context.env["#start"], *items)
    return Operand(context.quote("b[1:]", b=Operand(call, ts.kind)).expr, t_eval.kind)


@macro
def span_of_times_back(context, g, t_span):
    """The adjoints of the ends of the interval from those of the times that the solver gives."""
    if not _is_varied_time(context, t_span):
        return ZERO
    return _at_both_ends(context, t_span, context.quote("g[0]", g=g), context.quote("g[-1]", g=g))


@macro
def times_tangent(context, t, t_span, t_eval, *_tangents):
    """The tangents of the times that the solver gives."""
    if t_eval is not None:
        return _row_of_tangents(context, t_eval) if _is_varied_time(context, t_eval) else ZERO
    if not _is_varied_time(context, t_span):
        return ZERO
    if t_span.items() is None:
        whole = context.tangents[t_span.key]
        ends = [context.quote("s[0]", s=whole), context.quote("s[1]", s=whole)]
    else:
        ends = [context.tangents[e.key] if varied else ZERO for e, varied in _ends_of(context, t_span)]
    zero = Operand(gast.Constant(0.0, None), Number(float))
    first, last = (zero if e is ZERO else e for e in ends)
    text = "np.concatenate(([a], np.zeros(len(t) - 2), [b]))"
    return Operand(context.quote(text, a=first, t=t, b=last).expr, Array(np.dtype(float), t.shape))


@macro
def solve_ivp_tangent(context, t, fun, t_span, t_eval, y0, args, dy0, dargs, _dspan, _deval, method, rtol, atol, event):
    """The tangent of a solution at the times t."""
    function, items = function_of(context, fun), _items(context, () if args is None else args)
    dt, dstart = ZERO, ZERO
    _smooth_rates(context, function, y0, items, 1, _ends_of(context, t_span)[0][1])
    if _is_varied_time(context, t_span) or _is_varied_time(context, t_eval):
        dt = times_tangent(context, t, t_span, t_eval)
        dt = ZERO if dt is ZERO else context.local("dt", dt)
        start, varied = _ends_of(context, t_span)[0]
        if varied:
            in_parts = t_span.items() is not None
            dstart = context.tangents[start.key] if in_parts else context.quote("s[0]", s=context.tangents[t_span.key])
            state = y0 if isinstance(y0, Operand) and y0.ndim == 1 else context.quote("np.atleast_1d(y)", y=y0)
            dy0 = _start_moved(context, function, dy0, (state, start), 1, items, dstart)
    rates, rest = _forward(context, fun, y0, () if args is None else args, 1)
    options = _ivp_options(context, method, rtol, atol)
    more = ", args=r" if rest.elts else ""
    text = f"m.solve_ivp(f, (a, t[-1]), s, t_eval=t{more}{options}).y[y.shape[0] :]"
    module = context.global_expr("integrate")
    begin = _first_time(context, t_span)
    value = context.quote(text, m=module, f=rates, a=begin, s=_start_of(context, y0, dy0), t=t, r=rest, y=context.y)
    if event is not None:
        ended, ts, ys = _at_the_end(context, t, context.y, t_span)
        value = context.local("v", Operand(value.expr, context.y.kind))
        vs = context.quote("v[:, -1:].T if c else v[:, :0].T", v=value, c=ended)
        dts = _moved_events(context, ts, ys, Operand(vs.expr, ys.kind), fun, args, event)
        dt = context.local("dt", _times_moved(context, t, t_span, ended, dts))
    if dt is not ZERO:
        rows = context.quote("y.T", y=context.y)
        drift = _call(context, _drift(function, 1), rows, t, dt, *items)
        value = context.quote("v + d.T", v=value, d=Operand(drift, rows.kind))
    return Operand(value.expr, context.y.kind)
