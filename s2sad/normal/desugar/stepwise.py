"""A `try` statement by statement: each one that may raise stands in a try of its own.

    try:                          try: t = 1 / x
        log.append(1 / x)         except ZeroDivisionError: caught = 1
        y = 1 / (x - 1)    ->     else:
    except ZeroDivisionError:         log.append(t)
        y = 0.0                       try: y = 1 / (x - 1)
                                      except ZeroDivisionError: caught = 1
                                  if caught == 1: y = 0.0

That is done where the body may stop when something has happened already: what has happened stays so, and how far it
came is control flow like any other. These are rewritings of the user's tree alone.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Sequence
from typing import Any

import gast

from s2sad.core import INVENTED, clone, walk
from s2sad.kinds.kind import Unknown
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.desugar.jumps import has_jump, invented, name, placed
from s2sad.normal.values.abstract import Known, Leaf

#: statements that raise nothing themselves
_BARE = (gast.Pass, gast.Break, gast.Continue, gast.Global, gast.Nonlocal, gast.FunctionDef)
_JUMPS = (gast.Return, gast.Break, gast.Continue)
#: a handler of so many statements at most is written once for each statement that may raise
_SHORT = 4


class _Whole(Exception):
    """A try that is not taken apart."""


@dataclasses.dataclass
class _Guard:
    """A try around a statement."""

    handlers: list[Any]
    #: the variable that says which handler is to run, and the one for the exception
    flag: str
    error: str
    #: how many loops of the function's tree were open before it
    loops: int
    #: what is done for an exception, where that is not left to what stands behind: for each handler its statements
    bodies: list[list[Any]] | None = None
    final: bool = False


@dataclasses.dataclass
class _Part:
    """Statements that are guarded one by one."""

    statements: list[Any]
    #: the flags that may be set where control reaches their end, and all that may be set
    falls: set[str] = dataclasses.field(default_factory=set)
    raised: set[str] = dataclasses.field(default_factory=set)


def stepwise(node: Any, raising: Collection[int] | None = None) -> list[Any] | None:
    """The statements that a try is, one step at a time; None where it is taken as a whole.

    Args:
        raising: which statements of the body may raise, where that is known.

    >>> import astor
    >>> tree = gast.parse("try:\\n    u[0] = x\\n    u[1] = 1 / x\\nexcept ZeroDivisionError:\\n    u[2] = x").body[0]
    >>> print(astor.to_source(gast.gast_to_ast(gast.Module(stepwise(tree, {1}), []))).strip())
    u[0] = x
    try:
        u[1] = 1 / x
    except ZeroDivisionError:
        u[2] = x
    """
    only = node.body[0]
    if len(node.body) == 1 and not isinstance(only, (gast.If, gast.For, gast.While, gast.Try, gast.With)):
        return None
    try:
        made = _Steps().attempt(node, (), 0, raising).statements
    except _Whole:
        return None
    return None if any(isinstance(s, gast.Try) and s.body == node.body for s in made) else made  # it is one step


def split(body: list[Any]) -> list[Any]:
    """Statements in smaller ones: what is computed for a call, a store or a return comes first.

    >>> print(gast.unparse(gast.Module(split(gast.parse("log.append(1 / x)\\nprint(y)").body), [])).strip())
    value\u00aa1\u00aa0 = 1 / x
    log.append(value\u00aa1\u00aa0)
    print(y)
    """
    return [part for statement in body for part in _pieces(statement)]


def _pieces(statement: Any) -> list[Any]:
    first: list[Any] = []

    def held(value: Any) -> Any:
        if isinstance(value, (gast.Name, gast.Constant, gast.Lambda)):
            return value
        kept = f"{invented('value', statement)}{INVENTED}{len(first)}"
        first.append(gast.copy_location(gast.Assign([name(kept, True)], value, None), statement))
        return name(kept)

    new = statement
    value = getattr(statement, "value", None)
    if isinstance(statement, gast.Expr) and isinstance(value, gast.Call):
        starred = any(isinstance(a, gast.Starred) for a in value.args) or any(k.arg is None for k in value.keywords)
        if starred or not isinstance(value.func, (gast.Name, gast.Attribute)):
            return [statement]
        args = [held(a) for a in value.args]
        keywords = [gast.keyword(k.arg, held(k.value)) for k in value.keywords]
        new = gast.Expr(gast.copy_location(gast.Call(value.func, args, keywords), value))
    elif isinstance(statement, gast.Return) and value is not None:
        new = gast.Return(held(value))
    elif isinstance(statement, gast.Assign) and isinstance(statement.targets[-1], (gast.Subscript, gast.Attribute)):
        new = gast.Assign(statement.targets, held(value), None)
    return placed([*first, gast.copy_location(new, statement)], statement) if first else [statement]


def names_its_exception(handler: Any, node: Any) -> Any:
    """A handler whose `raise` says what it raises: it runs where nothing is being handled any more."""
    if not any(_bare_raises(handler.body)):
        return handler
    new = clone(handler)
    if new.name is None:
        new.name = name(invented("error", node), True)
        new.type = new.type or Bound(Known(BaseException))
    for statement in _bare_raises(new.body):
        statement.exc = name(_identifier(new.name))
        placed([statement], statement)
    return new


def _bare_raises(body: list[Any]) -> Any:
    for statement in body:
        if isinstance(statement, gast.Raise) and statement.exc is None:
            yield statement
        elif not isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            for block in _blocks(statement):  # (in a handler inside, another exception is meant)
                yield from _bare_raises(block)


def _blocks(statement: Any) -> list[list[Any]]:
    blocks = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    cases = [case.body for case in getattr(statement, "cases", None) or ()]
    return [b for b in [*blocks, *cases] if isinstance(b, list) and b and isinstance(b[0], gast.stmt)]


def returns_behind(node: Any) -> list[Any] | None:
    """A try that ends with a return on each path, with one return behind it; None for others.

    >>> made = returns_behind(gast.parse("try:\\n  return f(x)\\nfinally:\\n  close()").body[0])
    >>> print(gast.unparse(gast.Module(made, [])).strip().replace(INVENTED, "_"))
    try:
        returned_1 = f(x)
    finally:
        close()
    return returned_1
    """
    kept = invented("returned", node)

    def ending(body: list[Any]) -> list[Any] | None:
        *first, last = body
        if has_jump(first) or not isinstance(last, (gast.Return, gast.Raise)):
            return None
        if isinstance(last, gast.Raise):
            return body
        value = last.value if last.value is not None else gast.Constant(None, None)
        return [*first, *placed([gast.copy_location(gast.Assign([name(kept, True)], value, None), last)], last)]

    body, orelse = (list(node.body), ending(node.orelse)) if node.orelse else (ending(node.body), [])
    handled = [ending(h.body) for h in node.handlers]
    if body is None or has_jump(body) or orelse is None or any(h is None for h in handled):
        return None
    handlers = [
        gast.copy_location(gast.ExceptHandler(h.type, h.name, b), h)
        for h, b in zip(node.handlers, handled, strict=True)
    ]
    return placed([gast.Try(body, handlers, orelse, node.finalbody), gast.Return(name(kept))], node)


class _Steps:
    """Takes a try apart."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def named(self, word: str, node: Any) -> str:
        return f"{invented(word, node)}{INVENTED}{next(self.numbers)}"

    def attempt(self, node: Any, guards: Sequence[_Guard], loops: int, raising: Collection[int] | None = None) -> _Part:
        """A try inside of others."""
        if node.finalbody and has_jump(node.body + node.orelse + [s for h in node.handlers for s in h.body]):
            behind = returns_behind(node)  # (what is final comes before the jumps)
            if behind is None or not guards:
                raise _Whole
            return self.block(behind, guards, loops)
        handlers = [names_its_exception(h, node) for h in node.handlers]
        own = _Guard(handlers, self.named("caught", node), self.named("error", node), loops, final=bool(node.finalbody))
        handled = [self.block(h.body, guards, loops) for h in handlers]
        after = self.block(node.orelse, guards, loops)
        sites = len(node.body) if raising is None else len(raising)
        straight = not any(isinstance(s, (gast.If, gast.For, gast.While, gast.Try, gast.With)) for s in node.body)
        if straight and (sites - 1) * max((_size(h.statements) for h in handled), default=0) <= _SHORT:
            own.bodies = [h.statements for h in handled]
        body = self.block(node.body, [*guards, own], loops, after, raising)
        falls, raised = body.falls - {own.flag}, body.raised - {own.flag}
        for part in handled:
            falls, raised = falls | part.falls, raised | part.raised
        out = body.statements
        if own.bodies is None and handlers:
            chain: list[Any] = []
            for k in reversed(range(len(handlers))):
                start: list[Any] = []
                if handlers[k].name is not None:
                    start = [gast.Assign([name(_identifier(handlers[k].name), True)], name(own.error), None)]
                test = gast.Compare(name(own.flag), [gast.Eq()], [gast.Constant(k + 1, None)])
                chain = [self.at(gast.If(test, [*start, *handled[k].statements], chain), handlers[k].body[0])]
            out = [_give(own.flag, 0), *out, *chain]
            if any(h.name is not None for h in handlers):
                none = Bound(Leaf(gast.Constant(None, None), Unknown()))
                out.insert(0, gast.Assign([name(own.error, True)], none, None))
        if node.finalbody:
            if not all(isinstance(s, (gast.Assign, gast.AugAssign, gast.Expr, gast.Pass)) for s in node.finalbody):
                raise _Whole
            last = self.block(split(node.finalbody), guards, loops)
            out, falls, raised = [*out, *last.statements], falls | last.falls, raised | last.raised
        return _Part(placed(out, node), falls, raised)

    def block(
        self,
        body: list[Any],
        guards: Sequence[_Guard],
        loops: int,
        tail: _Part | None = None,
        raising: Collection[int] | None = None,
    ) -> _Part:
        """Statements one by one, and behind them what only runs when all are done."""
        if not body:
            return tail or _Part([])
        if not guards:  # what stands in no try
            return self.before(body, tail or _Part([]))
        statement, rest = body[0], body[1:]
        left = None if raising is None else {k - 1 for k in raising}
        bare = isinstance(statement, _BARE) or (isinstance(statement, gast.Return) and _is_plain(statement.value))
        if bare or (raising is not None and 0 not in raising):
            if isinstance(statement, _JUMPS):
                return _Part([statement])
            return self.before([statement], self.block(rest, guards, loops, tail, left))
        if raising is None:
            pieces = split([statement])
            if len(pieces) > 1:
                return self.block([*pieces, *rest], guards, loops, tail)
        hoisted = self.hoisted(statement)
        if hoisted is not None:
            return self.block([*hoisted, *rest], guards, loops, tail)
        after = self.block(rest, guards, loops, tail, left)
        part = self.compound(statement, guards, loops)
        if part is None:
            if isinstance(statement, _JUMPS):
                after = _Part([])
            return self.unit(statement, after, guards, loops)
        if part.falls and loops > 0 and any(g.flag in part.falls and g.loops < loops for g in guards):
            leaving = {g.flag for g in guards if g.flag in part.falls and g.loops < loops}
            part.statements.append(self.at(gast.If(_is_set(leaving), [gast.Break()], []), statement))
            part.falls -= leaving
        if part.falls and after.statements:
            after.statements = [self.at(gast.If(_is_not_set(part.falls), after.statements, []), statement)]
        return _Part(part.statements + after.statements, part.falls | after.falls, part.raised | after.raised)

    def before(self, statements: list[Any], part: _Part) -> _Part:
        return _Part([*statements, *part.statements], part.falls, part.raised)

    def unit(self, statement: Any, after: _Part, guards: Sequence[_Guard], loops: int) -> _Part:
        """A statement in a try of its own, with what follows it in the else."""
        falls, raised = set(after.falls), set(after.raised)
        handlers = []
        held = False  # is there something that is done on each way out between here and the loop?
        seen: set[str] = set()  # what handlers inside are for does not come to those outside
        for guard in reversed(guards):
            for k, handler in enumerate(guard.handlers):
                caught, caught_as = handler.name, _caught_as(handler.type)
                if caught_as in seen or "" in seen:
                    continue
                seen.add(caught_as)
                if guard.bodies is not None:
                    body = clone(guard.bodies[k]) or [gast.Pass()]
                else:
                    body = [_give(guard.flag, k + 1)]
                    if caught is not None:
                        body.append(gast.Assign([name(guard.error, True)], name(_identifier(caught)), None))
                    if guard.loops < loops and not held:
                        body.append(gast.Break())
                    else:
                        falls.add(guard.flag)
                    raised.add(guard.flag)
                handlers.append(gast.ExceptHandler(clone(handler.type), clone(caught), placed(body, statement)))
            held = held or (guard.final and guard.loops == loops)
        return _Part(placed([gast.Try([statement], handlers, after.statements, [])], statement), falls, raised)

    def hoisted(self, statement: Any) -> list[Any] | None:
        """A branch or a loop behind what it asks for, which may raise."""
        if isinstance(statement, gast.If) and not _is_plain(statement.test):
            kept, field = self.named("taken", statement), "test"
        elif isinstance(statement, gast.For) and not _is_plain(statement.iter):
            kept, field = self.named("items", statement), "iter"
        else:
            return None
        new = gast.copy_location(type(statement)(**{f: getattr(statement, f) for f in statement._fields}), statement)
        new.end_lineno = getattr(statement, "end_lineno", statement.lineno)
        first = gast.Assign([name(kept, True)], getattr(statement, field), None)
        setattr(new, field, gast.copy_location(name(kept), getattr(statement, field)))
        return [*placed([gast.copy_location(first, statement)], statement), new]

    def compound(self, s: Any, guards: Sequence[_Guard], loops: int) -> _Part | None:
        """A statement that holds others; None where it is one step."""
        if isinstance(s, gast.If):
            sides = [self.block(s.body, guards, loops), self.block(s.orelse, guards, loops)]
            made = gast.copy_location(gast.If(s.test, sides[0].statements, sides[1].statements), s)
        elif isinstance(s, (gast.For, gast.While)):
            inside, behind = self.block(self.turn(s), guards, loops + 1), self.block(s.orelse, guards, loops)
            sides = [_Part(inside.statements, inside.raised, inside.raised), behind]
            if isinstance(s, gast.For):
                made = gast.For(s.target, s.iter, inside.statements, behind.statements, None)
            else:
                test = s.test if _is_plain(s.test) else gast.Constant(True, None)
                made = gast.While(test, inside.statements, behind.statements)
        elif isinstance(s, gast.Try):
            return self.attempt(s, guards, loops)
        else:
            return None
        gast.copy_location(made, s)
        made.end_lineno = getattr(s, "end_lineno", s.lineno)
        return _Part([made], sides[0].falls | sides[1].falls, sides[0].raised | sides[1].raised)

    def turn(self, loop: Any) -> list[Any]:
        """The body of a loop, which begins with what the loop asks for where that may raise."""
        if isinstance(loop, gast.For) or _is_plain(loop.test):
            return list(loop.body)
        if loop.orelse:
            raise _Whole
        kept = self.named("goes_on", loop)
        first = gast.copy_location(gast.Assign([name(kept, True)], loop.test, None), loop)
        leave = self.at(gast.If(gast.UnaryOp(gast.Not(), name(kept)), [gast.Break()], []), loop)
        return [*placed([first], loop), leave, *loop.body]

    def at(self, statement: Any, node: Any) -> Any:
        """A branch made in the place of a node, which is no place where another one is."""
        gast.copy_location(statement, node)
        statement.col_offset = node.col_offset + 1 + next(self.numbers)
        return placed([statement], node)[0]


