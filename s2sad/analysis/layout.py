"""How arrays lie in memory, and so whether a reshape of one is a view of it or a copy.

`B.ravel()` shares the memory of B where B lies row after row, and is a copy of it elsewhere; what is stored through one
of the two names is then seen under the other, or not. An array's layout follows from how it was made (a new array, a
transpose, a slice, what a ufunc returns), and for an argument from the call that is derived for (`Array.layout`):
`settle` decides all such calls whose answer matters, and says which arguments the answers rest on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.analysis.liveness import live_after
from s2sad.analysis.memory import LIST_MUTATORS, Memory, copied, names_read
from s2sad.analysis.memory_scan import analyse
from s2sad.analysis.strides import (
    LATER,
    MAKES,
    WHOLE,
    Layout,
    Shape,
    is_contiguous,
    is_literal,
    is_view,
    literal_of,
    meet,
    packed,
    real_axes,
    rows,
    sliced,
    strided,
    transposed,
)
from s2sad.analysis.views import name_inner_views
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    atom_key,
    is_constant,
    is_operation,
    items_of,
    quote,
    quote_statements,
    walk,
    walk_names,
)
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError, Remedy, error_at
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number


# --- the layouts of one function
class Layouts:
    """The layouts of the names of one function."""

    def __init__(self, memory: Memory, parameters: Iterable[str]) -> None:
        self.memory, self.facts = memory, memory.facts
        self.parameters = set(parameters)
        self.known: dict[str, Layout | None] = {}
        names = [n for n in memory.definitions if isinstance(self.facts.kinds.get(n), Array)]
        for _ in range(20):
            before = dict(self.known)
            for name in names:
                self.known[name] = self.of_name(name)
            if self.known == before:
                return
        self.known = dict.fromkeys(names)

    def of_name(self, name: str) -> Layout | None:
        found: Layout | None = LATER
        if name in self.parameters:
            found = self.of_argument(name)
        for place in self.memory.definitions[name]:
            target = getattr(place.statement, "targets", [None])[0]
            layout = self.of(place.statement.value) if isinstance(target, gast.Name) else None
            found = meet(found, layout)
        return found

    def of_argument(self, key: str) -> Layout | None:
        """What the call that is derived for says of (a part of) an argument."""
        kind = self.facts.kinds.get(key)
        if not isinstance(kind, Array) or kind.shape is None or kind.layout is None:
            return None
        axes, given = real_axes(kind.shape), frozenset((key,))
        if kind.layout == "C":
            return packed(axes, given)
        if kind.layout == "F":
            return packed(reversed(axes), given)
        if len(axes) == 1:
            return Layout((axes[0],), (), False, True, given)
        if kind.layout == "strided":
            return Layout(None, gaps=True, given=given)
        assert isinstance(kind.layout, tuple)
        return strided(kind.layout, tuple(d.const for d in kind.shape), kind.dtype.itemsize, given)

    def shape(self, expr: Expr) -> Shape | None:
        kind = self.kind(expr)
        return kind.shape if isinstance(kind, Array) else None

    def kind(self, expr: Expr) -> Kind:
        if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):
            known = self.facts.kinds.get(atom_key(expr))
            if known is not None:
                return known
        return infer(expr, self.facts)

    def of(self, expr: Expr) -> Layout | None:
        """The layout of the array that an expression makes or names."""
        if isinstance(expr, gast.Name):
            if expr.id in self.facts.unlike:
                return None
            if expr.id in self.memory.definitions:
                return self.known.get(expr.id, LATER)
            return self.of_argument(expr.id) if expr.id in self.parameters else None
        shape = self.shape(expr)
        if shape is None:
            return WHOLE if _makes_rows(expr, self.facts) else None
        if isinstance(expr, (gast.Subscript, gast.Attribute)) and atom_key(expr) in self.facts.kinds:
            root = expr
            while isinstance(root, (gast.Subscript, gast.Attribute)):
                root = root.value
            inside = isinstance(root, gast.Name) and root.id in self.parameters
            return self.of_argument(atom_key(expr)) if inside else None
        if isinstance(expr, gast.Subscript):
            return self.of_subscript(expr, shape)
        if isinstance(expr, gast.Attribute):
            base = self.of(expr.value)
            if base is LATER:
                return base
            return transposed(base, len(shape)) if expr.attr == "T" else None
        if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            if is_operation(expr, gast.MatMult):
                return self.stacked([expr.left, expr.right], shape)
            parts = [expr.operand] if isinstance(expr, gast.UnaryOp) else [expr.left]
            parts += [expr.right] if isinstance(expr, gast.BinOp) else getattr(expr, "comparators", [])
            return self.elementwise(parts, shape)
        if isinstance(expr, gast.IfExp):
            return meet(self.of(expr.body), self.of(expr.orelse))
        return self.of_call(expr, shape) if isinstance(expr, gast.Call) else None

    def of_call(self, call: Any, shape: Shape) -> Layout | None:
        found = reshaping(call, self.facts)
        if found is not None:
            name, base = found
            layout, old = self.of(base), self.shape(base)
            if layout is LATER:
                return layout
            order = _order_asked(call, name, self.facts)
            if name != "ravel" and order not in (None, "C", "F"):
                return None
            shares = self.shares(call)
            if order == "F" and name == "reshape":
                turned = is_contiguous(transposed(layout, len(old)), old[::-1]) if old is not None else None
                return packed(reversed(real_axes(shape))) if shares is False or turned else None
            if order == "F" and name != "ravel":
                return packed(reversed(real_axes(shape)))
            if order == "C" and name != "reshape":
                return rows(shape)
            if name in ("ravel", "ascontiguousarray") or shares is False or is_contiguous(layout, old or ()):
                return rows(shape, layout.given if layout is not None else frozenset())
            if name != "reshape":
                added = len(shape) - len(old) if old is not None else 0
                if layout is not None and layout.order and added and not (name == "atleast_3d" and added == 1):
                    layout = replace(layout, order=tuple(a + 1 for a in layout.order))  # (n,) -> (1, n) or (1, n, 1)
                return layout if shares else None
            given = layout.given if layout is not None else frozenset()
            return Layout((0,), (), None, given=given) if len(real_axes(shape)) == 1 == len(shape) else None
        target = _target(call.func, self.facts)
        name = call.func.attr if isinstance(call.func, gast.Attribute) else ""
        words = {k.arg for k in call.keywords}
        if target is None:  # a method
            if name == "copy":
                told = [*call.args, *(k.value for k in call.keywords)]
                order = getattr(told[0], "value", "?") if told else "C"
                return packed(reversed(real_axes(shape))) if order == "F" else rows(shape) if order == "C" else None
            if name == "flatten" and not words:
                return rows(shape)
            if name in ("transpose", "swapaxes", "squeeze"):
                return self.moved(call.func.value, call.args, name)
            if name in ("astype", "clip", "round") and "order" not in words and "out" not in words:
                return self.elementwise([call.func.value], shape)
            return self.reduced([call.func.value], shape) if name in _REDUCE and "out" not in words else None
        if name in MAKES and words <= {"order", "dtype"} and "order" in words:
            order = next(k.value for k in call.keywords if k.arg == "order")
            known = {"C": rows(shape), "F": packed(reversed(real_axes(shape)))}
            return known.get(order.value) if isinstance(order, gast.Constant) else None
        if None in words or "out" in words or "order" in words:
            return None
        if isinstance(target, np.ufunc):
            return None if target.signature is not None else self.elementwise(call.args, shape)
        module = getattr(target, "__module__", None)
        if not (module or "").startswith("numpy") or not call.args:
            return None
        if name in ("transpose", "swapaxes", "moveaxis", "rollaxis", "squeeze", "expand_dims"):
            return self.moved(call.args[0], call.args[1:], name)
        if name == "matmul":
            return self.stacked(call.args[:2], shape)
        if name == "linspace":
            return rows(shape) if len(shape) < 3 and "axis" not in words and len(call.args) < 7 else None
        if name in _ROWS:
            return rows(shape)
        if name in _LIKE and not words & {"shape", "subok", "ndmin", "copy"}:
            args = call.args[:1] if name != "where" and name != "clip" else call.args
            return self.elementwise(args, shape)
        return self.reduced(call.args[:1], shape) if name in _REDUCE else None

    def stacked(self, parts: list[Expr], shape: Shape) -> Layout | None:
        """A product of two matrices lies row after row; many of them lie as the stacks do that they are products of."""
        shapes = [shape, *(self.shape(part) for part in self.arrays(parts))]
        return rows(shape) if all(s is not None and len(s) < 3 for s in shapes) else self.reduced(parts, shape)

    def reduced(self, parts: list[Expr], shape: Shape) -> Layout | None:
        """What is computed from arrays that lie row after row does so, too; a new array of one axis always does."""
        if len(shape) == 1:
            return rows(shape)
        given: frozenset[str] = frozenset()
        for part in self.arrays(parts):
            layout, old = self.of(part), self.shape(part)
            if layout is LATER:
                return layout
            if old is None or not is_contiguous(layout, old):
                return None
            given |= layout.given if layout is not None else frozenset()
        return rows(shape, given)

    def arrays(self, parts: list[Expr]) -> list[Expr]:
        out: list[Expr] = []
        for part in parts:
            if isinstance(part, (gast.List, gast.Tuple)):
                out += self.arrays(part.elts)
            elif not isinstance(part, gast.Constant) and not isinstance(self.kind(part), Number):
                out.append(part)
        return out

    def elementwise(self, parts: list[Expr], shape: Shape) -> Layout | None:
        """What a ufunc makes: a new array whose axes are in the order of its arguments' axes."""
        if len(real_axes(shape)) < 2:
            return rows(shape)
        orders: set[tuple[int, ...]] = set()
        given: frozenset[str] = frozenset()
        for part in self.arrays(parts):
            own, layout = self.shape(part), self.of(part)
            if layout is LATER:
                return layout
            if own is None:
                return None
            if len(real_axes(own)) < 2:
                continue
            if layout is None or layout.order is None:
                return None
            order = layout.order
            given |= layout.given
            if list(order) == sorted(order):
                orders.add(tuple(real_axes(shape)))
            elif own == shape:
                orders.add(order)
            else:
                return None
        if len(orders) > 1:
            return None
        return packed(orders.pop() if orders else real_axes(shape), given)

    def moved(self, base: Expr, args: list[Expr], name: str) -> Layout | None:
        """A transpose; which axis goes where is told by an example."""
        layout, shape = self.of(base), self.shape(base)
        if layout is None or layout.order is None or shape is None:
            return layout if layout is LATER else None
        try:
            values = [literal_of(a) for a in args]
        except ValueError:
            return None
        if name == "transpose" and len(values) > 1:
            values = [tuple(values)]
        lengths = (1 if d == dims.ONE else a + 2 for a, d in enumerate(shape))
        try:
            example = getattr(np, name)(np.empty(tuple(lengths)), *values)
        except TypeError:  # the axes are given as keywords
            return None
        return replace(layout, order=tuple(example.shape.index(a + 2) for a in layout.order))

    def of_subscript(self, expr: Any, shape: Shape) -> Layout | None:
        base, old = self.of(expr.value), self.shape(expr.value)
        if base is LATER:
            return base
        parts = items_of(expr.slice)
        kept: dict[int, tuple[int, Any]] = {}  # old axis -> new axis, slice
        axis = new = 0
        consumed = sum(not (is_literal(p, None) or is_literal(p, Ellipsis)) for p in parts)
        for part in [*parts, *([] if any(is_literal(p, Ellipsis) for p in parts) else [gast.Constant(Ellipsis, None)])]:
            if is_literal(part, None):
                new += 1
            elif is_literal(part, Ellipsis):
                for _ in range(len(old or ()) - consumed):
                    kept[axis] = new, None
                    axis, new = axis + 1, new + 1
            elif isinstance(part, gast.Slice):
                kept[axis] = new, part
                axis, new = axis + 1, new + 1
            else:
                kind = self.kind(part)
                if not isinstance(kind, Number) or kind.type in (bool, np.bool_):
                    return rows(shape) if len(shape) == 1 else None  # an index array: a new array
                axis += 1
        return sliced(base, old, shape, kept) if old is not None and new == len(shape) else None

    # --- questions

    def shares(self, call: Any) -> bool | None:
        """Does what a reshape returns share the memory of its argument? None: it is not known."""
        found = reshaping(call, self.facts)
        assert found is not None
        return self.shares_if(call, self.of(found[1]))

    def shares_if(self, call: Any, layout: Layout | None) -> bool | None:
        """The same for an argument of the given layout."""
        found = reshaping(call, self.facts)
        assert found is not None
        name, base = found
        kind, made = self.kind(base), self.kind(call)
        if not isinstance(kind, Array) or kind.shape is None:
            return True if layout == WHOLE and not call.keywords and name in _TO_ROWS else None
        words = {k.arg: k.value for k in call.keywords}
        copy = words.get("copy")
        if copy is not None and name != "astype":
            if not isinstance(copy, gast.Constant):
                return None
            if copy.value is not None:
                return not copy.value  # where no copy is allowed and one is needed, it raises
        if isinstance(made, Array) and made.dtype != kind.dtype:
            return False  # numbers of another kind lie elsewhere
        if name == "astype":
            copy = call.args[4] if len(call.args) > 4 else copy
            if isinstance(copy, gast.Constant) and copy.value:
                return False
            if copy is not None and not isinstance(copy, gast.Constant):
                return None
        order = _order_asked(call, name, self.facts)
        if order == "?":
            return None
        if name == "require":
            if order is None or len(call.args) > 1 or words.keys() > {"requirements"}:
                return None
            name = "ascontiguousarray" if order == "C" else "asfortranarray"
        turned = order == "F"
        if name in _SAME:
            return None if order is not None or not isinstance(made, Array) else made.dtype == kind.dtype
        if turned:
            layout, kind = transposed(layout, len(kind.shape)), Array(kind.dtype, kind.shape[::-1])
        assert kind.shape is not None
        if name in ("ravel", "ascontiguousarray", "asfortranarray"):
            return is_contiguous(layout, kind.shape)
        if not isinstance(made, Array) or made.shape is None:
            return True if is_contiguous(layout, kind.shape) else None
        return is_view(layout, kind.shape, made.shape[::-1] if turned else made.shape)

    def order_of(self, key: str) -> str | None:
        """The order in which a copy of an array lies as the array does, but for gaps: "C", "F" or None."""
        expr = quote(key)
        layout, shape = self.of(expr), self.shape(expr)
        if layout is None or shape is None:
            return None
        axes = real_axes(shape)
        return {tuple(axes): "C", tuple(axes[::-1]): "F"}.get(layout.order or ())


