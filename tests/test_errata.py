"""Is each erratum told once, as a bet: sentence, Chinese, bet, fold, source, section, its own check?"""

import re
import tomllib

import nbformat
import pytest

from tools import link_errata
from tools.books import ROOT

ERRATA = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text(encoding="utf-8"))["erratum"]
RETIRED = tomllib.loads((ROOT / "docs" / "retired.toml").read_text(encoding="utf-8"))["half"]
CELLS = nbformat.read(ROOT / "notebooks" / link_errata.ERRATA, as_version=4).cells
TEXTS = [cell for cell in CELLS if cell.cell_type == "markdown"]
SHUT = {"outputs_hidden": True, "source_hidden": True}  # a result that is seen gives the bet away
BET = re.compile(
    r"^### (E\d\d)\n\n\*.+?\*(?: \(.+?\))? (「.+?」|（.+?）)\n\n\*\*Bet first:\*\* .+?\n\n"
    r"<details><summary>What is true</summary>\n\n.+? Met (?:in|on) .+? Told in \[.+?\)\.\n</details>\s*\Z",
    re.S | re.M,
)


def told(cells):
    """(number, Chinese wording in its brackets, the check) of each erratum, in the reader's order."""
    for cell, below in zip(cells, [*cells, None][1:], strict=True):
        if cell.cell_type == "markdown" and link_errata.NUMBER.search(cell.source):
            found = BET.search(cell.source)
            if not found:
                yield link_errata.NUMBER.search(cell.source)[1], None, below
            else:
                yield found[1], found[2], below


def problems(cells, errata):
    seen = list(told(cells))
    brackets = {False: "「{}」", True: "（{}）"}  # a claim; a catchword
    chinese = {one["id"]: brackets[one.get("catchword", False)].format(one["zh"]) for one in errata}
    for number, wording, check in seen:
        if wording is None:
            yield f"{number} is no bet: sentence, Chinese, bet, fold, where it is met and told"
        elif wording != chinese.get(number):
            yield f"{number}: {wording} is not the wording of docs/syllabus.toml"
        elif f"erratum:{number}" not in check.metadata.get("tags", ()):
            yield f"{number}: the cell below is not its check"
        elif check.metadata.get("jupyter") != SHUT or not check.source.startswith("# check: "):
            yield f"{number}: its check lies open, or does not say first what it checks"
    numbers = [number for number, _, _ in seen]
    yield from (f"{one} is told {numbers.count(one)} times" for one in chinese if numbers.count(one) != 1)


def test_each_erratum_is_told_once_as_a_bet():
    assert list(problems(CELLS, ERRATA)) == []


def test_the_parts_are_as_large_as_the_table_says():
    text = "\n".join(cell.source for cell in TEXTS)
    parts = re.split(r"^## ", text, flags=re.M)[1:-1]
    promised = [int(n) for n in re.findall(r"^\| \[.+\| (\d+) \|$", text, re.M)]
    assert [len(link_errata.NUMBER.findall(part)) for part in parts] == promised
    assert sum(promised) == len(ERRATA) == int(re.search(r"# 13 · Errata: (\d+)", text)[1])


def test_what_is_retired_is_half_of_one_that_stays():
    known = {one["id"]: one for one in ERRATA}
    sentences = {number: cell.source.partition("**Bet first:**")[0] for cell in TEXTS
                 for number in link_errata.NUMBER.findall(cell.source)}  # fmt: skip
    for one in RETIRED:
        assert one["erratum"] in known and len(one["reason"]) > 20
        assert (
            one["title"].lower() not in (sentences[one["erratum"]] + known[one["erratum"]]["title"]).lower()
        )


def test_the_links_are_those_that_the_tool_finds():
    assert link_errata.main(["--check"]) == 0


def test_each_number_is_found_in_the_index():
    index = next(cell.source for cell in TEXTS if "<b>By number" in cell.source)
    numbers = re.findall(r"\[(\d\d)\]\(#(E\d\d)\)", index)
    assert [target for _, target in numbers] == [one["id"] for one in ERRATA]
    assert all(target == f"E{shown}" for shown, target in numbers)


GOOD = {
    "zh": "「错」",
    "bet": "**Bet first:** how many?",
    "told": "Met in ponds. Told in [1.1 A](a#1.1-A).",
    "tag": "E01",
    "jupyter": SHUT,
    "first": "# check: swans",
}


def a_cell(**change):
    parts = GOOD | change
    fold = f"<details><summary>What is true</summary>\n\nSome are black. {parts['told']}\n</details>"
    text = f"### E01\n\n*All swans are white.* {parts['zh']}\n\n{parts['bet']}\n\n{fold}"
    metadata = {"tags": [f"erratum:{parts['tag']}"], "jupyter": parts["jupyter"]}
    check = nbformat.v4.new_code_cell(parts["first"], metadata=metadata)
    return [nbformat.v4.new_markdown_cell(text), check]


FLAWS = {
    "in order": ({}, None),
    "other wording": ({"zh": "「对」"}, "is not the wording"),
    "a claim as a catchword": ({"zh": "（错）"}, "is not the wording"),
    "the result lies open": ({"jupyter": {"source_hidden": True}}, "lies open"),
    "nothing on the fold": ({"first": "assert 1 < 2"}, "lies open"),
    "no bet": ({"bet": "Well?"}, "is no bet"),
    "no link": ({"told": "Met in ponds. It is told."}, "is no bet"),
    "no source": ({"told": "Told in [1.1 A](a#1.1-A)."}, "is no bet"),
    "another's check": ({"tag": "E02"}, "is not its check"),
}


@pytest.mark.parametrize("change, says", FLAWS.values(), ids=FLAWS)
def test_a_flaw_is_found(change, says):
    found = " ".join(problems(a_cell(**change), [{"id": "E01", "zh": "错"}]))
    assert (says in found) if says else not found


def test_an_erratum_told_twice_or_not_at_all_is_found():
    assert "told 2 times" in " ".join(problems(a_cell() * 2, [{"id": "E01", "zh": "错"}]))
    assert "told 0 times" in " ".join(problems([], [{"id": "E01", "zh": "错"}]))


def test_an_erratum_without_a_section_is_refused():
    with pytest.raises(link_errata.ErratumError, match="E99"):
        link_errata.told("E99", {})
