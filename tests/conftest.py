"""What all tests share."""

from __future__ import annotations

import os
import re
import zlib

import pytest
from hypothesis import settings

# A mistake of the compiler fails a test as what it is, also where a refusal would do.
os.environ.setdefault("S2SAD_DEBUG", "1")

# In continuous integration the same examples are drawn each time: a new failure belongs to the change, not to chance.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")

#: every case of what is sampled otherwise
ALL = os.environ.get("S2SAD_TESTS") == "all"
#: of all cases, a tenth of what is run otherwise
THIN = 10 if os.environ.get("S2SAD_TESTS") == "few" else 1


#: one in so many tests is quick, and one of each module
QUICK = 100


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose among the cases of tests that are marked `sampled`, then mark some of what is left as quick."""
    if not (ALL or any("::" in chosen for chosen in config.args)):  # who names a test wants its cases
        sample(config, items)
    numbered = [(zlib.crc32(i.nodeid.encode()), i) for i in items if not is_long(i)]
    seen = set()
    for number, item in sorted(numbered, key=lambda pair: pair[0]):
        if number % QUICK == 0 or item.path not in seen:
            item.add_marker("quick")
        seen.add(item.path)


def is_long(item: pytest.Item) -> bool:
    """Is a test marked as one that takes seconds?"""
    return any(item.get_closest_marker(mark) is not None for mark in ("slow", "long"))


def sample(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that is marked `sampled(n)` run the first case of each function (or of each part of the corpus), and
    about every n-th of the others: the same ones each time. With `each=False`, about every n-th of all of them; with
    `at=k`, those of the k-th remainder, so that two tests of the same cases share them."""
    kept, dropped, seen = [], [], set()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is None:
            n, at, each, group = 1, 0, True, item.nodeid.partition("[")[0]
        else:
            n, at, each = mark.args[0], mark.kwargs.get("at", 0), mark.kwargs.get("each", True)
            group = re.split(r"[-(:]", item.nodeid.replace("::", " "))[0]
        together = mark is not None and "at" in mark.kwargs
        case = zlib.crc32((item.name.partition("[")[2] if together else item.nodeid).encode())
        first = each and group not in seen
        seen.add(group)
        (kept if first or case % (n * THIN) == at else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
