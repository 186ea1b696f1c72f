"""Maxima that cancel have no derivative; all others have."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad, jvp
from tests.numeric import check, directional

Z = np.array([[0.3, -1.0, 2.0], [1.5, 0.25, -0.5]])
W = np.array([[1.0, 2.0, -1.0], [0.5, -2.0, 3.0]])


def softmax_keepdims(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(p * W)


def softmax_newaxis(z):
    e = np.exp(z - np.max(z, axis=-1)[:, None])
    p = e / np.sum(e, axis=-1)[:, None]
    return np.sum(p * W)


def softmax_expand_dims(z):
    m = np.expand_dims(z.max(axis=1), 1)
    e = np.exp(z - m)
    return np.sum(e / e.sum(axis=1, keepdims=True) * W)


def softmax_vector(z):
    e = np.exp(z - np.max(z))
    return np.sum(e / np.sum(e) * z)


def logsumexp(z):
    m = np.max(z)
    return m + np.log(np.sum(np.exp(z - m)))


def logsumexp_rows(z):
    m = np.max(z, axis=1)
    return np.sum(m + np.log(np.sum(np.exp(z - m[:, None]), axis=1)))


def logsumexp_keepdims(z):
    m = z.max(axis=1, keepdims=True)
    s = np.log(np.sum(np.exp(z - m), axis=1, keepdims=True)) + m
    return np.sum(z * W - s)


def log_softmax(z):
    m = np.max(z, axis=1, keepdims=True)
    shifted = z - m
    return np.sum((shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))) * W)


def softmax_in_place(z):
    s = z * 2.0
    s -= s.max(axis=1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(axis=1, keepdims=True)
    return np.sum(s * W)


def log_softmax_in_place(z):
    s = z @ np.eye(3)
    s -= s.max(axis=1, keepdims=True)
    logp = s - np.log(np.exp(s).sum(axis=1, keepdims=True))
    return -logp[np.arange(2), [0, 2]].mean()


def builtin_max(a, b):
    m = max(a, b)
    return m + math.log(math.exp(a - m) + math.exp(b - m))


CANCEL = [
    softmax_keepdims,
    softmax_newaxis,
    softmax_expand_dims,
    logsumexp_keepdims,
    log_softmax,
    softmax_in_place,
    log_softmax_in_place,
]


def seen_by_another_name(z):
    s = z * 2.0
    rows = s[0]
    m = s.max(axis=1, keepdims=True)
    s -= m
    e = np.exp(s)
    return np.sum(e / e.sum(axis=1, keepdims=True) * W) + np.sum(rows * rows)


def read_afterwards(z):
    s = z * 2.0
    s -= s.max(axis=1, keepdims=True)
    e = np.exp(s)
    return np.sum(e / e.sum(axis=1, keepdims=True) * W) + np.sum(s * s)


def overwritten_in_part(z):
    s = z * 2.0
    m = s.max(axis=1, keepdims=True)
    e = np.exp(s - m)
    e[0] *= 2.0
    return np.sum(e * W)


def carried(z):
    s = z * 2.0
    total = 0.0
    for _ in range(3):
        total = total + np.sum(s * W)
        s -= s.max(axis=1, keepdims=True)
        e = np.exp(s)
        total = total + np.sum(e / e.sum(axis=1, keepdims=True) * W)
    return total


@pytest.mark.parametrize("f", [seen_by_another_name, read_afterwards, overwritten_in_part, carried])
def test_maxima_that_stay(f):
    check(f, (Z,))


def grad_source(f, *args):
    """The text of the generated function, without the helpers above it."""
    d = grad(f)
    d(*args)
    return d.source[d.source.index(f"def grad_{f.__name__}") :]


@pytest.mark.parametrize("f", [*CANCEL, logsumexp_rows], ids=lambda f: f.__name__)
def test_matrices(f):
    check(f, (Z,))
    source = grad_source(f, Z)
    assert "==" not in source and "argmax" not in source and "unravel" not in source, source


@pytest.mark.parametrize("f", [softmax_vector, logsumexp], ids=lambda f: f.__name__)
def test_vectors(f):
    check(f, (Z[0],))
    source = grad_source(f, Z[0])
    assert "==" not in source and "argmax" not in source, source


def test_two_numbers():
    check(builtin_max, (1.0, 0.5), (0, 1))


@pytest.mark.parametrize("f", CANCEL, ids=lambda f: f.__name__)
def test_ties_do_not_matter(f):
    tied = np.array([[1.0, 1.0, 0.0], [2.0, 2.0, 2.0]])
    got = grad(f)(tied)
    numeric = np.zeros_like(tied)
    for k in np.ndindex(tied.shape):
        along = np.zeros_like(tied)
        along[k] = 1.0
        numeric[k] = directional(f, (tied,), 0, along)[0][0]
    assert np.allclose(got, numeric, atol=1e-8)


# --- where the maximum does matter


def used_in_the_result(z):
    m = np.max(z)
    return m * 2.0 + np.log(np.sum(np.exp(z - m)))


def not_added_back(z):
    m = np.max(z)
    return np.log(np.sum(np.exp(z - m)))


def unnormalised(z):
    m = np.max(z)
    return np.sum(np.exp(z - m))


def used_in_a_store(z):
    m = np.max(z)
    out = np.zeros(2)
    out[0] = m
    return out[0] + np.log(np.sum(np.exp(z - m)))


def used_in_a_branch(z):
    m = np.max(z)
    s = np.log(np.sum(np.exp(z - m)))
    return m + s if s > 0.1 else s


def another_maximum(z):
    m = np.max(z)
    k = np.max(z * z)
    return m + np.log(np.sum(np.exp(z - k)))


def squared(z):
    m = np.max(z)
    return (m + np.log(np.sum(np.exp(z - m)))) * m


def other_axis(z):
    m = np.max(z, axis=0)
    e = np.exp(z - m)
    return np.sum(e / np.sum(e, axis=1, keepdims=True) * W)


def scaled_exponent(z):
    m = np.max(z)
    return m + np.log(np.sum(np.exp(2.0 * (z - m))))


def summed_not_averaged(z):
    m = np.max(z, axis=1, keepdims=True)
    return np.sum(z - m) + np.sum(np.log(np.sum(np.exp(z - m), axis=1)))


def epsilon(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return np.sum(e / (np.sum(e, axis=1, keepdims=True) + 0.1) * W)


def log_of_one_plus(z):
    m = np.max(z)
    return m + np.log(1.0 + np.sum(np.exp(z - m)))


def in_a_loop(z):
    m = 0.0
    s = 0.0
    for k in range(2):
        s += m + np.log(np.sum(np.exp(z[k] - m)))
        m = np.max(z[k])
    return s * m


def carried_out(z):
    best = 0.0
    for k in range(2):
        m = np.max(z[k])
        s = m + np.log(np.sum(np.exp(z[k] - m)))
        best = best + s * m
    return best


def in_a_list(z):
    kept = []
    for k in range(2):
        m = np.max(z[k])
        kept.append(m)
    return kept[0] * kept[1]


def log_base(z):
    m = np.max(z)
    return m + np.log2(np.sum(np.exp(z - m)))


def int_power(z):
    m = np.max(z, axis=1)
    e = np.exp(z - m[:, None])
    return np.sum(e[0] / np.sum(e, axis=1)[1])


@pytest.mark.parametrize(
    "f",
    [
        used_in_the_result,
        not_added_back,
        unnormalised,
        used_in_a_store,
        used_in_a_branch,
        another_maximum,
        squared,
        other_axis,
        scaled_exponent,
        summed_not_averaged,
        epsilon,
        log_of_one_plus,
        in_a_loop,
        carried_out,
        in_a_list,
        log_base,
        int_power,
    ],
    ids=lambda f: f.__name__,
)
def test_a_maximum_that_matters_is_kept(f):
    check(f, (Z,))


def test_forward_mode_drops_it_too_or_is_right():
    value, tangent = jvp(logsumexp)(Z[0], np.ones(3))
    assert np.isclose(tangent, 1.0) and np.isclose(value, logsumexp(Z[0]))
