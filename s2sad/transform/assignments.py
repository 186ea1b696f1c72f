"""Assignments, backwards: what a name stands for, parts of results, calls of core functions."""

from __future__ import annotations

import operator
from typing import Any

import gast

from s2sad.analysis.headers import is_pop
from s2sad.core import Expr, Stmt, assign, atom_key, clone, leaves, load, quote
from s2sad.expansion import forward, reverse
from s2sad.expansion.fit import fit
from s2sad.expansion.operand import Operand
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Either, ListOf, Number, Static, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.transform import spectral_rules
from s2sad.transform.calls import is_function_call, mask_of, reverse_call
from s2sad.transform.lists import (
    check_unchanged,
    in_step,
    list_shadow,
    reverse_append,
    reverse_pop,
    reverse_tuple_item,
    shaped,
    zero_of,
)
from s2sad.transform.spectral import ZERO, Product, eigh_and_matrix
from s2sad.transform.stores import distribute, reverse_getitem, reverse_store, store_buffer, taken_out
from s2sad.transform.sweep import Adj, Sweep, reverses
from s2sad.transform.values import gradient_kind, is_zero, same_array, same_shape


@reverses(gast.Assign)
def reverse_Assign(sweep: Sweep, node: Any) -> None:
    target = node.targets[0]
    if is_function_call(node):
        keys = [e.id for e in target.elts] if isinstance(target, gast.Tuple) else [target.id]
        reverse_function(sweep, node, keys)
        return
    if isinstance(target, gast.Subscript):
        reverse_store(sweep, node, target)
    elif isinstance(target, gast.Tuple):
        reverse_parts(sweep, node, target)
    else:
        reverse_definition(sweep, node, target.id)


def reverse_definition(sweep: Sweep, node: Any, key: str) -> None:
    made_here = isinstance(node.value, (gast.List, gast.BinOp, gast.ListComp))
    if key in sweep.shadows and made_here and getattr(node, "apply", None) is None:
        held = sweep.adjoints.pop(key, None)
        if isinstance(node.value, gast.BinOp) and held is not None:
            items = node.value.left
            for item in getattr(items, "elts", []):
                if not isinstance(item, gast.Constant) and atom_key(item) in sweep.facts.varied:
                    raise sweep.refuse("a list of active values is repeated", ways.LOOP)
        return
    application = getattr(node, "apply", None)
    if application is None and isinstance(node.value, gast.Call) and is_pop(node.value):
        reverse_pop(sweep, node, [key])
        return
    if shadow_view(sweep, node, key):
        left = sweep.adjoints.get(key)
        if left is not None and not is_zero(left.expr):  # (nothing would hand it on: a defect is no wrong number)
            raise AssertionError(f"the adjoint of {key}, which is a view, has not gone to its base")
        return
    mask = mask_of(sweep, key)
    held = sweep.adjoints.pop(key, None)
    if held is None or is_zero(held.expr):
        return
    if application is None:
        if isinstance(node.value, (gast.Name, gast.Subscript, gast.Attribute)):
            if isinstance(node.value, gast.Subscript) and not sweep.is_atom(node.value):
                check_unchanged(sweep, key, node)
                reverse_getitem(sweep, node, key, node.value.value, held)
                return
            sweep.contribute(node.value, as_source(sweep, node.value, held, key), sole=held.owned)
        return
    function, args, kwargs = application
    if function is operator.getitem:
        reverse_getitem(sweep, node, key, args[0], held)
        return
    fused = sweep.fused.application(node)
    if fused is not None:
        function, args = fused
    product = sweep.spectral.products.get(id(node))
    if product is not None:
        reverse_product(sweep, node, key, product, held)
        return
    reverse_call(
        sweep,
        node,
        load(key),
        sweep.facts.kinds[key],
        Operand(clone(held.expr), held.kind),
        function,
        args,
        kwargs,
        held.owned,
        mask,
    )


