"""The derivatives of core functions: what stands for a function in the two sweeps of its callers.

A core function `f` has a backward sweep of its own: `f_bwd` takes the arguments of f and the cotangents of its results,
and returns the cotangents of its active arguments. That does where the backward sweep can be told from the arguments.
Where it reads what recursive calls returned, doing those again at each level would cost too much; and what prints must
not print again. Then there are two functions: `f_fwd`, which is f and puts what its backward sweep reads on a tape, and
`f_bwd`, which takes it from there: calls are taken back in the opposite order, so one list is enough for all levels.
Forward mode has `f_jvp`, which returns the results and their tangents.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.aliasing import check_rebindings
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.halving import check_halving
from s2sad.analysis.layout import memory_of
from s2sad.analysis.memory import Memory, Path
from s2sad.analysis.memory_scan import analyse
from s2sad.analysis.zeros import FULL, Zeros, joined, structural_zeros, summed, tangent_zeros, zero_in_places
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    atom_key,
    blocks_of,
    clone,
    items_of,
    load,
    quote,
    replace_names,
    walk,
    walk_names,
)
from s2sad.entry import copies_on_entry
from s2sad.expansion.fit import numpy_name
from s2sad.kinds.kind import Array, Kind, ListOf, Unknown
from s2sad.normal.calls.functions import CoreFunction, Program, Routine
from s2sad.request import Request
from s2sad.tidy import tidy
from s2sad.tidy.handed_over import hand_over
from s2sad.transform.checks import eliminate_checked
from s2sad.transform.tangent import TangentSweep
from s2sad.transform.values import copied_list

ALONE, PAIR = "alone", "pair"


class Functions:
    """The derivatives of the core functions of one program.

    Args:
        program: the core functions.
        facts: what is known of the function that everything is made for.
        request: what is asked of that function.
        backward_of: makes the backward sweep of a core function, and says whether the arguments are enough for it; in
            reverse mode.
    """

    def __init__(
        self,
        program: Program,
        facts: Facts,
        request: Request,
        backward_of: Callable[[CoreFunction, Functions], None] | None = None,
    ) -> None:
        self.program, self.facts, self.backward_of = program, facts, backward_of
        #: may the backward sweep run several times?
        self.repeated = request.result == "vjp"
        #: does a function's backward sweep do with the arguments? And which of them does it read then?
        self.modes: dict[CoreFunction, str] = {}
        self.reads: dict[CoreFunction, list[int]] = {}
        self.names: dict[tuple[CoreFunction, str], str] = {}
        #: the functions that were made, with what is known of their names
        self.made: dict[str, tuple[Any, Facts]] = {}
        #: what the functions of the module say of themselves, by name
        self.lines: dict[str, str] = {}
        self.tangents: set[CoreFunction] = set()
        #: which lists that a function is given are changed when it has returned: positions, and ways to inner lists
        self.changed: dict[CoreFunction, set[tuple[int, Path]]] = {}
        #: does every zero stay zero, whatever it is multiplied with?
        self.strong_zero = request.strong_zero
        #: is a derivative differentiated?
        self.again = request.again
        #: are the derivatives differentiated themselves?
        self.inner = request.inner
        #: in forward mode: the same, asked for what is left out behind
        self.behind = self
        #: how much of the cotangents of a function's results (of the tangents that it is given) its callers may leave
        #: out, and whether they may be infinite
        self.levels: dict[CoreFunction, list[tuple[int, bool]]] = {}
        #: what functions leave out by themselves: of their arguments in reverse mode, of their results in forward mode
        self.inside: dict[CoreFunction, list[tuple[int, bool]]] = {}

    def name(self, function: CoreFunction, role: str) -> str:
        if (function, role) not in self.names:
            self.names[function, role] = self.program.name(f"{function.name}_{role}", self.facts)
        return self.names[function, role]

    # --- reverse mode

    def prepare(self, body: list[Stmt], results: dict[str, int]) -> Zeros:
        """Make the backward sweeps of the functions that statements call.

        Args:
            results: the atoms of the result that these statements make, with the levels of their cotangents.

        Returns:
            the structural zeros of the adjoints of these statements.
        """
        self.summarise(body, self.own_zeros)
        zeros = structural_zeros(body, self.facts, results, inside=self.inside)
        wanted = [f for f in reached(active_functions(body)) if any(p.varied for p in f.results) or f.active_lists]
        if not wanted:
            return zeros
        self.follow_lists(body, wanted)
        self.follow_zeros(zeros, wanted)
        for function in wanted:
            again = function.effect in ("none", "raises") and not function.writes
            self.modes[function] = ALONE if again else PAIR
            self.name(function, "bwd")
            self.reads[function] = list(range(len(function.passed)))
        while True:
            before = dict(self.modes), dict(self.reads)
            self.made.clear()
            for function in wanted:
                assert self.backward_of is not None
                self.backward_of(function, self)
            if (self.modes, self.reads) == before:
                return zeros

    def summarise(self, body: list[Stmt], own: Callable[[CoreFunction], list[tuple[int, bool]]]) -> None:
        """Find out what functions leave out by themselves, whatever their callers do."""
        before: dict[CoreFunction, list[tuple[int, bool]]] | None = None
        while before != self.inside:
            before = dict(self.inside)
            for f in reached(active_functions(body)):
                self.inside[f] = own(f)

    def own_zeros(self, function: CoreFunction) -> list[tuple[int, bool]]:
        """What of the adjoints of its arguments a function leaves out, and which of them may be infinite."""
        self.levels.pop(function, None)
        zeros = self.zeros_in(function, function.core.body, function.core.facts)
        names = [p.name for p in function.passed]
        return [(zeros.adjoints.get(n, FULL), n in zeros.infinite) for n in names]

    def own_tangents(self, function: CoreFunction) -> list[tuple[int, bool]]:
        """What of the tangents of its results a function leaves constant, and which of them may be infinite."""
        zeros = tangent_zeros(function.core.body, function.core.facts, {}, self.inside)
        keys = [atom_key(leaf.expr) if leaf.varied else "" for leaf in function.core.result.items]
        return [(zeros.tangents.get(k, FULL), k in zeros.infinite) for k in keys]

    def follow_zeros(self, zeros: Zeros, functions: list[CoreFunction]) -> None:
        """Find out what callers leave out of the results of functions."""
        self.levels = dict(zeros.calls)
        before: dict[CoreFunction, list[tuple[int, bool]]] = {}
        while before != self.levels:
            before = dict(self.levels)
            for f in functions:
                for callee, levels in self.zeros_in(f, f.core.body, f.core.facts).calls.items():
                    self.levels[callee] = joined(self.levels.get(callee), levels)

    def note_zeros(self, body: list[Stmt], facts: Facts) -> None:
        """Enter the values that are zero in places into the facts, where a derivative is differentiated."""
        if self.again:
            facts.zero_in_places |= zero_in_places(body)
            facts.summed |= summed(body)

    def zeros_in(self, function: CoreFunction, body: list[Stmt], facts: Facts) -> Zeros:
        """The structural zeros of a function's adjoints, for all its callers."""
        passed = function.core.result.items
        levels = self.levels.get(function, [(FULL, False)] * len(passed))
        found: dict[str, int] = {}
        infinite: set[str] = set()
        for leaf, (level, steep) in zip(passed, levels, strict=True):
            if leaf.varied:
                key = atom_key(leaf.expr)
                found[key] = min(level, found.get(key, FULL))
                infinite |= {key} if steep else set()
        return structural_zeros(body, facts, found, infinite, self.inside)

    def follow_tangents(self, body: list[Stmt]) -> None:
        """Find out what of the tangents that functions are given is zero, or infinite, in any of their calls."""
        self.summarise(body, self.own_tangents)
        self.levels = dict(tangent_zeros(body, self.facts, {}, self.inside).calls)
        before: dict[CoreFunction, list[tuple[int, bool]]] = {}
        wanted = reached(active_functions(body))
        while before != self.levels:
            before = dict(self.levels)
            for f in wanted:
                zeros = tangent_zeros(f.core.body, f.core.facts, self.tangents_given(f), self.inside)
                for callee, levels in zeros.calls.items():
                    self.levels[callee] = joined(self.levels.get(callee), levels)

    def follow_dropped(self, body: list[Stmt], results: dict[str, int]) -> Zeros:
        """Find out which values are left out behind, in forward mode: their slopes may be infinite, and must not raise.

        Args:
            results: the atoms of the result that these statements make.
        """
        self.behind = copy.copy(self)
        self.behind.levels, self.behind.inside = {}, {}
        self.behind.summarise(body, self.behind.own_zeros)
        zeros = structural_zeros(body, self.facts, results, inside=self.behind.inside)
        self.behind.follow_zeros(zeros, reached(active_functions(body)))
        return zeros

    def dropped_in(self, function: CoreFunction) -> Zeros:
        """What is left out of a function's values, in it and by all its callers."""
        return self.behind.zeros_in(function, function.core.body, function.core.facts)

    def tangents_given(self, function: CoreFunction) -> dict[str, tuple[int, bool]]:
        """What is known of the tangents of a function's parameters."""
        known = self.levels.get(function, [])
        return {
            p.name: level
            for i, (p, level) in enumerate(zip(function.passed, known, strict=False))
            if i in function.active
        }

    def follow_lists(self, body: list[Stmt], functions: list[CoreFunction]) -> None:
        """Find out which lists change when a function that was given them has returned."""
        callers: list[tuple[CoreFunction | None, list[Stmt], Memory]] = [(None, body, analyse(body, self.facts, {}))]
        for f in functions:
            callers.append((f, f.core.body, analyse(f.core.body, f.core.facts, f.core.run.alias)))
        count = -1
        while count != sum(map(len, self.changed.values())):
            count = sum(map(len, self.changed.values()))
            for owner, statements, memory in callers:
                if owner is not None:
                    for i, path in self.changed.get(owner, ()):
                        memory.change_later(owner.passed[i].name, path)
                for statement in (s for top in statements for s in nested(top)):
                    self.follow_call(statement, memory)

    def follow_call(self, statement: Stmt, memory: Memory) -> None:
        application = getattr(statement, "apply", None)
        if application is None or not isinstance(application[0], CoreFunction):
            return
        function, args, _ = application
        place = memory.places[id(statement)]
        for i, p in enumerate(function.passed):
            if isinstance(p.kind, ListOf):
                key = atom_key(args[i])
                for path, one in {(): key, **memory.inner_lists(key)}.items():
                    if memory.changed_after(one, place):
                        self.changed.setdefault(function, set()).add((i, path))

    def tapes_for(self, body: list[Stmt]) -> dict[CoreFunction, str]:
        """A name for the tape of each function that keeps something, in a caller with this body."""
        return {f: self.facts.tape() for f in self.keeping(active_functions(body))}

    def keeping(self, called: Collection[CoreFunction]) -> list[CoreFunction]:
        """The functions that put something on a tape when these are called."""
        run = set(reached(called))
        return [f for f in self.program.functions if f in run and self.modes.get(f) == PAIR]

    def backward_call(
        self,
        function: CoreFunction,
        args: Callable[[int], Expr],
        cotangents: list[Expr],
        lists: list[Expr],
        tapes: dict[CoreFunction, str],
    ) -> Expr:
        """The call of a function's backward sweep.

        Args:
            args: gives an argument of the function, by its position.
            lists: the lists of the adjoints of what the lists among the arguments hold; they are changed in place.
            tapes: the names of the tapes in the caller.
        """
        effect = function.effect if function.effect == "raises" and self.modes[function] == ALONE else "none"
        own = [] if self.modes[function] == PAIR else [args(i) for i in self.reads[function]]
        kept = [tapes[f] for f in self.keeping({function})] if self.modes[function] == PAIR else []
        call = gast.Call(load(self.name(function, "bwd")), [*own, *cotangents, *lists, *map(load, kept)], [])
        call.function = Routine(function, effect)
        call.tapes = tuple(range(len(own) + len(cotangents), len(call.args)))
        return call

    def within(self, facts: Facts) -> Functions:
        """The same functions, as seen from a function with other names."""
        inside = copy.copy(self)
        inside.facts = facts
        return inside

    def own_tape(self, function: CoreFunction, inside: Functions, tapes: list[str]) -> str:
        """The tape of a function among those that it takes."""
        return tapes[inside.keeping({function}).index(function)]

    def pair_up(
        self,
        forward: list[Stmt],
        backward: list[Stmt],
        memory: Memory,
        tapes: dict[CoreFunction, str],
        given: list[str] | None = None,
    ) -> None:
        """In the forward sweep, call what keeps things for the calls of the backward sweep; tapes are made first.

        Args:
            given: the names of tapes that are parameters.
        """
        taken_back = {
            id(n.reverses)
            for s in backward
            for n in walk(s)
            if isinstance(n, gast.Call) and getattr(n, "reverses", None) is not None
        }
        used: set[CoreFunction] = set()
        for statement in [s for top in forward for s in nested(top)]:
            application = getattr(statement, "apply", None)
            if application is None or not isinstance(application[0], CoreFunction) or id(statement) not in taken_back:
                continue
            function, args, _ = application
            if self.modes[function] == ALONE:
                statement.value.repeated = True
                continue
            kept = self.keeping({function})
            used.update(kept)
            atoms = [self.standing(a, memory) for a in args]
            call = gast.Call(load(self.name(function, "fwd")), [*atoms, *(load(tapes[f]) for f in kept)], [])
            call.function = Routine(function, function.effect, shares=True)  # the tape may hold what is returned
            call.kind = getattr(statement.value, "kind", None)
            call.tapes = (*function.writes, *range(len(args), len(call.args)))
            statement.value = call
            self.separate(forward, statement, memory)
        self.start_tapes(forward, [t for f, t in tapes.items() if f in used and t not in (given or ())])

    def separate(self, block: list[Stmt], statement: Stmt, memory: Memory) -> bool:
        """Results that are overwritten later are copied: the tape may hold them."""
        for k, one in enumerate(block):
            if one is statement:
                names = [n.id for n in walk_names(statement.targets)] if isinstance(statement, gast.Assign) else []
                made = [(n, self.copy(n)) for n in names if self.changes_after(n, statement, memory)]
                copies = [assign(n, copy) for n, copy in made if copy is not None]
                block[k + 1 : k + 1] = copies
                return True
            if any(self.separate(inner, statement, memory) for inner in blocks_of(one)):
                return True
        return False

    def changes_after(self, name: str, statement: Stmt, memory: Memory) -> bool:
        """Is a result of a call overwritten when it has been made?"""
        place = memory.places.get(id(statement))
        if place is None or not isinstance(self.facts.kinds.get(name), ListOf):
            return memory.is_overwritten(name)
        return memory.overwritten_after(name, None, place)

    def copy(self, name: str) -> Expr | None:
        """A copy of an array or list."""
        kind = self.facts.kinds.get(name)
        if isinstance(kind, ListOf):
            return copied_list(kind, load(name))
        return copied(load(name), kind) if isinstance(kind, (Array, Unknown)) else None

    def start_tapes(self, forward: list[Stmt], names: list[str]) -> None:
        for name in reversed(names):
            self.facts.kinds[name] = ListOf(Unknown())
            forward.insert(0, assign(name, gast.List([], gast.Load())))

    def standing(self, atom: Expr, memory: Memory) -> Expr:
        """An argument that the callee may keep: a copy where it is overwritten later."""
        if isinstance(atom, gast.Constant):
            return clone(atom)
        key = atom_key(atom)
        kind = self.facts.kinds.get(key)
        if isinstance(kind, (Array, Unknown)) and memory.is_overwritten(key):
            return copied(atom, kind)
        return clone(atom)

    def tapes_read(self, body: list[Stmt]) -> set[str]:
        """The tapes that statements take something from."""
        return {
            node.args[k].id
            for s in body
            for node in walk(s)
            if isinstance(node, gast.Call) and isinstance(getattr(node, "function", None), Routine)
            for k in getattr(node, "tapes", ())
        }

    # --- forward mode

    def tangent_call(self, function: CoreFunction, args: list[Expr], tangents: dict[int, Expr]) -> Expr:
        name = self.name(function, "jvp")
        if function not in self.tangents:
            self.tangents.add(function)
            self.made[name] = tangent_of(function, self, name)
        order = sorted(tangents)
        call = gast.Call(load(name), [*args, *(tangents[i] for i in order)], [])
        call.function = Routine(function, "own" if function.effect == "raises" else function.effect, function.shares)
        call.tapes = (*function.writes, *(len(args) + k for k, i in enumerate(order) if i in function.writes))
        return call

    # --- the module

    def support(self) -> list[Any]:
        """All functions that were made, and the core functions."""
        return [tree for tree, _ in self.made.values()] + [
            self.primal(f) for f in self.program.functions if f.core is not None and flat_name(f)
        ]

    def primal(self, function: CoreFunction) -> Any:
        """A core function as a function of the module."""
        core = copy_of(function)
        names = [p.name for p in function.passed]
        body = checked(core.body, core.facts, names, names_in(core.value), unwritten(function))
        whole = [*body, gast.Return(core.value)]
        whole = tidy(whole, core.facts, live_out=(), owned=(), parameters=names)
        made = definition(flat_name(function), names, whole)
        self.join_names(made, core.facts)
        return made

    def with_needed(self, main: Any, known: Facts) -> list[Any]:
        """The functions of the module: those that the main one calls, directly or not, and that one, which is last.

        Args:
            known: what is known of the names in the main one.
        """
        made = {name: tree for name, (tree, _) in self.made.items()}
        primals = {flat_name(f): f for f in self.program.functions if f.core is not None and flat_name(f)}
        found: dict[str, Any] = {}
        todo = [main]
        while todo:
            for name in sorted({n.id for n in walk_names(todo.pop())}):
                if name in found or (name not in made and name not in primals):
                    continue
                if name in made:
                    found[name] = made[name]
                    self.join_names(*self.made[name])
                else:
                    found[name] = self.primal(primals[name])
                todo.append(found[name])
        for tree in (main, *found.values()):
            tree.body = settle_calls(tree.body)
        order = [n for n in [*primals, *made] if n in found]
        trees = self.handed_over([*(found[n] for n in order), main], primals, known)
        named = plainly_named(trees, self.program.stems)
        self.lines = self.first_lines({old.name: new.name for old, new in zip(trees, named, strict=True)}, primals)
        return callees_first(named)

    def first_lines(self, names: dict[str, str], primals: dict[str, CoreFunction]) -> dict[str, str]:
        """What the functions of the module say of themselves, by their names: the first line of the primal's docstring.

        Args:
            names: the names that they get, by those that they had.
        """
        roles = {n: (f, _SAID[role]) for (f, role), n in self.names.items()} | {n: (f, "") for n, f in primals.items()}
        lines = {}
        for old, new in names.items():
            function, said = roles.get(old, (None, ""))
            if function is not None and not getattr(function.source, "library", False):
                line = first_line(function.source.tree)
                lines[new] = f"{said} of {function.name}: {line}" if said and line else line
        return lines

    def handed_over(self, trees: list[Any], primals: dict[str, CoreFunction], known: Facts) -> list[Any]:
        """The functions of the module, of which some work on the arrays that they are given."""
        facts = {n: f for n, (_, f) in self.made.items()} | {n: f.core.facts for n, f in primals.items()}
        roles = {n: f for (f, role), n in self.names.items() if role in ("fwd", "jvp")} | primals
        wanted: dict[str, list[str]] = {}
        for tree in trees[:-1]:
            function = roles.get(tree.name)
            if function is not None and function.overwrites:
                names = [a.id for a in tree.args.args]
                own = [p.name for p in function.passed]
                active = sorted((*function.active, *function.active_lists))
                tangents = dict(zip((own[i] for i in active), names[len(own) :], strict=False))
                written = [function.parameters[i].name for i in sorted(function.overwrites)]
                is_tangent = (function, "jvp") in self.names and self.names[function, "jvp"] == tree.name
                wanted[tree.name] = written + [tangents[n] for n in written if is_tangent and n in tangents]
        if not wanted:
            return trees
        whole = {tree.name: clone(tree) for tree in trees}
        hand_over(whole, {n: facts.get(n, known) for n in whole}, wanted)
        return list(whole.values())

    def join_names(self, tree: Any, facts: Facts) -> None:
        """Make the outer names of a function those of the module."""
        known = self.facts.globals
        renames: dict[str, Any] = {}
        for name in sorted({n.id for n in walk_names(tree)}):
            value = facts.globals.get(name, known)
            if value is known or isinstance(value, (CoreFunction, Routine)) or known.get(name, value) is value:
                if value is not known:
                    known.setdefault(name, value)
                continue
            new = next((n for n, v in known.items() if v is value), None) or self.program.name(name, self.facts)
            known[new] = value
            renames[name] = load(new)
        if renames:
            replace_names(tree.body, renames)


