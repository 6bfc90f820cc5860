"""Variants of questions that read: a figure of other data, or other numbers in a report; words follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from helpers.plotting import COLOURS, LINES, figure

__all__ = ["FIGURES", "Look", "drawn"]

FIGURES: dict[str, Callable] = {}
NUMBERS = "None One Two Three Four Five Six Seven".split()


@dataclass(frozen=True)
class Look:
    """What is read this time.

    draw : () -> (a figure, its sentence); None for a report
    holds : whether the data show what the right choice says
    words : {in the text, the choices, the reasons or their hints: what stands there instead}
    """

    draw: Callable | None
    holds: bool
    words: dict = field(default_factory=dict)


def look(id: str):
    """Declare the function rng -> Look of a question."""

    def declared(drawn):
        FIGURES[id] = drawn
        return drawn

    return declared


def drawn(id, rng):
    """A look that shows what is right; None where nothing of the question varies."""
    if id not in FIGURES:
        return None
    while not (made := FIGURES[id](rng)).holds:
        pass
    return made


def swapped(one, other):
    """Words of which each stands for the other."""
    return {one: other, other: one}


def two_lines(x, first, second, labels, **axes):
    fig, ax = figure(height=3)
    ax.plot(x, first, "o-", label=labels[0])
    ax.plot(x, second, "s--", label=labels[1])
    ax.set(**axes)
    ax.legend()
    return fig


@look("knn.14")
def noisy_labels(rng):
    from sklearn.neighbors import KNeighborsClassifier

    X, share = rng.normal(size=(600, 2)), rng.uniform(0.12, 0.3)
    y = (X @ rng.normal(size=2) > 0) ^ (rng.random(600) < share)
    ks = np.r_[1:32:2]
    models = [KNeighborsClassifier(k).fit(X[:300], y[:300]) for k in ks]
    stored, held_out = (
        np.array([np.mean(m.predict(X[part]) != y[part]) for m in models])
        for part in (slice(300), slice(300, 600))
    )

    def draw():
        axes = dict(xlabel="k", ylabel="share of errors")
        fig = two_lines(ks, stored, held_out, ("stored rows", "held-out rows"), **axes)
        return fig, (
            f"Errors for k from 1 to {ks[-1]}: on stored rows they begin at {stored[0]:.2f} and rise, "
            f"on held-out rows they begin at {held_out[0]:.2f} and fall."
        )

    return Look(draw, stored[0] == 0 and held_out[0] > held_out[-4:].mean() + 0.03)


@look("pca.15")
def scree(rng):
    shared = int(rng.choice([2, 4, 5, 6]))
    mixed = np.linalg.qr(rng.normal(size=(20, shared)))[0]
    X = rng.normal(size=(400, shared)) * rng.uniform(3, 6, shared) @ mixed.T + rng.normal(size=(400, 20))
    spectrum = np.linalg.eigvalsh(np.cov(X, rowvar=False))[::-1]

    def draw():
        fig, ax = figure(height=3)
        ax.plot(np.r_[1:21], spectrum, "o-")
        ax.set(xlabel="axis", ylabel="variance", ylim=(0, None), xticks=np.r_[1:21])
        return fig, (
            f"Twenty eigenvalues from {spectrum[0]:.0f} down to {spectrum[-1]:.1f}, with a bend on the way."
        )

    number = NUMBERS[shared]
    words = {
        "Seventeen": f"The last {20 - shared}",
        "Three:": f"{number}:",
        "second and third stand": "second stands",
        "at most three": f"at most {number.lower()}",
        "after the third": f"after number {shared}",
    }
    return Look(draw, spectrum[shared - 1] > 3 * spectrum[shared], words)


@look("lda.12")
def two_clouds(rng):
    angle, y = rng.uniform(0.3, 1.2), np.arange(200) % 2
    along, across = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    gap = 0.25 * along + rng.uniform(1, 1.3) * across
    rows = (
        rng.normal(size=(200, 2)) * [3, 0.5] @ np.array([along, across]) + np.where(y, 1, -1)[:, None] * gap
    )
    styles = rng.permutation(["-", "--"])

    def draw():
        fig, ax = figure(width=5)
        for label, marker in enumerate("os"):
            ax.plot(*rows[y == label].T, marker, color=COLOURS[label], label=f"class {label}")
        for way, style in zip((along, across), styles, strict=True):
            ax.axline((0, 0), way, color="black", lw=2, ls=style)
        ax.set(aspect="equal")
        ax.legend()
        leans = f"{np.rad2deg(angle):.0f} degrees"
        return fig, f"Two long clouds of {sum(y)} points side by side; one line leans by {leans}."

    apart = [
        abs(np.diff([(rows @ w)[y == c].mean() for c in (0, 1)])[0]) / (rows @ w)[y == 0].std()
        for w in (along, across)
    ]
    return Look(draw, apart[1] > 2 > 1 > apart[0], swapped("solid", "dashed") if styles[0] == "--" else {})


@look("manifold.12")
def unrolled(rng):
    from helpers.manifold import Isomap

    t = np.sort(np.linspace(1.5, rng.uniform(4, 4.5), 250) + 0.01 * rng.normal(size=250)) * np.pi
    spiral = np.column_stack([t * np.cos(t), t * np.sin(t)])
    many_first = rng.random() < 0.5
    maps = [Isomap(n_neighbors=k, n_components=2).fit_transform(spiral) for k in (8, 10, 90)]
    order = [abs(np.corrcoef(one[:, 0], t)[0, 1]) for one in maps]

    def draw():
        fig, axes = figure(4, width=9, height=2.4)
        axes[0].scatter(*spiral.T, c=t, s=8)
        axes[0].set(title="the spiral", aspect="equal")
        shown = maps[::-1] if many_first else maps
        for ax, one, name in zip(axes[1:], shown, ("left", "middle", "right"), strict=True):
            ax.scatter(*one.T, c=t, s=8)
            ax.set(title=name)
        wide = [np.ptp(one[:, 0]) for one in shown]
        return fig, (
            f"A spiral of {len(t)} points, and three maps of it; the first is {wide[0]:.0f} wide, "
            f"the last {wide[-1]:.0f}."
        )

    words = swapped("left", "right") | {"few, some and many": "many, some and few"} if many_first else {}
    return Look(draw, min(order[:2]) > 0.98 > 0.9 > order[2], words)


@look("preprocessing.12")
def filled(rng):
    middle, wide, share = rng.integers(20, 90), rng.uniform(4, 12), rng.uniform(0.5, 0.8)
    values = rng.normal(middle, wide, size=500)
    seen = rng.random(500) < share
    column = np.where(seen, values, values[seen].mean())

    def draw():
        fig, (left, right) = figure(2, height=2.6)
        for ax, part, name in ((left, values[seen], "seen"), (right, column, "filled")):
            ax.hist(part, np.linspace(middle - 3 * wide, middle + 3 * wide, 27), color=COLOURS[0])
            ax.set(title=f"{name}: {len(part)} values", xlabel="value")
        return fig, (
            f"Left a bell of {seen.sum()} values; right the same bell with a spike of {(~seen).sum()} at one "
            "place."
        )

    return Look(draw, column.var() < 0.9 * values[seen].var())


@look("recovery.12")
def two_tones(rng):
    rate = int(rng.choice([9, 11, 12, 13]))
    slow = int(rng.integers(2, (rate - 1) // 2))
    fast, samples, t = rate - slow, np.arange(rate + 1) / rate, np.linspace(0, 1, 500)

    def wave(f, t):
        return np.cos(2 * np.pi * f * t)

    apart = np.abs(wave(slow, samples) - wave(fast, samples)).max()

    def draw():
        fig, ax = figure(height=2.6)
        ax.plot(t, wave(slow, t), "-", color=COLOURS[0], label=f"{slow} a second")
        ax.plot(t, wave(fast, t), "--", color=COLOURS[1], label=f"{fast} a second")
        ax.plot(samples, wave(slow, samples), "o", color="black", label="samples")
        ax.set(xlabel="seconds")
        ax.legend(loc="upper right")
        return fig, (
            f"A slow and a fast wave through the same {len(samples)} dots; at the dots they differ by "
            f"{apart:.0e}."
        )

    words = {
        "samples at 10 a second": f"samples at {rate} a second",
        "a cosine of 3 and one of 7 waves": f"a cosine of {slow} and one of {fast} waves",
        "multiples of a tenth of a second": f"multiples of 1/{rate} of a second",
        "7 = 10 − 3": f"{fast} = {rate} − {slow}",
        "Ten samples a second are more than twice 3 and more than twice 7": (
            f"{rate} samples a second are more than twice {slow} and more than twice {fast}"
        ),
        "Twice 7 is 14": f"Twice {fast} is {2 * fast}",
        "cos(2π·7·t) and cos(2π·3·t) at t = 0.1": f"cos(2π·{fast}·t) and cos(2π·{slow}·t) at t = 1/{rate}",
    }
    return Look(draw, apart < 1e-9, words)


@look("selection.13")
def learning_curve(rng):
    bends, degree = rng.uniform(4.5, 6), int(rng.integers(1, 3))
    x = rng.uniform(-1, 1, size=4000)
    y = np.sin(bends * x) + rng.uniform(0.1, 0.3) * rng.normal(size=4000)
    sizes, starts = np.array([10, 15, 25, 40, 70, 120, 200, 400, 800, 1500]), range(0, 2000, 200)

    def error(c, rows):
        return np.mean((np.polyval(c, x[rows]) - y[rows]) ** 2)

    errors = []
    for n in sizes:
        fits = [(np.polyfit(x[s : s + n], y[s : s + n], degree), slice(s, s + n)) for s in starts]
        errors.append([
            np.mean([error(c, own) for c, own in fits]),
            np.mean([error(c, slice(3500, 4000)) for c, _ in fits]),
        ])
    train, valid = np.array(errors).T

    def draw():
        axes = dict(xscale="log", xlabel="number of training rows", ylabel="squared error", ylim=(0, 1.5))
        fig = two_lines(sizes, train, valid, ("training rows", "validation rows"), **axes)
        return fig, (
            f"With {sizes[0]} rows the errors are {train[0]:.2f} and {valid[0]:.2f}; "
            f"with {sizes[-1]} they are {train[-1]:.2f} and {valid[-1]:.2f}."
        )

    return Look(draw, abs(valid[-1] - train[-1]) < 0.05 and valid[-1] > 0.2)


@look("filters.13")
def p_values(rng):
    from scipy.stats import ttest_ind

    useful, label = int(rng.choice([60, 100, 200, 300])), np.arange(200) % 2
    table = rng.normal(size=(200, 1000))
    table[:, :useful] += 0.6 * label[:, None]
    heights = np.histogram(ttest_ind(table[label == 0], table[label == 1]).pvalue, 20, (0, 1))[0]
    low, high = round(0.8 * useful), round(1.2 * useful)

    def draw():
        fig, ax = figure(height=2.8)
        ax.bar(np.arange(20) / 20, heights, 0.05, align="edge", color=COLOURS[0], edgecolor="white")
        ax.set(xlabel="p", ylabel="features")
        return fig, (
            f"Twenty bars: the first holds {heights[0]:.0f} p-values, the others {heights[1:].mean():.0f} "
            "each on average."
        )

    words = {"About 120 to 180": f"About {low} to {high}"}
    return Look(draw, low <= heights[0] - heights[1:].mean() <= high, words)


@look("wrappers.13")
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
    return Look(draw, ends[first] < 0.5 * np.abs(weights[first]).max() and ends[first] < ends.max())


@look("sparse.13")
def atoms_in_a_code(rng):
    from helpers.methods.ksvd import batch_omp

    used, noise = int(rng.integers(2, 5)), rng.uniform(0.2, 0.35)
    hidden = rng.normal(size=(30, 16))
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    clean = rng.normal(size=(400, 30)) * (np.argsort(rng.random((400, 30))) < used) @ hidden
    noisy, own, new = clean + noise * rng.normal(size=clean.shape), [], []
    for t in range(1, 11):
        rebuilt = batch_omp(noisy, hidden, n_nonzero_coefs=t) @ hidden
        own.append(((rebuilt - noisy)[:200] ** 2).mean())
        new.append(((rebuilt - clean)[200:] ** 2).mean())

    def draw():
        labels = "200 patches, against themselves", "200 others, against clean ones"
        axes = dict(xlabel="atoms in a code", ylabel="mean squared error", ylim=(0, None))
        return two_lines(np.r_[1:11], own, new, labels, **axes), (
            f"The first curve falls from {own[0]:.3f} to {own[-1]:.3f}; the second starts at {new[0]:.3f} "
            f"and ends at {new[-1]:.3f}."
        )

    return Look(draw, 0 < int(np.argmin(new)) < 9 and max(new[0], new[-1]) > 1.1 * min(new))


@look("multiclass.13")
def three_scores(rng):
    from sklearn.linear_model import LogisticRegression

    apart, wide, names = rng.uniform(3, 5), rng.uniform(0.5, 0.9), ("left", "middle", "right")
    x, label = rng.normal(np.repeat([-apart, 0, apart], 100), wide), np.repeat([0, 1, 2], 100)
    line = np.linspace(-1.5 * apart, 1.5 * apart, 200)
    models = [LogisticRegression().fit(x[:, None], label == c) for c in range(3)]
    scores = np.array([one.decision_function(line[:, None]) for one in models])

    def draw():
        fig, ax = figure(height=3)
        for score, style, name in zip(scores, ("-", "--", ":"), names, strict=True):
            ax.plot(line, score, style, label=name)
        ax.axhline(0, color="grey", lw=1)
        ax.set(xlabel="x", ylabel="decision score", ylim=(-9, 6))
        ax.legend()
        return (
            fig,
            f"A falling, a nearly level and a rising line, at most {scores[1].max():.2f}.",
        )

    return Look(draw, scores[1].max() < 0 and scores[:, 100].argmax() == 1)


@look("imbalance.12")
def roc_curves(rng):
    fpr, bend, reached = np.linspace(0, 1, 500), rng.uniform(0.05, 0.15), rng.uniform(0.4, 0.6)
    steep = np.interp(fpr, [0, bend, 1], [0, reached, 1])
    area = bend * reached / 2 + (1 - bend) * (1 + reached) / 2
    late = np.minimum(1, fpr / (2 - 2 * area))
    styles = rng.permutation(["-", "--"])

    def draw():
        fig, ax = figure(width=4.5, height=4)
        for curve, style, colour in zip((steep, late), styles, COLOURS, strict=False):
            ax.plot(fpr, curve, style, color=colour, label="solid" if style == "-" else "dashed")
        ax.plot([0, 1], [0, 1], ":", color="grey")
        ax.set(xlabel="false alarms among negatives", ylabel="recall", aspect="equal")
        ax.legend(loc="lower right")
        below = [np.mean((c[1:] + c[:-1]) / 2) for c in (steep, late)]
        return fig, (
            f"Two curves above the diagonal that cross; below are {below[0]:.2f} and {below[1]:.2f}."
        )

    few = slice(1, 6)  # with 50 rows to look at, at most 50 of 9,900 are false alarms
    words = swapped("solid", "dashed") if styles[0] == "--" else {}
    return Look(draw, (steep[few] > late[few]).all(), words)


@look("lda.13")
def pilot_study(rng):
    questions = int(rng.integers(20, 60))
    students = int(rng.integers(12, questions))
    X, Y = rng.normal(size=(2, students, questions))
    U, V = (np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)[0][:, : students - 1] for Z in (X, Y))
    largest = np.linalg.svd(U.T @ V, compute_uv=False)[0]
    words = {
        "25 students, 30 questions": f"{students} students, {questions} questions",
        "and 30 after it": f"and {questions} after it",
        "30 columns span all centred vectors of 25 numbers": (
            f"{questions} columns span all centred vectors of {students} numbers"
        ),
    }
    return Look(None, np.isclose(largest, 1), words)


@look("recovery.13")
def seen_ratings(rng):
    seen, error = int(rng.integers(5, 21)), f"{rng.uniform(0.02, 0.2):.2f}"
    words = {"92 %": f"{100 - seen} %", "8 %": f"{seen} %", "0.06": error}
    return Look(None, True, words)


@look("selection.14")
def many_settings(rng):
    many, middle = 10 * int(rng.integers(5, 60)), int(rng.integers(60, 80))
    spread = rng.uniform(2, 3)
    best = middle + spread * rng.normal(size=many).max()  # of settings that are all equally good
    words = {"200": str(many), "81.5": f"{best:.1f}", "74 %": f"{middle} %", "1.2": f"{spread / 2:.1f}"}
    return Look(None, best > middle + spread, words)


@look("multiclass.14")
def confused(rng):
    a, b, c = rng.integers(3, 9), rng.integers(2, 9), int(rng.integers(20, 31))
    table = np.array([[100 - 2 * a, a, a], [b, 100 - 2 * b, b], [c, 50 - c, 0]])
    right, recalls = np.diag(table).sum() / 250, np.diag(table) / table.sum(axis=1)
    words = {
        "| **A** | 90 | 5 | 5 |": f"| **A** | {100 - 2 * a} | {a} | {a} |",
        "| **B** | 4 | 92 | 4 |": f"| **B** | {b} | {100 - 2 * b} | {b} |",
        "| **C** | 24 | 26 | 0 |": f"| **C** | {c} | {50 - c} | 0 |",
        "0.73": f"{right:.2f}",
        "0.61": f"{recalls.mean():.2f}",
        "5 and 4": f"{a} and {b}",
        "nine rows": f"{a + b} rows",
    }
    return Look(None, recalls[2] == 0 and right > 0.6, words)


@look("knn.15")
def leaves(rng):
    """Three species: the weight tells them apart, length and width hardly do."""
    from sklearn.neighbors import KNeighborsClassifier

    species, low, high = np.arange(240) % 3, int(rng.integers(10, 40)), int(rng.integers(60, 120))
    sides = low + (high - low) * (rng.random((240, 2)) + 0.25 * species[:, None]) / 1.5
    weight = 0.001 * (1 + species + rng.random(240))

    def right(*columns):
        rows = np.column_stack(columns)
        return KNeighborsClassifier(5).fit(rows[:120], species[:120]).score(rows[120:], species[120:])

    with_it, without, scaled = right(sides, weight), right(sides), right(sides / (high - low), weight / 0.003)
    words = {
        "20 to 80": f"{low} to {high}",
        "61 %": f"{100 * without:.0f} %",
        "lengths by 60": f"lengths by {high - low}",
    }
    return Look(None, with_it == without < scaled - 0.1, words)


@look("pca.16")
def clinic(rng):
    from sklearn.decomposition import PCA
    from sklearn.feature_selection import SelectKBest
    from sklearn.model_selection import cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    patients, genes = 2 * int(rng.integers(15, 30)), 100 * int(rng.integers(8, 30))
    X, coins = rng.normal(size=(patients, genes)), rng.permutation(np.arange(patients) % 2)
    scores, best = PCA(5, svd_solver="full").fit_transform(X), SelectKBest(k=20).fit_transform(X, coins)
    honest, leaked = (cross_val_score(KNeighborsClassifier(5), Z, coins).mean() for Z in (scores, best))
    words = {
        "40 patients": f"{patients} patients",
        "40 labels": f"{patients} labels",
        "1000 genes": f"{genes} genes",
        "52 %": f"{100 * honest:.0f} %",
        "86 %": f"{100 * leaked:.0f} %",
    }
    return Look(None, abs(honest - 0.5) < 0.12 and leaked > 0.75, words)


@look("preprocessing.13")
def towns(rng):
    from sklearn.metrics import roc_auc_score

    customers, many = 100 * int(rng.integers(20, 50)), 100 * int(rng.integers(6, 12))
    home = rng.integers(many, size=customers)
    label = rng.random(customers) < 0.5 + 0.15 * rng.normal(size=many).clip(-2, 2)[home]

    def auc(towns):
        sums, sizes = np.bincount(towns, label, many), np.bincount(towns, minlength=many)
        return roc_auc_score(label, sums[towns] / sizes[towns])

    real, by_lot = auc(home), auc(rng.integers(many, size=customers))
    words = {"3000": str(customers), "900": str(many), "0.86": f"{real:.2f}", "0.84": f"{by_lot:.2f}"}
    return Look(None, 0.7 < by_lot < real - 0.015, words)


@look("filters.14")
def survey(rng):
    """What scikit-learn's chi2 makes of a column: sums of each class against what its size lets expect."""
    from sklearn.feature_selection import chi2

    y = rng.random(rows := 100 * int(rng.integers(3, 10))) < 0.5
    income, answer = np.exp(rng.normal(10, 0.9, size=rows)), y ^ (rng.random(rows) < rng.uniform(0.2, 0.3))
    unlike, decides = chi2(np.column_stack([income, answer]), y)[0]
    words = {"first with 8112": f"first with {unlike:.0f}", "last with 31": f"last with {decides:.0f}"}
    return Look(None, unlike > 10 * decides > 100, words)


