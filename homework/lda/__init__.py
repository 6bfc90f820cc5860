"""Homework: lda."""
