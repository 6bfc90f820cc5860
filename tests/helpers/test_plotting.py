"""Every figure in one look, with a sentence that is stored with the picture and printed below it."""

import base64
import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from helpers import plotting
from helpers.plotting import (
    COLOURS,
    LINES,
    MARKERS,
    STYLE,
    figure,
    grid_of_images,
    regions,
    scatter_classes,
    show,
    thumbnails,
)
from tests.figures import difference

ALT = "Error falls from 100 % to 9 % as axes are added, and from the fifth axis on it hardly falls: noise."


@pytest.fixture(autouse=True)
def closed():
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.fixture
def displayed(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    return shown


def rgb(colours):
    return {tuple(np.round(to_rgb(c), 3)) for c in colours}


# ---- one look


def test_a_figure_has_the_style():
    fig, ax = figure()
    assert fig.get_facecolor() == (1, 1, 1, 1) and fig.dpi == 100 and not ax.spines["top"].get_visible()
    assert fig.get_layout_engine() is not None and ax.get_axisbelow()


@pytest.mark.parametrize("make", [figure, plt.subplots], ids=["the course's", "a learner's own"])
def test_the_style_lasts_for_what_is_drawn_later(make):
    _, ax = make()
    [line] = ax.plot([0, 1], label="a")
    image = ax.imshow(np.eye(2))
    assert (line.get_linewidth(), line.get_markersize(), line.get_color()) == (1.8, 5, COLOURS[0])
    frame = ax.legend().get_frame()
    assert frame.get_edgecolor()[3] == 0 and frame.get_alpha() == 0.8 and image.get_cmap().name == "cividis"
    assert {name: mpl.rcParams[name] for name in STYLE} == dict(mpl.RcParams(STYLE))


def test_a_style_of_your_own_is_left_alone_and_the_courses_comes_back():
    plt.style.use("ggplot")
    ours = dict(mpl.rcParams)
    assert to_rgb(figure()[1].get_facecolor()) == to_rgb("#E5E5E5") and dict(mpl.rcParams) == ours
    plt.style.use(STYLE)
    assert figure()[1].get_facecolor() == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "arguments, size, axes",
    [
        (dict(), (7.5, 4.4), ()),
        (dict(columns=2), (7.5, 3.0125), (2,)),
        (dict(columns=2, rows=3), (7.5, 8.6375), (3, 2)),
        (dict(columns=3, height=5), (7.5, 5), (3,)),
        (dict(width=4), (4, 3.2), ()),
        (dict(columns=2, squeeze=False), (7.5, 3.0125), (1, 2)),
    ],
)
def test_size_and_axes(arguments, size, axes):
    fig, ax = figure(**arguments)
    assert fig.get_size_inches().tolist() == pytest.approx(size) and np.shape(ax) == axes


def test_what_else_is_asked_goes_to_subplots():
    fig, axes = figure(2, sharey=True)
    assert axes[0].get_shared_y_axes().joined(*axes)


def test_colour_is_never_alone():
    assert len(set(MARKERS)) == len(MARKERS) >= len(COLOURS) == len(set(COLOURS))
    assert len(set(map(str, LINES))) == len(LINES) >= 4
    assert STYLE["image.cmap"] in ("cividis", "gray", "viridis")


# ---- show


def test_the_sentence_is_stored_with_the_picture_and_printed_below(displayed, capsys):
    fig, ax = figure()
    ax.plot([0, 1])
    show(fig, ALT)
    [image] = displayed
    data, metadata = image._repr_mimebundle_() if hasattr(image, "_repr_mimebundle_") else image._repr_png_()
    assert metadata.get("image/png", metadata)["alt"] == ALT
    below = capsys.readouterr().out
    assert below.startswith("Figure: ") and below.split()[1:] == ALT.split()
    assert max(map(len, below.splitlines())) <= 88 < len(below)
    picture = Image.open(io.BytesIO(image.data))
    assert (
        picture.format == "PNG" and picture.size == (1500, 880) and "Matplotlib" in picture.info["Software"]
    )
    assert picture.convert("RGBA").getpixel((0, 0)) == (255, 255, 255, 255)
    assert metadata.get("image/png", metadata)["width"] == 750  # two dots for each pixel of the page


