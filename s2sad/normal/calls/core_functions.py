"""Functions that stay functions: how they are lowered, and when what is known of them is settled."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, NoReturn

import gast

from s2sad.analysis.effects import nested
from s2sad.analysis.memory import Memory
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Expr, Facts, Stmt, atom_key, load, names_read
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, error_at
from s2sad.kinds.kind import Array, Dim, ListOf, Number, Unknown
from s2sad.normal.above import check_kept, enter, run_body
from s2sad.normal.calls.effect_of import effect_of
from s2sad.normal.calls.functions import (
    SIGNATURES,
    CoreFunction,
    Diverges,
    Grown,
    Outline,
    Parameter,
    Rebuild,
    Refused,
    Slot,
    form,
    grown_lists,
    joined,
    opened,
    shape_of,
)
from s2sad.normal.calls.given import Given
from s2sad.normal.calls.keep import Unkept
from s2sad.normal.calls.methods import leaf_method
from s2sad.normal.calls.recursive_values import (
    constant_leaf,
    fits,
    has_memory,
    ints_that_differ,
    is_plain_kind,
    is_same,
    leaves_of,
    may_share,
    same_work,
    users_own,
)
from s2sad.normal.decisions import Restart
from s2sad.normal.frames import Frame
from s2sad.normal.learning import end_guessing, make_dynamic
from s2sad.normal.lowered import Core, fill_empty
from s2sad.normal.names import hold, named_by_user
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import NOT_KNOWN, Closure, Known, Leaf, ListObj, Method, Partial, Ref, Tup, Value
from s2sad.normal.values.joined import join_kind
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import timeless
from s2sad.normal.words import RESERVED
from s2sad.normal.writing import anchor

#: how often what a core function returns may get more parts before it is settled
GROWTH = 4
WAY_OUT = ways.LOOP
CHANGING = "the arguments of this recursion change their structure from call to call"


def is_plain(run: Run, value: Value) -> bool:
    """Can a core function be given a value so that nobody notices?"""
    if isinstance(value, Leaf):
        return is_plain_kind(value.kind)
    if isinstance(value, Ref):
        return is_plain_container(run, value.id)
    return isinstance(value, (Known, Tup, Closure, Method, Partial, Slot))


def is_plain_container(run: Run, ref: int) -> bool:
    obj = run.state.heap[ref]
    return not (obj.stale or getattr(obj, "once", False) or getattr(obj, "partial", False))


def kept_form(run: Run, function: Closure, outline: Outline) -> Any:
    """What tells a kept function for a call from others: of what is active, too, there is one for each."""
    tree = function.source.tree
    called_again = any(f.source.tree is tree for f in run.program.stack)
    given = [*(value for _, value in outline.leaves), *outline.values.values()]
    containers = all(is_plain_container(run, v) for v in outline.objects)
    if called_again or not containers or not all(is_plain(run, v) for v in given):
        raise Unkept(tree)
    return form(outline), tuple(isinstance(v, Leaf) and v.varied for _, v in outline.leaves)


def check_shared(run: Run, body: list[Stmt], memory: Memory) -> None:
    """Refuse calls that overwrite an array which they may be given under two names."""
    for statement in (s for top in body for s in nested(top)):
        for one, other in getattr(statement, "overwrites", ()):
            if memory.find(one) == memory.find(other):
                function = statement.value.function
                if function.kept:
                    raise Unkept(function.source.tree)
                refuse_shared(run)


def refuse_shared(run: Run) -> NoReturn:
    run.refuse("a recursive function changes what it is given under two names", ways.COPY_LIST)


def atom_of(run: Run, value: Value) -> Expr:
    return anchor(run, value).expr if isinstance(value, Leaf) else expression(run, value)


def core_function(run: Run, function: Closure, outline: Outline) -> CoreFunction:
    """The core function for a call, lowered as far as it can be."""
    program, tree = run.program, function.source.tree
    kept = id(tree) not in program.recursive
    shape = form(outline)
    if kept:
        shape = kept_form(run, function, outline)
    alike: list[CoreFunction] = [f for f in program.functions if f.source.tree is tree and f.form == shape]
    stack: list[CoreFunction] = program.stack
    for known in reversed(stack):
        if known in alike:
            known.met_itself = True
            for f in program.stack[program.stack.index(known) + 1 :]:
                f.met.add(known)
            if widen(run, known, outline):
                known.settled = False
            return known
        if known.source.tree is tree:
            for ref in grown_lists(known.outline, outline):
                obj = run.state.heap[ref]
                assert isinstance(obj, ListObj)
                make_dynamic(run, obj)
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
    hand_over(parameters, program.handed_over.get(key, frozenset()))
    opened(parameters)
    found = next((f for f in alike if fits(parameters, f.parameters)), None)
    if found is None and kept:
        share(run, key, alike, parameters, function, outline)
    if found is None and len(alike) >= SIGNATURES:
        if kept:
            raise Unkept(tree)
        found = alike[0]
    if found is not None:
        if not kept and widen(run, found, outline):
            settle_function(run, found)
            raise Restart
        if not found.settled:
            settle_function(run, found)
        else:
            meet_as(run, found)
        return found
    if len([f for f in program.functions if f.source.tree is tree]) >= 4 * SIGNATURES:
        run.refuse(CHANGING, WAY_OUT)
    made = new_function(run, function, outline, parameters, shape, kept)
    program.functions.append(made)
    settle_function(run, made)
    if kept and (same_one := next((f for f in alike if f.settled and is_same(f, made)), None)):
        program.functions.remove(made)
        return same_one
    return made


def new_function(
    run: Run, function: Closure, outline: Outline, parameters: list[Parameter], shape: Any, kept: bool
) -> CoreFunction:
    """A core function that is not lowered yet."""
    own, program = users_own(function), run.program
    same = next((f.name for f in program.functions if own is not None and f.own is own), None)
    called = same or program.name(function.source.tree.name, run.facts, own)
    known = program.decisions_for(function.source.tree, shape)
    return CoreFunction(called, function.source, function, outline, parameters, known, shape, kept, own=own)


def hand_over(parameters: list[Parameter], positions: Iterable[int]) -> None:
    """Let ints that are known be handed over when it runs."""
    for i in positions:
        parameters[i].const, parameters[i].kind = NOT_KNOWN, Number(int)


def share(
    run: Run, key: Any, alike: list[CoreFunction], parameters: list[Parameter], function: Closure, outline: Outline
) -> None:
    """Find out whether an int that differs from another call's is merely computed with: then both may have one
    function. It is not where another branch is taken for it, where it is an exponent or an axis, or where not
    enough is known without it.

    Raises:
        Restart: both may; the calls are lowered anew.
    """
    program = run.program
    for near in alike:
        differ = ints_that_differ(parameters, near.parameters)
        if not differ or not near.settled or (key, differ) in program.decisive:
            continue
        handed = [Parameter(p.name, p.kind, p.varied, p.const) for p in parameters]
        hand_over(handed, differ)
        opened(handed)
        made = new_function(run, function, outline, handed, key[1], True)
        mark = len(program.stack)
        try:
            settle_function(run, made)
        except (DerivationError, Diverges, Unkept, Grown):
            del program.stack[mark:]
        else:
            if made.result is not None and same_work(made, near):
                program.functions.append(made)
                program.handed_over[key] = program.handed_over.get(key, frozenset()) | differ
                raise Restart
        program.decisive.add((key, differ))


def widen(run: Run, function: CoreFunction, outline: Outline) -> bool:
    """Make a function right for one more call. Was it not before?"""
    pairs: dict[tuple[Dim, Dim], Dim] = {}
    names = iter(p.name for p in function.parameters)
    new = outline.parameters(lambda _: next(names))
    old = function.parameters
    both = [joined(p, q, pairs) for p, q in zip(old, new, strict=True)]
    for p, before in zip(both, old, strict=True):
        if isinstance(p.kind, Unknown) and not isinstance(before.kind, Unknown):
            run.refuse(f"{p.name} is of different kinds from call to call of this recursion", ways.ONE_FORM)
    opened(both)
    if shape_of(both) == shape_of(old):
        return False
    function.parameters = both
    return True


def meet_as(run: Run, called: CoreFunction) -> None:
    """The functions being lowered call one that knows as much of those around as was known when it was lowered."""
    stack = run.program.stack
    for f in called.met.intersection(stack):
        for inner in stack[stack.index(f) + 1 :]:
            inner.met.add(f)


def settle_function(run: Run, function: CoreFunction) -> None:
    """Lower a function until what is known of its arguments and results does not change any more; one that was
    refused is refused again."""
    depends_on = run.node, run.program.depends_on(function)  # (where it is called may be told)
    refused = next((r for r in run.program.refused if r.depends_on == depends_on), None)
    if refused is not None:
        raise copy.copy(refused.error)
    try:
        settle_anew(run, function)
    except DerivationError as error:
        run.program.refused.append(Refused(function, depends_on, copy.copy(error)))
        raise


def settle_anew(run: Run, function: CoreFunction) -> None:
    program = run.program
    program.stack.append(function)
    function.met.clear()
    grown = 0
    try:
        for _ in range(30):
            for inner in (f for f in program.functions if function in f.met):
                inner.settled = False
            before, parts = function.summary(), len(function.results)
            function.met_itself = False
            lower_core(run, function)
            if not function.met_itself or function.summary() == before:
                break
            grown += 0 < parts < len(function.results)
            if grown > GROWTH:  # a tree, say: written out for lengths and ints that are known, it has one form
                run.refuse(
                    "what this recursion returns has another structure for each depth",
                    ways.ONE_FORM,
                    concrete=True,
                )
        else:
            run.refuse("what this recursion computes with does not settle", ways.ONE_FORM)
    finally:
        program.stack.pop()
    function.settled = True
    meet_as(run, function)
    if not program.stack and function.result is None:
        run.refuse("this recursion never returns", "return without a call on some path")


def lower_core(run: Run, function: CoreFunction) -> None:
    """Lower a function once, with what is known of its recursive calls."""
    tree = function.source.tree
    for _ in range(60):
        if function.kept and function.decisions.module_globals:
            raise Unkept(tree)
        facts = Facts()
        function.decisions.begin()
        inner = Run(facts, function.decisions, run.program)
        facts.taken.update(RESERVED)
        run.program.bind(facts)
        facts.taken.update(p.name for p in function.parameters)
        leaves: list[Value] = []
        for p in function.parameters:
            p.unread = False
        for ref, obj in function.outline.objects.items():
            if obj.site in function.decisions.dynamic:
                raise Grown(function, ref)
        for p in function.parameters:
            if isinstance(p.kind, ListOf):
                list_parameter(run, function, p, inner)
            if p.passed:
                facts.kinds[p.name], facts.user_name[p.name] = p.kind, p.name
                if p.varied:
                    facts.varied.add(p.name)
            leaves.append(Leaf(load(p.name), p.kind, p.varied) if p.passed else constant_leaf(p))
        frame = Frame(0, function.source, None)
        inner.frames[0] = inner.frame = frame
        inner.node = tree
        body = inner.block
        for i in sorted(function.overwrites):
            leaves[i] = entry_copy(inner, function.parameters[i])
        rebuild = Rebuild(function.outline, inner, leaves)
        variables = {n: rebuild.value(v) for n, v in function.outline.values.items() if n != "()"}
        frame.parent = rebuild.frame(function.closure.frame)
        enter(inner, frame, variables)
        given = Given(function, inner, rebuild, leaves)
        recursive, inner.speculation.may_guess = set(run.program.recursive), True
        try:
            result = run_body(inner, tree.body)
            again = inner.speculation.owes_restart
        except Restart:
            again = True
        except Diverges:
            if not inner.speculation.owes_restart:
                return
            again = True
        except (DerivationError, Unkept):
            again = inner.speculation.owes_restart  # it may come of what was put in the place of what is not known yet
            if not again:
                raise
        if again:
            function.decisions.came_to(inner.speculation.learnt_at or ())
            if inner.speculation.owes_restart:
                end_guessing(inner)
                run.program.recursive &= recursive
            continue
        inner.block = body
        given.check()
        if note_result(run, function, inner, body, hold(inner, result, "result"), given):
            return
    run.refuse(
        "what this recursive function takes and returns does not settle: it is another in each call",
        ways.ONE_FORM,
    )


def list_parameter(run: Run, function: CoreFunction, p: Parameter, inner: Run) -> None:
    """A parameter that is a list at run time: what is appended becomes part of what is known of it."""
    assert isinstance(p.kind, ListOf)
    site, known = ("parameter", p.name), function.decisions.dynamic
    held = known.get(site)
    if not isinstance(p.kind.item, Unknown):
        known[site] = timeless(p.kind.item if held is None else join_kind(run, held, p.kind.item))
    known.setdefault(site, None)
    if known[site] is not None:
        p.kind = ListOf(known[site])
    p.varied = p.varied or site in function.decisions.varied_lists
    inner.lists.site_of[p.name] = site
    if p.varied:
        function.decisions.varied_lists.add(site)


def entry_copy(run: Run, p: Parameter) -> Leaf:
    """A copy of an array that a function was given and overwrites; of another layout in memory, perhaps."""
    copy = named_by_user(run, p.name, leaf_method(run, Leaf(load(p.name), p.kind, p.varied), "copy", [], {}))
    assert isinstance(copy, Leaf)
    run.facts.unlike.add(atom_key(copy.expr))
    return copy


def note_result(run: Run, function: CoreFunction, inner: Run, body: list[Stmt], result: Value, given: Given) -> bool:
    """Note what a function returns and does. False: it overwrites more of what it is given than was known."""
    fill_empty(body)
    outline = given.outline(result)
    results = outline.parameters(lambda stem: stem)
    exprs = [atom_of(inner, v) for p, (_, v) in zip(results, outline.leaves, strict=True) if p.passed]
    value: Expr = exprs[0] if len(exprs) == 1 else gast.Tuple(exprs, gast.Load())
    value = value if exprs else gast.Constant(None, None)
    kinds = [p.kind for p in results if p.passed]
    leaves = tuple(Leaf(e, k, p.varied) for e, k, p in zip(exprs, kinds, [p for p in results if p.passed], strict=True))
    inner.facts.users = frozenset(inner.facts.user_name.values())
    core = Core(body, Tup(leaves), inner.state, inner.facts, {}, function.source, inner)
    core.value = value
    inner.speculation.finished = True
    memory = analyse(body, inner.facts, inner.alias)
    if overwrites_more(run, function, memory):
        return False
    check_shared(inner, body, memory)
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
    roots = [memory.find(a) for a in atoms if has_memory(inner.facts.kinds.get(a, Unknown()))]
    changed = {slot.index for slot in outline.arrays.values() if isinstance(slot, Slot)}
    others = [leaf for k, leaf in enumerate(leaves_of(results, leaves)) if k not in changed and leaf is not None]
    others = [leaf for leaf in others if has_memory(leaf.kind)]
    function.shares = any(memory.find(atom_key(v.expr)) in theirs for v in others)
    if function.kept and not function.shares:
        standing = {*given.arrays, *(p.name for p in function.passed), *inner.facts.globals}
        function.shares = may_share(body, inner.facts, [atom_key(v.expr) for v in others], standing)
    function.tangled = len(set(roots)) < len(roots)
    lists_out = any(isinstance(k, ListOf) and p.varied for k, p in zip(kinds, leaves, strict=True))
    held = {inner for p in function.passed for inner in memory.classes(p.name)[1:]}
    if lists_out and (function.writes or function.tangled or held & set(roots)):
        inner.refuse(
            "a recursive function returns a list of active values that others may hold",
            ways.RETURN,
            concrete=True,  # written out for the very lengths it may not be one
        )
    function.effect = effect_of(body, inner.facts)
    if function.kept:
        check_kept(run, function, inner, memory)
    return True


def overwrites_more(run: Run, function: CoreFunction, memory: Memory) -> bool:
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
