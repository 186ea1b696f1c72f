"""Core functions: functions of the program that stay functions in core Python, because they call themselves.

Calls are written out where they stand. A recursion whose depth depends on run-time values has no end when it is
written out: it becomes a function in core Python of its own, lowered once for the kinds of its arguments, and a call of
it stays a call. Its parameters are the run-time values that the arguments are made of (an array, the numbers in a
tuple, what a closure has captured); everything else is part of what the function is lowered for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import bound_names
from s2sad.analysis.memory import Path
from s2sad.core import Written, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds import dims
from s2sad.kinds.dims import length, variable
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.normal.above import allocate, is_varied, run_through
from s2sad.normal.calls.keep import Keeping
from s2sad.normal.decisions import Decisions
from s2sad.normal.frames import Frame
from s2sad.normal.values.abstract import (
    NOT_KNOWN,
    Choice,
    Closure,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Super,
    Tup,
    Value,
    contents,
)
from s2sad.normal.values.questions import free_names, put_item

#: for how many different structures of arguments one function is lowered
SIGNATURES = 8


class Diverges(Exception):
    """What follows depends on the result of a recursive call of which nothing is known yet: this path is left out."""


class NotYet(Diverges):
    """A path that only a later turn of a loop can take: it reads a name that the loop binds further on."""


class Raises(NotYet):
    """A path that ends in a `raise`, which is written."""


class Grown(Exception):
    """A core function appends to a list of known length that it was given: it has to be a list at run time."""

    def __init__(self, function: Any, ref: int) -> None:
        self.function, self.ref = function, ref
        super().__init__()


@dataclass(frozen=True, eq=False)
class Slot(Value):
    """In the structure of an argument: the place of its `index`-th run-time value."""

    index: int


@dataclass(frozen=True, eq=False)
class Passed(Value):
    """In the structure of a result: the `index`-th run-time value, or the `index`-th container, of those that the
    function was given."""

    index: int
    container: bool = False


@dataclass(eq=False)
class Parameter:
    """A run-time value that goes into a core function, or comes out of it.

    `const` is an int or bool that is the same in all calls: then nothing is handed over, and neither is what the
    function does not read (`unread`).
    """

    name: str
    kind: Kind
    varied: bool
    const: Any = NOT_KNOWN
    unread: bool = False

    @property
    def passed(self) -> bool:
        return self.const is NOT_KNOWN and not self.unread


@dataclass
class Outline:
    """The structure of values: what they are made of, with slots for the run-time values in it.

    `objects` are the containers on the heap and `frames` the variables that closures have captured, by the ids that
    the values use.
    """

    values: dict[str, Value] = field(default_factory=dict)
    objects: dict[int, Any] = field(default_factory=dict)
    frames: dict[int, tuple[Frame, dict[str, Value]]] = field(default_factory=dict)
    #: the run-time values, with a word for the name of each
    leaves: list[tuple[str, Value]] = field(default_factory=list)
    #: in a result: what given arrays hold afterwards, by the positions of their run-time values; what is in given
    #: containers that are changed, by their positions; and variables of functions around this one that are assigned,
    #: by the positions of their frames
    arrays: dict[int, Value] = field(default_factory=dict)
    containers: dict[int, Any] = field(default_factory=dict)
    variables: dict[tuple[int, str], Value] = field(default_factory=dict)

    def parameters(self, names: Any) -> list[Parameter]:
        """The run-time values as parameters; `names` gives each a name."""
        out = []
        for stem, value in self.leaves:
            assert isinstance(value, (Leaf, Known))
            const = constant_of(value)
            kind = value.kind if isinstance(value, Leaf) else Number(bool)
            varied = isinstance(value, Leaf) and value.varied
            out.append(Parameter(names(stem) if const is NOT_KNOWN else stem, kind, varied, const))
        return out


def constant_of(value: Value) -> Any:
    """The int or bool that a value is known to be."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, Leaf) and type(value.const) in (int, bool):
        return value.const
    return NOT_KNOWN


