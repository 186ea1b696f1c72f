"""Whose memory a value may share, and what becomes active when active values are stored there."""

from __future__ import annotations

import itertools
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import Calls as CallTable
from s2sad.core import Expr, Facts, atom_key, children
from s2sad.frontend import ways
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Number, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.normal.above import conflict, evaluate, expression, flat_places, hold, index_value, subscript
from s2sad.normal.decisions import Restart
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Conflict, Known, Leaf, Maybe, Unbound, Value, with_parts
from s2sad.normal.values.facts import is_varied, kind_of


def leaf_of(run: Run, value: Value) -> Leaf:
    """The value as a run-time value."""
    if isinstance(value, Leaf):
        return value
    if isinstance(value, Unbound):
        run.refuse("this name has no value on this path", ways.VALUE_BEFORE)
    if isinstance(value, Conflict):
        conflict(run, value)
    if isinstance(value, Maybe):
        return leaf_of(run, value.value)
    return Leaf(expression(run, value), kind_of(run, value), is_varied(run, value), nested=not isinstance(value, Known))


def changes_in_passing(run: Run) -> None:
    """Something changes while an expression is lowered whose result has no derivative: what changes may have one,
    so that functions called there have to be followed like all others."""
    passive = run.passive or run.calls.suspended
    seen = not (run.text_only or run.calls.trials or run.attempts or run.raising)
    if passive and seen and not run.decisions.in_passing:
        run.decisions.in_passing = True
        raise Restart


def stores_in_passing(run: Run) -> None:
    """Active values are stored, or something is stored into an active array. Where no derivatives are needed of an
    expression (a condition), it must not go unnoticed; the body of a try runs again."""
    changes_in_passing(run)
    if run.passive and not (run.attempts or run.calls.trials or run.text_only):
        run.refuse("active values are stored while a condition is evaluated", ways.OWN_STATEMENT)


def look_into(run: Run, expr: Expr, made: bool = False) -> None:
    """Something is stored in what a call returned, or in a part of it: it has to be known whose that is.

    `made`: and of which form, where the call has made it.
    """
    name = root_of(run, atom_key(expr)).split("[")[0].split(".")[0]
    site = run.iterators.handed_out.get(name) or (run.calls.made_by.get(name) if made else None)
    if site is not None and not run.passive and site not in run.decisions.looked_into:
        run.decisions.looked_into.add(site)
        raise Restart


def subscript_value(run: Run, base: Value, position: Value) -> Value:
    """base[position]"""
    run.state.frames[run.frame.id]["#position"] = position
    node = gast.copy_location(gast.Name("#position", gast.Load(), None, None), run.node)
    return subscript(run, base, node)


#: functions whose iterators, where the run alone follows them, see what their arguments get later
_ITERATORS = (itertools.tee, itertools.groupby)
_BUILT_IN = frozenset(("iter", "reversed", "enumerate", "zip", "map", "filter"))


def flat_array(run: Run, node: Any) -> Leaf | None:
    """The array behind `array.flat`."""
    if not isinstance(node, gast.Attribute) or node.attr != "flat":
        return None
    found = evaluate(run, node.value)
    return found if isinstance(found, Leaf) and isinstance(found.kind, Array) else None


def makes_copy(run: Run, index: Expr) -> bool:
    return copies(index, run.facts)


def of_flat(run: Run, array: Leaf, index_node: Any) -> Value:
    """`array.flat[index]` of an array whose `ravel` is a copy: of no use where the array is overwritten."""
    held = leaf_of(run, hold(run, array))
    return subscript_value(run, held, flat_places(run, held, index_value(run, index_node)))


