"""Which features are meant: a bool for all, a mask, indices, and the errors of anything else."""

import numpy as np
import pytest

from helpers._checks import feature_mask


@pytest.mark.parametrize(
    "features, wanted",
    [
        (True, [1, 1, 1]),
        (np.False_, [0, 0, 0]),
        ([True, False, True], [1, 0, 1]),
        ([2, 0], [1, 0, 1]),
        (np.array([-1]), [0, 0, 1]),
        ([], [0, 0, 0]),
        ("auto", [1, 1, 1]),
    ],
)
def test_a_mask_of_the_features_meant(features, wanted):
    mask = feature_mask(features, 3, auto=True)
    assert mask.dtype == bool and mask.tolist() == [bool(w) for w in wanted]


@pytest.mark.parametrize("features", [[3], [True], [[0, 1]] * 2 + [[0, 3]], [0.5], ["a"]])
def test_what_does_not_fit_is_refused(features):
    with pytest.raises(ValueError, match="does not fit X with its 3 columns: give a mask"):
        feature_mask(features, 3)


def test_auto_is_a_choice_only_where_it_means_something():
    assert not feature_mask("auto", 3, auto=False).any()
    with pytest.raises(ValueError, match="'auto': use bool, mask or indices"):
        feature_mask("auto", 3)
    with pytest.raises(ValueError, match="'all': use 'auto', bool, mask or indices"):
        feature_mask("all", 3, auto=True)
