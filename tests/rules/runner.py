"""Run a rule on concrete values and compare it with numerical differentiation."""

from __future__ import annotations

import copy
import functools
import math
import operator
from typing import Any

import gast
import numpy as np

from s2sad.core import Facts, Names, load
from s2sad.expansion import forward, reverse
from s2sad.expansion.fit import as_literal
from s2sad.expansion.operand import Operand, shape_of
from s2sad.kinds import bind, calls
from s2sad.kinds.kind import Array, Dim, Kind, List, Number, Static, Tuple, Unknown
from tests.versions import since


class Call:
    """One call of a primitive: names for its active arguments, operands for all of them."""

    def __init__(self, target, args, kwargs=None, known=True, inactive=()):
        self.target, self.known = target, known
        self.facts = Facts(globals={"np": np, "math": math}, taken=Names({"np", "math", "y", "by"}))
        self.values: dict[str, Any] = {}
        self.args, self.keys = [], {}
        self.inactive = inactive
        self.raw_args, self.raw_kwargs = args, kwargs or {}
        named = {f"a{i}": a for i, a in enumerate(args)} | dict(kwargs or {})
        kinds = bind.kinds_of(self._flat("", named))
        self.all_kinds = kinds
        self.args = [self._operand(a, (i,), f"a{i}") for i, a in enumerate(args)]
        self.kwargs = {k: self._operand(a, (k,), k) for k, a in (kwargs or {}).items()}
        self.value = self.call(self.values)
        self.many = isinstance(self.value, (tuple, list))
        result_kind = calls.call_kind(target, [a.kind for a in self.args], {k: v.kind for k, v in self.kwargs.items()})
        self.inferred = result_kind
        if not known:
            result_kind = Unknown()
        if self.many:
            names = [f"y{i}" for i in range(len(self.value))]
            parts = result_kind.items if isinstance(result_kind, (Tuple, List)) else [Unknown()] * len(names)
            self.y = Operand(gast.Tuple([load(n) for n in names], gast.Load()), Tuple(tuple(parts)))
            self.facts.kinds.update(zip(names, parts, strict=True))
            self.values.update(zip(names, self.value, strict=True))
        else:
            self.y = Operand(load("y"), result_kind)
            self.facts.kinds["y"] = result_kind
            self.values["y"] = self.value

    def _flat(self, prefix, named):
        out = {}
        for name, value in named.items():
            full = f"{prefix}_{name}" if prefix else name
            if isinstance(value, (list, tuple)) and any(_arrays(v) for v in value):
                out |= self._flat(full, {str(i): v for i, v in enumerate(value)})
            elif isinstance(value, (np.ndarray, float, int, complex, np.generic)) and not isinstance(value, bool):
                out[full] = value
        return out

    def _operand(self, value, key, name):
        if isinstance(value, (list, tuple)) and any(_arrays(v) for v in value):
            parts = [self._operand(v, (*key, i), f"{name}_{i}") for i, v in enumerate(value)]
            kind = (List if isinstance(value, list) else Tuple)(tuple(p.kind for p in parts))
            cls = gast.List if isinstance(value, list) else gast.Tuple
            return Operand(cls([p.expr for p in parts], gast.Load()), kind)
        if isinstance(value, float) and (abs(value) == np.inf or key[0] in self.inactive):
            expr = gast.Attribute(load("np"), "inf", gast.Load()) if abs(value) == np.inf else as_literal(value)
            return Operand(gast.UnaryOp(gast.USub(), expr) if value == -np.inf else expr, Number(float))
        if isinstance(value, (np.ndarray, float, complex, np.generic)) and not isinstance(value, bool):
            kind = self.all_kinds[name]
            if not self.known and isinstance(value, np.ndarray):
                kind = Unknown()
            self.values[name] = value
            self.facts.kinds[name] = kind
            self.facts.taken.add(name)
            if _floats(value) and key[0] not in self.inactive:
                self.keys[key] = name
            return Operand(load(name), kind)
        if isinstance(value, (int, str, bool, tuple, list, type(None), slice)):
            return Operand(as_literal(value), _static_kind(value))
        if isinstance(value, (type, np.dtype)) or callable(value):
            self.facts.globals[name] = value
            return Operand(load(name), Static(value))
        raise TypeError(value)

    def call(self, values):
        """The primitive on given values of the names."""

        def build(value, key, name):
            if isinstance(value, (list, tuple)) and any(_arrays(v) for v in value):
                return type(value)(build(v, (*key, i), f"{name}_{i}") for i, v in enumerate(value))
            return _copied(values[name]) if name in values else value

        args = [build(a, (i,), f"a{i}") for i, a in enumerate(self.raw_args)]
        kwargs = {k: build(a, (k,), k) for k, a in self.raw_kwargs.items()}
        return self.target(*args, **kwargs)

    def run(self, statements, exprs, extra):
        scope = {**self.facts.globals, **self.values, **extra}
        exec("\n".join(_text(s) for s in statements), scope)
        return [eval(gast.unparse(e), scope) for e in exprs]

    # -- the two modes

    def adjoint(self, g, lazy=None):
        """Contributions by key; g has the structure of the result. Lazy: g is smaller than the result."""
        extra, kinds = {}, self.facts.kinds
        if self.many:
            elts, parts = [], []
            for i, part in enumerate(g):
                own = self.y.kind.items[i]
                if part is None:
                    elts.append(gast.Constant(None, None))
                    parts.append(Static(None))
                    continue
                extra[f"by{i}"] = part
                kinds[f"by{i}"] = own if not lazy else _lazy_kind(own, part)
                elts.append(load(f"by{i}"))
                parts.append(kinds[f"by{i}"])
            cotangent = Operand(gast.Tuple(elts, gast.Load()), Tuple(tuple(parts)))
        else:
            extra["by"] = g
            kinds["by"] = self.y.kind if not lazy else _lazy_kind(self.y.kind, g)
            cotangent = Operand(load("by"), kinds["by"])
        facts = self.facts
        facts.taken.update(extra)
        expansion = reverse.adjoint(self.target, self.y, self.args, self.kwargs, cotangent, set(self.keys), facts)
        values = self.run(expansion.statements, [o.expr for _, o in expansion.contributions], extra)
        out = {}
        for (key, operand), value in zip(expansion.contributions, values, strict=True):
            self.check_kind(operand, value)
            out[key] = out[key] + value if key in out else value
        self.text = "; ".join(
            [_text(s) for s in expansion.statements] + [f"{self.keys[k]}: {o.text}" for k, o in expansion.contributions]
        )
        return out

    def check_kind(self, operand, value):
        """What the kind says is so."""
        kind = operand.kind
        if isinstance(kind, Array) and kind.shape is not None:
            assert np.ndim(value) == len(kind.shape), (operand.text, kind, np.shape(value))
            for dim, n in zip(kind.shape, np.shape(value), strict=True):
                assert not dim.known or dim.const == n, (operand.text, kind, np.shape(value))
        if isinstance(kind, Number):
            assert np.ndim(value) == 0, (operand.text, np.shape(value))

    def tangent(self, directions):
        """The tangent of the result for tangents by key."""
        extra, tangents = {}, {}
        for key, value in directions.items():
            name = "d" + self.keys[key]
            extra[name] = value
            self.facts.kinds[name] = self.facts.kinds[self.keys[key]]
            self.facts.taken.add(name)
            tangents[key] = Operand(load(name), self.facts.kinds[name])
        statements, dy = forward.tangent(self.target, self.y, self.args, self.kwargs, tangents, self.facts)
        self.text = "; ".join([_text(s) for s in statements] + [dy.text])
        (value,) = self.run(statements, [dy.expr], extra)
        if not self.many:
            self.check_kind(dy, value)
        return value


