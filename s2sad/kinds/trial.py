"""May an operation raise for some values of the kinds of its operands? It is tried on small examples of them.

What depends on kinds alone (`len` of a number, an index that is a float, an argument too many) shows in any example.
Beside these the ints whose values are not known are tried below 0, at 0 and large, and texts as letters, digits and
nothing: `np.zeros(k)` raises for a negative k, `int(s)` for a text that is no number. Values of floats are not tried,
but 0 where that is a ZeroDivisionError, and nan where an int is made of it: at which of them `math` has no value is
said in the manual.
"""

from __future__ import annotations

import builtins
import math
import warnings
from collections.abc import Callable as Function
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, product
from types import CodeType
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, clone, text
from s2sad.kinds import dims
from s2sad.kinds.example import LARGE_INT, NoExample, Run, assigned, dims_of, make
from s2sad.kinds.kind import Array, Callable, Dict, Dim, Either, Kind, List, ListOf, Number, Static, Text, Tuple
from s2sad.kinds.pure import is_pure

#: the least and the greatest value of an int, where they are known
Ends = tuple[int | None, int | None]
_TRIED = (-1, 0, 7)
_TEXTS = ("a", "1", "")
_TO_INT = (int, round, math.floor, math.ceil, math.trunc)
#: what may be called, too, though its result is no constant
_HARMLESS = (hash, frozenset, iter, map, filter, bytes, bytearray)
_LITERALS = (int, bool, str, bytes, type(None), type(Ellipsis))


def is_told(kind: Kind) -> bool:
    """Is all known that decides what may be done with a value?"""
    if isinstance(kind, Array):
        return kind.shape is not None and not kind.mixed
    if isinstance(kind, Either):
        return all(map(is_told, kind.alternatives))
    if isinstance(kind, (List, Tuple, ListOf)) or (isinstance(kind, Dict) and kind.cls is dict):
        return all(is_told(part) for _, part in kind.parts())
    return isinstance(kind, (Static, Text)) or (isinstance(kind, Number) and not kind.types)


def raised(operation: str, operands: Sequence[Kind], values: Sequence[Ends | None]) -> Exception | None:
    """What an operation raises for some values of the kinds of its operands; None where it does for none that is tried.

    Args:
        operation: a statement over the names `_0`, `_1`, ... for the operands. It is run: it changes nothing else.
        operands: their kinds.
        values: for each, the ends of its value if it is an int; None where its values are not tried.

    >>> n, any = Number(int, Dim.symbol("n#")), (None, None)
    >>> type(raised("len(_0)", [Number(float)], [any])), type(raised("int(_0)", [Text()], [any]))
    (<class 'TypeError'>, <class 'ValueError'>)
    >>> kinds = [Callable(np.zeros), Number(int)]
    >>> type(raised("_0(_1)", kinds, [None, any])), raised("_0(_1)", kinds, [None, (0, None)])
    (<class 'ValueError'>, None)
    >>> type(raised("len(_0)", [Either(Array(np.dtype(float), (Dim.of(2),)), Number(float))], [None]))
    <class 'TypeError'>
    """
    choices = [k.alternatives if isinstance(k, Either) else (k,) for k in operands]
    errors = (_raised(operation, kinds, values) for kinds in product(*choices))
    return next((error for error in errors if error is not None), None)


def _raised(operation: str, operands: Sequence[Kind], values: Sequence[Ends | None]) -> Exception | None:
    """The same, of kinds that are one kind each."""
    try:
        code = _compiled(operation)
        kinds = [_small(k) for k in operands]
        found: dict[Dim, None] = {}
        hidden = sum(dims_of(k, found, {}) for k in kinds) % 1000
        symbols = [*dims.base_symbols(found), *(f"! {k + 1}" for k in range(hidden))]
        runs = [Run(number, assigned(symbols, number, 0)) for number in range(2)]
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for run in runs:
                error = _error(code, kinds, run)
                if error is not None:
                    return error
            others = chain(_other_values(kinds, values, runs[0]), _not_finite(kinds))
            for given, counts in others:
                error = _error(code, given, runs[0])
                if error is not None and isinstance(error, counts):
                    return error
    except NoExample:
        pass
    return None