class Spread:
    """Takes values apart into their structure and the run-time values in it."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.outline = Outline()
        self._captured: set[tuple[int, int]] = set()

    def of(self, values: dict[str, Value]) -> Outline:
        for name, value in values.items():
            self.outline.values[name] = self.value(value, name)
        return self.outline

    def slot(self, value: Value, stem: str) -> Slot:
        self.outline.leaves.append((stem, value))
        return Slot(len(self.outline.leaves) - 1)

    def value(self, value: Value, stem: str) -> Value:
        if isinstance(value, Leaf):
            return Known(value.kind.value) if isinstance(value.kind, Static) else self.slot(value, stem)
        if isinstance(value, Known):
            return self.slot(value, stem) if isinstance(value.value, bool) else Known(value.value)
        if isinstance(value, Tup):
            fields = getattr(value.cls, "_fields", range(len(value.items)))
            parts = zip(fields, value.items, strict=True)
            return Tup(tuple(self.value(v, self.word(stem, k)) for k, v in parts), value.cls)
        if isinstance(value, Ref):
            if value.id not in self.outline.objects:
                obj = self.run.state.heap[value.id].copy()
                obj.expr, obj.site = None, ("argument", stem)
                self.outline.objects[value.id] = obj
                for key, part in list(contents(obj).items()):
                    put_item(obj, key, self.value(part, self.word(stem, key)))
                if isinstance(obj, DictObj) and obj.factory is not None:
                    obj.factory = self.value(obj.factory, stem)
            return value
        if isinstance(value, Closure):
            self.capture(value)
            defaults = tuple(self.value(v, stem) for v in value.defaults)
            kw_defaults = tuple(None if v is None else self.value(v, stem) for v in value.kw_defaults)
            return Closure(value.source, value.frame, value.function, defaults, kw_defaults)
        if isinstance(value, Method):
            return Method(self.value(value.function, stem), self.value(value.owner, stem))
        if isinstance(value, Lazy):
            run_through(self.run, value)  # by the function that is given it
        if isinstance(value, (Partial, Lazy)):
            function = value.function if isinstance(value, Lazy) else self.value(value.function, stem)
            args = tuple(self.value(v, stem) for v in value.args)
            return type(value)(function, args, tuple((k, self.value(v, k)) for k, v in value.kwargs))
        if isinstance(value, Choice):
            test = self.slot(value.test, stem)
            return Choice(test, self.value(value.first, stem), self.value(value.second, stem))  # type: ignore[arg-type]
        if isinstance(value, Super):
            return Super(value.cls, self.value(value.owner, stem))
        if isinstance(value, Maybe):
            return Maybe(self.slot(value.none, f"no_{stem}"), self.value(value.value, stem))  # type: ignore[arg-type]
        return value

    def capture(self, closure: Closure) -> None:
        """The variables of enclosing functions that a closure reads."""
        frame = closure.frame
        if frame is None or (id(closure.source.tree), frame) in self._captured:
            return
        self._captured.add((id(closure.source.tree), frame))
        wanted = set(free_names(closure.source.tree)) - bound_names(closure.source.tree)[0]
        level: int | None = frame
        while level is not None:
            outer = self.run.frames[level]
            _, held = self.outline.frames.setdefault(level, (outer, {}))
            variables = self.run.state.frames.get(level, {})
            for name in sorted(wanted & set(variables)):
                if name not in held:
                    held[name] = Known(None)  # a function may mention itself
                    held[name] = self.value(variables[name], name)
            wanted -= set(variables)
            level = outer.parent

    @staticmethod
    def word(stem: str, key: Any) -> str:
        return f"{stem}_{key}" if f"{stem}_{key}".isidentifier() else stem


class SpreadResult(Spread):
    """Takes a result apart, in which what the function was given stands for itself."""

    def __init__(self, run: Any, leaves: dict[str, int], containers: dict[int, int]) -> None:
        super().__init__(run)
        self.given_leaves, self.given_containers = leaves, containers

    def value(self, value: Value, stem: str) -> Value:
        name = value.expr.id if isinstance(value, Leaf) and isinstance(value.expr, gast.Name) else ""
        if name in self.given_leaves:
            return Passed(self.given_leaves[name])
        if isinstance(value, Ref) and value.id in self.given_containers:
            return Passed(self.given_containers[value.id], container=True)
        return super().value(value, stem)

    def parts(self, obj: Any, stem: str) -> Any:
        """A container as a structure of what is in it."""
        made = obj.copy()
        for key, part in list(contents(obj).items()):
            put_item(made, key, self.value(part, self.word(stem, key)))
        return made


def form(outline: Outline) -> Any:
    """The structure as something to compare: equal forms differ in nothing but the run-time values."""
    numbers: dict[Any, int] = {}

    def number(key: Any) -> tuple[bool, int]:
        new = key not in numbers
        return new, numbers.setdefault(key, len(numbers))

    def variables(frame: int) -> Any:
        new, k = number(("frame", frame))
        if not new or frame not in outline.frames:
            return k
        owner, held = outline.frames[frame]
        outer = variables(owner.parent) if owner.parent is not None else None
        return (k, outer, tuple((name, of(v)) for name, v in held.items()))

    def of(value: Any) -> Any:
        if isinstance(value, Slot):
            return "slot"
        if isinstance(value, Known):
            plain = value.is_a(str, bytes, int, float, type(None))
            return (value.cls, value.value) if plain else ("known", id(value.itself))
        if isinstance(value, Tup):
            return (value.cls, *map(of, value.items))
        if isinstance(value, Ref):
            new, k = number(value.id)
            if not new:
                return k
            obj = outline.objects[value.id]
            cls = obj.cls if isinstance(obj, Instance) else type(obj)
            factory = of(obj.factory) if isinstance(obj, DictObj) and obj.factory is not None else None
            return (k, cls, factory, tuple((key, of(v)) for key, v in contents(obj).items()))
        if isinstance(value, Closure):
            captured = variables(value.frame) if value.frame is not None else None
            return (id(value.source.tree), captured, *map(of, value.defaults), *map(of, value.kw_defaults))
        if isinstance(value, Method):
            return ("method", of(value.function), of(value.owner))
        if isinstance(value, (Partial, Lazy)):
            function = of(value.function) if isinstance(value, Partial) else id(value.function)
            return (type(value), function, *map(of, value.args), *((k, of(v)) for k, v in value.kwargs))
        if isinstance(value, Choice):
            return ("choice", of(value.first), of(value.second))
        if isinstance(value, Super):
            return ("super", value.cls, of(value.owner))
        if isinstance(value, Passed):
            return ("passed", value.index, value.container)
        return type(value)

    changes = [*outline.arrays.items(), *outline.variables.items()]
    changes += [((k, key), v) for k, obj in outline.containers.items() for key, v in contents(obj).items()]
    return tuple((name, of(v)) for name, v in [*outline.values.items(), *changes])


def grown_lists(before: Outline, now: Outline) -> list[int]:
    """The lists in a structure whose lengths are not those that they have in another one."""
    found: list[int] = []

    def compare(a: Any, b: Any) -> None:
        if isinstance(a, Tup) and isinstance(b, Tup):
            for p, q in zip(a.items, b.items, strict=False):
                compare(p, q)
        elif isinstance(a, Ref) and isinstance(b, Ref):
            one, other = before.objects[a.id], now.objects[b.id]
            if isinstance(one, ListObj) and isinstance(other, ListObj) and len(one.items) != len(other.items):
                found.append(b.id)
            elif type(one) is type(other):
                for key in set(contents(one)) & set(contents(other)):
                    compare(contents(one)[key], contents(other)[key])

    for name in before.values:
        compare(before.values[name], now.values.get(name))
    for frame, (_, variables) in before.frames.items():
        others = now.frames.get(frame, (None, {}))[1]
        for name in variables:
            compare(variables[name], others.get(name))
    return found


class Rebuild:
    """Puts values together again in another lowering, with leaves for the slots."""

    def __init__(self, outline: Outline, run: Any, leaves: list[Value], given: Outline | None = None) -> None:
        """`given`: in a result, what the function was given in this call."""
        self.outline, self.run, self.leaves, self.given = outline, run, leaves, given
        self.refs: dict[int, int] = {}
        self.frames: dict[int, int] = {}

    def frame(self, old: int | None) -> int | None:
        if old is None or old not in self.outline.frames:
            return None
        if old not in self.frames:
            outer, held = self.outline.frames[old]
            new = self.frames[old] = self.run.next_id()
            frame = Frame(new, outer.source, self.frame(outer.parent))
            frame.bound, frame.nonlocals, frame.globals_declared = set(held), set(), set()
            self.run.frames[new] = frame
            variables = self.run.state.frames.setdefault(new, {})
            variables.update({name: self.value(v) for name, v in held.items()})
        return self.frames[old]

    def given_leaf(self, index: int) -> Value:
        assert self.given is not None
        leaf = self.given.leaves[index][1]
        assert isinstance(leaf, Leaf)
        return leaf if leaf.varied else Leaf(leaf.expr, leaf.kind, is_varied(self.run, leaf), leaf.const)

    def value(self, value: Any) -> Any:
        if isinstance(value, Slot):
            return self.leaves[value.index]
        if isinstance(value, Passed):
            assert self.given is not None
            return Ref([*self.given.objects][value.index]) if value.container else self.given_leaf(value.index)
        if isinstance(value, Tup):
            return Tup(tuple(self.value(v) for v in value.items), value.cls)
        if isinstance(value, Ref):
            if value.id not in self.refs:
                obj = self.outline.objects[value.id].copy()
                self.refs[value.id] = allocate(self.run, obj).id
                for key, part in list(contents(obj).items()):
                    put_item(obj, key, self.value(part))
                if isinstance(obj, DictObj) and obj.factory is not None:
                    obj.factory = self.value(obj.factory)
            return Ref(self.refs[value.id])
        if isinstance(value, Closure):
            defaults = tuple(self.value(v) for v in value.defaults)
            kw_defaults = tuple(None if v is None else self.value(v) for v in value.kw_defaults)
            return Closure(value.source, self.frame(value.frame), value.function, defaults, kw_defaults)
        if isinstance(value, Method):
            return Method(self.value(value.function), self.value(value.owner))
        if isinstance(value, (Partial, Lazy)):
            function = value.function if isinstance(value, Lazy) else self.value(value.function)
            args = tuple(self.value(v) for v in value.args)
            return type(value)(function, args, tuple((k, self.value(v)) for k, v in value.kwargs))
        if isinstance(value, Choice):
            return Choice(self.value(value.test), self.value(value.first), self.value(value.second))
        if isinstance(value, Super):
            return Super(value.cls, self.value(value.owner))
        if isinstance(value, Maybe):
            return Maybe(self.value(value.none), self.value(value.value))
        return value


def opened(parameters: list[Parameter]) -> None:
    """Give lengths and ints that are not plain numbers symbols of the function's own; equal ones stay equal."""
    symbols: dict[Dim, Dim] = {}

    def dim(d: Dim, new: Dim) -> Dim:
        return d if d.known else symbols.setdefault(d, new)

    for p in parameters:
        if isinstance(p.kind, Array) and p.kind.shape is not None:
            shape = tuple(dim(d, length(f"{p.name}.{i}", d)) for i, d in enumerate(p.kind.shape))
            p.kind = Array(p.kind.dtype, shape)
        elif isinstance(p.kind, Number) and p.kind.type in (int, np.int64):
            value = p.kind.value if p.passed else None
            p.kind = Number(p.kind.type, variable(p.name) if value is None else dim(value, variable(p.name)))


