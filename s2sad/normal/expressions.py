"""Expressions: what is active becomes one operation a statement, everything else stays as the user wrote it."""

from __future__ import annotations

import collections
import dataclasses
import difflib
import enum
import inspect
import operator
import sys
import types
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.quiet import restless_in, restless_method
from s2sad.core import Expr, assign, atom_key, clone, load, quote, reads_any, text, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed
from s2sad.kinds.bind import is_plain_class
from s2sad.kinds.kind import (
    Array,
    Dim,
    Kind,
    ListOf,
    Nothing,
    Number,
    Object,
    PlaceLists,
    Places,
    Static,
    Text,
    Unknown,
)
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of
from s2sad.kinds.labelled import is_labelled
from s2sad.kinds.pure import is_distribution
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.knowledge.names import public_name
from s2sad.normal import library
from s2sad.normal.base import (
    OUTER,
    PUTS_IN,
    STALE,
    Attempt,
    Frame,
    Restart,
    alternatives,
    descriptor_method,
    has_own_operators,
    is_callable,
    is_function,
    is_list_of_the_run,
    is_ruled,
    is_set,
    is_standard,
    join_kinds,
    may_be_functions,
    timeless,
    tuple_of,
)
from s2sad.normal.functions import Diverges, NotYet, Raises
from s2sad.normal.jumps import once_for
from s2sad.normal.tables import CHANGES_KEYS, Group, Groups, Table, holds_places, items_of
from s2sad.normal.values import (
    NOT_KNOWN,
    NUMBER_WITHIN,
    Choice,
    Closure,
    Conflict,
    DictObj,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    State,
    Super,
    Tup,
    Unbound,
    Value,
    contents,
    is_it,
    is_known_a,
    is_none,
)
from s2sad.normal.watch import Watching
from s2sad.runtime.conditions import Scope, is_inert, is_scalar
from s2sad.runtime.decide import Look, Seen, decide, read_in_the_run
from s2sad.runtime.guards import is_own
from s2sad.runtime.identity import class_entry
from s2sad.uncovered import INSTEAD, reason_of

BINARY: dict[type, Any] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
    gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}
BINARY_METHOD = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitAnd: "and",
    gast.BitOr: "or",
    gast.BitXor: "xor",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
}
UNARY_METHOD: dict[type, str] = {gast.USub: "__neg__", gast.UAdd: "__pos__", gast.Invert: "__invert__"}
UNARY: dict[type, Any] = {
    gast.USub: operator.neg,
    gast.UAdd: operator.pos,
    gast.Invert: operator.invert,
    gast.Not: operator.not_,
}
#: what takes the elements of an array in an order
_IN_ORDER: set[Any] = {np.ravel, np.reshape, np.ndarray.ravel, np.ndarray.reshape, np.ndarray.flatten}
COMPARE: dict[type, Any] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Is: operator.is_,
    gast.IsNot: operator.is_not,
    gast.In: lambda a, b: a in b,
    gast.NotIn: lambda a, b: a not in b,
}
#: the methods behind comparisons: of the left operand, and of the right one where the left has none
COMPARE_METHOD: dict[type, str] = {
    gast.Eq: "__eq__",
    gast.NotEq: "__ne__",
    gast.Lt: "__lt__",
    gast.Gt: "__gt__",
    gast.LtE: "__le__",
    gast.GtE: "__ge__",
}
MIRRORED_METHOD: dict[type, str] = {
    gast.Eq: "__eq__",
    gast.NotEq: "__ne__",
    gast.Lt: "__gt__",
    gast.Gt: "__lt__",
    gast.LtE: "__ge__",
    gast.GtE: "__le__",
}
_NO = object()
#: items of a dict up to this number are told apart by branches, where the key is known when the program runs only
LARGEST_CHOICE = 8
_FLAGS = type(np.empty(0).flags)


def static(value: Value) -> Any:
    """The Python object that a value is known to be, looked at, or _NO.

    _NO, too, where the class of an object says itself what it is equal to, say: code of the user's is not run here.
    """
    if isinstance(value, Known):
        return value.value if value.is_inert else _NO
    if isinstance(value, Leaf):
        if value.const is not NOT_KNOWN:
            return value.number
        if isinstance(value.kind, Static):
            return value.kind.value
        if isinstance(value.kind, Number) and value.kind.value is not None and value.kind.value.known:
            return value.kind.value.const
    if isinstance(value, Tup):
        items = [static(v) for v in value.items]
        return _NO if any(v is _NO for v in items) else tuple(items)
    return _NO


def discrete(value: Value) -> Any:
    """What `static` says, but for floats that may be others at the next call: these are not looked at."""
    return _NO if isinstance(value, Leaf) and isinstance(value.const, Seen) else static(value)


def itself(value: Value) -> Any:
    """The Python object that a value is known to be, of which nothing but its identity is looked at, or _NO."""
    return value.itself if isinstance(value, Known) else static(value)


def _leaves_of(kind: Kind) -> list[Kind]:
    """The kinds of the items of a nest of lists and tuples."""
    if isinstance(kind, (ListKind, TupleKind)):
        return [n for item in kind.items for n in _leaves_of(item)]
    return [kind]


def _possible_classes(kind: Kind) -> tuple[type, ...]:
    """The classes that a number or an array of this kind may have at run time."""
    if isinstance(kind, Number):
        return (kind.type, np.dtype(kind.type).type) if kind.type in (bool, int, float, complex) else (kind.type,)
    return (np.ndarray,) if isinstance(kind, Array) else ()


_FROZEN = ("rv_continuous_frozen", "rv_discrete_frozen")


def library_class(value: Value) -> type | None:
    """The class of a sparse matrix that is there at run time, or None."""
    if isinstance(value, Leaf) and isinstance(value.kind, Object):
        cls: type = value.kind.cls
    elif isinstance(value, Known):
        cls = type(value.value)
    else:
        return None
    return cls if (cls.__module__ or "").startswith("scipy.sparse") else None


