"""From a derivation to one for a compiler: kernels that Numba takes, and the function around them.

def grad_f(x):                        @numba.njit(error_model="numpy", boundscheck=True)
    return 2.0 * x             ->     def grad_f_kernel(x):
                                          return 2.0 * x

                                      def grad_f(x):
                                          return grad_f_kernel(np.ascontiguousarray(x))

A function of numbers that returns what its kernel does is that kernel.
"""

from __future__ import annotations

import contextlib
import functools
import types
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import surely_bound
from s2sad.core import (
    Expr,
    Facts,
    assign,
    clone,
    global_name,
    load,
    names_bound,
    quote,
    quote_statements,
    replace_names,
    store,
    walk,
)
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed, references
from s2sad.frontend.source import function_tree
from s2sad.kinds.dims import certain_lower
from s2sad.kinds.kind import Array, Dim, Kind, Number, Static
from s2sad.kinds.query import as_float
from s2sad.native import scatters as _scatters  # noqa: F401  its rewrites
from s2sad.native.boundary import Boundary, names_in
from s2sad.native.bounds import in_range
from s2sad.native.call_sites import kinds_at_calls
from s2sad.native.faults import fault
from s2sad.native.forms import with_known_forms, with_stores_by_masks
from s2sad.native.fusion import with_fused_loops
from s2sad.native.handed import OUT, with_handed_in
from s2sad.native.keeping import Keeping
from s2sad.native.mathematics import FAST
from s2sad.native.names import with_checked_names, with_flags, with_open_loops, with_own_names, without_versions
from s2sad.native.options import NAMES, Compile
from s2sad.native.single import has_single, with_single
from s2sad.native.subset import Subset, rewrite_of
from s2sad.native.tapes import with_tapes_as_arrays
from s2sad.normal.calls import keep
from s2sad.request import Derived, Request
from s2sad.runtime.load import in_python

#: a kernel, and the kinds of its parameters
Split = tuple[Any, dict[str, Kind]]


def compiled_derivation(
    derive: Callable[..., Derived], request: Request, kinds: dict[str, Kind], options: Compile
) -> Derived:
    """What is derived, as kernels: where these do not take a list that a loop runs over, with that loop written out.

    Args:
        derive: derives, on demand with loops over few known items written out (`turns_apart`).
        request, kinds: what it is asked for.
        options: how to compile.

    Raises:
        DerivationError: something cannot be derived or compiled.
    """
    into = request if options.into else None

    def compiled(derive: Callable[[], Derived]) -> Derived:
        derived = derive()
        if hands_tapes_on(derived):
            with keep.policy("never"):
                derived = derive()
        return kernels(derived, kinds_of_derivative(derived, request, kinds), options, into)

    try:
        return compiled(derive)
    except DerivationError:
        with contextlib.suppress(DerivationError):
            return compiled(functools.partial(derive, turns_apart=True))
        raise


