"""Arithmetic: unary and binary operators."""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, atom_key, load
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Nothing, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of
from s2sad.kinds.query import is_float_kind
from s2sad.knowledge import registry
from s2sad.normal import above
from s2sad.normal.above import as_array, call_value, inline_library, iterate_static, numpy_call
from s2sad.normal.calls import library
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.atoms import evaluate, number_within, truth_test
from s2sad.normal.expressions.attributes import attribute, like_deque, limit_of, may_run_code, no_limit
from s2sad.normal.expressions.choices import known_truth
from s2sad.normal.expressions.operation import check_labels, operation
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import allocate, as_tuple, joined_lists
from s2sad.normal.iteration.watching import without_changes
from s2sad.normal.memory import may_be_list
from s2sad.normal.names import hold
from s2sad.normal.run import Run, changed_since
from s2sad.normal.values.abstract import DictObj, Keys, Known, Leaf, ListObj, Ref, Tup, Value
from s2sad.normal.values.classes import (
    class_method,
    class_of,
    discrete,
    find_method,
    has_methods,
    instance_of,
    is_derived_from,
    knows,
    static,
)
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, is_varied, kind_in_run, kind_of
from s2sad.normal.values.joined import join_kind
from s2sad.normal.values.lists_of_the_run import follow_lists, hold_lists, new_list, share_kind
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import (
    int_of_member,
    is_number_or_container,
    is_pending,
    last_of,
    leaves_of,
    library_class,
)
from s2sad.normal.words import BINARY, BINARY_METHOD, NO, UNARY, UNARY_METHOD
from s2sad.normal.writing import check_not_read_back, define, there
from s2sad.runtime.identity import class_entry


def rows(run: Run, node: Any) -> Value:
    """Lower something that is run through, unpacked or indexed at once: for the rows that np.unstack makes of an
    array, the array itself will do."""
    unstack = getattr(np, "unstack", None)
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute) or node.func.attr != "unstack":
        return evaluate(run, node)
    function = evaluate(run, node.func)
    one = len(node.args) == 1 and not isinstance(node.args[0], gast.Starred)
    if unstack is None or static(function) is not unstack or not one:
        return evaluate(run, node)
    outer, run.node = run.node, node
    value, axis = evaluate(run, node.args[0]), {k.arg: evaluate(run, k.value) for k in node.keywords}
    matrix = isinstance(value, Leaf) and isinstance(value.kind, Array) and len(value.kind.shape or ()) > 1
    if not matrix or not axis.keys() <= {"axis"}:
        value = call_value(run, function, [value], axis)
    elif axis and static(axis["axis"]) != 0:
        moved = evaluate(run, gast.Attribute(node.func.value, "moveaxis", gast.Load()))
        value = call_value(run, moved, [value, *axis.values(), from_python(run, 0, gast.Constant(0, None))], {})
    run.node = outer
    return value


@lowers(gast.BinOp)
def bin_op_expression(run: Run, node: Any) -> Value:
    left, right = in_order(run, node, [node.left, node.right])
    return binary(run, type(node.op), left, right)


def in_order(run: Run, node: Any, parts: Iterable[Any]) -> list[Value]:
    """The operands of a node. An operand that is not computed at once must not see what a later one stores:

    u[0] + bump(u)        t = u[0]
                    ->    u[0] += 1.0
                          t + ...

    Nor must the items of `*items` and `**items`, which are as they are there; and what comes behind a generator
    expression is computed before its items are, which are computed here.
    """
    site, values, parts = run.site(node), list[Value](), list(parts)
    ordered = site in run.decisions.ordered
    for k, part in enumerate(parts):
        marks, block, written = run.marks(), run.block, len(run.block)
        one = part.value if isinstance(part, (gast.Starred, gast.keyword)) else part
        if any(isinstance(p, gast.GeneratorExp) for p in parts[:k]) and may_run_code(run, one):
            value = without_changes(run, lambda: evaluate(run, one))  # noqa: B023
        else:
            value = evaluate(run, one)
        if one is not part and any(may_run_code(run, v) for v in parts[k + 1 :]):
            with run.at(part):
                value = as_it_is(run, value, whole=isinstance(part, gast.keyword))
        if not ordered and any(map(is_pending, values)) and changed_since(run, marks, block, written):
            run.decisions.ordered.add(site)
            raise Restart
        values.append(hold(run, value) if ordered else value)
    return values


