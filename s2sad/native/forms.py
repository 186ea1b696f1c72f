"""Functions of NumPy that Numba has in another form: lists for tuples, dtypes, axes and ranks that it does not take.

np.concatenate([a, b])    ->    np.concatenate((a, b))
A @ B of three axes       ->    matmul(A, B)               (a product of matrices a turn)
np.roll(A, 1, axis=0)     ->    roll_0(A, 1)
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, blocks_of, quote, text, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, Number
from s2sad.native.kinds_here import follow
from s2sad.native.subset import Subset, as_load, rewrites

#: functions whose first argument is a shape, which is a tuple to Numba
_OF_SHAPES = (np.empty, np.zeros, np.ones, np.full)
#: Python's types as dtypes, by the names that NumPy has for them
_DTYPES = {bool: "bool_", int: "int64", float: "float64", complex: "complex128"}


def with_known_forms(body: list[Stmt], subset: Subset) -> None:
    """Calls of NumPy with what Numba knows, in place, before loops are made of them.

    >>> from s2sad.core import Facts, quote_statements
    >>> body = quote_statements("x = np.ndarray((n, 3), float)")
    >>> with_known_forms(body, Subset(Facts(globals={"np": np})))
    >>> print(text(body[0]))
    x = np.empty((n, 3), np.float64)
    """
    outer = subset.facts

    def visit(statement: Stmt, facts: Facts) -> None:
        subset.facts = facts
        for call in (n for _, v in gast.iter_fields(statement) if isinstance(v, gast.expr) for n in walk(v)):
            if isinstance(call, gast.Call):
                _in_its_form(call, subset)

    follow(body, outer, visit)
    subset.facts = outer


def with_stores_by_masks(body: list[Stmt], subset: Subset) -> None:
    """What is stored by a mask of several axes, which Numba has for one, by a function of loops, in place. So is what a
    number changes by a mask: nothing is taken out and put back.

    x[mask] = v     ->    put(x, mask, v)
    x[mask] += k    ->    add_where(x, mask, k)

    >>> from s2sad.core import Facts, quote_statements
    >>> from s2sad.kinds.kind import Dim
    >>> shape = Dim.symbol("n"), Dim.symbol("m")
    >>> kinds = {"x": Array(np.dtype(float), shape), "mask": Array(np.dtype(bool), shape)}
    >>> body = quote_statements("x[mask] /= 2.0\\nx[mask] *= 2.0")
    >>> with_stores_by_masks(body, Subset(Facts(kinds=kinds, globals={"np": np})))
    >>> print(text(body))
    put(x, mask, x[mask] / 2.0)
    multiply_where(x, mask, 2.0)
    """
    put: dict[int, Expr] = {}
    outer = subset.facts

    def visit(statement: Any, facts: Facts) -> None:
        subset.facts = facts
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        target = targets[0] if len(targets) == 1 and isinstance(statement, (gast.Assign, gast.AugAssign)) else None
        if not isinstance(target, gast.Subscript):
            return
        base, mask = as_load(target.value), subset.kind(target.slice)
        if not isinstance(mask, Array) or mask.dtype != bool or not mask.shape:
            return
        value, held = statement.value, subset.kind(base)
        way = _IN_PLACE.get(type(statement.op)) if isinstance(statement, gast.AugAssign) else None
        if way and subset.rank(value) == 0 and isinstance(held, Array) and held.dtype == float and (
            subset.rank(base) == len(mask.shape) and isinstance(subset.kind(value), Number)
        ):  # fmt: skip
            made = subset.helper(way[0], _put(len(mask.shape), 0, *way))
            put[id(statement)] = gast.Call(made, [base, target.slice, value], [])
        if id(statement) in put or len(mask.shape) < 2:
            return
        if isinstance(statement, gast.AugAssign):
            value = gast.BinOp(as_load(target), statement.op, value)
        rank = subset.rank(value)
        if rank not in (0, 1) or subset.rank(base) != len(mask.shape):
            return
        made = subset.helper("put", _put(len(mask.shape), rank))
        put[id(statement)] = gast.Call(made, [base, target.slice, value], [])

    follow(body, outer, visit)
    subset.facts = outer
    _replace(body, put)


def _replace(body: list[Any], by: dict[int, Expr]) -> None:
    for place, statement in enumerate(body):
        for inner in blocks_of(statement):
            _replace(inner, by)
        if id(statement) in by:
            body[place] = gast.Expr(by[id(statement)])
            body[place].__dict__.update({k: v for k, v in statement.__dict__.items() if k in ("origin", "comment")})


#: what is done to elements by a function of loops: its name, and how that is written
_IN_PLACE = {
    gast.Add: ("add_where", "+="), gast.Sub: ("subtract_where", "-="), gast.Mult: ("multiply_where", "*="),
}  # fmt: skip


def _put(axes: int, rank: int, name: str = "put", sign: str = "=") -> str:
    turns = [f"i{k}" for k in range(axes)]
    at = ", ".join(turns)
    lines = [f"def {name}(x, mask, v):", "    if mask.shape != x.shape:",
             '        raise IndexError("boolean index did not match the array")']  # fmt: skip
    if rank:
        lines += ["    count = np.sum(mask)", "    if len(v) != count and len(v) != 1:",
                  '        raise ValueError("the mask has not as many places")', "    k = 0"]  # fmt: skip
    lines += ["    " * depth + f"for {turn} in range(x.shape[{depth - 1}]):" for depth, turn in enumerate(turns, 1)]
    indent = "    " * (axes + 1)
    item = "v[k if len(v) > 1 else 0]" if rank else "v"
    lines += [f"{indent}if mask[{at}]:", f"{indent}    x[{at}] {sign} {item}"]
    return "\n".join([*lines, f"{indent}    k += 1"] if rank else lines)


def _in_its_form(node: Any, subset: Subset) -> None:
    function = subset.target(node.func)
    if function is np.ndarray and (len(node.args) == 2 or [k.arg for k in node.keywords] in ([], ["dtype"])):
        node.func = subset.np("empty")
    elif any(function is f for f in _OF_SHAPES) and node.args and isinstance(node.args[0], gast.List):
        node.args[0] = gast.Tuple(node.args[0].elts, gast.Load())
    elif function is abs and len(node.args) == 1 and subset.rank(node.args[0]):
        node.func = subset.np("abs")
    is_method = isinstance(node.func, gast.Attribute) and node.func.attr == "astype"
    if is_method or getattr(subset.target(node.func), "__module__", None) == "numpy":
        node.args = [_dtype(a, subset) for a in node.args]
        for keyword in node.keywords:
            keyword.value = _dtype(keyword.value, subset)


def _dtype(node: Any, subset: Subset) -> Any:
    found = subset.target(node) if isinstance(node, gast.Name) else None
    return subset.np(_DTYPES[found]) if isinstance(found, type) and found in _DTYPES else node


def _joined(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Arrays in a tuple, where a list of them has no type."""
    arrays = given["arrays"]
    if not isinstance(arrays, gast.List):
        return None
    first: Expr = gast.Tuple(arrays.elts, gast.Load())
    return gast.Call(node.func, [first, *node.args[1:]], node.keywords)


