"""How a verdict looks: points and feedback, as HTML in a notebook and as text elsewhere."""

from __future__ import annotations

import html
import re

from grading.given import call_of
from grading.judge import NOT_ATTEMPTED, Result

COLUMNS = re.compile(r"\n((?:  .*\n?)+)")  # lines that stand below each other, number under number


MARKS = {  # Markdown that a sentence of the course may have
    re.compile(r"`([^`\n]+)`"): r"<code>\1</code>",
    re.compile(r"\*\*(\w(?:[^*\n]*\w)?)\*\*"): r"<b>\1</b>",
    re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])"): r"<em>\1</em>",
}


def with_marks(text):
    for mark, tags in MARKS.items():
        text = mark.sub(tags, text)
    return text


def in_columns(text):
    lines = text.rstrip("\n").replace("\n", "&#10;")
    return f'<pre style="margin: 0">{lines}</pre>'


class Verdict:
    """Points and feedback of a result.

    standing : lines that follow
    more : what leads further from a wrong answer; without it the calls of `hint` and `case`
    reasons : sentences of the course besides the hints
    """

    def __init__(self, result: Result, standing: str = "", more: str = "", reasons=()):
        self.result, self.standing = result, standing
        self.more, self.reasons = more or self._calls(), reasons

    def _calls(self):
        """Of `hint`; and of `case`, for the very input on which the answer failed."""
        q = self.result.question
        replay = f"     Replay: {call_of(q, *self.result.replay)}" if q.is_drawn else ""
        return f'More: hint("{q.id}")' + replay

    def _lines(self):
        q, notes = self.result.question, self.result.notes
        said = ("\n" if any("\n" in note for note in notes) else " ").join(notes) if notes else "✓"
        said += f"   {self.result.aside}" if self.result.aside and self.result.full else ""
        head = f"{q.id}   {self.result.points:g} / {q.points:g}"
        return head, said, self.more if notes and notes != [NOT_ATTEMPTED] else ""

    def _ours(self):
        """Sentences of the course, with Markdown."""
        return [*(mistake.hint for mistake in self.result.question.mistakes), *self.reasons]

    def __repr__(self):
        head, said, tail = self._lines()
        return "\n  ".join(filter(None, [f"{head}   {said}", tail, self.standing]))

    def _repr_html_(self):
        head, said, tail = (html.escape(line) for line in self._lines())
        for ours in map(html.escape, self._ours()):  # no word of a learner's is ever markup
            said = said.replace(ours, with_marks(ours))
        mark = "#1a7f37" if self.result.full else "#9a6700"
        if self.result.unread:  # a mark stands under the place
            said = in_columns(said)
        else:
            said = COLUMNS.sub(lambda found: in_columns(found[1]), said).replace("\n", "<br>")
        tail = f"<br><code>{tail}</code>" if tail else ""
        for line in filter(None, self.standing.split("\n  ")):
            tail += f"<br><small>{html.escape(line)}</small>"
        return (
            f'<div role="status" style="border-left: 4px solid {mark}; padding: 0.2em 0.8em">'
            f"<b>{head}</b> &nbsp; {said}{tail}</div>"
        )


class Typeset:
    """A formula as it was read, typeset where that can be done; so a learner sees what was understood."""

    def __init__(self, tex: str):
        self.tex = tex

    def __repr__(self):
        return self.tex

    def _repr_latex_(self):
        return rf"$\displaystyle {self.tex}$"
