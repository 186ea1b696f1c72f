"""Comprehensions and generator expressions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.core import Expr, OfNodes, Stmt, atom_key, clone, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.joined import is_vague
from s2sad.kinds.kind import Array, Dict, Kind, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import element_of
from s2sad.kinds.query import is_float_kind
from s2sad.normal.above import inline, new_list
from s2sad.normal.calls.questions import refreshed
from s2sad.normal.changing import A_SET, AN_ITEM, kept_in_run
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.desugar.jumps import once_for
from s2sad.normal.expressions.atoms import evaluate, nested_source, passively
from s2sad.normal.expressions.choices import moved_on
from s2sad.normal.expressions.comparisons import check_quiet
from s2sad.normal.expressions.operators import rows
from s2sad.normal.expressions.subscripts import textual
from s2sad.normal.frames import Frame
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import is_asked, is_static_iterable, sources
from s2sad.normal.iteration.at_once import generator_in_steps, iterate_static
from s2sad.normal.iteration.turning import as_iterator
from s2sad.normal.iteration.watching import note_read, raising_in_turns, watch_lazy
from s2sad.normal.names import hold
from s2sad.normal.run import Attempt, Run
from s2sad.normal.values.abstract import Closure, Known, Lazy, Leaf, Method, Ref, Tup, Value, is_known_a
from s2sad.normal.values.classes import static
from s2sad.normal.values.facts import is_varied, kind_of, kind_of_part, settled_kind
from s2sad.normal.values.joined import join_kind
from s2sad.normal.values.lists_of_the_run import items_in
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import is_float_key, timeless
from s2sad.normal.words import NO
from s2sad.normal.writing import define


@lowers(gast.ListComp)
def list_comp_expression(run: Run, node: Any) -> Value:
    return comprehension(run, node)


@lowers(gast.GeneratorExp)
def generator_exp_expression(run: Run, node: Any) -> Value:
    if run.text_only:
        return comprehension(run, node)
    if run.decisions.in_steps and run.site(node) in run.decisions.in_steps:
        stepping = generator_in_steps(run, node)
        if stepping is not None:
            return stepping
    if getattr(node, "used_up", False):
        return raising_in_turns(run, lambda: comprehension(run, node))
    first = node.generators[0]
    if any(isinstance(n, gast.Call) for n in walk(first.iter)) and not isinstance(first.iter, Bound):
        node = with_rows(run, node)  # Python computes them where the generator is made
    over = node.generators[0].iter.held if isinstance(node.generators[0].iter, Bound) else None
    deep, flat = sources(run, over) if over is not None else ([], [])
    made, watch = watch_lazy(run, lambda: comprehension(run, node), *deep)
    for part in flat:
        note_read(run, watch, part)
    return as_iterator(run, made, watch)


def with_rows(run: Run, node: Any) -> Any:
    """A generator expression whose first iterable is computed here."""
    items = rows(run, node.generators[0].iter)
    items = hold(run, items, "items") if isinstance(items, Leaf) else items
    node = once_for(node, "computed", lambda: _computed(node))  # (its sites are the same in every run)
    node.generators[0].iter.held = items
    return node


@lowers(gast.DictComp)
def dict_comp_expression(run: Run, node: Any) -> Value:
    site = run.site(node)
    if site in run.decisions.unfit:  # it takes active values later
        return written_out(run, node)
    made = comprehension(run, node)
    if isinstance(made, Leaf) and not run.passive and not run.text_only:
        made = define(run, "table", made.expr, made.kind)
        run.lists.table_of[atom_key(made.expr)] = site
    return made


@lowers(gast.SetComp)
def set_comp_expression(run: Run, node: Any) -> Value:
    kept = kept_as_it_is(run, node)
    if kept is not None:
        return kept
    result = written_out(run, _as_list(node))
    items = [static(v) for v in iterate_static(run, result)]
    if any(v is NO for v in items):
        run.refuse("a set of active values", "use a list")
    return Known(frozenset(items), gast.Set([_as_expr(run, v) for v in dict.fromkeys(items)]))


def _as_expr(run: Run, value: Any) -> Expr:
    return expression(run, Known(value))


def comprehension(run: Run, node: Any) -> Value:
    short = short_and_static(run, node)
    if short and run.passive and isinstance(node, gast.ListComp) and (told := told_texts(run, node)) is not None:
        return told
    if run.passive or not short:
        kept = kept_as_it_is(run, node)
        if kept is not None:
            return kept
    return written_out(run, node)


def short_and_static(run: Run, node: Any) -> bool:
    """Are the items of the first iterable known one by one, and few?"""
    if isinstance(node.generators[0].iter, gast.Constant):
        return True
    forms = (gast.Name, gast.Attribute, gast.Subscript, gast.Tuple, gast.List, gast.Call, gast.BinOp, Bound)
    if not isinstance(node.generators[0].iter, forms):
        return False
    outer_state, outer_block = run.state, run.block
    checkpoint = run.checkpoint()
    run.state, run.block = run.state.fork(), []
    try:
        return is_static_iterable(run, passively(run, node.generators[0].iter))
    except DerivationError:
        return False
    finally:
        run.state, run.block = outer_state, outer_block
        run.restore(checkpoint)


def told_texts(run: Run, node: Any) -> Value | None:
    """A list of texts that derivation can tell (`[name.lower() for name in NAMES]`); None for anything else."""
    attempt = Attempt(run)
    path, frame, origin = run.call_path, run.frame, run.origin
    try:
        result = written_out(run, node)
        told = isinstance(result, Ref) and all(map(names_a_constant, run.block))
        if told and all(isinstance(static(v), str) for v in iterate_static(run, result)):
            known = [Known(static(v)) for v in iterate_static(run, result)]
            items: list[Value] | None = [*known] if run.block else None
            run.block.clear()  # (numbers that the texts were told by)
            attempt.keep()
            return result if items is None else new_list(run, items)
    except DerivationError:
        run.call_path, run.frame, run.origin = path, frame, origin
    attempt.undo()
    return None


def names_a_constant(statement: Stmt) -> bool:
    return isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Constant)


def kept_as_it_is(run: Run, node: Any) -> Leaf | None:
    """The comprehension as it is, with the names of the generated code; None where something in it is active, or
    where a part of it cannot stand inside an expression."""
    outer_state, outer_block, outer_lost = run.state, run.block, run.lost
    copied = set(run.memory.copied)
    checkpoint = run.checkpoint()
    run.state, run.block, run.lost = run.state.fork(), [], False
    run.passive += 1
    run.text_only += 1
    frame = push_scope(run, node)
    try:
        result = kept_parts(run, node)
    except DerivationError:
        result = None
    finally:
        pop_scope(run, frame)
        run.passive -= 1
        run.text_only -= 1
    walrus = any(isinstance(n, gast.NamedExpr) for n in walk(node))
    failed = result is None or bool(run.block) or (run.lost and not run.passive) or walrus
    failed = failed or moved_on(run, outer_state)  # it changes a container, whose form is followed
    if not failed:
        assert result is not None
        failed = not run.passive and (result.varied or (run.decisions.objects_followed and is_vague(result.kind)))
    lost, inner = run.lost, run.state
    run.state, run.block, run.lost = outer_state, outer_block, outer_lost
    if failed:
        run.restore(checkpoint)
        return None
    outer_state.run.update(inner.run)
    run.memory.copied &= copied | outer_state.heap.keys() | {A_SET, AN_ITEM}
    run.lost = outer_lost or lost  # what is around this one has to know, too
    return result


def kept_parts(run: Run, node: Any) -> Leaf | None:
    generators = []
    varied = False
    for generator in node.generators:
        iterable = rows(run, generator.iter)
        obj = run.state.heap[iterable.id] if isinstance(iterable, Ref) else None
        if not textual(run, iterable) or is_asked(run, iterable) or getattr(obj, "once", False):
            return None  # (what is left of an iterator is followed)
        if any(isinstance(n, (gast.Compare, gast.BoolOp, gast.Not)) for n in walk(node)):
            check_quiet(run, [iterable])
        with run.at(generator.iter):
            source = expression(run, iterable)
            kind = item_kind(run, iterable, source)
        active = is_varied(run, iterable) or gives_active(run, source)
        varied = varied or active
        target = clone(generator.target)
        bind_text(run, target, kind, active)
        tests = [expression(run, evaluate(run, test)) for test in generator.ifs]
        generators.append(gast.comprehension(target, source, tests, generator.is_async))
    if isinstance(node, gast.DictComp):
        key, value = evaluate(run, node.key), evaluate(run, node.value)
        if not textual(run, key) or not textual(run, value):
            return None
        made = gast.DictComp(expression(run, key), kept_in_run(run, value), generators)
        active = is_varied(run, value) or ((varied or is_varied(run, key)) and is_float_key(kind_of(run, key)))
        return Leaf(made, Unknown(), active, nested=True)
    item = evaluate(run, node.elt)
    if not textual(run, item) or any(isinstance(v, Method) and is_varied(run, v) for v in items_in(run, item)):
        return None
    kind = kind_of(run, item)
    made = type(node)(kept_in_run(run, item), generators)
    if isinstance(kind, Static):
        kind = Number(type(kind.value)) if isinstance(kind.value, (bool, int, float)) else Unknown()
    whole: Kind = settled_kind(run, ListOf(timeless(kind))) if not isinstance(node, gast.SetComp) else Unknown()
    made.kind = whole
    varied = is_varied(run, item) and is_float_kind(kind)
    return Leaf(made, whole, varied, nested=True)


def gives_active(run: Run, source: Expr) -> bool:
    """Does an expression ask for what a container of unknown form holds, in which something active was stored?"""
    asked = (n.value for n in walk(source) if isinstance(n, gast.Attribute) and n.attr != "keys")
    names = {n.id for value in asked for n in walk_names(value)}
    stored = {key.split("[")[0] for key in run.facts.varied} & names
    return any(isinstance(run.facts.kinds.get(n), (Unknown, Dict)) for n in stored)


def item_kind(run: Run, iterable: Value, source: Expr) -> Kind:
    """The kind of the items of an iterable, one for all of them."""
    if isinstance(iterable, Lazy):
        if iterable.function is range:
            return Number(int, run.symbol("i"))
        if iterable.function is zip:
            return TupleKind(tuple(item_kind(run, v, expression(run, v)) for v in iterable.args))
        if iterable.function is enumerate:
            return TupleKind((Number(int), item_kind(run, iterable.args[0], expression(run, iterable.args[0]))))
        if iterable.function in (reversed, iter):
            return item_kind(run, iterable.args[0], expression(run, iterable.args[0]))
        return Unknown()
    if isinstance(iterable, Leaf):
        kind = element_of(iterable.kind)
        if isinstance(kind, Array) and isinstance(iterable.kind, ListOf):
            return _opened(kind, run)
        return kind
    if is_known_a(iterable, str, bytes):
        return Unknown()
    items = iterate_static(run, iterable)
    kinds = [timeless(kind_of_part(run, v)) for v in items]
    if not kinds:
        return Unknown()
    kind = kinds[0]
    for other in kinds[1:]:
        kind = join_kind(run, kind, other)
    return Unknown() if isinstance(kind, Static) else _opened(settled_kind(run, kind), run)


def bind_text(run: Run, target: Any, kind: Kind, varied: bool) -> None:
    """Give the variables of a comprehension names that nothing else has."""
    if isinstance(target, gast.Name):
        user = target.id
        target.id = run.facts.fresh(user, temp=False)
        run.facts.kinds[target.id] = kind
        run.facts.user_name[target.id] = user
        whole = Leaf(gast.Name(target.id, gast.Load(), None, None), kind, varied and is_float_kind(kind))
        value: Value = whole
        if isinstance(kind, TupleKind):
            value = Tup(tuple(iterate_static(run, whole)), kind.cls)
        run.state.frames[run.frame.id][user] = value
        return
    if isinstance(target, gast.Starred):
        bind_text(run, target.value, Unknown(), varied)
        return
    if not isinstance(target, (gast.Tuple, gast.List)):
        run.refuse("this target of a comprehension", ways.NAMES)
    parts = kind.items if isinstance(kind, TupleKind) and len(kind.items) == len(target.elts) else None
    if parts is None:
        element = element_of(kind) if isinstance(kind, (Array, ListOf)) else Unknown()
        parts = (element,) * len(target.elts)
    for part, part_kind in zip(target.elts, parts, strict=True):
        bind_text(run, part, part_kind, varied)


def push_scope(run: Run, node: Any) -> Any:
    """A scope for the variables of a comprehension."""

    outer = run.frame
    frame = Frame(run.next_id(), outer.source, outer.id)
    frame.bound = {n.id for g in node.generators for n in walk_names(g.target)}
    frame.caller = outer.caller
    frame.call_node = outer.call_node
    run.frames[frame.id] = frame
    run.state.frames[frame.id] = {}
    run.frame = frame
    return outer


def pop_scope(run: Run, outer: Any) -> None:
    run.state.frames.pop(run.frame.id, None)
    run.frame = outer


def written_out(run: Run, node: Any, form: str = "", args: Sequence[Value] = ()) -> Value:
    """A comprehension as a function that fills a container, written out here."""
    tree = _as_function(node, form, run.names.hint)
    return inline(run, Closure(nested_source(run, tree), run.frame.id), list(args), {})


def sum_of_comprehension(run: Run, node: Any, start: Value) -> Value:
    """sum(e for ...), as a loop that adds up."""
    tree = _as_function(node, "sum", run.names.hint)
    return inline(run, Closure(nested_source(run, tree), run.frame.id), [start], {})


_TREES = OfNodes()


def _returned(value: Any) -> Any:
    return gast.Return(gast.Constant(value, None))


#: what a loop over the items of any(), all() and next() does with each, and what is done behind it
_EARLY: dict[str, Callable[[Expr, str], tuple[Any, Any]]] = {
    "any": lambda e, _: (gast.If(e, [_returned(True)], []), _returned(False)),
    "all": lambda e, _: (gast.If(gast.UnaryOp(gast.Not(), e), [_returned(False)], []), _returned(True)),
    "next": lambda e, _: (gast.Return(e), gast.Raise(gast.Name("StopIteration", gast.Load(), None, None), None)),
    "next or": lambda e, default: (gast.Return(e), gast.Return(gast.Name(default, gast.Load(), None, None))),
}


def _untaken(word: str, taken: set[str]) -> str:
    """A name that a comprehension does not use: what it uses is the user's."""
    numbered = (f"{word}_{k}" for k in itertools.count(1))
    return next(n for n in itertools.chain([word], numbered) if n not in taken)


