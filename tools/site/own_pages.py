"""Pages that no notebook has: "In short", "What is checked", run times; and what the search knows."""

import json
import re
from functools import cache

from tools import books
from tools.site import terms
from tools.site.notebook_reader import (
    CHECKS,
    IN_SHORT,
    SECTION,
    equations,
    notebooks,
    read_counts,
    syllabus,
    tags,
    title_of,
)
from tools.site.prose import linked, short_anchor
from tools.site.terms import slug, split


def defined_script():
    """For the search: each name in the glossary, with the section that defines it."""
    known, rows = terms.sections(), []
    for term in terms.read_terms():
        file, heading, _ = known[terms.place(term, known)]
        page = f"notebooks/{file.removesuffix('.ipynb')}"
        names = [*term["term"].split("/"), *split(term["chinese"]), *split(term["also"]), *split(term["see"])]
        rows += [[name.strip().lower(), page, heading, slug(heading)] for name in names]
    return f"const DEFINED = {json.dumps(rows, ensure_ascii=False)};\n"


IN_SHORT_HEAD = """# In short

Every method of the course on one card: what goes in and comes out, its steps, its cost, what it is good and bad at.
"""


def in_short_page():
    """The cards of all chapters, each with a link to where it is explained."""
    parts = [IN_SHORT_HEAD]
    for path, nb in notebooks("notebooks").items():
        cards = [cell.source for cell in nb.cells if "in-short" in tags(cell)]
        parts += [f"## [{title_of(nb)}](notebooks/{path.name})"] * bool(cards)
        for card in cards:
            name = IN_SHORT.search(card)[1]
            text = (
                IN_SHORT.sub("", card, count=1).strip().replace("](#", f"]({path.name}#")
            )  # its own chapter
            text = re.sub(r"\]\((?=\d\d-)", "](notebooks/", text)
            link = f'<a href="notebooks/{path.stem}.html#{short_anchor(name)}">where it is explained</a>'
            parts.append(f"### {name[0].upper()}{name[1:]}\n\n{linked(text, '', 'notebooks/')}\n\n{link}")
    return "\n\n".join(parts if len(parts) > 1 else [*parts, "*No chapter has a card yet.*"])


READ_NEXT = re.compile(r"\*\*Read next\.\*\* (.*?)(?=\n\n|\Z)", re.S)
READ_NEXT_HEAD = """# Read next

What the chapters recommend, with links. The links lead away from the course: to the publisher, or to a free copy.
"""


def read_next_page():
    """The bibliography: what each chapter, and then its companion, recommends at its end."""
    parts = [READ_NEXT_HEAD]
    for path, nb in notebooks("notebooks").items():
        found = [READ_NEXT.search(cell.source) for cell in nb.cells if cell.cell_type == "markdown"]
        listed = re.sub(
            r" (Back to|More in the) \[[^]]*\]\([^)]*\)\.", "", " ".join(one[1] for one in found if one)
        )
        one_a_line = re.sub(r"(\)(: [\w-]+)?\.) (?=[A-Z])", r"\1\n- ", listed)
        parts += [f"## [{title_of(nb)}](notebooks/{path.name})\n\n- {one_a_line}"] * bool(listed)
    return "\n\n".join(parts)


def check_cells():
    """{"item:02.5": [("02-pca", cell id), …]}: the cells that check each item, erratum and equation."""
    found = {}
    for path, nb in notebooks("notebooks").items():
        for cell in nb.cells:
            for tag in tags(cell):
                if tag.startswith(CHECKS):
                    found.setdefault(tag, []).append((path.stem, cell.id))
    return found


@cache
def names_of_checks():
    """{cell id: "§2.4, check 2"}: where a check stands; a name for each."""
    names = {}
    for path, nb in notebooks("notebooks").items():
        place, count = path.stem[:2], 0
        for cell in nb.cells:
            if cell.cell_type == "markdown" and (found := SECTION.findall(cell.source)):
                place, count = f"§{found[-1]}", 0
            elif [tag for tag in tags(cell) if tag.startswith(CHECKS)]:
                count += 1
                names[cell.id] = place + f", check {count}" * (count > 1)
    return names


def uncounted(counts):
    """Chapters whose code has changed since their faults were counted, or was never tried."""
    return [
        path.stem
        for path, nb in notebooks("notebooks").items()
        if counts.get(path.stem, {}).get("code") != books.digest(nb.cells)
    ]


