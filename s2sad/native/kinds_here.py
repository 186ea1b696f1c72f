"""The kinds of names where a statement stands: tidy text uses one name for several values, one after the other."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from s2sad.analysis.known_calls import dotted
from s2sad.core import Expr, Facts, Stmt, walk
from s2sad.kinds.calls import element_kind
from s2sad.kinds.dims import among, base_symbols, is_fixed
from s2sad.kinds.infer import infer
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Dim, Kind, List, ListOf, Number, Tuple, Unknown
from s2sad.kinds.known import int_value

#: what is done with each statement, where the kinds of its names are known
Visit = Callable[[Stmt, Facts], None]


def called(func: Expr, facts: Facts) -> Any:
    """The function that an expression stands for; None where that is not known.

    >>> called(gast.parse("len", mode="eval").body, Facts()) is len
    True
    """
    path = dotted(func)
    if path is None or path[0] in facts.kinds:
        return None
    found = facts.globals.get(path[0], getattr(builtins, path[0], None))
    for name in path[1:]:
        found = getattr(found, name, None)
    return found


def follow(body: list[Stmt], facts: Facts, visit: Visit) -> None:
    """Visit the statements of a function in order, each with the kinds that its names have there.

    Args:
        body: the statements. The visit may change the expressions of its own statement.
        facts: with the kinds of the parameters, and what is known of other names.

    >>> from s2sad.core import quote_statements, Facts
    >>> import numpy as np
    >>> kinds = {"x": Array(np.dtype(float), (Dim.symbol("n"), Dim.symbol("m")))}
    >>> facts = Facts(kinds=kinds, globals={"np": np})
    >>> def show(statement, facts):
    ...     print(gast.unparse(statement), len(facts.kinds["g"].shape) if "g" in facts.kinds else None)
    >>> follow(quote_statements("g = x + 1.0\\ng = g[0]\\nx = g"), facts, show)
    g = x + 1.0 None
    g = g[0] 2
    x = g 1
    """
    lists = own_lists(body)
    _Flow(replace(facts, kinds=dict(facts.kinds)), visit, lists, _changes_lists(body, lists)).block(body)


def own_lists(body: list[Stmt]) -> set[str]:
    """The lists that are made empty and have one name: what stands in them is what is appended under it.

    >>> from s2sad.core import quote_statements
    >>> sorted(own_lists(quote_statements("a = []\\nb = []\\na.append(x)\\nb.append(a.pop())\\nreturn b")))
    ['a']
    """
    made, other = set[str](), set[str]()

    def visit(node: Any) -> None:
        if isinstance(node, gast.Name):
            other.add(node.id)
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.List) and not node.value.elts:
            made.update(t.id for t in node.targets if isinstance(t, gast.Name))
        elif isinstance(node, gast.Call) and _is_of_tape(node.func):
            for child in node.args:
                visit(child)
        elif not (isinstance(node, gast.Call) and getattr(node.func, "id", None) == "len"):
            for child in gast.iter_child_nodes(node):
                visit(child)

    for statement in body:
        visit(statement)
    return made - other


def _changes_lists(body: list[Stmt], own: set[str]) -> bool:
    """May a list become longer or shorter that is none of its function's own ones?"""

    def is_change(node: Any) -> bool:
        if isinstance(node, gast.Delete):
            return True
        if isinstance(node, gast.Subscript):
            return isinstance(node.slice, gast.Slice) and isinstance(node.ctx, gast.Store)
        method = node.func if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else None
        if method is None or method.attr not in _CHANGES:
            return False
        return not isinstance(method.value, gast.Name) or method.value.id not in own

    return any(is_change(node) for statement in body for node in walk(statement))


#: methods after which a list has another length
_CHANGES = frozenset(("append", "extend", "insert", "clear", "pop", "remove", "popleft", "appendleft"))


def _is_of_tape(func: Any) -> bool:
    return isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) and func.attr in ("append", "pop")


