"""Figures of chapter 11: blind spots, votes, code books, confusion matrices.

Draws for the derivations of chapter 11: class sizes, duels, code books, words that errors have changed.
"""

from itertools import combinations

import numpy as np
from scipy.special import logsumexp

from helpers.derivation import samples
from helpers.methods.ecoc import code_distance, exhaustive_code, pairs_code
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, regions, scatter_classes, show

__all__ = [
    "coupled",
    "counts",
    "duels",
    "heard",
    "heard_at_worst",
    "line_of_targets",
    "pairs",
    "rest",
    "scores",
    "sizes",
    "small_code",
    "splits",
]

# ---- what the derivations draw at random


def counts(rng):
    """Class sizes, what they add up to, and how many there are."""
    many = rng.integers(1, 50, size=rng.integers(2, 9))
    return {"counts": many, "n": many.sum(), "K": len(many)}


def sizes(rng):
    """Classes, rows, and the power of the rows with which time grows."""
    return {"K": rng.integers(2, 40), "n": rng.uniform(50, 5000), "q": rng.uniform(0.5, 3)}


def duels(rng):
    """Scores of all pairs: what speaks for the one speaks against the other; 1 on the diagonal."""
    K = int(rng.integers(2, 9))
    upper = np.triu(rng.normal(size=(K, K)), 1)
    return {"G": upper - upper.T + np.eye(K), "K": K}


def rest(rng):
    """The code of one-vs-rest, and any scores."""
    K = int(rng.integers(2, 9))
    return {"C": 2 * np.eye(K) - 1, "f": rng.normal(size=K), "K": K, "M": K}


def pairs(rng):
    """The code of one-vs-one, verdicts of all pairs, and the votes, counted one by one."""
    K = int(rng.integers(2, 9))
    C = pairs_code(K)
    said, votes = rng.choice([-1, 1], size=C.shape[1]), np.zeros(K)
    for (i, j), verdict in zip(combinations(range(K), 2), said, strict=True):
        votes[j if verdict > 0 else i] += 1
    return {"C": C, "o": said, "votes": votes, "K": K, "M": C.shape[1]}