def as_it_is(run: Run, value: Value, whole: bool) -> Value:
    """What `*value`, or `**value` (whole), takes out of a container, before what comes behind it changes that."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if not whole:
        return Tup(tuple(hold(run, v) for v in iterate_static(run, value)))
    return allocate(run, obj.copy()) if isinstance(obj, DictObj) else value


def check_types(run: Run, function: Any, *values: Value) -> None:
    """In the body of a try, which may wait for a TypeError: does an operator raise one for values like these?"""
    given: list[Any] = []
    for value in values if run.attempts else ():
        if function not in (operator.eq, operator.ne):
            there(run, value)
        if isinstance(value, Tup) and value.cls is not tuple:  # a namedtuple, whose operators are its own
            return
        known = static(value)
        obj = run.state.heap[value.id] if isinstance(value, Ref) else None
        if known is not NO:
            if not is_number_or_container(known):  # its operators are the user's
                return
            given.append(known)
        elif isinstance(value, Leaf) and isinstance(value.kind, Number):
            given.append(value.kind.type(1))
        elif isinstance(obj, ListObj) and obj.cls is list:
            given.append([])
        else:
            return
    if given and function is not operator.pow:
        try:
            function(*given)
        except TypeError as error:
            run.refuse(str(error), ways.CORRECT, raises=error)
        except Exception:
            return


@above.binary.answer
def binary(run: Run, op: type, left: Value, right: Value) -> Value:
    check_types(run, BINARY[op], left, right)
    name = BINARY_METHOD.get(op, "")
    left, right = int_of_member(left, name), int_of_member(right, name)
    if isinstance(right, Tup) and right.cls is not tuple and find_method(run, right, f"__r{name}__"):
        kind = kind_of(run, left)
        if isinstance(kind, (Array, Unknown)) or may_be_of_numpy(run, kind):
            run.refuse(
                f"NumPy does not ask a {right.cls.__name__} on the right of an operator: it takes it for an array",
                ways.LEFT,
            )
    elif not (isinstance(left, Tup) and find_method(run, left, f"__{name}__")):
        left, right = beside_array(run, op, left, right), beside_array(run, op, right, left)
    special = binary_containers(run, op, left, right)
    if special is not None:
        return special
    for value, other in ((left, right), (right, left)):
        if (
            isinstance(value, Leaf)
            and isinstance(value.kind, Unknown)
            and isinstance(kind_of(run, other), (Number, Array))
            and is_float_kind(kind_of(run, other))
            and not (op is gast.Mod and value is left)
        ):
            check_not_read_back(run, value.expr)  # text has no such operator: it is a number again
    a, b = discrete(left), discrete(right)
    if isinstance(a, (int, str)) and isinstance(b, (int, str, tuple)) and op is not gast.Div:
        if op is gast.Pow and isinstance(b, int) and b < 0:
            pass
        else:
            try:
                folded = BINARY[op](a, b)
            except Exception as error:
                run.refuse(f"this expression raises {type(error).__name__}: {error}", ways.CORRECT)
            if isinstance(folded, str):
                return Known(folded)
            node = gast.BinOp(expression(run, left), op(), expression(run, right))
            if (
                isinstance(left, Leaf)
                and isinstance(left.expr, gast.Constant)
                and isinstance(getattr(right, "expr", None), gast.Constant)
            ):
                node = gast.Constant(folded, None)
            return Leaf(node, Number(type(folded), Dim.of(int(folded))), const=folded, nested=True)
    if isinstance(a, str):
        return Leaf(gast.BinOp(expression(run, left), op(), expression(run, right)), Unknown(), nested=True)
    for this, other, prefix in ((left, right, ""), (right, left, "r")):
        cls = library_class(this)
        if cls is not None and op in BINARY_METHOD and is_varied(run, other) and not run.passive:
            return library_operator(run, cls, this, other, op, prefix)
        if is_varied(run, other) and not run.passive:
            check_operator(run, this)
    return operation(run, BINARY[op], lambda args, _: gast.BinOp(args[0], op(), args[1]), [left, right])


def check_taken_apart(run: Run, left: Value, right: Value) -> None:
    """NumPy's operators do not ask the object on the right: an array's take it beside each element, a number's make
    an array of an object that has a length and items."""
    cls = class_of(run, right) if instance_of(run, right) is not None else None
    if cls is None or isinstance(left, (Tup, Ref, Known)):
        return
    kind = kind_of(run, left)
    if issubclass(cls, enum.Enum) and isinstance(kind, Unknown):
        return  # another member, which only the run knows: it is compared there
    of_numpy = isinstance(kind, (Array, Unknown)) or may_be_of_numpy(run, kind)
    has = [class_entry(cls, name) is not None for name in ("__array__", "__len__", "__getitem__")]
    sequence = has[0] or (has[1] and has[2])
    if not of_numpy or (isinstance(kind, Number) and not sequence):
        return
    if hasattr(cls, "__array_ufunc__"):
        asked = cls.__array_ufunc__ is None
    else:
        asked = getattr(cls, "__array_priority__", -1.0e6) > (-1.0e6 if isinstance(kind, Number) else 0.0)
    if not asked:
        run.refuse(
            f"NumPy does not ask an object of class {cls.__name__} on the right of an operator: it takes it for an "
            "array, or for a number beside each element",
            ways.LEFT,
        )


def check_operands(run: Run, op: type, left: Value, right: Value) -> None:
    """Does an operator raise TypeError, as it stands between objects of the user's whose classes have no method for
    it, or between such an object and a number of Python's?"""
    given: list[Any] = []
    for value, prefix in ((left, ""), (right, "r")):
        kind = kind_of(run, value)
        cls = class_of(run, value) if instance_of(run, value) is not None else None
        if cls is not None:
            if hasattr(cls, f"__{prefix}{BINARY_METHOD[op]}__"):
                return
            given.append(type(cls.__name__, (), {})())
        elif isinstance(kind, Number) and not may_be_of_numpy(run, kind):
            given.append(kind.type(1))
        else:
            return
    try:
        BINARY[op](*given)
    except TypeError as error:
        run.refuse(str(error), ways.CORRECT, raises=error)