def _order_asked(call: Any, name: str, facts: Facts) -> Any:
    """The order that a reshape or a conversion is told to make: "C", "F", None, or "?" where that is not known."""
    if name == "asfortranarray":
        return "F"
    words = {k.arg: k.value for k in call.keywords}
    own = 0 if _target(call.func, facts) is None else 1
    if name == "require":
        order = words.get("requirements", call.args[2] if len(call.args) > 2 else None)
    else:
        place = {"ravel": own, "reshape": 2 if own else None, "asarray": 2, "asanyarray": 2, "astype": 1}.get(name)
        order = words.get("order", call.args[place] if place is not None and call.args[place:] else None)
    if order is None or is_constant(order, None):
        return None
    return order.value if isinstance(order, gast.Constant) and order.value in ("C", "F") else "?"


_ROWS = {
    *("zeros", "ones", "empty", "full", "eye", "identity", "arange", "diag", "outer", "tri", "kron", "dot"),
}
_LIKE = {
    *("zeros_like", "ones_like", "empty_like", "full_like", "copy", "array", "where", "clip", "round", "around"),
    *("nan_to_num", "real_if_close"),
}
_REDUCE = {
    *("sum", "mean", "prod", "max", "min", "amax", "amin", "std", "var", "cumsum", "cumprod", "concatenate", "stack"),
    *("vstack", "hstack", "column_stack", "dstack", "sort", "diff", "roll", "tile", "repeat", "pad", "append"),
    *("argsort", "tril", "triu", "interp", "convolve", "gradient", "median", "take", "insert", "delete"),
}