def heard(rng):
    """Words of a code, and what is heard after at most (d_min - 1) / 2 errors."""
    code = np.zeros((4, 12))
    while code_distance(code) < 3:
        code = rng.choice([-1, 1], size=(4, 12))
    e = int(rng.integers(0, (code_distance(code) - 1) // 2 + 1))
    o = code[0].copy()
    o[rng.permutation(12)[:e]] *= -1
    return {"c": code[0], "c_prime": code[rng.integers(1, 4)], "o": o, "e": e, "d_min": code_distance(code)}


def heard_at_worst(rng):
    """The other word is as near as it may be, and all errors lie towards it."""
    d_min = int(rng.choice([3, 5]))
    e, c = (d_min - 1) // 2, rng.choice([-1, 1], size=9)
    other, o = c.copy(), c.copy()
    other[:d_min] *= -1
    o[:e] *= -1
    return {"c": c, "c_prime": other, "o": o, "e": e, "d_min": d_min}


def _always_right(code, e):
    """Whether every word, with any e of its places changed, is still nearest to itself alone."""
    for word in code:
        for places in combinations(range(code.shape[1]), e):
            o = word.copy()
            o[list(places)] *= -1
            if np.sum((code != o).sum(axis=1) <= e) > 1:
                return False
    return True


def small_code(rng):
    """A small code, and how many errors it always survives, by trying all of them."""
    d_min = int(rng.integers(1, 6))
    code = np.ones((3, 3 * d_min // 2 + 2))
    while code_distance(code) != d_min:
        code = rng.choice([-1, 1], size=code.shape)
    survived = 0
    while _always_right(code, survived + 1):
        survived += 1
    return {"code": code, "d_min": d_min, "survived": survived}


def splits(rng):
    """The exhaustive code of some classes, and two of these (counted from 1)."""
    K = int(rng.integers(2, 9))
    k, l = rng.permutation(K)[:2] + 1  # noqa: E741
    return {"C": 2 * exhaustive_code(K) - 1, "K": K, "M": 2 ** (K - 1) - 1, "k": int(k), "l": int(l)}


def line_of_targets(rng, shape):
    """Targets of three classes; how least squares with a small ridge makes a new row's score of them."""
    X, K = samples(rng, shape), 3
    A = np.column_stack([X, np.ones(shape.n)])
    ridge = np.diag([0.1] * shape.d + [0.0])
    y = rng.integers(K, size=shape.n)
    x = np.append(rng.normal(size=shape.d), 1)
    group = np.flatnonzero(rng.permutation([True, True, False]))
    return {
        "T": np.where(y[:, None] == np.arange(K), 1.0, -1.0),
        "t": np.where(np.isin(y, group), 1.0, -1.0),
        "h": A @ np.linalg.solve(A.T @ A + ridge, x),
        "n": shape.n,
        "K": K,
        "G": [int(c) + 1 for c in group],
    }


def scores(rng):
    """Scores of some classes, and the true one."""
    K = int(rng.integers(2, 7))
    f = 2 * rng.normal(size=K)
    return {"f": f, "p": np.exp(f - logsumexp(f)), "K": K, "y": int(rng.integers(K)) + 1}


def slope_of_loss(f, y):
    """Gradient of -ln p_y, by difference quotients of two steps."""

    def loss(f):
        return logsumexp(f) - f[y - 1]

    def quotients(h):
        return np.array([(loss(f + h * e) - loss(f - h * e)) / (2 * h) for e in np.eye(len(f))])

    return (4 * quotients(1e-3) - quotients(2e-3)) / 3


def coupled(rng):
    """Probabilities of classes, and what they leave to each duel."""
    K = int(rng.integers(2, 7))
    p = rng.dirichlet(np.ones(K))
    return {"p": p, "R": p[:, None] / (p[:, None] + p), "K": K, "i": int(rng.integers(K)) + 1}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"
SHADES = ("#d1e5f0", "#f9dcc8", "#cde9df", "#6e6e6e", "#bdbdbd")  # three classes, nobody, two


def _plane(ax, xs, ys, told):
    """Shade the plane by what was told there: a class, 3 nobody (dark), 4 two (grey)."""
    shades = np.array([[int(shade[k : k + 2], 16) for k in (1, 3, 5)] for shade in SHADES])
    picture = shades[told.reshape(len(ys), len(xs))]
    ax.imshow(picture, extent=(xs[0], xs[-1], ys[0], ys[-1]), origin="lower", aspect="equal")
    ax.set(xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]), aspect="equal")
    ax.grid(False)


def _point_at(ax, xs, ys, told, value, words, text_at):
    """An arrow to the middle of the largest value's piece."""
    rows, columns = np.nonzero(told.reshape(len(ys), len(xs)) == value)
    ax.annotate(
        words,
        (xs[columns].mean(), ys[rows].mean()),
        xytext=text_at,
        arrowprops=dict(arrowstyle="->", color=BLACK),
        fontsize=9,
    )


def show_blind_spots(X, y, names, xs, ys, maps, lost, borders):
    """Two ways to ask about three classes, by verdicts; what each leaves open in the plane, and for whom."""
    fig, axs = figure(2, width=9.5, height=4.6)
    for ax, (title, told), scores in zip(axs, maps.items(), borders, strict=True):
        _plane(ax, xs, ys, told)
        for score in scores.T:
            ax.contour(xs, ys, score.reshape(len(ys), len(xs)), [0], colors=[BLACK], linewidths=0.8)
        scatter_classes(ax, X, y, names, s=14)
        ax.set(title=title, xlabel="bill length, standardised")
    left, right = maps.values()
    _point_at(axs[0], xs, ys, left, 3, "nobody says yes", (1.3, 2.1))
    axs[0].annotate("two say\nyes", (-2.3, -2.0), fontsize=9)
    _point_at(axs[1], xs, ys, right, 3, "a duel\neach", (-2.3, -1.8))
    axs[0].set_ylabel("bill depth, standardised")
    axs[1].legend(loc="lower right", fontsize=9)
    share = [100 * (told > 2).mean() for told in maps.values()]
    birds = [int((told > 2).sum()) for told in lost.values()]
    show(
        fig,
        f"{len(X)} penguins. Each class against the rest: {share[0]:.0f} % of the picture has no answer "
        "(dark: "
        f"nobody says yes; grey: two do), and {birds[0]} birds. Each pair by itself: {share[1]:.1f} %, and "
        f"{birds[1]} birds.",
    )


def show_surest(images, scores, truth, question):
    """The images with the highest and the lowest scores."""
    fig, axs = figure(8, width=9, height=1.6)
    ends = np.r_[scores.argsort()[-4:][::-1], scores.argsort()[:4]]
    grid_of_images(axs, 1 - images[ends].reshape(-1, 8, 8), [f"{s:+.1f}" for s in scores[ends]])
    show(
        fig,
        f"What one classifier, asked “{question}”, is surest of among {len(images)} new digits: four clear "
        f"yes, four clear no. It errs on {100 * ((scores > 0) != truth).mean():.0f} % of them, where “no” to "
        f"all would err on {100 * truth.mean():.0f} %. It says no to {(scores[truth] <= 0).sum()} of the "
        f"{truth.sum()} that are.",
    )


def show_row(X, y, rules):
    """Three groups in a row, and the regions of each rule."""
    fig, axs = figure(3, width=9.5, height=2.5, sharey=True)
    right = {name: 100 * np.mean(rule(X) == y) for name, rule in rules.items()}
    for ax, (name, rule) in zip(axs, rules.items(), strict=True):
        regions(ax, rule, (-2, 8), (-2, 2), steps=500)
        scatter_classes(ax, X, y, s=14)
        ax.set(title=f"{name}: {right[name]:.0f} % right", aspect="equal", xlabel="along the row")
    axs[0].set_ylabel("across")
    told = ", ".join(f"by {name} {share:.0f} %" for name, share in right.items())
    show(fig, f"Three groups of {len(X) // 3} in a row, and what is answered where. Right: {told}.")


def show_yes(told):
    """How many classifiers say yes to a digit, and how many of these digits are right by scores."""
    fig, axs = figure(len(told), width=8, height=3, sharey=True)
    said = []
    for ax, (name, (yes, right)) in zip(axs, told.items(), strict=True):
        kinds = (yes == 0, yes == 1, yes > 1)
        shares = [100 * kind.mean() for kind in kinds]
        good = [100 * (kind & right).mean() for kind in kinds]
        ax.bar(range(3), shares, color=RED, label="largest score wrong")
        ax.bar(range(3), good, color=SKY, label="largest score right", hatch="//", edgecolor="white")
        ax.set_xticks(range(3), ["nobody", "one", "several"])
        ax.set(title=name, xlabel="who say yes", ylim=(0, 100))
        said.append(f"{name} {shares[0]:.0f}, {shares[1]:.0f}, {shares[2]:.0f} %")
    axs[0].set_ylabel("% of the new digits")
    axs[1].legend(fontsize=9, loc="upper right")
    show(fig, f"Nobody, one or several of ten say yes: {'; '.join(said)} of {len(yes)} new digits.")


def show_weights(looks, errors, total):
    """Weights of binary classifiers as pictures, each on a scale of its own; errors: missed and false yes."""
    fig, axs = figure(len(looks), width=8.5, height=2.4)
    for ax, (name, w) in zip(axs, looks.items(), strict=True):
        picture, top = w[:-1].reshape(8, 8), np.abs(w[:-1]).max()
        ax.imshow(picture, cmap="RdBu_r", vmin=-top, vmax=top)
        ax.set(title=name, xticks=[], yticks=[])
        ax.grid(False)
    told = "; ".join(f"{name} {a} and {b}" for name, (a, b) in zip(looks, errors, strict=True))
    show(
        fig,
        "Weights of the 64 pixels, each picture on its own scale. New threes missed "
        f"(of {total}), and others taken for a 3: {told}.",
    )


def show_votes(images, votes, share):
    """Two digits and the votes for each class; of the second, two classes have most."""
    fig, axs = figure(4, width=9.5, height=2.5, width_ratios=(1, 2.4, 1, 2.4))
    for place, (image, counts) in enumerate(zip(images, votes, strict=True)):
        picture, bars = axs[2 * place : 2 * place + 2]
        grid_of_images([picture], 1 - image.reshape(1, 8, 8))
        most = counts == counts.max()
        bars.bar(np.arange(10), counts, color=np.where(most, RED, SKY))
        bars.set(xticks=range(10), yticks=(0, 3, 6, 9), ylim=(0, 9.5), xlabel="class")
    axs[1].set_ylabel("votes")
    first, second = (np.flatnonzero(counts == counts.max()) for counts in votes)
    show(
        fig,
        f"All 45 votes on two digits. On the left {first[0]} has {votes[0].max():.0f}. On the right "
        f"{' and '.join(map(str, second))} have {votes[1].max():.0f} each; that happens to "
        f"{100 * share:.1f} % "
        "of the new digits.",
    )


def show_codes(codes):
    """Code books as tables: dark is yes, light is no, white with a dot is not asked."""
    widths = [max(code.shape[1], 8) for code in codes.values()]
    fig, axs = figure(len(codes), width=10, height=2.9, width_ratios=widths, sharey=True)
    for ax, (name, code) in zip(axs, codes.items(), strict=True):
        ax.imshow(_colours(code), aspect="auto")
        ax.set(title=name, yticks=range(10), xticks=[], xlabel=f"{code.shape[1]} questions")
        ax.grid(False)
    axs[0].set_ylabel("digit")
    least = {name: (code[:, None] != code).sum(axis=2) for name, code in codes.items()}
    d = {name: gaps[~np.eye(10, dtype=bool)].min() for name, gaps in least.items()}
    binary = ", ".join(f"{name} {count}" for name, count in d.items() if name != "one-vs-one")
    show(
        fig,
        "Four codes for ten digits, a row for each. Dark: yes, pale: no, white: not asked. Least number of "
        f"answers in which two rows differ: {binary}.",
    )


def _colours(code):
    """Pictures of a code: an RGB value for each of -1, 0, 1."""
    shades = np.array([[0.74, 0.85, 0.93], [1, 1, 1], [0.03, 0.19, 0.42]])
    return shades[code + 1]


def show_three_codes(X, y, xs, ys, maps, wrong):
    """Three codes on three classes, with verdicts above and scores below; how many rows each has wrong."""
    fig, axs = figure(3, 2, width=9.5, height=5.8, sharex=True, sharey=True)
    for column, (name, both) in zip(axs.T, maps.items(), strict=True):
        for ax, told, errors in zip(column, both, wrong[name], strict=True):
            _plane(ax, xs, ys, told)
            scatter_classes(ax, X, y, s=6)
            ax.set_title(f"{name}: {errors} wrong", fontsize=10)
        column[1].set_xlabel("bill length")
    for ax, what in zip(axs[:, 0], ("verdicts", "scores"), strict=True):
        ax.set_ylabel(f"{what}\n\nbill depth")
    open_ = ", ".join(f"{name} {100 * (told == 3).mean():.1f} %" for name, (told, _) in maps.items())
    show(
        fig,
        f"What the nearest word says where. Dark: two words are equally near. By verdicts {open_} of the "
        f"plane; by scores 0 %. Wrong or undecided: so many of the {len(X)} birds.",
    )


def show_survived(shares, curves):
    """Share of words decoded right against the chance of a wrong answer."""
    fig, ax = figure(width=8, height=3.4)
    for (name, curve), line, marker in zip(curves.items(), LINES, MARKERS, strict=False):
        ax.plot(100 * shares, 100 * np.array(curve), linestyle=line, marker=marker, label=name)
    ax.axhline(10, color=GREY, linewidth=0.8)
    ax.text(0, 12, "a guess", fontsize=9)
    ax.set(xlabel="chance that an answer is turned round (%)", ylabel="digits decoded right (%)")
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    at = np.argmin(np.abs(shares - 0.2))
    told = ", ".join(f"{name.split(',')[0]} {100 * curve[at]:.0f} %" for name, curve in curves.items())
    show(fig, f"Decoded right when each answer is turned round with a chance of 20 %: {told}.")


def show_together(real, alone, limit):
    """How many classifiers are wrong about a digit, as they are, and if each erred by itself."""
    fig, ax = figure(width=7.5, height=3)
    top = max(real.max(), alone.max())
    for counts, colour, line, name in (
        (real, RED, "-", "as they are"),
        (alone, BLUE, "--", "each by itself"),
    ):
        share = 100 * np.bincount(counts, minlength=top + 1) / len(counts)
        ax.step(np.arange(top + 1), share, where="mid", color=colour, linestyle=line, label=name)
    ax.axvline(limit + 0.5, color=BLACK, linewidth=0.8)
    ax.text(limit + 0.8, ax.get_ylim()[1] * 0.55, "no guarantee\nfrom here on", fontsize=9)
    ax.set(xlabel="wrong answers of 45", ylabel="% of the new digits")
    ax.legend(fontsize=9)
    show(
        fig,
        f"On average {real.mean():.1f} of 45 answers are wrong. More than {limit} are wrong about "
        f"{100 * (real > limit).mean():.0f} % of the digits; if each erred by itself, about "
        f"{100 * (alone > limit).mean():.0f} %.",
    )


def show_more_questions(counts, by_code, single):
    """Accuracy against the number of classifiers."""
    fig, ax = figure(width=8, height=3.4)
    (mean, solved), spread = 100 * by_code.mean(axis=1).T, 100 * by_code[..., 0].std(axis=1, ddof=1)
    ax.errorbar(counts, mean, spread, marker="o", capsize=3, label="drawn codes, five each")
    ax.plot(counts, solved, "--", color=RED, label="the same, solved")
    for (name, (M, share)), marker in zip(single.items(), MARKERS[1:], strict=False):
        ax.plot(M, 100 * share, marker, markersize=9, color=BLACK, fillstyle="none", label=name)
    ax.set_xscale("log")
    ax.set(xlabel="classifiers", ylabel="new digits read right (%)")
    ax.set_xticks([7, 10, 25, 45, 100, 511], [7, 10, 25, 45, 100, 511])
    ax.minorticks_off()
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    told = ", ".join(f"{name} {100 * share:.0f} % with {M}" for name, (M, share) in single.items())
    show(
        fig,
        f"Drawn codes, nearest word: {mean[0]:.0f} % with {counts[0]} questions, {mean[2]:.0f} % with "
        f"{counts[2]}, {mean[-1]:.0f} % with {counts[-1]}; solved: {solved[2]:.0f} % with {counts[2]}; "
        f"{told}.",
    )


def show_masking(X, y, at, scored, probabilities):
    """Scores of three classes along a row of groups, by two fits, and the probabilities of the second."""
    fig, axs = figure(3, width=10, height=3)
    panels = {f"{name}: scores": scores for name, scores in scored.items()} | {
        "softmax: probabilities": probabilities
    }
    for ax, (name, lines) in zip(axs, panels.items(), strict=True):
        for c, line in enumerate(LINES[:3]):
            ax.plot(at, lines[:, c], linestyle=line, color=COLOURS[c], label=f"group {c}")
            ax.plot(
                X[y == c, 0],
                np.full((y == c).sum(), lines.min() - 0.08 * np.ptp(lines)),
                "|",
                color=COLOURS[c],
            )
        ax.set(title=name, xlabel="along the row")
    axs[0].legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 0.14))
    shares = {name: 100 * (s.argmax(axis=1) == 1).mean() for name, s in scored.items()}
    told = ", ".join(f"{name} on {share:.0f} %" for name, share in shares.items())
    show(fig, f"The middle group's score is the largest: {told} of the way along the row.")