def callees_first(functions: list[Any]) -> list[Any]:
    """The functions of a module, the last of which calls the others: what is called comes before what calls it.

    >>> from s2sad.core import statements
    >>> g, h, f = statements("def g():\\n  return h()\\ndef h():\\n  return 1\\ndef f():\\n  return g() + h()")
    >>> [tree.name for tree in callees_first([g, h, f])]
    ['h', 'g', 'f']
    """
    others = {tree.name: tree for tree in functions[:-1]}
    order: list[Any] = []
    seen: set[str] = set()

    def visit(tree: Any) -> None:
        for name in dict.fromkeys(n.id for n in walk(tree) if isinstance(n, gast.Name)):
            if name in others and name not in seen:
                seen.add(name)
                visit(others[name])
        order.append(tree)

    visit(functions[-1])
    return order


def copied(atom: Expr, kind: Kind) -> Expr:
    """A copy of an array; of what may be a number as well, the same number.

    >>> from s2sad.core import text
    >>> text(copied(load("a"), Array(None, None))), text(copied(load("a"), Unknown()))
    ('a.copy()', '+a')
    """
    return quote("x.copy()" if isinstance(kind, Array) else "+x", x=atom)


def settle_calls(body: list[Stmt]) -> list[Stmt]:
    """Results of derivatives of functions that nobody reads get no name, nor do those that are only returned.

    t = f_fwd(x, tape)               f_fwd(x, tape)
    bx, by = f_bwd(1.0, tape)   ->   return f_bwd(1.0, tape)
    return bx, by
    """
    read = {n.id for n in walk_names(body) if isinstance(n.ctx, gast.Load)}

    def visit(block: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for statement in block:
            for name in ("body", "orelse"):
                if isinstance(getattr(statement, name, None), list) and not isinstance(statement, gast.FunctionDef):
                    setattr(statement, name, visit(getattr(statement, name)))
            last: Any = out[-1] if out else None
            if isinstance(statement, gast.Return) and is_routine(last) and same_names(last.targets[0], statement.value):
                whole = gast.Return(last.value)
                whole.origin, whole.comment = getattr(last, "origin", None), getattr(last, "comment", None)
                out[-1] = whole
            elif is_routine(statement) and not {n.id for n in walk_names(statement.targets)} & read:
                alone = gast.Expr(statement.value)
                alone.origin, alone.comment = getattr(statement, "origin", None), getattr(statement, "comment", None)
                out.append(alone)
            else:
                out.append(statement)
        return out

    return visit(body)


def is_routine(statement: Stmt) -> bool:
    value = statement.value if isinstance(statement, gast.Assign) else None
    return isinstance(value, gast.Call) and isinstance(getattr(value, "function", None), Routine)


def same_names(target: Expr, value: Expr) -> bool:
    """Does a value consist of just the names that a target binds?"""
    parts = [items_of(e) for e in (target, value)]
    names = [[e.id if isinstance(e, gast.Name) else None for e in p] for p in parts]
    return names[0] == names[1] and None not in names[0] and len(set(names[0])) == len(names[0])


def flat_name(function: CoreFunction) -> str:
    """What a core function is called in the module, where the user's own function does not do."""
    return function.flat_name or ("" if function.own is not None else function.name)


def unwritten(function: CoreFunction) -> list[str]:
    """The parameters whose contents after a call do not matter to the caller."""
    return [p.name for i, p in enumerate(function.passed) if i not in function.writes]


#: how the derivatives of a function are called where it is told what they are
_SAID = {"fwd": "", "bwd": "Grad", "jvp": "Tangent"}


def first_line(tree: Any) -> str:
    """The first line of a function's docstring.

    >>> first_line(gast.parse("def f(x):\\n  \\"\\"\\"The rates.\\n\\n  More.\\n  \\"\\"\\"\\n  return x").body[0])
    'The rates.'
    """
    first = tree.body[0] if tree.body else None
    text = first.value.value if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) else None
    return text.strip().partition("\n")[0].rstrip() if isinstance(text, str) else ""


