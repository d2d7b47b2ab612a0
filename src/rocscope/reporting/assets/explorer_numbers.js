// Arithmetic that JavaScript lacks: the incomplete beta function and what follows from it, rounding as NumPy does.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  // Logarithm of the gamma function for x > 0, by Lanczos' approximation.
  function logGamma(x) {
    let sum = LANCZOS[0];
    for (let k = 1; k < LANCZOS.length; k++) sum += LANCZOS[k] / (x - 1 + k);
    const t = x + 6.5;
    return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  // Continued fraction of the incomplete beta function, by Lentz' method; converges fast for x < (a+1)/(a+b+2).
  function betaFraction(a, b, x) {
    const tiny = 1e-300;
    const away = (v) => (Math.abs(v) < tiny ? tiny : v);
    let c = 1;
    let d = 1 / away(1 - ((a + b) * x) / (a + 1));
    let product = d;
    for (let m = 1; m <= 10000; m++) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / away(1 + even * d);
      c = away(1 + even / c);
      product *= d * c;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / away(1 + odd * d);
      c = away(1 + odd / c);
      product *= d * c;
      if (Math.abs(d * c - 1) < 1e-16) break;
    }
    return product;
  }

  // Regularised incomplete beta function I_x(a, b); y is 1 - x, passed apart where x is so near 1 that it matters.
  function incompleteBeta(a, b, x, y = 1 - x) {
    if (!(x > 0)) return x === 0 ? 0 : NaN;
    if (y <= 0) return 1;
    const front = Math.exp(
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y),
    );
    if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(a, b, x)) / a;
    return 1 - (front * betaFraction(b, a, y)) / b;
  }

  // Two-sided p-value of Student's t.
  function tTest(t, df) {
    if (Number.isNaN(t)) return NaN;
    if (!Number.isFinite(t)) return 0;
    const square = t * t;
    if (!Number.isFinite(square)) return 0;
    return incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square));
  }

  // Two-sided exact test that both of two counts are equally likely: McNemar's, and the sign test's.
  function evenTest(first, second) {
    const n = first + second;
    const less = Math.min(first, second);
    if (2 * less === n) return 1;
    return Math.min(1, 2 * incompleteBeta(n - less, less + 1, 0.5));
  }

  // Wilson's interval of a share; z is the normal quantile of its level.
  function wilson(count, n, z) {
    const p = count / n;
    const far = p + (z * z) / (2 * n) + z * Math.sqrt((p * (1 - p)) / n + (z / (2 * n)) ** 2);
    return [far > 0 ? (p * p) / far : 0, Math.min(far / (1 + (z * z) / n), 1)];
  }

  // To twelve decimals, halves to the even digit: means that differ by rounding alone are equal.
  function rounded(x) {
    const scaled = x * 1e12;
    const low = Math.floor(scaled);
    const part = scaled - low;
    const up = part > 0.5 || (part === 0.5 && low % 2 !== 0);
    return Number.isFinite(scaled) ? (up ? low + 1 : low) / 1e12 : x;
  }

  // Mean and standard deviation without NaN, and how many numbers there were; equal numbers deviate by exactly 0.
  function moments(values, from, n) {
    let known = 0;
    let centre = 0;
    for (let k = from; k < from + n; k++) {
      if (Number.isNaN(values[k])) continue;
      if (known++ === 0 && Number.isFinite(values[k])) centre = values[k];
    }
    if (known === 0) return { mean: NaN, sd: NaN, n: 0 };
    let sum = 0;
    for (let k = from; k < from + n; k++) if (!Number.isNaN(values[k])) sum += values[k] - centre;
    const shift = sum / known;
    let squares = 0;
    for (let k = from; k < from + n; k++) {
      if (!Number.isNaN(values[k])) squares += (values[k] - centre - shift) ** 2;
    }
    return { mean: centre + shift, sd: known > 1 ? Math.sqrt(squares / (known - 1)) : NaN, n: known };
  }

  // What Python's float() reads: the texts that a bound may hold.
  function readNumber(text) {
    const word = /^([+-]?)(inf|infinity)$/i.exec(text);
    if (word) return word[1] === "-" ? -Infinity : Infinity;
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  }

  explorer.numbers = { incompleteBeta, tTest, evenTest, wilson, rounded, moments, readNumber };
})();
