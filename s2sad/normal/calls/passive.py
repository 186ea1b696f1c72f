"""Calls with nothing active in them: they stay as they are."""

from __future__ import annotations

import types
from collections.abc import Callable as Function
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import Calls as CallTable
from s2sad.analysis.returns import is_plain, returns_new
from s2sad.core import Expr, assign, atom_key, load, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import function_tree
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import inline
from s2sad.normal.calls.questions import (
    from_library,
    hashable,
    holds_containers,
    is_container,
    made_of,
    plain_operators,
    returns_library_memory,
    stable,
    told_by,
    values_held_by,
    wrapped_by,
)
from s2sad.normal.calls.tables import NEW_CONTAINERS
from s2sad.normal.changing import copy_made
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.comparisons import check_quiet
from s2sad.normal.memory import changes_in_passing, memory_root, root_of, stores_in_passing
from s2sad.normal.run import Attempt, Run
from s2sad.normal.values.abstract import (
    Closure,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_none,
)
from s2sad.normal.values.classes import within
from s2sad.normal.values.entering import from_kind, from_python
from s2sad.normal.values.facts import infer_kind, is_varied, settled_kind, whole_kind
from s2sad.normal.values.making import as_made, expression, shown_value
from s2sad.normal.values.questions import is_standard
from s2sad.normal.writing import check_not_read_back, define, write


def may_be_changed(run: Run, function: Any, values: list[Value]) -> bool:
    """May a function that stays a call change arrays or containers that it is given?"""
    if run.calls.trials or run.raising:
        return False
    memory = any(is_container(v) or holds_arrays(run, v) for v in values)
    changes = memory and run.decisions.changes.may_change(function, are_made_of(run, values, is_standard))
    if changes and run.text_only:
        run.refuse(
            f"{function.__name__} may change what it is given, in an expression that stays one",
            ways.OWN_STATEMENT,
        )
    if changes and run.passive:
        changes_in_passing(run)
    return changes


def looked_into(
    run: Run, function: Known, args: list[Value], kwargs: dict[str, Value], changes: bool = False
) -> Value | None:
    """A call with nothing active in it whose result may share memory with its arguments, written out; None where
    it may stay a call. Active values may be stored in that memory later, and be seen under both names.

    `changes`: it may overwrite what it is given.
    """
    values = [*args, *kwargs.values()]
    followed = run.decisions.objects_followed and not run.passive
    if run.text_only or not (changes or followed or (not run.passive and any(holds_arrays(run, v) for v in values))):
        return None
    if not (changes or followed) and returns_new(function.value, are_made_of(run, values, plain_operators)):
        return None
    numeric = isinstance(infer_kind(run, call_node(run, expression(run, function), args, kwargs)), (Number, Static))
    if numeric and not changes:
        return None
    attempt = Attempt(run)
    path, frame, node, origin = run.call_path, run.frame, run.node, run.origin
    try:
        result = write_out(run, function, args, kwargs)
    except DerivationError:
        run.call_path, run.frame, run.node, run.origin = path, frame, node, origin
        attempt.undo()
        return None
    attempt.keep()
    return result


def are_made_of(run: Run, values: Iterable[Value], fits: Function[[type], bool], depth: int = 4) -> bool:
    """Are values numbers, arrays, functions, containers of these, or objects whose classes fit?"""
    for value in values:
        parts: Iterable[Value] = ()
        if isinstance(value, Ref):
            obj = run.state.heap[value.id]
            if isinstance(obj, Instance) and not fits(obj.cls):
                return False
            parts = values_held_by(obj)
        elif isinstance(value, Leaf):
            if not made_of(value.kind, fits):
                return False
        elif isinstance(value, Known):
            if not (is_plain(value.itself) or value.can_be_called or fits(value.cls)):
                return False
        elif isinstance(value, Tup):
            if not fits(value.cls):
                return False
            parts = value.items
        elif isinstance(value, Lazy):
            parts = value.args
        elif not isinstance(value, (Closure, Method, Partial)):
            return False
        if parts and (depth == 0 or not are_made_of(run, parts, fits, depth - 1)):
            return False
    return True


