"""Which functions return memory of their own: what nobody else could overwrite."""

from __future__ import annotations

import builtins
import types
import weakref
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import makes_new
from s2sad.core import Expr, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import function_tree

_KNOWN: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()

#: what these make of values has none of their memory in it (but for the items of lists that are joined)
_NEW = (gast.Constant, gast.Compare, gast.BinOp, gast.UnaryOp, gast.JoinedStr)

_VIEWS = {"reshape", "moveaxis", "swapaxes", "transpose"}


def returns_new(function: Any) -> bool:
    """Is all that a function of the user's returns certain to be numbers, text, or arrays that nobody else holds?

    Told by its text: it returns what operators and functions of NumPy make anew, under any name of its own.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or code is None:
        return False
    if code not in _KNOWN:
        _KNOWN[code] = False  # while it is looked at: it may call itself
        try:
            tree = function_tree(function).tree
        except DerivationError:
            return False
        _KNOWN[code] = all_new(tree, function.__globals__.get)
    return _KNOWN[code]


def all_new(tree: Any, look_up: Callable[[str], Any]) -> bool:
    """Like `returns_new`, for the tree of a function; `look_up` says what its globals stand for.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> def told(text):
    ...     return all_new(statements(text)[0], {"np": np}.get)
    >>> told("def f(u):\\n  v = np.sin(u)\\n  v[0] = 1.0\\n  return v, 2 * u"), told("def f(u):\\n  return u[1:]")
    (True, False)
    >>> told("def f(u):\\n  v = np.sin(u)\\n  return np.reshape(v, -1)")
    True
    >>> told("def f(u):\\n  v = 0.0\\n  for v in u:\\n    pass\\n  return v")
    False
    >>> told("def f(t=np.float64):\\n  return np.array([1.0, 0.0], t)")
    True
    """
    nodes = [n for s in tree.body for n in walk(s)]
    inner = (gast.FunctionDef, gast.ClassDef, gast.Lambda, gast.Yield, gast.YieldFrom, gast.Await)
    if any(isinstance(n, inner) for n in nodes):
        return False
    values: dict[str, list[Any]] = {}
    plain = set()
    for node in nodes:
        targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.NamedExpr)):
            for target in targets:
                if isinstance(target, gast.Name):
                    plain.add(id(target))
                    if not isinstance(node, gast.AugAssign):  # that is a number anew, or the array that the name had
                        values.setdefault(target.id, []).append(node.value)
    bound_otherwise = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)
                       and id(n) not in plain}  # fmt: skip
    bound_otherwise |= {n.id for n in walk(tree.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)}
    new = set(values) - bound_otherwise
    local = set(values) | bound_otherwise

    def is_new(expr: Expr | None) -> bool:
        if expr is None:
            return True
        if isinstance(expr, _NEW):
            return not (isinstance(expr, gast.BinOp) and any(map(_is_display, (expr.left, expr.right))))
        if isinstance(expr, gast.Name):
            return expr.id in new
        if isinstance(expr, gast.IfExp):
            return is_new(expr.body) and is_new(expr.orelse)
        if isinstance(expr, (gast.BoolOp, gast.Dict)):
            return all(map(is_new, expr.values))
        if isinstance(expr, (gast.Tuple, gast.List)):
            return all(map(is_new, expr.elts))
        return isinstance(expr, gast.Call) and _call_makes_new(expr, lambda n: None if n in local else look_up(n))

    while True:
        fine = {name for name in new if all(map(is_new, values[name]))}
        if fine == new:
            return all(is_new(_viewed(n.value)) for n in nodes if isinstance(n, gast.Return))
        new = fine


def _viewed(expr: Expr | None) -> Expr | None:
    """What a view is of: where that is new and all that is returned, the view is nobody else's."""
    while isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in _VIEWS:
        if not expr.args or expr.keywords or gast.unparse(expr.func.value) != "np":
            break
        expr = expr.args[0]
    return expr


def _is_display(expr: Expr) -> bool:
    return isinstance(expr, (gast.List, gast.Tuple, gast.ListComp))


def _call_makes_new(call: Any, look_up: Callable[[str], Any]) -> bool:
    names, node = [], call.func
    while isinstance(node, gast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return False
    target = look_up(node.id)
    if target is None and not names:
        target = getattr(builtins, node.id, None)
    for name in reversed(names):
        if not isinstance(target, types.ModuleType):
            return False
        target = getattr(target, name, None)
    module = (getattr(target, "__module__", None) or type(target).__module__).split(".")[0]
    if module == "numpy":
        copies = target is np.array and not any(k.arg in ("copy", None) for k in call.keywords)
        return copies or makes_new(call)
    return module in ("math", "cmath") or target in (float, int, bool, complex, len, str) or returns_new(target)
