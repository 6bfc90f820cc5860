"""A whole class, once graded: everybody gets what is deserved, and the report tells a lecturer so."""

import csv
import json
from dataclasses import replace

import pytest

from course.cli import main
from grading.classroom import figures, pages, report, rubric
from grading.classroom.records import Graded
from grading.classroom.store import Store, StoreError, load_class
from tests.browsing import axe, chromium
from tests.grading.classroom import ASKED, HOMEWORK, OF, RIGHT, as_bytes, class_of_50, exercise, handed_in
from tests.grading.small import needs_sandbox

ELSEWHERE = "http://elsewhere.invalid"
TRICKS = (
    f"</code></pre></td><script>window.canary = 1; alert(1); fetch('{ELSEWHERE}/a')</script>"
    f"<img src='{ELSEWHERE}/b' onerror='window.canary = 2'>"
    f"<svg onload='window.canary = 3'></svg><iframe src='{ELSEWHERE}/c'></iframe>"
    "<style>body { display: none }</style>"
    f"<meta http-equiv=refresh content='0;url={ELSEWHERE}/d'><a href='javascript:window.canary = 4'>x</a>"
)
NAME = "\"'><img src=x onerror='window.canary = 5'>"  # of a folder: without a slash
ANSWERS = {
    "knn.1": f"# {TRICKS}\nanswers_1 = {TRICKS!r}",
    "knn.2": (
        "class Odd(Exception):\n"
        "    pass\n"
        f"Odd.__name__ = {TRICKS!r}\n"
        "def majority(labels):\n"
        f"    raise Odd({TRICKS!r})"
    ),
    "knn.4": "def knn_regress(d, y):\n    return y.mean()",
    "knn.5": f"predicted_accuracy = {{{TRICKS!r}: 1}}",
}


def hostile_words(released):
    """A right answer here and there, and markup wherever a submission can put words: 7 points."""
    tricky = handed_in(released, RIGHT | ANSWERS, [f"raise ValueError({TRICKS!r})", "1 / 0"])
    for cell in tricky["cells"]:
        cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": TRICKS}}]
    tricky["metadata"]["title"] = tricky["cells"][0]["metadata"]["name"] = TRICKS
    return as_bytes(tricky)


@pytest.fixture(scope="module")
def everybody(tmp_path_factory):
    """{student: (bytes, points, status, mistakes)}, and the folder with the exercise."""
    place = tmp_path_factory.mktemp("class")
    released = json.loads(exercise(place / f"{HOMEWORK}.ipynb").read_text(encoding="utf-8"))
    made = class_of_50(released)
    made[NAME] = (hostile_words(released), 7, "graded", ["all neighbours weigh the same"])
    made["<svg onload='window.canary = 6'>"] = (b"{" + TRICKS.encode(), 0, "needs a human", [])
    return made, place


@pytest.fixture(scope="module")
def graded(everybody):
    """The folder of grades, with its report."""
    made, place = everybody
    for student, (data, *_) in made.items():
        path = place / "submissions" / student / f"{HOMEWORK} {student}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    (place / "salt").write_text("a salt that the tests know", encoding="utf-8")
    given, options = (f"{HOMEWORK}.ipynb", "submissions"), ("-o", place / "grades", "--salt", place / "salt")
    assert main(["grade", *(str(place / name) for name in given), *map(str, options), "-j", "1"]) == 0
    assert main(["report", str(place / "grades")]) == 0
    return place / "grades"


def counted(grades):
    return {r.student: r for r in Store(grades).all()}