@dataclass
class Operation:
    """One operation, with names in place of its operands.

    Attributes:
        form: the operation, as a statement.
        operands: the expressions that the names `_0`, `_1`, ... stand for.
        indices: which of them are indices, or the ends of slices.
        ends: which are the ends of slices.
        steps: which are the steps of slices.
    """

    form: str = ""
    operands: list[Expr] = field(default_factory=list)
    indices: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    steps: set[int] = field(default_factory=set)


def operation(node: Any, kind: Function[[Any], Kind]) -> Operation:
    """The operation that an expression, a store or an update is.

    Args:
        node: the expression, or the statement.
        kind: gives the kind of an expression.

    >>> from s2sad.core import quote
    >>> found = operation(quote("f(a[1:n], *b, k=2 * c).sum(d)"), lambda node: Number(int))
    >>> found.form, [text(o) for o in found.operands]
    ('_0.sum(_1)', ['f(a[1:n], *b, k=2 * c)', 'd'])
    >>> operation(quote("a[1:2 * n, i]"), lambda node: Number(int)).form
    '_0[1:_1, _2]'
    """
    made = Operation()
    made.form = text(_Parts(made, kind).parts(node))
    return made


class _Parts:
    """Takes an operation apart: notes its operands, and gives them names."""

    def __init__(self, made: Operation, kind: Function[[Any], Kind]) -> None:
        self.made, self.kind = made, kind

    def name(self, part: Any, index: bool) -> Any:
        if index:
            self.made.indices.add(len(self.made.operands))
        self.made.operands.append(part)
        return gast.Name(f"_{len(self.made.operands) - 1}", gast.Load(), None, None)

    def put(self, part: Any, index: bool = False) -> Any:
        """The part with names for what it is computed from."""
        cls = type(part)
        if _is_literal(part) or (cls is gast.UnaryOp and _is_literal(part.operand)):
            return part
        if cls is gast.Slice:
            first = len(self.made.operands)
            low, high = (None if p is None else self.put(p, True) for p in (part.lower, part.upper))
            self.made.ends.update(range(first, len(self.made.operands)))
            if part.step is not None and not isinstance(part.step, gast.Constant):
                self.made.steps.add(len(self.made.operands))
            return gast.Slice(low, high, None if part.step is None else self.put(part.step))
        if cls is gast.Tuple and index:
            return gast.Tuple([self.put(e, True) for e in part.elts], gast.Load())
        if cls in (gast.keyword, gast.Starred, gast.FormattedValue):
            copy = clone(part)
            copy.value = self.put(part.value)
            if getattr(part, "format_spec", None) is not None:
                copy.format_spec.values = [self.put(v) for v in part.format_spec.values]
            return copy
        return self.name(part, index)

    def parts(self, of: Any) -> Any:
        copy = clone(of)
        if isinstance(of, gast.Subscript):
            copy.value, copy.slice = self.put(of.value), self.put(of.slice, True)
            return copy
        if isinstance(of, gast.Call):
            method = isinstance(of.func, gast.Attribute) and not isinstance(self.kind(of.func), Callable)
            if method:
                copy.func.value = self.put(of.func.value)
            else:
                copy.func = self.put(of.func)
            copy.args, copy.keywords = ([self.put(p) for p in found] for found in (of.args, of.keywords))
            return copy
        if isinstance(of, gast.Assign):
            copy.targets, copy.value = [self.parts(of.targets[0])], self.put(of.value)
            return copy
        if isinstance(of, gast.AugAssign):
            copy.target = self.put(of.target) if isinstance(of.target, gast.Name) else self.parts(of.target)
            copy.target.ctx, copy.value = gast.Store(), self.put(of.value)
            return copy
        for label in of._fields:
            value = getattr(of, label, None)
            if isinstance(value, list):
                setattr(copy, label, [self.put(v) if isinstance(v, gast.AST) and not _is_sign(v) else v for v in value])
            elif isinstance(value, gast.AST) and not _is_sign(value):
                setattr(copy, label, self.put(value))
        return copy


def _is_literal(node: Any) -> bool:
    """Is it a constant that reads as it is? (A member of an enum is none, and nan is not.)"""
    if not isinstance(node, gast.Constant):
        return False
    return type(node.value) in _LITERALS or (type(node.value) is float and math.isfinite(node.value))


