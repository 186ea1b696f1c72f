"""Reverse mode: the backward sweep of a function in core Python.

The sweep is written in terms of the primal's own names, as if every value were still there: which of them are, which
are computed again and which are taped is decided afterwards (`s2sad.analysis.record`). Reads of memory that some
statement overwrites are marked by placeholder names, one for each reading statement.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import gast
import numpy as np

from s2sad import rules
from s2sad.analysis.binding import NamesOf, bound_before, surely_bound, valued_before
from s2sad.analysis.calls import einsum_views, makes_new
from s2sad.analysis.layout import lies_so, not_known, reshaping
from s2sad.analysis.memory import Memory, Place
from s2sad.analysis.raising import may_raise
from s2sad.analysis.zeros import FULL, Zeros, leaves_out
from s2sad.core import (
    Expr,
    Facts,
    Origin,
    Saved,
    Stmt,
    assign,
    atom_key,
    clone,
    copies_at_once,
    copy_statement,
    leaves,
    load,
    names_bound,
    names_read,
    quote,
    replace_names,
    same_pattern,
    statements_in,
    text,
    walk,
    walk_names,
)
from s2sad.expansion import forward, reverse
from s2sad.expansion.care import Care, Mask
from s2sad.expansion.fit import fit, helper, joint_kind, kind_of_atom, numpy_name
from s2sad.expansion.lookup import is_elementwise
from s2sad.expansion.operand import Operand, error_in, lifted
from s2sad.expansion.refusal import NoDerivative
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, defects_at, error_at
from s2sad.kinds.calls import taken_by
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Either, Kind, ListOf, Number, Static, Text, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import shape_of
from s2sad.kinds.query import in_parts
from s2sad.kinds.subscript import Slice
from s2sad.normal.functions import CoreFunction
from s2sad.transform import spectral_rules
from s2sad.transform.fused import Fused
from s2sad.transform.spectral import Product, Spectral, eigh_and_matrix


@dataclass(frozen=True)
class Adj:
    """The adjoint that a value has so far: an expression (a name or a constant), its kind, and whether its memory is
    the sweep's own, so that it may be added to in place."""

    expr: Expr
    kind: Kind
    owned: bool


#: functions whose cotangents are zero for certain where a mask says so
MASKS: set[Any] = {
    *(np.where, np.nan_to_num, np.select, np.choose, np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanvar, np.nanstd),
    *(np.nanprod, np.nancumsum, np.nancumprod),
}


@dataclass
class Placeholder:
    """A read of memory that is overwritten somewhere: `key` as it was at a statement (before or after it)."""

    name: str
    key: str
    statement: Stmt
    after: bool


@dataclass
class Loop:
    """What the backward sweep of one loop is made of, for the analysis that follows."""

    forward: Stmt
    backward: Stmt | None
    counter: str | None


class Again(Exception):
    """Generate again with what was learnt."""


