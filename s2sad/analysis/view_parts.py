"""Statements that make views: of what, and how the same view is written of another array."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import einsum_views
from s2sad.analysis.layout import reshaping
from s2sad.core import Expr, Facts, Stmt, atom_key, clone, global_name, items_of, quote
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.subscript import Slice

#: functions that give views of parts of an array
SPLITS = {"split", "array_split", "hsplit", "vsplit", "dsplit", "unstack"}


def piece_of(split: Expr, position: int) -> Any:
    """The same for one of the arrays that np.split makes."""
    base = split.args[0] if called(split) in SPLITS and split.args else None
    if not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)):
        return None

    def rebuild(inner: Expr) -> Expr:
        made = clone(split)
        made.args[0] = inner
        return gast.Subscript(made, gast.Constant(position, None), gast.Load())

    return atom_key(base), rebuild


def view_parts(statement: Stmt, facts: Facts, key: str = "") -> Any:
    """For `v = view of base`: the base's key, and a function that takes the same view of another array. None where the
    value may or may not be a view. `key` is the name that is asked for, where the statement binds several."""
    value = statement.value
    if getattr(value, "function", None) is not None:
        return None
    if isinstance(statement.targets[0], gast.Tuple):
        names = [getattr(e, "id", None) for e in statement.targets[0].elts]
        return piece_of(value, names.index(key)) if key in names else None
    if isinstance(value, gast.Name):
        return value.id, lambda inner: inner
    if isinstance(value, gast.Subscript):
        key = atom_key(value)
        if key in facts.kinds:
            return key, lambda inner: inner
        base = value.value
        if called(base) in SPLITS and isinstance(value.slice, gast.Constant) and type(value.slice.value) is int:
            return piece_of(base, value.slice.value)
        if not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)) or not _basic(value.slice, facts):
            return None
        return atom_key(base), lambda inner: gast.Subscript(inner, clone(value.slice), gast.Load())
    if isinstance(value, gast.Attribute):
        if atom_key(value) in facts.kinds:
            return atom_key(value), lambda inner: inner
        if value.attr in ("T", "mT", "real", "imag"):
            return atom_key(value.value), lambda inner: gast.Attribute(inner, value.attr, gast.Load())
        return None
    if isinstance(value, gast.Call):
        func = value.func
        name = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", "")
        method = isinstance(func, gast.Attribute) and not _is_module(func.value, facts)
        safe = name in (
            "transpose",
            "swapaxes",
            "squeeze",
            "expand_dims",
            "moveaxis",
            "broadcast_to",
            "diagonal",
            "flip",
            "rollaxis",
            "rot90",
            "fliplr",
            "flipud",
            "matrix_transpose",
            "permute_dims",
        )
        if name in SPLITS:  # a list of views
            safe = isinstance(facts.kinds.get(statement.targets[0].id), (ListOf, ListKind, TupleKind))
        at = 1 if name == "einsum" else 0
        base = func.value if method else (value.args[at] if len(value.args) > at else None)
        if name == "einsum":
            safe = einsum_views(value) and isinstance(value.args[0], gast.Constant)
        if base is None or not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)):
            return None
        key = atom_key(base)
        if reshaping(value, facts) is not None:
            if statement.targets[0].id not in facts.views:
                return None
            safe = True
        if name in ("atleast_1d", "atleast_2d", "atleast_3d"):
            safe = isinstance(facts.kinds.get(key), Array)
        if name in ("real", "imag") and not method:
            kind = facts.kinds.get(key)
            safe = isinstance(kind, Array) and kind.dtype.kind == "c"
        if not safe:
            return None
        if name == "diagonal":  # NumPy's own view cannot be written through
            kind = facts.kinds.get(key)
            if value.keywords or len(value.args) > (0 if method else 1) or len(getattr(kind, "shape", None) or ()) != 2:
                return None
            np_ = global_name(np, "np", facts)
            return key, lambda inner: quote(f"{np_}.einsum('ii->i', x)", x=inner)

        def rebuild(inner: Expr) -> Expr:
            made = clone(value)
            if method:
                made.func.value = inner
            else:
                made.args[at] = inner
            return made

        return key, rebuild
    return None


def _basic(index: Expr, facts: Facts) -> bool:
    """Is it certain that this index makes a view?"""
    for part in items_of(index):
        if isinstance(part, gast.Slice) or (isinstance(part, gast.Constant) and not isinstance(part.value, bool)):
            continue
        kind = infer(part, facts)
        if isinstance(kind, Slice) or called(part) == "slice":
            continue
        if isinstance(kind, Static) and kind.value is None:  # np.newaxis
            continue
        if not (isinstance(kind, Number) and kind.whole and kind.type is not bool):
            return False
    return True


def _is_module(node: Expr, facts: Facts) -> bool:
    """Is it the name of a module, such as np or np.linalg?"""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and isinstance(facts.globals.get(node.id), ModuleType)


def called(value: Expr) -> str:
    """The last name of what an expression calls, or ""."""
    func = value.func if isinstance(value, gast.Call) else None
    return str(getattr(func, "attr", getattr(func, "id", "")))


def perhaps_number(statement: Stmt, facts: Facts) -> bool:
    """Does a statement take an element of an array, or a row? (It is not known how many axes the array has.)

    >>> from s2sad.core import statements
    >>> body = statements("a = u[-1]") + statements("b = u[1:]") + statements("c = u[2, 0]")
    >>> [perhaps_number(s, Facts()) for s in body]
    [True, False, True]
    """
    value = statement.value
    if not isinstance(value, gast.Subscript) or atom_key(value) in facts.kinds:
        return False
    if not isinstance(value.value, (gast.Name, gast.Subscript, gast.Attribute)):
        return False
    kind = facts.kinds.get(atom_key(value.value), Unknown())
    if not (isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.shape is None)):
        return False
    parts = items_of(value.slice)
    whole = any(isinstance(p, gast.Slice) or (isinstance(p, gast.Constant) and p.value in (None, ...)) for p in parts)
    return not whole
