"""Web pages of the report: plain HTML without any script, readable on paper, on a phone and in the dark.

`text` escapes what came from a student. A policy in each page forbids scripts, forms, requests to other machines, and
every style but the page's own, should a word ever get through.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import html

__all__ = ["bullets", "moment", "page", "picture", "table", "text", "tiles"]

STYLE = """
:root { color-scheme: light dark; --text: #1b1b1b; --page: #fff; --soft: #f3f4f6; --line: #c9ccd1; --quiet: #555b63;
  --link: #00518a; --full: #1a6b34; --part: #8a4b00 }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --page: #161616; --soft: #242628; --line: #4a4d52;
  --quiet: #b0b5bc; --link: #8cc6ff; --full: #7fd89a; --part: #f0b36b } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem;
  color: var(--text); background: var(--page) }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; overflow-wrap: anywhere }
p, li { max-width: 48rem; overflow-wrap: anywhere } .quiet { color: var(--quiet) } .note { white-space: pre-line }
a { color: var(--link) } .full { color: var(--full) } .part { color: var(--part) }
.look { border-left: 4px solid var(--part); background: var(--soft); padding: .6rem 1rem } .look h2 { margin: .2rem 0 }
dl { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 }
dl div { background: var(--soft); padding: .5rem .9rem; border-radius: .3rem }
dt { color: var(--quiet); font-size: .85rem } dd { margin: 0; font-size: 1.25rem; font-weight: 600 }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
caption { text-align: left; font-size: 1.2rem; font-weight: 600; padding: 1.6rem 0 .5rem }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
thead th { font-size: .85rem; vertical-align: bottom; color: var(--quiet) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.name, th.name { min-width: 8rem; overflow-wrap: anywhere; font-weight: 600 } td span { white-space: nowrap }
td ul { margin: 0; padding-left: 1.1rem; min-width: 14rem }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; font-size: .9rem }
.plots { display: flex; flex-wrap: wrap; gap: 1.5rem } figure { flex: 1 1 20rem; max-width: 36rem; margin: 1rem 0 }
img { max-width: 100%; background: #fff } figcaption { color: var(--quiet); font-size: .9rem }
"""
OWN_STYLE = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; img-src data:; style-src 'sha256-{OWN_STYLE}'; base-uri 'none'; form-action 'none'"
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style></head>
<body><main>
<h1>{title}</h1>
{body}
</main></body></html>
"""


def page(title, body):
    return PAGE.format(policy=POLICY, style=STYLE, title=text(title), body=body)


def text(value):
    """For a web page: escaped, without control characters."""
    return html.escape("".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in str(value)))


def moment(iso):
    return dt.datetime.fromisoformat(iso).strftime("%Y-%m-%d %H:%M %Z")


# ---- parts; what they are given is HTML, but for captions and names


def table(caption, head, rows, numbers=()):
    """A table that scrolls by itself where it is too wide; `numbers` are the columns aligned to the right."""
    kinds = ["name" if i == 0 else "number" if i in numbers else "" for i in range(len(head))]
    top = "".join(f'<th scope="col" class="{kind}">{words}</th>' for kind, words in zip(kinds, head))
    lines = ["".join(f'<td class="{kind}">{cell}</td>' for kind, cell in zip(kinds, row)) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{text(caption)}"><table>'
        f"<caption>{text(caption)}</caption>\n<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def tiles(pairs):
    """What matters most, each number with its name."""
    return "<dl>" + "".join(f"<div><dt>{text(a)}</dt><dd>{text(b)}</dd></div>" for a, b in pairs) + "</dl>"


def bullets(items):
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def picture(png, alt):
    """A picture with its sentence, for eyes and for screen readers."""
    data = base64.b64encode(png).decode()
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{text(alt)}">'
        f"<figcaption>{text(alt)}</figcaption></figure>"
    )
