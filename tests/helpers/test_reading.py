"""TeX is read as NumPy computes it, on every shape; two readings, or none, are refused."""

import itertools
import math
import re
import time

import numpy as np
import pytest

from helpers.derivation import SHAPES, samples
from helpers.reading import Notation, ReadingError, default_notation

TABLE = r"""
    X                | matrix n × d      | samples in rows            |
    W                | matrix d × k      | axes                       |
    A                | matrix d × d      | not symmetric              |
    S                | matrix d × d      | symmetric, positive        | \frac1n \sum_i x_i x_i^\top + I
    B                | matrix d × n      | a product                  |
    G                | matrix n × n      | weights of pairs           |
    n, d, k          | number            | sizes                      |
    u, v, w          | column d          | columns                    |
    y, p             | column n          | labels, shares             |
    a, b, c, t       | number            | numbers                    |
    m                | number            | a number of at least 1     |
    q                | column 5          | five numbers               |
    e                | number            | Euler's number             | \exp(1)
    I                | matrix            | unit matrix                | unit matrix
    \mathbf 1        | column n          | ones                       | ones
    e_j              | column d          | unit column                | unit column j
    x_i              | column d          | a sample                   | row i of X
    \alpha^j         | row d             | row of a matrix            | row j of A
    g_j              | column n          | a feature                  | column j of X
    z_i              | column k          | scores                     | W^\top x_i
    \hat x_i         | column d          | reconstruction             | W z_i
    \bar x           | column d          | mean                       | \frac1n \sum_i x_i
    \lambda_j        | number            | eigenvalues                | entry of `lam`
    D^{(2)}          | matrix d × d      | squared entries            | A \odot A
    w^\ast, w'       | column d          | others                     |
    N^+, TP, FP      | number            | counts                     |
    f(w)             | number function   | a loss                     | \lVert y - X w \rVert^2
    h(t)             | number function   | drawn                      | `h`
    P(r \mid y)      | number function   | depends on a label         | `P`
    r, s             | index 3           | classes                    |
    \mu_r            | column d          | means of classes           | row r of `mu`
    H(a \mid b)      | number            | a name with a bar          | `H`
    T                | index set         | chosen features            |
    E                | expectation       | over a finite table        |
    \theta           | random number     | with one value an outcome  |
    \xi              | random column d   | a noise                    |
"""
NAMES = Notation(TABLE, default=False)
DEPTH = 50


def draw(rng, n, d, k):
    return {
        "X": rng.normal(size=(n, d)) + 1,
        "W": rng.normal(size=(d, k)),
        "A": rng.normal(size=(d, d)),
        "B": rng.normal(size=(d, n)),
        "G": rng.normal(size=(n, n)),
        "u": rng.normal(size=d),
        "v": rng.normal(size=d),
        "w": rng.normal(size=d),
        "y": rng.normal(size=n),
        "p": rng.uniform(0.1, 1, n),
        "a": rng.uniform(0.5, 2),
        "b": rng.uniform(2, 3),
        "c": rng.normal(),
        "t": rng.uniform(0.1, 0.9),
        "m": rng.uniform(1, 4),
        "q": rng.normal(size=5),
        "lam": np.sort(rng.uniform(1, 9, d))[::-1],
        "w_star": rng.normal(size=d),
        "w_prime": rng.normal(size=d),
        "N_plus": 7.0,
        "TP": 3.0,
        "FP": 4.0,
        "h": lambda t: t**3 - t,
        "P": lambda r, y: float(r) + y.sum(),
        "mu": rng.normal(size=(3, d)),
        "H": 0.7,
        "T": [j for j in range(1, d + 1) if j % 2],
        "theta": rng.normal(size=6),
        "xi": rng.normal(size=(6, d)),
    }


SIZES = [(5, 3, 2), (1, 3, 2), (4, 1, 1), (2, 6, 1), (4, 4, 4), (1, 1, 1)]
DRAWS = [draw(np.random.default_rng(seed), *size) for seed, size in enumerate(SIZES)]


class V:
    """A draw's values by name, with the derived ones."""

    def __init__(self, values):
        self.__dict__.update(values)
        X, W = self.X, self.W
        self.n, self.d, self.k = len(X), X.shape[1], W.shape[1]
        self.S = X.T @ X / self.n + np.eye(self.d)
        self.Z, self.mean = X @ W, X.mean(axis=0)
        self.I, self.one = np.eye(self.d), np.ones(self.n)


def pairs(n):
    return itertools.product(range(n), repeat=2)


