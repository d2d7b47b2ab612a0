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


def weighted_placements(y, scores, weight):
    """Share of the weight of the other class that each case is right against, and its class's area."""
    placements = []
    for i, label in enumerate(y):
        others = [j for j, other in enumerate(y) if other != label]
        right = [phi(scores[i], scores[j]) if label == 1 else phi(scores[j], scores[i]) for j in others]
        won = sum(weight[j] * one for j, one in zip(others, right, strict=True))
        placements.append(won / sum(weight[j] for j in others))
    return placements


def weighted_variance(y, scores, weight):
    """Linearised: of each class n / (n - 1) times the sum of the squared influences."""
    area, total = weighted_area(y, scores, weight), 0.0
    placements = weighted_placements(y, scores, weight)
    for label in (0, 1):
        rows = [i for i, other in enumerate(y) if other == label]
        whole = sum(weight[i] for i in rows)
        squares = sum((weight[i] * (placements[i] - area) / whole) ** 2 for i in rows)
        total += len(rows) / (len(rows) - 1) * squares
    return total


def effective_size(y, scores, weight, label):
    """Cases of equal weight that are worth those of one class; shares are those of its weight.

    The mean share of the cases, each counted by its weight times its squared deviation, drawn to the largest
    share as if two more misranked cases had it; at most Kish's number.
    """
    area, placements = weighted_area(y, scores, weight), weighted_placements(y, scores, weight)
    rows = [i for i, other in enumerate(y) if other == label]
    shares = {i: weight[i] / sum(weight[j] for j in rows) for i in rows}
    kish = sum(weight[i] for i in rows) ** 2 / sum(weight[i] ** 2 for i in rows)
    counts = {i: weight[i] * (placements[i] - area) ** 2 for i in rows}
    misranked = min(area, 1 - area) * kish
    mean = sum(shares[i] * counts[i] for i in rows) / sum(counts.values()) if misranked else 0.0
    share = (misranked * mean + 2 * max(shares.values())) / (misranked + 2)
    return min(kish, 1 / share)


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
