"""Ordinary differential equations: adjoint and tangent equations, odeint."""

import re

import gast
import numpy as np
from s2sad.templates.macros.functions import (
    active_items,
    along_vector,
    call_of_function,
    derivative_of,
    function_of,
    further_items,
    listed_contributions,
    named_parts,
    new_name,
    parameters_of,
    remembered,
    tangents_of_items,
    written,
)
from s2sad.templates.macros.integrals import KINK, given_options, smooth_along

from s2sad.core import load
from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Number
from s2sad.normal.values.facts import kind_of

# -- jumps -------------------------------------------------------------------------------------------------------------


def smooth_rates(context, function, y0, items, at, from_moving_time):
    """Refuse rates that may jump at a time or a state that moves."""
    wrt = active_items(context, items)
    if not (wrt or from_moving_time or (isinstance(y0, Part) and context.is_active(y0))):
        return
    kinds = [*_lead(y0, at), *(i.kind for i in items)]
    way_out = "solve up to there (a terminal event of solve_ivp ends at it) and on, by a formula each; write a kink "
    smooth_along(context, function, kinds, {0, 1}, {at, *(i + 2 for i in wrt)}, "the right-hand side", way_out + KINK)


def _lead(y0, at):
    """The kinds of the state and the time, in the order of the right-hand side."""
    flat = Array(np.dtype(float), y0.shape if isinstance(y0, Operand) and y0.ndim == 1 else _length_of(y0))
    return [flat, Number(np.float64)] if at == 0 else [Number(np.float64), flat]


# -- differential equations --------------------------------------------------------------------------------------------


def _display(names):
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def tolerances(context, **given):
    """Tolerances as text of a call, with the place of each that only the run knows: `, rtol={rtol}`; and these."""
    at_run = {k: v for k, v in given.items() if isinstance(v, Operand) and isinstance(v.kind, Number)}
    known = given_options(context, **{k: v for k, v in given.items() if k not in at_run})
    text = "".join(f", {k}={v!r}" for k, v in known.items()) + "".join(f", {k}={{{k}}}" for k in at_run)
    return text, at_run


def in_place(text, at_run):
    """The text for `context.quote` with the tolerances that only the run knows as parts of it."""
    return text.format(**{k: k for k in at_run})


def _sizes(names, kinds, sign="+"):
    """The numbers of parameters in all, as text."""
    numbers = sum(isinstance(k, Number) for k in kinds)
    parts = [f"{n}.size" for n, k in zip(names, kinds, strict=True) if not isinstance(k, Number)]
    return f" {sign} ".join([*parts, *([str(numbers)] if numbers or not parts else [])])


def _one_rate(function, kinds, at):
    """Does the right-hand side of one equation return a number, where others return an array or a list?"""
    from s2sad.frontend.source import function_tree
    from s2sad.normal.lower import lower_function

    names = parameters_of(function)

    def make():
        core = lower_function(function_tree(function), dict(zip(names, kinds, strict=True)), (names[at],))
        return isinstance(kind_of(core.run, core.result), Number)

    return remembered(function, ("number", tuple(kinds)), make)


def _adjoint_rates(context, function, kinds, wrt, at):
    """The right-hand side of the equation for the solution, its adjoint, and the adjoints of parameters."""
    names = parameters_of(function)
    along = along_vector(function, True)
    gradient = derivative_of(along, "grad", (at, *wrt), [*kinds, kinds[at]])
    s, w, n = (new_name(x, names) for x in ("s", "w", "n"))
    y = names[at]
    own = [new_name("b" + names[i], names) for i in (at, *wrt)]
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
    return written(
        function,
        f"adjoint_{function.__name__}",
        outer,
        body,
        **{function.__name__: function, gradient.__name__: gradient},
    )


def _tangent_rates(context, function, kinds, wrt, at):
    """The right-hand side of the equation for the solution and its tangent."""
    names = parameters_of(function)
    jvp = derivative_of(function, "jvp", (at, *wrt), kinds)
    s, n = new_name("s", names), new_name("n", names)
    extra = [new_name("d" + names[i], names) for i in wrt]
    outer = [s if i == at else x for i, x in enumerate(names)]
    inner = [f"{s}[:{n}]" if i == at else x for i, x in enumerate(names)]
    join = "array" if _one_rate(function, kinds, at) else "concatenate"
    body = [
        f"{n} = {s}.size // 2",
        f"return np.{join}({jvp.__name__}({', '.join([*inner, f'{s}[{n}:]', *extra])}))",
    ]
    return written(function, f"tangent_{function.__name__}", [*outer, *extra], body, **{jvp.__name__: jvp})


