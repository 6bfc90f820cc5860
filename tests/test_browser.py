"""A learner's first hour in a real browser: open the course, run a notebook, do homework."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from grading.judge import judge
from grading.practise import Practice
from grading.questions_asked import questions_asked
from grading.registry import find
from grading.statements import Statements
from tests import rules
from tests.browsing import chromium, new_page
from tools import books
from tools.books import ROOT

CHAPTER, COMPANION = books.books(ROOT / "notebooks", "01-")
EXERCISE = next((ROOT / "exercises").glob("01-*.ipynb"), None)
SECONDS = 180  # for one notebook to run

READY = """() => document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"""
# Every code cell has its number: nothing waits ([*]), nothing was left out ([ ]). Folded cells show neither.
FINISHED = r"""() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
    .every(prompt => /^(\[\d+\]:?)?$/.test(prompt.textContent.trim()))"""
RUN_AGAIN = r"""([prompt, before]) => /\d/.test(prompt.textContent) && prompt.textContent !== before"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A copy of the course, opened by `course`; the address that it prints, without the page."""
    course = tmp_path_factory.mktemp("course")
    for folder in ("notebooks", "exercises", "helpers", "grading", "homework", "course"):
        shutil.copytree(ROOT / folder, course / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in course.rglob("*.ipynb"):
        forget(path)
    own = {"JUPYTER_CONFIG_DIR": str(course / "settings"), "JUPYTER_DATA_DIR": str(course / "data")}
    server = subprocess.Popen(
        [sys.executable, "-m", "course.cli", "--no-browser"],
        cwd=course,
        env={**os.environ, **own},
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = "".join(server.stdout.readline() for _ in range(4))
    base, token = re.search(r"(http://[\w.:]+)/lab/tree/\S+\?token=(\w+)", said).groups()
    try:
        wait_for(f"{base}/api?token={token}", server)

        def where(page):
            return f"{base}/doc/tree/{page}?reset&token={token}"

        where.course = course
        yield where
    finally:
        server.terminate()
        server.communicate(timeout=30)


def forget(path):
    """Drop what is stored: all that the browser shows was computed there."""
    nb = nbformat.read(path, as_version=4)
    for cell in rules.code_cells(nb):
        cell.outputs, cell.execution_count = [], None
    nbformat.write(nb, path)


def wait_for(url, server, seconds=90):
    end = time.monotonic() + seconds
    while True:
        try:
            return urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            assert server.poll() is None and time.monotonic() < end, "JupyterLab did not start"
            time.sleep(0.2)


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def tab(browser):
    """A tab that collects what the page's own code throws."""
    with new_page(browser, ("http",), viewport={"width": 1300, "height": 1000}) as page:
        yield page


def open_notebook(tab, url):
    tab.goto(url)
    tab.locator(".jp-Notebook .jp-Cell").first.wait_for()
    tab.locator(".jp-Toolbar-kernelName", has_text="Python 3").wait_for()
    tab.wait_for_function(READY, timeout=1000 * SECONDS, polling=200)


def run_all(tab):
    """In the fresh kernel that came with the page: a restart could overtake the page's own questions."""
    tab.get_by_role("menuitem", name="Run", exact=True).click()
    tab.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    tab.wait_for_function(FINISHED, timeout=1000 * SECONDS, polling=500)


def run_cell(tab, cell):
    prompt = cell.locator(".jp-InputPrompt").first.element_handle()
    before = prompt.text_content()
    tab.keyboard.press("Control+Enter")
    tab.wait_for_function(RUN_AGAIN, arg=[prompt, before], timeout=1000 * SECONDS, polling=100)


def shown_outputs(tab):
    """The text of every output; the notebook is scrolled through, since cells out of sight are not drawn."""
    texts = []
    for cell in tab.locator(".jp-Notebook .jp-CodeCell").all():
        cell.scroll_into_view_if_needed()
        texts.append("\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts()))
    return texts


def not_shown(tab, captions):
    """The captions that no output has, at the end of the time: some are drawn late."""
    end = time.monotonic() + SECONDS
    while True:
        flat = " ".join(" ".join(shown_outputs(tab)).split())
        lost = [caption for caption in captions if " ".join(f"Figure: {caption}".split()) not in flat]
        if not lost or time.monotonic() > end:
            return lost
        tab.wait_for_timeout(200)


def first_question():
    """The first question of homework 1 with a mistake that gets its own hint; the mistake; the solution."""
    solution = rules.read(ROOT / "solutions" / f"{books.solution_of(EXERCISE.stem)}.ipynb")
    for cell in rules.code_cells(solution):
        for name in questions_asked(cell.source):
            question = find(name)
            for mistake in question.mistakes if question.is_function else ():
                result = judge(question, lambda args, wrong=mistake.answer: wrong(*args))
                if mistake.hint in " ".join(result.notes) and not result.full:
                    return question, mistake, solution.cells[answer_index(solution, name)].source
    raise AssertionError("no question of homework 1 names a mistake")


def check_index(nb, name):
    return next(
        i for i, cell in enumerate(nb.cells) if cell.cell_type == "code" and f'check("{name}")' in cell.source
    )


def answer_index(nb, name):
    """The answer cell of a question: the last one before its check."""
    before = nb.cells[: check_index(nb, name)]
    return max(i for i, cell in enumerate(before) if cell.metadata.get("nbgrader", {}).get("solution"))


def nth_cell(tab, index):
    cell = tab.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{index}']")
    cell.scroll_into_view_if_needed()
    return cell


def answer(tab, question, source):
    """Type into the question's answer cell; run it, and its check."""
    nb = rules.read(EXERCISE)
    cell = nth_cell(tab, answer_index(nb, question.id))
    cell.locator(".cm-content").click()
    tab.keyboard.press("ControlOrMeta+a")
    tab.keyboard.insert_text(source)
    run_cell(tab, cell)
    cell = nth_cell(tab, check_index(nb, question.id))
    cell.locator(".cm-content").click()
    run_cell(tab, cell)


def verdict(tab, name, expected):
    """What the check of a question says, in one line, once it holds what is expected: it is drawn late."""
    cell, end = nth_cell(tab, check_index(rules.read(EXERCISE), name)), time.monotonic() + SECONDS
    while True:
        said = " ".join(" ".join(cell.locator(".jp-OutputArea-output").all_inner_texts()).split())
        if expected in said or time.monotonic() > end:
            return said
        tab.wait_for_timeout(200)


def errors(tab):
    """How many tracebacks the page shows."""
    return tab.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.error']").count()


def test_a_notebook_runs_from_scratch(address, tab):
    """A companion up to its slider; what the rest and all others compute, nbval compares."""
    stored = rules.read(COMPANION)
    end = next(i for i, cell in enumerate(stored.cells) if "widget" in rules.tags(cell))
    del stored.cells[end + 1 :]
    part = address.course / "notebooks" / "part.ipynb"
    nbformat.write(stored, part)
    forget(part)
    open_notebook(tab, address("notebooks/part.ipynb"))
    run_all(tab)
    captions = [alt for cell in rules.code_cells(stored) for _, alt in rules.figures(cell.outputs)]
    assert not_shown(tab, captions) == []
    sliders = sum("widget" in rules.tags(cell) for cell in rules.code_cells(stored))  # each draws one
    assert tab.locator(".jp-RenderedImage img").count() == len(captions) + sliders > sliders > 0
    meant = sum("raises-exception" in rules.tags(cell) for cell in rules.code_cells(stored))
    assert errors(tab) == meant
    assert tab.locator("mjx-container").count() > 0 and tab.locator("mjx-merror").count() == 0
    assert a_slider_moves(tab)
    assert tab.thrown == []


def a_slider_moves(tab):
    """Whether the first slider's picture is another one after two presses of an arrow key."""
    picture = tab.locator(".jp-OutputArea:has(.widget-interact) img").first
    picture.scroll_into_view_if_needed()
    before = picture.get_attribute("src")
    handle = tab.locator(".widget-interact .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    handle.press("ArrowRight")
    tab.wait_for_function(
        "before => ![null, undefined, before].includes(document.querySelector("
        "'.jp-OutputArea:has(.widget-interact) img')?.src)",
        arg=before,
    )
    return before.startswith("data:image/png")


@pytest.mark.skipif(EXERCISE is None, reason="homework 1 is not written yet")
def test_homework_answers_at_once(address, tab):
    """A declared mistake gets its hint and no full marks; the solution gets all points."""
    question, wrong, right = first_question()
    open_notebook(tab, address(f"exercises/{EXERCISE.name}"))
    run_all(tab)
    not_yet = "not attempted yet"
    assert not_yet in verdict(tab, question.id, not_yet) and errors(tab) == 0
    number = question.mistakes.index(wrong)
    answer(
        tab,
        question,
        "from grading.registry import find\n"
        f'{question.name} = find("{question.id}").mistakes[{number}].answer',
    )
    full = f"{question.points:g} / {question.points:g}"
    hint = " ".join(wrong.hint.split())
    said = verdict(tab, question.id, hint)
    assert hint in said and full not in said
    answer(tab, question, right)
    assert full in verdict(tab, question.id, full)
    assert errors(tab) == 0 and tab.thrown == []


def test_a_statement_answers_a_click_with_its_reason(tab):
    stated = Practice("knn", seed=1)._fresh.statements
    tab.set_content(Statements("True or false?", stated)._repr_html_())
    assert tab.locator(".said:visible").count() == 0
    for i, kind in enumerate(("right", "wrong", "right")):
        tab.locator("li").nth(i).locator(f"input.{kind}").click()
    assert [said[0] for said in tab.locator(".said:visible").all_inner_texts()] == ["✓", "✗", "✓"]
    total = tab.evaluate("getComputedStyle(document.querySelector('.total'), '::before').content")
    assert total == "counter(right)" and stated[1].because in tab.locator("li").nth(1).inner_text()


def test_a_notebook_that_is_only_opened_stays_as_it_is(address, tab):
    """Saved at once, it has the bytes that came."""
    place = address.course / "notebooks" / "opened.ipynb"
    shutil.copy(CHAPTER, place)
    open_notebook(tab, address("notebooks/opened.ipynb"))
    tab.keyboard.press("Control+s")
    tab.get_by_text("Saving completed").wait_for()
    assert place.read_bytes() == CHAPTER.read_bytes()


def test_a_live_figure_opens_beside_its_notebook(address, tab):
    """The page holds all that it needs, no kernel; JupyterLab asks before it lets it move."""
    tab.goto(address(f"notebooks/{CHAPTER.name}").replace("/doc/", "/lab/"))
    link = tab.locator("a[href*='live/neighbours.html']")
    tab.locator(".jp-Notebook .jp-Cell").first.wait_for()
    for _ in range(200):
        if link.count():
            break
        tab.locator(".jp-Notebook .jp-WindowedPanel-outer").first.evaluate("one => one.scrollBy(0, 600)")
        tab.wait_for_timeout(50)
    link.click()
    page = tab.frame_locator("iframe[title*='neighbours'], .jp-HTMLViewer iframe")
    page.get_by_text("press Trust HTML above").wait_for()
    tab.get_by_text("Trust HTML", exact=True).click()
    page.locator(".live-only").click()
    assert (
        page.locator(".live-state").inner_text() and page.locator(".live :is(input, [role=slider])").count()
    )


def test_a_name_that_is_not_known_yet_says_what_helps_and_once(address, tab):
    path = address.course / "notebooks" / "names.ipynb"
    cells = [nbformat.v4.new_code_cell(f"unknown_{i}") for i in range(2)]
    kernel = nbformat.read(CHAPTER, as_version=4).metadata
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
    open_notebook(tab, address("notebooks/names.ipynb"))
    for cell in tab.locator(".jp-CodeCell").all():
        cell.click()
        run_cell(tab, cell)
    said = "".join(shown_outputs(tab))
    assert "'unknown_0' is not defined" in said and "'unknown_1' is not defined" in said
    assert said.count("Run All Above Selected Cell") == 1
