"""Statements: the user's function becomes core Python."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import enum
import importlib
import itertools
import operator
import types
import weakref
from collections import Counter
from collections.abc import Callable as Function
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.binding import begins_surely, bound_first, bound_names, turns_surely
from s2sad.analysis.calls import Calls as CallTable
from s2sad.analysis.changes import reachable
from s2sad.analysis.counts import count_check
from s2sad.analysis.memory_scan import analyse
from s2sad.core import (
    Expr,
    Facts,
    OfNodes,
    Stmt,
    atom_key,
    children,
    clone,
    copies_at_once,
    copy_statement,
    load,
    shown,
    walk,
    walk_names,
)
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, defects_at
from s2sad.kinds import dims
from s2sad.kinds.calls import call_kind
from s2sad.kinds.dims import certain_lower, is_fixed
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dim,
    Either,
    Kind,
    ListOf,
    Number,
    Object,
    Places,
    Records,
    Static,
    Text,
    Unknown,
)
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of, element_of, shape_of
from s2sad.kinds.labelled import anything_of, is_labelled
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.normal import builtins_ as _builtins  # noqa: F401  (fills the table of builtins)
from s2sad.normal import library
from s2sad.normal.base import (
    NO_RESULT,
    PATHS_APART,
    RESERVED,
    STALE,
    WRITES_TO_GLOBALS,
    Attempt,
    Changed,
    Decisions,
    Frame,
    Grows,
    Restart,
    Standing,
    descriptor_method,
    has_fields,
    has_own_operators,
    is_python_number,
    is_ruled,
    is_set,
    join_kinds,
    may_be_none,
    may_hold_list,
    none_of,
    plain_number,
    put_item,
    same_expr,
    tuple_of,
    value_of,
)
from s2sad.normal.blocks import OF_TRY, Blocks
from s2sad.normal.ends import apart
from s2sad.normal.expressions import _NO, BINARY, BINARY_METHOD, SET_CHANGES, Bound, last_of, static
from s2sad.normal.functions import Diverges, NotYet, Program, called_once, has_sizes, noting_loops
from s2sad.normal.in_steps import by_name, is_zip_of_one, loop_in_steps
from s2sad.normal.iteration import Opaque, Run, only_looks
from s2sad.normal.iterators import Asked, Steps
from s2sad.normal.jumps import (
    GuardFirst,
    branch_of,
    called_before,
    catches,
    count_by_while,
    else_by_flag,
    ends_with_jump,
    guard_first,
    has_break,
    has_jump,
    has_return,
    invented,
    is_long,
    leads_to_raise,
    once_for,
    without_continues,
)
from s2sad.normal.keep import Keeping, Unkept
from s2sad.normal.lowered import Core, fill_empty
from s2sad.normal.patterns import match_to_if
from s2sad.normal.tables import CHANGED_GROUP, Group, Groups, Table
from s2sad.normal.values import (
    NUMBER_WITHIN,
    Choice,
    Closure,
    Conflict,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    State,
    Tup,
    Unbound,
    Value,
    agreed,
    contents,
    is_it,
    is_known_a,
    is_none,
    keys_of,
    mentions,
    with_parts,
)
from s2sad.normal.watch import IN_TURNS, Ahead, Watch, is_keys
from s2sad.runtime.decide import Look
from s2sad.runtime.identity import class_entry

#: functions whose iterators, where the run alone follows them, see what their arguments get later
_ITERATORS = (itertools.tee, itertools.groupby)
_BUILT_IN = frozenset(("iter", "reversed", "enumerate", "zip", "map", "filter"))
#: a loop over items known one by one is written out up to so many turns
LONGEST = 256


CHANGED_IN_BODY = "what this loop runs over is changed in its body", "run over a copy: list(...)"


@dataclass(eq=False)
class Turns:
    """The items of a loop that is written out, and how to see them anew where the body changes what it runs over."""

    items: list[Value]
    value: Value
    anew: Function[[], list[Value]] | None
    #: what lists and dicts held, and how many stores there had been, when the items were looked at
    held: dict[int, list[Value]] = field(default_factory=dict)
    stores: int = 0
    #: what the iterators read that it runs over
    watches: list[Watch] = field(default_factory=list)
    #: what was computed ahead of the first turn
    ahead: list[Ahead] = field(default_factory=list)
    #: what computes the item of a turn when it begins, where `items` only say how many there are
    at: Function[[int], Value] | None = None


@dataclass(eq=False)
class LoopContext:
    """The exits of a loop being lowered: the state and the block where each one leaves."""

    frame: int
    continues: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    breaks: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    returned: bool = False
    plain_breaks: int = 0
    #: does control never reach the end of a loop that was written out?
    ended: bool = False
    #: of a loop whose turns are written out into branches: the loop, its items, what follows it, the turn being lowered
    node: Any = None
    turns: Turns | None = None
    rest: list[Any] = field(default_factory=list)
    ends: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    follow: bool = False
    position: int = 0
    #: of a loop at run time: the names that its turns bind, and why those are refused that are read before that
    binds: frozenset[str] = frozenset()
    #: the changes after which control always leaves the loop: of each list that they are noted in, from where to where
    leaving: list[tuple[list[str], int, int]] = field(default_factory=list)
    early: list[DerivationError] = field(default_factory=list)


@dataclass(eq=False)
class NextTurn:
    """In a list of statements: the turns that follow, of a loop whose turns are written out."""

    context: LoopContext
    position: int


class Unrolled(Exception):
    """A loop over items known one by one that may end early."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        super().__init__()


class Leaves(Exception):
    """A call whose paths are followed apart has come to its ends: what it returns on each."""

    def __init__(self, leaves: list[tuple[State, list[Stmt], Value]]) -> None:
        self.leaves = leaves
        super().__init__()


_MAKE_ITERATORS = (gast.Call, gast.GeneratorExp)


