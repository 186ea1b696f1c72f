"""Kinds by example: what kind of value a pure function returns is found by running it on tiny arguments.

The function runs under several assignments of sizes to the symbols of its arguments' kinds; type, dtype and rank come
for free, and a length of the result is kept where one linear expression over the arguments' lengths explains all runs.
The assignments keep every pair of symbols in both orders, and the last one sets every symbol to the least value it can
have, so that a minimum, a maximum or a clipped difference is never taken for one of its branches. What is not explained
gets a fresh symbol.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable as Function
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Callable, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.pure import is_pure

#: sizes of the symbols, in order of appearance, one row a run; each pair stands in both orders
SIZES = (
    (3, 5, 9, 14, 6, 11, 4, 8),
    (11, 7, 4, 6, 13, 3, 9, 5),
    (6, 13, 7, 3, 4, 10, 12, 9),
)
LARGE = 40  # an axis of a constant length above this is stood in for by a symbol
LARGE_INT = 1000  # so is an int above this
TOO_LARGE = 200_000  # elements in the largest example


class NoExample(Exception):
    """No example can be made: nothing is known of the argument, or running it may have an effect."""


class NoSuchLength(NoExample):
    """These sizes make a length negative, n - k for one; others may not."""


class Run:
    """One assignment of sizes (and of the other unknown numbers) and the examples it makes."""

    __slots__ = ("hidden", "number", "rank", "shift", "sizes", "stand_in")

    def __init__(self, number: int, sizes: dict[str, int], *, shift: float = 0.0, rank: int = 1) -> None:
        self.number = number
        self.sizes = sizes
        self.shift = shift
        self.rank = rank  # of arrays whose rank is unknown
        self.hidden = 0  # how many unknown ints have been handed out
        self.stand_in: dict[int, str] = {}

    def value(self, dim: Dim) -> int:
        return dims.value(dim, self.sizes)

    def axis(self, dim: Dim) -> int:
        if not dim.terms and dim.const in self.stand_in:
            return self.sizes[self.stand_in[dim.const]]
        return dims.value(dim, self.sizes)


@lru_cache(maxsize=1024)
def _template(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    """An array to copy: distinct values in (0, 1), symmetric positive definite where square; ints and bools 0 and 1."""
    size = 1
    for n in shape:
        if n < 0:
            raise NoSuchLength
        size *= n
    if size > TOO_LARGE:
        raise NoExample
    if dtype.kind in "iub":
        return (np.arange(size) % 2).reshape(shape).astype(dtype)
    if dtype.kind not in "fc":
        raise NoExample
    values = (np.arange(1, size + 1) * 0.61803398875 % 1.0).reshape(shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        values = 0.1 * (values + np.swapaxes(values, -1, -2)) + shape[-1] * np.diag(np.arange(1.0, shape[-1] + 1))
    return values.astype(dtype)


def make(kind: Kind, run: Run) -> Any:
    """An example value of a kind. Raises NoExample."""
    cls = type(kind)
    if cls is Array:
        assert isinstance(kind, Array)
        if kind.shape is None:
            return _template(kind.dtype, (3,) * run.rank).copy()
        return _template(kind.dtype, tuple([run.axis(d) for d in kind.shape])).copy()
    if cls is Number:
        assert isinstance(kind, Number)
        number: Any = kind.type
        if kind.value is not None:
            known = kind.value
            return number(run.axis(known) if not known.terms and known.const > LARGE_INT else run.value(known))
        if number in (bool, np.bool_):
            return number(run.number % 2 == 0)
        if issubclass(number, (int, np.integer)):
            run.hidden += 1
            return number(run.sizes.get(f"! {run.hidden}", 3))
        if issubclass(number, (complex, np.complexfloating)):
            return number(0.6 + run.shift + 0.3j)
        return number(0.6 + run.shift + 0.1 * run.number)
    if cls is Static:
        assert isinstance(kind, Static)
        return kind.value
    if cls is Tuple:
        assert isinstance(kind, Tuple)
        return tuple.__new__(kind.cls, [make(item, run) for item in kind.items])
    if cls is List:
        assert isinstance(kind, List)
        return [make(item, run) for item in kind.items]
    if cls is ListOf:
        assert isinstance(kind, ListOf)
        run.hidden += 1
        return [make(kind.item, run) for _ in range(run.sizes.get(f"! {run.hidden}", 3))]
    if cls is Dict:
        assert isinstance(kind, Dict)
        return {key: make(item, run) for key, item in kind.items}
    if cls is Callable:
        assert isinstance(kind, Callable)
        if not is_pure(kind.value):
            raise NoExample
        return kind.value
    raise NoExample


def dims_of(kind: Kind, found: dict[Dim, None], sized: dict[int, None]) -> int:
    """Collect the lengths and int values in a kind, and the constant lengths of axes; returns the number of unknown
    ints (and lists) and, for arrays of unknown rank, adds 1000."""
    if isinstance(kind, Array):
        if kind.shape is None:
            return 1000
        for dim in kind.shape:
            found[dim] = None
            if not dim.terms:
                sized[dim.const] = None
    elif isinstance(kind, Number):
        if kind.value is not None:
            found[kind.value] = None
            if not kind.value.terms and kind.value.const > LARGE_INT:
                sized[kind.value.const] = None
        elif issubclass(kind.type, (int, np.integer)):
            return 1
    elif isinstance(kind, (Tuple, List)):
        return sum(dims_of(item, found, sized) for item in kind.items)
    elif isinstance(kind, ListOf):
        return 1 + 1000 * (dims_of(kind.item, found, sized) > 0)  # how many ints there are is not known
    elif isinstance(kind, Dict):
        return sum(dims_of(item, found, sized) for _, item in kind.items)
    return 0


def by_example(
    target: Function[..., Any], args: Sequence[Kind], kwargs: dict[str, Kind], *, lengths: bool = True
) -> Kind:
    """The kind of target(*args, **kwargs), by running it.

    Args:
        target: a pure function (see `pure.is_pure`); it is called.
        args: kinds of the positional arguments.
        kwargs: kinds of the keyword arguments.
        lengths: False where the lengths of the result depend on values; they are fresh then.

    Returns:
        The kind, or Unknown() where no run succeeds or the runs disagree.
    """
    found: dict[Dim, None] = {}
    sized: dict[int, None] = {}
    hidden = 0
    everything = (*args, *kwargs.values())
    for kind in everything:
        hidden += dims_of(kind, found, sized)
    ranked = hidden < 1000
    hidden %= 1000
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if ranked:
            kind_ = _exact(target, args, kwargs, found, sized, hidden, lengths)
            if kind_ is not None:
                return kind_
        return _rough(target, args, kwargs, found, sized, hidden, ranked)


def error_of(target: Function[..., Any], args: Sequence[Kind], kwargs: dict[str, Kind]) -> Exception | None:
    """What target(*args, **kwargs) raises, whatever the lengths: the same error in all runs; None where it does not.

    >>> import operator
    >>> a, s = Array(np.dtype(float), (Dim.of(2), Dim.of(2))), Number(float)
    >>> error_of(operator.matmul, [s, s], {}), error_of(operator.matmul, [a, a], {})
    (TypeError("unsupported operand type(s) for @: 'float' and 'float'"), None)
    """
    found: dict[Dim, None] = {}
    for kind in (*args, *kwargs.values()):
        dims_of(kind, found, {})
    errors: list[Exception] = []
    for number in range(2):
        run = Run(number, assigned(list(dims.base_symbols(found)), number, 0))
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _call(target, args, kwargs, run)
        except NoExample:
            return None
        except Exception as error:
            errors.append(error)
        else:
            return None
    return errors[0] if type(errors[0]) is type(errors[1]) else None


def _call(target: Function[..., Any], args: Sequence[Kind], kwargs: dict[str, Kind], run: Run) -> Any:
    run.hidden = 0
    positional = [make(kind, run) for kind in args]
    if not kwargs:
        return target(*positional)
    return target(*positional, **{name: make(kind, run) for name, kind in kwargs.items()})


def _exact(
    target: Function[..., Any],
    args: Sequence[Kind],
    kwargs: dict[str, Kind],
    found: dict[Dim, None],
    sized: dict[int, None],
    hidden: int,
    lengths: bool,
) -> Kind | None:
    bases = list(dims.base_symbols(found))
    stand_in = {c: f"# {c}" for c in sized if c > LARGE}
    symbols = bases + list(stand_in.values()) + [f"! {k + 1}" for k in range(hidden)]
    shift = max((d.const for d in found if not d.terms and 2 < d.const <= 16), default=0)
    runs: list[Run] = []
    results: list[Any] = []
    for number in range(3 if symbols or hidden else 2):
        run = Run(number, assigned(symbols, number, shift))
        run.stand_in = stand_in
        try:
            results.append(_call(target, args, kwargs, run))
        except NoSuchLength:
            return None
        except NoExample:
            return Unknown()
        except Exception:
            return None
        runs.append(run)
    # the explanations of these runs are held against others: lengths smaller than the constants, and the least ones
    checks = [assigned(symbols, 0, 0)] if shift and symbols else []
    lows = {s: dims.symbol_lower(s) for s in bases}
    compound = any(_is_compound(d) for d in found)
    for least in (0, 1, 2, 3) if compound else (0, 1):
        if symbols and (least == 0 or any(low is None or low < least for low in lows.values())):
            sizes = dict.fromkeys(symbols, 2)
            sizes.update((s, max(low or 0, least)) for s, low in lows.items())
            checks.append(sizes)
    if len(bases) > 1 and compound:
        # m + k may exceed n in all runs so far: each symbol in turn exceeds all others together
        for large in bases:
            sizes = dict.fromkeys(symbols, 2)
            sizes.update((s, max(low or 0, 1)) for s, low in lows.items())
            sizes[large] = 23
            checks.append(sizes)
    for sizes in checks:
        run = Run(3, sizes)
        run.stand_in = stand_in
        try:
            results.append(_call(target, args, kwargs, run))
        except Exception:
            continue  # then there is no such length at run time either, or no telling
        runs.append(run)
    # a length that is one number in every run would pass for a constant
    told = all(not d.terms or len({run.value(d) for run in runs}) > 1 for d in found)
    return _Fitter(runs, list(found), stand_in, lengths and told).kind(results)


def _is_compound(dim: Dim) -> bool:
    """Is it more than a symbol or a number?"""
    return bool(dim.terms) and dim != Dim.symbol(next(iter(dims.base_symbols([dim]))))


def assigned(symbols: list[str], number: int, shift: int) -> dict[str, int]:
    """Sizes for the symbols; with `shift`, all are larger than the constants there are."""
    row = SIZES[number]
    return {s: (row[i] if i < 8 else row[i % 8] + 14 * (i // 8)) + shift for i, s in enumerate(symbols)}


def _rough(
    target: Function[..., Any],
    args: Sequence[Kind],
    kwargs: dict[str, Kind],
    found: dict[Dim, None],
    sized: dict[int, None],
    hidden: int,
    ranked: bool,
) -> Kind:
    """Rank and dtype, from runs in which all lengths are the same; the lengths of the result are fresh.

    Where there are lengths that are numbers (`np.eye(2)` beside an argument), all have one of these.
    """
    bases = list(dims.base_symbols(found))
    ints = [s for s in bases if not s.replace(".", "").isidentifier()]  # not the length of an argument
    alike = (3, 4) if ranked else (3, 3, 3)
    # (the last two: where x[k:] is not to be empty, nor, of a constant length, to end before it begins)
    values = ((3, 0.0, None), (0, 0.0, None), (3, 1.0, None), (0, -1.3, None), (3, 0.0, 1), (3, 0.0, 0))
    fixed = [(c, c) for c in sized if 1 < c <= LARGE and ranked]
    tries = [*((alike, v) for v in values), *((f, (3, 0.0, None)) for f in fixed)]
    for lengths, (unknown_int, shift, small) in tries:
        results = []
        runs = []
        try:
            for number, size in enumerate(lengths):
                sizes = dict.fromkeys(bases, size)
                if small is not None:
                    sizes.update(dict.fromkeys(ints, small))
                sizes.update((f"! {k + 1}", unknown_int) for k in range(hidden))
                run = Run(number, sizes, shift=shift, rank=number + 1)
                results.append(_call(target, args, kwargs, run))
                runs.append(run)
        except NoSuchLength:
            continue
        except NoExample:
            return Unknown()
        except Exception:
            continue
        return _Fitter(runs, [], {}, False).kind(results)
    return Unknown()


def _likeness(value: Any) -> Any:
    """What items have to have in common that one kind may stand for all of them."""
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.ndim
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_likeness, value))
    if isinstance(value, dict):
        return dict, tuple((type(k), k, _likeness(v)) for k, v in value.items())
    return (type(value), value) if value is None or isinstance(value, (str, bytes)) else type(value)


def _is_sized(kind: Kind) -> bool:
    return isinstance(kind, Array) and kind.shape is not None


class _Fitter:
    """Turns the results of several runs into one kind."""

    def __init__(self, runs: list[Run], candidates: list[Dim], stand_in: dict[int, str], lengths: bool) -> None:
        self.runs = runs
        self.candidates = candidates
        self.stand_in = stand_in
        self.lengths = lengths

    def kind(self, values: list[Any]) -> Kind:
        first = values[0]
        cls = type(first)
        if any(type(v) is not cls for v in values):
            if all(isinstance(v, (np.ndarray, np.generic)) for v in values) and len({v.dtype for v in values}) == 1:
                return Array(first.dtype, None)
            return Unknown()
        if cls is np.ndarray:
            dtype = first.dtype
            if dtype.kind not in "fciub" or any(v.dtype != dtype for v in values):
                return Unknown()
            rank = first.ndim
            if any(v.ndim != rank for v in values):
                return Array(dtype, None)
            return Array(dtype, tuple([self.fit([v.shape[i] for v in values]) for i in range(rank)]))
        if isinstance(first, (np.generic, float, complex, bool, int)):
            return Number(cls) if cls in NUMBERS or isinstance(first, np.number | np.bool_) else Unknown()
        if isinstance(first, tuple):
            if any(len(v) != len(first) for v in values):
                return Unknown()
            return Tuple(tuple([self.kind([v[i] for v in values]) for i in range(len(first))]), cls)
        if cls is list:
            if any(len(v) != len(first) for v in values):
                item = self.item(values)
                return ListOf(item) if item is not None else Unknown()
            return List(tuple([self.kind([v[i] for v in values]) for i in range(len(first))]))
        if cls is dict:
            if any(v.keys() != first.keys() for v in values):
                return Unknown()
            return Dict(tuple([(k, self.kind([v[k] for v in values])) for k in first]))
        if first is None:
            return Static(None)
        if isinstance(first, np.ndarray):  # a class of its own may give operators any meaning
            return Object(cls)
        if cls in (str, slice, type(Ellipsis)) or isinstance(first, np.dtype):
            return Static(first) if all(v == first for v in values) else Unknown()
        return Unknown()

    def item(self, lists: list[list[Any]]) -> Kind | None:
        """The kind that all items of lists of several lengths have, or None."""
        shared = min(map(len, lists))
        if not shared or len({_likeness(item) for items in lists for item in items}) > 1:
            return None
        kinds = [self.kind([items[k] for items in lists]) for k in (*range(shared), *range(-shared, 0))]
        alike = all(kind == kinds[0] for kind in kinds) or (not self.lengths and all(map(_is_sized, kinds)))
        return kinds[0] if alike else None

    def fit(self, lengths: list[int]) -> Dim:
        """The length that explains these values, one a run, or a fresh one."""
        if not self.lengths:
            return dims.fresh()
        main = lengths[:3]
        if lengths.count(lengths[0]) == len(lengths):
            return Dim.of(lengths[0])
        for dim in self._explanations(main):
            for candidate in (dim, dims.clipped(dim)):
                if all(run.axis(candidate) == n for run, n in zip(self.runs[3:], lengths[3:], strict=True)):
                    return candidate
        return dims.fresh()

    def _explanations(self, main: list[int]) -> Iterator[Dim]:
        runs = self.runs[:3]
        known = []
        for dim in self.candidates:
            values = [run.value(dim) for run in runs]
            if dim.terms:
                known.append((dim, values))
                if values == main:
                    yield dim
        for const, symbol in self.stand_in.items():
            if [run.sizes[symbol] for run in runs] == main:
                yield Dim.of(const)
        # of a length that was one of two numbers in all runs, any function of it is a * dim + c
        telling = [(d, u) for d, u in known if len({run.value(d) for run in self.runs}) > 2]
        for dim, values in telling:  # a * dim + c
            spread = values[1] - values[0]
            if spread and (main[1] - main[0]) % spread == 0:
                a = (main[1] - main[0]) // spread
                c = main[0] - a * values[0]
                if a and c + a * values[2] == main[2]:
                    yield dim * a + c
        if main.count(main[0]) == len(main):
            yield Dim.of(main[0])
        for (d, u), (e, v) in combinations(known, 2):
            for f, w in (
                (d + e, [x + y for x, y in zip(u, v, strict=True)]),
                (d - e, [x - y for x, y in zip(u, v, strict=True)]),
                (e - d, [y - x for x, y in zip(u, v, strict=True)]),
                (dims.product(d, e), [x * y for x, y in zip(u, v, strict=True)]),
            ):
                c = main[0] - w[0]
                if main[1] - w[1] == c and main[2] - w[2] == c:
                    yield f + c
        for d, u in telling:
            if [x * x for x in u] == main:
                yield dims.product(d, d)
            c = main[0] - u[0] // 2
            if [x // 2 + c for x in u] == main:
                yield dims.floordiv(d, Dim.of(2)) + c
        every = [(d, [run.value(d) for run in runs]) for d in self.candidates]
        for (d, u), (e, v) in combinations(every, 2):
            if [min(x, y) for x, y in zip(u, v, strict=True)] == main:
                yield dims.minimum(d, e)
            if [max(x, y) for x, y in zip(u, v, strict=True)] == main:
                yield dims.maximum(d, e)


NUMBERS = frozenset((float, int, complex, bool))