def mark_varied(run: Run, leaf: Leaf, varied: bool) -> None:
    """What was stored makes the array, and all that share its memory, depend on the wrt arguments."""
    if varied:
        stores_in_passing(run)
    if not varied or run.passive:
        return
    if isinstance(leaf.kind, Array) and leaf.kind.mixed:
        run.refuse(
            "active values go into an array that has other numbers on other paths: ints, say, which cut them off",
            ways.FLOATS,
        )
    if isinstance(leaf.kind, Unknown):
        look_into(run, leaf.expr, made=True)  # what made it says whether it holds floats
    root = root_of(run, atom_key(leaf.expr))
    if isinstance(leaf.kind, Unknown) and run.lists.may_be_lists & {root, atom_key(leaf.expr)}:
        run.refuse(
            "active values go into what may be a list or an array: only the run knows",
            ways.ARRAY,
        )
    if run.memory.in_objects & {root, atom_key(leaf.expr)}:
        run.refuse(
            "active values go into an array that an object of a library holds",
            ways.COPY,
        )
    if isinstance(leaf.kind, Unknown) and root in run.memory.of_unknown_form and root not in run.calls.made_by:
        run.refuse(
            "active values go into what may be an array of ints, which cuts them off",
            ways.FLOATS,
        )
    for slot, value in run.state.slots().items():
        new = with_variation(run, value, root)
        if new is not value:
            put_as_it_was(run, slot, new)
    run.facts.varied.add(atom_key(leaf.expr))
    run.facts.varied.add(root)
    for key in run.alias:  # views that stand in no variable: those between a view of a view and its base
        kind = run.facts.kinds.get(key, Unknown())
        if key not in run.facts.varied and root_of(run, key) == root and is_float_kind(kind):
            run.facts.varied.add(key)


def root_of(run: Run, key: str) -> str:
    """The name whose memory a name shares in the end."""
    while key in run.alias:
        key = run.alias[key]
    return key


def with_variation(run: Run, value: Value, root: str) -> Value:
    """The value, where it shares memory with `root`, as one that depends on the wrt arguments."""
    if not isinstance(value, Leaf):
        return with_parts(value, lambda v: with_variation(run, v, root))
    if value.varied or isinstance(value.expr, gast.Constant):
        return value
    if root_of(run, atom_key(value.expr)) != root or not is_float_kind(value.kind):
        return value
    run.facts.varied.add(atom_key(value.expr))
    return Leaf(value.expr, value.kind, True, value.const)


def put_as_it_was(run: Run, slot: Any, value: Value) -> None:
    """Put a value that is the same at run time: containers keep the expression that reads them."""
    expr = run.state.heap[slot[1]].expr if slot[0] == "heap" else None
    run.state.put(slot, value)
    if slot[0] == "heap":
        run.state.heap[slot[1]].expr = expr


def memory_root(run: Run, expr: Expr) -> str | None:
    """The name whose memory the value of an expression may share."""
    if isinstance(expr, gast.Name):
        name: str = expr.id
        return None if isinstance(run.facts.kinds.get(name), Number) else run.alias.get(name, name)
    if isinstance(expr, gast.Subscript):
        key = atom_key(expr)
        if key in run.facts.kinds:
            return run.alias.get(key, key)
        return None if copies(expr.slice, run.facts) else memory_root(run, expr.value)
    if isinstance(expr, gast.Attribute):
        key = atom_key(expr)
        if key in run.facts.kinds:
            return run.alias.get(key, key)
        shares = expr.attr in ("T", "real", "flat", "mT") or (expr.attr == "imag" and not is_real(run, expr.value))
        return memory_root(run, expr.value) if shares else None
    if isinstance(expr, (gast.Tuple, gast.List)):
        return next((root for root in (memory_root(run, v) for v in expr.elts) if root is not None), None)
    if isinstance(expr, gast.Call):
        return next((root for root in memory_roots(run, expr) if root is not None), None)
    return None


