"""Pictures, chapter 3. (SIFT here is written to be read and is not timed.)"""

import numpy as np

from benchmarks.families.data import photograph
from benchmarks.workload import Case, equal_within, workload
from helpers.feature_extraction import hog as our_hog


@workload(
    "a photograph in grey, tiled and cut, {n} pixels wide",
    small=dict(n=128),
    typical=dict(n=640),
    grow={"n": 240, "orientations": 9},
)
def hog(n=1920, orientations=9):
    picture = np.ascontiguousarray(np.tile(photograph(), (3, 3))[: 1281 * n // 1920, :n])

    def theirs():
        from skimage.feature import hog

        return hog(picture, orientations=orientations)

    return Case(
        lambda: our_hog(picture, orientations=orientations), {"scikit-image": theirs}, equal_within(1e-6)
    )
