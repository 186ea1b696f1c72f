"""Mistakes of the compiler itself: the user reads at which of their lines, from every stage."""

import pytest

import s2sad
from s2sad.frontend.diagnostics import Defect


def helper(x):
    return x * x


def loss(x, n):
    total = 0.0
    for k in range(n):
        total += helper(x) ** k
    return total


def fails(*_, **__):
    raise KeyError("deep\ninside")


@pytest.mark.parametrize(
    ("stage", "operator", "text"),
    [
        ("s2sad.normal.statements.augmented.augment", s2sad.grad, "total += helper(x) ** k"),
        ("s2sad.normal.above.inline.answered", s2sad.grad, "total += helper(x) ** k"),
        ("s2sad.transform.loops.reverse_loop", s2sad.grad, "for k in range(n):"),
        ("s2sad.transform.tangent.TangentSweep.forward_Assign", s2sad.jvp, "total = 0.0"),
        ("s2sad.transform.tangent.TangentSweep.forward_For", s2sad.jvp, "for k in range(n):"),
        ("s2sad.reverse.tidy", s2sad.grad, "def loss(x, n):"),
        ("s2sad.derivative.module_text", s2sad.grad, "def loss(x, n):"),
    ],
)
def test_mistakes_of_every_stage_name_a_line(monkeypatch, stage, operator, text):
    monkeypatch.delenv("S2SAD_DEBUG", raising=False)
    monkeypatch.setattr(stage, fails)
    call = (2.0, 3, 1.0) if operator is s2sad.jvp else (2.0, 3)
    with pytest.raises(Defect) as caught:
        operator(loss)(*call)
    place, line, caret, reason, way_out = str(caught.value).splitlines()
    assert place.startswith(__file__) and line.strip() == text
    assert set(caret.strip()) == {"^"}
    assert reason.startswith("This is a defect of s2sad, not of your function: KeyError: 'deep")
    assert "tests/frontend/test_diagnostics.py:" in reason
    assert way_out.startswith("Way out: report it")
    monkeypatch.setenv("S2SAD_DEBUG", "1")
    with pytest.raises(KeyError):
        operator(loss)(*call)
