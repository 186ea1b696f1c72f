"""The template engine: the statements that a rule comes to for one call.

A template is interpreted over its tree. Conditions, loops and macros are run now, on what is known of the operands; the
expressions that remain are copied with operands for parameters. In `d[x]`, `g = d[y]` and all that is multiplied with
them, the derivative of an inactive value is a symbolic zero, which vanishes from sums and takes products with it.

The pairing of cotangents and tangents is bilinear, without conjugation: for all dx,
`Re(sum(bx * dx)) = Re(sum(by * dy))`. So a holomorphic function has one rule for real and for complex arguments.
"""

from __future__ import annotations

import builtins
import copy
import functools
import itertools
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from s2sad import rules
from s2sad.analysis.ranges import called_name, finite
from s2sad.analysis.zeros import FULL, WHOLE, has_zeros
from s2sad.core import Expr, Facts, Stmt, assign, clone, form, global_name, load, names_read, quote, text, walk
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Either, Kind, List, ListOf, Number, Static, Tuple, Unknown
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.kinds.query import is_complex
from s2sad.runtime import helpers
from s2sad.runtime.decide import Look, decide
from s2sad.transform.fit import (
    Product,
    as_literal,
    fit,
    kind_of,
    narrowed,
    numpy_name,
    perhaps_smaller,
    shape_expr,
    smaller,
)
from s2sad.transform.operand import NOT_STATIC, Key, Operand, Part, dtype_of, literal_kind, shape_of

__all__ = ["Expansion", "Key", "NoDerivative", "Operand", "adjoint", "macro", "tangent"]


#: what to do about an option or an argument that a rule does not cover, and about one that only the run knows
USE_OTHERS = "leave out what has no rule, or compute it with other functions that `s2sad rules` lists"
WRITE_OUT = "write it in the call as a constant; the rank of an array is known behind np.reshape(a, (n, m))"


class NoDerivative(Exception):
    """A call that the rules cannot differentiate: why, and the way out."""

    def __init__(self, reason: str, way_out: str = "") -> None:
        super().__init__(reason + (f"; {way_out}" if way_out else ""))
        self.reason = reason
        self.way_out = way_out


@dataclass
class Expansion:
    """What the adjoint of a call comes to: statements for intermediate values, then one contribution an active key."""

    statements: list[Stmt] = field(default_factory=list)
    contributions: list[tuple[Key, Operand]] = field(default_factory=list)


@dataclass(frozen=True)
class Care:
    """Where a product of a derivative with a slope has to be 0 because the derivative is, whatever the slope is."""

    #: how much of the cotangent, or of each tangent by key, may be left out (levels of `s2sad.analysis.zeros`)
    levels: dict[Key | None, int] = field(default_factory=dict)
    #: may the cotangent, or a tangent, be infinite?
    infinite: bool = False
    #: is every zero one that stays zero?
    strong: bool = False
    #: may the result be left out as a whole? Then a slope that is infinite must not raise
    dropped: bool = False
    #: is what is left out perhaps nan? Then any slope may be
    of_nan: bool = False

    @property
    def leaves_out(self) -> bool:
        """May something of the cotangent, or of a tangent, be left out?"""
        return any(level < FULL for level in self.levels.values())

    def level(self, key: Key | None = None) -> int:
        """The level of the cotangent, or of the tangent of an argument."""
        return self.levels.get(key, FULL)


def _may_be_int(kind: Kind) -> bool:
    """May it be an int that a sum starts with, and that no turn of a loop has made an array?"""
    other = kind.other if isinstance(kind, Either) else None
    return isinstance(other, Number) and issubclass(other.type, (int, np.integer, np.bool_))


class _Zero:
    """The derivative of what does not vary."""

    def __repr__(self) -> str:
        return "ZERO"


ZERO = _Zero()
_macros: dict[str, Callable[..., Any]] = {}


