"""Calls of SciPy as users write them, in whole programs: value, reverse, forward and second order."""

from __future__ import annotations

import importlib
import warnings

import numpy as np
import pytest

pytest.importorskip("scipy")

import s2sad
from tests import numeric
from tests.rules import calls, calls_scipy, ownership
from tests.rules.test_calls import agree

MODULES = {
    name: importlib.import_module(f"scipy.{name}")
    for name in (
        "special", "linalg", "stats", "signal", "ndimage", "interpolate", "integrate", "sparse", "fft", "spatial",
        "optimize",
    )
}  # fmt: skip
for _name in ("spatial.distance", "sparse.linalg", "signal.windows"):
    importlib.import_module(f"scipy.{_name}")

@pytest.mark.sampled(36, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("expression", calls_scipy.CALLS)
def test_call(expression):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            program = calls.Program(expression, calls_scipy.VALUES, MODULES)
        except (AttributeError, TypeError, ValueError) as error:
            pytest.skip(f"not in this version: {error}")
        with ownership.watching():
            numeric.check_reverse(program.f, program.args, program.wrt)
            numeric.check_forward(program.f, program.args, program.wrt)
        numeric.check_second(program.f, program.args, program.wrt)
        agree(program)


#: functions that are refused, and what the error names
BY_NAME = {
    "linalg.schur(G)[0]": "scipy.linalg.schur has no derivative rule",
    "linalg.hessenberg(G)": "scipy.linalg.hessenberg has no derivative rule",
    "linalg.ldl(P)[0]": "scipy.linalg.ldl has no derivative rule",
    "linalg.null_space(A)": "np.linalg.pinv",
    "sparse.csr_matrix(A) @ h": "take csr_array",
    "linalg.lu(B)[1]": "only square matrices",
    "special.fdtr(3.0, 4.0, x)": "scipy.special.fdtr has neither",
    "signal.firwin(5, s / 2)": "scipy.signal.firwin has neither",
    "spatial.transform.Rotation.from_euler('x', s).as_matrix()": "Rotation.from_euler has no derivative rule",
}


@pytest.mark.parametrize("expression", BY_NAME)
def test_refused_by_name(expression):
    importlib.import_module("scipy.spatial.transform")
    program = calls.Program(expression, calls_scipy.VALUES, MODULES)
    with pytest.raises(s2sad.DerivationError, match=BY_NAME[expression]):
        s2sad.grad(program.f, wrt=program.wrt)(*program.args)
