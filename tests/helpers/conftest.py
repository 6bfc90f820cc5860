"""With HELPERS_PLAIN=1 the plain code answers alone: it owes nothing in speed and memory."""

import pytest

from helpers import _fast


def pytest_collection_modifyitems(items):
    if not _fast.is_open():
        for item in items:
            if item.get_closest_marker("speed"):
                item.add_marker(pytest.mark.skip(reason="about the drawer, which HELPERS_PLAIN=1 keeps shut"))
