"""What the primal raises, the derivative raises: what may raise, wherever it may stand, beside whatever is there too.

Each program is made of one of the things that may raise and of one place. It is called with arguments for which nothing
raises (then values and derivatives are right) and with those for which it does, where the place is reached (then the
exceptions are of one type, or the derivation is refused).
"""

import re
import textwrap
import warnings
import zlib

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, value_and_grad, vjp
from tests import amounts, generator

pytestmark = pytest.mark.slow

HEAD = """
import math

import numpy as np

TABLE = {1: 2.0, 2: 3.0}
LEVELS = [1.0, 2.0]


def positive(q):
    if q < 0.0:
        raise ValueError(q)
    return q


"""


class Holder:
    held = 2.0


NEGATIVE = "    if q < 0.0:\n        raise ValueError(q)"
#: statements, an expression behind them, and the arguments for which they raise
RAISES = {
    "shapes": ("", "np.sum(a + b)", {"b": np.ones(2)}),
    "product": ("", "np.sum(m @ c)", {"c": np.ones((3, 2))}),
    "reshape": ("", "np.sum(a.reshape(3, k))", {"k": 2}),
    "store": ("e_ = np.zeros(3)\ne_[i] = 1.0", "1.0", {"i": 7}),
    "store of another shape": ("e_ = np.zeros(3)\ne_[:] = b", "1.0", {"b": np.ones(2)}),
    "key of a global": ("", "TABLE[i]", {"i": 7}),
    "key of an argument": ("", "t[i]", {"i": 7}),
    "word": ("", "words[w]", {"w": "c"}),
    "index": ("", "a[i]", {"i": 3}),
    "index of a list": ("", "items[i]", {"i": 7}),
    "index of a global": ("", "LEVELS[i]", {"i": 7}),
    "not bound": ("if k < 2:\n    z = 2.0", "z", {"k": 2}),
    "raise": ("if i > 2:\n    raise ValueError(i)", "1.0", {"i": 3}),
    "raise for an item": (
        "for q in items:\n    if q < 0.0:\n        raise ValueError(q)",
        "1.0",
        {"items": [1.0, -2.0]},
    ),
    "raise for an element": ("for q in a:\n    if q < 0.0:\n        raise ValueError(q)", "1.0", {"a": -np.ones(3)}),
    "raise in a call": ("", "len([positive(q) for q in items])", {"items": [1.0, -2.0]}),
    "assert": ("assert k < 2, k", "1.0", {"k": 2}),
    "unpacking": ("p, q = u", "p", {"u": np.ones(3)}),
    "unpacking of items": ("p, q = items", "p", {"items": [1.0, 2.0, 3.0]}),
    "unpacking of rows": ("for p, q in rows:\n    pass", "1.0", {"rows": np.ones((2, 3))}),
    "zip": ("", "sum([p * q for p, q in zip(items, u, strict=True)])", {"u": np.ones(3)}),
    "division": ("", "(1.0 / r)", {"r": 0.0}),
    "rest": ("", "(7 % k)", {"k": 0}),
    "attribute": ("", "o.held", {"o": None}),
    "text": ("", "int(s)", {"s": "one"}),
    "nothing": ("", "max(items)", {"items": []}),
    "next": ("", "next(q for q in items if q > 0.0)", {"items": [-1.0, -2.0]}),
    "place": ("", "items.index(r)", {"r": 5.0}),
    "solve": ("", "np.sum(np.linalg.solve(m, u))", {"m": np.zeros((2, 2))}),
    "negative length": ("", "np.sum(np.zeros(i))", {"i": -1}),
    "number of points": ("", "np.sum(np.linspace(0.0, 1.0, i))", {"i": -1}),
    "length of a number": ("", "len(a)", {"a": 2.0}),
    "index that is no int": ("", "a[i]", {"i": 1.5}),
    "slice that is none": ("", "np.sum(a[:i])", {"i": 1.5}),
    "step of nothing": ("", "np.sum(a[::k])", {"k": 0}),
    "power": ("", "r ** -k", {"r": 0.0}),
    "shift": ("", "(1 << k)", {"k": -1}),
    "factorial": ("", "math.factorial(i)", {"i": -1}),
    "counts": ("", "np.sum(np.bincount(np.array([1, i])))", {"i": -1}),
    "axis": ("", "np.sum(np.sum(m, axis=k))", {"k": 4}),
    "condition of elements": ("", "(1.0 if k * b[:k] else 2.0)", {"k": 2}),
    "letter": ("", "ord(s)", {"s": "ab"}),
    "range of a float": ("for _ in range(k):\n    pass", "1.0", {"k": 1.5}),
    "range without a loop": ("", "len([1 for _ in range(0, 3, k)])", {"k": 0}),
    "step that is 0": ("z_ = range(0, 3, k)", "1.0", {"k": 0}),
    "key that is a list": ("z_ = {k: 1.0}", "1.0", {"k": [1]}),
    "key of a new item": ("z_ = {}\nz_[k] = 1.0", "1.0", {"k": [1]}),
    "item of a set": ("z_ = set()\nz_.add(k)", "1.0", {"k": [1]}),
    "key that is asked for": ("z_ = {1: 2.0}\nz_.get(k)", "1.0", {"k": [1]}),
    "int of what is none": ("", "float(int(r) > 0)", {"r": float("nan")}),
    "iterator of a number": ("z_ = zip(items, items)", "1.0", {"items": 2.0}),
    "name without a meaning": ("z_ = nowhere if k > 1 else 1.0", "1.0", {"k": 2}),
    "attribute of a list": ("z_ = items.sort", "1.0", {"items": (2.0, 1.0)}),
    "store of items": ("e_ = np.zeros(3)\ne_[:1] = b[:k] * k", "1.0", {"k": 2}),
}
FINE = {"a": np.ones(3), "b": np.full(3, 2.0), "m": np.eye(2), "c": np.eye(2), "i": 1, "k": 1, "w": "a", "s": "1"}
FINE |= {"r": 2.0, "items": [2.0, 1.0], "rows": np.ones((2, 2)), "u": np.ones(2), "o": Holder(), "t": {1: 2.0, 2: 3.0}}
FINE |= {"words": {"a": 1.0, "b": 2.0}}
ARGUMENTS = ", ".join(FINE)
SUM = "return np.sum(np.sin(x))"
HELPER = "\n\n\ndef helper(ARGUMENTS):\n    S\n    return E"
LONG = "    y = np.sum(p * p)\n    y = y * np.sin(y) + y * np.cos(y)\n    return y * np.exp(-y) + E"
KEPT = f"\n\n\ndef helper(p, ARGUMENTS):\n    S\n{LONG}"
#: where they stand: S is the statements, E the expression. REBIND gives their names what raises nothing, REBACK back
PLACES = {
    "line": f"S\nv = E\n{SUM} + v",
    "factor": f"S\n{SUM} * E",
    "unread": f"S\nv = E\n{SUM}",
    "unread in a loop": f"v = 0.0\nfor _ in range(2):\n    S\n    v += E\n{SUM}",
    "unread in a branch": f"if x[0] > 0.0:\n    S\n    v = E\n{SUM}",
    "taken": f"v = 0.0\nif x[0] > 0.0:\n    S\n    v = E\n{SUM} + v",
    "not taken": f"v = 0.0\nif x[0] < 0.0:\n    S\n    v = E\n{SUM} + v",
    "other side": "if x[0] < 0.0:\n    y = x * x\nelse:\n    S\n    y = np.sin(x) + E\nreturn np.sum(y)",
    "beside another side": "if x[0] > 0.0:\n    S\n    v = E\nelse:\n    v = x[1] * x[2]\nreturn np.sum(x) + v",
    "condition": f"{SUM} + (E if x[0] > 0.0 else 3.0)",
    "condition that is not met": f"{SUM} + (E if x[0] < 0.0 else 3.0)",
    "and": f"{SUM} + (1.0 if x[0] > 0.0 and E > 0.5 else 3.0)",
    "loop": f"v = 0.0\nfor _ in range(n):\n    S\n    v += E\n{SUM} + v",
    "loop without a turn": f"v = 0.0\nfor _ in range(n - 2):\n    S\n    v += E\n{SUM} + v",
    "loop of active values": "y = x\nfor _ in range(n):\n    S\n    y = np.sin(y) + E\nreturn np.sum(y)",
    "loop that is run backwards": "y = 0.0\nfor j in range(n):\n    S\n    y += x[j] * x[j] + E\nreturn y",
    "while": f"j, v = 0, 0.0\nwhile j < n:\n    S\n    v += E\n    j += 1\n{SUM} + v",
    "comprehension": f"{SUM} + sum([E for _ in range(n)])",
    "unread comprehension": f"v = [E for _ in range(n)]\n{SUM}",
    "comprehension of nothing": f"{SUM} + sum([E for _ in range(n - 2)])",
    "comprehension of active values": "return sum([np.sin(j) + E for j in x])",
    "condition of a comprehension": "return sum([np.sin(j) for j in x if E > 0.0])",
    "function": f"{SUM} + helper(ARGUMENTS){HELPER}",
    "unread function": f"helper(ARGUMENTS)\n{SUM}{HELPER}",
    "function that stays": f"return helper(x, ARGUMENTS) * helper(2.0 * x, ARGUMENTS){KEPT}",
    "unread function that stays": f"v = helper(a, ARGUMENTS) + helper(b, ARGUMENTS)\n{SUM}{KEPT}",
    "function in a loop": f"v = 0.0\nfor j in range(n):\n    v += x[j] * x[j] + helper(ARGUMENTS)\nreturn v{HELPER}",
    "recursion": f"{SUM} + rec(n, ARGUMENTS)\n\n\ndef rec(n, ARGUMENTS):\n    if n == 0:\n        S\n        return E\n"
    "    return 0.5 * rec(n - 1, ARGUMENTS)",
    "inner branch, and behind it": "v = 0.0\nif x[0] > 0.0:\n    if x[1] > 0.0:\n        S\n        v = E\n    else:\n"
    f"        v = x[2] * x[0]\nS\n{SUM} + v + E",
    "before a branch that is not taken": "S\nh = E\nif x[0] < 0.0:\n    S\n    v = E\nelse:\n    v = x[2] * x[0]\n"
    f"{SUM} + v + h",
    "two branches": f"v = h = 0.0\nif x[0] > 0.0:\n    S\n    v = E\nif x[0] < 0.0:\n    S\n    h = E\n{SUM} + v + h",
    "in the second branch": "v = 0.0\nif x[0] < 0.0:\n    S\n    v = E\nif x[1] > 0.0:\n    S\n    h = E\nelse:\n"
    f"    h = x[2] * x[0]\n{SUM} + v + h",
    "the same test of another value": "v = h = 0.0\ng = x[0] < 0.0\nif g:\n    S\n    v = E\ng = not g\nif g:\n    S\n"
    f"    h = E\n{SUM} + v + h",
    "behind a loop without a turn": f"v = 0.0\nfor _ in range(n - 2):\n    S\n    v += E\nS\n{SUM} + v + E",
    "in the second loop": "v, h = 0.0, n - 2\nfor j in range(h):\n    S\n    v += E\nh = n\nfor j in range(h):\n    S\n"
    f"    v += E\n{SUM} + v",
    "bound again": f"REBIND\nS\nv = E\nREBACK\nS\n{SUM} + v + E",
    "bound again in a loop": f"REBIND\nv = 0.0\nfor j in range(n):\n    S\n    v += E\n    REBACK\n{SUM} + v",
    "bound again in a branch": f"REBIND\nS\nv = E\nif x[0] > 0.0:\n    REBACK\nS\n{SUM} + v + E",
    "behind a return": f"if n > 5:\n    return np.sum(x)\nS\n{SUM} + E",
    "before a return": f"if n > 1:\n    S\n    {SUM} + E\nreturn np.sum(x)",
    "not reached": f"if n > 1:\n    return np.sum(x * x)\nS\n{SUM} + E",
    "tried": f"v = 0.0\ntry:\n    S\n    v = E\nexcept Exception:\n    v = 5.0\n{SUM} + v",
    "not caught": f"v = 0.0\ntry:\n    S\n    E\nexcept OSError:\n    v = 5.0\nelse:\n    v = x[0] * x[1]\n{SUM} + v",
    "finally": f"v = 0.0\ntry:\n    S\n    v = E\nfinally:\n    v = v + 1.0\n{SUM} + v",
    "behind a break": f"v = 0.0\nfor j in range(n):\n    if j > -1:\n        break\n    S\n    v += E\n{SUM} + v",
    "before a break": f"v = 0.0\nfor j in range(n):\n    S\n    v += E\n    if x[0] > 0.0:\n        break\n{SUM} + v",
    "lambda": f"h = lambda j: E\n{SUM} + h(1)",
    "lambda that is not called": f"h = lambda j: E\n{SUM}",
    "text": f"S\ng = f'''{{E}}'''\n{SUM}",
    "before a raise": f"S\nv = E\nif n > 1:\n    raise NotImplementedError\n{SUM} + v",
    "behind a raise": f"if n > 1:\n    raise NotImplementedError\nS\nv = E\n{SUM} + v",
    "before another one": f"S\nv = E\n{SUM} + v + {{2: 2.0}}[n]",
}
OPERATORS = {
    "grad": lambda f, x, *args: (None, grad(f)(x, *args)),
    "value_and_grad": lambda f, x, *args: value_and_grad(f)(x, *args),
    "jvp": lambda f, x, *args: jvp(f)(x, *args, ALONG),
    "vjp": lambda f, x, *args: pulled_back(*vjp(f)(x, *args)),
    "jvp of grad": lambda f, x, *args: (None, jvp(grad(f))(x, *args, ALONG)[0]),
    "vjp of grad": lambda f, x, *args: (None, vjp(grad(f))(x, *args)[0]),
}
#: by turns: each sweep alone, and one of a derivative
TURNS = ("grad", "jvp", "vjp of grad"), ("value_and_grad", "vjp", "jvp of grad")
X, ALONG = np.array([0.4, 0.8, 1.2]), np.array([0.3, -0.5, 0.7])


