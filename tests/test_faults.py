"""The tools that plant faults find what a weak check misses, and leave a strong one alone."""

import ast
import json
import os
import subprocess
import sys
import time

import pytest

from tools.books import ROOT
from tools.faults.in_code import CHAPTER, MODULE, RULES, faults, formula_faults, sample
from tools.faults.in_tex import faulty_tex, tex_faults
from tools.faults.mutants import reference_mutants
from tools.faults.processes import need_fork
from tools.try_faults import read_no_faults

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="faults run in forks: Linux or macOS")

# ---- the list of faults -----------------------------------------------------------

PLANTED = [
    ("operator", "y = a + b", "y = (a - b)"),
    ("operator", "y = a * b", "y = (a / b)"),
    ("operator", "t += x", "t -= x"),
    ("constant", "v = s / (n - 1)", "v = s / (n)"),
    ("term", "y = a + b * c", "y = a"),
    ("factors", "S = A.T @ A", "S = (A @ A.T)"),
    ("sign", "y = -x", "y = x"),
    ("sign", "y = np.exp(-0.5 * d)", "y = np.exp(0.5 * d)"),
    ("transpose", "Z = X @ W.T", "Z = X @ W"),
    ("name", "m = X.mean(axis=0)", "m = X.sum(axis=0)"),
    ("name", "i = np.argmin(d)", "i = np.argmax(d)"),
    ("name", "H = -p @ np.log2(p)", "H = -p @ np.log(p)"),
    ("name", "s = X.std()", "s = X.var()"),
    ("name", "m = min(a, b)", "m = max(a, b)"),
    ("root", "d = np.sqrt(q)", "d = q"),
    ("root", "d = abs(x - y)", "d = (x - y)"),
    ("root", "d = np.linalg.norm(x)", "d = (np.linalg.norm(x) ** 2)"),
    ("axis", "m = X.max(axis=0)", "m = X.max(axis=1)"),
    ("reversed", "w = W[:, o][::-1]", "w = W[:, o]"),
    ("order", "o = np.argsort(d)", "o = np.argsort(d)[::-1]"),
    ("number", "x = z[2]", "x = z[3]"),
    ("number", "x = z[2]", "x = z[1]"),
    ("number", "x = 0.5 * z", "x = 1.5 * z"),
    ("flag", "f(keepdims=True)", "f(keepdims=False)"),
    ("comparison", "m = a < b", "m = (a <= b)"),
    ("comparison", "m = a < b", "m = (a > b)"),
    ("comparison", "m = a == b", "m = (a != b)"),
    ("logic", "m = a and b", "m = (a or b)"),
    ("logic", "m = not a", "m = a"),
    ("logic", "y = 1 if rows else 2", "y = 1 if (not rows) else 2"),
    ("keyword", "S = np.cov(X, rowvar=False)", "S = np.cov(X)"),
    ("slice", "y = x[:k]", "y = x[:]"),
    ("statement", "check(X)", "pass"),
    ("returned", "def f(a, b):\n    c = a\n    return a", "def f(a, b):\n    c = a\n    return c"),
    ("returned", "def f():\n    return q, r", "def f():\n    return (r, q)"),
]


def test_each_kind_of_fault_is_found(subtests):
    for kind, sound, faulty in PLANTED:
        found = faults(sound, kinds=[kind])
        with subtests.test(f"{kind}: {sound}"):
            assert faulty in [f.code for f in found]
            assert {f.kind for f in found} == {kind} and all(f.what for f in found)


def test_every_rule_has_a_planted_fault():
    assert {kind for kind, *_ in PLANTED} == set(RULES) == set(MODULE) and set(CHAPTER) < set(MODULE)


def test_numbers_that_count_from_the_end_keep_their_sign():
    assert not faults("y = x[-1]", ["sign"]) and not faults("y = f(x, axis=-1)", ["sign"])


def test_a_fault_keeps_comments_and_other_lines():
    sound = "# Größe µ\nx = 'é'; y = a - b  # (1.1) ≤\nz = 1\n"
    (fault,) = faults(sound, ["operator"])
    assert fault.code == "# Größe µ\nx = 'é'; y = (a + b)  # (1.1) ≤\nz = 1\n"
    assert fault.line == 2 and fault.diff(sound).split("\n")[1].startswith("+ x = 'é'; y = (a + b)")


