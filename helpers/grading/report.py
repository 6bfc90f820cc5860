"""`course report`: what a class got, and what it got wrong, as web pages without any script.

index.html is for the lecturer; students/<name>.html for one student each. Everything that came from a student is
escaped; a policy in each page forbids scripts and outside requests.
"""
from __future__ import annotations

import base64
import csv
import html
import io
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from helpers.grading.store import Store, StoreError

__all__ = ["arguments", "class_figures", "merged_rubric", "run", "write_report"]

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ccc; vertical-align: top }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto } img { max-width: 100% } .full { color: #1a6b34 } .part { color: #8a4b00 }
a { color: #00518a } caption { text-align: left; font-weight: 600; padding: .6rem 0 }
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #161616 } pre { background: #262626 } a { color: #8cc6ff }
  .full { color: #7fd89a } .part { color: #f0b36b } img { background: #fff } }
"""
FEW = 5                         # fewer submissions say nothing about a question


def arguments(parser):
    parser.add_argument("grades", type=Path, help="the folder that `course grade` wrote")
    parser.add_argument("--rubric", type=Path, metavar="CSV", help="points for open answers: columns student, question, points, comment")


def run(options):
    if not (options.grades / "class.json").is_file():
        print(f"course report: {options.grades} holds no grades: run `course grade` first", file=sys.stderr)
        return 1
    try:
        page = write_report(Store(options.grades), options.rubric)
    except StoreError as problem:
        print(f"course report: {problem}", file=sys.stderr)
        return 1
    print(f"The report is in {page}; a page for each student is in {page.parent / 'students'}.")
    return 0


def write_report(store: Store, rubric: Path | None = None) -> Path:
    """Write all pages; returns the first."""
    about = json.loads((store.folder / "class.json").read_text(encoding="utf-8"))
    results = counting(store, about)
    open_points = merged_rubric(rubric or store.folder / "rubric.csv", results)
    students = store.folder / "report" / "students"
    students.mkdir(parents=True, exist_ok=True)
    for name, result in zip(about["counts"], results):
        store.write(students / f"{name}.html", student_page(result, open_points.get(result["student"], [])))
    index = store.folder / "report" / "index.html"
    store.write(index, class_page(about, results, open_points, store))
    return index


def counting(store, about) -> list[dict]:
    """The result of each student that counts."""
    results = [store.load(name) for name in about["counts"]]
    if None in results:
        raise StoreError(f"a result is missing in {store.results}: run `course grade` again")
    return results


# ---- open answers

def merged_rubric(path: Path, results) -> dict:
    """{student: [(question, points, comment)]} from the lecturer's CSV; complains about names that are none."""
    if not path.is_file():
        return {}
    known, found, seen = {r["student"] for r in results}, {}, set()
    with open(path, encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                student, points = row["student"], finite(row["points"])
            except (KeyError, TypeError, ValueError) as error:
                raise StoreError(f"{path}, line {number}: columns student, question, points, comment are needed, points a number") from error
            if student not in known:
                raise StoreError(f"{path}, line {number}: there is no student {student!r} in these grades")
            question = row.get("question") or "open answer"
            if (student, question) in seen:
                raise StoreError(f"{path}, line {number}: {question!r} of {student!r} has points already, in a line before")
            seen.add((student, question))
            found.setdefault(student, []).append((question, points, row.get("comment") or ""))
    return found


def finite(words):
    number = float(words)
    if not np.isfinite(number):
        raise ValueError(words)
    return number


# ---- numbers of a class

def class_figures(results) -> list[dict]:
    """For each question: success, discrimination, its commonest mistakes, and whether its tests may be at fault."""
    graded = [r for r in results if r["questions"]]
    total = np.array([r["points"] for r in graded])
    return [question_figures(id, graded, total) for id in (graded[0]["order"] if graded else [])]


def question_figures(id, graded, total):
    answers = [r["questions"].get(id, {"points": 0, "of": 1, "notes": [], "mistakes": []}) for r in graded]
    share = np.array([a["points"] / a["of"] for a in answers])
    rest = total - [a["points"] for a in answers]
    varies = len(share) >= FEW and share.std() > 0 and rest.std() > 0
    discrimination = float(np.corrcoef(share, rest)[0, 1]) if varies else None
    best = rest >= np.quantile(rest, 0.8)
    tried = np.array([a["notes"] != ["not attempted yet"] for a in answers])
    fails = len(share) >= 2 * FEW and share[best & tried].size > 0 and share[best & tried].mean() < 0.5
    return {"id": id, "success": float(share.mean()), "full": int((share > 0.999).sum()), "tried": int(tried.sum()), "n": len(share),
            "discrimination": discrimination, "mistakes": Counter(m for a in answers for m in a["mistakes"]).most_common(5),
            "suspect": bool(fails or (discrimination is not None and discrimination < 0))}


# ---- pages

def page(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{text(title)}</title>\n<style>{STYLE}</style></head>\n'
            f"<body><main>\n<h1>{text(title)}</h1>\n{body}\n</main></body></html>\n")


def text(value):
    """For a web page: escaped, without control characters."""
    return html.escape("".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in str(value)))


def student_page(result, open_answers):
    parts = [f"<p>{text(result['homework'])}: <b>{total(result, open_answers):g} of {result['of']:g} points</b></p>"]
    if result["status"] != "graded":
        parts.append(f"<p>This submission could not be graded: {text(result['reason'])}. Your lecturer looks at it.</p>")
    if result["late"]:
        parts.append("<p>It came after the time that counts.</p>")
    for id in result["order"]:
        if id in result["questions"]:
            parts.append(question_part(id, result["questions"][id]))
    for question, points, comment in open_answers:
        parts.append(f"<h2>{text(question)}: {points:g} points</h2><p>{text(comment)}</p>")
    if result["errors"]:
        parts.append("<h2>Cells that ended in an error</h2><ul>" + "".join(f"<li>{text(e)}</li>" for e in result["errors"]) + "</ul>")
    return page(f"Feedback for {result['student']}", "\n".join(parts))


def question_part(id, answer):
    kind = "full" if answer["points"] == answer["of"] else "part"
    notes = "".join(f"<p>{text(note)}</p>" for note in answer["notes"]) or "<p>✓</p>"
    source = f"<pre><code>{text(answer['source'])}</code></pre>" if answer["source"] else "<p>No cell with an answer was found.</p>"
    return f'<h2>{text(id)}: <span class="{kind}">{answer["points"]:g} / {answer["of"]:g}</span></h2>{notes}{source}'


def total(result, open_answers):
    return result["points"] + sum(points for _, points, _ in open_answers)


def class_page(about, results, open_points, store):
    rule = f"Counted is the {about['rule']['take']} submission of each student" + (
        f", handed in until {about['rule']['until']}." if about["rule"]["until"] else ".")
    figures = class_figures(results)
    humans = [r for r in results if r["status"] != "graded"]
    body = [f"<p>{len(results)} students. {text(rule)}</p>", plots(results, figures, open_points), questions_table(figures)]
    if humans:
        body.append("<h2>These need a human</h2><ul>" + "".join(
            f"<li>{text(r['student'])} ({text(r['file'])}): {text(r['reason'])}</li>" for r in humans) + "</ul>")
    body += [changes_part(store), students_table(about, results, open_points)]
    return page(f"Class report: {about['homework']}", "\n".join(filter(None, body)))


def questions_table(figures):
    rows = "".join(
        f"<tr><th scope=row>{text(f['id'])}</th><td>{100 * f['success']:.0f} %</td><td>{f['full']} of {f['n']}</td>"
        f"<td>{'' if f['discrimination'] is None else format(f['discrimination'], '.2f')}</td>"
        f"<td>{'<br>'.join(f'{text(name)} ({count})' for name, count in f['mistakes'])}</td>"
        f"<td>{'Look at it: good students fail here.' if f['suspect'] else ''}</td></tr>" for f in figures)
    return ("<table><caption>Questions</caption><thead><tr><th>question<th>points reached<th>full marks<th>discrimination"
            f"<th>commonest mistakes<th>remark</tr></thead><tbody>{rows}</tbody></table>"
            "<p>Discrimination: the correlation of a question's points with the points of all others.</p>")


def students_table(about, results, open_points):
    rows = "".join(
        f'<tr><td><a href="students/{text(name)}.html">{text(r["student"])}</a></td>'
        f"<td>{total(r, open_points.get(r['student'], [])):g} / {r['of']:g}</td><td>{text(r['status'])}{', late' if r['late'] else ''}</td></tr>"
        for name, r in zip(about["counts"], results))
    return f"<table><caption>Students</caption><thead><tr><th>student<th>points<th>status</tr></thead><tbody>{rows}</tbody></table>"


def changes_part(store):
    items = "".join(f"<li>{text(c['student'])}, {text(c['question'])}: {c['before']:g} → {c['after']:g} ({text(c['why'])})</li>"
                    for c in store.changed()[-500:])
    return f"<h2>Points that changed since they were first given</h2><ul>{items}</ul>" if items else ""


def plots(results, figures, open_points):
    """The histogram of points and the success of each question, with a sentence each."""
    import matplotlib
    matplotlib.use("Agg")
    from helpers.plotting import COLOURS, figure
    points = [total(r, open_points.get(r["student"], [])) for r in results]
    of = max((r["of"] for r in results), default=1)
    fig, (left, right) = figure(2, width=11, height=3.4)
    left.hist(points, bins=np.linspace(0, max(of, *points, 1), 21), color=COLOURS[0])
    left.set(xlabel="points", ylabel="students")
    right.bar([f["id"].split(".")[-1] for f in figures], [100 * f["success"] for f in figures], color=COLOURS[2])
    right.set(xlabel="question", ylabel="points reached (%)", ylim=(0, 100))
    alt = f"Left: points of {len(points)} students, half of them have at least {np.median(points):g} of {of:g}. Right: points reached in each question"
    hardest = min(figures, key=lambda f: f["success"], default=None)
    alt += f"; least in {hardest['id']}, {100 * hardest['success']:.0f} %." if hardest else "."
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None})
    import matplotlib.pyplot
    matplotlib.pyplot.close(fig)
    return f'<figure><img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}" alt="{text(alt)}"><figcaption>{text(alt)}</figcaption></figure>'
