"""Comprehensions whose variable has the name of what they run over: `[v * c for v in v]`.

What a comprehension runs over first belongs to the scope around it, its variables to its own. With names of their own
for the variables, one scope says it all.
"""

from __future__ import annotations

import itertools
from typing import Any

import gast

from s2sad.core import walk, walk_names

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def unshadow(tree: Any) -> Any:
    """A function with names of their own for such variables. The tree is changed.

    >>> function = gast.parse("def f(v): return [v * c for v in v if v > c]").body[0]
    >>> print(gast.unparse(unshadow(function)).strip().replace("    ", " "))
    def f(v):
     return [v_1 * c for v_1 in v if v_1 > c]
    """
    for node in [n for n in walk(tree) if isinstance(n, _COMPREHENSIONS)]:
        first = node.generators[0].iter
        outer = {n.id for n in walk_names(first)}
        bound = {n.id for g in node.generators for n in walk_names(g.target)}
        taken = {n.id for n in walk_names(tree)} if outer & bound else set()
        for name in sorted(outer & bound):
            new = next(n for k in itertools.count(1) if (n := f"{name}_{k}") not in taken)
            taken.add(new)
            of_scope_around = {id(n) for n in walk_names(first)}
            for part in walk_names(node):
                if part.id == name and id(part) not in of_scope_around:
                    part.id = new
    return tree
