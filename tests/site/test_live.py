"""Live figures compute what helpers compute, ask first, and serve mouse, finger, keyboard, eye and ear."""

import html
import io
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image

from tests.browsing import axe, served
from tests.site import live_cases
from tests.site.conftest import new_tab
from tests.site.living import computed, write_pages
from tests.site.visiting import DARK, DEPENDS_ON_LOOKS, NO_TRANSITIONS, SHOWN, TOO_WIDE
from tools import books, live_data
from tools.site import live, notebook_reader

NAMES = list(live.figures())
LOOKS = Path(__file__).with_name("looks")
PHONE, COLUMN = {"width": 390, "height": 844}, {"width": 816, "height": 1000}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    write_pages(folder)
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def one_tab(browser, pages):
    with new_tab(browser, pages) as page:
        page.set_viewport_size(COLUMN)
        page.emulate_media(reduced_motion="reduce")
        yield page


@pytest.fixture
def tab(one_tab):
    yield one_tab
    assert one_tab.thrown == one_tab.asked == []


# ---- sources


@pytest.mark.parametrize("name", NAMES)
def test_the_source_is_small_and_whole(name):
    """At most 20 kB; it imports what it uses of the kit, its data are the tool's, one picture holds it."""
    source = (live.LIVE / f"{name}.js").read_text(encoding="utf-8")
    kit = (live.LIVE / "kit.js").read_text(encoding="utf-8")
    assert len(source.encode()) <= 20_000 and len(kit.encode()) <= 20_000
    offered = set(re.findall(r"^export (?:const|function) (\w+)", kit, re.M))
    head = re.search(r'import \{([^}]*)\} from "./kit.js"', source)
    imported, body = set(re.findall(r"\w+", head[1])), source.replace(head[0], "")
    own = set(re.findall(r"\b(?:const|let|function) (\w+)", body))
    used = {one for one in offered - own if re.search(rf"(?<![.\w\"'])\b{one}\(", body)}
    assert (
        imported <= offered and used <= imported and all(re.search(rf"\b{one}\b", body) for one in imported)
    )
    stored = (live.LIVE / "data" / f"{name}.json").read_text(encoding="utf-8")
    assert stored == live_data.written(name), f"run: uv run python tools/live.py {name}"
    one = live.figures()[name]
    nb = nbformat.read(books.ROOT / "notebooks" / f"{one['chapter']}.ipynb", as_version=4)
    cells = [cell for cell in nb.cells if name in live.above(cell, one["chapter"])]
    assert len(cells) == 1, (
        f"docs/live/live.toml: no cell, or several, of {one['chapter']} call {one['still']}"
    )
    assert notebook_reader.caption_of(cells[0])


# ---- numbers


@pytest.mark.parametrize("name", NAMES)
def test_it_computes_what_helpers_compute(name, tab, pages):
    data, within = live.data_of(name), live_cases.WITHIN.get(name, 1e-9)
    cases = list(getattr(live_cases, name.replace("-", "_"))(data, np.random.default_rng(0)))
    assert len(cases) >= live_cases.MANY
    got = computed(tab, pages, name, [given for given, _, _ in cases])
    for (given, wanted, view), found in zip(cases, got, strict=True):
        found = view(found) if view else found
        for key, value in wanted.items():
            np.testing.assert_allclose(found[key], value, rtol=1e-8, atol=within, err_msg=f"{given}: {key}")


# ---- readers

STATE, HEARD = ".live-state", ".live-heard"
CONTROLS = ".live :is(input, svg [role=slider])"
REVEALED = """() => {
    document.querySelector('.live-only').click();
    return document.querySelector('.live-state').textContent;
}"""
RING = """one => {
    const style = getComputedStyle(one.querySelector('.live-ring') ?? one);
    return style.outlineStyle == 'solid' || style.stroke.startsWith('rgb');
}"""
ALL_HEARD = """() => ['.live-state', '.live-heard'].map(one => document.querySelector(one).textContent)
    .every((text, i, both) => text === both[0])"""


def words(tab, where=STATE):
    return tab.locator(where).text_content()


