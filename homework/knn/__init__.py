"""Homework: knn."""
