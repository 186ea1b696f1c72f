"""What README.md and docs/ show is run, page by page, and what it prints is compared.

python tools/shown.py                     exit status 1 when a page shows something else
python tools/shown.py --write             put what is printed today into the pages
python tools/shown.py docs/kinds.md       one page

A page is a folder and a module of its own, and its blocks are run from the top:

- `python`: run; a `text` block directly below is what it prints.
- any block whose first line is `# NAME.EXT`: the file of this name, written into the folder; not run. The block shows
  what `s2sad build` wrote where the file is there already.
- `sh`: its lines that begin with `s2sad` or `python` are run, in the folder, where the examples are, too; a `text`
  block directly below is what they print. The status is 0, or what the line says: `s2sad ... # exit status 1`.
- `ipython`: a cell of a notebook; one kernel runs all of a page.
- a line `<!-- needs: numba -->` names packages without which the page is left out.
- in README.md, the two blocks of the first table: a function, and its derivative.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import linecache
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).parent.parent
#: a block, and a text block directly below it
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# ([\w./-]+\.\w+)\n")
STATUS = re.compile(r"# exit status (\d)$")
NEEDS = re.compile(r"^<!-- needs: (.*) -->$", re.MULTILINE)
#: what differs from machine to machine: its value is not compared
VARIES = re.compile(r"(?<=relative error )\S+")
#: the table with a function and its derivative side by side
SIDE = re.compile(r"<table>.*?```python\n(.*?)```\n.*?```python\n(.*?)```\n.*?</table>\n", re.DOTALL)


def missing(text: str) -> list[str]:
    """The packages that a page needs and that are not there."""
    found = NEEDS.search(text)
    return [name for name in (found[1].split() if found else []) if importlib.util.find_spec(name) is None]


def pages() -> list[pathlib.Path]:
    """README.md and all pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Page:
    """A page's folder and module, in which its blocks are run."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.module = types.ModuleType("page")
        self.module.__file__ = str(folder / "page.py")
        self.text = ""
        #: what ends with the page: a kernel
        self.open = contextlib.ExitStack()
        self.kernel: Any = None
        sys.modules["page"] = self.module

    def python(self, code: str) -> str:
        """Run a block; what it prints. One file holds all of them, so that functions of earlier ones keep their source:
        a block is the lines that are its own."""
        file = pathlib.Path(str(self.module.__file__))
        start = self.text.count("\n")
        self.text += code
        file.write_text(self.text, encoding="utf-8")
        linecache.checkcache(str(file))
        with printed() as stream:
            exec(compile("\n" * start + code, str(file), "exec"), self.module.__dict__)
        return stream.getvalue()

    def commands(self, code: str) -> str:
        """Run the lines that begin with s2sad or python; what they print."""
        out = ""
        for line in code.replace("\\\n", "").splitlines():
            program, *arguments = shlex.split(line, comments=True) or [""]
            if program not in ("s2sad", "python"):
                continue
            status, shown = self.command(arguments) if program == "s2sad" else self.script(arguments)
            expected = STATUS.search(line)
            assert status == (int(expected[1]) if expected else 0), f"{line}\nexit status {status}\n{shown}"
            out += shown
        return out

    def command(self, arguments: list[str]) -> tuple[int, str]:
        from s2sad.cli import main

        with printed() as stream:
            try:
                status = main(arguments)
            except SystemExit as end:  # --help, --version
                status = int(end.code or 0)
        return status, stream.getvalue()

    def script(self, arguments: list[str]) -> tuple[int, str]:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def cell(self, code: str) -> str:
        """Run a cell; what it prints and shows."""
        import nbclient
        import nbformat

        if self.kernel is None:
            resources = {"metadata": {"path": str(self.folder)}}
            empty = nbformat.v4.new_notebook()
            self.kernel = nbclient.NotebookClient(empty, timeout=120, kernel_name="python3", resources=resources)
            self.open.enter_context(self.kernel.setup_kernel())
        cell = nbformat.v4.new_code_cell(code)
        self.kernel.nb.cells.append(cell)
        self.kernel.execute_cell(cell, len(self.kernel.nb.cells) - 1)
        texts = [o.text if o.output_type == "stream" else o.data.get("text/plain", "") + "\n" for o in cell.outputs]
        return "".join(texts)

    def file(self, name: str, text: str) -> str:
        """The text of a file that is shown: as it is there, or else as it is shown, and there from now on."""
        place = self.folder / name
        if place.exists():
            return place.read_text(encoding="utf-8")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return text


@contextlib.contextmanager
def printed() -> Iterator[io.StringIO]:
    """What goes to the standard streams."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield stream


@contextlib.contextmanager
def page() -> Iterator[Page]:
    """A new page, in a folder of its own that is the current one; its modules are forgotten behind it."""
    before, path, modules = pathlib.Path.cwd(), list(sys.path), set(sys.modules)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        shutil.copytree(
            ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__", "pictures")
        )
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        try:
            made = Page(folder)
            with made.open:
                yield made
        finally:
            os.chdir(before)
            sys.path[:] = path
            for added in set(sys.modules) - modules:
                if str(getattr(sys.modules[added], "__file__", "")).startswith(str(folder)):
                    del sys.modules[added]


def same(old: str, new: str) -> bool:
    """Do two texts say the same, but for what varies?"""
    return VARIES.sub("", old) == VARIES.sub("", new)


def derivative_of(primal: str, made: Page) -> str:
    """The derivative of the function on the left, as the text on the right."""
    from s2sad import grad
    from s2sad.kinds.spec import parse_kinds

    made.python(primal)
    derivative = grad(made.module.__dict__["scan"], wrt=("x", "decay"))
    return derivative.derive_for(derivative.kinds_ahead(parse_kinds("x: f8[n], decay: float"))).text  # type: ignore


def renewed(text: str, made: Page) -> str:
    """A page with what its code prints today; the code has been run in `made` then."""
    out, at = "", 0
    if side := SIDE.search(text):
        out, at = text[: side.start(2)] + derivative_of(side[1], made) + text[side.end(2) : side.end()], side.end()
    for match in BLOCK.finditer(text, at):
        language, code, shown = match.groups()
        if language == "text":
            continue
        if named := FILE.match(code):
            out += text[at : match.start(2)] + made.file(named[1], code)
            at = match.end(2)
            continue
        result = ""
        if language == "python":
            result = made.python(code)
        elif language == "sh":
            result = made.commands(code)
        elif language == "ipython":
            result = made.cell(code)
        if shown is not None:
            out += text[at : match.start(3)] + result
            at = match.end(3)
        else:
            assert language != "python" or result == "", f"it is not shown that this prints {result!r}:\n{code}"
    return out + text[at:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="(default: all)")
    options = parser.parse_args()
    status = 0
    for file in [p.resolve() for p in options.pages] or pages():
        text = file.read_text(encoding="utf-8")
        if absent := missing(text):
            print(f"{file.relative_to(ROOT)} is left out, without {' and '.join(absent)}")
            continue
        with page() as made:
            new = renewed(text, made)
        if options.write:
            file.write_text(new, encoding="utf-8")
        elif not same(text, new):
            print(f"{file.relative_to(ROOT)} shows what its code does not print; run: python tools/shown.py --write")
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main())
