"""Functions of symmetric matrices by their eigenvalues: products that are reversed as one operation.

    w, v = np.linalg.eigh(a)
    y = (v * np.log(w)) @ v.T           the slope in a, in the basis of v, is made of divided differences of log

Vectors of equal eigenvalues have no derivative, and what is made of v and w apart is nan there. What the product is of
`a` has one. So `a` in the basis of its vectors, whose value nobody needs, counts as a third result of the
decomposition, and the product as a function of it.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.analysis.memory import Memory
from s2sad.core import Expr, Facts, Stmt, assign, atom_key, blocks_of, load, walk_names
from s2sad.expansion.lookup import is_elementwise
from s2sad.expansion.operand import Operand
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number, Static
from s2sad.kinds.known import shape_of
from s2sad.runtime import helpers


def eigh_and_matrix(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and vectors of a symmetric matrix, and the matrix in the basis of these.

    >>> [np.round(part, 12).tolist() for part in eigh_and_matrix(np.array([[3.0, 0.0], [0.0, 1.0]]))]
    [[1.0, 3.0], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 3.0]]]
    """
    w, v = np.linalg.eigh(a, UPLO)  # type: ignore[call-overload]
    return w, v, w[..., None] * np.eye(w.shape[-1])


def of_basis(v: Any, x: Any) -> Any:
    """v @ x @ conj(v.T) of a matrix in the basis of the vectors: these stand for the basis, and have no adjoint."""
    return v @ x @ np.conj(np.swapaxes(v, -1, -2))


def in_basis(v: Any, x: Any) -> Any:
    """conj(v.T) @ x @ v"""
    return np.conj(np.swapaxes(v, -1, -2)) @ x @ v


def on_diagonal(g: Any, w: Any, s: Any, slope: Any) -> Any:
    """np.diag(g), where g is a function of the eigenvalues w of a matrix that is s in the basis of its vectors.

    `slope` is the derivative of that function at w.

    >>> on_diagonal(np.array([1.0, 4.0]), np.array([1.0, 2.0]), np.diag([1.0, 2.0]), 0.0).tolist()
    [[1.0, 0.0], [0.0, 4.0]]
    """
    return g[..., None] * np.eye(g.shape[-1])


def traced(x: Any, g: Any, w: Any, s: Any, slope: Any) -> Any:
    """The trace of x @ np.diag(g)."""
    return np.sum(np.diagonal(x, axis1=-2, axis2=-1) * g)


def with_differences(x: Any, k: Any, g: Any, w: Any, s: Any, slope: Any, bend: Any) -> Any:
    """x * k, where k are the divided differences of the function that g is of w: its slope along x.

    `bend` is the derivative of `slope` at w.
    """
    return x * k


@dataclass(frozen=True)
class Diagonal:
    """np.diag(g) of a function of the eigenvalues, element by element"""

    values: str


@dataclass(frozen=True)
class Turned:
    """conj(v.T) @ x @ v of a matrix of which nothing else is asked"""

    matrix: str


@dataclass(frozen=True)
class Sloped:
    """x * divided_differences(g, w, slope), of a matrix x in the basis of the vectors"""

    part: Any
    #: the names of x and of the differences
    name: str
    differences: str
    values: str
    slope: Expr


@dataclass(frozen=True)
class Real:
    """The real part of a matrix in the basis of real vectors"""

    part: Any


@dataclass(frozen=True)
class Traced:
    """The trace of a matrix in the basis of the vectors times np.diag(g): a number, whatever the basis"""

    part: Any
    #: the name of the matrix
    name: str
    values: str


@dataclass(frozen=True)
class Sum:
    """What is added of matrices in the basis of the vectors, and what is taken off"""

    parts: tuple[tuple[Any, bool], ...]


