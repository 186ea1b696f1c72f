"""Searches by halving are refused where what they find is read; what only looks like one is differentiated."""

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp
from tests.numeric import check_forward, check_reverse


def root_between_constants(p):
    lo, hi = 0.0, 2.0
    while hi - lo > 1e-12:
        mid = 0.5 * (lo + hi)
        if mid**2 - p > 0:
            hi = mid
        else:
            lo = mid
    return mid * p


def root_between_arguments(p):
    a, b = 0.1 * p, 4.0 * p
    fa = a**2 - p
    for _ in range(60):
        mid = a + (b - a) / 2
        fm = mid**2 - p
        if abs(fm) < 1e-13:
            break
        if fm * fa > 0:
            a, fa = mid, fm
        else:
            b = mid
    return (a + b) / 2


def with_np_where(p):
    lo, hi = np.zeros(3), np.full(3, 2.0)
    for _ in range(50):
        mid = (lo + hi) / 2
        up = mid**2 > p * np.arange(1.0, 4.0)
        hi = np.where(up, mid, hi)
        lo = np.where(up, lo, mid)
    return np.sum(mid)


def with_masks(p):
    lo, hi = np.zeros(3), np.full(3, 2.0)
    x = (lo + hi) / 2
    while (hi - lo > 1e-12).any():
        high = x**2 > p * np.arange(1.0, 4.0)
        np.copyto(hi, x, where=high)
        lo[~high] = x[~high]
        np.copyto(x, (hi + lo) / 2, where=hi > lo)
    return np.sum(x)


def golden_section(p):
    a, b = 0.0, 3.0
    c, d = b - 0.618 * (b - a), a + 0.618 * (b - a)
    while b - a > 1e-7:
        if (c - p) ** 2 < (d - p) ** 2:
            b = d
        else:
            a = c
        c, d = b - 0.618 * (b - a), a + 0.618 * (b - a)
    return (a + b) / 2


@pytest.mark.parametrize(
    "f", [root_between_constants, root_between_arguments, with_np_where, with_masks, golden_section]
)
def test_refused(f):
    with pytest.raises(DerivationError, match="search by halving"):
        grad(f)(0.9)
    with pytest.raises(DerivationError, match="search by halving"):
        jvp(f)(0.9, 1.0)


def decoded(x, bits):
    lo, hi = x, 2.0 * x
    for bit in bits:
        mid = 0.5 * (lo + hi)
        if bit:
            lo = mid
        else:
            hi = mid
    return lo * hi


def newton_kept_in_its_bracket(p):
    lo, hi, x = 0.0, 2.0, 1.0
    for _ in range(30):
        f = x**2 - p
        if f > 0:
            hi = x
        else:
            lo = x
        x = x - f / (2.0 * x)
        if x < lo or x > hi:
            x = 0.5 * (lo + hi)
    return x * p


def means_of_means(x):
    a, b = x, 2.0 * x
    while b - a > 0.5:
        a, b = 0.5 * (a + b), np.sqrt(a * b) if a > 3.0 else 0.9 * b
    return a * b


def bracket_that_nobody_reads(p):
    lo, hi, turns = 0.0, 2.0, 0
    while hi - lo > 1e-3:
        mid = 0.5 * (lo + hi)
        turns += 1
        if mid**2 > p:
            hi = mid
        else:
            lo = mid
    return p * turns


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (decoded, (0.9, [1, 0, 0, 1])),
        (newton_kept_in_its_bracket, (0.9,)),
        (means_of_means, (0.9,)),
        (bracket_that_nobody_reads, (0.9,)),
    ],
)
def test_followed(f, args):
    check_reverse(f, args, 0)
    check_forward(f, args, 0)


def test_what_decides_is_not_active():
    def f(x, p):
        lo, hi = 0.0, 2.0
        while hi - lo > 1e-12:
            mid = 0.5 * (lo + hi)
            if mid**2 - p > 0:
                hi = mid
            else:
                lo = mid
        return mid * x

    check_reverse(f, (0.9, 0.5), 0)