def _backward(context, function, kinds, wrt, at, step, at_run, name):
    """The function that solves the adjoint equation backward over the times: the adjoints of y0 and of parameters.

    Args:
        at_run: the tolerances in the step that are parameters, too.
    """
    import scipy.integrate as integrate

    rates = _adjoint_rates(context, function, kinds, wrt, at)
    names = [x for i, x in enumerate(parameters_of(function)) if i > 1]
    ys, t, g, s, w, q, n, k = (new_name(x, names) for x in ("ys", "t", "g", "s", "w", "q", "n", "k"))
    active = [parameters_of(function)[i] for i in wrt]
    last = f", {q}" if wrt else ""
    start, more = new_name("start", names), {x: new_name(x, names) for x in at_run}
    body = [
        f"{n} = {ys}.shape[1]",
        f"{w} = {g}[-1]",
        *([f"{q} = np.zeros({_sizes(active, [kinds[i] for i in wrt])})"] if wrt else []),
        f"for {k} in reversed(range(1, len({t}))):",
        f"    {start} = np.concatenate(({ys}[{k}], {w}{last}))",
        "    " + step.format(s=s, start=start, t=t, k=k, rates=rates.__name__, args=_display(names), **more),
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
    return written(
        function,
        f"{function.__name__}_{name}",
        [ys, t, g, *names, *more.values()],
        body,
        **{rates.__name__: rates, "integrate": integrate},
    )


def solved_back(context, y, rows, f, y0, t, args, g, at, step, at_run, name):
    """The adjoints of the start and of args, once for both. `at_run`: the tolerances in the step that only the run
    knows."""
    items = further_items(context, args)
    if g is ZERO:
        return [ZERO] * (1 + len(items))
    known = context.env.get("#solved")
    if known is not None:
        return known
    function = function_of(context, f)
    wrt = tuple(i + 2 for i in active_items(context, items))
    state = Array(np.dtype(float), None if rows.shape is None else (rows.shape[1],))
    lead = [state, Number(np.float64)] if at == 0 else [Number(np.float64), state]
    kinds = [*lead, *(i.kind for i in items)]
    back = _backward(context, function, kinds, wrt, at, step, [*at_run], name)
    names = parameters_of(function)
    call = call_of_function(context, back, rows, t, g, *items, *at_run.values())
    parts = named_parts(context, call, ["by0", *("b" + names[i] for i in wrt)], [state, *(kinds[i] for i in wrt)])
    found = {i - 2: Operand(p.expr, items[i - 2].kind) for i, p in zip(wrt, parts[1:], strict=True)}
    start = Operand(as_literal(parts[0]), state)
    context.env["#start"] = start
    if isinstance(y0, Part) and y0.ndim == 0:
        start = Operand(context.quote("p[0]", p=parts[0]).expr, y0.kind)
    context.env["#solved"] = [start, *listed_contributions(items, found)]
    return context.env["#solved"]


# The derivative of the state in its time is the right-hand side there; in the time of the start it is, before the
# solution is carried on, minus that.
def _beside(function, text):
    """The parameters and the lines of a function whose text has its own parameters first; its own names give way to
    those of the parameters of the right-hand side."""
    rest = parameters_of(function)[2:]
    for own in ("ys", "t", "g", "w", "k", "bt", "dt", "dys"):
        text = re.sub(rf"\b{own}\b", new_name(own, rest), text)
    first, *body = text.splitlines()
    return [*first.split(", "), *rest], body


def _with_rates(function, at, name, text):
    """A function that calls the right-hand side at the times of a solution: RATE(k) of the k-th state and time."""
    order = "ys[{0}], t[{0}]" if at == 0 else "t[{0}], ys[{0}]"
    rest = "".join(f", {n}" for n in parameters_of(function)[2:])
    parameters, body = _beside(function, re.sub(r"RATE\((-?\w+)\)", lambda m: f"RATE({order.format(m[1])})", text))
    own = function.__name__
    body = [re.sub(r"RATE\((.*?\], .*?\])\)", lambda m: f"{own}({m[1]}{rest})", line) for line in body]
    return written(function, f"{own}_{name}", parameters, body, **{own: function})


def at_times_of(function, at):
    """The function that gives the adjoints of the times, from those of the states and of the start."""
    text = """ys, t, g, w
bt = np.zeros(len(t))
for k in range(len(t)):
    bt[k] = np.sum(g[k] * RATE(k))
bt[0] -= np.sum(w * RATE(0))
return bt"""
    return _with_rates(function, at, "at_times", text)


def drift_of(function, at):
    """The function that gives the tangents of the states from those of their times."""
    text = """ys, t, dt
dys = np.empty_like(ys)
for k in range(len(t)):
    dys[k] = RATE(k)
return dys * dt[:, None]"""
    return _with_rates(function, at, "drift", text)


def row_of_tangents(context, t):
    """The tangent of times that are an array, or a list or tuple of numbers."""
    if t.items() is None:
        whole = context.tangents[t.key]
        return whole if isinstance(t.kind, Array) else context.quote("np.array(t)", t=whole)
    zero = gast.Constant(0.0, None)
    parts = [as_literal(context.tangents[i.key]) if context.is_active(i) else zero for i in t.items()]
    row = gast.List(parts, gast.Load())
    return context.quote("np.array(r)", r=Operand(row, t.kind))


def is_varied_time(context, t):
    return isinstance(t, Part) and context.is_active(t)


def start_moved(context, function, dy0, first, at, items, dt0):
    """The tangent of the start where its time varies as well."""
    if dt0 is ZERO:
        return dy0
    state, time = first
    lead = [state, time] if at == 0 else [time, state]
    rate = Operand(call_of_function(context, function, *lead, *items), state.kind)
    moved = context.quote("-t * np.atleast_1d(f)", t=dt0, f=rate)  # a rate of one state may be a number
    return moved if dy0 is ZERO else context.quote("d + m", d=dy0, m=moved)


def _odeint_step(context, rtol, atol, tfirst):
    options, at_run = tolerances(context, rtol=rtol, atol=atol)
    options += ", tfirst=True" if tfirst else ""
    step = "{s} = integrate.odeint({rates}, {start}, {t}[{k} - 1 : {k} + 1][::-1], args={args}" + options + ")[-1]"
    return step, at_run


def _times_in_array(context, t):
    """Times in an array, where those in a list or a tuple vary."""
    if not is_varied_time(context, t) or isinstance(t.kind, Array):
        return t
    if "#times" not in context.env:
        made = context.quote("np.array(t)", t=t)
        context.env["#times"] = context.local("times", Operand(made.expr, Array(np.dtype(float), None)))
    return context.env["#times"]


def _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    step, at_run = _odeint_step(context, rtol, atol, tfirst)
    at = 1 if tfirst else 0
    smooth_rates(context, function_of(context, func), y0, further_items(context, args), at, is_varied_time(context, t))
    t = _times_in_array(context, t)
    return solved_back(context, y, y, func, y0, t, args, g, at, step, at_run, "back")


@macro
def odeint_start_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoint of the start."""
    return _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)[0] if is_wanted(context, y0) else ZERO


@macro
def odeint_args_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoints of args."""
    return _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)[1:]


