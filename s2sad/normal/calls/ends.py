"""A call in a `try` that may stop when it has changed something: the function says how it ended.

    try: y = f(x)                      y, caught, error = f_ending(x)
    except E as e: y = 0.0      ->     if caught == 1: y = 0.0

    def f(x):                          def f_ending(x):
        log.append(x)                      try: log.append(x); return 1 / x, 0, None
        return 1 / x                       except E as error: return None, 1, error

The try in the function is taken statement by statement in its turn (`stepwise`), and so are the calls in there: how far
all of it came is control flow like any other. These are rewritings of the user's tree alone.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.analysis.known_calls import dotted
from s2sad.core import INVENTED
from s2sad.kinds.kind import Unknown
from s2sad.normal.desugar.generators import is_generator
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.desugar.jumps import ends_with_jump, invented, name, placed
from s2sad.normal.values.abstract import Known, Leaf

#: for each handler of a try, what it is for
Classes = tuple[tuple[type[BaseException], ...], ...]


class Ending(gast.expr):  # type: ignore[misc]
    """In place of a function that is called: the one that says which of these exceptions it ended with."""

    _fields = ("function",)

    def __init__(self, function: Any, classes: Classes, named: bool) -> None:
        super().__init__()
        self.function, self.classes, self.named = function, classes, named


def says_how_it_ends(tree: Any, classes: Classes, named: bool) -> Any | None:
    """The definition of a function that returns what it returns, and the number of what it raised.

    None for a generator, which runs when it is asked for items.

    Args:
        named: it returns the exception, too.

    >>> made = says_how_it_ends(gast.parse("def f(x): return 1 / x").body[0], ((ValueError,),), False)
    >>> [gast.unparse(s) for s in made.body[0].body]
    ['return (1 / x, 0)']
    """
    if not isinstance(tree, gast.FunctionDef) or is_generator(tree):
        return None
    body = list(tree.body)
    if isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        del body[0]
    none = [Bound(Leaf(_constant(None), Unknown()))] if named else []  # of a kind that an exception may be of
    body = [_ending(s, none) for s in body]
    if not ends_with_jump(body):
        body.append(_result(None, 0, none))
    handlers = []
    for k, caught in enumerate(classes, 1):
        kinds = [Bound(Known(c)) for c in caught]
        kind = kinds[0] if len(kinds) == 1 else gast.Tuple(kinds, gast.Load())
        error = invented("error", tree) if named else None
        gives = _result(None, k, [] if error is None else [name(error)])
        handlers.append(gast.ExceptHandler(kind, None if error is None else name(error, True), [gives]))
    made = copy.copy(tree)
    made.body = placed([gast.Try(body, handlers, [], [])], tree)
    return made


def _constant(value: Any) -> Any:
    return gast.Constant(value, None)


def _result(value: Any, caught: int, error: list[Any]) -> Any:
    given = value if value is not None else _constant(None)
    return gast.Return(gast.Tuple([given, _constant(caught), *error], gast.Load()))


def _ending(statement: Any, none: list[Any]) -> Any:
    """A statement whose returns say that nothing was raised."""
    if isinstance(statement, gast.Return):
        return placed([gast.copy_location(_result(statement.value, 0, none), statement)], statement)[0]
    if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
        return statement
    made = copy.copy(statement)
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(statement, field, None)
        if isinstance(block, list):
            setattr(made, field, [_ending(s, none) for s in block])
    return made


def with_ending(node: Any, classes: Classes) -> list[Any]:
    """A try around one call, by how the function ended.

    >>> node = gast.parse("try:\\n  y = f(x)\\nexcept ValueError:\\n  y = 0.0").body[0]
    >>> for statement in with_ending(node, ((ValueError,),))[1:]:
    ...     print(gast.unparse(statement).strip().replace(INVENTED, "_"))
    if caught_2 == 1:
        y = 0.0
    else:
        y = value_2
    """
    (statement,) = node.body
    call = statement.value
    value, caught, error = (invented(word, statement) for word in ("value", "caught", "error"))
    named = any(h.name is not None for h in node.handlers)
    function = gast.copy_location(Ending(call.func, classes, named), call)
    asked = gast.copy_location(gast.Call(function, call.args, call.keywords), call)
    given = [name(n, True) for n in (value, caught, *([error] if named else []))]
    first = gast.Assign([gast.Tuple(given, gast.Store())], asked, None)
    after = list(node.orelse)
    if isinstance(statement, gast.Assign):
        after.insert(0, gast.Assign(statement.targets, name(value), None))
    chain = after
    for k in reversed(range(len(node.handlers))):
        handler = node.handlers[k]
        start: list[Any] = []
        if handler.name is not None:
            start = [gast.Assign([name(str(getattr(handler.name, "id", handler.name)), True)], name(error), None)]
        test = gast.Compare(name(caught), [gast.Eq()], [_constant(k + 1)])
        branch = gast.copy_location(gast.If(test, [*start, *handler.body], chain or [gast.Pass()]), statement)
        branch.col_offset = statement.col_offset + 1 + k
        chain = [branch]
    return placed([gast.copy_location(first, statement), *chain], statement)


class NotApart(Exception):
    """A statement that is not taken apart."""


def apart(statement: Any, runs: Callable[[Any], bool]) -> list[Any] | None:
    """A statement as several, so that each call in it stands alone; None where it is not taken apart.

    Args:
        runs: does a call or an attribute run code of its own? (Or a choice, `a if c else b` or `a and b`, that has to
            be a branch.)

    >>> made = apart(gast.parse("s.total += a + f(g(x), y)").body[0], lambda n: isinstance(n, gast.Call))
    >>> print(gast.unparse(gast.Module(made, [])).strip().replace(INVENTED, "_"))
    part_1_0 = s.total
    part_1_1 = a
    part_1_2 = g(x)
    part_1_3 = f(part_1_2, y)
    part_1_0 += part_1_1 + part_1_3
    s.total = part_1_0
    """
    try:
        made = _Apart(statement, runs).statement(statement)
    except NotApart:
        return None
    return placed(made, statement) if len(made) > 1 else None


_RUNNING = (gast.Call, gast.Attribute, gast.IfExp, gast.BoolOp)


class _Apart:
    def __init__(self, node: Any, runs: Callable[[Any], bool]) -> None:
        self.node, self.runs = node, runs
        self.out: list[Any] = []
        self.count = 0

    def any_runs(self, node: Any) -> bool:
        if isinstance(node, gast.Lambda):
            return False
        if isinstance(node, _RUNNING) and self.runs(node):
            return True
        return any(self.any_runs(n) for n in gast.iter_child_nodes(node))

    def write(self, statement: Any, like: Any) -> None:
        self.out.append(gast.copy_location(statement, like))

    def fresh(self) -> str:
        self.count += 1
        return f"{invented('part', self.node)}{INVENTED}{self.count - 1}"

    def held(self, value: Any, like: Any) -> Any:
        if isinstance(value, gast.Constant):
            return value
        part = self.fresh()
        self.write(gast.Assign([name(part, True)], value, None), like)
        return gast.copy_location(name(part), like)

    def statement(self, s: Any) -> list[Any]:
        new = copy.copy(s)
        if isinstance(s, gast.Expr):
            new.value = self.of_call(s.value) if isinstance(s.value, gast.Call) else self.flat(s.value)
        elif isinstance(s, gast.Assign):
            alone = len(s.targets) == 1 and isinstance(s.targets[0], gast.Name)
            if alone:
                new.value = self.of_call(s.value) if isinstance(s.value, gast.Call) else self.flat(s.value)
            else:
                new.value = self.flat(s.value)
                if any(map(self.any_runs, s.targets)):
                    new.value = self.held(new.value, s.value)
                new.targets = [self.target(t) for t in s.targets]
        elif isinstance(s, gast.AugAssign):
            return self.updated(s)
        elif isinstance(s, (gast.Return, gast.AnnAssign)) and s.value is not None:
            if isinstance(s, gast.AnnAssign) and not isinstance(s.target, gast.Name):
                raise NotApart
            new.value = self.flat(s.value)
        elif isinstance(s, gast.Raise) and s.exc is not None:
            new.exc, new.cause = self.several([s.exc, s.cause])
        elif isinstance(s, gast.Assert) and not (s.msg is not None and self.any_runs(s.msg)):
            new.test = self.flat(s.test)
        else:
            raise NotApart
        return [*self.out, new]

    def updated(self, s: Any) -> list[Any]:
        """`a.b += f(x)`: what is there is read before, and stored behind."""
        if not self.any_runs(s.value) and not self.any_runs(s.target):
            raise NotApart
        if isinstance(s.target, gast.Name):
            place: Any = s.target
            was = self.held(gast.copy_location(name(s.target.id), s.target), s.target)
        else:
            place = self.target(s.target, held=True)
            read = copy.copy(place)
            read.ctx = gast.Load()
            was = self.held(read, s.target)
        value = self.flat(s.value)
        self.write(gast.AugAssign(name(was.id, True), s.op, value), s)
        self.write(gast.Assign([place], name(was.id), None), s)
        return self.out

    def target(self, t: Any, held: bool = False) -> Any:
        new = copy.copy(t)
        if isinstance(t, gast.Attribute):
            new.value = self.several([t.value], held)[0]
        elif isinstance(t, gast.Subscript):
            if held and not isinstance(t.slice, (gast.Name, gast.Constant)):
                raise NotApart
            new.value, new.slice = self.several([t.value, t.slice], held)
        elif self.any_runs(t):
            raise NotApart
        return new

    def several(self, parts: Sequence[Any], held: bool = False) -> list[Any]:
        """Expressions that are computed one after the other."""
        later = [any(p is not None and self.any_runs(p) for p in parts[k + 1 :]) for k in range(len(parts))]
        made: list[Any] = []
        for part, before in zip(parts, later, strict=True):
            if part is None:
                made.append(None)
                continue
            if isinstance(part, gast.Starred):
                new = gast.copy_location(gast.Starred(self.several([part.value])[0], gast.Load()), part)
                if before:
                    new.value = self.held(new.value, part)
            elif isinstance(part, gast.Slice):
                if before:
                    raise NotApart
                new = copy.copy(part)
                new.lower, new.upper, new.step = self.several([part.lower, part.upper, part.step])
            else:
                new = self.flat(part)
                if before or (held and not isinstance(part, gast.Name)):
                    new = self.held(new, part)
            made.append(new)
        return made

    def of_call(self, node: Any) -> Any:
        """A call whose arguments are computed before."""
        new = copy.copy(node)
        owner = isinstance(node.func, gast.Attribute)
        looked_up = node.func.value if owner else None if isinstance(node.func, gast.Name) else node.func
        given = [looked_up, *node.args, *(k.value for k in node.keywords)]
        made = self.several(given)
        if owner:
            new.func = copy.copy(node.func)
            new.func.value = made[0] if dotted(node.func) is not None else self.held(made[0], node.func)
        elif looked_up is not None:
            new.func = made[0]
        new.args = made[1 : 1 + len(node.args)]
        values = made[1 + len(node.args) :]
        new.keywords = [gast.keyword(k.arg, v) for k, v in zip(node.keywords, values, strict=True)]
        return new

    def flat(self, node: Any) -> Any:
        """An expression in which nothing runs code any more."""
        if not self.any_runs(node):
            return node
        new = copy.copy(node)
        if isinstance(node, gast.Call):
            new = self.of_call(node)
            return self.held(new, node)
        if isinstance(node, gast.Attribute):
            new.value = self.flat(node.value)
            return self.held(new, node) if self.runs(node) else new
        if isinstance(node, gast.BinOp):
            new.left, new.right = self.several([node.left, node.right])
        elif isinstance(node, gast.UnaryOp):
            new.operand = self.flat(node.operand)
        elif isinstance(node, gast.Compare) and len(node.ops) == 1:
            new.left, right = self.several([node.left, *node.comparators])
            new.comparators = [right]
        elif isinstance(node, gast.Subscript):
            new.value, new.slice = self.several([node.value, node.slice])
        elif isinstance(node, (gast.Tuple, gast.List, gast.Set)):
            new.elts = self.several(node.elts)
        elif isinstance(node, gast.Dict):
            order = [p for pair in zip(node.keys, node.values, strict=True) for p in pair]
            items = self.several(order)
            new.keys, new.values = items[::2], items[1::2]
        elif isinstance(node, gast.IfExp):
            return self.chosen(node.test, node.body, node.orelse, node)
        elif isinstance(node, gast.BoolOp):
            return self.one_or_other(node)
        else:
            raise NotApart
        return new

    def chosen(self, test: Any, body: Any, orelse: Any, node: Any) -> Any:
        """`a if c else b`, by a branch."""
        asked, kept = self.flat(test), self.fresh()
        sides = [self.side(body, kept), self.side(orelse, kept)]
        self.write(gast.If(asked, *sides), node)
        return gast.copy_location(name(kept), node)

    def side(self, value: Any, kept: str) -> list[Any]:
        outer, self.out = self.out, []
        new = self.flat(value)
        self.write(gast.Assign([name(kept, True)], new, None), value)
        made, self.out = self.out, outer
        return made

    def one_or_other(self, node: Any) -> Any:
        """`a and b`, by a branch."""
        kept = self.fresh()
        self.out += self.side(node.values[0], kept)
        rest = (
            node.values[1] if len(node.values) == 2 else gast.copy_location(gast.BoolOp(node.op, node.values[1:]), node)
        )
        test: Any = name(kept)
        if isinstance(node.op, gast.Or):
            test = gast.UnaryOp(gast.Not(), test)
        self.write(gast.If(test, self.side(rest, kept), []), node)
        return gast.copy_location(name(kept), node)
