"""Figures of chapter 8: filters.

Draws for the derivations of chapter 8: tables of counts, groups of values, joint distributions.

Beside the draws stand what the chains' functions need: `expected`, `pearson`, the sums of squares, `entropy`.
"""

from itertools import permutations, product

import numpy as np
from matplotlib.patches import Rectangle

from helpers.plotting import COLOURS, LINES, MARKERS, figure, scatter_classes, show

__all__ = [
    "cell",
    "column",
    "dealt",
    "degrees",
    "divergence",
    "divergence_from_itself",
    "groups",
    "joint",
    "nearly_independent",
    "noise",
    "noise_seen",
    "pairs",
    "shares",
    "table",
    "three",
    "two_groups",
    "two_partitions",
    "useless_b",
]

# ---- what the derivations draw at random


def table(rng):
    """Counts O in which no row and no column is empty."""
    r, c = rng.integers(2, 6, size=2)
    O = rng.integers(1, 30, size=(r, c)) * rng.integers(1, 5, size=(r, 1))
    return {"O": O.astype(float), "n": float(O.sum()), "r": r, "c": c}


def cell(rng):
    """A table, and a cell of it (counted from 1), with the totals of its row and column."""
    drawn = table(rng)
    i, j = (int(rng.integers(m)) for m in drawn["O"].shape)
    O = drawn["O"]
    return {"O": O, "n": drawn["n"], "R": O[i].sum(), "K": O[:, j].sum(), "i": i, "j": j}


def expected(O):
    """Row total times column total over the grand total, one for each cell."""
    return np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()


def pearson(O):
    """The chi-squared statistic, cell by cell."""
    E = expected(O)
    return sum((o - e) ** 2 / e for o, e in zip(O.ravel(), E.ravel(), strict=True))


def two_partitions(rng):
    """Rows cut by a feature and by a label: their table, and the projectors onto the means of each."""
    r, c = rng.integers(2, 5, size=2)
    n = int(rng.integers(8, 14))
    x, y = (np.r_[np.arange(m), rng.integers(m, size=n - m)] for m in (r, c))
    y = rng.permutation(y)
    X, Y = (np.eye(m)[z] for m, z in ((r, x), (c, y)))
    P, L = (Z @ np.diag(1 / Z.sum(axis=0)) @ Z.T for Z in (X, Y))
    return {"O": X.T @ Y, "n": n, "P": P, "L": L, "J": np.full((n, n), 1 / n)}


def dealt(rng):
    """All permutation matrices of three to five rows, and four centred vectors."""
    n = int(rng.integers(3, 6))
    perms = np.array([np.eye(n)[list(order)] for order in permutations(range(n))])
    u, v, s, t = (z - z.mean() for z in rng.normal(size=(4, n)))
    return {"n": n, "perms": perms, "u": u, "v": v, "s": s, "t": t}


def degrees(rng):
    """One to four degrees of freedom k; outcomes and weights, exact for polynomials (Gauss-Hermite)."""
    k = int(rng.integers(1, 5))
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    points = np.array(list(product(nodes, repeat=k)))
    mass = np.array([np.prod(w) for w in product(weights / weights.sum(), repeat=k)])
    return {"k": k, "t": points[:, 0], "Q": (points**2).sum(axis=1), "mass": mass}


def column(rng):
    """A 0/1 column against three classes of unequal size: the row of ones, then the row of zeros."""
    y = np.r_[0, 1, 2, rng.choice(3, size=40, p=[0.6, 0.3, 0.1])]
    x = np.r_[1, 0, (rng.uniform(size=41) < rng.uniform(0.2, 0.8)).astype(int)]
    O = np.array([[((x == v) & (y == c)).sum() for c in range(3)] for v in (1, 0)], float)
    return {"O": O, "n": O.sum(), "q": x.mean()}


def groups(rng):
    """Values x in k groups of unequal size, far from 0, one behind the other; P averages each, J all."""
    sizes = rng.integers(1, 6, size=rng.integers(2, 5)) + 1
    return {"x": rng.normal(size=sizes.sum()) + 10, **_projectors(sizes)}


def _projectors(sizes):
    n, k = int(sizes.sum()), len(sizes)
    which = np.repeat(np.arange(k), sizes)
    P = (which[:, None] == which) / sizes[which]
    return {"P": P, "J": np.full((n, n), 1 / n), "n": n, "k": k, "sizes": sizes}


def _split(values, sizes):
    return np.split(values, np.cumsum(sizes)[:-1])


def within(values, sizes):
    """Squares around the own class mean, added up."""
    return sum(((g - g.mean()) ** 2).sum() for g in _split(values, sizes))


def between(values, sizes):
    """Squares of the class means around the common one, each as often as it has values."""
    return sum(len(g) * (g.mean() - values.mean()) ** 2 for g in _split(values, sizes))


def noise(rng):
    """Three small groups, and all choices of signs for noise of ±σ: every mean is exact."""
    sizes, sigma = rng.integers(1, 4, size=3), rng.uniform(0.5, 2)
    drawn = _projectors(sizes)
    signs = np.array(list(product([-1.0, 1.0], repeat=drawn["n"])))
    return {**drawn, "sigma": sigma, "eps": sigma * signs}


def noise_seen(rng):
    """The same, and two directions u and v."""
    drawn = noise(rng)
    u, v = rng.normal(size=(2, drawn["n"]))
    return {**drawn, "u": u, "v": v}


def residual_times_effect(eps, sizes, u, v):
    """Mean over the outcomes of u·(noise − class means) times v·(class means − mean)."""
    means = [np.repeat([g.mean() for g in _split(e, sizes)], sizes) for e in eps]
    return np.mean([(u @ (e - m)) * (v @ (m - e.mean())) for e, m in zip(eps, means, strict=True)])