def kernels(derived: Derived, kinds: dict[str, Kind], options: Compile, into: Request | None = None) -> Derived:
    """The derivation as kernels, with a function around them that has the name and the parameters of before.

    Args:
        derived: what was derived; it stays as it is.
        kinds: the kinds of its parameters.
        options: how to compile.
        into: what it was asked for, where the function is handed the arrays for the gradients, a tuple `out`.

    Raises:
        DerivationError: something cannot be compiled.
    """
    import numba

    facts = replace(
        derived.facts,
        kinds=dict(derived.facts.kinds),
        taken=derived.facts.taken.copy(),
        globals=dict(derived.facts.globals),
    )
    main = clone(derived.functions[-1])
    others = [clone(f) for f in derived.functions[:-1]]
    facts.taken.update(*(names_in([f]) for f in (main, *others)))
    subset = Subset(facts)
    split, outer = _split(main, facts, kinds, into) if _pullback(main) is None else _split_pullback(main, subset, kinds)
    inside = [*_copied([*(kernel for kernel, _ in split), *others], facts), *others]
    facts.taken.update(*(names_in([f]) for f in inside))
    inner_kinds = dict(facts.kinds)
    whole = [(k, {**inner_kinds, **known}) for k, known in split]
    bounds = {k.name: checked_lengths(known, True) for k, known in split}
    is_checked = None not in bounds.values()  # (only then are lengths as their kinds say)
    locals_ = {f.name: inner_kinds for f in others}
    given = kinds_at_calls(whole, inside, locals_, facts) if is_checked else {}
    whole[:0] = [(f, {**locals_.get(f.name, {}), **given.get(f.name, {})}) for f in inside]
    divides = []
    tapes: dict[str, set[str]] = {}
    single = any(has_single(known) for _, known in whole)
    for function, facts.kinds in whole:
        with_checked_names(function.body, _parameters(function))
        with_flags(function.body, facts)
        with_own_names(function.body, facts)
        tapes[function.name] = with_tapes_as_arrays(function.body, facts)
        with_known_forms(function.body, subset)
        with_stores_by_masks(function.body, subset)
        subset.broadcast(function.body)
        if single:
            with_single(function.body, subset)
        divides.append(subset.divides_numbers(function.body))
    model = options.error_model or ("python" if any(divides) else "numpy")
    relies = False
    for function, facts.kinds in whole:  # (kernels come last)
        parameters, loops = _parameters(function), _count_of_loops(function)
        function.body = with_fused_loops(function.body, subset, parameters, model == "python", options.parallel)
        if _has_threads(function):
            subset.keep_apart(function.body)
        subset.rewrite(function.body, parameters)
        known = next((k for kernel, k in split if kernel is function), None)
        sure = facts if known is not None else replace(facts, kinds=given.get(function.name, {}))
        proved = bounds.get(function.name, []) is not None and in_range(function.body, sure, tapes[function.name])
        if proved:
            subset.how[function.name] = {"boundscheck": False}
        with_open_loops(function.body, facts)
        without_versions(function.body, facts, parameters)
        relies = relies or proved or subset.trusts or _count_of_loops(function) > loops
        if known is not None:
            function.body[:0] = (bounds[function.name] if relies else None) or checked_lengths(known, False) or []
    numba_name = global_name(numba, "numba", facts)
    compiled = [*subset.made.values(), *(function for function, _ in whole)]
    for function in compiled:
        how = replace(options, **{"error_model": model, **subset.how.get(function.name, {})})
        how = replace(how, parallel=how.parallel and _has_threads(function))
        off = ("fastmath",) if options.fastmath and not how.fastmath else ()  # (a kernel's holds for what it calls)
        function.decorator_list = [_decorator(load(numba_name), how, off)]
        for name in walk(function.args):
            if isinstance(name, gast.Name):
                name.annotation = None
        function.returns = None
    facts.kinds = {**inner_kinds, **{n: kind for _, known in split for n, kind in known.items()}}
    if outer.name == compiled[-1].name:
        compiled[-1].body[:0] = outer.body
    else:
        compiled.append(outer)
    return replace(derived, functions=compiled, facts=facts)


def checked_lengths(kinds: dict[str, Kind], proved: bool) -> list[Any] | None:
    """The check that the axes and lengths of a kernel's arguments are those that it is made for; None: they cannot be
    told. (How many axes there are, Numba knows when it compiles: that test costs nothing.)

    Args:
        kinds: of its parameters.
        proved: does it rely on lengths that are equal, and on those that are at least 2?

    >>> from s2sad.core import text
    >>> from s2sad.kinds.kind import Dim
    >>> n = Dim.symbol("x.0")
    >>> kinds = {"x": Array(np.dtype(float), (n, Dim.of(3))), "y": Array(np.dtype(float), (n + 1,))}
    >>> print(text(checked_lengths(kinds, True) or []))
    if x.ndim != 2 or y.ndim != 1 or x.shape[0] < 2 or (x.shape[1] != 3) or (y.shape[0] != x.shape[0] + 1):
        raise ValueError('this is made for arrays of other lengths')
    """
    shapes = {name: kind.shape for name, kind in kinds.items() if isinstance(kind, Array) and kind.shape}
    first = {shape: name for name, shape in reversed(shapes.items())}
    alike = {name for name, shape in shapes.items() if first[shape] != name and not all(d.known for d in shape)}
    lengths = [(f"{name}.shape[{axis}]", dim) for name, shape in shapes.items() if name not in alike
               for axis, dim in enumerate(shape)]  # fmt: skip
    ints = {str(k.value): name for name, k in kinds.items() if isinstance(k, Number) and k.value is not None}
    known = {str(dim): read for read, dim in reversed(lengths) if not dim.known} | ints
    differ = [f"{name}.ndim != {len(shape)}" for name, shape in shapes.items() if name not in alike]
    for read, dim in lengths:
        if dim.known:
            differ += [f"{read} != {dim}"] if proved or dim.const > 1 else []
        elif proved and known[str(dim)] != read:
            differ.append(f"{read} != {known[str(dim)]}")
        elif proved and len(dim.terms) == 1 and dim.terms[0][1] == 1 and not dim.const:
            least = certain_lower(dim) or 0
            differ += [f"{read} < {least}"] if least else []
        elif proved and not all(symbol in known for symbol, _ in dim.terms):
            return None
        elif proved:
            parts = [known[s] if f == 1 else f"{f} * {known[s]}" for s, f in dim.terms]
            differ.append(f"{read} != {' + '.join([*parts, *([str(dim.const)] if dim.const else [])])}")
    differ += [f"{name}.shape != {first[shapes[name]]}.shape" for name in sorted(alike)] if proved else []
    wrong = "raise ValueError('this is made for arrays of other lengths')"
    return quote_statements(f"if {' or '.join(differ)}: {wrong}") if differ else []


