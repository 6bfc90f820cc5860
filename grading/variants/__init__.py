"""Fresh variants of the questions for a number or a list, and a bank of statements for each chapter."""
