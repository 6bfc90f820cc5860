"""Figures of chapter 6: recovery from few observations."""

import numpy as np

from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, show

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"


def show_compressed(photo, tenth):
    """A photograph, and the same from a tenth of its coefficients."""
    fig, axs = figure(2, width=8, height=3.2)
    grid_of_images(axs, [photo, tenth], ["A", "B"], vmin=0, vmax=1)
    lost = np.linalg.norm(tenth - photo) / np.linalg.norm(photo)
    show(
        fig,
        f"One is made of {photo.size:,} numbers, the other of a tenth; they differ by {100 * lost:.0f} %.",
    )


def show_sizes(waves, limit):
    """The sizes of the coefficients, largest first, and where they were cut."""
    fig, ax = figure(width=6.5, height=2.7)
    sizes = np.sort(np.abs(waves).ravel())[::-1]
    ax.loglog(np.arange(1, sizes.size + 1), sizes)
    ax.axvline((sizes > limit).sum(), color=BLACK, linestyle="--", linewidth=1)
    ax.annotate("the cut", ((sizes > limit).sum(), 20), (-6, 0), textcoords="offset points", ha="right")
    ax.set(xlabel="coefficient, largest first", ylabel="its size", ylim=(1e-4, None))
    show(
        fig,
        f"The sizes of all {sizes.size:,} coefficients fall by more than four powers of ten; the largest "
        f"{(sizes > limit).sum():,} stand left of the cut.",
    )


def show_samplings(t, waves, guesses):
    """One tone, looked at at several rates, a dict rate → the slowest tone through the samples."""
    fig, axs = figure(len(guesses), width=10, height=2.7, sharey=True)
    for ax, (rate, guess) in zip(axs, guesses.items(), strict=True):
        at = np.arange(rate + 1) / rate
        ax.plot(t, np.sin(2 * np.pi * waves * t), color=BLUE, linewidth=1, label="the tone")
        ax.plot(t, guess, "--", color=RED, label="slowest through the dots")
        ax.plot(at, np.sin(2 * np.pi * waves * at), "o", color=BLACK, markersize=5, label="what you see")
        ax.set(title=f"{rate} a second", xlabel="seconds")
    handles, labels = axs[0].get_legend_handles_labels()
    fig.legend(handles, labels, ncols=3, loc="outside upper center", fontsize=9, frameon=False)
    largest = np.abs(np.sin(2 * np.pi * waves * np.arange(2 * waves + 1) / (2 * waves))).max()
    show(
        fig,
        f"A tone of {waves} waves per second. The slowest tone through the dots is the tone itself at rate "
        f"8, an alias of 1 wave at rate 4; at rate 6 every sample is {largest:.0f}.",
    )


def show_measurement(Phi, x, y):
    """y = Φx as three pictures."""
    fig, axs = figure(3, width=9.5, height=2.6, width_ratios=(1, len(x) / 9, 1))
    reach = 2.5 * Phi.std()
    pictures = (y[:, None] / np.abs(y).max(), Phi / reach, x[:, None] / np.abs(x).max())
    for ax, M, name in zip(axs, pictures, ("y", r"$\Phi$", "x"), strict=True):
        ax.imshow(M, cmap="PuOr_r", vmin=-1, vmax=1, aspect="auto" if M.shape[1] == 1 else "equal")
        ax.set(title=f"{name}: {len(M)}" + (f" × {M.shape[1]}" if M.shape[1] > 1 else ""))
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    axs[0].set_ylabel(" ")
    axs[1].set_ylabel("=", fontsize=18, rotation=0, labelpad=18, va="center")
    show(fig, f"{len(y)} measurements of {len(x)} numbers: each is a random sum of all of them.")


