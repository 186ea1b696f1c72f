"""Which s2sad this is."""

from __future__ import annotations


def version() -> str:
    """The version that is installed; of a checkout that is not, its own."""
    import importlib.metadata

    try:
        return importlib.metadata.version("s2sad")
    except importlib.metadata.PackageNotFoundError:
        from s2sad import __version__

        return __version__
