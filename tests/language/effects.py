"""Effects happen once and in order: print, logging, random draws, time, files, user effects."""

import io
import itertools
import logging
import random
import sys
import time
import warnings

import numpy as np

from tests.language.corpus import normal, program, uniform

log = logging.getLogger("corpus")
TICKETS = itertools.count(1)


def announce(message, value):
    print(message, f"{value:.3f}")


def audited(x):
    print("audit")
    return True


@program("effects", args=lambda: (0.5, 3))
def logging_in_a_loop(x, n):
    for k in range(n):
        x = x * x + 0.4
        log.debug("step %d: %s", k, x)
    log.info("done")
    return x


@program("effects", args=lambda: (0.5, 1.5))
def print_between_branches(x, y):
    if x < y:
        announce("smaller", x)
        z = x * y
    else:
        announce("larger", x)
        z = y
    announce("result", z)
    return z * z


@program("effects", args=lambda: (0.5,))
def effect_in_condition(x):
    if audited(x) and x > 0:
        return x * x
    return x


@program("effects", args=lambda: (normal(3), 0.5))
def print_inside_helper_with_store(x, c):
    def scale(a):
        print("scaling", a.shape)
        a *= c

    scale(x)
    scale(x[:2])
    return np.sum(x**2)


@program("effects", args=lambda: (0.5,))
def print_to_file_object(x):
    buffer = io.StringIO()
    print("hidden", x, file=buffer)
    sys.stdout.write("shown\n")
    return x * len(buffer.getvalue().split())


@program("effects", args=lambda: (0.5,))
def print_in_comprehension(x):
    def noisy(k):
        print("k =", k)
        return x**k

    return sum([noisy(k) for k in range(3)]) + max(noisy(k) for k in (1, 2))


@program("effects", args=lambda: (0.5,))
def elapsed_time_is_inactive(x):
    began = time.perf_counter()
    y = x**3
    elapsed = time.perf_counter() - began
    if elapsed > 1e6:
        y = 0.0
    return y


@program("effects", args=lambda: (0.5,))
def warning_is_given(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("careful", stacklevel=1)
    return x * x


@program("effects", args=lambda: (0.5,))
def prints_before_recursion_returns(x):
    def down(t, k):
        if k == 0:
            print("bottom")
            return t
        r = down(t * x, k - 1)
        print("up", k)
        return r + t

    return down(x, 3)


@program("effects", args=lambda: (0.5, 2))
def print_of_intermediate_values_while(x, n):
    i = 0
    while True:
        y = x**i
        print("term", i, f"{y:.4f}")
        if i >= n:
            break
        i += 1
    return y * x


@program("random draws", args=lambda: (0.5, 0.3))
def seeded_generator_inside(mu, sigma):
    rng = np.random.default_rng(3)
    z = rng.normal(size=5)
    return np.mean((mu + sigma * z) ** 2)


@program("random draws", args=lambda: (0.5, 0.3, np.random.default_rng(1)))
def generator_as_argument(mu, sigma, rng):
    total = 0.0
    for _ in range(4):
        z = rng.standard_normal()
        total += np.exp(mu + sigma * z)
    return total / 4


@program("random draws", args=lambda: (normal(4, 3), np.random.default_rng(1)))
def dropout(x, rng):
    keep = rng.random(x.shape) < 0.7
    return np.sum((x * keep / 0.7) ** 2)


@program("random draws", args=lambda: (normal(6), 2, np.random.default_rng(5)))
def random_minibatches(x, n, rng):
    s = 0.0
    for _ in range(n):
        rows = rng.permutation(6)[:3]
        s += np.sum(x[rows] ** 2) * x[rows[0]]
    return s


@program("random draws", args=lambda: (0.4, 8))
def legacy_seed(p, n):
    np.random.seed(0)
    u = np.random.rand(n)
    return np.sum(np.sqrt(u + p)) + np.random.randint(1, 4) * p


@program("random draws", args=lambda: (0.4, 8))
def standard_random_module(p, n):
    gen = random.Random(4)
    walk = p
    for _ in range(n):
        if gen.random() < 0.5:
            walk = walk * 1.1
        else:
            walk = walk - 0.1 * p
    return walk * gen.gauss(1.0, 0.1)


@program("random draws", args=lambda: (uniform(3), np.random.default_rng(2)))
def random_choice_of_branch(x, rng):
    total = 0.0
    for v in x:
        k = rng.integers(3)
        if k == 0:
            total += v
        elif k == 1:
            total += v**2
        else:
            total += v**3
    return total


@program("random draws", args=lambda: (normal(4), np.random.default_rng(2)))
def noise_stored_in_place(x, rng):
    y = x * 1.0
    for _ in range(3):
        y += 0.1 * rng.normal(size=4) * y
    return y @ y


@program("with", args=lambda: (uniform(4), 3))
def with_in_a_loop(x, n):
    y = x
    for _ in range(n):
        with np.errstate(all="ignore"):
            s = np.sin(y) / y
            z = np.arcsin(s)
        y = y + z * z
    return np.sum(y * y)


@program("with", args=lambda: (uniform(4), 3))
def warnings_are_errors_in_a_loop(x, n):
    y = x
    done = False
    k = 0
    while not done:
        k += 1
        try:
            with warnings.catch_warnings(record=True):
                warnings.simplefilter("error")
                s = np.sin(y) / y
                z = np.arcsin(s)
            z[np.isnan(s)] = 0.5
        except (FloatingPointError, TypeError):
            z = np.cos(y)
        y = y + z * z
        done = k > n
    return np.sum(y * y)


@program("effects", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def settings_put_back(x):
    old = np.seterr(all="ignore")
    y = np.log(x) / x
    np.seterr(**old)
    return np.sum(y**2)
