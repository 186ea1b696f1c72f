"""Lists that loops fill, in one expression: what a person writes where the core language has a loop of appends.

    out = []                                 out = [1.0]                           b = [0.0] * len(x)
    for v in x:                              for k in range(len(x))[1:]:           for k in reversed(range(len(x))):
        out.append(v * v)                        out.append(x[k])                      b[k] -= x[k]

    out = [v * v for v in x]                 out = [1.0, *x[1:]]                   b = [-v for v in x]

Only what one line of the primal made, or the derivative itself: a loop that the user wrote over several lines stays.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    atom_key,
    blocks_of,
    children_of,
    clone,
    form,
    is_operation,
    load,
    names_bound,
    names_read,
    quote,
    replace_names,
    statements_in,
    store,
    walk,
    walk_names,
)
from s2sad.kinds.kind import Array, Kind, List, ListOf, Number, Tuple
from s2sad.tidy.algebra import negated
from s2sad.tidy.rebuild import with_blocks, with_fields


def gathered(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements of a function, and of those inside of it, with the lists that loops fill as expressions.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"x": ListOf(Number(float)), "out": ListOf(Number(float))})
    >>> filled = statements("out = []\\nfor k in range(len(x))[1:]:\\n  out.append(x[k])")
    >>> print(text(gathered(filled, facts)))
    out = x[1:]
    """
    made = _Gathering(body, facts).block(body)
    inside = [with_fields(s, body=gathered(s.body, facts)) if type(s) is gast.FunctionDef else s for s in made]
    return inside if any(new is not old for new, old in zip(inside, body, strict=False)) else body


