"""Published packages as test cases: functions as their own documentation calls them, one case for each float argument.

A file of tools/package_cases is an ordinary module: imports, a few assignments, and calls that stand alone. Each such
call is a function under test, written as a user writes it (`Colebrook(1e5, 1e-4)`, `KalmanFilter(...).update(z)`), and
each of its float arguments is a case: floats, arrays and containers of floats, and ints that the function's
documentation calls floats. A comment behind the call leaves arguments out and says why:

    bend(angle=90.0, style=2.0)  # not style: a number of a table, no quantity

and `# step 0.1` gives the unit that steps of numerical differentiation are measured in, instead of the argument;
`# accuracy 1e-5` how exact a function is that solves an equation step by step.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import inspect
import re
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests import numeric, verdict

FOLDER = Path(__file__).parent.parent / "tools" / "package_cases"
CHECKS = {"reverse": numeric.check_reverse, "forward": numeric.check_forward}
#: steps of numerical differentiation, relative to the argument, until one gives a derivative to this accuracy
STEPS, ACCURACY = (4e-3, 1e-3, 3e-4, 2e-5, 1e-6), 1e-5


@dataclasses.dataclass
class Case:
    """One argument of one call."""

    package: str
    #: the function, as it is written
    function: str
    call: str
    wrt: str
    f: Callable[..., Any]
    args: tuple[Any, ...]
    position: int
    line: int
    #: the unit of steps, where the argument's own magnitude is none
    step: float | None = None
    #: of the derivative, relative
    accuracy: float = numeric.RTOL

    def __str__(self) -> str:
        return f"{self.package}:{self.line} {self.function} [{self.wrt}]"


# --- reading a file of calls ---------------------------------------------------------------------------------------


def calls_of(tree: ast.expr) -> list[ast.Call]:
    """The calls that an expression is made of, first called first: `A(x).b(y)[0]` is A(x), then .b(y)."""
    found: list[ast.Call] = []
    node = tree
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Call):
            found.insert(0, node)
            node = node.func
        else:
            node = node.value
    return found


def documented_float(function: Any, name: str) -> bool:
    """Does a function's documentation or annotation say that a parameter is a float (or an array)?"""
    if isinstance(function, type):
        return documented_float(function.__init__, name) or _in_docstring(function.__doc__, name)
    annotation = getattr(function, "__annotations__", {}).get(name)
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return "float" in text or _in_docstring(getattr(function, "__doc__", None), name)


def _in_docstring(text: str | None, name: str) -> bool:
    found = re.search(rf"^\s*(?:\w+\s*,\s*)*{re.escape(name)}(?:\s*,\s*\w+)*\s*:(.*)$", text or "", re.MULTILINE)
    return bool(found and re.search(r"float|array|numeric|scalar|double|\bnumber\b", found[1]))


def is_active(value: Any, documented: bool) -> bool:
    if isinstance(value, (int, np.integer)):
        return documented and not isinstance(value, bool)
    if isinstance(value, (float, np.ndarray, np.inexact, list, tuple, dict)):
        return any(True for _ in numeric.leaves(value))
    return False


def number_in(comment: str, word: str) -> float | None:
    found = re.search(rf"# {word} ([-+.e\d]+)", comment)
    return float(found[1]) if found else None


def left_out(comment: str) -> set[str]:
    found = re.search(r"#\s*not ([\w, ]+):", comment)
    return {name.strip() for name in found[1].split(",")} if found else set()


