"""Pictures of compared learning algorithms: differences, distributions of folds, losses, ranks, tests."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from rocscope.algorithms import comparison, decisions, distribution, hierarchical, losses, paired_tests
from rocscope.algorithms.ranks import RankComparison
from rocscope.core import checks, formatting
from rocscope.plotting import layout, marks
from rocscope.plotting.forest import Row, forest

Show: TypeAlias = Literal["effects", "differences", "ranks"]
NAMES = {"auc": "AUC", "error": "Error"}
MEASURES = tuple(NAMES)
# Costs of a false positive whose thresholds are marked on the mean curves, as in figure 1 of the paper.
MARKED = (0.5, 1.0, 2.0, 10.0)
# Bars over groups stand above the algorithms, the ruler of the critical difference above them.
FIRST_BAR, BAR_STEP = -0.7, 0.45


def algorithms_picture(
    result: comparison.AlgorithmComparison, *, show: Show = "effects", dataset: str | None = None
) -> marks.Picture:
    """Show the differences of all pairs on all data sets, those of one data set fold by fold, or the ranks.

    Parameters
    ----------
    result
        What `compare_algorithms` returns.
    show
        "effects": the mean differences in AUC and in error, a heat map each. "differences": those of every
        fold, with the interval of the test behind the verdicts. "ranks": critical-difference diagrams.
    dataset
        The data set of "differences"; the first by default.
    """
    checks.check_choice(show, ("effects", "differences", "ranks"), name="show")
    if show == "ranks":
        return marks.Picture(panels=tuple(_rank_panel(ranks) for ranks in result.ranks.values()))
    if show == "effects":
        return marks.Picture(panels=tuple(_effect_panel(result, measure) for measure in MEASURES), columns=2)
    name = result.datasets[0].name if dataset is None else dataset
    result.place(name, result.algorithms[0])
    panels = tuple(_difference_panel(result, name, measure) for measure in MEASURES)
    return marks.Picture(panels=panels, columns=2, title=name)


def _effect_panel(result: comparison.AlgorithmComparison, measure: str) -> marks.Panel:
    """Mean differences as numbers; their colour says which of the two is better, and by how much."""
    pairs, names = result.pairs(), [row.name for row in result.datasets]
    better = np.full((len(pairs), len(names)), np.nan)
    texts: list[marks.Mark] = []
    for verdict in result.verdicts:
        i, j = pairs.index((verdict.first, verdict.second)), names.index(verdict.dataset)
        test, text = verdict[measure], "undefined"
        if test.difference is not None:
            better[i, j] = -test.difference if measure == "error" else test.difference
            text = f"{test.difference:+.3f}{'*' * (bool(test.rejects) + bool(test.rejects_holm))}"
        texts.append(marks.Text(x=j + 0.5, y=i + 0.5, text=text, role="note", horizontal="center"))
    across, down = (np.arange(n, dtype=np.float64) + 0.5 for n in (len(names), len(pairs)))
    reach = float(np.nanmax(np.abs(better), initial=0.0)) or 1.0
    label = f"advantage of the first, {NAMES[measure]}"
    cells = layout.heat_map(across, down, better, label, low=-reach, high=reach, signed=True)
    condition = (
        f"\n{paired_tests.CONDITIONAL}" if any(row[measure].conditional for row in result.verdicts) else ""
    )
    test = f"{result.verdict_test[measure]}; * p < {1 - result.level:.3g}, ** after Holm"
    return marks.Panel(
        marks=(cells, *texts),
        x=marks.Axis(
            ticks=tuple(across.tolist()), tick_labels=tuple(names), low=0, high=len(names), grid=False
        ),
        y=marks.Axis(
            ticks=tuple(down.tolist()),
            tick_labels=tuple(f"{a} - {b}" for a, b in pairs),
            low=len(pairs),
            high=0,
            grid=False,
        ),
        title=f"{NAMES[measure]} difference ({test}){condition}",
    )


def _difference_panel(result: comparison.AlgorithmComparison, dataset: str, measure: str) -> marks.Panel:
    """The difference of every fold, a row for each pair, with the mean and the interval of a test."""
    drawn: list[marks.Mark] = [marks.ReferenceLine(axis="x", at=0.0, role="reference")]
    figures, method = list[str](), result.verdict_test[measure]
    for row, pair in enumerate(result.pairs()):
        values = result.differences(dataset, *pair, measure)
        known = values[np.isfinite(values)]
        drawn.append(marks.Points(x=known, y=np.full(len(known), row - 0.22), role="point", series=5))
        tests = result.tests_of(dataset, *pair, measure)
        test = tests.test(method)
        # Tests without an interval lend that of the paired t test.
        interval = test if test.low is not None else tests.test("paired-t")
        figures.append("undefined" if test.p_value is None else f"p = {formatting.p_value(test.p_value)}")
        if test.difference is not None and interval.low is not None and interval.high is not None:
            at, low, high = (np.array([end]) for end in (test.difference, interval.low, interval.high))
            y = np.array([float(row)])
            drawn.append(marks.ErrorBars(x=at, y=y, x_low=low, x_high=high, role="estimate", series=0))
            drawn.append(marks.Points(x=at, y=y, role="estimate", series=0))
    names = [f"{a} - {b}" for a, b in result.pairs()]
    return marks.Panel(
        marks=tuple(drawn),
        x=marks.Axis(label=f"{NAMES[measure]} of the first minus that of the second"),
        y=layout.category_axis(names, low=len(names) - 0.5, high=-0.5, far=figures),
        title=f"{NAMES[measure]} differences of the folds, mean and interval ({method})",
    )


def algorithm_pair_picture(
    result: distribution.AlgorithmPair, *, show: Literal["curves", "intervals"] = "curves"
) -> marks.Picture:
    """Show the distributions of error and AUC of two algorithms on common axes.

    Parameters
    ----------
    result
        What `algorithm_pair` returns.
    show
        What stands beside them: the curves of all folds, or above them the intervals that one training
        gives.
    """
    checks.check_choice(show, ("curves", "intervals"), name="show")
    title = f"{result.dataset}: {result.verdict.case or 'undefined'}"
    if show == "intervals":
        both = [distributions(folds).panels[0] for folds in (result.error, result.auc)]
        return marks.Picture(
            panels=tuple(
                replace(panel, title=_test_title(result, m))
                for panel, m in zip(both, MEASURES[::-1], strict=True)
            ),
            columns=2,
            title=title,
        )
    panels = []
    for measure in MEASURES[::-1]:
        folds: Sequence[distribution.FoldDistribution] = getattr(result, measure)
        low, high = _fold_range(folds)
        x = np.linspace(low, high, 200)
        drawn = [mark for series, one in enumerate(folds) for mark in _histogram(one, series, x)]
        panel = marks.Panel(
            marks=tuple(drawn),
            x=marks.Axis(label=NAMES[measure], low=low, high=high),
            y=marks.Axis(label="Folds", low=0),
            title=_test_title(result, measure),
            legend="below",
        )
        panels.append(panel)
    drawn = [layout.chance_line(None)]
    for series, (curves, decided) in enumerate(zip(result.curves, result.decisions, strict=True)):
        drawn += [layout.curve_line(curve.fpr, curve.tpr, series=series, role="fold") for curve in curves]
        label = f"{result.algorithms[series]}: its decisions"
        drawn.append(marks.Points(x=decided[:, 0], y=decided[:, 1], role="point", series=series, label=label))
    panels.append(
        replace(layout.roc_panel(drawn, title="Curves of all folds", short=True), legend="lower right")
    )
    return marks.Picture(panels=tuple(panels), columns=3, title=title)


def _test_title(result: distribution.AlgorithmPair, measure: str) -> str:
    """The p-value of a measure, or why there is none."""
    test = result.verdict[measure]
    if test.p_value is None:
        return str(test.reason)
    condition = f"\n{paired_tests.CONDITIONAL}" if test.conditional else ""
    return f"{test.method}, p = {test.p_value:.2g}{condition}"


def _fold_range(folds: Sequence[distribution.FoldDistribution]) -> tuple[float, float]:
    """Ends of an axis that holds the values of all folds with some room."""
    values = np.concatenate([one.values[np.isfinite(one.values)] for one in folds])
    if not len(values):
        return 0.0, 1.0
    margin = max(0.15 * float(np.ptp(values)), 0.005)
    return float(values.min()) - margin, float(values.max()) + margin


def _histogram(one: distribution.FoldDistribution, series: int, x: marks.Values) -> list[marks.Mark]:
    """The counts of fold values, and their fitted normal density at x."""
    low, high, counts = one.edges[:-1], one.edges[1:], one.counts.astype(np.float64)
    bars = marks.Bars(low=low, high=high, length=counts, role="count", series=series, label=one.algorithm)
    if one.mean is None:
        return [bars]
    return [bars, marks.Line(x=x, y=one.normal_density(x), role="curve", series=series)]


def fold_distribution_picture(result: distribution.FoldDistribution) -> marks.Picture:
    """Show the fold values with their fitted normal, and above them the intervals of one training."""
    return distributions([result])


# An interval is cut where the axis would be longer than so many times its part of interest.
WORTH_A_CUT = 1.25


def distributions(results: Sequence[distribution.FoldDistribution]) -> marks.Picture:
    """Show one or more distributions of a measure, with the intervals of one training above.

    The axis holds all folds and the narrowest interval of each; a wider one may be cut, and says so.
    """
    intervals = [(series, row) for series, one in enumerate(results) for row in one.training_estimates()]
    ends = [(float(row.low or 0), float(row.high or 0)) for _, row in intervals]
    widths = sorted((end[1] - end[0], series, end) for end, (series, _) in zip(ends, intervals, strict=True))
    narrowest = {series: end for _, series, end in reversed(widths)}.values()
    low, high = _fold_range(results)
    first, last = min([low, *(end[0] for end in ends)]), max([high, *(end[1] for end in ends)])
    low, high = min([low, *(end[0] for end in narrowest)]), max([high, *(end[1] for end in narrowest)])
    room = (high - low) / 2
    low, high = max(low - room, first), min(high + room, last)
    if last - first < WORTH_A_CUT * (high - low):
        low, high = first, last
    margin = 0.03 * (high - low)
    x = np.linspace(low - margin, high + margin, 1000)
    drawn = [mark for series, one in enumerate(results) for mark in _histogram(one, series, x)]
    tops = [(float(one.counts.max(initial=0)), float(one.normal_density(x).max())) for one in results]
    height = max(max(top) for top in tops)
    for series, one in enumerate(results):  # the bars of values close together are thin on a wide axis
        folds = one.values[np.isfinite(one.values)]
        drawn.append(marks.Points(x=folds, y=np.full(len(folds), 0.03 * height), role="point", series=series))
    for k, ((series, row), (start, end)) in enumerate(zip(intervals, ends, strict=True)):
        is_cut = start < low or end > high
        name = f"{row.method}, cut: {start:.2f}-{end:.2f}" if is_cut else row.method
        y = np.array([height * (1.12 + 0.17 * k)])
        shown = np.clip([row.value or 0, start, end], low, high)[:, np.newaxis]
        # Above the interval, from that end of it which leaves more room.
        is_late = shown[1].item() - low > high - shown[2].item()
        drawn += [
            marks.ErrorBars(x=shown[0], y=y, x_low=shown[1], x_high=shown[2], role="estimate", series=series),
            marks.Points(x=shown[0], y=y, role="estimate", series=series),
            marks.Text(
                x=shown[2 if is_late else 1].item(),
                y=y.item() + 0.05 * height,
                text=name,
                role="note",
                horizontal="right" if is_late else "left",
                vertical="bottom",
            ),
        ]
    # Ticks at whole numbers up to the highest bar: the intervals above it are no counts.
    ticks = tuple(float(k) for k in range(0, int(height) + 1, max(1, round(height / 5))))
    panel = marks.Panel(
        marks=tuple(drawn),
        x=marks.Axis(label=NAMES[results[0].measure], low=low - margin, high=high + margin),
        y=marks.Axis(label="Folds", low=0, high=height * (1.13 + 0.17 * len(intervals)), ticks=ticks),
        title=f"{results[0].dataset}, {len(results[0].values)} folds",
        legend="below",
    )
    return marks.Picture(panels=(panel,))


def losses_picture(result: losses.LossCurves, *, algorithm: str | None = None) -> marks.Picture:
    """Show the mean ROC curves with the thresholds that some costs require, and the loss at every cost.

    Parameters
    ----------
    result
        What `loss_curves` returns.
    algorithm
        Show the curve of this one alone, and its thresholds.
    """
    if algorithm is not None:
        checks.check_choice(algorithm, result.algorithms, name="algorithm")
        a = [result.algorithms.index(algorithm)]
        one = replace(result, algorithms=(algorithm,), tpr=result.tpr[a], marks=result.marks[a])
        panel = replace(_mean_curves_panel(one), title=f"{algorithm} on {result.dataset}")
        return marks.Picture(panels=(panel,))
    # On the harmonic scale 1 + lambda cheap and dear false positives share one axis.
    along, scaled = np.log10(result.lambdas), result.mean / (1 + result.lambdas)
    drawn: list[marks.Mark] = [
        marks.Line(x=along, y=row, role="curve", series=series, label=name)
        for series, (name, row) in enumerate(zip(result.algorithms, scaled, strict=True))
    ]
    top = float(scaled.max())
    for row in result.best:
        x, series = np.log10([row.low, row.high]), result.algorithms.index(row.algorithm)
        drawn.append(marks.Line(x=x, y=np.full(2, -0.04 * top), role="curve", series=series))
    drawn.append(marks.ReferenceLine(axis="x", at=0.0, role="reference"))
    powers = range(math.ceil(along[0] - 1e-9), math.floor(along[-1] + 1e-9) + 1)
    panel = marks.Panel(
        marks=tuple(drawn),
        x=marks.Axis(
            label="λ: cost of a false positive, a false negative costs 1",
            ticks=tuple(map(float, powers)),
            tick_labels=tuple(f"{10.0**k:g}" for k in powers),
        ),
        y=marks.Axis(label="Expected loss / (1 + λ)", low=-0.08 * top),
        title="Bars below: significantly the best" if result.best else "",
    )
    panel = layout.with_legend(panel, ("upper right", *layout.CORNERS))
    return marks.Picture(panels=(_mean_curves_panel(result), panel), columns=2, title=result.dataset)


def _mean_curves_panel(result: losses.LossCurves) -> marks.Panel:
    """The mean curves; costs are named beside the marks of the algorithm whose marks are farthest apart."""
    at = [int(np.argmin(np.abs(result.lambdas - cost))) for cost in MARKED]
    points = result.marks[:, at]
    drawn: list[marks.Mark] = [layout.chance_line(None)]
    for series, name in enumerate(result.algorithms):
        along, up = np.r_[0.0, result.fpr], np.r_[0.0, result.tpr[series]]  # from the corner on
        drawn.append(marks.Line(x=along, y=up, role="curve", series=series, label=name))
        x, y = points[series].T
        drawn.append(marks.Points(x=x, y=y, role="selected", series=series))
    gaps = np.linalg.norm(np.diff(points, axis=1), axis=2)
    rows = zip(*points[int(np.argmax(gaps.min(axis=1)))].T, result.lambdas[at], strict=True)
    labels = [layout.PointLabel(float(x), float(y), f"λ = {cost:.2g}") for x, y, cost in rows]
    size = 2 * layout.GAP
    taken = [layout.box(x - size / 2, y - size / 2, size, size) for x, y in points.reshape(-1, 2).tolist()]
    texts = layout.point_texts(labels, [layout.thinned(result.fpr, tpr) for tpr in result.tpr], taken)
    panel = layout.roc_panel([*drawn, *texts], title="Mean curves, decisions at λ/(1 + λ)", short=True)
    return layout.with_legend(panel)


def ranks_picture(result: RankComparison) -> marks.Picture:
    """Show a critical-difference diagram: average ranks, and bars over those not significantly different."""
    return marks.Picture(panels=(_rank_panel(result),))


def _rank_panel(result: RankComparison) -> marks.Panel:
    """One diagram; where there are no ranks, the reason."""
    title = f"{NAMES.get(result.measure, result.measure)} over {result.n_datasets} data sets"
    length = result.critical_difference
    if result.average_ranks is None or length is None:
        note = marks.Text(x=0.5, y=0.5, text=str(result.reason), role="note", horizontal="center")
        return marks.Panel(
            marks=(note,), x=marks.Axis(low=0, high=1), y=marks.Axis(low=0, high=1), title=title
        )
    names, average = (result.columns()[column] for column in ("algorithm", "average_rank"))
    n, drawn = len(names), list[marks.Mark]()
    for row, rank in enumerate(average):
        drawn.append(marks.Line(x=np.array([rank, rank]), y=np.array([-0.4, float(row)]), role="leader"))
        drawn.append(marks.Points(x=np.array([rank]), y=np.array([float(row)]), role="estimate"))
    rank_of = dict(zip(names, average, strict=True))
    for step, group in enumerate(result.groups):
        ends = [rank_of[name] for name in group]
        x = np.array([min(ends) - 0.04, max(ends) + 0.04])
        drawn.append(marks.Line(x=x, y=np.full(2, FIRST_BAR - BAR_STEP * step), role="curve", series=1))
    top = FIRST_BAR - BAR_STEP * len(result.groups)
    ruler, text = top - 0.5, f"critical difference {length:.2f}"
    drawn.append(marks.Line(x=np.array([1.0, 1.0 + length]), y=np.full(2, ruler), role="curve", series=3))
    x_middle, y_above = 1 + length / 2, ruler - 0.15
    drawn.append(
        marks.Text(x=x_middle, y=y_above, text=text, role="note", horizontal="center", vertical="bottom")
    )
    # Few data sets have a critical difference that reaches beyond the last rank.
    ticks, high = tuple(map(float, range(1, n + 1))), max(n, 1.0 + length) + 0.2
    return marks.Panel(
        marks=tuple(drawn),
        x=marks.Axis(label="Average rank (1 is best)", low=0.8, high=high, ticks=ticks),
        y=layout.category_axis(names, low=n - 0.5, high=top - 1.3, far=[f"{rank:.2f}" for rank in average]),
        title=title,
    )


def learner_tests_picture(
    result: paired_tests.LearnerTest | paired_tests.LearnerTests | comparison.PairTests,
) -> marks.Picture:
    """Show the mean difference, with the interval and the p-value of every test.

    Examples
    --------
    >>> import rocscope as rs
    >>> tests = rs.paired_tests([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.8, 0.6], n_train=30, n_test=10)
    >>> rows = learner_tests_picture(tests).panels[0].y
    >>> rows.tick_labels[:2], rows.far_labels[0]
    (('paired-t', 'corrected-t'), '+0.100 (-0.030 to +0.230), p = 0.0917')
    """
    if isinstance(result, paired_tests.LearnerTest):
        tests, title = [result], ""
    elif isinstance(result, paired_tests.LearnerTests):
        tests, title = list(result.rows), f"{result.n_folds} folds"
    else:
        tests = list(result.tests)
        title = f"{result.dataset}: {result.first} - {result.second}, {result.measure}"
    rows = []
    for test in tests:
        parts = [] if test.status == "ok" else ["undefined"]
        if test.status == "ok" and test.low is not None and test.difference is not None:
            parts.append(formatting.with_interval(test.difference, test.low, test.high, signed=True))
        if test.status == "ok" and test.p_value is not None:
            parts.append(f"p = {formatting.p_value(test.p_value)}")
        if test.status == "ok" and test.posterior is not None:
            names = ("worse", "equal", "better")
            parts += [f"{name} {share:.2f}" for name, share in zip(names, test.posterior, strict=True)]
        figures = ", ".join(parts)
        rows.append(
            Row(name=test.method, value=test.difference, low=test.low, high=test.high, figures=figures)
        )
    label = "Mean difference, first minus second (interval)"
    return forest(rows, label=label, reference=0.0, title=title)


def decisions_picture(result: decisions.DecisionComparison | decisions.DecisionPair) -> marks.Picture:
    """Show the difference in error of every pair, with the cases that one alone decides rightly.

    Examples
    --------
    >>> y, a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1]
    >>> drawn = decisions_picture(decisions.compare_decisions(y, {"a": a, "b": b}))
    >>> drawn.panels[0].y.tick_labels, drawn.panels[0].title
    (('a - b',), 'Error: a 0.167, b 0.500')
    """
    title = ""
    if isinstance(result, decisions.DecisionPair):
        pairs: tuple[decisions.DecisionPair, ...] = (result,)
    else:
        pairs, errors = result.pairs, zip(result.names, result.error.tolist(), strict=True)
        title = "Error: " + ", ".join(f"{name} {error:.3f}" for name, error in errors)
    rows = [
        Row(
            name=f"{pair.first} - {pair.second}",
            value=pair.difference,
            figures=f"right alone {pair.only_first} and {pair.only_second} times, "
            f"p = {formatting.p_value(pair.p_holm)}",
        )
        for pair in pairs
    ]
    return forest(rows, label="Difference in error; p by McNemar and Holm", reference=0.0, title=title)


def hierarchical_picture(result: hierarchical.HierarchicalTest) -> marks.Picture:
    """Show the mean difference over data sets with its credible interval, and what the next one may bring.

    Examples
    --------
    >>> a, b = [[0.8, 0.9, 0.8], [0.7, 0.6, 0.7], [0.9, 0.8, 0.9]], [[0.7] * 3, [0.6] * 3, [0.8] * 3]
    >>> drawn = hierarchical_picture(hierarchical.hierarchical_test(a, b, n_train=20, n_test=10))
    >>> drawn.panels[0].y.tick_labels
    ('first - second',)
    """
    row = Row(name=f"{result.first} - {result.second}", figures=f"undefined: {result.reason}")
    title = ""
    if result.posterior is not None and result.mean is not None:
        figures = formatting.with_interval(result.mean, result.low, result.high, signed=True)
        row = replace(row, value=result.mean, low=result.low, high=result.high, figures=figures)
        shares = zip(result.KINDS, result.posterior, strict=True)
        title = "Next data set: " + ", ".join(f"{kind} {share:.3f}" for kind, share in shares)
    label = (
        f"Mean difference of {NAMES.get(result.measure, result.measure)} ({result.level * 100:g}% credible)"
    )
    margins = (-result.rope, result.rope)
    return forest([row], label=label, reference=0.0, title=title, margins=margins)
