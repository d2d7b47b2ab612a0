// What the chosen point is worth: its name, a sentence, the confusion matrix and every measure.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { table, write, fresh } = explorer.dom;
  const { asShare } = explorer.measures;
  const { wilson } = explorer.numbers;
  const { figure, count, percent, pointName, reading } = explorer.words;

  const decisions = (model) => [...model.classes, ...(model.columns > model.classes.length ? ["rejected"] : [])];

  // A matrix of cells, true class by decision, and how to find each.
  function matrix(model, caption) {
    const cells = model.classes.map(() => decisions(model).map(() => element("td")));
    const head = ["true \\ called", ...decisions(model)];
    const rows = model.classes.map((name, r) => [name, ...cells[r]]);
    return { root: element("div", { class: "scroll" }, table(caption, head, rows)), cells };
  }

  class Panel {
    constructor(model) {
      this.model = model;
      this.title = element("h3", { class: "explorer-title" });
      this.reading = element("p", { class: "reading explorer-reading", id: fresh() });
      const over = model.averaged ? `, ${model.folds} folds together` : "";
      this.confusion = matrix(model, `Confusion matrix${over}`);
      this.confusion.root.classList.add("explorer-confusion");
      this.rows = model.names.map((name) => ({ name, cells: columns(model).map(() => element("td")) }));
      this.header = ["Measure", ...columns(model)];
      const caption = model.averaged
        ? "Measures: mean, standard deviation and standard error over the folds"
        : "Measures; shares of cases with Wilson's interval";
      const rows = this.rows.map(({ name, cells }) => [model.label(name), ...cells]);
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
        (model.averaged ? drawMoments : drawShare)(model, state, name, cells);
      }
    }

    drawConfusion(state) {
      const sizes = this.model.classSizes();
      this.model.confusion(state.point).forEach((row, r) =>
        row.forEach((n, c) => {
          const share = sizes[r] > 0 ? ` (${percent(n / sizes[r])})` : "";
          write(this.confusion.cells[r][c], count(n) + share, n);
        }),
      );
    }
  }

  const columns = (model) => (model.averaged ? ["Mean", "SD", "SE"] : ["Value", "Low", "High"]);

  function drawMoments(model, state, name, cells) {
    const { mean, sd, n } = model.momentsAt(name, state.point, state.prevalence, explorer.state.heldCost(model, state));
    [mean, sd, sd / Math.sqrt(n)].forEach((value, k) => {
      const some = k === 0 && n < model.folds && n > 0 ? ` (${n} of ${model.folds} folds)` : "";
      write(cells[k], (Number.isNaN(value) && k > 0 ? "\u2013" : figure(value)) + some, value);
    });
  }

  // One test set: the value, and for shares of cases Wilson's interval.
  function drawShare(model, state, name, cells) {
    const [value] = model.valuesAt(name, state.point, state.prevalence, explorer.state.heldCost(model, state));
    const share = model.payload.counted ? asShare(name, model.pooled(state.point), state.prevalence) : null;
    const ends = share && share[1] > 0 ? wilson(...share, model.payload.z[state.level]) : [NaN, NaN];
    [value, ...ends].forEach((number, k) =>
      write(cells[k], Number.isNaN(number) && k > 0 ? "\u2013" : figure(number), number),
    );
  }

  explorer.Panel = Panel;
  explorer.matrix = matrix;
})();