def as_source(sweep: Sweep, source: Expr, held: Adj, key: str) -> Operand:
    """The adjoint of a copy as the adjoint of what it is a copy of.

    On this path a name that may be an array or a number is what its source is, and one that may be of several
    lengths is as long as its source.
    """
    kind, value = sweep.kind_of(source), Operand(held.expr, held.kind)
    if isinstance(held.kind, Either) and isinstance(kind, (Array, Number)):
        return fit(value, held.kind, Operand(source, kind), sweep.facts)
    whole = same_array(held.kind, sweep.facts.kinds.get(key, Unknown())) and isinstance(held.expr, gast.Name)
    if not whole or not isinstance(kind, Array) or kind.shape is None or same_shape(held.kind, kind):
        return value
    name = sweep.facts.fresh("g")
    sweep.facts.kinds[name] = kind
    sweep.write(assign(name, clone(held.expr)))
    return Operand(load(name), kind)


def shadow_view(sweep: Sweep, node: Any, key: str) -> bool:
    """A view of overwritten memory: its contributions have gone to the base already."""
    if key in sweep.memory.choices:
        return True
    view = sweep.view_of_overwritten(key)
    return view is not None and view[0] is node and view[1] is not None


def check_settled(sweep: Sweep, key: str, node: Any) -> None:
    """A part of a result must be no view, or its memory must not be overwritten any more."""
    if key in sweep.memory.alias and sweep.memory.overwritten_after(key, None, sweep.memory.places[id(node)]):
        raise sweep.refuse(
            "it is not known whether this shares memory with an array that is overwritten",
            ways.COPY,
        )


def reverse_parts(sweep: Sweep, node: Any, target: Any) -> None:
    keys = [e.id for _, e in leaves(target)]
    application = getattr(node, "apply", None)
    if application is None:
        if isinstance(node.value, gast.Call) and is_pop(node.value):
            reverse_pop(sweep, node, keys)
        elif isinstance(node.value, gast.Subscript):
            reverse_tuple_item(sweep, node, keys)
        return
    if any(shadow_view(sweep, node, k) for k in keys):  # contributions have gone to the base already
        for key in keys:
            if key in sweep.adjoints and not shadow_view(sweep, node, key):
                check_settled(sweep, key, node)
        return
    function, args, kwargs = application
    matrix = sweep.spectral.matrices.get(id(node))
    if matrix in sweep.adjoints:
        function, keys = eigh_and_matrix, [*keys, matrix]
    held = [sweep.adjoints.pop(k, None) for k in keys]
    if all(h is None or is_zero(h.expr) for h in held):
        return
    for key in keys:
        check_settled(sweep, key, node)
    parts = [gast.Constant(None, None) if h is None or is_zero(h.expr) else clone(h.expr) for h in held]
    kinds = [Static(None) if h is None or is_zero(h.expr) else h.kind for h in held]
    cotangent = Operand(gast.Tuple(parts, gast.Load()), TupleKind(tuple(kinds)))
    y = gast.Tuple([load(k) for k in keys], gast.Load())
    reverse_call(
        sweep, node, y, TupleKind(tuple(sweep.facts.kinds[k] for k in keys)), cotangent, function, args, kwargs, False
    )


def reverse_product(sweep: Sweep, node: Any, key: str, product: Product, held: Adj) -> None:
    """A product of matrices that is a function of a symmetric matrix."""
    kind = sweep.facts.kinds[key]
    for statement in product.unmade:
        sweep.write(clone(statement))

    def written(statements: list[Stmt]) -> None:
        for made in statements:
            sweep.write(made)
            sweep.facts.kinds.setdefault(made.targets[0].id, sweep.kind(made.value))

    def operands(args: list[Expr], function: Any) -> list[Operand]:
        return [sweep.operand(a, node, function) if sweep.is_atom(a) else Operand(a, sweep.kind(a)) for a in args]

    def local(stem: str, value: Operand) -> Operand:
        if isinstance(value.expr, (gast.Constant, gast.Name)):
            return value
        name = sweep.facts.fresh(stem)
        sweep.facts.kinds[name] = value.kind
        sweep.write(assign(name, value.expr))
        return Operand(load(name), value.kind)

    def expanded(statement: Any, along: dict[Any, Operand]) -> Operand:
        function, args, kwargs = statement.apply
        made = statement.targets[0].id
        y = Operand(sweep.at(load(made), statement, after=True), sweep.facts.kinds[made])
        named = {k: sweep.operand(a, statement, function) for k, a in kwargs.items()}
        statements, tangent = forward.tangent(function, y, operands(args, function), named, along, sweep.facts)
        written(statements)
        return local("slope", tangent)

    def moved(function: Any, y: Operand, args: list[Expr], tangents: dict[int, Operand]) -> Operand:
        along = {(k,): t for k, t in tangents.items()}
        statements, tangent = forward.tangent(function, y, operands(args, function), {}, along, sweep.facts)
        written(statements)
        return tangent

    def called(function: Any, args: list[Expr], cotangent: Operand, active: set[int]) -> dict[int, Operand]:
        y, given = Operand(load(key), kind), operands(args, function)
        expansion = reverse.adjoint(function, y, given, {}, cotangent, {(k,) for k in active}, sweep.facts)
        written(expansion.statements)
        return dict.fromkeys(active, ZERO) | {k[0]: value for k, value in expansion.contributions}

    def contribute(name: str, value: Operand) -> None:
        if spectral_rules.is_zero(value):
            return
        before = sweep.adjoints.pop(name, None) if name == product.matrix else None
        if before is not None:  # (not in place: what it is made of is told when it is derived once more)
            value = Operand(gast.BinOp(clone(before.expr), gast.Add(), value.expr), value.kind)
        sweep.contribute(load(name), value)

    cotangent = Operand(clone(held.expr), held.kind)
    terms = (product, kind, lambda e: Operand(e, sweep.kind(e)), expanded, moved, sweep.numpy())
    spectral_rules.Adjoints(*terms, local, called, contribute).whole(cotangent)


