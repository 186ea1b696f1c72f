"""A derivative as a module that stands alone: imports, constants and helpers that it needs, and its functions last."""

from __future__ import annotations

import builtins
import importlib
import linecache
import math
import sys
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

import s2sad.core as core
from s2sad.emit.constants import named_constants
from s2sad.emit.printer import source
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed, references
from s2sad.frontend.source import function_tree
from s2sad.request import Derived
from s2sad.runtime.decide import AnyInt
from s2sad.runtime.identity import held_attribute

#: arrays up to this many elements are written into the module
SMALL = 64


@dataclass
class ModuleText:
    """A module's text, and what it could not express."""

    text: str
    #: names that the text uses without defining them, with what they stand for
    missing: dict[str, Any] = field(default_factory=dict)


def module_text(derived: Derived, header: str | None = None) -> str:
    """The text of the stand-alone module for a derivative. The same derivative gives the same text.

    Args:
        header: lines to stand on top as comments.
    """
    return compose(derived, header).text


def function_text(derived: Derived) -> str:
    """The text of the function alone that was asked for."""
    return source(named_constants(derived.functions[-1], derived.facts))


def compose(derived: Derived, header: str | None = None) -> ModuleText:
    """Like `module_text`, with the names that could not be expressed in a module of its own."""
    return compose_all([derived], header)


def compose_all(derivatives: list[Derived], header: str | None = None) -> ModuleText:
    """One module for several derivatives.

    Raises:
        DerivationError: two of them use one name for different things.
    """
    writer = _Writer({f.name for d in derivatives for f in d.functions})
    functions: dict[str, str] = {}
    made = [[named_constants(f, d.facts) for f in d.functions] for d in derivatives]
    for derived in derivatives:
        writer.reserved.update(derived.facts.globals)
    for derived, trees in zip(derivatives, made, strict=True):
        own = {f.name for f in trees}
        for name in _free_names(trees):
            if name in derived.facts.globals and name not in own:
                writer.bind(name, derived.facts.globals[name])
        plain = [_without_unknown_annotations(f, derived.facts.globals) for f in trees]
        made_here = _told_apart(plain, derived.name, functions, {*functions, *writer.reserved, *writer.bound, *own})
        functions.update(made_here)
        writer.taken.update(made_here)
    parts = []
    if header:
        parts.append("\n".join(f"# {line}".rstrip() for line in header.splitlines()) + "\n")
    text = writer.text(list(functions.values()))
    gap = "\n\n" if text.startswith(("def ", "@")) else "\n"
    return ModuleText(gap.join([*parts, text]), writer.missing)


def _told_apart(trees: list[Any], main: str, known: dict[str, str], taken: set[str]) -> dict[str, str]:
    """The texts of a derivative's functions by name, for a module that has others already. A function that is there is
    shared; one that has only the name of another is called otherwise.

    Raises:
        DerivationError: that is the derivative itself.
    """
    names: dict[str, str] = {}
    while True:
        texts: dict[str, str] = {}
        for tree in trees:
            made = core.clone(tree) if names else tree
            _rename_globals(made, names)
            made.name = names.get(tree.name, tree.name)
            texts[made.name] = source(_with_comments(made))
        called = {tree.name: names.get(tree.name, tree.name) for tree in trees}
        clashes = [old for old, new in called.items() if known.get(new, texts[new]) != texts[new]]
        if not clashes:
            return texts
        if main in clashes:
            raise DerivationError(
                f"Two different functions of the module would be called {main}.", "build them into two modules."
            )
        for name in clashes:
            k = 1
            while f"{name}_{k}" in taken:
                k += 1
            names[name] = f"{name}_{k}"
            taken.add(names[name])


def _free_names(functions: list[Any]) -> list[str]:
    """The names that functions read, each once, in order of appearance."""
    return list(dict.fromkeys(n.id for f in functions for n in core.in_order(f) if isinstance(n, gast.Name)))


def _without_unknown_annotations(function: Any, known: dict[str, Any]) -> Any:
    """The function without those annotations that use names which the module would not have."""

    def fine(annotation: Any) -> bool:
        return all(n in known or hasattr(builtins, n) for n in core.names_read(annotation))

    a = function.args
    names = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    if all(n.annotation is None or fine(n.annotation) for n in names) and (
        function.returns is None or fine(function.returns)
    ):
        return function
    function = core.clone(function)
    a = function.args
    for n in [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]:
        n.annotation = None
    function.returns = None
    return function


def _with_comments(function: Any) -> Any:
    """The function with the user's comments put above the statements that come from the lines below them.

    Only the first statement from a line gets them: what comes later is its backward counterpart, which quotes the line.
    """
    seen: set[tuple[str, int]] = set()
    for node in _statements(function.body):
        origin = node.__dict__.get("origin")
        if origin is None or (origin.file, origin.line) in seen:
            continue
        seen.add((origin.file, origin.line))
        if not node.__dict__.get("comment"):
            lines = _comments_above(origin.file, origin.line)
            if lines:
                node.comment = lines
    return function


