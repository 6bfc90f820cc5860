"""Figures of the start page: the digits in the plane, three ways."""

import numpy as np

from helpers.plotting import figure, scatter_classes, show, thumbnails


def show_digits(points, digits, share):
    """Every digit at its two coordinates, as a small picture where there is room."""
    fig, ax = figure(width=8, height=5)
    ax.scatter(*points.T, s=2, color="#bbbbbb")
    thumbnails(ax, points, 16 - digits.reshape(-1, 8, 8), zoom=1.8)
    ax.set(xlabel="first new coordinate", ylabel="second new coordinate")
    show(
        fig,
        f"{len(digits)} digits at two coordinates made from 64 pixels: zeros, fours and sixes lie apart, "
        "fives and "
        f"eights do not. The two coordinates hold {100 * share:.0f} % of the variance.",
    )


def show_maps(maps, labels, right):
    """Unseen digits on several maps, 0 to 4 in colour and named at their middle, the others grey."""
    fig, axs = figure(len(maps), width=9.5, height=3.4)
    some = labels < 5
    for ax, (name, points) in zip(axs, maps.items(), strict=True):
        ax.scatter(*points[~some].T, s=3, color="#cccccc")
        scatter_classes(ax, points[some], labels[some], s=8)
        for digit in range(5):
            middle = np.median(points[labels == digit], axis=0)
            ax.annotate(str(digit), middle, ha="center", va="center", fontsize=15, weight="bold")
        ax.set(title=f"{name}: {100 * right[name]:.0f} % read right", xticks=[], yticks=[])
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in right.items())
    show(
        fig,
        f"{len(labels)} unseen digits on three maps, 0 to 4 in colour, 5 to 9 in grey. Read right by their "
        "three "
        f"nearest neighbours on the map: {told}.",
    )
