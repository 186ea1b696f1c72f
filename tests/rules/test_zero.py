"""Every function whose derivative is said to be zero: its result stays when any float argument moves a little."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import operator
import warnings

import numpy as np
import pytest

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.knowledge.rule import Condition
from tests import numeric
from tests.rules.cases import a, c, s

import_optional()

#: no number comes out, or any: texts, identities, memory that nobody wrote; draws are in test_random.py
TEXT = {"id", "hash", "print", "repr", "str", "type", "np.empty", "np.empty_like"}

_counts = np.array([3, 1, 2, 2])
_picture = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])

#: what is tried in turn
ARGUMENTS = [
    (s(4),), (s(4), s(4)), (0.37,), (0.37, 0.61), (a(3, 4),), (7,), (7, 3), (_counts,), (_counts, 2), (_picture,),
    (_picture, 3), ([0.3, 0.4], 0.3), ("f8",), (s(4), [0.0, 0.5]),
]  # fmt: skip

#: what has to be said
CASES = {
    "np.issubdtype": (np.float64, float), "np.result_type": (a(3), 2.0), "isinstance": (0.3, float),
    "np.mask_indices": (3, np.triu), "np.unravel_index": (3, (2, 3)), "np.ravel_multi_index": (([1], [2]), (2, 3)),
    "np.lexsort": ((a(4), a(4)),), "np.indices": ((2, 3),), "np.isscalar": (0.3,),
    "np.searchsorted": (np.array([0.1, 0.5, 0.8]), s(4)), "np.digitize": (s(4), np.array([0.1, 0.5, 0.8])),
    "np.linalg.matrix_rank": (a(3, 3),), "operator.index": (3,), "operator.contains": ([0.3, 0.4], 0.3),
    "operator.length_hint": ([0.3, 0.4],), "scipy.ndimage.histogram": (a(5), 0.13, 1.07, 3),
    "scipy.ndimage.value_indices": (_picture,), "scipy.ndimage.watershed_ift": (_picture.astype(np.uint8), _picture),
    "scipy.signal.argrelextrema": (a(6), np.greater), "scipy.signal.square": (s(4), 0.4),
    "scipy.ndimage.generate_binary_structure": (2, 1), "scipy.ndimage.iterate_structure": (_picture, 2),
    "scipy.spatial.distance.num_obs_dm": (np.zeros((3, 3)),), "scipy.spatial.distance.num_obs_y": (a(3),),
    "scipy.signal.correlation_lags": (4, 3), "scipy.ndimage.maximum_position": (a(3, 4),),
    "scipy.special.gammasgn": (s(4),), "np.triu_indices_from": (a(3, 3),), "np.tril_indices_from": (a(3, 3),),
    "np.diag_indices_from": (a(3, 3),), "scipy.ndimage.distance_transform_cdt": (_picture,),
}  # fmt: skip
for _name in ["dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]:
    CASES["scipy.spatial.distance." + _name] = (
        np.array([True, False, True, True]),
        np.array([True, True, False, True]),
    )

RULES = {
    r.name: r
    for r in rules.registry()
    if r.zero and r.name not in TEXT and not r.name.startswith(("np.random.", "tests."))
}

_NOTHING = object()


def value_of(function, args, kwargs):
    """The result, or a mark that there is none."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception:
            return _NOTHING


def moved(value, by):
    if isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return value * (1.0 + by)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (float, np.ndarray)):
        return type(value)(moved(v, by) for v in value)
    return value


def stays(function, args, kwargs):
    """Is the result the same when the float arguments move?"""
    before = value_of(function, args, kwargs)
    for by in (1e-9, -3e-9):
        after = value_of(function, tuple(moved(v, by) for v in args), {k: moved(v, by) for k, v in kwargs.items()})
        try:
            np.testing.assert_equal(after, before)
        except AssertionError:
            return False
    return True


def optional(function):
    """The names of the arguments that have defaults, where they are known."""
    if str(getattr(function, "__module__", "")).startswith(
        "scipy.ndimage"
    ):  # of binary images and labels; fails hard when given others
        return []
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.default is not p.empty and p.kind != p.POSITIONAL_ONLY]


@pytest.mark.parametrize("name", RULES)
def test_zero(name):
    rule = RULES[name]
    tried = [CASES[name]] if name in CASES else ARGUMENTS
    args = next((c for c in tried if value_of(rule.target, c, {}) is not _NOTHING), None)
    assert args is not None, f"{name} has a rule ({rule.place}), and no arguments in CASES of this test"
    condition = Condition() if rule.definition is None else rule.definition.condition
    active = (*condition.active, *condition.given)
    assert stays(rule.target, args, {})
    for key, value in itertools.product(optional(rule.target), (0.83, a(4), a(3))):
        if key not in active and value_of(rule.target, args, {key: value}) is not _NOTHING:
            assert stays(rule.target, args, {key: value}), f"{name} varies with {key}: it needs a rule"


def _frequencies(d):
    return np.sum(np.fft.fftfreq(4, d) ** 2) + np.sum(np.fft.rfftfreq(5, d=d) ** 3)


def _steps(x, h):
    return np.sum(np.arange(x, 2.0, h) ** 2) + np.sum(np.arange(x) * h) + np.sum(np.arange(0.0, 1.0, step=h) ** 3)


def _signs(z):
    return np.sum(np.real(np.sign(z)) ** 2) + np.sum(np.imag(np.sign(z * z)) ** 3)


def _merged(x):
    both = operator.or_({"a": x}, {"b": 2.0 * x})
    return both["a"] * both["b"]


@pytest.mark.parametrize(
    ("f", "args"), [(_frequencies, (0.7,)), (_steps, (0.37, 0.3)), (_signs, (c(3),)), (_merged, (0.7,))]
)
def test_the_arguments_in_which_the_result_varies(f, args):
    """Of functions whose result stays in most of their arguments."""
    numeric.check(f, args, tuple(range(len(args))), second=True)


def test_in_scipy():
    distance = pytest.importorskip("scipy.spatial.distance")
    fft = pytest.importorskip("scipy.fft")
    signal = pytest.importorskip("scipy.signal")
    numeric.check(lambda w: distance.hamming([1.0, 0.0, 1.0], [1.0, 1.0, 0.0], w), (a(3),), 0, second=True)
    numeric.check(lambda d: np.sum(fft.fftfreq(4, d) ** 2) + np.sum(fft.rfftfreq(4, d)), (0.7,), 0, second=True)
    with pytest.raises(s2sad.DerivationError, match="in its weights"):
        s2sad.grad(lambda w: distance.dice([True, False], [True, True], w))(a(2))
    with pytest.raises(s2sad.DerivationError, match="find_peaks with properties"):
        s2sad.grad(lambda x: np.sum(signal.find_peaks(x, height=0.1)[1]["peak_heights"]))(a(6))
    x = np.array([0.1, 0.7, 0.2, 0.9, 0.3])
    np.testing.assert_array_equal(s2sad.grad(lambda x: np.sum(x[signal.find_peaks(x)[0]]))(x), [0, 1, 0, 1, 0])


def test_a_dict_is_not_written_into_unseen():
    with pytest.raises(s2sad.DerivationError, match="ior of a dict"):
        s2sad.grad(lambda x: operator.ior({"a": x}, {"a": 2.0 * x})["a"])(0.7)
