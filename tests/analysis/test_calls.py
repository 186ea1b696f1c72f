"""What is said of a call's result, that it is new memory, against what NumPy does."""

from __future__ import annotations

import contextlib
import io
import itertools

import numpy as np
import pytest

from s2sad.analysis.calls import Calls
from s2sad.analysis.known_calls import makes_new
from s2sad.core import Facts, quote, text
from s2sad.kinds.kind import Array, Dim
from tests.rules.cases import CASES, Case
from tests.versions import since

VIEWS = [
    "np.diff(y, 0)", "np.diff(y, n=0)", "np.polyder(y, 0)", "np.polyint(y, m=0)", "np.array(y, copy=None)",
    "np.array(y, float, copy=False)", "np.asarray(y)", "np.asarray(y, float)", "np.asanyarray(y)",
    "y.astype(float, copy=False)", 'y.astype(float, "K", "unsafe", True, False)', "np.astype(y, float, copy=False)",
    "np.real(y)", "y.real", "y.conj()", "y.conjugate()", "np.atleast_1d(y)", "np.atleast_2d(y)", "np.atleast_3d(y)",
    "np.squeeze(y)", "np.trim_zeros(y)", "np.real_if_close(y)", "np.require(y)", "np.ascontiguousarray(y)",
    "np.asfortranarray(y)", "np.asarray_chkfinite(y)", "np.broadcast_arrays(y, 1.0)", "np.expand_dims(y, 0)",
    "np.split(y, 1)", "np.array_split(y, 2)", "np.hsplit(y, 2)", "np.vsplit(M, 2)", "np.dsplit(M[None], 2)",
    "np.unstack(M)", "np.einsum('i->i', y)", "np.einsum('ij->ji', M)", "np.einsum('ii->i', M)", "np.diagonal(M)",
    "np.diag(M)", "np.linalg.diagonal(M)", "np.nan_to_num(y, copy=False)", "np.nan_to_num(y, False)",
    "np.lib.stride_tricks.sliding_window_view(y, 2)", "np.meshgrid(y, copy=False)", "np.moveaxis(M, 0, 1)",
    "np.rollaxis(M, 1)", "np.rot90(M, 0)", "np.flip(y)", "np.reshape(y, -1)", "y.reshape(-1)", "np.ravel(y)",
    "y.ravel()", "y.view()", "np.linalg.matrix_power(M, 1)", "np.transpose(M)", "M.T", "np.permute_dims(M)",
    "np.matrix_transpose(M)", "np.linalg.matrix_transpose(M)", "np.swapaxes(M, 0, 1)", "M.swapaxes(0, 1)",
    "np.broadcast_to(y, (2, 4))", "np.multiply(y, 2.0, y)", "np.clip(y, -1, 1, y)",
    "y.clip(-1, 1, y)", "y.cumsum(0, None, y)", "np.concatenate((y[:2], y[:2]), 0, y)",
    "np.sin(y, y)", "np.fix(y, y)", "np.histogram(y, y)", "np.ndarray(4, float, y)", "np.from_dlpack(y)",
]  # fmt: skip
NEW = [
    "np.sin(y)", "y.copy()", "np.array(y)", "np.array(y, None, copy=True)", "y.flatten()",
    "y.astype(float)", "np.asarray(y, copy=True)", "np.reshape(y, -1, copy=True)", "np.diff(y)", "np.polyder(y)",
    "np.nan_to_num(y)", "np.einsum('ij->i', M)", "np.einsum('i,i->i', y, y)", "np.tile(y, 1)", "np.repeat(y, 1)",
    "np.pad(y, 0)", "np.roll(y, 0)", "np.append(y, [])", "np.delete(y, [])", "np.hstack([y])", "np.block([y])",
    "np.concatenate([y])", "np.sort(y)", "np.clip(y, None, 9.0)", "np.round(y, 2)", "np.unwrap(y)",
    "np.where(y == y, y, y)", "np.choose([0, 0, 0, 0], [y])", "np.select([y == y], [y])", "np.resize(y, 4)",
    "np.fft.fftshift(y)", "np.triu(M, -3)", "np.conj(y)", "np.compress(y == y, y)", "np.take(y, [0, 1, 2, 3])",
]  # fmt: skip


def arrays() -> dict[str, np.ndarray]:
    return {"y": np.array([1.0, 2.0, 3.0, 4.0]), "M": np.array([[1.0, 2.0], [3.0, 4.0]])}


def shares(text: str) -> bool:
    """Does the result of an expression share memory with an array in it?"""
    held = arrays()
    try:
        result = eval(text, {"np": np, **held})
    except (AttributeError, TypeError, ValueError) as error:
        if since("numpy", "2.1"):
            raise
        pytest.skip(f"not in this version: {error}")
    parts = result if isinstance(result, (tuple, list)) else [result]
    return any(isinstance(p, np.ndarray) and np.shares_memory(p, a) for p in parts for a in held.values())


