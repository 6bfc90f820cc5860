"""A right derivation passes on every shape; a wrong line is refused, and the message says where and why."""

import re
import sys

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from helpers.derivation import (
    SHAPES,
    Derivation,
    DerivationError,
    Shape,
    centred,
    letters,
    orthonormal,
    samples,
)
from helpers.reading import Notation, ReadingError

one_of = {shape.name: shape for shape in SHAPES}

TICK = r"{\scriptstyle\checkmark}"


def cloud(rng, shape):
    """Samples in rows, some orthonormal columns, a vector of weights, a number."""
    k = (min(shape.n, shape.d) + 1) // 2
    return {
        "X": samples(rng, shape),
        "W": orthonormal(rng, shape.d, k),
        "w": rng.normal(size=shape.d),
        "a": rng.normal(),
    }


def start(value, draw=cloud, **options):
    return Derivation("A claim", draw=draw, **options).begin("first", value)


def scatter(X):
    return centred(X).T @ centred(X)


# ---- right derivations


def parallel(rng, shape):
    """All rows along w."""
    w = rng.normal(size=shape.d)
    return {"w": w, "X": np.outer(rng.normal(size=shape.n), w)}


def squares(chain):
    chain = chain.begin(r"\lVert Xw \rVert^2", lambda X, w: np.sum((X @ w) ** 2))
    chain.equals(r"w^\top X^\top X w", lambda X, w: w @ X.T @ X @ w, "write out")
    return chain.at_most(
        r"\lVert X \rVert^2 \lVert w \rVert^2",
        lambda X, w: (X**2).sum() * (w @ w),
        "Cauchy and Schwarz",
        tight=parallel,
    )


def closeness(chain):
    chain.begin("loss", lambda X, W: np.sum((centred(X) - centred(X) @ W @ W.T) ** 2))
    chain.equals("terms", lambda X, W: np.trace(scatter(X)) - np.trace(W.T @ scatter(X) @ W))
    return chain.equals_up_to(
        r"\text{const}", "spread", lambda X, W: -np.trace(W.T @ scatter(X) @ W), free_of="W"
    )


def best_axis(X):
    return np.linalg.eigh(scatter(X))[1][:, -1:]


def near(rng, w):
    w = w + 0.01 * rng.normal(size=w.shape)
    return w / np.linalg.norm(w)


def one_axis(rng, shape):
    return {"X": samples(rng, shape), "w": orthonormal(rng, shape.d, 1)}


def loss_of_axis(X, w):
    return np.sum((centred(X) - centred(X) @ w @ w.T) ** 2)


def spread_of_axis(X, w):
    return (w.T @ scatter(X) @ w).item()


def empty_at_times(rng, shape):
    return {"a": rng.normal(size=shape.d - 1), "b": rng.normal()}


RIGHT = {
    "equality and bound": (squares, cloud),
    "up to a constant": (closeness, cloud),
    "matrices": (
        lambda c: c.begin("S", scatter).equals(
            "other way", lambda X: X.T @ X - len(X) * np.outer(X.mean(0), X.mean(0))
        ),
        cloud,
    ),
    "at least": (
        lambda c: c.begin("S", lambda X, w: [w @ scatter(X) @ w, 1]).at_least("0", lambda: [0, 0]),
        cloud,
    ),
    "approximately": (
        lambda c: c.begin("S", scatter).approximately("", lambda X: 1.04 * scatter(X), within=0.05),
        cloud,
    ),
    "a limit": (
        lambda c: c.begin("mean", lambda a, t: (1 + a / t) ** t).tends_to(
            "e^a", lambda a: np.exp(a), growing="t", through=(1e2, 1e4, 1e6), within=1e-3
        ),
        lambda rng: {"a": rng.normal(), "t": 50.0},
    ),
    "a limit met at once": (
        lambda c: c.begin("a", lambda a, t: a + 0 * t).tends_to(
            "a", lambda a: a, growing="t", through=(1, 2), within=1e-9
        ),
        lambda rng: {"a": rng.normal(), "t": 5},
    ),
    "after a limit, from the limit": (
        lambda c: (
            c
            .begin("a", lambda a, t: a + 1 / t)
            .tends_to("a", lambda a: a, growing="t", through=(1e2, 1e4), within=1e-3)
            .equals("2a/2", lambda a: 2 * a / 2)
        ),
        lambda rng: {"a": rng.normal(), "t": 5},
    ),
    "after a constant, without it": (
        lambda c: (
            c
            .begin("a + b", lambda a, b: a + b)
            .equals_up_to("a", "b", lambda b: b, free_of="b")
            .equals("b", lambda b: b * 1.0)
        ),
        lambda rng: {"a": rng.normal(), "b": rng.normal()},
    ),
    "same minimiser": (
        lambda c: c.begin("loss", loss_of_axis).same_minimiser(
            "-spread", lambda X, w: -spread_of_axis(X, w), over="w", at=best_axis, nearby=near
        ),
        one_axis,
    ),
    "a minimum up to rounding": (
        lambda c: c.begin("f", lambda x, m: 1e6 + (m - x) ** 2).same_minimiser(
            "2f",
            lambda x, m: 2e6 + 2 * (m - x) ** 2,
            over="m",
            at=lambda x: x + 1e-3,
            nearby=lambda rng, m: m - 1e-3,
        ),
        lambda rng: {"x": rng.normal(), "m": rng.normal()},
    ),
    "sums that cancel": (
        lambda c: (
            c
            .begin("x", lambda a: 1e9 * (a + 2))
            .equals("x", lambda a: 1e9 * a + 2e9)
            .equals("x", lambda a: 1e9 * a + 2e9 + 1e-4)
        ),
        lambda rng: {"a": rng.normal()},
    ),
    "flags and whole numbers": (
        lambda c: c.begin("a", lambda a: a > 0).equals("a", lambda a: int(a > 0)),
        lambda rng: {"a": rng.normal()},
    ),
    "some draws are empty": (
        lambda c: c.begin("a", lambda a: a).equals("a", lambda a: a + 0.0),
        lambda rng: {"a": rng.normal(size=rng.integers(0, 3))},
    ),
    "some draws are empty, up to a constant": (
        lambda c: c.begin("a", lambda a, b: a + b).equals_up_to("b", "a", lambda a: a, free_of="a"),
        empty_at_times,
    ),
}