def joined(p: Parameter, q: Parameter, pairs: dict[tuple[Dim, Dim], Dim]) -> Parameter:
    """A parameter for two calls; lengths that differ in the same way in several places stay equal to each other."""
    same = p.const is q.const or (type(p.const) is type(q.const) and p.const == q.const)
    const = p.const if same else NOT_KNOWN

    def fresh(a: Dim, b: Dim) -> Dim:
        return pairs.setdefault((a, b), length(f"{p.name}.{len(pairs)}", a, b))

    a, b = p.kind, q.kind
    if isinstance(a, Array) and isinstance(b, Array) and a.shape is not None and b.shape is not None:
        dtype = np.promote_types(a.dtype, b.dtype)
        if len(a.shape) != len(b.shape):
            return Parameter(p.name, Array(dtype, None), p.varied or q.varied, const)
        shape = tuple(x if x == y and x.known else fresh(x, y) for x, y in zip(a.shape, b.shape, strict=True))
        return Parameter(p.name, Array(dtype, shape), p.varied or q.varied, const)
    if isinstance(a, Number) and isinstance(b, Number):
        first, second = Number(a.type, types=a.types), Number(b.type, types=b.types)
        kind = join_kinds(first, second, lambda: length(p.name, dims.ZERO))
        if isinstance(kind, Number) and kind.type in (int, np.int64) and a.value is not None and b.value is not None:
            kind = Number(kind.type, a.value if a.value == b.value else fresh(a.value, b.value), kind.types)
        return Parameter(p.name, kind, p.varied or q.varied, const)
    if isinstance(a, ListOf) and isinstance(b, ListOf) and any(isinstance(k.item, Unknown) for k in (a, b)):
        return Parameter(p.name, a if isinstance(b.item, Unknown) else b, p.varied or q.varied, const)
    return Parameter(p.name, join_kinds(a, b, lambda: length(p.name, dims.ZERO)), p.varied or q.varied, const)


