"""What is known of an atom of core Python."""

from __future__ import annotations

import gast

from s2sad.core import Expr, Facts, atom_key
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Kind, List, Static, Tuple


def kind_of_atom(expr: Expr, facts: Facts) -> Kind:
    """The kind of an atom of core Python, that is, of a name, a constant, a known part (`p['w']`) or a display of such.

    >>> from s2sad.core import quote
    >>> from s2sad.kinds.kind import Number
    >>> facts = Facts(kinds={"p['w']": Number(float)})
    >>> kind_of_atom(quote("(p['w'], None)"), facts)
    Tuple(items=(Number(type=<class 'float'>, value=None), Static(value=None)), cls=<class 'tuple'>)
    """
    if isinstance(expr, gast.Constant) and (isinstance(expr.value, (str, bool)) or expr.value is None):
        return Static(expr.value)
    if isinstance(expr, gast.List):
        return List(tuple(kind_of_atom(e, facts) for e in expr.elts))
    if isinstance(expr, gast.Tuple):
        return Tuple(tuple(kind_of_atom(e, facts) for e in expr.elts))
    if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):
        known = facts.kinds.get(atom_key(expr))
        if known is not None:
            return known
    return infer(expr, facts)
