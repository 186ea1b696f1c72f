"""What expressions are made of, as far as it tells where they jump: sums of steps and of what has no jump (forms.py).

    1.0 if x < p else 0.0     ->    (x < p)
    x - p if x > p else 0.0   ->    (x > p) * (x - p): no jump, as the factor vanishes where the step is
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import gast
import numpy as np

from s2sad.analysis.forms import ONE, Atom, Form, Forms, add, constant, scale
from s2sad.core import Expr, Facts, Written, clone, is_constant, is_operation, replace_names, text, walk
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number

#: functions of floats that are floats, and jump
_JUMPING = {
    np.sign, np.copysign, np.modf, np.select, np.piecewise, np.choose, np.histogram, np.unwrap, np.nextafter,
    np.spacing, np.fmod, math.fmod, math.remainder, math.copysign, math.modf, divmod, np.divmod, np.angle, np.frexp,
    math.frexp, np.nan_to_num, np.roots, np.unique, np.extract, np.compress, np.linalg.eig, np.linalg.eigh,
    np.linalg.svd, np.linalg.qr, np.linalg.pinv,
}  # fmt: skip
#: functions that are infinite at some places, by name; those that have a value on both sides of infinity, two as a rule
_POLES = {"tan", "gamma", "psi", "digamma"}
_BOUNDED = {
    "arctan", "atan", "tanh", "sin", "cos", "erf", "erfc", "expit", "sinc", "ndtr", "arctan2", "arcsinh", "asinh",
}  # fmt: skip
#: functions whose values are whole numbers
_WHOLE = {np.floor, np.ceil, np.trunc, np.rint, np.fix, math.floor, math.ceil, math.trunc, int}
_ROUNDED = {np.round, np.around, round}
_SAME = {float, np.float64, np.asarray, np.copy, np.array, np.ascontiguousarray}
_EXTREMES = {max, min, np.maximum, np.minimum, np.fmax, np.fmin}
#: whose values are the same on both sides of any place
_CONSTANT = {
    len, np.size, np.shape, np.ndim, np.isnan, np.isfinite, np.isinf, math.isnan, math.isfinite, math.isinf,
    isinstance, np.zeros_like, np.ones_like, np.empty_like,
}  # fmt: skip
#: distributions whose density is zero at the ends of its support where all their shapes are above this
_ZERO_AT_THE_ENDS = {"lognorm": 0, "gamma": 1, "weibull_min": 1, "chi2": 2, "beta": 1}
_SMALLER = ("min(", "minimum(", "fmin(")
_CHOOSE = ("max(", "maximum(", "fmax(", *_SMALLER)
_PERIODIC = {np.sin, np.cos, math.sin, math.cos}
_TURN = Fraction(repr(2.0 * math.pi))
_OPERATORS = {gast.Add: 1, gast.Sub: -1}
_WRITTEN = {
    np.add: gast.Add, np.subtract: gast.Sub, np.multiply: gast.Mult, np.divide: gast.Div, np.power: gast.Pow,
}  # fmt: skip

#: a function that a solver is given, for parameters of the given kinds: its core and what it returns
CoreOf = Callable[[Any, list[Kind | None]], tuple[Any, Expr] | None]


class Values:
    """The values of expressions, as sums of steps and of what has no jump."""

    def __init__(self, facts: Facts, core_of: CoreOf | None, jump: Callable[..., str]) -> None:
        self.facts, self.core_of, self.jump = facts, core_of, jump
        self.forms = Forms()
        #: the values of names
        self.known: dict[str, Form] = {}
        #: the definitions of temporaries, for messages
        self.defined: dict[str, Expr] = {}

    def joined(self, forms: list[Form]) -> Form:
        """A value that is made of others in some way."""
        t = self.forms.traits(forms)
        lost = next((j for j in map(self.forms.jump, forms) if j), "")
        return self.forms.unknown(replace(t, lost=lost))

    def settled(self, nodes: list[Any]) -> Form:
        return self.joined([self.value(n) for n in nodes])

    def rank(self, node: Expr) -> int | None:
        kind = self.facts.kinds.get(node.id) if isinstance(node, gast.Name) else None
        if isinstance(node, gast.Constant) or isinstance(kind, Number):
            return 0
        return None if not isinstance(kind, Array) or kind.shape is None else len(kind.shape)

    def is_truth(self, node: Any) -> bool:
        if isinstance(node, gast.Compare):
            return True
        if is_operation(node, gast.Not, gast.Invert):
            return isinstance(node.op, gast.Not) or self.is_truth(node.operand)
        if isinstance(node, gast.BoolOp):
            return all(self.is_truth(v) for v in node.values)
        if isinstance(node, gast.BinOp):
            return self.is_truth(node.left) and self.is_truth(node.right)
        return isinstance(node, gast.Name) and _is_truth(self.facts.kinds.get(node.id))

    def truth(self, node: Expr) -> Form:
        """A condition: a sum of steps that is 0 or 1."""
        if self.is_truth(node):
            return self.value(node)
        lost = self.forms.traits([self.settled([node])]).lost
        return self.forms.unknown(Atom(lost=lost))

    def value(self, node: Any) -> Form:
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method is not None:
            out: Form = method(node)
            return out
        parts = [n for n in gast.iter_child_nodes(node) if isinstance(n, gast.expr | gast.slice)] if node else []
        return self.made(type(node).__name__, [self.value(n) for n in parts])

    def made(self, name: str, forms: list[Form]) -> Form:
        """A function of values that is not one element by element; the same each time."""
        forms = [self.forms.settled(f) for f in forms]
        return self.forms.leaf(f"{name}({', '.join(f.key for f in forms)})", self.forms.traits(forms))

    def of_Constant(self, node: Any) -> Form:
        if isinstance(node.value, bool | int | float) and math.isfinite(node.value):
            return constant(node.value)
        return self.forms.leaf(repr(node.value), Atom())

    def of_Name(self, node: Any) -> Form:
        known = self.known.get(node.id)
        return self.forms.leaf(node.id, Atom()) if known is None else known

    def of_UnaryOp(self, node: Any) -> Form:
        if isinstance(node.op, gast.Not) or (isinstance(node.op, gast.Invert) and self.is_truth(node.operand)):
            return add(ONE, self.truth(node.operand), -1)
        inner = self.value(node.operand)
        return scale(inner, -1) if isinstance(node.op, gast.USub) else inner

    def of_BinOp(self, node: Any) -> Form:
        a, b = self.value(node.left), self.value(node.right)
        op = type(node.op)
        if op in _OPERATORS:
            return add(a, b, _OPERATORS[op])
        if op is gast.Mult or (op is gast.BitAnd and self.is_truth(node)):
            return self.product(a, b, node)
        if op is gast.BitOr and self.is_truth(node):
            return self.either(a, b)
        if op is gast.Div:
            return self.ratio(a, b, node)
        if op is gast.Pow:
            return self.raised(a, b)
        if op in (gast.FloorDiv, gast.Mod):
            return self.divided(a, b, op is gast.Mod, node)
        return self.made(op.__name__, [a, b])

    def raised(self, a: Form, b: Form) -> Form:
        number = b.number()
        if number is not None and number.denominator == 1 and abs(number) <= 4:
            out = self.forms.power(a, int(number))
            if out is not None:
                return out
        return self.forms.apply("pow", lambda x, y: x**y, [a, b])

    def ratio(self, a: Form, b: Form, node: Expr) -> Form:
        """a / b."""
        inverse = self.forms.power(b, -1)
        out = self.made("/", [a, b]) if inverse is None else self.forms.times(a, inverse)
        return self.unless_a_sign(out, a, [b], [*self.forms.bends(a), *self.forms.bends(b)], node)

    def product(self, a: Form, b: Form, node: Expr) -> Form:
        """a * b."""
        out = self.forms.times(a, b)
        for one, other in ((a, b), (b, a)):
            below = self.forms.below(one)
            out = self.unless_a_sign(out, other, below, self.forms.bends(other) if below else [], node)
        return out

    def unless_a_sign(self, out: Form, above: Form, below: list[Form], bends: list[Form], node: Expr) -> Form:
        """What is divided by what is zero just where it is not smooth, or the other is not, may be a sign there."""
        signs = any(self.forms.vanishes(b, place) for b in below for place in bends)
        # between infinite and zero, 1 / (1 + exp(1 / x)) jumps from 0 to 1
        atoms = (self.forms.table[n] for b in below for n in b.atoms())
        if signs or any(t.pole and t.name != "over" for t in atoms):
            return self.jumping(out, node)
        return out

    def jumping(self, out: Form, node: Expr) -> Form:
        t = self.forms.traits([out])
        return self.forms.unknown(replace(t, lost=t.lost or self.shown(node)))

    def divided(self, a: Form, b: Form, rest: bool, node: Expr) -> Form:
        """a // b, or a % b = a - b * (a // b)."""
        inverse = self.forms.power(b, -1)
        ratio = self.made("/", [a, b]) if inverse is None else self.forms.times(a, inverse)
        times = self.whole(ratio, node)
        return add(a, self.forms.times(b, times), -1) if rest else times

    def whole(self, form: Form, node: Expr) -> Form:
        """A whole number that jumps as a value goes along."""
        t = self.forms.traits([form])
        lost = self.forms.jump(form) or (self.shown(node) if t.moves else "")
        return self.forms.leaf(f"whole({form.key})", Atom(lost=lost))

    def either(self, a: Form, b: Form) -> Form:
        return add(add(a, b), self.forms.times(a, b), -1)

    def of_BoolOp(self, node: Any) -> Form:
        if not self.is_truth(node):
            return self.made("or", [self.value(v) for v in node.values])
        out = self.truth(node.values[0])
        for v in node.values[1:]:
            both = self.forms.times if isinstance(node.op, gast.And) else self.either
            out = both(out, self.truth(v))
        return out

    def of_Compare(self, node: Any) -> Form:
        out = ONE
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, gast.Lt | gast.LtE | gast.Gt | gast.GtE):
                a, b = self.forms.settled(self.value(left)), self.forms.settled(self.value(right))
                high, low = (a, b) if isinstance(op, gast.Gt | gast.GtE) else (b, a)
                out = self.forms.times(out, self.forms.step(add(high, low, -1), self.shown(node)))
            else:
                out = self.forms.times(out, self.equal(self.value(left), self.value(right), node))
            left = right
        return out

    def equal(self, left: Form, right: Form, node: Any) -> Form:
        """Two values are equal at single places, unless one is the greater or smaller of the other and a third."""
        for one, both in ((left, right), (right, left)):
            name = next(iter(both.atoms()), "")
            args = self.forms.table[name].args if name else ()
            if name.startswith(_CHOOSE) and one in args and len(both.terms) == 1:
                other = args[1] if one == args[0] else args[0]
                above = add(one, other, -1)
                step = self.forms.step(scale(above, -1 if name.startswith(_SMALLER) else 1), self.shown(node))
                return add(ONE, step, -1) if isinstance(node.ops[0], gast.NotEq) else step
        sides = [self.forms.settled(f) for f in (left, right)]
        t = self.forms.traits(sides)
        plain = all(not self.forms.table[n].args and not n.startswith("?") for f in (left, right) for n in f.atoms())
        lost = t.lost or ("" if plain or not t.moves else self.shown(node))
        return self.forms.leaf(f"({sides[0].key} {type(node.ops[0]).__name__} {sides[1].key})", Atom(lost=lost))

    def of_IfExp(self, node: Any) -> Form:
        return self.forms.choice(self.truth(node.test), self.value(node.body), self.value(node.orelse))

    def of_Subscript(self, node: Any) -> Form:
        return self.made("item", [self.value(node.value), self.value(node.slice)])

    def of_Attribute(self, node: Any) -> Form:
        if node.attr in ("size", "shape", "ndim", "dtype"):
            return self.forms.leaf(text(node), Atom())
        known = self.called(node)
        if isinstance(known, float):
            return constant(known) if math.isfinite(known) else self.forms.leaf(text(node), Atom())
        return self.made(f".{node.attr}", [self.value(node.value)])

    # --- calls

    def of_Call(self, node: Any) -> Form:
        kind = infer(node, self.facts)
        function = self.called(node.func)
        if function is None and isinstance(node.func, gast.Attribute):
            node = gast.Call(node.func, [node.func.value, *node.args], node.keywords)
            if node.func.attr == "astype" and isinstance(kind, Number | Array) and not _is_whole(kind):
                return self.value(node.func.value)
        plain = not node.keywords
        if function in _WRITTEN and plain:
            return self.of_BinOp(gast.BinOp(node.args[0], _WRITTEN[function](), node.args[1]))
        args = [self.value(a) for a in node.args]
        if function is np.reciprocal and plain:
            return self.ratio(ONE, args[0], node)
        if function is np.where and len(args) == 3:
            return self.forms.choice(self.truth(node.args[0]), args[1], args[2])
        if function is np.heaviside and plain:
            return self.forms.step(self.forms.settled(args[0]), self.shown(node))
        logical = function in (np.logical_and, np.logical_or, np.logical_not)
        if logical and plain and all(map(self.is_truth, node.args)):
            return self.logical(function, args)
        if function in (np.greater, np.greater_equal, np.less, np.less_equal) and plain:
            a, b = (self.forms.settled(f) for f in args)
            high, low = (a, b) if function in (np.greater, np.greater_equal) else (b, a)
            return self.forms.step(add(high, low, -1), self.shown(node))
        if function in (np.floor_divide, np.mod, np.remainder) and plain:
            return self.divided(args[0], args[1], function is not np.floor_divide, node)
        if function in _WHOLE or (function in _ROUNDED and len(args) == 1 and plain):
            return self.whole(args[0], node)
        if function in (np.arctan2, math.atan2) and plain:
            return self.angle(function, args, node)
        if function in _CONSTANT:
            return self.forms.unknown(Atom(lost=self.forms.traits([self.settled(node.args)]).lost))
        if function in _SAME and len(args) == 1 and plain and self.is_numeric(node.args[0]):
            return args[0]
        if function in _EXTREMES and plain and len(args) >= 2:
            return self.extreme(_name(function), args)
        clips = function is np.clip or getattr(node.func, "attr", None) == "clip"
        if clips and plain and len(args) == 3 and not any(_is_none(a) for a in node.args):
            return self.extreme("minimum", [self.extreme("maximum", args[:2]), args[2]])
        if function in _PERIODIC and plain:
            args = [self.without_turns(args[0])]
        jumps = function in _JUMPING or function in _ROUNDED or isinstance(function, Written) or _is_whole(kind)
        jumps = jumps or any(k.arg in ("left", "right") for k in node.keywords)
        if not jumps and plain and (isinstance(function, np.ufunc) or _in_math(function)):
            return self.elementwise(_name(function), function, args, node)
        if hasattr(getattr(function, "__self__", None), "numargs"):
            return self.density(function, node, args)
        given = [*args, *(self.value(k.value) for k in node.keywords)]
        lost = self.jump_of_solver(node)
        out = self.made(text(node.func), given)
        t = self.forms.traits([out])
        lost = lost or (self.shown(node) if jumps and t.moves else "")
        return self.forms.unknown(replace(t, lost=lost or t.lost)) if lost else out

    def extreme(self, name: str, args: list[Form]) -> Form:
        return functools.reduce(lambda a, b: self.forms.apply(name, None, [a, b], of_equals=True), args)

    def elementwise(self, name: str, function: Any, args: list[Form], node: Expr) -> Form:
        out = self.forms.apply(name, function, args)
        t = self.forms.traits([out])
        if name in _BOUNDED and t.pole:
            return self.jumping(out, node)
        return self.forms.unknown(replace(t, pole=True)) if name in _POLES and t.moves else out

    def logical(self, function: Any, args: list[Form]) -> Form:
        if function is np.logical_not:
            return add(ONE, args[0], -1)
        return (self.forms.times if function is np.logical_and else self.either)(args[0], args[1])

    def angle(self, function: Any, args: list[Form], node: Expr) -> Form:
        """It jumps by a turn where the first coordinate is zero and the second is below it."""
        out = self.elementwise("arctan2", function, args, node)
        if self.forms.sign(args[1]) > 0:
            return out
        t = self.forms.traits([args[0]] if args[0].terms else args)
        turns = self.forms.leaf(f"turns({out.key})", Atom(lost=self.shown(node) if t.moves else ""))
        return add(out, self.forms.times(constant(_TURN), turns))

    def without_turns(self, form: Form) -> Form:
        """An angle for what has the period of a turn."""
        kept = {}
        for product, factor in form.terms.items():
            turn = len(product) == 1 and product[0][0].startswith(("turns(", "whole(")) and product[0][1] == 1
            turns = factor / _TURN
            if not (turn and abs(turns - round(turns)) < 1e-14):
                kept[product] = factor
        return Form(kept)

    def density(self, method: Any, node: Any, args: list[Form]) -> Form:
        """A density of scipy.stats jumps at the ends of its support, unless its shape says that it is zero there."""
        own, named = method.__self__, {k.arg: self.value(k.value) for k in node.keywords}
        count = own.numargs
        loc, scale_ = ([*args[1 + count :], None, None][i] for i in (0, 1))
        loc, scale_ = named.get("loc", loc) or constant(0), named.get("scale", scale_) or ONE
        shapes = [a.number() for a in args[1 : 1 + count]]
        least = _ZERO_AT_THE_ENDS.get(own.name)
        zero = least is not None and all(s is not None and s > least for s in shapes)
        lost = ""
        if _name(method) in ("pdf", "logpdf") and not zero:
            for end in (own.a, own.b):
                if math.isfinite(end):
                    place = add(add(args[0], loc, -1), self.forms.times(constant(end), scale_), -1)
                    lost = lost or (self.shown(node) if self.forms.traits([place]).moves else "")
        out = self.made(text(node.func), [*args, *named.values()])
        t = self.forms.traits([out])
        return self.forms.unknown(replace(t, lost=lost or t.lost)) if lost else out

    def jump_of_solver(self, node: Any) -> str:
        """Where the value of an integral or of an equation jumps since the function that it is given does."""
        functions = [f for f in map(self.called, node.args) if hasattr(f, "__code__")]
        if not functions or self.core_of is None:
            return ""
        tuples = (a for a in reversed(node.args) if isinstance(a, gast.Tuple))
        given = next((k.value for k in node.keywords if k.arg == "args"), None) or next(tuples, None)
        items = [*given.elts] if isinstance(given, gast.Tuple) else []
        for function in functions:
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            lead = len(names) - len(items)
            kinds: list[Kind | None] = [*[Number(float)] * lead, *map(self.kind_of, items)]
            made = self.core_of(function, kinds)
            if made is None:
                continue
            traits = [*[Atom(along=True, inside=True)] * lead, *(self.forms.traits([self.value(i)]) for i in items)]
            found = self.jump(made[0], made[1], dict(zip(names, traits, strict=True)), self.core_of)
            if found:
                return found
        return ""

    def called(self, node: Any) -> Any:
        """The function that an expression names."""
        if isinstance(node, gast.Attribute):
            holder = self.called(node.value)
            return None if holder is None else getattr(holder, node.attr, None)
        if not isinstance(node, gast.Name) or node.id in self.known:
            return None
        return self.facts.globals.get(node.id, getattr(builtins, node.id, None))

    def kind_of(self, node: Any) -> Kind | None:
        if isinstance(node, gast.Constant) and isinstance(node.value, int | float):
            return Number(type(node.value))
        return self.facts.kinds.get(node.id) if isinstance(node, gast.Name) else None

    def is_numeric(self, node: Expr) -> bool:
        return self.is_truth(node) or isinstance(self.kind_of(node), Number | Array)

    def shown(self, node: Expr) -> str:
        """The text of a condition, without temporaries."""
        for _ in range(8):
            parts = {n: gast.copy_location(clone(e), e) for n, e in self.defined.items() if n in names_in(node)}
            if not parts:
                break
            node = replace_names(clone(node), parts)
        return text(node)


def names_in(node: Any) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, gast.Name)}


def _is_truth(kind: Kind | None) -> bool:
    if isinstance(kind, Number):
        return kind.type in (bool, np.bool_)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "b"


def _is_whole(kind: Kind | None) -> bool:
    if isinstance(kind, Number):
        return issubclass(kind.type, int | np.integer | np.bool_)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "biu"


def _is_none(node: Expr) -> bool:
    return is_constant(node, None)


def _in_math(function: Any) -> bool:
    return getattr(function, "__module__", None) == "math" or function is abs


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", function))