#: of an array: the array itself, or a view of all of it, unless the dtype changes
_SAME = {"asarray", "asanyarray", "array", "astype", "atleast_1d", "atleast_2d", "atleast_3d"}
#: of a C-contiguous array: the array itself, or a view of all of it
_TO_ROWS = {"ravel", "reshape", "ascontiguousarray", "asarray", "asanyarray"}
_RESHAPES = _SAME | {"ravel", "reshape", "ascontiguousarray", "asfortranarray", "require"}


def _makes_rows(expr: Expr, facts: Facts) -> bool:
    """Is what an expression makes C-contiguous, whatever its rank?"""
    if not isinstance(expr, gast.Call) or not isinstance(expr.func, gast.Attribute) or expr.keywords:
        return False
    method = _target(expr.func, facts) is None
    return bool(expr.func.attr == "copy" and not expr.args) if method else expr.func.attr == "ascontiguousarray"


def reshaping(value: Expr, facts: Facts) -> tuple[str, Expr] | None:
    """The name of a function that returns a view or a copy, whichever it is, and what it is a view of.

    >>> facts = Facts(globals={"np": np})
    >>> [reshaping(quote(t), facts) is not None for t in ("x.ravel()", "np.reshape(x, 3)", "x.copy()", "f(x)")]
    [True, True, False, False]
    """
    if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Attribute):
        return None
    name = str(value.func.attr)
    target = _target(value.func, facts)
    if target is None and not isinstance(value.func.value, gast.Name | gast.Subscript | gast.Attribute):
        return None
    if target is None:
        said = any(k.arg == "copy" for k in value.keywords) or len(value.args) > 4
        maybe = name in ("ravel", "reshape") or (name == "astype" and said)
        return (name, value.func.value) if maybe else None
    if name not in _RESHAPES or not value.args or target is not getattr(np, name, None):
        return None
    if name == "array" and not any(k.arg == "copy" for k in value.keywords):
        return None
    return name, value.args[0]


