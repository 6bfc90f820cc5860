"""What is stored for the chapters can be made again: a small part of each entry is, and agrees."""

import numpy as np
import pytest

from helpers.datasets import stored
from tools import make_stored
from tools.make_stored import ENTRIES, FOLDER, Entry

LARGEST = 300_000  # bytes


@pytest.mark.parametrize("name", [name for name in ENTRIES if not ENTRIES[name].package])
def test_a_small_part_computed_again_agrees(name):
    assert make_stored.disagreements(ENTRIES[name], stored(name)) == [], f"run tools/make_stored.py {name}"


def test_every_file_is_listed_with_the_command_that_makes_it():
    assert {path.stem for path in FOLDER.iterdir() if path.name != "README.md"} == set(ENTRIES)
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == make_stored.listing()
    assert all(path.stat().st_size < LARGEST for path in FOLDER.iterdir())


def rows(n=5, extra=0.0):
    return {"a": np.arange(n) + extra}


@pytest.mark.parametrize(
    ("arrays", "found"),
    [
        ({"a": np.arange(5)}, []),
        ({"a": np.arange(5) + 1}, ["a"]),
        ({"b": np.arange(5)}, ["a", "b"]),
        ({}, ["a"]),
    ],
)
def test_another_result_is_noticed(arrays, found):
    assert make_stored.disagreements(Entry("one", "", rows, dict(n=2)), arrays) == found


def table(rows=3, columns=4):
    return {"a": np.arange(12).reshape(3, 4)[:rows, :columns]}


@pytest.mark.parametrize(
    ("axes", "small", "changed", "found"),
    [
        ((0, 1), dict(rows=2, columns=1), None, []),
        ((0, 1), dict(rows=2, columns=1), (1, 0), ["a"]),
        ((0, 1), dict(rows=2, columns=1), (1, 1), []),  # it is not in the small part
        ((0,), dict(rows=2), (1, 3), ["a"]),
        ((0,), dict(rows=2, columns=1), None, ["a"]),  # along that axis, all must be there
    ],
)
def test_a_small_part_may_be_cut_along_several_axes(axes, small, changed, found):
    arrays = table()
    if changed:
        arrays["a"][changed] = -1
    assert make_stored.disagreements(Entry("one", "", table, small, axes), arrays) == found


def test_what_is_not_there_is_named_with_what_is():
    with pytest.raises(
        FileNotFoundError, match="no stored data are called 'phase'.*basis-pursuit-phase.*make_stored"
    ):
        stored("phase")


def test_a_table_is_read_as_a_table(tmp_path, monkeypatch):
    (tmp_path / "stored").mkdir()
    (tmp_path / "stored" / "table.csv").write_text("a,b\n1,x\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert stored("table").to_dict("list") == {"a": [1], "b": ["x"]}


def test_nothing_is_loaded_but_numbers(tmp_path, monkeypatch):
    """No pickles: a stored file is data, not code."""
    (tmp_path / "stored").mkdir()
    np.savez(tmp_path / "stored" / "odd.npz", a=np.array([{}], dtype=object))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="allow_pickle"):
        stored("odd")


def test_the_tool_refuses_a_name_that_nothing_has(capsys):
    with pytest.raises(SystemExit):
        make_stored.main(["phase"])
    assert "there are basis-pursuit-phase" in capsys.readouterr().err
