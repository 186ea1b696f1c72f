"""The templates that come with s2sad: loaded group by group, when somebody asks for a function of theirs."""

from __future__ import annotations

import importlib
import sys
import traceback
import types
from collections.abc import Callable, Iterable
from typing import Any

from s2sad.knowledge import tables
from s2sad.knowledge.rule import RuleError
from s2sad.locks import rules as lock

_loaded: set[str] = set()
#: what was wrong with the templates of a group, which are not loaded again
_refused: dict[str, RuleError] = {}


def load_for(target: Any) -> None:
    load_builtin()
    module = getattr(target, "__module__", None) or (
        "scipy" if "scipy" in sys.modules and hasattr(target, "nin") else ""
    )
    if isinstance(module, str) and (module.split(".")[0] == "scipy" or module.startswith("s2sad.runtime.helpers.")):
        load_scipy()
    if isinstance(module, str) and module.split(".")[0] in _OTHERS:
        load_others()


def load_builtin() -> None:
    if "numpy" not in _loaded:
        _load("numpy", lambda name: not name.startswith("scipy") and name not in _OTHERS)


#: other packages of which a few functions have rules: templates/bottleneck.py with bottleneck
_OTHERS = ("bottleneck", "pandas")


def load_others() -> None:
    for package in _OTHERS:
        if package not in _loaded and package in sys.modules:
            _load(package, lambda name, package=package: name == package)  # type: ignore[misc]


def load_scipy() -> None:
    """Load the templates of those parts of SciPy that are imported: scipy_linalg*.py with scipy.linalg."""
    for part in (
        "special", "linalg", "stats", "fft", "integrate", "optimize", "signal", "ndimage", "spatial", "interpolate",
        "sparse",
    ):  # fmt: skip
        group = "scipy." + part
        if group not in _loaded and group in sys.modules:
            _load(group, lambda name, part=part: (name + "_").startswith(f"scipy_{part}_"))  # type: ignore[misc]


def _load(group: str, wanted: Callable[[str], bool]) -> None:
    """Import the template modules of a group, once; threads that come meanwhile wait."""
    with lock:
        if group in _loaded or tables.loading:
            return
        if group in _refused:
            raise _refused[group]
        tables.loading = True
        try:
            package = template_package()
            for name in sorted(modules_in(package)):
                if wanted(name):
                    _import_templates(f"{package.__name__}.{name}")
            _loaded.add(group)
        except RuleError as error:
            _refused[group] = error
            raise
        finally:
            tables.loading = False


def _import_templates(name: str) -> None:
    """Import a module of templates; a function that does not exist is an error with the template's place."""
    try:
        importlib.import_module(name)
    except (AttributeError, ImportError) as error:
        own = str(template_package().__path__[0])
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(own)]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else name
        raise RuleError(f"{place}: a rule for a function that does not exist: {error}") from error


def modules_in(package: types.ModuleType) -> Iterable[str]:
    import pkgutil

    return [m.name for m in pkgutil.iter_modules(package.__path__)]


def template_package() -> types.ModuleType:
    """s2sad.templates: installed beside this module, or the directory `templates` of the checkout."""
    import importlib.util
    from pathlib import Path

    name = "s2sad.templates"
    if name in sys.modules:
        return sys.modules[name]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    directory = Path(__file__).resolve().parent.parent.parent / "templates"
    path = directory / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(directory)])
    if spec is None or spec.loader is None or not path.exists():
        raise RuleError("s2sad's templates are not installed")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
