"""The slides: for each chapter decks of the cells that it marks, which fit the screen and a lecture."""

import re

import nbformat
import pytest

from tests.browsing import axe, new_page
from tools import books
from tools.site import live, notebook_reader
from tools.slides import cells, notes

build_slides = pytest.importorskip("tools.build_slides")

STEMS = [path.stem for path in notebook_reader.notebooks("notebooks") if build_slides.has_deck(path.stem)]
LECTURE = 45  # minutes
READY = "window.Reveal?.isReady?.()"
# 96 pixels to an inch of a figure make letters of 9 points 12 pixels tall; some figures have smaller ones.
WALK = """() => [...document.querySelectorAll('.slides > section')].flatMap((slide, i) => {
    Reveal.slide(i);
    const found = [], title = slide.querySelector('h1, h2').textContent, body = slide.querySelector('.body');
    const say = (what, one) => found.push(`${i + 1}, ${title}: ${what} ${one.outerHTML.slice(0, 60)}`);
    if (Reveal.getCurrentSlide() !== slide) say('not reached', slide);
    for (const one of slide.querySelectorAll('header *, .body *')) {
        const box = one.getBoundingClientRect();
        const letters = () => parseFloat(getComputedStyle(one).fontSize);
        const outside = box.left < -1 || box.top < -1 || box.right > 1281 || box.bottom > 721;
        if (outside && box.height && !one.closest('mjx-assistive-mml')) say('overflows', one);
        if (one.tagName === 'IMG' && 200 * box.width / one.naturalWidth < LEAST) say('small letters', one);
        if (one.matches('p, li, td, th, pre, figcaption, mjx-container') && letters() < 14) say('tiny', one);
        if (one.matches('.tex') && !one.querySelector('mjx-container')) say('not typeset', one);
        if (one.matches('mjx-merror')) say('no formula', one);
    }
    for (const one of body.children) {
        const next = one.nextElementSibling?.getBoundingClientRect();
        if (next && one.getBoundingClientRect().bottom > next.top + 1) say('overlaps', one);
    }
    return found;
})""".replace("LEAST", "96")
CHAIN = """() => Reveal.slide([...document.querySelectorAll('.slides > section')].findIndex(one =>
    one.querySelector('h2')?.textContent.startsWith('2.3 ') && one.querySelector('.derivation')), 0, -1)"""
PRINTED = """() => [...document.querySelectorAll('.pdf-page')].map(page => {
    const whole = page.getBoundingClientRect(), body = page.querySelector('.body');
    const parts = [...body.querySelectorAll('p, li, img, pre, table, figcaption')];
    const boxes = parts.map(one => one.getBoundingClientRect());
    const inside = box => box.right <= whole.right && box.bottom <= whole.bottom && box.left >= whole.left;
    const apart = [...body.children].every(one => !one.nextElementSibling
        || one.getBoundingClientRect().bottom <= one.nextElementSibling.getBoundingClientRect().top + 1);
    const shows = one => getComputedStyle(one).visibility !== 'hidden';
    const seen = [...body.querySelectorAll('.fragment')].every(shows);
    return boxes.length > 0 && boxes.every(inside) && apart && seen;
})"""


@pytest.fixture(scope="session")
def decks(site):
    """Those that lie beside the site's pages."""
    return site / "slides"


@pytest.fixture(scope="module")
def screen(browser, decks):
    """A lecture hall's tab: the first page of a new one takes a second more than the next."""
    ours = (decks.as_uri(), "data:", "blob:", "about:")
    with new_page(browser, ours, viewport={"width": 1280, "height": 720}, reduced_motion="reduce") as page:
        yield page


def opened(screen, decks, stem, query=""):
    screen.goto("about:blank")
    screen.asked.clear()
    screen.thrown.clear()
    screen.goto((decks / f"{stem}.html").as_uri() + query)
    screen.wait_for_function(READY)
    return screen


def text_of(decks, stem):
    return (decks / f"{stem}.html").read_text(encoding="utf-8")


def made(stem):
    """{file's stem: (the plan's name, its slides)}, the clock set for the plan."""
    return build_slides.decks_of(notebook_reader.notebook(stem), stem)


# ---- cells become slides


def a_cell(source, kind="-", outputs=None):
    cell = nbformat.v4.new_markdown_cell(source) if outputs is None else nbformat.v4.new_code_cell(source)
    cell.metadata["slideshow"] = {"slide_type": kind}
    if outputs is not None:
        cell.outputs = outputs
    return cell


HEAD = "# 2 · PCA\n\nHow few?\n\n| | |\n|---|---|\n| **You will be able to** | see |\n| **You need** | eyes |"


def slides(*after):
    return cells.slides_of(nbformat.v4.new_notebook(cells=[a_cell(HEAD), *after]))


