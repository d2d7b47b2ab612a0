// Which points are distinguishable: the twin of averaging/point_tests.py; for one set of cases, the intervals of rates.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { tTest, evenTest } = explorer.numbers;
  const { share } = explorer.shares;
  const EPSILON = Number.EPSILON;

  // Differences that are equal but for rounding become equal: they would have a tiny variance and a huge t.
  function evened(differences, reach) {
    const spread = Math.max(...differences) - Math.min(...differences);
    return spread <= 16 * EPSILON * reach ? differences.map(() => differences[0]) : differences;
  }

  function foldDifferences(model, name, point, other) {
    const values = model.values(name);
    const [from, against] = [point * model.folds, other * model.folds];
    const differences = new Array(model.folds);
    let reach = 0;
    for (let f = 0; f < model.folds; f++) {
      differences[f] = values[from + f] - values[against + f];
      reach = Math.max(reach, Math.abs(values[from + f]), Math.abs(values[against + f]));
    }
    return evened(differences, reach);
  }

  // Mean of the differences over their standard error, judged by Student's t.
  function pairedTest(differences, method, model, level) {
    const n = differences.length;
    if (!differences.every(Number.isFinite)) return { defined: false, p: NaN };
    const first = differences[0];
    const shift = differences.reduce((sum, d) => sum + (d - first), 0) / n;
    const squares = differences.reduce((sum, d) => sum + (d - first - shift) ** 2, 0);
    const overlap = method === "corrected" ? model.payload.test_over_train : 0;
    const se = Math.sqrt(1 / n + overlap) * Math.sqrt(squares / (n - 1));
    const mean = first + shift;
    const { df, reach } = model.payload.t[method];
    const half = reach[level] * se;
    const statistic = se === 0 ? (mean === 0 ? 0 : Math.sign(mean) * Infinity) : mean / se;
    return {
      defined: true, mean, se, statistic, df, low: mean - half, high: mean + half, p: tTest(statistic, df),
    };
  }

  // Why no test can be made with this point of interest; null where one can.
  function refusal(model, names, index) {
    for (const name of names) {
      const values = model.values(name);
      const nan = (point, fold) => Number.isNaN(values[point * model.folds + fold]);
      const folds = [...Array(model.folds).keys()];
      const empty = folds.filter((f) => ![...Array(model.size).keys()].some((p) => !nan(p, f)));
      const here = folds.filter((f) => nan(index, f));
      const lacking = empty.length ? empty : here;
      if (lacking.length) {
        const where = empty.length ? "at any point" : "at this point";
        const shown = lacking.slice(0, 5).map((f) => model.payload.folds[f]).join(", ");
        return `no test: ${name} has no value ${where} in fold ${shown}`;
      }
    }
    return null;
  }

  // The test of one point against another for every measure: value at `point` less that at `index`.
  function comparePair(model, index, point, { measures, method, level }) {
    const message = refusal(model, measures, index);
    if (message) return { message };
    const rows = measures.map((name) => ({
      name,
      ...pairedTest(foldDifferences(model, name, point, index), method, model, level),
    }));
    return { rows, alike: rows.every((row) => row.p > 1 - model.payload.levels[level]) };
  }

  // Points that no measure distinguishes from the one at `index`.
  function indistinguishable(model, index, { measures, method, level }) {
    const message = refusal(model, measures, index);
    if (message) return { message, alike: new Array(model.size).fill(false) };
    const least = 1 - model.payload.levels[level];
    const differs = (name, point) =>
      !(pairedTest(foldDifferences(model, name, point, index), method, model, level).p > least);
    const alike = Array.from({ length: model.size }, (_, point) => !measures.some((name) => differs(name, point)));
    return { alike };
  }

  // The shares by which points of one set of cases are known: both rates of two classes, else the class errors.
  function ownShares(model) {
    if (model.classes.length === 2) return [[0, "fpr", (m) => m.cell(0, 1)], [1, "tpr", (m) => m.cell(1, 1)]];
    return model.classes.map((name, r) => [r, `error(${name})`, (m) => m.wrong(r)]);
  }

  // Points of one set of cases whose shares lie within the intervals of those at `index`.
  function withinIntervals(model, index, { level }) {
    if (!model.payload.counted) {
      return { message: "weighted cases have no intervals", alike: new Array(model.size).fill(false) };
    }
    const m = model.pooled(index);
    const known = ownShares(model).filter(([r]) => m.rows[r] > 0);
    const inside = known.map(([r, name, counted]) => {
      const { low, high } = share(counted(m), m.rows[r], model.payload.z[level]);
      return Array.from(model.means(name), (value) => value >= low && value <= high);
    });
    return { alike: Array.from({ length: model.size }, (_, k) => inside.every((is) => is[k])) };
  }

  // Ends of the share of a class that changes sides over some steps along the curve: both rates rise with them and
  // fall against them, also where no case happens to lie between; a point does not differ from itself.
  function movedEnds(count, n, z, steps) {
    if (steps === 0) return { low: 0, high: 0 };
    const { low, high } = share(count, n, z) ?? { low: NaN, high: NaN };
    return steps > 0 ? { low, high } : { low: 0 - high, high: 0 - low };
  }

  // Two points of one curve: the share of each class between them, and McNemar's exact test of their errors.
  function betweenOnCurve(model, index, point, { level }) {
    if (!model.payload.counted) return { message: "weighted cases have no test" };
    const [here, there] = [model.pooled(point), model.pooled(index)];
    const [from, to] = [index, point].map((k) => model.payload.order.indexOf(k));
    const rows = [[1, "tpr"], [0, "fpr"]].map(([r, name]) => {
      const moved = here.cell(r, 1) - there.cell(r, 1);
      const n = here.rows[r];
      return { name, moved, n, mean: moved / n, ...movedEnds(Math.abs(moved), n, model.payload.z[level], to - from) };
    });
    const p = evenTest(Math.abs(rows[0].moved), Math.abs(rows[1].moved));
    return { rows, p, alike: p > 1 - model.payload.levels[level] };
  }

  // Two points that are not on one curve: how their shares differ. Their matrices do not show which cases err at
  // both, so that there is no test.
  function betweenMatrices(model, index, point) {
    const [here, there] = [model.pooled(point), model.pooled(index)];
    const rows = ownShares(model).map(([r, name, counted]) => {
      const moved = counted(here) - counted(there);
      return { name, moved, n: here.rows[r], mean: moved / here.rows[r] };
    });
    return { rows };
  }

  const alikeTo = (model, index, selection) => (model.averaged ? indistinguishable : withinIntervals)(model, index, selection);

  explorer.test = { alikeTo, comparePair, betweenOnCurve, betweenMatrices };
})();
