"""Random indices and chains of array functions, inferred once and run for several sizes."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, quote
from s2sad.kinds.bind import kinds_of
from s2sad.kinds.infer import infer
from tests.kinds.agree import Sizes, agree, bind

INTS = st.sampled_from(["0", "1", "-1", "-2", "k", "len(x) - 1", "len(x) // 2", "2", "3", "j"])
BOUND = st.one_of(st.just(""), INTS)
SLICE = st.builds(lambda a, b, c: f"{a}:{b}{c}", BOUND, BOUND, st.sampled_from(["", "", "", ":2", ":-1", ":-2", ":3"]))
PART = st.one_of(
    SLICE, SLICE, INTS, st.sampled_from(["None", "...", "idx", "jdx", "[0, 1]", "idx[:, None]", "mask", "pick"])
)
INDEX = st.lists(PART, min_size=1, max_size=4).map(", ".join)
SIZES = [(6, 4, 3, 2, 1), (2, 3, 5, 1, 0), (3, 2, 7, 0, -3), (9, 5, 2, 3, -1)]


def arguments(n, p, q, k, j):
    rng = np.random.default_rng(n)
    return {
        "x": rng.normal(size=n), "X": rng.normal(size=(n, p)), "T": rng.normal(size=(q, n, p)), "k": k, "j": j,
        "idx": rng.integers(0, 2, q), "jdx": rng.integers(0, 2, q), "mask": rng.random(n) < 0.6,
        "pick": np.array(1), "w": rng.normal(size=p), "y": rng.normal(size=n),
    }  # fmt: skip


def check(text):
    facts = Facts(kinds=kinds_of(arguments(*SIZES[0])), globals={"np": np})
    kind = infer(quote(text), facts)
    for size in SIZES:
        env = arguments(*size)
        sizes = Sizes()
        for name, value in env.items():
            bind(facts.kinds[name], value, sizes)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(text, {"np": np}, env)
        except Exception:
            continue
        agree(kind, value, sizes, f"{text} at {size}")


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(["x", "X", "T", "y[1:]", "T[0]", "X.T"]), INDEX)
def test_random_indices(base, index):
    check(f"{base}[{index}]")


VECTOR = st.recursive(
    st.sampled_from(["x", "y", "w", "X[:, 0]", "X[0]", "np.ones(k)", "np.zeros(len(x) - 1)", "np.ones(3)", "x[mask]"]),
    lambda inner: st.one_of(
        st.builds(lambda v, s: f"({v})[{s}]", inner, SLICE),
        st.builds(lambda u, v: f"np.concatenate([{u}, {v}])", inner, inner),
        st.builds(lambda u, v: f"({u} * {v})", inner, inner),
        st.builds(lambda u: f"np.diff({u})", inner),
        st.builds(lambda u: f"np.append({u}, 1.0)", inner),
        st.builds(lambda u: f"np.repeat({u}, 2)", inner),
        st.builds(lambda u: f"np.pad({u}, 1)", inner),
        st.builds(lambda u: f"np.cumsum({u})", inner),
        st.builds(lambda u, v: f"np.convolve({u}, {v}, 'same')", inner, inner),
        st.builds(lambda u, v: f"np.outer({u}, {v}).ravel()", inner, inner),
        st.builds(lambda u: f"{u}.reshape(-1, 1)[:, 0]", inner),
        st.builds(lambda u: f"{u}.reshape(2, -1)[0]", inner),
        st.builds(lambda u: f"np.ones(len({u}) // 2)", inner),
        st.builds(lambda u: f"np.arange(len({u}) - 1.0)", inner),
        st.builds(lambda u, v: f"({u})[:len({v})]", inner, inner),
        st.builds(lambda u, v: f"np.where({u} > 0, {u}, {v})", inner, inner),
        st.builds(lambda u, v: f"np.stack([{u}, {v}])[0]", inner, inner),
        st.builds(lambda u: f"np.squeeze({u})", inner),
        st.builds(lambda u: f"np.fft.irfft(np.fft.rfft({u}))", inner),
        st.builds(lambda u: f"np.sum(np.tile({u}, (2, 1)), axis=0)", inner),
    ),
    max_leaves=5,
)


@settings(max_examples=400, deadline=None)
@given(VECTOR)
def test_random_chains(text):
    check(text)


def test_length_that_no_example_tells_from_a_constant():
    check("np.append((np.ones(k))[j:1], 1.0)")


def test_length_of_which_examples_show_two_values():
    check("np.repeat((w)[len(x) // 2:3:-1], 2)")
