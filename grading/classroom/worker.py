"""The process of one worker: jobs come in as lines of JSON, replies go out so. See workers.py.

The first line holds the salt; it is neither an argument nor a variable, which others could read.
"""

import json
import os
import sys

from grading.classroom.answers import Homework
from grading.classroom.grader import Grader
from grading.classroom.records import Job, Reply, Settings
from grading.sandbox.host import SandboxEnded, SandboxError

__all__ = ["main"]


def main():
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a question prints is no reply

    def say(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    settings = Settings.from_json(json.loads(sys.stdin.readline()))
    grader = Grader(Homework(settings.homework), settings.salt, settings.limits, safe=settings.safe)
    try:
        grader.ready()
    except SandboxEnded:
        raise  # as at any later time: this worker dies of it
    except SandboxError as problem:
        return say({"refused": str(problem)})
    say({"ready": True})
    for line in sys.stdin:
        job = Job.from_json(json.loads(line))
        result = grader.grade(job.student, job.data, job.answers, job.errors)
        say(Reply(result, grader.seconds_of).to_json())
    grader.close()


if __name__ == "__main__":
    main()
