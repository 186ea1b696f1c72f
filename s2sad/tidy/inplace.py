"""Work in place where nobody else sees the memory: `x = x + e` as `x += e`, and copies that nobody needs."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.analysis.liveness import Liveness, liveness_of
from s2sad.analysis.overlap import in_step
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Expr, Facts, Stmt, blocks_of, clone, load, replace_names, store, text
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import positive
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields

_SYMBOLS: dict[type, str] = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//"}


def update_in_place(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    owned_arrays: Collection[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with `x = x + e` as `x += e`, and so for -, * and /; `x += -e` as `x -= e`.

    An array is updated in place only if its memory was allocated here (or is in owned_arrays), no name that is read
    later shares it, and its shape and dtype are known to stay. Statements of the user's stay as written: what was
    `A[i] *= e` or, of a number, `x += e` there, and was taken apart, is put together again.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        live_out: names read after the last statement.
        owned_arrays: parameters whose memory belongs to the function.
        effects: what is known of the statements already.
        same: groups of parameters that may share memory.
        parameters: the names that come in bound.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"x": Number(float), "a": Number(float)})
    >>> print(text(update_in_place(statements("x = x - a * 2.0\\nx += -a\\nreturn x"), facts)))
    x -= a * 2.0
    x -= a
    return x
    """
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _InPlace(body, scope, liveness_of(body, scope), set(owned_arrays)).block(body)


class _InPlace:
    def __init__(self, body: list[Stmt], scope: Scope, liveness: Liveness, owned: set[str]) -> None:
        self.body = body
        self.scope = scope
        self.liveness = liveness
        self.ours = scope.fresh | owned
        self.world = scope.bases(WORLD)

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        copies: dict[str, str] = {}  # of what is at hand: copies made by the statements just before
        for s in statements:
            again = augmented(s, copies)
            out.append(self.statement(s) if again is None else again)
            copied = _copied(s)
            copies = {**copies, **copied} if copied else {}
        return out

    def statement(self, s: Stmt) -> Stmt:
        cls = type(s)
        if cls is gast.Assign:
            return self.as_written(s) if is_users(s) else self.assign(s)
        if cls is gast.AugAssign:
            if not is_users(s) and type(s.op) in (gast.Add, gast.Sub):
                opposite = positive(s.value)
                if opposite is not None:
                    op = gast.Sub() if type(s.op) is gast.Add else gast.Add()
                    return with_fields(s, op=op, value=opposite)
            return s
        return with_blocks(s, self.block)

    def as_written(self, s: Stmt) -> Stmt:
        """`x = x + e` of a number where the user wrote `x += e`."""
        target, value = s.targets[0], s.value
        if len(s.targets) != 1 or type(target) is not gast.Name or type(value) is not gast.BinOp:
            return s
        if type(value.left) is not gast.Name or value.left.id != target.id:
            return s
        symbol = _SYMBOLS.get(type(value.op))
        written = re.match(r"[^=\"'(]* (\S+)= ", getattr(getattr(s, "origin", None), "text", ""))
        if symbol is None or written is None or written[1] != symbol:
            return s
        if not isinstance(self.scope.facts.kinds.get(target.id), Number) or target.id in self.scope.captured:
            return s
        effect = self.scope.effects.of(s)
        return s if effect.walrus else _augmented(s, target, value.op, value.right)

    def assign(self, s: Stmt) -> Stmt:
        target = s.targets[0]
        if len(s.targets) != 1 or type(s.value) is not gast.BinOp:
            return s
        if type(target) is gast.Subscript:
            return self.part(s, target)
        if type(target) is not gast.Name:
            return s
        taken = _without(target.id, s.value)
        if taken is None:
            return s
        op, rest = taken
        if not self.may_update(s, target.id, rest):
            return s
        return self.statement(_augmented(s, target, op, rest))

    def part(self, s: Stmt, target: Any) -> Stmt:
        """`A[i] = A[i] * e` as `A[i] *= e`, where that keeps the dtype and the shape. An array in a list is somebody
        else's, too: there it would be overwritten, where the list just gets another one."""
        op, facts = type(s.value.op), self.scope.facts
        place: Expr = with_fields(target, ctx=gast.Load())
        kind = infer(place, facts)
        if op not in (gast.Mult, gast.Div) or infer(s.value, facts) != kind:
            return s
        if not isinstance(kind, Number) and not isinstance(infer(target.value, facts), Array):
            return s
        sides = [s.value.left, s.value.right] if op is gast.Mult else [s.value.left]
        if self.scope.effects.of(s).effects or text(place) not in map(text, sides):
            return s
        rest = s.value.right if text(s.value.left) == text(place) else s.value.left
        return s if text(place) in text(rest) else _augmented(s, target, s.value.op, rest)

    def may_update(self, s: Stmt, name: str, rest: Expr) -> bool:
        scope = self.scope
        effect = scope.effects.of(s)
        if effect.walrus or name in scope.captured:
            return False
        kind = scope.facts.kinds.get(name)
        if isinstance(kind, Number):
            return True  # it cannot change while the rest is evaluated
        if effect.effects or effect.own:
            return False
        if not isinstance(kind, Array) or kind.shape is None or kind.mixed or infer(s.value, scope.facts) != kind:
            return False
        bases = scope.bases(name)
        if not bases or not bases <= self.ours or bases & self.world:
            return False
        live = self.liveness.after[id(s)] | scope.always
        if any(bases & scope.bases(other) for other, bit in scope.bits.items() if live & bit and other != name):
            return False
        return name not in self.read_only

    @functools.cached_property
    def read_only(self) -> set[str]:
        return read_only(self.body)


