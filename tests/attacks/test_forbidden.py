"""What a question forbids cannot be had in its room by any way: not by memory, not by class."""

import pytest

from grading.sandbox.host import Sandbox
from tests.grading.small import needs_sandbox

pytestmark = needs_sandbox

PCA = ("sklearn.decomposition",)
NEIGHBORS = ("sklearn.neighbors",)
FIND = """
import gc
import numpy as np
gc.unfreeze()
def everything():
    found, waiting = {}, [object]
    while waiting:
        for one in type.__subclasses__(waiting.pop()):
            if id(one) not in found:
                found[id(one)] = one
                waiting.append(one)
    found.update({id(o): o for o in gc.get_objects()})
    return list(found.values())
def classes(name):
    return [o for o in everything() if isinstance(o, type) and o.__name__ == name]
def functions(name):
    return [o for o in everything() if 'function' in type(o).__name__ and getattr(o, '__name__', '') == name]
X = np.random.default_rng(0).normal(size=(30, 4))
PARTS = dict(n_components=2, copy=True, whiten=False, svd_solver='full', tol=0.0, iterated_power='auto',
             n_oversamples=10, power_iteration_normalizer='auto', random_state=0)
"""
# name: (what is forbidden, a function that wins where it ends)
WAYS = {
    "PCA, made without its constructor": (
        PCA,
        """
def win():
    C = classes('PCA')[0]
    m = object.__new__(C)
    m.__dict__.update(PARTS)
    return [part for part in C._fit(m, X) if part is not None][0].shape
""",
    ),
    "a function of its module": (
        PCA,
        """
def win():
    return int(functions('_infer_dimension')[0](np.array([3.0, 2.0, 1.0, 0.1]), 30))
""",
    ),
    "a function of the module that a decorator wraps": (
        PCA,
        """
def win():
    found = [f for name in ('fit', 'fit_transform', 'transform') for f in functions(name)
             if (f.__module__ or '').startswith('sklearn.decomposition')]
    for f in found:
        while f is not None:
            try:
                names = f.__code__.co_names
            except AttributeError:
                names = ()
            if names and '_refuse_here' not in names:
                return f.__qualname__
            f = getattr(f, '__wrapped__', None)
    raise LookupError
""",
    ),
    "KNeighborsRegressor": (
        NEIGHBORS,
        """
def win():
    C = classes('KNeighborsRegressor')[0]
    m = object.__new__(C)
    m.__dict__.update(n_neighbors=2, weights='distance', algorithm='brute', leaf_size=30, metric='minkowski',
                      p=2, metric_params=None, n_jobs=None, radius=None, effective_metric_='euclidean')
    m._fit(X, X[:, 0])
    return m.kneighbors(X)
""",
    ),
    "a compiled tree": (
        NEIGHBORS,
        """
def win():
    return classes('KDTree')[0](X).query(X, k=2)[0].tolist()
""",
    ),
    "another compiled tree, by the class that it comes from": (
        NEIGHBORS,
        """
def win():
    C = classes('BallTree')[0]
    return [vars(k)['query'](C(X), X, 2) for k in C.__mro__ if 'query' in vars(k)][0][0].tolist()
""",
    ),
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as one:
        yield one


def won(process, source):
    """What an attack gives in this process, or None."""
    process.request({"op": "cell", "cell": 0, "source": FIND + source}, 60.0)
    reply = process.request({"op": "call", "name": "win", "args": {"~": "tuple", "v": []}, "seed": 0}, 60.0)
    return reply.get("value") if reply["ok"] else None


@pytest.mark.parametrize("name", WAYS)
def test_what_is_forbidden_is_not_there(sandbox, name):
    """In the room without it; where it is allowed, the same words do reach it: the test can fail."""
    forbids, source = WAYS[name]
    for allowed in (True, False):
        process = sandbox.process(() if allowed else forbids)
        try:
            assert (won(process, source) is not None) == allowed
        finally:
            process.close()


def test_what_is_not_forbidden_works_beside_it(sandbox):
    """In the room without one module, the others do what they do."""
    source = """
def win():
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.preprocessing import StandardScaler
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    y = (X[:, 0] > 0).astype(int)
    import scipy.stats, scipy.linalg
    scipy.linalg.svd(X), scipy.stats.rankdata(X[:, 0])
    return cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y).mean()
"""
    for forbids in (PCA, NEIGHBORS):
        process = sandbox.process(forbids)
        try:
            assert won(process, source) > 0.5
        finally:
            process.close()
