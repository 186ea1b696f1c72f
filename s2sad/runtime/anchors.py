"""Where another process finds what a derivation looked at, and whether it is there what it was.

The conditions of a derivation hold live objects. What is kept on disk says of each of them where it is, from the
function that was derived on ("the global LEVELS of its module", "numpy.sin"), and what was seen of it. A later process
goes there, looks in the same way again, and compares what it sees. Nothing is taken over unseen: a condition that can
not be put into such words has no place on disk.

    LEVELS = [2.0, 4.0]
    NameIs(vars(module), "LEVELS", LEVELS)     the name LEVELS of that module stands for a list
    Like(LEVELS, form_of(LEVELS))              what stands there is a list of these two floats

Words are tuples of numbers and text, which `marshal` reads and writes.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from s2sad.frontend.installed import is_installed_file
from s2sad.runtime.conditions import (
    MISSING,
    ClassIs,
    Condition,
    Flat,
    FlatKinds,
    Form,
    HasLength,
    HasNames,
    InOrder,
    IsNumber,
    Lacks,
    Like,
    MadeOf,
    Mapped,
    NameIs,
    OfItems,
    OfKeys,
    OfState,
    OfType,
    PartIs,
    Same,
    Shaped,
    Verdict,
    attributes_of,
    exact_form,
    form_of,
    held_under,
    is_scalar,
)
from s2sad.runtime.identity import Itself, class_entry, held_items, keys_of

#: where an object is, and what it is like: tuples of numbers and text
Words = tuple[Any, ...]


class Unsaid(Exception):
    """An object is nowhere that another process could find it, or is of a kind of which too little is known."""


#: containers whose items say what they are
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque, collections.OrderedDict, collections.defaultdict)
#: classes of C code that do nothing but hold attributes
_HOLDERS = (types.SimpleNamespace, types.ModuleType)
#: classes of C code whose objects can not change, with what a part of an object of a subclass that is one of theirs is
_FIXED: dict[type, Callable[[Any], Any]] = {
    **{tuple: held_items, frozenset: held_items, int: int.__int__, float: float.__float__, complex: complex.__pos__},
    **{str: str.__str__, bytes: lambda value: bytes.__getitem__(value, slice(None))},
}
#: classes of C code all of which can be looked at: who decides by what is in there leaves a condition
_OPEN = frozenset((*_CONTAINERS, *_HOLDERS))
#: what is made by C code, has a name in a module, and stays what it is
_NAMED = (types.BuiltinFunctionType, np.ufunc, type(np.sum), types.MethodDescriptorType, types.WrapperDescriptorType)


#: the classes of Python's own that only the module `types` has a name for
_TYPES = {id(v): name for name, v in vars(types).items() if isinstance(v, type)}


class Anchors:
    """Where objects are, from one function on: in the order in which they are met, which is the same in each process.

    >>> def f(x):
    ...     return np.sin(x)
    >>> here, held = Anchors(f), [2.0]
    >>> here.said(np.sin), here.said(2.0), here.said(f), here.said(held, ("name", ("globals",), "held"))
    (('import', 'numpy', 'sin'), ('float', '2.0'), ('own',), ('list', ('name', ('globals',), 'held')))
    >>> here.said(held), here.at(("import", "numpy", "sin")) is np.sin
    (('name', ('globals',), 'held'), True)
    """

    def __init__(self, own: types.FunctionType) -> None:
        self.own = own
        self._places: dict[int, Words] = {}
        self._held: list[Any] = []
        self.arrays: list[np.ndarray] = []
        #: functions of the user's
        self.functions: list[types.FunctionType] = []
        #: the installed packages that something is from
        self.packages: set[str] = set()
        self._note(own.__globals__, ("globals",))
        self._note(sys.modules, ("modules",))
        self._note_function(own, ("own",))

    def _note(self, value: Any, place: Words) -> None:
        if id(value) not in self._places:
            self._places[id(value)] = place
            self._held.append(value)

    def _note_function(self, function: types.FunctionType, place: Words) -> None:
        self._note(function, place)
        if not is_installed_file(function.__code__.co_filename) and not str(function.__module__).startswith("s2sad."):
            self.functions.append(function)
        self._note(function.__dict__, ("names of", place))
        for i, cell in enumerate(function.__closure__ or ()):
            self._note(cell, ("cell", place, i))

    def mark(self) -> tuple[int, int, int]:
        """How far it has come, for `back`."""
        return len(self._places), len(self.arrays), len(self.functions)

    def back(self, mark: tuple[int, int, int]) -> None:
        """Forget what was met since a mark."""
        for number in list(self._places)[mark[0] :]:
            del self._places[number]
        del self._held[mark[0] :], self.arrays[mark[1] :], self.functions[mark[2] :]

    # --- from objects to words

    def said(self, value: Any, place: Words | None = None) -> Words:
        """What an object is, in words: where it is, or for numbers and text which.

        Args:
            value: the object.
            place: where it has just been met, if it has.

        Raises:
            Unsaid: it can not be said.
        """
        if value is MISSING:
            return ("missing",)
        if is_scalar(value):
            return _scalar(value)
        if id(value) in self._places:
            return self._places[id(value)]
        cls = type(value)
        if issubclass(cls, enum.Enum) and (name := _member_name(value)) is not None:
            return "enum", self.said(cls, None if place is None else ("class of", place)), name
        if type(cls) is type and (words := self._by_name(value, cls)) is not None:
            if cls is types.FunctionType:
                self._note_function(value, words)
            return words
        if place is None:
            raise Unsaid(f"a {cls.__name__}")
        self._note(value, place)
        if cls is types.FunctionType:
            self._note_function(value, place)
            return "function", place
        if cls is np.ndarray:
            self.arrays.append(value)
            return "array", place
        if cls in _CONTAINERS:
            return cls.__name__, place, *self._fixed(value, place)
        if cls in (staticmethod, classmethod):
            return cls.__name__, self.said(value.__func__, ("held", place, "__func__"))
        if cls is property:
            parts = (value.fget, value.fset, value.fdel)
            return "property", *(self.said(p, ("held", place, n)) for p, n in zip(parts, _PROPERTY, strict=True))
        if cls is types.CellType or issubclass(cls, type):
            return cls.__name__, place
        if cls in _HOLDERS or (_of_python(cls) and not issubclass(cls, (np.ndarray, type))):
            held = attributes_of(value)
            own = getattr(value, "__dict__", None)
            if isinstance(own, dict):
                self._note(own, ("names of", place))
            return "object", place, self.said(cls, ("class of", place)), tuple(held), *self._fixed(value, place)
        raise Unsaid(f"a {cls.__name__}")

    def _fixed(self, value: Any, place: Words) -> Words:
        """What an object holds that stays as long as it is the same object: in one process its identity says all of it.

        Raises:
            Unsaid: it is built on a class of C code that holds what only that knows.
        """
        line = type(value).__mro__
        base: Any = next((b for b in line if b in _FIXED), None)
        if base in (tuple, frozenset):
            return tuple(self.said(v, ("item", place, _scalar(k))) for k, v in enumerate(held_items(value)))
        if base is not None:
            return _scalar(_FIXED[base](value))
        if any(b.__basicsize__ > object.__basicsize__ for b in line if not (_of_python(b) or b in _OPEN)):
            raise Unsaid(f"a {type(value).__name__}")
        return ()

    def members(self, cls: type) -> Words:
        """What the members of an enum are, in order, with the other names for them."""
        return tuple((name, self._member(member)) for name, member in _members_of(cls).items())

    def _member(self, member: Any) -> Words:
        place = self.said(member)
        value = attributes_of(member).get("_value_", MISSING)
        return place, self.said(value, ("attribute", place, "_value_")), self._fixed(member, place)

    def _by_name(self, value: Any, cls: type) -> Words | None:
        """A module, or what a module has under its own name; None where there is no such thing."""
        if cls is types.ModuleType:
            name = vars(value).get("__name__")
            if type(name) is not str or sys.modules.get(name) is not value:
                return None
            self._from(name)
            self._note(vars(value), ("names of", ("module", name)))
            return "module", name
        if not (cls is types.FunctionType or issubclass(cls, (type, *_NAMED))):
            return None
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if id(value) in _TYPES:
            module, name = "types", _TYPES[id(value)]
        module = "numpy" if isinstance(value, np.ufunc) and getattr(np, value.__name__, None) is value else module
        name = value.__name__ if isinstance(value, np.ufunc) else name
        owner = getattr(value, "__objclass__", None)  # of a method that C code has
        if isinstance(owner, type):
            module, name = owner.__module__, f"{owner.__qualname__}.{value.__name__}"
        if type(module) is not str or type(name) is not str or _imported(module, name) is not value:
            return None
        if cls is types.FunctionType and value.__globals__ is not getattr(sys.modules[module], "__dict__", None):
            return None  # it only says that it is from there
        self._from(module)
        return "import", module, name

    def _from(self, module: str) -> None:
        name = module.partition(".")[0]
        if name in sys.stdlib_module_names or name == "s2sad":  # (of what derives and runs it, see `disk`)
            return
        if is_installed_file(getattr(sys.modules.get(name), "__file__", None) or "<frozen"):
            self.packages.add(name)

    def scope(self, where: Any) -> Words:
        """Where names are bound: a module's dict, a cell, a class, the attributes of a function or an object."""
        if id(where) in self._places:
            return self._places[id(where)]
        if type(where) is dict:
            module = sys.modules.get(where.get("__name__") or "")
            if isinstance(module, types.ModuleType) and vars(module) is where:
                return "names of", self.said(module)
            raise Unsaid("the names of something")
        return self.said(where)

    def key(self, key: Any) -> Words:
        """What a call's arguments are found by (`kinds.bind.signature_key`)."""
        if type(key) is tuple:
            return "(", *map(self.key, key)
        if type(key) is frozenset:
            return "{", *sorted(map(self.key, key), key=repr)
        if type(key) is slice:
            return "slice", *map(self.key, (key.start, key.stop, key.step))
        if type(key) is Itself:
            return self.key(key.value)
        if isinstance(key, np.dtype):
            return "dtype", *_dtype(key)
        return self.said(key)

    def data(self, value: Any) -> Words:
        """What is known of a call: kinds, details and tuples, sets and dicts of such."""
        cls = type(value)
        if dataclasses.is_dataclass(cls) and cls.__module__.startswith("s2sad."):
            parts = (self.data(getattr(value, f.name)) for f in dataclasses.fields(cls))
            return "data", self.said(cls), *parts
        if cls is tuple:
            return "(", *map(self.data, value)
        if cls is frozenset:
            return "{", *sorted(map(self.data, value), key=repr)
        if cls is dict:
            return "dict", *((self.data(k), self.data(v)) for k, v in value.items())
        return self.key(value)

    # --- from words to objects

    def at(self, words: Words) -> Any:
        """The object at a place now.

        Raises:
            Exception: there is nothing.
        """
        value = _FOUND[words[0]](self, *words[1:])
        if value is MISSING:
            raise LookupError(words)
        return value

    def made(self, words: Words) -> Any:
        """What `data` has put into words."""
        how, *parts = words
        if how == "data":
            return self.at(parts[0])(*map(self.made, parts[1:]))
        if how in ("(", "{"):
            return (tuple if how == "(" else frozenset)(map(self.made, parts))
        if how == "dict":
            return {self.made(k): self.made(v) for k, v in parts}
        if how == "slice":
            return slice(*map(self.made, parts))
        return np.dtype(parts[0]) if how == "dtype" else self.plain(words)

    def plain(self, words: Words) -> Any:
        """What `said` has said: a number or text as it was, or the object that is there now."""
        if words[0] in _READ:
            return _READ[words[0]](*words[1:])
        return self.at(words)


