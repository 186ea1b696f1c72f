"""The trees that every stage shares: building, copying and marking gast nodes.

Every stage of the compiler is a list of gast statements that prints and runs. What a stage knows beyond the tree is
held in `Facts`, by name: within one function each name has one kind.
"""

from __future__ import annotations

import ast
import copy
import keyword
import re
import textwrap
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import gast

from s2sad.kinds.kind import Kind

Expr = Any  # a gast expression node
Stmt = Any  # a gast statement node


@dataclass(frozen=True)
class Origin:
    """Where a statement comes from: the user's file, line and own text (one statement, unparsed)."""

    file: str
    line: int
    text: str


#: what begins the number in a name that a rewriting invents. No name of a program holds it: Python reads it as an "a".
INVENTED = "\u00aa"


def shown(name: str) -> str:
    """A name as generated code has it, without what keeps names that a rewriting invents apart.

    >>> shown("completed\u00aa7"), shown("x_1")
    ('completed', 'x_1')
    """
    return re.sub(rf"{INVENTED}\d+", "", name)


class Names(set[str]):
    """Names in use. It remembers where the search for a free one of a stem begins: a function has thousands."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._tried: dict[str, int] = {}

    def free(self, stem: str) -> str:
        """The first name that nobody uses: the stem itself, stem_1, stem_2, ...

        >>> names = Names(["t", "t_1", "t_3"])
        >>> names.free("t"), names.free("u")
        ('t_2', 'u')
        """
        k = self._tried.get(stem, 0)
        name = f"{stem}_{k}" if k else stem
        while name in self:
            k += 1
            name = f"{stem}_{k}"
        self._tried[stem] = k
        return name

    def discard(self, name: object) -> None:
        super().discard(name)
        stem, _, number = str(name).rpartition("_")
        self._tried.pop(str(name), None)
        if number.isdecimal() and self._tried.get(stem, 0) > int(number):
            self._tried[stem] = int(number)

    def copy(self) -> Names:
        new = Names(self)
        new._tried = dict(self._tried)
        return new

    def reset(self, kept: Names) -> None:
        """Be what a copy was once."""
        self.clear()
        self.update(kept)
        self._tried = dict(kept._tried)


class Saved:
    """What containers hold at some time, to put them back; lists lose what was appended since.

    >>> names, turns = {"a": 1}, ["for"]
    >>> saved = Saved([names, turns])
    >>> names["b"] = 2; turns.append("while"); saved.restore()
    >>> names, turns
    ({'a': 1}, ['for'])
    """

    def __init__(self, containers: Iterable[Any]) -> None:
        self._saved: list[tuple[Any, Any]] = [(c, len(c) if isinstance(c, list) else c.copy()) for c in containers]

    def restore(self) -> None:
        for container, before in self._saved:
            if isinstance(container, list):
                del container[before:]
            elif isinstance(container, Names):
                container.reset(before)
            else:
                container.clear()
                container.update(before)


class OfNodes(weakref.WeakKeyDictionary[Any, Any]):
    """What was found out about nodes, for as long as they are there. (It must not hold the node itself.)"""


class Written:
    """A function of the generated module: its name stands for what is known of it, which is no object of the user's."""