@dataclass(frozen=True)
class Product:
    """v @ x @ conj(v.T) of a matrix in the basis of the vectors, or a trace of it."""

    result: str
    vectors: str
    eigenvalues: str
    #: the name that stands for the matrix in the basis of its vectors
    matrix: str
    part: Any
    #: the statements that make functions of the eigenvalues, element by element, in order
    chain: list[Any]
    #: those of them that are not in the program
    unmade: list[Any]
    #: the active numbers of which these are made besides
    others: list[str]

    def moved(self, values: Expr, given: dict[str, Operand], expanded: Expanded) -> Operand:
        """The tangent of a function of the eigenvalues, where those of some names are given.

        Args:
            values: its name, or a number.
            expanded: the tangent of what a statement makes, by those of its arguments.
        """
        known = dict(given)
        for statement in self.chain_of(_key(values)):
            apply = getattr(statement, "apply", None)
            parts = dict(enumerate([statement.value])) if apply is None else {**dict(enumerate(apply[1])), **apply[2]}
            along = {(k,): known[name] for k, a in parts.items() if (name := _key(a)) in known}
            if along and apply is not None:
                known[statement.targets[0].id] = expanded(statement, along)
            elif along and type(statement.value) is gast.Name:
                known[statement.targets[0].id] = along[0,]
        return known.get(_key(values), ZERO)

    def slope(self, values: Expr, expanded: Expanded) -> Operand:
        """The derivative of a function of the eigenvalues."""
        return self.moved(values, {self.eigenvalues: ONE}, expanded)

    def chain_of(self, values: str) -> list[Any]:
        """The statements of which a function of the eigenvalues is made."""
        read, found = {values}, []
        for statement in reversed(self.chain):
            if statement.targets[0].id in read:
                found.append(statement)
                read.update(map(_key, _parts(statement)))
        return found[::-1]

    def others_of(self, *values: Expr) -> list[str]:
        """The active numbers of which functions of the eigenvalues are made."""
        names = set(map(_key, values))
        names.update(_key(p) for v in values for s in self.chain_of(_key(v)) for p in _parts(s))
        return [name for name in self.others if name in names]


ZERO, ONE = (Operand(gast.Constant(number, None), Number(float)) for number in (0.0, 1.0))
#: what gives the tangent of a statement by those of its arguments
Expanded = Callable[[Any, dict[Any, Operand]], Operand]


@dataclass(frozen=True)
class Vectors:
    """The eigenvectors as a factor of a product of matrices."""

    conjugate: bool = False
    transposed: bool = False

    def turned(self, transposed: bool = True, conjugate: bool = False) -> Vectors:
        return Vectors(self.conjugate ^ conjugate, self.transposed ^ transposed)


@dataclass(frozen=True)
class Matrix:
    """A matrix as a factor: in the basis of the vectors, or one that has nothing to do with them."""

    name: str


#: one factor of a product of matrices: the name of what is on a diagonal, vectors, or a matrix
Factor = str | Vectors | Matrix


