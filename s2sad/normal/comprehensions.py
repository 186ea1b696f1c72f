"""Comprehensions: kept as they are where nothing active is in them, else written out as loops that fill a container."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.core import Expr, OfNodes, atom_key, clone, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, Dict, Kind, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import element_of
from s2sad.kinds.query import is_float_kind
from s2sad.normal.base import A_SET, AN_ITEM, Attempt, is_vague, timeless
from s2sad.normal.expressions import _NO, Bound, is_float_key, static
from s2sad.normal.jumps import once_for
from s2sad.normal.structure import Structure
from s2sad.normal.values import Closure, Known, Lazy, Leaf, Method, Ref, Tup, Value, is_known_a


class Comprehensions(Structure):
    """Lowering of list, set and dict comprehensions and generator expressions."""

    def expr_ListComp(self, node: Any) -> Value:
        return self.comprehension(node)

    def expr_GeneratorExp(self, node: Any) -> Value:
        if self.text_only:
            return self.comprehension(node)
        if self.decisions.in_steps and self.site(node) in self.decisions.in_steps:
            stepping = self.generator_in_steps(node)
            if stepping is not None:
                return stepping
        if getattr(node, "used_up", False):
            return self.raising_in_turns(lambda: self.comprehension(node))
        first = node.generators[0]
        if any(isinstance(n, gast.Call) for n in walk(first.iter)) and not isinstance(first.iter, Bound):
            node = self.with_rows(node)  # Python computes them where the generator is made
        over = node.generators[0].iter.held if isinstance(node.generators[0].iter, Bound) else None
        deep, flat = self.sources(over) if over is not None else ([], [])
        made, watch = self.watch_lazy(lambda: self.comprehension(node), *deep)
        for part in flat:
            self.note_read(watch, part)
        return self.as_iterator(made, watch)

    def with_rows(self, node: Any) -> Any:
        """A generator expression whose first iterable is computed here."""
        items = self.rows(node.generators[0].iter)
        items = self.held(items, "items") if isinstance(items, Leaf) else items
        node = once_for(node, "computed", lambda: _computed(node))  # (its sites are the same in every run)
        node.generators[0].iter.held = items
        return node

    def expr_DictComp(self, node: Any) -> Value:
        site = self.site(node)
        if site in self.decisions.unfit:  # it takes active values later
            return self.written_out(node)
        made = self.comprehension(node)
        if isinstance(made, Leaf) and not self.passive and not self.text_only:
            made = self.define("table", made.expr, made.kind)
            self.table_of[atom_key(made.expr)] = site
        return made

    def expr_SetComp(self, node: Any) -> Value:
        kept = self.kept(node)
        if kept is not None:
            return kept
        result = self.written_out(_as_list(node))
        items = [static(v) for v in self.iterate_static(result)]
        if any(v is _NO for v in items):
            self.refuse("a set of active values", "use a list")
        return Known(frozenset(items), gast.Set([self._as_expr(v) for v in dict.fromkeys(items)]))

    def _as_expr(self, value: Any) -> Expr:
        return self.expression(Known(value))

    def comprehension(self, node: Any) -> Value:
        short = self.short_and_static(node)
        if short and self.passive and isinstance(node, gast.ListComp) and (told := self.told_texts(node)) is not None:
            return told
        if self.passive or not short:
            kept = self.kept(node)
            if kept is not None:
                return kept
        return self.written_out(node)

    def short_and_static(self, node: Any) -> bool:
        """Are the items of the first iterable known one by one, and few?"""
        if isinstance(node.generators[0].iter, gast.Constant):
            return True
        forms = (gast.Name, gast.Attribute, gast.Subscript, gast.Tuple, gast.List, gast.Call, gast.BinOp, Bound)
        if not isinstance(node.generators[0].iter, forms):
            return False
        outer_state, outer_block = self.state, self.block
        checkpoint = self.checkpoint()
        self.state, self.block = self.state.fork(), []
        try:
            return self.is_static_iterable(self.passively(node.generators[0].iter))
        except DerivationError:
            return False
        finally:
            self.state, self.block = outer_state, outer_block
            self.restore(checkpoint)

    def told_texts(self, node: Any) -> Value | None:
        """A list of texts that derivation can tell (`[name.lower() for name in NAMES]`); None for anything else."""
        attempt = Attempt(self)
        path, frame, origin = self.call_path, self.frame, self.origin
        try:
            result = self.written_out(node)
            told = isinstance(result, Ref) and not self.block
            if told and all(isinstance(static(v), str) for v in self.iterate_static(result)):
                attempt.keep()
                return result
        except DerivationError:
            self.call_path, self.frame, self.origin = path, frame, origin
        attempt.undo()
        return None

    # --- kept as text

    def kept(self, node: Any) -> Leaf | None:
        """The comprehension as it is, with the names of the generated code; None where something in it is active, or
        where a part of it cannot stand inside an expression."""
        outer_state, outer_block, outer_lost = self.state, self.block, self.lost
        copied = set(self.copied)
        checkpoint = self.checkpoint()
        self.state, self.block, self.lost = self.state.fork(), [], False
        self.passive += 1
        self.text_only += 1
        frame = self.push_scope(node)
        try:
            result = self.kept_parts(node)
        except DerivationError:
            result = None
        finally:
            self.pop_scope(frame)
            self.passive -= 1
            self.text_only -= 1
        walrus = any(isinstance(n, gast.NamedExpr) for n in walk(node))
        failed = result is None or bool(self.block) or (self.lost and not self.passive) or walrus
        failed = failed or self.moved_on(outer_state)  # it changes a container, whose form is followed
        if not failed:
            assert result is not None
            failed = not self.passive and (result.varied or (self.decisions.objects_followed and is_vague(result.kind)))
        lost, inner = self.lost, self.state
        self.state, self.block, self.lost = outer_state, outer_block, outer_lost
        if failed:
            self.restore(checkpoint)
            return None
        outer_state.run.update(inner.run)
        self.copied &= copied | outer_state.heap.keys() | {A_SET, AN_ITEM}
        self.lost = outer_lost or lost  # what is around this one has to know, too
        return result

    def kept_parts(self, node: Any) -> Leaf | None:
        generators = []
        varied = False
        for generator in node.generators:
            iterable = self.rows(generator.iter)
            obj = self.state.heap[iterable.id] if isinstance(iterable, Ref) else None
            if not self.textual(iterable) or self.is_asked(iterable) or getattr(obj, "once", False):
                return None  # (what is left of an iterator is followed)
            if any(isinstance(n, (gast.Compare, gast.BoolOp, gast.Not)) for n in walk(node)):
                self.check_quiet([iterable])
            with self.at(generator.iter):
                source = self.expression(iterable)
                kind = self.item_kind(iterable, source)
            active = self.is_varied(iterable) or self.gives_active(source)
            varied = varied or active
            target = clone(generator.target)
            self.bind_text(target, kind, active)
            tests = [self.expression(self.expr(test)) for test in generator.ifs]
            generators.append(gast.comprehension(target, source, tests, generator.is_async))
        if isinstance(node, gast.DictComp):
            key, value = self.expr(node.key), self.expr(node.value)
            if not self.textual(key) or not self.textual(value):
                return None
            made = gast.DictComp(self.expression(key), self.kept_in_run(value), generators)
            active = self.is_varied(value) or ((varied or self.is_varied(key)) and is_float_key(self.kind(key)))
            return Leaf(made, Unknown(), active, nested=True)
        item = self.expr(node.elt)
        if not self.textual(item) or any(isinstance(v, Method) and self.is_varied(v) for v in self.items_in(item)):
            return None
        kind = self.kind(item)
        made = type(node)(self.kept_in_run(item), generators)
        if isinstance(kind, Static):
            kind = Number(type(kind.value)) if isinstance(kind.value, (bool, int, float)) else Unknown()
        whole: Kind = self.settled(ListOf(timeless(kind))) if not isinstance(node, gast.SetComp) else Unknown()
        made.kind = whole
        varied = self.is_varied(item) and is_float_kind(kind)
        return Leaf(made, whole, varied, nested=True)

    def gives_active(self, source: Expr) -> bool:
        """Does an expression ask for what a container of unknown form holds, in which something active was stored?"""
        asked = (n.value for n in walk(source) if isinstance(n, gast.Attribute) and n.attr != "keys")
        names = {n.id for value in asked for n in walk_names(value)}
        stored = {key.split("[")[0] for key in self.facts.varied} & names
        return any(isinstance(self.facts.kinds.get(n), (Unknown, Dict)) for n in stored)

    def textual(self, value: Value) -> bool:
        """Has the value a form at run time?"""
        if isinstance(value, Tup):
            return all(map(self.textual, value.items))
        if isinstance(value, Lazy):
            return all(map(self.textual, value.args))
        return not (isinstance(value, Closure) and value.function is None)

    def item_kind(self, iterable: Value, source: Expr) -> Kind:
        """The kind of the items of an iterable, one for all of them."""
        if isinstance(iterable, Lazy):
            if iterable.function is range:
                return Number(int, self.symbol("i"))
            if iterable.function is zip:
                return TupleKind(tuple(self.item_kind(v, self.expression(v)) for v in iterable.args))
            if iterable.function is enumerate:
                return TupleKind((Number(int), self.item_kind(iterable.args[0], self.expression(iterable.args[0]))))
            if iterable.function in (reversed, iter):
                return self.item_kind(iterable.args[0], self.expression(iterable.args[0]))
            return Unknown()
        if isinstance(iterable, Leaf):
            kind = element_of(iterable.kind)
            if isinstance(kind, Array) and isinstance(iterable.kind, ListOf):
                return _opened(kind, self)
            return kind
        if is_known_a(iterable, str, bytes):
            return Unknown()
        items = self.iterate_static(iterable)
        kinds = [timeless(self.kind_of_part(v)) for v in items]
        if not kinds:
            return Unknown()
        kind = kinds[0]
        for other in kinds[1:]:
            kind = self.join_kind(kind, other)
        return Unknown() if isinstance(kind, Static) else _opened(self.settled(kind), self)

    def bind_text(self, target: Any, kind: Kind, varied: bool) -> None:
        """Give the variables of a comprehension names that nothing else has."""
        if isinstance(target, gast.Name):
            user = target.id
            target.id = self.facts.fresh(user, temp=False)
            self.facts.kinds[target.id] = kind
            self.facts.user_name[target.id] = user
            whole = Leaf(gast.Name(target.id, gast.Load(), None, None), kind, varied and is_float_kind(kind))
            value: Value = whole
            if isinstance(kind, TupleKind):
                value = Tup(tuple(self.iterate_static(whole)), kind.cls)
            self.state.frames[self.frame.id][user] = value
            return
        if isinstance(target, gast.Starred):
            self.bind_text(target.value, Unknown(), varied)
            return
        if not isinstance(target, (gast.Tuple, gast.List)):
            self.refuse("this target of a comprehension", ways.NAMES)
        parts = kind.items if isinstance(kind, TupleKind) and len(kind.items) == len(target.elts) else None
        if parts is None:
            element = element_of(kind) if isinstance(kind, (Array, ListOf)) else Unknown()
            parts = (element,) * len(target.elts)
        for part, part_kind in zip(target.elts, parts, strict=True):
            self.bind_text(part, part_kind, varied)

    def push_scope(self, node: Any) -> Any:
        """A scope for the variables of a comprehension."""
        from s2sad.normal.base import Frame

        outer = self.frame
        frame = Frame(self.next_id(), outer.source, outer.id)
        frame.bound = {n.id for g in node.generators for n in walk_names(g.target)}
        frame.caller = outer.caller
        frame.call_node = outer.call_node
        self.frames[frame.id] = frame
        self.state.frames[frame.id] = {}
        self.frame = frame
        return outer

    def pop_scope(self, outer: Any) -> None:
        self.state.frames.pop(self.frame.id, None)
        self.frame = outer

    # --- written out

    def written_out(self, node: Any, form: str = "", args: Sequence[Value] = ()) -> Value:
        """A comprehension as a function that fills a container, written out here."""
        tree = _as_function(node, form, self.hint)
        return self.inline(Closure(self.nested_source(tree), self.frame.id), list(args), {})

    def sum_of_comprehension(self, node: Any, start: Value) -> Value:
        """sum(e for ...), as a loop that adds up."""
        tree = _as_function(node, "sum", self.hint)
        return self.inline(Closure(self.nested_source(tree), self.frame.id), [start], {})


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


def _opened(kind: Kind, lowering: Any) -> Kind:
    from s2sad.normal.calls import _refreshed

    return _refreshed(kind, lowering)


def _computed(node: Any) -> Any:
    """A generator expression whose first iterable is computed already, and put there."""
    first = node.generators[0]
    own = gast.comprehension(first.target, gast.copy_location(Bound(Known(None)), first.iter), first.ifs, 0)
    return gast.copy_location(gast.GeneratorExp(node.elt, [own, *node.generators[1:]]), node)
