"""Ridge regression: least squares with a penalty on the length of w, chapter 9."""

import warnings

import numpy as np
from scipy.linalg import LinAlgError, LinAlgWarning, solve, svd

from helpers._fast import faster
from helpers.linear_model._base import LinearRegressor

__all__ = ["Ridge", "RidgeCV"]


class Ridge(LinearRegressor):
    """``min_w |y - Xw - b|² + alpha |w|²``, solved in closed form, (9.2); the intercept b is not
    penalised.

    With the means taken off, ``w = (XᵀX + alpha I)⁻¹ Xᵀy``, a (d, d) system; for n < d the same w is
    ``Xᵀ(XXᵀ + alpha I)⁻¹ y``, an (n, n) system.

    Short version: chapter 9, `ridge_by_svd`.

    Parameters
    ----------
    alpha : float >= 0, or array of shape (n_targets,)
        Here alpha is the λ of the formula, with no factor; in `Lasso` it is λ/2N.
    fit_intercept : bool
    solver : 'auto', 'cholesky' or 'svd'
        'cholesky': the systems above. 'svd': ``sum_j v_j σ_j/(σ_j² + alpha) u_j·y``, the most exact; of the
        solutions of a singular problem (alpha = 0) the shortest. 'auto': 'cholesky', and 'svd' where that
        meets a singular matrix.

    Attributes
    ----------
    coef_ : array of shape (d,) or (n_targets, d)
    intercept_ : float or array of shape (n_targets,)

    Raises
    ------
    ValueError
        A negative alpha, or not one alpha for each target.

    References
    ----------
    Hoerl and Kennard, Ridge regression: biased estimation for nonorthogonal problems, Technometrics 12, 1970.

    Examples
    --------
    >>> Ridge(alpha=1.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).coef_.round(3)      # 2 / (2 + 1)
    array([0.667])
    """

    def __init__(self, alpha=1.0, *, fit_intercept=True, solver="auto"):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver

    def fit(self, X, y, sample_weight=None):
        """Find w and b; `sample_weight` s makes the first term ``sum_i s_i (y_i - w·x_i - b)²``."""
        data = self._centred(X, y, sample_weight)
        alphas = self._alphas(data.Y.shape[1])  # (n_targets,)
        solvers = {"auto": _by_either, "cholesky": _by_cholesky, "svd": _by_svd}
        if self.solver not in solvers:
            raise ValueError(f"solver={self.solver!r}: use {', '.join(map(repr, solvers))}.")
        return self._keep(data, solvers[self.solver](data.table, data.Y, alphas))

    def _alphas(self, n_targets):
        alphas = np.atleast_1d(np.asarray(self.alpha, float))
        if alphas.ndim > 1 or len(alphas) not in (1, n_targets):
            raise ValueError(
                f"alpha has shape {alphas.shape}: give one number, or one for each of {n_targets} targets."
            )
        if not (alphas >= 0).all():
            raise ValueError(f"alpha={self.alpha}: a negative penalty has no minimum; choose alpha >= 0.")
        return np.broadcast_to(alphas, n_targets)


def _by_cholesky(table, Y, alphas):
    n, d = table.shape
    M, R = (table.outer(), Y) if n < d else table.normal_equations(Y)
    S = np.empty_like(R)
    for alpha in np.unique(alphas):
        same = alphas == alpha
        shifted = M + alpha * np.eye(len(M))
        try:
            S[:, same] = solve(shifted, R[:, same], assume_a="pos", overwrite_a=True)
        except LinAlgError as error:
            raise LinAlgError("The equations are singular: choose alpha > 0, or solver='auto'.") from error
    return table.correlate(S) if n < d else S  # w = X̃ᵀ(X̃X̃ᵀ + αI)⁻¹y, or primal


def _by_svd(table, Y, alphas):
    U, s, Vt = svd(table.dense(), full_matrices=False)
    reach = s.max() + np.linalg.norm(table.mean) * np.linalg.norm(table.roots)
    solid = s > reach * max(table.shape) * np.finfo(float).eps  # below that it is rounding: no w along it
    U, s, Vt = U[:, solid], s[solid, None], Vt[solid]
    return Vt.T @ (s / (s**2 + alphas) * (U.T @ Y))


