"""Trees print as a person would type them, and what is printed means the same."""

import textwrap

import gast
import pytest

from s2sad.emit.layout import WIDTH
from s2sad.emit.printer import expression, source


def same(text):
    """Printing the tree of a text gives the text back."""
    text = textwrap.dedent(text).strip("\n") + "\n"
    assert source(gast.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "x**2",
        "x[i] ** 2",
        "a.b**-1",
        "(-x) ** 2",
        "-x**2",
        "x ** (p - 1.0)",
        "2 ** x**y",
        "(2**x) ** y",
        "a - (b - c)",
        "a - b - c",
        "a / (b * c)",
        "a * b / c",
        "-(a + b)",
        "not a == b",
        "(not a) == b",
        "a and (b or c)",
        "(a if b else c) + 1",
        "a if b else c if d else e",
        "(lambda x: x)(1)",
        "x[i - 1]",
        "x[1:-1]",
        "x[:, 4:]",
        "x[: i + 1]",
        "x[i + 1 :]",
        "x[lower + 1 : upper - 1 : 2]",
        "x[:: len(y)]",
        "x[::-1]",
        "x[..., None, ::2]",
        "x[:-n]",
        "x[()]",
        "x[i,]",
        "x[*a, 1]",
        "f(*a, k=1, **k)",
        "f(x for x in y)",
        "f((x for x in y), 1)",
        "[x for x in y if x if z]",
        "{a: b for a, b in c}",
        "{**a, 'b': 1}",
        "(a, b)[0]",
        "(a,)",
        "f((a, b))",
        "[(a, b), ()]",
        "(yield)",
        "(x := 3) + 1",
        "a < b <= c is not d not in e",
        "0.1 + 1e-12 + 1e+300 + 1j",
        "(1).real",
        "x.T @ -y",
        "a @ b * c",
        "a << b + 1 | c & d ^ ~e",
        "await_ + x.y[0](1)[2].z",
    ],
)
def test_expressions_as_they_are_typed(text):
    text = text.replace("'b'", '"b"')
    node = gast.parse(text).body[0].value
    shown = expression(node)
    assert shown == (text[1:-1] if text in ("(yield)", "(a,)") else text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (1e-12, "1e-12"),
        (float("inf"), 'float("inf")'),
        (-2.0, "-2.0"),
        (-0.0, "-0.0"),
        (1 + 2j, "complex(1.0, 2.0)"),
        (complex(-0.0, 1.0), "complex(-0.0, 1.0)"),
        (2j, "2j"),
        (None, "None"),
        (..., "..."),
        ("it's", '"it\'s"'),
        ('"', "'\"'"),
        ((1, "a"), '(1, "a")'),
    ],
)
def test_constants_are_exact(value, text):
    assert expression(gast.Constant(value, None)) == text
    assert repr(eval(text)) == repr(value)


def test_negative_constants_in_powers():
    two = gast.Constant(2, None)
    assert expression(gast.BinOp(gast.Constant(-2.0, None), gast.Pow(), two)) == "(-2.0) ** 2"
    assert expression(gast.BinOp(two, gast.Pow(), gast.Constant(-2.0, None))) == "2 ** -2.0"


def test_statements():
    same(
        '''
        import numpy as np
        from math import sin, cos as c


        @decorator(1)
        def f(a, /, b: int, c=1, *args, d, e: float = 2.0, **kw) -> float:
            """A docstring.

            More.
            """
            x, (y, z) = b, c
            x[1:-1] += y
            x: int = 3
            if x:
                pass
            elif y:
                return
            else:
                while (n := next(a)):
                    break
            for i, j in reversed(range(1, n)):
                continue
            else:
                del x, y
            with open(a) as f, g:
                raise ValueError("no") from None
            try:
                assert x, "message"
            except (A, B) as error:
                raise
            else:
                x = yield y
            finally:
                global q
            return a, b


        class A(B, metaclass=C):
            x = 1

            def m(self):
                nonlocal x
                return lambda: 0
        '''.replace("(n := next(a))", "n := next(a)").replace("2.0, **kw", "2.0, **kw")
    )


def test_match():
    same(
        """
        match x, y:
            case [1, -2.5, "a", None]:
                pass
            case {"k": v, **rest} if v > 0:
                pass
            case Point(0, y=1 | 2 as z):
                pass
            case [a, *_] | (b as c):
                pass
            case np.pi | _:
                pass
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        'f"{x!r:>{w}} it\'s {{}} {a[i]:.3f}"',
        "f\"{d['k']} \\n\"",
        'f"{ {1: 2}[1]}"',
        'f"{(lambda: 1)()}"',
        'f"a {x} " "b"',
    ],
)
def test_f_strings_mean_the_same(text):
    tree = gast.parse(text)
    assert gast.dump(gast.parse(source(tree))) == gast.dump(tree)


def test_comments_and_nested_functions():
    body = gast.parse("x = 1\ndef f():\n    return 1\ny = 2").body
    body[2].comment = ["Grad of: y = 2", "more"]
    assert source([gast.parse("def g():\n    pass").body[0]]) == "def g():\n    pass\n"
    assert source(body, indent=1) == (
        "    x = 1\n\n    def f():\n        return 1\n\n    # Grad of: y = 2\n    # more\n    y = 2\n"
    )


LONG = """
bu[1:-1] += nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2]) + np.exp(-x) * np.log(y + 1.0)
result = np.concatenate([first_array_with_a_name, second_array_with_a_name, third_array_with_a_name], axis=0)
params = {"W1": np.tanh(x @ params["W1"] + params["b1"]), "b1": np.sum(bz, axis=0), "W2": h.T @ bz + np.sum(x)}
if aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb and cccccccccccccccccccccc or dddddddddd:
    return np.sum(first_long_name * second_long_name), np.sum(third_long_name * fourth_long_name), one_more_name
def function_of_many(parameter_one, parameter_two, parameter_three, parameter_four, parameter_five=5, *rest, k=1): pass
x = -np.where(condition_with_a_long_name > 0.0, first_value_with_a_long_name**2, second_value_with_a_long_name)[0]
"""


def test_long_lines_are_broken():
    tree = gast.parse(LONG)
    shown = source(tree)
    assert gast.dump(gast.parse(shown)) == gast.dump(tree)
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert "bu[1:-1] += (\n    nu * (u[2:] - 2.0 * u[1:-1] + u[:-2])\n    - 0.1 * u[1:-1]" in shown


def test_standard_library_prints_and_parses_again():
    import inspect
    import statistics

    for module in (inspect, statistics, textwrap):
        tree = gast.parse(inspect.getsource(module))
        assert gast.dump(gast.parse(source(tree))) == gast.dump(tree)