@look("wrappers.14")
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
    return Look(None, 1 <= both < 0.5 * min(one, other) and abs(right[0] - right[1]) < 0.06, words)


@look("sparse.14")
def shrinking_codes(rng):
    error, penalty, factor = int(rng.integers(3, 30)), 100 * int(rng.integers(4, 20)), 10 ** rng.uniform(3, 4)
    words = {"stays at 12": f"stays at {error}", "900 to 0.4": f"{penalty} to {penalty / factor:.2g}"}
    return Look(None, True, words)


@look("imbalance.13")
def rare_disease(rng):
    """The ill have values in the upper part of a range, where the healthy are as well."""
    from sklearn.metrics import roc_auc_score

    percent, persons, upper = int(rng.integers(1, 5)), 1000 * int(rng.integers(2, 9)), rng.uniform(0.15, 0.3)
    ill = np.arange(persons) < percent * persons // 100
    value = np.where(ill, 1 - upper, 0) + np.where(ill, upper, 1) * rng.random(persons)
    highest = percent / (percent + upper * (100 - percent))  # probability in the upper part
    words = {
        "2 %": f"{percent} %",
        "5000": str(persons),
        "0.980": f"{1 - percent / 100:.3f}",
        "0.91": f"{roc_auc_score(ill, value):.2f}",
    }
    return Look(None, highest < 0.45, words)
