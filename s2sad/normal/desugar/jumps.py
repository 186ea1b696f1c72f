"""Where control leaves a list of statements, and rewritings of statements that end early."""

from __future__ import annotations

import copy
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.core import INVENTED, OfNodes, clone, walk


def has_jump(body: list[Any], own: bool = False) -> bool:
    """Does a list of statements hold a jump that leaves it (a return; a break or continue of an outer loop)?

    Args:
        own: the list is the body of a loop whose own break and continue are asked for, which is the same question.

    >>> import gast
    >>> has_jump(gast.parse("for i in x:\\n    break").body), has_jump(gast.parse("if a:\\n    return 1").body)
    (False, True)
    """
    return _search(body, False, (gast.Return,), (gast.Break, gast.Continue))


def ends_with_jump(body: list[Any]) -> bool:
    """Does what follows a list of statements never run after it, as its last one says?"""
    return bool(body) and isinstance(body[-1], (gast.Return, gast.Break, gast.Continue, gast.Raise))


def leads_to_raise(body: list[Any]) -> set[str] | None:
    """The variables that statements give values on their way to a raise that is certain; None for other statements.

    >>> import gast
    >>> leads_to_raise(gast.parse("a, b = f(x)\\nif a:\\n    c = g(b)\\nraise ValueError(c)").body) == {"a", "b", "c"}
    True
    >>> leads_to_raise(gast.parse("log.append(x)\\nraise ValueError").body)
    """
    given: set[str] = set()
    for statement in body:
        if isinstance(statement, gast.Raise):
            return given
        if isinstance(statement, gast.If):
            ends = [leads_to_raise(block) for block in (statement.body, statement.orelse)]
            if ends[0] is not None and ends[1] is not None:
                return given | ends[0] | ends[1]
            passed = [_plain_stores(block) for block in (statement.body, statement.orelse)]
            found = None if None in passed else set().union(*passed)  # type: ignore[arg-type]
        else:
            found = _plain_stores([statement])
        if found is None:
            return None
        given |= found
    return None


def catches(tree: Any) -> bool:
    """May a function go on when something in it has raised an exception?

    >>> import gast
    >>> catches(gast.parse("try: f(x)\\nexcept KeyError as e: raise ValueError from e"))
    False
    """
    trys = [n for n in walk(tree) if isinstance(n, gast.Try)]
    handlers = (h for node in trys for h in node.handlers)
    return (
        any(isinstance(n, gast.With) for n in walk(tree))
        or any(node.finalbody for node in trys)
        or any(leads_to_raise(h.body) is None for h in handlers)
    )


def _plain_stores(body: list[Any]) -> set[str] | None:
    """The variables that statements give values; None where they may do anything else by themselves."""
    given: set[str] = set()
    for statement in body:
        if isinstance(statement, gast.If):
            found = _plain_stores([*statement.body, *statement.orelse])
        elif isinstance(statement, gast.Assign):
            parts = [t for target in statement.targets for t in getattr(target, "elts", [target])]
            found = {t.id for t in parts} if all(isinstance(t, gast.Name) for t in parts) else None
        else:
            found = set() if isinstance(statement, gast.Pass) else None
        if found is None:
            return None
        given |= found
    return given


def has_return(body: list[Any]) -> bool:
    """Does a list of statements return from the function?"""
    return _search(body, True, (gast.Return,), ())


def has_break(body: list[Any]) -> bool:
    """Does the body of a loop break out of it?"""
    return _search(body, False, (), (gast.Break,))


def _search(nodes: list[Any], in_loop: bool, always: tuple[type, ...], of_loop: tuple[type, ...]) -> bool:
    for node in nodes:
        if not isinstance(node, gast.AST):  # turns of a loop that follow
            return True
        if isinstance(node, always) or (not in_loop and isinstance(node, of_loop)):
            return True
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            continue
        inner = in_loop or isinstance(node, (gast.For, gast.While))
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            found = isinstance(block, list) and block and isinstance(block[0], gast.stmt)
            if found and _search(block, inner if name == "body" else in_loop, always, of_loop):  # type: ignore[arg-type]
                return True
        for part in (*(getattr(node, "handlers", None) or ()), *(getattr(node, "cases", None) or ())):
            if _search(part.body, in_loop, always, of_loop):
                return True
    return False


_REWRITTEN = OfNodes()
#: so many operations are written twice rather than put behind a guard
_SHORT = 2


