"""What a statement or expression reads, binds, stores through, and whether it does anything else.

An `Effect` says it for one statement, without the blocks nested in it. `Effects` remembers them by identity: passes
never change a statement in place, they build new ones, so what was found out stays true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import gast

from s2sad.analysis.calls import Calls
from s2sad.analysis.known_calls import SELF
from s2sad.core import Expr, Facts, Stmt, blocks_of, text, walk, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Object, Static, Text, Tuple, Unknown
from s2sad.kinds.kind import Callable as CallableKind

#: stands for all the memory that unknown code can reach
WORLD = "?"
_SHAPE_ATTRIBUTES = frozenset(("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides"))
_VIEW_ATTRIBUTES = frozenset(("T", "real", "imag", "mT", "flat"))
_CONTAINERS = (List, ListOf, Tuple, Dict, Object)
_NO_MEMORY = (Number, Static, CallableKind)
_NEW_MEMORY = frozenset((gast.Constant, gast.Compare, gast.UnaryOp, gast.Slice, gast.JoinedStr, gast.Lambda))
NOTHING: frozenset[str] = frozenset()


class Effect:
    """What one statement does, nested blocks left out.

    reads     name -> how often it is loaded (a use inside a comprehension or lambda counts twice)
    contents  names whose memory is read (a view of A or A.shape reads A, but not its memory)
    binds     names assigned
    stores    names whose memory is stored through
    deep_stores  names through which memory is stored that they reach (d["k"][0] = x: what d holds)
    defines   (name, names whose memory it may now share) for each name assigned
    copy      the value is a plain name: the target is the same object
    keeps     (containers, names whose memory is put into them, also into what the containers hold?)
    captured  names that a lambda or nested function holds on to, and names bound in inner scopes
    own       it must be kept, in order: prints, raises, unknown calls
    unknown   it runs code that may touch whatever it can reach
    effects   the number of calls in it with an effect of any kind
    jump      return, break or continue
    check     an expression that nobody reads, and that does nothing: it stands there because it may raise
    """

    __slots__ = (
        "binds",
        "captured",
        "check",
        "contents",
        "copy",
        "deep_stores",
        "defines",
        "effects",
        "jump",
        "keeps",
        "last",
        "own",
        "reads",
        "stores",
        "unknown",
        "walrus",
    )

    def __init__(self) -> None:
        self.reads: dict[str, int] = {}
        self.contents: set[str] = set()
        self.binds: set[str] = set()
        self.stores: set[str] = set()
        self.defines: list[tuple[str, frozenset[str]]] = []
        self.copy = False
        self.deep_stores: set[str] = set()
        self.keeps: list[tuple[frozenset[str], frozenset[str], bool]] = []
        self.captured: set[str] = set()
        self.own = False
        self.unknown = False
        self.effects = 0
        self.last = True  # the only effect is the outermost call, after everything else is evaluated
        self.jump = False
        self.walrus = False
        self.check = False

    @property
    def pure(self) -> bool:
        """Nothing happens beyond binding names."""
        return not (self.own or self.stores or self.deep_stores or self.jump)


class _Own(dict[str, frozenset[str]]):
    """Of a name: itself alone when its value has memory, else nothing."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self.kinds = kinds

    def __missing__(self, name: str) -> frozenset[str]:
        found = self[name] = NOTHING if isinstance(self.kinds.get(name), _NO_MEMORY) else frozenset((name,))
        return found