def memory_roots(run: Run, call: Expr) -> list[str | None]:
    """For each argument whose memory the result of a call may share: the name whose memory that is."""
    known, is_method = CallTable(run.facts).of(call)
    target = resolve(run, call.func)
    iterates = target is None and isinstance(call.func, gast.Name) and call.func.id in _BUILT_IN
    if iterates or any(target is maker for maker in _ITERATORS):
        return [memory_root(run, a) for a in call.args]
    if not is_method and known.shares != "nothing":
        if target is np.imag and call.args and is_real(run, call.args[0]):
            return []
        if target is np.diag and call.args:
            of = infer(call.args[0], run.facts)
            if isinstance(of, Array) and of.shape is not None and len(of.shape) == 1:
                return []  # of a matrix, it is a view; of a vector, a new matrix
        declared = registry.view_of(target) if target is not None else None
        if declared is not None:
            return [memory_root(run, a) for a in call.args[declared : declared + 1]]
        if not (getattr(target, "__module__", None) or "").startswith("numpy"):
            return []  # its rule would say so
    if known.shares == "nothing" or known.effect != "none":
        return []
    if is_method and isinstance(run.facts.kinds.get(atom_key(call.func.value)), ListOf):
        return []  # items of lists: see check_not_of_list
    given = [call.func.value] if is_method else call.args
    return [memory_root(run, a) for a in (given[:1] if known.shares == "first" else given)]


def is_real(run: Run, expr: Expr) -> bool:
    """Is it an array of reals? What NumPy gives as the imaginary part of it are zeros of their own."""
    kind = infer(expr, run.facts)
    return isinstance(kind, Array) and kind.dtype.kind in "fiub"


def resolve(run: Run, func: Expr) -> Any:
    if isinstance(func, gast.Name):
        return run.facts.globals.get(func.id)
    if isinstance(func, gast.Attribute):
        owner = resolve(run, func.value)
        return getattr(owner, func.attr, None) if owner is not None else None
    return None


def may_be_list(run: Run, value: Expr) -> bool:
    """May the value of an expression, of which nothing is known, be a list, or another container but an array?"""
    if isinstance(value, gast.Name):
        return value.id in run.lists.may_be_lists or isinstance(run.facts.kinds.get(value.id), (ListOf, ListKind))
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        kind = run.facts.kinds.get(atom_key(value.value), Unknown())
        return may_be_list(run, value.value) if type(kind) is Unknown else not isinstance(kind, Array)
    if isinstance(value, gast.Call):
        function = resolve(run, value.func)
        if (getattr(function, "__module__", None) or "").split(".")[0] in ("numpy", "scipy", "s2sad"):
            return False
        owner = value.func.value if isinstance(value.func, gast.Attribute) else None
        of_module = owner is None or (isinstance(owner, gast.Name) and owner.id not in run.facts.kinds)
        return of_module or may_be_list(run, owner)
    if isinstance(value, (gast.IfExp, gast.BoolOp, gast.BinOp)):
        return any(may_be_list(run, v) for v in children(value))
    return not isinstance(value, (gast.Constant, gast.UnaryOp, gast.Compare))


def is_list_item(run: Run, value: Expr) -> bool:
    """Is it an item of a run-time list? Storing into the list does not change its items."""
    return isinstance(value, gast.Subscript) and isinstance(run.facts.kinds.get(atom_key(value.value)), ListOf)


def copies(index: Expr, facts: Facts) -> bool:
    """Does indexing with this make a copy for certain (an index array, a mask, a list among the parts)?"""
    for part in index.elts if isinstance(index, gast.Tuple) else [index]:
        if isinstance(part, (gast.List, gast.Compare)):
            return True
        if isinstance(part, (gast.Slice, gast.Constant)):
            continue
        kind = facts.kinds.get(part.id) if isinstance(part, gast.Name) else infer(part, facts)
        if isinstance(kind, Array) and (kind.shape != () or kind.dtype.kind == "b"):
            return True
        if isinstance(kind, ListOf) or (isinstance(kind, Number) and issubclass(kind.type, (bool, np.bool_))):
            return True
        if isinstance(kind, TupleKind) and any(isinstance(k, Array) and k.shape != () for k in kind.items):
            return True
    return False