@dataclass
class Facts:
    """What is known of the names in one generated function."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    #: names invented by the compiler: tidy may put their expressions back where they are used
    temps: set[str] = field(default_factory=set)
    #: lists of the derivative's own: what is put on them is a record of a value, and no second name of an array
    tapes: set[str] = field(default_factory=set)
    #: the name in the user's source that a version stands for: x_1 -> x
    user_name: dict[str, str] = field(default_factory=dict)
    #: the user's variables
    users: frozenset[str] = frozenset()
    #: names (and paths into arguments, as text) whose values depend on the wrt arguments
    varied: set[str] = field(default_factory=set)
    #: reshapes of arrays that are overwritten which are certain to be views, and whether that is so because of how the
    #: array lies in memory (`analysis.layout.settle`)
    views: dict[str, bool] = field(default_factory=dict)
    #: arrays of which such views are taken: their adjoints and tangents have to lie in memory as they do ("C", "F")
    lies: dict[str, str] = field(default_factory=dict)
    #: the arguments on whose layouts in memory (`kinds.kind.Array.layout`) that rests
    relied: dict[str, str | tuple[int, ...]] = field(default_factory=dict)
    #: does a reshape of what is overwritten rest on how arrays lie in memory? Then tidying keeps their layouts
    laid_out: bool = False
    #: arrays that may lie in memory otherwise than those of the function itself
    unlike: set[str] = field(default_factory=set)
    #: does the run ask whether two names are one array? Then tidying keeps copies, which are others
    identities: bool = False
    #: what is certain of the signs of values, and the values that may be infinite where what they are made of is not
    signs: dict[str, str] = field(default_factory=dict)
    infinite: set[str] = field(default_factory=set)
    #: the lengths of arguments of which the run has to say whether one is 1 where another one is not
    unsure: set[str] = field(default_factory=set)
    #: in a derivative that is differentiated again, the values that are zero where something was left out
    zero_in_places: set[str] = field(default_factory=set)
    #: and those that are summed over: what is infinite in one element is so in the sum
    summed: set[str] = field(default_factory=set)
    #: all names in use, so that new ones never clash
    taken: Names = field(default_factory=Names)
    #: what a free name of the generated code stands for: np -> numpy, helper -> the function object
    globals: dict[str, Any] = field(default_factory=dict)

    def mirrored(self, letter: str, name: str) -> str:
        """What an adjoint (b) or a tangent (d) is called: a letter before the name of the variable, with a gap where a
        variable of the user's, or a word of Python, would come of it.

        >>> facts = Facts(users=frozenset({"eta", "beta"}))
        >>> facts.mirrored("b", "x"), facts.mirrored("b", "eta"), facts.mirrored("d", "el")
        ('bx', 'b_eta', 'd_el')
        """
        stem = f"{letter}{name}"
        return f"{letter}_{name}" if stem in self.users or keyword.iskeyword(stem) else stem

    def apart(self) -> Facts:
        """The same facts, for one of two functions that are made of one: what tidying makes of a name in it, the other
        does not see, where that name may mean something else."""
        made = copy.copy(self)
        made.kinds, made.temps, made.user_name = dict(self.kinds), set(self.temps), dict(self.user_name)
        return made

    def fresh(self, stem: str, *, temp: bool = True) -> str:
        """A name nobody uses: the stem itself when free, else stem_1, stem_2, ..."""
        name = self.taken.free(shown(stem))
        self.taken.add(name)
        if temp:
            self.temps.add(name)
        return name

    def tape(self) -> str:
        """The name of a new tape."""
        name = self.fresh("tape", temp=False)
        self.tapes.add(name)
        return name


def without_number(name: str) -> str:
    """What versions of a variable are numbered behind.

    >>> without_number("h_2"), without_number("x1")
    ('h', 'x1')
    """
    return re.sub(r"(_\d+)+$", "", name) or name


def global_name(value: Any, stem: str, facts: Facts) -> str:
    """The name under which generated code knows an object; it is made known where it is not yet."""
    for name, known in facts.globals.items():
        if known is value:
            return name
    name = stem if stem not in facts.taken and stem not in facts.globals else facts.fresh(stem, temp=False)
    while name in facts.globals:
        name = facts.fresh(stem, temp=False)
    facts.taken.add(name)
    facts.globals[name] = value
    return name


#: of a class of nodes: the fields that may hold nodes or lists of them (of any other class: none)
_CHILDREN: dict[type, tuple[str, ...]] = {}
#: fields that hold text, numbers or flags
_PLAIN = frozenset(("id", "attr", "arg", "module", "level", "conversion", "simple", "is_async", "kind", "type_comment"))
#: fields that hold operators and contexts
_MARKED = frozenset(("ctx", "op", "ops"))
#: nodes that say only what they are, and never change: trees may share them
_MARKS = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)


def children_of(cls: Any) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold what a tree goes on with: nodes, or lists of them."""
    found = _CHILDREN.get(cls)
    if found is None:
        found = ()
        if issubclass(cls, gast.AST) and not issubclass(cls, gast.Constant):
            found = tuple(f for f in cls._fields if f not in _PLAIN and f not in _MARKED)
        _CHILDREN[cls] = found
    return found


def clone(node: Any) -> Any:
    """A deep copy of a tree (lists and nodes); marks such as `origin` are kept by reference, and so are operators."""
    cls: Any = type(node)
    if cls is list:
        return [clone(item) for item in node]
    if not issubclass(cls, gast.AST) or issubclass(cls, _MARKS):
        return node
    copy = cls.__new__(cls)
    fields = copy.__dict__
    fields.update(node.__dict__)
    for name in _CHILDREN.get(cls) or children_of(cls):
        value = fields.get(name)
        if value is not None:
            fields[name] = clone(value)
    return copy


