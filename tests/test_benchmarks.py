"""The benchmarks run and compare before they time; the committed results have the page's shape."""

import json
import os

import numpy as np
import pytest

from benchmarks import bars, families, measuring, reporting, run, workload
from benchmarks.workload import Case, Workload

families.load_all()


def test_two_small_workloads(tmp_path):
    out = tmp_path / "results.json"
    assert run.main(["--quick", "rfe", "adaboost_stumps", "--out", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))["results"]
    assert list(found) == ["rfe", "adaboost_stumps"]
    for family in found.values():
        (row,) = family["shapes"].values()  # the small table
        assert row["ratio"]["scikit-learn"] > 0 and row["seconds"]["helpers"] > 0
        assert row["agreement"]["scikit-learn"][0][1:] == [0, 0] and not row["of_the_51"]
        assert all(len(g["sizes"]) == len(g["seconds"]) == 2 for g in family["growth"].values())


def of(case):
    shapes = {"small": {"n": 1}, "typical": {"n": 2}, "large": {"n": 2}}
    return Workload("new", "{n} rows", lambda n=2: case, shapes, {"n": 1})


@pytest.mark.parametrize("theirs", [1.1, np.nan])
def test_what_differs_is_not_timed(monkeypatch, tmp_path, capsys, theirs):
    asked = []
    case = Case(
        lambda: asked.append("ours") or 1.0, {"scikit-learn": lambda: theirs}, workload.equal_within(0.01)
    )
    monkeypatch.setitem(workload.FAMILIES, "new", of(case))
    out = tmp_path / "results.json"
    assert run.main(["new", "--quick", "--out", str(out)]) == 1
    assert len(asked) == 1 and "new, small: NOT TIMED" in capsys.readouterr().err
    assert json.loads(out.read_text(encoding="utf-8"))["results"] == {}


def test_a_missing_peer_is_left_out_and_named():
    case, absent = measuring.present(
        Case(int, {"scikit-learn (svd)": int, "no-such-peer (fast)": int}, workload.same)
    )
    assert list(case.peers) == ["scikit-learn (svd)"] and absent == ["no-such-peer (fast)"]


def test_ratios_are_the_peers_time_over_ours():
    times = {"helpers": [(1.0, 2.0), (1.0, 4.0), (2.0, 1.0)], "peer": [(3.0, 2.0), (5.0, 4.0), (8.0, 9.0)]}
    assert measuring.ratios(times, 0) == {"peer": 4.0} and measuring.ratios(times, 1) == {"peer": 1.0}


def test_growth_finds_the_exponent(monkeypatch):
    monkeypatch.setattr(measuring, "timed", lambda cost, calls: (cost(), cost()))
    family = Workload(
        "new", "", lambda n=1, d=1: Case(lambda: 1e-3 * n**2 * d, {}, workload.same), {}, {"n": 4, "d": 3}
    )
    found = measuring.growth(family, 3)
    assert found["n"]["sizes"] == [4, 8, 16, 32] and found["n"]["exponent"] == pytest.approx(2)
    assert found["d"]["exponent"] == pytest.approx(1)


needs_fork = pytest.mark.skipif(
    not measuring.can_fork(), reason="needs Linux: a process of its own, and its peak"
)


@needs_fork
def test_a_peak_is_seen(monkeypatch):
    case = Case(lambda: np.ones(2**22).sum(), {"scikit-learn": lambda: None}, workload.same)  # 32 MiB, let go
    monkeypatch.setitem(workload.FAMILIES, "new", of(case))
    ours, theirs = (measuring.alone(measuring.peak, "new", who) for who in ("helpers", "scikit-learn"))
    assert 30 < ours < 40 and theirs < 8


@needs_fork
def test_a_process_of_its_own():
    assert measuring.alone(os.getpid) != os.getpid()
    with pytest.raises(measuring.Disagreement, match="0.3 more"):
        measuring.alone(_differ)
    with pytest.raises(RuntimeError, match="its process died"):
        measuring.alone(os._exit, 1)


def _differ():
    raise measuring.Disagreement("0.3 more")


def test_there_are_51_families_and_every_bar_is_of_one():
    assert len(workload.FAMILIES) == 51
    for family, wanted in bars.BARS.items():
        small = workload.FAMILIES[family].make(**workload.FAMILIES[family].shapes["small"])
        assert wanted.keys() <= small.peers.keys()


def test_a_table_has_its_sizes_in_its_words():
    for family in workload.FAMILIES.values():
        assert list(family.shapes) == list(workload.SHAPES)
        words = [family.words(shape) for shape in workload.SHAPES]
        assert len(set(words)) == 3 and not any("{" in told for told in words), family.name


def test_what_is_slower_needs_a_reason(monkeypatch):
    row = {"of_the_51": False, "ratio": {"scikit-learn": 0.49, "other": 2.0}}
    slow = {"lle": {"shapes": {"small": row}}}
    assert bars.missed(slow) == [("lle", "small", "scikit-learn", 0.49, 0.5)]
    assert bars.unexplained(slow) == ["lle"] and "small 0.49" in reporting.slower(slow)
    monkeypatch.setitem(bars.SLOWER, "lle", "because.")
    assert bars.unexplained(slow) == [] and reporting.slow(slow).endswith("because.\n")
    assert bars.unexplained({"lle": {"shapes": {"small": row | {"ratio": {"scikit-learn": 0.5}}}}}) == []
    large = {"lle": {"shapes": {"small": row, "large": row | {"of_the_51": True, "ratio": {"a": 8, "b": 2}}}}}
    assert bars.means(large, large=True) == pytest.approx((8, 2))
    assert bars.means(large) == pytest.approx(((0.49 * 8) ** 0.5, (0.49 * 2) ** 0.5))


def test_the_page_is_made_from_the_committed_results():
    found = reporting.stored()
    assert [name for name in workload.FAMILIES if name in found["results"]] == list(found["results"])
    assert reporting.PAGE.read_text(encoding="utf-8") == reporting.page(found["results"], found["machine"])
    assert not {"/", "\\"} & set("".join(map(str, found["machine"].values())))  # no paths
    assert bars.unexplained(found["results"]) == []
    for family in found["results"].values():
        assert list(family["shapes"]) == list(workload.SHAPES) and family["growth"] and family["memory_mib"]
        for shape, row in family["shapes"].items():
            assert row["ratio"].keys() == row["agreement"].keys() and row["of_the_51"] == (shape == "large")