def _lazy_kind(full, g):
    """The kind of a lazily broadcast cotangent of a value of kind `full`."""
    if np.ndim(g) == 0:
        return Number(float)
    dims = full.shape[-np.ndim(g) :]
    return Array(np.asarray(g).dtype, tuple(Dim.of(1) if n == 1 else m for m, n in zip(dims, g.shape, strict=True)))


def _lazily(g, how):
    """A cotangent that is smaller than its value: a number, without the leading axis, or with axes of length 1."""
    if np.size(g) == 0:
        return 1.0
    if how == "row" and np.ndim(g) > 1:
        return np.array(g[0])
    if how == "column" and np.ndim(g) > 0:
        return np.array(g[..., :1])
    if how == "axis" and np.ndim(g) > 1:
        return np.array(g[:1])
    return float(np.real(np.ravel(g)[0]))


def _copied(value):
    return value.copy() if isinstance(value, np.ndarray) else copy.copy(value)


def _text(statement) -> str:
    return gast.unparse(gast.fix_missing_locations(statement)).strip()


def _floats(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_floats(v) for v in value)
    return isinstance(value, (float, complex, np.floating, np.complexfloating)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc"
    )


def _arrays(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_arrays(v) for v in value)
    return _floats(value) or isinstance(value, np.ndarray)


