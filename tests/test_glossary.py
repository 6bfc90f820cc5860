"""Is the glossary whole: does each term's section define it, is each term that a chapter defines there?"""

import re

import pytest

from tools import build_glossary as glossary
from tools.site import prose
from tools.site import terms as terms_

CHINESE = terms_.CHINESE
TERMS, SECTIONS = terms_.read_terms(), terms_.sections()


def problems(terms, sections):
    known = {
        name for term in terms for name in terms_.split(f"{term['chinese']}, {term['also']}, {term['see']}")
    }
    for term in terms:
        number = terms_.place(term, sections)
        _, heading, text = sections[number]
        by_chinese = any(name in text for name in terms_.split(term["chinese"]))
        if not by_chinese and not terms_.named(term, f"{heading} {text}"):
            yield f"section {number} does not name {term['term']}"
    for number, (_, _, whole) in sections.items():
        text = terms_.FOLD.sub("", whole)
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
    return (
        dict(
            term="whitening",
            chinese="白化",
            meaning="covariance I",
            section=section,
            also="",
            see="",
            pinyin="",
        )
        | more
    )


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
    with pytest.raises(terms_.GlossaryError, match="no section 9.9"):
        glossary.table([WHITENING], {})
    (tmp_path / "t.tsv").write_text("one\ttwo\n", encoding="utf-8")
    with pytest.raises(terms_.GlossaryError, match="four to seven fields"):
        terms_.read_terms(tmp_path / "t.tsv")


PLACES = {
    "in brackets": ["whitening", "**whitening**", "to whiten (白化)"],
    "in bold": ["whitening", "nothing", "**whitening**"],
    "in words": ["white noise", "no", "whitening"],
    "by its beginnings": ["nothing", "no", "whitened"],
}


@pytest.mark.parametrize("texts", PLACES.values(), ids=PLACES)
def test_a_chapter_is_searched_for_the_section_that_defines(texts):
    known = {f"9.{n}": ("f", "h", text) for n, text in enumerate(texts, 1)}
    assert terms_.place(a_term("9"), known | {"19.1": ("f", "h", "(白化)")}) == "9.3"


READ = {
    "重构": "chong gou",
    "弹性网络": "tan xing wang luo",
    "校准": "jiao zhun",
    "阈值移动": "yu zhi yi dong",
    "行列式": "hang lie shi",
    "召回率": "zhao hui lü",
    "降维": "jiang wei",
    "方差": "fang cha",
}


def test_chinese_names_stand_in_the_order_of_their_sounds():
    terms = [a_term(chinese=name, pinyin=sound) for name, sound in READ.items()]
    lines = glossary.index(terms, {"9.9": ("f", "h", "")}).splitlines()[-7:]
    assert [line[4] for line in lines] == list("CFHJTYZ")
    assert lines[3].index("降维") < lines[3].index("校准")


def test_each_chinese_name_has_its_pinyin_and_stands_under_its_initial():
    said = {name: sound for term in TERMS for name, sound, _ in glossary.sounds(term)}
    assert {name: said.get(name, sound) for name, sound in READ.items()} == READ
    whole = {name: sound for name, sound in said.items() if not CHINESE.sub("", name)}
    assert [name for name, sound in whole.items() if len(sound.split()) != len(name)] == []
    index = glossary.index(TERMS, SECTIONS).replace("** | ", "** | · ")
    heads = dict(re.findall(r"^\| \*\*(.)\*\* \|(.+)\|$", index, re.M))
    assert [name for name, sound in said.items() if f"· {name} (" not in heads[glossary.initial(sound)]] == []
    with pytest.raises(terms_.GlossaryError, match="1 Chinese names, the pinyin of 0"):
        glossary.sounds(WHITENING)


def test_a_near_name_is_no_synonym():
    near = a_term(see="白噪声", pinyin="bai hua, bai zao sheng")
    assert "白噪声 (see whitening, [9.9]" in glossary.index([near], {"9.9": ("f", "h", "")})
    also = [set(terms_.split(term["also"])) & set(terms_.split(term["see"])) for term in TERMS]
    assert not any(also)


def test_the_site_leads_from_the_first_mention_to_the_row():
    text = "**Whitening** (白化) makes 「白化」; again 白化, `白化`"
    seen = set()
    linked = prose.glossed(text, seen)
    assert linked.count("<a ") == 1 and linked.index("<a ") < linked.index("「")
    address = re.search(r'href="14-glossary.html#([^"]+)"', linked)[1]
    assert prose.glossed(text, seen) == text
    rows = prose.with_rows_named(glossary.table(TERMS, SECTIONS))
    ids = re.findall(r'<span id="([^"]+)"', rows)
    assert ids.count(address) == 1 and len(ids) == len(set(ids)) and not any(" " in one for one in ids)
    assert set(prose.chinese_names().values()) <= set(ids)