@pytest.mark.parametrize("build, draw", RIGHT.values(), ids=RIGHT)
def test_right(build, draw):
    planes = [s for s in SHAPES if s.d > 1 or draw is not one_axis]  # on a line every axis is the best one
    chain = build(Derivation("A claim", draw=draw, shapes=planes))
    assert chain.result("1.1").number == "1.1" and str(chain).count("✓") == len(chain.lines) - 1


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_right_on_each_shape_alone(shape):
    squares(Derivation("A claim", draw=cloud, draws=5, shapes=[shape]))
    if shape.d > 1:  # on a line there is but one frame
        closeness(Derivation("A claim", draw=cloud, draws=5, shapes=[shape]))


# ---- wrong derivations, by what is said of them: where it was found out, or what is wrong.


def diagonal(rng):
    return {"D": np.diag(rng.uniform(1, 2, 3)), "x": rng.normal(size=3)}


def test_the_shapes_cannot_be_changed():
    with pytest.raises(AttributeError):
        SHAPES[0].n = 5


def numbers(rng):
    return {"a": rng.normal(), "b": rng.normal(), "n": 10, "x": rng.normal(size=4), "t": 5.0}


def small(rng):
    return {"x": 1000 + rng.normal(size=6)}


def loud(x):
    """Worked out in place: what it is given is no longer the same afterwards."""
    x -= x.mean()
    return (x**2).sum()


