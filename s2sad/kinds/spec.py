"""Kinds from what people write down: `--args "x: f8[n, p], k: int"` and the annotations of a function."""

from __future__ import annotations

import ast
import dataclasses
import re
import types
import typing
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown

_PYTHON: dict[str, type] = {"float": float, "int": int, "complex": complex, "bool": bool}
_TOKEN = re.compile(r"\s*(?:(\d+\.\d*|\d+)|([^\W\d]\w*)|('[^']*'|\"[^\"]*\")|(\.\.\.)|(.))")


class SpecError(ValueError):
    """A specification of kinds that cannot be read; the message says where and what was expected."""


def parse_kinds(text: str) -> dict[str, Kind]:
    """Read the kinds of parameters.

    The forms: `float`, `int`, `bool`, `complex`, `str`, `None`, `True`, `"text"`, `3`; `f8` (a NumPy scalar),
    `f8[n, 3]`, `f8[n + 1, _]`, `f8[]` (0-d), `f8[...]` (any rank); `[a, b]` and `(a, b)` with known items, `list[a]`
    of any length; `{key: a}`; `?` for nothing known. A symbol stands for one length, which is 2 or more, wherever it
    is used; 1 is written as 1. An int parameter named like a symbol is that length.

    Args:
        text: `name: kind` parts, separated by commas.

    Returns:
        name -> kind, in order.

    Raises:
        SpecError: the text cannot be read.

    >>> kinds = parse_kinds("x: f8[n, p], n: int, params: {W: f8[p], b: float}")
    >>> kinds["x"].shape[0] == kinds["n"].value, [key for key, _ in kinds["params"].items]
    (True, ['W', 'b'])
    """
    parser = _Parser(text)
    kinds = parser.fields("")
    return {str(name): _lengths(kind, parser.lengths) for name, kind in kinds}


def _lengths(kind: Kind, lengths: set[str]) -> Kind:
    """Give an int that is named like a length that length as its value."""
    if isinstance(kind, Number) and kind.type is int and kind.value is not None and len(kind.value.terms) == 1:
        name = kind.value.terms[0][0].rstrip("$")
        return Number(int, Dim.symbol(name)) if name in lengths else kind
    return kind.map(lambda part: _lengths(part, lengths))


