"""The slides: for each chapter a deck that fits the screen, says what time it is, and asks for nothing."""

import base64
import re
import tomllib

import nbformat
import pytest

from tests.browsing import axe, new_page
from tools import books
from tools.site import notebook_reader

build_slides = pytest.importorskip("tools.build_slides")
from tools.site.notebook_reader import minutes_of  # noqa: E402
from tools.slides.blocks import (  # noqa: E402
    CORE,
    FIRST_LOOK,
    Block,
    Section,
    chapter,
    opening,
    paragraph,
    sentences,
    shortened,
)
from tools.slides.choices import choose  # noqa: E402
from tools.slides.rules import Slide, is_announced, pack, slides_of  # noqa: E402
from tools.slides.words import define_symbols, hide_answers, make_whole, show_again  # noqa: E402

STEMS = [path.stem for path in notebook_reader.notebooks("notebooks") if build_slides.has_deck(path.stem)]
READY = "window.Reveal?.isReady?.()"
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
        if (one.tagName === 'IMG' && box.height < 200 && box.width < 1000) say('small', one);
        if (one.matches('p, li, td, th, pre, figcaption, mjx-container') && letters() < 14) say('tiny', one);
        if (one.matches('.tex') && !one.querySelector('mjx-container')) say('not typeset', one);
        if (one.matches('mjx-merror')) say('no formula', one);
    }
    for (const one of body.children) {
        const next = one.nextElementSibling?.getBoundingClientRect();
        if (next && one.getBoundingClientRect().bottom > next.top + 1) say('overlaps', one);
    }
    return found;
})"""
STEPS = """() => Reveal.getTotalSlides() - 1 + [...document.querySelectorAll('.slides > section')]
    .map(slide => [...slide.querySelectorAll('.fragment')].map(one => one.dataset.fragmentIndex))
    .map(steps => new Set(steps).size).reduce((a, b) => a + b)"""
SIZES = """() => [...document.querySelectorAll('.slides > section')]
    .map(slide => [...slide.querySelectorAll('mjx-container[display]')])
    .map(formulas => new Set(formulas.map(one => getComputedStyle(one).fontSize)).size)
    .filter(sizes => sizes > 1).length"""
CHAIN = """() => Reveal.slide([...document.querySelectorAll('.slides > section')].findIndex(one =>
    one.querySelector('h2')?.textContent.startsWith('2.3 ') && one.querySelector('.derivation')), 0, -1)"""
WHERE = "Reveal.getIndices().h + ' ' + document.querySelectorAll('section.present .fragment.visible').length"


ALONE = """() => {
    const deck = document.querySelector('.slides');
    window.slides = [...deck.children];
    deck.replaceChildren(deck.querySelector('section.present'));
}"""
FROM_THE_START = """() => {
    for (const one of document.querySelectorAll('.fragment'))
        one.classList.remove('visible', 'current-fragment');
    Reveal.slide(0, 0, -1);
}"""
KINDS = [
    f".slides > section{one}"
    for one in (".title", ":has(.body .equation)", ":has(.body img)", ":has(pre)", ".question")
]


@pytest.fixture(scope="session")
def decks(site):
    """Those that lie beside the site's pages."""
    return site / "slides"


def hall(browser, decks):
    """A lecture hall's tab."""
    ours = (decks.as_uri(), "data:", "blob:", "about:")
    return new_page(browser, ours, viewport={"width": 1280, "height": 720}, reduced_motion="reduce")


@pytest.fixture(scope="module")
def one_screen(browser, decks):
    with hall(browser, decks) as page:
        yield page


@pytest.fixture
def screen(one_screen):
    """The first page of a new tab takes a second more than the next: one tab for all."""
    one_screen.goto("about:blank")
    one_screen.asked.clear()
    one_screen.thrown.clear()
    return one_screen


@pytest.fixture(scope="module")
def pca(browser, decks):
    """The deck of chapter 2, opened once for all who look at one slide."""
    with hall(browser, decks) as page:
        opened(page, decks, STEMS[1])
        yield page


def opened(screen, decks, stem):
    screen.goto((decks / f"{stem}.html").as_uri())
    screen.wait_for_function(READY)


def notebook(stem):
    return nbformat.read(books.ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)


def text_of(decks, stem):
    return (decks / f"{stem}.html").read_text(encoding="utf-8")


