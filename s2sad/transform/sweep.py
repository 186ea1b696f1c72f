"""The state of a backward sweep: adjoints so far, what is written, and contributions to names, views and buffers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.binding import NamesOf
from s2sad.analysis.layout import lies_so, not_known
from s2sad.analysis.memory import Memory, Place
from s2sad.analysis.view_parts import SPLITS, called, perhaps_number, view_parts
from s2sad.analysis.zeros import Zeros
from s2sad.core import Expr, Facts, Origin, Saved, Stmt, assign, atom_key, clone, load, quote, replace_names, text
from s2sad.expansion.care import Mask
from s2sad.expansion.fit import fit, joint_kind, numpy_name
from s2sad.expansion.operand import Operand, error_in, lifted
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, Remedy, defects_at, error_at
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.calls import taken_by
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.transform.fused import Fused
from s2sad.transform.spectral import Spectral
from s2sad.transform.values import is_fresh, is_node, is_scalar, is_zero, same_array, same_shape, zeros_of


@dataclass(frozen=True)
class Adj:
    """The adjoint that a value has so far: an expression (a name or a constant), its kind, and whether its memory is
    the sweep's own, so that it may be added to in place."""

    expr: Expr
    kind: Kind
    owned: bool


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


#: by the type of a statement: what reverses it
_REVERSES: dict[type, Callable[[Sweep, Any], None]] = {}
#: by the type of a kind: what adds to the adjoint of a value that is no number and no array
_CONTRIBUTES: dict[type, Callable[[Sweep, str, Operand, bool], None]] = {}


def reverses(
    statement: type,
) -> Callable[[Callable[[Sweep, Any], None]], Callable[[Sweep, Any], None]]:
    """Register the function that reverses statements of a type."""

    def register(function: Callable[[Sweep, Any], None]) -> Callable[[Sweep, Any], None]:
        _REVERSES[statement] = function
        return function

    return register


