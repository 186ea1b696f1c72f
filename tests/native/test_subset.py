"""What Numba lacks, rewritten: on small trees, without Numba."""

import gast
import numpy as np
import pytest

import s2sad.native.scatters  # noqa: F401  its rewrite
from s2sad.core import Facts, Names, quote_statements, text
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.native.kinds_here import follow
from s2sad.native.names import with_own_names
from s2sad.native.subset import Subset
from s2sad.runtime import helpers


def array(*names, dtype=float):
    return Array(np.dtype(dtype), tuple(Dim.symbol(n) for n in names))


KINDS = {
    "x": array("n"), "A": array("n", "m"), "B": array("m", "k"), "i": array("q", dtype=int), "c": array("q"),
    "j": array("r", dtype=int), "k": array("q", "r", dtype=int),
    "n": Number(int), "s": Number(float), "e": Number(np.float64),
}  # fmt: skip


def rewritten(source):
    """The statements after the rewriting, and the functions that were made for them."""
    facts = Facts(kinds=dict(KINDS), globals={"np": np, "unbroadcast": helpers.unbroadcast})
    subset = Subset(facts)
    body = quote_statements(source)
    subset.rewrite(body, list(KINDS))
    return "\n".join(text(s) for s in body), {f.name: gast.unparse(f) for f in subset.made.values()}


def run(source, **values):
    """What the rewritten statements make of values, by NumPy."""
    body, made = rewritten(source)
    scope = {"np": np, **values}
    exec("\n".join([*made.values(), body]), scope)
    return scope


@pytest.mark.parametrize(
    "given", ["n", "2, n", "2, n, 1", "n, 2, -1", "0, n, 3", "n, 0, -2", "1, 1", "7, 2", "2, 7, 2", "-1, -8, -3"]
)
@pytest.mark.parametrize("n", [0, 1, 2, 5, 6])
def test_ranges_run_backwards(given, n):
    scope = run(f"out = []\nfor k in reversed(range({given})):\n    out.append(k)", n=n)
    assert scope["out"] == list(reversed(eval(f"range({given})", {"n": n})))
    assert "reversed" not in rewritten(f"for k in reversed(range({given})):\n    s = k")[0]


