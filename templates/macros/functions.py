"""Functions that solvers take: their derivatives are derived here, become functions of the generated module, and are
called by what the rules write."""

import linecache
from itertools import count

import gast
import numpy as np

from s2sad.core import assign, load
from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO

_numbers = count(1)


# -- functions made of a function --------------------------------------------------------------------------------------


def parameters_of(function):
    return list(function.__code__.co_varnames[: function.__code__.co_argcount])


def remembered(function, key, make):
    """What was made of a function before: rules are expanded more than once."""
    made = function.__dict__.setdefault("__s2sad_solver__", {})
    if key not in made:
        made[key] = make()
    return made[key]


def derivative_of(function, result, wrt, kinds):
    """The derivative of a function with respect to the parameters at some positions, as a function."""
    from s2sad.derive import derive
    from s2sad.emit.module import module_text
    from s2sad.request import Request
    from s2sad.runtime.load import load as compiled

    names = parameters_of(function)

    def make():
        request = Request(result, tuple(names[i] for i in wrt), len(wrt) == 1)
        derived = derive(function, request, dict(zip(names, kinds, strict=True)))
        return compiled(module_text(derived), derived)

    return remembered(function, (result, wrt, tuple(kinds)), make)


def written(function, name, parameters, body, **used):
    """A function with the given text that uses others; they go by their own names in it."""
    text = f"def {name}({', '.join(parameters)}):\n" + "".join(f"    {line}\n" for line in body)

    def make():
        file = f"<s2sad {name} {next(_numbers)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"np": np, "__name__": "s2sad_generated", **used}
        exec(compile(text, file, "exec"), scope)
        return scope[name]

    return remembered(function, (text, tuple(id(u) for u in used.values())), make)


def new_name(name, taken):
    while name in taken:
        name += "_"
    return name


def along_vector(function, vector):
    """The sum of a function's results times weights: its gradient is the transposed Jacobian times the weights."""
    names = parameters_of(function)
    weights = new_name("w", names)
    own = function.__name__
    product = f"np.sum({weights} * {own}({', '.join(names)}))" if vector else f"{weights} * {own}({', '.join(names)})"
    return written(function, f"{own}along_vector", [*names, weights], [f"return {product}"], **{own: function})


def jacobian_of(function, kinds):
    """The Jacobian of a function with respect to its first parameter, a vector, column by column."""
    names = parameters_of(function)
    tangent = derivative_of(function, "jvp", (0,), kinds)
    columns, step, k = (new_name(n, names) for n in ("columns", "e", "k"))
    x, own = names[0], tangent.__name__
    body = [
        f"{columns} = np.zeros(({x}.size, {x}.size))",
        f"for {k} in range({x}.size):",
        f"    {step} = np.zeros({x}.size)",
        f"    {step}[{k}] = 1.0",
        f"    {columns}[:, {k}] = {own}({', '.join([*names, step])})[1]",
        f"return {columns}",
    ]
    return written(function, f"jacobian_{function.__name__}", names, body, **{own: tangent})


# -- calls of them -----------------------------------------------------------------------------------------------------


def function_of(context, f):
    """The function that a solver is given."""
    function = getattr(f.kind, "value", None) if isinstance(f, Operand) else f
    if not hasattr(function, "__code__"):
        raise context.unknown("the function that it is given")
    return function


def further_items(context, args):
    """The arguments behind those that the solver makes."""
    if isinstance(args, list):
        return args
    if not isinstance(args, Part):
        return []
    items = args.items()
    if items is None:
        raise context.unknown("the length of the tuple args")
    return items


def active_items(context, items):
    return tuple(i for i, item in enumerate(items) if context.is_active(item))


def call_of_function(context, function, *operands):
    """A call of a function of the module."""
    return gast.Call(load(context.name_of(function, function.__name__)), [as_literal(o) for o in operands], [])


def named_parts(context, call, stems, kinds):
    """Names for the parts of what a call returns."""
    names = [context.facts.fresh(stem) for stem in stems]
    context.facts.kinds.update(zip(names, kinds, strict=True))
    if len(names) == 1:
        context.statements.append(assign(names[0], call))
    else:
        pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in names], gast.Store())
        context.statements.append(assign(pattern, call))
    return [Operand(load(n), k) for n, k in zip(names, kinds, strict=True)]


def gradients_of(context, function, operands, wrt):
    """The gradient of a function at operands, a part for each position in wrt."""
    kinds = [o.kind for o in operands]
    gradient = derivative_of(function, "grad", wrt, kinds)
    stems = ["slope" if i == 0 else "b" + parameters_of(function)[i] for i in wrt]
    return named_parts(context, call_of_function(context, gradient, *operands), stems, [kinds[i] for i in wrt])


def tangent_of_call(context, function, operands, wrt, tangents):
    """The tangent of a function's result."""
    jvp = derivative_of(function, "jvp", wrt, [o.kind for o in operands])
    call = gast.Subscript(call_of_function(context, jvp, *operands, *tangents), gast.Constant(1, None), gast.Load())
    return call


def tangents_of_items(context, items):
    wrt = active_items(context, items)
    return wrt, [context.tangents[items[i].key] for i in wrt]


def is_scalar_unknown(context, x):
    if x.ndim is None or x.ndim > 1:
        raise context.unknown("the rank of the unknown (0 or 1)")
    return x.ndim == 0


def listed_contributions(items, found):
    """A contribution for each item."""
    return [found.get(i, ZERO) for i in range(len(items))]


# -- least squares: minima of half the sum of squares ------------------------------------------------------------------


@macro
def part_of(context, parts, i):
    """One of several."""
    return parts[i]
