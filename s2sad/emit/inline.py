"""Expressions as text, on one line."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from typing import Any

import gast

from s2sad.emit.binding import (
    AND,
    ATOM,
    AWAIT,
    BINARY,
    BIT_OR,
    COMPARE,
    COMPARED,
    FACTOR,
    NAMED,
    NOT,
    OR,
    POWER,
    TEST,
    TUPLE,
    UNARY,
    YIELD,
)

#: a text, and how tightly it binds
_Rendered = tuple[str, int]
#: by the name of a node's type: its text
_RENDER: dict[str, Callable[[Inline, Any], _Rendered]] = {}


def _renders(node: str) -> Callable[[Callable[[Inline, Any], _Rendered]], Callable[[Inline, Any], _Rendered]]:
    def register(function: Callable[[Inline, Any], _Rendered]) -> Callable[[Inline, Any], _Rendered]:
        _RENDER[node] = function
        return function

    return register


class Inline:
    """Expressions on one line."""

    def __init__(self) -> None:
        #: between the quotes of an f-string
        self.in_string = False

    def expr(self, node: Any, level: int) -> str:
        """An expression on one line, in parentheses when it binds less tightly than `level`."""
        text, binds = _RENDER[type(node).__name__](self, node)
        return f"({text})" if binds < level else text

    def render(self, node: Any) -> _Rendered:
        """The text of an expression, and how tightly it binds."""
        return _RENDER[type(node).__name__](self, node)

    def target(self, node: Any) -> str:
        return self.expr(node, TUPLE)

    def value(self, value: Any) -> _Rendered:
        kind = type(value)
        if kind is float:
            if math.isfinite(value):
                return repr(value), FACTOR if math.copysign(1.0, value) < 0.0 else ATOM
            return (f'float("{value!r}")' if not self.in_string else f"float('{value!r}')"), ATOM
        if kind is int:
            return repr(value), FACTOR if value < 0 else ATOM
        if kind is str:
            return quoted(value, self.in_string), ATOM
        if value is ...:
            return "...", ATOM
        if kind is complex:
            if value.real == 0.0 and math.copysign(1.0, value.real) > 0.0 and 0.0 <= value.imag < math.inf:
                return repr(value), ATOM
            return f"complex({self.value(value.real)[0]}, {self.value(value.imag)[0]})", ATOM
        if kind is tuple:
            texts = [self.value(v)[0] for v in value]
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", ATOM
        if kind is frozenset:
            return (
                f"frozenset({{{', '.join(sorted(self.value(v)[0] for v in value))}}})" if value else "frozenset()",
                ATOM,
            )
        return repr(value), ATOM

    def parameters(self, a: Any) -> list[str]:
        """The parameters of a def or lambda, in order."""

        def one(name: Any, default: Any = None, stars: str = "") -> str:
            annotation = getattr(name, "annotation", None)
            text: str = stars + (name.id if isinstance(name, gast.Name) else name.arg)
            if annotation is not None:
                text += f": {self.expr(annotation, TEST)}"
            if default is not None:
                equals = " = " if annotation is not None else "="
                text += equals + self.expr(default, TEST)
            return text

        positional = [*a.posonlyargs, *a.args]
        defaults = [None] * (len(positional) - len(a.defaults)) + list(a.defaults)
        out = [one(n, d) for n, d in zip(positional, defaults, strict=True)]
        if a.posonlyargs:
            out.insert(len(a.posonlyargs), "/")
        if a.vararg is not None:
            out.append(one(a.vararg, stars="*"))
        elif a.kwonlyargs:
            out.append("*")
        out += [one(n, d) for n, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
        if a.kwarg is not None:
            out.append(one(a.kwarg, stars="**"))
        return out

    def generators(self, node: Any) -> str:
        text = ""
        for g in node.generators:
            text += f"{' async' if g.is_async else ''} for {self.target(g.target)} in {self.expr(g.iter, OR)}"
            text += "".join(f" if {self.expr(test, OR)}" for test in g.ifs)
        return text

    def interpolated(self, node: Any) -> str | None:
        """What stands between the quotes of an f-string; None where quotes or escapes clash."""
        out = ""
        for value in node.values:
            if isinstance(value, gast.Constant):
                out += _escaped(value.value).replace("{", "{{").replace("}", "}}")
                continue
            text = self.expr(value.value, OR)
            if any(c in text for c in '"\\\n#'):
                return None
            out += "{" + (" " if text.startswith("{") else "") + text
            if value.conversion not in (None, -1):
                out += "!" + chr(value.conversion)
            if value.format_spec is not None:
                spec = self.interpolated(value.format_spec)
                if spec is None:
                    return None
                out += ":" + spec
            out += "}"
        return out

    def pattern(self, node: Any, top: bool = False) -> str:
        """A pattern of a `case`; `top` where it may stand without parentheses."""
        kind = type(node).__name__
        sub = self.pattern
        if kind == "MatchValue":
            return self.expr(node.value, BIT_OR)
        if kind == "MatchSingleton":
            return repr(node.value)
        if kind == "MatchStar":
            return "*" + (node.name or "_")
        if kind == "MatchSequence":
            return f"[{', '.join(sub(p, True) for p in node.patterns)}]"
        if kind == "MatchMapping":
            parts = [f"{self.expr(k, TEST)}: {sub(p, True)}" for k, p in zip(node.keys, node.patterns, strict=True)]
            return f"{{{', '.join(parts + ([f'**{node.rest}'] if node.rest else []))}}}"
        if kind == "MatchClass":
            parts = [sub(p, True) for p in node.patterns]
            parts += [f"{k}={sub(p, True)}" for k, p in zip(node.kwd_attrs, node.kwd_patterns, strict=True)]
            return f"{self.expr(node.cls, ATOM)}({', '.join(parts)})"
        if kind == "MatchOr":
            text = " | ".join(sub(p) for p in node.patterns)
        elif node.pattern is None:  # MatchAs
            return node.name or "_"
        else:
            inner = sub(node.pattern, isinstance(node.pattern, gast.MatchOr))
            text = f"{inner} as {node.name}"
        return text if top else f"({text})"


@_renders("Name")
def _name(_: Inline, node: Any) -> _Rendered:
    name: str = node.id
    return name, ATOM


@_renders("Constant")
def _constant(inline: Inline, node: Any) -> _Rendered:
    return inline.value(node.value)


@_renders("BinOp")
def _binop(inline: Inline, node: Any) -> _Rendered:
    symbol, level = BINARY[type(node.op).__name__]
    if level == POWER:
        left, right = inline.expr(node.left, AWAIT), inline.expr(node.right, FACTOR)
        tight = _is_simple(node.left) and _is_simple(node.right)
        return f"{left}**{right}" if tight else f"{left} ** {right}", POWER
    return f"{inline.expr(node.left, level)} {symbol} {inline.expr(node.right, level + 1)}", level


@_renders("UnaryOp")
def _unaryop(inline: Inline, node: Any) -> _Rendered:
    if isinstance(node.op, gast.Not):
        return f"not {inline.expr(node.operand, NOT)}", NOT
    return UNARY[type(node.op).__name__] + inline.expr(node.operand, FACTOR), FACTOR


@_renders("BoolOp")
def _boolop(inline: Inline, node: Any) -> _Rendered:
    word, level = (" and ", AND) if isinstance(node.op, gast.And) else (" or ", OR)
    return word.join([inline.expr(v, level + 1) for v in node.values]), level


@_renders("Compare")
def _comparison(inline: Inline, node: Any) -> _Rendered:
    text = inline.expr(node.left, BIT_OR)
    for op, right in zip(node.ops, node.comparators, strict=True):
        text += f" {COMPARED[type(op).__name__]} {inline.expr(right, BIT_OR)}"
    return text, COMPARE


@_renders("Call")
def _call(inline: Inline, node: Any) -> _Rendered:
    function = inline.expr(node.func, ATOM)
    args = node.args
    if len(args) == 1 and not node.keywords and isinstance(args[0], gast.GeneratorExp):
        return function + inline.render(args[0])[0], ATOM
    parts = [inline.expr(a, TEST) for a in args]
    if node.keywords:
        parts += [keyword_text(inline, k) for k in node.keywords]
    return f"{function}({', '.join(parts)})", ATOM


@_renders("Attribute")
def _attribute(inline: Inline, node: Any) -> _Rendered:
    value = node.value
    text = inline.expr(value, ATOM)
    if isinstance(value, gast.Constant) and type(value.value) is int and text[0] != "(":
        text = f"({text})"
    return f"{text}.{node.attr}", ATOM


@_renders("Subscript")
def _subscript(inline: Inline, node: Any) -> _Rendered:
    index = node.slice
    if isinstance(index, gast.Tuple) and index.elts:
        inner = ", ".join([inline.expr(e, TEST) for e in index.elts]) + ("," if len(index.elts) == 1 else "")
    else:
        inner = inline.expr(index, NAMED)
    return f"{inline.expr(node.value, ATOM)}[{inner}]", ATOM


@_renders("Slice")
def _slice(inline: Inline, node: Any) -> _Rendered:
    bounds = (node.lower, node.upper, node.step)
    lower, upper, step = ("" if b is None else inline.expr(b, TEST) for b in bounds)
    gap = "" if all(b is None or _is_bound(b) for b in bounds) else " "
    text = lower + (gap if lower else "") + ":" + (gap if upper else "") + upper
    if step:
        text += (gap if upper else "") + ":" + gap + step
    return text, TEST


@_renders("Tuple")
def _tuple(inline: Inline, node: Any) -> _Rendered:
    if not node.elts:
        return "()", ATOM
    inner = ", ".join([inline.expr(e, TEST) for e in node.elts])
    return (inner + "," if len(node.elts) == 1 else inner), TUPLE


@_renders("List")
def _list(inline: Inline, node: Any) -> _Rendered:
    return f"[{', '.join([inline.expr(e, TEST) for e in node.elts])}]", ATOM


@_renders("Set")
def _set(inline: Inline, node: Any) -> _Rendered:
    return (f"{{{', '.join([inline.expr(e, TEST) for e in node.elts])}}}" if node.elts else "{*()}"), ATOM


@_renders("Dict")
def _dict(inline: Inline, node: Any) -> _Rendered:
    parts = [
        f"**{inline.expr(v, BIT_OR)}" if k is None else f"{inline.expr(k, TEST)}: {inline.expr(v, TEST)}"
        for k, v in zip(node.keys, node.values, strict=True)
    ]
    return f"{{{', '.join(parts)}}}", ATOM


@_renders("ListComp")
def _listcomp(inline: Inline, node: Any) -> _Rendered:
    return f"[{inline.expr(node.elt, TEST)}{inline.generators(node)}]", ATOM


@_renders("SetComp")
def _setcomp(inline: Inline, node: Any) -> _Rendered:
    return f"{{{inline.expr(node.elt, TEST)}{inline.generators(node)}}}", ATOM


@_renders("GeneratorExp")
def _genexp(inline: Inline, node: Any) -> _Rendered:
    return f"({inline.expr(node.elt, TEST)}{inline.generators(node)})", ATOM


@_renders("DictComp")
def _dictcomp(inline: Inline, node: Any) -> _Rendered:
    pair = f"{inline.expr(node.key, TEST)}: {inline.expr(node.value, TEST)}"
    return f"{{{pair}{inline.generators(node)}}}", ATOM


@_renders("IfExp")
def _ifexp(inline: Inline, node: Any) -> _Rendered:
    body, test, other = inline.expr(node.body, OR), inline.expr(node.test, OR), inline.expr(node.orelse, TEST)
    return f"{body} if {test} else {other}", TEST


@_renders("Lambda")
def _lambda(inline: Inline, node: Any) -> _Rendered:
    parameters = ", ".join(inline.parameters(node.args))
    return f"lambda{' ' if parameters else ''}{parameters}: {inline.expr(node.body, TEST)}", TEST


@_renders("Starred")
def _starred(inline: Inline, node: Any) -> _Rendered:
    return "*" + inline.expr(node.value, BIT_OR), TEST


@_renders("NamedExpr")
def _namedexpr(inline: Inline, node: Any) -> _Rendered:
    return f"{inline.expr(node.target, ATOM)} := {inline.expr(node.value, TEST)}", NAMED


@_renders("Yield")
def _yield(inline: Inline, node: Any) -> _Rendered:
    return ("yield" if node.value is None else f"yield {inline.expr(node.value, TUPLE)}"), YIELD


@_renders("YieldFrom")
def _yieldfrom(inline: Inline, node: Any) -> _Rendered:
    return f"yield from {inline.expr(node.value, TEST)}", YIELD


@_renders("Await")
def _await(inline: Inline, node: Any) -> _Rendered:
    return f"await {inline.expr(node.value, ATOM)}", AWAIT


@_renders("JoinedStr")
def _joinedstr(inline: Inline, node: Any) -> _Rendered:
    before, inline.in_string = inline.in_string, True
    try:
        text = inline.interpolated(node)
    finally:
        inline.in_string = before
    if text is None or before:
        return as_python(node), ATOM
    return f'f"{text}"', ATOM


@_renders("TemplateStr")
def _unknown(_: Inline, node: Any) -> _Rendered:
    return as_python(node), TUPLE


def keyword_text(inline: Inline, k: Any) -> str:
    return f"{k.arg}={inline.expr(k.value, TEST)}" if k.arg else f"**{inline.expr(k.value, TEST)}"


def as_python(node: Any) -> str:
    """An expression as Python's own unparser spells it."""
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node)))