class Spectral:
    """The products of a function that are functions of symmetric matrices.

    All that they are made of is in one block, bound once and never overwritten: it does not change in between.

    Args:
        body: the function in core Python, where each operation is a statement.
        facts: what is known of its names.
        memory: what of them is overwritten.

    >>> from s2sad.analysis.memory_scan import analyse
    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> body = statements("w, v = np.linalg.eigh(a)\\nt = np.exp(w)\\nt_1 = v * t\\nt_2 = v.T\\ny = t_1 @ t_2")
    >>> functions = np.linalg.eigh, np.exp, operator.mul, np.transpose, operator.matmul
    >>> for statement, function, read in zip(body, functions, ["a", "w", "v t", "v", "t_1 t_2"]):
    ...     statement.apply = function, [load(name) for name in read.split()], {}
    >>> ranks = {"w": 1, "v": 2, "t": 1, "y": 2}
    >>> kinds = {name: Array(np.dtype(float), (Dim.symbol("n"),) * rank) for name, rank in ranks.items()}
    >>> facts = Facts(kinds=kinds, varied={"w", "v", "t", "t_1", "t_2", "y"})
    >>> (product,) = Spectral(body, facts, analyse(body, facts, {})).products.values()
    >>> product.vectors, product.part, product.eigenvalues, [s.targets[0].id for s in product.chain]
    ('v', Diagonal(values='t'), 'w', ['t'])
    """

    def __init__(self, body: list[Stmt], facts: Facts, memory: Memory) -> None:
        self.facts, self.memory = facts, memory
        self.products: dict[int, Product] = {}
        #: by decomposition, the name that stands for the matrix in the basis of its vectors
        self.matrices: dict[int, str] = {}
        self.places: dict[int, int] = {}
        #: names for 1.0 / f(w) that no statement makes
        self.reciprocals: list[str] = []
        #: where names are bound
        self.bound: dict[str, list[int]] = {}
        if any(map(_is_eigh, _statements(body))):
            for place, statement in enumerate(_statements(body)):
                self.places[id(statement)] = place
                compound = any(True for _ in blocks_of(statement))
                heads = [getattr(statement, "target", None), getattr(statement, "items", None)]
                for name in walk_names([h for h in heads if h is not None] if compound else statement):
                    if type(name.ctx) is not gast.Load:
                        self.bound.setdefault(name.id, []).append(place)
            self.look(body)

    def look(self, block: list[Any]) -> None:
        for place, statement in enumerate(block):
            if _is_eigh(statement) and type(statement.targets[0]) is gast.Tuple:
                w, v = (e.id for e in statement.targets[0].elts)
                known = (isinstance(k, Array) and k.shape is not None for k in map(self.facts.kinds.get, (w, v)))
                if v in self.facts.varied and all(known) and self.stands(w, statement) and self.stands(v, statement):
                    _Products(self, statement, w, v).follow(block[place + 1 :])
            for inner in blocks_of(statement):
                self.look(inner)

    def stands(self, key: str, statement: Any) -> bool:
        """Has a name, or a path, the value that it has here until the end of the block?"""
        bound = self.bound.get(key.partition("[")[0].partition(".")[0], [])
        once = not bound or (len(bound) == 1 and bound[0] <= self.places[id(statement)])
        return once and not self.memory.is_overwritten(key)

    def stays(self, key: str, statement: Any) -> bool:
        """Is what a name holds here the same until the end of the block, though it was made piece by piece?"""
        homes = set(self.memory.classes(key))
        order = self.memory.places[id(statement)].order
        later = any(s.place.order > order and self.memory.find(s.key) in homes for s in self.memory.stores)
        return not later and all(place <= self.places[id(statement)] for place in self.bound.get(key, ()))


