"""Control groups, on a tree of folders that looks like the kernel's; and on this machine's own, where it has one."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from grading.sandbox import groups
from grading.sandbox.groups import Group, place_for_groups
from grading.sandbox.host import GROUPS, ProcessLost, Sandbox
from tests.grading.small import needs_sandbox

FILES = (
    "memory.max memory.swap.max memory.oom.group memory.events pids.max cpu.max cpu.stat cgroup.procs".split()
)
LIMITS = {"total_memory": 2**30, "processes": 64}


@pytest.fixture
def tree(monkeypatch, tmp_path):
    """Folders in which, as the kernel does it, a new one has its files at once; none of them limits anything."""
    (tmp_path / "cgroup.controllers").touch()
    mkdir, wanted = Path.mkdir, list(FILES)

    def makes(self, *about, **more):
        mkdir(self, *about, **more)
        for name in wanted:
            (self / name).touch()

    monkeypatch.setattr(groups.Path, "mkdir", makes)
    monkeypatch.setattr(groups.Path, "rmdir", shutil.rmtree)
    return tmp_path, wanted


def test_a_group_limits_all_that_it_should(tree):
    group = Group(tree[0], LIMITS)
    group.take(17)
    assert {
        name: (group.folder / name).read_text() for name in FILES if (group.folder / name).stat().st_size
    } == {
        "memory.max": str(2**30),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "64",
        "cpu.max": "100000 100000",
        "cgroup.procs": "17",
    }
    (group.folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 7\n")
    (group.folder / "memory.events").write_text("oom 1\noom_kill 0\n")
    assert group.cpu() == 1.5 and not group.ran_out_of_memory()
    (group.folder / "memory.events").write_text("oom 3\noom_kill 1\n")
    assert group.ran_out_of_memory()
    group.remove()
    assert not group.folder.exists()


@pytest.mark.parametrize("without", ["memory.max", "pids.max"])
def test_a_group_without_its_limits_is_none_and_leaves_nothing(tree, without):
    tree[1].remove(without)
    with pytest.raises(OSError):
        Group(tree[0], LIMITS)
    assert not list(tree[0].glob("course-*"))


def test_the_nearest_place_that_holds_is_taken(tree, monkeypatch):
    folder, inside = tree[0], tree[0] / "user" / "app" / "scope"
    inside.mkdir(parents=True)
    own = folder / "own"
    own.write_text("1:name=systemd:/x\n0::/user/app/scope\n")
    asked = []
    monkeypatch.setattr(groups, "may_hold_groups", lambda place: asked.append(place) or place.name == "app")
    assert place_for_groups([folder / "none", folder], own) == inside.parent
    assert asked == [inside, inside.parent]
    monkeypatch.setattr(groups, "may_hold_groups", lambda place: False)
    assert place_for_groups([folder], own) is None


def test_a_tree_that_takes_limits_and_does_not_hold_them_is_no_layer(tree, monkeypatch):
    monkeypatch.setattr(groups, "TRIAL", 2**20)
    assert not groups.may_hold_groups(tree[0]) and not list(tree[0].glob("course-*"))


def test_groups_of_a_grader_that_was_killed_are_removed(tree):
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        (tree[0] / f"course-{pid}-3").mkdir()
    groups.tidy(tree[0])
    assert [path.name for path in tree[0].glob("course-*")] == [f"course-{os.getpid()}-3"]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


class TestInTheSandbox:
    pytestmark = needs_sandbox

    def test_a_submission_is_put_into_its_group_before_it_runs(self, sandbox, tree, monkeypatch):
        """By the number that the kernel gives, which is that of a process in the sandbox."""
        monkeypatch.setattr(sandbox, "place", tree[0])
        process = sandbox.process()
        number = (process.group.folder / "cgroup.procs").read_text()
        status = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
        assert "NSpid:" in status and status.split("NSpid:")[1].splitlines()[0].split()[-1] == "1"
        (process.group.folder / "cpu.stat").write_text("usage_usec 2000000\n")
        assert process.cpu() == 2.0 and sandbox.layers()[GROUPS]
        process.close()
        assert not list(tree[0].glob("course-*"))

    def test_what_a_group_ended_for_its_memory_is_told_so(self, sandbox, tree, monkeypatch):
        monkeypatch.setattr(sandbox, "place", tree[0])
        process = sandbox.process()
        (process.group.folder / "memory.events").write_text("oom_kill 1\n")
        with pytest.raises(ProcessLost, match="memory"):
            process.request({"op": "cell", "cell": 0, "source": "import os; os._exit(1)"}, 30.0)

    def test_the_layers_say_whether_this_machine_has_groups(self, sandbox):
        assert sandbox.layers()[GROUPS] == (place_for_groups() is not None)
        assert all(has for what, has in sandbox.layers().items() if what != GROUPS)