def _is_sign(node: Any) -> bool:
    return isinstance(node, (gast.operator, gast.unaryop, gast.cmpop, gast.boolop, gast.expr_context))


@lru_cache(maxsize=1024)
def _compiled(operation: str) -> CodeType:
    return compile(operation, "<trial>", "exec")


def _error(code: CodeType, kinds: Sequence[Kind], run: Run) -> Exception | None:
    names = {f"_{k}": example for k, example in enumerate(_examples(kinds, run))}
    try:
        exec(code, {"__builtins__": builtins}, names)
    except Exception as error:
        return error
    return None


def _examples(kinds: Sequence[Kind], run: Run) -> list[Any]:
    run.hidden = 0
    return [k.value if isinstance(k, Callable) else "a" if isinstance(k, Text) else make(k, run) for k in kinds]


def _small(kind: Kind) -> Kind:
    """The kind, with ints that are too large for an example made smaller."""
    value = kind.value if isinstance(kind, Number) else None
    if value is not None and value.known and abs(value.const) > LARGE_INT:
        return replace(kind, value=Dim.of(LARGE_INT if value.const > 0 else -LARGE_INT))  # type: ignore[type-var]
    return kind


def _other_values(kinds: list[Kind], values: Sequence[Ends | None], run: Run) -> Iterator[tuple[list[Kind], Any]]:
    """The operands with another value of one of them each, and which exceptions count then."""
    for k, (kind, ends, example) in enumerate(zip(kinds, values, _examples(kinds, run), strict=True)):
        if ends is None:
            continue
        others = {s for d in _dims([o for i, o in enumerate(kinds) if i != k]) for s in dims.base_symbols([d])}
        for made, counts in _of(kind, ends, others, example):
            yield [*kinds[:k], made, *kinds[k + 1 :]], counts


def _not_finite(kinds: list[Kind]) -> Iterator[tuple[list[Kind], Any]]:
    """The operands with nan for a float that is made an int: no int is nan."""
    if kinds and isinstance(kinds[0], Callable) and any(kinds[0].value is f for f in _TO_INT):
        for k, kind in enumerate(kinds):
            if isinstance(kind, Number) and issubclass(kind.type, (float, np.floating)) and kind.value is None:
                yield [*kinds[:k], Static(kind.type("nan")), *kinds[k + 1 :]], ValueError


def _of(kind: Kind, ends: Ends, others: set[str], example: Any) -> Iterator[tuple[Kind, Any]]:
    if isinstance(kind, Text):
        yield from ((Static(text), Exception) for text in _TEXTS)
    elif isinstance(kind, (Tuple, List)):
        for i, item in enumerate(kind.items):
            low = dims.lower(item.value) if isinstance(item, Number) and item.value is not None else None
            for made, counts in _of(item, (low, None), others, example[i]):
                yield replace(kind, items=(*kind.items[:i], made, *kind.items[i + 1 :])), counts
    elif isinstance(kind, Array):
        if kind.dtype.kind == "i":
            yield Static(np.full_like(example, -1)), Exception
    elif isinstance(kind, Number) and kind.whole and kind.type is not bool:
        if kind.value is not None and kind.value.known:
            return
        low, high = ends
        related = kind.value is not None and bool(others & set(dims.base_symbols([kind.value])))
        for value in _TRIED:
            inside = (low is None or low <= value) and (high is None or value <= high)
            fits = value >= 0 or not issubclass(kind.type, np.unsignedinteger)
            if inside and fits and not (value > 0 and related):
                yield Static(kind.type(value)), Exception
    elif isinstance(kind, Number) and kind.type in (float, complex):
        yield Static(kind.type(0.0)), ZeroDivisionError


def _dims(kinds: list[Kind]) -> dict[Dim, None]:
    found: dict[Dim, None] = {}
    for kind in kinds:
        dims_of(kind, found, {})
    return found


def may_be_called(kind: Kind) -> bool:
    """Is it a function that examples may be given to?"""
    if not isinstance(kind, Callable):
        return False
    if type(getattr(kind.value, "__self__", None)) is str:
        return True
    if not is_pure(kind.value):
        return any(kind.value is f for f in _HARMLESS)
    home = str(getattr(kind.value, "__module__", None))
    return not home.startswith("scipy.") or home.startswith(("scipy.special", "scipy.linalg"))
