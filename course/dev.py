"""The `course-dev` command, for those who change the course: an answer before the whole suite has one.

    course-dev quick      lint, floors, one chapter's rules, the engine's core: a minute at most
    course-dev changed    the tests that your changes touch, since your branch left main

What is touched: a test or a notebook that changed, imports a module that changed or bears its name, or names
a file that changed; of homework the questions of that chapter. It is a first answer, not the last.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import time

from grading.folder import CourseNotFound, course_folder

LINT = {"lint": ["ruff", "check", "-q", "."], "format": ["ruff", "format", "-q", "--check", "."]}
CHAPTER = "02-pca"
CORE = [
    f"tests/grading/test_{name}.py"
    for name in ("answers", "check", "command_line", "forbidden", "practise", "wire")
]
FLOORS = "tests/test_floors.py::test_no_import_leads_upwards"
RULES = ["tests/test_notebooks.py", "tests/test_form.py", "tests/test_words.py"]
QUESTIONS = "tests/homework/test_questions.py"
DECLARED = [QUESTIONS, "-k", "declaration_is_complete or every_homework"]
QUICK = {
    **LINT,
    "floors and the engine's core": ["pytest", "-q", FLOORS, *CORE],
    "one chapter's rules": ["pytest", "-q", *RULES, "-k", CHAPTER],
    "questions as declared": ["pytest", "-q", *DECLARED],
}
ROOMS = "helpers", "grading", "homework", "course", "tools", "tests"


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="course-dev", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quick", "changed"])
    parser.add_argument("--since", metavar="COMMIT", default="main", help="what to compare with (main)")
    options = parser.parse_args(argv)
    try:
        root = course_folder()
        steps = QUICK if options.what == "quick" else steps_for(changed_files(root, options.since), root)
    except (CourseNotFound, subprocess.CalledProcessError) as problem:
        sys.exit(str(getattr(problem, "stderr", None) or problem).strip())
    return run(steps, root)


def run(steps, root):
    """Each step, the rest also after one that failed; 0 when all went well."""
    failed = 0
    for name, words in steps.items():
        begun = time.monotonic()
        print(f"… {name}: {' '.join(words)}", flush=True)
        status = subprocess.run([sys.executable, "-m", *words], cwd=root, check=False).returncode
        print(f"{'✗' if status else '✓'} {name}, {time.monotonic() - begun:.0f} s", flush=True)
        failed += status != 0
    if not steps:
        print("Nothing has changed.")
    return int(failed > 0)


# ---- what has changed, and which tests it touches


def changed_files(root, since):
    """By commits since the branch left `since`, in the working tree, and what git does not know yet."""

    def lines(*words):
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    (base,) = lines("merge-base", since, "HEAD")
    return sorted({*lines("diff", "--name-only", base), *lines("ls-files", "--others", "--exclude-standard")})


def steps_for(changed, root):
    modules = {module_of(name) for name in changed if name.endswith(".py")} - {None}

    def touched(pattern):
        return [file for file in sorted(root.glob(pattern)) if is_touched(file, changed, modules, root)]

    def pytest(files, *words):
        return ["pytest", "-q", *(file.relative_to(root).as_posix() for file in files), *words]

    tests, pages = touched("tests/**/test_*.py"), touched("notebooks/*.ipynb") + touched("solutions/*.ipynb")
    topics = sorted({file.parent.name for file in touched("homework/*/*.py")})
    steps = dict(LINT) if changed else {}
    if pages:
        steps["chapters"] = pytest(pages)
        steps["their rules"] = ["pytest", "-q", *RULES, "-k", " or ".join(sorted({p.stem for p in pages}))]
    if topics and root / QUESTIONS not in tests:
        steps["homework"] = pytest([root / QUESTIONS], "-k", " or ".join(f"{topic}." for topic in topics))
    if tests:
        steps["tests"] = pytest(tests)
    return steps


def module_of(name):
    """ "helpers.reading.spelling" of its file; None outside of the rooms."""
    parts = name.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts) if parts[0] in ROOMS else None


def is_touched(file, changed, modules, root):
    """Whether a test or a notebook changed, imports what changed, or names it."""
    name = file.relative_to(root).as_posix()
    text = file.read_text(encoding="utf-8")
    others = [other for other in changed if not other.endswith((".py", ".ipynb"))]
    if name in changed or any(other.rpartition("/")[2] in text for other in others):
        return True
    if file.stem in {f"test_{module.rpartition('.')[2]}" for module in modules if module[:9] != "homework."}:
        return True
    found = imported(text if file.suffix == ".py" else cells_of(text), root)
    return any(module == name or module.startswith(f"{name}.") for module in modules for name in found)


def cells_of(text):
    return "\n".join("".join(cell["source"]) + "\n" for cell in json.loads(text)["cells"] if is_code(cell))


def is_code(cell):
    return cell["cell_type"] == "code" and not re.search(r"^[%!]", "".join(cell["source"]), re.M)


def imported(source, root):
    """The modules of this course that some code imports, each by its full name; not a whole room."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = root.joinpath(*node.module.split("."), alias.name)
                is_module = whole.is_dir() or whole.with_suffix(".py").exists()
                found.add(f"{node.module}.{alias.name}" if is_module else node.module)
    return {name for name in found if "." in name and name.split(".")[0] in ROOMS}


if __name__ == "__main__":
    sys.exit(main())
