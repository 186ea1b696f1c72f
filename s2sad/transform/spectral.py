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
from s2sad.core import Expr, Facts, Stmt, atom_key, blocks_of, load, walk_names
from s2sad.expansion.fit import kind_of_atom
from s2sad.expansion.lookup import is_elementwise
from s2sad.expansion.operand import Operand
from s2sad.kinds.kind import Array, Number, Static
from s2sad.kinds.known import shape_of


def eigh_and_matrix(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and vectors of a symmetric matrix, and the matrix in the basis of these.

    >>> [np.round(part, 12).tolist() for part in eigh_and_matrix(np.array([[3.0, 0.0], [0.0, 1.0]]))]
    [[1.0, 3.0], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 3.0]]]
    """
    w, v = np.linalg.eigh(a, UPLO)  # type: ignore[call-overload]
    return w, v, w[..., None] * np.eye(w.shape[-1])


def spectral_function(v: Any, g: Any, w: Any, s: Any, slope: Any) -> Any:
    """v @ np.diag(g) @ conj(v.T), where g is a function of the eigenvalues w of a matrix that is s in the basis v.

    `slope` is the derivative of that function at w.

    >>> spectral_function(np.eye(2), np.array([1.0, 4.0]), np.array([1.0, 2.0]), np.diag([1.0, 2.0]), 0.0).tolist()
    [[1.0, 0.0], [0.0, 4.0]]
    """
    return (v * g[..., None, :]) @ np.conj(np.swapaxes(v, -1, -2))


def spectral_family(v: Any, g: Any, w: Any, s: Any, slope: Any) -> Any:
    """The same, where g is made of active numbers as well, which are the same for all eigenvalues."""
    return spectral_function(v, g, w, s, slope)


@dataclass(frozen=True)
class Product:
    """v @ np.diag(g) @ conj(v.T), and the statements that make g of w, element by element."""

    vectors: str
    values: str
    eigenvalues: str
    #: the name that stands for the matrix in the basis of its vectors
    matrix: str
    chain: list[Any]
    #: the other active numbers of which g is made
    others: list[str]

    @property
    def function(self) -> Callable[..., Any]:
        return spectral_family if self.others else spectral_function

    def arguments(self, slope: Expr) -> list[Expr]:
        return [*map(load, (self.vectors, self.values, self.eigenvalues, self.matrix)), slope]

    def slope(self, expanded: Expanded) -> Expr:
        """The derivative of the function that is taken of the eigenvalues."""
        return self.tangent({self.eigenvalues: Operand(gast.Constant(1.0, None), Number(float))}, expanded).expr

    def tangent(self, given: dict[str, Operand], expanded: Expanded) -> Operand:
        """The tangent of g, where those of some names are given.

        Args:
            expanded: the tangent of what a statement makes, by those of its arguments.
        """
        known = dict(given)
        for statement in self.chain:
            apply = getattr(statement, "apply", None)
            parts = dict(enumerate([statement.value])) if apply is None else {**dict(enumerate(apply[1])), **apply[2]}
            along = {(k,): known[name] for k, a in parts.items() if (name := _key(a)) in known}
            if along and apply is not None:
                known[statement.targets[0].id] = expanded(statement, along)
            elif along and type(statement.value) is gast.Name:
                known[statement.targets[0].id] = along[0,]
        return known.get(self.values, Operand(gast.Constant(0.0, None), Number(float)))


#: what gives the tangent of a statement by those of its arguments
Expanded = Callable[[Any, dict[Any, Operand]], Operand]


@dataclass(frozen=True)
class Vectors:
    """The eigenvectors as a factor of a product of matrices."""

    conjugate: bool = False
    transposed: bool = False

    def turned(self, transposed: bool = True, conjugate: bool = False) -> Vectors:
        return Vectors(self.conjugate ^ conjugate, self.transposed ^ transposed)


#: one factor of a product of matrices: the name of what is on a diagonal, or vectors
Factor = str | Vectors


class Spectral:
    """The products of a function that are functions of symmetric matrices.

    All that they are made of is in one block, bound once and never overwritten: it does not change in between.

    Args:
        body: the function in core Python, where each operation is a statement.
        facts: what is known of its names.
        memory: what of them is overwritten.

    >>> from s2sad.analysis.memory import analyse
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
    >>> product.vectors, product.values, product.eigenvalues, [s.targets[0].id for s in product.chain]
    ('v', 't', 'w', ['t'])
    """

    def __init__(self, body: list[Stmt], facts: Facts, memory: Memory) -> None:
        self.facts, self.memory = facts, memory
        self.products: dict[int, Product] = {}
        #: by decomposition, the name that stands for the matrix in the basis of its vectors
        self.matrices: dict[int, str] = {}
        self.places: dict[int, int] = {}
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
            elif apply is not None and not apply[2]:
                function, args, _ = apply
                axis = _new_axis(function, args, s.value, len(self.shape))
                if axis is not None and stands and _key(args[0]) in self.values:
                    self.spread[key] = _key(args[0]), axis
                found = self.product(function, args)
                if found is not None and stands:
                    self.factors[key] = found
                match found:
                    case (Vectors(False, False), str(values), Vectors(conjugate, True)):
                        if conjugate == self.is_complex(self.v) and key in self.facts.varied:
                            self.owner.products[id(s)] = self.whole(values)

    def is_value(self, statement: Any, key: str) -> bool:
        """Is it a function of the eigenvalues, the same for all of them?"""
        kind = self.facts.kinds.get(key)
        if not isinstance(kind, Array) or kind.shape != self.shape:
            return False
        apply = getattr(statement, "apply", None)
        if apply is None and type(statement.value) not in (gast.Compare, gast.Name):
            return False
        if apply is not None and not _acts_on_elements(apply[0]):
            return False
        parts = _parts(statement)
        return any(_key(p) in self.values for p in parts) and all(self.is_alike(p, statement) for p in parts)

    def is_alike(self, part: Any, statement: Any) -> bool:
        """Is it made of the eigenvalues element by element, or a number?"""
        if type(part) in (gast.Tuple, gast.List) or _key(part) in self.values:
            return _key(part) in self.values
        kind = kind_of_atom(part, self.facts)
        scalar = isinstance(kind, (Number, Static)) or (isinstance(kind, Array) and kind.shape == ())
        return scalar and self.owner.stands(_key(part), statement)

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
                values, axis = self.spread.get(scale or "", (None, 0))
                if scale in self.values and len(self.shape) == 1:
                    values, axis = scale, -2
                if matrix and values:
                    return (*matrix, values) if axis == -2 else (values, *matrix)
            return None
        if known and known[0] and function in (np.conjugate, np.conj):
            return tuple(self.conjugated(f) for f in known[0])
        if known and known[0] and _transposes(function, args, len(self.shape) + 1):
            return tuple(f if isinstance(f, str) else f.turned() for f in reversed(known[0]))
        return self.einsum(args) if function is np.einsum else None

    def joined(self, parts: list[Any]) -> tuple[Factor, ...] | None:
        known = [self.factors.get(getattr(p, "id", ""), ()) for p in parts]
        return tuple(itertools.chain.from_iterable(known)) if known and all(known) else None

    def conjugated(self, factor: Factor) -> Factor:
        if isinstance(factor, str):
            return "" if self.is_complex(factor) else factor
        return factor.turned(False, self.is_complex(self.v))

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
            if len(known) != 1 or isinstance(known[0], str) or len(pair) != 2 or pair.count(j) != 1:
                return None
            found[pair.replace(j, "")] = known[0].turned(pair[0] == j)
        if set(found) != set(out) or labels[scales[0]] in out:
            return None
        return found[out[0]], _key(args[scales[0] + 1]), found[out[1]].turned()

    def whole(self, values: str) -> Product:
        read, chain = {values}, []
        others: dict[str, None] = {}
        for name, statement in reversed(self.values.items()):
            if name in read and statement is not None:
                chain.append(statement)
                for part in map(_key, _parts(statement)):
                    read.add(part)
                    if part in self.facts.varied and part not in self.values:
                        others[part] = None
        return Product(self.v, values, self.w, self.matrix(), chain[::-1], list(others))

    def matrix(self) -> str:
        """The name that stands for the matrix in the basis of its vectors."""
        made = self.owner.matrices.get(id(self.statement))
        if made is None:
            made = self.owner.matrices[id(self.statement)] = self.facts.fresh("s")
            self.facts.kinds[made] = self.facts.kinds[self.v]
            self.facts.varied.add(made)
        return made


def _statements(block: list[Any]) -> Iterator[Any]:
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from _statements(inner)


def _acts_on_elements(function: Any) -> bool:
    if isinstance(function, np.ufunc):
        return function.signature is None and function.nout == 1
    return is_elementwise(function) or function in (np.where, np.clip)


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
    return [value.left, *value.comparators] if type(value) is gast.Compare else [value]


def _key(part: Any) -> str:
    return "" if type(part) is gast.Constant else atom_key(part)


def _number(part: Any) -> Any:
    if type(part) is gast.UnaryOp and type(part.op) is gast.USub:
        value = _number(part.operand)
        return -value if type(value) is int else None
    return part.value if type(part) is gast.Constant else None


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
