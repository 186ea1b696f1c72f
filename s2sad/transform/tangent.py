"""Forward mode: beside every active value its tangent, beside every active store the store of the tangent.

Tangents mirror the primal's memory: the tangent of a view is the same view of the tangent, the tangent of a list is the
list of the tangents. So whatever aliases there are among the values, there are among the tangents.
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import may_lack_value, with_sources
from s2sad.analysis.headers import is_pop
from s2sad.analysis.layout import lies_so, not_known
from s2sad.analysis.memory import Memory
from s2sad.analysis.ranges import note_ranges
from s2sad.analysis.view_parts import SPLITS, called, view_parts
from s2sad.analysis.zeros import FULL, WHOLE, Zeros, tangent_zeros
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    atom_key,
    clone,
    is_constant,
    items_of,
    leaves,
    load,
    quote,
    reads_any,
    same_pattern,
    target_of,
    text,
    walk_names,
)
from s2sad.expansion import forward
from s2sad.expansion.care import NO_CARE, Care
from s2sad.expansion.fit import numpy_name
from s2sad.expansion.operand import Operand, error_in
from s2sad.expansion.refusal import NoDerivative
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, defects_at, error_at
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.calls import taken_by
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.normal.calls.functions import CoreFunction
from s2sad.normal.lowered import Core
from s2sad.normal.values.abstract import DictObj, Instance, Keys, Known, Leaf, ListObj, Ref, Tup, Value, contents
from s2sad.normal.values.classes import is_plain_dataclass
from s2sad.normal.values.facts import global_name
from s2sad.normal.values.making import expression
from s2sad.runtime import helpers
from s2sad.transform import spectral, spectral_rules
from s2sad.transform.lists import zeros_list
from s2sad.transform.spectral import Product, Spectral, eigh_and_matrix
from s2sad.transform.sweep import Sweep
from s2sad.transform.tangent_names import TangentNames
from s2sad.transform.values import carries_nothing, is_fresh, typed_zero


class TangentSweep:
    def __init__(self, core: Core, facts: Facts, memory: Memory, functions: Any = None) -> None:
        self.core, self.facts, self.memory, self.functions = core, facts, memory, functions
        self.tangents = TangentNames(core, facts, memory, lambda: self.statement)
        self.out: list[Stmt] = []
        self.statement: Stmt = None
        self.zeros = Zeros()
        #: what is known of the tangents of parameters (`s2sad.analysis.zeros.tangent_zeros`)
        self.given: dict[str, tuple[int, bool]] = {}
        #: what of values is left out behind, as their adjoints would say
        self.dropped = Zeros()
        #: names of tangents that no rule gives, with what is said where one is read
        self.lacking: dict[str, DerivationError] = {}

    def refuse(self, reason: str, way_out: str) -> DerivationError:
        return error_at(self.statement, self.core.source, reason, way_out)

    def refused(self, error: NoDerivative) -> DerivationError:
        return self.refuse(error.reason, error.way_out or ways.RULE)

    def numpy(self) -> str:
        return numpy_name(self.facts)

    # --- names

    def kind_of(self, expr: Expr) -> Kind:
        return kind_of_atom(expr, self.facts)

    # --- statements

    def sweep(self, body: list[Stmt], parameters: list[str]) -> list[Stmt]:
        """The statements of a function with their tangents."""
        self.tangents.may_lack_value = may_lack_value(body, frozenset(parameters))
        note_ranges(body, self.memory, self.facts)
        self.functions.note_zeros(body, self.facts)
        self.zeros = tangent_zeros(body, self.facts, self.given, self.functions.inside)
        self.spectral = Spectral(body, self.facts, self.memory)
        out = self.block(body)
        unset = with_sources(self.tangents.asked, body) - set(parameters)
        return [*(assign(name, gast.Constant(None, None)) for name in sorted(unset)), *out]

    def block(self, body: list[Stmt]) -> list[Stmt]:
        outer, self.out = self.out, []
        with defects_at(lambda: (self.statement, self.core.source), lambda: error_in(self.statement, self.facts)):
            for statement in body:
                self.statement = statement
                method = getattr(self, f"forward_{type(statement).__name__}", None)
                if method is not None:
                    method(statement)
                else:
                    self.out.append(statement)
        inner, self.out = self.out, outer
        return inner

    def write(self, statement: Stmt) -> None:
        statement.origin = None
        statement.tangent_of = getattr(self.statement, "origin", None)
        self.out.append(statement)

    def forward_Assign(self, node: Any) -> None:
        target = node.targets[0]
        application = getattr(node, "apply", None)
        if application is not None and isinstance(application[0], CoreFunction):
            self.function(node, *application)
            return
        if isinstance(target, gast.Subscript):
            if self.tangents.varies(target.value):
                where = gast.Subscript(self.tangents.of(target.value), clone(target.slice), gast.Store())
                of_list = isinstance(self.kind_of(target.value), ListOf)  # an item as a whole: zeros in its form
                self.write(assign(where, (self.tangents.of if of_list else self.tangents.stored)(node.value)))
            self.out.append(node)
        elif isinstance(target, gast.Tuple):
            self.out.append(node)
            self.parts(node, target)
        else:
            self.out.append(node)
            if target.id in self.facts.varied:
                self.definition(node, target.id)
            else:
                self.pop_along(node.value)

    def pop_along(self, value: Expr) -> None:
        """An inactive item leaves a list of active ones: its tangent leaves the list of theirs."""
        if isinstance(value, gast.Call) and is_pop(value) and self.tangents.varies(value.func.value):
            method = gast.Attribute(self.tangents.of(value.func.value), "pop", gast.Load())
            self.write(gast.Expr(gast.Call(method, clone(value.args), [])))

    def define(self, key: str, value: Expr) -> None:
        """The tangent of a value gets its name; it owns its memory wherever that matters."""
        if isinstance(value, gast.Constant) and isinstance(self.facts.kinds.get(key), Array):
            value = self.tangents.zero(load(key))  # to be indexed and stored into, as the array is
        if isinstance(self.facts.kinds.get(key), Number) and isinstance(value, (gast.Name, gast.Subscript)):
            of = self.kind_of(value)
            if isinstance(of, Array) and of.shape == ():  # a number, not the memory that holds it
                value = quote("x[()]", x=value)
        if not is_fresh(value) and not isinstance(value, gast.Constant):
            kind = self.facts.kinds.get(key)
            touched = self.memory.is_overwritten(key) or reads_any(value, self.overwritten())
            if isinstance(kind, (Array, Unknown)) and touched:
                value = (
                    quote("x.copy()", x=value) if isinstance(kind, Array) else quote(f"{self.numpy()}.copy(x)", x=value)
                )
            elif isinstance(kind, Number) and touched and isinstance(infer(value, self.facts), Array):
                value = quote("x[()]", x=value)  # arithmetic with an array of no axes gives a number
        value = self.as_wide(key, self.complex_where_stored(key, value))
        order = self.facts.lies.get(key)
        if order is not None and not lies_so(value, order, self.facts):
            value = self.turned(value, order)
        self.write(assign(self.tangents.name(key), value))

    def overwritten(self) -> set[str]:
        """The tangents of what is overwritten: names, and parts of the tangents of arguments."""
        found = {tangent for key, tangent in self.tangents.names.items() if self.memory.is_overwritten(key)}
        for key in self.facts.kinds:
            head = key.split("[")[0].split(".")[0]
            if head != key and head in self.tangents.roots and self.memory.is_overwritten(key):
                found.add(self.tangents.roots[head] + key[len(head) :])
        return found

    def turned(self, value: Expr, order: str) -> Expr:
        """A tangent that lies in memory as its value does. (The method .copy() lies row after row unless it is told
        otherwise, np.copy lies as what it copies.)"""
        as_it_lies = text(getattr(value, "func", value)) == f"{self.numpy()}.copy" and not value.keywords
        if as_it_lies and len(value.args) == 1 and isinstance(infer(value.args[0], self.facts), Array):
            return quote("x.copy()" if order == "C" else "x.copy(order='F')", x=value.args[0])
        return quote(f"{self.numpy()}.{'ascontiguousarray' if order == 'C' else 'asfortranarray'}(x)", x=value)

    def complex_where_stored(self, key: str, value: Expr) -> Expr:
        """A real tangent of a complex array (that of `x + 1j` is dx) is made complex where something is stored into it.

        Elsewhere its name is known to be real.
        """
        kind, found = self.facts.kinds.get(key), infer(value, self.facts)
        if not (isinstance(kind, Array) and kind.dtype.kind == "c"):
            return value
        if not isinstance(found, Array) or found.dtype.kind == "c":
            return value
        if self.memory.is_overwritten(key) or len(self.memory.definitions.get(key, ())) > 1:
            return quote("x.astype(complex)", x=value)
        self.facts.kinds[self.tangents.name(key)] = Array(found.dtype, kind.shape)
        return value

    def as_wide(self, key: str, value: Expr) -> Expr:
        """A tangent in the precision of its value, where a function gives more of it than it was given."""
        kind, found = self.facts.kinds.get(key), infer(value, self.facts)
        if not (isinstance(kind, Array) and isinstance(found, Array) and kind.dtype.kind == found.dtype.kind == "f"):
            return value
        if kind.mixed or found.mixed or found.dtype.itemsize >= kind.dtype.itemsize:
            return value
        return quote(f"x.astype({self.numpy()}.{kind.dtype.name})", x=value)

    def definition(self, node: Any, key: str) -> None:
        value = node.value
        application = getattr(node, "apply", None)
        if application is None:
            if isinstance(value, gast.Call) and is_pop(value):
                method = gast.Attribute(self.tangents.of(value.func.value), "pop", gast.Load())
                self.write(assign(self.tangents.name(key), gast.Call(method, clone(value.args), [])))
                return
            if (
                isinstance(value, gast.Subscript)
                and not self.is_atom(value)
                and isinstance(self.kind_of(value.value), (ListOf, TupleKind))
                and self.tangents.varies(value.value)
            ):
                made = gast.Subscript(self.tangents.of(value.value), clone(value.slice), gast.Load())
                self.write(assign(self.tangents.name(key), made))
                return
            if isinstance(self.facts.kinds.get(key), ListOf):
                self.list_definition(key, value)
                return
            if isinstance(value, (gast.Name, gast.Constant)) or self.is_atom(value):
                tangent = self.tangents.of(value)
                truth = getattr(self.kind_of(value), "value", None)
                if isinstance(truth, (bool, np.bool_)) and not carries_nothing(self.facts.kinds.get(key, Unknown())):
                    tangent = gast.Constant(0.0, None)  # it stands for a number
                self.write(assign(self.tangents.name(key), tangent))
                return
            view = view_parts(node, self.facts) if key in self.core.run.alias else None
            if view is not None and view[0] in self.facts.varied:
                self.write(assign(self.tangents.name(key), view[1](self.tangents.of_key(view[0]))))
                return
            if key in self.core.run.alias and view is None and self.is_unsettled(key, node):
                raise not_known(self.statement, self.core.source)
            self.write(assign(self.tangents.name(key), self.tangents.zero(load(key))))
            return
        function, args, kwargs = application
        if function is operator.getitem:
            base = self.tangents.of(args[0])
            if isinstance(self.kind_of(args[0]), Number):  # under a mask
                base = quote(f"{self.numpy()}.asarray(x)", x=base)
            made = gast.Subscript(base, clone(value.slice), gast.Load())
            self.write(assign(self.tangents.name(key), made))
            return
        view = view_parts(node, self.facts) if key in self.core.run.alias else None
        if view is not None and self.memory.is_overwritten(key) and view[0] in self.facts.varied:
            self.write(assign(self.tangents.name(key), view[1](self.tangents.of_key(view[0]))))
            return
        if key in self.core.run.alias and view is None and self.is_unsettled(key, node):
            raise not_known(self.statement, self.core.source)
        product = self.spectral.products.get(id(node))
        if product is not None:
            tangent = self.of_product(product, self.facts.kinds[key])
        else:
            tangent = self.call(node, load(key), self.facts.kinds[key], function, args, kwargs)
        self.define(key, tangent.expr)

    def of_product(self, product: Product, kind: Kind) -> Operand:
        """The tangent of a function of a symmetric matrix, by that of the matrix in the basis of its eigenvectors."""
        for statement in product.unmade:
            self.write(clone(statement))

        def expanded(statement: Any, along: dict[Any, Operand]) -> Operand:
            function, args, kwargs = statement.apply
            key = statement.targets[0].id
            return self.expanded(function, Operand(load(key), self.facts.kinds[key]), args, kwargs, along)

        def moved(function: Any, y: Operand, args: list[Expr], tangents: dict[int, Operand]) -> Operand:
            return self.expanded(function, y, args, {}, {(k,): t for k, t in tangents.items()})

        def given(name: str) -> Operand:
            kind = self.kind_of(load(name))
            return Operand(self.tangents.of(load(name)), kind) if name in self.facts.varied else spectral.ZERO

        def operand(expr: Expr) -> Operand:
            return Operand(expr, infer(expr, self.facts))

        return spectral_rules.Tangents(product, kind, operand, expanded, moved, self.numpy(), given).whole()

    def function(self, node: Any, function: CoreFunction, args: list[Expr], _: Any) -> None:
        """A call of a core function: its tangent function returns the results and the tangents of the active ones."""
        target = node.targets[0] if isinstance(node, gast.Assign) else gast.Tuple([], gast.Store())
        targets = items_of(target)
        results = [p for p in function.results if p.passed]
        made = list(targets)
        for one, result in zip(targets, results, strict=True):
            if result.varied:
                known = one.id in self.facts.varied
                name = self.tangents.name(one.id) if known else self.facts.fresh("_", temp=False)
                made.append(gast.Name(name, gast.Store(), None, None))
        inactive = {atom_key(a) for i, a in enumerate(args) if i not in function.active} & set(
            getattr(node, "may_share", ())
        )
        for one, result in zip(targets, results, strict=True):
            if result.varied and inactive and self.is_array(one.id) and self.is_unsettled(one.id, node):
                # the tangent of what is inactive there is a new one, whatever the result is
                raise self.refuse(
                    "a recursive function may return an array that it is given, and that is overwritten",
                    ways.COPY,
                )
        tangents = {i: self.tangents.of(args[i]) for i in (*function.active, *function.active_lists)}
        call = self.functions.tangent_call(function, [clone(a) for a in args], tangents)
        if not made:
            statement = gast.Expr(call)
        else:
            statement = assign(made[0] if len(made) == 1 else gast.Tuple(made, gast.Store()), call)
        statement.origin = getattr(node, "origin", None)
        statement.written = [n.id for i in call.tapes for n in walk_names(call.args[i])]
        self.out.append(statement)
        for one, result in zip(targets, results, strict=True):
            if not result.varied and one.id in self.facts.varied:  # active values are stored in it later
                zero = self.tangents.zero(load(one.id), self.facts.kinds[one.id])
                self.write(assign(self.tangents.name(one.id), zero))

    def is_array(self, key: str) -> bool:
        return isinstance(self.facts.kinds.get(key), (Array, Unknown))

    def is_unsettled(self, key: str, node: Any) -> bool:
        """Does it still matter whether a name is a view or a copy?"""
        place = self.memory.places.get(id(node))
        return place is None or self.memory.overwritten_after(key, None, place)

    def is_atom(self, expr: Expr) -> bool:
        return isinstance(expr, (gast.Subscript, gast.Attribute)) and atom_key(expr) in self.facts.kinds

    def list_definition(self, key: str, value: Expr) -> None:
        if isinstance(value, gast.List):
            items = [self.tangents.of(e) for e in value.elts]
            self.write(assign(self.tangents.name(key), gast.List(items, gast.Load())))
        elif isinstance(value, gast.BinOp) and isinstance(value.left, gast.List):
            made = clone(value)
            made.left = gast.List([self.tangents.of(e) for e in value.left.elts], gast.Load())
            self.write(assign(self.tangents.name(key), made))
        elif isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)) and self.tangents.varies(value):
            self.write(assign(self.tangents.name(key), self.tangents.of(value)))
        elif isinstance(value, gast.ListComp) or not reads_any(value, self.facts.varied):
            # what a comprehension that is still one makes, or another list, is inactive: it became active by a store
            kind = self.facts.kinds[key]
            assert isinstance(kind, ListOf)
            zeros = zeros_list(Sweep(self.facts, self.memory, self.core.source), load(key), kind)
            self.write(assign(self.tangents.name(key), zeros))
        else:
            raise self.refuse("this list of active values", ways.APPEND)

    def call(
        self, node: Any, y: Expr, y_kind: Kind, function: Any, args: list[Expr], kwargs: dict[str, Expr]
    ) -> Operand:
        tangents: dict[Any, Operand] = {}
        keys: dict[Any, str] = {}

        def visit(arg: Expr, key: tuple[Any, ...]) -> None:
            if isinstance(arg, (gast.Tuple, gast.List)):
                for i, item in enumerate(arg.elts):
                    visit(item, (*key, i))
            elif self.tangents.varies(arg):
                tangents[key] = Operand(self.tangents.of(arg), taken_by(function, self.kind_of(arg)))
                keys[key] = atom_key(arg)

        for position, arg in [*enumerate(args), *kwargs.items()]:
            visit(arg, (position,))
        return self.expanded(function, Operand(y, y_kind), args, kwargs, tangents, self.care_of(keys, y))

    def expanded(
        self,
        function: Any,
        y: Operand,
        args: list[Expr],
        kwargs: dict[str, Expr],
        tangents: dict[Any, Operand],
        care: Care | None = None,
    ) -> Operand:
        operands = [Operand(clone(a), taken_by(function, self.kind_of(a))) for a in args]
        named = {k: Operand(clone(a), taken_by(function, self.kind_of(a))) for k, a in kwargs.items()}
        try:
            statements, tangent = forward.tangent(function, y, operands, named, tangents, self.facts, care or NO_CARE)
        except NoDerivative as error:
            raise self.refused(error) from None
        for statement in statements:
            self.write(statement)
            target = target_of(statement)
            if isinstance(target, gast.Name) and target.id not in self.facts.kinds:
                self.facts.kinds[target.id] = infer(statement.value, self.facts)
        return tangent

    def care_of(self, keys: dict[Any, str], y: Expr) -> Care:
        """What products with the tangents of arguments have to look out for."""
        levels = {position: self.zeros.tangents.get(key, FULL) for position, key in keys.items()}
        infinite = not self.zeros.infinite.isdisjoint(keys.values())
        dropped = isinstance(y, gast.Name) and self.dropped.adjoints.get(y.id, FULL) == WHOLE
        return Care(levels, infinite, self.functions.strong_zero, dropped)

    def parts(self, node: Any, target: Any) -> None:
        keys = [e.id for _, e in leaves(target)]
        if not any(k in self.facts.varied for k in keys):
            self.pop_along(node.value)
            return
        application = getattr(node, "apply", None)
        if application is None:
            value = node.value
            if is_pop(value) if isinstance(value, gast.Call) else False:
                method = gast.Attribute(self.tangents.of(value.func.value), "pop", gast.Load())
                made: Expr = gast.Call(method, clone(value.args), [])
            elif isinstance(value, gast.Call):  # of constants: what is stored into the parts later makes them active
                for key in keys:
                    if key in self.facts.varied and key in self.memory.alias and self.is_unsettled(key, node):
                        raise not_known(self.statement, self.core.source)
                    if key in self.facts.varied:
                        self.write(assign(self.tangents.name(key), self.tangents.zero(load(key))))
                return
            else:
                made = gast.Subscript(self.tangents.of(value.value), clone(value.slice), gast.Load())
            self.write(assign(same_pattern(target, [self.tangents.name(k) for k in keys]), made))
            return
        function, args, kwargs = application
        matrix = self.spectral.matrices.get(id(node))
        if matrix is not None:
            function, keys = eigh_and_matrix, [*keys, matrix]
        y = gast.Tuple([load(k) for k in keys], gast.Load())
        kind = TupleKind(tuple(self.facts.kinds[k] for k in keys))
        tangent = self.call(node, y, kind, function, args, kwargs)
        for key, part in zip(keys, tangent.expr.elts, strict=True):
            if key not in self.facts.varied:
                continue
            if isinstance(part, gast.Constant) and isinstance(part.value, NoDerivative):
                self.lacking[self.tangents.name(key)] = self.refused(part.value)
                continue
            none = is_constant(part, None)
            if key not in self.memory.alias or not self.is_unsettled(key, node):
                self.define(key, self.tangents.zero(load(key)) if none else part)
            elif called(node.value) in SPLITS and not none:
                self.write(assign(self.tangents.name(key), part))  # a view of the tangent, as the value is one
            else:
                raise self.refuse(
                    "it is not known whether this shares memory with an array that is overwritten",
                    ways.COPY,
                )

    def forward_AugAssign(self, node: Any) -> None:
        target = node.target
        base = target if isinstance(target, gast.Name) else target.value
        varies = self.tangents.varies(base), self.tangents.varies(node.value)
        linear = isinstance(node.op, (gast.Add, gast.Sub))
        # where the value is not active, the base was none to the lowering yet: another name of its memory may have made
        # it one. (Both are active, and it is no sum: the lowering had written out another operation; both are 0 here.)
        scaled = isinstance(node.op, (gast.Mult, gast.Div)) and not varies[1]
        if varies[0] and ((varies[1] and linear) or scaled):
            if isinstance(target, gast.Name):
                where: Expr = gast.Name(self.tangents.name(target.id), gast.Store(), None, None)
            else:
                where = gast.Subscript(self.tangents.of(base), clone(target.slice), gast.Store())
            by = clone(node.value) if scaled else self.tangents.of(node.value)
            self.write(gast.AugAssign(where, type(node.op)(), by))
        self.out.append(node)

    def forward_Expr(self, node: Any) -> None:
        application = getattr(node, "apply", None)
        if application is not None and isinstance(application[0], CoreFunction):
            self.function(node, *application)
            return
        self.out.append(node)
        scatter = getattr(node, "scatter", None)
        if scatter is not None:
            base, index, value = scatter
            if self.tangents.varies(base) and self.tangents.varies(value):
                made = clone(node.value)
                made.args = [self.tangents.of(base), clone(index), self.tangents.of(value)]
                statement = gast.Expr(made)
                statement.scatter = tuple(made.args)
                self.write(statement)
            return
        call = node.value
        if (
            isinstance(call, gast.Call)
            and isinstance(call.func, gast.Attribute)
            and call.func.attr in ("append", "insert", "reverse")
            and self.tangents.varies(call.func.value)
        ):
            given = [*clone(call.args[:-1]), *(self.tangents.of_item(a) for a in call.args[-1:])]
            method = gast.Attribute(self.tangents.of(call.func.value), call.func.attr, gast.Load())
            self.write(gast.Expr(gast.Call(method, given, [])))

    def forward_If(self, node: Any) -> None:
        made = gast.If(node.test, self.block(node.body) or [gast.Pass()], self.block(node.orelse))
        made.origin = getattr(node, "origin", None)
        self.out.append(made)

    def forward_For(self, node: Any) -> None:
        made = gast.For(node.target, node.iter, self.block(node.body) or [gast.Pass()], [], None)
        made.origin = getattr(node, "origin", None)
        self.out.append(made)

    def forward_While(self, node: Any) -> None:
        made = gast.While(node.test, self.block(node.body) or [gast.Pass()], [])
        made.origin = getattr(node, "origin", None)
        self.out.append(made)

    def forward_With(self, node: Any) -> None:
        made = gast.With(node.items, self.block(node.body) or [gast.Pass()], None)
        made.origin = getattr(node, "origin", None)
        self.out.append(made)

    # --- the result

    def structure(self, value: Value) -> Expr:
        """The tangent of the result, in the result's structure."""
        if isinstance(value, Leaf):
            if not is_float_kind(value.kind):
                return gast.Constant(0.0, None) if isinstance(value.kind, Number) else self.tangents.zero(value.expr)
            if isinstance(value.kind, Number) and not self.tangents.varies(value.expr):
                return typed_zero(value.kind, self.numpy)
            if isinstance(value.kind, Unknown) and not value.varied:  # text, perhaps
                return quote("0.0 if isinstance(x, str) else 0.0 * x", x=value.expr)
            return self.tangents.of(value.expr)
        if isinstance(value, Tup):
            items = [self.structure(v) for v in value.items]
            if value.cls in (tuple, Keys):
                return gast.Tuple(items, gast.Load())
            return gast.Call(load(global_name(self.core.run, value.cls.__name__, value.cls)), items, [])
        if isinstance(value, Ref):
            obj = self.core.state.heap[value.id]
            parts = {k: self.structure(v) for k, v in contents(obj).items()}
            if isinstance(obj, ListObj):
                return gast.List(list(parts.values()), gast.Load())
            if isinstance(obj, DictObj):
                return gast.Dict([gast.Constant(k, None) for k in parts], list(parts.values()))
            return self.object_tangent(obj, parts)
        if isinstance(value, Known) and isinstance(value.value, (int, float)):
            return gast.Constant(0.0, None)
        return expression(self.core.run, value)

    def object_tangent(self, obj: Instance, parts: dict[str, Expr]) -> Expr:
        """An object of the same class whose attributes are the tangents; what is no number stays."""
        run = self.core.run
        cls = load(global_name(run, obj.cls.__name__, obj.cls))
        named = [gast.keyword(k, part) for k, part in parts.items()]
        if is_plain_dataclass(obj):
            return gast.Call(cls, [], named)
        return gast.Call(load(global_name(run, "made", helpers.made)), [cls], named)
