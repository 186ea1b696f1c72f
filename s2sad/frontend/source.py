"""From a function object to its tree: where its source is, and whether that source is what runs."""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import linecache
import types
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import gast
import numpy as np

from s2sad.core import clone, walk
from s2sad.frontend.diagnostics import DerivationError, NoSource, error_at
from s2sad.frontend.private import mangle, owner_of
from s2sad.frontend.shadows import unshadow
from s2sad.frontend.texts import texts
from s2sad.locks import sources

#: the `from __future__ import ...` flags that a code object was compiled under
_FUTURE = 0
for _name in __import__("__future__").all_feature_names:
    _FUTURE |= getattr(__import__("__future__"), _name).compiler_flag

T = TypeVar("T")

#: what stands for the name of a lambda that is not simply assigned to a name
LAMBDA_NAME = "fn"


@dataclass
class FunctionSource:
    """A function as the compiler sees it.

    Positions in the tree are those of the file: absolute lines, columns in UTF-8 bytes. The tree belongs to the caller.
    """

    #: a gast FunctionDef; a lambda is a def that returns its body
    tree: Any
    file: str
    first_line: int
    #: all lines of the file
    lines: list[str] = field(repr=False)
    #: the module's names, live
    globals: dict[str, Any] = field(repr=False)
    #: what the free variables stand for now; a variable that has no value yet is absent
    closure: dict[str, Any]
    #: default values by parameter
    defaults: dict[str, Any]
    function: types.FunctionType = field(repr=False)

    def line(self, number: int) -> str:
        """One line of the file, "" where there is none."""
        return self.lines[number - 1].rstrip("\r\n") if 0 < number <= len(self.lines) else ""

    def cell(self, name: str) -> types.CellType:
        """The variable of an enclosing function that a name of `closure` is."""
        return (self.function.__closure__ or ())[self.function.__code__.co_freevars.index(name)]

    @property
    def text(self) -> str:
        """The function's own lines, as they are in the file (decorators included)."""
        return "".join(self.lines[self.first_line - 1 : self.tree.end_lineno])


class OfCode(Generic[T]):
    """What was found out about code objects, each by itself, for as long as it is there. Python takes those for equal
    that do the same at the same lines, also of different files, which may have changed since.

    >>> def code():
    ...     return compile("x = 1", "file", "exec")
    >>> one, other, known = code(), code(), OfCode()
    >>> known.put(one, "read")
    >>> one == other, known.get(one), known.get(other)
    (True, 'read', None)
    """

    def __init__(self) -> None:
        self._found: dict[int, tuple[weakref.ref[types.CodeType], T]] = {}

    def get(self, code: types.CodeType) -> T | None:
        """What is known of it; None for nothing."""
        found = self._found.get(id(code))
        return found[1] if found is not None and found[0]() is code else None

    def put(self, code: types.CodeType, found: T) -> None:
        """Keep what was found out."""
        number, known = id(code), self._found

        def drop(gone: Any) -> None:
            if number in known and known[number][0] is gone:
                del known[number]

        known[number] = weakref.ref(code, drop), found


@dataclass
class _Read:
    """What is the same for all function objects of one code object."""

    tree: Any
    file: str
    lines: list[str]


_cache: OfCode[_Read] = OfCode()
#: the texts that are derived in the place of those that run
_instead: OfCode[str] = OfCode()
#: the trees of whole files, kept for the lambdas in them: file -> (lines, tree)
_files: dict[str, tuple[list[str], ast.Module]] = {}


def plain_function(fn: Any) -> types.FunctionType:
    """The Python function in a function, method, classmethod or staticmethod.

    Raises:
        NoSource: for anything else, by what it is.
    """
    if isinstance(fn, (types.MethodType, staticmethod, classmethod)):
        return plain_function(fn.__func__)
    if isinstance(fn, types.FunctionType):
        return fn
    name = getattr(fn, "__qualname__", None) or getattr(fn, "__name__", None) or repr(fn)
    if isinstance(fn, type):
        raise NoSource(f"{name} is a class, not a function.", "give a function or a method of it.")
    if not callable(fn):
        raise NoSource(f"{fn!r} is not a function.", "give a function that has Python source.")
    if isinstance(fn, (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc)):
        where = "numpy" if getattr(np, name, None) is fn else getattr(fn, "__module__", None)
        call = f"{where}.{name}" if where and where != "builtins" else name
        raise NoSource(
            f"{call} is built in (compiled), so it has no Python source to derive.",
            "write it in Python, or register a rule for it with s2sad.rules.",
        )
    raise NoSource(
        f"{name} is an object of class {type(fn).__name__} without Python source of its own.",
        "write it in Python, or register a rule for it with s2sad.rules.",
    )


