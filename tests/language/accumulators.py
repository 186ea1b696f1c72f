"""Sums and products that start as 0, 1 or None and become arrays in the first turn of a loop."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform

# --- numbers that become arrays


@program("accumulators", args=lambda: (normal(4), 3))
def sum_that_starts_as_zero(x, n):
    total = 0
    for i in range(n):
        total = total + x * np.cos(i * x)
    return np.sum(total**2)


@program("accumulators", args=lambda: (1.3, 2))
def sum_that_starts_as_false(x, n):
    total = False
    for i in range(n):
        total = total + x * x
    return total * x


@program("accumulators", args=lambda: (normal(4), 2))
def sum_of_arrays_that_starts_as_false(x, n):
    total = False
    for i in range(n):
        total = total + x * x
    return np.sum(total * x)


@program("accumulators", args=lambda: (1.3, True))
def bool_that_is_added_to(x, total):
    k = 0
    while k < 2:
        total += x
        k += 1
    return total * x


@program("accumulators", args=lambda: (1.3, True))
def bool_that_is_replaced(x, value):
    for _ in range(3):
        value = x if value is True else value + x
    return value * x


@program("accumulators", args=lambda: (normal(4), 0))
def sum_of_no_turns(x, n):
    total = 0.0
    for i in range(n):
        total = total + x * np.cos(i * x)
    return np.sum(total**2 + 3.0 * x)


@program("accumulators", args=lambda: (normal(4), 3))
def sum_added_to(x, n):
    total = 0.0
    for i in range(n):
        total += np.sin(x) ** i
    return np.sum(total * x)


@program("accumulators", args=lambda: (normal(4, 3), normal(3)))
def sum_of_rows(A, x):
    s = 0.0
    for row in A:
        s = s + row * x
    return np.sum(np.tanh(s))


@program("accumulators", args=lambda: (normal(4, 3), normal(3)))
def matrix_vector_by_columns(A, b):
    y = 0
    for j in range(A.shape[1]):
        y += A[:, j] * b[j]
    return np.sum(y**2)


@program("accumulators", args=lambda: (normal(4), 3))
def product_that_starts_as_one(x, n):
    p = 1.0
    for k in range(n):
        p = p * (x - k)
    return np.sum(p)


@program("accumulators", args=lambda: (normal(4), normal(3)))
def polynomial_by_horner(coefficients, x):
    r = 0.0
    for c in coefficients:
        r = r * x + c
    return np.sum(r**2)


@program("accumulators", args=lambda: (normal(3), 4))
def two_sums(x, n):
    s = 0.0
    c = 0.0
    for i in range(n):
        s += np.exp(-x * i)
        c = c + s
    return np.sum(c * s)


@program("accumulators", args=lambda: (normal(3), 4))
def mean_over_a_while(x, n):
    s = 0.0
    i = 0
    while i < n:
        s += x**2
        i += 1
    return np.mean(s)


@program("accumulators", args=lambda: (normal(3), normal(2, 3), 2))
def sum_against_a_larger_array(x, W, n):
    s = 0.0
    for i in range(n):
        s = s + x * (i + 1.0)
    return np.sum((s + W) * W)


@program("accumulators", args=lambda: (normal(3), 0.7, 3))
def sum_times_an_active_number(x, a, n):
    s = 0.0
    for _ in range(n):
        s = s * a + np.sin(x) * a
    return np.sum(s * a)


@program("accumulators", args=lambda: (normal(3), 0.7, 0))
def number_meets_a_sum_of_no_turns(x, a, n):
    s = 0.0
    for _ in range(n):
        s = s + np.sin(x)
    return np.sum((s + a) * a) + np.sum(s * x)


@program("accumulators", args=lambda: (normal(3), 0.7, 2))
def sum_that_starts_active(x, a, n):
    s = a
    for _ in range(n):
        s = s + x * a
    return np.sum(s * s)


@program("accumulators", args=lambda: (normal(3), 0.7, 0))
def sum_that_starts_active_and_has_no_turns(x, a, n):
    s = a * a
    for _ in range(n):
        s = s + x * a
    return np.sum(s * s) + np.sum(x)


@program("accumulators", args=lambda: (normal(3), 5))
def sum_in_a_branch(x, n):
    even, odd = 0.0, 0.0
    for i in range(n):
        if i % 2 == 0:
            even = even + x**i
        else:
            odd = odd + np.sin(x * i)
    return np.sum(even * odd)


@program("accumulators", args=lambda: (normal(3), 5))
def sum_started_anew(x, n):
    s = 0.0
    best = 0.0
    for i in range(n):
        s = s + x * i
        if i == 2:
            best = best + s * s
            s = 0.0
    return np.sum(best * x) + np.sum(s)


@program("accumulators", args=lambda: (normal(3), 3, 2))
def sum_over_two_loops(x, n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            s = s + np.sin(x * (i + j))
    return np.sum(s * s)


@program("accumulators", args=lambda: (normal(3), 3, 2))
def sum_within_a_sum(x, n, m):
    outer = 0.0
    for i in range(n):
        inner = 0.0
        for j in range(m):
            inner += np.sin(x * (i + j))
        outer += inner**2
    return np.sum(outer)


@program("accumulators", args=lambda: (normal(3), 3))
def sums_in_a_dictionary(x, n):
    sums = {"a": 0.0, "b": 0.0}
    for i in range(n):
        sums["a"] += x * i
        sums["b"] = sums["b"] + sums["a"] * x
    return np.sum(sums["a"] * sums["b"])


@program("accumulators", args=lambda: (normal(3, 2), normal(2, 2)))
def sum_of_products_of_matrices(A, B):
    M = 0.0
    for k in range(len(A)):
        M = M + np.outer(A[k], A[k]) @ B
    return np.trace(M @ M)


@program("accumulators", args=lambda: (normal(3), 3))
def largest_so_far(x, n):
    top = 0.0
    for i in range(n):
        top = np.maximum(top, np.sin(x + i))
    return np.sum(top**2)


@program("accumulators", args=lambda: (normal(4, 3),))
def running_mean_and_deviation(X):
    mean = 0.0
    spread = 0.0
    for k, x in enumerate(X, 1):
        step = x - mean
        mean = mean + step / k
        spread = spread + step * (x - mean)
    return np.sum(np.sqrt(spread / len(X)) * mean)


@program("accumulators", args=lambda: (normal(3), 3))
def result_is_the_sum(x, n):
    s = 0.0
    for i in range(n):
        s = s + x[i % 3] * x
    return s[0] * s[-1] + s.sum()


# --- None that becomes an array


@program("accumulators", args=lambda: (normal(4, 3), normal(3)))
def sum_that_starts_as_none(xs, w):
    total = None
    for i in range(len(xs)):
        a = np.sin(xs[i]) * w
        total = a if total is None else total + a
    return np.sum(total**2)


@program("accumulators", args=lambda: (normal(3), 3))
def decaying_sum_that_starts_as_none(x, n):
    total = None
    for i in range(n):
        if total is None:
            total = np.sin(x)
        else:
            total = total * 0.5 + np.sin(x * i)
    if total is None:
        return 0.0
    return np.sum(total)


@program("accumulators", args=lambda: (normal(3), 0))
def none_when_there_are_no_turns(x, n):
    total = None
    for i in range(n):
        if total is None:
            total = np.sin(x)
        else:
            total = total * 0.5 + np.sin(x * i)
    if total is None:
        return np.sum(x * x)
    return np.sum(total)


@program("accumulators", args=lambda: (normal(4, 3),))
def difference_to_the_row_before(X):
    before = None
    total = 0.0
    for row in X:
        if before is not None:
            total = total + np.sum((row - before) ** 2)
        before = row * row
    return total


@program("accumulators", args=lambda: (normal(4, 3),))
def product_of_matrices_that_starts_as_none(X):
    P = None
    for x in X:
        R = np.outer(x, x) + np.eye(3)
        if P is None:
            P = R
            continue
        P = P @ R
    return np.trace(P)


# --- numbers or arrays that are overwritten: += changes an array, under all of its names


@program("accumulators", args=lambda: (normal(3), 4), refused="may")
def name_of_the_sum_before(x, n):
    total = 0.0
    before = 0.0
    for i in range(n):
        before = total
        total += x * x * i
    return np.sum(before * x)


@program("accumulators", args=lambda: (normal(3), 4), refused="may")
def sums_kept_in_a_list(x, n):
    total = 0.0
    kept = []
    for i in range(n):
        total += x * x * i
        kept.append(total)
    return np.sum(kept[0] * x) + np.sum(kept[1] * x * x)


@program("accumulators", args=lambda: (normal(3), normal(3), 4), refused="may")
def argument_added_to(x, y, n):
    total = 0.0
    for i in range(n):
        if i == 0:
            total = y
        total += x * x * i
    return np.sum(total * x) + np.sum(y)


@program("accumulators", args=lambda: (normal(3), 4), refused="may")
def view_of_the_sum_before(x, n):
    total = 0.0
    first = 0.0
    for i in range(n):
        if i == 1:
            first = total[:2]
        total += x * x * (i + 1)
    return np.sum(first * x[:2]) + np.sum(total)


@program("accumulators", args=lambda: (normal(3), 4))
def sums_copied_into_a_list(x, n):
    total = 0.0
    kept = []
    for i in range(n):
        total += x * x * i
        kept.append(total * 1.0)
    return np.sum(kept[0] * x) + np.sum(kept[1] * x * x)


# --- numbers that carry a derivative, and meet arrays


@program("accumulators", args=lambda: (normal(4), 0.7, 1))
def two_that_start_active(x, a, n):
    s, v = a, a
    for _ in range(n):
        v = s * a + v
        s = s + x * v
    return np.sum(v) + np.sum(s, axis=0) + np.max(s)


@program("accumulators", args=lambda: (normal(4), 0.7, 0))
def number_read_by_arrays_and_numbers(x, a, n):
    outer = a
    for i in range(n):
        inner = outer
        for j in range(i):
            inner = inner + x * a * j
        outer = inner * a
    return np.sum(outer * x) + np.sum(outer * a)


@program("accumulators", args=lambda: (normal(4), 0.7, 1))
def number_that_meets_a_sum_later(x, a, n):
    s, c = 0.0, a
    for i in range(n):
        if i % 2:
            c = c + s
        s = s + np.exp(-x * a)
    return np.sum(c * c) + np.sum(s * c)


@program("accumulators", args=lambda: (normal(4), 0.7, 3))
def product_with_what_may_be_a_number(x, a, n):
    s = 0.0
    for i in range(n):
        t = np.dot(s, x) if i else a
        s = s + x * t
    return np.linalg.norm(s + x)


@program("accumulators", args=lambda: (normal(3, 4), normal(4), 0))
def sum_of_matrices_without_turns_and_a_vector(W, b, n):
    s = 0.0
    for i in range(n):
        s = s + W * (i + 1)
    y = s * b
    return np.sum((s + b) ** 2) + np.sum((y + b) ** 2)


@program("accumulators", args=lambda: (normal(4), 0.7, 4))
def extremes_so_far(x, a, n):
    low, high = a, 0.0
    for k in range(n):
        low = np.minimum(low, x * k)
        high = np.maximum(high, x)
    return np.sum(high - low) + np.sum(np.where(high > low, high, low) * a)


@program("accumulators", args=lambda: (normal(4, 3), 0.7, 3))
def sum_stored_on_the_way(X, a, n):
    s = 0.0
    for i in range(n):
        s = s + X[i]
        X[i] = s * a
    return np.sum(X * X) + np.sum(s)


@program("accumulators", args=lambda: (normal(4), 0.7, 0))
def inner_sums_without_turns(x, a, n):
    total = 0.0
    for i in range(n + 3):
        inner = 0.0
        for j in range(i):
            inner += x * a * j
        total += inner**2 + a * inner
    return np.sum(total * a)


@program("accumulators", args=lambda: (uniform(5), 4))
def list_of_the_last_one_kept_while_it_changes(w, n):
    last = None
    for i in range(n):
        last = w[i] * 2.0
    kept = [last, 1.0]
    for _ in range(2):
        last = 1.0
    return sum(kept) + last


@program("accumulators", args=lambda: (uniform(5), 4))
def pair_kept_while_its_name_gets_others(w, n):
    last = None
    for i in range(n):
        last = w[i] * 2.0
    pair = (last, 1.0)
    kept = pair
    for i in range(1, n):
        pair = (w[2] * w[i], 3.0)
    return kept[0] * pair[0] + pair[1]


@program("accumulators", args=lambda: (uniform(5), 4))
def largest_then_smallest_then_none(w, n):
    best = None
    for i in range(n):
        if best is None or w[i] > best:
            best = w[i]
    largest = best
    for i in range(n):
        if w[i] < best:
            best = w[i]
            break
    smallest = best
    for _ in range(n):
        best = None
    return largest if best is None else 3.0 * smallest


@program("accumulators", args=lambda: (np.zeros(0), 2.0))
def nothing_to_add_and_read_again(xs, y):
    total = 0
    for x in xs:
        total += x * y
    return total * y


@program("accumulators", args=lambda: ((), 2.0), wrt=1)
def nothing_in_a_tuple(xs, y):
    total = 0
    for x in xs:
        total += x * y
    return total * y


@program("accumulators", args=lambda: (0, {"a": 2.0, "b": np.ones(2)}), wrt=1)
def no_turns_and_a_dict(n, y):
    total = 0
    for k in range(n):
        total = total + y["a"] * k + np.sum(y["b"])
    return total * y["a"]


# --- values of loops that the backward sweep reads behind the loop, run backwards


@program("accumulators", args=lambda: (uniform(4),))
def sum_before_times_product(x):
    s = np.sum(x)
    total = 1.0
    for v in x:
        total = total * v
    return s * total


@program("accumulators", args=lambda: (uniform(4),))
def fsum_times_prod(x):
    return math.fsum(x) * math.prod(x)


@program("accumulators", args=lambda: (uniform(4), 3))
def array_of_a_while_loop(x, n):
    s = np.sum(x * x)
    y = x
    k = 0
    while k < n:
        y = y * np.sin(x)
        k += 1
    return np.sum(s * y) + np.prod(x[:2]) * np.sum(y * y)


@program("accumulators", args=lambda: (uniform(4), 3))
def products_in_each_turn(x, n):
    out = 0.0
    a = 1.0
    for i in range(n):
        s = np.sum(x) * i
        for v in x:
            a = a * v * 0.5
        out = out + s * a
    return out * a
