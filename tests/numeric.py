"""Numerical differentiation over nested arguments: what every derivative in the tests is held against.

A tree is a number, an array, or a dict, list, tuple, namedtuple, dataclass or plain object of trees. Its float leaves
are what can be perturbed; ints, strings, None, functions and the like travel along.

    check_reverse(f, args, wrt)     value_and_grad and, for a sixth, grad (vjp, when the result is not one float)
    check_forward(f, args, wrt)     jvp
    check_second(f, args, wrt)      hvp (for a sixth, jvp of grad) or vjp of grad, in turns by function, against
                                    differences of the gradient; both with S2SAD_TESTS=all

Each also checks that arguments keep their contents and that what the primal prints is printed once.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import enum
import functools
import io
import sys
import types
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests import amounts

Tree = Any
Wrt = Any

RTOL = 1e-6
#: each of them sees a wrong derivative alone, but for chance
DIRECTIONS = 2
#: the error of differences, relative to the derivative, at which they are exact enough: four orders below RTOL
ENOUGH = 1e-10


# --- trees ---------------------------------------------------------------------------------------------------------


def is_number(x: object) -> bool:
    """Is it one float (Python or NumPy)?"""
    return isinstance(x, (float, complex, np.inexact)) and not isinstance(x, np.ndarray)


def is_float_array(x: object) -> bool:
    return isinstance(x, np.ndarray) and issubclass(x.dtype.type, np.inexact)


def is_leaf(x: object) -> bool:
    """Is it something that can be perturbed?"""
    return is_number(x) or is_float_array(x)


def is_state(x: object) -> bool:
    """Is it an object whose state is its attributes (user class, dataclass, SimpleNamespace)?"""
    if isinstance(x, (type, types.ModuleType, types.FunctionType, types.MethodType, enum.Enum, BaseException)):
        return False
    if isinstance(x, types.SimpleNamespace) or dataclasses.is_dataclass(x):
        return True
    module = type(x).__module__.partition(".")[0]
    return module not in sys.stdlib_module_names and module not in {"numpy", "scipy", "pandas", "s2sad"}


def is_table(x: object) -> bool:
    """Is it a table or a column of pandas, whose state is its values?"""
    return type(x).__module__.startswith("pandas.") and hasattr(x, "to_numpy")


def attributes(x: object) -> dict[str, Any]:
    """The attributes that an object holds, slots included."""
    held = dict(getattr(x, "__dict__", {}))
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in {"__dict__", "__weakref__"} and hasattr(x, name):
                held[name] = getattr(x, name)
    return held


def parts(tree: Tree) -> Iterator[tuple[Any, Tree]]:
    """The children of a tree with what leads to them."""
    if isinstance(tree, dict):
        yield from tree.items()
    elif isinstance(tree, (list, tuple)):
        yield from enumerate(tree)
    elif is_table(tree):
        yield "values", tree.to_numpy()
    elif is_state(tree):
        yield from attributes(tree).items()


def leaves(tree: Tree, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every float leaf with its path."""
    if is_leaf(tree):
        yield path, tree
    elif not isinstance(tree, np.ndarray):
        for key, part in parts(tree):
            yield from leaves(part, (*path, key))


def at(tree: Tree, path: tuple[Any, ...]) -> Tree:
    """The part of a tree that a path leads to."""
    for key in path:
        tree = tree[key] if isinstance(tree, (dict, list, tuple)) else getattr(tree, key)
    return tree


def rebuild(tree: Tree, leaf: Callable[[Any], Any], other: Callable[[Any], Any] = lambda x: x) -> Tree:
    """The tree with every float leaf replaced by leaf(x), and everything else that is no container by other(x)."""
    if is_leaf(tree):
        return leaf(tree)
    if isinstance(tree, np.ndarray):
        return other(tree)
    if isinstance(tree, dict):
        new = copy.copy(tree)
        for key in tree:
            new[key] = rebuild(tree[key], leaf, other)
        return new
    if isinstance(tree, tuple):
        items = [rebuild(x, leaf, other) for x in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    if isinstance(tree, list):
        return [rebuild(x, leaf, other) for x in tree]
    if is_table(tree):
        new = tree.copy()
        new[:] = rebuild(tree.to_numpy(), leaf, other)
        return new
    if is_state(tree):
        new = copy.copy(tree)
        for name, value in attributes(tree).items():
            object.__setattr__(new, name, rebuild(value, leaf, other))
        return new
    return other(tree)


def flatten(tree: Tree) -> np.ndarray:
    """All float leaves in one vector."""
    found = [np.ravel(np.asarray(x)) for _, x in leaves(tree)]
    return np.concatenate(found) if found else np.zeros(0)


def unflatten(tree: Tree, vector: np.ndarray) -> Tree:
    """The tree with its float leaves taken from a vector, in the order of `flatten`."""
    offset = 0

    def take(x: Any) -> Any:
        nonlocal offset
        size = np.size(x)
        piece = vector[offset : offset + size]
        offset += size
        return piece.reshape(x.shape).astype(x.dtype) if isinstance(x, np.ndarray) else type(x)(piece[0])

    return rebuild(tree, take)


def _copied(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.random.Generator, np.random.RandomState)):
        return copy.deepcopy(x)
    return x


