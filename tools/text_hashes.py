#!/usr/bin/env python
"""The texts of many derivatives, each as a hash: did a change of the compiler that should change no text change one?

tools/text_hashes.py --keep /tmp/before           before the change
tools/text_hashes.py --against /tmp/before        after it: names what differs, with the two texts in a diff
tools/text_hashes.py --against /tmp/before --one-in 4 --packages chemicals fluids --entries ../functions

Derived are the snapshots' functions, the examples, one in `--one-in` programs of the language corpus and of
tests/kept_programs.txt, the calls of the package cases that are asked for, and modules of one's own: each file of the
folder `--entries` that has `primal`, `wrt` and `inputs()`. Each is derived in reverse (the gradient, with the value and
without, and the pullback) and forward mode; one in `--second` of them a second time as well. A text is the whole module
(the functions that are called, in their order, and their helpers), with what the derivation looked at outside behind
it; where something is refused, it is the refusal: place, caret, words and way out.

It is done twice, in new processes with different PYTHONHASHSEEDs and in different orders: a text must depend neither on
the order of sets nor on what was derived earlier. Exit status 1 when a text does, or differs from what was kept.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import types
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any

ROOT = pathlib.Path(__file__).parent.parent
# not the folder of this script: its files are not to be taken for packages of the same name
sys.path[0] = str(ROOT)
os.environ["S2SAD_CACHE"] = "0"  # what is looked at is derived here

#: (seed of the hashes, seed of the order) of the two processes
RUNS = ((0, 1), (4321, 2))

#: what is derived: a name, and the function, what it is derived with respect to, and arguments
Target = tuple[str, Callable[..., Any], Any, tuple[Any, ...]]


def targets(chosen: argparse.Namespace) -> Iterator[Target]:
    """All that is derived; importing the corpus alone takes some seconds."""
    yield from snapshots()
    yield from examples()
    for file in sorted(pathlib.Path(chosen.entries).glob("*.py")) if chosen.entries else ():
        sys.path.insert(1, chosen.entries)
        module = imported(file)
        if hasattr(module, "primal"):
            yield f"entries/{file.stem}", module.primal, module.wrt, module.inputs()
    if chosen.one_in:
        from tests.language.test_corpus import PROGRAMS

        for p in PROGRAMS:
            if zlib.crc32(p.name.encode()) % chosen.one_in == 0:
                yield f"language/{p.name}", p.f, p.wrt, p.args
        yield from kept(chosen.one_in)
    for name in chosen.packages:
        from tests import packages

        for case in packages.cases(name):
            yield f"packages/{case}", case.f, case.position, case.args


def snapshots() -> Iterator[Target]:
    from tests.snapshots.functions import SNAPSHOTS

    for name, s in SNAPSHOTS.items():
        yield f"snapshots/{name}", s.f, s.wrt, s.args


def examples() -> Iterator[Target]:
    from tests.test_examples import NAMES, arguments

    for name in NAMES:
        args, wrt = arguments(name)
        module = imported(ROOT / "examples" / f"{name}.py")
        for f in vars(module).values():
            own = isinstance(f, types.FunctionType) and f.__module__ == module.__name__
            if own and not f.__name__.startswith("_") and f.__code__.co_argcount == len(args):
                yield f"examples/{name}", f, wrt, args


def kept(one_in: int) -> Iterator[Target]:
    """Programs that were found by composing them at random."""
    from tests import generator
    from tests.test_generated import KEPT

    folder = pathlib.Path(tempfile.mkdtemp())
    for body in KEPT[::one_in]:
        name = f"kept_{zlib.crc32(body.encode()):08x}"
        text = f"{generator.HELPERS}\n\ndef f(x, y, v, w, n):\n    {textwrap.indent(body, ' ' * 4).strip()}\n"
        yield f"kept/{name}", generator.load(text, folder / f"{name}.py"), (0, 1, 2, 3), generator.arguments(0)


def imported(file: pathlib.Path) -> Any:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(target: Target, second: bool) -> Iterator[tuple[str, str]]:
    """The texts of a function's derivatives, by name."""
    from s2sad import grad, jvp, value_and_grad, vjp

    name, f, wrt, args = target
    for operator in (value_and_grad, grad, vjp, jvp):
        yield f"{name} {operator.__name__}", text_of(operator(f, wrt=wrt), args)
    if second:
        one = wrt if isinstance(wrt, int) else 0
        yield f"{name} grad of grad", text_of(grad(grad(f, wrt=one), wrt=one), args)
        yield f"{name} vjp of jvp", text_of(vjp(lambda *given: jvp(f, wrt=one)(*given, given[one]), wrt=one), args)


