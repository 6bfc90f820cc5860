"""imbalance: its estimators keep scikit-learn's rules."""

from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from helpers import imbalance


@parametrize_with_checks([
    imbalance.ThresholdClassifier(GaussianNB(), thresholds=[0.5, 2.0]),
    imbalance.ThresholdClassifier(GaussianNB(), threshold="cost"),
    imbalance.ThresholdClassifier(RidgeClassifier(), threshold=0.0),
    imbalance.AdaBoostClassifier(5),
    imbalance.EasyEnsembleClassifier(2, imbalance.AdaBoostClassifier(3)),
    imbalance.EasyEnsembleClassifier(2, DecisionTreeClassifier(max_depth=2)),
    imbalance.OneClassSVM(tol=1e-10),
    imbalance.OneClassSVM(kernel="linear", tol=1e-10),
    imbalance.OneClassSVM(kernel="poly", tol=1e-10),
])
def test_estimator_rules(estimator, check):
    check(estimator)
