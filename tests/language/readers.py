"""Programs that readers of the compiler wrote against it: ordinary code that once had a wrong derivative, or none."""

from __future__ import annotations

import collections
import functools
import math
import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from s2sad import grad, value_and_grad

from tests.language.corpus import program


class Bag:
    """An object without a form of its own."""


class Point:
    def __init__(self, a):
        self.a = a


def point():
    return np.array([0.7, 1.1, 0.4]), 3


# --- chained assignment with a target that is taken apart


@program("unpacking", args=point)
def second_name_of_a_pair(x, n):
    a, b = c = x[0], x[1] * 2
    return c[1] * 1.5


@program("unpacking", args=point)
def pair_and_its_second_name(x, n):
    a, b = c = x[0], x[1]
    return a * b**2 * c[0]


@program("unpacking", args=point)
def two_pairs_at_once(x, n):
    a, b = c, d = x[0], x[1]
    return a * b**2 * c * d


@program("unpacking", args=point)
def swap_in_a_chain(x, n):
    a, b = x[0], x[2]
    a, b = b, a = a, x[1]
    return a * b**2


@program("unpacking", args=point)
def attributes_in_a_chain(x, n):
    o = Bag()
    o.p, q = o.r, s = x[0] * 2, x[1]
    return o.p * q**2 * o.r * s


@program("unpacking", args=point)
def items_in_a_chain(x, n):
    l = [x[0], x[1]]
    a, l[0] = l[1], b = l[0] * 2, l[1] * 3
    return a * b**2 * l[0] * l[1]


@program("unpacking", args=point)
def nested_pairs_in_a_chain(x, n):
    (a, b), c = d = (x[0], x[1] * 2), x[2]
    return a * b**2 * c * d[0][1] * d[1]


@program("unpacking", args=point)
def starred_in_a_chain(x, n):
    a, *b = c = x[0], x[1] * 2, x[2]
    return a * b[0] ** 2 * c[1] * b[1]


@program("unpacking", args=point)
def pair_carried_by_a_loop(x, n):
    prev = (x[0], x[1])
    s = 0.0
    for i in range(n):
        lo, hi = cur = prev[1] * x[i], prev[0] + x[i]
        s += lo * hi * prev[0]
        prev = cur
    return s * prev[0]


@program("unpacking", args=point)
def store_in_a_chain(x, n):
    x[0], b = c = x[0] * 2, x[1]
    return x[0] * b * c[0]


# --- names of the compiler's own beside the user's


@program("sorted and sums", args=point)
def sum_with_a_variable_named_start(x, n):
    start = x[1]
    return sum(p * start for p in x)


@program("sorted and sums", args=point)
def sum_over_pairs_with_many_variables(x, n):
    pts = [(v, v**2) for v in x]
    start = x[1]
    total = x[2]
    items = x[0]
    item = 3.0
    return sum(p[0] * start * total * items * item for p in pts)


@program("sorted and sums", args=point)
def sum_and_prod_with_start_and_total(x, n):
    start = x[1]
    total = x[0]
    keys = x[2]
    d = {k: v for k, v in enumerate(x)}
    return sum(v * start * total * keys for v in d.values()) + math.prod(v * start * total for v in x)


@program("sorted and sums", args=point)
def sum_from_a_start(x, n):
    start = x[1]
    return sum((p * start for p in x), start) + sum([p * start for p in x[:n]], start * 2)


@program("sorted and sums", args=point)
def sum_of_slices_from_start(x, n):
    start = 1
    rest = x[1:]
    return sum(r * x[start] for r in rest) + sum(r * x[start:].sum() for r in rest)


@program("sorted and sums", args=point)
def next_with_a_variable_named_default(x, n):
    default = x[1]
    return next((v * default for v in x if v > 0.5), 0.0) + next((v * default for v in x if v > 50), default)


@program("sorted and sums", args=point)
def comprehension_with_the_names_of_containers(x, n):
    items = x[1]
    total = x[0]
    parts = x[2]
    collected = 1.5
    collected_items = 2.5
    u = [v * items * total * parts * collected * collected_items for v in x]
    return sum(u) + sum(v * items * total * parts * collected * collected_items for v in x)


@program("sorted and sums", args=point)
def comprehensions_that_rebind_their_source(x, n):
    total = x[0]
    total = sum(total * v for v in x)
    items = [total * v for v in x]
    items = [i * items[0] for i in items]
    return sum(items)


# --- max and min of tuples and lists


@program("sorted and sums", args=point)
def mean_of_the_largest_pair(x, n):
    return np.mean(max((v, v**2) for v in x))


@program("sorted and sums", args=point)
def largest_item_of_a_dict(x, n):
    d = {k: v**2 for k, v in enumerate(x)}
    return np.sum(max(d.items()))


@program("sorted and sums", args=point)
def largest_and_least_row(x, n):
    a = [[v, v**2] for v in x]
    return np.sum(max(a)) * min(a)[1]


@program("sorted and sums", args=point)
def least_square_and_its_place(x, n):
    best, i = min((v**2, i) for i, v in enumerate(x))
    return best * (i + 1)


@program("sorted and sums", args=point)
def largest_of_dict_items_and_zip(x, n):
    d = {k: v**2 for k, v in enumerate(x)}
    k, v = max(d.items())
    a, b = max(zip(d.values(), d.keys()))
    c, e = min((v, k) for k, v in d.items())
    return v * a * b + c * (e + 1)


@program("sorted and sums", args=point)
def nearest_to_the_first_point(x, n):
    pts = [(math.cos(v), math.sin(v)) for v in x]
    start = min(pts)
    return sum(math.hypot(p[0] - start[0], p[1] - start[1]) ** 3 for p in pts)


@program("sorted and sums", args=point)
def least_with_its_label(x, n):
    cands = [(v**2, "a" if v > 0.5 else "b") for v in x]
    v, nm = min(cands)
    return v * (2 if nm == "b" else 3)


@program("sorted and sums", args=point)
def least_with_its_array(x, n):
    cands = [(v**2, x * v) for v in x]
    v, u = min(cands)
    return v * np.sum(u)


@program("sorted and sums", args=point)
def largest_of_a_prefix(x, n):
    s = 0.0
    for k in range(1, n + 1):
        v, i = max((x[j] * x[j], j) for j in range(k))
        s += v * (i + 1)
    return s


# --- branches that choose containers


@program("if", args=point)
def tuple_kept_from_an_earlier_turn(x, n):
    o = (x[0],)
    s = 1.0
    for i in range(n):
        q = (x[i],)
        if i % 2:
            o = q
        s += q[0] * o[0]
    return s


@program("if", args=point)
def list_of_an_array_kept(x, n):
    o = [x]
    s = 1.0
    for i in range(n):
        q = [x * x[i]]
        if i % 2:
            o = q
        s += np.sum(q[0] * o[0])
    return s


@program("if", args=point)
def object_kept_where_it_is_better(x, n):
    o = Point(x[0])
    s = 1.0
    for i in range(n):
        q = Point(x[i] * o.a)
        if x[i] > 0.5:
            o = q
        s += q.a * o.a
    return s


@program("if", args=point)
def container_chosen_then_carried(x, n):
    o = (x[0],)
    s = 0.0
    for i in range(n):
        q = (x[i] * 2,)
        if i % 2:
            w = q
        else:
            w = o
        s += q[0] * w[0]
        o = w
    return s


@program("if", args=point)
def tuple_kept_unless_it_raises(x, n):
    o = (x[0],)
    s = 1.0
    i = 0
    while i < n:
        q = (x[i],)
        try:
            if i == 1:
                raise ValueError
            o = q
        except ValueError:
            pass
        s += q[0] * o[0]
        i += 1
    return s


# --- types of numbers


@program("isinstance", args=point)
def float_of_an_element_is_a_float(x, n):
    v = float(x[1])
    return x[0] * (type(v) is float)


@program("isinstance", args=lambda: (0.7, 3))
def numpy_number_of_a_float(a, n):
    b = np.float64(a)
    return b * b if type(b) is float else b


@program("isinstance", args=point)
def items_of_tolist_are_floats(x, n):
    c = 0.0
    for v in x.tolist():
        c += v * (2 if type(v) is float else 3)
    return c


@program("isinstance", args=point)
def item_is_a_float(x, n):
    v = x.item(0)
    return v * (2 if isinstance(v, np.floating) else 3)


