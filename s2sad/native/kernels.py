"""From a derivation to one for a compiler: kernels that Numba takes, and the function around them.

def grad_f(x):                        @numba.njit(error_model="numpy", boundscheck=True)
    return 2.0 * x             ->     def grad_f_kernel(x):
                                          return 2.0 * x

                                      def grad_f(x):
                                          return grad_f_kernel(x)
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, assign, clone, global_name, load, replace_names, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed, references
from s2sad.frontend.source import function_tree
from s2sad.kinds.kind import Array, Kind, Number, Static
from s2sad.native.boundary import Boundary, names_in
from s2sad.native.faults import fault
from s2sad.native.fusion import with_fused_loops
from s2sad.native.names import with_own_names, without_versions
from s2sad.native.options import Compile
from s2sad.native.subset import Subset, rewrite_of
from s2sad.normal import keep
from s2sad.request import Derived, Request


def compiled_derivation(
    derive: Callable[[], Derived], request: Request, kinds: dict[str, Kind], options: Compile
) -> Derived:
    """What is derived, as kernels.

    Args:
        derive: derives.
        request, kinds: what it is asked for.
        options: how to compile.

    Raises:
        DerivationError: something cannot be derived or compiled.
    """
    derived = derive()
    if hands_tapes_on(derived):
        with keep.policy("never"):
            derived = derive()
    return kernels(derived, kinds_of_derivative(derived, request, kinds), options)


def kernels(derived: Derived, kinds: dict[str, Kind], options: Compile) -> Derived:
    """The derivation as kernels, with a function around them that has the name and the parameters of before.

    Args:
        derived: what was derived; it stays as it is.
        kinds: the kinds of its parameters.
        options: how to compile.

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
    kernel, outer, kernel_kinds = _split(main, facts, kinds)
    subset = Subset(facts)
    inside = [*_copied([kernel, *others], facts), *others]
    for function in (*inside, kernel):
        with_own_names(function.body, facts)
    divides = [subset.divides_numbers(function.body) for function in inside]
    inner_kinds, all_kinds = dict(facts.kinds), {**facts.kinds, **kernel_kinds}
    facts.kinds = all_kinds
    model = options.error_model or ("python" if any((*divides, subset.divides_numbers(kernel.body))) else "numpy")
    for function in (*inside, kernel):
        facts.kinds = all_kinds if function is kernel else inner_kinds
        parameters = _parameters(function)
        function.body = with_fused_loops(function.body, subset, parameters, model == "python", options.parallel)
        subset.rewrite(function.body, parameters)
        without_versions(function.body, facts, parameters)
    numba_name = global_name(numba, "numba", facts)
    compiled = [*subset.made.values(), *inside, kernel]
    for function in compiled:
        how = replace(options, **{"error_model": model, **subset.how.get(function.name, {})})
        how = replace(how, parallel=how.parallel and function in (*inside, kernel))
        function.decorator_list = [_decorator(load(numba_name), how)]
        for name in walk(function.args):
            if isinstance(name, gast.Name):
                name.annotation = None
        function.returns = None
    return replace(derived, functions=[*compiled, outer], facts=facts)


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


def _decorator(numba: Expr, options: Compile) -> Expr:
    given = {name: getattr(options, name) for name in Compile.__dataclass_fields__}
    keywords = [gast.keyword(name, _as_constant(value)) for name, value in given.items() if value]
    return gast.Call(gast.Attribute(numba, "njit", gast.Load()), [], keywords)


def _as_constant(value: Any) -> Expr:
    parts = [gast.Constant(v, None) for v in sorted(value)] if isinstance(value, frozenset) else None
    return gast.Constant(value, None) if parts is None else gast.Set(parts)


def _split(main: Any, facts: Facts, kinds: dict[str, Kind]) -> tuple[Any, Any, dict[str, Kind]]:
    """A function as a kernel and the function around it, with the kinds of the kernel's parameters."""
    name = facts.fresh(f"{main.name}_kernel", temp=False)
    boundary = Boundary(facts, kinds, names_in(main.body) | set(facts.globals))
    *rest, last = main.body
    if not isinstance(last, gast.Return) or last.value is None:
        last, rest = None, main.body
    stored = {n.id for s in main.body for n in walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    known = {n: k for n, k in kinds.items() if n in stored and isinstance(k, Static)}
    boundary.kinds = {n: k for n, k in kinds.items() if n not in known}
    body = boundary.enter(rest)
    doc = [body.pop(0)] if body and _is_text(body[0]) else []
    body = [assign(n, gast.Constant(k.value, None)) for n, k in known.items() if _is_plain(k.value)] + body
    result, parts = None, list[Expr]()
    if last is not None:
        inner, result, parts = boundary.leave(last.value)
        kept = clone(last)
        kept.value = inner
        body.append(kept)
    boundary.in_order(list(kinds))
    arguments = gast.arguments(
        [gast.Name(n, gast.Param(), None, None) for n in boundary.passed], [], None, [], [], None, []
    )
    kernel = clone(main)
    kernel.name, kernel.args, kernel.body = name, arguments, body or [gast.Pass()]
    call = gast.Call(load(name), [clone(path) for _, path in boundary.passed.values()], [])
    outer = clone(main)
    outer.body = doc + _around(call, result, len(parts), facts)
    return kernel, outer, {n: k for n, (k, _) in boundary.passed.items()}


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
    """Compile the kernel of a derivative for the kinds of its parameters, C-contiguous arrays.

    Raises:
        DerivationError: Numba does not take it; the error names the user's line.
    """
    import numba

    made = derived.functions[-2]
    kernel = function.__globals__[made.name]
    signature = tuple(numba_type(derived.facts.kinds[n.id]) for n in made.args.args)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", numba.core.errors.NumbaPerformanceWarning)
            kernel.compile(signature)
    except Exception as error:  # (what Numba does not know of, it stumbles over in many ways)
        raise fault(str(error), derived, text, function.__code__.co_filename) from None
    for compiled in (function.__globals__[f.name] for f in derived.functions[:-1]):
        for overload in compiled.overloads.values():
            typed = getattr(overload.type_annotation, "typemap", {})  # (none of what comes from the cache: it was seen)
            check_lists(typed.values(), numba.types)


def check_lists(found: Iterable[Any], types: Any) -> None:
    """Refuse lists that hold lists: Numba types them, and counts their references wrongly.

    Raises:
        DerivationError: there is one.
    """

    def holds_list(item: Any) -> bool:
        parts = item.types if isinstance(item, types.BaseTuple) else ()
        return isinstance(item, types.List) or any(map(holds_list, parts))

    for one in found:
        if isinstance(one, types.List) and holds_list(one.dtype):
            raise DerivationError(
                "Numba does not compile lists that hold lists.", "use an array of two axes, or leave compile out."
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
    from s2sad.derive import as_float

    kinds = {name: as_float(kind) if name in request.wrt else kind for name, kind in kinds.items()}
    return kinds | {t: kinds[n] for t, n in zip(derived.tangents, request.wrt, strict=False)}