def _give(variable: str, value: Any) -> Any:
    return gast.Assign([name(variable, True)], gast.Constant(value, None), None)


def _is_set(flags: set[str]) -> Any:
    return _any_of(gast.NotEq(), gast.Or(), flags)


def _is_not_set(flags: set[str]) -> Any:
    return _any_of(gast.Eq(), gast.And(), flags)


def _any_of(operator: Any, joined: Any, flags: set[str]) -> Any:
    tests = [gast.Compare(name(flag), [operator], [gast.Constant(0, None)]) for flag in sorted(flags)]
    return tests[0] if len(tests) == 1 else gast.BoolOp(joined, tests)


def _caught_as(kind: Any) -> str:
    """A text that tells what handlers are for apart; "" where that is everything."""
    if kind is None:
        return ""
    bound = (n.held.value for n in walk(kind) if isinstance(n, Bound) and isinstance(n.held, Known))
    return " ".join([gast.dump(kind), *(str(id(c)) for c in bound)])


def _size(statements: list[Any]) -> int:
    return sum(isinstance(n, gast.stmt) for s in statements for n in walk(s))


def _identifier(part: Any) -> str:
    return str(getattr(part, "id", part))


#: what is taken to raise nothing for the operands that branches and loops ask
_CALLS = ("range", "enumerate", "zip", "reversed", "len", "isinstance", "abs", "callable")
_METHODS = ("items", "values", "keys")
_PLAIN = (
    gast.Name, gast.Constant, gast.Attribute, gast.Compare, gast.BoolOp, gast.UnaryOp, gast.Tuple, gast.List,
    gast.expr_context, gast.cmpop, gast.boolop, gast.unaryop,
)  # fmt: skip


def _is_plain(expr: Any) -> bool:
    """Is it made of names, comparisons, and calls that raise nothing?"""
    if expr is None:
        return True
    if isinstance(expr, gast.Call):
        func = expr.func
        known = isinstance(func, gast.Name) and func.id in _CALLS
        known = known or (isinstance(func, gast.Attribute) and func.attr in _METHODS and _is_plain(func.value))
        return known and not expr.keywords and all(map(_is_plain, expr.args))
    if isinstance(expr, gast.BinOp):
        return isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult)) and _is_plain(expr.left) and _is_plain(expr.right)
    return isinstance(expr, _PLAIN) and all(_is_plain(part) for part in gast.iter_child_nodes(expr))
