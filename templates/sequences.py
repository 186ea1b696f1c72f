"""Numbers from a start to an end."""

import numpy as np

from s2sad.rules import adjoint, d, definition, tangent


@adjoint(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    simple_linspace(retstep, axis)
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y], start)
    d[stop] = sequence_end(t, d[y], stop)


@tangent(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    simple_linspace(retstep, axis)
    d[y] = linspace_call(or_zero(d[start]), or_zero(d[stop]), num, endpoint)


@adjoint(np.logspace)
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y] * y * np.log(base), start)
    d[stop] = sequence_end(t, d[y] * y * np.log(base), stop)


@tangent(np.logspace)
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    d[y] = y * np.log(base) * linspace_call(or_zero(d[start]), or_zero(d[stop]), num, endpoint)


@adjoint(np.geomspace)
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y] * y / start, start)
    d[stop] = sequence_end(t, d[y] * y / stop, stop)


@tangent(np.geomspace)
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    d[y] = y * linspace_call(or_zero(d[start] / start), or_zero(d[stop] / stop), num, endpoint)


# -- sequences ---------------------------------------------------------------------------------------------------------


@definition(np.arange, active=("start", "stop", "step"))
def arange(start, stop=None, step=1, dtype=None):
    """In start and step: how many there are is constant."""
    if stop is None:
        y = 1.0 * np.arange(int(np.ceil(start)))
    else:
        y = start + step * np.arange(int(np.ceil((stop - start) / step)))
    return y if dtype is None else y.astype(dtype)


@definition(np.linspace, given=("retstep", "axis"))
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    y = np.linspace(start, stop, num, endpoint)
    if dtype is not None:
        y = np.linspace(start, stop, num, endpoint, dtype=dtype)
    if axis != 0:
        y = np.moveaxis(y, 0, axis)
    return (y, (stop - start) / (num - 1 if endpoint else num)) if retstep else y


@definition(np.logspace, given=("axis",), active=("base",))
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = np.power(base, np.linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


@definition(np.geomspace, given=("axis",))
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    y = np.geomspace(start, stop, num, endpoint)
    return np.moveaxis(y if dtype is None else y.astype(dtype), 0, axis)
