"""Put the expressions of temporaries back where they are used, as a person would have written them.

A temporary moves forward to its only use, past statements that change nothing it reads. A copy of a name or constant
replaces the copy everywhere, as long as the name is not bound again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.liveness import Liveness, liveness_of
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Expr, Facts, Stmt, blocks_of, children_of, clone, walk, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import is_of_literals
from s2sad.tidy.coalesce import without_self_copies
from s2sad.tidy.rebuild import as_users, is_users, with_fields

LINE = 100  # lines are not made longer than this, except for what the user wrote on one line
LINES = 2.4  # and a sum, which is printed a term a line, is not made longer than so many lines


class _Waiting:
    """A temporary whose expression has not been needed yet."""

    __slots__ = ("at", "copy", "level", "outside", "own", "reads", "statement", "stores", "user", "value", "width")

    def __init__(
        self,
        at: int,
        level: int,
        statement: Stmt,
        reads: int,
        stores: int,
        own: bool,
        copy: bool,
        width: int,
        user: Any,
    ) -> None:
        self.at = at  # index of its assignment in the output block; -1 outside of it
        self.level = level  # in how many blocks it stands
        self.statement = statement
        self.value = as_users(statement.value, statement)
        self.reads = reads
        self.stores = stores
        self.own = own
        self.copy = copy
        self.width = width
        self.user = user
        self.outside: _Waiting | None = None  # as the blocks in later statements see it


class _Queue:
    """What waits in a block, by name. Most statements concern little of it, so it is found by what it reads.

    What waits around a block is seen in it where it is a copy; what the block does to it ends with the block.

    Args:
        bits: the bit of each name.
    """

    def __init__(self, bits: dict[str, int]) -> None:
        self.bits = bits
        self.level = 0
        self._waiting: dict[str, _Waiting] = {}
        #: who may read, who may store what a bit stands for, who is called so, and who has an effect of its own;
        #: some of them do not wait any more
        self._readers: dict[int, set[str]] = {}
        self._storers: dict[int, set[str]] = {}
        self._called: dict[int, str] = {}
        self._own: set[str] = set()
        #: what waited under a name before each change
        self._trail: list[tuple[str, _Waiting | None]] = []

    def enter(self) -> int:
        """A block begins: what `leave` is given at its end."""
        self.level += 1
        return len(self._trail)

    def leave(self, mark: int) -> None:
        """A block ends."""
        self.level -= 1
        while len(self._trail) > mark:
            name, before = self._trail.pop()
            if before is None:
                self._waiting.pop(name, None)
            else:
                self._waiting[name] = before

    def get(self, name: str) -> _Waiting | None:
        """What waits under a name, as it is seen here."""
        w = self._waiting.get(name)
        if w is None or w.level == self.level:
            return w
        if not w.copy:
            return None
        if w.outside is None:
            w.outside = _Waiting(-1, w.level, w.statement, w.reads, w.stores, w.own, True, w.width, w.user)
        return w.outside

    def add(self, name: str, w: _Waiting) -> None:
        self._trail.append((name, self._waiting.get(name)))
        self._waiting[name] = w
        self._called[self.bits[name]] = name
        if w.own:
            self._own.add(name)
        for mask, by_bit in ((w.reads, self._readers), (w.stores, self._storers)):
            while mask:
                bit = mask & -mask
                mask ^= bit
                found = by_bit.get(bit)
                if found is None:
                    by_bit[bit] = {name}
                else:
                    found.add(name)

    def drop(self, name: str) -> None:
        self._trail.append((name, self._waiting.pop(name)))

    def forget(self, use: int, binds: int, store: int, own: bool) -> None:
        """Drop what can not move past a statement with these bits."""
        changes, bits = binds | store, self.bits
        touched = use | changes
        near = set(self._own) if own else set()
        if touched.bit_count() > len(self._waiting):
            near = set(self._waiting)
        else:
            while touched:
                bit = touched & -touched
                touched ^= bit
                if bit in self._called:
                    near.add(self._called[bit])
                if bit & changes and bit in self._readers:
                    near |= self._readers[bit]
                if bit in self._storers:
                    near |= self._storers[bit]
        for name in near:
            w = self._waiting.get(name)
            if w is not None and (
                changes & w.reads
                or w.stores & (use | store)
                or (own and w.own)
                or binds & bits[name]
                or (not w.copy and (use | store) & bits[name])
            ):
                self.drop(name)


def renest(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
    line: int = LINE,
    lines: float = 1.0,
) -> list[Stmt]:
    """The statements with single-use temporaries (facts.temps) substituted and copies propagated.

    A statement whose attribute `user` is true is part of one expression of the user's: it is put back however long the
    line gets.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        live_out: names read after the last statement.
        effects: what is known of the statements already.
        same: groups of parameters that may share memory.
        parameters: the names that come in bound.
        line: how long a line may get.
        lines: how many lines long a sum may get.

    Returns:
        New lists; statements that did not change are the same nodes. Copies that nobody reads any more are left to
        `deadcode`.

    >>> from s2sad.core import statements, text
    >>> before = statements("t1 = np.sin(x)\\nt2 = t1 * y\\nA[0] = t2\\nreturn A")
    >>> print(text(renest(before, Facts(temps={"t1", "t2"}))))
    A[0] = np.sin(x) * y
    return A
    """
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    worker = _Renest(scope, liveness_of(body, scope), line, lines)
    worker.find_literals(body)
    made = worker.block(body, 0)
    return without_self_copies(made, scope)


class _Renest:
    def __init__(self, scope: Scope, liveness: Liveness, line: int, lines: float) -> None:
        self.scope = scope
        self.effects = scope.effects
        self.after = liveness.after
        self.line = line
        self.lines = lines
        self.waiting = _Queue(scope.bits)
        facts = scope.facts
        self.temps = facts.temps - scope.captured
        self.kept = scope.captured | scope.parameters
        self.versions = facts.user_name.keys() - self.temps - scope.captured - scope.parameters
        self._deep: dict[int, tuple[int, int, int, bool]] = {}
        self.literals: dict[str, _Waiting] = {}

    def find_literals(self, body: list[Stmt]) -> None:
        """Temporaries that are nothing but a product of literals, which may stand wherever they are read."""
        bound: Counter[str] = Counter()
        found: list[Any] = []
        for s in (s for top in body for s in nested(top)):
            bound.update(self.effects.of(s).binds)
            if type(s) is gast.Assign and is_of_literals(s.value) and type(s.targets[0]) is gast.Name:
                found.append(s)
        for s in found:
            name = s.targets[0].id
            if bound[name] == 1 and name in self.temps and len(s.targets) == 1 and name not in self.scope.parameters:
                self.literals[name] = _Waiting(-1, 0, s, 0, 0, False, True, width_of(s.value), None)

    def block(self, statements: list[Stmt], depth: int) -> list[Stmt]:
        out: list[Stmt | None] = []
        waiting = self.waiting
        mark = waiting.enter()
        for s in statements:
            cls = type(s)
            new = s
            gained: list[_Waiting] = []
            arrived = self.arrives(s, out)
            if arrived is not None:
                new = arrived[0]
                gained = [arrived[1]]
            else:
                new, gained = self.substitute(s, out, depth)
            use, binds, store, own = self.deep(s)
            for g in gained:
                use |= g.reads
                store |= g.stores
                own = own or g.own
            waiting.forget(use, binds, store, own)
            if cls not in _SIMPLE and cls not in (gast.FunctionDef, gast.ClassDef):
                new = self.inside(s, new, depth)
            elif cls is gast.Assign:
                target = new.targets[0]
                if len(new.targets) == 1 and type(target) is gast.Name and self.may_wait(target.id, s):
                    width = sum(g.width for g in gained) + width_of(s.value)
                    user = getattr(s, "origin", None) or getattr(s, "user", None)
                    constant = _is_constant(new.value) and not is_users(s) and target.id not in self.kept
                    copy = constant or (target.id in self.temps and self.is_trivial(new.value))
                    if not (copy and use & self.scope.bit(target.id)):
                        w = _Waiting(len(out), waiting.level, new, use, store, own, copy, width, user)
                        waiting.add(target.id, w)
            out.append(new)
        waiting.leave(mark)
        return [s for s in out if s is not None]

    def may_wait(self, name: str, s: Stmt) -> bool:
        if name in self.temps or name in self.versions:
            return True
        return name not in self.scope.captured and not is_users(s)

    def is_trivial(self, value: Expr) -> bool:
        """May it stand wherever its temporary is read: a name, a constant, a number's opposite, a transpose?

        Or a product of literals, which what reads it may not be able to take as one number.
        """
        if type(value) is gast.Attribute and value.attr == "T":
            value = value.value
            return (
                type(value) is gast.Name
                and isinstance(self.scope.facts.kinds.get(value.id), Array)
                and (value.id not in self.scope.captured)
            )
        if is_of_literals(value):
            return True
        if type(value) is gast.UnaryOp and type(value.op) is gast.USub:
            value = value.operand
            if type(value) is gast.Constant:
                return isinstance(value.value, (int, float))
            if type(value) is not gast.Name or not isinstance(self.scope.facts.kinds.get(value.id), Number):
                return False
        return type(value) is gast.Constant or (type(value) is gast.Name and value.id not in self.scope.captured)

    def arrives(self, s: Stmt, out: list[Stmt | None]) -> tuple[Stmt, _Waiting] | None:
        """`x_1 = e; ...; x = x_1`, with no other use of x_1: e moves down to where it becomes x."""
        if type(s) is not gast.Assign or type(s.value) is not gast.Name or len(s.targets) != 1:
            return None
        name, target = s.value.id, s.targets[0]
        w = self.waiting.get(name)
        if w is None or w.at < 0 or name not in self.versions or type(target) is not gast.Name or w.stores or w.own:
            return None
        names = self.scope.facts.user_name
        if names.get(target.id, target.id) != names[name] or self.after[id(s)] & self.scope.bit(name):
            return None
        out[w.at] = None
        self.waiting.drop(name)
        return with_fields(w.statement, targets=s.targets), w

    def summed(self, s: Stmt, new: Stmt, name: str, w: _Waiting, depth: int) -> Stmt | None:
        """`x = e` and `x += f` in one; x is no temporary, but both are the compiler's."""
        if is_users(s) or is_users(w.statement) or w.stores or w.own or self.effects.of(s).reads[name] != 1:
            return None
        if type(s) is gast.Assign:
            if len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
                return None
            made = replaced(new.value, {name: w.value})
        elif type(s) is gast.AugAssign and type(s.op) in (gast.Add, gast.Sub):
            made = gast.BinOp(w.value, s.op, new.value)
            kind = self.scope.facts.kinds.get(name)
            if not isinstance(kind, Number):  # what += changes in place must be new memory, and keep its form
                result = infer(made, self.scope.facts)
                if self.effects.shares(w.value) or not isinstance(kind, Array) or kind.shape is None or result != kind:
                    return None
        else:
            return None
        width = w.width + width_of(s.value) + 3
        if width > self.line and not self.fits_as_sum([*_terms(w.value), *_terms(new.value)], width, depth):
            return None
        if type(s) is gast.Assign:
            return with_fields(new, value=made)
        return with_fields(w.statement, value=made)

    def inside(self, s: Stmt, new: Stmt, depth: int) -> Stmt:
        """The statement with its blocks done."""
        changes: dict[str, Any] = {}
        for field in ("body", "orelse", "finalbody"):
            block = getattr(s, field, None)
            if block:
                changes[field] = self.block(block, depth + 4)
        for field in ("handlers", "cases"):
            parts = getattr(s, field, None)
            if parts:
                changes[field] = [with_fields(p, body=self.block(p.body, depth + 4)) for p in parts]
        return with_fields(new, **changes)

    def deep(self, s: Stmt) -> tuple[int, int, int, bool]:
        """The bits a statement and the blocks in it read, bind and store, and whether any has an effect of its own."""
        found = self._deep.get(id(s))
        if found is None:
            use, _, store, own = self.scope.masks(s)
            binds = 0
            e = self.effects.of(s)
            for name in e.binds:
                binds |= self.scope.bit(name)
            for name, _ in e.defines:
                binds |= self.scope.bit(name)
            if type(s) not in _SIMPLE:
                for block in blocks_of(s):
                    for inner in block:
                        u, b, st, o = self.deep(inner)
                        use |= u
                        binds |= b
                        store |= st
                        own = own or o
            elif type(s) in _JUMPS:
                use |= self.after[id(s)]  # what is read where it leads must be there
            found = self._deep[id(s)] = use, binds, store, own
        return found

    def substitute(self, s: Stmt, out: list[Stmt | None], depth: int) -> tuple[Stmt, list[_Waiting]]:
        """The statement with what waits for it put in, and what was."""
        e = self.effects.of(s)
        waiting = {n: w for n in e.reads if (w := self.waiting.get(n) or self.literals.get(n)) is not None}
        if not waiting:
            return s, []
        cls = type(s)
        after = self.after[id(s)]
        use, binds, store, own = self.deep(s)
        in_blocks = self.reads_in_blocks(s) if cls not in _SIMPLE else 0
        new = s
        width = -1
        terms: list[_Term] = []
        parts: dict[str, Expr] = {}
        gained: list[_Waiting] = []
        base = _target_base(s)
        candidates = list(waiting)
        if len(candidates) > 1:
            # what has no effects first: whether the others may move depends on all that stands in the statement then
            candidates.sort(
                key=lambda n: (waiting[n].own or waiting[n].stores != 0, not waiting[n].user, waiting[n].width)
            )
        for name in candidates:
            w = waiting[name]
            bit = self.scope.bit(name)
            if w.copy:
                if cls is gast.AugAssign and name in e.binds:
                    continue  # t += 1
                if cls is gast.While and binds & (w.reads | bit):
                    continue  # the test is evaluated again
                parts[name] = w.value
                gained.append(w)  # the statement reads what the copy stands for now
                continue
            self.waiting.drop(name)  # used here or, being read here, not later
            if name not in self.temps or (cls is gast.AugAssign and name in e.binds):
                summed = (
                    self.summed(s, new, name, w, depth) if w.at >= 0 and name in e.binds and not e.effects else None
                )
                if summed is not None:
                    out[w.at] = None
                    new = summed
                    gained.append(w)
                continue
            if w.at < 0 or cls is gast.While or e.reads[name] != 1 or name == base:
                continue
            if (after & bit and name not in e.binds) or in_blocks & bit or e.walrus:
                continue
            simple_effects = e.effects == 0 or (e.effects == 1 and e.last)
            if not simple_effects and w.reads & store:
                continue
            if (w.stores or w.own) and not self.may_move_effect(s, name, w, use, store, own):
                continue
            if width < 0:
                width = depth + width_of(s if cls in _SIMPLE else s.test if cls is gast.If else getattr(s, "iter", s))
                terms = _terms(s.value) if cls in _SUMS and s.value is not None else []
                if len(terms) == 1 and not terms[0].bare:  # it is no sum, and is printed on one line
                    terms = []
            wider = w.width - len(name)
            term = next((t for t in terms if name in t.names), None)
            if (
                width + wider > self.line
                and not (w.user and w.user == (getattr(s, "origin", None) or getattr(s, "user", None)))
                and not (term is not None and self.fits_as_term(term, w, width + wider, depth))
            ):
                continue
            width += wider
            if term is not None:
                term.width += wider
            out[w.at] = None
            parts[name] = w.value
            gained.append(w)
            use |= w.reads
            store |= w.stores
        if not parts:
            return new, gained
        return _replace_in_header(new, parts), gained

    def fits_as_sum(self, terms: list[_Term], width: int, depth: int) -> bool:
        """Is a sum that is longer than a line as one prints it a term a line?"""
        return width <= self.lines * self.line and all(t.width + depth + 8 <= self.line for t in terms)

    def fits_as_term(self, term: _Term, w: _Waiting, width: int, depth: int) -> bool:
        """Is it such a sum where what waits stands in one of its terms? `width`: of the whole then."""
        if not term.bare:
            return width <= self.lines * self.line and term.width + w.width + depth + 8 <= self.line
        return self.fits_as_sum(_terms(w.value), width, depth)

    def reads_in_blocks(self, s: Stmt) -> int:
        use = 0
        for block in blocks_of(s):
            for inner in block:
                use |= self.deep(inner)[0]
        return use

    def may_move_effect(self, s: Stmt, name: str, w: _Waiting, use: int, store: int, own: bool) -> bool:
        """May an expression with effects be evaluated at its place in the statement?"""
        position = _position(s, name, self.effects.calls.is_module)
        if position == "first":
            return True
        return position == "later" and not (w.stores & (use | store) or w.reads & store or (w.own and own))


