"""The site, built once, served on this machine, looked at in a real browser."""

import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browsing import chromium
from tests.site.visiting import WIDE, visit

ROOT = Path(__file__).resolve().parents[2]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site: Sphinx has nothing to warn of."""
    pytest.importorskip("sphinx")
    out = tmp_path_factory.mktemp("pages") / "site"
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "build_site.py", "--out", out],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="session")
def address(site):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@contextmanager
def new_tab(browser, address):
    """A tab that notes what pages ask of other machines (`asked`) and what their code throws (`thrown`)."""
    page = browser.new_page(viewport=WIDE, color_scheme="light")
    page.set_default_timeout(60_000)
    page.asked, page.thrown = [], []
    page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or page.asked.append(r.url))
    page.on("pageerror", lambda error: page.thrown.append(str(error)))
    yield page
    page.close()


@pytest.fixture
def tab(browser, address):
    with new_tab(browser, address) as page:
        yield page


def pages(site):
    """Every page of the site, by its address."""
    return sorted(
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if path.parts[-2] != "_static" and path.name != "genindex.html"
    )


@pytest.fixture(scope="module")
def visits(browser, address, site):
    """{page: what one visit finds}, for every page."""
    with new_tab(browser, address) as page:
        return {name: visit(page, address + name) for name in pages(site)}
