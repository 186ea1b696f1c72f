"""Copies, shallow and deep, and views: what changes in the one is seen in the other as far as Python shares it.

Each program makes a list, dict or array, derives another from it, changes one of the two, and reads the other.
"""

from __future__ import annotations

import pathlib
import random

import pytest

from tests import amounts
from tests.language.test_held import ARRAYS, DICTS, FORMS, LISTS, NESTED, OF_ARRAYS, OF_LISTS, PROGRAM, verdict

OF_A_LIST = (
    "@[:]", "list(@)", "@.copy()", "copy.copy(@)", "[*@]", "@ + []", "@ * 1", "sorted(@)", "tuple(@)", "[v for v in @]",
    "list(map(same, @))", "list(filter(None, @))", "list(reversed(@))", "@[::-1]", "copy.deepcopy(@)", "@[1:]", "(*@,)",
    "[@][0]", "[*@, *@]", "list(enumerate(@))", "list(zip(@, @))", "deque(@)", "np.array(@)", "np.asarray(@)", "list(iter(@))",
    "@[:1] + @[1:]", "@ if k == 1 else @[:]", "{i: v for i, v in enumerate(@)}", "dict(enumerate(@))", "@[-1:]", "reduce(list.__add__, [@, []])",
)  # fmt: skip
OF_A_DICT = (
    "dict(@)", "@.copy()", "{**@}", "{i: v for i, v in @.items()}", "@ | {}", "copy.copy(@)", "OrderedDict(@)", "@.values()",
    "@.items()", "@.keys()", "list(@.items())", "list(@.values())", "list(@)", "dict(@.items())", "copy.deepcopy(@)",
    "dict(zip(@, @.values()))", "defaultdict(float, @)", "tuple(@.values())", "{**@, 7: 1.0}", "dict(@, a=1.0)", "sorted(@.items())",
    "iter(@.values())", "{v: i for i, v in @.items()}", "[@[i] for i in @]", "ChainMap(@)", "[*@.values()]",
)  # fmt: skip
OF_AN_ARRAY = (
    "@[:]", "@[1:]", "@.reshape(-1)", "@.ravel()", "@.T", "np.asarray(@)", "np.atleast_1d(@)", "@.view()", "@.copy()",
    "@[[0, 1, 2]]", "np.array(@)", "@[::-1]", "np.squeeze(@)", "@.astype(float)", "np.ascontiguousarray(@)", "@.flatten()",
    "@.astype(float, copy=False)", "np.array(@, copy=None)", "@[None, :]", "@[@ > -9.0]", "np.ravel(@)", "np.reshape(@, (3, 1))[:, 0]",
    "@.real", "np.real(@)", "list(@)", "@.tolist()", "tuple(@)", "[*@]", "np.broadcast_to(@, (2, 3))", "np.transpose(@)", "+@",
    "@ if k == 1 else @.copy()", "np.array_split(@, 1)[0]", "np.split(@, [1])[1]", "[v for v in @]", "@.swapaxes(0, 0)", "same(@)",
    "np.nan_to_num(@)", "np.where(True, @, 0.0)", "np.diagonal(np.array([@, @, @]))", "np.vstack([@, @])[0]", "next(iter([@]))[:2]",
)  # fmt: skip
CASES = {
    LISTS: (OF_A_LIST, (
        "@.append(x[1])", "@ += [x[2]]", "@[0] = x[1]", "@.clear()", "@[:] = [x[1]]", "@.pop()", "@.sort()", "put(@, x)",
        "@.extend([x[1], 0.5])", "@[0] *= x[1]", "@[k - 1] = x[2]", "scaled(@, x[1])", "grow(@, x, k)",
    )),
    NESTED: (OF_A_LIST, (
        "@[0].append(x[1])", "@.append([x[1]])", "@[0][0] = x[1]", "@[0] = [x[1]]", "@[0] += [x[1]]", "put(@[0], x)",
        "@[k - 1].append(x[2])", "@[-1].clear()",
    )),
    OF_ARRAYS: (OF_A_LIST, ("@[0][1] = x[1]", "@[0] += x[:2]", "@.append(x[1:])", "@[1] = x[:2]", "@[k - 1][0] = 2.0")),
    DICTS: (OF_A_DICT, (
        "@[0] = x[1]", "@[5] = x[1]", "@.update({1: x[1]})", "@[k] = x[2]", "@.clear()", "@[0] += x[1]", "put_at(@, x)",
    )),
    OF_LISTS: (OF_A_DICT, (
        "@[0].append(x[1])", "@[0] = [x[1]]", "@[k].append(x[2])", "@[0] += [x[1]]", "@[5] = [x[0]]", "put(@[1], x)",
    )),
    ARRAYS: (OF_AN_ARRAY, (
        "@[0] = x[1]", "@ += x", "@[:] = x", "@[k] *= x[1]", "@.fill(2.0)", "np.add(@, x, out=@)", "@[1:] += x[:2]", "@[0] = 5.0",
        "scaled(@, x[1])", "@[k] = 3.0", "@ *= x[2]", "@[-1] += 2.0",
    )),
}  # fmt: skip
READS = (
    "flat(@)", "len(@)", "sum(@)", "flat(@[0])", "sum(v for v in @)", "flat(@) * len(@)", "sum([flat(v) for v in @])",
    "flat(list(@))", "float(np.sum(@))", "sum(@.values())", "@[k - 1]",
)  # fmt: skip
FLAT = """
from collections import OrderedDict
from functools import reduce


def flat(v):
    if isinstance(v, dict):
        return sum(flat(e) for e in v.values())
    if isinstance(v, (list, tuple, deque)):
        t = 0.0
        for e in v:
            t = t + flat(e) * 0.5
        return t
    return np.sum(v * v) if isinstance(v, np.ndarray) else v


def f(x, n):"""


def program(draw: random.Random) -> str:
    """One of all programs, by chance."""
    kinds, (derived, changes) = draw.choice(list(CASES.items()))
    form, name = draw.choice(list(FORMS.items()))
    changed, other = draw.choice([("u", "h"), ("h", "u")])
    reads = draw.choice(READS).replace("@", other)
    body = form.replace("@", draw.choice(changes).replace("@", name)).replace("#", changed).replace("$", reads)
    text = PROGRAM.replace("def f(x, n):", FLAT.strip("\n")).replace("{made}", draw.choice(kinds))
    text = text.replace("{holder}", "h = " + draw.choice(derived).replace("@", "u"))
    return text.replace("{change}", body).replace("{read}", reads)


@pytest.mark.long
@pytest.mark.sampled(6, each=False)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k > 1 else []) for k in range(5)])
def test_copies(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    verdicts = [verdict(program(draw), tmp_path / f"copies_{k}.py") for k in range(60 if amounts.ALL else 20)]
    assert verdicts.count("right") > 2
