"""How notebooks become the site's pages: build_site.py and build_slides.py stand on it."""
