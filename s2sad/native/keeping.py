"""What a pullback keeps between two kernels: numbers and arrays; tuples part by part, lists as arrays.

tape.append((t, u))              tape_0 = numbers(tape)  # the first of each
...                        ->    tape_1 = numbers_1(tape)
return y, tape                   return y, tape_0, tape_1
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, assign, load, names_bound, quote, store, text, walk_names
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.infer import infer
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Dim, Kind, Number, Static, Tuple
from s2sad.native.kinds_here import follow
from s2sad.native.subset import Subset


class Keeping:
    """What the statements of a function bind and its pullback reads.

    Args:
        body: the statements.
        pullback: the function in it.
        subset: makes the functions that kernels call; its facts say what is known of the names.

    Attributes:
        kinds: by their names, the kinds of the parts: of what the function's kernel returns behind the value, and what
            the pullback's kernel is passed.
        leaving: the statements that take what is kept apart.
        entering: the statements that put it together again.
    """

    def __init__(self, body: list[Stmt], pullback: Any, subset: Subset) -> None:
        self.subset, self.facts = subset, subset.facts
        self.kinds: dict[str, Kind] = {}
        self.leaving: list[Stmt] = []
        self.entering: list[Stmt] = []
        own = names_bound(pullback.body) | {pullback.args.args[0].id}
        names = [n.id for s in pullback.body for n in walk_names(s)]
        bound = names_bound(body) - own
        kinds, items = _at_the_end(body, self.facts)
        self.turn = self.facts.fresh("k")
        for name in dict.fromkeys(n for n in names if n in bound):
            if name in items:
                self.list(name, items[name])
            else:
                self.value(name, kinds.get(name))

    def value(self, name: str, kind: Kind | None) -> None:
        if isinstance(kind, (Number, Array)):
            self.kinds[name] = kind
        elif isinstance(kind, Static):
            self.entering.append(assign(name, gast.Constant(kind.value, None)))
        elif isinstance(kind, Tuple) and kind.cls is tuple:
            parts = [self.facts.fresh(f"{name}_{k}") for k in range(len(kind.items))]
            self.leaving += [assign(p, quote("t[k]", t=name, k=k)) for k, p in enumerate(parts)]
            for part, item in zip(parts, kind.items, strict=True):
                self.value(part, item)
            self.entering.append(assign(name, gast.Tuple([load(p) for p in parts], gast.Load())))
        else:
            raise DerivationError(
                f"A pullback that is compiled keeps numbers, arrays, and lists and tuples of them; {name} is none.",
                "use grad or jvp, or leave compile out.",
            )

    def list(self, name: str, kind: Kind) -> None:
        """A list as arrays: the numbers of its items, and the elements and shapes of its arrays."""
        leaves = _leaves(kind, "")
        made: dict[str, Expr] = {}
        for k, (path, leaf) in enumerate(leaves.items()):
            part = self.facts.fresh(name if len(leaves) == 1 else f"{name}_{k}")
            made[path] = self.leaf(part, name, path, leaf)
        if not made:
            count = self.facts.fresh(f"{name}_count")
            self.kinds[count] = Number(int)
            self.leaving.append(assign(count, quote("len(tape)", tape=name)))
            self.entering.append(assign(name, quote("[e] * n", e=self.together(kind, "", made), n=count)))
            return
        first = next(iter(made.values()))
        item = self.together(kind, "", made)
        whole = quote("[e for k in range(len(x))]", e=item, k=self.turn, x=first)
        self.entering.append(assign(name, first if isinstance(kind, Array) else whole))

    def leaf(self, name: str, tape: str, path: str, kind: Any) -> Expr:
        """The numbers or arrays of a list as arrays, and the array or list that stands for it in the pullback."""
        dtype = np.dtype(kind.type) if isinstance(kind, Number) else kind.dtype
        self.kinds[name] = Array(dtype, (Dim.symbol(name),))
        dtype_name = "bool_" if dtype.kind == "b" else dtype.name
        if isinstance(kind, Number):
            numbers = self.subset.helper("numbers", _numbers(path, dtype_name))
            self.leaving.append(assign(name, gast.Call(numbers, [load(tape)], [])))
            return load(name)
        rank = len(kind.shape)
        shapes = self.facts.fresh(f"{name}_shapes")
        self.kinds[shapes] = Array(np.dtype(np.int64), (Dim.symbol(shapes), Dim.symbol(f"{shapes}@")))
        packed = self.subset.helper("packed", _packed(rank, path, dtype_name))
        target: Any = gast.Tuple([store(name), store(shapes)], gast.Store())
        self.leaving.append(assign(target, gast.Call(packed, [load(tape)], [])))
        back = self.facts.fresh(f"{name}_list")
        unpacked = gast.Call(self.subset.helper("unpacked", _unpacked(rank)), [load(name), load(shapes)], [])
        self.entering.append(assign(back, unpacked))
        return load(back)

    def together(self, kind: Kind, path: str, made: dict[str, Expr]) -> Expr:
        """An item of what its parts are kept in."""
        if path in made:
            return quote("x[k]", x=made[path], k=self.turn)
        if isinstance(kind, Tuple):
            items = [self.together(item, f"{path}[{k}]", made) for k, item in enumerate(kind.items)]
            return gast.Tuple(items, gast.Load())
        return gast.Constant(None, None)


def _at_the_end(body: list[Stmt], facts: Facts) -> tuple[dict[str, Kind], dict[str, Kind]]:
    """The kinds of names behind the statements, and of what is put on lists."""
    ends, items = dict[str, Kind](), dict[str, Kind]()

    def symbol() -> Dim:
        return Dim.symbol(f"kept@{len(items)}")

    def visit(statement: Any, here: Facts) -> None:
        ends.update(here.kinds)
        call = statement.value if isinstance(statement, gast.Expr) else None
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == "append":
            name, kind = text(call.func.value), infer(call.args[0], here)
            items[name] = join_kinds(items[name], kind, symbol) if name in items else kind

    follow([*body, gast.Pass()], facts, visit)
    return ends, items


def _leaves(kind: Kind, path: str) -> dict[str, Kind]:
    """The numbers and arrays of an item, by their paths."""
    if isinstance(kind, Static) and isinstance(kind.value, (bool, int, float)):
        kind = Number(type(kind.value))
    if isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape):
        return {path: kind}
    if isinstance(kind, Tuple) and kind.cls is tuple:
        parts = [_leaves(item, f"{path}[{k}]") for k, item in enumerate(kind.items)]
        return {key: leaf for part in parts for key, leaf in part.items()}
    if isinstance(kind, Static) and kind.value is None:
        return {}
    raise DerivationError(
        "A pullback that is compiled keeps numbers, arrays and tuples of them; what this one records has another kind.",
        "use grad or jvp, or leave compile out.",
    )


def _numbers(path: str, dtype: str) -> str:
    return f"""
def numbers(tape):
    out = np.empty(len(tape), dtype=np.{dtype})
    for k in range(len(tape)):
        out[k] = tape[k]{path}
    return out
"""


def _packed(rank: int, path: str, dtype: str) -> str:
    return f"""
def packed(tape):
    shapes = np.empty((len(tape), {rank}), dtype=np.int64)
    size = 0
    for k in range(len(tape)):
        size += tape[k]{path}.size
        for axis in range({rank}):
            shapes[k, axis] = tape[k]{path}.shape[axis]
    out = np.empty(size, dtype=np.{dtype})
    at = 0
    for k in range(len(tape)):
        for element in tape[k]{path}.flat:
            out[at] = element
            at += 1
    return out, shapes
"""


def _unpacked(rank: int) -> str:
    shape = ", ".join(f"shapes[k, {axis}]" for axis in range(rank))
    size = " * ".join(f"shapes[k, {axis}]" for axis in range(rank))
    return f"""
def unpacked(elements, shapes):
    out = []
    at = 0
    for k in range(len(shapes)):
        size = {size}
        out.append(elements[at : at + size].reshape(({shape},)))
        at += size
    return out
"""
