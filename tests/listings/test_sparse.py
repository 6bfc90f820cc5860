"""Chapter 10's listings against scikit-learn, SciPy and the methods of the course, on nasty tables."""

import numpy as np
import pytest
from scipy.fft import dct
from skimage.metrics import peak_signal_noise_ratio
from sklearn.decomposition import DictionaryLearning
from sklearn.feature_extraction.image import extract_patches_2d
from sklearn.linear_model import orthogonal_mp

from helpers.methods.ksvd import KSVD, batch_omp
from tests.listings import agree, listing


def some_atoms(rng, k, d):
    B = rng.normal(size=(k, d))
    return B / np.linalg.norm(B, axis=1, keepdims=True)


def samples(X):
    return np.asarray(X, float)


SMALL = "scikit-learn stops where the square of a product is below 2e-16, whatever the unit"


@pytest.mark.filterwarnings("ignore:Orthogonal matching pursuit ended prematurely")
def test_pursuits():
    omp = listing("10", "omp")

    def ours(X, rng):
        B = some_atoms(rng, 8, X.shape[1])
        return np.array([omp(x, B, 2) @ B for x in samples(X)])

    def many(X, rng):
        B = some_atoms(rng, 8, X.shape[1])
        return batch_omp(X, B, n_nonzero_coefs=2) @ B

    def theirs(X, rng):
        B = some_atoms(rng, 8, X.shape[1])
        return (B.T @ orthogonal_mp(B.T, samples(X).T, n_nonzero_coefs=2)).T

    agree("batch", ours, many, size=(None, 4))
    agree("pursuit", ours, theirs, size=(None, 4), reasons={"scale 1e-12": SMALL})


def test_ksvd():
    ksvd = listing("10", "ksvd")

    def ours(X, rng):
        errors = ksvd(samples(X), some_atoms(rng, 5, 4), 2, 3)[2][1::2]
        return np.append(errors, (samples(X) ** 2).sum())  # what is left is small beside the samples

    def theirs(X, rng):
        model = KSVD(5, n_nonzero_coefs=2, max_iter=3, dict_init=some_atoms(rng, 5, 4))
        return np.append(model.fit(X).error_, (samples(X) ** 2).sum())

    agree("ksvd", ours, theirs, size=(15, 4))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_alternation():
    """One round: from the second on, scikit-learn draws atoms that nobody uses from the samples again."""
    learn = listing("10", "learn")

    def ours(X, rng):
        return learn(samples(X), some_atoms(rng, 4, 3), 0.4, 1)[2][1]

    def theirs(X, rng):
        start, how = np.zeros((len(X), 4)), dict(alpha=0.2, tol=0, fit_algorithm="cd")
        how |= dict(transform_max_iter=5000, code_init=start, dict_init=some_atoms(rng, 4, 3))
        return 2 * DictionaryLearning(4, max_iter=1, **how).fit(samples(X)).error_[0]

    agree("alternation", ours, theirs, size=(12, 3), draws=48)


def test_patches():
    patches = listing("10", "patches")

    def ours(X, rng):
        rows, means = patches(samples(X))
        return rows + means

    def theirs(X, rng):
        return extract_patches_2d(samples(X), (8, 8)).reshape(-1, 64)

    agree("cut", ours, theirs, size=(12, 10))


def test_decibels():
    psnr = listing("10", "psnr")

    def both(X, rng):
        return samples(X), rng.random(X.shape)

    def theirs(X, rng):
        image, truth = both(X, rng)
        return peak_signal_noise_ratio(truth, image, data_range=1)

    agree("psnr", lambda X, rng: psnr(*both(X, rng)), theirs)


def test_cosines():
    cosines = listing("10", "cosines")
    wave = dct(np.eye(8), axis=0, norm="ortho")
    assert np.allclose(cosines(8), np.kron(wave, wave))
    assert np.allclose((cosines(16) ** 2).sum(axis=1), 1)