@program("isinstance", args=point)
def match_on_a_float(x, n):
    v = float(x[0])
    match v:
        case np.float64():
            return v * 2
        case float():
            return v * 3


@program("isinstance", args=point)
def generic_of_a_float(x, n):
    v = float(x[0])
    return v * (2 if isinstance(v, np.generic) else 3) + v * np.isscalar(v)


@program("isinstance", args=point)
def types_in_a_dict(x, n):
    d = {"a": float(x[0]), "b": x[1]}
    return sum(v * (2 if type(v) is float else 3) for v in d.values())


@program("isinstance", args=point)
def types_through_a_helper(x, n):
    def g(v):
        if isinstance(v, np.generic):
            return v * 2
        return v * 3

    return g(float(x[0])) + g(x[1]) + g(x.tolist()[2]) + g(x.item(1)) + g(x.ravel()[0].item())


# --- lists made in a loop and read behind it


@program("local lists", args=point)
def list_of_the_last_turn(x, n):
    for i in range(n):
        m = [v * x[i] for v in x]
    return m[0]


@program("local lists", args=point)
def list_of_the_last_turn_run_through(x, n):
    for i in range(n):
        m = [v * x[i] for v in x]
    k = 0.0
    for v in m:
        k += v * v
    return k


@program("local lists", args=point)
def list_until_it_breaks(x, n):
    for it in range(100):
        m = [v * x[0] ** it for v in x]
        if m[0] < 0.4:
            break
    return m[0] * m[1]


@program("local lists", args=point)
def lists_and_pairs_of_the_last_turn(x, n):
    for i in range(n):
        m = [[v * x[i]] for v in x]
        q = [(v, v * x[i]) for v in x]
    return m[0][0] * q[1][1]


@program("local lists", args=point)
def attribute_list_of_the_last_turn(x, n):
    r = Bag()
    r.l = []
    for i in range(n):
        r.l.append(x[i])
        m = r.l
        q = r
    return m[0] * m[1] * q.l[2]


@program("local lists", args=point)
def inner_list_of_the_last_turn(x, n):
    l = []
    for i in range(n):
        l.append([])
        r = l[-1]
        r.append(x[i] * 2)
        r.append(x[0])
    return r[0] * r[1] + l[0][0]


@program("local lists", args=point)
def list_of_some_turns(x, n):
    for i in range(n):
        if i > 0:
            m = [v * x[i] for v in x]
    return m[0] * m[1]


@program("local lists", args=point)
def list_of_an_inner_loop(x, n):
    for i in range(n):
        for j in range(i):
            m = [v * x[j] for v in x]
    return m[0] * m[1]


