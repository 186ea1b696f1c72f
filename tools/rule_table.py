"""The pages of rules, docs/rules.md and docs/rules/*.md, made from the registry.

python tools/rule_table.py            exit status 1 when a page is not what it would be made to
python tools/rule_table.py --write    make them
"""

from __future__ import annotations

import argparse
import collections
import pathlib

from s2sad.cli import import_optional
from s2sad.knowledge.rule import Rule
from s2sad.rules import registry

DOCS = pathlib.Path(__file__).parent.parent / "docs"
#: packages whose rules come with them: the pages are the same where they are not installed
ELSEWHERE = ("bottleneck", "pandas")
#: what only newer Pythons have, so that the pages are the same on all
NEWER = {"math": {"fma", "sumprod"}}
MADE = "<!-- made by tools/rule_table.py: change the docstrings in templates/, not this page -->"


def namespace(rule: Rule) -> str:
    """The module part of a rule's name: np.linalg.inv -> np.linalg."""
    return rule.name.rpartition(".")[0] or "builtins"


def page_of(space: str) -> str:
    """The page that a namespace stands on.

    >>> page_of("np.linalg"), page_of("np.add"), page_of("scipy.stats.norm"), page_of("math")
    ('numpy.linalg', 'numpy', 'scipy.stats', 'python')
    """
    first, *rest = space.split(".")
    if first == "np":
        named = rest and rest[0] in ("linalg", "fft", "polynomial", "random")
        return f"numpy.{rest[0]}" if named else "numpy"
    if space == "SuperLU":
        return "scipy.sparse"
    return ".".join(["scipy", *rest[:1]]) if first == "scipy" else "python"


def spaces() -> dict[str, list[Rule]]:
    """The rules that s2sad comes with, by namespace."""
    import_optional()
    groups: dict[str, list[Rule]] = collections.defaultdict(list)
    for rule in registry():
        if rule.place.split(":")[0].replace("\\", "/").split("/")[-2] != "templates":
            continue  # somebody's own
        if namespace(rule).split(".")[0] not in ELSEWHERE:
            groups[namespace(rule)].append(rule)
    return dict(sorted(groups.items()))


def short(rule: Rule) -> str:
    return rule.name.rpartition(".")[2]


def names_of(space: str, rules: list[Rule], zero: bool) -> list[str]:
    return sorted({short(r) for r in rules if r.zero is zero} | (set() if zero else NEWER.get(space, set())))


def section(space: str, rules: list[Rule]) -> list[str]:
    """What a page says of a namespace."""
    lines = [f"## {space}", ""]
    for zero, words in ((False, "With a derivative"), (True, "Derivative zero")):
        names = names_of(space, rules, zero)
        if names:
            lines += [f"{words}: " + ", ".join(f"`{name}`" for name in names) + ".", ""]
    notes = sorted({(short(r), " ".join(r.doc.split())) for r in rules if r.doc and not r.zero})
    if notes:
        lines += ["| function | convention, source, cost |", "|---|---|"]
        lines += [f"| `{name}` | {note.replace('|', chr(92) + '|')} |" for name, note in notes] + [""]
    return lines


def made() -> dict[pathlib.Path, str]:
    """The pages and their texts."""
    groups = spaces()
    grouped: dict[str, list[str]] = collections.defaultdict(list)
    for space in groups:
        grouped[page_of(space)].append(space)
    out = {}
    table = ["| page | functions with a derivative | namespaces |", "|---|---|---|"]
    total = set()
    for page, members in sorted(grouped.items()):
        lines = [f"# Rules: {page}", "", MADE, ""]
        found = set()
        for space in members:
            lines += section(space, groups[space])
            found |= {f"{space}.{name}" for name in names_of(space, groups[space], zero=False)}
        out[DOCS / "rules" / f"{page}.md"] = "\n".join(lines)
        total |= found
        listed = ", ".join(f"`{m}`" for m in members)
        table.append(f"| [{page}](rules/{page}.md) | {len(found)} | {listed} |")
    head = (DOCS / "rules.md").read_text(encoding="utf-8").split(MADE)[0]
    count = f"{len(total)} functions have a derivative, forward and reverse."
    out[DOCS / "rules.md"] = "\n".join([f"{head}{MADE}", "", count, "", *table, ""])
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="make the pages")
    action.add_argument("--check", action="store_true", help="fail when a page is another one (the default)")
    write = parser.parse_args().write
    pages = made()
    left_over = set((DOCS / "rules").glob("*.md")) - set(pages)
    if write:
        (DOCS / "rules").mkdir(exist_ok=True)
        for place in left_over:
            place.unlink()
        for place, text in pages.items():
            place.write_text(text, encoding="utf-8")
        return 0
    wrong = {place for place, text in pages.items() if not place.exists() or place.read_text(encoding="utf-8") != text}
    for place in sorted(wrong | left_over):
        print(f"{place.name} is not what the rules say; run: python tools/rule_table.py --write")
    return int(bool(wrong | left_over))


if __name__ == "__main__":
    raise SystemExit(main())
