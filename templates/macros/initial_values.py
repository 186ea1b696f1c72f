"""solve_ivp: its events, the states at the end, at given times and at events."""

import gast
import numpy as np
from s2sad.templates.macros.functions import (
    active_items,
    call_of_function,
    derivative_of,
    function_of,
    further_items,
    named_parts,
    new_name,
    parameters_of,
    tangents_of_items,
    written,
)
from s2sad.templates.macros.integrals import KINK, smooth_along
from s2sad.templates.macros.odes import (
    at_times_of,
    drift_of,
    in_place,
    is_varied_time,
    is_wanted,
    row_of_tangents,
    smooth_rates,
    solved_back,
    solved_forward,
    start_moved,
    start_of,
    tolerances,
)

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Number


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
    if ends and is_varied_time(context, t_eval):
        words = "an event may end the run before the times that are asked for, which vary"
        raise context.refuse(words, "leave t_eval out, or have no terminal event")
    return ends[0] if ends and t_eval is None else None


def _event_back(function, event, kinds, wrt):
    """The function that gives the adjoints of the states at an event, at times that stay, and of parameters."""
    names = parameters_of(event)
    gradient = derivative_of(event, "grad", (0, 1, *wrt), kinds)
    rest = names[2:]
    ts, ys, gt, gy, rows, rate, w, k = (new_name(n, rest) for n in ("ts", "ys", "gt", "gy", "rows", "rate", "w", "k"))
    own = [new_name("b" + names[i], rest) for i in (0, 1, *wrt)]
    totals = [new_name(f"b{names[i]}_all", rest) for i in wrt]
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
    return written(event, f"{event.__name__}_back", [ts, ys, gt, gy, *rest], body, **used)


def _event_moved(function, event, kinds, wrt):
    """The function that gives the tangents of the times of an event, from those of the states at times that stay."""
    names = parameters_of(event)
    change = derivative_of(event, "jvp", (1, *wrt), kinds)
    flow = written(
        event, f"{event.__name__}_flow", names, [f"return {event.__name__}({', '.join(names)})"],
        **{event.__name__: event},
    )  # fmt: skip
    along = derivative_of(flow, "jvp", (0, 1), kinds)
    rest = names[2:]
    ts, ys, vs, dts, rate, k = (new_name(n, rest) for n in ("ts", "ys", "vs", "dts", "rate", "k"))
    extra = [new_name("d" + names[i], rest) for i in wrt]
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
    return written(event, f"{event.__name__}_moved", [ts, ys, vs, *rest, *extra], body, **used)


def _pulled(context, function, event, ts, ys, gt, gy, items):
    """The adjoints of the states at an event, at times that stay, and of the parameters by the event itself."""
    if "#event" not in context.env:
        event = function_of(context, event)
        wrt = tuple(i + 2 for i in active_items(context, items))
        kinds = [*_event_kinds(ys), *(i.kind for i in items)]
        call = call_of_function(context, _event_back(function, event, kinds, wrt), ts, ys, gt, gy, *items)
        stems, of_parts = ["rows", *(f"b{i}" for i in wrt)], [ys.kind, *(kinds[i] for i in wrt)]
        rows, *parts = named_parts(context, call, stems, of_parts)
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
    function, items = function_of(context, fun), further_items(context, () if args is None else args)
    if "#solved" not in context.env:
        moving = ends_of(context, t_span)[0][1]
        smooth_rates(context, function, y0, items, 1, moving)
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
    options, at_run = _ivp_options(context, method, rtol, atol)
    step = "{s} = integrate.solve_ivp({rates}, ({t}[{k}], {t}[{k} - 1]), {start}, args={args}"
    step += options + ").y[:, -1] if {t}[{k}] != {t}[{k} - 1] else {start}"
    args = () if args is None else args
    return solved_back(context, whole, whole, fun, y0, times, args, turned, 1, step, at_run, "back_at_events")


def _smooth_event(context, event, ys, items):
    """Refuse an event whose value may jump at a time or a state that moves."""
    function = function_of(context, event)
    kinds = [*_event_kinds(ys), *(i.kind for i in items)]
    moved = {1, *(i + 2 for i in active_items(context, items))}
    smooth_along(context, function, kinds, {0, 1}, moved, "the event", "let it go through zero; write a kink " + KINK)


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
    if not is_wanted(context, y0) or not (_is_asked(gt) or _is_asked(gy)):
        return ZERO
    return _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)[0]


