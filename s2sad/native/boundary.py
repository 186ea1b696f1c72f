"""What goes into a kernel and comes out of it: containers are taken apart before it, and put together again behind it.

def grad_f(params, x):                           @njit
    return {"w": 2.0 * params["w"] * x}    ->    def grad_f_kernel(params_w, x):
                                                     return 2.0 * params_w * x

                                                 def grad_f(params, x):
                                                     return {"w": grad_f_kernel(params["w"], x)}
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, Written, clone, load, text, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.bind import kind_of_global
from s2sad.kinds.kind import Array, Callable, Dict, Kind, List, Number, Object, Static, Tuple
from s2sad.runtime.structures import Whole

#: dtypes that kernels take: those whose arithmetic with Python's numbers Numba does as NumPy does it
DTYPES = ("float64", "float32", "complex128", "int64", "bool")
_NUMBERS = (bool, int, float, complex, np.float64, np.float32, np.complex128, np.int64, np.bool_)
#: what a number may come as: an int that is given for a wrt number is a float
_GIVEN = {*_NUMBERS, Whole}


class Boundary:
    """The parameters of a kernel.

    Args:
        facts: what the free names of the function stand for.
        kinds: the kinds of the function's parameters.
        taken: names that the kernel uses otherwise.
    """

    def __init__(self, facts: Facts, kinds: dict[str, Kind], taken: set[str]) -> None:
        self.facts = facts
        self.kinds = kinds
        self.taken = taken
        #: of each parameter of the kernel: its kind, and the expression that the caller passes
        self.passed: dict[str, tuple[Kind, Expr]] = {}
        self._names: dict[str, str] = {}

    def enter(self, body: list[Stmt]) -> list[Stmt]:
        """The statements with the paths into containers, and what is no constant outside, replaced by parameters.

        Raises:
            DerivationError: a container is used whole, or holds what no kernel takes.
        """
        return [self._inside(clone(statement)) for statement in body]

    def _inside(self, node: Any) -> Any:
        if isinstance(node, (gast.Subscript, gast.Attribute, gast.Name)) and isinstance(node.ctx, gast.Load):
            found = self._path_kind(node)
            if found is not None:
                return self._passed(node, found)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and self._is_outside(node.id):
            raise self._whole(node)
        for name, value in gast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [self._inside(v) if isinstance(v, gast.AST) else v for v in value])
            elif isinstance(value, gast.AST):
                setattr(node, name, self._inside(value))
        return node

    def _path_kind(self, node: Expr) -> Kind | None:
        """The kind of a path that can be passed as it stands: a number, an array, a constant."""
        kind = self._kind(node)
        return kind if isinstance(kind, (Number, Array, Static)) else None

    def _kind(self, node: Expr) -> Kind | None:
        if isinstance(node, gast.Name):
            return self._kind_of_name(node.id)
        if isinstance(node, gast.Attribute):
            base = self._kind(node.value)
            return dict(base.attributes).get(node.attr) if isinstance(base, Object) else None
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
            base, key = self._kind(node.value), node.slice.value
            if isinstance(base, Dict):
                return dict(base.items).get(key)
            if isinstance(base, (Tuple, List)) and isinstance(key, int) and -len(base.items) <= key < len(base.items):
                return base.items[key]
        return None

    def _kind_of_name(self, name: str) -> Kind | None:
        if name in self.kinds:
            return self.kinds[name]
        if name not in self.facts.globals or not self._is_outside(name):
            return None
        value = self.facts.globals[name]  # (a number there may be another one at the next call)
        return Number(type(value)) if type(value) in _NUMBERS[1:] else kind_of_global(value)

    def _is_outside(self, name: str) -> bool:
        """Does the name stand for a value that the kernel has to be given?"""
        if name in self.kinds:
            return True
        if name not in self.facts.globals:
            return False
        value = self.facts.globals[name]
        if isinstance(value, Written):
            return False
        known = kind_of_global(value)
        fixed = isinstance(known, Static) and type(value) not in _NUMBERS[1:]
        return not (isinstance(known, Callable) or callable(value) or fixed)

    def _passed(self, node: Expr, kind: Kind) -> Expr:
        if isinstance(kind, Static):
            if kind.value is None or isinstance(kind.value, (bool, int, float, complex, str)):
                return gast.Constant(kind.value, None)
            raise self._whole(node)
        path = text(node)
        if path not in self._names:
            check_taken(path, kind)
            self._names[path] = name = self._name(node)
            self.passed[name] = kind, clone(node)
        return load(self._names[path])

    def _name(self, node: Expr) -> str:
        if isinstance(node, gast.Name):
            return str(node.id)
        words = [str(n.slice.value) if isinstance(n, gast.Subscript) else n.attr for n in _steps(node)]
        stem = "_".join("".join(c if c.isalnum() else "_" for c in word) for word in (_root(node), *words))
        name, k = stem, 1
        while name in self.taken:
            name, k = f"{stem}_{k}", k + 1
        self.taken.add(name)
        return name

    def _whole(self, node: Any) -> DerivationError:
        return DerivationError(
            f"Numba compiles numbers and arrays; {text(node)} is a {_word(self._kind(node))} that is used whole here.",
            "read its numbers and arrays by constant keys, positions or attributes, or leave compile out.",
        )

    def leave(self, result: Expr) -> tuple[Expr, Expr, list[Expr]]:
        """A result as what the kernel returns, what the function around it makes of that, and the parts in between.

        The second has the placeholders `part_0`, `part_1`, ... for the parts.
        """
        parts: list[Expr] = []

        def taken_apart(node: Expr) -> Expr:
            if isinstance(node, (gast.Tuple, gast.List)):
                return type(node)([taken_apart(e) for e in node.elts], gast.Load())
            if isinstance(node, gast.Dict):
                return gast.Dict([clone(k) for k in node.keys], [taken_apart(v) for v in node.values])
            if isinstance(node, gast.Call) and self._makes_object(node.func):
                arguments = [taken_apart(a) for a in node.args]
                return gast.Call(
                    clone(node.func), arguments, [gast.keyword(k.arg, taken_apart(k.value)) for k in node.keywords]
                )
            if isinstance(node, gast.Constant) or (self._kind(node) is not None and self._path_kind(node) is None):
                return clone(node)
            if isinstance(node, gast.Name) and node.id in self.facts.globals and not self._is_outside(node.id):
                return clone(node)  # a class, a function
            parts.append(node)
            return load(f"part_{len(parts) - 1}")

        outer = taken_apart(result)
        inner = parts[0] if len(parts) == 1 else gast.Tuple([clone(p) for p in parts], gast.Load())
        return self._inside(clone(inner)), outer, parts

    def in_order(self, parameters: list[str]) -> None:
        """Order the kernel's parameters as those of the function around it; what is looked up outside comes last."""
        order = {name: k for k, name in enumerate(parameters)}
        places = {name: order.get(_root(path), len(order)) for name, (_, path) in self.passed.items()}
        self.passed = {name: self.passed[name] for name in sorted(self.passed, key=places.__getitem__)}

    def _makes_object(self, func: Expr) -> bool:
        if not isinstance(func, gast.Name):
            return False
        value = self.facts.globals.get(func.id)
        return isinstance(value, type) or getattr(value, "__name__", "") in ("like", "made", "made_number")


