"""Dicts whose keys only the run knows, with active values: what their methods do, in plain Python.

Such a dict is an object of a class here, of which the derivative sees the parts: an ordinary dict of the places of the
keys, and lists of the keys and of their items, which are followed as all lists are. (Its text is lowered: a test whose
first half is known at derivation stands in an `if` of its own.)
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import walk
from s2sad.frontend import ways


def holds_places(tree: Any, display: Any) -> bool:
    """Is nothing done with a dict that a function makes but to look up keys, and to set items one by one?

    >>> from s2sad.core import statements
    >>> def told(text):
    ...     body = statements("d = {}\\n" + text)
    ...     return holds_places(gast.Module(body, []), body[0].value)
    >>> told("d[k] = len(u)\\nif k in d: v = u[d[k]]"), told("d.update(e)"), told("e = d")
    (True, False, False)
    """
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

    Keys and items stand in order. `factory` makes what is missing, in a defaultdict; it is None in other dicts. `like`
    is the class of the dict.
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
        if self.factory is not None:  # noqa: SIM102
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
        return zip(self.names, self.held, strict=False)

    def get(self, key: Any, default: Any = None) -> Any:
        return self.held[self.place[key]] if key in self.place else default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self.place:
            self.add(key, default)
        return self.held[self.place[key]]

    def update(self, other: Any) -> None:
        for key, item in other.items() if hasattr(other, "items") else other:
            self[key] = item

    def copy(self) -> Any:
        return dict(self.items())

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any = None) -> Any:
        raise NoDerivative("a deep copy of a dict whose keys are known at run time only", "make it by a comprehension")

    def __or__(self, other: Any) -> Any:
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def pop(self, key: Any, *default: Any) -> Any:
        if default:  # noqa: SIM102
            if key not in self.place:
                return default[0]
        return self.taken_out(key)

    def taken_out(self, key: Any) -> Any:
        """The item of a key that is there, which is not there any more: those behind it move up."""
        at = self.place.pop(key)
        self.names.pop(at)
        for other in self.names[at:]:
            self.place[other] -= 1
        return self.held.pop(at)

    def __delitem__(self, key: Any) -> None:
        self.taken_out(key)

    def popitem(self) -> Any:
        if len(self.held) == 0:
            raise KeyError("popitem(): dictionary is empty")
        key = self.names[-1]
        return key, self.taken_out(key)

    def clear(self) -> None:
        self.place.clear()
        self.names.clear()
        self.held.clear()

    def __eq__(self, other: Any) -> Any:
        raise NoDerivative("dicts are compared whose keys are known at run time only", ways.ONE_BY_ONE)

    __hash__ = None  # type: ignore[assignment]


#: the methods that give a dict other keys
CHANGES_KEYS = ("add", "taken_out", "clear")


class Groups(Table):
    """A dict of lists: `place` has lists of places in `held`, where the items of all lists stand as they came."""

    def __len__(self) -> Any:
        return len(self.names)

    def open(self, key: Any) -> None:
        """self[key] = [], of a new key"""
        self.place[key] = []
        self.names.append(key)

    def __getitem__(self, key: Any) -> Any:
        if self.factory is not None:  # noqa: SIM102
            if key not in self.place:
                if self.factory is list:
                    self.open(key)
                else:
                    self[key] = self.factory()
        return Group(self.held, self.place[key])

    def old_item(self, key: Any) -> Any:
        return Group(self.held, self.place[key])

    def __setitem__(self, key: Any, items: Any) -> None:
        if key not in self.place:
            self.names.append(key)
        self.replace(key, items)

    def replace(self, key: Any, items: Any) -> None:
        self.place[key] = []
        at = self.place[key]
        for item in items:
            at.append(len(self.held))
            self.held.append(item)

    def get(self, key: Any, default: Any = None) -> Any:
        raise NoDerivative("get from a dict of lists whose keys are known at run time only", "use setdefault(key, [])")

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self.place:
            self[key] = default
        return Group(self.held, self.place[key])

    def copy(self) -> Any:
        raise NoDerivative(
            "a copy of a dict of lists whose keys are known at run time only",
            "append the items one by one: h.setdefault(key, []).append(item)",
        )

    def update(self, other: Any) -> None:
        self.copy()

    def pop(self, key: Any, *default: Any) -> Any:
        self.taken_out(key)

    def taken_out(self, key: Any) -> Any:
        raise NoDerivative(
            "an item is taken out of a dict of active values whose keys are known at run time only",
            "leave it in, and keep the keys that count in a set",
        )

    def popitem(self) -> Any:
        self.taken_out(None)

    def clear(self) -> None:
        self.taken_out(None)

    def values(self) -> Any:
        return ListsOfGroups(self.names, self.held, self.place)

    def items(self) -> Any:
        return NamedGroups(self.names, self.held, self.place)


class ListsOfGroups:
    """The values of a dict of lists."""

    def __init__(self, names: Any, held: Any, place: Any) -> None:
        self.names = names
        self.held = held
        self.place = place

    def __len__(self) -> Any:
        return len(self.names)

    def __getitem__(self, k: Any) -> Any:
        return Group(self.held, self.place[self.names[k]])


class NamedGroups(ListsOfGroups):
    """The keys and values of a dict of lists."""

    def __getitem__(self, k: Any) -> Any:
        name = self.names[k]
        return name, Group(self.held, self.place[name])


CHANGED_GROUP = (
    "a list in a dict of active lists whose keys are known at run time only is changed",
    "append to it only, or make a new list",
)


class Group:
    """A list in a dict of lists: the items of `held` at the places `at`."""

    def __init__(self, held: Any, at: Any) -> None:
        self.held = held
        self.at = at

    def __len__(self) -> Any:
        return len(self.at)

    def __getitem__(self, k: Any) -> Any:
        return self.held[self.at[k]]

    def __setitem__(self, k: Any, item: Any) -> None:
        self.held[self.at[k]] = item

    def __contains__(self, item: Any) -> Any:
        return item in items_of(self)

    def __add__(self, other: Any) -> Any:
        return items_of(self) + other

    def __radd__(self, other: Any) -> Any:
        return other + items_of(self)

    def __mul__(self, times: Any) -> Any:
        return items_of(self) * times

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def append(self, item: Any) -> None:
        self.at.append(len(self.held))
        self.held.append(item)

    def extend(self, items: Any) -> None:
        for item in items:
            self.append(item)

    def copy(self) -> Any:
        return items_of(self)

    def pop(self, k: Any = -1) -> Any:
        raise NoDerivative(CHANGED_GROUP[0], CHANGED_GROUP[1])

    def insert(self, k: Any, item: Any) -> None:
        self.pop()

    def remove(self, item: Any) -> None:
        self.pop()

    def sort(self, key: Any = None, reverse: Any = False) -> None:
        self.pop()

    def reverse(self) -> None:
        self.pop()

    def clear(self) -> None:
        self.pop()

    def __eq__(self, other: Any) -> Any:
        raise NoDerivative("lists in a dict of active lists are compared", ways.ONE_BY_ONE)

    __hash__ = None  # type: ignore[assignment]


def items_of(group: Any) -> Any:
    """The items of a list in a dict of lists, in a list of their own."""
    items = []
    for k in range(len(group.at)):
        items.append(group.held[group.at[k]])
    return items