def _statements(body: list[Any]) -> Iterator[Any]:
    for node in body:
        yield node
        for block in core.blocks_of(node):
            yield from _statements(block)


def _comments_above(file: str, line: int) -> list[str]:
    """The whole-line comments directly above a line of a file, top first."""
    lines = linecache.getlines(file)
    out: list[str] = []
    while 0 < (line := line - 1) <= len(lines) and lines[line - 1].lstrip().startswith("#"):
        out.append(lines[line - 1].strip().removeprefix("#").removeprefix(" "))
    return out[::-1]


class _Writer:
    """Gathers what a module has to hold so that its functions find their names."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)
        #: names that the generated functions use, which what they refer to may not take
        self.reserved: dict[str, Any] = {}
        self.bound: dict[str, Any] = {}
        self.imports: set[str] = set()
        self.from_imports: dict[str, set[str]] = {}
        self.constants: list[str] = []
        self.functions: list[str] = []
        self.missing: dict[str, Any] = {}

    # Names

    def bind(self, name: str, value: Any) -> None:
        """Make the module define `name` as `value`.

        Raises:
            DerivationError: the name is already something else there.
        """
        if name in self.bound:
            if self.bound[name] is not value and not _same_constant(self.bound[name], value):
                raise DerivationError(
                    f"The name {name} would stand for two different things in one module.", "rename one of them."
                )
            return
        if name in self.taken:
            raise DerivationError(f"The name {name} is taken by a generated function.", f"rename your {name}.")
        self.bound[name] = value
        self._define(name, value)

    def name_for(self, name: str, value: Any) -> str:
        """The name under which the module has a value: the given one where that is free."""
        if getattr(builtins, name, _MISSING) is value and name not in self.bound and name not in self.taken:
            return name
        candidate, k = name, 0
        while candidate in self.taken or any(
            candidate in names and names[candidate] is not value and not _same_constant(names[candidate], value)
            for names in (self.bound, self.reserved)
        ):
            k += 1
            candidate = f"{name}_{k}"
        self.bind(candidate, value)
        return candidate

    # Definitions

    def _define(self, name: str, value: Any) -> None:
        if isinstance(value, types.ModuleType):
            self._import(name, value.__name__)
        elif isinstance(value, types.FunctionType) and (
            not is_installed(value) or value.__module__.partition(".")[0] == "s2sad"
        ):
            self._copy(name, value)
        elif (constant := _of_math(value)) is not None:
            self._import_from("math", constant, name)
        elif (literal := self._literal(value)) is not None:
            self.constants.append(source(core.assign(name, literal)))
        elif (home := find_home(value)) is not None:
            module, attribute = home
            if module == "builtins" and attribute == name:
                return
            self._import_from(module, attribute, name)
        elif (holder := _holder(name, value)) is not None:
            self._import_from(holder, name, name)
        else:
            self.missing[name] = value

    def _import(self, name: str, module: str) -> None:
        package, _, last = module.rpartition(".")
        if module.partition(".")[0] == "s2sad":
            self.missing[name] = sys.modules.get(module)
        elif not package:
            self.imports.add(f"import {module}" if name == module else f"import {module} as {name}")
        elif name == last:
            self.from_imports.setdefault(package, set()).add(name)
        else:
            self.imports.add(f"import {module} as {name}")

    def _import_from(self, module: str, attribute: str, name: str) -> None:
        top, *rest = attribute.split(".")
        if rest:  # a class attribute, such as a method: import the class and take it from there
            base = self.name_for(top, getattr(importlib.import_module(module), top))
            self.constants.append(f"{name} = {'.'.join([base, *rest])}\n")
            return
        self.from_imports.setdefault(module, set()).add(top if top == name else f"{top} as {name}")

    def _literal(self, value: Any) -> Any | None:
        """A constant as a tree, None where it cannot be written."""
        kind = type(value)
        if kind is AnyInt:
            return gast.Constant(int(value), None)
        if value is None or value is ... or kind in (bool, int, float, complex, str, bytes):
            return gast.Constant(value, None)
        if kind in (list, tuple, set):
            parts = [self._literal(v) for v in (sorted(value, key=repr) if kind is set else value)]
            if any(p is None for p in parts):
                return None
            if kind is set:
                return gast.Set(parts)
            return (gast.List if kind is list else gast.Tuple)(parts, gast.Load())
        if kind is dict:
            keys, values = [self._literal(k) for k in value], [self._literal(v) for v in value.values()]
            return None if any(p is None for p in keys + values) else gast.Dict(keys, values)
        if kind is slice:
            parts = [self._literal(v) for v in (value.start, value.stop, value.step)]
            return None if any(p is None for p in parts) else gast.Call(core.load("slice"), parts, [])
        if issubclass(kind, np.dtype) and value.isbuiltin == 1:
            return core.quote(f"np.dtype({value.name!r})", np=self.name_for("np", np))
        if issubclass(kind, (np.bool_, np.number)) and kind.__name__ in np.__dict__:
            return core.quote(f"np.{kind.__name__}(v)", np=self.name_for("np", np), v=gast.Constant(value.item(), None))
        if kind is np.ndarray and value.size <= SMALL and value.dtype.isbuiltin == 1 and value.dtype.kind in "biufc":
            if value.size == 0 and value.ndim != 1:
                text, parts_ = f"np.zeros({value.shape!r}, dtype=d)", {}
            else:
                text, parts_ = "np.array(v, dtype=d)", {"v": self._literal(value.tolist())}
            tree = core.quote(text, np=self.name_for("np", np), d=gast.Constant(value.dtype.name, None), **parts_)
            if value.dtype in (np.dtype(float), np.dtype(bool)) and value.size:
                del tree.keywords[:]
            return tree
        return None

    def _copy(self, name: str, fn: types.FunctionType) -> None:
        """Copy a function from its source, under the given name, with everything that it refers to."""
        try:
            found = function_tree(fn)
        except DerivationError:
            home = find_home(fn)
            if home is None or home[0].partition(".")[0] == "s2sad":
                self.missing[name] = fn
            else:
                self._import_from(*home, name)
            return
        if "__class__" in fn.__code__.co_freevars:  # super() works in its class alone
            home = find_home(fn)
            if home is None:
                self.missing[name] = fn
            else:
                self._import_from(*home, name)
            return
        tree = found.tree
        renamed: dict[str, str] = {}
        for _, outer, value in references(fn):
            renamed[outer] = name if value is fn else self.name_for(outer, value)
        outer_names = {n for part in _head_parts(tree) for n in core.names_read(part)}
        scope = {**fn.__globals__, **found.closure}
        for outer in sorted(outer_names - set(renamed)):
            if outer in scope and getattr(builtins, outer, _MISSING) is not scope[outer]:
                renamed[outer] = self.name_for(outer, scope[outer])
        own_text = textwrap.dedent(found.text).rstrip() + "\n"
        if (
            fn.__name__ != "<lambda>"
            and tree.name == name
            and not tree.decorator_list
            and all(k == v for k, v in renamed.items())
            and not _defaults_in_closure(fn, found.defaults)
            and _means(own_text, tree)
        ):
            self.functions.append(own_text + self._attributes(name, fn))
            return
        tree.name, tree.decorator_list = name, []
        _rename_globals(tree, {k: v for k, v in renamed.items() if k != v})
        self._set_defaults(tree, fn, name)
        text = source(_without_unknown_annotations(tree, {v: None for v in renamed.values()}))
        self.functions.append(text + self._attributes(name, fn))

    def _attributes(self, name: str, fn: types.FunctionType) -> str:
        """The statements that set a function's attributes, as far as they are constants."""
        plain = {k: v for k, v in vars(fn).items() if not k.startswith("_") and isinstance(v, bool | int | float | str)}
        lines = [f"{name}.{k} = {v!r}\n" for k, v in plain.items()]
        return "\n\n" + "".join(lines) if lines else ""

    def _set_defaults(self, tree: Any, fn: types.FunctionType, name: str) -> None:
        """Write default values as what they are, because their expressions belong to another scope."""
        a = tree.args

        def node(parameter: str, value: Any) -> Any:
            literal = self._literal(value)
            return literal if literal is not None else core.load(self.name_for(f"{name}_{parameter}", value))

        positional = [*a.posonlyargs, *a.args]
        values = fn.__defaults__ or ()
        first = len(positional) - len(values)
        a.defaults = [node(p.id, v) for p, v in zip(positional[first:], values, strict=True)]
        keyword = fn.__kwdefaults__ or {}
        a.kw_defaults = [node(p.id, keyword[p.id]) if p.id in keyword else None for p in a.kwonlyargs]

    # The text

    def text(self, functions: list[str]) -> str:
        """The module: imports, constants, copied functions, and the given ones."""
        note = ""
        if self.missing:
            note = f"# To be supplied from where this was derived: {', '.join(sorted(self.missing))}\n"
        blocks = [block for block in (self._imports(), note, "".join(self.constants)) if block]
        head = "\n".join(blocks)
        bodies = "\n\n".join([f.rstrip() + "\n" for f in [*self.functions, *functions]])
        return f"{head}\n\n{bodies}" if head else bodies

    def _imports(self) -> str:
        groups: dict[bool, list[str]] = {True: [], False: []}
        for line in sorted(self.imports):
            groups[line.split()[1].partition(".")[0] in sys.stdlib_module_names].append(line + "\n")
        for module in sorted(self.from_imports):
            names = sorted(self.from_imports[module])
            node = gast.ImportFrom(module, [gast.alias(*_split_alias(n)) for n in names], 0)
            groups[module.partition(".")[0] in sys.stdlib_module_names].append(source(node))
        return "\n".join("".join(group) for group in groups.values() if group)