@dataclass
class Sweep:
    """The backward sweep of one function."""

    facts: Facts
    memory: Memory
    source: Any
    adjoints: dict[str, Adj] = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    placeholders: dict[str, Placeholder] = field(default_factory=dict)
    blocks: dict[int, tuple[list[Stmt], list[Stmt]]] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    shadows: set[str] = field(default_factory=set)
    #: for a reshape of overwritten memory: the text of its adjoint, the block in which that has a name, and the name
    named_views: dict[str, tuple[str, Any, str]] = field(default_factory=dict)
    #: is all that the backward sweep reads put on one tape, names that stand included?
    kept_whole: bool = False
    #: lists whose adjoints are changed in place, for the caller
    handed_in: frozenset[str] = frozenset()
    #: which lists are items of run-time lists
    taken: dict[str, Taken | None] = field(default_factory=dict)
    carried: dict[int, list[str]] = field(default_factory=dict)
    counters: dict[int, str] = field(default_factory=dict)
    unowned: dict[int, set[str]] = field(default_factory=dict)
    laid_out: set[str] = field(default_factory=set)
    #: adjoints of this block that a mask makes zero, as they were when that was seen
    masks: dict[str, tuple[Adj, Mask]] = field(default_factory=dict)
    #: lists, and parts of their items, in which masks made adjoints zero
    masked: set[tuple[str, int]] = field(default_factory=set)
    #: how much of each adjoint may be zero because pieces were left out (`s2sad.analysis.zeros`)
    zeros: Zeros = field(default_factory=Zeros)
    #: does every zero stay zero, whatever it is multiplied with?
    strong_zero: bool = False
    body: list[Stmt] = field(default_factory=list)
    #: is adjoint memory asked for that may be chosen, or not?
    choosing: int = 0
    #: the derivatives of core functions, and the tapes that they take
    functions: Any = None
    tapes: dict[Any, str] = field(default_factory=dict)
    #: names of the primal that are None until they are bound: the backward sweep asks whether they are
    unset: set[str] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()
    _bound: dict[int, NamesOf] | None = None
    _valued: dict[int, NamesOf] | None = None
    origin: Origin | None = None
    user_origin: Any = None
    statement: Stmt = None

    @functools.cached_property
    def fused(self) -> Fused:
        return Fused(self.body, self.facts)

    def __post_init__(self) -> None:
        self.spectral = Spectral(self.body, self.facts, self.memory)

    # --- writing

    def write(self, statement: Stmt) -> None:
        statement.origin = None
        statement.grad_of = self.origin
        self.out.append(statement)

    def refuse(self, reason: str, way_out: str, concrete: bool = False) -> DerivationError:
        """`concrete`: may it help to know lengths and ints?"""
        error = error_at(self.statement, self.source, reason, way_out)
        error.concrete = concrete  # type: ignore[attr-defined]
        return error

    def stem(self, key: str) -> str:
        """The name of an adjoint: b and the user's name; g for what only the compiler named."""
        facts = self.facts
        if key in facts.temps:
            return "g" if "g" not in facts.users else facts.mirrored("b", "t")
        if key.isidentifier():
            return facts.mirrored("b", facts.user_name.get(key, key))
        word = "".join(c if c.isalnum() else " " for c in key).split()
        return facts.mirrored("b", word[-1] if word and f"b{word[-1]}".isidentifier() else "part")

    def name_for(self, key: str) -> str:
        stem = self.stem(key)
        name = self.facts.fresh(stem)
        self.facts.user_name[name] = stem
        return name

    def kind(self, expr: Expr) -> Kind:
        return infer(expr, self.facts)

    # --- contributions

    def hold(self, key: str, expr: Expr, kind: Kind, owned: bool) -> None:
        """Give the adjoint of a value a name of its own."""
        if isinstance(expr, gast.Constant):
            self.adjoints[key] = Adj(expr, kind, False)
            return
        name = self.name_for(key)
        found = self.kind(expr)
        if isinstance(kind, Array) and isinstance(found, Array):
            # ints for reals, reals for complex numbers: they are made so where something is stored into them
            less = "fc".find(found.dtype.kind) < "fc".find(kind.dtype.kind)
            kind = Array(found.dtype, kind.shape) if less else kind
        known = self.facts.kinds.get(expr.id) if isinstance(expr, gast.Name) else None
        if isinstance(known, Array) and not isinstance(kind, Either):
            kind = known  # a second name of an array is one, also of a 0-d array for a number
        self.facts.kinds[name] = kind
        self.write(assign(name, expr))
        self.adjoints[key] = Adj(load(name), kind, owned)
        orders = set(self.facts.lies.values())
        if len(orders) == 1 and called(expr) != "zeros_like" and self.lies_so(expr, *orders):
            self.laid_out.add(name)

    def lies_so(self, expr: Expr, order: str) -> bool:
        """Does an expression of values and adjoints certainly make an array that lies in memory so?"""
        stood = {p.name: quote(p.key) for p in self.placeholders.values()}
        return lies_so(replace_names(clone(expr), stood), order, self.facts)

    def contribute(self, atom: Expr, value: Operand, *, sole: bool = False) -> None:
        """Add to the adjoint of an atom. `sole`: the value has no other owner."""
        if isinstance(atom, gast.Constant):
            return
        if isinstance(atom, (gast.Tuple, gast.List)):  # its parts are told apart where all items are alike
            if self.active_atoms(atom):
                raise self.refuse("a list that is read has items of several forms", ways.LIST_EACH, concrete=True)
            return
        key = atom_key(atom)
        if key not in self.facts.varied:
            return
        own = self.facts.kinds.get(key)
        if isinstance(own, ListOf):
            self.contribute_list(key, value, sole)
            return
        if isinstance(value.kind, Either) and isinstance(own, Array) and not self.may_be_added(key):
            value = Operand(quote(f"{self.numpy()}.full_like(x, g)", x=key, g=value.expr), own)
        if self.through_view(key, value):
            return
        held = self.adjoints.get(key)
        self.masks.pop(key, None)  # what is held may grow in place
        fresh = is_fresh(value.expr, value.kind)
        if held is None or _is_zero(held.expr):
            if held is None and isinstance(value.expr, (gast.Name, gast.Constant)) and key in self.facts.temps:
                self.adjoints[key] = Adj(value.expr, value.kind, sole and isinstance(value.expr, gast.Name))
                return
            self.hold(key, value.expr, value.kind, fresh or (sole and not isinstance(value.kind, Number)))
            return
        full = lifted(self.facts.kinds.get(key, Unknown()))
        if held.owned and isinstance(held.expr, gast.Name) and _same_array(held.kind, full):
            self.write(gast.AugAssign(gast.Name(held.expr.id, gast.Store(), None, None), gast.Add(), clone(value.expr)))
            return
        total = gast.BinOp(clone(held.expr), gast.Add(), clone(value.expr))
        self.hold(key, total, self.kind(total), True)

    def may_be_added(self, key: str) -> bool:
        """Is there an adjoint of an array that a contribution may be added to in place, be it an array or a number?"""
        held = self.adjoints.get(key)
        if self.shadow(key) is not None:
            return True
        named = held is not None and held.owned and isinstance(held.expr, gast.Name)
        return named and _same_array(held.kind, self.facts.kinds.get(key, Unknown()))  # type: ignore[union-attr]

    def through_view(self, key: str, value: Operand) -> bool:
        """A view of memory that is overwritten has no adjoint of its own: contributions go through to the base."""
        choice = self.memory.choices.get(key)
        if choice is not None and len(choice.homes) == 1:
            self.contribute(quote(choice.homes[0]), value)
            return True
        if self.through_broadcast(key, value):
            return True
        shadow = self.shadow(key)
        if shadow is None:
            return False
        if isinstance(shadow, gast.Name) and not any(shadow.id == name for _, _, name in self.named_views.values()):
            return False
        target = shadow
        if isinstance(target, gast.Subscript):  # (of numbers and slices: what an index array makes is no view)
            target = clone(target)
            target.ctx = gast.Store()
        else:
            target = gast.Subscript(target, gast.Constant(Ellipsis, None), gast.Store())
        self.write(gast.AugAssign(target, gast.Sub() if self.is_turned(key) else gast.Add(), clone(value.expr)))
        return True

    def is_turned(self, key: str) -> bool:
        """Is a name a view of the imaginary part of overwritten memory? As the adjoint of z = a + ib is the derivative
        in a less i times that in b, the imaginary part of z's adjoint is that of z.imag with the other sign."""
        view = self.view_of_overwritten(key)
        if view is None or view[1] is None:
            return False
        return self.takes_imaginary(view[0].value) != self.is_turned(view[1][0])

    def takes_imaginary(self, value: Expr) -> bool:
        named = isinstance(value, gast.Attribute) and value.attr == "imag" and atom_key(value) not in self.facts.kinds
        return named or called(value) == "imag"

    def through_broadcast(self, key: str, value: Operand) -> bool:
        """An element of a broadcast view stands for several of its own: contributions are summed into the base."""
        view = self.view_of_overwritten(key)
        if view is None or view[1] is None:
            return False
        statement, (base_key, rebuild) = view
        base = quote(base_key)
        if called(statement.value) == "broadcast_to":
            target = Operand(base, self.facts.kinds.get(base_key, Unknown()))
            self.contribute(base, fit(value, joint_kind([self.facts.kinds[key], value.kind]), target, self.facts))
            return True
        if not self.is_broadcast(base_key):
            return False
        g = self.zeros_of(base_key)
        part = rebuild(load(g))
        whole = gast.Constant(Ellipsis, None)
        place, index = (part.value, part.slice) if isinstance(part, gast.Subscript) else (part, whole)
        sign = gast.Sub() if self.takes_imaginary(statement.value) else gast.Add()
        self.write(gast.AugAssign(gast.Subscript(place, index, gast.Store()), sign, clone(value.expr)))
        return self.through_broadcast(base_key, Operand(load(g), self.facts.kinds[g]))

    def is_broadcast(self, key: str) -> bool:
        """Is a name a view of a broadcast view of memory that is overwritten?"""
        view = self.view_of_overwritten(key)
        if view is None or view[1] is None:
            return False
        return called(view[0].value) == "broadcast_to" or self.is_broadcast(view[1][0])

    def view_of_overwritten(self, key: str) -> tuple[Stmt, Any] | None:
        """The statement that makes a name a view of memory that is overwritten, and what `view_parts` says of it."""
        if not self.memory.is_overwritten(key) or isinstance(self.facts.kinds.get(key), (Number, ListOf)):
            return None
        places = self.memory.definitions.get(key, [])
        if key not in self.memory.alias or len(places) != 1:
            return None
        statement = places[0].statement
        if not isinstance(statement, gast.Assign) or getattr(statement, "copy", False):
            return None
        if not self.memory.overwritten_after(key, None, places[0]):
            return None  # whether it is a view or a copy makes no difference any more
        if perhaps_number(statement, self.facts):
            value = statement.value
            matters = self.memory.changed_before_read(key, atom_key(value.value), value.slice)
            return (statement, None) if matters else None
        return statement, self.view_parts(statement, key)

    def view_parts(self, statement: Stmt, key: str) -> Any:
        """What `view_parts` says, where the base is no list of arrays in which others may have been put."""
        view = view_parts(statement, self.facts, key)
        if view is None or isinstance(self.facts.kinds.get(view[0]), Array):
            return view
        root = self.memory.find(view[0])
        lists = (s.key for s in self.memory.stores if isinstance(self.facts.kinds.get(s.key), (ListOf, ListKind)))
        return None if any(self.memory.find(one) == root for one in lists) else view

    def shadow(self, key: str) -> Expr | None:
        """The adjoint memory of a name whose memory is overwritten: its base's buffer, seen through the same view."""
        if key in self.memory.choices:
            return self.chosen(key)
        found = self.view_of_overwritten(key)
        if found is None:
            return None
        view = found[1]
        if view is None:
            raise not_known(self.statement, self.source)
        base_key, rebuild = view
        inner = self.shadow(base_key)
        made = rebuild(self.buffer(base_key) if inner is None else inner)
        piece = made.value if isinstance(made, gast.Subscript) else None
        return self.named_view(key, made) if called(made) in ("reshape", "ravel") or called(piece) in SPLITS else made

    def chosen(self, key: str) -> Expr:
        """The adjoint memory of a name that is one array or another: the memory of that one.

        y_is_x = c                            by = bx if y_is_x else bz
        y = x if y_is_x else z        ->      by[0] += g
        t = y[0]
        """
        choice = self.memory.choices[key]
        made: Expr | None = None
        for home in reversed(choice.homes):
            memory = self.home(home, key)
            made = memory if made is None else gast.IfExp(choice.test(home), memory, made)
        return made if len(choice.homes) == 1 or self.choosing else self.named_view(key, made)

    def home(self, key: str, name: str) -> Expr:
        """The adjoint memory of an array that a name may be. Where that is a choice, too, it is made there alone."""
        self.choosing += 1
        shadow = self.shadow(key)
        self.choosing -= 1
        if shadow is not None:
            return shadow
        held, full = self.adjoints.get(key), lifted(self.facts.kinds[key])
        whole = held is not None and held.owned and _same_array(held.kind, full)
        end = Place(len(self.memory.places), (), None, (id(self.body),))
        if not whole and not self.memory.is_bound(key, self.memory.places.get(id(self.statement), end)):
            made = zeros_of(self.numpy(), name, full)  # what is not this array is as large as it may be
            if held is not None and not _is_zero(held.expr):
                made = quote(f"{self.numpy()}.full_like(x, g)", x=name, g=held.expr)
            self.hold(key, made, full, True)
        return self.buffer(key)

    def named_view(self, key: str, made: Expr) -> Expr:
        """A reshape or a piece of adjoint memory under a name of its own, made once in each block.

        bA[:6].reshape(2, 3)[0] += g          bW = bA[:6].reshape(2, 3)
        bA[:6].reshape(2, 3)[1] = 0.0   ->    bW[0] += g
                                              bW[1] = 0.0
        """
        written, block, name = self.named_views.get(key, ("", None, ""))
        if written != text(made) or block is not self.out:
            name = self.facts.fresh(self.stem(key))
            self.facts.user_name[name] = self.stem(key)
            self.facts.kinds[name] = self.facts.kinds.get(key, Unknown())
            self.named_views[key] = text(made), self.out, name
            self.write(assign(name, made))
        return load(name)

    def buffer(self, key: str) -> Expr:
        """The adjoint of a value as memory of the sweep's own that may be written piecewise."""
        self.masks.pop(key, None)
        held = self.adjoints.get(key)
        full = lifted(self.facts.kinds.get(key, Unknown()))
        if held is None or not (held.owned and _same_array(held.kind, full) and isinstance(held.expr, gast.Name)):
            made = self.as_buffer(key, held)
            self.hold(key, made, full, True)
            held = self.adjoints[key]
            if key in self.facts.lies and lies_so(made, self.facts.lies[key], self.facts):
                self.laid_out.add(held.expr.id)
        if key in self.facts.lies and held.expr.id not in self.laid_out:
            self.hold(key, self.turned(key, held.expr), held.kind, True)
            held = self.adjoints[key]
            self.laid_out.add(held.expr.id)
        return clone(held.expr)

    def turned(self, key: str, expr: Expr) -> Expr:
        """An adjoint, lying in memory as its value does: a reshape of that is a view, and has to be one here, too."""
        order = self.facts.lies.get(key)
        known = isinstance(expr, gast.Name) and expr.id in self.laid_out
        if order is None or known or self.lies_so(expr, order):
            return expr
        return quote(f"{self.numpy()}.{'ascontiguousarray' if order == 'C' else 'asfortranarray'}(x)", x=expr)

    def as_buffer(self, key: str, held: Adj | None) -> Expr:
        """An expression for a new array in the shape and dtype of a value that holds its adjoint."""
        np_ = self.numpy()
        full = lifted(self.facts.kinds.get(key, Unknown()))
        if held is None or _is_zero(held.expr):
            return zeros_of(np_, key, full)
        if isinstance(held.kind, Array) and _same_shape(held.kind, full):
            if not _same_array(held.kind, full):
                return quote("g.astype(x.dtype)", x=key, g=held.expr)
            return clone(held.expr) if is_fresh(held.expr, held.kind) else quote("g.copy()", g=held.expr)
        return self.as_large(key, held.expr, held.kind)

    def as_large(self, key: str, expr: Expr, kind: Kind) -> Expr:
        """A smaller adjoint as large as its value. Where that is a number, it is no smaller, whatever it is."""
        whole = quote(f"{self.numpy()}.full_like(x, g)", x=key, g=expr)
        full = self.facts.kinds.get(key)
        if _scalar(kind) or not (isinstance(full, Either) and isinstance(full.other, Number)):
            return whole
        return quote(f"w if {self.numpy()}.ndim(x) else g", w=whole, x=key, g=expr)

    def numpy(self) -> str:
        for name, value in self.facts.globals.items():
            if value is np:
                return name
        name = self.facts.fresh("np", temp=False)
        self.facts.globals[name] = np
        return name

    def full(self, key: str) -> Expr:
        """The adjoint in the full shape of its value."""
        held = self.adjoints[key]
        kind = self.facts.kinds.get(key, Unknown())
        if isinstance(kind, Array) and not (isinstance(held.kind, Array) and _same_shape(held.kind, kind)):
            return self.buffer(key)
        return clone(held.expr)

    # --- reading the primal

    def at(self, atom: Expr, statement: Stmt, after: bool = False) -> Expr:
        """An operand as the backward sweep names it: marked, where its memory is overwritten somewhere."""
        if isinstance(atom, (gast.Tuple, gast.List)):
            made = clone(atom)
            made.elts = [self.at(e, statement, after) for e in atom.elts]
            return made
        if isinstance(atom, gast.Constant):
            return clone(atom)
        if not isinstance(atom, (gast.Name, gast.Subscript, gast.Attribute)):
            return clone(atom)
        key = atom_key(atom)
        kind = self.facts.kinds.get(key)
        if kind is None or isinstance(kind, Number) or not self.memory.is_overwritten(key):
            return clone(atom)
        for held in self.placeholders.values():
            if held.key == key and held.statement is statement and held.after == after:
                return load(held.name)
        stem = self.facts.user_name.get(key, key) if key.isidentifier() else "part"
        name = self.facts.fresh(f"{stem}_then")
        self.facts.kinds[name] = kind
        for known in (self.facts.varied, self.facts.infinite):
            if key in known:
                known.add(name)
        self.placeholders[name] = Placeholder(name, key, statement, after)
        return load(name)

    def index_at(self, index: Expr, statement: Stmt) -> Expr:
        """An index as the backward sweep names it: index arrays and masks may be overwritten like any other memory.

        ::

            a = x[i]                  i_then = i.copy()
            i[0] = 2                  a = x[i_then]
                                      i[0] = 2
                                      np.add.at(bx, i_then, ba)
        """
        if isinstance(index, (gast.Name, gast.Subscript, gast.Attribute)) and atom_key(index) in self.facts.kinds:
            return self.at(index, statement)
        made = clone(index)
        for field_name, value in gast.iter_fields(made):
            if isinstance(value, list):
                setattr(made, field_name, [self.index_at(v, statement) if _is_node(v) else v for v in value])
            elif _is_node(value):
                setattr(made, field_name, self.index_at(value, statement))
        return made

    # --- statements, backwards

    def block(self, body: list[Stmt]) -> None:
        with defects_at(lambda: (self.statement, self.source), lambda: error_in(self.statement, self.facts)):
            for statement in reversed(body):
                self.origin = getattr(statement, "origin", None) or self.origin
                self.statement = statement
                method = getattr(self, f"reverse_{type(statement).__name__}", None)
                if method is not None:
                    method(statement)

    def nested(self, body: list[Stmt], straight: bool = False) -> list[Stmt]:
        """The backward sweep of an inner block; `straight`: one that is always run, and once."""
        outer, self.out = self.out, []
        if not straight:
            self.masks.clear()
        self.block(body)
        if not straight:
            self.masks.clear()
        inner, self.out = self.out, outer
        self.blocks[id(body)] = (body, inner)
        return inner

    def reverse_Assign(self, node: Any) -> None:
        target = node.targets[0]
        if is_function_call(node):
            keys = [e.id for e in target.elts] if isinstance(target, gast.Tuple) else [target.id]
            self.reverse_function(node, keys)
            return
        if isinstance(target, gast.Subscript):
            self.reverse_store(node, target)
        elif isinstance(target, gast.Tuple):
            self.reverse_parts(node, target)
        else:
            self.reverse_definition(node, target.id)

    def reverse_definition(self, node: Any, key: str) -> None:
        made_here = isinstance(node.value, (gast.List, gast.BinOp, gast.ListComp))
        if key in self.shadows and made_here and getattr(node, "apply", None) is None:
            held = self.adjoints.pop(key, None)
            if isinstance(node.value, gast.BinOp) and held is not None:
                items = node.value.left
                for item in getattr(items, "elts", []):
                    if not isinstance(item, gast.Constant) and atom_key(item) in self.facts.varied:
                        raise self.refuse("a list of active values is repeated", ways.LOOP)
            return
        application = getattr(node, "apply", None)
        if application is None and isinstance(node.value, gast.Call) and is_pop(node.value):
            self.reverse_pop(node, [key])
            return
        if self.shadow_view(node, key):
            return
        mask = self.mask_of(key)
        held = self.adjoints.pop(key, None)
        if held is None or _is_zero(held.expr):
            return
        if application is None:
            if isinstance(node.value, (gast.Name, gast.Subscript, gast.Attribute)):
                if isinstance(node.value, gast.Subscript) and not self.is_atom(node.value):
                    self.check_unchanged(key, node)
                    self.reverse_getitem(node, key, node.value.value, held)
                    return
                self.contribute(node.value, self.as_source(node.value, held, key), sole=held.owned)
            return
        function, args, kwargs = application
        if function is operator.getitem:
            self.reverse_getitem(node, key, args[0], held)
            return
        fused = self.fused.application(node)
        if fused is not None:
            function, args = fused
        product = self.spectral.products.get(id(node))
        if product is not None:
            self.reverse_product(node, key, product, held)
            return
        self.reverse_call(
            node,
            load(key),
            self.facts.kinds[key],
            Operand(clone(held.expr), held.kind),
            function,
            args,
            kwargs,
            held.owned,
            mask,
        )

    def as_source(self, source: Expr, held: Adj, key: str) -> Operand:
        """The adjoint of a copy as the adjoint of what it is a copy of.

        On this path a name that may be an array or a number is what its source is, and one that may be of several
        lengths is as long as its source.
        """
        kind, value = self.kind_of(source), Operand(held.expr, held.kind)
        if isinstance(held.kind, Either) and isinstance(kind, (Array, Number)):
            return fit(value, held.kind, Operand(source, kind), self.facts)
        whole = _same_array(held.kind, self.facts.kinds.get(key, Unknown())) and isinstance(held.expr, gast.Name)
        if not whole or not isinstance(kind, Array) or kind.shape is None or _same_shape(held.kind, kind):
            return value
        name = self.facts.fresh("g")
        self.facts.kinds[name] = kind
        self.write(assign(name, clone(held.expr)))
        return Operand(load(name), kind)

    def is_atom(self, expr: Expr) -> bool:
        return atom_key(expr) in self.facts.kinds

    def shadow_view(self, node: Any, key: str) -> bool:
        """A view of overwritten memory: its contributions have gone to the base already."""
        if key in self.memory.choices:
            return True
        view = self.view_of_overwritten(key)
        return view is not None and view[0] is node and view[1] is not None

    def check_settled(self, key: str, node: Any) -> None:
        """A part of a result must be no view, or its memory must not be overwritten any more."""
        if key in self.memory.alias and self.memory.overwritten_after(key, None, self.memory.places[id(node)]):
            raise self.refuse(
                "it is not known whether this shares memory with an array that is overwritten",
                ways.COPY,
            )

    def reverse_parts(self, node: Any, target: Any) -> None:
        keys = [e.id for _, e in leaves(target)]
        application = getattr(node, "apply", None)
        if application is None:
            if isinstance(node.value, gast.Call) and is_pop(node.value):
                self.reverse_pop(node, keys)
            elif isinstance(node.value, gast.Subscript):
                self.reverse_tuple_item(node, keys)
            return
        if any(self.shadow_view(node, k) for k in keys):  # contributions have gone to the base already
            for key in keys:
                if key in self.adjoints and not self.shadow_view(node, key):
                    self.check_settled(key, node)
            return
        function, args, kwargs = application
        matrix = self.spectral.matrices.get(id(node))
        if matrix in self.adjoints:
            function, keys = eigh_and_matrix, [*keys, matrix]
        held = [self.adjoints.pop(k, None) for k in keys]
        if all(h is None or _is_zero(h.expr) for h in held):
            return
        for key in keys:
            self.check_settled(key, node)
        parts = [gast.Constant(None, None) if h is None or _is_zero(h.expr) else clone(h.expr) for h in held]
        kinds = [Static(None) if h is None or _is_zero(h.expr) else h.kind for h in held]
        cotangent = Operand(gast.Tuple(parts, gast.Load()), TupleKind(tuple(kinds)))
        y = gast.Tuple([load(k) for k in keys], gast.Load())
        self.reverse_call(
            node, y, TupleKind(tuple(self.facts.kinds[k] for k in keys)), cotangent, function, args, kwargs, False
        )

    def reverse_product(self, node: Any, key: str, product: Product, held: Adj) -> None:
        """A product of matrices that is a function of a symmetric matrix."""
        kind = self.facts.kinds[key]
        for statement in product.unmade:
            self.write(clone(statement))

        def written(statements: list[Stmt]) -> None:
            for made in statements:
                self.write(made)
                self.facts.kinds.setdefault(made.targets[0].id, self.kind(made.value))

        def operands(args: list[Expr], function: Any) -> list[Operand]:
            return [self.operand(a, node, function) if self.is_atom(a) else Operand(a, self.kind(a)) for a in args]

        def local(stem: str, value: Operand) -> Operand:
            if isinstance(value.expr, (gast.Constant, gast.Name)):
                return value
            name = self.facts.fresh(stem)
            self.facts.kinds[name] = value.kind
            self.write(assign(name, value.expr))
            return Operand(load(name), value.kind)

        def expanded(statement: Any, along: dict[Any, Operand]) -> Operand:
            function, args, kwargs = statement.apply
            made = statement.targets[0].id
            y = Operand(self.at(load(made), statement, after=True), self.facts.kinds[made])
            named = {k: self.operand(a, statement, function) for k, a in kwargs.items()}
            statements, tangent = forward.tangent(function, y, operands(args, function), named, along, self.facts)
            written(statements)
            return local("slope", tangent)

        def moved(function: Any, y: Operand, args: list[Expr], tangents: dict[int, Operand]) -> Operand:
            along = {(k,): t for k, t in tangents.items()}
            statements, tangent = forward.tangent(function, y, operands(args, function), {}, along, self.facts)
            written(statements)
            return tangent

        def called(function: Any, args: list[Expr], cotangent: Operand, active: set[int]) -> dict[int, Operand]:
            y, given = Operand(load(key), kind), operands(args, function)
            expansion = reverse.adjoint(function, y, given, {}, cotangent, {(k,) for k in active}, self.facts)
            written(expansion.statements)
            return {k[0]: value for k, value in expansion.contributions}

        def contribute(name: str, value: Operand) -> None:
            before = self.adjoints.pop(name, None) if name == product.matrix else None
            if before is not None:  # (not in place: what it is made of is told when it is derived once more)
                value = Operand(gast.BinOp(clone(before.expr), gast.Add(), value.expr), value.kind)
            self.contribute(load(name), value)

        cotangent = Operand(clone(held.expr), held.kind)
        terms = (product, kind, lambda e: Operand(e, self.kind(e)), expanded, moved, self.numpy())
        spectral_rules.Adjoints(*terms, local, called, contribute).whole(cotangent)

    def reverse_function(self, node: Any, keys: list[str]) -> None:
        """A call of a core function: a call of its backward sweep, which returns what each active argument gets."""
        function, args, _ = node.apply
        held = [self.adjoints.pop(k, None) for k in keys]
        changed = [atom_key(args[i]) for i in function.active_lists if i in function.writes]
        live = any(self.in_step(quote(k)) for k in changed)
        if not live and all(h is None or _is_zero(h.expr) for h in held):
            return
        results = [p for p in function.results if p.passed]
        given: list[Expr] = []
        for key, result, own in zip(keys, results, held, strict=True):
            if result.varied:
                zero = own is None or _is_zero(own.expr)
                given.append(self.zero_of(key, node, after=True) if own is None or zero else self.shaped(own, key))
        lists = [self.list_shadow(args[i]) for i in function.active_lists]
        call = self.functions.backward_call(function, lambda i: self.at(args[i], node), given, lists, self.tapes)
        call.reverses = node
        targets: list[Expr] = []
        parts: list[tuple[Expr, str]] = []
        for position in function.active:
            atom = args[position]
            if not self.active_atoms(atom):
                targets.append(gast.Name(self.facts.fresh("_", temp=False), gast.Store(), None, None))
                continue
            name = self.name_for(atom_key(atom))
            self.facts.kinds[name] = gradient_kind(function.passed[position].kind, self.kind_of(atom))
            targets.append(gast.Name(name, gast.Store(), None, None))
            parts.append((atom, name))
        if not targets:
            self.write(gast.Expr(call))
        else:
            self.write(assign(targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store()), call))
        for atom, name in parts:
            key, kind = atom_key(atom), self.facts.kinds[name]
            if key not in self.adjoints and self.shadow(key) is None and not isinstance(kind, (Unknown, ListOf)):
                self.adjoints[key] = Adj(load(name), kind, isinstance(kind, Array))
            else:
                self.contribute(atom, Operand(load(name), kind), sole=True)

    def reverse_call(
        self,
        node: Any,
        y: Expr,
        y_kind: Kind,
        cotangent: Operand,
        function: Any,
        args: list[Expr],
        kwargs: dict[str, Expr],
        sole: bool,
        mask: Mask | None = None,
    ) -> None:
        facts = self.facts
        origins: dict[Any, Expr] = {}
        active: set[Any] = set()

        def note(arg: Expr, key: tuple[Any, ...]) -> None:
            if isinstance(arg, (gast.Tuple, gast.List)):
                for i, item in enumerate(arg.elts):
                    note(item, (*key, i))
            elif not isinstance(arg, gast.Constant) and atom_key(arg) in facts.varied:
                origins[key] = arg
                active.add(key)

        for position, arg in [*enumerate(args), *kwargs.items()]:
            note(arg, (position,))
        operands = [self.operand(a, node, function) for a in args]
        named = {k: self.operand(a, node, function) for k, a in kwargs.items()}
        result = Operand(self.at(y, node, after=True), y_kind)
        same = _same_shape(cotangent.kind, y_kind) or (_scalar(cotangent.kind) and _scalar(y_kind))
        plain = mask is not None and same and is_elementwise(function) and not self.strong_zero
        if plain and not leaves_out(rules.lookup(function), args, {}, facts):
            assert mask is not None
            cotangent = mask.raw
        else:
            mask = None
        try:
            expansion = reverse.adjoint(
                function, result, operands, named, cotangent, active, facts, mask, self.care_of(y)
            )
        except NoDerivative as error:
            raise self.refuse(error.reason, error.way_out or ways.RULE) from None
        for statement in expansion.statements:
            self.write(statement)
            target = statement.targets[0] if isinstance(statement, gast.Assign) else None
            if isinstance(target, gast.Name) and target.id not in facts.kinds:
                facts.kinds[target.id] = self.kind(statement.value)
        names = [n.id for _, v in expansion.contributions for n in walk_names(v.expr)]
        own = {
            s.targets[0].id
            for s in expansion.statements
            if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and is_fresh(s.value)
        }
        if sole and isinstance(cotangent.expr, gast.Name):
            own.add(cotangent.expr.id)
        for key, value in self.joined(expansion.contributions, origins):
            bare = isinstance(value.expr, gast.Name)
            under = mask is not None or function in MASKS or self.is_safe(value.expr)
            if under and not self.strong_zero:
                self.contribute_masked(origins[key], value)
                continue
            self.contribute(origins[key], value, sole=bare and names.count(value.expr.id) == 1 and value.expr.id in own)

    def care_of(self, y: Expr) -> Care:
        """What products with the adjoint of a result have to look out for."""
        keys = [e.id for _, e in leaves(y)] if isinstance(y, gast.Tuple) else [atom_key(y)]
        level = min(self.zeros.adjoints.get(key, FULL) for key in keys)
        infinite = not self.zeros.infinite.isdisjoint(keys)
        return Care({None: level}, infinite, self.strong_zero, of_nan=self.zeros.of_nan)

    def is_safe(self, value: Expr) -> bool:
        """Is it a product that is zero where its cotangent is?"""
        return Mask.of(value, self.kind_of) is not None

    def contribute_masked(self, atom: Expr, value: Operand) -> None:
        """A contribution that is zero outside of a mask: the slopes of the next functions go under the mask."""
        mask = Mask.of(value.expr, self.kind_of)
        key = atom_key(atom)
        before = self.mask_of(key)
        alike = mask is not None and before is not None and before.same(mask)
        if mask is not None and before is not None and before.opposite(mask) and key in self.adjoints:
            one, other = (mask.raw, before.raw) if before.inverted else (before.raw, mask.raw)
            both = quote(f"{self.numpy()}.where(c, a, b)", c=mask.condition, a=one.expr, b=other.expr)
            if _same_shape(self.kind(both), self.facts.kinds.get(key, Unknown())):
                del self.adjoints[key]
                self.contribute(atom, Operand(both, self.kind(both)))
                return
        if mask is not None and before is not None and not alike and key in self.adjoints:
            self.contribute(atom, value)
            if key in self.adjoints and _same_shape(value.kind, self.facts.kinds.get(key, Unknown())):
                either = [m.told(load(self.numpy())) for m in (before, mask)]
                held = self.adjoints[key]
                condition = quote(f"{self.numpy()}.logical_or(a, b)", a=either[0], b=either[1])
                self.masks[key] = held, Mask(condition, False, Operand(clone(held.expr), held.kind))
            return
        alone = key not in self.adjoints or alike
        own = self.facts.kinds.get(key, Unknown())
        number = _scalar(own) and _scalar(value.kind) and mask is not None and _scalar(self.kind(mask.condition))
        if mask is None or not alone or not (number or _same_shape(value.kind, own)):
            self.contribute(atom, value)
            return
        raw = mask.raw
        if alike and before is not None:
            del self.adjoints[key]
            total = gast.BinOp(clone(before.raw.expr), gast.Add(), clone(raw.expr))
            raw = Operand(total, self.kind_of(total))
        if not isinstance(raw.expr, (gast.Name, gast.Constant)):
            name = self.facts.fresh("g")
            self.facts.kinds[name] = raw.kind
            raises = number and may_raise(raw.expr, self.facts)
            self.write(assign(name, mask.applied(raw.expr, load(self.numpy()), number) if raises else raw.expr))
            raw = Operand(load(name), raw.kind)
            mask = Mask(mask.condition, mask.inverted, raw)
        masked = mask.applied(clone(raw.expr), load(self.numpy()), number)
        kind = own if isinstance(own, Number) else Number(np.float64) if number else value.kind
        self.contribute(atom, Operand(masked, kind))
        if key in self.adjoints:
            self.masks[key] = (self.adjoints[key], mask)

    def mask_of(self, key: str) -> Mask | None:
        """The mask that makes an adjoint zero, if the adjoint is still the one that it was found of."""
        found = self.masks.get(key)
        return found[1] if found is not None and found[0] is self.adjoints.get(key) else None

    def joined(self, contributions: list[tuple[Any, Operand]], origins: dict[Any, Expr]) -> list[tuple[Any, Operand]]:
        """Contributions of one call, those that go to the same value (`x * x`, `w @ w`) added up."""
        out: dict[str, tuple[Any, Operand]] = {}
        for key, value in contributions:
            name = atom_key(origins[key])
            if name not in out:
                out[name] = (key, value)
                continue
            first = out[name][1]
            if text(first.expr) == text(value.expr):
                total: Expr = gast.BinOp(gast.Constant(2.0, None), gast.Mult(), clone(value.expr))
            else:
                total = gast.BinOp(clone(first.expr), gast.Add(), clone(value.expr))
            out[name] = (out[name][0], Operand(total, self.kind(total)))
        return list(out.values())

    def operand(self, atom: Expr, statement: Stmt, function: Any = None) -> Operand:
        expr = self.at(atom, statement)
        return Operand(expr, taken_by(function, self.kind_of(expr)))

    def kind_of(self, expr: Expr) -> Kind:
        return kind_of_atom(expr, self.facts)

    # --- indexing

    def indexed_by_arrays(self, index: Expr) -> bool:
        """Does an index pick elements by integer arrays or lists, so that one may be picked twice?"""
        for part in index.elts if isinstance(index, gast.Tuple) else [index]:
            if isinstance(part, (gast.Slice, gast.Constant)):
                continue
            kind = self.kind_of(part)
            if isinstance(kind, Array):
                if kind.dtype.kind != "b":
                    if kind.shape == ():
                        continue
                    return True
            elif isinstance(kind, (ListKind, ListOf)):
                items = kind.items if isinstance(kind, ListKind) else (kind.item,)
                if any(not (isinstance(k, Static) or (isinstance(k, Number) and k.type is bool)) for k in items):
                    return True
            elif isinstance(kind, (Unknown, TupleKind)):
                return True
        return False

    def reverse_getitem(self, node: Any, key: str, base: Expr, held: Adj) -> None:
        base_key = atom_key(base)
        if base_key not in self.facts.varied:
            return
        index = self.index_at(node.value.slice, node)
        kind = self.facts.kinds.get(base_key, Unknown())
        if isinstance(kind, ListOf):
            buffer = self.list_shadow(base)
            target = gast.Subscript(buffer, clone(index), gast.Store())
            if isinstance(kind.item, Number):
                self.write(gast.AugAssign(target, gast.Add(), clone(held.expr)))
            else:
                read = gast.Subscript(clone(buffer), clone(index), gast.Load())
                if isinstance(kind.item, ListOf):
                    self.add_items(kind.item, read, held.expr)
                else:
                    self.write(assign(target, self.sum_of(kind.item, read, held.expr)))
            return
        if isinstance(kind, Number):  # a NumPy number under a mask: an array of it, or of nothing
            total = quote(f"{self.numpy()}.sum(g)", g=held.expr)
            self.contribute(base, Operand(total, Number(np.float64)))
            return
        if self.is_broadcast(base_key):
            g = self.zeros_of(base_key)
            self.add_at(load(g), index, held.expr, turned=False)
            self.through_broadcast(base_key, Operand(load(g), kind))
            return
        shadow = self.shadow(base_key)
        if shadow is None and not self.is_turned(base_key):
            back = without_new_axes(index)
            full = infer(node.value, self.facts)
            if back is not None and isinstance(held.kind, Array) and _same_shape(held.kind, full):
                value = gast.Subscript(clone(held.expr), back, gast.Load())
                self.contribute(base, Operand(value, self.kind(value)))
                return
        buffer = shadow if shadow is not None else self.buffer(base_key)
        self.add_at(buffer, index, held.expr, turned=self.is_turned(base_key))

    def zeros_of(self, key: str) -> str:
        """The name of a new array of zeros, with rows of its own, in the shape of a value."""
        g = self.facts.fresh("g")
        self.facts.kinds[g] = self.facts.kinds[key]
        self.write(assign(g, quote(f"{self.numpy()}.zeros(x.shape, x.dtype)", x=key)))
        return g

    def add_at(self, buffer: Expr, index: Expr, value: Expr, *, turned: bool) -> None:
        """Add to a part of adjoint memory, or subtract; repeated indices accumulate."""
        if self.indexed_by_arrays(index):
            way = "subtract" if turned else "add"
            where = index_value(index)
            self.write(gast.Expr(quote(f"{self.numpy()}.{way}.at(b, i, g)", b=buffer, i=where, g=value)))
            return
        place = gast.Subscript(clone(buffer), clone(index), gast.Store())
        self.write(gast.AugAssign(place, gast.Sub() if turned else gast.Add(), clone(value)))

    def reverse_store(self, node: Any, target: Any) -> None:
        base_key = atom_key(target.value)
        kind = self.facts.kinds.get(base_key, Unknown())
        if isinstance(kind, ListOf):
            self.reverse_list_store(node, target)
            return
        if self.overwrites_all(base_key, target.slice, node.value):
            self.reverse_overwrite(node, base_key)
            return
        buffer = self.store_buffer(base_key)
        if buffer is None:
            return
        index = self.index_at(target.slice, node)
        read = _place(buffer, index)
        cotangent = self.taken_out(target.value, index, read) if self.active_atoms(node.value) else None
        write = clone(read)
        write.ctx = gast.Store()
        zeroing = assign(write, gast.Constant(0.0, None))
        zeroing.zeroing = True
        self.write(zeroing)
        if cotangent is not None:  # behind the zeroing: what was stored may come from the same memory
            self.distribute(node.value, cotangent, node)

    def overwrites_all(self, key: str, index: Expr, value: Expr) -> bool:
        """Does a store overwrite a whole array that is no view with another, `y[...] = t`?"""
        whole = isinstance(index, gast.Constant) and index.value is Ellipsis
        if not whole or key in self.memory.alias or isinstance(value, (gast.Tuple, gast.List)):
            return False
        if key in self.memory.choices:
            return False
        held, full = self.adjoints.get(key), self.facts.kinds.get(key, Unknown())
        if _same_array(full, self.kind(value)):
            return True
        return held is not None and _same_array(full, held.kind) and isinstance(self.kind(value), Number)

    def reverse_overwrite(self, node: Any, key: str) -> None:
        """What the array held is gone: its adjoint is that of the value, and what it held before gets a new one."""
        held = self.adjoints.pop(key, None)
        self.masks.pop(key, None)
        if held is None or _is_zero(held.expr) or not self.active_atoms(node.value):
            return
        cotangent = Operand(held.expr, held.kind)
        if isinstance(self.kind(node.value), Number):
            cotangent = fit(cotangent, held.kind, self.operand(node.value, node), self.facts)
        self.contribute(node.value, cotangent, sole=held.owned)

    def active_atoms(self, value: Expr) -> list[Expr]:
        if isinstance(value, (gast.Tuple, gast.List)):
            return [a for e in value.elts for a in self.active_atoms(e)]
        if isinstance(value, gast.Constant) or atom_key(value) not in self.facts.varied:
            return []
        return [value]

    def store_buffer(self, key: str) -> Expr | None:
        """The adjoint memory that a store reads; None where nothing depends on what was stored."""
        base = self.stored_base(key)
        if not self.is_needed(base):
            return None
        if base not in self.memory.choices:
            self.buffer(base)
        shadow = self.shadow(key)
        return shadow if shadow is not None else self.buffer(key)

    def is_needed(self, base: str) -> bool:
        """Has a name an adjoint by now, or what it may be?"""
        choice = self.memory.choices.get(base)
        if choice is not None:
            return any(self.is_needed(self.stored_base(home)) for home in choice.homes)
        held = self.adjoints.get(base)
        return held is not None and not _is_zero(held.expr)

    def stored_base(self, key: str) -> str:
        """The name of which another is a view, that is stored through."""
        base = key
        places = self.memory.definitions.get(base, [])
        while base in self.memory.alias and len(places) == 1 and not getattr(places[0].statement, "copy", False):
            if not self.memory.overwritten_after(base, None, places[0]):
                break
            view = self.view_parts(places[0].statement, base)
            if view is None:
                raise not_known(self.statement, self.source)
            base = view[0]
            places = self.memory.definitions.get(base, [])
        return base

    def taken_out(
        self, base: Expr, index: Expr, read: Expr, *, negative: bool = False, scatter: bool = False
    ) -> Operand:
        """The adjoint of the place where something was stored, as a value of its own.

        Args:
            base, index: where it was stored.
            read: that place in the adjoint memory.
            negative: for what was subtracted.
            scatter: did repeated indices accumulate?
        """
        region = self.kind(gast.Subscript(clone(base), clone(index), gast.Load()))
        value: Expr = read
        by_arrays = self.indexed_by_arrays(index)
        if by_arrays and not scatter:
            from s2sad.runtime import helpers

            name = helper(helpers.stored_cotangent, self.facts)
            value = gast.Call(load(name), [clone(read.value), index_value(index)], [])
        if negative != self.is_turned(atom_key(base)):
            value = gast.UnaryOp(gast.USub(), value)
        elif not by_arrays and not isinstance(region, Number):
            value = gast.Call(gast.Attribute(read, "copy", gast.Load()), [], [])
        g = self.facts.fresh("g")
        self.facts.kinds[g] = region
        self.write(assign(g, value))
        return Operand(load(g), region)

    def distribute(self, value: Expr, cotangent: Operand, node: Any) -> None:
        """Contribute the cotangent of a stored value to its atoms, undoing the broadcast of the store."""
        if not self.active_atoms(value):
            return
        if isinstance(value, (gast.Tuple, gast.List)):
            self.distribute_items(value, self.of_display(value, cotangent, node), node)
            return
        stands = self.operand(value, node)
        fitted = fit(cotangent, cotangent.kind, stands, self.facts)
        if isinstance(stands.kind, ListOf):  # what was stored out of a list is an array
            fitted = Operand(fitted.expr, Unknown())
        self.contribute(
            value, fitted, sole=isinstance(fitted.expr, gast.Name) and not isinstance(cotangent.kind, Number)
        )

    def distribute_items(self, value: Any, cotangent: Operand, node: Any) -> None:
        """The same for the items of a display, of which the cotangent has the shape."""
        shape, have = shape_of(kind_of_atom(value, self.facts)), shape_of(cotangent.kind)
        left_out = shape is not None and have is not None and len(have) < len(shape)  # the display has one item
        for i, part in enumerate(value.elts):
            if self.active_atoms(part):
                item = gast.Subscript(clone(cotangent.expr), gast.Constant(i, None), gast.Load())
                of_part = cotangent if left_out else Operand(item, self.kind(item))
                whole = isinstance(part, (gast.Tuple, gast.List))
                (self.distribute_items if whole else self.distribute)(part, of_part, node)

    def of_display(self, value: Expr, cotangent: Operand, node: Any) -> Operand:
        """The cotangent of a display that was stored: the store may have broadcast it, `a[:] = [s, t]` to many rows."""
        region = cotangent.kind
        shape = shape_of(kind_of_atom(value, self.facts))
        kind = Array(region.dtype, shape) if isinstance(region, Array) else Unknown()
        fitted = fit(cotangent, region, Operand(self.at(value, node), kind), self.facts)
        if isinstance(fitted.expr, gast.Name):
            return fitted
        name = self.facts.fresh("g")  # its items are taken one by one
        self.facts.kinds[name] = fitted.kind
        self.write(assign(name, fitted.expr))
        return Operand(load(name), fitted.kind)

    def reverse_AugAssign(self, node: Any) -> None:
        target = node.target
        if isinstance(target, gast.Name):
            target = gast.Subscript(load(target.id), gast.Constant(Ellipsis, None), gast.Load())
        key = atom_key(target.value)
        buffer = self.store_buffer(key)
        if buffer is None:
            return
        if not self.active_atoms(node.value):
            if isinstance(node.op, (gast.Mult, gast.Div)):
                # to the lowering it was no active value yet: another name of its memory may have made it one
                place = gast.Subscript(clone(buffer), self.index_at(target.slice, node), gast.Store())
                self.write(gast.AugAssign(place, type(node.op)(), clone(node.value)))
            return
        index = self.index_at(target.slice, node)
        read = _place(buffer, index)
        negative = isinstance(node.op, gast.Sub)
        self.distribute(node.value, self.taken_out(target.value, index, read, negative=negative), node)

    def reverse_Expr(self, node: Any) -> None:
        if is_function_call(node):
            self.reverse_function(node, [])
            return
        scatter = getattr(node, "scatter", None)
        if scatter is not None:
            base, index, value = scatter
            index = self.index_at(index, node)
            buffer = self.store_buffer(atom_key(base))
            if buffer is None or not self.active_atoms(value):
                return
            read = gast.Subscript(buffer, clone(index), gast.Load())
            self.distribute(value, self.taken_out(base, index, read, scatter=True), node)
            return
        call = node.value
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
            if call.func.attr in ("append", "insert"):
                self.reverse_append(node, call)
            elif call.func.attr == "reverse" and self.in_step(call.func.value):
                shadow = self.list_shadow(call.func.value)
                self.write(gast.Expr(gast.Call(gast.Attribute(shadow, "reverse", gast.Load()), [], [])))

    # --- lists that are lists at run time

    def contribute_list(self, key: str, value: Operand, sole: bool) -> None:
        """Add to the adjoint of a list, item by item."""
        kind = self.facts.kinds[key]
        assert isinstance(kind, ListOf)
        taken = self.taken_from(key)
        if taken is not None and taken.stands:
            self.add_items(kind, self.list_shadow(load(key)), value.expr)
            return
        if key not in self.shadows:  # what was appended or popped after this has to be followed
            self.shadows.add(key)
            raise Again
        held = self.adjoints.get(key)
        if held is not None and key in self.handed_in:
            self.add_items(kind, held.expr, value.expr)
        elif held is not None:
            self.hold(key, self.sum_of(kind, held.expr, value.expr), kind, True)
        elif not isinstance(value.kind, ListOf):
            self.hold(key, self.as_items(value.expr, kind), kind, True)
        elif isinstance(value.expr, gast.Name):
            self.adjoints[key] = Adj(value.expr, kind, sole)
        else:
            self.hold(key, value.expr, kind, sole or isinstance(value.expr, (gast.BinOp, gast.Call)))

    def as_items(self, value: Expr, kind: ListOf) -> Expr:
        """The adjoint of an array that was made of a list, as a list."""
        if isinstance(kind.item, ListOf):
            return quote("[rows for v in g]", rows=self.as_items(quote("v"), kind.item), g=value)
        if isinstance(kind.item, Number) and kind.item.type in (float, complex):
            return quote("g.tolist()", g=value)
        return quote("list(g)", g=value)

    def add_items(self, kind: ListOf, place: Expr, value: Expr) -> None:
        """Add one adjoint of a list to another in place, item by item."""
        if not isinstance(place, gast.Name):
            name = self.facts.fresh("g")
            self.facts.kinds[name] = kind
            self.write(assign(name, place))
            place = load(name)
        if not isinstance(value, gast.Name):
            name = self.facts.fresh("g")
            self.facts.kinds[name] = kind
            self.write(assign(name, value))
            value = load(name)
        k = self.facts.fresh("k", temp=False)
        self.facts.kinds[k] = Number(int)
        mine, theirs = (gast.Subscript(clone(e), load(k), gast.Load()) for e in (place, value))
        if isinstance(kind.item, Number):
            body: list[Stmt] = [gast.AugAssign(as_target(mine), gast.Add(), theirs)]
        elif isinstance(kind.item, ListOf):
            outer, self.out = self.out, []
            self.add_items(kind.item, mine, theirs)
            body, self.out = self.out, outer
        else:
            body = [assign(as_target(mine), self.sum_of(kind.item, mine, theirs))]
        self.write(gast.For(load_target(k), quote("range(len(x))", x=place), body, [], None))

    def sum_of(self, kind: Kind, a: Expr, b: Expr) -> Expr:
        """The sum of two adjoints in the structure of a list or of one of its items."""
        if not isinstance(kind, (ListOf, TupleKind, ListKind)):
            return gast.BinOp(clone(a), gast.Add(), clone(b))
        numbers = iter(range(1000))
        if isinstance(kind, ListOf):
            first, second, total = self.item_sum(kind.item, numbers)
            return quote(f"[{total} for {first}, {second} in zip(a, b)]", a=a, b=b)
        parts = []
        for k, part in enumerate(kind.items):
            one, other = (gast.Subscript(clone(e), gast.Constant(k, None), gast.Load()) for e in (a, b))
            parts.append(gast.Constant(None, None) if carries_nothing(part) else self.sum_of(part, one, other))
        return (gast.List if isinstance(kind, ListKind) else gast.Tuple)(parts, gast.Load())

    def item_sum(self, kind: Kind, numbers: Any) -> tuple[str, str, str]:
        """Targets that take two items apart, and the text of their sum."""
        k = next(numbers)
        a, b = f"v{k}", f"w{k}"
        if carries_nothing(kind):
            return a, b, "None"
        if isinstance(kind, (Number, Array)) or type(kind) is Unknown:
            return a, b, f"{a} + {b}"
        if isinstance(kind, (TupleKind, ListKind)) and kind.items:
            columns = zip(*(self.item_sum(part, numbers) for part in kind.items), strict=True)
            one, other, both = (", ".join(x) + "," * (len(x) == 1) for x in columns)
            return f"({one})", f"({other})", f"({both})" if isinstance(kind, TupleKind) else f"[{both}]"
        if isinstance(kind, ListOf):
            first, second, total = self.item_sum(kind.item, numbers)
            return a, b, f"[{total} for {first}, {second} in zip({a}, {b})]"
        raise self.refuse("this list holds active values of different kinds", ways.LIST_EACH)

    def taken_from(self, key: str) -> Taken | None:
        """Of which run-time list a name is an item, where it was read by an index."""
        if key not in self.taken:
            self.taken[key] = self.find_taken(key)
        return self.taken[key]

    def find_taken(self, key: str) -> Taken | None:
        places = self.memory.definitions.get(key, []) if self.memory is not None else []
        if len(places) != 1 or not isinstance(self.facts.kinds.get(key), ListOf):
            return None
        statement = places[0].statement
        value = statement.value if isinstance(statement, gast.Assign) else None
        if not isinstance(value, gast.Subscript) or self.is_atom(value) or isinstance(value.slice, gast.Slice):
            return None
        if not isinstance(self.facts.kinds.get(atom_key(value.value)), ListOf):
            return None
        target = statement.targets[0]
        part = next(path for path, e in leaves(target) if e.id == key)
        outer = atom_key(value.value)
        stands = not self.memory.moved_before_use(key, outer, self.counts_from_start(value.slice))
        return Taken(value.value, value.slice, part, stands)

    def counts_from_start(self, index: Expr) -> bool:
        """Is an index certain not to count from the end of a list?"""
        if isinstance(index, gast.Constant):
            return isinstance(index.value, int) and index.value >= 0
        found = self.memory.definitions.get(index.id, []) if isinstance(index, gast.Name) else []
        if len(found) != 1 or not isinstance(found[0].statement, gast.For) or not is_range(found[0].statement.iter):
            return False
        bounds = found[0].statement.iter
        bounds = bounds.args[0] if bounds.func.id == "reversed" else bounds
        known = [a.value if isinstance(a, gast.Constant) else None for a in bounds.args]
        if len(known) == 3 and (known[2] is None or known[2] < 0):
            return False
        return len(known) == 1 or (known[0] is not None and known[0] >= 0)

    def in_step(self, base: Expr) -> bool:
        """Has a list an adjoint by now, in which its changes have to be followed?"""
        key = atom_key(base)
        taken = self.taken_from(key)
        if taken is not None:
            if key not in self.shadows and not self.in_step(taken.outer):
                return False
            if not taken.stands:
                raise self.refuse(
                    "a list that is an item of a list is changed, and which item that is changes, too",
                    ways.ONE_ARRAY,
                    concrete=True,
                )
            return True
        if key in self.shadows:
            return True
        if key in self.facts.varied and self.adjoints.get(key) is not None:
            self.shadows.add(key)
            raise Again
        return False

    def list_shadow(self, base: Expr) -> Expr:
        """The list of the adjoints of a list's items."""
        key = atom_key(base)
        taken = self.taken_from(key)
        if taken is not None and taken.stands:  # the adjoint of an item of a list of lists is that item of its adjoint
            return taken.within(self.list_shadow(taken.outer))
        if key not in self.shadows:
            self.shadows.add(key)
            raise Again
        held = self.adjoints.get(key)
        kind = self.facts.kinds[key]
        assert isinstance(kind, ListOf)
        if held is not None and not (held.owned and isinstance(held.expr, gast.Name)):  # the caller's cotangent
            name = self.name_for(key)
            self.facts.kinds[name] = kind
            self.write(assign(name, copied_list(kind, held.expr)))
            self.adjoints[key] = held = Adj(load(name), kind, True)
        if held is not None:
            return clone(held.expr)
        name = self.name_for(key)
        self.facts.kinds[name] = kind
        zeros = self.zeros_list(clone(base), kind)
        in_front = isinstance(self.statement, (gast.For, gast.While))
        self.write(assign(name, self.where_bound(key, zeros, self.statement) if in_front else zeros))
        self.adjoints[key] = Adj(load(name), kind, True)
        return load(name)

    def zeros_list(self, base: Expr, kind: ListOf, key: str | None = None) -> Expr:
        """Zeros in the structure of a list that may be None on a path where it has no value; `key` is its own name."""
        if isinstance(kind.item, Number) or is_point(kind.item):
            zeros = quote(f"[{zero_number(kind.item)}] * len(x)", x=base)
        else:
            names, zero = self.zero_item(kind.item, iter(range(1000)))
            zeros = quote(f"[{zero} for {names} in x]", x=base)
        places = self.memory.definitions.get(key or atom_key(base), ())
        made = [getattr(place.statement, "value", None) for place in places]
        if any(isinstance(value, gast.Constant) and value.value is None for value in made):
            return quote("[] if x is None else zeros", x=base, zeros=zeros)
        return zeros

    def zero_item(self, kind: Kind, numbers: Any) -> tuple[str, str]:
        """A target that takes an item apart, and the text of zeros in its structure."""
        name = f"v{next(numbers)}"
        if carries_nothing(kind):
            return name, "None"
        if isinstance(kind, Number) or is_point(kind):
            return name, zero_number(kind)
        if isinstance(kind, (Array, Unknown)):
            return name, f"{self.numpy()}.zeros_like({name})"
        if isinstance(kind, TupleKind):
            parts = [self.zero_item(k, numbers) for k in kind.items]
            return f"({', '.join(p for p, _ in parts)},)", f"({', '.join(z for _, z in parts)},)"
        if isinstance(kind, ListKind) and kind.items:
            parts = [self.zero_item(k, numbers) for k in kind.items]
            return f"({', '.join(p for p, _ in parts)},)", f"[{', '.join(z for _, z in parts)}]"
        if isinstance(kind, ListOf):
            if isinstance(kind.item, Number):
                return name, f"[{zero_number(kind.item)}] * len({name})"
            inner, zero = self.zero_item(kind.item, numbers)
            return name, f"[{zero} for {inner} in {name}]"
        raise self.refuse("this list holds active values of different kinds", ways.LIST_EACH)

    def reverse_append(self, node: Any, call: Any) -> None:
        if not self.in_step(call.func.value):
            return
        buffer = self.list_shadow(call.func.value)
        *place, item = call.args
        pop = gast.Call(gast.Attribute(buffer, "pop", gast.Load()), clone(place), [])
        key = atom_key(call.func.value)
        kind = self.facts.kinds[key]
        assert isinstance(kind, ListOf)
        parts: list[tuple[Expr, str]] = []
        self.write(assign(self.parts_of(item, kind.item, parts, True), pop))
        for position, (part, name) in enumerate(parts):
            own = self.facts.kinds[name]
            self.contribute(part, Operand(load(name), own), sole=isinstance(own, ListOf))
            held = self.adjoints.get(atom_key(part)) if not isinstance(part, gast.Constant) else None
            if (key, position) in self.masked and held is not None and text(held.expr) == name:
                # what a mask made zero stays zero, whatever the slopes are
                nonzero = gast.Compare(load(name), [gast.NotEq()], [gast.Constant(0.0, None)])
                self.masks[atom_key(part)] = held, Mask(nonzero, False, Operand(load(name), own))

    def parts_of(self, item: Expr, kind: Kind, parts: list[tuple[Expr, str]], whole: bool = False) -> Expr:
        """A target that takes the adjoint of an item apart as the item was put together, with a name for each part."""
        kinds: tuple[Kind, ...] | None = None
        if isinstance(item, (gast.Tuple, gast.List)):
            kinds = kind.items if in_parts(kind) else None
            kinds = (kind.item,) * len(item.elts) if isinstance(kind, ListOf) else kinds
        if kinds is not None:
            made = [self.parts_of(e, k, parts) for e, k in zip(item.elts, kinds, strict=True)]
            return gast.Tuple(made, gast.Store())
        name = self.facts.fresh("g")
        self.facts.kinds[name] = self.kind_of(item) if whole else kind
        parts.append((item, name))
        return gast.Name(name, gast.Store(), None, None)

    def reverse_pop(self, node: Any, keys: list[str]) -> None:
        base = node.value.func.value
        key = atom_key(base)
        held = [self.adjoints.pop(k, None) for k in keys]
        if key not in self.facts.varied:
            return
        if not self.in_step(base) and all(h is None for h in held):
            return
        buffer = self.list_shadow(base)
        for k, h in zip(keys, held, strict=True):
            changed = isinstance(self.facts.kinds.get(k), ListOf) and self.memory.is_overwritten(k)
            if h is None and changed and k in self.facts.varied and k not in self.shadows:
                self.shadows.add(k)
                raise Again
        for position, k in enumerate(keys):
            if self.masks.pop(k, None) is not None:
                self.masked.add((key, position))
        parts = [
            self.zero_of(k, node, after=True) if h is None else self.shaped(h, k)
            for h, k in zip(held, keys, strict=True)
        ]
        kind = self.facts.kinds[key]
        assert isinstance(kind, ListOf)
        item = _display(kind.item, parts)
        place = clone(node.value.args)
        name = "insert" if place else "append"
        self.write(gast.Expr(gast.Call(gast.Attribute(buffer, name, gast.Load()), [*place, item], [])))

    def shaped(self, held: Adj, key: str) -> Expr:
        kind = self.facts.kinds.get(key, Unknown())
        if isinstance(kind, Array) and not (isinstance(held.kind, Array) and _same_shape(held.kind, kind)):
            return quote(f"{self.numpy()}.full_like(x, g)", x=key, g=held.expr)
        if isinstance(kind, Either) and _smaller(held.kind, kind.array) and not _is_zero(held.expr):
            return self.as_large(key, held.expr, held.kind)
        if isinstance(kind, ListOf) and not held.owned:
            return copied_list(kind, held.expr)
        return clone(held.expr)

    def zero_of(self, key: str, node: Any = None, after: bool = False) -> Expr:
        """Zero in the form of a value; a list has the length that it has before or after a statement."""
        kind = self.facts.kinds.get(key, Unknown())
        if carries_nothing(kind):
            return gast.Constant(None, None)
        if isinstance(kind, Number):
            return gast.Constant(0.0, None)
        if isinstance(kind, ListOf):
            return self.zeros_list(quote(key) if node is None else self.at(quote(key), node, after), kind, key)
        return zeros_of(self.numpy(), key, kind)

    def reverse_tuple_item(self, node: Any, keys: list[str]) -> None:
        base, index = node.value.value, self.index_at(node.value.slice, node)
        key = atom_key(base)
        held = [self.adjoints.pop(k, None) for k in keys]
        if all(h is None for h in held) or key not in self.facts.varied:
            return
        for k, h in zip(keys, held, strict=True):
            if h is not None:
                self.check_unchanged(k, node)
        buffer = self.list_shadow(base)
        names = []
        for k in keys:
            name = self.facts.fresh("g")
            self.facts.kinds[name] = self.facts.kinds[k]
            names.append(name)
        read = gast.Subscript(clone(buffer), clone(index), gast.Load())
        self.write(assign(same_pattern(node.targets[0], names), read))
        parts: list[Expr] = []
        for name, own in zip(names, held, strict=True):
            part = self.facts.kinds[name]
            if own is not None and isinstance(part, ListOf):
                self.add_items(part, load(name), own.expr)
            parts.append(
                load(name) if own is None or isinstance(part, ListOf) else self.sum_of(part, load(name), own.expr)
            )
        whole = self.facts.kinds[key]
        assert isinstance(whole, ListOf)
        self.write(assign(gast.Subscript(buffer, clone(index), gast.Store()), _display(whole.item, parts)))

    def check_unchanged(self, key: str, node: Any) -> None:
        """An item of a list of lists has an adjoint of its own only where nobody changes the item afterwards."""
        if not isinstance(self.facts.kinds.get(key), ListOf):
            return
        if self.memory.overwritten_after(key, None, self.memory.places[id(node)]):
            raise self.refuse(
                "a list that is an item of a list is changed after it is read",
                ways.ONE_ARRAY,
                concrete=True,
            )

    def reverse_list_store(self, node: Any, target: Any) -> None:
        if not self.in_step(target.value):
            return
        buffer = self.list_shadow(target.value)
        kind = self.facts.kinds[atom_key(target.value)]
        assert isinstance(kind, ListOf)
        kinds = list(_leaf_kinds(kind.item))
        names = [self.facts.fresh("g") for _ in kinds]
        self.facts.kinds.update(zip(names, kinds, strict=True))
        taken = same_pattern(_display(kind.item, [load(n) for n in names]), names)
        index = self.index_at(target.slice, node)
        read = gast.Subscript(clone(buffer), clone(index), gast.Load())
        self.write(assign(taken, read))
        found = leaves(node.value) if in_parts(kind.item) else [((), node.value)]
        stood = self.memory.put_back(node)
        back = {k for k, (path, _) in enumerate(found) if path in stood}
        shapes = getattr(node, "old_shapes", {})
        old = [shapes.get(path) for path, _ in leaves(_display(kind.item, [load(n) for n in names]))]
        zeros = [load(n) if i in back else self.zero_like(n, kinds[i], old[i]) for i, n in enumerate(names)]
        self.write(assign(gast.Subscript(buffer, clone(index), gast.Store()), _display(kind.item, zeros)))
        parts = [part for _, part in found]
        if len(parts) != len(names):
            self.contribute(node.value, Operand(read, kind.item))
            return
        for position, (part, name, own) in enumerate(zip(parts, names, kinds, strict=True)):
            if self.active_atoms(part) and position not in back:
                self.contribute(part, Operand(load(name), own))

    def zero_like(self, name: str, kind: Kind, shape: str | None = None) -> Expr:
        """Zero in the form of an adjoint that has a name, or of this shape."""
        if carries_nothing(kind):
            return gast.Constant(None, None)
        if isinstance(kind, Number):
            return gast.Constant(0.0, None)
        if isinstance(kind, (Array, Unknown)) and shape is not None:
            return quote(f"{self.numpy()}.zeros_like(g, shape=s)", g=name, s=shape)
        if isinstance(kind, (Array, Unknown)):
            return quote(f"{self.numpy()}.zeros_like(g)", g=name)
        if isinstance(kind, ListOf):
            raise self.refuse("a list of active values is stored into a list of lists", ways.ONE_ARRAY, concrete=True)
        raise self.refuse("this list holds active values of different kinds", ways.LIST_EACH)

    # --- control

    def reverse_With(self, node: Any) -> None:
        inner = self.nested(node.body, straight=True)
        quiet = all(
            isinstance(i.context_expr, gast.Call) and getattr(i.context_expr.func, "attr", "") == "errstate"
            for i in node.items
        )
        if inner and quiet:
            self.write(gast.With([clone(i) for i in node.items], inner, None))
        else:
            self.out.extend(inner)

    def reverse_If(self, node: Any) -> None:
        self.keep_values_of([*node.body, *node.orelse])
        before = dict(self.adjoints)
        states: list[dict[str, Adj]] = []
        blocks: list[list[Stmt]] = []
        origins: list[Origin | None] = []
        for body in (node.body, node.orelse):
            self.adjoints = dict(before)
            blocks.append(self.nested(body))
            states.append(self.without_unmade(node, body))
            origins.append(self.origin)
        self.adjoints = self.merge(states, blocks, node, origins)
        if not blocks[0] and not blocks[1]:
            return
        self.statement = node
        self.origin = getattr(node, "origin", None)
        test = self.test_name(node)
        statement = gast.If(load(test), blocks[0] or [gast.Pass()], blocks[1])
        self.write(statement)
        statement.origin = None
        statement.forward = node

    def without_unmade(self, node: Any, side: list[Stmt]) -> dict[str, Adj]:
        """The adjoints in front of a side of a branch, without those of arrays that may be chosen and are made on the
        other side: nobody has them here."""
        homes = {h for choice in self.memory.choices.values() for h in choice.homes}
        if not homes:
            return dict(self.adjoints)
        elsewhere = {id(s) for s in statements_in(node.orelse if side is node.body else node.body)}
        made = {h: self.memory.definitions.get(h, ()) for h in homes}
        gone = {h for h, places in made.items() if places and all(id(p.statement) in elsewhere for p in places)}
        return {key: held for key, held in self.adjoints.items() if key not in gone}

    def test_name(self, node: Any) -> str:
        """The name that holds the condition of a branch."""
        if not isinstance(node.test, gast.Name) or not getattr(node, "named_test", False):
            name = self.facts.fresh("taken")
            self.facts.kinds[name] = Number(bool)
            node.test_value = node.test
            node.test = load(name)
            node.named_test = True
        return str(node.test.id)

    def is_bound(self, key: str, node: Any, side: list[Stmt]) -> bool:
        """Is a name of the primal certain to be bound on one side of a branch?"""
        if key not in self.memory.definitions:
            return True
        if self._bound is None:
            self._bound = bound_before(self.body)
        return key in self._bound.get(id(node), ()) or key in surely_bound(side)

    def has_value(self, key: str, node: Any) -> bool:
        """Is a name of the primal certain to have a value in front of a branch or a loop?"""
        if key not in self.memory.definitions:
            return True
        if self._valued is None:
            self._valued = valued_before(self.body, self.parameters)
        return key in self._valued.get(id(node), ())

    def came_in(self, key: str, node: Any) -> bool:
        """May a name have got its value before a branch: in front of it, or in an earlier turn of a loop around it?"""
        here = self.memory.places[id(node)]
        return bool(here.loops) or any(place.order < here.order for place in self.memory.definitions.get(key, ()))

    def spread(self, key: str, expr: Expr, node: Any, side: list[Stmt]) -> Expr:
        """A smaller adjoint as large as its array, on a side of a branch that may not have the array."""
        whole = quote(f"{self.numpy()}.full_like(x, g)", x=key, g=expr)
        return whole if key in names_read(side) or not self.came_in(key, node) else self.where_bound(key, whole, node)

    def where_bound(self, key: str, expr: Expr, node: Any) -> Expr:
        """An adjoint in front of a branch or a loop; empty where its value has not been bound yet.

        if c: s = x * x                               s = None
        for k in range(n):                    ->      ...
            if c: total += s[k]                       bs = 0.0 if s is None else np.zeros_like(s)
        """
        read = names_read(expr)
        then = next((p.name for p in self.placeholders.values() if p.key == key and p.name in read), key)
        reads = then in read or called(expr) == "copy"  # which a number in place of the array has not
        if not reads or self.has_value(key, node):
            return expr
        nodes = (node for statement in self.body for node in walk(statement))
        if any(isinstance(node, gast.ExceptHandler) and _UNBOUND & names_read(node) for node in nodes):
            raise self.refuse(
                "an exception tells whether a name has a value, and its adjoint goes through a loop",
                ways.VALUE_BEFORE,
            )
        self.unset.add(key)
        test = gast.Compare(load(then), [gast.Is()], [gast.Constant(None, None)])
        listed = isinstance(self.facts.kinds.get(key), ListOf)
        return gast.IfExp(test, quote("[]") if listed else gast.Constant(0.0, None), expr)

    def merge(
        self, states: list[dict[str, Adj]], blocks: list[list[Stmt]], node: Any, origins: list[Origin | None]
    ) -> dict[str, Adj]:
        """The adjoints before a branch, from those that its two sides leave."""
        merged: dict[str, Adj] = {}
        passed = _Passed(blocks)
        for key in dict.fromkeys([*states[0], *states[1]]):
            a, b = states[0].get(key), states[1].get(key)
            if a is not None and b is not None and _same(a, b):
                merged[key] = Adj(a.expr, a.kind, a.owned and b.owned)
                continue
            if (a is None or _is_zero(a.expr)) and (b is None or _is_zero(b.expr)):
                continue
            full = self.facts.kinds.get(key, Unknown())
            nothing = none_on(node, key, full)
            unchanged = [passed.unchanged(adj) for k, adj in enumerate((a, b)) if k != nothing]
            known = [adj for adj in (a, b) if adj is not None]
            # (one name may be whole for what one side makes of a value, and smaller than what another makes of it)
            alike = not isinstance(full, Array) or len({_same_shape(adj.kind, full) for adj in known}) < 2
            same = all(u is not None and u == unchanged[0] for u in unchanged)
            whole = self.facts.kinds.get(str(unchanged[0])) if same else None
            if isinstance(whole, Array):
                alike = alike and all(adj.kind == whole or _same_shape(adj.kind, whole) for adj in known)
            if same and alike:
                kind = next((adj.kind for adj in known if adj.kind == full), known[0].kind)
                merged[key] = Adj(load(str(unchanged[0])), kind, all(adj.owned for adj in known))
                continue
            name = self.name_for(key)
            sides: list[tuple[Expr, Kind]] = []
            unshaped = False
            for k, (adj, side) in enumerate(((a, node.body), (b, node.orelse))):
                if adj is not None and not (_is_zero(adj.expr) and isinstance(full, (Array, ListOf))):
                    sides.append((clone(adj.expr), adj.kind))
                    continue
                other = b if adj is a else a
                if k == nothing:
                    sides.append((gast.Constant(0.0, None), full))
                    continue
                bound = self.is_bound(key, node, side)
                before = key in names_bound(side) or not bound
                if isinstance(full, ListOf) and before and self.came_in(key, node):
                    sides.append((self.where_bound(key, self.zero_of(key, node), node), full))  # of an earlier turn
                elif other is not None and not bound:  # nothing to take a shape of
                    sides.append((gast.Constant(0.0, None), Unknown() if isinstance(other.kind, Array) else other.kind))
                    unshaped = True
                else:
                    zero = self.zero_of(key, node, after=True)
                    sides.append((self.where_bound(key, zero, node) if self.came_in(key, node) else zero, full))
            kinds = [k for _, k in sides]
            for own, side in zip(kinds, (node.body, node.orelse), strict=True):
                unshaped = unshaped or (isinstance(own, Unknown) and not self.is_bound(key, node, side))
            if isinstance(full, Either) and not all(_scalar(own) for own in kinds):
                spread = [self.as_large(key, e, own) for e, own in sides]
                lazy = [not _is_zero(e) and _smaller(own, full.array) for e, own in sides]
                sides = [(big if less else e, full) for (e, _), big, less in zip(sides, spread, lazy, strict=True)]
                kinds = [full, full]
            mixed = isinstance(full, Array) and any(not (isinstance(k, Array) and _same_shape(k, full)) for k in kinds)
            if mixed and any(isinstance(k, Array) or not _scalar(k) for k in kinds):
                sides = [
                    (e, k)
                    # a side without a contribution may have nothing to take a shape of, where another has none
                    if _same_shape(k, full) or (unshaped and (_is_zero(e) or isinstance(k, Unknown)))
                    else (self.spread(key, e, node, side), full)
                    for (e, k), side in zip(sides, (node.body, node.orelse), strict=True)
                ]
            kind = (
                sides[0][1]
                if sides[0][1] == sides[1][1]
                else full
                if isinstance(full, Array)
                else _join_number(sides[0][1], sides[1][1])
            )
            if isinstance(full, Array) and all(_scalar(k) for _, k in sides):
                arrays = [k for _, k in sides if isinstance(k, Array)]  # of no dimensions, but memory
                kind = arrays[0] if arrays else Number(float)
            if unshaped and isinstance(kind, Array):
                kind = Unknown()
            self.facts.kinds[name] = kind
            owned = isinstance(kind, (Array, ListOf))
            for (expr, _k), adj, block, origin in zip(sides, (a, b), blocks, origins, strict=True):
                outer, self.out, self.origin = self.out, block, origin
                self.write(copy_statement(name, expr))
                self.out = outer
                owned = owned and (adj is None or adj.owned or is_fresh(expr))
            merged[key] = Adj(load(name), kind, owned)
        return merged

    def reverse_For(self, node: Any) -> None:
        self.reverse_loop(node)

    def reverse_While(self, node: Any) -> None:
        self.reverse_loop(node)

    def keep_values_of(self, body: list[Stmt]) -> None:
        """Adjoints that are values which a loop or a branch computed get names of their own: run backwards, it goes
        through the values that these names had before.

        t = np.sum(x)                       bt = total
        for item in x: total *= item        for item in reversed(x): ... (total is what it was in each turn)
        return t * total                    bx += bt
        """
        bound = set(names_bound(body))
        bound |= {p.name for p in self.placeholders.values() if names_read(quote(p.key)) & bound}
        for key, held in list(self.adjoints.items()):
            if any(n.id in bound for n in walk_names(held.expr)):
                self.hold(key, clone(held.expr), held.kind, False)

    def reverse_loop(self, node: Any) -> None:
        """A loop, backwards: the adjoints that go from turn to turn keep one name each."""
        self.keep_values_of(node.body)
        entry = dict(self.adjoints)
        outer, mark = self.out, len(self.out)
        origin = self.origin
        inside = {n.id for s in node.body for n in walk_names(s) if isinstance(n.ctx, gast.Store)}
        if isinstance(node, gast.For):
            inside.add(node.target.id)
        assigned_before = {k for k in inside if self.defined_outside(k, node)}
        known = self.carried.setdefault(id(node), [])
        unowned: set[str] = self.unowned.setdefault(id(node), set())
        checkpoint = self.checkpoint()
        while True:  # each further round has one more name in `known` or `unowned`: they are names of the loop's
            self.restore(checkpoint)
            del outer[mark:]
            self.out, self.origin, self.statement = outer, origin, node
            self.adjoints = dict(entry)
            stable: dict[str, Adj] = {}
            for key in known:
                stable[key] = self.stable_head(key, key not in unowned)
            self.adjoints.update(stable)
            start = dict(self.adjoints)
            inner = self.nested(node.body)
            again = False
            end = self.adjoints
            for key in dict.fromkeys([*end, *start]):
                if key in stable:
                    continue
                a, b = start.get(key), end.get(key)
                if a is None and b is None:
                    continue
                if a is not None and b is not None and _same(a, b):
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
                        zero = zeros_of(self.numpy(), head.expr, self.facts.kinds.get(key, head.kind))
                    else:
                        zero = self.where_bound(key, self.zero_of(key, first), node)
                    held = Adj(zero, head.kind if steady else self.facts.kinds.get(key, Unknown()), True)
                expr = clone(held.expr)
                if not self.is_whole(held, head.kind):
                    expr = self.where_bound(key, self.as_buffer(key, held), node)
                    held = Adj(expr, head.kind, True)
                if isinstance(head.kind, ListOf) and not held.owned:
                    expr = copied_list(head.kind, expr)
                if head.owned and not held.owned and not isinstance(head.kind, Number) and not is_fresh(expr):
                    unowned.add(key)
                    again = True
                if not (isinstance(expr, gast.Name) and isinstance(head.expr, gast.Name) and expr.id == head.expr.id):
                    ends.append((head.expr.id, self.turned(key, expr)))
            if again:
                continue
            self.out = inner
            for statement in copies_at_once(ends, self.old_name):
                self.write(statement)
            self.out = outer
            break
        self.adjoints = {k: v for k, v in start.items() if k not in inside or k in assigned_before}
        if inner:
            self.write_loop(node, inner)

    def old_name(self, name: str) -> str:
        """A name for the adjoint that a carried adjoint held before this turn."""
        old = self.facts.fresh("g")
        self.facts.kinds[old] = self.facts.kinds.get(name, Unknown())
        return old

    def defined_outside(self, key: str, loop: Any) -> bool:
        """Is a name that the loop binds also bound before it (a carried name), or a parameter?"""
        places = self.memory.definitions.get(key, [])
        if not places:
            return True
        return any(all(outer is not loop for outer in p.loops) for p in places)

    def stable_head(self, key: str, owned: bool) -> Adj:
        """The name under which an adjoint goes from turn to turn, with the statement that sets it before the loop."""
        held = self.adjoints.get(key)
        full = self.facts.kinds.get(key, Unknown())
        if isinstance(full, ListOf):
            if held is None or not (held.owned and isinstance(held.expr, gast.Name)):
                self.list_shadow(quote(key))
                held = self.adjoints[key]
            return held
        name = self.name_for(key)
        if held is None or _is_zero(held.expr):
            expr, own = self.zero_of(key), True
        elif not self.is_whole(held, full) or (isinstance(full, Array) and owned and not held.owned):
            expr, own = self.as_buffer(key, held), True
        else:
            expr, own = clone(held.expr), held.owned
        kind = full if isinstance(full, (Array, Unknown)) else held.kind if held is not None else full
        if isinstance(kind, Number):
            kind = full if isinstance(full, Number) else kind
        self.facts.kinds[name] = kind
        self.write(assign(name, self.where_bound(key, self.turned(key, expr), self.statement)))
        self.laid_out |= {name} if key in self.facts.lies else set()
        return Adj(load(name), kind, own and owned)

    def is_whole(self, held: Adj, full: Kind) -> bool:
        """Is an adjoint an array where its value is one (or may be one)?"""
        if isinstance(full, Either):
            return not _smaller(held.kind, full.array)
        return not isinstance(full, Array) or _same_array(held.kind, full)

    def write_loop(self, node: Any, inner: list[Stmt]) -> None:
        if isinstance(node, gast.For) and is_range(node.iter) and not has_break(node.body):
            if isinstance(node.iter.func, gast.Name) and node.iter.func.id == "reversed":
                iterable = clone(node.iter.args[0])
            else:
                iterable = gast.Call(load("reversed"), [clone(node.iter)], [])
            statement = gast.For(gast.Name(node.target.id, gast.Store(), None, None), iterable, inner, [], None)
            self.loops.append(Loop(node, statement, None))
        elif isinstance(node, gast.For) and is_range(node.iter):
            counter = self.counter(node)
            iterable = first_turns(node.iter, counter)
            statement = gast.For(gast.Name(node.target.id, gast.Store(), None, None), iterable, inner, [], None)
            self.loops.append(Loop(node, statement, counter))
        else:
            counter = self.counter(node)
            unused = self.facts.fresh("_", temp=False)
            iterable = gast.Call(load("range"), [load(counter)], [])
            statement = gast.For(gast.Name(unused, gast.Store(), None, None), iterable, inner, [], None)
            self.loops.append(Loop(node, statement, counter))
        self.write(statement)
        statement.forward = node

    def counter(self, node: Any) -> str:
        if id(node) not in self.counters:
            name = self.facts.fresh("turns", temp=False)
            self.facts.kinds[name] = Number(int, Dim.symbol(f"{name}@"))
            self.counters[id(node)] = name
        return self.counters[id(node)]

    def checkpoint(self) -> Saved:
        f = self.facts
        tables = (self.placeholders, self.blocks, self.counters, self.laid_out)
        return Saved([f.taken, f.kinds, f.temps, f.user_name, f.varied, *tables, self.loops])

    def restore(self, checkpoint: Saved) -> None:
        f = self.facts
        checkpoint.restore()
        self.named_views.clear()
        for name in [s.test.id for s in self._branches if getattr(s, "named_test", False)]:
            f.taken.add(name)
            f.temps.add(name)
            f.kinds[name] = Number(bool)

    @functools.cached_property
    def _branches(self) -> list[Any]:
        """The branches of the primal."""
        return [p.statement for p in self.memory.places.values() if isinstance(p.statement, gast.If)]


