// Where an axis begins and ends, and its ticks.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  // Least and largest of the finite values, which may be more than a function takes as arguments.
  function extremes(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (Number.isFinite(value) && value < low) low = value;
      if (Number.isFinite(value) && value > high) high = value;
    }
    return [low, high];
  }

  // Ends and ticks of an axis: of two classes from 0, and rates to 1; else as wide as the values.
  function scale(values, twoClasses) {
    let [low, high] = extremes(values);
    if (twoClasses || low >= high) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    if (low === 0 && high <= 1 && (twoClasses || high === 0 || high > 0.8)) high = 1;
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 2.5, 5, 10].find((s) => s * power >= rough * 0.999);
    low = Math.floor(low / step + 1e-9) * step;
    high = Math.ceil(high / step - 1e-9) * step;
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, k) =>
      Number((low + k * step).toPrecision(6)),
    );
    return { low, high, ticks };
  }

  explorer.scale = scale;
})();
