"""Functions that are handed to solvers: `optimize.brentq(f, a, b)` calls f itself.

Such a function becomes one of the module that is generated, with a parameter for each value that it captures or gets
through `args`; the call hands these over, so that the rule of the solver can say what their derivatives are.

    def balance(p):                                   def excess(x, p):
        def excess(x):                                    return x**3 - p * x
            return x**3 - p * x             ->
        return optimize.brentq(excess, 1, 9)          t = optimize.brentq(excess, 1, 9, args=(p,))
"""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import free_names as _free
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    as_parameters,
    assign,
    atom_key,
    clone,
    load,
    names_bound,
    quote,
    walk,
    walk_names,
)
from s2sad.expansion.fit import numpy_name
from s2sad.frontend import ways
from s2sad.frontend.source import LAMBDA_NAME
from s2sad.kinds import known
from s2sad.kinds.kind import Array, Kind, List, ListOf, Number, Object, Tuple, Unknown
from s2sad.knowledge import registry
from s2sad.knowledge.rule import Functional
from s2sad.normal.above import call_value, inline
from s2sad.normal.calls.effect_of import effect_of
from s2sad.normal.calls.passive import source_of
from s2sad.normal.calls.primitives import primitive
from s2sad.normal.calls.questions import of_compiler
from s2sad.normal.expressions.operation import operand
from s2sad.normal.expressions.operators import numpy_function
from s2sad.normal.iteration.asking import allocate
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Closure,
    Instance,
    Known,
    Leaf,
    ListObj,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_none,
)
from s2sad.normal.values.classes import find_method, static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, infer_kind, is_varied, kind_of
from s2sad.normal.values.making import expression
from s2sad.normal.writing import define
from s2sad.request import Derived
from s2sad.runtime.decide import Look, decide
from s2sad.tidy import tidy