def _target(func: Expr, facts: Facts) -> Any:
    """The function of a module that is called; None for a method."""
    if isinstance(func, gast.Name):
        return facts.globals.get(func.id)
    if isinstance(func, gast.Attribute):
        owner = _target(func.value, facts)
        return getattr(owner, func.attr, None) if owner is not None else None
    return None


def settle(memory: Memory, parameters: Iterable[str], body: list[Stmt], live: set[str]) -> bool:
    """Decide which reshapes of arrays that are overwritten are views, and which are copies.

        B = np.zeros((n, m))
        flat = B.ravel()         # a view: facts.views
        turned = B.T.ravel()     # a copy: no alias of B any more

    `facts.relied` learns which arguments' layouts the answers rest on, `facts.lies` which arrays the memory of
    adjoints and tangents has to resemble.

    Returns:
        Have the aliases changed?
    """
    facts, alias = memory.facts, memory.alias
    asked = [(n, memory.definitions[n][0]) for n in alias if len(memory.definitions.get(n, ())) == 1]
    asked = [
        (name, place)
        for name, place in asked
        if memory.is_overwritten(name)
        and reshaping(getattr(place.statement, "value", None), facts) is not None
        and memory.overwritten_after(name, None, place)
    ]
    if not asked:
        return False
    layouts = Layouts(memory, parameters)
    copies = set()
    views: dict[str, bool] = {}
    for name, place in asked:
        call = place.statement.value
        found = reshaping(call, facts)
        assert found is not None
        layout, shares = layouts.of(found[1]), layouts.shares(call)
        rests = layouts.shares_if(call, None) is None
        facts.laid_out |= rests
        given = layout.given if rests and layout is not None else frozenset()
        if (shares is None or given) and not seen_besides(name, place.statement, memory, body, live):
            copies.add(name)  # or a view: nobody can tell, unless the backward sweep looks at what was read before
            of_caller = memory.find(name) in {memory.find(p) for p in (*parameters, *_paths(facts))}
            if of_caller or read_elsewhere(name, place.statement, memory):
                place.statement.value = definite_copy(call, *found)
            continue
        if shares is None or (not shares and getattr(call, "flat", False)):
            continue  # what `array.flat` gives stands for the array whatever its layout
        for key in given:
            kind = facts.kinds[key]
            assert isinstance(kind, Array) and kind.layout is not None
            facts.relied[key] = kind.layout
        if shares:
            views[name] = rests
            continue
        copies.add(name)
        if given:  # an argument that is overwritten is copied on entry, and may lie otherwise from then on
            place.statement.value = definite_copy(call, *found)
    changed = set(copies)
    for name in copies:
        del alias[name]
    for name in list(alias) if copies else ():
        places = memory.definitions.get(name, ())
        base = _viewed(places[0].statement, facts) if len(places) == 1 else None
        if base in changed:
            alias[name] = alias.get(base, base)
            changed.add(name)
    for name, rests in views.items():
        chain = [name]
        while len(memory.definitions.get(chain[-1], ())) == 1 and chain[-1] in alias:
            base = _viewed(memory.definitions[chain[-1]][0].statement, facts)
            if base is None or base in chain:
                break
            chain.append(base)
        lies = {key: layouts.order_of(key) for key in chain[1:]}
        if not rests or lies.get(chain[-1]) is not None:
            facts.views[name] = rests
            facts.lies.update({k: order for k, order in lies.items() if rests and order is not None})
    for key in [k for k in facts.lies if k in layouts.known]:
        lay_out_sources(key, layouts)
    for key in [k for k in facts.lies if getattr(facts.kinds.get(k), "shape", None) == ()]:
        del facts.lies[key]  # without axes it lies in any way, and np.ascontiguousarray would give it one
    return bool(copies)


