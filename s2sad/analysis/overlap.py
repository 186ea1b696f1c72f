"""Stores of a view of an array into the array itself: when does NumPy read the values before it overwrites them?

Always, by its documentation. But NumPy 2.4 copies the view first only where either has two axes or more, where one runs
backwards, and for index arrays. Else it goes from element to element: that is right where both take the same steps
(`u[1:] = u[:-1]`), and is not where they do not: `u[::2] = u[:3]` stores u[1] twice, and so does a mask in place of the
slice. Generated code keeps away from that, and a program that does it is refused: its derivative is not that of what it
says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from s2sad.analysis.memory import Memory, makes_new
from s2sad.core import Expr, Facts, is_constant, is_operation, items_of, text
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown


def in_step(target: Any, value: Expr, facts: Facts) -> bool:
    """Is `target = value`, of a subscript of an array and a view of the same array, as if the view was copied before?

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> n = Dim.symbol("n")
    >>> facts = Facts(kinds={"u": Array(np.dtype(float), (n,)), "A": Array(np.dtype(float), (n, n)), "i": Number(int)})
    >>> def told(text):
    ...     (store,) = statements(text)
    ...     return in_step(store.targets[0], store.value, facts)
    >>> told("u[1:] = u[:-1]"), told("A[::2] = A[:3]"), told("A[i] = A[i + 1]"), told("u[i] = u[0]")
    (True, True, True, True)
    >>> told("u[:] = u[::-1]"), told("u[2::2] = u[:-2:2]")
    (True, True)
    >>> told("u[::2] = u[:3]"), told("A[i] = A[:, i]"), told("u[u > 0.0] = u[:3]")
    (False, False, False)
    """
    parts = _parts(target.slice, facts)
    kind = _kind(target, facts)
    if isinstance(kind, Number) or "index" in parts:
        return True
    if "?" in parts:
        return False
    if isinstance(kind, Array) and len(kind.shape or ()) > 1:
        return True
    if not isinstance(value, gast.Subscript):
        return False
    others = _parts(value.slice, facts)
    if any(p.startswith("back") for p in parts) != any(p.startswith("back") for p in others):
        return True
    view, array = value.value, target.value
    same = isinstance(view, gast.Name) and isinstance(array, gast.Name) and view.id == array.id
    return same and others == parts


def _parts(index: Any, facts: Facts) -> list[str]:
    """What each part of an index is."""
    return [_part(p, facts) for p in items_of(index)]


def _part(part: Any, facts: Facts) -> str:
    if isinstance(part, gast.Slice):
        if part.step is None or (isinstance(part.step, gast.Constant) and part.step.value in (1, None)):
            return "slice"
        backwards = is_operation(part.step, gast.USub)
        return f"{'back' if backwards else 'step'} {text(part.step)}"
    if is_constant(part, None, ...):
        return str(part.value)
    kind = _kind(part, facts)
    if isinstance(kind, Number):
        return "number"
    if isinstance(part, gast.List) and part.elts:
        whole = [k.type for k in (_kind(e, facts) for e in part.elts) if isinstance(k, Number)]
        return "index" if len(whole) == len(part.elts) and bool not in whole else "?"
    return "index" if isinstance(kind, Array) and kind.dtype.kind in "iu" and kind.shape else "?"


def _kind(node: Expr, facts: Facts) -> Kind:
    if isinstance(node, gast.Constant) and isinstance(node.value, (bool, int)):
        return Number(type(node.value))
    if isinstance(node, gast.Name):
        return facts.kinds.get(node.id) or Unknown()
    kind = infer(node, facts)
    return Number(type(kind.value)) if isinstance(kind, Static) and isinstance(kind.value, int) else kind


@dataclass
class Line:
    """A one-dimensional view: of which array, along which of its axes, from where, in which steps."""

    root: str
    axis: int
    #: what the other axes are indexed with
    others: tuple[str, ...]
    #: None: not known
    start: int | None
    step: int | None
    #: the slice as it is written, where it is one slice of the array
    written: str


def reads_too_late(store: Any, memory: Memory) -> bool:
    """Is `u[s] = t`, t a view of u, a store where NumPy may overwrite an element of t before it reads it?

    It goes from the first element to the last one, or back where the view begins before the target.

    Args:
        store: an assignment to a subscript.
        memory: the facts about the memory of the function.
    """
    target, value, facts = store.targets[0], store.value, memory.facts
    if not isinstance(value, gast.Name) or not _one_axis(facts.kinds.get(value.id)):
        return False
    key = target.value.id if isinstance(target.value, gast.Name) else ""
    if memory.find(key) != memory.find(value.id) or not _one_axis(infer(target, facts)):
        return False
    places = memory.definitions.get(value.id, [])
    if any(getattr(p.statement, "copy", False) or value.id not in memory.alias for p in places):
        return False
    into, view = _line(target, memory), _line(value, memory)
    if into is None:
        return "index" not in _parts(target.slice, facts)  # index arrays copy, masks do not
    if view is None or (into.root != view.root and not all(_is_whole(line.root, memory) for line in (into, view))):
        return True  # (two arrays that may be one are that as wholes)
    if into.axis != view.axis:  # a row and a column: what they share is read where it is stored
        return into.others != view.others or into.written != view.written
    if any(_apart(a, b) for a, b in zip(into.others, view.others, strict=True)):
        return False
    if into.step is None or view.step is None:
        return into.written != view.written
    if into.step == view.step or into.step * view.step < 0:
        return False
    if into.start is None or view.start is None:
        return True
    ahead = into.step <= view.step if view.start >= into.start else into.step >= view.step
    if into.step < 0 or ahead:
        return into.step < 0
    made = getattr(places[0].statement, "value", None) if len(places) == 1 else None
    count = min((c for c in (_count(target), _count(made)) if c is not None), default=None)
    return count is None or _meet(into, view, count)


def _is_whole(root: str, memory: Memory) -> bool:
    """Is it an array of its own, and no part of another, where nobody else has it?"""
    made = memory.definitions.get(root, [])
    return root not in memory.alias and all(makes_new(p.statement, memory.facts) for p in made)


def _meet(into: Line, view: Line, count: int) -> bool:
    """Is one of so many elements stored into before it is read, in the order in which NumPy goes?

    >>> first, every_second = Line("u", 0, (), 0, 1, ":"), Line("u", 0, (), 0, 2, "::2")
    >>> _meet(every_second, first, 2), _meet(every_second, first, 3)
    (False, True)
    """
    assert into.start is not None and into.step is not None and view.start is not None and view.step is not None
    turns = range(count)[::-1] if view.start < into.start else range(count)
    stored: set[int] = set()
    for k in turns:
        if view.start + view.step * k in stored:
            return True
        stored.add(into.start + into.step * k)
    return False


def _count(node: Any) -> int | None:
    """How many elements a slice with known bounds has at most."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.slice, gast.Slice) or node.slice.upper is None:
        return None
    start, stop, step = _constant(node.slice.lower, 0), _constant(node.slice.upper, 0), _constant(node.slice.step, 1)
    if start is None or stop is None or step is None or start < 0 or stop < 0 or step < 1:
        return None
    return len(range(start, stop, step))


