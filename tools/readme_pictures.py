"""Take the README's pictures from the built site: docs/images/*.png and the figure that moves.

uv run python tools/build_site.py && uv run python tools/readme_pictures.py     # needs Chromium
"""

import io

from PIL import Image
from playwright.sync_api import sync_playwright

from tools.books import ROOT
from tools.build_pdf import CHROMIUM

SITE, IMAGES = ROOT / "_build" / "site", ROOT / "docs" / "images"
WIDE = {"width": 1000, "height": 1000}
THUMB = 480, 210
AXES = [0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 60, 99]
ALONE = """
    .bd-header-article, #pst-skip-link, #pst-back-to-top, .copybtn { display: none !important }
    .cards a { pointer-events: none }
"""  # nothing that hovers, or is hovered over
TYPESET = "window.MathJax?.startup?.promise?.then(() => true)"


def take(tab, where):
    return Image.open(io.BytesIO(tab.locator(where).first.screenshot())).convert("RGB")


def save(picture, name):
    """In a palette: a quarter of the size, and nobody sees it."""
    picture.quantize(128, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


def on_white(picture, size):
    page = Image.new("RGB", size, "white")
    page.paste(picture)
    return page


def face(tab):
    """The question, a picture for each of some numbers of axes, and at last who it is."""
    slider = tab.locator(".live input").first
    frames = []
    for k in AXES:
        slider.evaluate("(one, k) => { one.value = k; one.dispatchEvent(new Event('input')) }", str(k))
        frames.append(take(tab, ".live"))
    tab.locator(".live-only").click()
    frames.append(take(tab, ".live"))
    size = max(one.width for one in frames), max(one.height for one in frames)
    frames = [on_white(one, size).reduce(2).quantize(48) for one in frames]
    times = [1500] + [350] * (len(AXES) - 2) + [1500, 4000]
    frames[0].save(
        IMAGES / "face.gif", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True
    )


def main():
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        still = {
            "reduced_motion": "reduce",
            "color_scheme": "light",
        }  # a figure that plays by itself would be caught midway
        tab = browser.new_page(viewport=WIDE, device_scale_factor=1.5, **still)
        tab.goto((SITE / "index.html").as_uri())
        tab.evaluate("document.documentElement.dataset.theme = 'light'")
        tab.evaluate("document.querySelectorAll('img').forEach(one => { one.loading = 'eager' })")
        tab.add_style_tag(content=ALONE)
        tab.evaluate(TYPESET)
        save(take(tab, ".flip .right"), "proof.png")  # without buttons that nobody can press
        save(take(tab, ".reply"), "reply.png")
        for number, card in enumerate(tab.locator(".card-of-chapter img").all(), start=1):
            picture = Image.open(io.BytesIO(card.screenshot())).convert("RGB")
            picture.thumbnail(THUMB)
            save(on_white(picture, THUMB), f"chapter-{number:02d}.png")
        face(tab)
        browser.close()


if __name__ == "__main__":
    main()