def lay_out_sources(key: str, layouts: Layouts) -> None:
    """What a name is a copy of on some path, or what another turn leaves to it, has to be resembled like the name.

        m_1 = m                  # dm_1 = dm
        for k in range(n):
            t = m_1.ravel()      # a view: facts.lies["m_1"]
            m_2 = m_1.T.copy()   # so dm_2, which is dm_1 in the next turn, must not be np.copy(dm_1.T)
            m_1 = m_2
    """
    facts, memory = layouts.facts, layouts.memory
    for place in memory.definitions.get(key, ()):
        value = getattr(place.statement, "value", None)
        source = copied(value) if value is not None and copied(value) in facts.kinds else None
        if source is None and key in memory.alias:
            source = _viewed(place.statement, facts)
        order = layouts.order_of(source) if source is not None and source not in facts.lies else None
        if source is not None and order is not None:
            facts.lies[source] = order
            lay_out_sources(source, layouts)


def not_known(statement: Stmt, source: Any) -> DerivationError:
    """The error where it matters whether something is a view. `layout`: how the arguments lie may tell."""
    reason = "it is not known whether this shares memory with an array that is overwritten"
    error = error_at(statement, source, reason, ways.COPY)
    error.remedy = Remedy(layout=True)
    return error


def seen_besides(name: str, statement: Stmt, memory: Memory, body: list[Stmt], live: set[str]) -> bool:
    """Is what a statement may take a view of, or anything that shares memory with it, used after it?"""
    root = memory.find(name)
    after = live_after(body, memory.facts, live).get(id(statement), set())
    names = {n for n in (*memory.definitions, *memory.facts.kinds) if memory.find(n) == root and n != name}
    if names & after or any(not n.isidentifier() and n.split("[")[0].split(".")[0] in after for n in names):
        return True
    for node in (n for s in body for n in walk(s)):
        kept = isinstance(node, (gast.List, gast.Tuple, gast.Dict)) and not isinstance(
            getattr(node, "ctx", None), gast.Store
        )
        kept = kept or (
            isinstance(node, gast.Call)
            and (getattr(node.func, "attr", "") in LIST_MUTATORS or getattr(node, "function", None) is not None)
        )
        if kept and any(n.id in names or n.id == name for n in walk_names(node)):
            return True  # a list, or a function that calls itself, may keep it
    return False


