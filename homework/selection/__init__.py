"""Homework: selection."""