def macro(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a generation-time function for templates.

    It is called by name with the expansion context first, then the arguments: operands, or plain values where the
    template has literals. It returns an Operand, a gast expression, a plain value, or ZERO.
    """
    if function.__name__ in _macros:
        raise rules.RuleError(f"there is a macro {function.__name__} already")
    _macros[function.__name__] = function
    return function


# -- the two questions -------------------------------------------------------------------------------------------------


def adjoint(
    target: Any,
    y: Operand,
    args: Sequence[Operand],
    kwargs: dict[str, Operand],
    cotangent: Operand,
    active: set[Key],
    facts: Facts,
    mask: Mask | None = None,
    care: Care = Care(),
) -> Expansion:
    """The contributions of one call to the adjoints of its active arguments.

    Args:
        target: the function that is called, an `operator` function for operators.
        y: the result; for several results a Tuple of Names.
        args: the positional arguments.
        kwargs: the keyword arguments.
        cotangent: the adjoint of y, which may be lazily broadcast (smaller than y, as its kind says); for several
            results a Tuple whose missing parts are None.
        active: the arguments, or items `(0, 2)` of list arguments, that contributions are wanted for.
        facts: what is known of the names; new temps and globals are entered.
        mask: where the cotangent counts, of an elementwise function. Elsewhere it is zero, whatever the slope is there.
        care: which products have to be safe from slopes that do not exist.

    Returns:
        The expansion. An active argument may have no contribution when its derivative is zero.

    Raises:
        NoDerivative: there is no rule for this call.
    """
    rule = _rule(target)
    if rule.zero or not active:
        return Expansion()
    _refuse_complex(rule, [*args, *kwargs.values()])
    context = Context(rule, y, args, kwargs, active, facts)
    if isinstance(cotangent.kind, List) and isinstance(cotangent.expr, gast.Tuple):
        cotangent = Operand(cotangent.expr, Tuple(cotangent.kind.items))
    context.cotangent = cotangent
    context.mask, context.care = mask, care
    if rule.partials is not None:
        expansion = context.adjoint_of_partials(rule.partials)
    else:
        template = rule.linear or rule.adjoint
        if template is None:
            raise NoDerivative(f"{rule.name} has no reverse rule", ways.RULE)
        expansion = context.adjoint_of(template)
    if care.leaves_out or care.infinite or care.strong:
        expansion.statements = context.with_selections()
        expansion.contributions = [(k, Operand(context.selected(v.expr), v.kind)) for k, v in expansion.contributions]
    return expansion


def _refuse_complex(rule: rules.Rule, args: Sequence[Operand]) -> None:
    """Densities and probabilities are of real numbers, whatever their formulas make of complex ones."""
    if rule.name.startswith("scipy.stats.") and any(a.is_complex for a in args):
        raise NoDerivative(f"{rule.name} of complex numbers has no rule", "take np.real of them")


def tangent(
    target: Any,
    y: Operand,
    args: Sequence[Operand],
    kwargs: dict[str, Operand],
    tangents: dict[Key, Operand],
    facts: Facts,
    care: Care = Care(),
) -> tuple[list[Stmt], Operand]:
    """The tangent of the result of one call.

    Args:
        target, y, args, kwargs, facts, care: as for `adjoint`.
        tangents: the tangents of the arguments that vary, by key.

    Returns:
        Statements for intermediate values, and the tangent, which has the shape of y. For several results it is a
        Tuple whose parts that do not vary are None; for one that has no rule it holds the reason, a NoDerivative.

    Raises:
        NoDerivative: there is no rule for this call.
    """
    rule = _rule(target)
    _refuse_complex(rule, [*args, *kwargs.values()])
    context = Context(rule, y, args, kwargs, set(tangents), facts)
    context.tangents, context.care = tangents, care
    if rule.zero:
        return [], context.full_zero()
    if rule.partials is not None:
        statements, made = context.tangent_of_partials(rule.partials)
    elif rule.linear is not None:
        statements, made = context.tangent_of_linear(rule.linear)
    elif rule.tangent is not None:
        statements, made = context.tangent_of(rule.tangent)
    else:
        raise NoDerivative(f"{rule.name} has no forward rule", ways.RULE)
    if care.leaves_out or care.infinite or care.strong:
        statements = context.with_selections()
        made = Operand(context.selected(made.expr), made.kind)
    return statements, made


def _rule(target: Any) -> rules.Rule:
    rule = rules.lookup(target)
    if rule is None:
        raise NoDerivative(f"{rules.public_name(target)} has no derivative rule", ways.RULE)
    return rule


def is_elementwise(target: Any) -> bool:
    """Is the rule of a function a partial derivative for each argument?"""
    rule = rules.lookup(target)
    return rule is not None and rule.partials is not None


# -- one call ----------------------------------------------------------------------------------------------------------


#: keywords that change nothing in a derivative
_HARMLESS = (
    "casting", "order", "subok", "kind", "stable", "optimize", "device", "like", "check_finite", "driver",
    "lapack_driver",
)  # fmt: skip


#: SciPy's functions that take complex numbers where their rules are for real ones
_FOR_REAL_NUMBERS = (
    "scipy.spatial.distance.", "scipy.ndimage.convolve", "scipy.ndimage.correlate", "scipy.ndimage.shift",
    "scipy.ndimage.affine_transform", "scipy.ndimage.map_coordinates", "scipy.ndimage.zoom",
    "scipy.linalg.solve_toeplitz", "scipy.special.jve", "scipy.special.yve",
)  # fmt: skip

#: elementwise functions that give real numbers for complex ones
_REAL_VALUED = (np.absolute, np.angle, abs, operator.abs)


class _Local:
    """A local of a template: its statement is written when it is first read, so that what nobody reads is not."""

    def __init__(self, name: str, value: Operand) -> None:
        self.name = name
        self.value = value
        self.operand: Operand | None = None


@dataclass(frozen=True)
class Mask:
    """Where a cotangent counts: `np.where(condition, value, 0.0)`, or the other way round.

    Slopes are multiplied in before the mask is applied: 0.0 * nan would be nan.
    """

    condition: Expr
    inverted: bool
    #: the cotangent without the mask
    raw: Operand

    @staticmethod
    def of(expr: Expr, kind_of: Any) -> Mask | None:
        """The mask of `np.where(condition, value, 0.0)` and `value if condition else 0.0`; None for anything else."""
        if isinstance(expr, gast.IfExp):
            return Mask(expr.test, False, Operand(expr.body, kind_of(expr.body))) if _is_zero(expr.orelse) else None
        if not (isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == "where"):
            return None
        if len(expr.args) != 3:
            return None
        condition, first, second = expr.args
        if _is_zero(second):
            return Mask(condition, False, Operand(first, kind_of(first)))
        return Mask(condition, True, Operand(second, kind_of(second))) if _is_zero(first) else None

    def same(self, other: Mask) -> bool:
        """Is it the same mask?"""
        return self.inverted == other.inverted and form(self.condition) == form(other.condition)

    def opposite(self, other: Mask) -> bool:
        """Is it where the other one is not?"""
        return self.inverted != other.inverted and form(self.condition) == form(other.condition)

    def told(self, np_: Any) -> Expr:
        """Where the cotangent counts, as an expression."""
        return quote("np.logical_not(c)", np=np_, c=self.condition) if self.inverted else clone(self.condition)

    def applied(self, value: Expr, np_: Any, number: bool = False) -> Expr:
        """The value where the cotangent counts, else 0; of a number, it is computed only there."""
        if number:
            zero, value = gast.Constant(0.0, None), clone(value)
            if isinstance(value, gast.Name) and isinstance(self.raw.kind, Array):
                value = quote("v[()]", v=value)  # a number, as its name says, and not the array of no axes itself
            return gast.IfExp(clone(self.condition), *((zero, value) if self.inverted else (value, zero)))
        form = "np.where(c, 0.0, v)" if self.inverted else "np.where(c, v, 0.0)"
        return quote(form, np=np_, c=clone(self.condition), v=value)


def _to_broadcast(kind: Kind, full: Kind) -> bool:
    """Is a value lazily broadcast, or perhaps so: a number on one path and an array of the full kind on another?"""
    return smaller(kind, full) or (isinstance(kind, Unknown) and bool(shape_of(full)))


def _of_ints(value: Any) -> bool:
    """Is it a list or tuple of ints that is known?"""
    return isinstance(value, (list, tuple)) and all(type(v) is int for v in value)


class Context:
    """One call of a rule: the operands, what is active, and the statements so far. Macros get it first."""

    def __init__(
        self,
        rule: rules.Rule,
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
        self.mask: Mask | None = None
        self.care = Care()
        #: locals of the template that a derivative is a factor of
        self.carrying: set[str] = set()
        self.tangents: dict[Key, Operand] = {}
        self.env: dict[str, Any] = {}
        self.contributions: list[tuple[Key, Operand]] = []
        self.covered: set[Key] = set()
        self.template: rules.Template | None = None
        self.full: Operand | None = None
        self.result: Any = None
        self.read: set[Key] = set()
        #: active arguments whose partial derivative is zero
        self.constant: set[Key] = set()

    # -- services, for macros too

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

    # -- binding

    def bind(self, template: rules.Template) -> None:
        """Bind the arguments of the call to the parameters of the template."""
        self.template = template
        env: dict[str, Any] = {template.result: self.y}
        position = 0
        used: set[str] = set()
        for parameter in template.parameters:
            name = parameter.name
            value: Any
            if parameter.kind == parameter.VAR_POSITIONAL:
                rest = self.args[position:]
                items = [Part(a.expr, a.kind, a.key) for a in rest]
                value = items
                position = len(self.args)
            elif parameter.kind != parameter.KEYWORD_ONLY and position < len(self.args):
                value = self.args[position]
                position += 1
            else:
                spelt = next((k for k in (name, *self._other_names(name)) if k in self.kwargs), None)
                if spelt is not None:
                    used.add(spelt)
                    value = self.kwargs[spelt]
                elif parameter.default is not parameter.empty:
                    value = parameter.default
                else:
                    raise self.refuse(f"the argument {name} is missing", ways.CORRECT)
            env[name] = value
        if position < len(self.args):
            raise self.refuse(f"its rule knows {position} positional arguments, the call has {len(self.args)}")
        for keyword, part in self.kwargs.items():
            if keyword not in used and not self._harmless(keyword, part):
                raise self.refuse(f"its rule does not know the argument {keyword}")
        for parameter in template.parameters:
            decides = isinstance(parameter.default, (bool, str)) and parameter.annotation != rules.HANDED_ON
            if decides and parameter.name != "where":
                self._check_option(parameter.name, env[parameter.name])
        for name, value in env.items():
            if name != template.result and self._is_differentiable(name):
                env[name] = value = self._with_arrays(value)
            if (
                isinstance(value, Part)
                and not self.is_active(value)
                and isinstance(value.expr, (gast.Attribute, gast.UnaryOp))
            ):
                constant = self._infinite(value.expr)
                if constant is not None:
                    env[name] = Part(value.expr, Static(constant), value.key)
        self.env = env

    def _check_option(self, name: str, value: Any) -> None:
        """What is on or off, and a mode by its name, is known: which of them it is decides what a template writes. (A
        function in place of a mode, as `jac` of `least_squares`, is.)"""
        is_open = isinstance(value, Operand) and value.static is NOT_STATIC
        if is_open and not isinstance(value.kind, (Array, CallableKind)):
            raise self.unknown(name)

    def _is_differentiable(self, name: str) -> bool:
        """Does the rule differentiate in a parameter? Then lists of numbers that are given for it are arrays."""
        rule = self.rule
        if rule.name.partition(".")[0] in ("math", "statistics", "cmath", "builtins"):
            return False  # these compute with the items of lists
        if name in ("args", "bounds", "t_span"):
            return False  # a solver hands the items of args over to the function that it is given, and reads the others
        templates = [t for t in (rule.linear, rule.adjoint, rule.tangent) if t is not None]
        return rule.partials is not None or any(name in _derived_names(t) for t in templates)

    def _with_arrays(self, value: Any) -> Any:
        """An argument with its lists of constants made arrays: rules compute with what NumPy would make of them."""
        if isinstance(value, list):  # of *args: lists of ints in them are axes (np.einsum)
            return [v if isinstance(v, Part) and _of_ints(v.static) else self._with_arrays(v) for v in value]
        if not isinstance(value, Part) or not isinstance(value.kind, (List, ListOf, Tuple)):
            return value
        if not self.is_active(value):
            if not _of_numbers(value.kind):
                return value
            made = self.quote("np.array(x)", x=value)
            return Part(made.expr, made.kind, value.key)
        items = value.items()
        if items is None or not isinstance(value.expr, (gast.Tuple, gast.List)):
            return value
        if not any(isinstance(i.kind, Array) and not isinstance(i.expr, (gast.Tuple, gast.List)) for i in items):
            return value  # an array that is given item by item, not a list of arrays
        new = [self._with_arrays(item) for item in items]
        kinds = tuple(item.kind for item in new)
        kind = Tuple(kinds) if isinstance(value.kind, Tuple) else List(kinds)
        return Part(type(value.expr)([item.expr for item in new], gast.Load()), kind, value.key)

    def _infinite(self, expr: Expr) -> float | None:
        """The value of np.inf, -math.inf and the like."""
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
            value = self._infinite(expr.operand)
            return None if value is None else -value
        if isinstance(expr, gast.Attribute) and isinstance(expr.value, gast.Name):
            module = self.facts.globals.get(expr.value.id)
            value = getattr(module, expr.attr, None) if isinstance(module, types.ModuleType) else None
            return value if isinstance(value, float) and value in (np.inf, -np.inf) else None
        return None

    def _other_names(self, name: str) -> list[str]:
        return [theirs for theirs, mine in self.rule.aliases.items() if mine == name]

    def _harmless(self, keyword: str, part: Part) -> bool:
        """May a keyword that the template does not name be left out?"""
        if keyword in _HARMLESS:
            return not self.is_active(part)
        if keyword.startswith("overwrite_"):
            return part.static is False
        if keyword == "dtype" and self.y.dtype is not None and self.y.dtype.kind in "fc":
            return True  # it says in which precision the result is
        default = {"out": None, "where": True, "dtype": None, "copy": None, "initial": NOT_STATIC}
        return keyword in default and part.static is default[keyword] and part.static is not NOT_STATIC

    # -- elementwise rules

    def _partials(self, template: rules.Template) -> list[tuple[Part, Any]]:
        """The active arguments and their partial derivatives."""
        self.bind(template)
        returned = self._run(template.body)
        if not isinstance(returned, gast.AST):
            raise rules.RuleError(f"{template.place}: the template of {self.rule.name} returns no partial derivative")
        parts = [self.env[p.name] for p in template.parameters]
        partials = list(returned.elts) if isinstance(returned, gast.Tuple) and len(parts) > 1 else [returned]
        pairs = []
        for i, part in enumerate(parts):
            if not self.is_active(part):
                continue
            if i >= len(partials):
                name = template.parameters[i].name
                raise self.refuse(f"it has no derivative with respect to its argument {name}")
            value = self.emit(partials[i])
            if isinstance(value, gast.Constant) and value.value is None:
                name = template.parameters[i].name
                raise self.refuse(f"it has no derivative with respect to its argument {name}")
            pairs.append((part, value))
        return pairs

    def _merged(self, pairs: list[tuple[Part, Any]]) -> list[tuple[Part, Any]]:
        """Partials of the same operand, given twice (x * x), added."""
        merged: list[tuple[Part, Any]] = []
        for part, partial in pairs:
            for i, (other, first) in enumerate(merged):
                if isinstance(part.expr, gast.Name) and other.text == part.text:
                    if gast.unparse(first) == gast.unparse(partial):
                        both = gast.BinOp(gast.Constant(2.0, None), gast.Mult(), first)
                    else:
                        both = gast.BinOp(first, gast.Add(), partial)
                    merged[i] = (other, both)
                    break
            else:
                merged.append((part, partial))
        return merged

    def adjoint_of_partials(self, template: rules.Template) -> Expansion:
        g = self.cotangent
        assert g is not None
        for part, partial in self._merged(self._partials(template)):
            if partial is ZERO or _is_zero(partial):
                continue
            product = Product.of(partial, self.facts).times(g, self.facts, self.y.kind)
            if self.mask is not None and not (self.y.is_scalar and self._stays_zero(partial)):
                masked = self.mask.applied(product.expr(), self.np, self.y.is_scalar)
                self._contribute(part, Operand(masked, self.y.kind), self.y)
            elif self.is_risky(partial, self.care.level()) and not isinstance(g.expr, gast.Constant):
                g = self.local("g", g)
                product = Product.of(partial, self.facts).times(g, self.facts, self.y.kind)
                self._contribute(part, self.safe(product.expr(), g), self.y)
            else:
                self._contribute(part, self._as_large_as_result(product, g), self.y)
        return Expansion(self.statements, self.contributions)

    # -- products with slopes that may not exist

    def is_risky(self, factor: Expr, level: int, divides: bool = False) -> bool:
        """May a factor (or divisor) be infinite where a derivative is zero because a piece was left out?

        A number that is infinite is so for all elements of an array: those that are not left out have no derivative.
        """
        if self.care.strong or (self.care.of_nan and level < FULL):
            return not isinstance(factor, gast.Constant)
        if level == FULL:
            return False
        if divides:
            factor = gast.BinOp(gast.Constant(1.0, None), gast.Div(), factor)
        return not finite(factor, self.facts, numbers=level == WHOLE, divisors=self._divided())

    def _stays_zero(self, partial: Expr) -> bool:
        """Is a cotangent that is zero outside of a mask by itself still so after a product that is no risk?"""
        assert self.mask is not None
        return self.mask.raw.text in names_read(self.mask.condition) and not self.is_risky(partial, WHOLE)

    def without_raising(self, expr: Expr) -> Expr:
        """A slope whose quotients and powers of Python's numbers are infinite where they would raise.

        0.5 * dn / t    ->    0.5 * dn / np.float64(t)
        """
        for name in expr._fields:
            child = getattr(expr, name, None)
            if isinstance(child, gast.expr):
                setattr(expr, name, self.without_raising(child))
        side = _raising_side(expr, self.facts, self._divided())
        if side is not None:
            number = getattr(expr, side)
            made = "np.complex128(t)" if is_complex(kind_of(number, self.facts)) else "np.float64(t)"
            setattr(expr, side, quote(made, np=self.np, t=number))
        return expr

    def _divided(self) -> frozenset[str]:
        """The Python numbers by which the function itself has divided, or taken their logarithms: they are not 0."""
        if self.rule.name != "operator.truediv" and not self.rule.name.startswith("math.log"):
            return frozenset()
        plain = (a for a in self.args if isinstance(a.kind, Number) and a.kind.type in (int, float))
        return frozenset(a.text for a in plain)

    def safe(self, product: Expr, g: Operand) -> Operand:
        """A product with a derivative that has a name: 0 where that is 0, whatever the other factors are."""
        kind = kind_of(product, self.facts)
        if shape_of(kind) == () and g.is_scalar:
            return Operand(gast.IfExp(clone(g.expr), product, gast.Constant(0.0, None)), kind)
        made = quote("np.where(g != 0.0, p, 0.0)", np=self.np, g=g.expr, p=product)
        return Operand(made, kind) if shape_of(kind) is not None else Operand(quote("x[()]", x=made), kind)

    def with_selections(self) -> list[Stmt]:
        """The statements so far, with what `selected` makes of their values."""
        written, self.statements = self.statements, []
        for statement in written:
            statement.value = self.selected(statement.value)
            self.statements.append(statement)
            target = statement.targets[0]
            if isinstance(target, gast.Name) and has_zeros(statement.value, self._left_out):
                self._left_out.add(target.id)
        return self.statements

    @functools.cached_property
    def _left_out(self) -> set[str]:
        """The names of cotangents and tangents of which something may be left out; with strong zeros, of all."""
        given = [(None, self.cotangent)] if self.cotangent is not None else list(self.tangents.items())
        counts = [value.expr for key, value in given if self.care.strong or self.care.level(key) < FULL]
        return {name for expr in counts for name in names_read(expr)}

    def selected(self, expr: Expr) -> Expr:
        """An expression with its products with what chooses elements: 0 where these are not chosen, be the rest inf.

        g * (x > b)    ->    np.where(x > b, g, 0.0)
        """
        for name in expr._fields:
            child = getattr(expr, name, None)
            if isinstance(child, gast.expr):
                setattr(expr, name, self.selected(child))
            elif isinstance(child, list):
                setattr(expr, name, [self.selected(c) if isinstance(c, gast.expr) else c for c in child])
        if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, gast.Mult):
            return self._sum_of_products(expr)
        if not (self.care.infinite or self.care.strong):
            return expr
        left, right = self._chooses(expr.left), self._chooses(expr.right)
        if left == right:
            return expr
        mask, value = (expr.left, expr.right) if left else (expr.right, expr.left)
        if isinstance(value, gast.Constant):
            return expr
        kind = kind_of(mask, self.facts)
        dtype = dtype_of(kind)
        condition: Expr = mask
        if dtype is None or dtype.kind != "b":
            condition = self.local("mask", self.operand(mask)).expr
            value = gast.BinOp(clone(value), gast.Mult(), clone(condition))
            condition = gast.Compare(clone(condition), [gast.NotEq()], [gast.Constant(0.0, None)])
        if shape_of(kind) == () and shape_of(kind_of(value, self.facts)) == ():
            return gast.IfExp(clone(condition), value, gast.Constant(0.0, None))
        return quote("np.where(c, v, 0.0)", np=self.np, c=condition, v=value)

    def _chooses(self, expr: Expr) -> bool:
        """Is a factor made of conditions: `x > b`, `(x > b) + 0.5 * (x == b)`, a mask? Or zero in places, in a sum?"""
        if isinstance(expr, gast.Compare):
            return True
        if has_zeros(expr, self.facts.zero_in_places) and text(self.y.expr) in self.facts.summed:
            return True
        if isinstance(expr, gast.BinOp):
            return self._chooses(expr.left) or self._chooses(expr.right)
        if isinstance(expr, gast.UnaryOp):
            return self._chooses(expr.operand)
        dtype = dtype_of(kind_of(expr, self.facts)) if isinstance(expr, (gast.Name, gast.Subscript)) else None
        return dtype is not None and dtype.kind == "b"

    def _sum_of_products(self, expr: Expr) -> Expr:
        """A sum of products of two arrays: where one of them leaves something out, the other may be infinite there.

        g @ y    ->    product_with_zeros(np.matmul, 0, g, y)
        """
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.MatMult):
            function: Any = np.matmul
            args = [expr.left, expr.right]
        elif isinstance(expr, gast.Call) and not expr.keywords:
            function = getattr(np, called_name(expr), None)
            args = list(expr.args)
        else:
            return expr
        if function not in _SUMS_OF_PRODUCTS:
            return expr
        factors = [i for i, arg in enumerate(args) if shape_of(kind_of(arg, self.facts)) != () and i < 3]
        factors = factors if function is np.einsum else [i for i in factors if i < 2]
        for i in factors:
            if any(self._kills(args[i], args[k]) for k in factors if k != i):
                called = self.function_expr(function)
                helper = load(self.name_of(helpers.product_with_zeros, "product_with_zeros"))
                return gast.Call(helper, [called, gast.Constant(i, None), *args], [])
        return expr

    def _kills(self, one: Expr, other: Expr) -> bool:
        """May a factor be zero because something was left out, and the other infinite there?"""
        if has_zeros(one, self._left_out):
            return self.care.strong or not finite(other, self.facts)
        given = [self.cotangent] if self.cotangent is not None else list(self.tangents.values())
        if not self.care.infinite or not has_zeros(one, self.facts.zero_in_places):
            return False
        return any(name in names_read(other) for value in given for name in names_read(value.expr))

    def _safe_product(self, node: Any, made: Any) -> Any:
        """A product or quotient of a template; a safe one where a factor of a derivative may be infinite."""
        left, right = self._carries(node.left), self._carries(node.right)
        if left == right or not isinstance(node.op, (gast.Mult, gast.Div)) or (right and isinstance(node.op, gast.Div)):
            return made
        derivative, factor = (made.left, made.right) if left else (made.right, made.left)
        level = min(self.care.levels.values(), default=FULL)
        if isinstance(derivative, gast.Constant) or not self.is_risky(factor, level, isinstance(node.op, gast.Div)):
            return made
        g = self.local("g", self.operand(derivative))
        return self.safe(
            gast.BinOp(clone(g.expr) if left else factor, made.op, factor if left else clone(g.expr)), g
        ).expr

    def _carries(self, node: Any) -> bool:
        """Is a derivative a factor of a template expression?"""
        return any(isinstance(n, gast.Name) and (n.id == "d" or n.id in self.carrying) for n in gast.walk(node))

    def _as_large_as_result(self, product: Product, g: Operand) -> Product | Operand:
        """What a cotangent that is smaller than the result leaves of its size, made as large as that where it is not
        known how large it is: `d[b] = g * a` in `y = a * b`, where g is a number and a is a number or an array."""
        y = self.y
        lazy = g.is_scalar or smaller(g.kind, y.kind)
        if not lazy or shape_of(product.kind) == () or shape_of(y.kind) == ():
            return product
        told = shape_of(product.kind) is not None and shape_of(y.kind) is not None
        if told and (smaller(product.kind, y.kind) or not perhaps_smaller(product.kind, y.kind)):
            return product
        there = names_read(product.expr())
        if names_read(y.expr) <= there:
            return product
        args = (p for p in self.args if shape_of(p.kind) != ())
        if all(isinstance(p.expr, gast.Name) and p.expr.id in there for p in args):
            return product
        expr = quote("np.broadcast_to(t, np.shape(y))", np=self.np, t=product.expr(), y=y.expr)
        dtype = dtype_of(product.kind)  # that of an array of ints, say, which g leaves as it is
        if any(_may_be_int(f.kind) for f in (*product.num, *product.den)):
            number = load("complex" if dtype is not None and dtype.kind == "c" else "float")
            expr = quote("x.astype(t)", x=expr, t=number)
        return Operand(expr, y.kind if dtype is None else Array(dtype, shape_of(y.kind)))

    def tangent_of_partials(self, template: rules.Template) -> tuple[list[Stmt], Operand]:
        total: Expr | None = None
        for part, partial in self._merged(self._partials(template)):
            if partial is ZERO or _is_zero(partial):
                self.constant.add(part.key)
                continue
            g = self.tangents[part.key]
            product = Product.of(partial, self.facts).times(g, self.facts, self.y.kind).expr()
            if self.care.dropped:
                product = self.without_raising(product)
            if self.is_risky(partial, self.care.level(part.key)) and not isinstance(g.expr, gast.Constant):
                product = self.safe(product, g).expr
            total = _add(total, product)
        if total is None:
            return self.statements, self.full_zero()
        return self.statements, self._finish_tangent(self.operand(total))

    def _contribute(self, part: Part, value: Product | Operand, of: Operand) -> None:
        """Contribute what has the shape of the result, or that of the argument itself."""
        try:
            fitted = fit(value, of.kind, part, self.facts, self.sources, of.expr)
        except LookupError as error:
            raise self.refuse(str(error.args[0])) from None
        self.contributions.append((part.key, fitted))

    def _finish_tangent(self, value: Operand) -> Operand:
        real = self.y.dtype.kind == "f" if self.y.dtype is not None else self.rule.target in _REAL_VALUED
        if real and value.is_complex:
            value = self.quote("x.real", x=value)
        elif real and value.dtype is None and self.rule.target in _REAL_VALUED:
            value = self.quote("np.real(x)", x=value)
        if isinstance(value.kind, Unknown) or (shape_of(value.kind) is None and not isinstance(value.kind, Tuple)):
            return self._broadcast_unknown(value)
        if shape_of(self.y.kind) is None:
            return self._broadcast_unknown(value)
        if perhaps_smaller(value.kind, self.y.kind) and not smaller(value.kind, self.y.kind):
            return narrowed(self._broadcast_unknown(value), self.y)
        return narrowed(self.broadcast(value, self.y.kind), self.y)

    def _broadcast_unknown(self, value: Operand) -> Operand:
        """A tangent made as large as a result, where it is not certain that it is so already."""
        if self.template is None or isinstance(self.y.kind, Tuple):
            return Operand(value.expr, self.y.kind)
        if self.rule.partials is None and "broadcasts" not in self.template.options:
            return Operand(value.expr, self.y.kind)
        # an array that neither varies nor occurs in the expression may still have made the result larger
        there = names_read(value.expr)
        silent = [
            p
            for p in self.args
            if shape_of(p.kind) != ()
            and (not self.is_active(p) or p.key in self.constant)
            and not (isinstance(p.expr, gast.Name) and p.expr.id in there)
        ]
        if not silent or names_read(self.y.expr) <= there:
            return Operand(value.expr, self.y.kind)
        expr = quote("np.broadcast_to(t, np.shape(y))", np=self.np, t=value.expr, y=self.y.expr)
        return Operand(expr, self.y.kind)

    # -- general rules

    def adjoint_of(self, template: rules.Template) -> Expansion:
        self.bind(template)
        if "permutes" in template.options and self._permuted(template):
            return Expansion(self.statements, self.contributions)
        self._run(template.body)
        for key in self.active - self.covered:
            raise self.refuse(f"it has no derivative with respect to {self._argument_name(key)}")
        return Expansion(self.statements, self.contributions)

    def _permuted(self, template: rules.Template) -> bool:
        """A scalar cotangent of a result that is the argument rearranged: it is the argument's cotangent as well."""
        g = self.cotangent
        active = [p for p in self.env.values() if self.is_active(p)]
        if g is None or not g.is_scalar or len(active) != 1 or len(self.active) != 1 or active[0].shape is None:
            return False
        if self.y.shape is None:
            return False
        self._contribute(active[0], g, active[0])
        return True

    def _argument_name(self, key: Key) -> str:
        for name, value in self.env.items():
            if isinstance(value, Part) and value.key == key[: len(value.key)]:
                return f"its argument {name}"
        return f"its argument {key[0]}"

    def tangent_of_linear(self, template: rules.Template) -> tuple[list[Stmt], Operand]:
        """The function itself on the tangents: for several active arguments the sum over them (it is multilinear),
        where items of one list argument vary together."""
        self.bind(template)
        silent = self._constant_in(template)
        groups: dict[Any, set[Key]] = {}
        for key in self.active:
            if key[:1] not in silent:
                groups.setdefault(key[0], set()).add(key)
        self._linear_in(template)
        self._run(list(itertools.takewhile(_only_refuses, template.body)))
        total: Expr | None = None
        for first in sorted(groups, key=lambda k: (isinstance(k, str), k)):
            total = _add(total, self._on_tangents(groups[first]))
        if total is None:
            return self.statements, self.full_zero()
        if isinstance(self.y.kind, Tuple) and isinstance(self.y.expr, gast.Tuple):
            return self.statements, Operand(self._unpacked(total), self.y.kind)
        return self.statements, self._finish_tangent(self.operand(total))

    def _constant_in(self, template: rules.Template) -> set[Key]:
        """The arguments that only say where things go: those with `d[x] = 0.0`."""
        return {
            value.key
            for node in template.body
            if isinstance(node, gast.Assign) and _is_zero(node.value)
            for name in _derived_in(node)
            if isinstance(value := self.env.get(name), Part)
        }

    def _linear_in(self, template: rules.Template) -> None:
        """Refuse arguments in which the function is not said to be linear."""
        names = {
            n
            for n, v in self.env.items()
            if self.is_active(v) or (isinstance(v, list) and any(self.is_active(i) for i in v))
        }
        for name in names:
            if name not in _derived_names(template):
                raise self.refuse(f"it has no derivative with respect to its argument {name}")

    def _on_tangents(self, keys: set[Key]) -> Expr:
        args = [self._with_tangents(a, keys) for a in self.args]
        keywords = [gast.keyword(k, self._with_tangents(a, keys)) for k, a in self.kwargs.items()]
        return self.call_expr(args, keywords)

    def _with_tangents(self, part: Part, keys: set[Key]) -> Expr:
        if part.key in keys:
            return clone(self.tangents[part.key].expr)
        if any(key[: len(part.key)] == part.key for key in keys):
            items = part.items()
            if items is None:
                raise self.unknown("the items of a list argument")
            elts = []
            for item in items:
                if any(key[: len(item.key)] == item.key for key in keys):
                    elts.append(self._with_tangents(item, keys))
                else:
                    elts.append(self.zeros_like(item).expr)
            return (
                type(part.expr)(elts, gast.Load())
                if isinstance(part.expr, (gast.List, gast.Tuple))
                else gast.List(elts, gast.Load())
            )
        return clone(part.expr)

    def zeros_like(self, operand: Operand) -> Operand:
        """Zeros of the shape of an operand."""
        if operand.is_scalar:
            return Operand(gast.Constant(0.0, None), Number(float))
        return Operand(quote("np.zeros_like(x)", np=self.np, x=operand.expr), operand.kind)

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
        parts = self.rule.name.split(".") if target is self.rule.target else rules.public_name(target).split(".")
        if len(parts) == 1:
            if getattr(builtins, parts[0], None) is target:
                return load(parts[0])
            return load(self.name_of(target, parts[0]))
        if parts[0] == "np":
            return quote(".".join(["np", *parts[1:]]), np=self.np)
        import sys

        module = sys.modules.get(".".join(parts[:-1]))
        if module is None or getattr(module, parts[-1], None) is not target:
            return load(self.name_of(target, parts[-1]))
        return gast.Attribute(load(self.name_of(module, parts[-2])), parts[-1], gast.Load())

    def tangent_of(self, template: rules.Template) -> tuple[list[Stmt], Operand]:
        self.bind(template)
        self._run(template.body)
        if self.result is None:
            raise self.refuse("its forward rule gives no d[y] for this call")
        unread = {k for k in self.active if not any(k[: len(r)] == r for r in self.read | self.covered)}
        for key in unread:
            raise self.refuse(f"it has no derivative with respect to {self._argument_name(key)}")
        result = self.result
        if result is ZERO:
            return self.statements, self.full_zero()
        if isinstance(result, list):
            elts = [gast.Constant(r, None) if r is None or _is_reason(r) else r for r in result]
            return self.statements, Operand(gast.Tuple(elts, gast.Load()), self.y.kind)
        if (
            isinstance(self.y.kind, Tuple)
            and not isinstance(result, gast.Tuple)
            and isinstance(self.y.expr, gast.Tuple)
        ):
            result = self._unpacked(result)
        return self.statements, self._finish_tangent(self.operand(result))

    def _unpacked(self, result: Expr) -> Expr:
        """Names for the parts of a tangent that one call returns."""
        assert isinstance(self.y.kind, Tuple)
        names = [self.facts.fresh("t") for _ in self.y.kind.items]
        self.facts.kinds.update(zip(names, self.y.kind.items, strict=True))
        pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
        self.statements.append(assign(pattern, result))
        return gast.Tuple([load(n) for n in names], gast.Load())

    # -- running a template

    def _run(self, body: list[Any]) -> Any:
        """Run statements; the value of a return statement, or None."""
        for statement in body:
            if isinstance(statement, gast.If):
                block = statement.body if self.decide(statement.test) else statement.orelse
                returned = self._run(block)
                if returned is not None:
                    return returned
            elif isinstance(statement, gast.For):
                for item in self.decide(statement.iter):
                    self._bind_target(statement.target, item)
                    returned = self._run(statement.body)
                    if returned is not None:
                        return returned
            elif isinstance(statement, gast.Return):
                return statement.value if statement.value is not None else gast.Constant(None, None)
            elif isinstance(statement, gast.Assign) and len(statement.targets) == 1:
                self._assign(statement.targets[0], statement.value)
            elif isinstance(statement, gast.Raise):
                raise self._raised(statement)
            elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
                self.emit(statement.value)  # a macro that refuses
            elif not isinstance(statement, gast.Pass):
                raise self._misused(f"a template cannot hold `{str(gast.unparse(statement)).strip()}`")
        return None

    def _raised(self, statement: Any) -> NoDerivative:
        reason = statement.exc
        if isinstance(reason, gast.Call) and reason.args:
            return self.refuse(*[str(self.decide(a)) for a in reason.args])
        raise self._misused("a template raises NoDerivative(reason, way out)")

    def _misused(self, reason: str) -> rules.RuleError:
        place = self.template.place if self.template else ""
        return rules.RuleError(f"{place}: {reason}")

    def _bind_target(self, target: Any, value: Any) -> None:
        if isinstance(target, gast.Name):
            self.env[target.id] = value
            return
        for part, item in zip(target.elts, value, strict=True):
            self._bind_target(part, item)

    def _assign(self, target: Any, value: Any) -> None:
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) and target.value.id == "d":
            self._assign_derivative(target.slice, value)
            return
        if isinstance(target, gast.Tuple):
            result = self.emit(value)
            if isinstance(result, gast.Tuple) and len(result.elts) == len(target.elts):
                for part, item in zip(target.elts, result.elts, strict=True):
                    self._bind_value(part.id, item)
                return
            if isinstance(result, (tuple, list)):
                self._bind_target(target, result)
                return
            names = [self.facts.fresh(part.id) for part in target.elts]
            kind = kind_of(result, self.facts)
            kinds = kind.items if isinstance(kind, Tuple) else (Unknown(),) * len(names)
            for part, name, k in zip(target.elts, names, kinds, strict=True):
                self.facts.kinds[name] = k
                self.env[part.id] = Operand(load(name), k)
            pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
            self.statements.append(assign(pattern, result))
            return
        if self._carries(value):
            self.carrying.add(target.id)
        self._bind_value(target.id, self.emit(value))

    def _bind_value(self, name: str, result: Any) -> None:
        if not isinstance(result, gast.AST):
            self.env[name] = result
        elif isinstance(result, gast.Name):
            self.env[name] = self.operand(result)
        elif isinstance(result, gast.Constant):
            self.env[name] = result.value
        else:
            self.env[name] = _Local(name, self.operand(result))

    def _assign_derivative(self, which: Any, value: Any) -> None:
        template = self.template
        assert template is not None
        if self.cotangent is None:
            if isinstance(which, gast.Name) and which.id == template.result:
                result = self.emit(value)
                if isinstance(result, gast.Tuple) and isinstance(self.y.kind, Tuple):
                    self.result = [None if _is_zero(e) else e for e in result.elts]
                elif isinstance(result, (tuple, list)):
                    self.result = [None if e is ZERO else e if _is_reason(e) else as_literal(e) for e in result]
                else:
                    self.result = ZERO if _is_zero(result) else as_literal(result) if result is not ZERO else ZERO
                return
            part = self.decide(which)
            if isinstance(part, Part):
                self.covered.add(part.key)
                return
            if isinstance(which, gast.Name) and which.id in self.env:
                return  # its value is known
            raise self._misused("a forward rule assigns d[y]")
        part = self.decide(which)
        if isinstance(part, list):
            if not any(isinstance(p, Part) for p in part):
                return  # a list of constants
            if not all(isinstance(p, Part) for p in part):
                raise self._misused("d[...] of something that is no argument")
            self._contribute_each(part, value)
            return
        if not isinstance(part, Part):
            if isinstance(which, gast.Call) or (isinstance(which, gast.Name) and which.id in self.env):
                return  # an argument that was left to its default
            raise self._misused("d[...] of something that is no argument")
        if not self.is_active(part):
            return
        if part.key not in self.active:
            self._contribute_each(list(part), value)
            return
        self.covered.add(part.key)
        self._contribute_value(part, self._made_for(part, value) if self._is_macro(value) else self.emit(value))

    def _made_for(self, part: Part, call: Any) -> Any:
        """What a macro makes as a contribution: its lengths may be beyond inference, but the macro knows them."""
        made = self._macro_call(call)
        if not isinstance(made, Operand) or isinstance(made.kind, ListOf):
            return made
        found = self.operand(made.expr)
        if made.shape != part.shape or found.ndim != part.ndim or found.dtype is None or smaller(found.kind, part.kind):
            return found
        return Operand(made.expr, Array(found.dtype, part.shape)) if part.ndim else found

    def _contribute_each(self, parts: list[Part], value: Any) -> None:
        """A list of contributions (from a macro), one an item."""
        self._contribute_items(parts, self.emit(value))

    def _contribute_items(self, parts: list[Part], values: Any) -> None:
        items = values.elts if isinstance(values, (gast.Tuple, gast.List)) else values
        if items is ZERO or _is_zero(items):
            items = [ZERO] * len(parts)
        if isinstance(items, (Operand, gast.AST)):  # an array: an item for each
            whole = items if isinstance(items, Operand) else self.operand(items)
            if not whole.is_scalar:
                whole = self.local("g", Operand(whole.expr, kind_of(whole.expr, self.facts)))
                items = [self.quote("g[i]", g=whole, i=i) for i in range(len(parts))]
            else:
                items = [whole] * len(parts)
        if not isinstance(items, (list, tuple)) or len(items) != len(parts):
            raise self._misused("a list argument takes a list of contributions")
        for part, item in zip(parts, items, strict=True):
            if part.key in self.active:
                self.covered.add(part.key)
                self._contribute_value(part, item)
            elif self.is_active(part):
                self._contribute_items(list(part), item)

    def _contribute_value(self, part: Part, value: Any) -> None:
        template = self.template
        assert template is not None
        if value is ZERO or value is None or _is_zero(value):
            return
        operand = value if isinstance(value, Operand) else self.operand(as_literal(value))
        if self._only_real_counts(operand, part):
            operand = self.quote("np.real(x)", x=operand)
        if "broadcasts" in template.options:
            product, g = Product.of(operand.expr, self.facts), self.cotangent
            whole = product if g is None else self._as_large_as_result(product, g)
            self._contribute(part, whole, self.y)
            return
        lazy = isinstance(part.kind, Either) and operand.is_scalar
        of_items = isinstance(part.kind, ListOf)
        if (shape_of(operand.kind) is None or shape_of(part.kind) is None) and not lazy and not of_items:
            operand = Operand(operand.expr, part.kind)
        if of_items:  # a row for each item: there is nothing to fit
            self.contributions.append((part.key, operand))
            return
        self._contribute(part, operand, part)

    def _only_real_counts(self, value: Operand, part: Part) -> bool:
        """Can a contribution to a real argument be complex, in a call that has to do with complex numbers?"""
        if part.dtype is None or part.dtype.kind == "c":
            return False
        results = self.y.kind.items if isinstance(self.y.kind, Tuple) else [self.y.kind]
        types = [dtype_of(kind) for kind in (*results, *(a.kind for a in self.args))]
        if not any(t is not None and t.kind == "c" for t in types):
            return False
        made = value.expr.func if isinstance(value.expr, gast.Call) else value.expr
        if isinstance(made, gast.Attribute) and made.attr == "real":
            return False
        found = self.operand(value.expr).dtype
        return found is None or found.kind == "c"

    # -- values known at generation

    def decide(self, node: Any) -> Any:
        """The value of a generation-time expression."""
        names = _Scope(self)
        try:
            return eval(_compiled(_Node(node)), {"__builtins__": {}}, names)
        except (NoDerivative, rules.RuleError):
            raise
        except Exception as error:
            if self.template is not None and isinstance(error, (NameError, SyntaxError)):
                raise self._misused(f"{type(error).__name__}: {error}") from None
            raise self.unknown(f"an argument ({error})") from error

    def value_of(self, name: str) -> Any:
        """What a name means at generation time: static values as themselves, other arguments as operands."""
        value = self.env[name]
        if isinstance(value, _Local):
            return value.value
        if isinstance(value, Operand) and not self.is_active(value):
            static = value.static
            if static is not NOT_STATIC:
                return static
        return value

    # -- expressions of the output

    def emit(self, node: Any) -> Any:
        """A template expression as an expression of the output: a node, a plain value (from macros), or ZERO."""
        method = getattr(self, f"_emit_{type(node).__name__}", None)
        if method is not None:
            return method(node)
        return self._emit_children(node)

    def node(self, value: Any) -> Any:
        return value if value is ZERO else as_literal(value)

    def _emit_children(self, node: Any) -> Any:
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

    def _emit_Constant(self, node: Any) -> Any:
        return clone(node)

    def _emit_Tuple(self, node: Any) -> Any:
        values = [self.emit(e) for e in node.elts]
        if any(v is ZERO for v in values):
            return [None if v is ZERO else v for v in values] if self.cotangent is None else values
        return gast.Tuple([self.node(v) for v in values], gast.Load())

    def _emit_Name(self, node: Any) -> Any:
        if node.id in self.env:
            value = self.env[node.id]
            if isinstance(value, _Local):
                if value.operand is None:
                    value.operand = self.local(value.name, value.value)
                return clone(value.operand.expr)
            if isinstance(value, Operand):
                return clone(value.expr)
            return value
        return self.global_expr(node.id)

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
            raise self._misused(f"{name} is not defined: neither here nor in numpy")
        for own, value in self.facts.globals.items():
            if value is function and not isinstance(value, types.ModuleType):
                return load(own)
        module = namespace if namespace is not np and getattr(namespace, name, None) is function else np
        stem = "np" if module is np else module.__name__.split(".")[-1]
        return gast.Attribute(load(self.name_of(module, stem)), name, gast.Load())

    @property
    def namespace(self) -> Any:
        """The module of bare names: that of the primitive; math for operators on plain Python numbers."""
        import math

        own = self.rule.namespace
        if self.rule.name.startswith("operator.") or own in (None, builtins):
            if all(a.is_number for a in self.args) and not any(a.is_complex for a in self.args):
                return math
            return np
        return own

    def _emit_Subscript(self, node: Any) -> Any:
        if isinstance(node.value, gast.Name):
            if node.value.id == "d":
                return self._derivative(node.slice)
            value = self.env.get(node.value.id)
            if isinstance(value, (Operand, list)) and not (
                isinstance(value, Operand) and not isinstance(value.expr, (gast.Tuple, gast.List))
            ):
                index = self.decide(node.slice)
                if isinstance(index, int):
                    items = value if isinstance(value, list) else value.expr.elts
                    return clone(items[index].expr if isinstance(items[index], Operand) else items[index])
        base = self.node(self.emit(node.value))
        index_value = self.emit(node.slice)
        if base is ZERO or index_value is ZERO:
            return ZERO
        return gast.Subscript(base, as_literal(index_value), gast.Load())

    def _derivative(self, which: Any) -> Any:
        """d[x]: the cotangent of the result in an adjoint, the tangent of an argument in a forward rule."""
        template = self.template
        assert template is not None
        if self.cotangent is not None:
            if isinstance(which, gast.Name) and which.id == template.result:
                return self.cotangent_expr()
            if (
                isinstance(which, gast.Subscript)
                and isinstance(which.value, gast.Name)
                and which.value.id == template.result
            ):
                return self.cotangent_part(self.decide(which.slice))
            raise self._misused("an adjoint reads d[y] only")
        part = self.decide(which)
        if isinstance(part, list) and not any(isinstance(p, Part) for p in part):
            return ZERO  # a list of constants
        if isinstance(part, list):
            self.read.update(p.key for p in part)
            known = [self.tangents[p.key] if p.key in self.tangents else self.zeros_like(p) for p in part]
            return gast.List([clone(e.expr) for e in known], gast.Load())
        if isinstance(part, Part):
            self.read.add(part.key)
            if part.key in self.tangents:
                return clone(self.tangents[part.key].expr)
            if self.is_active(part):
                return clone(self._tangent_of(part).expr)
        return ZERO

    def _tangent_of(self, part: Part) -> Operand:
        """The tangent of an argument, or of an item of one: zeros where it does not vary."""
        if part.key in self.tangents:
            return self.tangents[part.key]
        if not self.is_active(part):
            return self.zeros_like(part)
        expr = gast.List([clone(self._tangent_of(i).expr) for i in part.items() or []], gast.Load())
        return self.operand(expr)

    def cotangent_expr(self) -> Any:
        g = self.cotangent
        assert g is not None and self.template is not None
        if isinstance(g.expr, gast.Tuple) and isinstance(self.y.kind, Tuple):
            return [self.cotangent_part(i) for i in range(len(g.expr.elts))]
        if self.template.options & {"lazy", "broadcasts"} or not _to_broadcast(g.kind, self.y.kind):
            return clone(g.expr)
        if self.full is None:
            self.full = self.local("g", self.broadcast(g, self.y.kind))
        return clone(self.full.expr)

    def cotangent_part(self, index: int) -> Any:
        """The cotangent of one of several results, at full size; ZERO when it has none."""
        g = self.cotangent
        assert g is not None
        if not isinstance(g.expr, (gast.Tuple, gast.List)):
            raise self.refuse("its results must be unpacked", ways.UNPACK)
        expr = g.expr.elts[index]
        if isinstance(expr, gast.Constant) and expr.value is None:
            return ZERO
        kinds = g.kind.items if isinstance(g.kind, Tuple) else ()
        kind = kinds[index] if index < len(kinds) else kind_of(expr, self.facts)
        own = self.y.kind.items[index] if isinstance(self.y.kind, Tuple) else Unknown()
        return clone(self.broadcast(Operand(expr, kind), own).expr)

    def _emit_Attribute(self, node: Any) -> Any:
        if isinstance(node.value, gast.Name):
            value = self.env.get(node.value.id)
            if isinstance(value, _Local):
                value = value.value
            if isinstance(value, Operand):
                if node.attr == "ndim" and value.ndim is not None:
                    return value.ndim
                if node.attr in ("T", "mT") and value.ndim is not None and value.ndim < 2:
                    return clone(value.expr)
                if node.attr == "dtype" and not isinstance(value.kind, Array):
                    return quote("np.result_type(x)", np=self.np, x=value.expr)
                if node.attr in ("size", "shape", "ndim") and not isinstance(value.kind, Array):
                    return quote(f"np.{node.attr}(x)", np=self.np, x=value.expr)
        base = self.node(self.emit(node.value))
        return ZERO if base is ZERO else gast.Attribute(base, node.attr, gast.Load())

    def _emit_Call(self, node: Any) -> Any:
        if self._is_macro(node):
            result = self._macro_call(node)
            return result.expr if isinstance(result, Operand) else result
        return self._emit_children(node)

    def _is_macro(self, node: Any) -> bool:
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) or node.func.id not in _macros:
            return False
        # a function of the user's may have the name; a template does not hide the macro of its name
        own = None if self.template is None else self.template.function.__globals__.get(node.func.id)
        return node.func.id not in self.env and (own is None or hasattr(own, "__s2sad_template__"))

    def _macro_call(self, node: Any) -> Any:
        args = [self.macro_argument(a) for a in node.args]
        keywords = {k.arg: self.macro_argument(k.value) for k in node.keywords}
        return _macros[node.func.id](self, *args, **keywords)

    def macro_argument(self, node: Any) -> Any:
        """An argument of a macro: a static value, or an operand."""
        if isinstance(node, gast.Name) and node.id in self.env:
            value = self.value_of(node.id)
            if isinstance(self.env[node.id], _Local):
                value = Operand(self._emit_Name(node), value.kind)
            return value
        if isinstance(node, gast.Subscript) and not (isinstance(node.value, gast.Name) and node.value.id == "d"):
            base = self.env.get(node.value.id) if isinstance(node.value, gast.Name) else None
            if isinstance(base, (Part, list)):
                return self.decide(node)
        value = self._macro_call(node) if self._is_macro(node) else self.emit(node)
        if isinstance(value, Operand):
            value, known = value.expr, value
        else:
            known = None
        if isinstance(value, gast.Constant):
            return value.value
        if isinstance(value, gast.AST):
            operand = known if known is not None else self.operand(value)
            static = operand.static
            return operand if static is NOT_STATIC else static
        return value

    def _emit_BinOp(self, node: Any) -> Any:
        left, right = self.node(self.emit(node.left)), self.node(self.emit(node.right))
        if isinstance(node.op, (gast.Add, gast.Sub)):
            if left is ZERO or _is_zero(left):
                if right is ZERO:
                    return ZERO
                return right if isinstance(node.op, gast.Add) else gast.UnaryOp(gast.USub(), right)
            if right is ZERO or _is_zero(right):
                return left
        elif left is ZERO or right is ZERO:
            return ZERO
        if isinstance(node.op, gast.Mult):
            # a seed of 1.0 is not written
            if _is_seed(node.left, left) and self._is_float(right):
                return right
            if _is_seed(node.right, right) and self._is_float(left):
                return left
        return self._safe_product(node, gast.BinOp(left, node.op, right))

    def _is_float(self, expr: Expr) -> bool:
        named = isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name)
        if named and helpers.is_helper(self.facts.globals.get(expr.func.id)):
            return True  # they return floats
        dtype = dtype_of(kind_of(expr, self.facts))
        return dtype is not None and dtype.kind in "fc"

    def _emit_IfExp(self, node: Any) -> Any:
        """A conditional expression: decided now when it can be, else left to the output."""
        if self._static_test(node.test):
            return self.emit(node.body if self.decide(node.test) else node.orelse)
        return self._emit_children(node)

    def _static_test(self, node: Any) -> bool:
        """Does a condition ask only what generation knows? (a `?` of kinds, not of values)"""
        value = self.decide_or_none(node)
        return isinstance(value, bool)

    def decide_or_none(self, node: Any) -> Any:
        for name in _free_names(node):
            value = self.env.get(name)
            if isinstance(value, (Operand, _Local)) and not isinstance(self.value_of(name), Operand):
                continue
            if isinstance(value, (_Local, Operand)) and not _only_asks(node, name):
                return None
        return self.decide(node)


