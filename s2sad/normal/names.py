"""Names of the user's: where they are looked up, what they are bound to."""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn

import gast

from s2sad.core import atom_key, clone, copy_statement, load, quote, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Number
from s2sad.normal import above
from s2sad.normal.above import changed_before, check_watch, kept_iterator, once, waits_for
from s2sad.normal.calls.functions import NotYet, Raises
from s2sad.normal.decisions import Restart
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.watch import loops_around
from s2sad.normal.learning import conflict
from s2sad.normal.memory import changes_in_passing, memory_root
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    NOT_KNOWN,
    Closure,
    Conflict,
    Known,
    Lazy,
    Leaf,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Unbound,
    Value,
)
from s2sad.normal.values.classes import class_of, find_frame, static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, is_varied
from s2sad.normal.values.making import ask_in_steps, expression
from s2sad.normal.words import NO, STALE, WRITES_TO_GLOBALS
from s2sad.normal.writing import anchor, define, write
from s2sad.runtime.conditions import Scope, is_scalar
from s2sad.runtime.decide import Look, decide, read_in_the_run


def is_partly(run: Run, value: Value) -> bool:
    """Is it a name that some path leaves unbound?"""
    return isinstance(value, Leaf) and isinstance(value.expr, gast.Name) and value.expr.id in run.names.partly


def bind_everywhere(run: Run, value: Value) -> None:
    """A name that some paths leave unbound is going to be copied: they bind it to None."""
    if isinstance(value, Leaf) and is_partly(run, value):
        for block in run.names.partly.pop(value.expr.id):
            statement = copy_statement(value.expr.id, gast.Constant(None, None), run.origin)
            statement.absent = True
            block.append(statement)


def without_value(run: Run, name: str, owner: int) -> NoReturn:
    """A name without a value is read: refused, unless a later turn of a loop may read what an earlier one bound."""
    loops = [loop for loop in run.loops if name in loop.binds and loop.frame == owner]
    try:
        run.refuse(f"the name {name!r} has no value yet here", ways.VALUE_BEFORE)
    except DerivationError as error:
        if not loops or run.frame.id != owner:
            raise
        for loop in loops:
            loop.early.append(error)
    raise NotYet


def read_if_bound(run: Run, value: Value) -> Value:
    """What a name stands for that some paths leave unbound: it is read here, whether its value is needed or not."""
    if isinstance(value, Maybe):
        none, inner = value.none, value.value
        if isinstance(none, Leaf) and (lacks(run, value) or lacks(run, none)):
            write(run, gast.Expr(clone(none.expr)))
            none = dataclasses.replace(none)
        if none is value.none and lacks(run, inner) and isinstance(inner, Leaf):
            write(run, gast.Expr(gast.IfExp(expression(run, none), gast.Constant(None, None), clone(inner.expr))))
            inner = dataclasses.replace(inner)
        return dataclasses.replace(value, none=none, value=inner)
    if isinstance(value, Leaf) and lacks(run, value):
        write(run, gast.Expr(clone(value.expr)))
        return dataclasses.replace(value)
    return value


def lacks(run: Run, value: Value) -> bool:
    """Is it a value that some paths leave unbound?"""
    return id(value) in run.names.perhaps_unbound or id(value) in run.names.unsure


def lookup(run: Run, name: str) -> Value:
    owner = find_frame(run, name)
    if owner is not None:
        value = run.state.frames[owner].get(name, Unbound())
        if isinstance(value, Unbound):
            without_value(run, name, owner)
        if isinstance(value, Conflict):
            named = dataclasses.replace(value, reason=f"{name!r}: {value.reason}")
            conflict(run, named if value.reason != STALE else value)
        if id(value) in run.names.unsure and waits_for(run, UnboundLocalError):
            run.refuse(
                f"a try that waits for {name!r} to have no value: a loop may give it one",
                ways.VALUE_BEFORE,
            )
        looked_up(run, owner, name, value)
        return read_if_bound(run, value)
    frame: Frame | None = run.frame
    while frame is not None:
        closure = getattr(frame.source, "closure", None) or {}
        if name in closure:
            return from_global(run, name, closure[name], frame.source.cell(name))
        frame = run.frames[frame.parent] if frame.parent is not None else None
    import builtins

    namespace = run.frame.source.globals
    changed = run.state.frames.get(-id(namespace), {}).get(name)
    if isinstance(changed, Conflict):
        conflict(run, changed)
    if changed is not None:
        return changed
    if name in namespace:
        return from_global(run, name, namespace[name], namespace)
    if hasattr(builtins, name):
        return Known(decide(vars(builtins), Look.NAME, name), load(name))
    if run.branches and not run.text_only and not run.attempts:
        # on this path alone, which raises what the primal raises
        error = quote("NameError(m)", m=gast.Constant(f"name {name!r} is not defined", None))
        write(run, gast.Raise(error, None))
        raise Raises
    run.refuse(f"the name {name!r} is not defined", "define or import it")