def _count_of_loops(function: Any) -> int:
    return sum(isinstance(node, gast.For) for node in walk(function))


def _parameters(function: Any) -> list[str]:
    return [n.id for n in walk(function.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)]


def hands_tapes_on(derived: Derived) -> bool:
    """Do its functions put what they record on lists of their callers'? Numba does not know what such lists hold."""
    for function in derived.functions[:-1]:
        parameters = set(_parameters(function))
        methods = [n for n in walk(function) if isinstance(n, gast.Attribute) and n.attr in ("append", "pop")]
        if any(isinstance(m.value, gast.Name) and m.value.id in parameters for m in methods):
            return True
    return False


def _has_threads(function: Any) -> bool:
    """Has it a loop whose turns may run at once?"""
    return any(isinstance(n, gast.Attribute) and n.attr == "prange" for n in walk(function))


#: what Numba would run on threads beside `numba.prange`: it says of arrays that are broadcast that they do not fit
_IN_ONE_THREAD = ("comprehension", "fusion", "inplace_binop", "numpy", "reduction", "setitem")


def _decorator(numba: Expr, options: Compile, off: tuple[str, ...] = ()) -> Expr:
    given = {name: getattr(options, name) for name in NAMES}
    keywords = [gast.keyword(name, _as_constant(value)) for name, value in given.items() if value or name in off]
    for keyword in keywords:
        if keyword.arg == "fastmath" and options.fastmath is True:
            keyword.value = _as_constant(FAST)
        if keyword.arg == "parallel":
            never: list[Expr] = [gast.Constant(False, None)] * len(_IN_ONE_THREAD)
            keyword.value = gast.Dict([gast.Constant(name, None) for name in _IN_ONE_THREAD], never)
    return gast.Call(gast.Attribute(numba, "njit", gast.Load()), [], keywords)


def _as_constant(value: Any) -> Expr:
    parts = [gast.Constant(v, None) for v in sorted(value)] if isinstance(value, frozenset) else None
    return gast.Constant(value, None) if parts is None else gast.Set(parts)


def _split(main: Any, facts: Facts, kinds: dict[str, Kind], into: Request | None = None) -> tuple[list[Split], Any]:
    """A function as a kernel, with the kinds of its parameters, and the function around it.

    Where it is its own kernel, they have one name, and the function around holds no more than its text.
    """
    *rest, last = main.body
    if not isinstance(last, gast.Return) or last.value is None:
        last, rest = None, main.body
    boundary = Boundary(facts, kinds, names_in(main.body) | set(facts.globals))
    doc, body = _entered(boundary, rest)
    outer = clone(main)
    parts = list[Expr]()
    result = None
    handed: list[tuple[str, Kind]] = []
    if last is not None:
        inner, result, parts = boundary.leave(last.value)
        if into is not None:
            inner, handed = _handed_in(into, last.value, inner, parts, body, boundary)
        body.append(_returned(inner, last))
    split, call = _kernel(f"{main.name}_kernel", body, main, boundary, list(kinds))
    for k, (name, kind) in enumerate(handed):
        if name:
            split[0].args.args.append(gast.Name(name, gast.Param(), None, None))
            split[1][name] = kind
            call.args.append(quote("out[k]", out=OUT, k=k))
    if into is not None:
        outer.args.kwonlyargs.append(gast.Name(OUT, gast.Param(), None, None))
        outer.args.kw_defaults.append(None)
    elif (result is None or _is_flat(result, len(parts))) and _passes_all(outer, kinds, split):
        split[0].name, outer.body = main.name, doc
        return [split], outer
    outer.body = doc + _around(call, result, len(parts), facts)
    return [split], outer


