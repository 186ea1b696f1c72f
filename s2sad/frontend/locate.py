"""From a target on the command line to the object that it names: file.py:function, package.module:Class.method."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from s2sad.frontend.diagnostics import DerivationError, raised_by


class NotFound(DerivationError):
    """A target that does not exist, cannot be imported, or is no function."""


def locate(target: str) -> Any:
    """The object that a target names.

    Raises:
        NotFound: with what was not found, and what there is instead.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise NotFound(
            f"{target!r} does not name a function.", "write path/to/file.py:function or package.module:Class.method."
        )
    return _attribute(module_at(place), name, place)


def module_at(place: str) -> ModuleType:
    """Import the module in a file, or the module of a dotted name.

    Raises:
        NotFound: there is no such file or module, or it fails when it is imported.
    """
    if place.endswith(".py") or os.sep in place or "/" in place:
        path = Path(place)
        if not path.is_file():
            raise NotFound(f"There is no file {place}.", f"paths start at {os.getcwd()}.")
        root, name = _package_of(path.resolve())
    else:
        path, root, name = None, Path.cwd(), place
        if not all(part.isidentifier() for part in place.split(".")):
            raise NotFound(
                f"{place!r} is neither a file nor a module name.", "write path/to/file.py or package.module."
            )
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        if path is None:
            return importlib.import_module(name)
        return _import_file(path.resolve(), name)
    except (KeyboardInterrupt, GeneratorExit, NotFound):
        raise
    except ModuleNotFoundError as error:
        if path is None and error.name is not None and (place == error.name or place.startswith(error.name + ".")):
            raise NotFound(f"There is no module {place}.", f"it has to be importable from {root}.") from None
        raise _failed(place, error) from error
    except BaseException as error:
        raise _failed(place, error) from error


def _package_of(path: Path) -> tuple[Path, str]:
    """The directory to import from and the dotted name of the module in a file.

    A file in a package is imported as a part of it, so that its relative imports work.
    """
    parts = [] if path.stem == "__init__" else [path.stem]
    root = path.parent
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts)


def _import_file(path: Path, name: str) -> ModuleType:
    own = f"{name}_of_{path.parent.name}"  # of a script that is called like an installed module
    for known in filter(None, map(sys.modules.get, (name, own))):
        if _same_file(getattr(known, "__file__", None), path):
            return known
    if "." in name:
        return importlib.import_module(name)
    if name in sys.modules or name in sys.stdlib_module_names:
        name = own
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NotFound(f"{path} is not a Python file.", "give a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _same_file(file: str | None, path: Path) -> bool:
    return file is not None and os.path.exists(file) and os.path.samefile(file, path)


def _failed(place: str, error: BaseException) -> DerivationError:
    """The error for a module that raised when it was imported, placed at the line that raised."""
    way = "correct it." if isinstance(error, SyntaxError) else "make it importable."
    return raised_by(error, f"{place} fails when it is imported:", way, NotFound)


def _attribute(module: ModuleType, name: str, place: str) -> Any:
    found: Any = module
    walked: list[str] = []
    for part in name.split("."):
        # A method is taken from the class as it is there: looking it up would bind a classmethod.
        raw = vars(found).get(part) if isinstance(found, type) else None
        value = raw if isinstance(raw, staticmethod) else getattr(found, part, _MISSING)
        if value is _MISSING:
            where = ".".join(walked) or place
            there = sorted(n for n, v in vars(found).items() if callable(v) and not n.startswith("_"))
            close = [n for n in there if n.lower() == part.lower()] or there
            way = f"it has: {', '.join(close[:12])}{', ...' if len(close) > 12 else ''}." if close else "it has none."
            raise NotFound(f"{where} has no function {part}.", way)
        found = value.__func__ if isinstance(value, staticmethod) else value
        walked.append(part)
    if isinstance(found, type) or not callable(found):
        what = "a class" if isinstance(found, type) else f"of type {type(found).__name__}"
        raise NotFound(f"{place}:{name} is {what}, not a function.", "name a function, or Class.method.")
    return found


_MISSING = object()
