"""Write tests/reference/decisions.json: McNemar's tests and Cochran's Q of statsmodels, and printed p-values.

    python validation/decisions_reference.py tests/reference/decisions.json

It needs statsmodels. Where counts are equal it corrects McNemar's chi-square too, and R does not: none are
equal here. The p-values to adjust are those that the documentation of the R package scmamp prints for the
data of Garcia and Herrera (2008), five algorithms; Shaffer's factors are counted from all partitions of five.
"""

import json
import sys
from pathlib import Path

import numpy as np
import statsmodels
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

SHAFFER = {
    "source": "documentation of scmamp, adjustShaffer: raw p-values of data_gh_2008",
    "n_groups": 5,
    "p_values": [
        *(4.848763e-03, 8.064959e-01, 4.486991e-08, 0.012763008, 1.011233e-02),
        *(7.963489e-03, 0.743971478, 1.736118e-07, 0.024744672, 0.002880485),
    ],
}


def equal_pairs(sizes: tuple[int, ...], left: int) -> set[int]:
    """Numbers of equal pairs in all partitions of the groups that are left, sets in order of their size."""
    if left == 0:
        return {sum(size * (size - 1) // 2 for size in sizes)}
    most = min(left, sizes[-1]) if sizes else left
    return set().union(*(equal_pairs((*sizes, size), left - size) for size in range(1, most + 1)))


def case(rng: np.random.Generator, n_cases: int, shares: list[float]) -> dict:
    hard = rng.normal(size=n_cases)
    wrong = [(hard + rng.normal(size=n_cases) > 1.5 * (1 - 2 * share)).astype(int) for share in shares]
    first, second = wrong[:2]
    table = [[int(((first == i) & (second == j)).sum()) for j in (0, 1)] for i in (0, 1)]
    assert table[0][1] != table[1][0]
    chi2, exact = mcnemar(table, exact=False, correction=True), mcnemar(table, exact=True)
    q = cochrans_q(np.array(wrong).T)
    return {
        "wrong": ["".join(map(str, one.tolist())) for one in wrong],
        "mcnemar": {"statistic": chi2.statistic, "p_value": chi2.pvalue},
        "exact": {"p_value": exact.pvalue},
        "cochran": {"statistic": q.statistic, "df": q.df, "p_value": q.pvalue},
    }


def main(path: str) -> None:
    rng = np.random.default_rng(7)
    cases = [case(rng, n, shares) for n, shares in [(50, [0.1, 0.3]), (120, [0.1, 0.3, 0.25, 0.2])]]
    possible = equal_pairs((), SHAFFER["n_groups"])
    factors = [max(t for t in possible if t <= left) for left in range(10, 0, -1)]
    content = {
        "source": f"statsmodels {statsmodels.__version__}",
        "script": "validation/decisions_reference.py",
        "tolerance": 1e-10,
        "decisions": cases,
        "shaffer": SHAFFER | {"factors": factors},
    }
    Path(path).write_text(json.dumps(content, indent=1) + "\n")


main(sys.argv[1])