def may_be_of_numpy(run: Run, kind: Kind) -> bool:
    return isinstance(kind, Number) and any(issubclass(cls, np.generic) for cls in kind.of_types())


def check_operator(run: Run, value: Value) -> None:
    """An object says itself what operators mean; one that only the run knows is not looked into."""
    check_labels(run, value)
    kind = value.kind if isinstance(value, Leaf) else None
    if isinstance(kind, Object) and not issubclass(kind.cls, (np.ndarray, np.generic)):
        run.refuse(
            f"an operator of an object of class {kind.cls.__name__} that is not known takes an active value",
            ways.FUNCTION,
        )


def nested_numbers_as_array(run: Run, value: Value) -> Value:
    """A list of lists of numbers, some of them active, as a matrix."""
    kind = kind_of(run, value) if isinstance(value, (Ref, Tup)) and is_varied(run, value) else None
    rows = kind.items if isinstance(kind, (ListKind, TupleKind)) else ()
    nested = bool(rows) and all(isinstance(row, (ListKind, TupleKind)) for row in rows)
    if nested and kind is not None and all(isinstance(n, (Number, Static)) for n in leaves_of(kind)):
        return numpy_call(run, np.array, [value])
    return value


def list_as_array(run: Run, value: Value, tuples: bool = False, arrays: bool = False) -> Value:
    """A list of numbers, or a nest of them, as the array that NumPy makes of it; where said, also tuples, and
    lists of arrays."""
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
        return hold(run, as_array(run, value))
    kind = kind_of(run, value) if isinstance(value, Ref) or (tuples and isinstance(value, Tup)) else None
    if not isinstance(kind, (ListKind, TupleKind)) or not kind.items:
        return value
    leaves = leaves_of(kind)
    others = [n for n in leaves if not isinstance(n, Number) and not (arrays and isinstance(n, (Array, Unknown)))]
    if not all(isinstance(n, Static) and isinstance(n.value, (int, float, complex)) for n in others):
        return value
    return hold(run, numpy_call(run, np.array, [value]))


