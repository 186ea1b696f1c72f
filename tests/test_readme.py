"""README.md says what is so: its code prints what it shows, its commands work, its tables are those of today."""

import importlib.util
import re
import shlex
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def tool(name):
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_code_prints_what_is_shown():
    pytest.importorskip("scipy", reason="some of it is about SciPy's solvers")
    assert tool("readme").renewed(TEXT) == TEXT, "python tools/readme.py --write"


def test_the_table_of_rules():
    pytest.importorskip("scipy", reason="the table has its functions, too")
    table = tool("rule_table")
    assert table.BEGIN + "\n\n" + table.table() + "\n\n" + table.END in TEXT, "python tools/rule_table.py --write"


def commands(heading):
    section = TEXT.split(f"{heading}\n", 1)[1].split("\n#", 1)[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]


def test_the_quick_start_has_two_commands():
    assert len(commands("## Quick start")) == 2


def test_the_commands_of_the_tour(tmp_path, monkeypatch, capsys):
    from s2sad.cli import main

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    found = commands("### On the command line")
    assert len(found) >= 6
    for command in found:
        program, *arguments = shlex.split(command)
        assert program == "s2sad"
        assert main(arguments) == 0, (command, capsys.readouterr().err)
    assert "import s2sad" not in (tmp_path / "heat_grad.py").read_text()


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^):]+)\)", TEXT))))
def test_links(link):
    assert (ROOT / link).exists()


def test_what_the_architecture_names_exists():
    section = TEXT.split("## Architecture\n", 1)[1]
    for name in re.findall(r"`((?:s2sad|tests|tools|templates|examples)/[\w./]+)`", section):
        assert (ROOT / name).exists(), name
    for package in [p.name for p in (ROOT / "s2sad").iterdir() if p.is_dir() and p.name != "__pycache__"]:
        assert f"`s2sad/{package}`" in section, package
