// What the reader sets: axes, the test, constraints, prevalences and costs, and the best point they lead to.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { option, labelled, fresh, write } = explorer.dom;
  const { percent } = explorer.texts;
  const state$ = explorer.state;

  // A slider and a box for one positive number: the slider moves by even steps of `to`, the box takes any number.
  function dial(text, { to, from, low, high, holds, hint }, change) {
    const slider = element("input", { type: "range", min: low, max: high, step: "any", "aria-label": text });
    const box = element("input", { type: "text", inputmode: "decimal", size: 7, autocomplete: "off" });
    const problem = element("p", { class: "explorer-hint explorer-problem", role: "alert", id: fresh(), hidden: "" });
    problem.style.gridColumn = "1 / -1";
    box.setAttribute("aria-describedby", problem.id);
    const say = (text) => {
      write(problem, text);
      problem.hidden = text === "";
    };
    let held = NaN; // the number that holds
    const restore = () => {
      box.value = String(Number(held.toPrecision(6)));
      box.removeAttribute("aria-invalid");
    };
    // A number is taken while it is written; what is none when the box is left goes, and that is said.
    const settle = () => {
      if (box.getAttribute("aria-invalid") !== "true") return;
      say(`"${box.value}" is not ${hint}.`);
      restore();
    };
    slider.addEventListener("input", () => change(Number(from(Number(slider.value)).toPrecision(3))));
    for (const end of ["change", "blur"]) box.addEventListener(end, settle);
    box.addEventListener("input", () => {
      const value = explorer.numbers.readNumber(box.value.trim());
      box.setAttribute("aria-invalid", String(!holds(value)));
      say("");
      if (holds(value)) change((held = value));
    });
    const root = labelled(text, box, slider, problem);
    root.classList.add("explorer-dial");
    return {
      root,
      draw(value) {
        slider.value = String(to(value));
        const same = value === held;
        held = value;
        if (same && document.activeElement === box) return; // what the reader writes stays as it is written
        if (!same) say("");
        restore();
      },
    };
  }

  const SHARE = {
    to: (p) => Math.log(p / (1 - p)),
    from: (s) => 1 / (1 + Math.exp(-s)),
    low: -7, high: 7,
    holds: (p) => p > 0 && p < 1,
    hint: "a prevalence above 0 and below 1",
  };
  const COST = {
    to: Math.log10,
    from: (s) => 10 ** s,
    low: -2, high: 2,
    holds: (c) => c > 0 && Number.isFinite(c),
    hint: "a cost greater than 0",
  };

  // One share changes, the others keep their ratios, and all add up to 1.
  function withShare(shares, r, value) {
    const rest = 1 - shares[r];
    return shares.map((share, k) => (k === r ? value : (share / rest) * (1 - value)));
  }

  // Of two classes the prevalence is that of the positive one, and stands beside PPV and NPV.
  function prevalenceDials(model, store) {
    const two = model.classes.length === 2;
    const shown = two ? [1] : [...model.classes.keys()];
    return shown.map((r) => ({
      ...dial(two ? "Prevalence" : `Prevalence of ${model.classes[r]}`, SHARE, (value) => {
        store.set({ prevalence: two ? value : withShare(state$.shares(model, store.state), r, value) });
      }),
      value: (state) => state$.shares(model, state)[r],
    }));
  }

  function costDials(model, store) {
    const [neg, pos] = model.classes;
    const two = model.classes.length === 2;
    const name = (r) =>
      two ? `Cost of ${r === 0 ? `a false positive (${neg} classified as ${pos})` : `a false negative (${pos} classified as ${neg})`}`
        : `Cost of an error in ${model.classes[r]}`;
    return model.classes.map((_, r) => ({
      ...dial(name(r), COST, (value) => {
        const costs = [...(store.state.cost ?? state$.startCosts(model))];
        costs[r] = value;
        store.set({ cost: costs, aim: "cost" });
      }),
      value: (state) => (state.cost ?? state$.startCosts(model))[r],
    }));
  }

  function chooser(name, choices, store) {
    const select = element("select", {}, ...choices.map(([value, text]) => option(value, text)));
    select.addEventListener("change", () => store.set({ [name]: select.value }));
    return select;
  }

  // The call that gives the same point in Python.
  function call(model, state, selection) {
    const options = selection.bounds.map((bound) => JSON.stringify(explorer.select.boundText(bound)));
    if (selection.rule !== null) options.push(`rule="${selection.rule}"`);
    if (selection.cost !== null) {
      const [fp, fn] = state.cost ?? state$.startCosts(model);
      const matrix = `[${selection.cost.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
      options.push(`cost=${model.classes.length === 2 ? `(${fp}, ${fn})` : matrix}`);
    }
    if (selection.prevalence !== null) {
      options.push(`prevalence=${Array.isArray(selection.prevalence) ? `[${selection.prevalence.join(", ")}]` : selection.prevalence}`);
    }
    return `select(${options.join(", ")})`;
  }

  class Best {
    constructor(model, store) {
      this.model = model;
      this.aim = chooser("aim", state$.aims(model), store);
      this.bounds = element("input", {
        type: "text", autocomplete: "off", spellcheck: "false",
        placeholder: model.classes.length === 2 ? "sensitivity >= 0.95, specificity >= 0.8" : `error(${model.classes[0]}) <= 0.1`,
      });
      this.bounds.addEventListener("input", () => store.set({ bounds: this.bounds.value }));
      const two = model.classes.length === 2;
      this.dials = [...(two ? [] : prevalenceDials(model, store)), ...costDials(model, store)];
      this.message = element("p", { class: "explorer-message", role: "status" });
      this.message.id = fresh();
      this.bounds.setAttribute("aria-describedby", this.message.id);
      this.call = element("code", { class: "explorer-call" });
      this.go = element("button", { type: "button", class: "explorer-go" }, "Go to the best point");
      this.go.addEventListener("click", () => store.set({ point: this.best }));
      const reset = element("button", { type: "button" }, two ? "No constraints or costs" : "As in the data");
      reset.addEventListener("click", () => {
        this.bounds.value = "";
        store.set({ cost: null, aim: "auto", bounds: "", ...(two ? {} : { prevalence: null }) });
      });
      this.root = element(
        "fieldset", { class: "explorer-best" }, element("legend", {}, "The best point"),
        labelled("Constraints", this.bounds), labelled("Selection rule", this.aim),
        ...this.dials.map((one) => one.root),
        this.message, element("p", {}, this.call), element("div", { class: "explorer-buttons" }, this.go, reset),
      );
    }

    draw(state, { selection, choice }) {
      this.aim.value = state.aim;
      if (this.bounds.value !== state.bounds) this.bounds.value = state.bounds;
      for (const one of this.dials) one.draw(one.value(state));
      this.best = choice.point;
      this.go.disabled = choice.point === undefined || choice.point === state.point;
      this.bounds.setAttribute("aria-invalid", String(selection === null));
      const text = choice.message ?? `${this.model.payload.complete ? "The best" : "The best of those shown"}: ${this.model.text("labels", choice.point)}`;
      write(this.message, text, choice.point === undefined ? "" : this.model.payload.index[choice.point]);
      this.message.classList.toggle("explorer-problem", choice.message !== undefined);
      write(this.call, selection === null ? "" : call(this.model, state, selection));
    }
  }

  class Comparing {
    constructor(model, store) {
      const names = { "paired-t": "paired t", paclik: "t of the paper (2k \u2212 2)", corrected: "corrected t (overlap)" };
      this.method = chooser("method", Object.entries(names), store);
      const levels = model.payload.levels.map((level, k) => [String(k), percent(level)]);
      this.level = element("select", {}, ...levels.map(([value, text]) => option(value, text)));
      this.level.addEventListener("change", () => store.set({ level: Number(this.level.value) }));
      const compared = model.averaged ? model.payload.compared : [];
      this.boxes = compared.map((name) => {
        const box = element("input", { type: "checkbox", value: name });
        box.addEventListener("change", () => {
          const measures = this.boxes.filter((one) => one.checked).map((one) => one.value);
          if (measures.length) store.set({ measures });
          else box.checked = true; // a test needs at least one measure
        });
        return box;
      });
      const boxes = this.boxes.map((box) => element("label", { class: "explorer-check" }, box, model.label(box.value)));
      const legend = model.averaged ? "Indistinguishable points" : "Intervals";
      this.root = element(
        "fieldset", { class: "explorer-comparing" }, element("legend", {}, legend),
        model.averaged ? labelled("Test", this.method) : null, labelled("Level", this.level),
        boxes.length > 1 ? element("div", { class: "explorer-checks" }, ...boxes) : null,
      );
    }

    draw(state) {
      this.method.value = state.method;
      this.level.value = String(state.level);
      for (const box of this.boxes) box.checked = state.measures.includes(box.value);
    }
  }

  class Axes {
    constructor(model, store) {
      const choices = state$.axes(model).map((name) => [name, model.label(name)]);
      this.x = chooser("x", choices, store);
      this.y = chooser("y", choices, store);
      this.root = element(
        "fieldset", { class: "explorer-axes" }, element("legend", {}, "Axes"),
        labelled("Across", this.x), labelled("Up", this.y),
      );
    }

    draw(state) {
      this.x.value = state.x;
      this.y.value = state.y;
    }
  }

  explorer.controls = { Best, Comparing, Axes, prevalenceDials };
})();
