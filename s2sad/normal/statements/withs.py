"""with."""

from __future__ import annotations

import builtins
import contextlib
import types
from typing import Any

import gast

from s2sad.analysis.known_calls import dotted
from s2sad.core import clone, load, walk
from s2sad.frontend import ways
from s2sad.kinds.kind import Unknown
from s2sad.normal.above import lower_statements
from s2sad.normal.calls import caches
from s2sad.normal.calls.call import arguments
from s2sad.normal.calls.dispatch import call_value, check_manager_given
from s2sad.normal.calls.passive import source_of
from s2sad.normal.calls.questions import from_library
from s2sad.normal.desugar.jumps import before_jumps, has_jump, invented, name, once_for, placed, waits
from s2sad.normal.expressions.atoms import evaluate, passively
from s2sad.normal.names import bind_name
from s2sad.normal.run import Run
from s2sad.normal.statements.trials import settled_with, suppressed
from s2sad.normal.statements.tries import called
from s2sad.normal.values.abstract import Closure, Instance, Known, Leaf, Method, Ref, Value, is_it, is_known_a
from s2sad.normal.values.classes import find_method
from s2sad.normal.values.making import expression
from s2sad.normal.writing import write


def with_statement(run: Run, node: Any, rest: list[Any]) -> bool | None:
    """None: go on behind it. Otherwise the rest has been lowered too."""
    if len(node.items) > 1:
        inner = once_for(
            node,
            "with",
            lambda: placed([gast.With(node.items[:1], [gast.With(node.items[1:], node.body, None)], None)], node),
        )
        return with_statement(run, inner[0], rest)
    item = node.items[0]
    manager_call = item.context_expr if isinstance(item.context_expr, gast.Call) else None
    called = None
    if manager_call is not None and dotted(manager_call.func) is not None:
        called = passively(run, manager_call.func)
    plain = isinstance(called, Known) and called.is_one_of(contextlib.suppress, contextlib.nullcontext)
    if plain and waits(node.body):
        return with_statement(run, settled_with(node), rest)
    if is_it(called, contextlib.suppress):
        return lower_statements(run, [*once_for(node, "suppress", lambda: suppressed(node)), *rest])
    if is_it(called, contextlib.nullcontext):
        entered = item.context_expr.args
        start = (
            [gast.Assign([item.optional_vars], entered[0], None)] if entered and item.optional_vars is not None else []
        )
        return lower_statements(run, [*once_for(node, "null", lambda: placed([*start, *node.body], node)), *rest])
    given: list[Value] = []
    if is_own_class(run, item.context_expr):
        context = evaluate(run, item.context_expr)
    elif manager_call is None:
        context = passively(run, item.context_expr)
    else:
        context, given = manager_of(run, manager_call)
    if isinstance(context, Ref) and isinstance(run.state.heap[context.id], Instance):
        return own_manager(run, node, context, rest)
    check_manager_given(run, given)
    if waits(node.body):
        node = settled_with(node)
    if has_jump(node.body):
        return jumps_out(run, node, context, rest)
    target = None
    if item.optional_vars is not None:
        if not isinstance(item.optional_vars, gast.Name):
            run.refuse("this target of a with statement", ways.NAMES)
        target_name = run.facts.fresh(item.optional_vars.id, temp=False)
        run.facts.kinds[target_name] = Unknown()
        bind_name(run, item.optional_vars.id, Leaf(load(target_name), Unknown()))
        target = gast.Name(target_name, gast.Store(), None, None)
    manager = gast.withitem(expression(run, context), target)
    outer, origin = run.block, run.origin
    run.block = []
    falls = lower_statements(run, node.body)
    inner_block, run.block = run.block, outer
    run.origin = origin
    write(run, gast.With([manager], inner_block or [gast.Pass()], None))
    return None if falls else False


def manager_of(run: Run, call: Any) -> tuple[Value, list[Value]]:
    """The context manager that a call makes, and what it is given."""
    function = passively(run, call.func)
    args, kwargs = arguments(run, call)  # (computed passively, what is active in them would not be known)
    run.passive += 1
    try:
        return call_value(run, function, args, kwargs), [*args, *kwargs.values()]
    finally:
        run.passive -= 1


