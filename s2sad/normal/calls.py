"""Calls: primitives become operations, functions with source are written out where they are called, the rest stays."""

from __future__ import annotations

import bisect
import collections
import collections.abc
import contextlib
import copy
import dataclasses
import functools
import heapq
import inspect
import itertools
import logging
import math
import operator
import random
import re
import sys
import types
from collections.abc import Callable as Function
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.binding import bound_names
from s2sad.analysis.calls import Calls as CallTable
from s2sad.analysis.calls import hands_back
from s2sad.analysis.known_calls import CHANGE_FIRST, METHOD_OUT, METHODS, out_position, parameter_names
from s2sad.analysis.quiet import quiet
from s2sad.analysis.returns import OPERATORS, is_plain, returns_new
from s2sad.core import Expr, assign, atom_key, clone, copy_statement, load, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed
from s2sad.frontend.source import OfCode, function_tree, tree_to_look_at
from s2sad.kinds.bind import STANDARD, own_meaning
from s2sad.kinds.calls import call_kind
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array, Callable, Dim, Kind, ListOf, Nothing, Number, Object, Static, Text, Unknown
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of
from s2sad.kinds.labelled import foreign_library, labelled_by
from s2sad.kinds.pure import is_distribution, is_pure
from s2sad.kinds.query import in_parts, is_float_kind
from s2sad.kinds.trial import raised
from s2sad.knowledge import registry
from s2sad.normal import functionals, generators, library
from s2sad.normal.base import (
    CHANGES_ITS_OWN,
    OUTER,
    PUTS_IN,
    WRITES_TO_GLOBALS,
    Attempt,
    Frame,
    Restart,
    is_standard,
    own_new,
)
from s2sad.normal.effect_of import effect_of
from s2sad.normal.expressions import _NO, BINARY_METHOD, _leaves_of, _Nested, static
from s2sad.normal.handlers import BUILTINS, PRIMITIVE_MUTATORS
from s2sad.normal.iterators import all_of, any_of
from s2sad.normal.lifted import DerivativeOf
from s2sad.normal.recursion import Recursion
from s2sad.normal.tables import CHANGED_GROUP, Group, Table, items_of
from s2sad.normal.values import (
    Choice,
    Closure,
    DictObj,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Super,
    Tup,
    Value,
    contents,
    is_it,
    is_known_a,
    is_none,
)
from s2sad.normal.watch import IN_TURNS, Changes, reads
from s2sad.runtime.conditions import is_inert
from s2sad.runtime.decide import Look, decide
from s2sad.runtime.guards import guards_of
from s2sad.runtime.identity import Itself, class_entry, held_attribute, held_items

#: how many arguments builtins take, which are followed without being called: the least and the most
TAKES: dict[Any, tuple[int, int]] = {
    **dict.fromkeys((len, reversed, any, all, id, callable, abs, hash), (1, 1)),
    **dict.fromkeys((next, iter, sum, enumerate, round), (1, 2)),
    **dict.fromkeys((hasattr, isinstance, issubclass, divmod), (2, 2)),
    **dict.fromkeys((list, tuple, set, frozenset, float, bool), (0, 1)),
    range: (1, 3),
    getattr: (2, 3),
    setattr: (3, 3),
    **dict.fromkeys((list.append, list.extend, list.remove, list.count), (1, 1)),
    **dict.fromkeys((list.clear, list.copy, list.reverse), (0, 0)),
    list.insert: (2, 2),
    list.pop: (0, 1),
    list.index: (1, 3),
    **dict.fromkeys((dict.get, dict.pop, dict.setdefault), (1, 2)),
    **dict.fromkeys((dict.keys, dict.values, dict.items, dict.clear, dict.popitem), (0, 0)),
}
#: functions that run through the keys of a dict
RUN_THROUGH = frozenset(
    (sorted, max, min, list, tuple, set, frozenset, enumerate, zip, map, filter, iter, reversed, sum, any, all)
)
#: functions that are given an iterator and leave it one: they ask it for items later, for some of them, or for none
TAKES_ITERATORS = frozenset((next, iter, zip, enumerate, map, filter, reversed, isinstance, type, id, callable)).union(
    (hasattr, getattr, setattr, functools.partial, itertools.chain.from_iterable),
    (f for f in vars(itertools).values() if callable(f)),
)
#: functions that ask an iterator for items until they know the answer
EARLY: dict[Any, Any] = {any: any_of, all: all_of}
#: functions that tell what something is: of None something else than of a value
LOOKS_AT = frozenset(
    (type, callable, hasattr, getattr, str, repr, ascii, format, print, id, hash, bool)
).union((np.isscalar, np.ndim, np.shape, np.size, np.iterable))
#: what raises a TypeError for None
OF_NUMBERS = frozenset((float, int, complex, abs, round, divmod, len, sum, sorted, tuple, list)).union(
    f for f in vars(math).values() if callable(f)
)
#: how many calls are written out inside each other
DEPTH = 60
MUTATORS = {
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "fill",
    "put",
    "resize",
    "update",
    "setdefault",
    "popitem",
    "move_to_end",
    "partition",
    "itemset",
    "setflags",
}

#: functions of the standard library and of NumPy that change the list they are given
CHANGES_A_LIST = {
    *(heapq.heapify, heapq.heappush, heapq.heappop, heapq.heapreplace, heapq.heappushpop),
    *(bisect.insort, bisect.insort_left, bisect.insort_right, random.shuffle, np.random.shuffle),
    operator.delitem,
}

#: statements as functions: an item is stored, or what is given first is changed
_OPERATORS = "iadd iconcat isub imul imatmul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift"
IN_PLACE = {operator.setitem, *(getattr(operator, name) for name in _OPERATORS.split())}

#: builtins that call a method of the object they are given
SPECIAL_METHODS: dict[Any, str] = {
    abs: "__abs__",
    round: "__round__",
    float: "__float__",
    int: "__int__",
    complex: "__complex__",
    bool: "__bool__",
    len: "__len__",
    divmod: "__divmod__",
    next: "__next__",
    reversed: "__reversed__",
    operator.neg: "__neg__",
    operator.pos: "__pos__",
    math.floor: "__floor__",
    math.ceil: "__ceil__",
    math.trunc: "__trunc__",
}


def plain_operators(cls: type) -> bool:
    """Does a class leave operators alone?"""
    for base in cls.__mro__:
        own = vars(base).keys() & (OPERATORS | {"__array__"}) if not is_standard(base) else set()
        if own - (_COMPARISONS if dataclasses.is_dataclass(base) else set()):
            return False
    return True


#: functions that begin to write into `out` before they have read all of their arguments
_WRITES_WHILE_IT_READS = (np.concatenate, np.stack, np.ptp)

