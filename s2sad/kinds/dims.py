"""Arithmetic of lengths: what can be proved about symbolic lengths and int values.

The contract of the whole package is: **two equal `Dim`s are equal at run time**. So a length that is no linear
expression gets a symbol of its own: a *defined* symbol is a function of other lengths and is named after it (equal
expressions give equal symbols), a *fresh* symbol is equal to nothing else.

A symbol that is spelled like an identifier (`n`, `x.0`) is the length of an argument and at least 2: lengths 0 and 1
are part of a signature as plain numbers. Where somebody wrote it down (`n`), nothing checks that it is, so that no
test in the code is decided by it (`certain_lower`). With a `#` behind it (`x.0#`) it is the length of an argument of a
function that calls itself, which may get shorter from call to call. Every other symbol (an int argument, a fresh or
defined one) has marks in it and may be any number, unless its definition says otherwise.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from s2sad.kinds.kind import Dim

ZERO = Dim.of(0)
ONE = Dim.of(1)

_counter = itertools.count(1)
_factors: dict[str, tuple[str, ...]] = {}  # "m*n" -> ("m", "n")
_defined: dict[str, tuple[Callable[..., int], tuple[Dim, ...], int | None]] = {}  # name -> function, parts, lower bound
_upper: dict[str, Dim] = {}  # a defined symbol, or one that takes some values, is never above this
_among: dict[str, tuple[Dim, Dim]] = {}  # "i@1 in 0..n - 1" -> the least and the greatest of the values it takes
_made = 0


def fresh() -> Dim:
    """A length that is equal to no other."""
    global _made
    _made = next(_counter)
    return Dim.symbol(f"?{_made}")


def fresh_count() -> int:
    """How many fresh symbols there have been (so that results that hold new ones are not cached)."""
    return _made


def length(name: str, *known: Dim) -> Dim:
    """The length of the argument `name`, which stands for the `known` lengths of all calls.

    >>> n = Dim.symbol("n")
    >>> str(length("x.0", n)), str(length("x.0", n, n - 1)), at_least(length("x.0", n, n - 1), 0)
    ('x.0', 'x.0#', True)
    """
    return Dim.symbol(name if all(at_least(d, 2) for d in known) else f"{name}#")


def either(new: Dim, *lengths: Dim) -> Dim:
    """A new symbol for what is one of some lengths; where these are at least 2, so is it (and has a `+` to say so).

    >>> n = Dim.symbol("n")
    >>> str(either(Dim.symbol("s@1"), n, Dim.of(3))), str(either(Dim.symbol("s@1"), n, Dim.of(1)))
    ('s@1+', 's@1')
    """
    if new.terms[0][0][-1] in "@0123456789" and all(at_least(d, 2) for d in lengths):
        return Dim.symbol(new.terms[0][0] + "+")
    return new


def variable(name: str) -> Dim:
    """The value of the int variable `name`: any integer. The caller answers for the name standing for one value."""
    return Dim.symbol(f"{name}$")


def among(symbol: Dim, low: Dim, high: Dim) -> Dim:
    """The symbol of what takes the values from low to high: the variable of a loop.

    >>> n = Dim.symbol("n")
    >>> i = among(Dim.symbol("i@1"), ZERO, n - 3)
    >>> str(i), at_least(i, 0), at_least(n - i, 3), str(slice_length(n, i, i + 3))
    ('i@1 in 0..n - 3', True, True, '3')
    """
    name = f"{symbol} in {low}..{high}"
    _among[name] = low, high
    _upper[name] = high
    return Dim.symbol(name)


@lru_cache(maxsize=8192)
def symbol_lower(symbol: str) -> int | None:
    """The least value that a symbol can have, or None."""
    if symbol in _factors:
        bound = 1
        for factor in _factors[symbol]:
            low = symbol_lower(factor)
            if low is None or low < 0:
                return None
            bound *= low
        return bound
    if symbol in _defined:
        return _defined[symbol][2]
    if symbol in _among:
        return certain_lower(_among[symbol][0])
    if symbol.endswith("+"):
        return 2
    if re.fullmatch(r"[^\W\d][\w.]*", symbol):
        return 2
    return 0 if re.fullmatch(r"\?\d+|[^\W\d][\w.]*#", symbol) else None


def lower(dim: Dim) -> int | None:
    """A proved lower bound of the value, or None."""
    for symbol, factor in dim.terms:
        if factor < 0 and symbol in _upper:
            return lower(dim + (_upper[symbol] - Dim.symbol(symbol)) * factor)
    bound = dim.const
    for symbol, factor in dim.terms:
        low = symbol_lower(symbol)
        if factor < 0 or low is None:
            return None
        bound += factor * low
    return bound


def certain_lower(dim: Dim) -> int | None:
    """A lower bound that holds for lengths below 2 too, where a letter stands for the length (`x: f8[n]`), or None.

    >>> n, x0 = Dim.symbol("n"), Dim.symbol("x.0")
    >>> certain_lower(n + 1), certain_lower(x0 + 1), certain_lower(floordiv(n, Dim.of(2)))
    (1, 3, None)
    """
    bound = dim.const
    for symbol, factor in dim.terms:
        low = _certain_symbol_lower(symbol)
        if factor < 0 or low is None:
            return lower(dim) if not any(s.isidentifier() for s in base_symbols([dim])) else None
        bound += factor * low
    return bound


def _certain_symbol_lower(symbol: str) -> int | None:
    low = symbol_lower(symbol)
    if low is None or not any(s.isidentifier() for s in base_symbols([Dim.symbol(symbol)])):
        return low
    clipped_at_0 = symbol.startswith("max(") and symbol.endswith(", 0)")
    return 0 if symbol not in _defined or clipped_at_0 else None


def is_fixed(dim: Dim) -> bool:
    """Has the length one value throughout a call: does it depend on arguments and constants only?

    Fresh symbols stand for one evaluation of an expression. Where a name or a list holds the results of several (loops,
    appended items), lengths that are not fixed say nothing.

    >>> is_fixed(Dim.symbol("x.0") + variable("k")), is_fixed(clipped(fresh() - 1))
    (True, False)
    """
    return all(re.fullmatch(r"[^\W\d][\w.]*[$#]?", symbol) for symbol in base_symbols([dim]))


def at_least(dim: Dim, bound: int) -> bool:
    """Is the value proved to be at least `bound`?"""
    low = lower(dim)
    return low is not None and low >= bound


def at_most(dim: Dim, bound: int) -> bool:
    """Is the value proved to be at most `bound`?"""
    return at_least(dim * -1, -bound)


def product(a: Dim, b: Dim) -> Dim:
    """The product, a linear expression over products of symbols.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> str(product(n - 1, m)), product(n, m) == product(m, n)
    ('-1*m + m*n', True)
    """
    if a.known:
        return b * a.const
    if b.known:
        return a * b.const
    total = Dim.of(a.const * b.const) + Dim(a.terms) * b.const + Dim(b.terms) * a.const
    for s, f in a.terms:
        for t, g in b.terms:
            names = tuple(sorted(_factors.get(s, (s,)) + _factors.get(t, (t,))))
            name = "*".join(n if " " not in n else f"({n})" for n in names)
            _factors[name] = names
            total = total + Dim(((name, f * g),))
    return total


def product_of(dims: Iterable[Dim]) -> Dim:
    """The product of several lengths: the size of an array."""
    total = ONE
    for dim in dims:
        total = product(total, dim)
    return total


def define(
    name: str, function: Callable[..., int], parts: tuple[Dim, ...], low: int | None = None, high: Dim | None = None
) -> Dim:
    """The symbol for `function(*parts)`; `name` has to say both, and `low` and `high` are bounds of the value."""
    if name not in _defined:
        _defined[name] = (function, parts, low)
        if high is not None:
            _upper[name] = high
    return Dim.symbol(name)


def clipped(dim: Dim) -> Dim:
    """max(dim, 0).

    >>> n = Dim.symbol("n")
    >>> str(clipped(n - 2)), str(clipped(n - 3)), str(clipped(Dim.of(-1)))
    ('n - 2', 'max(n - 3, 0)', '0')
    """
    if at_least(dim, 0):
        return dim
    if at_most(dim, 0):
        return ZERO
    return define(f"max({dim}, 0)", lambda v: max(v, 0), (dim,), 0)


def floordiv(a: Dim, b: Dim) -> Dim:
    """a // b."""
    if b.known and b.const:
        k = b.const
        if all(f % k == 0 for _, f in a.terms):
            return Dim(tuple((s, f // k) for s, f in a.terms), a.const // k)
    exact = exact_quotient(a, b)
    if exact is not None:
        return exact
    positive = at_least(a, 0) and at_least(b, 1)
    return define(
        f"({a}) // ({b})", lambda x, y: x // y if y else 0, (a, b), 0 if positive else None, a if positive else None
    )


def exact_quotient(a: Dim, b: Dim) -> Dim | None:
    """a / b where it is a length whatever the symbols are (b nonzero), else None.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> str(exact_quotient(product(n, m) * 6, m * 2)), exact_quotient(n, Dim.of(2))
    ('3*n', None)
    """
    if a == b and not (b.known and b.const == 0):
        return ONE
    if b.known:
        k = b.const
        if k and a.const % k == 0 and all(f % k == 0 for _, f in a.terms):
            return Dim(tuple((s, f // k) for s, f in a.terms), a.const // k)
        return None
    if len(b.terms) != 1 or b.const or a.const:
        return None
    (divisor, k), total = b.terms[0], ZERO
    divisors = _factors.get(divisor, (divisor,))
    for s, f in a.terms:
        rest = list(_factors.get(s, (s,)))
        for d in divisors:
            if d not in rest:
                return None
            rest.remove(d)
        if f % k:
            return None
        total = total + product_of(Dim.symbol(r) for r in rest) * (f // k)
    return total


def remainder(a: Dim, b: Dim) -> Dim:
    """a % b."""
    if b.known and b.const and all(f % b.const == 0 for _, f in a.terms):
        return Dim.of(a.const % b.const)
    if exact_quotient(a, b) is not None:
        return ZERO
    return define(f"({a}) % ({b})", lambda x, y: x % y if y else 0, (a, b), 0 if at_least(b, 1) else None)


def minimum(a: Dim, b: Dim) -> Dim:
    """min(a, b)."""
    if at_least(b - a, 0):
        return a
    if at_least(a - b, 0):
        return b
    first, second = sorted((a, b), key=str)
    lows = [v for v in (lower(a), lower(b)) if v is not None]
    low = min(lows) if len(lows) == 2 else None
    return define(f"min({first}, {second})", min, (first, second), low)


def maximum(a: Dim, b: Dim) -> Dim:
    """max(a, b)."""
    if at_least(b - a, 0):
        return b
    if at_least(a - b, 0):
        return a
    first, second = sorted((a, b), key=str)
    lows = [v for v in (lower(a), lower(b)) if v is not None]
    return define(f"max({first}, {second})", max, (first, second), max(lows) if lows else None)


def ceil_div(length: Dim, step: int) -> Dim:
    """The number of elements that every step-th of `length` >= 0 elements makes."""
    if step == 1 or length.known:
        return Dim.of(-(-length.const // step)) if length.known else length
    if all(f % step == 0 for _, f in length.terms):
        return Dim(tuple((s, f // step) for s, f in length.terms), -(-length.const // step))
    return define(f"ceil(({length}) / {step})", lambda v: -(-v // step), (length,), 1 if at_least(length, 1) else 0)


def slice_length(n: Dim, start: Dim | None, stop: Dim | None, step: int = 1) -> Dim:
    """The length of x[start:stop:step] for x of length n.

    >>> n = Dim.symbol("n")
    >>> [str(slice_length(n, a, b)) for a, b in [(Dim.of(1), Dim.of(-1)), (Dim.of(2), None), (None, Dim.of(5))]]
    ['n - 2', 'n - 2', 'min(5, n)']
    >>> str(slice_length(n, Dim.of(-2), None)), str(slice_length(n, Dim.of(3), None))
    ('2', 'max(n - 3, 0)')
    """
    if n.known and (start is None or start.known) and (stop is None or stop.known):
        bounds = slice(None if start is None else start.const, None if stop is None else stop.const, step)
        return Dim.of(len(range(n.const)[bounds]))
    if step < 0 and start is None and stop is None:
        return ceil_div(n, -step)
    if step > 0:
        length = _step_one(n, ZERO if start is None else start, stop)
        if length is not None:
            return ceil_div(length, step)
    parts = (n, *(d for d in (start, stop) if d is not None))

    def count(size: int, *bounds: int) -> int:
        rest = list(bounds)
        first = None if start is None else rest.pop(0)
        return len(range(size)[first : rest.pop(0) if stop is not None else None : step])

    name = f"len(range({n})[{'' if start is None else start}:{'' if stop is None else stop}:{step}])"
    return define(name, count, parts, 0)


def _step_one(n: Dim, start: Dim, stop: Dim | None) -> Dim | None:
    """The length of x[start:stop], or None where the bounds' signs or the clipping cannot be told."""
    from_end = at_most(start, -1)
    if not from_end and not at_least(start, 0):
        return None
    if stop is None and start == ZERO:
        return n
    if stop is None:
        # start is clipped to [0, n], and max(n - start, 0), min(-start, n) are that
        return minimum(n, start * -1) if from_end else clipped(n - start)
    if at_most(stop, -1):
        if not from_end:
            return clipped(n + stop - start)  # where either bound is clipped, the difference is not positive either
        return clipped(stop - start) if at_least(n + start, 0) else None
    if not at_least(stop, 0):
        return None
    if from_end:
        return clipped(stop - n - start) if at_least(n + start, 0) and at_least(n - stop, 0) else None
    if at_least(n - stop, 0):
        return clipped(stop - start)
    return clipped(n - start) if at_least(stop - n, 0) else (minimum(n, stop) if start == ZERO else None)


def base_symbols(dims: Iterable[Dim], found: dict[str, None] | None = None) -> dict[str, None]:
    """The symbols that lengths depend on in the end, in order of appearance (a dict used as an ordered set)."""
    found = {} if found is None else found
    for dim in dims:
        for symbol, _ in dim.terms:
            _bases(symbol, found)
    return found


def _bases(symbol: str, found: dict[str, None]) -> None:
    if symbol in _factors:
        for factor in _factors[symbol]:
            _bases(factor, found)
    elif symbol in _defined:
        base_symbols(_defined[symbol][1], found)
    else:
        found[symbol] = None
        base_symbols(_among.get(symbol, ()), found)


def value(dim: Dim, sizes: Mapping[str, int]) -> int:
    """The number that a length is when the base symbols are `sizes`."""
    total = dim.const
    for symbol, factor in dim.terms:
        total += factor * _size(symbol, sizes)
    return total


def _size(symbol: str, sizes: Mapping[str, int]) -> int:
    size = sizes.get(symbol)
    if size is not None:
        return size
    if symbol in _factors:
        size = 1
        for factor in _factors[symbol]:
            size *= _size(factor, sizes)
        return size
    function, parts, _ = _defined[symbol]
    return function(*(value(part, sizes) for part in parts))


def broadcast(a: Dim, b: Dim) -> Dim | None:
    """The length that a axis of length a and one of length b broadcast to; None when they cannot."""
    if a == b or (b.known and b.const == 1):
        return a
    if a.known and a.const == 1:
        return b
    if a.known and b.known:
        return None
    # a is the length of an axis, so that max(a, 0) is a
    if clipped(a) == b:
        return a
    if clipped(b) == a:
        return b
    # they do not raise: then a length that cannot be 1 is the result
    if at_least(a, 2):
        return b if b.known else a
    if at_least(b, 2):
        return b
    return fresh()


def broadcast_shapes(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> tuple[Dim, ...] | None:
    """The shape that two shapes broadcast to, or None where they cannot.

    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> [str(d) for d in broadcast_shapes((n, m), (m,))], [str(d) for d in broadcast_shapes((n, Dim.of(1)), (m,))]
    (['n', 'm'], ['n', 'm'])
    """
    if a == b:
        return a
    if len(a) < len(b):
        a, b = b, a
    head = len(a) - len(b)
    result = list(a[:head])
    for x, y in zip(a[head:], b, strict=True):
        dim = broadcast(x, y)
        if dim is None:
            return None
        result.append(dim)
    return tuple(result)