def mean_product(matrices, *pairs):
    """Mean over the matrices of the product of left·matrix·right of all pairs."""
    factors = [np.einsum("i,pij,j->p", left, matrices, right) for left, right in pairs]
    return np.prod(factors, axis=0).mean()


def mean_square(A, eps):
    """Mean of ‖A ε‖² over the outcomes, the rows of eps."""
    return ((eps @ A.T) ** 2).sum(axis=1).mean()


def two_groups(rng):
    """Two groups a and b of unlike size and mean."""
    a, b = rng.normal(size=rng.integers(2, 7)) + 5, rng.normal(size=rng.integers(3, 9)) + 5 + rng.normal()
    both, n = np.r_[a, b], len(a) + len(b)
    left = ((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()
    drawn = {"a": a, "b": b, "n": n, "n1": len(a), "n2": len(b), "sse": left, "sp": np.sqrt(left / (n - 2))}
    return drawn | {"m": both.mean(), "m1": a.mean(), "m2": b.mean()}


def pairs(rng):
    """Feature x and target y, and the least-squares line: its slope and its values."""
    x = rng.normal(size=8) + 20
    y = rng.normal() * x + rng.normal(size=8) - 7
    slope, offset = np.polyfit(x, y, 1)
    r = np.corrcoef(x, y)[0, 1]
    return {"x": x, "y": y, "n": 8, "b": slope, "fitted": slope * x + offset, "corr": r, "R": abs(r)}


def joint(rng):
    """Joint probabilities of two variables, without zeros."""
    return {"p": rng.dirichlet(np.full(12, 2)).reshape([(2, 6), (3, 4), (4, 3)][rng.integers(3)])}


def entropy(p):
    """Of probabilities above 0, in bits."""
    return -(p * np.log2(p)).sum()


def divergence(rng):
    """Probabilities f, and any positive numbers g."""
    m = int(rng.integers(2, 8))
    return {"f": rng.dirichlet(np.full(m, 2)), "g": rng.exponential(size=m) + 0.01}


def divergence_from_itself(rng):
    """Both alike."""
    f = divergence(rng)["f"]
    return {"f": f, "g": f}


def nearly_independent(rng):
    """A product of margins, and at most 2 % of something else."""
    Q = np.outer(rng.dirichlet([9] * 3), rng.dirichlet([9] * 4))
    P = Q * (1 + 0.02 * rng.uniform(-1, 1, size=Q.shape))
    return {"p": P / P.sum(), "n": 1000.0}


def three(rng):
    """Joint probabilities of a, b and y, and the marginals that the chains name."""
    return _marginals(rng.dirichlet(np.ones(12)).reshape(2, 3, 2))


def useless_b(rng):
    """Once a is known, b says nothing about y."""
    given_a = np.einsum(
        "a,b,ay->aby", rng.dirichlet([2, 2]), rng.dirichlet([2, 2, 2]), rng.dirichlet([1, 1], size=2)
    )
    return _marginals(given_a)


def _marginals(T):
    """H(y), H(y | a) and H(y | a, b) of a joint table T[a, b, y], with the probabilities of a."""
    return {
        "T": T,
        "ab": T.sum(axis=2),
        "a": T.sum(axis=(1, 2)),
        "ay": T.sum(axis=1),
        "y": T.sum(axis=(0, 1)),
    }


def shares(rng):
    """Class shares p, and one of the classes, k (counted from 1)."""
    p = rng.dirichlet(np.ones(rng.integers(2, 6)))
    return {"p": p, "k": int(rng.integers(len(p))) + 1}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"
PALE = "#d9d9d9"


def _ranks(X):
    """Each column's ranks as shares between 0 and 1."""
    return X.argsort(axis=0).argsort(axis=0) / (len(X) - 1)


def show_sixty(X, y, shuffled=None):
    """A table as a picture, each column by its ranks, class 1 above the line; on demand, what is shuffled."""
    fig, ax = figure(width=9, height=3.8)
    rows = np.argsort(-y, kind="stable")
    ax.imshow(_ranks(X)[rows], aspect="auto", cmap="viridis", interpolation="nearest")
    ax.grid(False)
    ax.axhline(y.sum() - 0.5, color="white", linewidth=2)
    ax.set(xlabel="column", yticks=[y.sum() / 2, (len(y) + y.sum()) / 2])
    ax.set_yticklabels(["malignant", "benign"], rotation=90, va="center")
    ax.set_xticks([0, 9, 19, 29, 39, 49, 59], [1, 10, 20, 30, 40, 50, 60])
    told = "In some the two parts differ, in others they look alike."
    if shuffled is not None:
        ax.set_xlabel("place by F (shuffled: black below)")
        for place in np.flatnonzero(shuffled):
            ax.add_patch(Rectangle((place - 0.5, len(y) + 4), 1, 22, color=BLACK, clip_on=False))
        ax.tick_params(axis="x", pad=12)
        first = np.flatnonzero(shuffled)[0]
        told = f"Sorted by F: the first {first} are measured; {(~shuffled[first:]).sum()} follow later."
    show(
        fig,
        f"{X.shape[1]} columns of {len(X)} lumps, {y.sum()} malignant above the line; yellow is high, dark "
        f"is low, for the column. {told}",
    )


def show_two_tasks(names, bits, luck):
    """Bits of each column about two tasks, a dict task → bits; below `luck` lie shuffled columns."""
    fig, ax = figure(height=3.6)
    ax.axvspan(0, luck, color=PALE, zorder=0, label="19 of 20 shuffled columns")
    for i, (task, told) in enumerate(bits.items()):
        at = np.arange(len(names)) + 0.2 * (2 * i - 1)
        ax.barh(at, told, height=0.38, color=COLOURS[i], hatch=("", "//")[i], edgecolor="white", label=task)
        for place, value in zip(at, told, strict=True):
            ax.text(value + 0.008, place, f"{value:.2f}", va="center", fontsize=8)
    ax.set(yticks=range(len(names)), yticklabels=names, xlabel="information (bits)", xlim=(0, 0.85))
    ax.invert_yaxis()
    ax.legend(loc="lower right")
    (one, a), (two, b) = bits.items()
    j = list(names).index("texture error")
    show(
        fig,
        f"What eight columns tell about two questions. Texture error tells {a[j]:.2f} bits about “{one}” and "
        f"{b[j]:.2f} about “{two}”; of shuffled columns 19 of 20 stay below {luck:.2f}.",
    )


def show_by_heart(ks, accuracy, picked):
    """Accuracy on coin tosses, a row for each seed, with any columns and with the best of 300."""
    fig, ax = figure(height=3)
    ax.plot(ks, 100 * accuracy.T, color=GREY, linewidth=0.8)
    ax.plot(ks, 100 * accuracy.mean(axis=0), color=BLUE, marker="o", label="any columns, mean of five draws")
    ax.plot(ks, 100 * picked.mean(axis=0), color=RED, marker="^", linestyle="-.", label="best of 300 by F")
    ax.axhline(50, color=BLACK, linestyle="--", label="honest")
    ax.set(
        xlabel="columns that a linear classifier may use", ylabel="coins it gets right (%)", ylim=(45, 103)
    )
    ax.legend(loc="lower right", bbox_to_anchor=(1, 0.14))
    mean, best = 100 * accuracy.mean(axis=0), 100 * picked.mean(axis=0)
    ten = list(ks).index(10)
    show(
        fig,
        f"Coin tosses of 31 women, learnt from their lumps: {mean[0]:.0f} % are right with one column, "
        f"{mean[-1]:.0f} % with {ks[-1]}; {mean[ten]:.0f} % with any ten, {best[ten]:.0f} % with the "
        "best ten of 300 shuffled ones by F. There is nothing to learn.",
    )


def show_tolerance(amounts, errors):
    """Test error as useless columns are added, a dict learner → errors (seed, amount)."""
    fig, ax = figure(height=3.5)
    for i, (name, e) in enumerate(errors.items()):
        ax.plot(
            amounts, 100 * e.mean(axis=0), color=COLOURS[i], marker=MARKERS[i], linestyle=LINES[i], label=name
        )
    ax.set(xlabel="useless columns beside thirty useful ones", ylabel="test error (%)", ylim=(0, None))
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    told = ", ".join(
        f"{n} {100 * e[:, 0].mean():.0f} → {100 * e[:, -1].mean():.0f}" for n, e in errors.items()
    )
    show(
        fig, f"Errors in % with 0 and with {amounts[-1]} useless columns, means over {len(e)} splits: {told}."
    )


def show_how_many(ks, right, spread, best):
    """Accuracy on the folds against the number of columns kept."""
    fig, ax = figure(height=3)
    ax.errorbar(ks, 100 * right, 100 * spread, marker="o", capsize=3, color=BLUE)
    ax.axvline(best, color=RED, linestyle="--", label=f"best on the folds: {best}")
    ax.set(
        xscale="log",
        xticks=ks,
        xticklabels=ks,
        xlabel="columns kept, of 60",
        ylabel="accuracy on the folds (%)",
    )
    ax.minorticks_off()
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    show(
        fig,
        f"Five neighbours on the best k columns by F: {100 * right[0]:.1f} % right with one column, "
        f"{100 * right.max():.1f} % with {best}, {100 * right[-1]:.1f} % with all; bars: spread over the "
        "folds.",
    )


def show_coins(gains, wrong, entropy):
    """Gain and inconsistency of 1, 2, … columns of coins."""
    fig, (left, right) = figure(2, width=9, height=2.9)
    ks = np.arange(1, len(gains) + 1)
    left.plot(ks, gains, marker="o", color=BLUE)
    left.axhline(entropy, color=BLACK, linestyle="--", label="all there is to know")
    left.set(xlabel="coins", ylabel="gain (bits)", ylim=(0, 1.1))
    left.legend(loc="lower right")
    right.plot(ks, 100 * np.array(wrong), marker="^", color=RED)
    right.set(xlabel="coins", ylabel="rows at odds (%)", ylim=(0, None))
    show(
        fig,
        f"Twelve coins and a hundred diagnoses. One coin gains {gains[0]:.2f} bits, twelve {gains[-1]:.2f} "
        "of "
        f"{entropy:.2f}; the inconsistency falls from {100 * wrong[0]:.0f} to {100 * wrong[-1]:.0f} %.",
    )


def show_counts(tables):
    """Observed counts as bars and expected ones as marks, a dict name → table of three rows."""
    fig, axs = figure(len(tables), width=9, height=3, sharey=True)
    for ax, (name, O) in zip(axs, tables.items(), strict=True):
        E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
        for j, (label, hatch) in enumerate((("benign", ""), ("malignant", "//"))):
            at = np.arange(len(O)) + 0.4 * j - 0.2
            ax.bar(at, O[:, j], width=0.38, color=COLOURS[j], hatch=hatch, edgecolor="white", label=label)
            ax.plot(at, E[:, j], "_", color=BLACK, markersize=19, markeredgewidth=2.2)
            for x, count, mark in zip(at, O[:, j], E[:, j], strict=True):
                inside = 0 < mark - count < 20  # no room between the bar and its mark
                place = (count - 13, "white") if inside else (count + 4, COLOURS[j])
                box = {"color": COLOURS[j], "pad": 0.5} if inside else None
                ax.text(
                    x, place[0], str(count), ha="center", fontsize=9, weight="bold", color=place[1], bbox=box
                )
        ax.set(xticks=range(len(O)), xticklabels=("lower", "middle", "upper"), title=name, xlabel="third")
    axs[0].set(ylabel="lumps", ylim=(0, 225))
    axs[1].plot([], [], "_", color=BLACK, markersize=12, markeredgewidth=2, label="expected")
    axs[1].legend(loc="upper right", ncol=3, fontsize=8, columnspacing=1, handlelength=1.2)
    first = next(iter(tables.values()))
    show(
        fig,
        f"Counts of {first.sum()} lumps by third of a column and by diagnosis, and what the totals alone "
        "would "
        f"let you expect: of the upper third {first[2, 1]} are malignant, {first[0, 1]} of the lower.",
    )


def show_law_of_chi2(by_chance, grid, laws, k, dealt, measured):
    """χ² of dealt tables under its law; the laws, a dict degrees of freedom → densities on the grid."""
    fig, (left, right) = figure(2, width=9.5, height=3.1)
    left.hist(by_chance, bins=np.linspace(0, 16, 49), density=True, color=SKY, label="5000 tables, dealt out")
    left.plot(grid, laws[k], color=BLACK, label=f"χ² law, {k} degrees of freedom")
    left.axvline(dealt, color=RED, linestyle="--", label=f"shuffled column: {dealt:.1f}")
    left.set(
        xlim=(0, 16), ylim=(0, 0.62), xlabel=f"χ² (the measured column has {measured:.0f})", ylabel="density"
    )
    left.legend(loc="upper right", fontsize=8)
    for i, (df, density) in enumerate(laws.items()):
        right.plot(grid, density, color=COLOURS[i], linestyle=LINES[i], label=f"k = {df}")
    right.set(ylim=(0, 0.62), xlim=(0, 20), xlabel="Q", ylabel="density")
    right.legend()
    show(
        fig,
        f"Left: χ² of {len(by_chance)} tables with the labels dealt out follows the law with {k} degrees of "
        f"freedom; the largest is {by_chance.max():.0f}, the measured column has {measured:.0f}. Right: "
        "such laws.",
    )


def show_many_tests(noise, p, alpha):
    """p-values of useless columns; the smallest of all p-values, sorted, under the line α k / m."""
    fig, (left, right) = figure(2, width=9.5, height=3.1)
    left.hist(noise, bins=np.linspace(0, 1, 11), color=SKY, edgecolor="white")
    left.axvline(alpha, color=RED, linestyle="--")
    found = (noise < alpha).sum()
    left.set(xlabel="p", ylabel="columns that know nothing", title=f"{found} of {len(noise)} below {alpha}")
    m, few = len(p), 100
    k = np.arange(1, few + 1)
    right.plot(k, np.sort(p)[:few].clip(1e-14), ".", color=BLUE, label="p-values, sorted (cut at 1e-14)")
    right.plot(k, alpha * k / m, color=RED, linestyle="--", label="α k / m")
    right.axhline(alpha / m, color=BLACK, linestyle=":", label="Bonferroni: α / m")
    right.set(yscale="log", xlabel=f"rank k, of {m}", ylabel="p")
    right.legend(loc="lower right", fontsize=8)
    show(
        fig,
        f"Left: p-values of {len(noise)} columns without any relation are spread evenly, but in lumps (few "
        f"rows make few different tables); {found} lie below {alpha}. Right: the smallest of all {m}, and "
        "the two limits.",
    )


def show_sure_or_large(sizes, p, drawn):
    """The median p, and V with its band, of drawn tables; a dict name → V (size, table)."""
    fig, (left, right) = figure(2, width=9, height=2.8)
    weak, useless = drawn.values()
    left.loglog(sizes, p, marker="o", color=BLUE)
    left.axhline(0.05, color=RED, linestyle="--", label="p = 0.05")
    left.set(xlabel="rows", ylabel="p (median)", yticks=[1, 1e-10, 1e-20, 1e-30], ylim=(1e-34, 1e2))
    left.legend(loc="lower left")
    for i, (name, V) in enumerate(drawn.items()):
        right.fill_between(sizes, *np.quantile(V, [0.05, 0.95], axis=1), color=COLOURS[i], alpha=0.25)
        style = {"marker": MARKERS[i], "linestyle": LINES[i], "color": COLOURS[i]}
        right.semilogx(sizes, V.mean(axis=1), label=name, **style)
    right.set(xlabel="rows", ylabel="Cramér's V", ylim=(0, 0.4))
    right.legend(title="mean, 90 % band")
    low, high = np.quantile(weak[0], [0.05, 0.95])
    show(
        fig,
        f"Tables of {sizes[0]} to {sizes[-1]} rows drawn from one weak relation: the median p falls from "
        f"{p[0]:.2f} to {p[-1]:.0e}. V is {weak[-1].mean():.2f} on average with {sizes[-1]} rows; with "
        f"{sizes[0]} nine in ten lie between {low:.2f} and {high:.2f}, and a useless column has "
        f"{useless[0].mean():.2f} on average.",
    )


def show_third_variable(tables, p):
    """Shares of the shy with and without a coat, a dict name → table (coat, shy)."""
    fig, ax = figure(height=2.8)
    for i, coat in enumerate(("no coat", "coat")):
        share = [100 * O[i, 1] / O[i].sum() for O in tables.values()]
        at = np.arange(len(tables)) + 0.4 * i - 0.2
        ax.bar(at, share, width=0.38, color=COLOURS[i], hatch=("", "//")[i], edgecolor="white", label=coat)
    names = [f"{name}\np = {p[name]:.1g}" for name in tables]
    ax.set(xticks=range(len(tables)), xticklabels=names, ylabel="shy (%)", ylim=(0, 100))
    ax.legend(loc="upper left")
    O = tables["all"]
    shy = 100 * O[:, 1] / O.sum(axis=1)
    show(
        fig,
        f"Of those with a coat {shy[1]:.0f} % are shy, of the others {shy[0]:.0f} %; within each country the "
        "bars are nearly equally high.",
    )


def show_words(words, score, counts, many=8):
    """The words with the largest score, and the commonest ones."""
    fig, (left, right) = figure(2, width=9, height=3)
    for ax, order, title in (
        (left, np.argsort(-score)[:many], "best by chi2"),
        (right, np.argsort(-counts)[:many], "commonest"),
    ):
        ax.barh(np.arange(many), score[order], color=BLUE)
        for place, j in enumerate(order):
            ax.text(score[j] + 0.6, place, f"{counts[j]} times", va="center", fontsize=8)
        ax.set(
            yticks=range(many),
            yticklabels=words[order],
            xlabel="chi2",
            title=title,
            xlim=(0, 1.3 * score.max()),
        )
        ax.invert_yaxis()
    best, common = score.argmax(), counts.argmax()
    show(
        fig,
        f"Words of four texts by chi2. The best, “{words[best]}”, scores {score[best]:.0f}; the commonest, "
        f"“{words[common]}”, {score[common]:.0f}.",
    )


def show_chi2_obeys_units(ratio, score, F, names, some):
    """chi2 of each column against its variance over its mean, and against F."""
    fig, axs = figure(2, width=9.5, height=3.4, sharey=True)
    for ax, x, label in zip(axs, (ratio, F), ("variance / mean of the column", "F (part C)"), strict=True):
        ax.loglog(x, score, "o", color=BLUE, markersize=5)
        for j in some:
            left = x[j] > np.sqrt(x.min() * x.max())
            place = {"ha": "right" if left else "left", "va": "center", "fontsize": 8}
            ax.annotate(
                names[j], (x[j], score[j]), (-6 if left else 6, 0), textcoords="offset points", **place
            )
        ax.set(xlabel=label)
    axs[0].set_ylabel("chi2")
    follows = [np.corrcoef(_ranks(np.column_stack([x, score])).T)[0, 1] for x in (ratio, F)]
    show(
        fig,
        f"chi2 of {len(score)} measured columns, from {score.min():.0e} to {score.max():.0e}: it follows the "
        f"column's variance over its mean (left, Spearman {follows[0]:.2f}), and how well the column parts "
        f"the classes less closely (right, {follows[1]:.2f}).",
    )


def show_false_alarms(alarms):
    """Shares of useless columns with p below 0.05, a dict kind → share."""
    fig, ax = figure(height=2.8)
    share = 100 * np.array(list(alarms.values()))
    ax.barh(list(alarms)[::-1], share[::-1], color=BLUE)
    for place, value in enumerate(share[::-1]):
        ax.text(
            value + 0.8, place, f"{value:.1f} %", va="center", fontsize=8, bbox={"color": "white", "pad": 1}
        )
    ax.axvline(5, color=RED, linestyle="--", label="promised: 5 %", zorder=1.5)
    ax.set(xlabel="useless columns found (%)", xlim=(0, 1.15 * share.max()))
    ax.legend(loc="center right")
    show(
        fig,
        f"False alarms of chi2 at the 5 % level: {share[0]:.0f} % for counts that come singly, "
        f"{share[1]:.0f} % "
        f"in bunches, {share[2]:.0f} % for rare ones, {share[3]:.1f} % for frequent ones, {share[4]:.1f} % "
        "and "
        f"{share[5]:.0f} % for measurements.",
    )


def show_between_within(pairs, classes, name):
    """Values by class with their means; arrows between the means, bars for the spread within."""
    fig, axs = figure(len(pairs), width=9.5, height=3.5, sharey=True)
    gaps = []
    for ax, (title, groups) in zip(axs, pairs.items(), strict=True):
        total = np.concatenate(groups).mean()
        ax.axhline(total, color=GREY, linestyle="--", linewidth=1)
        for i, group in enumerate(groups):
            mean, sd = group.mean(), group.std()
            jitter = i + 0.36 * (np.arange(len(group)) * 0.618 % 1 - 0.5)
            ax.scatter(jitter, group, s=7, alpha=0.4, color=COLOURS[i], marker=MARKERS[i])
            ax.plot([i - 0.28, i + 0.28], [mean, mean], color=BLACK, linewidth=2)
            arrow = {"arrowstyle": "->", "color": GREEN, "linewidth": 2}
            ax.annotate("", (i + 0.34, mean), (i + 0.34, total), arrowprops=arrow)
            ax.errorbar(i - 0.34, mean, [[0], [sd]], color=PINK, capsize=4, linewidth=2)
        gaps.append(abs(groups[1].mean() - groups[0].mean()) / groups[0].std())
        ax.set(xticks=(0, 1), xticklabels=classes, title=title, xlim=(-0.6, 1.6))
    axs[0].set(ylabel=name, ylim=(None, 1.35 * max(g.max() for groups in pairs.values() for g in groups)))
    axs[0].plot([], [], color=GREEN, linewidth=2, label="between: class mean − mean")
    axs[0].plot([], [], color=PINK, linewidth=2, label="within: one standard deviation")
    axs[0].legend(loc="upper left", fontsize=8)
    show(
        fig,
        f"{name.capitalize()} by class. Measured, the means lie {gaps[0]:.1f} standard deviations (benign) "
        "apart; "
        f"shuffled, {gaps[1]:.2f}.",
    )


def show_law_of_F(by_chance, grid, laws, F, names):
    """F of tables without a difference, and laws; F of columns, of which the second half is shuffled."""
    fig, (left, right) = figure(2, width=9.5, height=4.6, width_ratios=(1, 1.25))
    left.hist(by_chance, bins=np.linspace(0, 6, 41), density=True, color=SKY, label="simulated tables")
    for i, ((a, b), law) in enumerate(laws.items()):
        left.plot(grid, law, color=(BLACK, RED, GREEN)[i], linestyle=LINES[i], label=f"F({a}, {b})")
    left.set(xlabel="F", ylabel="density", xlim=(0, 6), ylim=(0, 1.1))
    left.legend(fontsize=8)
    half = len(F) // 2
    order = np.argsort(F[:half])
    right.barh(np.arange(half), F[:half][order], color=BLUE)
    right.axvline(F[half:].max(), color=RED, linestyle="--", label=f"best shuffled: {F[half:].max():.1f}")
    right.set(xscale="log", xlim=(0.02, 2000), xlabel="F", ylim=(-0.7, half - 0.3))
    right.set_yticks(range(half), np.array(names)[order], fontsize=6.5)
    right.legend(loc="lower right", fontsize=8)
    below = (F[:half] < F[half:].max()).sum()
    show(
        fig,
        f"Left: F of {len(by_chance)} tables without any difference, and three laws. Right: F of the {half} "
        "measured "
        f"columns; {below} do not reach the best shuffled one.",
    )


def show_long_tail(a, b, p, name):
    """Two samples with a long tail: as histograms and by their ranks."""
    fig, (left, right) = figure(2, width=9.5, height=2.9)
    both = np.r_[a, b]
    ranks = _ranks(both[:, None])[:, 0]
    for ax, parts, label in (
        (left, (a, b), name),
        (right, (ranks[: len(a)], ranks[len(a) :]), "rank among all (0 to 1)"),
    ):
        bins = np.linspace(min(map(min, parts)), max(map(max, parts)), 31)
        for i, (part, told) in enumerate(zip(parts, ("benign", "malignant"), strict=True)):
            ax.hist(part, bins, density=True, histtype="step", linewidth=1.8, color=COLOURS[i],
                    linestyle=LINES[i], label=told)  # fmt: skip
            ax.axvline(part.mean(), color=COLOURS[i], linestyle=LINES[i], linewidth=1)
        ax.set(xlabel=label, ylabel="density", yticks=[])
    left.legend(title="thin lines: means", fontsize=8)
    left.set_title(f"p of F {p['F']:.2f}, Welch {p['Welch']:.2f}", fontsize=10)
    right.set_title(f"p of Kruskal–Wallis {p['Kruskal-Wallis']:.0e}", fontsize=10)
    told = ", ".join(f"{test} {value:.1g}" for test, value in p.items())
    show(
        fig,
        f"{name.capitalize()}, as measured and in ranks. A few huge benign values hide the shift: p is "
        f"{told}.",
    )


def show_curves(noisy, told):
    """Noisy relations, a dict name → (x, y), with r and information, a dict name → (r, bits)."""
    fig, axs = figure(len(noisy), width=9.5, height=2.9)
    for i, (ax, (name, (x, y))) in enumerate(zip(axs, noisy.items(), strict=True)):
        ax.scatter(x, y, s=4, alpha=0.5, color=COLOURS[i], marker=MARKERS[i])
        r, bits = told[name]
        ax.set(title=f"{name}: r = {r:.2f}, I = {bits:.2f} bits", xlabel="x")
    axs[0].set_ylabel("y")
    said = "; ".join(f"{name} r = {r:.2f}, {bits:.2f} bits" for name, (r, bits) in told.items())
    show(fig, f"Three relations of {len(x)} points with the same noise: {said}.")


def show_entropies(entropy, told):
    """H(y) as a bar, cut into what each column tells and what it leaves."""
    fig, ax = figure(height=2.9)
    names = ["H(y): nothing known", *told]
    gained = np.array([0, *told.values()])
    at = np.arange(len(names))
    ax.barh(at, gained, color=BLUE, label="I(x; y), told")
    ax.barh(
        at, entropy - gained, left=gained, color=PALE, hatch="//", edgecolor="white", label="H(y | x), left"
    )
    for place, g in zip(at, gained, strict=True):
        ax.text(entropy + 0.01, place, f"{g:.2f} + {entropy - g:.2f}", va="center", fontsize=9)
    ax.set(yticks=at, yticklabels=names, xlabel="bits", xlim=(0, entropy * 1.22))
    ax.grid(False)
    ax.invert_yaxis()
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, 1.22), ncol=2)
    said = ", ".join(f"{name} tells {g:.2f}" for name, g in told.items())
    show(fig, f"The diagnosis has an entropy of {entropy:.2f} bits; of these {said}.")