@lru_cache(maxsize=4096)
def _parsed(text: str) -> gast.AST:
    return gast.parse(textwrap.dedent(text))


def quote(text: str, **parts: Any) -> Expr:
    """The expression that `text` spells; a name that is a key of `parts` is replaced by that part.

    A part is a node (copied), a Python constant, or a string, which is parsed.

    >>> import gast
    >>> gast.unparse(quote("a * np.cos(b)", a=2.0, b="x[i]"))
    '2.0 * np.cos(x[i])'
    """
    return replace_names(clone(_parsed(text).body[0].value), parts)


def quote_statements(text: str, **parts: Any) -> list[Stmt]:
    """Like `quote`, for statements. A target name may be replaced too."""
    return [replace_names(clone(s), parts) for s in _parsed(text).body]


def as_node(part: Any) -> Expr:
    """A part as an expression node: nodes are copied, strings parsed, other constants wrapped."""
    if isinstance(part, gast.AST):
        return clone(part)
    if isinstance(part, str):
        return clone(_parsed(part).body[0].value)
    return gast.Constant(part, None)


def replace_names(node: Any, parts: dict[str, Any]) -> Any:
    """The tree with names replaced in place (the tree is changed; its root is returned)."""
    if not parts:
        return node
    if isinstance(node, gast.Name):
        if node.id not in parts:
            return node
        new = as_node(parts[node.id])
        if isinstance(node.ctx, (gast.Store, gast.Del)):
            new.ctx = node.ctx
        return new
    if isinstance(node, list):
        node[:] = [replace_names(item, parts) for item in node]
    elif isinstance(node, gast.AST):
        fields = node.__dict__
        for name in children_of(type(node)):
            value = fields.get(name)
            if value is not None:
                fields[name] = replace_names(value, parts)
    return node


_LOAD, _STORE = gast.Load(), gast.Store()


def load(name: str) -> Expr:
    return _name(name, _LOAD)


def store(name: str) -> Expr:
    return _name(name, _STORE)


def _name(name: str, context: Any) -> Expr:
    node: Any = gast.Name.__new__(gast.Name)
    node.__dict__.update(id=name, ctx=context, annotation=None, type_comment=None)
    return node


def assign(target: str | Expr, value: Expr, origin: Origin | None = None) -> Stmt:
    node: Any = gast.Assign.__new__(gast.Assign)
    targets = [store(target) if isinstance(target, str) else target]
    node.__dict__.update(targets=targets, value=value, type_comment=None, origin=origin)
    return node


def copy_statement(name: str, value: Expr, origin: Origin | None = None) -> Stmt:
    """An assignment that joins paths or turns: what it names is not known to be the same memory for good."""
    statement = assign(name, value, origin)
    statement.copy = True
    return statement


def copies_at_once(
    copies: Iterable[tuple[str, Expr]],
    temporary: Callable[[str], str],
    origin: Origin | None = None,
    views: Mapping[str, str] | None = None,
) -> list[Stmt]:
    """Copies that happen at the same time, as statements one after the other.

    A copy waits until nobody reads the name that it changes; where all wait for each other (a swap), `temporary` says
    under which name the old value of one is kept. Nor does a name change while a view of what it held (`views` says of
    what a name is a view) is to be copied: derivatives and the facts about memory know views by the name that they
    were taken of.

    >>> print(text(copies_at_once([("a", load("b")), ("b", load("a"))], lambda name: name + "_old")))
    a_old = a
    a = b
    b = a_old
    >>> print(text(copies_at_once([("a", load("c")), ("b", load("v"))], lambda name: name + "_old", views={"v": "a"})))
    b = v
    a = c
    """
    out: list[Stmt] = []
    pending = dict(copies)

    def seen_through(expr: Expr) -> set[str]:
        """The names of which an expression reads views."""
        found: set[str] = set()
        for name in names_read(expr):
            while views and name in views and views[name] not in found:
                found.add(name := views[name])
        return found

    while pending:
        needed = {n: names_read(e) | seen_through(e) for n, e in pending.items()}
        free = [n for n in pending if not any(n in names for m, names in needed.items() if m != n)]
        for name in free:
            out.append(copy_statement(name, pending.pop(name), origin))
        if not free:
            name = next(iter(pending))
            if any(name in names_read(e) for m, e in pending.items() if m != name):
                old = temporary(name)
                out.append(copy_statement(old, load(name), origin))
                pending = {m: replace_names(e, {name: load(old)}) for m, e in pending.items()}
            for other, expr in pending.items():
                if other != name and name in seen_through(expr):
                    old = temporary(other)
                    out.append(copy_statement(old, expr, origin))
                    pending[other] = load(old)
    return out