def _as_function(node: Any, form: str, hint: str) -> Any:
    """The function that does what a comprehension does.

    [e for x in xs if c]    ->    def listcomp():
                                      items = []
                                      for x in xs:
                                          if c:
                                              items.append(e)
                                      return items
    """
    made = _TREES.setdefault(node, {})
    if form in made:
        return made[form]
    taken = {n.id for n in walk_names(node)}
    start, default = (_untaken(word, taken) for word in ("start", "default"))
    is_dict = isinstance(node, gast.DictComp)
    names = [
        hint,
        "total" if form == "sum" else "table" if is_dict else "items",
        "parts",
        "collected",
        "collected_items",
    ]
    name = next((n for n in names if n and n not in taken), None) or _untaken("items", taken)

    def read() -> Expr:
        return gast.Name(name, gast.Load(), None, None)

    def store() -> Expr:
        return gast.Name(name, gast.Store(), None, None)

    arguments: list[Any] = []
    before: list[Any] = []
    last: Any = gast.Return(read())
    if form == "sum":
        first = gast.Assign([store()], gast.Name(start, gast.Load(), None, None), None)
        arguments = [gast.Name(start, gast.Param(), None, None)]
        inner: Any = gast.Assign([store()], gast.BinOp(read(), gast.Add(), node.elt), None)
    elif form in _EARLY:
        first, inner, last = None, *_EARLY[form](node.elt, default)
        arguments = [gast.Name(default, gast.Param(), None, None)] if form == "next or" else []
    elif is_dict:
        first = gast.Assign([store()], gast.Dict([], []), None)
        inner = gast.Assign([gast.Subscript(read(), node.key, gast.Store())], node.value, None)
        calls = any(isinstance(n, gast.Call) for n in walk(node.value))
        if calls and not isinstance(node.key, (gast.Name, gast.Constant)):
            key = _untaken("key", taken)  # which Python computes before the value
            inner.targets[0].slice = gast.Name(key, gast.Load(), None, None)
            before = [gast.Assign([gast.Name(key, gast.Store(), None, None)], node.key, None)]
    else:
        first = gast.Assign([store()], gast.List([], gast.Load()), None)
        inner = gast.Expr(gast.Call(gast.Attribute(read(), "append", gast.Load()), [node.elt], []))
    body = [*before, inner]
    for generator in reversed(node.generators):
        for test in reversed(generator.ifs):
            body = [gast.If(test, body, [])]
        body = [gast.For(generator.target, generator.iter, body, [], None)]
    walrus = sorted({n.target.id for n in walk(node) if isinstance(n, gast.NamedExpr)})
    lead = [gast.Nonlocal(walrus)] if walrus else []
    spec = gast.arguments(arguments, [], None, [], [], None, [])
    lead = lead if first is None else [*lead, first]
    tree = gast.FunctionDef("comprehension", spec, [*lead, *body, last], [], None, None)
    for part in walk(tree):
        if not hasattr(part, "lineno") and isinstance(part, (gast.expr, gast.stmt)):
            gast.copy_location(part, node)
    made[form] = tree
    return tree


def _as_list(node: Any) -> Any:
    """A set comprehension as a list comprehension."""
    made = getattr(node, "as_list", None)
    if made is None:
        made = node.as_list = gast.copy_location(gast.ListComp(node.elt, node.generators), node)
    return made


def _opened(kind: Kind, run: Run) -> Kind:

    return refreshed(kind, run)


def _computed(node: Any) -> Any:
    """A generator expression whose first iterable is computed already, and put there."""
    first = node.generators[0]
    own = gast.comprehension(first.target, gast.copy_location(Bound(Known(None)), first.iter), first.ifs, 0)
    return gast.copy_location(gast.GeneratorExp(node.elt, [own, *node.generators[1:]]), node)
