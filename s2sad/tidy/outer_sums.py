"""Sums of outer products are one matrix product, which writes every element once.

It takes half the time of two large outer products and their sum, and less for small ones, too. (It may round the last
bit otherwise; what the user wrote stays.)
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, quote, text, walk
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Unknown
from s2sad.tidy.algebra import negated
from s2sad.tidy.outer_products import is_outer
from s2sad.tidy.rebuild import is_users, with_blocks, with_expressions


def outer_sums(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements with a product of two matrices in the place of sums of outer products.

    Args:
        body: the statements of one function, tidied; nothing is derived from them any more.
        facts: what is known of its names.

    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> facts = Facts(kinds={k: Array(np.dtype(float), (d,)) for k, d in (("a", n), ("b", m), ("c", n), ("d", m))})
    >>> facts.globals["np"] = np
    >>> print(text(outer_sums(statements("return x, np.outer(a, b) - np.outer(c, d)"), facts)))
    return (x, np.array((a, -c)).T @ np.array((b, d)))
    >>> print(text(outer_sums(statements("return a[:, None] + np.outer(c, d)"), facts)))
    return np.array((a, c)).T @ np.array((np.ones_like(d), d))
    """

    def visit(block: list[Stmt]) -> list[Stmt]:
        return [with_blocks(s, visit) if is_users(s) else _changed(with_blocks(s, visit), facts) for s in block]

    return visit(body) if any(is_outer(n, facts) for top in body for n in walk(top)) else body


def _changed(node: Any, facts: Facts) -> Any:
    """A statement or an expression of the derivative's, with the sums in it that can be products."""
    made = _product(node, facts) if type(node) is gast.BinOp else None
    if made is not None:
        return made
    return with_expressions(node, lambda inner: _changed(inner, facts))


def _product(node: Any, facts: Facts) -> Expr | None:
    terms: list[tuple[bool, Any]] = []
    _terms(node, True, terms)
    outer = next((t for _, t in terms if is_outer(t, facts)), None)
    if len(terms) < 2 or outer is None:
        return None
    pairs = [_pair(t, outer, facts) for _, t in terms]
    for k in (0, 1):
        kinds = [infer(p[k], facts) if p is not None else Unknown() for p in pairs]
        if not _is_vector(kinds[0]) or any(kind != kinds[0] for kind in kinds):
            return None
    factors = [(p[0] if plus else negated(p[0]), p[1]) for (plus, _), p in zip(terms, pairs, strict=True) if p]
    left, right = (gast.Tuple([f[k] for f in factors], gast.Load()) for k in (0, 1))
    return quote("np.array(a).T @ np.array(b)", np=outer.func.value, a=left, b=right)


def _pair(term: Any, outer: Any, facts: Facts) -> tuple[Expr, Expr] | None:
    """Two vectors of which a term is the outer product: `v[:, None]` is that of v and ones."""
    if is_users(term):
        return None
    if is_outer(term, facts):
        return term.args[0], term.args[1]
    row = outer.args[1]
    if type(term) is gast.Subscript and text(term).endswith("[:, None]") and type(row) is gast.Name:
        return term.value, quote("np.ones_like(x)", np=outer.func.value, x=row)
    return None


def _terms(node: Any, plus: bool, out: list[tuple[bool, Any]]) -> None:
    if type(node) is gast.BinOp and type(node.op) in (gast.Add, gast.Sub) and not is_users(node):
        _terms(node.left, plus, out)
        _terms(node.right, plus == (type(node.op) is gast.Add), out)
    else:
        out.append((plus, node))


def _is_vector(kind: Kind) -> bool:
    return isinstance(kind, Array) and kind.dtype == np.dtype(float) and not kind.mixed and len(kind.shape or ()) == 1