_COMPARISONS = {f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def _narrower(meant: Any, made: Any) -> bool:
    """Is the one a type of floats of less precision than the other?"""
    if meant is None or made is None or np.dtype(meant).kind != "f" or np.dtype(made).kind != "f":
        return False
    return bool(np.dtype(meant).itemsize < np.dtype(made).itemsize)


def made_of(kind: Kind, fits: Function[[type], bool]) -> bool:
    """Is a value of this kind a number, an array, or made of these and of objects whose classes fit?"""
    if isinstance(kind, (TupleKind, ListKind)):
        return all(made_of(k, fits) for k in kind.items)
    if isinstance(kind, ListOf):
        return made_of(kind.item, fits)
    if isinstance(kind, DictKind):
        return all(made_of(v, fits) for _, v in kind.items)
    if isinstance(kind, Object):
        return fits(kind.cls) and all(made_of(v, fits) for _, v in kind.attributes)
    if isinstance(kind, Static):
        return is_plain(kind.value)
    return isinstance(kind, (Number, Array, Text, Nothing))


def wrapped_by(value: Any) -> Any:
    """What a wrapper of a library (lru_cache's, joblib's) says that it calls; None where there is no such thing.

    What the user's own class has as `__call__` is followed instead: it may do anything with what its objects wrap.
    """
    call = inspect.getattr_static(type(value), "__call__", None)
    call = getattr(call, "__func__", call)  # of a staticmethod or classmethod
    if isinstance(value, type) or (isinstance(call, types.FunctionType) and not is_installed(call)):
        return None
    return held_attribute(value, "__wrapped__")


def uses_up(function: Value) -> bool:
    """Does a function run through what it is given at once, without calling back? (So do almost all of Python's and
    NumPy's own.)"""
    if isinstance(function, Method):
        found = static(function.function)
        return isinstance(found, tuple) and found[-1] in ("extend", "extendleft", "update", "join", "fromkeys")
    if not isinstance(function, Known) or function.is_a(types.FunctionType):
        return False
    called = function.itself
    lazy = held_attribute(called, "__module__") == "itertools" or (_hashable(called) and called in LAZY_ONES)
    own = isinstance(function.value, type) and not is_standard(function.value)
    return not lazy and not own


def calls_back(function: Value, node: Any) -> bool:
    """Does a call do something with each item before it asks for the next?"""
    known = static(function)
    by_key = (known is max or known is min) and any(k.arg == "key" for k in node.keywords)
    return by_key or known is functools.reduce


#: modules whose functions make arrays of the lists that they are given
OF_ARRAYS = tuple(f"scipy.{name}." for name in ("integrate", "interpolate", "linalg", "spatial", "stats", "signal"))
#: methods of containers that put in what they are given
KEEPS = ("append", "appendleft", "insert", "setdefault", "__setitem__")
LAZY_ONES = (map, filter, zip, enumerate, iter, reversed)


_PROGRESS_OF_RANGES = ("trange", "tnrange")


def shows_progress(value: Any) -> bool:
    """Does a call draw a progress bar and give the items that it is given? (tqdm, rich.progress.track)"""
    module = held_attribute(value, "__module__")
    if not isinstance(module, str) or module.partition(".")[0] not in ("tqdm", "rich"):
        return False
    name = getattr(value, "__name__", "")
    return name in (*_PROGRESS_OF_RANGES, "track") or (isinstance(value, type) and name.startswith("tqdm"))


def _takes_numbers(function: Any) -> bool:
    """Is it a function of Python's or NumPy's that asks no more of what it is given than the number it is?"""
    if isinstance(function, np.ufunc) or (_hashable(function) and function in OF_NUMBERS):
        return True
    module = held_attribute(function, "__module__")
    return isinstance(module, str) and module.partition(".")[0] in ("numpy", "scipy", "cmath")


class Calls(Recursion):
    """Lowering of calls."""

    def expr_Call(self, node: Any) -> Value:
        function = self.what_is_called(node.func)
        if isinstance(function, Known) and shows_progress(function.value):
            return self.without_progress(function.value, node)
        if uses_up(function) and not calls_back(function, node):
            for part in node.args:
                part.used_up = True  # if it is a generator expression
        if (
            isinstance(function, Known)
            and function.value is sum
            and node.args
            and isinstance(node.args[0], (gast.GeneratorExp, gast.ListComp))
            and not self.passive
            and not (isinstance(node.args[0], gast.ListComp) and self.starts_by_code(node))
        ):
            return self.sum_comprehension(node, function)
        early = isinstance(function, Known) and function.is_one_of(any, all) and len(node.args) == 1
        early = early and isinstance(node.args[0], gast.GeneratorExp) and not self.text_only
        if early and self.site(node) in self.decisions.step_by_step:
            return self.one_by_one(node, function.value)  # type: ignore[attr-defined]
        if early and not self.trials and self.may_run_code(node.args[0]):
            self.watch_effects(node)
        taken = is_it(function, next) and node.args
        if taken and isinstance(node.args[0], gast.GeneratorExp) and not self.text_only:
            kept = None if self.short_and_static(node.args[0]) else self.kept(node.args[0])
            if kept is None:
                return self.one_by_one(node, next)
        if isinstance(function, Known) and function.is_one_of(any, all) and len(node.args) == 1:
            decided = self.decided_by_items(function, node.args[0])
            if decided is not None:
                return decided
        if is_it(function, zip) and is_transposed(node):
            rows = self.held(self.expr(node.args[0].value))
            columns = self.columns(rows, node)
            if columns is not None:
                return columns
            return self.call_value(function, self.iterate_static(rows), {})
        if (
            self.takes_passively(function)
            and self.site(node) not in self.decisions.on_objects
            and not _has_output(function.value, node)  # type: ignore[attr-defined]
        ):
            self.passive += 1
            try:
                args, kwargs = self.arguments(node)
                if args and self.instance_of(args[0]) is not None and self.is_varied(args[0]) and self.passive == 1:
                    self.decisions.on_objects.add(self.site(node))
                    raise Restart
                return self.call_value(function, args, kwargs)
            finally:
                self.passive -= 1
        outer, suspended = self.passive, self.suspended
        mutates = isinstance(node.func, gast.Attribute) and node.func.attr in MUTATORS
        mutates = mutates or (isinstance(function, Known) and _hashable(function.value) and function.value in IN_PLACE)
        if (mutates and not self.text_only) or (self.follows_in_passing() and _has_body(function)):
            self.passive, self.suspended = 0, suspended or outer  # its arguments may be stored
        try:
            args, kwargs = self.arguments(node, function)
            return self.call_value(function, args, kwargs)
        finally:
            self.passive, self.suspended = outer, suspended

    def without_progress(self, function: Any, node: Any) -> Value:
        """What a progress bar is drawn for: derivatives draw none."""
        settings = [k for k in node.keywords if k.arg != "iterable"]
        if function.__name__ in _PROGRESS_OF_RANGES:
            made = self.call_value(Known(range), [self.expr(a) for a in node.args], {})
        else:
            over = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "iterable")]
            settings += node.args[1:]
            if not over or isinstance(over[0], gast.Starred):
                self.refuse("a progress bar that is moved by hand", "let it run over the loop: for i in tqdm(range(n))")
            made = self.expr(over[0])
        if any(map(self.may_run_code, settings)):
            self.refuse("what a progress bar shows is computed by code of its own", ways.OWN_STATEMENT)
        return made

    def what_is_called(self, node: Any) -> Value:
        """A method that changes its object needs the object as it is, whatever it returns is for."""
        if not self.passive or self.text_only or getattr(node, "attr", None) not in MUTATORS:
            return self.expr(node)
        outer, suspended = self.passive, self.suspended
        self.passive, self.suspended = 0, suspended or outer
        try:
            return self.expr(node)
        finally:
            self.passive, self.suspended = outer, suspended

    def one_by_one(self, node: Any, function: Any) -> Value:
        """any(), all() or next() of a generator expression, as a loop that ends where the answer is known."""
        form, items = function.__name__ + (" or" if node.args[1:] else ""), node.args[0]
        if any(map(self.may_run_code, node.args[1:])):
            items = self.with_rows(items)  # before what is given where there is none
        rest = [self.held(self.expr(a)) for a in node.args[1:]]
        result: Value = self.written_out(items, form, rest)
        return result

    def with_rows(self, node: Any) -> Any:
        raise NotImplementedError

    def watch_effects(self, node: Any) -> None:
        """Do the items that any() or all() is given change something? Then they are computed one by one."""
        outer_state, outer_block, checkpoint = self.state, self.block, self.checkpoint()
        self.state, self.block = self.state.fork(), []
        known, stores = set(self.facts.kinds), len(self.stores_made)
        before, refs, lists = self.state.slots(), set(self.state.heap), len(self.lists_changed)
        passive, self.passive = self.passive, 0
        try:
            self.written_out(node.args[0])
            after = self.state.slots()
            same = all(slot in after and self.same(after[slot], value) for slot, value in before.items())
            grown = any(slot[0] == "heap" and slot[1] in refs and slot not in before for slot in after)
            changed = known.intersection([*self.stores_made[stores:], *self.lists_changed[lists:]])
            effects = not same or grown or bool(changed) or _changes_what_was_there(self.block)
            effects = effects or effect_of(self.block, self.facts) in ("own", "unknown")  # it draws, say
        except DerivationError:
            effects = False
        finally:
            self.passive = passive
            self.state, self.block = outer_state, outer_block
            self.restore(checkpoint)
        if effects:
            self.decisions.step_by_step.add(self.site(node))
            raise Restart

    def decided_by_items(self, function: Known, node: Any) -> Known | None:
        """any() or all() of a comprehension over few known items, where what is known of each decides it."""
        if not isinstance(node, (gast.GeneratorExp, gast.ListComp)) or not self.short_and_static(node):
            return None
        from s2sad.normal.running_twice import has_effect

        outer_state, outer_block, checkpoint = self.state, self.block, self.checkpoint()
        self.state, self.block = self.state.fork(), []
        self.passive += 1
        try:
            found = self.call_value(function, [self.written_out(node)], {})
        except DerivationError:
            return None
        finally:
            self.passive -= 1
            effects = has_effect(self.block)
            self.state, self.block = outer_state, outer_block
            self.restore(checkpoint)
        return found if isinstance(found, Known) and not effects else None

    def starts_by_code(self, node: Any) -> bool:
        """May computing what a sum starts from do something, which must not come before its items?"""
        return any(map(self.may_run_code, [*node.args[1:], *(k.value for k in node.keywords)]))

    def sum_comprehension(self, node: Any, function: Known) -> Value:
        """sum(e for ...): as it is where nothing active is in it, else a loop that adds up."""
        comprehension = node.args[0]
        if not self.short_and_static(comprehension):
            kept = self.kept(comprehension)
            if kept is not None:
                rest = [self.expr(a) for a in node.args[1:]]
                return self.call_value(function, [kept, *rest], {k.arg: self.expr(k.value) for k in node.keywords})
        starts = [*node.args[1:], *(k.value for k in node.keywords)]
        if self.starts_by_code(node):
            comprehension = self.with_rows(comprehension)  # before the start, which is there before the first item
        if self.short_and_static(comprehension):
            given = [self.held(self.expr(s)) for s in starts]
            return self.call_value(function, [self.written_out(comprehension), *given], {})
        start = self.expr(starts[0]) if starts else self._constant(0)
        return self.sum_of_comprehension(comprehension, start)

    def arguments(self, node: Any, function: Value | None = None) -> tuple[list[Value], dict[str, Value]]:
        """The arguments of a call, by position and by name; `**settings` of a function that only takes settings stay
        as they are, under the name "**"."""
        alone = len(node.args) == 1 and isinstance(node.args[0], gast.Starred)  # looked into when the call is made
        given = [node.args[0].value] if alone else node.args
        values = self.in_order(node, [*given, *(k if k.arg is None else k.value for k in node.keywords)])
        args: list[Value] = []
        for part, value in zip(node.args, values, strict=False):
            with self.at(part):
                args.extend(self.iterate_static(value) if isinstance(part, gast.Starred) else [value])
        kwargs: dict[str, Value] = {}
        for keyword, value in zip(node.keywords, values[len(node.args) :], strict=True):
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
                continue
            if is_known_a(value, dict) and all(map(_is_word, value.value)):
                kwargs.update(self.entries(value))
                continue
            obj = self.state.heap[value.id] if isinstance(value, Ref) else None
            kept = isinstance(function, Known) and (function.value in SETTERS or self.stays_call(function.value))
            if obj is None and kept and not self.is_varied(value):
                kwargs["**"] = value
                continue
            if not isinstance(obj, DictObj):
                if isinstance(value, Leaf):
                    self.look_into(value.expr, made=True)
                self.refuse("** of a dict whose keys are not known", ways.KEYS, keyword.value)
            kwargs.update(obj.items)
        return args, kwargs

    def active_list_as_array(self, value: Value) -> Value:
        """A list of active numbers, or of equally many in each row, as the array that a function makes of it first."""
        is_list = isinstance(value, Leaf) and isinstance(value.kind, ListOf) and isinstance(value.kind.item, Number)
        if isinstance(value, Ref) and isinstance(self.state.heap[value.id], ListObj):
            kind = self.kind(value)
            items = kind.items if isinstance(kind, ListKind) else ()
            rows = {len(k.items) if isinstance(k, ListKind | TupleKind) else 0 for k in items}
            is_list = len(rows) == 1 and all(isinstance(leaf, Number | Static) for leaf in _leaves_of(kind))
        return self.list_as_array(value) if is_list and not self.passive and self.is_varied(value) else value

    def takes_passively(self, function: Value) -> bool:
        """Does the result never carry a derivative, whatever the arguments?"""
        if isinstance(function, Known):
            try:
                rule = registry.lookup(function.value)
            except TypeError:
                return False
            if function.value is operator.or_ or function.value is operator.ior:  # of dicts
                return False
            # where some calls have a derivative (np.arange in its step), the arguments tell
            return rule is not None and rule.zero and rule.definition is None
        return False

    # --- what is called

    def call_value(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if isinstance(function, Method):
            return self.call_method(function, args, kwargs)
        if isinstance(function, Partial) and isinstance(getter := static(function.function), tuple):
            return self.got(getter[1], function.args, args[0], dict(function.kwargs))
        if isinstance(function, Partial):
            made = self.call_value(function.function, [*function.args, *args], {**dict(function.kwargs), **kwargs})
            written_out = is_it(function.function, library.vectorized, library.vectorized_in_double)
            return self.lying_otherwise(made) if written_out else made
        if isinstance(function, Closure):
            return self.inline(function, args, kwargs)
        if isinstance(function, Choice):
            first, second = function.first, function.second
            if is_none(first):
                error = gast.Call(load("TypeError"), [gast.Constant("'NoneType' object is not callable", None)], [])
                self.write(gast.If(clone(function.test.expr), [gast.Raise(error, None)], []))
                return self.call_value(second, args, kwargs)
            held = [self.held(v) for v in args]
            return self.choose(
                clone(function.test.expr),
                lambda: self.call_value(first, held, kwargs),
                lambda: self.call_value(second, held, kwargs),
            )
        owner = held_attribute(function.value, "__self__") if isinstance(function, Known) else None
        if type(owner) in OUTER and function.value.__name__ in MUTATORS | PUTS_IN:  # type: ignore[attr-defined]
            active = any(self.is_varied(v) for v in [*args, *kwargs.values()])
            if active or id(owner) not in self.outer_filled:
                self.outer_filled[id(owner)] = (owner, active, self.frame, self.node)
        if isinstance(function, (Ref, Tup)):
            method = self.find_method(function, "__call__")
            if method is not None:
                return self.call_value(method, args, kwargs)
        if isinstance(function, Known):
            if args and held_attribute(function.value, "__name__") in CHANGE_FIRST:
                self.list_changes(args[0])
                changed = self.state.heap[args[0].id] if isinstance(args[0], Ref) else None
                if isinstance(changed, Instance) and changed.cls is Group:
                    self.refuse(*CHANGED_GROUP)
            return self.call_known(function, args, kwargs)
        if isinstance(function, Leaf):
            if isinstance(function.kind, (Number, Array)):
                error = TypeError("a number or an array is not callable")
                self.refuse(str(error), ways.CORRECT, raises=error)
            if isinstance(function.kind, Object) and registry.lookup(function.kind.cls.__call__) is not None:
                return self.object_call(function, args, kwargs)
            if function.varied and not self.passive:
                self.refuse(
                    "an object that is computed from active values is called", ways.FUNCTION
                )
            if any(self.is_varied(v) for v in [*args, *kwargs.values()]) and not self.passive:
                self.look_through(function.expr)  # what chose it may say which it is
                self.refuse(
                    "a function that is not known at derivation is called with active arguments",
                    "call it by its name, or pass it as an argument of the derived function",
                )
            return self.opaque(function, args, kwargs)
        self.refuse("this value cannot be called", "call a function by its name")

    def own_memory(self, value: Value) -> Value:
        """An array that nothing else holds: what a helper is given that may hand it back, of which no rule tells."""
        if not isinstance(value, Leaf) or not isinstance(value.kind, (Array, Unknown)):
            return value
        return value if self.memory_root(value.expr) is None else self.held(self.numpy_call(np.copy, [value]))

    def call_known(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        value = function.value
        if _hashable(value) and value in LOOKS_AT:
            if value in (type, hasattr, getattr) and any(isinstance(v, Maybe) and self.perhaps_list(v) for v in args):
                self.refuse_unknown_class()
            args, kwargs = [self.shown(v) for v in args], {k: self.shown(v) for k, v in kwargs.items()}
        elif isinstance(value, np.ufunc) or (_hashable(value) and value in OF_NUMBERS):
            for given in args:
                self.there(given)
        runs_through = _hashable(value) and value in RUN_THROUGH
        if runs_through or not isinstance(value, (types.FunctionType, type)) or _from_library(value):
            args = [self.as_list(v, runs_through) for v in args]
            if _hashable(value) and value in EARLY and args and self.is_asked(args[0]):
                return self.inline_library(EARLY[value], args, {})
            if not (_hashable(value) and value in TAKES_ITERATORS):
                followed = set().union(*map(self.iterators_of, args))
                of_iterators = followed or any(isinstance(v, Lazy) for v in args)
                if of_iterators and (value is copy.copy or value is copy.deepcopy):
                    self.refuse("a copy of an iterator, which goes on beside it", "ask for a second iterator")
                args, changes = self.taken_from(args) if followed else (list(map(self.what_is_left, args)), None)
                kwargs = {k: self.what_is_left(v) for k, v in kwargs.items()}
                if changes is not None and self.hands_over(args, kwargs):  # which is called in turns with the items
                    if changes.names or changes.keys or changes.calls or changes.refs - followed:
                        self.refuse(*IN_TURNS)
                    return self.without_changes(lambda: self.call_known(function, args, kwargs))
        if args and _hashable(value) and value in CHANGES_A_LIST:
            self.changed_elsewhere(args)
        if args and isinstance(value, types.FunctionType) and hands_back(value):
            args = [self.own_memory(args[0]), *args[1:]]
        special = SPECIAL_METHODS.get(value) if args and _hashable(value) else None
        if special is not None and self.has_methods(args[0]) and not (value is next and len(args) == 2):
            method = self.find_method(args[0], special)
            if method is not None:
                return self.call_value(method, args[1:], kwargs)
        if _takes_numbers(value):
            args, kwargs = list(map(self.number_within, args)), {k: self.number_within(v) for k, v in kwargs.items()}
        library = foreign_library(value)
        if library and not self.passive and any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            name = held_attribute(value, "__name__")
            ours = f"np.{name}" if name and hasattr(np, name) else "what is like it"
            self.refuse(f"{name} of {library} computes with arrays of its own", f"write it with NumPy: {ours}")
        if labelled_by(value) is not None and not any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            node = self.call_node(self.expression(function), args, kwargs)
            return self.define("t", node, self.infer(node))
        handler = BUILTINS.get(value) if _hashable(value) else None
        if handler is not None:
            self.check_taken(value, len(args) + len(kwargs))
            done = handler(self, function, args, kwargs)
            if done is not NotImplemented:
                return done  # type: ignore[no-any-return]
        if isinstance(value, (types.MethodDescriptorType, types.WrapperDescriptorType)) and args:
            # np.ndarray.sort(u), list.append(items, x)
            first, home = args[0], value.__objclass__
            held = self.state.heap[first.id] if isinstance(first, Ref) else None
            if home is float:
                args = list(map(self.number_within, args))
                done = self.method_of_float(value.__name__, args)
                if done is not None:
                    return done
            if home is np.ndarray and isinstance(first, Leaf) and isinstance(first.kind, Array):
                return self.leaf_method(first, value.__name__, args[1:], kwargs)
            a_list = isinstance(held, ListObj) or (isinstance(first, Leaf) and isinstance(first.kind, ListOf))
            a_set = is_known_a(first, set, frozenset)
            if home in (list, dict, set, collections.deque) and (a_list or a_set or isinstance(held, DictObj)):
                return self.call_value(self.attribute(first, value.__name__), args[1:], kwargs)
        if isinstance(value, functools.partial):
            bound = [self.from_python(v, self.expression(Known(v))) for v in value.args]
            named = {k: self.from_python(v, self.expression(Known(v))) for k, v in value.keywords.items()}
            return self.call_value(Known(value.func), [*bound, *args], {**named, **kwargs})
        if is_distribution(value):
            return Partial(function, tuple(map(self.held, args)), tuple((k, self.held(v)) for k, v in kwargs.items()))
        stand_in = self.instance_of(args[0]) if args else None
        if isinstance(stand_in, Instance) and _from_library(value):
            # what stands for an object of a library says itself what the functions of the library do with it
            own = self.class_attribute(stand_in.cls, f"of_{getattr(value, '__name__', '')}", args[0])
            if own is not None:
                return self.call_value(own, args[1:], kwargs)
        folded = self.folded(value, args, kwargs)
        if folded is None and not args and not kwargs:
            folded = self.view_of_table(function)
        if folded is not None:
            return folded
        namespace = self.namespace_of_arrays(value, args, kwargs)
        if namespace is not None:
            return namespace
        rule = registry.lookup(value) if _hashable(value) else None
        ufunc = held_attribute(value, "__self__")
        if ufunc is not None and isinstance(ufunc, np.ufunc):
            done = self.ufunc_method(function, ufunc, rule, args, kwargs)
            if done is not None:
                return done
        if rule is not None and isinstance(value, type) and rule.definition is not None:
            made = self.by_definition(value, args, kwargs)
            return made if made is not None else self.instantiate(function, args, kwargs)
        if rule is not None:
            spec = registry.functional(value)
            if spec is not None and (self.is_defined_here(args, kwargs) or self.hands_over(args, kwargs)):
                return functionals.call(self, function, spec, args, kwargs)
            apart = self.by_options(value, args, kwargs, lambda a, named: self.call_known(function, a, named))
            if apart is not None:
                return apart
            if (getattr(value, "__module__", None) or "").startswith(OF_ARRAYS):
                args = [self.active_list_as_array(v) for v in args]
                kwargs = {k: self.active_list_as_array(v) for k, v in kwargs.items()}
            return self.primitive(function, args, kwargs)
        if isinstance(value, np.vectorize):
            if value.otypes not in (None, "", "d"):
                self.refuse("np.vectorize with these otypes", "leave them out: floats follow")
            made = self.vectorized(Known(value.pyfunc), value.signature, given=bool(value.otypes))
            return self.call_value(made, args, kwargs)
        if isinstance(value, type):
            return self.instantiate(function, args, kwargs)
        if held_attribute(value, "primal") is not None and held_attribute(value, "specialize") is not None:
            return self.call_derivative(value, args, kwargs)
        if isinstance(value, DerivativeOf):
            called = value.call(self, args, kwargs)
            if called is None:
                name = held_attribute(value.operator, "__name__")
                self.refuse(f"{name} of a function that is made here", ways.DERIVATIVE_OF_LOCAL)
            return called
        if held_attribute(value, "__module__") == "s2sad.api":
            known = [static(v) for v in (*args, *kwargs.values())]
            if args and isinstance(args[0], Closure) and _NO not in known[1:] and not self.passive:
                options = tuple(zip(kwargs, known[len(args) :], strict=True))
                return Known(DerivativeOf(value, args[0], tuple(known[1 : len(args)]), options))
            if _NO in known:
                self.refuse(
                    f"{value.__name__} of a function that is made here",
                    ways.DERIVATIVE_OF_LOCAL,
                )
            return Known(value(*known[: len(args)], **dict(zip(kwargs, known[len(args) :], strict=True))))
        if isinstance(value, types.MethodType) and _from_library(value.__func__):
            if registry.lookup(value.__func__) is not None and isinstance(function.expr, gast.Attribute):
                instance = Leaf(clone(function.expr.value), Callable(value.__self__))
                return self.leaf_method(instance, value.__name__, args, kwargs)
            return self.library_call(function, args, kwargs)
        if isinstance(value, types.MethodType):
            owner = self.from_python(value.__self__, self.expression(Known(value.__self__)))
            return self.call_value(Known(value.__func__), [owner, *args], kwargs)
        if isinstance(value, types.FunctionType) and not _from_library(value):
            if hasattr(value, "__wrapped__") and value.__code__.co_filename == contextlib.__file__:
                self.check_manager_given([*args, *kwargs.values()])
            return self.call_function(function, args, kwargs)
        wrapped = wrapped_by(value)
        if wrapped is not None and not self.touches(args, kwargs):
            handed = [*args, *kwargs.values()]
            settled = isinstance(wrapped, types.FunctionType) and all(static(v) is not _NO for v in handed)
            active = any(map(self.is_varied, handed))
            if (not active or self.passive) and not (settled and quiet(wrapped)):
                return self.opaque(function, args, kwargs)
        if isinstance(wrapped, types.FunctionType) and not _from_library(wrapped):
            if isinstance(value, functools._lru_cache_wrapper):
                self.check_cache_keys([*args, *kwargs.values()])
            return self.call_value(Known(wrapped), args, kwargs)
        if not callable(value):
            self.refuse(f"a {type(value).__name__} is not callable", ways.CORRECT)
        if isinstance(getattr(value, "__self__", None), str):  # "...".format(x): text carries no derivative
            return self.opaque(function, args, kwargs)
        if is_standard(type(value)) and _hashable(value) and registry.lookup(type(value).__call__) is not None:
            definition = registry.lookup(type(value).__call__).definition  # type: ignore[union-attr]
            if definition is not None and self.is_defined_here(args, kwargs):
                return self.inline_library(definition.function, [function, *args], kwargs)
            return self.object_call(Leaf(self.expression(function), Callable(value)), args, kwargs)
        if _from_library(value) and not isinstance(value, type):
            return self.library_call(function, args, kwargs)
        method = self.find_method(function, "__call__")
        if method is not None:
            return self.call_value(method, args, kwargs)
        if not self.passive and any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            node = gast.Call(self.expression(function), [self.expression(v) for v in args], [])
            kind = self.infer(node)
            if (is_float_kind(kind) and not isinstance(kind, Unknown)) or isinstance(kind, Unknown):
                self.refuse(*self.no_rule(value))
        return self.opaque(function, args, kwargs)

    def check_taken(self, function: Any, given: int) -> None:
        """Refuse a builtin with fewer arguments than it takes, or with more."""
        least, most = TAKES.get(function, (0, given))
        if not least <= given <= most:
            error = TypeError(f"{function.__name__} takes from {least} to {most} arguments, not {given}")
            self.refuse(str(error), ways.CORRECT, raises=error)

    def keep_check(self, function: Known, args: list[Value]) -> None:
        """A line that raises when a call does that is followed without being in the run: `range(0, n, step)`."""
        if self.text_only or not all(map(self.textual, args)):
            return
        kinds = [Callable(function.value), *map(self.kind, args)]
        if raised(f"_0({', '.join(f'_{k + 1}' for k in range(len(args)))})", kinds, [(None, None)] * len(kinds)):
            self.write(gast.Expr(self.call_node(self.expression(function), args, {})))

    def group(self, owner: Leaf, name: str) -> None:
        """A list in a dict at run time takes active values: start again with a dict of lists that is followed."""
        names = [n for n in walk(owner.expr) if isinstance(n, gast.Name)]
        for key in [n.id for n in names] + [self.root_of(atom_key(owner.expr))]:
            site = self.table_of.get(key)
            if site is not None and name in ("append", "extend") and site not in self.decisions.grouped:
                self.decisions.tables.discard(site)
                self.decisions.unfit.add(site)
                self.decisions.grouped.add(site)
                raise Restart

    def taken_from(self, iterators: list[Value]) -> tuple[list[Value], Changes]:
        """What is left of iterators that are followed item by item, and what taking it has changed."""
        return self.noting_draws(lambda: list(map(self.what_is_left, iterators)))

    def as_list(self, value: Value, runs_through: bool) -> Value:
        """What a function gets that is given a dict whose keys only the run knows, or a list that is in one."""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if not isinstance(obj, Instance):
            return value
        if obj.cls is Group:
            return self.inline_library(items_of, [value], {})
        return obj.attributes["names"] if runs_through and issubclass(obj.cls, Table) else value

    def check_manager_given(self, values: Iterable[Value]) -> None:
        """What a context manager that is not followed is given must be nothing that it could change, or depend on."""
        for given in values:
            memory = isinstance(given, Leaf) and isinstance(given.kind, (Array, ListOf))
            if memory or self.is_varied(given) or (isinstance(given, Ref) and self.holds_arrays(given)):
                self.refuse(
                    "a context manager that is given active values, or arrays, is not followed",
                    "write a class with __enter__ and __exit__, or the statements themselves",
                )

    def object_call(self, owner: Leaf, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A call of an object of a library whose class says what the derivative of a call is."""
        cls = owner.kind.cls if isinstance(owner.kind, Object) else type(owner.kind.value)  # type: ignore[attr-defined]

        def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
            return gast.Call(exprs[0], exprs[1:], [gast.keyword(k, v) for k, v in named.items()])

        return self.multi_output(cls.__call__, build, [self.held(owner), *args], kwargs)

    def got(self, getter: type, given: tuple[Value, ...], value: Value, named: dict[str, Value]) -> Value:
        """operator.itemgetter(...)(value) and its like."""
        if getter is operator.methodcaller:
            return self.call_value(self.attribute(value, str(static(given[0]))), list(given[1:]), named)
        found: list[Value] = []
        for part in given:
            if getter is operator.itemgetter:
                found.append(self.subscript_value(value, part))
                continue
            one = value
            for name in str(static(part)).split("."):
                one = self.attribute(one, name)
            found.append(one)
        return found[0] if len(found) == 1 else Tup(tuple(self.held(v) for v in found))

    def view_of_table(self, function: Known) -> Value | None:
        """`TABLE.items()` and the like of a dict that is there already: its items one by one."""
        table: Any = held_attribute(function.value, "__self__")
        name = getattr(function.value, "__name__", "")
        if type(table) not in (dict, collections.OrderedDict, types.MappingProxyType) or len(table) > UNROLLED_TABLE:
            return None
        if name not in ("items", "keys", "values") or not all(_is_plain(k) for k in decide(table, Look.KEYS)):
            return None
        whole = Known(table, function.expr.value if isinstance(function.expr, gast.Attribute) else None)
        keys = [self._constant(k) for k in table]
        if name == "keys":
            return Tup(tuple(keys), Keys)
        values = [self.held(self.subscript_value(whole, k)) for k in keys]
        return Tup(tuple(values if name == "values" else (Tup(pair) for pair in zip(keys, values, strict=True))))

    def namespace_of_arrays(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """array_namespace(x, y) of the array API standard: the module that has the functions for arrays of these
        classes, which depends on nothing but them.

        (And the one function of that module which is written on top of NumPy's internals.)
        """
        home = (held_attribute(function, "__module__") or "").split(".")
        name = held_attribute(function, "__name__")
        if name == "solve" and home[-3:] == ["array_api_compat", "numpy", "linalg"] and np.__version__[0] != "1":
            module = gast.Attribute(load(self.global_name("np", np)), "linalg", gast.Load())
            own = Known(np.linalg.solve, gast.Attribute(module, name, gast.Load()))
            return self.call_value(own, args, kwargs)  # what NumPy's is since 2.0
        if name != "array_namespace" or not any("array_api" in part for part in home):
            return None
        examples, named = [], {k: static(v) for k, v in kwargs.items()}
        for value in args:
            kind = self.kind(value) if isinstance(value, Leaf) else None
            given = np.empty(0) if isinstance(kind, Array) else 0.0 if isinstance(kind, Number) else static(value)
            examples.append(given)
        if any(v is _NO for v in [*examples, *named.values()]):
            return None
        try:
            found = function(*examples, **named)
        except (TypeError, ValueError):
            return None
        return Known(found) if isinstance(found, types.ModuleType) else None

    def folded(self, method: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """A function whose result is known where its arguments are: a method of a string, or of the description of a
        function."""
        owner = held_attribute(method, "__self__")
        of_text = isinstance(method, types.BuiltinMethodType) and isinstance(owner, (str, bytes))
        of_function = method is inspect.signature or isinstance(owner, (types.MappingProxyType, inspect.Signature))
        if not of_text and not of_function:
            return None
        known = [static(v) for v in args]
        named = {k: static(v) for k, v in kwargs.items()}
        if any(v is _NO for v in [*known, *named.values()]) or (of_text and named):
            return None
        decide(owner, Look.ALL)
        if of_function:
            try:
                result = method(*known, **named)
            except Exception:
                return None
            views = (collections.abc.KeysView, collections.abc.ValuesView)
            return Known(tuple(result) if isinstance(result, views) else result)
        try:
            found = method(*known)
        except Exception as error:
            self.refuse(f"this raises {type(error).__name__}: {error}", ways.CORRECT, raises=error)
        if isinstance(found, list):
            return self.new_list([self._constant(v) for v in found])
        return self._constant(found)

    def ufunc_method(
        self, function: Known, ufunc: Any, rule: Any, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        """np.hypot.outer, np.maximum.accumulate, np.multiply.at and the like, where something is active."""
        from s2sad.normal import library

        name = function.value.__name__
        if self.passive or not any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            if name != "at":
                return None
            self.write(gast.Expr(self.call_node(self.expression(function), args, kwargs)))
            return Known(None)
        if name != "at":
            args = [self.list_as_array(v, True, True) if self.is_varied(v) else v for v in args]
        extreme = ufunc in (np.maximum, np.minimum, np.fmax, np.fmin)
        if "out" in kwargs and static(kwargs["out"]) is None:
            kwargs.pop("out")
        seldom = {"where", "initial", "out"} & set(kwargs)
        if name in ("reduce", "accumulate") and len(args) > 2:
            self.refuse(f"np.{ufunc.__name__}.{name} with so many arguments", "give them by name")
        if name == "reduce" and ufunc in _REDUCTIONS and (seldom or rule is None):
            axis = args[1] if len(args) > 1 else kwargs.pop("axis", self._constant(0))
            dtype = kwargs.pop("dtype", None)
            if dtype is not None and ufunc in (np.add, np.multiply):
                kwargs["dtype"] = dtype
            elif dtype is not None and static(dtype) not in (None, float, np.float64, "d"):
                self.refuse(f"np.{ufunc.__name__}.reduce with this dtype", "leave it out")
            return self.call_value(Known(_REDUCTIONS[ufunc]), [args[0]], {"axis": axis, **kwargs})
        if rule is not None:
            return None
        if seldom or ufunc.nout != 1 or ufunc.nin > 2 or (name == "reduce" and ufunc in (np.power, np.arctan2)):
            self.refuse(f"np.{ufunc.__name__}.{name} in this form", "write it with np.where and a loop")
        if name == "at":
            written: Any = library.ufunc_at if ufunc.nin == 1 else library.ufunc_at_values
            args = [args[0], self.places_of_at(ufunc, args[1]), *map(self.list_as_array, args[2:])]
        else:
            written = {
                "outer": library.outer_of,
                "reduce": library.ufunc_reduce,
                "accumulate": library.running_extreme if extreme else library.ufunc_accumulate,
                "reduceat": library.ufunc_reduceat,
            }[name]
        return self.inline_library(written, [Known(ufunc, self.name_of_ufunc(ufunc)), *args], kwargs)

    def name_of_ufunc(self, ufunc: Any) -> Expr | None:
        """np.hypot, where it is one of NumPy's own."""
        own = str(ufunc.__name__)
        numpy = getattr(np, own, None) is ufunc
        return gast.Attribute(load(self.global_name("np", np)), own, gast.Load()) if numpy else None

    def places_of_at(self, ufunc: Any, indices: Value) -> Value:
        """The indices of ufunc.at as positions along the first axis."""
        held = self.held(indices)
        if isinstance(held, Tup) or (self.shape_of(held) is not None and len(self.shape_of(held)) != 1):
            self.refuse(f"np.{ufunc.__name__}.at with indices of several dimensions", ways.LOOP)
        array = self.held(self.list_as_array(held))
        kind = self.kind(array)
        if not isinstance(kind, Array) or kind.dtype is None:
            self.refuse(f"np.{ufunc.__name__}.at with indices whose type is not known", "make them an array of ints")
        return self.numpy_call(np.flatnonzero, [array]) if kind.dtype == np.dtype(bool) else array

    def vectorized(self, function: Value, signature: Any, given: bool = False) -> Value:
        """What np.vectorize makes of a function; is the dtype of the results given?"""
        from s2sad.normal import library

        if not given:
            self.refuse_ints_among_floats(function, "np.vectorize")
        if signature is None:
            return Partial(Known(library.vectorized_in_double if given else library.vectorized), (function,), ())
        inputs = str(signature).replace(" ", "").split("->")[0]
        cores = tuple(len([n for n in part.split(",") if n]) for part in re.findall(r"\(([^()]*)\)", inputs))
        if cores == (1,):
            return Partial(Known(library.vectorized_rows), (function,), ())
        return Partial(Known(library.vectorized_cores), (function, Known(cores)), ())

    def refuse_ints_among_floats(self, function: Value, name: str) -> None:
        """Refuse a function some of whose results are ints: if the first is, NumPy cuts all others to ints."""
        if isinstance(function, Known) and not function.is_a(types.FunctionType):
            return
        source = function.source if isinstance(function, Closure) else None
        if isinstance(function, Known):
            source = self.source_of(function.value)
        if source is not None and ints_among_floats(source.tree):
            self.refuse(
                f"{name} of a function with ints among its results: NumPy gives all the type of the first",
                "write them as floats: 0.0 for 0",
            )

    def library_call(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A call into NumPy or the standard library without a rule: done once, at its place."""
        out = self.taken_output(function.value, args, kwargs)
        if out is not None:
            return self.stored(out, gast.Constant(Ellipsis, None), self.library_call(function, args, kwargs))
        module = (getattr(function.value, "__module__", "") or "").split(".")[0]
        if function.value is logging.getLogger and not kwargs and all(static(a) is not _NO for a in args):
            given = [gast.Constant(static(a), None) for a in args]
            return Known(logging.getLogger(*map(static, args)), gast.Call(self.expression(function), given, []))
        if module in ("logging", "warnings"):
            self.write(gast.Expr(self.call_node(self.expression(function), args, kwargs)))
            return Known(None)
        if not self.passive and any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            kind = self.infer(self.call_node(self.expression(function), args, kwargs))
            if is_float_kind(kind):
                self.refuse(*self.no_rule(function.value))
        if module not in STANDARD and module != "scipy" and self.changed_globals():
            self.refuse(*WRITES_TO_GLOBALS)
        call = self.call_node(self.expression(function), args, kwargs)
        kind = self.infer(call)
        self.check_not_read_back(call, kind)
        self.handed_on(call, kind)
        self.lost = self.lost or any(self.is_varied(v) for v in [*args, *kwargs.values()])
        if self.text_only or _is_pure(function.value):
            return Leaf(call, kind, nested=True)
        return self.define("t", call, kind)

    def call_function(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A function of the user's: written out, or called as it is where nothing active goes in."""
        value = function.value
        if args and isinstance(args[0], Ref) and value.__name__ == "__init__" and _is_generated(value):
            obj = self.state.heap[args[0].id]
            order = obj.cls.__mro__ if isinstance(obj, Instance) else ()
            for owner in order:
                if vars(owner).get("__init__") is value:  # super().__init__(...) of a dataclass
                    self.fill_fields(owner, args[0], args[1:], kwargs)
                    return Known(None)
        if of_compiler(value):
            return self.inline_library(value, args, kwargs)  # a part of a definition
        if "**" in kwargs:
            return self.passive_call(function, args, kwargs)
        varied = any(self.is_varied(v) for v in [*args, *kwargs.values()])
        sees = value in self.class_frames  # a method of a class that is defined here sees variables
        if (self.passive or not varied) and not (sees or self.touches(args, kwargs) or _mutates(value)):
            through = self.site(self.node) in self.decisions.looked_through
            if through or self.through or self.changed_globals() or self.site(self.node) in self.decisions.looked_into:
                if self.text_only:
                    self.refuse(*WRITES_TO_GLOBALS)
                self.through += through
                try:
                    return self.write_out(function, args, kwargs)
                finally:
                    self.through -= through
            if not (self.trials or self.text_only):
                self.called_outside.append((value, self.frame, self.node))
            changes = self.may_be_changed(value, [*args, *kwargs.values()])
            written_out = self.looked_into(function, args, kwargs, changes)
            if written_out is None and changes and any(map(_is_container, [*args, *kwargs.values()])):
                reason = f"{value.__name__} may change what it is given, and is not followed"
                self.refuse(reason, ways.COPY_LIST, concrete=True)
            return self.passive_call(function, args, kwargs, changes) if written_out is None else written_out
        return self.write_out(function, args, kwargs)

    def stays_call(self, function: Any) -> bool:
        """Does a call of a function stay one, on the way to a raise, whatever it is given?"""
        plain = isinstance(function, types.FunctionType) and not (_from_library(function) or of_compiler(function))
        return bool(self.raising) and plain and function not in self.class_frames and registry.lookup(function) is None

    def may_be_changed(self, function: Any, values: list[Value]) -> bool:
        """May a function that stays a call change arrays or containers that it is given?"""
        if self.trials or self.raising:
            return False
        memory = any(_is_container(v) or self.holds_arrays(v) for v in values)
        changes = memory and self.decisions.changes.may_change(function, self.made_of(values, is_standard))
        if changes and self.text_only:
            self.refuse(
                f"{function.__name__} may change what it is given, in an expression that stays one",
                ways.OWN_STATEMENT,
            )
        if changes and self.passive:
            self.changes_in_passing()
        return changes

    def looked_into(
        self, function: Known, args: list[Value], kwargs: dict[str, Value], changes: bool = False
    ) -> Value | None:
        """A call with nothing active in it whose result may share memory with its arguments, written out; None where
        it may stay a call. Active values may be stored in that memory later, and be seen under both names.

        `changes`: it may overwrite what it is given.
        """
        values = [*args, *kwargs.values()]
        followed = self.decisions.objects_followed and not self.passive
        if self.text_only or not (changes or followed or (not self.passive and any(map(self.holds_arrays, values)))):
            return None
        if not (changes or followed) and returns_new(function.value, self.made_of(values, plain_operators)):
            return None
        numeric = isinstance(self.infer(self.call_node(self.expression(function), args, kwargs)), (Number, Static))
        if numeric and not changes:
            return None
        attempt = Attempt(self)
        path, frame, node, origin = self.call_path, self.frame, self.node, self.origin
        try:
            result = self.write_out(function, args, kwargs)
        except DerivationError:
            self.call_path, self.frame, self.node, self.origin = path, frame, node, origin
            attempt.undo()
            return None
        attempt.keep()
        return result

    def made_of(self, values: Iterable[Value], fits: Function[[type], bool], depth: int = 4) -> bool:
        """Are values numbers, arrays, functions, containers of these, or objects whose classes fit?"""
        for value in values:
            parts: Iterable[Value] = ()
            if isinstance(value, Ref):
                obj = self.state.heap[value.id]
                if isinstance(obj, Instance) and not fits(obj.cls):
                    return False
                parts = _contents(obj)
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
            if parts and (depth == 0 or not self.made_of(parts, fits, depth - 1)):
                return False
        return True

    def holds_arrays(self, value: Value) -> bool:
        """May a value be an array, or hold one?"""
        if isinstance(value, Tup):
            return any(map(self.holds_arrays, value.items))
        if isinstance(value, Ref):
            return any(map(self.holds_arrays, _contents(self.state.heap[value.id])))
        if isinstance(value, Maybe):
            return self.holds_arrays(value.value)
        if isinstance(value, Leaf):
            return isinstance(value.kind, (Array, ListOf, Object, Unknown))
        return isinstance(value, Lazy) and any(map(self.holds_arrays, value.args))

    def arrays_held(self, value: Value) -> Iterator[str]:
        """The names of the arrays that a value is, or holds."""
        for part in self.within(value, set()):
            if not isinstance(part, Leaf) or isinstance(part.kind, Number):
                continue
            named = {atom_key(part.expr)} if not part.nested else {n.id for n in walk_names(part.expr)}
            for name in named:
                if isinstance(self.facts.kinds.get(name, part.kind), (Array, Unknown)):
                    yield name
                    yield self.root_of(name)

    def write_out(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A function of the user's is written out."""
        return self.inline(self.as_closure(function.value), args, kwargs)

    def as_closure(self, value: Any) -> Closure:
        """A function of the user's, with its defaults."""
        source = self.source_of(value)
        frame_defaults = value.__defaults__ or ()
        defaults = tuple(
            self.from_python(
                v, self.expression(Known(v)) if not isinstance(v, (int, float)) else gast.Constant(v, None)
            )
            for v in frame_defaults
        )
        kw_defaults = tuple(
            None
            if a.id not in (value.__kwdefaults__ or {})
            else self.from_python(value.__kwdefaults__[a.id], self.expression(Known(value.__kwdefaults__[a.id])))
            for a in source.tree.args.kwonlyargs
        )
        return Closure(source, self.class_frames.get(value), value, defaults, kw_defaults)

    def source_of(self, value: Any) -> Any:
        """The source of a function: one and the same tree each time, which is how recursion is recognised."""
        key = (value.__code__, id(value)) if isinstance(value, types.FunctionType) else id(value)
        known = self.program.sources.get(key)
        if known is not None and known[0] is value:
            return known[1]
        try:
            source = function_tree(value)
            self.program.sources[key] = (value, source)
            return source
        except DerivationError as error:
            self.refuse(
                f"{getattr(value, '__qualname__', value)} has neither a derivative rule nor source: {error.reason}",
                "define it in a file, or register a rule for it with s2sad.rules",
            )

    def touches(self, args: list[Value], kwargs: dict[str, Value]) -> bool:
        """Do arguments need to be known inside the callee because they have no run-time form?"""
        for value in [*args, *kwargs.values()]:
            if isinstance(value, (Closure, Partial)) and not getattr(value, "function", None):
                return True
            if isinstance(value, Ref):
                obj = self.state.heap[value.id]
                if isinstance(obj, Instance) and obj.expr is None:
                    return True
                if any(isinstance(v, (Closure, Partial)) for v in _contents(obj)):
                    return True
        return False

    def passive_call(
        self, function: Known, args: list[Value], kwargs: dict[str, Value], changes: bool = False
    ) -> Value:
        """A call with nothing active in it: it stays a call. A trial run tells the kind of its result.

        `changes`: it may overwrite what it is given.
        """
        self.lost = self.lost or any(self.is_varied(v) for v in [*args, *kwargs.values()])
        call = self.call_node(self.expression(function), args, kwargs, stranger=changes)
        call.new = returns_new(function.value, self.made_of([*args, *kwargs.values()], plain_operators))
        call.kept = not self.passive and not call.new
        kind: Kind = self.infer(call)
        if isinstance(kind, (Number, Array)):
            return Leaf(call, kind, nested=True)
        if not call.new:
            self.handed_on(call, kind)
        if self.raising:  # nothing has to be known of what it gives
            return Leaf(call, kind, nested=True) if self.text_only else self.define("t", call, kind)
        for trial in self.attempts:
            trial.calls[self.site(self.node)] = function.value
        told = _told_by(function, args, kwargs)
        if told is not None and told in self.decisions.tried:
            call.found_kind = self.decisions.tried[told]
            return Leaf(call, call.found_kind, nested=True)
        outer = (self.state, self.block, self.passive, self.call_path, self.budget, self.frame, self.node, self.origin)
        checkpoint = self.checkpoint()
        structure: Value | None = None
        program = self.program
        settled = False
        writes, known_globals = self.global_writes, len(self.decisions.module_globals)
        self.trials += 1
        try:
            self.state, self.block, self.passive = self.state.fork(), [], 0
            self.program = program.for_trial()
            source = self.source_of(function.value)
            if any(k[0] == id(source.tree) for k in self.call_path):
                self.program.recursive.add(id(source.tree))
            if self.trials > (3 if told is None else 8):
                self.refuse("what this call returns is not looked into", ways.OWN_STATEMENT)
            defaults = tuple(self.from_python(v, gast.Constant(0, None)) for v in function.value.__defaults__ or ())
            kwd = function.value.__kwdefaults__ or {}
            kw_defaults = tuple(
                self.from_python(kwd[a.id], gast.Constant(0, None)) if a.id in kwd else None
                for a in source.tree.args.kwonlyargs
            )
            passive_args = [self._without_variation(v) for v in args]
            passive_kwargs = {k: self._without_variation(v) for k, v in kwargs.items()}
            structure = self.inline(
                Closure(source, None, function.value, defaults, kw_defaults), passive_args, passive_kwargs
            )
            kind = self.settled(self.whole_kind(structure))
            held = self.state.heap[structure.id] if isinstance(structure, Ref) else None
            settled = (isinstance(structure, Known) or isinstance(held, DictObj)) and not self.block
            if is_none(structure):
                kind = Unknown()
        except (DerivationError, Restart, RecursionError):
            structure = None
        finally:
            self.trials -= 1
            self.program = program
            self.state, self.block, self.passive, self.call_path, self.budget, self.frame, self.node, self.origin = (
                outer
            )
            self.restore(checkpoint)
        if len(self.decisions.module_globals) > known_globals:
            raise Restart
        if self.global_writes > writes:
            self.global_writes = writes
            return self.write_out(function, args, kwargs)
        if settled and isinstance(structure, Known):  # it does nothing but choose an object
            return Known(structure.value)
        made_there = structure is not None and any(isinstance(v, Closure) for v in self.within(structure, set()))
        kept = call.containers and not call.new and _holds_containers(kind) and not self.text_only
        if settled or made_there or kept:
            # a dict whose keys may have to be known, functions with variables of their own, or a container it was given
            return self.write_out(function, args, kwargs)
        if isinstance(kind, (TupleKind,)) or (isinstance(kind, Object) and not is_standard(kind.cls)):
            name = self.facts.fresh("t")
            self.facts.kinds[name] = kind
            self.handed_out[name] = self.site(self.node)
            self.write(assign(name, call))
            made = self.from_kind(kind, load(name), False, (name,))
            self.own_no_more(made)
            return made
        if is_none(structure):
            self.write(gast.Expr(call))
            return Known(None)
        if isinstance(kind, (Number, Array, ListOf)):
            call.found_kind = _stable(kind, self)
            if told is not None and isinstance(kind, Number) and kind.value is None:
                self.decisions.tried[told] = kind
            return Leaf(call, call.found_kind, nested=True)
        leaf = self.define("t", call, kind if isinstance(kind, Object) else Unknown())
        self.made_by[atom_key(leaf.expr)] = self.site(self.node)
        if isinstance(structure, Ref) or (not call.new and any(map(self.holds_arrays, [*args, *kwargs.values()]))):
            self.handed_out[atom_key(leaf.expr)] = self.site(self.node)
        return leaf

    def own_no_more(self, value: Value) -> None:
        """Objects that a call handed out may be held by others, too: they are read here, not written to."""
        if isinstance(value, Tup):
            for item in value.items:
                self.own_no_more(item)
        elif isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, Instance):
                obj.foreign = True
            for item in _contents(obj):
                self.own_no_more(item)

    def _without_variation(self, value: Value) -> Value:
        if isinstance(value, Leaf):
            return Leaf(value.expr, value.kind, False, value.const, value.nested)
        if isinstance(value, Tup):
            return Tup(tuple(self._without_variation(v) for v in value.items), value.cls)
        return value

    def call_node(
        self,
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
        form = self.expression if isinstance(function, gast.Name) and function.id in ("len", "bool") else self.as_made
        shown, self.shown_containers = self.shown_containers, []
        call = gast.Call(
            function,
            [form(v) for v in args],
            [gast.keyword(None if k == "**" else k, form(v)) for k, v in kwargs.items()],
        )
        call.containers = self.shown_containers
        self.shown_containers = [*shown, *call.containers]
        call.stranger = stranger
        values = {id(e): v for e, v in zip(call.args, args, strict=True)}
        values |= {id(k.value): v for k, v in zip(call.keywords, kwargs.values(), strict=True)}
        if owner is not None:
            values[id(function.value)] = owner
        written = CallTable(self.facts).overwritten(call)
        if written and not stranger and self.passive and any(map(self.is_varied, values.values())):
            self.stores_in_passing()
        for expr in written:
            value = values.get(id(expr))
            if isinstance(value, Leaf) and isinstance(value.kind, (Array, Unknown)):
                self.overwritten_elsewhere(value, function)
        return call

    def handed_on(self, call: Any, kind: Kind, copied: Sequence[Value] = ()) -> None:
        """A call that stays a call may keep, or return, the containers that were written out for it.

        `copied`: those of which it looks at the items only.
        """
        if isinstance(kind, (Number, Array, Static)):
            return
        for value in call.containers:
            if not any(value is v for v in copied):
                self.copy_made(value)

    def overwritten_elsewhere(self, value: Leaf, function: Expr) -> None:
        """An array is overwritten by a call that stays as it is: it must not be active, nor a global."""
        if value.varied and not self.passive and is_float_kind(value.kind):
            name = function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", "this")
            self.refuse(f"{name} writes into an array with active values", ways.STORE)
        key = self.memory_root(value.expr) if value.nested else atom_key(value.expr)
        if key is not None:
            root = self.root_of(key)
            if root.split(".")[0].split("[")[0] in self.facts.globals:
                self.refuse(
                    "this writes to an array outside the function", ways.ARGUMENT
                )
            self.stores_made.append(root)

    def opaque(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A call that is not looked into; nothing active may go in."""
        self.lost = self.lost or any(self.is_varied(v) for v in [*args, *kwargs.values()])
        args, kwargs = [self.shown(v) for v in args], {k: self.shown(v) for k, v in kwargs.items()}
        if not isinstance(function, Known) or not function.is_a(types.FunctionType):
            self.check_quiet([*args, *kwargs.values()])
        plain = self.made_of([*args, *kwargs.values()], is_standard)
        stranger = not isinstance(function, Known) or self.may_write(function.itself, plain)
        self.looking += 1
        call = self.call_node(self.expression(function), args, kwargs, stranger=stranger)
        self.looking -= 1
        call.kept = not self.passive and not (isinstance(function, Known) and _returns_library_memory(function.value))
        kind = self.infer(call)
        self.check_not_read_back(call, kind)
        new = isinstance(function, Known) and _hashable(function.value) and function.value in _NEW_CONTAINERS
        self.handed_on(call, kind, args if new else ())
        if isinstance(kind, Unknown) and not self.passive:
            return self.define("t", call, kind)
        return Leaf(call, kind, nested=True)

    def may_write(self, value: Any, plain: bool) -> bool:
        """Is it a function that is not known, and may store into the arrays that it is given? `plain`: `may_change`."""
        wrapped = wrapped_by(value)
        inner = value if wrapped is None else wrapped
        if _from_library(value) or isinstance(value, type) or isinstance(getattr(value, "__self__", None), np.ufunc):
            return False
        return self.decisions.changes.may_change(inner, plain)

    # --- primitives

    def primitive(self, function: Known, args: list[Value], kwargs: dict[str, Value], owner_text: Any = None) -> Value:
        target = function.value
        out: Value | None = kwargs.pop("out", None) or self.taken_output(target, args, kwargs)
        if isinstance(target, np.ufunc) and len(args) == target.nin + 1 and target.nout == 1:
            *args, out = args
        if is_none(out):
            out = None
        if isinstance(target, np.ufunc):
            self.check_ufunc(target, args, kwargs, out)
        mutator = PRIMITIVE_MUTATORS.get(target)
        if mutator is not None:
            return mutator(self, function, args, kwargs)  # type: ignore[no-any-return]
        args, kwargs = self.lists_as_arrays(target, args, kwargs)
        several = out if isinstance(out, Tup) and isinstance(target, np.ufunc) and target.nout > 1 else None
        mask = kwargs.get("where")
        if isinstance(target, np.ufunc) and mask is not None and any(self.is_varied(v) for v in args):
            return self.where_ufunc(function, args, kwargs, out)
        if isinstance(out, Tup):
            out = out.items[0]
        if isinstance(target, np.ufunc) and mask is not None and out is not None:
            if kwargs.keys() == {"where"} and self.has_shape(out):
                return self.where_ufunc(function, args, kwargs, out)
            out = self.held(out, "out")
            scratch = self.held(self.numpy_call(np.copy, [out]))
            chosen = self.operation(
                target,
                lambda exprs, named: gast.Call(
                    self.expression(function), exprs, [gast.keyword(k, v) for k, v in named.items()]
                ),
                args,
                {**kwargs, "out": scratch},
            )
            return self.stored(out, gast.Constant(Ellipsis, None), chosen)
        if out is not None:
            out = self.held(out, "out")
            if target in _WRITES_WHILE_IT_READS:
                self.check_output(target, args, out)
        if (getattr(target, "__module__", None) or "").startswith("numpy.linalg") or target in _OF_MATRICES:
            args = [self.nested_numbers_as_array(v) for v in args]
        callee = self.expression(function)

        def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
            return gast.Call(clone(callee), exprs, [gast.keyword(k, v) for k, v in named.items()])

        result = self.by_definition(target, args, kwargs)
        if result is None:
            result = self.multi_output(target, build, args, kwargs)
        if out is not None and several is not None and isinstance(result, Tup):
            parts = zip(several.items, result.items, strict=True)
            return Tup(tuple(
                value if static(own) is None else self.stored(own, gast.Constant(Ellipsis, None), value)
                for own, value in parts
            ))
        if out is not None:
            if isinstance(out, Tup):
                out = out.items[0]
            if isinstance(target, np.ufunc) and "casting" not in kwargs:
                self.check_cast(result, out)
            return self.stored(out, gast.Constant(Ellipsis, None), result)
        return result

    def check_cast(self, result: Value, out: Value) -> None:
        """A universal function writes no floats into an array of ints, and no complex numbers into one of floats."""
        kind = self.kind(out)
        given = dtype_of(self.kind(result))
        own = kind.dtype if isinstance(kind, Array) and not kind.mixed else None
        if given is not None and own is not None and not np.can_cast(given, own, "same_kind"):
            wrong = TypeError(f"numbers of {given.name} do not go into an array of {own.name}")
            self.refuse(wrong.args[0], "give it an array for them", raises=wrong)

    def check_output(self, target: Any, args: list[Value], out: Value) -> None:
        """Refuse results that are written into what is read: `np.concatenate([u[1:], u[:1]], out=u)`."""
        roots: set[str | None] = set()
        for value in args:
            parts = list(_contents(self.state.heap[value.id])) if isinstance(value, Ref) else [value]
            parts = [p for v in parts for p in (v.items if isinstance(v, Tup) else (v,))]
            roots |= {self.memory_root(p.expr) for p in parts if isinstance(p, Leaf)}
        root = self.memory_root(out.expr) if isinstance(out, Leaf) else None
        if root is not None and self.root_of(root) in {self.root_of(r) for r in roots if r is not None}:
            name = target.__name__
            reason = f"np.{name} writes its result into an array that it still reads"
            self.refuse(reason, f"u[...] = np.{name}(...), without out")

    def check_ufunc(self, ufunc: Any, args: list[Value], kwargs: dict[str, Value], out: Value | None) -> None:
        """Refuse forms in which a universal function is not what its rule says."""
        if ufunc.nout > 1 and len(args) > ufunc.nin:
            self.refuse(f"np.{ufunc.__name__} with arrays for its results", "give them as out=, or assign the results")
        if ufunc not in (np.maximum, np.minimum, np.fmax, np.fmin) or "dtype" not in kwargs:
            return
        dtype = static(kwargs["dtype"])
        kinds = [k.dtype for k in map(self.kind, args) if isinstance(k, Array)]
        if dtype is not None and (dtype is _NO or any(np.dtype(dtype).itemsize < k.itemsize for k in kinds)):
            self.refuse(
                f"np.{ufunc.__name__} with a dtype that rounds its arguments: what is larger cannot be told",
                "convert the arguments first: x.astype(...)",
            )

    def by_options(
        self,
        target: Any,
        args: list[Value],
        kwargs: dict[str, Value],
        call: Function[[list[Value], dict[str, Value]], Value],
    ) -> Value | None:
        """A call with an option of which the run says the value, as one call for each value that it may have.

        None where there is no such option. What is on or off is True or False in the call.

        y = np.angle(z, deg=c)        if c: y = np.angle(z, deg=True)
                                      else: y = np.angle(z, deg=False)
        """
        rule = registry.lookup(target)
        if rule is None or rule.zero or rule.partials or not self.is_defined_here(args, kwargs):
            return None
        parameters = (rule.definition or rule.templates[0]).parameters
        defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        everything: list[tuple[int | str, Value]] = [*enumerate(args), *kwargs.items()]
        for place, value in everything:
            name = place if isinstance(place, str) else places[place] if place < len(places) else ""
            cases = self.cases_of_option(value, defaults[name]) if name in defaults else []
            if not cases:
                continue
            held, named = [self.held(v) for v in args], {k: self.held(v) for k, v in kwargs.items()}

            def given(case: Value, place: Any = place, held: list[Value] = held, named: Any = named) -> Value:
                if isinstance(place, str):
                    return call(held, {**named, place: case})
                return call([*held[:place], case, *held[place + 1 :]], named)

            def one_of(cases: list[tuple[Expr | None, Value]], given: Any = given) -> Value:
                (test, first), *others = cases
                return self.choose(test, lambda: given(first), lambda: one_of(others)) if others else given(first)

            return one_of(cases)
        return None

    def cases_of_option(self, value: Value, default: Any) -> list[tuple[Expr | None, Value]]:
        """The values that an option may have, and how each is asked for (the last is what is left).

        None at all where the call is made with the value that is given.
        """
        if isinstance(value, Maybe):
            return [(self.expression(value.none), Known(None)), (None, value.value)]
        known = static(value)
        if isinstance(default, bool) and isinstance(known, (int, np.bool_)) and not isinstance(known, bool):
            return [(None, Known(bool(known)))]
        if not isinstance(value, Leaf) or value.varied:
            return []
        if isinstance(value.kind, Number) and value.kind.type in (bool, np.bool_):
            on_or_off = default is None or isinstance(default, bool)
            return [(self.expression(value), Known(True)), (None, Known(False))] if on_or_off else []
        if not isinstance(value.kind, Unknown) or not self.cases_of(value):
            return []

        def asked(case: Any) -> Expr:
            op = gast.Is() if case is None else gast.Eq()
            return gast.Compare(self.expression(value), [op], [gast.Constant(case, None)])

        *some, last = self.cases_of(value)
        return [*((asked(case), Known(case)) for case in some), (None, Known(last))]

    def where_ufunc(self, function: Known, args: list[Value], kwargs: dict[str, Value], out: Value | None) -> Value:
        """`f(x, out=y, where=mask)`: y[mask] = f(x[mask])."""
        mask = kwargs.pop("where")
        known = static(mask)
        mask = Known(bool(known)) if isinstance(known, (bool, int)) else self.held(mask, "mask")
        if isinstance(out, Tup):
            out = out.items[0]
        if out is None or kwargs or not self.has_shape(out):
            self.refuse(
                f"{function.value.__name__} with where, and without an array for the result",
                "give it out=, or write out[mask] = f(x[mask])",
            )
        out = self.held(out, "out")
        kind = self.kind(out)
        assert isinstance(kind, Array)
        shape = gast.Attribute(self.expression(out), "shape", gast.Load())

        def spread(value: Value) -> Value:
            """The value in the shape of the result."""
            own = self.kind(value)
            assert isinstance(kind, Array)
            if isinstance(own, Array) and own.shape == kind.shape:
                return value
            return self.held(self.numpy_call(np.broadcast_to, [value, Leaf(shape, self.infer(shape), nested=True)]))

        mask = spread(mask)
        parts = [
            v if isinstance(self.kind(v), Number) else self.held(self.subscript_value(spread(self.held(v)), mask))
            for v in args
        ]
        return self.stored(out, self.expression(mask), self.primitive(function, parts, {}))

    def has_shape(self, value: Value) -> bool:
        """Is it an array whose lengths are known (as symbols)?"""
        kind = self.kind(value)
        return isinstance(kind, Array) and kind.shape is not None

    def stored(self, out: Value, index: Expr, value: Value) -> Value:
        """Store into an array, and the array as it is known then."""
        held = self.held(out, "out")
        self.store_into(held, index, value)
        if isinstance(held, Leaf) and atom_key(held.expr) in self.facts.varied and not held.varied:
            return Leaf(held.expr, held.kind, True)
        return held

    def taken_output(self, target: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """The array that a function of NumPy or scipy.ndimage is to write its result into, where that is given by its
        position; it is taken off the arguments."""
        if target is np.nan_to_num and args:
            copy = args.pop(1) if len(args) > 1 else kwargs.pop("copy", Known(True))
            for name, value in zip(("nan", "posinf", "neginf"), args[1:], strict=False):
                kwargs[name] = value
            del args[1:]
            if static(copy) is _NO:
                self.refuse("nan_to_num whose copy is not known", "give copy=True or copy=False", concrete=True)
            return None if static(copy) else args[0]
        if not _hashable(target):
            return None
        position = out_position(target)
        if len(args) > position and not isinstance(target, np.ufunc):
            names = parameter_names(target)
            if len(args) > len(names):
                self.refuse(f"{target.__name__} with so many arguments", "give them by name")
            kwargs.update(zip(names[position + 1 :], args[position + 1 :], strict=False))
            given_out = args[position]
            del args[position:]
            return given_out
        if not (getattr(target, "__module__", None) or "").startswith("scipy.ndimage"):
            return None
        position = _output_position(target)
        given = args[position] if 0 <= position < len(args) else kwargs.get("output")
        if not isinstance(given, Leaf) or not isinstance(given.kind, (Array, Unknown)):
            return None
        if 0 <= position < len(args):
            args[position] = Known(None)
        else:
            del kwargs["output"]
        return given

    def shape_of(self, value: Value) -> Any:
        """The shape of a number or an array, where it is known."""
        kind = self.kind(value)
        return () if isinstance(kind, Number) else kind.shape if isinstance(kind, Array) else None

    def by_definition(self, target: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """A call of a function that is defined by others: their statements in its place. None where it is not so."""
        rule = registry.lookup(target)
        found = rule.definition if rule is not None else None
        here = target in IN_PLACE or self.is_defined_here(args, kwargs)
        if found is None or not (here or _has_no_call(target)):
            return None
        if found.condition is not None and not self.is_for(found, args, kwargs):
            return None
        if target is np.apply_along_axis and (args or "func1d" in kwargs):
            self.refuse_ints_among_floats(args[0] if args else kwargs["func1d"], "np.apply_along_axis")
        args, kwargs = self.lists_as_arrays(target, args, kwargs)
        known = {p.name: p for p in found.parameters}
        if not any(p.kind == p.VAR_KEYWORD for p in found.parameters):
            harmless = ("casting", "order", "subok", "kind", "stable", "optimize", "device", "like", "dtype")
            kwargs = {k: v for k, v in kwargs.items() if k in known or k not in harmless}
        meant = call_kind(target, [self.kind(v) for v in args], {k: self.kind(v) for k, v in kwargs.items()})
        result = self.lying_otherwise(self.inline_library(found.function, args, kwargs))
        made = result.kind if isinstance(result, Leaf) else None
        # (what a definition computes may be more precise than what NumPy gives)
        if isinstance(made, Array) and isinstance(meant, Array) and _narrower(meant.dtype, made.dtype):
            return self.call_value(self.attribute(result, "astype"), [self.numpy_function(meant.dtype.name)], {})
        if isinstance(made, Number) and isinstance(meant, Number) and _narrower(meant.type, made.type):
            return self.call_value(self.numpy_function(np.dtype(meant.type).name), [result], {})
        if isinstance(meant, Number) and isinstance(made, Array) and made.shape == ():
            # the function gives the number in it, which nobody else can change
            return self.subscript(self.held(result), gast.Tuple([], gast.Load()))
        return result

    def lying_otherwise(self, result: Value) -> Value:
        """What is written out in the place of a call, as an array that may lie in memory otherwise than NumPy's."""
        kind = result.kind if isinstance(result, Leaf) else None
        if isinstance(kind, Array) and (kind.shape is None or len(kind.shape) > 1):
            result = self.anchor(result)
            if isinstance(result.expr, gast.Name):
                self.facts.unlike.add(result.expr.id)
        return result

    def lists_as_arrays(
        self, target: Any, args: list[Value], kwargs: dict[str, Value]
    ) -> tuple[list[Value], dict[str, Value]]:
        """Arguments, of which some are active, as the arrays that a function makes of them itself.

        Those that are not active may be axes or sizes: they stay as they are where they hold ints.
        """
        if not any(self.is_varied(v) for v in [*args, *kwargs.values()]):
            return args, kwargs
        if not takes_arrays(target):
            if _module(target)[0] != "numpy" or (_hashable(target) and target in JOINS):
                return args, kwargs

            def grown(value: Value) -> Value:
                lists = isinstance(value, Leaf) and isinstance(value.kind, ListOf) and value.varied
                lists = lists or (target in _EXTREMES and self.is_varied(value) and not _of_numbers(self.kind(value)))
                return self.list_as_array(value, True, True) if lists else value

            return [grown(v) for v in args], {name: grown(v) for name, v in kwargs.items()}
        elementwise, rule = isinstance(target, np.ufunc), registry.lookup(target)
        of_scipy = _module(target)[0] == "scipy"
        all_floats = (rule is not None and rule.definition is not None) or of_scipy
        # in SciPy tuples have meanings of their own, and lists may be of several arrays
        whole = not of_scipy or (rule is not None and rule.is_broadcast)

        def made(value: Value, name: str = "") -> Value:
            if name in _OF_SEVERAL and not of_scipy:
                return value
            if not self.is_varied(value) and not elementwise:
                kind = self.kind(value) if all_floats and isinstance(value, Ref) else None
                if not isinstance(kind, ListKind) or not any(map(is_float_kind, kind.items)):
                    return value
            return self.list_as_array(value, not of_scipy, whole)

        listed = any(isinstance(v, (Tup, Ref)) for v in args) and not isinstance(target, np.ufunc)
        names = [*(parameter_names(target) if listed else ()), *[""] * len(args)]
        parts = [made(v, name) for name, v in zip(names, args, strict=False)]
        return parts, {name: made(v, name) for name, v in kwargs.items()}

    def is_for(self, definition: Any, args: list[Value], kwargs: dict[str, Value]) -> bool:
        """Is a call one of those that a definition is for?"""
        known, condition = Arguments(self, definition, args, kwargs), definition.condition
        return (
            any(known.given(n) for n in condition.given)
            or any(known.varied(n) for n in condition.active)
            or (condition.when is not None and condition.when(known))
        )

    def multi_output(self, target: Any, build: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A primitive that returns a tuple gets one name for each part."""
        result = self.operation(target, build, args, kwargs)
        kind = result.kind
        if not isinstance(kind, TupleKind) and not (isinstance(kind, ListKind) and result.varied):
            return result
        if result.nested and self.passive:
            return result
        if result.nested:
            result = self.anchor(result)
        return self.results_of(result, kind)

    def told_apart(self, value: Value, count: int) -> Value:
        """What is unpacked into so many names: the results, where a rule is of a function with several whose kinds are
        not known."""
        if not isinstance(value, Leaf) or type(value.kind) is not Unknown or not value.varied or not self.block:
            return value
        call = self.block[-1]
        application = getattr(call, "apply", None)
        if application is None or atom_key(value.expr) != getattr(call.targets[0], "id", None):
            return value
        rule = registry.lookup(application[0])
        if rule is None or not any(template.of_several for template in rule.templates):
            return value
        return self.results_of(value, TupleKind((Unknown(),) * count))

    def results_of(self, result: Leaf, kind: TupleKind | ListKind) -> Value:
        """What the call in the last statement returns, with one name for each part."""
        statement = self.block[-1]
        name = atom_key(result.expr)
        root = self.alias.pop(name, None)
        roots = self.memory_roots(statement.value) if root is not None else []
        if len(roots) != len(kind.items):  # else each part shares with its own argument
            roots = [root] * len(kind.items)
        parts: list[Value] = []
        targets: list[Expr] = []
        for i, item in enumerate(kind.items):
            part = self.facts.fresh(f"{name}_{i}")
            self.facts.kinds[part] = item
            varied = result.varied and is_float_kind(item)
            if varied:
                self.facts.varied.add(part)
            shared = roots[i]
            if shared is not None and not isinstance(item, Number):
                self.alias[part] = shared
            targets.append(gast.Name(part, gast.Store(), None, None))
            parts.append(Leaf(load(part), item, varied))
        statement.targets = [gast.Tuple(targets, gast.Store())]
        if isinstance(kind, ListKind):
            return self.new_list(parts)
        return Tup(tuple(parts), kind.cls)

    def changed_elsewhere(self, args: list[Value]) -> None:
        """A function of the library changes the list that it is given: that has to be one at run time."""
        owner, rest = args[0], args[1:]
        obj = self.state.heap[owner.id] if isinstance(owner, Ref) else None
        if isinstance(obj, ListObj):
            self.make_dynamic(obj)
        if isinstance(obj, DictObj):
            self.refuse("a dict is changed by a function of the library", ways.ONE_BY_ONE)
        if isinstance(owner, Leaf) and isinstance(owner.kind, ListOf):
            if owner.varied and not self.passive:
                self.refuse(
                    "a list of active values is changed by a function of the library",
                    "use methods of lists: x = items.pop(items.index(min(items))), say",
                )
            self.resize(owner)
            self.lists_changed.append(atom_key(owner.expr))
            if rest:
                self.learn_item(owner, rest[-1])

    # --- methods

    def call_method(self, function: Method, args: list[Value], kwargs: dict[str, Value]) -> Value:
        inner, owner = function.function, function.owner
        if is_known_a(inner, tuple):
            name = inner.value[1]
            if name in KEEPS:
                args = [self.kept_iterator(v) for v in args]
            if name == "__setitem__" and len(args) == 2:
                return self.call_value(Known(operator.setitem), [owner, *args], kwargs)
            if isinstance(owner, Partial):
                return self.frozen_method(owner, name, args, kwargs)
            if isinstance(owner, Leaf):
                if name == "shuffle" and args:
                    self.changed_elsewhere(args)
                return self.leaf_method(owner, name, args, kwargs)
            if inner.value[0] == "slice":
                callee = gast.Attribute(self.expression(owner), name, gast.Load())
                call = gast.Call(callee, [self.expression(v) for v in args], [])
                return self.held(Leaf(call, TupleKind((Number(int),) * 3), nested=True), "bounds")
            if isinstance(owner, Known):
                return self.set_method(owner, name, args)
            return self.container_method(owner, name, args, kwargs)
        if isinstance(owner, Tup) and hasattr(owner.cls, "_fields") and isinstance(inner, Known):
            fields = owner.cls._fields
            if inner.value is owner.cls._replace:  # type: ignore[attr-defined]
                parts = {**dict(zip(fields, owner.items, strict=True)), **{k: self.held(v) for k, v in kwargs.items()}}
                return Tup(tuple(parts.values()), owner.cls)
            if inner.value is owner.cls._asdict:  # type: ignore[attr-defined]
                return self.allocate(DictObj(dict(zip(fields, owner.items, strict=True)), self.site(self.node)))
        if isinstance(owner, Tup) and isinstance(inner, Known) and inner.is_one_of(tuple.index, tuple.count):
            values, given = [static(v) for v in owner.items], [static(v) for v in args]
            if _NO not in values and _NO not in given:
                found = inner.value(tuple(values), *given)
                return Leaf(gast.Constant(found, None), Number(int, Dim.of(found)), const=found)
        return self.call_value(inner, [owner, *args], kwargs)

    def frozen_method(self, owner: Partial, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`stats.norm(mu, sigma).pdf(x)` is `stats.norm.pdf(x, mu, sigma)`."""
        distribution = owner.function.value  # type: ignore[attr-defined]
        first = [kwargs.pop(k) for k in ("x", "k", "q") if k in kwargs and not args]
        args = [*first, *args]
        split = 0 if name in ("mean", "var", "std", "median", "entropy", "stats", "support", "rvs", "fit") else 1
        expr = gast.Attribute(self.expression(owner.function), name, gast.Load())
        given = [*args[:split], *owner.args]
        if name == "rvs":  # size and random_state follow the parameters, which may be fewer than there are
            kwargs = {**dict(zip(("size", "random_state"), args, strict=False)), **kwargs}
        else:
            given += args[split:]
        return self.call_value(Known(getattr(distribution, name), expr), given, {**dict(owner.kwargs), **kwargs})

    def leaf_method(self, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        kind = owner.kind
        if name in MUTATORS | CHANGES_ITS_OWN:
            self.check_originals(owner)
        if name in CHANGES_ITS_OWN:
            self.list_changes(owner)
        if isinstance(kind, ListOf):
            return self.dynamic_method(owner, name, args, kwargs)
        sorts = name == "sort" and type(kind) is Unknown and not owner.varied  # it may be a list
        queues = name == "put" and type(kind) is Unknown and len(args) + len(kwargs) == 1  # an array takes two
        mutator = name in ("fill", "sort", "put", "partition", "itemset", "resize") and not sorts and not queues
        if isinstance(kind, (Array, Unknown)) and mutator:
            return self.array_mutator(owner, name, args, kwargs)
        if name == "__array_namespace__" and isinstance(kind, Array) and hasattr(np.ndarray, name):
            return Known(np, load(self.global_name("np", np)))
        if name in ("item", "tolist") and isinstance(kind, (Array, Unknown)) and owner.varied and not self.passive:
            found = self.as_python(owner, name, args)
            if found is not None:
                return found
        target = registry.method(Object(type(kind.value)) if isinstance(kind, Callable) else kind, name)
        if target is not None:
            held = self.held(owner)

            def again(args: list[Value], named: dict[str, Value]) -> Value:
                return self.call_value(self.attribute(args[0], name), args[1:], named)

            apart = self.by_options(target, [held, *args], kwargs, again)
            if apart is not None:
                return apart

            def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
                return gast.Call(
                    gast.Attribute(exprs[0], name, gast.Load()),
                    exprs[1:],
                    [gast.keyword(k, v) for k, v in named.items()],
                )

            out = kwargs.pop("out", None)
            position = METHOD_OUT.get(name, 99)
            if out is None and len(args) > position and isinstance(kind, (Array, Unknown)):
                if len(args) > position + 1:
                    self.refuse(f"{name} with so many arguments", "give them by name")
                *args, out = args
            if out is not None:
                out = self.held(out)
            result = self.by_definition(target, [held, *args], kwargs)
            if result is None:
                result = self.multi_output(target, build, [held, *args], kwargs)
            if out is not None and not is_none(out):
                return self.stored(out, gast.Constant(Ellipsis, None), result)
            return result
        if name == "__getitem__" and args:
            return self.subscript_value(self.held(owner), self.held(args[0]))
        if isinstance(kind, Number) and kind.type in (bool, int, float, complex) and not hasattr(kind.type, name):
            self.no_attribute(kind.type.__name__, name)
        if name == "copy" and isinstance(kind, Number) and issubclass(kind.type, np.generic) and not args:
            return owner
        if owner.varied and not self.passive:
            call = gast.Call(
                gast.Attribute(self.expression(owner), name, gast.Load()), [self.expression(v) for v in args], []
            )
            if is_float_kind(self.infer(call)):
                self.refuse(f"the method {name!r} has no derivative rule", ways.SAME_IN_NUMPY)
        of_users = isinstance(kind, Object) and not is_standard(kind.cls)
        stranger = of_users or (isinstance(kind, Unknown) and name not in METHODS)
        if any(self.is_varied(v) for v in [*args, *kwargs.values()]) and not self.passive:
            self.check_labels(owner)
            self.look_into(owner.expr)
            self.group(owner, name)
            if stranger:
                self.follow_objects()
            self.refuse(
                f"the method {name!r} of an object that is not known takes an active argument",
                ways.WRITE_OUT,
            )
        if name in CHANGES_ITS_OWN and (self.lost or any(self.is_varied(v) for v in [*args, *kwargs.values()])):
            if self.text_only:
                self.refuse("active values go into a container in an expression of this form", ways.LOOP)
            self.changes_in_passing()
        called = gast.Attribute(self.expression(owner), name, gast.Load())
        outer = self.keeping
        self.keeping += name in MUTATORS | PUTS_IN
        try:
            call = self.call_node(called, args, kwargs, owner, stranger)
        finally:
            self.keeping = outer
        inferred = self.infer(call)
        self.handed_on(call, inferred)
        if name in CHANGES_ITS_OWN and not self.text_only:  # at once, whatever becomes of what it returns
            if isinstance(inferred, Static) and inferred.value is None:
                self.write(gast.Expr(call))
                return Known(None)
            return self.define("t", call, inferred)
        if (isinstance(inferred, Unknown) and not self.passive) or (isinstance(kind, Object) and not self.text_only):
            return self.define("t", call, inferred)
        active = False
        if self.text_only and isinstance(inferred, Unknown) and name != "keys":
            active = any(map(self.is_varied, (owner, *args, *kwargs.values())))
        return Leaf(call, inferred, active, nested=True)

    def ref_of(self, obj: Any) -> Ref:
        return Ref(next(k for k, v in self.state.heap.items() if v is obj))

    def subscript_value(self, base: Value, position: Value) -> Value:
        """base[position]"""
        self.state.frames[self.frame.id]["#position"] = position
        node = gast.copy_location(gast.Name("#position", gast.Load(), None, None), self.node)
        return self.subscript(base, node)

    def container_method(self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        assert isinstance(owner, (Ref, Tup))
        if isinstance(owner, Tup):
            self.refuse(f"the tuple method {name!r}", ways.LIST)
        obj = self.state.heap[owner.id]
        self.fresh(obj)
        if isinstance(obj, ListObj):
            return self.list_method(owner, obj, name, args, kwargs)
        if isinstance(obj, DictObj):
            return self.dict_method(obj, name, args, kwargs)
        self.refuse(f"objects of class {obj.cls.__name__} have no method {name!r}", ways.METHOD)

    def list_method(self, owner: Ref, obj: ListObj, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if kwargs and name != "sort":
            self.refuse(f"the list method {name!r} with arguments by name", "give them in order")
        if obj.cls in (list, collections.deque):
            self.check_taken(getattr(list, name, None), len(args))
        held = [self.held(v) for v in args]
        most = len(obj.items) + 10**6 if obj.limit is None else obj.limit
        if name == "append":
            obj.items.append(held[0])
            del obj.items[: max(0, len(obj.items) - most)]
        elif name == "appendleft":
            obj.items.insert(0, held[0])
            del obj.items[most:]
        elif name == "extendleft":
            for item in self.iterate_static(args[0]):
                obj.items.insert(0, self.held(item))
            del obj.items[most:]
        elif name == "rotate" and isinstance(turns := static(args[0]) if args else 1, int):
            self.check_turned(owner)
            order = collections.deque(obj.items)
            order.rotate(turns)
            obj.items[:] = order
        elif name == "popleft":
            if not obj.items:
                self.make_dynamic(obj)
            self.changed(obj)
            return obj.items.pop(0)
        elif name == "__getitem__":
            return self.subscript_value(owner, held[0])
        elif name == "sort":
            ordered = self.call_value(Known(sorted), [owner, *args], kwargs)
            assert isinstance(owner, Ref)
            now = self.state.heap[owner.id]  # comparing the items may have branched
            assert isinstance(now, ListObj)
            obj = now
            made = self.state.heap[ordered.id] if isinstance(ordered, Ref) else None
            if not isinstance(made, ListObj):
                self.make_dynamic(obj)
            obj.items[:] = made.items
        elif name == "extend":
            if not self.is_static_iterable(args[0]):
                self.make_dynamic(obj)
            obj.items.extend(self.held(v) for v in self.iterate_static(args[0]))
            del obj.items[: max(0, len(obj.items) - most)]
        elif name in ("insert", "pop"):
            position = static(args[0]) if args else -1
            if isinstance(position, (float, complex, str, bytes, tuple)):
                error = TypeError(f"{type(position).__name__!r} object cannot be interpreted as an integer")
                self.refuse("a position that is no int", ways.CORRECT, raises=error)
            if not isinstance(position, int):
                self.make_dynamic(obj)
            if name == "insert":
                if obj.limit is not None:
                    self.refuse("insert into a deque with a length limit", "use append or appendleft")
                obj.items.insert(position, held[1])
            else:
                if not -len(obj.items) <= position < len(obj.items):
                    self.make_dynamic(obj)
                self.changed(obj)
                return obj.items.pop(position)
        elif name == "remove":
            known, wanted = [static(v) for v in obj.items], static(args[0])
            if wanted is _NO or wanted not in known or any(v is _NO for v in known):
                self.make_dynamic(obj)
            del obj.items[known.index(wanted)]
        elif name == "reverse":
            obj.items.reverse()
        elif name == "clear":
            obj.items.clear()
        elif name == "copy":
            return self.like_deque(self.new_list(list(obj.items)), obj)
        elif name in ("index", "count"):
            items, given = [static(v) for v in obj.items], [static(v) for v in args]
            if _NO in items or _NO in given:
                self.check_quiet([*obj.items, *args])
                return self.nested(
                    self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), args, kwargs)
                )
            try:
                found = getattr(items, name)(*given)
            except ValueError as error:
                self.refuse(str(error), ways.ASK, raises=error)
            return Leaf(gast.Constant(found, None), Number(int, Dim.of(found)), const=found)
        else:
            self.refuse(f"the list method {name!r} on a list of active values", "build a new list")
        self.changed(obj)
        return Known(None)

    def dict_method(self, obj: DictObj, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if obj.cls is dict and not kwargs:
            self.check_taken(getattr(dict, name, None), len(args))
        owner = self.owner_of_dict(obj) if name in MUTATORS else None
        if owner is not None and name != "update":
            self.refuse("the __dict__ of an object is changed", ways.ASSIGN)
        if name == "keys":
            return Tup(tuple(self._constant(k) for k in obj.items), Keys)
        if name in ("values", "items"):
            return Lazy(getattr(dict, name), (self.ref_of(obj),))
        if name == "copy" and obj.factory is None and issubclass(obj.cls, collections.defaultdict):  # the caller's
            if any(map(self.is_varied, obj.items.values())) or obj.expr is None:
                self.refuse("a copy of a defaultdict of active values", "write dict(...) of it")
            copies = gast.Attribute(clone(obj.expr), "copy", gast.Load())
            return self.define("table", gast.Call(copies, [], []), Unknown())
        if name == "copy":
            return self.allocate(obj.like(dict(obj.items), self.site(self.node)))
        if name == "__getitem__":
            return self.subscript_value(self.ref_of(obj), args[0])
        if name in ("get", "pop", "setdefault", "move_to_end"):  # (of an OrderedDict, by name as well)
            args = [*args, *(kwargs[k] for k in ("key", "default", "last") if k in kwargs)]
        elif kwargs and name not in ("update", "popitem"):
            self.refuse(f"the dict method {name!r} with arguments by name", "give them in order")
        if name == "move_to_end":
            return self.moved_to_end(obj, args)
        if name == "clear":
            obj.items.clear()
            self.changed(obj)
            return Known(None)
        if name in ("get", "pop", "setdefault"):
            key = static(args[0])
            if key is _NO:
                self.run_time_dict(obj)
                self.refuse("a key that is not known at derivation", ways.KEYS, concrete=True)
            if not _hashable(key):
                error = TypeError(f"unhashable type: '{type(key).__name__}'")
                self.refuse(f"{type(key).__name__} objects are no keys", ways.KEYS, raises=error)
            default = self.held(args[1]) if len(args) > 1 else Known(None)
            if name == "pop":
                self.changed(obj)
                if key not in obj.items and len(args) < 2:
                    self.refuse(f"there is no item {key!r} here", ways.ASK, raises=KeyError(key))
                return obj.items.pop(key, default)
            if name == "setdefault" and key not in obj.items:
                obj.items[key] = default
                self.changed(obj)
            return obj.items.get(key, default)
        if name == "popitem" and obj.items:
            self.changed(obj)
            last = static(next(iter([*args, *kwargs.values()]), Known(True)))
            if not isinstance(last, (bool, int)):
                self.refuse("popitem from an end that is not known at derivation", "write True or False")
            key = list(obj.items)[-1 if last else 0]
            value = obj.items.pop(key)
            return Tup((self._constant(key), value))
        if name == "update":
            for value in args:
                pairs = value if isinstance(value, Known) or self.is_static_iterable(value) else None
                made = BUILTINS[dict](self, Known(dict), [value], {}) if pairs is not None else None
                other = self.state.heap[made.id] if isinstance(made, Ref) else None
                if not isinstance(other, DictObj):
                    self.run_time_dict(obj)
                    self.refuse(
                        "update with something that is not a dict with known keys", ways.ONE_BY_ONE
                    )
                obj.items.update(other.items)
            obj.items.update({k: self.held(self.kept_iterator(v)) for k, v in kwargs.items()})
            if owner is not None:
                self.set_plainly(owner, obj.items)
                return Known(None)
            self.changed(obj)
            return Known(None)
        self.refuse(
            f"the dict method {name!r} on a dict of active values", "use items, keys, values, get, pop or update"
        )

    def owner_of_dict(self, obj: DictObj) -> Instance | None:
        """The object that a dict is the __dict__ of, None where it is a dict like others."""
        if not isinstance(obj.site, tuple) or obj.site[:1] != ("__dict__",):
            return None
        owners = [self.state.heap[ref] for ref in self.state.maybe.get(self.ref_of(obj).id, ())]
        if len(owners) != 1 or not isinstance(owners[0], Instance) or owners[0].foreign:
            self.refuse("the __dict__ of an object is changed", ways.ASSIGN)
        return owners[0]

    def set_plainly(self, owner: Instance, attributes: dict[Any, Value]) -> None:
        """Set attributes past properties and the like, as stores into the __dict__ do."""
        owner.attributes.update(attributes)
        owner.partial -= set(attributes)
        self.changed(owner)

    def moved_to_end(self, obj: DictObj, args: list[Value]) -> Value:
        """items.move_to_end(key, last)"""
        key, last = static(args[0]), static(args[1]) if len(args) > 1 else True
        if key not in obj.items or not isinstance(last, (bool, int)):
            self.refuse("move_to_end of what is not known at derivation", ways.KEYS, concrete=True)
        item = {key: obj.items.pop(key)}
        obj.items = {**obj.items, **item} if last else {**item, **obj.items}
        self.changed(obj)
        return Known(None)

    def _constant(self, key: Any) -> Value:
        return self.from_python(key, gast.Constant(key, None))

    def dynamic_method(self, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        assert isinstance(owner.kind, ListOf)
        if name in MUTATORS or name in ("popleft", "appendleft", "extendleft", "rotate"):
            self.resize(owner)
            self.lists_changed.append(atom_key(owner.expr))
        if name == "rotate":
            self.check_turned(owner)
        if name in MUTATORS:
            self.growing.update(dict.fromkeys(self.turning))
            if self.decisions.lists_apart:
                self.unroll_a_loop()
        if kwargs and name != "sort":
            self.refuse(f"the list method {name!r} with arguments by name", "give them in order")
        limit = self.limits.get(atom_key(owner.expr))
        if limit is not None and name in ("append", "appendleft", "extend", "extendleft", "insert"):
            ends = {"append": library.appended_within, "appendleft": library.put_first_within}
            within = {**ends, "extend": library.extended_within}.get(name)
            if within is None:
                self.refuse(f"the method {name!r} of a deque with a length limit", "use append or appendleft")
            plain, self.limits = self.limits, {}
            try:
                self.inline_library(within, [owner, args[0], limit], {})
            finally:
                self.limits = plain
            return Known(None)
        if name == "append":
            self.list_append(owner, self.held(args[0]))
            return Known(None)
        if name == "__getitem__":
            return self.subscript_value(owner, self.held(args[0]))
        if name in ("pop", "popleft"):
            at_end = name == "pop" and (not args or static(args[0]) == -1)
            place = [] if at_end else [self.place_in(owner, self._constant(0) if name == "popleft" else args[0])]
            return self.list_item(
                owner, gast.Call(gast.Attribute(self.expression(owner), "pop", gast.Load()), place, [])
            )
        if name == "extend":
            if self.is_static_iterable(args[0]):
                for item in self.iterate_static(args[0]):
                    self.list_append(owner, self.held(item))
            else:
                self.inline_library(library.extended, [owner, args[0]], {})
            return Known(None)
        if name == "appendleft":
            self.list_append(owner, self.held(args[0]), gast.Constant(0, None))
            return Known(None)
        if name == "insert":
            self.list_append(owner, self.held(args[1]), self.place_in(owner, args[0], beyond=True))
            return Known(None)
        if name == "reverse" and not args:
            self.write(gast.Expr(self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), [], {})))
            return Known(None)
        if name == "rotate":
            self.inline_library(library.rotated, [owner, *args], {})
            return Known(None)
        if name == "copy" and limit is not None:
            made = self.inline_library(library.list_of, [owner], {})
            self.limits[atom_key(self.leaf(made).expr)] = limit
            return made
        if owner.varied and not self.passive and name in ("sort", "clear", "copy"):
            if name == "sort":
                ordered = self.call_value(Known(sorted), [owner], kwargs)
                self.inline_library(library.overwritten_by, [owner, ordered], {})
                return Known(None)
            if name == "clear":
                self.inline_library(library.cleared, [owner], {})
                return Known(None)
            return self.inline_library(library.list_of, [owner], {})
        if name == "copy" and not owner.varied:
            return Leaf(
                self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), args, kwargs),
                owner.kind,
                nested=True,
            )
        if name in ("index", "count") and owner.varied and not self.passive:
            call = self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), args, kwargs)
            return self.define("i", call, Number(int))
        if name == "remove" and owner.varied and not self.passive:
            self.dynamic_method(owner, "pop", [self.dynamic_method(owner, "index", args, {})], {})
            return Known(None)
        taken = name in MUTATORS and any(self.is_varied(v) for v in [*args, *kwargs.values()])
        if (owner.varied or taken) and not self.passive:
            self.refuse(
                f"the list method {name!r} on a list that grows in a loop and holds active values",
                ways.APPEND_POP,
            )
        call = self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), args, kwargs)
        if name in MUTATORS:
            self.write(gast.Expr(call))
            return Known(None)
        return Leaf(call, self.infer(call), nested=True)

    def limit_of(self, lst: Value) -> Value | None:
        """The length limit of a deque that is a list at run time."""
        return self.limits.get(atom_key(lst.expr)) if isinstance(lst, Leaf) and not lst.nested else None

    def no_limit(self, lst: Value) -> None:
        if self.limit_of(lst) is not None:
            self.refuse("a deque with a length limit is repeated", ways.LOOP)

    def like_deque(self, made: Value, of: ListObj) -> Value:
        """A new list as what another one is: a deque, with its length limit."""
        obj = self.state.heap[made.id] if isinstance(made, Ref) else None
        if isinstance(obj, ListObj):
            obj.limit, obj.cls = of.limit, of.cls
        elif isinstance(made, Leaf) and of.limit is not None:
            self.limits[atom_key(made.expr)] = self._constant(of.limit)
        return made

    def place_in(self, owner: Leaf, place: Value, beyond: bool = False) -> Expr:
        """A position in a run-time list, counted from the start: so that what happens there can be undone."""
        leaf = self.leaf(place)
        known = static(place)
        if isinstance(known, int) and (known == 0 or (known > 0 and not beyond)):
            return self.expression(leaf)
        count = gast.Call(load("len"), [self.expression(owner)], [])
        if beyond:
            inside = gast.Call(load("min"), [self.expression(leaf), count], [])
            if not (isinstance(known, int) and known > 0):
                here = self.anchor(leaf, "i").expr
                inside = gast.IfExp(
                    gast.Compare(clone(here), [gast.GtE()], [gast.Constant(0, None)]),
                    gast.Call(load("min"), [clone(here), count], []),
                    gast.Call(
                        load("max"), [gast.BinOp(clone(here), gast.Add(), clone(count)), gast.Constant(0, None)], []
                    ),
                )
            return self.define("i", inside, Number(int)).expr
        places = gast.Call(load("range"), [count], [])  # which raises where there is no such place, as the list does
        return self.define("i", gast.Subscript(places, self.expression(leaf), gast.Load()), Number(int)).expr

    def list_item(self, owner: Leaf, read: Expr) -> Value:
        """An item taken from a run-time list; tuples come apart into their parts."""
        assert isinstance(owner.kind, ListOf)
        kind = self.settled(_refreshed(owner.kind.item, self))
        varied = owner.varied and is_float_kind(kind)
        several = (TupleKind, ListKind)
        flat = isinstance(kind, several) and not any(isinstance(k, several) and is_float_kind(k) for k in kind.items)
        if flat or (varied and in_parts(kind)):
            target, value = self.taken_apart(kind, owner, varied, itertools.count())
            self.write(gast.Assign([target], read, None))
            return value
        item = self.define("item", read, kind, varied=varied)
        self.list_items.add(atom_key(item.expr))
        if isinstance(kind, ListOf):
            self.part_of[atom_key(item.expr)] = (atom_key(owner.expr), ())
        return item

    def taken_apart(
        self, kind: Any, owner: Leaf, varied: bool, numbers: Iterator[int], path: tuple[int, ...] = ()
    ) -> tuple[Expr, Value]:
        """A target that takes an item of a run-time list apart, and the item, made of the target's names.

        Args:
            kind: of the item, or of a part of it that has parts itself.
            owner: the list.
            varied: is the list active?
            numbers: of the names.
            path: the indices that lead from the item to that part.
        """
        targets: list[Any] = []
        parts: list[Value] = []
        for i, k in enumerate(kind.items):
            part_varied = varied and is_float_kind(k)
            if varied and in_parts(k):
                target, value = self.taken_apart(k, owner, varied, numbers, (*path, i))
                targets.append(target)
                parts.append(value)
                continue
            name = self.facts.fresh(f"item_{next(numbers)}")
            self.facts.kinds[name] = k
            if part_varied:
                self.facts.varied.add(name)
            targets.append(gast.Name(name, gast.Store(), None, None))
            parts.append(Leaf(load(name), k, part_varied))
            if isinstance(k, ListOf):
                self.part_of[name] = (atom_key(owner.expr), (*path, i))
        target = gast.Tuple(targets, gast.Store())
        if isinstance(kind, ListKind):
            made = self.allocate(ListObj(parts, None, held=True))
            self.copied.add(made.id)  # of what the list of the run holds
            return target, made
        return target, Tup(tuple(parts), kind.cls)

    def as_python(self, owner: Leaf, name: str, args: list[Value]) -> Value | None:
        """The methods item and tolist of an array of active values: indexing, and a list of the items."""
        shape = owner.kind.shape if isinstance(owner.kind, Array) else None
        floats = isinstance(owner.kind, Array) and owner.kind.dtype.kind == "f" and not owner.kind.mixed

        def plain(item: Value) -> Value:
            return self.held(self.call_value(Known(float), [item], {})) if floats else item

        if name == "item" and args and shape is None and isinstance(self.kind(args[0]), Number):
            if len(args) == 1:
                return plain(self.subscript_value(self.held(self.numpy_call(np.ravel, [owner])), args[0]))
            return plain(self.subscript_value(self.held(owner), Tup(tuple(map(self.held, args)))))
        if name == "item" and args and shape is not None:
            if len(args) == 1 and isinstance(args[0], Tup):
                args = list(args[0].items)
            if len(args) == len(shape):
                place = args[0] if len(args) == 1 else Tup(tuple(self.held(v) for v in args))
                return plain(self.subscript_value(self.held(owner), place))
            if len(args) == 1:
                return plain(self.subscript_value(self.held(owner), self.flat_places(owner, args[0])))
        if name == "tolist" and shape:
            held = self.held(owner)
            rows = len(shape) > 1
            if self.is_static_iterable(held) or (shape[0].known and shape[0].const <= 16):
                items = [self.held(v) for v in self.iterate_static(held)]
                if rows:
                    return self.new_list([self.leaf_method(self.leaf(v), "tolist", [], {}) for v in items])
                return self.new_list([plain(v) for v in items])
            items_of = library.lists_of if rows else library.floats_of if floats else library.rows_of
            return self.inline_library(items_of, [held], {})
        return None

    def flat_places(self, owner: Leaf, index: Value) -> Value:
        """Positions in the flattened array as an index into the array itself."""
        if isinstance(owner.kind, Array) and owner.kind.shape is not None and len(owner.kind.shape) == 1:
            return self.held(index)
        np_ = load(self.global_name("np", np))
        shape = gast.Attribute(self.expression(owner), "shape", gast.Load())
        if (isinstance(index, Lazy) and index.function is slice) or self.may_be_mask(index):
            size = gast.Attribute(self.expression(owner), "size", gast.Load())
            every = gast.Call(gast.Attribute(clone(np_), "arange", gast.Load()), [size], [])
            place: Expr = gast.Subscript(every, self.index_of(index), gast.Load())
        else:
            place = self.expression(index)
            if self.may_count_from_the_end(index):
                size = gast.Attribute(self.expression(owner), "size", gast.Load())
                array = gast.Call(gast.Attribute(clone(np_), "array", gast.Load()), [place], [])
                place = gast.BinOp(array if isinstance(place, gast.List) else place, gast.Mod(), size)
        call = gast.Call(gast.Attribute(np_, "unravel_index", gast.Load()), [place, shape], [])
        return self.define("place", call, self.infer(call))

    def may_be_mask(self, index: Value) -> bool:
        """May an index say of each element whether it is meant? (NumPy takes no list of bools here.)"""
        kind = self.kind(index)
        return isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.dtype.kind == "b")

    def may_count_from_the_end(self, index: Value) -> bool:
        """Are some positions, or may they be, less than 0? np.unravel_index refuses a number that is when it runs."""
        kind = self.kind(index)
        if isinstance(kind, Array):
            return kind.dtype != np.dtype(bool)
        if isinstance(kind, (ListKind, TupleKind)):
            return not all(isinstance(k, Static) and isinstance(k.value, int) and k.value >= 0 for k in kind.items)
        known = static(index)
        return isinstance(known, int) and known < 0

    def array_mutator(self, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if name == "resize" and isinstance(owner.kind, Array):
            self.refuse("the method resize changes the shape of an array in place", ways.NEW_VALUE)
        if name == "fill":
            self.store_into(owner, gast.Constant(Ellipsis, None), args[0])
            return Known(None)
        if name == "put" and len(args) == 2 and not kwargs:
            return self.call_value(Known(np.put), [owner, *args], {})
        if name == "sort":
            target = np.sort
            result = self.operation(
                target,
                lambda exprs, named: gast.Call(
                    gast.Attribute(load(self.global_name("np", np)), "sort", gast.Load()),
                    exprs,
                    [gast.keyword(k, v) for k, v in named.items()],
                ),
                [owner, *args],
                kwargs,
            )
            self.store_into(owner, gast.Constant(Ellipsis, None), result)
            return Known(None)
        if name == "partition" and owner.varied:
            self.store_into(
                owner, gast.Constant(Ellipsis, None), self.call_value(Known(np.partition), [owner, *args], kwargs)
            )
            return Known(None)
        if name == "put":
            return self.call_value(Known(np.put), [owner, *args], kwargs)
        if owner.varied or any(self.is_varied(v) for v in args):
            self.refuse(f"the array method {name!r} on active data", ways.STORE)
        self.write(gast.Expr(self.call_node(gast.Attribute(self.expression(owner), name, gast.Load()), args, kwargs)))
        return Known(None)

    # --- functions written out

    def inline(self, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
        tree = function.source.tree
        if isinstance(tree, gast.AsyncFunctionDef):
            self.refuse_generator()
        if generators.is_generator(tree):
            return self.drained(function, args, kwargs)
        key = id(function.source.tree)
        variables = self.bind(function, args, kwargs)
        done = self.recursive_call(function, variables)
        if done is not None:
            return done
        if len(self.call_path) > DEPTH:
            self.refuse("calls are nested too deeply to be written out", ways.LOOP, concrete=True)
        frame = Frame(self.next_id(), function.source, function.frame)
        frame.caller, frame.call_node, frame.function = self.frame, self.node, function
        frame.proven = self.frame.proven
        frame.site = self.site_of_call(self.node)
        self.frames[frame.id] = frame
        outer_frame, outer_node, outer_origin, outer_path = self.frame, self.node, self.origin, self.call_path
        outer_loops, self.loops = self.loops, []
        outer_passive = self.passive
        if self.follows_in_passing():
            self.passive = 0
        call_site = (key, getattr(self.node, "lineno", 0), getattr(self.node, "col_offset", 0))
        self.call_path = (*outer_path, call_site)
        block, written = self.block, self.budget
        try:
            if key in self.memoized:
                self.check_cache_keys([*args, *kwargs.values()])
            self.enter(frame, variables)
            result = self.run_body(tree.body)
            self.check_cached(key, result)
            self.count(function, frame, written - self.budget)
        finally:
            self.block = block
            self.frame, self.node, self.origin, self.call_path = outer_frame, outer_node, outer_origin, outer_path
            self.loops = outer_loops
            self.passive = outer_passive
        return result

    def check_cache_keys(self, given: list[Value]) -> None:
        """A cache takes two objects for one where their class says that they are equal."""
        for value in given:
            cls = self.class_of(value) if self.instance_of(value) is not None else None
            if cls is not None and isinstance(class_entry(cls, "__eq__"), types.FunctionType):
                self.refuse(
                    f"a cached function is given an object of class {cls.__name__}, which says itself what equals it",
                    ways.NOT_CACHED,
                )

    def check_cached(self, tree: int, result: Value) -> None:
        """A cached function gives one and the same list or array to all who call it."""
        if tree in self.cached and not isinstance(self.kind(result), (Number, Static)):
            self.refuse(
                "what a cached function gave may be changed in place: the next call gives it again", ways.NOT_CACHED
            )

    def refuse_generator(self) -> NoReturn:
        self.refuse("generators and async functions are not differentiated", "return a list or an array")

    def drained(self, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """What a generator yields, as a list: where nobody can tell that it runs at once.

        That is, it has no effects, and what it reads does not change until it is used up.
        """
        made = generators.as_list_maker(function.source.tree)
        if made is None:
            self.refuse_generator()
        source = function.source if made is function.source.tree else _Nested(function.source, made)
        maker, given = replace(function, source=source), [*args, *kwargs.values()]
        if not generators.is_plain(function.source.tree) or not all(map(self.is_constant, given)):
            return self.as_iterator(*self.watch_lazy(lambda: self.inline(maker, args, kwargs), *given))
        for name in generators.read_from_outside(function.source.tree):
            frame = self.frames.get(function.frame) if function.frame is not None else None
            while frame is not None and name not in self.state.frames.get(frame.id, {}):
                frame = self.frames[frame.parent] if frame.parent is not None else None
            if frame is None:
                continue  # a global or a builtin
            value = self.state.frames[frame.id][name]
            callables = (Closure, Known, Partial, Method)
            if not (isinstance(value, callables) or self.is_constant(value)):
                self.refuse_generator()
            if generators.times_bound(frame.source.tree, name) > 1:
                self.refuse_generator()
        result, changes = self.noting_draws(lambda: self.inline(maker, args, kwargs))
        if changes:
            self.refuse_generator()
        return self.lazy(iter, [self.held(result)], {})

    def is_constant(self, value: Value) -> bool:
        """Is a value one that cannot be changed?"""
        if isinstance(value, Tup):
            return all(map(self.is_constant, value.items))
        if isinstance(value, Known):
            plain = (int, float, complex, str, bytes, type(None), np.dtype)
            return isinstance(value.value, plain) or callable(value.value)
        if isinstance(value, Leaf):
            return isinstance(value.kind, (Number, Static))
        return False

    def enter(self, frame: Frame, variables: dict[str, Value]) -> None:
        tree = frame.source.tree
        frame.bound, frame.nonlocals, frame.globals_declared = bound_names(tree)
        self.state.frames[frame.id] = {name: self.held(value, name) for name, value in variables.items()}
        frame.arguments = dict(self.state.frames[frame.id])
        frame.branches, frame.turning = self.branches, len(self.turning)
        self.frame = frame

    def bind(self, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
        """Arguments to parameters, as Python binds them."""
        spec = function.source.tree.args
        name = function.source.tree.name
        positional = [a.id for a in [*spec.posonlyargs, *spec.args]]
        out: dict[str, Value] = {}
        for parameter, value in zip(positional, args, strict=False):
            out[parameter] = value
        extra = args[len(positional) :]
        if extra and spec.vararg is None:
            reason = f"{name}() takes {len(positional)} positional arguments but {len(args)} are given"
            self.refuse(reason, ways.CORRECT)
        if spec.vararg is not None:
            out[spec.vararg.id] = Tup(tuple(extra))
        keyword_only = [a.id for a in spec.kwonlyargs]
        rest: dict[Any, Value] = {}
        accepted = {a.id for a in spec.args} | set(keyword_only)
        for key, value in kwargs.items():
            if key in accepted:
                if key in out:
                    self.refuse(f"{name}() gets several values for {key!r}", ways.CORRECT)
                out[key] = value
            elif spec.kwarg is not None:
                rest[key] = value
            else:
                self.refuse(f"{name}() has no parameter {key!r}", ways.CORRECT)
        if spec.kwarg is not None:
            out[spec.kwarg.id] = self.allocate(DictObj(rest, self.site(self.node)))
        for parameter, default in zip(reversed(positional), reversed(function.defaults), strict=False):
            out.setdefault(parameter, default)
        for parameter, kw_default in zip(keyword_only, function.kw_defaults, strict=False):
            if kw_default is not None:
                out.setdefault(parameter, kw_default)
        for parameter, value in out.items():
            if isinstance(value, Lazy) and not getattr(function.source, "library", False):
                out[parameter] = self.kept_iterator(value) if reads(function.source.tree, parameter) > 1 else value
            elif isinstance(value, Tup) and not getattr(function.source, "library", False):
                out[parameter] = self.kept_iterator(value)
        missing = [p for p in [*positional, *keyword_only] if p not in out]
        if missing:
            self.refuse(f"{name}() lacks the argument {missing[0]!r}", ways.CORRECT)
        return out

    # --- objects

    def method_of_float(self, name: str, numbers: list[Value]) -> Value | None:
        """A method that a class built on float has from there, float.__add__(self, x); None where it is no operator."""
        if not all(isinstance(self.kind(v), Number) for v in numbers):
            return None
        if name in ("__float__", "__pos__"):
            return numbers[0]
        for op, own in BINARY_METHOD.items():
            if name in (f"__{own}__", f"__r{own}__") and len(numbers) == 2:
                return self.binary(op, *(numbers if name == f"__{own}__" else numbers[::-1]))
        functions = {"__neg__": operator.neg, "__abs__": abs, "__round__": round}
        return self.call_value(Known(functions[name]), numbers, {}) if name in functions else None

    def instantiate(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        cls = function.value
        if isinstance(type(cls).__call__, types.FunctionType) and not is_standard(type(cls)):
            self.refuse("the metaclass of this class says what a call of it means", ways.FUNCTION)
        maker = own_new(cls)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            if maker is not None:
                self.refuse("a namedtuple with a __new__ of its own", ways.FUNCTION)
            if own := own_meaning(cls):
                self.refuse(f"a namedtuple with a {own} of its own", ways.FUNCTION)
            items = dict(zip(cls._fields, args, strict=False)) | kwargs
            for name, default in getattr(cls, "_field_defaults", {}).items():
                items.setdefault(name, self.from_python(default, self.expression(Known(default))))
            return Tup(tuple(self.held(items[f]) for f in cls._fields), cls)
        if cls in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
            named = tuple((k, self.held(v)) for k, v in kwargs.items())
            return Partial(Known(("getter", cls)), tuple(self.held(v) for v in args), named)
        if cls in (np.finfo, np.iinfo, np.dtype, slice):
            known = [static(v) for v in args]
            if _NO not in known and not kwargs:
                try:
                    made = cls(*known)
                except Exception as error:
                    self.refuse(f"this raises {type(error).__name__}: {error}", ways.CORRECT, raises=error)
                return Known(made, self.call_node(self.expression(function), args, kwargs))
            if cls is slice and not kwargs:
                return Lazy(slice, tuple(self.held(v) for v in args))
        if issubclass(cls, BaseException) or is_standard(cls):
            if (
                any(self.is_varied(v) for v in [*args, *kwargs.values()])
                and not self.passive
                and not issubclass(cls, BaseException)
            ):
                self.refuse(*self.no_rule(cls))
            if self.text_only or self.passive:
                return self.opaque(function, args, kwargs)
            if issubclass(cls, BaseException):
                return self.exception(function, args, kwargs)
            call = self.call_node(self.expression(function), args, kwargs)
            kind = self.infer(call)
            self.handed_on(call, kind)
            self.in_objects |= {name for v in [*args, *kwargs.values()] for name in self.arrays_held(v)}
            holds = isinstance(kind, Unknown) and hasattr(cls, "__setitem__") and not issubclass(cls, np.ndarray)
            return self.define("t", call, Object(cls) if holds else kind)
        if maker is not None:
            made = self.inline_function(maker, [function, *args], kwargs)
            held = self.state.heap[made.id] if isinstance(made, Ref) else None
            if not isinstance(held, Instance) or not issubclass(held.cls, cls):
                return made  # no __init__ then
            assert isinstance(made, Ref)
            ref = made
        elif issubclass(cls, float):
            made = self.call_value(self.attribute(function, "__new__"), [function, *args], kwargs)
            assert isinstance(made, Ref)
            ref = made
        else:
            ref = self.allocate(Instance(cls, {}, self.site(self.node)))
        if cls is types.SimpleNamespace:
            obj = self.state.heap[ref.id]
            assert isinstance(obj, Instance)
            obj.attributes.update({k: self.held(self.kept_iterator(v)) for k, v in kwargs.items()})
            return ref
        if class_entry(cls, "__dataclass_fields__") is not None and _is_generated(cls.__dict__.get("__init__")):
            self.fill_fields(cls, ref, args, kwargs)
            return ref
        init = class_entry(cls, "__init__")
        if isinstance(init, types.FunctionType):
            self.inline_function(init, [ref, *args], kwargs)
        elif (args or kwargs) and maker is None and not issubclass(cls, float):
            self.refuse(f"objects of class {cls.__name__} cannot be built here", ways.METHOD)
        return ref

    def exception(self, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """An exception that is made by hand: what it is made of can be read from it, and what containers hold may
        become active later."""
        made = self.opaque(function, args, kwargs)
        values = [*args, *kwargs.values()]
        if not any(self.is_varied(v) or _is_container(v) or self.holds_arrays(v) for v in values):
            return made
        held = self.facts.fresh("exception", temp=False)
        self.facts.kinds[held] = Unknown()
        self.facts.varied.add(held)
        self.caught.add(held)
        self.write(copy_statement(held, self.expression(made), self.origin))
        return Leaf(load(held), Unknown(), True)

    def fill_fields(self, cls: Any, ref: Ref, args: list[Value], kwargs: dict[str, Value]) -> None:
        """What the __init__ that `dataclass` makes for a class does."""
        declared = [f for f in cls.__dataclass_fields__.values() if f._field_type is not _CLASS_VARIABLE]
        init = cls.__init__
        parameters, values = init.__code__.co_varnames[: init.__code__.co_argcount], init.__defaults__ or ()
        defaults = dict(zip(parameters[len(parameters) - len(values) :], values, strict=True))
        defaults |= init.__kwdefaults__ or {}
        given = dict(zip((f.name for f in declared if f.init and not f.kw_only), args, strict=False)) | kwargs
        obj = self.state.heap[ref.id]
        assert isinstance(obj, Instance)
        only_given: list[Value] = []  # to __post_init__
        for f in declared:
            value: Value | None = None
            if f.name in given:
                value = self.held(self.kept_iterator(given[f.name]))
            elif f.default_factory is not dataclasses.MISSING:
                value = self.held(self.call_value(Known(f.default_factory), [], {}))
            elif f.default is not dataclasses.MISSING:
                default = defaults.get(f.name, f.default)
                value = self.from_python(default, self.expression(Known(default)))
            if f._field_type is _INIT_VARIABLE and value is not None:
                only_given.append(value)
            elif value is not None:
                obj.attributes[f.name] = value
        post = self.class_attribute(obj.cls, "__post_init__", ref)
        if post is not None:
            self.call_value(post, only_given, {})

    def inline_function(self, value: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
        source = self.source_of(value)
        if of_compiler(value):
            source.library = True
        defaults = tuple(self.from_python(v, self.expression(Known(v))) for v in value.__defaults__ or ())
        kwd = value.__kwdefaults__ or {}
        kw_defaults = tuple(
            self.from_python(kwd[a.id], self.expression(Known(kwd[a.id]))) if a.id in kwd else None
            for a in source.tree.args.kwonlyargs
        )
        frame = self.class_frames.get(value)
        return self.inline(Closure(source, frame, value, defaults, kw_defaults), args, kwargs)

    def inline_library(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """Write out a function of `s2sad.normal.library`, or the definition of a rule."""
        source = self.source_of(function)
        source.library = True
        args = [self.items_listed(v) if isinstance(v, Leaf) else v for v in args]
        defaults = tuple(map(self.default_value, function.__defaults__ or ()))
        named = function.__kwdefaults__ or {}
        keywords = tuple(
            self.default_value(named[a.id]) if a.id in named else None for a in source.tree.args.kwonlyargs
        )
        return self.inline(Closure(source, None, function, defaults, keywords), args, kwargs)

    def hands_over(self, args: list[Value], kwargs: dict[str, Value]) -> bool:
        """Is one of the arguments a function, or an object to call, that was made here?"""
        return any(isinstance(v, (Closure, Method, Partial, Ref)) for v in [*args, *kwargs.values()])

    def default_value(self, value: Any) -> Value:
        """The default of a parameter."""
        plain = isinstance(value, (bool, int, float, complex, str, type(None), Leaf))
        return self._constant(value) if plain else self.from_python(value, self.expression(Known(value)))

    def is_defined_here(self, args: list[Value], kwargs: dict[str, Value]) -> bool:
        """Is a call of a function with a definition written out? Where something active goes in, or a closure."""
        varied = any(self.is_varied(v) for v in [*args, *kwargs.values()])
        return (varied and not self.passive) or self.touches(args, kwargs)

    def super_object(self, args: list[Value]) -> Value:
        if len(args) == 2 and isinstance(args[0], Known):
            return Super(args[0].value, args[1])
        frame: Frame | None = self.frame
        while frame is not None:
            cls = (getattr(frame.source, "closure", None) or {}).get("__class__")
            spec = frame.source.tree.args
            parameters = [a.id for a in [*spec.posonlyargs, *spec.args]]
            if cls is not None and parameters and parameters[0] in self.state.frames.get(frame.id, {}):
                return Super(cls, self.state.frames[frame.id][parameters[0]])
            frame = self.frames[frame.parent] if frame.parent is not None else None
        self.refuse("super() outside of a method", ways.PARENT)

    def columns(self, rows: Value, node: Any) -> Value | None:
        raise NotImplementedError

    def call_derivative(self, derivative: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A Derivative called inside the function: its generated code is what is differentiated.

        Where it takes an int for a float, so does what is generated for it.
        """
        if isinstance(derivative, types.MethodType):
            self.refuse(
                f"{derivative.__name__} is a derivative and a method",
                "let it be a function that is given what it reads of the object, and call grad of that",
            )
        derivative = derivative.as_gradient().inside()
        plain = getattr(derivative, "operator", "") in ("grad", "value_and_grad") and not derivative._target.prefix
        if not plain or derivative._target.keywords:
            self.refuse(
                f"{getattr(derivative, 'operator', 'a derivative')} is called here",
                "call grad or value_and_grad of a function that is not bound to arguments",
            )
        try:
            bound = derivative.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            self.refuse(f"the arguments do not fit {derivative!r}: {error}", ways.CORRECT, raises=error)
        for name in derivative.wrt:
            value = bound.arguments.get(name)
            if value is not None and isinstance(kind := self.kind(value), Number) and issubclass(kind.type, int):
                bound.arguments[name] = self.call_value(Known(float), [value], {})
        kinds = {name: self.kind(value) for name, value in bound.arguments.items()}
        hidden = derivative._hidden(args, kwargs)
        known, function = derivative.kinds_ahead(kinds), derivative._target.function
        key = Itself(function), derivative._what_is_asked(), tuple(known.items()), hidden
        made = self.program.derivatives.get(key)
        if made is None:
            made = self.program.derivatives[key] = derivative.derive_for(known, hidden)
        if made.derived.changes_arguments:
            given = [v for v in (*bound.args, *bound.kwargs.values()) if _is_container(v) or self.holds_arrays(v)]
            if len(given) + len(hidden) > 1 or guards_of(function)[1]:
                self.refuse(
                    f"{derivative.__name__} changes what it is given, and {derivative.operator} of it is called here: "
                    "two of the arrays and containers that it sees may be one",
                    f"let {derivative.__name__} change a copy of its own",
                )
        return self.inline_function(made.function, list(bound.args), dict(bound.kwargs))

    # --- provided by the parts that build on this one

    def numpy_call(self, target: Any, args: list[Value]) -> Value:
        raise NotImplementedError

    def memory_roots(self, call: Expr) -> list[str | None]:
        raise NotImplementedError

    def short_and_static(self, node: Any) -> bool:
        raise NotImplementedError

    def kept(self, node: Any) -> Leaf | None:
        raise NotImplementedError

    def written_out(self, node: Any, form: str = "", args: Sequence[Value] = ()) -> Value:
        raise NotImplementedError

    def sum_of_comprehension(self, node: Any, start: Value) -> Value:
        raise NotImplementedError


#: a dict of this length may be gone through item by item
UNROLLED_TABLE = 64
#: functions of matrices, which may be given as lists of lists
#: functions of NumPy that are given several arrays in a list, or whose rules know lists of numbers
_LISTS = (
    "array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite require block concatenate"
    " stack vstack hstack dstack column_stack row_stack select choose piecewise trim_zeros"
    " sum prod mean max min amax amin dot shape size ndim isscalar iscomplexobj isrealobj"
)
_OF_LISTS: set[Any] = {getattr(np, name, None) for name in _LISTS.split()} | {np.linalg.multi_dot, np.linalg.norm}
#: functions whose rules know lists of numbers, and not those of arrays
_EXTREMES = {np.max, np.min, np.amax, np.amin}
#: parameters of NumPy's functions whose lists and tuples mean something else than an array would
_OF_SEVERAL = frozenset(("constant_values", "end_values", "sample", "bins", "range"))
#: what looks at the items of the containers that it is given, and does not keep these
_NEW_CONTAINERS = frozenset((list, tuple, set, frozenset, dict, sorted, str, repr))
_OF_MATRICES: set[Any] = {np.dot, np.matmul, np.inner, np.outer, np.kron, np.trace, np.tensordot, np.vdot}


#: where SciPy's functions make arrays of lists
_OF_ARRAYS = ("signal", "special", "ndimage", "fft", "stats", "interpolate", "linalg")


#: what dataclasses makes of a ClassVar and of an InitVar
_CLASS_VARIABLE = getattr(dataclasses, "_FIELD_CLASSVAR")  # noqa: B009 (they have no public names)
_INIT_VARIABLE = getattr(dataclasses, "_FIELD_INITVAR")  # noqa: B009


#: what takes settings, and may be given back those that another call handed out: np.seterr(**old)
SETTERS = {np.seterr, np.set_printoptions}

#: what puts the items of a run-time list side by side
JOINS = {np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack}


def is_transposed(node: Any) -> bool:
    """Is it a call with nothing but the items of one iterable, as zip(*rows)?"""
    return len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords


def takes_arrays(target: Any) -> bool:
    """Does a function make arrays of the lists of numbers that it is given, and is its rule stated for these?"""
    module = _module(target)
    if module[0] == "scipy":
        return len(module) > 1 and module[1] in _OF_ARRAYS
    if module[0] != "numpy" or not _hashable(target) or target in _OF_LISTS:
        return isinstance(target, np.ufunc)
    return registry.lookup(target) is not None


def _of_numbers(kind: Kind) -> bool:
    """Is it the kind of a list of numbers?"""
    return isinstance(kind, ListKind) and all(isinstance(k, (Number, Static)) for k in kind.items)


def _module(target: Any) -> list[str]:
    """The way to the module that a function is from; a universal function and its methods are NumPy's.

    >>> _module(np.add.reduceat), _module(np.linalg.inv)[:2]
    (['numpy'], ['numpy', 'linalg'])
    """
    name = getattr(target, "__module__", None) or type(getattr(target, "__self__", None)).__module__
    return str(name).split(".")


class Arguments:
    """What is known of the arguments of a call, by the names of the parameters: for `definition(when=...)`."""

    def __init__(self, lowering: Calls, definition: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
        parameters = definition.parameters
        self.lowering, self.parameters = lowering, {p.name: p for p in parameters}
        at = next((i for i, p in enumerate(parameters) if p.kind == p.VAR_POSITIONAL), None)
        self.named = {p.name: v for p, v in zip(parameters[:at], args, strict=False)} | kwargs
        if at is not None:
            self.named[parameters[at].name] = Tup(tuple(args[at:]))

    def given(self, name: str) -> bool:
        """Is it given, and not what it would be anyway?"""
        if name not in self.named:
            return False
        known, default = static(self.named[name]), self.parameters[name].default
        same = type(known) is type(default) and isinstance(known, (int, float, str)) and known == default
        return known is not default and not same

    def varied(self, name: str) -> bool:
        return name in self.named and self.lowering.is_varied(self.named[name])

    def static(self, name: str) -> Any:
        """Its value where that is known at derivation (its default where it is not given), else Ellipsis."""
        if name not in self.named:
            return self.parameters[name].default
        known = static(self.named[name])
        return Ellipsis if known is _NO else known

    def kind(self, name: str) -> Kind:
        """Its kind; that of None where it is not given."""
        return self.lowering.kind(self.named[name]) if name in self.named else Static(None)

    def rank(self, name: str) -> int | None:
        """Its number of dimensions, where that is known."""
        kind = self.kind(name)
        if isinstance(kind, Number):
            return 0
        return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None

    def is_complex(self, name: str) -> bool:
        kind = self.kind(name)
        if isinstance(kind, Number):
            return kind.type is complex or issubclass(kind.type, np.complexfloating)
        return isinstance(kind, Array) and kind.dtype.kind == "c"


def _changes_what_was_there(block: list[Any]) -> bool:
    """Is there a call in a block for its effect, on something else than the lists that it makes?"""
    nodes = [n for s in block for n in walk(s)]
    lists = [s.targets[0] for s in nodes if isinstance(s, gast.Assign) and isinstance(s.value, gast.List)]
    own = {t.id for t in lists if isinstance(t, gast.Name)}
    calls = [n.value.func for n in nodes if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call)]
    owners = [f.value if isinstance(f, gast.Attribute) else f for f in calls]
    written = {key for n in nodes for key in getattr(n, "written", ())}  # by a recursive function
    return bool(written - own) or any(not (isinstance(owner, gast.Name) and owner.id in own) for owner in owners)


def _has_output(function: Any, node: Any) -> bool:
    """Is a universal function given an array for its result? What that held may be active."""
    given = any(k.arg == "out" for k in node.keywords)
    return given or (isinstance(function, np.ufunc) and len(node.args) > function.nin)


def of_compiler(function: Any) -> bool:
    """Is it a function in which s2sad says what a library function does? Such a function is always written out."""
    module = getattr(function, "__module__", None) or ""
    return module.startswith(("s2sad.templates", "s2sad.normal."))


def _contents(obj: Any) -> list[Value]:
    return list(contents(obj).values())


def _is_generated(init: Any) -> bool:
    """Is it the __init__ that `dataclass` makes (and not one that the class brings along)?"""
    return isinstance(init, types.FunctionType) and init.__code__.co_filename == "<string>"


def _is_word(key: Any) -> bool:
    return isinstance(key, str)


def _holds_containers(kind: Kind) -> bool:
    """May a value of this kind be a list, a dict or a set, or hold one?"""
    if isinstance(kind, (TupleKind, ListKind)):
        return isinstance(kind, ListKind) or any(map(_holds_containers, kind.items))
    return not isinstance(kind, (Number, Array, Static, Text, Nothing, Callable))


def _hashable(value: Any) -> bool:
    """Can a value be looked for in a table? (Not where its class says itself what it is equal to.)"""
    try:
        return is_inert(value) and hash(value) is not None
    except TypeError:
        return False


def _from_library(value: Any) -> bool:
    """Functions of NumPy, SciPy and the standard library are primitives or nothing."""
    module = (getattr(value, "__module__", "") or "").split(".")[0]
    if module == "functools" and "_from_" in getattr(getattr(value, "__code__", None), "co_name", ""):
        return False  # what total_ordering makes of the methods of a class
    return module in ("numpy", "scipy", "builtins", "_operator") or (
        module in sys.stdlib_module_names and module != "__main__"
    )


def _returns_library_memory(value: Any) -> bool:
    """Is it a function of a library, or a method of a ufunc? What these share is known (analysis/calls.py)."""
    return _from_library(value) or isinstance(getattr(value, "__self__", None), np.ufunc)


def _is_container(value: Value) -> bool:
    """Is it a list, a dict, a set or an object?"""
    return isinstance(value, Ref) or is_known_a(value, set, frozenset)


def _has_body(function: Value) -> bool:
    """Is it a function of the user's, which may store what it is given?"""
    if isinstance(function, Known):
        return isinstance(function.value, types.FunctionType) and not _from_library(function.value)
    return isinstance(function, (Closure, Method, Partial))


def _is_pure(value: Any) -> bool:
    return is_pure(value)


_MUTATES: OfCode[bool] = OfCode()


def _told_by(function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What tells the kind of a call's result: the function, and the kinds of numbers and the constants it is given.
    None where there is more to know of an argument."""
    parts: list[Any] = [function.value]
    for name, value in [*enumerate(args), *kwargs.items()]:
        if isinstance(value, Leaf) and isinstance(value.kind, Number):
            known = value.number
            parts.append((name, value.kind, type(known), known))
        elif isinstance(value, Known) and (_is_plain(value.value) or value.is_a(float)):
            parts.append((name, type(value.value), value.value))
        else:
            return None
    return tuple(parts)


def _is_plain(value: Any) -> bool:
    """Text, a truth value, an integer or None, or a tuple of such?"""
    if isinstance(value, tuple):
        return all(map(_is_plain, held_items(value)))
    return value is None or isinstance(value, (str, bool, int))


def _mutates(function: Any) -> bool:
    """May the function overwrite what it is given? Seen from its text: any store that is not to a plain name."""
    code: types.CodeType = function.__code__
    found = _MUTATES.get(code)
    if found is None:
        try:
            tree = tree_to_look_at(function)
        except DerivationError:
            return False
        found = False
        parameters = {a.id for a in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]}
        for node in walk(tree):
            if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Store):
                root: Any = node
                while isinstance(root, (gast.Subscript, gast.Attribute)):
                    root = root.value
                found = found or (isinstance(root, gast.Name) and root.id in parameters)
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                found = found or node.target.id in parameters
            elif isinstance(node, (gast.Nonlocal, gast.Global)):
                found = True
            elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in MUTATORS:
                root = node.func.value
                while isinstance(root, (gast.Subscript, gast.Attribute)):
                    root = root.value
                found = found or (isinstance(root, gast.Name) and root.id in parameters)
        _MUTATES.put(code, found)
    return found


def _stable(kind: Kind, lowering: Any) -> Kind:
    """A kind found by a trial run: symbols made during it are given fresh ones."""
    return _refreshed(kind, lowering)


def _refreshed(kind: Kind, lowering: Any) -> Kind:
    """The kind of one item: lengths that are not fixed are new ones each time."""
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(
            kind.dtype,
            tuple(d if is_fixed(d) else lowering.symbol() for d in kind.shape),
            mixed=kind.mixed,
        )
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(_refreshed(k, lowering) for k in kind.items), kind.cls)
    if isinstance(kind, ListKind):
        return ListKind(tuple(_refreshed(k, lowering) for k in kind.items))
    if (
        isinstance(kind, Number)
        and issubclass(kind.type, (int, np.integer))
        and (kind.value is None or not is_fixed(kind.value))
    ):
        return Number(kind.type, lowering.symbol(), kind.types)
    return kind


#: what does the same as the reduce method of a universal function
_REDUCTIONS = {np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min}


@functools.lru_cache(maxsize=256)
def _output_position(function: Any) -> int:
    """At which position a function takes `output`, or -1."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return -1
    return names.index("output") if "output" in names else -1


def _has_no_call(value: Any) -> bool:
    """Is it a class whose objects can be called, where only its definition says what a call is?"""
    if not isinstance(value, type) or "__call__" not in dir(value):
        return False
    rule = registry.lookup(value.__call__)
    return rule is None or rule.definition is not None


def ints_among_floats(function: Any) -> bool:
    """Are some results of a function ints as they are written, and others perhaps not?

    >>> tree = gast.parse("def f(v): return 0 if v > 0 else v * v").body[0]
    >>> ints_among_floats(tree), ints_among_floats(gast.parse("lambda v: 0.0 if v > 1 else v").body[0].value)
    (True, False)
    """
    body = [function.body] if isinstance(function, gast.Lambda) else function.body
    nodes = [n for part in body for n in _own(part)]
    bound: dict[str, list[Any]] = {}
    for node in nodes:
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            bound.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            bound.setdefault(node.target.id, []).append(None)
    results = [n.value for n in nodes if isinstance(n, gast.Return)]
    found = {kind for r in (results or [function.body]) for kind in _literal_kinds(r, bound)}
    return found == {True, False}


def _own(node: Any) -> list[Any]:
    """The nodes of a function but not of those in it."""
    if isinstance(node, (gast.Lambda, gast.FunctionDef)):
        return []
    return [node, *(n for child in gast.iter_child_nodes(node) for n in _own(child))]


def _literal_kinds(node: Any, bound: dict[str, list[Any]]) -> set[bool]:
    """Whether the values of an expression are ints as they are written: True, False or both."""
    if isinstance(node, gast.Constant):
        return {isinstance(node.value, int)}
    if isinstance(node, gast.UnaryOp):
        return _literal_kinds(node.operand, bound)
    if isinstance(node, gast.IfExp):
        return _literal_kinds(node.body, bound) | _literal_kinds(node.orelse, bound)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("max", "min"):
        return {kind for part in node.args for kind in _literal_kinds(part, bound)} or {False}
    if isinstance(node, gast.Name) and node.id in bound and None not in bound[node.id]:
        rest = {name: values for name, values in bound.items() if name != node.id}
        return {kind for value in bound[node.id] for kind in _literal_kinds(value, rest)}
    return {False}
