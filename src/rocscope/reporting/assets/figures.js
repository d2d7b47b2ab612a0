// The figures: drawn when they come near the window, in the colours of the theme, in the width there is.
"use strict";

(() => {
  const NARROW = 480; // pixels: legends go below, figures beside rows are left to the tables
  const PRINTED = 640;
  const CHARACTER = 6.3;
  const LINE = 17;
  const SOLID_SIDE = 0.4; // of the width, for the label along a side of the box
  const NEAR = "800px";
  const DEFAULT_HEIGHT = 450; // pixels, which plotly takes where no height is set
  const TOOLBAR = 34; // pixels above the axes: plotly's buttons cover no row and no curve
  const CONFIG = {
    displaylogo: false,
    showSendToCloud: false, // a chart is never sent away: no button does it, and there is no address to send to
    plotlyServerURL: "",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    toImageButtonOptions: { format: "svg", filename: "rocscope" },
  };
  const figures = new Map(); // div -> {figure, drawn, width, waiting}
  let dark = {};

  // ---- Colours

  function coloured(value) {
    if (typeof value === "string") return dark[value] ?? value;
    if (Array.isArray(value)) return value.map(coloured);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, coloured(inner)]));
  }

  function inDark(trace) {
    const { x, y, z, ...look } = trace;
    const changed = { ...trace, ...coloured(look) };
    if (trace.meta?.dark) changed.line = { ...changed.line, color: trace.meta.dark };
    return changed;
  }

  function themed(figure) {
    const layout = structuredClone(figure.layout);
    if (rocscope.theme() !== "dark") return { data: figure.data.map((trace) => ({ ...trace })), layout };
    return { data: figure.data.map(inDark), layout: coloured(layout) };
  }

  // ---- Sizes

  function moveLegendBelow(layout) {
    const legend = layout.legend;
    if (legend === undefined || legend.yref === "container") return;
    Object.assign(legend, { x: 0, xanchor: "left", yref: "container", y: 0, yanchor: "bottom" });
    layout.margin.b += layout.meta.legend;
  }

  // A label that is longer than its axis goes on in a second line.
  function breakLabel(layout, width) {
    const title = layout.xaxis?.title;
    if (!title?.text || title.text.includes("<br>") || title.text.length * CHARACTER < width / 2) return;
    title.text = title.text.replace(" (", "<br>(");
    layout.margin.b += LINE;
  }

  // Characters of a text as plotly reads it: an entity is one.
  const characters = (text) => text.match(/&[^;\s]+;|[\s\S]/g) ?? [];

  // A line of an axis' label that is longer than there is room loses its end; the reading has all of it.
  function cutLabel(axis, room) {
    const title = axis?.title;
    if (!title?.text) return;
    const most = Math.floor(room / CHARACTER);
    const cut = (line) => (line.length > most ? `${line.slice(0, most - 1).join("")}\u2026` : line.join(""));
    title.text = title.text.split("<br>").map((line) => cut(characters(line))).join("<br>");
  }

  const overlap = (a, b) =>
    a.left < b.left + b.width && b.left < a.left + a.width && Math.abs(a.middle - b.middle) < LINE;

  // Texts of points are placed for a wide plot: here they are moved into it, and below each other.
  function separate(layout, inner) {
    const [x, y] = [layout.xaxis?.range, layout.yaxis?.range];
    if (x === undefined || y === undefined) return;
    const placed = [];
    for (const note of layout.annotations ?? []) {
      if (note.xref !== "x" || note.yref !== "y" || note.name === "cell") continue;
      const width = characters(note.text).length * CHARACTER;
      const start = { left: 0, center: width / 2, right: width }[note.xanchor] ?? 0;
      const box = { width, left: ((note.x - x[0]) / (x[1] - x[0])) * inner - start };
      box.middle = ((y[1] - note.y) / (y[1] - y[0])) * inner;
      const intended = { ...box };
      box.left = Math.max(0, Math.min(box.left, inner - width));
      for (let k = 0; k < 8 && placed.some((other) => overlap(box, other)); k++) box.middle += LINE;
      note.xshift = (note.xshift ?? 0) + box.left - intended.left;
      note.yshift = (note.yshift ?? 0) + intended.middle - box.middle; // plotly's points upwards
      placed.push(box);
    }
  }

  function stepBack(scene) {
    const { eye } = scene.camera;
    for (const axis of Object.keys(eye)) eye[axis] *= 1.35;
  }

  function makeNarrow(layout, width) {
    moveLegendBelow(layout);
    breakLabel(layout, width);
    if (layout.scene?.camera) stepBack(layout.scene);
    layout.annotations = layout.annotations?.filter((note) => note.name !== "far");
    const inner = width - layout.margin.l - layout.margin.r;
    cutLabel(layout.xaxis, inner);
    cutLabel(layout.yaxis, height(layout, width) - layout.margin.t - layout.margin.b);
    for (const name of ["xaxis", "yaxis", "zaxis"]) cutLabel(layout.scene?.[name], SOLID_SIDE * width);
    if (layout.meta.shape === "square") separate(layout, inner);
    if (layout.meta.shape === "table") layout.margin.r = 16;
    layout.dragmode = false; // a finger on the plot scrolls the page
  }

  function height(layout, width) {
    const { l, r, t, b } = layout.margin;
    const inner = width - l - r;
    const heights = {
      square: inner,
      solid: Math.min(width, 560),
      table: layout.meta.rows * layout.meta.row,
      wide: Math.max(220, 0.58 * inner),
    };
    return t + b + heights[layout.meta.shape];
  }

  function fitted(layout, width) {
    layout.uirevision = "same"; // what the reader turned or zoomed stays so when the figure is drawn again
    if (layout.meta?.shape === undefined) return { ...layout, width };
    layout.margin.t = Math.max(layout.margin.t, TOOLBAR);
    if (width < NARROW) makeNarrow(layout, width);
    return { ...layout, width, height: height(layout, width) };
  }

  // ---- Drawing

  // The room that a figure will take is kept free, so that nothing moves when it is drawn.
  function reserve(div) {
    const { drawn, figure } = figures.get(div);
    if (drawn || div.clientWidth === 0) return;
    const layout = fitted(structuredClone(figure.layout), div.clientWidth);
    div.style.minHeight = `${layout.height ?? DEFAULT_HEIGHT}px`;
  }

  function draw(div) {
    const state = figures.get(div);
    const printing = document.documentElement.classList.contains("printing");
    const width = Math.min(div.clientWidth, printing ? PRINTED : Infinity);
    if (width === 0) return Promise.resolve(div);
    const { data, layout } = themed(state.figure);
    state.width = div.clientWidth;
    const first = !state.drawn;
    state.drawn = true;
    return Plotly.react(div, data, fitted(layout, width), CONFIG).then(() => {
      div.style.minHeight = "";
      if (first) for (const listener of state.waiting.splice(0)) listener(div);
      return div;
    });
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

  function drawAll(condition) {
    for (const [div, state] of figures) if (condition(state)) draw(div);
  }

  // Draw a figure into a div, now; again with another figure it is updated.
  function plot(div, figure) {
    const known = figures.get(div);
    figures.set(div, { drawn: false, waiting: [], ...known, figure });
    if (known === undefined) sizes.observe(div);
    return draw(div);
  }

  // A figure of a section by its name, so that a script can listen to it or change it with `plot`.
  function figure(section, name) {
    const div = section.querySelector(`[data-name="${CSS.escape(name)}"]`);
    return div === null ? null : { div, figure: figures.get(div).figure };
  }

  // Call back when a figure is there for the first time: before that it has no events.
  function whenDrawn(div, listener) {
    const state = figures.get(div);
    if (state.drawn) listener(div);
    else state.waiting.push(listener);
  }

  function begin() {
    dark = rocscope.data("page").dark ?? {};
    for (const section of document.querySelectorAll("section[data-figures]")) {
      const own = rocscope.data(`${section.id}-figures`);
      for (const div of section.querySelectorAll("[data-figure]")) {
        figures.set(div, { drawn: false, waiting: [], figure: own[div.dataset.figure] });
        reserve(div);
        near.observe(div);
        sizes.observe(div);
      }
    }
  }

  // Paper is white and narrow, and shows figures that nobody has scrolled to.
  function print(starts) {
    document.documentElement.classList.toggle("printing", starts);
    rocscope.showTheme();
    drawAll(() => true);
  }

  Object.assign(rocscope, { plot, figure, whenDrawn });
  rocscope.onTheme(() => drawAll((state) => state.drawn));
  document.addEventListener("DOMContentLoaded", begin);
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
})();
