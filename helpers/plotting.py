"""One look for every figure, and a sentence with every figure.

Importing this module sets the course's style, for your own plots too; ``plt.style.use`` changes it as
always, and
``plt.style.use(STYLE)`` brings it back.

``show(fig, alt)`` stores the sentence with the picture (screen readers and the website take it from there)
and prints
it below as the caption, so that everyone reads the same. It states what the figure shows, with a computed
number.
"""

import io
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import Normalize
from matplotlib.offsetbox import AnnotationBbox, OffsetImage

__all__ = [
    "COLOURS",
    "GREY",
    "LINES",
    "MARKERS",
    "STYLE",
    "figure",
    "grid_of_images",
    "ink_on",
    "regions",
    "scatter_classes",
    "show",
    "thumbnails",
]

# Okabe and Ito's palette (2008), told apart with any colour vision; yellow is too pale for lines
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
GREY = "#999999"  # what is no class, and stands behind
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
STYLE = {
    "figure.dpi": 100,  # on the page; the site's column is 768 pixels wide
    "savefig.dpi": 200,  # in the file: sharp where a screen has two dots for each pixel
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.labelsize": 11,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.edgecolor": "none",  # no frame, but a ground: a legend may lie on points
    "legend.framealpha": 0.8,
    "image.cmap": "cividis",
    "image.interpolation": "nearest",
    "axes.prop_cycle": plt.cycler(color=COLOURS),
}
# Once, and outside of any context: what a notebook draws later (legends, lines, a learner's own plots) has
# it as well.
plt.style.use(STYLE)


def figure(columns=1, rows=1, width=7.5, height=None, **kwargs):
    """A figure in the course's style and its axes.

    Parameters
    ----------
    columns, rows : int, axes side by side and below each other
    width, height : float, in inches
        With ``height=None`` every row is at most 4.2 high.
    **kwargs : options of ``matplotlib.pyplot.subplots``

    Returns
    -------
    fig : Figure
    axes : Axes, or an array of them where there are several

    Examples
    --------
    >>> fig, (left, right) = figure(2, height=3)
    >>> fig.get_size_inches().tolist()
    [7.5, 3.0]
    >>> plt.close(fig)
    """
    if height is None:
        height = rows * min(4.2, 0.75 * width / columns) + 0.2
    return plt.subplots(rows, columns, figsize=(width, height), **kwargs)


def show(fig, alt):
    """Display the figure with its sentence, print the sentence below, close the figure.

    Parameters
    ----------
    fig : Figure
    alt : str
        One or two sentences: what is seen, with a number that the cell computed.

    Returns
    -------
    None
        The figure is closed.

    Raises
    ------
    ValueError
        The sentence is short or holds no number.
    """
    if len(alt) <= 20 or not any(c.isdigit() for c in alt):
        raise ValueError(
            f"alt={alt!r}: say in a sentence what the figure shows, with a number that the cell computed"
        )
    from IPython.display import Image, display

    width = round(fig.get_figwidth() * STYLE["figure.dpi"])
    picture = _drawn(fig)
    plt.close(fig)
    display(Image(picture, format="png", width=width, alt=alt))
    # wrapped, since JupyterLab breaks a long line in the middle of a word; 95 % stays together
    whole = {"break_long_words": False, "break_on_hyphens": False}
    together = alt.replace(" %", "\N{NO-BREAK SPACE}%")
    print(fill(together, 88, initial_indent="Figure: ", subsequent_indent=" " * 8, **whole))


def _drawn(fig):
    """The figure as a PNG of at most 256 colours: half the size, and the eye sees no difference."""
    from PIL import Image as Picture
    from PIL.PngImagePlugin import PngInfo

    full, small = io.BytesIO(), io.BytesIO()
    fig.savefig(full, format="png", dpi=STYLE["savefig.dpi"], facecolor="white")
    picture, info = Picture.open(full), PngInfo()
    info.add_text("Software", picture.info["Software"])  # which Matplotlib drew it: the tests ask
    few = picture.convert("RGB").quantize(256)
    few.save(small, format="png", optimize=True, dpi=picture.info["dpi"], pnginfo=info)
    return small.getvalue()