def _static_kind(value) -> Kind:
    if isinstance(value, int) and not isinstance(value, bool):
        from s2sad.kinds.kind import Dim

        return Number(int, Dim.of(value))
    return Static(value)


def random_like(value, rng):
    out = rng.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        out = out + 1j * rng.normal(size=np.shape(value))
    if isinstance(value, np.ndarray):
        return np.asarray(out, dtype=value.dtype)
    return type(value)(out) if isinstance(value, (float, complex, np.generic)) else out


def slope(call: Call, directions, step=3e-4):
    """The directional derivative of the result(s), by central differences of sixth order."""
    total = None
    for k, weight in ((1, 45), (2, -9), (3, 1)):
        for sign in (1, -1):
            moved = dict(call.values)
            for key, d in directions.items():
                name = call.keys[key]
                moved[name] = moved[name] + d * (sign * k * step)
                if isinstance(call.values[name], np.ndarray):
                    moved[name] = np.asarray(moved[name])
                if isinstance(call.values[name], float) and not isinstance(call.values[name], np.generic):
                    moved[name] = float(moved[name])
            value = call.call(moved)
            parts = value if call.many else [value]
            parts = [np.asarray(p) * (sign * weight / (60 * step)) if _floats(p) else 0.0 for p in parts]
            total = parts if total is None else [a + b for a, b in zip(total, parts, strict=True)]
    return total


def pairing(a, b):
    return float(np.real(np.sum(np.asarray(a) * np.asarray(b)))) if a is not None and b is not None else 0.0


def check(
    target,
    args,
    kwargs=None,
    known=True,
    lazy=None,
    step=3e-4,
    tol=1e-7,
    inactive=(),
    skip=(),
    seed=0,
    fixed_zeros=False,
    no_forward=False,
):
    """Reverse, forward, numerical: all three agree, contributions fit, types are kept."""
    rng = np.random.default_rng(seed)
    call = Call(target, args, kwargs, known, inactive)
    results = list(call.value) if call.many else [call.value]
    if not any(_floats(r) for r in results):
        raise AssertionError(f"{target}: no float result")
    directions = {key: random_like(call.values[name], rng) for key, name in call.keys.items()}
    if fixed_zeros:
        directions = {k: v * (call.values[call.keys[k]] != 0.0) for k, v in directions.items()}
    cotangents = [None if not _floats(r) or i in skip else random_like(r, rng) for i, r in enumerate(results)]
    kinds = call.y.kind.items if call.many else [call.y.kind]
    if lazy and (not any(np.ndim(r) for r in results) or any(shape_of(k) is None for k in kinds)):
        return call  # the cotangent of a value of unknown shape is full
    if lazy:
        cotangents = [None if c is None else _lazily(c, lazy) for c in cotangents]
    got = call.adjoint(cotangents if call.many else cotangents[0], lazy)
    adjoint_text = call.text
    full = [None if c is None else np.broadcast_to(c, np.shape(r)) for c, r in zip(cotangents, results, strict=True)]
    reverse = 0.0
    for key, name in call.keys.items():
        x = call.values[name]
        c = got.get(key, 0.0)
        assert np.broadcast_shapes(np.shape(c), np.shape(x)) == np.shape(x), (
            f"{name}: {np.shape(c)} for {np.shape(x)}; {adjoint_text}"
        )
        if not known and isinstance(x, np.ndarray) and key in got:
            assert np.shape(c) == np.shape(x), f"{name}: {np.shape(c)} for {np.shape(x)}; {adjoint_text}"
        assert not (np.iscomplexobj(c) and not np.iscomplexobj(x)), adjoint_text
        reverse += pairing(np.broadcast_to(c, np.shape(x)), directions[key])
    scale = 1.0 + sum(
        float(np.sum(np.abs(np.broadcast_to(got.get(k, 0.0), np.shape(call.values[n])) * directions[k])))
        for k, n in call.keys.items()
    )
    for shorter in (1.0, 0.1, 0.01):  # a difference tells when no kink is within its step
        numeric = slope(call, directions, step * shorter)
        wanted = functools.reduce(operator.add, [pairing(c, n) for c, n in zip(full, numeric, strict=True)])
        if abs(reverse - wanted) <= tol * (scale + abs(wanted)):
            break
    else:
        raise AssertionError(f"reverse {reverse}, numerical {wanted}: {adjoint_text}")
    if no_forward:
        return call
    tangent = call.tangent(directions)
    parts = list(tangent) if call.many and tangent is not None else [tangent] * len(results)
    forward = 0.0
    for c, t, r in zip(full, parts, results, strict=True):
        if c is None or t is None:
            continue
        assert np.shape(t) == np.shape(r), f"tangent {np.shape(t)} of {np.shape(r)}; {call.text}"
        assert not (np.iscomplexobj(t) and not np.iscomplexobj(r)), call.text
        forward += pairing(c, t)
    assert abs(reverse - forward) <= 1e-10 * scale, (
        f"reverse {reverse}, forward {forward}: {adjoint_text} | {call.text}"
    )
    return call


