"""Areas of subgroups by listing their cases, in fractions."""

from fractions import Fraction

from slow.pairs import area, kernel


def groups_of(y, scores, by):
    """Scores of the positives and of the negatives of each group."""
    found = {}
    for label, score, group in zip(y, scores, by, strict=True):
        found.setdefault(group, ([], []))[0 if label else 1].append(score)
    return found


def rest_of(groups, name):
    """Scores of the positives and of the negatives of all other groups."""
    others = [sample for group, sample in groups.items() if group != name]
    return [x for pos, _ in others for x in pos], [z for _, neg in others for z in neg]


def variance(pos, neg):
    """DeLong's variance of the area: the spread of the placements of each class."""
    middle, m, n = area(pos, neg), len(pos), len(neg)
    of_pos = sum((sum(kernel(x, z) for z in neg) / Fraction(n) - middle) ** 2 for x in pos)
    of_neg = sum((sum(kernel(x, z) for x in pos) / Fraction(m) - middle) ** 2 for z in neg)
    return of_pos / (m * (m - 1)) + of_neg / (n * (n - 1))


def heterogeneity(groups):
    """Q by its definition: squared distances to the common area over their variances."""
    known = [(area(*sample), variance(*sample)) for sample in groups.values()]
    total = sum(1 / v for _, v in known)
    common = sum(a / v for a, v in known) / total
    return common, sum((a - common) ** 2 / v for a, v in known)
