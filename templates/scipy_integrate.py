"""Integrals of samples and of functions, and differential equations."""

import numpy as np
from scipy import integrate

from s2sad.rules import adjoint, d, definition, takes_functions, tangent
from s2sad.runtime.helpers import gauss_rule, romberg_weights, simpson_weights, simpson_weights_at

# -- samples -----------------------------------------------------------------------------------------------------------


@definition(integrate.trapezoid, active=("dx",))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return integrate.trapezoid(y, x, axis=axis) * (1.0 if x is not None else dx)


@adjoint(integrate.trapezoid)
def trapezoid(result, y, x=None, dx=1.0, axis=-1):
    if x is None:
        d[y] = helper("trapezoid_back", y, d[result], y, dx, axis)
    else:
        d[y] = helper("trapezoid_values_back", y, d[result], y, x, axis)
        d[x] = helper("trapezoid_points_back", x, d[result], y, x, axis)


@tangent(integrate.trapezoid)
def trapezoid(result, y, x=None, dx=1.0, axis=-1):
    if x is None:
        d[result] = trapezoid_call(d[y], None, dx, axis)
    else:
        d[result] = trapezoid_call(d[y], x, 1.0, axis) + trapezoid_call(y, d[x], 1.0, axis)


@definition(integrate.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    if axis != -1:
        return np.moveaxis(cumulative_trapezoid(np.moveaxis(y, axis, -1), along(x, axis), dx, -1, initial), -1, axis)
    steps = dx if x is None else np.diff(x)
    sums = np.cumsum(0.5 * steps * (y[..., 1:] + y[..., :-1]), axis=-1)
    if initial is None:
        return sums
    return np.concatenate((np.full((*y.shape[:-1], 1), initial), sums), axis=-1)


def along(x, axis):
    """The points of samples whose axis is moved to the end: one row of them, or as many as there are samples."""
    return x if x is None or np.ndim(x) == 1 else np.moveaxis(x, axis, -1)


@definition(integrate.simpson)
def simpson(y, x=None, *, dx=1.0, axis=-1):
    """The sum of the samples times weights; for an even number with the correction of Cartwright 2017 at the end."""
    if axis != -1:
        y = np.moveaxis(y, axis, -1)
    if x is None:
        return dx * (y @ simpson_weights(y.shape[-1]))
    if np.ndim(x) != 1:
        raise NoDerivative("x must be a vector", "call it for each, one after the other")
    return y @ simpson_weights_at(x)


if hasattr(integrate, "cumulative_simpson"):

    @definition(integrate.cumulative_simpson)
    def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
        """Of fewer than three points by trapezoids."""
        if np.iscomplexobj(y):
            raise NoDerivative("complex values have no rule", "take real and imaginary parts apart")
        if axis != -1:
            moved = cumulative_simpson(np.moveaxis(y, axis, -1), x=along(x, axis), dx=dx, initial=initial)
            return np.moveaxis(moved, -1, axis)
        sums = integrate.cumulative_trapezoid(y, x, dx) if y.shape[-1] < 3 else _parabolas(y, x, dx)
        if initial is None:
            return sums
        return np.concatenate((np.full((*y.shape[:-1], 1), initial), sums + initial), axis=-1)


def _parabolas(y, x, dx):
    """The integrals of the parabolas through three points each, up to each point."""
    left, middle, right = y[..., :-2], y[..., 1:-1], y[..., 2:]
    if x is None:
        first = dx / 12.0 * (5.0 * left + 8.0 * middle - right)
        second = dx / 12.0 * (5.0 * right + 8.0 * middle - left)
    else:
        h = np.diff(x)
        first = _first_of_two(left, middle, right, h[..., :-1], h[..., 1:])
        second = _first_of_two(right, middle, left, h[..., 1:], h[..., :-1])
    parts = np.empty((*y.shape[:-1], y.shape[-1] - 1))
    parts[..., :-1:2] = first[..., ::2]
    parts[..., 1::2] = second[..., ::2]
    parts[..., -1] = second[..., -1]
    return np.cumsum(parts, axis=-1)


def _first_of_two(left, middle, right, h, next_h):
    """The integral of a parabola through three points up to the middle one."""
    share, ratio = h / (h + next_h), h / next_h
    return h / 6.0 * ((3.0 - share) * left + (3.0 + share * ratio + share) * middle - share * ratio * right)


@definition(integrate.romb)
def romb(y, dx=1.0, axis=-1, show=False):
    if axis != -1:
        y = np.moveaxis(y, axis, -1)
    return dx * (y @ romberg_weights(y.shape[-1]))


# -- functions: dF = f(b) db - f(a) da + (the integral of df/dp) dp ----------------------------------------------------

takes_functions(integrate.quad, "func", "float", "integrand", "float and float")
takes_functions(integrate.quad_vec, "f", "float", "integrand", "result and float")


@adjoint(integrate.quad)
def quad(y, func, a, b, args=(), full_output=0, epsabs=None, epsrel=None, limit=None, points=None):
    """Leibniz' rule; of the value. The tolerances are those of the derivative's integrals as well. Where the integrand
    jumps at a place that varies, and this is among the points, there is a term for it."""
    if full_output:
        raise NoDerivative("full_output has no rule", "leave it out")
    only_value(d[y])
    d[a] = -integral_limit_back(func, a, args, d[y[0]])
    d[b] = integral_limit_back(func, b, args, d[y[0]])
    d[args] = integral_back(func, a, b, args, d[y[0]], epsabs, epsrel, limit, points)
    d[points] = no_influence(points)


@tangent(integrate.quad)
def quad(y, func, a, b, args=(), full_output=0, epsabs=None, epsrel=None, limit=None, points=None):
    if full_output:
        raise NoDerivative("full_output has no rule", "leave it out")
    d[points] = no_influence(points)
    d[y] = integral_tangent(func, a, b, args, d[a], d[b], d[args], epsabs, epsrel, limit, points)


@adjoint(integrate.quad_vec)
def quad_vec(y, f, a, b, epsabs=None, epsrel=None, norm="2", *, limit=None, args=()):
    """Leibniz' rule; of the value."""
    only_value(d[y])
    d[a] = -integral_limit_back(f, a, args, d[y[0]])
    d[b] = integral_limit_back(f, b, args, d[y[0]])
    d[args] = integral_back(f, a, b, args, d[y[0]], epsabs, epsrel)


@tangent(integrate.quad_vec)
def quad_vec(y, f, a, b, epsabs=None, epsrel=None, norm="2", *, limit=None, args=()):
    d[y] = integral_tangent(f, a, b, args, d[a], d[b], d[args], epsabs, epsrel)


@definition(integrate.fixed_quad)
def fixed_quad(func, a, b, args=(), n=5):
    """The sum over the nodes of Gauss; func takes arrays."""
    nodes, weights = gauss_rule(n)
    half = 0.5 * (b - a)
    return half * np.sum(weights * func(half * (nodes + 1.0) + a, *args), axis=-1), None


def end_of(limit, *args):
    """A limit that may depend on the outer variables."""
    return limit(*args) if callable(limit) else limit


@definition(integrate.dblquad)
def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """An integral of an integral."""

    def inner(y):
        return integrate.quad(
            lambda x: func(x, y, *args), end_of(gfun, y), end_of(hfun, y), epsabs=epsabs, epsrel=epsrel
        )[0]

    return integrate.quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


@definition(integrate.tplquad)
def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """An integral of integrals."""

    def inner(x):
        def innermost(y):
            return integrate.quad(
                lambda z: func(z, y, x, *args), end_of(qfun, x, y), end_of(rfun, x, y), epsabs=epsabs, epsrel=epsrel
            )[0]

        return integrate.quad(innermost, end_of(gfun, x), end_of(hfun, x), epsabs=epsabs, epsrel=epsrel)[0]

    return integrate.quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


@definition(integrate.nquad)
def nquad(func, ranges, args=(), opts=None, full_output=False):
    """An integral of integrals, the last of the ranges outermost."""
    if opts is not None or full_output:
        raise NoDerivative("opts and full_output have no rule", "nest scipy.integrate.quad")
    return _nested_integral(func, ranges, len(ranges) - 1, (), args)


def _nested_integral(func, ranges, k, outer, args):
    """The integral over the ranges up to the k-th, at given values of the variables behind it."""
    limits = ranges[k](*outer, *args) if callable(ranges[k]) else ranges[k]
    if k == 0:
        return integrate.quad(lambda x: func(x, *outer, *args), limits[0], limits[1])
    return integrate.quad(lambda x: _nested_integral(func, ranges, k - 1, (x, *outer), args)[0], limits[0], limits[1])


# -- differential equations: the adjoint equation (Pontryagin et al. 1962), solved backward over the same times --------


@adjoint(integrate.odeint)
def odeint(y, func, y0, t, args=(), *, rtol=None, atol=None, tfirst=False, mxstep=0, hmax=0.0):
    """By the adjoint equation, with the same tolerances, restarted at each time. In y0, the times and args.

    Cost: at each of the times a new cotangent comes in, so that the adjoint equation is solved anew from each to the
    one before, where the function passes through all of them in one run.
    """
    d[y0] = odeint_start_back(y, func, y0, t, args, d[y], rtol, atol, tfirst)
    d[args] = odeint_args_back(y, func, y0, t, args, d[y], rtol, atol, tfirst)
    d[t] = odeint_times_back(y, func, y0, t, args, d[y], rtol, atol, tfirst)


@tangent(integrate.odeint)
def odeint(y, func, y0, t, args=(), *, rtol=None, atol=None, tfirst=False, mxstep=0, hmax=0.0):
    d[y] = odeint_tangent(func, y0, t, args, d[y0], d[t], d[args], rtol, atol, tfirst)


takes_functions(integrate.odeint, "func Dfun", "flat y0, float", "rates", "rows t y0")


def trajectory(
    t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    """The attribute y of what solve_ivp returns, at the times t."""


@adjoint(trajectory)
def trajectory_rule(
    y, t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    ended = event_that_ends(events, t_eval)
    d[y0] = solve_ivp_start_back(y, t, fun, t_span, t_eval, y0, args, d[y], method, rtol, atol, ended)
    d[args] = solve_ivp_args_back(y, t, fun, t_span, t_eval, y0, args, d[y], method, rtol, atol, ended)
    d[t_span] = solve_ivp_span_back(y, t, fun, t_span, t_eval, y0, args, d[y], method, rtol, atol, ended)
    d[t_eval] = solve_ivp_times_back(y, t, fun, t_span, t_eval, y0, args, d[y], method, rtol, atol)


@tangent(trajectory)
def trajectory_rule(
    y, t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    ended = event_that_ends(events, t_eval)
    d[y] = solve_ivp_tangent(
        t, fun, t_span, t_eval, y0, args, d[y0], d[args], d[t_span], d[t_eval], method, rtol, atol, ended
    )


def time_points(
    t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    """The attribute t of what solve_ivp returns."""


@adjoint(time_points)
def time_points_rule(
    y, t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    ended = event_that_ends(events, t_eval)
    if ended is None:
        if t_eval is None:
            d[t_span] = span_of_times_back(d[y], t_span)
        else:
            d[t_eval] = d[y]
            d[t_span] = 0.0
        d[y0] = 0.0
        d[args] = 0.0
    else:
        d[y0] = last_time_start_back(y, states, fun, t_span, y0, args, d[y], method, rtol, atol, ended)
        d[args] = last_time_args_back(y, states, fun, t_span, y0, args, d[y], method, rtol, atol, ended)
        d[t_span] = last_time_span_back(y, states, fun, t_span, y0, args, d[y], method, rtol, atol, ended)


@tangent(time_points)
def time_points_rule(
    y, t, states, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    ended = event_that_ends(events, t_eval)
    if ended is None:
        d[y] = times_tangent(t, t_span, t_eval, d[t_span], d[t_eval])
        d[y0] = 0.0
        d[args] = 0.0
    else:
        d[y] = last_time_tangent(
            y, states, fun, t_span, y0, args, d[y0], d[args], d[t_span], method, rtol, atol, ended
        )


def event_times(
    t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    """An item of the attribute t_events of what solve_ivp returns: when an event occurs."""


def event_states(
    t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None,
    max_step=None,
):  # fmt: skip
    """An item of the attribute y_events: the states then."""


@adjoint(event_times)
def event_times_rule(
    y, t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None,
    atol=None, max_step=None,
):  # fmt: skip
    d[t_eval] = no_influence(t_eval)
    d[y0] = event_start_back(y, states, fun, t_span, y0, args, d[y], None, method, rtol, atol, event)
    d[args] = event_args_back(y, states, fun, t_span, y0, args, d[y], None, method, rtol, atol, event)
    d[t_span] = event_span_back(y, states, fun, t_span, y0, args, d[y], None, method, rtol, atol, event)


@adjoint(event_states)
def event_states_rule(
    y, t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None,
    atol=None, max_step=None,
):  # fmt: skip
    d[t_eval] = no_influence(t_eval)
    d[y0] = event_start_back(t, y, fun, t_span, y0, args, None, d[y], method, rtol, atol, event)
    d[args] = event_args_back(t, y, fun, t_span, y0, args, None, d[y], method, rtol, atol, event)
    d[t_span] = event_span_back(t, y, fun, t_span, y0, args, None, d[y], method, rtol, atol, event)


@tangent(event_times)
def event_times_rule(
    y, t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None,
    atol=None, max_step=None,
):  # fmt: skip
    d[t_eval] = no_influence(t_eval)
    d[y] = event_times_tangent(y, states, fun, t_span, y0, args, d[y0], d[args], d[t_span], method, rtol, atol, event)


@tangent(event_states)
def event_states_rule(
    y, t, states, event, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None,
    atol=None, max_step=None,
):  # fmt: skip
    d[t_eval] = no_influence(t_eval)
    d[y] = event_states_tangent(t, y, fun, t_span, y0, args, d[y0], d[args], d[t_span], method, rtol, atol, event)


@adjoint(integrate.solve_ivp)
def solve_ivp(
    y, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None, max_step=None
):
    """The attribute y, by the adjoint equation with the same method and tolerances, and the attributes t, t_events and
    y_events. In y0, args, t_eval and the ends of the interval; the times in between that the solver chooses are
    constants, and an event moves with what it depends on.

    Cost: as odeint.
    """
    raise NoDerivative("only the attributes t and y have a rule")


@tangent(integrate.solve_ivp)
def solve_ivp(
    y, fun, t_span, y0, method="RK45", *, t_eval=None, events=None, args=None, rtol=None, atol=None, max_step=None
):
    raise NoDerivative("only the attributes t and y have a rule")


takes_functions(
    integrate.solve_ivp, "fun jac events[terminal,direction]", "float64, flat y0", "rates",
    results={
        "t": ("some", time_points, "t_span t_eval events!"), "y": ("columns y0", trajectory), "success": (None, None),
        "message": (None, None), "status": (None, None), "t_events": ("each events some", event_times),
        "y_events": ("each events states y0", event_states),
    },
    first="t y", any_args=True,
)  # fmt: skip
