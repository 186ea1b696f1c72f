"""What README.md shows is run: its Python blocks in order, and the text blocks below them are what they print.

python tools/readme.py            exit status 1 when README.md shows something else
python tools/readme.py --write    put what they print into README.md
"""

from __future__ import annotations

import argparse
import contextlib
import io
import pathlib
import re
import sys
import tempfile
import types

README = pathlib.Path(__file__).parent.parent / "README.md"
#: a Python block, and a text block directly below it
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
#: the table with a function and its derivative side by side
SIDE = re.compile(r"<table>.*?```python\n(.*?)```\n.*?```python\n(.*?)```\n.*?</table>\n", re.DOTALL)


def module(text: str, folder: pathlib.Path, name: str) -> types.ModuleType:
    """Python code as a module in a file, so that its functions have source; not run yet."""
    made = types.ModuleType(name)
    made.__file__ = str(folder / f"{name}.py")
    pathlib.Path(made.__file__).write_text(text, encoding="utf-8")
    sys.modules[name] = made
    return made


def side_by_side(primal: str, folder: pathlib.Path) -> str:
    """The derivative of the function on the left, as the text on the right."""
    from s2sad import grad
    from s2sad.kinds.spec import parse_kinds

    left = module(primal, folder, "readme_side")
    exec(compile(primal, str(left.__file__), "exec"), left.__dict__)
    derivative = grad(left.scan, wrt=("x", "decay"))
    return derivative.derive_for(derivative.kinds_ahead(parse_kinds("x: f8[n], decay: float"))).text  # type: ignore


def printed(blocks: list[str], folder: pathlib.Path) -> list[str]:
    """What each of the blocks prints, run one after the other in one module."""
    out = []
    # One file holds all, so that functions of earlier blocks keep their source: a block is the lines that are its own.
    together = module("", folder, "readme_tour")
    text = ""
    for block in blocks:
        start = text.count("\n")
        text += block
        pathlib.Path(str(together.__file__)).write_text(text, encoding="utf-8")
        stream = io.StringIO()
        with contextlib.redirect_stdout(stream):
            exec(compile("\n" * start + block, str(together.__file__), "exec"), together.__dict__)
        out.append(stream.getvalue())
    return out


def renewed(text: str) -> str:
    """README.md with what its code prints today."""
    side = SIDE.search(text)
    assert side is not None, "README.md has no side-by-side"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        derivative = side_by_side(side[1], folder)
        head = text[: side.start(2)] + derivative + text[side.end(2) : side.end()]
        rest = text[side.end() :]
        found = list(BLOCK.finditer(rest))
        results = printed([m[1] for m in found], folder)
    for match, result in reversed(list(zip(found, results, strict=True))):
        if match[2] is not None:
            rest = rest[: match.start(2)] + result + rest[match.end(2) :]
        else:
            assert result == "", f"README.md does not show that this prints {result!r}:\n{match[1]}"
    return head + rest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="put what the code prints into README.md")
    write = parser.parse_args().write
    text = README.read_text(encoding="utf-8")
    new = renewed(text)
    if write:
        README.write_text(new, encoding="utf-8")
    elif new != text:
        print("README.md shows what its code does not print; run: python tools/readme.py --write")
    return int(new != text and not write)


if __name__ == "__main__":
    raise SystemExit(main())
