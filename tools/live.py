"""Write the data of the live figures again, with helpers: docs/live/data.

uv run python tools/live.py              # of all
uv run python tools/live.py axes faces   # of these
"""

from tools import live_data, written
from tools.books import ROOT
from tools.site.live import LIVE, figures


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("names", nargs="*", help="figures; all by default")
    for name in parser.parse_args(argv).names or figures():
        path = LIVE / "data" / f"{name}.json"
        path.write_text(live_data.written(name), encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
