"""Commands for authors: `uv run python tools/<name>.py`. The course is installed where it stands."""
