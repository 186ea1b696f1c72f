"""The shapes of items that stores into lists replace, where they may differ from the shapes of those that come in.

The adjoint of what stood in a list before `lst[k] = e` is zero behind the store. How large a zero only the old item
tells, unless all items of the list are equally large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from s2sad.core import Expr, Facts, Stmt, assign, atom_key, blocks_of, clone, quote
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array, Either, Kind, List, ListOf, Tuple, Unknown


def name_old_shapes(body: list[Stmt], facts: Facts, numpy: Callable[[], str]) -> bool:
    """Note the shape of what a store into a list of active arrays replaces, where the list may hold several shapes.

    The store is marked with the names, by the places of the arrays in an item (`old_shapes`).

    Args:
        body: the function in core Python; changed.
        facts: what is known of its names; changed.
        numpy: gives the name of NumPy in the generated code.

    Returns:
        Was something noted?

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> arrays = ListOf(Array(np.dtype(float), (Dim.symbol("item0@"),)))
    >>> body = statements("h[k] = a")
    >>> name_old_shapes(body, Facts(kinds={"h": arrays}, varied={"h"}), lambda: "np")
    True
    >>> print(text(body))
    shape = np.shape(h[k])
    h[k] = a
    """
    found = False
    for statement in list(body):
        for block in blocks_of(statement):
            found = name_old_shapes(block, facts, numpy) or found
        kind = _item_kind(statement, facts)
        if kind is None:
            continue
        shapes = {}
        for path, part in _leaves(kind):
            if not _of_several_shapes(part):
                continue
            old: Expr = clone(statement.targets[0])
            old.ctx = gast.Load()
            for i in path:
                old = gast.Subscript(old, gast.Constant(i, None), gast.Load())
            name = facts.fresh("shape")
            shapes[path] = name
            facts.kinds[name] = Unknown()
            at = next(i for i, s in enumerate(body) if s is statement)
            shape = quote(f"{numpy()}.shape(x)", x=old)
            body.insert(at, assign(name, shape, getattr(statement, "origin", None)))
        if shapes:
            statement.old_shapes = shapes
            found = True
    return found


def _item_kind(statement: Any, facts: Facts) -> Kind | None:
    """The kind of the items of the active list that a statement stores an item into."""
    target = statement.targets[0] if isinstance(statement, gast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, gast.Subscript) or isinstance(target.slice, gast.Slice):
        return None
    if not isinstance(target.value, (gast.Name, gast.Attribute, gast.Subscript)):
        return None
    key = atom_key(target.value)
    kind = facts.kinds.get(key) if key in facts.varied else None
    return kind.item if isinstance(kind, ListOf) else None


def _leaves(kind: Kind, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Kind]]:
    """The parts of the kind of nested tuples and lists, with their places."""
    if isinstance(kind, (Tuple, List)):
        for i, part in enumerate(kind.items):
            yield from _leaves(part, (*path, i))
    else:
        yield path, kind


def _of_several_shapes(kind: Kind) -> bool:
    """May two values of a kind, arrays as far as is known, have different shapes?"""
    if isinstance(kind, Array):
        return kind.shape is None or not all(map(is_fixed, kind.shape))
    return isinstance(kind, Either) or type(kind) is Unknown
