"""Data that a notebook carries along: it does not find the inputs of a class among them."""

from dataclasses import replace

import numpy as np
import pytest

from grading.judge import judge
from grading.registry import find
from helpers.datasets import load_digits
from homework.pca.questions import choose_axes, denoise

SECRET = [(2**62 + 7, i) for i in range(3)]
CLEAN = load_digits()[0]


def nearest(dirty):
    """The digit that a student carries along and that comes nearest."""
    distances = (dirty**2).sum(1)[:, None] - 2 * dirty @ CLEAN.T + (CLEAN**2).sum(1)
    return CLEAN[distances.argmin(axis=1)]


def test_the_clean_digits_in_the_notebook_are_of_no_use():
    question = find("pca.11")
    assert (
        judge(question, lambda args: nearest(*args), [0], show=False).points == question.points
    )  # in public
    assert judge(question, lambda args: nearest(*args), SECRET, show=False).points == 0
    assert judge(question, lambda args: denoise(*args), SECRET, show=False).full


def test_what_is_asked_is_the_same_for_a_pca():
    """Eigenvalues, distances and range are those of the pictures as they are."""
    question = find("pca.11")
    for secret in (SECRET[0], (5, 1)):
        plain = replace(question, disguise=None).task(0, secret)
        asked = question.task(0, secret)
        for one, other in zip((plain.args[0], plain.hidden[0]), (asked.args[0], asked.hidden[0])):
            assert not np.allclose(one, other)
            assert np.allclose(
                np.linalg.eigvalsh(np.cov(one.T)), np.linalg.eigvalsh(np.cov(other.T)), atol=1e-9
            )
            assert np.allclose(np.linalg.norm(one[0] - one[1]), np.linalg.norm(other[0] - other[1]))
        assert asked.hidden[0].min() >= 0 and asked.hidden[0].max() <= 16


def test_the_number_of_axes_is_chosen_on_pixels_that_nobody_knows():
    question = find("pca.10")
    plain, asked = replace(question, disguise=None).task(0, SECRET[0]), question.task(0, SECRET[0])
    assert (plain.args[1] == asked.args[1]).all() and not np.allclose(plain.args[0], asked.args[0])
    assert question.refusal(choose_axes(*asked.args), asked) is None


@pytest.mark.parametrize("id", ["pca.10", "pca.11"])
def test_the_public_inputs_are_pictures_as_ever(id):
    question = find(id)
    plain, asked = replace(question, disguise=None).task(0, 0), question.task(0, 0)
    assert all(np.array_equal(a, b) for a, b in zip(plain.args, asked.args))
