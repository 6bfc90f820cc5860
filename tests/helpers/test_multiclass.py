"""multiclass: equal to scikit-learn, to slow loops, and to what Dietterich and Bakiri say of codes."""

import pickle
import warnings
from itertools import combinations

import joblib
import numpy as np
import pytest
import sklearn.multiclass as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.linalg import LinAlgWarning
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.parallel import Parallel

from helpers import multiclass as ours
from helpers._fast.ridge_classifiers import in_closed_form
from helpers.comparing import close
from helpers.multiclass import reductions
from tests.helpers.covering import each_value

SOUND = 0  # the twin's codes for 5 and 10 classes with this seed have no constant column and no equal rows
KINDS = ["OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"]
BASES = {
    "ridge in closed form": RidgeClassifier(1.0),
    "ridge, strong": RidgeClassifier(300.0, solver="cholesky"),
    "ridge without intercept": RidgeClassifier(fit_intercept=False),
    "ridge with class weights": RidgeClassifier(class_weight="balanced"),
    "ridge by another solver": RidgeClassifier(solver="svd"),
    "ridge, positive": RidgeClassifier(positive=True),
    "linear": LinearDiscriminantAnalysis(),
    "scores that bend": SVC(),
    "probabilities": GaussianNB(),
    "probabilities with ties": KNeighborsClassifier(4),
    "yes or no": DecisionTreeClassifier(max_depth=2, random_state=0),
}


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(200, 4, centers=5, cluster_std=4.0, random_state=3)
    return X + 1000, np.array(list("vwxyz"))[y]  # mean far from 0, labels that are no numbers


def ready(kind, module, estimator, **options):
    return getattr(module, kind)(estimator, **options)


def of_twin(kind, estimator, X, y):
    """The twin's model, and ours with the twin's code where it draws one."""
    drawn = {"random_state": SOUND} if kind == "OutputCodeClassifier" else {}
    there = ready(kind, twin, estimator, **drawn).fit(X, y)
    options = {"code": there.code_book_} if kind == "OutputCodeClassifier" else {}
    return there, ready(kind, ours, clone(estimator), **options).fit(X, y)


# ------------------------------------------------------------ equal to the twin
@each_value
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", KINDS)
def test_same_labels_as_twin(blobs, kind, base):
    there, here = of_twin(kind, BASES[base], *blobs)
    free = np.zeros(len(blobs[0]), bool)
    if kind == "OneVsOneClassifier" and here._threshold:  # ties of probabilities: the twin does not centre
        votes = there.decision_function(blobs[0]).round()
        free = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    assert (here.predict(blobs[0]) == there.predict(blobs[0]))[~free].all() and free.mean() < 0.2


@each_value
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", KINDS[:2])
def test_same_scores_as_twin(blobs, kind, base, n_classes):
    X, y = blobs
    rows = np.isin(y, list("vwxyz")[:n_classes])
    there, here = of_twin(kind, BASES[base], X[rows], y[rows])
    for method in ("decision_function", "predict_proba"):
        assert hasattr(here, method) == hasattr(there, method)
        if hasattr(there, method):
            a, b = getattr(here, method)(X), getattr(there, method)(X)
            if kind == "OneVsOneClassifier" and here._threshold:  # the twin does not centre probabilities
                a, b = (a - 0.2 if n_classes == 2 else a).round(), b.round() if n_classes > 2 else b > 0.5
            assert close(a, b, 1e-9)
    if n_classes == 2:
        assert (here.predict(X[rows]) == there.predict(X[rows])).all()


@pytest.mark.parametrize("options", [{}, {"code": "exhaustive", "decoding": "hard"}], ids=["OvR", "ECOC"])
def test_a_regressor_may_decide(blobs, options):
    """Ridge regression on 0 and 1 is the ridge classifier's score, moved: (s + 1) / 2."""
    kind = ours.OutputCodeClassifier if options else ours.OneVsRestClassifier
    line, ridge = kind(Ridge(), **options).fit(*blobs), kind(RidgeClassifier(), **options).fit(*blobs)
    assert close(line.scores(blobs[0]), (ridge.scores(blobs[0]) + 1) / 2, 1e-9)
    assert (line.predict(blobs[0]) == ridge.predict(blobs[0])).all()
    if not options:
        there = twin.OneVsRestClassifier(Ridge()).fit(*blobs)
        assert (line.predict(blobs[0]) == there.predict(blobs[0])).all()


