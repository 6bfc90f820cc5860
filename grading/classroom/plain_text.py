"""A student's words on pages, in tables and in a terminal: letters of all scripts, and none that steer."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter

# what turns the direction of what follows: a name could show as another
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
STEERS = ("Cc", "Cs", "Zl", "Zp")  # control characters, halves of characters, separators of lines


def printable(text, keep="", instead="\N{REPLACEMENT CHARACTER}") -> str:
    """The text without what steers a page or a terminal; `keep` stays."""
    text = str(text)
    if text.isprintable() and text.isascii():
        return text
    return "".join(
        c if c in keep or c not in BIDI and unicodedata.category(c) not in STEERS else instead for c in text
    )


def harmless(text) -> str:
    """Text on one line that no spreadsheet takes for a formula, at whatever sign it splits its lines."""
    parts = printable(text, instead=" ").split(";")
    return ";".join(f"'{part}" if _begins_formula(part) else part for part in parts)


def _begins_formula(words):
    first = unicodedata.normalize("NFKC", words).lstrip(" \t\"'\u200b\u200c\u200d\ufeff")[:1]
    return first in ("=", "+", "-", "@")  # full-width signs are signs, too


def look(name) -> str:
    """The same for two names that nobody can tell apart on paper."""
    return unicodedata.normalize("NFKC", printable(name, instead=" ")).casefold().strip()


def labels(students) -> dict[str, str]:
    """{student: the name in a table}: names that look alike get a sign that tells them apart."""
    alike = Counter(map(look, students))
    return {one: harmless(one if alike[look(one)] == 1 else f"{one} [{_sign(one)}]") for one in students}


def _sign(name):
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:4]
