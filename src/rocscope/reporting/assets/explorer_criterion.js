// The criterion table: what every cut-off is worth with intervals, to sort, to filter and to select from.
// The same numbers as RocCurve.coords() of inference/criterion_table.py.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { write, labelled, fresh } = explorer.dom;
  const { figure, percent, span } = explorer.texts;

  const MEASURES = [
    ["tpr", "Sensitivity"], ["tnr", "Specificity"], ["lr_pos", "+LR"], ["lr_neg", "\u2212LR"], ["precision", "+PV"], ["npv", "\u2212PV"],
  ];

  // The names of a file's columns: no spreadsheet reads them as formulas.
  const NAMES = { lr_pos: "LR+", lr_neg: "LR-", precision: "PPV", npv: "NPV" };

  const MANY = 120; // of more rows only those near the ones in sight are in the page; they are made again when the reader pauses
  const AROUND = 40; // rows above and below those in sight
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
    const ends = write(element("td"), Number.isNaN(low) ? "" : span(figure(low), figure(high)));
    ends.dataset.low = String(low);
    ends.dataset.high = String(high);
    return [shown, ends];
  }

  const below = (a, b) => (Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b || 0);

  // A row of which numbers and cells are made when they are needed: a curve has thousands.
  class Row {
    constructor(model, point, state, ends) {
      Object.assign(this, { model, point, state, ends });
    }

    get entries() {
      return (this.numbers ??= MEASURES.map(([name]) => entry(this.model, name, this.point, this.state)));
    }

    // What a column is sorted by.
    key(column) {
      if (column === 0) return this.model.thresholds[this.point];
      const { value, low } = this.entries[Math.floor((column - 1) / (this.ends ? 2 : 1))];
      return this.ends && column % 2 === 0 ? low : value;
    }

    get root() {
      if (this.made === undefined) {
        const name = write(element("th", { scope: "row" }), criterion(this.model, this.point), this.key(0));
        const rest = this.entries.flatMap((one) => cells(this.model, one));
        this.made = element("tr", { tabindex: -1, "aria-selected": "false", "data-point": this.point }, name, ...rest);
      }
      return this.made;
    }

    // The texts for a file: the ends of an interval have their own columns.
    get texts() {
      const text = (value) => (Number.isNaN(value) ? "" : String(value).replace("Infinity", "inf"));
      const { averaged, payload } = this.model;
      const wanted = averaged ? ["value", "low"] : payload.counted ? ["value", "low", "high"] : ["value"];
      return [criterion(this.model, this.point), ...this.entries.flatMap((one) => wanted.map((name) => text(one[name])))];
    }
  }

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
      this.grid = grid;
      [this.above, this.under] = [0, 1].map(() => element("tr", { class: "explorer-space", "aria-hidden": "true" }));
      this.box = element("div", { class: "explorer-criteria" }, grid);
      this.box.addEventListener("scroll", () => this.place(), { passive: true });
      const take = rocscope.takeAway?.(grid, `All cut-offs${model.payload.name ? ` of ${model.payload.name}` : ""}`, () => this.texts);
      this.root = element(
        "details", { class: "explorer-criterion" }, element("summary", {}, `All cut-offs (${model.size})`),
        labelled("Show cut-offs with", this.filter), this.message, this.box, ...(take ? [take] : []),
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
      const ends = more.length > 0;
      this.rows = model.payload.order.map((point) => new Row(model, point, state, ends));
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
      const side = (row) => row.key(column);
      shown.sort((a, b) => (Number.isNaN(side(a)) || Number.isNaN(side(b)) || !falling ? below(side(a), side(b)) : below(side(b), side(a))));
      this.shown = shown;
      for (const { made } of this.rows) made?.setAttribute("aria-selected", "false");
      this.body.replaceChildren();
      [...this.head.children].forEach((cell, k) => {
        if (k === column) cell.setAttribute("aria-sort", falling ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      });
      write(this.message, problem ?? (shown.length < this.rows.length ? `${shown.length} of ${this.rows.length} cut-offs` : ""));
      this.message.classList.toggle("explorer-problem", problem !== null);
      this.filter.setAttribute("aria-invalid", String(problem !== null));
      this.grid.setAttribute("aria-rowcount", shown.length + 1);
      shown.forEach((row, k) => (row.rank = k));
      this.marked = undefined;
      this.range = undefined;
      this.place();
      this.mark(this.store.state.point);
    }

    // The rows in sight and some around them; space stands for all others. A row with the focus stays.
    place(center) {
      const { shown, box, body } = this;
      const count = shown.length;
      if (count <= MANY) {
        if (this.range === undefined) body.replaceChildren(...shown.map(({ root }) => root));
        this.range = [0, count];
        return;
      }
      if (this.range === undefined) {
        body.replaceChildren(...shown.slice(0, AROUND).map(({ root }) => root));
        this.height = (body.getBoundingClientRect().height || 22 * AROUND) / AROUND;
      }
      const inSight = Math.ceil(box.clientHeight / this.height);
      const first = center === undefined ? Math.floor(box.scrollTop / this.height) : center - Math.floor(inSight / 2);
      const near = this.range !== undefined && first - this.range[0] >= Math.min(first, AROUND / 4) && this.range[1] - first - inSight >= Math.min(count - first - inSight, AROUND / 4);
      if (near) return;
      const from = Math.max(0, Math.min(first, count - inSight) - AROUND);
      const to = Math.min(count, from + inSight + 2 * AROUND);
      this.range = [from, to];
      // Columns do not become narrower on the way.
      for (const cell of this.head.children) cell.style.minWidth = `${cell.getBoundingClientRect().width}px`;
      this.above.style.height = `${from * this.height}px`;
      this.under.style.height = `${(count - to) * this.height}px`;
      const focus = body.contains(document.activeElement) ? document.activeElement : null;
      body.replaceChildren(this.above, ...shown.slice(from, to).map(({ root }) => root), this.under);
      shown.slice(from, to).forEach(({ root, rank }) => root.setAttribute("aria-rowindex", rank + 2));
      if (focus !== null && body.contains(focus)) focus.focus({ preventScroll: true });
      if (this.marked === undefined || shown[from].rank <= this.at && this.at < to) this.select();
    }

    // Head and shown rows for a file.
    get texts() {
      const { model } = this;
      const level = percent(model.payload.levels[this.store.state.level]);
      const more = model.averaged ? ["SE"] : model.payload.counted ? [`${level} CI low`, `${level} CI high`] : [];
      const titles = MEASURES.map(([name, title]) => NAMES[name] ?? title);
      const head = ["Criterion", ...titles.flatMap((title) => [title, ...more.map((one) => `${title}, ${one}`)])];
      return [head, ...this.shown.map(({ texts }) => texts)];
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
      this.at = this.shown.findIndex((one) => one.point === point);
      if (this.at >= 0) this.place(this.at);
      this.select();
      if (this.at < 0) return;
      const { root } = this.shown[this.at];
      const { box } = this;
      const top = root.offsetTop - this.head.offsetHeight;
      const bottom = root.offsetTop + root.offsetHeight;
      if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
    }

    select() {
      for (const row of this.body.querySelectorAll('[aria-selected="true"], [tabindex="0"]')) {
        row.setAttribute("aria-selected", "false");
        row.tabIndex = -1;
      }
      const row = this.shown[this.at]?.made;
      const here = row !== undefined && this.body.contains(row);
      const first = here ? row : this.shown[this.range?.[0] ?? 0]?.made;
      if (first !== undefined) first.tabIndex = 0;
      if (here) row.setAttribute("aria-selected", "true");
    }

    choose(node) {
      const row = node.closest("tr[data-point]");
      if (row !== null) this.store.set({ point: Number(row.dataset.point) });
    }

    onKey(event) {
      const row = event.target.closest("tr");
      const at = this.shown.findIndex(({ made }) => made === row);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.shown.length - 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") this.choose(row);
      else if (to === undefined) return;
      else {
        const next = Math.min(Math.max(to, 0), this.shown.length - 1);
        this.place(next);
        this.shown[next].root.focus();
      }
      event.preventDefault();
    }
  }

  explorer.Criterion = Criterion;
})();
