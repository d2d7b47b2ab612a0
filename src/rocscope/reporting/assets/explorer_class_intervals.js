// Standard error and interval of the measures of any number of classes: the twin of tests/slow/class_estimates.py.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { costMatrix, classOf } = explorer.measures;
  const { share, sumOfEstimates, sumOfShares, sumOfOutcomes } = explorer.shares;

  const classes = (m) => [...Array(m.classes).keys()];

  // Cases counted in each class as a share of all; at a prevalence the classes weigh as that says.
  function shareOfAll(m, counted, prevalence, z) {
    if (prevalence !== null) {
      return sumOfShares(classes(m).map((r) => [m.share(r, prevalence), counted(r), m.rows[r]]), z);
    }
    return share(classes(m).reduce((sum, r) => sum + counted(r), 0), m.total(), z);
  }

  // Mean over the classes of the share that is counted in each.
  const meanShare = (m, counted, z) =>
    sumOfShares(classes(m).map((r) => [1 / m.classes, counted(r), m.rows[r]]), z);

  // Mean cost of cases [cost, count], each with one of these outcomes; those of equal cost are one.
  function meanCost(cells, z) {
    const cases = new Map();
    for (const [cost, count] of cells) cases.set(cost, (cases.get(cost) ?? 0) + count);
    const least = Math.min(...cases.keys());
    const n = cells.reduce((sum, [, count]) => sum + count, 0);
    return sumOfOutcomes([...cases].map(([cost, count]) => [cost - least, count]), n, z, least);
  }

  // Rejected cases cost nothing unless the table has a column for them.
  function expectedCost(m, prevalence, cost, z) {
    if (m.rows.includes(0)) return null;
    const table = costMatrix(cost, m.classes);
    const row = (r) => Array.from({ length: m.columns }, (_, c) => [table[r][c] ?? 0, m.cell(r, c)]);
    if (prevalence === null) return meanCost(classes(m).flatMap(row), z);
    return sumOfEstimates(classes(m).map((r) => [m.share(r, prevalence), meanCost(row(r), z)]));
  }

  const ESTIMATES = {
    accuracy: (m, prevalence, cost, z) => shareOfAll(m, (r) => m.cell(r, r), prevalence, z),
    error: (m, prevalence, cost, z) => shareOfAll(m, (r) => m.wrong(r), prevalence, z),
    reject_rate: (m, prevalence, cost, z) => shareOfAll(m, (r) => m.rejected(r), prevalence, z),
    balanced_accuracy: (m, prevalence, cost, z) => meanShare(m, (r) => m.cell(r, r), z),
    "mean-class-error": (m, prevalence, cost, z) => meanShare(m, (r) => m.wrong(r), z),
    cost: expectedCost,
  };

  // The function that estimates a measure; null where there is none, as for the largest error.
  function find(name, names) {
    const r = classOf(name, names);
    if (r !== null) return (m, prevalence, cost, z) => (r < 0 ? null : share(m.wrong(r), m.rows[r], z));
    return Object.hasOwn(ESTIMATES, name) ? ESTIMATES[name] : null;
  }

  explorer.classIntervals = { find };
})();
