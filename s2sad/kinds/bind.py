"""From the arguments of a call to kinds: `kinds_of`, and the key under which generated code is kept."""

from __future__ import annotations

import collections
import dataclasses
import enum
import sys
from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Kind,
    List,
    ListOf,
    Number,
    Object,
    Records,
    Static,
    Tuple,
    Unknown,
)
from s2sad.kinds.labelled import foreign_array, is_labelled, labelled_key, labelled_kind
from s2sad.kinds.pure import is_distribution
from s2sad.runtime.conditions import is_inert
from s2sad.runtime.decide import AnyInt, found_once, moves
from s2sad.runtime.identity import (
    check_what_it_is,
    class_entry,
    held_attribute,
    held_items,
    is_gone,
    key_of,
    pairs_of,
    speaks_for_itself,
)
from s2sad.runtime.structures import Whole

LONGEST_LIST = 64
#: what lies deeper in containers and objects is not known
DEEPEST = 100


class ForeignArray(TypeError):
    """An argument is, or holds, an array of another library than NumPy."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class _Binder:
    """Names the lengths and ints of one call's arguments."""

    def __init__(
        self,
        constant: bool = False,
        layouts: bool = False,
        related: Mapping[int, Dim] | None = None,
        ints: Mapping[str, Dim] | None = None,
    ) -> None:
        self.layouts = layouts  # is it told how arrays lie in memory?
        self.known_ints = ints or {}  # what is known of ints besides, by their symbols
        self.ints: dict[str, int] = {}  # those that have symbols
        self.symbols: dict[int, Dim] = {0: Dim.of(0), 1: Dim.of(1), **(related or {})}
        self.constant = constant  # ints and lengths are constants (globals) rather than symbols
        self.open: set[int] = set()

    def length(self, size: int, path: str, axis: int) -> Dim:
        if self.constant:
            return Dim.of(size) if size < 2 else Dim.symbol(f"global.{size}")
        dim = self.symbols.get(size)
        if dim is None:
            dim = self.symbols[size] = Dim.symbol(f"{path}.{axis}")
        return dim

    def integer(self, value: int, symbol: str) -> Dim:
        self.ints[symbol] = value
        return self.known_ints.get(symbol) or Dim.symbol(symbol)

    def kind(self, value: Any, path: str) -> Kind:
        cls = type(value)
        if cls is float or cls is complex:
            return Number(cls)
        if cls is np.ndarray:
            if value.dtype.kind not in "fciub":
                return Records(value.dtype)
            shape = tuple([self.length(n, path, i) for i, n in enumerate(value.shape)])
            return Array(value.dtype, shape, layout=layout_of(value, self.constant) if self.layouts else None)
        if cls is int:
            return Number(int, Dim.of(value) if self.constant else self.integer(value, f"{path}$"))
        if cls is AnyInt:
            return Number(int)
        if is_gone(value):
            return Object(cls)
        if value is None or cls is bool or isinstance(value, (str, bytes, enum.Enum, np.dtype, slice, type(Ellipsis))):
            return Static(value)
        if isinstance(value, np.generic):
            return Number(cls)
        if cls is Whole:
            return Number(float, types=frozenset((Whole,)))
        if isinstance(value, (int, float, complex)):
            return Object(cls) if own_meaning(cls) else Number(cls)
        if is_callable(value):
            return Callable(value)
        return self.container(value, path)

    def part(self, owner: Any, key: Any, value: Any, path: str) -> Kind:
        """The kind of an item or an attribute; of an int that is read in the run, its value is not known."""
        if self.constant and type(value) is int and moves(owner, key):
            return Number(int)
        return self.kind(value, path)

    def container(self, value: Any, path: str) -> Kind:
        if id(value) in self.open or len(self.open) >= DEEPEST:
            return Unknown()  # contains itself, or is deeper than any code reads
        self.open.add(id(value))
        try:
            return self._container(value, path)
        finally:
            self.open.discard(id(value))

    def _container(self, value: Any, path: str) -> Kind:
        cls = type(value)
        if isinstance(value, tuple):
            if own_meaning(cls):
                return Object(cls)
            if cls is not tuple and not hasattr(cls, "_fields"):
                return Unknown()  # its class may give it any meaning
            return Tuple(tuple([self.kind(v, f"{path}.{i}") for i, v in enumerate(value)]), cls)
        if cls is list:
            if len(value) <= LONGEST_LIST:
                return List(tuple([self.part(value, i, v, f"{path}.{i}") for i, v in enumerate(value)]))
            kinds = {_without_values(self.kind(v, path)) for v in value}
            return ListOf(kinds.pop()) if len(kinds) == 1 else Unknown()
        if isinstance(value, dict):
            if own_meaning(cls):
                return Object(cls)
            cls = type(value) if isinstance(value, collections.defaultdict) else dict
            pairs = list(pairs_of(value))
            if not all(is_inert(k) for k, _ in pairs):
                return Unknown()  # to look for a key would ask what it is equal to
            names = [k if type(k) in EXACT or type(k) in FIXED else f"#{i}" for i, (k, _) in enumerate(pairs)]
            parts = [(k, self.part(value, k, v, f"{path}.{name}")) for name, (k, v) in zip(names, pairs, strict=True)]
            return Dict(tuple(parts), cls)
        if isinstance(value, np.ndarray):  # a class of its own may give operators any meaning
            return Unknown() if is_plain_class(cls) else Object(cls)
        if isinstance(value, (set, frozenset, range)):
            return Unknown()
        check_what_it_is(value)
        if is_labelled(cls):
            return labelled_kind(value, lambda n, axis: self.length(n, path, axis))
        state = state_of(value)
        if state is None:
            return Callable(value) if callable(value) else Object(cls)
        return Object(cls, tuple([(k, self.part(value, k, v, f"{path}.{k}")) for k, v in state.items()]))