def read_only(body: list[Stmt]) -> set[str]:
    """The names that may be views made by np.broadcast_to or np.diag, which NumPy lets nobody write to.

    >>> from s2sad.core import statements
    >>> sorted(read_only(statements("a = np.broadcast_to(x, n)\\nb = a[1:]\\nc = a.copy()\\nd = np.diag(x)")))
    ['a', 'b', 'd']
    """
    found: set[str] = set()
    before = -1
    assigned = [s for top in body for s in nested(top) if type(s) is gast.Assign]
    while before < len(found):
        before = len(found)
        for s in assigned:
            if is_broadcast(s.value, found):
                found |= {t.id for t in s.targets if type(t) is gast.Name}
    return found


def is_broadcast(value: Expr, names: Collection[str]) -> bool:
    """Is a value `np.broadcast_to(...)`, the diagonal of a matrix, one of the given names, or a view of these?

    >>> from s2sad.core import statements
    >>> [is_broadcast(s.value, "g") for s in statements("a = np.broadcast_to(x, n).T\\nb = g[1:]\\nc = g + 1.0")]
    [True, True, False]
    """
    if type(value) is gast.Name:
        return value.id in names
    if type(value) is gast.IfExp:
        return is_broadcast(value.body, names) or is_broadcast(value.orelse, names)
    if type(value) is gast.Call:
        name = getattr(value.func, "attr", None) or getattr(value.func, "id", None)
        parts = [*value.args[:1], value.func.value] if type(value.func) is gast.Attribute else value.args[:1]
        if name in ("broadcast_to", "diag", "diagonal", "expand_reduced"):
            return True
        return name != "copy" and any(is_broadcast(p, names) for p in parts)
    return type(value) in (gast.Subscript, gast.Attribute) and is_broadcast(value.value, names)


def augmented(s: Stmt, copies: dict[str, str]) -> Stmt | None:
    """`A[i] = A[i] * e` as the user's `A[i] *= e`; None for any other statement.

    Args:
        s: a statement; one that was taken apart is marked with its operator.
        copies: names that are at this moment copies of other names.
    """
    op = getattr(s, "augmented", None)
    if op is None or type(s) is not gast.Assign or type(s.value) is not gast.BinOp or type(s.value.op) is not op:
        return None
    target = s.targets[0]
    place: Expr = with_fields(target, ctx=gast.Load())
    if type(target.slice) is gast.Constant and target.slice.value is Ellipsis:
        place, target = target.value, store(target.value.id) if type(target.value) is gast.Name else target
    left = replace_names(clone(s.value.left), {c: load(name) for c, name in copies.items()})
    if text(left) != text(place):
        return None
    return _augmented(s, target, s.value.op, s.value.right)


