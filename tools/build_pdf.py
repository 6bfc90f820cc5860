"""Make one PDF of the course from its built site: title page, contents, all chapters, outline, page numbers.

    uv run python tools/build_site.py                # the pages
    uv run python tools/build_pdf.py                 # into _build/fewer-dimensions.pdf; needs Chromium
    uv run python tools/build_pdf.py --only 02 03    # some chapters
    uv run python tools/build_pdf.py --draft         # quickly, without figures and typeset formulas

Chromium prints each page of the site, pypdf puts them together. It needs a font with Chinese letters. Answers
and asides that the site folds are printed open; the code of checks, which it hides, stays hidden: it would
double the book; the line that a check leaves is printed. The page "In short" is the appendix. Links between
chapters lead to their pages in the PDF. What the PDF does not hold is a link to the site where docs/site.toml
has its address, and only words where it has none.
"""

import base64
import html
import io
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import Fit, NameObject, TextStringObject

from tools import books, written
from tools.books import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
A4 = {"format": "A4", "margin": {"top": "18mm", "bottom": "20mm", "left": "8mm", "right": "8mm"}}
WIDTH = 664  # of the text, in CSS pixels: 176 mm
WIDEST = WIDTH + 2 * 34  # of a figure: it has the page but for 8 mm on either side
STYLE = """
    #jb-print-toc, div.cell:not(.tag_tick, .tag_hide-cell) > details.hide, details.hide > :not(summary),
    .headerlink, nav.belongs, .copybtn, .prev-next-area, .bd-footer, .header-article,
    .pst-skip-link { display: none !important }
    div.cell.tag_hide-cell > details.hide > div.cell_output { display: block !important }
    .bd-article, .bd-article-container, .bd-content {
        margin: 0 !important; padding: 0 !important; max-width: none !important
    }
    .bd-content { padding: 0 34px !important }
    * { transition: none !important; animation: none !important }
    figcaption, figcaption * { color: #333 !important }
    h1 { margin-bottom: 1rem !important }
    summary { list-style: none !important } /* all is open */
    summary::-webkit-details-marker { display: none }
    figure, img, pre, .highlight, .cell_input, tr, .admonition, .box, div.math {
        break-inside: avoid
    }
    h1, h2, h3, summary { break-after: avoid; break-inside: avoid }
    #summary { break-inside: avoid } /* no page for one line */
    .cell_input { display: block !important } /* Chromium breaks what bends with holes */
    .cell_input:has(pre > span:nth-of-type(150)), .cell_input:has(pre > span:nth-of-type(150)) * {
        break-inside: auto; orphans: 6; widows: 6 /* long code */
    }
    h2::after, h3::after { content: ""; display: block; height: 30mm; margin-bottom: -30mm } /* never last */
    h2:has(+ section > h3)::after { height: 55mm; margin-bottom: -55mm }
    h2:has(+ section > h3 + div > table)::after { height: 62mm; margin-bottom: -62mm } /* with its table */
    .pst-scrollable-table-container { overflow: visible !important } /* what scrolls never breaks */
    .bd-article :is(table.table, table.dataframe) { font-size: 10.5px !important; line-height: 1.35 }
    table.table:has(tr:nth-child(20)) { break-inside: auto !important } /* longer than a page */
    .bd-article :is(table.table, table.dataframe) :is(th, td) { padding: 0.3em 0.5em }
    .bd-article table.table p { margin: 0 }
    html { font-size: 13px !important }
    pre { white-space: pre-wrap !important; font-size: 10px }
    figure img { max-width: none !important }
    div.math { overflow: visible !important }
"""
PREPARE = """async ({held, root, address, widest}) => {
    await window.MathJax?.startup?.promise;
    document.querySelectorAll('details').forEach(one => { one.open = true });
    document.querySelectorAll('img').forEach(one => { one.loading = 'eager' });
    await Promise.all([...document.images].map(one => one.decode().catch(() => {})));
    for (const one of document.querySelectorAll('figure img[width]')) { // of one size
        const wide = Math.min(0.8 * one.getAttribute('width'), widest);
        one.style.width = `${wide}px`;
        one.style.marginInline = `${Math.min(0, (one.closest('figure').clientWidth - wide) / 2)}px`;
    }
    for (const one of document.querySelectorAll('a[href]')) { // what is not in the book
        if (!one.href.startsWith('file:') || held.includes(one.href.split('#')[0])) continue;
        if (address && !one.querySelector('img')) one.href = one.href.replace(root, address);
        else one.replaceWith(...one.childNodes);
    }
    for (const one of document.querySelectorAll('mjx-container')) { // too wide? smaller letters
        if (one.hasAttribute('display')) one.style.fontSize = ''; // as it was on the screen
        const share = one.parentElement.clientWidth / one.scrollWidth;
        if (one.hasAttribute('display') && share < 1)
            one.style.fontSize = `${parseFloat(getComputedStyle(one).fontSize) * share * 0.99}px`;
    }
}"""


