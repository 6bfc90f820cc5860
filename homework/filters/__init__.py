"""Homework: filters."""
