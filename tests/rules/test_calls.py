"""Calls as users write them, in whole programs: value, reverse, forward and second order."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import inspect
import re
import warnings
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad import rules
from tests import amounts, numeric
from tests.rules import calls, ownership, runner

ComplexWarning = getattr(np, "exceptions", np).ComplexWarning

#: calls of which some modes are refused (never wrong), and why
REFUSED = {
    "np.linalg.svd(A)[1]": "forward mode wants vectors that span what is left: give full_matrices=False",
    "np.linalg.svd(R)[0] ** 2": "the vectors that full_matrices adds are arbitrary",
    "np.linalg.qr(B, mode=\"complete\")[1]": "the columns that complete adds are arbitrary",
}  # fmt: skip


@pytest.mark.sampled(96, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("expression", calls.CALLS)
def test_call(expression):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            program = calls.Program(expression)
        except (AttributeError, TypeError, ValueError) as error:
            pytest.skip(f"not in this version: {error}")
        refused = 0
        for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
            first = check is not numeric.check_second
            try:
                with ownership.watching() if first else contextlib.nullcontext():
                    check(program.f, program.args, program.wrt)
            except s2sad.DerivationError:
                if expression not in REFUSED:
                    raise
                refused += 1
        assert refused or expression not in REFUSED, "this is followed now: delete it from REFUSED"
        if not refused:
            agree(program)


VECTORS = {n: len(v) for n, v in calls.VALUES.items() if n in ("x", "y", "w", "p", "q", "h", "u", "v")}


def with_lists(expression):
    """The expression with lists of numbers for the vectors: `np.diff(p)` as `np.diff([p[0], p[1], p[2]])`."""

    def listed(found):
        return "[" + ", ".join(f"{found[1]}[{i}]" for i in range(VECTORS[found[1]])) + "]"

    return re.sub(rf"\b({'|'.join(VECTORS)})\b(?![\[.=\w(])", listed, expression)


@pytest.mark.sampled(8, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("expression", [e for e in calls.CALLS if with_lists(e) != e and "lambda" not in e])
def test_call_with_lists(expression):
    """What a function makes an array of itself; or a refusal."""
    expression = with_lists(expression)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            program = calls.Program(expression)
            numeric.flatten(program.f(*program.args))
        except Exception as error:
            pytest.skip(f"not of lists: {error}")
        check = numeric.check_reverse if len(expression) % 2 else numeric.check_forward
        with contextlib.suppress(s2sad.DerivationError):
            check(program.f, program.args, program.wrt)


def as_complex(value, rng):
    """A number or an array of floats with an imaginary part."""
    if isinstance(value, float):
        return value + 0.3j
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value + 1j * rng.uniform(-0.4, 0.4, size=value.shape)
    return value


@pytest.mark.sampled(60, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("expression", calls.CALLS)
def test_call_of_complex_arguments(expression, monkeypatch):
    """Of complex arguments a call has its derivative, or is refused (or Python refuses it): never that of its real
    parts. All of them complex, and the first alone."""
    rng = np.random.default_rng(5)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", ComplexWarning)
        try:
            real = calls.Program(expression)
        except (AttributeError, TypeError, ValueError) as error:
            pytest.skip(f"not in this version: {error}")
        names = [n for n in real.names if n not in calls.FIXED and not np.iscomplexobj(calls.VALUES[n])]
        for chosen in {tuple(names), tuple(names[:1])}:
            with monkeypatch.context() as patch:
                for name in chosen:
                    patch.setitem(calls.VALUES, name, as_complex(calls.VALUES[name], rng))
                try:
                    program = calls.Program(expression)
                    program.f(*program.args)
                except Exception:
                    continue  # not of complex numbers
                for check in (numeric.check_reverse, numeric.check_forward):
                    with contextlib.suppress(s2sad.DerivationError, TypeError):
                        check(program.f, program.args, program.wrt)


ITEMS = {
    "np.stack([np.fft.fft(r) for r in A])": "complex",
    "np.array([1j * r for r in A])": "complex",
    "np.array([1j * r[0] for r in A])": "complex",
    "np.array([(1j * r[0], r[1]) for r in A])": "complex",
    "np.vstack([1j * r for r in A])": "complex",
    "np.concatenate([np.fft.rfft(r) for r in A])": "complex",
    "np.array([1.5 * r for r in A], dtype=int) * A": "float64",
    "np.array([r.astype(np.float32) for r in A])": "float32",
    "np.array([1.5 * r for r in A], dtype=np.float32)": "float32",
    "np.multiply.reduceat(1j * A, [0, 2], axis=1)": "complex",
    "np.apply_along_axis(np.fft.fft, 1, A)": "complex",
    'np.vectorize(lambda r: 1j * r, signature="(n)->(n)")(A)': "complex",
    "np.vectorize(lambda t: 1j * t)(A)": "refused",
    "np.vectorize(lambda t: 3.1 * t, otypes=[int])(A) * A": "refused",
}


@pytest.mark.parametrize("expression", ITEMS)
def test_arrays_have_the_dtype_of_what_goes_into_them(expression, monkeypatch):
    program = calls.Program(expression)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ComplexWarning)
        if ITEMS[expression] == "refused":
            with pytest.raises(s2sad.DerivationError, match="vectorize"):
                s2sad.grad(program.f)(*program.args)
            return
        value = s2sad.value_and_grad(program.f)(*program.args)[0]
        np.testing.assert_allclose(value, program.f(*program.args), rtol=1e-13)
        if ITEMS[expression] == "complex":
            for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
                check(program.f, program.args, program.wrt)


def test_complex_numbers_do_not_go_into_a_list_of_floats():
    def f(A):
        items = [0.0 for r in A]
        for k in range(len(A)):
            items[k] = items[k] + 1j * A[k, 0] ** 2
        return sum([abs(item + 2.0) for item in items])

    def g(A):
        items = [0j for r in A]
        for k in range(len(A)):
            items[k] = items[k] + 1j * A[k, 0] ** 2
        return sum([abs(item + 2.0) for item in items])

    with pytest.raises(s2sad.DerivationError, match="complex numbers go into a list"):
        s2sad.grad(f)(calls.VALUES["A"])
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(g, (calls.VALUES["A"],), (0,))


def agree(program):
    """Reverse against forward mode: the dot-product test."""
    given = tuple(program.args[k] for k in program.wrt)
    rng = np.random.default_rng(2)
    along = tuple(runner.random_like(v, rng) for v in given)
    gradient = s2sad.grad(program.f, wrt=program.wrt)(*program.args)
    tangent = s2sad.jvp(program.f, wrt=program.wrt)(*program.args, along)[1]
    terms = [np.real(np.multiply(g, d)) for g, d in zip(gradient, along, strict=True)]
    size = 1.0 + sum(float(np.sum(np.abs(t))) for t in terms)
    assert abs(sum(float(np.sum(t)) for t in terms) - tangent) <= 1e-10 * size


@pytest.mark.parametrize("module", ["fractions", "decimal"])
def test_exact_numbers_are_refused_by_name(module):
    import decimal
    import fractions

    def exact(x):
        return float(fractions.Fraction(x) * 2) if module == "fractions" else float(decimal.Decimal(x) * 2)

    with pytest.raises(s2sad.DerivationError, match=rf"{module}\.\w+ computes with exact numbers"):
        s2sad.grad(exact)(1.5)


def test_every_definition_is_called():
    text = "\n".join(calls.CALLS)
    missing = [
        rule.name
        for rule in rules.registry()
        if rule.definition is not None
        and not rule.name.startswith(("scipy.", "tests.", "bottleneck.", "pandas."))
        and not re.search(rf"\b{rule.name.rpartition('.')[2]}\b", text)
    ]
    assert not missing, f"no call in tests/rules/calls.py of {', '.join(missing)}"


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.sum(axis=None).astype(float),
        lambda x: np.max(x * x, axis=None).astype(float),
        lambda x: np.mean(x * x, axis=None).astype(float) * 2.0,
        lambda x: np.any(x > 0.3, axis=None).astype(float) * x[0],
        lambda x: (x[0] * x[1]).astype(float),
    ],
)
def test_a_number_of_numpy_is_converted(f):
    """Also where it is what is returned, so that the cotangent is the seed."""
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (np.array([0.4, -0.3, 0.9]),), 0)
    assert s2sad.grad(f)(np.array([0.5, -0.25, 1.0], np.float32)).dtype == np.float32


def told_by_the_run(expression, modules):
    """The expression with each option of its calls as one that the run decides, which is the default or what is given;
    with its default given as such; and what is on or off as 0 or 1."""
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.keywords:
            continue
        try:
            target = eval(ast.unparse(node.func), {"np": np, **modules})
            parameters = inspect.signature(target).parameters
        except (NameError, AttributeError, TypeError, ValueError):
            continue  # a method of an array, say
        for keyword in node.keywords:
            parameter = parameters.get(keyword.arg)
            if keyword.arg == "out" or not isinstance(getattr(parameter, "default", np), DEFAULTS):
                continue
            given, text, default = keyword.value, ast.unparse(keyword.value), repr(parameter.default)
            forms = [f"{default} if s < 9.0 else {text}", f"{text} if s < 9.0 else {default}"]
            forms += [default, *(["0", "1"] if isinstance(parameter.default, bool) else [])]
            for form in forms:
                keyword.value = ast.parse(form, mode="eval").body
                yield ast.unparse(tree)
            keyword.value = given


DEFAULTS = (bool, int, float, str, tuple, type(None))
#: what is left out: the slopes of nan that take no part are followed in one call, not in one of two
NAN_IN_ONE_OF_TWO = re.compile(r"np\.nan\w+\(.* if s < 9\.0 else ")
OF_MODULES: dict[str, Any] = {}
OPTIONS = {e: calls.VALUES for e in calls.CALLS if "=" in e and "lambda" not in e}
if importlib.util.find_spec("scipy"):
    from tests.rules import calls_scipy

    OF_MODULES = {n: importlib.import_module(f"scipy.{n}") for n in ("special", "linalg", "signal", "fft", "stats")}
    # (of one window, coherence is 1 everywhere, or a quotient of roundings)
    mine = [e for e in calls_scipy.CALLS if "=" in e and e.split(".")[0] in OF_MODULES and "coherence" not in e]
    OPTIONS |= dict.fromkeys(mine, calls_scipy.VALUES)


@pytest.mark.sampled(48)
@pytest.mark.slow
@pytest.mark.parametrize("expression", OPTIONS)
def test_options_that_the_run_decides(expression):
    """Right, or refused; also where it is the default that is given."""
    both = numeric.check_reverse, numeric.check_forward
    for k, form in enumerate(told_by_the_run(expression, OF_MODULES), len(expression)):
        if not amounts.ALL and k // 2 % 3:  # by turns: both forms that the run decides of one option, those that are
            continue  # given of another
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                program = calls.Program(form, OPTIONS[expression], OF_MODULES)
                numeric.flatten(program.f(*program.args))
            except Exception:
                continue  # no value of this option
            # the modes take turns: an option is left to the run in two forms, and both modes are driven by `test_call`
            for check in both if amounts.ALL else both[k % 2 :][:1]:
                if check is numeric.check_reverse and NAN_IN_ONE_OF_TWO.search(form):
                    continue
                try:
                    check(program.f, program.args, program.wrt)
                except s2sad.DerivationError:
                    continue
                except Exception as error:
                    error.add_note(form)
                    raise
