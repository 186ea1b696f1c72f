"""Tables and series with labels as arguments: used as they stand, an array where a derivative goes through them."""

import numpy as np
import pytest

from s2sad import grad, jvp, value_and_grad
from s2sad.frontend.diagnostics import BadArgument, DerivationError
from s2sad.kinds.labelled import foreign_array
from tests.numeric import check_forward, check_reverse

pd = pytest.importorskip("pandas")

TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.5], "b": [2.0, 3.0, 4.0], "k": [1, 2, 3], "g": ["x", "y", "x"]})


def columns(w, df):
    return np.sum((w * df["a"].to_numpy() - df["b"].values) ** 2)


def attributes(w, df):
    return np.sum((w * df.a.values - df.k.to_numpy(dtype=float)) ** 2) * df.shape[0]


def several_columns(w, df):
    return np.sum((df[["a", "b"]].to_numpy() @ np.array([w, w * w])) ** 2)


def as_arrays(w, df):
    return np.asarray(df["a"]) @ (w * np.array(df["b"]))


def standardized(w, df):
    x = (df["a"] - df["a"].mean()) / df["a"].std()
    return np.sum(np.sin(w * x.to_numpy())) * df["b"].max()


def chosen(w, df):
    rest = df[df["a"] > 1.5].dropna()
    return np.sum((w * rest["b"].to_numpy()) ** 2) * len(rest)


def over_columns(w, df):
    s = 0.0
    for a, b in zip(df["a"], df["b"], strict=True):
        s = s + (a * w - b) ** 2
    return s


def over_rows(w, df):
    s = 0.0
    for i, row in df.iterrows():
        s = s + (row["a"] * w - row["b"]) ** 2 * (i + 1)
    for row in df.itertuples():
        s = s + np.sin(row.a * w)
    return s


def grouped(w, df):
    means = df.groupby("g")["a"].mean()
    return np.sum((w * means.to_numpy()) ** 2) + w * df["b"].iloc[0]


def by_a_function_of_pandas(w, df):
    both = pd.concat([df["a"], df["b"]])
    return np.sum(np.cos(w * both.to_numpy()))


def of_a_global(w, df):
    return np.sum((w * TABLE["a"].to_numpy()) ** 2)


def of_a_choice_of_columns(w, df):
    X = np.column_stack([np.ones(len(df)), df[["a", "b"]].to_numpy()])
    return np.sum((X @ np.array([w, w * w, 1.0]) - df["k"].to_numpy()) ** 2)


def of_each_group(w, df):
    s = 0.0
    for _, part in df.groupby("g"):
        s = s + np.sum((w * part["a"].to_numpy() - part["b"].to_numpy()) ** 2)
    return s


def behind_masks(w, df):
    rest = df[(df["a"] > 1.5) & (df["g"] != "z")].sort_values("b")
    other = df[df["g"].isin(["x"])]
    return np.sum((w * rest["a"].values - rest["b"].values) ** 2) + np.sum(w * other["a"].to_numpy())


def of_a_changed_column(w, df):
    rest = df.dropna()
    rest["k"] = rest["k"] / 2.0
    rest.loc[1, "a"] = 7.0
    return np.sum((w * rest["k"].to_numpy()) ** 2) * len(rest) + np.sum(w * rest["a"].to_numpy())


#: what has the kinds of arrays, so that nothing is left to the run
KNOWN = (of_a_choice_of_columns, of_each_group, behind_masks)


@pytest.mark.parametrize("f", KNOWN, ids=lambda f: f.__name__)
def test_parts_of_a_table_have_the_kinds_of_its_columns(f):
    df = grad(f)
    df(0.7, TABLE)
    assert "unbroadcast" not in df.source


PROGRAMS = (columns, attributes, several_columns, as_arrays, standardized, chosen, over_columns, over_rows, grouped)


ALL = (*PROGRAMS, *KNOWN, of_a_changed_column, by_a_function_of_pandas, of_a_global)


@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_what_is_taken_out_of_a_table(f):
    check_reverse(f, (0.7, TABLE), wrt=0)
    check_forward(f, (0.7, TABLE), wrt=0)
    assert value_and_grad(f)(0.7, TABLE)[0] == pytest.approx(f(0.7, TABLE))


