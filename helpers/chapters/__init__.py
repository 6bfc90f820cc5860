"""What belongs to one chapter alone: what its derivations draw at random, and figures of many parts.

    from helpers.chapters import pca as chapter
    closeness = Derivation("Closeness is a constant minus spread", draw=chapter.cloud)
    chapter.show_shadows(X, axes)

**Draws** are what takes ``rng``, or ``rng`` and a `helpers.derivation.Shape`, and nothing else; each returns
a dict of named quantities. Samples are rows; what is drawn is **generic** unless the claim needs it: no mean
of 0, no symmetry, no square table. A draw never stands on a listing of its chapter: the listing is what is
judged.

**Figures** begin with ``show_``. They take arrays and names, draw with plain Matplotlib, and compute nothing
but limits and shares; the sentence below the figure is made of numbers that were passed in, or of shares of
them. A function has at most 40 lines.
"""