def _augmented(s: Stmt, target: Expr, op: Any, value: Expr) -> Any:
    """`target op= value` with the marks of the statement that it stands for."""
    new = gast.AugAssign(target, op, value)
    for name, mark in s.__dict__.items():
        if name not in s._fields:
            setattr(new, name, mark)
    return new


def _copied(s: Stmt) -> dict[str, str]:
    """`c = y.copy()`: the name and what it is a copy of."""
    if type(s) is not gast.Assign or type(s.targets[0]) is not gast.Name or type(s.value) is not gast.Call:
        return {}
    func = s.value.func
    if type(func) is gast.Attribute and func.attr == "copy" and type(func.value) is gast.Name and not s.value.args:
        return {s.targets[0].id: func.value.id}
    return {}


def _without(name: str, value: Expr) -> tuple[Any, Expr] | None:
    """The operator and the rest of `x + e`, `e + x`, `x - e`, `x * e`, `x / e` for x; None for any other form."""
    op = type(value.op)
    if op in (gast.Add, gast.Sub):
        terms: list[tuple[bool, Expr]] = []
        _terms(value, True, terms)
        at = next((k for k, (plus, t) in enumerate(terms) if plus and type(t) is gast.Name and t.id == name), None)
        if at is None:
            return None
        del terms[at]
        return _joined(terms)
    if op in (gast.Mult, gast.Div):
        factors: list[Expr] = []
        node = value
        while type(node) is gast.BinOp and type(node.op) is op:
            factors.append(node.right)
            node = node.left
        if type(node) is gast.Name and node.id == name:
            if op is gast.Div and len(factors) > 1:
                return None
            factors.reverse()
        elif op is gast.Mult and len(factors) == 1 and type(factors[0]) is gast.Name and factors[0].id == name:
            factors = [node]
        else:
            return None
        rest = factors[0]
        for factor in factors[1:]:
            rest = gast.BinOp(rest, gast.Mult(), factor)
        return value.op, rest
    return None


def _terms(node: Expr, plus: bool, out: list[tuple[bool, Expr]]) -> None:
    if type(node) is gast.BinOp and type(node.op) in (gast.Add, gast.Sub):
        _terms(node.left, plus, out)
        _terms(node.right, plus == (type(node.op) is gast.Add), out)
    else:
        out.append((plus, node))


def _joined(terms: list[tuple[bool, Expr]]) -> tuple[Any, Expr]:
    """The terms as one sum, and whether it is added or subtracted."""
    if not any(plus for plus, _ in terms):
        rest = terms[0][1]
        for _, term in terms[1:]:
            rest = gast.BinOp(rest, gast.Add(), term)
        return gast.Sub(), rest
    first = next(k for k, (plus, _) in enumerate(terms) if plus)
    rest = terms[first][1]
    for k, (plus, term) in enumerate(terms):
        if k != first:
            rest = gast.BinOp(rest, gast.Add() if plus else gast.Sub(), term)
    return gast.Add(), rest


