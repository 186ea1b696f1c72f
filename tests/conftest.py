"""What all tests share."""

from __future__ import annotations

import os
import re
import zlib

import pytest
from hypothesis import settings

# A mistake of the compiler fails a test as what it is, also where a refusal would do.
os.environ.setdefault("S2SAD_TRACEBACK", "1")

# In continuous integration the same examples are drawn each time: a new failure belongs to the change, not to chance.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")

#: every case of what is sampled otherwise
ALL = os.environ.get("S2SAD_TESTS") == "all"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that is marked `sampled(n)` run the first case of each function (or of each part of the corpus), and
    about every n-th of the others: the same ones each time. With `each=False`, about every n-th of all of them."""
    if ALL or any("::" in chosen for chosen in config.args):  # who names a test wants its cases
        return
    kept, dropped, seen = [], [], set()
    for item in items:
        mark = item.get_closest_marker("sampled")
        group = item.nodeid if mark is None else re.split(r"[-(:]", item.nodeid.replace("::", " "))[0]
        first = mark is None or (mark.kwargs.get("each", True) and group not in seen)
        seen.add(group)
        (kept if first or not zlib.crc32(item.nodeid.encode()) % mark.args[0] else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