class _Term:
    """A term of a sum: how long it is, the names in it, and whether it is nothing but a name."""

    __slots__ = ("bare", "names", "width")

    def __init__(self, value: Expr) -> None:
        self.width = width_of(value)
        self.names = {n.id for n in walk_names(value)}
        self.bare = type(value) is gast.Name


def _terms(value: Expr) -> list[_Term]:
    """The terms of a sum and of sums in it; what is no sum is one.

    >>> import gast
    >>> [t.width for t in _terms(gast.parse("a * b - (c + 1.0) + d").body[0].value)]
    [5, 1, 3, 1]
    """
    if type(value) is gast.BinOp and type(value.op) in (gast.Add, gast.Sub):
        return [*_terms(value.left), *_terms(value.right)]
    return [_Term(value)]


_SUMS = frozenset((gast.Assign, gast.AugAssign, gast.Return))


_SIMPLE = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Break, gast.Continue, gast.Pass))


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue))


def _is_constant(value: Expr) -> bool:
    """A number with or without a sign?"""
    if type(value) is gast.UnaryOp and type(value.op) is gast.USub:
        value = value.operand
    return type(value) is gast.Constant and type(value.value) in (int, float)


def names_constants(body: list[Stmt]) -> bool:
    """Does a name of the compiler's stand for nothing but a number, so that it is not needed?

    >>> from s2sad.core import statements
    >>> names_constants(statements("g = -0.5\\nb = g * x")), names_constants(statements("b = 0.0\\nb += x"))
    (True, False)
    """
    found = {
        s.targets[0].id
        for top in body
        for s in nested(top)
        if type(s) is gast.Assign and type(s.targets[0]) is gast.Name and _is_constant(s.value) and not is_users(s)
    }
    if not found:
        return False
    bound = Counter(n.id for n in walk_names(body) if type(n.ctx) is not gast.Load)
    return any(bound[name] == 1 for name in found)


