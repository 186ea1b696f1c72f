"""Which numbers that sums start with have adjoints that need not fit them.

A name that is an array in some turns of a loop and a number in others (`kinds.kind.Either`) may have an adjoint that is
as large as the array in any case, where nobody reads that of the number: `total = 0`, and what is made of that and
constants. The same is true of a value that is read once: what goes on from there to a number is summed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gast

from s2sad.analysis.memory import Memory, copied, names_read
from s2sad.core import Expr, Facts, Stmt, atom_key, walk_names
from s2sad.kinds.kind import Array, Either, Number, Static
from s2sad.knowledge import registry


def note_starts(body: list[Stmt], memory: Memory, facts: Facts, live: set[str]) -> None:
    """Mark the kinds of names that are an array or a number, and whose adjoint need not fit the number.

    total = 0                       total: the number is constant
    for i in range(n):
        mean = total * a            mean: the number is active, but nothing else is added to its adjoint
        total = total + x * mean
    return mean * mean              read more than once, its adjoint has to fit
    """
    names = {n for n, kind in facts.kinds.items() if isinstance(kind, Either)}
    if not names:
        return
    reads = Counter(n.id for s in body for n in walk_names(s) if isinstance(n.ctx, gast.Load))
    reads.update(live)
    once = {n for n in names if reads[n] == 1 and _stays(n, memory)}
    free = {n for n in names if n in memory.definitions or n not in facts.varied}
    free = _settled(free, lambda n, known: n not in facts.varied or _is_loose(n, memory, facts, known, False))
    # what is read once may be made of such a value; what is read more than once may not: there sizes would be added up
    loose = free | _settled(once, lambda n, known: _is_loose(n, memory, facts, free | known, True))
    for name in names:
        kind = facts.kinds[name]
        assert isinstance(kind, Either)
        facts.kinds[name] = replace(kind, loose=name in loose or isinstance(kind.other, Static))


def _settled(names: set[str], holds: Callable[[str, set[str]], bool]) -> set[str]:
    """The names of which something holds as long as it holds of the names left."""
    while True:
        left = {n for n in names if holds(n, names)}
        if left == names:
            return left
        names = left


def _stays(name: str, memory: Memory) -> bool:
    """Is a name bound once, and read in the same turns of loops?"""
    places = memory.definitions.get(name, [])
    reads = [p for p in memory.places.values() if name in names_read(p.statement)]
    if not len(places) == len(reads) == 1:
        return False
    (made,), (read,) = places, reads
    return made.order < read.order and made.loops == read.loops


def _is_loose(name: str, memory: Memory, facts: Facts, loose: set[str], once: bool) -> bool:
    """Is every definition of a name an array, or made of what is loose where it is a number?"""
    return all(
        isinstance(place.statement, gast.Assign)
        and isinstance(place.statement.targets[0], gast.Name)
        and _keeps_shape(place.statement)
        and all(_passes(atom, facts, loose, place.statement, once) for atom in _active(place.statement, facts))
        for place in memory.definitions[name]
    )


def _keeps_shape(statement: Any) -> bool:
    """Is a value a copy, or computed element by element? Other functions take cotangents that fit what they give."""
    application = getattr(statement, "apply", None)
    rule = registry.lookup(application[0]) if application is not None else None
    return application is None or (rule is not None and rule.partials is not None)


def _passes(atom: str, facts: Facts, loose: set[str], statement: Stmt, once: bool) -> bool:
    if atom in loose:
        return True
    copy = getattr(statement, "apply", None) is None
    return isinstance(facts.kinds.get(atom), Array) if copy else once and isinstance(facts.kinds.get(atom), Number)


def _active(statement: Any, facts: Facts) -> Iterator[str]:
    """The active atoms that an assignment reads; what is not followed counts as one that is not loose."""
    application = getattr(statement, "apply", None)
    if application is None:
        whole = copied(statement.value)
        known = isinstance(statement.value, gast.Constant) or (whole is not None and whole in facts.kinds)
        if not known:
            yield ""
        elif whole is not None and whole in facts.varied:
            yield whole
        return
    _, args, kwargs = application
    for arg in (*args, *kwargs.values()):
        for atom in _atoms(arg):
            key = atom_key(atom)
            if key in facts.varied:
                yield key


def _atoms(arg: Expr) -> Iterator[Expr]:
    if isinstance(arg, (gast.Tuple, gast.List)):
        for item in arg.elts:
            yield from _atoms(item)
    elif not isinstance(arg, gast.Constant):
        yield arg