_MISSING = object()


def _split_alias(text: str) -> tuple[str, str | None]:
    name, _, alias = text.partition(" as ")
    return name, alias or None


def _same_constant(a: Any, b: Any) -> bool:
    return type(a) is type(b) and isinstance(a, (bool, int, float, complex, str, bytes)) and repr(a) == repr(b)


def _head_parts(tree: Any) -> list[Any]:
    """What of a def is evaluated outside of it: defaults and annotations."""
    a = tree.args
    names = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    parts = [*a.defaults, *a.kw_defaults, *(n.annotation for n in names), tree.returns]
    return [p for p in parts if p is not None]


def _defaults_in_closure(fn: types.FunctionType, defaults: dict[str, Any]) -> bool:
    """Were defaults evaluated inside another function, so that their expressions may not be copied?"""
    return bool(defaults) and "<locals>" in fn.__qualname__


def _means(text: str, tree: Any) -> bool:
    """Is this text, which was moved to another indentation, still this function?"""
    try:
        return bool(gast.dump(gast.parse(text).body[0]) == gast.dump(tree))
    except SyntaxError:
        return False


def _rename_globals(tree: Any, names: dict[str, str]) -> None:
    """Rename outer names of a function in place. Parameters and locals of the same name are other things and stay."""
    if not names:
        return

    def visit(node: Any, active: dict[str, str]) -> None:
        if isinstance(node, (gast.FunctionDef, gast.Lambda)):
            for part in _head_parts(node) if isinstance(node, gast.FunctionDef) else node.args.defaults:
                visit(part, active)
            a = node.args
            parameters = {n.id for n in [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]}
            body = node.body if isinstance(node.body, list) else [node.body]
            local = parameters | core.names_bound(body)
            inner = {k: v for k, v in active.items() if k not in local}
            for statement in body:
                visit(statement, inner)
        elif isinstance(node, gast.Name):
            node.id = active.get(node.id, node.id)
        else:
            for child in gast.iter_child_nodes(node):
                visit(child, active)

    visit(tree, names)


