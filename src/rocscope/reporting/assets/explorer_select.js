// The choice of a point by bounds, rule and costs: the twin of core/points.py and averaging/roc.py.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { ALIASES, costMatrix } = explorer.measures;
  const { readNumber, rounded } = explorer.numbers;
  // Objectives that differ by a smaller share are ties.
  const TIE = 1e-15;

  const MEETS = {
    ">=": (value, bound) => value >= bound,
    "<=": (value, bound) => value <= bound,
    ">": (value, bound) => value > bound,
    "<": (value, bound) => value < bound,
  };

  // Bounds stand apart by commas, semicolons, line ends or "and"; a comma inside brackets belongs to a class.
  function split(text) {
    const parts = [];
    let depth = 0;
    let part = "";
    for (const token of text.split(/([(),;\n]|\band\b)/i)) {
      if (token === "(") depth++;
      if (token === ")") depth = Math.max(0, depth - 1);
      if (depth === 0 && /^([,;\n]|and)$/i.test(token)) {
        parts.push(part);
        part = "";
      } else part += token;
    }
    return [...parts, part].map((one) => one.trim()).filter((one) => one !== "");
  }

  // Names of measures as clinicians write them, with the names that Python knows.
  const WORDS = {
    sens: "sensitivity", spec: "specificity", "youden's index": "youden", j: "youden",
    "+lr": "lr_pos", "lr+": "lr_pos", "positive likelihood ratio": "lr_pos",
    "-lr": "lr_neg", "lr-": "lr_neg", "negative likelihood ratio": "lr_neg",
    "+pv": "ppv", "positive predictive value": "ppv", "-pv": "npv", "negative predictive value": "npv",
    "1 - specificity": "fpr", "1-specificity": "fpr",
  };
  const inWords = (name) => {
    const plain = name.toLowerCase().replace(/\u2212/g, "-").replace(/\s+/g, " ");
    return Object.hasOwn(WORDS, plain) ? WORDS[plain] : plain;
  };

  function readBound(text, model) {
    const parts = /^\s*(.+?)\s*(>=|<=|\u2265|\u2264|>|<)\s*(\S+)\s*$/s.exec(text);
    const bound = parts ? readNumber(parts[3]) : NaN;
    if (Number.isNaN(bound)) throw new Error(`a constraint must read like "sensitivity>=0.9", got "${text}"`);
    const measure = [parts[1], parts[1].toLowerCase(), inWords(parts[1])].find((name) => model.knows(name));
    if (measure === undefined) {
      throw new Error(`"${parts[1]}" must be one of ${model.names.join(", ")}`);
    }
    return { measure, relation: parts[2].replace("\u2265", ">=").replace("\u2264", "<="), bound };
  }

  const readBounds = (text, model) => split(text).map((one) => readBound(one, model));

  const isFloor = (bound) => bound.relation[0] === ">";
  const boundText = (bound) => `${bound.measure}${bound.relation}${bound.bound}`;

  // What a missed positive and a false alarm weigh: what each costs more than the right decision.
  function errorCosts(cost, prevalence, sizes) {
    if (cost === null && prevalence === null) return [1, 1];
    const [pos, neg] = prevalence === null ? [sizes[1], sizes[0]] : [prevalence, 1 - prevalence];
    const table = costMatrix(cost, 2);
    return [pos * (table[1][0] - table[1][1]), neg * (table[0][1] - table[0][0])];
  }

  // Share of positives that weighs the errors of two classes.
  function weighingPrevalence(model, selection) {
    const known = selection.prevalence ?? (selection.cost !== null ? (model.payload.prevalence ?? null) : null);
    return Array.isArray(known) ? known[1] : known;
  }

  function weights(model, selection) {
    return errorCosts(selection.cost, weighingPrevalence(model, selection), model.classSizes());
  }

  // Rules that weigh a missed positive and a false alarm; the others weigh no errors.
  const WEIGHING = ["youden", "closest"];
  const LARGEST = { "max-f1": "f1", "max-kappa": "kappa", "max-ppv": "precision" };

  function ruleLoss(model, rule, mean) {
    const [fnr, fpr, tpr] = [mean("fnr"), mean("fpr"), mean("tpr")];
    if (rule === "se=sp") return fnr.map((v, k) => Math.abs(v - fpr[k]));
    if (rule === "max-product") return fnr.map((v, k) => v + fpr[k] * tpr[k]);
    if (rule === "max-accuracy") return mean("error");
    if (rule !== "min-p") return mean(LARGEST[rule]).map((v) => -v);
    const [neg, pos] = model.classSizes();
    const [tnr, youden] = [mean("tnr"), mean("youden")];
    return fnr.map((v, k) => {
      const product = (pos * tpr[k] + neg * fpr[k]) * (pos * v + neg * tnr[k]);
      return product === 0 ? 0 : -(youden[k] ** 2 / product);
    });
  }

  // Losses that differ by no more are ties: the gap of two rates is as exact as they are.
  function slack(rule, smallest) {
    if (rule === "se=sp") return TIE;
    return (rule === "min-p" ? 8 : 1) * TIE * Math.abs(smallest);
  }

  function twoClassLoss(model, selection, mean) {
    const [missed, alarms] = weights(model, selection);
    const fnr = mean("fnr");
    const fpr = mean("fpr");
    if (selection.rule !== null && !WEIGHING.includes(selection.rule)) return ruleLoss(model, selection.rule, mean);
    if (selection.rule === "closest") return fnr.map((v, k) => missed * (v * v) + alarms * (fpr[k] * fpr[k]));
    if (selection.rule === "youden" || selection.cost !== null || selection.bounds.length === 0) {
      return fnr.map((v, k) => missed * v + alarms * fpr[k]);
    }
    const floor = selection.bounds.some((b) => isFloor(b) && (ALIASES[b.measure] ?? b.measure) === "tpr");
    return floor ? fpr : fnr;
  }

  function meets(bounds, mean, size) {
    const feasible = new Array(size).fill(true);
    for (const bound of bounds) {
      mean(bound.measure).forEach((value, k) => {
        if (!MEETS[bound.relation](value, bound.bound)) feasible[k] = false;
      });
    }
    return feasible;
  }

  // Points that are all there could be are those of one whole curve; of others only those shown are known.
  const noneOf = (model) =>
    model.payload.complete ? "no operating point" : `none of the ${model.size} operating points shown`;

  function infeasibleMessage(model, bounds, mean) {
    const reached = bounds.map((bound) => {
      const values = [...mean(bound.measure)].filter((value) => !Number.isNaN(value));
      if (values.length === 0) return `${bound.measure} is nowhere defined`;
      const best = values.reduce((a, b) => (isFloor(bound) ? Math.max(a, b) : Math.min(a, b)));
      return `${bound.measure} reaches ${Number(best.toPrecision(4))}`;
    });
    return `${noneOf(model)} has ${bounds.map(boundText).join(" and ")}; alone, ${reached.join(", ")}`;
  }

  // Indices by a list of keys, each smaller first and NaN last; equal ones stay in their order.
  function least(indices, keys) {
    const below = (a, b) => (a === b || (Number.isNaN(a) && Number.isNaN(b)) ? 0 : a < b || Number.isNaN(b) ? -1 : 1);
    const compare = (i, j) => keys.map((key) => below(key(i), key(j))).find((c) => c !== 0) ?? 0;
    return indices.reduce((best, k) => (compare(k, best) < 0 ? k : best));
  }

  function leastOfTwoClasses(model, selection, mean, feasible) {
    const loss = twoClassLoss(model, selection, mean).map((v, k) => (feasible[k] && !Number.isNaN(v) ? v : Infinity));
    const smallest = loss.reduce((a, b) => Math.min(a, b));
    const ties = [...loss.keys()].filter((k) => loss[k] <= smallest + slack(selection.rule, smallest));
    const [fpr, tpr] = [mean("fpr"), mean("tpr")];
    return least(ties, [(k) => fpr[k], (k) => -tpr[k]]);
  }

  function leastOfClasses(model, selection, mean, feasible) {
    const errors = model.classes.map((name) => mean(`error(${name})`));
    const at = (k) => errors.map((values) => values[k]);
    const worst = (k) => rounded(Math.max(...at(k)));
    const middle = (k) => rounded(at(k).reduce((sum, v) => sum + v, 0) / errors.length);
    let keys = selection.rule === "mean-class-error" ? [middle, worst] : [worst, middle];
    if (selection.cost !== null) {
      const paid = model.means("cost", selection.prevalence, selection.cost);
      keys = [(k) => rounded(paid[k]), middle];
    }
    const kept = [...feasible.keys()].filter((k) => feasible[k] && !Number.isNaN(keys[0](k)));
    return kept.length === 0 ? null : least(kept, keys);
  }

  // The best point that meets every bound: {point, feasible}, or {message} where there is none.
  function select(model, selection) {
    const mean = (name) => {
      const means = model.means(name, selection.prevalence);
      return model.payload.rounded ? means.map(rounded) : means;
    };
    const feasible = meets(selection.bounds, mean, model.size);
    if (!feasible.includes(true)) return { message: infeasibleMessage(model, selection.bounds, mean), feasible };
    const two = model.classes.length === 2;
    const point = (two ? leastOfTwoClasses : leastOfClasses)(model, selection, mean, feasible);
    if (point === null) return { message: `${noneOf(model)} has an error in every class`, feasible };
    return { point, feasible };
  }

  explorer.select = { readBounds, select, meets, weights, boundText };
})();
