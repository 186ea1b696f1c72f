"""What stands for the tangent of a name, of a path into an argument, of a constant: forward mode's names.

    x, p.a[0], 2.0    ->    dx, dp.a[0], 0.0
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from s2sad.analysis.memory import Memory
from s2sad.analysis.view_parts import called
from s2sad.core import Expr, Facts, Stmt, assign, atom_key, clone, load, quote
from s2sad.expansion.fit import numpy_name
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import error_at
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.kind import Array, Kind, List, ListOf, Unknown
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.lowered import Core
from s2sad.normal.values.facts import global_name
from s2sad.runtime import helpers
from s2sad.transform.lists import zeros_list
from s2sad.transform.sweep import Sweep
from s2sad.transform.values import carries_nothing


class TangentNames:
    """The tangents of the names of one function."""

    def __init__(self, core: Core, facts: Facts, memory: Memory, statement: Callable[[], Stmt]) -> None:
        """`statement` tells which one is being derived, for messages."""
        self.core, self.facts, self.memory, self.statement = core, facts, memory, statement
        self.names: dict[str, str] = {}
        #: of parameters, and of parts of them
        self.roots: dict[str, str] = {}
        #: names that may be None, or have no value yet, where they are copied; those of them that are asked for that
        self.may_lack_value: set[str] = set()
        self.asked: set[str] = set()

    def parameter(self, name: str) -> str:
        tangent = self.facts.fresh(self.facts.mirrored("d", name.replace("[", "_").rstrip("]")), temp=False)
        self.roots[name] = tangent
        self.names[name] = tangent
        if name in self.facts.kinds:
            self.facts.kinds[tangent] = self.facts.kinds[name]
            self.facts.varied.add(tangent)
        for key, kind in list(self.facts.kinds.items()):
            if not key.isidentifier() and key.startswith((name + "[", name + ".")):
                self.facts.kinds[tangent + key[len(name) :]] = kind
        return tangent

    def become_active(self, parameters: list[str], wrt: set[str]) -> list[Stmt]:
        """Memory for the tangents of arguments that are not in wrt, but into which active values are stored."""
        made = []
        for key in sorted(self.facts.varied):
            root = key.split("[")[0].split(".")[0]
            inside = any(key == w or key.startswith((f"{w}[", f"{w}.")) for w in wrt)  # `args[0]` may be in wrt
            if root in parameters and not inside and isinstance(self.facts.kinds.get(key), (Array, ListOf)):
                expr = load(key) if key.isidentifier() else quote(key)
                kind = self.facts.kinds[key]
                name = self.facts.fresh(self.facts.mirrored("d", root), temp=False)
                self.roots[key] = name
                if key.isidentifier():
                    self.names[key] = name
                self.facts.kinds[name] = kind
                self.facts.varied.add(name)
                zeros = (
                    zeros_list(Sweep(self.facts, self.memory, self.core.source), expr, kind)
                    if isinstance(kind, ListOf)
                    else self.zero(expr)
                )
                made.append(assign(name, zeros))
        return made

    def mirror_aliases(self) -> None:
        """Where values share memory, their tangents do."""
        alias = self.core.run.alias
        for key, root in list(alias.items()):
            if key in self.names:
                if root in self.names:
                    alias[self.names[key]] = self.names[root]
                elif not root.isidentifier():
                    head = root.split("[")[0].split(".")[0]
                    if head in self.roots:
                        alias[self.names[key]] = self.roots[head] + root[len(head) :]
        for key, order in list(self.facts.lies.items()):
            head = key.split("[")[0].split(".")[0]
            if head in self.roots:
                self.facts.lies[self.roots[head] + key[len(head) :]] = order

    def varies(self, expr: Expr) -> bool:
        """Is an atom active, or anything in a display?"""
        if isinstance(expr, (gast.Tuple, gast.List)):
            return any(map(self.varies, expr.elts))
        return not isinstance(expr, gast.Constant) and atom_key(expr) in self.facts.varied

    def of(self, expr: Expr) -> Expr:
        """The tangent of an atom."""
        if isinstance(expr, (gast.Tuple, gast.List)):
            made = clone(expr)
            made.elts = [self.of(e) for e in expr.elts]
            return made
        if not self.varies(expr):
            return self.zero(expr)
        if isinstance(expr, gast.Name):
            return load(self.name(expr.id))
        return self.along(expr) or self.zero(expr)

    def of_item(self, expr: Expr) -> Expr:
        """The tangent of what goes into a list: that of a constant part may be of anything, a list or a key, say."""
        if isinstance(expr, gast.Tuple):
            return gast.Tuple([self.of_item(e) for e in expr.elts], gast.Load())
        kind = kind_of_atom(expr, self.facts)
        if isinstance(kind, Unknown) and not carries_nothing(kind) and not self.varies(expr):
            zeros = load(global_name(self.core.run, "zeros_in", helpers.zeros_in))
            return gast.Call(zeros, [clone(expr)], [])
        return self.of(expr)

    def stored(self, value: Expr) -> Expr:
        if isinstance(value, (gast.Tuple, gast.List)):
            return self.of(value)
        if not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)) or not self.varies(value):
            return gast.Constant(0.0, None)
        return self.of(value)

    def of_key(self, key: str) -> Expr:
        return load(self.name(key)) if key.isidentifier() else self.of(quote(key))

    def along(self, expr: Expr) -> Expr | None:
        """A path into an argument as the same path into its tangent; None where it leads into no such argument."""
        known = self.roots.get(atom_key(expr))
        if known is not None:
            return load(known)
        if not isinstance(expr, (gast.Subscript, gast.Attribute)):
            return None
        inner = self.along(expr.value)
        if inner is None:
            return None
        made = clone(expr)
        made.value = inner
        return made

    def name(self, key: str) -> str:
        if key not in self.names:
            stem = self.facts.mirrored("d", "t" if key in self.facts.temps else self.facts.user_name.get(key, key))
            name = self.facts.fresh(stem, temp=True)
            self.facts.user_name[name] = stem
            self.facts.kinds[name] = self.facts.kinds.get(key, Unknown())
            self.names[key] = name
        return self.names[key]

    def zero(self, expr: Expr, kind: Kind | None = None) -> Expr:
        """The tangent of what is constant, in its form."""
        kind = kind_of_atom(expr, self.facts) if kind is None else kind
        if isinstance(kind, (List, TupleKind)) and not isinstance(expr, (gast.List, gast.Tuple, gast.Constant)):
            parts = [gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()) for i in range(len(kind.items))]
            made = gast.List if isinstance(kind, List) else gast.Tuple
            return made([self.zero(p, k) for p, k in zip(parts, kind.items, strict=True)], gast.Load())
        if isinstance(kind, (Array, Unknown)) and isinstance(expr, gast.Name) and expr.id in self.may_lack_value:
            self.asked.add(expr.id)
            zero = "0.0 * x" if isinstance(kind, Unknown) else f"{numpy_name(self.facts)}.zeros_like(x)"
            return quote(f"None if x is None else {zero}", x=expr)
        if isinstance(kind, Array):
            return quote(f"{numpy_name(self.facts)}.zeros_like(x)", x=expr)
        if isinstance(kind, ListOf):
            return zeros_list(Sweep(self.facts, self.memory, self.core.source), clone(expr), kind)
        if carries_nothing(kind):
            return gast.Constant(None, None)
        if isinstance(kind, Unknown) and not isinstance(expr, gast.Constant):
            made = getattr(self.statement(), "value", None)
            if isinstance(made, (gast.Dict, gast.DictComp)) or called(made) in ("dict", "defaultdict", "OrderedDict"):
                raise error_at(
                    self.statement(),
                    self.core.source,
                    "a dict whose keys only the run knows gets items in which active values are stored",
                    ways.ONE_ARRAY,
                )
            return quote("0.0 * x", x=expr)
        return gast.Constant(0.0, None)