def contributes(
    kind: type,
) -> Callable[[Callable[[Sweep, str, Operand, bool], None]], Callable[[Sweep, str, Operand, bool], None]]:
    """Register what adds to the adjoint of a name of a kind: the value, and whether it has no other owner."""

    def register(
        function: Callable[[Sweep, str, Operand, bool], None],
    ) -> Callable[[Sweep, str, Operand, bool], None]:
        _CONTRIBUTES[kind] = function
        return function

    return register


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
    #: is the derivative differentiated itself?
    inner: bool = False
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

    def write(self, statement: Stmt) -> None:
        statement.origin = None
        statement.grad_of = self.origin
        self.out.append(statement)

    def refuse(self, reason: str, way_out: str, concrete: bool = False) -> DerivationError:
        """`concrete`: may it help to know lengths and ints?"""
        error = error_at(self.statement, self.source, reason, way_out)
        error.remedy = Remedy(concrete)
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
        add = _CONTRIBUTES.get(type(own))
        if add is not None:
            add(self, key, value, sole)
            return
        if isinstance(value.kind, Either) and isinstance(own, Array) and not self.may_be_added(key):
            value = Operand(quote(f"{self.numpy()}.full_like(x, g)", x=key, g=value.expr), own)
        if self.through_view(key, value):
            return
        held = self.adjoints.get(key)
        self.masks.pop(key, None)  # what is held may grow in place
        fresh = is_fresh(value.expr, value.kind)
        if held is None or is_zero(held.expr):
            if held is None and isinstance(value.expr, (gast.Name, gast.Constant)) and key in self.facts.temps:
                self.adjoints[key] = Adj(value.expr, value.kind, sole and isinstance(value.expr, gast.Name))
                return
            self.hold(key, value.expr, value.kind, fresh or (sole and not isinstance(value.kind, Number)))
            return
        full = lifted(self.facts.kinds.get(key, Unknown()))
        if held.owned and isinstance(held.expr, gast.Name) and same_array(held.kind, full):
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
        return named and same_array(held.kind, self.facts.kinds.get(key, Unknown()))  # type: ignore[union-attr]

    def through_view(self, key: str, value: Operand) -> bool:
        """A view of memory that is overwritten has no adjoint of its own: contributions go through to the base."""
        choice = self.memory.choices.get(key)
        if choice is not None and len(choice.homes) == 1:
            self.contribute(quote(choice.homes[0]), value)
            return True
        view = self.view_of_overwritten(key)
        if view is not None and view[1] is not None and atom_key(view[0].value) == view[1][0]:
            self.contribute(view[0].value, value)  # a second name of all of it: the base's adjoint is its own
            return True
        if self.through_broadcast(key, value):
            return True
        target = self.shadow(key)
        if target is None:
            return False
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
        if key not in self.memory.alias or isinstance(self.facts.kinds.get(key), (Number, ListOf)):
            return None
        places = self.memory.definitions.get(key, [])
        if len(places) != 1 or not self.memory.is_overwritten(key):
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
        whole = held is not None and held.owned and same_array(held.kind, full)
        end = Place(len(self.memory.places), (), None, (id(self.body),))
        if not whole and not self.memory.is_bound(key, self.memory.places.get(id(self.statement), end)):
            made = zeros_of(self.numpy(), name, full)  # what is not this array is as large as it may be
            if held is not None and not is_zero(held.expr):
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
        if held is None or not (held.owned and same_array(held.kind, full) and isinstance(held.expr, gast.Name)):
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
        if held is None or is_zero(held.expr):
            return zeros_of(np_, key, full)
        if isinstance(held.kind, Array) and same_shape(held.kind, full):
            if not same_array(held.kind, full):
                return quote("g.astype(x.dtype)", x=key, g=held.expr)
            return clone(held.expr) if is_fresh(held.expr, held.kind) else quote("g.copy()", g=held.expr)
        return self.as_large(key, held.expr, held.kind)

    def as_large(self, key: str, expr: Expr, kind: Kind) -> Expr:
        """A smaller adjoint as large as its value. Where that is a number, it is no smaller, whatever it is."""
        whole = quote(f"{self.numpy()}.full_like(x, g)", x=key, g=expr)
        full = self.facts.kinds.get(key)
        if is_scalar(kind) or not (isinstance(full, Either) and isinstance(full.other, Number)):
            return whole
        return quote(f"w if {self.numpy()}.ndim(x) else g", w=whole, x=key, g=expr)

    def numpy(self) -> str:
        return numpy_name(self.facts)

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
                setattr(made, field_name, [self.index_at(v, statement) if is_node(v) else v for v in value])
            elif is_node(value):
                setattr(made, field_name, self.index_at(value, statement))
        return made

    def block(self, body: list[Stmt]) -> None:
        with defects_at(lambda: (self.statement, self.source), lambda: error_in(self.statement, self.facts)):
            for statement in reversed(body):
                self.origin = getattr(statement, "origin", None) or self.origin
                self.statement = statement
                reverse = _REVERSES.get(type(statement))
                if reverse is not None:
                    reverse(self, statement)

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

    def is_atom(self, expr: Expr) -> bool:
        return atom_key(expr) in self.facts.kinds

    def operand(self, atom: Expr, statement: Stmt, function: Any = None) -> Operand:
        expr = self.at(atom, statement)
        return Operand(expr, taken_by(function, self.kind_of(expr)))

    def kind_of(self, expr: Expr) -> Kind:
        return kind_of_atom(expr, self.facts)

    def zeros_of(self, key: str) -> str:
        """The name of a new array of zeros, with rows of its own, in the shape of a value."""
        g = self.facts.fresh("g")
        self.facts.kinds[g] = self.facts.kinds[key]
        self.write(assign(g, quote(f"{self.numpy()}.zeros(x.shape, x.dtype)", x=key)))
        return g

    def active_atoms(self, value: Expr) -> list[Expr]:
        if isinstance(value, (gast.Tuple, gast.List)):
            return [a for e in value.elts for a in self.active_atoms(e)]
        if isinstance(value, gast.Constant) or atom_key(value) not in self.facts.varied:
            return []
        return [value]

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


def same_adjoint(a: Adj, b: Adj) -> bool:
    if isinstance(a.expr, gast.Name) and isinstance(b.expr, gast.Name):
        return bool(a.expr.id == b.expr.id)
    return (
        isinstance(a.expr, gast.Constant) and isinstance(b.expr, gast.Constant) and bool(a.expr.value == b.expr.value)
    )


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
