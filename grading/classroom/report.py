"""`course report`: what a class got, and what it got wrong, as web pages without any script.

index.html is for the lecturer; students/<name>.html for one student each.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np

from grading.classroom.figures import class_figures, seconds_taken
from grading.classroom.pages import bullets, moment, page, picture, table, text, tiles
from grading.classroom.rubric import empty_rubric, read_rubric
from grading.classroom.store import Store, StoreError
from grading.judging import NOT_ATTEMPTED

__all__ = ["arguments", "load_class", "run", "write_report"]

SHOWN, NAMED = 5, 8  # commonest mistakes of a question; students named in a remark
CHANGES = 500  # the last ones
NO_GRADES = "{} holds no grades: run `course grade` first, and give the folder that stands after its -o"


def arguments(parser):
    parser.add_argument("grades", type=Path, help="the folder that `course grade` wrote")
    parser.add_argument(
        "--rubric",
        type=Path,
        metavar="CSV",
        help="points for open answers (default: <grades>/rubric.csv, written on first use for you to "
        "fill in): columns student, question, points, of (what it is worth), comment",
    )
    parser.epilog = (
        "Writes <grades>/report/index.html, which is for you alone, and "
        "<grades>/report/students/<name>.html, a page for each student with that student's answers and "
        "feedback only. Run it again whenever you like."
    )


def run(options):
    try:
        index = write_report(options.grades, options.rubric)
    except StoreError as problem:
        print(f"course report: {problem}", file=sys.stderr)
        return 1
    print(f"The report is in {index}; a page for each student is in {index.parent / 'students'}.")
    return 0


def load_class(folder: Path):
    """The folder of grades, what is known of the run, and the result of each student that counts."""
    if not (folder / "class.json").is_file():
        raise StoreError(NO_GRADES.format(folder))
    store = Store(folder)
    about = json.loads((folder / "class.json").read_text(encoding="utf-8"))
    results = [store.load(name) for name in about["counts"]]
    if None in results:
        raise StoreError(f"a result is missing in {store.results}: run `course grade` again")
    return store, about, results


def write_report(folder: Path, rubric: Path | None = None) -> Path:
    """Write all pages; returns the first."""
    store, about, results = load_class(folder)
    path = rubric or folder / "rubric.csv"
    if not path.exists() and rubric is None:
        store.write(path, empty_rubric(results))
    given = read_rubric(path, results, asked=rubric is not None)
    students = folder / "report" / "students"
    students.mkdir(parents=True, exist_ok=True)
    for name, result in zip(about["counts"], results):
        store.write(students / f"{name}.html", student_page(about, result, given))
    index = folder / "report" / "index.html"
    store.write(index, class_page(about, results, given, store))
    return index


def named(id):
    """A question with its title, as the notebook's heading says it."""
    from grading.questions.declaring import find

    try:
        return text(f"{id} {find(id).title}")
    except Exception:  # grades may be older, or newer, than this course
        return text(id)


def rule_in_words(about):
    take, until = about["rule"]["take"], about["rule"]["until"]
    if until is None:
        return f"Of several submissions of a student, the {take} one counts."
    return (
        f"Of several submissions of a student, the {take} one handed in by {moment(until)} counts. "
        "A later one counts only where there is no other, and is marked late."
    )


# ---- a student's page


def student_page(about, result, rubric):
    student, several = result["student"], about.get("several", {})
    points, of = result["points"] + rubric.points(student), result["of"] + rubric.of
    parts = [
        f'<p class="quiet">{text(result["homework"])}</p>',
        tiles([("points", f"{points:g} of {of:g}"), ("handed in", moment(result["submitted"]))]),
    ]
    if result["late"]:
        parts.append("<p>It came after the time that counts.</p>")
    if student in several:
        parts.append(
            f"<p>You handed in {several[student]} times; this is the page of {text(result['file'])}. "
            f"{text(rule_in_words(about))}</p>"
        )
    if result["status"] != "graded":
        parts.append(
            f'<div class="look"><p>This submission could not be graded: {text(result["reason"])}. '
            "Your lecturer looks at it.</p></div>"
        )
    asked = {id: result["questions"][id] for id in result["order"] if id in result["questions"]}
    if asked:
        rows = [[f'<a href="#{text(id)}">{named(id)}</a>', score(answer)] for id, answer in asked.items()]
        parts.append(table("Your answers", ["question", "points"], rows, numbers=(1,)))
    parts += [question_part(id, answer) for id, answer in asked.items()]
    parts += [
        f'<h2>{text(question)}: {given:g} points</h2>\n<p class="note">{text(comment)}</p>'
        for question, given, comment in rubric.lines(student)
    ]
    if result["errors"]:
        parts.append("<h2>Cells that ended in an error</h2>\n" + bullets(map(text, result["errors"])))
    return page(f"Feedback for {student}", "\n".join(parts))