def show_luck(ns, estimates, predicted, number_of_row):
    """Estimated information of columns that know nothing, dicts number of values → bits."""
    fig, ax = figure(height=3.2)
    for i, (levels, bits) in enumerate(estimates.items()):
        ax.loglog(ns, bits, marker=MARKERS[i], linestyle="", color=COLOURS[i], label=f"{levels} values")
        ax.loglog(ns, predicted[levels], color=COLOURS[i], linestyle="--", linewidth=1)
    ax.axhline(number_of_row, color=BLACK, linestyle=":", label="the number of the row")
    ax.set(xlabel="rows", ylabel="estimated information (bits)", xticks=ns, xticklabels=ns, ylim=(None, 1.5))
    ax.minorticks_off()
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    few, many = (estimates[max(estimates)][i] for i in (1, -1))
    show(
        fig,
        f"Columns that know nothing, mean of 40 draws; dashed: the formula. With {max(estimates)} values "
        f"{few:.2f} bits from {ns[1]} rows, {many:.2f} from {ns[-1]}.",
    )


def _neighbours(Z, y, i, same):
    distance = np.where((y == y[i]) == same, ((Z - Z[i]) ** 2).sum(axis=1), np.inf)
    distance[i] = np.inf
    return distance.argmin()


def show_pair_and_scores(points, labels, scores, asked):
    """A cloud of two columns with near-hits and near-misses of some samples; three scores of six columns."""
    fig, axs = figure(4, width=11, height=3.4, width_ratios=[1.7, 1, 1, 1])
    scatter_classes(axs[0], points, labels, labels=("like signs", "unlike signs"), s=10, alpha=0.45)
    for i in asked:
        for same, colour in ((True, GREEN), (False, BLACK)):
            j = _neighbours(points, labels, i, same)
            arrow = {
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": 1.8,
                "linestyle": "-" if same else "--",
            }
            axs[0].annotate("", points[j], points[i], arrowprops=arrow)
        axs[0].plot(*points[i], "o", color="none", markeredgecolor=BLACK, markersize=9)
    axs[0].plot([], [], color=GREEN, label="near-hit")
    axs[0].plot([], [], color=BLACK, linestyle="--", label="near-miss")
    axs[0].set(xlabel="$x_1$", ylabel="$x_2$")
    axs[0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.28), ncol=2, fontsize=8)
    for ax, (name, score), top in zip(axs[1:], scores.items(), (5, 1, 0.12), strict=True):
        colours, hatches = [BLUE] * 2 + [ORANGE] * 4, [""] * 2 + ["//"] * 4
        ax.bar(np.arange(1, 7), score, color=colours, hatch=hatches, edgecolor="white")
        ax.set(title=name, xlabel="column", xticks=range(1, 7), ylim=(min(0, score.min()), top))
    w = scores["Relief"]
    show(
        fig,
        f"Left: the first two columns decide the class together; {len(asked)} samples with near-hit and "
        f"near-miss (of these two columns only). Right: F stays below {scores['F'].max() + 0.05:.1f}, "
        f"information below {scores['information (bits)'].max() + 0.005:.2f} bits; Relief gives {w[0]:.2f} "
        f"and {w[1]:.2f} to columns 1 and 2, to the others at most {w[2:].max():.2f}.",
    )