class Reader:
    """Turns the calls of one file into cases."""

    def __init__(self, path: Path) -> None:
        self.path, self.package = path, path.stem
        self.text = path.read_text()
        self.lines = self.text.splitlines()
        self.module = types.ModuleType(f"package_cases_{path.stem}")
        self.module.__file__ = str(path)
        self.scope = self.module.__dict__
        self.wrappers = Path(tempfile.mkdtemp(prefix="s2sad-packages-"))

    def cases(self) -> Iterator[Case]:
        for statement in ast.parse(self.text).body:
            comment = "\n".join(self.lines[statement.lineno - 1 : statement.end_lineno])
            alone = isinstance(statement, ast.Expr) and calls_of(statement.value)
            if alone and "# not a case" not in comment:
                step, accuracy = number_in(comment, "step"), number_in(comment, "accuracy") or numeric.RTOL
                for case in self.of_call(statement.value, left_out(comment), statement.lineno):
                    yield dataclasses.replace(case, step=step, accuracy=accuracy)
            else:
                tree = ast.Module([statement], [])
                exec(compile(tree, str(self.path), "exec"), self.scope)

    def value(self, node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), str(self.path), "eval"), self.scope)

    def of_call(self, tree: ast.expr, out: set[str], line: int) -> Iterator[Case]:
        """The cases of one call: a function called by itself, or a small function written around the expression."""
        calls = calls_of(tree)
        name = ast.unparse(tree.func) if tree is calls[-1] else ast.unparse(tree)
        label = re.sub(r"\([^()]*\)", "()", name)
        new = copy.deepcopy(tree)
        params: dict[str, Any] = {}
        for call, old in zip(calls_of(new), calls, strict=True):
            function = self.value(old.func)
            names = parameter_names(function, len(old.args))
            for k, (node, parameter) in enumerate(zip(old.args, names, strict=True)):
                call.args[k] = self.replaced(node, parameter, function, params)
            keywords = []
            for keyword in old.keywords:
                # `**options` is written out
                for key, node in self.written_out(keyword):
                    keywords.append(ast.keyword(key, self.replaced(node, key, function, params)))
            call.keywords = keywords
        f: Callable[..., Any] | None = None
        args: tuple[Any, ...] = ()
        if len(calls) == 1 and tree is calls[0]:
            f, args, order = self.plain(calls[0], params)
        if f is None:
            f, order = self.wrapper(new, list(params), line), list(params)
            args = tuple(params.values())
        for parameter in params:
            if parameter not in out:
                at = order.index(parameter)
                value = float(args[at]) if isinstance(args[at], int) else args[at]
                given = (*args[:at], value, *args[at + 1 :])
                yield Case(self.package, label, ast.unparse(tree), parameter, f, given, at, line)

    def written_out(self, keyword: ast.keyword) -> Iterator[tuple[str, ast.expr]]:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value
            return
        for key in self.value(keyword.value):
            yield key, ast.Subscript(keyword.value, ast.Constant(key), ast.Load())

    def replaced(self, node: ast.expr, parameter: str, function: Any, params: dict[str, Any]) -> ast.expr:
        """A float argument's name in place of the argument, with its value noted."""
        node = ast.fix_missing_locations(ast.copy_location(copy.deepcopy(node), self.anchor))
        value = self.value(node)
        if not is_active(value, documented_float(function, parameter)):
            return node
        while parameter in params:
            parameter += "_"
        params[parameter] = value
        return ast.Name(parameter, ast.Load())

    anchor = ast.parse("x").body[0]

    def plain(self, call: ast.Call, params: dict[str, Any]) -> tuple[Any, tuple[Any, ...], list[str]]:
        """The function itself with all its arguments by position, where they can be given that way."""
        nothing: tuple[Any, tuple[Any, ...], list[str]] = (None, (), [])
        function = self.value(call.func)
        if not isinstance(function, (types.FunctionType, types.MethodType)):
            return nothing
        try:
            signature = inspect.signature(function, follow_wrapped=False)
            keywords = {k: self.value(self.anchored(n)) for w in call.keywords for k, n in self.written_out(w)}
            bound = signature.bind(*(self.value(a) for a in call.args), **keywords)
        except (TypeError, ValueError):
            return nothing
        given = list(bound.arguments)
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        order = list(signature.parameters)
        upto = order[: max((order.index(g) for g in given), default=-1) + 1]
        if any(signature.parameters[p].kind is not either for p in upto) or not set(params) <= set(upto):
            return nothing
        bound.apply_defaults()
        return function, tuple(bound.arguments[p] for p in upto), upto

    def anchored(self, node: ast.expr) -> ast.expr:
        return ast.fix_missing_locations(ast.copy_location(copy.deepcopy(node), self.anchor))

    def wrapper(self, tree: ast.expr, params: list[str], line: int) -> Callable[..., Any]:
        text = f"def call_{line}({', '.join(params)}):\n    return {ast.unparse(ast.fix_missing_locations(tree))}\n"
        file = self.wrappers / f"{self.package}_{line}.py"
        file.write_text(text)
        exec(compile(text, str(file), "exec"), self.scope)
        function: Callable[..., Any] = self.scope[f"call_{line}"]
        return function


def parameter_names(function: Any, count: int) -> list[str]:
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        given = ()
    names = [p.name for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [*names, *(f"a{k}" for k in range(len(names), count))][:count]


@functools.cache
def installed(package: str) -> bool:
    """Can a file of calls be read here? (The packages are an extra: pip install s2sad[packages].)"""
    try:
        next(Reader(FOLDER / f"{package}.py").cases())
    except Exception:  # not there, or broken
        return False
    return True


def cases(package: str) -> list[Case]:
    return list(Reader(FOLDER / f"{package}.py").cases())


def packages() -> list[str]:
    return sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "__init__")


