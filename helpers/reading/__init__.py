r"""Displayed TeX, read and computed: what stands on the page is what is checked.

It refuses and never guesses: what has two readings, or none, is a `ReadingError` that shows the place.

    formula    relation { ", \quad" clause }         a clause defines a name, v = …, or is a condition
    relation   sum { = | < | > | \le | \ge | \ne  sum }  |  sum \in set
    sum        [+ | -] product { + | -  product }    and a_1 + \dots + a_k
    product    run { \cdot | \times | \odot  run }
    run        factor { factor } [/ factor]          from the left
    factor     atom { _ index | ^ exponent | ^\top | ^{-1} | ^+ | _+ }
    atom       number | name | name(arguments)
             | (sum) | \{sum\} | [sum] | [relation]  the last is 1 or 0
             | \frac{}{} | \binom{}{} | \sqrt{} | \lfloor sum \rfloor | \begin{cases} … \end{cases}
             | \lvert sum \rvert | \lVert sum \rVert_p | \langle sum, sum \rangle
             | \ln factor | \exp … | \det … | \operatorname{diag} …
             | \max(a, b) | \min\{k : relation\} | \#\{k : relation\}
             | \nabla f(w) | \nabla_w [sum]
             | \sum_i product | \prod … | \max_i … | \operatorname{tr} … | \operatorname{rank} … | E …
                                                     these take all up to the next + or −

Ten rules. (1) Every name is declared, also e, I and \mathbf 1. (2) Kinds are static: a column of length 1 is
a column. (3) Sums, traces and expectations take the product that follows. (4) \log and \ln are natural; over
a bare product they are refused. (5) A declared name wins over a built-in meaning. (6) An index runs over the
families that carry it; two lengths are refused; none is bound twice; counting starts at 1. (7) An empty sum
is nothing, an empty product 1; [a < b] is 1 or 0. (8) Where-clauses define only what is not declared. (9) A
relation is true when all its links are; they compare scalars. (10) nan and infinity are no values.

From text to value: `tokens`, `names` (how a name is written), `grammar` with `naming` and `ranges` (closures
with kinds), `values` (what two kinds make), `symbols` (where values come from), `formula`, `notation` (the
table).
"""

from helpers.reading.formula import Formula
from helpers.reading.notation import Notation, default_notation
from helpers.reading.tokens import ReadingError

__all__ = ["Formula", "Notation", "ReadingError", "default_notation"]
