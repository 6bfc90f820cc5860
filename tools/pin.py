"""Every version of every dependency, for Python 3.11 to 3.14 on every platform, from one resolution.

    uv run python tools/pin.py             resolve anew and write all three places
    uv run python tools/pin.py --check     compare the three; needs no network
    uv run python tools/pin.py --newest    run the tests on the newest versions allowed and say what differs
                                           (for this Python, or for the one that UV_PYTHON names)

The three: ``[tool.uv] constraint-dependencies`` at the end of pyproject.toml (what ``uv run`` obeys),
requirements.txt (for pip) and environment.yml (for conda). The lock file stays out of git: it names
download hosts, and the constraints alone bring the same versions back.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import written
from tools.books import ROOT

BLOCK = """
# Every version that the course is tested with. Written by tools/pin.py: do not edit.
constraint-dependencies = ["""
# conda-forge has no package of these names
ONLY_ON_PYPI = {
    "axe-playwright-python",
    "playwright",
    "pyseccomp",
    "sphinx-mathjax-offline",
    "sphinx-revealjs",
}
CONDA_GROUPS = ("lab", "test", "grade", "site")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "uv.lock", "__pycache__", "*.egg-info", "_build", ".*cache", ".ipynb_checkpoints"
)


def unpinned(pyproject):
    """The text of pyproject.toml without its block."""
    return pyproject.split(BLOCK)[0].rstrip("\n") + "\n"


def pinned(pyproject, requirements):
    """The text of pyproject.toml with the block that these requirement lines ask for."""
    versions = versions_of(requirements)
    lines = [f'    "{name}=={version}",' for name, version in sorted(versions.items())]
    return "\n".join([unpinned(pyproject).rstrip("\n"), BLOCK, *lines, "]"]) + "\n"


def versions_of(lines):
    """name -> version of lines such as ``numpy==2.4.6 ; marker``; two versions of one are an error."""
    versions = {}
    for line in lines:
        found = re.fullmatch(r"([\w.-]+)==([\w.!+]+)(?: ; .+)?", line)
        if not found:
            raise ValueError(f"not a pinned version: {line!r}")
        name, version = canonicalize_name(found[1]), found[2]
        if versions.setdefault(name, version) != version:
            raise ValueError(
                f"two versions of {name}: {versions[name]} and {version}; bound it in pyproject.toml"
            )
    return versions


def requirement_lines(text):
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def requirements_file(lines):
    head = [
        "# Written by tools/pin.py from pyproject.toml: do not edit. Everything, for pip:",
        "#     pip install -r requirements.txt && pip install -e . --no-deps",
    ]
    return "\n".join(head + lines) + "\n"


def direct(project, groups):
    """The requirements that pyproject.toml itself names, in its order."""
    named = list(project["project"]["dependencies"])
    for group in groups:
        named += project["dependency-groups"][group]
    return [Requirement(line) for line in named]


def environment_file(project, versions):
    """environment.yml: minor versions from conda-forge, the rest through pip."""
    wanted = direct(project, CONDA_GROUPS)
    conda = [r for r in wanted if r.name not in ONLY_ON_PYPI]
    pip = [r for r in wanted if r.name in ONLY_ON_PYPI]
    name = project["project"]["name"]
    return (
        "\n".join([
            "# Written by tools/pin.py from pyproject.toml: do not edit.",
            f"#     conda env create -f environment.yml && conda activate {name} && course",
            f"name: {name}",
            "channels: [conda-forge, nodefaults]",
            "dependencies:",
            f"  - python {project['project']['requires-python']}",
            "  - pip",
            *(f"  - {r.name}={minor(versions[canonicalize_name(r.name)])}" for r in conda),
            "  - pip:",
            *(f"      - {from_pip(r, versions)}" for r in pip),
            "      - -e .",
        ])
        + "\n"
    )


def minor(version):
    return ".".join(version.split(".")[:2]) + ".*"


def from_pip(requirement, versions):
    pin = f"{requirement.name}=={versions[canonicalize_name(requirement.name)]}"
    return f"{pin}; {str(requirement.marker).replace(chr(34), chr(39))}" if requirement.marker else pin


def problems(pyproject, requirements, environment):
    """What differs between the texts of the three files, as a list of sentences."""
    project = tomllib.loads(pyproject)
    block = project["tool"]["uv"].get("constraint-dependencies")
    if not block:
        return ["pyproject.toml pins nothing: run tools/pin.py"]
    try:
        pins, listed = versions_of(block), versions_of(requirement_lines(requirements))
    except ValueError as error:
        return [str(error)]
    found = [
        f"{name}: pyproject.toml has {pins.get(name)}, requirements.txt has {listed.get(name)}"
        for name in sorted(pins.keys() | listed.keys())
        if pins.get(name) != listed.get(name)
    ]
    found += unsatisfied(project, pins)
    if not found and environment != environment_file(project, pins):
        found.append("environment.yml differs from what the pins ask for")
    return found


def unsatisfied(project, pins):
    """Direct dependencies without a pin, or whose pin lies outside the range that pyproject.toml allows."""
    return [
        f"{r}: pinned to {pins.get(canonicalize_name(r.name))}"
        for r in direct(project, project["dependency-groups"])
        if not r.specifier.contains(pins.get(canonicalize_name(r.name), "0"), prereleases=True)
    ]


def uv(*arguments, cwd, **more):
    """Run uv; its environment is never the project's own."""
    settings = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(Path(cwd) / ".venv")}
    settings.pop("VIRTUAL_ENV", None)
    return subprocess.run(["uv", *arguments], cwd=cwd, env=settings, text=True, encoding="utf-8", **more)