SPLIT = np.trace
# formula, its value: made up from the field, and none stands in the course like this
READ = [
    (r"u^\top v", lambda o: o.u @ o.v),
    (r"u \cdot v - v \cdot u + \langle u, w \rangle", lambda o: o.u @ o.w),
    (r"u v^\top w", lambda o: o.u * (o.v @ o.w)),
    (r"u^\top A v\, w", lambda o: (o.u @ o.A @ o.v) * o.w),
    (r"A^\top A - A A^\top", lambda o: o.A.T @ o.A - o.A @ o.A.T),
    (r"\operatorname{tr} A^2", lambda o: SPLIT(o.A @ o.A)),
    (r"(\operatorname{tr} A)^2", lambda o: SPLIT(o.A) ** 2),
    (r"\operatorname{tr} A + a", lambda o: SPLIT(o.A) + o.a),
    (r"2 \operatorname{tr} A B X - a", lambda o: 2 * SPLIT(o.A @ o.B @ o.X) - o.a),
    (r"\operatorname{tr}\left( A \right) / b", lambda o: SPLIT(o.A) / o.b),
    (r"\lVert A \rVert_F^2 = \operatorname{tr} A^\top A", lambda o: True),
    (r"\lVert A \rVert_2 \le \lVert A \rVert_F \le \lVert A \rVert_*", lambda o: True),
    (r"\| u \|^2 + \|v\|_1 - \lVert w \rVert_\infty", lambda o: o.u @ o.u + abs(o.v).sum() - abs(o.w).max()),
    (r"\lVert q \rVert_m", lambda o: (abs(o.q) ** o.m).sum() ** (1 / o.m)),
    (r"\lVert q \rVert_0", lambda o: 5.0),
    (r"-c^2", lambda o: -(o.c**2)),
    (r"(-c)^2", lambda o: o.c**2),
    (r"m / b", lambda o: o.m / o.b),
    (r"m - b", lambda o: o.m - o.b),
    (r"\frac{1}{n} \sum_i y_i^2", lambda o: (o.y**2).mean()),
    (r"\frac{1}{n+1} \sum_i y_i^2", lambda o: (o.y**2).sum() / (o.n + 1)),
    (r"\sum_i y_i^2 + a", lambda o: (o.y**2).sum() + o.a),
    (r"\sum_i (y_i^2 + a)", lambda o: (o.y**2 + o.a).sum()),
    (r"a - \sum_i p_i y_i - b", lambda o: o.a - o.p @ o.y - o.b),
    (r"\sum_i p_i \sum_j X_{ij} u_j", lambda o: o.p @ o.X @ o.u),
    (r"\Bigl( \sum_i p_i \Bigr) \Bigl( \sum_i y_i \Bigr)", lambda o: o.p.sum() * o.y.sum()),
    (
        r"\sum_{i<j} (\lambda_i - \lambda_j)",
        lambda o: sum(o.lam[i] - o.lam[j] for i, j in pairs(o.d) if i < j),
    ),
    (
        r"\sum_{i,j} G_{ij} \lVert x_i - x_j \rVert^2",
        lambda o: sum(o.G[i, j] * ((o.X[i] - o.X[j]) ** 2).sum() for i, j in pairs(o.n)),
    ),
    (r"\sum_{ij} G_{ij} - \sum_{i} G_{ii}", lambda o: o.G.sum() - SPLIT(o.G)),
    (r"\sum_{i \ne j} G_{ij}", lambda o: o.G.sum() - SPLIT(o.G)),
    (r"\sum_{j=1}^{d-1} (\lambda_j - \lambda_{j+1})", lambda o: o.lam[0] - o.lam[-1]),
    (r"\sum_{i=2}^{1} x_i + u", lambda o: o.u),
    (r"u + \sum_{j > d} \lambda_j e_j", lambda o: o.u),
    (r"A \sum_{j > d} \lambda_j e_j", lambda o: 0 * o.u),
    (r"\prod_{j=1}^{0} \lambda_j", lambda o: 1.0),
    (r"\prod_j \lambda_j", lambda o: o.lam.prod()),
    (r"\ln \prod_j \lambda_j", lambda o: np.log(o.lam).sum()),
    (
        r"\sum_j \ln \lambda_j - \tfrac12 \ln \det S",
        lambda o: np.log(o.lam).sum() - np.linalg.slogdet(o.S)[1] / 2,
    ),
    (r"\lambda_1 + \dots + \lambda_k", lambda o: o.lam[: o.k].sum()),
    (r"\lambda_1 \ge \lambda_d", lambda o: True),
    (r"\max_j \lambda_j + \min_j \lambda_j", lambda o: o.lam[0] + o.lam[-1]),
    (r"\max_i \lvert y_i \rvert", lambda o: abs(o.y).max()),
    (r"\max(a, b, -c) \cdot \min\{a, b\}", lambda o: max(o.a, o.b, -o.c) * min(o.a, o.b)),
    (r"\sum_j [\lambda_j > b] \lambda_j", lambda o: o.lam[o.lam > o.b].sum()),
    (r"\#\{ j : \lambda_j > b \}", lambda o: (o.lam > o.b).sum()),
    (r"\min\{ j : \lambda_j \le \lambda_1 \}", lambda o: 1.0),
    (r"\sum_{j \in T} u_j v_j", lambda o: (o.u * o.v)[::2].sum()),
    (r"\sum_{j \notin T} u_j + |T|", lambda o: o.u[1::2].sum() + len(o.T)),
    (r"S^{1/2} S^{1/2} - S + S^{-1}", lambda o: np.linalg.inv(o.S)),
    (r"S^{-1/2} S\, S^{-1/2} u", lambda o: o.u),
    (r"X^+ y", lambda o: np.linalg.pinv(o.X) @ o.y),
    (
        r"(X^\top X + a I)^{-1} X^\top y",
        lambda o: np.linalg.solve(o.X.T @ o.X + o.a * np.eye(o.d), o.X.T @ o.y),
    ),
    (r"X^\top (X X^\top + a I_n)^{-1} y", lambda o: np.linalg.solve(o.X.T @ o.X + o.a * o.I, o.X.T @ o.y)),
    (r"X - \mathbf 1 \bar x^\top", lambda o: o.X - o.mean),
    (r"(I_n - \tfrac1n \mathbf{1}\mathbf{1}^\top) X", lambda o: o.X - o.mean),
    (r"\sum_i \lVert \hat x_i - x_i \rVert^2", lambda o: ((o.Z @ o.W.T - o.X) ** 2).sum()),
    (r"\sum_j e_j \alpha^j", lambda o: o.A),
    (r"\sum_j g_j e_j^\top", lambda o: o.X),
    (r"u \odot v + (u)_+", lambda o: o.u * o.v + np.maximum(o.u, 0)),
    (r"(1 - m)_+ + (m - 1)_+^2", lambda o: (o.m - 1) ** 2),
    (r"\operatorname{diag}(\lambda_1 u)", lambda o: np.diag(o.lam[0] * o.u)),
    (r"\operatorname{rank} (u v^\top)", lambda o: 1.0),
    (r"\binom{d}{2} + \binom n1", lambda o: math.comb(o.d, 2) + o.n),
    (r"\lfloor b \rfloor + \lceil t \rceil", lambda o: math.floor(o.b) + 1.0),
    (r"e^{-t} + \exp(-t) - 2^{10}", lambda o: 2 * math.exp(-o.t) - 1024),
    (r"\log_2 b - \frac{\ln b}{\ln 2}", lambda o: 0.0),
    (r"D^{(2)} u + w' - w^\ast", lambda o: (o.A**2) @ o.u + o.w_prime - o.w_star),
    (r"\frac{TP}{TP + FP} N^+", lambda o: 3.0),
    (r"f(w) - f(w^\ast)", lambda o: ((o.y - o.X @ o.w) ** 2).sum() - ((o.y - o.X @ o.w_star) ** 2).sum()),
    (r"a (b + c)", lambda o: o.a * (o.b + o.c)),
    (r"h(b + c)", lambda o: (o.b + o.c) ** 3 - o.b - o.c),
    (r"h(t)^2", lambda o: (o.t**3 - o.t) ** 2),
    (r"\nabla f(u)", lambda o: -2 * o.X.T @ (o.y - o.X @ o.u)),
    (r"\nabla_w \bigl[ w^\top A w - a\, u^\top w \bigr]", lambda o: (o.A + o.A.T) @ o.w - o.a * o.u),
    (r"\sum_r P(r \mid y)", lambda o: 6 + 3 * o.y.sum()),
    (r"\sum_{r \ne s} \mu_r^\top \mu_s", lambda o: o.mu.sum(0) @ o.mu.sum(0) - (o.mu**2).sum()),
    (r"2 H(a \mid b) + a", lambda o: 1.4 + o.a),
    (r"\sum_r r^2 + \sum_{s=0}^{3} s", lambda o: 20.0),
    (r"E\, \theta^2 - (E \theta)^2", lambda o: o.theta.var()),
    (r"E (\theta - E \theta)^2", lambda o: o.theta.var()),
    (r"E\, \xi \xi^\top", lambda o: o.xi.T @ o.xi / 6),
    (r"\begin{cases} t & t > 2 \\ a - t & \text{otherwise} \end{cases}", lambda o: o.a - o.t),
    (r"\lVert X v \rVert^2 - r, \quad r = s^2,\ s = \lVert z \rVert, \quad z = X v", lambda o: 0.0),
    (r"\bigl| a - | b | \bigr| + \left| -a \right|", lambda o: abs(o.a - o.b) + o.a),
    (r"\left\| u \right\|_2^{2} = u^{\top} {u}", lambda o: True),
    (r"u^\top u = u^\top v", lambda o: bool(np.isclose(o.u @ o.u, o.u @ o.v))),
    (r"0 < a < b", lambda o: True),
    (r"A = A^\top", lambda o: bool(np.allclose(o.A, o.A.T))),
    (r"x_i^\top x_i, \quad i = 1", lambda o: o.X[0] @ o.X[0]),
    (r"\max(a, b)^2 - a^{b^{c}}", lambda o: max(o.a, o.b) ** 2 - o.a ** (o.b**o.c)),
    (r"\frac{\sum_{j \le k} \lambda_j}{\sum_j \lambda_j}", lambda o: o.lam[: o.k].sum() / o.lam.sum()),
    (
        r"\tfrac12 \lVert w \rVert^2 + a \sum_i (1 - y_i w^\top x_i)_+",
        lambda o: o.w @ o.w / 2 + o.a * np.maximum(0, 1 - o.y * (o.X @ o.w)).sum(),
    ),
    (r"u \cdot A v", lambda o: o.u @ o.A @ o.v),
    (r"\lVert A \rVert^2_F", lambda o: (o.A**2).sum()),
]


