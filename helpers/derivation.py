r"""A chain of equalities and bounds that is displayed and checked in one place.

Each line stands once: as the LaTeX that you read and as the function that is computed. Every line is compared with
the line above it on random draws whose shapes are chosen to be awkward (fewer rows than columns, rank-deficient,
mean far from 0 …). A line that is wrong raises `DerivationError` and says which
line, on which draw, with both values.

>>> square = Derivation("A square of a sum", draw=lambda rng: {"a": rng.normal(), "b": rng.normal()})
>>> _ = square.begin("(a+b)^2", lambda a, b: (a + b) ** 2)
>>> square.equals("a^2 + 2ab + b^2", lambda a, b: a**2 + 2 * a * b + b**2, because="expand").result("0.1")
A square of a sum (0.1)
    (a+b)^2
  = a^2 + 2ab + b^2    ✓ expand
each line checked on 30 draws
>>> square.equals("a^2 + b^2", lambda a, b: a**2 + b**2)
Traceback (most recent call last):
    ...
helpers.derivation.DerivationError: A square of a sum, line 3: a^2 + b^2
it should be = the line above, but on draw 0 it is not:
  line 2: 0.0130664
  line 3: 0.121245
"""

import copy
import inspect
import sys
from dataclasses import dataclass

import numpy as np

__all__ = ["Derivation", "DerivationError", "SHAPES", "Shape", "centred", "orthonormal", "samples"]


@dataclass(frozen=True)
class Shape:
    """The shape of a drawn table: n rows, d columns, its rank, how far its mean lies from 0.

    Attributes
    ----------
    name : str, as a failing draw is reported
    n, d : int >= 1
    rank : int, at most min(n, d), before the offset is added
    mean : float, standard deviation of the offset added to each feature
    """

    name: str
    n: int
    d: int
    rank: int
    mean: float = 1.0


SHAPES = (
    Shape("tall", 9, 3, 3),
    Shape("wide: n < d", 4, 7, 4),
    Shape("rank-deficient", 8, 5, 2),
    Shape("mean far from 0", 8, 3, 3, mean=20.0),
    Shape("square", 5, 5, 5),
    Shape("one feature", 6, 1, 1),
)


def samples(rng, shape):
    """A table of that shape, samples in the rows, features of unlike spread, mean not 0.

    Parameters
    ----------
    rng : numpy.random.Generator
    shape : Shape

    Returns
    -------
    X : array of shape (n, d)

    Examples
    --------
    >>> X = samples(np.random.default_rng(0), Shape("rank-deficient", n=8, d=5, rank=2))
    >>> X.shape, int(np.linalg.matrix_rank(centred(X)))
    ((8, 5), 2)
    """
    low = rng.normal(size=(shape.n, shape.rank)) * rng.uniform(0.5, 2, shape.rank)
    return low @ rng.normal(size=(shape.rank, shape.d)) + shape.mean * rng.normal(size=shape.d)


def centred(X):
    """The rows of X minus their mean.

    Parameters
    ----------
    X : array of shape (n, d)

    Returns
    -------
    array of shape (n, d), every column sums to 0

    Examples
    --------
    >>> centred(np.array([[1.0, 2.0], [3.0, 6.0]]))
    array([[-1., -2.],
           [ 1.,  2.]])
    """
    return X - X.mean(axis=0)


def orthonormal(rng, d, k):
    """k orthonormal columns of length d, every such frame equally likely.

    Parameters
    ----------
    rng : numpy.random.Generator
    d, k : int, k <= d

    Returns
    -------
    Q : array of shape (d, k), ``QᵀQ = I``

    Examples
    --------
    >>> Q = orthonormal(np.random.default_rng(0), 5, 2)
    >>> Q.shape, np.allclose(Q.T @ Q, np.eye(2)), np.allclose(Q @ Q.T, np.eye(5))
    ((5, 2), True, False)
    """
    return np.linalg.qr(rng.normal(size=(d, k)))[0]


