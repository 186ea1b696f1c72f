"""Trees to source, as a person would have typed it: astor's generator with the layout rules of the common formatter.

astor writes statements, indentation and blank lines; expressions are rendered by `inline` and `layout`, because
generated code is mostly expressions and has to be printed fast, without needless parentheses, and broken where a line
gets long.

>>> import gast
>>> print(source(gast.parse("y = ((x ** 2) * (-1.0)) + A[(i-1), 1:(-1)]").body), end="")
y = x**2 * -1.0 + A[i - 1, 1:-1]
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from typing import Any

import gast

from s2sad.emit.binding import BINARY, NAMED, TEST, TUPLE
from s2sad.emit.inline import Inline, as_python, keyword_text, quoted
from s2sad.emit.layout import WIDTH, Layout

with warnings.catch_warnings():  # astor looks up names that newer Pythons have deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor

#: comments quote the user's lines, and are let run on a little
COMMENT_WIDTH = 120


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
    return Inline().expr(node, NAMED)


class Printer(astor.SourceGenerator):  # type: ignore[misc]
    """astor's source generator for gast trees, with its own expressions, and long lines broken at WIDTH columns.

    A statement's attribute `comment` (a string or a list of lines) is printed above it.
    """

    def __init__(self) -> None:
        super().__init__(" " * 4)
        self.inline = Inline()
        self.layout = Layout(self.inline)

    def visit(self, node: Any, abort: Any = None) -> None:
        """Print a statement, or an expression in the place where astor has one."""
        method = getattr(self, "visit_" + type(node).__name__, None) if isinstance(node, gast.stmt) else None
        if method is not None:
            method(node)
        elif isinstance(node, gast.expr):
            self.write(self.inline.expr(node, TEST))
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
        text = head + self.inline.expr(node, level) + tail
        if len(text) + 4 * self.indentation <= WIDTH:
            self.statement(None, text)
        else:
            self._lines(self.layout.lines(WIDTH - 4 * self.indentation, 0, head, node, tail, level, False))

    def visit_Assign(self, node: Any) -> None:
        head = "".join(self.inline.target(target) + " = " for target in node.targets)
        self._fit(head, node.value)

    def visit_AugAssign(self, node: Any) -> None:
        self._fit(f"{self.inline.target(node.target)} {BINARY[type(node.op).__name__][0]}= ", node.value)

    def visit_AnnAssign(self, node: Any) -> None:
        target = self.inline.target(node.target)
        if isinstance(node.target, gast.Name) and not node.simple:
            target = f"({target})"
        head = f"{target}: {self.inline.expr(node.annotation, TEST)}"
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
        self.statement(None, "del " + ", ".join(self.inline.expr(t, TEST) for t in node.targets))

    def visit_Raise(self, node: Any) -> None:
        if node.exc is None:
            self.statement(None, "raise")
        else:
            self._fit(
                "raise ",
                node.exc,
                f" from {self.inline.expr(node.cause, TEST)}" if node.cause is not None else "",
                TEST,
            )

    def visit_Assert(self, node: Any) -> None:
        self._fit("assert ", node.test, f", {self.inline.expr(node.msg, TEST)}" if node.msg is not None else "", TEST)

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
        self._fit(f"{'async ' if is_async else ''}for {self.inline.target(node.target)} in ", node.iter, ":")
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
            self.inline.expr(item.context_expr, TEST)
            + (f" as {self.inline.expr(item.optional_vars, TEST)}" if item.optional_vars is not None else "")
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
            kind = f" {self.inline.expr(handler.type, TEST)}" if handler.type is not None else ""
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
            guard = f" if {self.inline.expr(case.guard, NAMED)}" if case.guard is not None else ""
            self.statement(None, f"case {self.inline.pattern(case.pattern, True)}{guard}:")
            self.body(case.body)
        self.indentation -= 1

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        for decorator in node.decorator_list:
            self._fit("@", decorator, level=NAMED)
        head = f"{'async ' if is_async else ''}def {node.name}("
        tail = f") -> {self.inline.expr(node.returns, TEST)}:" if node.returns is not None else "):"
        if getattr(node, "type_params", None):
            head = head[:-1] + f"[{', '.join(as_python(p) for p in node.type_params)}]("
        self._signature(head, self.inline.parameters(node.args), tail)
        self.body(node.body)

    def visit_ClassDef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self._fit("@", decorator, level=NAMED)
        parts = [self.inline.expr(base, TEST) for base in node.bases]
        parts += [keyword_text(self.inline, k) for k in node.keywords]
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


def _alias(a: Any) -> str:
    return f"{a.name} as {a.asname}" if a.asname else str(a.name)


def _docstring(value: str) -> str:
    """A string statement: in triple double quotes as it was written, where that says the same."""
    text = f'"""{value}"""'
    try:
        same = ast.literal_eval(text) == value and all(c.isprintable() or c in "\n\t" for c in value)
    except (SyntaxError, ValueError):
        same = False
    return text if same else quoted(value, False)