@macro
def event_args_back(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoints of args."""
    items = further_items(context, () if args is None else args)
    if not active_items(context, items) or not (_is_asked(gt) or _is_asked(gy)):
        return [ZERO] * len(items)
    solved = _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)
    return _with_event(context, items, solved[1:])


@macro
def event_span_back(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event):
    """The adjoints of the ends of the interval: of the start alone."""
    if not is_varied_time(context, t_span):
        return ZERO
    if not ends_of(context, t_span)[0][1] or not (_is_asked(gt) or _is_asked(gy)):
        return at_both_ends(context, t_span, ZERO, ZERO)
    _event_back_rows(context, ts, ys, fun, t_span, y0, args, gt, gy, method, rtol, atol, event)
    return at_both_ends(context, t_span, _by_the_start(context, fun, args), ZERO)


def _by_the_start(context, fun, args):
    """The adjoint of the first time, where the solution begins."""
    rows, ts, gs = context.env["#rows"]
    lead = context.quote("t[0]", t=ts), context.quote("r[0]", r=rows)
    items = further_items(context, () if args is None else args)
    rate = Operand(call_of_function(context, function_of(context, fun), *lead, *items), lead[1].kind)
    return context.quote("np.sum((g[0] - w) * f)", g=gs, w=context.env["#start"], f=rate)


def _tangents_at(context, ts, ys, fun, t_span, y0, args, dy0, dspan, method, rtol, atol):
    """The tangents of the states at times that stay, a row each."""
    start, varied = ends_of(context, t_span)[0]
    items = further_items(context, () if args is None else args)
    smooth_rates(context, function_of(context, fun), y0, items, 1, varied)
    if varied:
        whole = t_span.items() is None
        moved = context.quote("s[0]", s=context.tangents[t_span.key]) if whole else context.tangents[start.key]
        state = y0 if isinstance(y0, Operand) and y0.ndim == 1 else context.quote("np.atleast_1d(y)", y=y0)
        dy0 = start_moved(context, function_of(context, fun), dy0, (state, start), 1, items, moved)
    rates, rest = solved_forward(context, fun, y0, () if args is None else args, 1)
    more = ", args=r" if rest.elts else ""
    options, at_run = _ivp_options(context, method, rtol, atol)
    text = f"m.solve_ivp(f, (a, t[-1]), s, t_eval=t{more}{in_place(options, at_run)}).y[y.shape[1] :].T"
    module, begin = context.global_expr("integrate"), _first_time(context, t_span)
    moved = start_of(context, y0, dy0)
    value = context.quote(text, m=module, f=rates, a=begin, s=moved, t=ts, r=rest, y=ys, **at_run)
    value = context.quote("v if len(t) else np.zeros_like(y)", v=value, t=ts, y=ys)
    return context.local("vs", Operand(value.expr, Array(np.dtype(float), ys.shape)))


def _moved_events(context, ts, ys, vs, fun, args, event):
    """The tangents of the times of an event."""
    function, items = function_of(context, fun), further_items(context, () if args is None else args)
    _smooth_event(context, event, ys, items)
    wrt, tangents = tangents_of_items(context, items)
    kinds = [*_event_kinds(ys), *(i.kind for i in items)]
    moved = _event_moved(function, function_of(context, event), kinds, tuple(i + 2 for i in wrt))
    return context.local("dts", Operand(call_of_function(context, moved, ts, ys, vs, *items, *tangents), ts.kind))


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
    items = further_items(context, () if args is None else args)
    drift = Operand(call_of_function(context, drift_of(function_of(context, fun), 1), ys, ts, dts, *items), ys.kind)
    return Operand(context.quote("v + d", v=vs, d=drift).expr, ys.kind)


# The attributes t and y of a run that a terminal event has ended: their last items are those of the event.
def _at_the_end(context, t, y, t_span):
    """The time and the state at which an event has ended the run: rows of one, or of none."""
    if "#end" not in context.env:
        known = {"t": t, "y": y, "e": ends_of(context, t_span)[1][0]}
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
    if not is_wanted(context, y0) or g is ZERO:
        return ZERO
    return _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)[0]


@macro
def last_time_args_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    """The adjoints of args."""
    items = further_items(context, () if args is None else args)
    if not active_items(context, items) or g is ZERO:
        return [ZERO] * len(items)
    solved = _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)
    return _with_event(context, items, solved[1:])


@macro
def last_time_span_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event):
    """The adjoints of the ends of the interval: the last counts where no event came before it."""
    if not is_varied_time(context, t_span):
        return ZERO
    if g is ZERO:
        return at_both_ends(context, t_span, ZERO, ZERO)
    (_, from_first), _ = ends_of(context, t_span)
    first = context.quote("g[0]", g=g)
    if from_first:
        _last_time_back(context, t, states, fun, t_span, y0, args, g, method, rtol, atol, event)
        first = context.quote("a + b", a=first, b=_by_the_start(context, fun, args))
    ended, _, _ = _at_the_end(context, t, states, t_span)
    return at_both_ends(context, t_span, first, context.quote("0.0 if c else g[-1]", c=ended, g=g))


def _times_moved(context, t, t_span, ended, dts):
    """The tangents of the times of a run, of which the last may be that of an event."""
    dt = context.quote("np.zeros(len(t))", t=t)
    if is_varied_time(context, t_span):
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
    text, at_run = tolerances(context, rtol=rtol, atol=atol)
    return ("" if method == "RK45" else f", method={method!r}") + text, at_run


def _first_time(context, t_span):
    """Where an equation starts."""
    if isinstance(t_span, (tuple, list)):
        return t_span[0]
    items = t_span.items() if isinstance(t_span, Part) else None
    return items[0] if items else context.quote("s[0]", s=t_span)


def _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event=None):
    options, at_run = _ivp_options(context, method, rtol, atol)
    step = "{s} = integrate.solve_ivp({rates}, ({t}[{k}], {t}[{k} - 1]), {start}, args={args}" + options + ").y[:, -1]"
    if t_eval is not None:  # the first time may be the start, or lie behind it
        step += " if {t}[{k}] != {t}[{k} - 1] else {start}"
    args = () if args is None else args
    moving = ends_of(context, t_span)[0][1]
    smooth_rates(context, function_of(context, fun), y0, further_items(context, args), 1, moving)
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
        _smooth_event(context, event, rows, further_items(context, args))
        ended, ts, ys = _at_the_end(context, t, y, t_span)
        gy = context.quote("g[:, -1:].T if c else g[:, :0].T", g=g, c=ended)
        still = context.quote("np.zeros(len(t))", t=ts)
        at_end, _ = _pulled(context, function_of(context, fun), event, ts, ys, still, gy, further_items(context, args))
        turned = context.quote("np.vstack((g[: len(t) - len(s)], r))", g=turned, t=t, s=ts, r=at_end)
        turned = context.local("gs", Operand(turned.expr, rows.kind))
    if "#solved" not in context.env:
        if t_eval is not None and turned is not ZERO and any(is_varied_time(context, x) for x in (t_span, t_eval)):
            rows, t, turned = (context.local(n, x) for n, x in (("ys", rows), ("ts", t), ("gs", turned)))
        context.env["#rows"] = rows, t, turned
    return solved_back(context, y, rows, fun, y0, t, args, turned, 1, step, at_run, "back")


@macro
def solve_ivp_start_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoint of the start."""
    if not is_wanted(context, y0):
        return ZERO
    return _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)[0]


