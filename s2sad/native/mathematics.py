"""exp, log and tanh as arithmetic, of which a compiler makes vector instructions: for loops over arrays.

Numba calls the C library once for each element where Intel's SVML is not there, which takes four to eight times as
long. What is here agrees with NumPy's to two units in the last place.
"""

from __future__ import annotations

import numpy as np

EXP = '''
def exp(x):
    """e**x: 2**n * e**r with |r| <= log(2) / 2."""
    z = min(max(x, -746.0), 710.0)
    k = np.floor(1.4426950408889634 * z + 0.5)
    r = (x if x != x else z) - k * 0.6931471803691238 - k * 1.9082149292705877e-10
    p = 1.6059043836821613e-10 * r + 2.08767569878681e-09
    p = ((p * r + 2.505210838544172e-08) * r + 2.755731922398589e-07) * r + 2.7557319223985893e-06
    p = ((p * r + 2.48015873015873e-05) * r + 0.0001984126984126984) * r + 0.001388888888888889
    p = ((p * r + 0.008333333333333333) * r + 0.041666666666666664) * r + 0.16666666666666666
    p = (p * r + 0.5) * r * r + r + 1.0
    n = np.int64(k)
    half = n >> 1
    return p * np.int64((half + 1023) << 52).view(np.float64) * np.int64((n - half + 1023) << 52).view(np.float64)
'''
LOG = '''
def log(x):
    """log(m * 2**k) with m between sqrt(0.5) and sqrt(2)."""
    small = x < 2.2250738585072014e-308
    bits = np.float64(x * 18014398509481984.0 if small else x).view(np.int64)
    n = (bits - 4604544271217802189) >> 52
    f = np.int64(bits - (n << 52)).view(np.float64) - 1.0
    k = n - (54.0 if small else 0.0)
    s = f / (2.0 + f)
    z = s * s
    r = ((0.14798198605116586 * z + 0.1531383769920937) * z + 0.1818357216161805) * z + 0.22222198432149784
    r = (((r * z + 0.2857142874366239) * z + 0.3999999999940942) * z + 0.6666666666666735) * z
    h = 0.5 * f * f
    y = k * 0.6931471803691238 - ((h - (s * (h + r) + k * 1.9082149292705877e-10)) - f)
    y = -np.inf if x == 0.0 else y
    return y if 0.0 <= x < np.inf else (x if x > 0.0 else np.nan)
'''
TANH = '''
def tanh(x):
    """e / (e + 2) with e = exp(2 * abs(x)) - 1: 2**n * (e**r - 1) + (2**n - 1) with |r| <= log(2) / 2."""
    z = 2.0 * min(abs(x), 20.0)
    k = np.floor(1.4426950408889634 * z + 0.5)
    r = z - k * 0.6931471803691238 - k * 1.9082149292705877e-10
    p = 1.6059043836821613e-10 * r + 2.08767569878681e-09
    p = ((p * r + 2.505210838544172e-08) * r + 2.755731922398589e-07) * r + 2.7557319223985893e-06
    p = ((p * r + 2.48015873015873e-05) * r + 0.0001984126984126984) * r + 0.001388888888888889
    p = ((p * r + 0.008333333333333333) * r + 0.041666666666666664) * r + 0.16666666666666666
    scale = np.int64((np.int64(k) + 1023) << 52).view(np.float64)
    e = scale * ((p * r + 0.5) * r * r + r) + (scale - 1.0)
    return x if x != x else np.copysign(e / (e + 2.0), x)
'''
LOG1P = '''
def log1p(x):
    """log(1 + x), with what the sum rounds away put back."""
    u = 1.0 + x
    return x if u == 1.0 or x == np.inf else log(u) * (x / (u - 1.0))
'''
PLUS = '''
def plus(total, x):
    """A sum whose terms a compiler may add in another order, several at once."""
    return total + x
'''

#: by the function of NumPy: its text, and the functions that it calls
VECTORS = {
    np.exp: ("exp", EXP, ()), np.log: ("log", LOG, ()), np.tanh: ("tanh", TANH, ()),
    np.log1p: ("log1p", LOG1P, (np.log,)),
}  # fmt: skip
#: how `plus` is compiled, however the kernels are
REGROUPED = {"error_model": "numpy", "fastmath": frozenset(("nsz", "reassoc"))}
#: what Numba's flag fastmath stands for, but that nan and inf do not occur: who asks for them, or begins with inf, does
#: not get anything
FAST = frozenset(("afn", "arcp", "contract", "nsz", "reassoc"))


def has_vectors() -> bool:
    """Does Numba vectorise these functions itself?"""
    import numba

    return bool(getattr(numba.config, "USING_SVML", False))