def function_tree(fn: Any) -> FunctionSource:
    """Find the source of a function and parse it.

    Args:
        fn: a function, lambda or method (also as class- or staticmethod). A decorated function is the function that
            the decorator returned: unwrapping is the caller's decision.

    Returns:
        its tree, positions and surroundings.

    Raises:
        NoSource: there is no source, or it is not the source of what runs.
        DerivationError: an `async` function.
    """
    function = plain_function(fn)
    code, read = function.__code__, _known(function)
    parameters = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    defaults = dict(zip(parameters[len(parameters) - len(values) :], values, strict=True))
    defaults.update(function.__kwdefaults__ or {})
    closure = {}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            closure[name] = cell.cell_contents
        except ValueError:  # the cell is still empty: a name that is assigned later
            continue
    source = FunctionSource(
        clone(read.tree),
        read.file,
        code.co_firstlineno,
        read.lines,
        function.__globals__,
        closure,
        defaults,
        function,
    )
    if isinstance(source.tree, gast.AsyncFunctionDef):
        raise error_at(
            source.tree, source, "An async function cannot be derived.", "write the computation as a plain function."
        )
    return source


def tree_to_look_at(function: types.FunctionType) -> Any:
    """The tree that `function_tree` copies: for those who only look at it, and change nothing.

    Raises:
        DerivationError: as `function_tree`.
    """
    tree = _known(function).tree
    return function_tree(function).tree if isinstance(tree, gast.AsyncFunctionDef) else tree


@contextlib.contextmanager
def noting_texts() -> Iterator[dict[types.FunctionType, str]]:
    """Note the functions whose trees are asked for in what runs inside, with the text of each.

    >>> with noting_texts() as noted:
    ...     _ = function_tree(plain_function)
    >>> [(f.__name__, text.splitlines()[0]) for f, text in noted.items()]
    [('plain_function', 'def plain_function(fn: Any) -> types.FunctionType:')]
    """
    _notes.append({})
    try:
        yield _notes[-1]
    finally:
        _notes.pop()


#: what is noted; of a derivation inside another one, in both
_notes: list[dict[types.FunctionType, str]] = []


def text_of(function: types.FunctionType, lines: list[str], count: int) -> str:
    """The first lines of a function, of those of its file."""
    first = function.__code__.co_firstlineno - 1
    return "".join(lines[first : first + count])


def _known(function: types.FunctionType) -> _Read:
    code = function.__code__
    read = _found(function, code)
    for noted in _notes:
        if function not in noted:
            noted[function] = text_of(function, read.lines, read.tree.end_lineno + 1 - code.co_firstlineno)
    return read


def _found(function: types.FunctionType, code: types.CodeType) -> _Read:
    with sources:
        read = _cache.get(code)
        if read is None:
            other = _instead.get(code)
            read = _read(function) if other is None else _read_other(code, other)
            _cache.put(code, read)
    return read


def derive_from(function: types.FunctionType, text: str) -> None:
    """Have what is derived from a function made of another text, which computes the same in a way that is easier to
    derive. No object is held for that."""
    _instead.put(function.__code__, text)


def _read_other(code: types.CodeType, text: str) -> _Read:
    tree = gast.ast_to_gast(ast.parse(text).body[0])
    return _Read(unshadow(tree), code.co_filename, text.splitlines(keepends=True))


def source_file(function: types.FunctionType) -> str:
    """The file a function is from: the name its code was compiled under, or its module's file where it is frozen."""
    file = function.__code__.co_filename
    return str(function.__globals__.get("__file__", file)) if file.startswith("<frozen") else file


