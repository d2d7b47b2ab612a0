// The pinned point: how the two confusion matrices differ, and the test between the points.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { table, write, named } = explorer.dom;
  const { figure, signed, count, signedCount, pValue, percent, listed, span } = explorer.texts;
  const { comparePair, betweenOnCurve, betweenMatrices } = explorer.test;

  class Pinned {
    constructor(model, store) {
      this.model = model;
      this.button = element("button", { type: "button", class: "explorer-pin" });
      this.button.addEventListener("click", () => this.toggle(store));
      this.back = element("button", { type: "button", class: "explorer-back" }, "Go to the pinned point");
      this.back.addEventListener("click", () => store.set({ point: store.state.pin, pin: store.state.point }));
      const unit = explorer.isMap(model) ? ", in % of each true class" : "";
      this.difference = explorer.matrix(
        model, `${model.isTest ? "2\u00d72 table" : "Confusion matrix"}: this point minus the pinned one${unit}`,
      );
      this.difference.root.classList.add("explorer-difference");
      this.test = element("div", { class: "scroll explorer-test" });
      this.verdict = element("p", { class: "reading explorer-verdict" });
      this.compared = element(
        "div", { class: "explorer-compared" }, this.difference.root, this.test, this.verdict,
      );
      const buttons = element("div", { class: "explorer-buttons" }, this.button, this.back);
      this.root = element("div", { class: "explorer-pinned" }, buttons, this.compared);
    }

    toggle(store) {
      store.set({ pin: store.state.pin === null ? store.state.point : null });
    }

    draw(state) {
      const { model } = this;
      this.compared.hidden = this.back.hidden = state.pin === null;
      const pinned = state.pin === null ? null : model.payload.index[state.pin];
      write(this.button, pinned === null ? "Pin this point to compare others with it" : `Let go of pinned point ${pinned}`);
      if (state.pin === null) return;
      const [here, there] = [model.confusion(state.point), model.confusion(state.pin)];
      here.forEach((row, r) =>
        row.forEach((n, c) => {
          const d = n - there[r][c];
          const cell = this.difference.cells[r][c];
          if (!explorer.isMap(model)) return write(cell, signedCount(d), d);
          const rate = model.rateAt(state.point, r, c, state.pin);
          write(cell, explorer.mapped(rate, "+"), d, signedCount(d));
          explorer.shade(cell, 5 * rate.mean, rate.mean > 0 ? "--x-curve" : "--x-point");
        }),
      );
      const onCurve = model.payload.order !== null;
      (model.averaged ? drawFoldTest : onCurve ? drawCurveTest : drawDifferences)(this, state);
    }

    show(caption, header, rows, verdict) {
      const lines = rows.map(({ name, cells }) => [
        named(name), ...cells.map(([text, value]) => write(element("td"), text, value)),
      ]);
      this.test.replaceChildren(...(rows.length ? [table(caption, header, lines)] : []));
      write(this.verdict, verdict);
    }
  }

  const isOrAre = (alike) => (alike ? "are indistinguishable" : "differ");

  function drawFoldTest(pinned, state) {
    const { model } = pinned;
    const test = comparePair(model, state.pin, state.point, state);
    if (test.message) return pinned.show("", [], [], `${test.message}.`);
    const rows = test.rows.map((row) => ({
      name: model.label(row.name),
      cells: row.defined
        ? [
            [signed(row.mean), row.mean],
            [span(figure(row.low), figure(row.high)), row.low],
            [figure(row.statistic), row.statistic],
            [pValue(row.p), row.p],
          ]
        : [["undefined", NaN], ["\u2013", NaN], ["\u2013", NaN], ["\u2013", NaN]],
    }));
    const level = percent(model.payload.levels[state.level]);
    const df = model.payload.t[state.method].df;
    const caption = `Differences over the folds: ${state.method}, ${df} degrees of freedom`;
    const verdict = `By ${listed(state.measures.map((name) => model.inText(name)))} the two points ${isOrAre(test.alike)} at ${level}.`;
    pinned.show(caption, ["Measure", "Difference", `${level} interval`, "t", "p"], rows, verdict);
  }

  function drawCurveTest(pinned, state) {
    const { model } = pinned;
    const test = betweenOnCurve(model, state.pin, state.point, state);
    if (test.message) return pinned.show("", [], [], `${test.message}.`);
    const level = percent(model.payload.levels[state.level]);
    const rows = test.rows.map(({ name, moved, n, mean, low, high }) => ({
      name: model.label(name),
      cells: [
        [signed(mean), mean],
        [span(figure(low), figure(high)), low],
        [`${Math.abs(moved)} of ${n}`, Math.abs(moved)],
      ],
    }));
    const verdict =
      `By McNemar's exact test of the cases between them (p = ${pValue(test.p)}) the errors of the two ` +
      `points ${isOrAre(test.alike)} at ${level}.`;
    pinned.verdict.dataset.value = String(test.p);
    pinned.show("Rates: difference and cases between", ["Measure", "Difference", `${level} interval`, "Cases"], rows, verdict);
  }

  function drawDifferences(pinned, state) {
    const { model } = pinned;
    const rows = betweenMatrices(model, state.pin, state.point).rows.map(({ name, moved, n, mean }) => ({
      name: model.label(name),
      cells: [[n > 0 ? signed(mean) : "0/0", mean], [`${signedCount(moved)} of ${count(n)}`, moved]],
    }));
    const verdict =
      "There is no test between the two: their confusion matrices do not show which cases are wrong at both. " +
      "The fold of every case would give one.";
    const what = model.classes.length === 2 ? "Rates" : "Class errors";
    pinned.show(`${what}: this point minus the pinned one`, ["Measure", "Difference", "Cases"], rows, verdict);
  }

  explorer.Pinned = Pinned;
})();
