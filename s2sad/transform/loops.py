"""Loops, backwards: turns in the other order, and adjoints that are carried from turn to turn."""

from __future__ import annotations

import functools
from typing import Any

import gast

from s2sad.analysis.headers import first_turns, has_break, is_range
from s2sad.core import Expr, Stmt, assign, clone, copies_at_once, load, names_bound, names_read, quote, walk_names
from s2sad.kinds.kind import Array, Dim, Either, Kind, ListOf, Number, Unknown
from s2sad.transform.bound import where_bound
from s2sad.transform.lists import list_shadow, zero_of
from s2sad.transform.sweep import Adj, Loop, Sweep, reverses, same_adjoint
from s2sad.transform.values import copied_list, is_fresh, is_smaller, is_zero, same_array, zeros_of


@reverses(gast.For)
def reverse_For(sweep: Sweep, node: Any) -> None:
    reverse_loop(sweep, node)


@reverses(gast.While)
def reverse_While(sweep: Sweep, node: Any) -> None:
    reverse_loop(sweep, node)


def keep_values_of(sweep: Sweep, body: list[Stmt]) -> None:
    """Adjoints that are values which a loop or a branch computed get names of their own: run backwards, it goes
    through the values that these names had before.

    t = np.sum(x)                       bt = total
    for item in x: total *= item        for item in reversed(x): ... (total is what it was in each turn)
    return t * total                    bx += bt
    """
    bound = set(names_bound(body))
    bound |= {p.name for p in sweep.placeholders.values() if names_read(quote(p.key)) & bound}
    for key, held in list(sweep.adjoints.items()):
        if any(n.id in bound for n in walk_names(held.expr)):
            sweep.hold(key, clone(held.expr), held.kind, False)


def reverse_loop(sweep: Sweep, node: Any) -> None:
    """A loop, backwards: the adjoints that go from turn to turn keep one name each."""
    keep_values_of(sweep, node.body)
    entry = dict(sweep.adjoints)
    outer, mark = sweep.out, len(sweep.out)
    origin = sweep.origin
    inside = {n.id for s in node.body for n in walk_names(s) if isinstance(n.ctx, gast.Store)}
    if isinstance(node, gast.For):
        inside.add(node.target.id)
    assigned_before = {k for k in inside if defined_outside(sweep, k, node)}
    known = sweep.carried.setdefault(id(node), [])
    unowned: set[str] = sweep.unowned.setdefault(id(node), set())
    checkpoint = sweep.checkpoint()
    while True:  # each further round has one more name in `known` or `unowned`: they are names of the loop's
        sweep.restore(checkpoint)
        del outer[mark:]
        sweep.out, sweep.origin, sweep.statement = outer, origin, node
        sweep.adjoints = dict(entry)
        stable: dict[str, Adj] = {}
        for key in known:
            stable[key] = stable_head(sweep, key, key not in unowned)
        sweep.adjoints.update(stable)
        start = dict(sweep.adjoints)
        inner = sweep.nested(node.body)
        again = False
        end = sweep.adjoints
        for key in dict.fromkeys([*end, *start]):
            if key in stable:
                continue
            a, b = start.get(key), end.get(key)
            if a is None and b is None:
                continue
            if a is not None and b is not None and same_adjoint(a, b):
                continue
            known.append(key)
            again = True
        if again:
            continue
        ends: list[tuple[str, Expr]] = []
        for key, head in stable.items():
            held = end.get(key)
            if held is None:
                steady = (
                    isinstance(head.kind, Array)
                    and head.kind.shape is not None
                    and not any("@" in n or "?" in n for d in head.kind.shape for n, _ in d.terms)
                )
                first = node.body[0]
                if steady:
                    zero = zeros_of(sweep.numpy(), head.expr, sweep.facts.kinds.get(key, head.kind))
                else:
                    zero = where_bound(sweep, key, zero_of(sweep, key, first), node)
                held = Adj(zero, head.kind if steady else sweep.facts.kinds.get(key, Unknown()), True)
            expr = clone(held.expr)
            if not is_whole_adjoint(sweep, held, head.kind):
                expr = where_bound(sweep, key, sweep.as_buffer(key, held), node)
                held = Adj(expr, head.kind, True)
            if isinstance(head.kind, ListOf) and not held.owned:
                expr = copied_list(head.kind, expr)
            if head.owned and not held.owned and not isinstance(head.kind, Number) and not is_fresh(expr):
                unowned.add(key)
                again = True
            if not (isinstance(expr, gast.Name) and isinstance(head.expr, gast.Name) and expr.id == head.expr.id):
                ends.append((head.expr.id, sweep.turned(key, expr)))
        if again:
            continue
        sweep.out = inner
        for statement in copies_at_once(ends, functools.partial(old_name, sweep)):
            sweep.write(statement)
        sweep.out = outer
        break
    sweep.adjoints = {k: v for k, v in start.items() if k not in inside or k in assigned_before}
    if inner:
        write_loop(sweep, node, inner)


