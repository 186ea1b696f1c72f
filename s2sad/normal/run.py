"""The lowering of one function: what it knows, the block that it writes, where it stands."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any, NoReturn

import gast

from s2sad.analysis.known_calls import CHANGE_FIRST
from s2sad.core import Facts, Origin, Saved, Stmt, walk
from s2sad.frontend.diagnostics import Remedy, error_at
from s2sad.kinds.kind import Dim
from s2sad.normal.decisions import Decisions
from s2sad.normal.frames import Frame
from s2sad.normal.records import Calls, Iterators, Lists, Memory, Names, Outside, Speculation, Turning
from s2sad.normal.values.abstract import State, Value


def too_large(run: Run) -> None:
    """The budget of statements is used up: what could be done about it, before the function is refused."""


def changed_since(run: Run, marks: list[int], block: list[Stmt], written: int) -> bool:
    """Has anything been changed since then, or by what was written to a block behind a place in it?"""
    changed = any(len(changes) > mark for changes, mark in zip(run.changes, marks, strict=True))
    return changed or any(map(changes_something, block[written:]))


_ORIGINS: dict[Any, Any] = {}


def _uncommented(line: str) -> str:
    """A source line without its comment (quotes make it too hard to tell: then as it is)."""
    if "#" not in line or "'" in line or '"' in line:
        return line
    return line.split("#", 1)[0]


_METHODS = "append extend insert clear update add appendleft extendleft remove discard sort reverse"
PUTS_IN = frozenset(_METHODS.split())
CHANGES_ITS_OWN = PUTS_IN | frozenset(("pop", "popleft", "popitem", "setdefault", "rotate", "move_to_end"))


def changes_something(statement: Any) -> bool:
    """Is there a call in a statement that is made for its effect, or a method that changes its object, or a function
    that changes what it is given?

    >>> from s2sad.core import statements
    >>> [changes_something(s) for s in statements("u.append(x)" + chr(10) + "a = u.pop()" + chr(10) + "b = len(u)")]
    [True, True, False]
    """
    for n in walk(statement):
        value = n.value if isinstance(n, (gast.Expr, gast.Assign)) else None
        if getattr(n, "makes_item", False) or getattr(n, "written", None):
            return True
        if isinstance(value, gast.Call):
            name = getattr(value.func, "attr", "") or getattr(value.func, "id", "")
            if isinstance(n, gast.Expr) or name in CHANGES_ITS_OWN or name in CHANGE_FIRST:
                return True
    return False


class Attempt:
    """What is lowered on trial, in a block of its own: it is kept, or undone as if it had never been.

    attempt = Attempt(run)
    value = evaluate(run, node)
    attempt.keep() if it_will_do(value) else attempt.undo()
    """

    def __init__(self, run: Any) -> None:
        self.run = run
        self.state, self.block, self.saved = run.state, run.block, run.checkpoint()
        run.state, run.block = self.state.fork(), []

    def keep(self) -> None:
        self.state.adopt(self.run.state)
        self.block += self.run.block
        self.run.state, self.run.block = self.state, self.block

    def undo(self) -> None:
        self.run.state, self.run.block = self.state, self.block
        self.run.restore(self.saved)


class Run:
    """The lowering of one function: what it knows by now, the block that it writes, where it stands."""

    def __init__(self, facts: Facts, decisions: Decisions, program: Any) -> None:
        self.facts = facts
        self.decisions = decisions
        #: the core functions of the program (`calls.functions.Program`)
        self.program = program
        self.state = State()
        self.block: list[Stmt] = []
        self.frames: dict[int, Frame] = {}
        self.frame: Frame = Frame(-1, None, None)
        self.node: Any = None
        self.origin: Origin | None = None
        self.passive = 0
        #: is what is lowered on its way to a raise that nothing catches?
        self.raising = 0
        self.loops: list[Any] = []
        #: where the function being lowered returns: states, blocks and values
        self.returns: list[tuple[State, list[Stmt], Value]] = []
        self.call_path: tuple[Any, ...] = ()
        self.counter = 0
        self.budget = 6000
        self.alias: dict[str, str] = {}
        #: did an expression that was kept as it is hide that its value depends on the wrt arguments?
        self.lost = False
        #: is an expression being lowered whose parts cannot be computed by statements before it?
        self.text_only = 0
        #: the function whose result is differentiated; None where a function is lowered that is only called by it
        self.outermost: Frame | None = None
        #: how many branches by run-time tests are being lowered, through all calls
        self.branches = 0
        #: the bodies of try statements that are being lowered for their exceptions; and was there one at all?
        self.attempts: list[Any] = []
        self.lists = Lists()
        self.iterators = Iterators()
        self.memory = Memory()
        self.outside = Outside()
        self.names = Names()
        self.calls = Calls()
        self.turns = Turning()
        self.speculation = Speculation()
        self.changes = (self.memory.stores_made, self.memory.lists_changed, self.memory.lists_resized)

    def next_id(self) -> int:
        self.counter += 1
        return self.counter

    def symbol(self, stem: str = "s") -> Dim:
        return Dim.symbol(f"{stem}@{self.next_id()}")

    def refuse(
        self,
        reason: str,
        way_out: str,
        node: Any = None,
        raises: BaseException | None = None,
        concrete: bool = False,
        recursion: bool = False,
        storing: bool = False,
    ) -> NoReturn:
        """Give up.

        Args:
            raises: the exception that the program raises at this place for certain.
            concrete: may it help to know lengths and ints?
            recursion: would it help to follow recursions as core functions?
            storing: is it the store that raises, when its value has been computed?
        """
        error = error_at(*self.place(node), reason, way_out)
        level = self.branches, len(self.turns.turning)
        error.remedy = Remedy(concrete, recursion=recursion, raises=raises, storing=storing, level=level)
        raise error

    def place(self, node: Any = None) -> tuple[Any, Any]:
        """A construct, or the one being lowered, and the source that the user sees it in: not the text of a rule."""
        frame, place = self.frame, node if node is not None else self.node
        while getattr(frame.source, "library", False) and frame.caller is not None:
            place, frame = frame.call_node, frame.caller
        return place, frame.source

    def site(self, node: Any) -> Any:
        return (*self.call_path, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), type(node).__name__)

    def site_of_call(self, node: Any) -> Any:
        """The place of a call, which tells apart those of `f(x).g(y)`: both begin there."""
        return (*self.site(node), getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))

    def set_origin(self, statement: Any) -> None:
        source = self.frame.source
        self.node = statement
        if getattr(source, "library", False):
            return
        line, end = statement.lineno, getattr(statement, "end_lineno", statement.lineno)
        if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.FunctionDef)):
            inner = statement.body[0]
            end = max(line, (inner.lineno if inner.lineno == line else inner.lineno - 1))
        key = (source.file, line, end)
        cached = _ORIGINS.get(key)
        first = source.line(line)
        if cached is None or cached[0] != first:
            lines = [source.line(k) for k in range(line, min(end, line + 8) + 1)]
            words = " ".join(part for part in (_uncommented(x).strip() for x in lines) if part)
            cached = (first, Origin(source.file, line, words))
            if len(_ORIGINS) > 20000:
                _ORIGINS.clear()
            _ORIGINS[key] = cached
        self.origin = cached[1]

    def checkpoint(self) -> tuple[Saved, int, int]:
        f = self.facts
        watches = (
            self.iterators.watched,
            self.iterators.watched_variables,
            self.iterators.handed_out,
            self.calls.made_by,
            self.calls.made_passively,
        )
        names = (
            self.alias,
            self.lists.site_of,
            self.lists.joined_sites,
            self.lists.part_of,
            self.lists.limits,
            self.names.cases,
            self.memory.reshaped,
        )
        tables = (*names, *watches)
        marks = (
            self.lists.made_here,
            self.lists.list_items,
            self.lists.table_of,
            self.names.texts,
            self.names.caught,
            self.lists.tuples,
        )
        held = (
            self.lists.lists_given,
            self.lists.new_lists,
            self.lists.may_be_lists,
            self.lists.sets_made,
            self.memory.in_objects,
        )
        outer = (
            self.outside.outer_filled,
            self.outside.outer_read,
            self.outside.outer_counted,
            self.outside.changed_arguments,
        )
        copies = (
            self.memory.copied,
            self.memory.changed_in,
            f.unlike,
            self.memory.read_out,
            self.memory.flats,
            self.memory.half_flats,
        )
        jumps = [jumped for c in self.loops for jumped in (c.breaks, c.continues, c.leaving)]
        lists = (self.returns, self.iterators.listings, *self.changes, self.outside.called_outside, *jumps)
        facts = (f.taken, f.kinds, f.temps, f.varied, f.globals, f.user_name)
        saved = Saved([*facts, *tables, *marks, *held, *outer, *copies, *lists])
        return saved, self.counter, self.budget

    def restore(self, checkpoint: tuple[Saved, int, int]) -> None:
        saved, self.counter, self.budget = checkpoint
        saved.restore()

    def where(self) -> tuple[int, ...]:
        """How far the lowering has come: the line in each function that it is in, from the outside.

        It ends at a loop, and at a call that is not the whole value of its statement: what is in there is not lowered
        once and in order.
        """
        found: list[int] = []
        calling: Any = None
        for _, group in itertools.groupby(self.speculation.standing, lambda at: id(at.frame)):
            inside = [*group]
            if found and inside[0].frame.call_node is not getattr(calling, "value", None):
                break
            calling, line = inside[-1].statement, getattr(inside[-1].statement, "lineno", 0)
            loops = (at.statement for at in inside if isinstance(at.statement, (gast.For, gast.While)))
            # (what stands behind a loop may be lowered for its last turn, as a part of it)
            loop = next((s for s in loops if s.lineno <= line <= s.end_lineno), None)
            found.append(line if loop is None else loop.lineno)
            if loop is not None:
                break
        return tuple(found)

    def note_place(self) -> None:
        """Something is learnt here that earlier statements depend on."""
        if self.speculation.learnt_at is None:
            self.speculation.learnt_at = self.where()

    @contextlib.contextmanager
    def at(self, node: Any) -> Iterator[None]:
        """Lower for a part of what is being lowered: of two stars in one call, say, each is a place."""
        outer, self.node = self.node, node
        try:
            yield
        finally:
            self.node = outer

    def marks(self) -> list[int]:
        """How many stores, changes of run-time lists and of their lengths there have been."""
        return [len(changes) for changes in self.changes]
