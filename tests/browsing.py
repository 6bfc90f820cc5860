"""Chromium, for tests that look at pages as readers do, and axe-core: can everybody use them?"""

import shutil
import threading
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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


@contextmanager
def new_page(browser, ours, **options):
    """A tab that notes what pages ask of others than ours (`asked`) and what their code throws (`thrown`)."""
    page = browser.new_page(**options)
    page.set_default_timeout(60_000)
    page.asked, page.thrown = [], []
    page.on("request", lambda r: r.url.startswith(ours) or page.asked.append(r.url))
    page.on("pageerror", lambda error: page.thrown.append(str(error)))
    yield page
    page.close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@contextmanager
def served(folder):
    """The address of a folder on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def axe(page, where="html", **rules):
    """What is serious or critical on this page: the rule, and the first elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_core())
    return page.evaluate(RUN_AXE, [where, rules])


@cache
def axe_core():
    package = pytest.importorskip("axe_playwright_python")
    return next(Path(package.__file__).parent.rglob("axe.min.js")).read_text(encoding="utf-8")
