"""Real data that come with the course's packages, and toy data drawn from a seed. Nothing is downloaded.

Sources and licences stand in each docstring and in the README.
"""

from pathlib import Path

import numpy as np
import sklearn.datasets

__all__ = [
    "load_camera",
    "load_cancer",
    "load_china",
    "load_digits",
    "load_faces",
    "load_iris",
    "load_penguins",
    "load_wine",
    "make_circles",
    "make_parity",
    "make_planted_subspace",
    "make_swiss_roll",
    "make_xor",
    "stored",
]


# ---- real data


def load_iris():
    """150 irises: four lengths in cm, three species.

    Returns
    -------
    X : (150, 4) floats; y : (150,) ints; names : the species. Fisher 1936; in scikit-learn (BSD).
    """
    data = sklearn.datasets.load_iris()
    return data.data, data.target, data.target_names.tolist()


def load_wine():
    """178 wines of three growers, 13 chemical measurements in very unlike units.

    Returns
    -------
    X : (178, 13); y : (178,); names : the measurements. Forina et al. 1991; in scikit-learn (CC BY 4.0 at
    UCI).
    """
    data = sklearn.datasets.load_wine()
    return data.data, data.target, list(data.feature_names)


def load_cancer():
    """569 tumours, 30 measurements of cell nuclei; y = 1 benign, 0 malignant.

    Returns
    -------
    X : (569, 30); y : (569,); names. Wolberg et al. 1995; in scikit-learn (CC BY 4.0 at UCI).
    """
    data = sklearn.datasets.load_breast_cancer()
    return data.data, data.target, data.feature_names.tolist()


def load_digits(writers=False):
    """1797 handwritten digits of 8 × 8 pixels, grey values 0 to 16.

    The digits stand in the order of the 14 forms that 13 people filled: on each form 0, 1, 2 … begin anew. To
    keep a form's digits together, give the forms to a splitter as its groups:

    >>> from sklearn.model_selection import LeaveOneGroupOut
    >>> X, y, form = load_digits(writers=True)
    >>> LeaveOneGroupOut().get_n_splits(groups=form)
    14

    Parameters
    ----------
    writers : bool
        Whether to return the form of each digit, too.

    Returns
    -------
    X : (1797, 64) floats; y : (1797,) ints; with ``writers`` also form : (1797,) ints from 0 to 13.
        Alpaydin and Kaynak 1998; in scikit-learn (CC BY 4.0 at UCI).
    """
    X, y = sklearn.datasets.load_digits(return_X_y=True)
    if not writers:
        return X, y
    labels, starts = "".join(map(str, y)), [0]
    while (start := labels.find("01234567890123456", starts[-1] + 100)) > 0:
        starts.append(start)
    return X, y, np.searchsorted(starts, np.arange(len(y)), side="right") - 1


def load_faces():
    """100 faces of 25 × 25 pixels, grey values 0 to 1: a part of Labeled Faces in the Wild.

    Returns
    -------
    X : (100, 625) floats, a face in each row. Huang et al. 2007; in scikit-image (its ``lfw_subset``).
    """
    import skimage.data

    return skimage.data.lfw_subset()[:100].reshape(100, -1).astype(float)


def load_camera():
    """A photograph in grey values from 0 to 1.

    Returns
    -------
    image : (512, 512) floats. Lav Varshney (CC0); in scikit-image.
    """
    import skimage.data

    return skimage.data.camera() / 255


def load_china():
    """A photograph of a palace in grey values from 0 to 1, the mean of its three colours.

    Returns
    -------
    image : (427, 640) floats. Hi Lin (CC BY 2.0); in scikit-learn.
    """
    return sklearn.datasets.load_sample_image("china.jpg").mean(axis=2) / 255


def load_penguins(raw=False):
    """344 penguins of three species on three islands, with real blanks.

    Parameters
    ----------
    raw : bool
        The field table: 17 columns with comments, dates and ids. A dot of an older file is a blank.

    Returns
    -------
    DataFrame of shape (344, 8), or (344, 17) when raw. Gorman, Williams and Fraser 2014 (CC0); in
    palmerpenguins.

    Examples
    --------
    >>> penguins = load_penguins()
    >>> penguins.shape, int(penguins["sex"].isna().sum()), load_penguins(raw=True).shape
    ((344, 8), 11, (344, 17))
    """
    import palmerpenguins

    return palmerpenguins.load_penguins_raw() if raw else palmerpenguins.load_penguins()


# ---- what takes a chapter too long to compute


