"""What a derivative does with its arguments on entry: which share memory, which are copied, whose lengths are named."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import gast

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.memory import LIST_MUTATORS, Memory, Store
from s2sad.analysis.memory_scan import analyse
from s2sad.core import (
    INVENTED,
    Expr,
    Facts,
    Stmt,
    assign,
    atom_key,
    blocks_of,
    clone,
    load,
    quote,
    target_of,
    walk,
    walk_names,
)
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import error_at
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Object, Unknown
from s2sad.normal.lower import lower_function
from s2sad.normal.lowered import Core
from s2sad.transform.values import copied_list


def changed_arguments(core: Core, parameters: Collection[str]) -> dict[str, tuple[Any, Any]]:
    """The parameters whose arrays, containers or objects the function may change, and where it does that first."""
    found: dict[str, tuple[Any, Any]] = {}
    for path, place in core.run.outside.changed_arguments.items():
        found.setdefault(path[0], place)
    memory = analyse(core.body, core.facts, core.run.alias)
    parts = {k: k.split("[")[0].split(".")[0] for k in core.facts.kinds}
    for store in memory.stores:
        if store.key in parts:
            found.setdefault(parts[store.key], (store.place.statement, core.source))
    for key, name in parts.items():
        if name in parameters and memory.is_overwritten(key):
            found.setdefault(name, (None, core.source))
    return {name: place for name, place in found.items() if name in parameters}


def check_hidden_state(core: Core, hidden: Collection[str]) -> None:
    """Refuse what advances with each call of the primal, where no caller sees it, and would not with the derivative's.

    Raises:
        DerivationError: the function changes what it is bound to, or a default.
    """
    for name, place in changed_arguments(core, hidden).items() if hidden else ():
        raise error_at(
            *place,
            f"this changes {name}, which the caller does not pass: it would change with each call of the function, and "
            "with none of its derivative",
            f"pass {name} (a method's object, too: grad(Class.method)(object, ...)), since what is passed stays as it "
            "was; or return what changes",
        )


def with_shared_arguments(
    core: Core,
    source: Any,
    kinds: dict[str, Kind],
    wrt: tuple[str, ...],
    aliases: tuple[Any, ...],
    recursion: str = "follow",
) -> Core:
    """Arguments that share memory matter where the primal overwrites them: two names of one array become one.

    So do containers and objects that are met twice, where the primal changes them.
    """
    memory = analyse(core.body, core.facts, core.run.alias)  # all of it: what is stored is read by another name
    same: list[tuple[str, str]] = []
    for first, second, how in aliases:
        if how == "outside":
            check_outside(first, kinds, core, memory, source)
            continue
        keys = [_path_key(path, kinds) for path in (first, second)]
        lists = {s.key for s in memory.stores if puts_in_list(s, core.facts)}
        changed = core.run.outside.changed_arguments.keys() & {first, second} or lists & set(keys)
        if changed or items_overwritten(core, memory, kinds, first, second):
            raise error_at(
                None,
                source,
                f"{keys[0]} and {keys[1]} are one object, and the function changes it",
                "pass copies (copy.deepcopy)",
            )
        if not any(memory.is_overwritten(k) for k in keys):
            continue
        if how == "same" and len(first) == 1 and len(second) == 1:
            same.append((first[0], second[0]))
            continue
        raise error_at(
            None,
            source,
            f"{keys[0]} and {keys[1]} share memory, and the function overwrites it",
            "pass copies, or arrays that do not overlap",
        )
    if not same:
        return core
    return lower_function(source, kinds, wrt, tuple(same), recursion, turns_apart=core.run.program.turns_apart)


def items_overwritten(core: Core, memory: Memory, kinds: dict[str, Kind], *paths: tuple[Any, ...]) -> bool:
    """Are items of a list at run time overwritten that one of the paths leads into? Which of them, only the run knows:
    with `row = A[k]`, then `row[0] = x`, it may be A[0] as well as A[1].
    """
    whole = {
        key
        for path in paths
        for k in range(1, len(path))
        if isinstance(core.facts.kinds.get(key := _path_key(path[:k], kinds)), ListOf)
    }
    inside = {c for key in whole for c in memory.classes(key) if c != memory.find(key)}
    return any(memory.find(s.key) in inside for s in memory.stores)


def check_outside(path: tuple[Any, ...], kinds: dict[str, Kind], core: Core, memory: Memory, source: Any) -> None:
    """An argument that the function reaches by a global, too, or by another argument's closure."""
    key = _path_key(path, kinds)
    stored = {s.key for s in memory.stores}
    changed = path in core.run.outside.changed_arguments or key in stored or memory.is_overwritten(key)
    if changed or items_overwritten(core, memory, kinds, path):
        reason = f"{key} is changed, and the function looks it up outside of its arguments, too"
        raise error_at(None, source, reason, ways.COPY)