_PROPERTY = ("fget", "fset", "fdel")
#: what is at a place, by the word that it begins with
_FOUND: dict[str, Callable[..., Any]] = {
    "import": lambda self, module, name: _imported(module, name),
    "own": lambda self: self.own,
    "globals": lambda self: self.own.__globals__,
    "modules": lambda self: sys.modules,
    "module": lambda self, name: sys.modules[name],
    "names of": lambda self, of: self.at(of).__dict__,
    "name": lambda self, where, name: held_under(self.at(where), name),
    "cell": lambda self, function, i: self.at(function).__closure__[i],
    "class of": lambda self, place: type(self.at(place)),
    "enum": lambda self, cls, name: _members_of(self.at(cls))[name],
    "item": lambda self, owner, key: _item(self.at(owner), self.plain(key)),
    "attribute": lambda self, owner, name: attributes_of(self.at(owner)).get(name, MISSING),
    "computed": lambda self, owner, name: getattr(self.at(owner), name, MISSING),
    "held": lambda self, owner, name: getattr(self.at(owner), name, MISSING),
    "default": lambda self, function, i: self.at(function).__defaults__[i],
    "keyword": lambda self, function, name: self.at(function).__kwdefaults__[name],
}


def _item(owner: Any, key: Any) -> Any:
    if isinstance(owner, dict):
        return dict.__getitem__(owner, key)
    return held_items(owner)[key]


