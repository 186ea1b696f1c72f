"""What an object is, found out without a line of the user's code being run.

A class may say in Python what comparing its objects means, or hashing, running through, reading an attribute of,
or printing them. While a function is derived none of this is asked: objects are what they are by identity, their class
is their type, and what they hold is read past what their class says.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Container, Hashable, Iterator
from typing import Any

from s2sad.frontend.diagnostics import DerivationError

#: what C code says of equality and hashes, or that there is none
_BUILT_IN = (types.WrapperDescriptorType, type(None))


def class_entry(cls: type, name: str, default: Any = None) -> Any:
    """What a class, or one that it is built on, has under a name: as it is, and not what its metaclass has.

    >>> class_entry(float, "real"), class_entry(float, "name")
    (<attribute 'real' of 'float' objects>, None)
    """
    for base in type.__getattribute__(cls, "__mro__"):
        entries = type.__getattribute__(base, "__dict__")
        if name in entries:
            return entries[name]
    return default


def held_attribute(value: Any, name: str) -> Any:
    """What an object says of itself under a name, as functions, classes and their wrappers do; None for nothing.

    No `__getattr__` and no property of the user's is asked.

    >>> class Box:
    ...     def __getattr__(self, name):
    ...         return 2.0
    >>> held_attribute(len, "__name__"), held_attribute(Box(), "__name__"), held_attribute(Box, "__name__")
    ('len', None, 'Box')
    """
    cls = type(value)
    if issubclass(cls, type):
        found = class_entry(value, name) if name[:2] != "__" else None
        return type.__getattribute__(value, name) if found is None and class_entry(cls, name) is not None else found
    by_c = type(class_entry(cls, "__getattribute__")) is types.WrapperDescriptorType
    entry = class_entry(cls, name)
    computed = type(entry) is property or type(class_entry(type(entry), "__get__")) is types.FunctionType
    if by_c and not computed and class_entry(cls, "__getattr__") is None and not issubclass(cls, types.ModuleType):
        return getattr(value, name, None)
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return own.get(name) if isinstance(own, dict) else None


def compared_by_c(cls: type) -> bool:
    """Does no code in Python say what objects of a class are equal to?

    >>> class Box:
    ...     def __eq__(self, other):
    ...         return True
    >>> compared_by_c(float), compared_by_c(type(len)), compared_by_c(Box)
    (True, True, False)
    """
    return type(_entry(cls, "__hash__")) in _BUILT_IN and type(_entry(cls, "__eq__")) in _BUILT_IN


#: (quicker than `class_entry`, for what each class has)
_entry = type.__getattribute__


class Itself:
    """Stands for an object where such are compared: equal to nothing but that object.

    >>> one, other = Itself([1]), Itself([1])
    >>> one == Itself(one.value), one == other
    (True, False)
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is Itself and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def key_of(value: Any) -> Hashable:
    """An object as the key of a table: itself where C code compares it and it has a hash, else its identity.

    >>> key_of("a"), type(key_of([])).__name__, type(key_of(([],))).__name__
    ('a', 'Itself', 'Itself')
    """
    if not compared_by_c(type(value)):
        return Itself(value)
    try:
        hash(value)
    except TypeError:  # (that there is none, a class of C's may say when it is asked)
        return Itself(value)
    return value  # type: ignore[no-any-return]


def in_table(value: Any, table: Container[Any]) -> bool:
    """Is an object one of a table of the compiler's?

    >>> in_table(len, (len, sum)), in_table([], {len})
    (True, False)
    """
    key = key_of(value)
    return type(key) is not Itself and key in table


def held_items(container: Any) -> list[Any]:
    """What a list, tuple, set, deque or dict (its values) holds, whatever its class says of running through it.

    >>> class Odd(list):
    ...     def __iter__(self):
    ...         raise ValueError
    >>> held_items(Odd([2.0])), held_items({"a": 3.0})
    ([2.0], [3.0])
    """
    cls = type(container)
    if issubclass(cls, (dict, types.MappingProxyType)):
        return list(_dict_of(container).values(container))
    base: Any = next(b for b in (list, tuple, set, frozenset, deque) if issubclass(cls, b))
    return list(base.__iter__(container)) if cls is not base else list(container)