def show_recovered(x, found, flat, s, code, flat_code):
    """A signal and two reconstructions; their codes."""
    fig, (left, right) = figure(2, width=10, height=3.3)
    left.plot(x, color=BLACK, linewidth=1, label="the signal")
    left.plot(found, "--", color=RED, label="sparsest code")
    left.plot(flat, ":", color=BLUE, label="shortest signal")
    left.set(xlabel="position")
    right.plot(flat_code, ".", color=BLUE, label="shortest signal")
    right.plot(np.flatnonzero(s), code[s != 0], "s", color=RED, label="sparsest code")
    right.set(xlabel="atom", ylabel="coefficient")
    for ax in (left, right):
        ax.legend(fontsize=8, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    off = np.sum((flat - x) ** 2) / np.sum(x**2)
    show(
        fig,
        f"A signal of {len(x)} numbers, from random sums. That with the sparsest code lies on the true one; "
        f"the shortest misses {100 * off:.0f} % of the energy and spreads over all atoms.",
    )


def show_where_nothing_is(seen, wave):
    """What single points see of spikes, and of a wave."""
    fig, axs = figure(2, width=10, height=2.3, sharey=True)
    spikes = np.zeros(len(seen))
    spikes[[11, 47, 62, 90, 113]] = [0.8, -0.6, 1.0, 0.5, -0.9]
    for ax, signal, name in zip(axs, (spikes, wave / np.abs(wave).max()), ("spikes", "a wave"), strict=True):
        ax.plot(signal, color=GREY, linewidth=1)
        ax.plot(np.flatnonzero(seen), signal[seen], "o", color=BLUE, markersize=3)
        ax.set(title=f"{name}: {(np.abs(signal[seen]) > 1e-9).sum()} of {seen.sum()} dots see something")
        ax.set(xlabel="place")
    show(fig, f"{seen.sum()} of {len(seen)} places are seen (dots): most spikes lie between, no wave does.")


def show_line(t, families):
    """Three measures of each code along a line of solutions; a dict name → codes, one a row."""
    fig, rows = figure(2, 2, width=9.5, height=3.8, sharex=True, height_ratios=(3, 1))
    lowest = {}
    for (top, bottom), (name, codes) in zip(rows.T, families.items(), strict=True):
        l1, counts = np.abs(codes).sum(axis=1), (np.abs(codes) > 1e-9).sum(axis=1)
        top.plot(t, l1, "-", color=BLUE, label="sum of sizes, L1")
        top.plot(t, np.sqrt((codes**2).sum(axis=1)), "--", color=RED, label="length, L2")
        top.plot(t[l1.argmin()], l1.min(), "o", color=BLUE, label="least L1")
        top.set(title=name, ylim=(0, 3.4))
        bottom.plot(t, counts, ".", color=GREY, markersize=2)
        bottom.plot(t[counts < 3], counts[counts < 3], "D", color=BLACK, markersize=5)
        bottom.set(xlabel="along the line of solutions", ylim=(0, 3.6), yticks=(1, 2, 3))
        lowest[name] = t[l1.argmin()]
    rows[1, 0].set_ylabel("nonzeros")
    handles, labels = rows[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, ncols=3, loc="outside upper center", fontsize=9, frameon=False)
    show(
        fig,
        "Above L1 and length, below the number of nonzeros, along the line of all solutions. Least L1 is at "
        + ", ".join(f"{at:.1f} ({name})" for name, at in lowest.items())
        + "; the code with one nonzero is at 0.0.",
    )


def show_null_space(ratios, off):
    """How far L1 is off against the ratio that decides."""
    fig, ax = figure(width=7, height=2.9)
    for chosen, marker, name in ((off < 1e-6, MARKERS[0], "found"), (off >= 1e-6, MARKERS[1], "missed")):
        ax.plot(ratios[chosen], off[chosen], marker, markersize=4, linestyle="none", label=name)
    ax.axvline(1, color=BLACK, linewidth=1)
    ax.set(xlabel="ratio of h on the support to h off it (sums of sizes)", ylabel="L1's answer is off by")
    ax.legend(loc="center right")
    show(
        fig,
        f"{len(off)} codes with two nonzeros, five equations, six unknowns. All {(ratios < 1).sum()} with a "
        f"ratio below 1 are found, all {(ratios > 1).sum()} above it are missed.",
    )


def show_prices(pull, support):
    """What each atom earns at the solver's prices."""
    fig, ax = figure(width=8, height=2.7)
    ax.vlines(np.arange(len(pull)), 0, pull, color=GREY, linewidth=1)
    ax.plot(support, pull[support], "o", color=RED, label="atoms of the answer")
    for limit in (-1, 1):
        ax.axhline(limit, color=BLACK, linewidth=1, linestyle="--")
    ax.set(xlabel="atom", ylabel="what it earns", ylim=(-1.25, 1.25))
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), borderpad=0)
    others = np.delete(np.abs(pull), support).max()
    show(
        fig, f"Earnings at the prices found: {len(support)} atoms stand at ±1, no other beyond {others:.2f}."
    )