def shape_of(parameters: list[Parameter]) -> Any:
    """What the lowering of a function depends on, to compare: of lengths which are equal, and their lower bounds."""
    numbers: dict[Dim, int] = {}

    def dim(d: Dim) -> Any:
        return d.const if d.known else (dims.lower(d), numbers.setdefault(d, len(numbers)))

    def kind(k: Kind) -> Any:
        if isinstance(k, Array) and k.shape is not None:
            return (k.dtype, tuple(dim(d) for d in k.shape))
        if isinstance(k, Number):
            return (k.type, dim(k.value) if k.value is not None else None)
        return k

    return [(kind(p.kind), p.varied, None if p.const is NOT_KNOWN else (type(p.const), p.const)) for p in parameters]


def within(kind: Kind) -> Iterator[Kind]:
    """The kinds in a kind: of what tuples, lists and dicts hold.

    >>> [type(k).__name__ for k in within(Tuple((Number(int), ListOf(Array(np.dtype(float), None)))))]
    ['Number', 'ListOf', 'Array']
    """
    if isinstance(kind, (Tuple, List)):
        parts = list(kind.items)
    elif isinstance(kind, Dict):
        parts = [k for _, k in kind.items]
    else:
        yield kind
        parts = [kind.item] if isinstance(kind, ListOf) else []
    for part in parts:
        yield from within(part)


