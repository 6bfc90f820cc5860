"""`course replay`: why did this student lose this point? A cell that shows it on the lecturer's machine."""

from __future__ import annotations

import sys
from pathlib import Path

from grading.classroom.plain_text import look, printable
from grading.classroom.store import StoreError, load_class
from grading.classroom.submission_grader import seeds_of
from grading.given import names_of
from grading.judge import Memory
from grading.registry import find, join


def arguments(parser):
    parser.add_argument("grades", type=Path, help="the folder that `course grade` wrote")
    parser.add_argument("student", help="the name as the gradebook has it, or a part that no other has")
    parser.add_argument(
        "question", nargs="?", help="its id, as the gradebook has it; without it all that lost a point"
    )
    parser.add_argument(
        "--salt", type=Path, metavar="FILE", help="the secret, where `course grade` was given one"
    )
    parser.epilog = (
        "Prints cells for a notebook in the course's folder: the input of the first draw on which the answer "
        "failed, the answer's own cell, what it gives, and what was asked for. Read a student's code before "
        "you run it: there is no sandbox in your notebook."
    )


def run(options):
    try:
        printed = cells(options.grades, options.student, options.question, options.salt)
    except (StoreError, KeyError) as problem:
        print(f"course replay: {problem.args[0]}", file=sys.stderr)
        return 1
    print("\n\n".join(printed) or "No point was lost.")
    return 0


def cells(folder: Path, student: str, id: str | None = None, salt: Path | None = None) -> list[str]:
    """The source of a cell for each case that lost a point."""
    _, about, results = load_class(folder)
    result = one_of(results, student)
    if id and id not in result.questions:
        raise StoreError(f"{result.student} has no question {id}; there are {', '.join(result.questions)}")
    return [
        source
        for one, answer in result.questions.items()
        if one == id or not id and answer.points < answer.of
        for source in cells_of(about, result, one, folder, salt)
    ]


def one_of(results, student):
    wanted = look(student)
    exact = [r for r in results if look(r.student) == wanted]
    found = exact or [r for r in results if wanted in look(r.student)]
    if len(found) != 1:
        names = ", ".join(printable(r.student) for r in found[:5]) or "nobody"
        raise StoreError(f"{student!r} should be one student of these grades; it is {names}")
    return found[0]


def cells_of(about, result, id, folder, salt):
    answer, question = result.questions[id], known(about, id)
    head = [f"# {printable(result.student)}, {id}: {answer.points:g} of {answer.of:g} points"]
    head += [f"# {line}" for note in answer.notes for line in printable(note, keep="\n").splitlines()]
    for case, draw, *_ in answer.lost or [[0, 0]]:
        names = ", ".join(names_of(question)) or "args"
        where = [str(folder), result.student, id, case, draw, *([str(salt)] if salt else [])]
        given = f"{names}, expected" if question.is_drawn else "expected"
        yield "\n".join([
            *head,
            f"from grading.classroom.replay import asked\n\n{given} = asked(*{where!r})",
            f"\n# the answer's cell; what else it needs is in {printable(result.handed.file)}",
            printable(answer.source, keep="\n\t").rstrip() or "# no cell with an answer was found",
            f"\n{question.name}({names})" if question.is_function else f"\n{question.name}",
            "expected",
        ])


def known(about, id):
    if about.get("exercise"):
        join(Path(about["exercise"]).parent)
    return find(id)


def asked(folder, student, id, case=0, draw=0, salt=None):
    """The arguments of that draw, as the class's answers were given them, and what the reference gives."""
    store, about, results = load_class(Path(folder))
    question, result = known(about, id), one_of(results, student)
    seed = seeds_of(question, store.salt(Path(salt) if salt else None), result.student)[draw]
    task = Memory().task(question, case, seed if question.is_drawn else 0)
    expected = question.answer_to(question.truth, task)
    return (*task.args, expected) if question.is_drawn else expected
