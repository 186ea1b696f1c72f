"""Trees to source, as a person would have typed it: astor's generator with the layout rules of the common formatter.

astor writes statements, indentation and blank lines; expressions are rendered here, because generated code is mostly
expressions and has to be printed fast, without needless parentheses, and broken where a line gets long.

>>> import gast
>>> print(source(gast.parse("y = ((x ** 2) * (-1.0)) + A[(i-1), 1:(-1)]").body), end="")
y = x**2 * -1.0 + A[i - 1, 1:-1]
"""

from __future__ import annotations

import ast
import math
import re
import textwrap
import warnings
from collections.abc import Callable
from typing import Any

import gast

with warnings.catch_warnings():  # astor looks up names that newer Pythons have deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor

#: where lines are broken
WIDTH = 100
#: comments quote the user's lines, and are let run on a little
COMMENT_WIDTH = 120

# How tightly an expression binds; a part that binds less than its place asks for is put in parentheses.
(NAMED, TUPLE, YIELD, TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, ARITH, TERM, FACTOR, POWER) = range(
    16
)
AWAIT, ATOM = 16, 17

_BINARY: dict[str, tuple[str, int]] = {
    "Add": ("+", ARITH),
    "Sub": ("-", ARITH),
    "Mult": ("*", TERM),
    "MatMult": ("@", TERM),
    "Div": ("/", TERM),
    "Mod": ("%", TERM),
    "FloorDiv": ("//", TERM),
    "Pow": ("**", POWER),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "BitOr": ("|", BIT_OR),
    "BitXor": ("^", BIT_XOR),
    "BitAnd": ("&", BIT_AND),
}
_UNARY = {"Invert": "~", "UAdd": "+", "USub": "-"}
_COMPARE = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}

_Rendered = tuple[str, int]
_CHAINS = ("BinOp", "BoolOp", "Compare", "IfExp")


def source(nodes: Any, indent: int = 0) -> str:
    """Statements (one, a list, or a Module) as source text that ends in a newline; "" for none."""
    if isinstance(nodes, (gast.Module, ast.Module)):
        nodes = nodes.body
    printer = Printer()
    printer.indentation = indent - 1
    printer.body(nodes if isinstance(nodes, list) else [nodes])
    text = "".join(printer.result).lstrip("\n")
    return text + "\n" if text else ""


def expression(node: Any) -> str:
    """One expression as text, on one line."""
    return Printer().expr(node, NAMED)


