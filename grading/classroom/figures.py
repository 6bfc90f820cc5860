"""What the results of a class say about its questions and about the class: plain numbers for the report."""

from __future__ import annotations

import csv
from collections import Counter

import numpy as np

from grading.classroom.records import Answer
from grading.judge import NOT_ATTEMPTED

FEW, ENOUGH = 5, 10  # fewer submissions give no correlation; fewer no verdict on a question
BY_CHANCE = 1.645  # of a class in which a question has no link to the others, 5 % go below -BY_CHANCE / √n
ABSENT = Answer(0.0, 1.0, [NOT_ATTEMPTED])


def class_figures(results, seconds=None) -> list[dict]:
    """One dict for each question.

    results : of each student, the one that counts
    seconds : {question id: [seconds]}
    """
    graded = [r for r in results if r.questions]
    return [
        question_figures(id, graded, (seconds or {}).get(id, []))
        for id in (graded[0].handed.order if graded else [])
    ]


def question_figures(id, graded, seconds=()) -> dict:
    """Success, discrimination, commonest mistakes and time of a question, and who makes its tests suspect."""
    answers = [r.questions.get(id, ABSENT) for r in graded]
    share = np.array([a.points / a.of for a in answers])
    rest = np.array([r.points for r in graded]) - [a.points for a in answers]
    tried = np.array([a.notes != [NOT_ATTEMPTED] for a in answers])
    discrimination = correlation(share, rest)
    missed = [r.student for r, missed in zip(graded, missed_by(share, rest, tried)) if missed]
    against = (
        discrimination is not None
        and len(share) >= ENOUGH
        and discrimination < -BY_CHANCE / np.sqrt(len(share))
    )
    return {
        "id": id,
        "n": len(share),
        "success": float(share.mean()),
        "full": int((share > 0.999).sum()),
        "none": int((share < 0.001).sum()),
        "tried": int(tried.sum()),
        "discrimination": discrimination,
        "mistakes": Counter(m for a in answers for m in a.mistakes).most_common(),
        "seconds": (float(np.median(seconds)), float(max(seconds))) if len(seconds) else None,
        "missed": missed,
        "against": bool(against),
        "suspect": bool(missed or against),
    }


def correlation(share, rest):
    """Of a question's points with the points of all others; None where one is constant or the class tiny."""
    varies = len(share) >= FEW and share.std() > 1e-9 and rest.std() > 1e-9
    return float(np.corrcoef(share, rest)[0, 1]) if varies else None


def missed_by(share, rest, tried):
    """Good students who tried and failed, where most of the good ones did: True at their places.

    Good: the best fifth of the class in all other questions.
    """
    good = (rest >= np.quantile(rest, 0.8)) & tried if len(share) >= ENOUGH else np.zeros(len(share), bool)
    return (
        good & (share < 0.5) if good.sum() >= 2 and share[good].mean() < 0.5 else np.zeros(len(share), bool)
    )


def seconds_taken(store, names) -> dict:
    """{question id: [seconds of each of these results]}: the last time that each was graded."""
    last, path = {}, store.folder / "times.csv"
    if path.is_file():
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.reader(file):
                if len(row) == 3 and row[0] in names and row[2].replace(".", "", 1).isdigit():
                    last[row[0], row[1]] = float(row[2])
    found = {}
    for (_, id), seconds in last.items():
        found.setdefault(id, []).append(seconds)
    return found
