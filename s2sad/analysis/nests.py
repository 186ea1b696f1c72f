"""In which order a nest of loops comes to the same element of a table.

What is known of an index is its loop variable, a constant added to it, and the bounds of the loop, which may be other
variables: in `for j in range(i + 1)`, j is at most i. From these follows how far apart the turns are in which two
indices name the same element, and the outermost loop in which they are not the same turn says which comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from s2sad.core import Expr, OfNodes, is_constant, is_operation, items_of, names_bound

#: a name (None: no name) and what is added to it
Affine = tuple[str | None, int]
#: the lowest and the highest of some numbers, None where it is not known
Interval = tuple[int | None, int | None]
#: the first and the last that an index or a slice names (None: up to the end)
Span = tuple[Affine, Affine | None]

_UNKNOWN: Interval = (None, None)
_bound_inside: OfNodes = OfNodes()


class Turns(NamedTuple):
    """The values that the variable of a loop takes: from low to high, or backwards."""

    low: Expr
    above_low: int
    high: Expr
    above_high: int
    backwards: bool


def turns(loop: Any) -> Turns | None:
    """What is known of the variable of `for i in range(...)` or `reversed(range(...))`.

    >>> from s2sad.core import statements, text
    >>> for source in ("range(n)", "range(n - 2, -1, -1)", "reversed(range(1, n))"):
    ...     low, a, high, b, backwards = turns(statements(f"for i in {source}: pass")[0])
    ...     print(text(low), a, text(high), b, backwards)
    0 0 n -1 False
    -1 1 n - 2 0 True
    1 0 n -1 True
    """
    if not isinstance(loop, gast.For) or not isinstance(loop.target, gast.Name):
        return None
    call, backwards = loop.iter, False
    if _calls(call, "reversed") and len(call.args) == 1:
        call, backwards = call.args[0], True
    if not _calls(call, "range") or not 1 <= len(call.args) <= 3 or any(type(a) is gast.Starred for a in call.args):
        return None
    start, stop = (gast.Constant(0, None), call.args[0]) if len(call.args) == 1 else call.args[:2]
    step = affine(call.args[2]) if len(call.args) == 3 else (None, 1)
    if step is None or step[0] is not None or step[1] == 0:
        return None
    if step[1] > 0:
        return Turns(start, 0, stop, -1, backwards)
    return Turns(stop, 1, start, 0, not backwards)


def in_single_steps(loop: Any) -> bool:
    """Does the variable of such a loop take all the values from low to high?

    >>> from s2sad.core import statements
    >>> loops = "range(n)", "range(n - 2, -1, -1)", "range(0, n, 2)", "reversed(range(0, n, 2))"
    >>> [in_single_steps(statements(f"for i in {source}: pass")[0]) for source in loops]
    [True, True, False, False]
    """
    call = loop.iter.args[0] if _calls(loop.iter, "reversed") else loop.iter
    return len(call.args) < 3 or affine(call.args[2]) in ((None, 1), (None, -1))


def _calls(node: Expr, name: str) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == name


def affine(node: Expr) -> Affine | None:
    """`i + c` as ("i", c), `c` as (None, c).

    >>> from s2sad.core import quote
    >>> affine(quote("i - 1")), affine(quote("-2")), affine(quote("2 + i")), affine(quote("2 * i"))
    (('i', -1), (None, -2), ('i', 2), None)
    """
    if isinstance(node, gast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return None, node.value
    if isinstance(node, gast.Name):
        return node.id, 0
    if is_operation(node, gast.USub):
        inner = affine(node.operand)
        return (None, -inner[1]) if inner is not None and inner[0] is None else None
    if is_operation(node, gast.Add, gast.Sub):
        a, b = affine(node.left), affine(node.right)
        if a is None or b is None:
            return None
        sign = 1 if isinstance(node.op, gast.Add) else -1
        if b[0] is None:
            return a[0], a[1] + sign * b[1]
        if a[0] is None and sign == 1:
            return b[0], a[1] + b[1]
    return None


def never_after(
    first: Expr,
    second: Expr,
    first_loops: Sequence[Any],
    second_loops: Sequence[Any],
    shared: Sequence[Any],
    behind: bool,
) -> bool:
    """Does the second index never name the element of the first, at the same time or later?

    Args:
        first, second: indices of the same array.
        first_loops, second_loops: the loops around them, outermost first.
        shared: the loops around both in which it stays the same array.
        behind: does the second stand behind the first, in the same turn of all these loops?

    >>> from s2sad.core import quote, statements
    >>> (rows,) = statements("for i in range(1, n):\\n  for j in range(i):\\n    pass")
    >>> nest = [rows, rows.body[0]]
    >>> [never_after(quote(p), quote("A[i, j]").slice, nest, nest, nest, True) for p in ("(i - 1, j)", "(i, j + 1)")]
    [True, False]
    >>> never_after(quote("(j, i)"), quote("(i, j)"), nest, nest, nest, True)  # j is less than i
    True
    >>> never_after(quote("A[i, :j]").slice, quote("(i, j)"), nest, nest, nest, True)
    True
    """
    common = [a for a, b in zip(first_loops, second_loops, strict=False) if a is b]
    later: dict[int, Interval] = {}  # by how much a variable is greater in the turn of the second
    for one, two in zip(items_of(first), items_of(second), strict=False):
        if _is_special(one) or _is_special(two):
            return False
        a, b = _span(one, first_loops), _span(two, second_loops)
        if a is None or b is None:
            continue
        if _is_below(a, b, second_loops) or _is_below(b, a, first_loops):
            return True
        for loop in common:
            from_a, from_b = _span_from(a, loop, first_loops), _span_from(b, loop, second_loops)
            found = _minus(from_a[0], from_b[1]), _minus(from_a[1], from_b[0])
            later[id(loop)] = _both(later.get(id(loop), _UNKNOWN), found)
    for loop in common:
        low, high = later.get(id(loop), _UNKNOWN)
        if low is not None and high is not None and low > high:
            return True
        if not any(loop is s for s in shared) and ((low or 0) > 0 or (high or 0) < 0):
            return True  # each turn has an array of its own
    for loop in shared:
        low, high = later.get(id(loop), _UNKNOWN)
        known = turns(loop)
        last = None if known is None else _minus(0, low) if known.backwards else high
        if last is None or last > 0:
            return False
        if last < 0:
            return True
    return not behind


def _is_special(part: Expr) -> bool:
    return is_constant(part, None, ...)


def _span(part: Expr, loops: Sequence[Any]) -> Span | None:
    """What an index names, where it is known that it does not count from the end.

    >>> from s2sad.core import quote, statements
    >>> loops = statements("for i in range(1, n): pass")
    >>> _span(quote("i - 1"), loops), _span(quote("x[:i]").slice, loops), _span(quote("x[i - 2:]").slice, loops)
    ((('i', -1), ('i', -1)), ((None, 0), ('i', -1)), None)
    """
    if not isinstance(part, gast.Slice):
        index = affine(part)
        return None if index is None or not counts_from_the_start(index, loops) else (index, index)
    step = (None, 1) if part.step is None else affine(part.step)
    first = (None, 0) if part.lower is None else affine(part.lower)
    if step is None or step[0] is not None or step[1] < 1 or first is None or not counts_from_the_start(first, loops):
        return None
    if part.upper is None:
        return first, None
    end = affine(part.upper)
    if end is None:  # (what it is, is not known: it may count from the end, but is never beyond)
        return first, None
    return (first, (end[0], end[1] - 1)) if counts_from_the_start(end, loops) else (first, None)


def counts_from_the_start(index: Affine, loops: Sequence[Any]) -> bool:
    """Is it known of an index that it is never negative?"""
    low = _lowest(index, loops)
    return low is not None and low >= 0


def _is_below(a: Span, b: Span, loops: Sequence[Any]) -> bool:
    """Does the one end at a constant that the other, in these loops, is always above?"""
    low = _lowest(b[0], loops)
    return a[1] is not None and a[1][0] is None and low is not None and a[1][1] < low


def _span_from(span: Span, loop: Any, loops: Sequence[Any]) -> Interval:
    """How much all that an index names is, at least and at most, above the variable of a loop."""
    least = _relative(span[0], loop, loops)[0]
    return least, None if span[1] is None else _relative(span[1], loop, loops)[1]


def _minus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a - b


def _both(a: Interval, b: Interval) -> Interval:
    """What lies in both.

    >>> _both((None, 3), (1, 5))
    (1, 3)
    """
    lows, highs = [x for x in (a[0], b[0]) if x is not None], [x for x in (a[1], b[1]) if x is not None]
    return max(lows, default=None), min(highs, default=None)


def _around(name: str, loops: Sequence[Any]) -> int | None:
    """Where the loop is whose variable a name is, if nothing else binds it there."""
    for at in range(len(loops) - 1, -1, -1):
        loop = loops[at]
        if isinstance(getattr(loop, "target", None), gast.Name) and loop.target.id == name:
            inside = _bound_inside.get(loop)
            if inside is None:
                inside = _bound_inside[loop] = frozenset(names_bound(loop.body))
            return None if name in inside else at
        if name in names_bound(getattr(loop, "target", None) or []):
            return None
    return None


def _lowest(index: Affine, loops: Sequence[Any]) -> int | None:
    """The lowest number that an index takes."""
    name, constant = index
    if name is None:
        return constant
    at = _around(name, loops)
    known = None if at is None else turns(loops[at])
    bound = None if known is None else affine(known.low)
    low = None if bound is None else _lowest(bound, loops[:at])
    return None if known is None or low is None else low + known.above_low + constant


def _relative(index: Affine, loop: Any, loops: Sequence[Any]) -> Interval:
    """How much an index is, at least and at most, above the variable of a loop."""
    name, constant = index
    at = None if name is None else _around(name, loops)
    if at is None:
        return _UNKNOWN
    if loops[at] is loop:
        return constant, constant
    known = turns(loops[at])
    if known is None:
        return _UNKNOWN
    low, high = affine(known.low), affine(known.high)
    least = None if low is None else _relative(low, loop, loops[:at])[0]
    most = None if high is None else _relative(high, loop, loops[:at])[1]
    return (
        None if least is None else least + known.above_low + constant,
        None if most is None else most + known.above_high + constant,
    )
