"""Make small changes to the code at random, one at a time, and print those that the tests nearest to them let through.

python tools/mutate.py s2sad/tidy templates                  twenty changes
python tools/mutate.py templates/cumulative.py --count 5 --seed 3

A change turns an operator, a comparison, a sign or a condition round. The tests nearest to a file of s2sad are those
of its room (tests/tidy for s2sad/tidy), its own first; to a rule, or to what it calls at run time, those of
tests/rules that name its function, every case of them. All of it happens in a copy. What survives is a test that is
missing, or a change that changes nothing: look at each. Exit status 1 when more than one in twenty survive.
"""

from __future__ import annotations

import argparse
import ast
import functools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: what an operator becomes, as it is written
OPERATORS = {
    **{"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "**": "*", "@": "*", "%": "*"},
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is", "is": "is not"},
    **{"not in": "in", "in": "not in", "and": "or", "or": "and"},
}
OPERATOR = re.compile(r"is\s+not|not\s+in|\*\*|//|[<>=!]=|[-+*/%@<>]|\b(?:is|in|and|or)\b")


@dataclass(frozen=True)
class Change:
    """The text of a file between two places, and what stands there instead."""

    file: Path
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def shown(self, source: str) -> str:
        """Where it is, and the line with and without it."""
        line = source.count("\n", 0, self.start)
        before, after = source.splitlines()[line], self.applied(source).splitlines()[line]
        return f"{self.file}:{line + 1}\n    - {before.strip()}\n    + {after.strip()}"


def changes(file: Path, source: str) -> Iterator[Change]:
    """All that can be turned round in a file.

    >>> source = "def f(a, b):\\n    return -a if a < b else b\\n"
    >>> for change in changes(Path("f.py"), source): print(change.applied(source).splitlines()[1].strip())
    return -a if not (a < b) else b
    return -a if a <= b else b
    return a if a < b else b
    """
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    if not source.isascii():
        return  # places are counted in bytes

    def start(node: ast.expr) -> int:
        return lines[node.lineno - 1] + node.col_offset

    def end(node: ast.expr) -> int:
        return lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    def between(left: ast.expr, right: ast.expr) -> Iterator[Change]:
        found = OPERATOR.search(source, end(left), start(right))
        if found and (text := OPERATORS.get(" ".join(found[0].split()))):
            yield Change(file, found.start(), found.end(), text)

    tree = ast.parse(source)
    types = {id(n) for node in ast.walk(tree) for n in _annotations(node)}
    for node in ast.walk(tree):
        if id(node) in types:
            continue
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield Change(file, start(node.test), end(node.test), f"not ({source[start(node.test) : end(node.test)]})")
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr):
            yield from between(node.left, node.right)
        elif isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from between(left, right)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from between(left, right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
            yield Change(file, start(node), start(node) + (3 if isinstance(node.op, ast.Not) else 1), "")


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for field in ("annotation", "returns"):
        if isinstance(found := getattr(node, field, None), ast.AST):
            yield from ast.walk(found)


def of_rules(file: Path) -> bool:
    """Are there rules in a file, or what they call when a derivative runs?"""
    return file.parts[0] == "templates" or file.parts[1:3] == ("runtime", "helpers")


def nearest(change: Change, source: str) -> list[list[str]]:
    """What pytest is given, one call after the other until one fails."""
    _, *rooms = change.file.parts
    if of_rules(change.file):
        line = source.count("\n", 0, change.start) + 1
        around = next((f.name for f in _functions(source) if f.lineno <= line <= (f.end_lineno or 0)), "")
        return [["tests/rules", "-m", "not long", "-k", " or ".join(_rules_with(around)) or change.file.stem]]
    own = sorted((ROOT / "tests" / rooms[0]).glob(f"test_{change.file.stem}*.py"))
    room = f"tests/{rooms[0]}" if (ROOT / "tests" / rooms[0]).is_dir() else "tests/api"
    return [*([[str(f.relative_to(ROOT)) for f in own]] if own else []), [room, "tests/snapshots"]]


def _functions(source: str) -> list[ast.FunctionDef | ast.ClassDef]:
    return [node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


@functools.cache
def _templates() -> list[tuple[str, set[str], set[str], set[str]]]:
    """Of each function in templates/: its name, the names in it, the last words of the functions that it is a rule for,
    `sum` of `@adjoint(np.sum)`, and of the helpers that it is a rule for, which other rules call."""
    found = []
    for file in sorted((ROOT / "templates").rglob("*.py")):
        for function in _functions(file.read_text(encoding="utf-8")):
            targets = [n for d in function.decorator_list if isinstance(d, ast.Call) for n in d.args]
            helpers = {ast.unparse(n).removeprefix("helpers.") for n in targets if "helpers." in ast.unparse(n)}
            words = {n.attr if isinstance(n, ast.Attribute) else getattr(n, "id", "") for n in targets}
            names = {_word(n) for n in ast.walk(function)} - {""}
            found.append((function.name, names, words - helpers - {""}, helpers))
    return found


def _word(node: ast.AST) -> str:
    """The name that a node has, or the text that it is: helpers are called by it, too."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _rules_with(name: str, most: int = 6) -> list[str]:
    """The rules that a function of templates/ is, or that it serves: some of them where they are many."""
    found: dict[str, None] = {}
    seen, left = {name}, [name]
    while left and not found:
        first = left.pop(0)
        mine = [row for row in _templates() if row[0] == first or first in row[1]]
        found |= dict.fromkeys(w for _, _, words, _ in mine for w in sorted(words))
        more = dict.fromkeys(n for own, _, _, helpers in mine for n in (own, *sorted(helpers)) if n not in seen)
        left += more
        seen |= more.keys()
    return list(found)[:: max(1, len(found) // most)][:most]


def copied(folder: Path) -> None:
    """What is tracked, with the rules where the package has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "s2sad" / "templates").symlink_to("../templates")


def survives(change: Change, source: str, folder: Path, seconds: float) -> bool:
    """Do the nearest tests pass with a change?"""
    environment = {**os.environ, "S2SAD_CACHE": "0", "OMP_NUM_THREADS": "1"}
    if of_rules(change.file):
        environment["S2SAD_TESTS"] = "all"  # these are few, and mostly sampled otherwise
    (folder / change.file).write_text(change.applied(source), encoding="utf-8")
    try:
        for chosen in nearest(change, source):
            command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *chosen]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds)
            if done.returncode == 5:  # nothing is chosen
                print("no test for", *chosen, flush=True)
            elif done.returncode:
                return False
    except subprocess.TimeoutExpired:
        return False
    finally:
        (folder / change.file).write_text(source, encoding="utf-8")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path, help="files and folders of s2sad/ and templates/")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600.0, help="a change that takes longer counts as noticed")
    options = parser.parse_args()
    files = [f for p in options.paths for f in (sorted(p.rglob("*.py")) if p.is_dir() else [p])]
    sources = {f.resolve().relative_to(ROOT): f.read_text(encoding="utf-8") for f in files}
    found = [change for file, source in sources.items() for change in changes(file, source)]
    drawn = random.Random(options.seed).sample(found, min(options.count, len(found)))
    alive = 0
    with tempfile.TemporaryDirectory() as name:
        copied(Path(name))
        for change in drawn:
            left = survives(change, sources[change.file], Path(name), options.seconds)
            alive += left
            print("survives" if left else "noticed", change.shown(sources[change.file]), flush=True)
    print(f"{alive} of {len(drawn)} survive ({len(found)} changes are possible)")
    return int(alive * 20 > len(drawn))


if __name__ == "__main__":
    sys.exit(main())