def has_sizes(kind: Kind) -> bool:
    """Are there lengths or ints in a value of this kind?"""
    if isinstance(kind, Number):
        return issubclass(kind.type, (int, np.integer))
    if isinstance(kind, (Array, ListOf, Unknown)):
        return True
    if isinstance(kind, (Tuple, List)):
        return any(map(has_sizes, kind.items))
    if isinstance(kind, Dict):
        return any(has_sizes(k) for _, k in kind.items)
    return isinstance(kind, Object) and any(has_sizes(k) for _, k in kind.attributes)


@dataclass(eq=False)
class CoreFunction(Written):
    """A function in core Python that calls itself.

    `result` is the structure of what it returns and `results` the run-time values in it; None: not known yet, or
    nothing that ever returns was found.
    """

    name: str
    source: Any
    closure: Closure
    outline: Outline
    parameters: list[Parameter]
    decisions: Any
    form: Any = None
    #: does it stay a function by choice, and not because it calls itself?
    kept: bool = False
    result: Outline | None = None
    results: list[Parameter] = field(default_factory=list)
    core: Any = None
    settled: bool = False
    #: was it called while it was being lowered, by what is known of it so far?
    met_itself: bool = False
    #: the functions that were being lowered around it, and whose results it was lowered with as far as they were known
    met: set[CoreFunction] = field(default_factory=set)
    #: does calling it do nothing but compute?
    effect: str = "none"
    #: may a result share memory with an argument?
    shares: bool = False
    #: may two results share memory?
    tangled: bool = False
    #: may a container in the result be one that it was given, or another one?
    merged: bool = False
    #: the positions of the parameters that are arrays which it overwrites: it works on copies, and returns these
    overwrites: set[int] = field(default_factory=set)
    #: the positions of the run-time parameters that are lists which it changes
    writes: tuple[int, ...] = ()
    #: the positions of those that are lists of lists of which it changes the inner ones, and the way to these
    drains: tuple[tuple[int, Path], ...] = ()
    #: the function that the user wrote, where it has the same arguments and results
    own: Any = None
    #: what the core function is called where the user's own function has the name
    flat_name: str = ""

    @property
    def passed(self) -> list[Parameter]:
        """The parameters that it has at run time."""
        return [p for p in self.parameters if p.passed]

    def summary(self) -> Any:
        """What is known of it: to see whether anything has changed."""
        result = None if self.result is None else form(self.result)
        changes = (self.writes, self.drains)
        return shape_of([*self.parameters, *self.results]), result, self.effect, self.shares, self.tangled, changes

    @property
    def stows(self) -> bool:
        """May it put an array or a list that it is given into a list that it changes?"""
        lists = [p.kind for p in self.passed if isinstance(p.kind, ListOf)]
        held = [inner for i in self.writes for inner in within(getattr(self.passed[i].kind, "item", Unknown()))]
        numbers = all(isinstance(k, (Number, Static)) for k in held)
        return not numbers and (len(lists) > 1 or not all(isinstance(k, (Number, Static, ListOf)) for k in held))

    @property
    def changes(self) -> bool:
        """Does it change what it is given? Then it returns what that is afterwards, and its callers put it there."""
        result = self.result
        return bool(self.overwrites or (result is not None and (result.containers or result.variables)))

    @property
    def active(self) -> list[int]:
        """The positions of the run-time parameters that carry derivatives."""
        return [i for i, p in enumerate(self.passed) if p.varied and not isinstance(p.kind, ListOf)]

    @property
    def active_lists(self) -> list[int]:
        """The positions of the run-time parameters that are lists of what carries derivatives."""
        return [i for i, p in enumerate(self.passed) if p.varied and isinstance(p.kind, ListOf)]

    def called(self) -> set[CoreFunction]:
        """The core functions that it calls."""
        return functions_in(self.core.body) if self.core is not None else set()


