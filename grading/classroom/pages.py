"""Web pages of the report: plain HTML without any script, readable on paper, on a phone and in the dark.

The templates escape all that they are given. A policy in each page forbids scripts, forms, requests to
other machines, and every style but the page's own, should a word ever get through.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup

from grading.classroom.plain_text import printable
from grading.judge import NOT_ATTEMPTED

FOLDER = Path(__file__).resolve().parent / "templates"
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")
OWN_STYLE = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; img-src data:; style-src 'sha256-{OWN_STYLE}'; base-uri 'none'; form-action 'none'"
)


def render(template: str, **what) -> str:
    """The page that a template makes of this."""
    return TEMPLATES.get_template(template).render(what)


def shown(value):
    """Without what steers a page; what the templates made themselves stays as it is."""
    return value if isinstance(value, Markup) else printable(value, keep="\n\t")


def moment(iso):
    return dt.datetime.fromisoformat(iso).strftime("%Y-%m-%d %H:%M %Z") if iso else "at no known time"


@pass_context
def named(context, id):
    """A question with its title, as the notebook's heading says it; grades of an older course have none."""
    return f"{id} {context['about'].get('titles', {}).get(id, '')}".strip()


TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=shown,
)
TEMPLATES.filters |= {
    "moment": moment,
    "named": named,
    "points": lambda number: f"{number:g}",
    "capital": lambda words: words[:1].upper() + words[1:],
    "base64": lambda data: base64.b64encode(data).decode(),
}
TEMPLATES.globals |= {"style": Markup(STYLE), "policy": Markup(POLICY), "not_attempted": [NOT_ATTEMPTED]}
