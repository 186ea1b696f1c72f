"""Programs in which arrays, objects and variables are met under several names across calls that may stay calls.

Each takes an array of four numbers and a number. Those of KEPT have calls that stay calls where all are kept; in those
of WRITTEN_OUT the calls do what no summary says.
"""

import math
from dataclasses import dataclass

import numpy as np

KEPT, WRITTEN_OUT = [], []
#: programs whose gradient has no derivative
ONCE = []


def kept(f):
    KEPT.append(f)
    return f


def written_out(f):
    WRITTEN_OUT.append(f)
    return f


def once(f):
    ONCE.append(f)
    return f


# --- functions that are called


def relax(u, a):
    u[1:-1] += a * (u[2:] - u[:-2])
    u[0] = u[1] * np.sin(u[-1])


def scaled(u, a):
    u *= a
    u += a * a
    return np.sum(u * u)


def first_then_all(u, a):
    v = u[:2]
    v[0] = a * u[3]
    u[2] = v[0] * v[1]
    v *= u[2]


def mixed(u, v, a):
    u[0] = v[1] * a
    v[2] = u[0] * u[1] * a
    u[3] = v[2] + v[0] * 2.0


def reads_other(u, v, a):
    t = np.sin(v) * a
    u[:] = t * u + v
    return np.sum(t)


def same(u, a):
    u[1] *= a
    u[2] = np.sin(u[1]) + a
    return u


def part(u, a):
    u[0] = a * u[1]
    return u[1:3]


def fresh(u, a):
    t = np.tanh(u * a)
    return t * t + u


def perhaps(u, a):
    if a > 0.2:
        u[0] = a * u[1]
    else:
        u[1] = a
    return u[0] * u[1]


def in_a_loop(u, a):
    for i in range(1, len(u)):
        u[i] = u[i - 1] * a + np.sin(u[i])


def nested_call(u, a):
    relax(u, a)
    t = scaled(u, 0.5 * a)
    relax(u, t * 0.01)
    return t


def swapped(u, v):
    for i in range(len(u)):
        t = u[i]
        u[i] = v[i] * 1.5
        v[i] = t * t


def ordered(u):
    u.sort()
    u[0] *= 3.0


def filled(u, a):
    s = np.sum(u)
    u.fill(a)
    u[1] = s * a


def out_of(u, v, a):
    np.multiply(u, a, out=v)
    np.add(v, u, out=u)


def masked(u, a):
    u[u > 0.5] *= a
    u[[0, 2]] = u[[2, 0]] * a


def rows(m, a):
    for row in m:
        row *= a
        row[0] = row[1] * row[1]


def columns(m, a):
    m[:, 0] = m[:, 1] * a
    m.T[1] += m[0, 0]


# --- one array, several names


@kept
def in_a_loop_from_two_places(u, a):
    for _ in range(3):
        relax(u, a)
        relax(u, 0.5 * a)
    return np.sum(u * u)


@kept
def two_arrays(u, a):
    v = u * a
    relax(u, a)
    relax(v, 0.1)
    return np.sum(u * v)


@kept
def what_was_read_before(u, a):
    v = u * u
    w = u[1]
    relax(u, a)
    relax(u, w)
    return np.sum(u * v)


@kept
def a_view_taken_before(u, a):
    v = u[1:]
    relax(u, a)
    v[0] *= 2.0
    relax(u, v[1] * 0.1)
    return np.sum(v * v)


@kept
def a_view_is_given(u, a):
    v = np.concatenate([u, u * a])
    relax(v[:4], a)
    relax(v[3:], 0.3)
    return np.sum(v * v * v)


@kept
def every_second_one(u, a):
    v = np.concatenate([u, u * a])
    relax(v[::2], a)
    relax(v[1::2], 0.3)
    return np.sum(v * v * v)


@kept
def turned_round(u, a):
    relax(u[::-1], a)
    relax(u, a)
    return np.sum(u * u[::-1])


@kept
def views_within(u, a):
    first_then_all(u, a)
    first_then_all(u, 0.3)
    return np.sum(u * u)


@written_out
def the_same_twice(u, a):
    mixed(u, u, a)
    mixed(u, u, 0.3)
    return np.sum(u * u)


@written_out
def overlapping(u, a):
    v = np.concatenate([u, u])
    mixed(v[:4], v[2:6], a)
    mixed(v[2:6], v[:4], 0.3)
    return np.sum(v * v)


@kept
def other_parts(u, a):
    v = np.concatenate([u, u])
    w = v * 1.0
    mixed(v[:4], w[2:6], a)
    mixed(w[:4], v[4:], 0.3)
    return np.sum(v * w)


