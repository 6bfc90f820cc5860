"""How tall a block stands on a slide of 1280 × 720, in pixels, before a browser has seen it."""

import math
import re

from tools.site.notebook_reader import picture_size

ROOM = 560  # below the heading
WIDTH, WIDE = 1160, 88  # pixels, and letters, in a line
SHARES = (0.28, 0.31, 0.34, 0.37, 0.4, 0.43)  # of the width for words beside a picture
TALL = re.compile(r"\\(?:d?frac|sum|int|min|max|lim|Bigl)")


def lines(text, wide=WIDE):
    plain = re.sub(r"\\[a-zA-Z]+|[${}*`^_\\]", "", text)
    return max(1, math.ceil(len(plain) / wide))


def height(block):
    text = block.source
    if block.kind == "figure":
        wide, tall = picture_size(text)
        return min(300, max(220, tall * min(1.15, 1160 / wide))) + 26 * lines(block.label, 120) + 16
    if block.kind == "derivation":
        return sum(74 if TALL.search(row) else 46 for row in text.split("\\\\\n")) + 20
    tall = {
        "equation": 100,
        "code": 27 * len(text.splitlines()) + 36,
        "output": 27 * lines_of_output(text) + 24,
        "table": 44 * len(text.splitlines()) + 12,
        "card": 44 * len(text.splitlines()) + 60,
        "tick": 34,
        "where": 30 * lines(text, 110),
        "html": 36 * text.count("<tr") + 20,
        "break": 38 * lines(text) + 16,
        "question": 42 * lines(text) + 38 * lines(block.label) + 40,
        "heading": 60,
    }
    return tall.get(block.kind) or 38 * lines(text) + (36 if block.kind in ("myth", "quote") else 14)


def larger_beside(words, picture):
    """Whether a picture is larger beside its words, in the narrowest column for them, than below."""
    wide, tall = picture_size(picture.source)
    room = ROOM - 26 * lines(picture.label, 120) - 16
    below = min(WIDTH / wide, max(0, room - sum(map(height, words))) / tall)
    for share in SHARES:
        letters = int(WIDE * share)
        if sum(38 * lines(one.source, letters) + 14 for one in words) <= ROOM:
            return min(WIDTH * (1 - share) / wide, room / tall) > below
    return False


def lines_of_output(text):
    return sum(lines(line, 95) for line in text.splitlines())
