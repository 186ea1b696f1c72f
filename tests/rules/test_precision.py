"""Tangents have the dtype of the value, and cotangents that of the argument, in float16 and float32: by each rule."""

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, rules, vjp
from tests import generator

special = pytest.importorskip("scipy.special")

X = np.array([0.3, 0.7, 0.9, 0.45])
#: tangents in the place among the elements are wider than the elements
_WIDER = {"np.quantile": 1, "np.percentile": 1, "np.nanquantile": 1, "np.nanpercentile": 1}


def _functions():
    """The functions of NumPy and scipy.special that have rules, by name."""
    for rule in rules.registry():
        home, _, name = rule.name.rpartition(".")
        found = getattr({"np": np, "scipy.special": special}.get(home), name, None)
        if callable(found):
            yield rule.name


def _is_float(value):
    return isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == "f" and np.shape(value) in ((), (4,))


@pytest.mark.sampled(80, each=False)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("name", list(_functions()))
def test_dtypes_are_kept(name, count, dtype, tmp_path):
    args = [X.astype(dtype), (0.8 * X[::-1]).astype(dtype)][:count]
    names = ", ".join("xy"[:count])
    f = generator.load(
        f"import numpy as np\nimport scipy.special\n\n\ndef f({names}):\n    return {name}({names})\n",
        tmp_path / "program.py",
    )
    try:
        value = f(*args)
    except (TypeError, ValueError, IndexError, np.linalg.LinAlgError):
        value = None
    if not _is_float(value):
        pytest.skip("not of such arguments, or no float")
    for k in range(count):
        try:
            found, tangent = jvp(f, wrt=k)(*args, np.ones(4, dtype))
            _, pullback = vjp(f, wrt=k)(*args)
        except DerivationError:
            continue
        assert np.asarray(found).dtype == value.dtype
        assert _WIDER.get(name) == k or np.asarray(tangent).dtype == value.dtype, "tangent"
        assert np.asarray(pullback(np.ones_like(value))).dtype == dtype, "cotangent"


def in_one_branch(x, n):
    """How many there are is known on one of the two paths."""
    y = np.repeat(x, [1, 2, n]) if n > 2 else np.repeat(x, n)
    return np.sum(y) + np.sum(y * y)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_dtypes_are_kept_where_kinds_are_not_known(dtype, n):
    x = np.array([0.3, 0.5, 0.7], dtype)
    found = grad(in_one_branch)(x, n), jvp(in_one_branch)(x, n, x)[1]
    assert [np.asarray(v).dtype for v in found] == [dtype] * 2
    counts = np.array([1, 2, n] if n > 2 else [n] * 3)
    np.testing.assert_allclose(found[0], counts * (1.0 + 2.0 * x), rtol=1e-2)
