"""Take the README's pictures from the built site: docs/images/*.png and the figure that moves.

uv run python tools/build_site.py && uv run python tools/readme_pictures.py     # needs Chromium
"""

import io

from PIL import Image
from playwright.sync_api import sync_playwright

from tools.build_pdf import CHROMIUM
from tools.build_site import ROOT

SITE, IMAGES = ROOT / "_build" / "site", ROOT / "docs" / "images"
WIDE = {"width": 1000, "height": 1000}
AXES = [0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 60, 99]
ALONE = ".bd-header-article, .pst-skip-link, #pst-back-to-top, .copybtn { display: none !important }"
TYPESET = "window.MathJax?.startup?.promise?.then(() => true)"


def take(tab, where):
    return Image.open(io.BytesIO(tab.locator(where).first.screenshot())).convert("RGB")


def save(picture, name):
    """In a palette: a quarter of the size, and nobody sees it."""
    picture.quantize(128, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


def face(tab):
    """A picture for each of some numbers of axes, the last one held."""
    tab.locator(".live-only").click()
    frames = []
    for k in AXES:
        tab.locator(".live input").first.evaluate(
            "(one, k) => { one.value = k; one.dispatchEvent(new Event('input')) }", str(k)
        )
        frames.append(take(tab, ".live").reduce(2).quantize(48))
    times = [350] * (len(frames) - 1) + [2500]
    frames[0].save(
        IMAGES / "face.gif", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True
    )


def main():
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport=WIDE, color_scheme="light", device_scale_factor=1.5)
        tab.goto((SITE / "index.html").as_uri())
        tab.evaluate("document.documentElement.dataset.theme = 'light'")
        tab.evaluate("document.querySelectorAll('img').forEach(one => { one.loading = 'eager' })")
        tab.add_style_tag(content=ALONE)
        tab.evaluate(TYPESET)
        save(take(tab, ".flip"), "proof.png")
        save(take(tab, ".reply"), "reply.png")
        save(take(tab, ".cards"), "chapters.png")
        face(tab)
        browser.close()


if __name__ == "__main__":
    main()
