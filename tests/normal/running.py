"""Runs the core tree of a function beside the function itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.core import Stmt, blocks_of, clone, text
from s2sad.frontend.source import function_tree
from s2sad.kinds.bind import kinds_of
from s2sad.kinds.query import as_float
from s2sad.normal.lower import lower_function
from s2sad.normal.lowered import Core
from s2sad.normal.values.making import expression
from tests.numeric import assert_same, quiet

CORE = (
    gast.Assign,
    gast.AugAssign,
    gast.If,
    gast.For,
    gast.While,
    gast.Break,
    gast.Continue,
    gast.Expr,
    gast.Assert,
    gast.Raise,
    gast.Pass,
    gast.With,
)


def lowered(f: Callable[..., Any], *args: Any, wrt: tuple[str, ...] | None = None) -> Core:
    """A function in core Python for example arguments."""
    source = function_tree(f)
    names = [n.id for n in (*source.tree.args.posonlyargs, *source.tree.args.args)]
    wrt = wrt if wrt is not None else (names[0],)
    kinds = {n: as_float(k) if n in wrt else k for n, k in kinds_of(dict(zip(names, args, strict=True))).items()}
    return lower_function(source, kinds, wrt)


def every(body: list[Stmt]) -> list[Stmt]:
    """All statements of a tree, also those inside others."""
    return [s for statement in body for s in (statement, *(x for b in blocks_of(statement) for x in every(b)))]


def compiled(core: Core, parameters: list[str]) -> Callable[..., Any]:
    """The core tree as a function."""
    body = clone(core.body)
    for statement in every(body):
        if isinstance(statement, (gast.If, gast.For, gast.While)) and not statement.body:
            statement.body = [gast.Pass()]
    body.append(gast.Return(clone(expression(core.run, core.result))))
    names = [gast.Name(n, gast.Param(), None, None) for n in parameters]
    arguments = gast.arguments(names, [], None, [], [], None, [])
    namespace = dict(core.facts.globals)
    exec(text(gast.FunctionDef("core", arguments, body, [], None, None)), namespace)
    return namespace["core"]


def agree(f: Callable[..., Any], *cases: tuple[Any, ...], wrt: tuple[str, ...] | None = None) -> Core:
    """Does the core tree, made for the first arguments, compute, change and print what the primal does for all?

    All cases have to be of the same kinds. Returns the core tree, for what else is to be asked of it.
    """
    core = lowered(f, *cases[0], wrt=wrt)
    for statement in every(core.body):
        assert isinstance(statement, CORE), text(statement)
        if isinstance(statement, gast.Assign):
            assert len(statement.targets) == 1, text(statement)
    names = [n.id for n in function_tree(f).tree.args.args]
    run = compiled(core, names)
    for case in cases:
        given, expected_given = copy.deepcopy(case), copy.deepcopy(case)
        with quiet() as printed:
            expected = f(*expected_given)
        with quiet() as printed_too:
            got = run(*given)
        assert_same(got, expected, f"{text(core.body)}\nvalue for {case}")
        if isinstance(expected, (int, bool, str)) or expected is None:
            assert got == expected
        assert_same(given, expected_given, "arguments afterwards", 0.0)
        assert printed_too.getvalue() == printed.getvalue()
    return core


def has(core: Core, *kinds: type) -> bool:
    """Is there a statement of one of these kinds?"""
    return any(isinstance(s, kinds) for s in every(core.body))


X = np.array([0.5, -1.25, 2.0, 0.75])
