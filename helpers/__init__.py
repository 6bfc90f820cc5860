"""Fewer Dimensions: the small package that the notebooks import."""