def elide_copies(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with `g = A[s].copy()` as `g = A[s]` where A does not change while g, or a view of g, is read.

    A store of a constant to A in between (`A[s] = 0.0`) moves down behind the last use of g, if nothing else touches A
    until there. Nor is there a copy of an array that nobody reads from there on.

    Args: as for `update_in_place`.

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"A": Array(np.dtype(float), None), "g": Array(np.dtype(float), None)})
    >>> facts.kinds["B"] = facts.kinds["A"]
    >>> print(text(elide_copies(statements("g = A[1:].copy()\\nA[1:] = 0.0\\nB[1:] += 2.0 * g\\nreturn A, B"), facts)))
    g = A[1:]
    B[1:] += 2.0 * g
    A[1:] = 0.0
    return (A, B)
    >>> print(text(elide_copies(statements("g = A + 1.0\\nB = g.copy()\\nB += A\\nreturn B"), facts)))
    g = A + 1.0
    B = g
    B += A
    return B
    >>> print(text(elide_copies(statements("g = np.broadcast_to(2.0, n)\\nB = g.copy()\\nB += A\\nreturn B"), facts)))
    g = np.broadcast_to(2.0, n)
    B = g.copy()
    B += A
    return B
    """
    if facts.laid_out or facts.identities or not any(_has_copy(s) for s in body):
        return body  # (a copy lies row after row, whatever the view does)
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _Elision(scope, liveness_of(body, scope), read_only(body)).block(body)


class _Elision:
    def __init__(self, scope: Scope, liveness: Liveness, read_only: set[str]) -> None:
        self.scope, self.read_only = scope, read_only
        #: what is live after each statement, as they are changed here
        self.after = dict(liveness.after)
        self._deep: dict[int, tuple[int, int, int]] = {}
        self._kept: list[Stmt] = []  # so that ids stay unique
        self.merged: list[int] = []  # memories that have become one since the scope was made

    def memory(self, base: str) -> int:
        """The bits of all names that share memory with this one, also through copies that are views by now."""
        found: int = self.scope.memory(base)
        while True:
            more = found
            for together in self.merged:
                more |= together if more & together else 0
            if more == found:
                return found
            found = more

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        result = list(statements)
        k = 0
        while k < len(result):
            if _is_copy(result[k]) and not is_users(result[k]):  # (the user's lies row after row: sums depend on it)
                self.elide(result, k)
            elif type(result[k]) is gast.Return and not is_users(result[k]):
                result[k] = self.handed_out(result[k])
            k += 1
        return [with_blocks(s, self.block) for s in result]

    def deep(self, s: Stmt) -> tuple[int, int, int]:
        """The bits that a statement and what is in it read, bind and store."""
        found = self._deep.get(id(s))
        if found is None:
            use, _, store, _ = self.scope.masks(s)
            binds = 0
            for name, _ in self.scope.effects.of(s).defines:
                binds |= self.scope.bit(name)
            for block in blocks_of(s):
                for inner in block:
                    u, b, st = self.deep(inner)
                    use, binds, store = use | u, binds | b, store | st
            found = self._deep[id(s)] = use, binds, store
        return found

    def elide(self, block: list[Stmt], at: int) -> None:
        """Change the block in place, if the copy at this position is not needed."""
        scope = self.scope
        s = block[at]
        name = s.targets[0].id
        view = s.value.func.value
        base = _base(view)
        holders = scope.names_of(name)
        if base is None or not scope.effects.is_array(base) or not scope.captured.isdisjoint((base, *holders)):
            return
        if not scope.parameters.isdisjoint(holders) or scope.bases(name) != {name}:
            return  # somebody else may hold on to it
        alone = len(holders) == 1
        if not scope.holders(name) or not (alone or all(map(scope.effects.is_array, holders))):
            return
        bit, base_bit = scope.bit(name), scope.bit(base)
        held = functools.reduce(operator.or_, map(scope.bit, holders))
        memory, own = self.memory(base), self.memory(name)
        if alone and type(view) is gast.Name and self.is_left(base, s):
            block[at] = self.viewed(s, view, memory | own)
            return
        read_for_view = 0
        for other in scope.effects.of_expression(view).reads:
            read_for_view |= scope.bit(other)
        if not self.after[id(s)] & bit:
            return
        zero = last = None
        zero_use = 0
        for k in range(at + 1, len(block)):
            t = block[k]
            cls = type(t)
            use, binds, store = self.deep(t)
            if cls in _JUMPS or (zero is not None and _may_jump(t)):
                return
            reads = bool(use & held)
            alive = bool(self.after[id(t)] & held)
            if store & own or binds & (bit | read_for_view | base_bit):
                return
            if zero is not None and (use & memory or (binds | store) & zero_use):
                return
            if store & memory:
                if not alone or zero is not None:  # (zeros that may go by themselves are not moved behind views of g)
                    return
                if alive and not reads and self.is_constant_store(t, base):
                    zero, zero_use = k, use
                elif not (reads and not alive and self.is_safe_with_overlap(t, name, view)):
                    return
            if not alive:
                last = k
                break
        if last is None:
            return
        block[at] = self.viewed(s, view, memory | own)
        if zero is not None:
            moved = block.pop(zero)
            block.insert(last, moved)
            self.after[id(moved)] = self.after[id(block[last - 1])]
            for passed in block[zero:last]:
                self.after[id(passed)] |= zero_use

    def viewed(self, s: Stmt, view: Expr, memory: int) -> Stmt:
        """The statement without its copy."""
        changed: Stmt = with_fields(s, value=view)
        self.after[id(changed)] = self.after[id(s)]
        self._kept.append(changed)
        self.merged.append(memory)
        return changed

    def is_left(self, name: str, s: Stmt) -> bool:
        """Does an array that was made here, and can be written to, have one name alone, which nobody reads after a
        statement?"""
        scope = self.scope
        own = name in scope.fresh and name not in self.read_only and scope.bases(name) == {name}
        if not own or scope.holders(name) != 1:
            return False
        return not self.after[id(s)] & (self.scope.bit(name) | self.memory(name))

    def handed_out(self, s: Any) -> Stmt:
        """A return without copies of what nobody else gets."""
        items = s.value.elts if type(s.value) is gast.Tuple else [s.value]
        copied = [_copies(e) and type(e.func.value) is gast.Name and not is_users(e) for e in items]
        if not any(copied):
            return s
        made = [e.func.value if is_copied else e for e, is_copied in zip(items, copied, strict=True)]
        shared = [{b for n in self.scope.effects.shares(item) for b in self.scope.bases(n)} for item in made]
        for k, item in enumerate(items):
            others = {b for i, bases in enumerate(shared) if i != k for b in bases}
            if copied[k] and (made[k].id in others or not self.is_left(made[k].id, s)):
                made[k] = item
        if len(made) == 1 and type(s.value) is not gast.Tuple:
            return with_fields(s, value=made[0])
        return with_fields(s, value=with_fields(s.value, elts=made))

    def is_constant_store(self, s: Stmt, base: str) -> bool:
        """`A[s] = 0.0`?"""
        return (
            type(s) is gast.Assign
            and len(s.targets) == 1
            and type(s.targets[0]) is gast.Subscript
            and type(s.targets[0].value) is gast.Name
            and s.targets[0].value.id == base
            and type(s.value) is gast.Constant
            and not self.scope.effects.of(s).own
        )

    def is_safe_with_overlap(self, s: Stmt, name: str, view: Expr) -> bool:
        """Do `A[s] = e` and `A[s] += e` read e, in which the name stands for a view of A, as it was before?"""
        if type(s) not in (gast.Assign, gast.AugAssign):
            return False
        target = s.targets[0] if type(s) is gast.Assign else s.target
        if type(target) is not gast.Subscript or self.scope.effects.of(s).effects:
            return False
        if type(s) is gast.AugAssign or not self.scope.effects.shares(s.value):
            return True  # (operators and ufuncs look for overlaps themselves)
        alone = type(s.value) is gast.Name and s.value.id == name
        return alone and in_step(target, view, self.scope.effects.facts)


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))


def _may_jump(s: Stmt) -> bool:
    return type(s) in _JUMPS or any(_may_jump(inner) for block in blocks_of(s) for inner in block)


def _has_copy(s: Any) -> bool:
    if type(s) is gast.Return and s.value is not None:
        return any(map(_copies, s.value.elts if type(s.value) is gast.Tuple else [s.value]))
    return _is_copy(s) or any(_has_copy(inner) for block in blocks_of(s) for inner in block)


def _is_copy(s: Stmt) -> bool:
    """`g = A[s].copy()`?"""
    return type(s) is gast.Assign and len(s.targets) == 1 and type(s.targets[0]) is gast.Name and _copies(s.value)


def _copies(call: Any) -> bool:
    """`A[s].copy()`?"""
    return (
        type(call) is gast.Call
        and type(call.func) is gast.Attribute
        and call.func.attr == "copy"
        and not call.args
        and not call.keywords
        and type(call.func.value) in (gast.Name, gast.Subscript, gast.Attribute)
    )


def _base(view: Expr) -> str | None:
    while type(view) is gast.Subscript or (type(view) is gast.Attribute and view.attr in ("T", "real", "imag")):
        view = view.value
    return view.id if type(view) is gast.Name else None