def functions_in(body: list[Any], bases: bool = False) -> set[CoreFunction]:
    """The core functions that statements call. `bases`: also those that keep what their backward sweep reads."""
    found = set()
    for statement in body:
        for node in walk(statement):
            function = getattr(node, "function", None) if isinstance(node, gast.Call) else None
            if bases and isinstance(function, Routine) and not hasattr(node, "reverses"):
                function = function.base
            if isinstance(function, CoreFunction):
                found.add(function)
    return found


def called_once(body: list[Any]) -> set[int]:
    """The trees of kept functions of which each is called in one place only: with other known values in each call."""
    calls: dict[CoreFunction, int] = {}
    todo, seen = [body], set[CoreFunction]()
    while todo:
        nodes = [n for statement in todo.pop() for n in walk(statement) if isinstance(n, gast.Call)]
        for function in (f for n in nodes if isinstance(f := getattr(n, "function", None), CoreFunction)):
            calls[function] = calls.get(function, 0) + 1
            if function not in seen and function.core is not None:
                seen.add(function)
                todo.append(function.core.body)
    kept = {f: n for f, n in calls.items() if f.kept}
    return {id(f.source.tree) for f in kept} - {id(f.source.tree) for f, n in kept.items() if n > 1}


@dataclass(eq=False)
class Refused:
    """A core function that was refused: lowered with the same, it would be again."""

    function: CoreFunction
    depends_on: Any
    error: DerivationError


@dataclass(eq=False)
class Routine:
    """A derivative of a core function, as a call of it is understood."""

    base: CoreFunction
    effect: str = "none"
    shares: bool = False
    #: it puts what it is given on tapes
    stows: bool = True


