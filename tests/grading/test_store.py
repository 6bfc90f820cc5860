"""The folder of grades: whole or not at all, one grader at a time, a secret that stays one."""

import csv
import errno
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from grading.classroom import store as storing
from grading.classroom.records import Answer, Graded, Handed
from grading.classroom.store import Store, StoreError


def result(points=1.0, sha="a", student="ann"):
    handed = Handed("ann/00.ipynb", "2026", False, ["x.1"])
    questions = {"x.1": Answer(points, 2.0)}
    return Graded(student, "00", sha, 2.0, points=points, questions=questions, handed=handed)


STORED = """{
 "errors": [],
 "file": "ann/00.ipynb",
 "homework": "00",
 "late": false,
 "of": 2.0,
 "order": [
  "x.1"
 ],
 "points": 1.0,
 "questions": {
  "x.1": {
   "key": "k",
   "made_by": null,
   "mistakes": [],
   "notes": [
    "a note"
   ],
   "of": 2.0,
   "points": 1.0,
   "source": ""
  }
 },
 "reason": "",
 "sha256": "a",
 "status": "graded",
 "student": "ann",
 "submitted": "2026"
}
"""


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "grades")


def test_what_is_saved_comes_back(store):
    store.save("ann", result())
    store.save("bob", result(student="李雷\n<b>"))
    assert store.load("ann") == result() and len(store.all()) == 2 and store.load("eve") is None
    assert sorted(path.name for path in store.results.iterdir()) == ["ann.json", "bob.json"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(store, monkeypatch, failing):
    store.save("ann", result(1.0))

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(StoreError, match="the disk is full"):
        store.save("ann", result(2.0))
    monkeypatch.undo()
    assert store.load("ann") == result(1.0) and len(store.all()) == 1
    store.save("ann", result(2.0))
    assert store.load("ann") == result(2.0)
    assert [c["after"] for c in store.changed()] == [2.0]  # noted once, though tried twice


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_disk_that_is_really_full(store):
    with (
        pytest.raises(StoreError, match="the disk is full"),
        storing.full_disk_explained(),
        open("/dev/full", "w", encoding="utf-8") as file,
    ):
        file.write("x")


FILL = """
import json, sys
from pathlib import Path
from grading.classroom.records import Graded
from grading.classroom.store import Store, StoreError
store, saved = Store(Path(sys.argv[1])), []
try:
    for i in range(1000):
        result = Graded(f"s{i}", "00", "", 0.0, reason="x" * 5000)
        store.save(result.student, result)
        saved.append(result)
except StoreError as error:
    whole = sorted(store.all(), key=lambda r: r.student) == sorted(saved, key=lambda r: r.student)
    (store.results / "s0.json").unlink()                    # the lecturer makes room
    for path in store.results.glob(".*"):
        path.unlink()
    store.save("s0", saved[0])
    print(json.dumps([str(error), len(saved), whole, store.load("s0") == saved[0]]))
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt-get install bubblewrap")
def test_a_small_disk_that_fills_up_keeps_all_that_was_written(tmp_path):
    """A real one of 200 kB, in a namespace of its own."""
    inside = ["bwrap", "--dev-bind", "/", "/", "--size", "200000", "--tmpfs", str(tmp_path)]
    done = subprocess.run(
        [*inside, sys.executable, "-c", FILL, str(tmp_path / "grades")],
        capture_output=True,
        text=True,
        check=True,
    )
    said, count, whole, again = json.loads(done.stdout)
    assert "the disk is full" in said and 5 < count < 100 and whole and again


def test_another_error_stays_what_it_is():
    with pytest.raises(PermissionError), storing.full_disk_explained():
        raise PermissionError(errno.EACCES, "no")


def test_a_file_of_results_is_what_it_has_always_been(store):
    store.save("ann", replace(result(), questions={"x.1": Answer(1.0, 2.0, ["a note"], key="k")}))
    assert store.path("ann").read_text(encoding="utf-8") == STORED


def test_what_is_no_result_is_none(store):
    for data in ("[]", "{}", '{"student": "ann"}', '{"questions": 3}', "null", "3"):
        store.path("ann").write_text(data, encoding="utf-8")
        assert store.load("ann") is None and store.all() == [], data


def test_a_result_of_another_version_of_the_course_is_read(store):
    """Older ones lack a field, newer ones have one more."""
    data = json.loads(STORED) | {"colour": "red"}
    del data["questions"]["x.1"]["made_by"], data["errors"]
    store.path("ann").write_text(json.dumps(data), encoding="utf-8")
    assert store.load("ann").questions["x.1"] == Answer(1.0, 2.0, ["a note"], key="k")


def test_a_file_left_by_a_kill_is_no_result(store):
    (store.results / ".ann.json.new").write_text("{", encoding="utf-8")
    (store.results / "bob.json").write_text('{"half', encoding="utf-8")
    assert store.all() == [] and store.load("bob") is None
    store.save("ann", result())
    assert store.all() == [result()]


def test_changes_say_whose_points_and_why(store):
    store.save("ann", result(1.0, "a"))
    store.save("ann", result(1.0, "b"))
    assert store.changed() == []
    store.save("ann", result(2.0, "b"))
    store.save("ann", result(0.0, "c"))
    mended, other = store.changed()
    assert mended == {
        "student": "ann",
        "question": "x.1",
        "before": 1.0,
        "after": 2.0,
        "why": "the question or the environment changed",
    }
    assert other["why"] == "another submission"
    store.append("changes.jsonl", '{"student": "an')  # a disk that ran full
    assert store.changed() == [mended, other]


HOLD = (
    "import sys; from pathlib import Path; from grading.classroom.store import Store\n"
    "with Store(Path(sys.argv[1])).locked():\n    print('held', flush=True)\n    sys.stdin.read()"
)


@pytest.mark.skipif(sys.platform == "win32", reason="the grader runs on Linux only")
def test_one_grader_at_a_time_also_after_kill_9(store):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match="another grader is at work"), store.locked():
            pass
        other.kill()
    with store.locked():
        pass


def test_the_salt_is_made_once_and_only_for_the_lecturer(store, monkeypatch, tmp_path):
    monkeypatch.delenv("COURSE_SALT", raising=False)
    salt = store.salt()
    assert len(salt) == 64 and store.salt() == salt and Store(tmp_path / "other").salt() != salt
    assert sys.platform == "win32" or (store.folder / "salt").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("COURSE_SALT", "from the environment")
    assert store.salt() == "from the environment"
    (tmp_path / "mine").write_text("a secret of my own\n", encoding="utf-8")
    assert store.salt(tmp_path / "mine") == "a secret of my own"
    (tmp_path / "mine").write_text("short\n", encoding="utf-8")
    with pytest.raises(StoreError, match="shorter than 16"):
        store.salt(tmp_path / "mine")


def test_a_salt_that_is_named_and_not_there_is_no_new_secret(store, tmp_path):
    with pytest.raises(StoreError, match="there is no file .*mistyped"):
        store.salt(tmp_path / "mistyped")
    assert not (tmp_path / "mistyped").exists() and not (store.folder / "salt").exists()


def test_no_spreadsheet_takes_a_name_for_a_formula(store, subtests):
    for name in ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "＝1+1", "＋1", "－1", "＠x", "﹢1"):
        store.write_gradebook([result(student=name)])
        with open(store.folder / "gradebook.csv", encoding="utf-8", newline="") as file:
            (row,) = csv.DictReader(file)
        with subtests.test(ascii(name)):
            assert row["student"] == "'" + name.replace("\t", " ").replace("\r", " ")


def test_a_layer_of_the_sandbox_counts_where_every_worker_had_it(tmp_path):
    store = Store(tmp_path)
    store.note_layers({"namespaces": True, "a control group": True})
    store.note_layers({"namespaces": True, "a control group": False})
    store.note_layers({"namespaces": True, "a control group": True})
    assert Store(tmp_path).layers() == {"namespaces": True, "a control group": False}
    (tmp_path / "sandbox.json").write_text("[", encoding="utf-8")
    assert store.layers() == {}


READ_ONLY = """
import ctypes, json, sys
from pathlib import Path
from grading.classroom.records import Graded
from grading.classroom.store import Store, StoreError
folder, said = Path(sys.argv[1]), []
def lock(store):
    with store.locked():
        pass
store = Store(folder / "grades")
store.save("ann", Graded("ann", "00", "", 1.0))
mount = ctypes.CDLL(None).mount
assert mount(None, str(folder).encode(), None, 0x21, None) == 0                # MS_REMOUNT | MS_RDONLY
for what in (lambda: store.save("bob", Graded("bob", "00", "", 1.0)), lambda: store.begin("bob"),
             lambda: store.append("times.csv", "x"), lambda: Store(folder / "other"), lambda: lock(store)):
    try:
        what()
    except StoreError as error:
        said.append(str(error))
whole = [result.student for result in store.all()]
assert mount(None, str(folder).encode(), None, 0x20, None) == 0
store.save("bob", Graded("bob", "00", "", 1.0))
print(json.dumps([said, whole, [result.student for result in store.all()]]))
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt-get install bubblewrap")
def test_a_folder_that_becomes_read_only_is_said_and_loses_nothing(tmp_path):
    """As a disk does on an error, in the middle of a run; in a namespace of its own."""
    inside = ["bwrap", "--unshare-user", "--cap-add", "CAP_SYS_ADMIN", "--dev-bind", "/", "/"]
    done = subprocess.run(
        [*inside, "--tmpfs", str(tmp_path), sys.executable, "-c", READ_ONLY, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said, whole, after = json.loads(done.stdout)
    assert len(said) == 5 and all(
        "cannot be written" in one or "cannot be the folder" in one for one in said
    ), said
    assert whole == ["ann"] and after == ["ann", "bob"]
