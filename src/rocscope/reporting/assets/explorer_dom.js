// Small helpers for what is seen: elements of SVG, tables whose cells are written again and again, icons.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const SPACE = "http://www.w3.org/2000/svg";

  function change(node, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      node.setAttribute(name, rocscope.spellAttribute(name, value));
    }
    return node;
  }

  function svg(tag, attributes = {}, ...children) {
    const node = change(document.createElementNS(SPACE, tag), attributes);
    node.append(...children.map(rocscope.spellChild));
    return node;
  }

  // A table cell with the number behind its text, so that nothing is lost by rounding; a title says more.
  function write(cell, text, value, title) {
    const shown = rocscope.spelt(text);
    if (cell.textContent !== shown) cell.textContent = shown;
    if (value !== undefined) cell.dataset.value = String(value);
    if (title) cell.title = rocscope.spelt(title);
    else if (cell.title) cell.removeAttribute("title");
    return cell;
  }

  // A name that somebody gave: of a long one some lines are shown, and all of it to those who point at it.
  function named(text) {
    return rocscope.element("span", { class: "explorer-name", title: text }, text);
  }

  function table(caption, header, rows) {
    const { element } = rocscope;
    const head = header.map((text) => element("th", { scope: "col" }, text));
    const body = rows.map(([name, ...cells]) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...cells),
    );
    return element(
      "table",
      { class: "explorer-table" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...body),
    );
  }

  // The marks of the curve: each has a shape of its own, so that none is known by its colour alone.
  // They are drawn from where the pen stands.
  const circle = (r) => `m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`;
  const SHAPES = {
    point: circle,
    alike: circle,
    best: (r) => `m0,${-r}l${r},${r}l${-r},${r}l${-r},${-r}z`,
    pin: (r) => `m${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    fold: (r) => `m${-r},${-r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`,
    iso: (r) => `m${-2 * r},${r}l${4 * r},${-2 * r}`,
    feasible: (r) => `m${-2 * r},0h${4 * r}`,
  };

  function icon(name) {
    const path = svg("path", { d: `M0,0${SHAPES[name](5)}`, class: `x-${name}` });
    return svg("svg", { viewBox: "-11 -8 22 16", width: 22, height: 16, "aria-hidden": "true" }, path);
  }

  function option(value, text) {
    return rocscope.element("option", { value }, text);
  }

  // An id that nothing else on the page has.
  let used = 0;
  const fresh = () => `explorer-id-${++used}`;

  // A label with its control beneath it.
  function labelled(text, control, ...more) {
    control.id = fresh();
    return rocscope.element(
      "div", { class: "explorer-field" }, rocscope.element("label", { for: control.id }, text), control, ...more,
    );
  }

  explorer.dom = { svg, change, write, named, table, SHAPES, icon, option, fresh, labelled };
})();
