"""Regressions of every column in turn from one Gram matrix."""

import numpy as np

from helpers.impute.chained import Chain


def begin(X, blank, start):
    """A chain that keeps its Gram matrix."""
    return GramChain(X, blank, start)


class GramChain(Chain):
    """The Gram matrix is kept up to date while blanks are filled again and again.

    That of the rows where column j is observed is that of all rows less that of the few where j is blank, and
    filling changes those rows only: a regression never visits the others.
    """

    def __init__(self, X, blank, start):
        super().__init__(X, blank, start)
        self.B = np.column_stack([self.A, np.ones(len(X))])  # (n, d + 1)
        self.A, self.G = self.B[:, :-1], self.B.T @ self.B  # a view; (d + 1, d + 1)

    def regression(self, j):
        """By a down-date."""
        B = self.B[self.blank[:, j]]  # (blanks, d + 1)
        G = self.G - B.T @ B
        n_o, means = G[-1, -1], G[-1, :-1] / G[-1, -1]
        S = G[:-1, :-1] - n_o * np.outer(means, means)
        c, s = S[j].copy(), S[j, j]
        S[j] = S[:, j] = c[j] = 0  # j does not predict itself
        return n_o, means, S, c, s

    def fill(self, j, values):
        """Only these rows' share of G changes."""
        rows = self.blank[:, j]
        old = self.A[rows, j]
        change = (values - old) @ self.B[rows]  # (d + 1,)
        change[j] = values @ values - old @ old
        super().fill(j, values)
        self.G[j] += change
        self.G[:, j] = self.G[j]