class Lowering(Blocks):
    """Lowering of statements and whole functions."""

    def argument(self, name: str, kind: Kind, wrt: tuple[str, ...]) -> Value:
        """A parameter as it comes in."""
        self.decisions.has_defaultdicts = self.decisions.has_defaultdicts or _holds_defaultdict(kind)
        if isinstance(kind, TupleKind) and any(w.startswith(f"{name}[") for w in wrt):
            items = [gast.Subscript(load(name), gast.Constant(i, None), gast.Load()) for i in range(len(kind.items))]
            return Tup(
                tuple(
                    self.from_kind(k, item, f"{name}[{i}]" in wrt or name in wrt, (name, i))
                    for i, (item, k) in enumerate(zip(items, kind.items, strict=True))
                )
            )
        return self.from_kind(kind, load(name), name in wrt, (name,))

    # --- lists of statements

    def statements(self, body: list[Any]) -> bool:
        for k, statement in enumerate(body):
            rest = body[k + 1 :]
            if isinstance(statement, NextTurn):
                return self.stmt_NextTurn(statement)
            self.set_origin(statement)
            here = self.state, self.block, self.returns, len(self.returns)
            level = self.branches, len(self.turning)
            outer, self.begun = self.begun, (self.block, len(self.block))
            self.standing.append(Standing(statement, self.frame))
            try:
                outcome = self.statement(statement, rest)
            except Restart:
                self.note_place()
                raise
            except DerivationError as error:
                if not self.raises_here(error, level):
                    raise
                self.state, self.block, self.returns, returns = here
                del self.returns[returns:], self.turning[level[1] :]
                self.branches = level[0]
                self.write(gast.Raise(self.made(error.exception), None))  # type: ignore[attr-defined]
                return False
            finally:
                self.begun = outer
                self.standing.pop()
            if outcome is not None:
                return outcome
        return True

    def statement(self, statement: Any, rest: list[Any]) -> bool | None:
        """None: go on behind the statement. Otherwise: does control reach the end of the rest, which is done?"""
        self.nested_kinds.clear()
        if self.decisions.calls_apart and (call := self.call_apart(statement)) is not None:
            if isinstance(statement, gast.Assign) and statement.value is call and len(statement.targets) == 1:
                return self.paths_of_call(statement, rest)
            form = f"called {self.site_of_call(call)[-4:]}"
            made = once_for(statement, form, lambda: called_before(statement, call, self.own_names()))
            if made is not None:
                return self.stmts([*made, *rest])
        if self.decisions.choices_apart and (made := self.choices_by_branches(statement)) is not None:
            return self.stmts([*made, *rest])
        if isinstance(statement, (gast.Assign, gast.Return)) and isinstance(statement.value, gast.IfExp):
            leaves = isinstance(statement, gast.Return)
            statement.value.can_go_apart = leaves or bool(rest)
            self.behind[self.site(statement.value)] = [statement, *rest]  # (which reads it first)
            if self.goes_apart(statement.value):
                statement = once_for(statement, "apart", lambda: branch_of(statement))
        if isinstance(statement, gast.If):
            return self.stmt_If(statement, rest)
        if isinstance(statement, (gast.For, gast.While)):
            return self.loop_statement(statement, rest)
        if isinstance(statement, gast.Match):
            return self.stmts([*match_to_if(statement, self), *rest])
        if isinstance(statement, gast.Try):
            return self.try_statement(statement, rest)
        if isinstance(statement, gast.With):
            return self.with_statement(statement, rest)
        method = getattr(self, f"stmt_{type(statement).__name__}", None)
        if method is None:
            words = _statement_words(statement)
            self.refuse(f"s2sad does not differentiate {words}", "write it with if, for and while")
        if getattr(statement, "finals", None):
            self.refuse("this jump out of a with or try block inside another", ways.LEAVE)
        outcome: bool | None = method(statement)
        return outcome

    def stmts(self, body: list[Any]) -> bool:
        """Lower statements in order. False where control never reaches the end."""
        loops, turning, branches = len(self.loops), len(self.turning), self.branches
        if not self.passive and len(body) > 1 and not isinstance(body[0], gast.Raise) and self.is_lost(body):
            falls = self.raised(body)
            if falls is not None:
                return falls
        try:
            return self.statements(body)
        except Diverges as reason:
            del self.loops[loops:], self.turning[turning:]
            self.branches, self.diverged = branches, self.diverged or not isinstance(reason, NotYet)
            return False

    def is_lost(self, body: list[Any]) -> bool:
        """Is all that statements compute for an exception, which leaves the function?"""
        given = leads_to_raise(body)
        if not given or not once_for(self.frame.source.tree, "catches", lambda: catches(self.frame.source.tree)):
            return given is not None
        inside = {id(n) for s in body for n in walk_names(s)}
        loads = (n for n in walk_names(self.frame.source.tree) if isinstance(n.ctx, gast.Load) and n.id in given)
        return not (given & self.frame.nonlocals) and all(id(n) in inside for n in loads)

    def raised(self, body: list[Any]) -> bool | None:
        """Statements on their way to a raise carry no derivatives: calls in them stay calls. None where they cannot."""
        attempt = Attempt(self)
        path, frame, node, origin = self.call_path, self.frame, self.node, self.origin
        uncaught = all(trial.lost for trial in self.attempts)
        self.passive += 1
        self.raising += uncaught
        try:
            falls = self.statements(body)
        except (DerivationError, Diverges):
            self.call_path, self.frame, self.node, self.origin = path, frame, node, origin
            attempt.undo()
        else:
            attempt.keep()
            return falls
        finally:
            self.passive -= 1
            self.raising -= uncaught
        return None

    @contextlib.contextmanager
    def may_leave(self, branch: list[Any]) -> Iterator[None]:
        """Note for the loop around it what a branch changes on its way out of the loop."""
        context = self.loops[-1] if self.loops else None
        jump = branch[-1] if branch else None
        leaves = isinstance(jump, gast.Break) or (
            isinstance(jump, gast.Return) and context is not None and context.frame == self.frame.id
        )
        if context is None or not leaves:
            yield
            return
        before = self.marks()
        turns = len(context.continues), len(context.ends)
        yield
        if turns == (len(context.continues), len(context.ends)):
            ends = [(changes, start, len(changes)) for changes, start in zip(self.changes, before, strict=True)]
            context.leaving.extend(ends)

    def stmt_If(self, node: Any, rest: list[Any]) -> bool | None:
        """None: go on behind the if. Otherwise the rest has been lowered into the branches."""
        site = self.site(getattr(node, "choice", node))
        self.behind[site] = rest
        apart = self.decisions.apart.get(site, 0) if rest else 0
        if not apart:
            return self.branch(node, rest, site)
        near, far = rest[:apart], rest[apart:]
        paths = (body if ends_with_jump(body) else [*body, *near] for body in (node.body, node.orelse))
        falls = self.branch(gast.copy_location(gast.If(node.test, *paths), node), far, site)
        return falls if falls is not None else self.stmts(far)

    def branch(self, node: Any, rest: list[Any], site: Any) -> bool | None:
        """As `stmt_If`, where the paths meet behind the branch."""
        test = self.test(node.test)
        known = self.truth(test)
        if known is not None:
            chosen = node.body if known else node.orelse
            if not chosen:
                return None
            return self.stmts([*chosen, *rest])
        condition = self.expression(test)
        origin = self.origin
        jumps = has_jump(node.body) or has_jump(node.orelse)
        guarded = self.behind_its_guard(node, test) if jumps and is_long(rest) else None
        if guarded is not None:
            return self.stmts([*guarded, *rest])
        follow = rest if jumps else []
        outer = self.block
        before = self.state
        ends = []
        self.branches += 1
        absent = self.tuple_tested(node.test)
        changed = [self.trials_changed()]
        for branch in (node.body, node.orelse):
            self.trials_are(changed[:1])  # what one branch changes is as it was in the other
            written: list[Stmt] = []
            self.state, self.block = before.fork(), written
            if absent is not None and (branch is node.orelse) == absent[1]:
                self.is_there(absent[0])
            with self.may_leave(branch):
                falls = self.stmts([*branch, *follow])
            ends.append((falls, self.state, self.block, written))
            changed.append(self.trials_changed())
        self.trials_are(changed[:1])
        self.branches -= 1
        self.block = outer
        falling = [(s, b) for f, s, b, _ in ends if f]
        self.origin = origin
        if jumps and len(falling) == 2:
            # Some path jumps past whatever would stand behind the branch: each side that goes on is an end of its own.
            for state, block in falling:
                self.ends_here(state, block)
            falling = []
        if falling:
            self.state = self.join(falling, site if rest else None)
            self.state.begun = before.begun
        self.write(gast.If(condition, ends[0][3], ends[1][3]))
        self.trials_are(changed)
        if jumps and len(falling) == 1:
            self.block = falling[0][1]  # what is left of this turn ends where the one branch that goes on ends
        if jumps:
            return bool(falling)
        return None if falling else False

    def behind_its_guard(self, node: Any, test: Value) -> list[Any] | None:
        """A branch behind the guard that it begins with, where its tests may be made again: numbers are compared, or
        its own test has given a number, which gets a name."""
        made: GuardFirst | None = once_for(node, "guard", lambda: guard_first(node))
        if made is None or not all(map(self.compares_numbers, made.again[1:])):
            return None
        inner = made.statements[0].test.values[1:]
        may_rebind = any(isinstance(part, (gast.Call, gast.NamedExpr)) for other in inner for part in walk(other))
        if may_rebind and len(made.again) > 1:
            return None
        if self.compares_numbers(node.test) and not may_rebind:
            return made.statements
        identity = any(isinstance(part, (gast.Is, gast.IsNot)) for part in walk(node.test))  # (tells the branches more)
        if identity or not (isinstance(test, Leaf) and isinstance(test.kind, Number)):
            return None
        kept = invented("test", node)
        self.assign_name(kept, test)
        named = gast.copy_location(gast.If(load(kept), node.body, node.orelse), node)
        behind = once_for(node, "guard by name", lambda: guard_first(named))
        return None if behind is None else list(behind.statements)

    def call_apart(self, statement: Any) -> Any:
        """The first call in a statement, but for its blocks, whose paths are followed apart."""
        for part in gast.iter_child_nodes(statement):
            for node in walk(part) if isinstance(part, gast.expr) else ():
                if isinstance(node, gast.Call) and self.site_of_call(node) in self.decisions.calls_apart:
                    return node
        return None

    def choices_by_branches(self, statement: Any) -> list[Any] | None:
        """A statement with the choices in it as branches that have to be followed apart; None where there are none.

        x = (m and m[0]) * w         part = m
                                ->   if part: part = m[0]
                                     x = part * w
        """
        branch = isinstance(statement, gast.If)
        if not branch and any(isinstance(getattr(statement, block, None), list) for block in ("body", "cases")):
            return None
        choices = [n for n in walk(statement.test if branch else statement) if isinstance(n, (gast.IfExp, gast.BoolOp))]
        told = {id(n): n for n in choices if self.site_of_call(n) in self.decisions.choices_apart}
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

        made = once_for(statement, f"choices {sorted(self.site_of_call(n)[-5:] for n in told.values())}", parts)
        return None if made is None else list(made)

    def own_names(self) -> set[str]:
        """The variables of the function that no other function rebinds."""
        inner = (n for n in walk(self.frame.source.tree) if isinstance(n, gast.Nonlocal))
        return self.frame.bound - {name for n in inner for name in n.names} - self.frame.nonlocals

    def paths_of_call(self, node: Any, rest: list[Any]) -> bool | None:
        """As `stmt_If`, for `e = made(p)` where the function returns something of another form on each path.

        e = made(p)              if p > 0: e = A(p); y = e.f(x)
        y = e.f(x)          ->   else: e = [p]; y = e[0]
        return y * y             return y * y
        """
        site, outer = self.site_of_call(node.value), self.block
        self.behind[site] = rest
        far = self.decisions.apart.get(site, 0) if rest else 0
        near, far_off = rest[:far], rest[far:]
        if has_jump(near):
            near, far_off = rest, []
        waiting, self.leaving = self.leaving, (self.frame, node.value, self.what_is_called(node.value.func))
        try:
            leaves = [(self.state, self.block, self.expr(node.value))]
        except Leaves as found:
            leaves = found.leaves
        finally:
            self.leaving = waiting
        ends = []
        self.branches += 1
        for self.state, self.block, value in leaves:
            self.begun = (self.block, len(self.block))
            self.assign(node.targets[0], value)
            if self.stmts(near):
                ends.append((self.state, self.block))
        self.branches -= 1
        self.block = outer
        if has_jump(near) and len(ends) > 1:
            for state, block in ends:
                self.ends_here(state, block)
            return False
        if not ends:
            return False
        self.state = self.join(ends, site if rest else None)
        if has_jump(near):
            self.block = ends[0][1]
        return self.stmts(far_off) if far_off or near else None

    def called_there(self, frame: Frame) -> bool:
        """Is it the frame of the call whose paths are followed apart? What it returns is what the call gives."""
        if self.leaving is None or frame.caller is not self.leaving[0] or frame.call_node is not self.leaving[1]:
            return False
        called = self.leaving[2]
        called = called.function if isinstance(called, Method) else called
        if isinstance(called, Closure):
            return called.source.tree is frame.source.tree
        return is_it(called, frame.function.function)

    def compares_numbers(self, test: Any) -> bool:
        """Does a test compare numbers that have names, so that it may be made again?"""
        plain = (gast.Name, gast.Constant, gast.Compare, gast.UnaryOp, gast.expr_context, gast.cmpop, gast.unaryop)
        parts = list(walk(test))
        if not all(isinstance(part, plain) for part in parts):
            return False
        names = [part.id for part in parts if isinstance(part, gast.Name)]
        owners = map(self.find_frame, names)
        held = [self.state.frames[o].get(n) if o is not None else None for n, o in zip(names, owners, strict=True)]
        return all(isinstance(v, Leaf) and isinstance(v.kind, Number) for v in held)

    def goes_apart(self, node: Any) -> bool:
        """Is what comes after a choice written out for each of its paths, up to where they meet again?

        m = A() if c else B()        if c: m = A(); y = m.f(x)
        y = m.f(x)             ->    else: m = B(); y = m.f(x)
        return y * y                 return y * y
        """
        return self.site(node) in self.decisions.apart

    def tuple_tested(self, test: Any) -> tuple[str, bool] | None:
        """What may be None (a tuple, a function), where a test asks: its name; is it None where the test holds?"""
        name, none = test, False
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            name, none = test.operand, True
        elif isinstance(test, gast.Compare) and isinstance(test.ops[0], (gast.Is, gast.IsNot)) and len(test.ops) == 1:
            if getattr(test.comparators[0], "value", test) is not None:
                return None
            name, none = test.left, isinstance(test.ops[0], gast.Is)
        held = self.state.frames.get(self.frame.id, {}).get(name.id) if isinstance(name, gast.Name) else None
        perhaps = isinstance(held, Maybe) and isinstance(held.value, Tup)
        return (name.id, none) if perhaps or (isinstance(held, Choice) and is_none(held.first)) else None

    def is_there(self, name: str) -> None:
        """A tuple, or a function, that may be None is one in this branch."""
        held = self.state.frames[self.frame.id]
        value = held[name]
        held[name] = value.second if isinstance(value, Choice) else tuple_of(value)

    def ends_here(self, state: State, block: list[Stmt]) -> None:
        """A path that reaches the end of the loop's body, or of the function, inside a branch."""
        for context in reversed(self.loops):
            if context.turns is None:
                context.continues.append((state, block))
                return
        self.returns.append((state, block, Known(None)))

    # --- simple statements

    def stmt_Pass(self, node: Any) -> None:
        pass

    def stmt_Expr(self, node: Any) -> None:
        if isinstance(node.value, gast.Constant):
            return
        value = self.expr(node.value)
        parts = value.items if isinstance(value, Tup) else (value,)
        done = [p.expr for p in parts if isinstance(p, Leaf) and p.nested and may_raise(p.expr)]
        if done:
            for expr in done:
                self.write(gast.Expr(expr))
        elif isinstance(value, Leaf) and isinstance(node.value, gast.Name) and isinstance(value.expr, gast.Name):
            self.write(gast.Expr(clone(value.expr)))  # it may have no value
        elif isinstance(value, Leaf) and value.nested and self.attempts:
            self.held(value)  # it is there to raise an exception

    def stmt_Assign(self, node: Any) -> None:
        if is_keys(node.value):
            return self.assign_keys(node)
        unpacked = len(node.targets) == 1 and isinstance(node.targets[0], (gast.Tuple, gast.List))
        node.value.taken_apart = unpacked
        if isinstance(node.value, gast.List) and node.value.elts and isinstance(node.targets[0], gast.Name):
            node.value.assigned = node.targets[0].id
        value = self.rows(node.value) if unpacked else self.expr(node.value)
        if len(node.targets) > 1:
            value = self.held(value, _first_name(node.targets))
            value = with_parts(value, self.held) if isinstance(value, Tup) else value
        for k, target in enumerate(node.targets):
            if k + 1 < len(node.targets) and not isinstance(target, gast.Name):
                self.pin([value])  # a target that takes a part must not give it another name: the next ones read it
            value = self.assign(target, value)

    def assign_keys(self, node: Any) -> None:
        """`keys = d.keys()`: a look at the dict as it is when the name is read; lowered as the keys that there are."""
        value, watch = self.watch(lambda: self.expr(node.value))
        for target in node.targets:
            self.assign(target, value)
            if isinstance(target, gast.Name) and isinstance(value, Tup):
                self.watch_keys(self.find_frame(target.id), target.id, watch)

    def stmt_AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value))

    def assign(self, target: Any, value: Value) -> Value:
        """Give a target its value; the value as it is now called."""
        if isinstance(target, gast.Name):
            return self.assign_name(target.id, value)
        if isinstance(target, (gast.Tuple, gast.List)):
            self.unpack(target.elts, value)
        elif isinstance(target, gast.Subscript):
            self.store(target, value)
        elif isinstance(target, gast.Attribute):
            self.set_attribute(self.expr(target.value), target.attr, value)
        else:
            self.refuse("this target cannot be assigned", ways.NAMES)
        return value

    def assign_name(self, name: str, value: Value) -> Value:
        if name in self.frame.globals_declared:
            self.set_global(name, value)
            return value
        if isinstance(value, Lazy):
            value = self.once(name, value)
        elif isinstance(value, Tup):
            value = self.kept_iterator(value)
        value = self.named(name, value)
        self.bind_name(name, value)
        return value

    def bind_name(self, name: str, value: Value) -> None:
        """A variable of this function, or with `nonlocal` of one around it, has a value (or none: `del`)."""
        if name in self.frame.globals_declared:
            self.set_global(name, value)
            return
        owner = self.frame.id
        if name in self.frame.nonlocals:
            found = self.find_frame(name)
            if found is None:
                self.refuse(
                    "writes to variables of an enclosing function are not differentiated here",
                    ways.RETURN,
                )
            owner = found
            self.changed_before({owner})
            if self.is_varied(value) or self.lost:
                self.changes_in_passing()
        self.state.frames[owner][name] = value

    def set_global(self, name: str, value: Value) -> None:
        """A global is changed for a while: what it holds has to be known, and to be what it was in the end."""
        namespace = self.frame.source.globals
        if static(value) is _NO or name not in namespace:
            self.refuse(*WRITES_TO_GLOBALS)
        if (id(namespace), name) not in self.decisions.module_globals:
            self.decisions.module_globals[id(namespace), name] = namespace
            raise Restart
        self.global_writes += 1
        self.last_write = (self.frame, self.node)
        self.state.frames[-id(namespace)][name] = value

    def follow_globals(self) -> None:
        """The globals that the function changes become variables."""
        for (key, name), namespace in self.decisions.module_globals.items():
            value = self.from_global(name, namespace[name], namespace)
            self.state.frames.setdefault(-key, {})[name] = value

    def named(self, name: str, value: Value) -> Value:
        """The value under the user's name: an expression without a name, and a temp just made, get it."""
        if isinstance(value, Tup):
            return Tup(
                tuple(self.named(name, v) if isinstance(v, Leaf) and v.nested else v for v in value.items), value.cls
            )
        if not isinstance(value, Leaf):
            return value
        key = atom_key(value.expr) if not value.nested else None
        if value.nested or isinstance(value.expr, gast.Constant):
            root = self.memory_root(value.expr)
            new = self.define(name, value.expr, value.kind, varied=value.varied, temp=False, user=name)
            new_key = atom_key(new.expr)
            if root is not None and not isinstance(value.kind, Number):
                self.alias[new_key] = root
            return Leaf(new.expr, value.kind, new.varied, value.const)
        last = self.block[-1] if self.block else None
        if (
            key in self.facts.temps
            and isinstance(last, gast.Assign)
            and isinstance(last.targets[0], gast.Name)
            and last.targets[0].id == key
            and self.is_new(len(self.block) - 1)
            and not self.is_held(key)
        ):
            if key in self.site_of and not isinstance(last.value, (gast.List, gast.BinOp)):
                return value
            assert key is not None
            new_name = self.facts.fresh(name, temp=False)
            self.take_name(key, new_name, name)
            last.targets = [gast.Name(new_name, gast.Store(), None, None)]
            return Leaf(load(new_name), value.kind, value.varied, value.const)
        return value

    def take_name(self, key: str, new: str, user: str) -> None:
        """What is known of a temp holds for the name that stands in its place from now on."""
        facts = self.facts
        facts.temps.discard(key)
        facts.taken.discard(key)
        facts.kinds[new] = facts.kinds.pop(key)
        if key in facts.unlike:
            facts.unlike.add(new)
        facts.user_name[new] = user
        for moved in (facts.varied, self.made_passively):
            if key in moved:
                moved.discard(key)
                moved.add(new)
        found: tuple[dict[str, Any], ...] = (self.handed_out, self.made_by, self.watched)
        for table in (*found, self.site_of, self.joined_sites, self.part_of, self.limits, self.cases, self.alias):
            if key in table:
                table[new] = table.pop(key)
        if key in self.table_of:
            self.table_of[new] = self.table_of[key]
        marks = (self.made_here, self.tuples, self.list_items, self.read_out)
        lists = (self.lists_given, self.new_lists, self.may_be_lists, self.sets_made, self.in_objects)
        for names in (*marks, self.flats, self.half_flats, *lists):
            if key in names:
                names.add(new)
        for other, root in self.alias.items():
            if root == key:
                self.alias[other] = new

    def is_new(self, place: int) -> bool:
        """Was a statement of the block written for the user's statement that is being lowered? The names of others may
        stand in expressions that are still to be written.

        [sum(u), take(u)]        with `q = u.pop()` in take: the sum, which is computed later, knows the item as t
        """
        block, written = self.begun
        return block is not self.block or place >= written

    def is_held(self, key: str) -> bool:
        """Does some variable or container hold the value of this name already, so that it must keep its name?"""
        if key in self.pinned:
            return True
        for values in self.state.tables():
            for value in values:
                if type(value) is Leaf and type(value.expr) is gast.Name:  # nearly all of them
                    if value.expr.id == key:
                        return True
                elif type(value) is not Known and _leaf_names(value, key):
                    return True
        return False

    def unpack(self, targets: list[Any], value: Value) -> None:
        block, mark = self.block, len(self.block)
        base = self.unpacked(targets, value)
        if base is not None:  # the statements that take the parts say of how many they are
            for statement in block[mark:]:
                taken = statement.value if isinstance(statement, gast.Assign) else None
                if isinstance(taken, gast.Subscript) and atom_key(taken.value) == base:
                    statement.parts = len(targets)

    def unpacked(self, targets: list[Any], value: Value) -> str | None:
        """Give each target its part; what it is a part of, where that has a name."""
        value = self.what_is_left(self.there(value)) if self.is_asked(value) else self.there(value)
        base = None
        starred = [i for i, t in enumerate(targets) if isinstance(t, gast.Starred)]
        value = value if starred else self.told_apart(value, len(targets))
        if isinstance(value, Leaf) and not isinstance(value.kind, TupleKind):
            self.check_count(value.kind, len(targets), bool(starred))
            value = self.items_listed(value)
            if starred:
                self.unpack_run(targets, starred[0], value)
                return None
            held = self.held(value, "items")
            base = atom_key(held.expr) if isinstance(held, Leaf) else None
            self.count_items(held, ["_"] * len(targets))
            items: list[Value] = [self.subscript(held, gast.Constant(i, None)) for i in range(len(targets))]
            items = [self.held(v) for v in items] if any(self.is_varied(v) for v in items) else items
        else:
            # (a call that gives several values is made once)
            called = isinstance(value, Leaf) and isinstance(value.expr, gast.Call)
            items = self.iterate_static(self.held(value, "items") if called else value)
        if starred:
            (at,) = starred
            behind = len(targets) - at - 1
            middle = items[at : len(items) - behind]
            group = self.allocate(ListObj([self.held(v) for v in middle], self.site(targets[at])))
            items = [*items[:at], group, *items[len(items) - behind :]]
            targets = [*targets[:at], targets[at].value, *targets[at + 1 :]]
        if len(items) != len(targets):
            self.refuse(f"{len(items)} values are unpacked into {len(targets)} targets", ways.CORRECT)
        simple = all(isinstance(t, gast.Name) for t in targets)
        if not simple or any(isinstance(v, Leaf) and v.nested for v in items):
            items = [
                self.named(t.id, v) if isinstance(t, gast.Name) and isinstance(v, Leaf) and v.nested else self.held(v)
                for t, v in zip(targets, items, strict=True)
            ]
        counts = [atom_key(v.expr) for v in items if isinstance(v, Leaf)]
        self.pinned.update(k for k in counts if counts.count(k) > 1)
        whole = self.state.heap.get(value.id) if isinstance(value, Ref) else None
        listed = whole.items if isinstance(whole, ListObj) and len(whole.items) == len(items) else None
        for k, (target, item) in enumerate(zip(targets, items, strict=True)):
            if isinstance(target, gast.Name) and isinstance(item, Leaf) and not item.nested:
                if listed is not None and listed[k] is item:
                    listed[k] = Unbound()  # the list holds it under the new name, too
                    listed[k] = item = self.rename_part(target.id, item)
                else:
                    item = self.rename_part(target.id, item)
            self.assign(target, item)
        return base

    def check_count(self, kind: Kind, count: int, starred: bool) -> None:
        """Refuse to unpack what is known to have no items, or another number of them."""
        scalar = isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape == ())
        if scalar:
            error = TypeError("cannot unpack a number")
            self.refuse("a number is unpacked", ways.CORRECT, raises=error)
        length = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
        if length is None or not length.known or length.const == count:
            return
        if not starred or length.const < count - 1:
            reason = f"{length.const} values are unpacked into {count} targets"
            self.refuse(reason, ways.CORRECT, raises=ValueError(reason))

    def count_items(self, value: Value, pattern: list[str]) -> None:
        """Check that there are as many items as targets, where their number is not known: the parts do not show it."""
        shape = value.kind.shape if isinstance(value, Leaf) and isinstance(value.kind, Array) else None
        if isinstance(value, Leaf) and not (shape and shape[0].known):
            self.write(gast.Expr(count_check(value.expr, pattern)))

    def unpack_run(self, targets: list[Any], at: int, value: Leaf) -> None:
        """`a, *b, c = array`: the middle becomes a list at run time."""
        held = self.held(value, "items")
        assert isinstance(held, Leaf)
        if len(targets) > 1:
            self.count_items(held, ["*_" if k == at else "_" for k in range(len(targets))])
        behind = len(targets) - at - 1
        for k, target in enumerate(targets[:at]):
            self.assign(target, self.held(self.subscript(held, gast.Constant(k, None))))
        count = gast.Call(load("len"), [clone(held.expr)], [])
        stop = gast.BinOp(count, gast.Sub(), gast.Constant(behind, None)) if behind else count
        bounds = [self._constant(at), Leaf(stop, Number(int), nested=True)]
        self.assign(targets[at].value, self.inline_library(library.part_of, [held, *bounds], {}))
        for k, target in enumerate(targets[at + 1 :]):
            index = gast.UnaryOp(gast.USub(), gast.Constant(behind - k, None))
            self.assign(target, self.held(self.subscript(held, index)))

    def rename_part(self, name: str, item: Leaf) -> Leaf:
        """A part that the previous statement took out of a tuple gets the user's name."""
        key = atom_key(item.expr)
        if key not in self.facts.temps or not self.block or self.is_held(key):
            return item
        for place, statement in list(enumerate(self.block))[-1:-9:-1]:
            if not self.is_new(place):
                return item
            target = statement.targets[0] if isinstance(statement, gast.Assign) else None
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            for part in parts:
                if isinstance(part, gast.Name) and part.id == key:
                    # `t -= u` uses it as well, though it does not load it
                    used = any(n.id == key and n is not part for s in self.block for n in walk_names(s))
                    if used or (key in self.site_of and not isinstance(statement.value, (gast.List, gast.BinOp))):
                        return item
                    new = self.facts.fresh(name, temp=False)
                    self.take_name(key, new, name)
                    part.id = new
                    return Leaf(load(new), item.kind, item.varied, item.const)
        return item

    def is_frozen(self, value: Value) -> bool:
        """Is a value an object of a frozen dataclass?"""
        parameters = getattr(self.class_of(value), "__dataclass_params__", None)
        return isinstance(value, Ref) and bool(getattr(parameters, "frozen", False))

    def set_attribute(self, owner: Value, name: str, value: Value) -> None:
        self.check_attribute_name(name)
        value = self.kept_iterator(value)
        if isinstance(owner, Ref):
            obj = self.state.heap[owner.id]
            if isinstance(obj, Instance):
                if name == NUMBER_WITHIN and name in obj.attributes:
                    self.refuse(f"the attribute {name!r} of a class that is built on float", "give it another name")
                own = own_setattr(obj.cls)
                if own is not None:
                    self.call_value(Known(own), [owner, Known(name), value], {})
                    return
                found = class_entry(obj.cls, name)
                if isinstance(found, property):
                    if found.fset is None:
                        way_out = "give it a setter, or set what it computes from"
                        self.refuse(f"the property {name!r} cannot be set", way_out, raises=AttributeError(name))
                    self.call_value(Known(found.fset), [owner, value], {})
                    return
                setter = descriptor_method(found, "__set__")
                if setter is not None:
                    self.call_value(Known(setter), [Known(found), owner, value], {})
                    return
                if self.is_frozen(owner):
                    error = dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
                    self.refuse(f"{obj.cls.__name__} is a frozen dataclass", "use dataclasses.replace", raises=error)
                if not obj.cls.__dictoffset__ and not isinstance(found, types.MemberDescriptorType):
                    missing = AttributeError(f"{obj.cls.__name__!r} object has no attribute {name!r}")
                    self.refuse(f"objects of class {obj.cls.__name__} have no {name!r}", ways.CORRECT, raises=missing)
                if obj.foreign:
                    if obj.expr is not None:
                        self.look_into(obj.expr)
                    self.refuse(
                        "this writes to an object that a call handed out, and that others may hold, too",
                        ways.ARGUMENT,
                    )
                named = isinstance(value, Leaf) and not isinstance(value.expr, gast.Constant)
                obj.attributes[name] = self.named(name, value) if named else self.held(value, name)
                obj.partial.discard(name)
                self.changed(obj)
                return
        if isinstance(owner, Closure):
            constant = static(value)
            if self.defined_in.get(owner) is not self.block or not isinstance(constant, bool | int | float | str):
                self.refuse(f"the attribute {name!r} of a function", "set it to a constant right behind its definition")
            self.set_on.setdefault(owner, {})[name] = constant
            return
        if isinstance(owner, Known):
            self.refuse("this writes to an object outside the function", ways.ARGUMENT)
        if isinstance(owner, Leaf) and isinstance(owner.kind, Array) and name == "flat":
            shape = gast.Attribute(self.expression(owner), "shape", gast.Load())
            value = self.list_as_array(value, True, True)
            whole = self.kind(value)
            if isinstance(whole, Array) and whole.shape != ():
                # a shorter array goes in again and again
                form = np.reshape if _as_many(whole.shape, owner.kind.shape) else np.resize
                value = self.numpy_call(form, [value, Leaf(shape, self.infer(shape), nested=True)])
            self.store_into(owner, gast.Constant(Ellipsis, None), value)
            return
        if isinstance(owner, Leaf) and isinstance(owner.kind, Array) and name in ("real", "imag"):
            self.store_into(self.attribute(owner, name), gast.Constant(Ellipsis, None), value)
            return
        if isinstance(owner, Leaf) and name == "shape":
            self.reshape_in_place(owner, value)
            return
        plain = isinstance(owner, Leaf) and isinstance(owner.kind, (Number, Array)) and not hasattr(np.ndarray, name)
        raises = AttributeError() if plain else None
        self.refuse(f"the attribute {name!r} of this value cannot be set", "keep it in a variable", raises=raises)

    def reshape_in_place(self, owner: Leaf, shape: Value) -> None:
        """`A.shape = s`: all that stands for A is the reshaped view from here on.

        That nothing else is this array is seen in `analysis.aliasing`, where all of the function is there.
        """
        if not isinstance(owner.expr, gast.Name) or not isinstance(owner.kind, Array) or self.attempts:
            self.refuse("the shape of an array is changed in place", "use reshape")
        key = owner.expr.id
        new = self.held(self.numpy_call(np.reshape, [owner, shape]), self.facts.user_name.get(key, key))
        assert isinstance(new, Leaf)
        if key in self.reshaped or not isinstance(new.expr, gast.Name):
            self.refuse("the shape of an array is changed in place", "use reshape")
        self.reshaped[key] = new.expr.id

        def changed(value: Value) -> Value:
            same = isinstance(value, Leaf) and isinstance(value.expr, gast.Name) and value.expr.id == key
            return new if same else with_parts(value, changed)

        for slot, value in self.state.slots().items():
            after = changed(value)
            if after is not value:
                self.state.put(slot, after)

    # --- stores

    def flat_array(self, node: Any) -> Leaf | None:
        """The array behind `array.flat`."""
        if not isinstance(node, gast.Attribute) or node.attr != "flat":
            return None
        found = self.expr(node.value)
        return found if isinstance(found, Leaf) and isinstance(found.kind, Array) else None

    def with_written_slice(self, base: Value, target: Any) -> Any:
        cut = self.written_as_slice(base, target.slice)
        if isinstance(cut, gast.Slice):
            self.check_slice(base)
        if cut is target.slice:
            return target
        return gast.copy_location(gast.Subscript(target.value, cut, target.ctx), target)

    def store(self, target: Any, value: Value) -> None:
        if not isinstance(target.slice, gast.Slice):  # which takes the items out
            value = self.kept_iterator(value)
        flat = self.flat_array(target.value)
        if flat is not None:
            self.store_flat(flat, self.index_value(target.slice), value)
            return
        base = self.expr(target.value)
        self.list_changes(base)
        target = self.with_written_slice(base, target)
        if isinstance(base, Ref):
            obj = self.state.heap[base.id]
            if isinstance(obj, Instance):
                method = self.find_method(base, "__setitem__")
                if method is None:
                    self.refuse("this object does not take items", ways.METHOD)
                if obj.cls is Group and isinstance(target.slice, gast.Slice):
                    self.refuse(*CHANGED_GROUP)
                if issubclass(obj.cls, Table) and self.runs_over(obj):
                    method = self.find_method(base, "replace")
                if issubclass(obj.cls, Groups):
                    self.check_goes_in(value)
                assert method is not None
                self.call_value(method, [self.index_of_method(target.slice), value], {})
                given = self.state.heap[value.id] if isinstance(value, Ref) else None
                if issubclass(obj.cls, Groups) and isinstance(given, ListObj):
                    given.stale, given.expr = True, None  # the dict has the items now, and may change them
                    given.items[:] = [Conflict(STALE)] * len(given.items)
                return
            if isinstance(target.slice, gast.Slice):
                self.store_slice(obj, target.slice, value)
                return
            key = static(self.passively(target.slice))
            obj = self.state.heap[base.id]  # (a branch in the index gives another state)
            assert not isinstance(obj, Instance)
            if key is _NO:
                if isinstance(obj, ListObj) and obj.site not in self.decisions.dynamic:
                    self.note_item(obj.site, value)
                    raise Restart
                if isinstance(obj, ListObj):
                    self.note_item(obj.site, value)
                    self.make_dynamic(obj)
                assert isinstance(obj, DictObj)
                self.run_time_dict(obj)
                self.refuse("a dict gets a key that is not known at derivation", ways.KEYS, concrete=True)
            if isinstance(obj, ListObj):
                if not isinstance(key, int) or not -len(obj.items) <= key < len(obj.items):
                    self.refuse(f"there is no item {key!r} in this list", "append to it, or start it at full length")
                obj.items[key] = self.held(value)
            else:
                assert isinstance(obj, DictObj)
                obj.items[key] = self.held(value)
                owner = self.owner_of_dict(obj)
                if owner is not None:
                    self.set_plainly(owner, {key: obj.items[key]})
                    return
            self.changed(obj)
            return
        if isinstance(base, Known):
            self.refuse("this writes to an object outside the function", ways.ARGUMENT)
        if isinstance(base, Tup):
            self.refuse("a tuple cannot be written to", ways.LIST)
        leaf = self.leaf(base)
        self.check_table(leaf, value)
        if isinstance(leaf.kind, ListOf):
            if isinstance(target.slice, gast.Slice):
                self.list_slice_store(leaf, target.slice, value)
                return
            self.list_store(leaf, self.index(target.slice), value)
            return
        if isinstance(leaf.kind, Number):
            wrong = TypeError("a number has no items to store into")
            self.refuse(wrong.args[0], "make it an array first", raises=wrong, storing=True)
        self.store_into(leaf, self.key_of(leaf, target.slice), value)

    def key_of(self, leaf: Leaf, node: Any) -> Expr:
        """The index or key under which something is stored."""
        lost, self.lost = self.lost, False
        index = self.index(node)
        hidden, self.lost = self.lost, self.lost or lost
        if hidden and not isinstance(leaf.kind, Array):  # it was computed of active values
            self.check_keys([Leaf(index, self.infer(index), True)])
        return index

    def makes_copy(self, index: Expr) -> bool:
        return copies(index, self.facts)

    def check_goes_in(self, value: Value) -> None:
        """A list goes into a dict of lists whose keys only the run knows: it must not have another name."""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(obj, ListObj):
            obj.held = True
        named = isinstance(value, Leaf) and not value.nested and self.is_held(atom_key(value.expr))
        if named or isinstance(obj, Instance):
            reason = "a list that has a name goes into a dict whose keys are known at run time only"
            self.refuse(reason, ways.COPY_LIST)

    def store_flat(self, base: Leaf, index: Value, value: Value) -> None:
        """`base.flat[index] = value`"""
        leaf = self.written(base)
        where = self.index_of(self.flat_places(leaf, index))
        given = self.in_turn(leaf, where, value)
        if given is None:
            value = self.list_as_array(value, True, True)
            self.inline_library(library.stored_in_turn, [leaf, Leaf(where, self.infer(where), nested=True), value], {})
        else:
            self.store_into(leaf, where, given)

    def in_turn(self, leaf: Leaf, index: Expr, value: Value) -> Value | None:
        """What a store through `array.flat` stores: the values in turn, again and again, as far as there is room.

        None where there may be none, which are stored nowhere.
        """
        read = gast.Subscript(clone(leaf.expr), clone(index), gast.Load())
        shape, room = shape_of(self.kind(value)), shape_of(self.infer(read))
        if shape == () or room == () or (shape is not None and shape == room):
            return value
        if shape is None or any((certain_lower(n) or 0) < 1 for n in shape):
            active = (leaf.varied or self.is_varied(value)) and not self.passive
            return None if active else value
        value = self.list_as_array(value, True, True)
        size = gast.Attribute(read, "shape", gast.Load())
        return self.held(self.numpy_call(np.resize, [value, Leaf(size, self.infer(size), nested=True)]))

    def of_flat(self, array: Leaf, index_node: Any) -> Value:
        """`array.flat[index]` of an array whose `ravel` is a copy: of no use where the array is overwritten."""
        held = self.leaf(self.held(array))
        return self.subscript_value(held, self.flat_places(held, self.index_value(index_node)))

    def store_slice(self, obj: Any, cut: Any, value: Value) -> None:
        """items[a:b] = values, of a list of known length."""
        bounds = [None if p is None else static(self.passively(p)) for p in (cut.lower, cut.upper, cut.step)]
        if not isinstance(obj, ListObj):
            self.refuse("a slice of this is no list", ways.CORRECT)
        if _NO in bounds:
            self.make_dynamic(obj)
        obj.items[slice(*bounds)] = [self.held(v) for v in self.iterate_static(value)]
        self.changed(obj)

    def store_into(self, base: Value, index: Expr, value: Value, augmented: type | None = None) -> None:
        """`base[index] = value`, or what `base[index] op= ...` comes to."""
        self.list_changes(base)
        leaf = self.written(base)
        self.check_takes(leaf, value)
        if not isinstance(leaf.kind, Array):
            self.check_keys([Leaf(index, self.infer(index))])
        value = self.as_stored(leaf, index, value)
        form = self.expression if isinstance(leaf.kind, Array) else self.kept_in_run
        stored = self.operand(value) if self.is_varied(value) else form(value)
        if not isinstance(leaf.kind, ListOf):
            self.check_not_read_back(stored, leaf.kind)
        target = gast.Subscript(clone(leaf.expr), index, gast.Store())
        self.write(gast.Assign([target], stored, None)).augmented = augmented
        self.mark_varied(leaf, self.is_varied(value) and self.holds_floats(leaf))
        written: str | None = atom_key(leaf.expr)
        while written is not None:
            kind = self.facts.kinds.get(written)
            if isinstance(kind, Object) and is_labelled(kind.cls):  # a column may have become another
                self.facts.kinds[written] = anything_of(kind)
            written = self.alias.get(written) if self.alias.get(written) != written else None

    def as_stored(self, leaf: Leaf, index: Expr, value: Value) -> Value:
        """What is stored or added at `leaf[index]`: a list or tuple that may be broadcast over the place is the array
        that NumPy makes of it there, so that each part is counted for all the elements that it went to.

        A[:2] = [s, t, u]               A[:2] = np.array([s, t, u])
        """
        listed = isinstance(value, Tup) or (isinstance(value, Ref) and isinstance(self.state.heap[value.id], ListObj))
        listed = listed or (isinstance(value, Leaf) and isinstance(value.kind, (ListOf, ListKind, TupleKind)))
        if not listed or self.passive or not self.is_varied(value):
            return value
        of_array = isinstance(leaf.kind, (Array, Either))
        if not of_array and (type(leaf.kind) is not Unknown or self.may_be_list(leaf.expr)):
            return value  # a container, which keeps the list
        kind, place = self.kind(value), self.infer(gast.Subscript(clone(leaf.expr), clone(index), gast.Load()))
        shape, given = shape_of(place), dtype_of(kind)
        if shape is not None and self.fills(kind, shape, self.makes_copy(index)):
            return value
        own = dtype_of(place)
        if given is not None and own is not None and given.kind == "c" and own.kind != "c":
            return value  # NumPy stores no list of complex numbers among reals, but drops an array's imaginary parts
        return self.held(self.call_value(self.numpy_function("array"), [value], {}))

    def fills(self, kind: Kind, place: tuple[Dim, ...], advanced: bool) -> bool:
        """Does a list that is stored fill its place element by element, or does NumPy refuse it there?"""
        shape = shape_of(kind)
        if shape is None or len(shape) < len(place):
            return False
        if len(shape) > len(place):
            return not advanced
        return all(a == b or (certain_lower(a) or 0) > 1 for a, b in zip(shape, place, strict=True))

    def check_table(self, leaf: Leaf, value: Value, op: type | None = None) -> None:
        """A dict that is one at run time takes no active values: start again with one that is not."""
        table = self.table_of.get(atom_key(leaf.expr)) if not leaf.nested else None
        if table is not None and self.is_varied(value):
            self.decisions.tables.discard(table)
            self.decisions.unfit.add(table)
            raise Restart
        if isinstance(leaf.kind, Places) and table is not None:
            kind = self.kind(value)
            counts = isinstance(kind, Number) and kind.type is int and op in (None, gast.Add, gast.Sub, gast.Mult)
            if not counts:
                self.decisions.no_places.add(table)
                raise Restart

    def check_takes(self, leaf: Leaf, value: Value) -> None:
        """Objects that are not followed, and arrays of what is no number, take no active values."""
        if not self.is_varied(value) or self.passive:
            return
        if isinstance(leaf.kind, Object):
            name = leaf.kind.cls.__name__
            self.refuse(f"active values in an object of class {name}", "use a list, a dict or an array")
        for kind in (leaf.kind, self.facts.kinds.get(self.root_of(atom_key(leaf.expr)))):
            if isinstance(kind, Records):
                what = "objects" if kind.dtype.kind == "O" else f"dtype {kind.dtype}"
                self.refuse(f"active values in an array of {what}", ways.FLOATS)

    def holds_floats(self, leaf: Leaf) -> bool:
        return is_float_kind(leaf.kind)

    def written(self, base: Value) -> Leaf:
        """A leaf that is about to be written through: it must have a name, and must not be the user's global."""
        leaf = self.leaf(base)
        if leaf.nested:
            root = self.memory_root(leaf.expr)
            leaf = self.anchor(leaf, "view")
            if root is not None:
                self.alias[atom_key(leaf.expr)] = root
        self.check_not_of_list(atom_key(leaf.expr))
        root_name = self.root_of(atom_key(leaf.expr))
        self.look_into(leaf.expr)
        self.stores_made.append(root_name)
        if self.lost:
            self.changes_in_passing()  # what is stored may be active
        if root_name.split(".")[0].split("[")[0] in self.facts.globals:
            self.refuse("this writes to an array outside the function", ways.ARGUMENT)
        return leaf

    def check_not_of_list(self, key: str) -> None:
        """Writing through an item of a run-time list changes what the list holds: which item that is must be known."""
        while key in self.alias and key not in self.list_items:
            key = self.alias[key]
        if key in self.list_items:
            if not self.decisions.lists_chosen:
                self.decisions.lists_chosen = True
                self.decisions.dynamic.clear()
                self.decisions.steps.clear()
                raise Restart
            self.unroll_a_loop(grown=True)
            self.refuse(
                "an array taken from a list by a variable index is overwritten",
                ways.ONE_ARRAY,
                concrete=True,
            )

    def list_slice_store(self, leaf: Leaf, cut: Any, value: Value) -> None:
        """items[a:b] = values, of a run-time list: all of it is made anew."""
        active = leaf.varied or self.is_varied(value)
        if active or self.lost:
            self.changes_in_passing()
        self.resize(leaf)
        self.lists_changed.append(atom_key(leaf.expr))
        if cut.lower is None and cut.upper is None and cut.step is None:
            new = self.inline_library(library.list_of, [value], {})
            self.inline_library(library.cleared, [leaf], {})
            self.inline_library(library.extended, [leaf, new], {})
            return
        if active and not self.passive:
            self.active_slice_store(leaf, cut, value)
            return
        for item in self.put_in(value):
            self.learn_item(leaf, item)
        target = gast.Subscript(clone(leaf.expr), self.index(cut), gast.Store())
        self.write(gast.Assign([target], self.expression(value), None))

    def active_slice_store(self, leaf: Leaf, cut: Any, value: Value) -> None:
        """items[a:b] = values, of a list with active items: what stays and what comes, in a new order."""
        new = self.inline_library(library.list_of, [value], {})
        size = gast.Call(load("len"), [clone(leaf.expr)], [])
        if cut.step is None:
            lower, upper = (Known(None) if p is None else self.held(self.passively(p)) for p in (cut.lower, cut.upper))
            bounds = Method(Known(("slice", "indices")), Lazy(slice, (lower, upper)))
            start, stop, _ = self.iterate_static(self.call_value(bounds, [Leaf(size, Number(int), nested=True)], {}))
            made = self.inline_library(library.spliced, [leaf, new, start, stop], {})
            self.inline_library(library.cleared, [leaf], {})
            self.inline_library(library.extended, [leaf, made], {})
            return
        places = gast.Subscript(gast.Call(load("range"), [size], []), self.index(cut), gast.Load())
        self.inline_library(library.stored_at, [leaf, new, self.define("places", places, ListOf(Number(int)))], {})

    def put_in(self, value: Value) -> list[Value]:
        """What a run-time list takes when it takes all items of a value: these, or one that stands for them."""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(value, Tup) or (isinstance(obj, ListObj) and not obj.once):
            return self.iterate_static(value)
        kind = element_of(value.kind) if isinstance(value, Leaf) else Unknown()
        return [Leaf(self.expression(value), kind, self.is_varied(value) and is_float_kind(kind), nested=True)]

    def list_store(self, leaf: Leaf, index: Expr, value: Value) -> None:
        assert isinstance(leaf.kind, ListOf)
        if leaf.varied or self.is_varied(value) or self.lost:
            self.changes_in_passing()
        self.check_originals(leaf)
        value = self.put_together(value)
        self.hold_lists(value, leaf.kind.item)
        self.learn_item(leaf, value)
        self.lists_changed.append(atom_key(leaf.expr))
        target = gast.Subscript(clone(leaf.expr), index, gast.Store())
        self.write(gast.Assign([target], self.operand(self.as_plain(leaf, value)), None))

    def mark_varied(self, leaf: Leaf, varied: bool) -> None:
        """What was stored makes the array, and all that share its memory, depend on the wrt arguments."""
        if varied:
            self.stores_in_passing()
        if not varied or self.passive:
            return
        if isinstance(leaf.kind, Array) and leaf.kind.mixed:
            self.refuse(
                "active values go into an array that has other numbers on other paths: ints, say, which cut them off",
                ways.FLOATS,
            )
        if isinstance(leaf.kind, Unknown):
            self.look_into(leaf.expr, made=True)  # what made it says whether it holds floats
        root = self.root_of(atom_key(leaf.expr))
        if isinstance(leaf.kind, Unknown) and self.may_be_lists & {root, atom_key(leaf.expr)}:
            self.refuse(
                "active values go into what may be a list or an array: only the run knows",
                ways.ARRAY,
            )
        if self.in_objects & {root, atom_key(leaf.expr)}:
            self.refuse(
                "active values go into an array that an object of a library holds",
                ways.COPY,
            )
        if isinstance(leaf.kind, Unknown) and root in self.of_unknown_form and root not in self.made_by:
            self.refuse(
                "active values go into what may be an array of ints, which cuts them off",
                ways.FLOATS,
            )
        for slot, value in self.state.slots().items():
            new = self.with_variation(value, root)
            if new is not value:
                self.put_as_it_was(slot, new)
        self.facts.varied.add(atom_key(leaf.expr))
        self.facts.varied.add(root)
        for key in self.alias:  # views that stand in no variable: those between a view of a view and its base
            kind = self.facts.kinds.get(key, Unknown())
            if key not in self.facts.varied and self.root_of(key) == root and is_float_kind(kind):
                self.facts.varied.add(key)

    def root_of(self, key: str) -> str:
        """The name whose memory a name shares in the end."""
        while key in self.alias:
            key = self.alias[key]
        return key

    def with_variation(self, value: Value, root: str) -> Value:
        """The value, where it shares memory with `root`, as one that depends on the wrt arguments."""
        if not isinstance(value, Leaf):
            return with_parts(value, lambda v: self.with_variation(v, root))
        if value.varied or isinstance(value.expr, gast.Constant):
            return value
        if self.root_of(atom_key(value.expr)) != root or not is_float_kind(value.kind):
            return value
        self.facts.varied.add(atom_key(value.expr))
        return Leaf(value.expr, value.kind, True, value.const)

    def put_as_it_was(self, slot: Any, value: Value) -> None:
        """Put a value that is the same at run time: containers keep the expression that reads them."""
        expr = self.state.heap[slot[1]].expr if slot[0] == "heap" else None
        self.state.put(slot, value)
        if slot[0] == "heap":
            self.state.heap[slot[1]].expr = expr

    def memory_root(self, expr: Expr) -> str | None:
        """The name whose memory the value of an expression may share."""
        if isinstance(expr, gast.Name):
            name: str = expr.id
            return None if isinstance(self.facts.kinds.get(name), Number) else self.alias.get(name, name)
        if isinstance(expr, gast.Subscript):
            key = atom_key(expr)
            if key in self.facts.kinds:
                return self.alias.get(key, key)
            return None if copies(expr.slice, self.facts) else self.memory_root(expr.value)
        if isinstance(expr, gast.Attribute):
            key = atom_key(expr)
            if key in self.facts.kinds:
                return self.alias.get(key, key)
            shares = expr.attr in ("T", "real", "flat", "mT") or (expr.attr == "imag" and not self.is_real(expr.value))
            return self.memory_root(expr.value) if shares else None
        if isinstance(expr, (gast.Tuple, gast.List)):
            return next((root for root in map(self.memory_root, expr.elts) if root is not None), None)
        if isinstance(expr, gast.Call):
            return next((root for root in self.memory_roots(expr) if root is not None), None)
        return None

    def memory_roots(self, call: Expr) -> list[str | None]:
        """For each argument whose memory the result of a call may share: the name whose memory that is."""
        known, is_method = CallTable(self.facts).of(call)
        target = self.resolve(call.func)
        iterates = target is None and isinstance(call.func, gast.Name) and call.func.id in _BUILT_IN
        if iterates or any(target is maker for maker in _ITERATORS):
            return [self.memory_root(a) for a in call.args]
        if not is_method and known.shares != "nothing":
            if target is np.imag and call.args and self.is_real(call.args[0]):
                return []
            if target is np.diag and call.args:
                of = infer(call.args[0], self.facts)
                if isinstance(of, Array) and of.shape is not None and len(of.shape) == 1:
                    return []  # of a matrix, it is a view; of a vector, a new matrix
            declared = registry.view_of(target) if target is not None else None
            if declared is not None:
                return [self.memory_root(a) for a in call.args[declared : declared + 1]]
            if not (getattr(target, "__module__", None) or "").startswith("numpy"):
                return []  # its rule would say so
        if known.shares == "nothing" or known.effect != "none":
            return []
        if is_method and isinstance(self.facts.kinds.get(atom_key(call.func.value)), ListOf):
            return []  # items of lists: see check_not_of_list
        given = [call.func.value] if is_method else call.args
        return [self.memory_root(a) for a in (given[:1] if known.shares == "first" else given)]

    def is_real(self, expr: Expr) -> bool:
        """Is it an array of reals? What NumPy gives as the imaginary part of it are zeros of their own."""
        kind = infer(expr, self.facts)
        return isinstance(kind, Array) and kind.dtype.kind in "fiub"

    def resolve(self, func: Expr) -> Any:
        if isinstance(func, gast.Name):
            return self.facts.globals.get(func.id)
        if isinstance(func, gast.Attribute):
            owner = self.resolve(func.value)
            return getattr(owner, func.attr, None) if owner is not None else None
        return None

    def may_be_list(self, value: Expr) -> bool:
        """May the value of an expression, of which nothing is known, be a list, or another container but an array?"""
        if isinstance(value, gast.Name):
            return value.id in self.may_be_lists or isinstance(self.facts.kinds.get(value.id), (ListOf, ListKind))
        if isinstance(value, (gast.Subscript, gast.Attribute)):
            kind = self.facts.kinds.get(atom_key(value.value), Unknown())
            return self.may_be_list(value.value) if type(kind) is Unknown else not isinstance(kind, Array)
        if isinstance(value, gast.Call):
            function = self.resolve(value.func)
            if (getattr(function, "__module__", None) or "").split(".")[0] in ("numpy", "scipy", "s2sad"):
                return False
            owner = value.func.value if isinstance(value.func, gast.Attribute) else None
            of_module = owner is None or (isinstance(owner, gast.Name) and owner.id not in self.facts.kinds)
            return of_module or self.may_be_list(owner)
        if isinstance(value, (gast.IfExp, gast.BoolOp, gast.BinOp)):
            return any(map(self.may_be_list, children(value)))
        return not isinstance(value, (gast.Constant, gast.UnaryOp, gast.Compare))

    def note_memory(self, name: str, value: Expr, kind: Kind) -> None:
        """What a new name stands for: a list, a set, a text of active values, memory that has a name already."""
        if may_hold_list(kind) and self.may_be_list(value):
            self.may_be_lists.add(name)
        if makes_set(value):
            self.sets_made.add(name)
        if self.is_text_of_active(value):
            self.texts.add(name)
        if not isinstance(kind, Number) and not self.is_list_item(value):
            root = self.memory_root(value)
            if root is not None:
                self.alias[name] = root

    def is_list_item(self, value: Expr) -> bool:
        """Is it an item of a run-time list? Storing into the list does not change its items."""
        return isinstance(value, gast.Subscript) and isinstance(self.facts.kinds.get(atom_key(value.value)), ListOf)

    # --- augmented assignment

    def stmt_AugAssign(self, node: Any) -> None:
        target, op = node.target, type(node.op)
        if isinstance(target, gast.Name):
            current = self.lookup(target.id)
            changed = self.augment(current, op, self.expr(node.value))
            if changed is not None:
                self.assign_name(target.id, changed)
            elif self.is_bound_anew(target.id, current):  # by the right side: the name gets back what has changed
                self.assign_name(target.id, current)
            return
        flat = self.flat_array(target.value) if isinstance(target, gast.Subscript) else None
        if flat is not None:
            leaf = self.written(flat)
            place = self.held(self.flat_places(leaf, self.index_value(target.slice)))
            old = self.held(self.subscript_value(leaf, place))
            self.store_into(leaf, self.index_of(place), self.binary(op, old, self.expr(node.value)))
            return
        site = self.site(node)
        ordered = site in self.decisions.ordered  # the right side changes something: see `right_side`
        base = self.expr(target.value)
        base = self.held(base) if ordered and not isinstance(self.kind(base), Array) else base
        if isinstance(target, gast.Attribute):
            current = self.attribute(base, target.attr)
            handed_back = self.has_setter(base, target.attr) or self.is_frozen(base)
            current = self.held(current) if handed_back or ordered else current
            changed = self.augment(current, op, self.right_side(node))
            handed_back = handed_back or (ordered and self.is_set_anew(base, target.attr, current))
            if changed is not None or handed_back:
                self.set_attribute(base, target.attr, current if changed is None else changed)
            return
        target = self.with_written_slice(base, target)
        cut = isinstance(target.slice, gast.Slice)  # then what is changed is a copy, and stored
        table = self.state.heap[base.id] if isinstance(base, Ref) else None
        if isinstance(table, Instance) and table.cls is Table and not isinstance(target.slice, gast.Slice):
            finder = self.find_method(base, "old_place" if self.runs_over(table) else "place_of")
            assert finder is not None
            with self.evaluated(target, base, ordered) as place:
                at = self.held(self.call_value(finder, [self.expr(place.slice)], {}))
                items = table.attributes["held"]
                current = self.held(self.subscript_value(items, at))
                changed = self.augment(current, op, self.right_side(node))
                if ordered:  # the places may be others now
                    self.store(place, current if changed is None else changed)
                elif changed is not None:
                    self.list_store(self.leaf(items), self.index_of(at), changed)
            return
        if isinstance(base, (Ref, Known, Tup)):
            with self.evaluated(target, base, ordered) as place:
                current = self.subscript(base, place.slice)
                if isinstance(table, Instance) and table.cls is Groups:
                    self.augment(current, op, self.right_side(node))
                    return
                handed_back = self.instance_of(base) is not None or ordered
                current = self.held(current) if handed_back or cut else current
                changed = self.augment(current, op, self.right_side(node))
                if isinstance(base, Tup) and changed is None:
                    reason = "an item of a tuple is changed by an operator: Python changes it, and raises TypeError"
                    missing = TypeError("'tuple' object does not support item assignment")
                    self.refuse(reason, ways.OWN_STATEMENT, raises=missing)
                if changed is not None or handed_back or cut:
                    self.store(place, current if changed is None else changed)
            return
        leaf = self.leaf(base)
        if isinstance(leaf.kind, ListOf):
            with self.evaluated(target, leaf, ordered) as place:
                index = self.index(place.slice)
                item = self.subscript(leaf, place.slice)
                item = self.held(item) if cut or ordered else item
                lists = len(self.lists_changed)
                value = self.right_side(node)
                replaced = ordered and len(self.lists_changed) > lists  # the item may not stand there any more
                changed = self.augment(item, op, value)
                if cut or replaced:
                    self.store(place, item if changed is None else changed)
                elif changed is not None:
                    self.list_store(leaf, index, changed)
            return
        self.list_changes(leaf)
        leaf = self.written(leaf)
        index = self.key_of(leaf, target.slice)

        def old_item() -> Value:
            read = lambda args, _: gast.Subscript(args[0], clone(index), gast.Load())  # noqa: E731
            return self.held(self.operation(operator.getitem, read, [leaf]))

        mark = len(self.stores_made), len(self.lists_changed)
        if ordered:  # the right side overwrites what it is added to, or the index: u[0] += bump(u)
            old = old_item()
            self.store_into(leaf, index, self.binary(op, old, self.expr(node.value)))
            return
        as_index = self.lists_as_index(target.slice, index)
        value = self.expr(node.value)
        if as_index is not None and self.moved_on(as_index):
            self.refuse(
                "the right side changes a list that is the index: Python reads by the old one and stores by the new",
                ways.OWN_STATEMENT,
            )
        read = {self.root_of(atom_key(n)) for part in (leaf.expr, index) for n in (part, *walk_names(part))}
        if read.intersection([*self.stores_made[mark[0] :], *self.lists_changed[mark[1] :]]):
            self.decisions.ordered.add(site)
            raise Restart
        self.check_table(leaf, value, op)
        if op not in (gast.Add, gast.Sub) and (leaf.varied or self.is_varied(value)):
            held = self.held(value)
            self.store_into(leaf, index, self.binary(op, old_item(), held), op)
            return
        self.check_takes(leaf, value)
        if not isinstance(leaf.kind, Array):
            self.check_keys([Leaf(index, self.infer(index))])
        value = self.as_stored(leaf, index, value)
        stored = self.operand(value) if self.is_varied(value) else self.expression(value)
        self.write(gast.AugAssign(gast.Subscript(clone(leaf.expr), index, gast.Store()), op(), stored))
        self.mark_varied(leaf, self.is_varied(value) and self.holds_floats(leaf))

    def has_setter(self, owner: Value, name: str) -> bool:
        """Does a class say what it means to set an attribute?"""
        obj = self.state.heap[owner.id] if isinstance(owner, Ref) else None
        if not isinstance(obj, Instance):
            return False
        return is_ruled(obj.cls, name) or own_setattr(obj.cls) is not None

    def is_bound_anew(self, name: str, value: Value) -> bool:
        """Is a variable bound to another object than this value, which it was bound to a while ago?"""
        owner = self.find_frame(name)
        frame = -id(self.frame.source.globals) if owner is None else owner
        return not self.is_one(self.state.frames.get(frame, {}).get(name, value), value)

    def is_set_anew(self, owner: Value, name: str, value: Value) -> bool:
        """Is an attribute another object than this value, which it was a while ago?"""
        obj = self.state.heap[owner.id] if isinstance(owner, Ref) else None
        return isinstance(obj, Instance) and not self.is_one(obj.attributes.get(name, value), value)

    def is_one(self, now: Value, before: Value) -> bool:
        """Are two values the same object, of which more may be known by now?"""
        if isinstance(now, Leaf) and isinstance(before, Leaf):
            key = atom_key(before.expr)
            return atom_key(now.expr) in (key, self.reshaped.get(key))
        return self.same(now, before)

    def lists_as_index(self, node: Any, index: Expr) -> State | None:
        """The lists that the names in an index lead to, as they are now, where the index is made of lists."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        if not any(isinstance(p, gast.List) or isinstance(self.infer(p), ListKind) for p in parts if p is not None):
            return None
        found: set[int] = set()
        for name in {n.id for n in walk_names(node)}:
            owner = self.find_frame(name)
            if owner is not None:
                collections.deque(self.within(self.state.frames[owner].get(name, Unbound()), found), 0)
        lists = (ref for ref in found if isinstance(self.state.heap[ref], ListObj))
        return State({}, {ref: self.state.heap[ref].copy() for ref in lists})

    def right_side(self, node: Any) -> Value:
        """The right side of `base[index] op= value`, behind what was read of the target.

        Python computes base and index before it, and once. Where it changes anything that they may depend on, they
        are held from the start:

        items[c] += bump(x)             items[0] = items[0] + x         (bump adds one to c, which is 0)
        """
        site = self.site(node)
        if site in self.decisions.ordered or isinstance(node.value, (gast.Name, gast.Constant)):
            return self.expr(node.value)
        before, marks, block, written = self.state.fork(), self.marks(), self.block, len(self.block)
        value = self.expr(node.value)
        if self.changed_since(marks, block, written) or self.moved_on(before):
            self.decisions.ordered.add(site)
            raise Restart
        return value

    @contextlib.contextmanager
    def evaluated(self, target: Any, base: Value, whole: bool) -> Iterator[Any]:
        """`base[index]` of an assignment that reads and writes it: calls in it are made once.

        items[next_one()] += x          t = next_one(); items[t] = items[t] + x

        Args:
            whole: may the right side change what names in it stand for? Then all of it is computed now.
        """
        names: list[str] = []

        def once(node: Any, value: Value | None) -> Any:
            if isinstance(node, gast.Slice):
                parts = (node.lower, node.upper, node.step)
                return gast.copy_location(gast.Slice(*(p and once(p, None) for p in parts)), node)
            if not whole and not self.may_run_code(node):
                return node
            if isinstance(node, (gast.Constant, Bound)):
                return node
            names.append(f"#{len(names)} {target.lineno}")
            found = self.held(self.expr(node)) if value is None else value
            self.state.frames[self.frame.id][names[-1]] = found  # (a condition in it gives another state)
            return gast.copy_location(gast.Name(names[-1], gast.Load(), None, None), node)

        first, second = once(target.value, base), once(target.slice, None)
        yield gast.copy_location(gast.Subscript(first, second, target.ctx), target) if names else target
        for name in names:
            self.state.frames[self.frame.id].pop(name, None)

    def augment(self, current: Value, op: type, value: Value) -> Value | None:
        """`current op= value`: None where it happened in place, else the new value."""
        if isinstance(current, Maybe):  # to None nothing is added: where this runs, there is a value
            self.there(current)
            return self.augment(current.value, op, value)
        if op in BINARY_METHOD and self.has_methods(current):
            method = self.find_method(current, f"__i{BINARY_METHOD[op]}__")
            cls = self.class_of(current)
            if method is None and cls is not None and hasattr(cls, f"__i{BINARY_METHOD[op]}__"):
                self.refuse(
                    f"an object of class {cls.__name__} is overwritten as what its class is built on", ways.NEW_VALUE
                )
            if method is not None:
                return self.call_value(method, [value], {})
        if isinstance(current, Ref):
            obj = self.state.heap[current.id]
            if isinstance(obj, ListObj) and op is gast.Add and not isinstance(self.kind(value), Array):
                if not self.is_static_iterable(value):
                    self.make_dynamic(obj)
                obj.items.extend(self.held(v) for v in self.iterate_static(value))
                obj.items[:] = last_of(obj.items, obj.limit)
                self.changed(obj)
                return None
            if isinstance(obj, ListObj) and op is gast.Mult and not isinstance(self.kind(value), Array):
                times = static(value)
                if not isinstance(times, int):
                    self.refuse("a list is repeated in place as often as the run says", ways.NEW_VALUE)
                obj.items[:] = last_of(obj.items * times, obj.limit)
                self.changed(obj)
                return None
            if isinstance(obj, DictObj) and op is gast.BitOr:
                self.dict_method(obj, "update", [value], {})
                return None
        if is_known_a(current, set, frozenset):
            self.only_slot(current)
        if op not in (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow):
            self.list_changes(current)
        if op in (gast.Add, gast.Mult) and isinstance(current, Leaf) and self.is_tuple(current):
            return self.as_tuple(self.binary(op, current, value))
        if isinstance(current, Leaf) and isinstance(current.kind, ListOf) and op is gast.Add:
            if isinstance(self.kind(value), Array):  # NumPy adds
                return self.binary(op, current, value)
            self.dynamic_method(current, "extend", [value], {})
            return None
        if isinstance(current, Leaf) and isinstance(current.kind, ListOf) and op is gast.Mult and self.may_count(value):
            self.no_limit(current)
            self.inline_library(library.repeated_in_place, [current, value], {})
            return None
        if isinstance(current, Leaf) and isinstance(current.kind, Array):
            leaf, value = self.written(current), self.beside_array(op, value, current)
            given = dtype_of(self.kind(value))
            whole = current.kind.dtype.kind in "biu" and not current.kind.mixed
            imaginary = given is not None and given.kind == "c" and current.kind.dtype.kind == "f"
            whole = whole and given is not None and (given.kind in "fc" or op is gast.Div)
            if given is not None and (whole or (imaginary and not current.kind.mixed)):
                wrong = TypeError(f"numbers of {given.name} do not go into an array of {current.kind.dtype.name}")
                self.refuse(wrong.args[0], ways.FLOATS, raises=wrong)
            if op not in (gast.Add, gast.Sub) and (leaf.varied or self.is_varied(value)):
                self.store_into(leaf, gast.Constant(Ellipsis, None), self.binary(op, leaf, value), op)
                return None
            stored = self.operand(value) if self.is_varied(value) else self.expression(value)
            where = gast.Name(leaf.expr.id, gast.Store(), None, None) if isinstance(leaf.expr, gast.Name) else None
            if where is None:
                where = gast.Subscript(clone(leaf.expr), gast.Constant(Ellipsis, None), gast.Store())
            self.write(gast.AugAssign(where, op(), stored))
            self.mark_varied(leaf, self.is_varied(value) and self.holds_floats(leaf))
            return None
        kind, mutable = self.kind(current), f"__i{BINARY_METHOD.get(op, '')}__"
        of_library = isinstance(current, Leaf) and isinstance(kind, Object) and hasattr(kind.cls, mutable)
        if of_library or (isinstance(current, Known) and hasattr(current.cls, mutable)):
            cls = kind.cls if isinstance(kind, Object) else type(current.value)  # type: ignore[attr-defined]
            self.refuse(
                f"an object of class {cls.__name__} is overwritten by an operator", ways.NEW_VALUE
            )
        if self.is_set_in_run(op, current, value):  # (another one would give its items in another order)
            target = gast.Name(self.written(current).expr.id, gast.Store(), None, None)
            self.write(gast.AugAssign(target, op(), self.expression(value)))
            return None
        if self.may_be_shared_set(op, current, value):
            function = self.expression(Known(getattr(operator, f"i{BINARY_METHOD[op]}")))
            call = gast.Call(function, [self.expression(current), self.expression(value)], [])
            made = self.define("t", call, Unknown())
            self.read_out.add(atom_key(made.expr))  # (it is what stands there, too)
            return made
        changed = self.binary(op, current, value)
        if isinstance(changed, Known) and is_set(changed.value):
            return Known(Changed(changed.value))
        return self.rebinding(current, op, changed, value) if isinstance(self.kind(current), Unknown) else changed

    def is_tuple(self, value: Leaf) -> bool:
        """Does a run-time list stand for a tuple, of which += makes a new one?"""
        if not self.tuples_made or not isinstance(value.kind, ListOf):
            return False
        key = atom_key(value.expr)
        if key not in self.tuples and key not in self.site_of and not self.passive:
            self.refuse("a += b of what may be a list or a tuple", ways.NEW_VALUE)
        return key in self.tuples

    def is_set_in_run(self, op: type, current: Value, value: Value) -> bool:
        """Is `current op= value` certain to change a set that only the run knows, under a name?"""
        if not isinstance(current, Leaf) or atom_key(current.expr) not in self.sets_made:
            return False
        known = isinstance(value, Known) and is_set(value.value)
        made = known or (isinstance(value, Leaf) and (makes_set(value.expr) or atom_key(value.expr) in self.sets_made))
        return made and op in (gast.Sub, gast.BitOr, gast.BitAnd, gast.BitXor)

    def may_be_shared_set(self, op: type, current: Value, value: Value) -> bool:
        """Does `current op= value` change what may be a set or a dict, and which others may hold?"""
        given = self.kind(value)
        if not isinstance(current, Leaf) or not isinstance(current.kind, Unknown) or current.varied:
            return False
        key = atom_key(current.expr)
        own = isinstance(current.expr, gast.Name) and key not in self.alias
        own = own and key not in self.list_items and key not in self.read_out
        if own or self.is_varied(value):
            return False  # (what else holds a name's own set: see `rebinding`)
        if op is gast.Sub:
            return isinstance(given, Object) or isinstance(getattr(given, "value", None), (set, frozenset))
        return op in (gast.BitOr, gast.BitAnd, gast.BitXor) and not isinstance(given, (Number, Array))

    def only_slot(self, current: Known) -> list[Any]:
        """Where the one name of a set is that changes: what else holds it would not see the change."""
        self.set_changed()
        values = self.state.slots().items()
        found = [slot for slot, v in values if is_it(v, current.value)]
        if len(found) != 1 or sum(mentions(v, current.value) for _, v in values) != 1:
            self.sets_of_the_run()
            self.refuse("a set that has another name is changed", ways.NEW_VALUE)
        return found

    def set_method(self, owner: Known, name: str, args: list[Value]) -> Value:
        """`items.add(x)` of a set whose items are known: the name that it has gets another one."""
        slots = self.only_slot(owner)
        given: list[Any] = []
        for arg in args:
            known = name not in ("add", "discard", "remove") and self.is_static_iterable(arg)
            given += [static(v) for v in self.iterate_static(arg)] if known else [static(arg)]
        if _NO in given or self.text_only or (name == "intersection_update" and len(args) != 1):
            self.sets_of_the_run()
            self.refuse(f"{name} changes a set by what is not known at derivation", "begin with set(), or use a dict")
        if name == "remove" and given[0] not in owner.value:
            self.refuse(f"{given[0]!r} is not in the set", ways.ASK, raises=KeyError(given[0]))
        made = SET_CHANGES[name](owner.value, owner.value if name == "clear" else frozenset(given))
        for slot in slots:
            self.put_as_it_was(slot, Known(Changed(made)))
        return Known(None)

    def rebinding(self, current: Value, op: type, changed: Value, value: Value) -> Value:
        """The value of `current op= value` where only the run knows whether it is a number, or an array: overwritten.

        The name is bound anew. The statement is marked with the name of what was overwritten if it was an array, so
        that it is refused where another name of that array is used afterwards (`s2sad.analysis.aliasing`).
        """
        named = isinstance(current, Leaf) and isinstance(current.expr, (gast.Name, gast.Subscript, gast.Attribute))
        kinds = self.kind(current), self.kind(value)
        textual = any(isinstance(k, Text) or type(getattr(k, "value", None)) is str for k in kinds)
        if not named or textual or not isinstance(changed, Leaf):
            return changed
        self.look_into(current.expr)  # type: ignore[attr-defined]
        if self.may_not_fit(self.kind(current), op, self.kind(value)):
            changed = self.leaf(self.inline_library(library.of_old_form, [current, self.held(changed)], {}))
            made = self.define("t", clone(changed.expr), changed.kind, varied=changed.varied)
        else:
            made = self.anchor(changed)
        last = self.block[-1] if self.block else None
        if isinstance(last, gast.Assign) and atom_key(last.targets[0]) == atom_key(made.expr):
            last.rebinds = atom_key(current.expr)  # type: ignore[attr-defined]
        return made

    def may_not_fit(self, current: Kind, op: type, value: Kind) -> bool:
        """May `current op value` be of another shape or dtype than what `current op= value` leaves in an array?

        Where an array is of floats in double precision its dtype fits what is real; and where nothing is known of it,
        one of another dtype has to be there for that.
        """
        known = [current.array] if isinstance(current, Either) else self.facts.kinds.values()
        arrays = [k for k in known if isinstance(k, Array)]
        if any(k.mixed and k.dtype.kind in "fc" for k in arrays):
            return True
        if not isinstance(value, (Number, Static)):
            shapes = {k.shape for k in arrays if k.shape != ()}
            if not isinstance(value, Array) or value.shape is None or not shapes <= {value.shape}:
                return True
        # (where nothing is known, an array of ints is one of indices)
        whole = "iu" if isinstance(current, Either) else ""
        for dtype in {k.dtype for k in arrays if not k.mixed and k.dtype.kind in f"fc{whole}"}:
            made = call_kind(BINARY[op], [Array(dtype, None), value])
            if not isinstance(made, Array) or made.mixed or made.dtype != dtype:
                return True
        return False

    # --- the rest of the simple statements

    def stmt_Return(self, node: Any) -> bool:
        if node.value is not None:
            node.value.handed_on = True
        value = self.expr(node.value) if node.value is not None else Known(None)
        self.jumps_away()
        return self.leave(value)

    def leave(self, value: Value) -> bool:
        """Return a value from the function being lowered, out of any loops."""
        value = self.held(value, "result")
        running = [c for c in self.loops if c.node is None]
        if running:
            variables = self.state.frames[self.frame.id]
            variables["#result"], variables["#returned"] = value, Known(True)
            context = running[-1]
            context.returned = True
            context.breaks.append((self.state, self.block))
        else:
            self.returns.append((self.state, self.block, value))
        return False

    def stmt_Break(self, node: Any) -> bool:
        self.jumps_away()
        if not self.loops:  # out of the body of a try that is lowered for its exceptions alone
            return False
        context = self.loops[-1]
        if context.node is not None and context.follow:
            self.loops.pop()
            try:
                return self.stmts(context.rest)
            finally:
                self.loops.append(context)
        context.plain_breaks += 1
        context.breaks.append((self.state, self.block))
        return False

    def stmt_Continue(self, node: Any) -> bool:
        self.jumps_away()
        if not self.loops:
            return False
        context = self.loops[-1]
        if context.node is not None:
            return self.stmt_NextTurn(NextTurn(context, context.position + 1))
        context.continues.append((self.state, self.block))
        return False

    def stmt_Assert(self, node: Any) -> None:
        test = self.test(node.test)
        if self.truth(test) is True:
            return
        if node.msg is None:
            self.write(gast.Assert(self.expression(test), None))
            return
        # the message is made only where the test fails
        outer, before = self.block, self.state
        self.block, self.state = [], before.fork()
        self.branches += 1
        try:
            message = self.expression(self.passively(node.msg))
        except Diverges:
            message = None
        finally:
            self.branches -= 1
            made, self.block, self.state = self.block, outer, before
        if made:
            made.append(gast.Assert(gast.Constant(False, None), message))
            self.write(gast.If(gast.UnaryOp(gast.Not(), self.expression(test)), made, []))
        else:
            self.write(gast.Assert(self.expression(test), message))

    def stmt_Raise(self, node: Any) -> bool:
        if getattr(self.frame.source, "library", False) and _is_refusal(node.exc):
            words = [str(static(self.expr(a))) for a in node.exc.args]  # a definition says what it leaves out
            self.refuse(words[0], words[1] if len(words) > 1 else "")
        exc = None if node.exc is None else self.expression(self.passively(node.exc))
        cause = None if node.cause is None else self.expression(self.passively(node.cause))
        self.write(gast.Raise(exc, cause))
        return False

    def delete_attribute(self, owner: Value, name: str) -> bool:
        """`del self.rate`, where that is what it says."""
        obj = self.state.heap[owner.id] if isinstance(owner, Ref) else None
        if not isinstance(obj, Instance) or isinstance(obj.cls.__delattr__, types.FunctionType):
            return False
        if is_ruled(obj.cls, name) or name not in obj.attributes or name in obj.partial or obj.expr is not None:
            return False
        del obj.attributes[name]
        self.changed(obj)
        return True

    def stmt_Delete(self, node: Any) -> None:
        for target in node.targets:
            if isinstance(target, gast.Name):
                self.bind_name(target.id, Unbound())
                continue
            if isinstance(target, gast.Attribute) and self.delete_attribute(self.expr(target.value), target.attr):
                continue
            base = self.expr(target.value) if isinstance(target, gast.Subscript) else None
            self.list_changes(base)
            target = target if base is None else self.with_written_slice(base, target)
            if base is not None and isinstance(target.slice, gast.Slice) and target.slice.step is None:
                listed = isinstance(base, Ref) and isinstance(self.state.heap[base.id], ListObj)
                if listed or (isinstance(base, Leaf) and isinstance(base.kind, ListOf)):
                    self.store(target, self.new_list([]))  # items[a:b] = []
                    continue
            if isinstance(base, Ref):
                obj = self.state.heap[base.id]
                method = self.find_method(base, "__delitem__")
                if method is not None and isinstance(obj, Instance):
                    self.call_value(method, [self.index_of_method(target.slice)], {})
                    continue
                key = static(self.passively(target.slice))
                obj = self.state.heap[base.id]
                if isinstance(obj, DictObj) and self.owner_of_dict(obj) is not None:
                    self.refuse("the __dict__ of an object is changed", "delete the attribute")
                if isinstance(obj, (DictObj, ListObj)) and key is not _NO:
                    try:
                        del obj.items[key]
                    except LookupError as error:
                        self.refuse(f"there is no item {key!r} here", ways.CORRECT, raises=error)
                    self.changed(obj)
                    continue
                if isinstance(obj, ListObj) and not isinstance(target.slice, gast.Slice):
                    self.make_dynamic(obj)
            if isinstance(base, Leaf) and isinstance(base.kind, ListOf) and not isinstance(target.slice, gast.Slice):
                self.dynamic_method(base, "pop", [self.passively(target.slice)], {})
                continue
            self.refuse("this del is not followed", "build a new container")

    def stmt_Import(self, node: Any) -> None:
        for alias in node.names:
            module = self.imported(alias.name)
            name = alias.asname or alias.name.split(".")[0]
            if not alias.asname:
                module = importlib.import_module(name)
            self.imported_as(name, self.from_global(name, module, None))

    def imported_as(self, name: str, value: Value) -> None:
        """A global that an import gives a value at its first use is as good as a variable."""
        self.frame.globals_declared = self.frame.globals_declared - {name}
        self.bind_name(name, value)

    def imported(self, name: str, package: str | None = None) -> Any:
        try:
            return importlib.import_module(name, package)
        except ImportError as error:
            self.refuse(f"this import fails: {error}", "install it, or import it where it is used", raises=error)

    def stmt_ImportFrom(self, node: Any) -> None:
        package = self.frame.source.globals.get("__package__")
        module = self.imported("." * (node.level or 0) + (node.module or ""), package)
        for alias in node.names:
            name = alias.asname or alias.name
            try:
                value, place = Known(module).ask(Look.ATTRIBUTE, alias.name)
            except AttributeError:
                value, place = self.imported(f"{module.__name__}.{alias.name}"), None
            as_name = (name, value, None) if place is None else (alias.name, value, place.owner)
            self.imported_as(name, self.from_global(*as_name))

    def stmt_FunctionDef(self, node: Any) -> None:
        decorators = [self.expr(decorator) for decorator in node.decorator_list]
        value: Value = self.make_closure(node)
        self.look_at_annotations(node)
        for decorator in reversed(decorators):
            value = self.call_value(decorator, [value], {})
        self.bind_name(node.name, value)

    def look_at_annotations(self, node: Any) -> None:
        """Annotations have no meaning here, and computing them must not do anything."""
        args = node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
        notes = [a.annotation for a in every if a is not None] + [node.returns]
        for note in notes:
            if note is None or not any(isinstance(n, gast.Call) for n in walk(note)):
                continue
            try:
                _, changes = self.noting_draws(lambda: self.passively(note))  # noqa: B023
            except DerivationError:
                continue
            if changes:
                self.refuse("an annotation that changes or prints something", "leave it out", note)

    def stmt_AsyncFunctionDef(self, node: Any) -> None:
        self.refuse("async functions are not differentiated", "write it as a plain function")

    def stmt_ClassDef(self, node: Any) -> None:
        """A class defined here: made once, at derivation, where it needs nothing of what the function computes."""
        known = self.decisions.classes.get(self.site(node))
        if known is None:
            known = self.decisions.classes[self.site(node)] = self.local_class(node)
        self.bind_name(node.name, Known(known, load(self.global_name(node.name, known))))
        for member in vars(known).values():
            for part in (member, getattr(member, "__func__", None), getattr(member, "fget", None)):
                if isinstance(part, types.FunctionType):
                    self.class_frames[part] = self.frame.id

    def local_class(self, node: Any) -> type:
        import ast
        import builtins

        names = {n.id for n in walk_names(_without_methods(node)) if isinstance(n.ctx, gast.Load)}
        within = {n.id for n in walk_names(node) if isinstance(n.ctx, gast.Load)} - names
        bound = {n.id for n in walk_names(node) if not isinstance(n.ctx, gast.Load)}
        namespace = dict(self.frame.source.globals)
        for name in names:
            owner = self.find_frame(name)
            if owner is None:
                continue
            value = self.state.frames[owner].get(name, Unbound())
            if not isinstance(value, Known):
                if name in bound:
                    continue
                self.refuse(
                    "a class defined inside the function uses a variable of it", "hand the value to its __init__"
                )
            namespace[name] = value.value
        for name in within:
            owner = self.find_frame(name)
            held = None if owner is None else self.state.frames[owner].get(name)
            if isinstance(held, Known):
                namespace[name] = held.value
        for name, value in (getattr(self.frame.source, "closure", None) or {}).items():
            namespace.setdefault(name, value)
        module = ast.Module([gast.gast_to_ast(clone(node))], [])
        ast.fix_missing_locations(module)
        namespace.setdefault("__builtins__", builtins)
        exec(compile(module, self.frame.source.file, "exec"), namespace)
        made: type = namespace[node.name]
        return made

    def check_changed_outside(self, body: list[Stmt]) -> None:
        """Refuse what is read of globals where a call that stays a call may change it: nobody would see the change."""
        if not self.called_outside:
            return
        nodes = (n for s in body for n in walk(s) if isinstance(n, (gast.Name, gast.Attribute)))
        seen = reachable(held for n in nodes if (held := self.known_object(n)) is not None)
        if not seen:  # (to tell what a call may change, all that it may run is read)
            return
        for function, frame, node in self.called_outside:
            if not seen.isdisjoint(reachable(self.decisions.changes.changed_outside(function))):
                self.frame, self.node = frame, node
                self.refuse("this changes what a global holds, which is read here, too", WRITES_TO_GLOBALS[1])

    def changes_outside(self) -> bool:
        return any(self.decisions.changes.changed_outside(function) for function, *_ in self.called_outside)

    def known_object(self, node: Any) -> Any:
        """What a name of a global, or a part of a module, stands for."""
        if isinstance(node, gast.Name):
            return self.facts.globals.get(node.id)
        owner = self.known_object(node.value) if isinstance(node.value, (gast.Name, gast.Attribute)) else None
        return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None

    def stmt_Global(self, node: Any) -> None:
        pass

    def stmt_Nonlocal(self, node: Any) -> None:
        pass

    # --- loops

    def loop_statement(self, node: Any, rest: list[Any]) -> bool | None:
        if node.orelse and has_break(node.body):
            return self.stmts([*else_by_flag(node), *rest])
        if isinstance(node, gast.For) and isinstance(node.iter, gast.Call) and self.is_count(node.iter.func):
            return self.stmts([*count_by_while(node), *rest])
        if isinstance(node, gast.For) and self.runs_in_steps(node.iter):
            self.items_computed_in_steps(node)
            return self.stmts([*loop_in_steps(node, self.over_items(node)), *rest])
        if isinstance(node, gast.For) and self.decisions.in_steps and self.asks_in_steps(node.iter):
            return self.stmts([*by_name(node), *rest])
        orelse = node.orelse
        try:
            context = self.loop_While(node) if isinstance(node, gast.While) else self.loop_For(node, rest)
        except Unrolled as unrolled:
            return self.unrolled_with_jumps(node, unrolled.turns, rest)
        if context is None:
            return self.stmts([*orelse, *rest]) if orelse else None
        if context.ended:
            return False
        if context.returned and isinstance(node, gast.While) and _is_true(node.test) and not context.plain_breaks:
            return self.leave(self.state.frames[self.frame.id]["#result"])
        if context.returned:
            flag = self.state.frames[self.frame.id].get("#returned", Known(False))
            known = self.truth(flag)
            if known is True:
                return self.leave(self.state.frames[self.frame.id]["#result"])
            if known is None:
                return self.after_return(flag, [*orelse, *rest])
        if isinstance(node, gast.While) and _is_true(node.test) and not context.breaks:
            return False
        return self.stmts([*orelse, *rest]) if orelse else None

    def is_count(self, function: Any) -> bool:
        owner = function.value if isinstance(function, gast.Attribute) else function
        named = isinstance(owner, gast.Name) and getattr(function, "attr", "count") == "count"  # (looking does nothing)
        found = self.passively(function) if named else None
        return is_it(found, itertools.count)

    def runs_in_steps(self, node: Any) -> bool:
        """Is it an iterator that is asked in several places, or zip of one with itself?"""
        if is_zip_of_one(node):
            return self.cls_of(node.args[0]) is Steps
        return isinstance(node, gast.Name) and issubclass(self.cls_of(node), Asked)

    def cls_of(self, name: Any) -> type:
        """The class of the object that a name stands for."""
        held = self.passively(name)
        obj = self.state.heap[held.id] if isinstance(held, Ref) else None
        return obj.cls if isinstance(obj, Instance) else type(None)

    def over_items(self, loop: Any) -> bool:
        """Is it a loop over an iterator of what keeps its length?"""
        return not isinstance(loop.iter, gast.Name) or self.cls_of(loop.iter) is Steps

    def items_computed_in_steps(self, loop: Any) -> None:
        if isinstance(loop.iter, gast.Name) and not self.only_takes(self.passively(loop.iter)):
            self.items_computed(loop, None)

    def asks_in_steps(self, node: Any) -> bool:
        """Is an iterator in an expression that is followed item by item?"""
        if isinstance(node, (gast.Name, Bound)):
            return False
        if isinstance(node, (gast.Attribute, gast.Subscript)):
            return True
        found = any(self.site(n) in self.decisions.in_steps for n in walk(node) if isinstance(n, _MAKE_ITERATORS))
        values: list[Value] = []
        frame: Frame | None = self.frame
        names = {n.id for n in walk_names(node)}
        while frame is not None:
            values += [v for n, v in self.state.frames.get(frame.id, {}).items() if n in names]
            frame = self.frames[frame.parent] if frame.parent is not None else None
        seen: set[int] = set()
        return found or any(self.is_asked(part) for v in values for part in self.within(v, seen))

    def after_return(self, flag: Value, rest: list[Any]) -> bool:
        outer, before, origin = self.block, self.state, self.origin
        result = before.frames[self.frame.id]["#result"]
        taken: list[Stmt] = []
        self.state, self.block = before.fork(), taken
        self.leave(result)
        other: list[Stmt] = []
        self.state, self.block = before.fork(), other
        self.state.frames[self.frame.id]["#returned"] = Known(False)
        falls = self.stmts(rest)
        end = self.block
        self.block, self.origin = outer, origin
        self.write(gast.If(self.expression(flag), taken, other))
        self.block = end
        return falls

    def loop_While(self, node: Any) -> LoopContext | None:
        before, outer, checkpoint = self.state, self.block, self.checkpoint()
        self.state, self.block = before.fork(), []
        never = self.truth(self.test(node.test)) is False
        self.state, self.block = before, outer
        self.restore(checkpoint)
        if never:
            self.set_origin(node)
            self.test(node.test)  # for what it changes
            return None

        def lower_body(context: LoopContext) -> tuple[Expr, bool]:
            outer_block = self.block
            self.set_origin(node)
            value = self.test(node.test)
            condition = self.expression(value)
            prelude = len(self.block) > 0
            if prelude:
                before = self.state
                exit_block: list[Stmt] = []
                context.breaks.append((before.fork(), exit_block))
                context.plain_breaks += 1
                inner: list[Stmt] = []
                self.block = inner
                falls = self.stmts(node.body)
                if falls:
                    context.continues.append((self.state, self.block))
                self.block = outer_block
                self.block.append(gast.If(gast.UnaryOp(gast.Not(), condition), exit_block, inner))
                self.block[-1].origin = self.origin
                return gast.Constant(True, None), False
            falls = self.stmts(node.body)
            if falls:
                context.continues.append((self.state, self.block))
            return condition, True

        self.branches += 1
        try:
            return self.loop(node, lambda test_expr, block: gast.While(test_expr, block, []), lower_body)
        finally:
            self.branches -= 1

    def tables_in(self, value: Value) -> list[str]:
        """The dicts whose keys only the run knows that a loop runs over: the names of the lists of their items."""
        if isinstance(value, Lazy):
            return [key for part in value.args for key in self.tables_in(part)]
        found = []
        for ref, obj in self.state.heap.items():
            parts = obj.attributes if isinstance(obj, Instance) and issubclass(obj.cls, Table) else {}
            keys = [atom_key(p.expr) for p in parts.values() if isinstance(p, Leaf)]
            parts = parts if isinstance(parts.get("held"), Leaf) else {}  # (else it has one item, and stays as it is)
            leads = isinstance(value, Leaf) and atom_key(value.expr) in keys
            if parts and (leads or (isinstance(value, Ref) and value.id == ref)):
                found.append(atom_key(parts["held"].expr))  # type: ignore[attr-defined]
        return found

    def loop_For(self, node: Any, rest: list[Any]) -> LoopContext | None:
        over = self.rows(node.iter)
        if self.is_asked(over):  # all its items would be taken before the first turn
            self.refuse(*IN_TURNS)
        written = self.block, len(self.block)
        value = self.held_iterable(self.by_its_iter(over))
        outer = self.tables_run_over
        self.tables_run_over = [*outer, *self.tables_in(value)]
        try:
            return self.loop_over(node, value, rest, outer, written)
        finally:
            self.tables_run_over = outer

    def loop_over(
        self, node: Any, value: Value, rest: list[Any], outside: list[str], written: tuple[list[Stmt], int]
    ) -> LoopContext | None:
        block, start = written
        watches, listed, mark = self.watches_in(value), len(self.listings), len(self.ahead)
        try:
            run = self.run_of_loop(node, value)
        except DerivationError:
            if not only_looks(value):  # one of the items may be what raises
                self.items_computed(node, None)
            raise
        if self.attempts:
            self.items_computed(node, [*block[start:], *(s for watch in watches for s in watch.written)])
        ahead = self.ahead[mark:]
        del self.ahead[mark:]
        if any(items.changes for items in ahead) and _may_end_early(node.body):
            self.in_turns_of(*(items.watch.site for items in ahead))
        if isinstance(run, Run) and run.length is None:
            self.refuse("a loop over something that never ends", ways.LOOP)
        if isinstance(run, Turns):
            self.tables_run_over = outside  # what is behind the loop is lowered there, too
            run.ahead = ahead
            return self.unrolled(node, run, rest)
        holder: dict[str, str] = {}
        if isinstance(run, Opaque):
            run = self.listed(run)
        listings = self.listings[listed:]
        known = self.known_range(value)
        count = len(known) if known is not None else self.count_of(run)

        def header(test: Any, block: list[Stmt]) -> Stmt:
            return gast.For(gast.Name(holder["name"], gast.Store(), None, None), self.loop_header(run), block, [], None)

        def lower_body(context: LoopContext) -> tuple[Expr, bool]:
            self.set_origin(node)

            def turn() -> bool:
                start = len(self.block)
                holder["name"] = self.bind_item(node.target, run)
                if not isinstance(run, Opaque) and not only_looks(value):
                    self.items_computed(node, self.block[start:])
                return self.stmts(node.body)

            beside = {ref: list(contents(self.state.heap[ref]).values()) for ref in self.containers_in(value)}
            if self.alongside(ahead, turn):
                context.continues.append((self.state, self.block))
            ends = [state for state, _ in context.continues]
            self.check_beside(beside, ends, value)
            self.check_turn(watches, ahead, ends)
            self.check_listings(listings, context, value)
            return None, True

        self.turning.append((self.site(node), count))
        self.loop_places[self.site(node)] = self.where()
        try:
            return self.loop(node, header, lower_body)
        finally:
            self.turning.pop()

    def check_beside(self, held: dict[int, list[Value]], ends: list[State], over: Value) -> None:
        """Refuse a body after which another turn may come, and that changes a container of known form which the loop
        runs over beside others: its items were put into a list before the first turn.

        for a, b in zip(array, [x, y]): ...
        """
        for ref, items in held.items():
            for state in ends:
                now = list(contents(state.heap[ref]).values())
                if len(now) != len(items) or not all(map(self.same, now, items)):
                    self.ask_in_steps(self.made_at(over))
                    self.refuse(*CHANGED_IN_BODY, concrete=True)

    def check_turn(self, watches: list[Watch], ahead: list[Ahead], ends: list[State]) -> None:
        """Refuse a body after which another turn may come, and that changes what its item is computed from."""
        outer = self.state
        for self.state in ends if watches or ahead else ():
            for watch in watches:
                self.check_watch(watch)
            self.check_ahead(ahead)
        self.state = outer

    def check_listings(
        self, listings: list[tuple[str, int, list[str]]], context: LoopContext, over: Value
    ) -> None:
        """Refuse a body that changes what its loop runs over, and has looked up before."""
        for key, before, changes in listings:
            found = {at for at in range(before, len(changes)) if changes[at] == key}
            for noted, start, end in context.leaving:
                if noted is changes:
                    found.difference_update(range(start, end))
            if found:
                self.ask_in_steps(self.made_at(over))
                self.refuse(*CHANGED_IN_BODY, concrete=True)

    def count_of(self, run: Run) -> int | None:
        """How often a loop turns, where that is known."""
        return run.size.const if run.size is not None and run.size.known else self.count_as_given(run)

    def count_as_given(self, run: Run) -> int | None:
        """How often a loop turns, by the lengths of lists that were passed."""
        if self.decisions.resized:
            return None
        if run.header is None:
            return None if run.length is None else self.as_given(run.length)
        header = run.header
        if _calls(header, "reversed"):
            (header,) = header.args
        bounds = [self.as_given(e) for e in header.args] if _calls(header, "range") else [None]
        return None if None in bounds else len(range(*bounds))

    def as_given(self, expr: Expr) -> int | None:
        """The value of such a bound."""
        if isinstance(expr, gast.Constant):
            return expr.value if type(expr.value) is int else None
        if _calls(expr, "len"):
            return self.lengths.get(atom_key(expr.args[0]))
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
            left, right = self.as_given(expr.left), self.as_given(expr.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(expr.op, gast.Add) else left - right
        return None

    def run_of_loop(self, node: Any, value: Value) -> Turns | Run | Opaque:
        """How a for loop runs; ranges stay loops unless their turns have to be told apart."""
        apart = self.site(node) in self.decisions.unrolled
        outer, self.body_size = (
            self.body_size,
            0 if apart or getattr(self.frame.source, "library", False) else _statements_in(node.body),
        )
        try:
            return self.run_of_body(node, value, apart)
        finally:
            self.body_size = outer

    def run_of_body(self, node: Any, value: Value, apart: bool) -> Turns | Run | Opaque:
        known = self.known_range(value)
        inside = self.frame.source.tree.name == "comprehension"
        short = known is not None and inside and not self.is_long(len(known))
        if known is not None and (short or apart):
            return Turns([self._constant(k) for k in known], value, None)
        run = self.run_of_map(value) if isinstance(value, Lazy) and value.function is map else self.run_of(value)
        if isinstance(run, Turns):
            return run
        count = self.count_of(run) if apart and isinstance(run, Run) else None
        if count is None and inside and isinstance(run, Run) and run.size is not None:
            count = run.size.const if run.size.known and not self.is_long(run.size.const) else None
        if count is not None and not only_looks(value):
            whole = self.straight(run)
            return self.in_turns(count, value, lambda k: whole.item(self._constant(k)))  # type: ignore[arg-type]
        if count is not None:

            def items() -> list[Value]:
                found = self.straight(self.run_of(value))
                return [self.held(found.item(self._constant(k))) for k in range(count)]  # type: ignore[arg-type]

            return self.looked_at(Turns(items(), value, items))
        if isinstance(run, list):
            run = [self.held(v) for v in run]
            anew = (lambda: [self.held(v) for v in self.run_of(value)]) if only_looks(value) else None  # type: ignore[union-attr]
            return self.looked_at(Turns(run, value, anew))
        return run

    def run_of_map(self, value: Lazy) -> Turns | list[Value] | Run | Opaque:
        """A loop over map(...): the function is called in each turn."""
        self.run_through(value)
        function, *sources = value.args
        group = self.run_zip(sources, False)
        if isinstance(group, list):
            held = [self.held(v) for v in group]
            self.pin(held)
            return self.in_turns(len(held), value, lambda k: self.mapped(function, held[k]))
        return self.run_mapped(function, group) if isinstance(group, Run) else self.run_of(value)

    def in_turns(self, count: int, value: Value, item: Function[[int], Value]) -> Turns:
        """Turns whose items are computed when they begin."""
        items: list[Value] = [self._constant(k) for k in range(count)]
        return self.looked_at(Turns(items, value, None, at=lambda k: self.held(item(k))))

    def looked_at(self, turns: Turns) -> Turns:
        """The turns, with what they run over as it is now."""
        turns.held = {ref: list(contents(self.state.heap[ref]).values()) for ref in self.containers_in(turns.value)}
        turns.stores = len(self.stores_made)
        turns.watches = self.watches_in(turns.value)
        self.pin(turns.items)
        return turns

    def containers_in(self, value: Value) -> list[int]:
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            changes = isinstance(obj, DictObj) or (isinstance(obj, ListObj) and not obj.once)
            return [value.id] if changes else []
        parts = (*value.args, *(v for _, v in value.kwargs)) if isinstance(value, (Lazy, Partial)) else ()
        return [ref for part in parts for ref in self.containers_in(part)]

    def arrays_in(self, value: Value) -> set[str]:
        """The memory of the arrays that a loop runs over."""
        if isinstance(value, Leaf):
            return {self.root_of(atom_key(value.expr))} if isinstance(value.kind, (Array, ListOf)) else set()
        parts = (*value.args, *(v for _, v in value.kwargs)) if isinstance(value, (Lazy, Partial)) else ()
        return {root for part in parts for root in self.arrays_in(part)}

    def looked_at_again(self, turns: Turns) -> list[Value]:
        """The items as they are now: the loop goes on with what it runs over, and does not begin anew."""
        self.looking_again += 1
        try:
            return turns.anew()  # type: ignore[misc]
        finally:
            self.looking_again -= 1

    def item_of(self, turns: Turns, k: int) -> Value | None:
        """The item of the k-th turn, as it is when the turn begins; None behind the last."""
        for watch in turns.watches if k < len(turns.items) else ():
            self.check_watch(watch)
        self.check_ahead(turns.ahead)
        changed = turns.at is None and bool(self.arrays_in(turns.value) & set(self.stores_made[turns.stores :]))
        longer = []
        for ref, items in turns.held.items():
            now = list(contents(self.state.heap[ref]).values())
            longer += [ref] if len(now) != len(items) else []
            changed = changed or bool(longer) or not all(map(self.same, now, items))
        if changed:
            if turns.anew is None or any(self.must_keep_its_length(Ref(ref)) for ref in longer):
                self.refuse(*CHANGED_IN_BODY, concrete=True)
            turns = replace(turns, items=self.looked_at_again(turns))
        if k >= len(turns.items):
            return None
        return turns.items[k] if turns.at is None else turns.at(k)

    def held_iterable(self, value: Value) -> Value:
        """Bounds of a range that are not plain get names: they are evaluated once."""
        if isinstance(value, Leaf) and value.nested:
            return self.held(value, "items")
        if not isinstance(value, Lazy):
            return value
        args = []
        for part in value.args:
            if isinstance(part, Leaf) and part.nested:
                part = part if self.plain(part.expr) else self.anchor(part, "n")
            elif isinstance(part, Lazy):
                part = self.held_iterable(part)
            args.append(part)
        return replace(value, args=tuple(args))

    def loop_header(self, run: Run | Opaque) -> Expr:
        if isinstance(run, Opaque):
            return clone(run.expr)
        if run.header is not None:
            return clone(run.header)
        header = gast.Call(load("range"), [clone(run.length)], [])
        return gast.Call(load("reversed"), [header], []) if run.backwards else header

    def bind_item(self, target: Any, run: Run | Opaque) -> str:
        """Give the target of a loop its item in this turn; the name of the core loop's own variable."""
        if isinstance(run, Opaque):
            stem = target.id if isinstance(target, gast.Name) else "item"
            name = self.counter_name(stem, run.kind)
            item = Leaf(load(name), run.kind)
            value: Value = (
                Tup(tuple(self.iterate_static(item)), run.kind.cls) if isinstance(run.kind, TupleKind) else item
            )
            self.assign(target, value)
            return name
        stem = _counter_stem(target, run)
        name = self.counter_name(stem, Number(int, self.position_of(run, self.symbol(stem or "k"))))
        position = Leaf(load(name), self.facts.kinds[name])
        self.assign(target, position if run.header is not None else run.item(position))
        return name

    def position_of(self, run: Run, symbol: Dim) -> Dim:
        """The symbol with what is known of the values that it takes in a loop over a run."""
        bounds = run.bounds
        if run.header is None and run.size is not None:
            bounds = dims.ZERO, run.size - 1
        return symbol if bounds is None else dims.among(symbol, *bounds)

    def counter_name(self, stem: str, kind: Kind) -> str:
        if not stem.strip("_"):  # a name of ours: none of the user's
            trees = (self.frame.source.tree, self.frames[0].source.tree)
            taken = {n.id for tree in trees for n in walk_names(tree)}
            stem = next((s for s in ("k", "i", "j", "l", "m") if s not in taken), "k")
        name = self.facts.fresh(stem, temp=False)
        self.facts.kinds[name] = kind
        self.facts.user_name[name] = stem
        return name

    def unrolled(self, node: Any, turns: Turns, rest: list[Any]) -> LoopContext | None:
        """A loop over items of known structure is written out."""
        if len(turns.items) > LONGEST:
            self.refuse(f"a loop over more than {LONGEST} items of known structure", "use an array")
        if has_jump(node.body, own=True):
            raise Unrolled(turns)
        over: LoopContext | None = LoopContext(self.frame.id, ended=True)
        loop = self.frame.id, id(node)

        def turn(k: int) -> bool:
            nonlocal over
            item = self.item_of(turns, k)
            if item is None:
                over = None
                return False
            self.set_origin(node)
            self.written_out_turn[loop] = k
            try:
                self.assign(node.target, item)
                return self.stmts(node.body)
            finally:
                del self.written_out_turn[loop]

        for k in range(LONGEST):
            if not self.alongside(turns.ahead, lambda k=k: turn(k)):  # type: ignore[misc]
                return over
        self.refuse(f"a loop over more than {LONGEST} items of known structure", "use an array")

    def unrolled_with_jumps(self, node: Any, turns: Turns, rest: list[Any]) -> bool:
        """Where turns end early, the turns behind them are lowered into the branches that go on.

        for x in (a, b):                  if a: r
            if x: break; r         ->     if not a: ... b
        """
        context = LoopContext(self.frame.id, node=node, turns=turns, rest=rest)
        context.follow = has_return(node.body) or has_jump(node.orelse)
        falls = self.turn(context, 0)
        if context.follow:
            return falls
        ends = [*context.breaks, *context.ends]
        if not ends:
            return False
        self.state = self.join(ends)
        return self.stmts(rest)

    def turn(self, context: LoopContext, k: int) -> bool:
        """Lower the turns from the k-th on, and what follows the loop where that is written into its branches."""
        node = context.node
        assert context.turns is not None
        item = self.item_of(context.turns, k)
        if item is None:
            self.set_origin(node)
            if context.follow:
                return self.stmts([*node.orelse, *context.rest])
            if node.orelse and not self.stmts(node.orelse):
                return False
            context.ends.append((self.state, self.block))
            return False
        self.loops.append(context)
        outer, context.position = context.position, k
        try:
            self.set_origin(node)
            self.assign(node.target, item)
            body = once_for(node, "without continues", lambda: without_continues(node.body))
            return self.stmts([*body, NextTurn(context, k + 1)])
        finally:
            self.loops.pop()
            context.position = outer

    def stmt_NextTurn(self, node: NextTurn) -> bool:
        removed = self.loops[self.loops.index(node.context) :]
        del self.loops[-len(removed) :]
        try:
            return self.turn(node.context, node.position)
        finally:
            self.loops.extend(removed)

    def loop(self, node: Any, header: Any, lower_body: Any) -> LoopContext:
        """Lower a loop at run time: find what it carries and of which kinds, by trying until nothing changes."""
        site = self.site(node)
        heads = self.decisions.heads.setdefault(site, {})
        templates: dict[Any, Value] = {}
        entry, outer, origin = self.state, self.block, self.origin
        mark = len(outer)
        outside = _names_outside(self.frame.source.tree, node)
        binds = frozenset(n.id for s in node.body for n in walk_names(s) if isinstance(n.ctx, gast.Store))
        checkpoint = self.checkpoint()
        for _attempt in range(40 + len(entry.slots())):  # (what is handed from name to name takes an attempt for each)
            self.restore(checkpoint)
            del outer[mark:]
            self.block, self.origin = outer, origin
            self.state = entry.fork()
            head_values = self.make_heads(heads, templates)
            lacking = {id(v): v for slot, v in head_values.items() if self.lacks_value(entry, slot)}
            lacking |= {id(v.none): v.none for v in lacking.values() if isinstance(v, Maybe)}
            self.perhaps_unbound.update(lacking)
            head_state = self.state
            body: list[Stmt] = []
            context = LoopContext(self.frame.id, binds=binds)
            self.state, self.block = head_state.fork(), body
            self.loops.append(context)
            self.in_loops += 1
            try:
                test, _plain_test = lower_body(context)
            finally:
                self.in_loops -= 1
                self.loops.pop()
            self.block, self.origin = outer, origin
            exits = [*context.continues, *context.breaks]
            try:
                settled = self.settle(heads, templates, head_state, head_values, exits, entry, outside)
            except Grows as found:
                self.restore(checkpoint)
                del outer[mark:]
                self.state = entry
                self.lists_of_the_run(found.lists)
                heads, templates = self.decisions.heads.setdefault(site, {}), {}
                checkpoint, mark = self.checkpoint(), len(outer)
                continue
            if not settled:
                continue
            if self.marked_in_body(heads, head_values, entry, head_state, exits):
                continue
            if context.early and not any(outer_loop.early for outer_loop in self.loops):
                raise context.early[0]
            self.write_back(head_state, head_values, exits)
            for _state, block in context.breaks:
                block.append(gast.Break())
            self.state = head_state
            self.state.begun = entry.begun
            for ref_state, _block in exits:
                for ref, obj in ref_state.heap.items():
                    self.state.heap.setdefault(ref, obj)
            self.write(header(test, body))
            statement = outer[-1]
            endless = isinstance(statement, gast.While) and getattr(statement.test, "value", None) is True
            if not endless and not (isinstance(statement, gast.For) and turns_surely(statement)):
                first = bound_first(node) if isinstance(statement, gast.For) and begins_surely(statement) else ()
                given = [head_values.get(("var", self.frame.id, name)) for name in first]
                self.unsure.update({k: v for k, v in lacking.items() if not any(v is g for g in given)})
            return context
        self.unroll_a_loop()
        self.refuse(
            "what this loop carries from one turn to the next does not settle",
            ways.ONE_FORM,
            concrete=True,
        )

    def lists_of_the_run(self, lists: list[int]) -> None:
        """Lists that a loop makes longer are lists at run time from here on; they have to be where they are made, too.

        for k in range(n): b.append(k)  with `b = []` before  ->  lst = [] in front of the loop, to see what more there
                                                                  is to learn before all begins again

        Raises:
            Restart: others may hold them.
        """
        slots, refs = self.state.slots(), {*lists}
        own = not self.state.maybe and min(lists) > self.state.begun
        others = (v for v in slots.values() if not isinstance(v, (Leaf, Ref)))
        if not own or any(isinstance(part, Ref) and part.id in refs for v in others for part in self.within(v, set())):
            raise Restart
        self.go_on_guessing()
        for ref in lists:
            obj = self.state.heap[ref]
            assert isinstance(obj, ListObj)
            made = self.dynamic_list(obj.site, list(obj.items))
            for slot, value in slots.items():
                if isinstance(value, Ref) and value.id == ref:
                    self.state.put(slot, made)

    def lacks_value(self, entry: State, slot: Any) -> bool:
        """May a variable have no value in front of a loop that binds it?"""
        value = entry.slots().get(slot)
        return slot[0] == "var" and (value is None or isinstance(value, Unbound) or id(value) in self.unsure)

    def marked_in_body(
        self, heads: dict[Any, Any], made: dict[Any, Value], entry: State, head: State, exits: list[Any]
    ) -> bool:
        """Has a container from before the loop become an item of a run-time list in a turn, or been changed under
        another name? In the next turn, and behind the loop, it is so from the start."""
        again = False
        for mark in ("held", "stale"):
            marked = {
                ref
                for state, _block in exits
                for ref, obj in state.heap.items()
                if getattr(obj, mark, False) and ref in head.heap and not getattr(head.heap[ref], mark)
            }
            for ref in marked & entry.heap.keys():
                setattr(entry.heap[ref], mark, True)
                again = True
            paths = [path for slot, value in made.items() for path in self.paths_to(marked, value, (slot,), head)]
            heads.setdefault(mark, set()).update(paths)
            again = again or bool(paths)
        return again

    def paths_to(self, refs: set[int], value: Value, path: Any, state: State) -> Iterator[Any]:
        """Where in a value some of these containers stand."""
        parts: Any = dict(enumerate(value.items)) if isinstance(value, Tup) else {}
        if isinstance(value, Ref):
            if value.id in refs:
                yield path
            parts = contents(state.heap[value.id]) if value.id in state.heap and len(path) < 8 else {}
        for key, part in parts.items():
            yield from self.paths_to(refs, part, (*path, key), state)

    def make_heads(self, heads: dict[Any, Any], templates: dict[Any, Value]) -> dict[Any, Value]:
        """Give the carried values their names, with copies of what they hold on entry."""
        made: dict[Any, Value] = {}
        slots = self.state.slots()
        copies: list[tuple[str, Value]] = []
        self.head_containers = []
        for slot in list(heads):
            if slot in ("together", "held", "stale", "perhaps one") or len(slot) != 3 or slot[0] == "kind":
                continue
            if slot not in slots and not (slot[0] == "var" and slot in templates and slot[1] in self.state.frames):
                continue
            entry = slots.get(slot, Unbound())
            if heads[slot] == "varied":
                new = _varied_like(entry, heads["varied", *slot])
                if new is not entry:
                    for key in _varied_keys(new):
                        self.facts.varied.add(key)
                    made[slot] = new
                    self.put_as_it_was(slot, new)
                continue
            template = templates.get(slot, entry)
            if isinstance(template, Unbound):
                continue
            made[slot] = self.head_of(template, entry, slot, (slot,), heads, copies)
            self.put_quietly(slot, made[slot])
        for name, value in copies:
            self.block.append(copy_statement(name, self.expression(value), self.origin))
        for group in (*heads.get("together", ()), *heads.get("perhaps one", ())):
            found = [self.part_at(made, path) for path in group]
            refs = [v.id for v in found if isinstance(v, Ref)]
            for ref in refs:
                self.state.stands_for(ref, refs)
        self.tell_heads_apart(heads.get("perhaps one", set()))
        return made

    def tell_heads_apart(self, perhaps_one: set[frozenset[Any]]) -> None:
        """Carried containers that are two objects on entry, and at the end of every turn, are two in every turn."""
        for (path, ref, before), (other_path, other, other_before) in itertools.combinations(self.head_containers, 2):
            met = before is not None and other_before is not None and self.state.may_be_one(before, other_before)
            if not met and frozenset((path, other_path)) not in perhaps_one and max(map(len, (path, other_path))) < 8:
                self.state.apart.add(frozenset((ref, other)))

    def part_at(self, made: dict[Any, Value], path: Any) -> Value | None:
        """The part of what a loop carries that a path leads to."""
        value = made.get(path[0])
        for key in path[1:]:
            if isinstance(value, Tup):
                value = value.items[key]
            elif isinstance(value, Ref):
                value = contents(self.state.heap[value.id]).get(key)
        return value

    def note_sharing(
        self, heads: dict[Any, Any], made: dict[Any, Value], state: State, entry: State, settled: bool
    ) -> bool:
        """Containers that a turn leaves under several names, or that were there before the loop: in the next turn,
        what is carried may be the same object under another name."""
        places: dict[int, list[Any]] = {}

        def collect(value: Value, path: Any) -> None:
            if isinstance(value, Ref):
                places.setdefault(value.id, []).append(path)
                if len(path) < 8:
                    for key, part in contents(state.heap[value.id]).items():
                        collect(part, (*path, key))
            elif isinstance(value, Tup):
                for key, part in enumerate(value.items):
                    collect(part, (*path, key))

        slots = state.slots()
        for slot in made:
            if slot in slots:
                collect(slots[slot], (slot,))
        for ref, paths in places.items():
            groups = heads.setdefault("together", [])
            if len(paths) > 1 and paths not in groups:
                groups.append(paths)
                settled = False
            # (what another name held at the start of the turn, or what a branch in it chose, may be from before it)
            before = state.stood_for(ref) & entry.heap.keys()
            for path in paths if before else ():
                known = heads.setdefault(("maybe same", path), set())
                if not before <= known:
                    known |= before
                    settled = False
        met = heads.setdefault("perhaps one", set())
        for (ref, paths), (other, others) in itertools.combinations_with_replacement(places.items(), 2):
            if state.may_be_one(ref, other):
                pairs = {frozenset(pair) for pair in itertools.product(paths, others) if pair[0] != pair[1]}
                settled = settled and pairs <= met
                met |= pairs
        return settled

    def put_quietly(self, slot: Any, value: Value) -> None:
        if slot[0] == "var":
            self.state.frames[slot[1]][slot[2]] = value
        else:
            self.state.put(slot, value)

    def head_of(
        self,
        template: Value,
        entry: Value,
        slot: Any,
        path: Any,
        heads: dict[Any, Any],
        copies: list[tuple[str, Value]],
    ) -> Value:
        if isinstance(template, Tup):
            parts = (
                entry.items
                if isinstance(entry, Tup) and len(entry.items) == len(template.items)
                else [Unbound()] * len(template.items)
            )
            items = [
                self.head_of(t, e, slot, (*path, i), heads, copies)
                for i, (t, e) in enumerate(zip(template.items, parts, strict=True))
            ]
            return Tup(tuple(items), template.cls)
        if isinstance(template, Ref):
            obj = self.state.heap.get(template.id) or self.template_heap[template.id]
            own = self.state.heap.get(entry.id) if isinstance(entry, Ref) else None
            made = obj.copy()
            made.expr = None
            made.stale = made.stale or path in heads.get("stale", ())
            if isinstance(made, ListObj):
                made.held = made.held or path in heads.get("held", ())
            ref = self.next_id()
            self.state.heap[ref] = made
            self.head_containers.append((path, ref, entry.id if isinstance(entry, Ref) else None))
            others = set(heads.get(("maybe same", path), ()))
            if isinstance(entry, Ref):
                others.add(entry.id)
            self.state.stands_for(ref, others)
            for key, value in list(contents(obj).items()):
                held = contents(own).get(key, Unbound()) if own is not None else Unbound()
                put_item(made, key, self.head_of(value, held, slot, (*path, key), heads, copies))
            return Ref(ref)
        if ("conflict", path) in heads:
            return heads["conflict", path]  # type: ignore[no-any-return]
        if ("maybe", path) in heads:
            return self.maybe_head(entry, slot, path, heads, copies)
        if not isinstance(template, (Leaf, Known)):
            return template
        kind_key = ("kind", path)
        known = heads.get(kind_key)
        if known is None:
            if isinstance(template, Known):
                return entry if not isinstance(entry, Unbound) else template
            if slot[2] == "#result" and isinstance(entry, Unbound) and self.stands_before(template):
                return template  # what an early return gives back was there before the loop
            kind: Kind = _opened(template.kind, self)
            varied = self.is_varied(template) or self.is_varied(entry)
        else:
            if isinstance(entry, (Leaf, Known)):  # what was learnt may be of another round of an enclosing loop
                heads[kind_key] = known = self.joined_head(known, entry)
            kind, varied = known
            kind = _opened(kind, self)
        stem = _slot_stem(path)
        name = self.facts.fresh(stem, temp=False)
        self.facts.user_name[name] = stem
        self.facts.kinds[name] = kind
        if varied:
            self.facts.varied.add(name)
        if self.is_exception(template) or self.is_exception(entry):
            self.caught.add(name)
        if isinstance(entry, (Leaf, Known)):
            copies.append((name, entry))
            if isinstance(kind, ListOf) and isinstance(entry, Leaf) and atom_key(entry.expr) in self.joined_sites:
                self.joined_sites[name] = self.joined_sites[atom_key(entry.expr)]
            if isinstance(kind, ListOf) and isinstance(entry, Leaf) and atom_key(entry.expr) in self.site_of:
                self.site_of[name] = self.site_of[atom_key(entry.expr)]
                if atom_key(entry.expr) in self.limits:
                    self.limits[name] = self.limits[atom_key(entry.expr)]
        perhaps = heads.get(("list", path)) or any(map(self.perhaps_list, (entry, template)))
        if may_hold_list(kind) and perhaps:
            self.may_be_lists.add(name)
        if heads.get(("flat", path)) or self.is_flat(entry):
            self.flats.add(name)
            self.half_flats.add(name)
        return Leaf(load(name), kind, varied)

    def stands_before(self, value: Leaf) -> bool:
        """Is a list or an array one that a variable holds when a loop begins?"""
        if not isinstance(value.expr, gast.Name) or not isinstance(value.kind, (ListOf, Array)):
            return False
        held = (v for slot, v in self.state.slots().items() if slot[0] == "var")
        return any(isinstance(v, Leaf) and same_expr(v.expr, value.expr) for v in held)

    def joined_head(self, known: tuple[Kind, bool], entry: Value) -> tuple[Kind, bool]:
        """The kind and activity of a carried name that takes in what it holds on entry."""
        kind, varied = known
        own = self.kind(entry)
        if isinstance(own, Static) and own.value is not None:
            own = plain_number(own) if is_python_number(own.value) else _at_run_time(own)
        joined = _closed(join_kinds(kind, own, lambda: Dim.symbol("head@")), None)
        if isinstance(joined, Static):
            joined = Number(bool) if isinstance(joined.value, bool) else _at_run_time(joined)
        return joined, varied or self.is_varied(entry)

    def maybe_head(
        self, entry: Value, slot: Any, path: Any, heads: dict[Any, Any], copies: list[tuple[str, Value]]
    ) -> Value:
        """The head of what is None in some turns."""
        flag_entry = entry if isinstance(entry, Unbound) else none_of(entry)
        absent = Leaf(gast.Attribute(load(self.global_name("np", np)), "nan", gast.Load()), Number(float))
        inner, place = value_of(entry), (*path, "value")
        heads.setdefault(("kind", (*path, "none")), (Number(bool), False))

        def part_of(form: Value, given: Value, at: Any) -> Value:
            if isinstance(form, Tup):
                items = given.items if isinstance(given, Tup) else (given,) * len(form.items)
                parts = (part_of(f, g, (*at, i)) for i, (f, g) in enumerate(zip(form.items, items, strict=True)))
                return Tup(tuple(parts), form.cls)
            kind, _ = heads["kind", at]
            given = absent if isinstance(given, Unbound) and isinstance(kind, Number) else given
            return self.head_of(Leaf(gast.Constant(0.0, None), kind), given, slot, at, heads, copies)

        value = part_of(heads["maybe", path], inner, place)
        flag = self.head_of(
            Leaf(gast.Constant(True, None), Number(bool)), flag_entry, slot, (*path, "none"), heads, copies
        )
        assert isinstance(value, (Leaf, Tup)) and isinstance(flag, Leaf)
        return Maybe(flag, value)

    def settle(
        self,
        heads: dict[Any, Any],
        templates: dict[Any, Value],
        head_state: State,
        made: dict[Any, Value],
        exits: list[tuple[State, list[Stmt]]],
        entry: State,
        outside: set[str],
    ) -> bool:
        """Compare what the loop's turns end with to what they start with; note what differs. True when it settled."""
        settled = True
        self.turn_start = head_state
        carried: dict[int, set[str]] = {}
        for where, owner, key in made:
            if where == "var":
                carried.setdefault(owner, set()).add(key)
        for state, _block in exits:
            for ref, obj in head_state.heap.items():
                other = state.heap.get(ref)
                if other is not None and keys_of(other) != keys_of(obj):
                    self.structure_differs(ref, [head_state, state])
            alike = agreed([head_state, state])
            for owner in alike.keys() & carried.keys():
                alike[owner] -= carried[owner]
            for slot, value in state.slots(alike).items():
                if slot[0] == "heap" and slot[1] not in head_state.heap:
                    continue
                if slot[0] == "var" and slot[1] not in head_state.frames:
                    continue
                head = head_state.at(slot)
                if slot not in made:
                    if self.same(head, value):
                        continue
                    if isinstance(value, Unbound):
                        continue
                    if (
                        isinstance(head, Unbound)
                        and slot[0] == "var"
                        and slot[1] == self.frame.id
                        and slot[2] not in outside
                        and (not str(slot[2]).startswith("#") or str(slot[2]).startswith(OF_TRY))
                    ):
                        continue
                    if _same_but_variation(head, value):
                        gained = _varied_keys(value)
                        known_keys = heads.setdefault(("varied", *slot), set())
                        if heads.get(slot) != "varied" or not gained <= known_keys:
                            heads[slot] = "varied"
                            known_keys |= gained
                            settled = False
                        continue
                    if heads.get(slot) == "carried" and slot in templates:
                        continue
                    heads[slot] = "carried"
                    template = entry.at(slot)
                    if isinstance(template, Unbound):
                        template = self.remember(state, value)
                    templates[slot] = template
                    settled = False
                    if not self.compare((slot,), template, value, heads, state):
                        settled = False
                    continue
                if heads.get(slot) == "varied":
                    if _same_but_variation(made[slot], value):
                        known_keys = heads["varied", *slot]
                        if not _varied_keys(value) <= known_keys:
                            known_keys |= _varied_keys(value)
                            settled = False
                        continue
                    heads[slot] = "carried"
                    templates[slot] = entry.at(slot)
                    settled = False
                    continue
                if not self.compare((slot,), made[slot], value, heads, state):
                    settled = False
            settled = self.note_sharing(heads, made, state, entry, settled)
        return settled

    def note_conflict(self, path: Any, reason: str, heads: dict[Any, Any]) -> bool:
        """A carried value has no one form: it may not be used, unless the turns are told apart."""
        heads["conflict", path] = Conflict(reason, self.turning[-1] if self.turning else None)
        return False

    def note_maybe(self, path: Any, values: list[Value], heads: dict[Any, Any]) -> bool:
        """A carried value is None in some turns and a number or a tuple of such in others; False for anything else."""
        inner = next(v for v in map(value_of, values) if not isinstance(v, Unbound))
        kinds = {at: _closed(self.kind(part), None) for at, part in _parts_of(inner, (*path, "value"))}
        if not all(isinstance(kind, Number) for kind in kinds.values()):
            return False
        heads["maybe", path] = inner
        heads.update({("kind", at): (kind, True) for at, kind in kinds.items()})
        return True

    def starts_as_none(self, path: Any, heads: dict[Any, Any]) -> NoReturn:
        """What was None or a constant number in the first attempts is active: it is followed as what may be None, and
        what was found out since then (of what is computed with it, too) is found out again."""
        for found in self.decisions.heads.values():
            for key in [k for k in found if k[0] != "absent"]:
                del found[key]
        heads["absent", path] = "active"
        raise Restart

    def remember(self, state: State, value: Value) -> Value:
        """The value as a template for later attempts: with containers of its own, whose ids no attempt gives out."""
        if isinstance(value, Ref):
            made = state.heap[value.id].copy()
            ref = -1 - len(self.template_heap)
            self.template_heap[ref] = made
            for key, part in list(contents(made).items()):
                put_item(made, key, self.remember(state, part))
            return Ref(ref)
        if isinstance(value, Tup):
            return Tup(tuple(self.remember(state, part) for part in value.items), value.cls)
        return value

    def compare(self, path: Any, head: Value, value: Value, heads: dict[Any, Any], state: State) -> bool:
        """Does the value fit under the head? Widens what is known of the head where it does not."""
        if isinstance(value, Unbound) or isinstance(head, Conflict):
            return True
        if isinstance(value, Conflict):
            heads["conflict", path] = value
            return False
        if isinstance(head, Maybe):
            if ("maybe", path) not in heads:  # so it was before the loop, and has no names of the loop's own yet
                if self.same(head, value):
                    return True
                if isinstance(value, (Leaf, Known, Maybe, Tup)) and self.note_maybe(path, [head, value], heads):
                    return False
                return self.note_conflict(path, "it changes its structure in a loop", heads)
            if is_none(value):
                return True
            if isinstance(value, (Leaf, Maybe, Tup)):
                return self.compare((*path, "value"), head.value, value_of(value), heads, state)
            return self.note_conflict(path, "it changes its structure in a loop", heads)
        tuples = any(isinstance(tuple_of(v), Tup) for v in (head, value))
        if tuples and may_be_none([head, value], tuples) and self.note_maybe(path, [head, value], heads):
            return False
        if may_be_none([head, value]):  # so neither is a container, which may be in another state
            active = self.is_varied(head) or self.is_varied(value) or heads.get(("absent", path)) == "active"
            if active and self.note_maybe(path, [head, value], heads):
                return False
            heads.setdefault(("absent", path), "constant")
        if isinstance(head, Tup) and isinstance(value, Tup) and len(head.items) == len(value.items):
            return all(
                [
                    self.compare((*path, i), h, v, heads, state)
                    for i, (h, v) in enumerate(zip(head.items, value.items, strict=True))
                ]
            )
        if isinstance(head, Ref) and isinstance(value, Ref):
            a = (
                self.turn_start.heap.get(head.id)
                or self.state.heap.get(head.id)
                or state.heap.get(head.id)
                or self.template_heap.get(head.id)
            )
            b = state.heap.get(value.id)
            assert a is not None and b is not None
            if type(a) is not type(b) or getattr(a, "cls", None) is not getattr(b, "cls", None):
                return self.note_conflict(path, "it changes its structure in a loop", heads)
            if list(contents(a)) != list(contents(b)):
                if isinstance(a, ListObj) and isinstance(b, ListObj):
                    for item in [*a.items, *b.items]:
                        self.note_item(a.site, item)
                        self.note_item(b.site, item)
                    raise Restart
                self.refuse("a container changes its structure in this loop", ways.KEYS_BEFORE)
            own, other = contents(a), contents(b)
            return all([self.compare((*path, k), own[k], other[k], heads, state) for k in own])
        if isinstance(head, (Leaf, Known, Unbound)) and isinstance(value, (Leaf, Known)):
            key = ("kind", path)
            known = heads.get(key)
            if self.same(head, value) and known is None:
                return True
            alone = (bool, int, str, enum.Enum)
            plain = (*alone, float, type(None))
            known_ones = [v.value for v in (head, value) if isinstance(v, Known)]
            if not self.same(head, value) and (len(known_ones) == 2 or any(map(has_own_operators, known_ones))):
                if not all(isinstance(v, plain) and not has_own_operators(v) for v in known_ones):
                    reason = f"{path[0][2]!r} holds different functions or objects in different turns of this loop"
                    return self.note_conflict(path, reason, heads)
            elif isinstance(head, Known) and isinstance(value, Known) and not head.is_a(alone):
                return True
            if known is None:
                base = self.kind(head) if not isinstance(head, Unbound) else self.kind(value)
                varied = self.is_varied(head) if not isinstance(head, Unbound) else False
                if isinstance(base, Static) and base.value is not None:
                    base = Number(bool) if isinstance(base.value, bool) else _at_run_time(base)
            else:
                base, varied = known
                if isinstance(head, Leaf):
                    base = head.kind
            joined = join_kinds(base, self.kind(value), lambda: Dim.symbol("head@"))
            if isinstance(joined, Static):
                joined = Number(bool) if isinstance(joined.value, bool) else _at_run_time(joined)
            joined = _closed(joined, head.kind if isinstance(head, Leaf) else None)
            if known is not None and isinstance(known[0], Number) and isinstance(joined, Number):
                joined = join_kinds(known[0], joined, lambda: Dim.symbol("head@"))  # of the other ends of the turn
            elif known is not None and type(known[0]) is Unknown:
                joined = known[0]  # at another end of the turn
            new = (joined, bool(varied or self.is_varied(value)))
            if type(joined) is Unknown and (self.perhaps_list(head) or self.perhaps_list(value)):
                heads["list", path] = True
            if (
                isinstance(self.kind(value), (Static, Callable))
                and isinstance(value, Known)
                and value.value is None
                and new[1]
            ):
                self.refuse(
                    f"{path[0][2]!r} is None in some turns of this loop and active in others",
                    ways.VALUE_BEFORE,
                )
            if new[1] and heads.get(("absent", path)) == "constant":
                self.starts_as_none(path, heads)
            if self.is_flat(value) and not heads.get(("flat", path)):
                heads["flat", path] = True
            elif known is not None and _same_shape(known, new, head):
                return True
            heads[key] = new
            return False
        if self.same(head, value):
            return True
        return self.note_conflict(path, "it changes its structure in a loop", heads)

    def write_back(self, head_state: State, made: dict[Any, Value], exits: list[tuple[State, list[Stmt]]]) -> None:
        """At the end of every turn, copy what it leaves into the carried names."""
        for state, block in exits:
            slots = state.slots()
            copies: list[tuple[str, Expr]] = []
            for slot, head in made.items():
                value = slots.get(slot)
                if value is not None:
                    self.pair_up(head, value, head_state, state, copies)
            block.extend(copies_at_once(copies, self.old_name, self.origin, self.alias))

    def pair_up(self, head: Value, value: Value, hs: State, vs: State, copies: list[tuple[str, Expr]]) -> None:
        if isinstance(head, Tup) and isinstance(value, Tup):
            for h, v in zip(head.items, value.items, strict=True):
                self.pair_up(h, v, hs, vs, copies)
        elif isinstance(head, Ref) and isinstance(value, Ref):
            a, b = hs.heap[head.id], vs.heap[value.id]
            for key, h in contents(a).items():
                self.pair_up(h, contents(b)[key], hs, vs, copies)
        elif isinstance(head, Maybe):
            self.pair_up(head.none, none_of(value), hs, vs, copies)
            if not isinstance(value_of(value), Unbound):
                self.pair_up(head.value, value_of(value), hs, vs, copies)
        elif (
            isinstance(head, Leaf)
            and isinstance(head.expr, gast.Name)
            and isinstance(value, (Leaf, Known))
            and not same_expr(head.expr, self.expression(value))
        ):
            self.bind_everywhere(value)
            copies.append((head.expr.id, self.expression(value)))

    def old_name(self, name: str) -> str:
        """A name for what a carried name held before this turn."""
        old = self.facts.fresh(name + "_old")
        self.facts.kinds[old] = self.facts.kinds.get(name, Unknown())
        if name in self.facts.varied:
            self.facts.varied.add(old)
        return old

    # --- functions

    @contextlib.contextmanager
    def no_circles(self) -> Iterator[None]:
        """Objects that lead to themselves have no end when they are written out."""
        try:
            yield
        except RecursionError:
            if not self.state.in_a_circle():
                raise
            self.refuse(
                "an object leads to itself here (by a parent, a neighbour), and a loop or a branch hands it on",
                "keep the objects in a list, and their links as positions in it",
            )

    def run_body(self, body: list[Any]) -> Value:
        outer = getattr(self, "returns", [])
        self.returns = []
        variables = self.state.frames[self.frame.id]
        variables["#returned"] = Known(False)
        try:
            falls = self.stmts(body)
            if falls:
                self.returns.append((self.state, self.block, Known(None)))
            leaves = self.returns
        finally:
            self.returns = outer
        leaves = self.without_none(leaves)
        if not leaves:
            if self.diverged:
                raise Diverges
            if self.frame.caller is None and self.frame.id == 0:
                return Leaf(gast.Constant(0.0, None), Number(float))  # it raises: so does the derivative
            self.refuse("this function never returns", "let it return where it is done")
        return self.join_returns(leaves)

    def without_none(self, leaves: list[tuple[State, list[Stmt], Value]]) -> list[tuple[State, list[Stmt], Value]]:
        """Where a function returns a container on some paths and None on others, and the caller goes on with what is in
        the container, the other paths raise."""
        absent = [is_none(value) for *_, value in leaves]
        held = any(isinstance(value, (Tup, Ref)) for *_, value in leaves)
        if not (any(absent) and held and self.takes_apart(self.frame)):
            return leaves
        reason = "cannot unpack non-iterable NoneType object"
        if self.frame is self.outermost:
            reason = NO_RESULT
        for none, (_, block, _) in zip(absent, leaves, strict=True):
            if none:
                block.append(gast.Raise(gast.Call(load("TypeError"), [gast.Constant(reason, None)], []), None))
        return [leaf for none, leaf in zip(absent, leaves, strict=True) if not none]

    def takes_apart(self, frame: Frame) -> bool:
        """Is what a function returns unpacked or indexed where it is called, or differentiated itself?"""
        if frame.caller is None:
            return frame is self.outermost
        call, name = frame.call_node, getattr(frame.source.tree, "name", None)
        if not isinstance(call, gast.Call) or getattr(call.func, "attr", getattr(call.func, "id", None)) != name:
            return False  # something else was called, which called the function
        if getattr(call, "handed_on", False):
            return self.takes_apart(frame.caller)
        return getattr(call, "taken_apart", False)

    def join_returns(self, leaves: list[tuple[State, list[Stmt], Value]]) -> Value:
        if len(leaves) == 1:
            self.state = leaves[0][0]
            return leaves[0][2]
        frame = self.frame.id
        for state, _block, _value in leaves:
            state.frames.pop(frame, None) if not self.captured(frame, state) else None
        if self.called_there(self.frame):
            raise Leaves(leaves)
        for state, _block, value in leaves:
            state.frames.setdefault(-2, {})["result"] = value
        self.state = self.join([(s, b) for s, b, _ in leaves])
        result = self.state.frames[-2].pop("result")
        if isinstance(result, Conflict):
            self.follow_call(self.frame)
            inside = self.frame.site in self.decisions.calls_apart
            self.refuse(f"the result: {result.reason}", ways.CALL_ALONE if inside else ways.ONE_FORM)
        return result

    def follow_call(self, frame: Frame) -> None:
        """What a function returns has another form on each path: start again with the call as a branch."""
        calls, cached = self.decisions.calls_apart, id(frame.source.tree) in self.cached
        direct = isinstance(frame.call_node, gast.Call) and frame.site is not None and not self.text_only
        if direct and not cached and frame.site not in calls and len(calls) < PATHS_APART:
            calls.add(frame.site)
            raise Restart

    def present(self, result: Value, seen: tuple[int, ...] = ()) -> Value:
        """The function's result, which has to be there: None has no derivative. What is built on float is a float."""
        result = self.number_within(result)
        if isinstance(result, Leaf) and has_fields(result.kind):
            self.as_made(result)
        if isinstance(result, Tup):
            return Tup(tuple(self.present(v, seen) for v in result.items), result.cls)
        if isinstance(result, Ref):
            obj = self.state.heap[result.id]
            for key, part in list(contents(obj).items()):
                if isinstance(part, Leaf):
                    self.present(part)
                if isinstance(part, (Tup, Maybe)) or (isinstance(part, Ref) and part.id not in seen):
                    put_item(obj, key, self.present(part, (*seen, result.id)))
                    obj.expr = None if isinstance(part, Maybe) else obj.expr
        if not isinstance(result, Maybe):
            return result
        error = gast.Call(load("TypeError"), [gast.Constant(NO_RESULT, None)], [])
        self.write(gast.If(self.expression(result.none), [gast.Raise(error, None)], []))
        return self.present(result.value, seen)

    def check_outer_containers(self) -> None:
        """A list outside of the function may be told something, as a log is; the function may not go by it then."""
        for key, (owner, active, frame, node) in self.outer_filled.items():
            read = (active and self.outer_read.get(key) is owner) or self.outer_counted.get(key) is owner
            if read:
                self.frame, self.node = frame, node
                self.refuse(
                    "this changes a container outside of the function, which looks into it, too",
                    ways.ARGUMENT,
                )

    def captured(self, frame: int, state: State) -> bool:
        """Is the frame needed after its function returned, by a closure that was made in it?"""
        inside = {frame}
        for f in sorted(self.frames):
            if self.frames[f].parent in inside:
                inside.add(f)
        if any(f in inside for f in (*self.class_frames.values(), *self.watched_frames)):
            return True
        outside = [v for slot, v in state.slots().items() if not (slot[0] == "var" and slot[1] in inside)]
        return any(_mentions(v, f) for v in outside for f in inside)


