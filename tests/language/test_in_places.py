"""Calls in all places: what computes an active value, or changes something active, inside what evaluates it.

Each program has one way to compute a number (a recursion, a property, a table of functions ..), in one place (a
comprehension, a key of `sorted`, an index, a condition ..). The value may be active by what it is given or by what it has
captured; or it is not active, and storing something active is what the call does besides.
"""

from __future__ import annotations

import itertools
import pathlib
import random
from collections.abc import Iterator

import pytest

from tests import amounts
from tests.language.test_held import verdict

HEAD = """
import contextlib
import functools
import itertools
import math
import operator

import numpy as np


class Model:
    def __init__(self, x):
        self.x = x

    def descend(self, k):
        return self.x if k <= 0 else self.descend(k - 1) * self.x + 0.5

    def get(self, k):
        return self.x * (k + 1)

    def put(self, k):
        self.x = self.x * 1.1 + k
        return k + 1

    def __call__(self, k):
        return self.x**2 + k

    def __getitem__(self, k):
        return self.x * k + 1.0

    @property
    def tripled(self):
        return self.x * 3

    def __add__(self, k):
        return self.x + k

    def __contains__(self, k):
        self.x = self.x + 0.25
        return k < 2


def descend(x, k):
    return x if k <= 0 else descend(x, k - 1) * x + 1


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **named):
        return f(*args, **named) * 2.0

    return wrapper


@contextlib.contextmanager
def lent(v):
    yield v


class Lent:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *exception):
        return False


"""
#: what gives an active number: what stands before, and the call, where # stands for an int
ACTIVE = {
    'recur': ('def c(k): return x if k <= 0 else c(k - 1) * y + 0.5', 'c(#)'),
    'recur1': ('def c(k): return 1.0 if k <= 0 else c(k - 1) * x', 'c(#)'),
    'memo': ('@functools.lru_cache(maxsize=None)\ndef c(k): return x if k <= 0 else c(k - 1) * y + 0.5', 'c(#)'),
    'memod': ('memo = {}\ndef c(k):\n    if k not in memo:\n        memo[k] = x if k <= 0 else c(k - 1) * y + 0.5\n    return memo[k]', 'c(#)'),
    'mutual': ('def e(k): return x if k <= 0 else o(k - 1) * y\ndef o(k): return y if k <= 0 else e(k - 1) + x', 'e(#)'),
    'glob': ('', 'descend(x, #)'),
    'globk': ('', 'descend(k=#, x=x)'),
    'part': ('c = functools.partial(descend, x)', 'c(#)'),
    'lam': ('c = lambda k: x * (k + y)', 'c(#)'),
    'lamd': ('c = lambda k, z=x: z * (k + y)', 'c(#)'),
    'meth': ('o = Model(x)', 'o.descend(#)'),
    'bound': ('o = Model(x)\nc = o.get', 'c(#)'),
    'call': ('o = Model(x)', 'o(#)'),
    'item': ('o = Model(x)', 'o[#]'),
    'prop': ('o = Model(x)', '(o.tripled + #)'),
    'add': ('o = Model(x)', '(o + #)'),
    'getattr': ('o = Model(x)', "getattr(o, 'ge' + 't')(#)"),
    'table': ("t = {'a': lambda k: x * k + 1.0, 'b': math.sin}", "t['a'](#)"),
    'list': ('L = []\nfor i in range(5): L.append(x * i + y)', 'L[#]'),
    'dict': ('D = {}\nfor i in range(5): D[i] = x * i + y', 'D[#]'),
    'arr': ('A = np.arange(5.0) * x + y', 'A[#]'),
    'arrf': ('A = np.arange(5.0) * x + y', 'float(A[#])'),
    'deco': ('@doubled\ndef c(k): return x * k + y', 'c(#)'),
    'vararg': ('def c(*a, s=1.0): return sum(a) * x * s + y', 'c(#, 1.0, s=y)'),
    'cond': ('', '(x if # > 1 else y * 2)'),
    'nonl': ('def mk():\n    z = x\n    def c(k):\n        nonlocal z\n        z = z * 1.1 + y\n        return z * k\n    return c\nc = mk()', 'c(#)'),
    'tup': ('T = (x, y, x * y, 1.0, x + y)', 'T[#]'),
    'red': ('L = [x, y, x * y]', 'functools.reduce(lambda a, b: a * 0.5 + b, L, 0.1 * #)'),
    'comp': ('', 'sum(x * i for i in range(# + 2))'),
    'maxf': ('', 'max([x * #, y, 0.3])'),
    'rarr': ('def c(k): return np.array([x, y]) if k <= 0 else c(k - 1) * x', 'c(#)[0]'),
    'rlist': ('def c(k): return [x, y] if k <= 0 else c(k - 1) + [x * k]', 'sum(c(#))'),
    'rdict': ("def c(k): return {'v': x} if k <= 0 else {'v': c(k - 1)['v'] * y}", "c(#)['v']"),
    'robj': ('def c(k): return Model(x) if k <= 0 else Model(c(k - 1).x * y)', 'c(#).x'),
    'rtup': ('def c(k):\n    if k <= 0: return x, y\n    a, b = c(k - 1)\n    return b * x, a + y', 'c(#)[1]'),
    'switch': ('def c(k):\n    match k:\n        case 0: return x\n        case 1 | 2: return x * y\n        case _: return y ** 2', 'c(#)'),
    'tryf': ('def c(k):\n    try:\n        return math.log(k - 1.0) * x + y\n    except ValueError:\n        return x * 0.3', 'c(#)'),
    'loopf': ('def c(k):\n    s = y\n    for i in range(k):\n        if s > 5: break\n        s = s * x + 1\n    else:\n        s += x\n    return s', 'c(#)'),
    'whilef': ('def c(k):\n    s = y; k = k + 1\n    while k > 0:\n        s = s * x + 1; k -= 1\n    return s', 'c(#)'),
}  # fmt: skip
#: what gives an int and stores something active: what stands before, the call, and what reads what was stored
STORING = {
    'slist': ('S = []\ndef p(k):\n    S.append(x * (k + 1))\n    return k', 'p(#)', 'sum(S)'),
    'slist0': ('S = [x]\ndef p(k):\n    S[0] = S[0] * y + k\n    return k', 'p(#)', 'S[0]'),
    'sdict': ("S = {'v': x}\ndef p(k):\n    S['v'] *= y + k\n    return k", 'p(#)', "S['v']"),
    'sarr': ('S = np.array([x, y, 0.5])\ndef p(k):\n    S[k % 3] += x * y\n    return k', 'p(#)', '(S @ S)'),
    'snonl': ('S = x\ndef p(k):\n    nonlocal S\n    S = S * y + k\n    return k', 'p(#)', 'S'),
    'sobj': ('o = Model(x)', 'o.put(#)', 'o.x'),
    'sobjb': ('o = Model(x)\np = o.put', 'p(#)', 'o.x'),
    'scont': ('o = Model(x)', '(# + (# in o))', 'o.x'),
    'srec': ('S = []\ndef p(k):\n    S.append(x * y)\n    return 0 if k <= 0 else p(k - 1) + 1', 'p(#)', 'sum(S)'),
    'srec0': ('S = [x]\ndef p(k):\n    S[0] = S[0] * y + 1\n    return 0 if k <= 0 else p(k - 1) + 1', 'p(#)', 'S[0]'),
    'srecn': ('S = x\ndef p(k):\n    nonlocal S\n    S = S * y + 1\n    return 0 if k <= 0 else p(k - 1) + 1', 'p(#)', 'S'),
    'sreco': ('o = Model(x)\ndef p(k):\n    o.x = o.x * y + 1\n    return 0 if k <= 0 else p(k - 1) + 1', 'p(#)', 'o.x'),
    'sreca': ('S = np.array([x, y, 0.5])\ndef p(k):\n    S[k % 3] += x * y\n    return 0 if k <= 0 else p(k - 1) + 1', 'p(#)', '(S @ S)'),
    'spop': ('S = [x, y, x * y, x + y, x - y, y * y, x * 3, x, y, x, y, x, y, x, y, x, y, x]\ndef p(k):\n    S.pop()\n    return k', 'p(#)', 'sum(S)'),
    'sappend': ('S = [x]', '(len(S) if S.append(x * #) is None and # < 2 else #)', 'sum(S)'),
    'ssetd': ('S = {}', '(0 if S.setdefault(# % 3, x * y) > 100 else #)', 'sum(S.values())'),
    'sset': ('S = [x, y, 0.5]', '(operator.setitem(S, # % 3, S[0] * y) or #)', 'sum(S)'),
    'smemo': ('S = {}\ndef p(k):\n    if k not in S: S[k] = x * (k + y)\n    return k', 'p(#)', 'sum(S.values())'),
    'spar': ('S = [x, y]\ndef p(L, k):\n    L[0] = L[1] * L[0]\n    return k', 'p(S, #)', 'S[0]'),
    'slam': ('S = []\np = lambda k: S.append(x + k) or k', 'p(#)', 'sum(S)'),
    'sdef': ('def p(k, S=[x]):\n    S[0] = S[0] * y\n    return k + (S[0] > 100)', 'p(#)', '0.0'),
    'sclass': ('class C:\n    v = x\n    @classmethod\n    def p(cls, k):\n        cls.v = cls.v * y + k\n        return k', 'C.p(#)', 'C.v'),
    'sitem': ('class I:\n    def __init__(s): s.v = x\n    def __getitem__(s, k):\n        s.v = s.v * y + 1\n        return k\no = I()', 'o[#]', 'o.v'),
    'sprop': ('class I:\n    def __init__(s): s.v = x\n    @property\n    def q(s):\n        s.v = s.v * y + 1\n        return 1\no = I()', '(o.q - 1 + #)', 'o.v'),
}  # fmt: skip
#: where it is computed: <i> is the call with i for its int
PLACES = {
    'plain': 'r = <0>\nr += <2>',
    'listcomp': 'r = sum([<i> * y for i in range(n)])',
    'gen': 'r = sum(<i> for i in range(n))',
    'gen2': 'r = sum(<i> * <j> for i in range(n) for j in range(i + 1))',
    'filt': 'r = sum(x for i in range(n) if <i> > 0.5) + y',
    'filt2': 'r = sum(<i> for i in range(n) if <i> > 0.5)',
    'dictc': 'd = {i: <i> for i in range(n)}\nr = d[1] * d[2]',
    'dictcs': "d = {str(i): <i> for i in (0, 1, 2)}\nr = d['1'] * d['2'] + sum(d.values())",
    'maxg': 'r = max(<i> for i in range(n))',
    'maxk': 'r = max(range(n), key=lambda i: <i>) * x',
    'mink': 'r = min([x, y, x * y], key=lambda t: abs(t - <1>))',
    'sortk': 'L = sorted(range(n), key=lambda i: -<i>)\nr = sum(x * i / (k + 1) for k, i in enumerate(L))',
    'sorted': 'L = sorted([<i> for i in range(n)])\nr = sum(a * k for k, a in enumerate(L))',
    'map': 'r = sum(map(lambda i: <i>, range(n)))',
    'filter': 'r = sum(x * i for i in filter(lambda i: <i> > 0.7, range(n)))',
    'reduce': 'r = functools.reduce(lambda a, i: a * 0.5 + <i>, range(n), y)',
    'nparr': 'r = np.sum(np.array([<i> for i in range(n)]) ** 2)',
    'nparr2': 'r = np.sum(np.array([<i> for i in range(3)]) ** 2)',
    'fromiter': 'r = np.sum(np.fromiter((<i> for i in range(n)), float) ** 2)',
    'stack': 'r = np.sum(np.stack([np.ones(2) * <i> for i in range(n)]) ** 2)',
    'if': 'if <1> > 0.9: r = <2>\nelse: r = x * <0>',
    'while': 'r = x; i = 0\nwhile <i> < 6.0 and i < n:\n    r = r * y + <i>; i += 1',
    'cond': 'r = <1> if <2> > 1.0 else <0>',
    'fstr': "s = f'''{<1>:.3f}'''\nr = x * len(s) + <1>",
    'any': 'r = x if any(<i> > 2.0 for i in range(n)) else y',
    'next': 'r = next((<i> for i in range(n) if <i> > 0.8), y)',
    'idx': 'V = np.array([x, y, x * y])\nr = V[int(<1> > 1.0)] * <2>',
    'star': 'r = max(*[<i> for i in range(n)], y)',
    'kw': 'r = (lambda a, b=0.0: a * b)(<1>, b=<2>)',
    'aug': 'r = x\nr *= <1>\nr += <2>',
    'loop': 'r = 0.0\nfor i in range(n):\n    r = r * x + <i>',
    'loopif': 'r = 0.0\nfor i in range(n):\n    t = <i>\n    if t > 1.0: continue\n    r = r * x + t',
    'looparr': 'r = 0.0\nfor t in [<i> for i in range(n)]:\n    r = r * x + t',
    'try': 'try: r = math.log(<1> - 0.9)\nexcept ValueError: r = <2>',
    'assert': 'assert <1> > -100\nr = <1>',
    'with': 'with lent(<1>) as r: r = r * <2>',
    'with2': 'with Lent(<1>) as r: r = r * <2>',
    'match': 'match (<1>, <2>):\n    case (a, b) if a > b: r = a * x\n    case (a, b): r = b * a',
    'walrus': 'r = (t := <1>) * t + (t if t > 0.5 else x)',
    'append': 'L = []\nfor i in range(n): L.append(<i>)\nr = L[-1] * L[0]',
    'store': 'B = np.zeros(n)\nfor i in range(n): B[i] = <i>\nr = B @ B',
    'store2': 'B = np.zeros(n)\nB[:] = [<i> for i in range(n)]\nr = B @ B',
    'dstore': 'd = {}\nfor i in range(n): d[i] = <i>\nr = sum(v * v for v in d.values())',
    'accum': 'r = list(itertools.accumulate(<i> for i in range(n)))[-1]',
    'zip': 'r = sum(a * b for a, b in zip([<i> for i in range(n)], [x * i for i in range(n)]))',
    'zipm': 'r = sum(a * b for a, b in zip(map(lambda i: <i>, range(n)), range(n)))',
    'enum': 'r = sum(k * a for k, a in enumerate([<i> for i in range(n)]))',
    'nest': 'r = sum(sum(<j> * i for j in range(i + 1)) for i in range(n))',
    'nestl': 'M = [[<j> + i for j in range(2)] for i in range(n)]\nr = M[1][1] * M[-1][0]',
    'rec': 'def f_(i): return x if i <= 0 else f_(i - 1) * 0.5 + <i>\nr = f_(n)',
    'lam': 'r = (lambda i: <i> * x)(2)',
    'default': 'def f_(i, z=<1>): return z * i\nr = f_(x)',
    'closure': 't = <1>\ndef f_(i): return t * i\nr = f_(x) + f_(y)',
    'obj': 'q = Model(<1>)\nr = q.x * <2>',
    'tuple': 'a, b = <1>, <2>\nr = a * b',
    'chain': 'r = x if 0.1 < <1> < 2.0 else y',
    'andor': 'r = (<1> > 1.5 and <0>) or y',
    'slice': 'L = [x, y, x * y]\nr = sum(L[:int(<1> > 0.5) + 1])',
    'round': 'r = x * round(<1>) + <1>',
    'del': 'L = [<i> for i in range(n)]\ndel L[0]\nr = sum(L)',
    'ins': 'L = [<i> for i in range(n)]\nL.insert(1, <0>)\nr = sum(a * k for k, a in enumerate(L))',
    'retl': 'def f_():\n    for i in range(n):\n        if <i> > 1.2: return <i> * x\n    return y\nr = f_()',
    'brk': 'r = y\nfor i in range(n):\n    if <i> > 1.6: break\n    r = r + <i>\nelse: r = r * x',
    'setc': 'r = sum({round(<i>, 3) for i in range(n)}) * 0 + <1>',
    'print': 'print(<1>)\nr = <1>',
    'unpack': 'a, *b = [<i> for i in range(n)]\nr = a * b[0] + b[-1]',
    'isinst': 'r = <1> if isinstance(<1>, float) else <1> * 1.0',
}  # fmt: skip
PLACES_OF_INTS = {
    'plain': 'r = <0>\nr += <2>',
    'listcomp': 'r = sum([<i> * y for i in range(n)])',
    'gen': 'r = sum(<i> for i in range(n))',
    'filt': 'r = sum(x for i in range(n) if <i> > 1) + y',
    'dictc': 'd = {i: <i> for i in range(n)}\nr = d[1] * x',
    'dictk': 'd = {<i>: i * x for i in range(n)}\nr = sum(d.values())',
    'maxg': 'r = max(<i> for i in range(n))',
    'maxk': 'r = max(range(n), key=lambda i: <i>) * x',
    'sortk': 'L = sorted(range(n), key=lambda i: -<i>)\nr = sum(x * i / (k + 1) for k, i in enumerate(L))',
    'map': 'r = sum(map(lambda i: <i>, range(n)))',
    'filter': 'r = sum(x * i for i in filter(lambda i: <i> > 1, range(n)))',
    'reduce': 'r = functools.reduce(lambda a, i: a * 0.5 + <i>, range(n), y)',
    'nparr': 'r = np.sum(np.array([<i> for i in range(n)]) ** 2) * x',
    'if': 'if <1> > 0: r = y * <2>\nelse: r = x * <0>',
    'while': 'r = x; i = 0\nwhile <i> < 3 and i < n:\n    r = r * y; i += 1',
    'cond': 'r = x if <2> > 1 else y',
    'fstr': "s = f'''{1}'''\nr = x * len(s)",
    'any': 'r = x if any(<i> > 1 for i in range(n)) else y',
    'all': 'r = x if all(<i> < 1 for i in range(n)) else y',
    'next': 'r = next((x * i for i in range(n) if <i> > 1), y)',
    'idx': 'V = np.array([x, y, x * y])\nr = V[<1> % 3]',
    'idxs': 'V = np.array([x, y, x * y])\nV[<1> % 3] = x\nV[<2> % 3] += y\nr = V @ V',
    'idxl': 'V = [x, y, x * y]\nV[<1> % 3] = x\nV[<2> % 3] += y\nr = sum(V)',
    'slice': 'V = np.array([x, y, x * y])\nr = np.sum(V[<1> % 3:])',
    'star': 'r = max(*[<i> for i in range(n)], y)',
    'kw': 'r = (lambda a, b=0.0: a * b)(x, b=<2>)',
    'aug': 'r = x\nr *= <1>\nr += <2>',
    'loop': 'r = 0.0\nfor i in range(n):\n    r = r * x + <i>',
    'range': 'r = y\nfor i in range(<2> % 4):\n    r = r * x + i',
    'try': 'try: r = math.log(<1> - 1.0)\nexcept ValueError: r = x\nr = r * y',
    'assert': 'assert <1> > -100\nr = x',
    'asserta': 'assert <1> > -100, str(<2>)\nr = x',
    'match': 'match <1> % 3:\n    case 0: r = x\n    case 1: r = y * x\n    case _: r = y',
    'walrus': 'r = x * (t := <1>) + t',
    'store': 'B = np.zeros(n)\nfor i in range(n): B[i] = <i> * x\nr = B @ B',
    'dstore': 'd = {}\nfor i in range(n): d[<i>] = x * i\nr = sum(v * v for v in d.values())',
    'nest': 'r = sum(sum(<j> * i for j in range(i + 1)) for i in range(n))',
    'rec': 'def f_(i): return x if i <= 0 else f_(i - 1) * 0.5 + <i>\nr = f_(n)',
    'lam': 'r = (lambda i: <i> * x)(2)',
    'default': 'def f_(i, z=<1>): return z * i\nr = f_(x)',
    'chain': 'r = x if -1 < <1> < 2 else y',
    'andor': 'r = x if (<1> > 5 and <0> > 1) or <2> > 1 else y',
    'in': 'r = x if <1> in (1, 2, 3) else y',
    'intt': 'r = x ** (<1> % 3)',
    'print': 'print(<1>)\nr = x',
    'brk': 'r = y\nfor i in range(n):\n    if <i> > 2: break\n    r = r + x\nelse: r = r * x',
    'retl': 'def f_():\n    for i in range(n):\n        if <i> > 1: return i * x\n    return y\nr = f_()',
    'wh': 'i = 0; r = y\nwhile True:\n    if <i> >= 2: break\n    r *= x; i += 1',
    'stmt': '<1>\nr = x',
    'raise': 'try:\n    if <1> > 0: raise KeyError(<2>)\n    r = x\nexcept KeyError: r = y',
    'zeros': 'r = np.sum(np.ones(<1> % 3 + 1) * x)',
    'shape': 'r = np.sum((np.ones((2, 2)) * x).reshape(<1> % 1 + 4, -1)[0])',
}  # fmt: skip
#: where all of it stands: in the function, in a loop, on a branch
AROUND = {
    "function": "{0}\nreturn {1}",
    "loop": "out = 0.0\nfor turn in range(2):\n    {0}\n    out = out * y + {1}\nreturn out",
    "branch": "out = x * 0.1\nif x > y - 10:\n    {0}\n    out = {1}\nreturn out * y",
}
START = "x, y = u[0] + 0.6, u[1] - 0.5"