def names_in(expr: Expr) -> set[str]:
    return {n.id for n in walk_names(expr)}


def definition(name: str, parameters: list[str], body: list[Stmt]) -> Any:
    args = [gast.Name(n, gast.Param(), None, None) for n in parameters]
    return gast.FunctionDef(name, gast.arguments(args, [], None, [], [], None, []), body, [], None, None)


def active_functions(body: list[Stmt]) -> list[CoreFunction]:
    """The core functions that statements call with something active, in the order of the calls."""
    applied = (getattr(s, "apply", None) for top in body for s in nested(top))
    return list(dict.fromkeys(a[0] for a in applied if a is not None and isinstance(a[0], CoreFunction)))


def reached(called: Collection[CoreFunction]) -> list[CoreFunction]:
    """The core functions that run when these are called, by their names, and those of one name as they are called."""
    found: dict[CoreFunction, None] = {}
    todo = sorted(called, key=lambda f: f.name)
    while todo:
        function = todo.pop(0)
        if function not in found:
            found[function] = None
            todo.extend(sorted(active_functions(function.core.body), key=lambda f: f.name))
    return list(found)


def plainly_named(functions: list[Any], stems: dict[str, str]) -> list[Any]:
    """The functions of a module without numbers in their names where those that had the plain names are not in it.

    >>> from s2sad.core import statements, text
    >>> module = statements("def f_2(x): return x\\ndef f_2_bwd(g): return g\\ndef grad_h(x): return f_2_bwd(f_2(x))")
    >>> print(text(plainly_named(module, {"f_2": "f", "f_2_bwd": "f_2_bwd"})[2].body))
    return f_bwd(f(x))
    """
    used = {n.id for f in functions for n in walk_names(f)} | {f.name for f in functions}
    renames: dict[str, Any] = {}
    for function in functions:
        stem = stems.get(function.name)
        if stem is None:
            continue
        base = next((old for old in renames if stem.startswith(f"{old}_")), None)
        found = stem = stem if base is None else renames[base].id + stem[len(base) :]
        k = 0
        while found in used and found != function.name:
            k += 1
            found = f"{stem}_{k}"
        if found != function.name:
            renames[function.name] = load(found)
            used.add(found)
    if not renames:
        return functions
    made = [replace_names(clone(f), renames) for f in functions]
    for function in made:
        function.name = renames[function.name].id if function.name in renames else function.name
    return made


