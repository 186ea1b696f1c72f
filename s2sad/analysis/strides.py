"""How an array lies in memory: rows, columns, strides; what a view of it lies like."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import gast

from s2sad.core import Expr
from s2sad.kinds import dims
from s2sad.kinds.kind import Dim

Shape = tuple[Dim, ...]


@dataclass(frozen=True)
class Layout:
    """How the axes of an array follow each other in memory; axes of length 1 are left out.

    Attributes:
        order: the axes, that of the largest step first. None where nothing is known of them.
        joined: for each axis of `order` but the last: does it go on where the next one ends? None: not known.
        unit: are the elements of the last one neighbours?
        gaps: it is certain that there are gaps somewhere: it is not C-contiguous.
        given: the arguments whose layouts this rests on.
    """

    order: tuple[int, ...] | None
    joined: tuple[bool | None, ...] = ()
    unit: bool | None = True
    gaps: bool = False
    given: frozenset[str] = frozenset()

    @property
    def packed(self) -> bool:
        """Is it certain that there are no gaps?"""
        return self.order is not None and self.unit is True and all(self.joined)


#: functions that make a new array in the order that they are told
MAKES = frozenset(
    ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "array", "copy")
)
#: a layout that is not computed yet
LATER = Layout(None)
#: C-contiguous, of unknown rank
WHOLE = Layout(())


def packed(order: Iterable[int], given: frozenset[str] = frozenset()) -> Layout:
    """Axes in this order, without gaps."""
    axes = tuple(order)
    return Layout(axes, (True,) * (len(axes) - 1), True, given=given)


def rows(shape: Shape, given: frozenset[str] = frozenset()) -> Layout:
    """The layout of what NumPy makes by itself: row after row (C-contiguous).

    >>> rows((Dim.symbol("n"), Dim.of(1), Dim.symbol("m"))).order
    (0, 2)
    """
    return packed(real_axes(shape), given)


def strided(
    strides: tuple[int, ...], shape: tuple[int, ...], itemsize: int, given: frozenset[str] = frozenset()
) -> Layout:
    """The layout of an array of known lengths and strides.

    >>> strided((64, 16), (3, 4), 8)
    Layout(order=(0, 1), joined=(True,), unit=False, gaps=False, given=frozenset())
    """
    axes = sorted((a for a, n in enumerate(shape) if n != 1), key=lambda a: -abs(strides[a]))
    joined = tuple(strides[a] == shape[b] * strides[b] for a, b in pairwise(axes))
    if any(abs(strides[a]) < shape[b] * abs(strides[b]) for a, b in pairwise(axes)):
        return Layout(None, gaps=True, given=given)  # elements overlap
    return Layout(tuple(axes), joined, not axes or strides[axes[-1]] == itemsize, given=given)


def real_axes(shape: Shape) -> list[int]:
    return [a for a, d in enumerate(shape) if d != dims.ONE]


def is_contiguous(layout: Layout | None, shape: Shape) -> bool | None:
    """Is an array C-contiguous? None: it is not known.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> is_contiguous(packed((0, 1)), (n, m)), is_contiguous(packed((1, 0)), (n, m)), is_contiguous(None, (n, m))
    (True, False, None)
    """
    if layout is None:
        return None
    if layout.gaps:
        return False
    if layout.order is None:
        return None
    if layout.packed and list(layout.order) == sorted(layout.order):
        return True
    long = [a for a in layout.order if dims.at_least(shape[a], 2)]
    if long != sorted(long):
        return False
    for a, b, joined in zip(layout.order, layout.order[1:], layout.joined, strict=False):
        if joined is False and a in long and b in long:
            return False
    return False if layout.unit is False and layout.order[-1] in long else None


def is_view(layout: Layout | None, old: Shape, new: Shape) -> bool | None:
    """Is a reshape to C order a view? None: it is not known.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> is_view(packed((1, 0)), (n, m), (n, Dim.of(1), m)), is_view(packed((1, 0)), (n, m), (dims.product(n, m),))
    (True, False)
    """
    if is_contiguous(layout, old):
        return True
    left, right = real_axes(old), [d for d in new if d != dims.ONE]
    if len(left) < 2:
        return True
    while left and right and old[left[0]] == right[0]:
        left, right = left[1:], right[1:]
    while left and right and old[left[-1]] == right[-1]:
        left, right = left[:-1], right[:-1]
    if len(left) < 2 and (right or not left):
        return True
    if layout is None or layout.order is None:
        return None
    groups = _groups(left, old, right)
    found = [len(group) == 1 or _merges(layout, old, group) for group in groups or [left]]
    if any(f is False for f in found) and (groups or len(right) == 1):
        return False
    return True if all(found) else None


def _groups(left: list[int], old: Shape, right: list[Dim]) -> list[list[int]]:
    """The runs of axes that become one axis or several; none where the lengths are not known."""
    if not all(d.known and d.const > 0 for d in [*right, *(old[a] for a in left)]):
        return []
    out, axes, sizes = [], list(left), [d.const for d in right]
    while axes and sizes:
        group, have, want = [axes.pop(0)], 0, sizes.pop(0)
        have = old[group[0]].const
        while have != want and (axes if have < want else sizes):
            if have < want:
                group.append(axes.pop(0))
                have *= old[group[-1]].const
            else:
                want *= sizes.pop(0)
        out.append(group)
    return out


def _merges(layout: Layout, shape: Shape, axes: list[int]) -> bool | None:
    """Do axes lie in memory as one axis would?"""
    assert layout.order is not None
    at = {a: k for k, a in enumerate(layout.order)}
    answer: bool | None = True
    for a, b in pairwise(axes):
        if at[b] == at[a] + 1 and layout.joined[at[a]] is not None:
            pair = layout.joined[at[a]]
        else:
            between = layout.order[min(at[a], at[b]) + 1 : max(at[a], at[b])]
            apart = at[b] < at[a] or any(dims.at_least(shape[c], 2) for c in between)
            pair = False if apart else None
        if pair is False and not (dims.at_least(shape[a], 2) and dims.at_least(shape[b], 2)):
            pair = None
        if pair is False:
            return False
        answer = answer and pair
    return answer


def meet(a: Layout | None, b: Layout | None) -> Layout | None:
    """What is certain of an array that is one or the other."""
    if a is LATER or b is LATER:
        return b if a is LATER else a
    if a is None or b is None:
        return None
    if a.order != b.order:
        return None
    joined = tuple(p if p == q else None for p, q in zip(a.joined, b.joined, strict=True))
    return Layout(a.order, joined, a.unit if a.unit == b.unit else None, a.gaps and b.gaps, a.given | b.given)


def transposed(layout: Layout | None, rank: int) -> Layout | None:
    if layout is None or layout.order is None:
        return None
    return replace(layout, order=tuple(rank - 1 - a for a in layout.order), gaps=False)


def sliced(base: Layout | None, old: Shape, shape: Shape, kept: dict[int, tuple[int, Any]]) -> Layout | None:
    """The layout of a part of an array.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> cut = gast.parse("a[:-1]").body[0].value.slice
    >>> sliced(packed((0, 1)), (n, m), (n - 1, m), {0: (0, cut), 1: (1, None)}).packed
    True
    >>> sliced(packed((0, 1)), (n, m), (n, m - 1), {0: (0, None), 1: (1, cut)}).joined
    (False,)
    """
    steps = {a: _step(part) for a, (_, part) in kept.items()}
    if base is None or base.order is None or any(not s for s in steps.values()):
        if len(shape) == 1 and len(kept) == 1:
            return Layout((0,), (), None)
        return None
    order, joined = [], []
    last: int | None = None  # where in base.order the axis before stands
    for k, axis in enumerate(base.order):
        if axis not in kept or shape[kept[axis][0]] == dims.ONE:
            continue
        new, part = kept[axis]
        if last is not None:
            between, through = base.order[last + 1 : k], base.joined[last:k]
            before, step = steps[base.order[last]], steps[axis]
            assert before is not None and step is not None
            answer: bool | None = None
            if between:
                certain = all(through) and all(dims.at_least(old[a], 2) for a in between)
                answer = False if certain else None
            elif abs(step) != 1 or abs(before) != 1:
                answer = False if through[0] and step == 1 and _whole(part) else None
            elif _whole(part):
                answer = through[0] if step == before else False if through[0] else None
            else:
                gone = old[axis] - shape[new]
                answer = False if through[0] and gone.known and gone.const > 0 else None
            joined.append(answer)
        order.append(new)
        last = k
    unit: bool | None = True
    if last is not None:
        step, unit = steps[base.order[last]], base.unit
        assert step is not None
        if last != len(base.order) - 1:
            certain = all(base.joined[last:]) and all(dims.at_least(old[a], 2) for a in base.order[last + 1 :])
            unit = False if certain and base.unit else None
        elif step != 1:
            unit = False if abs(step) != 1 or base.unit else None
    return Layout(tuple(order), tuple(joined), unit, given=base.given)


def _step(part: Any) -> int | None:
    """The step of a slice; None where it is not known."""
    if part is None or part.step is None:
        return 1
    try:
        value = literal_of(part.step)
    except ValueError:
        return None
    return 1 if value is None else value if isinstance(value, int) else None


def _whole(part: Any) -> bool:
    return part is None or (part.lower is None and part.upper is None)


def is_literal(part: Expr, value: Any) -> bool:
    return isinstance(part, gast.Constant) and part.value is value


def literal_of(node: Expr) -> Any:
    import ast

    return ast.literal_eval(gast.gast_to_ast(node))
