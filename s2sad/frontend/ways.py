"""Ways out that several refusals share: a table of them by what they tell the user to do.

Each is taken by a program in tests/ways_out.
"""

from __future__ import annotations

COPY = "make a copy of it with .copy() before it is overwritten"
COPY_LIST = "put a copy there: list(...) or dict(...)"
LIST = "make it a list first: list(...), or [... for ...]"
ONE_FORM = (
    "give it one form on all paths, and in all turns and calls: a number, arrays of one shape, or a"
    " container of them"
)
LIST_EACH = "give all items one form, or keep one list for each"
ONE_ARRAY = "use one array with one more axis"
OWN_STATEMENT = "compute it in a statement of its own before"
KEYS_BEFORE = "give it all its keys or attributes before the branch or loop, None where there is no value"
VALUE_BEFORE = "give it a value before: a number or an array, or None, and ask whether it is None"
LOOP = "write it as a loop"
APPEND = "begin with [] and append"
STORE = "store with an index: a[i] = b, a[mask] = b[mask]"
ASSIGN = "assign the attribute: obj.name = value"
ARGUMENT = "pass it as an argument, or make it in the function"
RETURN = "return the new value instead"
ASK = "ask before whether it is there, with `in`, len() or `is None`"
METHOD = "write the method into its class: __iter__, __setitem__, or the one that is called"
FUNCTION = "write a function of its numbers, and call that"
CORRECT = "correct it: the function itself raises here"
PARTS = "hand over its parts: its attributes, fields or items"
FLOATS = "make it of floats from the start: np.zeros(n), np.asarray(..., dtype=float), [0.0, ...]"
KEYS = "use constant keys"
NEW_VALUE = "write it as a new value: a = a + b"
ONE_BY_ONE = "do it item by item"
NAMES = "use a plain name"
LEAVE = "leave the block first"
PARENT = "call the parent class by its name"
ELEMENT = "take an element of it"
TRUE = "compare what they hold, or a number that tells the objects apart"
NOT_CACHED = "do not cache it"
TUPLES = "append tuples or namedtuples, or keep one list for each attribute or key"
RULE = (
    "register a rule with s2sad.rules (elementwise, linear, adjoint), or write it with functions that `s2sad rules`"
    " lists"
)
ARRAY = "make it an array first, np.asarray(..., dtype=float), or keep lists in lists"
FLAT = "use array.ravel()"
APPEND_POP = "use append, pop() and indexing on a list, or an array"
SAME_IN_NUMPY = "use the NumPy function that does the same"
LEFT = "write it on the left, or say __array_ufunc__ = None in its class"
WRITE_OUT = "write out what it computes, or make the object of a class of your own"
DENSE = "use `@`, or a dense array (A.toarray())"