def _members_of(cls: type) -> dict[str, Any]:
    members: dict[str, Any] = class_entry(cls, "_member_map_", {})
    return members


def _member_name(value: enum.Enum) -> str | None:
    """The name of a member of an enum; None for what is put together of several."""
    name = attributes_of(value).get("_name_")
    return name if type(name) is str and _members_of(type(value)).get(name) is value else None


def _of_python(cls: type) -> bool:
    """Is a class made by a class statement? Its objects are as large as what it has names for; C code may hold more."""
    of_python, fixed = bool(cls.__flags__ & (1 << 9)), bool(cls.__flags__ & (1 << 8))
    held = type.__getattribute__(cls, "__dict__")
    slots = sum(type(v) in (types.MemberDescriptorType, types.GetSetDescriptorType) for v in held.values())
    room = (cls.__base__ or object).__basicsize__ + slots * np.dtype(np.intp).itemsize
    return of_python and not fixed and "__module__" in held and cls.__basicsize__ <= room


def _imported(module: str, name: str) -> Any:
    """What a loaded module has under a name with dots, past what classes say of it; MISSING for nothing."""
    found: Any = sys.modules.get(module, MISSING)
    for part in name.split("."):
        if isinstance(found, type):
            found = class_entry(found, part, MISSING)
            found = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        else:
            found = getattr(found, "__dict__", {}).get(part, MISSING)
    return found


