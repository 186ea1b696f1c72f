"""The programs of tools/speed: their experts' gradients are right, and so are ours."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from s2sad import grad

pytestmark = pytest.mark.slow

SPEED = Path(__file__).parent.parent.parent / "tools" / "speed"


def module(name):
    spec = importlib.util.spec_from_file_location(f"speed_{name}", SPEED / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


WORKLOADS = module("workloads").WORKLOADS


def leaves(value):
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [np.asarray(value, dtype=float)]


@pytest.mark.parametrize("work", WORKLOADS, ids=lambda work: work.__name__)
def test_ours_and_the_experts_gradients_agree(work):
    ours = grad(work.primal, wrt=work.wrt[0] if len(work.wrt) == 1 else work.wrt)(*work.inputs())
    for a, b in zip(leaves(ours), leaves(work.expert(*work.inputs())), strict=True):
        assert a.shape == b.shape
        assert np.allclose(a, b, rtol=1e-6, atol=1e-8 * np.max(np.abs(b), initial=1e-300))