def faults_of(tag, cells, counts):
    """ "11 of 12": how many of the faults planted in the cells of a tag were noticed."""
    found = [
        counts[stem]["tags"][tag]
        for stem in dict.fromkeys(stem for stem, _ in cells)
        if tag in counts.get(stem, {}).get("tags", {})
    ]
    made = sum(one["made"] for one in found)
    none = "no formula to spoil" if found else "not tried"
    return f"{sum(one['noticed'] for one in found)} of {made}" if made else none


def links_to(cells):
    """The check cells of one thing, each by where it stands."""
    names = names_of_checks()
    links = [f'<a href="notebooks/{stem}.html#check-{cell}">{names[cell]}</a>' for stem, cell in cells]
    return " · ".join(links) or "not yet"


def row(first, tag, cells, counts):
    found = cells.get(tag, [])
    place = f'<span id="{tag.replace(":", "-")}">{first}</span>'
    return f"| {place} | {links_to(found)} | {faults_of(tag, found, counts)} |"


def all_faults(counts):
    """How many were planted and noticed in all chapters, and in the formulas that they display."""
    made, noticed = (sum(one.get(key, 0) for one in counts.values()) for key in ("made", "noticed"))
    tex, read = (
        sum(one["tex"][key] for one in counts.values() if "tex" in one) for key in ("made", "noticed")
    )
    if not made:
        return ""
    return (
        f"**{noticed} of {made} small faults, planted one at a time in the course's formulas and functions, were "
        f"noticed ({100 * noticed / made:.1f} %)**; of the {tex} among them in the TeX that you read, {read}."
    )


def checked_page():
    """ "What is checked": every item, erratum and equation with the cells that check it."""
    cells, counts = check_cells(), read_counts("faults.json")
    lines = ["# What is checked\n", all_faults(counts) + "\n" if counts else "", CHECKED_HEAD]
    if late := uncounted(counts):
        lines.append(f"*Not tried, or changed since: {', '.join(late)}.*\n")
    chapters = {path.stem: nb for path, nb in notebooks("notebooks").items()}
    for stem in [stem for stem in chapters if "01" <= stem[:2] <= "12" and not books.is_companion(stem)]:
        items = [one for one in syllabus()["item"] if one["chapter"] == stem[:2]]
        errata = [one for one in syllabus()["erratum"] if one["chapter"] == stem[:2]]
        numbers = [number for number, home in equations().items() if books.chapter_of(home) == stem]
        lines += [
            f"## {title_of(chapters[stem])}",
            "",
            "| what | where it is checked | faults noticed |",
            "|---|---|---|",
        ]
        lines += [
            row(f"item {one['id']}: {one['title']} ({one['zh']})", f"item:{one['id']}", cells, counts)
            for one in items
        ]
        lines += [
            row(f"{one['id']} “{one['title']}”", f"erratum:{one['id']}", cells, counts) for one in errata
        ]
        links = {n: f'<a href="notebooks/{equations()[n]}.html#eq-{n}">({n})</a>' for n in numbers}
        lines += [
            row(link, f"eq:{number}", cells, counts)
            if f"eq:{number}" in cells
            else f"| {link} | a definition | |"
            for number, link in links.items()
        ]
        lines.append("")
    return "\n".join(lines)


CHECKED_HEAD = """Every item of the syllabus, every erratum and every numbered equation, with the cells that fail if it is wrong. The
last column says how many small faults were planted in the formulas of those cells, one at a time, and how many of
them were noticed. A definition names things and claims nothing.
"""


RUN_TIMES_HEAD = """# Run times

What each notebook takes from top to bottom, with the start of its kernel: seconds of processor time, in one thread, as
`tools/refresh.py --times` measured them. That is how long you wait on such a machine when it does nothing else; with
two cores two notebooks run in the time of one.
"""


def run_times_page():
    times = read_counts("run-times.json")
    if not times:
        return RUN_TIMES_HEAD + "\n*Not measured yet.*"
    lines = [RUN_TIMES_HEAD, "| notebook | seconds |", "|---|---|"]
    lines += [
        f"| [{title_of(nb)}](notebooks/{path.name}) | {times[path.stem]:.0f} |"
        for path, nb in notebooks("notebooks").items()
        if path.stem in times
    ]
    return "\n".join([*lines, f"| **all** | **{sum(times.values()):.0f}** |"])
