// Numbers as texts, and what the selected point means in a sentence.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  // Three decimals; more where three would claim a perfect 0 or 1 that is none; four figures beyond 1.
  function figure(value) {
    if (Number.isNaN(value)) return "undefined";
    if (!Number.isFinite(value)) return value < 0 ? "\u2212\u221e" : "\u221e";
    if (Math.abs(value) > 1) return minus(String(Number(value.toPrecision(4))));
    for (let decimals = 3; decimals < 9; decimals++) {
      const text = value.toFixed(decimals);
      const size = Math.abs(Number(text));
      if ((size !== 0 && size !== 1) || Number(text) === value) return minus(text);
    }
    return minus(value.toExponential(2));
  }

  const minus = (text) => text.replace(/^-/, "\u2212");
  const signed = (value) => (value > 0 ? `+${figure(value)}` : figure(value));

  // The ends of an interval: a dash between them, "to" beside a sign or an exponent. The twin of formatting.span.
  const span = (low, high) => `${low}${/^[-+\u2212]|e/.test(low) || /^[-+\u2212]|e/.test(high) ? " to " : "\u2013"}${high}`;

  // Whole numbers, and weights with as many figures as they need.
  function count(n) {
    return minus(Number.isInteger(n) ? String(n) : String(Number(n.toPrecision(6))));
  }

  const signedCount = (n) => (n > 0 ? `+${count(n)}` : count(n));

  function pValue(p) {
    if (Number.isNaN(p)) return "undefined";
    return p < 0.0001 ? p.toExponential(1).replace("e-", "e\u2212") : String(Number(p.toPrecision(3)));
  }

  const percent = (share, figures = 4) => `${Number((100 * share).toPrecision(figures))}%`;
  const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  const plural = (n, one, many) => `${n} ${String(n) === "1" ? one : many}`;

  const cases = (n) => plural(count(n), "case", "cases");

  // The point in one line, as its title and for those who hear it.
  function pointName(model, point) {
    return `Point ${model.payload.index[point]}: ${model.text("labels", point)}`;
  }

  function withDeviation(model, state, name) {
    const { mean, sd } = model.momentsAt(name, state.point, state.prevalence);
    const se = model.estimateAt(name, state.point, state.level, state.prevalence)?.se;
    if (se !== undefined) return `${figure(mean)}, standard error ${figure(se)}`;
    return Number.isNaN(sd) ? figure(mean) : `${figure(mean)}, standard deviation ${figure(sd)}`;
  }

  // Which decision a measure divides by: it is 0/0 where no case has it.
  const DIVIDES_BY = { precision: 1, ppv: 1, lr_pos: 1, npv: 0, lr_neg: 0 };
  const SIDES = ["negative", "positive"];

  function zeroByZero(model, name) {
    const side = Object.hasOwn(DIVIDES_BY, name) ? SIDES[DIVIDES_BY[name]] : null;
    const why = side === null ? "a class has no cases" : `no case tests ${side}`;
    return { word: "0/0", title: `0/0: ${why}` };
  }

  function whyNoError(model, name, value) {
    if (model.ownMeasures.has(name)) return `a measure of your own has no ${Number.isNaN(value) ? "value" : "standard error"} here`;
    if (!model.payload.counted) return "weighted cases have no binomial standard error";
    if (name === "max-class-error") return "the largest of several shares: another class may have it in another sample";
    if (!Number.isFinite(value)) return "an infinite ratio has no standard error";
    return model.classSizes().includes(0) ? "a class has no cases" : "not known where cases are left undecided";
  }

  // Why a number of a table is missing: a word for its cell, and a sentence.
  const lacking = {
    overFolds(model, state, name, n) {
      if (n === 0 && model.ownMeasures.has(name)) return { word: "none", title: "the measure has no value in any fold" };
      if (n === 0) return zeroByZero(model, name);
      if (n === 1) return { word: "1 fold", title: "one fold alone has no deviation" };
      return { word: "none", title: "infinite in some folds: no deviation" };
    },
    ofCases(model, state, name, value) {
      if (Number.isNaN(value) && !model.ownMeasures.has(name)) return zeroByZero(model, name);
      return { word: "none", title: whyNoError(model, name, value) };
    },
  };

  function rates(model, state) {
    const cells = model.confusion(state.point);
    const sizes = model.classSizes();
    if (model.classes.length > 2) {
      const wrong = model.classes.map(
        (name, r) => `class ${name}: ${withDeviation(model, state, `error(${name})`)} (${cases(sizes[r])})`,
      );
      return `Errors: ${wrong.join("; ")}.`;
    }
    const [neg, pos] = model.classes;
    return (
      `${count(cells[1][1])} of ${cases(sizes[1])} of class ${pos} test positive ` +
      `(sensitivity ${withDeviation(model, state, "tpr")}); ` +
      `${count(cells[0][0])} of ${cases(sizes[0])} of class ${neg} test negative ` +
      `(specificity ${withDeviation(model, state, "tnr")}).`
    );
  }

  function likeness(model, state, alike) {
    if (alike.message) return `${alike.message}.`;
    const others = alike.alike.filter((is, k) => is && k !== state.point).length;
    const level = percent(model.payload.levels[state.level]);
    const all = plural(model.size - 1, "other point", "other points");
    if (!model.averaged) {
      const have = others === 1 ? "has" : "have";
      const two = model.classes.length === 2;
      const what = two ? "sensitivity and specificity" : "class errors";
      return `${others} of ${all} ${have} ${what} within the ${level} intervals of these${two ? " two" : ""}.`;
    }
    return (
      `${others} of ${all} are indistinguishable from it by ${listed(state.measures.map((name) => model.inText(name)))} ` +
      `(${state.method}, ${level}).`
    );
  }

  // A value with its interval, as papers write it.
  function withInterval({ value, low, high }, level) {
    const known = low !== undefined && !Number.isNaN(low);
    return figure(value) + (known ? ` (${percent(level)} CI ${span(figure(low), figure(high))})` : "");
  }

  const reading = (model, state, alike) => `${rates(model, state)} ${likeness(model, state, alike)}`;

  explorer.texts = { figure, signed, count, signedCount, pValue, percent, listed, span, pointName, withInterval, reading, lacking };
})();