def inline_function(run: Run, value: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    source = source_of(run, value)
    if of_compiler(value):
        source.library = True
    defaults = tuple(from_python(run, v, expression(run, Known(v))) for v in value.__defaults__ or ())
    kwd = value.__kwdefaults__ or {}
    kw_defaults = tuple(
        from_python(run, kwd[a.id], expression(run, Known(kwd[a.id]))) if a.id in kwd else None
        for a in source.tree.args.kwonlyargs
    )
    frame = run.calls.class_frames.get(value)
    return inline(run, Closure(source, frame, value, defaults, kw_defaults), args, kwargs)


def call(run: Run, function: Known, spec: Functional, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call of a solver: its functions lifted, what they capture among its arguments."""
    order = list(inspect.signature(function.value).parameters)
    named = dict(zip(order, args, strict=False)) | kwargs
    given = named.get("args", Tup(()))
    if is_none(given):
        given = Tup(())
    if spec.any_args and isinstance(given, Ref) and isinstance(listed := run.state.heap[given.id], ListObj):
        given = Tup(tuple(listed.items))
    if not isinstance(given, Tup):
        given = Tup((given,))
    extra = [hold(run, v) for v in given.items]
    rows = {n: _row_of_functions(run, named[n]) for n in spec.rows if n in named}
    for n in spec.functions:
        method = find_method(run, named[n], "__call__") if isinstance(named.get(n), Ref) else None
        if method is not None:
            named[n] = method
    present = [(n, named[n]) for n in spec.functions if n in named and _is_function(named[n])]
    present += [(n, function) for n, row in rows.items() for function in row]
    order_ = spec.leading[::-1] if "tfirst" in named and static(named["tfirst"]) is True else spec.leading
    lifted = [
        _lifted(run, f, spec.stem if n == spec.functions[0] else n, _leading(run, order_, named, f), extra)
        for n, f in present
    ]
    others = [n for n, v in named.items() if n not in {n for n, _ in present} and _are_functions(run, v)]
    others = [n for n in others if extra or n != "method"]  # (a method of one's own is handed functions and args)
    if others:
        run.refuse(f"{function.value.__name__} calls its {others[0]}, which is not derived", f"leave {others[0]} out")
    captured: dict[str, Expr] = {}
    for one in lifted:
        captured.update(one.captured)
    lists = {n: e for n, e in captured.items() if isinstance(infer_kind(run, e), ListOf) and _is_varied(run, e)}
    arrays = {n: _as_array(run, e) for n, e in lists.items()}
    for one in lifted:
        one.take_arrays(arrays)
    made: dict[str, list[Known]] = {}
    for (n, f), one in zip(present, lifted, strict=True):
        own = one.function(list(captured), run.facts, _attributes_of(run, f, spec.rows.get(n, ())))
        made.setdefault(n, []).append(Known(own, load(global_name(run, own.__name__, own))))
    for n, functions in made.items():
        value: Value = functions[0] if n not in rows or _is_function(named[n]) else Tup(tuple(functions))
        if n in kwargs:
            kwargs = {**kwargs, n: value}
        else:
            args = [value if order[i] == n else a for i, a in enumerate(args)]
    if captured and "args" not in order:
        run.refuse(
            f"{function.value.__name__} cannot hand over what the function captures: {', '.join(captured)}",
            "use optimize.least_squares, which takes args",
        )
    # the variables of a comprehension that is kept as text have no entry among the facts
    unsure = run.text_only and any(is_varied(run, v) for v in [*named.values(), *extra])
    leaves = [
        arrays.get(name) or Leaf(expr, infer_kind(run, expr), unsure or _is_varied(run, expr))
        for name, expr in captured.items()
    ]
    position = order.index("args") if "args" in order else len(order)
    if position < len(args):
        args = [Tup(tuple(leaves)) if i == position else a for i, a in enumerate(args)]
    elif leaves or "args" in kwargs:
        kwargs = {**kwargs, "args": Tup(tuple(leaves))}
    if not leaves:
        kwargs.pop("args", None)
    if spec.results is None:
        result: Value = primitive(run, function, args, kwargs)
        return result
    return _with_attributes(run, function, spec, named, args, kwargs, made)


def _row_of_functions(run: Run, value: Value) -> list[Value]:
    """The functions in an argument that takes one of them, or a row."""
    if isinstance(value, Ref) and isinstance(listed := run.state.heap[value.id], ListObj):
        value = Tup(tuple(listed.items))
    items = list(value.items) if isinstance(value, Tup) else [value]
    return items if all(_is_function(v) for v in items) else []


def _attributes_of(run: Run, function: Value, names: tuple[str, ...]) -> dict[str, Any]:
    """Those of the attributes of a function that a solver reads, where they are constants."""
    if isinstance(function, Closure):
        return {n: v for n, v in run.calls.set_on.get(function, {}).items() if n in names}
    if not isinstance(function, Known) or not isinstance(function.value, types.FunctionType):
        return {}
    own = {name: decide(vars(function.value), Look.NAME, name) for name in names}
    return {n: v for n, v in own.items() if isinstance(v, bool | int | float)}


def _with_attributes(
    run: Run,
    function: Known,
    spec: Functional,
    named: dict[str, Value],
    args: list[Value],
    kwargs: dict[str, Value],
    made: dict[str, list[Known]],
) -> Value:
    """A result with attributes: those that vary are what the rules say, the rest are read from it."""
    varied = any(is_varied(run, v) for v in [*args, *kwargs.values()]) and not run.passive
    atoms = [operand(run, v) for v in args]
    keys = {k: operand(run, v) for k, v in kwargs.items()}
    node = gast.Call(
        expression(run, function), [clone(a) for a in atoms], [gast.keyword(k, clone(v)) for k, v in keys.items()]
    )
    assert spec.results is not None
    kinds: dict[str, Kind] = {}
    for name, (words, *_) in spec.results.items():
        each = made.get(words.split()[1], []) if words is not None and words.startswith("each ") else None
        if each is not None:
            kinds[name] = List((_kind(run, words.split(" ", 2)[2], named),) * len(each))
        elif words is not None:
            kinds[name] = _kind(run, words, named)
    whole = define(run, "solution", node, Object(types.SimpleNamespace, tuple(kinds.items())))
    attributes: dict[str, Value] = {}
    for name, (words, target, *with_) in spec.results.items():
        read = gast.Attribute(clone(whole.expr), name, gast.Load())
        if words is None:
            attributes[name] = Leaf(read, Unknown(), nested=True)
            continue
        turns = varied and target is not False
        if turns and with_:
            turns = any(_makes_vary(run, n, named) for n in with_[0].split())
        if words.startswith("each "):
            functions = made.get(words.split()[1], [])
            beside = [n for n, (w, *_) in spec.results.items() if w is not None and w.startswith("each ")]
            items: list[Value] = []
            for k, (one, kind) in enumerate(zip(functions, getattr(kinds[name], "items", ()), strict=True)):
                items.append(define(run, name, _item(read, k), kind, varied=turns))
                if turns:
                    lead = [_item(gast.Attribute(clone(whole.expr), n, gast.Load()), k) for n in beside]
                    run.block[-1].apply = (target, [*lead, clone(one.expr), *atoms], keys)
            attributes[name] = allocate(run, ListObj(items, run.site(run.node))) if functions else Known(None)
            continue
        leaf = define(run, name, read, kinds[name], varied=turns)
        if turns:
            first = [gast.Attribute(clone(whole.expr), n, gast.Load()) for n in spec.first.split()]
            applied = [*first, *atoms] if target is not None else atoms
            run.block[-1].apply = (target or function.value, applied, keys)
        attributes[name] = leaf
    ref: Value = allocate(run, Instance(spec.cls or object, attributes, run.site(run.node)))
    return ref


def _item(row: Expr, k: int) -> Expr:
    return gast.Subscript(clone(row), gast.Constant(k, None), gast.Load())


def _leading(run: Run, words: tuple[str, ...], named: dict[str, Value], function: Value) -> list[Kind]:
    """The kinds of what a solver hands to its function."""
    kinds: list[Kind] = []
    for part in words:
        if not part.startswith("floats "):
            kinds.append(_kind(run, part, named))
            continue
        shape = known.shape_of(kind_of(run, named[part.split()[1]])) if part.split()[1] in named else None
        if shape is not None and len(shape) == 1 and shape[0].known:
            kinds += [Number(float)] * shape[0].const
        else:  # as many as the function has parameters
            kinds += [Number(float)] * (len(_parameter_names(function, 99, exact=True)) - len(kinds))
    return kinds


def _are_functions(run: Run, value: Value) -> bool:
    """Is it a function of the user's, or a row of them?"""
    if isinstance(value, Ref) and isinstance(listed := run.state.heap[value.id], ListObj):
        value = Tup(tuple(listed.items))
    if isinstance(value, Tup):
        return bool(value.items) and all(_are_functions(run, v) for v in value.items)
    return isinstance(value, (Closure, Method, Partial)) or (
        isinstance(value, Known) and isinstance(value.value, types.FunctionType)
    )


def _makes_vary(run: Run, word: str, named: dict[str, Value]) -> bool:
    """Does an argument make an attribute vary: since it does so itself, or, with a !, since it is given at all?"""
    value = named.get(word.removesuffix("!"))
    return value is not None and (not is_none(value) if word.endswith("!") else is_varied(run, value))


def _is_function(value: Value) -> bool:
    return isinstance(value, (Closure, Method, Partial)) or (isinstance(value, Known) and value.can_be_called)


def _kind(run: Run, words: str, named: dict[str, Value]) -> Kind:
    """The kind of what a solver hands to its function."""
    return known.in_words(words, {n: kind_of(run, v) for n, v in named.items()})


def _is_varied(run: Run, expr: Expr) -> bool:
    return atom_key(expr) in run.facts.varied


def _is_row(kind: Kind) -> bool:
    """Is it a tuple or a list of so many numbers?"""
    return isinstance(kind, Tuple | List) and bool(kind.items) and all(isinstance(k, Number) for k in kind.items)


def _row_of(kind: Tuple | List, name: str) -> str:
    """The text of a row of an array as the tuple or the list that it was made of.

    >>> _row_of(List((Number(float), Number(float))), "v")
    '[v[0], v[1]]'
    """
    parts = ", ".join(f"{name}[{i}]" for i in range(len(kind.items)))
    return f"[{parts}]" if isinstance(kind, List) else f"({parts},)"


def _as_array(run: Run, expr: Expr) -> Leaf:
    """A list of active numbers that a function captures, as the array that its solver's rule computes with."""
    kind: Any = infer_kind(run, expr)
    if not isinstance(kind.item, Number | Array) and type(kind.item) is not Unknown and not _is_row(kind.item):
        run.refuse(
            "a function that is handed over captures a list of containers that differ, or hold others",
            "let it capture an array, or a list of known length",
        )
    array = hold(run, call_value(run, numpy_function(run, "array"), [Leaf(clone(expr), kind, True)], {}))
    assert isinstance(array, Leaf)
    return array


class _Lifted:
    """A function written out, and the expressions of what it captures by the parameters that stand for them."""

    def __init__(
        self, stem: str, parameters: list[str], body: list[Stmt], captured: dict[str, Expr], facts: Facts, result: Kind
    ) -> None:
        self.stem, self.parameters, self.body, self.captured = stem, parameters, body, captured
        self.facts, self.result = facts, result

    def take_arrays(self, arrays: dict[str, Leaf]) -> None:
        """Arrays for the lists among what it captures; where it does more than read their items, it makes lists again.

        def err(z, ls): return sum(ls) - z        def err(z, ls):
                                           ->         ls_1 = list(ls)
                                                      return sum(ls_1) - z
        """
        for name, array in arrays.items():
            if name not in self.captured:
                continue
            kind = self.facts.kinds[name]
            row = kind.item if isinstance(kind, ListOf) and _is_row(kind.item) else None
            if row is None and _reads_only_items(self.body, name, self.facts):
                self.facts.kinds[name] = array.kind
                continue
            made = self.facts.fresh(name)
            self.facts.kinds[made], self.facts.kinds[name] = kind, array.kind
            for node in (n for statement in self.body for n in walk_names(statement) if n.id == name):
                node.id = made
            again = f"[{_row_of(row, 'v')} for v in x]" if isinstance(row, Tuple | List) else "list(x)"
            self.body.insert(0, assign(made, quote(again, x=load(name))))

    def function(self, captured: list[str], outer: Facts, attributes: dict[str, Any]) -> Any:
        """The function in Python, with a parameter for each captured value, and with attributes."""
        from s2sad.emit.module import module_text
        from s2sad.runtime.load import load as compiled
        from s2sad.transform.checks import eliminate_checked

        parameters = [*self.parameters, *captured]
        facts = self.facts
        body = eliminate_checked(self.body, facts, parameters, lambda: numpy_name(facts), live_out=(), owned=parameters)
        body = tidy(body, facts, live_out=(), owned=(), parameters=parameters)
        used = {n for n in _free(body) if n in facts.globals}
        while self.stem in used:
            self.stem += "_"
        facts.globals = {k: v for k, v in facts.globals.items() if k in used}
        tree = gast.FunctionDef(self.stem, as_parameters(parameters), body, [], None, None)
        derived = Derived(self.stem, [tree], facts)
        text = module_text(derived)
        key = (text, tuple(sorted((k, id(v)) for k, v in facts.globals.items())), tuple(attributes.items()))
        if key not in _made:
            _made[key] = compiled(text, derived)
            vars(_made[key]).update(attributes)
        _made[key].__s2sad_result__ = self.result
        _made[key].__s2sad_pure__ = effect_of(body, facts) in ("none", "raises")
        return _made[key]


def _is_int(index: Expr, facts: Facts) -> bool:
    if isinstance(index, gast.Constant):
        return type(index.value) is int
    kind = facts.kinds.get(index.id)
    return isinstance(kind, Number) and kind.type is int


def _reads_only_items(body: list[Stmt], name: str, facts: Facts) -> bool:
    """Does a body do nothing with a list but read single items of it and ask for its length?"""
    nodes = [n for statement in body for n in walk(statement)]
    places = [n for n in nodes if isinstance(n, gast.Subscript) and isinstance(n.slice, gast.Name | gast.Constant)]
    numbers = [n for n in places if _is_int(n.slice, facts)]
    lengths = [n for n in nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == "len"]
    plain = {id(n.value) for n in numbers} | {id(n.args[0]) for n in lengths if n.args}
    return all(id(n) in plain for n in nodes if isinstance(n, gast.Name) and n.id == name)


#: lifted functions by text and what its names stand for: the same one each time that the program is lowered
_made: dict[Any, Any] = {}


def _lifted(run: Run, function: Value, stem: str, leading: list[Kind], extra: list[Value]) -> _Lifted:
    """A function written out for parameters of the given kinds, followed by the given values."""
    stem = _name_of(function, stem)
    checkpoint = run.checkpoint()
    outer = (run.state, run.block, run.call_path, run.frame, run.node, run.origin, run.loops, run.passive)
    run.state, run.block, run.loops, run.passive = run.state.fork(), [], [], 0
    facts: Facts = run.facts
    try:
        names = []
        for wanted, kind in zip(_parameter_names(function, len(leading)), leading, strict=True):
            name = facts.fresh(wanted, temp=False)
            facts.kinds[name] = kind
            names.append(name)
        parameters: list[Value] = [Leaf(load(n), k) for n, k in zip(names, leading, strict=True)]
        if (
            isinstance(function, Known)
            and isinstance(function.value, types.FunctionType)
            and not registry.lookup(function.value)
        ):
            result = inline_function(run, function.value, [*parameters, *extra], {})  # even where nothing in it varies
        else:
            result = call_value(run, function, [*parameters, *extra], {})
        if isinstance(kind_of(run, result), List | Tuple):  # what solvers take for an array
            result = call_value(run, Known(np.array, quote("np.array", np=global_name(run, "np", np))), [result], {})
        body = [*run.block, gast.Return(expression(run, result))]
        captured = _captures(run, body, set(names))
        taken = facts.taken.copy()
        temps = facts.temps - set(captured)
        copied = Facts(
            dict(facts.kinds), temps, user_name=dict(facts.user_name), taken=taken, globals=dict(facts.globals)
        )
        for name, expr in captured.items():
            copied.kinds[name] = infer_kind(run, expr)
        return _Lifted(stem, names, body, captured, copied, kind_of(run, result))
    finally:
        run.state, run.block, run.call_path, run.frame, run.node, run.origin, run.loops, run.passive = outer
        run.restore(checkpoint)


def _captures(run: Run, body: list[Stmt], parameters: set[str]) -> dict[str, Expr]:
    """The values of the surrounding function that a body reads, by the names that they get in it."""
    bound = names_bound(body) | parameters
    facts: Facts = run.facts
    captured: dict[str, Expr] = {}
    keys: dict[str, str] = {}

    def visit(node: Any) -> Any:
        if isinstance(node, list):
            node[:] = [visit(item) for item in node]
            return node
        if isinstance(node, (gast.Subscript, gast.Attribute, gast.Name)):
            root = node
            while isinstance(root, (gast.Subscript, gast.Attribute)):
                root = root.value
            outside = isinstance(root, gast.Name) and root.id not in bound and root.id in facts.kinds
            if outside and (isinstance(node, gast.Name) or atom_key(node) in facts.kinds):
                if not isinstance(node.ctx, gast.Load):
                    run.refuse("a function that is handed over changes what it captures", ways.RETURN)
                key = atom_key(node)
                if key not in keys:
                    name = node.id if isinstance(node, gast.Name) else facts.fresh(_stem(node), temp=False)
                    keys[key], captured[name] = name, clone(node)
                return load(keys[key])
            if isinstance(node, gast.Subscript) and outside and not isinstance(node.ctx, gast.Load):
                run.refuse("a function that is handed over changes what it captures", ways.RETURN)
        if isinstance(node, gast.AST):
            for field in node._fields:
                value = getattr(node, field, None)
                if isinstance(value, (gast.AST, list)):
                    setattr(node, field, visit(value))
        return node

    visit(body)
    for statement in body:  # marks of the lowering hold trees of their own
        for inner in walk(statement):
            inner.__dict__.pop("apply", None)
    return captured


def _stem(node: Expr) -> str:
    if isinstance(node, gast.Attribute):
        return str(node.attr)
    if isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str) and node.slice.value.isidentifier():
        return str(node.slice.value)
    return _stem(node.value) if isinstance(node.value, (gast.Attribute, gast.Subscript)) else str(node.value.id)


def _name_of(function: Value, stem: str) -> str:
    if isinstance(function, Closure):
        name = function.source.tree.name
    elif isinstance(function, Method):
        return _name_of(function.function, stem)
    elif isinstance(function, Known):
        name = getattr(function.value, "__name__", stem)
    else:
        return stem
    return (
        name
        if name.isidentifier() and isinstance(function, Closure | Known) and name not in (LAMBDA_NAME, "lambda_")
        else stem
    )


def _parameter_names(function: Value, count: int, exact: bool = False) -> list[str]:
    """What the function calls its first parameters; exact: no names are invented for it."""
    tree = None
    if isinstance(function, Closure):
        tree = function.source.tree
    elif isinstance(function, Known) and hasattr(function.value, "__code__"):
        names = function.value.__code__.co_varnames[: function.value.__code__.co_argcount]
        invented = [] if exact else [f"x{i}" for i in range(count - len(names[:count]))]
        return [*names[:count], *invented]
    names = [] if tree is None else [a.id for a in [*tree.args.posonlyargs, *tree.args.args]][:count]
    if exact:
        return names
    standard = ["x", "y", "z", "u"]
    return [*names, *standard[len(names) : count], *(f"x{i}" for i in range(max(len(names), len(standard)), count))]