REDUCTIONS = ["sum", "mean", "max", "min", "prod", "argmax", "argmin", "std", "var"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions_along_an_axis(name, axis, keepdims):
    A = np.random.default_rng(1).normal(size=(3, 4))
    source = f"y = np.{name}(A, axis={axis}, keepdims={keepdims})"
    assert np.allclose(run(source, A=A)["y"], getattr(np, name)(A, axis=axis, keepdims=keepdims))
    assert "axis=" not in rewritten(source)[0]


@pytest.mark.parametrize("name", ["sum", "mean", "max", "prod"])
def test_reductions_along_several_axes(name):
    A = np.random.default_rng(1).normal(size=(3, 4))
    for axes, keepdims in (((0, 1), False), ((0, 1), True), (None, True)):
        source = f"y = np.{name}(A, axis={axes}, keepdims={keepdims})"
        assert np.allclose(run(source, A=A)["y"], getattr(np, name)(A, axis=axes, keepdims=keepdims))


@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean"])
def test_reductions_have_the_dtype_of_numpys(name):
    """Of bools a sum counts; of complex numbers a mean is complex."""
    mask, z = np.array([[True, True], [True, False], [True, True]]), np.array([[1 + 2j, 3.0], [1j, 2.0]])
    for made, value in (("A > 0.0", mask * 1.0), ("A + 0j", z)):
        found = run(f"m = {made}\ny = np.{name}(m, axis=0)", A=value)
        expected = getattr(np, name)(found["m"], axis=0)
        assert found["y"].dtype == expected.dtype and np.allclose(found["y"], expected)


def test_axes_that_there_are_not_stay_as_they_are():
    assert rewritten("y = np.max(A, axis=5)")[0] == "y = np.max(A, axis=5)"


def test_methods_are_reductions():
    assert rewritten("y = A.sum(axis=0)")[0] == "y = sum_along_0(A)"


@pytest.mark.parametrize("shape", [(4,), (3, 1), (1, 4), (3, 4)])
def test_sums_over_what_was_broadcast(shape):
    g = np.arange(12.0).reshape(3, 4)
    kinds = array(*"nm"[2 - len(shape) :])
    facts = Facts(kinds={"g": array("n", "m"), "y": kinds}, globals={"np": np, "unbroadcast": helpers.unbroadcast})
    subset, body = Subset(facts), quote_statements("out = unbroadcast(g, y)")
    subset.rewrite(body, ["g", "y"])
    scope = {"np": np, "g": g, "y": np.zeros(shape)}
    exec("\n".join([*map(gast.unparse, subset.made.values()), *map(text, body)]), scope)
    assert np.array_equal(scope["out"], helpers.unbroadcast(g, np.zeros(shape)))


def test_scatters_add_as_often_as_an_index_occurs():
    x, i = np.zeros(4), np.array([1, 1, 3])
    assert run("np.add.at(x, i, c)", x=x, i=i, c=np.array([1.0, 2.0, 5.0]))["x"].tolist() == [0.0, 3.0, 0.0, 5.0]
    A = np.zeros((4, 3))
    run("np.add.at(A, (i, np.s_[1:]), s)", A=A, i=i, s=2.0)
    assert A[1].tolist() == [0.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("place", "shape"),
    [
        ("i", (2, 3, 2)), ("i", (1, 3, 2)), ("i", (2,)), ("i", ()), ("k", (3, 2)), ("[0, 1, 1]", (3, 3, 2)),
        ("(slice(None), i)", (4, 2, 2)), ("(np.s_[::-1], i, 1)", (4, 2)), ("(i, slice(1, None), i)", (2, 2)),
        ("(i, slice(2), j)", (2, 2)), ("(j, i)", (2, 2)), ("(c, i)", (2, 2, 2)), ("(c, i, k - 1)", (2, 2)),
        ("(i, k)", (2, 2)), ("(slice(1, None, 2), slice(k), i)", (2, 2, 2)), ("slice(1, 3)", (3, 2)),
    ],
)  # fmt: skip
def test_scatters_are_broadcast_as_those_of_numpy(place, shape):
    given = {"i": np.array([1, -1]), "j": np.array([0]), "c": np.array([[2], [0]]), "k": 2}
    g = np.random.default_rng(1)
    A, B = g.normal(size=(4, 3, 2)), g.normal(size=shape)[()]
    expected = A.copy()
    np.add.at(expected, eval(place, {"np": np, "slice": slice, **given}), B)
    kinds = {"i": array("m", dtype=int), "j": array("u", dtype=int), "c": array("p", "q", dtype=int), "k": Number(int)}
    kinds |= {"A": array("a", "b", "d"), "B": array(*"xyz"[: len(shape)]) if shape else Number(float)}
    subset, body = Subset(Facts(kinds=kinds, globals={"np": np})), quote_statements(f"np.add.at(A, {place}, B)")
    subset.rewrite(body, list(kinds))
    scope = {"np": np, **given, "A": A, "B": B}
    exec("\n".join([*map(gast.unparse, subset.made.values()), *map(text, body)]), scope)
    assert np.allclose(A, expected)


def test_scatters_check_the_shapes_of_positions_and_values():
    A, i = np.zeros((4, 3)), np.array([0, 1])
    with pytest.raises(ValueError, match="broadcast"):
        run("np.add.at(A, i, B)", A=A, i=i, B=np.ones((3, 3)))
    with pytest.raises(ValueError, match="broadcast"):
        run("np.add.at(A, (i, j), c)", A=A, i=i, j=np.array([0, 1, 2]), c=np.ones(2))


def test_scatters_by_masks_are_refused():
    with pytest.raises(DerivationError, match="positions"):
        rewritten("m = x > 0.0\nnp.add.at(x, m, s)")


@pytest.mark.parametrize("spec", ["ij,jk->ik", "ij,jk", "ij,jk->", "ij,jk->ki", "ij,jk->j"])
def test_einsum_is_loops(spec):
    g = np.random.default_rng(1)
    A, B = g.normal(size=(3, 4)), g.normal(size=(4, 2))
    assert np.allclose(run(f"y = np.einsum('{spec}', A, B)", A=A, B=B)["y"], np.einsum(spec, A, B))


def test_einsum_checks_lengths():
    with pytest.raises(ValueError, match="do not fit"):
        run("y = np.einsum('ij,jk->ik', A, B)", A=np.ones((2, 3)), B=np.ones((4, 2)))


def test_what_is_read_from_where_it_is_added_to_is_copied():
    assert rewritten("x[1:] += x[:-1]")[0] == "x[1:] += x[:-1].copy()"
    assert rewritten("v = x[::-1]\nx += v")[0].endswith("x += v.copy()")
    assert rewritten("x[1:] += 2.0 * x[:-1]")[0] == "x[1:] += 2.0 * x[:-1]"
    assert rewritten("c += x[:3]")[0] == "c += fitting(x[:3], c)"  # (no copy: another array)
    assert rewritten("np.flip(x)[...] += x[:]")[0] == "np.flip(x)[:] += x[:].copy()"


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum"])
def test_tables_of_all_pairs_are_what_is_broadcast(name):
    values = {"c": np.array([1.0, -2.0, 0.5]), "A": np.array([[3.0, -1.0], [0.25, 2.0]])}
    for first, second in (("c", "c"), ("A", "c"), ("c", "A")):
        subset, body = (
            Subset(Facts(kinds=dict(KINDS), globals={"np": np})),
            quote_statements(f"y = np.{name}.outer({first}, 2.0 * {second})"),
        )
        subset.broadcast(body)
        assert "outer" not in text(body[0])
        scope = {"np": np, **values}
        exec(text(body[0]), scope)
        np.testing.assert_array_equal(scope["y"], getattr(np, name).outer(values[first], 2.0 * values[second]))


@pytest.mark.parametrize(("source", "python"), [("y = s / s", True), ("y = s / e", False), ("y = x / s", False)])
def test_whose_division_it_is(source, python):
    subset = Subset(Facts(kinds=dict(KINDS), globals={"np": np}))
    assert subset.divides_numbers(quote_statements(source)) == python


def test_kinds_are_those_of_the_statement():
    """A name that stands for a matrix first and for a vector then is summed as what it is."""
    body, _ = rewritten("g = A * 2.0\ny = np.max(g, axis=0)\ng = g[0]\nz = np.max(g, axis=0)")
    assert body.splitlines()[1::2] == ["y = max_along_0(g)", "z = np.max(g)"]


@pytest.mark.parametrize("leaves", ["break", "continue"])
def test_a_value_that_a_jump_takes_along_keeps_its_name(leaves):
    source = f"for k in range(n):\n    g = x[k]\n    if g > s:\n        {leaves}\n    g = g * 2.0\ny = g"
    body = quote_statements(source)
    with_own_names(body, Facts(taken=Names(["g"])))
    assert "\n".join(map(text, body)) == source
    with_own_names(body := quote_statements(source.replace(leaves, "pass")), Facts(taken=Names(["g"])))
    assert "g = g_1 * 2.0" in "\n".join(map(text, body))


def test_names_follow_what_is_known_of_all_their_values():
    """Of what cannot be told, a name has the kind that its values have together, not that of the one before."""
    facts = Facts(kinds=dict(KINDS) | {"g": Array(np.dtype(float), None)}, globals={"np": np, "f": object()})
    seen = []
    follow(quote_statements("g = x\ng = f(x)\ny = g"), facts, lambda s, here: seen.append(here.kinds["g"].shape))
    assert seen[1] is not None and seen[2] is None