class Expressions(Watching):
    """Lowering of expressions. `expr` returns an abstract value and writes what has to be written before it."""

    def expr(self, node: Any) -> Value:
        outer, self.node = self.node, node
        value: Value = getattr(self, f"expr_{type(node).__name__}")(node)
        if isinstance(value, Conflict):
            self.conflict(value)
        self.node = outer
        return value

    def rows(self, node: Any) -> Value:
        """Lower something that is run through, unpacked or indexed at once: for the rows that np.unstack makes of an
        array, the array itself will do."""
        unstack = getattr(np, "unstack", None)
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute) or node.func.attr != "unstack":
            return self.expr(node)
        function = self.expr(node.func)
        one = len(node.args) == 1 and not isinstance(node.args[0], gast.Starred)
        if unstack is None or static(function) is not unstack or not one:
            return self.expr(node)
        outer, self.node = self.node, node
        value, axis = self.expr(node.args[0]), {k.arg: self.expr(k.value) for k in node.keywords}
        matrix = isinstance(value, Leaf) and isinstance(value.kind, Array) and len(value.kind.shape or ()) > 1
        if not matrix or not axis.keys() <= {"axis"}:
            value = self.call_value(function, [value], axis)
        elif axis and static(axis["axis"]) != 0:
            moved = self.expr(gast.Attribute(node.func.value, "moveaxis", gast.Load()))
            value = self.call_value(moved, [value, *axis.values(), self.from_python(0, gast.Constant(0, None))], {})
        self.node = outer
        return value

    def passively(self, node: Any) -> Value:
        """Lower something whose result carries no derivative: nothing is taken apart."""
        self.passive += 1
        try:
            return self.expr(node)
        finally:
            self.passive -= 1

    def test(self, node: Any) -> Value:
        """Lower something whose truth alone counts: an object says itself whether it is true."""
        if isinstance(node, gast.BoolOp):
            node.truth_alone = True  # of its parts, too
        value = self.passively(node)
        if isinstance(value, Choice) and all(is_none(v) or is_function(v) for v in alternatives(value)):
            return self.compared_function(gast.IsNot, value, Known(None))  # all functions are true
        if isinstance(value, Maybe):
            there = gast.UnaryOp(gast.Not(), self.expression(value.none))
            if isinstance(value.value, Tup):
                return Leaf(there, Number(bool), nested=True) if value.value.items else Known(False)
            return Leaf(gast.BoolOp(gast.And(), [there, self.expression(value.value)]), Number(bool), nested=True)
        return value if self.instance_of(value) is None else self.own_truth(value)

    def own_truth(self, value: Value) -> Value:
        """What an object says of its truth: the object itself where it says nothing."""
        for name in ("__bool__", "__len__"):
            method = self.find_method(value, name)
            if method is not None:
                self.passive += 1
                try:
                    return self.call_value(method, [], {})
                finally:
                    self.passive -= 1
        return self.number_within(value)

    def nested(self, node: Expr, varied: bool = False, kind: Kind | None = None) -> Leaf:
        """A pure expression left as it is. Comparisons and the like are not varied even where their parts are."""
        kind = self.infer(node) if kind is None else kind
        return Leaf(node, kind, varied and is_float_kind(kind), nested=True)

    def check_order(self, array: Value) -> None:
        """Refuse the elements of an active array as they lie in memory: its derivatives may lie otherwise."""
        kind = self.kind(array)
        one = isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape is not None and len(kind.shape) < 2)
        if self.is_varied(array) and not one:
            self.refuse('with order="K" or "A" the elements come as they lie in memory', 'give order="C"')

    def operation(
        self,
        target: Any,
        build: Any,
        args: list[Value],
        kwargs: dict[str, Value] | None = None,
    ) -> Leaf:
        """One application of a primitive: `build(argument expressions, keyword expressions)` makes its node.

        Nothing varied, or a result that cannot carry a derivative: the expression stays nested. Otherwise the
        operands become atoms and the operation a statement of its own.
        """
        kwargs = kwargs or {}
        varied = any(self.is_varied(v) for v in args) or any(self.is_varied(v) for v in kwargs.values())
        if varied:
            rule = registry.lookup(target) if target is not operator.getitem else True
            varied = not getattr(rule, "zero", False)
            if varied and not self.passive:
                for value in [*args, *kwargs.values()]:
                    self.check_class(value)
                    self.check_exception(value)
                if target in _IN_ORDER and any(static(v) in ("K", "A") for v in (*args[1:], *kwargs.values())):
                    self.check_order(args[0] if args else kwargs["a"])
                atoms = [self.operand(v) for v in args]
                named = {k: self.operand(v) for k, v in kwargs.items()}
                node = build([clone(a) for a in atoms], {k: clone(v) for k, v in named.items()})
                kind = self.infer(node)
                if is_float_kind(kind):
                    if rule is None:
                        self.refuse(*self.no_rule(target))
                    leaf = self.define("t", node, kind, varied=True)
                    statement = self.block[-1]
                    statement.apply = (target, atoms, named)
                    return leaf
                return self.define("t", node, kind) if registry.has_effect(target) else Leaf(node, kind, nested=True)
        node = build([self.expression(v) for v in args], {k: self.expression(v) for k, v in kwargs.items()})
        if registry.has_effect(target) and not self.text_only:
            return self.define("t", node, self.infer(node))
        as_it_is = type(node) is gast.BinOp and len(args) == 2 and not self.shown_whole
        made = self.nested(node, varied, self.infer_binary(node, *args) if as_it_is else None)
        self.check_not_read_back(node, made.kind)
        return made

    def check_class(self, value: Value) -> None:
        """Rules are for arrays as NumPy has them: `m * x` of an np.matrix is another product."""
        cls = value.cls if isinstance(value, Known) else None
        if isinstance(value, Leaf) and isinstance(value.kind, Object):
            cls = value.kind.cls
        self.check_labels(value)
        if cls is not None and issubclass(cls, np.ndarray) and not is_plain_class(cls):
            self.refuse(f"an array of the class {cls.__name__}", "make it a plain array with np.asarray(...)")

    def check_labels(self, value: Value) -> None:
        """Refuse that a table or a series meets an active value."""
        cls = type(value.value) if isinstance(value, Known) else None
        if isinstance(value, Leaf) and isinstance(value.kind, Object):
            cls = value.kind.cls
        if cls is None or not is_labelled(cls):
            return
        expr = value.expr if isinstance(value, Leaf | Known) else None
        names = {n.id for n in walk_names(self.frame.source.tree)}
        own = expr is not None and all(n.id in names for n in walk_names(expr))
        shown = text(expr) if own else "..."
        self.refuse(
            f"what pandas and the like give goes by labels, so that no rule of an array holds where a {cls.__name__} "
            "meets an active value",
            f"make it a plain array, np.asarray({shown}), or a number, float({shown})",
        )

    def no_rule(self, target: Any) -> tuple[str, str]:
        name = getattr(target, "__name__", str(target))
        module = getattr(target, "__module__", "") or ""
        public = module.split(".")[0] in ("numpy", "scipy") or isinstance(target, np.ufunc)
        name = getattr(target, "__qualname__", name) if isinstance(target, types.FunctionType) else name
        full = public_name(target) if public else f"{module}.{name}".lstrip(".")
        if module in ("fractions", "decimal"):
            return f"{full} computes with exact numbers, which have no derivative", "compute with floats"
        instead = next((way for own, way in INSTEAD.items() if full == own or full.startswith(f"{own}.")), None)
        if instead is not None:
            return f"{full} has no derivative rule", instead
        reason = reason_of(full)
        if reason:
            return (
                f"{full} has no derivative ({reason})",
                "give it s2sad.stop_gradient(...) of what is active, or call it outside of the function",
            )
        near = self.nearest_with_a_rule(full)
        return (
            f"{full} has neither a derivative rule nor Python source that could be differentiated"
            + (f"; the nearest that has one is {near}" if near else ""),
            ways.RULE,
        )

    def check_stand_in(self, cls: type) -> None:
        """What a rule's own class stands in for has a name of its own: no rule says what is asked of it here."""
        if hasattr(cls, "stands_for"):
            self.refuse(f"{cls.stands_for} has no rule for this", ways.DENSE)

    def nearest_with_a_rule(self, full: str) -> str:
        """The function with a rule that may have been meant: of almost the same name, whatever module it is in."""
        package, own = full.partition(".")[0], full.rpartition(".")[2].strip("_")
        place, of_class = full.rpartition(".")[0], ""
        if place.startswith("scipy.stats.") and place not in sys.modules:  # a method of a distribution: of which one?
            own, of_class = place.rpartition(".")[2], own
        names: dict[str, list[str]] = {}
        for rule in registry.listed():
            where, _, name = rule.name.rpartition(".")
            if not of_class or name == of_class:
                names.setdefault(where.rpartition(".")[2] if of_class else name, []).append(rule.name)
        close = difflib.get_close_matches(own, names, n=1, cutoff=0.8)
        found = sorted(names[close[0]], key=lambda name: (name.partition(".")[0] != package, name)) if close else []
        return found[0] if found else ""

    def operand(self, value: Value) -> Expr:
        """An operand of an active operation: an atom, or a display of atoms."""
        if isinstance(value, Tup) and value.cls is tuple:
            return gast.Tuple([self.operand(v) for v in value.items], gast.Load())
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, ListObj):
                return gast.List([self.operand(v) for v in obj.items], gast.Load())
            if isinstance(obj, Instance) and self.is_varied(value):
                self.check_stand_in(obj.cls)
                self.refuse(
                    f"an object of class {obj.cls.__name__} with active attributes is handed to code that is not "
                    "derived",
                    ways.PARTS,
                )
        leaf = self.leaf(value)
        if leaf.nested and isinstance(leaf.expr, (gast.UnaryOp,)) and isinstance(leaf.expr.operand, gast.Constant):
            return leaf.expr
        if leaf.nested and isinstance(leaf.number, float) and leaf.number == -np.inf:
            return leaf.expr  # a norm's order
        if leaf.nested and not leaf.varied and not is_float_kind(leaf.kind) and self.plain(leaf.expr):
            return leaf.expr
        if self.made_passively and not leaf.nested:
            self.followed(leaf)
        self.given_on(leaf)
        return self.anchor(leaf).expr

    # --- atoms

    def expr_Name(self, node: Any) -> Value:
        return self.lookup(node.id)

    def find_frame(self, name: str) -> int | None:
        """The frame whose variable a name is, or None for a global."""
        frame: Frame | None = self.frame
        while frame is not None:
            if name not in frame.globals_declared and (
                name in self.state.frames[frame.id] or (name in frame.bound and name not in frame.nonlocals)
            ):
                return frame.id
            frame = self.frames[frame.parent] if frame.parent is not None else None
        return None

    def without_value(self, name: str, owner: int) -> NoReturn:
        """A name without a value is read: refused, unless a later turn of a loop may read what an earlier one bound."""
        loops = [loop for loop in self.loops if name in loop.binds and loop.frame == owner]
        try:
            self.refuse(f"the name {name!r} has no value yet here", ways.VALUE_BEFORE)
        except DerivationError as error:
            if not loops or self.frame.id != owner:
                raise
            for loop in loops:
                loop.early.append(error)
        raise NotYet

    def read_if_bound(self, value: Value) -> Value:
        """What a name stands for that some paths leave unbound: it is read here, whether its value is needed or not."""
        if isinstance(value, Maybe):
            none, inner = value.none, value.value
            if isinstance(none, Leaf) and (self.lacks(value) or self.lacks(none)):
                self.write(gast.Expr(clone(none.expr)))
                none = dataclasses.replace(none)
            if none is value.none and self.lacks(inner) and isinstance(inner, Leaf):
                self.write(gast.Expr(gast.IfExp(self.expression(none), gast.Constant(None, None), clone(inner.expr))))
                inner = dataclasses.replace(inner)
            return dataclasses.replace(value, none=none, value=inner)
        if isinstance(value, Leaf) and self.lacks(value):
            self.write(gast.Expr(clone(value.expr)))
            return dataclasses.replace(value)
        return value

    def lacks(self, value: Value) -> bool:
        """Is it a value that some paths leave unbound?"""
        return id(value) in self.perhaps_unbound or id(value) in self.unsure

    def lookup(self, name: str) -> Value:
        owner = self.find_frame(name)
        if owner is not None:
            value = self.state.frames[owner].get(name, Unbound())
            if isinstance(value, Unbound):
                self.without_value(name, owner)
            if isinstance(value, Conflict):
                named = dataclasses.replace(value, reason=f"{name!r}: {value.reason}")
                self.conflict(named if value.reason != STALE else value)
            if id(value) in self.unsure and self.waits_for(UnboundLocalError):
                self.refuse(
                    f"a try that waits for {name!r} to have no value: a loop may give it one",
                    ways.VALUE_BEFORE,
                )
            self.looked_up(owner, name, value)
            return self.read_if_bound(value)
        frame: Frame | None = self.frame
        while frame is not None:
            closure = getattr(frame.source, "closure", None) or {}
            if name in closure:
                return self.from_global(name, closure[name], frame.source.cell(name))
            frame = self.frames[frame.parent] if frame.parent is not None else None
        import builtins

        namespace = self.frame.source.globals
        changed = self.state.frames.get(-id(namespace), {}).get(name)
        if isinstance(changed, Conflict):
            self.conflict(changed)
        if changed is not None:
            return changed
        if name in namespace:
            return self.from_global(name, namespace[name], namespace)
        if hasattr(builtins, name):
            return Known(decide(vars(builtins), Look.NAME, name), load(name))
        if self.branches and not self.text_only and not self.attempts:
            # on this path alone, which raises what the primal raises
            error = quote("NameError(m)", m=gast.Constant(f"name {name!r} is not defined", None))
            self.write(gast.Raise(error, None))
            raise Raises
        self.refuse(f"the name {name!r} is not defined", "define or import it")

    def from_global(self, name: str, value: Any, where: Scope | None) -> Value:
        """What a name stands for; `where`: in the dict of which module, or in which variable of another function."""
        if where is not None and is_scalar(value):
            known = self.facts.globals
            found = read_in_the_run(where, name, value, known, lambda: self.facts.fresh(name, temp=False))
            if found is not None:
                alias, seen = found
                return Leaf(load(alias), Number(type(value)), const=seen or NOT_KNOWN)
            value = decide(where, Look.NAME, name)
        return self.from_python(value, load(self.global_name(name, value)))

    def expr_Constant(self, node: Any) -> Value:
        value = node.value
        if isinstance(value, bool) or value is None or isinstance(value, (str, bytes)) or value is Ellipsis:
            return Known(value)
        dim = Dim.of(value) if isinstance(value, int) else None
        return Leaf(gast.Constant(value, None), Number(type(value), dim), const=value)

    def expr_JoinedStr(self, node: Any) -> Value:
        self.passive += 1
        known: list[Any] = []
        site = self.site(node)
        ordered = site in self.decisions.ordered and not self.text_only
        try:
            parts: list[Any] = []
            for part in node.values:
                if isinstance(part, gast.FormattedValue):
                    marks, written = self.marks(), len(self.block)
                    shown = self.expr(part.value)
                    changed = self.changed_since(marks, self.block, written)
                    if changed and not ordered and any(isinstance(p, gast.FormattedValue) for p in parts):
                        self.decisions.ordered.add(site)
                        raise Restart
                    plain = part.format_spec is None and part.conversion == -1 and not isinstance(shown, Tup)
                    known.append(static(shown) if plain else _NO)
                    inner = self.as_made(self.shown(shown))
                    spec = self.expression(self.expr(part.format_spec)) if part.format_spec is not None else None
                    parts.append(gast.FormattedValue(inner, part.conversion, spec))
                    if ordered:  # a later part changes what this one shows
                        text = self.define("text", gast.JoinedStr([parts[-1]]), Text())
                        parts[-1] = gast.FormattedValue(text.expr, -1, None)
                else:
                    known.append(getattr(part, "value", _NO))
                    parts.append(clone(part))
        finally:
            self.passive -= 1
        if all(isinstance(k, (str, int)) and not isinstance(k, bool) for k in known):
            return Known("".join(map(str, known)), gast.JoinedStr(parts))
        return Leaf(gast.JoinedStr(parts), Text(), nested=True)

    def expr_Lambda(self, node: Any) -> Value:
        tree = getattr(node, "as_function", None)
        if tree is None:
            body = gast.copy_location(gast.Return(node.body), node.body)
            tree = gast.copy_location(gast.FunctionDef("lambda_", clone(node.args), [body], [], None, None), node)
            node.as_function = tree
        return self.make_closure(tree)

    def nested_source(self, tree: Any) -> Any:
        """The source of a function that is defined in the one being lowered."""
        return _Nested(self.frame.source, tree)

    def make_closure(self, tree: Any) -> Value:
        source = self.nested_source(tree)
        args = tree.args
        defaults = tuple(self.kept_iterator(self.held(self.expr(d))) for d in args.defaults)
        kw_defaults = tuple(None if d is None else self.held(self.expr(d)) for d in args.kw_defaults)
        closure = Closure(source, self.frame.id, None, defaults, kw_defaults)
        self.defined_in[closure] = self.block
        return closure

    def held(self, value: Value, stem: str = "t") -> Value:
        """The value in a form that may be read more than once."""
        if isinstance(value, Leaf) and value.nested:
            return self.anchor(value, stem)
        if isinstance(value, Tup):
            return Tup(tuple(self.held(v, stem) for v in value.items), value.cls)
        return value

    # --- operators

    def expr_BinOp(self, node: Any) -> Value:
        left, right = self.in_order(node, [node.left, node.right])
        return self.binary(type(node.op), left, right)

    def in_order(self, node: Any, parts: Iterable[Any]) -> list[Value]:
        """The operands of a node. An operand that is not computed at once must not see what a later one stores:

        u[0] + bump(u)        t = u[0]
                        ->    u[0] += 1.0
                              t + ...

        Nor must the items of `*items` and `**items`, which are as they are there; and what comes behind a generator
        expression is computed before its items are, which are computed here.
        """
        site, values, parts = self.site(node), list[Value](), list(parts)
        ordered = site in self.decisions.ordered
        for k, part in enumerate(parts):
            marks, block, written = self.marks(), self.block, len(self.block)
            one = part.value if isinstance(part, (gast.Starred, gast.keyword)) else part
            if any(isinstance(p, gast.GeneratorExp) for p in parts[:k]) and self.may_run_code(one):
                value = self.without_changes(lambda: self.expr(one))  # noqa: B023
            else:
                value = self.expr(one)
            if one is not part and any(map(self.may_run_code, parts[k + 1 :])):
                with self.at(part):
                    value = self.as_it_is(value, whole=isinstance(part, gast.keyword))
            if not ordered and any(map(_is_pending, values)) and self.changed_since(marks, block, written):
                self.decisions.ordered.add(site)
                raise Restart
            values.append(self.held(value) if ordered else value)
        return values

    def as_it_is(self, value: Value, whole: bool) -> Value:
        """What `*value`, or `**value` (whole), takes out of a container, before what comes behind it changes that."""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if not whole:
            return Tup(tuple(self.held(v) for v in self.iterate_static(value)))
        return self.allocate(obj.copy()) if isinstance(obj, DictObj) else value

    def check_types(self, function: Any, *values: Value) -> None:
        """In the body of a try, which may wait for a TypeError: does an operator raise one for values like these?"""
        given: list[Any] = []
        for value in values if self.attempts else ():
            if function not in (operator.eq, operator.ne):
                self.there(value)
            if isinstance(value, Tup) and value.cls is not tuple:  # a namedtuple, whose operators are its own
                return
            known = static(value)
            obj = self.state.heap[value.id] if isinstance(value, Ref) else None
            if known is not _NO:
                if not is_number_or_container(known):  # its operators are the user's
                    return
                given.append(known)
            elif isinstance(value, Leaf) and isinstance(value.kind, Number):
                given.append(value.kind.type(1))
            elif isinstance(obj, ListObj) and obj.cls is list:
                given.append([])
            else:
                return
        if given and function is not operator.pow:
            try:
                function(*given)
            except TypeError as error:
                self.refuse(str(error), ways.CORRECT, raises=error)
            except Exception:
                return

    def binary(self, op: type, left: Value, right: Value) -> Value:
        self.check_types(BINARY[op], left, right)
        name = BINARY_METHOD.get(op, "")
        left, right = int_of_member(left, name), int_of_member(right, name)
        if isinstance(right, Tup) and right.cls is not tuple and self.find_method(right, f"__r{name}__"):
            kind = self.kind(left)
            if isinstance(kind, (Array, Unknown)) or self.may_be_of_numpy(kind):
                self.refuse(
                    f"NumPy does not ask a {right.cls.__name__} on the right of an operator: it takes it for an array",
                    ways.LEFT,
                )
        elif not (isinstance(left, Tup) and self.find_method(left, f"__{name}__")):
            left, right = self.beside_array(op, left, right), self.beside_array(op, right, left)
        special = self.binary_containers(op, left, right)
        if special is not None:
            return special
        for value, other in ((left, right), (right, left)):
            if (
                isinstance(value, Leaf)
                and isinstance(value.kind, Unknown)
                and isinstance(self.kind(other), (Number, Array))
                and is_float_kind(self.kind(other))
                and not (op is gast.Mod and value is left)
            ):
                self.check_not_read_back(value.expr)  # text has no such operator: it is a number again
        a, b = discrete(left), discrete(right)
        if isinstance(a, (int, str)) and isinstance(b, (int, str, tuple)) and op is not gast.Div:
            if op is gast.Pow and isinstance(b, int) and b < 0:
                pass
            else:
                try:
                    folded = BINARY[op](a, b)
                except Exception as error:
                    self.refuse(f"this expression raises {type(error).__name__}: {error}", ways.CORRECT)
                if isinstance(folded, str):
                    return Known(folded)
                node = gast.BinOp(self.expression(left), op(), self.expression(right))
                if (
                    isinstance(left, Leaf)
                    and isinstance(left.expr, gast.Constant)
                    and isinstance(getattr(right, "expr", None), gast.Constant)
                ):
                    node = gast.Constant(folded, None)
                return Leaf(node, Number(type(folded), Dim.of(int(folded))), const=folded, nested=True)
        if isinstance(a, str):
            return Leaf(gast.BinOp(self.expression(left), op(), self.expression(right)), Unknown(), nested=True)
        for this, other, prefix in ((left, right, ""), (right, left, "r")):
            cls = library_class(this)
            if cls is not None and op in BINARY_METHOD and self.is_varied(other) and not self.passive:
                return self.library_operator(cls, this, other, op, prefix)
            if self.is_varied(other) and not self.passive:
                self.check_operator(this)
        return self.operation(BINARY[op], lambda args, _: gast.BinOp(args[0], op(), args[1]), [left, right])

    def check_taken_apart(self, left: Value, right: Value) -> None:
        """NumPy's operators do not ask the object on the right: an array's take it beside each element, a number's make
        an array of an object that has a length and items."""
        cls = self.class_of(right) if self.instance_of(right) is not None else None
        if cls is None or isinstance(left, (Tup, Ref, Known)):
            return
        kind = self.kind(left)
        if issubclass(cls, enum.Enum) and isinstance(kind, Unknown):
            return  # another member, which only the run knows: it is compared there
        of_numpy = isinstance(kind, (Array, Unknown)) or self.may_be_of_numpy(kind)
        has = [class_entry(cls, name) is not None for name in ("__array__", "__len__", "__getitem__")]
        sequence = has[0] or (has[1] and has[2])
        if not of_numpy or (isinstance(kind, Number) and not sequence):
            return
        if hasattr(cls, "__array_ufunc__"):
            asked = cls.__array_ufunc__ is None
        else:
            asked = getattr(cls, "__array_priority__", -1.0e6) > (-1.0e6 if isinstance(kind, Number) else 0.0)
        if not asked:
            self.refuse(
                f"NumPy does not ask an object of class {cls.__name__} on the right of an operator: it takes it for an "
                "array, or for a number beside each element",
                ways.LEFT,
            )

    def check_operands(self, op: type, left: Value, right: Value) -> None:
        """Does an operator raise TypeError, as it stands between objects of the user's whose classes have no method for
        it, or between such an object and a number of Python's?"""
        given: list[Any] = []
        for value, prefix in ((left, ""), (right, "r")):
            kind = self.kind(value)
            cls = self.class_of(value) if self.instance_of(value) is not None else None
            if cls is not None:
                if hasattr(cls, f"__{prefix}{BINARY_METHOD[op]}__"):
                    return
                given.append(type(cls.__name__, (), {})())
            elif isinstance(kind, Number) and not self.may_be_of_numpy(kind):
                given.append(kind.type(1))
            else:
                return
        try:
            BINARY[op](*given)
        except TypeError as error:
            self.refuse(str(error), ways.CORRECT, raises=error)

    def may_be_of_numpy(self, kind: Kind) -> bool:
        return isinstance(kind, Number) and any(issubclass(cls, np.generic) for cls in kind.of_types())

    def check_operator(self, value: Value) -> None:
        """An object says itself what operators mean; one that only the run knows is not looked into."""
        self.check_labels(value)
        kind = value.kind if isinstance(value, Leaf) else None
        if isinstance(kind, Object) and not issubclass(kind.cls, (np.ndarray, np.generic)):
            self.refuse(
                f"an operator of an object of class {kind.cls.__name__} that is not known takes an active value",
                ways.FUNCTION,
            )

    def nested_numbers_as_array(self, value: Value) -> Value:
        """A list of lists of numbers, some of them active, as a matrix."""
        kind = self.kind(value) if isinstance(value, (Ref, Tup)) and self.is_varied(value) else None
        rows = kind.items if isinstance(kind, (ListKind, TupleKind)) else ()
        nested = bool(rows) and all(isinstance(row, (ListKind, TupleKind)) for row in rows)
        if nested and kind is not None and all(isinstance(n, (Number, Static)) for n in _leaves_of(kind)):
            return self.numpy_call(np.array, [value])
        return value

    def list_as_array(self, value: Value, tuples: bool = False, arrays: bool = False) -> Value:
        """A list of numbers, or a nest of them, as the array that NumPy makes of it; where said, also tuples, and
        lists of arrays."""
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
            return self.held(self.as_array(value))
        kind = self.kind(value) if isinstance(value, Ref) or (tuples and isinstance(value, Tup)) else None
        if not isinstance(kind, (ListKind, TupleKind)) or not kind.items:
            return value
        leaves = _leaves_of(kind)
        others = [n for n in leaves if not isinstance(n, Number) and not (arrays and isinstance(n, (Array, Unknown)))]
        if not all(isinstance(n, Static) and isinstance(n.value, (int, float, complex)) for n in others):
            return value
        return self.held(self.numpy_call(np.array, [value]))

    def library_operator(self, cls: type, this: Value, other: Value, op: type, prefix: str) -> Value:
        """An operator of a library's class (A @ x of a sparse matrix): its method has the rule."""
        method = getattr(cls, f"__{prefix}{BINARY_METHOD[op]}__", None)
        rule = None if method is None else registry.lookup(method)
        if rule is None:
            self.refuse(
                f"this operator has no derivative rule for {cls.__name__}", ways.DENSE
            )

        if rule.definition is not None:
            value: Value = self.call_value(Known(method), [this, other], {})
            return value

        def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
            return gast.BinOp(exprs[1], op(), exprs[0]) if prefix else gast.BinOp(exprs[0], op(), exprs[1])

        return self.operation(method, build, [this, other])

    def beside_array(self, op: type, this: Value, other: Value) -> Value:
        """A list or tuple beside an array or a number of NumPy's is the array that NumPy makes of it: x * [1.0, 2.0]
        repeats nothing."""
        plain = isinstance(this, Tup) or (isinstance(this, Ref) and isinstance(self.state.heap[this.id], ListObj))
        plain = plain or (isinstance(this, Leaf) and isinstance(this.kind, ListOf) and not self.passive)
        if not plain or isinstance(other, (Tup, Ref)):
            return this
        kind = self.kind(other)
        if isinstance(kind, Number) and issubclass(kind.type, np.inexact) and not self.passive:
            if op in (gast.Mult, gast.MatMult) and (self.is_varied(this) or self.is_varied(other)):
                self.refuse("a list times a number of NumPy's raises TypeError", "use np.array", raises=TypeError())
        else:
            of_numpy = self.may_be_of_numpy(kind) and op is not gast.Mult and not self.passive  # an int repeats it
            of_numpy = of_numpy or isinstance(kind, Array) or (isinstance(kind, Unknown) and self.is_varied(other))
            if not of_numpy:
                return this
        if not (op is gast.Mult or self.is_varied(this)):
            return this
        grown = isinstance(this, Leaf) and this.varied
        return self.held(self.as_array(this) if grown else self.numpy_call(np.array, [this]))

    def binary_containers(self, op: type, left: Value, right: Value) -> Value | None:
        if op in BINARY_METHOD and (self.has_methods(left) or self.has_methods(right)):
            name, mirrored = f"__{BINARY_METHOD[op]}__", f"__r{BINARY_METHOD[op]}__"
            sides = [(left, right, name), (right, left, mirrored)]
            overridden = self.class_method(right, mirrored) is not self.class_method(left, mirrored)
            if overridden and self.is_derived_from(right, left):
                sides.reverse()
            self.check_taken_apart(left, right)
            for this, other, called in sides:
                if this is right and self.knows(left, right):
                    break
                method = self.find_method(this, called) if self.has_methods(this) else None
                if method is None and isinstance(this, Tup) and self.class_method(this, called) is not None:
                    break  # what tuples do
                if method is not None:
                    made = self.call_value(method, [other], {})
                    if static(made) is not NotImplemented:
                        return made
            numbers = self.number_within(left), self.number_within(right)
            if numbers != (left, right):
                return self.binary(op, *numbers)
            self.check_operands(op, left, right)
        if op in _OF_SETS and any(isinstance(v, Tup) and v.cls is Keys for v in (left, right)):
            left, right = self.as_set(left, True), self.as_set(right, True)
        sets = [getattr(v, "value", None) for v in (left, right)]
        if op in _OF_SETS and all(isinstance(v, (set, frozenset)) for v in sets):
            node = gast.BinOp(self.expression(left), op(), self.expression(right))
            return Known(frozenset(BINARY[op](*sets)), node)
        if op is gast.Add and isinstance(left, Tup) and isinstance(right, Tup):
            return Tup(left.items + right.items)
        if op is gast.BitOr and isinstance(left, Ref) and isinstance(right, Ref):
            first, second = self.state.heap[left.id], self.state.heap[right.id]
            if isinstance(first, DictObj) and isinstance(second, DictObj):
                return self.allocate(first.like({**first.items, **second.items}, self.site(self.node)))
        grown = any(isinstance(v, Leaf) and isinstance(v.kind, ListOf) for v in (left, right))
        meets_array = any(isinstance(self.kind(v), Array) for v in (left, right))
        if op is gast.Add and grown and not meets_array and (self.is_varied(left) or self.is_varied(right)):
            if self.limit_of(left) is not None:
                made = self.call_value(self.attribute(left, "copy"), [], {})
                self.call_value(self.attribute(made, "extend"), [right], {})
                return made
            return self.joined_lists(left, right)
        if op is gast.Add and not self.passive and (self.is_varied(left) or self.is_varied(right)):
            self.check_joins(left, right)
            self.check_joins(right, left)
            lists = [v for v in (left, right) if isinstance(self.kind(v), ListKind)]
            if len(lists) == 2 and any(isinstance(v, Leaf) for v in lists):  # one that a call returned, say
                return self.new_list([self.held(v) for one in lists for v in self.iterate_static(one)])
        if op is gast.Add and isinstance(left, Ref) and isinstance(right, Ref):
            a, b = self.state.heap[left.id], self.state.heap[right.id]
            if isinstance(a, ListObj) and isinstance(b, ListObj):
                return self.like_deque(self.new_list(last_of(a.items + b.items, a.limit)), a)
        for this, other in ((left, right), (right, left)):
            count = discrete(other)
            if op is gast.Mult and isinstance(this, Leaf) and isinstance(this.kind, ListOf) and self.may_count(other):
                self.no_limit(this)
                if self.is_varied(this) and not self.passive:
                    return self.inline_library(library.repeated, [this, other], {})
            if op is gast.Mult and isinstance(this, (Ref, Tup)) and self.may_count(other):
                if isinstance(this, Tup):
                    if isinstance(count, int):
                        return Tup(this.items * count)
                    if self.is_varied(this) and not self.passive:
                        row = self.new_list([self.held(v) for v in this.items])
                        return self.as_tuple(self.inline_library(library.repeated, [row, other], {}))
                else:
                    obj = self.state.heap[this.id]
                    if isinstance(obj, ListObj):
                        site = self.site(self.node)
                        if obj.limit is not None or obj.cls is not list:
                            self.refuse("a deque is repeated", "use a list, or append in a loop")
                        if isinstance(count, int) and count <= 64 and site not in self.decisions.dynamic:
                            items = [self.held(v) for v in obj.items] * count
                            return self.allocate(ListObj(items, site))
                        if self.is_varied(this) and not self.passive:
                            return self.inline_library(library.repeated, [this, other], {})
                        kind = self.decisions.dynamic.get(site)
                        varied = site in self.decisions.varied_lists
                        for item in obj.items:
                            self.hold_lists(item, Unknown())
                            self.share_kind(kind if kind is not None else Unknown(), item, varied)
                            if varied and not self.passive:
                                self.follow_lists(item)
                            own = self.kind_in_run(item)
                            kind = own if kind is None else self.join_kind(kind, own)
                        node = gast.BinOp(self.expression(this), gast.Mult(), self.expression(other))
                        varied = varied or self.is_varied(this)  # (here nothing is followed: `followed` sees to that)
                        leaf = self.define("lst", node, ListOf(kind or Nothing()), varied=varied)
                        self.site_of[atom_key(leaf.expr)] = site
                        return leaf
        return None

    def check_joins(self, one: Value, other: Value) -> None:
        """Refuse `a + [x]` where only the run knows whether a is a list, which it makes longer, or an array."""
        listed = isinstance(other, Ref) and isinstance(self.state.heap[other.id], ListObj)
        if listed and isinstance(one, Leaf) and type(one.kind) is Unknown and self.may_be_list(one.expr):
            self.refuse(
                "a list is added to what may be a list or an array: only the run knows",
                ways.ARRAY,
            )

    def may_be_list(self, value: Expr) -> bool:
        raise NotImplementedError

    def as_set(self, value: Value, whole: bool = False) -> Value:
        """The keys of a dict as a set; with `whole`, whatever can be run over."""
        if isinstance(value, Known) or not (whole or (isinstance(value, Tup) and value.cls is Keys)):
            return value
        items = [static(v) for v in self.iterate_static(value)]
        if _NO in items:
            self.refuse("keys of a dict are joined with what is not known at derivation", ways.KEYS)
        made = [self.expression(Known(v)) for v in dict.fromkeys(items)]
        empty = gast.Call(gast.Name("set", gast.Load(), None, None), [], [])
        return Known(frozenset(items), gast.Set(made) if made else empty)

    def may_count(self, value: Value) -> bool:
        """May it be how often a list is repeated? An array or a float multiplies its items."""
        kind = self.kind(value)
        if isinstance(kind, Number):
            return issubclass(kind.type, (int, np.integer))
        return not isinstance(kind, Array) and not self.is_varied(value)

    def join_kind(self, a: Kind, b: Kind) -> Kind:
        return join_kinds(a, b, self.symbol)

    def expr_UnaryOp(self, node: Any) -> Value:
        op = type(node.op)
        if op is gast.Not:
            value = self.test(node.operand)
            known = self.truth(value)
            if known is not None:
                return Known(not known)
            return Leaf(gast.UnaryOp(gast.Not(), self.expression(value)), Number(bool), nested=True)
        value = int_of_member(self.expr(node.operand), "neg")
        self.check_types(UNARY[op], value)
        known = static(value)
        if (
            isinstance(known, (int, float))
            and not isinstance(known, bool)
            and isinstance(value, Leaf)
            and isinstance(value.expr, gast.Constant)
        ):
            folded = UNARY[op](known)
            dim = Dim.of(folded) if isinstance(folded, int) else None
            return Leaf(
                gast.UnaryOp(op(), self.expression(value)), Number(type(folded), dim), const=folded, nested=True
            )
        if isinstance(value, Leaf) and isinstance(known, float) and abs(known) == np.inf and op is gast.USub:
            return Leaf(gast.UnaryOp(op(), self.expression(value)), value.kind, const=-known, nested=True)
        if self.has_methods(value) and op in UNARY_METHOD:
            method = self.find_method(value, UNARY_METHOD[op])
            if method is not None:
                return self.call_value(method, [], {})
            value = self.number_within(value)
        if op is gast.UAdd and isinstance(self.kind(value), (Number, Static)):
            return value
        dtype = dtype_of(self.kind(value))
        if op is gast.USub and dtype is not None and dtype.kind == "u":
            # modulo a power of two: no sign that may be taken out of a product
            return self.call_value(self.numpy_function("negative"), [value], {})
        return self.operation(UNARY[op], lambda args, _: gast.UnaryOp(op(), args[0]), [value])

    def expr_BoolOp(self, node: Any) -> Value:
        is_and = isinstance(node.op, gast.And)
        kept: list[Value] = []
        values: list[Value] = []
        for k, part in enumerate(node.values):
            outer, before = self.block, self.state
            if kept:
                self.block, self.state = [], before.fork()
            alone = getattr(node, "truth_alone", False)
            level, raises = self.branches, False
            self.branches += bool(kept)
            try:
                if alone:
                    value = self.test(part)
                else:
                    value = self.expr(part) if self.may_be_varied_choice(part) else self.passively(part)
            except Raises:
                if not kept:
                    raise
                raises = True
            self.branches = level
            if kept and (raises or self.block or self.moved_on(before)):
                self.block, self.state = outer, before
                return self.choice_by_parts(node, kept, node.values[k:])
            self.block = outer
            truth = self.truth(value)
            if truth is None and not alone and part is not node.values[-1] and self.instance_of(value) is not None:
                if kept:
                    self.state = before
                    return self.choice_by_parts(node, kept, node.values[k:])
                told = self.own_truth(value)
                truth = self.truth(told)
                if truth is None:
                    return self.first_or_rest(node, value, told, node.values[k + 1 :])
            if truth is None:
                kept.append(value)
                values.append(value)
            elif truth != is_and:
                kept.append(value)
                values.append(value)
                break
            else:
                values.append(value)
        if kept and values[-1] is not kept[-1] and not getattr(node, "truth_alone", False):
            kept.append(values[-1])  # it is the result where the others do not settle it
        if len(kept) <= 1:
            return kept[0] if kept else values[-1]
        if getattr(node, "truth_alone", False) or all(not self.is_varied(v) for v in kept):
            form = self.expression if getattr(node, "truth_alone", False) else self.kept_in_run
            node = gast.BoolOp(type(node.op)(), [form(v) for v in kept])
            kinds = [self.kind(v) for v in kept]
            kind: Kind = Number(bool)
            if any(not _is_bool(k) for k in kinds):
                kind = kinds[0]
                for other in kinds[1:]:
                    kind = self.join_kind(kind, other)
            return Leaf(node, kind, nested=True)
        result = kept[-1]
        for value in reversed(kept[:-1]):
            test = self.held(value)
            first, second = (result, test) if is_and else (test, result)
            result = self.choose(self.expression(test), lambda v=first: v, lambda v=second: v)
        return result

    def choice_by_parts(self, node: Any, kept: list[Value], rest: list[Any]) -> Value:
        """and/or where an operand has to be computed by statements: these run only when Python would evaluate it."""
        first = (
            kept[0]
            if len(kept) == 1
            else Leaf(gast.BoolOp(type(node.op)(), [self.expression(v) for v in kept]), Number(bool), nested=True)
        )
        test = self.held(first)
        return self.first_or_rest(node, test, test, rest)

    def first_or_rest(self, node: Any, first: Value, truth: Value, rest: list[Any]) -> Value:
        """and/or of a value, which is or is not the result by its truth, and of operands that may not be evaluated."""
        tail = rest[0] if len(rest) == 1 else gast.copy_location(gast.BoolOp(node.op, rest), node)

        def evaluated() -> Value:
            if getattr(node, "truth_alone", False):
                return self.test(tail)
            return self.expr(tail) if self.may_be_varied_choice(tail) else self.passively(tail)

        test = self.expression(truth)
        sides = (evaluated, lambda: first) if isinstance(node.op, gast.And) else (lambda: first, evaluated)
        return self.may_be_branch(self.choose(test, *sides), node)

    def may_be_varied_choice(self, node: Any) -> bool:
        """Is an operand of and/or used for its value (`x or 1.0`) rather than its truth?"""
        if isinstance(node, gast.BoolOp):
            return any(self.may_be_varied_choice(part) for part in node.values)
        negated = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
        return not (self.passive or negated or isinstance(node, gast.Compare))

    def truth(self, value: Value) -> bool | None:
        """Is the value known to be true or false?"""
        if isinstance(value, Maybe):
            self.refuse("the truth of a value that may be None", ways.ASK)
        if isinstance(value, Known):
            self.goes_by(value)
            if not value.is_inert:
                silent = all(class_entry(value.cls, m) is None for m in ("__bool__", "__len__"))
                return True if silent else None
            try:
                return bool(value.value)
            except Exception:
                return None
        if isinstance(value, Leaf):
            known = static(value)
            if known is not _NO:
                try:
                    return bool(known)
                except Exception:
                    return None
            return _settled(value.expr)
        if isinstance(value, Tup):
            return bool(value.items)
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            self.fresh(obj)
            if isinstance(obj, ListObj):
                return bool(obj.items)
            if isinstance(obj, DictObj):
                return bool(obj.items)
            return True if all(class_entry(obj.cls, m) is None for m in ("__bool__", "__len__")) else None
        if isinstance(value, (Closure, Method)):
            return True
        return None

    def compared(self, value: Value, ops: list[type], values: list[Value]) -> Value:
        """A side of a comparison that may be None, whole. A number that is nan then equals nothing, as None does."""
        number = isinstance(value, Maybe) and isinstance(self.kind(value.value), Number)
        others = [is_known_a(v, int, float) for v in values if v is not value]
        if number and all(others) and not set(ops) & {gast.In, gast.NotIn, gast.Is, gast.IsNot}:
            return value
        return self.shown(value)

    def expr_Compare(self, node: Any) -> Value:
        if len(node.ops) > 1 and any(map(_matters, node.comparators[1:])):
            return self.chained(node)
        self.passive += 1
        try:
            values = self.in_order(node, [node.left, *node.comparators])
        finally:
            self.passive -= 1
        ops = [type(op) for op in node.ops]
        if not {gast.In, gast.NotIn, gast.Is, gast.IsNot} & set(ops):
            values = [self.number_compared(self.as_set(value)) for value in values]
        if len(ops) == 1 and any(isinstance(value, Choice) for value in values):
            return self.compared_function(ops[0], *values)
        if len(ops) == 1 and ops[0] in (gast.Is, gast.IsNot):
            for this, other in ((values[0], values[1]), (values[1], values[0])):
                if isinstance(this, Maybe) and is_none(other):
                    flag = self.expression(this.none)
                    test = flag if ops[0] is gast.Is else gast.UnaryOp(gast.Not(), flag)
                    return Leaf(test, Number(bool), nested=True)
        if len(ops) == 1 and ops[0] in (gast.Eq, gast.NotEq):
            for this, other in ((values[0], values[1]), (values[1], values[0])):
                if isinstance(this, Maybe) and is_none(other):
                    flag = self.expression(this.none)  # (nothing else is equal to None)
                    return Leaf(
                        flag if ops[0] is gast.Eq else gast.UnaryOp(gast.Not(), flag), Number(bool), nested=True
                    )
        if set(ops) & {gast.Eq, gast.NotEq, gast.In, gast.NotIn, gast.Is, gast.IsNot}:
            values = [self.compared(value, ops, values) for value in values]
        for op, a, b in zip(ops, values, values[1:], strict=False):
            self.check_types(COMPARE[op], a, b)
        verdicts = [self.verdict(op, a, b) for op, a, b in zip(ops, values, values[1:], strict=False)]
        if all(v is not None for v in verdicts):
            return Known(all(verdicts))
        if any(v is False for v in verdicts):
            return Known(False)
        if len(ops) == 1:
            special = self.compare_containers(ops[0], values[0], values[1])
            if special is not None:
                return special
        elif any(map(self.has_methods, values)):
            return self.compared_in_pairs(ops, values)
        if {gast.Is, gast.IsNot} & set(ops) and not any(itself(v) is None for v in values):
            self.facts.identities = True
        if not {gast.Is, gast.IsNot}.issuperset(ops):
            self.check_quiet(values)
        node = gast.Compare(self.expression(values[0]), [op() for op in ops], [self.expression(v) for v in values[1:]])
        kind = self.infer(node)
        return Leaf(node, kind if not is_float_kind(kind) else Unknown(), nested=True)

    def check_quiet(self, values: Iterable[Value]) -> None:
        """Refuse to hand objects to what asks them what they are equal to, which is less and so on, where their classes
        do more than to answer: the derivative may ask more or less often than the function does."""
        method = restless_in([v.itself for v in values if isinstance(v, Known)])
        if method is not None:
            self.refuse(
                f"{method} does more than to give a result, and Python would call it here",
                ways.TRUE,
            )

    def compared_function(self, op: type, left: Value, right: Value) -> Value:
        """A comparison of what may be one function or another.

        f is cos        f_is_cos
        """
        for side, other in ((left, lambda v: (v, right)), (right, lambda v: (left, v))):
            if isinstance(side, Choice):
                first, second = (self.compared_function(op, *other(v)) for v in (side.first, side.second))
                known = [static(v) for v in (first, second)]
                if known[0] is known[1] and known[0] is not _NO:
                    return first
                if known == [True, False]:
                    return Leaf(clone(side.test.expr), Number(bool), nested=True)
                if known == [False, True]:
                    return Leaf(gast.UnaryOp(gast.Not(), clone(side.test.expr)), Number(bool), nested=True)
                parts = (clone(side.test.expr), self.expression(first), self.expression(second))
                return Leaf(gast.IfExp(*parts), Number(bool), nested=True)
        verdict = self.verdict(op, left, right)
        if verdict is None:
            self.undecided()
        return Known(verdict)

    def compared_in_pairs(self, ops: list[type], values: list[Value]) -> Value:
        """A chain of comparisons among which are objects that say themselves what they mean."""
        tests: list[Expr] = []
        for op, a, b in zip(ops, values, values[1:], strict=False):
            found = self.compare_containers(op, a, b)
            known = self.truth(found) if found is not None else self.verdict(op, a, b)
            if known is False:
                return Known(False)
            if found is not None and known is None:
                tests.append(self.expression(self.held(found)))
            elif known is None:
                tests.append(gast.Compare(self.expression(a), [op()], [self.expression(b)]))
        if not tests:
            return Known(True)
        return Leaf(tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests), Number(bool), nested=True)

    def chained(self, node: Any) -> Value:
        """A chain of comparisons whose later operands are computed only where the earlier ones hold.

        a < f() < g()        t = f();  a < t and t < g()
        """
        self.passive += 1
        try:
            values = self.in_order(node, [node.left, node.comparators[0]])
        finally:
            self.passive -= 1
        place = f"{node.lineno} {node.col_offset} {len(node.ops)}"
        names = [f"#{side} {place}" for side in ("left", "right")]

        def in_pairs() -> Any:
            left, right, again = (gast.Name(names[k], gast.Load(), None, None) for k in (0, 1, 1))
            first = gast.copy_location(gast.Compare(left, node.ops[:1], [right]), node)
            rest = gast.copy_location(gast.Compare(again, node.ops[1:], node.comparators[1:]), node.comparators[0])
            for name in (left, right, again):
                gast.copy_location(name, node.comparators[0])
            return gast.copy_location(gast.BoolOp(gast.And(), [first, rest]), node)

        held = self.state.frames[self.frame.id]
        held.update({name: self.held(value) for name, value in zip(names, values, strict=True)})
        result = self.expr(once_for(node, "chain", in_pairs))
        for name in names:
            self.state.frames[self.frame.id].pop(name, None)
        return result

    def looked_for_in(self, container: Ref) -> None:
        if getattr(self.state.heap[container.id], "once", False):
            self.ask_in_steps(self.made_at(container))
            reason = "to look for an item in an iterator runs through it, up to where it is"
            self.refuse(reason, ways.LIST)

    def compare_containers(self, op: type, a: Value, b: Value) -> Value | None:
        if op in (gast.In, gast.NotIn) and isinstance(b, Ref):
            self.looked_for_in(b)
        if op in (gast.In, gast.NotIn) and self.instance_of(b) is not None:
            method = self.find_method(b, "__contains__")
            if method is not None:
                found = self.call_value(method, [a], {})
                if op is gast.In:
                    return found
                known = self.truth(found)
                if known is not None:
                    return Known(not known)
                return Leaf(gast.UnaryOp(gast.Not(), self.expression(found)), Number(bool), nested=True)
        for instance in (self.instance_of(a), self.instance_of(b)):
            name = COMPARE_METHOD.get(op, "__eq__")
            own = getattr(instance.cls, name) if isinstance(instance, Instance) else getattr(object, name)
            if own is not getattr(object, name) and not isinstance(own, types.FunctionType):
                return None  # of the class that it is built on (an array's, a list's)
        if op in COMPARE_METHOD:
            self.check_taken_apart(a, b)
        sides = [(a, b, COMPARE_METHOD), (b, a, MIRRORED_METHOD)]
        left_open = False
        for this, other, table in reversed(sides) if self.is_derived_from(b, a) else sides:
            if op not in table or not self.has_methods(this) or (this is b and self.knows(a, b)):
                continue
            if isinstance(this, Tup) and self.class_method(this, table[op]) is getattr(tuple, table[op]):
                return None
            method = self.find_method(this, table[op])
            if method is not None:
                fields = self.compared_fields(method, this, other)
                if fields is not None:
                    first, second = fields if this is a else fields[::-1]
                    return Leaf(
                        gast.Compare(self.expression(first), [op()], [self.expression(second)]),
                        Number(bool),
                        nested=True,
                    )
                made = self.call_value(method, [other], {})
                if isinstance(made, Leaf) and made.nested and restless_method(self.class_of(this) or object):
                    made = self.held(made)  # it is asked once, wherever the answer is read
                left_open = static(made) is NotImplemented
                if not left_open:
                    return made
        if left_open and op not in (gast.Eq, gast.NotEq):
            self.refuse("neither of the classes says what this comparison means", ways.CORRECT, raises=TypeError())
        if left_open and op is gast.Eq:
            same = self.identical(a, b)
            if same is None:
                self.refuse("whether these are one object is not known", ways.TRUE)
            return Known(same)
        if op is gast.NotEq and (equal := self.compare_containers(gast.Eq, a, b)) is not None:
            known = self.truth(equal)
            if known is not None:
                return Known(not known)
            return Leaf(gast.UnaryOp(gast.Not(), self.expression(equal)), Number(bool), nested=True)
        return None

    def compared_fields(self, method: Value, a: Value, b: Value) -> tuple[Tup, Tup] | None:
        """What the comparison methods that `dataclass` writes compare: the fields of two objects of one class."""
        function = method.function.value if isinstance(method, Method) and isinstance(method.function, Known) else None
        code = getattr(function, "__code__", None)
        first = self.state.heap[a.id] if isinstance(a, Ref) else None
        second = self.state.heap[b.id] if isinstance(b, Ref) else None
        if code is None or code.co_filename != "<string>":
            return None
        if not isinstance(first, Instance) or not isinstance(second, Instance) or first.cls is not second.cls:
            return None
        names = [f.name for f in dataclasses.fields(first.cls) if f.compare]
        return (
            Tup(tuple(first.attributes[n] for n in names)),
            Tup(tuple(second.attributes[n] for n in names)),
        )

    def verdict(self, op: type, a: Value, b: Value) -> bool | None:
        """What a comparison is known to give; None where the run decides."""
        alone = op in (gast.Eq, gast.NotEq) and self.is_itself_alone(a) and self.is_itself_alone(b)
        if alone or op in (gast.Is, gast.IsNot):
            same = self.identical(a, b)
        elif op in (gast.In, gast.NotIn) and self.is_itself_alone(a) and isinstance(b, (Ref, Tup)):
            same = self.holds(b, a)
        else:
            same = None
        if same is None:
            return self.static_compare(op, a, b)
        return same == (op in (gast.Is, gast.Eq, gast.In))

    def is_itself_alone(self, value: Value) -> bool:
        """Is a value an object built here that is equal to itself alone, as its class does not say more?"""
        held = self.instance_of(value)
        return isinstance(held, Instance) and held.expr is None and held.cls.__eq__ is object.__eq__  # type: ignore[comparison-overlap]

    def holds(self, container: Value, value: Value) -> bool | None:
        """Is an object that is equal to itself alone among the items of a list or a tuple?"""
        obj = self.state.heap[container.id] if isinstance(container, Ref) else container
        if not isinstance(obj, (ListObj, Tup)):
            return None
        if isinstance(obj, ListObj):
            self.fresh(obj)
        found = [self.identical(item, value) for item in obj.items]
        return True if True in found else None if None in found else False

    def identical(self, a: Value, b: Value) -> bool | None:
        """Is a container, an object or a function that is followed here the same one as another value?

        None where that is no question of containers, or where both are there at run time as they are here.
        """
        if itself(a) is None or itself(b) is None:
            return None
        if is_list_of_the_run(a) and is_list_of_the_run(b):
            self.undecided()  # an item that is read may be written out where it is
        for this, other in ((a, b), (b, a)):
            opaque = isinstance(other, Leaf) and (isinstance(other.kind, Unknown) or is_list_of_the_run(other))
            if isinstance(this, (Tup, Closure)):
                if this is other:
                    return True
                if isinstance(this, Closure) and isinstance(other, Closure) and this.source is not other.source:
                    return False
                alike = isinstance(other, type(this)) or (isinstance(this, Tup) and isinstance(static(other), tuple))
                if alike or opaque or getattr(this, "function", None) is not None:
                    self.undecided()
                return False
            if not isinstance(this, Ref):
                continue
            if isinstance(other, Ref):
                return self.same_object(this.id, other.id)
            if self.state.heap[this.id].expr is not None and (opaque or isinstance(other, Known)):
                return None
            if opaque:
                self.undecided()
            return False
        return None

    def same_object(self, first: int, second: int) -> bool | None:
        """The same of two containers that are followed here."""
        if first == second:
            return True
        if all(self.state.heap[ref].expr is not None for ref in (first, second)):
            return None
        objects = [self.state.heap[ref] for ref in (first, second)]
        items = all(isinstance(obj, ListObj) and obj.held for obj in objects)  # of lists of the run, or read from one
        if second in self.state.possible_aliases(first) or items:
            self.undecided()
        return False

    def undecided(self) -> NoReturn:
        self.refuse(
            "whether two names stand for one object is not known at derivation",
            ways.TRUE,
        )

    def static_compare(self, op: type, a: Value, b: Value) -> bool | None:
        x, y = (itself(a), itself(b)) if op in (gast.Is, gast.IsNot) else (static(a), static(b))
        for value in (a, b):
            self.goes_by(value)
        library = getattr(self.frame.source, "library", False)
        if op in (gast.Is, gast.IsNot):
            for value, other in ((x, b), (y, a)):
                if value is None and itself(other) is not None:
                    if isinstance(other, Leaf) and isinstance(other.kind, Unknown):
                        return None
                    return op is gast.IsNot
                computed = isinstance(other, Leaf) and isinstance(other.kind, (Number, Array))
                number = isinstance(value, (np.ndarray, np.generic, int, float, complex))
                if computed and value is not _NO and (not number or (library and static(other) is _NO)):
                    return op is gast.IsNot
                if isinstance(other, Tup) and number:
                    return op is gast.IsNot
        if op in (gast.In, gast.NotIn) and isinstance(b, Ref):
            self.looked_for_in(b)
            obj = self.state.heap[b.id]
            self.fresh(obj)
            if isinstance(obj, DictObj) and x is not _NO:
                return (x in obj.items) == (op is gast.In)
            if isinstance(obj, ListObj) and x is not _NO:
                items = [static(v) for v in obj.items]
                if all(v is not _NO for v in items):
                    return (x in items) == (op is gast.In)
        if op in (gast.In, gast.NotIn) and isinstance(a, Closure) and isinstance(y, (tuple, list, set, frozenset)):
            return op is gast.NotIn  # a function that is made here is none of those that were there before
        if x is not _NO and y is not _NO and (library or not (isinstance(x, float) or isinstance(y, float))):
            try:
                verdict = COMPARE[op](x, y)
            except Exception:
                return None
            return bool(verdict) if isinstance(verdict, (bool, np.bool_)) else None
        if op in (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE):
            p, q = _dim(a), _dim(b)
            if p is not None and q is not None and (p - q).known:
                return bool(COMPARE[op]((p - q).const, 0))
            if op in (gast.Eq, gast.NotEq) and isinstance(x, str) != isinstance(y, str) and _NO not in (x, y):
                return op is gast.NotEq
        return None

    def expr_IfExp(self, node: Any) -> Value:
        test = self.test(node.test)
        known = self.truth(test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        value = self.choose(
            self.expression(test),
            lambda: self.expr(node.body),
            lambda: self.expr(node.orelse),
            ternary=True,
            place=self.site(node) if getattr(node, "can_go_apart", False) else None,
        )
        return self.may_be_branch(value, node)

    def may_be_branch(self, value: Value, node: Any) -> Value:
        """What a choice inside of an expression has given: where it has not one form, the choice may be a branch."""
        if not isinstance(value, Conflict) or value.choice is not None:
            return value
        return dataclasses.replace(value, choice=self.site_of_call(node))

    def moved_on(self, before: State, after: State | None = None) -> bool:
        """Has a variable or a container that was there before another value now? (That takes no statement.)"""
        after = self.state if after is None else after

        def differs(old: dict[Any, Value], new: dict[Any, Value]) -> bool:
            names = {n for n in new if not str(n).startswith("#")}
            return not names <= old.keys() or any(n not in new or not self.same(v, new[n]) for n, v in old.items())

        return any(k in after.frames and differs(held, after.frames[k]) for k, held in before.frames.items()) or any(
            k in after.heap and differs(contents(obj), contents(after.heap[k])) for k, obj in before.heap.items()
        )

    def choose(self, test: Expr, first: Any, second: Any, ternary: bool = False, place: Any = None) -> Value:
        """One of two values by a run-time test. `place`: of the branch, as of `join`."""
        outer_block = self.block
        before = self.state
        results: list[Value] = []
        states, blocks, raising = [], [], []
        self.branches += 1
        level = self.branches
        for case, branch in ((test, first), (gast.UnaryOp(gast.Not(), test), second)):
            self.state, self.block = before.fork(), []
            try:
                results.append(branch())
            except Raises:
                raising.append(gast.If(clone(case), self.block, []))
                self.branches = level
                continue
            except Diverges:
                continue
            states.append(self.state)
            blocks.append(self.block)
        self.branches -= 1
        self.block = outer_block
        for path in raising:
            self.write(path)
        if len(results) < 2:
            if not results:
                raise Raises if len(raising) == 2 else Diverges
            self.state = states[0]
            self.block.extend(blocks[0])
            return results[0]
        a, b = results
        plain = not any(blocks) and not any(self.moved_on(before, state) for state in states)
        called = place is None and all(is_none(v) or is_callable(v) for v in results)  # an object that can be called
        if (may_be_functions(results) or called) and plain and not self.same(a, b):
            self.state = states[0]
            if is_none(b):
                a, b, test = b, a, gast.UnaryOp(gast.Not(), test)
            return Choice(self.anchor(Leaf(test, Number(bool), nested=True), "choice"), a, b)
        if plain and isinstance(a, Leaf) and isinstance(b, Leaf):
            self.state = states[0]
            if (not a.varied and not b.varied) or self.passive:
                kind = self.join_kind(a.kind, b.kind)
                varied = a.varied or b.varied
                return Leaf(gast.IfExp(test, self.kept_in_run(a), self.kept_in_run(b)), kind, varied, nested=True)
        marker = ("var", -1, "choice")
        for state, one, block in zip(states, results, blocks, strict=True):
            outer, self.block = self.block, block
            self.state = state
            state.frames.setdefault(-1, {})["choice"] = self.held(one)
            self.block = outer
        joined = self.join([(states[0], blocks[0]), (states[1], blocks[1])], place)
        self.state = joined
        value = joined.slots().get(marker, Unbound())
        del joined.frames[-1]["choice"]
        statement = gast.If(test, blocks[0], blocks[1])
        statement.ternary = ternary
        self.write(statement)
        if isinstance(value, Leaf) and isinstance(value.expr, gast.Name):
            self.facts.temps.add(value.expr.id)
            self.facts.user_name.pop(value.expr.id, None)
        return value

    def expr_Yield(self, node: Any) -> Value:
        self.refuse("the function is a generator (yield)", "return a list or an array of what it yields")

    expr_YieldFrom = expr_Yield

    # --- displays

    def expr_Tuple(self, node: Any) -> Value:
        return Tup(tuple(self.display_items(node, node.elts)))

    def display_items(self, node: Any, parts: list[Any]) -> list[Value]:
        values = self.in_order(node, parts)
        items: list[Value] = []
        for part, value in zip(parts, values, strict=True):
            with self.at(part):
                starred = isinstance(part, gast.Starred)
                items.extend(self.iterate_static(value) if starred else [self.kept_iterator(value, taken_apart=True)])
        return items

    def starred_list(self, node: Any) -> Value:
        """[*a, b] where the length of a part is not known: the sum of lists."""
        parts: list[Value] = []
        unknown = False
        for k, part in enumerate(node.elts):
            if isinstance(part, gast.Starred):
                value = self.expr(part.value)
                value = self.what_is_left(value) if self.is_asked(value) else value
                changes = any(map(self.may_run_code, node.elts[k + 1 :]))
                with self.at(part):
                    if not isinstance(value, Ref) and not self.is_static_iterable(value):
                        value, unknown = self.materialized(value), True
                        value = self.joined_lists(value, Tup(())) if changes else value
                    elif changes:
                        value = self.as_it_is(value, whole=False)
                parts.append(value)
            else:
                parts.append(Tup((self.held(self.expr(part)),)))
        if not unknown:
            items: list[Value] = []
            for element, part in zip(node.elts, parts, strict=True):
                with self.at(element):
                    items += self.iterate_static(part)
            return Tup(tuple(items))
        total, *others = parts if len(parts) > 1 else (Tup(()), *parts)  # (the list is a new one)
        for part in others:
            total = self.joined_lists(total, part)
        return total

    def is_static_iterable(self, value: Value) -> bool:
        raise NotImplementedError

    def materialized(self, value: Value) -> Value:
        raise NotImplementedError

    def form_of_rows(self, table: Known) -> Kind | None:
        raise NotImplementedError

    def row_at(self, table: Known, form: Kind, position: Value) -> Value:
        raise NotImplementedError

    def expr_List(self, node: Any) -> Value:
        site = self.site(node)
        if any(isinstance(e, gast.Starred) for e in node.elts):
            whole = self.starred_list(node)
            if isinstance(whole, Leaf):
                return whole
            items = [self.held(v) for v in self.iterate_static(whole)]
        else:
            items = [self.held(v) for v in self.display_items(node, node.elts)]
        if site not in self.decisions.dynamic:
            return self.allocate(ListObj(items, site))
        assigned = getattr(node, "assigned", None)
        return self.dynamic_list(site, items, assigned or "lst", user=assigned)

    def dynamic_list(self, site: Any, items: list[Value], stem: str = "lst", user: str | None = None) -> Leaf:
        """A list that is a list at run time, because it grows in a loop or is indexed by a variable.

        `user`: the name that the user gives it.
        """
        kind = self.decisions.dynamic[site]
        for item in items:
            own = self.kind_in_run(item)
            kind = own if kind is None else self.join_kind(kind, own)
        varied = site in self.decisions.varied_lists or any(self.is_varied(v) for v in items)
        varied = varied or self.active_when_made(ListOf(kind if kind is not None else Nothing()), stem)
        name = self.facts.fresh(stem, temp=user is None)
        if user is not None:
            self.facts.user_name[name] = user
        self.facts.kinds[name] = ListOf(kind if kind is not None else Nothing())
        if varied:
            self.facts.varied.add(name)
        self.write(assign(name, gast.List([], gast.Load())))
        self.site_of[name] = site
        self.made_here.add(name)
        self.new_lists.add(name)
        leaf = Leaf(load(name), self.facts.kinds[name], varied)
        for item in items:
            self.list_append(leaf, item)
        return Leaf(load(name), self.facts.kinds[name], name in self.facts.varied)

    def new_list(self, items: list[Value]) -> Value:
        """A list made at this place: of known structure, unless it has to be a list at run time."""
        site = self.site(self.node)
        if site in self.decisions.dynamic:
            return self.dynamic_list(site, items)
        return self.allocate(ListObj(items, site))

    def list_append(self, lst: Leaf, item: Value, place: Expr | None = None) -> None:
        """`lst.append(item)`, or `lst.insert(place, item)`, for a run-time list; what the item is like becomes part of
        what is known of the list."""
        item = self.put_together(item)
        self.is_group(lst, item)
        if isinstance(item, (Closure, Method, Partial, Ref)):
            self.unroll_a_loop()
        if self.is_varied(item) or self.lost:
            self.changes_in_passing()
        assert isinstance(lst.kind, ListOf)
        self.hold_lists(item, lst.kind.item)
        self.learn_item(lst, item)
        item = self.as_plain(lst, item)
        method = gast.Attribute(clone(lst.expr), "append" if place is None else "insert", gast.Load())
        self.write(gast.Expr(gast.Call(method, [*([] if place is None else [place]), self.operand(item)], [])))

    def as_plain(self, lst: Leaf, item: Value) -> Value:
        """An item of a run-time list of active values: namedtuples are tuples there."""
        if isinstance(item, Tup) and item.cls is not Keys and (lst.varied or self.is_varied(item)):
            return Tup(tuple(self.as_plain(lst, part) for part in item.items))
        return item

    def is_group(self, lst: Leaf, item: Value) -> None:
        """A list becomes an item of a dict whose keys only the run knows: start again with a dict of lists."""
        *site, stem = self.site_of.get(atom_key(lst.expr)) or (None,)
        obj = self.state.heap[item.id] if isinstance(item, Ref) else None
        a_list = isinstance(obj, ListObj) or (isinstance(item, Leaf) and isinstance(item.kind, ListOf))
        if stem == "held" and a_list and tuple(site) not in self.decisions.grouped:
            self.decisions.grouped.add(tuple(site))
            raise Restart

    def hold_lists(self, item: Value, kind: Kind) -> None:
        """A run-time list takes an item: the lists in it that have another length elsewhere are lists at run time."""
        if isinstance(item, Tup):
            same = isinstance(kind, TupleKind) and len(kind.items) == len(item.items)
            parts = kind.items if isinstance(kind, TupleKind) and same else (Unknown(),) * len(item.items)
            for part, part_kind in zip(item.items, parts, strict=True):
                self.hold_lists(part, part_kind)
            return
        if self.class_of(item) is list and self.instance_of(item) is not None:
            self.refuse("a list that is in a dict of lists goes into another container", ways.COPY_LIST)
        if self.instance_of(item) is not None and (self.is_varied(item) or self.watches_in(item)):
            active = " with active values" if self.is_varied(item) else ""
            self.refuse(
                f"objects{active} in a list that grows at run time",
                ways.TUPLES,
                concrete=True,
            )
        if self.watches_in(item):
            self.refuse("an iterator in a list that grows at run time", ways.LIST)
        if isinstance(item, Known) and is_set(item.value):
            self.copy_made(item)
        self.check_operators_of(item)
        if isinstance(item, Method) and self.is_varied(item) and not self.passive:
            self.refuse("only the run knows which method of an active value is called", ways.CALL, concrete=True)
        if not isinstance(item, Ref):
            return
        obj = self.state.heap[item.id]
        if isinstance(obj, ListObj):
            of_known_length = isinstance(kind, ListKind) and len(kind.items) == len(obj.items)
            if isinstance(kind, (ListOf, ListKind)) and not of_known_length:
                if obj.site is None:
                    self.refuse("lists of different lengths in a run-time list", ways.APPEND)
                self.make_dynamic(obj)
            obj.held = True
            self.copy_made(item)
            for part in obj.items:
                if isinstance(part, (Ref, Tup)):
                    self.hold_lists(part, Unknown())
        elif self.is_varied(item):
            self.refuse(
                "dicts with active values in a list that grows at run time",
                ways.TUPLES,
                concrete=True,
            )
        elif isinstance(obj, DictObj):
            self.copy_made(item)

    def check_operators_of(self, item: Value) -> None:
        """Only the run knows which item is read: that operators mean what they do for numbers has to hold for all."""
        if isinstance(item, Known) and has_own_operators(item.value):
            self.refuse(
                f"an object of class {type(item.value).__name__}, with operators of its own, is in a container where "
                "only the run knows which item is read",
                ways.FUNCTION,
            )

    def learn_item(self, lst: Leaf, item: Value) -> None:
        """What a run-time list takes becomes part of what is known of it."""
        assert isinstance(lst.kind, ListOf)
        if self.is_flat(item):
            self.refuse("array.flat in a list whose items only the run knows", ways.FLAT)
        if isinstance(item, Leaf) and not item.varied and self.is_text_of_active(item.expr):
            self.texts.add(atom_key(lst.expr))
        self.share_kind(lst.kind.item, item, lst.varied)
        if lst.varied and not self.passive:
            self.follow_lists(item)
        sites = self.sites(atom_key(lst.expr))
        for site in sorted(sites, key=repr):
            self.learn_at(site, lst, item)
        if atom_key(lst.expr) not in self.site_of:
            self.takes_in(lst, item)

    def learn_at(self, site: Any, lst: Leaf, item: Value) -> None:
        """What a run-time list that is made at a place takes."""
        kind, known = timeless(self.kind_in_run(item)), self.decisions.dynamic.get(site)
        joined = kind if known is None else timeless(self.join_kind(known, kind))
        varied = self.is_varied(item) and not self.passive
        if varied or (lst.varied and not self.passive):
            self.check_form(kind, known, joined)
        if (known is None or joined != known) or (varied and site not in self.decisions.varied_lists):
            if known is None:
                self.decisions.learn(site, joined)
            self.decisions.dynamic[site] = joined
            if varied:
                self.decisions.varied_lists.add(site)
            raise Restart

    def check_form(self, kind: Kind, known: Kind | None, joined: Kind) -> None:
        """The items of a list with active values are of one form, and no dicts."""
        forms = (ListOf, ListKind, TupleKind, Object)
        told = known is not None and not any(type(k) is Unknown or isinstance(k, Static) for k in (kind, known))
        several = told and type(joined) is Unknown and any(isinstance(k, forms) for k in (kind, known))
        if several or isinstance(joined, DictKind):
            self.refuse(
                "a run-time list of active values has items of several forms, or dicts",
                ways.LIST_EACH,
                concrete=True,
            )

    def items_in(self, item: Value) -> tuple[Value, ...]:
        """The items of a tuple or a list that is known item by item; of another value, this alone."""
        if isinstance(item, Tup):
            return item.items
        obj = self.state.heap.get(item.id) if isinstance(item, Ref) else None
        return tuple(obj.items) if isinstance(obj, ListObj) else () if isinstance(item, Ref) else (item,)

    def share_kind(self, kind: Kind, item: Value, active: bool) -> None:
        """A list goes into a list of lists that get floats, say, by an index: then it may be the one that gets them.

        Args:
            active: does that list hold active values? What they are need not be known then.
        """
        parts = self.items_in(item)
        if isinstance(kind, (TupleKind, ListKind)) and len(parts) == len(kind.items):
            for part_kind, part in zip(kind.items, parts, strict=True):
                self.share_kind(part_kind, part, active)
        if not (isinstance(item, Leaf) and isinstance(item.kind, ListOf) and isinstance(kind, ListOf)):
            return
        sites = self.sites(atom_key(item.expr))
        if not sites:
            self.learn_part(item, timeless(self.join_kind(item.kind.item, kind.item)), False)
        for site in sorted(sites, key=repr):
            known = self.decisions.dynamic.get(site)
            joined = timeless(kind.item if known is None else self.join_kind(known, kind.item))
            told = not isinstance(joined, (Unknown, Nothing)) or (active and type(joined) is Unknown)
            if joined != known and told:
                self.decisions.learn(site, joined)
                self.decisions.dynamic[site] = joined
                raise Restart

    def follow_lists(self, item: Value) -> None:
        """A list that goes into a list of active lists is active from the start: its changes are followed."""
        for part in self.items_in(item):
            if isinstance(part, (Tup, Ref)):
                self.follow_lists(part)
            if not isinstance(part, Leaf) or not isinstance(part.kind, ListOf) or part.varied:
                continue
            sites = self.sites(atom_key(part.expr)) - self.decisions.varied_lists
            if is_float_kind(part.kind) and sites:
                self.decisions.varied_lists |= sites
                raise Restart
            if is_float_kind(part.kind):
                self.gets_active(part)
                self.mark_varied(part, True)

    def learn_part(self, lst: Leaf, kind: Kind, varied: bool) -> bool:
        """A list that is an item of a run-time list becomes active, or holds items of this kind: what is known of the
        outer list changes. False where nothing is known about that."""
        assert isinstance(lst.kind, ListOf)
        name, inner, more = atom_key(lst.expr), kind, varied and not lst.varied
        if name not in self.part_of or (kind == lst.kind.item and not more):
            return name in self.part_of
        while name in self.part_of:
            name, part = self.part_of[name]
            whole = self.facts.kinds[name]
            assert isinstance(whole, ListOf)
            inner = ListOf(inner)
            inner = _with_part(whole.item, part, inner)
        site = self.site_of.get(name)
        if site is None:
            return False
        known = self.decisions.dynamic.get(site)
        joined = timeless(inner if known is None else self.join_kind(known, inner))
        if joined == known and not (varied and site not in self.decisions.varied_lists):
            return True
        self.decisions.learn(site, joined)
        self.decisions.dynamic[site] = joined
        if varied:
            self.decisions.varied_lists.add(site)
        raise Restart

    def takes_in(self, lst: Leaf, item: Value) -> None:
        """A list that was made in one piece (by a comprehension, say) gets an active item: then it is active, too."""
        assert isinstance(lst.kind, ListOf)
        varied = self.is_varied(item) and not self.passive
        if self.learn_part(lst, self.join_kind(lst.kind.item, timeless(self.kind(item))), varied):
            return
        joined = self.join_kind(lst.kind.item, timeless(self.kind(item)))
        if holds_complex(joined) and not holds_complex(lst.kind.item) and not isinstance(lst.kind.item, Nothing):
            self.refuse(
                "complex numbers go into a list that was made with real ones",
                "make the list with complex numbers, such as [0j for ...]",
            )
        if joined != lst.kind.item and any(isinstance(k, Static) for k in _leaves_of(lst.kind.item)):
            self.refuse(
                "a list that was made in one piece, all of the same constants, takes others",
                ways.APPEND,
            )
        if not varied:
            return
        not_known = isinstance(lst.kind.item, Nothing) and not self.sites(atom_key(lst.expr))
        other = isinstance(joined, Unknown) and joined != lst.kind.item
        if isinstance(lst.kind.item, Array) and lst.kind.item.shape == ():
            other = other and not isinstance(self.kind(item), Number)  # (np.zeros_like of numbers gives arrays)
        if not_known or other or not is_float_kind(lst.kind.item):
            self.refuse(
                "active values go into a list that was made with values of another kind",
                ways.FLOATS,
            )
        if not lst.varied:
            self.gets_active(lst)
            self.mark_varied(lst, True)
            self.mark_outer(atom_key(lst.expr))

    def mark_outer(self, name: str) -> None:
        """The lists that a list was taken from become active with it, and so do others that were taken from those."""
        while name in self.part_of:
            name, _ = self.part_of[name]
            for key in (name, *(k for k, (owner, _) in self.part_of.items() if owner == name)):
                if key not in self.facts.varied:
                    self.mark_varied(Leaf(load(key), self.facts.kinds[key], False), True)

    def mark_varied(self, leaf: Leaf, varied: bool) -> None:
        raise NotImplementedError

    def expr_Dict(self, node: Any) -> Value:
        items: dict[Any, Value] = {}
        attempt = Attempt(self)
        for key, part in zip(node.keys, node.values, strict=True):
            if key is None:
                merged = self.expr(part)
                if is_known_a(merged, dict):
                    items.update(self.entries(merged))
                    continue
                obj = self.state.heap[merged.id] if isinstance(merged, Ref) else None
                if not isinstance(obj, DictObj):
                    self.refuse("** of a dict whose keys are not known", ways.KEYS)
                items.update(obj.items)
                continue
            name = static(self.passively(key))
            if name is _NO:
                attempt.undo()
                return self.unknown_dict(node)
            items[name] = self.held(self.expr(part))
        attempt.keep()
        return self.new_dict(items, self.site(node))

    def new_dict(self, items: dict[Any, Value], site: Any, factory: Value | None = None) -> Value:
        """A dict made at this place: of known keys, unless it gets others; then it is one at run time, or a Table."""
        keys = [self.expression(Known(k)) for k in items]
        if site in self.decisions.tables and not any(map(self.is_varied, items.values())):
            display: Expr = gast.Dict(keys, [self.kept_in_run(v) for v in items.values()])
            if factory is not None:
                self.decisions.defaulting.add(site)
                display = self.defaultdict_of(factory, display)
            kinds = [self.kind(v) for v in items.values()]
            counts = all(isinstance(k, Number) and k.type is int for k in kinds)
            counts = counts and (factory is None or is_it(factory, int))
            counts = counts and site not in self.decisions.no_places
            counts = counts and holds_places(self.frame.source.tree, self.node)
            leaf = self.define("table", display, Places() if counts else Unknown())
            self.table_of[atom_key(leaf.expr)] = site
            return leaf
        if site not in self.decisions.unfit:
            cls = dict if factory is None else collections.defaultdict
            return self.allocate(DictObj(items, site, factory=factory, cls=cls))
        return self.new_table([Known(k) for k in items], list(items.values()), site, factory)

    def new_table(self, keys: list[Value], items: list[Value], site: Any, factory: Value | None = None) -> Value:
        """A Table with different keys. One container under its only key, which others may have, is known there."""
        places: list[Expr] = [gast.Constant(k, None) for k in range(len(items))]
        alone = len(items) == 1 and self.is_one_container(items) and (*site, "held") not in self.decisions.dynamic
        grouped = (site in self.decisions.grouped or is_it(factory, list)) and not alone
        if grouped and items:
            self.refuse("a dict of lists gets keys known at run time only beside others", "begin with {}")
        display = gast.Dict(list(map(self.expression, keys)), places)
        place = self.define("place", display, PlaceLists() if grouped else Places())
        lists: list[Value] = []
        for stem, given in (("names", keys), ("held", items)):
            within = (*site, stem)
            if alone and stem == "held":
                lists.append(self.allocate(ListObj(given, within)))
                continue
            self.decisions.dynamic.setdefault(within, None)  # type: ignore[arg-type]
            lists.append(self.dynamic_list(within, given, stem))
        names, held = lists
        like = Known(dict if factory is None else collections.defaultdict)
        parts: dict[str, Value] = {"place": place, "names": names, "held": held}
        parts |= {"factory": factory or Known(None), "like": like}
        return self.allocate(Instance(Groups if grouped else Table, parts, site))

    def runs_over(self, table: Instance) -> bool:
        """Is a statement inside a loop over a dict? There it gets no new keys: Python would raise an exception."""
        held = table.attributes["held"]
        return isinstance(held, Leaf) and atom_key(held.expr) in self.tables_run_over

    def entries(self, table: Known) -> dict[Any, Value]:
        """The items of a dict that is there at derivation."""
        base = self.expression(table)
        return {
            key: self.from_python(
                part, gast.Subscript(clone(base), self.expression(Known(key)), gast.Load()), place=place
            )
            for key, (part, place) in table.ask(Look.PARTS).items()
        }

    def unknown_dict(self, node: Any) -> Value:
        if None in node.keys:
            self.refuse("** in a dict with keys that are not known at derivation", ways.KEYS)
        self.passive += 1
        try:
            parts = self.in_order(node, [part for pair in zip(node.keys, node.values, strict=True) for part in pair])
        finally:
            self.passive -= 1
        keys, values = parts[::2], parts[1::2]
        self.check_keys(keys)
        read = (isinstance(v, Leaf) and is_float_kind(v.kind) and self.reads_active(v.expr) for v in values)
        if any(map(self.is_varied, values)) or (not self.passive and any(read)):
            if self.passive or self.text_only:
                self.refuse("a dict with keys that are not known at derivation holds active values", ways.KEYS)
            return self.filled_one_by_one(node)
        display = gast.Dict([self.expression(k) for k in keys], [self.kept_in_run(v) for v in values])
        return Leaf(display, Unknown(), nested=True)

    def filled_one_by_one(self, node: Any) -> Value:
        """`{k: x, m: y}` of keys that only the run knows, as `d = {}; d[k] = x; d[m] = y`."""
        pairs = zip(node.keys, node.values, strict=True)
        given = [(self.held(self.expr(key)), self.held(self.expr(item))) for key, item in pairs]
        site = self.site(node)
        if len(given) == 1 and self.is_one_container([given[0][1]]) and not isinstance(given[0][1], Tup):
            return self.new_table([given[0][0]], [given[0][1]], site)
        made = self.new_table([], [], site)
        for key, item in given:
            self.store(gast.copy_location(gast.Subscript(Bound(made), Bound(key), gast.Store()), node), item)
        return made

    def check_keys(self, keys: Iterable[Value], whole: bool = False) -> None:
        """Refuse active floats as keys of a dict and items of a set, from which they could be taken again.

        `whole`: the keys are the items of these.
        """
        for key in keys:
            active = self.is_varied(key) or (isinstance(key, Leaf) and self.reads_active(key.expr))
            if active and not self.passive and (whole or is_float_key(self.kind(key))):
                self.refuse(
                    "an active value is the key of a dict, or an item of a set: derivatives do not go through these",
                    "keep it in a list, and let the key be an index or a name",
                )

    def reads_active(self, expr: Expr) -> bool:
        """Is an active value among what an expression reads?"""
        return reads_any(expr, self.facts.varied)

    def expr_Set(self, node: Any) -> Value:
        values: list[Value] = []
        shown: list[Any] = []
        for element in node.elts:
            starred = isinstance(element, gast.Starred)
            value = self.passively(element.value if starred else element)
            parts = [value]
            if starred and self.is_static_iterable(value):
                parts, starred = self.iterate_static(value), False
            elif starred:
                self.check_keys(parts, whole=True)
            values += parts
            shown += [gast.Starred(e, gast.Load()) if starred else e for e in map(self.expression, parts)]
        self.check_quiet(values)
        self.check_keys(values)
        items = [static(v) for v in values]
        known = all(v is not _NO for v in items) and not any(isinstance(e, gast.Starred) for e in shown)
        if known and not self.decisions.sets_change:
            return Known(frozenset(items), gast.Set(shown))
        return Leaf(gast.Set(shown), Unknown(), nested=True)

    def expr_NamedExpr(self, node: Any) -> Value:
        passive, self.passive = self.passive, 0 if self.block is not None and not self.text_only else self.passive
        outer, self.begun = self.begun, (self.block, len(self.block) if self.block is not None else 0)
        try:
            value = self.expr(node.value)
            self.assign_name(node.target.id, value)
        finally:
            self.passive, self.begun = passive, outer
        return self.lookup(node.target.id)

    def expr_Starred(self, node: Any) -> Value:
        self.refuse("a starred expression cannot stand here", ways.ONE_BY_ONE)

    # --- attributes and subscripts

    def instance_of(self, value: Value) -> Instance | Known | None:
        """The object behind a value whose class is the user's."""
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            return obj if isinstance(obj, Instance) else None
        if isinstance(value, Known) and _is_user_object(value):
            return value
        return None

    def number_within(self, value: Value) -> Value:
        """The number that an object of a class built on float is, for what asks no more; other values as they are."""
        held = self.instance_of(value)
        return held.attributes.get(NUMBER_WITHIN, value) if isinstance(held, Instance) else value

    def number_compared(self, value: Value) -> Value:
        """As `number_within`, where the class does not say itself what comparisons mean."""
        own = any(self.find_method(value, m) for m in (*COMPARE_METHOD.values(), "__ne__"))
        return value if own else self.number_within(value)

    def has_methods(self, value: Value) -> bool:
        """May the class of a value, which is the user's, say what operators mean?"""
        return self.instance_of(value) is not None or (isinstance(value, Tup) and value.cls not in (tuple, Keys))

    def may_run_code(self, node: Any) -> bool:
        """May computing an expression do something: does it call a function, or ask an object of the user's for an item
        or a property, for what an operator means, or whether it is true?

        What the variables of a comprehension stand for is not known yet: there any object that is named may be asked.
        """
        nodes = list(walk(node))
        if any(isinstance(n, (gast.Call, gast.NamedExpr)) or self.asks_an_object(n) for n in nodes):
            return True
        return any(isinstance(n, gast.comprehension) for n in nodes) and self.names_an_object(node)

    def asks_an_object(self, node: Any) -> bool:
        """Does the outermost operation of an expression run a method of an object's class?"""
        if isinstance(node, gast.Attribute):
            owner = self.as_it_stands(node.value)
            cls = self.class_of(owner) if owner is not None and self.instance_of(owner) is not None else None
            ruled = cls is not None and (is_ruled(cls, node.attr) or _finds_attributes(cls))
            return ruled or (owner is None and self.names_an_object(node.value))
        for part in _asked_by(node):
            owner = self.as_it_stands(part)
            if self.has_methods(owner) if owner is not None else self.names_an_object(part):
                return True
        return False

    def as_it_stands(self, node: Any) -> Value | None:
        """What a name, or a plain attribute of an object that has one, holds; None for all other expressions."""
        if isinstance(node, gast.Name):
            frame = self.find_frame(node.id)
            return self.state.frames[frame].get(node.id) if frame is not None else None
        if isinstance(node, gast.Attribute):
            owner = self.as_it_stands(node.value)
            obj = self.instance_of(owner) if owner is not None else None
            if isinstance(obj, Instance) and not is_ruled(obj.cls, node.attr):
                return obj.attributes.get(node.attr)
        return None

    def names_an_object(self, node: Any) -> bool:
        """Does an expression name an object of the user's, or what holds one?"""
        for part in walk(node):
            held = self.as_it_stands(part) if isinstance(part, gast.Name) else None
            if isinstance(part, gast.Name) and self.find_frame(part.id) is None:
                outer = self.frame.source.globals.get(part.id)
                if not is_inert(outer) and restless_in([outer]) is not None:
                    return True
            if held is not None and any(self.has_methods(v) for v in (held, *self.within(held, set()))):
                return True
        return False

    def is_derived_from(self, value: Value, other: Value) -> bool:
        """Is the class of a value built on another's? Then Python asks it first what an operator of both means."""
        if not (self.has_methods(value) and self.has_methods(other)):
            return False
        cls, base = self.class_of(value), self.class_of(other)
        return cls is not None and base is not None and cls is not base and issubclass(cls, base)

    def knows(self, left: Value, right: Value) -> bool:
        """Does a number of Python's say what an operator means with what is right of it? With an int of a class of the
        user's a float does, and the class is not asked."""
        kind, cls = left.kind if isinstance(left, Leaf) else None, self.class_of(right)
        if cls is None or not isinstance(kind, Number) or kind.types:
            return False
        above = {bool: (int,), float: (int,), complex: (int, float)}.get(kind.type, ())
        return issubclass(cls, above)

    def class_method(self, value: Value, name: str) -> Any:
        cls = self.class_of(value)
        return None if cls is None else class_entry(cls, name)

    def expr_Attribute(self, node: Any) -> Value:
        base = self.expr(node.value)
        return self.attribute(base, node.attr)

    def check_reads(self, cls: type, installed: bool = False) -> None:
        """The attributes of an object are what it holds, and what its class has; those of the objects that are there
        already may also be what an installed package says."""
        own = cls.__getattribute__
        if isinstance(own, types.FunctionType) and not (installed and is_installed(own)):
            reason = f"the class {cls.__name__} says itself what reading an attribute means"
            self.refuse(reason, "pass the numbers that it holds instead")

    def check_computed(self, owner: Known, name: str) -> None:
        """Refuse an attribute of an object or a module that code of the user's computes where it is read."""
        if owner.is_a(types.ModuleType):
            own = owner.ask(Look.HOLDS, "__getattr__") and is_own(owner.itself)
            computed = own and not owner.ask(Look.HOLDS, name)
        else:
            computed = _computes_itself(inspect.getattr_static(owner.itself, name, None))
        if computed:
            self.refuse("an attribute of a global that is computed where it is read", ways.FUNCTION)

    def attribute(self, base: Value, name: str) -> Value:
        base = tuple_of(base)
        if not (isinstance(base, Ref) and name in contents(self.state.heap[base.id])):
            self.check_attribute_name(name)
        if isinstance(base, Known) and base.cls in OUTER and name in PUTS_IN and hasattr(base.cls, name):
            expr = clone(base.expr) if base.expr is not None else self.expression(base)
            return Known(base.ask(Look.ATTRIBUTE, name)[0], gast.Attribute(expr, name, gast.Load()))
        kind = base.kind if isinstance(base, Leaf) else None
        fields = getattr(kind.cls, "_fields", ()) if isinstance(kind, TupleKind) else ()
        if isinstance(base, Leaf) and name in fields:  # in a run-time list it is a tuple
            return self.subscript(base, gast.copy_location(gast.Constant(fields.index(name), None), self.node))
        if name == "__class__" and isinstance(base, (Leaf, Maybe)) and self.perhaps_list(base):
            return self.call_value(Known(type), [base], {})
        if isinstance(base, Leaf):
            return self.leaf_attribute(base, name)
        frozen = self.frozen(base)
        if frozen is not None and callable(getattr(frozen.function.value, name, None)):  # type: ignore[attr-defined]
            return Method(Known(("distribution", name)), frozen)
        if isinstance(base, Known):
            if base.is_a(frozenset) and name == "pop":
                self.sets_of_the_run()
            if base.is_a(frozenset) and name in SET_CHANGES:
                return Method(Known(("set", name)), base)
            if base.is_a(slice) and name == "indices":
                return Method(Known(("slice", name)), base)
            self.check_reads(base.cls, installed=True)
            self.check_computed(base, name)
            if _is_user_object(base) and inspect.getattr_static(base.itself, name, _NO) is _NO:
                getter = self.find_method(base, "__getattr__")
                if getter is not None and not base.ask(Look.HOLDS, name):
                    return self.call_value(getter, [Known(name)], {})
            try:
                value, place = base.ask(Look.ATTRIBUTE, name)
            except AttributeError:
                self.no_attribute(base.cls.__name__, name)
            changed = self.state.frames.get(-id(getattr(base.itself, "__dict__", None)), {}).get(name)
            if base.is_a(types.ModuleType) and changed is not None:
                return changed
            expr = gast.Attribute(self.expression(base), name, gast.Load())
            if _is_user_object(base):
                method = self.find_method(base, name)
                if method is not None:
                    return method
            return self.from_python(value, expr, place=place)
        if isinstance(base, Tup):
            fields = getattr(base.cls, "_fields", ())
            if name in fields:
                return base.items[fields.index(name)]
            if base.cls is not tuple:
                method = self.class_attribute(base.cls, name, base)
                if method is not None:
                    return method
            if base.cls is tuple and not hasattr(tuple, name):
                self.no_attribute("tuple", name)
            return Method(Known(getattr(base.cls, name, None)), base)
        if isinstance(base, Ref):
            obj = self.state.heap[base.id]
            if isinstance(obj, Instance):
                self.check_reads(obj.cls)
                if name in obj.partial and self.attempts:
                    self.may_lack(name)
                ruled = is_ruled(obj.cls, name)
                if name in obj.attributes and not ruled:
                    return obj.attributes[name]
                if name == "__class__":
                    return Known(obj.cls)
                if name == "__dict__":
                    self.all_attributes(obj)
                    made = self.allocate(DictObj(dict(obj.attributes), ("__dict__", self.site(self.node))))
                    self.state.stands_for(made.id, [base.id])  # a change of the object is a change of it
                    return made
                if obj.stale and not hasattr(class_entry(obj.cls, name), "__get__"):
                    self.fresh(obj)  # (an attribute that hides the class's own may have been set under another name)
                found = self.class_attribute(obj.cls, name, base)
                if found is not None:
                    return found
                getter = None if name.startswith("__") else self.class_attribute(obj.cls, "__getattr__", base)
                if getter is not None and name not in obj.partial and not obj.foreign:
                    return self.call_value(getter, [Known(name)], {})
                missing = AttributeError(f"{obj.cls.__name__!r} object has no attribute {name!r}")
                if is_standard(obj.cls):
                    there = ", ".join(n for n in obj.attributes if not n.startswith("_"))
                    self.refuse(
                        f"what the attribute {name!r} of this result is, is not known here",
                        f"use what is known of it: {there}" if there else ways.WRITE_OUT,
                    )
                self.check_stand_in(obj.cls)
                self.refuse(
                    f"objects of class {obj.cls.__name__} have no attribute {name!r} here",
                    "set it in __init__",
                    raises=None if hasattr(obj.cls, "__getattr__") or obj.foreign else missing,
                )
            if name == "maxlen" and isinstance(obj, ListObj) and obj.cls is collections.deque:
                return Known(None) if obj.limit is None else self.from_python(obj.limit, gast.Constant(obj.limit, None))
            if name == "__class__":
                return Known(obj.cls)
            cls = obj.cls if isinstance(obj, (ListObj, DictObj)) else None
            if cls in (list, dict) and not hasattr(cls, name):
                if cls is list and hasattr(collections.deque, name):  # (of what the run keeps, the class is not)
                    self.refuse_class_between("deque")
                self.no_attribute(cls.__name__, name)
            return Method(Known(("container", name)), base)
        if isinstance(base, Super):
            return self.inherited(base, name)
        cut = self.bounds_of(base) if isinstance(base, Lazy) else None
        if cut is not None and name in ("start", "stop", "step"):
            return cut[("start", "stop", "step").index(name)]
        if cut is not None and name == "indices":
            return Method(Known(("slice", name)), base)
        if isinstance(base, (Closure, Method)):
            if name == "__name__" and isinstance(base, Closure):
                return Known(base.source.tree.name)
            if isinstance(base, Closure) and name in self.set_on.get(base, {}):
                return Known(self.set_on[base][name])
            self.refuse(f"attribute {name!r} of a function", "pass the value in another way")
        self.refuse(f"attribute {name!r} of this value is not known", ways.ARGUMENT)

    def frozen(self, base: Value) -> Partial | None:
        """A distribution of scipy.stats with its parameters: made here (`stats.norm(mu, sigma)`), or found."""
        if isinstance(base, Partial):
            return base if isinstance(base.function, Known) and is_distribution(base.function.value) else None
        if not isinstance(base, Known) or base.cls.__name__ not in _FROZEN:
            return None
        owner = base.value
        distribution = getattr(sys.modules["scipy.stats"], owner.dist.name, None)
        if distribution is None:
            return None
        expr = self.expression(base)
        args = (self.from_python(v, quote("d.args[i]", d=expr, i=i)) for i, v in enumerate(owner.args))
        named = {k: quote("d.kwds[k]", d=expr, k=gast.Constant(k, None)) for k in owner.kwds}
        kwds = ((k, self.from_python(v, named[k])) for k, v in owner.kwds.items())
        function = Known(distribution, load(self.global_name(owner.dist.name, distribution)))
        return Partial(function, tuple(args), tuple(kwds))

    def leaf_attribute(self, base: Leaf, name: str) -> Value:
        kind = base.kind
        self.check_exception(base)
        if name == "maxlen" and (limit := self.limit_of(base)) is not None:
            return limit
        if isinstance(kind, Object) and is_labelled(kind.cls) and not callable(getattr(kind.cls, name, None)):
            expr = gast.Attribute(self.expression(base), name, gast.Load())
            return Leaf(expr, self.infer(expr), nested=True)
        plain = kind.type if isinstance(kind, Number) and not kind.types else object
        if self.attempts and plain in (bool, int, float, complex) and not hasattr(plain, name):
            self.no_attribute(plain.__name__, name)
        if name in ("shape", "size", "ndim", "dtype", "itemsize", "nbytes"):
            expr = gast.Attribute(self.expression(base), name, gast.Load())
            if name == "dtype" and isinstance(kind, Array) and not kind.mixed:
                return Known(kind.dtype, expr)
            found = self.infer(expr)
            if isinstance(found, TupleKind):
                return (
                    Tup(
                        tuple(
                            Leaf(gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()), k, nested=True)
                            for i, k in enumerate(found.items)
                        )
                    )
                    if self.unpacking_shape()
                    else Leaf(expr, found, nested=True)
                )
            if name == "ndim" and isinstance(found, Number) and found.value is not None and found.value.known:
                return Leaf(expr, found, const=found.value.const, nested=True)
            return Leaf(expr, found, nested=True)
        if isinstance(kind, Array) and name == "device" and hasattr(np.ndarray, name):
            return Known("cpu")  # NumPy has no other
        if isinstance(kind, Array) and name == "flags":
            return Leaf(gast.Attribute(self.expression(base), name, gast.Load()), Object(_FLAGS), nested=True)
        if isinstance(kind, Object) and kind.cls is _FLAGS:
            return Leaf(gast.Attribute(self.expression(base), name, gast.Load()), Number(bool), nested=True)
        if isinstance(kind, Array) and name == "flat":
            made = self.call_method_named(base, "ravel")
            if isinstance(made, Leaf):
                call = self.block[-1].value if isinstance(made.expr, gast.Name) else made.expr
                call.flat = True  # it never is a copy
                if isinstance(made.expr, gast.Name):
                    self.flats.add(made.expr.id)
            return made
        if isinstance(kind, (Array, Unknown, Number)) and registry.is_attribute(name):
            target = registry.method(kind, name)
            if target is not None:
                return self.operation(
                    target, lambda args, _: gast.Attribute(args[0], name, gast.Load()), [self.held(base)]
                )
        if isinstance(kind, Object) and isinstance(getattr(kind.cls, name, None), property):
            expr = gast.Attribute(self.expression(base), name, gast.Load())
            return Leaf(expr, self.infer(expr), nested=True)
        if name == "data" and isinstance(kind, Array) and not self.is_varied(base):  # the same memory
            return self.call_value(Known(memoryview), [self.held(base)], {})
        own = getattr(np.ndarray if isinstance(kind, (Array, Unknown)) else plain, name, None)
        if isinstance(own, types.GetSetDescriptorType) and base.varied and not self.passive:
            self.refuse(f"the attribute {name!r} has no derivative rule", ways.SAME_IN_NUMPY)
        if isinstance(own, types.GetSetDescriptorType) and isinstance(kind, (Array, Number)):  # `base` may be None
            expr = gast.Attribute(self.expression(base), name, gast.Load())
            return Leaf(expr, self.infer(expr), nested=True)
        classes = _possible_classes(kind)
        if classes and not any(hasattr(cls, name) for cls in classes):
            self.no_attribute(classes[0].__name__, name)
        if isinstance(kind, Unknown) and base.varied and not self.passive and not hasattr(np.ndarray, name):
            self.refuse(f"the attribute {name!r} of an active value whose kind is not known", "pass the value itself")
        return Method(Known(("method", name)), base)

    def check_exception(self, value: Value) -> None:
        """What an exception holds is not followed: where it may be active, it must not be read."""
        if not self.passive and self.is_exception(value) and self.is_varied(value):
            self.refuse(
                "what an exception carries may be active, and is not followed", ways.RETURN
            )

    def no_attribute(self, cls: str, name: str) -> NoReturn:
        missing = AttributeError(f"{cls!r} object has no attribute {name!r}")
        self.refuse(f"{cls} has no attribute {name!r}", ways.CORRECT, raises=missing)

    def call_method_named(self, base: Leaf, name: str) -> Value:
        return self.call_value(Method(Known(("method", name)), self.held(base)), [], {})

    def unpacking_shape(self) -> bool:
        return False

    def class_attribute(self, cls: type, name: str, owner: Value) -> Value | None:
        """A method, property or class variable, found through the class as Python does."""
        found = class_entry(cls, name, _NO)
        if found is _NO and is_known_a(owner, type):
            found = inspect.getattr_static(cls, name, _NO)  # of the metaclass
        if found is _NO:
            return None
        if isinstance(found, types.MemberDescriptorType) and isinstance(owner, Ref):
            return None  # a slot that is not set
        if name in CHANGES_KEYS and isinstance(owner, Ref) and issubclass(cls, Table):
            table = self.state.heap[owner.id]
            if isinstance(table, Instance) and self.runs_over(table):
                self.refuse("a dict gets or loses a key while a loop runs over it", "run over a list of its keys")
        return self.bound_attribute(found, cls, name, owner)

    def inherited(self, base: Super, name: str) -> Value:
        """An attribute of super(): the first one behind the class in the order of its bases."""
        owner_cls = self.class_of(base.owner)
        if is_known_a(base.owner, type):
            owner_cls = base.owner.value
        order = list(owner_cls.__mro__) if owner_cls is not None else []
        if base.cls not in order:
            self.refuse("super() of an object of another class", ways.PARENT)
        for cls in order[order.index(base.cls) + 1 :]:
            if name in cls.__dict__:
                found = self.bound_attribute(cls.__dict__[name], cls, name, base.owner)
                assert found is not None
                return found
        self.refuse(f"the parent classes have no attribute {name!r}", ways.CORRECT)

    def bound_attribute(self, found: Any, cls: type, name: str, owner: Value) -> Value | None:
        """What reading an attribute that was found in a class gives."""
        import functools
        import types

        if isinstance(found, types.FunctionType):
            return Method(Known(found), owner)
        if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType)):
            return Method(Known(found), owner)
        if isinstance(found, staticmethod):
            return Known(found.__func__)
        if isinstance(found, classmethod):
            return Method(Known(found.__func__), Known(cls))
        if isinstance(found, property):
            return self.call_value(Known(found.fget), [owner], {})
        if isinstance(found, functools.cached_property):
            value = self.held(self.call_value(Known(found.func), [owner], {}), name)
            if isinstance(owner, Ref):
                obj = self.state.heap[owner.id]
                assert isinstance(obj, Instance)
                obj.attributes[name] = value
                self.changed(obj)
            return value
        of_class = is_known_a(owner, type)
        if isinstance(found, functools._lru_cache_wrapper) and not of_class:
            self.refuse(
                "a method that keeps its results (functools.cache, lru_cache): the object may change between calls",
                ways.NOT_CACHED,
            )
        if descriptor_method(found, "__get__") is not None:
            return self.call_value(Known(descriptor_method(found, "__get__")), [Known(found), owner, Known(cls)], {})
        if isinstance(found, types.GetSetDescriptorType) and not of_class:  # C code says it, of the object
            expr = gast.Attribute(self.expression(owner), name, gast.Load())
            return Leaf(expr, self.infer(expr), nested=True)
        plain, place = Known(cls).ask(Look.ATTRIBUTE, name)
        expr = gast.Attribute(load(self.global_name(cls.__name__, cls)), name, gast.Load())
        if callable(plain) and hasattr(plain, "primal"):
            return Method(Known(plain), owner)
        return self.from_python(plain, expr, place=place)

    def find_method(self, value: Value, name: str) -> Value | None:
        import types

        cls: type
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if not isinstance(obj, Instance):
                return None
            cls = obj.cls
        elif isinstance(value, Tup):
            cls = value.cls
        elif isinstance(value, Known):
            cls = value.cls
            if value.ask(Look.HOLDS, name):
                return None
        else:
            return None
        found = class_entry(cls, name)
        if issubclass(type(found), (types.FunctionType, property, staticmethod, classmethod)):
            return self.class_attribute(cls, name, value)
        return None

    def expr_Subscript(self, node: Any) -> Value:
        if isinstance(node.value, gast.Attribute) and node.value.attr == "flat":
            array = self.expr(node.value.value)
            if isinstance(array, Leaf) and isinstance(array.kind, Array):
                if array.kind.layout in (None, "C"):
                    return self.subscript(self.leaf_attribute(array, "flat"), node.slice)
                return self.of_flat(array, node.slice)
            return self.subscript(self.attribute(array, "flat"), node.slice)
        node.value.taken_apart = True
        base = self.rows(node.value) if _is_int(node.slice) else self.expr(node.value)
        if not self.may_run_code(node.slice):
            return self.subscript(base, node.slice)
        site = self.site(node)
        ordered = site in self.decisions.ordered
        base = self.held(base) if ordered else base
        marks, written, block = self.marks(), len(self.block), self.block
        item = self.subscript(base, node.slice)
        changed = self.changed_since(marks, block, written)
        if changed and not ordered and _is_pending(base):  # what is subscripted must not see what the index changes
            self.decisions.ordered.add(site)
            raise Restart
        return item

    def of_flat(self, array: Leaf, index_node: Any) -> Value:
        raise NotImplementedError

    def written_as_slice(self, base: Value, index_node: Any) -> Any:
        """A slice that is kept in a variable, as one that is written where a list or a tuple is cut by it:

        s = slice(1, n); items[s]        ->        items[1:n]
        """
        obj = self.state.heap[base.id] if isinstance(base, Ref) else None
        listed = isinstance(base, Leaf) and isinstance(base.kind, (ListOf, TupleKind))
        known = is_known_a(base, list, tuple)
        if not (isinstance(obj, ListObj) or isinstance(base, Tup) or listed or known):
            return index_node
        made_here = isinstance(index_node, gast.Call) and getattr(index_node.func, "id", "") == "slice"
        if not made_here and not isinstance(index_node, (gast.Name, gast.Attribute, gast.Subscript)):
            return index_node
        if any(map(self.may_run_code, index_node.args if made_here else (index_node,))):
            return index_node
        bounds = self.bounds_of(self.passively(index_node))
        if bounds is None:
            return index_node
        parts = [None if static(v) is None else gast.copy_location(Bound(v), index_node) for v in bounds]
        return gast.copy_location(gast.Slice(*parts), index_node)

    def bounds_of(self, value: Value) -> tuple[Value, Value, Value] | None:
        """Start, stop and step of a slice."""
        if is_known_a(value, slice):
            cut = value.value
            first, last, step = (self.from_python(p, gast.Constant(p, None)) for p in (cut.start, cut.stop, cut.step))
            return first, last, step
        if not isinstance(value, Lazy) or value.function is not slice:
            return None
        none, given = Known(None), value.args
        if len(given) == 1:
            return none, given[0], none
        return given[0], given[1], given[2] if len(given) > 2 else none

    def expr_Bound(self, node: Any) -> Value:
        return node.held  # type: ignore[no-any-return]

    def index_of_method(self, node: Any) -> Value:
        """What the __getitem__ or __setitem__ of an object is given: slices are values there."""
        if isinstance(node, gast.Tuple):
            return Tup(tuple(self.index_of_method(e) for e in node.elts))
        if isinstance(node, gast.Slice):
            return self.index_value(node)
        return self.expr(node)

    def subscript(self, base: Value, index_node: Any) -> Value:
        base = self.there(base)
        index_node = self.written_as_slice(base, index_node)
        if isinstance(index_node, gast.Slice):
            self.check_slice(base)
        if isinstance(base, (Tup, Ref, Known)) or isinstance(getattr(base, "kind", None), (TupleKind, ListOf)):
            index_node = self.computed_once(base, index_node)
        if isinstance(base, (Tup, Ref)) or (isinstance(base, Known) and not base.is_a(type)):
            return self.subscript_container(base, index_node)
        if isinstance(base, Known):
            expr = gast.Subscript(self.expression(base), clone(index_node), gast.Load())
            if not issubclass(base.value, enum.Enum):
                return Known(base.value, expr)
            name = static(self.passively(index_node))
            if name not in base.value.__members__:
                self.refuse(f"a member of {base.value.__name__} by a name that is not known", ways.KEYS)
            expr.slice = gast.Constant(name, None)  # a variable that holds it may have no text of its own
            return self.from_python(base.value[name], expr)
        leaf = self.leaf(base)
        if isinstance(leaf.kind, Number):
            self.check_types(operator.getitem, leaf, Known(0))
        index = self.index(index_node)
        if self.reads_active(index):
            self.check_operator(leaf)
        if isinstance(base, Lazy) and base.function is range and isinstance(index_node, gast.Slice):
            return self.define("places", gast.Subscript(self.expression(leaf), index, gast.Load()), ListOf(Number(int)))
        if isinstance(base, Lazy) and base.function is range:
            kind = self.infer(index)
            if not isinstance(kind, (Unknown, Array)) and not (isinstance(kind, Number) and is_whole(kind.type)):
                missing = TypeError("range indices must be integers or slices")
                self.refuse("an item of a range at what is no int", ways.CORRECT, raises=missing)
        if isinstance(leaf.kind, TupleKind):
            position = static(self.passively(index_node)) if not isinstance(index_node, gast.Slice) else _NO
            if isinstance(position, int):
                if not -len(leaf.kind.items) <= position < len(leaf.kind.items):
                    error = IndexError("tuple index out of range")
                    self.refuse("there is no such item in this tuple", ways.CORRECT, raises=error)
                item = leaf.kind.items[position]
                node = gast.Subscript(self.expression(leaf), index, gast.Load())
                const: Any = NOT_KNOWN
                return Leaf(node, item, leaf.varied and is_float_kind(item), const, nested=True)
        if isinstance(leaf.kind, ListOf) and leaf.varied and isinstance(index_node, gast.Slice):
            return self.slice_of_list(self.held(leaf), index_node)
        held = self.held(leaf)
        if isinstance(leaf.kind, ListOf) and not self.passive and not isinstance(index_node, gast.Slice):
            return self.list_item(held, gast.Subscript(self.expression(held), index, gast.Load()))
        if isinstance(held, Leaf) and self.makes_items(held):
            self.check_keys([Leaf(index, self.infer(index))])
            node = gast.Subscript(self.expression(held), index, gast.Load())
            node.makes_item = True
            return self.define("item", node, self.infer(node)) if not self.text_only else self.nested(node, False)
        taken = self.operation(
            operator.getitem,
            lambda args, _: gast.Subscript(args[0], clone(index), gast.Load()),
            [held],
        )
        if not self.is_flat(leaf) or isinstance(taken.kind, Number) or self.makes_copy(index):
            return taken
        place = self.infer(index)
        if isinstance(place, Number) and is_whole(place.type):  # an item, whatever it is
            return taken
        if atom_key(leaf.expr) in self.half_flats:
            self.refuse(
                "a part of what is array.flat on one path, and perhaps an array on another: one is a copy",
                ways.FLAT,
            )
        return self.call_method_named(taken, "copy")

    def makes_copy(self, index: Expr) -> bool:
        """Does indexing with this make a copy for certain?"""
        raise NotImplementedError

    def computed_once(self, base: Value, index_node: Any) -> Any:
        """An index with calls in it, as what these gave: it is looked at, and then used."""
        own = isinstance(base, Ref) and isinstance(self.state.heap[base.id], Instance)
        if own or (isinstance(base, Known) and base.is_one_of(np.r_, np.c_, np.s_, np.index_exp)):
            return index_node
        if isinstance(index_node, gast.Slice):
            parts = (index_node.lower, index_node.upper, index_node.step)
            once = [None if p is None else self.computed_once(base, p) for p in parts]
            return gast.copy_location(gast.Slice(*once), index_node)
        if not self.may_run_code(index_node):
            return index_node
        return gast.copy_location(Bound(self.passively(index_node)), index_node)

    def makes_items(self, table: Leaf) -> bool:
        """Is it a defaultdict of the run, which changes where an item is read that it has not?"""
        cls = getattr(table.kind, "cls", dict)
        if isinstance(table.kind, Object) and hasattr(cls, "__missing__") and cls is not collections.Counter:
            return True
        site = None if table.nested else self.table_of.get(atom_key(table.expr))
        if site is not None:
            return site in self.decisions.defaulting
        if isinstance(table.kind, DictKind) and self.decisions.has_defaultdicts:
            self.list_changes(table)
        if not isinstance(table.kind, Unknown) or table.varied:
            return False
        # what a function of the user's returns may be one
        return self.decisions.has_defaultdicts or self.root_of(atom_key(table.expr)) in self.made_by

    def index(self, node: Any) -> Expr:
        """An index expression: plain arithmetic on ints stays where it is; anything else that varies gets a name."""
        self.passive += 1
        try:
            return self.index_part(node)
        finally:
            self.passive -= 1

    def index_part(self, node: Any) -> Expr:
        if isinstance(node, gast.Tuple):
            return gast.Tuple([self.index_part(e) for e in node.elts], gast.Load())
        if isinstance(node, gast.Slice):
            parts = [None if p is None else self.index_part(p) for p in (node.lower, node.upper, node.step)]
            return gast.Slice(*parts)
        return self.index_of(self.expr(node))

    def index_of(self, value: Value) -> Expr:
        """A value as an index."""
        if isinstance(value, Ref) and isinstance(self.state.heap[value.id], ListObj):
            return self.expression(value)
        if isinstance(value, Tup):
            return gast.Tuple([self.index_of(v) for v in value.items], gast.Load())
        if is_known_a(value, slice):
            cut = value.value
            bounds = (cut.start, cut.stop, cut.step)
            value = Lazy(slice, tuple(self.from_python(p, gast.Constant(p, None)) for p in bounds))
        if isinstance(value, Lazy) and value.function is slice:
            parts = [None if is_none(p) else self.index_of(p) for p in value.args]
            return gast.Slice(*([None, parts[0], None] if len(parts) == 1 else [*parts, None][:3]))
        leaf = self.leaf(self.as_index(value))
        if leaf.nested and not self.plain(leaf.expr):
            return self.anchor(leaf, "i" if isinstance(leaf.kind, Number) else "index").expr
        return leaf.expr

    def as_index(self, value: Value) -> Value:
        """What an object's __index__ gives, asked once; other values as they are."""
        method = self.find_method(value, "__index__") if self.instance_of(value) is not None else None
        return value if method is None else self.held(self.call_value(method, [], {}), "i")

    def index_value(self, node: Any) -> Value:
        """What `np.s_[...]` is for an index."""
        if isinstance(node, gast.Tuple):
            return Tup(tuple(self.index_value(e) for e in node.elts))
        if isinstance(node, gast.Slice):
            parts = (node.lower, node.upper, node.step)
            return Lazy(slice, tuple(Known(None) if p is None else self.held(self.passively(p)) for p in parts))
        return self.held(self.passively(node))

    def plain(self, expr: Expr) -> bool:
        """Is it arithmetic on names and constants that costs next to nothing and means the same later on? The length
        of a list or a dict at run time may change."""
        lengths = [m.id for n in walk(expr) if isinstance(n, gast.Call) for m in walk_names(n.args)]
        return _plain(expr) and not any(isinstance(self.facts.kinds.get(n), _MAY_GROW) for n in lengths)

    def side_by_side(self, joiner: Known, index_node: Any) -> Value | None:
        """np.r_[a, b] and np.c_[a, b]: of active parts, the call that joins them; else as it stands, with that kind."""
        nodes = index_node.elts if isinstance(index_node, gast.Tuple) else [index_node]
        values = [self.counted(n) if isinstance(n, gast.Slice) else self.expr(n) for n in nodes]
        active = any(self.is_varied(v) for v in values if v is not None)
        if any(v is None or isinstance(static(v), str) for v in values):  # np.r_[0:1:5j], np.r_["0,2", a]
            return self.refuse_join() if active else None
        parts = [self.stackable(v) for v in values if v is not None]
        kinds = [self.kind(v) for v in parts]
        ranks = [0 if isinstance(k, Number) else _rank(k) for k in kinds]
        largest = max(ranks)
        name = ""
        if joiner.value is np.r_ and min(ranks) >= 0:
            name = "hstack" if largest <= 1 else "concatenate" if min(ranks) == largest else ""
        elif min(ranks) >= 0 and largest <= 2:
            name = "column_stack"
        if not active:
            if not name:
                return None
            pairs = [(n, v) for n, v in zip(nodes, values, strict=True) if v is not None]
            shown = [self.index_part(n) if isinstance(n, gast.Slice) else self.index_of(v) for n, v in pairs]
            index = gast.Tuple(shown, gast.Load()) if isinstance(index_node, gast.Tuple) else shown[0]
            joined = gast.Subscript(self.expression(joiner), index, gast.Load())
            return Leaf(joined, self.infer(joined), nested=True)
        if name:
            return self.call_value(self.numpy_function(name), [Tup(tuple(parts))], {})
        return self.refuse_join()

    def counted(self, node: Any) -> Value | None:
        """A slice in np.r_ as np.arange; None where its step is the number of points (a complex number)."""
        start = self.from_python(0, gast.Constant(0, None)) if node.lower is None else self.expr(node.lower)
        bounds = [start, *(self.expr(n) for n in (node.upper, node.step) if n is not None)]
        if node.upper is None or any(isinstance(static(v), complex) for v in bounds):
            return None
        return self.call_value(self.numpy_function("arange"), bounds, {})

    def refuse_join(self) -> NoReturn:
        self.refuse("np.r_ and np.c_ of these active parts", "use np.concatenate, np.hstack or np.column_stack")

    def stackable(self, value: Value) -> Value:
        """A part of np.r_ or np.c_ as an array or a number."""
        if isinstance(value, (Tup, Ref)):
            return self.call_value(self.numpy_function("array"), [value], {})
        return self.held(value)

    def numpy_function(self, name: str) -> Known:
        return Known(getattr(np, name), gast.Attribute(load(self.global_name("np", np)), name, gast.Load()))

    def subscript_container(self, base: Value, index_node: Any) -> Value:
        if is_it(base, np.r_, np.c_):
            joined = self.side_by_side(base, index_node)
            if joined is not None:
                return joined
        if is_it(base, np.s_, np.index_exp):
            made = self.index_value(index_node)
            return Tup((made,)) if base.value is np.index_exp and not isinstance(made, Tup) else made
        owner = self.state.heap[base.id] if isinstance(base, Ref) else None
        item = (
            self.find_method(base, "__getitem__") if isinstance(base, Known) and _is_user_object(base) else None
        )
        if item is not None:  # of an object that a global holds
            return self.call_value(item, [self.index_of_method(index_node)], {})
        if isinstance(index_node, gast.Slice) and not isinstance(owner, Instance):
            bounds = []
            for part in (index_node.lower, index_node.upper, index_node.step):
                known = None if part is None else static(self.passively(part))
                if known is _NO:
                    if isinstance(base, Ref) and isinstance(obj := self.state.heap[base.id], ListObj):
                        self.make_dynamic(obj)
                    self.refuse("a slice with bounds that are not known", "use an array")
                bounds.append(known)
            cut = slice(*bounds)
            if isinstance(base, Tup):
                return Tup(base.items[cut])
            if isinstance(base, Known):
                index = self.index(index_node)
                return Known(base.value[cut], gast.Subscript(self.expression(base), index, gast.Load()))
            if isinstance(owner, ListObj):
                return self.new_list(owner.items[cut])
        if isinstance(owner, Instance):
            assert isinstance(base, Ref)
            method = self.find_method(base, "__getitem__")
            if owner.cls is Group and isinstance(index_node, gast.Slice):
                return self.subscript(self.inline_library(items_of, [base], {}), index_node)
            if issubclass(owner.cls, Table) and self.runs_over(owner):
                method = self.find_method(base, "old_item")
            if method is not None:
                return self.call_value(method, [self.index_of_method(index_node)], {})
        position = self.as_index(self.passively(index_node))
        key = static(position)
        if key is _NO:
            return self.subscript_unknown(base, position, index_node)
        try:
            if isinstance(base, Tup):
                return base.items[int(key)]
            if isinstance(base, Known):
                if base.expr is None:
                    value = base.value[key]
                    return self.from_python(value, self.expression(Known(value)))
                value, place = base.ask(Look.PART, key)  # read at run time: what a container holds may change
                expr = gast.Subscript(self.expression(base), self.expression(position), gast.Load())
                return self.from_python(value, expr, place=place)
            assert isinstance(base, Ref)
            obj = self.state.heap[base.id]
            if not isinstance(obj, (ListObj, DictObj)):
                if isinstance(obj, Instance):
                    self.check_stand_in(obj.cls)
                self.refuse("objects of this class have no items", "read an attribute, or call a method")
            if isinstance(obj, DictObj) and obj.factory is not None and key not in obj.items:
                made = self.held(self.call_value(obj.factory, [], {}))
                obj = self.state.heap[base.id]  # (paths may have joined)
                assert isinstance(obj, DictObj)
                obj.items[key] = made
                self.changed(obj)
            return obj.items[key]
        except (KeyError, IndexError, TypeError) as error:
            cls = getattr(self.state.heap[base.id], "cls", dict) if isinstance(base, Ref) else dict
            if issubclass(cls, collections.defaultdict):
                self.refuse(f"the item {key!r} of a defaultdict is made where it is read", ways.KEYS_BEFORE)
            if isinstance(base, Ref) and self.loops and isinstance(obj := self.state.heap[base.id], ListObj):
                self.make_dynamic(obj)  # in a later turn there may be one
            self.refuse(f"there is no item {key!r} here", ways.CORRECT, raises=error)

    def subscript_unknown(self, base: Value, position: Value, index_node: Any) -> Value:
        if isinstance(base, (Ref, Tup)):  # of which the item may be changed
            obj = self.state.heap[base.id] if isinstance(base, Ref) else None
            items = contents(obj).values() if obj is not None else base.items  # type: ignore[union-attr]
            if any(isinstance(v, Known) and is_set(v.value) for v in items):
                self.sets_of_the_run()
            for item in items:
                self.check_operators_of(item)
            shared = self.shared_item(base, position)
            if shared is not None:
                return shared
        if isinstance(base, Ref):
            obj = self.state.heap[base.id]
            table = obj if isinstance(obj, DictObj) and may_be_functions(list(obj.items.values())) else None
            if table is not None and self.can_choose(table, position):
                return self.chosen_item(table, self.leaf(self.held(position)))
            if isinstance(obj, ListObj) and obj.held and obj.site is None and obj.items:
                self.unroll_a_loop()
                return self.subscript(self.listed_again(obj.items, index_node), index_node)
            if isinstance(obj, ListObj) and self.decisions.lists_chosen and self.are_arrays(obj.items):
                return self.chosen_array(obj.items, self.leaf(self.held(position)))
            if isinstance(obj, ListObj):
                return self.item_of_dynamic(obj)
            if isinstance(obj, DictObj) and (self.is_varied(base) or not self.textual(base) or obj.factory is not None):
                if self.can_choose(obj, position):
                    return self.chosen_item(obj, self.leaf(self.held(position)))
                self.run_time_dict(obj)
            elif isinstance(obj, DictObj):
                made_anew = obj.expr is None or self.is_stirred(obj)
                if made_anew and any(isinstance(v, Ref) for v in obj.items.values()):
                    self.run_time_dict(obj)  # of which the item may be changed
                    self.refuse("a dict of lists that change is asked for a key that is not known", ways.KEYS)
                item = gast.Subscript(self.expression(base), self.expression(position), gast.Load())
                if issubclass(obj.cls, collections.defaultdict):  # the caller's
                    item.makes_item = True
                    return self.define("item", item, self.infer(item))
                return self.nested(item)
            self.refuse(
                "a key that is not known at derivation into a dict of active values", ways.KEYS, concrete=True
            )
        if isinstance(base, Tup):
            if not self.is_varied(base) and not any(isinstance(v, Ref) for v in base.items):
                return self.nested(gast.Subscript(self.expression(base), self.expression(position), gast.Load()))
            for obj in (self.state.heap[v.id] for v in base.items if isinstance(v, Ref)):
                if isinstance(obj, DictObj):
                    self.run_time_dict(obj)  # which may be changed where it stands in the list
            return self.subscript(self.listed_again(list(base.items), index_node), index_node)
        assert isinstance(base, Known)
        whole = isinstance(position, Leaf) and isinstance(position.kind, Number) and position.kind.type is int
        form = self.form_of_rows(base) if whole and not self.text_only else None
        if form is not None:
            return self.row_at(base, form, position)
        plain = isinstance(base.value, (dict, list, tuple, str, np.ndarray))
        if self.is_varied(position) and not self.passive and not plain:
            return self.joined_by_index(base, index_node)
        item = self.nested(gast.Subscript(self.expression(base), self.expression(position), gast.Load()))
        held = base.value.values() if isinstance(base.value, dict) else base.value
        if plain and isinstance(item.kind, Unknown) and not isinstance(held, (str, np.ndarray)):
            # an object says itself what operators mean
            classes = {type(v) for v in held if not callable_builtin(v) and not is_number_or_container(v)}
            if classes:
                return Leaf(item.expr, Object(classes.pop()), nested=True)
        return item

    def shared_item(self, base: Ref | Tup, position: Value) -> Value | None:
        """The item at a place that only the run knows, where all places hold one container; None for other items.

        h = [c, c]              h = [(0, c), (1, c)]
        h[k] is c               h[k] is (range(2)[k], c)

        That there is such a place is asked in the run.
        """
        obj = self.state.heap[base.id] if isinstance(base, Ref) else None
        items = base.items if isinstance(base, Tup) else tuple(contents(obj).values()) if obj is not None else ()
        known = isinstance(position, Leaf) and not self.is_varied(position) and not isinstance(obj, Instance)
        if not known or not self.is_one_container(items):
            return None
        if isinstance(obj, DictObj):
            plain = obj.factory is None and all(type(k) in (str, int) for k in obj.items)
            if not plain or isinstance(items[0], Tup):
                return None
            self.check_there(list(obj.items), self.leaf(self.held(position)))
            return items[0]
        kind = self.kind(position)
        if not isinstance(kind, Number) or not is_whole(kind.type):
            return None
        places = quote(f"range({len(items)})[k]", k=self.expression(position))
        return self.part_of_all(items, self.define("place", places, Number(int)).expr)

    def is_one_container(self, items: Sequence[Value]) -> bool:
        """Do all places hold one container, or tuples with one, whose other parts are one value or plain numbers?"""
        first = items[0] if items else None
        if isinstance(first, Tup):
            if not all(isinstance(v, Tup) and v.cls is first.cls and len(v.items) == len(first.items) for v in items):
                return False
            parts = list(zip(*(v.items for v in items if isinstance(v, Tup)), strict=True))
            return any(map(self.is_one_container, parts)) and all(
                self.is_one_container(p) or all(isinstance(static(v), (bool, int, float)) for v in p) for p in parts
            )
        container = isinstance(first, Ref) or (isinstance(first, Leaf) and isinstance(first.kind, (Array, ListOf)))
        return first is not None and container and all(self.same(first, v) for v in items[1:])

    def part_of_all(self, items: Sequence[Value], place: Expr) -> Value:
        """What stands at a place of several values, of which `is_one_container` holds."""
        first = items[0]
        if isinstance(first, Tup):
            parts = zip(*(v.items for v in items if isinstance(v, Tup)), strict=True)
            return Tup(tuple(self.part_of_all(p, place) for p in parts), first.cls)
        if not self.is_one_container(items):
            numbers = gast.Tuple([gast.Constant(static(v), None) for v in items], gast.Load())
            return self.nested(gast.Subscript(numbers, clone(place), gast.Load()))
        return first

    def listed_again(self, items: list[Value], node: Any) -> Leaf:
        """Values that are known one by one, in a list that can be indexed by a variable."""
        site = self.site(node)
        self.decisions.dynamic.setdefault(site, None)  # type: ignore[arg-type]
        return self.dynamic_list(site, items)

    def can_choose(self, obj: DictObj, position: Value) -> bool:
        """Can an item of a dict be had by a branch for each key?"""
        if obj.factory is not None or not 0 < len(obj.items) <= LARGEST_CHOICE or self.is_varied(position):
            return False
        plain = all(
            isinstance(k, (str, int, enum.Enum)) and not isinstance(class_entry(type(k), "__eq__"), types.FunctionType)
            for k in obj.items
        )
        items = list(obj.items.values())
        alike = all(isinstance(v, Leaf) for v in items) or may_be_functions(items)
        return plain and isinstance(position, Leaf) and alike

    def chosen_item(self, obj: DictObj, key: Leaf) -> Value:
        """The item of a dict under a key that is known when the program runs only: a branch for each key."""
        *some, last = obj.items
        self.check_there(list(obj.items), key)

        def one_of(keys: list[Any]) -> Value:
            if not keys:
                return obj.items[last]
            test = gast.Compare(self.expression(key), [gast.Eq()], [gast.Constant(keys[0], None)])
            return self.choose(test, lambda: obj.items[keys[0]], lambda: one_of(keys[1:]))

        return one_of(some)

    def check_there(self, keys: list[Any], key: Leaf) -> None:
        """Ask in the run whether a key is one of these."""
        known = gast.Tuple([gast.Constant(k, None) for k in keys], gast.Load())
        error = gast.Call(load("KeyError"), [self.expression(key)], [])
        test = gast.Compare(self.expression(key), [gast.NotIn()], [known])
        self.write(gast.If(test, [gast.Raise(error, None)], []))

    def are_arrays(self, items: list[Value]) -> bool:
        """Are these few enough, and arrays all of them, so that one is had by a branch for each?"""
        arrays = all(isinstance(v, Leaf) and isinstance(v.kind, Array) for v in items)
        return arrays and 0 < len(items) <= LARGEST_CHOICE

    def chosen_array(self, items: list[Value], position: Leaf) -> Value:
        """The array at a position that is known when the program runs only: a branch for each."""
        # this raises where there is no such position, as the list does
        places = quote(f"range({len(items)})[k]", k=self.expression(position))
        place = self.define("place", places, Number(int)).expr

        def one_of(first: int) -> Value:
            if first == len(items) - 1:
                return items[first]
            test = gast.Compare(clone(place), [gast.Eq()], [gast.Constant(first, None)])
            return self.choose(test, lambda: items[first], lambda: one_of(first + 1))

        return one_of(0)

    def joined_by_index(self, base: Known, index_node: Any) -> Value:
        """np.r_[a, b] and np.c_[a, b] of numbers and arrays."""
        parts = index_node.elts if isinstance(index_node, gast.Tuple) else [index_node]
        if base.value not in (np.r_, np.c_) or any(isinstance(p, gast.Slice) for p in parts):
            self.refuse(
                f"an object of class {type(base.value).__name__} is indexed with active values",
                ways.FUNCTION,
            )
        items = [self.held(self.expr(p)) for p in parts]
        if any(isinstance(static(v), str) for v in items):
            self.refuse("np.r_ and np.c_ with directives", "use np.concatenate, np.hstack or np.column_stack")
        joined = np.column_stack if base.value is np.c_ else np.hstack
        return self.call_value(Known(joined), [self.new_list(items)], {})

    def expr_Slice(self, node: Any) -> Value:
        return Leaf(self.index(node), Unknown(), nested=True)

    # --- provided by the parts that build on this one

    def call_value(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
        raise NotImplementedError

    def numpy_call(self, target: Any, args: list[Value]) -> Value:
        raise NotImplementedError

    def as_array(self, value: Value) -> Value:
        raise NotImplementedError

    def inline_library(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
        raise NotImplementedError

    def slice_of_list(self, lst: Value, node: Any) -> Value:
        raise NotImplementedError

    def list_item(self, owner: Any, read: Expr) -> Value:
        raise NotImplementedError

    def joined_lists(self, left: Value, right: Value) -> Value:
        raise NotImplementedError

    def no_limit(self, lst: Value) -> None:
        raise NotImplementedError

    def limit_of(self, lst: Value) -> Value | None:
        raise NotImplementedError

    def like_deque(self, made: Value, of: ListObj) -> Value:
        raise NotImplementedError

    def assign_name(self, name: str, value: Value) -> Any:
        raise NotImplementedError

    def bind_name(self, name: str, value: Value) -> Any:
        raise NotImplementedError

    def iterate_static(self, value: Value) -> list[Value]:
        raise NotImplementedError


#: operators that sets have
_OF_SETS = (gast.Sub, gast.BitOr, gast.BitAnd, gast.BitXor)


class Bound(gast.expr):  # type: ignore[misc]
    """Stands in the user's tree for a value that is there already."""

    _fields = ()

    def __init__(self, held: Value) -> None:
        super().__init__()
        self.held = held


def int_of_member(value: Value, method: str | None) -> Value:
    """A member of an IntEnum in arithmetic is its int, unless its class says otherwise."""
    known = value.value if isinstance(value, Known) else None
    if not isinstance(known, enum.Enum) or not isinstance(known, int) or isinstance(known, enum.Flag):
        return value
    for name in (f"__{method}__", f"__r{method}__"):
        if getattr(type(known), name, None) is not getattr(int, name, None):
            return value
    plain = int(known)
    return Leaf(gast.Constant(plain, None), Number(int, Dim.of(plain)), const=plain)


def _with_part(whole: Kind, path: tuple[int, ...], part: Kind) -> Kind:
    """The kind of an item of which a part has another kind."""
    if not path or not isinstance(whole, (TupleKind, ListKind)):
        return part
    k, *rest = path
    items = (*whole.items[:k], _with_part(whole.items[k], tuple(rest), part), *whole.items[k + 1 :])
    return dataclasses.replace(whole, items=items)


def is_float_key(kind: Kind) -> bool:
    """Is it the kind of a float, or of a tuple with one in it?

    >>> is_float_key(Number(float)), is_float_key(TupleKind((Number(int), Number(float)))), is_float_key(Number(int))
    (True, True, False)
    """
    if isinstance(kind, TupleKind):
        return any(map(is_float_key, kind.items))
    return isinstance(kind, Number) and is_float_kind(kind)


def last_of(items: list[Value], limit: int | None) -> list[Value]:
    """What a deque with a length limit keeps of its items."""
    return items if limit is None else items[max(0, len(items) - limit) :]


def _asked_by(node: Any) -> list[Any]:
    """The operands whose classes may say what an operation means, or which are asked whether they are true.

    >>> operations = [gast.parse(t).body[0].value for t in ("a + b", "a < b < c", "a[b]", "b if a else c")]
    >>> [[part.id for part in _asked_by(operation)] for operation in operations]
    [['a', 'b'], ['a', 'b', 'c'], ['a'], ['a']]
    """
    if isinstance(node, gast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, gast.BoolOp):
        return list(node.values)
    return [getattr(node, field) for field in _ASKED.get(type(node), ())]


_ASKED = {
    gast.BinOp: ("left", "right"),
    gast.UnaryOp: ("operand",),
    gast.Subscript: ("value",),
    gast.IfExp: ("test",),
    gast.Starred: ("value",),
    gast.FormattedValue: ("value",),
}


def _finds_attributes(cls: type) -> bool:
    """Has a class methods of its own that say what an attribute is?"""
    own = (class_entry(cls, name) for name in ("__getattr__", "__getattribute__"))
    return any(isinstance(method, types.FunctionType) for method in own)


def _matters(node: Any) -> bool:
    """Could it be seen that an expression was computed: has it effects, or may it fail where it is not asked for?"""
    plain = {"len", "abs", "float", "int", "min", "max"}
    for part in walk(node):
        if isinstance(part, gast.Call) and not (isinstance(part.func, gast.Name) and part.func.id in plain):
            return True
        if isinstance(part, (gast.Subscript, gast.NamedExpr)):
            return True
    return False


def holds_complex(kind: Kind) -> bool:
    """Is what has this kind a complex number or array, or has it such parts?

    >>> holds_complex(TupleKind((Number(float), Number(complex)))), holds_complex(Number(float))
    (True, False)
    """
    if isinstance(kind, Number):
        return issubclass(kind.type, (complex, np.complexfloating))
    if isinstance(kind, (TupleKind, ListKind)):
        return any(map(holds_complex, kind.items))
    return isinstance(kind, Array) and kind.dtype.kind == "c"


#: methods that change a set, and the operators that say what comes of it
SET_CHANGES = {
    "add": operator.or_,
    "update": operator.or_,
    "discard": operator.sub,
    "remove": operator.sub,
    "difference_update": operator.sub,
    "intersection_update": operator.and_,
    "symmetric_difference_update": operator.xor,
    "clear": operator.sub,
}


class _Nested:
    """A function defined inside another: it shares the other's file, text and globals."""

    def __init__(self, outer: Any, tree: Any) -> None:
        self.outer, self.tree = outer, tree
        self.file, self.globals, self.first_line = outer.file, outer.globals, getattr(tree, "lineno", 0)
        self.closure = outer.closure
        self.library = getattr(outer, "library", False)

    def line(self, number: int) -> str:
        return str(self.outer.line(number))

    def cell(self, name: str) -> Any:
        return self.outer.cell(name)


def _is_pending(value: Value) -> bool:
    """Is it an expression that is computed where it is used?"""
    if isinstance(value, Tup):
        return any(map(_is_pending, value.items))
    return isinstance(value, Leaf) and value.nested


def _dim(value: Value) -> Dim | None:
    if isinstance(value, Leaf) and isinstance(value.kind, Number):
        return value.kind.value
    return None


def _is_bool(kind: Kind) -> bool:
    return (isinstance(kind, Number) and kind.type in (bool, np.bool_)) or (
        isinstance(kind, Static) and isinstance(kind.value, bool)
    )


#: kinds of values whose lengths may change
_MAY_GROW = (ListKind, ListOf, DictKind, Object, Unknown)


def _plain(expr: Expr) -> bool:
    """Is it arithmetic on names and constants that costs next to nothing (an index, a length)?"""
    if isinstance(expr, (gast.Name, gast.Constant)):
        return True
    if isinstance(expr, gast.BinOp):
        return _plain(expr.left) and _plain(expr.right)
    if isinstance(expr, gast.UnaryOp):
        return _plain(expr.operand)
    if isinstance(expr, gast.Attribute):
        return expr.attr in ("shape", "size", "ndim") and _plain(expr.value)
    if isinstance(expr, gast.Subscript):
        return isinstance(expr.value, gast.Attribute) and _plain(expr.value) and isinstance(expr.slice, gast.Constant)
    if isinstance(expr, gast.Call):
        return isinstance(expr.func, gast.Name) and expr.func.id == "len" and all(map(_plain, expr.args))
    return False


def _rank(kind: Kind) -> int:
    """The number of an array's dimensions; -1 where it is not known."""
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else -1


def _settled(expr: Expr) -> bool | None:
    """Whether a test is true, where one of its parts decides: `x > 0 and False` is false."""
    if isinstance(expr, gast.BoolOp):
        decides = not isinstance(expr.op, gast.And)
        for part in expr.values:
            known = bool(part.value) if isinstance(part, gast.Constant) else _settled(part)
            if known is decides:
                return decides
    return None


def _computes_itself(held: Any) -> bool:
    """Is what a class holds an object of a class of the user's that says what it is as an attribute?"""
    cls = type(held)
    own = not is_standard(cls) and cls.__module__ != "s2sad.derivative"
    return own and isinstance(class_entry(cls, "__get__"), types.FunctionType)


def _is_user_object(value: Known) -> bool:
    return hasattr(value.itself, "__dict__") and not callable_builtin(value.itself) and not is_standard(value.cls)


def is_number_or_container(value: Any) -> bool:
    """Is it a number, a text, an array, or a container of Python's own, whose operators are known?"""
    plain = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ndarray, list, tuple, dict, set, range)
    return isinstance(value, (*plain, enum.Enum, np.ufunc, slice)) or callable(value)


def callable_builtin(value: Any) -> bool:
    import types

    plain = isinstance(value, (types.FunctionType, types.ModuleType, type, types.BuiltinFunctionType))
    return plain or inspect.getattr_static(value, "primal", None) is not None  # (its __getattr__ is not asked)


def _is_int(node: Any) -> bool:
    """Is it an int that is written out?"""
    number = node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
    return isinstance(number, gast.Constant) and type(number.value) is int


def is_whole(cls: type) -> bool:
    """Are numbers of a type positions?"""
    return issubclass(cls, (int, np.integer))
