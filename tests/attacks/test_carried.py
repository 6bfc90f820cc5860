"""Data that a notebook carries along: it does not find the inputs of a class among them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from grading.judge import judge
from grading.question import Task
from grading.registry import find
from helpers.datasets import load_camera, load_digits, load_wine
from homework.pca.questions import choose_axes, denoise
from homework.sparse import questions as sparse

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


WINES, GRAPES, _ = load_wine()
SQUARES = sliding_window_view(load_camera(), (8, 8))[::4, ::4].reshape(-1, 64)


def known_wines(X, y, X_new):
    """Each wine is looked up in the table that a student carries along."""
    names = {tuple(row.round(6)): grape for row, grape in zip(WINES, GRAPES)}
    return np.array([names.get(tuple(row[:13].round(6)), 0) for row in X_new])


def known_squares(noisy, sigma, B):
    """The square of the photograph that comes nearest."""
    distances = (noisy**2).sum(1)[:, None] - 2 * noisy @ SQUARES.T + (SQUARES**2).sum(1)
    return SQUARES[distances.argmin(axis=1)]


def test_the_wines_in_the_notebook_are_of_no_use():
    question = find("knn.12")
    assert judge(question, lambda args: known_wines(*args), [0], show=False).full  # in public
    assert judge(question, lambda args: known_wines(*args), SECRET, show=False).points == 0
    assert judge(question, lambda args: question.truth(*args), SECRET, show=False).full


def test_the_photograph_in_the_notebook_is_of_no_use(monkeypatch):
    """Its squares lie on a grid of 4 pixels here, so that a test can look through all of them."""
    question = find("sparse.11")

    def on_grid(rng, sigma, n=300):
        clean = SQUARES[rng.integers(0, len(SQUARES), size=n)]
        return Task((clean + sigma * rng.normal(size=clean.shape), sigma, sparse.COSINES), hidden=clean)

    monkeypatch.setattr(sparse, "draw_noisy", on_grid)
    assert judge(question, lambda args: known_squares(*args), [0], show=False).full  # in public
    assert judge(question, lambda args: known_squares(*args), SECRET, show=False).points == 0
    assert judge(question, lambda args: question.truth(*args), SECRET, show=False).full


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


@pytest.mark.parametrize("id", ["pca.10", "pca.11", "knn.12", "sparse.11"])
def test_the_public_inputs_are_as_ever(id):
    question = find(id)
    plain, asked = replace(question, disguise=None).task(0, 0), question.task(0, 0)
    assert all(np.array_equal(a, b) for a, b in zip(plain.args, asked.args))
