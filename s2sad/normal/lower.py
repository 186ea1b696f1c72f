"""A whole function: from its source to core Python."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.analysis.binding import bound_names
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Facts, Stmt, load, shown
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, defects_at
from s2sad.kinds.kind import Kind, Number
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal import above
from s2sad.normal import rooms as _rooms  # noqa: F401  (makes all rooms known)
from s2sad.normal.calls.core_calls import changes_outside, core_call
from s2sad.normal.calls.core_functions import check_shared
from s2sad.normal.calls.functions import Diverges, Learnt, Program, called_once, has_sizes, noting_loops
from s2sad.normal.calls.keep import Keeping, Unkept
from s2sad.normal.decisions import Decisions, Restart
from s2sad.normal.expressions.atoms import number_within
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.asking import is_empty
from s2sad.normal.joining import captured, join
from s2sad.normal.learning import does_not_settle, end_guessing
from s2sad.normal.lowered import Core, fill_empty
from s2sad.normal.names import follow_globals
from s2sad.normal.run import Run
from s2sad.normal.statements.contexts import Leaves
from s2sad.normal.statements.define import check_changed_outside
from s2sad.normal.statements.lists import called_there, lower_statements
from s2sad.normal.statements.loops_of_the_run import holds_defaultdict
from s2sad.normal.values.abstract import (
    Closure,
    Conflict,
    Known,
    Leaf,
    Maybe,
    Ref,
    State,
    Tup,
    Value,
    contents,
    is_none,
)
from s2sad.normal.values.entering import from_kind
from s2sad.normal.values.facts import is_varied
from s2sad.normal.values.joined import changed_globals
from s2sad.normal.values.making import as_made, expression
from s2sad.normal.values.questions import has_fields, put_item
from s2sad.normal.words import NO_RESULT, PATHS_APART, RESERVED, WRITES_TO_GLOBALS
from s2sad.normal.writing import write


def argument(run: Run, name: str, kind: Kind, wrt: tuple[str, ...]) -> Value:
    """A parameter as it comes in."""
    run.decisions.has_defaultdicts = run.decisions.has_defaultdicts or holds_defaultdict(kind)
    if isinstance(kind, TupleKind) and any(w.startswith(f"{name}[") for w in wrt):
        items = [gast.Subscript(load(name), gast.Constant(i, None), gast.Load()) for i in range(len(kind.items))]
        return Tup(
            tuple(
                from_kind(run, k, item, f"{name}[{i}]" in wrt or name in wrt, (name, i))
                for i, (item, k) in enumerate(zip(items, kind.items, strict=True))
            )
        )
    return from_kind(run, kind, load(name), name in wrt, (name,))


@contextlib.contextmanager
def no_circles(run: Run) -> Iterator[None]:
    """Objects that lead to themselves have no end when they are written out."""
    try:
        yield
    except RecursionError:
        if not run.state.in_a_circle():
            raise
        run.refuse(
            "an object leads to itself here (by a parent, a neighbour), and a loop or a branch hands it on",
            "keep the objects in a list, and their links as positions in it",
        )


@above.run_body.answer
def run_body(run: Run, body: list[Any]) -> Value:
    outer = getattr(run, "returns", [])
    run.returns = []
    variables = run.state.frames[run.frame.id]
    variables["#returned"] = Known(False)
    try:
        falls = lower_statements(run, body)
        if falls:
            run.returns.append((run.state, run.block, Known(None)))
        leaves = run.returns
    finally:
        run.returns = outer
    leaves = without_none(run, leaves)
    if not leaves:
        if run.speculation.diverged:
            raise Diverges
        if run.frame.caller is None and run.frame.id == 0:
            return Leaf(gast.Constant(0.0, None), Number(float))  # it raises: so does the derivative
        run.refuse("this function never returns", "let it return where it is done")
    return join_returns(run, leaves)


def without_none(run: Run, leaves: list[tuple[State, list[Stmt], Value]]) -> list[tuple[State, list[Stmt], Value]]:
    """Where a function returns a container on some paths and None on others, and the caller goes on with what is in
    the container, the other paths raise."""
    absent = [is_none(value) for *_, value in leaves]
    held = any(isinstance(value, (Tup, Ref)) for *_, value in leaves)
    if not (any(absent) and held and takes_apart(run, run.frame)):
        return leaves
    reason = "cannot unpack non-iterable NoneType object"
    if run.frame is run.outermost:
        reason = NO_RESULT
    for none, (_, block, _) in zip(absent, leaves, strict=True):
        if none:
            block.append(gast.Raise(gast.Call(load("TypeError"), [gast.Constant(reason, None)], []), None))
    return [leaf for none, leaf in zip(absent, leaves, strict=True) if not none]


def takes_apart(run: Run, frame: Frame) -> bool:
    """Is what a function returns unpacked or indexed where it is called, or differentiated itself?"""
    if frame.caller is None:
        return frame is run.outermost
    call, name = frame.call_node, getattr(frame.source.tree, "name", None)
    if not isinstance(call, gast.Call) or getattr(call.func, "attr", getattr(call.func, "id", None)) != name:
        return False  # something else was called, which called the function
    if getattr(call, "handed_on", False):
        return takes_apart(run, frame.caller)
    return getattr(call, "taken_apart", False)


def join_returns(run: Run, leaves: list[tuple[State, list[Stmt], Value]]) -> Value:
    if len(leaves) == 1:
        run.state = leaves[0][0]
        return leaves[0][2]
    frame = run.frame.id
    for state, _block, _value in leaves:
        state.frames.pop(frame, None) if not captured(run, frame, state) else None
    if called_there(run, run.frame):
        raise Leaves(leaves)
    for state, _block, value in leaves:
        state.frames.setdefault(-2, {})["result"] = value
    run.state = join(run, [(s, b) for s, b, _ in leaves])
    result = run.state.frames[-2].pop("result")
    if isinstance(result, Conflict):
        follow_call(run, run.frame)
        inside = run.frame.site in run.decisions.calls_apart
        run.refuse(f"the result: {result.reason}", ways.CALL_ALONE if inside else ways.ONE_FORM)
    return result


def follow_call(run: Run, frame: Frame) -> None:
    """What a function returns has another form on each path: start again with the call as a branch."""
    calls, cached = run.decisions.calls_apart, id(frame.source.tree) in run.calls.cached
    direct = isinstance(frame.call_node, gast.Call) and frame.site is not None and not run.text_only
    if direct and not cached and frame.site not in calls and len(calls) < PATHS_APART:
        calls.add(frame.site)
        raise Restart


def present(run: Run, result: Value, seen: tuple[int, ...] = ()) -> Value:
    """The function's result, which has to be there: None has no derivative. What is built on float is a float."""
    result = number_within(run, result)
    if isinstance(result, Leaf) and has_fields(result.kind):
        as_made(run, result)
    if isinstance(result, Tup):
        return Tup(tuple(present(run, v, seen) for v in result.items), result.cls)
    if isinstance(result, Ref):
        obj = run.state.heap[result.id]
        for key, part in list(contents(obj).items()):
            if isinstance(part, Leaf):
                present(run, part)
            if isinstance(part, (Tup, Maybe)) or (isinstance(part, Ref) and part.id not in seen):
                put_item(obj, key, present(run, part, (*seen, result.id)))
                obj.expr = None if isinstance(part, Maybe) else obj.expr
    if not isinstance(result, Maybe):
        return result
    error = gast.Call(load("TypeError"), [gast.Constant(NO_RESULT, None)], [])
    write(run, gast.If(expression(run, result.none), [gast.Raise(error, None)], []))
    return present(run, result.value, seen)