class _Products:
    """The products that are made of one decomposition."""

    def __init__(self, owner: Spectral, statement: Any, w: str, v: str) -> None:
        self.owner, self.statement, self.w, self.v = owner, statement, w, v
        self.facts = owner.facts
        self.shape: Any = shape_of(self.facts.kinds[w])
        #: the functions of w, element by element, and the statements that make them
        self.values: dict[str, Any] = {w: None}
        #: those with a new axis: along the rows of a matrix (-2), or along its columns (-1)
        self.spread: dict[str, tuple[str, int]] = {}
        self.factors: dict[str, tuple[Factor, ...]] = {v: (Vectors(),)}
        #: the divided differences of some of them: the function and its derivative
        self.differences: dict[str, tuple[str, Expr]] = {}
        #: matrices in the basis of the vectors
        self.parts: dict[str, Any] = {}
        self.eyes: set[str] = set()
        #: diagonals of such matrices, and what is made of them and a function of the eigenvalues, element by element
        self.diagonals: dict[str, str] = {}
        self.scaled: dict[str, Traced] = {}

    def is_complex(self, name: str) -> bool:
        kind = self.facts.kinds.get(name)
        return not (isinstance(kind, Array) and kind.dtype.kind in "fiub")

    def follow(self, statements: list[Any]) -> None:
        for s in statements:
            target = s.targets[0] if type(s) is gast.Assign else None
            if not isinstance(target, gast.Name):
                continue
            apply, key = getattr(s, "apply", None), target.id
            stands = self.owner.stands(key, s)
            if stands and self.is_value(s, key):
                self.values[key] = s
            elif stands and self.calls(s.value, np.eye, 1) and self.is_square(key):
                self.eyes.add(key)
            elif apply is not None and not apply[2]:
                function, args, _ = apply
                part, factors = self.matrix(s, key, function, args)
                if stands and part:
                    self.parts[key], self.factors[key] = part, (Matrix(key),)
                elif stands and factors:
                    self.factors[key] = factors
                self.trace(s, key, function, args, stands)
                axis = _new_axis(function, args, s.value, len(self.shape))
                if stands and axis is not None and _key(args[0]) in self.values:
                    self.spread[key] = _key(args[0]), axis
                if stands and function is helpers.divided_differences and self.are_differences(args, s):
                    self.differences[key] = _key(args[0]), args[2]

    def is_square(self, name: str) -> bool:
        """Is it a matrix as large as that of the vectors?"""
        kind = self.facts.kinds.get(name)
        return isinstance(kind, Array) and kind.shape == (self.shape[-1], self.shape[-1])

    def are_differences(self, args: list[Any], statement: Any) -> bool:
        """Are they the divided differences of a function of the eigenvalues?"""
        return _key(args[0]) in self.values and _key(args[1]) == self.w and self.is_alike(args[2], statement)

    def matrix(self, statement: Any, key: str, function: Any, args: list[Any]) -> tuple[Any, tuple[Factor, ...]]:
        """What a statement makes: a matrix in the basis of the vectors, or a product with them that may become one."""
        part = self.sum(function, args)
        factors = () if part else self.product(function, args) or ()
        match factors:
            case (Vectors(conjugate, True), Matrix(name), Vectors(False, False)) if name not in self.parts:
                if conjugate == self.is_complex(self.v) and self.owner.stays(name, statement):
                    part = Turned(name)
            case (Matrix(name),):
                part = self.parts.get(name)
            case (str(values),) if values:
                part = Diagonal(values)
            case (Vectors(False, False), middle, Vectors(conjugate, True)) if conjugate == self.is_complex(self.v):
                inner = Diagonal(middle) if isinstance(middle, str) else self.parts.get(getattr(middle, "name", ""))
                if inner and key in self.facts.varied and function in _PRODUCTS:
                    self.owner.products[id(statement)] = self.whole(key, inner)
        return part, factors

    def trace(self, statement: Any, key: str, function: Any, args: list[Any], stands: bool) -> None:
        """Note what is made of the diagonal of a matrix in the basis of the vectors."""
        names = [getattr(a, "id", "") for a in args]
        found = self.scaled.get(names[0]) if function is np.sum and len(args) == 1 else None
        if _takes_diagonal(function, args) and names[0] in self.parts and stands:
            self.diagonals[key] = names[0]
        if len(names) == 2 and function in (operator.mul, np.multiply, operator.matmul, np.matmul, np.dot):
            one, other = names if names[0] in self.diagonals else names[::-1]
            if one in self.diagonals and other in self.values:
                name = self.diagonals[one]
                made = Traced(self.parts[name], name, other)
                if function not in (operator.mul, np.multiply) and len(self.shape) == 1:
                    found = made
                elif stands:
                    self.scaled[key] = made
        if found and key in self.facts.varied:
            self.owner.products[id(statement)] = self.whole(key, found)

    def sum(self, function: Any, args: list[Any]) -> Any:
        """A sum or an elementwise product that is a matrix in the basis of the vectors."""
        names = [getattr(a, "id", "") for a in args]
        if function is np.real and names[0] in self.parts and not self.is_complex(self.v):
            return Real(self.parts[names[0]])
        if len(names) != 2:
            return None
        known = [self.parts.get(name) for name in names]
        if function in (operator.add, operator.sub, np.add, np.subtract):
            less = function in (operator.sub, np.subtract)
            return Sum(((known[0], False), (known[1], less))) if all(known) else None
        if function not in (operator.mul, np.multiply):
            return None
        for i, part in enumerate(known):
            if part and names[1 - i] in self.differences:
                values, slope = self.differences[names[1 - i]]
                return Sloped(part, names[i], names[1 - i], values, slope)
            values, axis = self.spread.get(names[i], ("", 0))
            if axis and names[1 - i] in self.eyes:
                return Diagonal(values)
        return None

    def is_value(self, statement: Any, key: str) -> bool:
        """Is it a function of the eigenvalues, the same for all of them?"""
        kind = self.facts.kinds.get(key)
        if not isinstance(kind, Array) or kind.shape != self.shape:
            return False
        apply = getattr(statement, "apply", None)
        if apply is not None and not _acts_on_elements(apply[0]):
            return False
        if apply is None and not (self.is_constant(statement.value) or type(statement.value) is gast.Name):
            return False
        parts = _parts(statement)
        filled = apply is None and self.is_filled(statement.value)
        made = filled or any(_key(p) in self.values for p in parts)
        return made and all(self.is_alike(p, statement) for p in parts)

    def is_alike(self, part: Any, statement: Any) -> bool:
        """Is it made of the eigenvalues element by element, or a number?"""
        if type(part) in (gast.Tuple, gast.List) or _key(part) in self.values:
            return _key(part) in self.values
        kind = kind_of_atom(part, self.facts)
        scalar = isinstance(kind, (Number, Static)) or (isinstance(kind, Array) and kind.shape == ())
        return scalar and self.owner.stands(_key(part), statement)

    def is_constant(self, value: Any) -> bool:
        """Does an expression without derivative act on elements?"""
        match value:
            case gast.BinOp():
                return type(value.op) is not gast.MatMult and all(map(self.is_constant, (value.left, value.right)))
            case gast.UnaryOp():
                return type(value.op) is not gast.Not and self.is_constant(value.operand)
            case gast.Compare():
                return all(map(self.is_constant, (value.left, *value.comparators)))
            case gast.Call(keywords=[]) if not self.is_filled(value):
                function = self.function(value)
                known = function is not None and _acts_on_elements(function)
                return known and (function is np.ndarray.astype or all(map(self.is_constant, value.args)))
        return type(value) in (gast.Name, gast.Constant) or self.is_filled(value)

    def is_filled(self, value: Any) -> bool:
        """Is it np.broadcast_to(number, shape), or less it?"""
        value = value.operand if type(value) is gast.UnaryOp else value
        return self.calls(value, np.broadcast_to, 2)

    def calls(self, value: Any, function: Any, arguments: int) -> bool:
        """Does an expression call a function of NumPy's?"""
        called = type(value) is gast.Call and self.function(value) is function
        return called and len(value.args) == arguments and not value.keywords

    def function(self, call: Any) -> Any:
        """What is called: np.where, or the type of an array's elements made another one; None where it is not known."""
        if type(call.func) is not gast.Attribute or type(call.func.value) is not gast.Name:
            return None
        owner, name = call.func.value.id, call.func.attr
        if isinstance(self.facts.kinds.get(owner), Array) and name == "astype":
            return np.ndarray.astype
        return getattr(np, name, None) if self.facts.globals.get(owner) is np else None

    def product(self, function: Any, args: list[Any]) -> tuple[Factor, ...] | None:
        """The factors of a matrix."""
        names = [getattr(a, "id", None) for a in args]
        known = [self.factors.get(n) if n else None for n in names]
        if function is np.diag and len(args) == 1 and names[0] in self.values and len(self.shape) == 1:
            return (str(names[0]),)
        if function in (operator.matmul, np.matmul) or (function is np.dot and len(self.shape) == 1):
            return self.joined(args)
        if function is np.linalg.multi_dot:
            return self.joined(getattr(args[0], "elts", []))
        if function in (operator.mul, np.multiply):
            for matrix, scale in ((known[0], names[1]), (known[1], names[0])):
                values, axis = self.scale(scale)
                if matrix and values:
                    return (*matrix, values) if axis == -2 else (values, *matrix)
            return None
        if function in (operator.truediv, np.divide):
            values, axis = self.scale(names[1])
            if known[0] and values:
                values = self.reciprocal(values)
                return (*known[0], values) if axis == -2 else (values, *known[0])
            return None
        if known and known[0] and function in (np.conjugate, np.conj):
            conjugated = tuple(self.conjugated(f) for f in known[0])
            return conjugated if all(conjugated) else None
        if known and known[0] and _transposes(function, args, len(self.shape) + 1):
            if not any(isinstance(f, Matrix) for f in known[0]):
                return tuple(f.turned() if isinstance(f, Vectors) else f for f in reversed(known[0]))
            return None
        return self.einsum(args) if function is np.einsum else None

    def scale(self, name: str | None) -> tuple[str, int]:
        """The function of the eigenvalues by which the columns (-2) or rows (-1) of a matrix are scaled."""
        if name in self.values and len(self.shape) == 1:
            return str(name), -2
        return self.spread.get(name or "", ("", 0))

    def reciprocal(self, values: str) -> str:
        """A name for 1.0 / values, as if it had been computed."""
        one = gast.Constant(1.0, None)
        name = self.facts.fresh("r")
        made = assign(name, gast.BinOp(one, gast.Div(), load(values)))
        self.facts.kinds[name] = infer(made.value, self.facts)
        if values in self.facts.varied:
            self.facts.varied.add(name)
        made.apply = operator.truediv, [one, load(values)], {}
        self.values[name] = made
        self.owner.reciprocals.append(name)
        return name

    def joined(self, parts: list[Any]) -> tuple[Factor, ...] | None:
        names = [getattr(p, "id", "") for p in parts]
        known = [self.factors.get(name, (Matrix(name),)) for name in names]
        if not all(names) or not any(name in self.factors for name in names):
            return None
        return tuple(itertools.chain.from_iterable(known))

    def conjugated(self, factor: Factor) -> Factor:
        if isinstance(factor, Vectors):
            return factor.turned(False, self.is_complex(self.v))
        return "" if isinstance(factor, Matrix) or self.is_complex(factor) else factor

    def einsum(self, args: list[Any]) -> tuple[Factor, ...] | None:
        """np.einsum("ij,j,kj->ik", v, g, v)"""
        spec = getattr(args[0], "value", None) if type(args[0]) is gast.Constant else None
        if type(spec) is not str or "->" not in spec or len(args) != 4:
            return None
        left, out = spec.replace(" ", "").replace("...", "").split("->")
        labels = left.split(",")
        scales = [k for k in range(3) if getattr(args[k + 1], "id", None) in self.values]
        if len(scales) != 1 or len(labels[scales[0]]) != 1 or len(out) != 2 or out[0] == out[1]:
            return None
        found: dict[str, Vectors] = {}
        for k in {0, 1, 2} - set(scales):
            known = self.factors.get(getattr(args[k + 1], "id", ""), ())
            pair, j = labels[k], labels[scales[0]]
            if len(known) != 1 or not isinstance(known[0], Vectors) or len(pair) != 2 or pair.count(j) != 1:
                return None
            found[pair.replace(j, "")] = known[0].turned(pair[0] == j)
        if set(found) != set(out) or labels[scales[0]] in out:
            return None
        return found[out[0]], _key(args[scales[0] + 1]), found[out[1]].turned()

    def whole(self, result: str, part: Any) -> Product:
        read, chain = set(_values_of(part)), []
        others: dict[str, None] = {}
        for name, statement in reversed(self.values.items()):
            if name in read and statement is not None:
                chain.append(statement)
                for inner in map(_key, _parts(statement)):
                    read.add(inner)
        for name in sorted(read):
            if name in self.facts.varied and name not in self.values:
                others[name] = None
        unmade = [s for s in chain[::-1] if s.targets[0].id in self.owner.reciprocals]
        return Product(result, self.v, self.w, self.in_basis(), part, chain[::-1], unmade, list(others))

    def in_basis(self) -> str:
        """The name that stands for the matrix in the basis of its vectors."""
        made = self.owner.matrices.get(id(self.statement))
        if made is None:
            made = self.owner.matrices[id(self.statement)] = self.facts.fresh("s")
            self.facts.kinds[made] = self.facts.kinds[self.v]
            self.facts.varied.add(made)
        return made


