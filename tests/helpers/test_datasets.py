"""Real data are what their docstrings say; toy data have the structure they promise, from a seed."""

import inspect
import socket

import numpy as np
import pytest

from helpers import datasets
from helpers.datasets import (
    load_camera,
    load_cancer,
    load_china,
    load_digits,
    load_faces,
    load_iris,
    load_penguins,
    load_wine,
    make_circles,
    make_parity,
    make_planted_subspace,
    make_swiss_roll,
    make_xor,
)

MAKERS = [getattr(datasets, name) for name in datasets.__all__ if name.startswith("make_")]
by_name = pytest.mark.parametrize("make", MAKERS, ids=lambda f: f.__name__)

TABLES = [
    (load_iris, (150, 4), [50, 50, 50], 3),
    (load_wine, (178, 13), [59, 71, 48], 13),
    (load_cancer, (569, 30), [212, 357], 30),
    (load_digits, (1797, 64), [178, 182, 177, 183, 181, 182, 181, 179, 174, 180], None),
]


# ---- real data


@pytest.mark.parametrize("load, shape, counts, names", TABLES, ids=lambda v: getattr(v, "__name__", None))
def test_tables(load, shape, counts, names):
    X, y, *rest = load()
    assert X.shape == shape and X.dtype == float and np.isfinite(X).all()
    assert np.bincount(y).tolist() == counts
    assert [len(r) for r in rest] == ([names] if names else [])
    assert all(type(n) is str for r in rest for n in r)


def test_iris_is_fishers():
    X, y, names = load_iris()
    assert X[0].tolist() == [5.1, 3.5, 1.4, 0.2] and names == ["setosa", "versicolor", "virginica"]
    assert X[34].tolist() == [4.9, 3.1, 1.5, 0.2]  # UCI's well-known slip says 0.1 in this row


def test_wine_and_cancer_name_their_measurements():
    assert load_wine()[2][0] == "alcohol" and load_wine()[2][-1] == "proline"
    assert load_cancer()[2][0] == "mean radius"
    X, y, _ = load_cancer()
    assert X[y == 0, 0].mean() > X[y == 1, 0].mean()  # malignant tumours are 0, and larger


@pytest.mark.parametrize(
    "load, shape, low, high",
    [
        (lambda: load_digits()[0], (1797, 64), 0, 16),
        (load_faces, (100, 625), 0, 1),
        (load_camera, (512, 512), 0, 1),
        (load_china, (427, 640), 0, 1),
    ],
    ids=["digits", "faces", "camera", "china"],
)
def test_pictures(load, shape, low, high):
    X = load()
    assert X.shape == shape and X.dtype == float
    assert low <= X.min() < low + 0.1 * (high - low) and high >= X.max() > high - 0.1 * (high - low)


def test_faces_are_the_first_hundred_and_all_different():
    """The bundled file has 100 faces, then 100 patches without one, often with a black corner."""
    import skimage.data

    faces, every = load_faces(), skimage.data.lfw_subset()
    assert (faces.reshape(100, 25, 25) == every[:100]).all() and len(np.unique(faces, axis=0)) == 100
    assert (faces == 0).mean() < 0.02 < (every[100:] == 0).mean()


def test_penguins_have_real_blanks():
    table = load_penguins()
    assert table.shape == (344, 8)
    assert table["species"].value_counts().to_dict() == {"Adelie": 152, "Gentoo": 124, "Chinstrap": 68}
    assert table.isna().sum().to_dict() == dict(
        species=0,
        island=0,
        bill_length_mm=2,
        bill_depth_mm=2,
        flipper_length_mm=2,
        body_mass_g=2,
        sex=11,
        year=0,
    )


def test_raw_penguins_are_as_typed_in_the_field():
    table = load_penguins(raw=True)
    assert table.shape == (344, 17) and {"Comments", "Date Egg", "Individual ID"} <= set(table.columns)


def test_a_changed_table_is_not_changed_for_the_next_reader():
    for load in (load_iris, load_penguins, load_faces):
        first = load()[0] if load is load_iris else load()
        if load is load_penguins:
            first.loc[0, "year"] = -1
            assert load().loc[0, "year"] == 2007
        else:
            first[:] = -1
            assert (np.asarray(load()[0]) >= 0).all()