class _Scope(dict[str, Any]):
    """The names of a generation-time expression: parameters and locals, macros, globals of the template, builtins."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def __missing__(self, name: str) -> Any:
        context = self.context
        if name in context.env:
            return context.value_of(name)
        if name == "active":
            return context.is_active
        if name in _macros:
            function = _macros[name]
            return lambda *args, **kwargs: function(context, *args, **kwargs)
        assert context.template is not None
        known = context.template.function.__globals__
        if name in known:
            return decide(decide(known, Look.NAME, name), Look.ALL)
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(f"name {name!r} is not defined")


class _Node:
    """A tree as a key of a cache: by identity."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and self.node is other.node

    def __hash__(self) -> int:
        return id(self.node)


@lru_cache(maxsize=4096)
def _compiled(key: _Node) -> Any:
    import ast

    tree = ast.Expression(gast.gast_to_ast(clone(key.node)))
    return compile(ast.fix_missing_locations(tree), "<template>", "eval")


#: functions that multiply two arrays, or with einsum more, and sum
_SUMS_OF_PRODUCTS = (np.matmul, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.einsum, np.kron)

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


def _raising_side(expr: Expr, facts: Facts, divisors: frozenset[str] = frozenset()) -> str | None:
    """The side of a quotient or a power that may make it raise: a Python number that may be 0."""
    if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, (gast.Div, gast.Pow)):
        return None
    side = "right" if isinstance(expr.op, gast.Div) else "left"
    inverse = gast.BinOp(gast.Constant(1.0, None), gast.Div(), clone(getattr(expr, side)))
    number = Operand(getattr(expr, side), kind_of(getattr(expr, side), facts)).is_number
    return side if number and not finite(inverse, facts, divisors=divisors) else None


