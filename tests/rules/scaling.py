"""Rules at tiny and huge arguments, without formulas: where scaling an argument scales the function, it scales the
derivative, and scaling by powers of two is exact.

What `function(x)` does at x, 4 x and x / 4 tells how its derivative goes with the size of x. Wherever the function
itself goes on like that (it does not overflow, lose digits, or change its branch), so must the derivative.
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sad.expansion.refusal import NoDerivative
from tests.rules import runner

#: powers of two by which arguments are scaled: ordinary sizes, and those whose squares overflow or underflow
FACTORS = {"f8": (-20, 20, -300, 300, -540, 530), "f4": (-10, 10, -40, 40, -68, 66), "f2": (-5, 5, -8, 8)}

#: how exact a law has to be at ordinary sizes in double precision, and roundings that are allowed at others
LAW = 1e-11
NEAR = {"f8": 2000.0, "f4": 2000.0, "f2": 50.0}


def narrowed(value: Any, form: str) -> Any:
    """Arrays in another precision."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc" and form != "f8":
        narrow = {"f4": {8: np.float32, 16: np.complex64}, "f2": {8: np.float16}}[form]
        if value.dtype.itemsize not in narrow:
            raise TypeError  # complex numbers have no half precision
        return value.astype(narrow[value.dtype.itemsize])
    if isinstance(value, (list, tuple)) and any(runner._floats(v) for v in value):
        return type(value)(narrowed(v, form) for v in value)
    return value


def in_double(x: Any) -> np.ndarray:
    return np.asarray(x, complex if np.iscomplexobj(x) else float)


class Scaled:
    """One call with some of its arguments scaled by powers of two: its result, gradients and tangents."""

    def __init__(self, call: runner.Call, names: tuple[str, ...], skip: tuple[int, ...]) -> None:
        self.call, self.names, self.skip = call, names, skip

    def moved(self, power: int) -> dict[str, Any]:
        values = dict(self.call.values)
        for name in self.names:
            value = values[name]
            whole = isinstance(value, np.ndarray)
            values[name] = (
                np.asarray(value * value.real.dtype.type(2.0**power)) if whole else type(value)(value * 2.0**power)
            )
        return values

    def value(self, power: int) -> dict[Any, np.ndarray]:
        """The function alone."""
        value = self.call.call(self.moved(power))
        results = value if self.call.many else [value]
        return {("value", i): in_double(r) for i, r in enumerate(results) if runner._floats(r)}

    def at(self, power: int) -> dict[Any, np.ndarray]:
        """The values of the result, and the derivatives, by what they are."""
        call = copy.copy(self.call)
        call.values = self.moved(power)
        call.value = call.call(call.values)
        results = list(call.value) if call.many else [call.value]
        for name, part in zip([f"y{i}" for i in range(len(results))] if call.many else ["y"], results, strict=True):
            call.values[name] = part
        found: dict[Any, Any] = {("value", i): r for i, r in enumerate(results) if runner._floats(r)}
        for i, part in enumerate(results):
            if not runner._floats(part) or i in self.skip:
                continue
            g = runner.random_like(part, np.random.default_rng(i))
            got = call.adjoint([g if k == i else None for k in range(len(results))] if call.many else g)
            for key, name in call.keys.items():
                found["gradient", i, name] = got.get(key, 0.0)
        for key, name in call.keys.items():
            try:
                tangent = call.tangent({key: runner.random_like(call.values[name], np.random.default_rng(9))})
            except NoDerivative:
                continue
            for i, part in enumerate(tangent if call.many and tangent is not None else [tangent]):
                if part is not None and i not in self.skip:
                    found["tangent", i, name] = part
        return {k: in_double(v) for k, v in found.items()}