def test_read_as_numpy_computes_it():
    for tex, value in READ:
        formula = NAMES.read(tex)
        for values in DRAWS:
            found, wanted = formula(NAMES.environment(values)), value(V(values))
            assert np.shape(found) == np.shape(wanted), tex
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9, err_msg=tex)


AS_TYPED = Notation(
    r"""
    X                    | matrix n × d      | samples                 |
    x_i                  | column            | a sample                | row i of X
    x_{ij}               | number            | its entry               | entry of X
    A, B                 | matrix d × d      | of one size             |
    y_i                  | number            | a label                 | entry of `y`
    a_l                  | number            | a family                | entry of `a`
    w, \beta             | column d          | columns                 |
    p                    | number            | an order                |
    n, d                 | number            | sizes                   |
    c, c^*               | number            | a class                 |
    p_{j \mid i}         | number            | a share                 | x_{ij}^2
    \mathcal N(c \mid p) | number function   | of a value, given one   | c + 2 p
    I                    | matrix            | unit matrix             | unit matrix
    E                    | expectation       | over a finite table     |
    g, h                 | random number     | with values             |
    """,
    default=False,
)
TYPED = {  # what a student writes: what else says the same, in the words of the grammar
    r"A^T A": r"A^\top A",
    r"w^T x_1": r"w^\top x_1",
    r"x_1^{T} w": r"x_1^\top w",
    r"E[gh] - E[g] E[h]": r"(E (g h)) - (E g) (E h)",
    r"E[g]^2": r"(E g)^2",
    r"\mathbb E[g] + \mathbb{E} h": r"(E g) + E h",
    r"\mathbf w^\top \boldsymbol\beta + \bm{\beta}^T \mathbf{w}": r"2 w^\top \beta",
    r"\mathrm{tr} (A \mathbf B)": r"\operatorname{tr} (A B)",
    r"\sum_j p_{j|1}": r"\sum_j p_{j \mid 1}",
    r"\mathcal N(c | p) + \mathcal{N}(c|p)": r"2 (c + 2 p)",
    r"\lVert w \rVert_p": r"\lVert w \rVert_3",
    r"\sum_{i,j=1}^d A_{ij} B_{ji}": r"\operatorname{tr}(A B)",
    r"\sum_{i : y_i = 1} y_i": r"\sum_i [y_i = 1]",
    r"\sum_{i, y_i = 1} x_i": r"\sum_i [y_i = 1] x_i",
    r"a_1^2 + \dots + a_n^2": r"\sum_l a_l^2",
    r"\arg\min_l a_l": r"\#\{l : a_l \ge 0\} - 1",
    r"\operatorname*{argmax}_{l} (2 - a_l)": r"n - 1",
    r"\arg\max_{i, y_i = 1} a_i": r"n - 3",
    r"\sum_l a_l \sum_l a_l": r"(\sum_l a_l)^2",
    r"\sum_{l=1}^2 a_l \cdot \sum_{l=1}^n a_l": r"(a_1 + a_2) (\sum_l a_l)",
    r"\sum_l a_l \sum_i y_i \sum_l a_l y_l": r"(\sum_l a_l) (\sum_i y_i) (\sum_i a_i y_i)",
    r"\sum_l a_l \sum_i y_i a_l": r"(\sum_l a_l^2) (\sum_i y_i)",
    r"\sum_j x_{1j}": r"\sum_j (x_1)_j",
    r"\sum_{c^* = y_i} y_i": r"\sum_i [y_i = c^*] y_i",
    r"e^{p} + 2 \mathrm e^{-p}": r"\exp(p) + 2 \exp(-p)",
    r"\sum_l e^{a_l}": r"\sum_l \exp(a_l)",
    r"a_1 + a_2 + \dots + a_n": r"\sum_l a_l",
    r"p - a_1^2 + a_2^2 + a_3^2 + \dots + a_n^2": r"p - 2 a_1^2 + \sum_l a_l^2",
    r"e^{a_1} + e^{a_2} + \dots + e^{a_n}": r"\sum_l \exp(a_l)",
    r"\frac{1}{2 a_1} + \dots + \frac{1}{2 a_n}": r"\sum_l \frac{1}{2 a_l}",
    r"c + a_2 + \dots + a_n": r"c + \sum_l a_l - a_1",
    r"\sum_i \mathbb 1\{y_i = 1\} a_i": r"\sum_i [y_i = 1] a_i",
    r"\sum_i \mathbf 1_{\{y_i = 1\}} a_i + \sum_i \mathbb{1}_{y_i = 1} a_i": r"2 \sum_i [y_i = 1] a_i",
    r"\mathbb 1[p < c]^2 + \mathbf{1}(c < p)": "1",
    r"w^{\mathsf T} x_1": r"w^\top x_1",
    r"X^\dagger X": "X^+ X",
    r"X'X w + w'w x_1": r"X^\top X w + w^\top w x_1",
    r"||w||^2 - ||x_1||_1 p": r"\lVert w \rVert^2 - \lVert x_1 \rVert_1 p",
    r"||p| - c|": r"\lvert \lvert p \rvert - c \rvert",
    r"c / p / [p + c]": r"\frac{c}{p (p + c)}",
    r"\sum_i r_{i\cdot}^2, r_{i \cdot} = \sum_j x_{ij}": r"\sum_i (\sum_j x_{ij})^2",
    r"\sum_j x_{\cdot j}^2, \quad x_{\cdot j} = \sum_i x_{ij}": r"\sum_j (\sum_i x_{ij})^2",
    r"\operatorname{ln} p + \text{tr}(A)": r"\ln p + \operatorname{tr} (A)",
    r"p + o, o = 2 p": "3 p",
    r"p + o \text{ where } o = 2 p, \text{ and } 0 < p": "3 p",
}
TYPED_REFUSED = {
    r"p^T": r"is the transpose meant\?",
    r"E(g)^2": "belong to the argument",
    r"x_{12}": r"Write \{1,2\} for two indices",
    r"\sum_l \sum_l a_l": "l cannot be an index here, it means something already: take another",
    r"\max_l a_l \sum_l a_l": "l cannot be an index here",
    r"\sum_l a_l (\sum_l a_l)": "l cannot be an index here",
    r"\sum_{l=1} a_l": "both ends",
    r"\sum_l^n a_l": "both ends",
    r"\sum_{c=1}^n a_c": "c cannot be an index here",
    r"\sum_{y_1 = 1} p": "no new index",
    r"\arg\min_w w^\top w": "read over a new index",
    r"\arg w": "read over a new index",
    r"\arg\min_l (a_l - a_l)": "0 stands in two places, 1 and 2: which is meant",
    r"\arg\min_l a_l / 2": "what does the slash divide",
    r"\mathbf v": "is not in the notation table",
    r"(w|": "cannot stand|never closed",
    r"(c + | p)": "cannot stand",
    r"p'": "not declared like this",
    r"a_1 + a_3 + \dots + a_n": "which do the dots leave out",
    r"e^{a_1} + \dots + e^{y_n}": "what do the dots stand for",
    r"2 a_1 + \dots + 3 a_n": "what do the dots stand for",
    r"e p": "e with an exponent is read",
    r"\mathbb 1 p": r"stands in a bracket: \[a = b\]",
    r"p, c": "behind the comma",
}