def learn_from_result(run: Run, result: Value) -> None:
    """What has to be known for the result to be handed out (a list in it holds another value on each path) is learnt
    while the lowering can begin again. What is refused of it is refused by who hands it out."""
    with contextlib.suppress(DerivationError):
        expression(run, result)


def check_outer_containers(run: Run) -> None:
    """A list outside of the function may be told something, as a log is; the function may not go by it then."""
    for key, (owner, active, frame, node) in run.outside.outer_filled.items():
        read = (active and run.outside.outer_read.get(key) is owner) or run.outside.outer_counted.get(key) is owner
        if read:
            run.frame, run.node = frame, node
            run.refuse(
                "this changes a container outside of the function, which looks into it, too",
                ways.ARGUMENT,
            )


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
        if changes_outside(core.run):  # and what is kept may read it
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
        run = Run(facts, decisions, program)
        run.returns, run.speculation.may_guess = [], True
        tree = source.tree
        frame = run.outermost = Frame(0, source, None)
        frame.bound, frame.nonlocals, frame.globals_declared = bound_names(tree)
        run.frame = frame
        run.frames[0] = frame
        run.node = tree
        variables: dict[str, Value] = {}
        run.state.frames[0] = variables
        facts.taken.update(kinds)
        facts.taken.update(RESERVED)
        program.bind(facts)
        for name, kind in kinds.items():
            facts.user_name[name] = name
            facts.kinds[name] = kind
            variables[name] = argument(run, name, _shrunk(kind), wrt)
        for pair in aliases:
            first, second = reversed(pair) if pair[1] in wrt and pair[0] not in wrt else pair
            variables[second] = variables[first]
        follow_globals(run)
        run.set_origin(tree)
        chosen = {name: _part(variables, name) for name in wrt}
        for name in wrt:
            if not is_varied(run, chosen[name]) and not is_empty(run, chosen[name]):
                run.refuse(
                    f"the argument {name!r} holds nothing that s2sad can differentiate",
                    "pass floats, arrays, containers of them, or objects whose state is in their __dict__",
                )
        wrt_values = {name: _frozen(value, run) for name, value in chosen.items()}
        for statement in tree.body:
            if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant):
                continue
            break
        body = run.block
        frame.arguments = dict(variables)
        recursive = set(program.recursive)
        try:
            with defects_at(run.place), no_circles(run):
                if id(tree) in program.recursive:
                    run.origin = None
                    result = core_call(run, Closure(source, None, own), variables)
                else:
                    result = run_body(run, tree.body)
                result = present(run, result)
                learn_from_result(run, result)
            if changed_globals(run):
                run.frame, run.node = run.outside.last_write
                run.refuse(*WRITES_TO_GLOBALS)
            check_changed_outside(run, body)
            if any(f.overwrites for f in program.functions):
                check_shared(run, body, analyse(body, facts, run.alias))
            check_outer_containers(run)
            again = run.speculation.owes_restart
        except Restart:
            again = True
        except (DerivationError, Unkept, RecursionError):
            again = run.speculation.owes_restart  # it may come of what was put in the place of what is not known yet
            if not again:
                raise
        if again:
            decisions.came_to(run.speculation.learnt_at or ())
            if run.speculation.owes_restart:
                end_guessing(run)
                program.recursive &= recursive
            continue
        fill_empty(body)
        facts.user_name.update((n, shown(user)) for n, user in list(facts.user_name.items()))
        run.speculation.finished = True
        facts.users = frozenset(facts.user_name.values())
        return Core(body, result, run.state, facts, wrt_values, source, run)
    does_not_settle(run)


def _part(variables: dict[str, Value], name: str) -> Value:
    """The value of a name in wrt: a parameter, or one of `*args` such as "rest[0]"."""
    root, _, place = name.partition("[")
    value = variables[root]
    if not place:
        return value
    assert isinstance(value, Tup)
    return value.items[int(place[:-1])]


def _frozen(value: Value, run: Run) -> Value:
    """An argument as it came in, whatever the program does to its containers later."""
    if isinstance(value, Ref):
        obj = run.state.heap[value.id].copy()
        for key, part in list(contents(obj).items()):
            put_item(obj, key, _frozen(part, run))
        ref = run.next_id()
        run.memory.template_heap[ref] = obj
        return Ref(ref)
    if isinstance(value, Tup):
        return Tup(tuple(_frozen(v, run) for v in value.items), value.cls)
    return value


def _shrunk(kind: Kind) -> Kind:
    return kind