class TestClassOf50:
    pytestmark = needs_sandbox

    def test_everybody_gets_what_is_deserved(self, everybody, graded):
        made, found = everybody[0], counted(graded)
        assert len(made) == 52
        assert {kind.split("-")[0] for kind in made} >= {
            "perfect",
            "partly",
            "broken",
            "hostile",
        }
        assert {student: (r.points, r.status) for student, r in found.items()} == {
            student: (points, status) for student, (_, points, status, _) in made.items()
        }

    def test_every_mistake_is_named(self, everybody, graded):
        """By chance, an answer may be another mistake's too."""
        named = {
            student: {m for q in r.questions.values() for m in q.mistakes}
            for student, r in counted(graded).items()
        }
        assert all(set(mistakes) <= named[student] for student, (_, _, _, mistakes) in everybody[0].items())
        assert all(
            not named[student] for student in named if student.startswith(("perfect", "broken", "hostile"))
        )

    def test_the_gradebook_says_the_same(self, everybody, graded):
        with open(graded / "gradebook.csv", encoding="utf-8", newline="") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        assert {name.removeprefix("'"): float(row["points"]) for name, row in rows.items()} == {
            student: points for student, (_, points, _, _) in everybody[0].items()
        }
        assert all(float(row["of"]) == OF for row in rows.values())

    def test_questions_are_counted_and_timed(self, everybody, graded):
        store, about, results = load_class(graded)
        found = {
            f["id"]: f
            for f in figures.class_figures(results, figures.seconds_taken(store, set(about["counts"])))
        }
        wanted = [m for _, _, _, mistakes in everybody[0].values() for m in mistakes]
        assert list(found) == list(ASKED)
        assert {
            name: count
            for f in found.values()
            for name, count in f["mistakes"]
            if name != "a single pass with one counter"
        } == {name: wanted.count(name) for name in set(wanted)}
        assert all(0 <= f["seconds"][0] <= f["seconds"][1] for f in found.values())
        assert max(f["seconds"][1] for f in found.values()) > 0
        page = (graded / "report" / "index.html").read_text(encoding="utf-8")
        assert f"{wanted.count('a tie counts as correct')} × a tie counts as correct" in page
        assert "{:.2f}<br>{:.2f}".format(*found["knn.3"]["seconds"]) in page
        assert f"{found['knn.4']['discrimination']:.2f}" in page

    def test_a_page_holds_one_student_alone_and_no_reference(self, everybody, graded):
        from grading.classroom.submissions import safe_name

        pages = {
            path.stem.rsplit("-", 1)[0]: path.read_text(encoding="utf-8")
            for path in (graded / "report" / "students").iterdir()
        }
        assert set(pages) == {safe_name(student) for student in everybody[0]}
        for name, page in pages.items():
            others = [
                other
                for other in everybody[0]
                if "-" in other and not other.startswith("<") and other != name and other != NAME
            ]
            assert not any(other in page for other in others), name
            assert "most_frequent" not in page and "weighted_mean" not in page and "index.html" not in page
        assert "Your answer does not change with the distances" in pages["partly-06"]
        assert "return y.mean()" in pages["partly-06"]

    def test_nothing_but_plain_pages(self, graded):
        for path in (graded / "report").rglob("*.html"):
            page = path.read_text(encoding="utf-8")
            assert "default-src 'none'; img-src data:; style-src 'sha256-" in page
            assert "<script" not in page
            assert " style=" not in page


