"""The figure of the start page: the digits in the plane."""

from helpers.plotting import figure, show, thumbnails


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
