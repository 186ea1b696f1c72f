"""Private names: what `self.__rate` is called outside of the class that it is written in."""

from __future__ import annotations

import itertools
from typing import Any

import gast


def owner_of(qualname: str) -> str:
    """The class that a function is written in, by its qualified name; "" for none.

    >>> owner_of("Tank.fill"), owner_of("f.<locals>.Tank.fill.<locals>.step"), owner_of("f.<locals>.step")
    ('Tank', 'Tank', '')
    """
    parts = qualname.split(".")
    inside = [a for a, b in itertools.pairwise(parts) if "<locals>" not in (a, b)]
    return inside[-1] if inside else ""


def mangled(name: str, owner: str) -> str:
    """A name as the compiler of Python keeps it.

    >>> mangled("__rate", "_Tank"), mangled("__init__", "Tank"), mangled("rate", "Tank")
    ('_Tank__rate', '__init__', 'rate')
    """
    private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner.lstrip('_')}{name}" if private and owner.strip("_") else name


def mangle(tree: Any, owner: str) -> Any:
    """A function with all private names as they are kept. The tree is changed.

    >>> method = gast.parse("def fill(self): return self.__rate * __name__").body[0]
    >>> print(gast.unparse(mangle(method, "Tank")).strip().replace("    ", " "))
    def fill(self):
     return self._Tank__rate * __name__
    """
    for name in getattr(tree, "_fields", ()):
        part = getattr(tree, name, None)
        inner = tree.name if isinstance(tree, gast.ClassDef) and name == "body" else owner
        if isinstance(part, gast.AST):
            mangle(part, inner)
        elif isinstance(part, list):
            part[:] = [mangled(p, owner) if isinstance(p, str) else mangle(p, inner) for p in part]
        elif isinstance(part, str) and name in ("id", "attr", "arg", "name") and not isinstance(tree, gast.alias):
            setattr(tree, name, mangled(part, owner))
    return tree
