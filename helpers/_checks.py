"""Checks that several families share: a count is a whole number, and a search has to end."""

from functools import wraps
from numbers import Integral, Real

import numpy as np
from sklearn.utils import validation

FLOATS = (np.float64, np.float32)


def whole(table):
    """The table; where entries of a sparse one stand in parts, their sums, in a table of its own."""
    return table if getattr(table, "has_canonical_format", True) else table.tocoo().asformat(table.format)


def of_whole_tables(check):
    """A check of scikit-learn, which lets parts of an entry pass as entries."""
    return wraps(check)(lambda *tables, **how: check(*map(whole, tables), **how))


check_array, check_X_y, validate_data = map(
    of_whole_tables, (validation.check_array, validation.check_X_y, validation.validate_data)
)


def check_choices(estimator, **allowed):
    """Each parameter named is one of those allowed."""
    for name, values in allowed.items():
        if getattr(estimator, name) not in values:
            raise ValueError(f"{name}={getattr(estimator, name)!r}: use one of {values}.")


def check_count(name, value, fewest=1):
    """A whole number, from `fewest` up."""
    if not isinstance(value, Integral) or value < fewest:
        raise ValueError(f"{name}={value!r}: give a whole number from {fewest} up.")


def check_stop(max_iter, tol, *, fewest=1):
    """Steps at most, and a tolerance: one that is negative, or NaN, is never met."""
    check_count("max_iter", max_iter, fewest)
    if not isinstance(tol, Real) or not tol >= 0:
        raise ValueError(f"tol={tol!r}: a tolerance is a number >= 0.")


def feature_mask(features, d, auto=None):
    """`discrete_features` as a mask of shape (d,); `auto`: what 'auto' stands for, if it may."""
    if isinstance(features, str):
        if features != "auto" or auto is None:
            choices = "bool, mask or indices" if auto is None else "'auto', bool, mask or indices"
            raise ValueError(f"discrete_features={features!r}: use {choices}.")
        features = auto
    if np.ndim(features) == 0:
        return np.full(d, bool(features))
    mask = np.zeros(d, dtype=bool)
    try:
        mask[np.asarray(features) if np.size(features) else []] = True
    except IndexError as error:
        raise ValueError(
            f"discrete_features={features!r} does not fit X with its {d} columns: give a mask with one value "
            "for each, or indices of columns."
        ) from error
    return mask
