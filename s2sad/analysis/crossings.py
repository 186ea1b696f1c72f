"""Where a function that is integrated over jumps at a place that moves with active values.

    def integrand(x, p):
        return 1.0 if x < p else 0.0

The derivative of the integral over x has a term at x = p, which the integral of the derivative leaves out. Jumps at
places that stay (`x < 0.5`) leave nothing out, and neither does what has the same value on both sides of the place:
`max(x, p)`, `x - p if x > p else 0.0`. What cannot be seen to be of that kind counts as a jump.
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import gast
import numpy as np

from s2sad.analysis.forms import ONE, Atom, Form, Forms, add, constant, scale
from s2sad.core import Expr, Stmt, Written, clone, names_bound, replace_names, text, walk
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


def jump(
    core: Any, result: Expr, parameters: dict[str, Atom], core_of: CoreOf | None = None, places: Iterable[str] = ()
) -> str:
    """A condition at which a result may jump, at a place that moves; empty where there is none.

    Args:
        core: the function in core Python.
        result: what it returns.
        parameters: what each parameter varies with.
        core_of: the core of functions that are given to solvers inside.
        places: parameters; where the first one is equal to one of these, a jump is known.

    >>> from types import SimpleNamespace
    >>> from s2sad.core import Facts, load, statements
    >>> facts = Facts({"x": Number(float), "p": Number(float)})
    >>> over, active = Atom(along=True), Atom(moved=True)
    >>> def asked(text):
    ...     core = SimpleNamespace(body=statements(text), facts=facts)
    ...     return jump(core, load("y"), {"x": over, "p": active})
    >>> asked("y = 1.0 if x < p else 0.0")
    'x < p'
    >>> asked("y = x - p if x > p else 0.0"), asked("y = p if x < 0.5 else 0.0")
    ('', '')
    >>> core = SimpleNamespace(body=statements("y = 1.0 if 2.0 * x < 2.0 * p else 0.0"), facts=facts)
    >>> jump(core, load("y"), {"x": over, "p": active}, places=["p"])
    ''
    """
    run = _Run(core, core_of)
    for name, traits in parameters.items():
        run.values[name] = run.forms.leaf(name, traits)
    first = next(iter(run.values.values()))
    run.forms.places = [add(first, run.values[name], -1) for name in places]
    run.block(core.body)
    return run.forms.jump(run.settled([result]))


class _Run:
    """The statements of a function, computed with sums for values."""

    def __init__(self, core: Any, core_of: CoreOf | None) -> None:
        self.facts, self.core_of = core.facts, core_of
        self.forms = Forms()
        self.values: dict[str, Form] = {}
        #: names that may be views of one array
        self.shared: dict[str, set[str]] = {}
        #: the definitions of temporaries, for messages
        self.defined: dict[str, Expr] = {}

    # --- statements

    def block(self, body: list[Stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, s: Any) -> None:
        if isinstance(s, gast.Assign):
            self.assign(s.targets[0], s.value)
        elif isinstance(s, gast.AugAssign):
            self.assign(s.target, gast.BinOp(_read(s.target), s.op, s.value))
        elif isinstance(s, gast.If):
            self.branch(s)
        elif isinstance(s, gast.For | gast.While):
            self.loop(s)
        elif isinstance(s, gast.Expr):
            self.changed(_names(s.value), self.settled([s.value]))
        else:  # what else there may be: all that is bound in it depends on all that is read in it
            for body in (getattr(s, field, []) for field in ("body", "orelse", "finalbody")):
                self.block(body)
            for handler in getattr(s, "handlers", []):
                self.block(handler.body)
            whole = self.settled([n for n in walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)])
            t = self.forms.traits([whole])
            if isinstance(s, gast.Try) and t.moves:  # an exception may come at a place that moves
                whole = self.forms.unknown(replace(t, lost=t.lost or "try"))
            for name in names_bound([s]):
                self.values[name] = self.joined([self.values.get(name, whole), whole])

    def assign(self, target: Any, value: Expr) -> None:
        if isinstance(target, gast.Name):
            self.values[target.id] = self.value(value)
            if target.id in self.facts.temps:
                self.defined[target.id] = value
            if not isinstance(value, gast.BinOp | gast.Compare | gast.UnaryOp | gast.Constant | gast.IfExp):
                group = {target.id}.union(*(self.shared.get(n, {n}) for n in _names(value) if self.holds(n)))
                for name in group if self.holds(target.id) else ():
                    self.shared[name] = group
        elif isinstance(target, gast.Tuple | gast.List):
            whole = self.settled([value])
            for name in _names(target):
                self.values[name] = self.joined([whole])
                self.shared[name] = {name}.union(*(self.shared.get(n, {n}) for n in _names(value)))
        else:
            self.store(target, value)

    def holds(self, name: str) -> bool:
        """May a name stand for memory that is written to?"""
        kind = self.facts.kinds.get(name)
        return kind is not None and not isinstance(kind, Number)

    def store(self, target: Any, value: Expr) -> None:
        """`z[mask] = e` chooses; any other store joins what was there."""
        root = target
        while isinstance(root, gast.Subscript | gast.Attribute):
            root = root.value
        if not isinstance(root, gast.Name):
            return
        group = self.shared.get(root.id, {root.id})
        mask = getattr(target, "slice", None)
        if target.value is root and len(group) == 1 and self.is_truth(mask) and self.rank(value) == 0:
            old = self.value(root)
            self.values[root.id] = self.forms.choice(self.truth(mask), self.value(value), old)
        else:
            index = [] if mask is None else [mask]
            self.changed({root.id}, self.settled([value, *index]))

    def changed(self, names: Iterable[str], by: Form) -> None:
        for name in set().union(*(self.shared.get(n, {n}) for n in names)):
            if name in self.values and self.holds(name):
                self.values[name] = self.joined([self.values[name], by])

    def branch(self, s: Any) -> None:
        condition = self.truth(s.test)
        before, shared = dict(self.values), {n: set(g) for n, g in self.shared.items()}
        self.block(s.body)
        then, self.values = self.values, before
        self.block(s.orelse)
        for name, group in shared.items():
            self.shared[name] = self.shared.get(name, set()) | group
        for name in {*then, *self.values}:
            a, b = then.get(name), self.values.get(name)
            if a is not None and b is not None:
                self.values[name] = self.forms.choice(condition, a, b)
            elif a is not None or b is not None:  # the other branch leaves it, or ends
                self.values[name] = a if a is not None else b  # type: ignore[assignment]

    def loop(self, s: Any) -> None:
        """Once and again until nothing more is found out about what it changes."""
        bound = sorted({*names_bound([s]), *(n for n in _changed_in(s) if n in self.values)})
        begun = {n: self.values[n] for n in bound if n in self.values}
        seen: dict[str, Atom] = {}
        while True:
            for name in bound:
                known = [begun[name]] if name in begun else []
                self.values[name] = self.joined([*known, *([self.forms.unknown(seen[name])] if name in seen else [])])
            heads = dict(seen)
            if isinstance(s, gast.For):
                item = self.settled([s.iter])
                for name in _names(s.target):
                    self.values[name] = self.joined([item])
                control = self.forms.traits([item]).lost
            else:
                control = self.forms.jump(self.truth(s.test))
            self.block(s.body)
            control = control or self.leaves_at(s.body)
            for name in bound:
                if name in self.values:
                    kept = [self.values[name], *([self.forms.unknown(seen[name])] if name in seen else [])]
                    t = self.forms.traits([self.joined(kept)])
                    seen[name] = replace(t, lost=t.lost or control)
            if all(_same(seen.get(n), heads.get(n)) for n in bound):
                break
        for name in bound:
            known = [begun[name]] if name in begun else []
            self.values[name] = self.joined([*known, *([self.forms.unknown(seen[name])] if name in seen else [])])
        self.block(s.orelse)

    def leaves_at(self, body: list[Any]) -> str:
        """The condition at a place that moves at which a loop is left, or a turn of it."""
        for s in body:
            if isinstance(s, gast.If):
                found = ""
                if any(isinstance(n, gast.Break | gast.Continue | gast.Return) for n in walk(s)):
                    found = self.forms.jump(self.truth(s.test))
                found = found or self.leaves_at(s.body) or self.leaves_at(s.orelse)
                if found:
                    return found
        return ""

    # --- values

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
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not | gast.Invert):
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
        known = self.values.get(node.id)
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
            found = jump(made[0], made[1], dict(zip(names, traits, strict=True)), self.core_of)
            if found:
                return found
        return ""

    def called(self, node: Any) -> Any:
        """The function that an expression names."""
        if isinstance(node, gast.Attribute):
            holder = self.called(node.value)
            return None if holder is None else getattr(holder, node.attr, None)
        if not isinstance(node, gast.Name) or node.id in self.values:
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
            parts = {n: gast.copy_location(clone(e), e) for n, e in self.defined.items() if n in _names(node)}
            if not parts:
                break
            node = replace_names(clone(node), parts)
        return text(node)


def _names(node: Any) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, gast.Name)}


def _read(target: Any) -> Any:
    out = clone(target)
    out.ctx = gast.Load()
    return out


def _changed_in(loop: Any) -> set[str]:
    """Names of what is stored into, or handed to calls that may change it."""
    names: set[str] = set()
    for s in walk(loop):
        if isinstance(s, gast.Assign | gast.AugAssign):
            target = s.targets[0] if isinstance(s, gast.Assign) else s.target
            names |= _names(target)
        elif isinstance(s, gast.Expr):
            names |= _names(s.value)
    return names


def _same(a: Atom | None, b: Atom | None) -> bool:
    if a is None or b is None:
        return a is b
    return (a.along, a.moved, a.inside, bool(a.lost)) == (b.along, b.moved, b.inside, bool(b.lost))


def _is_truth(kind: Kind | None) -> bool:
    if isinstance(kind, Number):
        return kind.type in (bool, np.bool_)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "b"


def _is_whole(kind: Kind | None) -> bool:
    if isinstance(kind, Number):
        return issubclass(kind.type, int | np.integer | np.bool_)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind in "biu"


def _is_none(node: Expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _in_math(function: Any) -> bool:
    return getattr(function, "__module__", None) == "math" or function is abs


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", function))
