"""Grading: ``check`` tells a learner at once what is wrong; the same declarations grade a class."""

from grading.check import case, check, hint, notation

__all__ = ["case", "check", "hint", "notation"]