def test_notation_as_it_is_typed():
    rng = np.random.default_rng(0)
    draw = {
        "X": rng.normal(size=(4, 3)), "A": rng.normal(size=(3, 3)), "B": rng.normal(size=(3, 3)),
        "y": np.array([1.0, 2, 1, 2]), "a": np.array([3.0, 2, 0.5, 2.5]), "w": rng.normal(size=3),
        "beta": rng.normal(size=3), "p": 3.0, "c": 2.5, "c_star": 2.0, "g": rng.normal(size=5),
        "h": rng.normal(size=5),
    }  # fmt: skip
    env = AS_TYPED.environment(draw)
    for tex, same in TYPED.items():
        found, wanted = AS_TYPED.read(tex)(env), AS_TYPED.read(same)(env)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, err_msg=tex)
    for tex, says in TYPED_REFUSED.items():
        with pytest.raises(ReadingError) as refused:
            print(AS_TYPED.read(tex)(env), tex)
        assert re.search(says, str(refused.value)), f"{tex}: {refused.value}"


REFUSED = [
    (r"u v", "a column times a column"),
    (r"u^\top v^\top", "a row times a row"),
    (r"u A", "column times a matrix"),
    (r"u + a", "cannot be added"),
    (r"A + a", "multiple of I"),
    (r"u + u^\top", "cannot be added"),
    (r"o + 1", "o is not in the notation table"),
    (r"\hat y_i", "not in the notation table"),
    (r"w''", "not declared like this"),
    (r"\operatorname{cov}(u)", "not in the notation table"),
    (r"f + 1", "brackets"),
    (r"f(A)", "takes a column here"),
    (r"A_{1}", "index of a matrix"),
    (r"|a|b|c|", "two ways"),
    (r"|a| b |c|", "two ways"),
    (r"|A|", "bars around a matrix"),
    (r"|u|", "bars around a column"),
    (r"\lVert A \rVert", "which norm of a matrix"),
    (r"\lVert a \rVert", "absolute value"),
    (r"a/bc", "two ways"),
    (r"a/b \cdot c", "two ways"),
    (r"2^10", "first digit"),
    (r"a_12", "first digit"),
    (r"\ln 2 m", "of a product"),
    (r"\ln a / b", "of a product"),
    (r"\ln(a)^2", "belong to"),
    (r"\ln(a)(b)", "belong to"),
    (r"\ln^2 a", "power around"),
    (r"\operatorname{tr}(A)^2", "belong to the argument"),
    (r"\operatorname{tr}(A) A", "belong to the argument"),
    (r"\operatorname{rank} A / 2", "is the rank divided"),
    (r"\prod_i y_i / 2", "does the slash"),
    (r"\exp(A)", "takes a scalar"),
    (r"\operatorname{tr} u", "takes a matrix"),
    (r"u^2", "power of a column"),
    (r"a^u", "an exponent is a scalar"),
    (r"a / u", "divided by is a scalar"),
    (r"u = A", "different kinds"),
    (r"A \le A", "not compared|a relation compares|compare"),
    (r"\sum y_i", "needs its index"),
    (r"\sum_i y_j", "how far|not bound"),
    (r"\sum_i 1", "how far does i run"),
    (r"\sum_{i=1} y_i", "both ends"),
    (r"\sum_i \sum_i G_{ii}", "means something already"),
    (r"\sum_k \lambda_k", "cannot be an index"),
    (r"\sum_i y_i + y_i", "is bound by the sum before"),
    (r"y_i", "not bound here"),
    (r"\sum_i q_i p_i", None),
    (r"\sum_i (q_{i+1} - q_i)", "counting starts at 1"),
    (r"q_0", "counting starts at 1"),
    (r"q_{3/2}", "whole number"),
    (r"\sum_{i=1}^{n/2 + 1/3} y_i", "whole number"),
    (r"W^{-1}", None),
    (r"(u u^\top - u u^\top)^{-1}", "singular"),
    (r"A^{1/2}", None),
    (r"(-S)^{1/2}", "eigenvalue"),
    (r"(-b)^{1/2}", "not real"),
    (r"\sqrt{-b}", "not real"),
    (r"\ln(-b)", "no logarithm"),
    (r"1 / (a - a)", "divides by 0"),
    (r"e^{1000}", "too large"),
    (r"10^{200} \cdot 10^{200}", "not finite"),
    (r"X W^\top", None),
    (r"X + B", None),
    (r"\det X", None),
    (r"\binom{n}{t}", "whole number"),
    (r"\max_{j > d} \lambda_j", "over nothing"),
    (r"\theta + 1", "is random"),
    (r"E\, u", "nothing random"),
    (r"\lim_{a \to 0} a", "a limit"),
    (r"\int_0^1 a", "an integral"),
    (r"\text{for all } a", "words"),
    (r"a \infty", "∞"),
    (r"a +", "missing"),
    (r"(a + b", "never closed|missing"),
    (r"a + b)", "cannot stand"),
    (r"\frac{a}", "missing"),
    (r"", "missing"),
    (r"a * b", r"\\cdot"),
    (r"A^T", r"\^"),
    (r"u^+", "no symbol"),
    (r"a 2", "number behind"),
    (r"a ^ ^ 2", "missing"),
    (r"a, \quad a = b", "does not hold"),
    (r"a + o, \quad o = o + 1", "defined by itself"),
    (r"a, \quad o = a, \quad o = b", "twice"),
    (r"\nabla f", "brackets"),
    (r"\begin{cases} 1 & a > b \end{cases}", "no case"),
    (r"I", "how large"),
    (r"a \dots b", "cannot"),
    (r"\lambda_1 + \dots + \lambda_k^2", "dots"),
    (r"x^\top", "not declared|notation table"),
    (r"S_j", "index of a matrix"),
    (r"A^{-1}_{11}", "an entry of the power"),
    (r"A_{11}^2", "an entry of the power"),
    (r"u^{(2)}", "part of a name"),
    (r"E(\theta)^2", "belong to"),
    (r"\frac{d}{dt} t^2", "derivative"),
    (r"u \cdot v \cdot w", "two readings"),
    (r"A \odot A A", "entry by entry"),
    (r"h_1(t)", "not declared like"),
    (r"h^2(t)", "not declared like"),
    (r"\lambda_{nk}", "not declared like"),
    (r"tr A", "single letters"),
    (r"a, \quad b", "behind the comma"),
    (r"a^{(n)}", "part of a name"),
    (r"a_{m}", None),
    (r"\mathbf 1^2", "power of"),
    (r"\frac{TP}{TP + FP) N^+}", "cannot stand"),
    (r"[a + b) c", "cannot stand"),
    (r"\log_2^2 b", "power around"),
    (r"\#_j \lambda_j", "over what"),
    (r"\nabla_w^2 f(w)", "by a declared symbol"),
    (r"\sum_j e_j \alpha^j_j", "depend on itself"),
    (r"h([1) + 2]", "cannot stand"),
]