STATES_NOTHING = [
    '"""1 + 1"""',
    "from a import mean",
    "raise ValueError(f'{n - 1} of {n + 1}')",
    "def f(x: 1 - n): ...",
    "__all__ = ['a' + 'b']",
    "text = f'{a - b}'",
]
SETS_UP = [
    "X = rng.normal(size=n - 1) ",
    "X = make_blobs(n + 1)",
    "ax.plot(x, y - 1)",
    "print(a + b)",
    "equal(a, b, atol=tol * 2)",
    "for i in reversed(n - 1):\n    pass",
    "assert e < 2 * eps",
    "x = z[3]",
]
MEASURES = [
    "assert a - b < c - d",
    "assert 0.1 < a - b < 1 + c",
    "assert 1e-3 > a - b",
    "for i in range(n - 1):\n    s = a - b",
]


def test_what_states_nothing_is_left_alone():
    assert {code: faults(code) for code in STATES_NOTHING} == dict.fromkeys(STATES_NOTHING, [])


def test_set_up_is_left_alone_in_a_chapter():
    assert {code: formula_faults(code) for code in SETS_UP} == dict.fromkeys(SETS_UP, [])


def test_what_is_measured_is_touched_in_a_chapter():
    found = {code: [fault.what for fault in formula_faults(code)] for code in MEASURES}
    assert found == dict.fromkeys(MEASURES, ["a - b: another operator"])


def test_the_outer_product_in_a_trace_commutes_and_the_inner_does_not():
    assert faults("t = np.trace(A @ B) + (C @ D).trace()", ["factors"]) == []
    assert [f.what for f in faults("t = np.trace(A @ B @ C)", ["factors"])] == ["A @ B: the factors swapped"]


def test_the_list_is_the_same_each_time_and_so_is_a_sample():
    code = (ROOT / "tools" / "faults" / "in_code.py").read_text(encoding="utf-8")
    found = faults(code)
    assert found == faults(code) and len({f.code for f in found}) == len(found) > 100
    assert [f.line for f in found] == sorted(f.line for f in found)
    few = sample(found, 20, seed=0)
    assert few == sample(found, 20, seed=0) != sample(found, 20, seed=1)
    assert len(few) == 20 and few == [f for f in found if f in few]
    assert sample(found[:3], 20, seed=0) == found[:3]


def test_every_fault_is_python_and_differs():
    sound = (ROOT / "tools" / "faults" / "in_code.py").read_text(encoding="utf-8")
    tree = ast.dump(ast.parse(sound))
    for fault in sample(faults(sound), 60, seed=0):
        assert ast.dump(ast.parse(fault.code)) != tree, fault.what


# ---- mutants of a reference -------------------------------------------------------


def total_square(x):
    return sum(value * value for value in x)


def mean_square(x):
    n = len(x)
    return total_square(x) / n


def count_down(n):
    while n > 0:
        n -= 1
    return n


REGISTERED = []


def register(function):
    REGISTERED.append(function)
    return function


@register
def registered(x):
    return x + 1


def test_mutants_of_a_function_are_wrong_and_the_function_is_untouched():
    answers = {}
    for what, mutant in reference_mutants(mean_square):
        answers[what] = mutant([1, 2, 3])
    assert answers["line 3: total_square(x) / n: another operator"] == 42 and mean_square([1, 2, 3]) == 14 / 3


def test_mutants_of_a_helper_are_seen_through_the_function_that_calls_it():
    found = dict(reference_mutants(mean_square, inside=[total_square], kinds=["operator"]))
    assert found["total_square: line 2: value * value: another operator"]([1, 2, 3]) == 1.0
    assert mean_square([1, 2, 3]) == 14 / 3


def test_a_closure_and_keyword_defaults_survive():
    shift = 10

    def shifted(x, *, scale=2):
        return scale * x + shift

    mutants = dict(reference_mutants(shifted, kinds=["operator"]))
    assert mutants["line 2: scale * x + shift: another operator"](3) == -4


def test_decorators_do_not_run_again():
    assert len(list(reference_mutants(registered))) >= 2
    assert len(REGISTERED) == 1


def test_a_lambda_is_refused():
    with pytest.raises(ValueError, match="def"):
        list(reference_mutants(lambda x: x + 1))


@forks
def test_a_mutant_that_hangs_is_stopped():
    mutants = dict(reference_mutants(count_down, kinds=["operator"], seconds=0.2))
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        mutants["line 3: n -= 1: another operator"](5)
    assert time.monotonic() - began < 5


