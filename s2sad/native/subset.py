"""What Numba lacks, written with what it has: one rewrite for a function, registered by the function itself.

    for i in reversed(range(n)):    ->    for i in range(n - 1, -1, -1):
    np.max(x, axis=1)               ->    max_along_1(x)      (a loop over the rows, in a function of its own)

A rewrite is given the call and the kinds of its arguments; it returns what stands in the place of the call, or None
where the call may stay.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import Roots, roots
from s2sad.analysis.effects import Effects
from s2sad.analysis.known_calls import dotted
from s2sad.core import Expr, Facts, Stmt, assign, clone, global_name, load, quote, text, walk
from s2sad.expansion.refusal import WRITE_OUT
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static
from s2sad.kinds.query import is_complex, is_float
from s2sad.native.kinds_here import called, follow, is_one_length
from s2sad.native.mathematics import PLUS, REGROUPED, VECTORS
from s2sad.native.whole import WHOLE, Ints
from s2sad.runtime import helpers
from s2sad.runtime.identity import key_of
from s2sad.runtime.structures import Whole

Rewrite = Callable[["Subset", Any, dict[str, Expr]], "Expr | None"]

#: by the function that is called: the names of its parameters, and its rewrite
_REWRITES: dict[Any, tuple[tuple[str, ...], Rewrite]] = {}
#: methods of arrays, by the function that does the same
_METHODS = {
    "sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod, "any": np.any, "all": np.all,
    "argmax": np.argmax, "argmin": np.argmin, "std": np.std, "var": np.var, "reshape": np.reshape,
}  # fmt: skip


#: Python's own functions that Numba has, as Python has them. (Of what a text is, it has another opinion, for one.)
_BUILTINS = frozenset(
    (abs, all, any, bool, complex, divmod, enumerate, float, int, len, list, max, min, pow, print, range, reversed,
     round, slice, sorted, sum, tuple, zip)
)  # fmt: skip


#: expressions whose kind is that of a name
_ATOMS = (gast.Name, gast.Constant, gast.Slice, gast.Starred)


def rewrites(function: Any, parameters: str) -> Callable[[Rewrite], Rewrite]:
    """Enter a rewrite for the calls of a function, whose parameters are named in order."""

    def enter(rewrite: Rewrite) -> Rewrite:
        _REWRITES[function] = tuple(parameters.split()), rewrite
        return rewrite

    return enter


@dataclass
class Subset:
    """A function on its way into the subset.

    Attributes:
        facts: what its free names stand for, and the kinds of names at the statement that is being rewritten.
        made: the functions that were made for it, by name.
        how: by the name of such a function, how it is compiled where it is not compiled as the kernels are.
        trusts: does what was rewritten last rely on lengths that are equal?
        ints: what is known of the ints of the function that is being rewritten.
        places: in how many indices and ranges does the expression stand that is being rewritten? (They are no larger
            than what is in memory.)
        known: of what was rewritten in this statement, by identity: it, and the kind of what it was.
    """

    facts: Facts
    made: dict[str, Any] = field(default_factory=dict)
    how: dict[str, dict[str, Any]] = field(default_factory=dict)
    memory: Roots = field(default_factory=dict)
    trusts: bool = False
    ints: Ints = field(default_factory=lambda: Ints([]))
    places: int = 0
    known: dict[int, tuple[Expr, Kind]] = field(default_factory=dict)

    def rewrite(self, body: list[Stmt], parameters: list[str]) -> None:
        """Rewrite the statements of a function, in place."""
        self.memory = memory = roots(body, self.facts, parameters=parameters)
        self.ints = Ints(body)
        self.trusts = False

        def visit(statement: Stmt, facts: Facts) -> None:
            self.facts = facts
            self.known.clear()
            if isinstance(statement, gast.AugAssign) and self.reads_what_it_writes(statement, memory):
                statement.value = gast.Call(gast.Attribute(statement.value, "copy", gast.Load()), [], [])
            if isinstance(statement, gast.AugAssign):
                read = as_load(statement.target)
                statement.value = self.with_checked_operand(statement.op, read, statement.value)
                statement.value = self.with_checked_shape(statement.value, read)
            if isinstance(statement, (gast.Raise, gast.Assert)):
                return  # what is raised is made by Numba, of constants and numbers
            for name, value in gast.iter_fields(statement):
                if isinstance(value, gast.expr):
                    setattr(statement, name, self.expression(value))
                elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                    setattr(statement, name, [self.expression(v) for v in value])

        outer = self.facts
        follow(body, outer, visit)
        self.facts = outer

    def broadcast(self, body: list[Stmt]) -> None:
        """Write tables of all pairs, and products of a part of a matrix, as what is broadcast, of which loops are made.

        np.add.outer(x, y)    ->    x[:, None] + y
        A[:, 1:] @ x          ->    np.sum(A[:, 1:] * x, axis=1)    (for BLAS, Numba would copy the matrix)
        """

        def visit(statement: Stmt, facts: Facts) -> None:
            self.facts = facts
            for name, value in gast.iter_fields(statement):
                if isinstance(value, gast.expr):
                    setattr(statement, name, _Pairs(self).visit(value))

        outer = self.facts
        follow(body, outer, visit)
        self.facts = outer

    def keep_apart(self, body: list[Stmt]) -> None:
        """Write what is broadcast as calls, in place: of lengths beside threads Numba says that they do not fit.

        y = A + x[:, None]    ->    y = added(A, x[:, None])
        """

        def visit(statement: Stmt, facts: Facts) -> None:
            self.facts = facts
            for name, value in gast.iter_fields(statement):
                if isinstance(value, gast.expr):
                    setattr(statement, name, _Apart(self).visit(value))

        outer = self.facts
        follow(body, outer, visit)
        self.facts = outer

    def divides_numbers(self, body: list[Stmt]) -> bool:
        """Does a function divide Python's numbers, which raise where NumPy's give inf?"""
        found: list[bool] = []

        def visit(statement: Stmt, facts: Facts) -> None:
            self.facts = facts
            if isinstance(statement, gast.AugAssign):
                found.append(self.is_division(statement.op, as_load(statement.target), statement.value))
            own = [v for _, v in gast.iter_fields(statement) if isinstance(v, gast.expr)]
            operations = (n for v in own for n in walk(v) if isinstance(n, gast.BinOp))
            found.extend(self.is_division(n.op, n.left, n.right) for n in operations)

        outer = self.facts
        follow(body, outer, visit)
        self.facts = outer
        return any(found)

    def reads_what_it_writes(self, statement: Any, memory: Roots) -> bool:
        """Does it add a view of the memory that it adds to? NumPy reads it all before it writes, Numba does not.

        y[1:] += y[:-1]    ->    y[1:] += y[:-1].copy()
        """
        target = base = statement.target
        while isinstance(base, (gast.Subscript, gast.Attribute)):
            base = base.value
        if not isinstance(self.kind(statement.value), Array):
            return False

        def bases(node: Expr) -> set[str]:
            viewed = [shared for _, shared in Effects(self.facts).of(assign("view", node)).defines]
            return set().union(*(memory.get(n, frozenset((n,))) for shared in viewed for n in shared))

        return bool(bases(statement.value) & bases(as_load(base))) and text(statement.value) != text(target)

    def expression(self, node: Any) -> Any:
        """An expression with its parts rewritten, inside first; its kind is known as that of the one before."""
        kind = self.kind(node) if isinstance(node, gast.expr) and not isinstance(node, _ATOMS) else None
        made = self.rewritten(node)
        if kind is not None:
            self.known[id(made)] = made, kind
        return made

    def rewritten(self, node: Any) -> Any:
        is_place = isinstance(node, gast.Subscript) or (isinstance(node, gast.Call) and self.target(node.func) is range)
        self.places += is_place
        for name, value in gast.iter_fields(node):
            if isinstance(value, (gast.expr, gast.keyword)):
                setattr(node, name, self.expression(value))
            elif isinstance(value, list):
                parts = [self.expression(v) if isinstance(v, (gast.expr, gast.keyword)) else v for v in value]
                setattr(node, name, parts)
        self.places -= is_place
        if isinstance(node, gast.JoinedStr):
            way = "do it outside of the function, or leave compile out."
            raise DerivationError("A kernel does not write texts.", way)
        if isinstance(node, gast.Compare) and any(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            self.check_identity(node)
        if isinstance(node, gast.Subscript):
            if _is_all(node.slice) and self.rank(as_load(node.value)):
                node.slice = gast.Slice(None, None, None)  # which Numba has for the memory of all arrays
            return self.with_checked_masks(node)
        if isinstance(node, gast.BinOp):
            return self.operation(node)
        return self.call(node) if isinstance(node, gast.Call) else node

    def with_checked_shape(self, value: Expr, target: Expr) -> Expr:
        """What is added to an array in place, as long as that or broadcast to it; Numba reads what lies behind it.

        y[1:] += x    ->    y[1:] += fitting(x, y[1:])
        """
        x, y = self.kind(value), self.kind(target)
        if not isinstance(y, Array) or y.shape == () or isinstance(x, (Number, Static)):
            return value
        if not isinstance(x, Array) or x.shape is None or y.shape is None:
            return _call(self.np("broadcast_to"), value, gast.Attribute(target, "shape", gast.Load()))
        if not x.shape:
            return value
        if x.shape == y.shape and all(map(is_one_length, x.shape)):
            self.trusts = True
            return value
        return _call(self.helper("fitting", _fitting(len(x.shape), len(y.shape))), value, target)

    def with_checked_operand(self, op: Any, left: Expr, right: Expr) -> Expr:
        """The right operand of an operation that may not give what it does in Python.

        k *= n       ->    k *= factor(k, n)      (ints that may not fit into 64 bits)
        i ** n       ->    i ** natural(n)        (arrays of ints; for a negative n Numba makes any int)
        x ** n       ->    x ** float(n)          (an array of floats; Numba divides as Python does)
        """
        if self.is_python_int(left) and self.is_python_int(right):
            check = self.ints.check_of(op, left, right, whole=False)
            return right if check is None else _call(self.helper(*check), left, right)
        if not isinstance(op, (gast.Pow, gast.LShift, gast.RShift)) or not self.is_int(right):
            return right
        if isinstance(right, gast.Constant) and right.value >= 0:
            return right
        if self.is_int(left):
            made = _NATURAL if self.rank(right) == 0 else _NATURAL.replace("n < 0", "np.any(n < 0)")
            return _call(self.helper("natural", made), right)
        return _call(load("float"), right) if self.rank(left) != 0 and self.rank(right) == 0 else right

    def operation(self, node: Any) -> Any:
        """An operation; by a helper where Numba has none, or what comes out of ints has to be looked at."""
        if not (self.is_python_int(node.left) and self.is_python_int(node.right)):
            node.right = self.with_checked_operand(node.op, node.left, node.right)
            found = rewrite_of(type(node.op))
            return node if found is None else found[1](self, node, {"a": node.left, "b": node.right}) or node
        if self.places and isinstance(node.op, (gast.Add, gast.Sub, gast.Mult)):
            return node
        check = self.ints.check_of(node.op, node.left, node.right, whole=True)
        return node if check is None else _call(self.helper(*check), node.left, node.right)

    def is_python_int(self, node: Expr) -> bool:
        """Is it an int of Python's, of any size?"""
        kind = self.kind(node)
        types = kind.of_types() if isinstance(kind, Number) else {type(kind.value)} if isinstance(kind, Static) else ()
        return bool(types) and set(types) <= {int, bool}

    def is_int(self, node: Expr) -> bool:
        """May it be an int to Numba?"""
        kind = self.kind(node)
        if isinstance(kind, Array):
            return kind.dtype.kind in "iub"
        types = kind.of_types() if isinstance(kind, Number) else {type(kind.value)} if isinstance(kind, Static) else ()
        return any(t in (int, bool, np.int64, np.bool_) for t in types)

    def check_identity(self, node: Any) -> None:
        """Refuse to ask a number whether it is True: where it may be a bool or a float, it is a float to Numba."""
        for part in (node.left, *node.comparators):
            kind = self.kind(part)
            known = kind.of_types() <= {bool} if isinstance(kind, Number) else isinstance(kind, (Static, Array))
            if not known and not all(_is_none(e) for e in node.comparators):
                way = "do it outside of the function, or leave compile out."
                raise DerivationError("A kernel does not ask whether a number is an object.", way)

    def with_checked_masks(self, node: Any) -> Any:
        """A subscript whose masks are as long as the axes that they choose from; Numba does not look at lengths.

        x[mask]    ->    x.ravel()[mask.ravel()]    (of several axes: Numba has masks of one)
        """
        base = self.kind(as_load(node.value))
        parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
        kinds = [None if isinstance(p, gast.Slice) else self.kind(p) for p in parts]
        if not any(isinstance(k, Array) and k.dtype == bool for k in kinds):
            return node
        axis = 0
        for place, kind in enumerate(kinds):
            count = 1
            if isinstance(kind, Array) and kind.dtype == bool:
                count = len(kind.shape or (1,))
                wanted = base.shape[axis : axis + count] if isinstance(base, Array) and base.shape else None
                if kind.shape is None or kind.shape != wanted:
                    parts[place] = _call(self.helper("mask", _mask(axis, count)), parts[place], node.value)
                else:
                    self.trusts = True
            elif isinstance(kind, Static) and kind.value is None:
                count = 0
            axis += count
        is_read = isinstance(node.ctx, gast.Load)
        if is_read and len(parts) == 1 and count > 1 and self.rank(as_load(node.value)) == count:
            node.value, parts[0] = (quote("x.ravel()", x=x) for x in (node.value, parts[0]))
        node.slice = gast.Tuple(parts, gast.Load()) if isinstance(node.slice, gast.Tuple) else parts[0]
        return node

    def is_division(self, op: Any, left: Expr, right: Expr) -> bool:
        if not isinstance(op, (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)):
            return False
        return self.is_python_number(left) and self.is_python_number(right)

    def is_python_number(self, node: Expr) -> bool:
        kind = self.kind(node)
        types = kind.of_types() if isinstance(kind, Number) else {type(kind.value)} if isinstance(kind, Static) else ()
        return any(t in (int, float, complex, bool, Whole) for t in types)

    def call(self, node: Any) -> Any:
        function, given = self.target(node.func), list(node.args)
        if function is None and isinstance(node.func, gast.Attribute) and self.rank(node.func.value) is not None:
            function, given = _METHODS.get(node.func.attr), [node.func.value, *node.args]
        if getattr(function, "__module__", None) == "builtins" and function not in _BUILTINS:
            raise DerivationError(
                f"A kernel does not call {function.__name__}.", "do it outside of the function, or leave compile out."
            )
        found = rewrite_of(function)
        if (
            found is None
            or any(isinstance(a, gast.Starred) for a in given)
            or any(k.arg is None for k in node.keywords)
        ):
            return node
        parameters, rewrite = found
        arguments = {**dict(zip(parameters, given, strict=False)), **{k.arg: k.value for k in node.keywords}}
        made = rewrite(self, node, arguments)
        return node if made is None else made

    def target(self, func: Expr) -> Any:
        return called(func, self.facts)

    def kind(self, node: Expr) -> Kind:
        found = self.known.get(id(node))
        return infer(node, self.facts) if found is None or found[0] is not node else found[1]

    def rank(self, node: Expr) -> int | None:
        """The number of axes of an array; 0 for a number, None where it is not known."""
        kind = self.kind(node)
        if isinstance(kind, Array):
            return None if kind.shape is None else len(kind.shape)
        return 0 if isinstance(kind, Number) or (isinstance(kind, Static) and np.isscalar(kind.value)) else None

    def np(self, name: str) -> Expr:
        return gast.Attribute(load(global_name(np, "np", self.facts)), name, gast.Load())

    def helper(self, name: str, text: str) -> Expr:
        """A function of its own for the kernels, made once for a text; it calls NumPy `np`."""
        if text not in self.made:
            numpy = global_name(np, "np", self.facts)
            tree = gast.parse(text).body[0]
            for n in gast.walk(tree):
                if isinstance(n, gast.Name) and n.id == "np":
                    n.id = numpy
            free = name if name not in self.facts.taken and name not in self.facts.globals else self.facts.fresh(name)
            tree.name = free
            self.facts.taken.add(free)
            self.made[text] = tree
        return load(self.made[text].name)

    def plus(self) -> Expr:
        """The function for sums that may be regrouped."""
        made = self.helper("plus", PLUS)
        self.how[text(made)] = REGROUPED
        return made

    def prange(self) -> Expr:
        import numba

        return gast.Attribute(load(global_name(numba, "numba", self.facts)), "prange", gast.Load())

    def vector(self, function: Any) -> Expr:
        """The function of arithmetic for one of NumPy's."""
        name, source, calls = VECTORS[function]
        inner = {VECTORS[f][0]: self.vector(f) for f in calls}
        for called_name, made in inner.items():
            source = source.replace(f" {called_name}(", f" {text(made)}(")
        made = self.helper(name, source)
        self.how[text(made)] = {"error_model": "numpy", "fastmath": False}  # (what is rounded away is made up for)
        return made