WRONG = {
    "draw 0": {
        "sign": lambda: start(lambda a, b: (a - b) ** 2, numbers).equals(
            "", lambda a, b: a**2 + 2 * a * b + b**2
        ),
        "factor": lambda: start(lambda a: 2 * a, numbers).equals("", lambda a: a),
        "transpose": lambda: start(lambda X: X.T @ X).equals("", lambda X: X @ X.T),
        "missing mean": lambda: start(scatter).equals("", lambda X: X.T @ X),
        "missing mean, after work in place": lambda: start(loud, small).equals("", lambda x: (x**2).sum()),
        "one mean for all features": lambda: start(scatter).equals(
            "", lambda X: (X - X.mean()).T @ (X - X.mean())
        ),
        "n for n - 1": lambda: start(lambda X: np.cov(X.T)).equals("", lambda X: np.cov(X.T, ddof=0)),
        "an identity of centred input": lambda: start(lambda X, w: np.var(X @ w)).equals(
            "", lambda X, w: np.mean((X @ w) ** 2)
        ),
        "an identity of a square frame": lambda: start(lambda W: W @ W.T).equals(
            "", lambda W: np.eye(len(W))
        ),
        "a product that does not commute": lambda: start(lambda X, w: scatter(X) @ np.outer(w, w)).equals(
            "", lambda X, w: np.outer(w, w) @ scatter(X)
        ),
        "an inequality turned round": lambda: start(lambda X: np.trace(scatter(X))).at_most("", lambda X: 0),
        "at least, turned round": lambda: start(lambda X: 0).at_least("", lambda X: np.trace(scatter(X))),
        "broadcast: a number for a vector": lambda: start(lambda x: 0 * x, numbers).equals("", lambda x: 0),
        "broadcast: a row for a column": lambda: start(lambda x: x - x, numbers).equals(
            "", lambda x: (x - x)[:, None]
        ),
        "a bound by broadcasting": lambda: start(lambda x: x, numbers).at_most("", lambda x: x.max()),
        "NaN": lambda: start(lambda a: a, numbers).equals("", lambda a: np.nan),
        "infinite": lambda: start(lambda a: a, numbers).at_most("", lambda a: np.inf),
        "not near enough": lambda: start(lambda a: a, numbers).approximately(
            "", lambda a: 1.2 * a, within=0.1
        ),
        "near to the other sign": lambda: start(lambda a: a, numbers).approximately(
            "", lambda a: -a, within=0.5
        ),
        "nothing returned": lambda: start(lambda n: n, numbers).equals("", lambda n: None),
        "cancelling terms, wrong sum": lambda: start(lambda x: np.var(x), small).equals(
            "", lambda x: np.mean(x**2) - np.mean(x) ** 2 + 1e-5
        ),
    },
    "draw": {
        "a sign that only a late draw shows": lambda: start(
            lambda n: abs(n), lambda rng: {"n": rng.normal() + 1.5}
        ).equals("", lambda n: n),
        "a bound that some entries break": lambda: start(lambda x: x, numbers).at_most(
            "", lambda x: np.full(4, 1.5)
        ),
    },
    "square": {
        "transpose that a square hides": lambda: start(lambda X: X.T @ X, shapes=[one_of["square"]]).equals(
            "", lambda X: X @ X.T
        )
    },
    "wide": {
        "an identity of square input": lambda: start(lambda X: np.sum(X)).equals(
            "", lambda X: np.sum(X[:, : len(X)])
        ),
        "an identity of tall input": lambda: start(lambda X: len(X)).equals("", lambda X: max(X.shape)),
        "an inverse of rounding": lambda: start(lambda X: np.eye(X.shape[1])).equals(
            "", lambda X: np.linalg.pinv(scatter(X)) @ scatter(X)
        ),
    },
    "rank-deficient": {
        "an identity of full rank": lambda: start(lambda X: min(X.shape)).equals(
            "", lambda X: np.linalg.matrix_rank(X)
        )
    },
    "one feature": {
        "an identity of several features": lambda: start(lambda X: X.shape[1]).equals(
            "", lambda X: max(2, X.shape[1])
        )
    },
    "tight draw 0": {
        "a bound that is not met": lambda: start(lambda a: a**2, numbers).at_most(
            "", lambda a: a**2 + 1, tight=numbers
        ),
        "a lower bound that is not met": lambda: start(lambda a: a**2, numbers).at_least(
            "", lambda a: -1, tight=numbers
        ),
        "a bound met in another shape": lambda: start(lambda x: x, numbers).at_most(
            "", lambda x: x.max(), tight=lambda rng: {"x": np.ones(4)}
        ),
    },
    "tight draw 1": {
        "a bound met on some shapes": lambda: start(lambda X: len(X), cloud).at_most(
            "", lambda X: max(X.shape), tight=cloud
        )
    },
    "not finite": {
        "NaN in both": lambda: start(lambda a: np.nan, numbers),
        "infinite from the start": lambda: start(lambda a: -np.inf, numbers),
    },
    "no number on any draw": {"nothing in it": lambda: start(lambda x: x[:0], numbers)},
    "gaps for t": {
        "a limit that does not converge": lambda: start(lambda a, t: a * np.cos(t), numbers).tends_to(
            "", lambda a: a, growing="t", through=(1e2, 1e4), within=0.5
        ),
        "a limit that stays close": lambda: start(lambda a, t: a + 1e-3 + 0 * t, numbers).tends_to(
            "", lambda a: a, growing="t", through=(1e2, 1e4), within=0.5
        ),
        "a limit not reached": lambda: start(lambda a, t: a + 1 / np.log(t), numbers).tends_to(
            "", lambda a: a, growing="t", through=(1e2, 1e9), within=1e-3
        ),
        "another limit": lambda: start(lambda a, t: 2 * a + 1 / t, numbers).tends_to(
            "", lambda a: a, growing="t", through=(1e2, 1e9), within=1e-3
        ),
        "a limit in one entry only": lambda: start(
            lambda x, t: x + np.array([1, 0, 0, 0]) + 1 / t, numbers
        ).tends_to("", lambda x: x, growing="t", through=(1e2, 1e9), within=1e-3),
        "a limit in another shape": lambda: start(lambda x, t: 0 * x + 1 / t, numbers).tends_to(
            "", lambda: 0.0, growing="t", through=(1e2, 1e9), within=1e-3
        ),
    },
    "t must stand in the line above": {
        "a limit that still grows": lambda: start(lambda t: 1 / t, numbers).tends_to(
            "", lambda t: 2 / t, growing="t", through=(1e2, 1e9), within=1e-3
        )
    },
    "m must stand in the line above": {
        "a limit of something else": lambda: start(lambda a: a, numbers).tends_to(
            "", lambda a: a, growing="m", through=(1e2, 1e9), within=1e-3
        )
    },
    "changes with b": {
        "a constant that is none": lambda: start(lambda a, b: (a + b) ** 2, numbers).equals_up_to(
            "a^2", "b^2", lambda b: b**2, free_of="b"
        ),
        "a constant free of the wrong quantity": lambda: start(lambda a, b: a + b**2, numbers).equals_up_to(
            "c", "b", lambda b: b, free_of="b"
        ),
        "a constant only for most": lambda: start(lambda a, b: a + max(b, -1), numbers).equals_up_to(
            "a", "b", lambda b: b, free_of="b"
        ),
        "a constant that is NaN for others": lambda: start(
            lambda a, b: a if b == numbers(np.random.default_rng([0, 20]))["b"] else np.nan, numbers, draws=1
        ).equals_up_to("a", "0", lambda: 0.0, free_of="b"),
        "a constant by broadcasting": lambda: start(lambda x, b: 0 * x + b, numbers).equals_up_to(
            "0", "b", lambda b: b, free_of="b"
        ),
    },
    "every draw of n is the same": {
        "free of what is never drawn anew": lambda: start(lambda n, a: n**2 + a, numbers).equals_up_to(
            "a", "n", lambda n: n, free_of="n"
        )
    },
    "no second draw of x has the shape": {
        "free of what has never the same shape": lambda: start(
            lambda a, x: a + x.sum(),
            lambda rng: {"a": rng.normal(), "x": rng.normal(size=rng.integers(1, 10**6))},
            draws=1,
        ).equals_up_to("a", "x", lambda x: x.sum(), free_of="x")
    },
    "this line is the same for every w": {
        "a constant function": lambda: start(loss_of_axis, one_axis, shapes=SHAPES[:5]).same_minimiser(
            "", lambda X: np.trace(scatter(X)), over="w", at=best_axis
        )
    },
    "the line above is the same for every w": {
        "a constant function above": lambda: start(
            lambda X: np.trace(scatter(X)), one_axis, shapes=SHAPES[:5]
        ).same_minimiser("", loss_of_axis, over="w", at=best_axis)
    },
    "this line has": {
        "maximiser for minimiser": lambda: start(loss_of_axis, one_axis, shapes=SHAPES[:5]).same_minimiser(
            "", spread_of_axis, over="w", at=best_axis
        )
    },
    "the line above has": {
        "another minimiser": lambda: start(loss_of_axis, one_axis, shapes=SHAPES[:5]).same_minimiser(
            "",
            lambda X, w: -spread_of_axis(X, w),
            over="w",
            at=lambda X: np.linalg.eigh(scatter(X))[1][:, :1],
        )
    },
    "better than": {
        "a minimiser that is nearly right": lambda: start(
            lambda x, m: ((x - m) ** 2).sum(), lambda rng: {"x": rng.normal(size=5) + 3, "m": rng.normal()}
        ).same_minimiser(
            "",
            lambda x, m: ((x - m) ** 2).mean(),
            over="m",
            at=lambda x: x.sum() / 5.01,
            nearby=lambda rng, m: m + 0.01 * rng.normal(),
        )
    },
    "has shape": {
        "a minimiser of another shape": lambda: start(
            loss_of_axis, one_axis, shapes=SHAPES[:5]
        ).same_minimiser("", lambda X, w: -spread_of_axis(X, w), over="w", at=lambda X: best_axis(X)[:, 0])
    },
    "one finite number for each m": {
        "an objective that is infinite for a rival": lambda: start(
            lambda x, m: (x - m) ** 2, lambda rng: {"x": rng.normal(), "m": rng.normal()}
        ).same_minimiser(
            "", lambda x, m: (x - m) ** 2 if m > 0 or m == x else np.inf, over="m", at=lambda x: x
        ),
        "an objective with several values": lambda: start(
            lambda x, m: (x - m) ** 2, lambda rng: {"x": rng.normal(size=3), "m": rng.normal()}
        ).same_minimiser("", lambda x, m: (x - m) ** 2, over="m", at=lambda x: x.mean()),
    },
    "real": {
        "complex": lambda: start(lambda a: a, numbers).equals("", lambda a: np.array([a + 1j]).squeeze()),
        "text": lambda: start(lambda n: n, numbers).equals("", lambda n: "10"),
    },
    "asks for c": {
        "a quantity that is not drawn": lambda: start(lambda a: a, numbers).equals("", lambda a, c: a)
    },
}