def _target_base(s: Stmt) -> str | None:
    """The name that a statement stores through: `t[i] = ..` keeps its name."""
    target: Any = s.targets[0] if type(s) is gast.Assign else s.target if type(s) is gast.AugAssign else None
    while type(target) in (gast.Subscript, gast.Attribute):
        target = target.value
        if type(target) is gast.Name:
            name: str = target.id
            return name
    return None


def _replace_in_header(s: Stmt, parts: dict[str, Expr]) -> Stmt:
    """The statement with names replaced by expressions, nested blocks left alone."""
    changes: dict[str, Any] = {}
    for field in s._fields:
        if field in ("body", "orelse", "finalbody", "handlers", "cases", "op", "type_comment"):
            continue
        value = getattr(s, field, None)
        if isinstance(value, gast.AST | list):
            changes[field] = replaced(value, parts)
    return with_fields(s, **changes)


def replaced(node: Any, parts: dict[str, Expr]) -> Any:
    """The tree with loaded names replaced: the tree itself where nothing changed. Each part is copied when used again.

    >>> import gast
    >>> gast.unparse(replaced(gast.parse("x + f(y)").body[0].value, {"y": gast.Constant(1, None)}))
    'x + f(1)'
    """
    return _replaced(node, parts, set())


def _replaced(node: Any, parts: dict[str, Expr], used: set[str]) -> Any:
    """The same, where some of the parts have been used."""
    cls = type(node)
    if cls is gast.Name:
        part = parts.get(node.id)
        if part is None or type(node.ctx) is not gast.Load:
            return node
        if node.id in used:
            return clone(part)
        used.add(node.id)
        return part if type(part) not in (gast.Name, gast.Constant) else clone(part)
    if cls is list:
        return [_replaced(item, parts, used) for item in node]
    changes: dict[str, Any] = {}
    for field in children_of(cls):
        value = getattr(node, field, None)
        if value is not None and (new := _replaced(value, parts, used)) is not value:
            changes[field] = new
    return with_fields(node, **changes) if changes else node


