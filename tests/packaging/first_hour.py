"""The first hour of a new user, in a clean environment, from the source distribution: a script, it takes minutes.

python tests/packaging/first_hour.py

It builds the source distribution and the wheel, without a warning; unpacks the first elsewhere; runs the README's
quick start there, with the quick tests for all of them; and then what README.md and the first page of docs/ show.
Needed: `build`, `twine`, and a package index for what s2sad depends on.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: what the environment of the caller would bring along
AWAY = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")


def run(command: str, folder: Path) -> str:
    """Run a command line in a folder; what it prints. Ends the script where it fails."""
    print(f"== {command}", flush=True)
    environment = {k: v for k, v in os.environ.items() if k not in AWAY}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nexit status {done.returncode}")
    return done.stdout


def built(folder: Path) -> Path:
    """The unpacked source distribution, built from a copy of what is tracked or about to be."""
    copy = folder / "copy"
    copy.mkdir()
    listed = "git ls-files -z --cached --others --exclude-standard"
    run(f"{listed} | while IFS= read -r -d '' f; do [ ! -e \"$f\" ] || cp --parents \"$f\" '{copy}'; done", ROOT)
    out = run(f"'{sys.executable}' -m build --no-isolation --outdir ../dist .", copy)
    warnings = [line for line in out.splitlines() if re.search("warning|deprecat", line, re.IGNORECASE)]
    if warnings:
        sys.exit("\n".join(["the build warns:", *warnings]))
    run(f"'{sys.executable}' -m twine check --strict dist/*", folder)
    (archive,) = (folder / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    made = {"s2sad.egg-info", "build"}  # by the build, in the copy
    files = [f.relative_to(copy) for f in copy.rglob("*") if f.is_file()]
    left_out = [str(f) for f in files if f.parts[0] not in made and not (unpacked / f).exists()]
    if left_out:
        sys.exit("\n".join(["the source distribution leaves out (see MANIFEST.in):", *left_out]))
    return unpacked


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        unpacked = built(Path(name))
        readme = (unpacked / "README.md").read_text(encoding="utf-8")
        section = readme.split("## Quick start\n", 1)[1].split("\n## ", 1)[0]
        install, tests = re.findall(r"```sh\n(.*?)\n```", section, re.DOTALL)
        print(run(install, unpacked))
        print(run(tests.replace("-n 2", "-m quick"), unpacked))
        print(run(".venv/bin/s2sad --version", unpacked))
        run(".venv/bin/python tools/shown.py README.md docs/index.md", unpacked)
        print("the first hour is well")


if __name__ == "__main__":
    main()
