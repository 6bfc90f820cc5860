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
    from helpers.grading.answers import Homework
    from helpers.grading.one import Grader
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)                                           # what a question prints is no reply
    settings = json.loads(sys.stdin.readline())
    grader = Grader(Homework(Path(settings["homework"])), settings["salt"], settings["limits"])
    for line in sys.stdin:
        job = json.loads(line)
        result = grader.grade(job["student"], base64.b64decode(job["data"]), job["known"])
        replies.write(json.dumps(result) + "\n")
        replies.flush()
    grader.close()


if __name__ == "__main__":
    main()
