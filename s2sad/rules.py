"""The table of derivative rules: the decorators that fill it and the questions that are asked of it.

A rule is written as a *template*, a function that is parsed and never run. Its first parameter stands for the result,
the others mirror the signature of the primitive; `d[x]` stands for the adjoint (or tangent) of x.

    from s2sad.rules import adjoint, d, elementwise, linear, tangent, zero

    @elementwise(softplus)                 # the partial derivative, or a tuple of them, one an argument
    def softplus(y, x):
        return 1.0 - np.exp(-y)

    @linear(smooth)                        # linear: the tangent is the function itself, only the transpose is written
    def smooth(y, x, width=3):
        d[x] = smooth_transposed(d[y], width)

    @adjoint(inverse)                      # the general pair
    def inverse(y, x):
        d[x] = -y.T @ d[y] @ y.T

    @tangent(inverse)
    def inverse(y, x):
        d[y] = -y @ d[x] @ y

    zero(bucket)                           # no derivative: piecewise constant, or not a number at all

    @definition(smoothstep)                # what the function is, in functions that have rules: written out for it
    def smoothstep(x):
        return x * x * (3.0 - 2.0 * x)

The docstring of a template is the convention at kinks and the mathematical source, where there is one. A last
paragraph `Cost: ...` says why a gradient takes more than five times the time of the function, where it does.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import sys
import traceback
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from s2sad import locks
from s2sad.rule import Condition as Condition
from s2sad.rule import Functional as Functional
from s2sad.rule import Rule as Rule
from s2sad.rule import RuleError
from s2sad.rule import Template as Template
from s2sad.runtime.identity import key_of

#: what rules are written with; the rest is for the compiler
__all__ = ["RuleError", "adjoint", "d", "definition", "elementwise", "linear", "registry", "tangent", "zero"]

F = TypeVar("F", bound=Callable[..., Any])


class _Derivatives:
    """`d[x]` in a template. Templates are parsed, so it never runs."""

    def __getitem__(self, key: object) -> Any:
        raise RuntimeError("templates are parsed, not run: d[...] has no value")

    def __setitem__(self, key: object, value: object) -> None:
        raise RuntimeError("templates are parsed, not run: d[...] has no value")


d = _Derivatives()

_rules: dict[Any, Rule] = {}
_views: dict[Any, int] = {}
_methods: dict[str, Any] = {}
_attributes: dict[str, Any] = {}
_effects: set[Any] = set()
_functionals: dict[Any, Functional] = {}
_loaded: set[str] = set()
_loading = False
#: how often rules were registered or taken back by others: a derivation is right for those that it found
_changes = 0
#: what was wrong with the templates of a group, which are not loaded again
_refused: dict[str, RuleError] = {}


# -- registration ------------------------------------------------------------------------------------------------------

#: the annotation of an option that a template hands on, so that it need not be known: `mode: HANDED_ON = "full"`
HANDED_ON = "handed on"


def elementwise(*targets: Any) -> Callable[[F], F]:
    """Register functions that work element by element by their partial derivatives.

    The template returns the partial derivative, or a tuple of them, one an argument. Bare names in it (`cos`) are
    looked up in the namespace of the function that was called, so one template serves `math.sin` and `np.sin`.

    Args:
        targets: the functions.

    Returns:
        A decorator that registers the template and returns it.

    Raises:
        RuleError: the template's parameters are not those of the function, or the function has a rule already.
    """
    return _registrar("partials", targets)


def linear(
    *targets: Any, aliases: dict[str, str] | None = None, newer: tuple[str, ...] = (), **options: bool
) -> Callable[[F], F]:
    """Register functions that are linear in each argument for which the template has a `d[x] = ...`.

    With `d[x] = 0.0` they are constant in x, an argument that only says where things go.

    Args:
        targets: the functions.
        aliases: other names under which keyword arguments may come.
        newer: parameters of the template that older versions of the functions lack.
        options: `lazy=True`, the template copes with cotangents that are smaller than y; `broadcasts=True`, its
            contributions have the shape of y and are summed to the shape of the argument; `permutes=True`, y holds
            the elements of the argument in another arrangement, so that a scalar cotangent needs no work;
            `selects=True`, y is made of some elements of an argument, and the others have a derivative of 0, which
            the slopes of what they were made of, be they infinite, leave 0; `counts=True`, so it is where the second
            argument says how often y holds each element of the first.

    Returns:
        A decorator that registers the template and returns it.

    Raises:
        RuleError: as for `elementwise`.
    """
    return _registrar("linear", targets, options, aliases, newer=newer)


def adjoint(
    *targets: Any, aliases: dict[str, str] | None = None, newer: tuple[str, ...] = (), **options: bool
) -> Callable[[F], F]:
    """Register the reverse rule of functions: `d[x] = e` contributes e to the adjoint of x. Arguments as `linear`."""
    return _registrar("adjoint", targets, options, aliases, newer=newer)


def tangent(
    *targets: Any, aliases: dict[str, str] | None = None, newer: tuple[str, ...] = (), **options: bool
) -> Callable[[F], F]:
    """Register the forward rule of functions: `d[y] = e` is the tangent of the result. Arguments as for `linear`."""
    return _registrar("tangent", targets, options, aliases, newer=newer)


def definition(
    *targets: Any, given: Iterable[str] = (), active: Iterable[str] = (), when: Callable[[Any], bool] | None = None
) -> Callable[[F], F]:
    """Register functions by what they are: plain Python in terms of functions that have rules.

    A call with active arguments is written out as the template says, so that forward and reverse mode and all higher
    orders follow; other calls stay as they are. The template has the parameters of the function and no other, and has
    to give what the function gives. It is the form for functions that are seldom called, and for seldom used arguments
    of others: `raise NoDerivative(reason, way_out)` in it refuses a call at derivation.

    Args:
        targets: the functions.
        given: use it only for calls that give one of these arguments another value than its default,
        active: or in which one of these is active,
        when: or for which this is true of what is known of the arguments. Templates serve for all other calls.

    Returns:
        A decorator that registers the template and returns it.

    Raises:
        RuleError: as for `elementwise`.
    """
    condition = Condition(tuple(given), tuple(active), when)
    return _registrar("definition", targets, condition=condition if condition != Condition() else None)


def zero(*targets: Any) -> None:
    """Register functions whose result never varies: integer-valued, piecewise constant, shapes, comparisons.

    Args:
        targets: the functions.

    Raises:
        RuleError: one of them has a rule already.
    """
    frame = sys._getframe(1)
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    _load_builtin()
    for target in targets:
        rule = _rule_for(target, place)
        for_all = rule.definition is not None and rule.definition.condition is None
        if rule.zero or rule.templates or for_all:
            raise RuleError(f"{place}: {rule.name} has a rule already, from {rule.place}")
        rule.zero, rule.zero_place = True, place
        _rules[target] = rule
    _note_change()


def remove(*targets: Any) -> None:
    """Take back the rules of functions: before others are registered for them, say.

    Args:
        targets: the functions.

    Raises:
        RuleError: one of them has no rule.

    >>> def cube(x):
    ...     return x**3
    >>> zero(cube); remove(cube)
    >>> lookup(cube) is None
    True
    """
    for target in targets:
        if lookup(target) is None:
            raise RuleError(f"{public_name(target)} has no rule")
        del _rules[target]
    _note_change()


def changes() -> tuple[dict[str, Any], str, int]:
    """Where it is counted how often rules were registered or taken back, not counting those that come with s2sad."""
    return globals(), "_changes", _changes


def _note_change() -> None:
    global _changes
    if not _loading:
        _changes += 1


def shares_memory(target: Any, argument: int = 0) -> None:
    """Say that the result of a function may be a view of one of its arguments."""
    _views[target] = argument
    _note_change()


def effects(*targets: Any) -> None:
    """Say that calls of functions have an effect beside their result (random draws): they are made once, in place."""
    _effects.update(targets)
    _note_change()


def takes_functions(
    target: Any,
    functions: str,
    leading: str,
    stem: str,
    result: str | None = None,
    results: dict[str, tuple[Any, ...]] | None = None,
    cls: Any = None,
    first: str = "x",
    any_args: bool = False,
) -> None:
    """Say that a solver calls functions that it is given, with `args` behind what it makes itself.

    Args:
        target: the solver.
        functions: the names of its parameters that take functions; `events[terminal,direction]` takes one or a row of
            them, of which the solver reads these attributes.
        leading: what these are called with, separated by commas: "float", "like x0" (of the kind of an argument, as
            floats), "flat x0" (with one axis).
        stem: what a function without a name is called in the output.
        result: the kind of the result in such words, those of several joined by "and".
        results: the attributes of the result, where it is an object: the kind in the words of `leading` (None where
            it is not known), and what the rules of the attribute are registered for: None for the solver itself,
            False where it does not vary, else a function that is called like the solver, with the attribute `first`
            before the rest. A third word names the arguments with which alone it varies; with one that bears a ! it
            varies where that is given at all. "each events some": a list with a value of that kind for each function
            in an argument; the rule gets this value, those beside it, and the function before the rest.
        cls: the class of the result.
        first: which attributes the others depend on.
        any_args: may `args` be a list just as well? (For others a list is one argument.)
    """
    words = tuple(part.strip() for part in leading.split(","))
    for name, (_, own, *_with) in (results or {}).items():
        if own and own in _rules:
            _rules[own].name = f"{public_name(target)}.{name}"  # as errors call it
    single = tuple(name for name in functions.split() if "[" not in name)
    read = (name.rstrip("]").split("[") for name in functions.split() if "[" in name)
    rows = {name: tuple(attributes.split(",")) for name, attributes in read}
    _functionals[target] = Functional(single, words, stem, result, results, cls, first, any_args, rows)
    _note_change()


def functional(target: Any) -> Functional | None:
    """How a solver calls the functions that it is given, or None."""
    _load_for(target)
    try:
        return _functionals.get(target)
    except TypeError:
        return None


def methods(**names: Any) -> None:
    """Say which function a method of ndarray stands for: `methods(sum=np.sum)`. The array is its first argument."""
    _methods.update(names)
    _note_change()


def attributes(**names: Any) -> None:
    """Say which function an attribute of ndarray stands for: `attributes(T=np.transpose)`."""
    _attributes.update(names)
    _note_change()


def _registrar(
    form: str,
    targets: tuple[Any, ...],
    options: dict[str, bool] | None = None,
    aliases: dict[str, str] | None = None,
    condition: Condition | None = None,
    newer: tuple[str, ...] = (),
) -> Callable[[F], F]:
    def register(function: F) -> F:
        if not isinstance(function, types.FunctionType):
            raise RuleError(f"a template must be a function, not {function!r}")
        chosen = frozenset(name for name, yes in (options or {}).items() if yes)
        template = Template(function, chosen, form == "definition", condition, newer)
        unknown = template.options - {"lazy", "broadcasts", "permutes", "selects", "counts"}
        if unknown:
            raise RuleError(f"{template.place}: there is no option {', '.join(sorted(unknown))}")
        _load_builtin()
        if not targets:
            raise RuleError(f"{template.place}: the rule is for no function; name it: @{form}(function)")
        with locks.rules:
            for target in targets:
                _add(form, target, template, aliases or {})
        _note_change()
        vars(function)["__s2sad_template__"] = True
        return function

    return register


def _add(form: str, target: Any, template: Template, aliases: dict[str, str]) -> None:
    rule = _rule_for(target, template.place)
    clashes = {
        "partials": ("partials", "linear", "adjoint", "tangent", "definition"),
        "linear": ("partials", "linear", "adjoint", "tangent", "definition"),
        "adjoint": ("partials", "linear", "adjoint", "definition"),
        "tangent": ("partials", "linear", "tangent", "definition"),
        "definition": ("partials", "linear", "adjoint", "tangent", "definition"),
    }[form]
    own = {getattr(rule, other) for other in clashes} - {None}
    zero = rule.zero
    if form == "definition" and template.condition is not None:
        own &= {rule.definition}
        zero = False
    elif form != "definition" and rule.definition is not None and rule.definition.condition is not None:
        own -= {rule.definition}
    if zero or own:
        raise RuleError(f"{template.place}: {rule.name} has a rule already, from {rule.place}")
    rule.aliases = {**rule.aliases, **aliases, **_shape_names(target, template)}
    if template.condition is None or not _loading:  # conditions name arguments that may be newer than this NumPy
        _check_signature(rule, template)
    setattr(rule, form, template)
    _rules[target] = rule


def _shape_names(target: Any, template: Template) -> dict[str, str]:
    """What a distribution's method calls its shape parameters, and the names that a template for several uses."""
    owner = getattr(target, "__self__", None)
    names = getattr(owner, "shapes", None)
    if not isinstance(names, str) or template.defines:
        return {}
    parameters = [p.name for p in template.parameters]
    return {
        theirs: mine
        for theirs, mine in zip(names.replace(" ", "").split(","), parameters[1:], strict=False)
        if theirs != mine
    }


