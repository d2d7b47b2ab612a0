// A small box beside a point of the curve: its cut-off, sensitivity and specificity, while it is pointed at or focused.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { svg, change } = explorer.dom;
  const { figure } = explorer.texts;

  const SIZE = 440;
  const LINE = 17;
  const FAR = 12; // from the point
  const NEAR = 40; // a pointer that is farther from the curve points at nothing

  class Tip {
    constructor(plot, layer) {
      this.plot = plot;
      this.box = svg("rect", { rx: 4, class: "x-tip" });
      this.lines = svg("g", { class: "x-tip-text" });
      this.root = layer;
      change(layer, { class: "x-tip-layer", "aria-hidden": "true" });
      layer.append(this.box, this.lines);
      this.pointed = null;
      this.focused = false;
      this.hide();
      const { root } = plot;
      root.addEventListener("pointermove", (event) => this.point(plot.nearest(event.clientX, event.clientY, NEAR)));
      root.addEventListener("pointerleave", () => this.point(null));
      root.addEventListener("focus", () => this.focus(true));
      root.addEventListener("blur", () => this.focus(false));
    }

    point(k) {
      this.pointed = k;
      this.draw();
    }

    focus(is) {
      this.focused = is && this.plot.root.matches(":focus-visible");
      this.draw();
    }

    follow(state) {
      this.state = state;
      this.draw();
    }

    hide() {
      change(this.root, { visibility: "hidden" });
    }

    draw() {
      const k = this.pointed ?? (this.focused ? this.state?.point : null) ?? null;
      if (k === null || !this.plot.isSeen(k)) return this.hide();
      const { model } = this.plot;
      const names = model.classes.length === 2 ? ["tpr", "tnr"] : [this.state.x, this.state.y];
      const values = names.map((name) => `${model.label(name)} ${figure(model.means(name, this.state.prevalence)[k])}`);
      const texts = [model.text("labels", k), ...values].map((text) => (text.length > 40 ? `${text.slice(0, 39)}\u2026` : text));
      const width = 16 + 6.9 * Math.max(...texts.map((text) => text.length));
      const height = 10 + LINE * texts.length;
      const [px, py] = [this.plot.px[k], this.plot.py[k]];
      const x = px + FAR + width > SIZE ? Math.max(0, px - FAR - width) : px + FAR;
      const y = py + FAR + height > SIZE ? py - FAR - height : py + FAR;
      change(this.box, { x, y, width, height });
      this.lines.replaceChildren(...texts.map((text, i) => svg("text", { x: x + 8, y: y + 4 + LINE * (i + 0.75) }, text)));
      change(this.root, { visibility: "visible", "data-point": model.payload.index[k] });
    }
  }

  explorer.Tip = Tip;
})();