@kept
def two_that_are_copies(u, a):
    v = u.copy()
    mixed(u, v, a)
    mixed(v, u, 0.3)
    return np.sum(u * v)


@kept
def one_is_read(u, a):
    v = u * u
    s = reads_other(u, v, a)
    t = reads_other(v, u, 0.4)
    return np.sum(u * v) + s * t


@written_out
def read_and_written(u, a):
    s = reads_other(u, u, a)
    t = reads_other(u, u[::-1], 0.4)
    return np.sum(u) + s * t


@kept
def on_one_path(u, a):
    s = perhaps(u, a)
    t = perhaps(u, 0.1)
    return np.sum(u * u) + s * t


@kept
def element_by_element(u, a):
    in_a_loop(u, a)
    in_a_loop(u, 0.3)
    return np.sum(u * u)


@kept
def calls_in_calls(u, a):
    s = nested_call(u, a)
    t = nested_call(u, 0.3)
    return np.sum(u * u) + s * t


@kept
def a_swap(u, a):
    v = u * a
    swapped(u, v)
    swapped(v, u)
    return np.sum(u * u * v)


@kept
def names_are_swapped(u, a):
    v = u * a
    for _ in range(3):
        relax(u, a)
        u, v = v, u
    relax(u, 0.3)
    return np.sum(u * u * v)


@kept
def sorted_in_place(u, a):
    u *= a
    ordered(u)
    u[3] *= -1.0
    ordered(u)
    return u[0] * u[1] + u[3]


@kept
def filled_with_one_number(u, a):
    filled(u, a)
    u[0] += a
    filled(u, u[0])
    return np.sum(u)


@kept
def ufuncs_with_out(u, a):
    v = np.zeros(4)
    out_of(u, v, a)
    out_of(v, u, 0.3)
    return np.sum(u * v)


@kept
def masks_and_indices(u, a):
    masked(u, a)
    masked(u, 1.3)
    return np.sum(u * u)


@kept
def rows_of_a_matrix(u, a):
    m = np.outer(u, u)
    rows(m, a)
    rows(m[1:], 0.3)
    return np.sum(m * m)


@kept
def columns_of_a_matrix(u, a):
    m = np.outer(u, u)
    columns(m, a)
    columns(m.T, 0.3)
    return np.sum(m * m)


@kept
def a_row_is_given(u, a):
    m = np.outer(u, u)
    relax(m[1], a)
    relax(m[:, 2], 0.3)
    return np.sum(m * m)


@kept
def each_row_in_turn(u, a):
    m = np.outer(u, u)
    for i in range(4):
        relax(m[i], a)
        relax(m[i], 0.1)
    return np.sum(m * m)


@kept
def overwritten_in_between(u, a):
    relax(u, a)
    u[1] = a
    relax(u, a)
    u[:] = u * u
    relax(u, 0.2)
    return np.sum(u)


@kept
def what_is_inactive_becomes_active(u, a):
    v = np.ones(4)
    relax(v, a)
    relax(v, np.sum(u) * 0.1)
    return np.sum(v * u)


@kept
def zeros_at_first(u, a):
    v = np.zeros(4)
    for k in range(3):
        v[k] = u[k]
        relax(v, a)
    relax(v, 0.1)
    return np.sum(v * v)


@kept
def in_a_branch(u, a):
    if a > 0.5:
        relax(u, a)
    else:
        u[0] = 1.0
    relax(u, 0.3)
    return np.sum(u * u)


@kept
def while_it_is_large(u, a):
    n = 0
    while n < 5:
        n += 1
        relax(u, a * 0.3)
        if np.sum(u * u) < 1.0:
            break
        relax(u, 0.2)
    return np.sum(u * u)


@kept
def leaves_early(u, a):
    for _ in range(3):
        relax(u, a)
        if u[1] > 10.0:
            return np.sum(u)
        relax(u, 0.3)
    return np.sum(u * u)


# --- what is returned


@kept
def what_is_returned_is_the_argument(u, a):
    v = same(u, a)
    v[3] = a * a
    w = same(v, 0.3)
    w[0] += u[3]
    return np.sum(u * w)


@kept
def returned_and_rebound(u, a):
    v = u.copy()
    for _ in range(3):
        v = same(v, a)
    w = same(u, 0.3)
    return np.sum(v * w)


@written_out
def a_part_is_returned(u, a):
    v = part(u, a)
    v[0] = a
    w = part(u, 0.3)
    w *= u[0]
    return np.sum(u * u)


