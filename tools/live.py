"""Write the live figures' data again, their pages, and the links to these in the notebooks.

uv run python tools/live.py              # of all
uv run python tools/live.py axes faces   # of these
"""

import nbformat

from tools import live_data, written
from tools.books import ROOT
from tools.site.live import LIVE, PAGES, figures, linked, page


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("names", nargs="*", help="figures; all by default")
    for name in parser.parse_args(argv).names or figures():
        path = LIVE / "data" / f"{name}.json"
        path.write_text(live_data.written(name), encoding="utf-8")
        shown = PAGES / f"{name}.html"
        shown.write_text(page(name), encoding="utf-8")
        for one in (path, shown):
            print(f"{one.relative_to(ROOT)}: {one.stat().st_size / 1000:.1f} kB")
    for stem in sorted({one["chapter"] for one in figures().values()}):
        path = ROOT / "notebooks" / f"{stem}.ipynb"
        path.write_text(
            nbformat.writes(linked(nbformat.read(path, as_version=4), stem)) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