def may_raise(expr: Expr, facts: Facts) -> bool:
    """May a slope of Python's numbers raise, as where an array's is infinite?"""
    return any(_raising_side(node, facts) is not None for node in gast.walk(expr))


def _free_names(node: Any) -> list[str]:
    return [n.id for n in walk(node) if isinstance(n, gast.Name)]


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
                and (parent.func.id == "active" or parent.func.id in _macros)
            ):
                continue
            if isinstance(parent, gast.Compare) and any(isinstance(o, (gast.Is, gast.IsNot)) for o in parent.ops):
                continue
            return False
    return True


def _of_numbers(kind: Kind) -> bool:
    """Is a list or tuple, with all that is nested in it, one of numbers?"""
    if isinstance(kind, (List, Tuple)):
        return bool(kind.items) and all(_of_numbers(item) for item in kind.items)
    if isinstance(kind, ListOf):
        return _of_numbers(kind.item)
    return shape_of(kind) == () and not isinstance(kind, Array)


def _only_refuses(statement: Any) -> bool:
    """Is a statement of a template there to refuse calls?"""
    if isinstance(statement, gast.If):
        return all(isinstance(s, gast.Raise) for s in statement.body) and not statement.orelse
    return isinstance(statement, gast.Expr)


def _derived_in(statement: Any) -> set[str]:
    """The parameters to which a statement assigns, `d[name] = ...`, or `d[item] = ...` in a loop over them."""
    nodes = list(walk(statement))
    targets = [t for n in nodes if isinstance(n, gast.Assign) for t in n.targets if isinstance(t, gast.Subscript)]
    assigned = {
        name
        for target in targets
        if isinstance(target.value, gast.Name) and target.value.id == "d"
        for name in _free_names(target.slice)
    }
    loops = [n for n in nodes if isinstance(n, gast.For) and assigned & set(_free_names(n.target))]
    return assigned | {name for loop in loops for name in _free_names(loop.iter)}


