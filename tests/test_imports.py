"""Imports go down the floors of the architecture page, in no circle; what still goes up is counted."""

import ast
from collections import Counter
from pathlib import Path

from tests.trees import tree_of

ROOT = Path(__file__).parent.parent
MODULES = {
    ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p
    for p in (ROOT / "s2sad").rglob("*.py")
}

#: from the ground up; a room imports those on its floor and below (docs/architecture.md says what each is for)
FLOORS = (
    "core frontend foreign kinds knowledge runtime rules request locks uncovered version",
    "analysis",
    "expansion",
    "tidy",
    "normal",
    "transform",
    "native emit",
    "entry weave pairs forward reverse called derive",
    "arguments ask twins store disk build explain face derivative jacobian highlight stages",
    "check inputs coverage project testing",
    "api cli __main__ s2sad",
)
FLOOR = {room: i for i, rooms in enumerate(FLOORS) for room in rooms.split()}

#: imports that go up, those inside functions as well; to be made fewer
UP = {
    ("analysis", "normal"): 1,
    ("analysis", "transform"): 2,
    ("normal", "emit"): 1,
    ("normal", "transform"): 1,
}


def room(module: str) -> str:
    return [*module.split("."), "s2sad"][1]


def imported(nodes) -> set[str]:
    """The modules of ours that statements import."""
    found = set()
    for n in nodes:
        if isinstance(n, ast.ImportFrom) and n.level == 0:
            found |= {name if (name := f"{n.module}.{a.name}") in MODULES else n.module for a in n.names}
        elif isinstance(n, ast.Import):
            found |= {a.name for a in n.names}
    return found & MODULES.keys()


def for_types(node) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(module: str, inside: bool) -> set[str]:
    """What a module imports, when it is loaded and (inside) when its functions run; not what types alone ask for."""
    todo, found = list(tree_of(MODULES[module]).body), []
    for node in todo:
        found.append(node)
        if not for_types(node) and (inside or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))):
            todo += ast.iter_child_nodes(node)
    return imported(found) - {module}


def test_every_room_has_a_floor():
    assert {room(m) for m in MODULES} <= FLOOR.keys()


def test_no_circle_when_modules_are_loaded():
    left = {m: imports(m, inside=False) for m in MODULES}
    while ready := [m for m, needed in left.items() if not needed & left.keys()]:
        for m in ready:
            del left[m]
    assert not left, f"in a circle, or above one: {sorted(left)}"


def test_imports_go_down():
    pairs = [(a, b) for a in MODULES for b in imports(a, inside=True)]
    up = Counter((room(a), room(b)) for a, b in pairs if FLOOR[room(b)] > FLOOR[room(a)])
    more = {(a, b): (n, UP.get((a, b), 0)) for (a, b), n in up.items() if n > UP.get((a, b), 0)}
    shown = sorted(f"{a} -> {b}" for a, b in pairs if (room(a), room(b)) in more)
    assert not more, f"{more} imports (there were) go up the floors: {shown}"