def _read(function: types.FunctionType) -> _Read:
    """Find the tree for a code object, in the first text that it was compiled from."""
    code = function.__code__
    compiled_under = source_file(function)
    for file, lines in texts(compiled_under, function):
        if not lines:
            continue
        found = _find_lambda(code, file, lines) if code.co_name == "<lambda>" else _find_def(code, lines)
        if found is not None:
            tree = gast.ast_to_gast(found)
            owner = owner_of(code.co_qualname)
            if owner or any(isinstance(node, gast.ClassDef) for node in walk(tree)):
                tree = mangle(tree, owner)
            return _Read(unshadow(tree), file, lines)
    name, file = function.__qualname__, compiled_under
    # newer Pythons keep what -c was given as the source of <string>: another text than this function's
    if file == "<string>" or not linecache.getlines(file, function.__globals__):
        if file == "<stdin>" or file.startswith("<python-input"):
            where = "was typed at a prompt, or read from a pipe, which keeps no source"
            way = "put it in a file or a notebook; `python < file` will do."
        elif file.startswith("<"):
            where = f"was made from text by exec ({file}), and its source was not kept"
            way = "define it in a file, or register its text with linecache."
        else:
            where, way = f"comes from {file}, which cannot be read", "make its source file available."
        raise NoSource(f"{name} {where}.", way)
    raise NoSource(
        f"The source of {name} in this file is not what runs: the file was changed after the function was made, or the "
        "function was rewritten.",
        "import the file again.",
        file=file,
        line=code.co_firstlineno,
        text=linecache.getline(file, code.co_firstlineno).rstrip("\n"),
    )


def _find_def(code: types.CodeType, lines: list[str]) -> Any | None:
    """The ast.FunctionDef that a code object was compiled from, None when what stands there is something else."""
    first = code.co_firstlineno
    if first > len(lines):
        return None
    block = inspect.getblock(lines[first - 1 :])
    # Empty lines in front, and a header for indented code, keep lines and columns those of the file.
    lead = "\n" * (first - 1)
    if block and block[0][:1].isspace():
        lead = "\n" * (first - 2) + "if 1:\n"
    try:
        tree = ast.parse(lead + "".join(block))
    except SyntaxError:
        return None
    node: Any = tree.body[0] if tree.body else None
    if isinstance(node, ast.If) and lead.endswith("if 1:\n"):
        node = node.body[0]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
        return None
    return node if _fits(node, code) else None


def _find_lambda(code: types.CodeType, file: str, lines: list[str]) -> Any | None:
    """The lambda that a code object was compiled from, as an ast.FunctionDef.

    Raises:
        NoSource: several lambdas fit and they differ.
    """
    known = _files.get(file)
    if known is None or known[0] is not lines:
        try:
            known = _files[file] = (lines, ast.parse("".join(lines)))
        except SyntaxError:
            return None
    line = code.co_firstlineno
    found = [(n, name) for n, name in _lambdas(known[1]) if n.lineno == line]
    fitting = [(n, name) for n, name in found if _fits(n, code)]
    if len(fitting) > 1:
        fitting = [(n, name) for n, name in fitting if _extent(code) == _span(n.body)] or fitting
    if not fitting:
        return None
    if len({ast.dump(n) for n, _ in fitting}) > 1:
        text = lines[line - 1].rstrip("\n")
        raise NoSource(
            "Several lambdas on this line compile to the same code, so that it cannot be told which one is meant.",
            "put them on lines of their own, or write def.",
            file=file,
            line=line,
            text=text,
            start=len(text) - len(text.lstrip()),
            end=len(text),
        )
    node, name = fitting[0]
    result = ast.copy_location(ast.Return(node.body), node.body)
    function: Any = ast.FunctionDef(name, node.args, [result], [], None, None)
    function.type_params = []
    return ast.copy_location(function, node)