@pytest.mark.parametrize("name", NAMES)
def test_it_asks_before_it_shows(name, tab, pages):
    """A bet is taken once, and answered; without motion the answer is there at once."""
    tab.goto(f"{pages}{name}.html")
    before = words(tab)
    buttons = tab.locator(".live-bet button:visible")
    assert buttons.count() >= 2 and not words(tab, ".live-verdict")
    assert tab.locator(".live-answer:visible").count() == 0
    buttons.first.focus()
    tab.keyboard.press("Enter")
    verdict, state = words(tab, ".live-verdict"), words(tab)
    assert re.search(r"\d", verdict) and re.match(r"You (said|stopped)|Yes", verdict), verdict
    assert buttons.count() == 1 and buttons.first.get_attribute("aria-pressed") == "true"
    tab.wait_for_timeout(50)
    assert words(tab) == state != before
    tab.reload()
    assert tab.evaluate(REVEALED) == state  # nobody has to bet
    assert "You said" not in words(tab, ".live-verdict")


@pytest.mark.parametrize("name", NAMES)
def test_keyboard_and_ear(name, tab, pages):
    """Every control takes the arrow keys, says its value in words; the state is heard after a pause."""
    tab.goto(f"{pages}{name}.html")
    controls = tab.locator(CONTROLS)
    assert controls.count() and words(tab) == words(tab, HEARD) and re.search(r"\d", words(tab))
    for i in range(controls.count()):
        one, states = controls.nth(i), {words(tab)}
        one.focus()
        assert one.evaluate(RING), "no ring where the keyboard is"
        assert one.evaluate("one => one.getAttribute('aria-label') ?? one.labels[0].innerText")
        values, numbers = {one.get_attribute("aria-valuetext")}, {one.get_attribute("aria-valuenow")}
        for way in ("Right", "Right", "Up", "Left", "Down", "Down", "Down"):
            tab.keyboard.press(f"Arrow{way}")
            values.add(one.get_attribute("aria-valuetext"))
            numbers.add(one.get_attribute("aria-valuenow"))
            states.add(words(tab))
        assert len(values) > 2 and len(states) > 1 and all(re.search(r"\w", value) for value in values)
        assert len(numbers) > 1 or numbers == {None}, "its number does not move"
        tab.keyboard.press("Home")
        least = one.get_attribute("aria-valuetext")
        tab.keyboard.press("End")
        assert one.get_attribute("aria-valuetext") != least
    tab.wait_for_function(ALL_HEARD)


@pytest.fixture(scope="module")
def phone(browser):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_finger_moves_it_on_a_phone(name, phone, pages):
    tab = phone
    tab.goto(f"{pages}{name}.html")
    assert tab.evaluate(TOO_WIDE) == []
    tab.add_style_tag(content="body { padding: 900px 0 }")
    one = tab.locator(CONTROLS).first
    one.scroll_into_view_if_needed()
    tab.evaluate(SHOWN)
    before, where = one.get_attribute("aria-valuetext"), tab.evaluate("scrollY")
    slides = one.evaluate("one => one.tagName") == "INPUT"
    box = (one if slides else one.locator(".live-hit")).bounding_box()
    assert box["height"] >= 24
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    dy = 0 if slides else 1  # a slider moves sideways; elsewhere a page that could scroll must not
    finger = tab.context.new_cdp_session(tab)
    for kind, dx in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40)):
        spot = {"x": x + dx * (1 if x < 200 else -1), "y": y + dy * dx}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [spot]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.evaluate(SHOWN)
    assert one.get_attribute("aria-valuetext") != before and tab.evaluate("scrollY") == where
    tab.evaluate("document.querySelector('.live-panels').scrollIntoView()")
    sliders = tab.locator(".live-controls").bounding_box()  # in sight of what they move
    assert not sliders or sliders["y"] + sliders["height"] <= PHONE["height"] + 1
    finger.detach()


# ---- looks

SIDE = (120, 120)
MEAN, MOST = 2.0, 70.0  # of 255, allowed between the stored picture and the fresh one


def small(png):
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return picture.resize(SIDE, Image.Resampling.BOX)


def unlike(stored, fresh):
    """By how much two small pictures differ, in the mean and at most; None where that is little."""
    gap = np.abs(np.asarray(stored, float) - np.asarray(fresh, float))
    return (
        None if gap.mean() <= MEAN and gap.max() <= MOST else f"mean {gap.mean():.2f}, most {gap.max():.0f}"
    )


