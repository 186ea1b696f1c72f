"""An operation on arrays and numbers: one core expression."""

from __future__ import annotations

import difflib
import operator
import sys
import types
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, clone, text, walk, walk_names
from s2sad.frontend import ways
from s2sad.kinds.bind import is_plain_class
from s2sad.kinds.kind import Array, ListOf, Number, Object, Unknown
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.labelled import is_labelled
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.knowledge.names import public_name
from s2sad.normal import above
from s2sad.normal.changing import followed
from s2sad.normal.expressions.atoms import nested
from s2sad.normal.expressions.attributes import check_exception, check_stand_in
from s2sad.normal.memory import leaf_of
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Instance, Known, Leaf, ListObj, Ref, Tup, Value
from s2sad.normal.values.classes import static
from s2sad.normal.values.facts import infer_binary, infer_kind, is_varied, kind_of
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import is_plain_arithmetic
from s2sad.normal.words import IN_ORDER
from s2sad.normal.writing import anchor, check_not_read_back, define, given_on
from s2sad.uncovered import INSTEAD, reason_of


def check_order(run: Run, array: Value) -> None:
    """Refuse the elements of an active array as they lie in memory: its derivatives may lie otherwise."""
    kind = kind_of(run, array)
    one = isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape is not None and len(kind.shape) < 2)
    if is_varied(run, array) and not one:
        run.refuse('with order="K" or "A" the elements come as they lie in memory', 'give order="C"')


@above.operation.answer
def operation(
    run: Run,
    target: Any,
    build: Any,
    args: list[Value],
    kwargs: dict[str, Value] | None = None,
) -> Leaf:
    """One application of a primitive: `build(argument expressions, keyword expressions)` makes its node.

    Nothing varied, or a result that cannot carry a derivative: the expression stays nested. Otherwise the
    operands become atoms and the operation a statement of its own.
    """
    kwargs = kwargs or {}
    varied = any(is_varied(run, v) for v in args) or any(is_varied(run, v) for v in kwargs.values())
    if varied:
        rule = registry.lookup(target) if target is not operator.getitem else True
        varied = not getattr(rule, "zero", False)
        if varied and not run.passive:
            for value in [*args, *kwargs.values()]:
                check_class(run, value)
                check_exception(run, value)
            if target in IN_ORDER and any(static(v) in ("K", "A") for v in (*args[1:], *kwargs.values())):
                check_order(run, args[0] if args else kwargs["a"])
            atoms = [operand(run, v) for v in args]
            named = {k: operand(run, v) for k, v in kwargs.items()}
            node = build([clone(a) for a in atoms], {k: clone(v) for k, v in named.items()})
            kind = infer_kind(run, node)
            if is_float_kind(kind):
                if rule is None:
                    run.refuse(*no_rule(run, target))
                leaf = define(run, "t", node, kind, varied=True)
                statement = run.block[-1]
                statement.apply = (target, atoms, named)
                return leaf
            return define(run, "t", node, kind) if registry.has_effect(target) else Leaf(node, kind, nested=True)
    node = build([expression(run, v) for v in args], {k: expression(run, v) for k, v in kwargs.items()})
    if registry.has_effect(target) and not run.text_only:
        return define(run, "t", node, infer_kind(run, node))
    as_it_is = type(node) is gast.BinOp and len(args) == 2 and not run.calls.shown_whole
    made = nested(run, node, varied, infer_binary(run, node, *args) if as_it_is else None)
    check_not_read_back(run, node, made.kind)
    return made


def check_class(run: Run, value: Value) -> None:
    """Rules are for arrays as NumPy has them: `m * x` of an np.matrix is another product."""
    cls = value.cls if isinstance(value, Known) else None
    if isinstance(value, Leaf) and isinstance(value.kind, Object):
        cls = value.kind.cls
    check_labels(run, value)
    if cls is not None and issubclass(cls, np.ndarray) and not is_plain_class(cls):
        run.refuse(f"an array of the class {cls.__name__}", "make it a plain array with np.asarray(...)")