def from_global(run: Run, name: str, value: Any, where: Scope | None) -> Value:
    """What a name stands for; `where`: in the dict of which module, or in which variable of another function."""
    if where is not None and is_scalar(value):
        known = run.facts.globals
        found = read_in_the_run(where, name, value, known, lambda: run.facts.fresh(name, temp=False))
        if found is not None:
            alias, seen = found
            return Leaf(load(alias), Number(type(value)), const=seen or NOT_KNOWN)
        value = decide(where, Look.NAME, name)
    return from_python(run, value, load(global_name(run, name, value)))


@above.hold.answer
def hold(run: Run, value: Value, stem: str = "t") -> Value:
    """The value in a form that may be read more than once."""
    if isinstance(value, Leaf) and value.nested:
        return anchor(run, value, stem)
    if isinstance(value, Tup):
        return Tup(tuple(hold(run, v, stem) for v in value.items), value.cls)
    return value


def assign_name(run: Run, name: str, value: Value) -> Value:
    if name in run.frame.globals_declared:
        set_global(run, name, value)
        return value
    if isinstance(value, Lazy):
        value = once(run, name, value)
    elif isinstance(value, Tup):
        value = kept_iterator(run, value)
    value = named_by_user(run, name, value)
    bind_name(run, name, value)
    return value


def bind_name(run: Run, name: str, value: Value) -> None:
    """A variable of this function, or with `nonlocal` of one around it, has a value (or none: `del`)."""
    if name in run.frame.globals_declared:
        set_global(run, name, value)
        return
    owner = run.frame.id
    if name in run.frame.nonlocals:
        found = find_frame(run, name)
        if found is None:
            run.refuse(
                "writes to variables of an enclosing function are not differentiated here",
                ways.RETURN,
            )
        owner = found
        changed_before(run, {owner})
        if is_varied(run, value) or run.lost:
            changes_in_passing(run)
    run.state.frames[owner][name] = value


def set_global(run: Run, name: str, value: Value) -> None:
    """A global is changed for a while: what it holds has to be known, and to be what it was in the end."""
    namespace = run.frame.source.globals
    if static(value) is NO or name not in namespace:
        run.refuse(*WRITES_TO_GLOBALS)
    if (id(namespace), name) not in run.decisions.module_globals:
        run.decisions.module_globals[id(namespace), name] = namespace
        raise Restart
    run.outside.global_writes += 1
    run.outside.last_write = (run.frame, run.node)
    run.state.frames[-id(namespace)][name] = value


def follow_globals(run: Run) -> None:
    """The globals that the function changes become variables."""
    for (key, name), namespace in run.decisions.module_globals.items():
        value = from_global(run, name, namespace[name], namespace)
        run.state.frames.setdefault(-key, {})[name] = value


def named_by_user(run: Run, name: str, value: Value) -> Value:
    """The value under the user's name: an expression without a name, and a temp just made, get it."""
    if isinstance(value, Tup):
        return Tup(
            tuple(named_by_user(run, name, v) if isinstance(v, Leaf) and v.nested else v for v in value.items),
            value.cls,
        )
    if not isinstance(value, Leaf):
        return value
    key = atom_key(value.expr) if not value.nested else None
    if value.nested or isinstance(value.expr, gast.Constant):
        root = memory_root(run, value.expr)
        new = define(run, name, value.expr, value.kind, varied=value.varied, temp=False, user=name)
        new_key = atom_key(new.expr)
        if root is not None and not isinstance(value.kind, Number):
            run.alias[new_key] = root
        return Leaf(new.expr, value.kind, new.varied, value.const)
    last = run.block[-1] if run.block else None
    if (
        key in run.facts.temps
        and isinstance(last, gast.Assign)
        and isinstance(last.targets[0], gast.Name)
        and last.targets[0].id == key
        and is_new(run, len(run.block) - 1)
        and not is_held(run, key)
    ):
        if key in run.lists.site_of and not isinstance(last.value, (gast.List, gast.BinOp)):
            return value
        assert key is not None
        new_name = run.facts.fresh(name, temp=False)
        take_name(run, key, new_name, name)
        last.targets = [gast.Name(new_name, gast.Store(), None, None)]
        return Leaf(load(new_name), value.kind, value.varied, value.const)
    return value


