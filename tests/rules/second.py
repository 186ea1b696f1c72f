"""A rule's code derived once more: programs that call one function, and their second derivatives."""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np

import s2sad
from tests.rules import runner


class Program:
    """f(active arguments) = sum(weights * function(...)) as a function with source.

    Options of the case: `symmetric`, arguments of which the symmetric part is given; `reads`, what is read of a result.
    """

    def __init__(self, case: Any, target: Any, inactive: tuple[int, ...] = (), skip: tuple[int, ...] = ()) -> None:
        self.scope: dict[str, Any] = {"np": np, "function": target}
        self.names: list[str] = []
        self.values: list[Any] = []
        self.weights: list[str] = []
        args = [self.argument(a, f"a{i}", i not in inactive) for i, a in enumerate(case.args)]
        args += [f"{k}={self.argument(v, k + '_', k not in inactive)}" for k, v in case.kwargs.items()]
        for i in case.options.get("symmetric", ()):
            args[i] = f"0.5 * ({args[i]} + {args[i]}.T)"
        call = f"function({', '.join(args)})"
        result = eval(call, {**self.scope, **dict(zip(self.names, self.values, strict=True))})
        body = self.returned(call, result, skip, case.options.get("reads", {}))
        self.active = len(self.names)
        self.names += self.weights
        self.values += [self.scope[w] for w in self.weights]
        text = f"def f({', '.join(self.names)}):\n" + "".join(f"    {line}\n" for line in body)
        file = f"<second {id(self)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        exec(compile(text, file, "exec"), self.scope)
        self.text, self.f = text, self.scope["f"]

    def returned(self, call: str, result: Any, skip: tuple[int, ...], reads: dict[int, str]) -> list[str]:
        """The statements of the function's body."""
        rng = np.random.default_rng(3)
        if not isinstance(result, (tuple, list)):
            return [f"y = {call}", f"return {self.weighted('y', result, rng)}"]
        parts = [f"y{i}" for i in range(len(result))]
        terms = [
            self.weighted(p, r, rng)
            for i, (p, r) in enumerate(zip(parts, result, strict=True))
            if runner._floats(r) and i not in skip
        ]
        return [
            f"{', '.join(parts)}, = {call}",
            *(f"y{i} = {text}" for i, text in reads.items()),
            f"return {' + '.join(terms)}",
        ]

    def argument(self, value: Any, name: str, active: bool) -> str:
        if isinstance(value, (list, tuple)) and any(runner._arrays(v) for v in value):
            inner = ", ".join(self.argument(v, f"{name}_{i}", active) for i, v in enumerate(value))
            return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
        if active and runner._floats(value) and not (isinstance(value, float) and abs(value) == np.inf):
            self.names.append(name)
            self.values.append(value)
            return name
        if isinstance(value, (int, str, bool, type(None), tuple, list)):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if abs(value) != np.inf else ("np.inf" if value > 0 else "-np.inf")
        self.scope[name] = value
        return name

    def weighted(self, name: str, value: Any, rng: Any) -> str:
        self.scope["w" + name] = w = rng.normal(size=np.shape(value)) + 0.5
        self.weights.append("w" + name)
        if np.iscomplexobj(value):
            self.scope["w" + name] = w + 1j * rng.normal(size=np.shape(value))
            return f"np.sum(np.real(w{name} * {name}) ** 2)"
        return f"np.sum(w{name} * {name} ** 2)"


#: a difference tells when no kink is within its step: the first of them that agrees is believed
STEPS = (1e-3, 1e-4, 1e-5)


def check(case: Any, target: Any, tol: float = 1e-6) -> None:
    """The derivative of the derivative against differences of the derivative; reverse against forward to 1e-10."""
    program = Program(case, target, case.options.get("inactive", ()), case.options.get("skip", ()))
    if not program.active:
        return
    wrt = tuple(range(program.active))
    rng = np.random.default_rng(4)
    directions = tuple(runner.random_like(v, rng) for v in program.values[: program.active])
    values, rest = program.values[: program.active], program.values[program.active :]
    if case.options.get("fixed_zeros"):
        directions = tuple(v * (x != 0.0) for v, x in zip(directions, values, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gradient = s2sad.grad(program.f, wrt=wrt)
        weights = [np.cos(np.arange(np.size(v))).reshape(np.shape(v)) for v in values]

        def along(t: float) -> float:
            moved = [
                type(x)(x + t * d) if isinstance(x, (float, complex)) else np.asarray(x + t * d)
                for x, d in zip(values, directions, strict=True)
            ]
            return sum(runner.pairing(w, g) for w, g in zip(weights, gradient(*moved, *rest), strict=True))

        tangents = s2sad.jvp(gradient, wrt=wrt)(*program.values, directions)[1]
        forward = sum(runner.pairing(w, g) for w, g in zip(weights, tangents, strict=True))
        pullback = s2sad.vjp(gradient, wrt=wrt)(*program.values)[1]
        back = pullback(tuple(w if np.ndim(w) else float(w) for w in weights))
        reverse = sum(runner.pairing(b, d) for b, d in zip(back, directions, strict=True))
        size = 1.0 + sum(float(np.sum(np.abs(np.multiply(w, g)))) for w, g in zip(weights, tangents, strict=True))
        size += sum(float(np.sum(np.abs(np.multiply(b, d)))) for b, d in zip(back, directions, strict=True))
        assert abs(forward - reverse) <= 1e-10 * size, f"forward {forward}, reverse {reverse}\n{gradient.source}"
        for step in STEPS:
            wanted = sum(c * (along(k * step) - along(-k * step)) / (60 * step) for k, c in ((1, 45), (2, -9), (3, 1)))
            if abs(forward - wanted) <= tol * (1.0 + abs(wanted)):
                return
    raise AssertionError(f"forward over reverse {forward}, numerical {wanted}\n{gradient.source}")