def _values_of(part: Any) -> Iterator[str]:
    """The functions of eigenvalues of which a matrix in the basis of their vectors is made."""
    match part:
        case Diagonal(values):
            yield values
        case Real(inner):
            yield from _values_of(inner)
        case Traced(inner, _, values):
            yield from (values, *_values_of(inner))
        case Sloped():
            yield from (part.values, _key(part.slope), *_values_of(part.part))
        case Sum(parts):
            for inner, _ in parts:
                yield from _values_of(inner)


def _statements(block: list[Any]) -> Iterator[Any]:
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from _statements(inner)


_PRODUCTS = (operator.matmul, np.matmul, np.dot, np.linalg.multi_dot, np.einsum)
_ELEMENTWISE = (np.where, np.clip, operator.and_, operator.or_, operator.xor, operator.invert, np.ndarray.astype)


def _acts_on_elements(function: Any) -> bool:
    if isinstance(function, np.ufunc):
        return function.signature is None and function.nout == 1
    return function in _ELEMENTWISE or is_elementwise(function)


def _is_eigh(statement: Any) -> bool:
    """Does it take all eigenvalues and vectors of a symmetric matrix?"""
    apply = getattr(statement, "apply", None)
    if apply is None:
        return False
    function, args, kwargs = apply
    scipys = getattr(function, "__module__", None) == "scipy.linalg._decomp" and function.__name__ == "eigh"
    return function is np.linalg.eigh or (scipys and len(args) == 1 and not kwargs)


