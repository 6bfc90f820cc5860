"""Homework: recovery."""