def once_for(node: Any, form: str, make: Any) -> Any:
    """The rewriting of a tree: made once, so that decisions about places in it hold in the next try."""
    made = _REWRITTEN.setdefault(node, {})
    if form not in made:
        made[form] = make()
    return made[form]


def branch_of(node: Any) -> Any:
    """The statement `x = a if c else b`, or a `return` of it, as a branch.

    >>> import gast
    >>> branch_of(gast.parse("x = a if c else b").body[0]).orelse[0].value.id
    'b'
    """
    choice = node.value
    one, other = copy.copy(node), copy.copy(node)
    one.value, other.value = choice.body, choice.orelse
    made = gast.copy_location(gast.If(choice.test, [one], [other]), node)
    made.choice = choice
    return made


def called_before(statement: Any, call: Any, own: Collection[str] = ()) -> list[Any] | None:
    """A statement with a call in it as two: the call, and the statement with its result. None where more is computed
    before the call than constants and names that it can not rebind (`own`).

    >>> import gast
    >>> loop = gast.parse("for e in made(p):\\n    r = e.f(r)").body[0]
    >>> first, second = called_before(loop, loop.iter)
    >>> first.targets[0].id == second.iter.id, first.value.func.id
    (True, 'made')
    """
    header = {gast.For: "iter", gast.If: "test", gast.AugAssign: "value"}.get(type(statement), "value")
    whole = getattr(statement, header, None)
    if isinstance(statement, gast.AugAssign) and getattr(statement.target, "id", None) not in own:
        return None
    if whole is None or not _comes_first(whole, call, own):
        return None
    word = getattr(call.func, "attr", getattr(call.func, "id", "result"))
    made = f"{word}{INVENTED}{call.lineno}_{call.col_offset}_{getattr(call, 'end_col_offset', 0)}"
    first = gast.copy_location(gast.Assign([name(made, True)], call, None), statement)
    second = copy.copy(statement)
    setattr(second, header, _replaced(whole, call, gast.copy_location(name(made), call)))
    return [first, second]


#: expressions whose parts are computed one after the other
_IN_ORDER = (gast.Attribute, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Tuple, gast.List, gast.Starred)


def _comes_first(node: Any, call: Any, own: Collection[str]) -> bool:
    """Is a call what is computed first in an expression?"""
    if node is call:
        return True
    if isinstance(node, gast.Call):
        looked_up = node.func
        while isinstance(looked_up, gast.Attribute):
            looked_up = looked_up.value
        named = isinstance(looked_up, gast.Name)
        parts = [*([] if named else [node.func]), *node.args, *(k.value for k in node.keywords)]
    elif isinstance(node, (gast.GeneratorExp, gast.ListComp, gast.SetComp, gast.DictComp)):
        parts = [node.generators[0].iter]
    elif isinstance(node, (gast.IfExp, gast.BoolOp)):
        parts = [node.test if isinstance(node, gast.IfExp) else node.values[0]]
    elif isinstance(node, gast.Compare):
        parts = [node.left, node.comparators[0]]
    elif isinstance(node, _IN_ORDER):
        parts = [n for n in gast.iter_child_nodes(node) if isinstance(n, gast.expr)]
    else:
        return False
    for part in parts:
        if not (isinstance(part, gast.Constant) or (isinstance(part, gast.Name) and part.id in own)):
            return _comes_first(part, call, own)
    return False


def _replaced(node: Any, old: Any, new: Any) -> Any:
    """An expression with a part replaced: what the part does not stand in is shared."""
    if node is old:
        return new
    made = node
    for field in node._fields:
        held = getattr(node, field, None)
        parts = held if isinstance(held, list) else [held]
        others = [_replaced(p, old, new) if isinstance(p, gast.AST) else p for p in parts]
        if any(p is not q for p, q in zip(parts, others, strict=True)):
            made = copy.copy(node)
            setattr(made, field, others if isinstance(held, list) else others[0])
    return made


@dataclass(frozen=True)
class GuardFirst:
    """A branch with the guard that it begins with in front of it."""

    statements: list[Any]
    #: tests that are made twice: the branch's own, and those of branches inside
    again: list[Any]