def check_float32(target, args, kwargs=None, inactive=(), skip=(), no_forward=False, tol=2e-3):
    """float32 in, float32 out wherever the function itself gives float32; and near the derivative in float64."""

    def cast(v, kinds):
        if isinstance(v, np.ndarray) and v.dtype in kinds:
            return v.astype(kinds[v.dtype])
        if isinstance(v, (list, tuple)) and any(_floats(i) for i in v):
            return type(v)(cast(i, kinds) for i in v)
        return v

    def call_of(values, kinds):
        return Call(
            target,
            [cast(a, kinds) for a in values[0]],
            {k: cast(v, kinds) for k, v in values[1].items()},
            True,
            inactive,
        )

    call = call_of((args, kwargs or {}), SINGLE)
    wide = call_of((call.raw_args, call.raw_kwargs), {v: k for k, v in SINGLE.items()})
    results = list(call.value) if call.many else [call.value]
    single = all(np.asarray(r).dtype in (np.float32, np.complex64) for r in results if _floats(r))
    rng = np.random.default_rng(1)
    cotangents = [
        np.asarray(random_like(r, rng), np.asarray(r).dtype)[()] if _floats(r) and i not in skip else None
        for i, r in enumerate(results)
    ]
    got = call.adjoint(cotangents if call.many else cotangents[0])
    text = call.text
    signs = [turned_round(r, e) for r, e in zip(results, wide.value if wide.many else [wide.value], strict=True)]
    full = [
        None if g is None else cast(np.asarray(g), {v: k for k, v in SINGLE.items()})[()] * sign
        for g, sign in zip(cotangents, signs, strict=True)
    ]
    wanted = wide.adjoint(full if wide.many else full[0])
    assert got.keys() == wanted.keys(), text
    for key, c in got.items():
        x = call.values[call.keys[key]]
        if isinstance(x, np.ndarray) and x.dtype in (np.float32, np.complex64) and single:
            stays = since("numpy", "2.0") or np.ndim(x)
            if stays:
                assert np.result_type(c, np.float32(1)) in (np.float32, np.complex64), f"{np.asarray(c).dtype}: {text}"
        near(c, wanted[key], tol, text)
    if no_forward:
        return
    directions = {key: random_like(call.values[name], rng) for key, name in call.keys.items()}
    tangent = call.tangent(directions)
    text = call.text
    exact = wide.tangent({k: cast(v, {v: k for k, v in SINGLE.items()}) for k, v in directions.items()})
    for i, (t, e) in enumerate(zip(tangent, exact, strict=True) if call.many else [(tangent, exact)]):
        if t is None or i in skip:
            continue
        stays = since("numpy", "2.0") or np.ndim(t)  # in NumPy 1 a float times an np.float32 is a float
        if single and stays:
            assert np.asarray(t).dtype in (np.float32, np.complex64), f"{np.asarray(t).dtype}: {text}"
        near(t, e * signs[i], tol, text)


def turned_round(single, wide):
    """-1 where a result has the other sign in double precision: LAPACK gives an eigenvector or its negative."""
    if not _floats(wide) or np.shape(single) != np.shape(wide):
        return 1.0
    clear = np.abs(wide) > 1e-3 * np.max(np.abs(wide), initial=0.0)
    return np.where(clear & (np.abs(single + wide) < 1e-2 * np.abs(wide)), -1.0, 1.0)[()]


SINGLE = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.complex64)}


def near(got, wanted, tol, text):
    """The difference is small beside the largest element."""
    got, wanted = np.asarray(got, complex), np.asarray(wanted, complex)
    size = 1.0 + float(np.max(np.abs(wanted), initial=0.0))
    off = float(np.max(np.abs(got - wanted), initial=0.0))
    assert off <= tol * size, f"float32 is off by {off}, of {size}: {text}"
