"""All of the grader that the sandbox sees: it runs a student's cells and functions, and knows no question."""