def pulled_back(value, pullback):
    return value, pullback(1.0)


def put(lines, mark, statements):
    """Statements in the place of a mark, as deep as that is."""
    deep = lambda found: textwrap.indent(statements + "\n", found[1]) if statements else ""  # noqa: E731
    return re.sub(rf"^( *){mark}\n", deep, lines, flags=re.M)


def program(name, place):
    """The text of a program, and its arguments: at which nothing raises, and at which it does; None where S needs a
    line of its own that the place has not."""
    statements, expression, wrong = RAISES[name]
    lines, arguments = PLACES[place], ARGUMENTS
    if statements and not re.search(r"^ *S$", lines, re.M):
        return None
    fine, bad = list(FINE.values()), list({**FINE, **wrong}.values())
    if "REBIND" in lines:
        if not all(isinstance(v, (int, float, str, np.ndarray)) for v in wrong.values()):
            return None
        arguments += "".join(f", fine_{k}" for k in wrong)
        fine, bad = ([*given, *(FINE[k] for k in wrong)] for given in (fine, bad))
        lines = put(lines, "REBIND", "\n".join(f"given_{k}, {k} = {k}, fine_{k}" for k in wrong))
        lines = put(lines, "REBACK", "\n".join(f"{k} = given_{k}" for k in wrong))
    lines = put(lines, "S", statements)
    lines = re.sub(r"\bE\b", lambda _: expression, lines).replace("ARGUMENTS", arguments)
    body, mark, functions = lines.partition("\n\n\ndef ")
    return f"{HEAD}def f(x, n, {arguments}):\n{textwrap.indent(body, '    ')}\n{mark}{functions}\n", fine, bad


