"""The `course` command, which stands above the package and the homework."""