def copy_of(function: CoreFunction) -> Any:
    """A core function's trees and facts, to be worked on."""
    core = copy.copy(function.core)
    facts = core.facts
    core.facts = Facts(
        kinds=dict(facts.kinds),
        temps=set(facts.temps),
        tapes=set(facts.tapes),
        user_name=dict(facts.user_name),
        users=facts.users,
        varied=set(facts.varied),
        views=dict(facts.views),
        lies=dict(facts.lies),
        relied=dict(facts.relied),
        laid_out=facts.laid_out,
        unlike=set(facts.unlike),
        identities=facts.identities,
        taken=facts.taken.copy(),
        globals=dict(facts.globals),
    )
    core.body, core.value = clone(core.body), clone(core.value)
    core.run = copy.copy(core.run)
    core.run.facts, core.run.alias = core.facts, dict(core.run.alias)
    return core


def checked(
    body: list[Stmt],
    facts: Facts,
    parameters: list[str],
    live_out: Iterable[str],
    owned: Collection[str],
    effects: Effects | None = None,
) -> list[Stmt]:
    """The statements without those that nothing depends on, but with what may raise in them."""
    known: dict[str, Any] = {"live_out": live_out, "owned": owned, "effects": effects}
    return eliminate_checked(body, facts, parameters, lambda: numpy_name(facts), **known)


