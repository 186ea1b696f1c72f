"""What the user bound in one line is bound in one line: the parts of a tuple or an array, and several names."""

from __future__ import annotations

import re
from typing import Any

import gast

from s2sad.analysis.counts import counted
from s2sad.core import Expr, Facts, Stmt, assign, names_read, store
from s2sad.kinds.kind import Array
from s2sad.tidy.algebra import key_of
from s2sad.tidy.rebuild import with_blocks, with_fields
from s2sad.tidy.renest import LINE, width_of


def unpack(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements with `n = A.shape[0]` and `m = A.shape[1]` as `n, m = A.shape`, where the user wrote so.

    Parts of what is shaped alike (the tangent of what the user unpacked) are unpacked, too.

    >>> import numpy as np
    >>> from s2sad.core import Origin, statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> body = statements("q = p[0]\\ndq = dp[0]\\nr = p[1]\\ndr = dp[1]\\nreturn q * dr + dq * r")
    >>> body[0].origin = body[2].origin = Origin("f.py", 2, "q, r = p")
    >>> body[0].parts = body[2].parts = 2
    >>> vector = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> print(text(unpack(body, Facts(kinds={"p": vector, "dp": vector}))))
    q, r = p
    dq, dr = dp
    return q * dr + dq * r

    So are those that are left of parts whose number is checked before.

    >>> body = statements("[None for _, _ in [p]]\\nr = p[1]\\nreturn r")
    >>> body[1].parts = 2
    >>> body[0].origin = body[1].origin = Origin("f.py", 2, "q, r = p")
    >>> print(text(unpack(body, Facts(kinds={"p": vector}))))
    _, r = p
    return r

    Several names that the user bound in one line are, and all items of a vector, taken one behind the other.

    >>> body = statements("m = 2.0 * q\\ns = q + 1.0\\ng = b[1]\\nh = b[0]\\nreturn m * s * g - h")
    >>> body[0].origin = body[1].origin = Origin("f.py", 3, "m, s = 2.0 * q, q + 1.0")
    >>> print(text(unpack(body, Facts(kinds={"b": Array(np.dtype(float), (Dim.of(2),))}))))
    m, s = (2.0 * q, q + 1.0)
    h, g = b
    return m * s * g - h
    """
    return _unpacked(body, facts, "_" if "_" not in names_read(body) else facts.fresh("unused"))


def _unpacked(body: list[Stmt], facts: Facts, unused: str) -> list[Stmt]:
    out: list[Any] = []
    k = 0
    while k < len(body):
        check = counted(body[k].value) if type(body[k]) is gast.Expr else None
        if check is None:
            found = _run(body, k, facts) or _line(body, k, facts) or _items(body, k, facts)
        else:
            found = _checked(body, k, facts, check, unused)
        if found is None:
            out.append(with_blocks(body[k], lambda block: _unpacked(block, facts, unused)))
            k += 1
        else:
            made, k = found
            out += made
    return out


def _checked(
    body: list[Stmt], at: int, facts: Facts, check: tuple[Expr, list[str]], unused: str
) -> tuple[list[Stmt], int]:
    """What stands for a check of the number of items and the parts that are taken just behind, and where it goes on.

    [None for _, _ in [v]]; a = v[0]    ->  a, _ = v
    """
    value, pattern = check
    found = None if "*_" in pattern else _run(body, at + 1, facts, check, unused)
    if found is not None:
        return found
    names = [store(unused) if p == "_" else gast.Starred(store(unused), gast.Store()) for p in pattern]
    made = assign(gast.Tuple(names, gast.Store()), value, getattr(body[at], "origin", None))
    return [made], at + 1


def _run(
    body: list[Stmt], at: int, facts: Facts, check: tuple[Expr, list[str]] | None = None, unused: str = ""
) -> tuple[list[Stmt], int] | None:
    """What stands for the parts that are taken here and just behind, and where it goes on.

    Where their number is checked just before, parts that nobody reads have gone.
    """
    first: Any = body[at] if at < len(body) else None
    count = _count(first, facts)
    if count is None or (check is not None and count != len(check[1])):
        return None
    groups: dict[str, list[Any]] = {}
    end = at
    while end < len(body):
        s: Any = body[end]
        part = _part(s)
        mine = getattr(s, "origin", None) is first.origin
        if part is None or (getattr(s, "origin", None) is not None and not mine):
            break
        groups.setdefault(key_of(part[0]), []).append(s)
        end += 1
    base = first.value.value
    whole = key_of(base)
    kind = facts.kinds.get(getattr(base, "id", ""))
    if check is not None and whole != key_of(check[0]) and not _alike(kind, check[0], facts):
        return None
    places = [s.value.slice.value for s in groups[whole]]
    full = places == list(range(count)) if check is None else len({*places}) == len(places)
    if not full or any(getattr(s, "origin", None) is None for s in groups[whole]):
        return None
    made: list[Stmt] = []
    for key, group in groups.items():
        if key == whole or (_all_parts(group, count) and _alike(kind, group[0].value.value, facts)):
            names = {s.value.slice.value: s.targets[0].id for s in group}
            targets = [store(names.get(k, unused)) for k in range(count)]
            made.append(with_fields(group[0], targets=[gast.Tuple(targets, gast.Store())], value=group[0].value.value))
        else:
            made += group
    bound = [s.targets[0].id for s in body[at:end]]
    if len(set(bound)) < len(bound) or set(bound) & names_read([s.value for s in body[at:end]]):
        return None
    return made, end


def _line(body: list[Stmt], at: int, facts: Facts) -> tuple[list[Stmt], int] | None:
    """What stands for several names that the user bound in one line, and where it goes on."""
    origin = getattr(body[at], "origin", None)
    names = None if origin is None else _named(origin.text)
    if names is None or len(names) > len(body) - at:
        return None
    group: list[Any] = body[at : at + len(names)]
    if any(type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name for s in group):
        return None
    bound = [s.targets[0].id for s in group]
    shown = [facts.user_name.get(name, name) for name in bound]
    if any(getattr(s, "origin", None) is not origin for s in group) or shown != names:
        return None
    if len(set(bound)) < len(bound) or set(bound) & names_read([s.value for s in group]):
        return None
    values = [s.value for s in group]
    if any(isinstance(v, (gast.Tuple, gast.List, gast.Dict)) for v in values) or sum(map(width_of, values)) > LINE:
        return None
    made = with_fields(group[0], targets=[gast.Tuple([s.targets[0] for s in group], gast.Store())])
    return [with_fields(made, value=gast.Tuple(values, gast.Load()))], at + len(names)


def _items(body: list[Stmt], at: int, facts: Facts) -> tuple[list[Stmt], int] | None:
    """What stands for all items of a vector that are taken one behind the other, and where it goes on."""
    part = _part(body[at])
    kind = facts.kinds.get(getattr(part[0], "id", "")) if part is not None else None
    vector = isinstance(kind, Array) and kind.shape and len(kind.shape) == 1 and kind.shape[0].known
    count = kind.shape[0].const if vector else 0  # type: ignore[union-attr]
    if part is None or not 2 <= count <= len(body) - at:
        return None
    group: list[Any] = body[at : at + count]
    parts = [_part(s) for s in group]
    places = {p[1]: s for p, s in zip(parts, group, strict=True) if p is not None and key_of(p[0]) == key_of(part[0])}
    bound = {s.targets[0].id for s in places.values()}
    if [*sorted(places)] != [*range(count)] or len(bound) < count or bound & names_read(part[0]):
        return None
    if any(getattr(s, "origin", None) is not None for s in group):
        return None
    targets = [places[k].targets[0] for k in range(count)]
    return [with_fields(group[0], targets=[gast.Tuple(targets, gast.Store())], value=part[0])], at + count


def _count(s: Any, facts: Facts) -> int | None:
    """How many parts the user took in one line of what a statement takes a part of; None where it is not one of them.

    The lowering says so (`normal.lower`) of arrays; of `A.shape` there are as many as A has axes.
    """
    if s is None or _part(s) is None:
        return None
    count = getattr(s, "parts", None)
    if count is not None:
        return int(count)
    base = s.value.value
    kind = facts.kinds.get(getattr(base.value, "id", "")) if type(base) is gast.Attribute else None
    if kind is None or base.attr != "shape" or not isinstance(kind, Array) or kind.shape is None:
        return None
    found = _targets(getattr(getattr(s, "origin", None), "text", "") or "")
    return found if found == len(kind.shape) else None


def _targets(line: str) -> int | None:
    """How many names a line unpacks into.

    >>> _targets("n, m = A.shape"), _targets("(q, r) = p"), _targets("q = p"), _targets("a, *b = p")
    (2, 2, None, None)
    """
    found = _named(line)
    return None if found is None else len(found)


def _named(line: str) -> list[str] | None:
    """The names that a line unpacks into."""
    found = re.match(r"[(\[]?(\w+(?:, \w+)+)[)\]]? = ", line)
    return None if found is None else found[1].split(", ")


def _part(s: Any) -> tuple[Expr, int] | None:
    """`x = A[0]` of a name or what a path from a name leads to: what the part is of, and which."""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return None
    value = s.value
    if type(value) is not gast.Subscript or type(getattr(value.slice, "value", None)) is not int:
        return None
    base = value.value
    while type(base) is gast.Attribute or (type(base) is gast.Subscript and type(base.slice) is gast.Name):
        base = base.value
    return (value.value, value.slice.value) if type(base) is gast.Name else None


def _all_parts(group: list[Any], count: int) -> bool:
    return [s.value.slice.value for s in group] == list(range(count))


def _alike(kind: Any, other: Expr, facts: Facts) -> bool:
    """Has an array as many rows as one that the user unpacked?"""
    found = facts.kinds.get(getattr(other, "id", ""))
    shapes = [k.shape for k in (kind, found) if isinstance(k, Array) and k.shape]
    return len(shapes) == 2 and shapes[0][0] == shapes[1][0]
