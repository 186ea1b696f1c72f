"""Lists of statements, and branches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.core import Stmt, load, walk
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Number
from s2sad.normal import above
from s2sad.normal.calls.call import what_is_called
from s2sad.normal.calls.ends import apart
from s2sad.normal.calls.functions import Diverges, NotYet
from s2sad.normal.decisions import Restart
from s2sad.normal.desugar.jumps import (
    GuardFirst,
    branch_of,
    called_before,
    ends_with_jump,
    guard_first,
    has_jump,
    invented,
    is_long,
    once_for,
)
from s2sad.normal.desugar.patterns import match_to_if
from s2sad.normal.expressions.atoms import evaluate, truth_test
from s2sad.normal.expressions.choices import known_truth
from s2sad.normal.frames import Frame, Standing
from s2sad.normal.handlers import LOWERED_BY, lowers
from s2sad.normal.joining import join
from s2sad.normal.names import assign_name
from s2sad.normal.run import Attempt, Run
from s2sad.normal.statements.assign import assign
from s2sad.normal.statements.contexts import Leaves, NextTurn
from s2sad.normal.statements.loops import loop_statement
from s2sad.normal.statements.tries import is_lost, made, raises_here, trials_are, trials_changed, try_statement
from s2sad.normal.statements.turns import next_turn_statement
from s2sad.normal.statements.withs import with_statement
from s2sad.normal.values.abstract import Choice, Closure, Known, Leaf, Maybe, Method, State, Tup, Value, is_it, is_none
from s2sad.normal.values.classes import find_frame
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import tuple_of
from s2sad.normal.writing import write


def statements(run: Run, body: list[Any]) -> bool:
    for k, statement in enumerate(body):
        rest = body[k + 1 :]
        if isinstance(statement, NextTurn):
            return next_turn_statement(run, statement)
        run.set_origin(statement)
        here = run.state, run.block, run.returns, len(run.returns)
        level = run.branches, len(run.turns.turning)
        outer, run.names.begun = run.names.begun, (run.block, len(run.block))
        run.speculation.standing.append(Standing(statement, run.frame))
        try:
            outcome = lower_statement(run, statement, rest)
        except Restart:
            run.note_place()
            raise
        except DerivationError as error:
            if not raises_here(run, error, level):
                raise
            run.state, run.block, run.returns, returns = here
            del run.returns[returns:], run.turns.turning[level[1] :]
            run.branches = level[0]
            assert error.remedy.raises is not None
            write(run, gast.Raise(made(run, error.remedy.raises), None))
            return False
        finally:
            run.names.begun = outer
            run.speculation.standing.pop()
        if outcome is not None:
            return outcome
    return True


def lower_statement(run: Run, statement: Any, rest: list[Any]) -> bool | None:
    """None: go on behind the statement. Otherwise: does control reach the end of the rest, which is done?"""
    run.calls.nested_kinds.clear()
    if run.decisions.calls_apart and (call := call_apart(run, statement)) is not None:
        if isinstance(statement, gast.Assign) and statement.value is call and len(statement.targets) == 1:
            return paths_of_call(run, statement, rest)
        form = f"called {run.site_of_call(call)[-4:]}"
        made = once_for(statement, form, lambda: called_before(statement, call, own_names(run)))
        if made is not None:
            return lower_statements(run, [*made, *rest])
    if run.decisions.choices_apart and (made := choices_by_branches(run, statement)) is not None:
        return lower_statements(run, [*made, *rest])
    if isinstance(statement, (gast.Assign, gast.Return)) and isinstance(statement.value, gast.IfExp):
        leaves = isinstance(statement, gast.Return)
        statement.value.can_go_apart = leaves or bool(rest)
        run.speculation.behind[run.site(statement.value)] = [statement, *rest]  # (which reads it first)
        if goes_apart(run, statement.value):
            statement = once_for(statement, "apart", lambda: branch_of(statement))
    if isinstance(statement, gast.If):
        return if_statement(run, statement, rest)
    if isinstance(statement, (gast.For, gast.While)):
        return loop_statement(run, statement, rest)
    if isinstance(statement, gast.Match):
        return lower_statements(run, [*match_to_if(statement, run), *rest])
    if isinstance(statement, gast.Try):
        return try_statement(run, statement, rest)
    if isinstance(statement, gast.With):
        return with_statement(run, statement, rest)
    handler = LOWERED_BY.get(type(statement))
    if handler is None:
        words = _statement_words(statement)
        run.refuse(f"s2sad does not differentiate {words}", "write it with if, for and while")
    if getattr(statement, "finals", None):
        run.refuse("this jump out of a with or try block inside another", ways.LEAVE)
    outcome: bool | None = handler(run, statement)
    return outcome


@above.lower_statements.answer
def lower_statements(run: Run, body: list[Any]) -> bool:
    """Lower statements in order. False where control never reaches the end."""
    loops, turning, branches = len(run.loops), len(run.turns.turning), run.branches
    if not run.passive and len(body) > 1 and not isinstance(body[0], gast.Raise) and is_lost(run, body):
        falls = raised(run, body)
        if falls is not None:
            return falls
    try:
        return statements(run, body)
    except Diverges as reason:
        del run.loops[loops:], run.turns.turning[turning:]
        run.branches, run.speculation.diverged = branches, run.speculation.diverged or not isinstance(reason, NotYet)
        return False


@above.raised.answer
def raised(run: Run, body: list[Any]) -> bool | None:
    """Statements on their way to a raise carry no derivatives: calls in them stay calls. None where they cannot."""
    attempt = Attempt(run)
    path, frame, node, origin = run.call_path, run.frame, run.node, run.origin
    uncaught = all(trial.lost for trial in run.attempts)
    run.passive += 1
    run.raising += uncaught
    try:
        falls = statements(run, body)
    except (DerivationError, Diverges):
        run.call_path, run.frame, run.node, run.origin = path, frame, node, origin
        attempt.undo()
    else:
        attempt.keep()
        return falls
    finally:
        run.passive -= 1
        run.raising -= uncaught
    return None


@contextlib.contextmanager
def may_leave(run: Run, branch: list[Any]) -> Iterator[None]:
    """Note for the loop around it what a branch changes on its way out of the loop."""
    context = run.loops[-1] if run.loops else None
    jump = branch[-1] if branch else None
    leaves = isinstance(jump, gast.Break) or (
        isinstance(jump, gast.Return) and context is not None and context.frame == run.frame.id
    )
    if context is None or not leaves:
        yield
        return
    before = run.marks()
    turns = len(context.continues), len(context.ends)
    yield
    if turns == (len(context.continues), len(context.ends)):
        ends = [(changes, start, len(changes)) for changes, start in zip(run.changes, before, strict=True)]
        context.leaving.extend(ends)


@lowers(gast.If)
def if_statement(run: Run, node: Any, rest: list[Any]) -> bool | None:
    """None: go on behind the if. Otherwise the rest has been lowered into the branches."""
    site = run.site(getattr(node, "choice", node))
    run.speculation.behind[site] = rest
    apart = run.decisions.apart.get(site, 0) if rest else 0
    if not apart:
        return branch(run, node, rest, site)
    near, far = rest[:apart], rest[apart:]
    paths = (body if ends_with_jump(body) else [*body, *near] for body in (node.body, node.orelse))
    falls = branch(run, gast.copy_location(gast.If(node.test, *paths), node), far, site)
    return falls if falls is not None else lower_statements(run, far)


def branch(run: Run, node: Any, rest: list[Any], site: Any) -> bool | None:
    """As `if_statement`, where the paths meet behind the branch."""
    test = truth_test(run, node.test)
    known = known_truth(run, test)
    if known is not None:
        chosen = node.body if known else node.orelse
        if not chosen:
            return None
        return lower_statements(run, [*chosen, *rest])
    condition = expression(run, test)
    origin = run.origin
    jumps = has_jump(node.body) or has_jump(node.orelse)
    guarded = behind_its_guard(run, node, test) if jumps and is_long(rest) else None
    if guarded is not None:
        return lower_statements(run, [*guarded, *rest])
    follow = rest if jumps else []
    outer = run.block
    before = run.state
    ends = []
    run.branches += 1
    absent = tuple_tested(run, node.test)
    changed = [trials_changed(run)]
    for branch in (node.body, node.orelse):
        trials_are(run, changed[:1])  # what one branch changes is as it was in the other
        written: list[Stmt] = []
        run.state, run.block = before.fork(), written
        if absent is not None and (branch is node.orelse) == absent[1]:
            is_there(run, absent[0])
        with may_leave(run, branch):
            falls = lower_statements(run, [*branch, *follow])
        ends.append((falls, run.state, run.block, written))
        changed.append(trials_changed(run))
    trials_are(run, changed[:1])
    run.branches -= 1
    run.block = outer
    falling = [(s, b) for f, s, b, _ in ends if f]
    run.origin = origin
    if jumps and len(falling) == 2:
        # Some path jumps past whatever would stand behind the branch: each side that goes on is an end of its own.
        for state, block in falling:
            ends_here(run, state, block)
        falling = []
    if falling:
        run.state = join(run, falling, site if rest else None)
        run.state.begun = before.begun
    write(run, gast.If(condition, ends[0][3], ends[1][3]))
    trials_are(run, changed)
    if jumps and len(falling) == 1:
        run.block = falling[0][1]  # what is left of this turn ends where the one branch that goes on ends
    if jumps:
        return bool(falling)
    return None if falling else False


def behind_its_guard(run: Run, node: Any, test: Value) -> list[Any] | None:
    """A branch behind the guard that it begins with, where its tests may be made again: numbers are compared, or
    its own test has given a number, which gets a name."""
    made: GuardFirst | None = once_for(node, "guard", lambda: guard_first(node))
    if made is None or not all(compares_numbers(run, v) for v in made.again[1:]):
        return None
    inner = made.statements[0].test.values[1:]
    may_rebind = any(isinstance(part, (gast.Call, gast.NamedExpr)) for other in inner for part in walk(other))
    if may_rebind and len(made.again) > 1:
        return None
    if compares_numbers(run, node.test) and not may_rebind:
        return made.statements
    identity = any(isinstance(part, (gast.Is, gast.IsNot)) for part in walk(node.test))  # (tells the branches more)
    if identity or not (isinstance(test, Leaf) and isinstance(test.kind, Number)):
        return None
    kept = invented("test", node)
    assign_name(run, kept, test)
    named = gast.copy_location(gast.If(load(kept), node.body, node.orelse), node)
    behind = once_for(node, "guard by name", lambda: guard_first(named))
    return None if behind is None else list(behind.statements)


def call_apart(run: Run, statement: Any) -> Any:
    """The first call in a statement, but for its blocks, whose paths are followed apart."""
    for part in gast.iter_child_nodes(statement):
        for node in walk(part) if isinstance(part, gast.expr) else ():
            if isinstance(node, gast.Call) and run.site_of_call(node) in run.decisions.calls_apart:
                return node
    return None


def choices_by_branches(run: Run, statement: Any) -> list[Any] | None:
    """A statement with the choices in it as branches that have to be followed apart; None where there are none.

    x = (m and m[0]) * w         part = m
                            ->   if part: part = m[0]
                                 x = part * w
    """
    branch = isinstance(statement, gast.If)
    if not branch and any(isinstance(getattr(statement, block, None), list) for block in ("body", "cases")):
        return None
    choices = [n for n in walk(statement.test if branch else statement) if isinstance(n, (gast.IfExp, gast.BoolOp))]
    told = {id(n): n for n in choices if run.site_of_call(n) in run.decisions.choices_apart}
    if not told:
        return None

    def parts() -> list[Any] | None:
        if not branch:
            return apart(statement, lambda n: id(n) in told)
        kept = invented("test", statement)
        first = gast.Assign([gast.Name(kept, gast.Store(), None, None)], statement.test, None)
        made = apart(gast.copy_location(first, statement), lambda n: id(n) in told)
        named = gast.copy_location(gast.If(load(kept), statement.body, statement.orelse), statement)
        return None if made is None else [*made, named]

    made = once_for(statement, f"choices {sorted(run.site_of_call(n)[-5:] for n in told.values())}", parts)
    return None if made is None else list(made)


def own_names(run: Run) -> set[str]:
    """The variables of the function that no other function rebinds."""
    inner = (n for n in walk(run.frame.source.tree) if isinstance(n, gast.Nonlocal))
    return run.frame.bound - {name for n in inner for name in n.names} - run.frame.nonlocals


def paths_of_call(run: Run, node: Any, rest: list[Any]) -> bool | None:
    """As `if_statement`, for `e = made(p)` where the function returns something of another form on each path.

    e = made(p)              if p > 0: e = A(p); y = e.f(x)
    y = e.f(x)          ->   else: e = [p]; y = e[0]
    return y * y             return y * y
    """
    site, outer = run.site_of_call(node.value), run.block
    run.speculation.behind[site] = rest
    far = run.decisions.apart.get(site, 0) if rest else 0
    near, far_off = rest[:far], rest[far:]
    if has_jump(near):
        near, far_off = rest, []
    waiting, run.calls.leaving = run.calls.leaving, (run.frame, node.value, what_is_called(run, node.value.func))
    try:
        leaves = [(run.state, run.block, evaluate(run, node.value))]
    except Leaves as found:
        leaves = found.leaves
    finally:
        run.calls.leaving = waiting
    ends = []
    run.branches += 1
    for run.state, run.block, value in leaves:
        run.names.begun = (run.block, len(run.block))
        assign(run, node.targets[0], value)
        if lower_statements(run, near):
            ends.append((run.state, run.block))
    run.branches -= 1
    run.block = outer
    if has_jump(near) and len(ends) > 1:
        for state, block in ends:
            ends_here(run, state, block)
        return False
    if not ends:
        return False
    run.state = join(run, ends, site if rest else None)
    if has_jump(near):
        run.block = ends[0][1]
    return lower_statements(run, far_off) if far_off or near else None


def called_there(run: Run, frame: Frame) -> bool:
    """Is it the frame of the call whose paths are followed apart? What it returns is what the call gives."""
    if (
        run.calls.leaving is None
        or frame.caller is not run.calls.leaving[0]
        or frame.call_node is not run.calls.leaving[1]
    ):
        return False
    called = run.calls.leaving[2]
    called = called.function if isinstance(called, Method) else called
    if isinstance(called, Closure):
        return called.source.tree is frame.source.tree
    return is_it(called, frame.function.function)


def compares_numbers(run: Run, test: Any) -> bool:
    """Does a test compare numbers that have names, so that it may be made again?"""
    plain = (gast.Name, gast.Constant, gast.Compare, gast.UnaryOp, gast.expr_context, gast.cmpop, gast.unaryop)
    parts = list(walk(test))
    if not all(isinstance(part, plain) for part in parts):
        return False
    names = [part.id for part in parts if isinstance(part, gast.Name)]
    owners = (find_frame(run, v) for v in names)
    held = [run.state.frames[o].get(n) if o is not None else None for n, o in zip(names, owners, strict=True)]
    return all(isinstance(v, Leaf) and isinstance(v.kind, Number) for v in held)


def goes_apart(run: Run, node: Any) -> bool:
    """Is what comes after a choice written out for each of its paths, up to where they meet again?

    m = A() if c else B()        if c: m = A(); y = m.f(x)
    y = m.f(x)             ->    else: m = B(); y = m.f(x)
    return y * y                 return y * y
    """
    return run.site(node) in run.decisions.apart


def tuple_tested(run: Run, test: Any) -> tuple[str, bool] | None:
    """What may be None (a tuple, a function), where a test asks: its name; is it None where the test holds?"""
    name, none = test, False
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        name, none = test.operand, True
    elif isinstance(test, gast.Compare) and isinstance(test.ops[0], (gast.Is, gast.IsNot)) and len(test.ops) == 1:
        if getattr(test.comparators[0], "value", test) is not None:
            return None
        name, none = test.left, isinstance(test.ops[0], gast.Is)
    held = run.state.frames.get(run.frame.id, {}).get(name.id) if isinstance(name, gast.Name) else None
    perhaps = isinstance(held, Maybe) and isinstance(held.value, Tup)
    return (name.id, none) if perhaps or (isinstance(held, Choice) and is_none(held.first)) else None


def is_there(run: Run, name: str) -> None:
    """A tuple, or a function, that may be None is one in this branch."""
    held = run.state.frames[run.frame.id]
    value = held[name]
    held[name] = value.second if isinstance(value, Choice) else tuple_of(value)


def ends_here(run: Run, state: State, block: list[Stmt]) -> None:
    """A path that reaches the end of the loop's body, or of the function, inside a branch."""
    for context in reversed(run.loops):
        if context.turns is None:
            context.continues.append((state, block))
            return
    run.returns.append((state, block, Known(None)))


def _statement_words(node: Any) -> str:
    names = {"Try": "try statements", "AsyncFor": "async loops", "AsyncWith": "async with"}
    return names.get(type(node).__name__, f"{type(node).__name__} statements")