def _scalar(value: Any) -> Words:
    cls = type(value)
    if issubclass(cls, np.generic):
        if value.dtype.hasobject or value.dtype.type is not cls:
            raise Unsaid("a record, or of a class of the user's")
        return "numpy", *_dtype(value.dtype), value.tobytes()
    if cls in (float, complex):
        return cls.__name__, repr(value)
    if cls is range:
        return "range", value.start, value.stop, value.step
    return ("constant", {type(...): "...", type(NotImplemented): "?"}.get(cls, ""), None) if cls in (
        type(...),
        type(NotImplemented),
    ) else (cls.__name__, value)


def _dtype(dtype: np.dtype) -> Words:
    if dtype.hasobject or dtype.metadata or dtype.fields or dtype.subdtype:
        raise Unsaid("a dtype of parts")
    return (dtype.str,)


#: what scalars are made of again, by the word that they begin with
_READ: dict[str, Callable[..., Any]] = {
    "float": float,
    "complex": complex,
    "int": int,
    "bool": bool,
    "str": str,
    "bytes": bytes,
    "NoneType": lambda _: None,
    "range": range,
    "constant": lambda text, _: ... if text == "..." else NotImplemented,
    "numpy": lambda dtype, data: np.frombuffer(data, np.dtype(dtype))[0],
    "missing": lambda: MISSING,
}


# --- conditions in words


def of_condition(condition: Condition, here: Anchors) -> tuple[Words, Words]:
    """How another process looks again, and what was seen.

    Raises:
        Unsaid: it can not be said.
    """
    return _looked(condition, here), seen(condition, here)


