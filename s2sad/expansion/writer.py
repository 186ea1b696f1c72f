"""Expressions of a template as expressions of the output."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast

from s2sad.analysis.zeros import FULL
from s2sad.core import Expr, clone, quote, walk
from s2sad.expansion.binding import free_names
from s2sad.expansion.context import Context, Local, _to_broadcast
from s2sad.expansion.fit import as_literal, kind_of
from s2sad.expansion.infinite_slopes import is_risky, safe
from s2sad.expansion.known import decide
from s2sad.expansion.macros import MACROS
from s2sad.expansion.operand import NOT_STATIC, Operand, Part, dtype_of
from s2sad.expansion.zero import ZERO, is_seed, is_zero
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Tuple, Unknown
from s2sad.runtime import helpers

#: by the type of a template's node: what is written for it
_WRITERS: dict[type, Callable[[Writer, Any], Any]] = {}


def _writes(node: type) -> Callable[[Callable[[Writer, Any], Any]], Callable[[Writer, Any], Any]]:
    def register(function: Callable[[Writer, Any], Any]) -> Callable[[Writer, Any], Any]:
        _WRITERS[node] = function
        return function

    return register


class Writer:
    """What a template's expressions come to, for one call: nodes, plain values (from macros), or ZERO."""

    def __init__(self, context: Context) -> None:
        self.context = context
        #: locals of the template that a derivative is a factor of
        self.carrying: set[str] = set()
        #: the cotangent at the size of the result, when something has asked for it
        self.full: Operand | None = None

    def emit(self, node: Any) -> Any:
        """A template expression as an expression of the output: a node, a plain value (from macros), or ZERO."""
        write = _WRITERS.get(type(node))
        return self.children(node) if write is None else write(self, node)

    def node(self, value: Any) -> Any:
        """A value as a node; ZERO stays."""
        return value if value is ZERO else as_literal(value)

    def children(self, node: Any) -> Any:
        """Any other node: its children; zero when one of them is (the derivative occurs linearly)."""
        new = copy.copy(node)
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, gast.expr):
                value = self.node(self.emit(child))
                if value is ZERO:
                    return ZERO
                setattr(new, name, value)
            elif isinstance(child, list):
                values = []
                for item in child:
                    value = item
                    if isinstance(item, gast.keyword):
                        inner = self.node(self.emit(item.value))
                        value = ZERO if inner is ZERO else gast.keyword(item.arg, inner)
                    elif isinstance(item, gast.expr):
                        value = self.node(self.emit(item))
                    if value is ZERO:
                        return ZERO
                    values.append(value)
                setattr(new, name, values)
        return new

    def derivative(self, which: Any) -> Any:
        """d[x]: the cotangent of the result in an adjoint, the tangent of an argument in a forward rule."""
        template = self.context.template
        assert template is not None
        if self.context.cotangent is not None:
            if isinstance(which, gast.Name) and which.id == template.result:
                return self.cotangent_expr()
            if (
                isinstance(which, gast.Subscript)
                and isinstance(which.value, gast.Name)
                and which.value.id == template.result
            ):
                return self.cotangent_part(decide(self.context, which.slice))
            raise self.context.misused("an adjoint reads d[y] only")
        part = decide(self.context, which)
        if isinstance(part, list) and not any(isinstance(p, Part) for p in part):
            return ZERO  # a list of constants
        if isinstance(part, list):
            self.context.read.update(p.key for p in part)
            known = [
                self.context.tangents[p.key] if p.key in self.context.tangents else self.context.zeros_like(p)
                for p in part
            ]
            return gast.List([clone(e.expr) for e in known], gast.Load())
        if isinstance(part, Part):
            self.context.read.add(part.key)
            if part.key in self.context.tangents:
                return clone(self.context.tangents[part.key].expr)
            if self.context.is_active(part):
                return clone(self.tangent_of(part).expr)
        return ZERO

    def tangent_of(self, part: Part) -> Operand:
        """The tangent of an argument, or of an item of one: zeros where it does not vary."""
        if part.key in self.context.tangents:
            return self.context.tangents[part.key]
        if not self.context.is_active(part):
            return self.context.zeros_like(part)
        expr = gast.List([clone(self.tangent_of(i).expr) for i in part.items() or []], gast.Load())
        return self.context.operand(expr)

    def cotangent_expr(self) -> Any:
        g = self.context.cotangent
        assert g is not None and self.context.template is not None
        if isinstance(g.expr, gast.Tuple) and isinstance(self.context.y.kind, Tuple):
            return [self.cotangent_part(i) for i in range(len(g.expr.elts))]
        if self.context.template.options & {"lazy", "broadcasts"} or not _to_broadcast(g.kind, self.context.y.kind):
            return clone(g.expr)
        if self.full is None:
            self.full = self.context.local("g", self.context.broadcast(g, self.context.y.kind))
        return clone(self.full.expr)

    def cotangent_part(self, index: int) -> Any:
        """The cotangent of one of several results, at full size; ZERO when it has none."""
        g = self.context.cotangent
        assert g is not None
        if not isinstance(g.expr, (gast.Tuple, gast.List)):
            raise self.context.refuse("its results must be unpacked", ways.UNPACK)
        expr = g.expr.elts[index]
        if isinstance(expr, gast.Constant) and expr.value is None:
            return ZERO
        kinds = g.kind.items if isinstance(g.kind, Tuple) else ()
        kind = kinds[index] if index < len(kinds) else kind_of(expr, self.context.facts)
        own = self.context.y.kind.items[index] if isinstance(self.context.y.kind, Tuple) else Unknown()
        return clone(self.context.broadcast(Operand(expr, kind), own).expr)

    def is_macro(self, node: Any) -> bool:
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) or node.func.id not in MACROS:
            return False
        # a function of the user's may have the name; a template does not hide the macro of its name
        own = None if self.context.template is None else self.context.template.function.__globals__.get(node.func.id)
        return node.func.id not in self.context.env and (own is None or hasattr(own, "__s2sad_template__"))

    def macro_call(self, node: Any) -> Any:
        args = [self.macro_argument(a) for a in node.args]
        keywords = {k.arg: self.macro_argument(k.value) for k in node.keywords}
        return MACROS[node.func.id](self.context, *args, **keywords)

    def macro_argument(self, node: Any) -> Any:
        """An argument of a macro: a static value, or an operand."""
        if isinstance(node, gast.Name) and node.id in self.context.env:
            value = self.context.value_of(node.id)
            if isinstance(self.context.env[node.id], Local):
                value = Operand(_name(self, node), value.kind)
            return value
        if isinstance(node, gast.Subscript) and not (isinstance(node.value, gast.Name) and node.value.id == "d"):
            base = self.context.env.get(node.value.id) if isinstance(node.value, gast.Name) else None
            if isinstance(base, (Part, list)):
                return decide(self.context, node)
        value = self.macro_call(node) if self.is_macro(node) else self.emit(node)
        if isinstance(value, Operand):
            value, known = value.expr, value
        else:
            known = None
        if isinstance(value, gast.Constant):
            return value.value
        if isinstance(value, gast.AST):
            operand = known if known is not None else self.context.operand(value)
            static = operand.static
            return operand if static is NOT_STATIC else static
        return value

    def safe_product(self, node: Any, made: Any) -> Any:
        """A product or quotient of a template; a safe one where a factor of a derivative may be infinite."""
        left, right = self.carries(node.left), self.carries(node.right)
        if left == right or not isinstance(node.op, (gast.Mult, gast.Div)) or (right and isinstance(node.op, gast.Div)):
            return made
        derivative, factor = (made.left, made.right) if left else (made.right, made.left)
        level = min(self.context.care.levels.values(), default=FULL)
        if isinstance(derivative, gast.Constant) or not is_risky(
            self.context, factor, level, isinstance(node.op, gast.Div)
        ):
            return made
        g = self.context.local("g", self.context.operand(derivative))
        return safe(
            self.context, gast.BinOp(clone(g.expr) if left else factor, made.op, factor if left else clone(g.expr)), g
        ).expr

    def carries(self, node: Any) -> bool:
        """Is a derivative a factor of a template expression?"""
        return any(isinstance(n, gast.Name) and (n.id == "d" or n.id in self.carrying) for n in walk(node))

    def static_test(self, node: Any) -> bool:
        """Does a condition ask only what generation knows? (a `?` of kinds, not of values)"""
        value = self.decide_or_none(node)
        return isinstance(value, bool)

    def decide_or_none(self, node: Any) -> Any:
        for name in free_names(node):
            value = self.context.env.get(name)
            if isinstance(value, (Operand, Local)) and not isinstance(self.context.value_of(name), Operand):
                continue
            if isinstance(value, (Local, Operand)) and not _only_asks(node, name):
                return None
        return decide(self.context, node)


