"""Chromium, for tests that look at pages as readers do, and axe-core: can everybody use them?"""

import shutil
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
RUN_AXE = """([where, rules]) => axe.run(where, {resultTypes: ['violations'], ...rules})
    .then(found => found.violations
    .filter(one => ['serious', 'critical'].includes(one.impact))
    .map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 120)).slice(0, 3).join(' | ')))"""


@contextmanager
def chromium():
    """A browser, closed at the end; where there is none, the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("needs a browser: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def axe(page, where="html", **rules):
    """What is serious or critical on this page: the rule, and the first elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_core())
    return page.evaluate(RUN_AXE, [where, rules])


@cache
def axe_core():
    package = pytest.importorskip("axe_playwright_python")
    return next(Path(package.__file__).parent.rglob("axe.min.js")).read_text(encoding="utf-8")
