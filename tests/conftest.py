"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# A mistake of the compiler fails a test as what it is, also where a refusal would do.
os.environ.setdefault("S2SAD_TRACEBACK", "1")

# In continuous integration the same examples are drawn each time: a new failure belongs to the change, not to chance.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")
