"""What becomes of what a core function is given.

A core function changes nothing that its callers hold. It works on copies of the arrays that it overwrites, and returns
them; so it does with what is in the containers that it changes, and with the variables of functions around it that it
assigns. Its callers put all of it where it belongs: they have a store, then, like any other. An array or container that
is returned as it was given is no part of the result: the callers have it.

    def step(u, dt):                def step(u, dt):
        u[0] = u[1] * dt                u_1 = u.copy()
        return u              ->        u_1[0] = u_1[1] * dt
                                        return u_1
    v = step(u, 0.1)
                                    u[...] = step(u, 0.1)
                                    v = u
"""

from __future__ import annotations

from functools import partial
from typing import Any

from s2sad.core import atom_key, load
from s2sad.frontend import ways
from s2sad.kinds.kind import Array
from s2sad.normal.above import same_value
from s2sad.normal.calls.functions import CoreFunction, Grown, Outline, Rebuild, SpreadResult
from s2sad.normal.values.abstract import Instance, Leaf, ListObj, Ref, Value, contents
from s2sad.normal.values.classes import within


class Given:
    """What a core function was given: arrays, containers and captured variables, to see what becomes of them."""

    def __init__(self, function: CoreFunction, run: Any, rebuild: Rebuild, leaves: list[Value]) -> None:
        self.function, self.run, self.refs, self.frame_ids = function, run, rebuild.refs, rebuild.frames
        self.objects = {k: dict(contents(obj)) for k, obj in run.state.heap.items()}
        self.frames = {k: dict(v) for k, v in run.state.frames.items() if k != 0}
        #: the names of arrays, and the positions of their parameters
        self.arrays: dict[str, int] = {}
        for i, (p, leaf) in enumerate(zip(function.parameters, leaves, strict=True)):
            if p.passed and isinstance(p.kind, Array) and isinstance(leaf, Leaf):
                self.arrays[atom_key(leaf.expr)] = i
        self.changed: list[int] = []
        self.assigned: list[tuple[int, str]] = []

    def check(self) -> None:
        """Find the containers and variables that the function changes.

        Raises:
            Grown: a list is changed in a recursion: it becomes one at run time.
        """
        old = {new: ref for ref, new in self.refs.items()}
        for key, held in self.objects.items():
            now = contents(self.run.state.heap[key])
            if list(now) == list(held) and all(same_value(self.run, held[k], now[k]) for k in held):
                continue
            if not self.function.kept and isinstance(self.run.state.heap[key], ListObj) and key in old:
                raise Grown(self.function, old[key])
            self.changed.append(key)
        for frame, variables in self.frames.items():
            now = self.run.state.frames.get(frame, {})
            same = partial(same_value, self.run)
            self.assigned += [(frame, n) for n, v in variables.items() if n in now and not same(v, now[n])]

    def outline(self, result: Value) -> Outline:
        """The structure of a result, and of what else is another one than before."""
        run, function = self.run, self.function
        positions = {self.refs[ref]: k for k, ref in enumerate(function.outline.objects) if ref in self.refs}
        frames = {self.frame_ids[f]: k for k, f in enumerate(function.outline.frames) if f in self.frame_ids}
        spread = SpreadResult(run, self.arrays, positions)
        made = spread.of({"result": result})
        for key in self.changed:
            obj = run.state.heap[key]
            if key not in positions or obj.stale or (isinstance(obj, Instance) and obj.partial):
                run.refuse(
                    "a recursive function changes a list, dict or object that it was given",
                    ways.RETURN,
                )
            made.containers[positions[key]] = spread.parts(obj, "part")
        for frame, name in self.assigned:
            if frame not in frames:
                run.refuse(
                    f"a recursive function assigns {name!r}, a variable of the function around it",
                    ways.RETURN,
                )
            made.variables[frames[frame], name] = spread.value(run.state.frames[frame][name], name)
        for name, i in self.arrays.items():
            if i in function.overwrites:
                p = function.parameters[i]
                made.arrays[i] = spread.slot(Leaf(load(name), p.kind, name in run.facts.varied), p.name)
        return made

    def may_be_in(self, result: Value) -> bool:
        """May a container in what is returned be one of those that were given, for all that is known?"""
        state = self.run.state
        held = [v.id for v in within(self.run, result, set()) if isinstance(v, Ref)]
        return any(state.possible_aliases(ref) & {*self.refs.values()} - {ref} for ref in held)


def replace_contents(obj: Any, parts: dict[Any, Value]) -> None:
    """Let a container hold these parts and no others."""
    if isinstance(obj, ListObj):
        obj.items[:] = parts.values()
        return
    held = obj.attributes if isinstance(obj, Instance) else obj.items
    held.clear()
    held.update(parts)
