"""The area of a cross-validated classifier and its variance by their definitions, in fractions."""

from fractions import Fraction

from slow.pairs import HALF


def cross_area(entries, *, tie=HALF):
    """Mean of the folds' areas and its variance; entries are (case, fold, label, score).

    Every fold's share of a case's influence is written out; `tie` is what a tied pair counts in the influence
    values, though one half in the area.
    """
    folds, cases = {}, {}
    for case, fold, label, score in entries:
        folds.setdefault(fold, []).append((case, label, score))
    n = len(entries)
    n_pos = sum(1 for _, _, label, _ in entries if label)
    areas = []
    for members in folds.values():
        pos = [(case, score) for case, label, score in members if label]
        neg = [(case, score) for case, label, score in members if not label]
        area = sum(kernel(x, z, HALF) for _, x in pos for _, z in neg) / (len(pos) * len(neg))
        areas.append(area)
        weight = Fraction(1, len(folds) * len(members))
        for case, x in pos:
            placement = sum(kernel(x, z, tie) for _, z in neg) / len(neg)
            cases.setdefault(case, []).append((weight, Fraction(n, n_pos) * (placement - area)))
        for case, z in neg:
            placement = sum(kernel(x, z, tie) for _, x in pos) / len(pos)
            cases.setdefault(case, []).append((weight, Fraction(n, n - n_pos) * (placement - area)))
    squares = Fraction(0)
    for tests in cases.values():
        total = sum(weight for weight, _ in tests)
        mean = sum(weight * value for weight, value in tests) / total
        squares += total * mean**2
    return sum(areas) / len(areas), squares / len(cases)


def kernel(x, z, tie):
    """1 where the positive is ranked above the negative, 0 where it is ranked below."""
    return Fraction(1) if x > z else Fraction(tie) if x == z else Fraction(0)
