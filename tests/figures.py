"""Do two PNG figures look alike? Compared as small colour pictures: tightly when one Matplotlib drew both."""

import base64
import io

import numpy as np
from PIL import Image

SIDE = 96  # pixels of the small picture's side
TIGHT = (0.6, 24.0)  # one Matplotlib: allowed mean and largest difference of a channel (0 to 255)
LOOSE = (4.0, 200.0)  # another version: text and ticks move by a pixel, so only gross changes count
SLACK = 4  # pixels by which the sizes may differ


def opened(png):
    """(software, size, small picture) of a PNG as a notebook stores it, in base64."""
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    colours = picture.convert("RGBA")
    opaque = Image.alpha_composite(Image.new("RGBA", colours.size, "white"), colours).convert("RGB")
    small = opaque.resize((SIDE, SIDE), Image.Resampling.BOX)
    return picture.info.get("Software"), picture.size, np.asarray(small, dtype=float)


def difference(stored, fresh):
    """One line that says how they differ, or None."""
    if stored.strip() == fresh.strip():
        return None
    (stored_by, stored_size, old), (fresh_by, fresh_size, new) = opened(stored), opened(fresh)
    if stored_by is None or fresh_by is None:
        return "a figure does not say which Matplotlib drew it (the PNG's Software key is gone)"
    if any(abs(a - b) > SLACK for a, b in zip(stored_size, fresh_size, strict=True)):
        return f"sizes {stored_size} and {fresh_size}"
    gap = np.abs(old - new)
    mean_allowed, most_allowed = TIGHT if stored_by == fresh_by else LOOSE
    if gap.mean() > mean_allowed or gap.max() > most_allowed:
        return f"colours differ by {gap.mean():.2f} in the mean, {gap.max():.0f} at most"
    return None


def figures(outputs):
    """(PNG, its alt text) of each output that holds a figure."""
    return [
        (output["data"]["image/png"], output["metadata"].get("image/png", {}).get("alt"))
        for output in outputs
        if "image/png" in output.get("data", {})
    ]


def differences(stored, fresh):
    """What differs between the figures of two runs of a cell, as a list of lines."""
    old, new = figures(stored), figures(fresh)
    if len(old) != len(new):
        return [f"{len(old)} stored figures, {len(new)} fresh ones"]
    found = []
    for number, ((old_png, old_alt), (new_png, new_alt)) in enumerate(zip(old, new, strict=True), start=1):
        look = difference(old_png, new_png)
        found += [f"figure {number}: {look}"] if look else []
        found += [f"figure {number}: alt text {old_alt!r}, now {new_alt!r}"] if old_alt != new_alt else []
    return found