# ---- in a browser


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def tab(browser):
    """A tab that notes what a page asks for, says and pops up."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000}, color_scheme="light")
    page.noticed = []
    page.on("request", lambda r: r.url.startswith(("file:", "data:")) or page.noticed.append(r.url))
    page.on("console", lambda message: page.noticed.append(message.text))
    page.on("pageerror", lambda error: page.noticed.append(str(error)))
    page.on("dialog", lambda dialog: (page.noticed.append("a dialog"), dialog.dismiss()))
    yield page
    page.close()


class TestInABrowser:
    pytestmark = needs_sandbox

    def test_the_report_leads_to_a_page_with_the_hint(self, graded, tab):
        tab.goto((graded / "report" / "index.html").as_uri())
        assert "52" in tab.locator("dl").inner_text() and tab.locator("img").count() == 2
        assert all(len(image.get_attribute("alt")) > 40 for image in tab.locator("img").all())
        assert tab.evaluate("[...document.images].every(image => image.naturalWidth > 300)")
        tab.get_by_role("link", name=NAME).first.click()
        tab.get_by_text("Your answer does not change with the distances. Should it?").wait_for()
        assert NAME in tab.locator("h1").inner_text() and "7 of 15" in tab.locator("dl").inner_text()
        assert tab.locator("pre").filter(has_text="<script>window.canary = 1").count() >= 1  # shown, as words
        assert tab.noticed == [] and tab.evaluate("typeof window.canary") == "undefined"

    def test_no_word_of_a_submission_runs_on_any_page(self, graded, tab):
        for path in [
            graded / "report" / "index.html",
            *(graded / "report" / "students").glob("*img*"),
            *(graded / "report" / "students").glob("*svg*"),
        ]:
            tab.goto(path.as_uri())
            tab.mouse.move(200, 200)
            tab.mouse.click(200, 200)
            tab.wait_for_load_state("load")
            assert tab.noticed == []
            assert tab.evaluate("typeof window.canary") == "undefined"
            assert tab.url == path.as_uri()
            assert tab.locator("iframe, svg, script, main style, main meta").count() == 0
            assert tab.locator("h1").is_visible()

    def test_the_policy_alone_stops_a_script(self, graded, tab, tmp_path, monkeypatch):
        """Should a word ever get through unescaped."""
        monkeypatch.setattr(pages, "TEMPLATES", pages.TEMPLATES.overlay(autoescape=False))
        result = next(r for r in Store(graded).all() if r.student == NAME)
        about = json.loads((graded / "class.json").read_text(encoding="utf-8"))
        page = report.student_page(about, result, rubric.Rubric()).replace(
            "<meta http-equiv=refresh", "<meta"
        )
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        tab.goto((tmp_path / "page.html").as_uri())
        assert tab.locator("svg").count() > 0
        assert tab.evaluate("typeof window.canary") == "undefined"
        assert "a dialog" not in tab.noticed
        refused = [words for words in tab.noticed if "Content Security Policy" in words]
        assert any("inline script" in words for words in refused)
        assert any("event handler" in words for words in refused)

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_pages_are_accessible(self, graded, tab, scheme):
        student = next((graded / "report" / "students").glob("partly-1*"))
        tab.emulate_media(color_scheme=scheme)
        for path in (graded / "report" / "index.html", student):
            tab.goto(path.as_uri())
            assert axe(tab) == []

    def test_a_narrow_screen_scrolls_no_page_sideways(self, graded, tab):
        tab.set_viewport_size({"width": 400, "height": 800})
        for path in (
            graded / "report" / "index.html",
            next((graded / "report" / "students").glob("partly-1*")),
        ):
            tab.goto(path.as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") <= 400


# ---- numbers and words of a report, without grading anything


def made_up(student, points, notes=None, mistakes=(), **more):
    """A result with a question of 2 points and a rest of 8."""
    answers = {"knn.2": points, "knn.4": more.pop("rest", 4)}
    return Graded.from_json({
        "student": student,
        "homework": "00",
        "sha256": "a",
        "status": "graded",
        "reason": "",
        "points": float(sum(answers.values())),
        "of": 10,
        "late": False,
        "submitted": "2026-11-20T21:30:00+00:00",
        "file": f"{student}/00.ipynb",
        "order": list(answers),
        "errors": [],
        "questions": {
            id: {
                "points": p,
                "of": 2 if id == "knn.2" else 8,
                "notes": notes if notes and id == "knn.2" else [],
                "source": "x",
                "mistakes": list(mistakes) if id == "knn.2" else [],
            }
            for id, p in answers.items()
        },
        **more,
    })


def figure_of(class_):
    return figures.class_figures(class_)[0]


def test_a_question_at_which_good_students_fail_is_flagged():
    weak = [made_up(f"w{i:02d}", 2, rest=i % 5) for i in range(16)]
    good = [made_up(f"g{i}", 0, ["no"], rest=8) for i in range(4)]
    found = figure_of(weak + good)
    assert found["suspect"] and found["missed"] == ["g0", "g1", "g2", "g3"] and found["discrimination"] < 0
    assert not figure_of(weak + [made_up(f"g{i}", 2, rest=8) for i in range(4)])["suspect"]
    assert not figure_of(weak + [made_up(f"g{i}", 0, ["not attempted yet"], rest=8) for i in range(4)])[
        "missed"
    ]  # they ran out of time


def test_weaker_students_doing_better_is_flagged_only_where_it_is_no_chance():
    backwards = [made_up(f"s{i:02d}", 2 * (i < 14), rest=i % 8 if i < 14 else 7) for i in range(20)]
    found = figure_of(backwards)
    assert found["against"] and found["discrimination"] < -0.3
    few = figure_of(backwards[12:18])
    assert not few["suspect"] and few["discrimination"] < 0
    assert figure_of(backwards[:3])["discrimination"] is None


def test_discrimination_and_time_are_what_they_are_called(tmp_path):
    class_ = [made_up(f"s{i}", 2 * (i % 2), rest=float(i)) for i in range(6)]
    found = figure_of(class_)
    assert found["discrimination"] == pytest.approx(0.29277, abs=1e-4)
    assert found["success"] == 0.5
    assert (found["full"], found["none"]) == (3, 3)
    store = Store(tmp_path)
    store.append(
        "times.csv",
        "ann-1,knn.2,9.000\nann-1,knn.2,1.000\nbob-1,knn.2,3.000\nold-1,knn.2,50.0\nbob-1,knn.4,half",
    )
    assert figures.seconds_taken(store, {"ann-1", "bob-1"}) == {
        "knn.2": [1.0, 3.0]
    }  # the last time counts, and who counts
    assert figures.class_figures(class_, {"knn.2": [1.0, 3.0, 8.0]})[0]["seconds"] == (3.0, 8.0)


def written(tmp_path, results, **about):
    store = Store(tmp_path / "grades")
    for r in results:
        store.save(r.student, r)
    store.write(
        store.folder / "class.json",
        json.dumps({
            "homework": "00",
            "rule": {"take": "last", "until": None},
            "counts": [r.student for r in results],
            **about,
        }),
    )
    return store


def test_the_rule_and_who_it_touches_are_shown(tmp_path):
    late = made_up("bob", 1, late=True)
    store = written(
        tmp_path,
        [made_up("ann", 2), late],
        rule={"take": "best", "until": "2026-11-20T23:59:00+01:00"},
        several={"ann": 3},
    )
    page = report.write_report(store.folder).read_text(encoding="utf-8")
    assert "the best one handed in by 2026-11-20 23:59 UTC+01:00 counts" in page
    assert "(3 handed in)" in page
    assert "graded, late" in page
    ann, bob = (
        (store.folder / "report" / "students" / f"{name}.html").read_text(encoding="utf-8")
        for name in ("ann", "bob")
    )
    assert (
        "You handed in 3 times" in ann and "after the time that counts" in bob and "after the time" not in ann
    )
    assert "Every file was graded, and no question stands out" in page


def test_an_empty_class_and_one_that_nobody_could_grade(tmp_path):
    human = replace(
        made_up("ann", 0), status="needs a human", reason="the file is empty", questions={}, points=0.0
    )
    assert "the file is empty" in report.write_report(written(tmp_path / "one", [human]).folder).read_text(
        encoding="utf-8"
    )
    assert "Class report" in report.write_report(written(tmp_path / "none", []).folder).read_text(
        encoding="utf-8"
    )


def test_changes_say_why(tmp_path):
    store = written(tmp_path, [made_up("ann", 1)])
    by = [
        {"question": "q", "environment": "e"},
        {"question": "new", "environment": "e"},
        {"question": "new", "environment": "other"},
    ]
    for points, made_by in zip((1, 2, 0), by):
        result = made_up("ann", points)
        result.questions["knn.2"] = replace(result.questions["knn.2"], made_by=made_by)
        store.save("ann", result)
    store.save(
        "ann",
        replace(result, questions={}, points=0.0, status="needs a human", reason="the grader died"),
    )
    assert [(c["question"], c["before"], c["after"], c["why"]) for c in store.changed()] == [
        ("knn.2", 1, 2, "the question was mended"),
        ("knn.2", 2, 0, "the environment changed: Python, a package or the grader"),
        ("knn.4", 4, 0.0, "the grader died"),
    ]
    page = report.write_report(store.folder).read_text(encoding="utf-8")
    assert "1 → 2" in page
    assert "the question was mended" in page
    assert page.index("the grader died") < page.index("1 → 2")


def test_a_rubric_to_fill_in_is_written_once(tmp_path):
    store = written(tmp_path, [made_up("ann", 2), made_up("=bob", 1)])
    report.write_report(store.folder)
    path = store.folder / "rubric.csv"
    assert path.read_text(encoding="utf-8").splitlines() == [
        "student,question,points,of,comment",
        "ann,open answer,,,",
        "'=bob,open answer,,,",
    ]
    path.write_text(
        "student;question;points;of;comment\nann;essay;1.5;2;<b>fine</b>\n'=bob;essay;;2;\n",
        encoding="utf-8-sig",
    )  # as a spreadsheet saves it
    page = report.write_report(store.folder).read_text(encoding="utf-8")
    assert path.read_text(encoding="utf-8-sig").startswith("student;")
    assert ">of 12<" in page
    assert "<b>7.5</b>" in page
    ann = (store.folder / "report" / "students" / "ann.html").read_text(encoding="utf-8")
    assert "7.5 of 12" in ann and "essay: 1.5 points" in ann and "&lt;b&gt;fine" in ann
    path.write_text("student,points\n'=bob,1\n", encoding="utf-8")
    assert rubric.read_rubric(path, store.all()).points("=bob") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("name,points\nann,1", "line 1: the column student is missing"),
        ("student,points\nann,many", "line 2: 'many' is no number"),
        ("student,points\nann,\nzoe,1", "line 3: there is no student 'zoe'"),
        ("student,points\nann,1\nann,2", "has points already"),
        ("student,question,points,of\nann,a,1,2\nbob,a,1,3", "worth 3 here and 2"),
        ("", "the column student and points is missing"),
    ],
    ids=["no column", "no number", "no student", "twice", "two worths", "an empty file"],
)
def test_a_rubric_that_cannot_be_read_says_where(tmp_path, words, said):
    (tmp_path / "r.csv").write_text(words, encoding="utf-8")
    with pytest.raises(StoreError, match=said):
        rubric.read_rubric(tmp_path / "r.csv", [made_up("ann", 1), made_up("bob", 1)])


def test_a_rubric_in_another_encoding_or_gone(tmp_path):
    (tmp_path / "r.csv").write_bytes("student,points\nZoë,1".encode("latin-1"))
    with pytest.raises(StoreError, match="UTF-8"):
        rubric.read_rubric(tmp_path / "r.csv", [])
    with pytest.raises(StoreError, match="there is no file"):
        rubric.read_rubric(tmp_path / "none.csv", [], asked=True)
    assert rubric.read_rubric(tmp_path / "none.csv", []).of == 0
