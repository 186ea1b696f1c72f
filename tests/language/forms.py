"""Calls of NumPy's functions in forms that are seldom written, and what they do with what is given."""

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("forms of calls", args=lambda: (uniform(3),))
def ufunc_at_spreads_a_row(x):
    a = np.outer(x, x)
    np.multiply.at(a, [0, 1, 1], x)
    return np.sum(a * np.arange(9.0).reshape(3, 3))


@program("forms of calls", args=lambda: (uniform(3),))
def ufunc_at_where_a_mask_says(x):
    a = x * 2.0
    np.multiply.at(a, a > a[1] - 0.01, x[0])
    return np.sum(a * np.arange(1.0, 4.0))


@program("forms of calls", args=lambda: (normal(3),))
def correlate_in_the_mode_same_with_a_short_first(x):
    return np.sum(np.correlate(x[:2], x**2, "same") * np.arange(1.0, 4.0))
