"""Homework: pca."""
