"""Elementwise rules: the partial derivative of a function with respect to each argument."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.expansion.binding import bind
from s2sad.expansion.operand import Part
from s2sad.expansion.running import Run
from s2sad.knowledge.rule import RuleError, Template


def partials(run: Run, template: Template) -> list[tuple[Part, Any]]:
    """The active arguments and their partial derivatives."""
    context = run.context
    bind(context, template)
    returned = run.run(template.body)
    if not isinstance(returned, gast.AST):
        raise RuleError(f"{template.place}: the template of {context.rule.name} returns no partial derivative")
    parts = [context.env[p.name] for p in template.parameters]
    found = list(returned.elts) if isinstance(returned, gast.Tuple) and len(parts) > 1 else [returned]
    pairs = []
    for i, part in enumerate(parts):
        if not context.is_active(part):
            continue
        if i >= len(found):
            name = template.parameters[i].name
            raise context.refuse(f"it has no derivative with respect to its argument {name}")
        value = run.writer.emit(found[i])
        if isinstance(value, gast.Constant) and value.value is None:
            name = template.parameters[i].name
            raise context.refuse(f"it has no derivative with respect to its argument {name}")
        pairs.append((part, value))
    return pairs


def merged(pairs: list[tuple[Part, Any]]) -> list[tuple[Part, Any]]:
    """Partials of the same operand, given twice (x * x), added."""
    out: list[tuple[Part, Any]] = []
    for part, partial in pairs:
        for i, (other, first) in enumerate(out):
            if isinstance(part.expr, gast.Name) and other.text == part.text:
                if gast.unparse(first) == gast.unparse(partial):
                    both = gast.BinOp(gast.Constant(2.0, None), gast.Mult(), first)
                else:
                    both = gast.BinOp(first, gast.Add(), partial)
                out[i] = (other, both)
                break
        else:
            out.append((part, partial))
    return out