class DerivationError(AssertionError):
    """A line that does not follow from the line above it."""

    def _render_traceback_(self):
        """IPython shows the message alone: the stack would lead into this module."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Line:
    relation: str
    latex: str
    value: object = None
    because: str = ""


class Derivation:
    r"""Lines of a derivation, each checked against the line above it.

    Parameters
    ----------
    claim : str
        What the chain shows, in words.
    draw : function
        ``draw(rng)`` or ``draw(rng, shape)`` gives a dict of named quantities. With ``shape`` the draws go through
        `shapes` in turn, so that each is met ``draws / len(shapes)`` times.
    draws : int
    tol : float
        Allowed difference against the largest number in the chain (at least 1), so that lines that cancel to
        something small are judged by the size of their terms.
    shapes : sequence of Shape

    Notes
    -----
    A line's function names the quantities that it uses: ``lambda X, W: …``. `because` is the reason shown beside
    the line. ``result("2.5")`` ends the chain and sets its number.

    Raises
    ------
    ValueError
        Fewer draws than shapes.
    DerivationError
        A line that does not follow, or that cannot be checked; each method raises it at its own line.

    Examples
    --------
    >>> triangle = Derivation("Triangle inequality", draw=lambda rng: dict(zip("ab", rng.normal(size=(2, 3)))))
    >>> _ = triangle.begin("|a + b|", lambda a, b: np.linalg.norm(a + b))
    >>> triangle.at_most("|a| + |b|", lambda a, b: np.linalg.norm(a) + np.linalg.norm(b),
    ...                  because="equal for b = 2a", tight=lambda rng: {"a": np.ones(3), "b": 2 * np.ones(3)})
    Triangle inequality
        |a + b|
      ≤ |a| + |b|    ✓ equal for b = 2a
    each line checked on 30 draws
    """

    def __init__(self, claim, draw, draws=30, tol=1e-9, shapes=SHAPES):
        self.claim, self.draw, self.draws, self.tol, self.shapes = claim, draw, draws, tol, shapes
        least = len(shapes) if _takes_shape(draw) else 1
        if draws < least:
            raise ValueError(f"{claim}: {draws} draws do not meet every shape; make at least {least}")
        self.samples = [self._sample(draw, seed, seed) for seed in range(draws)]
        self.lines, self.number = [], None
        self._values, self._scales = [None] * draws, np.ones(draws)

    # ---- the lines

    def begin(self, latex, value):
        """The first line, which the rest transforms."""
        self.lines = [Line("", latex, value)]
        self._values = [self._value(value, s) for s in self.samples]
        self._scales = [_size(v) for v in self._values]
        for seed, v in enumerate(self._values):
            if not np.isfinite(v).all():
                self._refuse(self.lines[0], f"on {self._name(seed)} it is not finite: {_show(v)}")
        if not any(v.size for v in self._values):
            self._refuse(self.lines[0], "it holds no number on any draw: there is nothing to check")
        return self

    def equals(self, latex, value, because=""):
        """Equal to the line above."""
        return self._follows(
            Line("=", latex, value, because), lambda above, here, slack: np.abs(above - here) <= slack
        )

    def at_most(self, latex, value, because="", tight=None):
        """The line above is ≤ this one. `tight`, a draw, gives quantities for which both must be equal."""
        line = Line(r"\leq", latex, value, because)
        self._check_tight(line, tight)
        return self._follows(line, lambda above, here, slack: above <= here + slack)

    def at_least(self, latex, value, because="", tight=None):
        """The line above is ≥ this one. `tight`, a draw, gives quantities for which both must be equal."""
        line = Line(r"\geq", latex, value, because)
        self._check_tight(line, tight)
        return self._follows(line, lambda above, here, slack: above >= here - slack)

    def approximately(self, latex, value, within, because=""):
        """Equal to the line above up to the share `within` of the larger of both."""
        because = ", ".join(filter(None, [because, rf"within {100 * within:g} %"]))
        return self._follows(
            Line(r"\approx", latex, value, because),
            lambda above, here, slack: (
                np.abs(above - here) <= within * np.maximum(np.abs(above), np.abs(here)) + slack
            ),
        )

    def tends_to(self, latex, value, growing, through, within, because=""):
        """The line above approaches this one while the quantity `growing` runs through the given values."""
        line = Line(rf"\xrightarrow{{{growing} \to \infty}}", latex, value, because)
        above = self._above().value
        if (
            growing not in inspect.signature(above).parameters
            or growing in inspect.signature(value).parameters
        ):
            raise DerivationError(
                f"{self.claim}: {growing} must stand in the line above {latex}, and not in this one"
            )
        for seed, s in enumerate(self.samples):
            runs = [dict(s, **{growing: g}) for g in through]
            gaps = [float(np.abs(self._gap(above, value, r)).max(initial=0)) for r in runs]
            if not (gaps[-1] <= within and gaps[-1] <= max(gaps[0] / 2, self.tol)):
                self._refuse(
                    line,
                    f"on {self._name(seed)} the gaps for {growing} = {tuple(through)} are "
                    + ", ".join(f"{g:.3g}" for g in gaps),
                )
        return self._append(line)

    def equals_up_to(self, constant, latex, value, free_of, because=""):
        """A constant plus this line; the constant must not change with the quantity `free_of`.

        Give it a name such as ``C``: its value is not checked. Where it has a formula, use :meth:`equals`.
        """
        line = Line("=", rf"{constant} + {latex}", value, because)
        above, moved = self._above().value, False
        for seed, s in enumerate(self.samples):
            others = [dict(s, **{free_of: rival}) for rival in self._rivals(seed, free_of)]
            moved = moved or not all(np.array_equal(o[free_of], s[free_of]) for o in others)
            gaps = [self._gap(above, value, o) for o in [s, *others]]
            spread = [np.abs(gap - gaps[0]).max(initial=0) for gap in gaps]  # NaN where one is not finite
            if not np.max(spread) <= self.tol * self._scales[seed]:
                self._refuse(
                    line,
                    f"the difference changes with {free_of}: on {self._name(seed)} it is "
                    f"{_show(gaps[0])} and, for another {free_of}, {_show(gaps[np.argmax(spread)])}",
                )
        if not moved:
            self._refuse(line, f"every draw of {free_of} is the same: nothing can be seen to change with it")
        return self._append(line)

    def same_minimiser(self, latex, value, over, at, nearby=None, because=""):
        """Both this line and the line above are smallest at ``at(...)``, among all draws of `over`.

        `nearby(rng, best)` adds rivals close to the minimiser.
        """
        return self._same_optimiser("min", 1, latex, value, over, at, nearby, because)

    def same_maximiser(self, latex, value, over, at, nearby=None, because=""):
        """Both this line and the line above are largest at ``at(...)``, among all draws of `over`."""
        return self._same_optimiser("max", -1, latex, value, over, at, nearby, because)

    def result(self, number):
        """Give the chain its number; as the last line of a cell it displays the chain."""
        if len(self.lines) < 2:
            raise DerivationError(
                f"{self.claim}: there is no line to check yet; add one with equals, at_most …"
            )
        self.number = number
        return self

    # ---- checking

    def _sample(self, draw, seed, index):
        rng = np.random.default_rng([seed, 20])
        return draw(rng, self.shapes[index % len(self.shapes)]) if _takes_shape(draw) else draw(rng)

    def _rivals(self, seed, name, many=12):
        """Other draws of one quantity, of the shape that draw `seed` has."""
        fresh = (self._sample(self.draw, 1000 + 97 * seed + i, seed)[name] for i in range(many))
        rivals = [r for r in fresh if np.shape(r) == np.shape(self.samples[seed][name])]
        if not rivals:
            raise DerivationError(
                f"{self.claim}: no second draw of {name} has the shape of the first; draw it from "
                "the shape alone"
            )
        return rivals

    def _value(self, function, sample):
        wanted = inspect.signature(function).parameters
        missing = [n for n in wanted if n not in sample]
        if missing:
            raise DerivationError(
                f"{self.claim}: a line asks for {', '.join(missing)}, but the draw has {', '.join(sample)}"
            )
        value = np.asarray(function(**{n: copy.deepcopy(sample[n]) for n in wanted}))  # it may work in place
        if value.dtype.kind not in "biufO":
            raise DerivationError(
                f"{self.claim}: a line gives {value.dtype} numbers; lines are compared as real ones"
            )
        return value.astype(float)

    def _gap(self, above, here, sample):
        """The difference of two lines; NaN where they do not even have one shape."""
        a, b = self._value(above, sample), self._value(here, sample)
        return a - b if a.shape == b.shape else np.full(a.shape or 1, np.nan)

    def _above(self):
        if not self.lines:
            raise DerivationError(f"{self.claim}: start the chain with begin(latex, value)")
        return self.lines[-1]

    def _name(self, seed):
        return f"draw {seed}" + (
            f" ({self.shapes[seed % len(self.shapes)].name})" if _takes_shape(self.draw) else ""
        )

    def _follows(self, line, holds):
        """Compare with the line above on every draw."""
        last = self._above()
        for seed, (s, above) in enumerate(zip(self.samples, self._values)):
            here = self._value(line.value, s)
            if above is None:
                above = self._value(last.value, s)
            scale = _size(self._scales[seed], here)
            same_shape = above.shape == here.shape
            if not (same_shape and np.isfinite(here).all() and np.all(holds(above, here, self.tol * scale))):
                self._refuse(
                    line,
                    f"it should be {_plain(line.relation)} the line above, but on {self._name(seed)} "
                    f"it is not:\n  line {len(self.lines)}: {_show(above)}\n  "
                    f"line {len(self.lines) + 1}: {_show(here)}",
                )
            self._values[seed], self._scales[seed] = here, scale
        self.lines.append(line)
        return self

    def _append(self, line):
        self._values = [None] * self.draws
        self.lines.append(line)
        return self

    def _check_tight(self, line, tight):
        for seed in range(len(self.shapes) if tight else 0):
            s = self._sample(tight, seed, seed)
            above, here = self._value(self._above().value, s), self._value(line.value, s)
            slack = self.tol * _size(above, here)
            met = above.shape == here.shape and np.isfinite(slack) and np.all(np.abs(above - here) <= slack)
            if not met:
                self._refuse(
                    line,
                    f"the bound should be met exactly, but on tight draw {seed} it is not:\n  "
                    f"line {len(self.lines)}: {_show(above)}\n"
                    f"  line {len(self.lines) + 1}: {_show(here)}",
                )

    def _same_optimiser(self, word, sign, latex, value, over, at, nearby, because):
        line = Line(rf"\overset{{\arg\{word}_{{{over}}}}}{{\sim}}", latex, value, because)
        for which, function in (("the line above", self._above().value), ("this line", value)):
            margins = [
                self._margin(seed, sign, function, over, at, nearby, line, which)
                for seed in range(self.draws)
            ]
            if max(margins) <= 1e-6:
                self._refuse(line, f"{which} is the same for every {over}: any choice is optimal")
        return self._append(line)

    def _margin(self, seed, sign, function, over, at, nearby, line, which):
        """By how much the best rival loses; a rival that wins refutes the line."""
        s, rng = self.samples[seed], np.random.default_rng([seed, 21])
        best = np.asarray(self._solution(at, s))
        if best.shape != np.shape(s[over]):
            self._refuse(
                line,
                f"the {over} given as optimal has shape {best.shape}, the drawn ones {np.shape(s[over])}",
            )
        rivals = self._rivals(seed, over) + [nearby(rng, best) for _ in range(12 if nearby else 0)]
        optimum = sign * self._value(function, dict(s, **{over: best}))
        values = np.array([sign * self._value(function, dict(s, **{over: r})) for r in rivals])
        if values.ndim != 1 or not np.isfinite([*values, optimum]).all():
            self._refuse(line, f"on {self._name(seed)} {which} is not one finite number for each {over}")
        slack = self.tol * _size(values, optimum)
        if not values.min() >= optimum - slack:
            self._refuse(
                line,
                f"on {self._name(seed)} {which} has {sign * values.min():.6g} for another {over}, "
                f"better than {sign * optimum:.6g} at the one given",
            )
        return float((values - optimum).max())

    @staticmethod
    def _solution(at, sample):
        return at(**{n: sample[n] for n in inspect.signature(at).parameters})

    def _refuse(self, line, why):
        number = len(self.lines) + (line not in self.lines)
        message = f"{self.claim}, line {number}: {line.latex}\n{why}"
        if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
            from IPython.display import Latex, display

            display(Latex(self._latex(self.lines[: number - 1], refused=line)))
        raise DerivationError(message)

    # ---- showing

    def _latex(self, lines, refused=None):
        rows = [rf"& {lines[0].latex} \\" if lines else ""]
        for line in lines[1:]:
            reason = rf" && \checkmark\; \text{{{line.because}}}" if line.because else r" && \checkmark"
            rows.append(rf"{line.relation}\; & {line.latex}{reason} \\")
        if refused:
            rows.append(
                rf"\color{{#c0392b}}{{{refused.relation}}}\; & \color{{#c0392b}}{{{refused.latex}}} && "
                r"\color{#c0392b}{\times\; \text{this line does not follow}}"
            )
        tag = rf"\tag{{{self.number}}}" if self.number else ""
        return "$$\\begin{aligned}\n" + "\n".join(rows) + f"\n\\end{{aligned}}{tag}$$"

    def _repr_latex_(self):
        return self._latex(self.lines)

    def __repr__(self):
        head = self.claim + (f" ({self.number})" if self.number else "")
        first, *rest = self.lines or [Line("", "no line yet")]
        body = [f"    {first.latex}"]
        body += [f"{_plain(x.relation):>3} {x.latex}    ✓ {x.because}".rstrip() for x in rest]
        return "\n".join([head, *body, f"each line checked on {self.draws} draws"])


def _size(*values):
    """Their largest number, at least 1: what a difference is judged against."""
    return np.max([1.0, *(np.abs(v).max(initial=0) for v in values)])


def _takes_shape(draw):
    return len(inspect.signature(draw).parameters) > 1


def _plain(relation):
    """A relation without LaTeX."""
    names = {"=": "=", r"\leq": "≤", r"\geq": "≥", r"\approx": "≈"}
    return names.get(relation, "→" if relation.startswith(r"\xrightarrow") else "~")


def _show(value):
    """A number, or a small array, or the shape and first entries of a large one."""
    value = np.asarray(value)
    if value.ndim == 0:
        return f"{float(value):.6g}"
    text = np.array2string(value, precision=4, suppress_small=True, threshold=12)
    return f"shape {value.shape}\n{text}"
