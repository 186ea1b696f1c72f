"""Dicts whose keys only the run knows, with active values: what their methods do, in plain Python.

Such a dict is an object of the class here, of which the derivative sees the parts: an ordinary dict of the places of the
keys, and lists of the keys and of their items, which are followed as all lists are.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import walk


def holds_places(tree: Any, display: Any) -> bool:
    """Is nothing done with a dict that a function makes but to look up keys, and to set items one by one?"""
    made = [n for n in walk(tree) if isinstance(n, gast.Assign) and n.value is display]
    if not made or len(made[0].targets) > 1 or not isinstance(made[0].targets[0], gast.Name):
        return False
    name, allowed, found = made[0].targets[0].id, 0, 0
    for node in walk(tree):
        found += isinstance(node, gast.Name) and node.id == name
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == name:
            allowed += not isinstance(node.ctx, gast.Del)
        elif isinstance(node, gast.Compare) and all(isinstance(op, (gast.In, gast.NotIn)) for op in node.ops):
            allowed += sum(isinstance(n, gast.Name) and n.id == name for n in node.comparators)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("len", "list"):
            allowed += sum(isinstance(n, gast.Name) and n.id == name for n in node.args)
        elif isinstance(node, gast.Assign) and (node.value is display or isinstance(node.value, gast.Dict)):
            allowed += sum(isinstance(n, gast.Name) and n.id == name for n in node.targets)
    return found == allowed


class NoDerivative(Exception):
    """What is left out: raised in a method that is written out, it is a refusal."""


class Table:
    """A dict: `place` says where in the list `held` the item of a key is, and in the list `names` the key.

    An item is never taken out, so that keys and items stand in order. `factory` makes what is missing, in a
    defaultdict; it is None in other dicts. `like` is the class of the dict.
    """

    place: Any
    names: Any
    held: Any
    factory: Any
    like: Any

    def __contains__(self, key: Any) -> Any:
        return key in self.place

    def __len__(self) -> Any:
        return len(self.held)

    def __iter__(self) -> Any:
        return self.names

    def __getitem__(self, key: Any) -> Any:
        at = self.place_of(key)
        return self.held[at]

    def __setitem__(self, key: Any, item: Any) -> None:
        if key in self.place:
            at = self.place[key]
            self.held[at] = item
        else:
            self.add(key, item)

    def add(self, key: Any, item: Any) -> None:
        """self[key] = item, of a new key"""
        self.place[key] = len(self.held)
        self.names.append(key)
        self.held.append(item)

    def old_item(self, key: Any) -> Any:
        """self[key], of a key that is there"""
        at = self.place[key]
        return self.held[at]

    def replace(self, key: Any, item: Any) -> None:
        """self[key] = item, in a loop over the dict: there are no new keys there"""
        at = self.place[key]
        self.held[at] = item

    def place_of(self, key: Any) -> Any:
        """Where an item is that is read."""
        if self.factory is not None:
            if key not in self.place:
                self.add(key, self.factory())
        return self.place[key]

    def old_place(self, key: Any) -> Any:
        """Where an item is that is there."""
        return self.place[key]

    def keys(self) -> Any:
        return self.names

    def values(self) -> Any:
        return self.held

    def items(self) -> Any:
        return zip(self.names, self.held)

    def get(self, key: Any, default: Any = None) -> Any:
        return self.held[self.place[key]] if key in self.place else default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self.place:
            self.add(key, default)
        return self.held[self.place[key]]

    def update(self, other: Any) -> None:
        for key, item in other.items() if hasattr(other, "items") else other:
            self[key] = item

    def pop(self, key: Any, *default: Any) -> Any:
        raise NoDerivative(
            "an item is taken out of a dict of active values whose keys are known at run time only",
            "leave it in, and keep the keys that count in a set",
        )

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def popitem(self) -> Any:
        self.pop(None)

    def clear(self) -> None:
        self.pop(None)

    def __eq__(self, other: Any) -> Any:
        raise NoDerivative(
            "dicts are compared whose keys are known at run time only", "compare their items one by one"
        )

    __hash__ = None  # type: ignore[assignment]
