"""Equal up to what the mathematics leaves open: sign, order, rotation, subspace, scale.

Every function takes two arrays and answers True or False. Lists and data frames count as arrays. Other
shapes, NaN, infinities and text are unequal, never an error: a wrong answer must be refused, not crash the
grader. Vectors stand in the columns (``axis=1``, components of a (d, k) matrix); with ``axis=0`` in the rows.
"""

from numbers import Real

import numpy as np

__all__ = [
    "close",
    "same_labels",
    "same_set",
    "same_subspace",
    "same_up_to_rotation",
    "same_up_to_scale",
    "same_up_to_sign",
    "same_up_to_sign_and_order",
    "same_sources",
]

ROUNDING = 1e-12  # an imaginary part as small as this, against the largest number, is none
SINGLE = 1e-5  # what numbers of single precision may differ by, which have seven digits


def numbers(value):
    """A finite float array, or None when `value` is nothing of the kind.

    Complex numbers whose imaginary parts are 0 are their real parts: `np.linalg.eig` returns such.
    """
    try:
        array = np.asarray(value)
        if array.dtype == object and all(isinstance(x, Real) for x in array.flat):  # "1" is text, not 1
            array = array.astype(float)
    except Exception:  # whatever it is that a student returned, it is no array
        return None
    if array.dtype.kind == "c" and _largest(array.imag) <= ROUNDING * _largest(array.real):
        array = array.real
    if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        return None
    return array.astype(float)


def tolerance(*arrays, tol=1e-8):
    """What arrays may differ by: `tol`, or the digits of single precision where one of them has no more."""
    return max(tol, SINGLE) if any(map(_is_single, arrays)) else tol


def _is_single(array):
    """Whether these are numbers of float32, whatever holds them; halves are exact in both."""
    with np.errstate(over="ignore", invalid="ignore"):
        fits = [np.array_equal(array, array.astype(kind)) for kind in (np.float16, np.float32)]
    return fits == [False, True] and not np.array_equal(array, array.round())


def _pair(a, b, tol):
    """Both as finite arrays of one shape, in units of the largest number, with their tolerance; or None."""
    a, b = numbers(a), numbers(b)
    if a is None or b is None or a.shape != b.shape:
        return None
    unit = max(_largest(a), _largest(b)) or 1.0  # no product overflows
    return a / unit, b / unit, tolerance(a, b, tol=tol)


def _largest(a, axis=None):
    return np.abs(a).max(axis=axis, initial=0)


def _matrices(a, b, axis, tol):
    """Both as (length, k) matrices with the vectors in the columns, and their tolerance; a vector is one."""
    pair = _pair(a, b, tol)
    if pair is None or pair[0].ndim not in (1, 2):
        return None
    return *(m[:, None] if m.ndim == 1 else m if axis == 1 else m.T for m in pair[:2]), pair[2]


def _pairs(costs):
    """Row i goes with column j, at the least cost in all."""
    from scipy.optimize import linear_sum_assignment  # here: most of the time that `grading` takes to import

    return linear_sum_assignment(costs)


def _near(a, b, tol):
    """Largest difference against the largest number of the two."""
    return bool(_largest(a - b) <= tol * max(_largest(a), _largest(b)))


def close(a, b, tol=1e-8):
    """Equal numbers in equal places: ``max|a - b| <= tol · max(|a|, |b|)``.

    Parameters
    ----------
    a, b : arrays of one shape, or numbers
    tol : float, against the largest number in both

    Returns
    -------
    same : bool

    Examples
    --------
    >>> close([0.1 + 0.1 + 0.1], [0.3]), close([1, 2], [2, 1]), close([1, 2], [[1], [2]])
    (True, False, False)
    """
    pair = _pair(a, b, tol)
    return pair is not None and _near(*pair)


def same_labels(a, b):
    """Equal class labels in equal places; numbers or text.

    Parameters
    ----------
    a, b : arrays of one shape, of numbers or of text

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_labels(["a", "b"], np.array(["a", "b"]))
    True
    >>> same_labels([1, 2], [1.0, 2.0])
    True
    >>> same_labels([1], ["1"])
    False
    """
    try:
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or (a.dtype.kind in "biuf") != (b.dtype.kind in "biuf"):
            return False
        return bool(np.all(a == b))
    except Exception:  # ragged lists, objects that refuse to be compared
        return False


def same_set(a, b):
    """Equal members in any order; none may occur twice. Lists, arrays and sets are compared, text is not.

    Parameters
    ----------
    a, b : list, array of shape (n,) or set

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_set([3, 1], {1, 3}), same_set([1, 1, 3], [1, 3]), same_set("ab", ["a", "b"])
    (True, False, False)
    """
    a, b = _members(a), _members(b)
    return a is not None and a == b


def _members(values):
    """What a list, array or set holds; None for text, for a member twice or NaN, and for all else."""
    try:
        count, members = len(values), set(values)
        proper = len(members) == count and all(m == m for m in members)
    except Exception:  # nothing to count, or members that no set takes
        return None
    return members if proper and not isinstance(values, (str, bytes, dict)) else None


def same_up_to_sign(A, B, tol=1e-8, axis=1):
    """Every vector equal to its partner or to its partner's negative.

    Parameters
    ----------
    A, B : arrays of one shape (d, k), or (d,) for one vector
    tol : float, against the largest number in both
    axis : 1 or 0
        The vectors are the columns (1) or the rows (0).

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_up_to_sign([[1, 2], [3, 4]], [[-1, 2], [-3, 4]])
    True
    >>> same_up_to_sign([[1, 2], [3, 4]], [[1, -2], [3, 4]])
    False
    """
    pair = _matrices(A, B, axis, tol)
    if pair is None:
        return False
    A, B, tol = pair
    signs = np.where((A * B).sum(axis=0) < 0, -1, 1)
    return _near(A * signs, B, tol)