def name_lengths(body: list[Stmt], memory: Memory, facts: Facts) -> bool:
    """Give names to bounds of loops that change later on: lengths of lists that grow or shrink behind the loop.

    The backward sweep runs such a loop, too. True where something was named.
    """
    found = False
    for statement in list(body):
        for block in blocks_of(statement):
            found = name_lengths(block, memory, facts) or found
        if not isinstance(statement, gast.For):
            continue
        for call in [n for n in walk(statement.iter) if isinstance(n, gast.Call)]:
            if not (isinstance(call.func, gast.Name) and call.func.id == "range"):
                continue
            for k, bound in enumerate(call.args):
                lists = [n.id for n in walk_names(bound) if isinstance(facts.kinds.get(n.id), (ListOf, Unknown))]
                place = memory.places[id(statement)]
                if any(memory.overwritten_after(n, None, place) for n in lists):
                    name = facts.fresh("n")
                    facts.kinds[name] = Number(int)
                    at = next(i for i, s in enumerate(body) if s is statement)
                    body.insert(at, assign(name, bound, getattr(statement, "origin", None)))
                    call.args[k] = load(name)
                    found = True
    return found


def _path_key(path: tuple[Any, ...], kinds: dict[str, Kind]) -> str:
    """The text of a part of the arguments: ("p", "a", 0) is `p.a[0]` for an object p with a list a."""
    expr: Expr = load(path[0])
    kind: Any = kinds[path[0]]
    for part in path[1:]:
        if isinstance(kind, Object):
            expr = gast.Attribute(expr, part, gast.Load())
        else:
            expr = gast.Subscript(expr, gast.Constant(part, None), gast.Load())
        kind = dict(kind.parts()).get(part, Unknown())
    return atom_key(expr)


def part_at(base: Expr | None, key: Any) -> Expr | None:
    return None if base is None else gast.Subscript(clone(base), gast.Constant(key, None), gast.Load())


def copies_on_entry(
    body: list[Stmt], parameters: list[str], core: Core, facts: Facts, effects: Effects | None = None
) -> list[Stmt]:
    """Parameters that the remaining statements overwrite are copied first: the caller's arrays stay as they are.

    Args:
        effects: what is known of the statements already.
    """
    made, replaced = entry_copies(body, parameters, core, facts, effects)
    return [*made, *with_parts_named(body, replaced)]


def with_parts_named(body: list[Stmt], replaced: dict[str, str]) -> list[Stmt]:
    """The statements with names in the place of parts of arguments: `d["a"]` as `a`."""
    return [replace_paths(clone(s), replaced) for s in body] if replaced else body


def entry_copies(
    body: list[Stmt], parameters: list[str], core: Core, facts: Facts, effects: Effects | None = None
) -> tuple[list[Stmt], dict[str, str]]:
    """Copies of the parameters that the statements overwrite, and the names of copies of parts of parameters."""
    effects = effects or Effects(facts)
    memory = analyse(body, facts, core.run.alias, effects)
    made: list[Stmt] = []
    replaced: dict[str, str] = {}
    keys = [k for k in facts.kinds if k.split("[")[0].split(".")[0] in parameters]
    chosen = stored_into(body, memory, parameters, core, effects)
    for key in keys:
        kind = facts.kinds[key]
        overwritten = memory.is_overwritten(key) or key in chosen
        if not isinstance(kind, (Array, Unknown, ListOf)) or not overwritten:
            continue
        if key in parameters:
            stores = (s for s in memory.stores if not (isinstance(kind, Array) and puts_in_list(s, facts)))
            if key not in chosen and not any(memory.find(s.key) in memory.classes(key) for s in stores):
                continue
            made.append(assign(key, copied(key, kind, facts)))
            continue
        stem = "".join(c if c.isalnum() else " " for c in key).split()[-1]
        name = facts.fresh(stem if stem.isidentifier() else "part")
        facts.kinds[name] = kind
        made.append(assign(name, copied(key, kind, facts)))
        replaced[key] = name
    return made, replaced


