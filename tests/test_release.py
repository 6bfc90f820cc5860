"""What a release holds, and how the site is published."""

import os
import subprocess
from zipfile import ZipFile

import pytest

from tools import make_release
from tools.books import ROOT


def test_a_release_is_a_zip_with_its_news(tmp_path, monkeypatch, capsys):
    assert make_release.main(["--out", str(tmp_path), "--with-solutions"]) == 0
    learners, lecturers = sorted(tmp_path.glob("*.zip"), key=lambda path: len(path.name))
    names = [set(ZipFile(path).namelist()) for path in (learners, lecturers)]
    assert {name.split("/")[1] for name in names[1] - names[0]} == {"solutions"}
    assert {"fewer-dimensions/.ci/run", "fewer-dimensions/.gitignore"} <= names[0] and not names[0] - names[1]
    told = capsys.readouterr().out
    assert "third edition" in told and str(learners) in told and "2.0.0" not in told


def test_a_version_without_news_is_no_release():
    with pytest.raises(SystemExit, match="has no part"):
        make_release.news("9.9.9", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path):
    """A copy with an origin beside it; what installs and builds is played by two scripts."""
    for name in ("docs/site.toml", ".github/publish.sh"):
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "bin").mkdir()
    builds = (
        "mkdir -p _build/site/_static; touch _build/site/.nojekyll _build/site/_static/a.css; "
        "date +%N > _build/site/index.html"
    )
    for name, does in (("pip", "true"), ("uv", builds)):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    git(tmp_path, "init", "-q", "--bare", "origin")
    git(tmp_path / "copy", "init", "-q", "-b", "main")
    git(tmp_path / "copy", "remote", "add", "origin", "../origin")
    (tmp_path / "copy" / ".gitignore").write_text("_build/\n", encoding="utf-8")
    git(tmp_path / "copy", "add", ".")
    git(tmp_path / "copy", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all")
    return tmp_path / "copy"


def git(folder, *words):
    done = subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True, encoding="utf-8"
    )
    return done.stdout.strip()


def publish(copy):
    path = os.pathsep.join([str(copy.parent / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", copy / ".github" / "publish.sh"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PATH": path},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_published_without_an_address(repository):
    assert "nothing is published" in publish(repository)
    assert git(repository, "ls-remote", "origin") == ""


def test_the_site_becomes_the_only_commit_of_its_branch(repository):
    settings = repository / "docs" / "site.toml"
    text = settings.read_text(encoding="utf-8")
    assert 'repository = ""' in text
    settings.write_text(
        text.replace('repository = ""', 'repository = "https://example.org/a/b"'), encoding="utf-8"
    )
    before = git(repository, "status", "--short"), git(repository, "rev-parse", "HEAD")
    heads = []
    for _ in range(2):
        publish(repository)
        git(repository, "fetch", "-q", "origin", "gh-pages")
        heads.append(git(repository, "rev-parse", "FETCH_HEAD"))
        held = git(repository, "ls-tree", "-r", "--name-only", "FETCH_HEAD").split()
        assert held == [".nojekyll", "_static/a.css", "index.html"]
        assert git(repository, "rev-list", "--count", "FETCH_HEAD") == "1"
    assert heads[0] != heads[1]
    assert before == (git(repository, "status", "--short"), git(repository, "rev-parse", "HEAD"))


def test_the_workflow_runs_that_script_with_pinned_actions():
    yaml = pytest.importorskip("yaml")
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))
    steps = flow["jobs"]["site"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == ["sh .github/publish.sh"]
    assert all(len(step["uses"].partition("@")[2]) == 40 for step in steps if "uses" in step)
    assert flow["permissions"] == {"contents": "write"}
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"):
        assert {"name", "description", "body"} <= yaml.safe_load(form.read_text(encoding="utf-8")).keys()
