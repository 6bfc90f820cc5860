"""Is the glossary whole: does each term's section define it, is each term that a chapter defines there?"""

import re

import pytest

from tools import build_glossary as glossary

CHINESE = re.compile(r"[\u4e00-\u9fff]")
TERMS, SECTIONS = glossary.read_terms(), glossary.sections()


def names(term):
    """The Chinese names of a term, apart."""
    return [part.strip() for part in re.split(r"[/、，,]", term["chinese"])]


def named(term, text):
    """Whether the text has each word of one of the term's English names, in any form (axis, axes)."""
    text = text.lower()
    return any(
        all(word[:5] in text for word in re.findall(r"[\w²]+", name.lower()))
        for name in term["term"].split("/")
    )


def problems(terms, sections):
    known = {name for term in terms for name in names(term)}
    for term in terms:
        _, heading, text = sections.get(term["section"], ("", "", ""))
        if not any(name in text for name in names(term)) and not named(term, f"{heading} {text}"):
            yield f"section {term['section']} does not name {term['term']}"
    for number, (_, _, whole) in sections.items():
        text = re.sub(
            r"<details>.*?</details>", "", whole, flags=re.S
        )  # a fold quotes others, and defines nothing
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


WHITENING = {"term": "whitening", "chinese": "白化", "meaning": "covariance I", "section": "9.9"}
FLAWS = {
    "a section without its term": ([WHITENING], {"9.9": ("f", "h", "nothing of the kind")}, "does not name"),
    "a term left out": ([], {"9.9": ("f", "h", "**Whitening** (白化) makes")}, "the glossary does not have"),
    "quoted in a fold": ([], {"9.9": ("f", "h", "<details>You may read (白化)</details>")}, None),
    "left out after a fold": ([], {"9.9": ("f", "h", "<details>x</details> (白化)")}, "does not have"),
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
    with pytest.raises(glossary.GlossaryError, match="four fields"):
        glossary.read_terms(tmp_path / "t.tsv")
