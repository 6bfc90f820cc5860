"""`course bring`: an older copy's answers come into a newer course, and nothing is lost."""

import copy
import json
import shutil

import pytest

from course import cli
from course.bring import bring, with_answers
from grading.folder import START
from tools.books import ROOT

NAME = "02-homework.ipynb"


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """An older and a newer course with homework 2, the older one partly answered."""
    for name in ("old", "new"):
        (tmp_path / name / "exercises").mkdir(parents=True)
        shutil.copy(ROOT / "exercises" / NAME, tmp_path / name / "exercises")
    (tmp_path / "new" / START).parent.mkdir()
    (tmp_path / "new" / START).touch()
    change(tmp_path / "old" / "exercises" / NAME, answered)
    (tmp_path / "old" / ".progress.jsonl").write_text('{"question": "pca.4"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path / "new")
    return tmp_path / "old", tmp_path / "new"


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def change(path, how):
    notebook = read(path)
    how(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def answer_cell(notebook, name):
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)


def answered(notebook):
    """An answer, a repaired one that was not run, a cell of the learner's own; an older stub elsewhere."""
    answer_cell(notebook, "pca-4").update(
        source=["def project(W, mean, X_new): ...  # mine"], execution_count=7
    )
    answer_cell(notebook, "pca-2").update(source=["def principal_axes(X, k):\n", "    return X"])
    answer_cell(notebook, "pca-3").update(source=["def an_older_stub(X):\n", "    ..."])
    own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "1 + 1", "outputs": []}
    notebook["cells"].insert(4, own | {"execution_count": 3})
    notebook["cells"][0]["source"] = "# An older text"


def test_answers_and_own_cells_come_and_texts_stay_new(copies):
    old, new = copies
    before = (old / "exercises" / NAME).read_bytes()
    assert cli.main(["bring", str(old)]) == 0
    given, got = read(ROOT / "exercises" / NAME), read(new / "exercises" / NAME)
    assert answer_cell(got, "pca-4")["source"] == ["def project(W, mean, X_new): ...  # mine"]
    assert "".join(answer_cell(got, "pca-2")["source"]).endswith("return X")
    assert answer_cell(got, "pca-3") == answer_cell(given, "pca-3")
    assert [c["id"] for c in got["cells"]][4] == "own" and len(got["cells"]) == len(given["cells"]) + 1
    assert got["cells"][0] == given["cells"][0]
    assert (new / ".progress.jsonl").read_text(encoding="utf-8") == '{"question": "pca.4"}\n'
    assert (old / "exercises" / NAME).read_bytes() == before


def test_what_was_begun_here_is_left_and_nothing_is_noted_twice(copies):
    old, new = copies
    (new / ".progress.jsonl").write_text('{"question": "pca.4"}\n', encoding="utf-8")
    change(new / "exercises" / NAME, lambda nb: answer_cell(nb, "pca-1").update(execution_count=1))
    here = (new / "exercises" / NAME).read_bytes()
    for beside in ("02-homework-older.ipynb", "02-homework-older1.ipynb"):
        (told,) = bring(old, new)
        assert beside in told
        assert (new / "exercises" / beside).read_bytes() == (old / "exercises" / NAME).read_bytes()
    assert (new / "exercises" / NAME).read_bytes() == here
    assert (new / ".progress.jsonl").read_text(encoding="utf-8").count("\n") == 1


def test_what_nobody_touched_brings_nothing(copies):
    given = read(ROOT / "exercises" / NAME)
    assert with_answers(copy.deepcopy(given), given) == (given, 0)


def test_a_notebook_that_the_newer_course_lacks_is_copied(copies):
    old, new = copies
    (old / "exercises" / NAME).rename(old / "exercises" / "99-mine.ipynb")
    assert "copied" in bring(old / "exercises", new)[0]
    assert (new / "exercises" / "99-mine.ipynb").exists()


def test_what_cannot_be_brought_says_what_to_do(copies, capsys):
    old, new = copies
    assert cli.main(["bring", str(new)]) == 1
    assert "Run the command in the newer one" in capsys.readouterr().out
    assert cli.main(["bring", str(old / "nowhere")]) == 1 and "Name the folder" in capsys.readouterr().out
    (old / "exercises" / NAME).write_text("{}", encoding="utf-8")
    assert cli.main(["bring", str(old)]) == 1 and "by hand" in capsys.readouterr().out