def _rule_for(target: Any, place: str) -> Rule:
    if not callable(target):
        raise RuleError(f"{place}: a rule needs a function, not {target!r}")
    try:
        known = _rules.get(target)
    except TypeError:
        raise RuleError(f"{place}: a rule needs a function that can be looked up; {target!r} is not hashable") from None
    if known is not None:
        return known
    module = _home(target)
    return Rule(target, public_name(target), sys.modules.get(module))


def _home(target: Any) -> str:
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


#: public classes that stand for the private ones that they inherit from
_HOLDERS = ("PPoly", "csr_array")


def public_name(target: Any) -> str:
    """The name under which users know a function: `np.linalg.solve`, `math.sin`, `max`.

    >>> import numpy as np, operator
    >>> public_name(np.linalg.solve), public_name(operator.add), public_name(max)
    ('np.linalg.solve', 'operator.add', 'max')
    """
    module = _home(target)
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


def _check_signature(rule: Rule, template: Template) -> None:
    """Refuse a template whose parameters are not those of its function."""
    if _fits_at_a_glance(rule.target, template):
        return
    mine = template.parameters
    if len(inspect.signature(template.function).parameters) == 0 and not template.defines:
        raise RuleError(f"{template.place}: the first parameter of a template stands for the result of {rule.name}")
    try:
        theirs = list(inspect.signature(rule.target).parameters.values())
    except (ValueError, TypeError):
        nin = getattr(rule.target, "nin", None)
        if nin is not None and len([p for p in mine if p.default is p.empty]) != nin:
            raise RuleError(f"{template.place}: {rule.name} takes {nin} arguments, the template {len(mine)}") from None
        return
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    rest = [p.name for p in theirs if p.kind == p.VAR_POSITIONAL]
    keywords = any(p.kind == p.VAR_KEYWORD for p in theirs)
    order = [p for p in theirs if p.kind in positional]
    names = {p.name for p in theirs}
    for i, parameter in enumerate(mine):
        name = parameter.name
        if parameter.kind == parameter.VAR_POSITIONAL:
            fits = bool(rest)
        elif parameter.kind in positional:
            fits = (i >= len(order) and bool(rest)) or (
                i < len(order)
                and (
                    parameter.POSITIONAL_ONLY in (order[i].kind, parameter.kind)
                    or order[i].name == name
                    or rule.aliases.get(order[i].name) == name
                )
            )
        else:
            fits = name in names or keywords
        if parameter.default is not parameter.empty and name not in names:
            fits = fits or template.defines or name in template.newer
        if not fits:
            shown = ", ".join(p.name for p in theirs)
            raise RuleError(
                f"{template.place}: parameter {name} of the template is not at its place in {rule.name}({shown})"
            )
    missing = [p.name for p in order[len([p for p in mine if p.kind in positional]) :] if p.default is p.empty]
    if missing:
        raise RuleError(f"{template.place}: the template lacks the parameter {missing[0]} of {rule.name}")


