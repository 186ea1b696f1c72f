"""What is refused, and what to do instead: reason and way out are true, and the way out works."""

from __future__ import annotations

import ast
import functools
import importlib
import pathlib
import re
import sys
import types
from collections.abc import Iterator

import numpy as np
import pytest

from s2sad import DerivationError, grad, hvp, jvp, vjp
from s2sad.face import Derivative
from s2sad.frontend import ways
from tests import generator, numeric
from tests.trees import tree_of
from tests.ways_out.rows import ROWS, Row

pytestmark = pytest.mark.slow


def needs(row: Row) -> None:
    """Leave a row out where what it is written with is not there."""
    for package in ("scipy", "numba", "tqdm", "pandas"):
        if package in row.head + "\n".join(row.lines) or (package == "numba" and row.table == "kernels"):
            pytest.importorskip(package)
    for path in re.findall(r"\bnp((?:\.[a-z_]\w*)+)", "\n".join(line for line in row.lines if line[0] in " -")):
        found: object = np
        for name in path[1:].split("."):
            if isinstance(found, types.ModuleType) and not hasattr(found, name):
                pytest.skip(f"this NumPy has no np{path}")
            found = getattr(found, name, None)


def named(row: Row) -> str:
    return f"{row.table}-{row.number}-{row.way_out[:40]}"


