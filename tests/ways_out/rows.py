"""The tables of ways out: a row is a program that is refused, the way out that it is shown, and the program after that.

A table is a text file, one for each subject. What stands before its first row is the head of all of its programs. A row
is written as a difference: what is refused, and what is written instead.

    == use np.moveaxis                    the way out, whole; behind ` ?`, options
    @np.eye(3)                            what the programs are given as x, where it is not that of the head
     def helper(v):                       lines of both programs
         return v * v
     def f(x):
    -    return np.sum(np.something(x))   lines of the one that is refused
    +    return np.sum(np.another(x))     and of the one that is not

Without a line `def f(x):` the lines are its body; and where they are one expression, the sum of its squares is
returned. It is refused at one of the lines with a minus; at another, where that ends with `# <-`. Options:

    other      the second program gives another number, or the first one gives none: its error is what is refused
    jvp, hvp   what is asked for, instead of the gradient
    call       the last lines are expressions: that with a minus is refused, that with a plus is true
"""

from __future__ import annotations

import ast
import textwrap
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: marks the line at which a program is refused
PLACE = "# <-"


@dataclass(frozen=True)
class Program:
    text: str
    marked: frozenset[int]  # the lines at which it may be refused


@dataclass(frozen=True)
class Row:
    table: str
    number: int
    way_out: str
    options: frozenset[str]
    argument: str
    head: str
    lines: tuple[str, ...]

    def program(self, sign: str) -> Program:
        """The program that is refused ("-"), or the other one ("+")."""
        chosen = [line for line in self.lines if line[0] in (" ", sign)]
        numbers = [i for i, line in enumerate(chosen) if line.endswith(PLACE)]
        numbers = numbers or [i for i, line in enumerate(chosen) if line[0] == "-"]
        body = [line[1:] for line in chosen]
        offset = self.head.count("\n") + 1
        if not any(line.startswith(("def f(", "f = ", "@")) for line in body):
            if len(body) == 1 and isinstance(ast.parse(body[0]).body[0], ast.Expr):
                body = [f"return np.sum(np.square({body[0]}))"]
            body, offset = ["def f(x):", *(textwrap.indent(line, "    ") for line in body)], offset + 1
        return Program(self.head + "\n".join(body) + "\n", frozenset(i + offset for i in numbers))

    def called(self, sign: str, file: Path) -> Any:
        """What the last line of a program gives, behind the others."""
        *lines, last = (line[1:] for line in self.lines if line[0] in (" ", sign))
        text = self.head + "\n".join([*lines, f"found = {last}"]) + "\n"
        file.write_text(text, encoding="utf-8")
        module = types.ModuleType(file.stem)
        module.__file__ = str(file)
        exec(compile(text, str(file), "exec"), module.__dict__)
        return module.found


def rows(file: Path) -> list[Row]:
    """The rows of a table."""
    head, *parts = ("\n" + file.read_text(encoding="utf-8")).split("\n== ")
    found = []
    for number, part in enumerate(parts):
        title, *lines = part.rstrip("\n").split("\n")
        way_out, _, options = title.partition(" ?")
        given = [line[1:] for line in lines if line.startswith("@")]
        lines = [line or " " for line in lines if not line.startswith(("@", "#"))]
        assert all(line[0] in " -+" for line in lines), f"{file.name}: {title}"
        where = given[0] if given else "x"
        found.append(
            Row(file.stem, number, way_out, frozenset(options.split()), where, head.strip() + "\n\n\n", tuple(lines))
        )
    return found


TABLES = sorted(HERE.glob("*.txt"))
ROWS = [row for file in TABLES for row in rows(file)]
