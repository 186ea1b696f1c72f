"""What a user reads: tracebacks that begin at their line, and ways out that work."""

import subprocess
import sys
import traceback

import numpy as np
import pytest

from s2sad import grad, hessian, hvp, jacobian, jvp, stop_gradient, vjp
from s2sad.frontend.diagnostics import DerivationError
from s2sad.testing import check_grads


def unreadable(x):
    return eval("x * x")


def vector(x):
    return x * 2.0


CALLS = {
    "grad": lambda: grad(unreadable)(1.0),
    "by name": lambda: grad(unreadable)(x=1.0),
    "jvp": lambda: jvp(unreadable)(1.0, 1.0),
    "hessian": lambda: hessian(unreadable)(1.0),
    "jacobian": lambda: jacobian(unreadable)(1.0),
    "a pullback": lambda: vjp(vector)(1.0)[1](np.ones(3)),
    "an operator": lambda: grad(unreadable, wrt=5),
    "the source": lambda: grad(unreadable).source,
    "specialize": lambda: grad(unreadable).specialize(1.0),
    "check_grads": lambda: check_grads(unreadable, (1.0,)),
    "what is not passed": lambda: grad(vector)(),
    "what is not passed to check_grads": lambda: check_grads(unreadable, (1.0, 2.0)),
    "a missing tangent": lambda: jvp(vector)(1.0),
    "a missing vector": lambda: hvp(vector)(1.0),
    "another class": lambda: grad(vector)(np.ma.array([1.0])),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_tracebacks_begin_at_the_users_line(call, monkeypatch):
    monkeypatch.delenv("S2SAD_DEBUG", raising=False)
    with pytest.raises(DerivationError) as found:
        call()
    frames = traceback.extract_tb(found.value.__traceback__)
    assert frames[1].filename == __file__ and len(frames) <= 4
    hidden = [f.f_locals.get("__tracebackhide__") for f, _ in traceback.walk_tb(found.value.__traceback__)]
    assert hidden[2:] == [True] * len(hidden[2:]), "IPython shows what is behind the user's line"
    assert found.value.__cause__ is None and found.value.__suppress_context__
    monkeypatch.setenv("S2SAD_DEBUG", "1")
    with pytest.raises(DerivationError) as found:
        call()
    assert len(traceback.extract_tb(found.value.__traceback__)) > 4


def test_a_script_shows_its_line_and_the_block(tmp_path):
    (tmp_path / "script.py").write_text("from s2sad import grad\n\ndef f(x):\n    return eval('x')\n\ngrad(f)(1.0)\n")
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, env={})
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and "line 6, in <module>" in lines[1] and len(lines) < 16
    assert "    return eval('x')" in lines and lines[-1].startswith("Way out: ")


def saved(x):
    np.savetxt("/dev/null", x)
    return np.sum(x * x)


def saved_apart(x):
    np.savetxt("/dev/null", stop_gradient(x))
    return np.sum(x * x)


def test_functions_that_are_no_computation():
    with pytest.raises(DerivationError) as found:
        grad(saved)(np.ones(2))
    assert "np.savetxt has no derivative (text and files)" in str(found.value) and "np.shape" not in str(found.value)
    assert "stop_gradient" in found.value.way_out
    np.testing.assert_array_equal(grad(saved_apart)(np.ones(2)), [2.0, 2.0])


def test_the_nearest_function_is_one_that_may_have_been_meant():
    stats = pytest.importorskip("scipy.stats")
    with pytest.raises(DerivationError, match=r"maxwell\.logpdf has neither") as found:
        grad(lambda x: stats.maxwell.logpdf(x))(0.5)
    assert "nearest" not in str(found.value)


def test_what_is_not_known_of_a_result_says_what_is():
    integrate = pytest.importorskip("scipy.integrate")

    def dense(a):
        solution = integrate.solve_ivp(lambda t, y: -a * y, (0.0, 1.0), [1.0], dense_output=True)
        return solution.sol(0.5)[0]

    with pytest.raises(DerivationError, match=r"the attribute 'sol' of this result.*\n?.*use what is known of it: t"):
        grad(dense)(2.0)

    def way_out(a):
        return integrate.solve_ivp(lambda t, y: -a * y, (0.0, 0.5), [1.0], rtol=1e-9, atol=1e-9).y[0, -1]

    assert grad(way_out)(2.0) == pytest.approx(-0.5 * np.exp(-1.0), rel=1e-6)
