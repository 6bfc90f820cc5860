"""Code books: which classes each binary classifier calls positive, and what its words survive, chapter 11."""

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

__all__ = [
    "code_distance",
    "exhaustive_code",
    "nearest_code",
    "pairs_code",
    "random_code",
]


def pairs_code(n_classes):
    """Code book of one-vs-one: classifier (i, j), i < j, says +1 for i, -1 for j; 0 is not asked.

    Parameters
    ----------
    n_classes : int, K

    Returns
    -------
    code : int array of shape (K, K(K-1)/2)

    Raises
    ------
    ValueError
        Fewer than two classes.
    """
    if n_classes < 2:
        raise ValueError(f"n_classes={n_classes}: a pair needs two classes.")
    i, j = np.triu_indices(n_classes, 1)
    code = np.zeros((n_classes, len(i)), int)
    code[i, np.arange(len(i))], code[j, np.arange(len(j))] = 1, -1
    return code


def exhaustive_code(n_classes):
    """Every way to split K classes in two, once: 2^(K-1) - 1 columns, (11.13).

    The first row is all ones; row i (from 1) alternates runs of 2^(K-i) zeros and ones (Dietterich
    and Bakiri 1995).

    Parameters
    ----------
    n_classes : int, K, 2 to 16 (these have 32,767 columns)

    Returns
    -------
    code : int array of shape (K, 2^(K-1) - 1) of zeros and ones

    Raises
    ------
    ValueError
        Fewer than 2 classes, or more than 16.

    Examples
    --------
    >>> exhaustive_code(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])
    """
    if not 2 <= n_classes <= 16:
        raise ValueError(
            f"n_classes={n_classes}: use exhaustive_code for 2 to 16 classes, random_code for more."
        )
    return _splits(np.arange(2 ** (n_classes - 1) - 1), n_classes)


def _splits(numbers, n_classes):
    """Column m: a one, then m in binary. All ones is no split, a complement the same: both left out."""
    bits = numbers >> np.arange(n_classes - 2, -1, -1)[:, None] & 1  # (K - 1, M)
    return np.vstack([np.ones(len(numbers), int), bits])


def random_code(n_classes, n_columns, *, random_state=None):
    """A random code in which no column is constant, repeated or another's complement, and all rows differ.

    Parameters
    ----------
    n_classes : int, K, 2 to 31
    n_columns : int, M, from log2 K (fewer cannot tell K classes apart) to 2^(K-1) - 1 (no more splits)
    random_state : int, RandomState or None

    Returns
    -------
    code : int array of shape (K, M) of zeros and ones

    Raises
    ------
    ValueError
        A number of classes or of columns out of its range.
    """
    if not 2 <= n_classes <= 31:
        raise ValueError(f"n_classes={n_classes}: codes are drawn for 2 to 31 classes.")
    fewest, most = int(np.ceil(np.log2(n_classes))), 2 ** (n_classes - 1) - 1
    if not fewest <= n_columns <= most:
        raise ValueError(
            f"{n_columns} columns for {n_classes} classes: choose {fewest} (words must differ) "
            f"to {most} (there are no more ways to split the classes in two)."
        )
    rng = check_random_state(random_state)
    while True:
        if n_columns > 2 * np.log2(n_classes):  # different splits; their words differ in most draws
            code = _splits(sample_without_replacement(most, n_columns, random_state=rng), n_classes)
        else:  # different words; their splits differ in most draws
            words = rng.choice(2**n_columns, n_classes, replace=False)
            code = words[:, None] >> np.arange(n_columns) & 1
        split = code ^ code[:1]  # a column and its complement are one split
        if code_distance(code) and split.any(axis=0).all() and len(np.unique(split, axis=1).T) == n_columns:
            return code


def code_distance(code):
    """Smallest Hamming distance between two rows, d_min of (11.6).

    Parameters
    ----------
    code : array of shape (K, M), K >= 2, of two values

    Returns
    -------
    distance : int, 0 for equal rows

    Raises
    ------
    ValueError
        Fewer than two rows, or more than two values.
    """
    code = np.asarray(code)
    if code.ndim != 2 or len(code) < 2 or len(np.unique(code)) > 2:
        raise ValueError(
            f"code of shape {code.shape} holds the values {np.unique(code)[:5]}: give two rows or more, of "
            "two values. Where a class is not asked (0), one wrong answer may be one too many."
        )
    i, j = np.triu_indices(len(code), 1)
    return int((code[i] != code[j]).sum(axis=1).min())


def nearest_code(outputs, code):
    """Row of the code nearest to each row of outputs, (11.3): Euclid, between bits that is Hamming.

    Parameters
    ----------
    outputs : array of shape (n, M), what the classifiers say, in the code's unit
    code : array of shape (K, M)

    Returns
    -------
    rows : int array of shape (n,); of equally near rows the first

    Raises
    ------
    ValueError
        Another number of columns than the code's.
    """
    outputs, code = np.asarray(outputs, float), np.asarray(code, float)
    if outputs.ndim != 2 or code.ndim != 2 or outputs.shape[1] != code.shape[1]:
        raise ValueError(f"outputs {outputs.shape}, code {code.shape}: give a column for each classifier.")
    return ((code**2).sum(axis=1) - 2 * outputs @ code.T).argmin(axis=1)  # |o - c|² up to |o|²
