"""The names of a kernel: one for each value, and none that is read before it has one."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.binding import surely_bound, turns_surely
from s2sad.core import Facts, Stmt, assign, blocks_of, load, names_bound, walk, walk_names


def with_own_names(body: list[Stmt], facts: Facts, turn: Any = None) -> None:
    """Give each value that is replaced later in its block a name of its own, in place.

    Args:
        body: the block.
        facts: what is known of its names.
        turn: the variable of the loop whose body it is; it is renamed, too.

        g = b[1:-1]         g_1 = b[1:-1]
        c += g @ t     ->   c += g_1 @ t
        g = k * g           g = k * g_1

    So is the variable of a loop, which counts what is inside of its array.

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("g = b[1:-1]\\nc += g @ t\\ng = k * g")
    >>> with_own_names(body, Facts(taken=Names(["g"])))
    >>> print(text(body))
    g_1 = b[1:-1]
    c += g_1 @ t
    g = k * g_1
    >>> body = quote_statements("g = g.copy()\\ng = g[1:]")
    >>> with_own_names(body, Facts(taken=Names(["g"])))
    >>> print(text(body))
    g_1 = g.copy()
    g = g_1[1:]
    >>> body = quote_statements("for k in range(3):\\n    t = x[k]\\n    k = p / t")
    >>> with_own_names(body, Facts(taken=Names(["k"])))
    >>> print(text(body))
    for k_1 in range(3):
        t = x[k_1]
        k = p / t
    """
    for statement in body:
        if not isinstance(statement, gast.Try):
            for inner in blocks_of(statement):
                is_body = isinstance(statement, gast.For) and inner is statement.body
                with_own_names(inner, facts, statement.target if is_body else None)
    bound: dict[str, int] = {}
    if isinstance(turn, gast.Name):
        body, bound = [turn, *body], {turn.id: 0}
    for place, statement in enumerate(body[len(bound) :], len(bound)):
        name = _whole(statement)
        if name is not None and name in bound and not any(map(_leaves, body[bound[name] : place])):
            _rename(body[bound[name] : place], statement, name, facts)
        for other in _stored(statement):
            bound.pop(other, None)  # from here on it has a value of another kind, or may have
        if name is not None:
            bound[name] = place


def _leaves(statement: Stmt) -> bool:
    """May it leave the block, so that somebody reads what was to be replaced?"""
    return any(isinstance(n, (gast.Break, gast.Continue)) for n in walk(statement))


def _whole(statement: Stmt) -> str | None:
    """The name that a statement binds, and nothing else."""
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target: Any = statement.targets[0]
        return str(target.id) if isinstance(target, gast.Name) else None
    return None


def _stored(statement: Stmt) -> set[str]:
    return {n.id for n in walk_names(statement) if not isinstance(n.ctx, gast.Load)}


def _rename(between: list[Any], last: Any, name: str, facts: Facts) -> None:
    first, *others = between  # (what the first one reads is the value of before)
    new = facts.fresh(name)
    facts.kinds.pop(new, None)
    if name in facts.kinds:
        facts.kinds[new] = facts.kinds[name]
    for part in (*getattr(first, "targets", [first]), *others, last.value):
        for node in walk_names(part):
            if node.id == name:
                node.id = new


def without_versions(body: list[Stmt], facts: Facts, parameters: list[str]) -> None:
    """Rename what is called as Numba calls a version of another name, in place: it takes the two for one.

        t = a + b                t = a + b
        t_1 = t == c       ->    t1 = t == c

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("t = a + b\\nt_1 = t == c\\ng_1 = t_1")
    >>> without_versions(body, Facts(taken=Names(["t", "t_1", "g_1"])), ["a", "b", "c"])
    >>> print(text(body))
    t = a + b
    t1 = t == c
    g_1 = t1
    """
    stored = {name for statement in body for name in _stored(statement)} - set(parameters)
    every = {n.id for statement in body for n in walk_names(statement)}
    renamed = {}
    for name in sorted(stored):
        stem, _, number = name.rpartition("_")
        if number.isdigit() and stem in every:
            renamed[name] = new = facts.fresh(f"{stem}{number}")
            facts.kinds.pop(new, None)
            if name in facts.kinds:
                facts.kinds[new] = facts.kinds[name]
    for node in (n for statement in body for n in walk_names(statement)):
        node.id = renamed.get(node.id, node.id)


def with_checked_names(body: list[Stmt], parameters: list[str]) -> None:
    """Ask for the value of each name that may have none where it is read, in place, as Python does by itself.

        for i in range(n):           for i in range(n):
            t = x[i]                     t = x[i]
        return t              ->     if t is None:
                                         raise UnboundLocalError(...)
                                     return t

    >>> from s2sad.core import quote_statements, text
    >>> body = quote_statements("for i in range(n):\\n    t = x[i]\\nreturn t")
    >>> with_checked_names(body, ["x", "n"])
    >>> print("\\n".join(map(text, body[1:])))
    if t is None:
        raise UnboundLocalError("cannot access local variable 't'")
    return t
    """
    _Checks(names_bound(body) - set(parameters)).block(body, set(parameters))


class _Checks:
    """The checks of names, in the order in which statements run."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def block(self, body: list[Stmt], bound: set[str]) -> set[str] | None:
        """The names that have a value behind the statements; None: nobody comes there."""
        place = 0
        for statement in list(body):
            asked = _asked_for(statement)
            if asked is None:
                for name in sorted(_read_surely(statement) & self.names - bound):
                    body.insert(place, _check(name))
                    place += 1
                    bound = bound | {name}
            after = self.statement(statement, bound | {asked} if asked else bound)
            if after is None:
                return None
            bound, place = after, place + 1
        return bound

    def statement(self, statement: Any, bound: set[str]) -> set[str] | None:
        if isinstance(statement, gast.If):
            ends = [e for e in (self.block(b, bound) for b in (statement.body, statement.orelse)) if e is not None]
            return set.intersection(*ends) if ends else None
        if isinstance(statement, (gast.Return, gast.Raise, gast.Break, gast.Continue)):
            return None
        if isinstance(statement, (gast.For, gast.While)):
            turn = _stored(statement.target) if isinstance(statement, gast.For) else set()
            end = self.block(statement.body, bound | turn)
            if isinstance(statement, gast.For) and turns_surely(statement) and end is not None:
                bound = end
            return self.block(statement.orelse, bound) if statement.orelse else bound
        inner = blocks_of(statement)
        for block in inner:
            self.block(block, bound)
        return bound | surely_bound([statement]) | (set() if inner else _stored(statement))


