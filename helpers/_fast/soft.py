"""Singular value thresholding among few directions instead of a whole SVD."""

import numpy as np

EXTRA = 5  # directions beyond the rank that wait for their turn


def thresholder(shape, rng):
    """Only the singular vectors above λ matter, and they hardly turn from step to step.

    F is multiplied once with the last right vectors V (and a few more), ``Q = orth(F V)``, and ``svt(Qᵀ F)``
    is small. The objective still falls: Q contains the best Z with rows in V, which include the last Z's.
    """
    widest = min(shape)
    V = rng.standard_normal((shape[1], min(max(2 * EXTRA, widest // 8), widest)))

    def threshold(F, lam):
        nonlocal V
        Z, s, Vt = among(F, V, lam)
        full = len(s) == len(Vt) < widest  # all directions used: look wider
        width = min(2 * len(s) if full else len(s) + EXTRA, widest)
        V = np.hstack([Vt[:width].T, rng.standard_normal((Vt.shape[1], max(width - len(Vt), 0)))])
        return Z, s, Vt[: len(s)], not full

    return threshold


def among(F, V, lam):
    """The best Z whose columns lie in the span of F V; its singular values > 0, and all r right vectors."""
    Q = np.linalg.qr(F @ V)[0]  # (n, r)
    U, s, Vt = np.linalg.svd(Q.T @ F, full_matrices=False)  # (r, r), (r,), (r, d)
    s = s[s > lam] - lam
    return Q @ (U[:, : len(s)] * s) @ Vt[: len(s)], s, Vt
