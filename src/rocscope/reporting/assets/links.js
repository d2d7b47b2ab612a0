// Linked panels: a point that is touched in one of them, or selected elsewhere, lights up in all.
"use strict";

(() => {
  const groups = new Map(); // section -> what its linked panels can do
  const WAIT = 60; // milliseconds: a point that is dragged moves faster than panels are drawn

  // Every panel holds the same points in the same order, in the mark of role "point".
  const cloud = (figure) => figure.marks.find((mark) => mark.role === "point");

  const coordinates = (mark, number) =>
    [mark.x, mark.y, mark.z].filter((values) => values !== undefined).map((values) => values[number]);

  // The mark of the explorer's own point: filled, with an outline, over all others.
  function spot(place) {
    const look = { marker: "o", size: 13, width: 2, colour: ["#D55E00", "#F0803C"], rim: "#000000" };
    const names = ["x", "y", "z"].slice(0, place.length);
    const at = Object.fromEntries(names.map((name, k) => [name, [place[k]]]));
    return { kind: "points", role: "spot", series: -1, ...look, ...at };
  }

  function light(panels, places) {
    panels.forEach(({ div, figure }, k) => {
      figure.marks = [...figure.marks.filter((mark) => mark.role !== "spot"), spot(places[k])];
      if (rocscope.isDrawn(div)) rocscope.plot(div, figure);
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
    const touch = ({ mark, index }) => {
      if (mark.role !== "point") return;
      show(panels.map(({ figure }) => coordinates(cloud(figure), index)));
      for (const listener of listeners) listener(index);
    };
    for (const { div } of panels) rocscope.onPoint(div, touch);
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
