"""Which cells of an exercise run: all that a student wrote, and what these hang on."""

from grading.classroom.answers import Cell, Homework, read_cells
from grading.classroom.idle_cells import needed
from grading.imports import ROOT

ANSWER = "def f(x):\n    y = x + shift\n    return y"
# name: (released cells, what the student has in the answer's cell, the released cells that have to run)
CASES = {
    "a figure": (["fig, ax = figure()\nax.plot([1, 2])\nplt.show()"], ANSWER, []),
    "a value that the answer reads": (["shift = 3"], ANSWER, [0]),
    "what that value is made of": (["a = 2", "shift = 2 * a", "b = a"], ANSWER, [0, 1]),
    "a name that is the function's own": (["y = 7", "x = 8"], ANSWER, []),
    "a value that is changed in place": (
        ["shift = np.zeros(3)", "shift[0] = 1", "shift.sort()"],
        ANSWER,
        [0, 1, 2],
    ),
    "a value that is handed to a call": (["shift = [1]", "total = spoil(shift)"], ANSWER, [0, 1]),
    "a value that is only printed": (["shift = [1]", "print(shift)\nplt.plot(shift)"], ANSWER, [0]),
    "an attribute": (["shift = Table()", "shift.unit = 'cm'"], ANSWER, [0, 1]),
    "a call of the answer": (["z = f(3)\nprint(z)"], ANSWER, []),
    "a name in a loop": (["for shift in range(3):\n    pass"], ANSWER, [0]),
    "a walrus": (["if (shift := 3) > 2:\n    pass"], ANSWER, [0]),
    "a value read above, and changed below": (
        ["birds = load()\nshift = birds.mean()", "birds.sort()\nz = spoil(birds)"],
        ANSWER,
        [0],
    ),
    "a value read in a function above, and changed below": (
        ["birds = load()\ndef shift():\n    return birds", "birds.sort()"],
        ANSWER,
        [0, 1],
    ),
    "a function that binds globally": (
        ["def g():\n    global shift\n    shift = 4", "g()", "z = 1"],
        ANSWER,
        [0, 1, 2],
    ),
    "the generator of all": (["np.random.seed(3)"], ANSWER, [0]),
    "an answer that looks names up": (
        ["shift = 3", "z = 4"],
        ANSWER + "\nvalue = eval('sh' + 'ift')",
        [0, 1],
    ),
    "an answer that asks the shell": (["z = 4"], "f = get_ipython().user_ns['z']", [0]),
    "a name in a query": (["z = 4", "w = 5"], "def f(t):\n    return t.query('a > @z')", [0]),
    "a sum of 1500 parts": (["w = 5"], ANSWER + "\nz = " + "1 + " * 1500 + "1", []),
    "1500 branches": (["w = 5"], "if 0:\n  z = 1\n" + "elif 0:\n  z = 2\n" * 1500, [0]),
    "an answer that is no Python": (["shift = 4", "w = 5"], "def f(:\n    shift", [0]),
}


def cells_of(sources):
    return [Cell(i, "code", source) for i, source in enumerate(sources)]


def test_what_an_answer_hangs_on_runs(subtests):
    for name, (released, answer, run) in CASES.items():
        cells = cells_of([*released, answer])
        found = needed(cells, frozenset(released), frozenset({len(released)}))
        with subtests.test(name):
            assert [cell.number for cell in found] == [*run, len(released)]


def test_a_cell_of_the_students_own_always_runs():
    cells = cells_of(["z = 1", "z = 2", "print('mine')", ANSWER])
    assert [cell.number for cell in needed(cells, frozenset({"z = 1"}), frozenset({3}))] == [1, 2, 3]


def test_of_a_released_homework_the_figures_do_not_run():
    homework = Homework(ROOT / "exercises" / "02-homework.ipynb")
    cells = read_cells((ROOT / "exercises" / "02-homework.ipynb").read_bytes())
    answers = frozenset(cell.number for cell in homework.answers(cells).values())
    released = frozenset(cell.source.strip() for cell in homework.cells)
    assert {cell.number for cell in needed(homework.to_run(cells), released, answers)} == answers
