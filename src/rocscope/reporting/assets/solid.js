// A box of three axes in perspective: its back walls with their grids, its points from the far to the near.
"use strict";

(() => {
  const DISTANCE = 3.2; // of the eye, in sides of the box
  const TEXTS = 46; // pixels beside the box and below it, for its axes
  const LARGEST = 560; // pixels
  const HOME = { azimuth: 38, elevation: 22 }; // degrees: where one looks from at first
  const AXES = ["x", "y", "z"];
  const { round } = rocscope.drawing;

  // From places in the box, each coordinate from -1/2 to 1/2, to the screen; depth grows towards the eye.
  function camera({ azimuth, elevation }, { cx, cy, size }) {
    const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
    const [ca, sa, ce, se] = [Math.cos(a), Math.sin(a), Math.cos(e), Math.sin(e)];
    const depth = ([x, y, z]) => (x * ca + y * sa) * ce + z * se;
    const project = (point) => {
      const [x, y, z] = point;
      const [right, up] = [-x * sa + y * ca, -(x * ca + y * sa) * se + z * ce];
      const near = DISTANCE / (DISTANCE - depth(point));
      return [cx + size * near * right, cy - size * near * up, near];
    };
    return { depth, project };
  }

  // The largest box that fits, with the texts along its edges, from where one looks.
  function fitted(view, plot) {
    const ends = [-0.5, 0.5];
    const { project } = camera(view, { cx: 0, cy: 0, size: 1 });
    const corners = ends.flatMap((x) => ends.flatMap((y) => ends.map((z) => project([x, y, z]))));
    const [left, right, top, bottom] = [0, 1].flatMap((k) => {
      const values = corners.map((corner) => corner[k]);
      return [Math.min(...values), Math.max(...values)];
    });
    const size = Math.min((plot.height - TEXTS - 10) / (bottom - top), (plot.width - 2 * TEXTS) / (right - left));
    return { size, cx: plot.width / 2 - ((left + right) / 2) * size, cy: plot.top + 8 - top * size };
  }

  function arrange(figure, { width, titled, interactive }) {
    const { BUTTONS, LINE, SIZES, entriesOf, legendBox, wrap } = rocscope.drawing;
    const title = titled && figure.title ? wrap(figure.title, width - 20, SIZES.title) : [];
    const top = (interactive ? BUTTONS : 10) + title.length * 20;
    const side = Math.min(width, LARGEST) * 0.9;
    const legend = figure.legend && entriesOf(figure).length ? legendBox(figure, width - 8, false) : null;
    const legendTop = top + side + 8;
    const plot = { left: 0, top, width, height: side };
    return { plot, title, legend, legendTop, corner: null, width, height: legendTop + (legend ? legend.height + LINE / 2 : 0), names: [] };
  }

  const share = (value, [low, high]) => (value === null ? NaN : (value - low) / (high - low || 1) - 0.5);
  const sign = (value) => (value < 0 ? -1 : 1);
  const along = (axis, value, at) => AXES.map((name) => (name === axis ? value : at[name]));

  // The wall of each axis that is behind the points: the side that is farther from the eye.
  function backWalls(view) {
    const { depth } = camera(view, { cx: 0, cy: 0, size: 1 });
    return Object.fromEntries(AXES.map((name) => [name, -0.5 * sign(depth(along(name, 1, { x: 0, y: 0, z: 0 })))]));
  }

  function wallPath(figure, ticks, back, { project }) {
    const line = (from, to) => {
      const [[x1, y1], [x2, y2]] = [project(from), project(to)];
      return `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`;
    };
    let d = "";
    for (const wall of AXES) {
      const [first, second] = AXES.filter((name) => name !== wall);
      for (const [ruled, other] of [[first, second], [second, first]]) {
        const places = [-0.5, ...ticks[ruled].map(({ at }) => share(at, figure[ruled].ends)), 0.5];
        for (const place of places) {
          const at = (end) => AXES.map((name) => (name === wall ? back[wall] : name === ruled ? place : end));
          d += line(at(-0.5), at(0.5));
        }
      }
    }
    return d;
  }

  // The edge that carries the ticks of an axis: of the floor the one in front, upright the one on the left.
  function edgeOf(axis, back, { project }) {
    if (axis === "x") return { y: -back.y, z: back.z };
    if (axis === "y") return { x: -back.x, z: back.z };
    const corners = [{ x: back.x, y: -back.y }, { x: -back.x, y: back.y }];
    const left = (at) => project(along("z", 0, at))[0];
    return left(corners[0]) < left(corners[1]) ? corners[0] : corners[1];
  }

  function drawAxis(axis, figure, ticks, back, eye, { ink, soft }) {
    const { node, widest, write, wrap, SIZES, LINE } = rocscope.drawing;
    const at = edgeOf(axis, back, eye);
    const [from, to, middle] = [-0.5, 0.5, 0].map((value) => eye.project(along(axis, value, at)));
    const centre = eye.project([0, 0, 0]);
    // Outwards from the edge, on the side that is away from the box.
    let [nx, ny] = [-(to[1] - from[1]), to[0] - from[0]];
    const length = Math.hypot(nx, ny) || 1;
    const outwards = sign(nx * (middle[0] - centre[0]) + ny * (middle[1] - centre[1])) / length;
    [nx, ny] = [nx * outwards, ny * outwards];
    const anchor = nx > 0.35 ? "start" : nx < -0.35 ? "end" : "middle";
    const drawn = [node("path", { d: `M${round(from[0])} ${round(from[1])}L${round(to[0])} ${round(to[1])}`, stroke: soft, "stroke-width": 1, fill: "none" })];
    for (const tick of ticks[axis]) {
      const [x, y] = eye.project(along(axis, share(tick.at, figure[axis].ends), at));
      drawn.push(write([tick.text], x + 9 * nx, y + 9 * ny, { size: 11, fill: soft, anchor, name: `${axis}-tick` }));
    }
    // The label runs along its edge, beyond the numbers of the ticks.
    const numbers = widest(ticks[axis].map(({ text }) => text), 11);
    const away = 21 + Math.abs(nx) * numbers + Math.abs(ny) * 8;
    const across = sign(to[0] - from[0] || from[1] - to[1]);
    let angle = Math.atan2((to[1] - from[1]) * across, (to[0] - from[0]) * across);
    if (angle > 1.2) angle -= Math.PI; // steep ones are read upwards
    const lines = wrap(figure[axis].label, Math.max(110, 0.9 * length), SIZES.label, 2);
    const under = -Math.sin(angle) * nx + Math.cos(angle) * ny > 0; // further lines go outwards
    const out = away + (under ? 0 : (lines.length - 1) * LINE);
    drawn.push(
      write(lines, middle[0] + out * nx, middle[1] + out * ny, {
        size: SIZES.label, fill: ink, anchor: "middle", turn: round((angle * 180) / Math.PI), whole: figure[axis].label, name: `${axis}-label`,
      }),
    );
    return node("g", { class: "axes" }, ...drawn);
  }

  function draw(root, figure, shown, room, { theme, view = HOME }) {
    const { colours, isDark, markerLook, markerPath, node, ticksOf } = rocscope.drawing;
    const { plot } = room;
    const inks = colours(theme);
    const eye = camera(view, fitted(view, plot));
    const ticks = Object.fromEntries(AXES.map((name) => [name, ticksOf(figure[name], 6)]));
    const back = backWalls(view);
    root.append(node("path", { class: "grid", d: wallPath(figure, ticks, back, eye), stroke: inks.grid, "stroke-width": 0.8, fill: "none" }));
    for (const axis of AXES) root.append(drawAxis(axis, figure, ticks, back, eye, inks));

    const points = [];
    const targets = shown.filter((mark) => mark.kind === "points").map((mark) => {
      const target = { mark, px: [], py: [] };
      mark.x.forEach((_, k) => {
        const place = AXES.map((name) => share(mark[name][k], figure[name].ends));
        const [x, y, near] = eye.project(place);
        target.px.push(x);
        target.py.push(y);
        if (!place.some(Number.isNaN)) points.push({ mark, x, y, near, depth: eye.depth(place) });
      });
      return target;
    });
    points.sort((a, b) => a.depth - b.depth);
    const group = node("g", { class: "marks" });
    for (const { mark, x, y, near } of points) {
      const look = markerLook(mark, mark.colour[isDark(theme)], inks.paper);
      group.append(node("path", { d: markerPath(mark, x, y, mark.size * near * near), ...look, "data-role": mark.role }));
    }
    // What is selected is seen through the others.
    for (const drawn of group.querySelectorAll('[data-role="spot"]')) group.append(drawn);
    root.append(group);
    return targets;
  }

  // Turned by so many degrees; one never looks from straight above, where the sides of the box change places.
  function turned(view, across, up) {
    const { azimuth, elevation } = view ?? HOME;
    return { azimuth: (azimuth + across) % 360, elevation: Math.max(-85, Math.min(85, elevation + up)) };
  }

  rocscope.solid = { arrange, draw, turned };
})();
