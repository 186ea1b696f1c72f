"""return, break, continue, assert and raise."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.normal.above import lower_statements
from s2sad.normal.calls.functions import Diverges
from s2sad.normal.expressions.atoms import evaluate, passively, truth_test
from s2sad.normal.expressions.choices import known_truth
from s2sad.normal.handlers import lowers
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.tries import jumps_away
from s2sad.normal.values.abstract import Known, Value
from s2sad.normal.values.classes import static
from s2sad.normal.values.making import expression
from s2sad.normal.writing import write


@lowers(gast.Return)
def return_statement(run: Run, node: Any) -> bool:
    if node.value is not None:
        node.value.handed_on = True
    value = evaluate(run, node.value) if node.value is not None else Known(None)
    jumps_away(run)
    return leave(run, value)


def leave(run: Run, value: Value) -> bool:
    """Return a value from the function being lowered, out of any loops."""
    value = hold(run, value, "result")
    running = [c for c in run.loops if c.node is None]
    if running:
        variables = run.state.frames[run.frame.id]
        variables["#result"], variables["#returned"] = value, Known(True)
        context = running[-1]
        context.returned = True
        context.breaks.append((run.state, run.block))
    else:
        run.returns.append((run.state, run.block, value))
    return False


@lowers(gast.Break)
def break_statement(run: Run, node: Any) -> bool:
    jumps_away(run)
    if not run.loops:  # out of the body of a try that is lowered for its exceptions alone
        return False
    context = run.loops[-1]
    if context.node is not None and context.follow:
        run.loops.pop()
        try:
            return lower_statements(run, context.rest)
        finally:
            run.loops.append(context)
    context.plain_breaks += 1
    context.breaks.append((run.state, run.block))
    return False


@lowers(gast.Assert)
def assert_statement(run: Run, node: Any) -> None:
    test = truth_test(run, node.test)
    if known_truth(run, test) is True:
        return
    if node.msg is None:
        write(run, gast.Assert(expression(run, test), None))
        return
    # the message is made only where the test fails
    outer, before = run.block, run.state
    run.block, run.state = [], before.fork()
    run.branches += 1
    try:
        message = expression(run, passively(run, node.msg))
    except Diverges:
        message = None
    finally:
        run.branches -= 1
        made, run.block, run.state = run.block, outer, before
    if made:
        made.append(gast.Assert(gast.Constant(False, None), message))
        write(run, gast.If(gast.UnaryOp(gast.Not(), expression(run, test)), made, []))
    else:
        write(run, gast.Assert(expression(run, test), message))


@lowers(gast.Raise)
def raise_statement(run: Run, node: Any) -> bool:
    if getattr(run.frame.source, "library", False) and _is_refusal(node.exc):
        words = [str(static(evaluate(run, a))) for a in node.exc.args]  # a definition says what it leaves out
        run.refuse(words[0], words[1] if len(words) > 1 else "")
    exc = None if node.exc is None else expression(run, passively(run, node.exc))
    cause = None if node.cause is None else expression(run, passively(run, node.cause))
    write(run, gast.Raise(exc, cause))
    return False


def _is_refusal(raised: Any) -> bool:
    """`NoDerivative(...)`, which templates raise."""
    return isinstance(raised, gast.Call) and isinstance(raised.func, gast.Name) and raised.func.id == "NoDerivative"