def guard_first(node: Any) -> GuardFirst | None:
    """A branch that begins with another one that jumps, with that in front of it, so that what stands behind is not
    written for two paths; None for others.

    if a:                      if a and b: return e
        if b: return e         if a: S
        S                ->    else: T
    else: T

    >>> import astor, gast
    >>> made = guard_first(gast.parse("if a:\\n    s = t\\nelif b:\\n    return e\\nelse:\\n    s = u").body[0])
    >>> print(astor.to_source(gast.gast_to_ast(gast.Module(made.statements, []))).strip())
    if not a and b:
        return e
    if a:
        s = t
    else:
        s = u
    """
    for side, test in (("body", node.test), ("orelse", gast.UnaryOp(gast.Not(), node.test))):
        block = getattr(node, side)
        first = _guard_of(block[0]) if block and isinstance(block[0], gast.If) else None
        if first is None:
            continue
        guard, *left = first.statements
        sides = {"body": node.body, "orelse": node.orelse, side: [*left, *block[1:]]}
        if not any(sides.values()):
            continue
        others = gast.If(node.test, **sides)
        if not others.body:
            others = gast.If(gast.UnaryOp(gast.Not(), node.test), others.orelse, [])
        chained = isinstance(guard.test, gast.BoolOp) and isinstance(guard.test.op, gast.And)
        inner = guard.test.values if chained else [guard.test]
        both = gast.If(gast.BoolOp(gast.And(), [test, *inner]), guard.body, [])
        made = [gast.copy_location(clone(both), guard), gast.copy_location(clone(others), node)]
        return GuardFirst(placed(made, node), [node.test, *first.again])
    return None


def is_long(rest: list[Any]) -> bool:
    """Is what stands behind a branch more than a short statement, which may as well stand at the end of each path?

    >>> import gast
    >>> [is_long(gast.parse(code).body) for code in ("return a * h", "return f(a) + g(b) * h", "b = a\\nreturn b")]
    [False, True, True]
    """
    nodes = [n for s in rest for n in (walk(s) if isinstance(s, gast.AST) else [s, s])]
    steps = sum(isinstance(n, (gast.Call, gast.BinOp)) for n in nodes)
    return steps > _SHORT or sum(isinstance(n, gast.stmt) or not isinstance(n, gast.AST) for n in nodes) > 1


def _guard_of(node: Any) -> GuardFirst | None:
    """A branch that jumps before anything else is done, and what is left of it behind that."""
    if ends_with_jump(node.body) and has_jump(node.body):
        return GuardFirst([node, *node.orelse], [])
    return guard_first(node)


def without_continues(body: list[Any]) -> list[Any]:
    """The body of a loop that is written out turn by turn, where the paths of a branch meet at the end of the turn.

    >>> import gast
    >>> made = without_continues(gast.parse("if v < 0.0:\\n    n += 1\\n    continue\\ns += v").body)
    >>> print(gast.unparse(gast.Module(made, [])).strip())
    if v < 0.0:
        n += 1
    else:
        s += v
    """
    for at, node in enumerate(body):
        if isinstance(node, gast.Continue):
            return body[:at] or [gast.copy_location(gast.Pass(), node)]
        if not isinstance(node, gast.If):
            continue
        sides = node.body, node.orelse
        ends = [bool(side) and isinstance(side[-1], gast.Continue) and not has_jump(side[:-1]) for side in sides]
        if any(ends):
            left = [side if end else [*side, *body[at + 1 :]] for side, end in zip(sides, ends, strict=True)]
            return [*body[:at], gast.copy_location(gast.If(node.test, *map(without_continues, left)), node)]
    return body


def last_reader(behind: list[Any], at: int, identifier: str | None) -> int:
    """How many statements there are up to the last that reads a name, from one of them on that does.

    >>> import gast
    >>> behind = gast.parse("y = v[0]\\nz = y * v[1]\\nw = y + z\\nv = w\\nu = v").body
    >>> last_reader(behind, 0, "v")
    2
    """
    end = at + 1
    for k, statement in enumerate(behind[at:], at + 1):
        names = [n for n in walk(statement) if isinstance(n, gast.Name) and n.id == identifier]
        bound = [n for n in names if isinstance(n.ctx, gast.Store)]
        if len(bound) < len(names) or (bound and isinstance(statement, gast.AugAssign)):
            end = k
        if bound and isinstance(statement, gast.Assign):
            break
    return end


def placed(statements: list[Any], node: Any) -> list[Any]:
    """Statements made in the place of a node."""
    for statement in statements:
        for part in walk(statement):
            if isinstance(part, (gast.expr, gast.stmt)) and not hasattr(part, "lineno"):
                gast.copy_location(part, node)
    return statements


def name(identifier: str, store: bool = False) -> Any:
    return gast.Name(identifier, gast.Store() if store else gast.Load(), None, None)