def _one_axis(kind: Kind | None) -> bool:
    return kind is not None and kind.rank == 1


def _line(node: Expr, memory: Memory) -> Line | None:
    """What a one-dimensional view is a view of; None where it is no plain view."""
    if isinstance(node, gast.Name):
        places = memory.definitions.get(node.id, [])
        made = getattr(places[0].statement, "value", None) if len(places) == 1 else None
        if node.id in memory.alias and isinstance(made, gast.Subscript):
            return _line(made, memory)
        return Line(node.id, 0, (), 0, 1, ":") if _one_axis(memory.facts.kinds.get(node.id)) else None
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return None
    kind = memory.facts.kinds.get(node.value.id)
    if not isinstance(kind, Array) or kind.shape is None:
        return None
    parts = items_of(node.slice)
    dots = [k for k, p in enumerate(parts) if is_constant(p, ...)]
    missing = [gast.Slice(None, None, None)] * (len(kind.shape) - len(parts) + len(dots))
    at = dots[0] if dots else len(parts)
    parts = [*parts[:at], *missing, *parts[at + len(dots) :]]
    slices = [k for k, p in enumerate(parts) if isinstance(p, gast.Slice)]
    if len(slices) != 1 or len(parts) != len(kind.shape):
        return None
    others = [p for p in parts if not isinstance(p, gast.Slice)]
    if not all(isinstance(_kind(p, memory.facts), Number) for p in others):
        return None
    (axis,) = slices
    start, step = _constant(parts[axis].lower, 0), _constant(parts[axis].step, 1)
    if step is not None and (step < 0 or (start is not None and start < 0)):
        start = None  # from the end
    own = Line(node.value.id, axis, tuple(map(text, others)), start, step, text(parts[axis]))
    if len(kind.shape) > 1:
        return _untransposed(own, memory)
    base = _line(node.value, memory)
    if base is None or base.root == own.root:
        return base and own
    start = base.start + start * base.step if None not in (base.start, base.step, start) else None  # type: ignore
    step = base.step * step if base.step is not None and step is not None else None
    return Line(base.root, base.axis, base.others, start, step, f"{base.written} {own.written}")


def _untransposed(line: Line, memory: Memory) -> Line:
    """The same line of A, where it is one of A.T."""
    places = memory.definitions.get(line.root, [])
    made = getattr(places[0].statement, "value", None) if len(places) == 1 else None
    if not isinstance(made, gast.Attribute) or made.attr != "T" or not isinstance(made.value, gast.Name):
        return line
    return replace(line, root=made.value.id, axis=len(line.others) - line.axis, others=line.others[::-1])


def _apart(a: str, b: str) -> bool:
    """Are two indices, as they are written, certainly different?"""
    return a.isdecimal() and b.isdecimal() and a != b


def _constant(node: Any, default: int) -> int | None:
    """The value of a bound of a slice, where it is known."""
    if node is None:
        return default
    if is_operation(node, gast.USub):
        inner = _constant(node.operand, 0)
        return None if inner is None else -inner
    return (node.value if node.value is not None else default) if isinstance(node, gast.Constant) else None
