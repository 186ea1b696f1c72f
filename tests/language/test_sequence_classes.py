"""What sequences are: lists, tuples and deques that the run keeps, and what is asked of their class."""

from __future__ import annotations

import collections
import itertools
import linecache

import pytest
import s2sad

from tests import amounts

MADE = {
    "list": "v = [t * 2.0 for t in xs if t > 0.0]",
    "tuple": "v = tuple([t * 2.0 for t in xs if t > 0.0])",
    "deque": "v = deque([t * 2.0 for t in xs if t > 0.0])",
    "grown": "v = []\n    for t in xs:\n        if t > 0.0:\n            v.append(t * t)",
    "sum": "v = tuple(t for t in xs if t > 0.0) + (xs[0],)",
    "slice": "v = tuple(xs[:n])",
    "sorted": "v = sorted(t for t in xs if t > 0.0)",
}
KEPT = {
    "itself": "w = v",
    "of two lists": "w = [x * 3.0] * n\n    if x > 0.0:\n        w = v",
    "of two tuples": "w = tuple([x * 3.0] * n)\n    if x > 0.0:\n        w = v",
    "of two deques": "w = deque([x * 3.0])\n    if x > 0.0:\n        w = v",
    "or None": "w = None\n    if x > 0.0:\n        w = v",
    "an item": "rows = [[x]]\n    for k in range(n):\n        rows.append(v)\n    w = rows[n - 1]",
    "a loop": "w = v\n    for k in range(n):\n        if k > 100:\n            w = (x,)",
    "a dict": "d = {}\n    for k in range(n):\n        d[k] = v\n    w = d[n - 1]",
    "a call": "w = same(v, n)",
    "what a loop runs over": "w = v\n    for w in [v] * n:\n        pass",
}
ASKED = (
    "isinstance(w, list)", "isinstance(w, tuple)", "isinstance(w, deque)", "isinstance(w, (list, tuple))", "type(w) is list",
    "type(w) == tuple", "w.__class__ is tuple", "type(w).__name__ == 'tuple'", "hasattr(w, 'append')", "hasattr(w, 'popleft')",
    "type(w)([1.0, 2.0]) == (1.0, 2.0)", "isinstance(w, Sequence)", "isinstance(w, Hashable)", "type(w) in (tuple, deque)",
)  # fmt: skip
TEXT = """
def same(v, n):
    return v if n > 1 else v


def f(x, n):
    xs = [x, x * 2.0, 3.0]
    {made}
    {kept}
    if {asked}:
        return 5.0 * x
    return 7.0 * x * x
"""


@pytest.mark.sampled(90)
@pytest.mark.parametrize(("made", "kept"), list(itertools.product(MADE, KEPT)))
def test_the_class_of_a_sequence(made, kept):
    """The derivative is of the path that the primal takes, or the question is refused."""
    for k, asked in enumerate(ASKED):
        text = TEXT.format(made=MADE[made], kept=KEPT[kept], asked=asked)
        file = f"<class of {made}, {kept}, {asked}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"deque": collections.deque, **vars(collections.abc)}
        exec(compile(text, file, "exec"), scope)
        f = scope["f"]
        wanted = 5.0 if f(1.5, 2) == 7.5 else 21.0
        both = lambda f: s2sad.grad(f)(1.5, 2), lambda f: s2sad.jvp(f)(1.5, 2, 1.0)[1]
        turn = (len(made) + len(kept) + k) % 3 == 0  # the questions are those of lowering: in one mode, by turns
        for derivative in both if amounts.ALL else both[turn:][:1]:
            try:
                assert derivative(f) == pytest.approx(wanted), asked
            except s2sad.DerivationError as error:
                assert "the class of what may be" in error.reason or "defect" not in error.reason


@pytest.mark.parametrize("kind", ["list", "tuple"])
def test_a_sequence_that_is_known(kind):
    """What is made by a call of list or tuple alone is that."""

    def f(x, n):
        v = list([x * k for k in range(n)]) if kind == "list" else tuple([x * k for k in range(n)])
        return sum(v) if type(v) is tuple else 2.0 * sum(v)

    assert s2sad.grad(f)(1.5, 3) == (6.0 if kind == "list" else 3.0)