# ---- a notebook -------------------------------------------------------------------

SET_UP = (
    "import numpy as np\nrng = np.random.default_rng(0)\nX = rng.normal(size=(9, 3)) + 2\n"
    "def covariance(X):\n    A = X - X.mean(axis=0)\n    return A.T @ A / (len(X) - 1)\n"
    "def through(X):\n    return covariance(X)"
)
STRONG = "A = X - X.mean(axis=0)\nassert np.allclose(A.T @ A / (len(X) - 1), np.cov(X, rowvar=False))"
WEAK = "A = X - X.mean(axis=0)\nassert (A.T @ A / (len(X) - 1)).shape == (3, 3)"


def notebook(path, *cells):
    """A notebook of (tags, source) or (tags, source, error name) cells."""

    def cell(tags, source, ename=None):
        outputs = [{"output_type": "error", "ename": ename, "evalue": "", "traceback": []}] if ename else []
        return {"cell_type": "code", "metadata": {"tags": tags}, "source": source, "outputs": outputs}

    path.write_text(json.dumps({"cells": [cell(*c) for c in cells]}), encoding="utf-8")
    return path


def try_faults(*arguments):
    command = [sys.executable, str(ROOT / "tools" / "try_faults.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)


@forks
def test_a_strong_check_notices_every_fault_and_the_counts_are_kept(tmp_path):
    path = notebook(tmp_path / "a.ipynb", ([], SET_UP), (["eq:1.1", "item:01.1"], STRONG))
    counts = tmp_path / "f.json"
    counts.write_text('{"b": {"made": 3}}', encoding="utf-8")
    run = try_faults(path, "--json", counts, "--at-least", 100)
    assert run.returncode == 0, run.stdout + run.stderr
    kept = json.loads(counts.read_text(encoding="utf-8"))
    assert kept["b"] == {"made": 3} and kept["a"]["made"] == kept["a"]["noticed"] >= 8
    assert kept["a"]["tags"]["eq:1.1"] == kept["a"]["tags"]["item:01.1"] and not kept["a"]["functions"]


@forks
def test_the_counts_of_a_tag_are_those_of_all_its_cells(tmp_path):
    path, counts = tmp_path / "a.ipynb", tmp_path / "f.json"
    notebook(path, ([], SET_UP), (["eq:1.1"], STRONG), (["eq:1.1", "item:01.1"], WEAK), (["item:01.2"], "1"))
    try_faults(path, "--json", counts)
    kept = json.loads(counts.read_text(encoding="utf-8"))["a"]
    strong, weak, bare = kept["cells"].values()
    both = kept["tags"]["eq:1.1"]
    assert strong["made"] == strong["noticed"] and weak["made"] > weak["noticed"] and bare["made"] == 0
    assert all(both[key] == strong[key] + weak[key] for key in ("made", "noticed"))
    assert len(both["survivors"]) == both["made"] - both["noticed"]


@forks
def test_a_weak_check_shows_its_survivors(tmp_path):
    run = try_faults(notebook(tmp_path / "a.ipynb", ([], SET_UP), (["eq:1.1"], WEAK)))
    assert run.returncode == 1
    assert "survives: line 2: len(X) - 1: the constant dropped" in run.stdout


@forks
@pytest.mark.parametrize(
    "check, status",
    [
        ("assert np.allclose(through(X), np.cov(X, rowvar=False))", 0),
        ("assert through(X).shape == (3, 3)", 1),
    ],
)
def test_a_function_is_tried_by_the_check_cells_that_use_it(tmp_path, check, status):
    run = try_faults(notebook(tmp_path / "a.ipynb", ([], SET_UP), (["eq:1.1"], check)))
    assert run.returncode == status, run.stdout + run.stderr
    assert ("survives: line 3: len(X) - 1: the constant dropped" in run.stdout) == bool(status)
    assert " covariance" in run.stdout


@forks
def test_a_cell_that_shows_an_error_notices_when_the_error_no_longer_comes(tmp_path):
    cell = (["item:01.1", "raises-exception"], "1 / (len(X) - 9)", "ZeroDivisionError")
    run = try_faults(notebook(tmp_path / "a.ipynb", ([], SET_UP), cell))
    assert run.returncode == 0 and "a.ipynb: 3/3" in run.stdout, run.stdout


@forks
def test_a_cell_that_fails_as_it_stands_is_an_error(tmp_path):
    path = notebook(tmp_path / "a.ipynb", ([], SET_UP), ([], "assert 1 == 2"), (["eq:1.1"], STRONG))
    run = try_faults(path)
    assert run.returncode == 1 and "cell 1 fails as it stands" in run.stdout


@forks
def test_what_is_mathematically_no_fault_is_set_aside_and_an_old_entry_is_an_error(tmp_path):
    check = "assert np.isclose(X[0] @ X[1], (X[0] * X[1]).sum())"
    path = notebook(tmp_path / "a.ipynb", ([], SET_UP), (["eq:1.1"], check))
    entry = (
        '[[no-fault]]\nnotebook = "a"\nwhere = "eq:1.1"\nwhat = "X[0] @ X[1]: the factors swapped"\n'
        'reason = "a product of two vectors is symmetric"\n'
    )
    aside = tmp_path / "no-faults.toml"
    aside.write_text(entry, encoding="utf-8")
    assert "X[0] @ X[1]: the factors swapped" in try_faults(path).stdout
    run = try_faults(path, "--no-faults", aside, "--at-least", 100)
    assert run.returncode == 0 and "2/2 faults noticed (100.0 %), 1 set aside" in run.stdout, run.stdout
    aside.write_text(entry.replace("X[1]", "X[2]"), encoding="utf-8")
    run = try_faults(path, "--no-faults", aside, "--at-least", 0)
    assert run.returncode == 1 and "matches nothing in no-faults.toml" in run.stdout


def test_an_entry_without_a_reason_is_refused(tmp_path):
    entry = '[[no-fault]]\nnotebook="a"\nwhere="f"\nwhat="x"\nreason=" "'
    (tmp_path / "n.toml").write_text(entry, encoding="utf-8")
    with pytest.raises(ValueError, match="reason"):
        read_no_faults(tmp_path / "n.toml")


def test_the_entries_of_the_course_are_complete():
    read_no_faults(ROOT / "docs" / "no-faults.toml")


def test_where_nothing_can_fork_it_says_so(monkeypatch, capsys):
    monkeypatch.delattr(os, "fork", raising=False)
    with pytest.raises(SystemExit) as e:
        need_fork()
    assert e.value.code == 2 and "WSL" in capsys.readouterr().err


@forks
def test_a_child_that_hangs_is_ended_and_an_error_is_not_a_pass():
    code = (
        "import signal, time\nfrom tools.faults.processes import finish, start\n"
        "print(finish(start(lambda: time.sleep(60), 1)) == -signal.SIGALRM)\n"
        "busy = lambda: [signal.alarm(0)] + [0 for _ in iter(int, 1)]\n"  # on a loaded machine it rings first
        "print(finish(start(busy, 1)) == -signal.SIGXCPU)\n"
        "print(finish(start(lambda: 1 / 0, 9)), finish(start(lambda: 0, 9)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.stdout.split() == ["True", "True", "1", "0"], run.stderr


# ---- the TeX that a chain displays

TEX = [
    ("sign", r"a + b", r"a - b"),
    ("sign", r"-a", r"a"),
    ("exponent", r"a^2", r"a^3"),
    ("exponent", r"a^2", r"a"),
    ("exponent", r"A^{-1} b", r"A b"),
    ("transpose", r"x_i^\top w", r"x_i w"),
    ("transpose", r"E a^{j\top}", r"E a^{j}"),
    ("index", r"\sum_{i,j} x_i y_j", r"\sum_{i,j} x_j y_j"),
    ("index", r"\lambda_1", r"\lambda_{2}"),
    ("factor", r"2 a", r"3 a"),
    ("factor", r"\tfrac12 a", r"\tfrac13 a"),
    ("1/n", r"\frac{1}{n} s", r"\frac{1}{n - 1} s"),
    ("bound", r"\sum_{j > k} \lambda_j", r"\sum_{j \ge  k} \lambda_j"),
    ("bound", r"\sum_{i=1}^{n} y_i", r"\sum_{i=2}^{n} y_i"),
    ("bound", r"\lambda_1 + \dots + \lambda_k", r"\lambda_1 + \dots + \lambda_{k - 1}"),
    ("bar", r"x_i - \bar x", r"x_i -  x"),
    ("hat", r"\hat x_i", r" x_i"),
    ("name", r"\max_i y_i", r"\min_i y_i"),
]


def test_each_kind_of_fault_in_tex_is_found(subtests):
    for kind, sound, faulty in TEX:
        with subtests.test(f"{kind}: {sound}"):
            assert faulty in faulty_tex(sound) and sound not in faulty_tex(sound)


CHAIN = (
    "from helpers.derivation import Derivation, centred\nfrom helpers.reading import Notation\n"
    "table = Notation(r'''\nX | matrix n × d | samples |\nw | column d | axis |\nn | number | how many |\n"
    "x_i | column | sample | row i of X\n''')\n"
    "def drawn(rng):\n    return {'X': rng.normal(size=(5, 3)) + 1, 'w': rng.normal(size=3)}\n"
)
READ = (
    "chain = Derivation('A claim', draw=drawn)\n"
    "chain.begin(r'\\sum_i (x_i^\\top w)^2', lambda X, w: ((X @ w) ** 2).sum())\n"
    "chain.equals(r'w^\\top X^\\top X w')\nchain.result('1.1')"
)


def test_only_lines_that_are_read_get_faults_in_tex():
    assert len(tex_faults(READ, named=True)) == 6 and tex_faults(READ, named=False) == []
    assert tex_faults(READ.replace("draw=drawn", "draw=drawn, names=None"), named=True) == []
    assert len(tex_faults(READ.replace("draw=drawn", "draw=drawn, names=table"), named=False)) == 6
    assert len(tex_faults(READ.replace("X w')", "X w', in_words=True)"), named=True)) == 4
    assert {f.kind for f in tex_faults(READ, named=True)} == {"tex"}


@forks
def test_faults_in_tex_are_noticed_and_counted_beside_the_others(tmp_path):
    path, counts = notebook(tmp_path / "a.ipynb", ([], CHAIN), (["eq:1.1"], READ)), tmp_path / "f.json"
    run = try_faults(path, "--json", counts, "--at-least", 0)
    assert run.returncode == 0, run.stdout + run.stderr
    kept = json.loads(counts.read_text(encoding="utf-8"))["a"]
    assert kept["tex"]["made"] == 6 and kept["made"] >= 6 + 2 and kept["tags"]["eq:1.1"]["tex"] == kept["tex"]
    assert kept["tex"]["noticed"] == 6 and kept["tex"]["refused"] == 3  # each transpose
    assert "6/6 in TeX, 3 refused by the reader" in run.stdout


LINE, ONE = r"w^\top w \cdot 1^2", r"w^\top w \cdot 1^3"
ENTRY = f"[[no-fault]]\nnotebook = 'a'\nwhere = 'eq:1.1'\nwhat = '{LINE} ⇒ {{}}'\nreason = 'as it says'\n"
ENTRIES = {
    "an identity": (ENTRY.format(ONE) + "identity = '1^2 = 1^3'", None),
    "none": (ENTRY.format(LINE.replace("1", "2")) + "identity = '1 = 2'", "no identity: eq:1.1"),
    "up to a factor": (
        ENTRY.format(LINE.replace("1", "2")) + "identity = '2^2 = 4'\nup_to = 'a factor'\nover = 'w'",
        None,
    ),
}


@forks
@pytest.mark.parametrize("entry, says", ENTRIES.values(), ids=ENTRIES)
def test_an_identity_of_tex_is_proved_on_generic_draws(tmp_path, entry, says):
    claim = (
        "chain = Derivation('A claim', draw=drawn)\nchain.begin(r'\\lVert w \\rVert^2', lambda w: w @ w)\n"
        f"chain.equals(r'{LINE}')\nchain.result('1.1')"
    )
    path, aside = notebook(tmp_path / "a.ipynb", ([], CHAIN), (["eq:1.1"], claim)), tmp_path / "n.toml"
    aside.write_text(entry, encoding="utf-8")
    run = try_faults(path, "--no-faults", aside, "--at-least", 0)
    assert run.returncode == (1 if says else 0), run.stdout + run.stderr
    assert (says or "1 set aside") in run.stdout


def test_an_entry_for_tex_without_its_identity_is_refused(tmp_path):
    (tmp_path / "n.toml").write_text(ENTRY.format(ONE), encoding="utf-8")
    with pytest.raises(ValueError, match="states the identity"):
        read_no_faults(tmp_path / "n.toml")