def _fits_at_a_glance(target: Any, template: Template) -> bool:
    """Has a template the very parameters of its function? False: it takes a closer look to know.

    Most have, and `inspect.signature` of all functions of NumPy takes longer than loading their rules.

    >>> import numpy as np
    >>> def mean(y, a, axis=None, dtype=None): ...
    >>> def wrong(y, a, axes=None): ...
    >>> [_fits_at_a_glance(np.mean, Template(f, frozenset())) for f in (mean, wrong)]
    [True, False]
    """
    code = template.function.__code__
    first = 0 if template.defines else 1
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or code.co_argcount < first:
        return False
    mine = code.co_varnames[first : code.co_argcount]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if type(target).__name__ == "ufunc":
        return not keywords and len(mine) - len(template.function.__defaults__ or ()) == target.nin
    function = getattr(target, "_implementation", target)  # what NumPy's dispatch is around
    theirs = getattr(function, "__code__", None)
    if isinstance(function, types.FunctionType) and theirs is not None and not hasattr(function, "__wrapped__"):
        names = theirs.co_varnames[: theirs.co_argcount]
        others = theirs.co_varnames[theirs.co_argcount : theirs.co_argcount + theirs.co_kwonlyargcount]
        needed = len(names) - len(function.__defaults__ or ())
        return needed <= len(mine) and mine == names[: len(mine)] and {*keywords} <= {*names, *others}
    text = getattr(target, "__text_signature__", None)  # of those written in C: ($module, x, /)
    if not text or keywords or not text.endswith(", /)") or not isinstance(target, types.BuiltinFunctionType):
        return False
    parts = text.removeprefix("($module, ").removeprefix("(").removesuffix(", /)").split(", ")
    return len(parts) == len(mine) and all(part.isidentifier() for part in parts)