@pytest.mark.parametrize("name", NAMES)
def test_everybody_can_use_it_and_it_looks_as_it_did(name, tab, pages):
    """Light before the bet, dark after it. After a wanted change delete the picture, run this, look at it."""
    tab.goto(f"{pages}{name}.html")
    tab.add_style_tag(content=NO_TRANSITIONS)
    figure = tab.locator(".live")
    assert axe(tab) == []
    shots = [small(figure.screenshot())]
    tab.locator(".live-only").click()
    tab.evaluate(DARK)
    tab.evaluate(SHOWN)
    assert axe(tab, **DEPENDS_ON_LOOKS) == []
    shots.append(small(figure.screenshot()))
    fresh = Image.new("RGB", (2 * SIDE[0], SIDE[1]))
    for i, shot in enumerate(shots):
        fresh.paste(shot, (i * SIDE[0], 0))
    path = LOOKS / f"{name}.png"
    if not path.exists():
        LOOKS.mkdir(exist_ok=True)
        fresh.save(path, optimize=True)
        pytest.fail(f"{path.name} is new: look at it, then run again")
    assert unlike(Image.open(path), fresh) is None


def test_a_spoilt_look_is_noticed(tab, pages):
    """A panel without its points, a wrong colour, a shifted panel."""
    name = NAMES[0]
    stored = Image.open(LOOKS / f"{name}.png").crop((0, 0, *SIDE))
    for spoil in (".live-dot { display: none }", ".live { --a: red }", ".live-panels { margin-left: 30px }"):
        tab.goto(f"{pages}{name}.html")
        tab.add_style_tag(content=spoil)
        assert unlike(stored, small(tab.locator(".live").screenshot())), spoil


# ---- in a notebook


@pytest.fixture(scope="module")
def disk(browser):
    with new_tab(browser, "file:") as page:
        yield page


@pytest.mark.parametrize("name", NAMES)
def test_its_own_page_is_up_to_date_and_works_from_the_disk(name, disk):
    path = live.PAGES / f"{name}.html"
    assert path.read_text(encoding="utf-8") == live.page(name), f"run: uv run python tools/live.py {name}"
    disk.goto(path.as_uri())
    disk.locator(".live-only").click()
    assert words(disk) and disk.thrown == disk.asked == []


@pytest.mark.parametrize("stem", sorted({one["chapter"] for one in live.figures().values()}))
def test_its_chapter_s_notebook_leads_to_it(stem):
    nb = nbformat.read(books.ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)
    made = live.linked(nbformat.from_dict(nb), stem)
    assert [cell.id for cell in nb.cells] == [cell.id for cell in made.cells], (
        "run: uv run python tools/live.py"
    )
    assert [cell.source for cell in nb.cells] == [cell.source for cell in made.cells]
    assert [cell.metadata for cell in nb.cells] == [cell.metadata for cell in made.cells]  # its slide type


# ---- on the site


def test_without_javascript_the_still_figure_stands_there(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{pages}{NAMES[0]}.html")
    assert tab.locator(".live").is_hidden()
    context.close()


@pytest.mark.parametrize("chapter", sorted({one["chapter"] for one in live.figures().values()}))
def test_the_chapter_holds_it_above_its_still_figure(chapter, site):
    """A bet stands before its answer, the still figure; with its script beside it, and not in print."""
    page = (site / "notebooks" / f"{chapter}.html").read_text(encoding="utf-8")
    nb = nbformat.read(books.ROOT / "notebooks" / f"{chapter}.ipynb", as_version=4)
    places = [(cell, name) for cell in nb.cells for name in live.above(cell, chapter)]
    for cell, name in places:
        _, _, rest = page.partition(f'<div class="live" id="live-{name}" data-live="{name}"></div>')
        told = html.unescape(re.sub("<[^>]*>", "", rest.partition("<figcaption")[2][:3000]))
        told = told.replace("’", "'").replace("\u00a0", " ")
        assert notebook_reader.caption_of(cell)[:40] in told[:80]
        script = re.search(r'<script defer src="([^"]+)"', rest)[1]
        assert (site / "notebooks" / script).resolve().is_file()
    assert {name for _, name in places} == {
        name for name, one in live.figures().items() if one["chapter"] == chapter
    }


def test_on_a_chapter_s_page_it_works_as_alone(site, address, browser):
    """The theme's own styles spoil nothing; two figures share a page."""
    with new_tab(browser, address) as tab:
        tab.goto(f"{address}notebooks/02-pca.html")
        assert tab.locator(".live .live-title").count() == 2
        tab.locator(".live-only").first.click()
        assert tab.locator(".live-verdict").all_inner_texts()[1] == ""
        tab.emulate_media(media="print")
        assert tab.locator(".live:visible").count() == 0 and tab.thrown == []