def test_refused_with_its_place():
    for tex, says in REFUSED:
        with pytest.raises(ReadingError) as refused:
            print(tex)
            formula = NAMES.read(tex)
            for values in DRAWS[:2] + DRAWS[3:4]:
                formula(NAMES.environment(values))
        assert re.search(says or "", str(refused.value)), f"{tex}: {refused.value}"
        assert "^" in str(refused.value).split("\n")[-1], tex


HOSTILE = {
    "brackets": "(" * 400 + "a" + ")" * 400,
    "braces": "{" * 400 + "a" + "}" * 400,
    "bars": "|" * 400,
    "powers": "2^{" * 60 + "2" + "}" * 60,
    "tower": "9^{9^{9^{9}}}",
    "fractions": r"\frac1" * 300 + "1",
    "functions": r"\ln" * 400 + "2",
    "sums": r"\sum_{i=1}^{9}" * 300,
    "signs": "-" * 1000 + "a",
    "accents": r"\hat" * 400 + "a",
    "long": "a + " * 500_000 + "a",
    "terms": r"\sum_{i=1}^{100000000} i",
    "nested sums": r"\sum_{i=1}^{9999} \sum_{j=1}^{9999} i j",
    "a hidden sum": r"\sum_{i=1}^{2^{60}} 1",
    "backwards": r"\sum_{i=-10^{12}}^{1} 1",
    "binomial": r"\binom{10^9}{10^8}",
    "unit matrix": "I_{10^9}",
    "decompositions": r"\sum_{i=1}^{9999} \lVert I_{64} \rVert_*",
    "products": "+".join(["I_{999}I_{999}"] * 120),
    "matrix power": r"A^{10^{15}}",
    "doubling": "b_{20}, "
    + ", ".join(rf"\quad \tau_{{{k}}} = \tau_{{{k - 1}}} + \tau_{{{k - 1}}}" for k in range(21, 1, -1)),
    "calls": "h(" * 200 + "1" + ")" * 200,
    "clauses": r"\alpha" + r", \quad \alpha = \beta" * 60,
    "gradients": r"\nabla_a \nabla_a \nabla_a \nabla_a \nabla_a \nabla_a a^2",
    "no text": "\0\0\0",
    "digits": "9" * 1999,
}


