"""The rules for SciPy's functions against numerical differentiation, at first and second order."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import linalg, ndimage, special
from scipy.spatial import distance

import s2sad
from s2sad import coverage, rules
from s2sad.cli import import_optional
from s2sad.expansion.refusal import NoDerivative
from s2sad.knowledge.registry import functional
from tests import amounts, numeric
from tests.rules import cases_scipy, cases_signals, programs, runner, second, variants
from tests.rules.cases import Case, K, a

import_optional()  # rules of SciPy come with its modules

CASES = cases_scipy.CASES | cases_signals.CASES

#: objects that are called, and what takes functions: they have tests of their own
OBJECTS = ("scipy.interpolate.", "scipy.sparse.")
SOLVERS = {"scipy." + name for name in coverage.PROGRAMS}
RULES = {
    rule.name: rule
    for rule in rules.registry()
    if not rule.zero
    and rule.name.startswith("scipy.")
    and not rule.name.startswith(OBJECTS)
    and rule.name not in SOLVERS
    and functional(rule.target) is None
}

#: no derivative once more: the order of differentiation is an argument, or a helper is refused
FIRST_ONLY: set[str] = set()


def cases_of(rule):
    if rule.name in CASES:
        return CASES[rule.name]
    if rule.definition is not None:
        return []
    arguments = len([p for p in rule.templates[0].parameters if p.default is p.empty])
    if rule.name.startswith("scipy.special.") and arguments == 1:
        return [K(0.7), K(a(3)), K(a(2, 3))]
    if rule.name.startswith("scipy.special.") and arguments == 2:
        return [K(a(3), 0.1 + a(3)), K(a(2, 3), 0.1 + a(3)), K(0.7, a(3))]
    return []


ALL = [(name, i) for name, rule in RULES.items() for i in range(len(cases_of(rule)))]


@pytest.mark.parametrize("name", RULES)
def test_rule_has_a_case(name):
    assert cases_of(RULES[name])


def drive(rule, case, lazily):
    """One call: both modes against differences and each other, with kinds and without; lazy cotangents."""
    if rule.definition is not None or "symmetric" in case.options:
        programs.check(case, rule.target)
        return
    options = {k: v for k, v in case.options.items() if k in ("step", "tol", "inactive", "skip", "no_forward")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for known in (True, False) if not case.options.get("known_only") else (True,):
            runner.check(rule.target, case.args, case.kwargs, known=known, **options)
        for how in lazily:
            runner.check(rule.target, case.args, case.kwargs, lazy=how, **options)


@pytest.mark.sampled(36)
@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_rule(name, index):
    lazily = ("number", "row", "column")
    drive(RULES[name], cases_of(RULES[name])[index], lazily if amounts.ALL else lazily[len(name) % 3 :][:1])


#: one rule of each template: distributions share theirs; those that only say a partial derivative are NumPy's case
TEMPLATES = {
    (rule.templates[0] if rule.templates else rule.definition).function: name
    for name, rule in reversed(RULES.items())
    if rule.partials is None and cases_of(rule)
}

#: what has no derivative, or no meaning, when a length is 1 or 0
NOT_FAIR = {
    ("scipy.stats.circstd", 1): "the square root of 0: one angle is its own mean",
    ("scipy.stats.circvar", 1): "one minus 1: rounding is all there is",
    ("scipy.signal.periodogram", 1): "one sample without its trend: the same",
    ("scipy.linalg.orthogonal_procrustes", 1): "a matrix of rank 1, whose orthogonal factor is any",
    ("scipy.spatial.distance.pdist", 0): "no points have no distances, and no distances are those of one point",
    ("scipy.spatial.distance.squareform", 0): "the same",
}

#: of how many cases of a function the lengths are shrunk; all of them with S2SAD_TESTS=all
CASES_SHRUNK = None if amounts.ALL else 4


@pytest.mark.sampled(36, each=False)
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(TEMPLATES.values()))
def test_axes_of_length_1_and_0(name):
    for index, case in enumerate(cases_of(RULES[name])[:CASES_SHRUNK]):
        for done, made in variants.shrunk(case, RULES[name].target):
            if (name, int(done[-1])) in NOT_FAIR:
                continue
            try:
                drive(RULES[name], made, ("number", "column"))
            except Exception as error:
                error.add_note(f"case {index} with lengths {done}: {made}")
                raise


def of_templates(name):
    """The cases of a rule with templates that its templates serve for."""
    if not RULES[name].templates:
        return []
    return [case for case in cases_of(RULES[name])[:CASES_SHRUNK] if "symmetric" not in case.options]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(TEMPLATES.values()))
def test_other_axes_and_ranks(name):
    """Axes counted from both ends, two at once, stacks, arrays without axes: right, or refused."""
    parameters = [p.name for p in (RULES[name].templates or [RULES[name].definition])[0].parameters]
    for index, case in enumerate(of_templates(name)):
        options = {k: v for k, v in case.options.items() if k in ("step", "tol", "inactive", "skip", "no_forward")}
        for done, made in variants.reformed(case, RULES[name].target, parameters):
            if done == "axis=None" and name == "scipy.signal.resample":
                continue  # of vectors, and an error for all else
            if done == "without axes" and name.startswith("scipy.ndimage"):
                continue  # no image
            with contextlib.suppress(NoDerivative):
                try:
                    runner.check(RULES[name].target, made.args, made.kwargs, **options)
                except Exception as error:
                    error.add_note(f"case {index}, {done}: {made}")
                    raise


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted(TEMPLATES.values()))
def test_single_precision(name):
    for case in of_templates(name):
        options = {k: v for k, v in case.options.items() if k in ("inactive", "skip", "no_forward")}
        with contextlib.suppress(NoDerivative):
            runner.check_float32(RULES[name].target, case.args, case.kwargs, **options)


@pytest.mark.sampled(80, each=False)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    if name in FIRST_ONLY:
        pytest.skip("refused")
    second.check(cases_of(RULES[name])[index], RULES[name].target)


@pytest.mark.parametrize(
    ("name", "args", "wanted"),
    [
        ("xlogy", ([0.0, 0.0, 2.0], [0.0, 0.5, 0.5]), [0.0, 0.0, 4.0]),
        ("xlog1py", ([0.0, 0.0, 2.0], [-1.0, 0.5, 0.5]), [0.0, 0.0, 4.0 / 3.0]),
        ("rel_entr", ([0.0, 0.0, 2.0], [0.0, 0.5, 0.5]), [0.0, 0.0, -4.0]),
        ("kl_div", ([0.0, 0.0, 2.0], [0.0, 0.5, 0.5]), [1.0, 1.0, -3.0]),
    ],
)
def test_entropies_of_nothing(name, args, wanted):
    """In the second argument where the first is 0: these functions are 0, or the second argument, there."""
    target = getattr(special, name)
    call = runner.Call(target, [np.array(v) for v in args], inactive=(0,))
    np.testing.assert_allclose(call.adjoint(np.ones(3))[(1,)], wanted)


def shares_in_windows(x, y, sizes, mode):
    """The derivative of a filter that takes one element of each window, as a table: equal elements share evenly. Counts
    what is behind the ends too."""
    widths = [(n // 2, (n - 1) // 2) for n in sizes]
    wide = np.pad(x, widths, mode)
    options = {"constant_values": -1} if mode == "constant" else {}
    source = np.pad(np.arange(x.size).reshape(x.shape), widths, mode, **options)
    table = np.zeros((y.size, x.size))
    for j, place in enumerate(np.ndindex(*y.shape)):
        window = tuple(slice(p, p + n) for p, n in zip(place, sizes, strict=True))
        equal = source[window][wide[window] == y[place]]
        np.add.at(table[j], equal[equal >= 0], 1.0 / max(len(equal), 1))
    return table


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "constant"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_equal_elements_of_windows_share_evenly(mode, dtype):
    """However many of them there are along each axis, and behind the ends."""
    behind = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge"}.get(mode, mode)
    rng = np.random.default_rng(5)
    windows = [((9,), 4), ((5, 6), 3), ((5, 6), (2, 3)), ((4, 5), (1, 4)), ((3, 4, 3), (3, 2, 3)), ((4, 5), 1)]
    for shape, size in windows:
        x = rng.integers(-2, 2, shape).astype(dtype)
        sizes = (size,) * len(shape) if isinstance(size, int) else size
        for target in (ndimage.maximum_filter, ndimage.minimum_filter, ndimage.median_filter):
            call = runner.Call(target, (x, size), {"mode": mode})
            table = shares_in_windows(x, np.asarray(call.value), sizes, behind)
            g, dx = rng.normal(size=shape).astype(dtype), rng.normal(size=shape).astype(dtype)
            tolerance = 1e-5 if dtype == np.float32 else 1e-12
            np.testing.assert_allclose(
                np.ravel(call.adjoint(g)[(0,)]), np.ravel(g) @ table, rtol=tolerance, atol=tolerance
            )
            np.testing.assert_allclose(
                np.ravel(call.tangent({(0,): dx})), table @ np.ravel(dx), rtol=tolerance, atol=tolerance
            )


def test_extremes_beside_what_is_not_a_number():
    """Windows that hold none of it keep their derivative."""
    x = np.array([1.0, 3.0, 2.0, 0.0, 4.0, 0.5, np.nan])
    call = runner.Call(ndimage.maximum_filter1d, (x, 3))
    np.testing.assert_allclose(call.adjoint(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]))[(0,)], [0, 3, 0, 0, 2, 0, 0])


@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror", "grid-wrap"])
def test_interpolation_at_many_points(mode):
    """More than are done at a time."""
    rng = np.random.default_rng(6)
    x, at = rng.normal(size=(7, 30)), np.stack([rng.uniform(-1.0, 7.0, (9, 1000)), rng.uniform(-1.0, 30.0, (9, 1000))])
    call = runner.Call(ndimage.map_coordinates, (x, at), {"order": 2, "mode": mode})
    g, dx, dat = rng.normal(size=(9, 1000)), rng.normal(size=x.shape), rng.normal(size=at.shape)
    got = call.adjoint(g)
    np.testing.assert_allclose(
        np.sum(got[(0,)] * dx), np.sum(g * ndimage.map_coordinates(dx, at, order=2, mode=mode)), rtol=1e-9
    )
    np.testing.assert_allclose(
        np.sum(got[(1,)] * dat),
        np.sum(g * (call.tangent({(0,): dx, (1,): dat}) - call.tangent({(0,): dx, (1,): 0.0 * dat}))),
        rtol=1e-9,
    )
    for k in (0, 8192, 8999):  # in either of the blocks: each point has a derivative of its own
        near = (slice(None), *np.unravel_index(k, (9, 1000)))
        one = runner.Call(ndimage.map_coordinates, (x, at[near][:, None]), {"order": 2, "mode": mode})
        np.testing.assert_allclose(got[(1,)][near], one.adjoint(g[near[1:]][None])[(1,)][:, 0], rtol=1e-12)


@pytest.mark.parametrize("name", ["spatial.distance.euclidean", "ndimage.convolve", "special.jve"])
def test_complex_arguments_are_refused(name):
    """Where the rule is for real numbers, and the function takes complex ones."""
    for case in cases_of(RULES["scipy." + name]):
        fixed = case.options.get("inactive", ())
        for made in variants.complexified(case, RULES["scipy." + name].target):
            with pytest.raises(NoDerivative, match="complex arguments"):
                runner.check(RULES["scipy." + name].target, made.args, made.kwargs, inactive=fixed)


def as_complex(value, rng):
    """Numbers and arrays of floats with an imaginary part, in whatever holds them."""
    if isinstance(value, float):
        return value + 0.3j
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value + 1j * rng.uniform(-0.4, 0.4, size=value.shape)
    if isinstance(value, (list, tuple)) and any(runner._arrays(v) for v in value):
        return type(value)(as_complex(v, rng) for v in value)
    return value


@pytest.mark.sampled(36, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_complex_arguments(name):
    """What SciPy computes of complex arguments has its derivative, or is refused: never that of the real parts."""
    rng = np.random.default_rng(5)
    for case in cases_of(RULES[name])[:2]:
        whole = [as_complex(v, rng) for v in case.args]
        alone = [[*case.args[:i], v, *case.args[i + 1 :]] for i, v in enumerate(whole[:2]) if len(whole) > 1]
        for args in [whole, *alone]:
            if all(x is y for x, y in zip(args, case.args, strict=True)):
                continue
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", getattr(np, "exceptions", np).ComplexWarning)
                left_out = case.options.get("inactive", ()), case.options.get("skip", ())
                try:
                    program = second.Program(Case(*args, _=case.options, **case.kwargs), RULES[name].target, *left_out)
                    finite = np.isfinite(program.f(*program.values))
                except Exception:
                    continue  # not of complex numbers
                if not finite:
                    continue
                for check in (numeric.check_reverse, numeric.check_forward):
                    with contextlib.suppress(s2sad.DerivationError, TypeError):
                        check(program.f, tuple(program.values), tuple(range(program.active)))


def test_some_of_the_eigenvalues():
    from scipy import linalg

    def by_index(A):
        return np.sum(linalg.eigvalsh(A @ A.T, np.eye(5) + A.T @ A, subset_by_index=[0, 2]) ** 2)

    def by_value(A):
        return np.sum(linalg.eigvalsh(A @ A.T, subset_by_value=(0.5, 100.0)) ** 2)

    matrix = np.random.default_rng(0).normal(size=(5, 5))
    for f in (by_index, by_value):
        numeric.check_reverse(f, (matrix,), (0,))
        numeric.check_forward(f, (matrix,), (0,))
        numeric.check_second(f, (matrix,), (0,))


TURNED = np.array([[1.0, 2.0, 0.3], [0.5, -1.5, 0.2], [0.1, 0.4, 2.0]])  # one eigenvalue is negative


def real_part_of_root(x):
    return np.sum(np.real(linalg.sqrtm(x)) * x)


def size_of_logarithm(x):
    return np.sum(np.abs(linalg.logm(x)) * x)


def imaginary_part_of_power(x):
    return np.sum(np.imag(linalg.fractional_matrix_power(x, 0.3)) * x)


@pytest.mark.parametrize("f", [real_part_of_root, size_of_logarithm, imaginary_part_of_power])
def test_functions_of_real_matrices_that_are_complex(f):
    numeric.check(f, (TURNED,), rtol=1e-5)


def cosine_and_more(u, v):
    return distance.cosine(u, v) * 2.0 + u[0]


def test_a_distance_that_is_an_int_between_equal_vectors():
    """Of SciPy 1.11, whose examples said that it never varies."""
    numeric.check(cosine_and_more, (np.array([0.3, 0.5, 0.9]), np.array([1.0, 0.2, -0.4])), (0, 1))


@pytest.mark.parametrize("part", [np.real, np.imag])
@pytest.mark.parametrize("function", [linalg.logm, linalg.sqrtm, lambda a: linalg.fractional_matrix_power(a, 0.3)])
def test_second_order_of_complex_functions_of_real_matrices(function, part):
    """Reverse over reverse: the functions of transposed blocks, whose eigenvalues are double, would be far off."""
    rng = np.random.default_rng(0)
    weights, along = rng.normal(size=(2, 3, 3))

    def f(a):
        return np.sum(weights * part(function(a)))

    got = s2sad.grad(lambda a: np.sum(s2sad.grad(f)(a) * along))(TURNED)
    step = 1e-4
    near, far = (s2sad.grad(f)(TURNED + h * along) - s2sad.grad(f)(TURNED - h * along) for h in (step, 2.0 * step))
    np.testing.assert_allclose(got, (8.0 * near - far) / (12.0 * step), rtol=1e-6, atol=1e-8)