class Printer(astor.SourceGenerator):  # type: ignore[misc]
    """astor's source generator for gast trees, with its own expressions, and long lines broken at WIDTH columns.

    A statement's attribute `comment` (a string or a list of lines) is printed above it.
    """

    def __init__(self) -> None:
        super().__init__(" " * 4)
        self._in_string = False

    # Statements

    def visit(self, node: Any, abort: Any = None) -> None:
        """Print a statement, or an expression in the place where astor has one."""
        method = getattr(self, "visit_" + type(node).__name__, None) if isinstance(node, gast.stmt) else None
        if method is not None:
            method(node)
        elif isinstance(node, gast.expr):
            self.write(self.expr(node, TEST))
        elif type(node).__name__ in ("ExceptHandler", "match_case"):
            getattr(self, "visit_" + type(node).__name__)(node)
        else:
            self._foreign(node)

    def _foreign(self, node: Any) -> None:
        """A construct that neither astor nor this class knows: as Python itself spells it."""
        lines = ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node))).splitlines()
        for line in lines:
            self.statement(None, line)

    def body(self, statements: list[Any]) -> None:
        self.indentation += 1
        previous = None
        for node in statements:
            # A function among other statements stands off by an empty line.
            if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
                if previous is not None:
                    self.newline(extra=1 if self.indentation else 2)
            elif isinstance(previous, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
                self.newline(extra=1 if self.indentation else 2)
            comment = node.__dict__.get("comment")
            if comment:
                self._comment(comment)
            self.visit(node)
            previous = node
        self.indentation -= 1

    def _comment(self, comment: str | list[str]) -> None:
        lines = comment.splitlines() if isinstance(comment, str) else comment
        room = max(40, COMMENT_WIDTH - 4 * self.indentation - 2)
        for line in lines:
            parts = (
                textwrap.wrap(line, room, subsequent_indent="    ", break_long_words=False)
                if len(line) > room
                else [line]
            )
            for part in parts or [""]:
                self.statement(None, f"# {part}".rstrip())

    def _lines(self, lines: list[str]) -> None:
        """Write lines that hold their indentation beyond the current one."""
        for line in lines:
            self.statement(None, line)

    def _fit(self, head: str, node: Any, tail: str = "", level: int = TUPLE) -> None:
        """Write `head node tail` as one statement, broken into lines when it is too long for one."""
        text = head + self.expr(node, level) + tail
        if len(text) + 4 * self.indentation <= WIDTH:
            self.statement(None, text)
        else:
            self._lines(self._lay(0, head, node, tail, level, False))

    def _target(self, node: Any) -> str:
        return self.expr(node, TUPLE)

    def visit_Assign(self, node: Any) -> None:
        head = "".join(self._target(target) + " = " for target in node.targets)
        self._fit(head, node.value)

    def visit_AugAssign(self, node: Any) -> None:
        self._fit(f"{self._target(node.target)} {_BINARY[type(node.op).__name__][0]}= ", node.value)

    def visit_AnnAssign(self, node: Any) -> None:
        target = self._target(node.target)
        if isinstance(node.target, gast.Name) and not node.simple:
            target = f"({target})"
        head = f"{target}: {self.expr(node.annotation, TEST)}"
        if node.value is None:
            self.statement(None, head)
        else:
            self._fit(head + " = ", node.value)

    def visit_Return(self, node: Any) -> None:
        if node.value is None:
            self.statement(None, "return")
        else:
            self._fit("return ", node.value)

    def visit_Expr(self, node: Any) -> None:
        value = node.value
        if isinstance(value, gast.Constant) and isinstance(value.value, str):
            self.statement(None, _docstring(value.value))
        else:
            self._fit("", value)

    def visit_Delete(self, node: Any) -> None:
        self.statement(None, "del " + ", ".join(self.expr(t, TEST) for t in node.targets))

    def visit_Raise(self, node: Any) -> None:
        if node.exc is None:
            self.statement(None, "raise")
        else:
            self._fit(
                "raise ", node.exc, f" from {self.expr(node.cause, TEST)}" if node.cause is not None else "", TEST
            )

    def visit_Assert(self, node: Any) -> None:
        self._fit("assert ", node.test, f", {self.expr(node.msg, TEST)}" if node.msg is not None else "", TEST)

    def visit_If(self, node: Any) -> None:
        word = "if "
        while True:
            self._fit(word, node.test, ":", NAMED)
            self.body(node.body)
            rest = node.orelse
            if not (len(rest) == 1 and isinstance(rest[0], gast.If) and not rest[0].__dict__.get("comment")):
                break
            node, word = rest[0], "elif "
        self.else_body(rest)

    def visit_For(self, node: Any, is_async: bool = False) -> None:
        self._fit(f"{'async ' if is_async else ''}for {self._target(node.target)} in ", node.iter, ":")
        self.body_or_else(node)

    def visit_While(self, node: Any) -> None:
        self._fit("while ", node.test, ":", NAMED)
        self.body_or_else(node)

    def else_body(self, elsewhat: list[Any]) -> None:
        if elsewhat:
            self.statement(None, "else:")
            self.body(elsewhat)

    def visit_With(self, node: Any, is_async: bool = False) -> None:
        items = [
            self.expr(item.context_expr, TEST)
            + (f" as {self.expr(item.optional_vars, TEST)}" if item.optional_vars is not None else "")
            for item in node.items
        ]
        self.statement(None, f"{'async ' if is_async else ''}with {', '.join(items)}:")
        self.body(node.body)

    def visit_Try(self, node: Any) -> None:
        self._try(node, "except")

    def visit_TryStar(self, node: Any) -> None:
        self._try(node, "except*")

    def _try(self, node: Any, word: str) -> None:
        self.statement(None, "try:")
        self.body(node.body)
        for handler in node.handlers:
            kind = f" {self.expr(handler.type, TEST)}" if handler.type is not None else ""
            bound = handler.name.id if isinstance(handler.name, gast.Name) else handler.name
            self.statement(None, f"{word}{kind}{f' as {bound}' if bound else ''}:")
            self.body(handler.body)
        self.else_body(node.orelse)
        if node.finalbody:
            self.statement(None, "finally:")
            self.body(node.finalbody)

    def visit_Match(self, node: Any) -> None:
        self._fit("match ", node.subject, ":")
        self.indentation += 1
        for case in node.cases:
            guard = f" if {self.expr(case.guard, NAMED)}" if case.guard is not None else ""
            self.statement(None, f"case {self._pattern(case.pattern, True)}{guard}:")
            self.body(case.body)
        self.indentation -= 1

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        for decorator in node.decorator_list:
            self._fit("@", decorator, level=NAMED)
        head = f"{'async ' if is_async else ''}def {node.name}("
        tail = f") -> {self.expr(node.returns, TEST)}:" if node.returns is not None else "):"
        if getattr(node, "type_params", None):
            head = head[:-1] + f"[{', '.join(_as_python(p) for p in node.type_params)}]("
        self._signature(head, self._parameters(node.args), tail)
        self.body(node.body)

    def visit_ClassDef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self._fit("@", decorator, level=NAMED)
        parts = [self.expr(base, TEST) for base in node.bases]
        parts += [self._keyword(k) for k in node.keywords]
        self._signature(f"class {node.name}" + ("(" if parts else ""), parts, "):" if parts else ":")
        self.body(node.body)

    def visit_Import(self, node: Any) -> None:
        self._signature("import ", [_alias(a) for a in node.names], "")

    def visit_ImportFrom(self, node: Any) -> None:
        names = [_alias(a) for a in node.names]
        head = f"from {'.' * (node.level or 0)}{node.module or ''} import "
        if len(head) + len(", ".join(names)) + 4 * self.indentation > WIDTH:
            self._signature(head + "(", names, ")")
        else:
            self.statement(None, head + ", ".join(names))

    def visit_Global(self, node: Any) -> None:
        self.statement(None, "global " + ", ".join(node.names))

    def visit_Nonlocal(self, node: Any) -> None:
        self.statement(None, "nonlocal " + ", ".join(node.names))

    def _signature(self, head: str, parts: list[str], tail: str) -> None:
        """`head a, b, c tail`, with the parts on lines of their own where it is too long."""
        text = head + ", ".join(parts) + tail
        room = WIDTH - 4 * self.indentation
        if len(text) <= room or not parts:
            self.statement(None, text)
        elif len(", ".join(parts)) + 4 <= room:
            # No comma behind the last one: behind *args it would be allowed, behind a lone * not.
            self._lines([head, "    " + ", ".join(parts), tail])
        else:
            ends = ["," if i < len(parts) - 1 or not part.startswith("*") else "" for i, part in enumerate(parts)]
            self._lines([head, *("    " + part + end for part, end in zip(parts, ends, strict=True)), tail])

    def _parameters(self, a: Any) -> list[str]:
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

    # Layout of long expressions

    def _lay(self, indent: int, head: str, node: Any, tail: str, level: int, inside: bool) -> list[str]:
        """`head node tail` on as many lines as it needs.

        Args:
            indent: columns beyond the current indentation.
            level: how tightly the place binds.
            inside: the place is between brackets, so that a line may end anywhere.
        """
        text, binds = self._render(node)
        bracket = binds < level
        flat = f"{head}({text}){tail}" if bracket else head + text + tail
        pad = " " * indent
        room = WIDTH - 4 * self.indentation
        if indent + len(flat) <= room:
            return [pad + flat]
        kind = type(node).__name__
        if bracket or (kind in _CHAINS and not inside):
            if not bracket and kind not in _CHAINS:
                return [pad + flat]
            opened = [pad + head + "("]
            return [*opened, *self._lay(indent + 4, "", node, "", NAMED, True), pad + ")" + tail]
        if kind in _CHAINS:
            parts = self._chain(node)
            lines: list[str] = []
            for i, (operator, part, part_level) in enumerate(parts):
                start = operator if i else head
                end = tail if i == len(parts) - 1 else ""
                lines += self._lay(indent, start, part, end, part_level, True)
            return lines
        if kind == "UnaryOp" and not isinstance(node.op, gast.Not):
            return self._lay(indent, head + _UNARY[type(node.op).__name__], node.operand, tail, FACTOR, inside)
        if kind == "Starred":
            return self._lay(indent, head + "*", node.value, tail, BIT_OR, inside)
        if kind in ("Attribute", "Subscript", "Call"):
            # What hangs on a long value goes behind its closing bracket: f(\n    x\n)[0].
            value = node.value if kind != "Call" else getattr(node.func, "value", None)
            short = value is not None and isinstance(value, (gast.Call, gast.Subscript, gast.Attribute))
            start = self.expr(value, ATOM) if short else ""
            if short and (kind == "Attribute" or len(text) - len(start) < 20 or indent + len(head + start) > room):
                return self._lay(indent, head, value, text[len(start) :] + tail, ATOM, inside)
        opened_parts = self._bracketed(node)
        if opened_parts is None:
            return [pad + flat]
        before, items, after = opened_parts
        if not items:
            return [pad + flat]
        texts = [name + self.expr(item, at) for name, item, at in items]
        joined = ", ".join(texts) + ("," if kind == "Tuple" and len(items) == 1 else "")
        if indent + 4 + len(joined) <= room:
            return [pad + head + before, pad + "    " + joined, pad + after + tail]
        comma = "," if kind not in ("ListComp", "GeneratorExp", "SetComp", "Subscript") or len(items) > 1 else ""
        lines = [pad + head + before]
        for name, item, at in items:
            lines += self._lay(indent + 4, name, item, comma, at, True)
        return [*lines, pad + after + tail]

    def _chain(self, node: Any) -> list[tuple[str, Any, int]]:
        """The operands of an operator chain: the operator before each, itself, how tightly it has to bind."""
        kind = type(node).__name__
        if kind == "BoolOp":
            word, level = ("and ", NOT) if isinstance(node.op, gast.And) else ("or ", AND)
            return [(word, value, level) for value in node.values]
        if kind == "Compare":
            operators = [""] + [_COMPARE[type(o).__name__] + " " for o in node.ops]
            return [(o, v, BIT_OR) for o, v in zip(operators, [node.left, *node.comparators], strict=True)]
        if kind == "IfExp":
            return [("", node.body, OR), ("if ", node.test, OR), ("else ", node.orelse, TEST)]
        symbol, level = _BINARY[type(node.op).__name__]
        if level == POWER:
            return [("", node.left, AWAIT), ("** ", node.right, FACTOR)]
        parts = [(symbol + " ", node.right, level + 1)]
        left = node.left
        while isinstance(left, gast.BinOp) and _BINARY[type(left.op).__name__][1] == level:
            parts.append((_BINARY[type(left.op).__name__][0] + " ", left.right, level + 1))
            left = left.left
        return [("", left, level), *parts[::-1]]

    def _bracketed(self, node: Any) -> tuple[str, list[tuple[str, Any, int]], str] | None:
        """A node that ends in brackets: the text up to the opening one, what is between, the closing one."""
        kind = type(node).__name__
        if kind == "Call":
            items = [("", a, TEST) for a in node.args]
            items += [(f"{k.arg}=" if k.arg else "**", k.value, TEST) for k in node.keywords]
            if len(items) == 1 and isinstance(node.args[0] if node.args else None, gast.GeneratorExp):
                return None
            return self.expr(node.func, ATOM) + "(", items, ")"
        if kind == "Subscript":
            elements = node.slice.elts if isinstance(node.slice, gast.Tuple) and len(node.slice.elts) > 1 else None
            if elements is None:
                return None
            return self.expr(node.value, ATOM) + "[", [("", e, TEST) for e in elements], "]"
        if kind in ("List", "Set"):
            return "[{"[kind == "Set"], [("", e, TEST) for e in node.elts], "]}"[kind == "Set"]
        if kind == "Tuple":
            return "(", [("", e, TEST) for e in node.elts], ")"
        if kind == "Dict":
            pairs = [
                (f"{self.expr(k, TEST)}: " if k is not None else "**", v, TEST if k is not None else BIT_OR)
                for k, v in zip(node.keys, node.values, strict=True)
            ]
            return "{", pairs, "}"
        return None

    # Expressions

    def expr(self, node: Any, level: int) -> str:
        """An expression on one line, in parentheses when it binds less tightly than `level`."""
        text, binds = _RENDER[type(node).__name__](self, node)
        return f"({text})" if binds < level else text

    def _render(self, node: Any) -> _Rendered:
        return _RENDER[type(node).__name__](self, node)

    def _name(self, node: Any) -> _Rendered:
        name: str = node.id
        return name, ATOM

    def _constant(self, node: Any) -> _Rendered:
        return self._value(node.value)

    def _value(self, value: Any) -> _Rendered:
        kind = type(value)
        if kind is float:
            if math.isfinite(value):
                return repr(value), FACTOR if math.copysign(1.0, value) < 0.0 else ATOM
            return (f'float("{value!r}")' if not self._in_string else f"float('{value!r}')"), ATOM
        if kind is int:
            return repr(value), FACTOR if value < 0 else ATOM
        if kind is str:
            return _quoted(value, self._in_string), ATOM
        if value is ...:
            return "...", ATOM
        if kind is complex:
            if value.real == 0.0 and math.copysign(1.0, value.real) > 0.0 and 0.0 <= value.imag < math.inf:
                return repr(value), ATOM
            return f"complex({self._value(value.real)[0]}, {self._value(value.imag)[0]})", ATOM
        if kind is tuple:
            texts = [self._value(v)[0] for v in value]
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", ATOM
        if kind is frozenset:
            return (
                f"frozenset({{{', '.join(sorted(self._value(v)[0] for v in value))}}})" if value else "frozenset()",
                ATOM,
            )
        return repr(value), ATOM

    def _binop(self, node: Any) -> _Rendered:
        symbol, level = _BINARY[type(node.op).__name__]
        if level == POWER:
            left, right = self.expr(node.left, AWAIT), self.expr(node.right, FACTOR)
            tight = _is_simple(node.left) and _is_simple(node.right)
            return f"{left}**{right}" if tight else f"{left} ** {right}", POWER
        return f"{self.expr(node.left, level)} {symbol} {self.expr(node.right, level + 1)}", level

    def _unaryop(self, node: Any) -> _Rendered:
        if isinstance(node.op, gast.Not):
            return f"not {self.expr(node.operand, NOT)}", NOT
        return _UNARY[type(node.op).__name__] + self.expr(node.operand, FACTOR), FACTOR

    def _boolop(self, node: Any) -> _Rendered:
        word, level = (" and ", AND) if isinstance(node.op, gast.And) else (" or ", OR)
        return word.join([self.expr(v, level + 1) for v in node.values]), level

    def _comparison(self, node: Any) -> _Rendered:
        text = self.expr(node.left, BIT_OR)
        for op, right in zip(node.ops, node.comparators, strict=True):
            text += f" {_COMPARE[type(op).__name__]} {self.expr(right, BIT_OR)}"
        return text, COMPARE

    def _call(self, node: Any) -> _Rendered:
        function = self.expr(node.func, ATOM)
        args = node.args
        if len(args) == 1 and not node.keywords and isinstance(args[0], gast.GeneratorExp):
            return function + self._render(args[0])[0], ATOM
        parts = [self.expr(a, TEST) for a in args]
        if node.keywords:
            parts += [self._keyword(k) for k in node.keywords]
        return f"{function}({', '.join(parts)})", ATOM

    def _keyword(self, k: Any) -> str:
        return f"{k.arg}={self.expr(k.value, TEST)}" if k.arg else f"**{self.expr(k.value, TEST)}"

    def _attribute(self, node: Any) -> _Rendered:
        value = node.value
        text = self.expr(value, ATOM)
        if isinstance(value, gast.Constant) and type(value.value) is int and text[0] != "(":
            text = f"({text})"
        return f"{text}.{node.attr}", ATOM

    def _subscript(self, node: Any) -> _Rendered:
        index = node.slice
        if isinstance(index, gast.Tuple) and index.elts:
            inner = ", ".join([self.expr(e, TEST) for e in index.elts]) + ("," if len(index.elts) == 1 else "")
        else:
            inner = self.expr(index, NAMED)
        return f"{self.expr(node.value, ATOM)}[{inner}]", ATOM

    def _slice(self, node: Any) -> _Rendered:
        bounds = (node.lower, node.upper, node.step)
        lower, upper, step = ("" if b is None else self.expr(b, TEST) for b in bounds)
        gap = "" if all(b is None or _is_bound(b) for b in bounds) else " "
        text = lower + (gap if lower else "") + ":" + (gap if upper else "") + upper
        if step:
            text += (gap if upper else "") + ":" + gap + step
        return text, TEST

    def _tuple(self, node: Any) -> _Rendered:
        if not node.elts:
            return "()", ATOM
        inner = ", ".join([self.expr(e, TEST) for e in node.elts])
        return (inner + "," if len(node.elts) == 1 else inner), TUPLE

    def _list(self, node: Any) -> _Rendered:
        return f"[{', '.join([self.expr(e, TEST) for e in node.elts])}]", ATOM

    def _set(self, node: Any) -> _Rendered:
        return (f"{{{', '.join([self.expr(e, TEST) for e in node.elts])}}}" if node.elts else "{*()}"), ATOM

    def _dict(self, node: Any) -> _Rendered:
        parts = [
            f"**{self.expr(v, BIT_OR)}" if k is None else f"{self.expr(k, TEST)}: {self.expr(v, TEST)}"
            for k, v in zip(node.keys, node.values, strict=True)
        ]
        return f"{{{', '.join(parts)}}}", ATOM

    def _generators(self, node: Any) -> str:
        text = ""
        for g in node.generators:
            text += f"{' async' if g.is_async else ''} for {self._target(g.target)} in {self.expr(g.iter, OR)}"
            text += "".join(f" if {self.expr(test, OR)}" for test in g.ifs)
        return text

    def _listcomp(self, node: Any) -> _Rendered:
        return f"[{self.expr(node.elt, TEST)}{self._generators(node)}]", ATOM

    def _setcomp(self, node: Any) -> _Rendered:
        return f"{{{self.expr(node.elt, TEST)}{self._generators(node)}}}", ATOM

    def _genexp(self, node: Any) -> _Rendered:
        return f"({self.expr(node.elt, TEST)}{self._generators(node)})", ATOM

    def _dictcomp(self, node: Any) -> _Rendered:
        pair = f"{self.expr(node.key, TEST)}: {self.expr(node.value, TEST)}"
        return f"{{{pair}{self._generators(node)}}}", ATOM

    def _ifexp(self, node: Any) -> _Rendered:
        body, test, other = self.expr(node.body, OR), self.expr(node.test, OR), self.expr(node.orelse, TEST)
        return f"{body} if {test} else {other}", TEST

    def _lambda(self, node: Any) -> _Rendered:
        parameters = ", ".join(self._parameters(node.args))
        return f"lambda{' ' if parameters else ''}{parameters}: {self.expr(node.body, TEST)}", TEST

    def _starred(self, node: Any) -> _Rendered:
        return "*" + self.expr(node.value, BIT_OR), TEST

    def _namedexpr(self, node: Any) -> _Rendered:
        return f"{self.expr(node.target, ATOM)} := {self.expr(node.value, TEST)}", NAMED

    def _yield(self, node: Any) -> _Rendered:
        return ("yield" if node.value is None else f"yield {self.expr(node.value, TUPLE)}"), YIELD

    def _yieldfrom(self, node: Any) -> _Rendered:
        return f"yield from {self.expr(node.value, TEST)}", YIELD

    def _await(self, node: Any) -> _Rendered:
        return f"await {self.expr(node.value, ATOM)}", AWAIT

    def _joinedstr(self, node: Any) -> _Rendered:
        before, self._in_string = self._in_string, True
        try:
            text = self._interpolated(node)
        finally:
            self._in_string = before
        if text is None or before:
            return _as_python(node), ATOM
        return f'f"{text}"', ATOM

    def _interpolated(self, node: Any) -> str | None:
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
                spec = self._interpolated(value.format_spec)
                if spec is None:
                    return None
                out += ":" + spec
            out += "}"
        return out

    def _unknown(self, node: Any) -> _Rendered:
        return _as_python(node), TUPLE

    # Patterns

    def _pattern(self, node: Any, top: bool = False) -> str:
        """A pattern of a `case`; `top` where it may stand without parentheses."""
        kind = type(node).__name__
        sub = self._pattern
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


_RENDER: dict[str, Callable[[Printer, Any], _Rendered]] = {
    "Name": Printer._name,
    "Constant": Printer._constant,
    "BinOp": Printer._binop,
    "UnaryOp": Printer._unaryop,
    "BoolOp": Printer._boolop,
    "Compare": Printer._comparison,
    "Call": Printer._call,
    "Attribute": Printer._attribute,
    "Subscript": Printer._subscript,
    "Slice": Printer._slice,
    "Tuple": Printer._tuple,
    "List": Printer._list,
    "Set": Printer._set,
    "Dict": Printer._dict,
    "ListComp": Printer._listcomp,
    "SetComp": Printer._setcomp,
    "GeneratorExp": Printer._genexp,
    "DictComp": Printer._dictcomp,
    "IfExp": Printer._ifexp,
    "Lambda": Printer._lambda,
    "Starred": Printer._starred,
    "NamedExpr": Printer._namedexpr,
    "Yield": Printer._yield,
    "YieldFrom": Printer._yieldfrom,
    "Await": Printer._await,
    "JoinedStr": Printer._joinedstr,
    "TemplateStr": Printer._unknown,
}


def _as_python(node: Any) -> str:
    """An expression as Python's own unparser spells it."""
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node)))


def _alias(a: Any) -> str:
    return f"{a.name} as {a.asname}" if a.asname else str(a.name)


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


def _quoted(value: str, in_string: bool) -> str:
    """A string literal: in double quotes where that needs no escapes; in single quotes inside an f-string."""
    text = repr(value)
    if in_string or text[0] == '"' or '"' in value:
        return text
    return f'"{text[1:-1]}"'


def _docstring(value: str) -> str:
    """A string statement: in triple double quotes as it was written, where that says the same."""
    text = f'"""{value}"""'
    try:
        same = ast.literal_eval(text) == value and all(c.isprintable() or c in "\n\t" for c in value)
    except (SyntaxError, ValueError):
        same = False
    return text if same else _quoted(value, False)