def _position(s: Stmt, name: str, is_module: Callable[[str], bool]) -> str:
    """When a name is evaluated in a statement: "first" (nothing but names and constants before it), "later" or
    "conditional" (perhaps never, perhaps often)."""
    nontrivial = False
    for node, conditional in _in_order(s):
        if type(node) is gast.Name and node.id == name:
            if conditional:
                return "conditional"
            return "later" if nontrivial else "first"
        looked_up = type(node) is gast.Attribute and type(node.value) is gast.Name and is_module(node.value.id)
        if type(node) not in (gast.Name, gast.Constant) and not looked_up:
            nontrivial = True
    return "conditional"


def _in_order(s: Stmt) -> Iterator[tuple[Any, bool]]:
    """The nodes of a statement's header when their evaluation is complete, and whether it depends on a condition."""
    cls = type(s)
    if cls is gast.Assign:
        yield from _evaluation(s.value, False)
        for target in s.targets:
            yield from _evaluation(target, False)
    elif cls is gast.AugAssign:
        yield from _evaluation(s.target, False)
        yield from _evaluation(s.value, False)
    elif cls in (gast.Expr, gast.Return):
        if s.value is not None:
            yield from _evaluation(s.value, False)
    elif cls is gast.If:
        yield from _evaluation(s.test, False)
    elif cls is gast.For:
        yield from _evaluation(s.iter, False)
    else:
        for node in walk(s):
            yield node, True