@dataclass(frozen=True)
class Taken:
    """Where a list was taken from: an item of a list of lists, or a part of that item.

    `stands`: is it still that item wherever it is read?
    """

    outer: Expr
    index: Expr
    part: tuple[int, ...]
    stands: bool

    def within(self, whole: Expr) -> Expr:
        """The same item of another list."""
        item = gast.Subscript(whole, clone(self.index), gast.Load())
        for k in self.part:
            item = gast.Subscript(item, gast.Constant(k, None), gast.Load())
        return item


def carries_nothing(kind: Kind) -> bool:
    """Is it certain that there is no derivative in a value of this kind?"""
    return isinstance(kind, (Static, Text)) or (isinstance(kind, (TupleKind, ListKind)) and not in_parts(kind))


def is_point(kind: Kind) -> bool:
    """Is it an array of no axes? Arithmetic makes numbers of those."""
    return isinstance(kind, Array) and kind.shape == ()


def load_target(name: str) -> Expr:
    return gast.Name(name, gast.Store(), None, None)


def as_target(expr: Expr) -> Expr:
    made = clone(expr)
    made.ctx = gast.Store()
    return made


def is_whole(part: Expr) -> bool:
    """Does a part of an index take all: `:` or `...`?"""
    if isinstance(part, gast.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def without_new_axes(index: Expr) -> Expr | None:
    """The index that takes off the axes that another one adds; None where that one does anything else.

    >>> [gast.unparse(without_new_axes(quote(t).slice)) for t in ("x[:, None]", "x[None, :]", "x[..., None, :]")]
    ['(:, 0)', '0', '(..., 0, :)']
    """
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    out: list[Expr] = []
    for part in parts:
        if isinstance(part, gast.Constant) and part.value is None:
            out.append(gast.Constant(0, None))
        elif is_whole(part):
            out.append(clone(part))
        else:
            return None
    if not any(isinstance(p, gast.Constant) and p.value == 0 for p in out):
        return None
    spread = any(isinstance(p, gast.Constant) and p.value is Ellipsis for p in out)
    while isinstance(out[-1], gast.Slice) and not spread:
        out.pop()
    return out[0] if len(out) == 1 else gast.Tuple(out, gast.Load())


def zeros_of(numpy: str, of: Any, kind: Kind) -> Expr:
    """Zeros in the form of an array: of floats, where it holds ints or bools on one of the paths to here.

    >>> plain, mixed = Array(np.dtype(float), None), Array(np.dtype(float), None, mixed=True)
    >>> text(zeros_of("np", "x", plain)), text(zeros_of("np", "x", mixed))
    ('np.zeros_like(x)', 'np.zeros_like(x, dtype=float)')
    """
    if isinstance(kind, Array) and kind.mixed:
        return quote(f"{numpy}.zeros_like(x, dtype={'complex' if kind.dtype.kind == 'c' else 'float'})", x=of)
    return quote(f"{numpy}.zeros_like(x)", x=of)


def copied_list(kind: ListOf, expr: Expr) -> Expr:
    """A copy of a list, and of the lists in it.

    >>> from s2sad.core import text
    >>> number = Number(float)
    >>> text(copied_list(ListOf(number), quote("x"))), text(copied_list(ListOf(ListOf(number)), quote("x")))
    ('list(x)', '[list(v0) for v0 in x]')
    >>> text(copied_list(ListOf(TupleKind((number, ListOf(number)))), quote("x")))
    '[(v1, list(v2)) for v1, v2 in x]'
    """
    if not holds_lists(kind.item):
        return quote("list(x)", x=expr)
    item, copy = _copied_item(kind.item, iter(range(1000)))
    return quote(f"[{copy} for {item} in x]", x=expr)


def copied_value(kind: Kind, expr: Expr) -> Expr:
    """A copy of an array, of a list, or of a tuple of arrays (an index, as np.ix_ makes it).

    >>> from s2sad.core import text
    >>> row, number = Array(np.dtype(float), (Dim.of(3),)), Number(int)
    >>> text(copied_value(row, quote("x"))), text(copied_value(TupleKind((row, row)), quote("x")))
    ('x.copy()', 'tuple((v.copy() for v in x))')
    >>> text(copied_value(TupleKind((row, number)), quote("x")))
    '(x[0].copy(), x[1])'
    """
    if isinstance(kind, ListOf):
        return copied_list(kind, expr)
    if not isinstance(kind, TupleKind):
        return quote("x.copy()", x=expr)
    if kind.items and all(isinstance(k, Array) for k in kind.items):
        return quote("tuple(v.copy() for v in x)", x=expr)
    items = (gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()) for i in range(len(kind.items)))
    changing = (Array, ListOf, TupleKind)
    parts = [copied_value(k, e) if isinstance(k, changing) else e for k, e in zip(kind.items, items, strict=True)]
    return gast.Tuple(parts, gast.Load())


