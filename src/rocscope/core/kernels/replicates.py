"""Bootstrap replicates in one pass over the drawn cases: counts at vertices, and statistics of these.

Draws are counts in 8 bits, (replicates, cases); vertices are counts in 32 bits, (replicates, vertices), from
(0, 0) to all cases. Sums stay integers; rates are divided once.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled

Bytes = NDArray[np.uint8]
Counts = NDArray[np.int32]
Wholes = NDArray[np.int64]
Floats = NDArray[np.float64]
# A recall times the number of positives that is this close to a whole number is that number.
WHOLE = 1e-9
# A band holds what lies so little outside.
ROUNDING = 1e-12


@compiled
def _fill_running(row: Any, order: Any, running: Any) -> None:
    """Running sums of the draws in this order; an empty order is that of the cases."""
    total = np.int32(0)
    running[0] = total
    if order.size:
        for i in range(order.size):
            total += row[order[i]]
            running[i + 1] = total
    else:
        for i in range(row.size):
            total += row[i]
            running[i + 1] = total


@compiled
def running_counts(drawn: Bytes, order: Counts) -> Counts:
    """Drawn cases among the first k in this order, k = 0, 1, ..., of every replicate."""
    running = np.empty((len(drawn), (order.size or drawn.shape[1]) + 1), np.int32)
    for replicate in range(len(drawn)):
        _fill_running(drawn[replicate], order, running[replicate])
    return running


@compiled
def count_vertices(drawn: Bytes, order: Counts, above: Counts, ascending: bool) -> Counts:
    """Drawn cases at or above every vertex; `above` counts the cases there, whether drawn or not.

    Cases stand by descending score, or by ascending score, in the order of `order` if it is not empty.
    """
    n = order.size or drawn.shape[1]
    running = np.empty(n + 1, np.int32)
    counts = np.empty((len(drawn), above.size), np.int32)
    for replicate in range(len(drawn)):
        _fill_running(drawn[replicate], order, running)
        if ascending:
            for v in range(above.size):
                counts[replicate, v] = running[n] - running[n - above[v]]
        else:
            for v in range(above.size):
                counts[replicate, v] = running[above[v]]
    return counts


@compiled
def count_left_out(drawn: Bytes, above: Counts, vertex: Wholes) -> Wholes:
    """Cases that were not drawn, by descending score: those down to a vertex, and all; 0 for vertex -1."""
    counts = np.zeros((len(drawn), 2), np.int64)
    for replicate in range(len(drawn)):
        row = drawn[replicate]
        stop = above[vertex[replicate]] if vertex[replicate] >= 0 else 0
        down_to = 0
        for i in range(stop):
            down_to += row[i] == 0
        counts[replicate, 0] = counts[replicate, 1] = down_to
        for i in range(stop, row.size):
            counts[replicate, 1] += row[i] == 0
    return counts


@compiled
def twice_u(
    drawn: Bytes,
    order: Counts,
    other_drawn: Bytes,
    other_order: Counts,
    below: Counts,
    not_above: Counts,
) -> Wholes:
    """2U of replicates, and how many cases of each class they have: (replicates, 3).

    `order` lists the cases of the lower class by ascending score, `other_order` those of the higher class;
    `below` and `not_above` count, for each of the latter, the cases of the lower class below it and not above
    it.
    """
    running = np.empty(order.size + 1, np.int32)
    result = np.empty((len(drawn), 3), np.int64)
    untied = np.array_equal(below, not_above)
    for replicate in range(len(drawn)):
        _fill_running(drawn[replicate], order, running)
        row = other_drawn[replicate]
        total, n = np.int64(0), np.int64(0)
        for i in range(other_order.size):
            times = np.int64(row[other_order[i]])
            beaten = np.int64(running[below[i]])
            total += times * (2 * beaten if untied else beaten + running[not_above[i]])
            n += times
        result[replicate, 0] = total
        result[replicate, 1] = running[order.size]
        result[replicate, 2] = n
    return result


# ---- Statistics of curves, from their counts at the vertices ----------------------------------------------


@compiled
def _first_reaching(x: Any, value: float) -> int:
    """First place of a rising row that is at least the value; its length where none is."""
    low, high = 0, x.size
    while low < high:
        middle = (low + high) // 2
        if x[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _integral(x: Any, y: Any, low: float, high: float) -> Any:
    """Integral of the polyline y over rising x; whole segments are summed in integers."""
    if high <= low:
        return 0.0
    start, stop = _first_reaching(x, low), _first_reaching(x, high)
    if stop == x.size:  # rounding
        stop = x.size - 1
    if x[stop] > high:
        stop -= 1  # the last vertex inside
    if stop < start:  # both ends on one segment
        slope = (y[start] - y[stop]) / (x[start] - x[stop])
        middle = (low + high) / 2
        return (high - low) * (y[stop] + slope * (middle - x[stop]))
    twice = np.int64(0)
    for k in range(start, stop):
        twice += np.int64(x[k + 1] - x[k]) * (np.int64(y[k]) + np.int64(y[k + 1]))
    area = twice / 2
    if x[start] > low:
        slope = (y[start] - y[start - 1]) / (x[start] - x[start - 1])
        width = x[start] - low
        area += width * (y[start] - slope * width / 2)
    if x[stop] < high and stop + 1 < x.size:
        slope = (y[stop + 1] - y[stop]) / (x[stop + 1] - x[stop])
        width = high - x[stop]
        area += width * (y[stop] + slope * width / 2)
    return area


@compiled
def _place_of_height(x: Any, y: Any, height: float) -> Any:
    """Where the rising polyline y first reaches a height."""
    after = _first_reaching(y, height)
    if after == y.size:
        return float(x[y.size - 1])
    if after == 0 or y[after] == height:
        return float(x[after])
    share = (height - y[after - 1]) / (y[after] - y[after - 1])
    return x[after - 1] + share * (x[after] - x[after - 1])


@compiled
def areas_over_x(x: Counts, y: Counts, low: float, high: float) -> Floats:
    """Integral of y over x between two rates of x, as a share of the unit square, for every replicate."""
    areas = np.empty(len(x))
    for replicate in range(len(x)):
        across, up = x[replicate], y[replicate]
        n_x, n_y = float(across[-1]), float(up[-1])
        areas[replicate] = _integral(across, up, low * n_x, high * n_x) / (n_x * n_y)
    return areas


@compiled
def areas_inside(x: Counts, y: Counts, low: float, high: float, bottom: float, top: float) -> Floats:
    """Area below the curve inside a rectangle of rates, for every replicate."""
    areas = np.empty(len(x))
    for replicate in range(len(x)):
        across, up = x[replicate], y[replicate]
        n_x, n_y = float(across[-1]), float(up[-1])
        enters = max(low * n_x, _place_of_height(across, up, bottom * n_y))
        leaves = max(low * n_x, _place_of_height(across, up, top * n_y))
        stop = min(high * n_x, leaves)
        area = 0.0
        if stop > enters:
            area += _integral(across, up, enters, stop) - bottom * n_y * (stop - enters)
        if high * n_x > leaves:
            area += (top - bottom) * n_y * (high * n_x - leaves)
        areas[replicate] = area / (n_x * n_y)
    return areas


@compiled
def heights_at(fp: Counts, tp: Counts, at: Floats) -> Floats:
    """TPR at given FPRs, (replicates, places): linear between vertices, at a jump the upper end."""
    heights = np.empty((len(fp), at.size))
    last = fp.shape[1] - 1
    for replicate in range(len(fp)):
        x, y = fp[replicate], tp[replicate]
        n_x, n_y = float(x[last]), float(y[last])
        for k in range(at.size):
            low, high = 0, last + 1
            while low < high:
                middle = (low + high) // 2
                if x[middle] / n_x <= at[k]:
                    low = middle + 1
                else:
                    high = middle
            before = min(max(low - 1, 0), last)
            after = min(before + 1, last)
            x0, x1, y0, y1 = x[before] / n_x, x[after] / n_x, y[before] / n_y, y[after] / n_y
            share = (at[k] - x0) / (x1 - x0) if x1 > x0 else 0.0
            heights[replicate, k] = y0 + share * (y1 - y0)
    return heights


@compiled
def specificities_at(fp: Counts, tp: Counts, at: Floats) -> Floats:
    """TNR at given TPRs, (replicates, places): linear between vertices, at a horizontal step its left end."""
    # Walked back from (1, 1) the TNR rises.
    heights = np.empty((len(fp), at.size))
    last = fp.shape[1] - 1
    for replicate in range(len(fp)):
        x, y = tp[replicate], fp[replicate]
        n_x, n_y = float(x[last]), float(y[last])
        for k in range(at.size):
            low, high = 0, last + 1
            while low < high:  # the first vertex that reaches the TPR
                middle = (low + high) // 2
                if x[middle] / n_x < at[k]:
                    low = middle + 1
                else:
                    high = middle
            before = min(low, last)
            after = max(before - 1, 0)
            x0, x1, y0, y1 = x[before] / n_x, x[after] / n_x, 1 - y[before] / n_y, 1 - y[after] / n_y
            share = (x0 - at[k]) / (x0 - x1) if x0 > x1 else 0.0
            heights[replicate, k] = y0 + share * (y1 - y0)
    return heights


@compiled
def _holds(
    tp: Wholes,
    fp: Wholes,
    low: Floats,
    high: Floats,
    left: Floats,
    right: Floats,
    at: Floats,
    heights: Floats,
) -> bool:
    """Whether a curve lies between the lines through the upper left and the lower right corners."""
    above, below, last = 0, 0, len(tp) - 1
    for k in range(len(at)):
        while above < last and left[fp[above + 1]] <= at[k]:
            above += 1
        height = high[tp[above]]
        if above < last:
            x0, x1 = left[fp[above]], left[fp[above + 1]]
            height += (high[tp[above + 1]] - height) * (at[k] - x0) / (x1 - x0)
        if height < heights[k] - ROUNDING:
            return False
        while below < last and right[fp[below]] < at[k]:
            below += 1
        height = low[tp[below]]
        if below > 0 and right[fp[below]] > at[k]:
            x0, x1 = right[fp[below - 1]], right[fp[below]]
            height -= (height - low[tp[below - 1]]) * (x1 - at[k]) / (x1 - x0)
        if height > heights[k] + ROUNDING:
            return False
    return True


@compiled
def count_holding(
    tp: Wholes,
    fp: Wholes,
    low: Floats,
    high: Floats,
    left: Floats,
    right: Floats,
    at: Floats,
    heights: Floats,
) -> Wholes:
    """How many bands hold a curve, (samples,): of a sequence of bands that narrow, the first ones do.

    Parameters
    ----------
    tp, fp
        Counts at the vertices of each sample, (samples, vertices).
    low, high, left, right
        Limits of the shares of positives and of negatives by their counts, (bands, counts).
    at, heights
        The curve.
    """
    found = np.empty(len(tp), np.int64)
    for sample in range(len(tp)):
        first, last = 0, len(low)
        while first < last:
            middle = (first + last) // 2
            if _holds(
                tp[sample], fp[sample], low[middle], high[middle], left[middle], right[middle], at, heights
            ):
                first = middle + 1
            else:
                last = middle
        found[sample] = first
    return found


@compiled
def precision_recall_curves(
    tp: Counts, fp: Counts, odds: Floats, recalls: Floats
) -> tuple[Floats, Floats, Floats]:
    """Precision at given recalls, average precision and area, of every replicate.

    `odds` is (1 - share) / share of the positives, one per replicate. In counts, precision is
    tp / (tp + c fp), with c = odds n_pos / n_neg.
    """
    n, last = len(tp), tp.shape[1] - 1
    heights, average, area = np.empty((n, recalls.size)), np.empty(n), np.empty(n)
    for replicate in range(n):
        up, across = tp[replicate], fp[replicate]
        n_pos = float(up[last])
        c = odds[replicate] * n_pos / float(across[last])
        steps, curve = 0.0, 0.0
        start_tp, start_fp = 0.0, 0.0  # where the vertical run began that the walk is on
        for v in range(1, last + 1):
            rise = float(up[v] - up[v - 1])
            if rise == 0.0:
                continue
            steps += rise * up[v] / (up[v] + c * across[v])
            if across[v] == across[v - 1] and across[v] == start_fp:
                continue  # one run upwards, closed by whatever comes next
            curve += _vertical(start_tp, float(up[v - 1]), start_fp, c)
            if across[v] == across[v - 1]:
                start_tp, start_fp = float(up[v - 1]), float(across[v])
                continue
            # A slanted step: true and false positives come in together.
            slope = (across[v] - across[v - 1]) / rise
            a, b = 1 + c * slope, c * (across[v - 1] - slope * up[v - 1])
            begin = up[v - 1] + c * across[v - 1]
            growth = (rise + c * (across[v] - across[v - 1])) / begin if begin > 0 else 0.0
            curve += (rise - b / a * math.log1p(growth)) / a
            start_tp, start_fp = float(up[v]), float(across[v])
        curve += _vertical(start_tp, n_pos, start_fp, c)
        average[replicate], area[replicate] = steps / n_pos, curve / n_pos
        for k in range(recalls.size):
            hits = recalls[k] * n_pos
            if abs(hits - np.rint(hits)) < WHOLE:
                hits = np.rint(hits)
            end = _first_reaching(up, hits)
            share = (hits - up[end - 1]) / (up[end] - up[end - 1])
            false = across[end - 1] + share * (across[end] - across[end - 1])
            heights[replicate, k] = hits / (hits + c * false)
    return heights, average, area


@compiled
def slanted_precision(tpr: Floats, fpr: Floats, odds: Floats, tied: Any) -> tuple[Floats, Floats]:
    """Average precision and area of curves whose vertices are rates, from (0, 0) to (1, 1), a row each.

    Between two vertices both rates grow together. The average takes the precision at the end of a step where
    it is `tied`, of cases with one score, and its mean elsewhere.
    """
    n, last = len(tpr), tpr.shape[1] - 1
    average, area = np.empty(n), np.empty(n)
    for k in range(n):
        c, steps, curve = odds[k], 0.0, 0.0
        for v in range(1, last + 1):
            rise = tpr[k, v] - tpr[k, v - 1]
            if rise <= 0.0:
                continue
            slope = (fpr[k, v] - fpr[k, v - 1]) / rise
            a, b = 1 + c * slope, c * (fpr[k, v - 1] - slope * tpr[k, v - 1])
            begin = tpr[k, v - 1] + c * fpr[k, v - 1]
            growth = a * rise / begin if begin > 0 else 0.0
            part = (rise - b / a * math.log1p(growth)) / a
            curve += part
            steps += rise * tpr[k, v] / (tpr[k, v] + c * fpr[k, v]) if tied[v - 1] else part
        average[k], area[k] = steps, curve
    return average, area


@compiled
def _vertical(low: float, high: float, false: float, c: float) -> float:
    """Integral of tp / (tp + c fp) over true positives from low to high at fixed false positives."""
    if high <= low:
        return 0.0
    b = c * false
    return high - low - (b * math.log1p((high - low) / (low + b)) if b > 0 else 0.0)


@compiled
def _fill_losses(
    losses: Any, up: Any, across: Any, n_pos: float, n_neg: float, loss: int, missed: float, alarms: float
) -> None:
    """Losses of a stretch of vertices; one loop for each kind, so that they run in vector registers."""
    if loss == 0:
        for v in range(losses.size):
            losses[v] = missed * ((n_pos - up[v]) / n_pos) + alarms * (across[v] / n_neg)
    elif loss == 1:
        for v in range(losses.size):
            fnr, fpr = (n_pos - up[v]) / n_pos, across[v] / n_neg
            losses[v] = missed * (fnr * fnr) + alarms * (fpr * fpr)
    elif loss == 2:
        for v in range(losses.size):
            losses[v] = across[v] / n_neg
    elif loss == 3:
        for v in range(losses.size):
            losses[v] = (n_pos - up[v]) / n_pos
    elif loss == 4:
        for v in range(losses.size):
            losses[v] = abs((n_pos - up[v]) / n_pos - across[v] / n_neg)
    else:
        for v in range(losses.size):
            losses[v] = (n_pos - up[v]) / n_pos + across[v] / n_neg * (up[v] / n_pos)


@compiled
def _least(values: Any) -> float:
    """The least of finite values, in four strands that do not wait for each other."""
    a = b = c = d = np.inf
    whole = values.size - values.size % 4
    for v in range(0, whole, 4):
        a, b = min(a, values[v]), min(b, values[v + 1])
        c, d = min(c, values[v + 2]), min(d, values[v + 3])
    for v in range(whole, values.size):
        a = min(a, values[v])
    return min(min(a, b), min(c, d))


@compiled
def select_vertices(
    tp: Counts,
    fp: Counts,
    bounds: Floats,
    loss: int,
    missed: float,
    alarms: float,
    tie: float,
) -> Wholes:
    """The vertex of least loss among those that meet the bounds, of every replicate; -1 where none does.

    Rows of `bounds` are measure (0 TPR, 1 FPR, 2 FNR, 3 TNR), relation (0 >=, 1 <=, 2 >, 3 <) and bound. All
    four measures rise or fall along the curve, so that a bound leaves one stretch of it. The loss: 0
    missed FNR + alarms FPR, 1 the same of squares, 2 FPR, 3 FNR, 4 |FNR - FPR|, 5 1 - TPR TNR. Losses within
    `tie` are equal; of equal ones the smallest FPR counts, then the largest TPR.
    """
    chosen = np.empty(len(tp), np.int64)
    last = tp.shape[1] - 1
    losses = np.empty(last + 1)
    for replicate in range(len(tp)):
        up, across = tp[replicate], fp[replicate]
        n_pos, n_neg = float(up[last]), float(across[last])
        start, stop = 0, last + 1
        for k in range(len(bounds)):
            kind, relation, bound = int(bounds[k, 0]), int(bounds[k, 1]), bounds[k, 2]
            rises = (kind < 2) == (relation % 2 == 0)  # whether the bound is met from some vertex on
            low, high = start, stop
            while low < high:
                middle = (low + high) // 2
                if kind == 0:
                    value = up[middle] / n_pos
                elif kind == 1:
                    value = across[middle] / n_neg
                elif kind == 2:
                    value = (n_pos - up[middle]) / n_pos
                else:
                    value = (n_neg - across[middle]) / n_neg
                if relation == 0:
                    met = value >= bound
                elif relation == 1:
                    met = value <= bound
                elif relation == 2:
                    met = value > bound
                else:
                    met = value < bound
                if met == rises:
                    high = middle
                else:
                    low = middle + 1
            if rises:
                start = low
            else:
                stop = low
        if start >= stop:
            chosen[replicate] = -1
            continue
        up, across, row = up[start:stop], across[start:stop], losses[start:stop]
        _fill_losses(row, up, across, n_pos, n_neg, loss, missed, alarms)
        least = _least(row)
        limit = least + (tie if loss == 4 else tie * abs(least))
        best = -1
        for v in range(row.size):
            if row[v] > limit:
                continue
            if best >= 0 and across[v] > across[best]:
                break
            if best < 0 or up[v] > up[best]:
                best = v
        chosen[replicate] = start + best
    return chosen


# ---- Exchanges --------------------------------------------------------------------------------------------


@compiled
def expected_positives(groups: Wholes, positive: NDArray[np.bool_]) -> Floats:
    """Expected number of positives among the k lowest cases, k = 1, 2, ..., (exchanges, cases).

    `groups` number the ranks from 0 on; cases of one group are tied, and their number grows linearly.
    """
    expected = np.empty(groups.shape)
    size = groups.max() + 1
    members, of_them = np.empty(size, np.int64), np.empty(size, np.int64)
    for row in range(len(groups)):
        members[:] = 0
        of_them[:] = 0
        for i in range(positive.size):
            members[groups[row, i]] += 1
            of_them[groups[row, i]] += positive[i]
        place, below = 0, 0
        for group in range(size):
            n = members[group]
            for k in range(1, n):
                expected[row, place + k - 1] = below + of_them[group] * k / n
            below += of_them[group]
            place += n
            if n:
                expected[row, place - 1] = below
    return expected
