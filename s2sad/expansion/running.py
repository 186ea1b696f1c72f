"""The statements of a template, run for one call."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import assign, load
from s2sad.expansion.context import Context, Local
from s2sad.expansion.contributions import Contributions
from s2sad.expansion.fit import as_literal, kind_of, smaller
from s2sad.expansion.known import decide
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.refusal import NoDerivative
from s2sad.expansion.writer import Writer
from s2sad.expansion.zero import ZERO, is_zero
from s2sad.kinds.kind import Array, ListOf, Tuple, Unknown


class Run:
    """A template that runs: conditions and loops are decided, what is assigned is written, or contributed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.writer = Writer(context)
        self.contributions = Contributions(context)
        #: what a forward rule assigned to `d[y]`
        self.result: Any = None

    def run(self, body: list[Any]) -> Any:
        """Run statements; the value of a return statement, or None."""
        for statement in body:
            if isinstance(statement, gast.If):
                block = statement.body if decide(self.context, statement.test) else statement.orelse
                returned = self.run(block)
                if returned is not None:
                    return returned
            elif isinstance(statement, gast.For):
                for item in decide(self.context, statement.iter):
                    self.bind_target(statement.target, item)
                    returned = self.run(statement.body)
                    if returned is not None:
                        return returned
            elif isinstance(statement, gast.Return):
                return statement.value if statement.value is not None else gast.Constant(None, None)
            elif isinstance(statement, gast.Assign) and len(statement.targets) == 1:
                self.assign(statement.targets[0], statement.value)
            elif isinstance(statement, gast.Raise):
                raise self.raised(statement)
            elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
                self.writer.emit(statement.value)  # a macro that refuses
            elif not isinstance(statement, gast.Pass):
                raise self.context.misused(f"a template cannot hold `{str(gast.unparse(statement)).strip()}`")
        return None

    def raised(self, statement: Any) -> NoDerivative:
        reason = statement.exc
        if isinstance(reason, gast.Call) and reason.args:
            return self.context.refuse(*[str(decide(self.context, a)) for a in reason.args])
        raise self.context.misused("a template raises NoDerivative(reason, way out)")

    def bind_target(self, target: Any, value: Any) -> None:
        if isinstance(target, gast.Name):
            self.context.env[target.id] = value
            return
        for part, item in zip(target.elts, value, strict=True):
            self.bind_target(part, item)

    def assign(self, target: Any, value: Any) -> None:
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) and target.value.id == "d":
            self.assign_derivative(target.slice, value)
            return
        if isinstance(target, gast.Tuple):
            result = self.writer.emit(value)
            if isinstance(result, gast.Tuple) and len(result.elts) == len(target.elts):
                for part, item in zip(target.elts, result.elts, strict=True):
                    self.bind_value(part.id, item)
                return
            if isinstance(result, (tuple, list)):
                self.bind_target(target, result)
                return
            names = [self.context.facts.fresh(part.id) for part in target.elts]
            kind = kind_of(result, self.context.facts)
            kinds = kind.items if isinstance(kind, Tuple) else (Unknown(),) * len(names)
            for part, name, k in zip(target.elts, names, kinds, strict=True):
                self.context.facts.kinds[name] = k
                self.context.env[part.id] = Operand(load(name), k)
            pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
            self.context.statements.append(assign(pattern, result))
            return
        if self.writer.carries(value):
            self.writer.carrying.add(target.id)
        self.bind_value(target.id, self.writer.emit(value))

    def bind_value(self, name: str, result: Any) -> None:
        if not isinstance(result, gast.AST):
            self.context.env[name] = result
        elif isinstance(result, gast.Name):
            self.context.env[name] = self.context.operand(result)
        elif isinstance(result, gast.Constant):
            self.context.env[name] = result.value
        else:
            self.context.env[name] = Local(name, self.context.operand(result))

    def assign_derivative(self, which: Any, value: Any) -> None:
        template = self.context.template
        assert template is not None
        if self.context.cotangent is None:
            if isinstance(which, gast.Name) and which.id == template.result:
                result = self.writer.emit(value)
                if isinstance(result, gast.Tuple) and isinstance(self.context.y.kind, Tuple):
                    self.result = [None if is_zero(e) else e for e in result.elts]
                elif isinstance(result, (tuple, list)):
                    self.result = [None if e is ZERO else e if is_reason(e) else as_literal(e) for e in result]
                else:
                    self.result = ZERO if is_zero(result) else as_literal(result) if result is not ZERO else ZERO
                return
            part = decide(self.context, which)
            if isinstance(part, Part):
                self.contributions.covered.add(part.key)
                return
            if isinstance(which, gast.Name) and which.id in self.context.env:
                return  # its value is known
            raise self.context.misused("a forward rule assigns d[y]")
        part = decide(self.context, which)
        if isinstance(part, list):
            if not any(isinstance(p, Part) for p in part):
                return  # a list of constants
            if not all(isinstance(p, Part) for p in part):
                raise self.context.misused("d[...] of something that is no argument")
            self.contributions.add_each(part, self.writer.emit(value))
            return
        if not isinstance(part, Part):
            if isinstance(which, gast.Call) or (isinstance(which, gast.Name) and which.id in self.context.env):
                return  # an argument that was left to its default
            raise self.context.misused("d[...] of something that is no argument")
        if not self.context.is_active(part):
            return
        if part.key not in self.context.active:
            self.contributions.add_each(list(part), self.writer.emit(value))
            return
        self.contributions.covered.add(part.key)
        self.contributions.add(
            part, self.made_for(part, value) if self.writer.is_macro(value) else self.writer.emit(value)
        )

    def made_for(self, part: Part, call: Any) -> Any:
        """What a macro makes as a contribution: its lengths may be beyond inference, but the macro knows them."""
        made = self.writer.macro_call(call)
        if not isinstance(made, Operand) or isinstance(made.kind, ListOf):
            return made
        found = self.context.operand(made.expr)
        if made.shape != part.shape or found.ndim != part.ndim or found.dtype is None or smaller(found.kind, part.kind):
            return found
        return Operand(made.expr, Array(found.dtype, part.shape)) if part.ndim else found


def is_reason(value: Any) -> bool:
    """Is it the reason why a part of a result has no tangent?"""
    return isinstance(value, NoDerivative)
