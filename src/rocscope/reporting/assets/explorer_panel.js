// What the selected point is worth: its name, a sentence, the confusion matrix and every measure.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { table, write, named, fresh } = explorer.dom;
  const { figure, count, percent, pointName, reading, lacking } = explorer.texts;

  const decisions = (model) => [...model.classes, ...(model.columns > model.classes.length ? ["rejected"] : [])];

  // Of two classes the positive one comes first, as in every other 2x2 table of the page.
  function classOrder(model) {
    const order = [...model.classes.keys()];
    return order.length === 2 ? order.reverse() : order;
  }

  // Of so many classes a cell has the share alone, in per cent: a map of numbers and colours.
  const MANY = 5;
  const isMap = (model) => model.classes.length >= MANY;

  // A share in per cent and below it its standard error; nothing where it rounds to 0.
  function mapped({ mean, se }, sign = "") {
    const shown = Math.round(100 * mean);
    if (Number.isNaN(mean) || shown === 0) return "";
    const error = Number.isNaN(se) ? "" : `\n\u00b1${Math.round(100 * se)}`;
    return `${mean > 0 ? sign : ""}${String(shown).replace("-", "\u2212")}${error}`;
  }

  // The colour of a cell: of differences one for either sign.
  function shade(cell, share, colour = "--x-curve") {
    const strength = Number.isNaN(share) ? 0 : Math.round(55 * Math.min(1, Math.abs(share)));
    cell.style.background = `color-mix(in srgb, var(${colour}) ${strength}%, transparent)`;
  }

  // A matrix of cells, true class by decision, and how to find each by the numbers of its classes.
  function matrix(model, caption) {
    const cells = model.classes.map(() => decisions(model).map(() => element("td")));
    const rowOrder = classOrder(model);
    const columnOrder = [...rowOrder, ...[...decisions(model).keys()].slice(rowOrder.length)]; // the rejected last
    const head = ["true \\ classified as", ...columnOrder.map((c) => named(decisions(model)[c]))];
    const rows = rowOrder.map((r) => [named(model.classes[r]), ...columnOrder.map((c) => cells[r][c])]);
    const root = element("div", { class: "scroll explorer-matrix" }, table(caption, head, rows));
    root.style.setProperty("--columns", decisions(model).length + 1);
    root.classList.toggle("explorer-map", isMap(model));
    return { root, cells };
  }

  class Panel {
    constructor(model) {
      this.model = model;
      this.title = element("h3", { class: "explorer-title" });
      this.reading = element("p", { class: "reading explorer-reading", id: fresh() });
      const over = model.averaged ? `, ${model.folds} folds together` : "";
      const what = isMap(model) ? ": % of each true class \u00b1 standard error" : "";
      this.confusion = matrix(model, `Confusion matrix${over}${what}`);
      this.confusion.root.classList.add("explorer-confusion");
      this.rows = model.names.map((name) => ({ name, cells: columns(model).map(() => element("td")) }));
      this.header = ["Measure", ...columns(model)];
      const caption = model.averaged
        ? "Measures: mean, standard deviation and standard error over the folds"
        : "Measures: value, standard error, ends of the interval";
      const rows = this.rows.map(({ name, cells }) => [named(model.label(name)), ...cells]);
      this.measures = element("div", { class: "scroll explorer-measures" }, table(caption, this.header, rows));
      const lines = this.measures.querySelectorAll("tbody tr");
      this.rows.forEach(({ name }, k) => (lines[k].dataset.measure = name));
      this.root = element(
        "div", { class: "explorer-panel" }, this.title, this.reading, this.confusion.root, this.measures,
      );
    }

    draw(state, { alike }) {
      const { model } = this;
      write(this.title, pointName(model, state.point), model.payload.index[state.point]);
      write(this.reading, reading(model, state, alike));
      this.drawConfusion(state);
      for (const { name, cells } of this.rows) {
        (model.averaged ? drawMoments : drawEstimate)(model, state, name, cells);
      }
    }

    drawConfusion(state) {
      const sizes = this.model.classSizes();
      this.model.confusion(state.point).forEach((row, r) =>
        row.forEach((n, c) => {
          const share = sizes[r] > 0 ? ` (${percent(n / sizes[r])})` : "";
          const [cell, text] = [this.confusion.cells[r][c], count(n) + share];
          if (!isMap(this.model)) return write(cell, text, n);
          const rate = this.model.rateAt(state.point, r, c);
          shade(write(cell, mapped(rate), n, text), rate.mean);
        }),
      );
    }
  }

  const columns = (model) => (model.averaged ? ["Mean", "SD", "SE"] : ["Value", "SE", "Low", "High"]);

  // Numbers in cells; where there is none, a word says so and its title why.
  function fill(cells, numbers, why, { more = "", title } = {}) {
    numbers.forEach((number, k) => {
      const none = Number.isNaN(number) ? why(k) : null;
      const text = none === null ? figure(number) + (k === 0 ? more : "") : none.word;
      write(cells[k], text, number, none?.title ?? (k === 0 ? title : undefined));
    });
  }

  // The largest error of a mean is not the mean of the largest errors.
  const OVER_FOLDS = { "max-class-error": "the mean over the folds of the largest error of each fold" };

  function drawMoments(model, state, name, cells) {
    const { mean, sd, n } = model.momentsAt(name, state.point, state.prevalence, explorer.state.heldCost(model, state));
    const some = n < model.folds && n > 0 ? ` (${n} of ${model.folds} folds)` : "";
    fill(cells, [mean, sd, sd / Math.sqrt(n)], () => lacking.overFolds(model, state, name, n), {
      more: some, title: model.ownMeasures.has(name) ? undefined : OVER_FOLDS[name],
    });
  }

  // One test set: the value, and what the binomial distribution says of it.
  function drawEstimate(model, state, name, cells) {
    const cost = explorer.state.heldCost(model, state);
    const [value] = model.valuesAt(name, state.point, state.prevalence, cost);
    const estimate = model.estimateAt(name, state.point, state.level, state.prevalence, cost);
    const numbers = estimate === null ? [NaN, NaN, NaN] : [estimate.se, estimate.low, estimate.high];
    fill(cells, [value, ...numbers], () => lacking.ofCases(model, state, name, value));
  }

  explorer.Panel = Panel;
  Object.assign(explorer, { matrix, isMap, mapped, shade });
})();
