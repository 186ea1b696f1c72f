"""Functions whose results are cached: is calling them again as good?"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.binding import bound_names
from s2sad.analysis.known_calls import changes_receiver
from s2sad.core import walk

_DEFINITIONS = (gast.FunctionDef, gast.Lambda)


def effect_of(tree: Any) -> str | None:
    """What a function does besides returning a value, seen from its text."""
    local, outer, of_module = bound_names(tree)
    if outer or of_module:
        return "changes variables of others"
    spec = tree.args
    given = {a.id for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]}
    if any(name is None or name not in local - given for name in overwritten(tree.body)):
        return "changes what others hold"
    return None


def overwritten(body: list[Any]) -> list[str | None]:
    """The names of what is changed in place, by stores and by methods; None for what has no name."""
    found: list[str | None] = []
    for node in (n for s in body for n in walk(s)):
        changed = None
        if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, (gast.Store, gast.Del)):
            changed = node
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and changes_receiver(node.func.attr):
            changed = node.func
        if changed is not None:
            found.append(root(changed))
    return found


def root(node: Any) -> str | None:
    """The name at the left end of `a.b[c].d`."""
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return str(node.id) if isinstance(node, gast.Name) else None


def free_names(tree: Any) -> set[str]:
    """The names that a function reads and does not bind."""
    own = bound_names(tree)[0]
    inner = {a.id for n in walk(tree) if isinstance(n, _DEFINITIONS) for a in walk(n.args) if isinstance(a, gast.Name)}
    bound = {n.id for n in walk(tree) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    read = {n.id for s in tree.body for n in walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
    return read - own - inner - bound


def changed_later(tree: Any, around: Any) -> str | None:
    """A free name of a function that the function around it binds again, or whose value it changes, behind the
    definition."""
    free = free_names(tree)
    inside = {id(n) for n in walk(tree)}
    outside = [n for s in around.body for n in walk(s) if id(n) not in inside]
    behind = [n for n in outside if getattr(n, "lineno", 0) > tree.lineno]
    given = {a.id for a in walk(around.args) if isinstance(a, gast.Name)}
    stores = [n.id for n in outside if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
    later = {n.id for n in behind if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    again = {n for n in later if n in given or stores.count(n) > 1}
    again |= {name for n in outside if isinstance(n, gast.Nonlocal) for name in n.names}
    again |= {name for name in overwritten([n for n in behind if isinstance(n, gast.stmt)]) if name is not None}
    return next(iter(sorted(free & again)), None)


def results_changed(name: str, around: Any) -> bool:
    """May what a cached function gave be changed in place: `f(0)[0] = 1.0`, or `a = f(0)` and `a.append(x)`?"""
    named = {
        target.id
        for node in walk(around)
        if isinstance(node, gast.Assign) and _calls(node.value, name)
        for t in node.targets
        for target in walk(t)
        if isinstance(target, gast.Name)
    }
    changed = overwritten(around.body)
    changed += [root(n.target) for n in walk(around) if isinstance(n, gast.AugAssign)]
    return any(one is None or one in named for one in changed)


def _calls(node: Any, name: str) -> bool:
    return any(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == name for n in walk(node))