def show_neighbours_curve(ms, lost, first):
    """Two costs of the number of neighbours: columns lost among the shuffled; how often the pair leads."""
    fig, (left, right) = figure(2, width=9.5, height=3.1)
    left.plot(ms, lost.T, color=GREY, linewidth=0.8)
    left.plot(ms, lost.mean(axis=0), color=BLUE, marker="o")
    left.set(ylabel="measured columns lost", ylim=(0, 30), title=f"the women, {len(lost)} halves")
    share = 100 * first.mean(axis=0)
    right.plot(ms, share, color=RED, marker="^")
    right.axhline(100 / 6, color=BLACK, linestyle="--", label="blindly: one in six")
    right.legend(loc="center left")
    right.set(ylabel="pair comes first (%)", ylim=(-3, 103), title=f"the chessboard, {len(first)} tables")
    for ax in (left, right):
        ax.set(xscale="log", xlabel="neighbours m", xticks=ms, xticklabels=ms)
        ax.minorticks_off()
    mean = lost.mean(axis=0)
    show(
        fig,
        f"ReliefF with {ms[0]} to {ms[-1]} neighbours. Of 30 measured columns {mean[0]:.0f} are lost with "
        "one "
        f"neighbour, {mean[-1]:.0f} with {ms[-1]}; the pair leads in "
        + ", ".join(f"{s:.0f} % with {m}" for s, m in zip(share, ms, strict=True))
        + "; blindly 17 %.",
    )