def test_hostile_input_is_refused_at_once():
    for what, tex in HOSTILE.items():
        began = time.process_time()
        with pytest.raises(ReadingError):
            print(what)
            NAMES.read(tex)(NAMES.environment(DRAWS[0]))
        assert time.process_time() - began < 2, what  # seconds; hours without a limit


# ---- the table


def test_rows_or_columns_as_the_table_says():
    rows = Notation("X | matrix n × d | |\n x_i | column | | row i of X", default=False)
    columns = Notation("X | matrix d × n | |\n x_i | column | | column i of X", default=False)
    X = np.arange(6.0).reshape(2, 3)
    assert (
        rows.read(r"\sum_i \lVert x_i \rVert")(rows.environment({"X": X})) == np.linalg.norm(X, axis=1).sum()
    )
    assert (
        columns.read(r"\sum_i \lVert x_i \rVert")(columns.environment({"X": X}))
        == np.linalg.norm(X, axis=0).sum()
    )


def test_the_last_table_is_the_default():
    first = Notation("a | number | |")
    other = Notation("a | number | |")
    assert default_notation() is other is not first
    other.but("a | column | |")
    assert default_notation() is other


def test_a_local_meaning_changes_what_depends_on_it():
    names = Notation("a | number | |\n b | number | | 2 a", default=False)
    local = names.but("a | number | three times | 3 c\n c | number | |")
    assert local.read("b")(local.environment({"c": 5.0})) == 30
    assert names.read("b")(names.environment({"a": 5.0})) == 10


