"""scikit-learn's tags of a class, in a line above it."""


def tagged(group=None, **values):
    """Class decorator: ``@tagged("input_tags", sparse=True)`` sets tags of a group; without one, tags of
    the whole.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sklearn.utils import get_tags
    >>> @tagged("input_tags", sparse=True)
    ... class Model(BaseEstimator):
    ...     pass
    >>> get_tags(Model()).input_tags.sparse
    True
    """

    def mark(cls):
        inherited = cls.__sklearn_tags__

        def __sklearn_tags__(self):
            tags = inherited(self)
            for name, value in values.items():
                setattr(getattr(tags, group) if group else tags, name, value)
            return tags

        cls.__sklearn_tags__ = __sklearn_tags__
        return cls

    return mark
