"""Solutions of equations and minima, by the implicit function theorem: where f(x, p) = 0, dx = -inv(df/dx) df/dp dp.

The functions are derived here, and their derivatives become functions of the generated module. The result is
differentiated as a solution, however it was found: starting points, brackets and tolerances have the derivative 0. A
solution at which the derivative in x is singular (a double root, a flat minimum) has none: inf, or a LinAlgError that
says so. Where the equations may jump (the slope of an objective does at a kink), the run looks whether x solves them.
"""

import numpy as np
from scipy import optimize

from s2sad.rules import adjoint, d, definition, takes_functions, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import sides_of_bounds

for _solver in (optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, optimize.toms748):
    takes_functions(_solver, "f", "float", "residual", "float")
takes_functions(optimize.newton, "func fprime fprime2", "like x0", "residual", "like x0", any_args=True)
takes_functions(optimize.fsolve, "func fprime", "flat x0", "residual", "flat x0")
takes_functions(optimize.fixed_point, "func", "like x0", "step", "like x0", any_args=True)


@adjoint(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, optimize.toms748)
def bracketed(y, f, a, b, args=(), *, xtol=None, rtol=None, maxiter=None, full_output=False, disp=True):
    """A simple root, whatever the bracket."""
    if full_output is not False:
        raise NoDerivative("full_output=True has no rule", "leave it out")
    d[a] = 0.0
    d[b] = 0.0
    d[args] = root_back(f, y, args, d[y])


@tangent(optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, optimize.toms748)
def bracketed(y, f, a, b, args=(), *, xtol=None, rtol=None, maxiter=None, full_output=False, disp=True):
    if full_output is not False:
        raise NoDerivative("full_output=True has no rule", "leave it out")
    d[a] = 0.0
    d[b] = 0.0
    d[y] = root_tangent(f, y, args, d[args])


@adjoint(optimize.newton)
def newton(y, func, x0, fprime=None, args=(), *, tol=None, maxiter=None, fprime2=None, x1=None, rtol=0.0, disp=True):
    """A simple root, whatever the start; of one number."""
    d[x0] = 0.0
    d[args] = root_back(func, y, args, d[y])


@tangent(optimize.newton)
def newton(y, func, x0, fprime=None, args=(), *, tol=None, maxiter=None, fprime2=None, x1=None, rtol=0.0, disp=True):
    d[x0] = 0.0
    d[y] = root_tangent(func, y, args, d[args])


@adjoint(optimize.fsolve)
def fsolve(y, func, x0, args=(), fprime=None, full_output=0, *, xtol=None, maxfev=0):
    """A regular root, whatever the start."""
    if full_output:
        raise NoDerivative("full_output=True has no rule", "leave it out")
    d[x0] = 0.0
    d[args] = root_back(func, y, args, d[y])


@tangent(optimize.fsolve)
def fsolve(y, func, x0, args=(), fprime=None, full_output=0, *, xtol=None, maxfev=0):
    if full_output:
        raise NoDerivative("full_output=True has no rule", "leave it out")
    d[x0] = 0.0
    d[y] = root_tangent(func, y, args, d[args])


@adjoint(optimize.fixed_point)
def fixed_point(y, func, x0, args=(), xtol=None, maxiter=None, method="del2"):
    """Where func(x, *args) = x, whatever the start."""
    d[x0] = 0.0
    d[args] = fixed_back(func, y, args, d[y])


@tangent(optimize.fixed_point)
def fixed_point(y, func, x0, args=(), xtol=None, maxiter=None, method="del2"):
    d[x0] = 0.0
    d[y] = fixed_tangent(func, y, args, d[args])


# -- results that are objects: the rule is that of the attribute x -----------------------------------------------------

_READ = dict.fromkeys(("success", "message", "nfev", "nit", "status", "flag", "converged"), (None, None))


def _solution(solver, functions, stem, answer="x", kind="flat x0", least=None, cls=optimize.OptimizeResult):
    """Say that the solution is an attribute of what a solver returns; `least` is the rule of the attribute fun."""
    results = {answer: (kind, None), **({} if least is None else {"fun": ("float64", least)}), **_READ}
    takes_functions(solver, functions, kind, stem, results=results, cls=cls)


@adjoint(optimize.root)
def root(y, fun, x0, args=(), method="hybr", jac=None, tol=None, *, options=None):
    """The attribute x: a regular root, whatever the start; with method="lm" of more equations than unknowns as well, in
    the sense of least squares."""
    d[x0] = 0.0
    d[args] = solution_back(fun, y, args, d[y], method)


@tangent(optimize.root)
def root(y, fun, x0, args=(), method="hybr", jac=None, tol=None, *, options=None):
    d[x0] = 0.0
    d[y] = solution_tangent(fun, y, args, d[args], method)


