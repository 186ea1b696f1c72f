"""Corners of the syntax, one inside the other, as long and as deep as chance has it: derived, or refused in words, or
what the function raises; never a bare exception of the compiler's own."""

import itertools
import linecache
import random
import types

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp
from tests.verdict import time_limit

pytestmark = pytest.mark.slow

RECORD = np.dtype([("p", "f8"), ("q", "f8")])
#: what an expression is put into, and how often it may be at the most
AROUND = {
    "sum": ("({} + x * 0.5)", 120),
    "difference": ("(x - {})", 120),
    "product": ("(0.9 * {})", 120),
    "call": ("np.sin({})", 120),
    "minus": ("-({})", 80),
    "list": ("[{}][0]", 40),
    "tuple": ("(1.0, {})[-1]", 40),
    "dict": ("{{'class': {}}}['class']", 40),
    "lambda": ("(lambda y: y)({})", 20),
    "condition": ("({} if x > 0.0 else 2.0)", 20),
    "comprehension": ("sum([{} for _ in range(1)])", 6),
    "walrus": ("(w := {})", 10),
    "comparison": ("({} if 0.0 < x < 9.0 < 10**400 else x)", 10),
    "huge": ("({} + x * ((10**400) // (10**400)))", 10),
    "text": ("({} + len(f'{{x:.1f}}') * 0.0)", 10),
    "star": ("[*[{}]][0]", 20),
    "keyword": ("dict(a={})['a']", 20),
}
#: what is innermost
CORES = (
    "x",
    "x * len(own)",
    "x * own[0]",
    "x * len(table['self'])",
    "x * getattr(names, 'lambda')",
    "x * records['p'][0]",
    "x * records[0]['q']",
    "down(x, 30)",
    "even(x, 7)",
    "x * np.sum(records)",
    "x * own[1][1][1][0]",
    "x * (10**400 > 1)",
    "x + 10**400 * 0",
)
HEAD = """
def down(x, n):
    return x if n == 0 else 0.9 * down(x, n - 1)


def even(x, n):
    return x if n == 0 else odd(x * 0.5, n - 1)


def odd(x, n):
    return x * x if n == 0 else even(x + 1.0, n - 1)


def f(x):
    return """
_numbers = itertools.count()


def made(seed):
    """A function whose expressions are nested at random."""
    r = random.Random(seed)
    text = r.choice(CORES)
    for name in r.sample(list(AROUND), r.randint(1, 3)):
        form, most = AROUND[name]
        for _ in range(r.randint(1, most)):
            text = form.format(text)
    text = f"{HEAD}{text}\n"
    file = f"<corner {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    own, table = [2.0], {}
    own.append(own)
    table["self"] = table
    module = types.ModuleType("corner")
    module.__dict__.update(np=np, own=own, table=table, records=np.ones(2, RECORD), names=types.SimpleNamespace())
    module.names.__dict__["lambda"] = 3.0
    exec(compile(text, file, "exec"), module.__dict__)
    return module.f


@pytest.mark.sampled(30, each=False)
@pytest.mark.parametrize("seed", range(120))
def test_corners(seed):
    try:
        f = made(seed)
    except (SyntaxError, RecursionError, MemoryError):  # too deep for Python itself
        return
    x, h = 1.3, 1e-5
    try:
        value, raised = f(x), None
        slope = (f(x + h) - f(x - h)) / (2.0 * h)
    except Exception as error:
        value, raised = None, type(error)
    for derivative, tangent in [(grad(f), ()), (jvp(f), (1.0,))]:
        try:
            with time_limit(20):
                found = derivative(x, *tangent)
        except DerivationError:
            continue
        except Exception as error:
            assert type(error) is raised, error
            continue
        assert raised is None
        assert np.isclose(found[1] if tangent else found, slope, rtol=1e-5, atol=1e-7)
        assert not tangent or found[0] == value
