"""Code books: which classes every binary classifier calls positive, and what words that errors have changed
still say."""

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

__all__ = [
    "code_distance",
    "errors_corrected",
    "exhaustive_code",
    "nearest_code",
    "pair_votes",
    "pairs_code",
    "random_code",
]


def pairs_code(n_classes):
    """Code book of one-vs-one, chapter 11: classifier (i, j), i < j, says -1 for i and +1 for j.

    Parameters
    ----------
    n_classes : int >= 2, K

    Returns
    -------
    code : int array of shape (K, K(K-1)/2), values -1, 0, +1

    Raises
    ------
    ValueError
        Fewer than two classes.

    Examples
    --------
    >>> pairs_code(3)
    array([[-1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1,  1]])
    """
    if n_classes < 2:
        raise ValueError(f"n_classes={n_classes}: a pair needs two classes.")
    i, j = np.triu_indices(n_classes, 1)
    code = np.zeros((n_classes, len(i)), int)
    code[i, np.arange(len(i))] = -1
    code[j, np.arange(len(j))] = 1
    return code


def pair_votes(scores, n_classes, *, threshold=0.0):
    """Votes of the K(K-1)/2 binary classifiers, equal counts told apart by their confidence, (11.3).

    A score above the threshold is a vote for j, else for i. To the votes comes ``c / (3 (|c| + 1))``, where
    c sums how far above (for j) or below (for i) the threshold the scores of a class lie: less than 1/3, so
    that it decides between equal counts only.

    Short version: chapter 11, `count_votes`.

    Parameters
    ----------
    scores : array of shape (n, K(K-1)/2), pairs in the order of `pairs_code`
    n_classes : int, K
    threshold : float, 0 for decision scores, 0.5 for probabilities

    Returns
    -------
    array of shape (n, K)

    References
    ----------
    Hastie and Tibshirani, Classification by pairwise coupling, Annals of Statistics 26, 1998. The rule for
    ties is scikit-learn's (which does not subtract the 0.5 of probabilities: there a tie favours classes
    that sort last).

    Examples
    --------
    A cycle, one vote each: the classifier of (0, 2) was the surest, and spoke for 0.

    >>> pair_votes(np.array([[0.1, -3.0, 0.2]]), 3).round(2)
    array([[1.25, 0.97, 0.75]])
    """
    code = pairs_code(n_classes).astype(float)
    votes = (scores > threshold).astype(float) @ code.T + (code < 0).sum(axis=1)  # all for i, bar the yeses
    confidence = scores @ code.T - threshold * code.sum(axis=1)
    return votes + confidence / (3 * (np.abs(confidence) + 1))


def exhaustive_code(n_classes):
    """Every way to split K classes in two, once: 2^(K-1) - 1 columns, (11.10).

    The first row is all ones; row i (from 1) alternates runs of 2^(K-i) zeros and ones.

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

    References
    ----------
    Dietterich and Bakiri, Solving multiclass learning problems via error-correcting output codes, JAIR 2,
    1995.

    Examples
    --------
    >>> exhaustive_code(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])
    """
    if not 2 <= n_classes <= 16:
        raise ValueError(
            f"An exhaustive code of {n_classes} classes has 2**{n_classes - 1} - 1 columns: "
            "use it for 2 to 16 classes, and code='random' for more."
        )
    return _columns(np.arange(2 ** (n_classes - 1) - 1), n_classes)


def _columns(numbers, n_classes):
    """Column m: a one, then m in binary. All ones is no split, a complement the same: both left out."""
    bits = numbers >> np.arange(n_classes - 2, -1, -1)[:, None] & 1  # (K - 1, M)
    return np.vstack([np.ones(len(numbers), int), bits])