def test_the_slide_types_decide():
    fold = "<details><summary>Why</summary>\n\nSo.\n</details>"
    title, first, second = slides(
        a_cell("## A. Look\n\n### 2.1 One?\n\nThe key.", "slide"),
        a_cell(f"Said.\n\n{fold}", "notes"),
        a_cell("Later.", "fragment"),
        a_cell("Never.", "skip"),
        a_cell("More.", "subslide"),
        a_cell(f"And this. {fold}"),
    )
    assert (title.title, [one.source for one in title.cells][0]) == ("2 · PCA", "How few?")
    assert (first.part, first.title, first.number) == ("A. Look", "2.1 One?", "2.1")
    assert [(one.source, one.waits) for one in first.cells] == [("The key.", False), ("Later.", True)]
    assert first.notes == [f"Said.\n\n{fold}"]
    assert [one.source for one in second.cells] == ["More.", "And this."] and second.notes == ["Why So."]
    assert [one.start for one in (title, first, second)] == [0, 1, 2]


def test_the_answer_to_a_quick_question_waits():
    asked = "<details><summary><b>Quick question.</b> Why?</summary>\n\nSo.\n</details>"
    _, slide = slides(a_cell("### 2.1 One\n\n" + asked, "slide"))
    assert [(one.source, one.waits) for one in slide.cells] == [
        ("**Quick question.** Why?", False),
        ("**Answer.** So.", True),
    ]


def test_a_slide_shows_what_a_cell_draws_or_else_its_code():
    drawn = nbformat.v4.new_output("display_data", {"image/png": "AAAA"})
    told = nbformat.v4.new_output("stream", text="Figure: Two birds. They sit.\n✓ so\n12 of them\n")
    page = build_slides.code_cell(a_cell("plot()", outputs=[drawn, told]))
    assert "plot" not in page and ">Two birds.<" in page and "12 of them" in page and "✓" not in page
    assert "x = 1" in re.sub("<.*?>", "", build_slides.code_cell(a_cell("x = 1", outputs=[])))


def test_links_lead_to_decks_or_nowhere():
    assert build_slides.to_decks("[a](03-lda-cca-ica.ipynb#B)") == "[a](03-lda-cca-ica.html)"
    assert build_slides.to_decks("[a](02-pca.ipynb#2.9-Best)") == "[a](02-pca.html#/2.9)"
    assert build_slides.to_decks("Folds ([how](00b-learners.ipynb)).") == "Folds."
    assert build_slides.to_decks("[a](../exercises/02-homework.ipynb)") == "a"
    assert '<span lang="zh-Hans">主成分</span>' in build_slides.line("主成分 $x$")


# ---- every chapter


@pytest.mark.parametrize("stem", STEMS)
def test_a_deck_for_each_plan_never_longer_than_its_time(stem):
    planned = notes.plans(stem)
    everything, *lectures = made(stem).values()
    assert len(lectures) == len(planned) == 3
    for (name, slides), (plan, sections) in zip(lectures, planned.items(), strict=True):
        minutes = sum(slide.minutes for slide in slides)
        assert name == plan and LECTURE / 2 <= minutes <= LECTURE, f"{stem}, {name}: {minutes} minutes"
        assert {slide.number for slide in slides} - {""} == set(sections), name
    numbers = {section.group(1) for section in map(notebook_reader.SECTION.search, sources(stem)) if section}
    assert {slide.number for slide in everything[1]} - {""} == numbers


def sources(stem):
    return [cell.source for cell in notebook_reader.notebook(stem).cells if cell.cell_type == "markdown"]


@pytest.mark.parametrize("stem", STEMS)
def test_every_slide_shows_something_and_asks_something(stem):
    _, slides = made(stem)[stem]
    empty = [slide.title for slide in slides if not slide.cells]
    silent = [slide.title for slide in slides if not slide.asks()]
    assert (empty, silent) == ([], [])


@pytest.mark.parametrize("stem", STEMS)
def test_a_bet_comes_before_what_answers_it(stem):
    """On the slide of a bet everything after it waits for a key."""
    for slide in made(stem)[stem][1]:
        bet = next((i for i, cell in enumerate(slide.cells) if "**Bet.**" in cell.source), len(slide.cells))
        assert all(cell.waits for cell in slide.cells[bet + 1 :]), slide.title


def test_the_room_is_asked_only_where_a_slide_has_nothing_to_ask():
    """No question of docs/room.toml is left over, so that none is lost when a slide goes."""
    every = {stem: made(stem)[stem][1] for stem in STEMS}
    asked = sum(
        note.startswith("**Ask:**") for slides in every.values() for slide in slides for note in slide.notes
    )
    assert asked == sum(map(len, notes.for_the_room().values()))


