// PPV and NPV at the prevalence that the reader sets, and how they depend on it at the current cut-off.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { svg, change, write } = explorer.dom;
  const { figure, withInterval } = explorer.texts;
  const state$ = explorer.state;

  const WIDTH = 320;
  const HEIGHT = 170;
  const EDGE = { left: 38, right: 44, top: 10, bottom: 36 };
  const STEPS = 80;
  const NAMES = [["precision", "PPV"], ["npv", "NPV"]];

  const across = (p) => EDGE.left + p * (WIDTH - EDGE.left - EDGE.right);
  const up = (v) => HEIGHT - EDGE.bottom - v * (HEIGHT - EDGE.top - EDGE.bottom);

  function ground() {
    const [left, right, top, bottom] = [across(0), across(1), up(1), up(0)];
    const texts = [0, 0.5, 1].flatMap((tick) => [
      svg("path", { d: `M${left},${up(tick)}H${right}M${across(tick)},${top}V${bottom}`, class: "x-grid" }),
      svg("text", { x: left - 6, y: up(tick) + 4, "text-anchor": "end" }, String(tick)),
      svg("text", { x: across(tick), y: bottom + 15, "text-anchor": "middle" }, String(tick)),
    ]);
    return [...texts, svg("text", { x: (left + right) / 2, y: HEIGHT - 4, "text-anchor": "middle", class: "x-name" }, "Prevalence")];
  }

  class Prevalence {
    constructor(model, store) {
      this.model = model;
      [this.dial] = explorer.controls.prevalenceDials(model, store);
      this.values = NAMES.map(([name]) => element("span", { class: "explorer-value", "data-predictive": name }));
      this.reset = element("button", { type: "button", class: "explorer-data" }, "As in the data");
      this.reset.addEventListener("click", () => store.set({ prevalence: null }));
      this.note = element("p", { class: "explorer-hint explorer-prevalence-note", role: "status" });
      this.lines = NAMES.map(([name]) => svg("path", { class: `x-${name}` }));
      this.labels = NAMES.map(([, text]) => svg("text", { x: across(1) + 5, class: "x-name" }, text));
      this.mark = svg("path", { class: "x-chance" });
      this.dots = svg("path", { class: "x-point" });
      this.plot = svg(
        "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "explorer-predictive", role: "img" },
        ...ground(), this.mark, ...this.lines, ...this.labels, this.dots,
      );
      const values = NAMES.map(([, text], k) => element("p", { class: "explorer-predicted" }, element("strong", {}, text), " ", this.values[k]));
      this.root = element(
        "fieldset", { class: "explorer-prevalence" }, element("legend", {}, "PPV and NPV by prevalence"),
        this.dial.root, ...values, this.note, this.reset, this.plot,
      );
    }

    at(name, point, p) {
      return this.model.momentsAt(name, point, p).mean;
    }

    draw(state) {
      const { model } = this;
      const { point } = state;
      const [, prevalence] = state$.shares(model, state);
      this.dial.draw(prevalence);
      const found = NAMES.map(([name]) => {
        const { mean: value, sd, n } = model.momentsAt(name, point, state.prevalence);
        return model.estimateAt(name, point, state.level, state.prevalence) ?? { value, error: sd / Math.sqrt(n) };
      });
      found.forEach((one, k) => {
        const error = Number.isFinite(one.error) ? ` (standard error ${figure(one.error)})` : "";
        write(this.values[k], withInterval(one, model.payload.levels[state.level]) + error, one.value);
      });
      this.drawNote(prevalence);
      this.drawPlot(point, prevalence, found);
    }

    drawNote(prevalence) {
      const sizes = this.model.classSizes();
      const own = sizes[1] / (sizes[0] + sizes[1]);
      const differs = Math.abs(prevalence - own) > 1e-12;
      write(this.note, differs ? `The prevalence in the data is ${figure(own)}: PPV and NPV are those at ${figure(prevalence)}.` : "");
      this.note.hidden = this.reset.hidden = !differs;
    }

    drawPlot(point, prevalence, found) {
      const ps = Array.from({ length: STEPS + 1 }, (_, k) => k / STEPS);
      const ends = NAMES.map(([name], k) => {
        const places = ps.map((p) => [p, this.at(name, point, p)]).filter(([, v]) => Number.isFinite(v));
        change(this.lines[k], { d: places.map(([p, v], i) => `${i ? "L" : "M"}${across(p).toFixed(1)},${up(v).toFixed(1)}`).join("") });
        return places.length === 0 ? null : places[places.length - 1][1];
      });
      this.labels.forEach((label, k) => {
        change(label, { y: up(ends[k] ?? 0) + 4 });
        label.toggleAttribute("hidden", ends[k] === null);
      });
      change(this.mark, { d: `M${across(prevalence)},${up(0)}V${up(1)}` });
      const seen = found.filter(({ value }) => Number.isFinite(value));
      change(this.dots, { d: seen.map(({ value }) => `M${across(prevalence)},${up(value)}${explorer.dom.SHAPES.point(4)}`).join("") });
      const texts = found.map(({ value }, k) => `${NAMES[k][1]} ${figure(value)}`);
      change(this.plot, { "aria-label": `PPV and NPV against prevalence at this cut-off; at ${figure(prevalence)}: ${texts.join(", ")}` });
    }
  }

  explorer.Prevalence = Prevalence;
})();