def show_bump(rankings, names, beaten, picks):
    """The place of each column in each ranking, a dict score → values; some columns coloured."""
    fig, ax = figure(width=9.5, height=5.6)
    places = np.array([(-s).argsort().argsort() + 1 for s in rankings.values()])
    at = np.arange(len(places))
    ax.plot(at, places, color=PALE, linewidth=1.2, zorder=1)
    colours = {j: COLOURS[i] for i, j in enumerate(picks)}
    for j, name in enumerate(names):
        style = {"va": "center", "fontsize": 8, "color": colours.get(j, "#555555")}
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.2}
        ax.text(at[-1] + 0.1, places[-1, j], name, bbox=box, **style)
    for i, j in enumerate(picks):
        style = {"color": COLOURS[i], "linestyle": LINES[i], "marker": MARKERS[i]}
        ax.plot(at, places[:, j], linewidth=2.4, zorder=2, **style)
    labels = [f"{name}\n({beaten[name]} lost)" for name in rankings]
    ax.set(
        xticks=at,
        xticklabels=labels,
        ylabel="place",
        xlim=(-0.2, at[-1] + 1.5),
        yticks=(1, 5, 10, 15, 20, 25, 30),
    )
    ax.invert_yaxis()
    lowest, highest = min(beaten, key=beaten.get), max(beaten, key=beaten.get)
    show(
        fig,
        f"Places of {places.shape[1]} measured columns by six scores. Lost: no better than the best shuffled "
        f"column; {beaten[lowest]} for {lowest}, {beaten[highest]} for {highest}.",
    )


