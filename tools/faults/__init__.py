"""Small faults on purpose, in code and in TeX; try_faults.py plants them in chapters."""
