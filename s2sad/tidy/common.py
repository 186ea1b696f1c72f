"""Temporaries that stand for the same expression become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, blocks_of, walk_names
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import key_of
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.rebuild import with_blocks


def share_temporaries(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements without temporaries that are computed a second time.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements, text
    >>> body = statements("t = math.sqrt(T)\\na = s * t\\nt_1 = math.sqrt(T)\\nb = a - s * t_1")
    >>> facts = Facts(kinds={n: Number(float) for n in ("t", "t_1", "T", "s")}, temps={"t", "t_1"})
    >>> import math
    >>> facts.globals["math"] = math
    >>> print(text(share_temporaries(body, facts)))
    t = math.sqrt(T)
    a = s * t
    b = a - s * t
    """
    live_out = set(live_out)
    statements = [s for top in body for s in nested(top)]
    bound = Counter(n.id for n in walk_names(body) if not isinstance(n.ctx, gast.Load))
    defined = [s for s in statements if _temporary(s, facts, bound) not in (None, *live_out)]
    keys = Counter(key_of(s.value) for s in defined)
    if len(keys) == len(defined):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    handed_out: set[str] = set()
    for s in statements:
        e = scope.effects.of(s)
        for name in (*e.stores, *e.deep_stores):
            handed_out |= scope.bases(name)
        if type(s) is gast.Return and s.value is not None:
            handed_out |= {n.id for n in _parts(s.value) if type(n) is gast.Name}
    worker = _Sharing(scope, {id(s): k for s in defined if keys[k := key_of(s.value)] > 1}, handed_out)
    result = worker.block(body, {})
    return renamed(result, worker.names) if worker.names else body


class _Sharing:
    def __init__(self, scope: Scope, keys: dict[int, str], handed_out: set[str]) -> None:
        self.scope, self.keys, self.handed_out = scope, keys, handed_out
        self.names: dict[str, str] = {}

    def block(self, body: list[Stmt], known: dict[str, tuple[str, int]]) -> list[Stmt]:
        """The block without what is known already.

        Args:
            known: the names of expressions that have one, and the bits of what these read.
        """
        result = []
        for s in body:
            use, define, store = self.scope.deep(s)
            changed = define | store
            if any(blocks_of(s)):
                if type(s) not in (gast.If, gast.With):  # one block after the other: turns, and handlers after a body
                    known = _without(known, changed)
                result.append(with_blocks(s, partial(self.inner, known)))
                known = _without(known, changed)
                continue
            known = _without(known, changed)
            key = self.keys.get(id(s))
            if key is not None and self.may_be_shared(s):
                name = s.targets[0].id
                if key in known:
                    self.names[name] = known[key][0]
                    continue
                known[key] = name, use
            result.append(s)
        return result

    def inner(self, known: dict[str, tuple[str, int]], body: list[Stmt]) -> list[Stmt]:
        return self.block(body, dict(known))

    def may_be_shared(self, s: Any) -> bool:
        """Is it a number, or an array that nobody stores into or keeps, made without an effect?"""
        name = s.targets[0].id
        masks = self.scope.masks(s)
        if masks.keep or masks.store or name in self.scope.captured or self.scope.effects.of(s).own:
            return False
        kind = self.scope.facts.kinds.get(name)
        if not isinstance(kind, Array):
            return isinstance(kind, Number)
        return self.scope.bases(name) == {name} and self.scope.holders(name) == 1 and name not in self.handed_out


def _parts(value: Any) -> Iterator[Any]:
    """What a returned value hands out: itself, or the parts of a container."""
    if type(value) in (gast.Tuple, gast.List):
        for part in value.elts:
            yield from _parts(part)
    elif type(value) is gast.Dict:
        for part in value.values:
            yield from _parts(part)
    else:
        yield value


def _without(known: dict[str, tuple[str, int]], changed: int) -> dict[str, tuple[str, int]]:
    return {k: (name, use) for k, (name, use) in known.items() if not use & changed}


def _temporary(s: Any, facts: Facts, bound: Counter[str]) -> str | None:
    """The temporary that a statement alone gives a value."""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return None
    name = s.targets[0].id
    if name not in facts.temps or bound[name] != 1 or type(s.value) in (gast.Name, gast.Constant):
        return None
    return str(name)