def old_name(sweep: Sweep, name: str) -> str:
    """A name for the adjoint that a carried adjoint held before this turn."""
    old = sweep.facts.fresh("g")
    sweep.facts.kinds[old] = sweep.facts.kinds.get(name, Unknown())
    return old


def defined_outside(sweep: Sweep, key: str, loop: Any) -> bool:
    """Is a name that the loop binds also bound before it (a carried name), or a parameter?"""
    places = sweep.memory.definitions.get(key, [])
    if not places:
        return True
    return any(all(outer is not loop for outer in p.loops) for p in places)


def stable_head(sweep: Sweep, key: str, owned: bool) -> Adj:
    """The name under which an adjoint goes from turn to turn, with the statement that sets it before the loop."""
    held = sweep.adjoints.get(key)
    full = sweep.facts.kinds.get(key, Unknown())
    if isinstance(full, ListOf):
        if held is None or not (held.owned and isinstance(held.expr, gast.Name)):
            list_shadow(sweep, quote(key))
            held = sweep.adjoints[key]
        return held
    name = sweep.name_for(key)
    if held is None or is_zero(held.expr):
        expr, own = zero_of(sweep, key), True
    elif not is_whole_adjoint(sweep, held, full) or (isinstance(full, Array) and owned and not held.owned):
        expr, own = sweep.as_buffer(key, held), True
    else:
        expr, own = clone(held.expr), held.owned
    kind = full if isinstance(full, (Array, Unknown)) else held.kind if held is not None else full
    if isinstance(kind, Number):
        kind = full if isinstance(full, Number) else kind
    sweep.facts.kinds[name] = kind
    sweep.write(assign(name, where_bound(sweep, key, sweep.turned(key, expr), sweep.statement)))
    sweep.laid_out |= {name} if key in sweep.facts.lies else set()
    return Adj(load(name), kind, own and owned)


def is_whole_adjoint(sweep: Sweep, held: Adj, full: Kind) -> bool:
    """Is an adjoint an array where its value is one (or may be one)?"""
    if isinstance(full, Either):
        return not is_smaller(held.kind, full.array)
    return not isinstance(full, Array) or same_array(held.kind, full)


def write_loop(sweep: Sweep, node: Any, inner: list[Stmt]) -> None:
    if isinstance(node, gast.For) and is_range(node.iter) and not has_break(node.body):
        if isinstance(node.iter.func, gast.Name) and node.iter.func.id == "reversed":
            iterable = clone(node.iter.args[0])
        else:
            iterable = gast.Call(load("reversed"), [clone(node.iter)], [])
        statement = gast.For(gast.Name(node.target.id, gast.Store(), None, None), iterable, inner, [], None)
        sweep.loops.append(Loop(node, statement, None))
    elif isinstance(node, gast.For) and is_range(node.iter):
        counter = counter_of(sweep, node)
        iterable = first_turns(node.iter, counter)
        statement = gast.For(gast.Name(node.target.id, gast.Store(), None, None), iterable, inner, [], None)
        sweep.loops.append(Loop(node, statement, counter))
    else:
        counter = counter_of(sweep, node)
        unused = sweep.facts.fresh("_", temp=False)
        iterable = gast.Call(load("range"), [load(counter)], [])
        statement = gast.For(gast.Name(unused, gast.Store(), None, None), iterable, inner, [], None)
        sweep.loops.append(Loop(node, statement, counter))
    sweep.write(statement)
    statement.forward = node


def counter_of(sweep: Sweep, node: Any) -> str:
    if id(node) not in sweep.counters:
        name = sweep.facts.fresh("turns", temp=False)
        sweep.facts.kinds[name] = Number(int, Dim.symbol(f"{name}@"))
        sweep.counters[id(node)] = name
    return sweep.counters[id(node)]