class Effects:
    """The effects of statements and the memory that expressions share, for one function."""

    def __init__(self, facts: Facts, parts: bool = False) -> None:
        """Args:
        facts: what is known of the names.
        parts: tell the parts of arguments (p[0], q.a) that have kinds of their own apart: what is made of one shares
            the memory of "p[0]" then, not that of "p"; and what is made of "p" that of all its parts.
        """
        self.parts: dict[str, set[str]] = {}
        for key in facts.kinds if parts else ():
            if not key.isidentifier():
                self.parts.setdefault(key.split("[")[0].split(".")[0], set()).add(key)
        self.facts = facts
        self.own = _Own(facts.kinds)
        self.kinds = facts.kinds
        self.calls = Calls(facts)
        self._statements: dict[int, tuple[Stmt, Effect]] = {}
        self._nested: dict[int, tuple[Stmt, list[Effect]]] = {}
        self._expressions: dict[int, tuple[Expr, Effect]] = {}
        #: what other analyses found out of the statements that they saw last (`analysis.scope.scope_of`)
        self.latest: dict[Any, Any] = {}

    def parts_of(self, name: str) -> Collection[str]:
        """The parts of an argument that are told apart."""
        return self.parts.get(name, ())

    def of(self, statement: Stmt) -> Effect:
        """The effect of a statement (of its header, for a compound one)."""
        found = self._statements.get(id(statement))
        if found is not None:
            return found[1]
        effect = Effect()
        _Reader(self, effect).statement(statement)
        if getattr(statement, "rebinds", None) is not None:
            effect.own = True  # it may have overwritten an array: kept until that has been looked at
        self._statements[id(statement)] = statement, effect
        return effect

    def within(self, statement: Stmt) -> list[Effect]:
        """The effects of a statement and of all that are nested in it, in textual order."""
        found = self._nested.get(id(statement))
        if found is None:
            found = self._nested[id(statement)] = statement, [self.of(s) for s in nested(statement)]
        return found[1]

    def of_expression(self, expression: Expr) -> Effect:
        """The effect of evaluating an expression for its value."""
        found = self._expressions.get(id(expression))
        if found is not None:
            return found[1]
        effect = Effect()
        _Reader(self, effect).expression(expression, True)
        self._expressions[id(expression)] = expression, effect
        return effect

    def forget(self) -> None:
        """Kinds of names have changed: what was found out may not be true any more."""
        self.own.clear()
        self._statements.clear()
        self._nested.clear()
        self._expressions.clear()
        self.latest.clear()

    def has_memory(self, name: str) -> bool:
        """May the value of the name be changed through another name?"""
        return bool(self.own[name])

    def is_array(self, name: str) -> bool:
        """Is the name known to be an array of numbers?"""
        kind = self.kinds.get(name)
        return isinstance(kind, Array) and kind.dtype != object

    def shares(self, node: Expr) -> frozenset[str]:
        """The names whose memory the value of an expression may share; WORLD where unknown code made it."""
        cls = type(node)
        if cls is gast.Name and not self.parts:
            return self.own[node.id]
        if cls in _NEW_MEMORY:
            return NOTHING
        own = self.own
        found = [n for n in self._shares(node) if n == WORLD or own[n]]
        return frozenset(found) if found else NOTHING

    def _shares(self, node: Expr) -> set[str]:
        cls = type(node)
        if cls is gast.Name:
            return {node.id} | self.parts.get(node.id, set()) if self.parts else {node.id}
        if cls is gast.Constant or cls is gast.Compare or cls is gast.UnaryOp or cls is gast.Slice:
            return set()
        if self.parts and cls in (gast.Subscript, gast.Attribute) and (key := text(node)) in self.kinds:
            return {key}
        if cls is gast.Subscript:
            return self._shares(node.value) if self._may_be_view(node) else set()
        if cls is gast.Attribute:
            if node.attr in _SHAPE_ATTRIBUTES:
                return set()
            if type(node.value) is gast.Name and self.calls.is_module(node.value.id):
                return {WORLD}  # a module's own value
            if isinstance(infer(node, self.facts), (Number, Text, Static)):
                return set()  # a setting, say: `method=self.config.method`
            return self._shares(node.value)
        if cls is gast.BinOp:
            return self._shares_concatenation(node)
        if cls is gast.Call:
            return self._shares_call(node)
        if cls is gast.IfExp:
            return self._shares(node.body) | self._shares(node.orelse)
        if cls is gast.JoinedStr:
            return set()
        if cls is gast.Lambda:
            return set()
        result: set[str] = set()
        for child in gast.iter_child_nodes(node):
            if isinstance(child, gast.expr):
                result |= self._shares(child)
            elif isinstance(child, gast.comprehension):
                result |= self._shares(child.iter)
        return result

    def _may_be_view(self, node: Expr) -> bool:
        """False when a subscript is known to copy or to give a number."""
        if type(node.value) is not gast.Name:
            return True
        kind = self.kinds.get(node.value.id)
        if not isinstance(kind, Array):
            return True
        indices = node.slice.elts if type(node.slice) is gast.Tuple else [node.slice]
        for index in indices:
            if type(index) is gast.Name and isinstance(self.kinds.get(index.id), Array):
                return False  # an index array or a mask copies
        if kind.shape is not None and len(indices) >= len(kind.shape):  # an element
            return not all(self._is_integer(i) for i in indices)
        return True

    def _is_integer(self, node: Expr) -> bool:
        if type(node) is gast.Constant:
            return type(node.value) is int
        if type(node) is gast.Name:
            kind = self.kinds.get(node.id)
            return isinstance(kind, Number) or (isinstance(kind, Static) and type(kind.value) is int)
        if type(node) is gast.BinOp:
            return self._is_integer(node.left) and self._is_integer(node.right)
        return type(node) is gast.UnaryOp and self._is_integer(node.operand)

    def _shares_concatenation(self, node: Expr) -> set[str]:
        # arithmetic makes new memory; a joined list holds the parts of both
        if type(node.op) not in (gast.Add, gast.Mult, gast.BitOr):
            return set()
        if self._is_container(node.left) or self._is_container(node.right):
            return self._shares(node.left) | self._shares(node.right)
        return set()

    def _is_container(self, node: Expr) -> bool:
        """Is it a list or the like, by its form or by the kinds of what it may share?"""
        cls = type(node)
        if cls in (gast.List, gast.Tuple, gast.Dict, gast.ListComp, gast.Set):
            return True
        if cls is gast.Name:
            return isinstance(self.kinds.get(node.id), _CONTAINERS)
        if cls is gast.BinOp:
            return self._is_container(node.left) or self._is_container(node.right)
        if cls in (gast.Subscript, gast.Call, gast.Attribute, gast.IfExp):
            return any(isinstance(self.kinds.get(n), _CONTAINERS) for n in self._shares(node))
        return False

    def _copies_fully(self, receiver: Expr) -> bool:
        """Does .copy() of it copy all its memory (an array), not just a list of parts?"""
        if type(receiver) is gast.BinOp:
            return not self._is_container(receiver)
        return all(isinstance(self.kinds.get(n), Array | Number | Unknown) for n in self._shares(receiver))

    def _shares_call(self, node: Expr) -> set[str]:
        if getattr(node, "new", False):  # a function of the user's, looked at already
            return set()
        info, is_method = self.calls.of(node)
        receiver = node.func.value if is_method and type(node.func) is gast.Attribute else None
        result: set[str] = set()
        for keyword in node.keywords:
            if keyword.arg == "out":
                result |= self._shares(keyword.value)
        if info.effect == "unknown":
            result.add(WORLD)
        if info.shares == "nothing":
            if receiver is not None and node.func.attr == "copy" and not self._copies_fully(receiver):
                result |= self._shares(receiver)  # a copied list shares its parts
            return result
        if receiver is not None:
            result |= self._shares(receiver)
        if info.shares == "first" and receiver is None and node.args:
            result |= self._shares(node.args[0])
        if info.shares == "all" or (info.keeps and info.shares == "first"):
            for argument in node.args:
                result |= self._shares(argument.value if type(argument) is gast.Starred else argument)
        if info.shares == "all" or (receiver is None and not node.args):
            for keyword in node.keywords:
                result |= self._shares(keyword.value)
        return result


