// The state of one explorer, and who is notified when it changes.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  // What is selected at first.
  function initial(model) {
    const two = model.classes.length === 2;
    const errors = model.classes.map((name) => `error(${name})`);
    const own = model.payload.compared;
    const plane = two ? ["fpr", "tpr"] : own.length > 1 && !own.includes(errors[0]) ? own : errors;
    return {
      point: model.payload.start,
      pin: null,
      x: plane[0],
      y: plane[1],
      method: "paired-t",
      level: model.payload.levels.indexOf(0.95),
      measures: [...own],
      aim: "auto",
      bounds: model.payload.bounds ?? "",
      prevalence: null,
      cost: null,
    };
  }

  // What the best point may be best at: value and name of every choice.
  function aims(model) {
    if (model.classes.length === 2) {
      return [
        ["auto", "the bounds, else Youden's index"],
        ["youden", "Youden's index"],
        ["closest", "distance to FPR 0, TPR 1"],
        ["cost", "the expected cost"],
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

  // What `select` gets in this state; its bounds may be no bounds, which throws.
  function selection(model, state) {
    const { readBounds } = explorer.select;
    return {
      bounds: readBounds(state.bounds, model),
      rule: state.aim === "auto" || state.aim === "cost" ? null : state.aim,
      cost: state.aim === "cost" ? costTable(model, state.cost) : null,
      prevalence: state.prevalence,
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