def library_operator(run: Run, cls: type, this: Value, other: Value, op: type, prefix: str) -> Value:
    """An operator of a library's class (A @ x of a sparse matrix): its method has the rule."""
    method = getattr(cls, f"__{prefix}{BINARY_METHOD[op]}__", None)
    rule = None if method is None else registry.lookup(method)
    if rule is None:
        run.refuse(f"this operator has no derivative rule for {cls.__name__}", ways.DENSE)

    if rule.definition is not None:
        value: Value = call_value(run, Known(method), [this, other], {})
        return value

    def build(exprs: list[Expr], named: dict[str, Expr]) -> Expr:
        return gast.BinOp(exprs[1], op(), exprs[0]) if prefix else gast.BinOp(exprs[0], op(), exprs[1])

    return operation(run, method, build, [this, other])


def beside_array(run: Run, op: type, this: Value, other: Value) -> Value:
    """A list or tuple beside an array or a number of NumPy's is the array that NumPy makes of it: x * [1.0, 2.0]
    repeats nothing."""
    plain = isinstance(this, Tup) or (isinstance(this, Ref) and isinstance(run.state.heap[this.id], ListObj))
    plain = plain or (isinstance(this, Leaf) and isinstance(this.kind, ListOf) and not run.passive)
    if not plain or isinstance(other, (Tup, Ref)):
        return this
    kind = kind_of(run, other)
    if isinstance(kind, Number) and issubclass(kind.type, np.inexact) and not run.passive:
        if op in (gast.Mult, gast.MatMult) and (is_varied(run, this) or is_varied(run, other)):
            run.refuse("a list times a number of NumPy's raises TypeError", "use np.array", raises=TypeError())
    else:
        of_numpy = may_be_of_numpy(run, kind) and op is not gast.Mult and not run.passive  # an int repeats it
        of_numpy = of_numpy or isinstance(kind, Array) or (isinstance(kind, Unknown) and is_varied(run, other))
        if not of_numpy:
            return this
    if not (op is gast.Mult or is_varied(run, this)):
        return this
    grown = isinstance(this, Leaf) and this.varied
    return hold(run, as_array(run, this) if grown else numpy_call(run, np.array, [this]))