def show_confusion(tables):
    """Confusion matrices; the diagonal is left pale, so that errors are seen."""
    fig, axs = figure(len(tables), width=9.5, height=4.5)
    for ax, (name, table) in zip(axs, tables.items(), strict=True):
        errors = table - np.diag(np.diag(table))
        ax.imshow(errors, cmap="Reds", vmin=0, vmax=15)
        for i, j in np.argwhere(table > 0):
            ax.text(
                j, i, table[i, j], ha="center", va="center", fontsize=8, color="#777777" if i == j else BLACK
            )
        right = 100 * np.trace(table) / table.sum()
        ax.set(title=f"{name}: {right:.0f} % right", xticks=range(10), yticks=range(10), xlabel="answer")
        ax.grid(False)
    axs[0].set_ylabel("true digit")
    told = []
    for name, table in tables.items():
        errors = table - np.diag(np.diag(table))
        most = " and ".join(f"{i} taken for {j}" for i, j in np.argwhere(errors == errors.max()))
        told.append(f"{errors.sum()} errors by {name}, most often {most} ({errors.max()} times each)")
    show(fig, f"Confusion matrices of {table.sum()} new digits: {'; '.join(told)}.")


def show_misread(images, truth, said):
    """Digits that were misread, with what they are and what was said."""
    fig, axs = figure(len(images), width=9, height=1.5)
    grid_of_images(
        axs, 1 - images.reshape(-1, 8, 8), [f"{t}, read {s}" for t, s in zip(truth, said, strict=True)]
    )
    show(fig, f"{len(images)} digits that both misread, with what they are and what softmax read.")


