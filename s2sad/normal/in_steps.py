"""An iterator over an array or a list that a function asks for items at several places is its items and a position.

    it = iter(x)                    it is the items of x, and the position 0
    previous = next(it)             the item at the position, which then moves on
    for v in it:                    for k in range(position, len(x)): v = x[k]

That is what it is in Python, too. It is done where all that a function does with the iterator stands in the function
itself, and where a list that it runs over keeps its length.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import clone, walk, walk_names
from s2sad.normal.expressions import Bound
from s2sad.normal.jumps import invented, name, once_for, placed
from s2sad.normal.values import Known


class Steps:
    """An iterator over what can be indexed."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position = 0

    def __iter__(self) -> Any:
        """All that is left."""
        at = self.position
        self.position = len(self.items)
        return self.items[at:]

    def __next__(self) -> Any:
        if self.position >= len(self.items):
            raise StopIteration
        item = self.items[self.position]
        self.position = self.position + 1
        return item


def next_or(steps: Any, default: Any) -> Any:
    """next(steps, default)"""
    if steps.position >= len(steps.items):
        return default
    return next(steps)


def is_asked_in_steps(tree: Any, iterator: str) -> bool:
    """Does a function ask an iterator by `next`, by loops over it, and by what takes all that is left, and by nothing
    else?"""
    fine: set[int] = set()
    for node in walk(tree):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.args:
            whole = node.func.id in _TAKE_ALL and len(node.args) == 1
            parts = node.args[:1] if node.func.id == "next" or whole else []
        elif isinstance(node, gast.For):
            parts = [node.iter]
            if is_zip_of_one(node.iter):
                parts = node.iter.args
        else:
            continue
        fine |= {id(p) for p in parts}
    inner = (n for n in walk(tree) if n is not tree and isinstance(n, (*_FUNCTIONS, *_COMPREHENSIONS)))
    if any(n.id == iterator for part in inner for n in walk_names(part)):
        return False
    return all(id(n) in fine for n in walk_names(tree) if n.id == iterator and isinstance(n.ctx, gast.Load))


def keeps_its_length(tree: Any, items: Any) -> bool:
    """Does a list keep its length while a function iterates over it, as far as its text says?"""
    if not isinstance(items, gast.Name):
        return isinstance(items, (gast.Call, gast.ListComp, gast.List))
    fine: set[int] = set()
    for node in walk(tree):
        if isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Load):
            fine.add(id(node.value))
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("len", "iter"):
            fine |= {id(a) for a in node.args}
    reads = [n for n in walk_names(tree) if n.id == items.id]
    stores = sum(not isinstance(n.ctx, gast.Load) for n in reads)
    return stores < 2 and all(id(n) in fine for n in reads if isinstance(n.ctx, gast.Load))


def loop_in_steps(node: Any) -> list[Any]:
    """A loop over such an iterator.

    for v in it:               for k in range(it.position, len(it.items)):
        B              ->          it.position = k + 1; v = it.items[k]; B

    for v in it:               while it.position < len(it.items):
        B(next(it))    ->          v = it.items[it.position]; it.position = it.position + 1; B(next(it))
    """

    def make() -> list[Any]:
        count = len(node.iter.args) if isinstance(node.iter, gast.Call) else 1
        iterator = node.iter.args[0] if isinstance(node.iter, gast.Call) else node.iter

        def part(attribute: str, store: bool = False) -> Any:
            return gast.Attribute(clone(iterator), attribute, gast.Store() if store else gast.Load())

        def ahead(place: Any, by: int) -> Any:
            return gast.BinOp(place, gast.Add(), gast.Constant(by, None)) if by else place

        def item(place: Any) -> Any:
            return gast.Subscript(part("items"), place, gast.Load())

        def move(place: Any) -> Any:
            return gast.Assign([part("position", True)], place, None)

        size = gast.Call(Bound(Known(len)), [part("items")], [])
        body, orelse = clone(node.body), clone(node.orelse)
        if count == 1 and not any(n.id == iterator.id for n in walk_names(node.body)):
            k = invented("k", node)
            turn = [move(ahead(name(k), 1)), gast.Assign([node.target], item(name(k)), None)]
            over = gast.Call(Bound(Known(range)), [part("position"), size], [])
            return placed([gast.For(name(k, True), over, [*turn, *body], orelse, None)], node)
        items: Any = [item(ahead(part("position"), k)) for k in range(count)]
        target = gast.Assign([node.target], gast.Tuple(items, gast.Load()) if count > 1 else items[0], None)
        test = gast.Compare(ahead(part("position"), count - 1), [gast.Lt()], [size])
        if count > 1:  # zip asks for what is left of a last group, too
            orelse = [move(clone(size)), *orelse]
        return placed([gast.While(test, [target, move(ahead(part("position"), count)), *body], orelse)], node)

    return once_for(node, "steps", make)  # type: ignore[no-any-return]


def is_zip_of_one(node: Any) -> bool:
    """zip(it, it)"""
    called = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "zip"
    plain = called and not node.keywords and all(isinstance(a, gast.Name) for a in node.args)
    return plain and len({a.id for a in node.args}) == 1


_TAKE_ALL = {"sum", "list", "tuple", "sorted", "max", "min"}
_FUNCTIONS = (gast.FunctionDef, gast.Lambda, gast.ClassDef)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)
