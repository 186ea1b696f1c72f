"""Functions and methods of which a call is more than its result."""

from __future__ import annotations

import bisect
import dataclasses
import functools
import heapq
import itertools
import math
import operator
import random
from typing import Any

import numpy as np

from s2sad.normal.iteration.iterators import all_of, any_of

#: how many arguments builtins take, which are followed without being called: the least and the most
TAKES: dict[Any, tuple[int, int]] = {
    **dict.fromkeys((len, reversed, any, all, id, callable, abs, hash), (1, 1)),
    **dict.fromkeys((next, iter, sum, enumerate, round), (1, 2)),
    **dict.fromkeys((hasattr, isinstance, issubclass, divmod), (2, 2)),
    **dict.fromkeys((list, tuple, set, frozenset, float, bool), (0, 1)),
    range: (1, 3),
    getattr: (2, 3),
    setattr: (3, 3),
    **dict.fromkeys((list.append, list.extend, list.remove, list.count), (1, 1)),
    **dict.fromkeys((list.clear, list.copy, list.reverse), (0, 0)),
    list.insert: (2, 2),
    list.pop: (0, 1),
    list.index: (1, 3),
    **dict.fromkeys((dict.get, dict.pop, dict.setdefault), (1, 2)),
    **dict.fromkeys((dict.keys, dict.values, dict.items, dict.clear, dict.popitem), (0, 0)),
}
#: functions that run through the keys of a dict
RUN_THROUGH = frozenset(
    (sorted, max, min, list, tuple, set, frozenset, enumerate, zip, map, filter, iter, reversed, sum, any, all)
)
#: functions that are given an iterator and leave it one: they ask it for items later, for some of them, or for none
TAKES_ITERATORS = frozenset((next, iter, zip, enumerate, map, filter, reversed, isinstance, type, id, callable)).union(
    (hasattr, getattr, setattr, functools.partial, itertools.chain.from_iterable),
    (f for f in vars(itertools).values() if callable(f)),
)
#: functions that ask an iterator for items until they know the answer
EARLY: dict[Any, Any] = {any: any_of, all: all_of}
#: functions that tell what something is: of None something else than of a value
LOOKS_AT = frozenset((type, callable, hasattr, getattr, str, repr, ascii, format, print, id, hash, bool)).union(
    (np.isscalar, np.ndim, np.shape, np.size, np.iterable)
)
#: what raises a TypeError for None
OF_NUMBERS = frozenset((float, int, complex, abs, round, divmod, len, sum, sorted, tuple, list)).union(
    f for f in vars(math).values() if callable(f)
)
#: how many calls are written out inside each other
DEPTH = 60
MUTATORS = {
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "fill",
    "put",
    "resize",
    "update",
    "setdefault",
    "popitem",
    "move_to_end",
    "partition",
    "itemset",
    "setflags",
}
#: functions of the standard library and of NumPy that change the list they are given
CHANGES_A_LIST = {
    *(heapq.heapify, heapq.heappush, heapq.heappop, heapq.heapreplace, heapq.heappushpop),
    *(bisect.insort, bisect.insort_left, bisect.insort_right, random.shuffle, np.random.shuffle),
    operator.delitem,
}
#: statements as functions: an item is stored, or what is given first is changed
_OPERATORS = "iadd iconcat isub imul imatmul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift"
IN_PLACE = {operator.setitem, *(getattr(operator, name) for name in _OPERATORS.split())}
#: builtins that call a method of the object they are given
SPECIAL_METHODS: dict[Any, str] = {
    abs: "__abs__",
    round: "__round__",
    float: "__float__",
    int: "__int__",
    complex: "__complex__",
    bool: "__bool__",
    len: "__len__",
    divmod: "__divmod__",
    next: "__next__",
    reversed: "__reversed__",
    operator.neg: "__neg__",
    operator.pos: "__pos__",
    math.floor: "__floor__",
    math.ceil: "__ceil__",
    math.trunc: "__trunc__",
}
#: modules whose functions make arrays of the lists that they are given
OF_ARRAYS = tuple(f"scipy.{name}." for name in ("integrate", "interpolate", "linalg", "spatial", "stats", "signal"))
#: methods of containers that put in what they are given
KEEPS = ("append", "appendleft", "insert", "setdefault", "__setitem__")
LAZY_ONES = (map, filter, zip, enumerate, iter, reversed)
PROGRESS_OF_RANGES = ("trange", "tnrange")
#: a dict of this length may be gone through item by item
UNROLLED_TABLE = 64
#: functions of matrices, which may be given as lists of lists
#: functions of NumPy that are given several arrays in a list, or whose rules know lists of numbers
_LISTS = (
    "array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite require block concatenate"
    " stack vstack hstack dstack column_stack row_stack select choose piecewise trim_zeros"
    " sum prod mean max min amax amin dot shape size ndim isscalar iscomplexobj isrealobj"
)
OF_LISTS: set[Any] = {getattr(np, name, None) for name in _LISTS.split()} | {np.linalg.multi_dot, np.linalg.norm}
#: functions whose rules know lists of numbers, and not those of arrays
EXTREMES = {np.max, np.min, np.amax, np.amin}
#: parameters of NumPy's functions whose lists and tuples mean something else than an array would
OF_SEVERAL = frozenset(("constant_values", "end_values", "sample", "bins", "range"))
#: what looks at the items of the containers that it is given, and does not keep these
NEW_CONTAINERS = frozenset((list, tuple, set, frozenset, dict, sorted, str, repr))
OF_MATRICES: set[Any] = {np.dot, np.matmul, np.inner, np.outer, np.kron, np.trace, np.tensordot, np.vdot}
#: where SciPy's functions make arrays of lists
MAKE_ARRAYS_OF_LISTS = ("signal", "special", "ndimage", "fft", "stats", "interpolate", "linalg")
#: what dataclasses makes of a ClassVar and of an InitVar
CLASS_VARIABLE = getattr(dataclasses, "_FIELD_CLASSVAR")  # noqa: B009 (they have no public names)
INIT_VARIABLE = getattr(dataclasses, "_FIELD_INITVAR")  # noqa: B009
#: what takes settings, and may be given back those that another call handed out: np.seterr(**old)
SETTERS = {np.seterr, np.set_printoptions}
#: what puts the items of a run-time list side by side
JOINS = {np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack}
