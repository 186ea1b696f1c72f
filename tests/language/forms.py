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


@program("forms of calls", args=lambda: (normal(3),))
def block_of_one_array_is_a_copy(x):
    a = x * 2.0
    b = np.block(a)
    b[0] = 5.0 * a[1]
    return np.sum(a * a) + np.sum(b)


@program("forms of calls", args=lambda: (uniform(3),))
def gradient_of_ints_at_varying_distances(x):
    z = np.array([1, 2, 4])
    w = np.array([1.0, 3.0, 2.0])
    return np.sum(np.gradient(z, x[0]) * w) + np.sum(np.gradient(z, np.cumsum(x)) * w)


@program("forms of calls", args=lambda: (uniform(3),))
def weights_that_are_ints(x):
    a = np.outer(x, x) + np.eye(3)
    w = np.arange(9).reshape(3, 3)
    slope = np.gradient(a, 0.3, axis=0)
    return np.sum(np.linalg.cholesky(a) * w) + np.sum(slope * w)


@program("forms of calls", args=lambda: (uniform(3),), second=False)
def weights_that_are_ints_of_equal_elements(x):
    both = np.concatenate((x, x))
    w = np.arange(6)
    return np.sum(np.sort(both) * w) + np.sum(np.partition(both, 3) * w) + np.sum(np.unique(both) * w[:3])


@program("forms of calls", args=lambda: (uniform(3),))
def reductions_of_what_is_cut_to_ints(x):
    keep = np.array([True, False, True])
    total = np.sum(x * 9.0, dtype=int, initial=2) + np.sum(x * 9.0, dtype=int, where=keep)
    return total * x[0] + np.prod(x * 9.0, dtype=int, where=keep) * x[1] + np.mean(x * 9.0, dtype=int, where=keep) * x[2]


@program("forms of calls", args=lambda: (uniform(3),))
def spaces_of_ints(x):
    y, step = np.linspace(x[0], x[1] * 9.0 + 5.0, 4, retstep=True, dtype=int)
    z = np.geomspace(x[0] * 9.0, x[1] * 90.0, 4, dtype=int, axis=-1)
    return np.sum(y) * x[0] + step + np.sum(z) * x[1]


@program("forms of calls", args=lambda: (uniform(3),))
def methods_of_ufuncs_with_ints(x):
    y = np.subtract.accumulate(x * 9.0, dtype=int)
    return np.subtract.reduce(x * 9.0, dtype=int) * x[0] + np.sum(y) * x[1]


@program("forms of calls", args=lambda: (uniform(3),), refused="may")
def vectorize_takes_the_type_of_the_first_result(x):
    return np.sum(np.vectorize(lambda v: 0 if v > 0.01 else v * v)(x)) + x[0]


@program("forms of calls", args=lambda: (uniform(3),), refused="may")
def rows_of_which_the_first_gives_an_int(x):
    rows = np.apply_along_axis(lambda r: 1 if r[0] > 0.5 * x[0] ** 2 else np.sum(r), 1, np.outer(x[:1], x) ** 1.0)
    return np.sum(rows) + x[1]


@program("forms of calls", args=lambda: (normal(3),))
def flat_places_from_the_end(x):
    a = np.outer(x, x)
    a.flat[-1] = x[0]
    a.flat[[0, -2]] = x[1:] ** 2
    np.put(a, [-3, 1], x[:2])
    return np.sum(a * np.arange(9.0).reshape(3, 3)) + a.item(-4)


@program("forms of calls", args=lambda: (normal(3),))
def fill_diagonal_repeats(x):
    a = np.outer(x, x)
    np.fill_diagonal(a, x[:2])
    return np.sum(a * np.arange(9.0).reshape(3, 3))


@program("forms of calls", args=lambda: (normal(3),))
def reductions_of_ufuncs_over_several_axes(x):
    a = np.outer(x, x)
    whole = np.logaddexp.reduce(a, axis=None, keepdims=True)
    return np.logaddexp.reduce(a, axis=(0, 1)) + whole[0, 0] ** 2


@program("forms of calls", args=lambda: (uniform(3),), second=False)
def histograms_with_lists_of_edges(x):
    given = [[-1.0, 0.0, 2.0], [-1.0, 0.0, 2.0]]
    h = np.histogram2d(np.array([0.5, -0.5, 1.5]), np.array([0.5, 0.5, -0.5]), bins=given, weights=x)[0]
    points = (np.array([0.5, -0.5, 1.5]), np.array([0.5, 0.5, -0.5]))
    return np.sum(h * np.arange(4.0).reshape(2, 2)) + np.histogramdd(points, bins=2, weights=x**2)[0][1, 1]