def leaves(node: Any, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Any]]:
    """The parts of nested tuples and lists, from left to right, each with the indices that lead to it.

    >>> [(path, text(part)) for path, part in leaves(quote("k, (a, b)"))]
    [((0,), 'k'), ((1, 0), 'a'), ((1, 1), 'b')]
    """
    if not isinstance(node, (gast.Tuple, gast.List)):
        return [(path, node)]
    return [leaf for k, part in enumerate(node.elts) for leaf in leaves(part, (*path, k))]


def items_of(node: Any) -> list[Any]:
    """The items of a tuple that is written out; of anything else, the one that it is: the indices of a subscript, say.

    >>> [len(items_of(quote(source))) for source in ("i, j", "i", "[i, j]")]
    [2, 1, 1]
    """
    return list(node.elts) if isinstance(node, gast.Tuple) else [node]


def target_of(statement: Stmt) -> Any:
    """What an assignment assigns to, the first where they are several; None for another statement."""
    return statement.targets[0] if isinstance(statement, gast.Assign) else None


def is_constant(node: Any, *values: Any) -> bool:
    """Is it None, True, False or the ellipsis, one of these?"""
    return isinstance(node, gast.Constant) and any(node.value is value for value in values)


def is_operation(node: Any, *operators: type) -> bool:
    """Is it an expression with one of these operators?

    >>> is_operation(quote("-x"), gast.USub), is_operation(quote("a - b"), gast.USub, gast.Add)
    (True, False)
    """
    return isinstance(node, (gast.BinOp, gast.UnaryOp)) and isinstance(node.op, operators)


def same_pattern(pattern: Any, names: Iterable[str]) -> Any:
    """The same nested tuple with other names, for an assignment.

    >>> text(same_pattern(quote("k, (a, b)"), ["x", "y", "z"]))
    '(x, (y, z))'
    """
    left = iter(names)

    def made(node: Any) -> Any:
        if isinstance(node, (gast.Tuple, gast.List)):
            return gast.Tuple([made(part) for part in node.elts], gast.Store())
        return gast.Name(next(left), gast.Store(), None, None)

    return made(pattern)


def walk_names(node: Any) -> list[Any]:
    """Every Name node of a tree or list of trees, in no particular order."""
    found: list[Any] = []
    stack = [node]
    pop, push, known, name_of = stack.pop, stack.append, _CHILDREN, gast.Name
    while stack:
        item = pop()
        cls: Any = type(item)
        if cls is name_of:
            found.append(item)
            continue
        if cls is list:
            stack += item
            continue
        names = known.get(cls)
        if names is None:
            names = children_of(cls)
        if names:
            fields = item.__dict__
            for name in names:
                value = fields.get(name)
                if value is not None:
                    push(value)
    return found


def children(node: Any) -> list[Any]:
    """The nodes directly below a node, in the order of the text; operators and contexts left out."""
    below: list[Any] = []
    fields = node.__dict__
    for name in _CHILDREN.get(type(node)) or children_of(type(node)):
        value = fields.get(name)
        if type(value) is list:
            below += [v for v in value if isinstance(v, gast.AST)]
        elif isinstance(value, gast.AST):
            below.append(value)
    return below


def walk(node: Any) -> list[Any]:
    """Every node of a tree, those nearer to the root first; operators and contexts left out.

    >>> [type(n).__name__ for n in walk(quote("f(a + 1)"))]
    ['Call', 'Name', 'BinOp', 'Name', 'Constant']
    """
    found, known, tree = [node], _CHILDREN, gast.AST
    push = found.append
    for item in found:  # (it grows: level by level)
        cls = type(item)
        names = known.get(cls)
        if names is None:
            names = children_of(cls)
        if not names:
            continue
        fields = item.__dict__
        for name in names:
            value = fields.get(name)
            if value is None:
                continue
            if type(value) is list:
                for one in value:
                    if isinstance(one, tree):
                        push(one)
            elif isinstance(value, tree):
                push(value)
    return found


