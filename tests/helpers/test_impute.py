"""The folder's doors: every name leads to its home, and is fetched when it is asked for."""
import pytest

import helpers.impute


@pytest.mark.parametrize("name", helpers.impute.__all__)
def test_every_name_is_there(name):
    assert getattr(helpers.impute, name).__name__ == name
    assert name in dir(helpers.impute)
    assert name not in vars(helpers.impute)                      # nothing is imported in advance


def test_other_names_are_told_apart():
    with pytest.raises(AttributeError, match="no 'Other'; it has .*Imputer"):
        helpers.impute.Other
