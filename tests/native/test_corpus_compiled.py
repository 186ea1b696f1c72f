"""Programs of the language corpus, compiled, against NumPy mode; tools/compiled runs all of them."""

import pytest

from tests import compiled
from tests.language.test_corpus import PROGRAMS

pytest.importorskip("numba")

#: of each part of the language, one that compiles
COMPILED = (
    "aliasing:alias_decided_by_data", "branches:any_and_all", "callables:nonlocal_array", "chosen:members_in_turn",
    "combined:kalman_filter", "constants:set_changed_by_a_method_kept_aside", "containers:nested_dict_argument",
    "control:break_and_continue_at_depth", "for_loops:columns_through_transpose", "functions:rk4_with_function",
    "inplace:arrays_in_dict_by_name", "iterators:neighbours_of_what_changes", "later:numbered_items_that_change",
    "masks:logarithm_far_from_zero", "names:asserts_fail", "nested_lists:matrix_in_lists", "numbers_:python_complex",
    "objects:methods_that_write_arrays", "recursion:series_with_remainder", "stores:linear_recurrence",
    "tables:groups_that_begin_with_one", "while_loops:kepler_equation",
)  # fmt: skip
BY_NAME = {p.name: p for p in PROGRAMS}


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_programs_are_right(name):
    found = compiled.judge(BY_NAME[name])
    assert found.kind == "right", found.detail


@pytest.mark.sampled(200, each=False)
@pytest.mark.parametrize("p", [p for p in PROGRAMS if p.refused is not True], ids=lambda p: p.name)
def test_no_program_is_wrong(p):
    """Right, or refused with a reason."""
    found = compiled.judge(p)
    assert found.kind in ("right", "refused", "unfit"), found.detail
