"""The PDF of the course: an outline of chapters and sections, page numbers, inner links, whole figures."""

import re

import pytest

from tests.browsing import CHROMIUM
from tools.site import notebook_reader

build_pdf = pytest.importorskip("tools.build_pdf")
from pypdf import PageObject  # noqa: E402
from pypdf.generic import DecodedStreamObject, NameObject  # noqa: E402

NOTEBOOKS = {path.stem: nb for path, nb in notebook_reader.notebooks("notebooks").items()}
PRINTED = [NOTEBOOKS["02-pca"], NOTEBOOKS["02-pca-more"]]  # of one chapter: itself, then its companion
FEW = ["00", "05", "14", "in-short"]  # the first, a chapter, the longest table, the appendix


def printed(site, folder, **options):
    if CHROMIUM is None:
        pytest.skip("needs a browser: apt-get install chromium")
    build_pdf.build(site, folder / "course.pdf", **options)
    return build_pdf.PdfReader(folder / "course.pdf")


@pytest.fixture(scope="session")
def book(site, tmp_path_factory):
    """A book of few chapters, quickly: no figures, formulas not typeset."""
    return printed(site, tmp_path_factory.mktemp("draft"), only=FEW, draft=True)


@pytest.fixture(scope="session")
def chapter(site, tmp_path_factory):
    """Chapter 2 and its companion as they will be read."""
    return printed(site, tmp_path_factory.mktemp("chapter"), only=["02"])


@pytest.fixture(scope="session")
def words(chapter):
    """All that chapter 2 says."""
    return "".join(page.extract_text() for page in chapter.pages)


def last_words(page, blocks=2):
    """What the last blocks of text on a page say.

    Text is extracted in the order in which it is drawn, so that all that the page says ends like this. To
    read all of a book takes most of a minute.
    """
    data = page.get_contents().get_data()
    start = len(data)
    for _ in range(blocks):
        start = data.rindex(b"\nBT\n", 0, start)
    end, drawn = PageObject.create_blank_page(width=100, height=100), DecodedStreamObject()
    drawn.set_data(data[start:])
    end[NameObject("/Resources")], end[NameObject("/Contents")] = page["/Resources"], drawn
    return end.extract_text()


def plain(text):
    """Letters and digits only: print makes quotation marks and spaces its own."""
    return re.sub(r"\W", "", text)


def flat(items):
    for one in items:
        yield from flat(one) if isinstance(one, list) else [one]


def chapters(book):
    return [one for one in book.outline if not isinstance(one, list)]


def headings(nb):
    prose = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    return re.findall(r"^#{1,3} (.*)", prose, re.M)


def test_every_chapter_is_printed(site):
    assert [page.stem for page in build_pdf.printed_pages(site)] == [*NOTEBOOKS, "in-short"]


def test_every_printed_chapter_is_in_the_outline(book):
    titles = [
        "Start here",
        *(headings(nb)[0] for stem, nb in list(NOTEBOOKS.items())[1:] if stem[:2] in FEW),
        "In short",  # the appendix
    ]  # the first's own title is the site's
    assert [plain(one.title) for one in chapters(book)] == [plain(title) for title in titles]
    starts = [book.get_destination_page_number(one) for one in chapters(book)]
    assert starts == sorted(set(starts))


def test_every_section_is_in_the_outline(chapter):
    names = [plain(one.title) for one in flat(chapter.outline)]
    assert names == [plain(one) for nb in PRINTED for one in headings(nb)]


def test_pages_are_numbered_and_contents_agree(book):
    """Each page but the first ends in its number; the table of contents names the pages of the outline."""
    for number, page in enumerate(book.pages[1:], 2):
        assert re.search(rf"\b{number}\s*$", last_words(page))
    first = [page.extract_text() for page in book.pages[1:6]]
    assert all(text.endswith(last_words(page)) for text, page in zip(first, book.pages[1:6], strict=True))
    contents = plain("".join(first))
    for one in chapters(book):
        assert f"{plain(one.title)}{book.get_destination_page_number(one) + 1}" in contents


def test_links_stay_in_the_book_or_lead_to_the_web(book):
    links = [one.get_object() for page in book.pages for one in page.get("/Annots") or []]
    addresses = [one["/A"]["/URI"] for one in links if "/URI" in one.get("/A", {})]
    assert len(links) - len(addresses) > 100 and all(re.match("https?:", one) for one in addresses)


def test_what_the_book_does_not_hold_is_only_words(chapter, words):
    """No word looks like a link that leads nowhere; a site with an address is linked to."""
    assert "Questions that answer back" in re.sub(r"\s+", " ", words)
    links = [one.get_object() for page in chapter.pages[1:] for one in page.get("/Annots") or []]
    assert all("URI" not in one.get("/A", {}) for one in links)
    pages = build_pdf.Printed("file:/a.html", None), {}
    with pytest.raises(KeyError):  # it would be noticed
        build_pdf.link_of({"/Rect": [0] * 4, "/A": {"/URI": "file:/b.html#c"}}, *pages)


def test_the_cover_and_the_catalogue_say_what_it_is(book):
    cover = re.sub(r"\s+", " ", book.pages[0].extract_text())
    project = build_pdf.toml("pyproject.toml")["project"]
    for said in (f"Version {project['version']}, 20", project["license"], "CC BY 4.0", book.metadata.author):
        assert said in cover
    assert book.trailer["/Root"]["/Lang"] == "en-GB" and book.page_mode == "/UseOutlines"


def test_no_heading_is_the_last_on_its_page(book, chapter):
    """Between a heading and the margin of 20 mm, 57 points, some lines of what it is about have room."""
    low = {
        one.title: float(one.top)
        for pdf in (book, chapter)
        for one in flat(pdf.outline)
        if one.top < 57 + 100
    }
    assert low == {}


def test_every_figure_is_printed_whole(chapter):
    """As many pictures as the chapter shows: one that the end of a page cuts is drawn on both."""
    shown = sum(
        "image/png" in out.get("data", {})
        for nb in PRINTED
        for cell in nb.cells
        if cell.cell_type == "code"
        for out in cell.outputs
    )
    assert sum(len(page.images) for page in chapter.pages[1:]) == shown  # the cover has one of its own


def test_formulas_are_typeset(words):
    assert "(2.16)" in words and "\\begin" not in words and "\\top" not in words


def test_without_chinese_letters_nothing_is_printed(monkeypatch, tmp_path):
    (tmp_path / "fc-list").write_text("#!/bin/sh\n")  # knows no font
    (tmp_path / "fc-list").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SystemExit, match="fonts-noto-cjk"):
        build_pdf.build(tmp_path, tmp_path / "course.pdf")


def test_code_is_not_broken_in_the_middle(words):
    """A line of 88 letters has room."""
    shown = [c.source for nb in PRINTED for c in nb.cells if "def principal_components" in c.source]
    assert plain(shown[0]) in plain(words) and build_pdf.WIDTH > 88 * 0.61 * 10


def test_a_heading_is_named_once():
    assert build_pdf.once("SummarySummary") == "Summary" and build_pdf.once("2.1 Why?") == "2.1 Why?"
