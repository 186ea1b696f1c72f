"""README.md and docs/ say what is so: what they show is run, their links lead somewhere, their tables are today's."""

import ast
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def tool(name):
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


shown = tool("shown")
#: the pages that somebody wrote
PAGES = [p for p in shown.pages() if p.parent.name != "rules"]


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def marked(page):
    """Pages about packages that nothing else needs (kernels, pools, compilers) take long."""
    needs = shown.NEEDS.search(page.read_text(encoding="utf-8"))
    marks = [pytest.mark.slow] if needs and needs[1] != "scipy" else []
    return pytest.param(page, id=name_of(page), marks=marks)


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_what_a_page_shows_is_what_its_code_prints(page):
    text = page.read_text(encoding="utf-8")
    for package in shown.missing(text) + ["scipy"] * (page == README):
        pytest.importorskip(package)
    with shown.page() as made:
        new = shown.renewed(text, made)
    assert shown.same(text, new), f"python tools/shown.py --write {name_of(page)}"


def test_the_readme_is_short():
    assert len(README.read_bytes()) <= 14 * 1024


def test_the_quick_start_has_two_commands():
    section = README.read_text(encoding="utf-8").split("## Quick start\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert [len(b.splitlines()) for b in blocks] == [1, 1]


DOCUMENTS = [*shown.pages(), *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY"))]
LINKS = sorted(
    {
        (name_of(page), link)
        for page in DOCUMENTS
        for link in re.findall(r"\]\(([^):]+)\)", re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8")))
    }
)


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_links(page, link):
    place, _, anchor = link.partition("#")
    target = (ROOT / page).parent / place if place else ROOT / page
    assert target.exists()
    headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
    assert not anchor or anchor in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}


def test_every_page_is_linked_from_the_first_two():
    for first in (README, ROOT / "docs" / "index.md"):
        linked = {(first.parent / link).resolve() for page, link in LINKS if page == name_of(first)}
        assert {p for p in PAGES if p not in (README, ROOT / "docs" / "index.md")} <= linked


def test_the_pages_of_rules():
    pytest.importorskip("scipy", reason="they have its functions, too")
    rules = tool("rule_table")
    for place, text in rules.made().items():
        assert place.read_text(encoding="utf-8") == text, "python tools/rule_table.py --write"


def rows():
    """Of the tables `their call | s2sad`, a row each."""
    text = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
    for theirs, table in re.findall(r"^\| (\w+) \| s2sad \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE):
        for line in table.splitlines():
            yield theirs, re.search(r"`([^`]*)` \|$", line)[1]


@pytest.fixture(scope="module")
def made():
    """The page, with what it defines for its tables."""
    text = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
    with shown.page() as made:
        shown.renewed(text, made)
        yield made


TEXT = "the text of a derivative"


def slope(f, x, step=1e-6):
    """The derivative of a function with a scalar result by differences."""
    return np.array([(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))])


def numerical(names):
    """What the calls of the tables are to give, by the call."""
    f, g, F, x, y, v, u = (names[n] for n in ("f", "g", "F", "x", "y", "v", "u"))
    df, dg = slope(f, x), (slope(lambda x: g(x, y), x), slope(lambda y: g(x, y), y))
    J = np.array([slope(lambda x, i=i: F(x)[i], x) for i in range(2)])
    H = np.diag(2 * np.sin(x) + 4 * x * np.cos(x) - x**2 * np.sin(x))
    loss, w = names["loss"], {"w": np.ones(3), "b": 0.5}
    of_w = slope(lambda p: loss({**w, "w": p}, names["X"], names["targets"]), w["w"])
    of_b = slope(lambda p: loss({**w, "b": p[0]}, names["X"], names["targets"]), np.array([w["b"]]))[0]
    return {
        "grad(f)(x)": df,
        "grad(f).specialize(x)(x)": df,
        "grad(g, 1)(x, y)": dg[1],
        "grad(g, wrt=1)(x, y)": dg[1],
        'grad(g, "y")(x, y)': dg[1],
        "grad(g, wrt=-1)(x, y)": dg[1],
        "grad(with_aux, has_aux=True)(x)": (2 * x, {"largest": 1.5}),
        "value_and_grad(with_aux, has_aux=True)(x)": ((x @ x, {"largest": 1.5}), 2 * x),
        "grad(lambda x: np.sum(x * stop_gradient(x)))(x)": x,
        "elementwise_grad(np.sin)(x)": np.cos(x),
        "grad(g, (0, 1))(x, y)": dg,
        "grad(g, wrt=(0, 1))(x, y)": dg,
        'grad(g, ("x", "y"))(x, y)': dg,
        'grad(g, wrt=("x", "y"))(x, y)': dg,
        "value_and_grad(f)(x)": (f(x), df),
        "jacobian(F)(x)": J,
        'jacobian(F, mode="reverse")(x)': J,
        'jacobian(F, mode="forward")(x)': J,
        "hessian(f)(x)": H,
        "hvp(f)(x, v)": H @ v,
        "vjp(F)(x)": (F(x), None),
        "vjp(F)(x)[1](u)": J.T @ u,
        "jvp(F)(x, v)": (F(x), J @ v),
        "jvp(f)(x, v)": (f(x), df @ v),
        'jvp(g, wrt=("x", "y"))(x, y, (v, v))': (g(x, y), dg[0] @ v + dg[1] @ v),
        "grad(loss)(params, X, targets)": {"w": of_w, "b": of_b},
        "grad(grad(np.tanh))(1.0)": -2 * np.tanh(1.0) * (1 - np.tanh(1.0) ** 2),
        "grad(grad(lambda t: t**3))(2.0)": 12.0,
        "grad(lambda x: np.sum(grad(f)(x) ** 2))(x)": 2 * H @ df,
        "np.array([grad(f)(row) for row in rows])": np.array([slope(f, np.ones(3))] * 4),
        "check_grads(f, (x,))": None,
        "check_grads(f, (x,), order=2)": None,
        "grad(f).source": TEXT,
        "grad(f).show()": TEXT,
    }


def assert_like(found, expected):
    """Equal, part by part; None stands for a function, or for nothing."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        found, expected = tuple(found.values()), tuple(expected.values())
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_like(one, other)
    elif expected is not None:
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("theirs", "ours"), list(rows()))
def test_every_row_of_the_tables(theirs, ours, made):
    printed, names = made.python(f"row = {ours}\n"), made.module.__dict__
    expected = numerical(names)[ours]
    if expected is TEXT:
        assert "def grad_f(x):" in (names["row"] or printed)
    else:
        assert_like(names["row"], expected)


def test_what_the_architecture_names_exists():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(\w+/[\w./]*)`", text):
        assert (ROOT / name).exists() or (ROOT / "s2sad" / name).exists(), name
    for package in [p.name for p in (ROOT / "s2sad").iterdir() if p.is_dir() and p.name != "__pycache__"]:
        assert f"`s2sad/{package}`" in text, package


def test_the_rooms_of_the_picture_are_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## The rooms of lowering\n")[1]
    lines = re.search(r"```text\n(.*?)```", page, re.DOTALL)[1].splitlines()
    assert len(lines) >= 10
    for line in lines:
        names = line[:51].split()
        folder = names.pop(0) if names[0].endswith("/") else ""
        for name in names:
            assert (ROOT / "s2sad" / "normal" / folder / f"{name}.py").exists(), line


def test_questions_name_what_is_there():
    """The architecture page says for each question in which file, under which name, its answer stands."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$", page, re.MULTILINE)
    assert len(rows) >= 30
    for file, name in rows:
        body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
        for part in name.split("."):
            found = [n for n in body if getattr(n, "name", None) == part]
            assert found, f"there is no {name} in {file}"
            body = found[0].body