def test_a_series_and_a_table_in_a_container():
    def f(w, data):
        return np.sum((w * data["x"].to_numpy() - data["all"]["b"].to_numpy()) ** 2)

    x, y = TABLE["a"].to_numpy(), TABLE["b"].to_numpy()
    assert grad(f)(0.7, {"x": TABLE["a"], "all": TABLE}) == pytest.approx(2.0 * (0.7 * x - y) @ x)


def test_code_is_shared_by_tables_alike():
    df = grad(columns)
    df(1.0, TABLE)
    df(1.0, TABLE.iloc[:2])
    assert len(df._entries) == 1 and 'df["a"].to_numpy()' in df.source
    df(1.0, TABLE.astype({"a": "float32"}))
    assert len(df._entries) == 2


def times(w, s):
    return (w * s).sum()


REFUSED = {
    "a series": lambda w, df: np.sum((w * df["a"] - df["b"]) ** 2),
    "of computed rows": lambda w, df: (df["a"].iloc[1:] * w).std(),
    "a table": lambda w, df: np.sum(df[["a", "b"]] @ np.array([w, w])),
    "a method": lambda w, df: df["a"].mul(w).sum(),
    "a function of NumPy's": lambda w, df: np.dot(df["a"], np.array([w, w, w])),
    "a function of the user's": lambda w, df: df["a"].apply(lambda v: v * w).sum(),
    "a function of pandas": lambda w, df: (pd.concat([df["a"], df["b"]]) * w).std(),
    "what was computed of it": lambda w, df: np.sum(np.log(df["a"]) * w),
}


@pytest.mark.parametrize("f", REFUSED.values(), ids=list(REFUSED))
def test_labels_and_active_values_do_not_meet(f):
    with pytest.raises(DerivationError, match=r"goes by labels.*\n?.*Way out: make it a plain array, np.asarray"):
        grad(f)(0.7, TABLE)


def test_the_way_out_is_one():
    with pytest.raises(DerivationError, match=r"np\.asarray\(s\)"):
        grad(times)(0.7, TABLE["a"])

    def way_out(w, s):
        return (w * np.asarray(s)).sum()

    assert grad(way_out)(0.7, TABLE["a"]) == 6.5


def test_what_pandas_makes_of_active_values():
    with pytest.raises(DerivationError, match="compute with plain arrays"):
        grad(lambda w: pd.Series(w * np.ones(3)).sum())(0.7)


def test_a_series_has_no_derivative():
    with pytest.raises(BadArgument, match="is a Series, whose labels no derivative has"):
        grad(times, wrt="s")(0.7, TABLE["a"])
    np.testing.assert_array_equal(grad(times, wrt="s")(0.7, TABLE["a"].to_numpy()), [0.7] * 3)


@pytest.mark.parametrize(("module", "name", "way"), [("jax._src.numpy", "sum", "np.sum"), ("torch", "relu", "like it")])
def test_functions_of_other_libraries(module, name, way):
    def theirs(x):
        raise NotImplementedError

    theirs.__module__, theirs.__name__ = module, name
    with pytest.raises(DerivationError) as found:
        grad(lambda x: theirs(x * x))(1.0)
    assert f"{name} of {module.split('.')[0]} computes with arrays of its own" in str(found.value)
    assert way in found.value.way_out


def stranger(module):
    return type("Tensor", (), {"__module__": module, "shape": (3,), "dtype": "float32"})()


@pytest.mark.parametrize(
    ("module", "way"),
    [("torch", "x.detach().cpu().numpy()"), ("jaxlib._jax", "np.asarray(x)"), ("dask.array.core", "x.compute()")],
)
def test_arrays_of_other_libraries(module, way):
    def f(w, x):
        return np.sum(w * x)

    with pytest.raises(BadArgument) as found:
        grad(f)(1.0, stranger(module))
    assert f"The argument x of f is a {module.split('.')[0]} Tensor" in str(found.value) and way in str(found.value)
    with pytest.raises(BadArgument, match="The argument w of f is"):
        grad(f)(stranger(module), np.ones(3))
    with pytest.raises(BadArgument, match="An argument of f holds"):
        jvp(f)(1.0, [stranger(module)], 1.0)
    assert not foreign_array(np.ones(3))
