"""What the tests of the command line share."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a test changes within a second, to one of the same length, must not be found compiled as it was."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
