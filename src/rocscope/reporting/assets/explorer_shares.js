// A share of cases and weighted sums of shares, with standard error and interval: the twin of inference/proportions.py
// with Wilson's intervals.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { wilson } = explorer.numbers;

  const error = (p, n) => Math.sqrt((p * (1 - p)) / n);

  // A share of cases: count of n; null where there are none.
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

  // A sum of independent estimates, each with its weight: [weight, {value, se, low, high}].
  function sumOfEstimates(parts) {
    const value = parts.reduce((sum, [w, p]) => sum + w * p.value, 0);
    const down = parts.map(([w, p]) => w * (p.value - (w > 0 ? p.low : p.high)));
    const up = parts.map(([w, p]) => w * ((w > 0 ? p.high : p.low) - p.value));
    return {
      value,
      se: Math.hypot(...parts.map(([w, p]) => w * p.se)),
      low: value - Math.hypot(...down),
      high: value + Math.hypot(...up),
    };
  }

  // A sum of weighted shares [weight, count, n] of different cases; null where there are none of some.
  function sumOfShares(terms, z) {
    if (terms.some(([, , n]) => !(n > 0))) return null;
    return sumOfEstimates(terms.map(([w, count, n]) => [w, share(count, n, z)]));
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

  explorer.shares = { share, sumOfEstimates, sumOfShares, sumOfOutcomes };
})();
