"""What is added to zeros that nothing was added to before is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.scope import scope_of
from s2sad.core import Facts, Stmt, names_read
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import key_of, negated
from s2sad.tidy.rebuild import is_users, with_blocks
from s2sad.tidy.simplify import Simplifier
from s2sad.tidy.zeroing import Access, Survey


def store_first(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with `A[i] += e` as `A[i] = e` where the elements are still the zeros that A was made of.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"A": Array(np.dtype(float), None), "g": Number(float), "i": Number(int)})
    >>> facts.globals["np"] = np
    >>> body = statements("A = np.zeros(n)\\nfor i in range(1, n):\\n  A[i] += g\\nA[0] -= g\\nA[1] += g\\nreturn A")
    >>> print(text(store_first(body, facts)))
    A = np.zeros(n)
    for i in range(1, n):
        A[i] = g
    A[0] = -g
    A[1] += g
    return A
    """
    zeros = {s.targets[0].id for top in body for s in nested(top) if makes_zeros(s, facts)}
    if not zeros:
        return body
    found = Survey(facts)
    found.block(body, ())
    added = [(place, s) for name, place, s in found.additions if name in zeros and _is_plain(s, facts)]
    if not added:
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    outside = set(live_out) | scope.captured | scope.parameters
    first = set()
    for place, s in added:
        name = s.target.value.id
        alone = scope.holders(name) == 1 and scope.bases(name) == {name} and name in scope.fresh and name not in outside
        if not alone or is_users(s) or name in names_read(s.value) or name in names_read(s.target.slice):
            continue
        touching = [*found.reads.get(name, ()), *found.overwrites.get(name, ())]
        if found.around(name, place) is not None and all(_leaves(found, name, other, place) for other in touching):
            first.add(id(s))
    return _stored(body, first, Simplifier(facts, scope.effects)) if first else body


def _leaves(found: Survey, name: str, other: Access, place: Access) -> bool:
    """Does what happens elsewhere, or in an earlier turn, leave alone what is stored into here?

    Elements next to each other that one turn adds to look alike: all are added to.
    """
    around = found.around(name, other)
    if around is None:
        return False
    if any(loop in place.loops for loop in around) and _key(other) != _key(place):
        return False
    return not found.later(other, place, around) or found.apart(other, place, around)


def _key(access: Access) -> str:
    return "" if access.node is None else key_of(access.node)


def makes_zeros(s: Any, facts: Facts) -> bool:
    """`A = np.zeros(...)` or `A = np.zeros_like(...)`?"""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return False
    path = dotted(s.value.func) if type(s.value) is gast.Call else None
    return path is not None and path[1:] in (("zeros",), ("zeros_like",)) and facts.globals.get(path[0]) is np


def _is_plain(s: Any, facts: Facts) -> bool:
    """Does `A[i] += e` add what A can hold as it is?"""
    array, value = facts.kinds.get(s.target.value.id), infer(s.value, facts)
    if type(s.op) not in (gast.Add, gast.Sub) or not isinstance(array, Array):
        return False
    if isinstance(value, Number):
        return array.dtype.kind in "fc" and (array.dtype.kind == "c" or not issubclass(value.type, _COMPLEX))
    return isinstance(value, Array) and np.can_cast(value.dtype, array.dtype, "same_kind")


_COMPLEX = (complex, np.complexfloating)


def _stored(body: list[Stmt], first: set[int], simplifier: Simplifier) -> list[Stmt]:
    result = []
    for s in body:
        if id(s) in first:
            added: Any = s
            value = added.value if type(added.op) is gast.Add else simplifier.visit(negated(added.value), True)
            new = gast.Assign([added.target], value, None)
            for name, mark in added.__dict__.items():
                if name not in added._fields:
                    setattr(new, name, mark)
            result.append(new)
        else:
            result.append(with_blocks(s, lambda block: _stored(block, first, simplifier)))
    return result
