"""Operations that are reversed as one: their slope follows from the result, so that the steps between are not kept.

    o = 1.0 / (1.0 + np.exp(-z))        the slope in z is o * (1.0 - o)
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import nested
from s2sad.core import Expr, Facts, Stmt, walk_names


def reciprocal_of_one_plus_exp(u: Any) -> Any:
    """1 / (1 + exp(u)), the logistic function of -u.

    >>> float(reciprocal_of_one_plus_exp(0.0))
    0.5
    """
    return 1.0 / (1.0 + np.exp(u))


class Fused:
    """The operations of a function that are the last of several which are reversed as one.

    Args:
        body: the function in core Python, where each operation is a statement.
        facts: what is known of its names.

    >>> from s2sad.core import statements
    >>> body = statements("t = np.exp(u)\\nt_1 = 1.0 + t\\ny = 1.0 / t_1")
    >>> one = gast.Constant(1.0, None)
    >>> body[0].apply = np.exp, [body[0].value.args[0]], {}
    >>> body[1].apply = operator.add, [one, body[1].value.right], {}
    >>> body[2].apply = operator.truediv, [one, body[2].value.right], {}
    >>> fused = Fused(body, Facts(temps={"t", "t_1"}))
    >>> [found and (found[0].__name__, found[1][0].id) for found in map(fused.application, body)]
    [None, None, ('reciprocal_of_one_plus_exp', 'u')]
    """

    def __init__(self, body: list[Stmt], facts: Facts) -> None:
        uses = Counter(n.id for n in walk_names(body) if type(n.ctx) is gast.Load)
        bound = Counter(n.id for n in walk_names(body) if type(n.ctx) is not gast.Load)
        #: what the compiler's names stand for that are read once
        self.steps: dict[str, Any] = {}
        for s in (s for top in body for s in nested(top)):
            name = s.targets[0].id if type(s) is gast.Assign and type(s.targets[0]) is gast.Name else None
            if name in facts.temps and uses[name] == bound[name] == 1 and getattr(s, "apply", None) is not None:
                self.steps[name] = s.apply

    def application(self, statement: Any) -> tuple[Any, list[Expr]] | None:
        """The function, and its arguments, whose value the statement gives, all steps taken together."""
        apply = getattr(statement, "apply", None)
        divisor = _beside_one(apply, operator.truediv)
        exponential = _beside_one(self.step(divisor), operator.add) if divisor is not None else None
        step = self.step(exponential)
        if step is None or step[0] not in (np.exp, math.exp) or step[2] or len(step[1]) != 1:
            return None
        return reciprocal_of_one_plus_exp, step[1]

    def step(self, expr: Any) -> Any:
        return self.steps.get(expr.id) if type(expr) is gast.Name else None


def _beside_one(apply: Any, function: Any) -> Any:
    """What 1 is divided by, or added to."""
    if apply is None or apply[0] is not function or apply[2] or len(apply[1]) != 2:
        return None
    pairs = [apply[1], apply[1][::-1]] if function is operator.add else [apply[1]]
    ones = (b for a, b in pairs if type(a) is gast.Constant and type(a.value) in (int, float) and a.value == 1)
    return next(ones, None)