def _parts(statement: Any) -> list[Any]:
    """What a statement reads."""
    apply, value = getattr(statement, "apply", None), statement.value
    if apply is not None:
        return [*apply[1], *apply[2].values()]
    return list(_atoms(value))


def _atoms(value: Any) -> Iterator[Any]:
    """What such an expression reads."""
    match value:
        case gast.BinOp():
            yield from (*_atoms(value.left), *_atoms(value.right))
        case gast.UnaryOp():
            yield from _atoms(value.operand)
        case gast.Compare():
            yield from itertools.chain(*map(_atoms, (value.left, *value.comparators)))
        case gast.Call(func=gast.Attribute(attr="broadcast_to")):
            yield value.args[0]
        case gast.Call(func=gast.Attribute(attr="astype")):
            yield value.func.value
        case gast.Call():
            yield from itertools.chain(*map(_atoms, value.args))
        case _:
            yield value


def _key(part: Any) -> str:
    return "" if type(part) is gast.Constant else atom_key(part)


def _number(part: Any) -> Any:
    if type(part) is gast.UnaryOp and type(part.op) is gast.USub:
        value = _number(part.operand)
        return -value if type(value) is int else None
    return part.value if type(part) is gast.Constant else None


def _takes_diagonal(function: Any, args: list[Any]) -> bool:
    """Does it take the diagonals of the last two axes?"""
    if function is np.diag:
        return len(args) == 1
    return function is np.diagonal and [_number(a) for a in args[1:]] == [0, -2, -1]