WRONG_DRAWS = [
    ("X", np.ones((3, 5)), "d is 5"),
    ("u", np.ones((3, 1)), "declared as a column"),
    ("a", np.ones(2), "declared as a number|declared as a scalar"),
    ("A", np.ones((3, 3)) * 1j, "floats"),
]


def test_a_draw_of_another_shape_is_refused():
    for name, value, says in WRONG_DRAWS:
        with pytest.raises(ReadingError, match=says):
            NAMES.read("a + u_1")(NAMES.environment({**DRAWS[0], name: value}))


WRONG_TABLES = {
    "a line too short": ("X | matrix", "a line of the table"),
    "no kind": ("X | thing | |", "a kind is"),
    "a size too many": ("x | column n × d | |", "the size of a column"),
    "twice": ("a | number | |\na | number | |", "twice"),
    "a product or a call": (
        "f | number | |\nt | number | |\nf(t) | number function | | t",
        "also without brackets",
    ),
    "no symbol": ("2 | number | |", "no symbol"),
    "by itself": ("a | number | | b\nb | number | | a", "by itself"),
    "another kind": ("u | column n | |\na | number | | u", "declared as a scalar"),
    "unknown": ("a | number | | b", "b is not"),
    "a function of what": ("f(t) | number function | | 2", "t, which f.t. takes"),
    "an odd index": ("X | matrix n × d | |\nx_i | column | | row j of X", "no index of x_i"),
}