def test_each_chapter_has_a_deck_of_a_slide_a_minute_at_most(decks):
    assert len(STEMS) == 12
    index = (decks / "index.html").read_text(encoding="utf-8")
    for stem in STEMS:
        minutes = int(re.search(r"of (\d+) minutes", text_of(decks, stem))[1])
        assert 20 <= text_of(decks, stem).count("<section ") <= minutes
        assert f'href="{stem}.html"' in index


@pytest.mark.parametrize(
    ("row", "minutes"),
    [
        ("60 minutes for 3 and 4; 30 more for D", [60, 30]),
        ("45 minutes for A, 45 for B; 30 for C", [45, 45, 30]),
    ],
)
def test_the_minutes_of_a_chapter(row, minutes):
    assert minutes_of(row) == minutes


@pytest.mark.parametrize("stem", STEMS)
def test_every_slide_has_its_time(decks, stem):
    """The clock starts at 0, rises with every slide, and the slides' minutes add up to the chapter's."""
    text = text_of(decks, stem)
    clock = [tuple(map(int, one)) for one in re.findall(r"At (\d+) of (\d+) minutes", text)]
    starts = [start for start, _ in clock]
    assert starts[0] == 0 and starts == sorted(set(starts)) and len(starts) == text.count("<section ")
    row = re.search(r"\*\*Time\*\* \| (.*)", opening(notebook(stem)))[1]
    minutes = sum(map(int, re.findall(r"(\d+) (?:minutes|more|for)\b", row)))
    assert {total for _, total in clock} == {minutes}
    assert sum(map(int, re.findall(r'data-timing="(\d+)"', text))) == 60 * minutes
    parts = re.findall(r"This part takes about (\d+) minutes", text)
    assert len(parts) == text.count('class="agenda"') and 0.8 * minutes < sum(map(int, parts)) < minutes


@pytest.mark.parametrize("stem", STEMS)
def test_nothing_of_a_chapter_is_lost(stem):
    """Every section, figure, derivation, question and "Breaks here" is on a slide or in the notes."""
    made = chapter(notebook(stem))
    slides = slides_of(made)
    kept = {id(block) for slide in slides for block in slide.blocks}
    notes = "\n".join(text for slide in slides for text in slide.notes)
    for section in made.sections:
        for block in section.blocks:
            assert id(block) in kept or block.source in notes or block.label in notes
    every = [block for section in made.sections for block in section.blocks]
    breaks = [block for block in every if block.kind == "break"]
    assert sum(slide.kind == "break" for slide in slides) == len(breaks)
    assert breaks or any(block.source.startswith("**When it fails") for block in every)
    questions = [block for block in every if block.kind == "question"]
    assert sum(slide.kind == "question" for slide in slides) == len(questions)
    assert len({slide.title for slide in slides}) == len(slides)
    held = [[block.source for block in slide.shown() if block.source.strip()] for slide in slides]
    assert all(held[1:])  # after the title a heading alone is no slide


def test_every_picture_has_its_sentence(decks):
    for stem in STEMS:
        pictures = re.findall(r'<img src="([^"]+)" alt="([^"]*)"', text_of(decks, stem))
        assert pictures and all((decks / file).exists() for file, _ in pictures)
        assert all(len(alt) > 20 and re.search(r"\d", alt) for _, alt in pictures)


def test_all_that_a_deck_loads_lies_beside_it(decks):
    for stem in [*STEMS, "index"]:
        assert all(
            (decks / file).exists() for file in re.findall(r'(?:src|href)="([^"#]+)"', text_of(decks, stem))
        )
    style = (decks / "assets" / "deck.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style


def test_answers_wait_for_a_key(decks):
    """Each answer of each quick question; no deck shows one at once."""
    counts = {stem: text_of(decks, stem).count('class="fragment answer"') for stem in STEMS}
    assert counts == {stem: str(notebook(stem)).count("<b>Quick question.") for stem in STEMS}
    assert sum(map(bool, counts.values())) > 2


# ---- the rules


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two? Three: four.", ["One.", "Two?", "Three: four."]),
        ("3.5 of it", ["3.5 of it"]),
        ("Of $x. Y$ it. `a. B` too.", ["Of $x. Y$ it.", "`a. B` too."]),
        ("**A. B.** C.", ["**A. B.**", "C."]),
        ("By N. Chawla et al. All.", ["By N. Chawla et al. All."]),
    ],
)
def test_sentences(text, parts):
    assert sentences(text) == parts