def show_companions(x, others, y):
    """The radius against its companions, a dict name → values, by class."""
    fig, axs = figure(len(others), width=12, height=3.2)
    for ax, (name, z) in zip(axs, others.items(), strict=True):
        scatter_classes(ax, np.column_stack([x, z]), y, labels=("benign", "malignant"), s=6, alpha=0.5)
        ax.set(xlabel="mean radius", ylabel=name, title=f"r = {np.corrcoef(x, z)[0, 1]:.3f}")
    axs[0].legend(fontsize=8, markerscale=2)
    said = ", ".join(f"{name} {np.corrcoef(x, z)[0, 1]:.3f}".replace("-", "−") for name, z in others.items())
    show(
        fig,
        f"Companions of the mean radius and their correlations with it: {said}. In the last two pictures the "
        "classes part along a tilted line.",
    )


def show_mrmr(ks, curves, C, chosen, names):
    """Held-out accuracy by number of columns, a dict score → (seed, k); |r| within two choices."""
    fig, axs = figure(3, width=11.5, height=3.7, width_ratios=(1.25, 1, 1))
    for i, (name, a) in enumerate(curves.items()):
        mean, sd = 100 * a.mean(axis=0), 100 * a.std(axis=0, ddof=1)
        style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": LINES[i], "capsize": 3}
        axs[0].errorbar(ks, mean, sd, label=name, **style)
    axs[0].set(
        xscale="log", xticks=ks, xticklabels=ks, xlabel="columns kept", ylabel="accuracy, other half (%)"
    )
    axs[0].minorticks_off()
    axs[0].legend(loc="lower right")
    for ax, (name, columns) in zip(axs[1:], chosen.items(), strict=True):
        image = ax.imshow(C[np.ix_(columns, columns)], vmin=0, vmax=1, cmap="viridis")
        ax.set_title(f"eight by {name}")
        ax.grid(False)
        ax.set_xticks([])
        ax.set_yticks(
            range(len(columns)),
            [names[j].replace("fractal dimension", "fractal") for j in columns],
            fontsize=7,
        )
    fig.colorbar(image, ax=axs[2], label="|r|", shrink=0.8)
    at = list(ks).index(8)
    told = ", ".join(f"{100 * a[:, at].mean():.1f} % ({name})" for name, a in curves.items())
    show(
        fig,
        f"Share right with eight columns: {told}; with all thirty: {100 * a[:, -1].mean():.1f} %. On the "
        "right, how the eight overlap.",
    )