@dataclass
class Printed:
    """One page of the site, printed; `first` is the index of its first page in the book."""

    address: str
    pdf: PdfReader
    names: dict = field(default_factory=dict)  # a heading without its blanks: the heading
    first: int = 0

    @property
    def title(self):
        return self.headings()[0][1]

    def headings(self):
        """[(level, text, page, height on the page)], the title first."""

        def walk(items, level):
            for one in items:
                if isinstance(one, list):
                    yield from walk(one, level + 1)
                else:
                    text = once(one.title)
                    yield (
                        level,
                        self.names.get(squeezed(text), text),
                        self.first + self.pdf.get_destination_page_number(one),
                        one.top,
                    )

        return list(walk(self.pdf.outline, 1))


def once(heading):
    """Chromium says a heading twice that it first put on the page before."""
    half = len(heading) // 2
    return heading[:half] if heading[:half] == heading[half:] else heading


def squeezed(heading):
    """Without blanks: Chromium loses those at the end of a line."""
    return re.sub(r"\s", "", heading)


# ---- print


def print_page(tab, address, book):
    tab.goto(address)
    tab.add_style_tag(content=STYLE)
    tab.evaluate("document.documentElement.dataset.theme = 'light'")
    tab.evaluate(PREPARE, book)
    headings = tab.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(one => one.innerText.trim())")
    return Printed(address, as_pdf(tab), {squeezed(one): one for one in headings})


def as_pdf(tab, **options):
    return PdfReader(io.BytesIO(tab.pdf(outline=True, tagged=True, print_background=True, **(A4 | options))))


def print_html(tab, text, **options):
    tab.set_content(f"<!DOCTYPE html><html lang='en'><title>Fewer Dimensions</title>{text}</html>")
    return as_pdf(tab, **options)


def contents(chapters):
    """The title page, and the table of contents."""
    picture = base64.b64encode((ROOT / "docs" / "_static" / "share.png").read_bytes()).decode()
    row = '<div class="level{}"><a href="page:{}">{}</a><span>{}</span></div>'
    rows = "".join(
        row.format(level, page, html.escape(text), page + 1)
        for one in chapters
        for level, text, page, _ in one.headings()
        if level < 3
    )
    return CONTENTS.format(imprint="<br>".join(map(with_addresses, imprint())), rows=rows, picture=picture)


def imprint():
    """Edition, year, authors, address and licences, as the project's files say them."""
    project = toml("pyproject.toml")["project"]
    site = toml("docs/site.toml")
    code, text = ((ROOT / name).read_text(encoding="utf-8") for name in project["license-files"])
    year, authors = re.search(r"Copyright \(c\) (\d+), (.*)", code).groups()
    licence = re.search(r"\((CC .*?)\)[^()]*?(https://\S+)", text, re.S)
    return [
        f"Version {project['version']}, {year}, by {authors}",
        *filter(None, (site["address"], site["repository"])),
        f"Text and figures: {licence[1]}, {licence[2]}",
        f"Code: {project['license']}",
    ]


def toml(name):
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def with_addresses(line):
    return re.sub(r"https?://\S+", r'<a href="\g<0>">\g<0></a>', html.escape(line))


CONTENTS = """<style>
body {{ margin: 0 34px; font: 13px sans-serif }}
.title {{ height: 240mm; padding: 40mm 0 0 8mm; border-left: 5mm solid #00568a; box-sizing: border-box }}
h1 {{ margin: 0; font-size: 44px; color: #00568a }} .title p {{ font-size: 17px; line-height: 1.5 }}
.title .imprint {{ font-size: 13px }}
.title img {{ width: 150mm; margin: 12mm 0 }} h2 {{ break-before: page }}
div[class^=level] {{ display: flex; justify-content: space-between; gap: 2em; break-inside: avoid }}
.level1 {{ margin-top: 9px; font-weight: bold }} .level2 {{ padding-left: 1.5em }}
a {{ color: inherit; text-decoration: none }}
</style><div class="title"><h1>Fewer Dimensions</h1>
<p>A course in dimension reduction and feature selection<br>
that proves itself</p><img src="data:image/png;base64,{picture}" alt="">
<p class="imprint">{imprint}</p></div><h2>Contents</h2>{rows}"""


def footers(book):
    """A page for every page of the book, empty but for its number and its chapter."""
    rows = "".join(
        f'<div class="page"><span>{html.escape(title)}</span><span>{number}</span></div>'
        for number, title in enumerate(book, 1)
    )
    return f"""<style>body {{ margin: 0; font: 11px sans-serif; color: #444 }}
        .page {{ height: 297mm; padding: 284mm 17mm 0; box-sizing: border-box; break-after: page;
                  display: flex;
        justify-content: space-between; overflow: hidden }}</style>{rows}"""


# ---- put together