def largest(x: np.ndarray) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def law(before: np.ndarray, x: np.ndarray, after: np.ndarray, near: float) -> float | None:
    """The power with which something goes, by what it is at a quarter, at one and at four times the size."""
    if not largest(x) or not largest(before) or before.shape != x.shape or after.shape != x.shape:
        return None
    ratio = largest(after) / largest(x)
    power = math.log2(ratio) / 2.0 if 0.0 < ratio < math.inf else 0.5
    power = round(power * 6.0) / 6.0
    for other, s in ((before, 0.25), (after, 4.0)):
        if not largest(other - x * s**power) <= near * largest(x) * s**power:
            return None
    return power


def goes_on(
    before: np.ndarray, x: np.ndarray, after: np.ndarray, far: np.ndarray, power: int, near: float, tiny: float
) -> bool:
    """Does a value do at a size what it does at ordinary ones: be multiplied, or grow with the logarithm?"""
    if far.shape != x.shape or not np.all(np.isfinite(far)):
        return False
    grows = law(before, x, after, LAW)
    if grows is not None:
        if not abs(grows * power) < 1000.0:
            return False
        wanted = x * 2.0 ** (grows * power)
        held = np.all(np.abs(far - wanted) <= near * largest(wanted)) and np.all((wanted == 0) == (far == 0))
        return bool(held and (largest(wanted) > tiny))
    step, size = (after - x) / 2.0, max(map(largest, (before, x, after)))
    if largest(x - before - 2.0 * step) > LAW * size:
        return False
    return largest(far - x - power * step) <= near * max(largest(far), size)


def failures(target: Any, case: Any, form: str, powers: tuple[int, ...] = ()) -> Iterator[str | None]:
    """What is off, in words; None for each derivative that was held."""
    info = np.finfo({"f8": np.float64, "f4": np.float32, "f2": np.float16}[form])
    near, tiny = NEAR[form] * float(info.eps), float(info.tiny) / float(info.eps)
    inactive, skip = case.options.get("inactive", ()), case.options.get("skip", ())
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if form != "f8" and not any(isinstance(v, np.ndarray) for v in (*case.args, *case.kwargs.values())):
            return
        try:
            call = runner.Call(target, case.args, case.kwargs, True, inactive)
            args, kwargs = (
                [narrowed(v, form) for v in case.args],
                {k: narrowed(v, form) for k, v in case.kwargs.items()},
            )
            narrow = runner.Call(target, args, kwargs, True, inactive)
        except (TypeError, ValueError, RuntimeError, NoDerivative):
            return  # not of this precision
        names = tuple(call.keys.values())
        groups = [names, *((n,) for n in names)] if len(names) > 1 else [names]
        for group in groups if names else []:
            try:
                before, x, after = (Scaled(call, group, skip).at(k) for k in (-2, 0, 2))
            except (ValueError, np.linalg.LinAlgError):
                continue  # not a matrix of the kind that it takes
            laws = {k: law(before[k], x[k], after[k], LAW) for k in x if k[0] != "value" and k in before and k in after}
            if all(v is None for v in laws.values()):
                continue
            scaled = Scaled(narrow, group, skip)
            for power in powers or FACTORS[form]:
                try:
                    value = scaled.value(power)
                except (ValueError, np.linalg.LinAlgError, ZeroDivisionError, OverflowError):
                    continue  # the function has no value there
                if not all(goes_on(before[v], x[v], after[v], value[v], power, near, tiny) for v in value):
                    continue
                try:
                    far = scaled.at(power)
                except (ValueError, np.linalg.LinAlgError, ZeroDivisionError, OverflowError) as error:
                    yield f"{form}, {group} times 2**{power}: {error!r}"
                    continue
                except TypeError:
                    if form != "f2":
                        raise
                    continue  # half precision, which SciPy takes and np.linalg does not
                for key, p in laws.items():
                    if p is None or abs(p * power) > 1000.0:
                        continue
                    wanted = x[key] * 2.0 ** (p * power)
                    if not tiny <= largest(wanted) <= float(info.max) / 16.0:
                        continue
                    if not largest(far[key] - wanted) <= near * largest(wanted):
                        yield f"{form}, {group} times 2**{power}: {key}: {far[key]} instead of {wanted}"
                    else:
                        yield None
