"""Values that a recursion is called with and returns: which are alike, which have memory, which fit."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.known_calls import parameter_names
from s2sad.core import Facts, Stmt, atom_key, walk
from s2sad.core import form as tree_form
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Number, Unknown
from s2sad.normal.calls.functions import CoreFunction, Parameter, Passed, Slot, form, shape_of
from s2sad.normal.values.abstract import Closure, Known, Leaf, Ref, Tup, Value


def is_users(function: Closure) -> bool:
    """Is it a function of the user's, and not one of this library's, or what stands for a comprehension?"""
    return not getattr(function.source, "library", False) and function.source.tree.name != "comprehension"


def users_own(function: Closure) -> Any:
    """The function of the user's module that a value stands for, where its parameters are plain ones."""
    own, tree = function.function, function.source.tree
    if not isinstance(own, types.FunctionType) or function.frame is not None or own.__name__ != own.__qualname__:
        return None
    plain = tree.args.vararg is None and tree.args.kwarg is None and own.__name__ == tree.name
    return own if plain else None


def may_share(body: list[Stmt], facts: Facts, names: Iterable[str], others: set[str]) -> bool:
    """May some names be arrays, or views of arrays, that others hold when statements have run?"""
    effects = Effects(facts)
    summaries = [effects.of(s) for top in body for s in nested(top)]
    direct = bases_of(summaries, effects, sorted(others))[1]
    return any(direct.get(name, frozenset()) & others for name in names)


def name_of_memory(value: Value) -> str:
    """The name of an array or list; nothing for what has no memory that could be changed."""
    held = isinstance(value, Leaf) and has_memory(value.kind) and not isinstance(value.expr, gast.Constant)
    return atom_key(value.expr) if held and isinstance(value, Leaf) else ""


def ints_that_differ(new: list[Parameter], old: list[Parameter]) -> frozenset[int]:
    """The positions of known ints that are the only difference between the arguments of two calls."""
    pairs = list(enumerate(zip(new, old, strict=True)))
    known = ((i, known_int(p), known_int(q)) for i, (p, q) in pairs)
    differ = frozenset(i for i, a, b in known if a is not None and b is not None and a != b)
    rest = [[r for i, r in enumerate(parameters) if i not in differ] for parameters in (new, old)]
    return differ if fits(*rest) else frozenset()


def known_int(p: Parameter) -> int | None:
    """The int that an argument is known to be, be it a constant or computed from known ones."""
    if type(p.const) is int:
        return p.const
    value = p.kind.value if isinstance(p.kind, Number) and p.kind.type is int else None
    return value.const if value is not None and value.known else None


def same_work(made: CoreFunction, near: CoreFunction) -> bool:
    """Does a function for all ints do as one for known ints does: the run decides no more, and results have the same
    kinds?"""

    def kinds(function: CoreFunction) -> Any:
        known = [p for p in function.results if not isinstance(p.kind, Number) or p.varied]
        return shape_of([Parameter("", p.kind, p.varied) for p in known])

    return decided_by_run(made) <= decided_by_run(near) and kinds(made) == kinds(near)


def decided_by_run(function: CoreFunction) -> int:
    """How often the run decides what is computed: by branches, exponents and axes."""
    total, kinds = 0, function.core.facts.kinds

    def is_int(node: Any) -> bool:
        kind = kinds.get(node.id) if isinstance(node, gast.Name) else None
        return isinstance(kind, Number) and issubclass(kind.type, int)

    for node in (n for statement in function.core.body for n in walk(statement)):
        if isinstance(node, (gast.If, gast.IfExp, gast.Raise)):
            total += 1
        elif isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
            total += is_int(node.right)
        elif isinstance(node, gast.Call):
            names = parameter_names(getattr(np, getattr(node.func, "attr", ""), None))
            given = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
            total += any(name in ("axis", "axes") and is_int(value) for name, value in given)
    return total


def is_same(one: CoreFunction, other: CoreFunction) -> bool:
    """Are two functions the same, because what is known of their arguments makes no difference?"""

    def told(function: CoreFunction) -> Any:
        names = [(p.name, p.varied) for p in function.passed]
        assert function.result is not None
        results = form(function.result), shape_of([*function.passed, *function.results]), function.effect
        return names, results, function.overwrites, tree_form(function.core.body), tree_form(function.core.value)

    return one.result is not None and other.result is not None and told(one) == told(other)


def leaves_of(results: list[Parameter], leaves: Iterable[Leaf]) -> list[Leaf | None]:
    """The run-time values of a result, None in the place of those that are known."""
    left = iter(leaves)
    return [next(left) if p.passed else None for p in results]


def has_memory(kind: Kind) -> bool:
    return isinstance(kind, (Array, ListOf, Unknown))


def is_plain_kind(kind: Kind) -> bool:
    """Is it an array of known rank or a number, of one type on all paths?"""
    if isinstance(kind, Array):
        return kind.shape is not None and not kind.mixed
    return isinstance(kind, Number) and len(kind.of_types()) == 1


def is_plain_result(value: Value) -> bool:
    """Is it made of numbers, arrays and what is known, in tuples and containers, whichever path is taken?"""
    if isinstance(value, Tup):
        return all(map(is_plain_result, value.items))
    return isinstance(value, (Slot, Known, Ref, Passed))


def constant_leaf(p: Parameter) -> Value:
    if isinstance(p.const, bool):
        return Known(p.const)
    return Leaf(gast.Constant(p.const, None), Number(int, Dim.of(p.const)), const=p.const)


def fits(new: list[Parameter], old: list[Parameter]) -> bool:
    """Is a function lowered for `old` right for a call with `new`, but perhaps for what is active?"""

    def plain(parameters: list[Parameter]) -> Any:
        return shape_of([Parameter(p.name, p.kind, False, p.const) for p in parameters])

    return bool(plain(new) == plain(old))


def note_lengths(parameter: Kind, given: Kind, known: dict[str, Dim]) -> None:
    """What the symbols of a parameter's kind stand for in a call."""
    pairs: list[tuple[Dim, Dim]] = []
    if isinstance(parameter, Array) and isinstance(given, Array) and parameter.shape and given.shape:
        pairs = list(zip(parameter.shape, given.shape, strict=False))
    elif isinstance(parameter, Number) and isinstance(given, Number) and parameter.value and given.value:
        pairs = [(parameter.value, given.value)]
    for mine, theirs in pairs:
        if len(mine.terms) == 1 and mine.terms[0][1] == 1 and not mine.const:
            known.setdefault(mine.terms[0][0], theirs)
