"""Recursion: which calls are written out, and which become calls of a core function.

A recursion is written out as long as what is known of the arguments decides how deep it goes. Where a run-time test
decides, or where it would become too long, the function becomes a core function (`s2sad.normal.functions`), and the
lowering starts again with that. What a core function returns is found by lowering it until nothing changes, beginning
with the paths that return without calling it again.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import gast

from s2sad.analysis.effects import nested
from s2sad.analysis.memory import Memory
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Expr, Facts, Stmt, assign, atom_key, load, names_read
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, error_at
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Number, Tuple, Unknown
from s2sad.normal.base import RESERVED, Decisions, Frame, Restart, timeless
from s2sad.normal.effect_of import effect_of
from s2sad.normal.expressions import Expressions
from s2sad.normal.functions import (
    SIGNATURES,
    CoreFunction,
    Diverges,
    Grown,
    Outline,
    Parameter,
    Program,
    Rebuild,
    Refused,
    Slot,
    Spread,
    form,
    grown_lists,
    joined,
    opened,
    shape_of,
)
from s2sad.normal.given import Given, replace_contents
from s2sad.normal.keep import Unkept
from s2sad.normal.lowered import Core, fill_empty
from s2sad.normal.recursive_values import (
    constant_leaf,
    fits,
    has_memory,
    ints_that_differ,
    is_plain_kind,
    is_plain_result,
    is_same,
    is_users,
    leaves_of,
    may_share,
    name_of_memory,
    note_lengths,
    same_work,
    users_own,
)
from s2sad.normal.values import (
    NOT_KNOWN,
    Closure,
    Known,
    Leaf,
    ListObj,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    contents,
)

#: how deep, and how often in all, a recursion is written out; and how often where a run-time test may end it
DEPTH, ACTIVATIONS, PERHAPS = 24, 100, 8
#: how many functions that are made around one another
NESTED = 40
#: how often what a core function returns may get more parts before it is settled
GROWTH = 4
WAY_OUT = ways.LOOP
CHANGING = "the arguments of this recursion change their structure from call to call"


class Recursion(Expressions):
    """Lowering of calls of functions that are being lowered already."""

    program: Program

    def __init__(self, facts: Facts, decisions: Decisions, program: Program | None = None) -> None:
        super().__init__(facts, decisions)
        self.program = program if program is not None else Program()
        #: how often functions were written out, by their trees
        self.activations: dict[int, int] = {}

    # --- written out or not

    def callers(self) -> Iterator[Frame]:
        """The functions that are being written out, innermost first."""
        frame: Frame | None = self.frame
        while frame is not None:
            yield frame
            frame = frame.caller

    def recursive_call(self, function: Closure, variables: dict[str, Value]) -> Value | None:
        """The value of a call that stays a call; None where the function is to be written out."""
        tree = function.source.tree
        if not is_users(function):
            return None
        if id(tree) in self.program.recursive:
            return self.core_call(function, variables)
        if id(tree) in self.program.keeping.kept and self.can_keep({**variables, "()": function}):
            return self.kept_call(function, variables)
        self.activations[id(tree)] = self.activations.get(id(tree), 0) + 1
        active = [f for f in self.callers() if f.source is not None and f.source.tree is tree]
        if active:
            self.check_end(function, variables, active)
        return None

    def check_end(self, function: Closure, variables: dict[str, Value], active: list[Frame]) -> None:
        """Follow a recursion as a core function unless what is known of its arguments leads to its end."""
        tree, last = function.source.tree, active[0]
        before, now = Spread(self), Spread(self)
        anew = last.function is not None and last.function.frame != function.frame
        if anew and last.arguments is not None:  # what they have captured tells them apart: `lambda z: g(f(z))`
            stack = [f.source.tree for f in self.program.stack]
            if stack and len(active) > SIGNATURES and stack.count(stack[-1]) > SIGNATURES:
                self.refuse(CHANGING, WAY_OUT)  # it is given another function at each depth
            if len(active) >= NESTED:
                self.refuse("calls are nested too deeply to be written out", WAY_OUT, concrete=True)
            before.of({"()": last.function})
            now.of({"()": function})
            if form(before.outline) != form(now.outline):
                return  # one function made around another is no recursion
        if len(active) >= DEPTH or self.activations[id(tree)] > ACTIVATIONS:
            self.follow(tree, True)
        if last.arguments is None:
            return
        was_given, is_given = before.of(last.arguments), now.of(variables)
        if form(was_given) != form(is_given):
            return
        names = iter(f"p{k}" for k in range(10000))
        was = was_given.parameters(lambda _: next(names))
        is_now = is_given.parameters(lambda _: next(names))
        kinds = [p.kind for p in was] == [p.kind for p in is_now]
        consts = [(type(p.const), p.const) for p in was] == [(type(p.const), p.const) for p in is_now]
        for p in (*was, *is_now):
            p.varied = False
        decided = self.branches == last.branches and all(n is not None for _, n in self.turning[last.turning :])
        if kinds and consts:
            self.follow(tree, False)
        if decided:
            return
        if not consts:
            if self.activations[id(tree)] > PERHAPS:
                self.follow(tree, True)
            return
        opened(was)
        opened(is_now)
        if shape_of(was) == shape_of(is_now):
            self.follow(tree, not kinds)

    def follow(self, tree: Any, sizes: bool) -> NoReturn:
        """Make a function a core function. `sizes`: may lengths and ints decide how deep the recursion goes?"""
        policy = self.program.policy
        if policy == "refuse" or (policy == "sizes" and sizes):
            self.refuse(
                "this recursion does not end for the arguments that are known at derivation",
                WAY_OUT,
                concrete=policy == "sizes",
                recursion=True,
            )
        self.program.recursive.add(id(tree))
        raise Restart

    def too_large(self) -> None:
        """So much was written out: is it a recursion? Else some of it may be kept as calls."""
        trees = [f.source.tree for f in self.callers() if f.source is not None]
        for tree in reversed(trees):
            if sum(1 for t in trees if t is tree) > 1:
                self.follow(tree, True)
        self.program.keeping.exhausted = True

    # --- calls that are kept

    def can_keep(self, given: dict[str, Value]) -> bool:
        """Can a call stay a call here, with what the function is given and has captured?

        Where only the text of an expression is wanted it cannot, nor in a `try`, which is lowered step by step.
        """
        if self.text_only or self.attempts or self.trials or self.decisions.module_globals:
            return False
        return all(self.is_plain(v) for value in given.values() for v in self.within(value, set()))

    def is_plain(self, value: Value) -> bool:
        """Can a core function be given a value so that nobody notices?"""
        if isinstance(value, Leaf):
            return is_plain_kind(value.kind)
        if isinstance(value, Ref):
            return self.is_plain_container(value.id)
        return isinstance(value, (Known, Tup, Closure, Method, Partial, Slot))

    def is_plain_container(self, ref: int) -> bool:
        obj = self.state.heap[ref]
        return not (obj.stale or getattr(obj, "once", False) or getattr(obj, "partial", False))

    def count(self, function: Closure, frame: Frame, size: int) -> None:
        """A call was written out: to know how often a function is called."""
        around, node = frame.caller, frame.call_node
        if is_users(function) and around is not None:
            where = getattr(around.source, "tree", None), getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            self.program.keeping.met(function.source.tree, where, around.id, size)

    def kept_call(self, function: Closure, variables: dict[str, Value]) -> Value:
        """A call that stays one, though it could be written out."""
        tree = function.source.tree
        try:
            return self.core_call(function, variables)
        except (DerivationError, Diverges) as error:
            self.program.keeping.check_defect(error)
            raise Unkept(tree) from error

    def kept_form(self, function: Closure, outline: Outline) -> Any:
        """What tells a kept function for a call from others: of what is active, too, there is one for each."""
        tree = function.source.tree
        called_again = any(f.source.tree is tree for f in self.program.stack)
        given = [*(value for _, value in outline.leaves), *outline.values.values()]
        containers = all(map(self.is_plain_container, outline.objects))
        if called_again or not containers or not all(map(self.is_plain, given)):
            raise Unkept(tree)
        return form(outline), tuple(isinstance(v, Leaf) and v.varied for _, v in outline.leaves)

    def check_kept(self, function: CoreFunction, lowering: Any, memory: Memory) -> None:
        """Is what a kept function does all said by what it is given and returns? Else it is written out."""
        told = (lowering.outer_filled, lowering.changed_arguments, lowering.global_writes, lowering.changes_outside())
        made = function.result
        assert made is not None
        returned = [
            *made.values.values(),
            *made.variables.values(),
            *(p for obj in (*made.objects.values(), *made.containers.values()) for p in contents(obj).values()),
        ]
        plain = all(is_plain_kind(p.kind) for p in function.results) and all(map(is_plain_result, returned))
        atoms = [atom_key(leaf.expr) for leaf in function.core.result.items if has_memory(leaf.kind)]
        shares = function.shares or function.tangled or function.merged or any(map(memory.origins, atoms))
        changes = any(told) or function.writes or function.drains or lowering.decisions.module_globals
        if changes or shares or not plain:
            raise Unkept(function.source.tree)

    # --- a call of a core function

    def core_call(self, function: Closure, variables: dict[str, Value]) -> Value:
        """A call that stays a call."""
        variables = {name: self.held(value, name) for name, value in variables.items()}
        containers = [*variables.values()]
        outline = Spread(self).of({**variables, "()": function})
        try:
            called = self.core_function(function, outline)
        except Grown as grown:
            obj = self.state.heap.get(grown.ref)
            if grown.function in self.program.functions:
                self.program.functions.remove(grown.function)
                self.program.names.discard(grown.function.name)
            assert isinstance(obj, ListObj)
            self.make_dynamic(obj)
        if called.result is None:
            raise Diverges
        outer_passive = self.passive
        if self.follows_in_passing():
            self.passive = 0
        try:
            return self.written_call(called, function, variables, outline, containers)
        finally:
            self.passive = outer_passive

    def written_call(
        self,
        called: CoreFunction,
        function: Closure,
        variables: dict[str, Value],
        outline: Outline,
        containers: list[Value],
    ) -> Value:
        """Write the call of a core function, and what it changes."""
        pairs = list(zip(called.parameters, outline.leaves, strict=True))
        apart = self.check_apart(called, outline)
        if any(called.passed[i].varied for i in called.writes):
            self.changes_in_passing()
        for p, (_, value) in pairs:
            self.takes_over(p, value)
        atoms = [self.atom_of(value) for p, (_, value) in pairs if p.passed]
        active = any(self.is_varied(value) for _, (_, value) in pairs)
        varied = active and not self.passive
        self.lost = self.lost or (active and not varied)
        kinds = self.result_kinds(called, [v for _, (_, v) in pairs])
        node = self.call_of(called, function, variables, atoms)
        results = [p for p in called.results if p.passed]
        if self.text_only:
            # what it changes is followed in statements
            if len(results) != 1 or called.writes or called.drains or called.changes:
                self.refuse("a recursive call in an expression of this form", ways.OWN_STATEMENT)
            node.kind = kinds[0]
            leaf = Leaf(node, kinds[0], active and results[0].varied, nested=True)
            return self.apart(called, containers, self.returned(called, [leaf], outline))
        names = [self.facts.fresh("t") for _ in results]
        leaves = []
        for name, p, kind in zip(names, results, kinds, strict=True):
            self.facts.kinds[name] = kind
            if p.varied and varied:
                self.facts.varied.add(name)
            leaves.append(Leaf(load(name), kind, p.varied and varied))
            if called.shares and has_memory(kind):
                roots = [atom_key(a) for a in atoms if self.memory_kind(a)]
                if roots:
                    self.alias[name] = roots[0]
            elif called.tangled and has_memory(kind):
                first = next(n for n in names if has_memory(self.facts.kinds[n]))
                if first != name:
                    self.alias[name] = first
        written = [atom_key(atoms[i]) for i in called.writes]
        drained = [(atom_key(atoms[i]), path) for i, path in called.drains]
        for i in sorted({*called.writes, *(i for i, _ in called.drains)}):
            self.resize(Leaf(atoms[i], called.passed[i].kind))
            self.lists_changed.append(atom_key(atoms[i]))
        given = [atom_key(a) for a in atoms if isinstance(self.facts.kinds.get(atom_key(a)), ListOf)]
        if any(given.count(key) > 1 for key in written):
            self.refuse("a list that a recursive function changes is given to it twice", ways.COPY_LIST)
        node.tapes = tuple(k for k, a in enumerate(node.args) if isinstance(a, gast.Name) and a.id in written)
        lists = any(called.passed[i].varied for i in called.writes) and not self.passive
        if not results:
            statement = self.write(gast.Expr(node))
            statement.written, statement.drained = written, drained
            if lists:
                statement.apply = (called, atoms, {})
            return self.apart(called, containers, self.returned(called, [], outline))
        targets: list[Expr] = [gast.Name(n, gast.Store(), None, None) for n in names]
        node.kind = kinds[0] if len(kinds) == 1 else Tuple(tuple(kinds))
        statement = self.write(assign(targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store()), node))
        statement.written, statement.drained = written, drained
        if called.shares:
            statement.may_share = [atom_key(a) for a in atoms if self.memory_kind(a)]
        if lists or any(leaf.varied for leaf in leaves):
            statement.apply = (called, atoms, {})
        statement.overwrites = apart
        return self.apart(called, containers, self.returned(called, leaves, outline))

    def check_apart(self, called: CoreFunction, outline: Outline) -> list[tuple[str, str]]:
        """Refuse a call that changes what it is given by two ways, of which the function knows nothing.

        Returns:
            names of arrays of which the first is overwritten, so that it must not be the second: it may turn out later
            that they are one array.
        """
        keys = {i: key for i, (_, value) in enumerate(outline.leaves) if (key := name_of_memory(value))}
        pairs = [(keys[i], key) for i in sorted(called.overwrites) for k, key in keys.items() if k != i]
        refs = [*outline.objects]
        assert called.result is not None
        changed = {refs[k] for k in called.result.containers}
        if any(self.root_of(a) == self.root_of(b) for a, b in pairs) or any(
            self.state.possible_aliases(ref) & {*refs} - {ref} for ref in changed
        ):
            self.refuse_shared()
        return pairs

    def check_shared(self, body: list[Stmt], memory: Memory) -> None:
        """Refuse calls that overwrite an array which they may be given under two names."""
        for statement in (s for top in body for s in nested(top)):
            for one, other in getattr(statement, "overwrites", ()):
                if memory.find(one) == memory.find(other):
                    function = statement.value.function
                    if function.kept:
                        raise Unkept(function.source.tree)
                    self.refuse_shared()

    def refuse_shared(self) -> NoReturn:
        self.refuse("a recursive function changes what it is given under two names", ways.COPY_LIST)

    def apart(self, called: CoreFunction, given: Iterable[Value], result: Value) -> Value:
        """What a call returns, of which containers may be ones that it was given: these were taken apart, and put
        together as others."""
        if not called.merged:
            return result
        before, after = (
            [v.id for value in values for v in self.within(value, set()) if isinstance(v, Ref)]
            for values in (given, (result,))
        )
        for ref in (*before, *after) if before and after else ():
            self.copied.add(ref)
            self.twins[ref] = before
        for ref in after:
            made = self.state.heap[ref]
            alike = [r for r in before if type(self.state.heap[r]) is type(made)]
            cls = getattr(made, "cls", None)
            self.state.stands_for(ref, [r for r in alike if getattr(self.state.heap[r], "cls", None) is cls])
        return result

    def takes_over(self, p: Parameter, value: Value) -> None:
        """What a list holds after a call, and whether it is active, is known of it from the start."""
        if not isinstance(p.kind, ListOf) or not isinstance(value, Leaf) or not isinstance(value.kind, ListOf):
            return
        item, site = p.kind.item, self.site_of.get(atom_key(value.expr))
        varied = p.varied and not self.passive
        if site is None:
            if (varied and not value.varied) or (item != value.kind.item and not isinstance(item, Unknown)):
                self.refuse("a recursive function changes what a list holds", ways.APPEND)
            return
        known = self.decisions.dynamic.get(site)
        if isinstance(known, Unknown):
            known = None
        if not isinstance(item, Unknown):
            both = timeless(item if known is None else self.join_kind(known, item))
            if both != known:
                self.decisions.dynamic[site] = both
                raise Restart
        if varied and site not in self.decisions.varied_lists:
            self.decisions.varied_lists.add(site)
            raise Restart

    def memory_kind(self, atom: Expr) -> bool:
        return not isinstance(atom, gast.Constant) and has_memory(self.facts.kinds.get(atom_key(atom), Unknown()))

    def atom_of(self, value: Value) -> Expr:
        return self.anchor(value).expr if isinstance(value, Leaf) else self.expression(value)

    def returned(self, called: CoreFunction, leaves: list[Leaf], outline: Outline) -> Value:
        """What a call returns, put together from its run-time parts; what it changes is put where it belongs."""
        made = called.result
        assert made is not None
        left = iter(leaves)
        values = [next(left) if p.passed else constant_leaf(p) for p in called.results]
        rebuild = Rebuild(made, self, values, outline)
        for i, value in made.arrays.items():
            self.store_into(outline.leaves[i][1], gast.Constant(Ellipsis, None), rebuild.value(value))
        refs, frames = [*outline.objects], [*outline.frames]
        for k, held in made.containers.items():
            obj = self.state.heap[refs[k]]
            parts = {key: rebuild.value(part) for key, part in contents(held).items()}
            replace_contents(obj, parts)
            self.changed(obj)
        for (k, name), value in made.variables.items():
            variable = rebuild.value(value)
            self.changed_before({frames[k]})
            if self.is_varied(variable) or self.lost:
                self.changes_in_passing()
            self.state.frames[frames[k]][name] = variable
        result: Value = rebuild.value(made.values["result"])
        return result

    def call_of(self, called: CoreFunction, function: Closure, variables: dict[str, Value], atoms: list[Expr]) -> Expr:
        """The call, of the user's own function where that has the same arguments and result."""
        node = self.direct_call(called, function, variables) if called.own is not None else None
        if node is None:
            if called.own is not None and not called.flat_name:
                called.flat_name = self.program.name(called.name)
            name = called.flat_name or called.name
            self.facts.taken.add(name)
            self.facts.globals[name] = called
            node = gast.Call(load(name), atoms, [])
        node.function = called
        return node

    def direct_call(self, called: CoreFunction, function: Closure, variables: dict[str, Value]) -> Expr | None:
        spec = function.source.tree.args
        assert called.result is not None
        shape = called.result.values["result"]
        flat = isinstance(shape, Tup) and shape.cls is tuple and all(isinstance(v, Slot) for v in shape.items)
        if called.changes or not (isinstance(shape, Slot) or flat) or not all(p.passed for p in called.results):
            return None
        if not all(self.stands(v) for v in variables.values()):
            return None
        positional = [a.id for a in [*spec.posonlyargs, *spec.args]]
        self.facts.taken.add(called.name)
        self.facts.globals[called.name] = called.own
        return gast.Call(
            load(called.name),
            [self.expression(variables[n]) for n in positional],
            [gast.keyword(a.id, self.expression(variables[a.id])) for a in spec.kwonlyargs],
        )

    def stands(self, value: Value) -> bool:
        """Can a value be handed to the user's own function as it is?"""
        if isinstance(value, Ref):
            return self.state.heap[value.id].expr is not None
        if isinstance(value, Tup):
            return all(self.stands(v) for v in value.items)
        return isinstance(value, (Leaf, Known))

    def result_kinds(self, called: CoreFunction, values: list[Value]) -> list[Kind]:
        """The kinds of the run-time results, with lengths told by those of the arguments."""
        known: dict[str, Dim] = {}
        for p, value in zip(called.parameters, values, strict=True):
            if isinstance(value, Leaf):
                note_lengths(p.kind, value.kind, known)

        def told(kind: Kind) -> Kind:
            if isinstance(kind, Array) and kind.shape is not None:
                return Array(kind.dtype, tuple(self.told(d, known) for d in kind.shape))
            if isinstance(kind, Number) and kind.value is not None:
                return Number(kind.type, self.told(kind.value, known), kind.types)
            if isinstance(kind, Tuple):
                return Tuple(tuple(told(k) for k in kind.items), kind.cls)
            return kind

        return [told(p.kind) for p in called.results if p.passed]

    def told(self, dim: Dim, known: dict[str, Dim]) -> Dim:
        if any(symbol not in known for symbol, _ in dim.terms):
            return self.symbol()
        total = Dim.of(dim.const)
        for symbol, factor in dim.terms:
            total = total + known[symbol] * factor
        return total

    # --- core functions

    def core_function(self, function: Closure, outline: Outline) -> CoreFunction:
        """The core function for a call, lowered as far as it can be."""
        program, tree = self.program, function.source.tree
        kept = id(tree) not in program.recursive
        shape = form(outline)
        if kept:
            shape = self.kept_form(function, outline)
        alike = [f for f in program.functions if f.source.tree is tree and f.form == shape]
        for known in reversed(program.stack):
            if known in alike:
                known.met_itself = True
                for f in program.stack[program.stack.index(known) + 1 :]:
                    f.met.add(known)
                if self.widen(known, outline):
                    known.settled = False
                return known
            if known.source.tree is tree:
                for ref in grown_lists(known.outline, outline):
                    obj = self.state.heap[ref]
                    assert isinstance(obj, ListObj)
                    self.make_dynamic(obj)
        taken: set[str] = set(RESERVED) | program.names

        def name(stem: str) -> str:
            stem = stem if stem.isidentifier() else "p"
            new, k = stem, 0
            while new in taken:
                k += 1
                new = f"{stem}_{k}"
            taken.add(new)
            return new

        parameters = outline.parameters(name)
        for p in parameters:
            if not p.passed:
                p.name = name(p.name)
        key = (id(tree), shape)
        self.hand_over(parameters, program.handed_over.get(key, frozenset()))
        opened(parameters)
        found = next((f for f in alike if fits(parameters, f.parameters)), None)
        if found is None and kept:
            self.share(key, alike, parameters, function, outline)
        if found is None and len(alike) >= SIGNATURES:
            if kept:
                raise Unkept(tree)
            found = alike[0]
        if found is not None:
            if not kept and self.widen(found, outline):
                self.settle_function(found)
                raise Restart
            if not found.settled:
                self.settle_function(found)
            else:
                self.meet_as(found)
            return found
        if len([f for f in program.functions if f.source.tree is tree]) >= 4 * SIGNATURES:
            self.refuse(CHANGING, WAY_OUT)
        made = self.new_function(function, outline, parameters, shape, kept)
        program.functions.append(made)
        self.settle_function(made)
        if kept and (same_one := next((f for f in alike if f.settled and is_same(f, made)), None)):
            program.functions.remove(made)
            return same_one
        return made

    def new_function(
        self, function: Closure, outline: Outline, parameters: list[Parameter], shape: Any, kept: bool
    ) -> CoreFunction:
        """A core function that is not lowered yet."""
        own, program = users_own(function), self.program
        same = next((f.name for f in program.functions if own is not None and f.own is own), None)
        called = same or program.name(function.source.tree.name, self.facts, own)
        known = program.decisions_for(function.source.tree, shape)
        return CoreFunction(called, function.source, function, outline, parameters, known, shape, kept, own=own)

    @staticmethod
    def hand_over(parameters: list[Parameter], positions: Iterable[int]) -> None:
        """Let ints that are known be handed over when it runs."""
        for i in positions:
            parameters[i].const, parameters[i].kind = NOT_KNOWN, Number(int)

    def share(
        self, key: Any, alike: list[CoreFunction], parameters: list[Parameter], function: Closure, outline: Outline
    ) -> None:
        """Find out whether an int that differs from another call's is merely computed with: then both may have one
        function. It is not where another branch is taken for it, where it is an exponent or an axis, or where not
        enough is known without it.

        Raises:
            Restart: both may; the calls are lowered anew.
        """
        program = self.program
        for near in alike:
            differ = ints_that_differ(parameters, near.parameters)
            if not differ or not near.settled or (key, differ) in program.decisive:
                continue
            handed = [Parameter(p.name, p.kind, p.varied, p.const) for p in parameters]
            self.hand_over(handed, differ)
            opened(handed)
            made = self.new_function(function, outline, handed, key[1], True)
            mark = len(program.stack)
            try:
                self.settle_function(made)
            except (DerivationError, Diverges, Unkept, Grown):
                del program.stack[mark:]
            else:
                if made.result is not None and same_work(made, near):
                    program.functions.append(made)
                    program.handed_over[key] = program.handed_over.get(key, frozenset()) | differ
                    raise Restart
            program.decisive.add((key, differ))

    def widen(self, function: CoreFunction, outline: Outline) -> bool:
        """Make a function right for one more call. Was it not before?"""
        pairs: dict[tuple[Dim, Dim], Dim] = {}
        names = iter(p.name for p in function.parameters)
        new = outline.parameters(lambda _: next(names))
        old = function.parameters
        both = [joined(p, q, pairs) for p, q in zip(old, new, strict=True)]
        for p, before in zip(both, old, strict=True):
            if isinstance(p.kind, Unknown) and not isinstance(before.kind, Unknown):
                self.refuse(f"{p.name} is of different kinds from call to call of this recursion", ways.ONE_FORM)
        opened(both)
        if shape_of(both) == shape_of(old):
            return False
        function.parameters = both
        return True

    def meet_as(self, called: CoreFunction) -> None:
        """The functions being lowered call one that knows as much of those around as was known when it was lowered."""
        stack = self.program.stack
        for f in called.met.intersection(stack):
            for inner in stack[stack.index(f) + 1 :]:
                inner.met.add(f)

    def settle_function(self, function: CoreFunction) -> None:
        """Lower a function until what is known of its arguments and results does not change any more; one that was
        refused is refused again."""
        depends_on = self.node, self.program.depends_on(function)  # (where it is called may be told)
        refused = next((r for r in self.program.refused if r.depends_on == depends_on), None)
        if refused is not None:
            raise copy.copy(refused.error)
        try:
            self.settle_anew(function)
        except DerivationError as error:
            self.program.refused.append(Refused(function, depends_on, copy.copy(error)))
            raise

    def settle_anew(self, function: CoreFunction) -> None:
        program = self.program
        program.stack.append(function)
        function.met.clear()
        grown = 0
        try:
            for _ in range(30):
                for inner in (f for f in program.functions if function in f.met):
                    inner.settled = False
                before, parts = function.summary(), len(function.results)
                function.met_itself = False
                self.lower_core(function)
                if not function.met_itself or function.summary() == before:
                    break
                grown += 0 < parts < len(function.results)
                if grown > GROWTH:  # a tree, say: written out for lengths and ints that are known, it has one form
                    self.refuse(
                        "what this recursion returns has another structure for each depth",
                        ways.ONE_FORM,
                        concrete=True,
                    )
            else:
                self.refuse("what this recursion computes with does not settle", ways.ONE_FORM)
        finally:
            program.stack.pop()
        function.settled = True
        self.meet_as(function)
        if not program.stack and function.result is None:
            self.refuse("this recursion never returns", "return without a call on some path")

    def lower_core(self, function: CoreFunction) -> None:
        """Lower a function once, with what is known of its recursive calls."""
        tree = function.source.tree
        for _ in range(60):
            if function.kept and function.decisions.module_globals:
                raise Unkept(tree)
            facts = Facts()
            function.decisions.begin()
            lowering = type(self)(facts, function.decisions, self.program)
            facts.taken.update(RESERVED)
            self.program.bind(facts)
            facts.taken.update(p.name for p in function.parameters)
            leaves: list[Value] = []
            for p in function.parameters:
                p.unread = False
            for ref, obj in function.outline.objects.items():
                if obj.site in function.decisions.dynamic:
                    raise Grown(function, ref)
            for p in function.parameters:
                if isinstance(p.kind, ListOf):
                    self.list_parameter(function, p, lowering)
                if p.passed:
                    facts.kinds[p.name], facts.user_name[p.name] = p.kind, p.name
                    if p.varied:
                        facts.varied.add(p.name)
                leaves.append(Leaf(load(p.name), p.kind, p.varied) if p.passed else constant_leaf(p))
            frame = Frame(0, function.source, None)
            lowering.frames[0] = lowering.frame = frame
            lowering.node = tree
            body = lowering.block
            for i in sorted(function.overwrites):
                leaves[i] = lowering.entry_copy(function.parameters[i])
            rebuild = Rebuild(function.outline, lowering, leaves)
            variables = {n: rebuild.value(v) for n, v in function.outline.values.items() if n != "()"}
            frame.parent = rebuild.frame(function.closure.frame)
            lowering.enter(frame, variables)
            given = Given(function, lowering, rebuild, leaves)
            recursive, lowering.may_guess = set(self.program.recursive), True
            try:
                result = lowering.run_body(tree.body)
                again = lowering.owes_restart
            except Restart:
                again = True
            except Diverges:
                if not lowering.owes_restart:
                    return
                again = True
            except (DerivationError, Unkept):
                again = lowering.owes_restart  # it may come of what was put in the place of what is not known yet
                if not again:
                    raise
            if again:
                function.decisions.came_to(lowering.learnt_at or ())
                if lowering.owes_restart:
                    lowering.end_guessing()
                    self.program.recursive &= recursive
                continue
            lowering.block = body
            given.check()
            if self.note_result(function, lowering, body, lowering.held(result, "result"), given):
                return
        self.refuse(
            "what this recursive function takes and returns does not settle: it is another in each call",
            ways.ONE_FORM,
        )

    def list_parameter(self, function: CoreFunction, p: Parameter, lowering: Any) -> None:
        """A parameter that is a list at run time: what is appended becomes part of what is known of it."""
        assert isinstance(p.kind, ListOf)
        site, known = ("parameter", p.name), function.decisions.dynamic
        held = known.get(site)
        if not isinstance(p.kind.item, Unknown):
            known[site] = timeless(p.kind.item if held is None else self.join_kind(held, p.kind.item))
        known.setdefault(site, None)
        if known[site] is not None:
            p.kind = ListOf(known[site])
        p.varied = p.varied or site in function.decisions.varied_lists
        lowering.site_of[p.name] = site
        if p.varied:
            function.decisions.varied_lists.add(site)

    def entry_copy(self, p: Parameter) -> Leaf:
        """A copy of an array that a function was given and overwrites; of another layout in memory, perhaps."""
        copy = self.named(p.name, self.leaf_method(Leaf(load(p.name), p.kind, p.varied), "copy", [], {}))
        assert isinstance(copy, Leaf)
        self.facts.unlike.add(atom_key(copy.expr))
        return copy

    def note_result(self, function: CoreFunction, lowering: Any, body: list[Stmt], result: Value, given: Given) -> bool:
        """Note what a function returns and does. False: it overwrites more of what it is given than was known."""
        fill_empty(body)
        outline = given.outline(result)
        results = outline.parameters(lambda stem: stem)
        exprs = [lowering.atom_of(v) for p, (_, v) in zip(results, outline.leaves, strict=True) if p.passed]
        value: Expr = exprs[0] if len(exprs) == 1 else gast.Tuple(exprs, gast.Load())
        value = value if exprs else gast.Constant(None, None)
        kinds = [p.kind for p in results if p.passed]
        leaves = tuple(
            Leaf(e, k, p.varied) for e, k, p in zip(exprs, kinds, [p for p in results if p.passed], strict=True)
        )
        lowering.facts.users = frozenset(lowering.facts.user_name.values())
        core = Core(body, Tup(leaves), lowering.state, lowering.facts, {}, function.source, lowering)
        core.value = value
        lowering.finished = True
        memory = analyse(body, lowering.facts, lowering.alias)
        if self.overwrites_more(function, memory):
            return False
        lowering.check_shared(body, memory)
        if function.kept:
            read = names_read([*body, value])
            for p in function.parameters:
                p.unread = p.name not in read
        function.result, function.results, function.core = outline, results, core
        function.merged = given.may_be_in(result)
        theirs = {memory.find(n) for n in {*given.arrays, *(p.name for p in function.passed if has_memory(p.kind))}}
        lists = {memory.find(p.name): i for i, p in enumerate(function.passed) if isinstance(p.kind, ListOf)}
        stored = {memory.find(s.key) for s in memory.stores}
        names = {p.name: i for i, p in enumerate(function.passed)}
        within = {memory.find(n) for table in memory.inner.values() for n in table.values()}
        changed = {lists[k] for k in stored & within if k in lists}  # it went into another list: all in its class count
        origins = {n for s in memory.stores for n in memory.origins(s.key)}
        changed |= {names[n] for n in origins & set(names) if memory.find(n) in lists}
        function.writes = tuple(sorted(changed))
        function.drains = tuple(
            (i, path)
            for i, p in enumerate(function.passed)
            if isinstance(p.kind, ListOf)
            for path, inner in memory.inner_lists(p.name).items()
            if inner in stored
        )
        for made in memory.stores:
            own = memory.find(made.key)
            if own in theirs and own not in lists and any(memory.find(n) in theirs for n in memory.origins(made.key)):
                raise error_at(
                    made.place.statement,
                    function.source,
                    f"{made.key} is overwritten by a recursive function that was given it",
                    ways.COPY,
                )
        atoms = [atom_key(e) for e in exprs if not isinstance(e, gast.Constant)]
        roots = [memory.find(a) for a in atoms if has_memory(lowering.facts.kinds.get(a, Unknown()))]
        changed = {slot.index for slot in outline.arrays.values() if isinstance(slot, Slot)}
        others = [leaf for k, leaf in enumerate(leaves_of(results, leaves)) if k not in changed and leaf is not None]
        others = [leaf for leaf in others if has_memory(leaf.kind)]
        function.shares = any(memory.find(atom_key(v.expr)) in theirs for v in others)
        if function.kept and not function.shares:
            standing = {*given.arrays, *(p.name for p in function.passed), *lowering.facts.globals}
            function.shares = may_share(body, lowering.facts, [atom_key(v.expr) for v in others], standing)
        function.tangled = len(set(roots)) < len(roots)
        lists_out = any(isinstance(k, ListOf) and p.varied for k, p in zip(kinds, leaves, strict=True))
        held = {inner for p in function.passed for inner in memory.classes(p.name)[1:]}
        if lists_out and (function.writes or function.tangled or held & set(roots)):
            lowering.refuse(
                "a recursive function returns a list of active values that others may hold",
                ways.RETURN,
                concrete=True,  # written out for the very lengths it may not be one
            )
        function.effect = effect_of(body, lowering.facts)
        if function.kept:
            self.check_kept(function, lowering, memory)
        return True

    def overwrites_more(self, function: CoreFunction, memory: Memory) -> bool:
        """Does a function overwrite arrays that it was given, of which it has no copies yet?"""
        stored = {memory.find(s.key) for s in memory.stores}
        found = {
            i
            for i, p in enumerate(function.parameters)
            if p.passed and isinstance(p.kind, Array) and memory.find(p.name) in stored
        }
        more = found - function.overwrites
        function.overwrites |= more
        return bool(more)

    def changes_outside(self) -> bool:
        """May a call that stays a call change what a global holds?"""
        raise NotImplementedError

    def store_into(self, base: Value, index: Expr, value: Value, augmented: type | None = None) -> None:
        raise NotImplementedError

    def named(self, name: str, value: Value) -> Value:
        raise NotImplementedError

    def leaf_method(self, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        raise NotImplementedError

    def enter(self, frame: Frame, variables: dict[str, Value]) -> None:
        """Begin the body of a function: what its parameters stand for."""
        raise NotImplementedError

    def run_body(self, body: list[Any]) -> Value:
        raise NotImplementedError