def show_codes(gaps, truth, codes):
    """How fast two methods converge; codes beside the true one, all atoms."""
    fig, (left, right) = figure(2, width=10, height=3.3, width_ratios=(1, 1.5))
    for (name, gap), style in zip(gaps.items(), LINES, strict=False):
        left.semilogy(np.maximum(gap, 1e-12), style, label=name)
    left.set(xlabel="steps", ylabel="F above its minimum", ylim=(1e-8, None))
    left.legend()
    right.axhline(0, color=GREY, linewidth=0.5)
    at = np.flatnonzero(truth)
    right.plot(at, truth[at], "_", color=BLACK, markersize=14, markeredgewidth=2, label="truth")
    for (name, code), marker, colour in zip(codes.items(), ("o", "x"), (BLUE, RED), strict=True):
        used = np.flatnonzero(np.abs(code) > 1e-6)
        right.plot(used, code[used], marker, color=colour, markersize=6, label=f"{name}: {len(used)} atoms")
    right.set(xlabel="atom", ylabel="coefficient", xlim=(-3, len(truth) + 2))
    right.legend(fontsize=8, loc="upper right")
    slow = {name: int((gap > 1e-4).sum()) for name, gap in gaps.items()}
    show(
        fig,
        f"Left: within 0.0001 of the minimum after {slow['ISTA']} steps of ISTA, {slow['FISTA']} of FISTA. "
        "Right: codes from noisy measurements. The Lasso's are drawn towards 0, three small ones are false.",
    )


def show_phase(phase, boundary):
    """Share of codes recovered for each number of measurements and of nonzeros, two methods."""
    fig, axs = figure(2, width=10, height=3.9, sharey=True)
    ms, ks, n = phase["measurements"], phase["sparsity"], int(phase["measurements"].max())
    for ax, key, name in zip(
        axs, ("recovered", "greedy"), ("basis pursuit (L1)", "OMP, told k"), strict=True
    ):
        shown = ax.pcolormesh(ms, ks, phase[key], cmap="cividis", vmin=0, vmax=1)
        ax.grid(False)
        ax.set(title=name, xlabel=f"measurements m, of {n} unknowns", ylim=(ks.min() - 0.5, ks.max() + 0.5))
    axs[0].plot(boundary, ks, color="white", linewidth=2.5)
    axs[0].plot(boundary, ks, "--", color=BLACK, linewidth=1.5, label="computed")
    axs[0].legend(loc="upper left")
    axs[0].set(ylabel="nonzeros k", xlim=(ms.min() - 1, ms.max() + 1))
    fig.colorbar(shown, ax=axs, label="share recovered exactly")
    ten = int(np.flatnonzero(ks == 10)[0])
    rows = {
        name: ms[(phase[key][ten] >= 0.5).argmax()] for key, name in (("recovered", "L1"), ("greedy", "OMP"))
    }
    show(
        fig,
        f"{phase['recovered'].size} pairs, 20 codes each, of {n} unknowns: dark where none comes back, "
        "bright "
        f"where all do. With 10 nonzeros half do from {rows['L1']} measurements on (L1; the curve says "
        f"{boundary[ten]:.0f}), {rows['OMP']} (OMP).",
    )