@pytest.mark.parametrize("says", WRONG)
def test_wrong(says, subtests):
    for what, build in WRONG[says].items():
        with subtests.test(what), pytest.raises(DerivationError, match=says):
            build().result("1.1")


NO_CHAIN = {
    "equals": lambda c: c.equals("", lambda: 0),
    "at_most": lambda c: c.at_most("", lambda: 0, tight=numbers),
    "at_least": lambda c: c.at_least("", lambda: 0),
    "approximately": lambda c: c.approximately("", lambda: 0, within=0.1),
    "tends_to": lambda c: c.tends_to("", lambda: 0, growing="n", through=(1, 2), within=1),
    "equals_up_to": lambda c: c.equals_up_to("", "", lambda: 0, free_of="a"),
    "same_minimiser": lambda c: c.same_minimiser("", lambda: 0, over="a", at=lambda: 0),
}


@pytest.mark.parametrize("relation", NO_CHAIN.values(), ids=NO_CHAIN)
def test_a_chain_needs_a_first_line(relation):
    with pytest.raises(DerivationError, match="start the chain with begin"):
        relation(Derivation("A claim", draw=numbers))


def test_a_chain_needs_a_second_line():
    for chain in (start(lambda a: a, numbers), Derivation("A claim", draw=numbers)):
        with pytest.raises(DerivationError, match="no line to check yet"):
            chain.result("1.1")


@pytest.mark.parametrize("draw, draws", [(numbers, 0), (cloud, len(SHAPES) - 1)])
def test_too_few_draws(draw, draws):
    with pytest.raises(ValueError, match="do not meet every shape"):
        Derivation("A claim", draw=draw, draws=draws)


def test_a_refused_line_is_not_kept():
    chain = start(lambda a: a, numbers)
    with pytest.raises(DerivationError):
        chain.equals("wrong", lambda a: 2 * a)
    assert chain.equals("right", lambda a: a + 0.0).result("1.1").lines[-1].latex == "right"


# ---- cancellation: a line is judged by the size of the terms that stand in the chain


def test_rounding_of_large_terms_is_no_fault():
    far = lambda rng: {"x": 1e6 + rng.normal(size=50)}  # noqa: E731
    chain = start(lambda x: np.mean(x**2), far).equals("", lambda x: np.var(x) + np.mean(x) ** 2)
    chain.equals("", lambda x: np.var(x) + np.mean(x) ** 2 * (1 + 1e-13))
    with pytest.raises(DerivationError):
        chain.equals("", lambda x: np.var(x) + np.mean(x) ** 2 * (1 + 1e-7))


def beside(values):
    """A line with these values, whatever is drawn."""
    return lambda a: values


@pytest.mark.parametrize("relation", ["equals", "at_most", "at_least"])
@pytest.mark.parametrize("size", [1.0, 1e6])
def test_tolerance_is_a_share_of_the_largest_number(relation, size):
    off = -1 if relation == "at_most" else 1
    for share, right in ((0.5e-6, True), (2e-6, False)):
        chain = start(lambda a: np.array([size, 0]), numbers, tol=1e-6)

        line = beside(np.array([size, off * share * size]))
        if right:
            getattr(chain, relation)("", line)
        else:
            with pytest.raises(DerivationError):
                getattr(chain, relation)("", line)


