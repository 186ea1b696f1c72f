"""Names that are one array or another, made on one path alone, and stored through there and behind it."""

import numpy as np

from tests.language.corpus import normal, program, uniform

CHOSEN = "second names"
BUFFERS = "buffers"


def given():
    return 0.6, normal(5), normal(5, seed=1)


def other():
    return -0.6, normal(5), normal(5, seed=1)


def stored_on_a_path(x, v, w):
    if x > 0.0:
        u = w
    else:
        u = 0.5 * v
        u[3] = x * x
    u *= 0.5
    return np.sum(u * u) + np.sum(w * w)


@program(CHOSEN, args=given)
def stored_where_it_is_another(x, v, w):
    return stored_on_a_path(x, v, w)


@program(CHOSEN, args=other)
def stored_where_it_is_made(x, v, w):
    return stored_on_a_path(x, v, w)


@program(CHOSEN, args=other)
def read_and_stored_on_a_path(x, v, w):
    if x > 0.0:
        u = w
    else:
        u = v * w
        u[1:] = u[:-1] * x
        x = x * u[4]
    w[1] = u[2] * x
    u[0] += np.tanh(w[1])
    return np.sum(u * w) + x


@program(CHOSEN, args=other)
def under_two_names(x, v, w):
    if x > 0.0:
        u = w
    else:
        u = v * w
        u[0] = x
    t = u
    if v[0] > x:
        t = v
    t[2] *= x
    u[1] += t[2]
    v *= w
    return np.sum(u * t) + np.sum(v)


@program(CHOSEN, args=other)
def stored_in_turns(x, v, w):
    for i in range(3):
        if i == 1 or x > 0.0:
            u = w
        else:
            u = 0.5 * v
            u[i] = x * w[i]
        u *= 0.5
        w[0] += u[i]
    return np.sum(w * w)


def written_through(u, x):
    u[1] *= x
    u += x


@program(CHOSEN, args=other)
def handed_to_a_function(x, v, w):
    if x > 0.0:
        u = w
    else:
        u = 0.5 * v
        written_through(u, x)
    written_through(u, v[0])
    written_through(w, u[1])
    return np.sum(u * u * w)


@program(BUFFERS, args=given)
def copy_of_an_argument_in_turns(x, v, w):
    a, b = w, np.ones(5)
    for _ in range(3):
        np.multiply(b, v, out=a)
        a, b = b, a.copy()
    return np.sum(v * w) + np.sum(a * a) + x * np.sum(b)


@program(BUFFERS, args=given)
def argument_among_copies(x, v, w):
    a, b = v, np.ones(5)
    for i in range(4):
        a[i] = x * b[-1]
        a[0], a[-1] = b[-1], w @ w
        a, b = b, a.copy()
    return np.sum(v * v) + np.sum(a * a)


@program(CHOSEN, args=given, wrt=(0, 1))
def stored_whole_where_either_may_be(x, v, w):
    u = v if x > 1.5 else w
    u[1] = np.tanh(w[3] * x)
    v[...] = w
    return np.sum(v * w) + np.sum(u * u)


@program(CHOSEN, args=given, wrt=(0, 1))
def copy_that_is_active_later(x, v, w):
    t = w.copy()
    u = v if x > 1.0 else t
    u[-1] += np.tanh(v[1])
    c = [x, 0.5]
    h = [c, c]
    h[int(x > 0.0)].append(u[0])
    return np.sum(u * u) + np.sum(t * v) + sum(c) * len(h[0])


@program(CHOSEN, args=given)
def view_of_what_was_swapped(x, v, w):
    a, b = np.ones(5), np.zeros(5)
    for _ in range(3):
        a[:] = 0.5 * b + w
        a, b = b, a
    u = a[::-1] if x > 0.0 else a
    a[1:] = 0.5 * u[:-1] * x
    u *= v
    return x * np.sum(u * u * v) + np.sum(b * b)


@program(CHOSEN, args=other)
def views_of_either_in_turns(x, v, w):
    a, b = v, w
    for i in range(3):
        a[i] = x * b[i]
        if i == 1:
            a, b = b, a
    u = a[::-1] if x > 0.0 else b
    for j in range(3):
        a[1:] = 0.5 * u[:-1] * x
        u[j] *= v[j]
    return x * np.sum(u * u * v) + np.sum(b * w)


# --- arrays that are active through a choice, and are read by a view of their own before they are active elsewhere ---


@program(CHOSEN, args=lambda: (0.5, uniform(5)), wrt=1)
def copied_view_of_what_was_chosen(x, w):
    a, b = 2.0 * w, np.zeros_like(w)
    g = b if x < 1.0 else a
    g[...] += 2.0 * w
    before = b[::2].copy()
    b[::2] = w[-1] * before
    return np.sum(b * b)


@program(CHOSEN, args=lambda: (0.5, uniform(5)), wrt=1)
def view_of_a_view_of_what_was_chosen(x, w):
    a, b = 2.0 * w, np.zeros(5)
    g = b if x < 1.0 else a
    g[...] += 2.0 * w
    u = b[1:][1:]
    s = u * 2.0
    b[:3] = w[-1] * s
    return np.sum(b * b)


@program(CHOSEN, args=lambda: (0.5, uniform(5)), wrt=1)
def view_updated_of_what_was_chosen(x, w):
    a, b = 2.0 * w, np.zeros(5)
    g = b if x < 1.0 else a
    g[...] += 2.0 * w
    v = b[1:]
    v[0] *= v[1]
    b[2] = w[-1]
    return np.sum(b * b)


@program(CHOSEN, args=lambda: (0.5, uniform(5)), wrt=1)
def chosen_again_from_what_was_chosen(x, w):
    a, b = 2.0 * w, np.zeros(5)
    g = b if x < 1.0 else a
    g[...] += 2.0 * w
    again = b if x < 3.0 else np.ones(5)
    s = again[0] * 2.0
    b[0] = w[-1] * s
    return np.sum(b * b)


@program(CHOSEN, args=lambda: (0.5, uniform(5)), wrt=1)
def overlapping_update_of_what_is_chosen(x, w):
    w[::2] *= w[-1]
    a = np.zeros(5)
    v = w if x < 1.0 else a
    a[1:] = 0.5 * v[:-1]
    return np.sum(v * v) + np.sum(a * a)