def read_elsewhere(name: str, statement: Stmt, memory: Memory) -> bool:
    """Is what a statement may take a view of read by another one? The backward sweep may read it again, after `name`
    has been overwritten."""
    root = memory.find(name)
    others = (p.statement for p in memory.places.values() if p.statement is not statement)
    return any(memory.find(n) == root and n != name for s in others for n in names_read(s))


def _paths(facts: Facts) -> list[str]:
    """The parts of arguments that have names of their own: `p['w']`."""
    return [key for key in facts.kinds if not key.isidentifier()]


def definite_copy(call: Any, name: str, base: Expr) -> Expr:
    """A reshape as a call that copies whatever the layout.

    >>> from s2sad.core import text
    >>> call = quote("x.ravel()")
    >>> text(definite_copy(call, "ravel", call.func.value))
    'x.flatten()'
    >>> text(definite_copy(quote("np.reshape(x, 3)"), "reshape", quote("x")))
    'np.reshape(x, 3).copy()'
    """
    if name == "ravel" and call.func.value is base:
        return gast.Call(gast.Attribute(base, "flatten", gast.Load()), call.args, call.keywords)
    if name == "asfortranarray":
        return quote("x.copy(order='F')", x=call)
    given = any(k.arg in ("order", "requirements") for k in call.keywords)
    return quote("x.copy(order='K')" if given else "x.copy()", x=call)


