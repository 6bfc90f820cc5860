"""Words of students in tables, on pages and in a terminal."""

import csv
import io

import pytest

from grading.classroom.plain_text import harmless, labels, printable


@pytest.mark.parametrize("sign", "=+-@＝＋")
@pytest.mark.parametrize("before", ["", "a;", " ", "\t", "x;\u200b", 'a;"', "\n"])
def test_no_cell_of_a_spreadsheet_begins_a_formula(sign, before):
    """Whether it splits its lines at commas or, as in much of Europe, at semicolons."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(["x", harmless(f"{before}{sign}HYPERLINK(1)")])
    for delimiter in ",;":
        for row in csv.reader(io.StringIO(line.getvalue()), delimiter=delimiter):
            cells = [cell.strip(" \t\"'\u200b") if cell.lstrip(' "')[:1] != "'" else "'" for cell in row]
            assert not any(cell.startswith(tuple("=+-@＝＋")) for cell in cells), row


def test_names_of_all_scripts_stay_themselves_and_none_steers():
    for name in (
        "Zoë",
        "Zoe\u0308",
        "علی\u200cرضا",
        "👩\u200d💻",
        "Jean\u00a0Luc",
        "李\u3000雷",
        "O'Neil-Löw; x",
    ):
        assert printable(name) == name == harmless(name)
    for char in "\x00\x1b\x9b\n\u202e\u2066\u200f\u2028\ud800":
        assert printable(f"a{char}b") == "a\N{REPLACEMENT CHARACTER}b" and harmless(f"a{char}b") == "a b"


def test_names_that_look_alike_are_told_apart_in_tables():
    students = ["Ann Lee", "Ann\u00a0Lee", "ann lee", "Bob", "Zoë", "Zoe\u0308"]
    names = labels(students)
    assert len(set(names.values())) == len(students) and names["Bob"] == "Bob"
    assert names["Ann Lee"].startswith("Ann Lee [")
