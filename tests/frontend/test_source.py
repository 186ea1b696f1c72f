"""Functions are found in their files exactly, or there is an error."""

import functools
import importlib
import linecache
import math
import sys
import types

import gast
import numpy as np
import pytest

from s2sad.frontend.diagnostics import DerivationError, NoSource, error_at
from s2sad.frontend.source import function_tree


def text(fn):
    return gast.unparse(function_tree(fn).tree).strip()


def wrapped(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)

    return wrapper


def plain(x, k=2, *, z=3):
    """A docstring
    of two lines."""
    # above
    y = x * 2  # beside
    #   indented
    return y + k + z


def unicode_line(x):
    return "é" + "数" + eval(x)


class Base:
    __private = 2.0

    def method(self, x):
        text = """
not indented
"""
        return self.__private * x + len(text)

    def uses_super(self):
        return super().__repr__()

    @staticmethod
    def static(x):
        return x

    @classmethod
    def of_class(cls, x):
        return x * 2


def closures(a):
    b = a

    @wrapped
    def inner(x):
        c = lambda t: t * b  # noqa: E731
        return c(x) + a

    return inner.__wrapped__, lambda x: x * a


double, triple = lambda x: x * 2, lambda x: x * 3
same, again = lambda x: x * 2, lambda x: x * 2
curried = [lambda y: lambda x: x * y, lambda y: lambda x: x + y]
# fmt: off
spread = (  # noqa: E731
    lambda x:
        x +
        1)
# fmt: on


def with_assert(x):
    assert x > 0, "positive"
    return math.sqrt(x)


def uses_import(x):
    return np.sin(x) + sum(np.cos(t) for t in x)


def test_positions_and_defaults():
    source = function_tree(plain)
    assert source.line(source.tree.lineno) == "def plain(x, k=2, *, z=3):"
    assignment = source.tree.body[1]
    assert source.line(assignment.lineno) == "    y = x * 2  # beside"
    assert source.defaults == {"k": 2, "z": 3}
    assert source.globals is globals()
    assert source.text.startswith("def plain") and source.text.endswith("return y + k + z\n")


def test_each_call_gives_a_tree_of_its_own():
    assert function_tree(plain).tree is not function_tree(plain).tree


@pytest.mark.parametrize("fn", [Base.method, Base().method, Base.static, Base.of_class, Base.uses_super])
def test_methods(fn):
    assert function_tree(fn).tree.name == fn.__name__
    assert function_tree(fn).tree.col_offset == 4


def test_multi_line_strings_keep_their_indentation():
    assert "'\\nnot indented\\n'" in text(Base.method)


def test_closures():
    inner, by_lambda = closures(3.0)
    assert function_tree(inner).closure == {"a": 3.0, "b": 3.0}
    assert text(by_lambda).endswith("return x * a") and function_tree(by_lambda).closure == {"a": 3.0}


def test_empty_cells_are_absent():
    def outer():
        def inner(x):
            return x * later

        source = function_tree(inner)
        later = 2.0
        return source, later

    assert outer()[0].closure == {}


def test_lambdas_on_one_line_are_told_apart():
    assert text(double).endswith("return x * 2") and text(triple).endswith("return x * 3")
    assert text(same) == text(again).replace("again", "same")
    assert text(curried[0]).endswith("lambda x: x * y") and text(curried[1]).endswith("lambda x: x + y")
    assert text(curried[0](1)).endswith("return x * y") and text(curried[1](1)).endswith("return x + y")


def test_lambda_over_several_lines_takes_its_name_from_the_assignment():
    assert text(spread) == "def spread(x):\n    return x + 1"


def test_rewritten_asserts_and_imported_names():
    assert function_tree(with_assert).tree.name == "with_assert"
    assert function_tree(uses_import).tree.name == "uses_import"


def test_generated_code_with_registered_source():
    lines = "def made(x):\n    return x * 7\n"
    linecache.cache["<made>"] = (len(lines), None, lines.splitlines(keepends=True), "<made>")
    namespace = {}
    exec(compile(lines, "<made>", "exec"), namespace)
    assert text(namespace["made"]).endswith("return x * 7")


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (math.sin, "math.sin is built in"),
        (np.sin, "numpy.sin is built in"),
        (np.ndarray.sum, "built in"),
        (eval("lambda x: x"), "made from text by exec"),
        (Base, "is a class"),
        (3.0, "is not a function"),
        (functools.partial(plain, 1), "without Python source"),
    ],
)
def test_no_source(fn, words):
    with pytest.raises(NoSource, match=words) as caught:
        function_tree(fn)
    assert "Way out: " in str(caught.value)