@_writes(gast.Constant)
def _constant(_: Writer, node: Any) -> Any:
    return clone(node)


@_writes(gast.Tuple)
def _tuple(writer: Writer, node: Any) -> Any:
    values = [writer.emit(e) for e in node.elts]
    if any(v is ZERO for v in values):
        return [None if v is ZERO else v for v in values] if writer.context.cotangent is None else values
    return gast.Tuple([writer.node(v) for v in values], gast.Load())


@_writes(gast.Name)
def _name(writer: Writer, node: Any) -> Any:
    if node.id in writer.context.env:
        value = writer.context.env[node.id]
        if isinstance(value, Local):
            if value.operand is None:
                value.operand = writer.context.local(value.name, value.value)
            return clone(value.operand.expr)
        if isinstance(value, Operand):
            return clone(value.expr)
        return value
    return writer.context.global_expr(node.id)


@_writes(gast.Subscript)
def _subscript(writer: Writer, node: Any) -> Any:
    if isinstance(node.value, gast.Name):
        if node.value.id == "d":
            return writer.derivative(node.slice)
        value = writer.context.env.get(node.value.id)
        if isinstance(value, (Operand, list)) and not (
            isinstance(value, Operand) and not isinstance(value.expr, (gast.Tuple, gast.List))
        ):
            index = decide(writer.context, node.slice)
            if isinstance(index, int):
                items = value if isinstance(value, list) else value.expr.elts
                return clone(items[index].expr if isinstance(items[index], Operand) else items[index])
    base = writer.node(writer.emit(node.value))
    index_value = writer.emit(node.slice)
    if base is ZERO or index_value is ZERO:
        return ZERO
    return gast.Subscript(base, as_literal(index_value), gast.Load())


