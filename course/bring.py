"""`course bring OLD`: take your answers from an older copy of the course into this one.

The older copy is only read. A homework that you have already begun here is left as it is, and the older one
is put beside it.
"""

import json
import shutil
from pathlib import Path

from grading.folder import course_folder
from grading.progress import FILE


def arguments(parser):
    parser.add_argument("old", type=Path, help="the folder of the older course, or of its exercises")


def run(options):
    try:
        told = bring(options.old, course_folder())
    except (OSError, ValueError) as problem:
        print(problem)
        return 1
    print("\n".join(told) or f"No homework was begun in {options.old}.")
    return 0


def bring(old, new):
    """Bring what was done in the folder `old` into the course in the folder `new`.

    Returns
    -------
    list of str
        What was done, a sentence for each file.

    Raises
    ------
    ValueError
        `old` holds no homework, or is this course itself.
    """
    source = old / "exercises" if (old / "exercises").is_dir() else old
    target = new / "exercises"
    paths = sorted(source.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"No notebook lies in {source}. Name the folder of your older copy of the course.")
    if source.resolve() == target.resolve():
        raise ValueError(f"{old} is this course. Run the command in the newer one, and name the older one.")
    told = [said for path in paths if (said := _one(path, target))]
    return told + _progress(source.parent, new)


def _one(path, folder):
    """Bring one homework; the sentence about it, or None where nothing was begun."""
    mine, place = _read(path), folder / path.name
    if not place.exists():
        shutil.copyfile(path, place)
        return f"{path.name}: copied; this version of the course has no homework of that name."
    given = _read(place)
    merged, count = with_answers(mine, given)
    if not count:
        return None
    if any(cell.get("execution_count") for cell in given["cells"]):
        beside = _free(folder, path.stem)
        shutil.copyfile(path, beside)
        return f"{path.name}: left as it is, since you have begun it here; the older one is {beside.name}."
    _write(place, merged)
    return f"{path.name}: {count} {'cell' if count == 1 else 'cells'} of yours."


def _progress(old, new):
    """Add the verdicts that are noted there and not here."""
    theirs, ours = old / FILE, new / FILE
    if not theirs.is_file():
        return []
    known = ours.read_text(encoding="utf-8").splitlines() if ours.exists() else []
    lines = [line for line in theirs.read_text(encoding="utf-8").splitlines() if line not in known]
    with open(ours, "a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return [f"{FILE}: {len(lines)} verdicts more."] if lines else []


def with_answers(mine, given):
    """The given homework with a learner's answers in it, and with the code cells that the learner added.

    mine, given : notebooks as dictionaries
    Returns the new notebook, and how many cells are the learner's.
    """
    answers = {_grade_id(c): c for c in mine["cells"] if _grade_id(c) and _is_answered(c)}
    known = {cell.get("id") for cell in given["cells"]}
    own, before = {}, None
    for cell in mine["cells"]:
        if cell.get("id") in known:
            before = cell["id"]
        elif cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader") and _text(cell).strip():
            own.setdefault(before, []).append(cell)
    cells, count = list(own.get(None, [])), sum(map(len, own.values()))
    for cell in given["cells"]:
        answer = answers.get(_grade_id(cell))
        if answer and _text(answer) != _text(cell):
            cell, count = cell | {"source": answer["source"]}, count + 1
        cells += [cell, *own.get(cell.get("id"), [])]
    return given | {"cells": cells}, count


def _grade_id(cell):
    """The name of the question that this cell answers, or None."""
    mark = cell["metadata"].get("nbgrader", {})
    return mark.get("grade_id") if mark.get("solution") else None


def _is_answered(cell):
    """Not the dots that the course left there: it was run, or nothing is left to fill in."""
    return bool(cell.get("execution_count")) or "..." not in _text(cell)


def _text(cell):
    return "".join(cell["source"])


def _free(folder, stem):
    """A name beside a homework that no file has yet."""
    names = (f"{stem}-older{number or ''}.ipynb" for number in range(1000))
    return next(folder / name for name in names if not (folder / name).exists())


def _read(path):
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert all({"cell_type", "metadata", "source"} <= cell.keys() for cell in notebook["cells"])
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
        raise ValueError(
            f"{path} is no notebook that can be read: copy what you need from it by hand."
        ) from None
    return notebook


def _write(path, notebook):
    """Whole, or not at all."""
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)