def _passes_all(outer: Any, kinds: dict[str, Kind], split: Split) -> bool:
    """Does a function do nothing but pass its parameters, all of them numbers, on to its kernel?"""
    (kernel, passed), args = split, outer.args
    plain = not (args.defaults or args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg)
    return plain and _parameters(kernel) == _parameters(outer) and all(
        isinstance(kind, Number) and name in kinds for name, kind in passed.items()
    )  # fmt: skip


def _handed_in(
    request: Request, value: Any, inner: Any, parts: list[Expr], body: list[Any], boundary: Boundary
) -> tuple[Any, list[tuple[str, Kind]]]:
    """The kernel's result with the arrays that are handed in for gradients, and these with their kinds.

    Raises:
        DerivationError: a gradient is no number and no array, or the function has another use for the name.
    """
    wanted = value.elts[1] if request.result == "value_and_grad" else value
    gradients = [wanted] if request.single else wanted.elts
    kinds = [boundary.kinds.get(name, Static(None)) for name in request.wrt]
    if OUT in boundary.facts.globals or OUT in boundary.kinds:
        raise DerivationError(f"The function has another use for the name {OUT}.", "call it without out.")
    places = {id(part): k for k, part in enumerate(parts)}
    pairs = zip(gradients, kinds, strict=True)
    if request.aux or not all(isinstance(k, Number) or (isinstance(k, Array) and id(g) in places) for g, k in pairs):
        raise DerivationError("out is for the gradients of numbers and arrays.", "call it without out.")
    returned = list(inner.elts) if len(parts) > 1 else [inner]
    names = with_handed_in(body, returned, [places.get(id(g), -1) for g in gradients], kinds, boundary.facts)
    inner = gast.Tuple(returned, gast.Load()) if len(parts) > 1 else returned[0]
    return inner, list(zip(names, kinds, strict=True))


def _split_pullback(main: Any, subset: Subset, kinds: dict[str, Kind]) -> tuple[list[Split], Any]:
    """A function that returns a value and a pullback, as two kernels, and the function around them.

    def vjp_f(x):                      def vjp_f(x):
        t = np.sin(x)                      value, t = vjp_f_kernel(x)
        def pullback(g):         ->        def pullback(g):
            return g * t                       return pullback_f_kernel(t, g)
        return x * t, pullback             return value, pullback
    """
    facts = subset.facts
    *rest, pullback, last = main.body
    cotangent = pullback.args.args[0].id
    keeping = Keeping(rest, pullback, subset)
    taken = names_in(main.body) | set(facts.globals)
    boundary = Boundary(facts, kinds, taken)
    doc, body = _entered(boundary, rest)
    inner, value, parts = boundary.leave(last.value.elts[0])
    some = {n: k for n, k in keeping.kinds.items() if n not in surely_bound(rest) | kinds.keys() and _is_plain_kind(k)}
    body[:0] = [assign(n, _nothing(k, facts)) for n, k in some.items()]
    kept_kinds = keeping.kinds | {n: _of_any_length(k, facts) for n, k in some.items()}
    kept = [load(name) for name in keeping.kinds]
    whole = gast.Tuple([*(inner.elts if len(parts) > 1 else [inner] if parts else []), *kept], gast.Load())
    body += [*keeping.leaving, _returned(whole, last)]
    split, call = _kernel(f"{main.name}_kernel", body, main, boundary, list(kinds))
    names = [facts.fresh("value" if len(parts) == 1 else f"value_{k}", temp=False) for k in range(len(parts))]
    given = [*names, *keeping.kinds]

    stored = names_bound(rest)
    known = {n: k for n, k in kinds.items() if n not in stored} | {cotangent: facts.kinds[cotangent]} | kept_kinds
    back = Boundary(facts, known, taken | set(given))
    _, back_body = _entered(back, [*keeping.entering, *pullback.body[:-1]])
    inner, gradient, gradients = back.leave(pullback.body[-1].value)
    back_body.append(_returned(inner, pullback.body[-1]))
    second, back_call = _kernel(f"{main.name}_pullback", back_body, main, back, [*keeping.kinds, *known])
    back_call.args = [  # (numbers of NumPy's come out of kernels as Python's)
        quote("np.float32(k)", np=global_name(np, "np", facts), k=path)
        if n not in kinds and isinstance(kind, Number) and kind.type is np.float32 else path
        for path, (n, (kind, _)) in zip(back_call.args, back.passed.items(), strict=True)
    ]  # fmt: skip

    outer, outer_pullback = clone(main), clone(pullback)
    outer_pullback.body = _around(back_call, gradient, len(gradients), facts)
    target: Any = gast.Tuple([store(n) for n in given], gast.Store())
    result = replace_names(value, {f"part_{k}": load(n) for k, n in enumerate(names)})
    returned = gast.Return(gast.Tuple([result, clone(last.value.elts[1])], gast.Load()))
    outer.body = [*doc, gast.Assign([target], call, None), outer_pullback, returned]
    return [split, second], outer