def puts_in_list(store: Store, facts: Facts) -> bool:
    """Does a store change which items a list holds, and none of the items?"""
    if not isinstance(facts.kinds.get(store.key), ListOf):
        return False
    statement: Any = store.place.statement
    func = getattr(getattr(statement, "value", None), "func", None)
    if isinstance(func, gast.Attribute) and func.attr in LIST_MUTATORS:
        return atom_key(func.value) == store.key
    target = target_of(statement)
    if not isinstance(target, gast.Subscript) or any(isinstance(n, gast.Call) for n in walk(statement)):
        return False
    return atom_key(target.value) == store.key


def stored_into(
    body: list[Stmt], memory: Memory, parameters: list[str], core: Core, effects: Effects
) -> set[str]:
    """Parameters that a store may reach by a name that may be another array, too: `u = w if c else w.copy()`.

    Raises:
        DerivationError: for one that is an item of a list: `u = p[0]`, then `u = p[k]`. None of them has been copied.
    """
    stores = [s for s in memory.stores if not puts_in_list(s, memory.facts)]
    names = {s.key for s in stores if s.key.isidentifier()} - set(parameters)
    if not names:
        return set()
    kinds = memory.facts.kinds
    paths = [k for k, kind in kinds.items() if not k.isidentifier() and isinstance(kind, (Array, ListOf))]
    # for a moment, parts of arguments have names: what shares memory is told by names
    standing = {f"part{INVENTED}{i}": k for i, k in enumerate(paths) if re.split(r"[.\[]", k)[0] in parameters}
    kinds.update({name: kinds[k] for name, k in standing.items()})
    try:
        effects = Effects(memory.facts) if standing else effects
        body = with_parts_named(body, {k: name for name, k in standing.items()})
        summaries = [effects.of(s) for top in body for s in nested(top)]
        direct = bases_of(summaries, effects, [*parameters, *standing])[1]
    finally:
        for name in standing:
            del kinds[name]
    found: set[str] = set().union(*(direct.get(name, ()) for name in names))
    for p in (p for p in (*parameters, *standing) if p in found):
        key = standing.get(p, p)
        kind = kinds.get(key)
        if isinstance(kind, ListOf) and isinstance(kind.item, Array):
            at = next(s for s in stores if p in direct.get(s.key, ()))
            reason = f"an array of {key} is overwritten under a name that may be another one"
            raise error_at(at.place.statement, core.source, reason, ways.COPY)
    chosen = {standing.get(p, p) for p in found if p in standing or p in parameters}
    return {key for key in chosen if isinstance(kinds.get(key), Array)}


def copied(key: str, kind: Kind, facts: Facts) -> Expr:
    """A copy of an argument that is the function's own to overwrite."""
    if isinstance(kind, ListOf):
        return copied_list(kind, quote(key))
    return quote("x.copy(order='F')" if facts.lies.get(key) == "F" else "x.copy()", x=key)


def replace_paths(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, (gast.Subscript, gast.Attribute)) and atom_key(node) in names:
        new = load(names[atom_key(node)])
        new.ctx = node.ctx
        return new
    if isinstance(node, list):
        node[:] = [replace_paths(n, names) for n in node]
    elif isinstance(node, gast.AST):
        for f in node._fields:
            v = getattr(node, f, None)
            if isinstance(v, (gast.AST, list)):
                setattr(node, f, replace_paths(v, names))
    return node
