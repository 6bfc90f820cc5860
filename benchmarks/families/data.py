"""Tables that several families share."""

import numpy as np
from sklearn.datasets import load_digits, load_sample_image, make_classification
from sklearn.feature_extraction.image import extract_patches_2d


def classes(n, d, c, **options):
    """A drawn classification problem; a third of the features tell something."""
    chosen = {"n_informative": max(2, d // 3), "n_redundant": d // 6, "random_state": 0} | options
    return make_classification(n, d, n_classes=c, **chosen)


def digits():
    return load_digits(return_X_y=True)


def noisy_digits(copies):
    """The digits, and again with normal noise of deviation 1, 2, …"""
    X, y = digits()
    noisy = [X + i * np.random.default_rng(i).normal(size=X.shape) for i in range(copies)]
    return np.vstack(noisy), np.tile(y, copies)


def with_holes(X, share=0.1):
    """A copy in which a share of the cells is blank."""
    X = X.copy()
    X[np.random.default_rng(1).random(X.shape) < share] = np.nan
    return X


def photograph():
    """A photograph in grey, from 0 to 1; shape (427, 640)."""
    return load_sample_image("china.jpg").mean(axis=2) / 255


def patches(n):
    """n patches of 8 x 8 pixels of the photograph, their means removed."""
    found = extract_patches_2d(photograph(), (8, 8), max_patches=n, random_state=0).reshape(n, -1)
    return found - found.mean(axis=1, keepdims=True)


def atoms(X, k):
    """k of the rows of X, brought to length 1."""
    D = X[np.random.default_rng(0).choice(len(X), k, replace=False)]
    return D / np.linalg.norm(D, axis=1)[:, None]