def own_setattr(cls: type) -> types.FunctionType | None:
    """The method of a class that sets attributes, where it has one of its own (that of a frozen dataclass raises)."""
    found = cls.__setattr__
    generated = isinstance(found, types.FunctionType) and found.__code__.co_filename == "<string>"
    return found if isinstance(found, types.FunctionType) and not generated else None


def _without_methods(node: Any) -> Any:
    """A class without the bodies of its methods."""
    made = clone(node)
    for part in walk(made):
        if isinstance(part, gast.FunctionDef):
            part.body = [gast.Pass()]
    return made


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


def _is_refusal(raised: Any) -> bool:
    """`NoDerivative(...)`, which templates raise."""
    return isinstance(raised, gast.Call) and isinstance(raised.func, gast.Name) and raised.func.id == "NoDerivative"


def _same_but_variation(a: Value, b: Value) -> bool:
    """Are two values the same at run time, whatever is known of their dependence on the wrt arguments?"""
    if isinstance(a, Tup) and isinstance(b, Tup):
        return len(a.items) == len(b.items) and all(map(_same_but_variation, a.items, b.items))
    if isinstance(a, Leaf) and isinstance(b, Leaf):
        return not a.nested and not b.nested and same_expr(a.expr, b.expr)
    if isinstance(a, Known) and isinstance(b, Known):
        return a.value is b.value
    return isinstance(a, Ref) and isinstance(b, Ref) and a.id == b.id


