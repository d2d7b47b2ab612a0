// What the selected point is worth: its name, a sentence, the 2x2 table or confusion matrix, and every measure.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { table, write, named, fresh } = explorer.dom;
  const { figure, count, percent, reading, lacking, span } = explorer.texts;

  const decisions = (model) => [...model.classes, ...(model.columns > model.classes.length ? ["rejected"] : [])];

  // Of two classes the positive one comes first.
  function classOrder(model) {
    const order = [...model.classes.keys()];
    return order.length === 2 ? order.reverse() : order;
  }

  // The 2x2 table of a test as STARD has it: result of the test by true state, the condition present first.
  function testTable(model, caption, withTotals) {
    const cells = [0, 1].map(() => [0, 1].map(() => element("td")));
    const totals = { test: [element("td"), element("td")], state: [element("td"), element("td")], all: element("td") };
    const state = (r, is) => element("span", {}, named(model.classes[r]), ` (${is})`);
    const line = (name, c) => [name, cells[1][c], cells[0][c], ...(withTotals ? [totals.test[c]] : [])];
    const rows = [line("Test positive", 1), line("Test negative", 0)];
    if (withTotals) rows.push(["Total", totals.state[1], totals.state[0], totals.all]);
    const head = ["", state(1, "present"), state(0, "absent"), ...(withTotals ? ["Total"] : [])];
    const root = element("div", { class: "scroll explorer-matrix explorer-two" }, table(caption, head, rows));
    root.style.setProperty("--columns", withTotals ? 4 : 3);
    return { root, cells, totals };
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
  function matrix(model, caption, withTotals = false) {
    if (model.isTest) return testTable(model, caption, withTotals);
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
      const caption = model.isTest ? `2\u00d72 table, % of each class${over}` : `Confusion matrix${over}${what}`;
      this.confusion = matrix(model, caption, true);
      this.confusion.root.classList.add("explorer-confusion");
      this.cutpoint = element("p", { class: "explorer-cutpoint" });
      this.rows = [];
      const first = model.payload.n_first;
      const heading = model.averaged
        ? "Measures: mean, standard deviation and standard error over the folds"
        : "Measures: value, standard error, ends of the interval";
      this.measures = this.measureTable(heading, model.names.slice(0, first));
      const rest = model.names.slice(first);
      this.more = rest.length === 0 ? null : element(
        "details", { class: "explorer-more" }, element("summary", {}, "More measures"), this.measureTable(heading.replace("Measures", "More measures"), rest),
      );
      this.root = element("div", { class: "explorer-panel" }, this.title, this.reading, this.confusion.root, this.cutpoint);
    }

    measureTable(caption, names) {
      const { model } = this;
      const own = names.map((name) => ({ name, cells: columns(model).map(() => element("td")) }));
      const rows = own.map(({ name, cells }) => [named(model.label(name)), ...cells]);
      const root = element("div", { class: "scroll explorer-measures" }, table(caption, ["Measure", ...columns(model)], rows));
      const lines = root.querySelectorAll("tbody tr");
      own.forEach(({ name }, k) => (lines[k].dataset.measure = name));
      this.rows.push(...own);
      return root;
    }

    draw(state, { alike }) {
      const { model } = this;
      const label = model.text("labels", state.point);
      const what = model.thresholds === null ? "Point" : "Cut-off";
      write(this.title, `${what}: ${label}`, model.payload.index[state.point]);
      write(this.cutpoint, cutpointText(model, state));
      this.cutpoint.hidden = this.cutpoint.textContent === "";
      write(this.reading, reading(model, state, alike));
      this.drawConfusion(state);
      for (const { name, cells } of this.rows) {
        (model.averaged ? drawMoments : drawEstimate)(model, state, name, cells);
      }
    }

    drawTotals(cells, sizes) {
      const { test, state, all } = this.confusion.totals;
      for (const k of [0, 1]) {
        write(test[k], count(cells[0][k] + cells[1][k]), cells[0][k] + cells[1][k]);
        write(state[k], count(sizes[k]), sizes[k]);
      }
      write(all, count(sizes[0] + sizes[1]), sizes[0] + sizes[1]);
    }

    drawConfusion(state) {
      const sizes = this.model.classSizes();
      if (this.model.isTest) this.drawTotals(this.model.confusion(state.point), sizes);
      this.model.confusion(state.point).forEach((row, r) =>
        row.forEach((n, c) => {
          const share = sizes[r] > 0 ? ` (${percent(n / sizes[r], 3)})` : "";
          const [cell, text] = [this.confusion.cells[r][c], count(n) + share];
          if (!isMap(this.model)) return write(cell, text, n);
          const rate = this.model.rateAt(state.point, r, c);
          shade(write(cell, mapped(rate), n, text), rate.mean);
        }),
      );
    }
  }

  // How sure the cut-off is that a rule selected, and what it is worth on cases that did not select it.
  function cutpointText(model, { point }) {
    const cut = model.payload.cutpoint;
    if (!cut || model.thresholds === null || model.thresholds[point] !== explorer.readNumber(cut.threshold)) return "";
    const figures = (end) => (Number.isFinite(end) ? String(Number(end.toPrecision(4))) : String(end));
    const ends = [cut.low, cut.high].map(figures);
    const how = cut.method === "bootstrap" ? `selected again on ${cut.n_boot} bootstrap samples` : "order statistics";
    const interval = cut.low === null
      ? `The cut-off has no interval: ${cut.reason}.`
      : `${percent(cut.level)} CI of the cut-off: ${span(...ends)} (${how}).`;
    const known = ["sensitivity", "specificity", "youden"].filter((name) => cut[name] !== null);
    const values = known.map((name) => `${name === "youden" ? "Youden's index" : name} ${figure(cut[name])}`);
    return values.length ? `${interval} On cases left out: ${values.join(", ")}.` : interval;
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