def test_nothing_is_downloaded(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a data set asks for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    for name in datasets.__all__:
        if name.startswith("load_"):
            getattr(datasets, name)()


# ---- toy data


@by_name
def test_the_same_seed_draws_the_same(make):
    arrays = [make(seed=5), make(seed=5), make(seed=6)]
    assert all(np.array_equal(a, b) for a, b in zip(arrays[0], arrays[1]))
    assert not np.array_equal(arrays[0][0], arrays[2][0])
    assert inspect.signature(make).parameters["seed"].default == 0


@by_name
def test_as_many_points_as_asked(make):
    few = {"make_circles": 2}.get(make.__name__, 1)
    assert len(make(n=7)[0]) == 7 * few


def test_circles_lie_at_their_radii_all_round():
    X, y = make_circles(2000, radii=(1, 4, 6), noise=0.1)
    r, angle = np.hypot(*X.T), np.arctan2(X[:, 1], X[:, 0])
    for ring, radius in enumerate((1, 4, 6)):
        assert r[y == ring].mean() == pytest.approx(radius, abs=0.01)
        assert r[y == ring].std() == pytest.approx(0.1, rel=0.1)
        assert np.histogram(angle[y == ring], 4)[0].min() > 400
    assert np.allclose(np.hypot(*make_circles(5, noise=0)[0].T), [1] * 5 + [3] * 5)


def test_xor_needs_both_features():
    X, y = make_xor(2000, noise_features=3, spread=0.1)
    assert X.shape == (2000, 5) and ((X[:, 0] > 0) != (X[:, 1] > 0)).astype(int).tolist() == y.tolist()
    assert all(abs(np.corrcoef(x, y)[0, 1]) < 0.1 for x in X.T) and 0.45 < y.mean() < 0.55
    np.testing.assert_allclose(np.abs(X[:, :2]).mean(axis=0), 1, atol=0.02)
    np.testing.assert_allclose(X[:, 2:].std(axis=0), 1, atol=0.1)


def test_parity():
    X, y = make_parity(500, bits=7)
    assert X.shape == (500, 7) and set(np.unique(X)) == {0.0, 1.0} and (y == X.sum(axis=1) % 2).all()
    flipped = X.copy()
    flipped[:, 3] = 1 - flipped[:, 3]
    assert (flipped.sum(axis=1) % 2 != y).all()  # every bit decides
    assert 0.4 < y.mean() < 0.6


def test_planted_subspace():
    noisy, clean, basis = make_planted_subspace(n=400, d=20, rank=3, noise=0.5, scale=4, mean=7.0)
    assert noisy.shape == clean.shape == (400, 20) and basis.shape == (20, 3)
    np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-12)
    np.testing.assert_allclose((clean - 7) @ basis @ basis.T, clean - 7, atol=1e-10)
    np.testing.assert_allclose(((clean - 7) @ basis).std(axis=0), 4, rtol=0.15)
    assert (noisy - clean).std() == pytest.approx(0.5, rel=0.05)


def test_swiss_roll_is_rolled():
    X, t = make_swiss_roll(300)
    assert X.shape == (300, 3) and np.allclose(X[:, 0], t * np.cos(t)) and np.allclose(X[:, 2], t * np.sin(t))
    assert not np.allclose(make_swiss_roll(300, noise=0.5)[0], X)


def test_every_data_set_says_where_it_comes_from():
    for name in datasets.__all__:
        text = inspect.getdoc(getattr(datasets, name))
        assert text and (
            name.startswith(("make_", "stored")) or "in scikit-" in text or "palmerpenguins" in text
        ), name


def test_digits_know_their_forms():
    """Fourteen forms, one after the other; on each of them the labels begin with 0, 1, 2 … 9."""
    X, y, form = datasets.load_digits(writers=True)
    plain = datasets.load_digits()
    assert np.array_equal(X, plain[0]) and np.array_equal(y, plain[1])
    sizes = np.bincount(form)
    assert sizes.tolist() == [130, 126, 130, 130, 130, 130, 139, 114, 128, 130, 128, 130, 122, 130]
    assert (np.diff(form) >= 0).all()
    assert all(y[form == one][:10].tolist() == list(range(10)) for one in range(14))
