"""Build the course's site: all chapters with their outputs, homework, search, "What is checked".

    uv run python tools/build_site.py                    # into _build/site; open _build/site/index.html
    uv run python tools/build_site.py --with-solutions   # for lecturers
    uv run python tools/build_site.py --pdf              # the PDF too, as a download
    uv run python -m http.server -d _build/site          # look at it as readers will

No notebook is run: the site shows the outputs that the notebooks store. A warning is an error. The pages ask
no other machine for anything: MathJax comes with them. `docs/site.toml` holds the repository's address; with
it each page has buttons that open it in Binder and in Colab.
"""

import fnmatch
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import nbformat

from tools import written
from tools.books import ROOT
from tools.site import chapter_page, course_zip, front_page, live, notebook_reader, own_pages, prose

PAGES = (
    "index.md",
    "lecturers.md",
    "own-question.md",
    "grading.md",
    "publish.md",
    "newer-version.md",
)
START = "00-start-here"


def stage(source, with_solutions=False, repository="", only=None, pdf=False):
    """Write all that Sphinx reads into the folder `source`; returns the notebooks for Colab."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    docs = ROOT / "docs"
    for name in ("_static", "images"):
        shutil.copytree(docs / name, source / name)
    chapter_page.copy_mathjax(source / "_static" / "mathjax")
    live.write_scripts(source / "_static" / "live")
    (source / "_static" / "defined.js").write_text(own_pages.defined_script(), encoding="utf-8")
    shutil.copy(docs / "conf.py", source)
    for name in PAGES:
        text = prose.own_page((docs / name).read_text(encoding="utf-8"))
        text = front_page.filled(text, source, pdf) if name == "index.md" else text
        (source / name).write_text(text, encoding="utf-8")
    for name, text in (
        ("checked.md", own_pages.checked_page()),
        ("run-times.md", own_pages.run_times_page()),
        ("in-short.md", own_pages.in_short_page()),
        ("read-next.md", own_pages.read_next_page()),
    ):
        (source / name).write_text(text, encoding="utf-8")
    folders = ["notebooks", "exercises"] + ["solutions"] * with_solutions
    if with_solutions:
        with open(source / "index.md", "a", encoding="utf-8") as file:
            file.write("\n```{toctree}\n:hidden:\n:glob:\n:caption: Solutions\n\nsolutions/*\n```\n")
    return {
        f"{folder}/{path.name}": stage_notebook(nb, path, source / folder, repository, folders)
        for folder in folders
        for path, nb in notebook_reader.notebooks(folder).items()
        if only is None or path.stem.startswith(only)
    }


def stage_notebook(nb, path, folder, repository, folders):
    """Write the page's source; returns the same notebook for Colab, or None without a repository."""
    folder.mkdir(exist_ok=True)
    plain = nbformat.from_dict(nb) if repository else None
    colab = nbformat.writes(chapter_page.for_colab(plain.copy(), repository)) if repository else None
    if repository:
        nb = nbformat.read(path, as_version=4)
    elsewhere = chapter_page.buttons(repository, f"{folder.name}/{path.name}") if repository else ()
    above = chapter_page.bar(path.stem, folder.name, folders, elsewhere)
    title, _, rest = nb.cells[0].source.partition("\n")
    if folder.name == "solutions":  # not the homework's: a lecturer has both open
        title = title.replace("# Homework", "# Solution", 1)
    nb.cells[0].source = "\n\n".join([title, above, rest.lstrip("\n")])
    up = "" if folder.name == "notebooks" else "../notebooks/"
    if folder.name == "exercises":
        nb = chapter_page.with_given(nb, path.stem)
    if path.stem == START:  # its own title is the site's
        nb.cells[0].source = nb.cells[0].source.replace("# Fewer Dimensions", "# Start here", 1)
    nbformat.write(chapter_page.page(nb, path.stem, up), folder / path.name)
    return colab


def build(out, with_solutions=False, repository="", only=None, pdf=False):
    """Stage and build. Returns Sphinx's exit status."""
    from sphinx.cmd.build import build_main

    from tools import build_slides

    source = out.with_name(out.name + "-src")
    colab = stage(source, with_solutions, repository, only, pdf)
    os.environ["COURSE_REPOSITORY"] = repository  # docs/conf.py, in this process, asks for it
    shutil.rmtree(out, ignore_errors=True)
    status = build_main([
        "-W",
        "--keep-going",
        "-q",
        "-E",
        "-d",
        str(source / "doctrees"),
        str(source),
        str(out),
    ])
    mark_contents(out)
    put_signposts(out)
    build_slides.build(out / "slides", only or "")
    put_downloads(out / "downloads", ["notebooks", "exercises"] + ["solutions"] * with_solutions)
    if pdf:
        from tools import build_pdf

        build_pdf.build(out, out / "downloads" / "fewer-dimensions.pdf")
    for name, text in colab.items():
        if text:
            (out / "colab" / name).parent.mkdir(parents=True, exist_ok=True)
            (out / "colab" / name).write_text(text, encoding="utf-8")
    return status


def put_downloads(folder, shown):
    """Each notebook as it is, and the course as a zip: with solutions only if the site shows them."""
    for name in shown:
        shutil.copytree(ROOT / name, folder / name, ignore=lambda _, names: fnmatch.filter(names, "[!0-9]*"))
    course_zip.write_zip(folder / "fewer-dimensions.zip", "solutions" in shown)


def put_signposts(out):
    """For those who lost their way, 404.html; for machines that search, the list of all pages."""
    address = settings()["address"]
    lost = (ROOT / "docs" / "404.html").read_text(encoding="utf-8")
    (out / "404.html").write_text(lost.replace("ADDRESS", address), encoding="utf-8")
    if address:
        pages = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.html"))
        listed = "".join(f"{address}{page}\n" for page in pages if page != "404.html")
        (out / "sitemap.txt").write_text(listed, encoding="utf-8")


def settings():
    return tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))


def mark_contents(out):
    """In a chapter's contents: which sections are for a second reading."""
    for path, nb in notebook_reader.notebooks("notebooks").items():
        built, marks = out / "notebooks" / f"{path.stem}.html", notebook_reader.marks(nb)
        if marks and built.exists():
            built.write_text(with_marks(built.read_text(encoding="utf-8"), marks), encoding="utf-8")


def with_marks(text, marks):
    """The page with the marks on the links of its contents."""
    for anchor, mark in marks.items():
        section = re.search(rf'<section id="([^"]+)">\s*<span id="{re.escape(anchor)}">', text)[1]
        text = text.replace(f'nav-link" href="#{section}"', f'nav-link" data-mark="{mark}" href="#{section}"')
    return text


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "site")
    parser.add_argument("--with-solutions", action="store_true", help="show the solutions too")
    parser.add_argument("--pdf", action="store_true", help="print the PDF too; needs Chromium")
    parser.add_argument("--repository", help="its address, instead of the one in docs/site.toml")
    chosen = parser.parse_args(argv)
    repository = settings()["repository"] if chosen.repository is None else chosen.repository
    status = build(chosen.out.resolve(), chosen.with_solutions, repository, pdf=chosen.pdf)
    print(f"{chosen.out}/index.html" if status == 0 else "the site has errors: see above")
    return status


if __name__ == "__main__":
    sys.exit(main())
