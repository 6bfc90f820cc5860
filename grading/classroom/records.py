"""What passes between commands, workers and the folder of grades. Its form as JSON is decided here alone."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

NEEDS_A_HUMAN = "needs a human"


def known(kind, data):
    """The fields of a dataclass that a dict has: older files lack some, newer ones have more."""
    return {f.name: data[f.name] for f in fields(kind) if f.name in data}


@dataclass(frozen=True)
class Answer:
    """One question of one submission.

    made_by : hashes of the question and of the environment that judged it
    key : changes when anything changes on which these points depend
    lost : [case, draw, first difference] of each case that failed
    """

    points: float
    of: float
    notes: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    source: str = ""
    made_by: dict[str, str] | None = None
    key: str = ""
    lost: list[list] = field(default_factory=list)

    @classmethod
    def from_json(cls, data):
        return cls(**known(cls, data))


@dataclass(frozen=True)
class Handed:
    """What is known of a file before it is read. `submitted`: ISO 8601; `order`: the homework's questions."""

    file: str = ""
    submitted: str = ""
    late: bool = False
    order: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Graded:
    """The result of a submission: what stands in its file in results/.

    status : "graded", or "needs a human" for the reason given
    questions : {question's id: Answer}
    errors : what cells of the notebook raised
    """

    student: str
    homework: str
    sha256: str
    of: float
    status: str = "graded"
    reason: str = ""
    points: float = 0.0
    questions: dict[str, Answer] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    handed: Handed = Handed()

    @property
    def is_graded(self) -> bool:
        return self.status == "graded"

    def of_file(self, handed: Handed) -> Graded:
        return replace(self, handed=handed)

    def to_json(self) -> dict:
        """Flat, as the files have been from the first."""
        data = asdict(self)
        for answer in data["questions"].values():
            if not answer["lost"]:  # as it was written before this was kept
                del answer["lost"]
        return data | data.pop("handed")

    @classmethod
    def from_json(cls, data):
        """Raises TypeError or KeyError for what is no result."""
        questions = {id: Answer.from_json(answer) for id, answer in data.get("questions", {}).items()}
        numbers = [
            data["of"],
            data.get("points", 0.0),
            *(n for a in questions.values() for n in (a.points, a.of)),
        ]
        words = [
            data["student"],
            data["homework"],
            data["sha256"],
            data.get("status", ""),
            data.get("reason", ""),
        ]
        if not all(isinstance(n, (int, float)) for n in numbers) or not all(
            isinstance(w, str) for w in words
        ):
            raise TypeError("no result")
        handed = Handed(**known(Handed, data))
        return cls(**known(cls, data) | {"questions": questions, "handed": handed})


@dataclass(frozen=True)
class Job:
    """A submission to grade.

    name : of its result's file
    answers : {question's id: Answer} that need not be graded again
    errors : what its cells raised then
    problem : why nobody can grade it, where that is known already
    attempts : workers that died on it
    """

    name: str
    student: str
    data: bytes
    handed: Handed = Handed()
    answers: dict[str, Answer] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    problem: str = ""
    attempts: int = 0

    def again(self) -> Job:
        return replace(self, attempts=self.attempts + 1)

    def to_json(self) -> dict:
        return asdict(self) | {"data": base64.b64encode(self.data).decode()}

    @classmethod
    def from_json(cls, data):
        submission, handed = base64.b64decode(data["data"]), Handed(**data["handed"])
        answers = {id: Answer.from_json(answer) for id, answer in data["answers"].items()}
        return cls(**data | {"data": submission, "handed": handed, "answers": answers})


@dataclass(frozen=True)
class Settings:
    """What a worker is started with. The salt is neither printed nor an argument of a process."""

    homework: Path
    salt: str = field(repr=False)
    limits: dict[str, int] = field(default_factory=dict)
    safe: bool = True

    def to_json(self) -> dict:
        return asdict(self) | {"homework": str(self.homework)}

    @classmethod
    def from_json(cls, data):
        return cls(**data | {"homework": Path(data["homework"])})


@dataclass(frozen=True)
class Reply:
    """A worker's: the result, and seconds of each question."""

    result: Graded
    seconds: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict:
        return {"result": self.result.to_json(), "seconds": self.seconds}

    @classmethod
    def from_json(cls, data):
        return cls(Graded.from_json(data["result"]), data["seconds"])


def sha_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
