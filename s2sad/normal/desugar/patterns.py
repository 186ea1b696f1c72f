"""match statements as chains of if and elif."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from s2sad.analysis.known_calls import CHANGE_FIRST, changes_receiver
from s2sad.core import clone, replace_names, walk
from s2sad.normal.above import passively
from s2sad.normal.desugar.jumps import invented, name, once_for, placed
from s2sad.normal.values.abstract import Known

#: classes whose only positional sub-pattern is the value itself
_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def match_to_if(node: Any, run: Any) -> list[Any]:
    """The statements that stand for a match statement.

    match s:                          subject = s
        case (a, 0) if a > 1: A   ->  if isinstance(subject, (list, tuple)) and len(subject) == 2 and ...:
        case _: B                         a = subject[0]; A
                                      else: B
    """
    return once_for(node, "match", lambda: _rewrite(node, run))  # type: ignore[no-any-return]


def _rewrite(node: Any, run: Any) -> list[Any]:
    subject = node.subject
    start: list[Any] = []
    given = {n for case in node.cases for n in _names_of(case.pattern)}
    if not isinstance(subject, gast.Name) or subject.id in given:
        kept = invented("subject", node)
        start.append(gast.Assign([name(kept, True)], subject, None))
        subject = name(kept)
    chain: list[Any] = []
    for case in reversed(node.cases):
        for pattern in reversed(_alternatives(case.pattern)):
            tests, captures = _Pattern(run).compile(pattern, subject)
            taken = [gast.Assign([name(k, True)], clone(v), None) for k, v in captures]
            body = [*taken, *clone(case.body)]
            named = {k for k, _ in captures}
            again = {n.name for n in walk(pattern) if isinstance(n, gast.MatchStar)}  # (made anew where it is read)
            again |= {n.rest for n in walk(pattern) if isinstance(n, gast.MatchMapping)}
            if case.guard is not None and (
                _read_elsewhere(node, case, named, run)
                or _may_change(case.guard, {_identifier(n) for n in again if n is not None})
            ):  # where the guard fails, too, the names are given; and what it changes is what they stand for
                tested = placed([gast.If(clone(case.guard), clone(case.body), clone(chain))], case.pattern)
                body = [*taken, *tested]
            elif case.guard is not None:
                tests.append(replace_names(clone(case.guard), {k: v for k, v in captures}))
            if not tests:
                chain = body
                continue
            test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)
            chain = [gast.If(test, body, chain)]
            placed(chain[:1], case.pattern)
    return placed([*start, *chain], node)


def _alternatives(pattern: Any) -> list[Any]:
    """An or-pattern that captures names is as many patterns as it has parts."""
    if isinstance(pattern, gast.MatchOr) and _captures(pattern):
        return list(pattern.patterns)
    return [pattern]


def _captures(pattern: Any) -> bool:
    return bool(_names_of(pattern))


def _names_of(pattern: Any) -> set[str]:
    """The names that a pattern gives."""
    parts = [n.rest if isinstance(n, gast.MatchMapping) else getattr(n, "name", None) for n in walk(pattern)]
    return {_identifier(p) for p in parts if p is not None}


def _read_elsewhere(node: Any, case: Any, names: set[str], run: Any) -> bool:
    """Is one of the names that a case gives read elsewhere than in this case and those that give it themselves?"""
    if not names:
        return False
    own: set[int] = set()
    for other in node.cases:
        given = names if other is case else _names_of(other.pattern)
        own |= {id(n) for n in walk(other) if isinstance(n, gast.Name) and n.id in given}
    tree = run.frame.source.tree
    reads = [n for n in walk(tree) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
    return any(n.id in names and id(n) not in own for n in reads)


def _may_change(guard: Any, names: set[str]) -> bool:
    """Does a guard call what changes something: by its name, or because it is handed one of these?"""
    for call in (n for n in walk(guard) if isinstance(n, gast.Call)):
        function = call.func
        if isinstance(function, gast.Attribute) and changes_receiver(function.attr):
            return True
        called = getattr(function, "attr", None) or getattr(function, "id", "")
        if called in CHANGE_FIRST:
            return True
        strange = not (isinstance(function, gast.Name) and hasattr(builtins, function.id))
        if strange and any(isinstance(n, gast.Name) and n.id in names for n in walk(call)):
            return True
    return False


class _Pattern:
    def __init__(self, run: Any) -> None:
        self.run = run

    def compile(self, pattern: Any, subject: Any) -> tuple[list[Any], list[tuple[str, Any]]]:
        """The tests that a value has to pass, and the names it gives."""
        method = getattr(self, type(pattern).__name__)
        return method(pattern, subject)  # type: ignore[no-any-return]

    def MatchValue(self, pattern: Any, subject: Any) -> Any:
        return [gast.Compare(clone(subject), [gast.Eq()], [pattern.value])], []

    def MatchSingleton(self, pattern: Any, subject: Any) -> Any:
        return [gast.Compare(clone(subject), [gast.Is()], [gast.Constant(pattern.value, None)])], []

    def MatchAs(self, pattern: Any, subject: Any) -> Any:
        tests, captures = ([], []) if pattern.pattern is None else self.compile(pattern.pattern, subject)
        if pattern.name is not None:
            captures = [*captures, (_identifier(pattern.name), clone(subject))]
        return tests, captures

    def MatchOr(self, pattern: Any, subject: Any) -> Any:
        parts = []
        for option in pattern.patterns:
            tests, captures = self.compile(option, subject)
            if captures:
                self.run.refuse("an or-pattern inside a pattern that captures names", "write two cases", pattern)
            if not tests:
                return [], []
            parts.append(tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests))
        return [gast.BoolOp(gast.Or(), parts)], []

    def MatchSequence(self, pattern: Any, subject: Any) -> Any:
        parts = pattern.patterns
        classes = gast.Tuple([name("list"), name("tuple")], gast.Load())
        tests: list[Any] = [gast.Call(name("isinstance"), [clone(subject), classes], [])]
        captures: list[Any] = []
        star = next((k for k, p in enumerate(parts) if isinstance(p, gast.MatchStar)), None)
        count = gast.Call(name("len"), [clone(subject)], [])
        fixed = len(parts) - (star is not None)
        op = gast.Eq() if star is None else gast.GtE()
        tests.append(gast.Compare(count, [op], [gast.Constant(fixed, None)]))
        for k, part in enumerate(parts):
            if k == star:
                if part.name is not None:
                    end = len(parts) - k - 1
                    stop = gast.UnaryOp(gast.USub(), gast.Constant(end, None)) if end else None
                    cut = gast.Slice(gast.Constant(k, None), stop, None)
                    rest = gast.Call(name("list"), [gast.Subscript(clone(subject), cut, gast.Load())], [])
                    captures.append((_identifier(part.name), rest))
                continue
            behind = star is not None and k > star
            index: Any = gast.Constant(k, None)
            if behind:
                index = gast.UnaryOp(gast.USub(), gast.Constant(len(parts) - k, None))
            inner, found = self.compile(part, gast.Subscript(clone(subject), index, gast.Load()))
            tests.extend(inner)
            captures.extend(found)
        return tests, captures

    def MatchMapping(self, pattern: Any, subject: Any) -> Any:
        tests: list[Any] = [gast.Call(name("isinstance"), [clone(subject), name("dict")], [])]
        captures: list[Any] = []
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            tests.append(gast.Compare(clone(key), [gast.In()], [clone(subject)]))
            inner, found = self.compile(part, gast.Subscript(clone(subject), clone(key), gast.Load()))
            tests.extend(inner)
            captures.extend(found)
        if pattern.rest is not None:
            keys = gast.Tuple([clone(k) for k in pattern.keys], gast.Load())
            pair = gast.Tuple([name("key", True), name("value", True)], gast.Store())
            items = gast.Call(gast.Attribute(clone(subject), "items", gast.Load()), [], [])
            test = gast.Compare(name("key"), [gast.NotIn()], [keys])
            rest = gast.DictComp(name("key"), name("value"), [gast.comprehension(pair, items, [test], 0)])
            captures.append((_identifier(pattern.rest), rest))
        return tests, captures

    def MatchClass(self, pattern: Any, subject: Any) -> Any:
        tests: list[Any] = [gast.Call(name("isinstance"), [clone(subject), clone(pattern.cls)], [])]
        captures: list[Any] = []
        attributes: list[str] = []
        if pattern.patterns:
            found = passively(self.run, pattern.cls)
            cls = found.value if isinstance(found, Known) else None
            if cls in _ITSELF:
                tests_inside, captures = self.compile(pattern.patterns[0], subject)
                return [*tests, *tests_inside], captures
            attributes = list(getattr(cls, "__match_args__", ()))[: len(pattern.patterns)]
            if len(attributes) < len(pattern.patterns):
                self.run.refuse(
                    "this class does not say what its positional patterns are", "name the attributes", pattern
                )
        pairs = [
            *zip(attributes, pattern.patterns, strict=False),
            *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True),
        ]
        for attribute, part in pairs:
            inner, more = self.compile(part, gast.Attribute(clone(subject), attribute, gast.Load()))
            tests.extend(inner)
            captures.extend(more)
        return tests, captures


def _identifier(part: Any) -> str:
    return str(getattr(part, "id", part))
