"""Homework: preprocessing."""