def _varied_keys(value: Value) -> set[str]:
    if isinstance(value, Tup):
        return {k for v in value.items for k in _varied_keys(v)}
    return {atom_key(value.expr)} if isinstance(value, Leaf) and value.varied else set()


def _varied_like(value: Value, keys: set[str]) -> Value:
    if isinstance(value, Tup):
        items = tuple(_varied_like(v, keys) for v in value.items)
        return value if all(a is b for a, b in zip(items, value.items, strict=True)) else Tup(items, value.cls)
    if isinstance(value, Leaf) and not value.varied and atom_key(value.expr) in keys:
        return Leaf(value.expr, value.kind, True, value.const)
    return value


def _statements_in(body: list[Stmt]) -> int:
    """How many statements the body of a loop has."""
    return sum(isinstance(n, gast.stmt) for statement in body for n in walk(statement))


def makes_set(value: Expr) -> bool:
    """Is the value of an expression a new set, and no frozenset?

    >>> from s2sad.core import quote
    >>> makes_set(quote("{1, 2}")), makes_set(quote("set(u)")), makes_set(quote("frozenset(u)"))
    (True, True, False)
    """
    called = value.func if isinstance(value, gast.Call) else None
    return isinstance(value, (gast.Set, gast.SetComp)) or (isinstance(called, gast.Name) and called.id == "set")


