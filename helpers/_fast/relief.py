"""Relief's terms for many rows of one class at a time."""

import numpy as np
from sklearn.utils import gen_batches

BLOCK = 2**20  # differences held at a time


def _groups(rows, codes, difference):
    width = len(difference.Z) if difference.blanks is None else difference.Z.size
    of_class = [rows[codes[rows] == c] for c in np.unique(codes[rows])]
    return [members[b] for members in of_class for b in gen_batches(len(members), max(1, BLOCK // width))]