def _viewed(statement: Stmt, facts: Facts) -> str | None:
    """The name of which a statement takes a view."""
    value = getattr(statement, "value", None)
    while value is not None and not isinstance(value, gast.Name):
        if isinstance(value, (gast.Subscript, gast.Attribute)):
            if atom_key(value) in facts.kinds:
                return atom_key(value)
            value = value.value
        elif isinstance(value, gast.Call):
            method = isinstance(value.func, gast.Attribute) and _target(value.func, facts) is None
            given = (a for a in value.args if not isinstance(a, gast.Constant))  # np.einsum takes a string first
            value = value.func.value if method else next(given, None)
        else:
            return None
    return str(value.id) if value is not None else None


def memory_of(
    body: list[Stmt], facts: Facts, alias: dict[str, str], parameters: Iterable[str], live: set[str]
) -> Memory:
    """The memory facts of a function in core Python, with all reshapes decided that can be.

    Args:
        live: the names that are read after the last statement.
    """
    name_inner_views(body, facts, alias)
    memory = analyse(body, facts, alias)
    if memory.stores and settle(memory, parameters, body, live):
        return analyse(body, facts, alias)
    return memory


def lies_so(value: Expr, order: str, facts: Facts) -> bool:
    """Does the adjoint or tangent that an expression makes certainly lie in memory as its array does?

    >>> facts = Facts(kinds={"a": Array(np.dtype(float), ())}, lies={"a": "C"})
    >>> [lies_so(quote(t), "C", facts) for t in ("2.0 * a", "np.zeros_like(a)", "b.copy()", "2.0 * b")]
    [True, True, True, False]
    """
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
        if value.func.attr == "zeros_like":
            return True
        if order == "C" and value.func.attr in _ROWS and _target(value.func, facts) is not None:
            return not any(k.arg in ("order", "out", None) for k in value.keywords)
        return value.func.attr == "copy" and order == "C" and not value.args and not value.keywords
    if is_operation(value, gast.Mult, gast.Add, gast.Sub, gast.Div, gast.Pow):
        sides = [s for s in (value.left, value.right) if not _is_number(s, facts)]
        return bool(sides) and all(lies_so(s, order, facts) for s in sides)
    return isinstance(value, gast.Name) and facts.lies.get(value.id) == order


def _is_number(expr: Expr, facts: Facts) -> bool:
    return isinstance(expr, gast.Constant) or (
        isinstance(expr, gast.Name) and isinstance(facts.kinds.get(expr.id), Number)
    )


def guards(facts: Facts) -> list[Stmt]:
    """What generated code says first: that it is right for arguments that lie in memory as it relies on.

    >>> from s2sad.core import text
    >>> print(text(guards(Facts(relied={"x": "C"}))))
    if not x.flags.c_contiguous:
        raise ValueError('this derivative is for x in C order')
    """
    out = []
    for key, layout in sorted(facts.relied.items()):
        if isinstance(layout, tuple):
            test, words = f"x.strides != {layout}", f"with strides {layout}"
        else:
            test, words = _GUARDS[layout]
        said = gast.Constant(f"this derivative is for {key} {words}", None)
        out += quote_statements(f"if {test}:\n    raise ValueError(words)", x=key, words=said)
    return out


_GUARDS = {
    "C": ("not x.flags.c_contiguous", "in C order"),
    "F": ("not x.flags.fnc", "in Fortran order"),
    "strided": ("x.flags.forc", "that is not contiguous"),
}