@macro
def odeint_times_back(context, y, func, y0, t, args, g, rtol, atol, tfirst):
    """The adjoints of the times."""
    if not is_varied_time(context, t):
        return ZERO
    at = 1 if tfirst else 0
    _odeint_back(context, y, func, y0, t, args, g, rtol, atol, tfirst)
    function = function_of(context, func)
    times = _times_in_array(context, t)
    items = further_items(context, args)
    call = call_of_function(context, at_times_of(function, at), y, times, g, context.env["#start"], *items)
    return Operand(call, t.kind)


def is_wanted(context, part):
    return isinstance(part, Part) and context.is_active(part)


def start_of(context, y0, dy0):
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


def solved_forward(context, f, y0, args, at):
    function = function_of(context, f)
    items = further_items(context, args)
    wrt, tangents = tangents_of_items(context, items)
    kinds = [*_lead(y0, at), *(i.kind for i in items)]
    rates = _tangent_rates(context, function, kinds, tuple(i + 2 for i in wrt), at)
    name = load(context.name_of(rates, rates.__name__))
    return name, gast.Tuple([as_literal(o) for o in (*items, *tangents)], gast.Load())


@macro
def odeint_tangent(context, func, y0, t, args, dy0, dt, dargs, rtol, atol, tfirst):
    """The tangent of a solution."""
    function, at, drift = function_of(context, func), 1 if tfirst else 0, None
    smooth_rates(context, function, y0, further_items(context, args), at, dt is not ZERO)
    if dt is not ZERO:
        dt = context.local("dt", row_of_tangents(context, t))
        items = further_items(context, args)
        first = context.quote("y[0]", y=context.y), context.quote("t[0]", t=t)
        dy0 = start_moved(context, function, dy0, first, at, items, context.quote("dt[0]", dt=dt))
        drift = Operand(call_of_function(context, drift_of(function, at), context.y, t, dt, *items), context.y.kind)
    rates, rest = solved_forward(context, func, y0, args, 1 if tfirst else 0)
    options, at_run = tolerances(context, rtol=rtol, atol=atol)
    options = in_place(options, at_run) + (", tfirst=True" if tfirst else "")
    more = ", args=r" if rest.elts else ""
    text = f"m.odeint(f, s, t{more}{options})[:, y.shape[1] :]"
    module = context.global_expr("integrate")
    value = context.quote(text, m=module, f=rates, s=start_of(context, y0, dy0), t=t, r=rest, y=context.y, **at_run)
    if drift is not None:
        value = context.quote("v + d", v=value, d=drift)
    return Operand(value.expr, context.y.kind)