def _copied_item(kind: Kind, numbers: Any) -> tuple[str, str]:
    """A target that takes an item apart, and the text of a copy of it."""
    name = f"v{next(numbers)}"
    if not holds_lists(kind):
        return name, name
    if isinstance(kind, ListOf):
        if not holds_lists(kind.item):
            return name, f"list({name})"
        item, copy = _copied_item(kind.item, numbers)
        return name, f"[{copy} for {item} in {name}]"
    assert isinstance(kind, (TupleKind, ListKind))
    items, copies = zip(*(_copied_item(k, numbers) for k in kind.items), strict=True)
    target, whole = (", ".join(x) + "," * (len(x) == 1) for x in (items, copies))
    return f"({target})", f"({whole})" if isinstance(kind, TupleKind) else f"[{whole}]"


def holds_lists(kind: Kind) -> bool:
    """Are there lists of unknown length in a value of this kind?"""
    if isinstance(kind, (TupleKind, ListKind)):
        return any(map(holds_lists, kind.items))
    return isinstance(kind, ListOf)


def is_function_call(node: Any) -> bool:
    """Is a statement a call of a core function with something active?"""
    application = getattr(node, "apply", None)
    return application is not None and isinstance(application[0], CoreFunction)


def gradient_kind(parameter: Kind, atom: Kind) -> Kind:
    """The kind of what the backward sweep of a function returns for an argument."""
    if isinstance(parameter, Array) and isinstance(atom, Array):
        return Array(parameter.dtype, atom.shape)
    return atom


