"""Coverage of the intervals of an area for clustered cases and for cases of unequal weight.

    python validation/design_coverage.py [studies]

Clusters: a normal effect of the cluster is shared by its cases, of both classes; its share of the variance is
the correlation within clusters. Clusters have 1 to 8 cases, each positive with a chance of its own
cluster, so that the classes are mixed. Weights: cases of a population are taken with a chance that grows
with their score, and weigh its reciprocal.
"""

import sys

import numpy as np
from scipy import special

import rocscope as rs

SHIFT = 1.2


def clusters(rng, n_clusters, correlation):
    """One study: labels, scores, clusters."""
    sizes = rng.integers(1, 9, n_clusters)
    groups = np.repeat(np.arange(n_clusters), sizes)
    y = (rng.random(groups.size) < rng.beta(2, 2, n_clusters)[groups]).astype(int)
    shared = np.sqrt(correlation) * rng.normal(size=n_clusters)[groups]
    return y, SHIFT * y + shared + np.sqrt(1 - correlation) * rng.normal(size=groups.size), groups


def weighted(rng, n):
    """One study: labels, scores, weights; high scores are taken four times as often as low ones."""
    y = rng.integers(0, 2, 20 * n)
    scores = SHIFT * y + rng.normal(size=y.size)
    chance = 0.02 + 0.06 * special.ndtr(2 * (scores - SHIFT / 2))
    taken = rng.random(y.size) < chance
    return y[taken], scores[taken], 1 / chance[taken]


def held(area, estimate):
    return estimate.low <= area <= estimate.high


def main():
    n_studies = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(21)
    area = float(special.ndtr(SHIFT / np.sqrt(2)))
    print("| clusters | correlation | delong, groups | logit, groups | delong without groups |")
    print("|--:|--:|--:|--:|--:|")
    for n_clusters in (50, 200):
        for correlation in (0.0, 0.3, 0.7):
            share = np.zeros(3)
            # Cases of one cluster share their effect, those of two clusters do not: pairs inside a cluster
            # are compared without it, so the true area is counted on one large study.
            large = clusters(np.random.default_rng(1), 200_000, correlation)
            truth = rs.auc(*large[:2]).value
            for _ in range(n_studies):
                y, scores, groups = clusters(rng, n_clusters, correlation)
                share += [
                    held(truth, rs.auc(y, scores, groups=groups, method="delong")),
                    held(truth, rs.auc(y, scores, groups=groups, method="logit")),
                    held(truth, rs.auc(y, scores, method="delong")),
                ]
            figures = " | ".join(f"{100 * one / n_studies:.1f}" for one in share)
            print(f"| {n_clusters} | {correlation} | {figures} |", flush=True)
    print("\n| cases | weighted, score | weighted, delong | weighted, logit | without weights |")
    print("|--:|--:|--:|--:|--:|")
    for n in (100, 400):
        share = np.zeros(4)
        for _ in range(n_studies):
            y, scores, weight = weighted(rng, n)
            share += [
                held(area, rs.auc(y, scores, sample_weight=weight, method="score")),
                held(area, rs.auc(y, scores, sample_weight=weight, method="delong")),
                held(area, rs.auc(y, scores, sample_weight=weight, method="logit")),
                held(area, rs.auc(y, scores, method="delong")),
            ]
        print(f"| {n} | " + " | ".join(f"{100 * one / n_studies:.1f}" for one in share) + " |", flush=True)


if __name__ == "__main__":
    main()
