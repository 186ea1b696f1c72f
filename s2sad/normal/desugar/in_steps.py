"""An iterator over an array or a list that a function asks for items at several places is its items and a position.

    it = iter(x)                    it is the items of x, and the position 0
    previous = next(it)             the item at the position, which then moves on
    for v in it:                    for k in range(position, len(x)): v = x[k]

That is what it is in Python, too. It is done where all that a function does with the iterator stands in the function
itself, and where a list that it runs over keeps its length.

Other iterators are lowered where they are made, all items at once, as long as nobody can tell (`iteration.watch`).
Where somebody can, the iterator is an object that holds what it takes its items from, and computes each when it is
asked for it:

    m = map(f, u)                   it is f, and an iterator over u
    a = next(m)                     a = f(u[0]), and the position in u moves on
    u[1] = 2.0
    for v in m:                     while there are items: v = f(u[position]), ...
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import clone, walk, walk_names
from s2sad.normal.desugar.jumps import invented, name, once_for, placed
from s2sad.normal.values.abstract import Known, Value


class Bound(gast.expr):  # type: ignore[misc]
    """Stands in the user's tree for a value that is there already."""

    _fields = ()

    def __init__(self, held: Value) -> None:
        super().__init__()
        self.held = held


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


def loop_in_steps(node: Any, over_items: bool = True) -> list[Any]:
    """A loop over such an iterator: one over what keeps its length (`over_items`), or another.

    for v in it:               for k in range(it.position, len(it.items)):
        B              ->          it.position = k + 1; v = it.items[k]; B

    for v in it:               while it.position < len(it.items):
        B(next(it))    ->          v = it.items[it.position]; it.position = it.position + 1; B(next(it))

    for v in m:                while m.has():
        B              ->          v = m.take(); B
    """

    def make() -> list[Any]:
        if not over_items:
            taken = gast.Call(gast.Attribute(clone(node.iter), "take", gast.Load()), [], [])
            more = gast.Call(gast.Attribute(clone(node.iter), "has", gast.Load()), [], [])
            turn = gast.Assign([node.target], taken, None)
            return placed([gast.While(more, [turn, *node.body], node.orelse)], node)
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

    return once_for(node, "steps" if over_items else "asked", make)  # type: ignore[no-any-return]


def by_name(node: Any) -> list[Any]:
    """A loop over what has a name.

    for v in map(f, it):          items = map(f, it)
        B                  ->     for v in items: B
    """

    def make() -> list[Any]:
        items = invented(f"items_{node.iter.col_offset}_", node.iter)  # (of several loops in a line)
        first = gast.Assign([name(items, True)], node.iter, None)
        return placed([first, gast.For(node.target, name(items), node.body, node.orelse, None)], node)

    return once_for(node, "by name", make)  # type: ignore[no-any-return]


def parts_of_generator(node: Any) -> tuple[Any, Any | None] | None:
    """A generator expression as what is computed of an item, and the test of those that count: functions of an item
    each. None where it has several loops, or binds names.

    (a * c for a, b in pairs if b)  ->  item: a * c;  test: b
    """

    def make() -> Any:
        first, *others = node.generators
        if others or any(isinstance(n, (gast.NamedExpr, gast.Starred)) for n in walk(node)):
            return (None,)
        plain = isinstance(first.target, gast.Name)
        taken = {n.id for n in walk_names(node)}
        item = first.target.id if plain else next(n for n in ("item", "item_", "item_of_generator") if n not in taken)

        def function(result: Any) -> Any:
            spec = gast.arguments([gast.Name(item, gast.Param(), None, None)], [], None, [], [], None, [])
            unpacked = [] if plain else [gast.Assign([clone(first.target)], name(item), None)]
            made = gast.FunctionDef("generated", spec, [*unpacked, gast.Return(clone(result))], [], None, None)
            return placed([made], node)[0]

        tests = first.ifs
        test = None
        if tests:
            test = function(tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), list(tests)))
        return ((function(node.elt), test),)

    return once_for(node, "parts", make)[0]  # type: ignore[no-any-return]


def is_zip_of_one(node: Any) -> bool:
    """zip(it, it)"""
    called = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "zip"
    plain = called and not node.keywords and all(isinstance(a, gast.Name) for a in node.args)
    return plain and len({a.id for a in node.args}) == 1


_TAKE_ALL = {"sum", "list", "tuple", "sorted", "max", "min"}
_FUNCTIONS = (gast.FunctionDef, gast.Lambda, gast.ClassDef)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)