def zero_number(kind: Kind) -> str:
    """Zero as an item of a list, whose kind it settles.

    >>> zero_number(Number(float)), zero_number(Number(complex))
    ('0.0', '0j')
    """
    return "0j" if isinstance(kind, Number) and issubclass(kind.type, (complex, np.complexfloating)) else "0.0"


def typed_zero(kind: Number, numpy: Callable[[], str]) -> Expr:
    """Zero as a result: of NumPy's type where a Python float would change the dtype of what it meets.

    >>> from s2sad.core import text
    >>> text(typed_zero(Number(np.float32), lambda: "np")), text(typed_zero(Number(float), lambda: "np"))
    ('np.float32(0.0)', '0.0')
    """
    if kind.type in (np.float32, np.float16, np.complex64, np.longdouble):
        return quote(f"{numpy()}.{kind.type.__name__}(0.0)")
    return gast.Constant(0j if issubclass(kind.type, (complex, np.complexfloating)) else 0.0, None)


def is_fresh(expr: Expr, kind: Kind | None = None) -> bool:
    """Does an expression, of this kind, make a new array (rather than name or view one)?

    >>> is_fresh(quote("a * b")), is_fresh(quote("a.T")), is_fresh(quote("a[1:]")), is_fresh(quote("np.exp(a)"))
    (True, False, False, True)
    """
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        return True
    if isinstance(expr, gast.Call):
        spread = called(expr) == "diag" and isinstance(kind, Array) and len(kind.shape or ()) == 2
        return spread or makes_new(expr)
    return False


