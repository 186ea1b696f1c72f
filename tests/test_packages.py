"""A sample of the published packages that tools/packages goes through: one call of each, where installed."""

from __future__ import annotations

import warnings

import pytest

from tests import packages

#: the file of calls, and the beginning of one of them
SAMPLE = [
    ("astral", "sun_declination"),
    ("fluids", "Haaland"),
    ("HydroErr", "he.rmse"),
    ("lmfit", "ls.gaussian("),
    ("pymap3d", "pm.enu2aer"),
    ("pyquaternion", "Quaternion(0.9, 0.2, 0.4, 0.4).rotate"),
    ("transforms3d", "quat2mat"),
    ("vollib", "BlackScholesCall"),
]


@pytest.mark.parametrize(("package", "call"), SAMPLE)
def test_a_published_function(package: str, call: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not packages.installed(package):
            pytest.skip(f"{package} is not installed: pip install -e '.[packages]'")
        case = next(c for c in packages.cases(package) if c.call.startswith(call))
        found, _ = packages.judge(case)
    assert found.kind == "right", f"{case}: {found.detail}"


def test_every_file_of_calls_is_read_as_calls() -> None:
    assert len(packages.packages()) >= 20


@pytest.mark.parametrize(
    ("comment", "names"),
    [("f(a=1.0)  # not a: a count", {"a"}), ("f(1.0)  # not a, b: counts", {"a", "b"}), ("f(1.0)  # note", set())],
)
def test_arguments_that_are_left_out(comment: str, names: set[str]) -> None:
    assert packages.left_out(comment) == names
