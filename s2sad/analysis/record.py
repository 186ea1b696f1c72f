"""What must be recorded: which values the backward sweep reads, and how it gets them.

A value of straight-line code stands under its name. A value of a loop's turn is gone when the backward sweep reads it;
in this order, it is computed again from what stands (an index, an element of an array that nobody overwrites, a short
expression of numbers), read where it was stored (in `y[i] = t`, that nobody overwrites), or put on the tape: one list
for a nest of loops, one entry a turn, holding only what is read.
A value read from memory that is overwritten later is copied where it is read.
"""

from __future__ import annotations

import copy
import itertools
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.binding import (
    all_statements,
    binds_always,
    bound_before_read,
    free_names,
    leaves_loop,
    targets,
    with_bodies,
    with_sources,
)
from s2sad.analysis.headers import is_range
from s2sad.analysis.memory import Memory, Place, makes_new
from s2sad.analysis.recompute import Recomputation
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    atom_key,
    blocks_of,
    clone,
    global_name,
    is_operation,
    load,
    names_bound,
    quote,
    quote_statements,
    walk,
    walk_names,
)
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Places, Tuple, Unknown
from s2sad.transform.sweep import Sweep
from s2sad.transform.values import copied_value

#: what repeating a branch's condition may cost outside of loops
CONDITION = 12


@dataclass
class Recorded:
    """The two sweeps with everything in its place, and what was decided, for `s2sad explain`."""

    forward: list[Stmt]
    backward: list[Stmt]
    decisions: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass
class Entry:
    """What a block of the forward sweep leaves on a tape, and where the backward sweep takes it."""

    tape: str
    names: list[str]
    block: list[Stmt]
    backward: list[Stmt]
    pop: Stmt
    #: the `if` of which the block is one side
    branch: Any


def record(body: list[Stmt], backward: list[Stmt], sweep: Sweep, memory: Memory, facts: Facts) -> Recorded:
    """Give the backward sweep what it reads.

    Args:
        body: the forward sweep, core Python; changed in place.
        backward: the backward sweep in terms of the primal's names, without dead code; changed in place.
        sweep: what the sweep knows of itself.
        memory: the memory facts of the forward sweep.
    """
    worker = _Recorder(body, backward, sweep, memory, facts)
    worker.run()
    read = {n.id for n in walk_names(backward)}
    unset = with_sources((sweep.unset & read) | worker.guarded, body) - sweep.parameters
    body[:0] = [assign(name, gast.Constant(None, None)) for name in sorted(unset)]
    return Recorded(body, backward, worker.decisions)


