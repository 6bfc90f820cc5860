"""Does the course work where nothing of it is installed? In new environments, made as readers would.

    uv run python tools/try_clean.py binder     # .binder/ alone, as Binder reads it; then chapter 1
    uv run python tools/try_clean.py colab      # what Colab has; then chapter 1 with its copy's first cell

Each makes a copy of the last commit and an environment in a temporary folder, sees nothing of this one's
packages, and runs the notebook from top to bottom. Packages come from the registry that uv and pip are set up
with.
"""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import nbformat

from tools import written
from tools.books import ROOT
from tools.site.chapter_page import for_colab

CHAPTER = "01-knn-and-the-curse-of-dimensionality.ipynb"
COLAB_HAS = "numpy scipy pandas matplotlib scikit-learn scikit-image ipykernel nbclient".split()
OURS = (
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "UV_PROJECT_ENVIRONMENT",
    "PYTHONHOME",
    "JUPYTER_PATH",
    "JUPYTER_CONFIG_DIR",
)


def surroundings(folder):
    """The variables of a machine that knows nothing of this environment."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    places = [
        place for place in kept["PATH"].split(os.pathsep) if not Path(place).is_relative_to(Path(sys.prefix))
    ]
    own = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    return {
        **kept,
        "VIRTUAL_ENV": str(folder / "env"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "MPLBACKEND": "agg",
        "PATH": os.pathsep.join([str(own), *places]),
    }


def run(folder, *words):
    """One command in the copy of the course; its failure is ours."""
    print("$", *words, flush=True)
    subprocess.run(words, cwd=folder / "course", env=surroundings(folder), check=True, timeout=1200)


def prepare(folder, python):
    """The last commit, and an environment that holds pip alone."""
    commit = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(commit)) as files:
        files.extractall(folder / "course", filter="data")
    run(folder, "uv", "venv", "-q", "--seed", "--python", python, str(folder / "env"))


def try_binder(folder, python):
    """As Binder does it: the requirements, then postBuild, then the reader's notebook."""
    prepare(
        folder,
        python or (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8").strip().partition("-")[2],
    )
    run(folder, "uv", "pip", "install", "-q", "-r", ".binder/requirements.txt")
    run(folder, "./.binder/postBuild")
    run(folder, "jupyter", "execute", f"notebooks/{CHAPTER}")


def try_colab(folder, python):
    """One notebook in an empty folder, whose first cell gets the course."""
    prepare(folder, python or "3.12")
    run(folder, "uv", "pip", "install", "-q", *COLAB_HAS)
    nb = nbformat.read(ROOT / "notebooks" / CHAPTER, as_version=4)
    (folder / "content").mkdir()
    nb = for_colab(nb, f"file://{folder / 'course'}")
    nb.cells[0].source = nb.cells[0].source.replace("git+file:", "file:")  # the copy is no repository
    nbformat.write(nb, folder / "content" / CHAPTER)
    run(folder, "jupyter", "execute", str(folder / "content" / CHAPTER))


TRIALS = {"binder": try_binder, "colab": try_colab}


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("where", choices=TRIALS)
    parser.add_argument("--python", help="another version of Python than theirs")
    chosen = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="clean-") as folder:
        TRIALS[chosen.where](Path(folder), chosen.python)
    print(f"chapter 1 runs: {chosen.where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
