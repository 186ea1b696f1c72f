"""The functions of a built module are differentiated like any others."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from s2sad import grad

from tests import numeric
from tests.language.corpus import Program
from tests.language.test_corpus import PROGRAMS

NAMES = """
recursion:loop_inside_that_calls_itself recursion:list_grown_and_shrunk_on_the_way recursion:list_read_by_the_callee
recursion:stores_in_a_loop_and_a_call_between recursion:lists_on_a_list_handed_down nested_lists:matrix_in_lists
nested_lists:list_replaced_in_a_loop nested_lists:stack_of_stacks combined:quick_select
"""


def module_function(p: Program, folder: Path) -> Callable[..., Any]:
    """The program's gradient, as a function of a module of its own."""
    derivative = grad(p.f, wrt=p.wrt)
    derivative(*p.args)
    file = folder / f"grad_of_{p.f.__name__}.py"
    file.write_text(derivative.source)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    found: Callable[..., Any] = getattr(module, f"grad_{p.f.__name__}")
    return found


@pytest.mark.sampled(4, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES.split())
def test_derivative_of_a_built_function(name: str, tmp_path: Path) -> None:
    (p,) = (q for q in PROGRAMS if q.name == name)
    function = module_function(p, tmp_path)
    try:
        numeric.check_forward(function, p.args, p.wrt)
        numeric.check_reverse(function, p.args, p.wrt)
    finally:
        sys.modules.pop(function.__module__, None)
