"""bottleneck's reductions are NumPy's, faster: what they are is said with the functions that have rules."""

import bottleneck as bn
import numpy as np

from s2sad.kinds import calls, known
from s2sad.rules import definition, zero

zero(bn.nanargmin, bn.nanargmax, bn.anynan, bn.allnan)

_SAME = ("nansum", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "median", "nanmedian")


@known.rule(*(getattr(bn, name) for name in _SAME))
def _as_numpy(args, kwargs, target=None):
    return calls.call_kind(getattr(np, target.__name__), args, kwargs)


@definition(bn.nansum)
def nansum(a, axis=None):
    return np.nansum(a, axis=axis)


@definition(bn.nanmean)
def nanmean(a, axis=None):
    return np.nanmean(a, axis=axis)


@definition(bn.nanvar)
def nanvar(a, axis=None, ddof=0):
    return np.nanvar(a, axis=axis, ddof=ddof)


@definition(bn.nanstd)
def nanstd(a, axis=None, ddof=0):
    return np.nanstd(a, axis=axis, ddof=ddof)


@definition(bn.nanmin)
def nanmin(a, axis=None):
    """Ties share evenly."""
    return np.nanmin(a, axis=axis)


@definition(bn.nanmax)
def nanmax(a, axis=None):
    """Ties share evenly."""
    return np.nanmax(a, axis=axis)


@definition(bn.median)
def median(a, axis=None):
    return np.median(a, axis=axis)


@definition(bn.nanmedian)
def nanmedian(a, axis=None):
    return np.nanmedian(a, axis=axis)


@known.rule(bn.ss)
def _ss(args, kwargs):
    return calls.call_kind(np.sum, args, kwargs)


@definition(bn.ss)
def ss(a, axis=None):
    return np.sum(np.square(a), axis=axis)
