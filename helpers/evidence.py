"""What a check leaves for the reader to see: one line with numbers, and an experiment with its control.

>>> evidence(f"{180} axes through the cloud: none keeps more than {94.8} % of its spread")
✓ 180 axes through the cloud: none keeps more than 94.8 % of its spread

A sentence such as "the error falls *because* the columns were scaled" needs the same run without scaling:

>>> def error(seed, scaled):
...     rng = np.random.default_rng(seed)
...     return rng.normal(0.2 if scaled else 0.5, 0.05) + rng.normal(0, 0.01 if scaled else 0.02)
>>> trial = compare(error, {"raw": dict(scaled=False), "scaled": dict(scaled=True)}, anew="tables")
raw       0.51
scaled    0.215    lower than raw by 0.295 ± 0.0056
± is the standard error over 5 pairs; drawn anew: tables
>>> trial.is_lower("scaled", "raw"), trial.is_tie("scaled", "raw")
(True, False)
"""

from dataclasses import dataclass

import numpy as np

__all__ = ["Comparison", "compare", "evidence"]

WIDEST = 88  # letters: what a line of code has, and the site's column shows
FEWEST = 5  # seeds


def evidence(said):
    """Print the line that a check leaves: ``✓`` and what was found, with numbers that the cell computed.

    It stands after the cell's last assert, so that nothing is said that did not hold.

    Parameters
    ----------
    said : str
        An f-string of one line, with the tick at most 88 letters.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The line is too long for the page, or holds no number.

    Examples
    --------
    >>> evidence("it works")
    Traceback (most recent call last):
        ...
    ValueError: 'it works' has no number: say what the cell computed, as in evidence(f"… {kept:.1f} % …")
    """
    line = f"✓ {said}"
    if not any(letter.isdigit() for letter in said):
        raise ValueError(
            f'{said!r} has no number: say what the cell computed, as in evidence(f"… {{kept:.1f}} % …")'
        )
    if len(line) > WIDEST or "\n" in said:
        raise ValueError(
            f"one line of at most {WIDEST} letters, its tick included; this has {len(line)}: {said!r}"
        )
    print(line)


@dataclass(frozen=True)
class Comparison:
    """What each arm of an experiment gave on each seed.

    Attributes
    ----------
    arms : tuple of str, the control first
    seeds : tuple of int
    values : array of shape (len(seeds), len(arms))
    anew : str, what each seed draws anew
    tested : float or None, the share of the rows that each split tests on
    """

    arms: tuple
    seeds: tuple
    values: np.ndarray
    anew: str = "tables"
    tested: float | None = None

    def of(self, arm):
        """The arm's values, one for each seed."""
        if arm not in self.arms:
            raise ValueError(f"no arm is called {arm!r}: there are {', '.join(map(repr, self.arms))}")
        return self.values[:, self.arms.index(arm)]

    def mean(self, arm):
        """The arm's mean over the seeds."""
        return float(self.of(arm).mean())

    def spread(self, arm):
        """The arm's standard deviation over the seeds, divided by n - 1."""
        return float(self.of(arm).std(ddof=1))

    def difference(self, arm, other):
        """Mean of ``arm - other``, taken seed by seed, and the standard error of that mean.

        The standard error is the differences' standard deviation times the root of ``1/n``. Splits of the
        same rows share many of them, so that their differences are not independent: then it is the root of
        ``1/n + tested / (1 - tested)`` (Nadeau and Bengio, 2003).
        """
        a, b = self.of(arm), self.of(other)
        rounding = 1e-12 * max(np.abs(a).max(), np.abs(b).max())
        gaps = np.where(np.abs(a - b) <= rounding, 0.0, a - b)
        shared = self.tested / (1 - self.tested) if self.tested else 0
        spread = gaps.std(ddof=1)
        return float(gaps.mean()), float(spread * np.sqrt(1 / len(gaps) + shared) if spread > rounding else 0)

    def is_tie(self, arm, other):
        """Whether no difference is seen: the mean difference is within two of its standard errors."""
        gap, error = self.difference(arm, other)
        return abs(gap) <= 2 * error

    def is_higher(self, arm, other):
        """Higher, by more than two standard errors."""
        return self.difference(arm, other)[0] > 0 and not self.is_tie(arm, other)

    def is_lower(self, arm, other):
        """Lower, by more than two standard errors."""
        return self.is_higher(other, arm)

    def verdict(self, arm):
        """The arm against the control, in words."""
        control = self.arms[0]
        gap, error = self.difference(arm, control)
        if self.is_tie(arm, control):
            return (
                f"no difference seen: {gap:+.3g} ± {error:.2g}"
                if gap
                else f"no difference seen: 0 ± {error:.2g}"
            )
        return f"{'higher' if gap > 0 else 'lower'} than {control} by {abs(gap):.3g} ± {error:.2g}"

    def __str__(self):
        wide = max(map(len, self.arms))
        means = [f"{self.mean(arm):.3g}" for arm in self.arms]
        broad = max(map(len, means))
        rows = zip(self.arms, means, ["", *map(self.verdict, self.arms[1:])], strict=True)
        lines = [f"{arm:<{wide}}    {mean:<{broad}}    {words}".rstrip() for arm, mean, words in rows]
        kind = "corrected standard error" if self.tested else "standard error"
        return "\n".join([*lines, f"± is the {kind} over {len(self.seeds)} pairs; drawn anew: {self.anew}"])

    def _ipython_display_(self):
        """Nothing at a cell's end: `compare` has printed it."""


