"""What a project builds: the tables [[tool.s2sad.build]] of its pyproject.toml.

    [[tool.s2sad.build]]
    output = "model_grad.py"
    targets = ["model.py:loss", { target = "model.py:penalty", wrt = "w", args = "w: f8[n]" }]
    value = true

A table has `output` and `targets`; the other keys are the options of `s2sad build`, for all of its targets or, in a
table of its own, for one. Paths start at the directory of pyproject.toml.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from s2sad.frontend.diagnostics import DerivationError

#: the options of a target, and what their values are
_OPTIONS: dict[str, type] = {
    "wrt": str, "args": str, "inputs": str, "mode": str, "value": bool, "vjp": bool, "strong_zero": bool,
    "compile": str,
}  # fmt: skip

_WAY_OUT = """write, in pyproject.toml:
    [[tool.s2sad.build]]
    output = "model_grad.py"
    targets = ["model.py:loss"]"""


class NoProject(DerivationError):
    """There is no pyproject.toml that says what to build, or it does not say it right."""


@dataclass(frozen=True)
class Wanted:
    """One target with its options."""

    target: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Build:
    """One module to write."""

    output: Path
    targets: tuple[Wanted, ...]


def find_project(start: Path) -> Path:
    """The pyproject.toml of a directory, or of the nearest one above it.

    Raises:
        NoProject: there is none.
    """
    for directory in (start, *start.parents):
        if (directory / "pyproject.toml").is_file():
            return directory / "pyproject.toml"
    raise NoProject(
        f"There is no pyproject.toml in {start} or above that says what to build.",
        f"name a TARGET and -o FILE, or {_WAY_OUT}",
    )


def builds_of(project: Path) -> list[Build]:
    """What a pyproject.toml asks for.

    Raises:
        NoProject: it cannot be read, asks for nothing, or has a key or a value that is none; the error names it.
    """
    try:
        table = tomllib.loads(project.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise NoProject(f"{project} cannot be read: {error}.", "correct it.") from None
    tool = table.get("tool", {})
    own = tool.get("s2sad", {}) if isinstance(tool, dict) else {}
    builds = own.get("build", []) if isinstance(own, dict) else []
    if isinstance(builds, dict):
        builds = [builds]
    if not isinstance(builds, list) or not builds:
        raise NoProject(f"{project} does not say what to build.", _WAY_OUT)
    found = [_build(entry, f"{project}, [[tool.s2sad.build]] number {i}") for i, entry in enumerate(builds, 1)]
    outputs = [os.path.normpath(build.output) for build in found]
    for output in outputs:
        if outputs.count(output) > 1:
            raise NoProject(f"{project} writes {output} more than once.", "list all targets of a file in one table.")
    return found


def _build(entry: Any, place: str) -> Build:
    if not isinstance(entry, dict):
        raise NoProject(f"{place} is not a table.", _WAY_OUT)
    output, targets = entry.get("output"), entry.get("targets")
    if not isinstance(output, str) or not output:
        raise NoProject(f"{place} has no output, the file to write.", _WAY_OUT)
    if isinstance(targets, str):
        targets = [targets]
    if not isinstance(targets, list) or not targets:
        raise NoProject(f"{place} has no targets.", _WAY_OUT)
    common = _options({k: v for k, v in entry.items() if k not in ("output", "targets")}, place)
    return Build(Path(output), tuple(_wanted(t, common, place) for t in targets))


def _wanted(entry: Any, common: dict[str, Any], place: str) -> Wanted:
    if isinstance(entry, str):
        return Wanted(entry, common)
    if not isinstance(entry, dict) or not isinstance(entry.get("target"), str):
        raise NoProject(
            f"{place} has a target that is none: {entry!r}.",
            'write "model.py:loss", or { target = "model.py:loss", wrt = "w" }.',
        )
    own = _options({k: v for k, v in entry.items() if k != "target"}, f"{place}, {entry['target']}")
    return Wanted(entry["target"], {**common, **own})


def _options(given: dict[str, Any], place: str) -> dict[str, Any]:
    for name, value in given.items():
        kind = _OPTIONS.get(name)
        if kind is None:
            raise NoProject(f"{place} has a key that is none: {name}.", f"there are: {', '.join(_OPTIONS)}.")
        if not isinstance(value, kind):
            raise NoProject(f"{place}: {name} = {value!r} is no {_WORDS[kind]}.", f"write {name} = {_SHOWN[name]}.")
        if name == "compile" and value != "numba":
            raise NoProject(f"{place}: there is no compiler {value!r}.", 'write compile = "numba", or leave it out.')
        if name == "mode" and value not in ("reverse", "forward"):
            raise NoProject(f"{place}: there is no mode {value!r}.", 'write mode = "reverse" or mode = "forward".')
    return given


_WORDS = {str: "string", bool: "truth value"}
_SHOWN = {
    "wrt": '"w,b"', "args": '"w: f8[n], b: float"', "inputs": '"example"', "mode": '"forward"', "value": "true",
    "vjp": "true", "strong_zero": "true", "compile": '"numba"',
}  # fmt: skip