@dataclass
class Learnt:
    """What the lowerings of one tree have learnt by now."""

    program: Program | None = None
    decisions: Decisions = field(default_factory=Decisions)


def lower_function(
    source: Any,
    kinds: dict[str, Kind],
    wrt: tuple[str, ...],
    aliases: tuple[Any, ...] = (),
    recursion: str = "follow",
    turns_apart: bool = False,
    learnt: Learnt | None = None,
    **given: Any,
) -> Core:
    """A function in core Python for arguments of the given kinds.

    Args:
        source: the function's FunctionSource.
        kinds: the kind of each parameter.
        wrt: the parameters that the derivative is taken with respect to.
        aliases: pairs of parameters that are the same array.
        recursion: what to do about recursions that have no end when they are written out (`Program.policy`).
        turns_apart: write out the loops over few items that are known one by one.
        learnt: what lowerings of the same tree have learnt that looked at the arguments otherwise.
        given: what the lowering begins with of what it may have to learn (`Decisions`).

    Raises:
        DerivationError: for a construct that cannot be derived.
    """
    program = Program(recursion if recursion != "sizes" or any(map(has_sizes, kinds.values())) else "follow")
    program.turns_apart = turns_apart
    own = getattr(source, "function", None)
    if own is not None:
        program.sources[own.__code__, id(own)] = (own, source)
    decisions = Decisions(**given)
    learnt = learnt or Learnt()
    if learnt.decisions.has_learnt_much():
        assert learnt.program is not None
        program, decisions = learnt.program.again(), learnt.decisions.after(**given)
        program.keeping = Keeping()
        if decisions.lists_chosen != learnt.decisions.lists_chosen:
            decisions.forget_lists()
    learnt.program, learnt.decisions = program, decisions
    keeping = program.keeping
    written_out: Core | None = None
    while written_out is None:
        keeping.exhausted = False
        try:
            with noting_loops(program):
                written_out = _lower(source, kinds, wrt, aliases, program, decisions)
        except Unkept as found:
            keeping.barred.add(id(found.tree))
            keeping.choose()
        except DerivationError:
            if not keeping.exhausted or not keeping.grow():
                raise
        if written_out is None:
            program, decisions = program.again(), decisions.after(**given)
            learnt.program, learnt.decisions = program, decisions
    while keeping.choose():
        program, decisions = program.again(), decisions.after(**given)
        learnt.program, learnt.decisions = program, decisions
        try:
            core = _lower(source, kinds, wrt, aliases, program, decisions)
        except Unkept as found:
            keeping.barred.add(id(found.tree))
            continue
        except DerivationError as error:
            keeping.check_defect(error)
            break
        if core.lowering.changes_outside():  # and what is kept may read it
            break
        if keeping.policy == "choose" and (lonely := called_once(core.body)):
            keeping.barred |= lonely
            continue
        core.written_out = None if keeping.growing else written_out
        return core
    return written_out