def text_of(derivative: Any, args: tuple[Any, ...]) -> str:
    """The module that is derived for arguments, and what was looked at on the way; or why it is refused."""
    from s2sad import DerivationError
    from tests import numeric

    try:
        with warnings.catch_warnings(), numeric.quiet():
            warnings.simplefilter("ignore")
            entry = derivative._entry(numeric.fresh(args), {})
            if not entry:
                return ""
            looks = sorted(f"# {type(c).__name__} {said(c)}".rstrip() for c in entry[3])
            return "\n".join([derivative._store.last.text, *looks])
    except DerivationError as error:
        # where the text is kept is no part of it, nor how much was derived before
        named = re.sub(r"<s2sad (\w+) \d+>", r"<s2sad \1>", str(error).replace(f"{ROOT}{os.sep}", ""))
        return "refused: " + re.sub(r"\S*/(kept_\w+\.py)", r"\1", named)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def said(condition: Any) -> str:
    """What a condition is about, where it has words for it: a name, a key."""
    words = (getattr(condition, field, None) for field in ("name", "about", "key"))
    return " ".join(w for w in words if isinstance(w, str))


def derive_all(chosen: argparse.Namespace) -> None:
    """In a process of its own: write the texts, derived in an order drawn by a seed, to standard output."""
    found = list(targets(chosen))
    random.Random(chosen.order).shuffle(found)
    started = time.process_time()
    twice = {t[0] for t in found if chosen.second and zlib.crc32(t[0][::-1].encode()) % chosen.second == 0}
    made = {name: text for target in found for name, text in texts(target, target[0] in twice)}
    seconds = time.process_time() - started
    sys.__stdout__.write(json.dumps({"seconds": seconds, "texts": made}))  # type: ignore[union-attr]


def run(arguments: list[str], seed: int, order: int) -> tuple[float, dict[str, str]]:
    """The texts that a new process derives, and the processor's time for that."""
    command = [sys.executable, str(ROOT / "tools" / "text_hashes.py"), *arguments, "--order", str(order)]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["seconds"], found["texts"]


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def compared(before: dict[str, str], after: dict[str, str], what: str) -> int:
    """Print how two collections of texts differ; how many do."""
    names = [n for n in sorted(before.keys() & after.keys()) if before[n] != after[n]]
    for name in names:
        print(f"--- {what}: {name} ({hashed(before[name])}, now {hashed(after[name])})")
        print("\n".join(difflib.unified_diff(before[name].splitlines(), after[name].splitlines(), lineterm="", n=1)))
    return len(names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="write the texts to a file")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE", help="compare with the texts of a file")
    parser.add_argument("--one-in", type=int, default=12, help="of the language corpus (0: nothing of it)")
    parser.add_argument("--second", type=int, default=8, help="one in so many is derived a second time (0: none)")
    parser.add_argument("--packages", nargs="*", default=[], help="names of files in tools/package_cases")
    parser.add_argument("--entries", help="a folder of modules with `primal`, `wrt` and `inputs()`")
    parser.add_argument("--once", action="store_true", help="in one process alone: half the time")
    parser.add_argument("--order", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.order is not None:
        derive_all(chosen)
        return 0
    arguments = ["--one-in", str(chosen.one_in), "--second", str(chosen.second), "--packages", *chosen.packages]
    arguments += ["--entries", chosen.entries] if chosen.entries else []
    runs = [run(arguments, *seeds) for seeds in RUNS[: 1 if chosen.once else 2]]
    seconds, made = runs[0]
    everything = hashed("".join(f"{n} {hashed(t)}\n" for n, t in sorted(made.items())))
    print(f"{len(made)} texts in {seconds:.2f} s of the processor, hash of all: {everything}")
    different = compared(made, runs[-1][1], "depends on the order or on hashes")
    if chosen.keep is not None:
        chosen.keep.write_text(json.dumps(made))
    if chosen.against is not None:
        different += compared(json.loads(chosen.against.read_text()), made, "not what was kept")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