def question_part(id, answer):
    """Points, what is wrong with it, and the student's own cell."""
    notes = "".join(f'<p class="note">{text(note[:1].upper() + note[1:])}</p>' for note in answer["notes"])
    source = (
        f'<p class="quiet">Your answer:</p>\n<pre tabindex="0"><code>{text(answer["source"])}</code></pre>'
        if answer["source"]
        else "<p>No cell with an answer was found.</p>"
    )
    return (
        f'<h2 id="{text(id)}">{named(id)}: {score(answer)}</h2>\n'
        f"{notes or '<p>✓ All of it is right.</p>'}\n{source}"
    )


def score(answer):
    kind = "full" if answer["points"] == answer["of"] else "part"
    return f'<span class="{kind}">{answer["points"]:g} / {answer["of"]:g}</span>'


# ---- the lecturer's page


def class_page(about, results, rubric, store):
    figures = class_figures(results, seconds_taken(store, set(about["counts"])))
    pages = {r["student"]: f"students/{name}.html" for name, r in zip(about["counts"], results)}
    points, of = totals(results, rubric)
    parts = [f"<p>{text(rule_in_words(about))}</p>"]
    if results:
        parts += [summary(results, points, of), look_here(results, figures, pages)]
    if figures:
        parts += [plots(points, of, figures), questions_table(figures)]
    parts.append(changes_part(store.changed(), pages))
    if results:
        parts.append(students_table(about, results, rubric, pages))
    return page(f"Class report: {about['homework']}", "\n".join(filter(None, parts)))


def totals(results, rubric):
    """The points of each student, with those for open answers, and what all of it is worth."""
    points = np.array([r["points"] + rubric.points(r["student"]) for r in results])
    return points, max((r["of"] for r in results), default=1) + rubric.of


def summary(results, points, of):
    return tiles([
        ("students", len(results)),
        (f"median, of {of:g} points", f"{np.median(points):g}"),
        ("mean", f"{points.mean():.1f}"),
        ("all points", int((points >= of - 1e-9).sum())),
        ("late", sum(bool(r["late"]) for r in results)),
        ("need a human", sum(r["status"] != "graded" for r in results)),
    ])


def linked(student, pages):
    return f'<a href="{text(pages[student])}">{text(student)}</a>' if student in pages else text(student)


def look_here(results, figures, pages):
    """What to see to: files that nobody could grade, and questions whose tests may be at fault."""
    items = [
        f"{linked(r['student'], pages)} <b>needs a human</b>: {text(r['reason'])} ({text(r['file'])})"
        for r in results
        if r["status"] != "graded"
    ]
    items += [remark(f, pages) for f in figures if f["suspect"]]
    if not items:
        return "<p>Every file was graded, and no question stands out.</p>"
    return f'<section class="look"><h2>Look at these first</h2>\n{bullets(items)}</section>'


def remark(f, pages):
    """On a question whose tests may be at fault."""
    if not f["missed"]:
        return (
            f"<b>{text(f['id'])}: who does well elsewhere does worse here</b> (discrimination "
            f"{f['discrimination']:.2f}). Are its tests at fault?"
        )
    names = ", ".join(linked(student, pages) for student in f["missed"][:NAMED])
    return (
        f"<b>{text(f['id'])}: good students fail here.</b> Are its tests at fault, or is it just hard? "
        f"Look at {names}{' …' if len(f['missed']) > NAMED else ''}."
    )


def questions_table(figures):
    head = [
        "question",
        "points<br>reached",
        "full<br>marks",
        "not<br>tried",
        "discrimi-<br>nation",
        "seconds:<br>median<br>slowest",
        "commonest mistakes",
    ]
    return table("Questions", head, map(question_row, figures), numbers=range(1, 6)) + (
        f'\n<p class="quiet">Of {figures[0]["n"]} submissions that could be graded. Discrimination: the correlation of '
        "a question's points with the points of all others; near 0 or below, the question does not tell who knows "
        "more. Seconds: for one submission; the first question that is asked includes running the notebook.</p>"
    )


