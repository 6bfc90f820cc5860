"""The homework's questions, declared once: the notebook's ``check`` and the class grader read the same declaration."""