# --- judging -------------------------------------------------------------------------------------------------------


def size(value: Any) -> float:
    """The magnitude that steps of an argument are measured in."""
    leaves = [value] if isinstance(value, int) else [x for _, x in numeric.leaves(value)]
    flat = np.abs(np.concatenate([np.ravel(np.asarray(x, dtype=float)) for x in leaves]))
    flat = flat[(flat > 0.0) & np.isfinite(flat)]
    return float(np.median(flat)) if flat.size else 1.0


def steps_of(case: Case) -> list[float]:
    """The steps with which differences give the derivative, best first; none at a kink, a jump, or in noise.

    Two steps have to agree: what is periodic or piecewise looks smooth to a single one.
    """
    own = size(case.args[case.position])
    units = dict.fromkeys((case.step or own, own))
    along = numeric.direction(case.args, case.position, np.random.default_rng(0))
    trembling = noise(case, along)
    found: list[tuple[float, float, np.ndarray]] = []
    for step in (relative * unit for unit in units for relative in STEPS):
        if step < 1e-8 * own:  # the argument itself is too coarse
            continue
        try:
            slope, error = numeric.directional(case.f, case.args, case.position, along, step=step)
        except Exception:
            continue
        error += trembling / step
        if np.all(np.isfinite(slope)) and error <= ACCURACY * float(np.max(np.abs(slope), initial=0.0)):
            found.append((error, step, slope))

    def agree(a: np.ndarray, b: np.ndarray) -> bool:
        return bool(np.max(np.abs(a - b), initial=0.0) <= 10.0 * ACCURACY * np.max(np.abs(a), initial=0.0))

    good = [f for f in found if any(agree(f[2], g[2]) for g in found if g is not f)]
    if not good or at_a_kink(case, along, 1e-4 * (case.step or own), good[0][2]):
        return []
    return [step for _, step, _ in sorted(good, key=lambda t: t[0])]


def noise(case: Case, along: Any) -> float:
    """The size of rounding in the result: what is left of neighbouring values behind their second differences."""
    h = 1e-13 * size(case.args[case.position])
    with numeric.quiet():
        try:
            values = [
                numeric.flatten(case.f(*numeric.moved(case.args, case.position, along, k * h))) for k in range(6)
            ]
            return float(np.max(np.abs(np.diff(values, n=2, axis=0)), initial=0.0)) / 3.0
        except Exception:
            return 0.0


def at_a_kink(case: Case, along: Any, step: float, slope: np.ndarray) -> bool:
    """Do the slopes to both sides differ, and go on differing at a smaller step?"""

    def gap(h: float) -> float:
        here, left, right = (
            numeric.flatten(case.f(*numeric.moved(case.args, case.position, along, t))) for t in (0.0, -h, h)
        )
        return float(np.max(np.abs(right - 2.0 * here + left), initial=0.0)) / h

    with numeric.quiet():
        try:
            return min(gap(step), gap(0.1 * step)) > 0.01 * float(np.max(np.abs(slope), initial=0.0))
        except Exception:
            return False


def rounding(case: Case, step: float) -> float:
    """The size of a derivative that is nothing but rounding, in differences with this step."""
    with numeric.quiet():
        value = numeric.flatten(case.f(*numeric.fresh(case.args)))
    along = numeric.direction(case.args, case.position, np.random.default_rng(0))
    least = 1e-12 * float(np.max(np.abs(value), initial=0.0)) / (case.step or size(case.args[case.position]))
    return least + 2.0 * noise(case, along) / step


def judge(case: Case, seconds: int = 120) -> tuple[verdict.Verdict, float]:
    """The verdict on a case, and the seconds of the processor that it took."""
    began = time.process_time()
    try:
        with numeric.quiet(), verdict.time_limit(60):
            case.f(*numeric.fresh(case.args))
            steps = steps_of(case)
    except Exception as error:
        return verdict.Verdict("unfit", f"{type(error).__name__}: {error}"), 0.0
    if not steps:
        return verdict.Verdict("unfit", "differences give no derivative"), 0.0
    for mode, check in CHECKS.items():
        # a derivative that is wrong is wrong with every step; noise, and steps out of the domain, are not
        for step in steps:
            floor = rounding(case, step)
            options = {"step": step, "floor": floor, "rtol": case.accuracy}
            found = verdict.judge(check, case.f, case.args, case.position, seconds, **options)
            if found.kind not in ("wrong", "crash"):
                break
            found = verdict.Verdict(found.kind, f"{mode}: {found.detail}")
        if found.kind != "right":
            break
    return found, time.process_time() - began