def is_plain_class(cls: type) -> bool:
    """Of a class of arrays: do operators and functions mean what they mean for NumPy's own?"""
    return cls is np.ndarray or issubclass(cls, (np.memmap, np.recarray))


def state_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an object, or None where it keeps its state elsewhere."""
    if is_labelled(type(value)) or is_gone(value):
        return None
    if class_entry(type(value), "__dataclass_fields__") is not None:
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if hasattr(value, f.name)}
        return {**fields, **getattr(value, "__dict__", {})}
    state = getattr(value, "__dict__", None)
    slots = _slots(type(value))
    if slots:
        held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
        return {**held, **state} if isinstance(state, dict) else held
    return dict(state) if isinstance(state, dict) else None


def _slots(cls: type) -> tuple[str, ...]:
    """The names in the `__slots__` of a class that is not the standard library's."""
    if class_entry(cls, "__slots__") is None or cls.__module__.partition(".")[0] in STANDARD:
        return ()
    out: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        slots = base.__dict__.get("__slots__", ())
        out.update(dict.fromkeys((slots,) if isinstance(slots, str) else slots))
    return tuple(name for name in out if name not in ("__dict__", "__weakref__"))


def own_meaning(cls: type) -> str:
    """The method by which a class that is built on numbers, tuples or dicts gives one of their operations another
    meaning; "" for none. The operators of a namedtuple are followed, and so are not meant.

    >>> class Doubled(dict):
    ...     def __getitem__(self, key):
    ...         return 2.0 * super().__getitem__(key)
    >>> own_meaning(Doubled), own_meaning(dict), own_meaning(np.float64)
    ('__getitem__', '', '')
    """
    if cls in _BUILT_IN:
        return ""
    built_in = next((base for base in _BUILT_IN if issubclass(cls, base)), None)
    if built_in is None:
        return ""
    named = issubclass(cls, tuple)
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] in STANDARD or base is built_in:
            continue
        own = vars(base)
        for name in _OF_TUPLES if named else own:
            known = name == "__bool__" or callable(getattr(built_in, name, None))
            if name in own and known and name not in _ALWAYS_OWN:
                return name
        if "_fields" not in own and any(name in own for name in _OF_NAMEDTUPLES if named):
            return next(name for name in _OF_NAMEDTUPLES if name in own)
        if issubclass(cls, dict) and "__missing__" in own:
            return "__missing__"
    return ""