def _is_plain_kind(kind: Kind) -> bool:
    """Is it a number, or an array of known type and rank?"""
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dtype is not None and bool(kind.shape))


def _nothing(kind: Any, facts: Facts) -> Expr:
    """What a name that has a value on some paths alone is on the others, where the pullback does not read it."""
    if isinstance(kind, Number):
        return gast.Constant(np.zeros((), kind.type).item(), None)
    lengths = gast.Tuple([gast.Constant(0, None) for _ in kind.shape], gast.Load())
    kinds = {"n": lengths, "t": quote(f"np.{kind.dtype.name}", np=load(global_name(np, "np", facts)))}
    return quote("np.zeros(n, t)", np=load(global_name(np, "np", facts)), **kinds)


def _of_any_length(kind: Any, facts: Facts) -> Kind:
    """The kind of what is an array of other lengths, `_nothing`, on some paths."""
    if isinstance(kind, Number):
        return kind
    return Array(kind.dtype, tuple(Dim.symbol(facts.fresh("length")) for _ in kind.shape))


def _pullback(main: Any) -> Any:
    """The pullback that a function returns; None: it returns none."""
    inner = main.body[-2] if len(main.body) > 1 else None
    return inner if isinstance(inner, gast.FunctionDef) else None


def _entered(boundary: Boundary, body: list[Any]) -> tuple[list[Any], list[Any]]:
    """The docstring of a function and its statements, as those of a kernel."""
    stored = {n.id for s in body for n in walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    known = {n: k for n, k in boundary.kinds.items() if n in stored and isinstance(k, Static)}
    boundary.kinds = {n: k for n, k in boundary.kinds.items() if n not in known}
    body = boundary.enter(body)
    doc = [body.pop(0)] if body and _is_text(body[0]) else []
    return doc, [assign(n, gast.Constant(k.value, None)) for n, k in known.items() if _is_plain(k.value)] + body


def _returned(value: Expr, last: Any) -> Any:
    kept = clone(last)
    kept.value = value
    return kept


def _kernel(name: str, body: list[Any], main: Any, boundary: Boundary, order: list[str]) -> tuple[Split, Any]:
    """A kernel with the kinds of its parameters, and its call."""
    boundary.in_order(order)
    kernel = clone(main)
    kernel.name, kernel.body = boundary.facts.fresh(name, temp=False), body or [gast.Pass()]
    kernel.args = gast.arguments(
        [gast.Name(n, gast.Param(), None, None) for n in boundary.passed], [], None, [], [], None, []
    )
    call = gast.Call(
        load(kernel.name), [_in_order(path, kind, boundary) for kind, path in boundary.passed.values()], []
    )
    return (kernel, {n: k for n, (k, _) in boundary.passed.items()}), call


def _in_order(path: Expr, kind: Kind, boundary: Boundary) -> Expr:
    """What is passed to a kernel: an array as one that lies in memory row by row, for which kernels are compiled."""
    if not isinstance(kind, Array):
        return clone(path)
    return quote("np.ascontiguousarray(a)", np=global_name(np, "np", boundary.facts), a=path)


def _around(call: Expr, result: Expr | None, count: int, facts: Facts) -> list[Any]:
    """The call of a kernel, and its result in the structure of before."""
    if result is None or _is_flat(result, count):
        return [gast.Return(call)]
    if count == 1:
        return [gast.Return(replace_names(result, {"part_0": call}))]
    names = [facts.fresh(f"part_{k}") for k in range(count)]
    target = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Load())
    target.ctx = gast.Store()
    parts = {f"part_{k}": load(n) for k, n in enumerate(names)}
    return [gast.Assign([target], call, None), gast.Return(replace_names(result, parts))]