def test_few_colours_take_half_the_room_and_look_the_same(displayed):
    fig, ax = figure()
    scatter_classes(ax, np.random.default_rng(0).normal(size=(300, 2)), np.arange(300) % 7)
    ax.imshow(np.random.default_rng(0).uniform(size=(9, 9)), extent=(3, 6, 3, 6))
    ax.set(xlim=(-3, 6), ylim=(-3, 6))
    fig.draw_without_rendering()  # the layout settles
    full = io.BytesIO()
    fig.savefig(full, dpi=200)
    show(fig, ALT)
    small = displayed[0].data
    assert Image.open(io.BytesIO(small)).mode == "P" and len(small) < 0.55 * len(full.getvalue())
    was, now = (base64.b64encode(png).decode() for png in (full.getvalue(), small))
    assert difference(was, now) is None


def test_the_figure_is_closed_after_it_is_shown(displayed):
    fig, _ = figure()
    show(fig, ALT)
    assert not plt.get_fignums()


def test_the_same_figure_gives_the_same_bytes(displayed):
    for _ in range(2):
        fig, ax = figure()
        scatter_classes(ax, np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1]))
        show(fig, ALT)
    assert displayed[0].data == displayed[1].data


@pytest.mark.parametrize(
    "alt",
    ["", "12", "A figure without a number in it.", "Only 20 characters.."],
    ids=["", "short", "none", "20"],
)
def test_a_sentence_with_a_number_is_required(alt, displayed):
    fig, _ = figure()
    with pytest.raises(ValueError, match="say in a sentence what the figure shows, with a number"):
        show(fig, alt)
    assert not displayed


def test_21_characters_are_a_sentence(displayed):
    show(figure()[0], "Exactly 21 characters")
    assert len(displayed) == 1


# ---- what is drawn


def test_each_class_has_its_colour_marker_and_name():
    _, ax = figure()
    X, y = np.arange(12.0).reshape(6, 2), np.array(["b", "a", "c", "a", "b", "c"])
    scatter_classes(ax, X, y)
    assert [c.get_label() for c in ax.collections] == ["a", "b", "c"]
    assert rgb(c.get_facecolor()[0][:3] for c in ax.collections) == rgb(COLOURS[:3])
    assert [c.get_offsets().tolist() for c in ax.collections] == [X[y == k].tolist() for k in "abc"]
    assert len({c.get_paths()[0].vertices.tobytes() for c in ax.collections}) == 3


def test_classes_named_coloured_and_sized_by_hand():
    _, ax = figure()
    scatter_classes(
        ax, np.zeros((3, 2)), [0, 1, 2], labels=["x", "y", "z"], colours=["#ff0000", "#00ff00"], s=99, alpha=1
    )
    assert [c.get_label() for c in ax.collections] == ["x", "y", "z"]
    assert [c.get_facecolor()[0].tolist() for c in ax.collections] == [
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [1, 0, 0, 1],
    ]
    assert {c.get_sizes()[0] for c in ax.collections} == {99}


def test_classes_may_be_a_list():
    _, ax = figure()
    scatter_classes(ax, np.arange(8.0).reshape(4, 2).tolist(), ["b", "a", "b", "a"])
    assert [len(c.get_offsets()) for c in ax.collections] == [2, 2]


def test_more_classes_than_colours_start_again():
    _, ax = figure()
    scatter_classes(ax, np.zeros((12, 2)), np.arange(12))
    assert len(ax.collections) == 12
    assert len(rgb(c.get_facecolor()[0][:3] for c in ax.collections)) == len(COLOURS)