# -- questions ---------------------------------------------------------------------------------------------------------


def lookup(target: Any) -> Rule | None:
    """The rule of a function, or None.

    >>> import numpy as np
    >>> lookup(np.sin).name, lookup(np.floor).zero, lookup(open)
    ('np.sin', True, None)
    """
    _load_for(target)
    found = _rules.get(key_of(target))
    if found is None and isinstance(target, types.FunctionType):
        original = helper_like(target)
        if original is not None and "scipy" in sys.modules:
            _load_scipy()
        return _rules.get(original) if original is not None else None
    return found


def registered(function: types.FunctionType) -> Rule | None:
    """The rule that somebody has registered for a function of their own; no templates are loaded to know it."""
    return _rules.get(function)


def helper_like(function: types.FunctionType) -> Any | None:
    """The helper that a function is, or is a copy of: generated modules hold the source of those that they use."""
    from s2sad.runtime import helpers

    original = getattr(helpers, function.__name__, None)
    if original is function and helpers.is_helper(function):
        return original
    if original is None or not isinstance(original, types.FunctionType):
        return None
    mine, theirs = function.__code__, original.__code__
    same = mine.co_code == theirs.co_code and mine.co_names == theirs.co_names
    return original if same and mine.co_varnames == theirs.co_varnames else None


