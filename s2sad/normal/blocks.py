"""try and with: the path that was taken is the one that is differentiated, and context managers run once."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import itertools
import types
from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import Calls
from s2sad.analysis.changes import is_quiet, is_quiet_method
from s2sad.analysis.effects import nested
from s2sad.analysis.known_calls import changes_receiver, dotted
from s2sad.analysis.raising import may_raise, real_store
from s2sad.core import Stmt, atom_key, clone, load, names_read, quote, quote_statements, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Number, Object, Static, Text, Unknown
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.kinds.pure import is_pure
from s2sad.knowledge import registry
from s2sad.normal import attempts, caches
from s2sad.normal.base import Attempt, Restart
from s2sad.normal.calls import _from_library, of_compiler
from s2sad.normal.comprehensions import Comprehensions
from s2sad.normal.ends import Classes, Ending, apart, says_how_it_ends, with_ending
from s2sad.normal.expressions import _Nested, static
from s2sad.normal.handlers import BUILTINS
from s2sad.normal.jumps import before_jumps, has_jump, invented, name, once_for, placed, waits
from s2sad.normal.running_twice import changes, gives, has_effect, is_of, root_of, stores_half_way, stores_into
from s2sad.normal.stepwise import names_its_exception, split, stepwise
from s2sad.normal.trials import (
    NUMERIC,
    Before,
    Caught,
    Step,
    Trial,
    Unproven,
    classes_in,
    identifier_in,
    is_builtin_kind,
    is_plain_function,
    is_within,
    paths_in,
    raises_one_of,
    reads_name,
    settled_with,
    suppressed,
    without_finally,
)
from s2sad.normal.values import (
    Closure,
    Instance,
    Known,
    Leaf,
    Method,
    Ref,
    Super,
    Value,
    is_it,
    is_known_a,
)
from s2sad.runtime.identity import class_entry

#: exceptions that names and imports raise, and those that operators raise for operands of the wrong type
_NAMES = (NameError, ImportError)
_TYPES = (TypeError, AttributeError)


#: the variable of a try that says which path was taken, which is set before it is read
OF_TRY = "#path"


class Blocks(Comprehensions):
    """Lowering of try and with."""

    def try_statement(self, node: Any, rest: list[Any]) -> bool | None:
        """None: go on behind it. Otherwise the rest has been lowered too."""
        if node.finalbody:
            return self.stmts([*once_for(node, "finally", lambda: without_finally(node)), *rest])
        if not node.handlers:
            return self.stmts([*node.body, *node.orelse, *rest])
        again = once_for(node, "raise", lambda: [names_its_exception(h, node) for h in node.handlers])
        if any(a is not b for a, b in zip(again, node.handlers, strict=True)):
            node = once_for(node, "named", lambda: placed([gast.Try(node.body, again, node.orelse, [])], node))[0]
        return self.guarded(node, rest)

    def stmts(self, body: list[Any]) -> bool:
        raise NotImplementedError

    def guarded(self, node: Any, rest: list[Any]) -> bool | None:
        """The body runs once to see which path is taken; then that path is lowered.

        try: A                 try: A; path = 0
        except E: B     ->     except E: path = 1
                               if path == 0: A
                               else: B

        Arrays that A stores into are as they were before, for the second time: `finally: u[...] = u_before`.
        """
        proven, lost = self.frame.proven, self.only_raises(node)
        if proven and lost:
            return self.stmts([*node.body, *node.orelse, *rest])
        outer_state, outer_block = self.state, self.block
        checkpoint = self.checkpoint()
        probe: list[Stmt] = []
        self.state, self.block = outer_state.fork(), []
        caught = self.caught_by(node)
        self.block = probe
        self.passive += 1
        loops, self.loops = self.loops, []
        returns, self.returns = self.returns, []
        level = self.branches, len(self.turning)
        wrong: DerivationError | None = None
        stage = self.facts.fresh("stage", temp=False) if len(node.body) > 1 else ""
        trial = Trial(node, stage, level, self.counter, self.frame, caught, lost=lost)
        self.attempts.append(trial)
        self.frame.proven = False
        try:
            self.run_trial(trial, node.body)
        except DerivationError as error:
            wrong = error
        finally:
            self.frame.proven = proven
            self.passive -= 1
            self.attempts.pop()
            self.tried = True
            self.branches = level[0]
            del self.turning[level[1] :]
            self.loops, self.returns = loops, returns
            self.block, self.state = outer_block, outer_state
        if wrong is not None:
            before = self.done_before(trial, probe)
            self.restore(checkpoint)
            chosen = self.raised_for_certain(wrong, trial, before)
            if chosen is None:
                if self.may_be_caught(wrong, node):
                    wrong.exception = None  # type: ignore[attr-defined]  # it does not leave the try
                raise wrong
            self.check_turns(trial)
            return self.stmts([*chosen, *rest])
        handlers = [h for h in self.not_shadowed(node.handlers) if self.reachable(h, probe)]
        if not self.may_stop(probe, trial) or not handlers:
            self.restore(checkpoint)
            return self.stmts([*node.body, *node.orelse, *rest])
        if len(handlers) < len(node.handlers):
            node = gast.copy_location(gast.Try(node.body, handlers, node.orelse, []), node)
        stores: dict[str, list[Stmt]] = {}
        own = self.own_arrays(probe)
        self.mark_pure(probe)
        effect = has_effect(probe, own, stores, self.is_seen, once=True)
        self.without_last_store(probe, stores, trial)
        saved = None if effect else self.saved_arrays(probe, stores)
        torn = self.is_torn(node, probe, stores, trial)
        leaves = torn or self.leaves_something(node, probe, stores, trial)
        if lost and saved is not None and not leaves and trial.turns is None:
            told = self.only_raised(node, [s for s in probe if not gives(s, stage)], rest, saved)
            if told is not None:
                return told
        if lost and effect:
            self.look_into_calls(trial)
        steps = self.in_steps(node, probe, trial) if saved is None or saved or leaves else None
        if steps is not None:
            self.check_turns(trial)
            self.restore(checkpoint)
            return self.stmts([*steps, *rest])
        inside = self.in_callee(node) if saved is None or leaves else None
        if inside is not None:
            self.restore(checkpoint)
            return self.stmts([*inside, *rest])
        if saved is None:
            self.look_into_calls(trial)
            self.follow_objects()
            self.refuse(
                "a try whose body has an effect (an append, a print, a file) that would happen twice",
                "move what has the effect out of the try",
                node=node,
            )
        if leaves:
            self.refuse(
                "a try that may stop in the middle of a statement, with values already changed",
                "write what is called there in the try itself, a statement a line",
                node=trial.torn or node,
            )
        return self.path_taken(node, [s for s in probe if not gives(s, stage)], rest, saved)

    def only_raises(self, node: Any) -> bool:
        """Do all handlers of a try raise something, so that nothing follows one?"""
        return all(self.is_lost(handler.body) for handler in node.handlers)

    def is_lost(self, body: list[Any]) -> bool:
        raise NotImplementedError

    def raised(self, body: list[Any]) -> bool | None:
        raise NotImplementedError

    def only_raised(self, node: Any, probe: list[Stmt], rest: list[Any], saved: dict[str, Any]) -> bool | None:
        """A try whose handlers raise, before its body; None where a handler is not lowered for its exception alone.

        try: A                 try: A
        except E: raise F ->   except E: raise F
                               A
        """
        attempt = Attempt(self)
        handlers = []
        for handler in node.handlers:
            kind = None if handler.type is None else self.expression(self.passively(handler.type))
            outer_state, outer_block = self.state, self.block
            self.state, self.block = outer_state.fork(), []
            caught = None
            if handler.name is not None:
                user = identifier_in(handler.name)
                caught = self.facts.fresh(user, temp=False)
                self.facts.kinds[caught] = Unknown()
                self.bind_name(user, Leaf(load(caught), Unknown()))
            block = self.block
            falls = self.raised(handler.body)
            self.state, self.block = outer_state, outer_block
            if falls is not False:
                attempt.undo()
                return None
            stored = None if caught is None else gast.Name(caught, gast.Store(), None, None)
            handlers.append(gast.ExceptHandler(kind, stored, block))
        attempt.keep()
        undo = self.put_back(saved)
        self.write(gast.Try(probe, handlers, [], undo))
        outer, self.frame.proven = self.frame.proven, True
        try:
            return self.stmts([*node.body, gast.copy_location(Unproven(outer), node), *node.orelse, *rest])
        finally:
            self.frame.proven = outer

    def look_into_calls(self, trial: Trial) -> None:
        """Calls that would be seen twice: what they do for what they are given may be less than what they may do."""
        once = self.decisions.changes.once
        seen = {site for site, function in trial.calls.items() if once.may_be_seen(function)}
        if not seen <= self.decisions.looked_into:
            self.decisions.looked_into |= seen
            raise Restart

    def stmt_Unproven(self, mark: Unproven) -> None:
        self.frame.proven = mark.before

    def check_turns(self, trial: Trial) -> None:
        """Refuse a try that is taken apart, where a loop in it computes its items: these stand in no part of it."""
        if trial.turns is not None:
            self.refuse(
                "a try that may stop where a loop in it computes its next item",
                "run over a range or a list, and compute the item in the loop",
                node=trial.turns,
            )

    def is_torn(self, node: Any, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> bool:
        """May a statement of the body stop when it has changed something?"""
        function = self.frame.source.tree
        left = {n for s in node.body for n in attempts.unfinished(s)}
        changing = {id(s) for found in stores.values() for s in found}

        def may(s: Stmt) -> bool:
            return self.may_stop([s], trial)

        if trial.torn or (stores and stores_half_way(probe, changing, trial.stage, may)):
            return True
        own = self.own_arrays(probe)
        half_done = stores_half_way(probe, stores_into(probe, own), trial.stage, may)
        if half_done and self.is_held_behind(node, own, function):
            return True
        return bool(left) and bool(attempts.exposed(node, left, function))

    def leaves_something(self, node: Any, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> bool:
        """Is what the statements before the last one did there when a later one has raised something?"""
        if len(node.body) == 1:
            return False
        changing = {id(s) for found in stores.values() for s in found}
        last = max((k for k, s in enumerate(probe) if gives(s, trial.stage)), default=len(probe))
        if trial.leaves or any(id(s) in changing for top in probe[:last] for s in nested(top)):
            return True
        return bool(attempts.exposed(node, attempts.stored(node.body[:-1]), self.frame.source.tree))

    def caught_by(self, node: Any) -> tuple[type[BaseException], ...]:
        """The classes that a try is for; all of them where that is not known."""
        found = [self.classes_of(h) for h in node.handlers if h.type is not None]
        known = len(found) == len(node.handlers) and all(found)
        return tuple(c for classes in found for c in classes) if known else (BaseException,)

    def may_stop(self, statements: Iterable[Stmt], trial: Trial) -> bool:
        """May one of these statements raise what a try is for?"""
        own = (s for s in statements if not gives(s, trial.stage))
        return any(may_raise(s, self.facts, self.partly_bound, trial.caught) for s in own)

    def in_steps(self, node: Any, probe: list[Stmt], trial: Trial) -> list[Any] | None:
        """A try whose body may stop in the middle as one for each statement of it; None where it is one statement."""
        parts = once_for(node, "parts", lambda: split(node.body))
        if len(parts) > len(node.body):
            whole = gast.Try(parts, node.handlers, node.orelse, [])
            return list(once_for(node, "split", lambda: placed([whole], node)))
        starts = [k for k, s in enumerate(probe) if gives(s, trial.stage)]
        raising = None
        if len(starts) == len(node.body) - 1:
            bounds = [0, *starts, len(probe)]
            raising = {k for k, (a, b) in enumerate(itertools.pairwise(bounds)) if self.may_stop(probe[a:b], trial)}
        made = once_for(node, f"stepwise {raising}", lambda: stepwise(node, raising))
        return None if made is None else list(made)

    def in_callee(self, node: Any) -> list[Any] | None:
        """A try around one statement, by how what is called there ended; None where that is not followed."""
        if len(node.body) != 1:
            return None
        (statement,) = node.body
        running = [k for k, n in enumerate(walk(statement)) if self.runs_own_code(n)]
        if not running:
            return None

        def parts() -> list[Any] | None:
            nodes = list(walk(statement))
            own = {id(nodes[k]) for k in running}
            made = apart(statement, lambda n: id(n) in own)
            return None if made is None else placed([gast.Try(made, node.handlers, node.orelse, [])], node)

        alone = once_for(node, f"apart {running}", parts)
        if alone is not None:
            return list(alone)
        call = getattr(statement, "value", None)
        if not isinstance(call, gast.Call) or not isinstance(statement, (gast.Assign, gast.Expr)):
            return None
        if isinstance(statement, gast.Assign) and not isinstance(statement.targets[0], gast.Name):
            return None
        caught = tuple((BaseException,) if h.type is None else self.classes_of(h) for h in node.handlers)
        named = any(h.name is not None for h in node.handlers)
        if not all(caught) or self.ending(self.called(call.func), caught, named) is None:
            return None
        return list(once_for(node, f"ending {running}", lambda: with_ending(node, caught)))

    def runs_own_code(self, node: Any) -> bool:
        """Does a call run code of the user's that can be followed?"""
        if not isinstance(node, gast.Call):
            return False
        if isinstance(node.func, gast.Attribute) and dotted(node.func) is None:
            return True  # (of what, is known when that has a name)
        return self.with_source(self.called(node.func)) is not None

    def with_source(self, function: Value | None) -> Closure | None:
        """A function of the user's that is written out where it is called; None for others."""
        while isinstance(function, Method):
            function = function.function
        if isinstance(function, Closure):
            return function
        value = function.value if is_known_a(function, types.FunctionType, types.MethodType) else None
        if isinstance(value, types.MethodType):  # of a class
            value = value.__func__ if isinstance(value.__self__, type) else None
        if value is None or _from_library(value) or of_compiler(value) or value in BUILTINS:
            return None
        if registry.lookup(value) is not None or value.__code__.co_filename == contextlib.__file__:
            return None
        try:
            return self.as_closure(value)
        except DerivationError:  # it has no source
            return None

    def ending(self, function: Value | None, caught: Classes, named: bool) -> Value | None:
        """The function that says which of these exceptions it ended with; None where it is not followed."""
        if isinstance(function, Method):
            inner = self.ending(function.function, caught, named)
            return None if inner is None else Method(inner, function.owner)
        if is_known_a(function, types.MethodType):
            inner = self.ending(Known(function.value.__func__), caught, named)
            return None if inner is None else Method(inner, Known(function.value.__self__))
        found = self.with_source(function)
        if found is None or id(found.source.tree) in self.memoized | self.cached:
            return None
        tree = found.source.tree
        form = f"ending {[[id(c) for c in classes] for classes in caught]} {named}"
        made = once_for(tree, form, lambda: says_how_it_ends(tree, caught, named))
        return None if made is None else dataclasses.replace(found, source=_Nested(found.source, made))

    def expr_Ending(self, node: Ending) -> Value:
        made = self.ending(self.what_is_called(node.function), node.classes, node.named)
        assert made is not None
        return made

    def without_last_store(self, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> None:
        """Where the last thing that a body does is to store a number into an array, what raises when the path is found
        out is to read it from there."""
        last = probe[-1]
        if not real_store(last, self.facts):
            return
        place = clone(last.targets[0] if isinstance(last, gast.Assign) else last.target)
        place.ctx = gast.Load()
        found = stores.get(place.value.id, [])
        if any(s is last for s in found):
            stores[place.value.id] = [s for s in found if s is not last]
            if not stores[place.value.id]:
                del stores[place.value.id]
            asked = [gast.Expr(last.value), gast.Expr(place)]
            for statement in asked:
                statement.origin = last.origin
            probe[-1:] = [s for s in asked if self.may_stop([s], trial)]

    def saved_arrays(self, probe: list[Stmt], stores: dict[str, list[Stmt]]) -> dict[str, Any] | None:
        """The arrays and lists from before a try that its body stores into, by the names for what they held; None where
        one is not known."""
        stored = {id(s.target) for found in stores.values() for s in found if isinstance(s, gast.AugAssign)}
        bound = {n.id for s in probe for n in walk_names(s) if isinstance(n.ctx, gast.Store) and id(n) not in stored}
        arrays: dict[str, Any] = {}
        for name_ in stores:
            key: str | None = name_
            while key is not None and key in bound:
                key = self.alias.get(key)
            if key is None or not self.is_taken_back(key, stores[name_]):
                return None
            arrays[key] = quote(key)
        return {self.facts.fresh(f"{identifier_in(root_of(a))}_before", temp=False): a for a in arrays.values()}

    def is_taken_back(self, name_: str, stores: list[Stmt]) -> bool:
        """Is what statements store into an array or container undone when it has the items of before again?

        What is stored into an item, the item has still: an array in a dict, for `d[k] += 1` as well.
        """
        kind = self.facts.kinds.get(name_)
        if isinstance(kind, Array):
            return kind.dtype != object
        numbers = isinstance(kind, ListOf) and isinstance(kind.item, Number)
        for s in stores:
            target = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, "target", None)
            base = target.value if isinstance(target, gast.Subscript) else None
            if not isinstance(base, gast.Name) or base.id != name_ or not (numbers or isinstance(s, gast.Assign)):
                return False
        return isinstance(kind, (ListOf, Unknown))

    def mark_pure(self, body: list[Stmt]) -> None:
        """Statements that call something for nothing but what it may raise (np.broadcast_shapes) are no effects, and
        those that write through an argument (np.put) are stores."""
        calls = Calls(self.facts)
        for statement in (n for s in body for n in walk(s) if isinstance(n, gast.Expr)):
            kind = infer(statement.value.func, self.facts) if isinstance(statement.value, gast.Call) else None
            statement.pure = isinstance(kind, CallableKind) and is_pure(kind.value)
            if statement.pure:
                statement.written = [e if self.is_array(e) else None for e in calls.overwritten(statement.value)]

    def is_array(self, expr: Any) -> bool:
        """Is it an array with a name, or a part of one?"""
        base = root_of(expr)
        kind = self.facts.kinds.get(base.id) if base is not None else None
        return isinstance(kind, Array) or (base is expr and isinstance(kind, Unknown))

    def not_shadowed(self, handlers: list[Any]) -> list[Any]:
        """The handlers that are for something that no handler before them is for."""
        left: list[Any] = []
        before: tuple[type[BaseException], ...] = ()
        for handler in handlers:
            classes = self.classes_of(handler) if handler.type is not None else ()
            if not (classes and all(issubclass(c, before) for c in classes)):
                left.append(handler)
            before = (*before, *classes)
        return left

    def reachable(self, handler: Any, probe: list[Stmt]) -> bool:
        """May the body, as it was lowered, raise what a handler is for?

        Names and imports are settled at derivation; types are where all kinds are known.
        """
        if handler.type is None:
            return True
        classes = self.classes_of(handler)
        settled = tuple(_NAMES) + (tuple(_TYPES) if all(self.typed(s) for s in probe) else ())
        if not classes or not all(issubclass(c, settled) for c in classes):
            return True
        if any(raises_one_of(s, classes) for s in probe):
            return True
        return any(n.id in self.partly_bound for s in probe for n in walk_names(s))

    def typed(self, statement: Stmt) -> bool:
        """Are all values in a statement numbers and arrays, given to operators and NumPy?"""
        for node in walk(statement):
            if isinstance(node, gast.Call):
                function = node.func
                while isinstance(function, gast.Attribute):
                    function = function.value
                if not isinstance(function, gast.Name):
                    return False
                known = self.facts.globals.get(function.id, getattr(builtins, function.id, None))
                if isinstance(self.facts.kinds.get(function.id), (Number, Array)) or is_plain_function(known):
                    continue
                return False
            elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                if node.id in self.facts.globals or hasattr(builtins, node.id):
                    continue
                if not isinstance(self.facts.kinds.get(node.id), (Number, Array)):
                    return False
        return True

    def number(self, target: str, value: int) -> Stmt:
        statement = gast.Assign([name(target, True)], gast.Constant(value, None), None)
        statement.origin = self.origin
        return statement

    def is_held_behind(self, node: Any, own: Collection[str], function: Any) -> bool:
        """May what is read after an exception be, or hold, an array or a list that the body of a try made?"""
        read = attempts.exposed(node, attempts.stored(node.body), function)
        shown, kinds = self.facts.user_name, self.facts.kinds
        held = {n for n, kind in kinds.items() if n in own or not isinstance(kind, (Number, Text, Static))}
        return any(shown.get(name, name) in read for name in held)

    def own_arrays(self, body: list[Stmt]) -> set[str]:
        """The names of arrays and lists that statements make, of memory that nothing else shares."""
        made: dict[str, bool] = {}
        for statement in (n for s in body for n in gast.walk(s) if isinstance(n, gast.Assign)):
            new = self.makes_array(statement.value) or isinstance(statement.value, (gast.List, gast.ListComp))
            for target in statement.targets:
                for part in walk_names(target) if isinstance(target, (gast.Name, gast.Tuple)) else ():
                    made[part.id] = made.get(part.id, True) and new
        return {n for n, new in made.items() if new and isinstance(self.facts.kinds.get(n), (Array, ListOf, Unknown))}

    def is_seen(self, call: Any, own: Collection[str], once: bool = False) -> bool:
        """Would it be seen that a call inside of an expression is made twice: does it draw, print, or change what
        others hold?

        Args:
            own: names of arrays and lists that are made anew each time.
            once: it is made again only where it has raised nothing.
        """
        function = getattr(call, "function", None)
        if function is not None:
            return function.effect == "unknown" or bool(function.writes or function.drains)
        if getattr(call, "pure", False):
            return False
        kind = infer(call.func, self.facts)
        target = kind.value if isinstance(kind, CallableKind) else None
        if isinstance(target, types.MethodType) and not isinstance(target.__self__, type):
            target = target.__func__
        elif target is None and isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name):
            owner = self.facts.globals.get(call.func.value.id)
            if isinstance(owner, (str, list, dict, set, tuple, frozenset)):
                return changes_receiver(call.func.attr) or not is_quiet_method(call.func.attr)
        if any(map(self.runs_what_is_seen, [*call.args, *(k.value for k in call.keywords)])):
            return True
        if isinstance(target, types.FunctionType) and call.args:  # a method of a class stands as a function of it
            first = infer(call.args[0], self.facts)
            if isinstance(first, CallableKind) and isinstance(first.value, type):
                target = types.MethodType(target, first.value)
        if isinstance(target, (types.FunctionType, types.MethodType, type)) and not _from_library(target):
            changes = self.decisions.changes
            return (changes.once if once else changes).may_be_seen(target)
        calls = Calls(self.facts)
        written = [e for e in calls.overwritten(call) if not isinstance(e, (gast.List, gast.Dict, gast.Set))]
        if not all(is_of(e, own) for e in written):
            return True
        known, is_method = calls.of(call)
        if known.effect == "none":
            return False
        return not (is_quiet_method(call.func.attr) if is_method else target is not None and is_quiet(target))

    def runs_what_is_seen(self, given: Any) -> bool:
        """May a call run something of what it is given, a function or methods of an object, so that it is seen?"""
        kind = infer(given.value if isinstance(given, gast.Starred) else given, self.facts)
        target = kind.value if isinstance(kind, CallableKind) else None
        while isinstance(target, functools.partial):
            target = target.func
        if isinstance(kind, Object):
            return self.decisions.changes.object_may_be_seen(kind.cls)
        if getattr(target, "__s2sad_pure__", False):  # written out for a solver
            return False
        followed = isinstance(target, (types.FunctionType, type)) and not _from_library(target)
        return followed and self.decisions.changes.may_be_seen(target)

    def makes_array(self, value: Any) -> bool:
        if not isinstance(value, gast.Call):
            return isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare))
        kind = infer(value.func, self.facts)
        target = kind.value if isinstance(kind, CallableKind) else None
        return isinstance(target, np.ufunc) or any(target is maker for maker in _MAKERS)

    def run_trial(self, trial: Trial, body: list[Any]) -> None:
        """Lower the body of a try for its exceptions alone; its stage counts the statements that were done.

        Jumps out of it end their paths: what stands behind them is in the other branches.
        """
        steps: list[Any] = []
        for k, statement in enumerate(body):
            steps += [gast.copy_location(Step(trial, k), statement), statement]
        self.stmts([*steps, gast.copy_location(Step(trial, len(body)), body[-1])])

    def stmt_Step(self, step: Step) -> None:
        trial, k = step.trial, step.done
        if k:
            self.step_ends(trial)
        if k == len(trial.node.body):
            return
        if k:
            self.block.append(self.number(trial.stage, k))
        trial.done, trial.statement, trial.changed = k, trial.node.body[k], False
        trial.start = self.block, len(self.block)
        trial.before = {ref: obj.copy() for ref, obj in self.state.heap.items()}

    def step_ends(self, trial: Trial) -> None:
        """One of the statements that a trial consists of is done, on one path."""
        block, start = trial.start
        if not trial.changed and changes(trial.before, self.state.heap):
            trial.changed = True
            if block is not self.block or self.may_stop(block[start:], trial):
                trial.torn = trial.torn or trial.statement
        trial.leaves = trial.leaves or (trial.changed and trial.done < len(trial.node.body) - 1)

    def items_computed(self, loop: Any, written: list[Stmt] | None) -> None:
        """A loop has computed items by these statements (None: by what is not known), which Python computes in its
        turns: a try around it may stop there, between two turns."""
        for trial in self.attempts:
            if trial.frame is self.frame and (written is None or self.may_stop(written, trial)):
                trial.turns = trial.turns or loop

    def jumps_away(self) -> None:
        """Control leaves a list of statements: where that is the body of a try, its last statement is done."""
        if self.attempts and self.attempts[-1].frame is self.frame:
            self.step_ends(self.attempts[-1])

    def changed_before(self, ids: Iterable[int]) -> None:
        """Containers or frames are written to: note for which trials they are from before."""
        for trial in self.attempts:
            trial.changed = trial.changed or any(k <= trial.last for k in ids)

    def trials_changed(self) -> list[bool]:
        """Has the statement that each open trial is at changed a container so far?"""
        return [trial.changed for trial in self.attempts]

    def trials_are(self, paths: list[list[bool]]) -> None:
        """Here several paths meet: what one of them changed is changed."""
        for trial, changed in zip(self.attempts, zip(*paths, strict=True), strict=True):
            trial.changed = any(changed)

    def done_before(self, trial: Trial, probe: list[Stmt]) -> Before:
        """What is known of the statements of a trial that ended at one that raises."""
        starts = [k for k, s in enumerate(probe) if gives(s, trial.stage)]
        tried = probe[starts[-1] :] if starts and trial.done else probe
        seen = has_effect([s for s in tried if not gives(s, trial.stage)], seen=self.is_seen)
        return Before(
            seen, seen or has_effect(probe, seen=self.is_seen), self.may_stop(tried, trial), self.may_stop(probe, trial)
        )

    def raised_for_certain(self, error: DerivationError, trial: Trial, before: Before) -> list[Any] | None:
        """The handler for an exception that the body raises for certain (a key that is not there).

        The statements before the one that raises are done. Where they may raise something themselves:

        try: A; 1[0] = x        try: A; x
        except E: B        ->   except E: B
                                else: B
        """
        node = trial.node
        exception = getattr(error, "exception", None)
        if exception is None or error.level != (self.branches, len(self.turning)):  # type: ignore[attr-defined]
            return None
        done, failing = list(node.body[: trial.done]), node.body[trial.done]
        function = self.frame.source.tree
        left = attempts.unfinished(failing)
        if trial.changed or trial.torn or (left and attempts.exposed(node, left, function)):
            return None
        if before.last_is_seen:
            return None
        for handler in node.handlers:
            classes = self.classes_of(handler)
            if any(isinstance(exception, c) for c in classes):
                break
        else:
            return None
        named = handler.name is not None and reads_name(handler.body, identifier_in(handler.name))
        if before.may_stop:
            if named:
                return None
            given = attempts.stored([*done, failing])
            alone = len(node.handlers) == 1 and all(any(issubclass(e, c) for c in classes) for e in NUMERIC)
            alone = alone and not before.is_seen and not trial.leaves
            if alone and not attempts.exposed(node, given, function):
                return list(handler.body)
            if before.last_may_stop:
                value = getattr(failing, "value", None)
                if not getattr(error, "storing", False) or value is None:
                    return None
                done.append(gast.copy_location(gast.Expr(value), failing))

            def otherwise() -> list[Any]:
                return placed([gast.Try(done, node.handlers, handler.body, [])], node)

            return list(once_for(node, f"certain{trial.done}", otherwise)) if done else None
        if named:
            if not all(isinstance(a, (str, int, float)) for a in exception.args):
                return None
            self.bind_name(identifier_in(handler.name), Known(exception, self.made(exception)))
        return [*done, *handler.body]

    def classes_of(self, handler: Any) -> tuple[type[BaseException], ...]:
        """What a handler is for; () where that is not known."""
        if handler.type is None:
            return (Exception,)
        if not any(isinstance(n, gast.Call) for n in walk(handler.type)):
            return classes_in(static(self.passively(handler.type)))
        found, changes = self.noting_draws(lambda: self.passively(handler.type))
        if changes:
            reason = "to find out what an except clause is for changes or prints something"
            self.refuse(reason, "give the classes names before the try", handler.type)
        return classes_in(static(found))

    def may_be_caught(self, error: DerivationError, node: Any) -> bool:
        """May a handler of a try be for what a statement raises for certain?"""
        exception = getattr(error, "exception", None)
        classes = map(self.classes_of, node.handlers) if exception is not None else ()
        return any(not found or isinstance(exception, found) for found in classes)

    def waits_for(self, exception: type[BaseException]) -> bool:
        """May a try catch this exception, whose body is being lowered for what it raises?"""
        for trial in self.attempts:
            for handler in trial.node.handlers:
                classes = () if handler.type is None else self.classes_of(handler)
                if not classes or issubclass(exception, classes):
                    return True
        return False

    def made(self, exception: BaseException) -> Any:
        """The expression that makes an exception."""
        cls = load(self.global_name(type(exception).__name__, type(exception)))
        plain = all(isinstance(a, (str, int, float)) for a in exception.args)
        return gast.Call(cls, [gast.Constant(a, None) for a in exception.args] if plain else [], [])

    def raises_here(self, error: DerivationError, level: tuple[int, int]) -> bool:
        """Does a statement that raises for certain become a `raise`? On one of several paths of a function.

        Anywhere else there is a handler for it, or an error at derivation.
        """
        exception = getattr(error, "exception", None)
        if exception is None or error.concrete or error.level != level:  # type: ignore[attr-defined]
            return False
        around = self.attempts[-1].level if self.attempts else (0, 0)
        return level[0] > around[0] or (level != around and bool(self.attempts or self.tried))

    def path_taken(self, node: Any, probe: list[Stmt], rest: list[Any], saved: dict[str, Any]) -> bool | None:
        path = self.facts.fresh("path", temp=False)
        self.facts.kinds[path] = Number(int)
        origin = self.origin

        def mark(k: int) -> Stmt:
            statement = gast.Assign([name(path, True)], gast.Constant(k, None), None)
            statement.origin = origin
            return statement

        handlers = []
        starts: dict[int, list[Any]] = {}
        for k, handler in enumerate(node.handlers):
            kind = None if handler.type is None else self.expression(self.passively(handler.type))
            caught = None
            kept: list[Stmt] = []
            if handler.name is not None:
                user = identifier_in(handler.name)
                inner = self.facts.fresh(user, temp=False)
                held = self.facts.fresh(f"{user}_caught", temp=False)
                self.facts.kinds[inner] = self.facts.kinds[held] = Unknown()
                caught = inner
                keep = gast.Assign([name(held, True)], load(inner), None)
                keep.origin = origin
                kept = [keep]
                active = self.runs_code(probe) and self.may_read_active(probe)
                if active:  # and so may be what the exception carries
                    self.facts.varied.add(held)
                    self.caught.add(held)
                starts[k] = [gast.copy_location(Caught(user, Leaf(load(held), Unknown(), active)), handler)]
            handlers.append(
                gast.ExceptHandler(
                    kind, None if caught is None else gast.Name(caught, gast.Store(), None, None), [*kept, mark(k + 1)]
                )
            )
        undo = self.put_back(saved)
        self.write(gast.Try(probe, handlers, [mark(0)], undo))
        bodies = [[*starts.get(k, ()), *handler.body] for k, handler in enumerate(node.handlers)]
        return self.branch_on(path, node, bodies, rest)

    def put_back(self, saved: dict[str, Any]) -> list[Stmt]:
        """Copies of arrays are made here; the statements that put into the arrays what they held."""
        undo: list[Stmt] = []
        for before, array in saved.items():
            kind = self.facts.kinds[before] = self.facts.kinds[atom_key(array)]
            if isinstance(kind, (Array, ListOf)):
                whole = "..." if isinstance(kind, Array) else ":"
                self.write(quote_statements(f"{before} = x.copy()", x=array)[0])
                undo += quote_statements(f"x[{whole}] = {before}", x=array)
            elif atom_key(array) in self.table_of:
                self.write(quote_statements(f"{before} = x.copy()", x=array)[0])
                undo += quote_statements(f"x.clear()\nx.update({before})", x=array)
            else:  # an array; another container has again what it was given, when it is given that again
                numpy = load(self.global_name("np", np))
                self.write(quote_statements(f"{before} = np.copy(x)", np=numpy, x=array)[0])
                undo += quote_statements(f"if isinstance(x, np.ndarray):\n    x[...] = {before}", np=numpy, x=array)
        for statement in undo:
            statement.origin = self.origin
        return undo

    def stmt_Caught(self, caught: Caught) -> None:
        self.bind_name(caught.user, caught.exception)

    def runs_code(self, probe: list[Stmt]) -> bool:
        """Can code of the user's run in it? What Python itself raises carries text and keys, which may be active."""
        nodes = [n for s in probe for n in gast.walk(s)]
        if any(isinstance(n, (gast.Raise, gast.Assert, gast.Call)) for n in nodes):
            return True
        if any(isinstance(n, gast.Subscript) and self.may_read_active([n.slice]) for n in nodes):
            return True
        return not all(is_builtin_kind(self.facts.kinds.get(n)) for n in names_read(probe))

    def may_read_active(self, body: list[Stmt]) -> bool:
        """Do statements read something that is active, is a part of what is, or holds it?"""
        return any(
            is_within(key, active) or is_within(active, key) for key in paths_in(body) for active in self.facts.varied
        )

    def branch_on(self, path: str, node: Any, handlers: list[list[Any]], rest: list[Any]) -> bool | None:
        """if path == 0: the body, elif path == 1: the first handler, ..."""
        chain: list[Any] = []
        self.state.frames[self.frame.id][f"#{path}"] = Leaf(load(path), Number(int))
        bodies = [[*node.body, *node.orelse], *handlers]
        for k in reversed(range(len(bodies))):
            if k == len(bodies) - 1:
                chain = list(bodies[k])
                continue
            test = gast.Compare(name(f"#{path}"), [gast.Eq()], [gast.Constant(k, None)])
            chain = placed([gast.If(test, list(bodies[k]), chain)], node)
        return self.stmts([*chain, *rest])

    # --- with

    def with_statement(self, node: Any, rest: list[Any]) -> bool | None:
        """None: go on behind it. Otherwise the rest has been lowered too."""
        if len(node.items) > 1:
            inner = once_for(
                node,
                "with",
                lambda: placed([gast.With(node.items[:1], [gast.With(node.items[1:], node.body, None)], None)], node),
            )
            return self.with_statement(inner[0], rest)
        item = node.items[0]
        manager_call = item.context_expr if isinstance(item.context_expr, gast.Call) else None
        called = None
        if manager_call is not None and dotted(manager_call.func) is not None:
            called = self.passively(manager_call.func)
        plain = isinstance(called, Known) and called.is_one_of(contextlib.suppress, contextlib.nullcontext)
        if plain and waits(node.body):
            return self.with_statement(settled_with(node), rest)
        if is_it(called, contextlib.suppress):
            return self.stmts([*once_for(node, "suppress", lambda: suppressed(node)), *rest])
        if is_it(called, contextlib.nullcontext):
            entered = item.context_expr.args
            start = (
                [gast.Assign([item.optional_vars], entered[0], None)]
                if entered and item.optional_vars is not None
                else []
            )
            return self.stmts([*once_for(node, "null", lambda: placed([*start, *node.body], node)), *rest])
        given: list[Value] = []
        if self.is_own_class(item.context_expr):
            context = self.expr(item.context_expr)
        elif manager_call is None:
            context = self.passively(item.context_expr)
        else:
            context, given = self.manager(manager_call)
        if isinstance(context, Ref) and isinstance(self.state.heap[context.id], Instance):
            return self.own_manager(node, context, rest)
        self.check_manager_given(given)
        if waits(node.body):
            node = settled_with(node)
        if has_jump(node.body):
            return self.jumps_out(node, context, rest)
        target = None
        if item.optional_vars is not None:
            if not isinstance(item.optional_vars, gast.Name):
                self.refuse("this target of a with statement", ways.NAMES)
            target_name = self.facts.fresh(item.optional_vars.id, temp=False)
            self.facts.kinds[target_name] = Unknown()
            self.bind_name(item.optional_vars.id, Leaf(load(target_name), Unknown()))
            target = gast.Name(target_name, gast.Store(), None, None)
        manager = gast.withitem(self.expression(context), target)
        outer, origin = self.block, self.origin
        self.block = []
        falls = self.stmts(node.body)
        inner_block, self.block = self.block, outer
        self.origin = origin
        self.write(gast.With([manager], inner_block or [gast.Pass()], None))
        return None if falls else False

    def manager(self, call: Any) -> tuple[Value, list[Value]]:
        """The context manager that a call makes, and what it is given."""
        function = self.passively(call.func)
        args, kwargs = self.arguments(call)  # (computed passively, what is active in them would not be known)
        self.passive += 1
        try:
            return self.call_value(function, args, kwargs), [*args, *kwargs.values()]
        finally:
            self.passive -= 1

    def is_own_class(self, node: Any) -> bool:
        """Is it a call of a class whose source is to be followed?"""
        if not isinstance(node, gast.Call) or dotted(node.func) is None:
            return isinstance(node, (gast.Name, gast.Attribute))
        function = self.passively(node.func)
        value = function.value if isinstance(function, Known) else None
        return isinstance(value, type) and value.__module__.split(".")[0] not in (
            "builtins",
            "numpy",
            "contextlib",
            "threading",
            "warnings",
        )

    def jumps_out(self, node: Any, context: Value, rest: list[Any]) -> bool | None:
        """`with c: A; return e`: the jump is made behind the block."""
        last = node.body[-1]
        if isinstance(last, gast.Return) and not has_jump(node.body[:-1]) and last.value is not None:

            def make() -> list[Any]:
                kept = invented("result", node)
                save = gast.copy_location(gast.Assign([name(kept, True)], last.value, None), last)
                save.end_lineno = getattr(last, "end_lineno", last.lineno)
                inside = gast.With(node.items, [*node.body[:-1], save], None)
                return placed([inside, gast.Return(name(kept))], node)

            return self.stmts([*once_for(node, "return", make), *rest])
        return (
            self.stmts([*node.body, *rest])
            if self.quiet(context)
            else self.refuse("a jump out of a with block", ways.LEAVE)
        )

    def quiet(self, context: Value) -> bool:
        """May the statements of a with block run outside of it? (Only what leaves no trace: np.errstate.)"""
        return isinstance(context, Leaf) and "errstate" in gast.dump(context.expr)

    def own_manager(self, node: Any, context: Ref, rest: list[Any]) -> bool | None:
        """A context manager of the user's: its methods are written out."""
        item = node.items[0]
        leaves = self.find_method(context, "__exit__")
        if self.may_raise_by_hand(node.body) and self.heeds_exceptions(leaves):
            self.refuse(
                "an exception may be raised in a with block whose __exit__ may swallow it, or has effects",
                "write it with try and except",
            )
        place = item.context_expr  # `with a, b` are two managers on one line
        key = f"#manager{place.lineno}_{place.col_offset}"
        self.state.frames[self.frame.id][key] = context

        def make() -> list[Any]:
            enter = gast.Call(gast.Attribute(name(key), "__enter__", gast.Load()), [], [])
            target = item.optional_vars
            start = gast.Assign([target], enter, None) if target is not None else gast.Expr(enter)
            none = [gast.Constant(None, None) for _ in range(3)]
            leave = gast.Expr(gast.Call(gast.Attribute(name(key), "__exit__", gast.Load()), none, []))
            body = before_jumps(node.body, placed([leave], node), invented("result", node))
            return placed([start, *body, clone(leave)], node)

        return self.stmts([*once_for(node, "manager", make), *rest])

    def heeds_exceptions(self, leaves: Value | None) -> bool:
        """Where an exception may end a with block: is it seen afterwards that __exit__ was called?

        It may swallow the exception; and where that is caught around the block, what __exit__ does counts.
        """
        tree = self.tree_of(leaves)
        if tree is None:
            return True
        parts = [n for s in tree.body for n in walk(s)]
        given = [n.value for n in parts if isinstance(n, gast.Return) and n.value is not None]
        if not all(isinstance(v, gast.Constant) and v.value in (None, False) for v in given):
            return True
        calls = [n.func for n in parts if isinstance(n, gast.Call)]
        own = any(isinstance(f, gast.Attribute) and isinstance(f.value, gast.Name) for f in calls)
        named = any(isinstance(f, gast.Name) and not hasattr(builtins, f.id) for f in calls)
        return bool(self.attempts) and (own or named or bool(caches.overwritten(tree.body)))

    def tree_of(self, function: Value | None) -> Any:
        """The tree of a function of the user's, None where it has none."""
        while isinstance(function, Method):
            function = function.function
        if isinstance(function, Closure):
            return function.source.tree
        if is_known_a(function, types.FunctionType):
            return None if _from_library(function.value) else self.source_of(function.value).tree
        return None

    def may_raise_by_hand(self, body: list[Any], depth: int = 0) -> bool:
        """Is there a raise or an assert in the statements, or in a function of the user's that is called there?"""
        for part in (n for s in body for n in walk(s)):
            if isinstance(part, (gast.Raise, gast.Assert)):
                return True
            if isinstance(part, gast.Call) and depth < 3:
                tree = self.tree_of(self.called(part.func))
                if tree is not None and self.may_raise_by_hand(tree.body, depth + 1):
                    return True
        return False

    def called(self, node: Any) -> Value | None:
        """The function that a name, or an attribute of what has a name, stands for here; None where unknown."""
        if isinstance(node, gast.Name):
            frame = self.find_frame(node.id)
            found = self.state.frames[frame].get(node.id) if frame is not None else None
            if found is None and node.id in self.frame.source.globals:
                found = Known(self.frame.source.globals[node.id])
            return found
        owner = self.called(node.value) if isinstance(node, gast.Attribute) else None
        if owner is None:
            return None
        if isinstance(owner, Super):
            return self.inherited(owner, node.attr)
        instance = self.instance_of(owner)
        if instance is None:
            return Known(getattr(owner.value, node.attr, None)) if isinstance(owner, Known) else None
        if isinstance(instance, Instance) and node.attr in instance.attributes:
            return instance.attributes[node.attr]
        computed = isinstance(class_entry(instance.cls, node.attr), property)
        return None if computed else self.find_method(owner, node.attr)


#: functions that make a new array
_MAKERS = (np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.array)