def test_a_paragraph_keeps_its_first_sentence():
    assert shortened("One two three. Four five.", 2) == ("One two three.", "Four five.")
    assert shortened("One two three. Four five.", 5) == ("One two three. Four five.", "")


@pytest.mark.parametrize(
    "text",
    [
        "Here are two classes. Noise is loud.",
        "Two slips are common. Lambda is one.",
        "It has a name. This is why.",
        "Look at the rows: Each is a bird.",
        "Three answers are in use. You may need two. You may look.",
        "What is lost? Nothing is.",
        "Three treatments exist. **Delete** rows.",
    ],
)
def test_a_thought_is_not_cut(text):
    assert shortened(text, 4) == (text, "")


def test_what_a_colon_announces_is_shown():
    words, said = Block("text", "It prints:", must=True), Block("output", "12")
    assert on(pack(Section("2.1", blocks=[words, said]))[0]) == ["It prints:", "12"]
    assert not is_announced(said, [Block("text", "It is so.", must=True, shown=True)])


def test_each_part_begins_with_its_divider():
    for stem in STEMS:
        made = chapter(notebook(stem))
        slides = slides_of(made)
        for i, slide in enumerate(slides):
            if slide.part and slide.part != slides[i - 1].part:
                assert slide.kind == "part", f"{stem}: {slide.title}"


def test_the_guide_speaks_in_the_notes(decks):
    text = text_of(decks, "02-pca")
    assert "only 45 minutes" in text and "The derivation is rarely the difficulty" in text
    assert any("2.5 Five" in one and "why is it always 0?" in one for one in text.split("<section "))
    for stem in STEMS:
        asked = text_of(decks, stem).count("What students get wrong")
        assert asked >= 4, f"{stem}: the homework's mistakes find no slide"


def test_the_title_has_the_chapters_figure(decks):
    for stem in STEMS:
        title = text_of(decks, stem).split("<section ")[1]
        assert re.search(rf'<img src="assets/figures/{stem[:2]}-title.png" alt="[^"]{{20,}}"', title)


def test_the_last_slide_is_the_homework(decks):
    for stem in STEMS:
        homework = f"exercises/{stem[:2]}-homework.ipynb"
        nb = nbformat.read(books.ROOT / homework, as_version=4)
        titles = [build_slides.line(one[3]) for cell in nb.cells for one in CORE.findall(cell.source)]
        last = text_of(decks, stem).split("<section ")[-1]
        assert f"Homework {int(stem[:2])}</h2>" in last and homework in last
        assert len(titles) in (5, 6) and all(title in last for title in titles)


def test_a_divider_says_where_the_lecture_is(decks):
    parts = text_of(decks, "02-pca").split('<div class="agenda">')[1:]
    assert [re.search(r'aria-current="true">(\w)', one)[1] for one in parts] == ["A", "B", "C"]
    assert all(one.partition("</ul>")[0].count("<li") == 3 for one in parts) and "2.11 " in parts[2]


def test_what_is_half_empty_shows_its_paragraph_whole():
    words = paragraph("First of all. " + "One two three four five six. " * 12 + "A last one.", lead=True)
    words.shown = True
    make_whole(full := Slide("section", "2.1", blocks=[words, Block("table", "|a|\n" * 6, shown=True)]))
    assert words.rest and len(full.shown()) == 2
    make_whole(Slide("section", "2.1", blocks=[words]))
    assert words.source.endswith("A last one.") and not words.rest


def test_the_sentence_that_names_a_symbol_stands_before_its_formula():
    words = Block(
        "text", "A share of each.", rest="Let $c_i$ be it. All make $k$. With $\\lambda$ we pay.", shown=True
    )
    first, second = Block("equation", r"\sum c_i", shown=True), Block("equation", r"c_i + x_i", shown=True)
    slides = [Slide("section", "2.9", blocks=[words, first]), Slide("section", "2.9", blocks=[second])]
    define_symbols(slides)
    assert on(slides[0]) == ["A share of each.", "Let $c_i$ be it.", r"\sum c_i"] and on(slides[1]) == [
        "c_i + x_i"
    ]
    assert words.rest == r"All make $k$. With $\lambda$ we pay."


def test_the_table_of_notation_names_the_other_symbols():
    slide = Slide("section", "2.9", blocks=[Block("equation", r"c_i + \hat c - u^\top v^2", shown=True)])
    table = [
        ("c_i", "a share"),
        (r"\hat c, u", "guessed; an axis"),
        ("v", "any"),
        ("v_j", "other"),
        ("v", "2nd"),
    ]
    define_symbols([slide], table)
    assert on(slide)[0] == r"$c_i$: a share; $\hat c, u$: guessed; an axis; $v$: any"
    assert ("s_i", r"votes for $i$; $[\cdot]$ is 1 if true") in chapter(notebook(STEMS[10])).notation