def show_patches(tails, errors, patches):
    """Error against the best k-term error for patches of a photograph; the flattest and the roughest."""
    fig, axs = figure(3, width=9.5, height=3.3, width_ratios=(3.2, 1, 1))
    for (eps, off), marker in zip(errors.items(), MARKERS, strict=False):
        name = "no noise" if eps == 0 else f"noise of length {eps}"
        axs[0].plot(tails, off, marker, markersize=5, linestyle="none", label=name)
    axs[0].set(xlabel=r"what the best 20 of 256 leave, $\sigma_{20}(s)_1 / \sqrt{20}$", ylabel="error of L1")
    axs[0].set(xlim=(0, None), ylim=(0, None))
    axs[0].legend(loc="upper left")
    ends = [int(tails.argmin()), int(tails.argmax())]
    for ax, i, name in zip(axs[1:], ends, ("least tail", "largest tail"), strict=True):
        grid_of_images([ax], [patches[i]], [f"{name}: {tails[i]:.1f}"], vmin=0, vmax=1)
    clean = np.array(errors[0.0])
    show(
        fig,
        f"{len(tails)} patches of 16 × 16 pixels. The error of L1 grows with what the best 20 coefficients "
        "leave; "
        f"without noise it is at most {np.max(clean / tails):.2f} times that.",
    )


def show_scan(truth, scans, trial):
    """A slice, and what comes back from four scans: a dict name → (picture, which coefficients)."""
    fig, axs = figure(len(scans) + 1, 3, width=10.5, height=6.2, height_ratios=(1, 0.7, 1))
    pictures = [truth, *(Z for Z, _ in scans.values())]
    names = ["the slice", *scans]
    grid_of_images(axs[0], pictures, [n.replace(", ", ",\n") for n in names], vmin=0, vmax=1)
    grid_of_images(axs[1], [Z[84:116, 40:88] for Z in pictures], vmin=0, vmax=0.5)
    masks = [np.fft.fftshift(seen) for _, seen in scans.values()]
    grid_of_images(axs[2], [np.ones(truth.shape), *masks], ["", *["measured"] * len(masks)], vmin=0, vmax=1)
    told = ", ".join(f"{name} {trial.mean(name):.2f}" for name in scans)
    show(
        fig,
        f"A slice of 128 × 128, a quarter of its Fourier coefficients measured. Error, mean of 5: {told}.",
    )