class _Recorder:
    def __init__(self, body: list[Stmt], backward: list[Stmt], sweep: Sweep, memory: Memory, facts: Facts) -> None:
        self.body, self.backward, self.sweep, self.memory, self.facts = body, backward, sweep, memory, facts
        self.decisions: list[tuple[str, str, str]] = []
        self.block_of: dict[int, list[Stmt]] = {}
        self.definition: dict[str, list[Stmt]] = {}
        self.tapes: list[str] = []
        #: names that may have no value where they are copied
        self.guarded: set[str] = set()
        self.entries: list[Entry] = []
        self.again = Recomputation(self.block_of, self.definition, memory, facts)

    # --- the order of things

    def run(self) -> None:
        self.index_blocks(self.body)
        self.name_tests(self.body, {n.id for n in walk_names(self.backward)})
        self.settle_placeholders()
        self.index_definitions(self.body)
        self.count_turns()
        self.top(self.backward)

    def index_blocks(self, block: list[Stmt]) -> None:
        for statement in block:
            self.block_of[id(statement)] = block
            for inner in blocks_of(statement):
                self.index_blocks(inner)

    def index_definitions(self, block: list[Stmt]) -> None:
        for statement in block:
            for name in () if self.is_store(statement) else targets(statement):
                self.definition.setdefault(name, []).append(statement)
            for inner in blocks_of(statement):
                self.index_definitions(inner)

    # --- conditions of branches

    def name_tests(self, block: list[Stmt], read: set[str]) -> None:
        """`if test` becomes `taken = test; if taken` where the backward sweep branches again, and reads `taken`."""
        k = 0
        while k < len(block):
            statement = block[k]
            for inner in blocks_of(statement):
                self.name_tests(inner, read)
            if isinstance(statement, gast.If) and getattr(statement, "named_test", False):
                if statement.test.id in read:
                    definition = assign(
                        statement.test.id, self.as_flag(statement.test_value), getattr(statement, "origin", None)
                    )
                    self.memory.places[id(definition)] = self.memory.places[id(statement)]
                    self.block_of[id(definition)] = block
                    block.insert(k, definition)
                    k += 1
                else:
                    statement.test = statement.test_value
                statement.named_test = False
            k += 1

    def as_flag(self, test: Expr) -> Expr:
        """A condition as a value that stays: a list that is tested for being empty may change later."""
        if isinstance(test, (gast.Compare, gast.UnaryOp, gast.Constant)) or isinstance(self.again.kind(test), Number):
            return test
        if isinstance(test, gast.BoolOp) and all(self.as_flag(v) is v for v in test.values):
            return test
        return gast.Call(load("bool"), [test], [])

    # --- reads of memory that is overwritten

    def settle_placeholders(self) -> None:
        read = {n.id for n in walk_names(self.backward)}
        rename: dict[str, str] = {}
        copies: list[tuple[str, bool, list[Stmt], Place, str]] = []
        wanted = [p for p in self.sweep.placeholders.values() if p.name in read]
        wanted.sort(key=lambda p: (self.memory.places[id(p.statement)].order, p.after))
        for held in wanted:
            place = self.memory.places[id(held.statement)]
            if not self.memory.overwritten_after(held.key, None, place, own=not held.after):
                rename[held.name] = held.key
                continue
            block = self.block_of[id(held.statement)]
            earlier = [
                c
                for c in copies
                if c[0] == held.key
                and c[2] is block
                and not self.stored_between(held.key, c[3], c[1], place, held.after)
            ]
            if earlier:
                rename[held.name] = earlier[-1][4]
                continue
            self.materialise(held, block, place)
            copies.append((held.key, held.after, block, place, held.name))
        if rename:
            _rename(self.backward, rename)

    def stored_between(self, key: str, first: Place, first_after: bool, second: Place, second_after: bool) -> bool:
        root = self.memory.find(key)
        return any(
            self.memory.find(s.key) == root
            and (s.place.order > first.order or (s.place.order == first.order and not first_after))
            and (s.place.order < second.order or (s.place.order == second.order and second_after))
            for s in self.memory.stores
        )

    def materialise(self, held: Any, block: list[Stmt], place: Place) -> None:
        """Copy what a statement reads, where it reads it."""
        kind = self.facts.kinds.get(held.key, Unknown())
        value = copied_value(kind, quote(held.key))
        if isinstance(kind, Unknown) and not isinstance(kind, Places):
            # (np.array would make of a number an array of no axes, which is no longer weak beside single precision)
            value = quote("m.copy(x)", m=global_name(copy, "copy", self.facts), x=held.key)
        if held.key in self.sweep.unset:
            self.guarded.add(held.key)
            value = quote("None if x is None else v", x=held.key, v=value)
        statement = assign(held.name, value)  # (not the user's: what reads it read the array itself there)
        at = next(i for i, s in enumerate(block) if s is held.statement)
        self.block_of[id(statement)] = block
        self.memory.places[id(statement)] = place
        self.memory.definitions.setdefault(held.name, []).append(place)
        self.decisions.append((held.name, "copied", f"{held.key} is overwritten after it is read"))
        if held.after:
            block.insert(at + 1, statement)
            return
        block.insert(at, statement)
        if held.key.isidentifier() and isinstance(held.statement, gast.Assign) and self.reads_only(held.statement):
            _rename([held.statement.value], {held.key: held.name})
            last = self.memory.definitions.get(held.key)
            if held.key in self.facts.temps and last and len(last) == 1:
                self.facts.user_name.setdefault(held.name, held.key)

    def reads_only(self, statement: Any) -> bool:
        """Is a statement certain to make no view of what it reads? One of the copy would be another array."""
        target = statement.targets[0]
        number = isinstance(target, gast.Name) and isinstance(self.facts.kinds.get(target.id), Number)
        return number or makes_new(statement, self.facts)

    # --- turns of loops that a range does not tell

    def count_turns(self) -> None:
        read = {n.id for n in walk_names(self.backward)}
        for loop in self.sweep.loops:
            counter = loop.counter
            if counter is None or counter not in read:
                continue
            block = self.block_of[id(loop.forward)]
            at = next(i for i, s in enumerate(block) if s is loop.forward)
            start = assign(counter, gast.Constant(0, None), getattr(loop.forward, "origin", None))
            step = gast.AugAssign(gast.Name(counter, gast.Store(), None, None), gast.Add(), gast.Constant(1, None))
            step.origin = getattr(loop.forward, "origin", None)
            block.insert(at, start)
            loop.forward.body.insert(0, step)
            self.block_of[id(start)], self.block_of[id(step)] = block, loop.forward.body
            self.definition.setdefault(counter, []).extend([start, step])

    # --- straight-line code

    def top(self, block: list[Stmt]) -> None:
        """Code outside of loops: names stand; conditions are repeated where that is cheap."""
        for statement in block:
            if isinstance(statement, (gast.For, gast.While)) and getattr(statement, "forward", None) is not None:
                self.loop(statement)
                continue
            if isinstance(statement, gast.If):
                self.repeat_condition(statement)
            for inner in blocks_of(statement):
                self.top(inner)

    def repeat_condition(self, statement: Any) -> None:
        test = statement.test
        negated = is_operation(test, gast.Not)
        name = test.operand if negated else test
        statement.negated = negated  # told now: the condition put in its place may be a `not` of the user's own
        if not isinstance(name, gast.Name) or len(self.definition.get(name.id, [])) != 1:
            return
        definition = self.definition[name.id][0]
        lists = (n.id for n in walk_names(definition.value) if isinstance(self.facts.kinds.get(n.id), ListOf))
        if self.sweep.kept_whole and any(lists):
            return
        if self.again.cost(definition.value, definition, {}) > CONDITION:
            return
        value = clone(definition.value)
        statement.test = gast.UnaryOp(gast.Not(), value) if negated else value

    # --- loops

    def loop(self, backward: Any) -> None:
        """One nest of loops: its tape is made before it."""
        forward = backward.forward
        self.tapes, self.entries = [], []
        self.inner(forward, backward)
        if not self.tapes:
            return
        block = self.block_of[id(forward)]
        for name in self.tapes:
            at = next(i for i, s in enumerate(block) if s is forward)
            block.insert(at, assign(name, gast.List([], gast.Load()), getattr(forward, "origin", None)))
        turns = self.counter_of(forward)
        if len(self.tapes) > 1:
            return
        if turns is not None and isinstance(forward, gast.While) and self.pushes_first(forward.body):
            self.loop_while_taped(forward, backward, turns, block)

    def counter_of(self, forward: Any) -> str | None:
        return next((x.counter for x in self.sweep.loops if x.forward is forward), None)

    def pushes_first(self, body: list[Stmt]) -> bool:
        """Does every turn put exactly one entry on the tape?"""
        own = [s for s in body if self.is_push(s)]
        inside = sum(1 for s in body for b in blocks_of(s) for n in walk(gast.Module(b, [])) if self.is_push(n))
        return len(own) == 1 and inside == 0

    def is_push(self, node: Any) -> bool:
        return bool(self.pushed_to(node))

    def pushed_to(self, node: Any) -> str:
        """The tape that a statement puts an entry on, or nothing."""
        if (
            isinstance(node, gast.Expr)
            and isinstance(node.value, gast.Call)
            and isinstance(node.value.func, gast.Attribute)
            and node.value.func.attr == "append"
            and isinstance(node.value.func.value, gast.Name)
            and node.value.func.value.id in self.tapes
        ):
            return str(node.value.func.value.id)
        return ""

    def loop_while_taped(self, forward: Any, backward: Any, turns: str, block: list[Stmt]) -> None:
        """`for _ in range(turns)` becomes `while tape` where each turn left one entry; nobody counts then."""
        if sum(1 for n in walk_names([self.backward]) if n.id == turns) != 1:
            return
        if any(self.is_push(n) for s in block if s is not forward for n in walk(s)):
            return
        loop = gast.While(load(self.tapes[0]), backward.body, [])
        loop.origin, loop.grad_of = None, getattr(backward, "grad_of", None)
        _replace_statement(self.backward, backward, loop)
        block[:] = [s for s in block if not (isinstance(s, gast.Assign) and targets(s) == [turns])]
        forward.body[:] = [
            s
            for s in forward.body
            if not (isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id == turns)
        ]

    def inner(self, forward: Any, backward: Any) -> None:
        index = (
            {forward.target.id}
            if isinstance(backward, gast.For) and isinstance(forward, gast.For) and is_range(forward.iter)
            else set()
        )
        self.serve(forward.body, backward.body, index, forward)

    def serve(self, block: list[Stmt], backward: list[Stmt], index: set[str], loop: Any, branch: Any = None) -> None:
        """Give a backward block the values that its forward block defined, inner blocks first."""
        for statement in list(with_bodies(backward)):
            twin = getattr(statement, "forward", None)
            if twin is None:
                continue
            if isinstance(statement, (gast.For, gast.While)):
                self.inner(twin, statement)
            elif isinstance(statement, gast.If):
                negated = isinstance(statement.test, gast.UnaryOp)
                sides = (twin.orelse, twin.body) if negated else (twin.body, twin.orelse)
                for side, own in zip(sides, (statement.body, statement.orelse), strict=True):
                    if own:
                        self.serve(side, own, set(), None, twin)
        own_level = self.defined_by(block)
        if loop is not None:
            own_level |= self.defined_by(block)
            if isinstance(loop, gast.For) and loop.target.id not in index:
                own_level.add(loop.target.id)
        needed = (free_names(backward) & own_level) - index
        if not needed:
            return
        order = self.order_of(block)
        names = sorted(needed, key=lambda n: (order.get(n, len(order)), n))
        again, stored, taped = self.again.decide(names, block, own_level)
        loads: list[Stmt] = []
        if taped:
            tape = self.push(block, taped, loop)
            loads.extend(self.pop(tape, taped))
            entry = Entry(tape, taped, block, backward, loads[0], branch)
            self.spare(entry)
            self.entries.append(entry)
        unpacked: set[int] = set()
        for name in sorted(again | stored.keys(), key=lambda n: (order.get(n, len(order)), n)):
            copy = assign(name, stored[name]) if name in stored else self.again.again(name, again)
            if isinstance(copy.targets[0], gast.Tuple):
                definition = id(self.definition[name][0])
                if definition in unpacked:
                    continue
                unpacked.add(definition)
            copy.origin, copy.grad_of = None, None
            copy.again = True
            loads.append(copy)
            self.decisions.append((name, "read where it is stored" if name in stored else "computed again", ""))
        for name in taped:
            self.decisions.append((name, "taped", ""))
        backward[:0] = loads

    def spare(self, outer: Entry) -> None:
        """Leave out of the entries of branches what the entry of the block around them brings back anyway.

        tape.append(x)                            x = tape.pop()
        if c:                                     if c:
            tape_1.append((x, y))      ->             x, y = tape_1.pop()     (y alone)
            x = f(x, y)                               bx = ...
        """
        block = outer.block
        for entry in list(self.entries):
            at = next((k for k, s in enumerate(block) if s is entry.branch), None)
            pushes = [s for s in entry.block if self.pushed_to(s) == entry.tape]
            if at is None or len(pushes) != 1 or sum(e.tape == entry.tape for e in self.entries) != 1:
                continue
            push: Any = pushes[0]
            (item,) = push.value.args
            parts = item.elts if isinstance(item, gast.Tuple) and len(entry.names) > 1 else [item]
            kept = [
                (n, p)
                for n, p in zip(entry.names, parts, strict=True)
                if n not in outer.names or atom_key(p) != n or not self.is_entry_value(n, entry, block[:at])
            ]
            if len(kept) == len(parts):
                continue
            where = next(k for k, s in enumerate(entry.backward) if s is entry.pop)
            entry.names = [n for n, _ in kept]
            if not kept:
                entry.block[:] = [s for s in entry.block if s is not push]
                del entry.backward[where]
                self.entries.remove(entry)
                self.take_over(outer, entry.tape)
                continue
            push.value.args = [kept[0][1] if len(kept) == 1 else gast.Tuple([p for _, p in kept], gast.Load())]
            self.facts.kinds[entry.tape] = ListOf(self.item_kind(entry.names))
            entry.backward[where : where + 1] = self.pop(entry.tape, entry.names)
            entry.pop = entry.backward[where]

    def take_over(self, entry: Entry, tape: str) -> None:
        """Give an entry the tape that another one needed; its own goes where nobody else uses it."""
        old = entry.tape
        if any(e.tape == old for e in self.entries):
            self.tapes.remove(tape)
            return
        push = next(s for s in entry.block if self.pushed_to(s) == old)
        for node in (n for s in (push, entry.pop) for n in walk_names(s) if n.id == old):
            node.id = tape
        self.facts.kinds[tape] = self.facts.kinds[old]
        entry.tape = tape
        self.tapes.remove(old)

    def is_entry_value(self, name: str, entry: Entry, before: list[Stmt]) -> bool:
        """Is the value of a name that a branch tapes the one that the turn of the loop began with?

        It is where the branch binds it at the end of the turn only, and nothing in the turn before it does.
        """
        inside = {id(s) for s in all_statements(entry.block)}
        bound = [d for d in self.definition.get(name, []) if id(d) in inside]
        return (
            all(getattr(d, "copy", False) for d in bound)
            and bool(self.carried_into({name}, entry.block))
            and not any(name in names_bound([s]) for s in all_statements(before))
        )

    def defined_by(self, block: list[Stmt]) -> set[str]:
        stores = {id(s.target) for s in all_statements(block) if self.is_store(s)}
        return {n.id for n in walk_names(block) if isinstance(n.ctx, gast.Store) and id(n) not in stores}

    def is_store(self, statement: Stmt) -> bool:
        """Is it `A += e` of an array, which gives A other contents and no other meaning?"""
        return (
            isinstance(statement, gast.AugAssign)
            and isinstance(statement.target, gast.Name)
            and isinstance(self.facts.kinds.get(statement.target.id), Array)
        )

    def order_of(self, block: list[Stmt]) -> dict[str, int]:
        order: dict[str, int] = {}
        for k, statement in enumerate(block):
            for name in names_bound([statement]):
                order.setdefault(name, k)
        return order

    # --- the tape

    def push(self, block: list[Stmt], names: list[str], loop: Any) -> str:
        """Put values on the tape at the end of a block's forward run; the tape's name.

        The backward sweep takes a block's own entry first. So where inner blocks may leave entries behind this
        one, the block has a tape of its own. Entries of one tape have one structure.
        """
        for name in names:
            self.bind_on_all_paths(block, name, loop)
        held = self.hold_carried(block, names)
        at = self.push_position(block, [held.get(n, n) for n in names])
        kind = ListOf(self.item_kind(names))
        behind = {self.pushed_to(n) for s in block[at:] for n in walk(s)}
        tape = next((t for t in self.tapes if self.facts.kinds.get(t) == kind and t not in behind), "")
        if not tape:
            tape = self.facts.tape()
            self.facts.kinds[tape] = kind
            self.tapes.append(tape)
        parts = [load(held.get(n, n)) for n in names]
        item: Expr = parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load())
        call = gast.Expr(gast.Call(gast.Attribute(load(tape), "append", gast.Load()), [item], []))
        call.origin = getattr(block[min(at, len(block) - 1)], "origin", None) if block else None
        self.block_of[id(call)] = block
        block.insert(at, call)
        return tape

    def item_kind(self, names: list[str]) -> Kind:
        kinds = tuple(self.facts.kinds.get(n, Unknown()) for n in names)
        return kinds[0] if len(kinds) == 1 else Tuple(kinds)

    def hold_carried(self, block: list[Stmt], names: list[str]) -> dict[str, str]:
        """A carried name that is bound again before all that is wanted is known: its value gets another name."""
        wanted = set(names)
        held: dict[str, str] = {}
        ends = (k for k, s in enumerate(block) if isinstance(s, (gast.If, gast.Break)) and leaves_loop(s))
        end = next(ends, len(block))
        own = wanted - self.carried_into(wanted, block)
        last = max((k for k, s in enumerate(block[:end]) if own & set(names_bound([s]))), default=-1)
        for name in sorted(wanted - own):
            again = next((k for k, s in enumerate(block[: last + 1]) if name in names_bound([s])), None)
            if again is None:
                continue
            kept = self.facts.fresh(f"{name}_old", temp=False)
            self.facts.kinds[kept] = self.facts.kinds.get(name, Unknown())
            statement = assign(kept, load(name), None)
            self.block_of[id(statement)] = block
            self.definition.setdefault(kept, []).append(statement)
            block.insert(again, statement)
            last += 1
            held[name] = kept
        return held

    def push_position(self, block: list[Stmt], names: list[str]) -> int:
        """As early as all is known; before anything that leaves the block or binds a carried name again."""
        wanted = set(names)
        carried = self.carried_into(wanted, block)
        last = 0
        for k, statement in enumerate(block):
            if isinstance(statement, (gast.If, gast.Break)) and (leaves_loop(statement)):
                return k
            bound = set(names_bound([statement])) & wanted
            if bound & carried:
                return k
            if bound or self.fills(statement, wanted):
                last = k + 1
        return max(last, self.after_turn_count(block))

    def fills(self, statement: Stmt, names: set[str]) -> bool:
        """Does a statement change one of these lists or arrays?"""
        inside = {id(s) for s in all_statements([statement])}
        changed = {s.key for s in self.memory.stores if id(s.place.statement) in inside}
        return any(isinstance(self.facts.kinds.get(n), (Array, ListOf)) for n in changed & names)

    def after_turn_count(self, block: list[Stmt]) -> int:
        return (
            1
            if block
            and isinstance(block[0], gast.AugAssign)
            and isinstance(block[0].target, gast.Name)
            and block[0].target.id in self.sweep.counters.values()
            else 0
        )

    def carried_into(self, names: set[str], block: list[Stmt]) -> set[str]:
        """Which names come into the block with a value of their own (from an earlier turn, or from before)?"""
        inside = {id(s) for s in all_statements(block)}
        outside = {n for n in names if any(id(d) not in inside for d in self.definition.get(n, []))}
        # what is bound at the end of a turn only, and read behind the loop
        tail = {id(s) for s in itertools.takewhile(lambda s: getattr(s, "copy", False), reversed(block))}
        at_end = {n for n in names if n in self.definition and all(id(d) in tail for d in self.definition[n])}
        own = {n for n in names if n in self.definition} - outside - at_end
        # what a loop inside carries has no value where that loop begins, if it has none of this block
        loops = [s for s in all_statements(block) if isinstance(s, (gast.For, gast.While))]
        deeper = {id(s) for loop in loops for part in blocks_of(loop) for s in all_statements(part)}
        begun = {n for n in own if all(id(d) in deeper for d in self.definition[n])} | bound_before_read(block, own)
        return outside | at_end | (names & free_names(block)) - begun

    def bind_on_all_paths(self, block: list[Stmt], name: str, loop: Any) -> None:
        """A name that some paths leave unbound must not break the tape."""
        definitions = self.definition.get(name, [])
        if loop is not None and definitions and all(getattr(d, "copy", False) for d in definitions):
            inside = {id(s) for s in all_statements(block)}
            if all(id(d) in inside for d in definitions):  # carried, and without a value before the loop
                self.start_empty(name, self.block_of[id(loop)], loop)
                return
        if any(self.block_of.get(id(d)) is block for d in definitions):
            return
        inside = {id(s) for s in all_statements(block)}
        if any(id(d) not in inside for d in definitions):
            return
        if not definitions:
            return
        for statement in block:
            if isinstance(statement, gast.If) and binds_always(statement, name):
                return
            if isinstance(statement, (gast.With,)) and name in names_bound([statement]):
                return
        self.start_empty(name, block if loop is None else self.block_of[id(loop)], loop)

    def start_empty(self, name: str, block: list[Stmt], loop: Any) -> None:
        at = 0 if loop is None else next(i for i, s in enumerate(block) if s is loop)
        grown = isinstance(self.facts.kinds.get(name), ListOf)
        start = assign(name, gast.List([], gast.Load()) if grown else gast.Constant(None, None), None)
        self.block_of[id(start)] = block
        block.insert(at, start)

    def pop(self, tape: str, names: list[str]) -> list[Stmt]:
        target = names[0] if len(names) == 1 else f"{', '.join(names)}"
        made = quote_statements(f"{target} = {tape}.pop()")
        for statement in made:
            statement.origin, statement.grad_of = None, None
            statement.pops = True
        return made


def _rename(nodes: list[Any], names: dict[str, str]) -> None:
    from s2sad.core import replace_names

    for node in nodes:
        replace_names(node, {k: (load(v) if v.isidentifier() else v) for k, v in names.items()})


def _replace_statement(block: list[Stmt], old: Stmt, new: Stmt) -> bool:
    for k, statement in enumerate(block):
        if statement is old:
            block[k] = new
            return True
        for inner in blocks_of(statement):
            if _replace_statement(inner, old, new):
                return True
    return False