PROGRAMS = [(name, place) for name in RAISES for place in PLACES if program(name, place)]
#: a quotient of arrays, by one of Python's numbers, warns where that of numbers raises
AS_ARRAYS = {("division", "factor", "grad")}


def check(f, args, operators=OPERATORS, excepted=frozenset()):
    """Do the derivatives of f raise what it raises, or are they right?"""
    try:
        value, raised = f(X, 2, *args), None
    except Exception as error:
        value, raised = None, type(error)
    slope = None
    if raised is None:
        slope = np.array([(f(X + h, 2, *args) - f(X - h, 2, *args)) / 2e-6 for h in 1e-6 * np.eye(3)])
    for operator, differentiate in operators.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = differentiate(f, X, 2, *args)
            except DerivationError:
                continue
            except Exception as error:
                assert type(error) is raised, (operator, error, raised)
                continue
        assert raised is None or operator in excepted, (operator, "raises nothing", raised)
        if raised is None:
            np.testing.assert_allclose(found[1], slope @ ALONG if operator == "jvp" else slope, rtol=1e-6, atol=1e-7)
            assert found[0] is None or found[0] == value


@pytest.mark.sampled(120, cover=True)
@pytest.mark.parametrize(("name", "place"), PROGRAMS)
def test_what_the_primal_raises(name, place, tmp_path):
    text, fine, bad = program(name, place)
    f = generator.load(text, tmp_path / "program.py")
    turn = TURNS[zlib.crc32(text.encode()) % 2]
    operators = OPERATORS if amounts.ALL else {one: OPERATORS[one] for one in turn}
    check(f, fine, operators)
    check(f, bad, operators, {operator for *case, operator in AS_ARRAYS if tuple(case) == (name, place)})


@pytest.mark.parametrize("place", ["before a branch that is not taken", "inner branch, and behind it"])
def test_the_other_side_of_a_branch_stays_where_its_check_goes(place, tmp_path):
    text, fine, _ = program("index", place)
    check(generator.load(text, tmp_path / "program.py"), fine)