_BUILT_IN = (tuple, dict, float, int, complex)
_OF_TUPLES = ("__getitem__", "__iter__", "__len__", "__contains__", "__bool__", "__getattribute__")
_OF_NAMEDTUPLES = ("_replace", "_asdict", "_make")
#: what says nothing of the numbers or items that an object holds
_ALWAYS_OWN = frozenset(
    f"__{name}__"
    for name in ("new", "init", "repr", "str", "format", "hash", "class", "doc", "reduce", "reduce_ex", "sizeof")
) | frozenset(("__init_subclass__", "__subclasshook__", "__getnewargs__", "__dir__", "__getstate__", "__setstate__"))
STANDARD = (frozenset(sys.stdlib_module_names) - {"__main__"}) | {"numpy"}


_CALLABLES = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type, np.ufunc, partial)


def is_callable(value: Any) -> bool:
    """Is a value its own kind (`Callable`)? An object whose class has a `__call__` is of the kind of what it holds.

    >>> [is_callable(v) for v in (abs, partial(abs), 2.0, signature_key)]
    [True, True, False, True]
    """
    # besides: NumPy's functions, lru_cache, method descriptors, distributions
    cls = type(value)
    if issubclass(cls, _CALLABLES):
        return True
    if not callable(value) or class_entry(cls, "__getattr__") is not None:  # which would be asked
        return False
    return isinstance(held_attribute(value, "__name__"), str) or is_distribution(value)


def _without_values(kind: Kind) -> Kind:
    return Number(kind.type) if isinstance(kind, Number) else kind


def layout_of(array: Any, exact: bool = False) -> str | tuple[int, ...]:
    """How an array lies in memory (`Array.layout`).

    >>> a = np.zeros((2, 3))
    >>> layout_of(a), layout_of(a.T), layout_of(a[:, ::2]), layout_of(a[:, ::2], exact=True)
    ('C', 'F', 'strided', (24, 16))
    """
    flags = array.flags
    if flags.c_contiguous or flags.f_contiguous:
        return "C" if flags.c_contiguous else "F"
    return tuple(array.strides) if exact else "strided"


def layouts_of(value: Any, exact: bool = False, inside: tuple[Any, ...] = ()) -> Hashable:
    """How the arrays in an argument lie in memory: the key of code that is right for these layouts only.

    >>> layouts_of((np.zeros((2, 3)).T, {"n": 4}))
    ('F', (('n', None),))
    """
    if isinstance(value, np.ndarray):
        return layout_of(value, exact)
    if value is None or isinstance(value, _SCALARS) or any(value is v for v in inside):
        return None
    inside = (*inside, value)
    if isinstance(value, (tuple, list)):
        return tuple(layouts_of(v, exact, inside) for v in value)
    if isinstance(value, dict):
        return tuple((k, layouts_of(v, exact, inside)) for k, v in value.items())
    state = None if is_callable(value) else state_of(value)
    return None if state is None else tuple((k, layouts_of(v, exact, inside)) for k, v in state.items())


def kinds_of(
    arguments: dict[str, Any], layouts: bool = False, related: tuple[Multiple, ...] = (), short: bool = False
) -> dict[str, Kind]:
    """The kinds of a call's arguments. Equal lengths share a symbol; 0 and 1 are plain numbers.

    Args:
        related: what is known of their lengths and ints besides (`multiples_among`): these are written so.
        short: are short lengths plain numbers, too?

    >>> kinds = kinds_of({"W": np.ones((3, 2)), "b": np.ones(2), "k": 4})
    >>> [str(d) for d in kinds["W"].shape], kinds["b"].shape[0] == kinds["W"].shape[1], str(kinds["k"].value)
    (['W.0', 'W.1'], True, 'k$')
    """
    sizes = lengths_of(arguments) if related else {}
    longer = {
        sizes[name]: Dim.symbol(base) * factor + Dim.of(more)
        for name, factor, base, more in related
        if not is_int(name)
    }
    if short:
        longer |= {size: Dim.of(size) for size in SHORT}
    equal = {name: longer.get(sizes[base]) or Dim.symbol(base) for name, _, base, _ in related if is_int(name)}
    binder = _Binder(layouts=layouts, related=longer, ints=equal)
    return {name: binder.kind(value, name) for name, value in arguments.items()}


