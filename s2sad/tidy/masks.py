"""Masks, and what they let through, get names where several statements need them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Expr, Facts, Stmt, assign, blocks_of, clone, load, walk
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array
from s2sad.tidy.algebra import key_of, negated
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields
from s2sad.tidy.simplify import Simplifier

#: a kind of expressions that are named: how often they have to be written for that, and what the names start with
_Wanted = tuple[Callable[[Any, Facts], bool], int, str]


def name_masks(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with names for masks, and for what they let through, that several statements of a block need.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> row = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> facts = Facts(kinds={n: row for n in ("a", "b", "bx", "h")})
    >>> facts.globals["np"] = np
    >>> body = statements("a += h + np.where(bx != 0.0, h, 0.0)\\nb += h + np.where(bx != 0.0, -h, 0.0)")
    >>> print(text(name_masks(body, facts)))
    g = np.where(bx != 0.0, h, 0.0)
    a += h + g
    b += h - g
    """
    live_out, before = set(live_out), body
    known: dict[str, Any] = {"effects": effects, "same": same, "parameters": parameters}
    for wanted in _WANTED:
        is_wanted, often, _ = wanted
        found = [n for top in body for n in walk(top) if is_wanted(n, facts)]
        if len(found) >= often and len({_key(n) for n in found}) <= len(found) - often + 1:
            body = _Naming(scope_of(body, facts, live_out=live_out, **known), wanted).block(body)
    if body is before:
        return body
    return Simplifier(facts, effects or Effects(facts)).function(body)


def _is_let_through(node: Any, facts: Facts) -> bool:
    """`np.where(mask, value, 0.0)`?"""
    if not _calls(node, "where", facts) or len(node.args) != 3 or node.keywords:
        return False
    zero = node.args[2]
    return type(zero) is gast.Constant and zero.value == 0.0 and _is_array(node, facts)


def _is_either(node: Any, facts: Facts) -> bool:
    return _calls(node, "logical_or", facts) and _is_array(node, facts)


def _is_nonzero(node: Any, facts: Facts) -> bool:
    """`g != 0.0` of an array with a name?"""
    if type(node) is not gast.Compare or type(node.left) is not gast.Name or type(node.ops[0]) is not gast.NotEq:
        return False
    zero = node.comparators[0]
    return len(node.ops) == 1 and type(zero) is gast.Constant and zero.value == 0.0 and _is_array(node, facts)


_WANTED: tuple[_Wanted, ...] = ((_is_let_through, 2, "g"), (_is_nonzero, 3, "mask"), (_is_either, 2, "mask"))


def _calls(node: Any, name: str, facts: Facts) -> bool:
    path = dotted(node.func) if type(node) is gast.Call else None
    return path is not None and path[1:] == (name,) and facts.globals.get(path[0]) is np


def _is_array(node: Any, facts: Facts) -> bool:
    kind = infer(node, facts)
    return isinstance(kind, Array) and kind.shape != ()


def _is_negative(node: Any) -> bool:
    """Does a mask let through what has a minus sign?"""
    value: Any = node.args[1] if type(node) is gast.Call and len(node.args) == 3 else None
    return type(value) is gast.UnaryOp and type(value.op) is gast.USub


def _positive(node: Any) -> Any:
    """The same without a minus sign."""
    if not _is_negative(node):
        return node
    new = clone(node)
    new.args[1] = new.args[1].operand
    return new


def _key(node: Any) -> Any:
    return key_of(_positive(node))


class _Group:
    """Expressions of one block that have one value: the first statement that has one, and what they read, as bits."""

    def __init__(self, first: int, use: int) -> None:
        self.first, self.use = first, use
        self.nodes: list[Any] = []


class _Naming:
    def __init__(self, scope: Scope, wanted: _Wanted) -> None:
        self.scope, self.facts = scope, scope.facts
        self.is_wanted, self.often, self.stem = wanted

    def block(self, body: list[Stmt]) -> list[Stmt]:
        known: dict[Any, _Group] = {}
        groups: list[_Group] = []
        for k, s in enumerate(body):
            if not any(blocks_of(s)) and not is_users(s):
                for node in self.within(s):
                    key = _key(node)
                    if key not in known:
                        known[key] = _Group(k, self.scope.use(self.scope.effects.of_expression(node)))
                        groups.append(known[key])
                    known[key].nodes.append(node)
            _, define, store = self.scope.deep(s)
            known = {key: group for key, group in known.items() if not group.use & (define | store)}
        names: dict[int, Expr] = {}
        first: dict[int, list[Stmt]] = {}
        for group in groups:
            if len(group.nodes) >= self.often:
                value = clone(_positive(group.nodes[0]))
                name = self.facts.fresh(self.stem)
                self.facts.kinds[name] = infer(value, self.facts)
                made = assign(name, value)
                made.grad_of = getattr(body[group.first], "grad_of", None)
                first.setdefault(group.first, []).append(made)
                for node in group.nodes:
                    names[id(node)] = negated(load(name)) if _is_negative(node) else load(name)
        if not names:
            return _blocks(body, self.block)
        out: list[Stmt] = []
        for k, s in enumerate(body):
            out += [*first.get(k, ()), _replaced(with_blocks(s, self.block), names)]
        return out

    def within(self, node: Any) -> Iterator[Any]:
        """The wanted expressions in a statement that are computed in any case, and of which nothing is handed on but
        what is computed of them: the outermost of them."""
        consumed = self.consumes(node)
        for child in gast.iter_child_nodes(node):
            if consumed and self.is_wanted(child, self.facts):
                yield child
            elif type(child) not in _SOMETIMES:
                yield from self.within(child)

    def consumes(self, node: Any) -> bool:
        """Is what comes of a node other memory than what is in it?"""
        if type(node) is gast.Assign:
            array: Any = node.targets[0].value if type(node.targets[0]) is gast.Subscript else None
            return type(array) is gast.Name and self.scope.effects.is_array(array.id)
        computes = type(node) in (gast.BinOp, gast.UnaryOp, gast.AugAssign)
        return computes or any(_calls(node, name, self.facts) for name in ("where", "logical_or", "sum"))


#: what computes its parts perhaps, or later, or several times
_SOMETIMES = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def _blocks(body: list[Stmt], change: Callable[[list[Stmt]], list[Stmt]]) -> list[Stmt]:
    """The statements with their blocks changed; the same list where none is."""
    new = [with_blocks(s, change) for s in body]
    return new if any(a is not b for a, b in zip(new, body, strict=True)) else body


def _replaced(node: Any, names: dict[int, Expr]) -> Any:
    """A tree with names in the place of some of its nodes; the same nodes where there are none."""
    if id(node) in names:
        return names[id(node)]
    if isinstance(node, list):
        new = [_replaced(n, names) for n in node]
        return new if any(a is not b for a, b in zip(new, node, strict=True)) else node
    if not isinstance(node, gast.AST):
        return node
    changes = {}
    for field, value in gast.iter_fields(node):
        new_value = _replaced(value, names)
        if new_value is not value:
            changes[field] = new_value
    return with_fields(node, **changes) if changes else node
