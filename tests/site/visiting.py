"""One visit to a page of the site in a browser: its formulas, its errors, and whether everybody can use it.

A page with a hundred formulas and a thousand coloured words of code keeps axe-core busy for a minute. What a
page holds many times in one form (element, classes, style, attributes, place), it judges once: ONE_OF_EACH.
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
CUT_OFF = r"""() => [...document.querySelectorAll(
    'article :is(div.math, .cell_input pre, .cell_output pre, .pst-scrollable-table-container)')]
    .filter(one => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1)
    .filter(one => !/\S {2,}\S/.test(one.textContent) || !one.matches('pre.scrolls[tabindex="0"]'))
    .map(one => `${one.textContent.trim().slice(0, 60)} (${one.scrollWidth} of ${one.clientWidth})`)"""
FOR_ALL = """() => [...document.querySelectorAll(
    'article mjx-container[tabindex="0"], article th:not([scope])')].map(one => one.outerHTML.slice(0, 80))"""
UNSEEN = """() => [...document.querySelectorAll('article :is(th, td)')]
    .filter(cell => cell.textContent.trim() && !cell.closest('details') && !cell.getClientRects().length)
    .map(cell => cell.outerHTML)"""
ONE_OF_EACH = """() => {
    const all = what => [...document.querySelectorAll(what)], seen = new Set();
    all('details').forEach(fold => fold.open = true);
    all('mjx-container').slice(2).forEach(formula => formula.remove());
    const look = e => [e.tagName, e.className, e.getAttribute('style'),
        e.getAttributeNames().join(' ')].join(' ');
    const kind = e => look(e) + ' in ' + look(e.parentElement) + (e.textContent.trim() ? '' : ', empty');
    for (const block of all('article :is(pre span, p, li, tr, pre, figure, button, div.cell)')) {
        const kinds = [block, ...block.querySelectorAll('*')].map(kind);
        if (kinds.every(one => seen.has(one)))
            block.replaceWith(block.matches('span, summary p') ? block.textContent : '');
        else if (!block.matches('div.cell')) kinds.forEach(one => seen.add(one));
    }
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


def visit(tab, url):
    """All that is found on one page; each list is empty on a good one."""
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
    tab.evaluate(ONE_OF_EACH)
    tab.evaluate(DARK)
    tab.evaluate(SHOWN)
    found["dark, on a phone"] = axe(tab, **DEPENDS_ON_LOOKS)
    tab.evaluate(LIGHT)
    tab.set_viewport_size(WIDE)
    tab.evaluate(SHOWN)
    found["light"] = axe(tab)
    return {**found, "asked": list(tab.asked), "thrown": list(tab.thrown)}