def compare(run, arms, seeds=FEWEST, *, anew, tested=None):
    """Run an experiment with and without what is said to be its cause, all else equal, and print both.

    One function runs every arm, so that the arms differ in what their options name and in nothing else; each
    arm meets the same seeds. Each is then held against the first, the control, seed by seed: ``0.3 ± 0.1`` is
    the mean of these differences and the *standard error* of that mean. Within two standard errors of 0, *no
    difference is seen*.

    Parameters
    ----------
    run : function
        ``run(seed, **options)`` gives one number, an error or a score.
    arms : dict
        ``{name: options}``, the control first; at least two.
    seeds : int or sequence of int
        How many (0, 1, 2 …) or which; at least five.
    anew : str
        What each seed draws anew, in words: ``"tables"``, ``"shuffles of these rows"``, ``"seeds of the
        method"`` … The standard error speaks of further ones of these, and of nothing else.
    tested : float, optional
        For ``"splits of these rows"`` into training and test, and only there: the share of the rows that is
        tested. Such splits share rows, and the standard error is corrected for it.

    Returns
    -------
    trial : Comparison
        To assert on: ``trial.is_lower("scaled", "raw")``, ``trial.is_tie(…)``, ``trial.mean(…)``.

    Raises
    ------
    ValueError
        Fewer than two arms or five seeds, a seed that stands twice, a value that is no finite number, splits
        without their share or a share without splits, or a line that does not fit the page.

    Examples
    --------
    >>> def noisy(seed, shift):
    ...     return shift * (1 + seed % 2) + seed % 3
    >>> arms = {"none": dict(shift=0), "one": dict(shift=1), "again": dict(shift=0)}
    >>> trial = compare(noisy, arms, seeds=6, anew="tables")
    none     1
    one      2.5    higher than none by 1.5 ± 0.22
    again    1      no difference seen: 0 ± 0
    ± is the standard error over 6 pairs; drawn anew: tables
    >>> _ = compare(noisy, arms, seeds=6, anew="splits of these rows", tested=0.5)
    none     1
    one      2.5    higher than none by 1.5 ± 0.59
    again    1      no difference seen: 0 ± 0
    ± is the corrected standard error over 6 pairs; drawn anew: splits of these rows
    """
    if anew.startswith("splits") != (tested is not None) or not 0 < (0.5 if tested is None else tested) < 1:
        raise ValueError(
            f"splits have a tested= share between 0 and 1, and nothing else has: {anew!r}, tested={tested}"
        )
    seeds = tuple(range(seeds)) if isinstance(seeds, (int, np.integer)) else tuple(seeds)
    if len(arms) < 2:
        raise ValueError(
            f"a comparison needs two arms, with and without: there is {', '.join(arms) or 'none'}"
        )
    if len(seeds) < FEWEST or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"at least {FEWEST} seeds, each once, else the spread says little: there are {seeds}"
        )
    values = [[_number(run(seed, **options), arm, seed) for arm, options in arms.items()] for seed in seeds]
    trial = Comparison(tuple(arms), seeds, np.array(values), anew, tested)
    if too_wide := [line for line in str(trial).splitlines() if len(line) > WIDEST]:
        raise ValueError(f"give the arms shorter names, this line is wider than the page: {too_wide[0]!r}")
    print(trial)
    return trial


def _number(value, arm, seed):
    """A finite float, or an error that names the arm and the seed."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise ValueError(
            f"the arm {arm!r} gave {value!r} on seed {seed}, where one finite number is compared"
        )
    return number