@dataclass
class Program:
    """The core functions of one derivation.

    `policy` says what happens to a recursion whose end depends on run-time values: "follow" it; "sizes": follow it
    where it does not help to know lengths and ints, else refuse (the caller comes back with those); "refuse".
    """

    policy: str = "follow"
    #: trees of the functions that are core functions
    recursive: set[int] = field(default_factory=set)
    functions: list[CoreFunction] = field(default_factory=list)
    stack: list[CoreFunction] = field(default_factory=list)
    #: names of the functions of the generated module
    names: set[str] = field(default_factory=set)
    sources: dict[Any, Any] = field(default_factory=dict)
    #: what was derived for the derivatives that are called: the same function in each lowering
    derivatives: dict[Any, Any] = field(default_factory=dict)
    #: is it only looked at for the kinds of what calls return?
    trial: bool = False
    #: the functions that could be written out, and are kept
    keeping: Keeping = field(default_factory=Keeping)
    #: are loops over few items that are known one by one written out, whatever their size?
    turns_apart: bool = False
    #: has such a loop stayed a loop?
    loops_kept: bool = False
    #: what the functions would be called if nothing else were called that
    stems: dict[str, str] = field(default_factory=dict)
    #: of a function and a structure of arguments: the known ints that are handed over when it runs, and those that
    #: decide what it does
    handed_over: dict[Any, frozenset[int]] = field(default_factory=dict)
    decisive: set[Any] = field(default_factory=set)
    #: the functions of the lowerings before, which kept others: the last ones first
    before: list[CoreFunction] = field(default_factory=list)
    #: functions that were refused, with what that depends on
    refused: list[Refused] = field(default_factory=list)

    def for_trial(self) -> Program:
        """A program for a call that is tried: what is made in it is forgotten."""
        if self.trial:
            return self
        names, never = set(self.names), Keeping("never")
        known = self.sources, self.derivatives
        made = Program("follow", set(self.recursive), [], [], names, *known, True, never, self.turns_apart)
        made.refused = self.refused
        return made

    def again(self) -> Program:
        """A program for another lowering, with other functions kept."""
        made = Program(self.policy, set(self.recursive), keeping=self.keeping)
        made.sources, made.derivatives = self.sources, self.derivatives
        made.turns_apart, made.loops_kept = self.turns_apart, self.loops_kept
        made.handed_over, made.decisive, made.refused = self.handed_over, self.decisive, self.refused
        made.before = [*self.functions, *self.before]
        return made

    def decisions_for(self, tree: Any, shape: Any) -> Decisions:
        """What is known of a function that is to be lowered: what was learnt about lists in lowerings before."""
        same = (f for f in self.before if f.source.tree is tree and f.form == shape)
        found = next(same, None)
        return found.decisions.after() if found is not None else Decisions()

    def depends_on(self, function: CoreFunction) -> Any:
        """What the lowering of a function depends on, to compare."""
        around = [(f, f.summary()) for f in self.stack]
        policy = (self.policy, self.trial, self.turns_apart, set(self.recursive), self.keeping.policy)
        given = (function.form, shape_of(function.parameters), set(function.overwrites))
        return id(function.source.tree), given, policy, set(self.keeping.kept), around, function.decisions.known()

    def name(self, stem: str, facts: Any = None, own: Any = None) -> str:
        """A name for a function that no function of the module uses for anything else."""
        stem = stem if stem.isidentifier() else "f"
        used = set(self.names)
        for other in [facts, *(f.core.facts for f in self.functions if f.core is not None)]:
            if other is not None:
                used |= {n for n in other.taken if own is None or other.globals.get(n) is not own}
        name, k = stem, 0
        while name in used:
            k += 1
            name = f"{stem}_{k}"
        self.names.add(name)
        self.stems[name] = stem
        return name

    def bind(self, facts: Any) -> None:
        """Make the names of the functions known in a function that is about to be lowered."""
        facts.taken.update(self.names)
        for f in self.functions:
            if f.own is not None:
                facts.globals[f.name] = f.own


@contextlib.contextmanager
def noting_loops(program: Program) -> Iterator[None]:
    """Let an error say whether loops were kept that might have been written out: then another try may help."""
    try:
        yield
    except DerivationError as error:
        error.loops_kept = error.loops_kept or program.loops_kept
        raise


@dataclass
class Learnt:
    """What the lowerings of one tree have learnt by now."""

    program: Program | None = None
    decisions: Decisions = field(default_factory=Decisions)
