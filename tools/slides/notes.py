"""What the speaker reads of the lecturer's guide: how to run the lecture, what goes wrong, what to ask."""

import re
import tomllib
from functools import cache

import nbformat

from grading.registry import find
from tools.books import ROOT, homework_of

TABLE = re.compile(r"(<!-- mistakes\n(.*?)-->\n).*?(?=<!-- end of mistakes -->)", re.S)
PLAN = re.compile(r"^\| ((?:only|first|second)[^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", re.M)
REVIEW = re.compile(r"^\| ([\d, ]+) \| (.*) \|$", re.M)
EACH = 2  # misconceptions on a slide


def advise(slides, stem):
    """Give the notes what the guide says of the chapter, sections their misconceptions, slides a question."""
    slides[0].notes[:0] = told(stem)
    for section, mistakes in misconceptions(stem).items():
        named = [slide for slide in slides if slide.number == section] or slides[-1:]
        named[-1].notes += mistakes[:EACH] if section else mistakes
    asked = {section: list(questions) for section, questions in for_the_room().items()}
    for slide in slides:
        if not slide.asks() and asked.get(slide.number):
            slide.notes.append(f"**Ask:** {asked[slide.number].pop(0)}")


def for_the_room():
    """{"2.3": [a question for each slide of the section that has none]}."""
    return tomllib.loads((ROOT / "docs" / "room.toml").read_text(encoding="utf-8"))


def plans(stem):
    """{"only 45 minutes": the numbers of its sections} for each of the chapter's plans."""
    return {when: sections_in(shown) for when, shown, *_ in PLAN.findall(guide()[stem[:2]])}


def sections_in(text):
    """The sections that a plan names.

    Examples
    --------
    >>> sections_in("§2.1–§2.3, §2.9")
    ['2.1', '2.2', '2.3', '2.9']
    """
    found = []
    for chapter, first, last in re.findall(r"§(\d+)\.(\d+)(?:–§\d+\.(\d+))?", text):
        found += [f"{chapter}.{number}" for number in range(int(first), int(last or first) + 1)]
    return found


@cache
def guide():
    """{"02": the guide's pages on chapter 2}."""
    text = (ROOT / "docs" / "lecturers.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (\d+) · .*$", text.partition("## Chapter by chapter")[2], flags=re.M)
    return {f"{int(number):02}": part for number, part in zip(parts[1::2], parts[2::2], strict=True)}


def listed(text):
    """[(question id, name of the mistake), …] of the lines of a comment."""
    return [tuple(line.split(": ", 1)) for line in text.strip().splitlines()]


def told(stem):
    """The plans for one lecture and for two, then what the guide tells whoever gives them."""
    text = guide()[stem[:2]]
    rows = [
        f"**{when}:** {shown}. Begin with {begin}. Ask {ask}. Run {run}."
        for when, shown, begin, ask, run in PLAN.findall(text)
    ]
    before = text.partition("<!-- mistakes")[0]
    words = [one for one in re.split(r"\n\s*\n", before) if one.strip() and one.strip()[0] not in "|*#"]
    return [*rows, *map(str.strip, words)]


def misconceptions(stem):
    """{"2.11": [note, …]}: by the section that the homework sends to; those of the guide come first."""
    chosen, found = listed(TABLE.search(guide()[stem[:2]])[2]), {}
    for question, sections in reviewed(stem).items():
        mistakes = find(question).mistakes
        named = [one for one in mistakes if (question, one.name) in chosen]
        for one in named or mistakes[: len(sections)][:1]:
            then = "Ask" if one.hint.rstrip().endswith("?") else "Tell them"
            note = f"**What students get wrong:** {one.name}. **{then}:** {one.hint}"
            for section in sections or [""]:  # none is named: for the last slide
                place = found.setdefault(section, [])
                place.insert(0 if named else len(place), note)
    return found


def reviewed(stem):
    """{"pca.4": ["2.11"]}: the sections that the homework names for each question, where it names any."""
    nb = nbformat.read(ROOT / "exercises" / f"{homework_of(stem)}.ipynb", as_version=4)
    name = next(re.search(r'check\("(\w+)\.\d+"\)', c.source)[1] for c in nb.cells if 'check("' in c.source)
    count = len([c for c in nb.cells if re.match(rf'check\("{name}', c.source)])
    table = next((c.source for c in nb.cells if "| section of the chapter |" in c.source), "")
    return {f"{name}.{number}": [] for number in range(1, count + 1)} | {
        f"{name}.{number}": re.findall(r"\[(\d+\.\d+) ", sections)
        for numbers, sections in REVIEW.findall(table)
        for number in numbers.replace(" ", "").split(",")
    }
