"""The process of one worker: jobs come in as lines of JSON, replies go out so. See worker_pool.py.

The first line holds the salt; it is neither an argument nor a variable, which others could read.
"""

import json
import os
import sys

from grading.classroom.answers import Homework
from grading.classroom.records import Job, Reply, Settings
from grading.classroom.submission_grader import Grader
from grading.sandbox.host import SandboxEnded, SandboxError
from grading.sandbox.inside.isolation import die_with_parent

MEMORY = 8 * 2**30  # bytes of this process: what a submission sends must not take the machine's


def limit_memory(most):
    """The soft limit alone: processes of submissions set their own."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))


def main():
    if sys.platform.startswith("linux"):  # killed with -9, who started it can end nothing
        die_with_parent()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a question prints is no reply

    def say(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    limit_memory(MEMORY)
    settings = Settings.from_json(json.loads(sys.stdin.readline()))
    grader = Grader(Homework(settings.homework), settings.salt, settings.limits, safe=settings.safe)
    try:
        grader.ready()
    except SandboxEnded:
        raise  # as at any later time: this worker dies of it
    except SandboxError as problem:
        return say({"refused": str(problem)})
    titles = {q.id: q.title for q in grader.homework.questions}
    say({"layers": grader.sandbox.layers(), "titles": titles})
    for line in sys.stdin:
        job = Job.from_json(json.loads(line))
        result = grader.grade(job.student, job.data, job.answers, job.errors)
        say(Reply(result, grader.seconds_of).to_json())
    grader.close()


if __name__ == "__main__":
    main()