@pytest.mark.parametrize("found", [[0, 1], [0, 1, 2], [0, 2], [1]], ids=str)
def test_regions_have_the_colours_of_their_classes_and_no_other(found):
    """[0, 2]: between them nothing is painted in the colour of 1, which nobody predicts."""
    _, ax = figure()
    wide = len(found)

    def predict(grid):
        return np.array(found)[np.minimum(grid[:, 0], wide - 0.5).astype(int)]

    regions(ax, predict, (0, wide), (-1, 1))
    filled, borders = ax.collections[:wide], ax.collections[wide:]
    assert rgb(f.get_facecolor()[0, :3] for f in filled) == rgb(COLOURS[c] for c in found)
    for place, region in enumerate(filled):
        for other in range(wide):
            assert region.get_paths()[0].contains_point((other + 0.5, 0.0)) == (other == place)
    assert len(borders) == wide - 1
    for place, border in enumerate(borders, 1):
        assert border.get_paths()[0].vertices[:, 0].max() == pytest.approx(place, abs=wide / 149)


def test_regions_ask_for_the_whole_plane():
    asked = []
    regions(
        figure()[1],
        lambda grid: asked.append(grid) or (grid[:, 1] > 0).astype(int).tolist(),
        (-2, 5),
        (-1, 3),
        steps=10,
    )
    [grid] = asked
    assert grid.shape == (100, 2)
    assert grid.min(axis=0).tolist() == [-2, -1] and grid.max(axis=0).tolist() == [5, 3]


@pytest.mark.parametrize(
    "limits, clim",
    [({}, (0, 11)), (dict(vmin=-1, vmax=20), (-1, 20)), (dict(vmin=0.0), (0, 11)), (dict(vmax=0.0), (0, 0))],
)
def test_pictures_share_one_grey_scale(limits, clim):
    _, axes = figure(2, 2)
    images = np.arange(12.0).reshape(3, 2, 2)
    grid_of_images(axes, images, titles=["a", "b", "c"], **limits)
    drawn = [ax for ax in axes.ravel() if ax.images]
    assert len(drawn) == 3 and {ax.images[0].get_clim() for ax in drawn} == {clim}
    assert [ax.get_title() for ax in drawn] == ["a", "b", "c"]
    assert not any(len(ax.get_xticks()) or len(ax.get_yticks()) for ax in drawn)
    assert (drawn[1].images[0].get_array() == images[1]).all()
    assert drawn[0].images[0].get_cmap().name == "gray"
    assert not any(s.get_visible() for ax in drawn for s in ax.spines.values())


def test_pictures_without_titles_in_another_map():
    _, ax = figure()
    grid_of_images(ax, [np.eye(2)], cmap="cividis")
    assert ax.get_title() == "" and ax.images[0].get_cmap().name == "cividis"


def test_a_thumbnail_that_would_cover_another_is_left_out():
    _, ax = figure()
    points = np.array([[0, 0], [1, 1], [0.05, 0.05], [0.05, 0.5], [1, 0.0]])
    thumbnails(ax, points, [np.full((3, 3), i) for i in range(5)], zoom=2, apart=0.1)
    assert [a.xy for a in ax.artists] == [tuple(p) for p in points[[0, 1, 3, 4]]]
    assert ax.artists[2].offsetbox.get_zoom() == 2 and (ax.artists[2].offsetbox.get_data() == 3).all()


def test_apart_is_a_share_of_the_width():
    _, ax = figure()
    points = np.array([[0, 0], [100, 100], [5, 0], [7, 0]])
    thumbnails(ax, points, [np.eye(2)] * 4)
    assert len(ax.artists) == 3


def test_a_letter_is_inked_where_it_is_drawn_and_not_in_its_hole():
    corners, middle, stroke = [[0, 0], [1, 1]], [0.5, 0.5], [0.16, 0.5]
    assert plotting.ink_on([*corners, middle, stroke], "O").tolist() == [0, 0, 0, 1]
    assert plotting.ink_on([*corners, [0.75, 0.5]], "OI").tolist() == [0, 0, 2]