def _lambdas(tree: ast.AST) -> Iterator[tuple[ast.Lambda, str]]:
    """Every lambda in a tree with the name that it is assigned to (or a stand-in)."""
    names = {
        id(n.value): n.targets[0].id
        for n in ast.walk(tree)
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            yield node, names.get(id(node), LAMBDA_NAME)


def _span(node: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _extent(code: types.CodeType) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First and last position in the file that a code object knows of; None without position tables."""
    starts, ends = [], []
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None or column == end_column == 0:
            continue
        starts.append((line, column))
        ends.append((end_line, end_column))
    return (min(starts), max(ends)) if starts else None


def _fits(node: Any, code: types.CodeType) -> bool:
    """Does this tree compile to this code? A file may have been edited since it was imported."""
    body: list[ast.stmt]
    if isinstance(node, ast.Lambda):
        body = [ast.copy_location(ast.Expr(node), node)]
    else:
        bare = type(node)(**{f: getattr(node, f) for f in node._fields})
        # Decorators, annotations and defaults are not part of the function's code, but lambdas in them would be found.
        bare.decorator_list = []
        body = [ast.copy_location(bare, node)]
    parts = code.co_qualname.split(".")
    if len(parts) > 1 and parts[-2] != "<locals>":  # in a class: __x means _Class__x, and there may be a __class__
        made: Any = ast.ClassDef(parts[-2], [], [], body, [])
        made.type_params = []
        body = [made]
    free = [name for name in code.co_freevars if name != "__class__" and name.isidentifier()]
    if free:
        outer = ast.parse("def outer():\n    " + " = ".join(free) + " = None").body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.body += body
        body = [outer]
    module = ast.fix_missing_locations(ast.Module(body, []))
    try:
        compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURE, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    candidates = [c for c in _codes(compiled) if c.co_name == code.co_name and c.co_firstlineno == code.co_firstlineno]
    if not isinstance(node, ast.Lambda) and not candidates:
        # bare trees without decorators start at their `def` line
        candidates = [c for c in _codes(compiled) if c.co_name == code.co_name and c.co_firstlineno == node.lineno]
    if any(_equal(c, code) for c in candidates):
        return True
    wanted = _essence(code)
    if any(_essence(c) == wanted for c in candidates):
        return True
    # Test runners rewrite assert statements; all the rest of such a function has to agree.
    return any(isinstance(n, ast.Assert) for n in ast.walk(node)) and any(
        c.co_varnames[: c.co_argcount] == code.co_varnames[: code.co_argcount]
        and set(c.co_names) <= {*code.co_names, "AssertionError"}
        and set(c.co_varnames) <= set(code.co_varnames)
        and c.co_freevars == code.co_freevars
        for c in candidates
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _codes(const)


def _equal(a: Any, b: Any) -> bool:
    """Are two code objects, or constants, the same? (`==` of code objects takes twice as long for each function that
    is made inside another one.)

    >>> two = [compile("lambda: lambda: 1.0", "a", "eval") for _ in range(2)]
    >>> _equal(*two), _equal(two[0], compile("lambda: lambda: 1", "a", "eval"))
    (True, False)
    """
    if not isinstance(a, types.CodeType) or not isinstance(b, types.CodeType):
        return type(a) is type(b) and repr(a) == repr(b)
    return (
        all(getattr(a, name) == getattr(b, name) for name in _PARTS)
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_equal, a.co_consts, b.co_consts))
    )


_PARTS = (
    "co_code", "co_name", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount", "co_kwonlyargcount",
    "co_posonlyargcount", "co_flags", "co_firstlineno",
)  # fmt: skip


def _essence(code: types.CodeType) -> tuple[Any, ...]:
    """What a code object does, apart from where it stands in its file.

    Left out is how a call is prepared, which depends on whether the file imports the name, and how far a jump goes,
    which depends on the former.
    """
    operations = tuple(
        (_SAME.get(i.opname, i.opname), None if i.opcode in _JUMPS else _value(i.argval))
        for i in dis.get_instructions(code)
        if i.opname not in _PREPARE
    )
    inner = tuple(_essence(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return (
        operations,
        inner,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_posonlyargcount,
        code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE),
    )


_JUMPS = {*dis.hasjrel, *dis.hasjabs, *getattr(dis, "hasjump", ())}
_PREPARE = {"PUSH_NULL", "PRECALL", "CACHE", "EXTENDED_ARG", "NOP"}
_SAME = {"LOAD_METHOD": "LOAD_ATTR"}


def _value(value: Any) -> Any:
    """An instruction's argument in a form that compares by type too: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(value, types.CodeType):
        return "code"
    if isinstance(value, frozenset):  # equal sets may be in different orders
        return "frozenset", tuple(sorted(map(str, map(_value, value))))
    return type(value).__name__, tuple(map(_value, value)) if isinstance(value, tuple) else repr(value)


def source_error(fn: Any, reason: str, way_out: str = "") -> DerivationError:
    """An error about a function as a whole, placed at its definition where it has one."""
    try:
        return error_at(None, function_tree(fn), reason, way_out)
    except DerivationError:
        return DerivationError(reason, way_out)