def _read_surely(statement: Any) -> set[str]:
    """The names that a statement reads itself, before the blocks in it and whichever way its expressions take."""
    found: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            found.add(node.id)
        inner = list(gast.iter_child_nodes(node))
        if isinstance(node, gast.IfExp):
            inner = [node.test]
        elif isinstance(node, gast.BoolOp):
            inner = node.values[:1]
        elif isinstance(node, (gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.DictComp, gast.SetComp)):
            inner = []
        for child in inner:
            visit(child)

    for name, value in gast.iter_fields(statement):
        if name not in ("body", "orelse", "finalbody", "handlers"):
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, gast.AST):
                    visit(node)
    if isinstance(statement, gast.AugAssign):
        found |= {n.id for n in walk_names(statement.target)}
    return found


def _check(name: str) -> Any:
    said = gast.Constant(f"cannot access local variable {name!r}", None)
    wrong = gast.Raise(gast.Call(load("UnboundLocalError"), [said], []), None)
    return gast.If(gast.Compare(load(name), [gast.Is()], [gast.Constant(None, None)]), [wrong], [])


def with_flags(body: list[Stmt], facts: Facts) -> None:
    """Ask a flag whether a name has a value, in place: to Numba, a name without one is zero.

        for i in range(n):                           t_bound = False
            t = x[i]                                 for i in range(n):
        if t is None:                          ->        t = x[i]
            raise UnboundLocalError(...)                 t_bound = True
                                                     if not t_bound:
                                                         raise UnboundLocalError(...)

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("for i in x: t = i\\nif t is None: raise UnboundLocalError('t')\\nreturn t")
    >>> with_flags(body, Facts(taken=Names(["x", "i", "t"])))
    >>> print(text(body))
    t_bound = False
    for i in x:
        t = i
        t_bound = True
    if not t_bound:
        raise UnboundLocalError('t')
    return t
    """
    flags: dict[str, str] = {}
    for node in (n for statement in body for n in walk(statement)):
        name = _asked_for(node)
        if name is not None:
            flag = flags.setdefault(name, facts.fresh(f"{name}_bound"))
            node.test = gast.UnaryOp(gast.Not(), load(flag))
    if flags:
        _with_flags(body, flags)
        body[:0] = [assign(flag, gast.Constant(False, None)) for flag in flags.values()]