#: of the functions of all pairs, the operator or the function of NumPy that is taken of each
_PAIRS = {
    np.add.outer: gast.Add, np.subtract.outer: gast.Sub, np.multiply.outer: gast.Mult, np.divide.outer: gast.Div,
    np.maximum.outer: "maximum", np.minimum.outer: "minimum",
}  # fmt: skip


class _Pairs(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, subset: Subset) -> None:
        self.subset = subset

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        function = self.subset.target(node.func)
        taken = _PAIRS.get(function) if type(function) is type(np.add.outer) else None
        if taken is None or len(node.args) != 2 or node.keywords:
            return node
        first, second = (self.subset.rank(a) for a in node.args)
        if not first or not second:
            return node
        new = [gast.Slice(None, None, None)] * first + [gast.Constant(None, None)] * second
        left = gast.Subscript(node.args[0], gast.Tuple(new, gast.Load()), gast.Load())
        if isinstance(taken, str):
            return gast.Call(self.subset.np(taken), [left, node.args[1]], [])
        return gast.BinOp(left, taken(), node.args[1])

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        parts = [node.left, node.right]
        kinds = [self.subset.kind(part) for part in parts]
        shapes = [k.shape for k in kinds if isinstance(k, Array) and k.shape and k.dtype in (np.float64, np.float32)]
        if not isinstance(node.op, gast.MatMult) or sorted(map(len, shapes)) != [1, 2]:
            return node
        axis = 1 if len(shapes[0]) == 2 else 0
        matrix, vector = parts[::-1] if axis == 0 else parts
        if not _is_scattered(matrix) or shapes[axis != 0][0] != shapes[axis == 0][-axis]:
            return node
        factors = [quote("x[:, None]", x=vector), matrix] if axis == 0 else [matrix, vector]
        return quote("f(a * b, axis=k)", f=self.subset.np("sum"), a=factors[0], b=factors[1], k=axis)


