"""Where homework is found: in the course's folder `homework`, and in a lecturer's own beside the notebook.

A homework is a folder in a folder called `homework`. It holds questions.py, and of these what it needs:
variants.py (fresh numbers, for `practise`), figures.py (what is drawn) and tried_answers.py (answers that put
the questions to the test). The folder's name is the first part of the ids of its questions.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from grading.imports import ROOT
from grading.question import REGISTRY, Question

PACKAGE = "homework"


class NoQuestion(KeyError):
    """The id names no question, or none of the kind; a notebook shows the sentence without a traceback."""

    def __str__(self):
        return self.args[0]

    def _render_traceback_(self):
        return [str(self)]


def join(start: Path) -> None:
    """Let each folder `homework` beside a notebook, or above it, join the course's own.

    start : the notebook's folder. A folder with the engine in it is another copy of the course: it stays out.
    """
    here, known = Path(start).resolve(), places()
    for folder in (here, *here.parents):
        place, is_a_course = folder / PACKAGE, (folder / "grading").is_dir()
        if str(place) not in known and not is_a_course and any(place.glob("*/questions.py")):
            known.append(str(place))


def places() -> list[str]:
    """The folders called `homework`, the course's own first: the package's path."""
    package, own = importlib.import_module(PACKAGE), str(ROOT / PACKAGE)
    if own not in package.__path__:  # a lecturer's folder with an __init__.py came first
        package.__path__ = [own, *package.__path__]
    return package.__path__


def roots() -> tuple[Path, ...]:
    """The folders that hold these, from which their modules have their dotted names."""
    return tuple(Path(place).parent for place in places())


def folders() -> dict[str, Path]:
    """{"music": the folder of that homework}."""
    found = {}
    for place in places():
        for path in sorted(Path(place).glob("*/questions.py")):
            topic, folder = path.parent.name, path.parent
            if topic in found:
                raise NoQuestion(
                    f"two homeworks are called {topic!r}: {found[topic]} and {folder}; rename yours"
                )
            found[topic] = folder
    return found


def folder_of(topic: str) -> Path:
    """The folder of that homework."""
    if topic not in (known := folders()):
        raise NoQuestion(f"there is no homework {topic!r}; there are {', '.join(known)}")
    return known[topic]


def topics() -> list[str]:
    """The names of all homeworks."""
    return list(folders())


def load(topic: str, part: str) -> ModuleType | None:
    """A part of a homework ("questions", "variants", …); None where it has no such file."""
    if not (folders()[topic] / f"{part}.py").is_file():
        return None
    return importlib.import_module(f"{PACKAGE}.{topic}.{part}")


def find(id: str) -> Question:
    """The question of that id; imports only its own homework."""
    id = str(id).strip().lower()
    topic = id.split(".")[0]
    folder_of(topic)
    load(topic, "questions")
    if id not in REGISTRY:
        known = ", ".join(q.id for q in REGISTRY.values() if q.topic == topic)
        raise NoQuestion(f"there is no question {id!r}; {topic} has {known}")
    return REGISTRY[id]


def all_questions(topic: str | None = None) -> list[Question]:
    """Every question, or every question of one homework, in the order declared."""
    for name in topics() if topic is None else [topic]:
        load(name, "questions")
    return [q for q in REGISTRY.values() if topic in (None, q.topic)]