def facts() -> Facts:
    n = Dim.of(2)
    kinds = {"y": Array(np.dtype(float), (Dim.of(4),)), "M": Array(np.dtype(float), (n, n))}
    return Facts(kinds=dict(kinds), globals={"np": np})


@pytest.mark.parametrize("text", [t for t in VIEWS if "(" in t])
def test_views(text: str) -> None:
    node = quote(text)
    known, _ = Calls(facts()).of(node)
    assert shares(text)
    assert known.shares != "nothing" or known.writes
    if not known.writes:
        assert not makes_new(node)


@pytest.mark.parametrize("text", NEW)
def test_new(text: str) -> None:
    node = quote(text)
    known, _ = Calls(facts()).of(node)
    assert not shares(text)
    assert known.shares == "nothing"
    assert makes_new(node) or "copy=True" in text


def array_arguments(case: Case) -> list[np.ndarray]:
    return [x for x in (*case.args, *case.kwargs.values()) if isinstance(x, np.ndarray)]


@pytest.mark.parametrize("name", sorted(n for n in CASES if n.startswith("np.") and n.count(".") < 4))
def test_rules(name: str) -> None:
    """On the cases of every rule: where a result shares memory, it is said that it may."""
    target: object = np
    for part in name.split(".")[1:]:
        target = getattr(target, part, None)
    if not callable(target):
        pytest.skip("not in this NumPy")
    for case in CASES[name]:
        try:
            result = target(*case.args, **case.kwargs)
        except Exception:
            continue  # a case of another form
        parts = result if isinstance(result, (tuple, list)) else [result]
        found = [p for p in parts if isinstance(p, np.ndarray)]
        if not any(np.shares_memory(p, x) for p in found for x in array_arguments(case)):
            continue
        literal = [f"a{i}" if isinstance(x, np.ndarray) else repr(x) for i, x in enumerate(case.args)]
        named = [f"{k}=0" for k in case.kwargs]
        node = quote(f"{name}({', '.join([*literal, *named])})")
        assert Calls(Facts(globals={"np": np})).of(node)[0].shares != "nothing"
        assert not makes_new(node)


def reaches(value: object, array: np.ndarray, depth: int = 0) -> bool:
    """Does a result share memory with an array, in whatever it holds?"""
    if isinstance(value, (np.ndarray, memoryview)):
        return np.shares_memory(np.asarray(value), array)
    parts = list(value) if isinstance(value, (list, tuple)) else list(getattr(value, "__dict__", {}).values())
    return depth < 3 and any(reaches(p, array, depth + 1) for p in parts)


SAMPLES = [np.array([0.5, 1.5, 2.5]), np.eye(3) + 0.5, np.array([[1.0, 2.0, 3.0]]), np.array([1.0 + 2j, 3.0])]
FURTHER: list[tuple[object, ...]] = [(), (0,), (1,), (0, 1), (3,), ((3,),), (None,), ((0, 1),), ("f8",)]
FILES = {"save", "savez", "savez_compressed", "savetxt", "load", "loadtxt", "genfromtxt", "fromfile", "memmap", "test"}
SETTINGS = {
    "printoptions",
    "set_printoptions",
    "errstate",
    "show_config",
    "show_runtime",
    "info",
    "DataSource",
    "seterr",
    "seterrcall",
    "setbufsize",
}
MODULES = ["np", "np.linalg", "np.fft", "np.ma", "np.lib.stride_tricks", "np.polynomial.polynomial", "np.lib.scimath"]


@pytest.mark.skipif(not since("numpy", "2.0"), reason="NumPy 1 has more beside functions of arrays")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES)
def test_whatever_numpy_has(module: str) -> None:
    """Of every function, tried with few arguments: where it hands out or overwrites what it was given, it is said."""
    known = Calls(Facts(globals={"np": np}))
    owner = eval(module, {"np": np})
    for name in sorted(n for n in dir(owner) if not n.startswith("_") and n not in FILES | SETTINGS):
        function = getattr(owner, name)
        for sample, further, form in itertools.product(SAMPLES, FURTHER, ("a", "[a]", "b, a")):
            array, before = sample.copy(), sample
            first = {"a": (array,), "[a]": ([array, array],), "b, a": (array.copy(), array)}[form]
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    result = function(*first, *further)
            except Exception:
                continue
            call = quote(f"{module}.{name}({form}{''.join(f', {x!r}' for x in further)})")
            said, _ = known.of(call)
            if reaches(result, array):
                shared = said.shares == "all" or (said.shares == "first" and form != "b, a")
                assert said.effect == "unknown" or shared, text(call)
                assert not makes_new(call) or module == "np.ma", text(call)
            if not np.array_equal(array, before, equal_nan=True):
                assert said.effect == "unknown" or said.writes, text(call)
