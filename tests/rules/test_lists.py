"""Lists of numbers where NumPy takes arrays: right, or refused."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

import s2sad
from tests import numeric
from tests.rules import programs, runner
from tests.rules.cases import Case, a
from tests.rules.test_rules import RULES, cases_of, is_helper


def as_list(value):
    return value.tolist() if isinstance(value, np.ndarray) and value.ndim and value.size else value


def with_lists(case):
    """The case with one of its arrays active, and lists for the others: for each of its arrays."""
    given = [*enumerate(case.args), *case.kwargs.items()]
    arrays = [
        k
        for k, v in given
        if isinstance(v, np.ndarray) and runner._floats(v) and k not in case.options.get("inactive", ())
    ]
    for active in arrays:
        args = tuple(v if k == active else as_list(v) for k, v in enumerate(case.args))
        made = Case(*args, _={**case.options, "inactive": tuple(k for k, _ in given if k != active)})
        made.kwargs = {k: v if k == active else as_list(v) for k, v in case.kwargs.items()}
        changed = any(
            isinstance(n, list) and not isinstance(o, list)
            for (_, o), n in zip(given, [*args, *made.kwargs.values()], strict=True)
        )
        if changed:
            yield active, made


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in RULES if not is_helper(n)])
def test_lists(name):
    seen = set()
    for case in cases_of(RULES[name]):
        for active, made in with_lists(case):
            form = (active, *(type(v) for v in made.args))
            if form in seen:
                continue
            seen.add(form)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    RULES[name].target(*made.args, **made.kwargs)
                except Exception:
                    continue
                with contextlib.suppress(s2sad.DerivationError):  # never wrong
                    programs.check(made, RULES[name].target)


PROGRAMS = [
    lambda x: np.sum(x * [1.0, 2.0, 3.0]),
    lambda x: np.sum([1, 2, 3] * (x * x)),
    lambda x: np.sum(x * (x[0], 1.0, x[1])),
    lambda x: np.sum((x - [x[0], 1.0, x[1]]) ** 2),
    lambda x: np.sum(x ** [1, 2, 3]) + np.sum((x / (1.0, 2.0, 3.0)) ** 2) + np.sum(([3, 4, 5] - x**2) ** 2),
    lambda x: (x @ [1.0, 2.0, 3.0]) ** 2 + x.dot([1.0, 2.0, 3.0]) ** 2,
    lambda x: np.sum(np.concatenate([x, [1.0, 2.0]]) ** 2) + np.sum(np.append(x, [1.0, 2.0]) ** 2),
    lambda x: np.sum(np.stack([[1.0, 2.0, 3.0], x]) ** 2) + np.sum(np.array([x, [1.0, 2.0, 3.0]]) ** 2),
    lambda x: np.sum(np.choose([0, 1, 0], [x, [1.0, 2.0, 3.0]]) ** 2),
    lambda x: np.sum(np.insert(x, 1, [1.0, 2.0]) ** 2) + np.sum(np.insert(x, 1, x[:2]) ** 3),
    lambda x: np.sum(np.interp(x, [0.0, 0.5, 1.0], [0.0, 2.0, 1.0]) ** 2) + np.interp([0.4], [0.0, 0.5, 1.0], x)[0],
    lambda x: np.sum(np.clip(x, [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]) ** 2) + np.sum(np.cross(x, [1, 2, 3]) ** 2),
    lambda x: ([x[0], x[1]] * 2)[3] * sum([x[0]] * 3),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=map(str, range(len(PROGRAMS))))
def test_program(f):
    numeric.check(f, (a(3),), 0, second=True)
