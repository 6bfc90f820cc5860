"""How the chapters' figures are drawn: a module for each chapter, a function for each figure.

    from helpers.drawing import pca as drawing
    drawing.show_shadows(X, axes)

A chapter computes, in the open; these functions draw what it gives them. The rules, which a test holds them
to:

- plain Matplotlib; they take arrays and names, and compute nothing but limits and shares: no estimator is
  imported here;
- a name begins with ``show_``, and the docstring says in its first line what is seen;
- the sentence below the figure is made of numbers that were passed in, or of shares of them;
- a function has at most 40 lines.
"""
