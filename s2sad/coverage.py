"""Which public functions of NumPy, SciPy and Python's numeric modules have a derivative, and why the others have none.

A function is covered when it has a rule (a template or a definition) or is followed when a program is lowered; a zero
rule makes it constant. The share is covered / (covered + not yet): what has no derivative, and what is not numeric,
does not count.

>>> survey("math").share
1.0
"""

from __future__ import annotations

import functools
import importlib
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sad.knowledge import registry, tables
from s2sad.knowledge.rule import Rule
from s2sad.uncovered import FOLLOWED, REASONS

#: the namespaces that are surveyed; those of SciPy where it is installed
NAMESPACES = (
    "numpy", "numpy.linalg", "numpy.fft", "numpy.random.Generator", "numpy.ndarray",
    "math", "cmath", "operator", "statistics",
    "scipy.special", "scipy.linalg", "scipy.stats", "scipy.fft", "scipy.integrate", "scipy.optimize", "scipy.signal",
    "scipy.signal.windows", "scipy.ndimage", "scipy.spatial", "scipy.spatial.distance", "scipy.interpolate",
    "scipy.sparse", "scipy.sparse.linalg", "scipy.sparse.csgraph", "scipy.cluster.vq",
)  # fmt: skip

NOT_YET = "not yet"
#: functions of SciPy that are tested as programs, because they take functions or give objects that are called
PROGRAMS = (
    *("integrate.fixed_quad", "integrate.dblquad", "integrate.tplquad", "integrate.nquad", "optimize.lsq_linear"),
    "stats.gaussian_kde",
)


@dataclass
class Survey:
    """The public names of a namespace."""

    namespace: str
    covered: list[str] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    #: by reason, which starts with "no derivative", "not numeric" or "not yet"
    uncovered: dict[str, list[str]] = field(default_factory=dict)

    def count(self, why: str) -> int:
        """How many names have a reason of this sort."""
        return sum(len(names) for reason, names in self.uncovered.items() if reason.startswith(why))

    @property
    def share(self) -> float:
        """Covered / (covered + not yet)."""
        wanted = len(self.covered) + self.count(NOT_YET)
        return len(self.covered) / wanted if wanted else 1.0

    @property
    def line(self) -> str:
        """The figures in words."""
        return (
            f"{100.0 * self.share:.0f} % of {len(self.covered) + self.count(NOT_YET)}; {self.count(NOT_YET)} not yet, "
            f"{len(self.constant)} constant, {self.count('no derivative')} without a derivative, "
            f"{self.count('not numeric')} not numeric"
        )


def survey(namespace: str) -> Survey:
    """What is covered of a namespace, and why the rest is not."""
    reasons = {n: why for why, names in REASONS.get(namespace, {}).items() for n in names.split()}
    followed = FOLLOWED.get(namespace, "").split()
    out = Survey(namespace)
    for name, value in sorted(public(namespace).items()):
        how = "covered" if name in followed else _how(namespace, name, value)
        if how == "covered":
            out.covered.append(name)
        elif how == "constant":
            out.constant.append(name)
        else:
            out.uncovered.setdefault(reasons.get(name, NOT_YET), []).append(name)
    return out


def surveys() -> Iterator[Survey]:
    """Of all namespaces that are there."""
    for namespace in NAMESPACES:
        try:
            space(namespace)
        except ImportError:
            continue
        yield survey(namespace)


def space(namespace: str) -> Any:
    """The module, or the class, of a name."""
    if namespace in ("numpy.ndarray", "numpy.random.Generator"):
        return functools.reduce(getattr, namespace.split(".")[1:], np)
    return importlib.import_module(namespace)


def public(namespace: str) -> dict[str, Any]:
    """The public functions of a namespace, and what else can be called; of ndarray the attributes as well."""
    out: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = space(namespace)
        own = getattr(here, "__all__", None) if namespace.startswith("scipy.") else None  # not what it imports
        for name in dir(here):
            value = getattr(here, name, None)
            if name.startswith("_") or isinstance(value, types.ModuleType) or (own is not None and name not in own):
                continue
            if callable(value) or namespace == "numpy.ndarray" or _is_distribution(value):
                out[name] = value
    return out


def _how(namespace: str, name: str, value: Any) -> str:
    """ "covered", "constant", or "" when it is neither."""
    from s2sad.normal import rooms  # noqa: F401  (fills the table of what lowering follows)
    from s2sad.normal.handlers import BUILTINS

    registry.listed()
    if namespace == "numpy.ndarray":
        meant = tables.methods.get(name, tables.attributes.get(name))
        rule = None if meant is None else registry.lookup(meant)
        return "" if meant is None else "constant" if rule is not None and rule.zero else "covered"
    try:
        if value in BUILTINS or registry.functional(value) is not None or value in _distributions():
            return "covered"
        rule = registry.lookup(value)
    except TypeError:
        return ""
    return "" if rule is None else "constant" if rule.zero else "covered"


def tested(rule: Rule) -> str:
    """The module of tests/rules that drives a rule; "" for somebody's own."""
    file = rule.place.split(":")[0].replace("\\", "/").split("/")
    if file[-2:-1] != ["templates"]:
        return ""
    if rule.name.startswith("np.random."):
        return "test_random"
    if rule.zero:
        return "test_zero"
    if file[-1].startswith(("scipy_interpolate", "scipy_sparse")):
        return "test_interpolants" if "interpolate" in file[-1] else "test_sparse"
    if registry.functional(rule.target) is not None or rule.name.removeprefix("scipy.") in PROGRAMS:
        return "test_solvers"
    if file[-1].startswith("scipy"):
        return "test_scipy"
    return "test_rules" if rule.templates else "test_calls"


def second(rule: Rule) -> bool:
    """Is its code differentiated again by that module?"""
    return not rule.zero and rule.forward and rule.reverse


def _is_distribution(value: Any) -> bool:
    """Is it an object of scipy.stats with a density?"""
    return not isinstance(value, type) and any(hasattr(value, n) for n in ("logpdf", "logpmf", "pdf", "pmf"))


def _distributions() -> set[Any]:
    """The distributions of scipy.stats of which a density, or its logarithm, has a rule."""
    densities = ("logpdf", "logpmf", "pdf", "pmf")
    return {
        r.target.__self__
        for r in registry.listed()
        if getattr(r.target, "__name__", "") in densities and getattr(r.target, "__self__", None) is not None
    }
