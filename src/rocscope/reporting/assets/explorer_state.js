// The state of one explorer, and who is notified when it changes.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  // What is selected at first.
  function initial(model) {
    const two = model.classes.length === 2;
    const errors = model.classes.map((name) => `error(${name})`);
    const own = model.payload.compared;
    const known = aims(model).map(([value]) => value);
    const plane = two ? ["fpr", "tpr"] : own.length > 1 && !own.includes(errors[0]) ? own : errors;
    return {
      point: model.payload.start,
      pin: null,
      x: plane[0],
      y: plane[1],
      method: "paired-t",
      level: model.payload.levels.indexOf(0.95),
      measures: [...own],
      aim: known.includes(model.payload.rule) ? model.payload.rule : "auto",
      bounds: model.payload.bounds ?? "",
      prevalence: null,
      cost: null,
      scores: model.payload.dots ? "dots" : "histogram",
      log: false,
    };
  }

  // What the best point may be best at: value and name of every choice.
  function aims(model) {
    if (model.classes.length === 2) {
      return [
        ["auto", "the constraints, else Youden's index"],
        ["youden", "largest Youden's index"],
        ["closest", "closest to sensitivity 1, specificity 1"],
        ["se=sp", "sensitivity equal to specificity"],
        ["max-product", "largest sensitivity \u00d7 specificity"],
        ["max-accuracy", "largest accuracy"],
        ["max-ppv", "largest PPV"],
        ["max-f1", "largest F1"],
        ["max-kappa", "largest kappa"],
        ["min-p", "smallest p of the 2\u00d72 table"],
        ["cost", "least expected cost"],
      ];
    }
    return [
      ["auto", "the largest class error"],
      ["mean-class-error", "the mean class error"],
      ["cost", "the expected cost"],
    ];
  }

  // The measures that an axis can have: all but those without an end.
  const axes = (model) => model.names.filter((name) => !["lr_pos", "lr_neg", "odds_ratio", "lift"].includes(name));

  class Store {
    constructor(state) {
      this.state = state;
      this.listeners = [];
    }

    listen(listener) {
      this.listeners.push(listener);
    }

    set(changes) {
      this.state = { ...this.state, ...changes };
      this.notify();
    }

    notify() {
      for (const listener of this.listeners) listener(this.state);
    }
  }

  // Measures that follow the prevalence: a constraint on one of them holds at that of the reader.
  const FOLLOW = [
    "precision", "npv", "accuracy", "error", "f1", "kappa", "mcc", "lift", "detection_prevalence", "cost", "reject_rate",
  ];

  // What `select` gets in this state; its bounds may be no bounds, which throws. The prevalence takes part where it
  // weighs costs or a constraint depends on it; elsewhere it changes what a point is worth, not which is the best.
  function selection(model, state) {
    const { ALIASES } = explorer.measures;
    const bounds = explorer.select.readBounds(state.bounds, model);
    const follows = bounds.some(({ measure }) => FOLLOW.includes(ALIASES[measure] ?? measure));
    return {
      bounds,
      rule: state.aim === "auto" || state.aim === "cost" ? null : state.aim,
      cost: state.aim === "cost" ? costTable(model, state.cost) : null,
      prevalence: state.aim === "cost" || follows ? state.prevalence : null,
    };
  }

  // Costs per class as a matrix, true by decided: of two classes those of a false positive and a false negative.
  function costTable(model, costs) {
    const each = costs ?? startCosts(model);
    return each.map((cost, r) => each.map((_, c) => (r === c ? 0 : cost)));
  }

  // The cost of a wrong decision in each class that the result was made with, else 1.
  function startCosts(model) {
    const table = model.payload.cost ?? null;
    return model.classes.map((_, r) => (table === null ? 1 : Math.max(...table[r].filter((_, c) => c !== r))));
  }

  // Costs that the shown measures take: the reader's where there are any; null for those of the result.
  function heldCost(model, state) {
    return state.aim === "cost" || state.cost !== null ? costTable(model, state.cost) : null;
  }

  // Shares of the classes: the reader's, those of the result, those of the cases.
  function shares(model, state) {
    const held = model.prevalence(state.prevalence);
    if (Array.isArray(held)) return held;
    if (held !== null) return [1 - held, held];
    const sizes = model.classSizes();
    const all = sizes.reduce((sum, n) => sum + n, 0);
    return sizes.map((n) => n / all);
  }

  explorer.state = { initial, aims, axes, Store, selection, startCosts, heldCost, shares };
})();
