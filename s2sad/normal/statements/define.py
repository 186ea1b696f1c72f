"""def, class, import, del, global and nonlocal."""

from __future__ import annotations

import importlib
import types
import weakref
from collections import Counter
from typing import Any

import gast

from s2sad.analysis.changes import reachable
from s2sad.core import OfNodes, Stmt, clone, load, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import ListOf
from s2sad.normal.calls.dispatch import call_value
from s2sad.normal.calls.methods import dynamic_method
from s2sad.normal.changing import container_changed, list_changes
from s2sad.normal.expressions.atoms import evaluate, make_closure, passively
from s2sad.normal.expressions.subscripts import index_of_method
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.watching import noting_draws
from s2sad.normal.learning import make_dynamic
from s2sad.normal.names import bind_name, from_global
from s2sad.normal.run import Run
from s2sad.normal.statements.stores import READS, owner_of_dict, store, with_written_slice
from s2sad.normal.values.abstract import DictObj, Instance, Known, Leaf, ListObj, Ref, Unbound, Value
from s2sad.normal.values.classes import find_frame, find_method, is_ruled, static
from s2sad.normal.values.facts import global_name
from s2sad.normal.values.lists_of_the_run import new_list
from s2sad.normal.values.questions import without_methods
from s2sad.normal.words import NO, WRITES_TO_GLOBALS
from s2sad.runtime.decide import Look


def delete_attribute(run: Run, owner: Value, name: str) -> bool:
    """`del self.rate`, where that is what it says."""
    obj = run.state.heap[owner.id] if isinstance(owner, Ref) else None
    if not isinstance(obj, Instance) or isinstance(obj.cls.__delattr__, types.FunctionType):
        return False
    if is_ruled(obj.cls, name) or name not in obj.attributes or name in obj.partial or obj.expr is not None:
        return False
    del obj.attributes[name]
    container_changed(run, obj)
    return True


@lowers(gast.Delete)
def delete_statement(run: Run, node: Any) -> None:
    for target in node.targets:
        if isinstance(target, gast.Name):
            bind_name(run, target.id, Unbound())
            continue
        if isinstance(target, gast.Attribute) and delete_attribute(run, evaluate(run, target.value), target.attr):
            continue
        base = evaluate(run, target.value) if isinstance(target, gast.Subscript) else None
        list_changes(run, base)
        target = target if base is None else with_written_slice(run, base, target)
        if base is not None and isinstance(target.slice, gast.Slice) and target.slice.step is None:
            listed = isinstance(base, Ref) and isinstance(run.state.heap[base.id], ListObj)
            if listed or (isinstance(base, Leaf) and isinstance(base.kind, ListOf)):
                store(run, target, new_list(run, []))  # items[a:b] = []
                continue
        if isinstance(base, Ref):
            obj = run.state.heap[base.id]
            method = find_method(run, base, "__delitem__")
            if method is not None and isinstance(obj, Instance):
                call_value(run, method, [index_of_method(run, target.slice)], {})
                continue
            key = static(passively(run, target.slice))
            obj = run.state.heap[base.id]
            if isinstance(obj, DictObj) and owner_of_dict(run, obj) is not None:
                run.refuse("the __dict__ of an object is changed", "delete the attribute")
            if isinstance(obj, (DictObj, ListObj)) and key is not NO:
                try:
                    del obj.items[key]
                except LookupError as error:
                    run.refuse(f"there is no item {key!r} here", ways.CORRECT, raises=error)
                container_changed(run, obj)
                continue
            if isinstance(obj, ListObj) and not isinstance(target.slice, gast.Slice):
                make_dynamic(run, obj)
        if isinstance(base, Leaf) and isinstance(base.kind, ListOf) and not isinstance(target.slice, gast.Slice):
            dynamic_method(run, base, "pop", [passively(run, target.slice)], {})
            continue
        run.refuse("this del is not followed", "build a new container")


@lowers(gast.Import)
def import_statement(run: Run, node: Any) -> None:
    for alias in node.names:
        module = imported(run, alias.name)
        name = alias.asname or alias.name.split(".")[0]
        if not alias.asname:
            module = importlib.import_module(name)
        imported_as(run, name, from_global(run, name, module, None))


def imported_as(run: Run, name: str, value: Value) -> None:
    """A global that an import gives a value at its first use is as good as a variable."""
    run.frame.globals_declared = run.frame.globals_declared - {name}
    bind_name(run, name, value)


def imported(run: Run, name: str, package: str | None = None) -> Any:
    try:
        return importlib.import_module(name, package)
    except ImportError as error:
        run.refuse(f"this import fails: {error}", "install it, or import it where it is used", raises=error)


@lowers(gast.ImportFrom)
def import_from_statement(run: Run, node: Any) -> None:
    package = run.frame.source.globals.get("__package__")
    module = imported(run, "." * (node.level or 0) + (node.module or ""), package)
    for alias in node.names:
        name = alias.asname or alias.name
        try:
            value, place = Known(module).ask(Look.ATTRIBUTE, alias.name)
        except AttributeError:
            value, place = imported(run, f"{module.__name__}.{alias.name}"), None
        as_name = (name, value, None) if place is None else (alias.name, value, place.owner)
        imported_as(run, name, from_global(run, *as_name))