class _Gathering:
    """The search in one function."""

    def __init__(self, function: list[Stmt], facts: Facts) -> None:
        self.function, self.facts = function, facts

    def block(self, block: list[Stmt]) -> list[Stmt]:
        out = [s if type(s) is gast.Try else with_blocks(s, self.block) for s in block]
        at = 0
        while at < len(out):
            name = _starts_empty(out[at])
            if name is not None and (found := self.filled(out, at, name)) is not None:
                out = found
            elif name is None and (spread := self.spread(out, at)) is not None:
                out = spread
            else:
                at += 1
        return out

    # --- lists that begin empty

    def filled(self, block: list[Stmt], start: int, name: str) -> list[Stmt] | None:
        """A block in which a list is filled by the statements behind its start: those and the start as one."""
        first: Any = block[start]
        parts: list[Expr] = list(first.value.elts)
        taken, last, loops = [start], start, 0
        for at in range(start + 1, len(block)):
            s: Any = block[at]
            if not any(n.id == name for n in walk_names(s)):
                if not all(_stands(p, s) for p in parts) or type(s) is not gast.Assign:
                    break
                continue
            if not of_one_line(first, s):
                break
            item = _appended(s, name)
            if item is not None:
                parts.append(item)
            elif (all_of := self.turns(s, name, block[:at])) is not None:
                parts.append(gast.Starred(all_of, gast.Load()))
                loops += 1
            else:
                break
            taken.append(at)
            last = at
        if not loops:
            return None
        whole: Expr = gast.List(parts, gast.Load())
        if len(parts) == 1:
            only: Any = parts[0]
            whole = only.value if self.is_new(only.value) else quote("list(x)", x=only.value)
        new = _instead(block[last], name, whole, None)
        return [new if at == last else s for at, s in enumerate(block) if at == last or at not in taken]

    def is_new(self, value: Expr) -> bool:
        sliced = type(value) is gast.Subscript and type(value.slice) is gast.Slice
        listed = type(value) is gast.Call and type(value.func) is gast.Attribute and value.func.attr == "tolist"
        return sliced or listed or type(value) is gast.ListComp

    def turns(self, loop: Any, name: str, before: list[Stmt]) -> Expr | None:
        """What a loop appends to a list in its turns, as an expression that can be run over."""
        if type(loop) is not gast.For or loop.orelse or type(loop.target) is not gast.Name or _told(loop):
            return None
        *takes, last = loop.body
        tests: list[Expr] = []
        if type(last) is gast.If and len(last.body) == 1 and not last.orelse:
            tests, last = [last.test], last.body[0]
        item = _appended(last, name)
        if item is None or any(n.id == name for part in (loop.iter, item, *tests) for n in walk_names(part)):
            return None
        own = {loop.target.id}
        for take in reversed(takes):
            found = self.put_in(take, item, tests)
            if found is None:
                return None
            item, tests = found
            own |= names_bound(take)
        if own & {n.id for n in walk_names(loop.iter)} or self.reads_elsewhere(own, loop):
            return None
        target, over = self.by_item(loop.target.id, loop.iter, [item, *tests])
        item, *tests = target[1:]
        if not tests and type(item) is gast.Name and item.id == target[0].id:
            return over
        number = argument_of(item, "float")
        if not tests and self.is_plain_array(over) and type(number) is gast.Name and number.id == target[0].id:
            return quote("x.tolist()", x=over)
        if not tests and (whole := self.slice_of(item, target[0].id, over, before)) is not None:
            return whole
        generator = gast.comprehension(store(target[0].id), over, tests, 0)
        return gast.ListComp(item, [generator])

    def put_in(self, take: Any, item: Expr, tests: list[Expr]) -> tuple[Expr, list[Expr]] | None:
        """The item and the tests with what a statement before them binds put in; None where it is read twice."""
        if type(take) is not gast.Assign or len(take.targets) != 1:
            return None
        target, value = take.targets[0], take.value
        if type(value) is not gast.Subscript or type(value.value) is not gast.Name:
            return None
        if type(target) is gast.Tuple:
            names = [n.id if type(n) is gast.Name else None for n in target.elts]
            again = [n.id if type(n) is gast.Name else None for n in getattr(item, "elts", [])]
            kind = self.kind_of_item(value.value.id)
            same = type(item) is gast.Tuple and names == again and isinstance(kind, Tuple) and kind.cls is tuple
            return (value, tests) if same and not tests else None
        reads = [n for part in (item, *tests) for n in walk_names(part) if n.id == target.id]
        if type(target) is not gast.Name or len(reads) != 1:
            return None
        made = [replace_names(clone(part), {target.id: value}) for part in (item, *tests)]
        return made[0], made[1:]

    def by_item(self, position: str, over: Expr, parts: list[Expr]) -> tuple[list[Any], Expr]:
        """Positions of which only the item is read, as the items: `places[j] for j in range(len(places))`."""
        base = _length_of(argument_of(over, "range"))
        whole = [load(position), *parts]
        if base is None:
            return whole, over
        reads = [n for part in parts for n in walk_names(part) if n.id == position]
        if len(reads) != 1 or not self.can_be_run_over(base):
            return whole, over
        free = all(n.id != "item" for part in parts for n in walk_names(part))
        name = "item" if free else position
        items = [_with_items(part, f"{base}[{position}]", name) for part in parts]
        return ([load(name), *items], load(base)) if items != parts else (whole, over)

    def is_plain_array(self, over: Expr) -> bool:
        """Is it an array of floats with one axis, whose items `tolist` gives as Python's?"""
        kind = self.facts.kinds.get(over.id) if type(over) is gast.Name else None
        return isinstance(kind, Array) and kind.rank == 1 and not kind.mixed and kind.dtype.kind == "f"

    def can_be_run_over(self, name: str) -> bool:
        kind = self.facts.kinds.get(name)
        return isinstance(kind, (Array, List, ListOf, Tuple)) or getattr(kind, "cls", None) is range

    def slice_of(self, item: Expr, position: str, over: Expr, before: list[Stmt]) -> Expr | None:
        """`x[1:]` for the items of a list at the positions `range(len(x))[1:]`."""
        if type(item) is not gast.Subscript or type(item.value) is not gast.Name:
            return None
        if type(item.slice) is not gast.Name or item.slice.id != position:
            return None
        base = item.value.id
        if not isinstance(self.facts.kinds.get(base), (List, ListOf)):
            return None
        if type(over) is gast.Name:
            bound: Any = next((s for s in reversed(before) if over.id in names_bound(s)), None)
            if bound is None or type(bound) is not gast.Assign or type(bound.targets[0]) is not gast.Name:
                return None
            between = before[[s is bound for s in before].index(True) + 1 :]
            read = {base, *(n.id for n in walk_names(bound.value))}
            if any(read & {n.id for n in walk_names(s)} for s in between):
                return None
            over = bound.value
        if type(over) is not gast.Subscript or type(over.slice) is not gast.Slice:
            return None
        if _length_of(argument_of(over.value, "range")) != base:
            return None
        return gast.Subscript(load(base), clone(over.slice), gast.Load())

    # --- lists of adjoints

    def spread(self, block: list[Stmt], start: int) -> list[Stmt] | None:
        """A block in which a list of zeros gets what a loop over all of its places adds, as one expression."""
        first: Any = block[start]
        zeros = _zeros(first)
        if zeros is None or start + 1 >= len(block):
            return None
        name, length = first.targets[0].id, zeros
        kind = self.facts.kinds.get(name)
        loop: Any = block[start + 1]
        if not isinstance(kind, ListOf) or not isinstance(kind.item, Number) or type(loop) is not gast.For:
            return None
        turns = argument_of(argument_of(loop.iter, "reversed"), "range")
        if turns is None or form(turns) != form(length) or loop.orelse or type(loop.target) is not gast.Name:
            return None
        *takes, added = loop.body
        position = loop.target.id
        if type(added) is not gast.AugAssign or type(added.op) not in (gast.Add, gast.Sub):
            return None
        place = f"{name}[{position}]"
        if atom_key(added.target) != place or not _is_pure(added.value, self.facts):
            return None
        value: Expr = added.value if type(added.op) is gast.Add else negated(added.value)
        own = {position}
        for take in reversed(takes):
            target: Any = take.targets[0] if type(take) is gast.Assign else None
            base: Any = getattr(getattr(take, "value", None), "value", None)
            if type(target) is not gast.Name or type(base) is not gast.Name or base.id == name:
                return None
            if atom_key(take.value) != f"{base.id}[{position}]":
                return None
            value = replace_names(clone(value), {target.id: take.value})
            own.add(target.id)
        if name in {n.id for n in walk_names(value)} or self.reads_elsewhere(own, loop):
            return None
        target, item, over = self.named_item(value, position, turns, takes)
        made = gast.ListComp(item, [gast.comprehension(target, over, [], 0)])
        comment = next((c for s in (first, loop, *loop.body) if (c := s.__dict__.get("comment"))), None)
        new = _instead(loop, name, made, comment)
        return [*block[:start], new, *block[start + 2 :]]

    def named_item(self, value: Expr, position: str, turns: Expr, takes: list[Any]) -> tuple[Expr, Expr, Expr]:
        """What names a turn, what it gives and what is run over: the items of the list whose length counts the turns,
        and their positions where these are read."""
        base = _length_of(turns)
        name = next((t.targets[0].id for t in takes if t.value.value.id == base), None)
        if base is None or name is None or not self.can_be_run_over(base):
            return store(position), value, quote("range(n)", n=turns)
        item = _with_items(value, f"{base}[{position}]", name)
        if any(n.id == position for n in walk_names(item)):
            both = gast.Tuple([store(position), store(name)], gast.Store())
            return both, item, quote("enumerate(x)", x=load(base))
        return store(name), item, load(base)

    # --- both

    def kind_of_item(self, name: str) -> Kind | None:
        kind = self.facts.kinds.get(name)
        return kind.item if isinstance(kind, ListOf) else None

    def reads_elsewhere(self, names: set[str], loop: Any) -> bool:
        """Are the names of a loop's turns read anywhere but in it and in loops that bind them?"""
        return any(reads_outside(self.function, name, loop) for name in names)


