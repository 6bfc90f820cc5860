"""One grader in a process of its own: jobs come in as lines of JSON, results go out so. See grade.py.

The first line holds the salt; it is neither an argument nor a variable, which others could read.
"""

import base64
import json
import os
import sys

__all__ = ["main"]


def main():
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    from pathlib import Path

    from grading.classroom.answers import Homework
    from grading.classroom.one import Grader
    from grading.sandbox.host import SandboxEnded, SandboxError

    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a question prints is no reply
    settings = json.loads(sys.stdin.readline())

    def say(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    homework = Homework(Path(settings["homework"]))
    grader = Grader(homework, settings["salt"], settings["limits"], safe=settings["safe"])
    try:
        grader.ready()
    except SandboxEnded:
        raise  # as at any later time: this worker dies of it
    except SandboxError as problem:
        return say({"refused": str(problem)})
    say({"ready": True})
    for line in sys.stdin:
        job = json.loads(line)
        result = grader.grade(job["student"], base64.b64decode(job["data"]), job["known"], job["errors"])
        say({"result": result, "seconds": grader.seconds_of})
    grader.close()


if __name__ == "__main__":
    main()