def _display(kind: Kind, parts: list[Expr]) -> Expr:
    """Nested lists and tuples of parts, as the kind of an item says.

    >>> from s2sad.core import text
    >>> number = Number(float)
    >>> text(_display(TupleKind((number, ListKind((number, number)))), [quote("a"), quote("b"), quote("c")]))
    '(a, [b, c])'
    """
    left = iter(parts)

    def made(kind: Kind) -> Expr:
        if in_parts(kind):
            whole = gast.List if isinstance(kind, ListKind) else gast.Tuple
            return whole([made(part) for part in kind.items], gast.Load())
        return next(left)

    return made(kind)


def _leaf_kinds(kind: Kind) -> Iterator[Kind]:
    """The kinds of the parts of nested lists and tuples, from left to right."""
    if in_parts(kind):
        for part in kind.items:
            yield from _leaf_kinds(part)
    else:
        yield kind


def is_pop(call: Any) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "pop"


def is_range(node: Any) -> bool:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return False
    return node.func.id == "range" or (node.func.id == "reversed" and is_range(node.args[0]))


def first_turns(header: Expr, counter: str) -> Expr:
    """The indices of the first turns of a range loop, last one first.

    >>> from s2sad.core import text
    >>> text(first_turns(quote("range(n)"), "turns")), text(first_turns(quote("range(a, b, 2)"), "turns"))
    ('reversed(range(turns))', 'reversed(range(a, a + 2 * turns, 2))')
    >>> text(first_turns(quote("reversed(range(n))"), "turns"))
    'range(n - turns, n)'
    """
    inner = header.args[0] if header.func.id == "reversed" else header
    start = inner.args[0] if len(inner.args) > 1 else gast.Constant(0, None)
    step = inner.args[2] if len(inner.args) > 2 else None
    if inner is header:
        if len(inner.args) == 1:
            return quote("reversed(range(k))", k=counter)
        if step is None:
            return quote("reversed(range(a, a + k))", a=start, k=counter)
        return quote("reversed(range(a, a + s * k, s))", a=start, s=step, k=counter)
    if step is None:
        stop = inner.args[-1]
        return quote("range(b - k, b)", b=stop, k=counter)
    return quote("reversed(r[::-1][:k])", r=inner, k=counter)


