"""Stores of a view of an array into the array itself: when does NumPy read the values before it overwrites them?

Always, by its documentation. But NumPy 2.4 copies the view first only where either has two axes or more, where one runs
backwards, and for index arrays. Else it goes from element to element: that is right where both take the same steps
(`u[1:] = u[:-1]`), and is not where they do not: `u[::2] = u[:3]` stores u[1] twice, and so does a mask in place of the
slice. Generated code keeps away from that.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr, Facts, text
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
    return [_part(p, facts) for p in (index.elts if isinstance(index, gast.Tuple) else [index])]


def _part(part: Any, facts: Facts) -> str:
    if isinstance(part, gast.Slice):
        if part.step is None or (isinstance(part.step, gast.Constant) and part.step.value in (1, None)):
            return "slice"
        backwards = isinstance(part.step, gast.UnaryOp) and isinstance(part.step.op, gast.USub)
        return f"{'back' if backwards else 'step'} {text(part.step)}"
    if isinstance(part, gast.Constant) and (part.value is None or part.value is Ellipsis):
        return str(part.value)
    kind = _kind(part, facts)
    if isinstance(kind, Number):
        return "number"
    return "index" if isinstance(kind, Array) and kind.dtype.kind in "iu" and kind.shape else "?"


def _kind(node: Expr, facts: Facts) -> Kind:
    if isinstance(node, gast.Constant) and isinstance(node.value, (bool, int)):
        return Number(type(node.value))
    if isinstance(node, gast.Name):
        return facts.kinds.get(node.id) or Unknown()
    kind = infer(node, facts)
    return Number(type(kind.value)) if isinstance(kind, Static) and isinstance(kind.value, int) else kind