def programs() -> Iterator[tuple[str, str]]:
    """All of them: a name, and the text."""
    for (one, (before, call)), (two, place) in itertools.product(ACTIVE.items(), PLACES.items()):
        yield from _around(f"{one} {two}", before, _filled(place, call), "r")
    for (one, (before, call, after)), (two, place) in itertools.product(STORING.items(), PLACES_OF_INTS.items()):
        yield from _around(f"{one} {two}", before, _filled(place, call), f"r + {after} * x")


def _filled(place: str, call: str) -> str:
    for name in "ij012":
        place = place.replace(f"<{name}>", call.replace("#", name))
    return place


def _around(name: str, before: str, place: str, result: str) -> Iterator[tuple[str, str]]:
    inside = "\n".join(part for part in (before, place) if part)
    for around, form in AROUND.items():
        indented = inside if around == "function" else inside.replace("\n", "\n    ")
        body = f"{START}\n{form.format(indented, result)}"
        yield f"{name} {around}", f"{HEAD}def f(u, n):\n    " + body.replace("\n", "\n    ") + "\n"


@pytest.mark.long
@pytest.mark.sampled(8)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k else []) for k in range(4)])
def test_in_places(block: int, tmp_path: pathlib.Path) -> None:
    """A sample, for the whole takes more than an hour."""
    drawn = random.Random(block).sample(list(programs()), 60)[: 60 if amounts.ALL else 20]
    verdicts = [verdict(text, tmp_path / f"places_{k}.py") for k, (_, text) in enumerate(drawn)]
    assert verdicts.count("right") > 0.6 * len(drawn)