def resolve():
    """The newest versions that fit together, as requirement lines."""
    with tempfile.TemporaryDirectory() as scratch:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        (Path(scratch) / "pyproject.toml").write_text(unpinned(text), encoding="utf-8")
        uv("lock", "--quiet", cwd=scratch, check=True)
        done = uv(
            "export",
            "--quiet",
            "--no-hashes",
            "--no-annotate",
            "--no-header",
            "--no-emit-project",
            "--all-groups",
            cwd=scratch,
            check=True,
            stdout=subprocess.PIPE,
        )
    return done.stdout.splitlines()


def write():
    lines = resolve()
    pyproject = pinned((ROOT / "pyproject.toml").read_text(encoding="utf-8"), lines)
    environment = environment_file(tomllib.loads(pyproject), versions_of(lines))
    for name, text in [
        ("pyproject.toml", pyproject),
        ("requirements.txt", requirements_file(lines)),
        ("environment.yml", environment),
    ]:
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"pinned {len(lines)} packages")
    return 0


def check():
    found = problems(
        *(
            (ROOT / name).read_text(encoding="utf-8")
            for name in ("pyproject.toml", "requirements.txt", "environment.yml")
        )
    )
    print("\n".join(found) or "pyproject.toml, requirements.txt and environment.yml agree")
    return int(bool(found))


def newest(pytest_arguments):
    """Test a copy of the course on the newest versions that pyproject.toml allows for this Python."""
    pins = versions_of(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"][
            "constraint-dependencies"
        ]
    )
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "course"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        text = (copy / "pyproject.toml").read_text(encoding="utf-8")
        (copy / "pyproject.toml").write_text(unpinned(text), encoding="utf-8")
        uv("sync", "--quiet", "--fork-strategy", "requires-python", cwd=copy, check=True)
        listed = uv("pip", "freeze", "--exclude-editable", cwd=copy, check=True, stdout=subprocess.PIPE)
        fresh = versions_of(listed.stdout.splitlines())
        tests = uv("run", "--no-sync", "pytest", "--ignore=tests/test_pins.py", *pytest_arguments, cwd=copy)
    print("\n".join(differences(pins, fresh)) or "no version differs from the pins")
    print("the tests pass" if tests.returncode == 0 else "the tests FAIL", "on the newest versions")
    return tests.returncode


def differences(pins, fresh):
    return [
        f"{name}: pinned {pins.get(name, 'nothing')}, newest {version}"
        for name, version in sorted(fresh.items())
        if pins.get(name) != version
    ]


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument(
        "--newest",
        action="store_true",
        help="test the newest versions allowed; further arguments go to pytest",
    )
    chosen, rest = parser.parse_known_args(argv)
    if rest and not chosen.newest:
        parser.error(f"unknown: {' '.join(rest)}")
    return newest(rest) if chosen.newest else check() if chosen.check else write()


if __name__ == "__main__":
    sys.exit(main())