def _is_simple(node: Any) -> bool:
    """May `**` stand without spaces next to it: a name, a number, a dotted name, or one of them with a sign."""
    while isinstance(node, gast.Attribute):
        node = node.value
        if isinstance(node, gast.Constant):
            return False
    if isinstance(node, gast.UnaryOp):
        node = node.operand
        return isinstance(node, gast.Constant)
    if not isinstance(node, gast.Constant):
        return isinstance(node, gast.Name)
    value = node.value
    return isinstance(value, (int, float)) and math.isfinite(value) and math.copysign(1.0, value) > 0.0


def _is_bound(node: Any) -> bool:
    """May `:` stand without spaces next to it in a slice."""
    while isinstance(node, gast.UnaryOp):
        node = node.operand
    return isinstance(node, (gast.Name, gast.Constant))


def _escaped(value: str) -> str:
    """A string's text as it stands between double quotes.

    >>> _escaped("a'b")
    "a'b"
    """
    in_single = repr('"' + value)[2:-1]
    return re.sub(r"\\.|\"", lambda m: {"\\'": "'", '"': '\\"'}.get(m[0], m[0]), in_single)


def quoted(value: str, in_string: bool) -> str:
    """A string literal: in double quotes where that needs no escapes; in single quotes inside an f-string."""
    text = repr(value)
    if in_string or text[0] == '"' or '"' in value:
        return text
    return f'"{text[1:-1]}"'
