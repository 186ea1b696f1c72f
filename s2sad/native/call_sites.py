"""What functions that kernels call are given: the kinds of their parameters, from all of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from s2sad.core import Facts, Stmt, walk
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, Number
from s2sad.native.kinds_here import follow

#: the kinds of a function's parameters at each of its calls; None: a call cannot be followed
Calls = list[list[Kind] | None]


def kinds_at_calls(
    kernels: Sequence[tuple[Any, Mapping[str, Kind]]],
    functions: list[Any],
    own: Mapping[str, Mapping[str, Kind]],
    facts: Facts,
) -> dict[str, dict[str, Kind]]:
    """The kinds of the parameters of functions, by function; of those whose calls cannot all be followed, none.

    Args:
        kernels: what is called from outside, with the kinds of all names there.
        functions: what these call, and call themselves.
        own: by function, the kinds of names that are known otherwise.
        facts: what free names stand for.

    >>> import numpy as np
    >>> from s2sad.core import quote_statements
    >>> (step,) = quote_statements("def step(u, a): return a * u")
    >>> (kernel,) = quote_statements("def kernel(x, k): return step(x, k) + step(x, 2.0 * k)")
    >>> x = {"x": Array(np.dtype(float), (Dim.symbol("x.0"),)), "k": Number(float)}
    >>> found = kinds_at_calls([(kernel, x)], [step], {}, Facts(kinds={}))["step"]
    >>> [str(length) for length in found["u"].shape], found["a"].type
    (['step.u.0#'], <class 'float'>)
    """
    calls: dict[str, Calls] = {f.name: [] for f in functions}
    open_ones = {f.name: f for f in functions}
    found: dict[str, dict[str, Kind]] = {}
    callers: list[tuple[Any, Mapping[str, Kind]]] = list(kernels)
    while callers:
        for caller, kinds in callers:
            _note_calls(caller.body, replace(facts, kinds=dict(kinds)), calls)
        mentioned = {n.id for f in open_ones.values() for s in f.body for n in walk(s) if isinstance(n, gast.Name)}
        settled = [f for name, f in open_ones.items() if name not in mentioned]  # (one that calls itself never is)
        callers = []
        for function in settled:
            del open_ones[function.name]
            parameters = [n.id for n in function.args.args]
            found[function.name] = known = _of_all(function.name, parameters, calls[function.name])
            callers.append((function, {**own.get(function.name, {}), **known}))
    return found


def _note_calls(body: list[Stmt], facts: Facts, calls: dict[str, Calls]) -> None:
    def visit(statement: Stmt, here: Facts) -> None:
        for _, value in gast.iter_fields(statement):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, gast.expr):
                    note(part, here)

    def note(node: Any, here: Facts) -> None:
        called = node.func.id if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else None
        if called in calls:
            plain = not node.keywords and not any(isinstance(a, gast.Starred) for a in node.args)
            calls[called].append([infer(a, here) for a in node.args] if plain else None)
        elif isinstance(node, gast.Name) and node.id in calls:
            calls[node.id].append(None)  # it is handed on
        for child in gast.iter_child_nodes(node):
            if called not in calls or child is not node.func:
                note(child, here)

    follow(body, facts, visit)


def _of_all(function: str, parameters: list[str], calls: Calls) -> dict[str, Kind]:
    """What parameters are at all calls of a function: lengths that are equal at each of them are one length."""
    given = [kinds for kinds in calls if kinds is not None and len(kinds) == len(parameters)]
    if len(given) < len(calls) or not calls:
        return {}
    lengths: dict[tuple[Dim, ...], Dim] = {}
    out: dict[str, Kind] = {}
    for name, *kinds in zip(parameters, *given, strict=True):
        numbers = [k for k in kinds if isinstance(k, Number)]
        arrays = [k for k in kinds if isinstance(k, Array) and k.shape is not None]
        if len(numbers) == len(kinds) and len({(k.type, k.types) for k in numbers}) == 1:
            out[name] = Number(numbers[0].type, types=numbers[0].types)
        elif len(arrays) == len(kinds) and len({(k.dtype, len(k.shape or ()), k.mixed) for k in arrays}) == 1:
            shape = [
                _length(dims, f"{function}.{name}.{axis}#", lengths)
                for axis, dims in enumerate(zip(*(k.shape or () for k in arrays), strict=True))
            ]
            out[name] = Array(arrays[0].dtype, tuple(shape), mixed=arrays[0].mixed)
    return out


def _length(dims: tuple[Dim, ...], symbol: str, lengths: dict[tuple[Dim, ...], Dim]) -> Dim:
    if dims[0].known and len(set(dims)) == 1:
        return dims[0]
    new = Dim.symbol(symbol)
    return lengths.setdefault(dims, new) if all(map(is_fixed, dims)) else new
