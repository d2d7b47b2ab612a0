// One explorer: its parts are made, connected to the state, and drawn again whenever it changes.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { icon, change, write } = explorer.dom;
  const { pointName } = explorer.texts;
  const { Store, initial, selection } = explorer.state;

  // What follows from the state: computed again only where something it depends on has changed.
  function finder(model) {
    const last = { choice: {}, alike: {} };
    const again = (kind, key, make) => {
      if (last[kind].key !== key) last[kind] = { key, value: make() };
      return last[kind].value;
    };
    const choose = (state) => {
      try {
        const current = selection(model, state);
        return { selection: current, choice: explorer.select.select(model, current) };
      } catch (error) {
        return { selection: null, choice: { message: error.message, feasible: [] } };
      }
    };
    return (state) => {
      const { aim, bounds, prevalence, cost, point, measures, method, level } = state;
      const selected = again("choice", JSON.stringify([aim, bounds, prevalence, cost]), () => choose(state));
      const alike = again("alike", JSON.stringify([point, measures, method, level]), () =>
        explorer.test.alikeTo(model, point, state),
      );
      return { ...selected, alike };
    };
  }

  function legend(model) {
    const two = model.classes.length === 2;
    const entries = [
      ["point", `this point${model.averaged ? "; bars: standard error" : model.payload.counted ? "; bars: its intervals" : ""}`],
      ...(model.averaged ? [["fold", "its folds"]] : []),
      ["alike", model.averaged ? "indistinguishable from it" : `${two ? "rates" : "class errors"} within its intervals`],
      ["best", "the best point"],
      ...(two ? [["iso", "line of equal cost"]] : []),
      ["feasible", "within the bounds"],
      ["pin", "the pinned point"],
    ];
    const items = entries.map(([name, text]) => element("li", {}, icon(name), element("span", { "data-mark": name }, text)));
    return element("ul", { class: "explorer-legend", "aria-label": "Marks of the curve" }, ...items);
  }

  function tellBeyond(marks, plot) {
    const text = marks.querySelector('[data-mark="fold"]');
    if (text !== null) write(text, plot.beyond ? `its folds (${plot.beyond} beyond the axes)` : "its folds");
  }

  function describe(plot, model, state) {
    const sequence = plot.sequence();
    change(plot.root, {
      "aria-valuenow": sequence.indexOf(state.point),
      "aria-valuetext": pointName(model, state.point),
    });
  }

  function start(section, payload) {
    const model = new explorer.Model(payload);
    const begin = initial(model);
    const store = new Store({ ...begin, ...explorer.url.read(section.id, model) });
    const plot = new explorer.Plot(model);
    const histogram = payload.histogram === null ? null : new explorer.Histogram(model);
    const panel = new explorer.Panel(model);
    change(plot.root, { "aria-describedby": panel.reading.id });
    const pinned = new explorer.Pinned(model, store);
    const { Best, Comparing, Axes } = explorer.controls;
    const best = new Best(model, store);
    const settings = [new Comparing(model, store), new Axes(model, store), new explorer.Copies(model, section.id)];

    const marks = legend(model);
    const find = finder(model);
    const parts = [plot, ...(histogram === null ? [] : [histogram]), panel, pinned, best, ...settings];
    store.listen((state) => {
      const outcome = find(state);
      for (const part of parts) part.draw(state, outcome);
      describe(plot, model, state);
      tellBeyond(marks, plot);
    });
    store.listen(explorer.url.writer(section.id, model, begin));
    explorer.pointer.connect(store, plot, histogram, {
      p: () => pinned.toggle(store),
      o: () => best.best !== undefined && store.set({ point: best.best }),
    });
    explorer.links.connect(section, model, store);
    // A fragment holds the whole state: what it does not name is as at the beginning.
    window.addEventListener("hashchange", () => {
      const { read, namesSection } = explorer.url;
      if (namesSection()) store.notify();
      else store.set({ ...begin, ...read(section.id, model) });
    });

    const seen = element("div", { class: "explorer-seen" }, plot.root, marks);
    if (histogram !== null) seen.append(histogram.root);
    const right = element("div", { class: "explorer-settings" }, ...settings.map((part) => part.root));
    const controls = element("div", { class: "explorer-controls" }, best.root, right);
    section.querySelector(".explorer-place").replaceChildren(
      element("div", { class: "explorer-main" }, seen, panel.root, pinned.root), controls,
    );
    store.notify();
    explorer.running.set(section.id, { model, store, plot, histogram, begin });
  }

  explorer.running = new Map();
  rocscope.mount("explorer", start);
})();