def same_up_to_sign_and_order(A, B, tol=1e-8, axis=1):
    """The same vectors in some order, each up to its sign.

    Parameters
    ----------
    A, B : arrays of one shape (d, k), or (d,) for one vector
    tol : float, against the largest number in both
    axis : 1 or 0
        The vectors are the columns (1) or the rows (0).

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_up_to_sign_and_order([[1, 2], [3, 4]], [[-2, 1], [-4, 3]])
    True
    """
    pair = _matrices(A, B, axis, tol)
    if pair is None:
        return False
    A, B, tol = pair
    signs = np.where(A.T @ B < 0, -1, 1)
    gaps = np.abs(A[:, :, None] - signs * B[:, None, :]).max(axis=0, initial=0)  # (i, j): vector i against j
    i, j = _pairs(gaps)
    return _near(A[:, i], signs[i, j] * B[:, j], tol)


def same_up_to_rotation(A, B, tol=1e-8, axis=1):
    """``B = A R`` with ``RᵀR = I``: other orthonormal coordinates for the same points (Procrustes).

    Parameters
    ----------
    A, B : arrays of one shape (n, k)
        Points in the rows, coordinates in the columns; with ``axis=0`` the other way round.
    tol : float, against the largest number in both
    axis : 1 or 0

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_up_to_rotation([[1, 0], [0, 2]], [[0, 1], [2, 0]])
    True
    >>> same_up_to_rotation([[1, 0], [0, 2]], [[2, 0], [0, 1]])
    False
    """
    pair = _matrices(A, B, axis, tol)
    if pair is None:
        return False
    A, B, tol = pair
    U, _, Vt = np.linalg.svd(A.T @ B)  # R = U Vᵀ brings A closest to B
    return _near(A @ (U @ Vt), B, tol)


def same_subspace(A, B, tol=1e-8, axis=1):
    """The vectors of A and of B span the same space: the projectors agree.

    Parameters
    ----------
    A, B : arrays of shapes (d, k) and (d, l)
        The numbers of vectors may differ.
    tol : float, against the largest number in both projectors
    axis : 1 or 0
        The vectors are the columns (1) or the rows (0).

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_subspace([[1, 0], [0, 1], [0, 0]], [[1, 1], [1, -1], [0, 0]])
    True
    >>> same_subspace([[1], [0]], [[0], [1]])
    False
    """
    A, B = numbers(A), numbers(B)
    if A is None or B is None or A.ndim != 2 or B.ndim != 2:
        return False
    tol = tolerance(A, B, tol=tol)
    A, B = (m / (_largest(m) or 1.0) for m in ((A, B) if axis == 1 else (A.T, B.T)))
    if len(A) != len(B):
        return False
    P, Q = _projector(A), _projector(B)
    return _near(P, Q, tol)


def _projector(A):
    """Onto the span of the columns; directions below rounding are no directions."""
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    U = U[:, s > s.max(initial=0) * max(A.shape) * np.finfo(float).eps]
    return U @ U.T


def same_up_to_scale(A, B, tol=1e-8, axis=1):
    """Every vector equal to its partner times a positive number.

    Parameters
    ----------
    A, B : arrays of one shape (d, k), or (d,) for one vector
    tol : float, once every vector has length 1
    axis : 1 or 0
        The vectors are the columns (1) or the rows (0).

    Returns
    -------
    same : bool

    Examples
    --------
    >>> same_up_to_scale([1, 2], [3, 6])
    True
    >>> same_up_to_scale([1, 2], [-3, -6])
    False
    >>> same_up_to_scale([1, 2], [0, 0])
    False
    """
    pair = _matrices(A, B, axis, tol)
    if pair is None:
        return False
    A, B, tol = *map(_directions, pair[:2]), pair[2]
    return bool((A.any(axis=0) == B.any(axis=0)).all()) and _near(A, B, tol)


def _directions(A):
    """The columns with length 1; a column of zeros stays."""
    size = _largest(A, axis=0)
    A = A / np.where(size == 0, 1, size)  # first, so that no square vanishes
    length = np.linalg.norm(A, axis=0)
    return A / np.where(length == 0, 1, length)


def same_sources(A, B, tol=0.01, axis=1):
    """The same signals up to order, sign, scale and offset: what independent component analysis leaves open.

    Each signal of A must correlate with its partner in B by at least ``1 - tol`` in absolute value.

    Parameters
    ----------
    A, B : arrays of one shape (n, k), n >= 3
        A signal of n samples in each column.
    tol : float in (0, 1)
    axis : 1 or 0
        The signals are the columns (1) or the rows (0).

    Returns
    -------
    same : bool

    Examples
    --------
    >>> t = np.linspace(0, 6, 50)
    >>> S = np.column_stack([np.sin(t), t])
    >>> same_sources(S, S[:, ::-1] * [2, -3] + 5), same_sources(S, S @ [[1, 0.5], [-0.5, 1]])
    (True, False)
    """
    pair = _matrices(A, B, axis, tol)
    if pair is None or len(pair[0]) < 3:
        return False
    if any((np.ptp(m, axis=0) <= 1e-12 * _largest(m, axis=0)).any() for m in pair[:2]):
        return False  # a constant is no signal
    A, B = (_directions(m - m.mean(axis=0)) for m in pair[:2])
    R = np.abs(A.T @ B)
    i, j = _pairs(-R)
    return bool(R[i, j].min(initial=1) >= 1 - tol)