#: a length is so many times another and so much more: `("W.1", 3, "h.0", 0)`, by the symbols of `kinds_of`; an int is
#: a length: `("n$", 1, "x.0", 0)`
Multiple = tuple[str, int, str, int]
#: the lengths of which compiled loops know the number: those of points, small matrices and states
SHORT = (2, 3, 4)
#: a length that is more times another is not taken for a multiple of it
MOST_TIMES = 8
#: nor is one that is longer by more (the halo of a stencil)
MOST_MORE = 4


def is_int(symbol: str) -> bool:
    """Is it the symbol of an int argument, not of a length?"""
    return symbol.endswith("$")


def lengths_of(arguments: dict[str, Any]) -> dict[str, int]:
    """The lengths and ints that have symbols in `kinds_of`, by symbol.

    >>> lengths_of({"W": np.ones((3, 6)), "b": np.ones(6), "c": np.ones(1), "n": 6})
    {'W.0': 3, 'W.1': 6, 'n$': 6}
    """
    binder = _Binder()
    for name, value in arguments.items():
        binder.kind(value, name)
    return {str(dim): size for size, dim in binder.symbols.items() if not dim.known} | binder.ints


def multiples_among(lengths: Mapping[str, int], names: Iterable[str], halo: bool = False) -> tuple[Multiple, ...]:
    """Which of some lengths are multiples of others of them; with `halo`, which are longer than others by a little. And
    which ints are lengths.

    >>> multiples_among({"W.0": 3, "W.1": 9, "x.0": 7}, ["W.0", "W.1", "x.0"])
    (('W.1', 3, 'W.0', 0),)
    >>> multiples_among({"u.0": 7, "v.0": 9}, ["u.0", "v.0"], halo=True)
    (('v.0', 1, 'u.0', 2),)
    >>> multiples_among({"u.0": 7, "n$": 7, "k$": 14}, ["u.0", "n$", "k$"])
    (('n$', 1, 'u.0', 0),)
    """
    found: list[Multiple] = []
    bases: list[str] = []

    def is_related(size: int, base: int) -> bool:
        if halo:
            return base > MOST_MORE and size <= base + MOST_MORE
        return size % base == 0 and size <= MOST_TIMES * base

    wanted = lengths.keys() & set(names)
    by_size = {lengths[name]: name for name in wanted if not is_int(name)}
    for name in sorted(wanted, key=lambda name: (lengths[name], name)):
        size = lengths[name]
        if is_int(name):
            if size in by_size:
                found.append((name, 1, by_size[size], 0))
            continue
        of = next((b for b in reversed(bases) if is_related(size, lengths[b])), None)
        if of is None:
            bases.append(name)
        else:
            found.append((name, 1, of, size - lengths[of]) if halo else (name, size // lengths[of], of, 0))
    return tuple(found)


def kind_of_global(value: Any) -> Kind:
    """The kind of an object that generated code refers to by name: ints are their value, but for those that move."""
    return found_once(value, _kind_of_global) if type(value) in _LARGE else _kind_of_global(value)


def _kind_of_global(value: Any) -> Kind:
    return _Binder(constant=True).kind(value, "global")


#: what may hold many items
_LARGE = frozenset((list, tuple, dict))


#: the type says all, the value says all
FIXED: frozenset[Any] = frozenset(
    (float, int, complex, *(t for t in np.sctypeDict.values() if issubclass(t, np.number)))
)
EXACT: frozenset[Any] = frozenset((type(None), bool, str, bytes, type(Ellipsis)))
_SCALARS = (np.generic, np.ndarray, int, float, complex, str, bytes, enum.Enum, np.dtype, slice)


def signature_key(args: tuple[Any, ...]) -> Hashable:
    """What generated code is kept under: equal for two calls of a function just when the kinds of the arguments
    (`kinds_of`) are equal and the same array arguments share memory (`overlaps`).

    >>> signature_key((1.0, 2.0)) == signature_key((3.0, 4.0)), signature_key((1.0,)) == signature_key((1,))
    (True, False)
    >>> a, b, c = np.ones(3), np.ones(3), np.ones(4)
    >>> signature_key((a, b)) == signature_key((c, c + 1)), signature_key((a, b)) == signature_key((a, a))
    (True, False)
    """
    types = tuple(map(type, args))
    if FIXED.issuperset(types):
        return types
    keys = _Keys()
    parts: list[Hashable] = []
    for value, cls in zip(args, types, strict=True):
        if cls is np.ndarray:
            parts.append(keys.array(value))
        elif cls in EXACT:
            parts.append(value)
        elif cls not in FIXED:
            parts.append(keys.key(value))
    return types, tuple(parts), keys.shared()


def is_open(value: Any) -> bool:
    """May the kind of a value change while the value stays the object that it is, or may an argument share its memory?

    >>> [is_open(v) for v in (2.0, "s", None, np.sin, np.ones(3), [1], (2, 3))]
    [False, False, False, False, True, True, True]
    """
    cls = type(value)
    if type(cls) is not type and speaks_for_itself(cls):
        return True
    return not (cls in FIXED or cls in EXACT or issubclass(cls, (enum.Enum, np.dtype)) or is_callable(value))


class _Keys:
    """The keys of one call's arguments, and the arrays and mutable containers met on the way."""

    __slots__ = ("containers", "count", "lengths", "memory", "open", "repeated")

    def __init__(self) -> None:
        self.lengths: dict[int, int] = {0: 0, 1: 1}
        self.memory: list[Any] = []  # array leaves
        self.containers: dict[int, int] = {}  # id -> the how many-th container it was when first met
        self.count = 0
        self.repeated: list[tuple[int, int]] = []
        self.open: set[int] = set()

    def array(self, value: Any) -> Hashable:
        self.memory.append(value)
        lengths = self.lengths
        return (value.dtype, *[lengths.setdefault(n, len(lengths)) for n in value.shape])

    def key(self, value: Any) -> Hashable:
        cls = type(value)
        if type(cls) is not type:
            check_what_it_is(value)
        if cls in FIXED:
            return cast(Hashable, cls)
        if cls is np.ndarray:
            return self.array(value)
        if cls in EXACT:
            return cls, value
        if issubclass(cls, (str, bytes, enum.Enum, np.dtype)):
            return cls, key_of(value)
        if cls is slice:
            return slice, *[self.bound(v) for v in (value.start, value.stop, value.step)]
        if issubclass(cls, (np.generic, int, float, complex)):
            return cast(Hashable, cls)
        if is_gone(value):
            return "gone", cls
        if is_callable(value):
            if issubclass(cls, type):
                check_what_it_is(value)
            return Callable, key_of(value)
        return self.container(value, cls)

    def container(self, value: Any, cls: type) -> Hashable:
        if id(value) in self.open:
            return "itself"
        check_what_it_is(value)
        if not isinstance(value, tuple):
            self.count += 1
            first = self.containers.setdefault(id(value), self.count)
            if first != self.count:
                self.repeated.append((first, self.count))
        self.open.add(id(value))
        try:
            if isinstance(value, tuple):
                return cls, *[self.key(v) for v in held_items(value)]
            if cls is list:
                if len(value) <= LONGEST_LIST:
                    return list, *[self.key(v) for v in value]
                return "list", frozenset([self.key(v) for v in value])
            if isinstance(value, dict):
                return cls, *[(self.name(k), self.key(v)) for k, v in pairs_of(value)]
            if isinstance(value, (np.ndarray, set, frozenset, range)):
                return cls
            if is_labelled(cls):
                return labelled_key(value, self.lengths)
            if foreign_array(value):
                raise ForeignArray(value)
            state = state_of(value)
            if state is None:
                return (Callable, key_of(value)) if callable(value) else cls
            return cls, *[(k, self.key(v)) for k, v in state.items()]
        finally:
            self.open.discard(id(value))

    def name(self, key: Any) -> Hashable:
        """The key of a dict."""
        if type(key) is str:
            return key
        check_what_it_is(key)
        return type(key), key_of(key)

    def bound(self, value: Any) -> Hashable:
        """The start, stop or step of a slice, which stands in the code."""
        cls = type(value)
        return (cls, value) if cls in EXACT or cls in FIXED else self.key(value)

    def shared(self) -> Hashable:
        """Which arrays share memory and which containers are met twice; None for none."""
        if len(self.memory) < 2 and not self.repeated:
            return None
        pairs = _overlapping(self.memory)
        return (tuple(pairs), tuple(self.repeated)) if pairs or self.repeated else None


def _root(array: Any) -> Any:
    """The array that owns the memory, or the foreign object that does."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def _overlapping(arrays: list[Any]) -> list[tuple[int, int, str]]:
    """The pairs of arrays that share memory: positions, and "same" (all of it, element by element) or "overlap"."""
    roots = [a if a.base is None else _root(a) for a in arrays]
    if len(set(map(id, roots))) == len(roots) and all(isinstance(r, np.ndarray) for r in roots):
        return []
    pairs = []
    for j, b in enumerate(arrays):
        for i in range(j):
            a = arrays[i]
            if roots[i] is not roots[j] and isinstance(roots[i], np.ndarray) and isinstance(roots[j], np.ndarray):
                continue
            if a.size and b.size and _shares(a, b):
                pairs.append((i, j, "same" if _is_same(a, b) else "overlap"))
    return pairs


def _is_same(a: Any, b: Any) -> bool:
    return a is b or (
        a.shape == b.shape
        and a.strides == b.strides
        and a.dtype == b.dtype
        and a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
    )


def _shares(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if not np.may_share_memory(a, b):
        return False
    try:
        return bool(np.shares_memory(a, b, max_work=10_000))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


Path = tuple[Any, ...]


def meets(args: tuple[Any, ...], outside: tuple[Any, ...]) -> tuple[Path, ...]:
    """The parts of the arguments that share memory with objects that are not arguments, or are such objects.

    >>> a = np.ones(4)
    >>> meets(({"u": a[1:]}, np.ones(3)), (a,))
    ((0, 'u'),)
    """
    count = len(args)
    pairs = overlaps((*args, *outside))
    return tuple(dict.fromkeys(first for first, second, _ in pairs if first[0] < count <= second[0]))


def overlaps(args: tuple[Any, ...]) -> tuple[tuple[Path, Path, str], ...]:
    """Which parts of the arguments share memory.

    A path is the position of the argument followed by keys (index, dict key, attribute name). "same" means the same
    array, element by element, or the same mutable container; "overlap" means arrays that have some memory in common.

    >>> a = np.ones(4)
    >>> overlaps((a, [a[1:], 2.0]))
    (((0,), (1, 0), 'overlap'),)
    """
    arrays: list[tuple[Path, Any]] = []
    containers: dict[int, Path] = {}
    found: list[tuple[Path, Path, str]] = []
    inside: set[int] = set()

    def visit(value: Any, path: Path) -> None:
        if type(value) is np.ndarray:
            arrays.append((path, value))
            return
        if value is None or type(value) in FIXED or type(value) in EXACT or is_gone(value) or is_callable(value):
            return
        items: Any = ()
        if isinstance(value, (list, tuple)):
            items = list(enumerate(held_items(value)))
        elif isinstance(value, dict):
            items = list(pairs_of(value))
        elif not isinstance(value, _SCALARS):
            items = list((state_of(value) or {}).items())
        else:
            return
        if not isinstance(value, tuple):
            first = containers.setdefault(id(value), path)
            if first is not path:
                found.append((first, path, "same"))
        if id(value) in inside:
            return  # contains itself
        inside.add(id(value))
        for key, item in items:
            visit(item, (*path, key))
        inside.discard(id(value))

    for position, value in enumerate(args):
        visit(value, (position,))
    for i, j, how in _overlapping([a for _, a in arrays]):
        found.append((arrays[i][0], arrays[j][0], how))
    return tuple(found)