def _lower(
    source: Any,
    kinds: dict[str, Kind],
    wrt: tuple[str, ...],
    aliases: tuple[Any, ...],
    program: Program,
    decisions: Decisions,
) -> Core:
    """A function in core Python, with the calls kept that the program says."""
    own = getattr(source, "function", None)
    for _ in range(120):
        decisions.begin()
        program.keeping.start()
        facts = Facts()
        lowering = Lowering(facts, decisions, program)
        lowering.returns, lowering.may_guess = [], True
        tree = source.tree
        frame = lowering.outermost = Frame(0, source, None)
        frame.bound, frame.nonlocals, frame.globals_declared = bound_names(tree)
        lowering.frame = frame
        lowering.frames[0] = frame
        lowering.node = tree
        variables: dict[str, Value] = {}
        lowering.state.frames[0] = variables
        facts.taken.update(kinds)
        facts.taken.update(RESERVED)
        program.bind(facts)
        for name, kind in kinds.items():
            facts.user_name[name] = name
            facts.kinds[name] = kind
            variables[name] = lowering.argument(name, _shrunk(kind), wrt)
        for pair in aliases:
            first, second = reversed(pair) if pair[1] in wrt and pair[0] not in wrt else pair
            variables[second] = variables[first]
        lowering.follow_globals()
        lowering.set_origin(tree)
        chosen = {name: _part(variables, name) for name in wrt}
        for name in wrt:
            if not lowering.is_varied(chosen[name]) and not lowering.is_empty(chosen[name]):
                lowering.refuse(
                    f"the argument {name!r} holds nothing that s2sad can differentiate",
                    "pass floats, arrays, containers of them, or objects whose state is in their __dict__",
                )
        wrt_values = {name: _frozen(value, lowering) for name, value in chosen.items()}
        for statement in tree.body:
            if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant):
                continue
            break
        body = lowering.block
        frame.arguments = dict(variables)
        recursive = set(program.recursive)
        try:
            with defects_at(lowering.place), lowering.no_circles():
                if id(tree) in program.recursive:
                    lowering.origin = None
                    result = lowering.core_call(Closure(source, None, own), variables)
                else:
                    result = lowering.run_body(tree.body)
                result = lowering.present(result)
            if lowering.changed_globals():
                lowering.frame, lowering.node = lowering.last_write
                lowering.refuse(*WRITES_TO_GLOBALS)
            lowering.check_changed_outside(body)
            if any(f.overwrites for f in program.functions):
                lowering.check_shared(body, analyse(body, facts, lowering.alias))
            lowering.check_outer_containers()
            again = lowering.owes_restart
        except Restart:
            again = True
        except (DerivationError, Unkept, RecursionError):
            again = lowering.owes_restart  # it may come of what was put in the place of what is not known yet
            if not again:
                raise
        if again:
            decisions.came_to(lowering.learnt_at or ())
            if lowering.owes_restart:
                lowering.end_guessing()
                program.recursive &= recursive
            continue
        fill_empty(body)
        facts.user_name.update((n, shown(user)) for n, user in list(facts.user_name.items()))
        lowering.finished = True
        facts.users = frozenset(facts.user_name.values())
        return Core(body, result, lowering.state, facts, wrt_values, source, lowering)
    lowering.does_not_settle()


