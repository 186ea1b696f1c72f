"""Lists that start with items are written with them."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Stmt, names_bound, names_read, walk
from s2sad.tidy.rebuild import with_blocks, with_fields


def start_with_items(body: list[Stmt]) -> list[Stmt]:
    """The statements with `a = []` and `a.append(x)` just behind it as `a = [x]`.

    Other lists may start in between, as that of the tangents does.

    >>> from s2sad.core import statements, text
    >>> body = statements("a = []\\nda = []\\na.append(x)\\nda.append(dx)\\nb = [a]\\nb.append(a[0])")
    >>> print(text(start_with_items(body)))
    a = [x]
    da = [dx]
    b = [a, a[0]]
    """
    out: list[Any] = []
    for s in body:
        at = _start(out, s)
        if at is None:
            out.append(with_blocks(s, start_with_items))
            continue
        made: Any = out.pop(at)
        items = gast.List([*made.value.elts, s.value.args[0]], gast.Load())
        out.append(with_fields(made, value=items))
    return out


def _start(out: list[Any], s: Any) -> int | None:
    """Where the list is made that a statement appends to, if nothing else than such lists stands in between."""
    name = _appended_to(s)
    if name is None or name in names_read(s.value.args[0]):
        return None
    for at in range(len(out) - 1, -1, -1):
        made = out[at]
        if type(made) is not gast.Assign or type(made.value) is not gast.List or len(made.targets) != 1:
            return None
        if type(made.targets[0]) is not gast.Name or any(type(e) is gast.Starred for e in made.value.elts):
            return None
        if made.targets[0].id == name:
            between = out[at + 1 :]
            if name in names_read(between) or names_bound(between) & (names_read(made.value) | {name}):
                return None
            return at if not made.value.elts or all(_is_plain(b.value) for b in out[at:]) or not between else None
    return None


def _appended_to(s: Any) -> str | None:
    """The name in `a.append(x)`."""
    call: Any = s.value if type(s) is gast.Expr else None
    if type(call) is not gast.Call or type(call.func) is not gast.Attribute or call.func.attr != "append":
        return None
    if type(call.func.value) is not gast.Name or len(call.args) != 1 or call.keywords:
        return None
    return None if type(call.args[0]) is gast.Starred else str(call.func.value.id)


def _is_plain(value: Any) -> bool:
    """Items that may be evaluated behind those of other lists: names, numbers and parts."""
    plain = (gast.Name, gast.Constant, gast.Subscript)
    calls = any(isinstance(n, gast.Call | gast.NamedExpr) for n in walk(value))
    return not calls and all(isinstance(item, plain) for item in value.elts)