def question_row(f):
    mistakes = [f"{count} × {text(name)}" for name, count in f["mistakes"][:SHOWN]]
    return [
        named(f["id"]) + ('<br><span class="part">look at it</span>' if f["suspect"] else ""),
        f"{100 * f['success']:.0f} %",
        str(f["full"]),
        str(f["n"] - f["tried"]),
        "" if f["discrimination"] is None else f"{f['discrimination']:.2f}",
        "" if f["seconds"] is None else "{:.2f}<br>{:.2f}".format(*f["seconds"]),
        bullets(mistakes) if mistakes else "",
    ]


def students_table(about, results, rubric, pages):
    several, opened = about.get("several", {}), ["open answers"] if rubric.given else []
    ids, rows = results[0]["order"], []
    for r in sorted(results, key=lambda r: r["student"].casefold()):
        student, extra = r["student"], rubric.points(r["student"])
        rows.append([
            linked(student, pages),
            f"<b>{r['points'] + extra:g}</b>",
            *(score_cell(r["questions"].get(id)) for id in ids),
            *(f"{extra:g}" for _ in opened),
            f"<span>{text(r['status'])}{', late' if r['late'] else ''}</span>",
            f"<span>{moment(r['submitted'])}</span>"
            + (f" ({several[student]} handed in)" if student in several else ""),
        ])
    head = ["student", f"of {totals(results, rubric)[1]:g}", *map(text, ids), *opened, "status", "handed in"]
    return table("Students", head, rows, numbers=range(1, len(head) - 2))


def score_cell(answer):
    if answer is None:
        return ""
    return "–" if answer["notes"] == [NOT_ATTEMPTED] else f"{answer['points']:g}"


def changes_part(changes, pages):
    """Whose points changed since they were first given, and why; the last change first."""
    rows = [
        [
            linked(c["student"], pages),
            text(c["question"]),
            f"{c['before']:g} → {c['after']:g}",
            text(c["why"]),
        ]
        for c in reversed(changes[-CHANGES:])
    ]
    if not rows:
        return ""
    left = (
        f"The last {CHANGES} of {len(changes)}; all are in changes.jsonl." if len(changes) > CHANGES else ""
    )
    return (
        table(
            "Points that changed since they were first given", ["student", "question", "points", "why"], rows
        )
        + f'\n<p class="quiet">{left}</p>'
    )


# ---- plots


def plots(points, of, figures):
    """The histogram of points, and how far each question was solved, with a sentence each."""
    import matplotlib

    matplotlib.use("Agg")
    return f'<div class="plots">{histogram(points, of)}{solved(figures)}</div>'


def histogram(points, of):
    from helpers.plotting import COLOURS, figure

    fig, ax = figure(width=6, height=3.6)
    low, high = min(0, points.min()), max(of, points.max(), 1)
    bars = 20 if high - low > 20 else int(np.ceil(high - low))
    ax.hist(points, bins=np.linspace(low, high, bars + 1), color=COLOURS[0], edgecolor="white")
    ax.set(xlabel=f"points, of {of:g}", ylabel="students")
    ax.yaxis.get_major_locator().set_params(integer=True)
    return drawn(
        fig,
        f"Points of {len(points)} students: half of them have at least {np.median(points):g} of {of:g}; "
        f"{(points >= of - 1e-9).sum()} have all, {(points <= 0).sum()} have none.",
    )


def solved(figures):
    """A bar for each question: who has all points, some, none."""
    from helpers.plotting import COLOURS, figure

    fig, ax = figure(width=6, height=max(3.6, 0.32 * len(figures) + 1.2))
    names, n = [f["id"] for f in figures], figures[0]["n"]
    full, none = (np.array([f[kind] for f in figures]) for kind in ("full", "none"))
    parts = (
        ("all points", full, 0, COLOURS[0], ""),
        ("some", n - full - none, full, COLOURS[5], "//"),
        ("none", none, n - none, "#dddddd", ".."),
    )
    for label, counts, left, colour, hatch in parts:
        ax.barh(names, counts, left=left, color=colour, hatch=hatch, edgecolor="white", label=label)
    ax.invert_yaxis()
    ax.set(xlabel="students", xlim=(0, n))
    ax.grid(axis="y", visible=False)
    fig.legend(loc="outside upper center", ncols=3)
    hardest = min(figures, key=lambda f: f["success"])
    return drawn(
        fig,
        f"How many of {n} students have all, some or none of a question's points. Hardest is "
        f"{hardest['id']}: {100 * hardest['success']:.0f} % of its points were reached, "
        f"{hardest['full']} have all of them.",
    )


def drawn(fig, alt):
    import matplotlib.pyplot

    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None})
    matplotlib.pyplot.close(fig)
    return picture(buffer.getvalue(), alt)