def stored(name):
    """A result that was computed once; the README.md of ``notebooks/stored`` says what it is and what made
    it.

    Parameters
    ----------
    name : str, without the file's ending

    Returns
    -------
    dict of arrays, or DataFrame where it was stored as a table (.csv)

    Raises
    ------
    FileNotFoundError
        Nothing is stored under this name.

    Examples
    --------
    >>> sorted(stored("basis-pursuit-phase"))
    ['equal', 'greedy', 'measurements', 'recovered', 'sparsity']
    """
    folders = [Path("stored"), Path(__file__).resolve().parents[1] / "notebooks" / "stored"]
    for folder in folders:
        if (arrays := folder / f"{name}.npz").exists():
            with np.load(arrays) as file:
                return dict(file)
        if (table := folder / f"{name}.csv").exists():
            import pandas as pd

            return pd.read_csv(table)
    known = sorted({path.stem for folder in folders for path in folder.glob("*.[nc]*")})
    raise FileNotFoundError(
        f"no stored data are called {name!r}; there are: {', '.join(known) or 'none'}. They lie in "
        "notebooks/stored "
        "of the course's folder; tools/make_stored.py makes them"
    )


# ---- toy data


def make_circles(n=100, radii=(1.0, 3.0), noise=0.2, seed=0):
    """n points on each of several rings around 0.

    Parameters
    ----------
    n : int
    radii : sequence of floats
    noise : float >= 0, standard deviation of the distance from 0
    seed : int

    Returns
    -------
    X : (n · len(radii), 2); y : the number of the ring.

    Examples
    --------
    >>> X, y = make_circles(2, noise=0)
    >>> np.linalg.norm(X, axis=1), y
    (array([1., 1., 3., 3.]), array([0, 0, 1, 1]))
    """
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(radii)), n)
    angle = rng.uniform(0, 2 * np.pi, len(y))
    r = np.asarray(radii, float)[y] + noise * rng.normal(size=len(y))
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)]), y


def make_xor(n=200, noise_features=0, spread=0.3, seed=0):
    """Two features that decide the class together and not alone: y = 1 where the signs of both differ.

    Parameters
    ----------
    n : int
    noise_features : int, further features that say nothing about y
    spread : float >= 0, standard deviation around -1 and 1
    seed : int

    Returns
    -------
    X : (n, 2 + noise_features); y : (n,) of 0 and 1.

    Examples
    --------
    >>> X, y = make_xor(3, spread=0)
    >>> X.tolist(), y
    ([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]], array([0, 1, 0]))
    """
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1, 1], size=(n, 2))
    X = np.column_stack([signs + spread * rng.normal(size=(n, 2)), rng.normal(size=(n, noise_features))])
    return X, (signs[:, 0] != signs[:, 1]).astype(int)


def make_parity(n=200, bits=10, seed=0):
    """Random bits, and y = 1 where an odd number of them is set: no neighbour tells anything. Bayes error 0.

    Parameters
    ----------
    n, bits : int
    seed : int

    Returns
    -------
    X : (n, bits) of 0.0 and 1.0; y : (n,) of 0 and 1.

    Examples
    --------
    >>> X, y = make_parity(3, bits=4)
    >>> X.sum(axis=1), y
    (array([3., 0., 3.]), array([1, 0, 1]))
    """
    X = np.random.default_rng(seed).integers(0, 2, size=(n, bits)).astype(float)
    return X, X.sum(axis=1).astype(int) % 2


def make_planted_subspace(n=200, d=50, rank=3, noise=1.0, scale=5.0, mean=0.0, seed=0):
    """Points of a `rank`-dimensional subspace of d-space, and the same points with noise on every coordinate.

    Parameters
    ----------
    n, d : int
    rank : int, at most d
    noise : float >= 0, standard deviation of the noise on each coordinate
    scale : float, standard deviation along each direction of the subspace
    mean : float, or array of shape (d,)
        Added to every point: where it is not 0, the subspace is shifted.
    seed : int

    Returns
    -------
    noisy : (n, d); clean : (n, d); basis : (d, rank), orthonormal columns.

    Examples
    --------
    >>> noisy, clean, basis = make_planted_subspace(rank=2)
    >>> int(np.linalg.matrix_rank(noisy)), int(np.linalg.matrix_rank(clean)), basis.shape
    (50, 2, (50, 2))
    """
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.normal(size=(d, rank)))[0]
    clean = mean + scale * rng.normal(size=(n, rank)) @ basis.T
    return clean + noise * rng.normal(size=(n, d)), clean, basis


def make_swiss_roll(n=1000, noise=0.0, seed=0):
    """A sheet rolled up in space. Its points are ``(t cos t, h, t sin t)``.

    Parameters
    ----------
    n : int
    noise : float >= 0, standard deviation of each coordinate
    seed : int

    Returns
    -------
    X : (n, 3); t : (n,), the angle in radians, which grows along the roll.

    Examples
    --------
    >>> X, t = make_swiss_roll(100)
    >>> np.allclose(X[:, [0, 2]], np.column_stack([t * np.cos(t), t * np.sin(t)]))
    True
    """
    return sklearn.datasets.make_swiss_roll(n, noise=noise, random_state=seed)
