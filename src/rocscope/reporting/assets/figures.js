// The figures of the page: drawn when they come near the window, in the colours of the theme and the width there is;
// they show the number that is pointed at, switch marks off, turn, and can be saved.
"use strict";

(() => {
  const PRINTED = 640; // pixels
  const SAVED = 640;
  const NEAR = "800px";
  const REACH = 40; // pixels from the pointer to what it points at
  const DEGREES = 0.5; // of a turn, for a pixel
  const KEY_TURN = 6; // degrees
  const figures = new Map(); // div -> state

  const begun = (figure) => ({ figure, drawn: false, width: 0, hidden: new Set(figure.off ?? []), view: undefined, targets: [], listeners: [], current: null });

  const isPrinting = () => document.documentElement.classList.contains("printing");

  // ---- Drawing

  // The room that a figure will take is kept free, so that nothing moves when it is drawn.
  function reserve(div) {
    const { drawn, figure } = figures.get(div);
    if (drawn || div.clientWidth === 0) return;
    div.style.minHeight = `${rocscope.drawing.arrange(figure, { width: div.clientWidth }).height}px`;
  }

  function draw(div) {
    const state = figures.get(div);
    const width = Math.min(div.clientWidth, isPrinting() ? PRINTED : Infinity);
    if (width === 0) return;
    const { figure, hidden, view } = state;
    const { root, targets, room } = rocscope.drawing.render(figure, { width, theme: rocscope.theme(), hidden, view });
    const solid = figure.shape === "solid";
    const help = solid ? "Arrow keys turn it." : "Arrow keys go from number to number.";
    // Its keys are its own and its legend has buttons, which a picture (role img) must not have.
    const access = { role: "application", "aria-roledescription": "figure", tabindex: "0", "aria-label": `${div.getAttribute("aria-label")}. ${help}` };
    for (const [name, value] of Object.entries(access)) root.setAttribute(name, value);
    const old = div.querySelector(":scope > svg");
    const entry = div.contains(document.activeElement) ? document.activeElement.dataset?.entry : undefined;
    const focused = old !== null && document.activeElement === old;
    if (old === null) div.prepend(root, ...tools(div));
    else old.replaceWith(root);
    if (focused) root.focus();
    if (entry !== undefined) root.querySelector(`[data-entry="${CSS.escape(entry)}"]`)?.focus();
    Object.assign(state, { drawn: true, width: div.clientWidth, targets, room });
    div.dataset.drawn = "";
    div.style.minHeight = "";
    if (state.current !== null) point(div, state.current);
  }

  function tools(div) {
    const name = div.getAttribute("aria-label");
    const tip = rocscope.element("div", { class: "tip", role: "status", hidden: true });
    return [rocscope.saving.buttons(name, () => savedDrawing(div), (ending) => fileName(div, ending)), tip];
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting && !figures.get(target).drawn) draw(target);
      }
    },
    { rootMargin: NEAR },
  );

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const state = figures.get(target);
      if (!state.drawn) reserve(target);
      else if (state.width !== target.clientWidth) draw(target);
    }
  });

  // ---- The number that is pointed at

  // Mark and index of what is nearest to a place in the drawing; null where nothing is near.
  function nearest(state, x, y) {
    let [found, best] = [null, REACH];
    const offer = (mark, index, distance) => {
      if (distance <= best) [found, best] = [{ mark, index }, distance]; // of two, the one in front
    };
    for (const { mark, px, py } of state.targets) {
      for (let k = 0; k < px.length; k++) {
        offer(mark, k, Math.hypot(px[k] - x, py[k] - y));
        if (mark.kind !== "line" || k === 0) continue;
        // On the line between two vertices the nearer one is meant.
        const [dx, dy] = [px[k] - px[k - 1], py[k] - py[k - 1]];
        const along = ((x - px[k - 1]) * dx + (y - py[k - 1]) * dy) / (dx * dx + dy * dy || 1);
        if (along <= 0 || along >= 1) continue;
        offer(mark, along < 0.5 ? k - 1 : k, Math.hypot(px[k - 1] + along * dx - x, py[k - 1] + along * dy - y));
      }
    }
    return found ?? cellAt(state, x, y);
  }

  function cellAt({ figure, room }, x, y) {
    const mark = figure.marks.find((one) => one.kind === "cells");
    if (mark === undefined) return null;
    const between = (edges, at, value) =>
      edges.findIndex((edge, k) => k + 1 < edges.length && (at(edge) - value) * (at(edges[k + 1]) - value) <= 0);
    const [column, row] = [between(mark.x, room.at.x, x), between(mark.y, room.at.y, y)];
    return column < 0 || row < 0 || mark.values[row][column] === null ? null : { mark, index: [row, column] };
  }

  // A number of an axis; one with names has the name, and nothing between two of them.
  function axisLine(axis, value) {
    const name = axis.label.split("\n")[0].split(" (")[0];
    if (value === null || value === undefined) return null;
    if (axis.texts === undefined) return `${name}: ${rocscope.drawing.figures(value)}`;
    const k = axis.ticks.findIndex((tick) => Math.abs(tick - value) < 1e-9);
    return k < 0 ? null : `${name ? `${name}: ` : ""}${axis.texts[k].split("\n").join(" ")}`;
  }

  function described(figure, { mark, index }) {
    const lines = [];
    if (mark.kind === "cells") {
      const [row, column] = index;
      const middle = (edges, k) => (edges[k] + edges[k + 1]) / 2;
      lines.push(axisLine(figure.x, middle(mark.x, column)), axisLine(figure.y, middle(mark.y, row)));
      lines.push(`${mark.label ? `${mark.label}: ` : ""}${rocscope.drawing.figures(mark.values[row][column])}`);
    } else {
      lines.push(mark.label ?? null);
      if (mark.kind === "bars") {
        const middle = (mark.low[index] + mark.high[index]) / 2;
        const [x, y] = mark.horizontal ? [mark.length[index], middle] : [middle, mark.length[index]];
        lines.push(axisLine(figure.x, x), axisLine(figure.y, y));
      } else {
        for (const name of ["x", "y", "z"]) if (mark[name]) lines.push(axisLine(figure[name], mark[name][index]));
      }
      lines.push(mark.hover?.[index] ?? null);
    }
    return lines.filter((line) => line !== null && line !== "");
  }

  function placeOf(state, { mark, index }) {
    if (mark.kind !== "cells") {
      const target = state.targets.find((one) => one.mark === mark);
      return target === undefined ? null : [target.px[index], target.py[index]];
    }
    const [row, column] = index;
    return [(state.room.at.x(mark.x[column]) + state.room.at.x(mark.x[column + 1])) / 2, (state.room.at.y(mark.y[row]) + state.room.at.y(mark.y[row + 1])) / 2];
  }

  function point(div, found) {
    const state = figures.get(div);
    const svg = div.querySelector(":scope > svg");
    const tip = div.querySelector(":scope > .tip");
    for (const old of svg.querySelectorAll(".pointed")) old.remove();
    const place = found === null ? null : placeOf(state, found);
    state.current = place === null ? null : found;
    tip.hidden = place === null;
    if (place === null) return;
    const { node, colours } = rocscope.drawing;
    const [x, y] = place;
    if (found.mark.role === "other") { // a curve of the background comes forward
      const { px, py } = state.targets.find((one) => one.mark === found.mark);
      const points = [...px].map((at, k) => `${rocscope.drawing.round(at)},${rocscope.drawing.round(py[k])}`).join(" ");
      svg.append(node("polyline", { class: "pointed", points, fill: "none", stroke: colours(rocscope.theme()).ink, "stroke-width": 2, "pointer-events": "none" }));
    }
    svg.append(node("circle", { class: "pointed", cx: x, cy: y, r: 6, fill: "none", stroke: colours(rocscope.theme()).ink, "stroke-width": 1.5, "pointer-events": "none" }));
    tip.replaceChildren(...described(state.figure, found).map((line) => rocscope.element("div", {}, line)));
    const left = Math.max(0, Math.min(x + 12, div.clientWidth - tip.offsetWidth));
    const below = y + 14 + tip.offsetHeight <= state.room.height;
    Object.assign(tip.style, { left: `${left}px`, top: `${below ? y + 14 : Math.max(0, y - 14 - tip.offsetHeight)}px` });
  }

  function inDrawing(div, event) {
    const box = div.querySelector(":scope > svg").getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // From number to number of a mark, and from mark to mark.
  function step(state, key) {
    const all = state.targets.filter(({ px }) => px.length > 0);
    if (all.length === 0) return null;
    const { current } = state;
    let k = current === null ? -1 : all.findIndex(({ mark }) => mark === current.mark);
    if (k < 0) return { mark: all.at(-1).mark, index: 0 };
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
    const up = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
    k = (k + up + all.length) % all.length;
    const index = Math.max(0, Math.min(all[k].px.length - 1, current.index + across));
    return { mark: all[k].mark, index };
  }

  function select(state, found) {
    if (found !== null) for (const listener of state.listeners) listener(found);
  }

  function toggle(div, label) {
    const { hidden } = figures.get(div);
    if (!hidden.delete(label)) hidden.add(label);
    point(div, null);
    draw(div);
  }

  function turn(div, across, up) {
    const state = figures.get(div);
    state.view = rocscope.solid.turned(state.view, across, up);
    state.waiting ??= requestAnimationFrame(() => {
      state.waiting = undefined;
      draw(div);
    });
  }

  function listen(div) {
    let [start, moved] = [null, false];
    const isSolid = () => figures.get(div).figure.shape === "solid";
    div.addEventListener("pointerdown", (event) => {
      moved = false;
      if (!isSolid() || event.target.closest("button, [data-entry]") || event.button !== 0) return;
      start = [event.clientX, event.clientY];
      div.setPointerCapture(event.pointerId);
    });
    div.addEventListener("pointermove", (event) => {
      const state = figures.get(div);
      if (!state.drawn) return;
      if (start !== null) {
        const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
        if (!moved && Math.hypot(dx, dy) < 4) return;
        [moved, start] = [true, [event.clientX, event.clientY]];
        point(div, null);
        turn(div, -dx * DEGREES, dy * DEGREES);
      } else if (event.pointerType !== "touch") {
        const over = event.target.closest("svg") !== null && event.target.closest("[data-entry]") === null;
        point(div, over ? nearest(state, ...inDrawing(div, event)) : null);
      }
    });
    for (const end of ["pointerup", "pointercancel"]) div.addEventListener(end, () => (start = null));
    div.addEventListener("pointerleave", () => figures.get(div).drawn && point(div, null));
    div.addEventListener("click", (event) => {
      const state = figures.get(div);
      const entry = event.target.closest("[data-entry]");
      if (entry !== null) return toggle(div, entry.dataset.entry);
      if (!state.drawn || moved || event.target.closest("button")) return;
      const found = nearest(state, ...inDrawing(div, event));
      point(div, found);
      select(state, found);
    });
    div.addEventListener("focusout", () => figures.get(div).drawn && point(div, null));
    div.addEventListener("keydown", (event) => {
      const state = figures.get(div);
      const entry = event.target.dataset?.entry;
      const arrow = event.key.startsWith("Arrow");
      if (entry !== undefined && (event.key === "Enter" || event.key === " ")) toggle(div, entry);
      else if (event.target.tagName !== "svg") return;
      else if (arrow && isSolid()) {
        const [across, up] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        turn(div, KEY_TURN * across, KEY_TURN * up);
      } else if (arrow) point(div, step(state, event.key));
      else if (event.key === "Escape") point(div, null);
      else if (event.key === "Enter") select(state, state.current);
      else return;
      event.preventDefault();
    });
  }

  // ---- Saving

  // The page, the section, the panel: what a file is of is in its name.
  function fileName(div, ending) {
    const section = div.closest("section");
    const panels = section === null ? [div] : [...section.querySelectorAll("[data-figure]")];
    const titled = figures.get(div).figure.title;
    const panel = titled ?? (panels.length > 1 ? String(panels.indexOf(div) + 1) : "");
    const parts = [document.title, section?.querySelector("h2")?.textContent ?? "", panel];
    return `${parts.map((part) => rocscope.saving.slug(part)).filter((part) => part !== "").join("_") || "figure"}.${ending}`;
  }

  function savedDrawing(div) {
    const { figure, hidden, view } = figures.get(div);
    const width = figure.shape === "table" ? Math.max(SAVED, div.clientWidth) : Math.max(rocscope.drawing.NARROW, Math.min(SAVED, div.clientWidth));
    const { root } = rocscope.drawing.render(figure, { width, theme: "light", hidden, view, titled: true, interactive: false });
    return root;
  }

  // ---- The public part

  function add(div, figure) {
    figures.set(div, begun(figure));
    listen(div);
    sizes.observe(div);
  }

  // Draw a figure into a div, now; again with another figure it is updated.
  function plot(div, figure) {
    if (figures.has(div)) figures.get(div).figure = figure;
    else add(div, figure);
    draw(div);
  }

  // A figure of a section by its name, so that a script can listen to it or change it with `plot`.
  function figure(section, name) {
    const div = section.querySelector(`[data-name="${CSS.escape(name)}"]`);
    return div === null ? null : { div, figure: figures.get(div).figure };
  }

  // Call back with {mark, index} when a reader clicks a point, or presses Enter at it.
  function onPoint(div, listener) {
    figures.get(div).listeners.push(listener);
  }

  const isDrawn = (div) => figures.get(div)?.drawn ?? false;

  function begin() {
    for (const section of document.querySelectorAll("section[data-figures]")) {
      const own = rocscope.data(`${section.id}-figures`);
      for (const div of section.querySelectorAll("[data-figure]")) {
        add(div, own[div.dataset.figure]);
        reserve(div);
        near.observe(div);
      }
    }
  }

  Object.assign(rocscope, { plot, figure, onPoint, isDrawn });
  // Paper shows figures that nobody has scrolled to.
  rocscope.onTheme(() => {
    for (const [div, { drawn }] of figures) if (drawn || isPrinting()) draw(div);
  });
  document.addEventListener("DOMContentLoaded", begin);
})();
