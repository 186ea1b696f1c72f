"""How arrays lie in memory: what is claimed of names holds for NumPy's arrays, and views and copies are told apart."""

import itertools

import numpy as np
import pytest

from s2sad import grad, hvp, jvp
from s2sad.analysis.layout import Layouts, reshaping
from s2sad.analysis.memory_scan import analyse
from s2sad.analysis.strides import is_contiguous
from s2sad.core import Facts, quote, statements
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.bind import kinds_of
from s2sad.kinds.concrete import concrete_kinds_of
from s2sad.kinds.infer import infer
from tests import numeric

SQUARE = np.arange(16.0).reshape(4, 4)
WIDE = np.random.default_rng(2).normal(size=(5, 8))
CUBE = np.random.default_rng(3).normal(size=(4, 3, 5))
LAID = {
    "C": SQUARE * 0.1 + 0.5,
    "F": np.asfortranarray(SQUARE * 0.1 + 0.5),
    "gaps": WIDE[1:, ::2],
    "reversed": (SQUARE * 0.1 + 0.5)[::-1],
    "turned": WIDE[:4, 1:5].T,
}

MADE = [
    *("A", "A.T", "A * 2.0", "np.sin(A)", "A + 1.0", "-A", "A + A.T", "A.copy()", "np.copy(A)", "A[1:]", "A[:, 1:]"),
    *("A[::2]", "A[:, ::2]", "A[1]", "A[:, 1]", "A[::-1]", "A[:, ::-1]", "A[::-1, ::-1]", "A[None]", "A[:, None]"),
    *("A[..., 1:3]", "A[1:3, 1:3]", "A[1, 1:]", "A[[0, 2]]", "A[:, [0, 2]]", "A[A > 0.6]", "np.zeros_like(A)"),
    *("np.ones_like(A.T)", "np.transpose(A)", "A.swapaxes(0, 1)", "np.moveaxis(A, 0, 1)", "A @ A", "A.ravel()"),
    *("A.reshape(-1)", "A.T.reshape(-1)", "A.flatten()", "np.sum(A, axis=0)", "np.cumsum(A, axis=1)"),
    *("A.astype(float)", "A[None].squeeze()", "np.expand_dims(A.T, 1)", "np.squeeze(A[:, None].T)"),
    *("np.where(A > 0.6, A, 0.0)", "np.concatenate([A, A])", "np.stack([A, A])", "np.hstack([A, A])", "A * A[0]"),
    *("A * A[:, :1]", "A + A[:, 0]", "np.outer(A[0], A[1])", "np.array(A)", "np.ascontiguousarray(A)"),
    *("np.asfortranarray(A)", "np.zeros((3, 2))", "np.diag(A[0])", "np.sort(A, axis=0)", "np.clip(A, 0.0, 1.0)"),
    *("np.roll(A, 1)", "np.diff(A, axis=0)", "A[1:][:, 1:] * 1.0", "np.atleast_2d(A[0])", "A.max(axis=0)", "A**2"),
    *("A[:2].T * 3.0", "np.where(A.T > 0.6, A.T, 0.0)", "A[:, :1]", "A[:1]", "np.tile(A, 2)", "A.repeat(2, axis=1)"),
]
RESHAPED = [
    *("B.ravel()", "B.reshape(-1)", "np.ravel(B)", "B.T.ravel()", "B.reshape(B.shape)", "np.ascontiguousarray(B)"),
    *("B.reshape(1, -1)", "B.T.reshape(-1)", "np.asfortranarray(B)", "np.atleast_1d(B)", "B.ravel(order='F')"),
    *("B.reshape(-1, order='F')", "np.asarray(B)", "np.reshape(B, -1)", "B[1:].reshape(-1)", "B[::2].ravel()"),
]