@pytest.mark.parametrize(
    "first, second", [([1e6, 0], [0, 0.5]), ([1e6, 0], [-1e6, 0.5]), ([0, 0], [-1e6, 0.5])]
)
def test_the_largest_number_may_stand_in_either_line_with_either_sign(first, second):
    chain = start(lambda n: first, numbers, tol=1e-6).at_least("", lambda n: second)
    chain.equals("", lambda n: [second[0], 1])  # half a unit more, in a chain that holds a million
    with pytest.raises(DerivationError):
        chain.equals("", lambda n: [second[0], 3])


@pytest.mark.parametrize("size", [0.0, 1.0, 1e3, -1e3])
def test_tight_is_judged_by_the_same_tolerance(size):
    def bound(share):
        chain = start(lambda a: np.array([size, 0.0]), lambda rng: {"a": 1.0}, tol=1e-6)
        line = lambda a: np.array([size, share * max(1, abs(size))])  # noqa: E731
        return chain.at_most("", line, tight=lambda rng: {"a": 1.0})

    bound(0.5e-6)
    with pytest.raises(DerivationError, match="tight draw 0"):
        bound(1.5e-6)


def test_approximately_within_a_share_of_the_larger():
    start(lambda n: 90.0, numbers).approximately("", lambda n: 100.0, within=0.1)
    start(lambda n: 100.0, numbers).approximately("", lambda n: 90.0, within=0.1)
    start(lambda n: -100.0, numbers).approximately("", lambda n: -90.0, within=0.1)
    start(lambda n: -90.0, numbers).approximately("", lambda n: -100.0, within=0.1)
    with pytest.raises(DerivationError):
        start(lambda n: 89.0, numbers).approximately("", lambda n: 100.0, within=0.1)


# ---- draws


def test_draws_are_the_same_every_time_and_meet_each_shape():
    one, other = Derivation("", draw=cloud), Derivation("", draw=cloud)
    assert all((s["X"] == t["X"]).all() for s, t in zip(one.samples, other.samples))
    assert {s["X"].shape for s in one.samples} == {(s.n, s.d) for s in SHAPES} and len(one.samples) == 30
    assert not (one.samples[0]["X"] == one.samples[len(SHAPES)]["X"]).any()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_samples_have_the_shape_asked_for(shape):
    X = samples(np.random.default_rng(0), shape)
    assert X.shape == (shape.n, shape.d)
    assert np.linalg.matrix_rank(X - X.mean(axis=0)) == min(shape.rank, shape.n - 1)
    assert np.allclose(centred(X).mean(axis=0), 0) and not np.allclose(X.mean(axis=0), 0)


def test_the_mean_lies_as_far_as_asked():
    """A normal number times 20 is in the mean 16 from 0."""
    far, none = (
        np.mean([
            np.abs(samples(np.random.default_rng(i), Shape("", 400, 3, 3, mean)).mean(axis=0))
            for i in range(20)
        ])
        for mean in (20.0, 0.0)
    )
    assert 12 < far < 20 and none < 0.5


def test_awkward_shapes_are_among_the_shapes():
    assert any(s.n < s.d for s in SHAPES) and any(1 < s.rank < min(s.n, s.d) for s in SHAPES)
    assert len(set(SHAPES)) == len(SHAPES)  # frozen, so that no chapter changes them for another
    assert any(s.mean > 10 for s in SHAPES) and any(s.d == 1 for s in SHAPES)
    assert any(s.n == s.d for s in SHAPES)


@pytest.mark.parametrize("d, k", [(1, 1), (5, 2), (4, 4)])
def test_orthonormal_columns(d, k):
    W = orthonormal(np.random.default_rng(0), d, k)
    assert W.shape == (d, k) and np.allclose(W.T @ W, np.eye(k))


def test_what_a_line_does_to_its_input_stays_there():
    chain = start(loud, small)
    assert all(s["x"].mean() > 900 for s in chain.samples)


# ---- messages


def test_the_message_names_line_draw_shape_and_both_values():
    chain = start(lambda X: len(X)).equals("n", lambda X: X.shape[0])
    with pytest.raises(DerivationError) as caught:
        chain.equals("d'", lambda X: min(X.shape[0], 8))
    assert str(caught.value).splitlines() == [
        "A claim, line 3: d'",
        "it should be = the line above, but on draw 0 (tall) it is not:",
        "  line 2: 9",
        "  line 3: 8",
    ]


@pytest.mark.parametrize("relation, sign", [("equals", "="), ("at_most", "≤"), ("at_least", "≥")])
def test_the_message_says_what_should_hold(relation, sign):
    wrong = {"equals": 2.0, "at_most": 0.0, "at_least": 2.0}[relation]
    with pytest.raises(
        DerivationError, match=f"line 2: second\nit should be {sign} the line above, but on draw 0 it is not"
    ):
        getattr(start(lambda n: 1.0, numbers), relation)("second", lambda n: wrong)


def test_the_message_shows_arrays_and_shapes():
    with pytest.raises(
        DerivationError, match=r"line 1: shape \(4,\)\n\[.*\]\n  line 2: shape \(4, 1\)"
    ) as caught:
        start(lambda x: x, numbers).equals("", lambda x: x[:, None])
    assert len(re.findall(r"-?\d\.\d+", str(caught.value))) == 8
    with pytest.raises(DerivationError, match=r"shape \(20, 20\)\n(?s:.*)\.\.\."):
        start(lambda n: np.eye(20), numbers).equals("", lambda n: np.ones((20, 20)))


