"""The site's front page: what stands in place of its marks.

The proof, the broken one and the homework's reply are computed while the site is built, so that they are what
a reader would get.
"""

import base64
import html
import re
import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from grading.judge import judge
from grading.registry import all_questions, find
from grading.verdict import Verdict
from helpers.chapters import pca
from helpers.derivation import TICK, Derivation, DerivationError
from helpers.reading import Notation
from tools.books import ROOT
from tools.site import live
from tools.site.notebook_reader import (
    at_head,
    caption_of,
    equations,
    minutes_of,
    notebook,
    read_counts,
    syllabus,
    title_of,
)
from tools.site.own_pages import all_faults

NAMES = r"""
    X        | matrix n × d | samples, one in each row, centred    |
    W        | matrix d × k | orthonormal axes, one in each column |
    n, d, k  | number       | how many samples, features, axes     |
    x_i      | column d     | sample $i$                           | row i of X
    z_i      | column k     | its scores                           | W^\top x_i
    \hat x_i | column d     | its reconstruction                   | W z_i
"""
FORGOT = """def project(W, mean, X_new):
    return (X_new - X_new.mean(axis=0)) @ W
"""


FIRST = "faces"  # the live figure of the front page
BECAUSE = "Pythagoras, for each sample"
PLUS = r"{\color{#c0392b}+} \sum"
DOES_NOT_FOLLOW = r"{\color{#c0392b}\times\; \text{this line does not follow}}"
FLIP = """<div class="flip" role="group" aria-label="The sign of the second line">
<input type="radio" name="sign" id="minus" checked><label for="minus">− as it is</label>
<input type="radio" name="sign" id="plus"><label for="plus">+ a wrong sign</label>

<div class="right">

{right}

✓ {said}

</div>
<div class="wrong">

{wrong}

{error}

</div>
</div>"""


def filled(text, stage, pdf=False):
    """The front page with its marks replaced; its pictures go below the folder `stage`."""
    parts = {
        "facts": facts,
        "live": live_figures,
        "proof": proof,
        "checked": checked,
        "reply": reply,
        "questions": lambda: str(len(all_questions())),
        "parity": lambda: (
            f"<p>{picture('01-knn-and-the-curse-of-dimensionality-more', 'show_parity', stage)}</p>"
        ),
        "chapters": lambda: cards(stage),
        "downloads": lambda: downloads(pdf),
    }
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part())
    return text


def facts():
    """The course in numbers, each with a link to what it counts."""
    counted = (
        (12, "chapters", "#twelve-chapters"),
        (len(live.figures()), "figures that move", "#who-is-it"),
        (len(equations()), "numbered equations", "checked.html"),
        (len(all_questions()), "questions that answer back", "#homework-that-answers-back"),
        (
            len(syllabus()["erratum"]),
            "errors in print, each with its counterexample",
            "notebooks/13-errata.html",
        ),
    )
    shown = [f'<li><a href="{link}"><b>{number}</b> {what}</a></li>' for number, what, link in counted]
    return f'<ul class="facts">{"".join(shown)}</ul>'


def live_figures():
    """One figure to play with, and where the others stand."""
    others = [
        f'<a href="notebooks/{one["chapter"]}.html#live-{name}">{html.escape(one["title"].rstrip("?"))}</a>'
        for name, one in sorted(live.figures().items(), key=lambda item: item[1]["chapter"])
        if name != FIRST
    ]
    still = picture(live.figures()[FIRST]["chapter"], live.figures()[FIRST]["still"], None)
    return (
        f"{live.frame(FIRST, '_static/live')}\n<noscript>{still}</noscript>\n\n"
        f'<p class="more">More to bet on, and to move: {" · ".join(others)}.</p>'
    )


def downloads(pdf):
    """What can be taken along: links to what the build puts beside the pages."""
    links = [
        '<a class="button first" href="downloads/fewer-dimensions.zip">The course (zip)</a>',
        '<a class="button" href="slides/index.html">Slides for twelve lectures</a>',
        '<a class="button" href="downloads/fewer-dimensions.pdf">One PDF</a>' * pdf,
    ]
    return f"<p>{' '.join(filter(None, links))}</p>"


def checked():
    """How many of the planted faults were noticed, and where to read of which."""
    return f"{all_faults(read_counts('faults.json'))} [What is checked](checked.md) names each."


def chain(sign):
    """What PCA loses of the spread is what it does not keep, with this sign in its second line.

    It has no number: the chapter's (2.3) says the same in more lines.
    """
    names = Notation(NAMES, default=False)
    lost = Derivation("Closeness is a constant minus spread", draw=pca.cloud, names=names)
    lost.begin(r"\sum_i \lVert \hat x_i - x_i \rVert^2", lambda X, W: ((X @ W @ W.T - X) ** 2).sum())
    lost.equals(
        rf"\sum_i \lVert x_i \rVert^2 {sign} \sum_i \lVert z_i \rVert^2",
        because=BECAUSE,
    )
    return lost


def proof():
    """The chain, and behind the other sign the same with an error."""
    shown = chain("-")
    right = shown._repr_latex_()
    wrong = right.replace(rf"\text{{{BECAUSE}}}", DOES_NOT_FOLLOW).replace(TICK, "").replace(r"- \sum", PLUS)
    return FLIP.format(right=right, said=str(shown).splitlines()[-1], wrong=wrong, error=broken())


def broken():
    """The error of the same chain with a plus."""
    try:
        chain("+")
    except DerivationError as error:
        said = html.escape(f"{type(error).__name__}: {error}")
        return f'<pre class="said">{said}</pre>'
    raise AssertionError("a wrong sign was not noticed")


def reply():
    """What homework 2 says of an answer with a common mistake."""
    told = {}
    exec(FORGOT, {"np": np}, told)
    verdict = Verdict(judge(find("pca.4"), lambda args: told["project"](*args)))
    return f'```python\n{FORGOT}\ncheck("pca.4")\n```\n\n{verdict._repr_html_()}'


def cards(stage):
    """A card for each chapter: its best figure, its title, a line that makes one look."""
    chosen = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))["card"]
    shown = [card(stem, told, stage) for stem, told in chosen.items()]
    return '<div class="cards">\n' + "\n".join(shown) + "\n</div>"


def card(stem, told, stage):
    nb = chapter(stem)
    core = re.sub(r"\d+ more", "", at_head(nb)["Time"].partition(";")[0])
    minutes = sum(minutes_of(core))
    return (
        f'<a class="card-of-chapter" href="notebooks/{stem}.html">{picture(stem, told["figure"], stage)}'
        f"<strong>{html.escape(title_of(nb))}</strong>"
        f"<span>{html.escape(told['line'])}</span><small>{minutes} minutes</small></a>"
    )


@cache
def chapter(stem):
    return notebook(stem)


def picture(stem, drawing, stage):
    """The figure of the chapter's cell that has this drawing, as an image; its file goes below `stage`."""
    calls = [c for c in chapter(stem).cells if live.draws(c, drawing)]
    if not calls:
        raise ValueError(f"no cell of {stem} has {drawing}: name another in docs/site.toml")
    data = next(out.data["image/png"] for out in calls[0].outputs if "image/png" in out.get("data", {}))
    place = Path("_static", "front", f"{stem}-{re.sub(r'[^a-z]+', '-', drawing.lower())}.png")
    if stage:
        (stage / place).parent.mkdir(parents=True, exist_ok=True)
        (stage / place).write_bytes(base64.b64decode(data))
    return f'<img src="{place.as_posix()}" alt="{html.escape(caption_of(calls[0]))}" loading="lazy">'
