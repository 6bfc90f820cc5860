"""Where to cut a probability, by shares and by costs, chapter 12."""

import numpy as np

__all__ = ["threshold_by_cost", "under_priors"]


def under_priors(p, train, new):
    """The posterior under another share of positives, both class densities kept, (12.7).

    ``odds_new = odds · (1 - train) / train · new / (1 - new)``; new = 1/2 is rescaling.

    Short version: chapter 12, `under_priors`.

    Parameters
    ----------
    p : array of probabilities of the positive class
    train, new : float in (0, 1), share of positives in training and where the model is used

    Returns
    -------
    array like p

    Raises
    ------
    ValueError
        Numbers that are no probabilities, or a share of positives outside (0, 1).

    References
    ----------
    Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier, Neural Computation 14, 2002.
    """
    p = np.asarray(p, float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p holds values outside [0, 1]: give probabilities, not scores.")
    if not (0 < train < 1 and 0 < new < 1):
        raise ValueError(f"train={train}, new={new}: a share of positives lies between 0 and 1.")
    yes, no = p * new / train, (1 - p) * (1 - new) / (1 - train)
    return yes / (yes + no)


def threshold_by_cost(alarm, miss):
    """``c_FP / (c_FP + c_FN)``: above it "positive" costs less on average, for calibrated p, (12.4).

    Parameters
    ----------
    alarm, miss : float >= 0, what a false alarm and a missed positive cost, in one unit

    Returns
    -------
    threshold : float in [0, 1]

    Raises
    ------
    ValueError
        A negative cost, or none above 0.
    """
    if not (alarm >= 0 and miss >= 0 and alarm + miss > 0):
        raise ValueError(f"Costs {alarm} and {miss}: none may be negative, one must be positive.")
    return alarm / (alarm + miss)