def has_break(body: list[Stmt]) -> bool:
    for statement in body:
        if isinstance(statement, gast.Break):
            return True
        if isinstance(statement, (gast.For, gast.While)):
            continue
        for name in ("body", "orelse"):
            block = getattr(statement, name, None)
            if isinstance(block, list) and has_break(block):
                return True
    return False


def _place(buffer: Expr, index: Expr) -> Expr:
    """A part of adjoint memory; all of a view is the view.

    >>> text(_place(quote("b[::2]"), quote("..."))), text(_place(quote("b"), quote("...")))
    ('b[::2]', 'b[...]')
    """
    if isinstance(index, gast.Constant) and index.value is Ellipsis and isinstance(buffer, gast.Subscript):
        return clone(buffer)
    return gast.Subscript(clone(buffer), clone(index), gast.Load())


def _is_node(value: Any) -> bool:
    return isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator, gast.unaryop))


def index_value(index: Expr) -> Expr:
    """An index as a value that can be passed to a function: slices become np.s_[...]-like slice(...) calls."""

    def part(node: Expr) -> Expr:
        if isinstance(node, gast.Slice):
            bounds = [gast.Constant(None, None) if b is None else clone(b) for b in (node.lower, node.upper, node.step)]
            if node.step is None and node.lower is None:
                return gast.Call(load("slice"), [bounds[1]], [])
            return gast.Call(load("slice"), bounds if node.step is not None else bounds[:2], [])
        return clone(node)

    if isinstance(index, gast.Tuple):
        return gast.Tuple([part(e) for e in index.elts], gast.Load())
    return part(index)


