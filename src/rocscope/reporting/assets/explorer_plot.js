// The curve, or the cloud of points, with everything that is marked on it.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { svg, change, SHAPES } = explorer.dom;
  const { scale } = explorer;

  const SIZE = 440;
  const EDGE = { left: 56, right: 18, top: 14, bottom: 50 };
  const HALF_BARS = 6;
  const LONGEST = 48; // characters of an axis' label

  // A text that is longer than its axis is cut; pointed at, it shows all.
  function shortened(text) {
    return text.length > LONGEST ? [`${text.slice(0, LONGEST - 1)}\u2026`, svg("title", {}, text)] : [text];
  }

  // Bars that end in crosses: between two x at one height, and between two y.
  const barAcross = (ends, y) =>
    [`M${ends[0]},${y}H${ends[1]}`, ...ends.map((x) => `M${x},${y - HALF_BARS}v${2 * HALF_BARS}`)].join("");
  const barUp = (ends, x) =>
    [`M${x},${ends[0]}V${ends[1]}`, ...ends.map((y) => `M${x - HALF_BARS},${y}h${2 * HALF_BARS}`)].join("");

  class Plot {
    constructor(model) {
      this.model = model;
      const names = [
        "ground", "excluded", "chance", "iso", "feasible", "curve", "alike", "bars", "folds", "best", "pin", "point", "tip",
      ];
      this.layers = Object.fromEntries(names.map((name) => [name, svg("g")]));
      this.root = svg(
        "svg",
        {
          viewBox: `0 0 ${SIZE} ${SIZE}`, class: "explorer-plot", tabindex: 0, role: "slider",
          "aria-label": "Operating point", "aria-valuemin": 0, "aria-valuemax": model.size - 1,
        },
        ...names.map((name) => this.layers[name]),
      );
      this.paths = {};
      for (const name of ["iso", "feasible", "alike", "best", "pin", "point"]) {
        this.paths[name] = svg("path", { class: `x-${name}` });
        this.layers[name].append(this.paths[name]);
      }
      this.paths.folds = svg("path", { class: "x-fold" });
      this.layers.folds.append(this.paths.folds);
      this.paths.bars = svg("path", { class: "x-bars" });
      this.layers.bars.append(this.paths.bars);
      this.handle = svg("circle", { r: 18, class: "x-handle" });
      this.layers.point.append(this.handle);
      this.tip = new explorer.Tip(this, this.layers.tip);
    }

    across(value) {
      const { low, high } = this.x;
      return EDGE.left + ((value - low) / (high - low)) * (SIZE - EDGE.left - EDGE.right);
    }

    up(value) {
      const { low, high } = this.y;
      return SIZE - EDGE.bottom - ((value - low) / (high - low)) * (SIZE - EDGE.top - EDGE.bottom);
    }

    // Axes and curve change with the selected measures and, where these follow it, with the prevalence.
    place(state) {
      const key = JSON.stringify([state.x, state.y, state.prevalence, state.cost, state.aim, state.level]);
      if (this.placed === key) return;
      this.placed = key;
      const cost = explorer.state.heldCost(this.model, state);
      this.xs = this.model.means(state.x, state.prevalence, cost);
      this.ys = this.model.means(state.y, state.prevalence, cost);
      const two = this.model.classes.length === 2;
      [this.x, this.y] = [[state.x, this.xs], [state.y, this.ys]].map(([name, values]) =>
        scale(two ? values : this.withSpread(name, values, state), two),
      );
      this.px = this.xs.map((value) => this.across(value));
      this.py = this.ys.map((value) => this.up(value));
      this.isRoc = state.x === "fpr" && state.y === "tpr";
      this.drawGround(state);
      this.drawCurve();
    }

    // The values of a cloud, and how far its folds reach, which bars of standard errors never leave; of one set of
    // cases how far the intervals of its least and its largest value reach.
    withSpread(name, values, state) {
      const cost = explorer.state.heldCost(this.model, state);
      if (this.model.averaged) return [...values, ...this.model.values(name, state.prevalence, cost)];
      const ends = [Math.min, Math.max].map((end) => values.indexOf(end(...values)));
      const estimates = ends.filter((k) => k >= 0).map((k) => this.model.estimateAt(name, k, state.level, state.prevalence, cost));
      return [...values, ...estimates.flatMap((one) => (one === null ? [] : [one.low, one.high]))];
    }

    drawGround(state) {
      const [left, right, top, bottom] = [EDGE.left, SIZE - EDGE.right, EDGE.top, SIZE - EDGE.bottom];
      const parts = [];
      for (const tick of this.x.ticks) {
        const x = this.across(tick);
        parts.push(svg("path", { d: `M${x},${top}V${bottom}`, class: "x-grid" }));
        parts.push(svg("text", { x, y: bottom + 17, "text-anchor": "middle" }, String(tick)));
      }
      for (const tick of this.y.ticks) {
        const y = this.up(tick);
        parts.push(svg("path", { d: `M${left},${y}H${right}`, class: "x-grid" }));
        parts.push(svg("text", { x: left - 7, y: y + 4, "text-anchor": "end" }, String(tick)));
      }
      const middle = (left + right) / 2;
      const [xLabel, yLabel] = [state.x, state.y].map((name) => this.model.axisLabel(name));
      parts.push(svg("text", { x: middle, y: SIZE - 10, "text-anchor": "middle", class: "x-name" }, ...shortened(xLabel)));
      const turned = `translate(14,${(top + bottom) / 2}) rotate(-90)`;
      parts.push(svg("text", { transform: turned, "text-anchor": "middle", class: "x-name" }, ...shortened(yLabel)));
      this.layers.ground.replaceChildren(...parts);
      const diagonal = `M${this.across(0)},${this.up(0)}L${this.across(1)},${this.up(1)}`;
      this.layers.chance.replaceChildren(
        ...(this.isRoc ? [svg("path", { d: diagonal, class: "x-chance" })] : []),
      );
    }

    drawCurve() {
      const order = this.model.payload.order;
      if (order === null) {
        const dots = [...this.px.keys()].map((k) => this.mark("point", k, 2.2)).join("");
        this.layers.curve.replaceChildren(svg("path", { d: dots, class: "x-cloud" }));
        return;
      }
      const line = svg("path", { d: this.line(order), class: "x-curve" });
      const few = order.length <= 60 ? order.map((k) => this.mark("point", k, 2)).join("") : "";
      this.layers.curve.replaceChildren(line, svg("path", { d: few, class: "x-cloud" }));
    }

    // Whether both measures of a point are finite: others have no place.
    isSeen(k) {
      return Number.isFinite(this.px[k] + this.py[k]);
    }

    at(k) {
      return `${this.px[k].toFixed(2)},${this.py[k].toFixed(2)}`;
    }

    line(order) {
      return order.filter((k) => this.isSeen(k)).map((k, i) => (i ? "L" : "M") + this.at(k)).join("");
    }

    mark(shape, k, r) {
      return this.isSeen(k) ? `M${this.at(k)}${SHAPES[shape](r)}` : "";
    }

    draw(state, outcome) {
      this.place(state);
      const { alike, choice } = outcome;
      const others = [...alike.alike.keys()].filter((k) => alike.alike[k] && k !== state.point);
      const numbers = others.map((k) => this.model.payload.index[k]).join(" ");
      change(this.paths.alike, { d: others.map((k) => this.mark("alike", k, 5)).join(""), "data-points": numbers });
      change(this.paths.best, { d: choice.point === undefined ? "" : this.mark("best", choice.point, 11) });
      change(this.paths.pin, { d: state.pin === null ? "" : this.mark("pin", state.pin, 7) });
      change(this.paths.point, { d: this.mark("point", state.point, 6.5) });
      const [cx, cy] = this.isSeen(state.point) ? [this.px[state.point], this.py[state.point]] : [0, 0];
      change(this.handle, { cx, cy });
      this.drawFolds(state);
      this.drawBounds(outcome);
      this.drawIso(state, outcome);
      this.tip.follow(state);
    }

    // The marks that are drawn now.
    inUse({ pin }, { choice, alike }) {
      const drawn = (path) => Boolean(path.getAttribute("d"));
      return {
        point: true,
        fold: this.model.averaged,
        alike: alike.alike.filter(Boolean).length > 1 && drawn(this.paths.alike),
        best: choice.point !== undefined,
        iso: drawn(this.paths.iso),
        feasible: drawn(this.paths.feasible),
        pin: pin !== null,
      };
    }

    // The values of every fold, and the standard error of their mean.
    drawFolds(state) {
      if (!this.model.averaged) return this.drawIntervals(state);
      const cost = explorer.state.heldCost(this.model, state);
      const names = [state.x, state.y];
      const [xs, ys] = names.map((name) => this.model.valuesAt(name, state.point, state.prevalence, cost));
      const within = (v, { low, high }) => v >= low - 1e-9 && v <= high + 1e-9;
      this.beyond = 0; // folds that have a place, but none between the ends of the axes
      const dots = xs.map((x, f) => {
        const [px, py] = [this.across(x), this.up(ys[f])];
        const inside = within(x, this.x) && within(ys[f], this.y);
        if (Number.isFinite(px + py) && !inside) this.beyond++;
        return inside ? `M${px.toFixed(2)},${py.toFixed(2)}${SHAPES.fold(2.6)}` : "";
      });
      change(this.paths.folds, { d: dots.join("") });
      const [mx, my] = names.map((name) => this.model.momentsAt(name, state.point, state.prevalence, cost));
      const [cx, cy] = [this.across(mx.mean), this.up(my.mean)];
      const dx = this.across(mx.sd / Math.sqrt(mx.n)) - this.across(0);
      const dy = this.up(0) - this.up(my.sd / Math.sqrt(my.n));
      const known = Number.isFinite(dx + dy + cx + cy);
      change(this.paths.bars, { d: known ? barAcross([cx - dx, cx + dx], cy) + barUp([cy - dy, cy + dy], cx) : "" });
    }

    // The intervals of both measures of one set of cases, as far as the axes reach.
    drawIntervals(state) {
      const cost = explorer.state.heldCost(this.model, state);
      const [x, y] = [[state.x, this.x], [state.y, this.y]].map(([name, { low, high }]) => {
        const estimate = this.model.estimateAt(name, state.point, state.level, state.prevalence, cost);
        return estimate && [Math.max(estimate.low, low), Math.min(estimate.high, high)];
      });
      const seen = this.isSeen(state.point);
      const across = x && seen ? barAcross(x.map((v) => this.across(v)), this.py[state.point]) : "";
      const up = y && seen ? barUp(y.map((v) => this.up(v)), this.px[state.point]) : "";
      change(this.paths.bars, { d: across + up });
    }

    // What the bounds leave of the curve, and the parts of the plane that they exclude.
    drawBounds({ selection, choice }) {
      const bounds = selection === null ? [] : selection.bounds;
      change(this.paths.feasible, { d: bounds.length ? this.feasible(choice.feasible) : "" });
      const drawn = JSON.stringify([bounds, this.placed]);
      if (this.excluded === drawn) return;
      this.excluded = drawn;
      this.layers.excluded.replaceChildren(...bounds.map((bound) => this.zone(bound)).filter(Boolean));
    }

    feasible(meets) {
      const order = this.model.payload.order;
      if (order === null) return meets.map((is, k) => (is ? this.mark("point", k, 4) : "")).join("");
      const shown = order.map((k) => meets[k] && this.isSeen(k));
      return order.map((k, i) => (shown[i] ? (shown[i - 1] ? "L" : "M") + this.at(k) : "")).join("");
    }

    zone({ measure, relation, bound }) {
      const key = explorer.measures.ALIASES[measure] ?? measure;
      const [xName, yName] = JSON.parse(this.placed);
      if (key !== xName && key !== yName) return null;
      const [left, right, top, bottom] = [EDGE.left, SIZE - EDGE.right, EDGE.top, SIZE - EDGE.bottom];
      const floor = relation[0] === ">";
      const clip = (v, low, high) => Math.min(Math.max(v, low), high);
      let box = null;
      if (key === xName) {
        const at = clip(this.across(bound), left, right);
        box = floor ? [left, top, at - left, bottom - top] : [at, top, right - at, bottom - top];
      } else {
        const at = clip(this.up(bound), top, bottom);
        box = floor ? [left, at, right - left, bottom - at] : [left, top, right - left, at - top];
      }
      const [x, y, width, height] = box;
      return svg("rect", { x, y, width, height, class: "x-excluded" });
    }

    // Points of equal cost lie on a line; the best point is where such a line touches the curve.
    drawIso(state, { selection, choice }) {
      const linear =
        selection !== null && selection.rule !== "closest" && (selection.rule !== null || selection.cost !== null || !selection.bounds.length);
      let d = "";
      if (this.isRoc && linear && choice.point !== undefined) {
        const [missed, alarms] = explorer.select.weights(this.model, selection);
        d = this.lineThrough(this.xs[choice.point], this.ys[choice.point], alarms, missed);
      }
      change(this.paths.iso, { d });
    }

    // The line through (x, y) with slope rise / run, cut at the edges of the square from 0 to 1.
    lineThrough(x, y, rise, run) {
      const ends = [];
      for (const edge of [0, 1]) {
        if (run > 0) ends.push([edge, y + ((edge - x) * rise) / run]);
        if (rise > 0) ends.push([x + ((edge - y) * run) / rise, edge]);
      }
      const inside = ends.filter(([u, v]) => u >= -1e-9 && u <= 1 + 1e-9 && v >= -1e-9 && v <= 1 + 1e-9);
      if (inside.length < 2) return "";
      inside.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      const [first, last] = [inside[0], inside[inside.length - 1]];
      return `M${this.across(first[0])},${this.up(first[1])}L${this.across(last[0])},${this.up(last[1])}`;
    }

    // Number of the point nearest to a place on the screen; null where none is as near as `most`.
    nearest(clientX, clientY, most = Infinity) {
      const box = this.root.getBoundingClientRect();
      const [x, y] = [((clientX - box.left) / box.width) * SIZE, ((clientY - box.top) / box.height) * SIZE];
      let best = 0;
      let least = Infinity;
      for (let k = 0; k < this.px.length; k++) {
        const distance = (this.px[k] - x) ** 2 + (this.py[k] - y) ** 2;
        if (distance < least) [least, best] = [distance, k];
      }
      return least > most * most ? null : best;
    }

    // The points in the order in which arrow keys visit them: along the curve, or from left to right.
    sequence() {
      const order = this.model.payload.order;
      if (order !== null) return order;
      return [...this.xs.keys()].sort((i, j) => this.xs[i] - this.xs[j] || this.ys[i] - this.ys[j] || i - j);
    }
  }

  explorer.Plot = Plot;
})();
