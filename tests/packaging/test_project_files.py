"""The files around the code say what is so: the hook for pre-commit runs, the versions agree."""

import re
import shlex
import sys
import tomllib
from pathlib import Path

import s2sad
from s2sad.cli import main

ROOT = Path(__file__).parents[2]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_hook_for_pre_commit(tmp_path, monkeypatch, capsys):
    entry = shlex.split(re.search(r"^  entry: (.*)$", read(".pre-commit-hooks.yaml"), re.MULTILINE)[1])
    name = f"hooked_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text("def cube(x: float):\n    return x**3\n")
    table = f'[[tool.s2sad.build]]\noutput = "grads.py"\ntargets = ["{name}.py:cube"]\n'
    (tmp_path / "pyproject.toml").write_text(table)
    monkeypatch.chdir(tmp_path)
    assert entry[0] == "s2sad" and main(entry[1:]) == 1
    assert "grads.py does not exist" in capsys.readouterr().err
    assert main(["build"]) == 0 and main(entry[1:]) == 0
    sys.modules.pop(name, None)


def test_versions_agree():
    assert f"\nversion: {s2sad.__version__}\n" in read("CITATION.cff")


def test_who_and_under_which_licence():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert project["license"] == "MIT" and read("LICENSE").startswith("MIT License")
    (author,) = project["authors"]
    assert f"Copyright (c) 2026 {author['name']}" in read("LICENSE")
    assert f"- name: {author['name']}\n" in read("CITATION.cff")


def test_what_is_distributed_names_every_package():
    listed = tomllib.loads(read("pyproject.toml"))["tool"]["setuptools"]["packages"]
    files = (p for room in ("s2sad", "templates") for p in (ROOT / room).rglob("__init__.py"))
    folders = [p.parent.relative_to(ROOT) for p in files]
    found = {(folder if folder.parts[0] == "s2sad" else "s2sad" / folder).as_posix() for folder in folders}
    assert set(listed) == {name.replace("/", ".") for name in found}