class _Reader:
    """Fills in an Effect from a tree."""

    __slots__ = ("depth", "e", "outermost", "owner")

    def __init__(self, owner: Effects, effect: Effect) -> None:
        self.owner = owner
        self.e = effect
        self.depth = 1
        self.outermost: Expr | None = None

    # -- statements

    def statement(self, node: Stmt) -> None:
        handler = _STATEMENTS.get(type(node))
        if handler is None:
            self.e.own = True
            self.expression_children(node)
        else:
            handler(self, node)

    def assign(self, node: Stmt) -> None:
        self.outermost = node.value
        # a store into memory reads what it copies; an assignment to a name need not
        self.expression(node.value, any(type(t) not in (gast.Name, gast.Tuple) for t in node.targets))
        self.e.copy = type(node.value) is gast.Name and all(type(t) is gast.Name for t in node.targets)
        for target in node.targets:
            self.target(target, node.value)
        if len(node.targets) > 1:
            self.tie()

    def tie(self) -> None:
        """Several names were given one value: they share its memory."""
        defines = self.e.defines
        names = [name for name, _ in defines if self.owner.has_memory(name)]
        self.e.defines = [
            (name, shared if k == 0 else shared | set(names[:1]) - {name}) for k, (name, shared) in enumerate(defines)
        ]
        self.e.copy = False

    def ann_assign(self, node: Stmt) -> None:
        if node.value is None:
            self.e.own = True  # a bare annotation makes a name local
            return
        self.outermost = node.value
        self.expression(node.value, False)
        self.target(node.target, node.value)

    def aug_assign(self, node: Stmt) -> None:
        e, target = self.e, node.target
        self.outermost = node.value
        self.expression(node.value, True)
        if type(target) is gast.Name:
            name = target.id
            e.reads[name] = e.reads.get(name, 0) + 1
            e.binds.add(name)
            shared = self.owner.own[name]
            e.defines.append((name, shared))
            e.copy = True
            if shared:
                e.contents.add(name)
                e.stores.add(name)
                if not self.owner.is_array(name):  # list += list keeps the parts
                    e.keeps.append((shared, self.owner.shares(node.value), False))
            return
        self.store_target(target, node.value)
        e.contents |= self.bases(target)
        if not (type(target.value) is gast.Name and self.owner.is_array(target.value.id)):
            e.deep_stores |= self.bases(target)  # d[k] += b changes what is there, where that is a list or an array

    def target(self, target: Expr, value: Expr) -> None:
        cls = type(target)
        if cls is gast.Name:
            self.e.binds.add(target.id)
            self.e.defines.append((target.id, self.owner.shares(value)))
        elif cls is gast.Tuple or cls is gast.List:
            parts = value.elts if type(value) is gast.Tuple and len(value.elts) == len(target.elts) else None
            if parts is not None and any(type(p) is gast.Starred for p in [*parts, *target.elts]):
                parts = None
            for k, item in enumerate(target.elts):
                self.target(item.value if type(item) is gast.Starred else item, parts[k] if parts else value)
            if parts is None:  # unpacking reads the container
                self.e.contents |= {n for n in self.owner.shares(value) if n != WORLD}
                if type(value) is not gast.Call or self.owner.calls.of(value)[0].shares != "nothing":
                    self.tie()  # [z] * 2
        else:
            self.store_target(target, value)

    def bases(self, target: Expr) -> frozenset[str]:
        return self.owner.shares(target.value) - {WORLD}

    def store_target(self, target: Expr, value: Expr) -> None:
        """A[i] = value or A.x = value: A is read (not its memory) and stored through."""
        e = self.e
        if type(target.value) is gast.Name:
            name = target.value.id
            e.reads[name] = e.reads.get(name, 0) + 1
        else:
            self.expression(target.value, False)
        if type(target) is gast.Subscript:
            self.expression(target.slice, True)
        bases = self.owner.shares(target.value)
        if WORLD in bases or not bases:
            # memory that some call handed out: nothing is known of it
            e.own = True
            if WORLD in bases:
                e.unknown = True
        deep = type(target.value) is not gast.Name
        if deep:
            e.deep_stores |= bases - {WORLD}
        else:
            e.stores |= bases
        if not all(self.owner.is_array(b) for b in bases):
            kept = self.owner.shares(value)
            if kept:
                e.keeps.append((bases, kept, deep))

    def for_(self, node: Stmt) -> None:
        self.expression(node.iter, True)
        self.target(node.target, node.iter)

    def test(self, node: Stmt) -> None:
        self.expression(node.test, True)

    def expr(self, node: Stmt) -> None:
        self.outermost = node.value
        self.expression(node.value, True)
        self.e.check = self.e.pure and not self.e.walrus and type(node.value) is not gast.Constant

    def return_(self, node: Stmt) -> None:
        self.e.jump = True
        if node.value is not None:
            self.expression(node.value, True)
            self.e.contents |= {n for n in self.owner.shares(node.value) if n != WORLD}

    def jump(self, node: Stmt) -> None:
        self.e.jump = True

    def nothing(self, node: Stmt) -> None:
        pass

    def kept(self, node: Stmt) -> None:
        """assert, raise, del: stay where they are."""
        self.e.own = True
        self.expression_children(node)

    def import_(self, node: Stmt) -> None:
        self.e.own = True
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.e.binds.add(name)
            self.e.defines.append((name, frozenset((WORLD,))))
            self.e.captured.add(name)

    def scope(self, node: Stmt) -> None:
        """A nested function or class: what it mentions is out of our hands."""
        e = self.e
        e.binds.add(node.name)
        names = _all_names(node)
        e.captured |= names
        e.captured.add(node.name)
        for name in names:
            e.reads[name] = e.reads.get(name, 0) + 2
        e.contents |= names
        e.deep_stores |= {n for n in names if n in self.owner.kinds and self.owner.has_memory(n)}
        e.defines.append((node.name, frozenset((WORLD,))))
        e.own = e.unknown = True

    def global_(self, node: Stmt) -> None:
        self.e.own = True
        self.e.captured |= set(node.names)

    def with_(self, node: Stmt) -> None:
        self.e.own = True
        for item in node.items:
            self.expression(item.context_expr, True)
            if item.optional_vars is not None:
                self.target(item.optional_vars, item.context_expr)

    def try_(self, node: Stmt) -> None:
        for handler in node.handlers:
            if handler.type is not None:
                self.expression(handler.type, True)
            if handler.name is not None:
                self.e.captured.add(handler.name.id)

    def match(self, node: Stmt) -> None:
        self.expression(node.subject, True)
        for case in node.cases:
            if case.guard is not None:
                self.expression(case.guard, True)
            for name in _pattern_names(case.pattern):
                self.e.captured.add(name)
                self.e.defines.append((name, self.owner.shares(node.subject)))
            self.expression_children(case.pattern)

    # -- expressions

    def expression(self, node: Expr, contents: bool) -> None:
        cls = type(node)
        e = self.e
        if cls is gast.Name:
            name = node.id
            if type(node.ctx) is gast.Load:
                e.reads[name] = e.reads.get(name, 0) + self.depth
                if contents:
                    e.contents.add(name)
            else:  # del x
                e.binds.add(name)
            return
        if cls is gast.Constant:
            return
        if cls is gast.BinOp:
            self.expression(node.left, True)
            self.expression(node.right, True)
            return
        handler = _EXPRESSIONS.get(cls)
        if handler is not None:
            handler(self, node, contents)
        else:
            self.expression_children(node)

    def expression_children(self, node: Any) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, gast.AST):
                self.expression(value, True)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        self.expression(item, True)

    def attribute(self, node: Expr, contents: bool) -> None:
        if node.attr in _SHAPE_ATTRIBUTES:
            self.expression(node.value, False)
        elif node.attr in _VIEW_ATTRIBUTES:
            self.expression(node.value, contents)
        else:
            self.expression(node.value, True)

    def subscript(self, node: Expr, contents: bool) -> None:
        if not contents:
            contents = not self._certain_view(node)
        self.expression(node.value, contents)
        self.expression(node.slice, True)
        if getattr(node, "makes_item", False):  # of a defaultdict
            self.effect(node)
            bases = self.owner.shares(node.value) - {WORLD}
            self.e.contents |= bases
            self.e.stores |= bases

    def _certain_view(self, node: Expr) -> bool:
        if not (type(node.value) is gast.Name and self.owner.is_array(node.value.id)):
            return False
        indices = node.slice.elts if type(node.slice) is gast.Tuple else [node.slice]
        sliced = False
        for index in indices:
            if type(index) is gast.Slice or (type(index) is gast.Constant and index.value in (..., None)):
                sliced = True
            elif not self.owner._is_integer(index):
                return False
        return sliced

    def display(self, node: Expr, contents: bool) -> None:
        for item in node.elts:
            self.expression(item, contents)

    def dict_(self, node: Expr, contents: bool) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self.expression(key, True)
            self.expression(value, contents and key is not None)

    def if_exp(self, node: Expr, contents: bool) -> None:
        self.expression(node.test, True)
        self.expression(node.body, contents)
        self.expression(node.orelse, contents)

    def named(self, node: Expr, contents: bool) -> None:
        self.e.walrus = True
        self.expression(node.value, True)
        self.e.binds.add(node.target.id)
        self.e.defines.append((node.target.id, self.owner.shares(node.value)))

    def comprehension(self, node: Expr, contents: bool) -> None:
        names: set[str] = set()
        for generator in node.generators:
            names |= _all_names(generator.target)
        self.e.captured |= names
        for name in names:
            self.e.defines.append((name, self.owner.shares(node)))
        depth = self.depth
        for k, generator in enumerate(node.generators):
            self.expression(generator.iter, True)
            if k == 0:
                self.depth = 2
            for condition in generator.ifs:
                self.expression(condition, True)
        if type(node) is gast.DictComp:
            self.expression(node.key, True)
            self.expression(node.value, True)
        else:
            self.expression(node.elt, True)
        self.depth = depth

    def lambda_(self, node: Expr, contents: bool) -> None:
        names = _all_names(node)
        self.e.captured |= names
        for name in names:
            self.e.reads[name] = self.e.reads.get(name, 0) + 2
        self.e.contents |= names

    def impure(self, node: Expr, contents: bool) -> None:
        self.e.own = self.e.unknown = True
        self.e.effects += 1
        self.e.last = False
        self.expression_children(node)

    def call(self, node: Expr, contents: bool) -> None:
        e = self.e
        info, is_method = self.owner.calls.of(node)
        receiver = None
        if is_method and type(node.func) is gast.Attribute:
            receiver = node.func.value
            self.expression(receiver, info.looks if info.shares == "nothing" or info.looks else contents)
        elif type(node.func) is gast.Name:
            name = node.func.id
            e.reads[name] = e.reads.get(name, 0) + self.depth
        else:
            self.expression(node.func, True)
        look = info.looks or receiver is not None
        if not look and info.shares == "first":
            look = contents
        if not look and node.args and type(node.args[0]) in (gast.Name, gast.IfExp, gast.BoolOp):
            look = any(not self.owner.is_array(n.id) for n in walk_names(node.args[0]))
            # (the length of a list is part of its contents)
        for argument in node.args:
            if type(argument) is gast.Starred:
                self.expression(argument.value, True)
            else:
                self.expression(argument, look and not info.keeps)
            look = True
        for keyword in node.keywords:
            if not (keyword.arg == "out" and type(keyword.value) is gast.Name):
                self.expression(keyword.value, True)
            if keyword.arg == "out":
                if type(keyword.value) is gast.Name:
                    name = keyword.value.id
                    e.reads[name] = e.reads.get(name, 0) + self.depth
                self.effect(node)
                e.deep_stores |= self.owner.shares(keyword.value) - {WORLD}
        if info.effect != "none":
            self.effect(node)
            e.own = True
            if info.effect == "unknown":
                e.unknown = True
                handed: set[str] = set()
                for item in [receiver, *node.args, *(k.value for k in node.keywords)]:
                    if item is not None:
                        handed |= self.owner._shares(item.value if type(item) is gast.Starred else item)
                handed = {n for n in handed if n != WORLD and self.owner.has_memory(n)}
                e.contents |= handed
                e.deep_stores |= handed
                e.keeps.append((frozenset((WORLD,)), frozenset(handed), False))
                holders = frozenset(n for n in handed if not self.owner.is_array(n))
                if holders:
                    e.keeps.append((holders, frozenset((WORLD,)), True))
        if info.writes:
            self.effect(node)
            for position in info.writes:
                item = receiver if position == SELF else node.args[position] if position < len(node.args) else None
                if item is None and position != SELF:
                    e.own = e.unknown = True  # handed over by keyword: cannot tell
                    continue
                shared = self.owner.shares(item)
                if WORLD in shared or not shared:
                    e.own = True
                    e.unknown = e.unknown or WORLD in shared
                deep = type(item) is not gast.Name
                if deep:
                    e.deep_stores |= shared - {WORLD}
                else:
                    e.stores |= shared
                if info.looks:
                    e.contents |= shared - {WORLD}
                if info.keeps or info.stows:
                    kept: frozenset[str] = frozenset()
                    for argument in [*node.args, *(k.value for k in node.keywords)]:
                        kept |= self.owner.shares(argument)
                    if kept and not all(self.owner.is_array(s) for s in shared):
                        e.keeps.append((shared, kept, deep))

    def effect(self, node: Expr) -> None:
        self.e.effects += 1
        if node is not self.outermost:
            self.e.last = False


