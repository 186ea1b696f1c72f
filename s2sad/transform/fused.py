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

from s2sad.core import Expr, Facts, Stmt, blocks_of, walk_names


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
        names = walk_names(body)
        uses = Counter([n.id for n in names if type(n.ctx) is gast.Load])
        bound = Counter([n.id for n in names if type(n.ctx) is not gast.Load])
        #: the compiler's names that are read once
        self.steps = {n for n in facts.temps if uses[n] == bound[n] == 1}
        self.found: dict[int, tuple[Any, list[Expr]]] = {}
        self.look(body)

    def application(self, statement: Any) -> tuple[Any, list[Expr]] | None:
        """The function, and its arguments, whose value the statement gives, all steps taken together."""
        return self.found.get(id(statement))

    def look(self, block: list[Any]) -> None:
        """Steps that stand right behind each other: nothing is overwritten between them."""
        for first, second, third in zip(block, block[1:], block[2:], strict=False):
            exponential = self.step(first, _beside_one(_applied(second), operator.add))
            divided = self.step(second, _beside_one(_applied(third), operator.truediv))
            if exponential is None or divided is None or exponential[0] not in (np.exp, math.exp):
                continue
            if not exponential[2] and len(exponential[1]) == 1:
                self.found[id(third)] = reciprocal_of_one_plus_exp, exponential[1]
        for s in block:
            for inner in blocks_of(s):
                self.look(inner)

    def step(self, statement: Any, read: Any) -> Any:
        """What the statement applies, if its value is read in the next one alone."""
        name = read.id if type(read) is gast.Name else None
        target: Any = statement.targets[0] if type(statement) is gast.Assign else None
        return _applied(statement) if type(target) is gast.Name and target.id == name in self.steps else None


def _applied(statement: Any) -> Any:
    return getattr(statement, "apply", None)


def _beside_one(apply: Any, function: Any) -> Any:
    """What 1 is divided by, or added to."""
    if apply is None or apply[0] is not function or apply[2] or len(apply[1]) != 2:
        return None
    pairs = [apply[1], apply[1][::-1]] if function is operator.add else [apply[1]]
    ones = (b for a, b in pairs if type(a) is gast.Constant and type(a.value) in (int, float) and a.value == 1)
    return next(ones, None)