def binary_containers(run: Run, op: type, left: Value, right: Value) -> Value | None:
    if op in BINARY_METHOD and (has_methods(run, left) or has_methods(run, right)):
        name, mirrored = f"__{BINARY_METHOD[op]}__", f"__r{BINARY_METHOD[op]}__"
        sides = [(left, right, name), (right, left, mirrored)]
        overridden = class_method(run, right, mirrored) is not class_method(run, left, mirrored)
        if overridden and is_derived_from(run, right, left):
            sides.reverse()
        check_taken_apart(run, left, right)
        for this, other, called in sides:
            if this is right and knows(run, left, right):
                break
            method = find_method(run, this, called) if has_methods(run, this) else None
            if method is None and isinstance(this, Tup) and class_method(run, this, called) is not None:
                break  # what tuples do
            if method is not None:
                made = call_value(run, method, [other], {})
                if static(made) is not NotImplemented:
                    return made
        numbers = number_within(run, left), number_within(run, right)
        if numbers != (left, right):
            return binary(run, op, *numbers)
        check_operands(run, op, left, right)
    if op in _OF_SETS and any(isinstance(v, Tup) and v.cls is Keys for v in (left, right)):
        left, right = as_set(run, left, True), as_set(run, right, True)
    sets = [getattr(v, "value", None) for v in (left, right)]
    if op in _OF_SETS and all(isinstance(v, (set, frozenset)) for v in sets):
        node = gast.BinOp(expression(run, left), op(), expression(run, right))
        return Known(frozenset(BINARY[op](*sets)), node)
    if op is gast.Add and isinstance(left, Tup) and isinstance(right, Tup):
        return Tup(left.items + right.items)
    if op is gast.BitOr and isinstance(left, Ref) and isinstance(right, Ref):
        first, second = run.state.heap[left.id], run.state.heap[right.id]
        if isinstance(first, DictObj) and isinstance(second, DictObj):
            return allocate(run, first.like({**first.items, **second.items}, run.site(run.node)))
    grown = any(isinstance(v, Leaf) and isinstance(v.kind, ListOf) for v in (left, right))
    meets_array = any(isinstance(kind_of(run, v), Array) for v in (left, right))
    if op is gast.Add and grown and not meets_array and (is_varied(run, left) or is_varied(run, right)):
        if limit_of(run, left) is not None:
            made = call_value(run, attribute(run, left, "copy"), [], {})
            call_value(run, attribute(run, made, "extend"), [right], {})
            return made
        return joined_lists(run, left, right)
    if op is gast.Add and not run.passive and (is_varied(run, left) or is_varied(run, right)):
        check_joins(run, left, right)
        check_joins(run, right, left)
        lists = [v for v in (left, right) if isinstance(kind_of(run, v), ListKind)]
        if len(lists) == 2 and any(isinstance(v, Leaf) for v in lists):  # one that a call returned, say
            return new_list(run, [hold(run, v) for one in lists for v in iterate_static(run, one)])
    if op is gast.Add and isinstance(left, Ref) and isinstance(right, Ref):
        a, b = run.state.heap[left.id], run.state.heap[right.id]
        if isinstance(a, ListObj) and isinstance(b, ListObj):
            return like_deque(run, new_list(run, last_of(a.items + b.items, a.limit), left, right), a)
    for this, other in ((left, right), (right, left)):
        count = discrete(other)
        if op is gast.Mult and isinstance(this, Leaf) and isinstance(this.kind, ListOf) and may_count(run, other):
            no_limit(run, this)
            if is_varied(run, this) and not run.passive:
                return inline_library(run, library.repeated, [this, other], {})
        if op is gast.Mult and isinstance(this, (Ref, Tup)) and may_count(run, other):
            if isinstance(this, Tup):
                if isinstance(count, int):
                    return Tup(this.items * count)
                if is_varied(run, this) and not run.passive:
                    row = new_list(run, [hold(run, v) for v in this.items])
                    return as_tuple(run, inline_library(run, library.repeated, [row, other], {}))
            else:
                obj = run.state.heap[this.id]
                if isinstance(obj, ListObj):
                    site = run.site(run.node)
                    if obj.limit is not None or obj.cls is not list:
                        run.refuse("a deque is repeated", "use a list, or append in a loop")
                    if isinstance(count, int) and count <= 64 and site not in run.decisions.dynamic:
                        items = [hold(run, v) for v in obj.items] * count
                        return allocate(run, ListObj(items, site))
                    if is_varied(run, this) and not run.passive:
                        return inline_library(run, library.repeated, [this, other], {})
                    kind = run.decisions.dynamic.get(site)
                    varied = site in run.decisions.varied_lists
                    for item in obj.items:
                        hold_lists(run, item, Unknown())
                        share_kind(run, kind if kind is not None else Unknown(), item, varied)
                        if varied and not run.passive:
                            follow_lists(run, item)
                        own = kind_in_run(run, item)
                        kind = own if kind is None else join_kind(run, kind, own)
                    node = gast.BinOp(expression(run, this), gast.Mult(), expression(run, other))
                    varied = varied or is_varied(run, this)  # (here nothing is followed: `followed` sees to that)
                    leaf = define(run, "lst", node, ListOf(kind or Nothing()), varied=varied)
                    run.lists.site_of[atom_key(leaf.expr)] = site
                    return leaf
    return None