for _function in (np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.dstack):
    rewrites(_function, "arrays axis")(_joined)


@rewrites(np.broadcast_arrays, "first second third")
def _broadcast_arrays(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    if any(subset.rank(x) for x in given.values()):
        return None
    raise DerivationError(
        "Numba makes arrays of one axis of numbers that are broadcast.",
        "leave np.broadcast_arrays out of it, or leave compile out.",
    )


@rewrites(np.ndim, "a")
def _ndim(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    rank = subset.rank(given["a"])
    return None if rank is None else gast.Constant(rank, None)


@rewrites(np.tri, "N M k dtype")
def _tri(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    if "dtype" not in given:
        return None
    more = {k: v for k, v in given.items() if k != "dtype"}
    made = gast.Call(node.func, [more["N"]], [gast.keyword(k, v) for k, v in more.items() if k != "N"])
    if text(given["dtype"]) in ("bool", text(subset.np("bool_"))):
        return quote("made != 0.0", made=made)
    return quote("made.astype(t)", made=made, t=given["dtype"])


@rewrites(np.roll, "a shift axis")
def _roll(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Along an axis: the two parts change places."""
    rank, axis = subset.rank(given["a"]), given.get("axis")
    at = getattr(axis, "value", None)
    if isinstance(axis, gast.UnaryOp) and isinstance(axis.operand, gast.Constant) and isinstance(axis.op, gast.USub):
        at = -axis.operand.value
    if type(at) is not int or not rank or not -rank <= at < rank or subset.rank(given["shift"]) != 0:
        return None
    at %= rank
    front = ":, " * at
    lines = [
        f"def roll_{at}(a, shift):", "    out = np.empty_like(a)", f"    n = a.shape[{at}]",
        "    k = shift % n if n else 0", f"    out[{front}k:] = a[{front}: n - k]",
        f"    out[{front}:k] = a[{front}n - k :]", "    return out",
    ]  # fmt: skip
    made = subset.helper(f"roll_{at}", "\n".join(lines))
    return gast.Call(made, [given["a"], given["shift"]], [])


@rewrites(np.histogram_bin_edges, "a bins")
def _bin_edges(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """Of so many bins from the least to the largest value."""
    if set(given) != {"a", "bins"} or not subset.is_int(given["bins"]) or subset.rank(given["bins"]) != 0:
        return None
    lines = [
        "def bin_edges(a, bins):", "    if bins < 1:", '        raise ValueError("bins must be positive")',
        "    low, high = (a.min(), a.max()) if a.size else (0.0, 1.0)",
        "    if not (np.isfinite(low) and np.isfinite(high)):",
        '        raise ValueError("autodetected range is not finite")',
        "    if low == high:", "        low, high = low - 0.5, high + 0.5",
        "    return np.linspace(low, high, bins + 1)",
    ]  # fmt: skip
    return gast.Call(subset.helper("bin_edges", "\n".join(lines)), [given["a"], given["bins"]], [])


def stacked_product(left: Expr, right: Expr, subset: Subset) -> Expr | None:
    """A product of stacks of matrices; None: Numba has it, or the ranks are not known.

    A stack times one matrix is one product of matrices; else it is one a turn.
    """
    kinds = subset.kind(left), subset.kind(right)
    ranks = [len(k.shape) for k in kinds if isinstance(k, Array) and k.shape]
    if len(ranks) != 2 or max(ranks) <= 2 or min(ranks) < 2:
        return None
    of, by = ranks
    last, inner = f"a.shape[{of - 1}]", f"b.shape[{by - 2}]"
    lines = ["def matmul(a, b):", f"    if {last} != {inner}:", '        raise ValueError("matmul: lengths differ")']
    if by == 2:
        shape = ", ".join([*(f"a.shape[{k}]" for k in range(of - 1)), "b.shape[1]"])
        rows = " * ".join(f"a.shape[{k}]" for k in range(of - 1))
        lines += [
            f"    rows = np.ascontiguousarray(a).reshape({rows}, {last})",
            f"    return (rows @ b).reshape({shape})",
        ]
    else:
        rank = max(of, by) - 2
        turns = [f"i{k}" for k in range(rank)]
        index: list[str] = []
        sizes = list[str]()
        for k in range(rank):
            places = [(x, k - (rank - (r - 2))) for x, r in (("a", of), ("b", by))]
            lengths = [f"{x}.shape[{p}]" for x, p in places if p >= 0]
            if len(lengths) == 2:
                lines += [f"    if {lengths[0]} != {lengths[1]} and {lengths[0]} != 1 and {lengths[1]} != 1:",
                          '        raise ValueError("matmul: lengths differ")']  # fmt: skip
            sizes.append(lengths[0] if len(lengths) == 1 else f"({lengths[1]} if {lengths[0]} == 1 else {lengths[0]})")
        for x, r in (("a", of), ("b", by)):
            own = turns[rank - (r - 2) :]
            index.append(", ".join(f"{t} if {x}.shape[{k}] != 1 else 0" for k, t in enumerate(own)))
        parts = [f"np.ascontiguousarray({x}[{i}])" if i else f"np.ascontiguousarray({x})"
                 for x, i in zip(("a", "b"), index, strict=True)]  # fmt: skip
        shape = ", ".join([*sizes, f"a.shape[{of - 2}]", f"b.shape[{by - 1}]"])
        dtype = np.result_type(*(k.dtype for k in kinds if isinstance(k, Array))).name
        lines.append(f"    out = np.empty(({shape}), dtype=np.{dtype})")
        lines += ["    " * d + f"for {t} in range(out.shape[{d - 1}]):" for d, t in enumerate(turns, 1)]
        lines.append("    " * (rank + 1) + f"out[{', '.join(turns)}] = {parts[0]} @ {parts[1]}")
        lines.append("    return out")
    return gast.Call(subset.helper("matmul", "\n".join(lines)), [left, right], [])


@rewrites(gast.MatMult, "a b")
@rewrites(np.matmul, "a b")
def _matmul(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    return stacked_product(given["a"], given["b"], subset) if set(given) == {"a", "b"} else None


@rewrites(np.tensordot, "a b axes")
def _tensordot(subset: Subset, node: Any, given: dict[str, Expr]) -> Expr | None:
    """One product of matrices, whose rows and columns are the axes that stay."""
    axes: Any = given.get("axes")
    a, b = subset.kind(given["a"]), subset.kind(given["b"])
    if not (isinstance(a, Array) and isinstance(b, Array) and a.shape and b.shape and a.dtype == b.dtype):
        return None
    of, by = len(a.shape), len(b.shape)
    parts = [_ints(p) for p in axes.elts] if isinstance(axes, gast.Tuple) and len(axes.elts) == 2 else []
    if len(parts) != 2 or None in parts:
        return None
    first, second = ([k % rank for k in part or ()] for part, rank in zip(parts, (of, by), strict=True))
    rows, columns = ([k for k in range(r) if k not in gone] for r, gone in ((of, first), (by, second)))
    if len(first) != len(second) or not first or not (rows or columns):
        return None
    count = " * ".join(f"a.shape[{k}]" for k in first)
    shape = ", ".join([*(f"a.shape[{k}]" for k in rows), *(f"b.shape[{k}]" for k in columns)])
    height = " * ".join(f"a.shape[{k}]" for k in rows) or "1"
    width = " * ".join(f"b.shape[{k}]" for k in columns) or "1"
    differ = " or ".join(f"a.shape[{i}] != b.shape[{k}]" for i, k in zip(first, second, strict=True))
    lines = [
        "def tensordot(a, b):", f"    if {differ}:", '        raise ValueError("shape-mismatch for sum")',
        f"    left = np.ascontiguousarray(np.transpose(a, {(*rows, *first)})).reshape({height}, {count})",
        f"    right = np.ascontiguousarray(np.transpose(b, {(*second, *columns)})).reshape({count}, {width})",
        f"    return (left @ right).reshape(({shape},))",
    ]  # fmt: skip
    return gast.Call(subset.helper("tensordot", "\n".join(lines)), [given["a"], given["b"]], [])


def _ints(node: Any) -> list[int] | None:
    """The constants of a tuple or list of ints."""
    values = [getattr(e, "value", None) for e in node.elts] if isinstance(node, (gast.Tuple, gast.List)) else [None]
    return [v for v in values if type(v) is int] if all(type(v) is int for v in values) else None
