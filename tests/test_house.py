"""The house stays one that a newcomer finds his way in: files and classes of a size, questions that have answers."""

import ast
from pathlib import Path

import pytest

from s2sad.normal import above, lower  # noqa: F401  (to import it makes all rooms known)
from tests.trees import tree_of

ROOT = Path(__file__).parent.parent
CODE = sorted((ROOT / "s2sad").rglob("*.py"))


def test_files_are_short():
    long = {str(p): n for p in CODE if (n := p.read_text(encoding="utf-8").count("\n")) > 900}
    templates = (ROOT / "templates").rglob("*.py")
    long |= {str(p): n for p in templates if (n := p.read_text(encoding="utf-8").count("\n")) > 700}
    assert not long


def test_classes_have_few_methods():
    """Those that they inherit counted."""
    classes = {
        n.name: n
        for p in CODE
        for n in ast.walk(tree_of(p))
        if isinstance(n, ast.ClassDef)
    }

    def methods(name: str) -> set[str]:
        if name not in classes:
            return set()
        own = {m.name for m in classes[name].body if isinstance(m, ast.FunctionDef)}
        return own.union(*(methods(b.id) for b in classes[name].bases if isinstance(b, ast.Name) and b.id != name))

    assert not {name: n for name in classes if (n := len(methods(name))) > 40}


def test_each_question_has_an_answer_in_a_room_above():
    questions = {k: v for k, v in vars(above).items() if isinstance(v, above.Question)}
    assert questions
    for name, question in questions.items():
        assert question.answered.__module__ not in ("s2sad.normal.above", None), name
        assert question.answered.__name__ == name


def test_a_question_without_an_answer_is_an_error():
    with pytest.raises(LookupError, match="no room that is loaded answers late"):
        above.Question(late)()


def late() -> None:
    """What nobody answers."""