class _Parser:
    """A recursive-descent reader of the little language above."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        for match in _TOKEN.finditer(text):
            if match.group().strip():
                self.tokens.append((match.group().strip(), match.end()))
        self.at = 0
        self.lengths: set[str] = set()

    def error(self, expected: str) -> SpecError:
        found = self.peek() or "the end"
        before = self.tokens[self.at - 1][1] if self.at else 0
        return SpecError(f"expected {expected}, found {found!r} after {self.text[:before]!r}")

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error(repr(token))

    def fields(self, end: str) -> list[tuple[Any, Kind]]:
        """`name: kind, ...` up to `end`, which is taken."""
        fields: list[tuple[Any, Kind]] = []
        seen: set[Any] = set()
        while self.peek() != end:
            name: Any = self.peek()
            if name[:1] in "'\"" and name:
                name = name[1:-1]
            elif name.isdigit() and end:
                name = int(name)
            elif not name.isidentifier():
                raise self.error("a name")
            if name in seen:
                raise self.error(f"another name ({name!r} is there already)")
            seen.add(name)
            self.at += 1
            self.expect(":")
            fields.append((name, self.kind(str(name))))
            if not self.accept(","):
                break
        if end:
            self.expect(end)
        elif self.peek():
            raise self.error("',' or the end")
        return fields

    def items(self, end: str, path: str) -> tuple[Kind, ...]:
        items: list[Kind] = []
        while self.peek() != end:
            items.append(self.kind(f"{path}.{len(items)}"))
            if not self.accept(","):
                break
        self.expect(end)
        return tuple(items)

    def kind(self, path: str) -> Kind:
        token = self.peek()
        if self.accept("{"):
            return Dict(tuple(self.fields("}")))
        if self.accept("("):
            return Tuple(self.items(")", path))
        if self.accept("["):
            return List(self.items("]", path))
        if self.accept("?"):
            return Unknown()
        if token[:1] in "'\"" and token:
            return Static(self.next()[1:-1])
        negative = self.accept("-")
        if self.peek().isdigit():
            return Number(int, Dim.of(int(self.next()) * (-1 if negative else 1)))
        if negative:
            raise self.error("a number")
        constants = {"None": None, "True": True, "False": False}
        if token in constants:
            self.at += 1
            return Static(constants[token])
        if token in ("list", "tuple") and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][0] == "[":
            self.at += 2
            items = self.items("]", path)
            if token == "tuple":
                return Tuple(items)
            if len(items) != 1:
                raise self.error("one kind in list[...]")
            return ListOf(_without_value(items[0]))
        if token == "str":
            self.at += 1
            return Object(str)
        return self.number_or_array(path)

    def number_or_array(self, path: str) -> Kind:
        token = self.peek()
        dtype = _dtype(token)
        if dtype is None:
            raise self.error("a kind (float, int, f8[n], {name: kind}, ...)")
        self.at += 1
        if self.accept("["):
            return Array(dtype, self.shape())
        if token in _PYTHON:
            return Number(_PYTHON[token], dims.variable(path) if token == "int" else None)
        return Number(dtype.type)

    def shape(self) -> tuple[Dim, ...] | None:
        if self.accept("..."):
            self.expect("]")
            return None
        shape: list[Dim] = []
        while self.peek() != "]":
            shape.append(self.dim())
            if not self.accept(","):
                break
        self.expect("]")
        return tuple(shape)

    def dim(self) -> Dim:
        if self.accept("_"):
            return dims.fresh()
        total = self.term()
        while self.peek() in ("+", "-"):
            total = total + self.term() if self.next() == "+" else total - self.term()
        return total

    def term(self) -> Dim:
        result = self.factor()
        while self.accept("*"):
            result = dims.product(result, self.factor())
        return result

    def factor(self) -> Dim:
        token = self.peek()
        if token.isdigit():
            return Dim.of(int(self.next()))
        if not token.isidentifier():
            raise self.error("a length")
        self.lengths.add(self.next())
        return Dim.symbol(token)


def _dtype(name: str) -> np.dtype[Any] | None:
    """The dtype that a name such as f8, float, float64 or c16 stands for."""
    if name in _PYTHON:
        return np.dtype(_PYTHON[name])
    if not re.fullmatch(r"[fciu]\d+|(float|int|uint|complex)\d+|b1|bool_", name):
        return None
    try:
        return np.dtype(name.rstrip("_"))
    except TypeError:
        return None


def _without_value(kind: Kind) -> Kind:
    return Number(kind.type) if isinstance(kind, Number) else kind


# --- annotations --------------------------------------------------------------------------------------------------


def from_annotation(annotation: Any) -> Kind | None:
    """The kind that an annotation promises, or None where it says too little (a union, a type variable, a protocol).

    `X | None` counts as X: an argument that is None is known as that when it is bound.

    Args:
        annotation: the object (or text) behind the colon.

    >>> from_annotation("float | None")
    Number(type=<class 'float'>, value=None)
    >>> from_annotation(list[float]), from_annotation("ArrayLike")
    (ListOf(item=Number(type=<class 'float'>, value=None)), None)
    >>> [str(d) for d in from_annotation("Float[Array, 'n p+1']").shape]
    ['n', 'p + 1']
    """
    try:
        return _annotation(annotation, ())
    except (TypeError, ValueError, NameError, AttributeError, SyntaxError, KeyError):
        return None


def _annotation(annotation: Any, inside: tuple[type, ...]) -> Kind | None:
    if isinstance(annotation, str):
        return _from_text(annotation, inside)
    if isinstance(annotation, typing.ForwardRef):
        return _from_text(annotation.__forward_arg__, inside)
    if annotation in _PYTHON.values():
        return Number(annotation)
    if annotation is None or annotation is type(None):
        return Static(None)
    if annotation is str:
        return Object(str)
    if annotation is np.ndarray:
        return Array(np.dtype(np.float64), None)
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    named = annotation if origin is None else origin
    if type(named).__name__ == "TypeAliasType":  # `type X = ...`, as NDArray is in newer NumPys
        meant = named.__value__
        return _annotation(meant[arguments] if arguments else meant, inside)
    if origin is not None:
        return _generic(origin, arguments, inside)
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return Number(annotation) if issubclass(annotation, np.number | np.bool_) and _dtype_of(annotation) else None
    if hasattr(annotation, "dim_str") and hasattr(annotation, "dtypes"):
        return Array(_widest(annotation.dtypes), _named_shape(annotation.dim_str))
    return _class(annotation, inside) if isinstance(annotation, type) else None


def _generic(origin: Any, arguments: tuple[Any, ...], inside: tuple[type, ...]) -> Kind | None:
    if origin is typing.Annotated:
        return _annotation(arguments[0], inside)
    if origin is typing.Union or origin is types.UnionType:
        return _one_of([_annotation(a, inside) for a in arguments])
    if origin is typing.Literal:
        return Static(arguments[0]) if len(arguments) == 1 and type(arguments[0]) is not int else None
    if origin is np.ndarray:
        return Array(_dtype_of(arguments[-1]) or np.dtype(np.float64), None)
    if origin is list or getattr(origin, "__name__", "") in ("Sequence", "Iterable"):
        item = _annotation(arguments[0], inside)
        return None if item is None or origin is not list else ListOf(item)
    if origin is tuple:
        items = [_annotation(a, inside) for a in arguments]
        return None if Ellipsis in arguments or None in items else Tuple(tuple(i for i in items if i is not None))
    return None  # a dict says nothing of its keys


def _one_of(kinds: list[Kind | None]) -> Kind | None:
    """The kind of a union: None is left out, and float | int is float."""
    members = set(kinds) - {Static(None)}
    if members == {Number(int), Number(float)}:
        return Number(float)
    return members.pop() if len(members) == 1 else None


def _dtype_of(annotation: Any) -> np.dtype[Any] | None:
    """The dtype of np.float64 or np.dtype[np.float64]."""
    arguments = typing.get_args(annotation)
    try:
        dtype = np.dtype(arguments[0] if arguments else annotation)
    except TypeError:
        return None
    return dtype if dtype.kind in "fciub" else None


def _class(annotation: type, inside: tuple[type, ...]) -> Kind | None:
    if annotation in inside:
        return None
    inside = (*inside, annotation)
    if dataclasses.is_dataclass(annotation):
        return Object(annotation, tuple(_parts(annotation, [f.name for f in dataclasses.fields(annotation)], inside)))
    fields = getattr(annotation, "_fields", None)
    if issubclass(annotation, tuple) and fields is not None:
        return Tuple(tuple(kind for _, kind in _parts(annotation, fields, inside)), annotation)
    if issubclass(annotation, dict) and hasattr(annotation, "__total__"):
        return Dict(tuple(_parts(annotation, list(annotation.__annotations__), inside)))
    return None


def _parts(cls: type, names: Any, inside: tuple[type, ...]) -> list[tuple[str, Kind]]:
    try:
        hints = typing.get_type_hints(cls)
    except Exception:
        hints = getattr(cls, "__annotations__", {})
    return [(name, _annotation(hints.get(name, Any), inside) or Unknown()) for name in names]


def _from_text(text: str, inside: tuple[type, ...]) -> Kind | None:
    try:
        kinds = parse_kinds(f"x: {text}")
        if len(kinds) == 1:
            return _without_value(kinds["x"])
    except SpecError:
        pass
    return _from_tree(ast.parse(text.strip(), mode="eval").body, inside)


_DTYPES = {"Float": "f8", "Float64": "f8", "Float32": "f4", "Float16": "f2", "Int": "i8", "Int64": "i8", "Int32": "i4",
           "Integer": "i8", "Bool": "?", "Complex": "c16", "Complex128": "c16", "Complex64": "c8", "Real": "f8",
           "Num": "f8", "Inexact": "f8", "Shaped": "f8"}  # fmt: skip


def _from_tree(node: ast.expr, inside: tuple[type, ...]) -> Kind | None:
    """The kind of an annotation that is kept as text, by the names that are common in annotations."""
    if isinstance(node, ast.Constant):
        return _annotation(node.value, inside) if node.value is None or isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _one_of([_from_tree(n, inside) for n in (node.left, node.right)])
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if isinstance(node, ast.Subscript):
        base = ast.unparse(node.value).rsplit(".", 1)[-1]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if base == "Optional":
            return _from_tree(parts[0], inside)
        if base == "Union":
            return _one_of([_from_tree(n, inside) for n in parts])
        if base in ("list", "List"):
            item = _from_tree(parts[0], inside)
            return None if item is None else ListOf(item)
        if base in ("tuple", "Tuple"):
            items = [_from_tree(n, inside) for n in parts]
            return None if None in items else Tuple(tuple(i for i in items if i is not None))
        if base in ("NDArray", "ndarray"):
            found = re.search(r"(float|int|uint|complex)(\d+)|bool_", ast.unparse(parts[-1]))
            return Array(np.dtype(found.group().rstrip("_")) if found else np.dtype(np.float64), None)
        if base in _DTYPES and len(parts) == 2 and isinstance(parts[1], ast.Constant):
            return Array(np.dtype(_DTYPES[base]), _named_shape(str(parts[1].value)))
        if base == "Annotated":
            return _from_tree(parts[0], inside)
        return None
    if name in _PYTHON:
        return Number(_PYTHON[name])
    if name in ("ndarray", "NDArray"):
        return Array(np.dtype(np.float64), None)
    dtype = _dtype(name)
    return Number(dtype.type) if dtype is not None else None


def _widest(names: Any) -> np.dtype[Any]:
    """The dtype to assume for a jaxtyping class that allows several."""
    for name in ("float64", "complex128", "int64", "bool"):
        if name in names:
            return np.dtype(name)
    dtype: np.dtype[Any] = np.dtype(next(iter(names)))
    return dtype


def _named_shape(text: str) -> tuple[Dim, ...] | None:
    """The shape that a jaxtyping string such as "n p 3" says."""
    shape: list[Dim] = []
    for part in text.split():
        if part.startswith(("*", "...")):
            return None
        if part.startswith("#") or part == "_":
            shape.append(dims.fresh())
            continue
        parser = _Parser(part.split("=")[-1].lstrip("?"))
        shape.append(parser.dim())
    return tuple(shape)