def test_what_follows_a_bet_waits():
    def waiting(*words, section=""):
        blocks = [*(Block("text", one, shown=True) for one in words), Block("figure", "", shown=True)]
        hide_answers(Slide("section", "2.9", section=section, blocks=blocks))
        return [block.waits for block in blocks]

    assert waiting("Look. Which?") == [False, True] and waiting("Which? Look. This one.") == [False, False]
    assert waiting("Which?", "Bet first.", "This one.") == [False, False, True, True]
    assert waiting("Which?", section=FIRST_LOOK) == [False, False]
    assert waiting("Guess which.", section=FIRST_LOOK) == [False, True]
    assert waiting("Is the map in this table? Bet.") == [False, False]


def test_words_that_point_at_a_side_have_their_picture():
    picture = Block("figure", "a", shown=True)
    slides = [
        Slide("section", "2.9", blocks=[one])
        for one in (picture, Block("text", "On the left, b.", shown=True))
    ]
    show_again(slides)
    assert on(slides[1]) == ["On the left, b.", "a"]
    show_again(
        other := [
            slides[0],
            Slide("section", "", section="2.10", blocks=[Block("text", "On the left.", shown=True)]),
        ]
    )
    assert on(other[1]) == ["On the left."]


def test_a_break_begins_with_a_sentence():
    assert paragraph("**Breaks here: no ridge**, or none. Bet.").source == "No ridge, or none. Bet."
    assert paragraph("**Breaks here: no ridge.** Bet.").source == "Bet."
    few = Block("text", "A few words.", must=True)
    [slide] = pack(Section("2.1", blocks=[few, paragraph("**Breaks here: a ridge.** Bet.")]))
    assert slide.kind == "break" and on(slide) == ["A few words.", "Bet."]


def test_what_is_said_of_the_package_is_for_those_who_read():
    assert paragraph("In scikit-learn: `sklearn.neighbors.NearestNeighbors`.").kind == "note"


def png(wide, tall):
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + wide.to_bytes(4) + tall.to_bytes(4) + bytes(9)
    return base64.b64encode(head).decode()


def test_a_picture_that_is_not_wide_stands_beside_its_words():
    words, made = Block("text", "Look."), {}
    for name, size in {"wide": (1900, 300), "tall": (900, 900)}.items():
        made[name] = Block("figure", png(*size))
    assert build_slides.beside_picture([words, made["tall"], Block("tick", "x")]) == [words]
    assert not build_slides.beside_picture([words, made["wide"]])
    assert not build_slides.beside_picture([words, made["tall"], Block("equation", "x")])
    assert not build_slides.beside_picture([words, made["tall"], made["tall"]])


def test_an_answer_that_begins_with_a_number_is_no_list():
    assert "<p>3. All of them.</p>" in build_slides.question(
        Block("question", "How many?", "3. All of them.")
    )


def test_no_stop_begins_a_line():
    assert build_slides.line("as $x$).").endswith("</span>).</span>")


def a_chapter(**kinds):
    """A notebook of one section; `kinds` gives slide types to its four cells."""
    head = (
        "# 2 · A title\n\nA hook.\n\n| | |\n|---|---|\n| **You will be able to** | see; do |\n"
        "| **You need** | nothing |\n| **Time** | 60 minutes |"
    )
    cells = {
        "lead": "## A. Part\n\n### 2.1 Heading\n\nA lead.",
        "second": "Second words.",
        "third": "Third words.",
    }
    made = [
        nbformat.v4.new_markdown_cell(head),
        *map(nbformat.v4.new_markdown_cell, cells.values()),
        nbformat.v4.new_code_cell("x = 1\n" * 9),
        nbformat.v4.new_markdown_cell("## Summary\n\n- A point."),
    ]
    for name, cell in zip(["lead", "second", "third", "code"], made[1:], strict=False):
        if name in kinds:
            cell.metadata["slideshow"] = {"slide_type": kinds[name]}
    return slides_of(chapter(nbformat.v4.new_notebook(cells=made)))


def on(slide):
    return [block.source.strip() for block in slide.shown()]


