"""Long expressions, laid out on several lines."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.emit.binding import AND, ATOM, AWAIT, BINARY, BIT_OR, COMPARED, FACTOR, NAMED, NOT, OR, POWER, TEST, UNARY
from s2sad.emit.inline import Inline

#: where lines are broken
WIDTH = 100
_CHAINS = ("BinOp", "BoolOp", "Compare", "IfExp")


class Layout:
    """The layout of expressions that are too long for a line."""

    def __init__(self, inline: Inline) -> None:
        self.inline = inline

    def lines(self, room: int, indent: int, head: str, node: Any, tail: str, level: int, inside: bool) -> list[str]:
        """`head node tail` on as many lines as it needs.

        Args:
            room: columns there are, the current indentation not counted.
            indent: columns beyond the current indentation.
            level: how tightly the place binds.
            inside: the place is between brackets, so that a line may end anywhere.
        """
        text, binds = self.inline.render(node)
        bracket = binds < level
        flat = f"{head}({text}){tail}" if bracket else head + text + tail
        pad = " " * indent
        if indent + len(flat) <= room:
            return [pad + flat]
        kind = type(node).__name__
        if bracket or (kind in _CHAINS and not inside):
            if not bracket and kind not in _CHAINS:
                return [pad + flat]
            opened = [pad + head + "("]
            return [*opened, *self.lines(room, indent + 4, "", node, "", NAMED, True), pad + ")" + tail]
        if kind in _CHAINS:
            parts = self.chain(node)
            lines: list[str] = []
            for i, (operator, part, part_level) in enumerate(parts):
                start = operator if i else head
                end = tail if i == len(parts) - 1 else ""
                lines += self.lines(room, indent, start, part, end, part_level, True)
            return lines
        if kind == "UnaryOp" and not isinstance(node.op, gast.Not):
            return self.lines(room, indent, head + UNARY[type(node.op).__name__], node.operand, tail, FACTOR, inside)
        if kind == "Starred":
            return self.lines(room, indent, head + "*", node.value, tail, BIT_OR, inside)
        if kind in ("Attribute", "Subscript", "Call"):
            # What hangs on a long value goes behind its closing bracket: f(\n    x\n)[0].
            value = node.value if kind != "Call" else getattr(node.func, "value", None)
            short = value is not None and isinstance(value, (gast.Call, gast.Subscript, gast.Attribute))
            start = self.inline.expr(value, ATOM) if short else ""
            if short and (kind == "Attribute" or len(text) - len(start) < 20 or indent + len(head + start) > room):
                return self.lines(room, indent, head, value, text[len(start) :] + tail, ATOM, inside)
        opened_parts = self.bracketed(node)
        if opened_parts is None:
            return [pad + flat]
        before, items, after = opened_parts
        if not items:
            return [pad + flat]
        texts = [name + self.inline.expr(item, at) for name, item, at in items]
        joined = ", ".join(texts) + ("," if kind == "Tuple" and len(items) == 1 else "")
        if indent + 4 + len(joined) <= room:
            return [pad + head + before, pad + "    " + joined, pad + after + tail]
        comma = "," if kind not in ("ListComp", "GeneratorExp", "SetComp", "Subscript") or len(items) > 1 else ""
        lines = [pad + head + before]
        for name, item, at in items:
            lines += self.lines(room, indent + 4, name, item, comma, at, True)
        return [*lines, pad + after + tail]

    def chain(self, node: Any) -> list[tuple[str, Any, int]]:
        """The operands of an operator chain: the operator before each, itself, how tightly it has to bind."""
        kind = type(node).__name__
        if kind == "BoolOp":
            word, level = ("and ", NOT) if isinstance(node.op, gast.And) else ("or ", AND)
            return [(word, value, level) for value in node.values]
        if kind == "Compare":
            operators = [""] + [COMPARED[type(o).__name__] + " " for o in node.ops]
            return [(o, v, BIT_OR) for o, v in zip(operators, [node.left, *node.comparators], strict=True)]
        if kind == "IfExp":
            return [("", node.body, OR), ("if ", node.test, OR), ("else ", node.orelse, TEST)]
        symbol, level = BINARY[type(node.op).__name__]
        if level == POWER:
            return [("", node.left, AWAIT), ("** ", node.right, FACTOR)]
        parts = [(symbol + " ", node.right, level + 1)]
        left = node.left
        while isinstance(left, gast.BinOp) and BINARY[type(left.op).__name__][1] == level:
            parts.append((BINARY[type(left.op).__name__][0] + " ", left.right, level + 1))
            left = left.left
        return [("", left, level), *parts[::-1]]

    def bracketed(self, node: Any) -> tuple[str, list[tuple[str, Any, int]], str] | None:
        """A node that ends in brackets: the text up to the opening one, what is between, the closing one."""
        kind = type(node).__name__
        if kind == "Call":
            items = [("", a, TEST) for a in node.args]
            items += [(f"{k.arg}=" if k.arg else "**", k.value, TEST) for k in node.keywords]
            if len(items) == 1 and isinstance(node.args[0] if node.args else None, gast.GeneratorExp):
                return None
            return self.inline.expr(node.func, ATOM) + "(", items, ")"
        if kind == "Subscript":
            elements = node.slice.elts if isinstance(node.slice, gast.Tuple) and len(node.slice.elts) > 1 else None
            if elements is None:
                return None
            return self.inline.expr(node.value, ATOM) + "[", [("", e, TEST) for e in elements], "]"
        if kind in ("List", "Set"):
            return "[{"[kind == "Set"], [("", e, TEST) for e in node.elts], "]}"[kind == "Set"]
        if kind == "Tuple":
            return "(", [("", e, TEST) for e in node.elts], ")"
        if kind == "Dict":
            pairs = [
                (f"{self.inline.expr(k, TEST)}: " if k is not None else "**", v, TEST if k is not None else BIT_OR)
                for k, v in zip(node.keys, node.values, strict=True)
            ]
            return "{", pairs, "}"
        return None
