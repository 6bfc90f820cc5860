"""`course progress`: verdicts are noted in one local file, and nothing wrong with it stops a learner."""

import json

import pytest

from course import cli
from grading import progress


@pytest.fixture
def course(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00-start-here.ipynb").touch()
    (tmp_path / "exercises").mkdir()
    cells = [{"cell_type": "code", "source": f'check("pca.{n}")'} for n in (1, 2, 3)]
    (tmp_path / "exercises" / "02-pca.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "exercises")
    return tmp_path


def test_the_best_verdict_counts(course, capsys):
    for points in (0, 4, 1):
        progress.note("pca.1", points, 4, course)
    progress.note("pca.2", 1, 4, course)
    assert progress.best(course)["pca.1"] == {"points": 4.0, "of": 4.0, "tries": 3}
    assert cli.main(["progress", str(course)]) == 0
    said = capsys.readouterr().out
    assert "1 of 3 done, 1 begun" in said and "pca.2: 25% after 1 tries" in said and "pca.3" not in said


def test_nothing_checked_yet(course, capsys):
    assert cli.main(["progress", str(course)]) == 0
    assert "0 of 3 done" in capsys.readouterr().out


def test_damaged_lines_are_skipped(course):
    (course / progress.FILE).write_text(
        '{"question": "pca.1"\n[]\n\n{"question": "pca.1", "points": 2, "of": 4}\n', encoding="utf-8"
    )
    assert progress.best(course) == {"pca.1": {"points": 2.0, "of": 4.0, "tries": 1}}


def test_a_file_that_cannot_be_written_is_harmless(course):
    (course / progress.FILE).mkdir()
    progress.note("pca.1", 4, 4, course)
    progress.note("pca.1", 4, 4, course / "nowhere")


def test_check_notes_its_verdict(course, monkeypatch):
    from grading import check

    check("knn.1")
    assert progress.best(course)["knn.1"]["tries"] == 1
    monkeypatch.chdir(course / "notebooks")
    check("knn.1")  # not homework: nothing is noted
    assert progress.best(course)["knn.1"]["tries"] == 1


def test_outside_a_course_nothing_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    progress.note("pca.1", 1, 4)
    assert list(tmp_path.iterdir()) == []
    assert cli.main(["progress", str(tmp_path)]) == 1 and "not here" in capsys.readouterr().out