def reads_outside(body: list[Stmt], name: str, loop: Any) -> bool:
    """Is a name read anywhere but in a loop, and where it was bound anew: by another loop, or in the same block?"""
    for at, s in enumerate(body):
        if s is loop or not any(n.id == name for n in walk_names(s)):
            continue
        if _binds(s, name) and not any(part is loop for part in statements_in(body[at:])):
            return name in names_read(s)
        blocks = list(blocks_of(s))
        if type(s) is gast.For and name in {n.id for n in walk_names(s.target)}:
            blocks.remove(s.body)
        within = {id(n) for block in blocks_of(s) for part in block for n in walk_names(part)}
        if any(n.id == name and type(n.ctx) is gast.Load and id(n) not in within for n in walk_names(s)):
            return True
        if any(reads_outside(block, name, loop) for block in blocks):
            return True
    return False


def _binds(s: Any, name: str) -> bool:
    """Does a statement give a name a value?"""
    stored = (n.id for t in getattr(s, "targets", ()) for n in walk_names(t) if type(n.ctx) is gast.Store)
    return type(s) is gast.Assign and name in stored


def _starts_empty(s: Any) -> str | None:
    """The list that a statement makes of what stands in a display: `out = []`."""
    if type(s) is gast.Assign and type(s.targets[0]) is gast.Name and type(s.value) is gast.List and not _told(s):
        return None if any(type(e) is gast.Starred for e in s.value.elts) else str(s.targets[0].id)
    return None


