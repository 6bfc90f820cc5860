"""Proximal gradient with momentum, FISTA: the one loop behind the Lasso, logistic regression and lasso
codes."""

import numpy as np


def momentum(t):
    """``t' = (1 + √(1 + 4t²))/2``, and the share ``(t - 1)/t'`` of the last move to go on with, (9.24)."""
    after = (1 + np.sqrt(1 + 4 * t**2)) / 2
    return after, (t - 1) / after


def extrapolate(new, old, z, t, axis=None):
    """FISTA's next point, ``new + (t - 1)/t' (new - old)``, and t'; momentum that points uphill starts
    afresh.

    With ``axis=-1`` every row is a problem of its own, and t an array of shape (rows, 1).
    """
    move, (after, push) = new - old, momentum(t)
    uphill = ((z - new) * move).sum(axis=axis, keepdims=True) > 0
    return new + np.where(uphill, 0, push) * move, np.where(uphill, 1, after)


def straight_on(new, old, z, t):
    """The same by Beck and Teboulle's book: no look uphill."""
    after, push = momentum(t)
    return new + push * (new - old), after


def proximal_steps(gradient, threshold, L, w, extrapolate=extrapolate):
    """Minimise f(w) + penalty: after every step, without end, ``w ← threshold(z - ∇f(z)/L)`` (9.21).

    `threshold` takes the point and the step 1/L. Without `extrapolate` z is w (ISTA).
    """
    z, t = w, 1.0
    while True:
        new = threshold(z - gradient(z) / L, 1 / L)
        z, t = extrapolate(new, w, z, t) if extrapolate else (new, t)
        w = new
        yield w
