"""`course progress`: verdicts are noted in one local file, and nothing wrong with it stops a learner."""

import importlib
import json

import pytest

from course import cli

noted = importlib.import_module("grading.progress")  # the package's name `progress` is the function


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
        noted.note("pca.1", points, 4, course)
    noted.note("pca.2", 1, 4, course)
    assert noted.best(course)["pca.1"] == {"points": 4.0, "of": 4.0, "tries": 3}
    assert cli.main(["progress", str(course)]) == 0
    said = capsys.readouterr().out
    assert "1 of 3 done, 1 begun" in said and "pca.2: 25% after 1 tries" in said and "pca.3" not in said


def test_nothing_checked_yet(course, capsys):
    assert cli.main(["progress", str(course)]) == 0
    assert "0 of 3 done" in capsys.readouterr().out


def test_damaged_lines_are_skipped(course):
    (course / noted.FILE).write_text(
        '{"question": "pca.1"\n[]\n\n{"question": "pca.1", "points": 2, "of": 4}\n', encoding="utf-8"
    )
    assert noted.best(course) == {"pca.1": {"points": 2.0, "of": 4.0, "tries": 1}}


def test_a_file_that_cannot_be_written_is_harmless(course):
    (course / noted.FILE).mkdir()
    noted.note("pca.1", 4, 4, course)
    noted.note("pca.1", 4, 4, course / "nowhere")


def test_check_notes_its_verdict(course, monkeypatch):
    from grading import check

    check("knn.1")
    assert noted.best(course)["knn.1"]["tries"] == 1
    monkeypatch.chdir(course / "notebooks")
    check("knn.1")  # not homework: nothing is noted
    assert noted.best(course)["knn.1"]["tries"] == 1


def test_outside_a_course_nothing_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    noted.note("pca.1", 1, 4)
    assert list(tmp_path.iterdir()) == []
    assert cli.main(["progress", str(tmp_path)]) == 1 and "not here" in capsys.readouterr().out


def test_after_each_check_a_line_says_what_is_reached_and_what_comes_next(course, capsys, monkeypatch):
    import __main__
    from grading import check

    monkeypatch.setattr(noted, "_reached", {})
    monkeypatch.setattr(__main__, "answers_1", [20, 22, 1.5, 1], raising=False)
    check("knn.1")
    said = capsys.readouterr().out
    assert "  knn, best so far: 2 of 38 points, 1 of 6 core questions. Next: knn.3\n" in said
    assert "  Go on: at which query" in said
    monkeypatch.chdir(course / "notebooks")
    check("knn.1")
    assert "Next" not in capsys.readouterr().out


def test_a_released_homework_knows_what_was_reached_since_it_was_opened(monkeypatch, capsys):
    def nowhere():
        raise LookupError("no course")

    monkeypatch.setattr(noted, "course_folder", nowhere)
    monkeypatch.setattr(noted, "_reached", {})
    noted.note("pca.1", 2, 2)
    noted.note("pca.1", 0, 2)
    assert noted.reached() == {"pca.1": 2}


def test_progress_in_a_notebook(course, monkeypatch, capsys):
    from grading import progress
    from grading.registry import all_questions

    monkeypatch.setattr(noted, "_reached", {})
    progress()
    assert capsys.readouterr().out == "Nothing was checked yet.\n"
    progress("nothing")
    assert "no homework 'nothing'" in capsys.readouterr().out
    noted.note("pca.1", 2, 2, course)
    noted.note("pca.2", 1, 4, course)
    progress()
    said = capsys.readouterr().out
    assert said.startswith("pca, best so far: 3 of 41 points, 1 of 6 core questions. Next: pca.2\n")
    assert "✓ pca.1" in said and "· pca.2" in said and "  pca.3" in said
    for q in all_questions("pca"):
        noted.note(q.id, q.points, q.points, course)
    progress("pca")
    assert "6 of 6 core questions. All that check can judge is done." in capsys.readouterr().out