def invented(word: str, node: Any) -> str:
    """A name for something that is written out in the place of a node: none that the program has."""
    return f"{word}{INVENTED}{node.lineno}"


def else_by_flag(node: Any) -> list[Any]:
    """A loop with an else, by a flag.

    for x in xs:               done = True
        if c: break    ->      for x in xs:
    else:                          if c: done = False; break
        E                      if done: E
    """

    def make() -> list[Any]:
        flag = invented("completed", node)
        loop = clone(node)
        loop.orelse = []
        _before_breaks(loop.body, lambda: gast.Assign([name(flag, True)], gast.Constant(False, None), None))
        start = gast.Assign([name(flag, True)], gast.Constant(True, None), None)
        end = gast.If(name(flag), clone(node.orelse), [])
        return placed([start, loop, end], node)

    return once_for(node, "else", make)  # type: ignore[no-any-return]


def count_by_while(node: Any) -> list[Any]:
    """A loop over itertools.count.

    for k in count(a):        next_k = a
        B              ->     while True: k = next_k; next_k = k + 1; B
    """

    def make() -> list[Any]:
        args = [*node.iter.args, *(k.value for k in node.iter.keywords)]
        start = args[0] if args else gast.Constant(0, None)
        step = args[1] if len(args) > 1 else gast.Constant(1, None)
        coming = invented(f"next_{getattr(node.target, 'id', 'k')}", node)
        first = gast.Assign([name(coming, True)], start, None)
        turn = gast.Assign([node.target], name(coming), None)
        ahead = gast.Assign([name(coming, True)], gast.BinOp(name(coming), gast.Add(), step), None)
        loop = gast.While(gast.Constant(True, None), [turn, ahead, *node.body], [])
        return placed([first, loop], node)

    return once_for(node, "count", make)  # type: ignore[no-any-return]


def _before_breaks(body: list[Any], statement: Any) -> None:
    """Put a statement before every break of the loop whose body this is."""
    k = 0
    while k < len(body):
        node = body[k]
        if isinstance(node, gast.Break):
            body.insert(k, gast.copy_location(statement(), node))
            k += 1
        elif not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            blocks = [] if isinstance(node, (gast.For, gast.While)) else [getattr(node, "body", [])]
            blocks += [getattr(node, "orelse", []), getattr(node, "finalbody", [])]
            blocks += [
                p.body for p in (*(getattr(node, "handlers", None) or ()), *(getattr(node, "cases", None) or ()))
            ]
            for block in blocks:
                if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                    _before_breaks(block, statement)
        k += 1


def before_jumps(body: list[Any], statements: list[Any], result: str) -> list[Any]:
    """The statements of a try with a `finally`: what is final is done before every jump out of it.

    return e    ->    result = e; F; return result

    A jump out of a `with` or another such try inside is not made yet: what is final there comes first. Until then it
    keeps the statements.
    """

    def leave(node: Any, held: bool) -> list[Any]:
        node.finals = [*statements, *getattr(node, "finals", ())]
        if held:
            return [node]
        behind, node.finals = clone(node.finals), []
        if not isinstance(node, gast.Return):
            return [*behind, node]
        kept = gast.Assign([name(result, True)], node.value or gast.Constant(None, None), None)
        return placed([kept, *behind, gast.Return(name(result))], node)

    def visit(block: list[Any], in_loop: bool, held: bool) -> list[Any]:
        out: list[Any] = []
        for node in block:
            if isinstance(node, gast.Return) or (isinstance(node, (gast.Break, gast.Continue)) and not in_loop):
                out.extend(leave(node, held))
                continue
            if not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
                inner = in_loop or isinstance(node, (gast.For, gast.While))
                holds = held or isinstance(node, gast.With) or bool(getattr(node, "finalbody", None))
                for field_name in ("body", "orelse", "finalbody"):
                    part = getattr(node, field_name, None)
                    if isinstance(part, list) and part and isinstance(part[0], gast.stmt):
                        of_body = inner if field_name == "body" else in_loop
                        setattr(node, field_name, visit(part, of_body, held if field_name == "finalbody" else holds))
                for part in (*(getattr(node, "handlers", None) or ()), *(getattr(node, "cases", None) or ())):
                    part.body = visit(part.body, in_loop, holds)
            out.append(node)
        return out

    return visit(clone(body), False, False)


def waits(body: list[Any]) -> bool:
    """Is there a jump that has to do something yet before it is made?"""
    return any(getattr(n, "finals", None) for s in body for n in walk(s))
