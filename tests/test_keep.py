"""What readers liked best is still in its chapter, or in its companion."""

import re
import tomllib

import pytest

from tests import rules
from tools import books
from tools.books import ROOT

KEPT = tomllib.loads((ROOT / "docs" / "keep.toml").read_text(encoding="utf-8"))["keep"]


def squeezed(text):
    return re.sub(r"\s+", " ", text).lower()


def text_of(nb):
    """Prose, code, and what the cells print."""
    printed = [out.get("text", "") for cell in rules.code_cells(nb) for out in cell.outputs]
    return squeezed("\n".join([*(cell.source for cell in nb.cells), *printed]))


def lost(kept, texts):
    """Entries that are not in their chapter, and do not say what took their place."""
    return [
        one["what"]
        for one in kept
        if squeezed(one["quote"]) not in texts[one["chapter"]] and not one.get("dropped")
    ]


def test_what_readers_liked_is_still_there():
    texts = {
        path.name[:2]: " ".join(text_of(rules.read(one)) for one in books.together(path))
        for path in books.chapters(ROOT / "notebooks", "[0-9][0-9]-")
    }
    assert lost(KEPT, texts) == []
    assert len({one["quote"] for one in KEPT}) == len(KEPT) and all(len(one["quote"]) > 10 for one in KEPT)


@pytest.mark.parametrize(
    ("text", "more", "gone"),
    [
        ("It is coin\n  for Coin.", {}, []),
        ("It is even.", {}, ["a"]),
        ("", {"dropped": "a picture"}, []),
        ("", {"dropped": ""}, ["a"]),
    ],
)
def test_what_is_gone_is_noticed(text, more, gone):
    entry = {"what": "a", "chapter": "02", "quote": "coin for coin", **more}
    assert lost([entry], {"02": squeezed(text)}) == gone