def _looked(c: Condition, here: Anchors) -> Words:
    if isinstance(c, NameIs):
        return "NameIs", c.about, here.scope(c.where), c.name
    if isinstance(c, IsNumber):
        return "IsNumber", c.about, here.scope(c.where), c.name, here.said(c.cls), c.alias, c.stays
    if isinstance(c, ClassIs):
        return "ClassIs", c.about, here.said(c.cls)
    if isinstance(c, Lacks):
        return "Lacks", c.about, here.scope(c.where), tuple(sorted(c.names))
    if isinstance(c, HasNames):
        return "HasNames", c.about, here.scope(c.where)
    if isinstance(c, MadeOf):
        return "MadeOf", c.about, here.said(c.function)
    if isinstance(c, Like):
        return "Like", c.about, here.said(c.value), c.grain
    if isinstance(c, HasLength):
        return "HasLength", c.about, here.said(c.value)
    if isinstance(c, PartIs):
        owner = here.scope(c.owner) if c.how == "name" else here.said(c.owner)
        return "PartIs", c.about, owner, c.how, here.said(c.key), isinstance(c.form, OfType)
    if isinstance(c, Verdict):
        return "Verdict", c.about, here.said(c.cls), here.said(c.asked)
    raise Unsaid(type(c).__name__)


def again(looked: Words, here: Anchors, namespace: dict[str, Any]) -> Condition:
    """The condition that looking again in the same way leaves now.

    Args:
        looked: how to look.
        here: where things are.
        namespace: that of the generated function.

    Raises:
        Exception: there is nothing to look at.
    """
    kind, about, place, *rest = looked
    where = here.at(place)
    if kind == "NameIs":
        return NameIs(about, where, rest[0], held_under(where, rest[0]))
    if kind == "IsNumber":
        name, cls, alias, stays = rest
        return IsNumber(about, where, name, here.at(cls), namespace, alias, stays)
    if kind == "ClassIs":
        return ClassIs(about, where, where.__mro__, frozenset(vars(where)))
    if kind == "Lacks":
        return Lacks(about, where, frozenset(rest[0]))
    if kind == "HasNames":
        return HasNames(about, where, frozenset(where))
    if kind == "MadeOf":
        keywords = where.__kwdefaults__
        return MadeOf(about, where, where.__code__, where.__defaults__, keywords, tuple((keywords or {}).items()))
    if kind == "Like":
        return Like(about, where, _FORMS[rest[0]](where), rest[0])
    if kind == "HasLength":
        return HasLength(about, where, len(where))
    if kind == "PartIs":
        how, key, loose = rest
        found = PartIs(about, where, how, here.plain(key), Same(None))
        now = found.now()
        form = OfType(type(now)) if loose else exact_form(now)
        return PartIs(about, where, how, found.key, form)
    assert kind == "Verdict"
    asked = here.at(rest[0])
    return Verdict(about, where, asked, issubclass(where, asked))


_FORMS: dict[str, Callable[[Any], Form]] = {
    "all": form_of,
    "kind": lambda value: form_of(value, True),
    "class": lambda value: OfType(type(value)),
    "keys": lambda value: OfKeys(value, keys_of(value)),
}


def seen(c: Condition, here: Anchors) -> Words:
    """What is seen by a look, in words: the same in another process just where that sees the same.

    Raises:
        Unsaid: it can not be said.
    """
    if isinstance(c, NameIs):
        place = ("name", here.scope(c.where), c.name)
        return here.said(c.value, place)
    if isinstance(c, ClassIs):
        members = here.members(c.cls) if issubclass(c.cls, enum.Enum) else ()
        return *map(here.said, c.line), tuple(sorted(c.names)), *members
    if isinstance(c, Lacks):
        return ("lacks", c.where.keys().isdisjoint(c.names))
    if isinstance(c, HasNames):
        return tuple(sorted(c.names))
    if isinstance(c, MadeOf):
        function = here.said(c.function)
        defaults = tuple(here.said(v, ("default", function, i)) for i, v in enumerate(c.defaults or ()))
        keywords = tuple((n, here.said(v, ("keyword", function, n))) for n, v in c.items)
        return code_digest(c.code_), defaults, keywords
    if isinstance(c, Like):
        return _form(c.form, here.said(c.value), here)
    if isinstance(c, HasLength):
        return (c.length,)
    if isinstance(c, PartIs):
        owner = here.scope(c.owner) if c.how == "name" else here.said(c.owner)
        return _form(c.form, (c.how, owner, c.key if c.how != "item" else here.said(c.key)), here)
    if isinstance(c, Verdict):
        return (c.verdict,)
    return ()  # of a number that the run reads, its type is all


