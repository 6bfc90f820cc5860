"""Homework: sparse."""