def perhaps_number(statement: Stmt, facts: Facts) -> bool:
    """Does a statement take an element of an array, or a row? (It is not known how many axes the array has.)

    >>> from s2sad.core import statements
    >>> body = statements("a = u[-1]") + statements("b = u[1:]") + statements("c = u[2, 0]")
    >>> [perhaps_number(s, Facts()) for s in body]
    [True, False, True]
    """
    value = statement.value
    if not isinstance(value, gast.Subscript) or atom_key(value) in facts.kinds:
        return False
    if not isinstance(value.value, (gast.Name, gast.Subscript, gast.Attribute)):
        return False
    kind = facts.kinds.get(atom_key(value.value), Unknown())
    if not (isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.shape is None)):
        return False
    parts = value.slice.elts if isinstance(value.slice, gast.Tuple) else [value.slice]
    whole = any(isinstance(p, gast.Slice) or (isinstance(p, gast.Constant) and p.value in (None, ...)) for p in parts)
    return not whole


#: functions that give views of parts of an array
SPLITS = {"split", "array_split", "hsplit", "vsplit", "dsplit", "unstack"}


def piece_of(split: Expr, position: int) -> Any:
    """The same for one of the arrays that np.split makes."""
    base = split.args[0] if called(split) in SPLITS and split.args else None
    if not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)):
        return None

    def rebuild(inner: Expr) -> Expr:
        made = clone(split)
        made.args[0] = inner
        return gast.Subscript(made, gast.Constant(position, None), gast.Load())

    return atom_key(base), rebuild


def view_parts(statement: Stmt, facts: Facts, key: str = "") -> Any:
    """For `v = view of base`: the base's key, and a function that takes the same view of another array. None where the
    value may or may not be a view. `key` is the name that is asked for, where the statement binds several."""
    value = statement.value
    if getattr(value, "function", None) is not None:
        return None
    if isinstance(statement.targets[0], gast.Tuple):
        names = [getattr(e, "id", None) for e in statement.targets[0].elts]
        return piece_of(value, names.index(key)) if key in names else None
    if isinstance(value, gast.Name):
        return value.id, lambda inner: inner
    if isinstance(value, gast.Subscript):
        key = atom_key(value)
        if key in facts.kinds:
            return key, lambda inner: inner
        base = value.value
        if called(base) in SPLITS and isinstance(value.slice, gast.Constant) and type(value.slice.value) is int:
            return piece_of(base, value.slice.value)
        if not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)) or not _basic(value.slice, facts):
            return None
        return atom_key(base), lambda inner: gast.Subscript(inner, clone(value.slice), gast.Load())
    if isinstance(value, gast.Attribute):
        if atom_key(value) in facts.kinds:
            return atom_key(value), lambda inner: inner
        if value.attr in ("T", "mT", "real", "imag"):
            return atom_key(value.value), lambda inner: gast.Attribute(inner, value.attr, gast.Load())
        return None
    if isinstance(value, gast.Call):
        func = value.func
        name = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", "")
        method = isinstance(func, gast.Attribute) and not _is_module(func.value, facts)
        safe = name in (
            "transpose",
            "swapaxes",
            "squeeze",
            "expand_dims",
            "moveaxis",
            "broadcast_to",
            "diagonal",
            "flip",
            "rollaxis",
            "rot90",
            "fliplr",
            "flipud",
            "matrix_transpose",
            "permute_dims",
        )
        if name in SPLITS:  # a list of views
            safe = isinstance(facts.kinds.get(statement.targets[0].id), (ListOf, ListKind, TupleKind))
        at = 1 if name == "einsum" else 0
        base = func.value if method else (value.args[at] if len(value.args) > at else None)
        if name == "einsum":
            safe = einsum_views(value) and isinstance(value.args[0], gast.Constant)
        if base is None or not isinstance(base, (gast.Name, gast.Subscript, gast.Attribute)):
            return None
        key = atom_key(base)
        if reshaping(value, facts) is not None:
            if statement.targets[0].id not in facts.views:
                return None
            safe = True
        if name in ("atleast_1d", "atleast_2d", "atleast_3d"):
            safe = isinstance(facts.kinds.get(key), Array)
        if name in ("real", "imag") and not method:
            kind = facts.kinds.get(key)
            safe = isinstance(kind, Array) and kind.dtype.kind == "c"
        if not safe:
            return None
        if name == "diagonal":  # NumPy's own view cannot be written through
            kind = facts.kinds.get(key)
            if value.keywords or len(value.args) > (0 if method else 1) or len(getattr(kind, "shape", None) or ()) != 2:
                return None
            np_ = numpy_name(facts)
            return key, lambda inner: quote(f"{np_}.einsum('ii->i', x)", x=inner)

        def rebuild(inner: Expr) -> Expr:
            made = clone(value)
            if method:
                made.func.value = inner
            else:
                made.args[at] = inner
            return made

        return key, rebuild
    return None


def _basic(index: Expr, facts: Facts) -> bool:
    """Is it certain that this index makes a view?"""
    for part in index.elts if isinstance(index, gast.Tuple) else [index]:
        if isinstance(part, gast.Slice) or (isinstance(part, gast.Constant) and not isinstance(part.value, bool)):
            continue
        kind = infer(part, facts)
        if isinstance(kind, Slice) or called(part) == "slice":
            continue
        if isinstance(kind, Static) and kind.value is None:  # np.newaxis
            continue
        if not (isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)) and kind.type is not bool):
            return False
    return True


def _is_module(node: Expr, facts: Facts) -> bool:
    """Is it the name of a module, such as np or np.linalg?"""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and isinstance(facts.globals.get(node.id), ModuleType)


def called(value: Expr) -> str:
    """The last name of what an expression calls, or ""."""
    func = value.func if isinstance(value, gast.Call) else None
    return str(getattr(func, "attr", getattr(func, "id", "")))


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, gast.Constant) and expr.value == 0.0


def _scalar(kind: Kind) -> bool:
    return isinstance(kind, (Number, Static)) or (isinstance(kind, Array) and kind.shape == ())


#: the exceptions that reading a name without a value raises
_UNBOUND = {"NameError", "UnboundLocalError"}


def _same_shape(a: Kind, b: Kind) -> bool:
    return isinstance(a, Array) and isinstance(b, Array) and a.shape is not None and a.shape == b.shape


def _smaller(own: Kind, whole: Array) -> bool:
    """Is an adjoint certain to be smaller than the array whose adjoint it is, and spread over that in thought only?"""
    return _scalar(own) or (isinstance(own, Array) and not _same_shape(own, whole))


def _same_array(a: Kind, b: Kind) -> bool:
    return _same_shape(a, b) and isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype


def _same(a: Adj, b: Adj) -> bool:
    if isinstance(a.expr, gast.Name) and isinstance(b.expr, gast.Name):
        return bool(a.expr.id == b.expr.id)
    return (
        isinstance(a.expr, gast.Constant) and isinstance(b.expr, gast.Constant) and bool(a.expr.value == b.expr.value)
    )


def none_on(node: Any, key: str, kind: Kind) -> int | None:
    """On which side of a branch (0: its body) a value is None, for certain: nothing there reads its adjoint."""
    test = getattr(node, "test_value", node.test)
    absent = isinstance(kind, Either) and isinstance(kind.other, Static)
    if not absent or not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return None
    nothing = test.comparators[0]
    if not (isinstance(nothing, gast.Constant) and nothing.value is None) or atom_key(test.left) != key:
        return None
    return {gast.Is: 0, gast.IsNot: 1}.get(type(test.ops[0]))


class _Passed:
    """What the two sides of a branch, which grow, do to the names that go through them."""

    def __init__(self, blocks: list[list[Stmt]]) -> None:
        self.blocks = blocks
        self.seen = [0 for _ in blocks]
        self.copies: dict[str, str] = {}
        self.changes: Counter[str] = Counter()

    def unchanged(self, adj: Adj | None) -> str | None:
        """The name that an adjoint has outside of the sides, where these only hand it on."""
        if adj is None or not isinstance(adj.expr, gast.Name):
            return None
        for k, block in enumerate(self.blocks):
            for statement in block[self.seen[k] :]:
                self.note(statement)
            self.seen[k] = len(block)
        name = str(adj.expr.id)
        while name in self.copies and self.changes[name] == 1:
            name = self.copies[name]
        return None if self.changes[name] else name

    def note(self, statement: Stmt) -> None:
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Name):
            (target,) = statement.targets
            if isinstance(target, gast.Name):
                self.copies[target.id] = statement.value.id
        for node in walk(statement):
            cls = type(node)
            changed = node if cls is gast.Name else node.value if cls is gast.Subscript else None
            if isinstance(changed, gast.Name) and type(node.ctx) is gast.Store:
                self.changes[changed.id] += 1


def _join_number(a: Kind, b: Kind) -> Kind:
    if isinstance(a, Number) and isinstance(b, Number):
        return a if issubclass(a.type, np.generic) else b
    return Unknown()
