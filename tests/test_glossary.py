"""Is the glossary whole: does each term's section define it, is each term that a chapter defines there?"""

import re

import pytest

from tools import build_glossary as glossary
from tools import site_pages

CHINESE = glossary.CHINESE
TERMS, SECTIONS = glossary.read_terms(), glossary.sections()


def problems(terms, sections):
    known = {name for term in terms for name in glossary.split(f"{term['chinese']}, {term['also']}")}
    for term in terms:
        number = glossary.place(term, sections)
        _, heading, text = sections[number]
        by_chinese = any(name in text for name in glossary.split(term["chinese"]))
        if not by_chinese and not glossary.named(term, f"{heading} {text}"):
            yield f"section {number} does not name {term['term']}"
    for number, (_, _, whole) in sections.items():
        text = glossary.FOLD.sub("", whole)
        for inside in re.findall(r"\(([^()]*)\)", text):
            parts = [
                part.split(":")[0].strip() for part in re.split(r"[,;，]", inside) if CHINESE.search(part)
            ]
            yield from (
                f"section {number} defines {part}, which the glossary does not have"
                for part in parts
                if not any(name in part or part in name for name in known)
            )


def test_sections_and_glossary_agree():
    assert list(problems(TERMS, SECTIONS)) == []


def test_a_term_stands_once():
    terms = [term["term"].lower() for term in TERMS]
    assert len(set(terms)) == len(terms)


def test_the_notebook_is_what_the_table_gives():
    assert glossary.main(["--check"]) == 0


def a_term(section="9.9", **more):
    return dict(term="whitening", chinese="白化", meaning="covariance I", section=section, also="") | more


WHITENING = a_term()
FLAWS = {
    "a section without its term": ([WHITENING], {"9.9": ("f", "h", "nothing of the kind")}, "does not name"),
    "a term left out": ([], {"9.9": ("f", "h", "**Whitening** (白化) makes")}, "the glossary does not have"),
    "quoted in a fold": ([], {"9.9": ("f", "h", "<details>You may read (白化)</details>")}, None),
    "left out after a fold": ([], {"9.9": ("f", "h", "<details>x</details> (白化)")}, "does not have"),
    "another name": ([a_term(also="球化")], {"9.9": ("f", "h", "**Whitening** (球化)")}, None),
    "in order": ([WHITENING], {"9.9": ("f", "h", "**Whitening** (白化) makes")}, None),
}


@pytest.mark.parametrize("terms, sections, says", FLAWS.values(), ids=FLAWS)
def test_a_flaw_is_found(terms, sections, says):
    found = " ".join(problems(terms, sections))
    assert (says in found) if says else not found


def test_a_dead_link_and_a_broken_line_are_refused(tmp_path):
    with pytest.raises(glossary.GlossaryError, match="no section 9.9"):
        glossary.table([WHITENING], {})
    (tmp_path / "t.tsv").write_text("one\ttwo\n", encoding="utf-8")
    with pytest.raises(glossary.GlossaryError, match="four or five fields"):
        glossary.read_terms(tmp_path / "t.tsv")


PLACES = {
    "in brackets": ["whitening", "**whitening**", "to whiten (白化)"],
    "in bold": ["whitening", "nothing", "**whitening**"],
    "in words": ["white noise", "no", "whitening"],
    "by its beginnings": ["nothing", "no", "whitened"],
}


@pytest.mark.parametrize("texts", PLACES.values(), ids=PLACES)
def test_a_chapter_is_searched_for_the_section_that_defines(texts):
    known = {f"9.{n}": ("f", "h", text) for n, text in enumerate(texts, 1)}
    assert glossary.place(a_term("9"), known | {"19.1": ("f", "h", "(白化)")}) == "9.3"


def test_chinese_names_stand_in_the_order_of_their_sounds():
    names = "白化 方差分析 混合矩阵 闵可夫斯基距离 正则化".split()
    assert [glossary.initial(name) for name in names] == list("BFHMZ")
    text = glossary.index([a_term(chinese=name) for name in reversed(names)], {"9.9": ("f", "h", "")})
    assert [text.index(name) for name in names] == sorted(text.index(name) for name in names)
    assert [one for one in sum((glossary.split(f"{t['chinese']},{t['also']}") for t in TERMS), [])
            if CHINESE.match(one) and glossary.initial(one) == "·"] == []  # fmt: skip


def test_the_site_leads_from_the_first_mention_to_the_row():
    text = "**Whitening** (白化) makes 「白化」; again 白化, `白化`"
    seen = set()
    linked = site_pages.glossed(text, seen)
    assert linked.count("<a ") == 1 and linked.index("<a ") < linked.index("「")
    address = re.search(r'href="14-glossary.html#([^"]+)"', linked)[1]
    assert site_pages.glossed(text, seen) == text
    rows = site_pages.with_rows_named(glossary.table(TERMS, SECTIONS))
    ids = re.findall(r'<span id="([^"]+)"', rows)
    assert ids.count(address) == 1 and len(ids) == len(set(ids)) and not any(" " in one for one in ids)
    assert set(site_pages.chinese_names().values()) <= set(ids)