def _evaluation(node: Any, conditional: bool) -> Iterator[tuple[Any, bool]]:
    cls = type(node)
    if cls is gast.BoolOp:
        yield from _evaluation(node.values[0], conditional)
        for value in node.values[1:]:
            yield from _evaluation(value, True)
    elif cls is gast.IfExp:
        yield from _evaluation(node.test, conditional)
        yield from _evaluation(node.body, True)
        yield from _evaluation(node.orelse, True)
    elif cls is gast.Compare and len(node.ops) > 1:
        yield from _evaluation(node.left, conditional)
        yield from _evaluation(node.comparators[0], conditional)
        for value in node.comparators[1:]:
            yield from _evaluation(value, True)
    elif cls in (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp):
        for inner in walk(node):
            yield inner, True
        return
    elif cls is gast.Dict:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                yield from _evaluation(key, conditional)
            yield from _evaluation(value, conditional)
    else:
        for child in gast.iter_child_nodes(node):
            if isinstance(child, gast.expr | gast.keyword):
                yield from _evaluation(child, conditional)
    if cls not in (gast.keyword, gast.Tuple, gast.List, gast.Starred):
        yield node, conditional


def width_of(node: Any) -> int:
    """About how long a tree is when printed."""
    cls = type(node)
    if cls is gast.Name:
        return len(node.id)
    if cls is gast.Constant:
        return len(repr(node.value))
    if cls is gast.BinOp:
        return width_of(node.left) + width_of(node.right) + 3
    if cls is gast.Attribute:
        return width_of(node.value) + len(node.attr) + 1
    if cls is list:
        return sum(width_of(item) + 2 for item in node)
    total = 2
    if isinstance(node, gast.AST):
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.expr | gast.keyword | list):
                total += width_of(value) + 1
    return total