def tangent_of(function: CoreFunction, functions: Functions, name: str) -> tuple[Any, Facts]:
    """The tangent function of a core function."""
    core = copy_of(function)
    facts = core.facts
    facts.taken |= functions.program.names
    parameters = [p.name for p in function.passed]
    owned = unwritten(function)
    body = checked(core.body, facts, parameters, names_in(core.value), owned)
    memory = memory_of(body, facts, core.run.alias, parameters, names_in(core.value))
    check_halving(body, facts, core, names_in(core.value))
    check_rebindings(body, memory, core, names_in(core.value))
    worker = TangentSweep(core, facts, memory, functions)
    worker.given = functions.tangents_given(function)
    worker.dropped = functions.dropped_in(function)
    tangents = {i: worker.tangents.parameter(parameters[i]) for i in sorted((*function.active, *function.active_lists))}
    out = worker.sweep(body, parameters)
    values = items_of(core.value)
    values = values if core.result.items else []
    parts = [worker.tangents.of(leaf.expr) if leaf.varied else None for leaf in core.result.items]
    made = [*values, *(p for p in parts if p is not None)]
    result = gast.Return(made[0] if len(made) == 1 else gast.Tuple(made, gast.Load()) if made else None)
    every = [*parameters, *tangents.values()]
    written = {parameters[i] for i in function.writes} | {t for i, t in tangents.items() if i in function.writes}
    owned = [n for n in every if n not in written]
    worker.tangents.mirror_aliases()
    whole = checked([*out, result], facts, every, (), owned)
    whole = copies_on_entry(whole, owned, core, facts)
    whole = tidy(whole, facts, live_out=(), owned=(), parameters=every)
    return definition(name, every, whole), facts
