"""One call of a rule: its operands, and what macros make of them."""

from __future__ import annotations

import builtins
import math
import sys
import types
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, assign, global_name, load, quote
from s2sad.expansion.care import Care
from s2sad.expansion.fit import as_literal, kind_of, numpy_name, shape_expr, smaller
from s2sad.expansion.operand import NOT_STATIC, Key, Operand, Part, shape_of
from s2sad.expansion.refusal import USE_OTHERS, WRITE_OUT, NoDerivative
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Kind, List, Number, Tuple, Unknown
from s2sad.knowledge.names import public_name
from s2sad.knowledge.rule import Rule, RuleError, Template
from s2sad.runtime.decide import Look, decide

#: SciPy's functions that take complex numbers where their rules are for real ones
_FOR_REAL_NUMBERS = (
    "scipy.spatial.distance.", "scipy.ndimage.convolve", "scipy.ndimage.correlate", "scipy.ndimage.shift",
    "scipy.ndimage.affine_transform", "scipy.ndimage.map_coordinates", "scipy.ndimage.zoom",
    "scipy.linalg.solve_toeplitz", "scipy.special.jve", "scipy.special.yve",
)  # fmt: skip

_OPERATORS: dict[str, Any] = {
    "add": gast.Add,
    "sub": gast.Sub,
    "mul": gast.Mult,
    "truediv": gast.Div,
    "matmul": gast.MatMult,
    "neg": gast.USub,
    "pos": gast.UAdd,
    "pow": gast.Pow,
    "floordiv": gast.FloorDiv,
    "mod": gast.Mod,
}


class Local:
    """A local of a template: its statement is written when it is first read, so that what nobody reads is not."""

    def __init__(self, name: str, value: Operand) -> None:
        self.name = name
        self.value = value
        self.operand: Operand | None = None


