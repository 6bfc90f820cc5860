"""Chapters and their companions are told apart, in one place, and every tool finds both."""

import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course import cli
from tools import books, build_slides, form, link_errata, readme_parts, refresh
from tools.books import ROOT
from tools.site import chapter_page, notebook_reader, own_pages, terms

NAMES = ("02-pca", "02-pca-more", "00b-learners", "00-start-here", "14-glossary")
SHOWN = {
    "02-pca": (
        "# 02 · PCA\n\n[More](02-pca-more.ipynb#2.2-Tickets).\n\n### 2.1 Axes\n\n$$ a \\tag{2.1} $$",
        ["item:02.1", "eq:2.1"],
    ),
    "02-pca-more": (
        "# 02 · PCA: more\n\n### 2.2 Tickets\n\n**Ticket** (彩票): a share.\n\n$$ b \\tag{2.2} $$",
        ["item:02.2", "erratum:E07", "eq:2.2"],
    ),
}


def test_the_order_and_the_kinds(tmp_path):
    for name in NAMES:
        (tmp_path / f"{name}.ipynb").touch()
    assert [path.stem for path in books.books(tmp_path)] == [
        "00-start-here",
        "00b-learners",
        "02-pca",
        "02-pca-more",
        "14-glossary",
    ]
    assert "02-pca-more" not in [path.stem for path in books.chapters(tmp_path)]
    assert [path.stem for path in books.together(tmp_path / "02-pca.ipynb")] == ["02-pca", "02-pca-more"]
    assert [path.stem for path in books.together(tmp_path / "14-glossary.ipynb")] == ["14-glossary"]
    assert books.chapter_of("02-pca-more") == books.chapter_of("02-pca") == "02-pca"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one chapter and its companion, where the tools look for it."""
    (tmp_path / "notebooks").mkdir()
    for stem, (text, tags) in SHOWN.items():
        check = new_code_cell("assert a == b", id=stem[-4:], metadata={"tags": tags})
        nb = new_notebook(cells=[new_markdown_cell(text), check])
        nbformat.write(refresh.normalised(nb), tmp_path / "notebooks" / f"{stem}.ipynb")
    for module in (notebook_reader, chapter_page, readme_parts):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    cached = (notebook_reader.equations, notebook_reader.sections, own_pages.names_of_checks)
    for one in cached:
        one.cache_clear()
    yield tmp_path
    for one in cached:
        one.cache_clear()


def test_the_site_has_a_page_for_each_and_they_lead_to_each_other(course):
    assert [path.stem for path in notebook_reader.notebooks("notebooks")] == ["02-pca", "02-pca-more"]
    assert notebook_reader.equations() == {"2.1": "02-pca", "2.2": "02-pca-more"}
    assert notebook_reader.sections()["2.2"] == "notebooks/02-pca-more.html#2.2-Tickets"
    chapter, more = (chapter_page.bar(stem, "notebooks", ["notebooks"]) for stem in ("02-pca", "02-pca-more"))
    assert '<a href="02-pca-more.html">More</a>' in chapter and "slides/02-pca.html" in chapter
    assert '<a href="02-pca.html">Chapter 2</a> <b aria-current="page">Chapter 2, more</b>' in more
    assert "slides" not in more


def test_the_page_of_checks_counts_both_as_one_chapter(course):
    shutil.copytree(ROOT / "docs", course / "docs", ignore=lambda _, names: set(names) - {"syllabus.toml"})
    page = own_pages.checked_page()
    assert page.count("\n## ") == 1 and 'href="notebooks/02-pca-more.html#eq-2.2"' in page


def test_the_readme_has_one_row_for_both(course):
    table = readme_parts.with_parts("<!-- chapters: here -->\n<!-- end of chapters -->")
    assert table.count("](notebooks/") == 1 and "2 items, 1 erratum" in table


def test_the_readme_leads_to_the_site_where_there_is_one(course):
    paths = [course / "notebooks" / "02-pca.ipynb"]
    assert "](notebooks/02-pca.ipynb)" in readme_parts.gallery(paths, "")
    assert "](https://a.io/c/notebooks/02-pca.html)" in readme_parts.gallery(paths, "https://a.io/c/")
    assert readme_parts.addresses({"address": "", "repository": ""}) == ""
    said = readme_parts.addresses({"address": "https://a.io/c/", "repository": "https://github.com/a/c"})
    assert "](https://a.io/c/)" in said and "gh/a/c/HEAD" in said and "github.com/a/c/issues" in said


def test_glossary_and_errata_find_the_sections_of_a_companion(course):
    known = terms.sections(course / "notebooks")
    assert list(known) == ["2.1", "2.2"] and known["2.2"][0] == "02-pca-more.ipynb"
    ticket = {"term": "ticket", "chinese": "彩票", "section": "2"}
    assert terms.place(ticket, known) == "2.2"
    assert link_errata.places(course / "notebooks")["E07"] == [("02-pca-more.ipynb", "2.2 Tickets")]


def test_no_deck_and_no_minutes(course):
    assert build_slides.has_deck("02-pca") and not build_slides.has_deck("02-pca-more")
    assert build_slides.to_decks("[there](02-pca-more.ipynb#2.2-Tickets)") == "there"
    most, least = form.limits("02-pca-more")
    assert {"alone", "wide", "mute", "hidden", "unnamed"} == set(most) and not least


def test_a_companion_is_held_to_its_folded_cells():
    """Its own bars: open cells that run alone, folds that say what they are."""
    fold = new_code_cell("assert x", metadata={"jupyter": {"source_hidden": True}})
    nb = new_notebook(cells=[new_markdown_cell("# More"), fold, new_code_cell("print(y)")])
    assert {one.split()[0] for one in form.missed(nb, "02-pca-more")} == {"alone", "mute", "unnamed"}


def test_a_number_opens_the_chapter(course):
    assert cli.find_page(course, "02") == "notebooks/02-pca.ipynb"
    assert cli.find_page(course, "notebooks/02-pca-more.ipynb") == "notebooks/02-pca-more.ipynb"