def test_async_is_refused():
    async def waits(x):
        return x

    with pytest.raises(DerivationError, match="async"):
        function_tree(waits)


def test_a_file_that_changed_after_its_import_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "changing_module.py"
    file.write_text("def f(x):\n    return x * 2\n")
    module = importlib.import_module("changing_module")
    file.write_text("def f(x):\n    return x * 3.5\n")
    with pytest.raises(NoSource, match="not what runs") as caught:
        function_tree(module.f)
    assert "changing_module.py:1" in str(caught.value)
    file.write_text("# a line more above\n\ndef g(x):\n    return x\n")
    with pytest.raises(NoSource):
        function_tree(module.f)


def test_equal_code_of_another_file_is_read_from_that_one(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    first, other, changed = (tmp_path / f"equal_{name}.py" for name in ("first", "other", "changed"))
    first.write_text("def f(x):\n    return 2 * x  # first\n")
    other.write_text("def f(x):\n    return 2 * x  # other\n")
    changed.write_text(first.read_text())
    found = [importlib.import_module(file.stem).f for file in (first, other, changed)]
    assert found[0].__code__ == found[1].__code__ == found[2].__code__
    changed.write_text("def f(x):\n    return 3 * x\n")
    linecache.checkcache(str(changed))
    assert [function_tree(f).text[-len("first\n") :] for f in found[:2]] == ["first\n", "other\n"]
    with pytest.raises(NoSource, match="is not what runs"):
        function_tree(found[2])


def test_constants_are_compared_by_type(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "changing_constant.py"
    file.write_text("def f(x):\n    return x * 2\n")
    module = importlib.import_module("changing_constant")
    file.write_text("def f(x):\n    return x * 2.0\n")
    with pytest.raises(NoSource):
        function_tree(module.f)


def test_caret_counts_columns_not_bytes():
    source = function_tree(unicode_line)
    error = error_at(source.tree.body[0].value.right, source, "The reason.", "the way.")
    place, line, caret, reason, way = str(error).splitlines()
    assert place.endswith(f"test_source.py:{source.tree.lineno + 1}")
    assert line == '    return "é" + "数" + eval(x)'
    assert caret == "    " + " " * 20 + "^^^^^^^"  # the ideograph is two columns wide
    assert (reason, way) == ("The reason.", "Way out: the way.")


def test_caret_keeps_tabs(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "with_tabs.py").write_text("def f(x):\n\treturn (x,\teval(x))\n")
    source = function_tree(importlib.import_module("with_tabs").f)
    _, line, caret, *_ = str(error_at(source.tree.body[0].value.elts[1], source, "r", "w")).splitlines()
    assert line == "    return (x,\teval(x))" and caret == "    " + " " * 10 + "\t" + "^^^^^^^"


@pytest.mark.parametrize("module", ["statistics", "fractions", "numpy.linalg._linalg", "s2sad.emit.printer"])
def test_every_function_of_a_module_is_found(module):
    namespace = vars(importlib.import_module(module))
    found = [v for v in namespace.values() if isinstance(v, types.FunctionType) and v.__module__ == module]
    classes = [c for c in namespace.values() if isinstance(c, type) and c.__module__ == module]
    found += [m for c in classes for m in vars(c).values() if isinstance(m, types.FunctionType)]
    found = [f for f in found if f.__code__.co_filename.endswith(".py")]
    assert found
    for fn in found:
        assert function_tree(fn).tree.name in (fn.__code__.co_name, fn.__name__)


def test_order_of_a_set_in_the_code_does_not_matter():
    from s2sad.frontend.source import _value

    assert _value(frozenset(["a", "b"])) == _value(frozenset(["b", "a"])) != _value(frozenset(["a", "c"]))
    assert _value(frozenset([1, 8, 16])) == _value(frozenset([16, 8, 1]))
    assert _value((1, 0.0)) != _value((1.0, 0.0))


def test_functions_in_functions_are_found_at_once(tmp_path):
    deep = 40
    lines = "def f(x):\n    return " + "(lambda a: " * deep + "a * x" + ")(x)" * deep + "\n"
    file = tmp_path / "deep.py"
    file.write_text(lines)
    space = {}
    exec(compile(lines, str(file), "exec"), space)
    assert text(space["f"]).count("lambda") == deep
