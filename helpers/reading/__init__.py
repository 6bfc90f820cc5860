r"""Displayed TeX, read and computed: what stands on the page is what is checked.

It refuses and never guesses: what has two readings, or none, is a `ReadingError` that shows the place.

    formula    relation { ", " clause }              a clause defines a name, v = …, or is a condition
    relation   sum { = | < | > | \le | \ge | \ne | \in | \notin  sum }
    level 1    [+ | -] level 2 { + | -  level 2 }    a sum; also a_1 + \dots + a_k
    level 2    level 3 { \cdot | \times | \odot  level 3 }
    level 3    factor { factor } [/ factor]          side by side, from the left
    factor     name or primary { _ index | ^ exponent | ^\top | ^{-1} | ^+ | _+ }
    name       a declared symbol with its scripts, and (arguments) where it is a function
    primary    number
             | (sum) | \{sum\} | [sum] | [relation]  the last is 1 or 0
             | \lvert sum \rvert | \lVert sum \rVert_p | \langle sum, sum \rangle | \lfloor sum \rfloor
             | \frac{}{} | \binom{}{} | \sqrt{} | \begin{cases} … \end{cases}
             | \ln factor | \exp … | \det … | \operatorname{diag} …
             | \max(a, b) | \min\{k : relation\} | \#\{k : relation\} | \arg\min_i …
             | \nabla f(w) | \nabla_w [sum]
             | \sum_i level 2 | \prod … | \max_i … | \operatorname{tr} … | \operatorname{rank} … | E …
                                                     these take all up to the next + or −

Ten rules. (1) Every name is declared, also I and \mathbf 1. (2) Kinds are static: a column of length 1 is
a column. (3) Sums, traces and expectations take the product that follows. (4) \log and \ln are natural; over
a bare product they are refused. (5) A declared name wins over a built-in meaning. (6) An index runs over the
families that carry it; two lengths are refused; counting starts at 1; none is bound twice, but for sums side
by side, \sum_l a_l \sum_l b_l. (7) An empty sum is nothing, an empty product 1; [a < b] is 1 or 0. (8)
Where-clauses define only what is not declared. (9) A relation is true when all its links are; they compare
scalars. (10) nan and infinity are no values.

As it is typed: A^T and A' are A^\top where no T and no A' are declared; E[x]^2 is (E x)^2; p_{j|i} is
p_{j \mid i}; \mathbf w is w where only w is declared; of x_i and x_{ij} the number of indices decides;
||u|| is \lVert u \rVert; e^x is \exp(x), and \mathbb 1\{a = b\} and \mathbf 1_{a = b} are [a = b], where no e
and no such 1 are declared; \text{where} is a comma before a clause.

From text to value: `tokens` makes a tree of brackets; `names` says how a name is written; `values` is the
table of rules, what kinds make what kind. `grammar` reads the tokens: `naming` tells it what the letters
mean, `nodes` makes closures with kinds. `symbols` says where values come from; `formula` has the
where-clauses, `notation` the table that you see.
"""

from helpers.reading.formula import Formula
from helpers.reading.notation import Notation, default_notation
from helpers.reading.tokens import ReadingError

__all__ = ["Formula", "Notation", "ReadingError", "default_notation"]
