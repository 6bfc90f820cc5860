"""Commands for authors: `uv run python tools/<name>.py`; in the folders is what they stand on."""