def test_messages_of_the_other_relations():
    with pytest.raises(
        DerivationError, match=r"line 2: c \+ b\nthe difference changes with a: on draw 0 it is .* another a"
    ):
        start(lambda a: a, numbers).equals_up_to("c", "b", lambda b: b, free_of="a")
    with pytest.raises(DerivationError, match=r"on draw 0 the gaps for n = \(1, 2\) are 1, 2$"):
        start(lambda n: n, numbers).tends_to("0", lambda: 0, growing="n", through=(1, 2), within=3)
    with pytest.raises(
        DerivationError, match=r"on draw 0 the line above has .* for another a, better than 100 at the one"
    ):
        start(lambda a: a**2, numbers).same_minimiser("", lambda a: a**2, over="a", at=lambda: 10)


def test_an_optimum_is_held_against_twelve_rivals_and_twelve_near_by():
    seen = []
    start(lambda a: a**2, numbers, draws=2).same_minimiser(
        "",
        lambda a: seen.append(float(a)) or a**2,
        over="a",
        at=lambda: 0.0,
        nearby=lambda rng, a: 0.01 * rng.normal(),
    )
    assert len(seen) == 2 * 25 and len(set(seen)) == 2 * 24 + 1
    assert sum(abs(a) < 0.05 for a in set(seen)) >= 24


def test_small_numbers_beside_large_ones_are_shown_as_0():
    with pytest.raises(DerivationError, match=r"line 1: shape \(2,\)\n\[1\. 0\.\]"):
        start(lambda n: [1, 1e-17], numbers).equals("", lambda n: [2, 0])


def test_ipython_shows_the_message_alone():
    assert DerivationError("what, where")._render_traceback_() == ["DerivationError: what, where"]
    assert issubclass(DerivationError, AssertionError)


# ---- display


@pytest.mark.parametrize("imported", [True, False])
def test_outside_a_notebook_nothing_is_displayed(imported, monkeypatch, capsys):
    if not imported:
        monkeypatch.delitem(sys.modules, "IPython")
    with pytest.raises(DerivationError):
        start(lambda n: n, numbers).equals("", lambda n: -n)
    assert capsys.readouterr().out == ""


@pytest.fixture
def chain():
    chain = start(lambda n: n * 1.0, lambda rng: {"n": rng.integers(1, 9), "b": rng.normal()})
    chain.equals(r"\sum_i 1", lambda n: sum([1.0] * n), because="count")
    chain.at_most("n^2", lambda n: n**2).at_least("n", lambda n: n).approximately(
        "n", lambda n: 1.01 * n, within=0.05
    )
    return chain.equals_up_to("C", "b", lambda n, b: 0 * b, free_of="b", because="shift")


def test_plain_text(chain):
    assert repr(chain.result("2.5")).splitlines() == [
        "A claim (2.5)",
        "    first",
        r" =✓ \sum_i 1    count",
        " ≤✓ n^2",
        " ≥✓ n",
        " ≈✓ n    within 5 %",
        " =✓ C + b    shift",
        "each line checked on 30 draws",
    ]


def test_plain_text_of_limits_and_optima_and_of_nothing():
    draw = lambda rng: {"a": rng.normal(), "t": 1.0}  # noqa: E731
    chain = start(lambda a, t: a**2 + 1 / t, draw)
    chain.tends_to("a^2", lambda a: a**2, growing="t", through=(1, 1e9), within=1e-3)
    chain.same_minimiser("2a^2", lambda a: 2 * a**2, over="a", at=lambda: 0.0)
    assert str(chain).splitlines()[2:4] == [" →✓ a^2", " ~✓ 2a^2"]
    assert TICK.join([r"\xrightarrow{t \to \infty}", r"\; & a^2"]) in chain._repr_latex_()
    assert TICK.join([r"\overset{\arg\min_{a}}{\sim}", r"\; & 2a^2"]) in chain._repr_latex_()
    assert "no line yet" in repr(Derivation("A claim", draw=draw))


def test_latex_is_aligned_with_the_tag_after_it(chain):
    tex = chain.result("2.5")._repr_latex_()
    assert tex.startswith("$$\\begin{aligned}\n& first \\\\\n") and tex.endswith("\\end{aligned}\\tag{2.5}$$")
    assert rf"={TICK}\; & \sum_i 1 && \; \text{{count}} \\" in tex
    assert rf"\leq{TICK}\; & n^2 \\" in tex
    assert tex.count(r"\checkmark") == 5 and tex.count("{") == tex.count("}") and "\n\n" not in tex


def test_latex_without_a_number_has_no_tag(chain):
    assert "tag" not in chain._repr_latex_()


def test_a_refused_line_is_shown_in_colour_in_a_notebook(monkeypatch, chain):
    shown = []
    monkeypatch.setattr("IPython.get_ipython", lambda: InteractiveShell)
    monkeypatch.setattr("IPython.display.display", shown.append)
    with pytest.raises(DerivationError):
        chain.equals("wrong", lambda n: -1)
    tex = shown[0].data
    assert r"\color{#c0392b}{wrong} && \color{#c0392b}{\times\; \text{this line does not follow}}" in tex
    assert tex.count(r"\checkmark") == 5 and r"\color" not in chain._repr_latex_()
    with pytest.raises(DerivationError):
        chain.begin("first of all", lambda n: np.nan)
    assert shown[1].data.count("first of all") == 1


# ---- lines that are read with a notation table