def in_order(node: Any) -> list[Any]:
    """Every node of a tree or list of trees in the order of the text; operators and contexts left out.

    >>> [type(n).__name__ for n in in_order(quote("f(a + 1) * b"))]
    ['BinOp', 'Call', 'Name', 'BinOp', 'Name', 'Constant', 'Name']
    """
    found: list[Any] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is list:
            stack += reversed(item)
        elif isinstance(item, gast.AST):
            found.append(item)
            fields = item.__dict__
            for name in reversed(_CHILDREN.get(type(item)) or children_of(type(item))):
                value = fields.get(name)
                if value is not None:
                    stack.append(value)
    return found


def names_read(node: Any) -> set[str]:
    """The names a tree reads. A store into a subscript or attribute reads (and writes through) its base name.

    >>> import gast
    >>> sorted(names_read(gast.parse("A[i] = x").body))
    ['A', 'i', 'x']
    """
    return {n.id for n in walk_names(node) if type(n.ctx) is gast.Load}


def names_bound(node: Any) -> set[str]:
    """The names a tree assigns."""
    return {n.id for n in walk_names(node) if type(n.ctx) is gast.Store}


def text(node: Any) -> str:
    """A tree as source, for messages, keys and tests (the printed product is made by s2sad.emit)."""
    if isinstance(node, list):
        return "\n".join(text(item) for item in node)
    quick = _quick_text(node)
    if quick is not None:
        return quick
    tree = gast.gast_to_ast(node)
    return ast.unparse(ast.fix_missing_locations(tree)).strip()


def form(node: Any) -> str:
    """What tells trees apart that are not the same: as `text`, but not to be read, and quicker.

    >>> form(quote("a[i] * -1")) == form(quote("a[i] * (-1)")), form(quote("x + 1")) == form(quote("x + 1.0"))
    (True, False)
    """
    cls = type(node)
    if cls is gast.Name:
        return node.id  # type: ignore[no-any-return]
    if cls is gast.Constant:
        return repr(node.value)
    if cls is gast.Attribute:
        return f"{form(node.value)}.{node.attr}"
    if cls is gast.BinOp:
        return f"({form(node.left)} {type(node.op).__name__} {form(node.right)})"
    if cls is gast.UnaryOp and type(node.op) is gast.USub:
        return f"-{form(node.operand)}"
    if cls is list:
        return f"[{','.join(map(form, node))}]"
    if not isinstance(node, gast.AST):
        return repr(node)
    return f"{cls.__name__}({','.join(form(getattr(node, name, None)) for name in cls._fields if name != 'ctx')})"


_SIGNS = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.Pow: "**", gast.MatMult: "@", gast.Mod: "%",
}  # fmt: skip


def _quick_text(node: Any) -> str | None:
    """The text of a path, of a call, or of one operation on such; None for anything else.

    >>> for source in ("x", "np.sum(A[i - 1], axis=0)", "f(x) ** 2.5", "-x", "f(a * b, -1, *c)", "f(a)(b) @ c"):
    ...     assert _quick_text(quote(source)) in (source, None) and text(quote(source)) == source
    """
    cls = type(node)
    if cls is gast.BinOp and type(node.op) in _SIGNS:
        left, right = _operand_text(node.left), _operand_text(node.right)
        return None if left is None or right is None else f"{left} {_SIGNS[type(node.op)]} {right}"
    if cls is gast.UnaryOp and type(node.op) is gast.USub:
        operand = _operand_text(node.operand)
        return None if operand is None else f"-{operand}"
    return _path_text(node) if cls is not gast.Call else _operand_text(node)


def _operand_text(node: Any) -> str | None:
    """The text of a path, a number or a call, which has no brackets around it in an operation."""
    cls = type(node)
    if cls is gast.Constant:
        value = node.value
        return repr(value) if type(value) in (int, float) and 0 <= value < 1e300 else None
    if cls is not gast.Call:
        return _path_text(node)
    parts = [_path_text(node.func), *(_argument_text(a) for a in node.args)]
    parts += [_argument_text(k.value) if k.arg else None for k in node.keywords]
    if None in parts:
        return None
    function, *given = parts
    first = len(given) - len(node.keywords)
    given[first:] = [f"{k.arg}={value}" for k, value in zip(node.keywords, given[first:], strict=True)]
    return f"{function}({', '.join(given)})"  # type: ignore[arg-type]


def _argument_text(node: Any) -> str | None:
    return _term_text(node) if type(node) is gast.Constant and type(node.value) is not float else _quick_text(node)