def test_a_cell_may_overrule_the_rules():
    *_, plain, summary = a_chapter()
    assert on(plain) == ["A lead.", "Second words."] and plain.blocks[-1].source == "Third words."
    assert on(summary) == ["A point."]
    *_, without, _ = a_chapter(second="skip")
    assert [block.source for block in without.blocks] == ["A lead.", "Third words."]
    *_, told, _ = a_chapter(second="notes")
    assert on(told) == ["A lead.", "Third words."] and "Second words." in told.blocks[1].source
    *_, first, new, _ = a_chapter(third="slide", code="fragment")
    assert on(first) == ["A lead.", "Second words."] and on(new) == ["Third words."]
    *_, code, _ = a_chapter(code="slide")
    assert on(code) == ["\n".join(["x = 1"] * 9)]


CHOSEN = """
["2.1"]
show = ["A third"]
say = ["A figure"]
new = ["Is it so?"]
wait = ["It is."]
write = { "Is it so?" = "Look again." }
again = { "It is." = "A figure" }
"""


def test_a_lecturer_may_choose(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.slides.choices.ROOT", tmp_path)
    (tmp_path / "docs" / "slides").mkdir(parents=True)
    (file := tmp_path / "docs" / "slides" / "02.toml").write_text(CHOSEN, encoding="utf-8")
    blocks = [
        Block("text", "A lead.", rest="A second. A **third** one.", must=True),
        Block("figure", picture := png(900, 300), "A figure of 9."),
        Block("text", "Is it so? It is.", must=True),
    ]
    choose([Section("2.1 Heading", blocks=blocks)], "02-pca")
    first, second = pack(section := Section("2.1 Heading", blocks=blocks))
    assert on(first) == ["A **third** one."] and on(second) == ["Look again.", "Is it so?", "It is.", picture]
    hide_answers(second)
    assert [block.waits for block in second.shown()] == [False, False, True, True]
    assert blocks[0].rest == "A lead. A second."
    for wrong in ('["2.1"]\nshow = ["Nowhere"]', '["2.9"]\nshow = []', '["2.1"]\nhide = []'):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match="02.toml"):
            choose([section], "02-pca")


NUMBER = re.compile(r"(?<![\d.(])\d+(?:\.\d+)?(?![\d)])")  # none of an equation


@pytest.mark.parametrize("stem", STEMS)
def test_a_number_that_only_a_slide_says_is_one_of_the_chapters(stem):
    """What a lecturer wrote has no number that the notebook neither says nor prints."""
    cells = notebook(stem).cells
    printed = [re.sub(r"'image/png': '[^']*'", "", str(cell.get("outputs", ""))) for cell in cells]
    held = "\n".join([*printed, *(cell.source for cell in cells)])
    path = books.ROOT / "docs" / "slides" / f"{stem[:2]}.toml"
    for choices in tomllib.loads(path.read_text(encoding="utf-8")).values():
        for number in NUMBER.findall(" ".join(choices.get("write", {}).values())):
            forms = number, f"{float(number) / 100:g}"  # 97.5 %, and the code's 0.975
            assert any(re.search(rf"(?<![\d.]){re.escape(one)}(?!\d)", held) for one in forms), number


def test_the_first_evidence_says_what_planted_faults_are(decks):
    for stem in STEMS:
        assert text_of(decks, stem).count("Planted faults: we broke") == 1


@pytest.mark.parametrize(("words", "together"), [("It is", True), ("Look:", True), ("It is so.", False)])
def test_words_that_announce_a_formula_stay_with_it(words, together):
    tall, formula = Block("table", "|a|\n" * 11), Block("equation", "x")
    first, second = pack(Section("2.1", blocks=[tall, Block("text", words, must=True), formula]))
    assert on(second) == ([words, "x"] if together else ["x"]) and len(first.shown()) == 2 - together


def test_the_first_picture_is_shown_before_the_first_part():
    nb = notebook("02-pca")
    pictures = [
        c for c in nb.cells if any("image/png" in out.get("data", {}) for out in c.get("outputs", []))
    ]
    nb.cells.insert(1, pictures[0])
    sections = chapter(nb).sections
    assert [block.kind for block in sections[0].blocks if block.kind == "figure"] == ["figure"]
    assert sections[0].part == "" and sections[1].title.startswith("2.1 ")


