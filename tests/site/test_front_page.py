"""The front page: proof, broken proof and reply are what a reader would get; a card for each chapter."""

import html
import re

import pytest

from tools import books
from tools.books import ROOT
from tools.site import front_page


def test_a_wrong_sign_is_told_and_where():
    told = front_page.broken()
    assert "DerivationError" in told and "line 2" in told


def test_the_right_sign_passes_and_the_wrong_one_is_shown_as_wrong():
    right, wrong = front_page.proof().split('<div class="wrong">')
    assert r"\tag" not in right  # (2.6) is the chapter's
    assert "each line checked on" in right and r"\checkmark" in right and "DerivationError" not in right
    assert front_page.PLUS in wrong and front_page.DOES_NOT_FOLLOW in wrong and r"\checkmark" not in wrong


def test_the_reply_names_the_mistake():
    assert re.search(r"0 / 2.+single new sample", front_page.reply(), re.S)


def test_every_chapter_has_a_card_with_its_figure(tmp_path):
    shown = front_page.cards(tmp_path)
    chapters = [path.stem for path in books.chapters() if "01" <= path.stem[:2] <= "12"]
    assert re.findall(r'href="notebooks/([^"]+)\.html"', shown) == chapters
    for image, alt in re.findall(r'<img src="([^"]+)" alt="([^"]+)"', shown):
        assert (tmp_path / image).read_bytes().startswith(b"\x89PNG") and re.search(r"\d", alt)


def test_a_card_whose_drawing_is_gone_says_what_to_do(tmp_path):
    with pytest.raises(ValueError, match="docs/site.toml"):
        front_page.picture("02-pca", "show_nothing", tmp_path)


def test_all_marks_are_filled(tmp_path):
    page = front_page.filled((ROOT / "docs" / "index.md").read_text(encoding="utf-8"), tmp_path)
    assert "<!--" not in page


def test_the_readme_quotes_what_a_reader_would_get():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    broken = html.unescape(re.sub("</?pre[^>]*>", "", front_page.broken()))
    hint = re.search(r"On seven new samples: [^<]+", front_page.reply())[0]
    assert broken in readme and html.unescape(hint) in readme
