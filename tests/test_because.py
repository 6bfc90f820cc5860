"""What is said to happen because of something is shown with it and without it."""

import ast
import re
import tomllib

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests import rules
from tools.books import ROOT

CLAIMS = tomllib.loads((ROOT / "docs" / "because.toml").read_text(encoding="utf-8")).get("because", [])
KEYS = {"sentence", "notebook", "cell", "arms"}


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip().lower()


def strings(code):
    return {
        n.value
        for n in ast.walk(rules.parsed(code))
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def compares(code):
    """The cell runs both arms: it calls `compare`."""
    called = [n.func for n in ast.walk(rules.parsed(code)) if isinstance(n, ast.Call)]
    return any(getattr(f, "attr", getattr(f, "id", "")) == "compare" for f in called)


def names_arm(code, arm):
    """As a string of its own (a row's name, a key), or as a name of the code."""
    names = {n.id for n in ast.walk(rules.parsed(code)) if isinstance(n, ast.Name)}
    keywords = {n.arg for n in ast.walk(rules.parsed(code)) if isinstance(n, ast.keyword)}
    return arm in strings(code) | names | keywords


def problems(claim, nb):
    """What is wrong with one claim, in its notebook."""
    if set(claim) != KEYS or len(claim["arms"]) < 2:
        return [f"a claim has {', '.join(sorted(KEYS))}, and two arms at least: {claim}"]
    found = []
    if squeezed(claim["sentence"]) not in squeezed(" ".join(cell.source for cell in rules.prose_cells(nb))):
        found.append(f"the chapter does not say: {claim['sentence']}")
    cells = {cell.id: cell.source for cell in rules.code_cells(nb)}
    if claim["cell"] not in cells:
        return [*found, f"there is no code cell {claim['cell']}"]
    code = cells[claim["cell"]]
    missing = [arm for arm in claim["arms"] if not names_arm(code, arm)]
    if missing:
        found.append(f"the cell {claim['cell']} does not name the arm {missing[0]}")
    if not compares(code) and not rules.checks(code):
        found.append(f"the cell {claim['cell']} neither compares nor checks")
    return found


def test_every_claim_of_cause_has_its_control():
    books = {
        stem: rules.read(ROOT / "notebooks" / f"{stem}.ipynb") for stem in {one["notebook"] for one in CLAIMS}
    }
    assert [problem for claim in CLAIMS for problem in problems(claim, books[claim["notebook"]])] == []


# ---- a claim that is none is noticed

CODE = 'trial = compare(lost, {"centred": dict(centre=True), "raw": dict(centre=False)})'
CLAIM = dict(
    sentence="It loses more, because it was\nnot centred.",
    notebook="02-pca",
    cell="c",
    arms=["centred", "raw"],
)


def chapter(code=CODE, text="So: it loses  more, because it was not centred. Look."):
    return new_notebook(cells=[new_markdown_cell(text), new_code_cell(code, id="c")])


def test_a_claim_with_both_arms_is_accepted():
    assert problems(CLAIM, chapter()) == []
    assert problems(CLAIM, chapter("centred, raw = run(1), run(0)\nassert centred < raw")) == []


@pytest.mark.parametrize(
    ("claim", "nb", "why"),
    [
        ({}, chapter(text="It loses more."), "does not say"),
        ({"cell": "d"}, chapter(), "no code cell d"),
        ({"arms": ["centred"]}, chapter(), "two arms"),
        ({"arms": ["centred", "scaled"]}, chapter(), "does not name the arm scaled"),
        ({}, chapter("assert lost < 0.1"), "does not name the arm centred"),
        ({}, chapter("centred, raw = run(1), run(0)"), "neither compares nor checks"),
    ],
)
def test_a_claim_without_its_control_is_refused(claim, nb, why):
    assert any(why in problem for problem in problems({**CLAIM, **claim}, nb))


def test_the_example_in_the_file_is_well_formed():
    text = (ROOT / "docs" / "because.toml").read_text(encoding="utf-8")
    comment = text.partition("# [[")[2].partition("\n\n")[0]
    example = "\n".join(line.removeprefix("# ") for line in comment.splitlines())
    [claim] = tomllib.loads("[[" + example)["because"]
    section = nbformat.read(ROOT / "tests" / "site" / "a-section.ipynb", as_version=4)
    assert problems(claim, section) == []