@_writes(gast.Attribute)
def _attribute(writer: Writer, node: Any) -> Any:
    if isinstance(node.value, gast.Name):
        value = writer.context.env.get(node.value.id)
        if isinstance(value, Local):
            value = value.value
        if isinstance(value, Operand):
            if node.attr == "ndim" and value.ndim is not None:
                return value.ndim
            if node.attr in ("T", "mT") and value.ndim is not None and value.ndim < 2:
                return clone(value.expr)
            if node.attr == "dtype" and not isinstance(value.kind, Array):
                return quote("np.result_type(x)", np=writer.context.np, x=value.expr)
            if node.attr in ("size", "shape", "ndim") and not isinstance(value.kind, Array):
                return quote(f"np.{node.attr}(x)", np=writer.context.np, x=value.expr)
    base = writer.node(writer.emit(node.value))
    return ZERO if base is ZERO else gast.Attribute(base, node.attr, gast.Load())


@_writes(gast.Call)
def _call(writer: Writer, node: Any) -> Any:
    if writer.is_macro(node):
        result = writer.macro_call(node)
        return result.expr if isinstance(result, Operand) else result
    return writer.children(node)


@_writes(gast.BinOp)
def _operation(writer: Writer, node: Any) -> Any:
    left, right = writer.node(writer.emit(node.left)), writer.node(writer.emit(node.right))
    if isinstance(node.op, (gast.Add, gast.Sub)):
        if left is ZERO or is_zero(left):
            if right is ZERO:
                return ZERO
            return right if isinstance(node.op, gast.Add) else gast.UnaryOp(gast.USub(), right)
        if right is ZERO or is_zero(right):
            return left
    elif left is ZERO or right is ZERO:
        return ZERO
    if isinstance(node.op, gast.Mult):
        # a seed of 1.0 is not written
        if is_seed(node.left, left) and _is_float(writer.context, right):
            return right
        if is_seed(node.right, right) and _is_float(writer.context, left):
            return left
    return writer.safe_product(node, gast.BinOp(left, node.op, right))


@_writes(gast.IfExp)
def _choice(writer: Writer, node: Any) -> Any:
    """A conditional expression: decided now when it can be, else left to the output."""
    if writer.static_test(node.test):
        return writer.emit(node.body if decide(writer.context, node.test) else node.orelse)
    return writer.children(node)


def _is_float(context: Context, expr: Expr) -> bool:
    named = isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name)
    if named and helpers.is_helper(context.facts.globals.get(expr.func.id)):
        return True  # they return floats
    dtype = dtype_of(kind_of(expr, context.facts))
    return dtype is not None and dtype.kind in "fc"


def _only_asks(node: Any, name: str) -> bool:
    """Is a name used in a condition only through attributes such as x.ndim, or in calls of predicates?"""
    parents = {child: parent for parent in gast.walk(node) for child in gast.iter_child_nodes(parent)}
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and n.id == name:
            parent = parents.get(n)
            if isinstance(parent, gast.Attribute) and parent.attr in (
                "ndim",
                "shape",
                "dtype",
                "is_scalar",
                "is_complex",
                "is_number",
                "kind",
                "static",
            ):
                continue
            if (
                isinstance(parent, gast.Call)
                and isinstance(parent.func, gast.Name)
                and (parent.func.id == "active" or parent.func.id in MACROS)
            ):
                continue
            if isinstance(parent, gast.Compare) and any(isinstance(o, (gast.Is, gast.IsNot)) for o in parent.ops):
                continue
            return False
    return True