def test_all_that_a_deck_loads_lies_beside_it(decks):
    for path in decks.glob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert all(
            (decks / file).exists() for file in re.findall(r'(?:src|href)="([^"#]+)(?:#[^"]*)?"', page)
        )
    style = (decks / "assets" / "deck.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style
    assert len(list(decks.glob("*.html"))) == 4 * len(STEMS) + 1


def test_every_picture_has_its_sentence(decks):
    for stem in STEMS:
        alts = re.findall(r'<img src="[^"]+" alt="([^"]*)"', text_of(decks, stem))
        assert alts and all(len(alt) > 20 and re.search(r"\d", alt) for alt in alts)


def test_the_guide_speaks_in_the_notes(decks):
    text = text_of(decks, "02-pca")
    assert "only 45 minutes" in text and "The derivation is rarely the difficulty" in text
    assert any("2.5 Five" in one and "why is it always 0?" in one for one in text.split("<section "))
    for stem in STEMS:
        assert text_of(decks, stem).count("What students get wrong") >= 4


def test_the_last_slide_is_the_homework(decks):
    for stem in STEMS:
        nb = nbformat.read(books.ROOT / "exercises" / f"{stem[:2]}-homework.ipynb", as_version=4)
        titles = [
            build_slides.line(one[3]) for cell in nb.cells for one in build_slides.CORE.findall(cell.source)
        ]
        last = text_of(decks, stem).split("<section ")[-1]
        assert len(titles) in (5, 6) and all(title in last for title in titles)


# ---- in a browser


@pytest.mark.parametrize("stem", STEMS)
def test_a_deck_fits_and_can_be_read_by_all(decks, screen, stem):
    """To its end: nothing overflows, formulas are typeset, a figure's letters are large; axe-core."""
    opened(screen, decks, stem)
    assert screen.evaluate(WALK) == []
    assert screen.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    screen.evaluate("Reveal.slide(2, 0, 99)")
    assert axe(screen, "section.present") == []
    for name in re.findall(r'data-try="([^"]+)"', text_of(decks, stem)):
        assert takes_the_place(screen, name)
    assert screen.asked == [] and screen.thrown == []


def test_a_slide_that_hinders_readers_is_noticed(decks, screen):
    opened(screen, decks, STEMS[1])
    style = screen.add_style_tag(content=".reveal .body p { color: #ccc }")
    assert [one.partition(":")[0] for one in axe(screen, "section.present")] == ["color-contrast"]
    style.evaluate("one => one.remove()")
    screen.add_style_tag(content=".reveal .body > .picture { flex: none; height: 150px; min-height: 0 }")
    assert any("small letters" in one for one in screen.evaluate(WALK))


def test_the_index_can_be_read_by_all(decks, screen):
    screen.goto((decks / "index.html").as_uri())
    assert axe(screen) == []


def test_a_chain_is_built_up_line_by_line(decks, screen):
    opened(screen, decks, STEMS[1]).evaluate(CHAIN)
    rows = screen.locator("section.present .derivation .fragment")
    assert rows.count() == 3 and screen.locator("section.present .derivation .fragment.visible").count() == 0
    screen.keyboard.press("ArrowRight")
    assert screen.locator("section.present .derivation .fragment.visible").count() == 1


def test_a_printed_deck_has_a_page_for_each_slide(decks, screen):
    """Nothing is cut or covers something else, and what waits for a key is there."""
    for stem in STEMS[1:3]:
        opened(screen, decks, stem, "?view=print")
        screen.wait_for_selector(".pdf-page")
        whole = screen.evaluate(PRINTED)
        assert len(whole) == text_of(decks, stem).count("<section ") and all(whole), (stem, whole)


FITS = """() => {
    const box = document.querySelector('section.present .live').getBoundingClientRect();
    return box.height > 300 && box.left >= 0 && box.right <= 1280 && box.bottom <= 720;
}"""
WHERE = "Reveal.getIndices().h + ' ' + document.querySelectorAll('section.present .fragment.visible').length"


def takes_the_place(screen, name):
    """A live figure that of its picture, by keys alone; a key that moves it does not turn the slide."""
    screen.evaluate(
        "one => Reveal.slide(Reveal.getIndices(document.querySelector(one).closest('section')).h)",
        f"[data-try={name}]",
    )
    slide, before = screen.locator("section.present"), screen.evaluate(WHERE)
    slide.locator(".try").focus()
    screen.keyboard.press("Enter")
    slide.locator(".live-only").focus()
    screen.keyboard.press("Enter")
    assert slide.locator(".live-verdict").inner_text() and screen.evaluate(FITS), name
    slide.locator(".live :is(input, [role=slider])").first.focus()
    screen.keyboard.press("ArrowRight")
    assert screen.evaluate(WHERE) == before and slide.locator(".body").is_hidden()
    slide.locator(".try").focus()
    screen.keyboard.press("Enter")
    return slide.locator(".body").is_visible() and slide.locator(".live").is_hidden()


def test_every_live_figure_of_a_chapter_stands_on_a_slide(decks):
    shown = [name for stem in STEMS for name in re.findall(r'data-try="([^"]+)"', text_of(decks, stem))]
    assert sorted(shown) == sorted(name for name, one in live.figures().items() if one["chapter"] in STEMS)


def test_the_speaker_sees_notes_clock_and_formulas(decks, screen):
    opened(screen, decks, STEMS[1], "#/2")
    with screen.expect_popup() as popup:
        screen.keyboard.press("s")
    view = popup.value
    view.locator(".speaker-controls-notes .clock").wait_for()
    assert re.search(r"At \d+ of \d+ minutes", view.locator(".speaker-controls-notes").inner_text())
    view.close()
    assert screen.thrown == [] and screen.asked == []
    formulas = screen.locator("aside.notes .tex")
    assert formulas.count() > 0 == screen.locator("aside.notes .tex:not(:has(math))").count()
