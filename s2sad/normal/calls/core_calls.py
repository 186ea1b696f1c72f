"""Calls of functions that stay functions in core Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import gast

from s2sad.analysis.memory import Memory
from s2sad.core import Expr, assign, atom_key, load
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Number, Tuple, Unknown
from s2sad.normal import above
from s2sad.normal.above import changed_before
from s2sad.normal.calls.core_functions import CHANGING, WAY_OUT, atom_of, core_function, is_plain, refuse_shared
from s2sad.normal.calls.functions import (
    SIGNATURES,
    CoreFunction,
    Diverges,
    Grown,
    Outline,
    Parameter,
    Rebuild,
    Slot,
    Spread,
    form,
    opened,
    shape_of,
)
from s2sad.normal.calls.given import replace_contents
from s2sad.normal.calls.keep import Unkept
from s2sad.normal.calls.recursive_values import (
    constant_leaf,
    has_memory,
    is_plain_kind,
    is_plain_result,
    is_users,
    name_of_memory,
    note_lengths,
)
from s2sad.normal.changing import container_changed
from s2sad.normal.decisions import Restart
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.asking import follows_in_passing
from s2sad.normal.learning import make_dynamic, resize
from s2sad.normal.memory import changes_in_passing, root_of
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.stores import store_into
from s2sad.normal.values.abstract import Closure, Known, Leaf, ListObj, Ref, Tup, Value, contents
from s2sad.normal.values.classes import within
from s2sad.normal.values.facts import is_varied
from s2sad.normal.values.joined import join_kind
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import timeless
from s2sad.normal.writing import write


def changes_outside(run: Run) -> bool:
    return any(run.decisions.changes.changed_outside(function) for function, *_ in run.outside.called_outside)


#: how deep, and how often in all, a recursion is written out; and how often where a run-time test may end it
DEPTH, ACTIVATIONS, PERHAPS = 24, 100, 8
#: how many functions that are made around one another
NESTED = 40


def callers(run: Run) -> Iterator[Frame]:
    """The functions that are being written out, innermost first."""
    frame: Frame | None = run.frame
    while frame is not None:
        yield frame
        frame = frame.caller


def recursive_call(run: Run, function: Closure, variables: dict[str, Value]) -> Value | None:
    """The value of a call that stays a call; None where the function is to be written out."""
    tree = function.source.tree
    if not is_users(function):
        return None
    if id(tree) in run.program.recursive:
        return core_call(run, function, variables)
    if id(tree) in run.program.keeping.kept and can_keep(run, {**variables, "()": function}):
        return kept_call(run, function, variables)
    run.calls.activations[id(tree)] = run.calls.activations.get(id(tree), 0) + 1
    active = [f for f in callers(run) if f.source is not None and f.source.tree is tree]
    if active:
        check_end(run, function, variables, active)
    return None


def check_end(run: Run, function: Closure, variables: dict[str, Value], active: list[Frame]) -> None:
    """Follow a recursion as a core function unless what is known of its arguments leads to its end."""
    tree, last = function.source.tree, active[0]
    before, now = Spread(run), Spread(run)
    anew = last.function is not None and last.function.frame != function.frame
    if anew and last.arguments is not None:  # what they have captured tells them apart: `lambda z: g(f(z))`
        stack = [f.source.tree for f in run.program.stack]
        if stack and len(active) > SIGNATURES and stack.count(stack[-1]) > SIGNATURES:
            run.refuse(CHANGING, WAY_OUT)  # it is given another function at each depth
        if len(active) >= NESTED:
            run.refuse("calls are nested too deeply to be written out", WAY_OUT, concrete=True)
        before.of({"()": last.function})
        now.of({"()": function})
        if form(before.outline) != form(now.outline):
            return  # one function made around another is no recursion
    if len(active) >= DEPTH or run.calls.activations[id(tree)] > ACTIVATIONS:
        follow(run, tree, True)
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
    decided = run.branches == last.branches and all(n is not None for _, n in run.turns.turning[last.turning :])
    if kinds and consts:
        follow(run, tree, False)
    if decided:
        return
    if not consts:
        if run.calls.activations[id(tree)] > PERHAPS:
            follow(run, tree, True)
        return
    opened(was)
    opened(is_now)
    if shape_of(was) == shape_of(is_now):
        follow(run, tree, not kinds)


def follow(run: Run, tree: Any, sizes: bool) -> NoReturn:
    """Make a function a core function. `sizes`: may lengths and ints decide how deep the recursion goes?"""
    policy = run.program.policy
    if policy == "refuse" or (policy == "sizes" and sizes):
        run.refuse(
            "this recursion does not end for the arguments that are known at derivation",
            WAY_OUT,
            concrete=policy == "sizes",
            recursion=True,
        )
    run.program.recursive.add(id(tree))
    raise Restart


@above.too_large.answer
def too_large(run: Run) -> None:
    """So much was written out: is it a recursion? Else some of it may be kept as calls."""
    trees = [f.source.tree for f in callers(run) if f.source is not None]
    for tree in reversed(trees):
        if sum(1 for t in trees if t is tree) > 1:
            follow(run, tree, True)
    run.program.keeping.exhausted = True


def can_keep(run: Run, given: dict[str, Value]) -> bool:
    """Can a call stay a call here, with what the function is given and has captured?

    Where only the text of an expression is wanted it cannot, nor in a `try`, which is lowered step by step.
    """
    if run.text_only or run.attempts or run.calls.trials or run.decisions.module_globals:
        return False
    return all(is_plain(run, v) for value in given.values() for v in within(run, value, set()))


def count(run: Run, function: Closure, frame: Frame, size: int) -> None:
    """A call was written out: to know how often a function is called."""
    around, node = frame.caller, frame.call_node
    if is_users(function) and around is not None:
        where = getattr(around.source, "tree", None), getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        run.program.keeping.met(function.source.tree, where, around.id, size)


def kept_call(run: Run, function: Closure, variables: dict[str, Value]) -> Value:
    """A call that stays one, though it could be written out."""
    tree = function.source.tree
    try:
        return core_call(run, function, variables)
    except (DerivationError, Diverges) as error:
        run.program.keeping.check_defect(error)
        raise Unkept(tree) from error


@above.check_kept.answer
def check_kept(run: Run, function: CoreFunction, inner: Run, memory: Memory) -> None:
    """Is what a kept function does all said by what it is given and returns? Else it is written out."""
    told = (
        inner.outside.outer_filled,
        inner.outside.changed_arguments,
        inner.outside.global_writes,
        changes_outside(inner),
    )
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
    changes = any(told) or function.writes or function.drains or inner.decisions.module_globals
    if changes or shares or not plain:
        raise Unkept(function.source.tree)


def core_call(run: Run, function: Closure, variables: dict[str, Value]) -> Value:
    """A call that stays a call."""
    variables = {name: hold(run, value, name) for name, value in variables.items()}
    containers = [*variables.values()]
    outline = Spread(run).of({**variables, "()": function})
    try:
        called = core_function(run, function, outline)
    except Grown as grown:
        obj = run.state.heap.get(grown.ref)
        if grown.function in run.program.functions:
            run.program.functions.remove(grown.function)
            run.program.names.discard(grown.function.name)
        assert isinstance(obj, ListObj)
        make_dynamic(run, obj)
    if called.result is None:
        raise Diverges
    outer_passive = run.passive
    if follows_in_passing(run):
        run.passive = 0
    try:
        return written_call(run, called, function, variables, outline, containers)
    finally:
        run.passive = outer_passive


def written_call(
    run: Run,
    called: CoreFunction,
    function: Closure,
    variables: dict[str, Value],
    outline: Outline,
    containers: list[Value],
) -> Value:
    """Write the call of a core function, and what it changes."""
    pairs = list(zip(called.parameters, outline.leaves, strict=True))
    apart = check_apart(run, called, outline)
    if any(called.passed[i].varied for i in called.writes):
        changes_in_passing(run)
    for p, (_, value) in pairs:
        takes_over(run, p, value)
    atoms = [atom_of(run, value) for p, (_, value) in pairs if p.passed]
    active = any(is_varied(run, value) for _, (_, value) in pairs)
    varied = active and not run.passive
    run.lost = run.lost or (active and not varied)
    kinds = result_kinds(run, called, [v for _, (_, v) in pairs])
    node = call_of(run, called, function, variables, atoms)
    results = [p for p in called.results if p.passed]
    if run.text_only:
        # what it changes is followed in statements
        if len(results) != 1 or called.writes or called.drains or called.changes:
            run.refuse("a recursive call in an expression of this form", ways.OWN_STATEMENT)
        node.kind = kinds[0]
        leaf = Leaf(node, kinds[0], active and results[0].varied, nested=True)
        return apart_from_given(run, called, containers, returned(run, called, [leaf], outline))
    names = [run.facts.fresh("t") for _ in results]
    leaves = []
    for name, p, kind in zip(names, results, kinds, strict=True):
        run.facts.kinds[name] = kind
        if p.varied and varied:
            run.facts.varied.add(name)
        leaves.append(Leaf(load(name), kind, p.varied and varied))
        if called.shares and has_memory(kind):
            roots = [atom_key(a) for a in atoms if memory_kind(run, a)]
            if roots:
                run.alias[name] = roots[0]
        elif called.tangled and has_memory(kind):
            first = next(n for n in names if has_memory(run.facts.kinds[n]))
            if first != name:
                run.alias[name] = first
    written = [atom_key(atoms[i]) for i in called.writes]
    drained = [(atom_key(atoms[i]), path) for i, path in called.drains]
    for i in sorted({*called.writes, *(i for i, _ in called.drains)}):
        resize(run, Leaf(atoms[i], called.passed[i].kind))
        run.memory.lists_changed.append(atom_key(atoms[i]))
    given = [atom_key(a) for a in atoms if isinstance(run.facts.kinds.get(atom_key(a)), ListOf)]
    if any(given.count(key) > 1 for key in written):
        run.refuse("a list that a recursive function changes is given to it twice", ways.COPY_LIST)
    node.tapes = tuple(k for k, a in enumerate(node.args) if isinstance(a, gast.Name) and a.id in written)
    lists = any(called.passed[i].varied for i in called.writes) and not run.passive
    if not results:
        statement = write(run, gast.Expr(node))
        statement.written, statement.drained = written, drained
        if lists:
            statement.apply = (called, atoms, {})
        return apart_from_given(run, called, containers, returned(run, called, [], outline))
    targets: list[Expr] = [gast.Name(n, gast.Store(), None, None) for n in names]
    node.kind = kinds[0] if len(kinds) == 1 else Tuple(tuple(kinds))
    statement = write(run, assign(targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store()), node))
    statement.written, statement.drained = written, drained
    if called.shares:
        statement.may_share = [atom_key(a) for a in atoms if memory_kind(run, a)]
    if lists or any(leaf.varied for leaf in leaves):
        statement.apply = (called, atoms, {})
    statement.overwrites = apart
    return apart_from_given(run, called, containers, returned(run, called, leaves, outline))


def check_apart(run: Run, called: CoreFunction, outline: Outline) -> list[tuple[str, str]]:
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
    if any(root_of(run, a) == root_of(run, b) for a, b in pairs) or any(
        run.state.possible_aliases(ref) & {*refs} - {ref} for ref in changed
    ):
        refuse_shared(run)
    return pairs


def apart_from_given(run: Run, called: CoreFunction, given: Iterable[Value], result: Value) -> Value:
    """What a call returns, of which containers may be ones that it was given: these were taken apart, and put
    together as others."""
    if not called.merged:
        return result
    before, after = (
        [v.id for value in values for v in within(run, value, set()) if isinstance(v, Ref)]
        for values in (given, (result,))
    )
    for ref in (*before, *after) if before and after else ():
        run.memory.copied.add(ref)
        run.memory.twins[ref] = before
    for ref in after:
        made = run.state.heap[ref]
        alike = [r for r in before if type(run.state.heap[r]) is type(made)]
        cls = getattr(made, "cls", None)
        run.state.stands_for(ref, [r for r in alike if getattr(run.state.heap[r], "cls", None) is cls])
    return result


def takes_over(run: Run, p: Parameter, value: Value) -> None:
    """What a list holds after a call, and whether it is active, is known of it from the start."""
    if not isinstance(p.kind, ListOf) or not isinstance(value, Leaf) or not isinstance(value.kind, ListOf):
        return
    item, site = p.kind.item, run.lists.site_of.get(atom_key(value.expr))
    varied = p.varied and not run.passive
    if site is None:
        if (varied and not value.varied) or (item != value.kind.item and not isinstance(item, Unknown)):
            run.refuse("a recursive function changes what a list holds", ways.APPEND)
        return
    known = run.decisions.dynamic.get(site)
    if isinstance(known, Unknown):
        known = None
    if not isinstance(item, Unknown):
        both = timeless(item if known is None else join_kind(run, known, item))
        if both != known:
            run.decisions.dynamic[site] = both
            raise Restart
    if varied and site not in run.decisions.varied_lists:
        run.decisions.varied_lists.add(site)
        raise Restart


def memory_kind(run: Run, atom: Expr) -> bool:
    return not isinstance(atom, gast.Constant) and has_memory(run.facts.kinds.get(atom_key(atom), Unknown()))


def returned(run: Run, called: CoreFunction, leaves: list[Leaf], outline: Outline) -> Value:
    """What a call returns, put together from its run-time parts; what it changes is put where it belongs."""
    made = called.result
    assert made is not None
    left = iter(leaves)
    values = [next(left) if p.passed else constant_leaf(p) for p in called.results]
    rebuild = Rebuild(made, run, values, outline)
    for i, value in made.arrays.items():
        store_into(run, outline.leaves[i][1], gast.Constant(Ellipsis, None), rebuild.value(value))
    refs, frames = [*outline.objects], [*outline.frames]
    for k, held in made.containers.items():
        obj = run.state.heap[refs[k]]
        parts = {key: rebuild.value(part) for key, part in contents(held).items()}
        replace_contents(obj, parts)
        container_changed(run, obj)
    for (k, name), value in made.variables.items():
        variable = rebuild.value(value)
        changed_before(run, {frames[k]})
        if is_varied(run, variable) or run.lost:
            changes_in_passing(run)
        run.state.frames[frames[k]][name] = variable
    result: Value = rebuild.value(made.values["result"])
    return result


def call_of(run: Run, called: CoreFunction, function: Closure, variables: dict[str, Value], atoms: list[Expr]) -> Expr:
    """The call, of the user's own function where that has the same arguments and result."""
    node = direct_call(run, called, function, variables) if called.own is not None else None
    if node is None:
        if called.own is not None and not called.flat_name:
            called.flat_name = run.program.name(called.name)
        name = called.flat_name or called.name
        run.facts.taken.add(name)
        run.facts.globals[name] = called
        node = gast.Call(load(name), atoms, [])
    node.function = called
    return node