def _is_scattered(matrix: Any) -> bool:
    """Is it a part of a matrix whose rows do not lie one behind the other?"""
    parts = matrix.slice.elts if isinstance(matrix, gast.Subscript) and isinstance(matrix.slice, gast.Tuple) else []
    return any(isinstance(p, gast.Slice) and (p.lower or p.upper or p.step) is not None for p in parts[1:])


class _Apart(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, subset: Subset) -> None:
        self.subset = subset

    def visit_BinOp(self, node: Any) -> Any:
        return self.apart(self.generic_visit(node), [node.left, node.right], gast.BinOp(load("a"), node.op, load("b")))

    def visit_Compare(self, node: Any) -> Any:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        return self.apart(node, [node.left, *node.comparators], gast.Compare(load("a"), node.ops, [load("b")]))

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        function = self.subset.target(node.func)
        if not (isinstance(function, np.ufunc) or function is np.where) or node.keywords:
            return node
        path = dotted(node.func) or ()
        if len(path) != 2 or any(isinstance(a, gast.Starred) for a in node.args):
            return node
        return self.apart(node, node.args, quote(f"np.{path[1]}({', '.join('abc'[: len(node.args)])})"))

    def apart(self, node: Any, operands: list[Any], result: Expr) -> Any:
        kinds = [self.subset.kind(e) for e in operands]
        shapes = [k.shape for k in kinds if isinstance(k, Array)]
        if len(shapes) < 2 or (None not in shapes and len(set(shapes)) == 1 and all(map(is_fixed, shapes[0] or ()))):
            return node
        name = type(getattr(node, "op", node)).__name__.lower() + "_of"
        made = f"def {name}({', '.join('abc'[: len(operands)])}):\n    return {text(result)}"
        return _call(self.subset.helper(name, made), *operands)


