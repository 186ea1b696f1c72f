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

import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from s2sad.knowledge import tables, templates
from s2sad.knowledge.names import home, public_name
from s2sad.knowledge.registry import listed as registry
from s2sad.knowledge.registry import lookup
from s2sad.knowledge.rule import HANDED_ON as HANDED_ON
from s2sad.knowledge.rule import Condition, Functional, Rule, RuleError, Template
from s2sad.knowledge.signatures import check_signature
from s2sad.locks import rules as lock

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
    templates.load_builtin()
    for target in targets:
        rule = _rule_for(target, place)
        for_all = rule.definition is not None and rule.definition.condition is None
        if rule.zero or rule.templates or for_all:
            raise RuleError(f"{place}: {rule.name} has a rule already, from {rule.place}")
        rule.zero, rule.zero_place = True, place
        tables.rules[target] = rule
    tables.note_change()


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
        del tables.rules[target]
    tables.note_change()


def shares_memory(target: Any, argument: int = 0) -> None:
    """Say that the result of a function may be a view of one of its arguments."""
    tables.views[target] = argument
    tables.note_change()


def effects(*targets: Any) -> None:
    """Say that calls of functions have an effect beside their result (random draws): they are made once, in place."""
    tables.effects.update(targets)
    tables.note_change()


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
        if own and own in tables.rules:
            tables.rules[own].name = f"{public_name(target)}.{name}"  # as errors call it
    single = tuple(name for name in functions.split() if "[" not in name)
    read = (name.rstrip("]").split("[") for name in functions.split() if "[" in name)
    rows = {name: tuple(attributes.split(",")) for name, attributes in read}
    tables.functionals[target] = Functional(single, words, stem, result, results, cls, first, any_args, rows)
    tables.note_change()


def methods(**names: Any) -> None:
    """Say which function a method of ndarray stands for: `methods(sum=np.sum)`. The array is its first argument."""
    tables.methods.update(names)
    tables.note_change()


def attributes(**names: Any) -> None:
    """Say which function an attribute of ndarray stands for: `attributes(T=np.transpose)`."""
    tables.attributes.update(names)
    tables.note_change()


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
        templates.load_builtin()
        if not targets:
            raise RuleError(f"{template.place}: the rule is for no function; name it: @{form}(function)")
        with lock:
            for target in targets:
                _add(form, target, template, aliases or {})
        tables.note_change()
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
    if template.condition is None or not tables.loading:  # conditions name arguments that may be newer than this NumPy
        check_signature(rule, template)
    setattr(rule, form, template)
    tables.rules[target] = rule


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
        known = tables.rules.get(target)
    except TypeError:
        raise RuleError(f"{place}: a rule needs a function that can be looked up; {target!r} is not hashable") from None
    if known is not None:
        return known
    module = home(target)
    return Rule(target, public_name(target), sys.modules.get(module))
