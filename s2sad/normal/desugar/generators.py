"""Generators as functions that return a list of what they yield.

def odd(m):                     def odd(m):
    for k in range(m):              items = []
        if k % 2:         ->        for k in range(m):
            yield k                     if k % 2:
                                            items.append(k)
                                    return items
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import OfNodes, assign, clone, load, quote, walk_names

#: builtins that have no effect and keep nothing
_PLAIN = {
    *("range", "len", "enumerate", "zip", "min", "max", "abs", "int", "float", "bool", "divmod", "sum", "reversed"),
    *("sorted", "round", "tuple", "list", "str", "pow", "isinstance"),
}
#: of functions: do they yield?
_YIELDS = OfNodes()


def is_generator(tree: Any) -> bool:
    """Does a function yield?"""
    found = _YIELDS.get(tree)
    if found is None:
        found = _YIELDS[tree] = any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in own_nodes(tree))
    return bool(found)


def own_nodes(tree: Any) -> list[Any]:
    """The nodes of a function's body, without those of functions inside it."""
    found, stack = [], list(tree.body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)):
            stack.extend(gast.iter_child_nodes(node))
    return found


def as_list_maker(tree: Any) -> Any | None:
    """The function that returns a list of what a generator yields.

    None where it never ends by itself, takes in what is sent to it, or may stop inside of a `with` or a `try`.

    >>> from s2sad.core import statements, text
    >>> (made,) = statements("def f(n):\\n  while n:\\n    yield n\\n    n -= 1")
    >>> print(text(as_list_maker(made)).replace("    ", " "))
    def f(n):
     items = []
     while n:
      items.append(n)
      n -= 1
     return items
    """
    known = getattr(tree, "list_maker", None)
    if known is None:
        known = tree.list_maker = (_as_list_maker(tree),)
    return known[0]


def is_plain(tree: Any) -> bool:
    """Does a function look at nothing but what it is given, as far as its text says: does it call nothing but what
    computes, and store nothing?"""
    for node in own_nodes(tree):
        if isinstance(node, (gast.Global, gast.Nonlocal, gast.Delete)):
            return False
        if isinstance(node, gast.Call) and not _computes(node.func):
            return False
        if isinstance(node, gast.Expr) and not isinstance(node.value, (gast.Yield, gast.YieldFrom, gast.Constant)):
            return False
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            return False
    return True


def _computes(function: Any) -> bool:
    if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name):
        return bool(function.value.id == "math")
    return isinstance(function, gast.Name) and function.id in _PLAIN


def _as_list_maker(tree: Any) -> Any | None:
    nodes = own_nodes(tree)
    statements = {id(n.value) for n in nodes if isinstance(n, gast.Expr)}
    for node in nodes:
        if isinstance(node, (gast.Yield, gast.YieldFrom)) and id(node) not in statements:
            return None
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant):
            return None
        if isinstance(node, (gast.Global, gast.Nonlocal, gast.FunctionDef, gast.ClassDef, gast.With, gast.Try)):
            return None
    name = "items"
    while any(n.id == name for n in walk_names([tree.body, tree.args])):
        name += "_"
    made = clone(tree)
    made.body = [assign(name, gast.List([], gast.Load())), *_collected(made.body, name), gast.Return(load(name))]
    for node in (made.body[0], made.body[-1]):
        for part in gast.walk(node):
            gast.copy_location(part, tree)
    return made


def _collected(block: list[Any], name: str) -> list[Any]:
    out = []
    for node in block:
        for field in ("body", "orelse"):
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                setattr(node, field, _collected(inner, name))
        value = getattr(node, "value", None)
        if isinstance(node, gast.Expr) and isinstance(value, (gast.Yield, gast.YieldFrom)):
            method = "append" if isinstance(value, gast.Yield) else "extend"
            item = value.value if value.value is not None else gast.Constant(None, None)
            call = quote(f"x.{method}(v)", x=name, v=item)
            for part in (call, call.func, call.func.value):
                gast.copy_location(part, node)
            node.value = call
        elif isinstance(node, gast.Return):
            node.value = gast.copy_location(load(name), node)
        out.append(node)
    return out


def read_from_outside(tree: Any) -> set[str]:
    """The names that a function reads and does not bind."""
    names = list(walk_names(tree.body))
    bound = {n.id for n in [*names, *walk_names(tree.args)] if not isinstance(n.ctx, gast.Load)}
    return {n.id for n in names} - bound


def times_bound(tree: Any, name: str) -> int:
    """How often a function binds a name; in a loop, or by a function inside it, counts twice."""
    count = sum(n.id == name for n in walk_names(tree.args) if not isinstance(n.ctx, gast.Load))

    def visit(node: Any, weight: int) -> None:
        nonlocal count
        if isinstance(node, gast.Name):
            count += weight * (node.id == name and not isinstance(node.ctx, gast.Load))
        for child in gast.iter_child_nodes(node):
            inside = isinstance(node, (gast.For, gast.While, gast.FunctionDef, gast.Lambda))
            visit(child, 2 if inside else weight)

    for statement in tree.body:
        visit(statement, 1)
    return int(count)
