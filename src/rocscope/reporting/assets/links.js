// Linked panels: a point that is touched in one of them, or selected elsewhere, lights up in all.
"use strict";

(() => {
  const groups = new Map(); // section -> what its linked panels can do
  const WAIT = 60; // milliseconds: a point that is dragged moves faster than panels are drawn

  // Every panel holds the same points in the same order, in the trace of role "point".
  function cloud(figure) {
    return figure.data.find((trace) => trace.meta?.role === "point");
  }

  function coordinates(trace, number) {
    return [trace.x, trace.y, trace.z].filter((values) => values !== undefined).map((values) => values[number]);
  }

  // The mark of the explorer's own point: filled, with an outline, over all others, whose traces come before.
  function spot(trace, place) {
    const at = (k) => (place === null ? [] : [place[k]]);
    const is3d = trace.type === "scatter3d";
    const look = { color: "#D55E00", opacity: 1, symbol: "circle", line: { color: "#000000", width: 2 } };
    return {
      ...trace,
      ...(is3d ? { z: at(2) } : {}),
      x: at(0),
      y: at(1),
      mode: "markers",
      marker: { ...look, size: is3d ? 12 : 13 },
      opacity: 1,
      showlegend: false,
      hoverinfo: "skip",
      hovertemplate: undefined,
      meta: { role: "spot" },
    };
  }

  function light(panels, places) {
    panels.forEach(({ div, figure }, k) => {
      const others = figure.data.filter((one) => one.meta?.role !== "spot");
      figure.data = [...others, spot(cloud(figure), places[k])];
      if (div.data !== undefined) rocscope.plot(div, figure);
    });
  }

  function link(group) {
    const section = group.closest("section");
    const divs = [...group.querySelectorAll("[data-name]")];
    const panels = divs.map((div) => rocscope.figure(section, div.dataset.name));
    if (panels.some(({ figure }) => cloud(figure) === undefined)) return;
    const listeners = [];
    let [timer, latest] = [null, null];
    const show = (places) => {
      latest = places;
      timer ??= setTimeout(() => {
        timer = null;
        light(panels, latest);
      }, WAIT);
    };
    const touch = ({ points }) => {
      const [point] = points;
      if (point.data.meta?.role !== "point") return;
      show(panels.map(({ figure }) => coordinates(cloud(figure), point.pointNumber)));
      for (const listener of listeners) listener(point.pointNumber);
    };
    for (const { div } of panels) rocscope.whenDrawn(div, () => div.on("plotly_click", touch));
    const size = cloud(panels[0].figure).x.length;
    groups.set(section, { count: panels.length, size, show, listen: (listener) => listeners.push(listener) });
  }

  // The linked panels of a section, once the page is there: how many, of how many points; `show` lights places
  // up, one in each panel; `listen` gets the number of a point that is touched.
  rocscope.linked = (section) => groups.get(section) ?? null;

  document.addEventListener("DOMContentLoaded", () => {
    for (const group of document.querySelectorAll("[data-linked]")) link(group);
  });
})();