def direct_call(run: Run, called: CoreFunction, function: Closure, variables: dict[str, Value]) -> Expr | None:
    spec = function.source.tree.args
    assert called.result is not None
    shape = called.result.values["result"]
    flat = isinstance(shape, Tup) and shape.cls is tuple and all(isinstance(v, Slot) for v in shape.items)
    if called.changes or not (isinstance(shape, Slot) or flat) or not all(p.passed for p in called.results):
        return None
    if not all(stands(run, v) for v in variables.values()):
        return None
    positional = [a.id for a in [*spec.posonlyargs, *spec.args]]
    run.facts.taken.add(called.name)
    run.facts.globals[called.name] = called.own
    return gast.Call(
        load(called.name),
        [expression(run, variables[n]) for n in positional],
        [gast.keyword(a.id, expression(run, variables[a.id])) for a in spec.kwonlyargs],
    )


def stands(run: Run, value: Value) -> bool:
    """Can a value be handed to the user's own function as it is?"""
    if isinstance(value, Ref):
        return run.state.heap[value.id].expr is not None
    if isinstance(value, Tup):
        return all(stands(run, v) for v in value.items)
    return isinstance(value, (Leaf, Known))


def result_kinds(run: Run, called: CoreFunction, values: list[Value]) -> list[Kind]:
    """The kinds of the run-time results, with lengths told by those of the arguments."""
    known: dict[str, Dim] = {}
    for p, value in zip(called.parameters, values, strict=True):
        if isinstance(value, Leaf):
            note_lengths(p.kind, value.kind, known)

    def told(kind: Kind) -> Kind:
        if isinstance(kind, Array) and kind.shape is not None:
            return Array(kind.dtype, tuple(told_length(run, d, known) for d in kind.shape))
        if isinstance(kind, Number) and kind.value is not None:
            return Number(kind.type, told_length(run, kind.value, known), kind.types)
        if isinstance(kind, Tuple):
            return Tuple(tuple(told(k) for k in kind.items), kind.cls)
        return kind

    return [told(p.kind) for p in called.results if p.passed]


def told_length(run: Run, dim: Dim, known: dict[str, Dim]) -> Dim:
    if any(symbol not in known for symbol, _ in dim.terms):
        return run.symbol()
    total = Dim.of(dim.const)
    for symbol, factor in dim.terms:
        total = total + known[symbol] * factor
    return total
