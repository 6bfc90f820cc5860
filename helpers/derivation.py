r"""A chain of equalities and bounds that is displayed and checked in one place.

Each line stands once: as the LaTeX that you read and as the function that is computed. Every line is compared
with the line above it on random draws whose shapes are chosen to be awkward (fewer rows than columns,
rank-deficient, mean far from 0 …). A line that is wrong raises `DerivationError` and says which line, on
which draw, with both values.

>>> square = Derivation("A square of a sum", draw=lambda rng: {"a": rng.normal(), "b": rng.normal()})
>>> _ = square.begin("(a+b)^2", lambda a, b: (a + b) ** 2)
>>> square.equals("a^2 + 2ab + b^2", lambda a, b: a**2 + 2 * a * b + b**2, because="expand").result("0.1")
A square of a sum (0.1)
    (a+b)^2
 =✓ a^2 + 2ab + b^2    expand
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
import re
import sys
from dataclasses import dataclass

import numpy as np

from helpers.reading import ReadingError, default_notation

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


DEFAULT = object()  # the notebook's last table
HOLDS = {  # (above, here, slack, within what share)
    "=": lambda above, here, slack, _: np.abs(above - here) <= slack,
    r"\leq": lambda above, here, slack, _: above <= here + slack,
    r"\geq": lambda above, here, slack, _: above >= here - slack,
    r"\approx": lambda above, here, slack, within: (
        np.abs(above - here) <= within * np.maximum(np.abs(above), np.abs(here)) + slack
    ),
}


class DerivationError(AssertionError):
    """A line that does not follow from the line above it."""

    def _render_traceback_(self):
        """IPython shows the message alone: the stack would lead into this module."""
        return [f"{type(self).__name__}: {self}"]


@dataclass
class Line:
    """A displayed line: its function, its formula as it was read, or both; words have neither."""

    relation: str
    latex: str
    value: object = None
    because: str = ""
    formula: object = None
    argmin: object = None
    checked: bool = True
    words: bool = False

    @property
    def ticked(self):
        """It was computed, and its TeX was read or is a formula: of words nobody knows what they say."""
        return self.checked and not self.words

    @property
    def has_value(self):
        return self.value is not None or self.formula is not None


class Derivation:
    r"""Lines of a derivation, each checked against the line above it.

    Parameters
    ----------
    claim : str
        What the chain shows, in words.
    draw : function
        ``draw(rng)`` or ``draw(rng, shape)`` gives a dict of named quantities. With ``shape`` the draws go
        through `shapes` in turn, so that each is met ``draws / len(shapes)`` times.
    draws : int
    tol : float
        Allowed difference against the largest number in the chain (at least 1), so that lines that cancel to
        something small are judged by the size of their terms.
    shapes : sequence of Shape
    names : Notation or None
        The table that the lines are read with: the notebook's last `Notation` when it is not given. With
        None, or where there is no table, each line needs its function.

    Notes
    -----
    With a table the TeX of a line is read and computed. A line's function names the quantities that it uses:
    ``lambda X, W: …``; where there is one, both must agree, and at least one line of a chain has one, so that
    the reader of TeX is never judge in its own case. ``in_words=True`` marks a line that is words: it is not
    read, and without a function it checks nothing: it is grey and has no tick, for even where its function is
    compared only people can say that the words mean it. The tick ✓ of any other line that was checked
    stands at its relation sign. `because` is the reason shown beside the line, on a row of its own
    when it is long; people read it, and nothing checks it. ``result("2.5")`` ends the chain and sets its
    number; a claim that is one relation is a chain of two.

    Raises
    ------
    ValueError
        Fewer draws than shapes. As ReadingError: a line that cannot be read; it shows the place.
    DerivationError
        A line that does not follow, or that cannot be checked; each method raises it at its own line.

    Examples
    --------
    >>> draw = lambda rng: dict(zip("ab", rng.normal(size=(2, 3))))
    >>> triangle = Derivation("Triangle inequality", draw=draw)
    >>> _ = triangle.begin("|a + b|", lambda a, b: np.linalg.norm(a + b))
    >>> triangle.at_most("|a| + |b|", lambda a, b: np.linalg.norm(a) + np.linalg.norm(b),
    ...                  because="equal for b = 2a", tight=lambda rng: {"a": np.ones(3), "b": 2 * np.ones(3)})
    Triangle inequality
        |a + b|
     ≤✓ |a| + |b|    equal for b = 2a
    each line checked on 30 draws
    """

    def __init__(self, claim, draw, draws=30, tol=1e-9, shapes=SHAPES, names=DEFAULT):
        self.claim, self.draw, self.draws, self.tol, self.shapes = claim, draw, draws, tol, shapes
        self.names = default_notation() if names is DEFAULT else names
        least = len(shapes) if _takes_shape(draw) else 1
        if draws < least:
            raise ValueError(f"{claim}: {draws} draws do not meet every shape; make at least {least}")
        self.samples = [self._sample(draw, seed, seed) for seed in range(draws)]
        self._environments = {}
        if self.names is not None:
            self._environments = {id(s): self.names.environment(s) for s in self.samples}
        self._restart()

    def _restart(self):
        self.lines, self.number, self._skipped = [], None, []
        self._values, self._scales = [None] * self.draws, np.ones(self.draws)

    # ---- the lines

    def begin(self, latex, value=None, because="", in_words=False):
        """The first line, which the rest transforms."""
        self._restart()
        line = self._line("", latex, value, because, in_words)
        self.lines = [line]
        return self._first(line)

    def equals(self, latex, value=None, because="", in_words=False):
        """Equal to the line above."""
        return self._follows(self._line("=", latex, value, because, in_words))

    def at_most(self, latex, value=None, because="", tight=None, in_words=False):
        """The line above is ≤ this one. `tight`, a draw, gives quantities for which both must be equal."""
        line = self._line(r"\leq", latex, value, because, in_words)
        self._check_tight(line, tight)
        return self._follows(line)

    def at_least(self, latex, value=None, because="", tight=None, in_words=False):
        """The line above is ≥ this one. `tight`, a draw, gives quantities for which both must be equal."""
        line = self._line(r"\geq", latex, value, because, in_words)
        self._check_tight(line, tight)
        return self._follows(line)

    def approximately(self, latex, value=None, within=None, because="", in_words=False):
        """Equal to the line above up to the share `within` of the larger of both."""
        if within is None:
            raise ValueError(f"{self.claim}: within what share? Give within=, such as 0.05")
        because = ", ".join(filter(None, [because, rf"within {100 * within:g} %"]))
        line = self._line(r"\approx", latex, value, because, in_words)
        return self._follows(line, within)

    def tends_to(self, latex, value=None, *, growing, through, within, because=""):
        """The line above approaches this one while the quantity `growing` runs through the given values."""
        line = self._line(rf"\xrightarrow{{{growing} \to \infty}}", latex, value, because)
        above = self._valued()
        if not self._uses(above, growing, through) or self._uses(line, growing, through):
            raise DerivationError(
                f"{self.claim}: {growing} must stand in the line above {latex}, and not in this one"
            )
        for seed, s in enumerate(self.samples):
            runs = [dict(s, **{growing: g}) for g in through]
            gaps = [float(np.abs(self._gap(above, line, r)).max(initial=0)) for r in runs]
            if not (gaps[-1] <= within and gaps[-1] <= max(gaps[0] / 2, self.tol)):
                self._refuse(
                    line,
                    f"on {self._name(seed)} the gaps for {growing} = {tuple(through)} are "
                    + ", ".join(f"{g:.3g}" for g in gaps),
                )
        return self._append(line)

    def equals_up_to(self, constant, latex, value=None, *, free_of, because=""):
        """A constant plus this line; the constant must not change with the quantity `free_of`.

        Give it a name such as ``C``: its value is not checked. Where it has a formula, use :meth:`equals`.
        """
        line = self._line("=", latex, value, because)
        line.latex = rf"{constant} + {latex}"
        above, moved = self._valued(), False
        for seed, s in enumerate(self.samples):
            others = [dict(s, **{free_of: rival}) for rival in self._rivals(seed, free_of)]
            moved = moved or not all(np.array_equal(o[free_of], s[free_of]) for o in others)
            gaps = [self._gap(above, line, o) for o in [s, *others]]
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

    def same_minimiser(self, latex, value=None, *, over, at, nearby=None, because=""):
        """Both this line and the line above are smallest at ``at(...)``, among all draws of `over`.

        `nearby(rng, best)` adds rivals close to the minimiser.
        """
        line = self._line(rf"\overset{{\arg\min_{{{over}}}}}{{\sim}}", latex, value, because)
        for which, function in (("the line above", self._valued()), ("this line", line)):
            margins = [
                self._margin(seed, function, over, at, nearby, line, which) for seed in range(self.draws)
            ]
            if max(margins) <= 1e-6:
                self._refuse(line, f"{which} is the same for every {over}: any choice is optimal")
        return self._append(line)

    def result(self, number):
        """Give the chain its number; as the last line of a cell it displays the chain."""
        if len(self.lines) < 2:
            raise DerivationError(
                f"{self.claim}: there is no line to check yet; add one with equals, at_most …"
            )
        if not any(line.value for line in self.lines):
            raise DerivationError(
                f"{self.claim}: give at least one line an independent NumPy function, so that the "
                "reader of TeX is not judge in its own case"
            )
        self.number = number
        return self

    # ---- checking

    def _sample(self, draw, seed, index):
        rng = np.random.default_rng([seed, 20])
        return draw(rng, self.shapes[index % len(self.shapes)]) if _takes_shape(draw) else draw(rng)

    def _rivals(self, seed, name):
        """Other draws of one quantity, of the shape that draw `seed` has."""
        fresh = (self._sample(self.draw, 1000 + 97 * seed + i, seed)[name] for i in range(12))
        rivals = [r for r in fresh if np.shape(r) == np.shape(self.samples[seed][name])]
        if not rivals:
            raise DerivationError(
                f"{self.claim}: no second draw of {name} has the shape of the first; draw it from "
                "the shape alone"
            )
        return rivals

    def _line(self, relation, latex, value, because="", in_words=False):
        """The line, read with the table unless it is words."""
        line = Line(relation, latex, value, because, words=in_words)
        if self.names is None and value is None and not in_words:
            raise DerivationError(
                f"{self.claim}: {latex} needs its function, or a notation table to be read with"
            )
        if self.names is not None and not in_words:
            line.argmin = self._argmin(latex)
            line.formula = None if line.argmin else self.names.read(latex, may_be_free=True)
        return line

    def _argmin(self, latex):
        r"""(draw's name, sign, formula) of \arg\min_w …; None of another line."""
        found = re.match(
            r"\\arg\s*\\(min|max)_(?:\{([^{}]+)\}|(\\?[A-Za-z]+?))(?=[\s\\({\[A-Z]|$)(.*)", latex, re.S
        )
        symbol = found and self.names.table.plain((found[2] or found[3]).strip())
        if not symbol:
            return None
        name = symbol.source.strip("` ") or symbol.draw_name
        return name, {"min": 1, "max": -1}[found[1]], self.names.read(found[4])

    def _value(self, line, sample, like=None, scale=1.0):
        """What a line comes to on a draw: its formula's value and its function's must agree."""
        called = None if line.value is None else self._called(line.value, sample)
        if line.formula is None:
            return called
        found = [np.asarray(v, float) for v in self._read(line.formula, sample, like)]
        for other in [*found[1:], *([] if called is None else [called])]:
            slack = self.tol * _size(found[0], other, scale)
            near = np.isfinite(slack) and other.shape == found[0].shape  # infinity is near nothing
            if not (near and np.all(np.abs(other - found[0]) <= slack)):
                which = "the function" if other is called else "the other side"
                self._refuse(
                    line, f"the TeX and {which} differ:\n  TeX: {_show(found[0])}\n  {which}: {_show(other)}"
                )
        return found[0]

    def _read(self, formula, sample, like):
        """The values of its sides; over the free indices of the chain's first formula."""
        env = self._environments.get(id(sample)) or self.names.environment(sample)
        env.refill()
        leader = next((x.formula for x in self.lines if x.formula), formula)
        try:
            return formula.values(env, leader.lengths(env), like)
        except ReadingError as e:
            raise ReadingError(e.tex, e.at, f"{self.claim}: {e.why}") from None

    def _called(self, function, sample):
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

    def _uses(self, line, name, through):
        """Does the line's value depend on this quantity?"""
        if line.value is not None:
            return name in inspect.signature(line.value).parameters
        values = [self._value(line, dict(self.samples[0], **{name: g})) for g in through]
        return not all(np.array_equal(v, values[0]) for v in values)

    def _gap(self, above, here, sample):
        """The difference of two lines; NaN where they do not even have one shape."""
        a, b = self._value(above, sample), self._value(here, sample)
        return a - b if a.shape == b.shape else np.full(a.shape or 1, np.nan)

    def _valued(self):
        """The last line that has a value."""
        if not self.lines:
            raise DerivationError(f"{self.claim}: start the chain with begin(latex, value)")
        valued = next((line for line in reversed(self.lines) if line.has_value), None)
        if valued is None:
            raise DerivationError(
                f"{self.claim}: the lines above are words: there is no value to compare with"
            )
        return valued

    def _first(self, line):
        """A line that has nothing above it to be compared with."""
        if not line.has_value:
            return self
        self._values = [self._value(line, s) for s in self.samples]
        self._scales = [_size(v) for v in self._values]
        for seed, v in enumerate(self._values):
            if not np.isfinite(v).all():
                self._refuse(line, f"on {self._name(seed)} it is not finite: {_show(v)}")
        if not any(v.size for v in self._values):
            self._refuse(line, "it holds no number on any draw: there is nothing to check")
        return self

    def _name(self, seed):
        return f"draw {seed}" + (
            f" ({self.shapes[seed % len(self.shapes)].name})" if _takes_shape(self.draw) else ""
        )

    def _follows(self, line, within=0.0):
        """Compare with the last line that has a value, on every draw."""
        if not self.lines:
            self._valued()
        if not line.has_value:
            line.checked = False
            self._skipped.append(line.relation)
            self.lines.append(line)
            return self
        fresh = not any(x.value or x.formula for x in self.lines[1:])
        if fresh and self.lines[0].argmin:
            self._best_of_all(line, self.lines[0].argmin)
        if not any(above.has_value for above in self.lines):
            line.checked = self.lines[0].argmin is not None
            self._first(line)
            self.lines.append(line)
            return self
        relation, last = self._through_words(line), self._valued()
        for seed, (s, above) in enumerate(zip(self.samples, self._values)):
            above = self._value(last, s) if above is None else above
            here = self._value(line, s, above, self._scales[seed])
            self._compare(line, relation, above, here, seed, within)
        self._skipped = []
        self.lines.append(line)
        return self

    def _compare(self, line, relation, above, here, seed, within):
        scale = _size(self._scales[seed], here)
        same_shape = above.shape == here.shape
        holds = HOLDS[relation]
        if not (
            same_shape and np.isfinite(here).all() and np.all(holds(above, here, self.tol * scale, within))
        ):
            self._refuse(
                line,
                f"it should be {_plain(line.relation)} the line above, but on {self._name(seed)} "
                f"it is not:\n  line {len(self.lines)}: {_show(above)}\n  "
                f"line {len(self.lines) + 1}: {_show(here)}",
            )
        self._values[seed], self._scales[seed] = here, scale

    def _through_words(self, line):
        """The relation to the last line that has a value, through lines of words between."""
        steps = {r for r in [*self._skipped, line.relation] if r != "="}
        if len(steps) > 1:
            raise DerivationError(
                f"{self.claim}: lines of words stand between {' and '.join(map(_plain, steps))}: "
                f"what {line.latex} is compared with is not clear"
            )
        return steps.pop() if steps else "="

    def _best_of_all(self, line, argmin):
        """The chain begins with an argmin: no other draw, and nothing near this line, is better."""
        over, sign, formula = argmin
        objective = Line("", "the objective", formula=formula)
        for seed, s in enumerate(self.samples):
            best, rng = self._value(line, s), np.random.default_rng([seed, 22])
            if best.shape != np.shape(s[over]):
                self._refuse(line, f"its shape is {best.shape}, that of {over} {np.shape(s[over])}")
            near = [best + 1e-2 * rng.normal(size=best.shape) for _ in range(12)]
            values = [
                sign * float(self._value(objective, dict(s, **{over: r})))
                for r in [best, *self._rivals(seed, over), *near]
            ]
            if not min(values) >= values[0] - self.tol * _size(*values):
                self._refuse(
                    line,
                    f"on {self._name(seed)} another {over} is better: {sign * min(values):.6g} instead "
                    f"of {sign * values[0]:.6g}",
                )

    def _append(self, line):
        self._values = [None] * self.draws
        self.lines.append(line)
        return self

    def _check_tight(self, line, tight):
        for seed in range(len(self.shapes) if tight else 0):
            s = self._sample(tight, seed, seed)
            above, here = self._value(self._valued(), s), self._value(line, s)
            slack = self.tol * _size(above, here)
            met = above.shape == here.shape and np.isfinite(slack) and np.all(np.abs(above - here) <= slack)
            if not met:
                self._refuse(
                    line,
                    f"the bound should be met exactly, but on tight draw {seed} it is not:\n  "
                    f"line {len(self.lines)}: {_show(above)}\n"
                    f"  line {len(self.lines) + 1}: {_show(here)}",
                )

    def _margin(self, seed, function, over, at, nearby, line, which):
        """By how much the best rival loses; a rival that wins refutes the line."""
        s, rng = self.samples[seed], np.random.default_rng([seed, 21])
        best = np.asarray(self._solution(at, s))
        if best.shape != np.shape(s[over]):
            self._refuse(
                line,
                f"the {over} given as optimal has shape {best.shape}, the drawn ones {np.shape(s[over])}",
            )
        rivals = self._rivals(seed, over) + [nearby(rng, best) for _ in range(12 if nearby else 0)]
        optimum = self._value(function, dict(s, **{over: best}))
        values = np.array([self._value(function, dict(s, **{over: r})) for r in rivals])
        if values.ndim != 1 or not np.isfinite([*values, optimum]).all():
            self._refuse(line, f"on {self._name(seed)} {which} is not one finite number for each {over}")
        slack = self.tol * _size(values, optimum)
        if not values.min() >= optimum - slack:
            self._refuse(
                line,
                f"on {self._name(seed)} {which} has {values.min():.6g} for another {over}, "
                f"better than {optimum:.6g} at the one given",
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
        rows = [rf"& {_shown(lines[0])} \\" if lines else ""]
        told = {letters(line.because) > LONG_REASON for line in lines[1:] if line.because or line.checked}
        lap, most = (r"\rlap", SHORT_ROW) if len(told) > 1 else ("", LONGEST_ROW)  # so short ones stay near
        for line in lines[1:]:
            long = letters(line.because) > LONG_REASON
            beside = [rf"\; {_worded(line.because)}"] if line.because and not long else []
            rows.append(rf"{_ticked(line)}\; & {' && '.join([_shown(line), *beside])} \\")
            for part in _wrapped(line.because, most) if long else ():
                rows.append(rf"& {lap}{{\quad {_worded(part)}}} \\")
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
        body += [
            f" {_plain(x.relation)}{'✓' if x.ticked else ' '} {x.latex}    {x.because}".rstrip() for x in rest
        ]
        return "\n".join([head, *body, f"each line checked on {self.draws} draws"])


TICK = r"{\scriptstyle\checkmark}"
GREY = "#737373"  # a line in words: its function may be compared, but people read what it says


def _ticked(line):
    """The relation with its tick: it is the relation that was checked, and not the reason beside the line."""
    return line.relation + (TICK if line.ticked else rf"\phantom{{{TICK}}}")


def _shown(line):
    """A line in words is grey."""
    return rf"\color{{{GREY}}}{{{line.latex}}}" if line.words else line.latex


def _worded(reason):
    r"""Words in a formula. A bare % would begin a comment, and `\%` inside `\text` is not read everywhere."""
    return r"\text{" + re.sub(r"(?<!\\)%", r"}\\%\\text{", reason) + "}"


LONG_REASON, LONGEST_ROW, SHORT_ROW = 34, 78, 52  # letters: more has a row of its own; two widths of such


def letters(reason):
    """How many letters a reason shows: of $mathematics$ what is seen of it, its commands counted as one each.

    Examples
    --------
    >>> letters("expand"), letters(r"$W^\\top W = I_k$, so"), letters(r"as $\\operatorname{tr} AB$")
    (6, 10, 7)
    """
    count = 0
    for k, part in enumerate(reason.split("$")):
        if k % 2:
            part = re.sub(r"\\(?:text|operatorname|mathrm|mathbf)\b", "", part)
            part = re.sub(
                r"\\(?:hat|bar|tilde|left|right|[bB]igg?[lr]?|[tdf]*frac|sqrt|,|;|!|q?quad)(?![a-z])",
                "",
                part,
            )
            part = re.sub(r"\\[A-Za-z]+", "x", part)
            part = re.sub(r"[\s{}^_\\&]", "", part)
        count += len(part)
    return count


def _wrapped(reason, most):
    """The reason in rows of so many letters; mathematics is not broken."""
    rows = [""]
    for word in re.findall(r"(?:\$[^$]*\$|[^\s$])+", reason):
        if rows[-1] and letters(f"{rows[-1]} {word}") > most:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return rows


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
