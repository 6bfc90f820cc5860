"""Where submissions are found, what of them is trusted (nothing), and which of several counts."""

import datetime as dt
import io
import os
import sys
import time
import zipfile

import pytest

from grading.classroom import submissions
from grading.classroom.answers import Unreadable
from grading.classroom.plain_text import printable
from grading.classroom.submissions import SubmissionError, choose, find_submissions, look_through, safe_name

HOMEWORK = "02-pca"
UTC = dt.timezone.utc


def put(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def pack(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def found(place):
    return {(s.student, s.file): s.read() for s in find_submissions(place, HOMEWORK)}


def test_each_students_folder(tmp_path):
    put(
        tmp_path,
        {
            "ann/02-pca.ipynb": b"a",
            "bob/02-pca (1).ipynb": b"b",
            "cat/answers.ipynb": b"c",
            "ann/03-lda-cca-ica.ipynb": b"no",
            "ann/.ipynb_checkpoints/02-pca-checkpoint.ipynb": b"no",
            "dan/notes.txt": b"no",
        },
    )
    assert found(tmp_path) == {
        ("ann", "ann/02-pca.ipynb"): b"a",
        ("bob", "bob/02-pca (1).ipynb"): b"b",
        ("cat", "cat/answers.ipynb"): b"c",
    }


def test_nbgraders_folders_and_their_time(tmp_path):
    put(
        tmp_path,
        {
            "ann/02-pca/whatever.ipynb": b"a",
            "ann/02-pca/timestamp.txt": b"2026-11-20 21:30:00.000000 UTC",
            "ann/01-knn/02-pca.ipynb": b"no",
            "bob/02-pca/02-pca.ipynb": b"b",
            "bob/02-pca/timestamp.txt": b"yesterday",
        },
    )
    ann, bob = find_submissions(tmp_path, HOMEWORK)
    assert (ann.student, ann.read(), ann.time) == ("ann", b"a", dt.datetime(2026, 11, 20, 21, 30, tzinfo=UTC))
    assert bob.read() == b"b" and bob.time.tzinfo is not None


def test_a_flat_folder(tmp_path):
    put(tmp_path, {"ann.ipynb": b"a", "bob.IPYNB": b"b"})
    assert {student for student, _ in found(tmp_path)} == {"ann", "bob"}


@pytest.mark.parametrize("wrap", [False, True], ids=["the zip", "a folder with the zip"])
def test_moodles_and_canvas_zips(tmp_path, wrap):
    pack(
        tmp_path / "all.zip",
        {
            "Ann Lee_123_assignsubmission_file_/03-wrong.ipynb": b"a",
            "leeann_LATE_12_34_x.ipynb": b"b",
            "bobby_12_35_y-1.ipynb": b"c",
            "__MACOSX/x/._y.ipynb": b"no",
            "readme.txt": b"no",
        },
    )
    place = tmp_path if wrap else tmp_path / "all.zip"
    assert {student: data for (student, _), data in found(place).items()} == {
        "Ann Lee (123)": b"a",
        "leeann (12)": b"b",
        "bobby (12)": b"c",
    }


def test_a_zip_of_nbgraders_folder(tmp_path):
    path = pack(
        tmp_path / "all.zip",
        {"submitted/ann/02-pca/02-pca.ipynb": b"a", "submitted/bob/02-pca/02-pca.ipynb": b"b"},
    )
    assert {student for student, _ in found(path)} == {"ann", "bob"}


def test_names_in_a_zip_lead_nowhere(tmp_path):
    before = sorted(tmp_path.parent.iterdir())
    path = pack(
        tmp_path / "evil.zip",
        {
            "../../../ann.ipynb": b"a",
            "/etc/bob.ipynb": b"b",
            "..\\..\\cat.ipynb": b"c",
            "C:\\x\\dan.ipynb": b"d",
            "a/../../eve/02-pca.ipynb": b"e",
        },
    )
    names = [file for _, file in found(path)]
    assert len(names) == 5 and not any(".." in name or name.startswith("/") or "\\" in name for name in names)
    assert sorted(tmp_path.parent.iterdir()) == before and sorted(tmp_path.iterdir()) == [path]


# ---- nobody is swapped, merged or left out in silence

MOODLES = "{}_assignsubmission_file_/"
ANN, BOB = MOODLES.format("Ann Lee_123"), MOODLES.format("Bob Ray_456")
# whose file each is, whatever folders and names students choose
OWNERS = {
    "another's folder of Moodle inside one's own": {
        ANN + "02-pca.ipynb": "Ann Lee (123)",
        ANN + BOB + "01.ipynb": "Ann Lee (123)",
        BOB + "02-pca.ipynb": "Bob Ray (456)",
    },
    "another's name as a folder": {
        ANN + "Bob Ray/02-pca/x.ipynb": "Ann Lee (123)",
        ANN + "Bob Ray (456)/x.ipynb": "Ann Lee (123)",
        BOB + "02-pca.ipynb": "Bob Ray (456)",
    },
    "a name that looks like Moodle's folder": {
        MOODLES.format("Bob Ray_456_assignsubmission_file__123") + "x.ipynb": (
            "Bob Ray_456_assignsubmission_file_ (123)"
        ),
        BOB + "x.ipynb": "Bob Ray (456)",
    },
    "two honest folders of one name": {
        MOODLES.format("Cem Oz_1") + "my work/a.ipynb": "Cem Oz (1)",
        MOODLES.format("Dan Po_2") + "my work/a.ipynb": "Dan Po (2)",
    },
    "two students of one name": {
        MOODLES.format("Ann Lee_123") + "a.ipynb": "Ann Lee (123)",
        MOODLES.format("Ann Lee_999") + "a.ipynb": "Ann Lee (999)",
        "leeann_123_7_a.ipynb": "leeann (123)",
        "leeann_777_8_a.ipynb": "leeann (777)",
    },
    "Moodle's download without folders": {
        "Ann Lee_123_assignsubmission_file_02-pca.ipynb": "Ann Lee (123)",
        "Bob Ray_456_assignsubmission_file_my own work (1).ipynb": "Bob Ray (456)",
        "Cem Oz_7_assignsubmission_file_Bob Ray_456_assignsubmission_file_x.ipynb": "Cem Oz (7)",
    },
    "nbgrader with folders of the student's own": {
        "ann/02-pca/bob/02-pca.ipynb": "ann",
        "ann/02-pca/02-pca.ipynb": "ann",
        "bob/02-pca/02-pca.ipynb": "bob",
    },
}


def owners_found(place):
    return {one.read().decode(): one.student for one in find_submissions(place, HOMEWORK)}


def test_a_file_is_of_the_student_whom_the_course_system_names(tmp_path, subtests):
    """In a folder, in a zip, and in a zip with a folder around."""
    for i, (kind, owners) in enumerate(OWNERS.items()):
        files = {name: name.encode() for name in owners}
        around = {f"all of them/{name}": data for name, data in files.items()}
        with subtests.test(kind):
            assert owners_found(put(tmp_path / f"{i}", files)) == owners
            assert owners_found(pack(tmp_path / f"{i}.zip", files)) == owners
            assert owners_found(pack(tmp_path / f"{i} around.zip", around)) == owners


@pytest.mark.parametrize("zipped", [False, True])
def test_what_an_editor_or_a_system_hides_is_no_student(tmp_path, zipped):
    files = {
        "ann/02-pca/02-pca.ipynb": b"a",
        "ann/02-pca/.ipynb_checkpoints/02-pca-checkpoint.ipynb": b"no",
        "bob/02-pca/02-pca.ipynb": b"b",
        "bob/.Trash/02-pca.ipynb": b"no",
    }
    place = pack(tmp_path / "x.zip", files) if zipped else put(tmp_path / "x", files)
    assert sorted(found(place).values()) == [b"a", b"b"] and {s for s, _ in found(place)} == {"ann", "bob"}


def test_a_flat_class_in_one_folder_is_no_single_student(tmp_path):
    pack(tmp_path / "x.zip", {"class/ann.ipynb": b"a", "class/bob.ipynb": b"b", "readme.txt": b""})
    assert {student for student, _ in found(tmp_path / "x.zip")} == {"ann", "bob"}


@pytest.mark.parametrize("zipped", [False, True])
def test_who_has_no_notebook_is_named_and_a_bad_zip_stops_nobody(tmp_path, zipped):
    files = {
        "Ann Lee_1_assignsubmission_file_/02-pca.ipynb": b"a",
        "Bob Ray_2_assignsubmission_file_/homework.zip": b"PK",
        ".eve/02-pca.ipynb": b"e",
        "Cem Oz_3_assignsubmission_onlinetext_onlinetext.html": b"words",
        "Dan Po_4_assignsubmission_file_/report.pdf": b"words",
        "leeann_12_34_all.zip": zip_of({f"{i}.ipynb": b"" for i in range(21)}),
        "fay.rar": b"Rar!",
        "readme.txt": b"",
    }
    place = pack(tmp_path / "x.zip", files) if zipped else put(tmp_path / "x", files)
    seen = look_through(place, HOMEWORK)
    ann, *bad = seen.submissions
    assert ann.student == "Ann Lee (1)" and [one.student for one in bad] == ["Bob Ray (2)", "leeann (12)"]
    for one, why in zip(bad, ("no zip that can be read", "21 notebooks")):
        with pytest.raises(Unreadable, match=why):
            one.read()
    assert list(seen.left_out) == [".eve", "Cem Oz (3)", "Dan Po (4)", "fay"]


def test_a_zip_of_a_student_names_nobody_else(tmp_path):
    put(tmp_path / "in", {"bobby_12_35_x.ipynb": b"b"})
    pack(tmp_path / "in" / "leeann_12_34_all.zip", {"bobby_12_36_y.ipynb": b"a lie"})
    assert {student: data for (student, _), data in found(tmp_path / "in").items()} == {
        "bobby (12)": b"b",
        "leeann (12)": b"a lie",
    }


def zip_of(files):
    buffer = io.BytesIO()
    pack(buffer, files)
    return buffer.getvalue()


NBGRADER, TEAMS = "{}/02-pca/02-pca.ipynb", "Submitted files/{}/Homework 2/Version {}/02-pca.ipynb"
BLACKBOARD = "Homework 2_{}_attempt_2026-11-{}-10-00-00"
# what lies there, and of whom which file counts, by what stands in it
LAYOUTS = {
    "nbgrader's submitted/": (
        {"submitted/" + NBGRADER.format(who): b"1 " + who.encode() for who in ("ann", "bob")},
        {"ann": b"1 ann", "bob": b"1 bob"},
    ),
    "Moodle's in a folder": (
        {"C101/" + ANN + "x.ipynb": b"1", "C101/" + BOB + "x.zip": zip_of({"deep/x.ipynb": b"2"})},
        {"Ann Lee (123)": b"1", "Bob Ray (456)": b"2"},
    ),
    "Teams, of whose versions the last counts": (
        {TEAMS.format(who, n): b"%d" % n for who in ("Ann Lee", "Bob Ray") for n in (1, 2, 10)},
        {"Ann Lee": b"10", "Bob Ray": b"10"},
    ),
    "ILIAS, in two folders": (
        {f"HW 2/Abgaben/{who}/20261119_02-pca.ipynb": b"1" for who in ("Lee_Ann_ann_1", "Ray_Bob_bob_2")},
        {"Lee_Ann_ann_1": b"1", "Ray_Bob_bob_2": b"1"},
    ),
    "Canvas with underscores, without names and tried again": (
        {
            "lee_ann_19_354_x.ipynb": b"1",
            "lee_ann_19_99_x.ipynb": b"2",
            "anon_1a2b3_350_x.ipynb": b"3",
            "anon_1a2b3_LATE_351_x.ipynb": b"4",
        },
        {"lee_ann (19)": b"1", "anon_1a2b3": b"3"},
    ),
    "Blackboard": (
        {
            BLACKBOARD.format("ann_lee", 19) + "_my_own.ipynb": b"1",
            BLACKBOARD.format("ann_lee", 20) + "_02-pca.ipynb": b"2",
            BLACKBOARD.format("ann_lee", 20) + ".txt": b"words",
            BLACKBOARD.format("bob", 19) + "_x_eve_attempt_2026-11-19-10-00-00.ipynb": b"3",
        },
        {"ann_lee": b"2", "bob": b"3"},
    ),
    "a zip of each": (
        {
            "ann.zip": zip_of({"02-pca.ipynb": b"1"}),
            "dan.zip": zip_of({"work/02-pca.ipynb": b"2", "other/02-pca.ipynb": b"0"}),
            "eve.zip": zip_of({"Ann Lee_123_assignsubmission_file_/x.ipynb": b"3"}),
            "cat.ipynb": b"4",
        },
        {"ann": b"1", "dan": b"2", "eve": b"3", "cat": b"4"},
    ),
    "template beside the work, at one time": (
        {
            "ann/02-pca.ipynb": b"0",
            "ann/02-pca-Copy1.ipynb": b"6",
            "bob/02-pca.ipynb": b"6",
            "bob/02-pca (1).ipynb": b"0",
            "cat/HW1.ipynb": b"0",
            "cat/HW2.ipynb": b"5",
        },
        {"ann": b"6", "bob": b"6", "cat": b"5"},
    ),
    "renamed": (
        {
            "ann/02-pcaAnnLee.ipynb": b"1",
            "bob/02-pca.ipynb.ipynb": b"1",
            "cat/20-nov.ipynb": b"1",
            "dan/12-dan-po.ipynb": b"1",
            "eve/02-pca[1].ipynb": b"1",
            "eve/._02-pca[1].ipynb": b"9",
            "fred/02-principal-components.ipynb": b"1",
            "fred/03-lda.ipynb": b"9",
            "._fay.ipynb": b"9",
        },
        dict.fromkeys(["ann", "bob", "cat", "dan", "eve", "fred"], b"1"),
    ),
    "one submission in a folder, under a name of its own": (
        {"submissions/ann/my work.ipynb": b"1"},
        {"ann": b"1"},
    ),
    "names in all scripts": (
        {
            MOODLES.format(f"{who}_{i}") + "x.ipynb": b"1"
            for i, who in enumerate(["李雷", "علی\u200cرضا", "Zoë\u3000Ö"])
        },
        {"李雷 (0)": b"1", "علی\u200cرضا (1)": b"1", "Zoë\u3000Ö (2)": b"1"},
    ),
}


@pytest.mark.parametrize("around", ["zip", "folder", "zip in a folder"])
@pytest.mark.parametrize("kind", LAYOUTS)
def test_of_each_student_what_counts_in_each_layout(tmp_path, kind, around):
    files, counts = LAYOUTS[kind]
    (tmp_path / "in").mkdir()
    if around == "folder":
        place = put(tmp_path / "in", files)
        for path in place.rglob("*.*"):
            os.utime(path, (10**9, 10**9))
    else:
        packed = pack(tmp_path / "in" / "all.zip", files)
        place = packed.parent if "folder" in around else packed
    chosen = choose(find_submissions(place, HOMEWORK), work=lambda one: int(one.read().split()[0]))
    assert {one.student: one.read() for one in chosen} == counts
    assert all(printable(one.student) == one.student for one in chosen)


class OldZipInfo(zipfile.ZipInfo):
    """A name as zips held it before they could say that it is UTF-8."""

    def _encodeFilenameFlags(self):
        return self.filename.encode("cp437"), 0


def test_names_in_the_code_of_chinese_windows_are_read(tmp_path):
    """Other old zips keep what they have: here Greek letters, and one whose byte belongs to no Chinese character."""
    names = {"李雷": "gbk", "Ann": "ascii", "M\xfcller": "cp437", "ΣΦ": "cp437"}
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for name, code in names.items():
            archive.writestr(OldZipInfo(f"{name.encode(code).decode('cp437')}/02-pca.ipynb"), b"1")
    assert {one.student for one in find_submissions(tmp_path / "x.zip", HOMEWORK)} == set(names)


def test_late_by_canvas_is_who_is_marked_so_whatever_a_clock_says(tmp_path):
    pack(tmp_path / "x.zip", {"leeann_12_34_x.ipynb": b"a", "rayBob_LATE_13_35_x.ipynb": b"b"})
    chosen = choose(find_submissions(tmp_path / "x.zip", HOMEWORK), until=dt.datetime(2001, 1, 1, tzinfo=UTC))
    assert [(one.student, one.late, one.time) for one in chosen] == [
        ("leeann (12)", False, None),
        ("rayBob (13)", True, None),
    ]


@pytest.mark.parametrize("folder", ["ann", ANN[:-1], "ann/02-pca/deeper", ANN + "02-pca"])
def test_a_time_stamp_is_believed_in_nbgraders_layout_alone(tmp_path, folder):
    put(tmp_path, {f"{folder}/02-pca.ipynb": b"a", f"{folder}/timestamp.txt": b"2001-01-01 00:00:00 UTC"})
    assert find_submissions(tmp_path, HOMEWORK)[0].time.year > 2020


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize("stamp", ["9999-12-31 23:59:59", "0001-01-01 00:00:00", "9999-12-31 23:59:59 UTC"])
def test_no_date_stops_the_run(tmp_path, monkeypatch, zone, stamp):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        put(tmp_path, {"ann/02-pca/x.ipynb": b"a", "ann/02-pca/timestamp.txt": stamp.encode()})
        (one,) = choose(find_submissions(tmp_path, HOMEWORK), until=dt.datetime(2026, 11, 20, tzinfo=UTC))
        assert one.time.astimezone(UTC) and 2020 < one.time.year < 9000
    finally:
        monkeypatch.undo()
        time.tzset()


def test_files_of_one_name_are_told_apart(tmp_path):
    """A download in two parts."""
    pack(tmp_path / "one.zip", {ANN + "02-pca.ipynb": b"1"})
    pack(tmp_path / "two.zip", {ANN + "02-pca.ipynb": b"2"})
    files = [ANN + "02-pca.ipynb", ANN + "02-pca.ipynb (2)"]
    assert sorted(found(tmp_path)) == [("Ann Lee (123)", file) for file in files]


def test_impossible_dates_in_a_zip(tmp_path):
    entry = zipfile.ZipInfo("ann.ipynb", (1980, 0, 0, 0, 0, 0))
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr(entry, b"a")
    assert find_submissions(tmp_path / "old.zip", HOMEWORK)[0].time.year in (1969, 1970)


def test_a_zip_bomb_is_unpacked_no_further_than_a_notebook_may_be_long(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "BYTES", 20 * 2**20)
    path = pack(tmp_path / "bomb.zip", {"ann.ipynb": bytes(submissions.BYTES + 10**6)})
    assert path.stat().st_size < 10**5
    assert len(find_submissions(path, HOMEWORK)[0].read()) == submissions.BYTES + 1


def test_a_damaged_zip(tmp_path):
    path = pack(tmp_path / "all.zip", {"ann.ipynb": os.urandom(5000), "bob.ipynb": b"b"})
    data = bytearray(path.read_bytes())
    data[100:140] = bytes(40)
    path.write_bytes(data)
    ann, bob = find_submissions(path, HOMEWORK)
    with pytest.raises(Unreadable, match="cannot be unpacked"):
        ann.read()
    assert bob.read() == b"b"
    path.write_bytes(data[:300])
    with pytest.raises(SubmissionError, match="no zip that can be read"):
        find_submissions(path, HOMEWORK)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_no_link_is_followed(tmp_path):
    secret = put(tmp_path / "home", {"key": b"secret", "deep/02-pca.ipynb": b"secret"})
    class_ = put(tmp_path / "class", {"ann/02-pca.ipynb": b"a", "zoe/x": b""})
    (class_ / "bob").mkdir()
    (class_ / "bob" / "02-pca.ipynb").symlink_to(secret / "key")
    (class_ / "cat").symlink_to(secret / "deep")
    (class_ / "dan.ipynb").symlink_to("/dev/zero")
    (class_ / "eve.zip").symlink_to(pack(secret / "x.zip", {"eve.ipynb": b"secret"}))
    (class_ / "loop").symlink_to(class_)
    assert list(look_through(class_, HOMEWORK).left_out) == ["cat", "loop", "zoe"]
    for one in find_submissions(class_, HOMEWORK):
        if one.student == "ann":
            assert one.read() == b"a"
        else:
            with pytest.raises(Unreadable, match="links are not followed"):
                one.read()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_does_not_hold_the_class_up(tmp_path):
    os.mkfifo(tmp_path / "ann.ipynb")
    with pytest.raises(Unreadable):
        find_submissions(tmp_path, HOMEWORK)[0].read()


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_numbers_in_names_are_read_only_as_far_as_they_are_numbers(tmp_path):
    """A superscript is a digit, and no number; Python reads no number of 5000 digits."""
    names = ["1²3.ipynb", "1²10.ipynb", "lee_1_" + "7" * 5000 + "_x.ipynb", "8" * 5000 + ".ipynb"]
    path = pack(tmp_path / "all.zip", {f"ann/{name}": b"1" for name in names} | {names[2]: b"2"})
    files = [file for student, file in found(path) if student == "ann"]
    assert len(files) == 4 and files.index("ann/1²3.ipynb") < files.index("ann/1²10.ipynb")


def test_a_name_that_is_no_text(tmp_path):
    (tmp_path / os.fsdecode(b"\xff\xfe.ipynb")).write_bytes(b"a")
    (one,) = find_submissions(tmp_path, HOMEWORK)
    assert one.student.encode("utf-8") and one.name and one.read() == b"a"


def test_nothing_there_is_said(tmp_path):
    with pytest.raises(SubmissionError, match="no notebook in"):
        find_submissions(tmp_path, HOMEWORK)
    with pytest.raises(SubmissionError, match="does not exist"):
        find_submissions(tmp_path / "x", HOMEWORK)


NAMES = [
    "ann",
    "Ann",
    "ANN",
    "Zoë",
    "Zoe",
    "李雷",
    "../x",
    "a/b",
    "con",
    "a\nb",
    "=1+1",
    "<b>",
    "",
    ".",
    "..",
    "x" * 300,
    "a.",
    "a b",
    "\u202eb",
    "\x00",
    safe_name("Zoë"),  # a folder may be named as another's file is
]


def test_names_of_files_are_safe_short_and_never_the_same():
    names = [safe_name(name) for name in NAMES]
    assert len(set(map(str.lower, names))) == len(NAMES)
    assert all(
        name
        and len(name) < 64
        and name.isascii()
        and not set(name) & set("/\\<>=\n \0")
        and name[0].isalnum()
        for name in names
    )
    assert safe_name("ann") == "ann" and safe_name("Ann").startswith("ann-")


def at(tmp_path, *hours):
    for hour in hours:
        path = tmp_path / "ann" / f"02-pca {hour}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(str(hour).encode())
        os.utime(path, (hour * 3600, hour * 3600))
    return find_submissions(tmp_path, HOMEWORK)


def test_which_of_several_counts(tmp_path):
    many, until = at(tmp_path, 3, 10, 7), dt.datetime.fromtimestamp(8 * 3600, UTC)

    def counted(*rule):
        return [(int(s.read()), s.late) for s in choose(many, *rule)]

    (work,) = choose(many, work=lambda one: one.read() == b"7")  # a template handed in later is none
    assert work.read() == b"7" and choose(many, work=lambda one: 0)[0].read() == b"10"
    assert counted() == [(10, False)] and counted("first") == [(3, False)]
    assert counted("last", until) == [(7, False)] and counted("best", until) == [(3, False), (7, False)]
    assert counted("last", dt.datetime.fromtimestamp(3600, UTC)) == [
        (3, True)
    ]  # nothing in time: the first, marked
