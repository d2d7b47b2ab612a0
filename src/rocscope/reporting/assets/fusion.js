// A slider over the weights of two scores, which moves the predicted and the counted curve of their sum.
"use strict";

rocscope.mount("fusion", (section, payload) => {
  const figure = section.querySelector('[data-name="fusion-curve"]')?.closest("figure");
  if (figure === null || figure === undefined) return;
  const { positions, names } = payload;
  const id = `${section.id}-weights`;
  const slider = rocscope.element("input", {
    id, type: "range", min: 0, max: positions.length - 1, step: 1, value: payload.start,
  });
  const said = rocscope.element("output", { for: id, "aria-live": "polite" });
  const label = rocscope.element("label", { for: id }, `Weights: ${names[0]} alone on the left, ${names[1]} on the right`);
  figure.before(rocscope.element("div", { class: "fusion-slider" }, label, slider, said));

  // The curve of a mark is known by its series: independent, correlated, counted.
  function change(name, curves, labels) {
    const shown = rocscope.figure(section, name);
    if (shown === null) return;
    const { figure: drawn, div } = shown;
    for (const mark of drawn.marks) {
      const y = mark.role === "curve" ? curves[mark.series] : null;
      if (y === null || y === undefined) continue;
      Object.assign(mark, { x: payload.fpr, y });
      if (labels === null) continue;
      const label = labels[mark.series];
      drawn.entries = drawn.entries.map((entry) => (entry === mark.label ? label : entry));
      mark.label = label;
    }
    if (labels === null) drawn.y.ends = payload.range;
    rocscope.plot(div, drawn);
    return div;
  }

  function describe(position) {
    said.textContent = rocscope.spelt(position.title);
    figure.querySelector(".reading").textContent = rocscope.spelt(position.text);
    slider.setAttribute("aria-valuetext", rocscope.spelt(position.title));
  }

  slider.addEventListener("input", () => {
    const position = positions[Number(slider.value)];
    const counted = position.curves[2];
    const div = change("fusion-curve", position.curves, position.labels);
    const heading = div.closest(".panel").querySelector("h3");
    if (heading !== null) heading.textContent = rocscope.spelt(position.title);
    if (counted !== null) {
      const apart = position.curves.slice(0, 2).map((curve) => curve?.map((value, k) => value - counted[k]) ?? null);
      change("fusion-curve-1", apart, null);
    }
    describe(position);
  });
  describe(positions[payload.start]);
});
