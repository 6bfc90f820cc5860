"""Grading: ``check`` tells a learner at once what is wrong; the same declarations grade a class."""

from grading.check import case, check, hint, notation
from grading.practise import practise
from grading.progress import progress

__all__ = ["case", "check", "hint", "notation", "practise", "progress"]
