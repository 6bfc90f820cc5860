"""Statements on a page, each with a button for true and one for false, and its reason after the choice.

The page needs no script and no kernel: a chosen button shows the sentence beside it, and a counter of the
style sheet tells how many are right.
"""

from __future__ import annotations

from html import escape
from itertools import count

STYLE = """<style>
.true-or-false {counter-reset: right}
.true-or-false li {margin-bottom: 0.8em}
.true-or-false label {margin-right: 1.2em}
.true-or-false .said {display: none; margin: 0.2em 0}
.true-or-false input.right:checked {counter-increment: right}
.true-or-false input.right:checked ~ .of-right {display: block}
.true-or-false input.wrong:checked ~ .of-wrong {display: block}
.true-or-false .total::before {content: counter(right)}
</style>"""
SHOWN = count()  # two lists on one page do not share their buttons


class Statements:
    """What is true or false, as buttons where there is a page, and as a numbered list elsewhere.

    Parameters
    ----------
    text : str, the task with its numbered list, for a place without buttons
    statements : of grading.variant.Statement
    """

    def __init__(self, text: str, statements):
        self.text, self.statements = text, statements

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return self.text

    def _repr_html_(self):
        group, total = f"true-or-false-{next(SHOWN)}", len(self.statements)
        items = "".join(_item(one, f"{group}-{i}") for i, one in enumerate(self.statements))
        lead = escape(self.text.splitlines()[0].replace("`", ""))
        return (
            f'{STYLE}<div class="true-or-false"><p>{lead} Or click: the reason comes at once.</p>'
            f'<ol>{items}</ol><p class="total"> of {total} right.</p></div>'
        )


def _item(one, name):
    kind = {one.true: "right", not one.true: "wrong"}
    buttons = "".join(
        f'<input type="radio" name="{name}" id="{name}-{value}" class="{kind[value]}">'
        f'<label for="{name}-{value}">{str(value).lower()}</label>'
        for value in (True, False)
    )
    reason = f"{str(one.true).capitalize()}. {escape(one.because)}"
    return (
        f"<li>{escape(one.text)}<br>{buttons}"
        f'<p class="said of-right">✓ {reason}</p><p class="said of-wrong">✗ {reason}</p></li>'
    )
