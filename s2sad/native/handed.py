"""Arrays that a caller hands in for the results of a kernel.

bx = np.zeros_like(x)                        out[:] = 0.0
for i in range(len(x)):             ->       for i in range(len(x)):
    bx[i] += 2.0 * x[i]                          out[i] += 2.0 * x[i]
return bx                                    return out
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, load, quote_statements, replace_names, walk_names
from s2sad.kinds.kind import Array, Kind
from s2sad.native.kinds_here import called

#: what makes an array of one value, and that value
_MAKERS = {np.zeros_like: 0.0, np.ones_like: 1.0, np.empty_like: None}
#: what the function around a kernel calls what is handed in: a tuple, in the order of wrt
OUT = "out"


def with_handed_in(
    body: list[Stmt], returned: list[Expr], gradients: list[int], kinds: list[Kind], facts: Facts
) -> list[str]:
    """Write what a kernel returns into arrays of the caller's, in place; names of these, "" for a number.

    Args:
        body: the statements before the return.
        returned: the parts that are returned.
        gradients: which of the parts are gradients.
        kinds: those of what they are gradients of.
    """
    names = []
    for place, kind in zip(gradients, kinds, strict=True):
        name = ""
        if isinstance(kind, Array):
            name = facts.fresh(OUT, temp=False)
            facts.kinds[name] = kind
            part: Any = returned[place]
            only = sum(getattr(p, "id", None) == getattr(part, "id", "") for p in returned) == 1
            if not (only and _in_its_place(body, part.id, name, facts)):
                body += quote_statements("out[:] = part", out=load(name), part=part)
            returned[place] = load(name)
        names.append(name)
    return names


def _in_its_place(body: list[Stmt], made: str, name: str, facts: Facts) -> bool:
    """Let an array that is made anew, in one place, be the caller's. False where it is another one."""
    stores = [n for s in body for n in walk_names(s) if n.id == made and not isinstance(n.ctx, gast.Load)]
    for place, statement in enumerate(body):
        if not isinstance(statement, gast.Assign) or len(stores) != 1 or statement.targets != stores:
            continue
        call: Any = statement.value
        maker = called(call.func, facts) if isinstance(call, gast.Call) and not call.keywords else None
        value = next((v for function, v in _MAKERS.items() if maker is function and len(call.args) == 1), ...)
        if value is ... and not isinstance(call, (gast.BinOp, gast.UnaryOp)):
            return False  # (it may be a view)
        whole = call if value is ... else value
        filled = quote_statements("out[:] = value", out=load(name), value=whole) if whole is not None else []
        for one in filled:
            one.origin = statement.__dict__.get("origin")
        body[place : place + 1] = filled
        replace_names(body, {made: load(name)})
        return True
    return False