def _form(form: Form, place: Words, here: Anchors) -> Words:
    """What was seen of what is at a place."""
    if isinstance(form, Same):
        return "same", here.said(form.value, place)
    if isinstance(form, OfType):
        return "type", here.said(form.cls)
    if isinstance(form, Shaped):
        return "shaped", here.said(form.array, place), *_dtype(form.dtype), form.shape
    if isinstance(form, Flat):
        return "flat", here.said(form.cls), *map(_scalar, form.values)
    if isinstance(form, FlatKinds):
        return "kinds", here.said(form.cls), *map(here.said, form.types), *((k, _scalar(v)) for k, v in form.others)
    if isinstance(form, OfItems):
        parts = (_form(item, ("item", place, _scalar(k)), here) for k, item in enumerate(form.items))
        return "items", here.said(form.cls), *parts
    if isinstance(form, Mapped):
        keys = _form(form.keys, ("keys", place), here)
        return "mapped", here.said(form.cls), keys, _parts(form.items, form.names, "item", place, here)
    if isinstance(form, OfState):
        value = here.said(form.value, place)
        return "state", value, here.said(form.cls), form.names, _parts(form.items, form.names, "attribute", place, here)
    if isinstance(form, InOrder):
        return "in order", here.said(form.cls), _form(form.items, ("items", place), here)
    if isinstance(form, OfKeys):
        return "keys", _form(form.form, ("keys", place), here)
    raise Unsaid(type(form).__name__)


def _parts(items: Form, names: Iterable[Any], how: str, place: Words, here: Anchors) -> Words:
    """The items of a dict, or the attributes of an object."""
    if not isinstance(items, OfItems):
        return _form(items, (how, place), here)
    said = (n if how == "attribute" else _scalar(n) if is_scalar(n) else ("odd", k) for k, n in enumerate(names))
    return tuple(_form(item, (how, place, n), here) for item, n in zip(items.items, said, strict=True))


# --- code and files


def code_digest(code: types.CodeType) -> str:
    """What a code object does and where it stands in its file, in a few letters: the same in each process.

    >>> two = [compile("lambda x: x + 1.0", name, "eval") for name in "ab"]
    >>> code_digest(two[0]) == code_digest(two[1]), code_digest(two[0]) == code_digest(compile("2.0", "a", "eval"))
    (True, False)
    """
    return hashlib.sha256(repr(_code(code)).encode()).hexdigest()[:20]


def _code(code: types.CodeType) -> Words:
    plain = (
        *(code.co_code, code.co_name, code.co_qualname, code.co_names, code.co_varnames, code.co_freevars),
        *(code.co_cellvars, code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags),
        code.co_firstlineno,
    )
    return *plain, tuple(map(_constant, code.co_consts))


def _constant(value: Any) -> Any:
    if isinstance(value, types.CodeType):
        return _code(value)
    if type(value) is tuple:
        return tuple(map(_constant, value))
    if type(value) is frozenset:
        return "frozenset", *sorted(map(repr, map(_constant, value)))
    return type(value).__name__, repr(value)


def package_state(name: str) -> Words:
    """What says which version of an installed package is loaded."""
    module: Any = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    found = os.stat(file) if file and os.path.exists(file) else None
    return name, str(getattr(module, "__version__", "")), (found.st_mtime_ns, found.st_size) if found else ()
