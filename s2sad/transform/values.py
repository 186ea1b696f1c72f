"""Zeros, copies and comparisons of values, by what is known of them: what adjoints are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import makes_new
from s2sad.analysis.view_parts import called
from s2sad.core import Expr, atom_key, clone, is_constant, items_of, load, quote
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Static, Text, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import in_parts


def carries_nothing(kind: Kind) -> bool:
    """Is it certain that there is no derivative in a value of this kind?"""
    return isinstance(kind, (Static, Text)) or (isinstance(kind, (TupleKind, ListKind)) and not in_parts(kind))


def is_point(kind: Kind) -> bool:
    """Is it an array of no axes? Arithmetic makes numbers of those."""
    return isinstance(kind, Array) and kind.shape == ()


def zeros_of(numpy: str, of: Any, kind: Kind) -> Expr:
    """Zeros in the form of an array: of floats, where it holds ints or bools on one of the paths to here.

    >>> from s2sad.core import text
    >>> plain, mixed = Array(np.dtype(float), None), Array(np.dtype(float), None, mixed=True)
    >>> text(zeros_of("np", "x", plain)), text(zeros_of("np", "x", mixed))
    ('np.zeros_like(x)', 'np.zeros_like(x, dtype=float)')
    """
    if isinstance(kind, Array) and kind.mixed:
        return quote(f"{numpy}.zeros_like(x, dtype={'complex' if kind.dtype.kind == 'c' else 'float'})", x=of)
    return quote(f"{numpy}.zeros_like(x)", x=of)


def copied_list(kind: ListOf, expr: Expr) -> Expr:
    """A copy of a list, and of the lists in it.

    >>> from s2sad.core import text
    >>> number = Number(float)
    >>> text(copied_list(ListOf(number), quote("x"))), text(copied_list(ListOf(ListOf(number)), quote("x")))
    ('list(x)', '[list(v0) for v0 in x]')
    >>> text(copied_list(ListOf(TupleKind((number, ListOf(number)))), quote("x")))
    '[(v1, list(v2)) for v1, v2 in x]'
    >>> text(copied_list(ListOf(ListKind((number, number))), quote("x")))
    '[list(v0) for v0 in x]'
    """
    if not holds_lists(kind.item):
        return quote("list(x)", x=expr)
    item, copy = _copied_item(kind.item, iter(range(1000)))
    return quote(f"[{copy} for {item} in x]", x=expr)


def copied_value(kind: Kind, expr: Expr) -> Expr:
    """A copy of an array, of a list, or of a tuple of arrays (an index, as np.ix_ makes it).

    >>> from s2sad.core import text
    >>> from s2sad.kinds.kind import Dim
    >>> row, number = Array(np.dtype(float), (Dim.of(3),)), Number(int)
    >>> text(copied_value(row, quote("x"))), text(copied_value(TupleKind((row, row)), quote("x")))
    ('x.copy()', 'tuple((v.copy() for v in x))')
    >>> text(copied_value(TupleKind((row, number)), quote("x")))
    '(x[0].copy(), x[1])'
    """
    if isinstance(kind, ListOf):
        return copied_list(kind, expr)
    if not isinstance(kind, TupleKind):
        return quote("x.copy()", x=expr)
    if kind.items and all(isinstance(k, Array) for k in kind.items):
        return quote("tuple(v.copy() for v in x)", x=expr)
    items = (gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()) for i in range(len(kind.items)))
    changing = (Array, ListOf, TupleKind)
    parts = [copied_value(k, e) if isinstance(k, changing) else e for k, e in zip(kind.items, items, strict=True)]
    return gast.Tuple(parts, gast.Load())


def _copied_item(kind: Kind, numbers: Any) -> tuple[str, str]:
    """A target that takes an item apart, and the text of a copy of it."""
    name = f"v{next(numbers)}"
    if not holds_lists(kind):
        return name, name
    if isinstance(kind, ListOf):
        if not holds_lists(kind.item):
            return name, f"list({name})"
        item, copy = _copied_item(kind.item, numbers)
        return name, f"[{copy} for {item} in {name}]"
    assert isinstance(kind, (TupleKind, ListKind))
    if isinstance(kind, ListKind) and not any(map(holds_lists, kind.items)):
        return name, f"list({name})"
    items, copies = zip(*(_copied_item(k, numbers) for k in kind.items), strict=True)
    target, whole = (", ".join(x) + "," * (len(x) == 1) for x in (items, copies))
    return f"({target})", f"({whole})" if isinstance(kind, TupleKind) else f"[{whole}]"


def holds_lists(kind: Kind) -> bool:
    """Is a value of this kind a list, or are there lists in it?"""
    if isinstance(kind, TupleKind):
        return any(map(holds_lists, kind.items))
    return isinstance(kind, (ListOf, ListKind))


def gradient_kind(parameter: Kind, atom: Kind) -> Kind:
    """The kind of what the backward sweep of a function returns for an argument."""
    if isinstance(parameter, Array) and isinstance(atom, Array):
        return Array(parameter.dtype, atom.shape)
    return atom


def zero_number(kind: Kind) -> str:
    """Zero as an item of a list, whose kind it settles.

    >>> zero_number(Number(float)), zero_number(Number(complex))
    ('0.0', '0j')
    """
    return "0j" if isinstance(kind, Number) and issubclass(kind.type, (complex, np.complexfloating)) else "0.0"


def typed_zero(kind: Number, numpy: Callable[[], str]) -> Expr:
    """Zero as a result: of NumPy's type where a Python float would change the dtype of what it meets.

    >>> from s2sad.core import text
    >>> text(typed_zero(Number(np.float32), lambda: "np")), text(typed_zero(Number(float), lambda: "np"))
    ('np.float32(0.0)', '0.0')
    """
    if kind.type in (np.float32, np.float16, np.complex64, np.longdouble):
        return quote(f"{numpy()}.{kind.type.__name__}(0.0)")
    return gast.Constant(0j if issubclass(kind.type, (complex, np.complexfloating)) else 0.0, None)


def is_fresh(expr: Expr, kind: Kind | None = None) -> bool:
    """Does an expression, of this kind, make a new array (rather than name or view one)?

    >>> is_fresh(quote("a * b")), is_fresh(quote("a.T")), is_fresh(quote("a[1:]")), is_fresh(quote("np.exp(a)"))
    (True, False, False, True)
    """
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        return True
    if isinstance(expr, gast.Call):
        spread = called(expr) == "diag" and isinstance(kind, Array) and len(kind.shape or ()) == 2
        return spread or makes_new(expr)
    return False


def display(kind: Kind, parts: list[Expr]) -> Expr:
    """Nested lists and tuples of parts, as the kind of an item says.

    >>> from s2sad.core import text
    >>> number = Number(float)
    >>> text(display(TupleKind((number, ListKind((number, number)))), [quote("a"), quote("b"), quote("c")]))
    '(a, [b, c])'
    """
    left = iter(parts)

    def made(kind: Kind) -> Expr:
        if in_parts(kind):
            whole = gast.List if isinstance(kind, ListKind) else gast.Tuple
            return whole([made(part) for part in kind.items], gast.Load())
        return next(left)

    return made(kind)


def leaf_kinds(kind: Kind) -> Iterator[Kind]:
    """The kinds of the parts of nested lists and tuples, from left to right."""
    if in_parts(kind):
        for part in kind.items:
            yield from leaf_kinds(part)
    else:
        yield kind


def is_zero(expr: Expr) -> bool:
    return isinstance(expr, gast.Constant) and expr.value == 0.0


def is_scalar(kind: Kind) -> bool:
    return isinstance(kind, (Number, Static)) or (isinstance(kind, Array) and kind.shape == ())


def same_shape(a: Kind, b: Kind) -> bool:
    return isinstance(a, Array) and isinstance(b, Array) and a.shape is not None and a.shape == b.shape


def is_smaller(own: Kind, whole: Array) -> bool:
    """Is an adjoint certain to be smaller than the array whose adjoint it is, and spread over that in thought only?"""
    return is_scalar(own) or (isinstance(own, Array) and not same_shape(own, whole))


def same_array(a: Kind, b: Kind) -> bool:
    return same_shape(a, b) and isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype


def join_number(a: Kind, b: Kind) -> Kind:
    if isinstance(a, Number) and isinstance(b, Number):
        return a if issubclass(a.type, np.generic) else b
    return Unknown()


def none_on(node: Any, key: str, kind: Kind) -> int | None:
    """On which side of a branch (0: its body) a value is None, for certain: nothing there reads its adjoint."""
    test = getattr(node, "test_value", node.test)
    absent = isinstance(kind, Either) and isinstance(kind.other, Static)
    if not absent or not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return None
    nothing = test.comparators[0]
    if not is_constant(nothing, None) or atom_key(test.left) != key:
        return None
    return {gast.Is: 0, gast.IsNot: 1}.get(type(test.ops[0]))


def load_target(name: str) -> Expr:
    return gast.Name(name, gast.Store(), None, None)


def as_target(expr: Expr) -> Expr:
    made = clone(expr)
    made.ctx = gast.Store()
    return made


def is_whole(part: Expr) -> bool:
    """Does a part of an index take all: `:` or `...`?"""
    if isinstance(part, gast.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return is_constant(part, ...)


def without_new_axes(index: Expr) -> Expr | None:
    """The index that takes off the axes that another one adds; None where that one does anything else.

    >>> [gast.unparse(without_new_axes(quote(t).slice)) for t in ("x[:, None]", "x[None, :]", "x[..., None, :]")]
    ['(:, 0)', '0', '(..., 0, :)']
    """
    parts = items_of(index)
    out: list[Expr] = []
    for part in parts:
        if is_constant(part, None):
            out.append(gast.Constant(0, None))
        elif is_whole(part):
            out.append(clone(part))
        else:
            return None
    if not any(isinstance(p, gast.Constant) and p.value == 0 for p in out):
        return None
    spread = any(is_constant(p, ...) for p in out)
    while isinstance(out[-1], gast.Slice) and not spread:
        out.pop()
    return out[0] if len(out) == 1 else gast.Tuple(out, gast.Load())


def place_in(buffer: Expr, index: Expr) -> Expr:
    """A part of adjoint memory; all of a view is the view.

    >>> from s2sad.core import text
    >>> text(place_in(quote("b[::2]"), quote("..."))), text(place_in(quote("b"), quote("...")))
    ('b[::2]', 'b[...]')
    """
    if is_constant(index, ...) and isinstance(buffer, gast.Subscript):
        return clone(buffer)
    return gast.Subscript(clone(buffer), clone(index), gast.Load())


def is_node(value: Any) -> bool:
    return isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator, gast.unaryop))


def index_value(index: Expr) -> Expr:
    """An index as a value that can be passed to a function: slices become np.s_[...]-like slice(...) calls."""

    def part(node: Expr) -> Expr:
        if isinstance(node, gast.Slice):
            bounds = [gast.Constant(None, None) if b is None else clone(b) for b in (node.lower, node.upper, node.step)]
            if node.step is None and node.lower is None:
                return gast.Call(load("slice"), [bounds[1]], [])
            return gast.Call(load("slice"), bounds if node.step is not None else bounds[:2], [])
        return clone(node)

    if isinstance(index, gast.Tuple):
        return gast.Tuple([part(e) for e in index.elts], gast.Load())
    return part(index)
