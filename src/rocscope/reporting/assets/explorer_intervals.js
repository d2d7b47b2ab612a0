// Standard error and interval of every measure of one confusion matrix: of two classes the twin of
// inference/point_measures.py and proportions.py with Wilson's intervals.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { ALIASES } = explorer.measures;
  const { share, sumOfShares } = explorer.shares;

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

  // The ratio of two shares, a of m over b of n, by their combined intervals.
  function ratioOfShares(a, m, b, n, z) {
    if (a === 0 && b === 0) return null;
    const value = b === 0 ? Infinity : (a * n) / (b * m);
    const relative = a > 0 && b > 0 ? Math.sqrt((m - a) / (a * m) + (n - b) / (b * n)) : 0;
    const se = b === 0 ? NaN : value * relative;
    const [low, high] = quotientEnds(share(a, m, z), share(b, n, z));
    return { value, relative, se, low, high };
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

  const ESTIMATES = {
    tpr: ({ tp, pos }, p, z) => share(tp, pos, z),
    fpr: ({ fp, neg }, p, z) => share(fp, neg, z),
    tnr: ({ tn, neg }, p, z) => share(tn, neg, z),
    fnr: ({ fn, pos }, p, z) => share(fn, pos, z),
    precision: ({ tp, fp, pos, neg }, p, z) =>
      p === null ? share(tp, tp + fp, z) : predictive(tp, pos, fp, neg, p, z),
    npv: ({ tn, fn, pos, neg }, p, z) =>
      p === null ? share(tn, tn + fn, z) : predictive(tn, neg, fn, pos, 1 - p, z),
    f1: (n, p, z) => f1(n, p, z),
    youden: ({ tp, fp, pos, neg }, p, z) => sumOfShares([[1, tp, pos], [-1, fp, neg]], z),
    lr_pos: ({ tp, fp, pos, neg }, p, z) => ratioOfShares(tp, pos, fp, neg, z),
    lr_neg: ({ fn, tn, pos, neg }, p, z) => ratioOfShares(fn, pos, tn, neg, z),
  };

  // {value, se, low, high} of a measure; null where it is 0/0 or there is none.
  function estimate(name, m, prevalence, cost, z, classes) {
    const key = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
    const general = explorer.classIntervals.find(key, classes);
    if (general !== null) return general(m, prevalence, cost, z);
    if (!Object.hasOwn(ESTIMATES, key) || m.classes !== 2 || m.columns !== 2 || m.rows.includes(0)) return null;
    const p = Array.isArray(prevalence) ? prevalence[1] : prevalence;
    const counts = {
      tn: m.cell(0, 0), fp: m.cell(0, 1), fn: m.cell(1, 0), tp: m.cell(1, 1), neg: m.rows[0], pos: m.rows[1],
    };
    return ESTIMATES[key](counts, p, z);
  }

  explorer.intervals = { estimate };
})();
