"""Make the notebooks that students get, exercises/, from the hand-written solutions/.

    uv run python tools/build_exercises.py              # write exercises/
    uv run python tools/build_exercises.py --check      # write nothing; exit status 1 when one is out of date

In an answer cell what stands between the lines ``### BEGIN SOLUTION`` and ``### END SOLUTION`` becomes
``...``, or, for code to repair, the broken code that follows in comments between ``### BEGIN BROKEN`` and
``### END BROKEN``; outputs go; cells tagged ``solution-only`` go. The same bytes each time.

Before that, nbgrader's metadata are written into the solutions: the last answer cell before
``check("pca.3")`` is the answer to that question, and the cell of the check carries its points. A question
that forbids modules names them in the last line of its text.
"""

import copy
import re
import sys

import nbformat

from tools import written
from tools.books import ROOT, homework_of

HIDDEN = re.compile(r"^([ \t]*)### BEGIN SOLUTION[ \t]*\n(.*?)^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)
BROKEN = re.compile(r"^### BEGIN BROKEN[ \t]*\n(.*?)^### END BROKEN[ \t]*$", re.M | re.S)
FORBIDDEN = re.compile(r"\n\n\*Not allowed here: .*\*$")
MARKER = re.compile(r"(?:BEGIN|END)[ _](?:SOLUTION|BROKEN)")


class SolutionError(ValueError):
    """A solution from which no exercise can be made without giving something away."""


def with_grading(solution):
    """The solution with nbgrader's metadata; these follow from the order of its cells and the questions."""
    from grading.questions_asked import questions_asked
    from grading.registry import find

    nb, answer, text = copy.deepcopy(solution), None, None
    for cell in nb.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## Question"):
            text = cell
        asked = questions_asked(cell.source)[:1] if cell.cell_type == "code" else []
        if cell.cell_type == "code" and HIDDEN.search(cell.source):
            answer = cell
        if asked:
            if answer is None:
                raise SolutionError(f"check({asked[0]!r}) has no answer cell before it")
            grade_id = asked[0].replace(".", "-")  # nbgrader allows no dot
            answer.metadata["nbgrader"] = nbgrader(grade_id, solution=True)
            cell.metadata["nbgrader"] = nbgrader(f"{grade_id}-check", grade=True, locked=True) | {
                "points": find(asked[0]).points
            }
            answer = None
            if text is not None:
                text.source = with_forbidden(text.source, find(asked[0]).forbids)
    return nb


def with_forbidden(text, modules):
    """The text of a question, with the modules that it forbids in its last line."""
    named = ", ".join(f"`{name}`" for name in modules if not is_ours(name))
    return FORBIDDEN.sub("", text) + (f"\n\n*Not allowed here: {named}.*" if named else "")


def is_ours(module):
    """Of the grader, which no learner works with."""
    return module.partition(".")[0] == "grading"


def nbgrader(grade_id, **what):
    return {
        "grade": False,
        "grade_id": grade_id,
        "locked": False,
        "schema_version": 3,
        "solution": False,
        "task": False,
    } | what


def exercise(solution):
    """The exercise of a solution; the solution itself is left as it is."""
    nb = copy.deepcopy(solution)
    nb.cells = [cell for cell in nb.cells if "solution-only" not in cell.metadata.get("tags", [])]
    answers = []
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if cell.metadata.get("nbgrader", {}).get("solution"):
            answers += [answer for _, answer in HIDDEN.findall(cell.source)]
            cell.source = without_answer(cell.source)
    refuse_traces(nb, answers)
    return nb


def without_answer(source):
    to_repair = BROKEN.search(source)
    stripped, count = HIDDEN.subn("" if to_repair else r"\1...", source)
    if not count:
        raise SolutionError(f"an answer cell without ### BEGIN SOLUTION and ### END SOLUTION:\n{source}")
    if not to_repair:
        return stripped
    return BROKEN.sub(lambda block: re.sub(r"^# ?", "", block[1], flags=re.M).rstrip(), stripped).strip("\n")


def refuse_traces(nb, answers):
    """No marker is left, and no answer stands elsewhere in the exercise (too short a one may, by chance)."""
    for cell in nb.cells:
        if MARKER.search(cell.source):
            raise SolutionError(f"a marker outside an answer cell, or without its partner:\n{cell.source}")
    rest = "\n".join(flat(cell.source) for cell in nb.cells)
    for answer in map(flat, answers):
        if len(answer) >= 20 and answer in rest:
            raise SolutionError(f"this answer stands in another cell too:\n{answer}")


def flat(source):
    """Lines without indentation, comments and blank lines."""
    lines = (re.sub(r"\s+#.*|^#.*", "", line).strip() for line in source.splitlines())
    return "\n".join(filter(None, lines))


def as_text(nb):
    return nbformat.writes(nb) + "\n"


def build(root, check=False):
    """Write, or compare, every exercise; returns what is wrong, as a list of sentences."""
    found = []
    solutions = sorted((root / "solutions").glob("*.ipynb"))
    for path in solutions:
        try:
            solution = with_grading(nbformat.read(path, as_version=4))
            if not check:
                path.write_text(as_text(solution), encoding="utf-8", newline="\n")
            elif path.read_text(encoding="utf-8") != as_text(solution):
                found.append(f"solutions/{path.name}: its grading metadata are out of date: build it again")
            text = as_text(exercise(solution))
        except SolutionError as error:
            found.append(f"solutions/{path.name}: {error}")
            continue
        target = root / "exercises" / f"{homework_of(path.stem)}.ipynb"
        if not check:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        elif not target.exists() or target.read_bytes() != text.encode("utf-8"):
            found.append(f"exercises/{target.name} is not what its solution gives: build it again")
    made = {homework_of(path.stem) for path in solutions}
    orphans = {path.stem for path in (root / "exercises").glob("*.ipynb")} - made
    return found + [f"exercises/{name}.ipynb has no solution" for name in sorted(orphans)]


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    found = build(ROOT, parser.parse_args(argv).check)
    print("\n".join(found) or "every exercise is what its solution gives")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