def _part(variables: dict[str, Value], name: str) -> Value:
    """The value of a name in wrt: a parameter, or one of `*args` such as "rest[0]"."""
    root, _, place = name.partition("[")
    value = variables[root]
    if not place:
        return value
    assert isinstance(value, Tup)
    return value.items[int(place[:-1])]


def _frozen(value: Value, lowering: Lowering) -> Value:
    """An argument as it came in, whatever the program does to its containers later."""
    if isinstance(value, Ref):
        obj = lowering.state.heap[value.id].copy()
        for key, part in list(contents(obj).items()):
            put_item(obj, key, _frozen(part, lowering))
        ref = lowering.next_id()
        lowering.template_heap[ref] = obj
        return Ref(ref)
    if isinstance(value, Tup):
        return Tup(tuple(_frozen(v, lowering) for v in value.items), value.cls)
    return value


def _shrunk(kind: Kind) -> Kind:
    return kind


def _mentions(value: Value, frame: int) -> bool:
    if isinstance(value, Closure):
        return value.frame == frame or any(_mentions(v, frame) for v in value.defaults)
    if isinstance(value, Method):
        return _mentions(value.function, frame) or _mentions(value.owner, frame)
    if isinstance(value, Partial):
        return _mentions(value.function, frame) or any(_mentions(v, frame) for v in value.args)
    if isinstance(value, Tup):
        return any(_mentions(v, frame) for v in value.items)
    if isinstance(value, Lazy):
        return any(_mentions(v, frame) for v in value.args)
    if isinstance(value, Choice):
        return _mentions(value.first, frame) or _mentions(value.second, frame)
    return False


