"""Names, constants, texts, lambdas: and the way into the lowering of an expression."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr, clone
from s2sad.kinds.kind import Dim, Kind, Number, Text
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import call_value, compared_function
from s2sad.normal.decisions import Restart
from s2sad.normal.handlers import LOWERED_BY, lowers
from s2sad.normal.iteration.asking import kept_iterator
from s2sad.normal.learning import conflict
from s2sad.normal.names import hold, lookup
from s2sad.normal.run import Run, changed_since
from s2sad.normal.values.abstract import (
    NUMBER_WITHIN,
    Choice,
    Closure,
    Conflict,
    Instance,
    Known,
    Leaf,
    Maybe,
    Tup,
    Value,
    is_none,
)
from s2sad.normal.values.classes import find_method, instance_of, static
from s2sad.normal.values.facts import infer_kind
from s2sad.normal.values.making import as_made, expression, shown_value
from s2sad.normal.values.questions import alternatives, is_function
from s2sad.normal.words import NO
from s2sad.normal.writing import define


@above.evaluate.answer
def evaluate(run: Run, node: Any) -> Value:
    outer, run.node = run.node, node
    value: Value = LOWERED_BY[type(node)](run, node)
    if isinstance(value, Conflict):
        conflict(run, value)
    run.node = outer
    return value


@above.passively.answer
def passively(run: Run, node: Any) -> Value:
    """Lower something whose result carries no derivative: nothing is taken apart."""
    run.passive += 1
    try:
        return evaluate(run, node)
    finally:
        run.passive -= 1


def truth_test(run: Run, node: Any) -> Value:
    """Lower something whose truth alone counts: an object says itself whether it is true."""
    if isinstance(node, gast.BoolOp):
        node.truth_alone = True  # of its parts, too
    value = passively(run, node)
    if isinstance(value, Choice) and all(is_none(v) or is_function(v) for v in alternatives(value)):
        return compared_function(run, gast.IsNot, value, Known(None))  # all functions are true
    if isinstance(value, Maybe):
        there = gast.UnaryOp(gast.Not(), expression(run, value.none))
        if isinstance(value.value, Tup):
            return Leaf(there, Number(bool), nested=True) if value.value.items else Known(False)
        return Leaf(gast.BoolOp(gast.And(), [there, expression(run, value.value)]), Number(bool), nested=True)
    return value if instance_of(run, value) is None else own_truth(run, value)


def own_truth(run: Run, value: Value) -> Value:
    """What an object says of its truth: the object itself where it says nothing."""
    for name in ("__bool__", "__len__"):
        method = find_method(run, value, name)
        if method is not None:
            run.passive += 1
            try:
                return call_value(run, method, [], {})
            finally:
                run.passive -= 1
    return number_within(run, value)


def nested(run: Run, node: Expr, varied: bool = False, kind: Kind | None = None) -> Leaf:
    """A pure expression left as it is. Comparisons and the like are not varied even where their parts are."""
    kind = infer_kind(run, node) if kind is None else kind
    return Leaf(node, kind, varied and is_float_kind(kind), nested=True)


@lowers(gast.Name)
def name_expression(run: Run, node: Any) -> Value:
    return lookup(run, node.id)


@lowers(gast.Constant)
def constant_expression(run: Run, node: Any) -> Value:
    value = node.value
    if isinstance(value, bool) or value is None or isinstance(value, (str, bytes)) or value is Ellipsis:
        return Known(value)
    dim = Dim.of(value) if isinstance(value, int) else None
    return Leaf(gast.Constant(value, None), Number(type(value), dim), const=value)


@lowers(gast.JoinedStr)
def joined_str_expression(run: Run, node: Any) -> Value:
    run.passive += 1
    known: list[Any] = []
    site = run.site(node)
    ordered = site in run.decisions.ordered and not run.text_only
    try:
        parts: list[Any] = []
        for part in node.values:
            if isinstance(part, gast.FormattedValue):
                marks, written = run.marks(), len(run.block)
                shown = evaluate(run, part.value)
                changed = changed_since(run, marks, run.block, written)
                if changed and not ordered and any(isinstance(p, gast.FormattedValue) for p in parts):
                    run.decisions.ordered.add(site)
                    raise Restart
                plain = part.format_spec is None and part.conversion == -1 and not isinstance(shown, Tup)
                known.append(static(shown) if plain else NO)
                inner = as_made(run, shown_value(run, shown))
                spec = expression(run, evaluate(run, part.format_spec)) if part.format_spec is not None else None
                parts.append(gast.FormattedValue(inner, part.conversion, spec))
                if ordered:  # a later part changes what this one shows
                    text = define(run, "text", gast.JoinedStr([parts[-1]]), Text())
                    parts[-1] = gast.FormattedValue(text.expr, -1, None)
            else:
                known.append(getattr(part, "value", NO))
                parts.append(clone(part))
    finally:
        run.passive -= 1
    if all(isinstance(k, (str, int)) and not isinstance(k, bool) for k in known):
        return Known("".join(map(str, known)), gast.JoinedStr(parts))
    return Leaf(gast.JoinedStr(parts), Text(), nested=True)


@lowers(gast.Lambda)
def lambda_expression(run: Run, node: Any) -> Value:
    tree = getattr(node, "as_function", None)
    if tree is None:
        body = gast.copy_location(gast.Return(node.body), node.body)
        tree = gast.copy_location(gast.FunctionDef("lambda_", clone(node.args), [body], [], None, None), node)
        node.as_function = tree
    return make_closure(run, tree)


def nested_source(run: Run, tree: Any) -> Any:
    """The source of a function that is defined in the one being lowered."""
    return Nested(run.frame.source, tree)


def make_closure(run: Run, tree: Any) -> Value:
    source = nested_source(run, tree)
    args = tree.args
    defaults = tuple(kept_iterator(run, hold(run, evaluate(run, d))) for d in args.defaults)
    kw_defaults = tuple(None if d is None else hold(run, evaluate(run, d)) for d in args.kw_defaults)
    closure = Closure(source, run.frame.id, None, defaults, kw_defaults)
    run.calls.defined_in[closure] = run.block
    return closure


def number_within(run: Run, value: Value) -> Value:
    """The number that an object of a class built on float is, for what asks no more; other values as they are."""
    held = instance_of(run, value)
    return held.attributes.get(NUMBER_WITHIN, value) if isinstance(held, Instance) else value


class Nested:
    """A function defined inside another: it shares the other's file, text and globals."""

    def __init__(self, outer: Any, tree: Any) -> None:
        self.outer, self.tree = outer, tree
        self.file, self.globals, self.first_line = outer.file, outer.globals, getattr(tree, "lineno", 0)
        self.closure = outer.closure
        self.library = getattr(outer, "library", False)

    def line(self, number: int) -> str:
        return str(self.outer.line(number))

    def cell(self, name: str) -> Any:
        return self.outer.cell(name)
