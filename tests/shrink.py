"""Make a failing program smaller: delete statements, unwrap blocks, replace expressions by their parts.

`shrink(text, fails)` works on the text of a module; `fails(text)` says whether a candidate still fails in the same way.

    >>> print(shrink("def f(x):\\n    y = x * 2\\n    z = y + 1\\n    if x:\\n        z = bad(y)\\n    return z",
    ...              lambda text: "bad" in text))
    def f(x):
        z = bad
"""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator


def shrink(text: str, fails: Callable[[str], bool], seconds: float = 60.0) -> str:
    """The smallest failing program that was found in the time given."""
    tree = ast.parse(text)
    deadline = time.monotonic() + seconds
    changed = True
    while changed and time.monotonic() < deadline:
        changed = False
        for smaller in _candidates(tree):
            if time.monotonic() > deadline:
                break
            if _holds(smaller, fails):
                tree, changed = smaller, True
                break
    return ast.unparse(ast.fix_missing_locations(tree))


def _holds(tree: ast.Module, fails: Callable[[str], bool]) -> bool:
    try:
        return fails(ast.unparse(ast.fix_missing_locations(tree)) + "\n")
    except Exception:
        return False


def _size(tree: ast.AST) -> int:
    return sum(1 for _ in ast.walk(tree))


def _candidates(tree: ast.Module) -> Iterator[ast.Module]:
    """Smaller programs, the boldest first."""
    blocks = [(node, name) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody") if _block(node, name)]
    # the largest statements first: a definition, a loop
    places = [(node, name, i) for node, name in blocks for i in range(len(getattr(node, name)))]
    places.sort(key=lambda p: -_size(getattr(p[0], p[1])[p[2]]))
    for node, name, i in places:
        statement = getattr(node, name)[i]
        yield from _replaced(tree, node, name, i, [])
        for inner in ("body", "orelse"):
            if _block(statement, inner) and not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield from _replaced(tree, node, name, i, getattr(statement, inner))
    for node in list(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                for part in _parts(value):
                    new = copy.copy(node)
                    setattr(new, name, part)
                    yield _swap(tree, node, new)
            elif isinstance(value, list) and name in {"args", "elts", "values", "keywords", "targets"}:
                for i, item in enumerate(value):
                    if not isinstance(item, ast.expr) or not isinstance(getattr(item, "ctx", ast.Load()), ast.Load):
                        continue
                    for part in _parts(item):
                        new = copy.copy(node)
                        setattr(new, name, [*value[:i], part, *value[i + 1 :]])
                        yield _swap(tree, node, new)


def _block(node: ast.AST, name: str) -> bool:
    block = getattr(node, name, None)
    return isinstance(block, list) and bool(block) and isinstance(block[0], ast.stmt)


def _replaced(tree: ast.Module, node: ast.AST, name: str, i: int, by: list[ast.stmt]) -> Iterator[ast.Module]:
    block = getattr(node, name)
    rest = [*block[:i], *by, *block[i + 1 :]]
    if not rest and name == "body":
        if isinstance(block[i], ast.Pass):
            return
        rest = [ast.Pass()]
    new = copy.copy(node)
    setattr(new, name, rest)
    yield _swap(tree, node, new)


def _parts(value: ast.expr) -> list[ast.expr]:
    """Expressions inside of an expression, and a plain number for one that is not."""
    if isinstance(value, (ast.Constant, ast.Name)):
        return []
    inner: list[ast.expr] = []
    for _, child in ast.iter_fields(value):
        for item in child if isinstance(child, list) else [child]:
            if isinstance(item, ast.expr) and isinstance(getattr(item, "ctx", ast.Load()), ast.Load):
                inner.append(item)
    return inner


def _swap(tree: ast.Module, old: ast.AST, new: ast.AST) -> ast.Module:
    """The tree with one node exchanged; what is not on the way to it is shared."""

    def walk(node: ast.AST) -> ast.AST:
        if node is old:
            return new
        fields, touched = {}, False
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                fields[name] = walk(value)
                touched |= fields[name] is not value
            elif isinstance(value, list):
                fields[name] = [walk(v) if isinstance(v, ast.AST) else v for v in value]
                touched |= any(a is not b for a, b in zip(fields[name], value, strict=True))
            else:
                fields[name] = value
        return type(node)(**fields) if touched else node

    result = walk(tree)
    assert isinstance(result, ast.Module)
    return result