@lowers(gast.FunctionDef)
def function_def_statement(run: Run, node: Any) -> None:
    decorators = [evaluate(run, decorator) for decorator in node.decorator_list]
    value: Value = make_closure(run, node)
    look_at_annotations(run, node)
    for decorator in reversed(decorators):
        value = call_value(run, decorator, [value], {})
    bind_name(run, node.name, value)


def look_at_annotations(run: Run, node: Any) -> None:
    """Annotations have no meaning here, and computing them must not do anything."""
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    notes = [a.annotation for a in every if a is not None] + [node.returns]
    for note in notes:
        if note is None or not any(isinstance(n, gast.Call) for n in walk(note)):
            continue
        try:
            _, changes = noting_draws(run, lambda: passively(run, note))  # noqa: B023
        except DerivationError:
            continue
        if changes:
            run.refuse("an annotation that changes or prints something", "leave it out", note)


@lowers(gast.AsyncFunctionDef)
def async_function_def_statement(run: Run, node: Any) -> None:
    run.refuse("async functions are not differentiated", "write it as a plain function")


@lowers(gast.ClassDef)
def class_def_statement(run: Run, node: Any) -> None:
    """A class defined here: made once, at derivation, where it needs nothing of what the function computes."""
    known = run.decisions.classes.get(run.site(node))
    if known is None:
        known = run.decisions.classes[run.site(node)] = local_class(run, node)
    bind_name(run, node.name, Known(known, load(global_name(run, node.name, known))))
    for member in vars(known).values():
        for part in (member, getattr(member, "__func__", None), getattr(member, "fget", None)):
            if isinstance(part, types.FunctionType):
                run.calls.class_frames[part] = run.frame.id


def local_class(run: Run, node: Any) -> type:
    import ast
    import builtins

    names = {n.id for n in walk_names(without_methods(node)) if isinstance(n.ctx, gast.Load)}
    within = {n.id for n in walk_names(node) if isinstance(n.ctx, gast.Load)} - names
    bound = {n.id for n in walk_names(node) if not isinstance(n.ctx, gast.Load)}
    namespace = dict(run.frame.source.globals)
    for name in names:
        owner = find_frame(run, name)
        if owner is None:
            continue
        value = run.state.frames[owner].get(name, Unbound())
        if not isinstance(value, Known):
            if name in bound:
                continue
            run.refuse("a class defined inside the function uses a variable of it", "hand the value to its __init__")
        namespace[name] = value.value
    for name in within:
        owner = find_frame(run, name)
        held = None if owner is None else run.state.frames[owner].get(name)
        if isinstance(held, Known):
            namespace[name] = held.value
    for name, value in (getattr(run.frame.source, "closure", None) or {}).items():
        namespace.setdefault(name, value)
    module = ast.Module([gast.gast_to_ast(clone(node))], [])
    ast.fix_missing_locations(module)
    namespace.setdefault("__builtins__", builtins)
    exec(compile(module, run.frame.source.file, "exec"), namespace)
    made: type = namespace[node.name]
    return made


def check_changed_outside(run: Run, body: list[Stmt]) -> None:
    """Refuse what is read of globals where a call that stays a call may change it: nobody would see the change."""
    if not run.outside.called_outside:
        return
    nodes = (n for s in body for n in walk(s) if isinstance(n, (gast.Name, gast.Attribute)))
    seen = reachable(held for n in nodes if (held := known_object(run, n)) is not None)
    if not seen:  # (to tell what a call may change, all that it may run is read)
        return
    for function, frame, node in run.outside.called_outside:
        if not seen.isdisjoint(reachable(run.decisions.changes.changed_outside(function))):
            run.frame, run.node = frame, node
            run.refuse("this changes what a global holds, which is read here, too", WRITES_TO_GLOBALS[1])


def known_object(run: Run, node: Any) -> Any:
    """What a name of a global, or a part of a module, stands for."""
    if isinstance(node, gast.Name):
        return run.facts.globals.get(node.id)
    owner = known_object(run, node.value) if isinstance(node.value, (gast.Name, gast.Attribute)) else None
    return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None


@lowers(gast.Global)
def global_statement(run: Run, node: Any) -> None:
    pass


@lowers(gast.Nonlocal)
def nonlocal_statement(run: Run, node: Any) -> None:
    pass


#: of a loop: the names that `_names_outside` found
_OUTSIDE = OfNodes()


def names_outside(tree: Any, loop: Any) -> set[str]:
    """Names read outside a loop, or in it at a place that an enclosing loop reaches again, or in nested functions.

    A name that is bound in the loop's body before it is read, and read nowhere else, is not carried.
    """
    known = _OUTSIDE.get(loop)
    if known is not None and known[0]() is tree:
        return known[1]  # type: ignore[no-any-return]
    found = READS.get(tree)
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
        found = READS[tree] = reads, counts, nested
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