def link_of(annotation, printed, homes):
    """The same link in the book: to a place in it, or to the web."""
    here, rect = printed, annotation["/Rect"]
    action = annotation.get("/A", {})
    name = annotation.get("/Dest") or action.get("/D")
    if uri := action.get("/URI"):
        if uri.startswith("page:"):
            return Link(rect=rect, target_page_index=int(uri[5:]))
        if not uri.startswith("file:"):
            return Link(rect=rect, url=uri)
        page, _, name = uri.partition("#")
        here = homes[unquote(page)]
    place = here.pdf.named_destinations.get(str(name)) or here.pdf.named_destinations.get(f"/{name}")
    page = here.pdf.get_destination_page_number(place) if place else 0
    return Link(
        rect=rect, target_page_index=here.first + page, fit=Fit.fit_horizontally(place.top if place else None)
    )


def annotations(page):
    return [
        one.get_object() for one in page.get("/Annots") or [] if one.get_object().get("/Subtype") == "/Link"
    ]


def add_links(book, chapters):
    homes = {unquote(one.address): one for one in chapters}
    for printed in chapters:
        for i, page in enumerate(printed.pdf.pages):
            book.pages[printed.first + i].pop("/Annots", None)
            for one in annotations(page):
                book.add_annotation(printed.first + i, link_of(one, printed, homes))


def add_outline(book, chapters):
    """Chapters, and their sections under them."""
    for printed in chapters:
        parents = {}
        for level, text, page, top in printed.headings():
            parents[level] = book.add_outline_item(
                title=text,
                page_number=page,
                parent=parents.get(level - 1),
                fit=Fit.fit_horizontally(top=top),
                is_open=False,
            )


def assemble(tab, chapters):
    """One PDF of the printed chapters."""
    front = print_html(tab, contents(chapters))
    set_places(chapters, len(front.pages))
    front = print_html(tab, contents(chapters))
    book = PdfWriter()
    book.append(front, import_outline=False)
    for one in chapters:
        book.append(one.pdf, import_outline=False)
    add_links(book, [Printed("", front), *chapters])
    add_outline(book, chapters)
    names = [""] * len(front.pages)
    for one in chapters:
        names += [one.title] * len(one.pdf.pages)
    below = print_html(tab, footers(names), margin={})
    for page, footer in list(zip(book.pages, below.pages, strict=False))[1:]:
        page.merge_page(footer)
        page.compress_content_streams()  # merging unpacks them
    book.page_mode = "/UseOutlines"
    book.root_object[NameObject("/Lang")] = TextStringObject("en-GB")
    book.create_viewer_preferences().display_doctitle = True
    book.add_metadata({
        "/Title": "Fewer Dimensions",
        "/Author": imprint()[0].partition(" by ")[2],
        "/Subject": "A course in dimension reduction and feature selection",
    })
    return book


def set_places(chapters, first):
    for one in chapters:
        one.first = first
        first += len(one.pdf.pages)


def need_chinese():
    """Without a font for it, Chinese would be printed as boxes, and nothing would say so."""
    lists = shutil.which("fc-list")
    if lists and not subprocess.run([lists, ":lang=zh"], capture_output=True, check=True).stdout.strip():
        raise SystemExit(
            "no font has Chinese letters: they would be boxes. Debian, Ubuntu: apt install fonts-noto-cjk"
        )


def printed_pages(site, only=()):
    """The pages of the site that are printed: the chapters in order, then the cards."""
    pages = books.in_order((site / "notebooks").glob("[0-9]*.html")) + [site / "in-short.html"]
    return [path for path in pages if not only or {path.stem[:2], path.stem} & {*only}]


def build(site, out, only=(), draft=False):
    """Print the chapters of the site in `site` into the file `out`; returns the number of pages."""
    need_chinese()
    pages = printed_pages(site, only)
    if not pages:
        raise SystemExit(f"{site} holds no chapters: run tools/build_site.py first")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDEST, "height": 1000}, color_scheme="light")
        tab.set_default_timeout(300_000)
        tab.emulate_media(media="print")
        if draft:
            tab.route(re.compile("/_images/|/mathjax/"), lambda route: route.abort())
        addresses = [page.resolve().as_uri() for page in pages]
        held = {
            "held": addresses,
            "root": f"{site.resolve().as_uri()}/",
            "address": toml("docs/site.toml")["address"],
            "widest": WIDEST,
        }
        book = assemble(tab, [print_page(tab, one, held) for one in addresses])
        browser.close()
    out.parent.mkdir(parents=True, exist_ok=True)
    book.write(out)
    return len(book.pages)


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "site")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "fewer-dimensions.pdf")
    parser.add_argument("--only", nargs="*", default=(), help="chapters, such as 02 03, or in-short")
    parser.add_argument("--draft", action="store_true", help="without figures and typeset formulas")
    chosen = parser.parse_args(argv)
    print(f"{chosen.out}: {build(chosen.site, chosen.out, chosen.only, chosen.draft)} pages")


if __name__ == "__main__":
    sys.exit(main())