def is_own_class(run: Run, node: Any) -> bool:
    """Is it a call of a class whose source is to be followed?"""
    if not isinstance(node, gast.Call) or dotted(node.func) is None:
        return isinstance(node, (gast.Name, gast.Attribute))
    function = passively(run, node.func)
    value = function.value if isinstance(function, Known) else None
    return isinstance(value, type) and value.__module__.split(".")[0] not in (
        "builtins",
        "numpy",
        "contextlib",
        "threading",
        "warnings",
    )


def jumps_out(run: Run, node: Any, context: Value, rest: list[Any]) -> bool | None:
    """`with c: A; return e`: the jump is made behind the block."""
    last = node.body[-1]
    if isinstance(last, gast.Return) and not has_jump(node.body[:-1]) and last.value is not None:

        def make() -> list[Any]:
            kept = invented("result", node)
            save = gast.copy_location(gast.Assign([name(kept, True)], last.value, None), last)
            save.end_lineno = getattr(last, "end_lineno", last.lineno)
            inside = gast.With(node.items, [*node.body[:-1], save], None)
            return placed([inside, gast.Return(name(kept))], node)

        return lower_statements(run, [*once_for(node, "return", make), *rest])
    return (
        lower_statements(run, [*node.body, *rest])
        if quiet(run, context)
        else run.refuse("a jump out of a with block", ways.LEAVE)
    )


def quiet(run: Run, context: Value) -> bool:
    """May the statements of a with block run outside of it? (Only what leaves no trace: np.errstate.)"""
    return isinstance(context, Leaf) and "errstate" in gast.dump(context.expr)


def own_manager(run: Run, node: Any, context: Ref, rest: list[Any]) -> bool | None:
    """A context manager of the user's: its methods are written out."""
    item = node.items[0]
    leaves = find_method(run, context, "__exit__")
    if may_raise_by_hand(run, node.body) and heeds_exceptions(run, leaves):
        run.refuse(
            "an exception may be raised in a with block whose __exit__ may swallow it, or has effects",
            "write it with try and except",
        )
    place = item.context_expr  # `with a, b` are two managers on one line
    key = f"#manager{place.lineno}_{place.col_offset}"
    run.state.frames[run.frame.id][key] = context

    def make() -> list[Any]:
        enter = gast.Call(gast.Attribute(name(key), "__enter__", gast.Load()), [], [])
        target = item.optional_vars
        start = gast.Assign([target], enter, None) if target is not None else gast.Expr(enter)
        none = [gast.Constant(None, None) for _ in range(3)]
        leave = gast.Expr(gast.Call(gast.Attribute(name(key), "__exit__", gast.Load()), none, []))
        body = before_jumps(node.body, placed([leave], node), invented("result", node))
        return placed([start, *body, clone(leave)], node)

    return lower_statements(run, [*once_for(node, "manager", make), *rest])


def heeds_exceptions(run: Run, leaves: Value | None) -> bool:
    """Where an exception may end a with block: is it seen afterwards that __exit__ was called?

    It may swallow the exception; and where that is caught around the block, what __exit__ does counts.
    """
    tree = tree_of(run, leaves)
    if tree is None:
        return True
    parts = [n for s in tree.body for n in walk(s)]
    given = [n.value for n in parts if isinstance(n, gast.Return) and n.value is not None]
    if not all(isinstance(v, gast.Constant) and v.value in (None, False) for v in given):
        return True
    calls = [n.func for n in parts if isinstance(n, gast.Call)]
    own = any(isinstance(f, gast.Attribute) and isinstance(f.value, gast.Name) for f in calls)
    named = any(isinstance(f, gast.Name) and not hasattr(builtins, f.id) for f in calls)
    return bool(run.attempts) and (own or named or bool(caches.overwritten(tree.body)))


def tree_of(run: Run, function: Value | None) -> Any:
    """The tree of a function of the user's, None where it has none."""
    while isinstance(function, Method):
        function = function.function
    if isinstance(function, Closure):
        return function.source.tree
    if is_known_a(function, types.FunctionType):
        return None if from_library(function.value) else source_of(run, function.value).tree
    return None


def may_raise_by_hand(run: Run, body: list[Any], depth: int = 0) -> bool:
    """Is there a raise or an assert in the statements, or in a function of the user's that is called there?"""
    for part in (n for s in body for n in walk(s)):
        if isinstance(part, (gast.Raise, gast.Assert)):
            return True
        if isinstance(part, gast.Call) and depth < 3:
            tree = tree_of(run, called(run, part.func))
            if tree is not None and may_raise_by_hand(run, tree.body, depth + 1):
                return True
    return False