class Context:
    """One call of a rule: the operands, what is active, and the statements so far. Macros get it first."""

    def __init__(
        self,
        rule: Rule,
        y: Operand,
        args: Sequence[Operand],
        kwargs: dict[str, Operand],
        active: set[Key],
        facts: Facts,
    ) -> None:
        self.rule = rule
        if isinstance(y.kind, List) and isinstance(y.expr, gast.Tuple):
            y = Operand(y.expr, Tuple(y.kind.items))
        self.y = y
        self.args = [Part(a.expr, a.kind, (i,)) for i, a in enumerate(args)]
        if rule.name.startswith(_FOR_REAL_NUMBERS) and any(a.is_complex for a in (*args, *kwargs.values())):
            raise NoDerivative(f"{rule.name}: complex arguments have no rule", "take real and imaginary parts apart")
        self.kwargs = {k: Part(a.expr, a.kind, (k,)) for k, a in kwargs.items()}
        self.active = active
        self.facts = facts
        self.statements: list[Stmt] = []
        self.cotangent: Operand | None = None
        self.care = Care()
        self.tangents: dict[Key, Operand] = {}
        #: what the names of the template stand for: arguments, locals, and under `#...` what macros share
        self.env: dict[str, Any] = {}
        self.template: Template | None = None
        #: the arguments whose tangents a forward rule has read
        self.read: set[Key] = set()

    @property
    def sources(self) -> list[Operand]:
        """Operands whose shapes may be read in the output: the arguments, then the result."""
        out: list[Operand] = []
        for part in (*self.args, *self.kwargs.values()):
            out.extend(part.items() or [part] if isinstance(part.expr, (gast.Tuple, gast.List)) else [part])
        out = [o for o in out if isinstance(o.expr, (gast.Name, gast.Subscript, gast.Attribute))]
        if isinstance(self.y.expr, gast.Tuple):
            kinds = self.y.kind.items if isinstance(self.y.kind, Tuple) else [Unknown()] * len(self.y.expr.elts)
            return [*out, *(Operand(e, k) for e, k in zip(self.y.expr.elts, kinds, strict=True))]
        return [*out, self.y]

    @property
    def np(self) -> str:
        """The name of numpy in the output."""
        return numpy_name(self.facts)

    def quote(self, text: str, **parts: Any) -> Operand:
        """An operand from source text; `np` is numpy, operands and plain values may be parts."""
        if any(v is ZERO for v in parts.values()):
            return ZERO  # type: ignore[return-value]  # zero takes the expression it is a factor of with it
        nodes = {k: as_literal(v) for k, v in parts.items()}
        if "np" in text:
            nodes["np"] = load(self.np)
        return self.operand(quote(text, **nodes))

    def operand(self, expr: Expr) -> Operand:
        """An expression with the kind that can be inferred for it."""
        return Operand(expr, kind_of(expr, self.facts))

    def local(self, stem: str, value: Operand) -> Operand:
        """A name for a value: a new temp, unless the value is a name or a constant already."""
        if isinstance(value.expr, (gast.Name, gast.Constant)):
            return value
        name = self.facts.fresh(stem)
        self.facts.kinds[name] = value.kind
        self.statements.append(assign(name, value.expr))
        return Operand(load(name), value.kind)

    def is_active(self, part: Any) -> bool:
        """Is this argument, or any item of it, active?"""
        return isinstance(part, Part) and any(key[: len(part.key)] == part.key for key in self.active)

    def name_of(self, function: Any, stem: str) -> str:
        """The name of a function or module in the output."""
        return global_name(function, stem, self.facts)

    def refuse(self, reason: str, way_out: str = "") -> NoDerivative:
        """What to raise for a call that the rule does not cover."""
        return NoDerivative(f"{self.rule.name}: {reason}", way_out or USE_OTHERS)

    def unknown(self, what: str) -> NoDerivative:
        """What to raise for a call whose code depends on what only its run knows: an axis, a mode, a rank."""
        return self.refuse(f"{what} must be known when code is generated", WRITE_OUT)

    def misused(self, reason: str) -> RuleError:
        place = self.template.place if self.template else ""
        return RuleError(f"{place}: {reason}")

    def broadcast(self, value: Operand, full: Kind) -> Operand:
        """The value at its full size: np.broadcast_to where it is lazy."""
        if not _to_broadcast(value.kind, full):
            return value
        shape = shape_expr(full, self.sources)
        if shape is None:
            raise self.refuse("the shape of a lazily broadcast value cannot be expressed")
        expr = quote("np.broadcast_to(g, s)", np=self.np, g=value.expr, s=shape)
        dtype = value.dtype
        return Operand(expr, Array(dtype, shape_of(full)) if dtype is not None else full)

    def full_zero(self) -> Operand:
        """The tangent of a result that does not vary."""
        if isinstance(self.y.kind, Tuple):
            return Operand(gast.Constant(None, None), self.y.kind)
        if shape_of(self.y.kind) == ():
            return Operand(gast.Constant(0.0, None), Number(float))
        return self.quote("np.zeros_like(y)", y=self.y)

    def zeros_like(self, operand: Operand) -> Operand:
        """Zeros of the shape of an operand."""
        if operand.is_scalar:
            return Operand(gast.Constant(0.0, None), Number(float))
        return Operand(quote("np.zeros_like(x)", np=self.np, x=operand.expr), operand.kind)

    def value_of(self, name: str) -> Any:
        """What a name means at generation time: static values as themselves, other arguments as operands."""
        value = self.env[name]
        if isinstance(value, Local):
            return value.value
        if isinstance(value, Operand) and not self.is_active(value):
            static = value.static
            if static is not NOT_STATIC:
                return static
        return value

    def call_expr(self, args: list[Expr], keywords: list[Any]) -> Expr:
        """A call of the primitive itself, as the user would write it: operators as operators, methods as methods."""
        target = self.rule.target
        if self.rule.name.startswith("operator."):
            symbol = _OPERATORS.get(target.__name__)
            if symbol is not None and not keywords:
                if len(args) == 1:
                    return gast.UnaryOp(symbol(), args[0])
                return gast.BinOp(args[0], symbol(), args[1])
        owner = getattr(target, "__objclass__", None)
        if owner is not None:
            return gast.Call(gast.Attribute(args[0], target.__name__, gast.Load()), args[1:], keywords)
        return gast.Call(self.function_expr(target), args, keywords)

    def function_expr(self, target: Any) -> Expr:
        """An expression for a function: the name under which the primal knows it, else through its module."""
        for name, known in self.facts.globals.items():
            if known is target:
                return load(name)
        parts = self.rule.name.split(".") if target is self.rule.target else public_name(target).split(".")
        if len(parts) == 1:
            if getattr(builtins, parts[0], None) is target:
                return load(parts[0])
            return load(self.name_of(target, parts[0]))
        if parts[0] == "np":
            return quote(".".join(["np", *parts[1:]]), np=self.np)
        module = sys.modules.get(".".join(parts[:-1]))
        if module is None or getattr(module, parts[-1], None) is not target:
            return load(self.name_of(target, parts[-1]))
        return gast.Attribute(load(self.name_of(module, parts[-2])), parts[-1], gast.Load())

    def global_expr(self, name: str) -> Any:
        """A free name of a template: a global of its module, else a function beside the primitive, else NumPy's."""
        template = self.template
        assert template is not None
        known = template.function.__globals__.get(name)
        if known is not None and not hasattr(known, "__s2sad_template__"):
            decide(template.function.__globals__, Look.NAME, name)
            return load(self.name_of(known, name))
        namespace = self.namespace
        function = getattr(namespace, name, None) if namespace is not np else None
        if function is None:
            function = getattr(np, name, None)
        if function is None:
            if hasattr(builtins, name):
                return load(name)
            raise self.misused(f"{name} is not defined: neither here nor in numpy")
        for own, value in self.facts.globals.items():
            if value is function and not isinstance(value, types.ModuleType):
                return load(own)
        module = namespace if namespace is not np and getattr(namespace, name, None) is function else np
        stem = "np" if module is np else module.__name__.split(".")[-1]
        return gast.Attribute(load(self.name_of(module, stem)), name, gast.Load())

    @property
    def namespace(self) -> Any:
        """The module of bare names: that of the primitive; math for operators on plain Python numbers."""
        own = self.rule.namespace
        if self.rule.name.startswith("operator.") or own in (None, builtins):
            if all(a.is_number for a in self.args) and not any(a.is_complex for a in self.args):
                return math
            return np
        return own


def _to_broadcast(kind: Kind, full: Kind) -> bool:
    """Is a value lazily broadcast, or perhaps so: a number on one path and an array of the full kind on another?"""
    return smaller(kind, full) or (isinstance(kind, Unknown) and bool(shape_of(full)))