def check_taken(name: str, kind: Kind) -> None:
    """Is this a kind of number or array that a kernel takes?

    Raises:
        DerivationError: it is not.
    """
    if isinstance(kind, Array):
        if kind.dtype.name not in DTYPES or not kind.dtype.isnative or kind.shape is None:
            wide = {"i": "int", "u": "int", "c": "complex"}.get(kind.dtype.kind, "float")
            swapped = "" if kind.dtype.isnative else " whose bytes are in the order of other machines"
            raise DerivationError(
                f"Kernels take arrays of {', '.join(DTYPES)}; {name} is one of {kind.dtype.name}{swapped}.",
                f"pass {name}.astype({wide}), or leave compile out.",
            )
        if not kind.shape:
            raise DerivationError(f"{name} is an array without axes.", f"pass the number {name}[()].")
    elif isinstance(kind, Number) and not (kind.type in _NUMBERS and kind.of_types() <= _GIVEN):
        raise DerivationError(
            f"Kernels take Python's numbers and NumPy's of 64 bits and float32; {name} is a {kind.type.__name__}.",
            f"pass float({name}), or leave compile out.",
        )


def _steps(node: Expr) -> list[Any]:
    """The subscripts and attributes of a path, first to last."""
    out: list[Any] = []
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        out.insert(0, node)
        node = node.value
    return out


def _root(node: Any) -> str:
    while not isinstance(node, gast.Name):
        node = node.value
    return str(node.id)


def _word(kind: Kind | None) -> str:
    words = {Dict: "dict", Tuple: "tuple", List: "list", Object: "object"}
    return next((word for cls, word in words.items() if isinstance(kind, cls)), "value of another kind")


def names_in(body: list[Stmt]) -> set[str]:
    """All names in statements."""
    return {n.id for statement in body for n in walk(statement) if isinstance(n, gast.Name)}