@kept
def what_is_new_is_stored_into(u, a):
    v = fresh(u, a)
    v[0] = a * u[1]
    w = fresh(v, 0.3)
    w *= v
    return np.sum(w * u)


@kept
def one_of_two_is_returned(u, a):
    def both(p, q):
        p[0] = q[1] * a
        q[1] = p[0] * p[2]
        return q, p

    x, y = both(u, u * u)
    x[2] = a * y[0]
    z, _ = both(y, x)
    z[3] *= 2.0
    return np.sum(u * x) + np.sum(y)


@kept
def results_share_nothing(u, a):
    def two(p):
        t = np.sin(p) * a
        p[0] = t[1]
        return t, t * p

    x, y = two(u)
    x[0] = 3.0 * a
    z, w = two(y)
    w[1] = x[0]
    return np.sum(x * y) + np.sum(z * w * u)


@written_out
def results_are_one_array(u, a):
    def two(p):
        t = np.sin(p) * a
        t[0] = p[1]
        return t, t[1:]

    x, y = two(u)
    y[0] = 3.0 * a
    z, w = two(x)
    w *= 2.0
    return np.sum(x * z)


# --- variables of functions around


@kept
def a_captured_array(u, a):
    v = u * a

    def change(k):
        v[1:] += k * v[:-1] * u[0]
        v[0] = np.sum(v) * k

    change(a)
    u[0] *= 2.0
    change(0.3)
    return np.sum(u * v)


@written_out
def captured_and_given(u, a):
    v = u * a

    def change(w, k):
        w[1:] += k * v[:-1]
        v[0] = np.sum(w) * k

    change(v, a)
    change(v[:], 0.3)
    return np.sum(v * v)


@kept
def a_captured_number(u, a):
    total = 1.0

    def add(v, k):
        nonlocal total
        t = np.sin(v) * k
        total += np.sum(t) * total
        v[0] = total * 0.1
        return t

    x = add(u, a)
    y = add(x, 0.3)
    return total + np.sum(x * y * u)


@kept
def a_captured_name_is_bound_anew(u, a):
    v = u * a

    def turn(k):
        nonlocal v
        w = np.cos(v) * k
        v = w * v + u
        return np.sum(w)

    s = turn(a)
    w = v
    t = turn(0.3)
    w[0] = 5.0 * a
    return s * t + np.sum(v * w)


@kept
def two_closures_over_one(u, a):
    count = 0.0
    v = u * 1.0

    def up(k):
        nonlocal count
        count += k * k + math.sin(count)
        v[0] += count
        return count * k

    def down(k):
        nonlocal count
        count -= k * math.cos(count) + up(0.1)
        v[1] *= count
        return count

    return up(a) * down(a) * up(0.3) * down(0.2) + np.sum(v * v)


@kept
def a_counter_made_by_a_function(u, a):
    def counter():
        n = 0.0

        def step(k):
            nonlocal n
            n = n * k + math.sin(k) + k * k
            return n * n + n

        return step

    one, other = counter(), counter()
    return one(u[0]) * other(a) + one(u[1]) * other(u[2]) + one(a)


# --- objects


class Body:
    def __init__(self, pos, vel):
        self.pos = pos
        self.vel = vel
        self.age = 0

    def move(self, a):
        f = -self.pos * a
        self.vel += f * a
        self.pos = self.pos + self.vel * a
        self.age += 1
        return np.sum(self.vel * f)

    def drift(self, a):
        self.pos += self.vel * a
        self.vel[0] = self.pos[1] * self.pos[0]
        return self


@kept
def a_method_changes_its_object(u, a):
    b = Body(u, u * a)
    s = b.move(a)
    t = b.move(0.3)
    return s * t + np.sum(b.pos * b.vel) * b.age


@kept
def two_objects(u, a):
    b, c = Body(u, u * a), Body(u * u, u * 2.0)
    total = 0.0
    for _ in range(3):
        total += b.move(a) * c.move(0.3)
        b.vel[1] = total * 0.01
    return total + np.sum(b.pos * c.vel)


@kept
def the_array_of_an_attribute_is_changed(u, a):
    b = Body(u, u * a)
    b.drift(a)
    b.drift(0.3)
    return np.sum(u * b.vel)


@written_out
def two_attributes_are_one_array(u, a):
    b = Body(u, u)
    b.drift(a)
    b.drift(0.3)
    return np.sum(u * b.vel)


