"""The rules for SciPy's functions against numerical differentiation, at first and second order."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("scipy")

from s2sad import rules
from s2sad.cli import import_optional
from tests.rules import programs, runner, scipy_cases, second
from tests.rules.cases import K, a, spd
from tests.rules.cases_scipy import CASES as MORE

import_optional()  # rules of SciPy come with its modules

#: calls of functions that are not elementwise in two arguments at most
CASES = {
    "scipy.special.polygamma": [K(1, a(3)), K(0, 0.7)],
    "scipy.special.betainc": [K(1.3, 2.1, a(3), _={"inactive": (0, 1)})],
    "scipy.special.betaincinv": [K(1.3, 2.1, a(3), _={"inactive": (0, 1)})],
    "scipy.special.hyp1f1": [K(1.3, 2.1, a(3), _={"inactive": (0, 1)})],
    "scipy.special.hyp2f1": [K(1.3, 2.1, 1.7, 0.8 * a(3), _={"inactive": (0, 1, 2)})],
    "scipy.special.zeta": [K(2.3, a(3), _={"inactive": (0,)})],
    "scipy.special.lambertw": [K(a(3))],
    "scipy.special.logsumexp": [K(a(4)), K(a(2, 3)), K(a(2, 3), axis=1), K(a(2, 3), axis=0, keepdims=True)],
    "scipy.special.softmax": [K(a(4)), K(a(2, 3), axis=1), K(a(2, 3))],
    "scipy.special.log_softmax": [K(a(4)), K(a(2, 3), axis=1), K(a(2, 3))],
    "scipy.special.binom": [K(a(3) + 3.0, a(3))],
    "scipy.special.poch": [K(a(3), a(3))],
    "scipy.special.huber": [K(0.5, np.array([-0.9, -0.2, 0.3, 1.1]))],
    "scipy.special.pseudo_huber": [K(0.5, np.array([-0.9, -0.2, 0.3, 1.1]))],
    "scipy.special.erfcinv": [K(a(3))],
    "scipy.special.ellipkinc": [K(a(3), 0.4, _={"inactive": (1,)})],
    "scipy.special.ellipeinc": [K(a(3), 0.4, _={"inactive": (1,)})],
}  # fmt: skip

#: two arguments, of which the first, or the second, has no derivative
ORDERS = [
    "jv",
    "yv",
    "yn",
    "kn",
    "iv",
    "kv",
    "ive",
    "kve",
    "expn",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_chebyt",
    "eval_chebyu",
]
FIRST_FIXED = ["gammainc", "gammaincc", "gammaincinv", "gammainccinv", "stdtr", "chdtr", "chdtrc", "hyp0f1"]
for _name in ORDERS:
    CASES["scipy.special." + _name] = [K(2, a(3)), K(2, 0.7)]
for _name in FIRST_FIXED:
    CASES["scipy.special." + _name] = [K(1.7, a(3), _={"inactive": (0,)}), K(1.7, a(2, 3), _={"inactive": (0,)})]
for _name in ("norm", "laplace", "logistic", "cauchy", "expon", "uniform"):
    for _method in ["logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"]:
        CASES[f"scipy.stats.{_name}.{_method}"] = [
            K(a(3), -0.3, 2.7), K(a(3)), K(0.4, a(2) * -0.2, a(2) + 2.0), K(a(3), _={"inactive": ()}, scale=2.3)
        ]  # fmt: skip
_stable = np.diag([0.3, -0.5, 0.6]) + 0.1 * a(3, 3)
CASES["scipy.linalg.expm_frechet"] = [K(a(3, 3), a(3, 3), compute_expm=False), K(a(2, 2), a(2, 2))]
CASES["scipy.linalg.sqrtm"] = [K(spd(3))]
CASES["scipy.linalg.solve_triangular"] = [
    K(spd(3), a(3)), K(spd(3), a(3, 2), lower=True), K(spd(3), a(3), 1), K(spd(3), a(3), "T", True, True)
]  # fmt: skip
CASES["scipy.linalg.solve_sylvester"] = [K(spd(3), spd(2), a(3, 2))]
CASES["scipy.linalg.solve_continuous_lyapunov"] = [K(spd(3), a(3, 3))]
CASES["scipy.linalg.solve_discrete_lyapunov"] = [K(_stable, a(3, 3))]
CASES["scipy.linalg.cholesky"] = [K(spd(3)), K(spd(3), lower=True)]
for _name in ("fft", "ifft", "rfft", "irfft"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5), 7), K(a(2, 4), axis=0), K(a(4), norm="ortho")]
for _name in ("fftn", "ifftn", "fft2", "ifft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4)), K(a(3, 4), (4, 5), (0, 1))]
for _name in ("dct", "idct", "dst", "idst"):
    CASES["scipy.fft." + _name] = [
        K(a(4), norm="ortho"), K(a(5), 3, norm="ortho"), K(a(2, 4), axis=0, norm="ortho"), K(a(4), 1, norm="ortho"),
        *(K(a(5), t) for t in (1, 2, 3, 4)), K(a(5), 2, 7), K(a(6), 3, 4), K(a(4, 2), axis=0, norm="forward"),
        K(a(2, 5), 1, axis=1, norm="backward"), K(a(5), 1, norm="forward"),
    ]  # fmt: skip
    CASES["scipy.fft." + _name + "n"] = [
        K(a(3, 4), norm="ortho"), K(a(3, 4)), K(a(3, 4), 3, (4, 3)), K(a(3, 4, 2), 2, axes=(0, 1), norm="forward"),
        K(a(3, 4, 2), 4, (5, 3), (1, 2)),
    ]  # fmt: skip
for _name in ("hfft", "ihfft"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5), 7), K(a(2, 4), axis=0), K(a(4), norm="ortho")]
for _name in ("rfftn", "irfftn", "rfft2", "irfft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4)), K(a(3, 4), (4, 5), (0, 1)), K(a(3, 4), norm="ortho")]
for _name in ("fht", "ifht"):
    CASES["scipy.fft." + _name] = [
        K(a(6), 0.3, 1.5, _={"inactive": (1, 2)}), K(a(2, 5), 0.3, 0.5, 0.2, _={"inactive": (1, 2, 3)})
    ]  # fmt: skip
for _name in ("fftshift", "ifftshift"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5))]
CASES["scipy.integrate.trapezoid"] = [K(a(4)), K(a(4), np.array([0.0, 0.3, 0.5, 1.1]))]
for _cases in (n for k, n in CASES.items() if k.startswith(("scipy.linalg.", "scipy.fft.", "scipy.integrate."))):
    for _case in _cases:
        _case.options["known_only"] = True
for _name in ("boxcox", "boxcox1p"):
    CASES["scipy.special." + _name] = [K(a(3), 0.4, _={"inactive": (1,)})]
CASES.update(MORE)

CASES.update(scipy_cases.CASES)

#: objects that are called, and what takes functions: they have tests of their own
OBJECTS = ("scipy.interpolate.", "scipy.sparse.")
SOLVERS = {"scipy.integrate.fixed_quad"}
RULES = {
    rule.name: rule
    for rule in rules.registry()
    if not rule.zero
    and rule.name.startswith("scipy.")
    and not rule.name.startswith(OBJECTS)
    and rule.name not in SOLVERS
    and rules.functional(rule.target) is None
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


def test_templates_fit_their_functions():
    rules.check_signatures()


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_rule(name, index):
    case = cases_of(RULES[name])[index]
    if RULES[name].definition is not None or "symmetric" in case.options:
        programs.check(case, RULES[name].target)
        return
    options = {k: v for k, v in case.options.items() if k in ("step", "tol", "inactive", "skip", "no_forward")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for known in (True, False) if not case.options.get("known_only") else (True,):
            runner.check(RULES[name].target, case.args, case.kwargs, known=known, **options)
        for how in ("number", "row", "column"):
            runner.check(RULES[name].target, case.args, case.kwargs, lazy=how, **options)


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    if name in FIRST_ONLY:
        pytest.skip("refused")
    second.check(cases_of(RULES[name])[index], RULES[name].target)
