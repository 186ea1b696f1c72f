"""The name under which users know a function, and the module in which they find it."""

from __future__ import annotations

import builtins
import sys
from typing import Any

#: public classes that stand for the private ones that they inherit from
_HOLDERS = ("PPoly", "csr_array")


def public_name(target: Any) -> str:
    """The name under which users know a function: `np.linalg.solve`, `math.sin`, `max`.

    >>> import numpy as np, operator
    >>> public_name(np.linalg.solve), public_name(operator.add), public_name(max)
    ('np.linalg.solve', 'operator.add', 'max')
    """
    module = home(target)
    owner = getattr(target, "__self__", None)
    if type(owner).__name__ == "ufunc":
        return f"{public_name(owner)}.{target.__name__}"
    if module == "scipy.stats" and owner is not None:
        distribution = getattr(owner, "name", None) or type(owner).__name__.removesuffix("_gen")
        return f"{module}.{distribution}.{target.__name__}"
    name = str(getattr(target, "__qualname__", None) or getattr(target, "__name__", repr(target)))
    if name.startswith("_") and "." in name:  # a method from a private base: under a public class
        classes = vars(sys.modules.get(module, builtins))
        holder = next((n for n in _HOLDERS if getattr(classes.get(n), target.__name__, None) is target), None)
        name = f"{holder}.{target.__name__}" if holder else name
    if module == "numpy.random" and getattr(target, "__self__", None) is not None:
        name = target.__name__  # a function of the module is a method of its generator
    if module == "builtins":
        return str(name)
    if module == "numpy" or module.startswith("numpy."):
        module = "np" + module[len("numpy") :]
    return f"{module}.{name}"


def home(target: Any) -> str:
    """The module in which a function is found by its users."""
    import numpy as np

    own = getattr(target, "__objclass__", None)
    if own is None and isinstance(getattr(target, "__self__", None), np.random.RandomState):
        own = np.random.RandomState  # a function of numpy.random, to which older versions give no module
    if own is not None:
        return "numpy.random" if own.__module__.startswith("numpy.random.") else str(own.__module__)
    if isinstance(target, np.ufunc):
        if getattr(np, target.__name__, None) is target or target.__name__ in ("absolute", "true_divide"):
            return "numpy"
        return "scipy.special"
    module = getattr(target, "__module__", None) or "builtins"
    if module.startswith("scipy."):  # private modules are not where users find a function
        parts = module.split(".")
        private = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
        return ".".join(parts[:private])
    for public in ("numpy.random", "s2sad.runtime.helpers"):
        if module.startswith(public + "."):
            return public
    return {"_operator": "operator"}.get(module, module)