def random_code(n_classes, n_columns, *, random_state=None):
    """A random code book: each classifier has a question, each class a word of its own, chapter 11.

    No column is constant, repeated or the complement of another; rows are distinct.

    Parameters
    ----------
    n_classes : int, K
    n_columns : int, M, from log2 K (fewer cannot tell K classes apart) to 2^(K-1) - 1 (no more questions)
    random_state : int, RandomState or None

    Returns
    -------
    code : int array of shape (K, M) of zeros and ones

    Raises
    ------
    ValueError
        A number of columns out of that range.

    Examples
    --------
    >>> random_code(4, 3, random_state=0).shape
    (4, 3)
    """
    fewest, most = int(np.ceil(np.log2(n_classes))), 2 ** (n_classes - 1) - 1
    if not fewest <= n_columns <= most:
        raise ValueError(
            f"{n_columns} columns for {n_classes} classes: choose {fewest} (words must differ) "
            f"to {most} (there are no more ways to split the classes in two)."
        )
    rng = check_random_state(random_state)
    draw = _draw_rows if n_columns <= 2 * np.log2(n_classes) else _draw_columns
    while True:  # words that differ by construction; questions too, in most draws
        code = draw(n_classes, n_columns, rng)
        split = code ^ code[:1]  # a column and its complement are one split
        if code_distance(code) and split.any(axis=0).all() and len(np.unique(split, axis=1).T) == n_columns:
            return code


def _draw_rows(n_classes, n_columns, rng):
    """Few columns: K different words of M bits."""
    words = sample_without_replacement(2**n_columns, n_classes, method="reservoir_sampling", random_state=rng)
    return words[:, None] >> np.arange(n_columns) & 1


def _draw_columns(n_classes, n_columns, rng):
    """Many columns: M different splits; of very many classes just bits, which hardly ever collide."""
    if n_classes <= 31:
        splits = 2 ** (n_classes - 1) - 1
        return _columns(sample_without_replacement(splits, n_columns, random_state=rng), n_classes)
    return rng.randint(2, size=(n_classes, n_columns))


def code_distance(code):
    """Smallest Hamming distance between two rows of a code of two values, chapter 11.

    Parameters
    ----------
    code : array of shape (K, M), K >= 2, of yes and no

    Returns
    -------
    distance : int, 0 for equal rows

    Raises
    ------
    ValueError
        More than two values: a class that is not asked (0 between -1 and 1) gives no answer to correct.

    Examples
    --------
    >>> code_distance(exhaustive_code(4))
    4
    >>> code_distance(np.eye(4))          # one-vs-rest: one wrong classifier is one too many
    2
    """
    code = np.asarray(code)
    if len(np.unique(code)) > 2:
        raise ValueError(
            f"The code holds the values {np.unique(code)[:5]}: distances correct errors between words of two "
            "values only. Where a class is not asked (0), one wrong answer may be one too many."
        )
    i, j = np.triu_indices(len(code), 1)
    return int((code[i] != code[j]).sum(axis=1).min())


def errors_corrected(distance):
    """Wrong classifiers that a code of this distance always survives: ``(d - 1) // 2``, (11.9).

    With d/2 errors a word may stand half-way between two classes.

    Parameters
    ----------
    distance : int >= 1, or array of such; see `code_distance`

    Returns
    -------
    errors : like distance

    Raises
    ------
    ValueError
        A distance below 1: two classes have the same word.

    Examples
    --------
    >>> [errors_corrected(d) for d in (1, 2, 3, 4, 5)]
    [0, 0, 1, 1, 2]
    """
    if not np.all(np.asarray(distance) >= 1):
        raise ValueError(
            f"distance={distance}: two rows of the code are the same; words must differ to correct anything."
        )
    return (distance - 1) // 2


def nearest_code(outputs, code):
    """Row of the code nearest to each row of outputs (Euclid; between bits that is Hamming).

    Short version: chapter 11, `ecoc_predict`.

    Parameters
    ----------
    outputs : array of shape (n, M), scores or bits of the classifiers
    code : array of shape (K, M)

    Returns
    -------
    rows : int array of shape (n,); of equally near rows the first

    Examples
    --------
    >>> nearest_code(np.array([[1, 1, 1], [0, 0, 0]]), exhaustive_code(3))  # 000: two words are 1 away
    array([0, 1])
    """
    code = np.asarray(code, float)
    return ((code**2).sum(axis=1) - 2 * outputs @ code.T).argmin(axis=1)  # |o - c|² up to |o|²