_solution(optimize.root, "fun jac", "residual")


@adjoint(optimize.root_scalar)
def root_scalar(
    y, f, args=(), method=None, bracket=None, *, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None,
    maxiter=None,
):  # fmt: skip
    """The attribute root: a simple root, whatever the bracket and the start."""
    d[bracket] = no_influence(bracket)
    d[x0] = 0.0
    d[x1] = 0.0
    d[args] = root_back(f, y, args, d[y])


@tangent(optimize.root_scalar)
def root_scalar(
    y, f, args=(), method=None, bracket=None, *, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None,
    maxiter=None,
):  # fmt: skip
    d[bracket] = no_influence(bracket)
    d[x0] = 0.0
    d[x1] = 0.0
    d[y] = root_tangent(f, y, args, d[args])


_solution(optimize.root_scalar, "f fprime fprime2", "residual", "root", "float", cls=None)


@adjoint(optimize.minimize)
def minimize(y, fun, x0, args=(), method=None, jac=None, hess=None, *, bounds=None, tol=None, options=None):
    """The attributes x, at a minimum that is regular, and fun. Without constraints; what is on a bound moves with it,
    also where the slope is 0 as well."""
    d[x0] = 0.0
    d[args] = minimum_back(fun, y, args, d[y], bounds, method)
    if bounds is not None:
        d[bounds] = minimum_bounds_back(fun, y, args, d[y], bounds, method)


@tangent(optimize.minimize)
def minimize(y, fun, x0, args=(), method=None, jac=None, hess=None, *, bounds=None, tol=None, options=None):
    d[x0] = 0.0
    if bounds is None:
        d[y] = minimum_tangent(fun, y, args, d[args])
    else:
        d[y] = minimum_tangent(fun, y, args, d[args], bounds, d[bounds], method)


def least(x, fun, x0, args=(), method=None, jac=None, hess=None, *, bounds=None, tol=None, options=None):
    """The value of a minimum at x: what the attribute fun holds."""
    return fun(x, *args)


@adjoint(least)
def least_rule(y, x, fun, x0, args=(), method=None, jac=None, hess=None, *, bounds=None, tol=None, options=None):
    d[x] = 0.0
    d[x0] = 0.0
    if bounds is not None:
        d[bounds] = least_of_bounds_back(fun, x, args, d[y], bounds, method)
    d[args] = envelope_back(fun, x, args, d[y])


@tangent(least)
def least_rule(y, x, fun, x0, args=(), method=None, jac=None, hess=None, *, bounds=None, tol=None, options=None):
    d[x] = 0.0
    d[x0] = 0.0
    if bounds is None:
        d[y] = envelope_tangent(fun, x, args, d[args])
    else:
        d[y] = envelope_tangent(fun, x, args, d[args]) + least_of_bounds_tangent(
            fun, x, args, bounds, d[bounds], method
        )


_solution(optimize.minimize, "fun jac hess", "objective", least=least)


@adjoint(optimize.minimize_scalar)
def minimize_scalar(y, fun, bracket=None, bounds=None, args=(), method=None, *, tol=None, options=None):
    """The attributes x, at a regular minimum, and fun. On a bound x moves with the bound."""
    d[bracket] = no_influence(bracket)
    if bounds is None:
        d[args] = minimum_back(fun, y, args, d[y])
    else:
        d[args] = bounded_back(fun, y, args, d[y], bounds)
        d[bounds] = bounds_back(fun, y, args, d[y], bounds)


@tangent(optimize.minimize_scalar)
def minimize_scalar(y, fun, bracket=None, bounds=None, args=(), method=None, *, tol=None, options=None):
    d[bracket] = no_influence(bracket)
    if bounds is None:
        d[y] = minimum_tangent(fun, y, args, d[args])
    else:
        d[y] = bounded_tangent(fun, y, args, d[args], bounds, d[bounds])


def least_scalar(x, fun, bracket=None, bounds=None, args=(), method=None, *, tol=None, options=None):
    """The value of a minimum at x: what the attribute fun holds."""
    return fun(x, *args)


@adjoint(least_scalar)
def least_scalar_rule(y, x, fun, bracket=None, bounds=None, args=(), method=None, *, tol=None, options=None):
    d[x] = 0.0
    d[bracket] = no_influence(bracket)
    if bounds is not None:
        d[bounds] = least_bounds_back(fun, x, args, d[y], bounds)
    d[args] = envelope_back(fun, x, args, d[y])


@tangent(least_scalar)
def least_scalar_rule(y, x, fun, bracket=None, bounds=None, args=(), method=None, *, tol=None, options=None):
    d[x] = 0.0
    d[bracket] = no_influence(bracket)
    if bounds is None:
        d[y] = envelope_tangent(fun, x, args, d[args])
    else:
        d[y] = envelope_tangent(fun, x, args, d[args]) + least_bounds_tangent(fun, x, args, bounds, d[bounds])


