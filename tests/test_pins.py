"""pyproject.toml, requirements.txt and environment.yml pin the same versions."""

import tomllib

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from tools import pin
from tools.books import ROOT

NAMES = ("pyproject.toml", "requirements.txt", "environment.yml")


@pytest.fixture
def texts():
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES}


def problems(texts):
    return pin.problems(*(texts[name] for name in NAMES))


def numpy_pin(texts):
    return next(line for line in texts["requirements.txt"].splitlines() if line.startswith("numpy=="))


def test_the_three_agree(texts):
    assert problems(texts) == []
    assert pin.main(["--check"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_another_version_in_one_of_them_is_noticed(texts, name):
    version = pin.versions_of([numpy_pin(texts)])["numpy"]
    old = "numpy=" + pin.minor(version) if name == "environment.yml" else f"numpy=={version}"
    assert old in texts[name]
    texts[name] = texts[name].replace(old, old.replace("=2.", "=2.9"))
    assert problems(texts)


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_is_gone_is_noticed(texts, name):
    lines = texts[name].splitlines(keepends=True)
    gone = [line for line in lines if not line.strip().strip('",-').strip().startswith("scipy=")]
    assert len(gone) == len(lines) - 1
    texts[name] = "".join(gone)
    assert problems(texts)


def test_a_new_dependency_without_a_pin_is_noticed(texts):
    texts["pyproject.toml"] = texts["pyproject.toml"].replace('"pytest>=9",', '"pytest>=9", "brand-new>=1",')
    assert any("brand-new" in problem for problem in problems(texts))


def test_a_pin_outside_the_allowed_range_is_noticed(texts):
    texts["pyproject.toml"] = texts["pyproject.toml"].replace('"scikit-learn>=1.9"', '"scikit-learn>=9"')
    assert any("scikit-learn>=9" in problem for problem in problems(texts))


def test_a_missing_block_is_noticed(texts):
    texts["pyproject.toml"] = pin.unpinned(texts["pyproject.toml"])
    assert problems(texts) == ["pyproject.toml pins nothing: run tools/pin.py"]


def test_two_versions_of_one_package_are_refused():
    with pytest.raises(ValueError, match="two versions of numpy: 2.4.6 and 2.5.5"):
        pin.versions_of(["numpy==2.4.6 ; python_version < '3.12'", "numpy==2.5.5 ; python_version >= '3.12'"])


@pytest.mark.parametrize("line", ["numpy", "numpy>=2", "numpy @ https://example.org/numpy.whl", "-e ."])
def test_what_is_not_a_version_is_refused(line):
    with pytest.raises(ValueError, match="not a pinned version"):
        pin.versions_of([line])


def test_writing_again_changes_nothing(texts):
    """From the lines of requirements.txt come the same three texts."""
    lines = pin.requirement_lines(texts["requirements.txt"])
    assert pin.pinned(texts["pyproject.toml"], lines) == texts["pyproject.toml"]
    assert pin.requirements_file(lines) == texts["requirements.txt"]
    project = tomllib.loads(texts["pyproject.toml"])
    assert pin.environment_file(project, pin.versions_of(lines)) == texts["environment.yml"]


def test_what_differs_from_the_newest_is_said():
    assert pin.differences({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == [
        "b: pinned 2, newest 3",
        "c: pinned nothing, newest 4",
    ]


def test_conda_reads_its_file(texts):
    environment = yaml.safe_load(texts["environment.yml"])
    *conda, pip = environment["dependencies"]
    assert pip["pip"][-1] == "-e ." and all(isinstance(line, str) for line in conda)
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    assert f"python {project['requires-python']}" in conda
    allowed = SpecifierSet(project["requires-python"])
    assert all(version in allowed for version in ("3.11", "3.12.9", "3.13.1", "3.14.0"))


def test_no_lock_file_and_no_download_host_are_kept(texts):
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    for text in texts.values():
        assert "://" not in text
