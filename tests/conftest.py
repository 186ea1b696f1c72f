"""What all tests share."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import zlib
from typing import Any

import pytest
from hypothesis import settings

from tests.amounts import ALL, FEW

# What collecting makes stays until the end: to look for garbage in it takes seconds, then and later.
gc.disable()

# A mistake of the compiler fails a test as what it is, also where a refusal would do.
os.environ.setdefault("S2SAD_DEBUG", "1")
# Kernels are compiled with less optimization than users have, in half of the time; with all of it, where all is run.
if not ALL:
    os.environ.setdefault("NUMBA_OPT", "1")

# In continuous integration the same examples are drawn each time: a new failure belongs to the change, not to chance.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")
# Hypothesis also draws the constants of all files here, and parses them for that, which takes seconds; and one that
# changes anywhere would change what is drawn everywhere.
with contextlib.suppress(ImportError):  # earlier versions do not
    from hypothesis.internal.conjecture import providers

    providers._get_local_constants = lambda: providers._local_constants  # type: ignore[attr-defined]

#: one in so many of the cases that are sampled otherwise
THIN = 10 if FEW else 1
#: one in so many tests is quick, and one of each module
QUICK = 100


@pytest.hookimpl(trylast=True)  # when all cases are there, and none is made a test of yet: that takes longest
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose among the cases of a test: of one that is marked `sampled(n)` the first case of each function (or of each
    part of the corpus, or of what is numbered), and about every n-th of the others: the same ones each time. With
    `each=False`, about every n-th of all of them; with `at=k`, those of the k-th remainder, so that two tests of the
    same cases share them. At least one. With `cover=True`, each value of each parameter is among those that are kept:
    of a product of lists, each item of each of them."""
    if ALL or any("::" in chosen for chosen in metafunc.config.args):  # who names a test wants its cases
        return
    test, cases = metafunc.definition, metafunc._calls
    kept, seen = [], set()
    for case in cases:
        mark = next((m for m in (*case.marks, *test.iter_markers()) if m.name == "sampled"), None)
        name = f"{test.nodeid}[{case.id}]"
        if mark is None:
            n, at, each, group = 1, 0, True, ""
        else:
            n, at = mark.args[0], mark.kwargs.get("at", 0)
            each = mark.kwargs.get("each", True) and not mark.kwargs.get("cover", False)
            group = "" if case.id.isdigit() else re.split(r"[-(:]", case.id)[0]
        together = mark is not None and "at" in mark.kwargs
        number = zlib.crc32((f"{case.id}]" if together else name).encode())
        if (each and group not in seen) or number % (n * THIN) == at:
            kept.append(case)
        seen.add(group)
    marks = [m for m in test.iter_markers("sampled") if m.kwargs.get("cover", False)]
    cases[:] = covering(cases, kept) if marks and not FEW else kept or cases[:1]


def covering(cases: list[Any], kept: list[Any]) -> list[Any]:
    """The cases that are kept, and as many of the others as have a parameter's value that none before them has."""

    def values(case: Any) -> set[tuple[str, object]]:
        return {(k, v if isinstance(v, (str, int, float, tuple)) else id(v)) for k, v in case.params.items()}

    missing = set().union(*map(values, cases)).difference(*map(values, kept))
    more = []
    # those that have most of what is missing, first; of equal ones, any, but the same ones each time
    for case in sorted(cases, key=lambda c: (-len(values(c) & missing), zlib.crc32(c.id.encode()))):
        if not missing.isdisjoint(values(case)):
            missing -= values(case)
            more.append(case)
    chosen = {id(c) for c in (*kept, *more)}
    return [c for c in cases if id(c) in chosen]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark some of the tests as quick."""
    numbered = [(zlib.crc32(i.nodeid.encode()), i) for i in items if not is_long(i)]
    seen = set()
    for number, item in sorted(numbered, key=lambda pair: pair[0]):
        if number % QUICK == 0 or item.path not in seen:
            item.add_marker("quick")
        seen.add(item.path)


def is_long(item: pytest.Item) -> bool:
    """Is a test marked as one that takes seconds?"""
    return any(item.get_closest_marker(mark) is not None for mark in ("slow", "long"))
