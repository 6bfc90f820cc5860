"""`course progress`: what of the homework is done, and what to review next.

`check`, in a notebook in ``exercises/``, adds a line of JSON for each verdict to ``.progress.jsonl`` in the
course's folder: when, which question, how many points. You may read the file, and delete it. It is never
sent anywhere.
"""

import json
import time
from pathlib import Path

from grading.folder import course_folder
from grading.questions_asked import questions_asked
from grading.registry import all_questions, join, topics

FILE = ".progress.jsonl"
_reached: dict[str, float] = {}  # since the notebook was started: also where nothing can be written


def note(question, points, of, folder=None):
    """Add a verdict to the file. A disk that is full or read-only is no reason to stop a learner."""
    _reached[question] = max(points, _reached.get(question, 0))
    try:
        folder = folder or course_folder()
        if not _is_homework(folder):
            return
        line = {
            "when": time.strftime("%Y-%m-%dT%H:%M:%S"),
            "question": question,
            "points": float(points),
            "of": float(of),
        }
        with open(Path(folder) / FILE, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    except (OSError, LookupError, TypeError, ValueError):
        pass


def _is_homework(folder):
    """The notebook lies in exercises/: it is no lecturer's solution, no test."""
    return Path(folder, "exercises").resolve() in ((here := Path.cwd()), *here.parents)


def reached():
    """{"music.3": points} of this learner; None where this is nobody's homework."""
    try:
        folder = course_folder()
    except LookupError:
        return dict(_reached)  # a homework that was released: its folder is all there is
    if not _is_homework(folder):
        return None
    noted = {name: one["points"] for name, one in best(folder).items()}
    return {name: max(noted.get(name, 0), _reached.get(name, 0)) for name in {*noted, *_reached}}


def standing(asked, points):
    """One line: what of a homework is reached, and which question comes next.

    asked : its questions
    points : {"music.3": points}
    """
    left = [q for q in asked if points.get(q.id, 0) < q.points]
    core = [q for q in asked if q.core]
    done = f"{sum(points.get(q.id, 0) for q in asked):g} of {sum(q.points for q in asked):g} points"
    if core:
        done += f", {sum(q not in left for q in core)} of {len(core)} core questions"
    following = next((q for q in left if q.core), left[0] if left else None)
    return f"{done}. Next: {following.id}" if following else f"{done}. All that check can judge is done."


def progress(topic=None):
    """Print what of a homework is reached: of that topic ("music"), or of all that were begun."""
    join(Path.cwd())
    points = reached() if reached() is not None else dict(_reached)
    begun = {name.split(".")[0] for name in points}
    chosen = [one for one in topics() if one == topic or topic is None and one in begun]
    if not chosen:
        print("Nothing was checked yet." if topic is None else f"there is no homework {topic!r}")
    for one in chosen:
        asked = all_questions(one)
        print(f"{one}, best so far: {standing(asked, points)}")
        for q in asked:
            mark = "✓" if points.get(q.id, 0) >= q.points else "·" if q.id in points else " "
            got = f"{points.get(q.id, 0):g} / {q.points:g}"
            print(f"  {mark} {q.id:<17} {got:>7}  {'core  ' if q.core else '      '}{q.title}")


def best(folder):
    """{"music.3": {"points": 2.0, "of": 4.0, "tries": 5}}: the best verdict of each question.

    Lines that are damaged are skipped.
    """
    found = {}
    path = Path(folder) / FILE
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    for line in lines:
        try:
            one = json.loads(line)
            name, points, of = one["question"], float(one["points"]), float(one["of"])
        except (ValueError, KeyError, TypeError):
            continue
        old = found.get(name, {"points": 0.0, "tries": 0})
        found[name] = {"points": max(points, old["points"]), "of": of, "tries": old["tries"] + 1}
    return found


def homework(folder):
    """{"02-music": ["music.1", …]}: the questions of each exercise."""
    return {
        path.stem: [
            name
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "code"
            for name in questions_asked("".join(cell["source"]))
        ]
        for path in sorted((Path(folder) / "exercises").glob("[0-9]*.ipynb"))
    }


def summary(folder):
    """The lines that `course progress` prints."""
    verdicts, lines, review = best(folder), [], []
    for stem, names in homework(folder).items():
        tried = [name for name in names if name in verdicts]
        done = [name for name in tried if verdicts[name]["points"] >= verdicts[name]["of"]]
        begun = f", {len(tried) - len(done)} begun" if len(tried) > len(done) else ""
        lines.append(f"{stem:<42} {len(done):>2} of {len(names)} done{begun}")
        review += [
            (verdicts[name]["points"] / verdicts[name]["of"], name, stem)
            for name in tried
            if name not in done
        ]
    if not verdicts:
        return [*lines, "", "No question was checked yet. Open a notebook in exercises/ and begin."]
    lines += ["", f"Noted in {Path(folder) / FILE}; it stays here."]
    if review:
        lines += ["", "Review next:"]
        lines += [
            f"  {name}: {share:.0%} after {verdicts[name]['tries']} tries; "
            f'read chapter {int(stem[:2])} again, or ask hint("{name}")'
            for share, name, stem in sorted(review)[:5]
        ]
    return lines


def arguments(parser):
    parser.add_argument(
        "folder", nargs="?", type=Path, help="the course's folder; without it, the one around you"
    )


def run(options):
    folder = options.folder or course_folder()
    if not (folder / "exercises").is_dir():
        print("The course is not here: go to its folder, the one with exercises/ in it.")
        return 1
    print("\n".join(summary(folder)))
    return 0