def speaks_for_itself(cls: type) -> str:
    """The method of the user's that would be run by the mere question what an object of a class is; "" for none.

    >>> class Proxy:
    ...     @property
    ...     def __class__(self):
    ...         return float
    >>> speaks_for_itself(Proxy), speaks_for_itself(float)
    ('Proxy.__class__', '')
    """
    if type(cls) is not type:
        for name in ("__eq__", "__hash__", "__getattribute__"):
            if type(class_entry(type(cls), name)) is types.FunctionType:
                return f"{type(cls).__name__}.{name}"
    for name in ("__class__", "__getattribute__"):
        for base in type.__getattribute__(cls, "__mro__"):
            found = type(type.__getattribute__(base, "__dict__").get(name))
            if found in (types.FunctionType, property) and not _is_standard(base):
                return f"{type.__getattribute__(cls, '__name__')}.{name}"
    return ""


def _is_standard(cls: type) -> bool:
    module = type.__getattribute__(cls, "__module__")
    return isinstance(module, str) and module != "__main__" and module.partition(".")[0] in sys.stdlib_module_names


def is_gone(value: Any) -> bool:
    """Is a value a weak proxy of an object that is gone? Asked for anything, its class as well, it raises.

    >>> import weakref
    >>> held = {2.0}
    >>> proxy = weakref.proxy(held)
    >>> is_gone(proxy)
    False
    >>> del held
    >>> is_gone(proxy), is_gone(2.0)
    (True, False)
    """
    cls = type(value)  # (`in` would ask the metaclass of a class of the user's whether it is equal)
    if cls is not weakref.ProxyType and cls is not weakref.CallableProxyType:
        return False
    try:
        _ = value.__class__
    except ReferenceError:
        return True
    return False


def check_what_it_is(value: Any) -> None:
    """Refuse an object of which nothing can be said without the user's code being run.

    Args:
        value: an argument, or what a function refers to; a class as well.

    Raises:
        DerivationError: for such an object.
    """
    cls = type(value)
    method = speaks_for_itself(cls) or (speaks_for_itself(value) if issubclass(cls, type) else "")
    if method:
        name, _, said = method.partition(".")
        means = "reading an attribute means" if said == "__getattribute__" else "its objects are"
        raise DerivationError(
            f"the class {name} says itself what {means} ({method}), and none of your code is run while a function is "
            "derived: nothing is known of such an object.",
            "pass the numbers that it holds instead",
        )


def written(value: Any) -> str:
    """An object in words: numbers and text as they are, anything else by its type.

    >>> written("a"), written(2.0), written([2.0])
    ("'a'", '2.0', 'a list')
    """
    cls = type(value)
    return repr(value) if cls in (int, float, complex, bool, str, bytes, type(None)) else f"a {_name(cls)}"


def _name(cls: type) -> str:
    name: str = type.__getattribute__(cls, "__name__")
    return name


def pairs_of(mapping: Any) -> Iterator[tuple[Any, Any]]:
    """The keys and values of a dict, whatever its class says of running through it."""
    return iter(_dict_of(mapping).items(mapping))


def keys_of(mapping: Any) -> tuple[Any, ...]:
    """The keys of a dict in their order, whatever its class says of running through it.

    >>> moved = OrderedDict(a=1, b=2)
    >>> moved.move_to_end("a")
    >>> keys_of(moved), list(pairs_of(moved)), held_items(moved), keys_of(types.MappingProxyType(moved))
    (('b', 'a'), [('b', 2), ('a', 1)], [2, 1], ('b', 'a'))
    """
    return tuple(_dict_of(mapping).keys(mapping))


def _dict_of(mapping: Any) -> Any:
    """The class that knows the order of a dict: an OrderedDict has one of its own."""
    cls = type(mapping)
    return next(base for base in (OrderedDict, dict, types.MappingProxyType) if issubclass(cls, base))