@program("local lists", args=point)
def list_renewed_every_other_turn(x, n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0:
            m = [v * x[i] for v in x[i:]]
        s += m[0]
    return s * m[-1]


@program("local lists", args=point)
def list_renewed_or_longer(x, n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0:
            m = [v * x[i] for v in x[i:]]
        elif i == 1:
            m = m + [x[0] * s]
        s += m[0] * m[-1]
    return s * m[-1]


# --- cotangents that are smaller than the arrays they belong to


@program("accumulators", args=point)
def product_of_a_number_and_a_sum(x, n):
    a = x[0] if n == 3 else x
    b = (x + x[1]) if n == 3 else x[0]
    return np.sum(a * b)


@program("accumulators", args=point)
def products_of_numbers_and_arrays_in_turns(x, n):
    s = 0.0
    for k in range(n):
        a = x[0] if k == 1 else x
        b = x + x[1] if k < 2 else x[0]
        s = s + np.sum(a * b)
    return s


@program("accumulators", args=point)
def products_with_arrays_of_one(x, n):
    s = 0.0
    for k in range(n):
        a = np.sum(x, keepdims=True) if k == 1 else x
        b = x + x[1] if k < 2 else np.sum(x * 2, keepdims=True)
        s = s + np.sum(a * b)
    return s


@program("accumulators", args=point)
def sum_kept_of_a_number_that_becomes_an_array(x, n):
    a = 0
    y = 0.0
    for i in range(1, n):
        y = np.sum(np.sum(a, keepdims=True) * x)
        a = x
    return y


@program("accumulators", args=point)
def reductions_kept_of_a_number_or_an_array(x, n):
    a = x[0] if n == 3 else x
    return (
        np.sum(np.sum(a, keepdims=True) * x)
        + np.sum(np.mean(a, keepdims=True) * x)
        + np.sum(np.max(a, keepdims=True) * x)
    )


@program("accumulators", args=point)
def sums_kept_in_a_growing_loop(x, n):
    m = x[0]
    s = 0.0
    for k in range(n):
        s = s + np.sum(np.sum(m, keepdims=True) * m) if k else s + m
        m = m * x if k == 1 else m * x[2]
    return s


# --- None until the first turn


@program("None tests", args=point)
def difference_to_the_last_value(x, n):
    last = None
    y = 0.0
    for k in range(n):
        d = 0.0 if last is None else y - last
        last = y
        y += 0.1 * d + x[0]
    return y


@program("None tests", args=point)
def controller_with_bounds(x, n):
    i = 0.0
    last = None
    y = 0.0
    hi = 0.9
    lo = -0.9
    for k in range(n):
        e = 1.0 - y
        i += x[1] * e
        if i > hi:
            i = hi
        elif i < lo:
            i = lo
        d = 0.0 if last is None else e - last
        last = e
        y += 0.1 * (i + d)
    return y


@program("None tests", args=point)
def difference_where_there_is_one(x, n):
    last = None
    y = 0.0
    for k in range(n):
        if last is not None:
            y += 0.1 * (y - last)
        last = y
        y += x[k]
    return y * last


@program("None tests", args=point)
def difference_of_arrays(x, n):
    last = None
    y = np.zeros(3)
    for k in range(n):
        if last is not None:
            y = y + 0.1 * (y - last)
        last = y
        y = y + x[k] * x
    return np.sum(y * last)


@program("None tests", args=point)
def best_and_previous(x, n):
    best = None
    s = 0.0
    for i in range(n):
        prev = None
        y = 0.0
        for j in range(n):
            d = 1.0 if prev is None else prev * 0.5
            prev = y
            y += d * x[j]
        if best is None or y > best:
            best = y
        s += best
    return s * best


@program("None tests", args=point)
def two_histories_side_by_side(x, n):
    S, R = [], []
    w = x * 1.0
    for it in range(n):
        for s, r in zip(S, R):
            w = w + s * r
        S.append(w)
        R.append(w)
    return w @ w


# --- scalars and arrays


@program("coercions", args=point)
def scalar_reshaped_and_added_to(x, n):
    s = (x @ x).reshape(1, 1)
    t = s
    t += x[0]
    return s[0, 0] ** 2


@program("coercions", args=point)
def scalars_reshaped(x, n):
    return np.sum(x[0].reshape(1, 1) ** 2) + x.sum().reshape(-1)[0]


@program("coercions", args=point)
def scalars_made_flat(x, n):
    s = x[0].ravel()
    t = s
    t += x[1]
    return s[0] * x[0].ravel() @ x[1].ravel()


@program("coercions", args=point)
def store_into_a_reshaped_scalar(x, n):
    s = x[0].reshape(1, 1)
    s[0] = x[1]
    return np.sum(s)


@program("coercions", args=point)
def nanmedian_and_a_second_name(x, n):
    m = np.nanmedian(x)
    best = m
    for v in x:
        best += v * v
    return best / m


@program("coercions", args=point)
def squeezed_scalar(x, n):
    s = np.squeeze(x[0])
    t = s
    t += x[1]
    return s * s


@program("coercions", args=point)
def along_the_only_axis(x, n):
    s = np.apply_along_axis(lambda v: v @ v, 0, x)
    t = s
    t += x[0]
    return s * s


@program("coercions", args=point)
def gradient_along_a_tuple_of_one(x, n):
    a = np.outer(x, x**2)
    return np.gradient(a, 2.0, axis=(0,))[0].sum()


# --- arrays of length one by the run


@program("straight line", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def where_of_rows_and_columns(x, n):
    a = np.outer(np.ones(n), x)
    b = np.outer(x, np.ones(n))
    c = np.outer(x[:n], np.ones(n))
    return np.where(a > 0.5, b, c).sum()


@program("straight line", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def product_of_three_lengths(x, n):
    return np.sum(np.ones(n) * x * np.arange(1.0, n + 1))


@program("straight line", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def outer_products_of_slices(x, n):
    a = np.outer(x[:n], x)
    b = np.outer(x, x[:n])
    return np.sum(a * b)


@program("straight line", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def products_with_a_slice(x, n):
    b = np.zeros(n)
    b[:] = x[:n]
    a = x[:n] * x[0]
    return (b * x * a).sum()


# --- orders of memory


@program("views through a reshape", args=point)
def fortran_reshape_is_a_view(x, n):
    y = np.exp(np.repeat(x, 2))
    a = np.asfortranarray(y.reshape((2, 3), order="F"))
    a[0] = 1.0
    return np.sum(y * y)


@program("views through a reshape", args=point)
def copy_in_fortran_order(x, n):
    u = np.outer(x, x**2)
    t = u.copy("F")
    c = t.ravel("F")
    c[3] = 2.0
    return np.sum(t * t) + u.sum()


@program("views through a reshape", args=point)
def fortran_reshape_turned(x, n):
    y = np.repeat(x, 2)
    c = y.reshape((2, 3), order="F").T.reshape(-1)
    c[0] = 2.0
    return np.sum(y * y)


@program("views through a reshape", args=point)
def contiguous_copy_of_a_fortran_copy(x, n):
    t = np.outer(x, x).copy("F")
    a = np.ascontiguousarray(t)
    a[0] = 0.0
    return np.sum(a * a)


@program("views through a reshape", args=point)
def views_in_two_orders(x, n):
    a = np.outer(x, x)
    r = a.ravel()
    r[3] = 2.0
    f = a.ravel("F")
    q = a.ravel("F")
    return np.sum(f * q)


@program("views through a reshape", args=point)
def reshape_with_the_order_third(x, n):
    t = np.outer(x, x)
    u = np.reshape(t, (9,), "F")
    u[1] = 1.0
    return np.sum(t * t) + np.sum(u * u)


# --- what a try holds to find out whether it raises


@program("try", args=point)
def item_that_is_not_there(x, n):
    try:
        x[n]
    except IndexError:
        x = x * 3.0
    return np.sum(x**2)


@program("try", args=point)
def length_of_a_number(x, n):
    try:
        k = len(n)
    except TypeError:
        k = 5.0
    try:
        float(x)
    except TypeError:
        k = k * 2.0
    return np.sum(x) ** 2 * k


@program("try", args=point)
def shape_of_a_number(x, n):
    try:
        m = n.shape
    except AttributeError:
        m = x * 2.0
    try:
        k = x.shape[1]
    except IndexError:
        k = x[0]
    return np.sum(m * x) * k


@program("try", args=point)
def division_that_is_only_tried(x, n):
    try:
        1 / (n - 3)
    except ZeroDivisionError:
        return x[1] ** 2
    return x[0]


# --- sums that keep their axes, where paths meet


@program("accumulators", args=point)
def rows_summed_on_one_path(x, n):
    m = x + np.array([1.0, 2.0, 3.0])[:, None]
    if n == 3:
        m = m.sum(axis=0, keepdims=True)
    return np.sum(np.sin(m))


@program("accumulators", args=point)
def rows_summed_in_one_turn(x, n):
    m = x + np.array([1.0, 2.0, 3.0])[:, None]
    for i in range(n):
        if i == 1:
            m = m.mean(axis=0, keepdims=True)
        m = m * x[i]
    return np.sum(np.sin(m))


@program("accumulators", args=point)
def rows_summed_until_they_are_large(x, n):
    m = x + np.array([1.0, 2.0, 3.0])[:, None]
    for _ in range(n):
        m = m.sum(axis=0, keepdims=True)
        if m[0, 0] > 1:
            break
    return np.sum(np.sin(m))


@program("accumulators", args=point)
def product_summed_on_one_path(x, n):
    m = np.outer(x, x) @ np.arange(9.0).reshape(3, 3)
    if n == 3:
        m = m.sum(axis=1, keepdims=True)
    return np.sum(m**2)


# --- arrays of an argument that are overwritten under a name that may be another one of them


def pair():
    return [np.array([0.7, 1.1]), np.array([0.3, 0.2])], 3


@program("overwritten arguments", args=pair, refused="may")
def one_of_two_parts_overwritten(p, n):
    a = p[0]
    if n > 2:
        a = p[1]
    a *= 2.0
    return np.sum(p[0] * p[1] ** 2)


@program("buffers", args=pair, refused="may")
def parts_swapped_in_a_loop(p, n):
    a, b = p
    for _ in range(n):
        a += b
        a, b = b, a
    return np.sum(p[0] * p[1])


@program("overwritten arguments", args=pair, refused="may")
def part_at_a_run_time_index_overwritten(p, n):
    a = p[0]
    if n > 2:
        a = p[n - 2]
    a[1] = 5.0
    return np.sum(p[1] ** 2) + np.sum(a)


@program("local lists", args=lambda: (np.linspace(0.4, 1.3, 8) ** 2,))
def halves_put_together_again(x):
    parts = []
    s = x
    while len(s) > 1:
        parts.append(s[1::2])
        s = s[::2] * s[1::2]
    for part in reversed(parts):
        out = np.empty(2 * len(s))
        out[::2], out[1::2] = s * part, part
        s = out
    return s[0] * x[1]


# --- is one name the same object as another?


@program("identity", args=point)
def bodies_that_are_not_themselves(x, n):
    bodies = [{"p": np.array([m, 1.0]), "v": np.zeros(2)} for m in x]
    for _ in range(n):
        for a in bodies:
            for b in bodies:
                if a is not b:
                    d = b["p"] - a["p"]
                    a["v"] = a["v"] + 0.1 * d / (d @ d) ** 1.5
        for a in bodies:
            a["p"] = a["p"] + 0.1 * a["v"]
    return bodies[0]["p"] @ bodies[1]["p"]


@program("identity", args=point)
def the_same_list_and_a_list_like_it(x, n):
    a = [x[0]]
    b, c = a, list(a)
    return (x[0] if a is b else x[1] ** 2) * (x[1] if a is c else x[2] ** 3)


@program("identity", args=point)
def copy_that_is_another_array(x, n):
    b = x.copy()
    c = np.asarray(x)
    return (np.sum(x) if b is x else np.sum(x**2)) + (x[0] if c is not x else x[1] ** 3)


@program("identity", args=point)
def objects_found_in_a_list(x, n):
    a, b = Point(x[0]), Point(x[0])
    points = [b, a]
    seen = [b]
    total = 0.0
    for p in points:
        for q in (a, b):
            if p is q:
                total += p.a**2
        if p not in seen:
            total += x[1] ** 2 * p.a
        if p == b:
            total += x[2] ** 3
    return total


@program("identity", args=point)
def function_that_is_one_of_two(x, n):
    def square(v):
        return v * v

    def same(v):
        return v

    total = 0.0
    for f in (square, same):
        total += f(x[0]) if f is square else f(x[1] ** 3)
    return total


@program("identity", args=point, refused="may")
def list_of_one_path(x, n):
    a = [x[0]]
    b = a if n > 2 else [x[0]]
    return x[0] ** 2 if a is b else x[1] ** 2


@program("identity", args=point, refused="may")
def tuple_under_two_names(x, n):
    a = (x[0], 1)
    b = a
    return x[0] ** 2 if a is b else x[1] ** 2


@program("identity", args=point, refused="may")
def address_of_a_list(x, n):
    a, b = [x[0]], [x[1]]
    total = 0.0
    for p in (a, b, a):
        if id(p) == id(a):
            total += p[0] ** 2
    return total


# --- derivatives that are called inside of a function


def cubes(x):
    return np.sum(x**3)


slope_of_cubes, both_of_cubes = grad(cubes), value_and_grad(cubes)


@grad
def slope_of_wave(x, c=2.0):
    return c * np.sin(x)


@program("user functions", args=point)
def descent_by_a_gradient(x, n):
    y = x.copy()
    for _ in range(n):
        y = y - 0.1 * slope_of_cubes(y)
    return np.sum(y**2)


@program("user functions", args=point)
def penalty_on_a_gradient(x, n):
    value, slope = both_of_cubes(x[1:])
    return value + np.sum(slope**2) + slope_of_wave(x[0]) * slope_of_wave(x[1], c=3.0)


@program("user functions", args=point)
def derivative_taken_where_it_is_needed(x, n):
    h = grad(cubes)
    t = x[0]
    for _ in range(n):
        t = t - slope_of_wave(t) / (1.0 + t * t)
    return np.sum(h(x) * x) + t


# --- results of several parts that are overwritten


@program("element stores", args=point)
def eigenvalues_clipped_in_place(x, n):
    A = np.outer(x, x) + np.diag([1.0, 2.0, 4.0])
    w, V = np.linalg.eigh(A)
    w[w < 2.5] = 2.5
    return np.sum((V * w) @ V.T * x)


@program("element stores", args=point)
def factors_overwritten(x, n):
    A = np.outer(x, x) + np.diag([1.0, 2.0, 4.0])
    u, s, vt = np.linalg.svd(A)
    s[0] *= 2.0
    q, r = np.linalg.qr(A)
    q[0] = 1.0
    return np.sum((u * s) @ vt) + np.sum((q @ r) ** 2)


@program("element stores", args=point)
def solution_of_several_results_scaled(x, n):
    A = np.outer(x, x)[:, :2] + np.eye(3)[:, :2]
    b, *_ = np.linalg.lstsq(A, x**2, rcond=None)
    b *= 3.0
    return b @ b


# --- elements in the order of memory


@program("views through a reshape", args=point, refused="may")
def elements_as_they_lie(x, n):
    b = np.asfortranarray(np.outer(x, x**2))
    return np.sum(b.ravel("A") * np.arange(9.0))


@program("views through a reshape", args=point, refused="may")
def store_through_what_was_made_along_an_axis(x, n):
    b = np.apply_along_axis(np.cumsum, 0, np.outer(x, x))
    c = b.ravel()
    c[1] = 5.0
    return np.sum(b**2)


@program("views through a reshape", args=point, refused="may")
def store_through_what_was_vectorized(x, n):
    b = np.vectorize(lambda t: t * t)(np.outer(x, x).T)
    c = b.reshape(9)
    c[1] = 5.0
    return np.sum(b**2)


@program("views through a reshape", args=point)
def axes_moved_by_several_ints(x, n):
    a = np.ones((2, 2, 2))
    a[:, 1] = x[:2]
    b = a.transpose(2, 0, 1)
    b[0] *= x[2]
    c = a.reshape(4, 2)
    c[1] -= 1.0
    return np.sum(a**3)


@program("element stores", args=point)
def flat_filled_again_and_again(x, n):
    a = np.zeros((2, 3))
    a.flat = x
    b = np.zeros((2, 2))
    b.flat = x
    c = np.zeros(3)
    c.flat = x[0]
    return np.sum(a * np.arange(6.0).reshape(2, 3)) * np.sum(b**2) + np.sum(c**2)


# --- tuples that are None on some paths, or in some turns


def roots_of(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return None
    s = np.sqrt(d)
    return (-b - s) / (2 * a), (-b + s) / (2 * a)


class Hit(NamedTuple):
    t: float
    p: np.ndarray


def hit(origin, along, radius):
    b = origin @ along
    q = b * b - (origin @ origin - radius * radius)
    if q < 0:
        return None
    t = -b - np.sqrt(q)
    if t < 0:
        t = -b + np.sqrt(q)
    if t < 0:
        return None
    return Hit(t, origin + t * along)


@program("None tests", args=point)
def roots_where_there_are_some(x, n):
    total = 0.0
    for b in x:
        r = roots_of(1.0, b, 0.2)
        if r is not None:
            total += r[0] * r[1] ** 2
    return total


@program("None tests", args=point)
def rays_that_hit_spheres(x, n):
    total = 0.0
    for radius in x:
        h = hit(np.array([0.0, 0.0, -2.0]) * x[0], np.array([0.0, 0.1, 1.0]), radius)
        if h:
            total += h.t * np.sum(h.p**2)
    return total


@program("None tests", args=point)
def pair_of_one_path(x, n):
    r = None
    if x[0] > 0.5:
        r = (x[0], x[1:] * 2)
    q = None
    if x[0] > 5.0:
        q = (x[1], x[1:] * 3)
    s = x[2]
    if r is not None:
        s = s + r[0] * np.sum(r[1] ** 2)
    if q is not None:
        s = s + q[0]
    return s


@program("None tests", args=point)
def best_so_far_with_its_place(x, n):
    best = None
    for i, s in enumerate(x):
        v = np.sin(s) * 3
        if best is None or v > best[0]:
            best = (v, i, s)
    v, i, s = best
    return v * s + x[i]


@program("None tests", args=point)
def nearest_pair(x, n):
    best = None
    i = 0
    while i < n:
        for j in range(n):
            d = (x[i] - x[j]) ** 2
            if i != j and (best is None or d < best[1]):
                best = ((i, j), d)
        i += 1
    (i, j), d = best
    return d * x[i] * x[j] ** 2


@program("None tests", args=point)
def running_mean_that_starts_empty(x, n):
    state = None
    for v in x:
        if state is None:
            state = (v, 1.0)
        else:
            m, k = state
            state = (m + (v - m) / (k + 1), k + 1)
    return state[0] ** 2


@program("None tests", args=point)
def segments_that_end(x, n):
    segment = None
    total = 0.0
    for v in x:
        if v > 0.5:
            segment = (v, v) if segment is None else (min(segment[0], v), max(segment[1], v))
        else:
            if segment is not None:
                total += segment[1] * segment[0] ** 2
            segment = None
    return total


@program("None tests", args=point)
def none_at_the_bottom_of_a_recursion(x, n):
    def folded(v, k):
        if k == 0:
            return None
        r = folded(v * 0.5, k - 1)
        if r is None:
            return v, 1.0
        return r[0] * v, r[1] + v

    a, b = folded(x[0], n)
    return a * b


@program("None tests", args=point)
def none_after_all(x, n):
    best = None
    for k in range(n):
        if x[k] > 0.6:
            best = (x[k], x[k] ** 2)
        elif k == 2:
            best = None
    return x[0] ** 2 if best is None else best[0] * best[1]


# --- containers of the run, and what goes on changing


@program("dict operations", args=point, refused="may")
def list_in_a_dict_of_run_time_keys(x, n):
    y = [1.0]
    d = {n: y}
    y[0] = 5.0
    return x[0] * d[n][0]


@program("dict operations", args=point, refused="may")
def list_changed_through_the_dict(x, n):
    y = [1.0]
    d = {}
    for i in range(n):
        d[i] = y
    d[1][0] = 5.0
    return x[0] * y[0]


@program("lists of lists", args=point, refused="may")
def one_list_in_every_row(x, n):
    y = [1.0]
    rows = [y for _ in range(n)]
    y[0] = 5.0
    return x[0] * rows[1][0]


@program("dict operations", args=point, refused="may")
def arrays_by_key_filled_and_summed(x, n):
    h = {}
    for i in range(n):
        h[i] = np.zeros(2)
        h[i][0] = x[i]
    return sum(v[0] for v in h.values())


@program("dict operations", args=point)
def neighbours_by_key(x, n):
    near = {}
    for i in range(n):
        found = []
        for j in range(n):
            if j != i:
                found.append(j)
        near[i] = found
    total = 0.0
    for i in near:
        for j in near[i]:
            total += x[i] * x[j] ** 2
    return total


LOG = []


@program("effects", args=point)
def log_of_active_values(x, n):
    total = 0.0
    for v in x:
        total += v * v
        LOG.append(total)
    return total


@program("effects", args=point, refused="may")
def log_that_is_read(x, n):
    LOG.clear()
    LOG.append(x[0])
    return LOG[-1] * 2


# --- attributes that are not there, and stores that raise


class Slotted:
    __slots__ = ("p", "q")

    def __init__(self, p):
        self.p = p


@program("methods and attributes", args=point)
def slot_that_is_not_set(x, n):
    g = Slotted(x[0])
    total = x[0] if hasattr(g, "q") else x[1] ** 2
    if getattr(g, "q", None) is None:
        g.q = x[2]
    return total * g.q * g.p


@dataclass(frozen=True)
class Frozen:
    a: float


@program("try", args=point)
def store_into_a_frozen_dataclass(x, n):
    t, r = Frozen(x[0]), 0.0
    try:
        t.a = x[2]
    except AttributeError:
        r = x[2] * 3
    s = Slotted(x[1])
    try:
        s.z = x[2]
    except AttributeError:
        r += s.p**2
    return t.a * r


@program("try", args=point)
def floats_added_to_an_array_of_ints(x, n):
    try:
        y = np.zeros(3, int)
        y += x
        r = x[0]
    except TypeError:
        r = x[1] * 2
    return r


@program("try", args=point, refused="may")
def item_of_a_tuple_changed_by_an_operator(x, n):
    t = (x.copy(), 1)
    try:
        t[0] += x[1]
    except TypeError:
        t[0][1] *= 3
    return np.sum(t[0] ** 2)


@program("straight line", args=point)
def ints_for_slopes(x, n):
    k = np.arange(n)
    return np.sum(k * x)


# --- what is not there counts for nothing


@program("straight line", args=lambda: (np.array([0.7, 1.1, 0.4]), np.array([1.0, np.nan, 2.0])), wrt=(0,))
def missing_observations(x, seen):
    return np.nanmean((seen - x) ** 2) + np.nansum(seen * x)


# --- arrays that are real until something complex is stored


@program("complex inside", args=point)
def complex_part_scaled_in_place(x, n):
    y = x + 1j
    y[1] *= x[1]
    for i in range(1, n):
        y[i] += y[i - 1] * 1j
    z = x[0] + 1j * np.arange(3)
    z[1:] *= x[1:]
    return np.sum(np.abs(y)) + np.sum(np.abs(z))


@program("complex inside", args=point)
def ints_and_a_complex_item(x, n):
    z = x * np.exp(1j * x)
    s = z[0] * 1j
    return (np.sum(np.arange(n) * z) + s).real


# --- a tuple that may be None, behind the test for it; type errors that a try waits for


@program("None tests", args=point)
def pairs_that_are_there_collected(x, n):
    def pair(v):
        if v < 0.5:
            return None
        return v, v * v

    found, by_place = [], {}
    for k, v in enumerate(x):
        r = pair(v)
        if r is None:
            continue
        found.append(r)
        by_place[k] = r
    return sum(a * b for a, b in found) + sum(a * b**2 for a, b in by_place.values())


@program("try", args=point)
def type_errors_of_what_is_not_used(x, n):
    total = 0.0
    try:
        n + "a"
        total += x[0]
    except TypeError:
        total += x[0] ** 2
    m = None
    try:
        z = m > 2
        total += x[1]
    except TypeError:
        total += x[1] ** 2
    try:
        n[0]
        total += x[2]
    except TypeError:
        total += x[2] ** 2
    try:
        i = [1, 2].index(7)
        total += x[i]
    except ValueError:
        total *= x[0]
    return total


@program("dict operations", args=point, refused="may")
def arrays_by_key_added_to_and_summed(x, n):
    d = dict((i, np.zeros(2)) for i in range(n))
    h = {}
    for i in range(n):
        d[i][0] = x[i]
        h[i] = np.zeros(2)
        np.add.at(h[i], [0, 0], x[i])
    return sum(v[0] for v in h.values()) + sum(v[0] for v in d.values())


# --- arrays that are of ints on some paths, which cut floats off


@program("coercions", args=point, refused="may")
def ints_on_one_path(x, n):
    a = np.array([1, 2, 3])
    if x[0] > 5:
        a = a / 2
    a[0] = 9.1 * x[0]
    return a[0] * x[1]


@program("coercions", args=point, refused="may")
def ints_by_a_number_that_is_one(x, n):
    v = 1 if n < 5 else 1.0
    a = np.full(3, v)
    a[0] = 9.1 * x[0]
    return a[0] * x[1]


def allocated(n, dtype=int):
    return np.zeros(n, dtype)


@program("coercions", args=point)
def ints_by_the_default_of_a_helper(x, n):
    a = allocated(n)
    a[0] = 9.1 * x[0]
    return a[0] * x[1]


# --- objects that only the run knows, and iterators that are left in the middle


class Cell:
    def __init__(self):
        self.k = 2.0

    def run(self, v):
        return v**2 * self.k

    def __add__(self, v):
        return v**3 * self.k


CELLS = [Cell(), Cell(), Cell()]


@program("methods and attributes", args=point, refused="may")
def methods_of_objects_by_index(x, n):
    return sum(CELLS[i].run(x[i]) for i in range(n))


@program("operator methods", args=point, refused="may")
def operators_of_objects_by_index(x, n):
    return CELLS[n - 2] + x[0]


@program("iterators", args=point, refused="may")
def iterator_left_in_the_middle(x, n):
    it = iter([x[0], x[1], x[2], 0.9])
    for v in it:
        if v > 1.0:
            break
    return v * sum(it)


# --- who says what an operator means


class Amount:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Amount(self.v + other.v)

    def __lt__(self, other):
        return self.v < other.v


class Scaled(Amount):
    def __radd__(self, other):
        return Scaled(3.0 * self.v + other.v)

    def __gt__(self, other):
        return self.v > 100.0 * other.v


@program("operator methods", args=point)
def derived_class_is_asked_first(x, n):
    s = Amount(x[0]) + Scaled(x[1] ** 2)
    return s.v * (x[0] ** 2 if Amount(x[0]) < Scaled(x[1]) else x[1] ** 3)


class Signal:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Signal(self.a + other.a, self.b) if isinstance(other, Signal) else NotImplemented

    def __or__(self, other):
        return self.a * other.b

    def __rshift__(self, function):
        return function(self.a)

    def __invert__(self):
        return Signal(self.b, self.a)

    def __eq__(self, other):
        return NotImplemented


class Gain:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return self.v * other.a


@program("operator methods", args=point)
def operators_left_to_the_other_side(x, n):
    s, t = Signal(x[0], x[1] ** 2), Signal(x[1], x[2])
    either = x[0] ** 2 if s == t else x[1] ** 3
    return (s + Gain(x[2] ** 2)) * (s | t) + (~s).a**2 * (t >> (lambda v: v**3)) + either


class Move(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Move(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Move(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Move(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Move(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __abs__(self):
        return (self @ self) ** 0.5

    def __call__(self, t):
        return self.x + t * self.y

    def __eq__(self, other):
        return abs(self.x - other.x) < 10.0

    def __lt__(self, other):
        return abs(self) < abs(other)

    __hash__ = None


@program("operator methods, namedtuples", args=point)
def namedtuple_with_operators(x, n):
    p, v = Move(x[0], x[1] ** 2), Move(1.0, x[2])
    for _ in range(n):
        v = v + 0.1 * (-p) * (p @ v)
        p += v * 0.1
    return abs(p) + p(x[0])


@program("operator methods, namedtuples", args=lambda: (Move(1.0, 2.0), Move(0.3, 0.4), 4))
def namedtuple_with_operators_as_an_argument(p, v, n):
    path = []
    for _ in range(n):
        v = v - p * 0.1
        p = p + v * 0.1
        path.append(p)
    return abs(path[-1] - path[0]) + sum(q @ q for q in path)


@program("operator methods, namedtuples", args=point)
def namedtuple_that_compares_in_part(x, n):
    p, q = Move(x[0], x[1]), Move(x[1], x[2] ** 2)
    first = (x[0] ** 2 if p == q else x[1] ** 3) + (p.x**3 if p < q else q.y)
    top = max(p, q, Move(2.0 * x[2], x[0]))  # asks __gt__, which is a tuple's
    return first + (p.y if p != q else q.x**2) + top.y * sorted([p, q])[0].x


class Paced(NamedTuple):
    a: float
    b: float

    def __iter__(self):
        return iter((2.0 * self[0], 3.0 * self[1]))


@program("operator methods, namedtuples", args=point, refused="may")
def namedtuple_with_items_of_its_own(x, n):
    u, v = Paced(x[0], x[1] ** 2)
    return u * v


class Septuple(float):
    def __mul__(self, other):
        return 7.0 * float(self) * other


SEVENFOLD = Septuple(2.0)


@program("mixed types", args=lambda: (Septuple(2.0), 3.0), wrt=1, refused="may")
def float_with_operators_of_its_own(d, y):
    return d * y**2 + SEVENFOLD * y


# --- attributes that a class hides


class Squared:
    @property
    def v(self):
        return self.__dict__["v"] * 2.0

    @v.setter
    def v(self, value):
        self.__dict__["v"] = value**2


@program("properties and class methods", args=point)
def property_over_an_attribute_of_its_name(x, n):
    held = Squared()
    held.v = x[0]
    return held.v * x[1]


# --- arrays of numbers that only the run knows


@program("coercions", args=point, refused="may")
def numbers_read_in_as_ints(x, n):
    a = np.fromiter((k for k in range(n)), dtype=int)
    a[0] = 9.1 * x[0]
    return np.sum(a * x)


@program("coercions", args=point, refused="may")
def array_by_a_key_of_the_run(x, n):
    a = {"a": np.array([1, 2, 3]), "b": np.ones(3)}["a" if n > 2 else "b"]
    a[0] = 9.1 * x[0]
    return np.sum(a * x)


@program("coercions", args=point, refused="may")
def full_of_what_may_be_an_int(x, n):
    a = np.full(3, max(n, 1.5))
    a[0] = 9.1 * x[0]
    return np.sum(a * x)


LINES = [np.polynomial.Polynomial([1.0, 2.0]), np.polynomial.Polynomial([1.0, 2.0, 3.0])]


@program("classes with a say", args=point, refused="may")
def product_that_is_called(x, n):
    return (LINES[n - 2] * x[0])(2.0)


# --- slices that are values


class Series:
    def __init__(self, values, labels):
        self.values, self.labels = values, labels

    def __getitem__(self, key):
        if isinstance(key, str):
            return self.values[self.labels.index(key)]
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self.values))
            return Series(self.values[start:stop:step], self.labels[start:stop:step])
        if isinstance(key, (list, tuple)):
            return [self[k] for k in key]
        return self.values[key]

    def __setitem__(self, key, value):
        self.values[key] = value

    def __delitem__(self, key):
        del self.labels[key]

    def __len__(self):
        return len(self.values)


@program("operator methods", args=point)
def object_that_is_cut(x, n):
    s = Series(x**2, ["a", "b", "c"])
    t = s[1:]
    s[:2] = x[1:]
    del s[0]
    return s["c"] * s[1] + t["b"] + t[0] + sum(s[["b", "c"]])


class Matrix:
    def __init__(self, d):
        self.d = d

    def __getitem__(self, key):
        rows, columns = key
        return Matrix(self.d[rows, columns])

    def __setitem__(self, key, value):
        self.d[key] = value.d if isinstance(value, Matrix) else value


@program("operator methods", args=point)
def object_that_is_cut_along_axes(x, n):
    m = Matrix(np.outer(x, x))
    m[0, 1:] = m[1, :2]
    m[:, 0] = x
    return np.sum(m[1:, :2].d) + np.sum(m[0, :].d ** 2)


@program("local lists", args=point)
def lists_cut_by_a_slice_with_a_name(x, n):
    s, back = slice(1, n), slice(None, None, -1)
    items = [v**2 for v in x]
    items = items[back]
    pair = [x[0], x[1], x[2] ** 2]
    pair[slice(1, 3)] = [pair[0], pair[1] * x[0]]
    first, second = (x[0], x[1] ** 2, x[2])[slice(0, 2)]
    return items[0] * x[1] + sum(items[s]) + sum(pair[slice(1, None)]) * first * second


@program("local lists", args=point)
def slices_of_lists_that_are_overwritten_by_an_operator(x, n):
    items = [x[0], x[1], x[2] ** 2]
    items[1:] += [x[0]]
    items[:2] *= 2
    held = {"a": [x[0], x[1]]}
    held["a"][1:] += [x[2]]
    return sum(items[1:]) * items[0] + sum(held["a"])


@program("local lists", args=point, refused="may")
def slices_of_run_time_lists_that_are_overwritten_by_an_operator(x, n):
    items = []
    for k in range(n):
        items.append(x[k] ** 2)
    items[:2] *= 2
    return sum(items[1:]) * items[0]


# --- NumPy on the left of an object


class Track:
    def __init__(self, d):
        self.d = d

    def __getitem__(self, i):
        return self.d[i]

    def __len__(self):
        return len(self.d)

    def __mul__(self, k):
        return Track([k * v * 10.0 for v in self.d])

    __rmul__ = __mul__


class Lump:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return np.sum(other) + self.v


@program("operator methods", args=point, refused="may")
def number_of_numpy_times_a_sequence(x, n):
    r = x[0] * Track([x[1], x[2]])
    return r[0] * r[1]


@program("operator methods", args=point, refused="may")
def array_beside_an_object(x, n):
    r = x + Lump(x[0])
    return r[0] * r[-1]


@program("operator methods", args=point)
def float_times_a_sequence(x, n):
    r = 2.0 * Track([x[1], x[2]]) * x[0]
    return r[0] * r[1]


class Weight:
    __array_ufunc__ = None

    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return np.sum(other) * self.v


@program("operator methods", args=point)
def object_that_numpy_asks(x, n):
    return x * Weight(x[0]) + x[1] * Weight(x[2])


@functools.total_ordering
class Grade:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v


@program("operator methods", args=point)
def comparisons_that_are_made_of_one(x, n):
    a, b = Grade(x[0]), Grade(x[1])
    return (a.v**2 if a >= b else b.v**3) + max(a, b).v * min([a, b]).v ** 2 + sorted([b, a])[0].v


# --- lists of constants that are joined: the constants differ


def tagged(items, x):
    s = 0.0
    for k in items:
        s += x[0] ** 2 if k == "a" else x[1]
    return s


@program("local lists", args=point)
def lists_of_names_that_are_joined(x, n):
    acts = ["tanh"] * (n - 1) + ["linear"]
    h = x[0]
    for act, w in zip(acts, x):
        h = h * w + 1.0
        if act == "tanh":
            h = np.tanh(h)
    both = ["a"] * n
    return h + tagged(["b"] + ["a"] * n, x) + tagged(both[:1] + ["b"] * n, x) + tagged(sum([both, ["b"]], []), x)


@program("local lists", args=point)
def lists_of_names_that_take_others(x, n):
    first, second, third = ["a"] * n, ["a"] * n, ["a" for k in range(n)]
    first[-1:] = ["b"]
    second[1:] = ["b"] * n
    third[0] = "b"
    return tagged(first, x) + 2.0 * tagged(second, x) + 3.0 * tagged(third, x)


@program("local lists", args=point)
def lists_of_constants_of_several_sorts(x, n):
    s = 0.0
    for k in [None] * n + ["b"]:
        s += x[0] ** 2 if k is None else x[1]
    for name, c in [("a", 2.0)] + [("b", 3.0)] * n:
        s += c * x[0] ** 2 if name == "a" else x[2]
    for k in [1] * n + ["a"]:
        s += x[0] ** 3 if k == "a" else x[1] ** 2
    for d in [{"k": "a"}] * n + [{"k": "b"}]:
        s += x[0] ** 2 if d["k"] == "a" else x[1]
    return s


@program("local lists", args=point, second=False)
def options_out_of_joined_lists(x, n):
    s = 0.0
    for mode in ["full"] * n + ["same"]:
        s = s * x[1] + np.sum(np.convolve(x, x, mode=mode) ** 2)
    return s


@program("local lists", args=point, refused="may")
def tuples_of_constants_that_are_replaced(x, n):
    items = [("a", 1.0) for k in range(n)]
    items[0] = ("b", 2.0)
    s = 0.0
    for name, c in items:
        s += c * x[0] ** 2 if name == "a" else c * x[1]
    return s


# --- private names, and functions that an object keeps


class Bank:
    __rate = 3.0

    def __init__(self, b):
        self.b = b
        self.__kept = b * 2

    def kept(self):
        return self.__kept * self.__rate

    def __apply(self, a):
        return a * self.__kept

    @property
    def __twice(self):
        return 2.0 * self.b

    def run(self, a):
        def inner(v):
            return v * self.__kept

        return self.__apply(a) ** 2 + inner(self.__twice) + sum(self.__kept * k for k in range(3))


class Branch(Bank):
    def __init__(self, b):
        super().__init__(b)
        self.__kept = b * 5

    def both(self):
        return self.__kept * self.kept()


@program("inheritance", args=point)
def private_names(x, n):
    bank, branch = Bank(x[0]), Branch(x[1])
    bank._Bank__kept = x[2]
    setattr(branch, "__kept", x[0])
    return bank.run(x[1]) + branch.both() + branch.kept() * x[0]


@program("inheritance", args=lambda: (Branch(1.5), 2.0))
def private_names_of_an_argument(b, y):
    return b.both() * y


class Handlers:
    def __init__(self):
        self.listed, self.named = [], {}

    def on(self, f):
        self.listed.append(f)
        return f

    def under(self, name):
        def keep(f):
            self.named[name] = f
            return f

        return keep


@program("partial and decorators", args=point)
def functions_that_an_object_keeps(x, n):
    handlers = Handlers()

    @handlers.on
    def square(u):
        return u**2 * len(handlers.listed)

    @handlers.under("cube")
    def cube(u):
        return u**3

    return x[0] ** 2 + handlers.listed[0](x[1]) * handlers.named["cube"](x[2]) + square(x[0])


# --- comprehensions and iterators that change something


@program("list comprehensions", args=point)
def comprehension_that_empties_a_list(x, n):
    v = [1.0, 2.0, 3.0]
    w = [v.pop() for k in range(n - 1)]
    u = [1.0, 2.0]

    def put(t):
        u.append(t)
        return t

    s = sum(put(k) for k in range(n))
    return x[0] * w[0] * len(v) + x[1] * s * len(u)


@program("iterators", args=point, refused="may")
def items_taken_by_a_comprehension(x, n):
    it = iter([1.0, 2.0, 3.0])
    w = [next(it) for k in range(n - 1)]
    return x[0] * w[1] + next(it)


def raised(v):
    v[0] = v[0] + 2.0
    return 1.0


@program("generator expressions", args=point, refused="may")
def generator_that_is_not_run(x, n):
    v = x * 1.0
    g = (raised(v) for k in range(n))
    return np.sum(v * x)


@program("map filter reduce", args=point, refused="may")
def map_that_is_not_run(x, n):
    v = x * 1.0
    g = map(raised, [v, v])
    return np.sum(v * x)


@program("generator expressions", args=point, refused="may")
def generator_that_is_run_later(x, n):
    items = [x[0], x[1], x[2]]
    g = (items.pop() for k in range(2))
    y = sum(items)
    return y + sum(g) ** 2


def renamed(y, v):
    u = v
    u[0] = 2.0
    return y


@program("effects", args=lambda: (np.array([1.0, 2.0, 3.0]), np.array([0.7, 1.1, 0.4])), wrt=1)
def argument_that_a_comprehension_overwrites(v, w):
    s = np.sum(v * w)
    return s + sum(renamed(v[1], v) for e in v) + np.sum(w)


# --- cotangents of values that are a number on one path and an array on another


@program("accumulators", args=lambda: (0.66, -0.77, np.linspace(-1.0, 1.5, 5), np.linspace(0.3, 1.2, 5) ** 2, 2))
def number_whose_cotangent_is_used_twice(x, y, v, w, n):
    m = v[:, None] - w[None, :]
    x = math.tanh(np.sum(v * y))
    s = 0.0
    for _ in range(n):
        s += math.tanh(w[1] * y * v[4])
    y += math.tanh(x)
    k = 0
    while k < 3 and y < 0.5:
        a = 0.0
        for i in range(3):
            a += m * (i + 0.5)
        y = math.tanh(np.sum(np.mean(a, axis=-1, keepdims=True)) * 0.5)
        k += 1
    return x + y + s


@program("accumulators", args=lambda: (0.66, np.linspace(0.3, 1.2, 5), 3))
def two_names_of_an_array_that_was_a_number(x, w, n):
    a = 0.0
    b = a
    for _ in range(1, n):
        x = np.sum(a * b)
        a = 0.5 + w
        b = a
    return x


# --- methods of lists that are handed on, slices that are overwritten, attributes that are deleted


@program("map filter reduce", args=point)
def append_that_is_mapped(x, n):
    q, p = list(x), [4, x[0], 0.5]
    t = len(list(map(q.append, x)))
    s = len(list(map(p.append, x)))
    return sum(q) * t + sum(p) ** 2 * s


@program("local lists", args=point)
def slice_of_a_run_time_list_that_is_repeated(x, n):
    names, y = [], x[0]
    for _ in range(n):
        names.append("a")
    names[:1] *= 2
    names[:1] = ["b", "c"]
    for name in names:
        y = math.tanh(y) + (0.5 if name == "b" else 0.0)
    return y


class Kept:
    rate = 2.0

    def __init__(self, v):
        self.v = v


@program("methods and attributes", args=point)
def attributes_that_are_deleted(x, n):
    kept, s = Kept(x[0]), 0.0
    kept.rate = x[1]
    first = kept.rate
    del kept.rate
    for k in range(n):
        kept.w = x[k]
        s += kept.w**2
        del kept.w
    return kept.v * kept.rate * first + s * (1.0 if hasattr(kept, "w") else 2.0)


@program("local lists", args=point)
def slices_of_active_lists_that_are_stored(x, n):
    grown = []
    for k in range(n):
        grown.append(x[k] ** 2)
    other = grown
    grown[0:2] = grown[0:2][::-1]
    grown[1:] = [x[0], x[1] * x[2], x[0] ** 3]
    grown[::3] = [x[2], x[1]]
    grown[1:2] = []
    for i in range(n - 1):
        grown[i : i + 2] = [grown[i + 1] * 0.5, grown[i] + 1.0]
    known = [x[0], x[1], x[2] ** 2]
    known[1:n] = [x[0] ** 2]
    return sum(v * (k + 1) for k, v in enumerate(other)) * sum(known)


@program("local lists", args=point)
def slices_of_lists_that_are_deleted(x, n):
    last, known, names = [], [x[0], x[1], x[2] ** 2, 0.5], ["a", "b", "c"] * n
    for k in range(n):
        last.append(x[k] ** 2)
        if len(last) > 2:
            del last[:-2]
    del known[1:2], known[: n - 2]
    del names[1:3]
    return sum(v * (k + 1) for k, v in enumerate(last)) * sum(known) + (x[1] if names[1] == "a" else len(names))


def drained(x, v, w, n):
    np.add.at(v, [1, 1, 2], v[1] * v[0])
    q = list(w)
    t = sum([q.append(0.5 * k) or len(q) for k in range(n)])
    return x + sum(q) + 0.0 * t


def down(k, x, y, v, w):
    if k == 0:
        return x
    return 0.5 * down(k - 1, y, x, w, v) + drained(x, v, w, k)


@program(
    "run-time lists", args=lambda: (0.6, -0.7, np.array([0.7, 1.1, 0.4]), np.array([0.3, 0.9, 1.4]), 2), wrt=(0, 2)
)
def list_of_unknown_length_that_is_appended_to(x, y, v, w, n):
    return down(n, x, y, v, w)


# --- exceptions that a try waits for: of names without a value, of None, of numbers that do not fit


@program("try", args=point, refused="may")
def name_that_a_loop_may_leave_unbound(x, n):
    for i in range(n - 3):
        c = x[i]
    try:
        y = x[1] * c
    except UnboundLocalError:
        y = x[1] ** 2
    return y


@program("try", args=point, refused="may")
def target_of_a_loop_that_does_not_turn(x, n):
    for v in x[n:]:
        pass
    try:
        return v * x[0]
    except NameError:
        return x[0] ** 2


@program("try", args=point, refused="may")
def search_that_finds_nothing(x, n):
    def g(x):
        for v in x:
            if v > 5:
                found = v
        try:
            return found * x[0]
        except Exception:
            return x[0] ** 3

    return g(x)


@program("try", args=point)
def number_that_is_none_is_added(x, n):
    y = x[0] if n == 2 else None
    try:
        z = y + x[1]
    except TypeError:
        z = x[1] ** 2
    return z


@program("try", args=point)
def first_comparison_with_none(x, n):
    best = None
    s = 0.0
    for v in x:
        try:
            better = v > best
        except TypeError:
            better = True
        if better:
            best = v
        s = s + best
    return s


@program("try", args=point)
def function_that_returns_nothing(x, n):
    def h(x):
        if n == 2:
            return x[0]

    try:
        z = h(x) * 2
    except TypeError:
        z = x[1] ** 2
    return z


@program("try", args=point)
def float_of_none(x, n):
    y = x[0] if n == 2 else None
    try:
        z = float(y)
    except TypeError:
        z = x[1] ** 2
    return z


@program("try", args=point)
def imaginary_factor_of_floats(x, n):
    y = x * 2
    try:
        y *= 1j
        z = np.sum(y.real)
    except TypeError:
        z = np.sum(x**2)
    return z


@program("try", args=point)
def imaginary_output_among_floats(x, n):
    y = x * 2
    try:
        np.multiply(y, 1j, out=y)
        z = np.sum(y.real)
    except TypeError:
        z = np.sum(x**2)
    return z


@program("try", args=point)
def floats_written_among_ints(x, n):
    k = np.array([1, 2, 3])
    try:
        np.add(k, x, out=k)
        z = np.sum(k * x)
    except TypeError:
        z = np.sum(x**2)
    return z


@program("try", args=point)
def items_of_none(x, n):
    best = None
    for i in range(n):
        try:
            better = x[i] > best[0]
        except TypeError:
            better = True
        if better:
            best = (x[i] * 1.0, i)
    return best[0] ** 2


@program("try", args=point)
def none_unpacked(x, n):
    best = None
    for i in range(n):
        if i == 1:
            best = (x[i] * 2, i)
    try:
        a, b = best
    except TypeError:
        a = x[0] ** 2
    return a * 2


@program("try", args=point)
def none_that_is_added_to(x, n):
    y = x[0] if n == 2 else None
    z = x[1]
    try:
        y += z
        z = y
    except Exception:
        z = x[1] ** 2
    return z


@program("try", args=point)
def sine_of_none(x, n):
    y = x[0] if n == 2 else None
    try:
        z = np.sin(y)
    except Exception:
        z = x[1] ** 2
    return z


# --- numbers where arrays are expected


@program("coercions", args=point)
def products_with_literals(x, n):
    polynomials = np.polymul(x, 2.0) * x + np.polymul(3, x) + np.convolve(2.0, x) * x + np.convolve(x, 2) * n
    return np.sum(polynomials + np.dot(3.0, x) * x + np.dot(x, 2) + x.dot(2.0) * x + np.tensordot(2.0, x, axes=0) * x)


# --- lists, sets and dicts of numbers that library functions made, and that change: their lengths are those of the moment


@program("local lists", args=point)
def values_by_appending_to_a_list_of_zeros(x, n):
    q = list(np.zeros(5))
    t = sum([q.append(0.5) or len(q) for k7 in range(n)])
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * t


@program("local lists", args=point)
def pairs_that_append(x, n):
    q = list(np.zeros(5))
    t = [(q.append(0.5 * i), len(q))[1] for i in range(n)]
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(t) + sum(t) * x[0]


@program("local lists", args=point)
def tests_that_append(x, n):
    q = list(np.zeros(5))
    t = [i for i in range(n) if not q.append(0.5 * i)]
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(t) + sum(t) * x[0]


@program("local lists", args=point)
def list_that_its_test_pops_from(x, n):
    d = list(np.zeros(4))
    while d and d.pop() < 1 and len(d) > 2:
        d.insert(0, 1.0)
        d.pop()
    return x[0] * len(d) + x[1] * sum(d)


@program("local lists", args=point)
def appends_for_their_truth(x, n):
    d = list(np.zeros(4))
    s = 0
    for i in range(n):
        d.append(i) or d.append(2 * i)
        s += len(d) * x[i]
        (i > 0 and d.pop())
    return x[0] * len(d) + x[1] * sum(d) + s


@program("local lists", args=point)
def list_of_zeros_that_is_added_to(x, n):
    q = list(np.zeros(5))
    o = q
    q += [0.5]
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(o)


@program("local lists", args=point)
def list_of_ones_that_is_repeated(x, n):
    q = list(np.ones(5))
    o = q
    q *= 2
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(o)


@program("local lists", args=point)
def list_of_ones_that_is_cut(x, n):
    q = list(np.ones(5))
    o = q
    del q[1:3]
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(o)


@program("local lists", args=point)
def list_of_ones_that_gets_a_slice(x, n):
    q = list(np.ones(5))
    o = q
    q[1:3] = [1.0, 2.0, 3.0, 4.0]
    return x[0] * len(q) + x[1] * q[-1] * sum(q) * len(o)


@program("local lists", args=point)
def lengths_of_a_dict_that_grows(x, n):
    d = dict(zip("abc", np.ones(3)))
    o = d
    s = 0.0
    for i in range(n):
        d[str(i)] = 2.0 * i
        s += len(o) * x[i] * sum(o.values())
    return s


@program("local lists", args=point)
def lengths_of_a_set_that_grows(x, n):
    d = set(np.arange(n))
    o = d
    s = 0.0
    for i in range(n):
        d.add(10 + i)
        s += len(o) * x[i] * sum(o)
        d.discard(i)
    return s


@program("local lists", args=point)
def deque_of_numbers_that_is_turned(x, n):
    d = collections.deque(np.arange(4.0))
    o = d
    s = 0.0
    for i in range(n):
        d.rotate(1)
        s += len(o) * x[i] * o[0]
        d.popleft()
    return s


@program("local lists", args=point)
def rows_of_numbers_that_grow(x, n):
    rows = np.arange(6.0).reshape(3, 2).tolist()
    o = rows
    s = 0.0
    for i in range(n):
        rows[i].append(1.0)
        s += len(o[0]) * x[i] * sum(o[i])
        rows.append([2.0])
        s += len(o) * x[i]
    return s


@program("local lists", args=point)
def items_that_operator_sets(x, n):
    q = list(np.arange(4.0))
    t = sum([operator.setitem(q, 0, i * 2.0) or q[0] for i in range(n)])
    return t * x[0] + q[0] * x[1]


@program("local lists", args=point)
def tests_that_append_to_one_of_several(x, n):
    q = list(np.arange(4.0))
    o = [q, q]
    t = any(o[i % 2].append(1.0) or len(q) > 5 for i in range(n))
    return (1.0 + t) * x[0] + len(q) * x[1]


@program("local lists", args=point)
def breadth_first_search(x, n):
    q = collections.deque([0])
    seen = {0}
    s = 0.0
    nb = {0: [1, 2], 1: [2], 2: []}
    while q:
        k = q.popleft()
        s += x[k] ** len(seen) * (1 + len(q))
        for j in nb[k]:
            if j not in seen:
                seen.add(j)
                q.append(j)
    return s


@program("local lists", args=point)
def set_with_two_names(x, n):
    a = {1, 2}
    b = a
    s = 0.0
    b.add(5)
    for i in range(n):
        a.add(i)
        if i in b:
            s += x[i] * len(b)
    return s


@program("local lists", args=point)
def set_that_is_joined(x, n):
    done = set([0])
    s = x[0]
    while len(done) < n:
        j = max(done) + 1
        done |= {j}
        s = s * x[j] + len(done)
    return s


@program("local lists", args=point)
def lists_changed_by_operator(x, n):
    q = list(np.arange(4.0))
    o = q
    operator.iadd(q, [1.0])
    t = [operator.iconcat(q, [2.0])[0] for i in range(n)]
    operator.delitem(q, 0)
    operator.setitem(q, slice(0, 2), [1.0, 2.0, 3.0])
    return x[0] * len(o) + x[1] * sum(q) + sum(t) * x[2]


@program("local lists", args=point)
def length_before_an_append(x, n):
    c = [1, 2, 3]
    s = 0.0
    for k in range(2):
        s += ((0, len(c), c.append(3))[1]) * x[k] ** 2
    return s * len(c)


@program("local lists", args=point)
def length_of_numbers_before_an_append(x, n):
    c = list(np.arange(1.0, 5.0))
    s = 0.0
    for k in range(2):
        s += ((0, len(c), c.append(3))[1]) * x[k] ** 2
    return s * len(c)


@program("local lists", args=point)
def lengths_between_pops_of_a_deque(x, n):
    c = collections.deque([1, 2, 3])
    s = 0.0
    for k in range(2):
        s += ([len(c), c.pop(), len(c)][0]) * x[k] ** 2
    return s * len(c)


@program("local lists", args=point)
def last_item_and_the_one_popped(x, n):
    c = list(np.arange(1.0, 5.0))
    s = 0.0
    for k in range(2):
        s += (c[-1] * c.pop()) * x[k] ** 2
    return s * len(c)


@program("local lists", args=point, refused="may")
def set_with_two_names_that_is_joined(x, n):
    c = set()
    t = c
    s = x[0]
    for k in range(3):
        c |= {k, 7}
        s = len(t) * s * x[1]
    return s


@program("local lists", args=point, refused="may")
def counter_with_two_names(x, n):
    c = collections.Counter("aab")
    t = c
    c += collections.Counter("b")
    return x[0] * t["b"] * len(t)