NAMES = Notation(
    r"""
    X       | matrix n × d | samples in rows     |
    n       | number       | how many            |
    I       | matrix       | unit matrix         | unit matrix
    W       | matrix d × k | orthonormal axes    |
    w       | column d     | weights             |
    a       | number       | a number            |
    x_i     | column d     | sample              | row i of X
    \bar x  | column d     | their mean          | \frac1n \sum_i x_i
    z_i     | column k     | scores              | W^\top (x_i - \bar x)
    """,
    default=False,
)


def read(**options):
    return Derivation("A claim", draw=cloud, names=NAMES, **options)


def total(X):
    return (centred(X) ** 2).sum()


def scores(X, W):
    return ((centred(X) @ W) ** 2).sum()


def ridge(X, w, a):
    """The minimiser of |Xv - Xw|² + a²|v|² over v."""
    return np.linalg.solve(X.T @ X + a**2 * np.eye(X.shape[1]), X.T @ X @ w)


READ_RIGHT = {
    "one function is enough": lambda: (
        read()
        .begin(r"\sum_i \lVert z_i \rVert^2", scores)
        .equals(r"\sum_i z_i^\top z_i")
        .equals(r"\operatorname{tr} \Bigl( W^\top \sum_i (x_i - \bar x)(x_i - \bar x)^\top W \Bigr)")
    ),
    "a bound, met by a column": lambda: (
        read()
        .begin(r"\lVert X w \rVert")
        .at_most(
            r"\lVert X \rVert_F \lVert w \rVert",
            lambda X, w: np.linalg.norm(X) * np.linalg.norm(w),
            tight=parallel_too,
        )
    ),
    "two sides": lambda: (
        read().begin(r"\lVert w \rVert^2 = w^\top w", lambda w: w @ w).equals(r"\sum_j w_j^2")
    ),
    "for each index": lambda: (
        read()
        .begin(r"\lVert x_i - \bar x \rVert^2", lambda X: (centred(X) ** 2).sum(axis=1))
        .equals(r"(x_i - \bar x)^\top (x_i - \bar x)")
    ),
    "nothing, and the unit matrix": lambda: (
        read().begin(r"\sum_i (x_i - \bar x)", lambda X: 0 * X[0]).equals("0")
        and read().begin(r"W^\top W", lambda W: np.eye(W.shape[1])).equals("I")
    ),
    "words check nothing": lambda: (
        read()
        .begin(r"\text{the spread}", in_words=True)
        .equals(r"\sum_i \lVert z_i \rVert^2")
        .at_most(r"\text{something}", in_words=True)
        .equals(r"\sum_i \lVert x_i - \bar x \rVert^2", total)
    ),
    "words with a function": lambda: (
        read().begin(r"\text{the spread}", scores, in_words=True).equals(r"\sum_i \lVert z_i \rVert^2")
    ),
    "an argmin": lambda: (
        read(shapes=SHAPES[:5])
        .begin(r"\arg\min_w \lVert X w - X v \rVert^2 + a^2 \lVert w \rVert^2, \quad v = W W^\top \bar x")
        .equals(
            r"(X^\top X + a^2 I)^{-1} X^\top X W W^\top \bar x",
            lambda X, W, a: ridge(X, W @ W.T @ X.mean(axis=0), a),
        )
    ),
    "a limit": lambda: (
        Derivation("A limit", draw=lambda rng: {"b": rng.normal(), "t": 5.0}, names=LIMIT)
        .begin(r"b + \frac{1}{t}")
        .tends_to("b", lambda b: b, growing="t", through=(1e2, 1e4), within=1e-3)
    ),
    "without a table": lambda: (
        Derivation("A claim", draw=cloud, names=None)
        .begin(r"\text{whatever}", scores)
        .equals(r"\text{else}", scores)
    ),
}
LIMIT = Notation("b, t | number | |", default=False)


def parallel_too(rng, shape):
    return {**cloud(rng, shape), **parallel(rng, shape)}


@pytest.mark.parametrize("build", READ_RIGHT.values(), ids=READ_RIGHT)
def test_read_and_computed(build):
    assert build().result("1.1").number == "1.1"


READ_WRONG = {
    DerivationError: {
        "a sign": (
            lambda: (
                read()
                .begin(r"\sum_i \lVert z_i \rVert^2", scores)
                .equals(r"\sum_i \lVert x_i + \bar x \rVert^2")
            ),
            "it should be =",
        ),
        "the first line's TeX": (
            lambda: read().begin(r"\sum_i \lVert z_i \rVert", scores),
            "the TeX and the function differ",
        ),
        "a function without a finite value": (
            lambda: read().begin(r"\lVert w \rVert^2", lambda w: np.inf),
            "the TeX and the function differ",
        ),
        "a later line's function": (
            lambda: read().begin(r"\lVert w \rVert^2").equals(r"w^\top w", lambda w: w @ w + 1e-6),
            "the TeX and the function differ",
        ),
        "a side": (lambda: read().begin(r"\lVert w \rVert^2 = a", lambda w: w @ w), "other side"),
        "no function": (lambda: read().begin(r"a + a").equals("2 a"), "independent NumPy function"),
        "not the argmin": (
            lambda: (
                read()
                .begin(r"\arg\min_w \lVert X w - \bar z \rVert^2, \quad \bar z = X W W^\top \bar x")
                .equals("0 w")
            ),
            "another w is better",
        ),
        "words between two relations": (
            lambda: read().begin("a", lambda a: a).at_most("x", in_words=True).at_least("a - 1"),
            "lines of words stand between",
        ),
        "neither table nor function": (
            lambda: Derivation("A claim", draw=cloud, names=None).begin("a"),
            "needs its function",
        ),
        "equal through a bound in words": (
            lambda: read().begin("a", lambda a: a).at_most("x", in_words=True).equals("a - 1"),
            "it should be =",
        ),
    },
    ReadingError: {
        "not readable": (
            lambda: read().begin("q + 1", lambda a: a),
            r"q is not in the notation table(.|\n)*\^",
        ),
        "no value on a draw": (
            lambda: read().begin(r"\ln (a - a)", lambda a: a),
            "A claim: 0 has no logarithm",
        ),
        "a table of another shape": (
            lambda: Derivation(
                "A claim", draw=lambda rng, s: {**cloud(rng, s), "X": samples(rng, s).T}, names=NAMES
            ),
            "declared",
        ),
        "a free index below": (
            lambda: read().begin("a", lambda a: a).equals(r"\lVert x_i \rVert"),
            "stands free here",
        ),
    },
}