def _by_either(table, Y, alphas):
    """Cholesky's factor while there is one to working accuracy."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", LinAlgWarning)
            return _by_cholesky(table, Y, alphas)
    except (LinAlgError, LinAlgWarning):
        return _by_svd(table, Y, alphas)


class RidgeCV(LinearRegressor):
    """Ridge regression whose alpha has the least leave-one-out error: exact, from one eigendecomposition.

    With H(α) the matrix that turns y into ŷ, the residual of a row that was left out is
    ``(y_i - ŷ_i)/(1 - H_ii)``, (7.2): no row is ever left out. All H(α) share the eigenvectors U:
    ``H = U diag(λ/(λ+α)) Uᵀ + 1 1ᵀ/n``. A row of weight s leaves whole, and its squared error counts s times:
    H is then that of the rows times √s, with √s in the place of 1.

    Parameters
    ----------
    alphas : sequence of float > 0
    fit_intercept : bool
    store_cv_results : bool
        Keep the squared errors, times the weights.
    alpha_per_target : bool
        Choose alpha for each target by itself.
    cv : None, int, splitter or list of (train, test) rows
        With folds the alpha with the largest mean R² over them is chosen, by fitting a `Ridge` for each.

    Attributes
    ----------
    alpha_ : float, or array of shape (n_targets,)
    best_score_ : float, or array of shape (n_targets,); minus the mean squared leave-one-out error, or the
    mean R² coef_, intercept_ : as in `Ridge`
    cv_results_ : array of shape (n, n_alphas) or (n, n_targets, n_alphas)
        Squared leave-one-out errors; only with `store_cv_results`.

    Raises
    ------
    ValueError
        An alpha that is not positive, fewer than two rows with a weight, or folds together with
        `store_cv_results` or `alpha_per_target`.

    References
    ----------
    Golub, Heath and Wahba, Generalized cross-validation …, Technometrics 21, 1979. Rifkin and Lippert, Notes
    on regularized least squares, MIT-CSAIL-TR-2007-025, 2007.

    Examples
    --------
    >>> model = RidgeCV(alphas=[0.1, 10.0]).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.1, 1.9, 3.0])
    >>> model.alpha_
    0.1
    """

    def __init__(
        self,
        alphas=(0.1, 1.0, 10.0),
        *,
        fit_intercept=True,
        store_cv_results=False,
        alpha_per_target=False,
        cv=None,
    ):
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.cv = cv

    def fit(self, X, y, sample_weight=None):
        """Try every alpha, keep the best; `sample_weight` as in `Ridge`."""
        alphas = np.atleast_1d(np.asarray(self.alphas, float))
        if alphas.ndim > 1 or not alphas.size or not (alphas > 0).all():
            raise ValueError(f"alphas={self.alphas!r}: give a list of numbers > 0.")
        data = self._centred(X, y, sample_weight)
        if self.cv is not None:
            return self._by_folds(X, y, sample_weight, alphas)
        if np.count_nonzero(data.table.roots) < 2:
            raise ValueError(
                f"n_samples={len(data.Y)}: to leave one out, give at least two rows with a weight > 0."
            )
        n_targets = data.Y.shape[1]
        squares, weights_at = left_out(
            data.table, data.Y, alphas, self.fit_intercept
        )  # (n, t, a), α -> (d, t)
        if self.store_cv_results:
            self.cv_results_ = (squares[:, 0] if data.y_is_1d else squares).astype(data.dtype)
        errors = squares.mean(axis=0)  # (t, a)
        if self.alpha_per_target and n_targets > 1:
            self.alpha_, self.best_score_ = alphas[errors.argmin(axis=1)], -errors.min(axis=1)
        else:
            errors = errors.mean(axis=0)
            self.alpha_, self.best_score_ = float(alphas[errors.argmin()]), -float(errors.min())
        return self._keep(data, weights_at(np.broadcast_to(self.alpha_, n_targets)))

    def _by_folds(self, X, y, sample_weight, alphas):
        from sklearn.model_selection import GridSearchCV

        if self.store_cv_results or self.alpha_per_target:
            raise ValueError(
                "store_cv_results and alpha_per_target speak of leaving one row out: use them with cv=None."
            )
        search = GridSearchCV(Ridge(fit_intercept=self.fit_intercept), {"alpha": alphas}, cv=self.cv)
        best = search.fit(X, y, sample_weight=sample_weight).best_estimator_
        self.alpha_, self.best_score_ = float(best.alpha), float(search.best_score_)
        self.coef_, self.intercept_ = best.coef_, best.intercept_
        return self


@faster("ridge")
def left_out(table, Y, alphas, fit_intercept):
    """Squares of residual over (1 - H_ii), which is ``(Ky)_i / K_ii`` with ``K = (X̃X̃ᵀ + αI)⁻¹``: no digits
    cancel as α falls. Also the weights that an alpha gives, ``X̃ᵀKy``.

    The intercept takes the direction (1, …, 1), of weighted rows √s, out of everything: it gets the largest
    eigenvalue and is left out.
    """
    G = table.outer()
    if fit_intercept:
        u = unit(table.roots)
        G += (2 * np.trace(G) + 1) * np.outer(u, u)
    values, Q = np.linalg.eigh(G)
    if fit_intercept:
        values, Q = values[:-1], Q[:, :-1]
    values = np.maximum(values, 0)[:, None]
    inverse = 1 / (values + alphas)  # (r, a)
    c = Q.T @ Y  # (r, t)
    errors = np.stack([Q @ (c_y[:, None] * inverse) / ((Q * Q) @ inverse) for c_y in c.T], axis=1)
    return errors**2, lambda alpha: table.correlate(Q @ (c / (values + alpha)))


def unit(v):
    """v / |v|."""
    return v / np.linalg.norm(v)