def rewrite_of(function: Any) -> tuple[tuple[str, ...], Rewrite] | None:
    """The rewrite for the calls of a function, with the names of its parameters."""
    return _REWRITES.get(key_of(function))


def _is_none(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _is_all(index: Any) -> bool:
    return isinstance(index, gast.Constant) and index.value is Ellipsis


def _mask(axis: int, count: int) -> str:
    differ = " or ".join(f"chosen.shape[{k}] != x.shape[{axis + k}]" for k in range(count))
    return f"""
def mask(chosen, x):
    if {differ}:
        raise IndexError("boolean index did not match the array")
    return chosen
"""


def _fitting(rank: int, to: int) -> str:
    differ = []
    for k in range(rank):
        axis = k + to - rank
        differ.append(f"x.shape[{k}] != 1" + (f" and x.shape[{k}] != y.shape[{axis}]" if axis >= 0 else ""))
    return f"""
def fitting(x, y):
    if {" or ".join(differ)}:
        raise ValueError("operands could not be broadcast together")
    return x
"""


_NATURAL = """
def natural(n):
    if n < 0:
        raise ValueError("ints to negative powers are floats: write float(x) ** n; counts of shifts are not negative")
    return n
"""


def as_load(target: Any) -> Expr:
    target = clone(target)
    target.ctx = gast.Load()
    return target


def _call(function: Expr, *args: Expr) -> Expr:
    return gast.Call(function, [clone(a) for a in args], [])


def _constant(node: Any) -> Any:
    """The value of a constant, with a sign perhaps; of a tuple of such. `...` for what is none."""
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant):
        return -node.operand.value
    if isinstance(node, gast.Tuple):
        parts = tuple(_constant(e) for e in node.elts)
        return ... if ... in parts else parts
    return ...