def _of_math(value: Any) -> str | None:
    """The name of a number in `math`: what it means is said better there than by its digits.

    >>> _of_math(3.141592653589793), _of_math(float("inf")), _of_math(3.14), _of_math(np.float64(np.pi))
    ('pi', 'inf', None, None)
    """
    if type(value) is not float:
        return None
    return "nan" if value != value else {math.pi: "pi", math.tau: "tau", math.e: "e", math.inf: "inf"}.get(value)


def find_home(value: Any) -> tuple[str, str] | None:
    """Module and qualified name under which an object can be imported, the most public one; None when there is none.

    >>> import math, numpy
    >>> find_home(math.sqrt), find_home(numpy.linalg.norm), find_home(numpy.sin)
    (('math', 'sqrt'), ('numpy.linalg', 'norm'), ('numpy', 'sin'))
    """
    qualname = held_attribute(value, "__qualname__") or held_attribute(value, "__name__")
    if not isinstance(qualname, str) or "<" in qualname:
        return None
    module = held_attribute(value, "__module__")
    homes = []
    if isinstance(module, str):
        parts = module.split(".")
        homes = [".".join(parts[: i + 1]) for i in range(len(parts))]
        homes = [h for h in homes if "._" not in h and not h.startswith("_")] + [module]
    elif isinstance(value, np.ufunc):  # ufuncs do not say where they are from
        homes = ["numpy", "scipy.special"]
    for home in filter(_can_be_written, homes):
        found: Any = sys.modules.get(home)
        for part in qualname.split("."):
            found = getattr(found, part, _MISSING)
        if found is value:
            return home, qualname
    return None


def _holder(name: str, value: Any) -> str | None:
    """A module of the user's in which an object has this name; None when there is none."""
    holders = [m for m, module in list(sys.modules.items()) if getattr(module, "__dict__", {}).get(name) is value]
    return min((m for m in holders if m != "__main__" and _can_be_written(m)), default=None)


def _can_be_written(module: str) -> bool:
    """Can `from module import` be written? Scripts that something else runs have names such as "<run_path>"."""
    return all(part.isidentifier() for part in module.split("."))
