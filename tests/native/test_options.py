"""Options say how a derivative is compiled, never what comes out."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from s2sad import BadArgument, grad, value_and_grad
from tests.native.test_compiled import MODULE

pytest.importorskip("numba")


def known_ones(x):
    total = 0.0
    for v in x:
        if np.isfinite(v):
            total += v * v
    return total + np.sum(np.where(np.isnan(x), 0.0, np.minimum(x, 9.0)))


def small_logarithms(x):
    return np.sum(np.log1p(x) * x)


def shortest(x):
    best = np.full(len(x), np.inf)
    best[0] = 0.0
    for i in range(1, len(x)):
        for j in range(i):
            best[i] = min(best[i], best[j] + (x[i] - x[j]) ** 2 + 0.1)
    return best[-1] + np.max(x)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (known_ones, np.array([1.0, np.nan, 2.0, np.inf, -3.0])), (small_logarithms, np.array([1e-10, -1e-12, 1e-5])),
        (shortest, np.array([0.3, 1.5, -0.2, 0.7])),
    ],
)  # fmt: skip
def test_fastmath_keeps_nan_inf_and_what_is_made_up_for(f, x):
    found = value_and_grad(f, compile="numba", compile_options={"fastmath": True})(x)
    for one, expected in zip(found, value_and_grad(f)(x), strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-12)


def folded(A):
    T = A.reshape(6, 5, 7)
    return np.sum(np.sum(T, axis=1) ** 2) + np.sum(T.transpose(2, 0, 1) ** 2 * 0.5)


@pytest.mark.long
def test_what_is_broadcast_beside_threads():
    """Numba said of these lengths that they do not fit."""
    A = np.sin(np.arange(210.0)).reshape(30, 7)
    slope = value_and_grad(folded, compile="numba", compile_options={"parallel": True})
    for found, expected in zip(slope(A), value_and_grad(folded)(A), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert "prange" in slope.source


@pytest.mark.parametrize(
    ("version", "said"), [("0.50.1", "0.60 or later; 0.50.1"), ("0.60.0rc1", None), ("0+unknown", None)]
)
def test_versions_of_numba(version, said, monkeypatch):
    monkeypatch.setattr("numba.__version__", version)
    if said is None:
        assert grad(folded, compile="numba") is not None
        return
    with pytest.raises(BadArgument, match=said):
        grad(folded, compile="numba")


def test_numba_that_is_not_there_or_does_not_fit(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(BadArgument, match="is not installed"):
        grad(folded, compile="numba")

    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "numba":
                raise ImportError("Numba needs NumPy 2.0 or less")

    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(BadArgument, match=r"cannot be imported: Numba needs NumPy 2\.0"):
        grad(folded, compile="numba")


@pytest.mark.long
@pytest.mark.parametrize("left", [0, 100])
def test_what_is_cut_off_in_the_cache_is_made_anew(tmp_path, monkeypatch, left):
    monkeypatch.setenv("S2SAD_CACHE", str(tmp_path / "kept"))
    (tmp_path / "model.py").write_text(MODULE)
    run = "import numpy as np, s2sad, model;"
    run += "g = s2sad.grad(model.walk, compile='numba', compile_options={'cache': True}); print(g(np.ones(3), 1.0))"

    def ran():
        out = subprocess.run([sys.executable, "-c", run], cwd=tmp_path, capture_output=True, text=True)
        return out.stdout.split() or out.stderr

    assert ran() == ["[12.", "10.", "6.]"]
    kept = [path for path in (tmp_path / "kept").rglob("*") if path.suffix in (".nbi", ".nbc", ".py")]
    assert len(kept) >= 3 and pickle.STOP == b"."
    for path in kept:
        path.write_bytes(path.read_bytes()[:left])
    assert ran() == ["[12.", "10.", "6.]"]


def test_a_kernel_is_for_arrays_of_so_many_axes():
    """What is built ahead of time asks nobody for the kinds of its arguments."""

    def picked(x, i):
        return np.sum(x[i] ** 2)

    x = np.arange(5.0)
    derivative = grad(picked, compile="numba")
    assert np.array_equal(derivative(x, np.array([1, 2, 2])), [0.0, 2.0, 8.0, 0.0, 0.0])
    scope: dict[str, object] = {}
    exec(derivative.source, scope)
    with pytest.raises(ValueError, match="made for arrays of other lengths"):
        scope["grad_picked"](x, np.array([[1, 2, 2]]))  # type: ignore[operator]
    assert np.array_equal(derivative(x, np.array([[1, 2, 2]])), [0.0, 2.0, 8.0, 0.0, 0.0])  # (which derives anew)


def test_loops_over_lists_are_written_out_where_kernels_do_not_take_the_list():
    def length(points, x):
        s = 0.0
        for (x0, y0), (x1, y1) in zip(points[:-1], points[1:], strict=True):  # noqa: RUF007
            s += np.hypot(x1 - x0, y1 - y0) * x
        return s

    points = [(0.1 * k, 0.3 * k * k) for k in range(6)]
    assert "for " in grad_source(length, (points, 0.7)) and "for " not in grad_source(length, (points, 0.7), "numba")
    compiled, plain = (grad(length, wrt=(0, 1), compile=c)(points, 0.7) for c in ("numba", None))
    assert np.allclose(compiled[0], plain[0]) and np.isclose(compiled[1], plain[1])


def grad_source(f, args, compile=None):
    derivative = grad(f, compile=compile)
    derivative(*args)
    return derivative.source