def _to_int(function: Any) -> Rewrite:
    """An int of a float, which has to have one of 64 bits."""

    def rewrite(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
        x = given.get("x")
        if x is None or len(given) != 1 or subset.is_python_int(x) or subset.rank(x):
            return None
        name = {int: "", math.trunc: "", math.floor: "floor", math.ceil: "ceil", round: "rint"}[function]
        return _call(subset.helper("whole", WHOLE), _call(subset.np(name), x) if name else x)

    return rewrite


for _rounding in (int, math.trunc, math.floor, math.ceil, round):
    rewrites(_rounding, "x digits")(_to_int(_rounding))


@rewrites(reversed, "sequence")
def _reversed(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    inner: Any = given["sequence"]
    if not (isinstance(inner, gast.Call) and subset.target(inner.func) is range and not inner.keywords):
        return None
    if len(inner.args) == 3:
        start, stop, step = inner.args
        size = _constant(step)
        if size not in (1, -1):
            known = isinstance(size, int) and size
            sign = gast.Constant(1 if size > 0 else -1, None) if known else quote("1 if step > 0 else -1", step=step)
            return quote(
                "range(start + (len(inner) - 1) * step, start - sign, -step)",
                start=start, inner=inner, step=step, sign=sign,
            )  # fmt: skip
        if size == -1:
            return quote("range(stop + 1, start + 1)", start=start, stop=stop)
        inner = gast.Call(inner.func, [start, stop], [])
    if len(inner.args) == 1:
        return quote("range(stop - 1, -1, -1)", stop=inner.args[0])
    start, stop = inner.args
    last = _constant(start)
    before = gast.Constant(last - 1, None) if isinstance(last, int) else quote("start - 1", start=start)
    return quote("range(stop - 1, before, -1)", stop=stop, before=before)


#: reductions: what they are called in the names of the functions made for them
_REDUCTIONS = {
    np.sum: "sum", np.mean: "mean", np.max: "max", np.min: "min", np.prod: "prod", np.any: "any", np.all: "all",
    np.argmax: "argmax", np.argmin: "argmin", np.std: "std", np.var: "var",
}  # fmt: skip
#: those of which one over several axes is not one over each of them
_OF_ONE_AXIS = ("std", "var", "argmax", "argmin")


def _reduction(function: Any) -> Rewrite:
    name = _REDUCTIONS[function]

    def rewrite(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
        axis = _constant(given.get("axis", gast.Constant(None, None)))
        keepdims = _constant(given.get("keepdims", gast.Constant(False, None)))
        x, rank = given["a"], subset.rank(given["a"])
        if not set(given) <= {"a", "axis", "keepdims"} or axis is ... or keepdims is ... or not rank:
            return None
        if axis is None and not keepdims:
            return _call(subset.np(name), x)
        axes = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
        order = sorted({a % rank for a in axes}, reverse=True)
        if any(not -rank <= a < rank for a in axes) or (len(order) > 1 and name in _OF_ONE_AXIS):
            return None
        reduced, kind = x, subset.kind(x)
        for left, axis in enumerate(order):
            reduced, kind = _along(subset, function, reduced, kind, rank - left, axis)
        if keepdims and len(order) == rank:  # (to Numba, a number is nothing to expand)
            return _call(subset.np("full"), gast.Tuple([gast.Constant(1, None)] * rank, gast.Load()), reduced)
        return _kept(subset, reduced, order) if keepdims else reduced

    return rewrite


#: how an element is added to what a reduction has, and with what it begins
_STEPS = {
    "sum": ("out[{o}] += x[{i}]", "zeros"), "mean": ("out[{o}] += x[{i}] / x.shape[{axis}]", "zeros"),
    "prod": ("out[{o}] *= x[{i}]", "ones"),
    "any": ("out[{o}] |= x[{i}] != 0", "zeros"), "all": ("out[{o}] &= x[{i}] != 0", "ones"),
    "max": ("if x[{i}] > out[{o}] or x[{i}] != x[{i}]:\n{s}out[{o}] = x[{i}]", ""),
    "min": ("if x[{i}] < out[{o}] or x[{i}] != x[{i}]:\n{s}out[{o}] = x[{i}]", ""),
}  # fmt: skip


def _along(subset: Subset, function: Any, x: Expr, of: Kind, rank: int, axis: int) -> tuple[Expr, Kind]:
    """A reduction over an axis of an array of a kind: loops in the order in which the elements lie in memory."""
    name = _REDUCTIONS[function]
    if rank == 1:
        return _call(subset.np(name), x), of
    here = replace(subset.facts, kinds={**subset.facts.kinds, "reduced": of})
    kind = infer(quote("f(x, axis=k)", f=subset.np(name), x=load("reduced"), k=axis), here)
    if not isinstance(kind, Array):
        raise DerivationError("Numba needs the dtype of what is reduced here, which is not known.", WRITE_OUT)
    axes = [f"i{k}" for k in range(rank)]
    others = [a for k, a in enumerate(axes) if k != axis]
    shape = ", ".join(f"x.shape[{k}]" for k in range(rank) if k != axis)
    made = f"({shape},), dtype=np.{'bool_' if kind.dtype == bool else kind.dtype.name}"
    step, first = _STEPS.get(name, ("", ""))
    if not step:
        loops = others
        index = ", ".join(":" if k == axis else a for k, a in enumerate(axes))
        start = f"np.empty({made})"
        step = f"out[{', '.join(others)}] = np.{name}(x[{index}])"
    else:
        loops = axes
        begin = ", ".join("0" if k == axis else ":" for k in range(rank))
        start = f"np.{first}({made})" if first else f"x[{begin}].copy()"
    lines = [f"def {name}_along_{axis}(x):", f"    out = {start}"]
    lines += ["    " * depth + f"for {turn} in range(x.shape[{turn[1:]}]):" for depth, turn in enumerate(loops, 1)]
    indent = "    " * (len(loops) + 1)
    lines.append(indent + step.format(o=", ".join(others), i=", ".join(axes), axis=axis, s=indent + "    "))
    lines.append("    return out")
    return _call(subset.helper(f"{name}_along_{axis}", "\n".join(lines)), x), kind


def _kept(subset: Subset, reduced: Expr, axes: list[int]) -> Expr:
    """A reduced array with its axes as axes of length 1."""
    for axis in sorted(axes):
        reduced = _call(subset.np("expand_dims"), reduced, gast.Constant(axis, None))
    return reduced


for _function in _REDUCTIONS:
    rewrites(_function, "a axis dtype out keepdims")(_reduction(_function))
rewrites(np.argmax, "a axis out keepdims")(_reduction(np.argmax))
rewrites(np.argmin, "a axis out keepdims")(_reduction(np.argmin))


@rewrites(helpers.unbroadcast, "g x")
def _unbroadcast(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    g, x = given["g"], given["x"]
    of, to = subset.rank(g), subset.rank(x)
    if of is None or to is None or of < to:
        raise DerivationError(
            "Numba needs the ranks of what is summed here, which are not known (or its arrays do not fit together).",
            WRITE_OUT,
        )
    if is_complex(subset.kind(g)) and not is_complex(subset.kind(x)):
        g = _call(subset.np("real"), g)
    if to == 0:
        return g if of == 0 else _call(subset.np("sum"), g)
    names = [f"g{k}" for k in range(of - to)] + ["g"]  # (one for each rank)
    lines = [f"def unbroadcast({names[0]}, x):"]
    lines += [f"    {less} = np.sum({more}, axis=0)" for more, less in itertools.pairwise(names)]
    lines += ["    g = np.ascontiguousarray(g)"] if of == to else []
    for k in range(to):
        lines += [f"    if x.shape[{k}] == 1 and g.shape[{k}] != 1:"]
        total = f"np.sum(g, axis={k})" if to > 1 else "np.array([np.sum(g)])"
        lines += [
            f"        g = np.ascontiguousarray(np.expand_dims({total}, {k}))" if to > 1 else f"        g = {total}"
        ]
    lines += ["    return g"]
    return _call(subset.helper("unbroadcast", "\n".join(lines)), g, x)


@rewrites(helpers.expand_reduced, "g x axis keepdims")
def _expand_reduced(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    g, x = given["g"], given["x"]
    axis, keepdims = _constant(given["axis"]), _constant(given.get("keepdims", gast.Constant(False, None)))
    of, to = subset.rank(g), subset.rank(x)
    if axis is ... or keepdims is ... or not to or of is None:
        return None
    if of == 0:
        return quote("np.full(x.shape, g)", np=load(global_name(np, "np", subset.facts)), x=x, g=g)
    if not keepdims and axis is not None:
        g = _kept(subset, g, [a % to for a in ((axis,) if isinstance(axis, int) else axis)])
    return quote("np.broadcast_to(g, x.shape)", np=load(global_name(np, "np", subset.facts)), x=x, g=g)


@rewrites(np.einsum, "subscripts first second third")
def _einsum(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Loops over the letters, those of the result outside."""
    spec = _constant(given["subscripts"])
    operands = [given[k] for k in ("first", "second", "third") if k in given]
    if not isinstance(spec, str) or "." in spec or len(given) != len(operands) + 1:
        return None
    left, arrow, right = spec.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow:
        letters = sorted({c for c in left if c.isalpha() and left.count(c) == 1})
        right = "".join(letters)
    kinds = [subset.kind(x) for x in operands]
    if len(terms) != len(operands) or not all(isinstance(k, Array) for k in kinds):
        return None
    dtype = np.result_type(*(k.dtype for k in kinds if isinstance(k, Array)))
    names = [chr(ord("a") + k) + "_" for k in range(len(operands))]
    sizes: dict[str, str] = {}
    checks = []
    for name, term in zip(names, terms, strict=True):
        for k, letter in enumerate(term):
            here = f"{name}.shape[{k}]"
            if sizes.setdefault(letter, here) != here:
                checks.append(f"{here} != {sizes[letter]}")
    inner = [c for c in sizes if c not in right]
    product = " * ".join(f"{n}[{', '.join(t)}]" for n, t in zip(names, terms, strict=True))
    name = "einsum_" + "_".join([*terms, right]).strip("_")
    lines = [f"def {name}({', '.join(names)}):"]
    if checks:
        lines += [f"    if {' or '.join(checks)}:", f'        raise ValueError("operands do not fit {spec}")']
    if right:
        shape = ", ".join(sizes[c] for c in right)
        lines.append(f"    out = np.empty(({shape},), dtype=np.{dtype.name})")
    depth = 1
    for c in right:
        lines.append("    " * depth + f"for {c} in range({sizes[c]}):")
        depth += 1
    lines.append("    " * depth + f"total = np.{dtype.name}(0)")
    at = depth
    for c in inner:
        lines.append("    " * depth + f"for {c} in range({sizes[c]}):")
        depth += 1
    lines.append("    " * depth + f"total += {product}")
    lines.append("    " * at + (f"out[{', '.join(right)}] = total" if right else "return total"))
    if right:
        lines.append("    return out")
    return _call(subset.helper(name, "\n".join(lines)), *operands)


@rewrites(np.array, "object dtype")
def _array(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """A table of numbers: from tuples, as lists in lists have no type there."""
    rows = given["object"]
    kind = subset.kind(node)
    if not isinstance(rows, gast.List) or not isinstance(kind, Array) or len(given) != 1 or not rows.elts:
        return None
    floating = kind.dtype == np.float64

    def as_tuple(part: Any) -> Any:
        if isinstance(part, (gast.List, gast.Tuple)):
            return gast.Tuple([as_tuple(e) for e in part.elts], gast.Load())
        whole = isinstance(part, gast.Constant) and type(part.value) is int and floating
        return gast.Constant(float(part.value), None) if whole else part

    made = as_tuple(rows)
    flat = [n for e in made.elts for n in (e.elts if isinstance(e, gast.Tuple) else [e])]
    kinds = [subset.kind(n) for n in flat]
    floats = all(is_float(k) and not isinstance(k, Array) for k in kinds)
    return _call(subset.np("array"), made) if floats and isinstance(made.elts[0], gast.Tuple) else None


@rewrites(np.reshape, "a shape")
def _reshape(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Numba reshapes what lies in memory row by row; another array is copied first, as NumPy does."""
    a: Any = given["a"]
    lies_otherwise = isinstance(a, (gast.Subscript, gast.Attribute)) or (
        isinstance(a, gast.Name) and subset.memory.get(a.id, frozenset((a.id,))) != frozenset((a.id,))
    )
    if not lies_otherwise or (subset.target(node.func) is np.reshape and set(given) != {"a", "shape"}):
        return None
    made = _call(subset.np("ascontiguousarray"), a)
    if subset.target(node.func) is np.reshape:
        return gast.Call(node.func, [made, given["shape"]], [])
    return gast.Call(gast.Attribute(made, "reshape", gast.Load()), node.args, node.keywords)


@rewrites(helpers.cofactors, "a det")
def _cofactors(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    if subset.rank(given["a"]) != 2:
        return None
    text = "def cofactors(a, det):\n    return det * np.linalg.inv(a).T"
    return _call(subset.helper("cofactors", text), given["a"], given["det"])


@rewrites(np.full_like, "a fill_value dtype")
def _full_like(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Filled with an array, which has to fit, or with what is not known to be a number."""
    if not subset.rank(given["a"]) or subset.rank(given["fill_value"]) == 0 or len(given) != 2:
        return None
    lines = ["def full_like(a, value):", "    out = np.empty_like(a)", "    out[:] = value", "    return out"]
    return _call(subset.helper("full_like", "\n".join(lines)), given["a"], given["fill_value"])


@rewrites(np.asanyarray, "a")
@rewrites(np.asarray, "a")
def _asarray(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    return given["a"] if len(given) == 1 and isinstance(subset.kind(given["a"]), Array) else None


@rewrites(np.asfortranarray, "a")
def _asfortranarray(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """An array of one axis lies in both orders; Numba would copy the one when it is ravelled."""
    return _call(subset.np("ascontiguousarray"), given["a"]) if subset.rank(given["a"]) == 1 else None
