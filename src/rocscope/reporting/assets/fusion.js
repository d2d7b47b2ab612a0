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

  // The curve of a trace is known by its series: independent, correlated, counted.
  function change(name, curves, labels) {
    const shown = rocscope.figure(section, name);
    if (shown === null) return;
    for (const trace of shown.figure.data) {
      const y = trace.meta?.role === "curve" ? curves[trace.meta.series] : null;
      if (y === null || y === undefined) continue;
      Object.assign(trace, { x: payload.fpr, y });
      if (labels !== null) {
        const text = rocscope.literal(labels[trace.meta.series]);
        trace.hovertemplate = trace.hovertemplate?.replace(/<extra>.*<\/extra>/s, () => `<extra>${text}</extra>`);
        trace.name = text;
      }
    }
    if (labels === null) shown.figure.layout.yaxis.range = payload.range;
    rocscope.plot(shown.div, shown.figure);
    return shown.div;
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
