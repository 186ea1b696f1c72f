"""Writing core statements: new names, and what is noted about them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from s2sad.core import Expr, Stmt, assign, atom_key, children, load, quote, reads_any, walk, walk_names
from s2sad.frontend import ways
from s2sad.kinds.joined import may_hold_list
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Records, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal.above import check_watch, expression, may_stop, too_large, waits_for
from s2sad.normal.decisions import Restart
from s2sad.normal.memory import is_list_item, leaf_of, may_be_list, memory_root, root_of
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import DictObj, Instance, Leaf, ListObj, Maybe, Tup, Value
from s2sad.normal.values.facts import infer_kind
from s2sad.normal.values.questions import is_new_list, makes_set, tuple_of
from s2sad.normal.words import STALE, STALE_WAY_OUT


def there(run: Run, value: Value) -> Value:
    """A tuple that may be None as the tuple: where it is taken apart, it is there.

    In the body of a try that waits for a TypeError, None raises it, as a number that may be None does:

    z = y + 1.0        ->        if no_y:
                                     raise TypeError("None is no number")
                                 z = y + 1.0
    """
    if isinstance(value, Maybe) and run.attempts and waits_for(run, TypeError):
        if run.text_only:
            run.refuse("a try that waits for a TypeError of what may be None", ways.ASK)
        reason = "None is no number" if isinstance(value.value, Leaf) else "None has no items"
        error = quote("TypeError(m)", m=gast.Constant(reason, None))
        write(run, gast.If(expression(run, value.none), [gast.Raise(error, None)], []))
    return tuple_of(value)


def write(run: Run, statement: Stmt) -> Stmt:
    for trial in run.attempts:
        if trial.changed and trial.torn is None and may_stop(run, [statement], trial):
            trial.torn = trial.statement
    run.budget -= 1
    if run.budget < 0:
        too_large(run)
        run.refuse(
            "the function becomes too large when its calls and paths are written out",
            "split it, or register a rule for the helper that repeats",
        )
    statement.origin = run.origin
    run.block.append(statement)
    return statement


def define(
    run: Run,
    stem: str,
    value: Expr,
    kind: Kind,
    *,
    varied: bool = False,
    temp: bool = True,
    user: str | None = None,
) -> Leaf:
    """Write `name = value` for a new name and return the leaf that reads it."""
    name = run.facts.fresh(stem, temp=temp)
    if user is not None:
        run.facts.user_name[name] = user
    run.facts.kinds[name] = kind
    varied = varied or active_when_made(run, kind, stem)
    if varied and isinstance(kind, Records) and kind.dtype.kind != "O":
        run.refuse(f"active values in an array of dtype {kind.dtype}", ways.FLOATS)
    if isinstance(kind, ListOf) and is_new_list(value, not isinstance(kind.item, Number)):
        run.lists.new_lists.add(name)
    if isinstance(kind, Unknown) and isinstance(value, gast.Subscript) and not varied:
        run.memory.of_unknown_form[name] = value
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        run.memory.read_out.add(name)
    if varied:
        run.facts.varied.add(name)
        if run.passive and not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)):
            run.calls.made_passively.add(name)
    write(run, assign(name, value))
    note_memory(run, name, value, kind)
    return Leaf(load(name), kind, varied)


def is_exception(run: Run, value: Value) -> bool:
    """Is it an exception that may carry active values?"""
    return isinstance(value, Leaf) and atom_key(value.expr) in run.names.caught


def active_when_made(run: Run, kind: Kind, stem: str) -> bool:
    """Is a list of this kind, or an array, active from where it is made, because active values go in later?"""
    if run.passive or not is_float_kind(kind):
        return False
    if isinstance(kind, Array):
        return stem in run.decisions.active_arrays
    return run.decisions.lists_active and isinstance(kind, ListOf)


def sites_of_list(run: Run, name: str) -> frozenset[Any]:
    """Where a list was made, or the lists of which it is one."""
    return (
        frozenset((run.lists.site_of[name],))
        if name in run.lists.site_of
        else run.lists.joined_sites.get(name, frozenset())
    )


def gets_active(run: Run, lst: Leaf) -> None:
    """A list becomes active: from the start, where somebody else may hold it by now."""
    if lst.varied or run.passive or run.decisions.lists_active:
        return
    names = {atom_key(lst.expr), root_of(run, atom_key(lst.expr))}
    if names & run.lists.lists_given or not names & run.lists.new_lists:
        run.decisions.lists_active = True
        raise Restart


def given_on(run: Run, leaf: Leaf) -> None:
    """A list of the run is read as a whole: somebody else may hold it from now on."""
    if isinstance(leaf.kind, ListOf) and not leaf.nested:
        run.lists.lists_given.add(atom_key(leaf.expr))


def anchor(run: Run, value: Value, stem: str = "t") -> Leaf:
    """The value as an atom: a name, a constant, or a path into an argument."""
    leaf = leaf_of(run, value)
    if not leaf.nested:
        return leaf
    if leaf.varied and not run.passive and not isinstance(leaf.expr, (gast.Name, gast.Subscript, gast.Attribute)):
        run.refuse("active values in a form that is not followed here", ways.OWN_STATEMENT)
    new = define(run, stem, leaf.expr, leaf.kind, varied=leaf.varied)
    return Leaf(new.expr, leaf.kind, new.varied, leaf.const)


def is_text_of_active(run: Run, expr: Expr) -> bool:
    """Does an expression hold text that active values were written into?"""
    return _may_hold_text(run, expr) and _holds_text(run, expr, run.facts.varied, run.names.texts)


def _may_hold_text(run: Run, expr: Expr) -> bool:
    """Is there anything in an expression that may be text? (A quick question, for most have nothing of it.)"""
    texts = run.names.texts
    for node in walk(expr):
        cls = type(node)
        if cls is gast.Name:
            if node.id in texts:
                return True
        elif cls is gast.Call:
            if getattr(node.func, "id", getattr(node.func, "attr", "")) in _MAKES_TEXT:
                return True
        elif cls is gast.JoinedStr or (cls is gast.BinOp and type(node.op) is gast.Mod):
            return True
    return False


def _holds_text(run: Run, node: Any, active: set[str], texts: set[str]) -> bool:
    if isinstance(node, gast.Name):
        return node.id in texts
    if isinstance(node, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
        for one in node.generators:
            names = {n.id for n in walk_names(one.target)}
            texts = texts | names if _holds_text(run, one.iter, active, texts) else texts
            active = active | names if reads_any(one.iter, active) else active
        items = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
        return any(_holds_text(run, item, active, texts) for item in items)
    text_made = isinstance(node, gast.JoinedStr) or (
        isinstance(node, gast.Call)
        and isinstance(node.func, (gast.Name, gast.Attribute))
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in _MAKES_TEXT
    )
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mod):  # "%.3f" % x
        text_made = isinstance(node.left, gast.JoinedStr) or isinstance(getattr(node.left, "value", 0), str)
    if text_made and reads_any(node, active):
        return True
    if isinstance(node, (gast.Call, gast.Compare)):
        kind = infer_kind(run, node)
        if isinstance(kind, Number) and not is_float_kind(kind):
            return False  # its length, say
    return any(_holds_text(run, part, active, texts) for part in children(node))


def check_not_read_back(run: Run, expr: Expr, kind: Kind | None = None) -> None:
    """Refuse numbers (or what is of this kind, if they are) that are made of text with active values written in."""
    numbers = kind is None or (is_float_kind(kind) and not isinstance(kind, Unknown))
    if numbers and not run.passive and is_text_of_active(run, expr):
        run.refuse(
            "an active value is read back from text, which loses its derivative", "keep the number beside the text"
        )


def pin(run: Run, values: Iterable[Value]) -> None:
    """Values that are kept for later turns of a loop that is written out keep their names."""
    for value in values:
        if isinstance(value, Leaf):
            run.names.pinned.update(n.id for n in walk_names(value.expr))
        elif isinstance(value, Tup):
            pin(run, value.items)


def fresh(run: Run, obj: ListObj | DictObj | Instance) -> None:
    """Refuse to look at a container that may have been changed under another name."""
    if obj.stale:
        run.refuse(STALE, STALE_WAY_OUT)
    if isinstance(obj, ListObj) and obj.watch is not None:
        check_watch(run, obj.watch)


#: functions and methods that write values into text
_MAKES_TEXT = frozenset(("str", "repr", "format", "tostring", "tobytes"))


def note_memory(run: Run, name: str, value: Expr, kind: Kind) -> None:
    """What a new name stands for: a list, a set, a text of active values, memory that has a name already."""
    if may_hold_list(kind) and may_be_list(run, value):
        run.lists.may_be_lists.add(name)
    if makes_set(value):
        run.lists.sets_made.add(name)
    if is_text_of_active(run, value):
        run.names.texts.add(name)
    if not isinstance(kind, Number) and not is_list_item(run, value):
        root = memory_root(run, value)
        if root is not None:
            run.alias[name] = root
