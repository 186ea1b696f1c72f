"""Second derivatives are finite where the order in which they are written by hand is: at the ends of each precision.

Chains of products, quotients and functions are drawn, with factors of any size. The reference is the reverse sweep,
operation by operation, of values with tangents, in the precision of the arguments; where it agrees with itself in a
higher precision, so do the derivatives.
"""

import random
import re

import numpy as np
import pytest

from s2sad import grad, hvp
from tests import generator

pytestmark = pytest.mark.slow

ENDS = {np.float16: 3, np.float32: 30, np.float64: 250}
HIGHER = {np.float16: np.float64, np.float32: np.float64, np.float64: np.longdouble}
FORMS = ["np.sin({})", "np.sqrt({})", "np.log({})", "np.exp({})", "{} * x", "{} / x", "{} * {}"]


def product(a, b):
    return a[0] * b[0], a[0] * b[1] + a[1] * b[0]


def quotient(a, b):
    y = a[0] / b[0]
    return y, a[1] / b[0] - y * b[1] / b[0]


def function(name, a, one):
    """The value of a function and its slope, with their tangents."""
    v, t = a
    if name == "sin":
        return (np.sin(v), np.cos(v) * t), (np.cos(v), -np.sin(v) * t)
    if name == "exp":
        return (np.exp(v), np.exp(v) * t), (np.exp(v), np.exp(v) * t)
    if name == "log":
        return (np.log(v), t / v), quotient((one, 0 * one), a)
    y = np.sqrt(v), one / 2 * t / np.sqrt(v)
    return y, quotient((one / 2, 0 * one), y)


def by_hand(lines, x, factors, dtype):
    """The gradient of the last value in x and its tangent along 1."""
    one = dtype(1)
    known = {"x": (dtype(x), one), **{f"c{k}": (dtype(c), 0 * one) for k, c in enumerate(factors)}}
    sweep = []
    for line in lines:
        made, value = line.split(" = ")
        called = re.fullmatch(r"np\.(\w+)\((\w+)\)", value)
        if called:
            known[made], slope = function(called[1], known[called[2]], one)
            sweep.append((made, [(called[2], lambda g, p=slope: product(g, p))]))
            continue
        left, sign, right = value.split()
        a, b = known[left], known[right]
        if sign == "*":
            known[made] = product(a, b)
            sweep.append((made, [(left, lambda g, p=b: product(g, p)), (right, lambda g, p=a: product(g, p))]))
        else:
            y = known[made] = quotient(a, b)
            back = lambda g, y=y, b=b: tuple(-v for v in quotient(product(g, y), b))  # noqa: E731
            sweep.append((made, [(left, lambda g, p=b: quotient(g, p)), (right, back)]))
    adjoints = {made: (one, 0 * one)}
    for made, parts in reversed(sweep):
        for name, part in parts:
            if made in adjoints and not name.startswith("c"):
                old, new = adjoints.get(name), part(adjoints[made])
                adjoints[name] = new if old is None else (old[0] + new[0], old[1] + new[1])
    return adjoints["x"]


def chain(draw, dtype):
    """The lines of a program, and its factors."""
    lines, now, count = [], "x", draw.randint(2, 5)
    factors = [dtype(draw.uniform(1.0, 2.0) * 10.0 ** draw.randint(-ENDS[dtype], ENDS[dtype])) for _ in range(count)]
    for k in range(count):
        lines.append(f"t{k} = {now} {draw.choice('*/')} c{k}")
        now = f"t{k}"
        if draw.random() < 0.3:
            lines.append(f"u{k} = {draw.choice(FORMS).format(now, now)}")
            now = f"u{k}"
    return lines, factors


@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("dtype", list(ENDS))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_finite_where_the_order_by_hand_is(seed, dtype, tmp_path):
    draw = random.Random(seed)
    x, compared = np.array([1.5, 0.7], dtype), 0
    for number in range(40):
        lines, factors = chain(draw, dtype)
        once, exact = ([by_hand(lines, v, factors, d) for v in x] for d in (dtype, HIGHER[dtype]))
        once, exact = np.array(once, dtype), np.array(exact)
        sure = np.isfinite(once) & (np.abs(once - exact) <= 1e-2 * np.abs(exact)) & (exact != 0)
        if not np.any(sure):
            continue
        names = ", ".join(f"c{k}" for k in range(len(factors)))
        body = "".join(f"    {line}\n" for line in lines)
        last = lines[-1].split()[0]
        f = generator.load(
            f"import numpy as np\n\n\ndef f(x, {names}):\n{body}    return np.sum({last})\n",
            tmp_path / f"program{number}.py",
        )
        along = np.ones(2, dtype)
        found = np.stack([grad(f)(x, *factors), hvp(f)(x, *factors, along)], axis=1)
        assert found.dtype == dtype
        np.testing.assert_allclose(found[sure], exact[sure].astype(dtype), rtol=5e-2)
        compared += 1
        if compared == 3:
            break
    assert compared
