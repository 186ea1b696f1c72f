"""Questions that a room asks of a room above it: the only way up.

Rooms import downwards only. Where lowering is recursive (a store asks for the value of an expression, which may be a
call, whose body has stores), the room below asks here, and the room above gives the answer:

    @above.call_value.answer
    def call_value(run: Run, function: Value, ...) -> Value: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NoReturn, ParamSpec, TypeVar

from s2sad.analysis.memory import Memory
from s2sad.core import Expr, Stmt
from s2sad.kinds.kind import Kind
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.watch import Watch
from s2sad.normal.run import Run
from s2sad.normal.statements.trials import Trial
from s2sad.normal.values.abstract import (
    Closure,
    Conflict,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Method,
    Ref,
    Value,
)
from s2sad.normal.values.questions import ByPosition, Opaque
from s2sad.runtime.decide import Place

P = ParamSpec("P")
R = TypeVar("R")


class Question(Generic[P, R]):
    """What is asked, and the function of a room above that answers."""

    def __init__(self, asked: Callable[P, R]) -> None:
        self.__name__, self.__doc__ = asked.__name__, asked.__doc__

        def unanswered(*args: P.args, **kwargs: P.kwargs) -> R:
            raise LookupError(f"no room that is loaded answers {asked.__name__} (s2sad.normal.rooms loads all)")

        self.answered: Callable[P, R] = unanswered

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.answered(*args, **kwargs)

    def answer(self, function: Callable[P, R]) -> Callable[P, R]:
        """Let this function answer."""
        self.answered = function
        return function


# --- answered by calls/core_calls


@Question
def check_kept(run: Run, function: Any, inner: Run, memory: Memory) -> None:
    """Is what a kept function does all said by what it is given and returns? Else it is written out."""


@Question
def too_large(run: Run) -> None:
    """So much was written out: is it a recursion? Else some of it may be kept as calls."""


# --- answered by calls/dispatch


@Question
def call_value(run: Run, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The value of a call: of a function, a method, a class, an object, whatever stands for it."""


# --- answered by calls/methods