def _transposes(function: Any, args: list[Any], rank: int) -> bool:
    """Does it exchange the last two axes?"""
    if function is np.transpose and len(args) == 1:
        return rank == 2
    if function is np.swapaxes and len(args) == 3:
        axes = [_number(a) for a in args[1:]]
        return all(type(k) is int for k in axes) and {k % rank for k in axes} == {rank - 2, rank - 1}
    return function is not None and function in (
        getattr(np, "matrix_transpose", None),
        getattr(np.linalg, "matrix_transpose", None),
    )


def _new_axis(function: Any, args: list[Any], value: Any, rank: int) -> int | None:
    """Where a new axis of length 1 is put in: last (-1), or before the last (-2)."""
    if function is np.expand_dims and len(args) == 2:
        axis = _number(args[1])
        axis = axis - rank - 1 if type(axis) is int and axis >= 0 else axis
        return axis if axis in (-1, -2) else None
    if function is not operator.getitem:
        return None
    index = value.slice.elts if type(value.slice) is gast.Tuple else [value.slice]
    kinds = [_axis(i) for i in index]
    if None in kinds or kinds.count("new") != 1 or kinds.count("rest") > 1:
        return None
    behind = kinds[kinds.index("new") :]
    covered = rank - kinds.count("axis") if "rest" in behind or "rest" not in kinds else 0
    axis = -1 - behind.count("axis") - covered
    return axis if axis in (-1, -2) else None


def _axis(index: Any) -> str | None:
    if type(index) is gast.Slice:
        return "axis" if index.lower is index.upper is index.step is None else None
    if type(index) is gast.Constant:
        return {None: "new", ...: "rest"}.get(index.value)
    return None