def holds_arrays(run: Run, value: Value) -> bool:
    """May a value be an array, or hold one?"""
    if isinstance(value, Tup):
        return any(holds_arrays(run, v) for v in value.items)
    if isinstance(value, Ref):
        return any(holds_arrays(run, v) for v in values_held_by(run.state.heap[value.id]))
    if isinstance(value, Maybe):
        return holds_arrays(run, value.value)
    if isinstance(value, Leaf):
        return isinstance(value.kind, (Array, ListOf, Object, Unknown))
    return isinstance(value, Lazy) and any(holds_arrays(run, v) for v in value.args)


def arrays_held(run: Run, value: Value) -> Iterator[str]:
    """The names of the arrays that a value is, or holds."""
    for part in within(run, value, set()):
        if not isinstance(part, Leaf) or isinstance(part.kind, Number):
            continue
        named = {atom_key(part.expr)} if not part.nested else {n.id for n in walk_names(part.expr)}
        for name in named:
            if isinstance(run.facts.kinds.get(name, part.kind), (Array, Unknown)):
                yield name
                yield root_of(run, name)


def write_out(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A function of the user's is written out."""
    return inline(run, as_closure(run, function.value), args, kwargs)


def as_closure(run: Run, value: Any) -> Closure:
    """A function of the user's, with its defaults."""
    source = source_of(run, value)
    frame_defaults = value.__defaults__ or ()
    defaults = tuple(
        from_python(run, v, expression(run, Known(v)) if not isinstance(v, (int, float)) else gast.Constant(v, None))
        for v in frame_defaults
    )
    kw_defaults = tuple(
        None
        if a.id not in (value.__kwdefaults__ or {})
        else from_python(run, value.__kwdefaults__[a.id], expression(run, Known(value.__kwdefaults__[a.id])))
        for a in source.tree.args.kwonlyargs
    )
    return Closure(source, run.calls.class_frames.get(value), value, defaults, kw_defaults)


def source_of(run: Run, value: Any) -> Any:
    """The source of a function: one and the same tree each time, which is how recursion is recognised."""
    key = (value.__code__, id(value)) if isinstance(value, types.FunctionType) else id(value)
    known = run.program.sources.get(key)
    if known is not None and known[0] is value:
        return known[1]
    try:
        source = function_tree(value)
        run.program.sources[key] = (value, source)
        return source
    except DerivationError as error:
        run.refuse(
            f"{getattr(value, '__qualname__', value)} has neither a derivative rule nor source: {error.reason}",
            "define it in a file, or register a rule for it with s2sad.rules",
        )


def touches(run: Run, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Do arguments need to be known inside the callee because they have no run-time form?"""
    for value in [*args, *kwargs.values()]:
        if isinstance(value, (Closure, Partial)) and not getattr(value, "function", None):
            return True
        if isinstance(value, Ref):
            obj = run.state.heap[value.id]
            if isinstance(obj, Instance) and obj.expr is None:
                return True
            if any(isinstance(v, (Closure, Partial)) for v in values_held_by(obj)):
                return True
    return False


def passive_call(
    run: Run, function: Known, args: list[Value], kwargs: dict[str, Value], changes: bool = False
) -> Value:
    """A call with nothing active in it: it stays a call. A trial run tells the kind of its result.

    `changes`: it may overwrite what it is given.
    """
    run.lost = run.lost or any(is_varied(run, v) for v in [*args, *kwargs.values()])
    call = call_node(run, expression(run, function), args, kwargs, stranger=changes)
    call.new = returns_new(function.value, are_made_of(run, [*args, *kwargs.values()], plain_operators))
    call.kept = not run.passive and not call.new
    kind: Kind = infer_kind(run, call)
    if isinstance(kind, (Number, Array)):
        return Leaf(call, kind, nested=True)
    if not call.new:
        handed_on(run, call, kind)
    if run.raising:  # nothing has to be known of what it gives
        return Leaf(call, kind, nested=True) if run.text_only else define(run, "t", call, kind)
    for trial in run.attempts:
        trial.calls[run.site(run.node)] = function.value
    told = told_by(function, args, kwargs)
    if told is not None and told in run.decisions.tried:
        call.found_kind = run.decisions.tried[told]
        return Leaf(call, call.found_kind, nested=True)
    outer = (run.state, run.block, run.passive, run.call_path, run.budget, run.frame, run.node, run.origin)
    checkpoint = run.checkpoint()
    structure: Value | None = None
    program = run.program
    settled = False
    writes, known_globals = run.outside.global_writes, len(run.decisions.module_globals)
    run.calls.trials += 1
    try:
        run.state, run.block, run.passive = run.state.fork(), [], 0
        run.program = program.for_trial()
        source = source_of(run, function.value)
        if any(k[0] == id(source.tree) for k in run.call_path):
            run.program.recursive.add(id(source.tree))
        if run.calls.trials > (3 if told is None else 8):
            run.refuse("what this call returns is not looked into", ways.OWN_STATEMENT)
        defaults = tuple(from_python(run, v, gast.Constant(0, None)) for v in function.value.__defaults__ or ())
        kwd = function.value.__kwdefaults__ or {}
        kw_defaults = tuple(
            from_python(run, kwd[a.id], gast.Constant(0, None)) if a.id in kwd else None
            for a in source.tree.args.kwonlyargs
        )
        passive_args = [without_variation(run, v) for v in args]
        passive_kwargs = {k: without_variation(run, v) for k, v in kwargs.items()}
        structure = inline(
            run, Closure(source, None, function.value, defaults, kw_defaults), passive_args, passive_kwargs
        )
        kind = settled_kind(run, whole_kind(run, structure))
        held = run.state.heap[structure.id] if isinstance(structure, Ref) else None
        settled = (isinstance(structure, Known) or isinstance(held, DictObj)) and not run.block
        if is_none(structure):
            kind = Unknown()
    except (DerivationError, Restart, RecursionError):
        structure = None
    finally:
        run.calls.trials -= 1
        run.program = program
        run.state, run.block, run.passive, run.call_path, run.budget, run.frame, run.node, run.origin = outer
        run.restore(checkpoint)
    if len(run.decisions.module_globals) > known_globals:
        raise Restart
    if run.outside.global_writes > writes:
        run.outside.global_writes = writes
        return write_out(run, function, args, kwargs)
    if settled and isinstance(structure, Known):  # it does nothing but choose an object
        return Known(structure.value)
    made_there = structure is not None and any(isinstance(v, Closure) for v in within(run, structure, set()))
    kept = call.containers and not call.new and holds_containers(kind) and not run.text_only
    if settled or made_there or kept:
        # a dict whose keys may have to be known, functions with variables of their own, or a container it was given
        return write_out(run, function, args, kwargs)
    if isinstance(kind, (TupleKind,)) or (isinstance(kind, Object) and not is_standard(kind.cls)):
        name = run.facts.fresh("t")
        run.facts.kinds[name] = kind
        run.iterators.handed_out[name] = run.site(run.node)
        write(run, assign(name, call))
        made = from_kind(run, kind, load(name), False, (name,))
        own_no_more(run, made)
        return made
    if is_none(structure):
        write(run, gast.Expr(call))
        return Known(None)
    if isinstance(kind, (Number, Array, ListOf)):
        call.found_kind = stable(kind, run)
        if told is not None and isinstance(kind, Number) and kind.value is None:
            run.decisions.tried[told] = kind
        return Leaf(call, call.found_kind, nested=True)
    leaf = define(run, "t", call, kind if isinstance(kind, Object) else Unknown())
    run.calls.made_by[atom_key(leaf.expr)] = run.site(run.node)
    if isinstance(structure, Ref) or (not call.new and any(holds_arrays(run, v) for v in [*args, *kwargs.values()])):
        run.iterators.handed_out[atom_key(leaf.expr)] = run.site(run.node)
    return leaf


def own_no_more(run: Run, value: Value) -> None:
    """Objects that a call handed out may be held by others, too: they are read here, not written to."""
    if isinstance(value, Tup):
        for item in value.items:
            own_no_more(run, item)
    elif isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, Instance):
            obj.foreign = True
        for item in values_held_by(obj):
            own_no_more(run, item)


def without_variation(run: Run, value: Value) -> Value:
    if isinstance(value, Leaf):
        return Leaf(value.expr, value.kind, False, value.const, value.nested)
    if isinstance(value, Tup):
        return Tup(tuple(without_variation(run, v) for v in value.items), value.cls)
    return value


def call_node(
    run: Run,
    function: Expr,
    args: list[Value],
    kwargs: dict[str, Value],
    owner: Value | None = None,
    stranger: bool = False,
) -> Expr:
    """A call that stays as it is.

    Args:
        function: what is called.
        args: the values of its arguments.
        kwargs: those of its arguments by name.
        owner: for a method, whose it is.
        stranger: what it does to the arrays that it is given is not known.
    """
    # how long it is says nothing of what is in it
    form = (
        partial(expression, run)
        if isinstance(function, gast.Name) and function.id in ("len", "bool")
        else partial(as_made, run)
    )
    shown, run.calls.shown_containers = run.calls.shown_containers, []
    call = gast.Call(
        function,
        [form(v) for v in args],
        [gast.keyword(None if k == "**" else k, form(v)) for k, v in kwargs.items()],
    )
    call.containers = run.calls.shown_containers
    run.calls.shown_containers = [*shown, *call.containers]
    call.stranger = stranger
    values = {id(e): v for e, v in zip(call.args, args, strict=True)}
    values |= {id(k.value): v for k, v in zip(call.keywords, kwargs.values(), strict=True)}
    if owner is not None:
        values[id(function.value)] = owner
    written = CallTable(run.facts).overwritten(call)
    if written and not stranger and run.passive and any(is_varied(run, v) for v in values.values()):
        stores_in_passing(run)
    for expr in written:
        value = values.get(id(expr))
        if isinstance(value, Leaf) and isinstance(value.kind, (Array, Unknown)):
            overwritten_elsewhere(run, value, function)
    return call


def handed_on(run: Run, call: Any, kind: Kind, copied: Sequence[Value] = ()) -> None:
    """A call that stays a call may keep, or return, the containers that were written out for it.

    `copied`: those of which it looks at the items only.
    """
    if isinstance(kind, (Number, Array, Static)):
        return
    for value in call.containers:
        if not any(value is v for v in copied):
            copy_made(run, value)


def overwritten_elsewhere(run: Run, value: Leaf, function: Expr) -> None:
    """An array is overwritten by a call that stays as it is: it must not be active, nor a global."""
    if value.varied and not run.passive and is_float_kind(value.kind):
        name = function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", "this")
        run.refuse(f"{name} writes into an array with active values", ways.STORE)
    key = memory_root(run, value.expr) if value.nested else atom_key(value.expr)
    if key is not None:
        root = root_of(run, key)
        if root.split(".")[0].split("[")[0] in run.facts.globals:
            run.refuse("this writes to an array outside the function", ways.ARGUMENT)
        run.memory.stores_made.append(root)


@above.opaque.answer
def opaque(run: Run, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call that is not looked into; nothing active may go in."""
    run.lost = run.lost or any(is_varied(run, v) for v in [*args, *kwargs.values()])
    args, kwargs = [shown_value(run, v) for v in args], {k: shown_value(run, v) for k, v in kwargs.items()}
    if not isinstance(function, Known) or not function.is_a(types.FunctionType):
        check_quiet(run, [*args, *kwargs.values()])
    plain = are_made_of(run, [*args, *kwargs.values()], is_standard)
    stranger = not isinstance(function, Known) or may_write(run, function.itself, plain)
    run.calls.looking += 1
    call = call_node(run, expression(run, function), args, kwargs, stranger=stranger)
    run.calls.looking -= 1
    call.kept = not run.passive and not (isinstance(function, Known) and returns_library_memory(function.value))
    kind = infer_kind(run, call)
    check_not_read_back(run, call, kind)
    new = isinstance(function, Known) and hashable(function.value) and function.value in NEW_CONTAINERS
    handed_on(run, call, kind, args if new else ())
    if isinstance(kind, Unknown) and not run.passive:
        return define(run, "t", call, kind)
    return Leaf(call, kind, nested=True)


def may_write(run: Run, value: Any, plain: bool) -> bool:
    """Is it a function that is not known, and may store into the arrays that it is given? `plain`: `may_change`."""
    wrapped = wrapped_by(value)
    inner = value if wrapped is None else wrapped
    if from_library(value) or isinstance(value, type) or isinstance(getattr(value, "__self__", None), np.ufunc):
        return False
    return run.decisions.changes.may_change(inner, plain)