def view_of(target: Any) -> int | None:
    """The position of the argument whose memory the result of a function may share, or None.

    >>> import numpy as np
    >>> view_of(np.reshape), view_of(np.sin)
    (0, None)
    """
    _load_for(target)
    try:
        return _views.get(target)
    except TypeError:
        return None


def has_effect(target: Any) -> bool:
    """Has a call of a function that has a rule an effect beside its result?

    >>> import numpy as np
    >>> has_effect(np.random.Generator.normal), has_effect(np.sin)
    (True, False)
    """
    _load_for(target)
    try:
        return target in _effects
    except TypeError:
        return False


def method(kind: Any, name: str) -> Any | None:
    """The function that a method or attribute of a value of this kind stands for, called with the value first.

    Args:
        kind: the kind of the value.
        name: the method's or attribute's name.

    Returns:
        The function, or None when the kind has no such method that is known.

    >>> import numpy as np
    >>> from s2sad.kinds.kind import Array
    >>> method(Array(np.dtype(float), None), "sum").__name__
    'sum'
    """
    from s2sad.kinds.kind import Array, Number, Object, Unknown

    _load_builtin()
    if isinstance(kind, Object):
        found = getattr(kind.cls, name, None)
        return found if has_effect(found) or (found is not None and lookup(found) is not None) else None
    if isinstance(kind, (Unknown, Array)):
        return _methods.get(name, _attributes.get(name))
    if isinstance(kind, Number):
        if kind.type in (float, int, complex, bool):
            return (
                _attributes.get(name)
                if name in ("real", "imag")
                else _methods.get(name)
                if name == "conjugate"
                else None
            )
        return _methods.get(name, _attributes.get(name))
    return None


