"""What is returned belongs to the caller: a copy of what is, or may be, memory that somebody else holds."""

from __future__ import annotations

import copy
import types
from collections.abc import Collection
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.core import Expr, Facts, Stmt, assign, clone, global_name, load, quote
from s2sad.kinds.kind import Array, Callable, Dict, Kind, List, ListOf, Number, Object, Static, Tuple
from s2sad.runtime.helpers import made
from s2sad.tidy.rebuild import with_blocks, with_fields

#: objects of these are never changed
_FIXED = (str, bytes, bool, int, float, complex, type(None), type, types.ModuleType, types.FunctionType, np.dtype)


def own_results(body: list[Stmt], facts: Facts, parameters: Collection[str], kinds: list[Kind | None]) -> list[Stmt]:
    """The statements with copies in what they return, where it may be memory that was there before.

    Args:
        body: the statements of one function, tidied; they return a tuple.
        facts: what is known of its names.
        parameters: the names that come in bound.
        kinds: the kinds of the items of the tuple; None for what is known to be the caller's own.

    The items share no memory with each other. Parts of one item may: that is how the primal made them.

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> row = Array(np.dtype(float), None)
    >>> facts = Facts(kinds={"x": row, "dx": row})
    >>> print(text(own_results(statements("return x + 1.0, dx"), facts, ["x", "dx"], [row, row])))
    return (x + 1.0, dx.copy())
    """
    owner = _Owner(facts, Effects(facts), body, parameters)

    def block(statements: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for s in statements:
            out += owner.returned(s, kinds) if isinstance(s, gast.Return) else [with_blocks(s, block)]
        return out

    return block(body)


def own_value(value: Expr, kind: Kind, body: list[Stmt], facts: Facts, parameters: Collection[str]) -> Expr:
    """What is returned behind the statements, with copies where it may be memory that was there before."""
    return _Owner(facts, Effects(facts), body, parameters).own(value, kind, set())


class _Owner:
    def __init__(self, facts: Facts, effects: Effects, body: list[Stmt], parameters: Collection[str]) -> None:
        self.facts, self.effects = facts, effects
        summaries = [effects.of(s) for top in body for s in nested(top)]
        self.roots, _, self.fresh = bases_of(summaries, effects, parameters)

    def returned(self, node: Any, kinds: list[Kind | None]) -> list[Stmt]:
        value, out = node.value, list[Stmt]()
        if not isinstance(value, gast.Tuple):  # what a function returned is handed on
            if self.bases(value) <= self.fresh:
                return [node]
            names = [self.facts.fresh("t") for _ in kinds]
            unpacked = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
            unpacking: Any = assign(names[0], value, getattr(node, "origin", None))
            unpacking.targets = [unpacked]
            out.append(unpacking)
            self.roots = {**self.roots, **{n: frozenset((WORLD,)) for n in names}}
            value = gast.Tuple([load(n) for n in names], gast.Load())
        taken: set[str] = set()
        items = []
        for item, kind in zip(value.elts, kinds, strict=True):
            items.append(item if kind is None else self.own(item, kind, taken))
            taken |= self.bases(items[-1])
        return [*out, with_fields(node, value=gast.Tuple(items, gast.Load()))]

    def bases(self, expr: Expr) -> set[str]:
        """At which names the memory comes in that a value may share."""
        return {base for n in self.effects.shares(expr) for base in self.roots.get(n, (n,))}

    def own(self, expr: Expr, kind: Kind, taken: set[str]) -> Expr:
        """A value in memory of its own, apart from that which is taken."""
        bases = self.bases(expr)
        if bases <= self.fresh and not bases & taken:
            return expr
        own = clone(expr)
        if isinstance(expr, gast.IfExp):
            own.body, own.orelse = (self.own(e, kind, taken) for e in (expr.body, expr.orelse))
        elif isinstance(expr, (gast.Tuple, gast.List)) and isinstance(kind, (Tuple, List)):
            own.elts = [self.own(e, k, taken) for e, k in zip(expr.elts, kind.items, strict=True)]
        elif isinstance(expr, gast.Dict) and isinstance(kind, Dict):
            own.values = [self.own(e, k, taken) for e, (_, k) in zip(expr.values, kind.items, strict=True)]
        elif isinstance(expr, gast.Call) and self.is_display(expr, kind):
            parts = dict(getattr(kind, "attributes", ()))
            items = kind.items if isinstance(kind, Tuple) else ()
            if items:
                own.args = [self.own(e, k, taken) for e, k in zip(expr.args, items, strict=True)]
            for keyword in own.keywords:
                keyword.value = self.own(keyword.value, parts[keyword.arg], taken)
        else:
            return self.copied(own, kind)
        return own

    def is_display(self, call: Any, kind: Kind) -> bool:
        """Is it the call of a class, with the parts of its object?"""
        found = self.facts.globals.get(call.func.id) if isinstance(call.func, gast.Name) else None
        if isinstance(kind, Tuple):
            return found is kind.cls and len(call.args) == len(kind.items) and not call.keywords
        if not isinstance(kind, Object) or found not in (kind.cls, made):
            return False
        attributes = dict(kind.attributes)
        return len(call.args) == (found is made) and all(k.arg in attributes for k in call.keywords)

    def copied(self, expr: Expr, kind: Kind, item: str = "v") -> Expr:
        """A copy of a value, with all that it holds.

        >>> import numpy as np
        >>> from s2sad.core import text
        >>> row = Array(np.dtype(float), None)
        >>> def shown(kind, expr="x"):
        ...     return text(_Owner(Facts(), Effects(Facts()), [], ()).copied(quote(expr), kind))
        >>> shown(row), shown(ListOf(row)), shown(Dict((("a", row), ("n", Number(int)))))
        ('x.copy()', '[v.copy() for v in x]', "{'a': x['a'].copy(), 'n': x['n']}")
        """
        if isinstance(kind, (Number, Callable)) or (isinstance(kind, Static) and isinstance(kind.value, _FIXED)):
            return expr
        if isinstance(kind, Array) and kind.dtype != object:
            return quote("x.copy()", x=expr)
        if isinstance(kind, ListOf):
            copied = self.copied(load(item), kind.item, item + "v")
            if isinstance(copied, gast.Name):
                return quote("list(x)", x=expr)
            return quote(f"[copied for {item} in x]", copied=copied, x=expr)
        if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):  # else it would be evaluated for each part
            if isinstance(kind, (Tuple, List)) and getattr(kind, "cls", tuple) is tuple:
                parts = [self.copied(_item(expr, i), k, item) for i, k in enumerate(kind.items)]
                return (gast.List if isinstance(kind, List) else gast.Tuple)(parts, gast.Load())
            if isinstance(kind, Dict) and kind.cls is dict:
                parts = [self.copied(_item(expr, key), k, item) for key, k in kind.items]
                return gast.Dict([gast.Constant(key, None) for key, _ in kind.items], parts)
        whole = load(global_name(copy, "copy", self.facts))
        return gast.Call(gast.Attribute(whole, "deepcopy", gast.Load()), [expr], [])


def _item(expr: Expr, key: Any) -> Expr:
    return gast.Subscript(clone(expr), gast.Constant(key, None), gast.Load())