#: what a row asks for
ASKED = {
    "grad": lambda f, x: grad(f)(x),
    "jvp": lambda f, x: jvp(f)(x, np.ones_like(x)),
    "hvp": lambda f, x: hvp(f)(x, np.ones_like(x)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.sampled(6, each=False)
@pytest.mark.parametrize("row", [r for r in ROWS if "call" in r.options], ids=named)
def test_way_out_of_a_call(row: Row, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call is refused with the way out that the row says; the other one is made, and what is said of it is true."""
    needs(row)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "model", sys)  # what calls import of that name is forgotten behind the test
    del sys.modules["model"]
    with pytest.raises(DerivationError) as caught:
        row.called("-", tmp_path / f"refused_{row.table}_{row.number}.py")
    assert re.fullmatch(row.way_out, caught.value.way_out) or row.way_out == caught.value.way_out
    assert row.called("+", tmp_path / f"instead_{row.table}_{row.number}.py") is True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.sampled(9, each=False)
@pytest.mark.parametrize("row", [r for r in ROWS if "call" not in r.options], ids=named)
def test_way_out(row: Row, tmp_path: pathlib.Path) -> None:
    """The program is refused at the line and with the way out that the row says; the other one is derived, is right,
    and gives the same number."""
    needs(row)
    before, after = row.program("-"), row.program("+")
    refused = generator.load(before.text, tmp_path / "refused.py")
    x = eval(row.argument, refused.__globals__)
    with pytest.raises(DerivationError) as caught:
        ASKED[next(iter(row.options & ASKED.keys()), "grad")](refused, x)
    assert caught.value.way_out == row.way_out
    assert caught.value.line in before.marked or "hvp" in row.options  # (its line is one of the first derivative)
    instead = generator.load(after.text, tmp_path / "instead.py")
    if "other" not in row.options:
        np.testing.assert_allclose(instead(numeric.fresh(x)), refused(numeric.fresh(x)), rtol=1e-6)
    numeric.check(instead, (x,), 0)


def of_two(x: float, y: float) -> float:
    return x * x * y


@pytest.mark.parametrize(
    ("inner", "args"), [(hvp(of_two), (1.0, 2.0, 1.0)), (jvp(of_two), (1.0, 2.0, 1.0)), (vjp(of_two), (1.0, 2.0))]
)
def test_of_what_is_no_gradient(inner: Derivative, args: tuple[float, ...]) -> None:
    """They are given more arguments than the primal: that is not what is wrong."""
    for named in ({}, {"y": 2.0}):
        with pytest.raises(DerivationError, match="cannot be differentiated again"):
            grad(inner)(*args, **named)


#: what refuses, and the place of the way out among its arguments
REFUSALS = {"refuse": 1, "error_at": 3, "raised_by": 2, "_bad": 1, "source_error": 2}
REFUSALS |= dict.fromkeys(("DerivationError", "BadArgument", "NoSource", "NotFound", "Raised", "NoDerivative"), 1)
#: in these a refusal that gives no way out is given one by the function that refuses
SUPPLIED = ("aliasing.py", "target.py")
ROOT = pathlib.Path(__file__).parents[2]


@functools.cache
def refusals() -> list[tuple[str, ast.Call, int, bool]]:
    """Each place that refuses: where, the call, the place of the way out in it, and is one supplied?"""
    found = []
    for file in sorted([*(ROOT / "s2sad").rglob("*.py"), *(ROOT / "templates").glob("*.py")]):
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in REFUSALS:
                    first = name == "refuse" and file.name == "aliasing.py"  # the statement comes first there
                    supplied = name == "refuse" and (file.name in SUPPLIED or file.parent.name == "expansion")
                    supplied = supplied or file.parent.name == "templates"
                    found.append((f"{file.relative_to(ROOT)}:{node.lineno}", node, REFUSALS[name] + first, supplied))
    return found


def test_each_refusal_has_a_way_out() -> None:
    found = refusals()
    assert len(found) > 600  # they are found at all
    for where, call, at, supplied in found:
        given = [k.value for k in call.keywords if k.arg == "way_out"] + call.args[at : at + 1]
        several = any(isinstance(a, ast.Starred) for a in call.args)
        empty = any(isinstance(w, ast.Constant) and not w.value for w in given)
        assert (given or several or supplied) and not empty, f"{where} refuses without a way out"


def given(call: ast.Call, at: int) -> list[ast.expr]:
    """The argument that is the way out, be it one of several that are given together."""
    return [*call.args[at : at + 1], *(a for a in call.args[:at] if isinstance(a, ast.Starred))]


def texts() -> dict[str, str]:
    """The patterns of all ways out, with a place for each."""
    found: dict[str, str] = {}
    for where, call, at, _ in refusals():
        for way in [*(k.value for k in call.keywords if k.arg == "way_out"), *given(call, at)]:
            for pattern in patterns(way, where):
                found.setdefault(pattern, where)
    return found


def patterns(way: ast.expr, where: str) -> Iterator[str]:
    """The regular expressions that the texts of an expression match; none for a name that a function is given."""
    if isinstance(way, ast.Constant) and way.value:
        yield re.escape(str(way.value))
    elif isinstance(way, ast.JoinedStr):
        yield "".join(re.escape(str(v.value)) if isinstance(v, ast.Constant) else ".*" for v in way.values)
    elif isinstance(way, ast.IfExp):
        yield from patterns(way.body, where)
        yield from patterns(way.orelse, where)
    elif isinstance(way, ast.BoolOp):
        for value in way.values:
            yield from patterns(value, where)
    elif isinstance(way, ast.Attribute) and isinstance(way.value, ast.Name) and way.value.id == "ways":
        yield re.escape(getattr(ways, way.attr))
    elif isinstance(way, (ast.Name, ast.Starred)) and where.startswith("s2sad/"):  # a constant of the module: it may be
        name = getattr(way, "id", "") or getattr(way.value, "id", "")  # the reason and the way out
        module = importlib.import_module(where.partition(".py")[0].replace("/", "."))
        value = getattr(module, name, "")
        yield from [re.escape(v) for v in ((value,) if isinstance(value, str) else value[1:]) if v]


def test_each_way_out_is_taken() -> None:
    taken = {row.way_out for row in ROWS}
    left = {text: where for text, where in texts().items() if not any(re.fullmatch(text, way) for way in taken)}
    assert not left, "add a row that takes each"