def is_attribute(name: str) -> bool:
    """Is this name of `method` an attribute, read without a call?"""
    _load_builtin()
    return name in _attributes


def attribute(kind: Any, name: str) -> Any | None:
    """The function that an attribute of an array stands for (`x.T` -> np.transpose), or None."""
    return method(kind, name) if is_attribute(name) else None


def registry(*, helpers: bool = False) -> list[Rule]:
    """All rules, by name.

    Args:
        helpers: also those for the helpers of generated code.

    >>> any(rule.name == "np.tanh" and rule.forward and rule.reverse for rule in registry())
    True
    """
    _load_builtin()
    if "scipy" in sys.modules:
        _load_scipy()
    parts = ("s2sad.templates", "s2sad.transform")  # of rules, and of what is derived
    hidden = parts if helpers else (*parts, "s2sad.runtime.helpers")
    shown = (r for r in _rules.values() if not (getattr(r.target, "__module__", None) or "").startswith(hidden))
    return sorted(shown, key=lambda rule: rule.name)


# -- the templates that come with s2sad --------------------------------------------------------------------------------


def _load_for(target: Any) -> None:
    _load_builtin()
    module = getattr(target, "__module__", None) or (
        "scipy" if "scipy" in sys.modules and hasattr(target, "nin") else ""
    )
    if isinstance(module, str) and (module.split(".")[0] == "scipy" or module.startswith("s2sad.runtime.helpers.")):
        _load_scipy()
    if isinstance(module, str) and module.split(".")[0] in _OTHERS:
        _load_others()


def _load_builtin() -> None:
    if "numpy" not in _loaded:
        _load("numpy", lambda name: not name.startswith("scipy") and name not in _OTHERS)


#: other packages of which a few functions have rules: templates/bottleneck.py with bottleneck
_OTHERS = ("bottleneck", "pandas")


def _load_others() -> None:
    for package in _OTHERS:
        if package not in _loaded and package in sys.modules:
            _load(package, lambda name, package=package: name == package)  # type: ignore[misc]


def _load_scipy() -> None:
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
    global _loading
    with locks.rules:
        if group in _loaded or _loading:
            return
        if group in _refused:
            raise _refused[group]
        _loading = True
        try:
            package = _template_package()
            for name in sorted(_modules_in(package)):
                if wanted(name):
                    _import_templates(f"{package.__name__}.{name}")
            _loaded.add(group)
        except RuleError as error:
            _refused[group] = error
            raise
        finally:
            _loading = False


def _import_templates(name: str) -> None:
    """Import a module of templates; a function that does not exist is an error with the template's place."""
    try:
        importlib.import_module(name)
    except (AttributeError, ImportError) as error:
        own = str(_template_package().__path__[0])
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(own)]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else name
        raise RuleError(f"{place}: a rule for a function that does not exist: {error}") from error


def _modules_in(package: types.ModuleType) -> Iterable[str]:
    import pkgutil

    return [m.name for m in pkgutil.iter_modules(package.__path__)]


def _template_package() -> types.ModuleType:
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
    directory = Path(__file__).resolve().parent.parent / "templates"
    path = directory / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(directory)])
    if spec is None or spec.loader is None or not path.exists():
        raise RuleError("s2sad's templates are not installed")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