def _path_text(node: Any) -> str | None:
    """The text of a path with plain indices, which is what most texts are asked of; None for anything else.

    >>> for source in ("x", "A[i - 1, 2:].T", "p['W1'][-1]", "x[::2]"):
    ...     assert _path_text(quote(source)) == source == ast.unparse(ast.parse(source))
    """
    cls = type(node)
    if cls is gast.Name:
        return str(node.id)
    if cls is gast.Attribute:
        base = _path_text(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if cls is gast.Subscript:
        base, index = _path_text(node.value), node.slice
        if base is None:
            return None
        if type(index) is gast.Tuple:
            parts = [_index_text(part) for part in index.elts]
            return f"{base}[{', '.join(parts)}]" if len(parts) > 1 and None not in parts else None  # type: ignore[arg-type]
        inside = _index_text(index)
        return None if inside is None else f"{base}[{inside}]"
    return None


def _index_text(node: Any) -> str | None:
    cls = type(node)
    if cls is gast.Slice:
        parts = ["" if part is None else _index_text(part) for part in (node.lower, node.upper, node.step)]
        if None in parts:
            return None
        return f"{parts[0]}:{parts[1]}" + (f":{parts[2]}" if node.step is not None else "")
    if cls is gast.UnaryOp and type(node.op) is gast.USub and type(node.operand) is gast.Constant:
        inside = _term_text(node.operand)
        return None if inside is None else f"-{inside}"
    if cls is gast.BinOp and type(node.op) in (gast.Add, gast.Sub):
        left, right = _term_text(node.left), _term_text(node.right)
        sign = "+" if type(node.op) is gast.Add else "-"
        return None if left is None or right is None else f"{left} {sign} {right}"
    return _term_text(node)


def _term_text(node: Any) -> str | None:
    if type(node) is not gast.Constant:
        return _path_text(node)
    value = node.value
    if type(value) is int or value is None:
        return str(value)
    if type(value) is str and value.isascii() and value.isprintable() and not set(value) & {"'", '"', "\\"}:
        return f"'{value}'"
    return None


def statements(source: str) -> list[Stmt]:
    """Parse statements, for tests."""
    return list(gast.parse(textwrap.dedent(source)).body)


#: statements that hold no other statements
_ALONE = frozenset(
    (gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass, gast.Break, gast.Continue, gast.Raise, gast.Assert)
)


def blocks_of(statement: Stmt) -> Iterable[list[Stmt]]:
    """The statement lists directly inside a compound statement."""
    return () if type(statement) in _ALONE else _blocks_of(statement)


def statements_in(block: list[Stmt]) -> list[Stmt]:
    """The statements of a block and all that are nested in them, those of nested functions too, in no particular order.

    >>> [type(s).__name__ for s in statements_in(statements("if c:\\n  a = 1\\ndef f(): return 1"))]
    ['If', 'FunctionDef', 'Return', 'Assign']
    """
    found: list[Stmt] = []
    blocks = [block]
    while blocks:
        for statement in blocks.pop():
            found.append(statement)
            blocks += blocks_of(statement)
    return found


def _blocks_of(statement: Stmt) -> Iterator[list[Stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            yield block
    for handler in getattr(statement, "handlers", None) or ():
        yield handler.body
    for case in getattr(statement, "cases", None) or ():
        yield case.body


def atom_key(expr: Expr) -> str:
    """The name of an atom: an identifier, or the text of a path such as params['W1']."""
    return str(expr.id) if isinstance(expr, gast.Name) else text(expr)


def reads_any(tree: Any, keys: Collection[str]) -> bool:
    """Does a tree read one of these names, or parts of names such as p[0]?

    >>> from s2sad.core import statements
    >>> tree = statements("y = p[0] * q")
    >>> reads_any(tree, {"p[0]"}), reads_any(tree, {"q"}), reads_any(tree, {"p", "q[0]"}), reads_any(tree, {"p[1]"})
    (True, True, True, False)
    """
    if any(n.id in keys for n in walk_names(tree)):
        return True
    trees = tree if isinstance(tree, list) else [tree]
    parts = (n for t in trees for n in walk(t) if isinstance(n, (gast.Subscript, gast.Attribute)))
    return any(atom_key(n) in keys for n in parts)


def as_parameters(names: list[str]) -> Any:
    return gast.arguments([gast.Name(n, gast.Param(), None, None) for n in names], [], None, [], [], None, [])
