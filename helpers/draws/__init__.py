"""What the chapters' derivations draw: a module for each chapter, imported as ``draw``.

    from helpers.draws import pca as draw
    closeness = Derivation("Closeness is a constant minus spread", draw=draw.rows_and_frame)

Each function takes ``rng``, or ``rng`` and a `helpers.derivation.Shape`, and returns a dict of named
quantities. The rules:

- samples are rows; what is drawn is **generic** unless the claim needs it: no mean of 0, no symmetry, no
  square table;
- a function stands on NumPy and on this package, never on a listing of its chapter: the listing is what is
  judged;
- one claim or a few of one chapter use it, and its docstring says what is drawn, with shapes.
"""
