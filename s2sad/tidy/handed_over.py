"""Arrays that a function overwrites are handed over as they are: not copied, returned and written back.

A core function changes nothing that its callers hold (`s2sad.normal.calls.given`): every pass before this one builds
on. Here the whole module is there: where all calls of a function write what it returns back to the array that they
gave it, the function may as well work on that array.

    def step(u, dt):                        def step(u, dt):
        u = u.copy()                            u[0] = u[1] * dt
        u[0] = u[1] * dt            ->
        return u

    u[...] = step(u.copy(), 0.1)            step(u, 0.1)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    blocks_of,
    clone,
    is_constant,
    items_of,
    load,
    names_read,
    quote,
    replace_names,
    target_of,
    text,
    walk,
    walk_names,
)
from s2sad.kinds.kind import Array, ListOf, Number


def hand_over(trees: Mapping[str, Any], facts: Mapping[str, Facts], wanted: Mapping[str, Collection[str]]) -> None:
    """Let functions overwrite what they are given, where all their calls write it back.

    Args:
        trees: all functions of a module, which are changed.
        facts: what is known of the names in each of them.
        wanted: the parameters of functions that they overwrite. No call gives a function such an array under a second
            name: that has been seen to.
    """
    handed = [
        own
        for name, parameters in wanted.items()
        for parameter in parameters
        if (own := own_copy(trees[name], parameter, facts[name]))
    ]
    for own in handed:
        found = list(calls_of(own.tree.name, trees.values()))
        if found and all(site.fits(own, facts) for site in found):
            for site in found:
                site.rewrite(own)
            own.rewrite()


@dataclass
class Own:
    """A copy that a function makes of an array that it is given, works on and returns."""

    tree: Any
    parameter: str
    #: the statement that makes it, and its name
    made: Stmt
    name: str
    #: the place in the tuples that are put on tapes where it is kept, if it is
    kept: list[tuple[list[Expr], int]] = field(default_factory=list)

    @property
    def position(self) -> int:
        return [a.id for a in self.tree.args.args].index(self.parameter)

    @property
    def results(self) -> list[Expr]:
        return items_of(self.tree.body[-1].value)

    @property
    def result(self) -> int:
        """Its position in what is returned."""
        return [getattr(e, "id", "") for e in self.results].index(self.name)

    def rewrite(self) -> None:
        """Work on the array itself."""
        for items, k in self.kept:
            items[k] = quote("x.copy()", x=items[k])
        left = [e for k, e in enumerate(self.results) if k != self.result]
        last = self.tree.body[-1]
        last.value = left[0] if len(left) == 1 else gast.Tuple(left, gast.Load()) if left else None
        body = [s for s in self.tree.body if s is not self.made and (left or s is not last)]
        self.tree.body = replace_names(body or [gast.Pass()], {self.name: load(self.parameter)})


def own_copy(tree: Any, parameter: str, facts: Facts) -> Own | None:
    """The copy that a function makes of a parameter, if it may work on what it is given instead."""
    body, effects = tree.body, Effects(facts)
    made = next((s for s in body if copied_name(s) == parameter and isinstance(s.targets[0], gast.Name)), None)
    returns = [n for n in walk(tree) if isinstance(n, gast.Return)]
    if made is None or len(returns) != 1 or returns[0] is not body[-1] or returns[0].value is None:
        return None
    name = made.targets[0].id
    before = body[: body.index(made)]
    every = [s for top in body for s in nested(top)]
    bound = [n for s in every if not isinstance(s, gast.AugAssign) for n in targets(s) if n == name]
    reads = [n for n in walk_names(body) if n.id == parameter and isinstance(n.ctx, gast.Load)]
    if len(bound) != 1 or (name != parameter and len(reads) != 1) or parameter in names_read(before):
        return None
    shared = {name}
    while True:
        more = {n for s in every if s is not made for n, held in effects.of(s).defines if held & {*shared, WORLD}}
        if more <= shared:
            break
        shared |= more
    own = Own(tree, parameter, made, name)
    if sum(getattr(e, "id", "") == name for e in own.results) != 1:
        return None
    if any(effects.shares(e) & shared for e in own.results if getattr(e, "id", "") != name):
        return None
    for statement in every:
        items = pushed(statement, facts.tapes)
        if items is not None:
            own.kept += [(items, k) for k, e in enumerate(items) if effects.shares(e) & shared]
        elif any(kept & shared for _, kept, _ in effects.of(statement).keeps):
            return None
    arrays = all(isinstance(facts.kinds.get(getattr(items[k], "id", "")), Array) for items, k in own.kept)
    return own if len(own.kept) <= 1 and arrays else None


@dataclass
class Site:
    """A call of a function, in a list of statements."""

    block: list[Stmt]
    statement: Stmt
    call: Expr
    tree: Any

    def targets(self) -> list[Expr]:
        return items_of(self.statement.targets[0]) if isinstance(self.statement, gast.Assign) else []

    def written_back(self, own: Own, facts: Facts | None = None) -> tuple[Stmt, Expr] | None:
        """The statement that writes a result back to an array, and that array."""
        given = self.targets()
        if len(given) == 1 and len(own.results) == 1 and is_whole(given[0]):
            return self.statement, given[0].value
        if len(given) != len(own.results) or not isinstance(given[own.result], gast.Name):
            return None
        name = given[own.result].id
        k = next(i for i, s in enumerate(self.block) if s is self.statement)
        for after in self.block[k + 1 :]:
            if name in targets(after):
                return None
            target = target_of(after)
            if target is not None and is_whole(target) and isinstance(after.value, gast.Name):
                if after.value.id == name:
                    return after, target.value
                continue
            if facts is None or not all(isinstance(facts.kinds.get(n), (Number, ListOf)) for n in names_read(after)):
                return None
            if not isinstance(after, (gast.Assign, gast.Expr)):
                return None
        return None

    def is_unread(self, own: Own) -> bool:
        """Does nobody read what the function returns of an array?"""
        given = self.targets()
        if not given:
            return isinstance(self.statement, gast.Expr)
        one = given[own.result] if len(given) == len(own.results) else None
        return isinstance(one, gast.Name) and one.id not in names_read(self.tree)

    def fits(self, own: Own, facts: Mapping[str, Facts]) -> bool:
        if self.statement is None or self.call.keywords:
            return False
        if self.is_unread(own):
            return True
        found = self.written_back(own, facts[self.tree.name])
        if found is None:
            return False
        store, array = found
        if store is not self.statement:
            name = store.value.id
            if not only_written_back(name, self.tree):
                return False
        return text(array) == self.handed(own)

    def handed(self, own: Own) -> str:
        """The array that the function is given, or is given a copy of."""
        given = self.call.args[own.position]
        if is_copy(given):
            return text(given.func.value)
        k = next(i for i, s in enumerate(self.block) if s is self.statement)
        before = self.block[k - 1] if k else None
        if isinstance(given, gast.Name) and before is not None and targets(before) == [given.id]:
            return text(before.value.func.value) if is_copy(before.value) else given.id
        return text(given)

    def rewrite(self, own: Own) -> None:
        found = self.written_back(own, Facts(kinds=_Any()))
        given = self.call.args[own.position]
        if found is None:  # nobody sees what it becomes
            if isinstance(given, (gast.Name, gast.Subscript, gast.Attribute)):
                self.call.args[own.position] = quote("x.copy()", x=given)
        else:
            store, array = found
            self.call.args[own.position] = _loaded(array)
            if store is not self.statement:
                self.block[:] = [s for s in self.block if s is not store]
        left = [t for k, t in enumerate(self.targets()) if k != own.result]
        if self.targets():
            k = next(i for i, s in enumerate(self.block) if s is self.statement)
            made: Any = gast.Expr(self.call)
            if left:
                made = gast.Assign([left[0] if len(left) == 1 else gast.Tuple(left, gast.Store())], self.call, None)
            for mark, value in self.statement.__dict__.items():
                if mark not in ("targets", "value", "type_comment"):
                    setattr(made, mark, value)
            self.block[k] = made


class _Any(dict[str, Any]):
    """Kinds of names that have been looked at before."""

    def get(self, key: str, default: Any = None) -> Any:
        return Number(float)


def calls_of(name: str, trees: Collection[Any]) -> Iterator[Site]:
    """All calls of a function; without a statement where one stands within an expression."""
    for tree in trees:
        inside = {id(n) for n in walk(tree) if isinstance(n, gast.Call) and getattr(n.func, "id", "") == name}
        for block in blocks(tree):
            for statement in block:
                call = getattr(statement, "value", None)
                if isinstance(statement, (gast.Assign, gast.Expr)) and id(call) in inside:
                    inside.discard(id(call))
                    yield Site(block, statement, call, tree)
        if inside:
            yield Site([], None, None, tree)


def only_written_back(name: str, tree: Any) -> bool:
    """Is a name read only to be written to an array, in the lists of statements that bind it before?"""
    reads = sum(n.id == name and isinstance(n.ctx, gast.Load) for n in walk_names(tree))
    for block in blocks(tree):
        bound = False
        for statement in block:
            read = isinstance(statement, gast.Assign) and getattr(statement.value, "id", "") == name
            if read and bound and is_whole(statement.targets[0]):
                reads -= 1
            bound = bound or name in targets(statement)
    return not reads


def blocks(statement: Any) -> Iterator[list[Stmt]]:
    """The lists of statements in a statement, at any depth."""
    for block in blocks_of(statement):
        yield block
        for inner in block:
            yield from blocks(inner)


def pushed(statement: Stmt, tapes: Collection[str]) -> list[Expr] | None:
    """What is put on one of the tapes, as a list to be changed. (Lists of the user's hold arrays, and no records.)

    >>> from s2sad.core import statements
    >>> [text(e) for e in pushed(statements("tape.append((a, b))")[0], {"tape"})]
    ['a', 'b']
    >>> pushed(statements("rows.append(a)")[0], {"tape"})
    """
    call = statement.value if isinstance(statement, gast.Expr) else None
    if not isinstance(call, gast.Call) or getattr(call.func, "attr", "") != "append" or len(call.args) != 1:
        return None
    if getattr(call.func.value, "id", "") not in tapes:
        return None
    return call.args[0].elts if isinstance(call.args[0], gast.Tuple) else call.args  # type: ignore[no-any-return]


def copied_name(statement: Stmt) -> str:
    """The name of which a statement makes a copy.

    >>> from s2sad.core import statements
    >>> [copied_name(s) for s in statements("u_1 = u.copy()\\ndu_1 = np.copy(du)\\nv = u.copy(order='F')")]
    ['u', 'du', '']
    """
    value = statement.value if isinstance(statement, gast.Assign) else None
    if value is not None and is_copy(value):
        return getattr(value.func.value, "id", "")
    if isinstance(value, gast.Call) and text(value.func) == "np.copy" and len(value.args) == 1 and not value.keywords:
        return getattr(value.args[0], "id", "")
    return ""


def is_copy(value: Any) -> bool:
    func = value.func if isinstance(value, gast.Call) and not value.args and not value.keywords else None
    return isinstance(func, gast.Attribute) and func.attr == "copy"


def is_whole(target: Any) -> bool:
    """Is it all of an array: `u[...]`?"""
    if not isinstance(target, gast.Subscript):
        return False
    return is_constant(target.slice, ...)


def targets(statement: Stmt) -> list[str]:
    """The names that a statement binds itself."""
    found = statement.targets if isinstance(statement, gast.Assign) else [getattr(statement, "target", None)]
    return [n.id for t in found if t is not None for n in walk_names(t) if isinstance(n.ctx, gast.Store)]


def _loaded(array: Expr) -> Expr:
    made = clone(array)
    made.ctx = gast.Load()
    return made