_solution(optimize.minimize_scalar, "fun", "objective", "x", "float64", least_scalar)


@adjoint(optimize.least_squares)
def least_squares(
    y, fun, x0, jac="2-point", bounds=None, *, method="trf", ftol=None, xtol=None, gtol=None, args=(), x_scale=None
):
    """The attribute x, at a regular minimum, of the linear loss. What is on a bound moves with it."""
    d[x0] = 0.0
    d[args] = least_squares_back(fun, y, args, d[y], bounds)
    if bounds is not None:
        d[bounds] = least_squares_bounds_back(fun, y, args, d[y], bounds)


@tangent(optimize.least_squares)
def least_squares(
    y, fun, x0, jac="2-point", bounds=None, *, method="trf", ftol=None, xtol=None, gtol=None, args=(), x_scale=None
):
    d[x0] = 0.0
    if bounds is None:
        d[y] = least_squares_tangent(fun, y, args, d[args], None, None)
    else:
        d[y] = least_squares_tangent(fun, y, args, d[args], bounds, d[bounds])


_solution(optimize.least_squares, "fun jac", "residuals")


@adjoint(optimize.curve_fit)
def curve_fit(y, f, xdata, ydata, p0=None, sigma=None, *, absolute_sigma=False, maxfev=0, ftol=0, xtol=0, gtol=0):
    """Of the parameters, in the data, at a regular minimum; the function captures nothing. Not of the covariance."""
    only_value(d[y])
    d[p0] = 0.0
    d[xdata] = part_of(fit_back(f, y[0], xdata, ydata, sigma, d[y[0]]), 0)
    d[ydata] = part_of(fit_back(f, y[0], xdata, ydata, sigma, d[y[0]]), 1)
    d[sigma] = part_of(fit_back(f, y[0], xdata, ydata, sigma, d[y[0]]), 2)


@tangent(optimize.curve_fit)
def curve_fit(y, f, xdata, ydata, p0=None, sigma=None, *, absolute_sigma=False, maxfev=0, ftol=0, xtol=0, gtol=0):
    d[p0] = 0.0
    d[y] = fit_tangent(f, y[0], xdata, ydata, sigma, or_zero(d[xdata]), or_zero(d[ydata]), or_zero(d[sigma]))


takes_functions(optimize.curve_fit, "f", "like xdata, floats p0", "model", "parameters and covariance")


class LinearFit:
    """What lsq_linear returns."""

    def __init__(self, A, b, x):
        self.x = x
        self.fun = A @ x - b
        self.cost = 0.5 * np.sum(self.fun**2)


zero(helpers.sides_of_bounds)


@definition(optimize.lsq_linear)
def lsq_linear(
    A, b, bounds=(-np.inf, np.inf), method="trf", tol=1e-10, *, lsq_solver=None, lsmr_tol=None, max_iter=None,
):  # fmt: skip
    """Of the attributes x, fun and cost: by the unknowns that are not at a bound. Where one is about to come to one, or
    to leave it, there is no derivative."""
    if isinstance(bounds, tuple) and len(bounds) == 2 and bounds[0] is -np.inf and bounds[1] is np.inf:
        return LinearFit(A, b, np.linalg.lstsq(A, b, rcond=None)[0])
    if not isinstance(bounds, (tuple, list)):
        raise NoDerivative("bounds that are no pair have no rule", "give a pair of numbers or arrays")
    low, high = bounds
    side = sides_of_bounds(A, b, low, high)
    ends = np.where(side < 0, low, np.where(side > 0, high, 0.0))
    return LinearFit(A, b, ends + np.linalg.pinv(A * (side == 0)) @ (b - A @ ends))


@adjoint(optimize.nnls)
def nnls(y, A, b, *, maxiter=None):
    """By a factorisation of the columns that are in it; where another is about to join, there is no
    derivative."""
    free = np.flatnonzero(y[0])
    factors = np.linalg.qr(A[:, free])
    q, r = factors[0], factors[1]
    t = np.linalg.solve(r.T, d[y[0]][free])
    u = q @ t
    rest = b - A @ y[0]
    v = u + d[y[1]] * (rest / y[1])
    d[A] = (np.eye(np.size(y[0]))[:, free] @ np.linalg.solve(r, np.outer(t, rest))).T - np.outer(v, y[0])
    d[b] = v


@tangent(optimize.nnls)
def nnls(y, A, b, *, maxiter=None):
    free = np.flatnonzero(y[0])
    factors = np.linalg.qr(A[:, free])
    d[y] = nnls_tangent(factors, free, A, b, y, d[A], d[b])