@pytest.mark.parametrize("kind", KINDS)
def test_precomputed_kernel(blobs, kind):
    X, y = blobs
    K = (X - X.mean(0)) @ (X - X.mean(0)).T
    there, here = of_twin(kind, SVC(kernel="precomputed"), K, y)
    assert (here.predict(K) == there.predict(K)).all()


@pytest.mark.parametrize(
    "base", [RidgeClassifier(), LogisticRegression(), SVC()], ids=["ridge", "logit", "SVC"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_sparse_input(blobs, kind, base):
    from scipy.sparse import csc_matrix, csr_matrix

    X, y = np.round(blobs[0] - 1000, 0) * (np.abs(blobs[0] - 1000) > 3), blobs[1]
    there, here = of_twin(kind, base, csr_matrix(X), y)
    assert (here.predict(csc_matrix(X)) == there.predict(csr_matrix(X))).all()


# ------------------------------------------------------------ the ridge path
def slow(kind):
    """The same class, where every binary classifier is fitted for itself."""
    return type("Slow", (getattr(ours, kind),), {"__init__": getattr(ours, kind).__init__})


@pytest.mark.speed
@pytest.mark.parametrize("weights", [None, "some", "zeros"])
@pytest.mark.parametrize("kind", KINDS)
def test_ridge_classifiers_equal_separate_fits(blobs, kind, weights, monkeypatch):
    X, y = blobs
    w = None if weights is None else np.random.default_rng(0).random(len(y)) * (weights == "some" or y != "w")
    options = {"random_state": 0} if kind == KINDS[2] else {}
    fast = getattr(ours, kind)(RidgeClassifier(2.0), **options).fit(X, y, w)
    monkeypatch.setenv("HELPERS_PLAIN", "1")
    if weights == "zeros" and kind == KINDS[1]:
        w = w + 1e-12 * (y == "w")  # one needs both its classes
    plain = clone(fast).fit(X, y, w)
    assert close(fast.scores(X), plain.scores(X), 1e-7)
    for a, b in zip(fast.estimators_, plain.estimators_):
        assert type(a) is RidgeClassifier and a.coef_.shape == b.coef_.shape
        assert a.intercept_.shape == b.intercept_.shape and (a.predict(X) == b.predict(X)).all()


CASES = {
    "plain": (RidgeClassifier(), (20, 3), True),
    "n < d": (RidgeClassifier(), (20, 21), False),
    "n = d": (RidgeClassifier(), (20, 20), True),
    "alpha 0": (RidgeClassifier(0), (20, 3), False),
    "an array of alphas": (RidgeClassifier(np.ones(1)), (20, 3), False),
    "another model": (Ridge(), (20, 3), False),
    "scatters at the limit": (RidgeClassifier(), (1448, 1448), True),
    "scatters too large": (RidgeClassifier(), (1449, 1449), False),
}


@pytest.mark.speed
@pytest.mark.parametrize("case", CASES)
def test_when_the_ridge_path_is_taken(case):
    estimator, shape, expected = CASES[case]
    y = np.arange(shape[0]) % 2
    assert in_closed_form(estimator, np.zeros(shape), y, None) is expected
    assert not in_closed_form(estimator, np.zeros(shape), y, np.ones(shape[0]))


@pytest.mark.parametrize("kind", KINDS)
def test_wide_and_degenerate_tables(kind):
    X, y = load_digits(return_X_y=True)  # three columns of zeros
    for n, columns in ((40, slice(None)), (200, slice(20, 21)), (60, [3, 3, 4])):
        there, here = of_twin(kind, RidgeClassifier(5.0), X[:n, columns], y[:n])
        assert (here.predict(X[:n, columns]) == there.predict(X[:n, columns])).mean() > 0.99
    twice = np.random.default_rng(1).integers(0, 5, (60, 3)) * 1e8  # a column that comes twice: singular
    twice, y = np.c_[twice, twice[:, 0]], np.arange(60) % 10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        there, here = of_twin(kind, RidgeClassifier(), twice, y)
    assert_array_equal(here.predict(twice), there.predict(twice))


@pytest.mark.parametrize("kind", KINDS)
def test_float32_kept(blobs, kind):
    X = (blobs[0] - 1000).astype(np.float32)
    there, here = of_twin(kind, RidgeClassifier(), X, blobs[1])
    assert here.estimators_[0].coef_.dtype == there.estimators_[0].coef_.dtype == np.float32
    assert here.scores(X).dtype == np.float32 and (here.predict(X) == there.predict(X)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_table_of_integers(kind):
    X, y = load_digits(return_X_y=True)
    there, here = of_twin(kind, RidgeClassifier(), X.astype(np.uint8), y)
    assert (here.predict(X) == there.predict(X)).all()


# ------------------------------------------------------------ equal to slow loops
def votes_by_loops(S, K):
    votes, sure = np.zeros((len(S), K)), np.zeros((len(S), K))
    for row, scores in enumerate(S):
        for (i, j), s in zip(combinations(range(K), 2), scores):
            votes[row, j if s > 0 else i] += 1
            sure[row, i] -= s
            sure[row, j] += s
    return votes, sure


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6))
def test_votes_by_loops(K, seed):
    """Every pair gives one vote; the tie-break is too small to change a count, and follows the confidence."""
    S = np.random.default_rng(seed).normal(size=(20, K * (K - 1) // 2)) * 10
    votes, sure = votes_by_loops(S, K)
    V = ours.pair_votes(S, K)
    assert (votes.sum(axis=1) == K * (K - 1) / 2).all() and (np.abs(V - votes) < 1 / 3).all()
    assert close(V - votes, sure / (3 * (np.abs(sure) + 1)), 1e-12)


def test_a_cycle_is_decided_by_confidence():
    """Chapter 11's cycle .1, -3, .2: the first of equal counts would be right by luck only."""
    assert ours.pair_votes(np.array([[0.1, -3.0, 0.2]]), 3).argmax() == 0
    assert ours.pair_votes(np.array([[-0.1, 3.0, -0.2]]), 3).argmax() == 2, "mirrored, one vote each again"
    cycle = np.array([[0.6, 0.4, 0.9]])
    assert (ours.pair_votes(cycle, 3, threshold=0.5).round() == 1).all()
    assert close(ours.pair_votes(cycle, 3, threshold=0.5), ours.pair_votes(cycle - 0.5, 3))


@pytest.mark.parametrize("base", [RidgeClassifier(), LinearDiscriminantAnalysis()])
def test_pairs_see_their_own_rows_only(blobs, base):
    X, y = blobs
    model = ours.OneVsOneClassifier(base).fit(X, y)
    assert len(model.estimators_) == model.n_classes_ * (model.n_classes_ - 1) // 2 == 10
    for one, (a, b) in zip(model.estimators_, combinations("vwxyz", 2)):
        rows = np.isin(y, [a, b])
        alone = clone(base).fit(X[rows], y[rows] == b)
        assert close(one.coef_, alone.coef_, 1e-6) and close(one.intercept_, alone.intercept_, 1e-6)


def test_all_say_no_and_the_least_against_wins():
    X = np.concatenate([np.random.default_rng(0).normal(c, 1, (50, 1)) for c in (0, 10, 20)])
    y = np.repeat([3, 7, 9], 50)  # not 0 … K-1
    model = ours.OneVsRestClassifier(LogisticRegression()).fit(X, y)
    assert (model.scores(X)[y == 7, 1] < 0).all(), "the middle blob has no classifier for it"
    assert (model.predict(X) == y).mean() > 0.9


# ------------------------------------------------------------ codes
@pytest.mark.parametrize(
    "K, columns, distance, corrected",
    [(3, 3, 2, 0), (4, 7, 4, 1), (5, 15, 8, 3), (6, 31, 16, 7), (7, 63, 32, 15)],
)
def test_exhaustive_codes_of_dietterich_and_bakiri_1995(K, columns, distance, corrected):
    code = ours.exhaustive_code(K)
    assert code.shape == (K, columns) and ours.code_distance(code) == distance
    assert ours.errors_corrected(distance) == corrected and (code[0] == 1).all()
    for i in range(2, K + 1):  # row i alternates runs of 2^(K-i) zeros and ones
        assert (code[i - 1] == [m // 2 ** (K - i) % 2 for m in range(columns)]).all()


def faults(code):
    """Constant, repeated and complementary columns, and equal rows."""
    columns = [tuple(c) for c in np.asarray(code).T]
    other = {tuple(1 - np.array(c)) for c in columns}
    return (
        any(len(set(c)) == 1 for c in columns),
        len(set(columns)) < len(columns),
        bool(other & set(columns)),
        len(np.unique(code, axis=0)) < len(code),
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.floats(0, 1))
def test_random_codes_are_sound(K, seed, share):
    fewest, most = int(np.ceil(np.log2(K))), min(2 ** (K - 1) - 1, 60)
    M = fewest + round(share * (most - fewest))
    code = ours.random_code(K, M, random_state=seed)
    assert code.shape == (K, M) and faults(code) == (False,) * 4


def test_random_codes_differ_and_repeat_with_the_seed():
    codes = [ours.random_code(5, 7, random_state=seed) for seed in (0, 0, 1)]
    assert (codes[0] == codes[1]).all() and (codes[0] != codes[2]).any()
    for columns in (3, 5):  # few: distinct rows first; many: distinct columns first
        drawn = [c for seed in range(60) for c in ours.random_code(4, columns, random_state=seed).T]
        seen = {tuple(c if c[0] else 1 - c) for c in drawn}
        assert seen == {tuple(c) for c in ours.exhaustive_code(4).T}, "every split can be drawn"


def test_distance_is_the_smallest_over_all_pairs():
    code = np.random.default_rng(0).integers(2, size=(6, 11))
    assert ours.code_distance(code) == min((a != b).sum() for a, b in combinations(code, 2))


def test_words_with_classes_that_are_not_asked_have_no_distance():
    """In pairs one wrong duel can cost the class: 0 loses to 1 alone, and 1 wins all of its own."""
    code = ours.pairs_code(4)
    with pytest.raises(ValueError, match="not asked"):
        ours.code_distance(code)
    heard = np.array([[1, -1, -1, -1, -1, -1]])  # duels (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)
    assert ours.nearest_code(heard, code)[0] == 1
    assert ours.nearest_code(heard * [-1, 1, 1, 1, 1, 1], code)[0] == 0


@pytest.mark.parametrize("K", [4, 5])
def test_every_correctable_pattern_of_errors_is_corrected(K):
    """Exhaustive K = 4: each of the 7 single errors; one-vs-rest corrects none (item 11.9)."""
    code = ours.exhaustive_code(K)
    for e in range(ours.errors_corrected(ours.code_distance(code)) + 1):
        for wrong in combinations(range(code.shape[1]), e):
            heard = code.copy()
            heard[:, wrong] = 1 - heard[:, wrong]
            assert (ours.nearest_code(heard, code) == np.arange(K)).all()
    heard, identity = np.eye(4), np.eye(4)
    heard[2, 2] = 0
    assert ours.nearest_code(heard, identity)[2] != 2


def test_nearest_code_by_loops():
    """Words with different numbers of ones: the largest inner product would be wrong."""
    code, outputs = ours.exhaustive_code(4), np.random.default_rng(0).random((50, 7))
    slow_answer = [min(range(4), key=lambda c: ((o - code[c]) ** 2).sum()) for o in outputs]
    assert (ours.nearest_code(outputs, code) == slow_answer).all()
    assert (ours.nearest_code(outputs, code) != (outputs @ code.T).argmax(axis=1)).any()


def test_soft_decoding_hears_how_sure_the_classifiers_are():
    code = np.array([[1, 1, 0], [0, 0, 1]])
    outputs = np.array([[0.55, 0.55, 0.95]])  # two weak votes against a strong one
    assert ours.nearest_code(outputs, code) == 1 and ours.nearest_code(outputs > 0.5, code) == 0


@pytest.mark.parametrize("base", [RidgeClassifier(), GaussianNB()], ids=["scores", "probabilities"])
def test_hard_decoding_counts_disagreements(blobs, base):
    X, y = blobs
    model = ours.OutputCodeClassifier(base, code="exhaustive", decoding="hard").fit(X, y)
    low = -1 if isinstance(base, RidgeClassifier) else 0
    assert set(np.unique(model.code_book_)) == {low, 1} and model.code_book_.shape == (5, 15)
    bits = np.array([one.predict(X) for one in model.estimators_]).T  # (n, M)
    differing = (bits[:, None] != (model.code_book_ > 0)).sum(axis=2)
    assert (model.predict(X) == model.classes_[differing.argmin(axis=1)]).all()
    soft = clone(model).set_params(decoding="soft").fit(X, y)
    assert (soft.predict(X) != model.predict(X)).any()


def test_one_vs_rest_is_the_identity_code(blobs):
    X, y = blobs
    code = ours.OutputCodeClassifier(RidgeClassifier(), code=np.eye(5)).fit(X, y)
    assert close(code.scores(X), ours.OneVsRestClassifier(RidgeClassifier()).fit(X, y).scores(X))


def test_three_classes_from_binary_classifiers():
    X, y = load_iris(return_X_y=True)
    base = LinearDiscriminantAnalysis()
    for model in [getattr(ours, kind)(base) for kind in KINDS]:
        assert model.fit(X, y).score(X, y) > 0.8
        with pytest.raises(ValueError, match="Unknown label type"):
            model.fit(X, X[:, 0])


@pytest.mark.parametrize("K, size, columns", [(2, 1.5, 1), (3, 1.5, 3), (5, 1.5, 7), (5, 0.7, 3), (4, 9, 7)])
def test_number_of_columns(K, size, columns):
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % K
    model = ours.OutputCodeClassifier(RidgeClassifier(), code_size=size, random_state=0).fit(X, y)
    assert model.code_book_.shape == (K, columns) and len(model.estimators_) == columns


# ------------------------------------------------------------ manners
@pytest.mark.parametrize("kind", KINDS)
def test_clone_pickle_frames_and_jobs(blobs, kind, monkeypatch):
    import pandas as pd

    jobs_of = []
    monkeypatch.setattr(reductions, "Parallel", lambda **o: jobs_of.append(o["n_jobs"]) or Parallel(**o))
    X, y = pd.DataFrame(blobs[0], columns=list("abcd")), blobs[1]
    options = {"random_state": 0} if kind == KINDS[2] else {}
    with joblib.parallel_config("threading"):
        model = ready(kind, ours, LogisticRegression(C=1e-3), n_jobs=2, **options).fit(X, y)
    again = pickle.loads(pickle.dumps(clone(model).set_params(n_jobs=None).fit(X, y)))
    assert (again.predict(X) == model.predict(X)).all() and list(model.feature_names_in_) == list("abcd")
    assert jobs_of == [2, None]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_count_rows(blobs, kind):
    X, y = blobs
    counts = np.random.default_rng(1).integers(1, 4, len(y))
    options = {"random_state": 0} if kind == KINDS[2] else {}
    for base in (RidgeClassifier(), GaussianNB()):
        weighted = ready(kind, ours, base, **options).fit(X, y, counts)
        repeated = ready(kind, ours, base, **options).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
        assert close(weighted.scores(X), repeated.scores(X), 1e-7)


BAD = {
    "one class": (dict(), dict(y=np.zeros(20)), "one class only"),
    "unknown code": (dict(code="best"), dict(), "use 'random', 'exhaustive' or an array"),
    "unknown decoding": (dict(decoding="loud"), dict(), "use 'soft' or 'hard'"),
    "too few columns": (dict(code_size=0.5), dict(), "2 columns for 5 classes: choose 3 .* to 15"),
    "rows for other classes": (dict(code=np.eye(4)), dict(), "4 rows for 5 classes"),
    "constant column": (dict(code=np.c_[np.eye(5), np.ones(5)]), dict(), "column of the code is constant"),
    "equal rows": (dict(code=[[0, 1], [0, 1], [1, 0], [1, 1], [0, 0]]), dict(), "Two rows of the code are"),
    "one class with weight": (dict(), dict(sample_weight=np.arange(20) % 5 == 2), "Only one class has rows"),
    "three values": (dict(code=np.eye(5) - np.eye(5)[::-1]), dict(), "use two, such as 0 and 1"),
}


@pytest.mark.parametrize("case", BAD)
def test_clear_errors(case):
    options, data, message = BAD[case]
    data = {"X": np.random.default_rng(0).normal(size=(20, 2)), "y": np.arange(20) % 5} | data
    with pytest.raises(ValueError, match=message):
        ours.OutputCodeClassifier(RidgeClassifier(), **options).fit(**data)


def test_a_class_of_little_weight_is_a_class(blobs):
    X, y = blobs
    tiny = np.where(y == "v", 1e-3, 1e-3 * (y == "w"))  # each class's sum is far below 1
    model = ours.OneVsRestClassifier(GaussianNB()).fit(X[tiny > 0], y[tiny > 0], tiny[tiny > 0])
    assert set(model.predict(X[tiny > 0])) == {"v", "w"}


def test_probabilities_of_rows_with_other_features(blobs):
    X, y = blobs
    model = ours.OneVsRestClassifier(GaussianNB()).fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but OneVsRestClassifier is expecting 4"):
        model.predict_proba(X[:, :3])


def test_clear_errors_of_codes():
    with pytest.raises(ValueError, match="use it for 2 to 16 classes"):
        ours.exhaustive_code(17)
    with pytest.raises(ValueError, match="use it for 2 to 16 classes"):
        ours.exhaustive_code(1)
    with pytest.raises(ValueError, match="no more ways to split"):
        ours.random_code(4, 8)
    with pytest.raises(ValueError, match="a pair needs two classes"):
        ours.pairs_code(1)
    with pytest.raises(ValueError, match="words must differ"):
        ours.errors_corrected(0)
    assert ours.exhaustive_code(16).shape == (16, 32767) and ours.random_code(4, 7).shape == (4, 7)