def check_labels(run: Run, value: Value) -> None:
    """Refuse that a table or a series meets an active value."""
    cls = type(value.value) if isinstance(value, Known) else None
    if isinstance(value, Leaf) and isinstance(value.kind, Object):
        cls = value.kind.cls
    if cls is None or not is_labelled(cls):
        return
    expr = value.expr if isinstance(value, Leaf | Known) else None
    names = {n.id for n in walk_names(run.frame.source.tree)}
    own = expr is not None and all(n.id in names for n in walk_names(expr))
    shown = text(expr) if own else "..."
    run.refuse(
        f"what pandas and the like give goes by labels, so that no rule of an array holds where a {cls.__name__} "
        "meets an active value",
        f"make it a plain array, np.asarray({shown}), or a number, float({shown})",
    )


def no_rule(run: Run, target: Any) -> tuple[str, str]:
    name = getattr(target, "__name__", str(target))
    module = getattr(target, "__module__", "") or ""
    public = module.split(".")[0] in ("numpy", "scipy") or isinstance(target, np.ufunc)
    name = getattr(target, "__qualname__", name) if isinstance(target, types.FunctionType) else name
    full = public_name(target) if public else f"{module}.{name}".lstrip(".")
    if module in ("fractions", "decimal"):
        return f"{full} computes with exact numbers, which have no derivative", "compute with floats"
    instead = next((way for own, way in INSTEAD.items() if full == own or full.startswith(f"{own}.")), None)
    if instead is not None:
        return f"{full} has no derivative rule", instead
    reason = reason_of(full)
    if reason:
        return (
            f"{full} has no derivative ({reason})",
            "give it s2sad.stop_gradient(...) of what is active, or call it outside of the function",
        )
    near = nearest_with_a_rule(run, full)
    return (
        f"{full} has neither a derivative rule nor Python source that could be differentiated"
        + (f"; the nearest that has one is {near}" if near else ""),
        ways.RULE,
    )


def nearest_with_a_rule(run: Run, full: str) -> str:
    """The function with a rule that may have been meant: of almost the same name, whatever module it is in."""
    package, own = full.partition(".")[0], full.rpartition(".")[2].strip("_")
    place, of_class = full.rpartition(".")[0], ""
    if place.startswith("scipy.stats.") and place not in sys.modules:  # a method of a distribution: of which one?
        own, of_class = place.rpartition(".")[2], own
    names: dict[str, list[str]] = {}
    for rule in registry.listed():
        where, _, name = rule.name.rpartition(".")
        if not of_class or name == of_class:
            names.setdefault(where.rpartition(".")[2] if of_class else name, []).append(rule.name)
    close = difflib.get_close_matches(own, names, n=1, cutoff=0.8)
    found = sorted(names[close[0]], key=lambda name: (name.partition(".")[0] != package, name)) if close else []
    return found[0] if found else ""


@above.operand.answer
def operand(run: Run, value: Value) -> Expr:
    """An operand of an active operation: an atom, or a display of atoms."""
    if isinstance(value, Tup) and value.cls is tuple:
        return gast.Tuple([operand(run, v) for v in value.items], gast.Load())
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, ListObj):
            return gast.List([operand(run, v) for v in obj.items], gast.Load())
        if isinstance(obj, Instance) and is_varied(run, value):
            check_stand_in(run, obj.cls)
            run.refuse(
                f"an object of class {obj.cls.__name__} with active attributes is handed to code that is not derived",
                ways.PARTS,
            )
    leaf = leaf_of(run, value)
    if leaf.nested and isinstance(leaf.expr, (gast.UnaryOp,)) and isinstance(leaf.expr.operand, gast.Constant):
        return leaf.expr
    if leaf.nested and isinstance(leaf.number, float) and leaf.number == -np.inf:
        return leaf.expr  # a norm's order
    if leaf.nested and not leaf.varied and not is_float_kind(leaf.kind) and plain(run, leaf.expr):
        return leaf.expr
    if run.calls.made_passively and not leaf.nested:
        followed(run, leaf)
    given_on(run, leaf)
    return anchor(run, leaf).expr


def plain(run: Run, expr: Expr) -> bool:
    """Is it arithmetic on names and constants that costs next to nothing and means the same later on? The length
    of a list or a dict at run time may change."""
    lengths = [m.id for n in walk(expr) if isinstance(n, gast.Call) for m in walk_names(n.args)]
    return is_plain_arithmetic(expr) and not any(isinstance(run.facts.kinds.get(n), _MAY_GROW) for n in lengths)


#: kinds of values whose lengths may change
_MAY_GROW = (ListKind, ListOf, DictKind, Object, Unknown)