def claims(made, reshaped, array, exact):
    """What is claimed of B = made, and of whether reshaped shares its memory."""
    kinds = (concrete_kinds_of if exact else kinds_of)({"A": array}, True)
    facts = Facts(kinds=dict(kinds), globals={"np": np})
    body = statements(f"B = {made}")
    facts.kinds["B"] = infer(body[0].value, facts)
    layouts = Layouts(analyse(body, facts, {}), ["A"])
    call = quote(reshaped)
    assert reshaping(call, facts) is not None
    return facts.kinds["B"].shape, layouts.of(quote("B")), layouts.shares(call)


@pytest.mark.parametrize("made", MADE)
def test_claims_hold(made):
    decided = 0
    for array, exact in itertools.product(LAID.values(), (False, True)):
        B = eval(made, {"np": np, "A": array})
        for reshaped in RESHAPED:
            shape, layout, shares = claims(made, reshaped, array, exact)
            if shape is not None:
                claim = is_contiguous(layout, shape)
                assert claim is None or claim == B.flags.c_contiguous, (made, B.strides)
            try:
                result = eval(reshaped, {"np": np, "B": B})
            except ValueError:
                continue
            if shares is not None and result.size:
                assert shares == np.shares_memory(result, B), (made, reshaped, array.strides, B.strides, exact)
                decided += 1
    assert decided > 25


def test_three_axes():
    for axes in itertools.permutations(range(3)):
        for array in (CUBE.transpose(axes), CUBE.transpose(axes)[:, 1:], CUBE.transpose(axes)[::2]):
            for made, exact in itertools.product(("A", "A * 2.0", "A[1:]", "A.swapaxes(0, 2)", "A[:, 0]"), (0, 1)):
                B = eval(made, {"np": np, "A": array})
                for reshaped in ("B.ravel()", "B.reshape(len(B), -1)", "B.reshape(-1, B.shape[-1])", "B.reshape(-1)"):
                    _, _, shares = claims(made, reshaped, array, exact)
                    result = eval(reshaped, {"B": B})
                    assert shares is None or shares == np.shares_memory(result, B), (axes, made, reshaped, exact)


# --- derivatives


def ravel_of_argument(A):
    f = A.ravel()
    f[1:] *= f[:-1]
    return np.sum(A**2) + f[0]


def ravel_of_its_transpose(A):
    f = A.T.ravel()
    f[1:] *= f[:-1]
    return np.sum(A**2) + f[0] + f @ f


def reshaped_argument(A):
    M = A.reshape(2, -1)
    M[0] *= M[1]
    return np.sum(A**3)


def ravel_of_a_result(A):
    B = A * 2.0
    f = np.ravel(B)
    f[0] = f[1] ** 2
    return np.sum(B * A)


def rows_reshaped(A):
    B = A[1:]
    f = B.reshape(-1)
    f[0] = f[1] * f[2]
    return np.sum(A**2)


def overwritten_under_the_view(A):
    f = A.ravel()
    A[0, 1] = A[0, 0] * A[1, 1]
    return f[1] * f[4] + np.sum(A)


def only_the_view_is_used(A):
    w = A.ravel()
    w[1:] += w[:-1] * w[1:]
    return w @ w


def elements_by_flat(A):
    for i in range(3):
        A.flat[i] *= A.flat[i + 1]
    A.flat[::5] += 1.0
    return np.sum(A**2)


def fortran_order_asked_for(A):
    f = A.ravel(order="F")
    f[:3] *= 2.0 * f[3]
    return np.sum(A**2) + f[1]


def in_a_helper(A):
    def damp(v):
        v *= 0.5
        v[0] += v[1] * v[2]

    damp(A.reshape(-1))
    return np.sum(A * A)


def required_in_c_order(A):
    B = np.require(A, requirements="C")
    B[0, 1] = 5.0 * A[1, 1]
    return np.sum(A * A) + np.sum(B)


def in_fortran_order_if_need_be(A):
    B = np.asfortranarray(A)
    B[0, 1] = 5.0 * A[1, 1]
    return np.sum(A * A) + np.sum(B)


def not_copied_by_astype(A):
    B = A.astype(float, copy=False)
    B[0, 1] = 5.0 * A[1, 1]
    return np.sum(A * A) + np.sum(B)