def _asked_for(node: Any) -> str | None:
    """The name that an `if` asks for a value, since none is an error."""
    if not isinstance(node, gast.If) or not isinstance(node.body[0], gast.Raise):
        return None
    raised: Any = node.body[0].exc
    test: Any = node.test
    is_unbound = isinstance(raised, gast.Call) and getattr(raised.func, "id", None) == "UnboundLocalError"
    is_none = isinstance(test, gast.Compare) and isinstance(test.ops[0], gast.Is) and isinstance(test.left, gast.Name)
    return str(test.left.id) if is_unbound and is_none else None


def _with_flags(body: list[Stmt], flags: dict[str, str]) -> None:
    for place in range(len(body) - 1, -1, -1):
        statement: Any = body[place]
        for inner in blocks_of(statement):
            _with_flags(inner, flags)
        for name in sorted(_stored(statement) & set(flags)) if not isinstance(statement, gast.If) else ():
            is_none = isinstance(statement, gast.Assign) and getattr(statement.value, "value", 0) is None
            set_flag = assign(flags[name], gast.Constant(True, None))
            if isinstance(statement, (gast.For, gast.While)):
                if isinstance(statement, gast.For) and name in _stored(statement.target):
                    statement.body.insert(0, set_flag)
            elif is_none:
                body[place] = assign(flags[name], gast.Constant(False, None))
            else:
                body.insert(place + 1, set_flag)


def with_open_loops(body: list[Stmt], facts: Facts) -> None:
    """Give a loop that is left from its middle alone a test, in place.

    Numba counts what stands in front of its one way out to the straight part of a function, where a name that is stored
    is a new one, and takes that for the name in what follows in the loop, too: the next turn reads the old one.

        while True:                     always = True
            u = k * y                   while always:
            if u > 4.0:                     u = k * y
                y = u            ->         if u > 4.0:
                break                           y = u
            y = u                               break
                                            y = u

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("while True:\\n    if y > 4.0:\\n        y = k\\n        return y\\n    y = k * y")
    >>> with_open_loops(body, Facts(taken=Names(["y", "k"])))
    >>> print(text(body))
    always = True
    while always:
        if y > 4.0:
            y = k
            return y
        y = k * y
    raise AssertionError
    """
    for place in range(len(body) - 1, -1, -1):
        statement: Any = body[place]
        for inner in blocks_of(statement):
            with_open_loops(inner, facts)
        is_open = isinstance(statement, gast.While) and getattr(statement.test, "value", None) is True
        if not is_open or not any(_stored(s) for block in _last_blocks(statement.body) for s in block):
            continue
        always = facts.fresh("always", temp=False)
        statement.test = load(always)
        if not any(isinstance(block[-1], gast.Break) for block in _last_blocks(statement.body)):
            body.insert(place + 1, gast.Raise(load("AssertionError"), None))
        body.insert(place, assign(always, gast.Constant(True, None)))


def _last_blocks(body: list[Stmt]) -> list[list[Stmt]]:
    """The blocks of a loop that leave it."""
    found = [body] if body and isinstance(body[-1], (gast.Break, gast.Return)) else []
    for statement in body:
        for inner in blocks_of(statement):
            blocks = _last_blocks(inner)
            loops = isinstance(statement, (gast.For, gast.While))
            found += [b for b in blocks if not loops or isinstance(b[-1], gast.Return)]
    return found
