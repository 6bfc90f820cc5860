"""One visit to a page of the site in a browser: its formulas, its errors, and whether everybody can use it.

A page with a hundred formulas and a thousand coloured words of code keeps axe-core busy for a minute. What
the site holds many times in one form (element, classes, style, names of attributes, and those of all that it
stands in), it judges once: ONE_OF_EACH.
"""

from tests.browsing import axe

TYPESET = "window.MathJax?.startup?.promise?.then(() => true)"
FORMULAS = r"""() => {
    const inside = (node, what) => node.parentElement.closest(what), raw = [];
    const page = document.querySelector('article') ?? document.body;
    const words = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    while (words.nextNode())
        if (/\$\$|\\tag\b|\\begin\b|\\\(|\\\[/.test(words.currentNode.data)
            && !inside(words.currentNode, 'pre, code, script, style, mjx-container'))
            raw.push(words.currentNode.data.slice(0, 80));
    const waiting = [...document.querySelectorAll('.math')]
        .filter(tex => !tex.querySelector('mjx-container'));
    return {raw, shown: document.querySelectorAll('mjx-container').length,
            waiting: waiting.map(tex => tex.textContent.slice(0, 80)),
            wrong: [...document.querySelectorAll('mjx-merror')].map(error => error.textContent.slice(0, 80))}
}"""
TOO_WIDE = """() => document.documentElement.scrollWidth > document.documentElement.clientWidth
    ? [...document.querySelectorAll('article *')].filter(e => e.getBoundingClientRect().right > innerWidth
        && getComputedStyle(e).position != 'absolute' &&
        !e.closest('pre, div.math, .pst-scrollable-table-container, mjx-container'))
        .map(e => e.outerHTML.slice(0, 100)).slice(0, 3).concat('the page')
    : []"""
CUT_OFF = """() => [...document.querySelectorAll(
    'article :is(div.math, .cell_input pre, .cell_output pre, .pst-scrollable-table-container)')]
    .filter(one => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1)
    // columns of numbers, to be compared, slide, and say so
    .filter(one => !(one.matches('.scrolls[tabindex="0"]') && /( {3,}\\S+){4}/.test(one.textContent)))
    .map(one => `${one.textContent.trim().slice(0, 60)} (${one.scrollWidth} of ${one.clientWidth})`)"""
FOR_ALL = """() => [...document.querySelectorAll(
    'article mjx-container[tabindex="0"], article th:not([scope])')].map(one => one.outerHTML.slice(0, 80))"""
UNSEEN = """() => [...document.querySelectorAll('article :is(th, td)')]
    .filter(cell => cell.textContent.trim() && !cell.closest('details') && !cell.getClientRects().length)
    .map(cell => cell.outerHTML)"""
ONE_OF_EACH = """before => {
    const all = what => [...document.querySelectorAll(what)], seen = new Set(before), forms = new Map();
    all('details').forEach(fold => fold.open = true);
    all('mjx-container').slice(2).forEach(formula => formula.remove());
    const classes = e => [...e.classList].filter(one => !one.startsWith('tag_'));     // what a cell checks
    const look = e => [e.tagName, ...classes(e), e.getAttribute('style'), ...e.getAttributeNames()].join(' ');
    const number = text => [...text].reduce((all, letter) => Math.imul(all, 31) + letter.charCodeAt() | 0, 7);
    const form = e => {
        if (e === null) return 0;
        if (e.matches('section')) return form(e.parentElement);
        if (!forms.has(e)) forms.set(e, number(form(e.parentElement) + look(e)));
        return forms.get(e);
    };
    const kind = e => form(e) + (e.textContent.trim() ? '' : ', empty');
    const once = blocks => all(`:is(article, nav) :is(${blocks})`).forEach(block => {
        const kinds = [block, ...block.querySelectorAll('*')].map(kind);
        if (kinds.every(one => seen.has(one)))
            block.replaceWith(block.matches('span, summary p') ? block.textContent : '');
        else kinds.forEach(one => seen.add(one));
    });
    once('pre span, p, li, tr, pre, figure, button, div.math, div.anchor');
    once('div.cell, details');      // what is left of them
    return [...seen];
}"""
NO_TRANSITIONS = (
    "* { transition: none !important; animation: none !important }"  # no colour half-way to another
)
# What was set is painted.
SHOWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
LIGHT, DARK = ("() => { document.documentElement.dataset.theme = '%s' }" % name for name in ("light", "dark"))
LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
DEPENDS_ON_LOOKS = {"runOnly": {"type": "rule", "values": LOOKS}}
WIDE, NARROW = {"width": 1300, "height": 1000}, {"width": 400, "height": 800}


def visit(tab, url, seen):
    """All that is found on one page; each list is empty on a good one.

    seen : what earlier visits judged already; this one adds its own
    """
    tab.asked.clear()
    tab.thrown.clear()
    tab.set_viewport_size(NARROW)
    tab.goto(url)
    tab.evaluate(TYPESET)
    found = {
        "formulas": tab.evaluate(FORMULAS),
        "wider than a phone": tab.evaluate(TOO_WIDE),
        "cut off on a phone": tab.evaluate(CUT_OFF),
        "unseen": tab.evaluate(UNSEEN),
        "for all": tab.evaluate(FOR_ALL),
    }
    tab.add_style_tag(content=NO_TRANSITIONS)
    seen[:] = tab.evaluate(ONE_OF_EACH, seen)
    tab.evaluate(DARK)
    tab.evaluate(SHOWN)
    found["dark, on a phone"] = axe(tab, **DEPENDS_ON_LOOKS)
    tab.evaluate(LIGHT)
    tab.set_viewport_size(WIDE)
    tab.evaluate(SHOWN)
    found["light"] = axe(tab)
    return {**found, "asked": list(tab.asked), "thrown": list(tab.thrown)}