def squeezed(A):
    v = (A[None] * 2.0).squeeze()
    w = np.expand_dims(v, 0).reshape(-1)
    w[0] = 3.0 * A[1, 1]
    return np.sum(v**2)


def named_flat(A):
    f = A.flat
    f[1] = f[0] * f[2]
    return np.sum(A**2)


ARGUMENTS = [
    *(ravel_of_argument, ravel_of_its_transpose, reshaped_argument, ravel_of_a_result, rows_reshaped),
    *(overwritten_under_the_view, only_the_view_is_used, elements_by_flat, fortran_order_asked_for, in_a_helper),
    *(required_in_c_order, in_fortran_order_if_need_be, not_copied_by_astype, squeezed),
]


@pytest.mark.sampled(10, cover=True)
@pytest.mark.parametrize("how", LAID)
@pytest.mark.parametrize("f", ARGUMENTS)
def test_arguments(f, how):
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (LAID[how],), 0, shared=True)


def test_each_layout_has_its_own_code():
    slope = grad(ravel_of_argument)
    for array in [*LAID.values()] * 2:
        numbers = grad(lambda A: ravel_of_argument(A))(array)
        np.testing.assert_allclose(slope(array), numbers)
    first, second = slope.specialize(LAID["C"]), slope.specialize(LAID["F"])
    assert first is not second
    assert slope.specialize(LAID["C"] + 1.0) is first


def test_generated_code_refuses_other_layouts():
    with pytest.raises(ValueError, match="for A in C order"):
        grad(ravel_of_argument).specialize(LAID["C"])(LAID["F"])
    with pytest.raises(ValueError, match="for A in Fortran order"):
        grad(ravel_of_argument).specialize(LAID["F"])(LAID["C"])
    with pytest.raises(ValueError, match="for A that is not contiguous"):
        grad(ravel_of_argument).specialize(LAID["gaps"])(LAID["C"])


def test_ahead_of_time_it_is_c_order():
    def f(A):
        A.ravel()[0] = A[1, 1] ** 2
        return np.sum(A)

    from s2sad.kinds.spec import parse_kinds

    made = grad(f).derive_for(parse_kinds("A: f8[n, m]"))
    assert "if not A.flags.c_contiguous:" in made.text
    numeric.assert_close(made.function(LAID["C"]), grad(f)(LAID["C"]), "ahead of time")
    with pytest.raises(ValueError, match="in C order"):
        made.function(LAID["F"])


def test_no_guard_where_it_does_not_matter():
    for f in (only_the_view_is_used, lambda A: np.sum(A.ravel() ** 2), lambda A: np.sum(A.T.reshape(-1) * 2.0)):
        slope = grad(f)
        slope(LAID["C"])
        assert "flags" not in slope.source
        slope(LAID["F"])
        assert slope.specialize(LAID["F"]) is slope.specialize(LAID["C"])


def test_a_named_flat_iterator():
    numeric.check_second(named_flat, (LAID["C"],), 0)
    with pytest.raises(DerivationError, match="shares memory"):
        grad(named_flat)(LAID["F"])


def test_layout_is_part_of_what_an_outer_derivative_depends_on():
    product = hvp(ravel_of_argument)
    forward = jvp(grad(ravel_of_argument))
    for how in ("C", "F", "gaps", "C", "F"):
        A = LAID[how]
        np.testing.assert_allclose(product(A, np.ones((4, 4))), forward(A, np.ones((4, 4)))[1])


def test_tuples_of_indices_on_a_tape():
    def f(A):
        kept = []
        for i in range(3):
            place = np.unravel_index(i, A.shape)
            kept.append((place, A[place], A.flatten()))
            A[place] = kept[-1][1] * A[1, i]
        total = 0.0
        for i in range(3):
            place, value, before = kept.pop()
            total += value * before[i + 1] * A[place]
        return total

    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (LAID["C"],), 0)