@kept
def two_objects_with_one_array(u, a):
    b, c = Body(u, u * a), Body(u, u * 0.3)
    b.drift(a)
    c.drift(0.2)
    b.drift(0.3)
    return np.sum(b.pos * c.vel) + np.sum(b.vel)


@kept
def a_method_returns_its_object(u, a):
    b = Body(u, u * a)
    c = b.drift(a).drift(0.3)
    c.pos[0] = 2.0 * a
    c.vel = c.vel * 3.0
    return np.sum(b.pos * b.vel)


@kept
def an_object_under_two_names(u, a):
    b = Body(u, u * a)
    c = b
    b.move(a)
    c.vel[0] = a
    c.move(0.3)
    return np.sum(b.pos * c.vel) * b.age


@kept
def an_argument_is_kept(u, a):
    def put(b, v, k):
        b.pos = v
        b.vel = v * k + np.sin(v)
        v[0] = k * b.vel[1]

    b = Body(u * 2.0, u * a)
    put(b, u, a)
    u[1] = 4.0 * a
    c = Body(b.vel * 1.0, b.pos)
    put(c, b.vel, 0.3)
    b.vel[2] *= 2.0
    return np.sum(b.pos * c.pos) + np.sum(c.vel)


@kept
def an_object_is_made(u, a):
    def make(v, k):
        w = np.sin(v) * k
        w[0] = v[1]
        return Body(v, w)

    b, c = make(u, a), make(u * a, 0.3)
    u[0] = a
    b.vel[1] = u[0] * 2.0
    c.pos *= b.pos
    return np.sum(b.pos * b.vel) + np.sum(c.pos * c.vel)


@kept
def two_objects_meet(u, a):
    def bounce(b, c, k):
        t = (b.vel + c.vel) * k
        b.vel = t - c.vel
        c.vel[:] = t * b.pos
        b.pos, c.pos = c.pos, b.pos
        return np.sum(t)

    b, c = Body(u, u * a), Body(u * u, u * 3.0)
    s = bounce(b, c, a)
    b.pos[0] = 7.0 * a
    t = bounce(c, b, 0.3)
    return s * t + np.sum(b.pos * c.vel) + np.sum(b.vel * c.pos)


@kept
def an_object_meets_itself(u, a):
    def bounce(b, c, k):
        t = (b.vel + c.vel) * k
        b.vel = t - c.vel
        c.vel = t * b.pos + b.vel
        return np.sum(t)

    b = Body(u, u * a)
    s = bounce(b, b, a)
    t = bounce(b, b, 0.3)
    return s * t + np.sum(b.pos * b.vel)


@dataclass
class Model:
    weight: float
    state: np.ndarray

    def __call__(self, v):
        self.state = np.tanh(self.weight * v + self.state)
        self.weight *= 0.9
        return self.state * v


@kept
def a_callable_with_a_state(u, a):
    m = Model(a, u * u)
    x = m(u)
    y = m(x)
    m.weight = 2.0 * a
    return np.sum(m(y) * x)


@kept
def an_object_that_is_an_argument(u, a):
    def inner(m, v):
        m.state[1] = a * v[0]
        m.weight = m.weight + m.state[1] * a
        return m(v)

    m = Model(0.5, u)
    return np.sum(inner(m, u * a) * inner(m, u[::-1] * 1.0)) + m.weight


# --- containers


@kept
def a_list_is_changed(u, a):
    def rotate(items, k):
        x, y, z = items
        items[0] = y * k + z
        items[2] = np.sin(x) * items[0]
        return np.sum(x)

    items = [u, u * a, u * u]
    s = rotate(items, a)
    t = rotate(items, 0.3)
    return s * t + np.sum(items[0] * items[2])


@kept
def arrays_in_a_list_are_changed(u, a):
    def change(items, k):
        for v in items:
            v[0] = v[1] * k
            v *= k

    items = [u, u * a]
    change(items, a)
    items.append(u * 2.0)
    change(items[1:], 0.3)
    return np.sum(u * items[1] * items[2])


@kept
def a_dict_is_changed(u, a):
    def update(d, k):
        t = d["x"] * k
        d["x"] = t * d["y"]
        d["y"][0] = np.sum(t)
        return t

    d = {"x": u, "y": u * a}
    s = update(d, a)
    t = update(d, 0.3)
    return np.sum(s * t * d["x"]) + np.sum(d["y"]) + np.sum(u)