def take_name(run: Run, key: str, new: str, user: str) -> None:
    """What is known of a temp holds for the name that stands in its place from now on."""
    facts = run.facts
    facts.temps.discard(key)
    facts.taken.discard(key)
    facts.kinds[new] = facts.kinds.pop(key)
    if key in facts.unlike:
        facts.unlike.add(new)
    facts.user_name[new] = user
    for moved in (facts.varied, run.calls.made_passively):
        if key in moved:
            moved.discard(key)
            moved.add(new)
    found: tuple[dict[str, Any], ...] = (run.iterators.handed_out, run.calls.made_by, run.iterators.watched)
    for table in (
        *found,
        run.lists.site_of,
        run.lists.joined_sites,
        run.lists.part_of,
        run.lists.limits,
        run.names.cases,
        run.alias,
    ):
        if key in table:
            table[new] = table.pop(key)
    if key in run.lists.table_of:
        run.lists.table_of[new] = run.lists.table_of[key]
    marks = (run.lists.made_here, run.lists.tuples, run.lists.list_items, run.memory.read_out)
    lists = (
        run.lists.lists_given,
        run.lists.new_lists,
        run.lists.may_be_lists,
        run.lists.sets_made,
        run.memory.in_objects,
    )
    for names in (*marks, run.memory.flats, run.memory.half_flats, *lists):
        if key in names:
            names.add(new)
    for other, root in run.alias.items():
        if root == key:
            run.alias[other] = new


def is_new(run: Run, place: int) -> bool:
    """Was a statement of the block written for the user's statement that is being lowered? The names of others may
    stand in expressions that are still to be written.

    [sum(u), take(u)]        with `q = u.pop()` in take: the sum, which is computed later, knows the item as t
    """
    block, written = run.names.begun
    return block is not run.block or place >= written


def is_held(run: Run, key: str) -> bool:
    """Does some variable or container hold the value of this name already, so that it must keep its name?"""
    if key in run.names.pinned:
        return True
    for values in run.state.tables():
        for value in values:
            if type(value) is Leaf and type(value.expr) is gast.Name:  # nearly all of them
                if value.expr.id == key:
                    return True
            elif type(value) is not Known and _leaf_names(value, key):
                return True
    return False


def is_frozen(run: Run, value: Value) -> bool:
    """Is a value an object of a frozen dataclass?"""
    parameters = getattr(class_of(run, value), "__dataclass_params__", None)
    return isinstance(value, Ref) and bool(getattr(parameters, "frozen", False))


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


def looked_up(run: Run, owner: int, name: str, value: Value) -> None:
    """A variable was read: by iterators that are being made; or it holds one."""
    for watch, frames in run.iterators.watching:
        if owner in frames:
            watch.names[owner, name] = value
    held = (
        run.iterators.watched.get(atom_key(value.expr)) if isinstance(value, Leaf) and run.iterators.watched else None
    )
    if held is None and (owner, name) in run.iterators.watched_variables:
        known, other = run.iterators.watched_variables[owner, name]
        if known is value:
            check_watch(run, other)
    if held is None or getattr(run.frame.source, "library", False):
        return
    check_watch(run, held)
    places = held.reads.setdefault((owner, name), set())
    places.add((getattr(run.node, "lineno", 0), getattr(run.node, "col_offset", 0)))
    again = loops_around(run.frame.source.tree, run.node) - loops_around(run.frame.source.tree, held.node)
    if len(places) > 1 or again:
        ask_in_steps(run, held.site)
        reason = f"the iterator {name!r} is used in several places, or in a loop"
        run.refuse(reason, ways.LIST)
