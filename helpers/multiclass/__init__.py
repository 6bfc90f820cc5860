"""Many classes from binary classifiers: one-vs-rest, one-vs-one and output codes, chapter 11.

All three are one idea: a code book of shape (K, M) with a row for each class and a column for each binary
classifier.
In its column it calls the classes marked +1 positive, those marked -1 negative, and is never asked
about those marked 0.
"""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "reductions": ["OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"],
        "codes": [
            "pairs_code",
            "pair_votes",
            "exhaustive_code",
            "random_code",
            "code_distance",
            "errors_corrected",
            "nearest_code",
        ],
    },
)
