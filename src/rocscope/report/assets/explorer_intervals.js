// Standard error and interval of every measure of one confusion matrix, two classes: the twin of
// area/point_estimates.py, binomial.py and quotients.py with Wilson's intervals.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { wilson } = explorer.numbers;
  const { ALIASES, costMatrix } = explorer.measures;

  const error = (p, n) => Math.sqrt((p * (1 - p)) / n);

  // A share of cases: count of n.
  function share(count, n, z) {
    if (!(n > 0)) return null;
    const p = count / n;
    const [low, high] = wilson(count, n, z);
    // No rounding at the ends: nothing is below none and above all.
    return { value: p, se: error(p, n), low: count === 0 ? 0 : low, high: count === n ? 1 : high };
  }

  // sqrt(sum r_ij d_i d_j): shares i and j of the same cases have the correlation -s_i s_j.
  function reach(parts, deviations) {
    const squares = parts.reduce((sum, d) => sum + d * d, 0);
    const products = parts.map((d, k) => d * deviations[k]);
    const all = products.reduce((sum, p) => sum + p, 0);
    const across = products.reduce((sum, p) => sum + p * p, 0) - all * all;
    return Math.sqrt(Math.max(squares + across, 0));
  }

  // A sum of weighted shares [weight, count, n] of different cases.
  function sumOfShares(terms, z, constant = 0) {
    const parts = terms.map(([w, count, n]) => [w, share(count, n, z)]);
    const value = parts.reduce((sum, [w, p]) => sum + w * p.value, 0);
    const down = parts.map(([w, p]) => w * (p.value - (w > 0 ? p.low : p.high)));
    const up = parts.map(([w, p]) => w * ((w > 0 ? p.high : p.low) - p.value));
    const none = terms.map(() => 0);
    return {
      value: constant + value,
      se: Math.hypot(...parts.map(([w, p]) => w * p.se)),
      low: constant + value - reach(down, none),
      high: constant + value + reach(up, none),
    };
  }

  // A sum of weighted shares [weight, count] of all n cases, of which every case is in one.
  function sumOfOutcomes(terms, n, z, constant = 0) {
    const parts = terms.map(([w, count]) => [w, share(count, n, z)]);
    const value = parts.reduce((sum, [w, p]) => sum + w * p.value, 0);
    const variance = parts.reduce((sum, [w, p]) => sum + p.value * (w - value) ** 2, 0);
    const down = parts.map(([w, p]) => w * (p.value - (w > 0 ? p.low : p.high)));
    const up = parts.map(([w, p]) => w * ((w > 0 ? p.high : p.low) - p.value));
    const signed = parts.map(([w, { value: p }]) => (p < 1 ? Math.sign(w) * Math.sqrt(p / (1 - p)) : 0));
    return {
      value: constant + value,
      se: Math.sqrt(variance / n),
      low: constant + value - reach(down, signed),
      high: constant + value + reach(up, signed),
    };
  }

  const root = (middle, product) => middle + Math.sqrt(Math.max(middle * middle - product, 0));

  // Ends of the interval of a quotient of two independent quantities {value, low, high}.
  function quotientEnds(above, below) {
    const scaled = ({ value, low, high }) => ({ value: value / high, low: low / high });
    const [x, y] = [scaled(above), scaled(below)];
    const middle = x.value * y.value;
    let [low, high] = [0, Infinity];
    if (x.low > 0) {
      const rest = x.low * (2 * x.value - x.low);
      low = rest / root(middle, (2 * y.value - 1) * rest);
    }
    if (y.low > 0) {
      const square = y.low * (2 * y.value - y.low);
      high = square > 0 ? root(middle, square * (2 * x.value - 1)) / square : 1 / y.low;
    }
    const scale = above.high / below.high;
    return [low * scale, high * scale];
  }

  // The ratio of two shares, a of m over b of n: by the log method, or by combined intervals where that fails.
  function ratioOfShares(a, m, b, n, z) {
    if (a === 0 && b === 0) return null;
    const value = b === 0 ? Infinity : (a * n) / (b * m);
    const relative = a > 0 && b > 0 ? Math.sqrt((m - a) / (a * m) + (n - b) / (b * n)) : 0;
    const se = b === 0 ? NaN : value * relative;
    if (a === 0 || b === 0 || a === m || b === n) {
      const [low, high] = quotientEnds(share(a, m, z), share(b, n, z));
      return { value, relative, se, low, high };
    }
    const far = Math.exp(z * relative);
    return { value, relative, se, low: value / far, high: value * far };
  }

  // Bayes: the odds of being right are the ratio times the odds of the class.
  function predictive(a, m, b, n, own, z) {
    const ratio = ratioOfShares(a, m, b, n, z);
    if (ratio === null) return null;
    const other = 1 - own;
    const [right, wrong] = [(own * a) / m, (other * b) / n];
    const value = right / (right + wrong);
    const end = (r) => (r === Infinity ? 1 : (own * r) / (own * r + other));
    return { value, se: value * (1 - value) * ratio.relative, low: end(ratio.low), high: end(ratio.high) };
  }

  // F1 rises with the share of hits among all cases but true negatives, as 2 J / (1 + J).
  function f1({ tp, fp, fn, pos, neg }, p, z) {
    const doubled = (hits) => (2 * hits) / (1 + hits);
    const from = (hits, se, ends) => ({
      value: doubled(hits), se: (2 * se) / (1 + hits) ** 2, low: doubled(ends[0]), high: Math.min(doubled(ends[1]), 1),
    });
    if (p === null) {
      const hits = share(tp, tp + fp + fn, z);
      return from(hits.value, hits.se, [hits.low, hits.high]);
    }
    const [tpr, fpr] = [share(tp, pos, z), share(fp, neg, z)];
    const mapped = ({ value, low, high }, make) => ({ value: make(value), low: make(low), high: make(high) });
    const above = mapped(tpr, (rate) => p * rate);
    const below = mapped(fpr, (rate) => p + (1 - p) * rate);
    const hits = above.value / below.value;
    const se = Math.hypot(p * tpr.se, hits * (1 - p) * fpr.se) / below.value;
    return from(hits, se, quotientEnds(above, below));
  }

  function expectedCost({ tp, fp, fn, tn, pos, neg }, p, cost, z) {
    const table = costMatrix(cost, 2);
    if (p === null) {
      const least = Math.min(...table.flatMap((row) => row.slice(0, 2)));
      const terms = [[table[0][0], tn], [table[0][1], fp], [table[1][0], fn], [table[1][1], tp]];
      return sumOfOutcomes(terms.map(([w, count]) => [w - least, count]), pos + neg, z, least);
    }
    const terms = [
      [(1 - p) * (table[0][1] - table[0][0]), fp, neg],
      [p * (table[1][0] - table[1][1]), fn, pos],
    ];
    return sumOfShares(terms, z, (1 - p) * table[0][0] + p * table[1][1]);
  }

  const overAll = (count, p, { pos, neg }, inPos, inNeg, z) =>
    p === null ? share(count, pos + neg, z) : sumOfShares([[p, inPos, pos], [1 - p, inNeg, neg]], z);

  const ESTIMATES = {
    tpr: ({ tp, pos }, p, cost, z) => share(tp, pos, z),
    fpr: ({ fp, neg }, p, cost, z) => share(fp, neg, z),
    tnr: ({ tn, neg }, p, cost, z) => share(tn, neg, z),
    fnr: ({ fn, pos }, p, cost, z) => share(fn, pos, z),
    precision: ({ tp, fp, pos, neg }, p, cost, z) =>
      p === null ? share(tp, tp + fp, z) : predictive(tp, pos, fp, neg, p, z),
    npv: ({ tn, fn, pos, neg }, p, cost, z) =>
      p === null ? share(tn, tn + fn, z) : predictive(tn, neg, fn, pos, 1 - p, z),
    accuracy: (n, p, cost, z) => overAll(n.tp + n.tn, p, n, n.tp, n.tn, z),
    error: (n, p, cost, z) => overAll(n.fp + n.fn, p, n, n.fn, n.fp, z),
    balanced_accuracy: ({ tp, tn, pos, neg }, p, cost, z) => sumOfShares([[0.5, tp, pos], [0.5, tn, neg]], z),
    f1: (n, p, cost, z) => f1(n, p, z),
    youden: ({ tp, fp, pos, neg }, p, cost, z) => sumOfShares([[1, tp, pos], [-1, fp, neg]], z),
    lr_pos: ({ tp, fp, pos, neg }, p, cost, z) => ratioOfShares(tp, pos, fp, neg, z),
    lr_neg: ({ fn, tn, pos, neg }, p, cost, z) => ratioOfShares(fn, pos, tn, neg, z),
    cost: (n, p, cost, z) => expectedCost(n, p, cost, z),
  };

  // {value, se, low, high} of a measure of a two-class matrix; null where it is 0/0 or there is none.
  function estimate(name, m, prevalence, cost, z) {
    const key = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
    if (!Object.hasOwn(ESTIMATES, key) || m.classes !== 2 || m.columns !== 2) return null;
    const p = Array.isArray(prevalence) ? prevalence[1] : prevalence;
    const counts = {
      tn: m.cell(0, 0), fp: m.cell(0, 1), fn: m.cell(1, 0), tp: m.cell(1, 1), neg: m.rows[0], pos: m.rows[1],
    };
    return ESTIMATES[key](counts, p, cost, z);
  }

  explorer.intervals = { estimate, share, quotientEnds };
})();