def _is_flat(result: Expr, count: int) -> bool:
    """Is it what the kernel returns: one part, or the tuple of its parts?"""
    if isinstance(result, gast.Tuple) and count > 1:
        return [getattr(e, "id", None) for e in result.elts] == [f"part_{k}" for k in range(count)]
    return count == 1 and isinstance(result, gast.Name) and result.id == "part_0"


def _is_text(statement: Any) -> bool:
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, complex, str))


def _copied(functions: list[Any], facts: Facts) -> list[Any]:
    """The Python functions that kernels call, as kernels: those of the user's that stay calls, and helpers."""
    found: dict[str, Any] = {}
    todo = list(functions)
    while todo:
        tree = todo.pop()
        for node in walk(tree):
            value = facts.globals.get(node.id) if isinstance(node, gast.Name) else None
            if not isinstance(value, types.FunctionType) or node.id in found or rewrite_of(value) is not None:
                continue
            if is_installed(value) and value.__module__.partition(".")[0] != "s2sad":
                continue
            found[node.id] = made = _as_kernel(node.id, value, facts)
            todo.append(made)
    for name in found:
        del facts.globals[name]
    return [found[name] for name in reversed(found)]


def _as_kernel(name: str, function: types.FunctionType, facts: Facts) -> Any:
    tree = clone(function_tree(function).tree)
    tree.name, tree.decorator_list, tree.returns = name, [], None
    renamed = {}
    for _, outer, value in references(function):
        known = name if value is function else global_name(value, outer, facts)
        if known != outer:
            renamed[outer] = known
        if not (callable(value) or isinstance(value, types.ModuleType) or _is_plain(value)):
            raise DerivationError(
                f"{function.__qualname__} is called by the kernel and reads {outer}, which may change.",
                f"pass {outer} as an argument, or leave compile out.",
            )
    replace_names(tree.body, {old: load(new) for old, new in renamed.items()})
    return tree


def compile_now(function: Any, derived: Derived, text: str) -> None:
    """Compile the kernels of a derivative for the kinds of their parameters, C-contiguous arrays.

    Raises:
        DerivationError: Numba does not take it; the error names the user's line.
    """
    import numba

    kernels = [f for f in derived.functions if f.decorator_list]
    names = in_python(function).__globals__
    called_outside = names_in(derived.functions[-1:]) if len(kernels) < len(derived.functions) else {derived.name}
    for made in (f for f in kernels if f.name in called_outside):
        signature = tuple(numba_type(derived.facts.kinds[n.id]) for n in made.args.args)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", numba.core.errors.NumbaPerformanceWarning)
                names[made.name].compile(signature)
        except Exception as error:  # (what Numba does not know of, it stumbles over in many ways)
            raise fault(str(error), derived, text, function.__code__.co_filename) from None
    for compiled in (names[f.name] for f in kernels):
        for overload in compiled.overloads.values():
            typed = getattr(overload.type_annotation, "typemap", {})  # (none of what comes from the cache: it was seen)
            check_lists(typed.values(), numba.types)


def check_lists(found: Iterable[Any], types: Any) -> None:
    """Refuse lists that hold lists or dicts: Numba types them, and counts their references wrongly.

    Raises:
        DerivationError: there is one.
    """
    forms = {types.List: "lists", types.DictType: "dicts", types.Set: "sets"}

    def held(item: Any) -> str | None:
        parts = item.types if isinstance(item, types.BaseTuple) else ()
        own = (word for form, word in forms.items() if isinstance(item, form))
        return next(own, None) or next(filter(None, map(held, parts)), None)

    for one in found:
        word = held(one.dtype) if isinstance(one, types.List) else None
        if word is not None:
            raise DerivationError(
                f"Numba does not compile lists that hold {word}.", "use an array of two axes, or leave compile out."
            )


def numba_type(kind: Kind) -> Any:
    """The type that Numba has for values of a kind."""
    import numba

    if isinstance(kind, Array):
        assert kind.shape is not None
        return numba.types.Array(numba.from_dtype(kind.dtype), len(kind.shape), "C")
    assert isinstance(kind, Number)
    return numba.from_dtype(np.dtype(kind.type)) if kind.type is not int else numba.int64


def kinds_of_derivative(derived: Derived, request: Request, kinds: dict[str, Kind]) -> dict[str, Kind]:
    """The kinds of a derivative's parameters, from those of the primal's."""
    kinds = {name: as_float(kind) if name in request.wrt else kind for name, kind in kinds.items()}
    return kinds | {t: kinds[n] for t, n in zip(derived.tangents, request.wrt, strict=False)}