def show_schemes(halves, learners, ways, bags):
    """Share of new rows right; halves: table → (learners, ways, splits); bags of trees."""
    fig, axs = figure(len(halves), width=9.5, height=3.8)
    for ax, (title, right), bag in zip(axs, halves.items(), bags, strict=True):
        mean, spread = 100 * right.mean(axis=2), 100 * right.std(axis=2, ddof=1)
        for w, way in enumerate(ways):
            place = np.arange(len(learners)) + 0.18 * (w - 1.5)
            ax.errorbar(
                place, mean[:, w], spread[:, w], fmt=MARKERS[w], color=COLOURS[w], capsize=2, label=way
            )
        place = learners.index("tree") + 0.36
        ax.errorbar(
            place,
            100 * bag.mean(),
            100 * bag.std(ddof=1),
            fmt="v",
            color=BLACK,
            capsize=2,
            label="bag of trees",
        )
        ax.set_xticks(range(len(learners)), learners)
        ax.set(title=title)
    axs[0].set_ylabel("new rows right (%)")
    axs[0].legend(fontsize=9)
    told = []
    for title, right in halves.items():
        mean = 100 * right.mean(axis=2)
        gaps = [f"{name} {np.ptp(row):.1f}" for name, row in zip(learners, mean, strict=True)]
        told.append(f"{title}: {', '.join(gaps)}")
    told_of_bags = " and ".join(f"{100 * bag.mean():.1f} ± {100 * bag.std(ddof=1):.1f}" for bag in bags)
    splits = right.shape[2]
    show(
        fig,
        f"Means and standard deviations over {splits} splits. Points between best and worst scheme: "
        f"{'; '.join(told)}. Bags of trees: {told_of_bags} % right.",
    )
