"""What was decided about a derivative and why: `s2sad explain`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.core import Facts, blocks_of, clone, names_bound, replace_names, text
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Object, Static, Tuple
from s2sad.store import Derivable, Generated

#: how a decision is explained where the analysis gives no reason of its own
_WHY = {
    "taped": "its value at each turn is gone when the backward sweep comes",
    "computed again": "cheaper than keeping it: what it is made of still stands",
    "copied": "it is overwritten before the backward sweep reads it",
}


def explained(derivative: Derivable, generated: Generated, kinds: dict[str, Kind]) -> str:
    """Activity, what the backward sweep reads, and cost, as lines for a reader.

    Args:
        derivative: what was asked for.
        generated: what was derived for `kinds`.
    """
    derived = generated.derived
    source = derivative.primal_source()
    out = [f"{derivative.operator} of {source.tree.name} with respect to {', '.join(derivative.wrt)}", ""]
    out += ["parameters", *_table(_parameters(derivative, kinds)), ""]
    normal = derived.stages.get("normal")
    if normal is not None:
        varied, fixed = _activity(normal, derived.facts, set(kinds))
        rows: list[tuple[str, ...]] = [("varied", ", ".join(varied) or "none"), ("not", ", ".join(fixed) or "none")]
        out += ["values inside", *_table(rows), ""]
    if derivative.operator != "jvp":
        out += ["what the backward sweep reads and what became of it", *_table(_decisions(derived, normal)), ""]
    out += ["size", *_table(_size(source.tree, derived))]
    return "\n".join(line.rstrip() for line in out) + "\n"


def kind_text(kind: Kind) -> str:
    """A kind as --args spells it.

    >>> import numpy as np
    >>> from s2sad.kinds.kind import Dim
    >>> kind_text(Array(np.dtype("f8"), (Dim.symbol("n"), Dim.of(3))))
    'f8[n, 3]'
    """
    match kind:
        case Number():
            return kind.type.__name__
        case Array():
            return f"{kind.dtype.str[1:]}[{'...' if kind.shape is None else ', '.join(map(str, kind.shape))}]"
        case Static():
            return repr(kind.value)
        case Tuple() | List():
            inside = ", ".join(map(kind_text, kind.items))
            return f"[{inside}]" if isinstance(kind, List) else f"({inside}{',' * (len(kind.items) == 1)})"
        case ListOf():
            return f"[{kind_text(kind.item)}, ...]"
        case Dict():
            return "{" + ", ".join(f"{k}: {kind_text(v)}" for k, v in kind.items) + "}"
        case Object():
            return kind.cls.__name__
    return "?"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows in columns, indented; "  none" for no rows."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows] or ["  nothing"]


def _parameters(derivative: Derivable, kinds: dict[str, Kind]) -> list[tuple[str, ...]]:
    return [
        (name, kind_text(kind), "varied: wrt" if name in derivative.wrt else "not varied")
        for name, kind in kinds.items()
    ]


def _activity(normal: Any, facts: Facts, parameters: set[str]) -> tuple[list[str], list[str]]:
    """The user's names that the primal assigns: those that depend on wrt, and the others. In order of appearance."""
    varied: dict[str, None] = {}
    fixed: dict[str, None] = {}
    for node in _statements(normal.body):
        for name in sorted(names_bound(getattr(node, "targets", None) or getattr(node, "target", None))):
            if name in facts.temps or name in parameters:
                continue
            (varied if name in facts.varied else fixed)[facts.user_name.get(name, name)] = None
    return list(varied), [name for name in fixed if name not in varied]


def _decisions(derived: Any, normal: Any) -> list[tuple[str, ...]]:
    spelled = _spelled(normal, derived.facts)
    rows = {}
    for name, what, why in derived.decisions:
        version_of = derived.facts.user_name.get(name, name)
        shown = spelled.get(name) or spelled.get(version_of, version_of)
        rows[shown] = (shown, what, why or _WHY.get(what, ""))
    return list(rows.values())


def _spelled(normal: Any, facts: Facts) -> dict[str, str]:
    """What the names that the compiler invented stand for, in the user's names."""
    if normal is None:
        return {}
    values: dict[str, Any] = {}
    again: set[str] = set()
    for node in _statements(normal.body):
        if isinstance(node, gast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
            name = node.targets[0].id
            if name in values:
                again.add(name)
            if name in facts.temps:
                known = {k: v for k, v in values.items() if k not in again and k in facts.temps}
                values[name] = replace_names(clone(node.value), known)
    shown: dict[str, Any] = {k: gast.Name(v, gast.Load(), None, None) for k, v in facts.user_name.items()}
    return {name: text(replace_names(clone(v), shown)) for name, v in values.items() if name not in again}


def _size(primal: Any, derived: Any) -> list[tuple[str, ...]]:
    # Called functions are written out in core Python, and so in the derivative: there operations are compared.
    normal = derived.stages.get("normal")
    before = _counted([primal])[0], _counted([primal if normal is None else normal])[1]
    after = _counted(derived.functions)
    backward = sum(
        1
        for f in derived.functions
        for node in _statements(_backward(f.body))
        if not isinstance(node, gast.FunctionDef)
    )
    times = f"{after[1] / max(1, before[1]):.1f} x"
    rows = [
        ("", "primal", "derivative"),
        ("statements", str(before[0]), f"{after[0]}, of which {backward} backward" if backward else str(after[0])),
        ("operations, calls written out, each loop run once", str(before[1]), f"{after[1]} ({times})"),
    ]
    tapes = [
        f"{text(n.func.value)}: {len(n.args[0].elts) if isinstance(n.args[0], gast.Tuple) else 1} a turn"
        for f in derived.functions
        for n in gast.walk(f)
        if isinstance(n, gast.Call)
        and isinstance(n.func, gast.Attribute)
        and n.func.attr == "append"
        and text(n.func.value).startswith("tape")
    ]
    return [*rows, ("values on tapes", "", ", ".join(tapes) or "none")]


def _backward(body: list[Any]) -> list[Any]:
    """The statements from the first one that belongs to the backward sweep on."""
    for i, statement in enumerate(body):
        if any(getattr(n, "grad_of", None) is not None for n in gast.walk(statement)):
            return body[i:]
    return []


def _counted(functions: list[Any]) -> tuple[int, int]:
    """Statements (without docstrings and defs) and operations in functions."""
    nodes = [n for f in functions for n in _statements(f.body) if not _is_no_work(n)]
    operations = sum(
        isinstance(n, (gast.BinOp, gast.UnaryOp, gast.Call, gast.Compare)) for f in functions for n in gast.walk(f)
    )
    return len(nodes), operations


def _is_no_work(node: Any) -> bool:
    return isinstance(node, gast.FunctionDef) or (isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant))


def _statements(body: list[Any]) -> Iterator[Any]:
    for node in body:
        yield node
        for block in blocks_of(node):
            yield from _statements(block)
