"""Operating-point averaging by hand: one case, one fold, one point at a time, in fractions.

A confusion matrix is a tuple of rows, true class by decided class; None stands for 0/0.
"""

import math
from fractions import Fraction
from statistics import mean, variance

from scipy import special

from slow import curves
from slow.paired import standard_error, t_statistic


def thresholds(scores, n):
    """The default points: of the distinct scores, descending, those at n evenly spaced ranks."""
    distinct = sorted(set(scores), reverse=True)
    steps = [Fraction(k * (len(distinct) - 1), max(n - 1, 1)) for k in range(n)]
    return [distinct[k] for k in dict.fromkeys(round(step) for step in steps)]


def decide_threshold(threshold):
    """Eq. 1: the target class, code 1, where the output reaches the threshold."""
    return lambda score: 1 if score >= threshold else 0


def decide_weights(weights):
    """Eq. 2: arg max w_c y_c, the first of equal ones."""

    def decide(outputs):
        products = [Fraction(w) * Fraction(y) for w, y in zip(weights, outputs, strict=True)]
        return products.index(max(products))

    return decide


def confusion(codes, scores, decide, n_classes):
    counts = [[0] * n_classes for _ in range(n_classes)]
    for code, score in zip(codes, scores, strict=True):
        counts[code][decide(score)] += 1
    return tuple(map(tuple, counts))


def fold_confusions(codes, scores, fold, decide, n_classes):
    """One matrix per fold, folds in sorted order."""
    cases = list(zip(codes, scores, fold, strict=True))
    matrices = []
    for name in sorted(set(fold)):
        inside = [(code, score) for code, score, f in cases if f == name]
        matrices.append(confusion(*zip(*inside, strict=True), decide, n_classes))
    return matrices


def rate(above, below):
    return None if below == 0 else Fraction(above, below)


def class_error(c):
    return lambda matrix: rate(sum(matrix[c]) - matrix[c][c], sum(matrix[c]))


def precision(prevalence=None):
    def measure(matrix):
        (tn, fp), (fn, tp) = matrix
        if prevalence is None:
            return rate(tp, tp + fp)
        hits, alarms = rate(tp, tp + fn), rate(fp, tn + fp)
        if hits is None or alarms is None:
            return None
        share = Fraction(prevalence)
        called = share * hits + (1 - share) * alarms
        return None if called == 0 else share * hits / called

    return measure


def error(matrix):
    cases = sum(map(sum, matrix))
    return rate(cases - sum(row[c] for c, row in enumerate(matrix)), cases)


def expected_cost(cost):
    """Mean cost of a case of the fold."""

    def measure(matrix):
        paid = sum(Fraction(cost[i][j]) * n for i, row in enumerate(matrix) for j, n in enumerate(row))
        return None if any(sum(row) == 0 for row in matrix) else paid / sum(map(sum, matrix))

    return measure


MEASURES = {
    "tpr": lambda matrix: rate(matrix[1][1], sum(matrix[1])),
    "fpr": lambda matrix: rate(matrix[0][1], sum(matrix[0])),
    "error": error,
    "precision": precision(),
    "cost": expected_cost(((0, 1), (5, 0))),
}


def moments(values):
    """Mean, standard deviation and that of the mean, of the folds that have a value; and how many have."""
    known = [value for value in values if value is not None]
    if not known:
        return None, None, None, 0
    if len(known) == 1:
        return known[0], None, None, 1
    spread = variance(known)
    return mean(known), math.sqrt(spread), math.sqrt(spread / len(known)), len(known)


def equation_3(first, second):
    """The paper's statistic as it is printed: means, standard errors and the correlation of two points."""
    n = len(first)
    mean_a, mean_b = mean(first), mean(second)
    cross = sum((a - mean_a) * (b - mean_b) for a, b in zip(first, second, strict=True)) / (n - 1)
    sd_a, sd_b = math.sqrt(variance(first)), math.sqrt(variance(second))
    r = float(cross) / (sd_a * sd_b) if sd_a > 0 and sd_b > 0 else 0.0
    sem_a, sem_b = sd_a / math.sqrt(n), sd_b / math.sqrt(n)
    return float(mean_a - mean_b) / math.sqrt(sem_a**2 + sem_b**2 - 2 * r * sem_a * sem_b)


