"""The site, built once, served on this machine, looked at in a real browser."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.browsing import chromium, new_page, served
from tests.site.visiting import WIDE, visit
from tools.books import ROOT

MATHJAX = "**/mathjax/**"


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site: Sphinx has nothing to warn of. Several processes share it."""
    pytest.importorskip("sphinx")
    own = tmp_path_factory.getbasetemp()
    out = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "pages" / "site"
    try:
        out.parent.mkdir()
    except FileExistsError:  # another process builds it, or has
        wait_for(out.with_name("built"))
        return out
    build = [sys.executable, ROOT / "tools" / "build_site.py", "--out", out]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    said = "" if done.returncode == 0 else done.stdout + done.stderr
    out.with_name("said").write_text(said, encoding="utf-8")
    out.with_name("said").rename(out.with_name("built"))
    assert not said, said
    return out


def wait_for(built, seconds=600):
    """Until the other process has written what Sphinx said of an error, which is nothing."""
    end = time.monotonic() + seconds
    while not built.exists():
        assert time.monotonic() < end, "the process that builds the site has not done so"
        time.sleep(0.5)
    assert (said := built.read_text(encoding="utf-8")) == "", said


@pytest.fixture(scope="session")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def new_tab(browser, address):
    return new_page(browser, (address, "data:", "blob:"), viewport=WIDE, color_scheme="light")


@contextmanager
def as_new(page):
    """A used tab as if it were new: the first page of one that is takes a second more than the next."""
    page.set_viewport_size(WIDE)
    page.asked.clear()
    page.thrown.clear()
    yield page
    page.unroute_all()
    if page.url.startswith("http"):
        page.evaluate("() => [localStorage, sessionStorage].forEach(one => one.clear())")
    page.goto("about:blank")


@pytest.fixture(scope="module")
def one_tab(browser, address):
    with new_tab(browser, address) as page:
        yield page


@pytest.fixture
def tab(one_tab):
    with as_new(one_tab) as page:
        yield page


@pytest.fixture
def formulas_as_tex(tab):
    """For tests that look at no formula: a tab that leaves them as they are written, which is quick."""
    tab.route(MATHJAX, lambda route: route.abort())


def pages(site):
    """Every page of the site, by its address; the slides beside it are looked at as slides."""
    return sorted(
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if path.parts[-2] not in ("_static", "slides") and path.name != "genindex.html"
    )


@pytest.fixture(scope="module")
def visits(one_tab, address, site):
    """{page: what one visit finds}, for every page."""
    seen = []
    with as_new(one_tab) as page:
        return {name: visit(page, address + name, seen) for name in pages(site)}
