"""A learner's own mistake, drawn: for every mistake that has a form, with a sentence that holds a number."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from grading.pictures import PICTURES, picture
from grading.registry import find, load, topics

for topic in topics():
    load(topic, "figures")


@pytest.mark.parametrize("id", PICTURES)
def test_most_mistakes_can_be_drawn(id):
    q, drawn = find(id), []
    for mistake in q.mistakes:
        args = q.task(0, 0).args
        with np.errstate(all="ignore"):
            made = picture(q, mistake.answer(*args), args)
        if made:
            fig, sentence = made
            assert re.search(r"\d", sentence) and sentence.endswith(".") and fig.axes
            drawn.append(sentence)
            plt.close(fig)
    assert len(drawn) >= 0.7 * len(q.mistakes) and len({*drawn}) > 1


def test_what_has_another_form_is_not_drawn():
    for id in PICTURES:
        args = find(id).task(0, 0).args
        for junk in (None, 3, "no", [[1]], np.zeros((2, 0)), {}):
            made = picture(find(id), junk, args)
            if made:  # an empty list of folds can be drawn: all rows are untested
                plt.close(made[0])
            assert not plt.get_fignums(), f"{id}: {junk}"


def test_every_chapter_draws_a_mistake():
    assert {id.split(".")[0] for id in PICTURES} == {*topics()} - {"capstone"}


def test_folds_that_lose_rows_are_told():
    fig, sentence = picture(find("selection.2"), [[0, 1], [1, 2]], (5, 2, 0))
    plt.close(fig)
    assert "2 rows are never tested, 1 more than once; sizes from 2 to 2." in sentence
