// A figure as SVG in a given width: axes, marks and legend. All looks are attributes, so that the drawing can be saved.
"use strict";

(() => {
  const SPACE = "http://www.w3.org/2000/svg";
  const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const NARROW = 480; // pixels: legends go below, texts beside rows are left to the tables
  const SIZES = { title: 14, label: 13, tick: 12, text: 12 };
  const LINE = 16; // from one line of text to the next
  const TICK = 5;
  const BUTTONS = 26; // above the axes, for what saves the figure
  const HANDLE = 26; // the sample of a legend entry
  const MOST_TICKS = 7;
  const SCALE_ROOM = 66; // of a colour scale beside a map
  const FARTHEST = 5000; // what is drawn outside of the axes ends here
  const SHADES = 64; // of a colour scale: cells of one shade are one path
  const CORNERS = ["lower right", "upper left", "upper right", "lower left"];
  const ATTACHED = new Set(["band", "interval", "selected", "leader", "hull", "note"]); // roles of what belongs to a curve
  const SLANT = 35; // degrees of names that do not fit side by side

  // ---- Elements and texts

  const round = (value) => Math.round(value * 100) / 100;

  function node(tag, attributes = {}, ...children) {
    const made = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === null) continue;
      made.setAttribute(name, typeof value === "number" ? round(value) : rocscope.spellAttribute(name, value));
    }
    made.append(...children.map(rocscope.spellChild));
    return made;
  }

  let pen = null;
  let penSize = null;

  function textWidth(text, size) {
    pen ??= document.createElement("canvas").getContext("2d");
    if (penSize !== size) pen.font = `${size}px ${FONT}`;
    penSize = size;
    return pen.measureText(text).width;
  }

  const widest = (texts, size) => Math.max(0, ...texts.map((text) => textWidth(text, size)));

  // The longest beginning that fits, with an ellipsis where something is cut.
  function cut(text, room, size) {
    if (textWidth(text, size) <= room) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (textWidth(`${text.slice(0, middle)}\u2026`, size) <= room) low = middle;
      else high = middle - 1;
    }
    return `${text.slice(0, low).trimEnd()}\u2026`;
  }

  // Lines no longer than the room; a word that is longer is broken, the last line is cut.
  function wrap(text, room, size, most = 4) {
    const lines = [];
    for (const paragraph of rocscope.spelt(text).split("\n")) {
      let line = "";
      for (const word of paragraph.split(" ")) {
        const longer = line === "" ? word : `${line} ${word}`;
        if (textWidth(longer, size) <= room) {
          line = longer;
          continue;
        }
        if (line !== "") lines.push(line);
        line = word;
        while (lines.length <= most && textWidth(line, size) > room) {
          let end = Math.max(1, cut(line, room, size).length - 1);
          lines.push(line.slice(0, end));
          line = line.slice(end);
        }
      }
      lines.push(line);
    }
    if (lines.length <= most) return lines;
    return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(" "), room, size)];
  }

  // Lines of text; y is the middle of the first one.
  function write(lines, x, y, { size = SIZES.text, fill, anchor = "start", turn = null, name = null, whole = null }) {
    const rows = lines.map((line, k) =>
      node("tspan", { x: turn === null ? x : 0, y: (turn === null ? y : 0) + k * LINE + 0.35 * size }, line),
    );
    const place = turn === null ? null : `translate(${round(x)} ${round(y)}) rotate(${turn})`;
    const look = { "font-size": size, fill, "text-anchor": anchor, transform: place, class: name };
    const title = whole !== null && whole !== lines.join("\n") ? [node("title", {}, whole)] : [];
    return node("text", look, ...title, ...rows);
  }

  // ---- Numbers

  function roundStep(step) {
    if (!(step > 0 && Number.isFinite(step))) return 1;
    const power = 10 ** Math.floor(Math.log10(step));
    return [1, 2, 5, 10].map((k) => k * power).find((one) => one >= step * (1 - 1e-9));
  }

  const figures = (value, digits = 4) => String(Number(value.toPrecision(digits)));

  // Numbers of one axis have the same decimals.
  function axisTexts(values) {
    const largest = Math.max(...values.map(Math.abs), 0);
    if (largest >= 1e6 || (largest > 0 && largest < 1e-4)) return values.map((value) => figures(value, 6));
    const decimals = Math.max(0, ...values.map((value) => (figures(value, 6).split(".")[1] ?? "").length));
    return values.map((value) => value.toFixed(Math.min(decimals, 6)));
  }

  // Places and texts of the ticks that lie on an axis.
  function ticksOf(axis, most = MOST_TICKS) {
    const [low, high] = [Math.min(...axis.ends), Math.max(...axis.ends)];
    const reach = 1e-9 * (high - low);
    const inside = (at) => at >= low - reach && at <= high + reach;
    if (axis.ticks !== undefined) {
      const texts = axis.texts ?? axisTexts(axis.ticks);
      const all = axis.ticks.map((at, k) => ({ at, text: texts[k] ?? "", far: axis.far?.[k] ?? "" }));
      return all.filter(({ at }) => inside(at));
    }
    const step = roundStep((high - low) / Math.max(2, Math.min(MOST_TICKS, most)));
    const values = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + reach && values.length < 50; k++) {
      values.push(k === 0 ? 0 : Number((k * step).toPrecision(12)));
    }
    const texts = axisTexts(values);
    return values.map((at, k) => ({ at, text: texts[k], far: "" }));
  }

  // ---- Colours

  const isDark = (theme) => (theme === "dark" ? 1 : 0);
  let inks = null;

  function colours(theme) {
    inks ??= rocscope.data("page").colours;
    return Object.fromEntries(Object.entries(inks).map(([name, pair]) => [name, pair[isDark(theme)]]));
  }

  function mix(share, scale) {
    const place = Math.min(1, Math.max(0, share)) * (scale.length - 1);
    const k = Math.min(Math.floor(place), scale.length - 2);
    const parts = [1, 3, 5].map((at) => {
      const [a, b] = [scale[k], scale[k + 1]].map((colour) => parseInt(colour.slice(at, at + 2), 16));
      return Math.round(a + (place - k) * (b - a)).toString(16).padStart(2, "0");
    });
    return `#${parts.join("")}`;
  }

  // ---- What is shown: entries of the legend switch marks off and on

  // The entries that switch a mark: its own, else that of its role; what belongs to a curve goes with the curve too,
  // such as one of several bands that share an entry.
  function entriesFor(mark, marks) {
    if (mark.kind === "rule" || mark.kind === "cells") return [mark.label];
    const role = marks.filter((one) => one.role === mark.role);
    const [own, named] = [role.filter((one) => one.series === mark.series), (one) => one.label !== undefined];
    const attached = ATTACHED.has(mark.role);
    const label = mark.label ?? own.find(named)?.label ?? (attached ? role.find(named)?.label : undefined);
    const isAlone = named(mark) && role.every((one) => one === mark || (named(one) && one.label !== mark.label));
    const curve = marks.find((one) => one.role === "curve" && one.series === mark.series && named(one));
    return attached && !isAlone ? [label, curve?.label] : [label];
  }

  function shownMarks({ marks }, hidden) {
    return marks.filter((mark) => !entriesFor(mark, marks).some((label) => hidden.has(label)));
  }

  function entriesOf(figure) {
    return (figure.entries ?? []).map((label) => {
      const mark = figure.marks.find((one) => one.label === label && one.kind !== "cells" && one.kind !== "text");
      return { label, mark };
    }).filter(({ mark }) => mark !== undefined);
  }

  // ---- The legend

  // Entries in a column, or side by side below the axes, each with its place from the upper left corner.
  function legendBox(figure, room, column) {
    const entries = [];
    let [x, y, right, row] = [0, 0, 0, 0];
    for (const { label, mark } of entriesOf(figure)) {
      const lines = wrap(label, room - HANDLE - 6, SIZES.text);
      const [width, height] = [HANDLE + widest(lines, SIZES.text) + 6, lines.length * LINE + 2];
      if (column || x + width > room) [x, y, row] = [0, y + row, 0];
      entries.push({ label, mark, lines, x, y, width, height });
      right = Math.max(right, x + width);
      row = Math.max(row, height);
      x += width + 10;
    }
    return { entries, width: right, height: y + row };
  }

  function sample(mark, y, theme) {
    const [colour, alpha] = [mark.colour[isDark(theme)], mark.alpha];
    const { paper } = colours(theme);
    if (mark.kind === "points") {
      return node("path", { d: markerPath(mark, HANDLE / 2 - 2, y, Math.min(mark.size, 9)), ...markerLook(mark, colour, paper) });
    }
    if (mark.kind === "band" || mark.kind === "bars") {
      return node("rect", { x: 2, y: y - 5, width: 18, height: 10, fill: colour, opacity: alpha });
    }
    return node("path", { d: `M1 ${round(y)}h20`, ...stroke(mark, colour), opacity: alpha });
  }

  function drawLegend(box, left, top, { theme, hidden, interactive }, inside) {
    const { ink, paper } = colours(theme);
    const group = node("g", { class: "legend", transform: `translate(${round(left)} ${round(top)})` });
    if (inside) {
      group.append(node("rect", { x: -4, y: -3, width: box.width + 6, height: box.height + 6, fill: paper, opacity: 0.88 }));
    }
    for (const { label, mark, lines, x, y, width, height } of box.entries) {
      const off = hidden.has(label);
      const access = interactive
        ? { role: "button", tabindex: "0", "aria-pressed": String(!off), "aria-label": `Show ${label}`, "data-entry": label }
        : {};
      const entry = node("g", { class: "entry", transform: `translate(${round(x)} ${round(y)})`, opacity: off ? 0.4 : null, ...access });
      if (interactive) entry.append(node("rect", { width, height, fill: "transparent" }));
      const middle = LINE / 2 + 1;
      entry.append(sample(mark, middle, theme), write(lines, HANDLE, middle, { fill: ink, whole: label }));
      group.append(entry);
    }
    return group;
  }

  // ---- Places of the marks in pixels

  function scaleOf([low, high], from, to) {
    const span = high - low || 1;
    const [least, most] = [Math.min(from, to) - FARTHEST, Math.max(from, to) + FARTHEST];
    return (value) => (value === null ? NaN : Math.min(most, Math.max(least, from + ((value - low) / span) * (to - from))));
  }

  // Straight pieces that a mark covers, for the legend that hides nothing.
  function pieces(mark, at) {
    const along = (x, y) =>
      x.slice(1).map((_, k) => [at.x(x[k]), at.y(y[k]), at.x(x[k + 1]), at.y(y[k + 1])]);
    if (mark.kind === "line") return along(mark.x, mark.y);
    if (mark.kind === "band") return [...along(mark.x, mark.low), ...along(mark.x, mark.high)];
    if (mark.kind === "points") return mark.x.map((x, k) => [at.x(x), at.y(mark.y[k]), at.x(x), at.y(mark.y[k])]);
    if (mark.kind === "segments") return along(mark.x, mark.y).filter((_, k) => k % 2 === 0);
    if (mark.kind === "bars") {
      return barBoxes(mark, at).flatMap(([x, y, w, h]) => [0, 0.5, 1].map((t) => [x + t * w, y, x + t * w, y + h]));
    }
    return [];
  }

  const isCrossed = ({ left, top, right, bottom }, [x1, y1, x2, y2]) => {
    let [from, to] = [0, 1];
    for (const [start, step, low, high] of [[x1, x2 - x1, left, right], [y1, y2 - y1, top, bottom]]) {
      if (Number.isNaN(start) || Number.isNaN(step)) return false;
      if (step === 0) {
        if (start < low || start > high) return false;
        continue;
      }
      const [a, b] = [(low - start) / step, (high - start) / step];
      from = Math.max(from, Math.min(a, b));
      to = Math.min(to, Math.max(a, b));
    }
    return from <= to;
  };

  function cornerBox(corner, { width, height }, plot) {
    const left = corner.endsWith("left") ? plot.left + 8 : plot.left + plot.width - width - 6;
    const top = corner.startsWith("upper") ? plot.top + 6 : plot.top + plot.height - height - 6;
    return { left, top, right: left + width, bottom: top + height };
  }

  // The corner in which nothing is drawn; null puts the legend below.
  function freeCorner(figure, box, plot, at, notes) {
    if (box.width > 0.75 * plot.width || box.height > 0.75 * plot.height) return null;
    const all = figure.marks.flatMap((mark) => pieces(mark, at));
    const taken = (place) =>
      all.some((piece) => isCrossed(place, piece)) ||
      notes.some((note) => note.left < place.right && place.left < note.right && note.top < place.bottom && place.top < note.bottom);
    const free = (corner) => {
      const { left, top, right, bottom } = cornerBox(corner, box, plot);
      return !taken({ left: left - 4, top: top - 4, right: right + 4, bottom: bottom + 4 });
    };
    return [figure.legend, ...CORNERS.filter((corner) => corner !== figure.legend)].find(free) ?? null;
  }

  // Texts of points, moved into the axes and below each other.
  function noteBoxes(figure, plot, at) {
    const placed = [];
    for (const mark of figure.marks.filter((one) => one.kind === "text")) {
      const lines = rocscope.spelt(mark.text).split("\n");
      const [width, height] = [widest(lines, SIZES.text), lines.length * LINE];
      const box = { mark, lines, width, height };
      box.left = at.x(mark.x) - { left: 0, center: width / 2, right: width }[mark.across];
      box.top = at.y(mark.y) - { top: 0, center: height / 2, bottom: height }[mark.up];
      if (figure.shape === "square" && !mark.role.startsWith("cell")) {
        box.left = Math.max(plot.left + 2, Math.min(box.left, plot.left + plot.width - width - 2));
        const meets = (other) =>
          box.left < other.left + other.width && other.left < box.left + width &&
          box.top < other.top + other.height && other.top < box.top + height;
        for (let k = 0; k < 8 && placed.some(meets); k++) box.top += LINE;
        placed.push(box);
      } else placed.push(box);
      box.right = box.left + width;
      box.bottom = box.top + height;
    }
    return placed;
  }

  // ---- The room of everything around the axes

  function arrange(figure, { width, titled = false, interactive = true }) {
    if (figure.shape === "solid") return rocscope.solid.arrange(figure, { width, titled, interactive });
    const narrow = width < NARROW;
    const rows = Math.abs(figure.y.ends[1] - figure.y.ends[0]);
    const heights = {
      square: (inner) => inner * Math.min(2, Math.max(0.5, rows / Math.abs(figure.x.ends[1] - figure.x.ends[0]) || 1)),
      wide: (inner) => Math.max(220, 0.58 * inner),
      table: () => rows * (figure.row ?? 34),
    };
    const heightOf = heights[figure.shape];
    const ticks = { y: ticksOf(figure.y, heightOf(width - 80) / 36) };
    const named = figure.y.texts !== undefined;
    const names = ticks.y.map(({ text }) => wrap(text, (narrow ? 0.36 : 0.32) * width, SIZES.tick, named ? 3 : 1));
    const yLabel = figure.y.label ? wrap(figure.y.label, Math.max(140, heightOf(width - 80)), SIZES.label, 2) : [];
    const left = 4 + (yLabel.length ? yLabel.length * LINE + 4 : 0) + Math.max(0, ...names.map((lines) => widest(lines, SIZES.tick))) + TICK + 4;
    const far = narrow ? [] : ticks.y.map((tick) => wrap(tick.far, 0.36 * width, SIZES.tick, 3));
    const farWidth = Math.max(0, ...far.map((lines) => widest(lines, SIZES.tick)));
    const map = figure.marks.find((mark) => mark.kind === "cells");
    const right = 12 + (farWidth ? farWidth + 6 : 0) + (map ? SCALE_ROOM : 0);
    const title = titled && figure.title ? wrap(figure.title, width - 20, SIZES.title) : [];
    const top = (interactive ? BUTTONS : 10) + title.length * 20 + (figure.x.far ? LINE : 0);
    const plot = { left, top, width: Math.max(60, width - left - right) };
    plot.height = heightOf(plot.width);

    ticks.x = ticksOf(figure.x, plot.width / 42);
    const atX = scaleOf(figure.x.ends, plot.left, plot.left + plot.width);
    const sides = ticks.x.map(({ text }) => widest(rocscope.spelt(text).split("\n"), SIZES.tick));
    const places = ticks.x.map(({ at }) => atX(at));
    const crowded = places.some((x, k) => k > 0 && Math.abs(x - places[k - 1]) < (sides[k] + sides[k - 1]) / 2 + 6);
    const slanted = crowded && figure.x.texts !== undefined && figure.x.grid === false;
    let tickHeight = LINE * Math.max(1, ...ticks.x.map(({ text }) => text.split("\n").length));
    if (slanted) tickHeight = 8 + Math.sin((SLANT / 180) * Math.PI) * Math.min(120, Math.max(...sides)) + 6;
    else if (crowded) { // every second number, or third
      const step = Math.ceil(Math.max(...sides.map((side) => side + 8)) / (plot.width / Math.max(1, ticks.x.length - 1)));
      ticks.x = ticks.x.map((tick, k) => (k % step === 0 ? tick : { ...tick, text: "" }));
    }
    const xLabel = figure.x.label ? wrap(figure.x.label, width - 16, SIZES.label, 3) : [];
    const below = TICK + 3 + (ticks.x.length ? tickHeight : 0) + (xLabel.length ? 4 + xLabel.length * LINE : 0) + 4;

    const at = { x: atX, y: scaleOf(figure.y.ends, plot.top + plot.height, plot.top) };
    const notes = noteBoxes(figure, plot, at);
    let [legend, corner, legendTop] = [null, null, plot.top + plot.height + below + 4];
    if (figure.legend && entriesOf(figure).length) {
      if (figure.legend !== "below" && !narrow && !map) {
        legend = legendBox(figure, 0.7 * plot.width, true);
        corner = freeCorner(figure, legend, plot, at, notes);
      }
      if (corner === null) legend = legendBox(figure, width - 8, false);
    }
    const height = corner === null && legend ? legendTop + legend.height + 4 : legendTop;
    return { plot, ticks, names, far, xLabel, yLabel, title, map, slanted, tickHeight, at, notes, legend, corner, legendTop, width, height };
  }

  // ---- Axes

  function drawAxes(figure, room, theme) {
    const { plot, ticks, at } = room;
    const { ink, soft, grid } = colours(theme);
    const [bottom, right] = [plot.top + plot.height, plot.left + plot.width];
    const lines = { grid: "", tick: "" };
    const texts = [];
    for (const tick of ticks.x) {
      const x = round(at.x(tick.at));
      if (figure.x.grid !== false) lines.grid += `M${x} ${round(plot.top)}V${round(bottom)}`;
      lines.tick += `M${x} ${round(bottom)}v${TICK}`;
      const rows = rocscope.spelt(tick.text).split("\n");
      if (room.slanted) {
        const name = cut(rows.join(" "), 120, SIZES.tick);
        texts.push(write([name], x + 3, bottom + TICK + 8, { size: SIZES.tick, fill: soft, anchor: "end", turn: -SLANT, whole: tick.text, name: "x-tick" }));
      } else texts.push(write(rows, x, bottom + TICK + 3 + LINE / 2, { size: SIZES.tick, fill: soft, anchor: "middle", name: "x-tick" }));
      if (tick.far) texts.push(write([cut(rocscope.spelt(tick.far), 90, SIZES.tick)], x, plot.top - LINE / 2, { size: SIZES.tick, fill: soft, anchor: "middle", name: "far" }));
    }
    ticks.y.forEach((tick, k) => {
      const y = round(at.y(tick.at));
      if (figure.y.grid !== false) lines.grid += `M${round(plot.left)} ${y}H${round(right)}`;
      lines.tick += `M${round(plot.left)} ${y}h-${TICK}`;
      const start = (rows) => y - ((rows.length - 1) * LINE) / 2;
      const rows = room.names[k];
      texts.push(write(rows, plot.left - TICK - 4, start(rows), { size: SIZES.tick, fill: figure.y.texts ? ink : soft, anchor: "end", whole: tick.text, name: "y-tick" }));
      if (tick.far && room.far.length) {
        texts.push(write(room.far[k], right + 8, start(room.far[k]), { size: SIZES.tick, fill: ink, whole: tick.far, name: "far" }));
      }
    });
    const under = bottom + TICK + 3 + (ticks.x.length ? room.tickHeight : 0) + 4 + LINE / 2;
    const middle = plot.left + plot.width / 2;
    const half = Math.min(middle, room.width - middle) - 4; // a long label is moved into the figure
    const centre = room.xLabel.length && widest(room.xLabel, SIZES.label) / 2 > half ? room.width / 2 : middle;
    texts.push(write(room.xLabel, centre, under, { size: SIZES.label, fill: ink, anchor: "middle", whole: figure.x.label, name: "x-label" }));
    texts.push(write(room.yLabel, 4 + LINE / 2, plot.top + plot.height / 2, { size: SIZES.label, fill: ink, anchor: "middle", turn: -90, whole: figure.y.label, name: "y-label" }));
    const frame = `M${round(plot.left)} ${round(plot.top)}V${round(bottom)}H${round(right)}`;
    return {
      behind: node("path", { class: "grid", d: lines.grid, stroke: grid, "stroke-width": 0.8, fill: "none" }),
      before: node("g", { class: "axes" }, node("path", { d: frame + lines.tick, stroke: soft, "stroke-width": 1, fill: "none" }), ...texts),
    };
  }

  // ---- Marks

  const stroke = (mark, colour) => ({
    fill: "none",
    stroke: colour,
    "stroke-width": mark.width,
    "stroke-dasharray": mark.dash?.length ? mark.dash.join(" ") : null,
    "stroke-linejoin": "round",
  });

  // A polyline, interrupted where a number is missing.
  function linePath(x, y, at) {
    let [d, command] = ["", "M"];
    for (let k = 0; k < x.length; k++) {
      const [px, py] = [at.x(x[k]), at.y(y[k])];
      if (Number.isNaN(px) || Number.isNaN(py)) {
        command = "M";
        continue;
      }
      d += `${command}${round(px)} ${round(py)}`;
      command = "L";
    }
    return d;
  }

  function markerPath({ marker }, x, y, size) {
    const r = round(size / 2);
    [x, y] = [round(x), round(y)];
    if (marker === "x") return `M${round(x - r)} ${round(y - r)}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
    if (marker === "s") return `M${round(x - r)} ${round(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`;
    return `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }

  function markerLook(mark, colour, paper) {
    if (mark.marker === "x") return { fill: "none", stroke: colour, "stroke-width": mark.width, opacity: mark.alpha };
    const edge = mark.rim ?? (mark.outlined ? paper : colour);
    return { fill: mark.open ? paper : colour, stroke: edge, "stroke-width": mark.width, opacity: mark.alpha };
  }

  function barBoxes(mark, at) {
    return mark.low.map((low, k) => {
      const [along, across] = mark.horizontal ? [at.x, at.y] : [at.y, at.x];
      const [a, b] = [across(low), across(mark.high[k])];
      const [c, d] = [along(0), along(mark.length[k])];
      const [side, end] = [[Math.min(a, b), Math.abs(b - a)], [Math.min(c, d), Math.abs(d - c)]];
      return mark.horizontal ? [end[0], side[0], end[1], side[1]] : [side[0], end[0], side[1], end[1]];
    });
  }

  const kinds = {
    line: (mark, at, { colour }) => [node("path", { d: linePath(mark.x, mark.y, at), ...stroke(mark, colour), opacity: mark.alpha })],

    points(mark, at, { colour, paper, plot }) {
      const reach = 2;
      const inside = (x, y) =>
        x >= plot.left - reach && x <= plot.left + plot.width + reach && y >= plot.top - reach && y <= plot.top + plot.height + reach;
      let d = "";
      mark.x.forEach((value, k) => {
        const [x, y] = [at.x(value), at.y(mark.y[k])];
        if (inside(x, y)) d += markerPath(mark, x, y, mark.size);
      });
      return [node("path", { d, ...markerLook(mark, colour, paper) })];
    },

    band(mark, at, { colour }) {
      let [d, run] = ["", []];
      for (let k = 0; k <= mark.x.length; k++) {
        const known = k < mark.x.length && ![mark.x[k], mark.low[k], mark.high[k]].includes(null);
        if (known) run.push(k);
        else if (run.length) {
          const back = [...run].reverse();
          const x = [...run, ...back].map((i) => mark.x[i]);
          d += `${linePath(x, [...run.map((i) => mark.low[i]), ...back.map((i) => mark.high[i])], at)}Z`;
          run = [];
        }
      }
      return [node("path", { d, fill: colour, opacity: mark.alpha })];
    },

    segments(mark, at, { colour }) {
      let d = "";
      for (let k = 0; k + 1 < mark.x.length; k += 2) d += linePath(mark.x.slice(k, k + 2), mark.y.slice(k, k + 2), at);
      return [node("path", { d, ...stroke(mark, colour), opacity: mark.alpha })];
    },

    bars(mark, at, { colour, paper }) {
      const d = barBoxes(mark, at)
        .filter((box) => !box.some(Number.isNaN))
        .map(([x, y, w, h]) => `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`);
      return [node("path", { d: d.join(""), fill: colour, stroke: paper, "stroke-width": mark.width, opacity: mark.alpha })];
    },

    cells(mark, at, { plot, grid }) {
      const [low, high] = mark.ends;
      const paths = new Map();
      mark.values.forEach((row, i) => row.forEach((value, j) => {
        if (value === null) return;
        const shade = Math.round(SHADES * Math.min(1, Math.max(0, (value - low) / (high - low || 1))));
        const [x1, x2, y1, y2] = [at.x(mark.x[j]), at.x(mark.x[j + 1]), at.y(mark.y[i]), at.y(mark.y[i + 1])];
        paths.set(shade, `${paths.get(shade) ?? ""}M${round(x1)} ${round(y1)}H${round(x2)}V${round(y2)}H${round(x1)}z`);
      }));
      const ground = node("rect", { x: plot.left, y: plot.top, width: plot.width, height: plot.height, fill: grid });
      const drawn = [...paths].map(([shade, d]) => node("path", { d, fill: mix(shade / SHADES, mark.scale), "shape-rendering": "crispEdges" }));
      return [ground, ...drawn];
    },

    rule(mark, at, { colour, plot }) {
      if (mark.at === null) return [];
      const d = mark.axis === "x"
        ? `M${round(at.x(mark.at))} ${round(plot.top)}v${round(plot.height)}`
        : `M${round(plot.left)} ${round(at.y(mark.at))}h${round(plot.width)}`;
      return [node("path", { d, ...stroke(mark, colour), opacity: mark.alpha })];
    },

    // On a patch of paper, so that a line below does not run through the letters; in a cell without.
    text(mark, at, { colour, paper, notes }) {
      const { lines, left, top, width, height } = notes.find((box) => box.mark === mark);
      const start = { left, center: left + width / 2, right: left + width }[mark.across];
      const anchor = { left: "start", center: "middle", right: "end" }[mark.across];
      const text = write(lines, start, top + LINE / 2, { fill: colour, anchor, name: "note" });
      if (mark.role.startsWith("cell")) return [text];
      return [node("rect", { x: left - 1, y: top + 1, width: width + 2, height: height - 2, fill: paper, opacity: 0.85 }), text];
    },
  };

  // The colour scale of a map, with its own ticks.
  function drawScale(mark, { plot }, theme) {
    const { ink, soft } = colours(theme);
    const left = plot.left + plot.width + 12;
    const steps = 48;
    const group = node("g", { class: "scale" });
    for (let k = 0; k < steps; k++) {
      const y = plot.top + plot.height * (1 - (k + 1) / steps);
      group.append(node("rect", { x: left, y, width: 10, height: plot.height / steps + 0.5, fill: mix((k + 0.5) / steps, mark.scale), "shape-rendering": "crispEdges" }));
    }
    const at = scaleOf(mark.ends, plot.top + plot.height, plot.top);
    for (const tick of ticksOf({ ends: mark.ends }, plot.height / 40)) {
      group.append(write([tick.text], left + 14, at(tick.at), { size: 11, fill: soft, name: "scale-tick" }));
    }
    const label = wrap(mark.label ?? "", plot.height, SIZES.tick, 1);
    group.append(write(label, left + 52, plot.top + plot.height / 2, { size: SIZES.tick, fill: ink, anchor: "middle", turn: -90, whole: mark.label ?? "", name: "scale-label" }));
    return group;
  }

  // ---- The whole figure

  let clips = 0;

  // Returns the drawing, and where the numbers of each mark are, for those who point at them.
  function render(figure, options) {
    const { theme = "light", hidden = new Set(), interactive = true } = options;
    const room = arrange(figure, { ...options, interactive });
    const { ink, paper, grid } = colours(theme);
    const { width, height } = room;
    const root = node("svg", {
      xmlns: SPACE, width, height, viewBox: `0 0 ${round(width)} ${round(height)}`, "font-family": FONT, "font-size": SIZES.text,
    });
    if (!interactive) root.append(node("rect", { width, height, fill: paper }));
    if (room.title.length) root.append(write(room.title, width / 2, 18, { size: SIZES.title, fill: ink, anchor: "middle", name: "title" }));
    const shown = shownMarks(figure, hidden);
    const targets = figure.shape === "solid"
      ? rocscope.solid.draw(root, figure, shown, room, { ...options, theme })
      : drawFlat(root, figure, shown, room, { theme, paper, grid });
    if (room.legend) {
      const place = room.corner === null ? { left: 4, top: room.legendTop } : cornerBox(room.corner, room.legend, room.plot);
      root.append(drawLegend(room.legend, place.left, place.top, { theme, hidden, interactive }, room.corner !== null));
    }
    return { root, targets, room };
  }

  function drawFlat(root, figure, shown, room, { theme, paper, grid }) {
    const { plot, at, notes } = room;
    const clip = `rocscope-clip-${++clips}`;
    const frame = node("rect", { x: plot.left, y: plot.top, width: plot.width, height: plot.height });
    const axes = drawAxes(figure, room, theme);
    root.append(node("defs", {}, node("clipPath", { id: clip }, frame)), axes.behind);
    for (const mark of shown) {
      const free = mark.kind === "points" || mark.kind === "text";
      const own = { colour: mark.colour[isDark(theme)], paper, grid, plot, notes };
      const named = { class: "mark", "data-kind": mark.kind, "data-role": mark.role, "data-series": String(mark.series) };
      root.append(node("g", { ...named, "clip-path": free ? null : `url(#${clip})` }, ...kinds[mark.kind](mark, at, own)));
    }
    root.append(axes.before);
    if (room.map && room.map.scale) root.append(drawScale(room.map, room, theme));
    return shown.flatMap((mark) => targetsOf(mark, at));
  }

  // Numbers that can be pointed at: vertices, points, the ends of bars.
  function targetsOf(mark, at) {
    const inSight = (x, y) => ({ mark, px: x, py: y });
    if (mark.kind === "line" && mark.role !== "leader" && mark.role !== "chance") {
      return [inSight(mark.x.map(at.x), mark.y.map(at.y))];
    }
    if (mark.kind === "points") return [inSight(mark.x.map(at.x), mark.y.map(at.y))];
    if (mark.kind === "bars") {
      const middles = mark.low.map((low, k) => (low + mark.high[k]) / 2);
      return [mark.horizontal ? inSight(mark.length.map(at.x), middles.map(at.y)) : inSight(middles.map(at.x), mark.length.map(at.y))];
    }
    return [];
  }

  rocscope.drawing = {
    arrange, colours, cornerBox, entriesOf, figures, isDark, legendBox, markerLook, markerPath, node, render, round, ticksOf, widest, wrap, write,
    BUTTONS, LINE, NARROW, SIZES,
  };
})();
