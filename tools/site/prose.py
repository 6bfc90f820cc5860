"""A Markdown cell as the site shows it: what it names is a link, its boxes have their colours."""

import html
import re
from functools import cache

from tools.site.notebook_reader import IN_SHORT, MARK, NUMBER, QUESTION, equations, sections, tags
from tools.site.terms import CHINESE, read_terms, slug, split

DISPLAY = re.compile(r"\$\$.+?\$\$", re.S)
# What is no prose, or already something to click on: code, mathematics, links, HTML, a fold's summary,
# headings. The rest may name an equation.
NO_PROSE = (
    r"<summary>.*?</summary>|`+[^`]*`+|\$\$.+?\$\$|\$[^$\n]+(?:\n[^$\n]+)*\$|"
    r"\[[^\]]*\]\([^)]*\)|<[^>]*>|^#+ [^\n]*"
)
MENTION = re.compile(
    rf"(?P<skip>{NO_PROSE})|\((?P<number>\d+\.\d+)\)|(?<!\d{4}, )\b[Ss]ection (?P<section>\d+\.\d+)|(?P<share>(?<=\d) %)",
    re.S | re.M,
)
NAME = re.compile(
    rf"(?P<skip>{NO_PROSE}|「[^」]*」)|(?P<name>[\w–]*[\u4e00-\u9fff][\w–]*)", re.S | re.M
)  # 「…」 quotes what others print
GLOSSARY = "14-glossary"
FOLD = re.compile(r"<details>(\s*<summary>(.*?)</summary>)", re.S)
MYTH = re.compile(r"\b[Yy]ou (?:may|might) (?:also )?(?:read|find|meet|hear)\b")
CHINESE_WORDS = re.compile(r"<[^>]*>|(?P<words>[\u4e00-\u9fff]+)")


def together(text):
    """A number and its per cent sign stay on one line."""
    return re.sub(r"(?<=\d) %|^ %$", lambda found: found[0].replace(" ", "\u00a0"), text)


def linked(text, here, up=""):
    """The prose with a link for each equation and section named; `up` leads from its folder to the chapters'."""

    def link(match):
        number = match["number"]
        if match["share"]:
            return together(match[0])
        if section := sections().get(match["section"]):
            return f'<a href="{up}{section.removeprefix("notebooks/")}">{match[0]}</a>'
        if match["skip"] or number not in equations():
            return match[0]
        page = "" if equations()[number] == here and not up else f"{up}{equations()[number]}.html"
        return f'<a href="{page}#eq-{number}">({number})</a>'

    return MENTION.sub(link, text)


@cache
def chinese_names():
    """{"白化": "term-白化"}: where the glossary has each Chinese name, under its own or another's row."""
    terms = read_terms()
    names = {}
    for field in ("see", "also", "chinese"):  # a name of its own goes before another's
        names |= {name: split(term["chinese"])[0] for term in terms for name in split(term[field])}
    return {name: f"term-{first}" for name, first in names.items() if CHINESE.search(name)}


def glossed(text, seen, up=""):
    """The prose with a link to the glossary at the first mention of each of its Chinese names."""

    def link(match):
        name = match["name"]
        if match["skip"] or name in seen or name not in chinese_names():
            return match[0]
        seen.add(name)
        page = f"{up}{GLOSSARY}.html#{chinese_names()[name]}"
        return f'<a class="term" lang="zh-Hans" href="{page}">{name}</a>'

    return NAME.sub(link, text)


def with_rows_named(text):
    """The glossary's table with a place to jump to in each row, and above it a letter for each first row of one."""
    text = re.sub(
        r"^(\| [^|\n]+ \| )([^|\n]+)( \| [^\n]*\]\([^\n]*\|)$",
        lambda row: f'{row[1]}<span id="term-{split(row[2])[0]}" lang="zh-Hans">{row[2]}</span>{row[3]}',
        text,
        flags=re.M,
    )
    places = {}
    for letter, place in re.findall(r'^\| \W*(\w)[^|\n]* \| <span id="([^"]+)"', text, re.M):
        places.setdefault(letter.upper(), place)
    links = [
        f'<a href="#{place}">{letter}</a>'
        for letter, place in places.items()
        if letter.isascii() and letter.isalpha()
    ]
    return f'<nav class="letters" aria-label="Letters">{" ".join(links)}</nav>\n\n{text}'


def own_page(text):
    """A page of docs/ as the site shows it: links start from its top; sections and equations are links."""
    text = re.sub(r"\]\(\.\./(notebooks|exercises)/", r"](\1/", text)
    text = re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text)  # the site does not hold the rest of the folder
    text = re.sub(r"§(\d+\.\d+)", lambda m: f'<a href="{sections()[m[1]]}">{m[0]}</a>', text)
    return linked(text, "", "notebooks/")


def anchored(text):
    """A place to jump to before each numbered equation."""

    def place(match):
        numbers = NUMBER.findall(match[0])
        return "".join(place_named(f"eq-{number}") + "\n\n" for number in numbers) + match[0]

    return DISPLAY.sub(place, text)


def place_named(name):
    return f'<div class="anchor" id="{html.escape(name)}"></div>'


# ---- boxes


def boxed(cell):
    """The prose with its boxes: "Breaks here", "You may read", a quick question, another fold, "In short"."""
    if "in-short" in tags(cell):
        name = IN_SHORT.search(cell.source)
        return (
            f"{place_named(short_anchor(name[1]))}\n\n{box('in-short', cell.source)}" if name else cell.source
        )
    pieces = re.split(r"(<details>.*?</details>)", cell.source, flags=re.S)
    return "".join(boxed_fold(one) if one.startswith("<details>") else boxed_prose(one) for one in pieces)


def boxed_fold(text):
    return FOLD.sub(lambda fold: f'<details class="box {kind_of_fold(fold[2])}">{fold[1]}', text)


def boxed_prose(text):
    return re.sub(
        r"(?:^|(?<=\n\n))\S.*?(?=\s*\n\n|\s*\Z)", lambda one: boxed_paragraph(one[0]), text, flags=re.S
    )


def kind_of_fold(summary):
    if summary.strip().startswith(QUESTION):
        return "question"
    return "myth" if MYTH.search(summary) else "aside"


def boxed_paragraph(text):
    if text.startswith("**Breaks here"):
        return box("breaks", text)
    return box("myth", text) if is_myth(text) else text


def is_myth(text):
    """A paragraph that begins with what is printed and not true, a bold name before it or none, without a formula.

    One that comes to it later says something of its own first.
    """
    return bool(re.match(rf"(?:\*\*[^*]+\*\* )?{MYTH.pattern}", text)) and "$$" not in text


def box(kind, text):
    return f'<div class="box {kind}">\n\n{text}\n\n</div>'


def short_anchor(name):
    return "in-short-" + slug(re.sub(r"\W+", " ", name).lower())


def marked(text):
    """ "More" and "For the curious" below a heading, as quiet labels."""
    return MARK.sub(lambda found: f'{found[1]}<p class="second-reading">{found[3]}</p>', text)


def in_chinese(page):
    """The HTML with the language of its Chinese words, so that a screen reader reads them and does not spell."""
    return CHINESE_WORDS.sub(lambda m: f'<span lang="zh-Hans">{m[0]}</span>' if m["words"] else m[0], page)