def test_links_lead_to_decks_or_nowhere():
    assert build_slides.to_decks("[a](03-lda-cca-ica.ipynb#B)") == "[a](03-lda-cca-ica.html)"
    assert build_slides.to_decks("[a](02-pca.ipynb#2.9-Best)") == "[a](02-pca.html#/2.9)"
    assert build_slides.to_decks("Folds ([how](00b-learners.ipynb)).") == "Folds."
    assert build_slides.to_decks("[a](../exercises/02-homework.ipynb)") == "a"
    assert '<span lang="zh-Hans">主成分</span>' in build_slides.line("主成分 $x$")


# ---- in a browser


@pytest.mark.parametrize("stem", STEMS)
def test_a_deck_fits_and_can_be_read_by_all(decks, screen, stem):
    """To its end: nothing overflows or overlaps, every formula is typeset; axe-core finds nothing serious.

    Its live figures take the place of their pictures.
    """
    opened(screen, decks, stem)
    assert screen.evaluate(WALK) == []
    assert screen.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    for where in KINDS[:3]:
        assert serious(screen, where) == []
    for name in re.findall(r'data-try="([^"]+)"', text_of(decks, stem)):
        assert takes_the_place(screen, name)
    assert screen.asked == [] and screen.thrown == []


def test_a_chain_is_built_up_line_by_line(pca):
    """The first line stands there; each key brings a line with its reason. Formulas of a slide are alike."""
    pca.evaluate(CHAIN)
    rows = pca.locator("section.present .derivation .fragment")
    assert rows.count() == 3 and pca.locator("section.present .derivation .fragment.visible").count() == 0
    pca.keyboard.press("ArrowRight")
    assert pca.locator("section.present .derivation .fragment.visible").count() == 1
    assert pca.evaluate(SIZES) == 0


def test_every_kind_of_slide_can_be_read_by_all(decks, pca, screen):
    """axe-core on code and questions too, and on all that surrounds the slides."""
    assert [one for where in KINDS[3:] for one in serious(pca, where)] == []
    assert axe(pca) == []
    screen.goto((decks / "index.html").as_uri())
    assert axe(screen) == []


def test_a_slide_that_hinders_readers_is_noticed(pca):
    style = pca.add_style_tag(content=".reveal .body li { color: #ccc }")
    assert [one.partition(":")[0] for one in serious(pca, KINDS[0])] == ["color-contrast"]
    style.evaluate("one => one.remove()")
    assert serious(pca, KINDS[0]) == []


def serious(screen, where):
    """What axe-core finds on the first slide of a kind, its answer unfolded; unseen slides wait outside."""
    screen.evaluate("where => Reveal.slide(Reveal.getIndices(document.querySelector(where)).h, 0, 9)", where)
    screen.evaluate(ALONE)
    found = axe(screen, "section.present")
    screen.evaluate("document.querySelector('.slides').replaceChildren(...window.slides)")
    return found


def test_a_deck_is_walked_with_keys(pca):
    """The arrow key reaches every slide; an answer appears only when asked for."""
    steps = pca.evaluate(STEPS)
    pca.evaluate(FROM_THE_START)
    seen = {pca.evaluate(WHERE)}
    for _ in range(steps):
        pca.keyboard.press("ArrowRight")
        seen.add(pca.evaluate(WHERE))
    assert pca.evaluate("Reveal.isLastSlide()") and len(seen) == steps + 1
    assert pca.asked == [] and pca.thrown == []


FITS = """() => {
    const box = document.querySelector('section.present .live').getBoundingClientRect();
    return box.height > 300 && box.left >= 0 && box.right <= 1280 && box.bottom <= 720;
}"""


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


def test_at_least_eight_figures_live_on_slides(decks):
    shown = [name for stem in STEMS for name in re.findall(r'data-try="([^"]+)"', text_of(decks, stem))]
    assert len(set(shown)) == len(shown) >= 8


def test_the_speaker_sees_notes_clock_and_formulas(decks, screen):
    screen.goto((decks / f"{STEMS[1]}.html").as_uri() + "#/2")
    screen.wait_for_function(READY)
    with screen.expect_popup() as opened:
        screen.keyboard.press("s")
    view = opened.value
    view.locator(".speaker-controls-notes .clock").wait_for()
    minutes = chapter(notebook(STEMS[1])).minutes
    assert re.search(rf"At \d+ of {minutes} minutes", view.locator(".speaker-controls-notes").inner_text())
    view.close()
    assert screen.thrown == [] and screen.asked == []
    formulas = screen.locator("aside.notes .tex")
    assert formulas.count() > 0 == screen.locator("aside.notes .tex:not(:has(math))").count()
