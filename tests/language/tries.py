"""Tries around whole computations: what their bodies may raise, and what has happened by then."""

from __future__ import annotations

from tests.language.corpus import normal, program

# --- loops over lists in a try, which raise nothing that it is for --------------------------------------------------


@program("loops in a try", args=lambda: ([[1.0, 2.0], [0.5, 1.5]], [[0.3, -1.0], [2.0, 0.7]]), second=False)
def product_of_lists(a, b):
    try:
        c = [[0.0 for _ in range(len(b[0]))] for _ in range(len(a))]
        for i in range(len(a)):
            for j in range(len(b[0])):
                for k in range(len(b)):
                    c[i][j] += float(a[i][k] * b[k][j])
    except TypeError:
        c = [0.0 for _ in range(len(a))]
        for i in range(len(a)):
            for k in range(len(b)):
                c[i] += float(a[i][k] * b[k])
    return c


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5],))
def counts_in_a_try(q):
    total = 0.0
    try:
        for k in range(len(q) - 1):
            total += abs(q[k]) * q[k + 1]
            q[k] = total
    except TypeError:
        total = q
    return total * q[0]


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5], 3))
def index_that_may_be_beyond(q, n):
    total = 1.0
    try:
        for k in range(n):
            total *= q[k] + q[k + 1]
    except IndexError:
        total = total * 2.0
    return total * q[0]


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5], 0.7))
def while_in_a_try(q, x):
    k = 0
    try:
        while k < len(q):
            if q[k] < 0.0:
                break
            x = x * q[k] + min(x, 10.0)
            k += 1
    except (TypeError, AttributeError):
        x = 0.0
    return x * x


@program("loops in a try", args=lambda: (normal(4), 0.7))
def items_of_an_array(a, x):
    try:
        for v in a:
            x = x * v + 1.0
    except (TypeError, KeyError):
        x = a * x
    return x * x


@program("loops in a try", args=lambda: (0.7, [0.0, 2.0]), wrt=0)
def division_in_a_loop(x, q):
    total = x
    try:
        for v in q:
            total = total * x
            total = total + x / v
    except ZeroDivisionError:
        total = total * 3.0
    return total * x


@program("loops in a try", args=lambda: (0.7, 4))
def list_that_grows_in_a_try(x, n):
    found = []
    try:
        for k in range(n):
            found.append(x ** (k + 1) * round(1.2))
    except TypeError:
        found = x
    return sum(found) * x


@program("loops in a try", args=lambda: (0.7, 4))
def int_of_what_may_be_infinite(x, n):
    y = x
    try:
        for k in range(n):
            y = y * (x + int(1e300 * 10.0**k * 1e9))
            y = y / 1e300
    except OverflowError:
        y = y * 1e290
    return y * 1e-280


@program("loops in a try", args=lambda: (0.7, [1.5, 2.5]))
def comprehension_in_a_try(x, q):
    try:
        made = [v * x for v in q if v > 1.0]
        total = made[0] * made[1]
    except TypeError:
        total = x
    return total


@program("loops in a try", args=lambda: (0.7, 3), second=False)
def list_or_number_by_what_is_raised(x, n):
    try:
        held = [x]
        for k in range(n):
            held[k] = held[k] * x
            held.append(x)
            held[k + 2 * (k > 1)] = x
    except IndexError:
        held = [[x], [x * x]]
    return held


@program("loops in a try", args=lambda: (0.7, [1.5, 2.5]), second=False)
def result_of_another_form_on_each_path(x, q):
    made = [[0.0, x], [x, 1.0]]
    if q[0] > 1.0:
        made[0] = x * q[0]
    return made
