"""Sums of products by indices."""

from __future__ import annotations

import itertools

import gast
import numpy as np
from s2sad.templates.macros.basics import as_operand, multiplied

from s2sad.expansion.fit import ONE
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import NOT_STATIC, Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array


def _einsum_spec(context, operands):
    """Subscripts of the operands and of the result, without ellipses, and the operands."""
    if isinstance(operands[0], Part) and isinstance(operands[0].static, str):
        spec = operands[0].static.replace(" ", "")
        arrays = operands[1:]
        if any(x.ndim is None for x in arrays):
            raise context.unknown("the ranks of the operands")
        left, arrow, right = spec.partition("->")
        terms = left.split(",")
    else:
        terms, right, arrays = _einsum_lists(context, operands)
        left, arrow, spec = ",".join(terms), right is not None, "".join(terms) + (right or "")
        if any(x.ndim is None for x in arrays):
            raise context.unknown("the ranks of the operands")
    if len(terms) != len(arrays):
        raise context.refuse("the subscripts do not fit the number of operands")
    if not arrow:
        letters = sorted(c for c in set(left) - {",", "."} if left.count(c) == 1)
        right = ("..." if "..." in left else "") + "".join(letters)
    free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in spec]
    ranks = [x.ndim - len(t.replace("...", "")) if "..." in t else 0 for t, x in zip(terms, arrays, strict=True)]
    widest = max(ranks, default=0)
    batch = "".join(free[:widest])
    terms = [t.replace("...", batch[widest - r :]) for t, r in zip(terms, ranks, strict=True)]
    return terms, right.replace("...", batch), list(arrays)


def _einsum_lists(context, operands):
    """The terms, the result (None where it is left out) and the arrays of np.einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def term(part):
        items = part.items()
        values = [i.static for i in items] if items is not None else part.static
        if not isinstance(values, (list, tuple)) or any(v is NOT_STATIC for v in values):
            raise context.unknown("the subscripts")
        return "".join("..." if v is Ellipsis else letters[v] for v in values)

    pairs = len(operands) // 2
    terms = [term(operands[2 * i + 1]) for i in range(pairs)]
    right = term(operands[-1]) if len(operands) % 2 else None
    return terms, right, [operands[2 * i] for i in range(pairs)]


@macro
def einsum_operands(context, operands):
    """The array operands of np.einsum."""
    return _einsum_spec(context, operands)[2]


@macro
def einsum_part(context, g, operands, x):
    """The adjoint of one operand of np.einsum: the same sum with the result and this operand exchanged."""
    if not context.is_active(x):
        return ZERO
    terms, result, arrays = _einsum_spec(context, operands)
    at = next(i for i, a in enumerate(arrays) if a.key == x.key)
    mine = terms[at]
    if len(set(mine)) != len(mine):
        return _einsum_diagonal(context, g, terms, result, arrays, at)
    inputs = [result, *(t for i, t in enumerate(terms) if i != at)]
    values = [g, *(a for i, a in enumerate(arrays) if i != at)]
    return _einsum(context, inputs, values, mine, x, arrays, terms)


def _is_short(x):
    """Are the elements bools, or ints of less than 64 bits?"""
    return isinstance(x.kind, Array) and (x.dtype.kind == "b" or (x.dtype.kind in "iu" and x.dtype.itemsize < 8))


def _einsum(context, inputs, values, mine, x, arrays, terms):
    """np.einsum(inputs -> mine); letters that only this operand has were summed out: they are broadcast back."""
    from s2sad.expansion.fit import as_literal

    dims = {}
    for term, array in zip(terms, arrays, strict=True):
        for letter, dim in zip(term, array.shape, strict=True):
            if letter not in dims or dims[letter] == ONE:
                dims[letter] = dim
    shape = dict(zip(mine, x.shape, strict=True))
    # a length of 1 that met longer ones was broadcast: it is summed, not kept
    kept = [c for c in mine if any(c in t for t in inputs) and not (shape[c] == ONE and dims[c] != ONE)]
    g = as_operand(values[0])
    # bools and short ints among themselves would stay what they are: their sums would not be those of floats
    values = [g, *(context.quote("v.astype(float)", v=v) if _is_short(v) else v for v in values[1:])]
    if g.is_scalar and inputs[0] == "":
        values, inputs = values[1:], inputs[1:]
        outside = g
    else:
        outside = None
    if not inputs:
        value = outside
    elif len(inputs) == 1 and inputs[0] == "".join(kept):
        value = as_operand(values[0])
        if outside is not None:
            value = multiplied(context, outside, "v", v=value)
    else:
        spec = ",".join(inputs) + "->" + "".join(kept)
        call = context.quote("np.einsum(s)", s=spec)
        call.expr.args.extend(as_literal(v) for v in values)
        if len(inputs) > 2 and _in_pairs(inputs, kept) < len(set("".join(inputs))):
            call.expr.keywords.append(gast.keyword("optimize", gast.Constant(True, None)))
        from s2sad.expansion.fit import kind_of

        value = Operand(call.expr, kind_of(call.expr, context.facts))
        if outside is not None:
            value = multiplied(context, outside, "v", v=value)
    if kept and len(kept) < len(mine):
        first = mine.index(kept[0])
        items = [slice(None) if c in kept else None for c in mine[first:]]
        if not all(isinstance(i, slice) for i in items):
            index = [gast.Slice(None, None, None) if isinstance(i, slice) else gast.Constant(None, None) for i in items]
            expr = gast.Subscript(value.expr, gast.Tuple(index, gast.Load()), gast.Load())
            dims_out = tuple(shape[c] if c in kept else ONE for c in mine[first:])
            value = Operand(expr, Array(value.dtype or np.dtype(float), dims_out))
        elif value.shape is None:
            value = Operand(value.expr, Array(value.dtype or x.dtype, tuple(shape[c] for c in kept)))
    # a length of 1 that is shared with lengths that are not, in an operand that g does not have
    return value


def _in_pairs(terms, result):
    """The most letters that a step of a sum of products runs over, two operands at a time in the best order: three for
    ij,jk,kl->il, which runs over four at once."""
    if len(terms) < 3:
        return len(set("".join(terms)))
    best = len(set("".join(terms)))
    for i, j in itertools.combinations(range(len(terms)), 2):
        rest = [t for k, t in enumerate(terms) if k not in (i, j)]
        both = set(terms[i] + terms[j])
        left = "".join(both & {*result, *"".join(rest)})
        best = min(best, max(len(both), _in_pairs([*rest, left], result)))
    return best


def _einsum_diagonal(context, g, terms, result, arrays, at):
    """An operand with a repeated index (a diagonal was taken): its adjoint is zero off the diagonal."""
    x, mine = arrays[at], terms[at]
    letters = "".join(dict.fromkeys(mine))
    free = [c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in "".join(terms) + result]
    spelt, eyes, out = [], [], ""
    seen = set()
    for i, c in enumerate(mine):
        if c in seen:
            fresh = free.pop(0)
            spelt.append(c + fresh)
            eyes.append(context.quote("np.eye(x.shape[i], dtype=x.dtype)", x=x, i=i))
            out += fresh
        else:
            seen.add(c)
            out += c
    inputs = [result, *(t for i, t in enumerate(terms) if i != at), *spelt]
    values = [g, *(a for i, a in enumerate(arrays) if i != at), *eyes]
    from s2sad.expansion.fit import as_literal

    call = context.quote("np.einsum(s)", s=",".join(inputs) + "->" + out)
    call.expr.args.extend(as_literal(v) for v in values)
    assert letters
    return Operand(call.expr, x.kind)