@kept
def a_dict_gets_a_key(u, a):
    def cached(d, v, k):
        if "s" not in d:
            d["s"] = np.sin(v) * k
        d["s"] = d["s"] * k + v
        return d["s"] * v

    d, e = {}, {}
    x, y = cached(d, u, a), cached(e, u, a)
    y[0] = 2.0
    return np.sum(cached(d, x, a) * y) + np.sum(cached(e, y, 0.3) * e["s"])


@kept
def a_list_grows(u, a):
    def note(items, v, k):
        t = np.sin(v) * k
        items.append(t * v)
        items[0] = items[-1] * items[0]
        return t

    items = [u]
    x = note(items, u, a)
    y = note([u * 2.0], x, 0.3)
    return np.sum(x * y * items[0]) + len(items) * np.sum(items[1])


@kept
def a_tuple_of_arrays(u, a):
    def change(pair, k):
        x, y = pair
        x[0] = y[1] * k
        y[:] = x * y
        return x, y * k

    p = change((u, u * a), a)
    q = change(p, 0.3)
    return np.sum(p[0] * q[1]) + np.sum(u)


# --- what else may happen in a call


@kept
def what_raises_when_a_number_is_large(u, a):
    def checked(v, k):
        v[0] *= k
        if v[0] > 1e6:
            raise ValueError("too large")
        v[1:] += v[:-1] * k
        return v[1] * k

    return checked(u, a) * checked(u, 0.3) + np.sum(u)


@kept
def after_a_try(u, a):
    s = 1.0
    try:
        if a > 0.5:
            raise ValueError("large")
        s = a * 3.0
    except ValueError:
        relax(u, a)
    relax(u, 0.3)
    return s + np.sum(u * u)


@kept
def in_conditions(u, a):
    def large(v, k):
        v[0] = v[1] * k
        v[2] *= v[0] + k
        return np.sum(v) > k

    s = 1.0
    if large(u, a):
        s = a
    while large(u, 0.3) and s < 3.0:
        s += 1.0 + u[0] * 0.1
    return s + np.sum(u * u)


@kept
def lengths_that_differ(u, a):
    relax(u[:3], a)
    relax(u, 0.3)
    m = np.concatenate([u, u, u])
    relax(m[2:9], a)
    return np.sum(m * m)


@kept
def default_arguments(u, a):
    def change(v, k=0.3, w=None):
        if w is not None:
            v = v * w
        v[0] = k * v[1]
        v[1:] *= k
        return np.sum(v)

    return change(u) * change(u, a) + change(u, w=u * a) * change(u, a, u * u) + np.sum(u)


@kept
def through_a_reshape(u, a):
    def change(v, k):
        w = v.reshape(2, 2)
        w[0] *= k
        w[1, 0] = w[0, 1] * k
        return np.sum(w)

    v = np.outer(u, u)
    return change(u, a) * change(v[:, 1], 0.3) + np.sum(v * v) + np.sum(u)


@once
@written_out
def through_what_may_be_a_copy(u, a):
    def change(v, k):
        w = v.ravel()
        w[1:5] *= k
        w[3] = w[1] * k
        return np.sum(v) * w[2]

    v = np.outer(u, u)
    return change(v, a) * change(v.T, 0.3) + np.sum(v * v)


@kept
def containers_only(u, a):
    def put(b, c):
        b.pos, c.pos = c.pos, b.pos
        b.vel = c.vel

    def twist(b, c):
        put(b, c)
        put(c, b)
        t = np.sin(b.pos) * a
        b.vel = t * c.vel + t * t
        return t

    b, c = Body(u, u * a), Body(u * u, u * 3.0)
    s = twist(b, c)
    c.vel[0] = a
    return np.sum(s * twist(c, b) * b.vel * c.pos)


@kept
def prints(u, a):
    def change(v, k):
        print("changing")
        v[1:] *= k
        v[0] = np.sum(v)
        return v[0] * k

    return change(u, a) * change(u, 0.3) + np.sum(u)


@written_out
def the_argument_or_a_copy_is_returned(u, a):
    def either(v, same):
        return v if same else v.copy()

    w = np.array([0.3, 0.4, 0.5, 0.6])
    x, y = either(w, a > 0.5), either(w, a > 2.0)
    x[1] = 2.0
    y[2] = 3.0
    return np.sum(u * w) + np.sum(x * u * u) + np.sum(y * u) * a


WEIGHTS = np.array([0.3, 0.4, 0.5, 0.6])


@kept
def a_global_is_read_in_a_call(u, a):
    def weighted(v, k):
        t = np.sin(v) * k
        v[:] = t * WEIGHTS
        return t * v

    return np.sum(weighted(u, a) * weighted(u, 0.3)) + np.sum(u)
