// Linked panels: a point that is touched in one of them lights up in all.
"use strict";

(() => {
  // Every panel holds the same points in the same order, in the trace of role "point".
  function cloud(figure) {
    return figure.data.find((trace) => trace.meta?.role === "point");
  }

  function spot(trace, place) {
    const at = (values) => (place === null || values === undefined ? [] : [values[place]]);
    const look = { size: 15, color: "rgba(0,0,0,0)", line: { color: "#D55E00", width: 3 } };
    const solid = { size: 10, color: "#D55E00", symbol: "diamond" };
    const is3d = trace.type === "scatter3d";
    return {
      ...trace,
      ...(is3d ? { z: at(trace.z) } : {}),
      x: at(trace.x),
      y: at(trace.y),
      mode: "markers",
      marker: is3d ? solid : { symbol: "circle", ...look },
      showlegend: false,
      hoverinfo: "skip",
      hovertemplate: undefined,
      meta: { role: "spot" },
    };
  }

  function light(panels, place) {
    for (const { div, figure } of panels) {
      const trace = cloud(figure);
      const others = figure.data.filter((one) => one.meta?.role !== "spot");
      figure.data = [...others, spot(trace, place)];
      if (div.data !== undefined) rocscope.plot(div, figure);
    }
  }

  function link(group) {
    const section = group.closest("section");
    const divs = [...group.querySelectorAll("[data-name]")];
    const panels = divs.map((div) => rocscope.figure(section, div.dataset.name));
    if (panels.some(({ figure }) => cloud(figure) === undefined)) return;
    let lit = null;
    const touch = ({ points }) => {
      const [point] = points;
      if (point.data.meta?.role !== "point" || point.pointNumber === lit) return;
      lit = point.pointNumber;
      light(panels, lit);
    };
    for (const { div } of panels) rocscope.whenDrawn(div, () => div.on("plotly_click", touch));
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const group of document.querySelectorAll("[data-linked]")) link(group);
  });
})();