class _Flow:
    def __init__(self, facts: Facts, visit: Visit, lists: set[str], lists_change: bool) -> None:
        self.facts = facts
        self.lists = lists
        self.lists_change = lists_change
        #: of each name, what all of its values are
        self.joined = dict(facts.kinds)
        self.visit = visit
        self.quiet = 0
        self.count = 0
        #: of the loops around: what names are where it is left, and where its next turn begins
        self.ends: list[tuple[list[dict[str, Kind]], list[dict[str, Kind]]]] = []

    def block(self, body: list[Stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        if isinstance(statement, (gast.For, gast.While)):
            self.loop(statement)
            return
        self.lists_anew(statement)
        bound = self.bound(statement)  # (what the visit makes of it may have no kind that is known)
        self.seen(statement)
        for target, kind in bound:
            self.bind(target, kind)
        if isinstance(statement, gast.If):
            self.branches([statement.body, statement.orelse])
        elif isinstance(statement, gast.Try):
            self.branches([statement.body, *(h.body for h in statement.handlers), statement.orelse])
            self.block(statement.finalbody)
        elif isinstance(statement, gast.With):
            self.block(statement.body)
        elif isinstance(statement, (gast.Break, gast.Continue)) and self.ends:
            self.ends[-1][isinstance(statement, gast.Continue)].append(dict(self.facts.kinds))

    def bound(self, statement: Any) -> list[tuple[Expr, Kind]]:
        """What a statement binds, and what is appended to a list: each with its kind."""
        if isinstance(statement, gast.Assign):
            kind = infer(statement.value, self.facts)
            return [(target, kind) for target in statement.targets]
        if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
            whole = gast.BinOp(_load(statement.target), statement.op, statement.value)
            return [(statement.target, infer(whole, self.facts))]
        call = statement.value if isinstance(statement, gast.Expr) else None
        if not isinstance(call, gast.Call) or not _is_of_tape(call.func) or call.func.attr != "append":
            return []
        name = call.func.value
        if name.id not in self.lists:
            return []
        held = self.facts.kinds.get(name.id)
        item = infer(call.args[0], self.facts)
        return [(name, ListOf(join_kinds(held.item, item, self.symbol) if isinstance(held, ListOf) else item))]

    def seen(self, statement: Stmt) -> None:
        if not self.quiet:
            self.visit(statement, self.facts)

    def lists_anew(self, statement: Any) -> None:
        """What a statement reads from a list has lengths of its own; with two reads, no lengths."""
        reads = _reads(statement)
        for name, kind in self.facts.kinds.items():
            if isinstance(kind, (List, ListOf)):
                self.facts.kinds[name] = _anew(kind, self.symbol if reads.count(name) < 2 else None)

    def branches(self, blocks: list[list[Stmt]]) -> None:
        before, after = dict(self.facts.kinds), []
        for block in blocks:
            self.facts.kinds = dict(before)
            self.block(block)
            after.append(self.facts.kinds)
        self.facts.kinds = after[0]
        for other in after[1:]:
            self.join(other)

    def loop(self, statement: Any) -> None:
        """The body comes until what a turn leaves behind is what the next one begins with, and is visited then."""
        first, settled = self.count, False
        left: list[dict[str, Kind]] = []
        self.quiet += 1
        for _ in range(len(self.facts.kinds) + 10):
            start = dict(self.facts.kinds)
            left = self.turn(statement)
            self.join(start)
            settled = _alike(start, self.facts.kinds, first)
            if settled:
                break
        self.quiet -= 1
        if not settled:  # nothing is said of them, then
            self.facts.kinds = {n: k if start.get(n) == k else Unknown() for n, k in self.facts.kinds.items()}
        if not settled or not self.quiet:
            start = dict(self.facts.kinds)
            left = self.turn(statement)
            self.join(start)
        self.block(statement.orelse)
        for other in left:
            self.join(other)

    def turn(self, statement: Any) -> list[dict[str, Kind]]:
        """One turn of a loop: up to where the next one begins. What names are where it is left."""
        self.ends.append(([], []))
        self.lists_anew(statement)
        if isinstance(statement, gast.For):
            kind = self.turns(statement.iter) or element_kind(infer(statement.iter, self.facts))
            self.bind(statement.target, kind)
        self.seen(statement)
        self.block(statement.body)
        left, next_turn = self.ends.pop()
        for other in next_turn:
            self.join(other)
        return left

    def turns(self, turns: Any) -> Kind | None:
        """The int that a range counts, another one at each turn; None: it is none, or its bounds are not known."""
        if isinstance(turns, gast.Call) and called(turns.func, self.facts) is reversed and len(turns.args) == 1:
            return self.turns(turns.args[0])
        is_range = isinstance(turns, gast.Call) and called(turns.func, self.facts) is range and not turns.keywords
        if not is_range or not 1 <= len(turns.args) <= 3:
            return None
        given = [gast.Constant(0, None), *turns.args] if len(turns.args) == 1 else turns.args
        start, stop, step = [int_value(infer(a, self.facts)) for a in [*given, gast.Constant(1, None)][:3]]
        if start is None or stop is None or step is None or step.terms or not step.const:
            return Number(int)
        low, high = (start, stop - 1) if step.const > 0 else (stop + 1, start)
        return Number(int, among(self.symbol(), low, high))

    def join(self, other: dict[str, Kind]) -> None:
        kinds = self.facts.kinds
        for name, kind in other.items():
            kinds[name] = join_kinds(kinds[name], kind, self.symbol) if name in kinds else kind

    def symbol(self) -> Dim:
        self.count += 1
        return Dim.symbol(f"native@{self.count}")

    def of_any_length(self, kind: List) -> ListOf:
        """The kind of a list that may become longer and shorter, under another name perhaps."""
        item: Kind = kind.items[0] if kind.items else Unknown()
        for other in kind.items[1:]:
            item = join_kinds(item, other, self.symbol)
        return ListOf(item)

    def bind(self, target: Expr, kind: Kind) -> None:
        if isinstance(target, gast.Name):
            known = self.joined.get(target.id, kind)
            if target.id in self.lists:
                pass
            elif isinstance(kind, (List, ListOf)):  # it takes more, of other lengths
                kind = join_kinds(kind, known, self.symbol) if isinstance(known, (List, ListOf)) else kind
                if self.lists_change and isinstance(kind, List):
                    kind = self.of_any_length(kind)
                kind = _anew(kind, self.symbol)
            self.facts.kinds[target.id] = known if _is_vague(kind) else kind
        elif isinstance(target, (gast.Tuple, gast.List)):
            items = kind.items if isinstance(kind, (Tuple, List)) and len(kind.items) == len(target.elts) else ()
            for k, part in enumerate(target.elts):
                self.bind(part, items[k] if items else element_kind(kind))


def is_one_length(dim: Dim) -> bool:
    """Is what is called so equally long in all kinds that are known where a statement stands?"""
    return all(symbol.startswith("native@") or is_fixed(Dim.symbol(symbol)) for symbol in base_symbols([dim]))


def _anew(kind: Kind, symbol: Callable[[], Dim] | None) -> Kind:
    """The kind of what stands in a list, with new symbols for lengths and numbers; None: without such."""
    if isinstance(kind, Array) and kind.shape is not None:
        if all(map(is_fixed, kind.shape)):
            return kind
        shape = tuple(d if is_fixed(d) else symbol() for d in kind.shape) if symbol is not None else None
        return Array(kind.dtype, shape, mixed=kind.mixed)
    if isinstance(kind, Number):
        return Number(kind.type, types=kind.types)
    return kind.map(lambda part: _anew(part, symbol)) if isinstance(kind, (Tuple, List, ListOf)) else kind


def _alike(kinds: dict[str, Kind], others: dict[str, Kind], first: int) -> bool:
    """Are they the same, where symbols that were made after the `first` ones are all one: any length?"""

    def told(kind: Kind) -> str:
        return re.sub(r"native@(\d+)", lambda m: "native@" if int(m[1]) > first else m[0], repr(kind))

    return kinds.keys() == others.keys() and all(
        kind is others[name] or kind == others[name] or told(kind) == told(others[name]) for name, kind in kinds.items()
    )


#: what is done with a list that reads none of its items
_NO_ITEMS = frozenset(("append", "extend", "insert", "clear", "reverse"))


def _reads(statement: Any) -> list[str]:
    """The names whose items a statement may read, before the blocks in it: each as often as it stands there."""
    found: list[str] = []

    def visit(node: Any) -> None:
        if isinstance(node, gast.Name):
            found.append(node.id)
        owned = isinstance(node, gast.Attribute) and node.attr in _NO_ITEMS and isinstance(node.value, gast.Name)
        counted = isinstance(node, gast.Call) and getattr(node.func, "id", None) == "len"
        for child in () if owned or counted else gast.iter_child_nodes(node):
            visit(child)

    for name, value in gast.iter_fields(statement):
        if name not in ("body", "orelse", "finalbody", "handlers"):
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, gast.AST):
                    visit(node)
    return found


def _is_vague(kind: Kind) -> bool:
    return isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.shape is None)


def _load(target: Any) -> Expr:
    return gast.Name(target.id, gast.Load(), None, None)
