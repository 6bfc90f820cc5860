"""Homework: imbalance."""
