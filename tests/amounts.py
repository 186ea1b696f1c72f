"""How much is run: a sample by default, a tenth of it with S2SAD_TESTS=few, all there is with S2SAD_TESTS=all."""

from __future__ import annotations

import os

#: every case of what is sampled otherwise
ALL = os.environ.get("S2SAD_TESTS") == "all"
#: of all cases, a tenth of what is run otherwise
FEW = os.environ.get("S2SAD_TESTS") == "few"


def examples(n: int) -> int:
    """How many random examples are drawn of a test.

    >>> examples(100) == (1000 if ALL else 100)
    True
    """
    return 10 * n if ALL else n
