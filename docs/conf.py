"""Sphinx's settings for the course's site; tools/build_site.py copies this file beside its pages."""

import os
import re
import tomllib

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

from tools.books import ROOT
from tools.site.notebook_reader import CHECKS
from tools.site.prose import in_chinese

DATA_FRAME = re.compile(r'<table [^>]*class="dataframe.*?</table>', re.S)
CLASSES = tuple(f"tag_{check}" for check in CHECKS)

project = "Fewer Dimensions"
html_title = "Fewer Dimensions"
SETTINGS = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))
ADDRESS, REPOSITORY = SETTINGS["address"], os.environ.get("COURSE_REPOSITORY", SETTINGS["repository"])
html_context = {"default_mode": "auto"}  # dark or light as the reader's system is
author = "the Fewer Dimensions contributors"
language = "en"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design", "sphinx.ext.githubpages"]
nb_execution_mode = "off"  # the stored outputs are shown: the tests run the notebooks
nb_merge_streams = True
nb_render_markdown_format = "myst"  # tables of notation hold mathematics
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
myst_heading_slug_func = "tools.site.terms.slug"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
html_theme = "sphinx_book_theme"
html_theme_options = {
    "navbar_persistent": [],
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "extra_footer": "Code: BSD-3-Clause. Text and figures: CC BY 4.0. "
    "No cookies, no tracking, and no outside request.",
}
if REPOSITORY:  # a way back to the authors
    html_theme_options |= dict.fromkeys(
        ("use_repository_button", "use_issues_button", "use_edit_page_button"), True
    )
    html_theme_options["repository_url"] = REPOSITORY
    # pages of the course's own lie in docs/, and some are made by a program
    html_context["edit_page_provider_name"] = "GitHub"
    html_context["edit_page_url_template"] = (
        REPOSITORY
        + "/edit/main/{% if file_name in ('checked.md', 'run-times.md', 'in-short.md', 'read-next.md') %}"
        "tools/site/own_pages.py{% else %}{{ '' if '/' in file_name else 'docs/' }}{{ file_name }}{% endif %}"
    )
html_static_path = ["_static"]
html_css_files = ["course.css", "live.css"]
html_show_sourcelink = False
html_copy_source = False
mathjax_path = "mathjax/tex-chtml-full.js"
html_js_files = [("formulas.js", {"defer": "defer", "priority": 100})]  # before MathJax
mathjax3_config = {
    "chtml": {"scale": 0.86},  # long derivations fit the column
    "options": {"menuOptions": {"settings": {"inTabOrder": False}}},  # a hundred stops for the tab key
}
html_favicon = "_static/favicon.svg"
SHARED = "_static/share.png"  # the picture of a link that somebody shares
html_baseurl = ADDRESS
myst_html_meta = {
    "description": "A Jupyter course in dimension reduction and feature selection: see it, then trust it.",
    "property=og:title": project,
    "property=og:description": "Formulas computed from the text you read, homework that answers back.",
    "property=og:image": SHARED,
    "property=og:type": "website",
}
exclude_patterns = ["doctrees"]


def keep_tags(app, doctree):
    r"""Formulas go to MathJax as they stand: Sphinx's {split} around \\ would forbid their \tag."""
    for block in doctree.findall(nodes.math_block):
        block["number"] = None
        block["no-wrap"] = True
        block[:] = [nodes.Text(rf"\[{block.astext().strip()}\]")]


def rows_of(cell):
    """Links from a check to its rows on the page of checks."""
    tags = [name.removeprefix("tag_") for name in cell["classes"] if name.startswith(CLASSES)]
    told = nodes.paragraph(classes=["rows"])
    for tag in tags:
        kind, _, name = tag.partition(":")
        # 09.12 alone would be read as a section
        shown = {"eq": f"({name})", "item": f"item {name}"}.get(kind, name)
        told += nodes.Text(" · " if tag != tags[0] else "What is checked here: ")
        told += nodes.reference("", shown, refuri=f"../checked.html#{kind}-{name}", internal=True)
    return [told] if tags else []


class FoldBelow(SphinxPostTransform):
    """Code that is folded stands below what its cell shows, for the eye and for the keyboard."""

    default_priority = 200  # after MyST-NB has folded
    formats = ("html",)

    def run(self, **kwargs):
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("hide_mode") == "input" and isinstance(cell.children[0], HideCodeCellNode):
                cell.append(cell.pop(0))
                cell.children[-1].extend(rows_of(cell))
            elif cell.get("hide_mode") == "all":
                cell[0].append(cell[0].pop(0))


def for_readers(app, page, template, context, doctree):
    """For those who listen: a fold is named by what stands on it; heads of tables and Chinese say so."""
    home = ADDRESS or context["pathto"]("", 1)
    if page == "search":
        app.add_js_file("defined.js", defer="defer")
        app.add_js_file("search.js", defer="defer")
    context["metatags"] = context.get("metatags", "").replace(SHARED, home + SHARED)
    if "body" in context:
        body = context["body"].replace('<summary aria-label="Toggle hidden content">', "<summary>")
        body = body.replace('<th class="head', '<th scope="col" class="head')
        context["body"] = in_chinese(DATA_FRAME.sub(with_scopes, body))


def with_scopes(table):
    """A data frame: what stands above names columns, what stands in front names rows."""
    head, body = table[0].split("<tbody>")
    columns, rows = (f'<th scope="{kind}">' for kind in ("col", "row"))
    return f"{head.replace('<th>', columns)}<tbody>{body.replace('<th>', rows)}"


def setup(app):
    app.connect("doctree-read", keep_tags)
    app.connect("html-page-context", for_readers)
    app.add_post_transform(FoldBelow)