def check_joins(run: Run, one: Value, other: Value) -> None:
    """Refuse `a + [x]` where only the run knows whether a is a list, which it makes longer, or an array."""
    listed = isinstance(other, Ref) and isinstance(run.state.heap[other.id], ListObj)
    if listed and isinstance(one, Leaf) and type(one.kind) is Unknown and may_be_list(run, one.expr):
        run.refuse(
            "a list is added to what may be a list or an array: only the run knows",
            ways.ARRAY,
        )


def as_set(run: Run, value: Value, whole: bool = False) -> Value:
    """The keys of a dict as a set; with `whole`, whatever can be run over."""
    if isinstance(value, Known) or not (whole or (isinstance(value, Tup) and value.cls is Keys)):
        return value
    items = [static(v) for v in iterate_static(run, value)]
    if NO in items:
        run.refuse("keys of a dict are joined with what is not known at derivation", ways.KEYS)
    made = [expression(run, Known(v)) for v in dict.fromkeys(items)]
    empty = gast.Call(gast.Name("set", gast.Load(), None, None), [], [])
    return Known(frozenset(items), gast.Set(made) if made else empty)


def may_count(run: Run, value: Value) -> bool:
    """May it be how often a list is repeated? An array or a float multiplies its items."""
    kind = kind_of(run, value)
    if isinstance(kind, Number):
        return issubclass(kind.type, (int, np.integer))
    return not isinstance(kind, Array) and not is_varied(run, value)


@lowers(gast.UnaryOp)
def unary_op_expression(run: Run, node: Any) -> Value:
    op = type(node.op)
    if op is gast.Not:
        value = truth_test(run, node.operand)
        known = known_truth(run, value)
        if known is not None:
            return Known(not known)
        return Leaf(gast.UnaryOp(gast.Not(), expression(run, value)), Number(bool), nested=True)
    value = int_of_member(evaluate(run, node.operand), "neg")
    check_types(run, UNARY[op], value)
    known = static(value)
    if (
        isinstance(known, (int, float))
        and not isinstance(known, bool)
        and isinstance(value, Leaf)
        and isinstance(value.expr, gast.Constant)
    ):
        folded = UNARY[op](known)
        dim = Dim.of(folded) if isinstance(folded, int) else None
        return Leaf(gast.UnaryOp(op(), expression(run, value)), Number(type(folded), dim), const=folded, nested=True)
    if isinstance(value, Leaf) and isinstance(known, float) and abs(known) == np.inf and op is gast.USub:
        return Leaf(gast.UnaryOp(op(), expression(run, value)), value.kind, const=-known, nested=True)
    if has_methods(run, value) and op in UNARY_METHOD:
        method = find_method(run, value, UNARY_METHOD[op])
        if method is not None:
            return call_value(run, method, [], {})
        value = number_within(run, value)
    if op is gast.UAdd and isinstance(kind_of(run, value), (Number, Static)):
        return value
    dtype = dtype_of(kind_of(run, value))
    if op is gast.USub and dtype is not None and dtype.kind == "u":
        # modulo a power of two: no sign that may be taken out of a product
        return call_value(run, numpy_function(run, "negative"), [value], {})
    return operation(run, UNARY[op], lambda args, _: gast.UnaryOp(op(), args[0]), [value])


def numpy_function(run: Run, name: str) -> Known:
    return Known(getattr(np, name), gast.Attribute(load(global_name(run, "np", np)), name, gast.Load()))


#: operators that sets have
_OF_SETS = (gast.Sub, gast.BitOr, gast.BitAnd, gast.BitXor)