def test_a_wrong_table_is_refused():
    for what, (text, says) in WRONG_TABLES.items():
        with pytest.raises(ReadingError, match=says):
            print(what)
            Notation(text, default=False)


def test_what_the_reader_sees():
    fold, blank, *shown, after, end = NAMES._repr_markdown_().splitlines()
    assert (
        fold == f"<details><summary><b>The names of this chapter</b>, to look up ({len(shown) - 2})</summary>"
    )
    assert blank == after == "" and end == "</details>"
    assert shown[:3] == [
        "| symbol | kind | meaning |",
        "|---|---|---|",
        r"| $X$ | matrix $n \times d$ | samples in rows |",
    ]
    assert r"| $z_i$ | column $k$ | scores: $W^\top x_i$ |" in shown
    assert r"| $x_i$ | column $d$ | a sample: row $i$ of $X$ |" in shown
    assert all(line.count("|") == 4 for line in shown) and "column i of" not in repr(NAMES)
    assert repr(NAMES).splitlines()[0].split("    ")[0].strip() == "X"


def test_a_free_index_is_for_each():
    formula = NAMES.read(r"\lVert x_i - \bar x \rVert^2", may_be_free=True)
    o = V(DRAWS[0])
    env = NAMES.environment(DRAWS[0])
    assert formula.free == ("i",) and formula.lengths(env) == {"i": o.n}
    np.testing.assert_allclose(formula.values(env)[0], ((o.X - o.mean) ** 2).sum(axis=1))


def test_a_clause_holds_for_its_own_formula():
    env = NAMES.environment(DRAWS[0])
    values = [NAMES.read(rf"o, \quad o = {name}")(env) for name in "ab"]
    assert values == [DRAWS[0]["a"], DRAWS[0]["b"]]


def test_probabilities_may_be_drawn():
    names = Notation(
        r"E | expectation | | `p`"
        "\n"
        r"\theta | random number | |"
        "\n"
        r"P | probability | | `p`"
        "\n"
        r"a | number | |",
        default=False,
    )
    env = names.environment({"theta": [1.0, 2, 4], "p": [0.5, 0.25, 0.25], "a": 1.5})
    assert names.read(r"E \theta + P(\theta > a)")(env) == 2.5


def test_a_scatter_matrix_on_awkward_tables():
    names = Notation(
        r"X | matrix n × d | |"
        "\n"
        r"x_i | column | | row i of X"
        "\n"
        r"n | number | |"
        "\n"
        r"\bar x | column | | \frac1n \sum_i x_i",
        default=False,
    )
    read = names.read(r"\sum_i (x_i - \bar x)(x_i - \bar x)^\top")
    for shape in SHAPES:
        X = samples(np.random.default_rng(0), shape)
        scatter = (X - X.mean(0)).T @ (X - X.mean(0))
        np.testing.assert_allclose(read(names.environment({"X": X})), scatter, atol=1e-9, err_msg=shape.name)
