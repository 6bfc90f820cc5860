"""Figures of homework 9, wrappers: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import LINES, figure


@fresh_reading("wrappers.13")
def lasso_path(rng):
    from sklearn.linear_model import lars_path

    A = rng.normal(size=(300, 5))
    X = np.column_stack([A, A[:, 0] + A[:, 1] + 0.5 * rng.normal(size=300)])[:, rng.permutation(6)]
    own = np.argsort([
        -abs(np.corrcoef(x, A[:, 0] + A[:, 1])[0, 1]) for x in X.T
    ])  # the stand-in, then the two
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y = X[:, own[1:4]] @ [*rng.uniform(1.6, 2.2, 2), 0.6] + 0.3 * rng.normal(size=300)
    alphas, _, weights = lars_path(X, y - y.mean(), method="lasso")
    first = np.abs(weights[:, 1]).argmax()

    def draw():
        fig, ax = figure(height=3)
        for line, style in zip(weights, LINES, strict=True):
            ax.plot(-np.log10(alphas + 1e-3), line, ls=style)
        ax.set(xlabel="−log₁₀ λ (falling to the right)", ylabel="weight")
        last = np.abs(weights[:, -1]).max()
        return fig, (
            f"Six lines that start at 0 on the left; the largest ends at {last:.1f}, and one rises first and "
            "then falls."
        )

    ends = np.abs(weights[:, -1])
    return FreshReading(draw, ends[first] < 0.5 * np.abs(weights[first]).max() and ends[first] < ends.max())


@fresh_reading("wrappers.14")
def two_years(rng):
    """Genes in blocks that vary together; some blocks decide."""
    from sklearn.linear_model import Lasso

    blocks, decide = int(rng.integers(15, 30)), int(rng.integers(5, 9))
    kept, right = [], []
    for _ in range(2):
        factors = rng.normal(size=(360, blocks))
        X, y = np.repeat(factors, 20, axis=1), factors[:, :decide].sum(axis=1) + rng.normal(size=360)
        X = X + 0.7 * rng.normal(size=X.shape)
        model = Lasso(alpha=0.5).fit(X[:60], y[:60])
        kept.append({*np.flatnonzero(model.coef_)})
        right.append(np.mean((model.predict(X[60:]) > 0) == (y[60:] > 0)))
    (one, other), both = map(len, kept), len(kept[0] & kept[1])
    words = {
        "kept 9 of 400": f"kept {one} of {20 * blocks}",
        "kept 9 as well, but only 2 are": f"kept {other}, but only {both} {'is' if both == 1 else 'are'}",
        "the nine": f"the {one}",
        "Nine genes": f"{one} genes",
        "with 400": f"with {20 * blocks}",
    }
    return FreshReading(None, 1 <= both < 0.5 * min(one, other) and abs(right[0] - right[1]) < 0.06, words)


@mistake_drawn("wrappers.2")
def errors_along_the_search(got, X, y):
    """The errors that you note, step by step."""
    chosen, errors = list(got[0]), np.asarray(got[1], float)
    fig, ax = figure(height=2.8)
    ax.plot(np.arange(1, len(errors) + 1), errors, "o-")
    ax.set(xlabel="columns held", ylabel="your error", xticks=np.arange(1, len(errors) + 1))
    rises = int((np.diff(errors) >= 0).sum())
    return fig, (
        f"Your search holds {len(chosen)} of {X.shape[1]} columns, the first is {chosen[0]}; the error goes "
        f"from {errors[0]:.3g} to {errors[-1]:.3g}; steps that do not lower it: {rises}."
    )
