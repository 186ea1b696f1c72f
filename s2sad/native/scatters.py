"""`np.add.at` as a function of loops: it adds as often as a position occurs.

np.add.at(x, (i, slice(1, None)), g)    ->    add_at(x[:, 1:], i, g)
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, quote
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array, Kind, List, ListOf, Number, Tuple
from s2sad.native.subset import Subset, rewrites

_ALL = gast.Slice(None, None, None)


@rewrites(np.add.at, "a indices b")
def _add_at(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Loops over the positions, as they are broadcast, and over the elements at each of them."""
    parts = [_place(part, subset) for part in _parts(given["indices"], subset)]
    rank, value = subset.rank(given["a"]), subset.rank(given["b"])
    is_place = [not isinstance(part, gast.Slice) for part in parts]
    places = [part for part, is_one in zip(parts, is_place, strict=True) if is_one]
    ranks = [_rank_of_places(subset.kind(part)) for part in places]
    if rank is None or value is None or None in ranks or len(parts) > rank:
        raise DerivationError(
            "Numba compiles np.add.at for positions that are numbers and arrays of ints, of known ranks.",
            "use such (np.flatnonzero(mask) for a mask), or leave compile out.",
        )
    at_each = [r for r in ranks if r is not None]
    is_place += [False] * (rank - len(parts))
    text = _text(subset, given["b"], places, at_each, is_place)
    return gast.Call(subset.helper("add_at", text), [_viewed(given["a"], parts), *places, given["b"]], [])


def _parts(indices: Any, subset: Subset) -> list[Any]:
    """An index, axis by axis."""
    if isinstance(indices, gast.Tuple):
        return list(indices.elts)
    kind = subset.kind(indices)
    if isinstance(kind, Tuple) and isinstance(indices, gast.Name):
        return [quote("t[k]", t=indices, k=k) for k in range(len(kind.items))]
    return [indices]


def _place(part: Any, subset: Subset) -> Any:
    """A part of an index: a slice as one, a list of positions as an array."""
    if isinstance(part, gast.Subscript) and isinstance(part.slice, gast.Slice):
        return part.slice  # np.s_[a:b]
    if isinstance(part, gast.Call) and subset.target(part.func) is slice:
        given = [None if getattr(a, "value", 0) is None else a for a in part.args]
        return gast.Slice(*([None, *given] if len(given) == 1 else given), *([None] if len(given) < 3 else []))
    if isinstance(subset.kind(part), (List, ListOf)):
        return gast.Call(subset.np("array"), [part], [])
    return part


def _rank_of_places(kind: Kind) -> int | None:
    """The number of axes of positions; None: they are none, or it is not known."""
    if isinstance(kind, Array):
        return len(kind.shape) if kind.shape is not None and kind.dtype.kind in "iu" else None
    types = kind.of_types() if isinstance(kind, Number) else {type(getattr(kind, "value", None))}
    return 0 if types <= {int, np.int64} else None


def _viewed(array: Expr, parts: list[Any]) -> Expr:
    """What slices leave of an array."""
    cut = [part if isinstance(part, gast.Slice) else _ALL for part in parts]
    while cut and cut[-1].lower is cut[-1].upper is cut[-1].step is None:
        cut.pop()
    if not cut:
        return array
    return gast.Subscript(array, gast.Tuple(cut, gast.Load()) if len(cut) > 1 else cut[0], gast.Load())


def _text(subset: Subset, added: Expr, places: list[Any], ranks: list[int], is_place: list[bool]) -> str:
    """The function that adds: the axes of positions stand where these do, or in front where slices part them."""
    axes = max(ranks, default=0)
    kinds = [subset.kind(p) for p in places]
    shapes = {k.shape or () for k in kinds if isinstance(k, Array)}
    alike = len(shapes) <= 1 and all(is_fixed(d) for shape in shapes for d in shape)
    names = [f"i{k}" for k in range(len(places))]
    lines = [f"def add_at({', '.join(['a', *names, 'b'])}):"]
    read = list(names)
    arrays = [n for n, r in zip(names, ranks, strict=True) if r]
    sizes = [f"{arrays[0]}.shape[{k}]" for k in range(axes)] if arrays else []
    if len(arrays) > 1 and not alike:
        lines.append(f"    shape = np.broadcast_shapes({', '.join(f'{n}.shape' for n in arrays)})")
        lines += [f"    p{n[1:]} = np.broadcast_to({n}, shape)" for n in arrays]
        read = [f"p{n[1:]}" if n in arrays else n for n in names]
        sizes = [f"p{arrays[0][1:]}.shape[{k}]" for k in range(axes)]
    turns = [f"k{k}" for k in range(axes)]
    at = iter(f"{n}[{', '.join(turns)}]" if r else n for n, r in zip(read, ranks, strict=True))
    inner = [f"j{k}" for k, one in enumerate(is_place) if not one]
    place = [next(at) if one else f"j{k}" for k, one in enumerate(is_place)]
    where = [k for k, one in enumerate(is_place) if one]
    before = where[0] if where and where[-1] - where[0] < len(where) else 0
    order = [*inner[:before], *turns, *inner[before:]]
    lengths = {f"j{k}": f"a.shape[{k}]" for k, one in enumerate(is_place) if not one}
    lengths |= dict(zip(turns, sizes, strict=True))
    item = "b"
    if subset.rank(added):
        shape = ", ".join(lengths[t] for t in order)
        lines.append(f"    g = np.broadcast_to(b, ({shape},))")
        item = f"g[{', '.join(order)}]"
    loops = [*turns, *inner]
    lines += ["    " * depth + f"for {turn} in range({lengths[turn]}):" for depth, turn in enumerate(loops, 1)]
    lines.append("    " * (len(loops) + 1) + f"a[{', '.join(place)}] += {item}")
    return "\n".join(lines)
