"""Homework: manifold."""
