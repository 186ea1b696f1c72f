"""Helpers that call helpers twice each: the derivative is as long as the program, not as its calls written out."""

from __future__ import annotations

import importlib.util
import math

import numpy as np

from s2sad import grad, jvp


def levels(path, body):
    """A module with h0 and h1 ... h10, each of which calls the one before it twice."""
    text = "import math\n\n\ndef h0(a):\n    return math.sin(a)\n"
    text += "".join(body.format(n=n, before=n - 1) for n in range(1, 11))
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_calls_at_each_of_many_levels(tmp_path):
    module = levels(tmp_path / "levels.py", "\n\ndef h{n}(a):\n    return h{before}(a) + h{before}(a / 2)\n")
    lengths = {}
    for n in (4, 7, 10):
        f = getattr(module, f"h{n}")
        derivative = grad(f)
        slope = sum(math.comb(n, k) * math.cos(0.7 / 2**k) / 2**k for k in range(n + 1))
        np.testing.assert_allclose(derivative(0.7), slope, rtol=1e-12)
        lengths[n] = len(derivative.source.splitlines())
    assert lengths[10] - lengths[7] <= lengths[7] - lengths[4] + 8
    np.testing.assert_allclose(jvp(module.h10)(0.7, 1.0)[1], slope, rtol=1e-12)
