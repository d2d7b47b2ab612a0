// The criterion table: what every cut-off is worth with intervals, to sort, to filter and to select from.
// The same numbers as RocCurve.coords() of inference/criterion_table.py.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { write, labelled, fresh } = explorer.dom;
  const { figure, percent } = explorer.texts;

  const MEASURES = [
    ["tpr", "Sensitivity"], ["tnr", "Specificity"], ["lr_pos", "+LR"], ["lr_neg", "\u2212LR"], ["precision", "+PV"], ["npv", "\u2212PV"],
  ];

  const MANY = 300; // more rows are made again when the reader pauses
  const PAUSE = 150; // milliseconds

  // One measure at one point: value and, of counted cases, the ends of its interval; of folds its standard error.
  function entry(model, name, point, { level, prevalence }) {
    if (model.averaged) {
      const { mean, sd, n } = model.momentsAt(name, point, prevalence);
      return { value: mean, low: sd / Math.sqrt(n), high: NaN };
    }
    const [value] = model.valuesAt(name, point, prevalence);
    const estimate = model.estimateAt(name, point, level, prevalence);
    return { value, low: estimate?.low ?? NaN, high: estimate?.high ?? NaN };
  }

  // The criterion of a point in few characters; where nothing tests positive it is above the largest score.
  function criterion(model, point) {
    const { order } = model.payload;
    if (Math.abs(model.thresholds[point]) === Infinity && point === order[0] && order.length > 1) {
      return `${model.lower ? "<" : ">"} ${Number(model.thresholds[order[1]].toPrecision(6))}`;
    }
    return model.text("labels", point).replace(/^score /, "");
  }

  // A cell of a value, and one of its interval or standard error.
  function cells(model, { value, low, high }) {
    const shown = write(element("td"), Number.isNaN(value) ? "0/0" : figure(value), value);
    if (model.averaged) return [shown, write(element("td"), Number.isNaN(low) ? "" : figure(low), low)];
    if (!model.payload.counted) return [shown];
    const ends = write(element("td"), Number.isNaN(low) ? "" : `${figure(low)} to ${figure(high)}`);
    ends.dataset.low = String(low);
    ends.dataset.high = String(high);
    return [shown, ends];
  }

  const below = (a, b) => (Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b || 0);

  class Criterion {
    constructor(model, store) {
      this.model = model;
      this.store = store;
      this.sorted = { column: 0, falling: true };
      this.filter = element("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "sensitivity >= 0.9" });
      this.message = element("p", { class: "explorer-hint explorer-count", role: "status", id: fresh() });
      this.filter.setAttribute("aria-describedby", this.message.id);
      this.filter.addEventListener("input", () => this.arrange());
      this.body = element("tbody");
      this.head = element("tr");
      const grid = element(
        "table", { class: "explorer-table explorer-grid", role: "grid", "aria-label": "All cut-offs" },
        element("thead", {}, this.head), this.body,
      );
      this.box = element("div", { class: "explorer-criteria" }, grid);
      this.root = element(
        "details", { class: "explorer-criterion" }, element("summary", {}, `All cut-offs (${model.size})`),
        labelled("Show cut-offs with", this.filter), this.message, this.box,
      );
      this.root.addEventListener("toggle", () => this.root.open && this.draw(store.state));
      this.body.addEventListener("click", ({ target }) => this.choose(target));
      this.body.addEventListener("keydown", (event) => this.onKey(event));
    }

    draw(state) {
      if (!this.root.open) return;
      const key = JSON.stringify([state.level, state.prevalence]);
      clearTimeout(this.waiting);
      if (this.made !== undefined && this.made !== key && this.model.size > MANY) {
        this.waiting = setTimeout(() => this.renew(key), PAUSE);
      } else if (this.made !== key) this.renew(key);
      this.mark(state.point);
    }

    renew(key) {
      this.made = key;
      this.make(this.store.state);
      this.arrange();
    }

    // Headings and rows of the numbers of now, in the order of the curve.
    make(state) {
      const { model } = this;
      const more = model.averaged ? ["SE"] : model.payload.counted ? [`${percent(model.payload.levels[state.level])} CI`] : [];
      const titles = ["Criterion", ...MEASURES.flatMap(([, name]) => [name, ...more])];
      this.head.replaceChildren(...titles.map((text, column) => {
        const button = element("button", { type: "button", title: "Sort by this column" }, text);
        button.addEventListener("click", () => this.sort(column));
        return element("th", { scope: "col" }, button);
      }));
      this.rows = model.payload.order.map((point) => {
        const entries = MEASURES.map(([name]) => entry(model, name, point, state));
        const name = write(element("th", { scope: "row" }), criterion(model, point), model.thresholds[point]);
        const root = element("tr", { tabindex: -1, "data-point": point }, name, ...entries.flatMap((one) => cells(model, one)));
        const keys = [model.thresholds[point], ...entries.flatMap(({ value, low }) => (more.length ? [value, low] : [value]))];
        return { point, root, keys };
      });
    }

    sort(column) {
      const falling = this.sorted.column === column ? !this.sorted.falling : true;
      this.sorted = { column, falling };
      this.arrange();
    }

    // The rows that the filter leaves, in the order of the chosen column; what is undefined comes last.
    arrange() {
      const { column, falling } = this.sorted;
      const [meets, problem] = this.kept();
      const shown = this.rows.filter(({ point }) => meets[point]);
      const side = (row) => row.keys[column];
      shown.sort((a, b) => (Number.isNaN(side(a)) || Number.isNaN(side(b)) || !falling ? below(side(a), side(b)) : below(side(b), side(a))));
      this.shown = shown;
      for (const { root } of this.rows) root.setAttribute("aria-selected", "false");
      this.body.replaceChildren(...shown.map(({ root }) => root));
      [...this.head.children].forEach((cell, k) => {
        if (k === column) cell.setAttribute("aria-sort", falling ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      });
      write(this.message, problem ?? (shown.length < this.rows.length ? `${shown.length} of ${this.rows.length} cut-offs` : ""));
      this.message.classList.toggle("explorer-problem", problem !== null);
      this.filter.setAttribute("aria-invalid", String(problem !== null));
      this.marked = undefined;
      this.mark(this.store.state.point);
    }

    // Which points the filter keeps, and what is wrong with it.
    kept() {
      const { model } = this;
      const { readBounds, meets } = explorer.select;
      const all = new Array(model.size).fill(true);
      try {
        const bounds = readBounds(this.filter.value, model);
        return [meets(bounds, (name) => model.means(name, this.store.state.prevalence), model.size), null];
      } catch (error) {
        return [all, error.message];
      }
    }

    // The row of the selected point stands out and is scrolled to; Tab leads to it.
    mark(point) {
      if (this.marked === point) return;
      this.marked = point;
      for (const row of this.body.querySelectorAll('[aria-selected="true"], [tabindex="0"]')) {
        row.setAttribute("aria-selected", "false");
        row.tabIndex = -1;
      }
      const row = this.shown.find((one) => one.point === point)?.root;
      const first = row ?? this.shown[0]?.root;
      if (first !== undefined) first.tabIndex = 0;
      if (row === undefined) return;
      row.setAttribute("aria-selected", "true");
      const { box } = this;
      const top = row.offsetTop - this.head.offsetHeight;
      const bottom = row.offsetTop + row.offsetHeight;
      if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
    }

    choose(node) {
      const row = node.closest("tr");
      if (row !== null) this.store.set({ point: Number(row.dataset.point) });
    }

    onKey(event) {
      const row = event.target.closest("tr");
      const at = this.shown.findIndex(({ root }) => root === row);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.shown.length - 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") this.choose(row);
      else if (to === undefined) return;
      else this.shown[Math.min(Math.max(to, 0), this.shown.length - 1)].root.focus();
      event.preventDefault();
    }
  }

  explorer.Criterion = Criterion;
})();
