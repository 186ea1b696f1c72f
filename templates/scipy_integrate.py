"""Integrals of samples."""

from scipy import integrate

from s2sad.rules import adjoint, d, tangent


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
