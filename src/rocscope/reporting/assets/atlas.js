// The explorer of the atlas: choices of family, quantity, method and kind of scores; a map, and two tables.
"use strict";

rocscope.mount("atlas", (section, payload) => {
  const { element } = rocscope;
  const [QUANTITY, METHOD, LAW, OTHERS, TIES, AREA, POS, NEG, TRUTH, RATE, ERROR, WIDTH, SETS, SIDE] = Array(14).keys();
  const SHOWN = 200; // rows of the table of cells
  const TEXT = { series: 0, width: 1.33, dash: [], kind: "text", across: "center", up: "center" };
  const DARK = { ...TEXT, role: "cell-text", colour: ["#1A1A1A", "#1A1A1A"] };
  const LIGHT = { ...TEXT, role: "cell-text-light", colour: ["#FAFAFA", "#FAFAFA"] };
  const ENDS = { interval: [80, 100], test: [0, 20] };
  const BOUNDS = { interval: "93 to 98 %", test: "at most 6.5 %" };
  const figure = section.querySelector('[data-name="atlas-map"]').closest("figure");
  const holder = element("div", { class: "atlas-choices" });
  const tables = element("div", { "aria-live": "polite" });
  figure.before(holder);
  figure.after(tables);

  const selects = {};
  const NAMES = {
    family: "What", quantity: "Quantity", method: "Method", law: "Scores", ties: "Ties", others: "Further factors",
    least: "Cases of the smaller class", show: "Map of",
  };
  for (const [name, label] of Object.entries(NAMES)) {
    const id = `${section.id}-${name}`;
    selects[name] = element("select", { id });
    selects[name].addEventListener("change", () => refresh(name));
    holder.append(element("label", { for: id }, label, selects[name]));
  }

  // Fill a select with [value, text] pairs, and keep its choice where that is still there.
  // A choice among fewer than so many is none.
  function fill(name, pairs, start, least = 2) {
    const select = selects[name];
    const before = select.value;
    select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
    const values = pairs.map(([value]) => String(value));
    select.value = values.includes(before) ? before : String(start ?? values[0]);
    select.closest("label").hidden = pairs.length < least;
  }

  const percent = (rate) => (rate === null ? "" : (100 * rate).toFixed(1));
  const numbered = (texts) => texts.map((text, k) => [k, text]);
  const unique = (values) => [...new Set(values)];
  const family = () => payload.families[Number(selects.family.value)];

  function refresh(changed) {
    const one = family();
    if (changed === "family" || changed === undefined) {
      const { quantity, method, law, others } = one.lists;
      fill("quantity", numbered(quantity));
      selects.method.replaceChildren();
      fill("method", numbered(method.map((name) => (name === one.default ? `${name} (default)` : name))), Math.max(0, method.indexOf(one.default)));
      fill("law", [["", "all kinds"], ...numbered(law)], "", 3);
      fill("ties", [["", "with and without"], ["0", "none"], ["1", "categories"]].filter(([tie]) => tie === "" || one.rows.some((row) => row[TIES] === Number(tie))), "", 3);
      fill("others", [["", "all"], ...numbered(others.map((text) => text || "none"))], "", 3);
      const smaller = unique(one.rows.map((row) => Math.min(row[POS], row[NEG]))).sort((a, b) => a - b);
      fill("least", smaller.map((n) => [n, `${n} or more`]));
      const rate = one.kind === "test" ? "rejection" : "coverage";
      fill("show", [["rate", rate], ...(one.kind === "test" ? [["power", "power"]] : [["width", "width"]])]);
    }
    const wanted = { [QUANTITY]: selects.quantity.value, [LAW]: selects.law.value, [TIES]: selects.ties.value, [OTHERS]: selects.others.value };
    let rows = one.rows.filter((row) => Object.entries(wanted).every(([k, value]) => value === "" || row[k] === Number(value)));
    rows = rows.filter((row) => Math.min(row[POS], row[NEG]) >= Number(selects.least.value));
    if (one.kind === "test") rows = rows.filter((row) => (row[TRUTH] === 1) === (selects.show.value !== "power"));
    const own = rows.filter((row) => row[METHOD] === Number(selects.method.value));
    draw(one, own);
    tables.replaceChildren(methods(one, rows), cells(one, own));
  }

  function draw(one, rows) {
    const { figure: drawn, div } = rocscope.figure(section, "atlas-map");
    const areas = unique(rows.map((row) => row[AREA])).sort((a, b) => a - b);
    const order = (row) => (row[POS] !== row[NEG]) * 1e9 + row[POS] + row[NEG];
    const sizes = unique([...rows].sort((a, b) => order(a) - order(b)).map((row) => `${row[POS]} + ${row[NEG]}`));
    const width = selects.show.value === "width";
    const values = sizes.map((size) => areas.map((area) => {
      const here = rows.filter((row) => row[AREA] === area && `${row[POS]} + ${row[NEG]}` === size);
      const known = here.map((row) => (width ? row[WIDTH] : row[RATE])).filter((value) => value !== null);
      if (known.length === 0) return null;
      if (width) return known.reduce((sum, value) => sum + value, 0) / known.length;
      return 100 * (one.kind === "test" && selects.show.value !== "power" ? Math.max(...known) : Math.min(...known));
    }));
    const flat = values.flat().filter((value) => value !== null);
    const ends = width || selects.show.value === "power" ? [0, width ? Math.max(...flat, 1e-9) : 100] : ENDS[one.kind];
    const [map] = drawn.marks.filter((mark) => mark.kind === "cells");
    const edges = (n) => Array.from({ length: n + 1 }, (_, k) => k - 0.5);
    const label = width ? "mean width" : selects.show.value === "power" ? "lowest power, %" : one.kind === "test" ? "highest rate of rejection, %" : "lowest coverage, %";
    Object.assign(map, { x: edges(areas.length), y: edges(sizes.length), values, ends, label });
    const texts = values.flatMap((line, y) => line.map((value, x) => {
      if (value === null) return null;
      const share = (value - ends[0]) / (ends[1] - ends[0]);
      return { ...(share < 0.55 ? LIGHT : DARK), x, y, text: width ? value.toPrecision(3) : value.toFixed(1) };
    })).filter((mark) => mark !== null);
    const axis = (old, labels, flipped) => Object.assign(old, { ends: flipped ? [labels.length - 0.5, -0.5] : [-0.5, labels.length - 0.5], ticks: [...labels.keys()], texts: labels.map(String) });
    axis(drawn.x, areas, false);
    axis(drawn.y, sizes, true);
    drawn.title = `${one.lists.method[Number(selects.method.value)]}: ${one.lists.quantity[Number(selects.quantity.value)]}`;
    drawn.marks = [map, ...texts];
    const heading = div.closest(".panel").querySelector("h3");
    if (heading !== null) heading.textContent = rocscope.spelt(`${one.title}. ${drawn.title}`);
    rocscope.plot(div, drawn);
  }

  function table(caption, header, rows) {
    const line = (row) => element("tr", {}, element("th", { scope: "row" }, row[0]), ...row.slice(1).map((cell) => element("td", {}, cell)));
    const head = element("tr", {}, ...header.map((name) => element("th", { scope: "col" }, name)));
    return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
      element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...rows.map(line))));
  }

  const range = (error) => (error === null ? "" : `± ${(100 * error).toFixed(1)}`);
  const shown = (row) => {
    const text = `${percent(row[RATE])} ${range(row[ERROR])}`;
    return row[SIDE] ? element("span", { class: "atlas-outside" }, text) : text;
  };

  // The methods of the quantity, over the cells that all choices but that of the method leave.
  function methods(one, rows) {
    const lines = one.lists.method.map((name, k) => {
      const own = rows.filter((row) => row[METHOD] === k && row[RATE] !== null).sort((a, b) => a[RATE] - b[RATE]);
      if (own.length === 0) return null;
      const widths = one.kind === "test" ? [] : own.map((row) => row[WIDTH]).filter((value) => value !== null);
      const mean = widths.length ? (widths.reduce((sum, value) => sum + value, 0) / widths.length).toPrecision(3) : "";
      const within = own.filter((row) => row[SIDE] === 0).length;
      const [low, middle, high] = [own[0], own[Math.floor(own.length / 2)], own[own.length - 1]];
      return [name, `${within} of ${own.length}`, shown(low), shown(middle), shown(high), mean];
    }).filter((line) => line !== null);
    return table(`Methods, in percent with Monte-Carlo standard errors; within bounds: ${BOUNDS[one.kind]}`,
      ["method", "cells within bounds", "lowest", "median", "highest", "mean width"], lines);
  }

  function cells(one, rows) {
    const sorted = [...rows].filter((row) => row[RATE] !== null).sort((a, b) => (one.kind === "test" ? b[RATE] - a[RATE] : a[RATE] - b[RATE]));
    const lines = sorted.slice(0, SHOWN).map((row) => [
      `${row[POS]} + ${row[NEG]}`, String(row[AREA]), one.lists.law[row[LAW]], row[TIES] ? "categories" : "none",
      one.lists.others[row[OTHERS]], String(row[TRUTH]), shown(row), row[WIDTH] === null || one.kind === "test" ? "" : String(row[WIDTH]), String(row[SETS]),
    ]);
    const rest = sorted.length > SHOWN ? `, the first ${SHOWN} of ${sorted.length}` : "";
    return table(`Cells of the map, the worst first${rest}`,
      ["cases", "area", "scores", "ties", "further factors", "true value", "rate, %", "width", "data sets"], lines);
  }

  fill("family", payload.families.map(({ title }, k) => [k, title]));
  setTimeout(refresh, 0); // figures of the page begin after its sections
});