def independent_t(first, second):
    """Student's t of two independent samples of equal size, with the pooled variance."""
    n = len(first)
    pooled = (variance(first) + variance(second)) / 2
    return float(mean(first) - mean(second)) / math.sqrt(2 * pooled / n)


def point_test(values, reference, method, level):
    """Difference, ends, statistic, p-value and df of one point against the reference; None if undefined."""
    if None in values:
        return None
    differences = [a - b for a, b in zip(values, reference, strict=True)]
    n = len(differences)
    overlap = Fraction(1, n - 1) if method == "corrected" else 0
    df = 2 * n - 2 if method == "paclik" else n - 1
    t = t_statistic(differences, overlap)
    p = 1.0 if t == 0 and not any(differences) else 2 * float(special.stdtr(df, -abs(t)))
    reach = float(special.stdtrit(df, (1 + level) / 2)) * standard_error(differences, overlap)
    centre = float(mean(differences))
    return {"difference": centre, "low": centre - reach, "high": centre + reach, "statistic": t, "p_value": p}


def nearest(codes, scores, fold, measure, value, names):
    """Values by measure and fold at the threshold of all scores where a mean is nearest to a value.

    Of equally near ones that of the smaller mean FPR, then of the larger mean TPR.
    """
    codes, scores, fold = (column.tolist() for column in (codes, scores, fold))
    ranked = []
    for cut in sorted(set(scores), reverse=True):
        matrices = fold_confusions(codes, scores, fold, decide_threshold(cut), 2)
        means = {name: mean(map(MEASURES[name], matrices)) for name in {measure, "fpr", "tpr"}}
        distance = abs(float(means[measure]) - value)
        key = (round(distance, 12), means["fpr"], -means["tpr"])
        ranked.append((key, -cut, [list(map(MEASURES[name], matrices)) for name in names]))
    return min(ranked)[2]


def hotelling(rows, factor, df):
    """T^2 and p-value of m rows of differences, by Cramer's rule; None where the covariance is singular."""
    if not any(any(row) for row in rows):
        return 0.0, 1.0
    m, n = len(rows), len(rows[0])
    centre = [mean(row) for row in rows]
    matrix = [
        [
            sum((x - a) * (y - b) for x, y in zip(p, q, strict=True)) / (n - 1)
            for q, b in zip(rows, centre, strict=True)
        ]
        for p, a in zip(rows, centre, strict=True)
    ]
    whole = determinant(matrix)
    if whole == 0 or df - m + 1 <= 0:
        return None
    solved = [
        determinant([[centre[i] if j == k else matrix[i][j] for j in range(m)] for i in range(m)]) / whole
        for k in range(m)
    ]
    t_squared = float(sum(a * b for a, b in zip(centre, solved, strict=True)) / Fraction(factor))
    return t_squared, float(special.fdtrc(m, df - m + 1, t_squared * (df - m + 1) / (m * df)))


def determinant(matrix):
    if len(matrix) == 1:
        return matrix[0][0]
    minors = ([row[:k] + row[k + 1 :] for row in matrix[1:]] for k in range(len(matrix)))
    return sum((-1) ** k * matrix[0][k] * determinant(minor) for k, minor in enumerate(minors))


def split_cells(fold, codes, scores, n_folds, n_classes):
    """Scores cell after cell, and where each cell ends."""
    cells = [
        [s for s, f, c in zip(scores, fold, codes, strict=True) if (f, c) == (a, b)]
        for a in range(n_folds)
        for b in range(n_classes)
    ]
    ends = [sum(len(cell) for cell in cells[: k + 1]) for k in range(len(cells))]
    return [score for cell in cells for score in cell], ends


def curve_mean(codes, scores, fold, at, along):
    """Mean over folds of the height (or, along "tpr", of the distance from the left) of their curves."""
    values = []
    for name in sorted(set(fold)):
        inside = [(c, s) for c, s, f in zip(codes, scores, fold, strict=True) if f == name]
        pos, neg = ([score for code, score in inside if code == c] for c in (1, 0))
        points = [(x, y) for _, x, y in curves.vertices(pos, neg)]
        if along == "fpr":
            values.append(curves.height(points, Fraction(at)))
        else:  # seen from the corner (1, 1) the curve rises again
            turned = [(1 - y, 1 - x) for x, y in reversed(points)]
            values.append(1 - curves.height(turned, 1 - Fraction(at)))
    return values
