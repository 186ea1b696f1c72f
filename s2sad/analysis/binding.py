"""Which names are certain to be bound: at the end of a block, before a statement, where they are copied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import gast

from s2sad.core import OfNodes, Stmt, blocks_of, children, is_constant, names_bound, statements_in, walk, walk_names


def targets(statement: Stmt) -> list[str]:
    """The names that a statement itself binds."""
    if isinstance(statement, gast.Assign):
        first, *others = statement.targets
        if type(first) is gast.Name and not others:
            return [first.id]
        return [n.id for t in statement.targets for n in walk_names(t) if isinstance(n.ctx, gast.Store)]
    if isinstance(statement, gast.For):
        return [statement.target.id]
    if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
        return [statement.target.id]
    return []


class Bits(dict[str, int]):
    """Names as bits of an int, which are given when they are asked for: the sets of a long function are many."""

    def __missing__(self, name: str) -> int:
        bit = self[name] = 1 << len(self)
        return bit

    def of(self, names: Iterable[str]) -> int:
        """The bits of some names."""
        mask = 0
        for name in names:
            mask |= self[name]
        return mask


class NamesOf(Collection[str]):
    """The names whose bits are set.

    >>> bits = Bits()
    >>> names = NamesOf(bits, bits.of(["a", "b"]))
    >>> sorted(names), "a" in names, "c" in names, len(names)
    (['a', 'b'], True, False, 2)
    """

    __slots__ = ("bits", "mask")

    def __init__(self, bits: Bits, mask: int) -> None:
        self.bits, self.mask = bits, mask

    def __contains__(self, name: object) -> bool:
        return bool(self.bits.get(name, 0) & self.mask)  # type: ignore[call-overload]

    def __iter__(self) -> Iterator[str]:
        return (name for name, bit in self.bits.items() if bit & self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()


def turns_surely(loop: Any) -> bool:
    """Does a `for` loop turn at least once, and to the end of its body?

    >>> from s2sad.core import statements
    >>> [turns_surely(statements(f"for i in range({n}): a = i")[0]) for n in ("3", "2, 2", "n")]
    [True, False, False]
    """
    return begins_surely(loop) and not may_jump(loop)


def may_jump(loop: Any) -> bool:
    """Is there a `break` or `continue` in the body of a loop, perhaps that of a loop in it?"""
    return any(isinstance(s, (gast.Break, gast.Continue)) for s in statements_in(loop.body))


def begins_surely(loop: Any) -> bool:
    """Does a `for` loop turn at least once, though perhaps not to the end of its body?"""
    call = loop.iter
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and call.func.id == "reversed":
        call = call.args[0]
    if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and call.func.id == "range"):
        return False
    bounds = [getattr(a, "value", None) for a in call.args]
    return all(type(b) is int for b in bounds) and bool(len(range(*bounds)))  # type: ignore[arg-type]


def bound_first(loop: Any) -> set[str]:
    """The names that a turn of a `for` loop binds before anything in it can jump away.

    >>> from s2sad.core import statements
    >>> sorted(bound_first(statements("for i in range(3):\\n  p = i\\n  if c: break\\n  q = i")[0]))
    ['i', 'p']
    """
    bound = {n.id for n in walk_names(loop.target)}
    for statement in loop.body:
        if any(isinstance(s, (gast.Break, gast.Continue, gast.Return)) for s in statements_in([statement])):
            break
        bound |= surely_bound([statement])
    return bound


def managed(items: list[Any]) -> set[str]:
    """The names that a with statement gives to the values of its managers."""
    return {i.optional_vars.id for i in items if isinstance(i.optional_vars, gast.Name)}


def surely_bound(block: list[Stmt]) -> set[str]:
    """Names that a block binds whatever path it takes."""
    bound: set[str] = set()
    for statement in block:
        if isinstance(statement, gast.If):
            bound |= surely_bound(statement.body) & surely_bound(statement.orelse)
        elif isinstance(statement, gast.With):
            bound |= managed(statement.items) | surely_bound(statement.body)
        elif isinstance(statement, gast.Try):
            paths = [[*statement.body, *statement.orelse], *(h.body for h in statement.handlers)]
            bound |= set.intersection(*map(surely_bound, paths))
        elif not isinstance(statement, (gast.For, gast.While)):
            bound |= set(targets(statement))
    return bound


def bound_before(body: list[Stmt]) -> dict[int, NamesOf]:
    """For every `if`, by its id: the names that are certain to be bound when it is reached.

    >>> from s2sad.core import statements
    >>> body = statements("a = 1\\nif c:\\n    b = 2\\n    if d:\\n        e = 3")
    >>> found = bound_before(body)
    >>> sorted(found[id(body[1])]), sorted(found[id(body[1].body[1])])
    (['a'], ['a', 'b'])
    """
    found: dict[int, NamesOf] = {}
    bits = Bits()

    def visit(block: list[Stmt], bound: int) -> None:
        for statement in block:
            if isinstance(statement, gast.If):
                found[id(statement)] = NamesOf(bits, bound)
            inner = bound | bits[statement.target.id] if isinstance(statement, gast.For) else bound
            for part in blocks_of(statement):
                visit(part, inner)
            bound |= bits.of(surely_bound([statement]))

    visit(body, 0)
    return found


def valued_before(body: list[Stmt], bound: frozenset[str] = frozenset()) -> dict[int, NamesOf]:
    """For every branch and loop, by its id: the names that are certain to have a value when it is reached.

    A copy of a name that may have no value has none.

    Args:
        body: the statements of a function.
        bound: what has a value before them: its parameters.

    >>> from s2sad.core import statements
    >>> body = statements("x = 1\\nwhile c:\\n    a = b\\n    y = x\\n    if d:\\n        b = 2")
    >>> sorted(valued_before(body)[id(body[1].body[2])])
    ['x', 'y']
    """
    return _values(body, bound)[0]


def may_lack_value(body: list[Stmt], bound: frozenset[str] = frozenset()) -> set[str]:
    """Names that are None, or copied where they may not be bound, and copies of these.

    Args:
        body: the statements of a function.
        bound: what has a value before them: its parameters.

    >>> from s2sad.core import statements
    >>> sorted(may_lack_value(statements("if c: a = x\\nb = 2\\nd = b\\nif e: y = z\\nelse: y = a"), frozenset("x")))
    ['a', 'y']
    """
    found = _values(body, bound)[1]
    copies = _copies(body)
    before = -1
    while before != len(found):
        before = len(found)
        found |= {target for target, source in copies if source in found}
    return found


def with_sources(names: set[str], body: list[Stmt]) -> set[str]:
    """Names, and those that they are copies of: a copy of what has no value has none.

    >>> from s2sad.core import statements
    >>> sorted(with_sources({"b"}, statements("if c: a = x * x\\nif c: b = y * y\\nelse: b = a")))
    ['a', 'b']
    """
    bound = names_bound(body)
    copies = _copies(body)
    found: set[str] = set()
    todo = set(names)
    while todo:
        found |= todo
        todo = {source for target, source in copies if target in todo and source in bound} - found
    return found


def _copies(body: list[Stmt]) -> list[tuple[str, str]]:
    """The names that are copied somewhere: what to, and from."""
    return [
        (node.targets[0].id, node.value.id)
        for node in statements_in(body)
        if isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and isinstance(node.value, gast.Name)
    ]


def _values(body: list[Stmt], bound: frozenset[str]) -> tuple[dict[int, NamesOf], set[str]]:
    """What has a value in front of every branch and loop, and names that are nothing, or copied where they may be."""
    found: dict[int, NamesOf] = {}
    lacking: set[str] = set()
    local = {name for statement in statements_in(body) for name in targets(statement)}
    bits = Bits()

    def after(block: list[Stmt], bound: int) -> int:
        for statement in block:
            if isinstance(statement, (gast.If, gast.For, gast.While)):
                found[id(statement)] = NamesOf(bits, bound)
            if isinstance(statement, gast.If):
                bound = after(statement.body, bound) & after(statement.orelse, bound)
            elif isinstance(statement, gast.With):
                bound = after(statement.body, bound | bits.of(managed(statement.items)))
            elif isinstance(statement, gast.Try):
                end = after([*statement.body, *statement.orelse], bound)
                for handler in statement.handlers:
                    end &= after(handler.body, bound)
                after(statement.finalbody, bound)
                bound = end
            elif isinstance(statement, (gast.For, gast.While)):
                own = bits[statement.target.id] if isinstance(statement, gast.For) else 0
                head, end = bound | own, after(statement.body, bound | own)
                while head & ~(end | own):  # what a turn takes away, the next one has not
                    head &= end | own
                    end = after(statement.body, head)
                bound &= head
                if isinstance(statement, gast.For) and turns_surely(statement):
                    bound = end
            else:
                copy = statement.value if isinstance(statement, gast.Assign) else None
                nothing = isinstance(copy, gast.Name) and copy.id in local and not bits[copy.id] & bound
                nothing = nothing or getattr(statement, "absent", False)
                if nothing or is_constant(copy, None):
                    lacking.update(targets(statement), [copy.id] if isinstance(copy, gast.Name) else [])
                bound = bound & ~bits.of(targets(statement)) if nothing else bound | bits.of(targets(statement))
        return bound

    after(body, bits.of(bound))
    return found, lacking


#: where a statement holds other statements
BLOCKS = {"body", "orelse", "finalbody", "handlers"}


def all_statements(block: list[Stmt]) -> list[Stmt]:
    out = []
    for statement in block:
        out.append(statement)
        for inner in blocks_of(statement):
            out.extend(all_statements(inner))
    return out


def leaves_loop(statement: Stmt) -> bool:
    """Does a branch hold a break of the loop around it?"""
    if isinstance(statement, gast.Break):
        return True
    if isinstance(statement, gast.If):
        return any(leaves_loop(s) for s in [*statement.body, *statement.orelse])
    return False


def binds_always(statement: Any, name: str) -> bool:
    def binds(block: list[Stmt]) -> bool:
        return any(name in targets(s) or (isinstance(s, gast.If) and binds_always(s, name)) for s in block)

    return binds(statement.body) and binds(statement.orelse)


def free_names(block: list[Stmt]) -> set[str]:
    """Names that a block reads before it binds them (a name bound anywhere at its own level counts as bound)."""
    free: set[str] = set()
    bound: set[str] = set()
    for statement in block:
        if isinstance(statement, (gast.For, gast.While)):
            head = statement.iter if isinstance(statement, gast.For) else statement.test
            free |= {n.id for n in walk_names(head)} - bound
            own = {statement.target.id} if isinstance(statement, gast.For) else set()
            free |= free_names(statement.body) - own - bound
        elif isinstance(statement, gast.If):
            free |= {n.id for n in walk_names(statement.test)} - bound
            free |= (free_names(statement.body) | free_names(statement.orelse)) - bound
            bound |= surely_bound(statement.body) & surely_bound(statement.orelse)
        elif isinstance(statement, gast.With):
            for item in statement.items:
                free |= {n.id for n in walk_names(item.context_expr)} - bound
                bound |= managed([item])
            free |= free_names(statement.body) - bound
            bound |= surely_bound([statement])
        elif isinstance(statement, gast.Try):
            free |= free_names([*statement.body, *statement.orelse]) - bound
            for handler in statement.handlers:
                free |= {n.id for n in walk_names(handler.type)} - bound
                free |= free_names(handler.body) - {n.id for n in walk_names(handler.name)} - bound
            free |= free_names(statement.finalbody) - bound
            bound |= surely_bound([statement])
        else:
            free |= {n.id for n in walk_names(statement) if isinstance(n.ctx, gast.Load)} - bound
            if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
                free |= {statement.target.id} - bound
            bound |= set(targets(statement))
    return free


def with_bodies(block: list[Stmt]) -> Iterator[Stmt]:
    """The statements of a block, and of the `with` blocks in it: these belong to the same turn of a loop.

    >>> from s2sad.core import statements, text
    >>> [text(s) for s in with_bodies(statements("with quiet:\\n    a = 1\\nb = 2")) if not isinstance(s, gast.With)]
    ['a = 1', 'b = 2']
    """
    for statement in block:
        yield statement
        if isinstance(statement, gast.With):
            yield from with_bodies(statement.body)


def bound_before_read(block: list[Stmt], names: set[str]) -> set[str]:
    """Which of these names a block binds before it reads them, in the order of the text.

    Where such a name is read on a path that did not bind it (behind a loop without turns, in a second `if` of the same
    condition), the primal has no value either; what an earlier turn left there is not read.

    >>> from s2sad.core import statements
    >>> sorted(bound_before_read(statements("for k in range(m):\\n    r = k\\ns = s + r"), {"r", "s"}))
    ['r']
    """
    found: set[str] = set()
    seen: set[str] = set()
    for statement in all_statements(block):
        heads = [value for name, value in gast.iter_fields(statement) if name not in BLOCKS]
        inside = [n for n in walk_names(heads) if n.id in names]
        seen |= {n.id for n in inside if isinstance(n.ctx, gast.Load)}
        if isinstance(statement, gast.AugAssign):
            seen |= {n.id for n in walk_names(statement.target)}
        found |= {n.id for n in inside if isinstance(n.ctx, gast.Store)} - seen
    return found

_BOUND = OfNodes()


def bound_names(tree: Any) -> tuple[set[str], set[str], set[str]]:
    """The names that are local to a function, its nonlocals and its globals."""
    known: tuple[set[str], set[str], set[str]] | None = _BOUND.get(tree)
    if known is not None:
        return known
    local: set[str] = set()
    outer: set[str] = set()
    glob: set[str] = set()
    spec = tree.args
    for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, [spec.vararg, spec.kwarg])]:
        local.add(a.id)
    stack = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del)):
            local.add(node.id)
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            local.add(node.name)
            continue
        elif isinstance(node, gast.Nonlocal):
            outer.update(node.names)
        elif isinstance(node, gast.Global):
            glob.update(node.names)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            local.update((a.asname or a.name.split(".")[0]) for a in node.names)
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            local.add(getattr(node.name, "id", node.name))
        if not isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            stack += children(node)
        else:
            stack.extend(n for n in walk(node) if isinstance(n, gast.NamedExpr))
    result = (local - outer - glob, outer, glob)
    _BOUND[tree] = result
    return result
