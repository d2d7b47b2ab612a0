"""Areas of weighted and clustered cases, by the formulas as they are printed: loops over pairs of cases."""

from collections import defaultdict


def phi(positive, negative):
    return 1.0 if positive > negative else 0.5 if positive == negative else 0.0


def weighted_area(y, scores, weight):
    """Share of the weight of all pairs that are in order."""
    won = total = 0.0
    for i, label in enumerate(y):
        for j, other in enumerate(y):
            if label == 1 and other == 0:
                won += weight[i] * weight[j] * phi(scores[i], scores[j])
                total += weight[i] * weight[j]
    return won / total


def obuchowski_variance(y, scores, groups):
    """Obuchowski 1997, eq. (6) to (9): M positives and N negatives in I clusters.

    X_ij and Y_ik are the placements of the cases of cluster i; I10 clusters have positives, I01 negatives.
    """
    pos = [i for i, label in enumerate(y) if label == 1]
    neg = [i for i, label in enumerate(y) if label == 0]
    x = {i: sum(phi(scores[i], scores[j]) for j in neg) / len(neg) for i in pos}
    z = {j: sum(phi(scores[i], scores[j]) for i in pos) / len(pos) for j in neg}
    area = sum(x.values()) / len(pos)
    sum_x, sum_z = defaultdict(float), defaultdict(float)
    n_x, n_z = defaultdict(int), defaultdict(int)
    for i in pos:
        sum_x[groups[i]] += x[i]
        n_x[groups[i]] += 1
    for j in neg:
        sum_z[groups[j]] += z[j]
        n_z[groups[j]] += 1
    clusters = set(groups)
    i10, i01, n_clusters = len(n_x), len(n_z), len(clusters)
    m, n = len(pos), len(neg)
    s10 = i10 / ((i10 - 1) * m) * sum((sum_x[c] - n_x[c] * area) ** 2 for c in clusters)
    s01 = i01 / ((i01 - 1) * n) * sum((sum_z[c] - n_z[c] * area) ** 2 for c in clusters)
    s11 = n_clusters / (n_clusters - 1)
    s11 *= sum((sum_x[c] - n_x[c] * area) * (sum_z[c] - n_z[c] * area) for c in clusters)
    return s10 / m + s01 / n + 2 * s11 / (m * n)


def ratio_variance(counted, members, groups):
    """Variance of a share of clustered cases by the ratio estimator."""
    share = sum(c for c, m in zip(counted, members, strict=True) if m) / sum(members)
    residual = defaultdict(float)
    for c, m, group in zip(counted, members, groups, strict=True):
        if m:
            residual[group] += c - share
    k = len(residual)
    return k / (k - 1) * sum(r**2 for r in residual.values()) / sum(members) ** 2