@macro
def solve_ivp_args_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoints of args."""
    solved = _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)
    if event is None or g is ZERO:
        return solved[1:]
    return _with_event(context, further_items(context, () if args is None else args), solved[1:])


def ends_of(context, t_span):
    """The first and the last time, and whether each varies."""
    if isinstance(t_span, (tuple, list)):
        return [(t, False) for t in t_span]
    items = t_span.items() if isinstance(t_span, Part) else None
    if items is not None:
        return [(item, context.is_active(item)) for item in items]
    varied = is_varied_time(context, t_span)
    return [(context.quote("s[0]", s=t_span), varied), (context.quote("s[1]", s=t_span), varied)]


def at_both_ends(context, t_span, first, last):
    """Contributions to the ends of the interval, in the form that it is given in."""
    if t_span.items() is not None:
        return [
            value if varied else ZERO
            for value, (_, varied) in zip((first, last), ends_of(context, t_span), strict=True)
        ]
    zero = Operand(gast.Constant(0.0, None), Number(float))
    parts = [zero if p is ZERO else p for p in (first, last)]
    return Operand(context.quote("np.array([a, b])", a=parts[0], b=parts[1]).expr, t_span.kind)


@macro
def solve_ivp_span_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event):
    """The adjoints of the ends of the interval; the times in between that the solver chooses are constants."""
    if not is_varied_time(context, t_span):
        return ZERO
    if g is ZERO:
        return at_both_ends(context, t_span, ZERO, ZERO)
    function, items = function_of(context, fun), further_items(context, () if args is None else args)
    first, last = ZERO, ZERO
    (_, from_first), (_, to_last) = ends_of(context, t_span)
    if from_first:
        _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol, event)
        rows, ts, gs = context.env["#rows"]
        lead = context.quote("t[0]", t=ts), context.quote("r[0]", r=rows)
        rate = Operand(call_of_function(context, function, *lead, *items), lead[1].kind)
        first = context.quote("np.sum((g[0] - w) * f)", g=gs, w=context.env["#start"], f=rate)
    if to_last and t_eval is None:
        lead = context.quote("t[-1]", t=t), context.quote("y[:, -1]", y=y)
        rate = Operand(call_of_function(context, function, *lead, *items), lead[1].kind)
        last = context.quote("np.sum(g[:, -1] * f)", g=g, f=rate)
        if event is not None:
            last = context.quote("0.0 if c else s", c=_at_the_end(context, t, y, t_span)[0], s=last)
    return at_both_ends(context, t_span, first, last)


@macro
def solve_ivp_times_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol):
    """The adjoints of the times that are asked for."""
    if not is_varied_time(context, t_eval) or g is ZERO:
        return ZERO
    function, items = function_of(context, fun), further_items(context, () if args is None else args)
    _ivp_back(context, y, t, fun, t_span, t_eval, y0, args, g, method, rtol, atol)
    rows, ts, gs = context.env["#rows"]
    call = call_of_function(context, at_times_of(function, 1), rows, ts, gs, context.env["#start"], *items)
    return Operand(context.quote("b[1:]", b=Operand(call, ts.kind)).expr, t_eval.kind)


@macro
def span_of_times_back(context, g, t_span):
    """The adjoints of the ends of the interval from those of the times that the solver gives."""
    if not is_varied_time(context, t_span):
        return ZERO
    return at_both_ends(context, t_span, context.quote("g[0]", g=g), context.quote("g[-1]", g=g))


@macro
def times_tangent(context, t, t_span, t_eval, *tangents_of_items):
    """The tangents of the times that the solver gives."""
    if t_eval is not None:
        return row_of_tangents(context, t_eval) if is_varied_time(context, t_eval) else ZERO
    if not is_varied_time(context, t_span):
        return ZERO
    if t_span.items() is None:
        whole = context.tangents[t_span.key]
        ends = [context.quote("s[0]", s=whole), context.quote("s[1]", s=whole)]
    else:
        ends = [context.tangents[e.key] if varied else ZERO for e, varied in ends_of(context, t_span)]
    zero = Operand(gast.Constant(0.0, None), Number(float))
    first, last = (zero if e is ZERO else e for e in ends)
    text = "np.concatenate(([a], np.zeros(len(t) - 2), [b]))"
    return Operand(context.quote(text, a=first, t=t, b=last).expr, Array(np.dtype(float), t.shape))


@macro
def solve_ivp_tangent(context, t, fun, t_span, t_eval, y0, args, dy0, dargs, _dspan, _deval, method, rtol, atol, event):
    """The tangent of a solution at the times t."""
    function, items = function_of(context, fun), further_items(context, () if args is None else args)
    dt, dstart = ZERO, ZERO
    smooth_rates(context, function, y0, items, 1, ends_of(context, t_span)[0][1])
    if is_varied_time(context, t_span) or is_varied_time(context, t_eval):
        dt = times_tangent(context, t, t_span, t_eval)
        dt = ZERO if dt is ZERO else context.local("dt", dt)
        start, varied = ends_of(context, t_span)[0]
        if varied:
            in_parts = t_span.items() is not None
            dstart = context.tangents[start.key] if in_parts else context.quote("s[0]", s=context.tangents[t_span.key])
            state = y0 if isinstance(y0, Operand) and y0.ndim == 1 else context.quote("np.atleast_1d(y)", y=y0)
            dy0 = start_moved(context, function, dy0, (state, start), 1, items, dstart)
    rates, rest = solved_forward(context, fun, y0, () if args is None else args, 1)
    options, at_run = _ivp_options(context, method, rtol, atol)
    more = ", args=r" if rest.elts else ""
    text = f"m.solve_ivp(f, (a, t[-1]), s, t_eval=t{more}{in_place(options, at_run)}).y[y.shape[0] :]"
    module = context.global_expr("integrate")
    begin, moved = _first_time(context, t_span), start_of(context, y0, dy0)
    value = context.quote(text, m=module, f=rates, a=begin, s=moved, t=t, r=rest, y=context.y, **at_run)
    if event is not None:
        ended, ts, ys = _at_the_end(context, t, context.y, t_span)
        value = context.local("v", Operand(value.expr, context.y.kind))
        vs = context.quote("v[:, -1:].T if c else v[:, :0].T", v=value, c=ended)
        dts = _moved_events(context, ts, ys, Operand(vs.expr, ys.kind), fun, args, event)
        dt = context.local("dt", _times_moved(context, t, t_span, ended, dts))
    if dt is not ZERO:
        rows = context.quote("y.T", y=context.y)
        drift = call_of_function(context, drift_of(function, 1), rows, t, dt, *items)
        value = context.quote("v + d.T", v=value, d=Operand(drift, rows.kind))
    return Operand(value.expr, context.y.kind)