def fresh(tree: Tree, shared: bool = False) -> Tree:
    """A copy of a tree; with `shared`, arrays that share memory share it in the copy too."""
    if not shared:
        return rebuild(tree, _copied, _copied)
    owners: dict[int, np.ndarray] = {}

    def view(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return x
        owner = x
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        new = owners.setdefault(id(owner), owner.copy(order="K"))
        start = x.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        return np.ndarray(x.shape, x.dtype, new, start, x.strides)

    return rebuild(tree, view, lambda x: view(x) if isinstance(x, np.ndarray) else _copied(x))


# --- arguments and directions --------------------------------------------------------------------------------------


def positions(wrt: Wrt) -> tuple[int, ...]:
    return wrt if isinstance(wrt, tuple) else (wrt,)


def selected(args: tuple[Any, ...], wrt: Wrt) -> Tree:
    """The arguments that wrt names: one, or a tuple of them."""
    return tuple(args[k] for k in wrt) if isinstance(wrt, tuple) else args[wrt]


def direction(args: tuple[Any, ...], wrt: Wrt, rng: np.random.Generator, shared: bool = False) -> Tree:
    """A random direction with the structure of the wrt arguments.

    A Python int that is a wrt argument counts as a float. With `shared`, leaves that share memory share a direction.
    """
    chosen = selected(fresh(args, shared), wrt)
    done: dict[int, Any] = {}

    def draw(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return type(x)(rng.normal())
        if not shared:
            return rng.normal(size=x.shape).astype(x.dtype)
        owner = x
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if id(owner) not in done:
            done[id(owner)] = owner
            owner[...] = rng.normal(size=owner.shape)
        return x

    def other(x: Any) -> Any:
        return None if x is None or isinstance(x, str) or callable(x) else 0.0 if isinstance(x, (int, bool)) else x

    if isinstance(wrt, tuple):
        return tuple(float(rng.normal()) if type(x) is int else rebuild(x, draw, other) for x in chosen)
    return float(rng.normal()) if type(chosen) is int else rebuild(chosen, draw, other)


def moved(args: tuple[Any, ...], wrt: Wrt, along: Tree, eps: float, shared: bool = False) -> tuple[Any, ...]:
    """A copy of the arguments, moved by eps along a direction."""
    new = list(fresh(args, shared))
    along_of = dict(zip(positions(wrt), along if isinstance(wrt, tuple) else (along,), strict=True))
    done: set[int] = set()
    for k, d in along_of.items():
        if type(new[k]) is int:
            new[k] = new[k] + eps * d
            continue
        paths = iter([p for p, _ in leaves(new[k])])

        def step(x: Any, d: Any = d, paths: Iterator[Any] = paths) -> Any:
            dx = at(d, next(paths))
            if not isinstance(x, np.ndarray):
                return x + type(x)(eps * dx)
            if not shared:
                return x + (eps * dx).astype(x.dtype)
            # memory is moved once, whichever and however many arrays look at it
            owner = x
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            if id(owner) not in done:
                done.add(id(owner))
                d_owner = dx
                while isinstance(d_owner.base, np.ndarray):
                    d_owner = d_owner.base
                owner += eps * d_owner
            return x

        new[k] = rebuild(new[k], step)
    return tuple(new)


def inner(gradient: Tree, along: Tree) -> tuple[float, float]:
    """<gradient, along> and the sum of the magnitudes of its terms, which sets the scale of rounding."""
    total, scale = 0.0, 0.0
    for path, d in leaves(along):
        g = at(gradient, path)
        terms = np.asarray(g) * np.asarray(d)
        total += float(np.sum(terms).real)
        scale += float(np.sum(np.abs(terms)))
    return total, scale


# --- differences ---------------------------------------------------------------------------------------------------


def ridders(
    phi: Callable[[float], np.ndarray], step: float = 4e-3, rounds: int = 9, enough: float = 0.0, least: float = 1e-3
) -> tuple[np.ndarray, float]:
    """phi'(0) by central differences, Richardson-extrapolated (Ridders 1982), and an estimate of its error.

    `enough` is an error, relative to the size of the derivative or to `least`, at which nothing more is computed.

    >>> value, error = ridders(lambda t: np.array([np.exp(t)]))
    >>> bool(abs(value[0] - 1.0) < 1e-10)
    True
    """
    table: list[list[np.ndarray]] = []
    best, error = None, np.inf
    h = step
    for i in range(rounds):
        ahead, behind = phi(h), phi(-h)
        row = [(ahead - behind) / (2.0 * h)]
        rounding = np.finfo(float).eps * float(np.max(np.abs(ahead), initial=0.0)) / h  # neighbours may agree by chance
        factor = 4.0
        for j in range(1, i + 1):
            row.append((row[j - 1] * factor - table[i - 1][j - 1]) / (factor - 1.0))
            factor *= 4.0
            estimate = max(
                np.max(np.abs(row[j] - row[j - 1]), initial=0.0),
                np.max(np.abs(row[j] - table[i - 1][j - 1]), initial=0.0),
            )
            if estimate + rounding <= error:
                best, error = row[j], float(estimate + rounding)
        table.append(row)
        h *= 0.5
        size = least if best is None else max(least, float(np.max(np.abs(best), initial=0.0)))
        if error <= enough * size:
            break
    if best is None:
        raise AssertionError("the numerical derivative is not finite")
    return best, error


def complex_step(phi: Callable[[complex], np.ndarray], step: float = 1e-30) -> np.ndarray:
    """phi'(0) for a phi that computes with complex numbers and is analytic.

    >>> complex_step(lambda t: np.array([np.sin(1.0 + t)]))[0] == np.cos(1.0)
    np.True_
    """
    return np.imag(phi(1j * step)) / step


@contextlib.contextmanager
def quiet() -> Iterator[io.StringIO]:
    """Standard output, caught."""
    with contextlib.redirect_stdout(io.StringIO()) as caught:
        yield caught


def directional(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    along: Tree,
    shared: bool = False,
    step: float = 4e-3,
    enough: float = ENOUGH,
) -> tuple[np.ndarray, float]:
    """The derivative of all float leaves of f's result along a direction, flattened, and its error."""

    def phi(t: float) -> np.ndarray:
        with quiet():
            return flatten(f(*moved(args, wrt, along, t, shared)))

    return ridders(phi, step, enough=enough)


# --- comparisons ---------------------------------------------------------------------------------------------------


def assert_close(got: Any, expected: Any, what: str, rtol: float = RTOL, slack: float = 0.0) -> None:
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, f"{what}: shape {got.shape} instead of {expected.shape}"
    with np.errstate(invalid="ignore"):
        bad = ~(np.abs(got - expected) <= rtol * np.maximum(np.abs(got), np.abs(expected)) + slack)
    # equal infinities and nans agree
    bad &= ~((got == expected) | (np.isnan(got) & np.isnan(expected)))
    assert not np.any(bad), f"{what}: {got} instead of {expected}"


def assert_same(got: Tree, expected: Tree, what: str, rtol: float = 1e-12) -> None:
    """Do two trees have the same structure and (nearly) the same leaves?"""
    a, b = dict(leaves(got)), dict(leaves(expected))
    assert a.keys() == b.keys(), f"{what}: parts {list(a)} instead of {list(b)}"
    for path, x in a.items():
        slack = rtol * float(np.max(np.abs(np.asarray(b[path])), initial=0.0))
        assert_close(x, b[path], f"{what}{list(path) or ''}", rtol, slack)


def assert_untouched(args: tuple[Any, ...], before: tuple[Any, ...]) -> None:
    """Do the arguments still hold what they held?"""
    for path, x in leaves(before):
        try:
            now = at(args, path)
        except (KeyError, IndexError, AttributeError):
            raise AssertionError(f"argument part {path} is gone") from None
        assert np.array_equal(np.asarray(now), np.asarray(x), equal_nan=True), f"argument {path} changed: {x} -> {now}"
    assert len(list(leaves(args))) == len(list(leaves(before))), "an argument grew"


def assert_mirrors(gradient: Tree, argument: Tree, what: str) -> None:
    """Has a gradient the structure, shapes and dtypes of what it is the gradient of?"""
    if type(argument) is int:
        assert np.shape(gradient) == (), f"{what}: shape {np.shape(gradient)} for a number"
        return
    for path, x in leaves(argument):
        try:
            g = at(gradient, path)
        except (KeyError, IndexError, AttributeError, TypeError) as error:
            raise AssertionError(f"{what}: no part {path} ({error!r})") from None
        assert g is not None, f"{what}{list(path)}: None"
        assert np.shape(g) == np.shape(x), f"{what}{list(path)}: shape {np.shape(g)} instead of {np.shape(x)}"
        if isinstance(x, np.ndarray):
            kind = np.asarray(g).dtype
            assert kind == x.dtype, f"{what}{list(path)}: dtype {kind} instead of {x.dtype}"
        else:
            assert isinstance(g, (int, float, complex, np.number, np.ndarray)), f"{what}{list(path)}: {type(g)}"
    if isinstance(argument, (tuple, list, dict)):
        assert type(gradient) is type(argument), f"{what}: {type(gradient)} instead of {type(argument)}"
        assert len(gradient) == len(argument), f"{what}: {len(gradient)} parts instead of {len(argument)}"


# --- the checks ----------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Run:
    """One derivative's run beside the primal's: arguments are fresh, outputs are compared."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    shared: bool = False

    def __post_init__(self) -> None:
        with quiet() as caught:
            self.value = self.f(*fresh(self.args, self.shared))
        self.printed = caught.getvalue()

    def call(self, derivative: Callable[..., Any], *more: Any, effects: bool = True) -> Any:
        given = fresh(self.args, self.shared)
        with quiet() as caught:
            result = derivative(*given, *more)
        assert_untouched(given, self.args)
        if effects:
            printed = caught.getvalue()
            assert printed == self.printed, f"printed {printed!r} instead of {self.printed!r}"
        return result


def expected_error(number: float, scale: float, error: float) -> float:
    return 1e-9 * scale + 20.0 * error + 1e-13 * abs(number)


def number_of(f: Callable[..., Any]) -> int:
    """A number of a function's own, the same one each time: what of it is derived in turns."""
    code = getattr(f, "__code__", None)
    return 0 if code is None else zlib.crc32(code.co_code + repr(code.co_names).encode())


def as_well(f: Callable[..., Any]) -> bool:
    """Is it derived in a second way as well, which is the same by construction? One function in six, the same ones
    each time; all with S2SAD_TESTS=all."""
    return amounts.ALL or number_of(f) % 6 == 0


@functools.lru_cache(maxsize=8)
def _kept(operator: Callable[..., Any], f: Callable[..., Any], wrt: Wrt, policy: str) -> Any:
    return operator(f, wrt=wrt)


def derived(operator: Callable[..., Any], f: Callable[..., Any], wrt: Wrt) -> Any:
    """A derivative of f: the same one each time, so that at another point what was derived before is called, as far as
    its guards let it, or is derived anew."""
    from s2sad.normal.calls import keep

    try:
        return _kept(operator, f, wrt, keep.in_force())
    except TypeError:  # f has no hash
        return operator(f, wrt=wrt)


def check_reverse(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    *,
    shared: bool = False,
    rtol: float = RTOL,
    step: float = 4e-3,
    floor: float = 0.0,
    seed: int = 0,
) -> None:
    """Hold the reverse mode against differences; AssertionError when it does not hold.

    `floor` is a difference that is no error, whatever the size of the derivative (of a zero, in large quantities).
    """
    from s2sad import grad, value_and_grad, vjp

    rng = np.random.default_rng(seed)
    run = Run(f, args, shared)
    chosen = selected(args, wrt)
    if is_number(run.value) or (isinstance(run.value, np.ndarray) and run.value.shape == ()):
        value, gradient = run.call(derived(value_and_grad, f, wrt))
        assert_same(value, run.value, "value", max(1e-12, rtol * 1e-6))
        assert_mirrors(gradient, chosen, "gradient")
        if as_well(f):  # the same sweep, without the value
            again = run.call(derived(grad, f, wrt))
            assert_mirrors(again, chosen, "gradient")
            assert_same(again, gradient, "the gradient without the value", max(1e-12, rtol * 1e-3))
        cotangent: Tree = 1.0
        weights = np.ones(1)
    else:
        # first, so that a result of which there is no cotangent (of classes of their own) is refused
        value, pullback = run.call(derived(vjp, f, wrt))
        cotangent = rebuild(
            run.value,
            lambda x: rng.normal(size=x.shape).astype(x.dtype) if isinstance(x, np.ndarray) else type(x)(rng.normal()),
            lambda x: None if not isinstance(x, np.ndarray) else np.zeros(x.shape),
        )
        assert_same(value, run.value, "value", max(1e-12, rtol * 1e-6))
        kept = fresh(cotangent)
        with quiet():
            gradient = pullback(cotangent)
        assert_same(cotangent, kept, "the cotangent after the pullback", 0.0)
        assert_mirrors(gradient, chosen, "gradient")
        weights = flatten(cotangent)
    for _ in range(DIRECTIONS):
        along = direction(args, wrt, rng, shared)
        got, scale = inner(gradient, along)
        slope, error = directional(f, args, wrt, along, shared, step)
        expected = float(np.sum(weights * slope).real)
        scale = max(scale, float(np.sum(np.abs(weights * slope))))
        slack = expected_error(expected, scale, error * float(np.sum(np.abs(weights)))) + floor
        assert_close(got, expected, "reverse mode, derivative along a direction", rtol, slack)


def check_forward(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    *,
    shared: bool = False,
    rtol: float = RTOL,
    step: float = 4e-3,
    floor: float = 0.0,
    seed: int = 0,
) -> None:
    """Hold the forward mode against differences; AssertionError when it does not hold."""
    from s2sad import jvp

    rng = np.random.default_rng(seed)
    run = Run(f, args, shared)
    forward = derived(jvp, f, wrt)
    for _ in range(DIRECTIONS):
        along = direction(args, wrt, rng, shared)
        given = fresh(along)
        value, tangent = run.call(forward, given)
        assert_same(given, along, "the tangent that was handed in", 0.0)
        assert_same(value, run.value, "value", max(1e-12, rtol * 1e-6))
        slope, error = directional(f, args, wrt, along, shared, step)
        got = []
        for path, x in leaves(run.value):
            part = at(tangent, path)
            assert np.shape(part) == np.shape(x), f"tangent{list(path)}: shape {np.shape(part)} not {np.shape(x)}"
            got.append(np.ravel(np.asarray(part)))
        # a derivative of zero is met up to the rounding of the value
        size = float(np.max(np.abs(flatten(run.value)), initial=0.0))
        slack = expected_error(0.0, float(np.max(np.abs(slope), initial=0.0)), error) + 1e-13 * size + floor
        assert_close(np.concatenate(got), slope, "forward mode, derivative along a direction", rtol, slack)


def check_second(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    *,
    shared: bool = False,
    rtol: float = RTOL,
    step: float = 4e-3,
    seed: int = 0,
) -> None:
    """Hold second derivatives of a float-valued f against differences of its gradient."""
    from s2sad import grad, hvp, jvp, value_and_grad, vjp

    rng = np.random.default_rng(seed)
    run = Run(f, args, shared)
    both = derived(value_and_grad, f, wrt)
    v = direction(args, wrt, rng, shared)
    w = direction(args, wrt, rng, shared)
    gradient = run.call(both)[1]

    def projected(*moved_args: Any) -> Any:
        return np.array(inner(both(*moved_args)[1], w)[0])

    slope, error = directional(projected, args, wrt, v, shared, step)
    scale = float(np.sum(np.abs(flatten(gradient)))) + abs(float(slope[0]))
    slack = expected_error(0.0, scale, error)
    turn = number_of(f) % 2
    if amounts.ALL or turn == 0:
        got = run.call(derived(hvp, f, wrt), fresh(v))
        assert_mirrors(got, selected(args, wrt), "hvp")
        assert_close(inner(got, w)[0], slope[0], "hvp", rtol, slack)
    if as_well(f):  # of which the product is the second part
        _, tangent = run.call(derived(jvp, derived(grad, f, wrt), wrt), fresh(v))
        assert_close(inner(tangent, w)[0], slope[0], "jvp of grad", rtol, slack)
    if amounts.ALL or turn == 1:
        _, pullback = run.call(derived(vjp, derived(grad, f, wrt), wrt))
        # the Hessian is symmetric: the pullback of w, along v, is the same number
        assert_close(inner(pullback(fresh(w)), v)[0], slope[0], "vjp of grad", rtol, slack)


@dataclasses.dataclass
class Point:
    """Arguments of a function of floats, and its derivatives along some directions there."""

    args: tuple[Any, ...]
    #: direction, derivative along it, and the error of that
    slopes: list[tuple[Tree, float, float]]


def check_both(
    f: Callable[..., Any], points: list[Point], wrt: Wrt, *, form: str = "value_and_grad", rtol: float = RTOL
) -> None:
    """Hold both modes of a function with one float as its result against differences, and against each other.

    Derives once a mode, and holds it against the same differences: for very many functions.

    Args:
        f: the function.
        points: where.
        wrt: positions of arguments, a tuple.
        form: which operator gives the gradient: "value_and_grad", "grad" or "vjp" (its pullback, the second time).
        rtol: how far a derivative may be from differences.
    """
    from s2sad import grad, jvp, value_and_grad, vjp

    reverse = derived({"value_and_grad": value_and_grad, "grad": grad, "vjp": vjp}[form], f, wrt)
    forward = derived(jvp, f, wrt)
    for point in points:
        run = Run(f, point.args)
        gradient = run.call(reverse)
        if form != "grad":
            got, gradient = gradient
            assert_same(got, run.value, "value", max(1e-12, rtol * 1e-6))
        if form == "vjp":
            pullback = gradient
            with quiet() as caught:
                pullback(1.0)
                gradient = pullback(1.0)
            assert not caught.getvalue(), f"the pullback printed {caught.getvalue()!r}"
        assert_mirrors(gradient, selected(point.args, wrt), "gradient")
        for along, slope, error in point.slopes:
            back, scale = inner(gradient, along)
            # 1e-14: where all cancels, what is left is rounding
            slack = expected_error(slope, max(scale, abs(slope)), error) + 1e-13 * max(1.0, abs(run.value))
            assert_close(back, slope, "reverse mode, derivative along a direction", rtol, slack)
            given = fresh(along)
            got, tangent = run.call(forward, given)
            assert_same(given, along, "the tangent that was handed in", 0.0)
            assert_same(got, run.value, "value", max(1e-12, rtol * 1e-6))
            assert np.shape(tangent) == (), f"tangent: shape {np.shape(tangent)}"
            assert_close(tangent, slope, "forward mode, derivative along a direction", rtol, slack)
            floor = 1e-9 * scale + 1e-14 * max(1.0, abs(run.value))
            assert_close(tangent, back, "forward mode, beside reverse mode", 1e-2 * rtol, floor)


def check_single(f: Callable[..., Any], point: Point, wrt: Wrt) -> None:
    """Hold the derivative for arrays in single precision against the one in double: the value to the last bit, the
    gradient as far as single precision goes. Nothing is said where the function itself differs between the two.
    """
    from s2sad import DerivationError, value_and_grad

    args = tuple(a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in point.args)
    wide = tuple(a.astype(np.float64) if isinstance(a, np.ndarray) else a for a in args)
    both = derived(value_and_grad, f, wrt)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value, exact = f(*fresh(args)), f(*fresh(wide))
            if not abs(float(value) - float(exact)) <= 1e-4 * max(1.0, abs(float(exact))):
                return
    except (ArithmeticError, RuntimeWarning, ValueError, TypeError, IndexError):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _, want = both(*fresh(wide))
            got_value, got = both(*fresh(args))
    except (DerivationError, ArithmeticError, RuntimeWarning, ValueError):
        return
    assert np.asarray(got_value).tobytes() == np.asarray(value).astype(np.asarray(got_value).dtype).tobytes(), (
        f"value in single precision: {got_value!r} instead of {value!r}"
    )
    got, want = flatten(got), flatten(want)
    size = max(1.0, float(np.max(np.abs(want), initial=0.0)))
    assert np.all(np.abs(got - want) <= 2e-2 * size), f"gradient in single precision: {got} instead of {want}"


def check(f: Callable[..., Any], args: tuple[Any, ...], wrt: Wrt = 0, *, second: bool = False, **options: Any) -> None:
    """All of it, for use in other tests."""
    check_reverse(f, args, wrt, **options)
    check_forward(f, args, wrt, **options)
    if second:
        check_second(f, args, wrt, **options)
