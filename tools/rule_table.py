"""The README's table of rules, made from the registry.

python tools/rule_table.py            print it
python tools/rule_table.py --write    put it into README.md, between its markers
python tools/rule_table.py --check    exit status 1 when README.md holds another table
"""

from __future__ import annotations

import argparse
import collections
import pathlib

from s2sad.cli import import_optional
from s2sad.rules import Rule, registry

README = pathlib.Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- rules: begin (made by tools/rule_table.py) -->", "<!-- rules: end -->"


#: packages whose rules come with them: the table is the same where they are not installed
ELSEWHERE = ("bottleneck", "pandas")
#: what only newer Pythons have, so that the table is the same on all
NEWER = {"math": {"fma", "sumprod"}}


def namespace(rule: Rule) -> str:
    """The module part of a rule's name: numpy.linalg.inv -> numpy.linalg."""
    return rule.name.rpartition(".")[0] or "builtins"


def short(rule: Rule) -> str:
    return rule.name.rpartition(".")[2]


def table() -> str:
    """A line a namespace: what has a derivative, and what is constant."""
    import_optional()
    groups: dict[str, list[Rule]] = collections.defaultdict(list)
    for rule in registry():
        if rule.place.split(":")[0].replace("\\", "/").split("/")[-2] != "templates":
            continue  # somebody's own
        if namespace(rule).split(".")[0] in ELSEWHERE:
            continue
        groups[namespace(rule)].append(rule)
    lines = ["| namespace | with a derivative | derivative zero |", "|---|---|---|"]
    for name, rules in sorted(groups.items()):
        cells = []
        for zero in (False, True):
            names = sorted({short(r) for r in rules if r.zero is zero} | (set() if zero else NEWER.get(name, set())))
            cells.append(", ".join(f"`{n}`" for n in names))
        lines.append(f"| `{name}` | {cells[0]} | {cells[1]} |")
    found = {r.name for rules in groups.values() for r in rules if not r.zero}
    total = len(found | {f"{name}.{f}" for name, functions in NEWER.items() for f in functions})
    conventions = sorted(
        {f"- `{r.name}`: {' '.join(r.doc.split())}" for rules in groups.values() for r in rules if r.doc and not r.zero}
    )
    text = [f"{total} functions with a derivative, forward and reverse.", "", *lines]
    if conventions:
        text += ["", "Conventions and sources:", "", *conventions]
    return "\n".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="put the table into README.md")
    action.add_argument("--check", action="store_true", help="fail when README.md holds another table")
    chosen = parser.parse_args()
    if not (chosen.write or chosen.check):
        print(table())
        return 0
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    new = f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
    if chosen.write:
        README.write_text(new, encoding="utf-8")
        return 0
    if new != text:
        print("README.md holds another table of rules; run: python tools/rule_table.py --write")
    return int(new != text)


if __name__ == "__main__":
    raise SystemExit(main())
