"""Homework: wrappers."""