def show_block(table, rest):
    """A table of rank 2; what two rows and columns tell of the rest."""
    fig, axs = figure(3, width=9, height=2.9)
    blank = table.copy()
    blank[2:, 2:] = np.nan
    filled = table.copy()
    filled[2:, 2:] = rest
    reach = np.abs(table).max()
    titles = ("what you see", "what follows", "the table")
    for ax, M, title in zip(axs, (blank, filled, table), titles, strict=True):
        ax.set_facecolor("#dddddd")
        ax.imshow(M, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
        ax.set(title=title, xticks=[], yticks=[])
        ax.grid(False)
        ax.plot([1.5, 1.5], [-0.5, 7.5], color=BLACK, linewidth=1)
        ax.plot([-0.5, 5.5], [1.5, 1.5], color=BLACK, linewidth=1)
    show(
        fig,
        f"Two rows and two columns of a table of rank 2 (grey: not seen) tell all {rest.size} other entries.",
    )


def show_layers(X, sigma, layers):
    """The rank of the layers as stairs; the table and some of its layers."""
    fig, axs = figure(2 + len(layers), width=10.5, height=2.7, width_ratios=(2.4, 1, *[1] * len(layers)))
    edges = np.concatenate([[0], np.sort(sigma), [1]])
    heights = [(sigma > (a + b) / 2).sum() for a, b in zip(edges[:-1], edges[1:], strict=True)]
    axs[0].stairs(heights, edges, fill=True, color=SKY, alpha=0.6)
    axs[0].stairs(heights, edges, color=BLUE)
    axs[0].set(xlabel="threshold τ", ylabel="rank of the layer", yticks=range(len(sigma) + 1), xlim=(0, 1))
    axs[0].annotate(f"area {sigma.sum():.1f}", (0.18, 0.8))
    reach = np.abs(np.array(list(layers.values()))).max()
    titles = ["X", *(f"τ = {tau}" for tau in layers)]
    grid_of_images(axs[1:], [X, *layers.values()], titles, -reach, reach, "PuOr_r")
    show(
        fig,
        f"A table with singular values {', '.join(map(str, sigma))}: the rank of its layers falls in steps; "
        f"the area is {sigma.sum():.1f}, its nuclear norm. Right: the table, and three layers.",
    )


def show_envelope(t):
    """The rank of a 1 × 1 matrix and the largest convex function below it."""
    fig, ax = figure(width=6.5, height=2.9)
    ax.plot([-1, -0.02], [1, 1], color=BLACK, linewidth=2, label="rank")
    ax.plot([0.02, 1], [1, 1], color=BLACK, linewidth=2)
    ax.plot(0, 0, "o", color=BLACK)
    ax.plot(t, np.abs(t), "-", color=BLUE, label="nuclear norm: the envelope")
    ax.plot(t, t**2, "--", color=RED, label="its square: lower here")
    ax.set(xlabel="the only entry of a 1 × 1 matrix", ylim=(-0.05, 1.15))
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    show(
        fig,
        "Rank is 1 but for the dot at 0. No convex function below it lies above the nuclear norm; at "
        f"{t[50]:.1f} "
        f"that is {np.abs(t[50]):.1f}, its square {t[50] ** 2:.2f}.",
    )


def show_completion(filling, rows, columns):
    """Error on unseen entries for each rank and each share seen, with the degrees of freedom."""
    fig, ax = figure(width=8, height=3.6)
    ranks, shares, off = filling["ranks"], 100 * filling["shares"], np.median(filling["error"], axis=2)
    shown = ax.pcolormesh(shares, ranks, np.log10(np.clip(off, 1e-4, 1)), cmap="cividis_r", vmin=-4, vmax=0)
    dof = 100 * ranks * (rows + columns - ranks) / (rows * columns)
    ax.plot(dof, ranks, color="white", linewidth=3)
    ax.plot(dof, ranks, "--", color=RED, linewidth=2, label="degrees of freedom")
    ax.grid(False)
    ax.set(xlabel="entries seen (%)", ylabel="rank", yticks=ranks, xlim=(shares.min() - 2, shares.max() + 2))
    ax.legend(loc="lower right")
    bar = fig.colorbar(shown, ax=ax, label="error on the unseen")
    bar.set_ticks([0, -2, -4], labels=["1", "0.01", "0.0001"])
    need = {int(r): shares[(row < 0.1).argmax()] for r, row in zip(ranks, off, strict=True)}
    show(
        fig,
        f"Tables of {rows} × {columns}: bright where the unseen entries come back. The error falls below 10 "
        "% "
        f"with {need[1]:.0f} % seen for rank 1, {need[2]:.0f} % for rank 2, {need[5]:.0f} % for rank 5.",
    )


def show_ratings(stars, seen, filled):
    """Ratings that are known, the table filled, and what everybody would have said."""
    fig, axs = figure(3, width=10, height=4.3)
    panels = (np.where(seen, stars, np.nan), filled, stars)
    names = (f"{100 * seen.mean():.0f} % are known", "filled", "what they would say")
    for ax, M, name in zip(axs, panels, names, strict=True):
        ax.set_facecolor("#dddddd")
        shown = ax.imshow(M, cmap="cividis", vmin=1, vmax=5)
        ax.set(title=name, xlabel="film", xticks=[], yticks=[])
        ax.grid(False)
    axs[0].set_ylabel("person")
    fig.colorbar(shown, ax=axs, label="stars", shrink=0.8)
    off = np.sqrt(((filled - stars)[~seen] ** 2).mean())
    show(
        fig,
        f"Sixty people, forty films (grey: not rated). Filled, it is {off:.2f} stars off on the "
        f"{(~seen).sum()} ratings that nobody gave.",
    )


def show_holes(photo, pictures, hidden, holes):
    """A photograph with holes and three fillings, with a detail; their errors over five sets of holes."""
    fig, axs = figure(len(pictures), 2, width=10.5, height=4.6, height_ratios=(3, 4))
    off = {name: np.sqrt(((Z - photo)[hidden] ** 2).mean()) for name, Z in pictures.items()}
    titles = [name if i == 0 else f"{name}: {off[name]:.3f}" for i, name in enumerate(pictures)]
    grid_of_images(axs[0], list(pictures.values()), titles, vmin=0, vmax=1)
    grid_of_images(axs[1], [Z[60:120, 90:160] for Z in pictures.values()], vmin=0, vmax=1)
    mean, spread = holes["error"].mean(axis=0), holes["error"].std(axis=0, ddof=1)
    names = list(pictures)[1:]
    told = [
        f"{share} seen " + ", ".join(f"{n} {a:.3f} ± {b:.3f}" for n, a, b in zip(names, m, sd, strict=True))
        for share, m, sd in zip(("50 %", "30 %"), mean, spread, strict=True)
    ]
    show(
        fig,
        "Root mean square error on the holes, mean and spread of five sets of holes: "
        + "; ".join(told)
        + ". Below, a detail.",
    )


def show_lost_rows(photo, lost, pictures):
    """A detail of a photograph with some rows blank, and two fillings."""
    fig, axs = figure(1 + len(pictures), width=10, height=1.8)
    shown = {"six rows lost": np.where(lost, 0, photo), **pictures}
    grid_of_images(axs, [Z[70:120, 60:190] for Z in shown.values()], list(shown), vmin=0, vmax=1)
    off = {name: np.sqrt(((Z - photo)[lost] ** 2).mean()) for name, Z in pictures.items()}
    told = ", ".join(f"{name} {e:.2f}" for name, e in off.items())
    show(fig, f"Six whole rows blank. Error on them: {told}.")


def show_certificates(proofs):
    """A dict share seen → (certificate, its singular values)."""
    fig, axs = figure(2 * len(proofs), width=10.5, height=2.6, width_ratios=[1, 1.3] * len(proofs))
    for (share, (Y, values)), left, right in zip(proofs.items(), axs[::2], axs[1::2], strict=True):
        blank, reach = np.where(Y == 0, np.nan, Y), np.abs(Y).max()
        grid_of_images([left], [blank], [f"{100 * share:.0f} % seen"], -reach, reach, "PuOr_r")
        left.set_facecolor("#dddddd")
        right.bar(np.arange(1, 7), values[:6], color=[BLUE if v < 1 + 1e-9 else RED for v in values[:6]])
        right.axhline(1, color=BLACK, linewidth=1, linestyle="--")
        right.set(ylim=(0, max(2, 1.05 * values[0])), xticks=[1, 6], xlabel="singular value")
    told = "; ".join(f"{100 * s:.0f} % seen: {v[0]:.2f}, {v[1]:.2f}" for s, (_, v) in proofs.items())
    show(
        fig,
        "Candidates for a proof (grey: blanks, where they are 0), with their singular values. Largest two: "
        f"{told}.",
    )


def show_lengths(lengths):
    """How squared distances change under random sums: a dict number of sums → ratios."""
    fig, ax = figure(width=7.5, height=3)
    bins = np.linspace(0, 2.6, 66)
    for (m, ratio), colour, style in zip(lengths.items(), COLOURS, LINES, strict=False):
        ax.hist(ratio, bins, histtype="step", color=colour, linestyle=style, linewidth=1.8, label=f"{m} sums")
    ax.axvline(1, color=BLACK, linewidth=1)
    ax.set(xlabel="squared distance after : before", ylabel="pairs of faces")
    ax.legend()
    told = ", ".join(f"{m} sums ± {ratio.std():.2f}" for m, ratio in lengths.items())
    show(fig, f"{len(next(iter(lengths.values())))} distances between faces of 625 pixels, after: {told}.")
