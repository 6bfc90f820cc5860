"""The folder's doors: every name leads to its home, and is fetched when it is asked for."""
import pytest

import helpers.preprocessing


@pytest.mark.parametrize("name", helpers.preprocessing.__all__)
def test_every_name_is_there(name):
    assert getattr(helpers.preprocessing, name).__name__ == name
    assert name in dir(helpers.preprocessing)
    assert name not in vars(helpers.preprocessing)                      # nothing is imported in advance


def test_other_names_are_told_apart():
    with pytest.raises(AttributeError, match="no 'Other'; it has .*Scaler"):
        helpers.preprocessing.Other
