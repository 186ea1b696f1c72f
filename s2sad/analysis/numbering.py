"""Numbers for the values of expressions: what has one number has one value, wherever in a function it stands.

A name says little, for it may be bound again, and so does the text of an expression. So each name has a number that
says what it was bound to, each piece of memory one that is another behind a store into it, and the number of an
expression is told by its text and the numbers of what it reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.aliases import roots
from s2sad.analysis.effects import Effects, nested
from s2sad.core import Expr, Facts, Stmt, blocks_of, clone, form, is_operation, names_bound, text, walk, walk_names
from s2sad.kinds.kind import List, ListOf


@dataclass(frozen=True)
class Step:
    """A block around a statement.

    Attributes:
        cause: what it is run for: equal for the sides of a branch on the same value, and for loops over the same items.
        part: which of the blocks that are run for this it is.
        owner: the statement that it is a block of.
        turns: may it be run several times?
    """

    cause: Any
    part: int
    owner: int = field(compare=False)
    turns: bool = field(default=False, compare=False)


Path = tuple[Step, ...]
#: is told of a statement, and of where it stands, before what it does is done
Visit = Callable[[Stmt, Path], None]

_JUMPS = (gast.Return, gast.Raise, gast.Break, gast.Continue)
#: stands for all memory: what it has is newer than what a piece of it has from before
_EVERYTHING = "*"
#: what was changed: the table and what it held in the end, by table and key
_Changes = dict[tuple[int, str], tuple[dict[str, int], int | None]]


class Numbering:
    """The numbers of what the statements of a function read, as they are run.

    Args:
        body: the statements.
        facts: what is known of their names.
        effects: what is known of the statements.
        parameters: the names that come in bound.

    >>> from s2sad.core import statements
    >>> body = statements("a[i]\\ni = j\\na[i]\\nfor i in range(n): a[i]\\nfor i in reversed(range(n)): a[i]")
    >>> numbers, found = Numbering(body, Facts(), Effects(Facts())), []
    >>> def see(s, path):
    ...     found.append((numbers.of(s.value), path)) if isinstance(s, gast.Expr) else None
    >>> numbers.run(see)
    >>> found[0] == found[1], found[2] == found[3]
    (False, True)
    """

    def __init__(self, body: list[Stmt], facts: Facts, effects: Effects, parameters: Collection[str] = ()) -> None:
        self.body, self.effects, self.kinds = body, effects, facts.kinds
        found = roots(body, facts, effects, parameters)
        self.roots = {name: tuple(sorted(bases)) for name, bases in found.items()}
        self.known: dict[Any, int] = {}
        self.new = itertools.count(1).__next__
        #: what names stand for; what memory holds, and how much of it there is, by where it comes from
        self.names: dict[str, int] = {}
        self.contents: dict[str, int] = {}
        self.lengths: dict[str, int] = {}
        #: for lists that are made as long as others, as adjoints are: `g = [0.0] * len(v)`
        self.made_like: dict[int, Any] = {}
        #: what the three tables held before each change: a side of a branch is taken back
        self.trail: list[tuple[dict[str, int], str, int | None]] = []

    def run(self, visit: Visit) -> None:
        """Go through the statements in the order in which they stand."""
        self.visit = visit
        self.block(self.body, ())

    def of(self, node: Expr) -> int:
        """The number of an expression, at the statement that is visited."""
        names = sorted({n.id for n in walk_names(node)})
        return self.number(form(node), *((self.names.get(n, n), self.held(n, self.contents)) for n in names))

    def length(self, node: Expr) -> Any:
        """What stands for the keys of a list: it has as many items as others with that."""
        if not isinstance(node, gast.Name) or not isinstance(self.kinds.get(node.id), (List, ListOf)):
            return self.of(node)
        own = self.names.get(node.id, node.id), self.held(node.id, self.lengths)
        return self.made_like.get(own, own)  # type: ignore[call-overload]

    def number(self, *key: Any) -> int:
        """The number of something, the same one for the same."""
        if key not in self.known:
            self.known[key] = self.new()
        return self.known[key]

    def held(self, name: str, tokens: dict[str, int]) -> Any:
        """What the memory of a name is like now."""
        bases = self.roots.get(name)
        if not bases:
            return ()
        every = tokens.get(_EVERYTHING, 0)
        return tuple([max(tokens.get(base, 0), every) for base in bases])

    # --- statements

    def block(self, block: list[Stmt], path: Path) -> bool:
        """Go through a block. Is its end reached?"""
        for s in block:
            self.visit(s, path)
            if isinstance(s, gast.If):
                reached = self.branches(s, path)
            elif isinstance(s, (gast.For, gast.While)):
                reached = self.loop(s, path)
            elif isinstance(s, gast.With):
                self.bind(s)
                reached = self.block(s.body, (*path, Step(id(s), 0, id(s))))
            elif blocks := list(blocks_of(s)):
                for k, inner in enumerate(blocks):
                    self.forget([s])
                    self.block(inner, (*path, Step(id(s), k, id(s))))
                self.forget([s])
                reached = True
            else:
                self.bind(s)
                reached = not isinstance(s, _JUMPS)
            if not reached:
                return False
        return True

    def branches(self, s: Any, path: Path) -> bool:
        cause, turned = self.asked(s.test)
        mark = len(self.trail)
        ends: list[_Changes] = []
        for k, side in enumerate((s.body, s.orelse)):
            reached = self.block(side, (*path, Step(cause, k ^ turned, id(s))))
            changes = self.take_back(mark)
            if reached:
                ends.append(changes)
        for place in {place: None for end in ends for place in end}:
            table, key = next(end[place][0] for end in ends if place in end), place[1]
            now = {end[place][1] if place in end else table.get(key) for end in ends}
            self.put(table, key, now.pop() if len(now) == 1 else self.new())
        return bool(ends)

    def asked(self, test: Expr) -> tuple[Any, int]:
        """What stands for a test, and the side that is run where it is true: 1 where it is turned round."""
        turned = is_operation(test, gast.Not)
        return ("if", self.of(test.operand if turned else test)), int(turned)

    def loop(self, s: Any, path: Path) -> bool:
        cause: Any = id(s)
        if isinstance(s, gast.For) and not _may_be_left(s):
            cause = "for", text(s.target), self.of(_forwards(s.iter))
        self.forget([*s.body, *s.orelse])
        for name in {n.id for n in walk_names(s.target)} if isinstance(s, gast.For) else ():
            self.put(self.names, name, self.number("turn", name, cause))
        self.block(s.body, (*path, Step(cause, 0, id(s), True)))
        self.forget([s])
        if s.orelse:
            self.block(s.orelse, (*path, Step(id(s), 1, id(s))))
            self.forget(s.orelse)
        return True

    def forget(self, statements: list[Stmt]) -> None:
        """Statements may have been run, and how often is not known."""
        for s in (s for top in statements for s in nested(top)):
            self.store(s)
        for name in names_bound(statements):
            self.put(self.names, name, self.new())

    def bind(self, s: Any) -> None:
        """A statement without blocks is run."""
        effect = self.effects.of(s)
        plain = isinstance(s, gast.Assign) and len(s.targets) == 1 and not effect.own and not effect.effects
        value = self.of(s.value) if plain else self.new()
        like = self.like(s.value) if plain else None
        self.store(s)
        target = s.targets[0] if plain else None
        for k, name in enumerate(sorted(names_bound([s]))):
            whole = isinstance(target, gast.Name) and target.id == name
            self.put(self.names, name, value if whole else self.number("part", k, value) if plain else self.new())
            if whole and like is not None:
                self.made_like[value, self.held(name, self.lengths)] = like  # type: ignore[index]

    def like(self, value: Any) -> Any:
        """What stands for the length of a list that is made like another."""
        count = value.right if isinstance(value, gast.BinOp) and isinstance(value.left, gast.List) else None
        like = count.args[0] if isinstance(count, gast.Call) and getattr(count.func, "id", "") == "len" else None
        plain = isinstance(value, gast.ListComp) and len(value.generators) == 1 and not value.generators[0].ifs
        like = value.generators[0].iter if plain else like
        return self.length(like) if isinstance(like, gast.Name) else None

    def store(self, s: Any) -> None:
        """What a statement stores into is not what it was."""
        effect = self.effects.of(s)
        changed = {_EVERYTHING}
        if not effect.unknown:
            changed = {base for n in (*effect.stores, *effect.deep_stores) for base in self.roots.get(n, (n,))}
        longer = effect.unknown or not _is_item_store(s)
        for base in changed:
            self.put(self.contents, base, self.new())
            if longer:
                self.put(self.lengths, base, self.new())

    def put(self, table: dict[str, int], key: str, number: int | None) -> None:
        """Note in one of the tables what something is now."""
        self.trail.append((table, key, table.get(key)))
        if number is None:
            table.pop(key, None)
        else:
            table[key] = number

    def take_back(self, mark: int) -> _Changes:
        """Undo what was noted since; it is returned."""
        changes: _Changes = {}
        while len(self.trail) > mark:
            table, key, before = self.trail.pop()
            changes.setdefault((id(table), key), (table, table.get(key)))
            if before is None:
                table.pop(key, None)
            else:
                table[key] = before
        return changes


def _is_item_store(s: Any) -> bool:
    """Is something put in the place of an item? Then there are as many as before."""
    target = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, "target", None)
    return isinstance(target, gast.Subscript) and not isinstance(target.slice, gast.Slice)


def _forwards(node: Expr) -> Expr:
    """What a loop runs over, whichever way it does."""
    if not any(isinstance(n, gast.Call) and getattr(n.func, "id", "") == "reversed" for n in walk(node)):
        return node
    return _Forwards().visit(clone(node))


class _Forwards(gast.NodeTransformer):  # type: ignore[misc]
    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        return node.args[0] if getattr(node.func, "id", "") == "reversed" else node


def _may_be_left(loop: Any) -> bool:
    """May a turn of a loop end before its last statement?"""
    return any(isinstance(s, _JUMPS) for top in loop.body for s in nested(top))


def exclusive(one: Path, other: Path) -> bool:
    """Are two places on the two sides of a branch?"""
    for a, b in zip(one, other, strict=False):
        if a != b:
            return a.cause == b.cause  # type: ignore[no-any-return]
    return False