def show_stability(often, draws, names):
    """How often each column is among the five chosen, a dict score → counts."""
    fig, ax = figure(width=9.5, height=3.9)
    table = np.array(list(often.values()))
    columns = np.flatnonzero(table.max(axis=0) >= 0.08 * draws)
    columns = columns[np.argsort(-table[:, columns].sum(axis=0))]
    share = 100 * table[:, columns] / draws
    ax.imshow(share, vmin=0, vmax=100, cmap="Blues", aspect="auto")
    ax.grid(False)
    for (i, j), value in np.ndenumerate(share):
        if value:
            ax.text(
                j,
                i,
                f"{value:.0f}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if value > 55 else BLACK,
            )
    ax.set_xticks(range(len(columns)), [names[j] for j in columns], rotation=45, ha="right", fontsize=8)
    ax.set_yticks(range(len(often)), list(often))
    sure = {name: int((counts == draws).sum()) for name, counts in often.items()}
    told = ", ".join(f"{name} {many}" for name, many in sure.items())
    show(
        fig,
        f"How often (%) a column is among the best five of {draws} random halves, any two of which share "
        f"half their women. Always chosen: {told}.",
    )


def show_blind_spots(found, filters, kinds, trials):
    """How often each score puts the useful columns first, of so many trials."""
    fig, ax = figure(width=8.5, height=3.4)
    ax.imshow(found, vmin=0, vmax=trials, cmap="Blues", aspect="auto")
    ax.grid(False)
    for (i, j), value in np.ndenumerate(found):
        ax.text(j, i, value, ha="center", va="center", color="white" if value > 0.55 * trials else BLACK)
    ax.set_xticks(range(len(kinds)), kinds)
    ax.set_yticks(range(len(filters)), filters)
    best = found.sum(axis=1).argmax()
    show(
        fig,
        f"How often, of {trials}, the useful columns come first: {filters[best]} finds them in "
        f"{found[best].sum()} of {trials * len(kinds)} tables.",
    )


def show_interaction(a, b, responses, F):
    """Means of four groups, one line for each value of b, a dict name → response, with F of a, b and both."""
    fig, axs = figure(len(responses), width=8.5, height=2.9, sharey=True)
    for ax, (name, y) in zip(axs, responses.items(), strict=True):
        for i, s in enumerate((-1, 1)):
            means = [y[(a == t) & (b == s)].mean() for t in (-1, 1)]
            style = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": LINES[i]}
            ax.plot((-1, 1), means, label=f"b = {s}", **style)
        ax.set(title=f"{name}: F = " + ", ".join(f"{f:.1f}" for f in F[name]), xlabel="a", xticks=(-1, 1))
    axs[0].set_ylabel("mean response")
    axs[0].legend()
    told = "; ".join(f"{name} " + ", ".join(f"{f:.1f}" for f in fs) for name, fs in F.items())
    show(fig, f"Group means. F of a, of b and of their interaction: {told}.")
