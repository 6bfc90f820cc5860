"""Methods that no kept library has, each as short as the listing of its chapter.

One module for each idea, imported by its own name: ``from helpers.methods.ksvd import KSVD``.
"""
