"""What is known of the parts of sums and products: their kinds, whether they vary, whether they may be moved."""

from __future__ import annotations

from functools import cached_property

import gast
import numpy as np

from s2sad.analysis.arithmetic import is_length
from s2sad.analysis.effects import Effects, nested
from s2sad.core import Expr, Facts, Stmt, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown
from s2sad.tidy.algebra import is_one
from s2sad.tidy.rebuild import is_users


class Factors:
    """The expressions of one function, as the terms and factors of others."""

    def __init__(self, facts: Facts, effects: Effects) -> None:
        self.facts = facts
        self.effects = effects
        self.body: list[Stmt] = []
        self._kinds: dict[int, tuple[Expr, Kind]] = {}

    def kind(self, node: Expr) -> Kind:
        cls = type(node)
        if cls is gast.Name:
            return _of_one_type(self.facts.kinds.get(node.id) or infer(node, self.facts))
        if cls is gast.Constant:
            value = node.value
            return Number(type(value)) if type(value) in (int, float, complex, bool) else Static(value)
        found = self._kinds.get(id(node))
        if found is None:
            found = self._kinds[id(node)] = node, _of_one_type(infer(node, self.facts))
        return found[1]

    def is_float(self, node: Expr) -> bool:
        """Is it a float or complex number or array (or unknown: the same)?"""
        kind = self.kind(node)
        if isinstance(kind, Number):
            return issubclass(kind.type, (float, complex, np.inexact))
        if isinstance(kind, Array):
            return kind.dtype.kind in "fc"
        return type(kind) is Unknown

    def is_scalar(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Number) or (isinstance(kind, Static) and type(kind.value) in (int, float))

    def is_bool(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Array) and kind.dtype == np.bool_

    def is_numpy(self, node: Expr) -> bool:
        """Is it a NumPy scalar, which gives inf when divided by 0 where a Python number raises?"""
        kind = self.kind(node)
        return isinstance(kind, Number) and issubclass(kind.type, np.generic)

    def is_length(self, node: Expr) -> bool:
        return is_length(node, self.kind(node))

    def is_scalar_tree(self, tree: Expr) -> bool:
        """Is a product a number?"""
        if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div):
            return self.is_scalar_tree(tree.left) and self.is_scalar_tree(tree.right)
        return self.is_scalar(tree)

    def movable(self, *nodes: Expr) -> bool:
        """May these be evaluated in another order?"""
        for node in nodes:
            if type(node) is not gast.Name:
                e = self.effects.of_expression(node)
                if e.effects or e.own or e.walrus:
                    return False
        return True

    def keeps(self, node: Expr, fresh: bool) -> bool:
        """Would putting this in place of a computed value hand out memory that has another name?"""
        kind = self.kind(node)
        if isinstance(kind, Array) and kind.shape == ():
            return True  # arithmetic on a 0-d array gives a number
        return fresh and not isinstance(kind, Number) and bool(self.effects.shares(node))

    def is_passive(self, node: Expr) -> bool:
        """Is it a number of the primal's that does not depend on what is differentiated in?"""
        if not self.is_scalar(node):
            return False
        own = {n.id for n in walk_names(node)}
        if is_users(node):
            return own.isdisjoint(self.facts.varied)
        return type(node) is gast.Name and node.id in self.passive

    @cached_property
    def passive(self) -> set[str]:
        """The names that the primal binds and that do not vary."""
        users: set[str] = set()
        own: set[str] = set()
        for s in (s for top in self.body for s in nested(top)):
            (users if is_users(s) else own).update(name for name, _ in self.effects.of(s).defines)
        return (self.facts.user_name.keys() | users) - own - self.facts.varied

    def scales(self, tree: Expr) -> bool:
        """Is it a product of several numbers made by the derivative, some of them the primal's, that do not vary?"""
        if not self.is_passive_product(tree):
            return False
        run, several = self.scaling(tree)
        return run and several

    def scaling(self, tree: Expr) -> tuple[bool, bool]:
        """Has a product of such numbers one that is known to the run only, and has it several factors but 1?"""
        if type(tree) is gast.UnaryOp and type(tree.op) is gast.USub:
            return self.scaling(tree.operand)
        if type(tree) is gast.BinOp and not is_users(tree):
            left, right = self.scaling(tree.left), self.scaling(tree.right)
            return left[0] or right[0], left[1] or right[1] or not (is_one(tree.left) or is_one(tree.right))
        return not (type(tree) is gast.Constant or self.is_length(tree)), False

    def is_passive_product(self, tree: Expr) -> bool:
        """Is it made of literals, lengths and numbers of the primal's that do not vary?"""
        if type(tree) is gast.UnaryOp and type(tree.op) is gast.USub:
            return self.is_passive_product(tree.operand)
        if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
            return self.is_passive_product(tree.left) and self.is_passive_product(tree.right)
        return type(tree) is gast.Constant or self.is_length(tree) or self.is_passive(tree)


def _of_one_type(kind: Kind) -> Kind:
    """The kind of a value; NumPy's bool, where it may be one on some path: two of these add up to True, ints to 2."""
    if isinstance(kind, Number) and np.bool_ in kind.types:
        return Number(np.bool_)
    return Array(np.dtype(bool), kind.shape) if isinstance(kind, Array) and kind.mixed else kind
