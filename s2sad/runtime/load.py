"""From the text of a derivative to a function that runs, whose lines tracebacks, debuggers and `inspect` show."""

from __future__ import annotations
import __future__

import ast
import itertools
import linecache
import types
import weakref
from typing import Any

from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.request import Derived
from s2sad.runtime.decide import AnyInt

_counter = itertools.count(1)
#: the files of functions that are no more
_gone: list[str] = []


def load(text: str, derived: Derived, primal: types.FunctionType | None = None) -> types.FunctionType:
    """Compile the derivative's functions out of a module's text, and run that.

    Args:
        text: what `s2sad.emit.module.module_text` made of `derived`.
        primal: where the function takes its defaults from, when it has the primal's parameters.

    Returns:
        the function called `derived.name`.
    """
    return run(compiled(text, derived, primal), derived.name, derived.facts.globals, primal)


def compiled(
    text: str, derived: Derived, primal: types.FunctionType | None = None, kept: str | None = None
) -> types.CodeType:
    """The derivative's functions out of a module's text, compiled. `kept` is a file with this text, if there is one.

    The text is the whole stand-alone module, so that it reads as one; only the derivative's own functions are in the
    code. linecache has the text for as long as the code is there.
    """
    file = kept or _new_file(derived.name)
    try:
        tree = ast.parse(text, file)
    except (SyntaxError, MemoryError) as error:
        # more blocks, parentheses or the like, one inside the other, than Python reads
        if isinstance(error, SyntaxError) and not str(error.msg).startswith("too many"):
            raise
        reason = "The derivative would be nested more deeply than Python reads."
        raise DerivationError(reason, ways.FLAT_FORM) from None
    wanted = {f.name for f in derived.functions}
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in wanted]
    for node in tree.body:
        assert isinstance(node, ast.FunctionDef)
        if node.name == derived.name and primal is not None:
            _without_defaults(node)
    # Annotations are for reading: they are not evaluated here.
    code: types.CodeType = compile(tree, file, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
    return with_text(code, file, text, derived.name, bool(kept))


def with_text(code: types.CodeType, file: str, text: str, name: str, kept: bool = False) -> types.CodeType:
    """A compiled module whose text linecache has for as long as the code of its function `name` is there, or for good
    (`kept`)."""
    while _gone:
        linecache.cache.pop(_gone.pop(), None)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    own = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    # The collector may run while linecache looks through its entries: they go when the next one comes.
    if not kept:
        weakref.finalize(own, _gone.append, file).atexit = False
    return code


def loaded(code: types.CodeType, text: str, name: str, kept: str | None = None) -> types.CodeType:
    """A module that another process has compiled, under a file name of this one's. `kept` is a file with this text, if
    there is one."""
    file = kept or _new_file(name)
    return with_text(_from_file(code, file), file, text, name, bool(kept))


def is_in_file(code: types.CodeType) -> bool:
    """Is a compiled module's text in a file?"""
    return not code.co_filename.startswith("<s2sad ")


def _from_file(code: types.CodeType, file: str) -> types.CodeType:
    inner = (_from_file(c, file) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))


def _new_file(name: str) -> str:
    return f"<s2sad {name} {next(_counter)}>"


def run(
    code: types.CodeType, name: str, names: dict[str, Any], primal: types.FunctionType | None = None
) -> types.FunctionType:
    """The function of a compiled module; its outer names stand for the very objects that the primal uses."""
    namespace: dict[str, Any] = {"__name__": primal.__module__ if primal is not None else "s2sad_generated"}
    namespace.update((n, int(v) if type(v) is AnyInt else v) for n, v in names.items())
    exec(code, namespace)
    function: types.FunctionType = namespace[name]
    if primal is not None:
        _copy_defaults(function, primal)
    return function


def in_python(function: Any) -> types.FunctionType:
    """A generated function; one that is a kernel itself as what it was before it was compiled."""
    plain: types.FunctionType = getattr(function, "py_func", function)
    return plain


def _without_defaults(node: ast.FunctionDef) -> None:
    """Take the default values from a def: their expressions belong to another scope."""
    node.args.defaults = []
    node.args.kw_defaults = [None] * len(node.args.kw_defaults)


def _copy_defaults(function: types.FunctionType, primal: types.FunctionType) -> None:
    """Give a generated function the primal's default values, as far as it has the primal's parameters."""
    mine, theirs = function.__code__, primal.__code__
    if mine.co_varnames[: mine.co_argcount] == theirs.co_varnames[: theirs.co_argcount]:
        function.__defaults__ = primal.__defaults__
    defaults = primal.__kwdefaults__ or {}
    keyword_only = mine.co_varnames[mine.co_argcount : mine.co_argcount + mine.co_kwonlyargcount]
    function.__kwdefaults__ = {k: defaults[k] for k in keyword_only if k in defaults} or None
