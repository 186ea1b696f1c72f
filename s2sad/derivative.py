"""What an operator returns: a callable that derives for new kinds, and runs what it has for known ones."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import os
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import s2sad.disk as disk
from s2sad.arguments import as_floats, as_plain_floats, handed_in, like
from s2sad.ask import asked, check_general, unknown
from s2sad.core import Facts
from s2sad.emit.module import function_text, module_text
from s2sad.face import EITHER, Derivative, leads_to_functions
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import BadArgument, DerivationError, at_the_callers_line, defects_at, shortened
from s2sad.frontend.names import references
from s2sad.frontend.source import FunctionSource, derive_from, function_tree, noting_texts
from s2sad.frontend.target import part_of, root_of, set_part
from s2sad.kinds.bind import (
    ForeignArray,
    Multiple,
    kinds_of,
    lengths_of,
    meets,
    multiples_among,
    overlaps,
    signature_key,
)
from s2sad.kinds.concrete import concrete_kinds_of
from s2sad.kinds.kind import Kind, Static, Unknown, in_c_order
from s2sad.kinds.labelled import foreign_array
from s2sad.kinds.spec import from_annotation
from s2sad.knowledge import tables
from s2sad.locks import deeper, deriving
from s2sad.native.options import compile_options
from s2sad.normal.calls import keep
from s2sad.request import Request, Result
from s2sad.runtime.conditions import (
    Condition,
    IsNumber,
    NameIs,
    OfType,
    PartIs,
    compiled,
    described,
)
from s2sad.runtime.decide import Look, decide, recording
from s2sad.runtime.garbage import seldom_collected
from s2sad.runtime.guards import guards_of
from s2sad.runtime.load import compiled as compiled_module
from s2sad.runtime.load import in_python, run
from s2sad.store import (
    NO_STATE,
    SEVERAL,
    About,
    Beside,
    Detail,
    Entry,
    Generated,
    Summed,
    still_holds,
    store_of,
    sums_broadcast,
)
from s2sad.twins import Own, is_made_anew, keep_twin, twins_of


class GeneratedDerivative(Derivative[..., Any]):
    """A derivative that the compiler generates in one piece: grad, value_and_grad, vjp, jvp."""

    operator: Result = "grad"

    def _setup(self, method: bool = False) -> None:
        super()._setup(method)
        aux = bool(self._options.get("has_aux"))
        again = self._inner is not None
        self._request = Request(self.operator, self._names, self._single, aux, self._strong_zero, again, self._is_inner)
        self._compile = compile_options(self._options.get("compile"), self._options.get("compile_options"))
        #: the same, handed the arrays for the gradients
        self._handing: GeneratedDerivative | None = None
        self._asked = self._what_is_asked()
        self._store = store_of(self._target.function, self._asked)
        self._entries, self._exact = self._store.entries, self._store.exact
        self._bound = bool(self._target.prefix or self._target.keywords)
        #: is a call without keywords known by its arguments alone?
        self._plain = not self._bound and not self._target.is_open

    def _what_is_asked(self) -> tuple[Any, ...]:
        """The request, with those of the derivatives inside, and what the function is bound to: code for what is passed
        may not do for what is bound."""
        inner = self._inner._what_is_asked() if isinstance(self._inner, GeneratedDerivative) else None
        return self._request, self._compile, keep.in_force(), inner, len(self._target.prefix), *self._target.keywords

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            found = self._exact.find(args)
            if found is not None:
                return found(*args)
        if kwargs or self._bound:
            __tracebackhide__ = True
            return self._call_general(args, kwargs)
        # Numbers are found by their types alone; everything else by its signature.
        try:
            entry: Entry | None = self._entries.get(tuple(map(type, args)))
            if self._plain and entry is not None:
                self._exact.note(args, entry)
            elif self._plain:
                entry = self._exact.get(args)
            if entry is None:
                entry = self._entry(args, kwargs)
            function, check, prepare, _, _ = entry
            if prepare or (check is not None and not check()):
                return self._call_general(args, kwargs)
        except DerivationError as error:
            __tracebackhide__ = not os.environ.get("S2SAD_DEBUG")  # as `at_the_callers_line` does, which takes time
            raise shortened(error) from None
        return function(*args)

    @at_the_callers_line
    def _call_general(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if "out" in kwargs and _takes_out(self):
            return _call_into(self, args, dict(kwargs))
        function, _, prepare, *_ = self._entry(args, kwargs)
        if prepare:
            bound = self._bind(args, kwargs)
            return as_plain_floats(function(*bound.args, **bound.kwargs))
        target = self._target
        return function(*target.prefix, *args, **{**target.keywords, **kwargs})

    @at_the_callers_line
    def specialize(self, /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        function = self._entry(args, kwargs)[0]
        target = self._target
        return functools.partial(function, *target.prefix, **target.keywords) if self._bound else function

    def _generated(self) -> Generated:
        self._follow()
        last = self._store.last
        if last is not None and any(read.has_changed() for read in last.seen.read.values()):
            with deriving():
                self._derive(last.primal, *last.given)
        if last is None and self._store.again is not None:
            with deriving():
                self._store.again()
        if self._store.last is None:
            self.derive_for(self.kinds_ahead())
        assert self._store.last is not None
        return self._store.last

    @at_the_callers_line
    def build(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        from s2sad.build import build

        wrt = self.wrt[0] if self._single else self.wrt
        build(self, self._target.function, wrt, self._latest_kinds(), Path(path), force)

    @at_the_callers_line
    def explain(self) -> None:
        from s2sad.explain import explained

        kinds = self._latest_kinds()
        print(explained(self, self.derive_for(kinds), kinds), end="")

    def _latest_kinds(self) -> dict[str, Kind]:
        self._follow()
        return self._store.kinds or self.kinds_ahead()

    # Look-up

    def _entry(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Entry:
        """The generated function for these arguments, derived if need be."""
        try:
            self._follow()
            self._check_inner()
            exact = self._exact if self._plain and not kwargs else None
            entry = exact.get(args) if exact is not None else None
            if entry is not None and still_holds(entry):
                return entry
            plain = self._key(args, kwargs)
            known = self._store.details.get(plain)
            key = plain if known is None else (plain, self._at(known, args, kwargs))
            entry = self._entries.get(key)
            if entry is not None and self._is_for(entry, args, kwargs):
                if exact is not None and (known is None or known.by_shapes) and entry[4] is None:
                    exact.put(args, entry)
                return entry
            with deriving(), seldom_collected():
                return self._derived_entry(args, kwargs, plain, key)
        except ForeignArray as error:
            raise self._bad(*of_another_library(self.__name__, self._target.given(args, kwargs), error.value)) from None
        except RecursionError:
            return deeper(lambda: self._entry(args, kwargs), lambda: too_deep(self._target.function))

    def _is_for(self, entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Is an entry right for arguments of its key: is what the derivation has looked at as it was, and do they share
        memory with what is not an argument as those did that it was derived for?"""
        return still_holds(entry) and (entry[4] is None or self._beside(args, kwargs, entry[4][0]) == entry[4])

    def _beside(self, args: tuple[Any, ...], kwargs: dict[str, Any], outside: tuple[Any, ...]) -> Beside:
        args, kwargs = self._with_bound(args, kwargs)
        return outside, meets((*args, *kwargs.values()), outside)

    def _derived_entry(self, args: tuple[Any, ...], kwargs: dict[str, Any], plain: Any, key: Any) -> Entry:
        """What `_entry` finds under no key, or finds to hold no more."""
        details, others = self._store.details, self._store.others.setdefault(key, [])
        for entry in others:
            if self._is_for(entry, args, kwargs):
                self._entries[key] = entry
                return entry
        own = Own(self._target.function) if is_made_anew(self._target.function) else None
        twin = self._from_twin(own, args, kwargs, plain) if own is not None and own.form is not None else None
        if twin is not None:
            return twin
        place = self._place_on_disk(args, kwargs, plain)
        found = self._from_disk(place, args, kwargs, plain) if place is not None else None
        if found is not None:
            return found
        detail = details.get(plain, Detail()) | self._inner_detail(args, kwargs)
        if self.operator != "vjp":  # (a pullback may be called when they have changed again)
            self._store.note_what_moved(others)
        while True:
            try:
                entry, needed = self._derived_as_far_as_needed(args, kwargs, detail.layouts)
                self._compile_last()
                break
            except DerivationError:
                if not self._store.moving:
                    raise
                self._store.keep_known()
        detail = detail | needed
        self._keep(entry, plain, detail, args, kwargs)
        self._keep_for_others(own, place, entry, plain, detail, args, kwargs)
        return entry

    def _keep(self, entry: Entry, plain: Any, detail: Detail, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Keep an entry for arguments like these, which is right where the details that it depends on are the same."""
        store, key = self._store, plain
        if detail != Detail():
            store.details[plain] = detail
            store.exact.clear()
            key = plain, self._at(detail, args, kwargs)
        self._entries[key] = entry
        others = store.others.setdefault(key, [])
        others.insert(0, entry)
        del others[SEVERAL:]

    # What was derived for another function of the same code (`s2sad.twins`)

    def _from_twin(self, own: Own, args: tuple[Any, ...], kwargs: dict[str, Any], plain: Any) -> Entry | None:
        """The entry for a function that was made anew, from what was derived for another of its code."""
        for twin in twins_of(own, self._target.function, (self._asked, plain)):
            about: About = twin.about
            if not twin.is_apart_from(own) or self._at(about.detail, args, kwargs) != about.at:
                continue
            primal = self._target.function if self._inner is None else self._primal_for(args, kwargs)[0]
            function = run(twin.code, twin.name, twin.names_for(own), primal)
            conditions = twin.conditions_for(own, in_python(function).__globals__)
            for condition in conditions:
                if isinstance(condition, IsNumber):
                    condition.hand_over()
            entry = self._taken_over(function, conditions, about, primal, args, kwargs, plain)
            if entry is not None:
                return entry
        return None

    # What was derived in an earlier process (`s2sad.disk`)

    def _place_on_disk(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], plain: Any
    ) -> tuple[Path, types.FunctionType] | None:
        """The file in which the derivative for a call is kept, and the function that is derived; None for none."""
        if (self._compile is not None and not self._compile.cache) or self._store.moving or not disk.is_kept():
            return None
        primal = self._target.function if self._inner is None else self._primal_for(args, kwargs)[0]
        path = disk.path_of(primal, self._asked, plain)
        return (path, primal) if path is not None else None

    def _from_disk(
        self, place: tuple[Path, types.FunctionType], args: tuple[Any, ...], kwargs: dict[str, Any], plain: Any
    ) -> Entry | None:
        path, primal = place
        kept = disk.find(path, primal, lambda detail: self._at(detail, args, kwargs))
        return None if kept is None else self._taken_over(*kept, primal, args, kwargs, plain)

    def _keep_for_others(
        self,
        own: Own | None,
        place: tuple[Path, types.FunctionType] | None,
        entry: Entry,
        plain: Any,
        detail: Detail,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        """Keep what was derived for other functions of this one's code, and for later processes."""
        made, store = self._store.last, self._store
        if made is None or made.function is not entry[0] or store.moving or entry[4] is not None:
            return
        doc, at = entry[0].__doc__, self._at(detail, args, kwargs)
        about = About(detail, at, entry[2], made.derived.tangents, doc, made.given)
        if own is not None and own.form is not None and not leads_to_functions(plain):
            keep_twin(own, (self._asked, plain), entry[0], made.code, made.derived.facts.globals, entry[3], about)
        if place is not None:
            disk.keep(*place, made, entry[3], about)

    def _taken_over(
        self,
        function: types.FunctionType,
        conditions: tuple[Condition, ...],
        about: About,
        primal: types.FunctionType,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        plain: Any,
    ) -> Entry | None:
        """The entry for code that was derived for another function, or in an earlier process; None where its conditions
        do not hold here."""
        store, check = self._store, compiled(conditions)
        if check is not None and not check():
            return None
        function.__doc__ = about.doc
        entry = function, check, about.prepare, conditions, None
        self._keep(entry, plain, store.details.get(plain, Detail()) | about.detail, args, kwargs)
        store.tangents[function.__code__] = about.tangents
        store.kinds = kinds_of(as_plain_floats(dict(self._bind(args, kwargs).arguments)))
        store.last, store.again = None, functools.partial(self._derive, primal, *about.given)
        return entry

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What code for these arguments is kept under, as far as their kinds say."""
        if self._target.is_open:
            bound = self._fit(args, kwargs)
            given = tuple(bound.arguments)
            bound.apply_defaults()
            return signature_key((*bound.args, *bound.kwargs.values())), given, *bound.kwargs
        args, kwargs = self._with_bound(args, kwargs)
        return signature_key(args) if not kwargs else (signature_key((*args, *kwargs.values())), *kwargs)

    def _with_bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with those that the target is bound to."""
        return ((*self._target.prefix, *args), {**self._target.keywords, **kwargs}) if self._bound else (args, kwargs)

    def _at(self, detail: Detail, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call's arguments are in that detail."""
        return detail.of(*self._with_bound(args, kwargs), lambda: self._bind(args, kwargs))

    def _inner_detail(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Detail:
        """What the code that is derived again here, that of the inner derivative, depends on beside kinds."""
        inner = self._inner
        if inner is None:
            return Detail()
        assert isinstance(inner, GeneratedDerivative)
        called = self._as_called(args, kwargs, len(inner._target.prefix))
        inner._entry(*called)
        return inner._store.details.get(inner._key(*called), Detail())

    def _derived_as_far_as_needed(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], layouts: bool
    ) -> tuple[Entry, Detail]:
        """Derive for the kinds of the arguments; where that does not do, for how their arrays lie in memory, too, and
        where the structure of the program depends on lengths or ints, for these alone.
        """
        of_arrays = self._compile is not None and bool(lengths_of(dict(self._bind(args, kwargs).arguments)))
        detail = Detail(layouts=layouts, short=of_arrays)
        recursive = False
        while True:
            try:
                if not detail.sizes:
                    return self._with_multiples(args, kwargs, detail)
                return self._derived_for(args, kwargs, detail, "refuse"), detail
            except DerivationError as error:
                layout, recursion = error.remedy.layout, error.remedy.recursion
                if layout and not detail.layouts:
                    detail = replace(detail, layouts=True)
                    continue
                if detail.sizes:
                    if recursive or not recursion:
                        raise
                    detail = replace(detail, sizes=False)
                    return self._derived_for(args, kwargs, detail), detail
                if not (layout or error.remedy.concrete):
                    raise
                recursive, refused = recursion, error
            if recursive:
                # A recursion stays one, as in the primal, where that can be done: the code is short then and good for
                # all values. Else it is written out for the values at hand.
                with contextlib.suppress(DerivationError):
                    return self._derived_for(args, kwargs, detail), detail
            elif not _have_sizes(dict(self._bind(args, kwargs).arguments), detail):
                raise refused
            detail = replace(detail, sizes=True)

    def _with_multiples(self, args: tuple[Any, ...], kwargs: dict[str, Any], detail: Detail) -> tuple[Entry, Detail]:
        """Code in which the run has to say what was broadcast is derived once more for lengths that are multiples of
        others, or longer by a halo, and ints that are lengths, as they are here (`W` of a cell with three gates, or `n`
        beside `x` of length n): where that says it, it is code for these.

        Which lengths are multiples is part of what such code is kept for: it is the same whatever was called before.
        A derivation that will not do is given up where its backward sweep shows that.
        """
        lengths = lengths_of(dict(self._bind(args, kwargs).arguments))

        def relations(facts: Facts) -> list[tuple[Multiple, ...]]:
            found = (multiples_among(lengths, facts.unsure, halo) for halo in (False, True))
            return [related for related in found if related]

        def derived(recursion: str, related: tuple[Multiple, ...] = ()) -> tuple[Entry, Generated]:
            def check(facts: Facts) -> None:
                if sums_broadcast(facts) and (related or relations(facts)):
                    raise Summed(facts)

            entry = self._derived_for(args, kwargs, detail, recursion, related, check)
            assert self._store.last is not None
            return entry, self._store.last

        made: Generated | None = None
        try:
            entry, made = derived("sizes")
            facts = made.derived.facts
        except Summed as summed:
            facts = summed.facts
        if not sums_broadcast(facts):
            return entry, detail
        known = replace(detail, unsure=tuple(sorted(facts.unsure)))
        for related in relations(facts):
            with contextlib.suppress(DerivationError, Summed):
                again = derived("follow", related)
                if not sums_broadcast(again[1].derived.facts):
                    return again[0], known
        if made is None:
            return self._derived_for(args, kwargs, detail, "sizes"), known
        self._store.last = made
        return entry, known

    def _derived_for(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        detail: Detail,
        recursion: str = "follow",
        related: tuple[Multiple, ...] = (),
        swept: Callable[[Facts], None] = lambda facts: None,
    ) -> Entry:
        given = self._fit(args, kwargs)
        given.apply_defaults()
        before = dict(given.arguments)
        bound = self._bind(args, kwargs)
        prepare = any(part_of(bound.arguments, name) is not part_of(before, name) for name in self._floats)
        names = list(bound.arguments)
        shared: tuple[tuple[Any, Any, str], ...] = tuple(
            ((names[a[0]], *a[1:]), (names[b[0]], *b[1:]), how)
            for a, b, how in overlaps(tuple(bound.arguments.values()))
        )
        primal, conditions, outside, beside = self._primal_for(args, kwargs)
        values = tuple(bound.arguments.values())
        shared += tuple(((names[path[0]], *path[1:]), None, "outside") for path in meets(values, outside))
        arguments = dict(bound.arguments)
        if detail.sizes:
            kinds = concrete_kinds_of(arguments, detail.layouts)
        else:
            kinds = kinds_of(arguments, detail.layouts, related, detail.short)
        self._store.kinds = kinds_of(as_plain_floats(dict(bound.arguments)))
        made = self._derive(primal, kinds, shared, recursion, self._hidden(args, kwargs), swept)
        seen = made.seen
        if outside and made.derived.changes_arguments:
            beside = outside
        known, held = made.derived.facts.globals, in_python(made.function).__globals__
        moved: list[Condition] = []
        for read in seen.read.values():
            about, cls = (read.name, read.where, read.name), float if type(read.held) is float else int
            own = [n for n, v in known.items() if v is read.held]
            moved += [IsNumber(*about, cls, held, alias, self.operator == "vjp") for alias in own]
            if not own:  # (it was read where that came to nothing)
                moved.append(PartIs(about[0], read.where, "name", read.name, OfType(cls)))
        if self._inner is None:  # (what a derivative inside has looked at stays as it was)
            in_run = {(id(c.owner), c.key) for c in seen.found.values() if isinstance(c, PartIs) and c.how == "name"}
            in_run |= seen.read.keys()
            stay = (c for c in conditions if not isinstance(c, NameIs) or (id(c.where), c.name) not in in_run)
            conditions = tuple(stay)
        conditions = (*conditions, *moved, *seen.needed())
        apart = self._beside(args, kwargs, beside) if beside else None
        return made.function, compiled(conditions), prepare, conditions, apart

    def _hidden(self, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> frozenset[str]:
        """The parameters that are not passed in a call: they are bound, or have their defaults."""
        target = self._target
        bound = target.given()
        given = target.given(args, kwargs)
        defaults = {n for n, p in target.signature.parameters.items() if not issubclass(type(p.default), NO_STATE)}
        return frozenset(bound.keys() | (defaults - given.keys()))

    def _check_inner(self) -> None:
        """Refuse a derivative of what is no gradient, before its arguments are looked at: those of `hvp` are more."""
        inner = self._inner
        if inner is None:
            return
        if not isinstance(inner, GeneratedDerivative) or inner.operator not in ("grad", "value_and_grad"):
            raise BadArgument(
                f"{inner.operator}(...) cannot be differentiated again by {self.operator}.",
                "apply the operator to grad(f) or value_and_grad(f), or to a function that calls it.",
            )

    def _primal_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[types.FunctionType, tuple[Condition, ...], tuple[Any, ...], tuple[Any, ...]]:
        """The function to derive: the primal's, or for a derivative of a derivative, the generated one.

        With it what it looks up outside of itself, as `runtime.guards.guards_of` gives that, and that with which the
        arguments of a generated one may share no more memory than they do.
        """
        inner = self._inner
        if inner is None:
            given = self._bind(args, kwargs).arguments.values()
            return self._target.function, *guards_of(self._target.function, given), ()
        assert isinstance(inner, GeneratedDerivative)
        function, _, _, conditions, apart = inner._entry(*self._as_called(args, kwargs, len(inner._target.prefix)))
        return in_python(function), conditions, (), apart[0] if apart is not None else ()

    def _as_called(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], prefix: int
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments as a caller would pass them who need not pass the first `prefix`, nor the bound keywords."""
        bound, left_out = self._bind(args, kwargs).arguments, self._hidden(args, kwargs) - set(self._floats)
        args, kwargs = (), {}
        several = any(p.kind is p.VAR_POSITIONAL for p in self._target.signature.parameters.values())
        for i, (name, parameter) in enumerate(self._target.signature.parameters.items()):
            value = bound[name]
            if i < prefix or name in self._target.keywords:
                continue
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += tuple(value)
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif name in left_out and i >= len(self._target.prefix):
                continue
            elif parameter.kind is parameter.POSITIONAL_ONLY or (parameter.kind in EITHER and several):
                args = (*args, value)
            else:
                kwargs[name] = value
        return args, kwargs

    def _derive(
        self,
        primal: types.FunctionType,
        kinds: dict[str, Kind],
        aliases: tuple[Any, ...] = (),
        recursion: str = "follow",
        hidden: frozenset[str] = frozenset(),
        swept: Callable[[Facts], None] = lambda facts: None,
    ) -> Generated:
        from s2sad.derive import derive  # the compiler is loaded when it is first needed
        from s2sad.emit.phrases import phrased
        from s2sad.native.cache import kept_file
        from s2sad.native.kernels import compiled_derivation
        from s2sad.weave import with_elements_from_lists

        in_place = defects_at(lambda: (None, function_tree(primal)))
        with in_place, recording(self._store.moving) as seen, noting_texts() as texts:
            where, counted, _ = tables.changes()
            decide(where, Look.NAME, counted)
            derive_now = functools.partial(derive, primal, self._request, kinds, aliases, recursion, hidden)
            if self._compile is None:
                plain = derive_now(swept=swept)
                derived = phrased(with_elements_from_lists(plain, kinds))
            else:
                plain = derived = compiled_derivation(derive_now, self._request, kinds, self._compile)
            text = module_text(derived)
            file = kept_file(text, derived.name) if self._compile is not None and self._compile.cache else None
            code = compiled_module(text, derived, primal, file)
            function = run(code, derived.name, derived.facts.globals, primal)
            if derived is not plain:
                derive_from(function, function_text(plain))
        seen.told.clear()
        names = {id(value): name for _, name, value in references(primal)}
        derived.looked_at = described(seen.found.values(), names)
        if derived.looked_at:
            doc = inspect.getdoc(primal)
            right = "Right while what was looked at stays: " + ", ".join(derived.looked_at) + "."
            function.__doc__ = f"{doc}\n\n{right}" if doc else right
        given = kinds, aliases, recursion, hidden
        self._store.last, self._store.again = Generated(derived, text, function, seen, code, primal, given, texts), None
        return self._store.last

    # Ahead of time

    def kinds_ahead(self, given: dict[str, Kind] | None = None) -> dict[str, Kind]:
        """The kinds of the parameters without a call: as given, bound, annotated, or those of the defaults.

        Raises:
            BadArgument: a kind is given for a parameter that does not exist.
        """
        given = dict(given or {})
        target = self._target
        out: dict[str, Kind] = {}
        bound = target.given()
        values = kinds_of(dict(bound))
        for name, parameter in target.signature.parameters.items():
            annotation = parameter.annotation
            kind = given.pop(name, None) or values.get(name)
            if kind is None and annotation is not inspect.Parameter.empty:
                kind = from_annotation(annotation)
            if kind is None and parameter.default is not inspect.Parameter.empty:
                default = as_floats(parameter.default) if name in self._names else parameter.default
                kind = kinds_of({name: default})[name]
                if isinstance(kind, Static) and name in self._names:
                    kind = None
            out[name] = kind if kind is not None else Unknown()
        if given:
            raise self._bad(
                f"{', '.join(given)} is no parameter of {self.__name__}.",
                f"its parameters are: {', '.join(target.signature.parameters)}.",
            )
        return out

    def kinds_like(self, arguments: dict[str, Any]) -> dict[str, Kind]:
        """The kinds of the parameters for arguments like these, given by name.

        Raises:
            BadArgument: a wrt argument that has no derivative.
        """
        target = self._target
        bound = target.signature.bind_partial(*target.prefix, **target.keywords)
        bound.arguments.update(arguments)
        bound.apply_defaults()
        for name in self._floats:
            if root_of(name) in bound.arguments:
                set_part(bound.arguments, name, self._checked(name, part_of(bound.arguments, name)))
        given = kinds_of(as_plain_floats(dict(bound.arguments)))
        return {name: given.get(name, Unknown()) for name in target.signature.parameters}

    def derive_for(self, kinds: dict[str, Kind], hidden: frozenset[str] | None = None) -> Generated:
        """Derive for given kinds, without a call. Where it matters how the arrays of the arguments lie in memory, for
        C order, which is NumPy's own; the generated code refuses others.

        Args:
            hidden: the parameters that are not passed; when not given, all that need not be.
        """
        hidden = self._hidden() if hidden is None else hidden
        try:
            with deriving():
                return self._derived_or_asked(kinds, hidden)
        except RecursionError:
            return deeper(lambda: self.derive_for(kinds, hidden), lambda: too_deep(self._target.function))

    def _derived_or_asked(self, kinds: dict[str, Kind], hidden: frozenset[str]) -> Generated:
        """As `derive_for`; what is not known and has to be is asked for.

        Raises:
            BadArgument: the question.
        """
        names = unknown(kinds)
        if not names:
            return self._derived_ahead(kinds, hidden)
        source = self.primal_source()
        try:
            check_general(source, names, self._names)
            return self._derived_ahead(kinds, hidden)
        except DerivationError as error:
            question = asked(error, source, names, lambda told: self._derived_ahead({**kinds, **told}, hidden))
            if question is None:
                raise
            raise question from None

    def _derived_ahead(self, kinds: dict[str, Kind], hidden: frozenset[str]) -> Generated:
        primal = self._target.function
        inner = self._inner
        if inner is not None:
            self._check_inner()
            assert isinstance(inner, GeneratedDerivative)
            of_inner = inner.derive_for(kinds, hidden)
            primal = in_python(of_inner.function)
        try:
            made = self._derive(primal, kinds, hidden=hidden)
        except DerivationError as error:
            if not error.remedy.layout:
                raise
            made = self._derive(primal, {n: in_c_order(kind) for n, kind in kinds.items()}, hidden=hidden)
        if inner is not None:
            made.derived.changes_arguments |= of_inner.derived.changes_arguments
        self._compile_last()
        return made

    def _compile_last(self) -> None:
        """Compile what was derived last, where that is asked for."""
        made = self._store.last
        if self._compile is not None and made is not None:
            from s2sad.native.kernels import compile_now

            compile_now(made.function, made.derived, made.text)

    def primal_source(self) -> FunctionSource:
        """The primal's source."""
        return function_tree(self._target.function)


class Grad(GeneratedDerivative):
    operator: Result = "grad"


class ValueAndGrad(GeneratedDerivative):
    operator: Result = "value_and_grad"


class Vjp(GeneratedDerivative):
    operator: Result = "vjp"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        value, pullback = super().__call__(*args, **kwargs)

        @at_the_callers_line
        def checked(cotangent: Any) -> Any:
            return pullback(like(self._bad, cotangent, value, "cotangent", "result"))

        return value, checked


class Jvp(GeneratedDerivative):
    operator: Result = "jvp"
    extra = "tangent"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == self._plain_count:
            # All parameters are given, by position: tangents that are like their arguments go straight through.
            primal, given = args[:-1], (args[-1],) if self._single else args[-1]
            try:
                entry = self._entries.get(tuple(map(type, primal))) or self._entry(primal, {})
            except DerivationError as error:
                __tracebackhide__ = not os.environ.get("S2SAD_DEBUG")
                raise shortened(error) from None
            if not entry[2] and still_holds(entry) and are_alike(given, args, self._positions):
                return entry[0](*primal, *given)
        __tracebackhide__ = True
        return self._call_converting(args, kwargs)

    @at_the_callers_line
    def _call_converting(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with tangents made like their arguments."""
        self._follow()
        args, kwargs, tangent = self._split(args, kwargs)
        function = self._entry(args, kwargs)[0]
        bound = self._bind(args, kwargs)
        tangents = tangents_of(self, bound.arguments, tangent)
        names = self._store.tangents.get(function.__code__, ())
        if names and function.__code__.co_kwonlyargcount:
            return function(*bound.args, **bound.kwargs, **dict(zip(names, tangents, strict=True)))
        return function(*bound.arguments.values(), *tangents)

    @at_the_callers_line
    def specialize(self, /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        args, kwargs, _ = self._split(args, kwargs)
        return super().specialize(*args, **kwargs)

    def _setup(self, method: bool = False) -> None:
        super()._setup(method)
        parameters = list(self._target.signature.parameters.values())
        plain = not self._bound and all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        self._plain_count = len(parameters) + 1 if plain else -1
        self._positions = tuple([p.name for p in parameters].index(name) for name in self._names) if plain else ()

    def _derive(
        self,
        primal: types.FunctionType,
        kinds: dict[str, Kind],
        aliases: tuple[Any, ...] = (),
        recursion: str = "follow",
        hidden: frozenset[str] = frozenset(),
        swept: Callable[[Facts], None] = lambda facts: None,
    ) -> Generated:
        made = super()._derive(primal, kinds, aliases, recursion, hidden, swept)
        self._store.tangents[made.function.__code__] = made.derived.tangents
        return made

    def _split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
        if "tangent" in kwargs and "tangent" not in self._target.signature.parameters:
            kwargs = dict(kwargs)
            return args, kwargs, kwargs.pop("tangent")
        self._check_last("tangent", args, kwargs)
        if not args:
            raise BadArgument(f"{self!r}: the tangent is missing", "it comes behind the arguments")
        return args[:-1], kwargs, args[-1]


def tangents_of(derivative: Jvp, arguments: dict[str, Any], tangent: Any) -> list[Any]:
    """One tangent for each name in wrt, of the shape and dtype of the argument."""
    names, given = derivative._names, (tangent,) if derivative._single else tangent
    if not isinstance(given, (tuple, list)) or len(given) != len(names):
        raise derivative._bad(
            f"The tangent has to be a tuple of {len(names)}, one for each of {', '.join(names)}.",
            "pass them in the order of wrt.",
        )
    values = [part_of(arguments, name) for name in names]
    pairs = zip(given, values, names, strict=True)
    return [like(derivative._bad, t, v, f"tangent of {n}", "argument") for t, v, n in pairs]


def of_another_library(function: str, arguments: dict[str, Any], value: Any) -> tuple[str, str]:
    """What is said of an argument that is, or holds, an array that is none of NumPy's; and the way out."""
    name = next((n for n, v in arguments.items() if v is value), "")
    holder = f"The argument {name} of {function} is" if name else f"An argument of {function} holds"
    cls = type(value)
    return (
        f"{holder} a {cls.__module__.partition('.')[0]} {cls.__name__}; derivatives are for NumPy's arrays.",
        f"pass {foreign_array(value).format(name or 'x')}.",
    )


def are_alike(tangents: Any, args: tuple[Any, ...], positions: tuple[int, ...]) -> bool:
    """Is each tangent of the type, dtype and shape of its argument, so that nothing has to be converted?

    >>> are_alike((1.0, np.ones(2)), (2.0, 3, np.zeros(2)), (0, 2)), are_alike((1.0,), (np.ones(2),), (0,))
    (True, False)
    """
    if type(tangents) is not tuple or len(tangents) != len(positions):
        return False
    for tangent, position in zip(tangents, positions, strict=True):
        value = args[position]
        cls = type(tangent)
        if cls is not type(value):
            return False
        if cls is not float and (cls is not np.ndarray or tangent.shape != value.shape or tangent.dtype != value.dtype):
            return False
    return True


def too_deep(function: types.FunctionType) -> DerivationError:
    """The error for a function that not even a deep stack does for."""
    reason = f"{function.__qualname__}, or what it is given, is nested more deeply than can be derived."
    return DerivationError(reason, ways.FLAT_FORM)


def _takes_out(derivative: GeneratedDerivative) -> bool:
    """May a call say where gradients go? A parameter `out` of the primal's own is that."""
    parameters = derivative._target.signature.parameters
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    return derivative.operator in ("grad", "value_and_grad") and "out" not in parameters and not open_ended


def _call_into(derivative: GeneratedDerivative, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that hands in the arrays for the gradients, for which there is code of its own."""
    out = kwargs.pop("out")
    if derivative._compile is None:
        raise derivative._bad("out is for compiled derivatives.", 'write compile="numba", or assign the result.')
    arguments = derivative._bind(args, kwargs)
    if derivative._handing is None:
        handing = copy.copy(derivative)
        handing._compile = replace(derivative._compile, into=True)
        handing._asked = handing._what_is_asked()
        handing._store = store_of(handing._target.function, handing._asked)
        handing._entries, handing._exact = handing._store.entries, handing._store.exact
        derivative._handing = handing
    function = derivative._handing._entry(args, kwargs)[0]
    values = {name: part_of(arguments.arguments, name) for name in derivative._names}
    outside = [v for v in in_python(function).__globals__.values() if isinstance(v, (np.ndarray, dict, list, tuple))]
    given = handed_in(derivative._bad, values, (arguments.args, arguments.kwargs, outside), out, derivative._single)
    result = as_plain_floats(function(*arguments.args, **arguments.kwargs, out=given))
    gradients = result[1] if derivative.operator == "value_and_grad" else result
    gradients = (gradients,) if derivative._single else gradients
    filled = tuple(g if x is None else x for g, x in zip(gradients, given, strict=True))
    found = filled[0] if derivative._single else filled
    return (result[0], found) if derivative.operator == "value_and_grad" else found


def _have_sizes(arguments: dict[str, Any], detail: Detail) -> bool:
    """Is more known of the arguments where their lengths and ints are?"""
    known = concrete_kinds_of(arguments, detail.layouts)
    return known != kinds_of(arguments, detail.layouts, short=detail.short)