@Question
def call_method(run: Run, function: Method, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The value of a call of a method of a container, an array, a text or an object."""


@Question
def dict_method(run: Run, obj: DictObj, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The value of a call of a method of a dict whose keys are known."""


@Question
def dynamic_method(run: Run, owner: Leaf, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The value of a call of a method of a list, a dict or a set of the run."""


@Question
def list_item(run: Run, owner: Leaf, read: Expr) -> Value:
    """An item taken from a run-time list; tuples come apart into their parts."""


# --- answered by calls/objects


@Question
def by_its_iter(run: Run, value: Value, looked_into: bool = False) -> Value:
    """What an object's __iter__ gives; other values as they are. `looked_into`: it is no call that stays one."""


@Question
def call_derivative(run: Run, derivative: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A Derivative called inside the function: its generated code is what is differentiated."""


@Question
def inline_library(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Write out a function of `s2sad.normal.calls.library`, or the definition of a rule."""


@Question
def instantiate(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The object that a call of a class makes."""


# --- answered by calls/passive


@Question
def opaque(run: Run, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call that is not looked into; nothing active may go in."""


# --- answered by calls/written_out


@Question
def enter(run: Run, frame: Frame, variables: dict[str, Value]) -> None:
    """Begin with a frame and its variables."""


@Question
def inline(run: Run, function: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The value of a call of a function with source, written out."""


# --- answered by changing


@Question
def copy_made(run: Run, value: Value) -> None:
    """A container that is followed here is written out: the run has another one of it, and of those in it."""


# --- answered by expressions/atoms


@Question
def evaluate(run: Run, node: Any) -> Value:
    """The value of an expression; what has to be written before it is written."""


@Question
def passively(run: Run, node: Any) -> Value:
    """Lower something whose result carries no derivative: nothing is taken apart."""


# --- answered by expressions/attributes


@Question
def class_attribute(run: Run, cls: type, name: str, owner: Value) -> Value | None:
    """A method, property or class variable, found through the class as Python does."""


# --- answered by expressions/comparisons


@Question
def compared_function(run: Run, op: type, left: Value, right: Value) -> Value:
    """A comparison of what may be one function or another."""


# --- answered by expressions/operation


@Question
def operand(run: Run, value: Value) -> Expr:
    """An operand of an active operation: an atom, or a display of atoms."""


@Question
def operation(run: Run, target: Any, build: Any, args: list[Value], kwargs: dict[str, Value] | None = None) -> Leaf:
    """One application of a primitive: `build(argument expressions, keyword expressions)` makes its node."""


# --- answered by expressions/operators


@Question
def binary(run: Run, op: type, left: Value, right: Value) -> Value:
    """The value of an operator between two values."""


# --- answered by expressions/subscripts


@Question
def flat_places(run: Run, owner: Leaf, index: Value) -> Value:
    """Positions in the flattened array as an index into the array itself."""


@Question
def index_value(run: Run, node: Any) -> Value:
    """What `np.s_[...]` is for an index."""


@Question
def subscript(run: Run, base: Value, index_node: Any) -> Value:
    """The value of an item, a slice or a mask of a value."""


# --- answered by iteration/asking


@Question
def allocate(run: Run, obj: ListObj | DictObj | Instance) -> Ref:
    """A new container or object on the heap."""


@Question
def kept_iterator(run: Run, value: Value, taken_apart: bool = False) -> Value:
    """What goes into a container or an attribute: an iterator gives its items once there, too."""


@Question
def made_at(run: Run, value: Value) -> Any:
    """The place where an iterator was made that is not followed item by item; None for other values."""


@Question
def once(run: Run, name: str, value: Lazy) -> Value:
    """An iterator gets a name: it may be run through once only."""


@Question
def what_is_left(run: Run, value: Value) -> Value:
    """The items that an iterator has left, as a list: what lowers a call may look at them more than once."""


# --- answered by iteration/at_once


@Question
def can_be_asked_in_steps(run: Run, name: str, items: Value) -> bool:
    """May an iterator be what it runs over, and a position in it?"""


@Question
def iterate_static(run: Run, value: Value) -> list[Value]:
    """The items of a value where they are known one by one; refused where not."""


@Question
def stepping(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The iterator, where it computes its items when they are asked for."""


# --- answered by iteration/by_position


@Question
def by_position(run: Run, value: Value) -> list[Value] | ByPosition | Opaque:
    """How a loop over a value runs."""


@Question
def form_of_rows(run: Run, table: Known) -> Kind | None:
    """The kind of each row of a table that is read where it stands; None for what is none, or has rows of ..."""


@Question
def row_at(run: Run, table: Known, form: Kind, position: Value) -> Value:
    """The row of a table at a position that the run knows."""


@Question
def straight(run: Run, turns: list[Value] | ByPosition | Opaque) -> ByPosition:
    """A run whose positions go up, for what has several of them side by side."""


# --- answered by iteration/turning


@Question
def run_through(run: Run, value: Lazy) -> None:
    """An iterator gives its items once: refuse to run through it at a second place, or once a turn of a loop ..."""


# --- answered by iteration/watching


@Question
def check_watch(run: Run, watch: Watch | None) -> None:
    """Refuse to run through an iterator where what it reads has changed since its items were computed."""


@Question
def watch_lazy(run: Run, make: Callable[[], Value], *reads: Value) -> tuple[Value, Watch]:
    """The items of an iterator, and what was read to make them: to make them must not change anything."""


# --- answered by learning


@Question
def conflict(run: Run, value: Conflict) -> NoReturn:
    """A value is used that has not one form."""


# --- answered by lower


@Question
def run_body(run: Run, body: list[Any]) -> Value:
    """What a function's body returns."""


# --- answered by names


@Question
def hold(run: Run, value: Value, stem: str = "t") -> Value:
    """The value in a form that may be read more than once."""


# --- answered by statements/lists


@Question
def lower_statements(run: Run, body: list[Any]) -> bool:
    """Lower statements in order. False where control never reaches the end."""


@Question
def raised(run: Run, body: list[Any]) -> bool | None:
    """Statements on their way to a raise carry no derivatives: calls in them stay calls. None where they cannot."""


# --- answered by statements/stores


@Question
def store(run: Run, target: Any, value: Value) -> None:
    """store"""


@Question
def store_into(run: Run, base: Value, index: Expr, value: Value, augmented: type | None = None) -> None:
    """`base[index] = value`, or what `base[index] op= ...` comes to."""


# --- answered by statements/tries


@Question
def changed_before(run: Run, ids: Iterable[int]) -> None:
    """Containers or frames are written to: note for which trials they are from before."""


@Question
def may_stop(run: Run, statements: Iterable[Stmt], trial: Trial) -> bool:
    """May one of these statements raise what a try is for?"""


@Question
def waits_for(run: Run, exception: type[BaseException]) -> bool:
    """May a try catch this exception, whose body is being lowered for what it raises?"""


@Question
def with_source(run: Run, function: Value | None) -> Closure | None:
    """A function of the user's that is written out where it is called; None for others."""


# --- answered by values/entering


@Question
def from_python(run: Run, value: Any, expr: Expr, depth: int = 0, place: Place | None = None) -> Value:
    """An object of the user's module or closure; `place`: where it was found, if that may hold another one later."""


# --- answered by values/facts


@Question
def is_varied(run: Run, value: Value) -> bool:
    """May a value depend on the wrt arguments?"""


# --- answered by values/joined


@Question
def same_value(run: Run, p: Value, q: Value) -> bool:
    """Are two values one?"""


# --- answered by values/lists_of_the_run


@Question
def new_list(run: Run, items: list[Value], *sources: Value) -> Value:
    """A list made at this place: of known structure, unless it has to be a list at run time.

    `sources`: the lists that the items were taken from.
    """


# --- answered by values/making


@Question
def expression(run: Run, value: Value) -> Expr:
    """The value as an expression that builds or reads it."""


# --- answered by values/structure


@Question
def as_array(run: Run, value: Value, dtype: Value | None = None) -> Value:
    """A run-time list as an array; `dtype`: what it is made of where the items do not tell."""


@Question
def numpy_call(run: Run, target: Any, args: list[Value]) -> Value:
    """An operation by a NumPy function that the user did not write."""