def _all_names(node: Any) -> set[str]:
    return {n.id for n in walk(node) if type(n) is gast.Name}


def _pattern_names(pattern: Any) -> set[str]:
    names: set[str] = set()
    for node in walk(pattern):
        for attribute in ("name", "rest"):
            value = getattr(node, attribute, None)
            if isinstance(value, str):
                names.add(value)
    return names


_STATEMENTS: dict[type, Callable[[_Reader, Stmt], None]] = {
    gast.Assign: _Reader.assign,
    gast.AnnAssign: _Reader.ann_assign,
    gast.AugAssign: _Reader.aug_assign,
    gast.For: _Reader.for_,
    gast.While: _Reader.test,
    gast.If: _Reader.test,
    gast.Expr: _Reader.expr,
    gast.Return: _Reader.return_,
    gast.Break: _Reader.jump,
    gast.Continue: _Reader.jump,
    gast.Pass: _Reader.nothing,
    gast.Import: _Reader.import_,
    gast.ImportFrom: _Reader.import_,
    gast.FunctionDef: _Reader.scope,
    gast.ClassDef: _Reader.scope,
    gast.Global: _Reader.global_,
    gast.Nonlocal: _Reader.global_,
    gast.With: _Reader.with_,
    gast.Try: _Reader.try_,
    gast.Match: _Reader.match,
    gast.Assert: _Reader.kept,
    gast.Raise: _Reader.kept,
    gast.Delete: _Reader.kept,
}

_EXPRESSIONS: dict[type, Callable[[_Reader, Expr, bool], None]] = {
    gast.Attribute: _Reader.attribute,
    gast.Subscript: _Reader.subscript,
    gast.Tuple: _Reader.display,
    gast.List: _Reader.display,
    gast.Dict: _Reader.dict_,
    gast.IfExp: _Reader.if_exp,
    gast.NamedExpr: _Reader.named,
    gast.ListComp: _Reader.comprehension,
    gast.SetComp: _Reader.comprehension,
    gast.GeneratorExp: _Reader.comprehension,
    gast.DictComp: _Reader.comprehension,
    gast.Lambda: _Reader.lambda_,
    gast.Yield: _Reader.impure,
    gast.YieldFrom: _Reader.impure,
    gast.Await: _Reader.impure,
    gast.Call: _Reader.call,
}


def nested(statement: Stmt) -> list[Stmt]:
    """The statement and all statements nested in it, in textual order (not those of nested functions)."""
    result: list[Stmt] = []
    todo = [statement]
    while todo:
        s = todo.pop()
        result.append(s)
        if type(s) not in (gast.FunctionDef, gast.ClassDef) and (blocks := blocks_of(s)):
            todo += [inner for block in blocks for inner in block][::-1]
    return result