@pytest.mark.parametrize("error", READ_WRONG)
def test_read_and_refused(error, subtests):
    for what, (build, says) in READ_WRONG[error].items():
        with subtests.test(what), pytest.raises(error, match=says):
            build().result("1.1")


def test_the_same_minimiser_is_read_for_each_rival():
    planes = [s for s in SHAPES if s.d > 1]
    names = NAMES.but(
        r"w | matrix d × 1 | an axis | " "\n" r"\hat x_i | column | shadow | w w^\top (x_i - \bar x)"
    )
    chain = Derivation("A claim", draw=one_axis, shapes=planes, names=names)
    chain.begin(r"\sum_i \lVert \hat x_i - (x_i - \bar x) \rVert^2", loss_of_axis)
    objective = r"\operatorname{tr} w^\top \sum_i (x_i - \bar x)(x_i - \bar x)^\top w"
    with pytest.raises(DerivationError, match="this line has"):
        chain.same_minimiser(objective, over="w", at=best_axis, nearby=near)
    assert chain.same_minimiser("-" + objective, over="w", at=best_axis, nearby=near).result("1.1")


def test_the_last_table_is_used_unless_it_is_switched_off(monkeypatch):
    monkeypatch.setattr("helpers.reading.notation._default", None)
    draw = lambda rng: {"b": rng.normal(), "t": 5.0}  # noqa: E731
    assert Derivation("", draw=draw).names is None
    table = Notation("b, t | number | |")
    assert Derivation("", draw=draw).names is table and Derivation("", draw=draw, names=None).names is None
    assert Derivation("", draw=draw, names=LIMIT).names is LIMIT


def test_a_percent_sign_in_a_reason_is_shown():
    """In TeX it would begin a comment: "within 0.01 %" read "within 0.01"."""
    near = Derivation("A percent sign", draw=lambda rng: {"x": rng.normal(size=3)})
    near.begin("x", lambda x: x, in_words=True)
    near.approximately("y", lambda x: x * (1 + 1e-6), within=1e-4)
    assert r"\text{within 0.01 }\%\text{}" in near.result("0.1")._repr_latex_()


def test_a_long_reason_has_a_row_of_its_own_and_words_have_no_tick():
    long = r"by the cyclic property of the trace, $\operatorname{tr} AB = \operatorname{tr} BA$"
    chain = (
        read().begin("a", lambda a: a).equals("1 a", because="times 1").equals(r"\text{it}", in_words=True)
    )
    latex = chain.equals("a + 0", because=long).result("1.1")._repr_latex_()
    assert rf"={TICK}\; & 1 a && \; \text{{times 1}} \\" in latex
    assert rf"=\phantom{{{TICK}}}\; & \color{{#737373}}{{\text{{it}}}} \\" in latex
    assert f"={TICK}\\; & a + 0 \\\\\n& \\rlap{{\\quad \\text{{{long}}}}} \\\\" in latex
    assert latex.count(r"\checkmark") - latex.count(r"\phantom") == 2
    assert str(chain).count("✓") == 2


def test_words_have_no_tick_even_where_their_function_is_compared():
    chain = read().begin(r"\text{a number}", lambda a: a, in_words=True).equals("1 a")
    chain = chain.equals(r"\text{the same}", lambda a: a, in_words=True).result("1.1")
    latex = chain._repr_latex_()
    assert latex.count(r"\checkmark") - latex.count(r"\phantom") == 1 == str(chain).count("✓")
    assert latex.count(r"\color{#737373}") == 2 and r"\color{#737373}{\text{a number}}" in latex
    with pytest.raises(DerivationError):
        read().begin("a", lambda a: a).equals(r"\text{more}", lambda a: a + 1, in_words=True)


def test_letters_are_counted_as_they_are_shown():
    assert letters("as " + r"$\hat x_i^\top \tfrac{a}{b}$") == 3 + 5
    fits, too_long = "x" * 34, "x" * 35
    for reason, rows in ((fits, 2), (too_long, 3)):
        chain = start(lambda a: a, numbers).equals("", lambda a: a + 0.0, because=reason)
        assert chain._repr_latex_().count(r"\\") == rows
    very = start(lambda a: a, numbers).equals("", lambda a: a + 0.0, because="word " * 40)
    assert very._repr_latex_().count(r"\quad") == 3 and "rlap" not in very._repr_latex_()
    assert very._repr_latex_().count(r"\checkmark") == 1  # at the relation, not by the reason
    very.equals("", lambda a: a + 0.0, because="short")  # stays near the formula: the long one takes no width
    assert very._repr_latex_().count(r"\rlap{\quad") == 4