def reverse_function(sweep: Sweep, node: Any, keys: list[str]) -> None:
    """A call of a core function: a call of its backward sweep, which returns what each active argument gets."""
    function, args, _ = node.apply
    held = [sweep.adjoints.pop(k, None) for k in keys]
    changed = [atom_key(args[i]) for i in function.active_lists if i in function.writes]
    live = any(in_step(sweep, quote(k)) for k in changed)
    if not live and all(h is None or is_zero(h.expr) for h in held):
        return
    results = [p for p in function.results if p.passed]
    given: list[Expr] = []
    for key, result, own in zip(keys, results, held, strict=True):
        if result.varied:
            zero = own is None or is_zero(own.expr)
            given.append(zero_of(sweep, key, node, after=True) if own is None or zero else shaped(sweep, own, key))
    lists = [list_shadow(sweep, args[i]) for i in function.active_lists]
    call = sweep.functions.backward_call(function, lambda i: sweep.at(args[i], node), given, lists, sweep.tapes)
    call.reverses = node
    targets: list[Expr] = []
    parts: list[tuple[Expr, str]] = []
    for position in function.active:
        atom = args[position]
        if not sweep.active_atoms(atom):
            targets.append(gast.Name(sweep.facts.fresh("_", temp=False), gast.Store(), None, None))
            continue
        name = sweep.name_for(atom_key(atom))
        sweep.facts.kinds[name] = gradient_kind(function.passed[position].kind, sweep.kind_of(atom))
        targets.append(gast.Name(name, gast.Store(), None, None))
        parts.append((atom, name))
    if not targets:
        sweep.write(gast.Expr(call))
    else:
        sweep.write(assign(targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store()), call))
    for atom, name in parts:
        key, kind = atom_key(atom), sweep.facts.kinds[name]
        if key not in sweep.adjoints and sweep.shadow(key) is None and not isinstance(kind, (Unknown, ListOf)):
            sweep.adjoints[key] = Adj(load(name), kind, isinstance(kind, Array))
        else:
            sweep.contribute(atom, Operand(load(name), kind), sole=True)


@reverses(gast.Expr)
def reverse_Expr(sweep: Sweep, node: Any) -> None:
    if is_function_call(node):
        reverse_function(sweep, node, [])
        return
    scatter = getattr(node, "scatter", None)
    if scatter is not None:
        base, index, value = scatter
        index = sweep.index_at(index, node)
        buffer = store_buffer(sweep, atom_key(base))
        if buffer is None or not sweep.active_atoms(value):
            return
        read = gast.Subscript(buffer, clone(index), gast.Load())
        distribute(sweep, value, taken_out(sweep, base, index, read, scatter=True), node)
        return
    call = node.value
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
        if call.func.attr in ("append", "insert"):
            reverse_append(sweep, node, call)
        elif call.func.attr == "reverse" and in_step(sweep, call.func.value):
            shadow = list_shadow(sweep, call.func.value)
            sweep.write(gast.Expr(gast.Call(gast.Attribute(shadow, "reverse", gast.Load()), [], [])))
