// The scores of both classes: one dot per case in two columns, or the histogram, with the cut-off between them.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { svg, change, fresh } = explorer.dom;

  const WIDTH = 440;
  const HEIGHT = 330;
  const EDGE = { left: 56, right: 12, top: 14, bottom: 34 };
  const RATINGS = 16; // so few cut-offs are those of a rating
  const COLUMN = (WIDTH - EDGE.left - EDGE.right) / 2;

  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);

  // Dots of one row stand side by side around the middle. Many cases of one score, as of a rating, have further rows
  // above it as far as there is room; where they are still too many they overlap.
  function swarm(dots, radius, room) {
    const rows = new Map();
    for (const dot of dots) {
      const row = Math.round(dot.y / (2 * radius));
      if (!rows.has(row)) rows.set(row, []);
      rows.get(row).push(dot);
    }
    for (const row of rows.values()) {
      const above = row.every(({ point }) => point === row[0].point) ? room(row[0].point) : 0;
      const most = 1 + Math.max(0, Math.floor(above / (2 * radius)));
      const lines = Math.min(most, Math.ceil((row.length * (2 * radius + 0.6)) / (COLUMN - 24)));
      const each = Math.ceil(row.length / lines);
      const step = Math.min(2 * radius + 0.6, (COLUMN - 24) / each);
      row.forEach((dot, k) => {
        const line = Math.floor(k / each);
        const inLine = Math.min(each, row.length - line * each);
        dot.x = dot.middle + ((k % each) - (inLine - 1) / 2) * step;
        dot.y -= 2 * radius * line;
      });
    }
  }

  class Dots {
    constructor(model) {
      this.model = model;
      this.cases = model.cases();
      const all = this.cases.flat().map(({ score }) => score);
      const finite = all.filter(Number.isFinite);
      this.ends = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
      this.canLog = this.ends[0] > 0 && this.ends[1] > this.ends[0];
      this.radius = all.length > 800 ? 1.8 : all.length > 300 ? 2.4 : 3.2;
      // Ratings need room above the highest one for its rows.
      const few = model.thresholds.length <= RATINGS;
      this.top = EDGE.top + 8 + (few ? (HEIGHT - EDGE.top - EDGE.bottom) / model.thresholds.length : 0);
      this.ground = svg("g");
      this.decided = svg("rect", { x: EDGE.left, y: EDGE.top, width: 2 * COLUMN, class: "x-decided" });
      const marks = ["negative", "positive"].map((side) => ["right", "wrong"].map((is) => svg("path", { class: `x-dot x-dot-${side} x-dot-${is}` })));
      this.marks = marks;
      this.cut = svg("path", { class: "x-cut" });
      this.grip = svg("rect", { x: EDGE.left, width: 2 * COLUMN, height: 28, class: "x-grip" });
      this.root = svg(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "explorer-dots", tabindex: 0, role: "slider",
          "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": model.size - 1,
        },
        this.ground, this.decided, ...marks.flat(), this.cut, this.grip,
      );
    }

    // Divided first: the range of the scores may be more than a float holds.
    up(score) {
      const [low, high] = this.ends.map(this.map);
      const value = score === -Infinity ? low : score === Infinity ? high : this.map(score);
      const share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
      const bottom = HEIGHT - EDGE.bottom - 8;
      const within = Math.min(Math.max(share, 0), 1);
      // Scores that test positive are above the line, low ones where these stand for the positive class.
      return bottom - (this.model.lower ? 1 - within : within) * (bottom - this.top);
    }

    // Everything but the cut-off changes with the scale alone.
    place(log) {
      if (this.log === log) return;
      this.log = log;
      this.map = log ? Math.log10 : (value) => value;
      this.dots = this.cases.map((ofClass, r) =>
        ofClass.map(({ score, point }) => ({ y: this.up(score), point, middle: EDGE.left + COLUMN * (r + 0.5) })),
      );
      const places = this.model.thresholds.map((t, k) => (k === 0 ? EDGE.top : this.up(t)));
      const reach = this.radius + 1.5;
      for (const ofClass of this.dots) swarm(ofClass, this.radius, (k) => places[k] - places[k - 1] - 2 * reach);
      // The line is drawn below the scores that it lets pass, above the next ones.
      this.lines = places.map((y, k) => (k + 1 < places.length ? Math.min(y + reach, (y + places[k + 1]) / 2) : y + reach));
      const highest = this.dots.flat().reduce((least, { y }) => Math.min(least, y), places[1]);
      this.lines[0] = Math.max(EDGE.top, highest - reach);
      this.drawGround();
    }

    drawGround() {
      const [left, right, bottom] = [EDGE.left, WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
      const parts = [];
      for (const tick of this.ticks()) {
        const y = this.up(tick);
        parts.push(svg("path", { d: `M${left},${y}H${right}`, class: "x-grid" }));
        parts.push(svg("text", { x: left - 7, y: y + 4, "text-anchor": "end" }, String(Number(tick.toPrecision(4)))));
      }
      this.model.classes.forEach((name, r) => {
        const text = `${shortened(name, 20)} (${["absent", "present"][r]})`;
        const kind = ["x-negative-text", "x-positive-text"][r];
        parts.push(svg("text", { x: left + COLUMN * (r + 0.5), y: bottom + 18, "text-anchor": "middle", class: kind }, text, svg("title", {}, name)));
      });
      const turned = `translate(12,${(EDGE.top + bottom) / 2}) rotate(-90)`;
      parts.push(svg("text", { transform: turned, "text-anchor": "middle", class: "x-name" }, this.log ? "Score (log scale)" : "Score"));
      this.ground.replaceChildren(...parts);
    }

    ticks() {
      const [low, high] = this.ends;
      if (!this.log) {
        const inside = explorer.scale([low, high], false).ticks.filter((tick) => tick >= low && tick <= high);
        return inside.length > 1 ? inside : [low, high];
      }
      const powers = [];
      for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) powers.push(...[1, 2, 5].map((m) => m * 10 ** e));
      const inside = powers.filter((tick) => tick >= low && tick <= high);
      const tens = inside.filter((tick) => /^1(e|0*$)|^0?\.0*1$/.test(String(tick)));
      return tens.length > 3 ? tens : inside.length > 1 ? inside : [low, high];
    }

    draw(state) {
      this.place(state.log && this.canLog);
      const r = this.radius;
      const circle = ({ x, y }) => `M${(x - r).toFixed(1)},${y.toFixed(1)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`;
      this.dots.forEach((ofClass, c) => {
        const paths = ["", ""];
        for (const dot of ofClass) {
          const positive = dot.point <= state.point;
          paths[positive === (c === 1) ? 0 : 1] += circle(dot);
        }
        paths.forEach((d, k) => change(this.marks[c][k], { d }));
      });
      const y = this.lines[state.point];
      const right = WIDTH - EDGE.right;
      change(this.decided, { height: Math.max(0, y - EDGE.top) });
      change(this.cut, {
        d: `M${EDGE.left},${y}H${right}m0,-6v12l-9,-6z`, "data-threshold": this.model.thresholds[state.point],
      });
      change(this.grip, { y: y - 14 });
      explorer.describeScores("Dot diagram of the scores", this.root, this.model, state);
    }

    // The point whose line is nearest to a place on the screen.
    nearest(clientX, clientY) {
      const box = this.root.getBoundingClientRect();
      const y = ((clientY - box.top) / box.height) * HEIGHT;
      const places = this.lines.map((line) => Math.abs(line - y));
      return places.indexOf(Math.min(...places));
    }
  }

  // Dots or histogram, whichever there are, and the switch between them.
  class Scores {
    constructor(model, store) {
      const { histogram, dots } = model.payload;
      this.histogram = histogram === null ? null : new explorer.Histogram(model);
      this.dots = dots && model.cases().flat().some(({ score }) => Number.isFinite(score)) ? new Dots(model) : null;
      this.views = [this.dots, this.histogram].filter(Boolean);
      const name = fresh();
      this.radios = [["dots", "Dots"], ["histogram", "Histogram"]].map(([value, text]) => {
        const radio = element("input", { type: "radio", name, value });
        radio.addEventListener("change", () => store.set({ scores: value }));
        return { radio, root: element("label", { class: "explorer-check" }, radio, text) };
      });
      this.log = element("input", { type: "checkbox" });
      this.log.addEventListener("change", () => store.set({ log: this.log.checked }));
      this.logged = element("label", { class: "explorer-check" }, this.log, "Log scale");
      this.hollow = element("span", { class: "explorer-hollow" }, "hollow: on the wrong side of the cut-off");
      const both = this.views.length > 1 ? this.radios.map(({ root }) => root) : [];
      const switches = element("div", { class: "explorer-switch", role: "group", "aria-label": "Scores" }, ...both, this.logged, this.hollow);
      this.root = element("div", { class: "explorer-scores" }, switches, ...this.views.map((view) => view.root));
      this.root.hidden = this.views.length === 0;
    }

    draw(state) {
      const shown = (state.scores === "dots" ? this.dots : this.histogram) ?? this.views[0];
      for (const { radio } of this.radios) radio.checked = radio.value === state.scores;
      this.log.checked = state.log;
      this.logged.hidden = shown !== this.dots || !this.dots?.canLog;
      this.hollow.hidden = shown !== this.dots;
      for (const view of this.views) view.root.toggleAttribute("hidden", view !== shown);
      shown?.draw(state);
    }
  }

  explorer.Scores = Scores;
})();