def _told(s: Any) -> bool:
    return bool(s.__dict__.get("comment"))


def of_one_line(first: Any, second: Any) -> bool:
    """Do two statements come from one line of the primal, or both from none?"""
    places = [(o.file, o.line) if (o := s.__dict__.get("origin")) is not None else None for s in (first, second)]
    return places[0] == places[1]


def _stands(part: Any, s: Stmt) -> bool:
    """Is an item of a display the same behind a statement?"""
    return type(part) is gast.Constant or (type(part) is gast.Name and part.id not in names_bound(s))


def _appended(s: Any, name: str) -> Expr | None:
    """What a statement appends to a list of this name."""
    call: Any = s.value if type(s) is gast.Expr else None
    if type(call) is not gast.Call or type(call.func) is not gast.Attribute or call.func.attr != "append":
        return None
    if type(call.func.value) is not gast.Name or call.func.value.id != name or len(call.args) != 1:
        return None
    return None if any(n.id == name for n in walk_names(call.args[0])) else call.args[0]


def argument_of(call: Any, function: str) -> Any:
    """x of `function(x)`."""
    named = type(call) is gast.Call and type(call.func) is gast.Name and call.func.id == function
    return call.args[0] if named and len(call.args) == 1 and not call.keywords else None


def _length_of(expr: Any) -> str | None:
    """x of `len(x)`."""
    base = argument_of(expr, "len")
    return base.id if type(base) is gast.Name else None


def _zeros(s: Any) -> Expr | None:
    """n of `b = [0.0] * n`."""
    value: Any = s.value if type(s) is gast.Assign and type(s.targets[0]) is gast.Name else None
    if not is_operation(value, gast.Mult) or type(value.left) is not gast.List:
        return None
    items = value.left.elts
    zero = len(items) == 1 and type(items[0]) is gast.Constant and repr(items[0].value) == "0.0"
    return value.right if zero else None


def _is_pure(expr: Expr, facts: Facts) -> bool:
    """May an expression be evaluated in another order of turns? All that it calls are functions of numbers."""
    calls = [n.func for n in walk(expr) if type(n) is gast.Call]
    makes = (gast.NamedExpr, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.Yield)
    return all(_of_numbers(f, facts) for f in calls) and not any(type(n) in makes for n in walk(expr))


def _of_numbers(func: Any, facts: Facts) -> bool:
    if type(func) is gast.Attribute and type(func.value) is gast.Name:
        return getattr(facts.globals.get(func.value.id), "__name__", "") in ("math", "numpy")
    known = facts.globals.get(func.id) if type(func) is gast.Name else None
    return getattr(known, "__module__", "") == "math" or type(known) is np.ufunc


def _with_items(tree: Any, key: str, name: str) -> Any:
    """A tree with the reads of an item by another name."""
    if type(tree) is list:
        return [_with_items(part, key, name) for part in tree]
    if not isinstance(tree, gast.AST):
        return tree
    if type(tree) is gast.Subscript and atom_key(tree) == key:
        return load(name)
    fields = tree.__dict__
    return with_fields(tree, **{f: _with_items(fields.get(f), key, name) for f in children_of(type(tree))})


def _instead(of: Stmt, name: str, value: Expr, comment: Any) -> Stmt:
    """An assignment in the place of a statement."""
    made = assign(name, value, of.__dict__.get("origin"))
    made.comment = comment
    return made
