"""Homework: capstone."""
