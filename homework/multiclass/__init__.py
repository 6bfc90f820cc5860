"""Homework: multiclass."""
