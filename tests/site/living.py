"""One live figure on a page of its own: what the site gives it, and nothing else. Quick to load."""

from tools.books import ROOT
from tools.site import live

PAGE = """<!DOCTYPE html><html lang="en" data-theme="light"><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="live.css">
<style>body {{ margin: 0 auto; padding: 8px; max-width: 800px; font: 16px "DejaVu Sans", sans-serif }}
[data-theme="dark"] body {{ background: #14181e; color: #e6e6e6 }}</style>
<main><h1>{name}</h1>{frame}</main></html>"""


def write_pages(folder):
    """A page for each figure, and the modules themselves under modules/."""
    live.write_scripts(folder)
    (folder / "modules").mkdir()
    for path in live.LIVE.glob("*.js"):
        (folder / "modules" / path.name).write_bytes(path.read_bytes())
    (folder / "live.css").write_bytes((ROOT / "docs" / "_static" / "live.css").read_bytes())
    for name in live.figures():
        page = PAGE.format(name=name, frame=live.frame(name, "."))
        (folder / f"{name}.html").write_text(page, encoding="utf-8")


COMPUTE = """async ([module, inputs, data]) => {
    const { compute } = await import(module);
    return inputs.map(input => compute(input, data));
}"""


def computed(tab, address, name, inputs):
    """What the figure computes for these inputs."""
    tab.goto(f"{address}{name}.html")
    return tab.evaluate(COMPUTE, [f"{address}modules/{name}.js", inputs, live.data_of(name)])