@lru_cache(maxsize=4096)
def _derived_names(template: rules.Template) -> frozenset[str]:
    """The parameters with respect to which a template has a derivative."""
    return frozenset(name for statement in template.body for name in _derived_in(statement))


def _is_zero(expr: Any) -> bool:
    if expr is ZERO or expr is None:
        return True
    if isinstance(expr, gast.Constant):
        return expr.value is not None and not isinstance(expr.value, (str, bytes)) and expr.value == 0
    return isinstance(expr, (int, float)) and expr == 0


def _is_reason(value: Any) -> bool:
    """Is it the reason why a part of a result has no tangent?"""
    return isinstance(value, NoDerivative)


def _is_seed(node: Any, value: Any) -> bool:
    """Is this d[y], and its value 1.0?"""
    derivative = isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == "d"
    return derivative and isinstance(value, gast.Constant) and value.value == 1.0


def _add(left: Expr | None, right: Expr) -> Expr:
    if left is None:
        return right
    positive = _without_minus(right)
    if positive is not None:
        return gast.BinOp(left, gast.Sub(), positive)
    return gast.BinOp(left, gast.Add(), right)


def _without_minus(expr: Expr) -> Expr | None:
    """-a * b / c without its minus; None for an expression that does not start with one."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return expr.operand
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Mult, gast.Div)):
        left = _without_minus(expr.left)
        return None if left is None else gast.BinOp(left, expr.op, expr.right)
    return None


def literal(value: Any) -> Operand:
    """A plain value as an operand."""
    node = as_literal(value)
    return Operand(node, literal_kind(node))
