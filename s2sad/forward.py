"""The forward-mode derivative of a function: its value and tangent in one sweep."""

from __future__ import annotations

import gast

from s2sad.analysis.aliasing import check_rebindings
from s2sad.analysis.halving import check_halving
from s2sad.analysis.layout import guards, memory_of
from s2sad.analysis.zeros import FULL
from s2sad.core import (
    assign,
    clone,
    load,
    quote,
    walk_names,
)
from s2sad.entry import copies_on_entry
from s2sad.expansion.fit import numpy_name
from s2sad.frontend.names import check_hidden
from s2sad.normal.lowered import Core
from s2sad.normal.values.facts import kind_of
from s2sad.normal.values.making import expression
from s2sad.pairs import Functions
from s2sad.request import Derived, Request
from s2sad.tidy import tidy
from s2sad.tidy.own import own_results
from s2sad.transform.checks import eliminate_checked
from s2sad.transform.tangent import TangentSweep


def tangent_function(core: Core, request: Request, parameters: list[str], beside: tuple[str, ...] = ()) -> Derived:
    """The function that returns the value and its tangent; behind the primal's parameters come the tangents.

    Args:
        beside: arrays among the parameters with a tangent of their own, which is zero when the function begins.
    """
    facts = core.facts
    value = expression(core.run, core.result)
    live = {n.id for n in walk_names(value)}
    body = eliminate_checked(core.body, facts, parameters, lambda: numpy_name(facts), live_out=live, owned=parameters)
    memory = memory_of(body, facts, core.run.alias, parameters, live)
    check_halving(body, facts, core, live)
    check_rebindings(body, memory, core, live)
    functions = Functions(core.run.program, facts, request)
    functions.follow_tangents(body)
    results = {key: FULL for key in facts.varied if key.partition("[")[0].partition(".")[0] in live}
    dropped = functions.follow_dropped(body, results)
    worker = TangentSweep(core, facts, memory, functions)
    worker.dropped = dropped
    tangents = tuple(worker.tangents.parameter(name) for name in request.wrt)
    tree = core.source.tree
    normal = gast.FunctionDef(tree.name, clone(tree.args), [*clone(body), gast.Return(clone(value))], [], None, None)
    names = worker.tangents
    zero = {names.parameter(name): quote(f"{numpy_name(facts)}.zeros_like(x)", x=load(name)) for name in beside}
    start = names.become_active(parameters, {*request.wrt, *beside})
    out = [*(assign(t, zeros) for t, zeros in zero.items()), *start, *worker.sweep(body, parameters)]
    tangent = worker.structure(core.result)
    result = gast.Return(gast.Tuple([value, tangent], gast.Load()))
    owned = [*parameters, *tangents]
    worker.tangents.mirror_aliases()
    raw = clone([*out, result])
    whole = eliminate_checked([*out, result], facts, owned, lambda: numpy_name(facts), live_out=(), owned=owned)
    for name in (n.id for statement in whole for n in walk_names(statement)):
        if name in worker.lacking:
            raise worker.lacking[name]
    whole = copies_on_entry(whole, owned, core, facts)
    whole = tidy(whole, facts, live_out=(), owned=(), parameters=owned)
    whole = own_results(whole, facts, owned, [kind_of(core.run, core.result)] * 2)
    name = f"jvp_{core.source.tree.name}"
    arguments = clone(core.source.tree.args)
    extra = [gast.Name(t, gast.Param(), None, None) for t in tangents]
    if arguments.vararg is not None or arguments.kwonlyargs or arguments.kwarg is not None:
        arguments.kwonlyargs = [*arguments.kwonlyargs, *extra]
        arguments.kw_defaults = [*arguments.kw_defaults, *([None] * len(extra))]
    else:
        arguments.args = [*arguments.args, *extra]
        if arguments.defaults:
            arguments.defaults = [*arguments.defaults, *(gast.Constant(None, None) for _ in extra)]
    stages = {"normal": normal, "tangent": gast.FunctionDef(name, clone(arguments), raw, [], None, None)}
    made = gast.FunctionDef(name, arguments, [*guards(facts), *whole], [], None, None)
    check_hidden(made, core.source)
    whole, support = functions.with_needed(made, facts), functions.support()
    return Derived(name, whole, facts, tangents, stages, lines=functions.lines, support=support)