def scatter_classes(ax, X, y, labels=None, colours=COLOURS, **kwargs):
    """Points of each class in its own colour *and* marker; `labels` name the classes in the legend.

    Parameters
    ----------
    ax : Axes
    X : array of shape (n, 2)
    y : array of shape (n,), classes
    labels : sequence of str, in the order of the sorted classes; by default the classes themselves
    colours : sequence of colours
    kwargs : go to ``ax.scatter``

    Returns
    -------
    None
    """
    X, y = np.asarray(X), np.asarray(y)
    for i, c in enumerate(np.unique(y)):
        name = labels[i] if labels is not None else str(c)
        ax.scatter(
            X[y == c, 0],
            X[y == c, 1],
            color=colours[i % len(colours)],
            marker=MARKERS[i % len(MARKERS)],
            label=name,
            **{"s": 22, "alpha": 0.8, "edgecolors": "none", **kwargs},
        )


def regions(ax, predict, x_limits, y_limits, steps=150):
    """Shade the plane by the class (0, 1, 2 …) that ``predict`` gives to each point.

    Parameters
    ----------
    ax : Axes
    predict : function
        From points of shape (m, 2) to classes of shape (m,).
    x_limits, y_limits : (low, high)
    steps : int, points along each side

    Returns
    -------
    None
    """
    xs, ys = np.linspace(*x_limits, steps), np.linspace(*y_limits, steps)
    grid = np.column_stack([a.ravel() for a in np.meshgrid(xs, ys)])
    classes = np.asarray(predict(grid)).reshape(steps, steps)
    # class by class: contours of the numbers would paint class 1 between 0 and 2, where nobody predicts it
    found = np.unique(classes)
    for c in found:
        ax.contourf(xs, ys, classes == c, levels=[0.5, 1.5], colors=[COLOURS[c]], alpha=0.18)
    for c in found[:-1]:
        ax.contour(xs, ys, classes == c, levels=[0.5], colors="#555555", linewidths=0.8)


def grid_of_images(axes, images, titles=None, vmin=None, vmax=None, cmap="gray"):
    """One picture in each of the axes, without ticks; by default all share one grey scale.

    Parameters
    ----------
    axes : array of Axes
    images : sequence of arrays of shape (rows, columns)
    titles : sequence of str
    vmin, vmax : float
        What is drawn black and white; by default the smallest and largest number in all images.
    cmap : str, name of a colour map

    Returns
    -------
    None
    """
    vmin = np.min(images) if vmin is None else vmin
    vmax = np.max(images) if vmax is None else vmax
    for i, (ax, image) in enumerate(zip(np.ravel(axes), images)):
        ax.imshow(image, cmap=cmap, vmin=vmin, vmax=vmax)
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[:].set_visible(False)
        if titles is not None:
            ax.set_title(titles[i], fontsize=9)


def thumbnails(ax, points, images, zoom=1.0, apart=0.06, cmap="gray"):
    """Small pictures at their points, all on one grey scale; one that would cover an earlier one is left out.

    Parameters
    ----------
    ax : Axes
    points : array of shape (n, 2)
    images : sequence of n arrays of shape (rows, columns)
    zoom : float, points of the page (1/72 inch) for each pixel
    apart : float
        A picture covers another closer than this share of the points' width and of their height.
    cmap : str, name of a colour map

    Returns
    -------
    None
    """
    span, kept = np.ptp(points, axis=0), []
    scale = Normalize(np.nanmin(images), np.nanmax(images))
    for point, image in zip(points, images):
        if all(np.abs((point - q) / span).max() > apart for q in kept):
            kept.append(point)
            ax.add_artist(
                AnnotationBbox(OffsetImage(image, zoom=zoom, cmap=cmap, norm=scale), point, frameon=False)
            )


def ink_on(points, word):
    """Which letter of a word each point of a sheet lies on, when the word fills the sheet.

    Parameters
    ----------
    points : array of shape (n, 2)
    word : str of capital letters

    Returns
    -------
    ink : (n,) ints, 0 on blank paper, else the letter's number, from 1.

    Examples
    --------
    >>> ink_on([[0, 0], [0.5, 0.5], [1, 1]], "I")
    array([0, 1, 0])
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    points = np.asarray(points, float)
    places = (points - points.min(axis=0)) / np.ptp(points, axis=0) * [len(word), 1]  # a letter is 1 wide
    ink = np.zeros(len(points), int)
    for i, letter in enumerate(word):
        drawn = TextPath((0, 0), letter, size=1, prop=FontProperties(family="DejaVu Sans", weight="bold"))
        box = drawn.get_extents()
        local = (places - [i + 0.12, 0.14]) / [0.76, 0.72] * [box.width, box.height] + [box.x0, box.y0]
        inside = sum(Outline(part).contains_points(local) for part in drawn.to_polygons())
        ink[inside % 2 == 1] = i + 1  # in a hole a point is inside of two
    return ink
