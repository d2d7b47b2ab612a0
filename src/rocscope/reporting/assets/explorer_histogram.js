// The scores of both classes, the positive ones upwards and the negative ones downwards, and the cut between them.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { svg, change } = explorer.dom;
  const { count } = explorer.texts;

  // A picture of the scores for those who do not see it: a slider of the cut-off, and who tests positive.
  explorer.describeScores = (name, root, model, state) => {
    const cells = model.confusion(state.point);
    const [negative, positive] = model.classes;
    change(root, {
      "aria-label":
        `${name}. Test positive: ${count(cells[1][1])} of class ${positive} and ` +
        `${count(cells[0][1])} of class ${negative}.`,
      "aria-valuenow": model.size - 1 - model.payload.order.indexOf(state.point),
      "aria-valuetext": `Cut-off: ${model.text("labels", state.point)}`,
    });
  };

  const WIDTH = 440;
  const HEIGHT = 190;
  const EDGE = { left: 56, right: 18, top: 20, bottom: 34 };
  const MIDDLE = (HEIGHT - EDGE.bottom + EDGE.top) / 2;

  // Height of each bar: the share of the class, and per width where the bins are not equally wide.
  function densities({ edges, counts, even }) {
    return counts.map((ofClass) => {
      const all = ofClass.reduce((sum, n) => sum + n, 0) || 1;
      return ofClass.map((n, k) => n / all / (even ? 1 : edges[k + 1] - edges[k]));
    });
  }

  class Histogram {
    constructor(model) {
      this.model = model;
      this.data = model.payload.histogram;
      const { edges } = this.data;
      [this.low, this.high] = [edges[0], edges[edges.length - 1]];
      this.decided = svg("rect", { y: EDGE.top, height: HEIGHT - EDGE.top - EDGE.bottom, class: "x-decided" });
      this.cut = svg("path", { class: "x-cut" });
      this.root = svg(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "explorer-histogram", tabindex: 0, role: "slider",
          "aria-valuemin": 0, "aria-valuemax": model.size - 1,
        },
        this.decided, ...this.bars(), ...this.axis(), this.cut,
      );
    }

    across(value) {
      // Divided first: the range of the scores may be more than a float holds.
      const span = this.high / 2 - this.low / 2;
      const share = (value / 2 - this.low / 2) / span;
      const within = Math.min(Math.max(share, 0), 1);
      return EDGE.left + (this.model.lower ? 1 - within : within) * (WIDTH - EDGE.left - EDGE.right);
    }

    bars() {
      const heights = densities(this.data);
      const top = Math.max(...heights.flat()) || 1;
      const room = MIDDLE - EDGE.top - 2;
      const { edges } = this.data;
      return heights.map((ofClass, c) => {
        const d = ofClass.map((height, k) => {
          const [x, end] = [this.across(edges[k]), this.across(edges[k + 1])].sort((a, b) => a - b);
          const y = (height / top) * room * (c === 1 ? -1 : 1);
          return height > 0 ? `M${x.toFixed(2)},${MIDDLE}V${(MIDDLE + y).toFixed(2)}H${end.toFixed(2)}V${MIDDLE}Z` : "";
        });
        return svg("path", { d: d.join(""), class: c === 1 ? "x-positive" : "x-negative" });
      });
    }

    axis() {
      const [left, right] = [EDGE.left, WIDTH - EDGE.right];
      const bottom = HEIGHT - EDGE.bottom;
      const ends = [this.low, this.low / 2 + this.high / 2, this.high];
      const texts = ends.map((value, k) =>
        svg("text", { x: this.across(value), y: bottom + 15, "text-anchor": ["start", "middle", "end"][this.model.lower ? 2 - k : k] },
          String(Number(value.toPrecision(4)))),
      );
      const name = svg("text", { x: (left + right) / 2, y: HEIGHT - 3, "text-anchor": "middle", class: "x-name" }, "Score");
      const [negative, positive] = this.model.classes;
      const sides = [[positive, EDGE.top + 6, "x-positive-text"], [negative, bottom - 2, "x-negative-text"]];
      const labels = sides.map(([text, y, kind]) =>
        svg("text", { x: left - 6, y, "text-anchor": "end", class: kind }, shortened(text), svg("title", {}, text)),
      );
      return [svg("path", { d: `M${left},${MIDDLE}H${right}`, class: "x-axis" }), ...texts, name, ...labels];
    }

    draw(state) {
      const threshold = this.model.thresholds[state.point];
      const x = this.across(threshold === Infinity ? this.high : threshold);
      const right = WIDTH - EDGE.right;
      change(this.decided, { x, width: Math.max(0, right - x) });
      change(this.cut, { d: `M${x - 5},${EDGE.top - 14}h10l-5,8zm5,8V${HEIGHT - EDGE.bottom}`, "data-threshold": threshold });
      explorer.describeScores("Histogram of the scores", this.root, this.model, state);
    }

    // The point whose threshold is nearest to a place on the screen.
    nearest(clientX) {
      const box = this.root.getBoundingClientRect();
      const x = ((clientX - box.left) / box.width) * WIDTH;
      const places = this.model.thresholds.map((t) => Math.abs(this.across(t === Infinity ? this.high : t) - x));
      return places.indexOf(Math.min(...places));
    }
  }

  const shortened = (text) => (text.length > 7 ? `${text.slice(0, 5)}\u2026` : text);

  explorer.Histogram = Histogram;
})();
