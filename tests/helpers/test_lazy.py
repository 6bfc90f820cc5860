"""A package's doors: every name leads to its home, and is fetched when it is asked for."""

import importlib
import pkgutil

import pytest

import helpers

PACKAGES = [
    importlib.import_module(f"helpers.{module.name}")
    for module in pkgutil.iter_modules(helpers.__path__)
    if module.ispkg and not module.name.startswith(("_", "draw", "reading"))
]
over_packages = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)


def test_all_packages_of_algorithms_are_here():
    assert len(PACKAGES) == 9


@over_packages
def test_every_name_is_there(package):
    assert dir(package) == package.__all__ == sorted(set(package.__all__))
    for name in package.__all__:
        offered = getattr(package, name)
        assert offered.__name__ == name and offered.__module__.startswith(package.__name__)


@over_packages
def test_nothing_is_imported_in_advance(package):
    assert set(package.__all__) & set(vars(package)) <= {"hog"}  # a function in a module of its own name


@over_packages
def test_other_names_are_told_apart(package):
    with pytest.raises(
        AttributeError, match=f"{package.__name__} has no 'Other'; it has {package.__all__[0]}, "
    ):
        _ = package.Other


def test_a_module_of_the_same_name_does_not_hide_the_function():
    importlib.import_module("helpers.feature_extraction.hog")
    from helpers.feature_extraction import hog

    assert callable(hog)
