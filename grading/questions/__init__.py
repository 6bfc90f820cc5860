"""The homework's questions, declared once: ``check`` in a notebook and the class grader read the same."""