def _opened(kind: Kind, lowering: Lowering) -> Kind:
    """The kind of a carried name at the start of a turn: what is not constant over turns is a fresh symbol."""
    if isinstance(kind, Number) and issubclass(kind.type, int) and kind.type is not bool:
        return Number(kind.type, lowering.symbol(), kind.types)
    if isinstance(kind, Array) and kind.shape is not None:
        shape = tuple(dims.either(lowering.symbol(), d) if _is_head(d) else d for d in kind.shape)
        return Array(kind.dtype, shape, mixed=kind.mixed)
    if isinstance(kind, Either):
        return Either(_opened(kind.array, lowering), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(_opened(k, lowering) for k in kind.items), kind.cls)
    return kind


def _closed(kind: Kind, head: Kind | None) -> Kind:
    """The kind of a carried name with lengths that vary from turn to turn marked by the symbols `head@`, `head@+`."""
    if isinstance(kind, Number):
        return Number(kind.type, types=kind.types)
    if isinstance(kind, Array) and kind.shape is not None:
        shape = tuple(d if is_fixed(d) else dims.either(Dim.symbol("head@"), d) for d in kind.shape)
        return Array(kind.dtype, shape, mixed=kind.mixed)
    if isinstance(kind, Either):
        return Either(_closed(kind.array, None), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(_closed(k, None) for k in kind.items), kind.cls)
    return kind


def _is_head(dim: Dim) -> bool:
    return any(symbol.startswith("head@") for symbol, _ in dim.terms)


def _parts_of(value: Value, at: Any) -> Iterator[tuple[Any, Value]]:
    """The parts of a tuple of tuples, with the places where they are."""
    if not isinstance(value, Tup):
        yield at, value
        return
    for i, item in enumerate(value.items):
        yield from _parts_of(item, (*at, i))


def _as_many(one: Any, other: Any) -> bool:
    """Have arrays of two shapes certainly as many elements?"""
    return one is not None and other is not None and dims.product_of(one) == dims.product_of(other)


def _same_shape(known: Any, new: Any, head: Value) -> bool:
    return bool(known == new)


def _at_run_time(kind: Static) -> Kind:
    """The kind of a name that holds this constant now, and may hold another one of its class later."""
    return Text() if type(kind.value) is str else Unknown()


def _slot_stem(path: Any) -> str:
    slot = path[0]
    name = str(slot[2])
    name = {"#returned": "returned", "#result": "result"}.get(name, name)
    if not name.isidentifier():
        name = f"item_{name}" if f"item_{name}".isidentifier() else "item"
    for part in path[1:]:
        word = f"{name}_{part}"
        name = word if word.isidentifier() else name
    return name


def _names(expr: Expr) -> set[str]:
    return {n.id for n in walk_names(expr)}


def _leaf_names(value: Value, key: str) -> bool:
    """Does a value read a name?"""
    if isinstance(value, Leaf):
        expr = value.expr
        return expr.id == key if type(expr) is gast.Name else any(n.id == key for n in walk_names(expr))
    if isinstance(value, (Tup, Lazy)):
        return any(_leaf_names(v, key) for v in (value.items if isinstance(value, Tup) else value.args))
    if isinstance(value, (Method, Partial)):
        return _leaf_names(value.function, key) or any(
            _leaf_names(v, key) for v in ([value.owner] if isinstance(value, Method) else value.args)
        )
    return isinstance(value, Closure) and any(_leaf_names(v, key) for v in value.defaults)


def _counter_stem(target: Any, run: Run) -> str:
    """What the user calls the variable of a loop over positions; nothing where it is not in the user's text."""
    return str(target.id) if isinstance(target, gast.Name) and run.header is not None else ""


def _holds_defaultdict(kind: Kind) -> bool:
    """Is there a dict in an argument that makes the items that it has not?"""
    if isinstance(kind, Object):
        missing = class_entry(kind.cls, "__missing__") is not None and kind.cls is not collections.Counter
        return missing or any(_holds_defaultdict(k) for _, k in kind.attributes)
    if isinstance(kind, ListOf):
        return _holds_defaultdict(kind.item)
    if isinstance(kind, DictKind):
        return issubclass(kind.cls, collections.defaultdict) or any(_holds_defaultdict(k) for _, k in kind.items)
    return isinstance(kind, (TupleKind, ListKind)) and any(map(_holds_defaultdict, kind.items))


def _may_end_early(body: list[Any]) -> bool:
    """May the body of a loop leave it, or raise?"""
    return has_jump(body, own=True) or any(isinstance(n, gast.Raise) for s in body for n in walk(s))


def _calls(node: Any, name: str) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == name


def _is_true(test: Any) -> bool:
    return isinstance(test, gast.Constant) and bool(test.value)


#: what may raise when it is evaluated
_RAISING = (
    gast.Call, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.JoinedStr, gast.Dict, gast.Set,
    gast.DictComp, gast.SetComp,
)  # fmt: skip


def may_raise(expr: Expr) -> bool:
    """Is there an operation in an expression that stands as a statement of its own?"""
    return any(isinstance(node, _RAISING) for node in walk(expr))


def _first_name(targets: list[Any]) -> str:
    return next((t.id for t in targets if isinstance(t, gast.Name)), "t")


#: of a function: its names that are read, how often each is, and those that nested functions mention
_READS = OfNodes()
#: of a loop: the names that `_names_outside` found
_OUTSIDE = OfNodes()


def _names_outside(tree: Any, loop: Any) -> set[str]:
    """Names read outside a loop, or in it at a place that an enclosing loop reaches again, or in nested functions.

    A name that is bound in the loop's body before it is read, and read nowhere else, is not carried.
    """
    known = _OUTSIDE.get(loop)
    if known is not None and known[0]() is tree:
        return known[1]  # type: ignore[no-any-return]
    found = _READS.get(tree)
    if found is None:
        reads: set[int] = set()
        nested: set[str] = set()
        counts: Counter[str] = Counter()
        for node in walk(tree):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Store):
                reads.add(id(node))
                counts[node.id] += 1
            elif isinstance(node, (gast.FunctionDef, gast.Lambda)) and node is not tree:
                nested.update(n.id for n in walk_names(node))
        found = _READS[tree] = reads, counts, nested
    reads, counts, nested = found
    inside = Counter(n.id for n in walk(loop) if id(n) in reads)
    out = {name for name, count in counts.items() if count > inside[name]} | nested | _read_first(loop)
    _OUTSIDE[loop] = weakref.ref(tree), out
    return out


def _read_first(loop: Any) -> set[str]:
    """Names that a turn of the loop may read before it binds them (roughly: bound only on some path or later)."""
    exposed: set[str] = set()
    bound: set[str] = (
        {n.id for n in walk_names(getattr(loop, "target", None)) if isinstance(n.ctx, gast.Store)}
        if hasattr(loop, "target")
        else set()
    )
    if isinstance(loop, gast.While):
        exposed |= {n.id for n in walk_names(loop.test)}

    def scan(nodes: list[Any], bound: set[str]) -> set[str]:
        for node in nodes:
            if isinstance(node, gast.If):
                exposed.update({n.id for n in walk_names(node.test)} - bound)
                bound = scan(node.body, set(bound)) & scan(node.orelse, set(bound))
            elif isinstance(node, (gast.For, gast.While)):
                head = node.iter if isinstance(node, gast.For) else node.test
                exposed.update({n.id for n in walk_names(head)} - bound)
                inner = set(bound)
                if isinstance(node, gast.For):
                    inner |= {n.id for n in walk_names(node.target)}
                scan(node.body, inner)
                scan(node.orelse, set(bound))
            elif isinstance(node, (gast.With, gast.Try)):
                exposed.update({n.id for n in walk_names(node) if isinstance(n.ctx, gast.Load)} - bound)
            else:
                exposed.update({n.id for n in walk_names(node) if not isinstance(n.ctx, gast.Store)} - bound)
                if (
                    isinstance(node, gast.AugAssign)
                    and isinstance(node.target, gast.Name)
                    and node.target.id not in bound
                ):
                    exposed.add(node.target.id)
                bound |= {n.id for n in walk_names(node) if isinstance(n.ctx, gast.Store)}
        return bound

    scan(loop.body, bound)
    return exposed


def _statement_words(node: Any) -> str:
    names = {"Try": "try statements", "AsyncFor": "async loops", "AsyncWith": "async with"}
    return names.get(type(node).__name__, f"{type(node).__name__} statements")
