"""The homework: a folder for each chapter, with questions, variants, and the answers tried on them."""
