"""A class: release a homework, grade what is handed in, report on it, export the grades."""
